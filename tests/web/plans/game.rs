//! The games whose plans are made: what a match of each is created with, and what else a ball of it asks.

use serde_json::{Value, json};
use third_umpire_test_support::random::Lcg;
use third_umpire_test_support::service::{Client, Match, table, with};

use crate::games::board_game_request;

/// A game at the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Game {
    Howzat,
    CubeRoots,
    Cards,
}

impl Game {
    /// The request for a short match.
    pub fn request(self, client: &Client, lcg: &mut Lcg) -> Value {
        match self {
            Game::Howzat => {
                let house = json!({"overs": 2, "drs": "house"});
                with(table(2), "/rules", if lcg.below(2) == 0 { json!({"overs": 2}) } else { house })
            }
            Game::CubeRoots => with(table(2), "/game", json!("cuberoots")),
            Game::Cards => board_game_request(client, "t10"),
        }
    }

    /// What is recorded before the first ball.
    pub fn begins(self, played: &Match) {
        if self == Game::Cards {
            played.post("/set-up", &json!({"pitch": "spin"})).expect(201);
        }
        played.begin();
    }
}

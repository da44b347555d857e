//! Sides that play for themselves: they claim their side, commit to seeds and seal choices, with nothing but
//! the documentation to go by.

use serde_json::{Value, json};
use uuid::Uuid;

use super::answer::Answer;
use super::client::{Client, Request};
use super::play::{Match, seeded_by_service, with};
use crate::logs::{canonical, sha256};

/// The request for a match of CubeRoots at one table, with a seed of the service.
pub fn cubes(overs: u32) -> Value {
    with(with(seeded_by_service(overs), "/game", json!("cuberoots")), "/rules", json!({"overs": overs}))
}

/// The request for a match of remote play.
pub fn remote(overs: u32) -> Value {
    with(with(cubes(overs), "/remote", json!(true)), "/client_seeds", json!("both"))
}

/// A new string of 64 hexadecimal digits.
pub fn fresh_hex() -> String {
    sha256(Uuid::now_v7().as_bytes())
}

/// The request that exchanges an invite for a token.
pub fn claiming(played: &Match, invite: &str) -> Request {
    played.client.request("POST", &played.path("/tokens/claim")).json(&json!({"invite": invite}))
}

/// A player for one side, with the side's own token.
#[derive(Clone)]
pub struct Captain {
    pub side: &'static str,
    /// The match, accessed with the side's token.
    pub seat: Match,
    /// The client seed of the side.
    pub client_seed: String,
}

impl Captain {
    #[track_caller]
    pub fn claim(played: &Match, side: &'static str, invite: &str) -> Captain {
        let claimed = claiming(played, invite).send().expect(201);
        assert_eq!(claimed["side"], side);
        let token = claimed["token"].as_str().expect("a token").to_owned();
        Captain { side, seat: Match { token, ..played.clone() }, client_seed: fresh_hex() }
    }

    /// The captain on another instance.
    pub fn through(&self, client: &Client) -> Captain {
        Captain { seat: self.seat.through(client), ..self.clone() }
    }

    pub fn posting(&self, rest: &str, body: &Value) -> Request {
        self.seat.posting(rest, body)
    }

    pub fn post(&self, rest: &str, body: &Value) -> Answer {
        self.seat.post(rest, body)
    }

    /// Reads the match with the side's token.
    #[track_caller]
    pub fn sees(&self) -> Answer {
        self.seat.client.request("GET", &self.seat.path("")).token(&self.seat.token).send()
    }

    /// The part of the match that only this side sees.
    #[track_caller]
    pub fn own(&self) -> Value {
        self.sees().expect(200)["own"][self.side].clone()
    }

    /// The cubes dealt to the side for the next over.
    #[track_caller]
    pub fn hand(&self) -> Vec<u64> {
        let own = self.own();
        let hand = own["hand"].as_array().unwrap_or_else(|| panic!("no hand in {own}"));
        hand.iter().map(|dealt| dealt["cube"].as_u64().expect("a cube has a number")).collect()
    }

    /// The hash that commits the side to a client seed.
    pub fn hash_of_seed(&self, client_seed: &str) -> String {
        let commitment = &self.seat.view()["commitment"];
        sha256(canonical(&json!({
            "match": self.seat.id, "side": self.side, "commitment": commitment, "client_seed": client_seed,
        })))
    }

    pub fn committing_seed(&self) -> Request {
        self.posting("/seeds", &json!({"hash": self.hash_of_seed(&self.client_seed)}))
    }

    pub fn showing_seed(&self) -> Request {
        self.posting("/seeds", &json!({"client_seed": self.client_seed}))
    }

    /// The request to choose an order that the service seals.
    pub fn choosing(&self, order: &[u64]) -> Request {
        self.posting("/choices", &json!({"for": "order", "choice": {"order": order}}))
    }

    #[track_caller]
    pub fn chooses(&self, order: &[u64]) -> Value {
        self.choosing(order).send().expect(201)
    }

    /// Seals a choice for the next over, without sending it.
    pub fn seals(&self, choice: Value) -> Sealed {
        let (innings, over) = self.due();
        let salt = fresh_hex();
        let seal = sha256(canonical(&json!({
            "match": self.seat.id, "side": self.side, "for": "order", "innings": innings, "over": over,
            "ball": null, "salt": salt, "choice": choice,
        })));
        Sealed { seal, salt, choice, innings, over }
    }

    pub fn seals_order(&self, order: &[u64]) -> Sealed {
        self.seals(json!({"order": order}))
    }

    /// The innings and number of the next over, from the public score.
    pub fn due(&self) -> (u64, u64) {
        let view = self.seat.view();
        let Some(innings) = view["score"]["innings"].as_array().and_then(|all| all.last()) else {
            return (1, 1);
        };
        let number = innings["number"].as_u64().expect("a number");
        let overs = innings["overs"].as_str().and_then(|overs| overs.split('.').next()?.parse().ok());
        let overs: u64 = overs.expect("overs are counted");
        if innings["wickets"] == 10 || view["rules"]["overs"] == overs {
            (number + 1, 1)
        } else {
            (number, overs + 1)
        }
    }
}

/// A choice sealed by a side itself.
#[derive(Clone)]
pub struct Sealed {
    pub seal: String,
    pub salt: String,
    pub choice: Value,
    pub innings: u64,
    pub over: u64,
}

impl Sealed {
    /// The body that commits to the choice.
    pub fn seal_body(&self) -> Value {
        json!({"for": "order", "innings": self.innings, "over": self.over, "sealed": self.seal})
    }

    /// The body that opens the seal.
    pub fn opening_body(&self) -> Value {
        json!({
            "for": "order", "innings": self.innings, "over": self.over, "salt": self.salt,
            "choice": self.choice,
        })
    }
}

/// A match with its scorer and its two captains.
#[derive(Clone)]
pub struct Sides {
    pub scorer: Match,
    pub home: Captain,
    pub away: Captain,
}

impl Sides {
    /// Creates a match, and both sides claim theirs.
    #[track_caller]
    pub fn create(client: &Client, request: &Value) -> Sides {
        let created = client.post("/v1/matches", request).expect(201);
        let scorer = Match::created(client, &created);
        let claim = |side: &'static str| {
            Captain::claim(&scorer, side, created["invites"][side].as_str().expect("an invite"))
        };
        Sides { home: claim("home"), away: claim("away"), scorer }
    }

    /// The sides on another instance.
    pub fn through(&self, client: &Client) -> Sides {
        Sides {
            scorer: self.scorer.through(client),
            home: self.home.through(client),
            away: self.away.through(client),
        }
    }

    pub fn captains(&self) -> [&Captain; 2] {
        [&self.home, &self.away]
    }

    /// The captain of the named side first, then the other.
    pub fn sorted(&self, first: &Value) -> [&Captain; 2] {
        if *first == "home" { [&self.home, &self.away] } else { [&self.away, &self.home] }
    }

    /// Commits both sides to their client seeds.
    #[track_caller]
    pub fn commit_seeds(&self) {
        self.captains().into_iter().for_each(|captain| drop(captain.committing_seed().send().expect(201)));
    }

    /// Shows both client seeds.
    #[track_caller]
    pub fn show_seeds(&self) {
        self.captains().into_iter().for_each(|captain| drop(captain.showing_seed().send().expect(201)));
    }

    /// Commits to both client seeds and shows them.
    #[track_caller]
    pub fn add_seeds(&self) -> &Sides {
        self.commit_seeds();
        self.show_seeds();
        self
    }

    /// Tosses with home calling; returns the winner and the other.
    #[track_caller]
    pub fn toss(&self) -> [&Captain; 2] {
        let call = json!({"caller": "home", "call": "heads"});
        let tossed = self.home.post("/toss", &call).expect(201);
        self.sorted(&tossed["events"][0]["data"]["winner"])
    }

    /// Creates a match in which home bats and the orders of the first over are due.
    #[track_caller]
    pub fn in_play(client: &Client, request: &Value) -> Sides {
        let sides = Sides::create(client, request);
        let [winner, _] = sides.add_seeds().toss();
        let to = if winner.side == "home" { "bat" } else { "bowl" };
        winner.post("/toss/decision", &json!({"to": to})).expect(201);
        sides
    }

    /// Creates a match that one scorer records, with both sides claimed, and plays the toss.
    #[track_caller]
    pub fn in_play_at_the_table(client: &Client, request: &Value) -> Sides {
        let sides = Sides::create(client, request);
        sides.scorer.begin();
        sides
    }

    /// Chooses the order of the deal for both sides, and returns the event of the over.
    #[track_caller]
    pub fn choose_as_dealt(&self) -> Value {
        self.home.chooses(&self.home.hand());
        self.away.chooses(&self.away.hand())["events"][1].clone()
    }

    /// Bowls the over, in six balls or fewer.
    #[track_caller]
    pub fn bowl_over(&self) {
        for captain in self.captains().into_iter().cycle().take(6) {
            let bowled = captain.post("/balls", &json!({})).expect(201);
            if bowled["next"]["kind"] == "over" || bowled["next"]["what"] == "order" {
                return;
            }
        }
    }

    /// Gives the match up, which opens its seeds, and audits its log.
    #[track_caller]
    pub fn give_up_and_audit(&self) {
        self.scorer.post("/abandonment", &json!({"reason": "enough"})).expect(201);
        self.audits_clean();
    }

    /// Asserts that the log of a completed match is clean, by the service's audit and by the library's, which
    /// has only the log.
    #[track_caller]
    pub fn audits_clean(&self) {
        let report = self.scorer.audits_clean();
        assert!(report["proved"].to_string().contains("the seed fits its commitment"), "{report}");
        self.scorer.audits_clean_offline();
    }
}

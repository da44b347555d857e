//! Makes matches of remote play.

use serde_json::{Value, json};
use third_umpire::commands::{Command, CommandHandler};
use third_umpire::dice::Draw;
use third_umpire::log::{Actor, ClientSeeds, CoinFace, EventData, Role, TokenRotated};
use third_umpire::matches::{ClaimedChoice, Input, MatchSettings, PendingChoice, Phase, seal, seed_hash};
use third_umpire::projection::DeliveryPlaces;
use third_umpire::rules::{Choices, Play};
use third_umpire::scorebook::Side;

use super::{Log, LogMaker, Setting, match_id};

const ORDER: &str = "order";

/// The client seed of a side.
pub fn client_seed(side: Side) -> String {
    let pair = if side == Side::Home { "a1" } else { "b2" };
    pair.repeat(32)
}

impl Setting {
    /// Remote play of CubeRoots cricket, with this number of overs an innings and a timeout of a second.
    pub fn remote(overs: u16) -> Setting {
        Setting {
            game: "cuberoots",
            rules: json!({"overs": overs, "roll_a_cube": true}),
            settings: MatchSettings { client_seeds: ClientSeeds::Both, remote: true, choice_timeout: 1 },
            ..Setting::default()
        }
    }
}

impl LogMaker {
    fn by(mut self, side: Side) -> LogMaker {
        self.actor = Actor::from(side);
        self
    }

    /// Carries out a side's command.
    pub fn command(mut self, side: Side, command: Command) -> LogMaker {
        self = self.by(side);
        let (the_match, actor, secrets) = (self.the_match(), self.actor, self.server_secrets());
        let places = &DeliveryPlaces::default();
        let decided = CommandHandler { the_match, places, actor, secrets }.handle(&command, &[]).unwrap();
        decided.events.into_iter().for_each(|(event, _)| self.follow(event));
        self.openings.extend(decided.secrets.opening);
        self
    }

    /// Replaces a side's token.
    pub fn rotated(mut self, side: Side) -> LogMaker {
        self = self.by(side);
        self.follow(EventData::TokenRotated(TokenRotated { role: Role::from(side) }));
        self
    }

    /// Claims both sides, and adds the client seed of each.
    pub fn joined(mut self) -> LogMaker {
        let both = [Side::Home, Side::Away];
        let commitment = self.the_match().play().info().created.commitment.clone().unwrap();
        for side in both {
            self = self.command(side, Command::Claim { side, token: String::new() });
        }
        for side in both {
            let hash = seed_hash(match_id(), side, &commitment, &client_seed(side)).unwrap();
            self = self.command(side, Command::CommitSeed { side, hash });
        }
        for side in both {
            self = self.command(side, Command::RevealSeed { side, client_seed: client_seed(side) });
        }
        self
    }

    /// Tosses with home calling heads; the winner's decision is still open.
    pub fn home_calls(self) -> LogMaker {
        let mut maker = self.by(Side::Home);
        maker.roll(Input::Toss { caller: Side::Home, call: CoinFace::Heads });
        maker
    }

    /// The side that won the toss and has not decided yet.
    pub fn winner(&self) -> Side {
        match self.the_match().play().phase() {
            Phase::TossDecision(winner) => winner,
            other => panic!("{other:?} is no time to decide"),
        }
    }

    /// Calls on the other side twice, so that its choice is made by timeout.
    pub fn calls_until_timeout(self, side: Side) -> LogMaker {
        self.command(side, Command::Call { side }).command(side, Command::Call { side })
    }

    fn claimed(&self) -> (ClaimedChoice, PendingChoice) {
        let step = self.the_match().remote().secret_choice().expect("something is chosen in secret");
        (
            ClaimedChoice {
                what: ORDER.to_owned(),
                innings: Some(step.innings),
                over: Some(step.over),
                ball: step.ball,
            },
            step,
        )
    }

    /// The order of a side's cubes, the last of its hand first.
    fn reversed_hand(&self, side: Side) -> Choices {
        let hand = self.the_match().remote().hand(side, self.server_secrets()).unwrap();
        let cubes: Vec<Value> =
            hand["hand"].as_array().unwrap().iter().rev().map(|dealt| dealt["cube"].clone()).collect();
        Choices::from_iter([(ORDER.to_owned(), cubes.into())])
    }

    /// Chooses a side's cubes in reverse order, the third one rolled, and lets the service seal the choice.
    pub fn chosen(self, side: Side) -> LogMaker {
        let (claimed, step) = self.claimed();
        let mut choice = self.reversed_hand(side);
        choice.insert("roll".to_owned(), json!(3));
        let salt = salt(side, step);
        self.command(side, Command::Choose { side, claimed, salt, choice })
    }

    /// Chooses a side's cubes in reverse order, sealed by the side itself, and returns the command that opens
    /// the seal.
    pub fn sealed(self, side: Side) -> (LogMaker, Command) {
        let (claimed, step) = self.claimed();
        let choice = self.reversed_hand(side);
        let salt = salt(side, step);
        let sealed = seal(match_id(), side, step, &salt, &choice).unwrap();
        let opening = Command::Open { side, claimed: claimed.clone(), salt, choice };
        (self.command(side, Command::Seal { side, claimed, sealed }), opening)
    }

    /// Bowls until there is something to choose, or the match is over; the sides bowl in turn.
    pub fn over_bowled(mut self) -> LogMaker {
        while self.the_match().play().phase() == Phase::Play
            && self.the_match().remote().secret_choice().is_none()
        {
            let side = if self.sealed.head.seq.is_multiple_of(2) { Side::Home } else { Side::Away };
            self = self.by(side);
            self.roll(Input::Play(Play::Ball(Choices::new())));
        }
        self
    }

    /// Whether the match is in play.
    pub fn is_in_play(&self) -> bool {
        self.the_match().play().phase() == Phase::Play
    }
}

/// A salt that differs from choice to choice, and is the same in every run.
fn salt(side: Side, step: PendingChoice) -> String {
    let letter = if side == Side::Home { 'c' } else { 'd' };
    format!("{letter}{:063x}", Draw::over(step.innings, step.over).ordinal)
}

/// A remote match with everything that only remote play has: a replaced token, timeouts of the toss decision
/// and of away's first order, and seals by the sides and by the service.
pub fn remote_match() -> Log {
    let mut maker = Setting::remote(2).seeded().joined().rotated(Side::Away).home_calls();
    let winner = maker.winner();
    maker = maker.calls_until_timeout(winner.other());
    maker = maker.chosen(Side::Home).calls_until_timeout(Side::Home).over_bowled();
    while maker.is_in_play() {
        let (sealed, opening) = maker.sealed(Side::Home);
        maker = sealed.chosen(Side::Away).command(Side::Home, opening).over_bowled();
    }
    maker.log()
}

//! Matches of remote play.

use serde_json::{Value, json};
use third_umpire::dice::Draw;
use third_umpire::log::{Actor, ClientSeeds, CoinFace, EventData, Role, TokenRotated};
use third_umpire::matches::{
    ClaimedChoice, Input, MatchSettings, PendingChoice, Phase, RemoteCommand, RemoteDecided, seal, seed_hash,
};
use third_umpire::rules::{Choices, Play};
use third_umpire::scorebook::Side;

use super::{Log, LogMaker, Setting, match_id};

const ORDER: &str = "order";

/// What a side adds to the seed.
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
            terms: MatchSettings { client_seeds: ClientSeeds::Both, remote: true, choice_timeout: 1 },
            ..Setting::default()
        }
    }
}

impl LogMaker {
    fn by(mut self, side: Side) -> LogMaker {
        self.actor = Actor::from(side);
        self
    }

    /// A side does its part.
    pub fn part(mut self, side: Side, part: &RemoteCommand) -> LogMaker {
        self = self.by(side);
        let RemoteDecided { events, opening } =
            self.the_match().decide_remote(side, part, self.hidden()).unwrap();
        events.into_iter().for_each(|event| self.follow(event));
        self.openings.extend(opening);
        self
    }

    /// A side replaces its token.
    pub fn rotated(mut self, side: Side) -> LogMaker {
        self = self.by(side);
        self.follow(EventData::TokenRotated(TokenRotated { role: Role::from(side) }));
        self
    }

    /// Both sides are claimed, and both add to the seed.
    pub fn met(mut self) -> LogMaker {
        let both = [Side::Home, Side::Away];
        let commitment = self.the_match().created().commitment.clone().unwrap();
        for side in both {
            self = self.part(side, &RemoteCommand::Claim);
        }
        for side in both {
            let hash = seed_hash(match_id(), side, &commitment, &client_seed(side)).unwrap();
            self = self.part(side, &RemoteCommand::CommitSeed { hash });
        }
        for side in both {
            self = self.part(side, &RemoteCommand::ShowSeed { client_seed: client_seed(side) });
        }
        self
    }

    /// Home calls heads, and wins or does not; what the winner will do is still open.
    pub fn home_calls(self) -> LogMaker {
        let mut maker = self.by(Side::Home);
        maker.roll(Input::Toss { caller: Side::Home, call: CoinFace::Heads });
        maker
    }

    /// Who won the toss, and has not said yet what it will do.
    pub fn winner(&self) -> Side {
        match self.the_match().phase() {
            Phase::TossDecision(winner) => winner,
            other => panic!("{other:?} is no time to decide"),
        }
    }

    /// The other side is called, does not answer, and is called again.
    pub fn calls_in_vain(self, side: Side) -> LogMaker {
        self.part(side, &RemoteCommand::Call).part(side, &RemoteCommand::Call)
    }

    fn due(&self) -> (ClaimedChoice, PendingChoice) {
        let step = self.the_match().secret_choice().expect("something is chosen in secret");
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

    /// The cubes in a side's hand, the last first.
    fn turned(&self, side: Side) -> Choices {
        let hand = self.the_match().hand(side, self.hidden()).unwrap();
        let cubes: Vec<Value> =
            hand["hand"].as_array().unwrap().iter().rev().map(|held| held["cube"].clone()).collect();
        Choices::from_iter([(ORDER.to_owned(), cubes.into())])
    }

    /// A side turns its cubes round and rolls the third; the service seals that.
    pub fn chosen(self, side: Side) -> LogMaker {
        let (due, step) = self.due();
        let mut choice = self.turned(side);
        choice.insert("roll".to_owned(), json!(3));
        let salt = salt(side, step);
        self.part(side, &RemoteCommand::Choose { claimed: due, salt, choice })
    }

    /// A side turns its cubes round and seals that itself. Gives what opens it.
    pub fn sealed(self, side: Side) -> (LogMaker, RemoteCommand) {
        let (due, step) = self.due();
        let choice = self.turned(side);
        let salt = salt(side, step);
        let sealed = seal(match_id(), side, step, &salt, &choice).unwrap();
        let opening = RemoteCommand::Open { claimed: due.clone(), salt, choice };
        (self.part(side, &RemoteCommand::Seal { claimed: due, sealed }), opening)
    }

    /// Balls until something is to be chosen, or the match is over; the sides bowl in turn.
    pub fn over_bowled(mut self) -> LogMaker {
        while self.the_match().phase() == Phase::Play && self.the_match().secret_choice().is_none() {
            let side = if self.sealed.head.seq.is_multiple_of(2) { Side::Home } else { Side::Away };
            self = self.by(side);
            self.roll(Input::Play(Play::Ball(Choices::new())));
        }
        self
    }

    /// Whether the match is in play.
    pub fn is_in_play(&self) -> bool {
        self.the_match().phase() == Phase::Play
    }
}

/// A salt that is another one for every choice, and no other in another run.
fn salt(side: Side, step: PendingChoice) -> String {
    let letter = if side == Side::Home { 'c' } else { 'd' };
    format!("{letter}{:063x}", Draw::over(step.innings, step.over).ordinal)
}

/// A match in which everything comes up that only sides apart do: a token is replaced, the winner of the toss
/// does not decide and away does not choose its first order, both seal by themselves and let the service do
/// it.
pub fn remote_match() -> Log {
    let mut maker = Setting::remote(2).seeded().met().rotated(Side::Away).home_calls();
    let winner = maker.winner();
    maker = maker.calls_in_vain(winner.other());
    maker = maker.chosen(Side::Home).calls_in_vain(Side::Home).over_bowled();
    while maker.is_in_play() {
        let (sealed, opening) = maker.sealed(Side::Home);
        maker = sealed.chosen(Side::Away).part(Side::Home, &opening).over_bowled();
    }
    maker.log()
}

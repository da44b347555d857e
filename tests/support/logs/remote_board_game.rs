//! Remote play of Cricket: The Game.

use serde_json::{Value, json};
use third_umpire::log::{Actor, ClientSeeds, EventData, TossChoice};
use third_umpire::matches::{ClaimedChoice, Input, MatchSettings, Phase, RemoteCommand, seal};
use third_umpire::rules::{Choices, Next, Play};
use third_umpire::scorebook::Side;

use super::{Log, LogMaker, Setting, match_id, object};

impl Setting {
    /// Remote play of a T10 with reviews, and a timeout of a second.
    fn remote_board_game() -> Setting {
        let terms = MatchSettings { client_seeds: ClientSeeds::Both, remote: true, choice_timeout: 1 };
        Setting { terms, ..Setting::board_game(json!({"format": "t10", "drs": "on"})) }
    }
}

impl LogMaker {
    fn batting(&self) -> Side {
        let decided = self.sealed.events.iter().find_map(|event| match &event.data {
            EventData::TossDecided(decided) => Some(decided.bats_first()),
            _ => None,
        });
        let first = decided.unwrap();
        if self.the_match().position().0 == 1 { first } else { first.other() }
    }

    fn salted(&self, side: Side) -> String {
        let letter = if side == Side::Home { 'c' } else { 'd' };
        format!("{letter}{:063x}", self.sealed.head.seq)
    }

    fn chooses(self, side: Side, what: &str, choice: Value) -> LogMaker {
        let due = ClaimedChoice { what: what.to_owned(), innings: None, over: None, ball: None };
        let salt = self.salted(side);
        self.part(side, &RemoteCommand::Choose { claimed: due, salt, choice: object(choice) })
    }

    fn puts(mut self, side: Side, input: Input) -> LogMaker {
        self.actor = Actor::from(side);
        self.roll(input);
        self
    }

    /// The bowling side lets the service seal its bowl, the batting side seals its stroke itself.
    fn delivers(self, legal: &Value) -> LogMaker {
        let batting = self.batting();
        let step = self.the_match().secret_choice().unwrap();
        let bowls = legal["bowl"].as_array().unwrap();
        let bowl = bowls[self.sealed.events.len() % bowls.len()].clone();
        let choice = object(json!({"stroke": "off_cover", "attitude": "aggressive"}));
        let salt = self.salted(batting);
        let sealed = seal(match_id(), batting, step, &salt, &choice).unwrap();
        let due = ClaimedChoice { what: "delivery".to_owned(), innings: None, over: None, ball: step.ball };
        let closed = self.part(batting, &RemoteCommand::Seal { claimed: due.clone(), sealed });
        let maker = closed.chooses(batting.other(), "delivery", json!({"bowl": bowl}));
        maker.part(batting, &RemoteCommand::Open { claimed: due, salt, choice })
    }

    /// The batting side stays silent about its stroke.
    fn delivers_in_vain(self) -> LogMaker {
        let bowling = self.batting().other();
        self.chooses(bowling, "delivery", json!({})).calls_in_vain(bowling)
    }

    /// Whatever is due is done by whose it is.
    fn goes_on(self) -> LogMaker {
        let Next::Choose { side, what, legal, .. } = self.the_match().next() else { panic!("it is over") };
        let whose = side.unwrap_or(Side::Home);
        match what {
            "toss" => self.home_calls(),
            "toss_decision" => self.puts(whose, Input::TossDecision { to: TossChoice::Bat }),
            "over" => self.puts(whose, Input::Play(Play::Over(Choices::new()))),
            "ball" => self.puts(whose, Input::Play(Play::Ball(Choices::new()))),
            "review" => self.puts(whose, Input::Accept { by: whose }),
            "delivery" => self.delivers(&legal),
            "drop" | "openers" | "bowler" | "power_play" | "next_batter" | "field" => {
                self.chooses(whose, what, json!({}))
            }
            "bowler_skills" | "batter_skills" => {
                let named = json!({"skills": [legal["skills"][0]]});
                self.chooses(whose, what, named)
            }
            _ => {
                let answer = legal.as_array().unwrap().last().unwrap().clone();
                let answer = Choices::from_iter([(what.to_owned(), answer)]);
                self.puts(whose, Input::Play(Play::Ball(answer)))
            }
        }
    }

    fn waits_for(&self, wanted: &str) -> bool {
        matches!(self.the_match().next(), Next::Choose { what, .. } if what == wanted)
    }

    fn is_over(&self) -> bool {
        matches!(self.the_match().phase(), Phase::Completed(_))
    }
}

/// A match over a board from afar: the first stroke is drawn for a side that stays silent, somebody decides
/// whether to run, and after four overs it is given up.
pub fn remote_board_game() -> Log {
    let mut maker = Setting::remote_board_game().seeded().met();
    while !maker.waits_for("delivery") {
        maker = maker.goes_on();
    }
    maker = maker.delivers_in_vain();
    while maker.the_match().position().1 < 5 && !maker.is_over() {
        maker = maker.goes_on();
    }
    maker.actor = Actor::Scorer;
    maker.abandoned("it is late")
}

/// A match over a board from afar in which a side has been called in vain for `what`, and the other puts in
/// what is `chosen` of its legal values.
pub fn chosen_for_a_silent_side(what: &str, chosen: impl Fn(&Value) -> Value) -> Log {
    let mut maker = Setting::remote_board_game().seeded().met();
    while !maker.waits_for(what) {
        maker = maker.goes_on();
    }
    let Next::Choose { side: Some(silent), legal, .. } = maker.the_match().next() else {
        panic!("a side is due")
    };
    let choices = object(chosen(&legal));
    let play = if what == "run" { Play::Ball(choices) } else { Play::Choose(choices) };
    let called = maker.part(silent.other(), &RemoteCommand::Call);
    let mut maker = called.puts(silent.other(), Input::Play(play)).goes_on();
    maker.actor = Actor::Scorer;
    maker.abandoned("it is late")
}

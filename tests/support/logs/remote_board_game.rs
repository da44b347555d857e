//! Makes remote matches of Cricket: The Game.

use serde_json::{Value, json};
use third_umpire::commands::Command;
use third_umpire::log::{Actor, ClientSeeds, EventData, TossChoice};
use third_umpire::matches::{ClaimedChoice, Input, MatchSettings, Phase, seal};
use third_umpire::rules::{Choices, Next, Play};
use third_umpire::scorebook::Side;

use super::{Log, LogMaker, Setting, match_id, object};

impl Setting {
    /// The settings of a remote T10 with reviews, and a timeout of a second.
    fn remote_board_game() -> Setting {
        let settings = MatchSettings { client_seeds: ClientSeeds::Both, remote: true, choice_timeout: 1 };
        Setting { settings, ..Setting::board_game(json!({"format": "t10", "drs": "on"})) }
    }
}

impl LogMaker {
    fn batting(&self) -> Side {
        let decided = self.sealed.events.iter().find_map(|event| match &event.data {
            EventData::TossDecided(decided) => Some(decided.bats_first()),
            _ => None,
        });
        let first = decided.unwrap();
        if self.the_match().play().next_over().0 == 1 { first } else { first.other() }
    }

    fn salted(&self, side: Side) -> String {
        let letter = if side == Side::Home { 'c' } else { 'd' };
        format!("{letter}{:063x}", self.sealed.head.seq)
    }

    fn chooses(self, side: Side, decision: &str, choice: Value) -> LogMaker {
        let claimed = ClaimedChoice { what: decision.to_owned(), innings: None, over: None, ball: None };
        let salt = self.salted(side);
        self.command(side, Command::Choose { side, claimed, salt, choice: object(choice) })
    }

    fn puts(mut self, side: Side, input: Input) -> LogMaker {
        self.actor = Actor::from(side);
        self.roll(input);
        self
    }

    /// Plays a delivery: the service seals the bowl for the bowling side, the batting side seals its stroke
    /// itself.
    fn delivers(self, legal: &Value) -> LogMaker {
        let batting = self.batting();
        let step = self.the_match().remote().secret_choice().unwrap();
        let bowls = legal["bowl"].as_array().unwrap();
        let bowl = bowls[self.sealed.events.len() % bowls.len()].clone();
        let choice = object(json!({"stroke": "off_cover", "attitude": "aggressive"}));
        let salt = self.salted(batting);
        let sealed = seal(match_id(), batting, step, &salt, &choice).unwrap();
        let claimed =
            ClaimedChoice { what: "delivery".to_owned(), innings: None, over: None, ball: step.ball };
        let maker = self.command(batting, Command::Seal { side: batting, claimed: claimed.clone(), sealed });
        let maker = maker.chooses(batting.other(), "delivery", json!({"bowl": bowl}));
        maker.command(batting, Command::Open { side: batting, claimed, salt, choice })
    }

    /// Plays a delivery whose stroke is chosen by timeout.
    fn delivers_after_timeout(self) -> LogMaker {
        let bowling = self.batting().other();
        self.chooses(bowling, "delivery", json!({})).calls_until_timeout(bowling)
    }

    /// Carries out the next step, for the side whose turn it is.
    fn play_step(self) -> LogMaker {
        let Next::Choose { side, what, legal, .. } = self.the_match().next() else {
            panic!("the match is over")
        };
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
        matches!(self.the_match().play().phase(), Phase::Completed(_))
    }
}

/// A remote match of the board game whose first two balls are voided with the consent of both sides, and
/// bowled again with the first two fielders in each other's place.
pub fn remote_board_game_bowled_again() -> LogMaker {
    let bowled = |mut maker: LogMaker| {
        while maker.the_match().play().deliveries() < 2 {
            maker = maker.play_step();
        }
        maker
    };
    let mut maker = bowled(Setting::remote_board_game().seeded().joined());
    maker = maker.as_actor(Actor::Home).voided_from(1, "once more").consents(Side::Away);
    while !maker.waits_for("over") {
        maker = maker.play_step();
    }
    let Next::Choose { side, default, .. } = maker.the_match().next() else { panic!("an over is due") };
    let mut field = default["field"].as_array().unwrap().clone();
    field.swap(0, 1);
    let choices = object(json!({"field": field}));
    bowled(maker.puts(side.unwrap(), Input::Play(Play::Over(choices))))
}

/// A remote match of the board game: the first stroke is drawn after a timeout, the batting side decides
/// whether to run, and the match is given up after four overs.
pub fn remote_board_game() -> Log {
    let mut maker = Setting::remote_board_game().seeded().joined();
    while !maker.waits_for("delivery") {
        maker = maker.play_step();
    }
    maker = maker.delivers_after_timeout();
    while maker.the_match().play().next_over().1 < 5 && !maker.is_over() {
        maker = maker.play_step();
    }
    maker.actor = Actor::Scorer;
    maker.abandoned("it is late")
}

/// A remote match of the board game in which the pending choice `decision` of a side times out, and the other
/// side enters what `chosen` picks from its legal values.
pub fn chosen_after_timeout(decision: &str, chosen: impl Fn(&Value) -> Value) -> Log {
    let mut maker = Setting::remote_board_game().seeded().joined();
    while !maker.waits_for(decision) {
        maker = maker.play_step();
    }
    let Next::Choose { side: Some(called), legal, .. } = maker.the_match().next() else {
        panic!("a side is to choose")
    };
    let choices = object(chosen(&legal));
    let play = if decision == "run" { Play::Ball(choices) } else { Play::Choose(choices) };
    let maker = maker.command(called.other(), Command::Call { side: called.other() });
    let mut maker = maker.puts(called.other(), Input::Play(play)).play_step();
    maker.actor = Actor::Scorer;
    maker.abandoned("it is late")
}

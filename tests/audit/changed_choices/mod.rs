//! Choices that differ after a correction: those that a side changed with hindsight are told, and those that
//! follow from the correction are not. The audit and the card tell the same.

mod begun_anew;
mod board_game;
mod cubes_and_coins;
mod habits;
mod howzat;
mod misread_die;

use serde_json::{Value, json};
use third_umpire::audit::{Verdict, audit_with};
use third_umpire::log::DiceMode;
use third_umpire::matches::{History, Input, Phase};
use third_umpire::projection::{ChangedChoice, LoadedMatch};
use third_umpire::rules::{Next, Play};
use third_umpire::views::{Scorecard, newspaper_card};
use third_umpire_test_support::coin_cricket::every_game;
use third_umpire_test_support::logs::{LogMaker, Setting, object, stands};

/// A text without the blanks and ends of line at which it may be wrapped.
fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The choices that are told as changed, and the values that are told as read anew.
fn told(maker: &LogMaker) -> [Vec<String>; 2] {
    let log = maker.sealed.lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let report = audit_with(log.as_bytes(), None, every_game()).unwrap();
    assert_eq!(report.verdict, Verdict::Clean, "{report}");
    let mut history: History<LoadedMatch> = History::new(every_game());
    for event in maker.sealed.events.clone() {
        history.follow(event).unwrap();
    }
    let card = Scorecard::of(history.state().unwrap());
    assert_eq!((&card.changed_choices, &card.read_anew), (&report.changed_choices, &report.read_anew));
    let (printed, card) = (report.to_string(), unwrapped(&newspaper_card(history.state().unwrap())));
    let texts = |all: &[ChangedChoice], [in_audit, on_card]: [&str; 2]| -> Vec<String> {
        for one in all {
            let line = format!("(correction {}): {}", one.correction, one.text());
            assert!(printed.contains(&format!("\n{in_audit} {line}\n")), "{printed}");
            assert!(card.contains(&unwrapped(&format!("{on_card} {line}"))), "{line} is missing in {card}");
        }
        all.iter().map(ChangedChoice::text).collect()
    };
    let changed = texts(
        &report.changed_choices,
        ["choice changed after its outcome was seen", "Choice changed after its outcome was seen"],
    );
    [changed, texts(&report.read_anew, ["read anew", "Read anew"])]
}

fn tells_nothing(maker: &LogMaker) {
    assert_eq!(told(maker), [Vec::<String>::new(), Vec::new()]);
}

/// The changed choices with one of these names.
fn changed(maker: &LogMaker, names: &[&str]) -> Vec<String> {
    let [changed, _] = told(maker);
    let is_of = |text: &String| names.iter().any(|name| text.contains(&format!(", {name}: ")));
    changed.into_iter().filter(is_of).collect()
}

/// Runs a test with dice from a seed and with dice rolled at the table.
fn with_both_dice(setting: impl Fn() -> Setting, test: impl Fn(LogMaker)) {
    test(setting().seeded());
    test(setting().table());
}

fn is_table(maker: &LogMaker) -> bool {
    maker.the_match().play().info().created.dice == DiceMode::Table
}

fn ball(maker: LogMaker, choices: Value) -> LogMaker {
    maker.rolling(Input::Play(Play::Ball(object(choices))))
}

fn over(maker: LogMaker, choices: Value) -> LogMaker {
    maker.rolling(Input::Play(Play::Over(object(choices))))
}

/// Agrees that the batter is bowled on this delivery.
fn out(maker: LogMaker, delivery: u32) -> LogMaker {
    let bowled = json!({"runs": {"batter": 0}, "extras": {}, "legal": true, "wicket": {"kind": "bowled"}});
    maker.amended(stands(delivery, bowled, "all saw it"), None, "the bails fell")
}

/// Agrees that nobody is out on this delivery.
fn not_out(maker: LogMaker, delivery: u32) -> LogMaker {
    let runs = json!({"runs": {"batter": 2}, "extras": {}, "legal": true, "wicket": null});
    maker.amended(stands(delivery, runs, "all saw it"), None, "the bails stayed on")
}

fn again_from(maker: LogMaker, delivery: u32) -> LogMaker {
    maker.voided_from(delivery, "once more")
}

/// Plays deliveries with the same choices for each over and for each batter who comes in, and at the table
/// with the first card that is left.
fn steadily(mut maker: LogMaker, deliveries: u32, habit: impl Fn(&LogMaker) -> Value) -> LogMaker {
    let last = maker.the_match().play().deliveries() + deliveries;
    while maker.the_match().play().deliveries() < last && maker.the_match().play().phase() == Phase::Play {
        let mut choices = habit(&maker);
        maker = match maker.the_match().next() {
            Next::Choose { what: "over", .. } => over(maker, choices),
            Next::Choose { what: "ball", legal, .. } => {
                if let Some(cards) = legal.get("over_card") {
                    choices["over_card"] = cards[0].clone();
                }
                maker.bowled_choosing(choices)
            }
            _ => ball(maker, choices),
        };
    }
    maker
}

/// Fails if a choice is told as changed where only dice and cards differed, and answers to them.
fn accuses_nobody(mut maker: LogMaker, habit: impl Fn(&LogMaker) -> Value) {
    if maker.the_match().play().info().created.game == "cricket-the-game" {
        maker = maker.set_up_by_default();
    }
    maker = steadily(maker.home_bats(), 40, &habit);
    for from in [1, 14, 2, 7, 1] {
        maker = steadily(again_from(maker, from), 40, &habit);
        let answers = ["run", "chance", "longer", "reroll_"].map(|name| format!(", {name}"));
        // A choice that only this time could be made, and is not the default, is rightly told.
        let is_new = |line: &str| line.contains(": none -> ");
        let is_due = |line: &&String| is_new(line) || answers.iter().any(|name| line.contains(name));
        let accused: Vec<String> = told(&maker)[0].iter().filter(|line| !is_due(line)).cloned().collect();
        assert_eq!(accused, [""; 0]);
    }
}

#[test]
fn a_scorer_who_leaves_every_choice_out_is_never_accused() {
    for setting in [Setting::overs(4), Setting::board_game(json!({"format": "t10"}))] {
        accuses_nobody(setting.table(), |_| json!({}));
    }
}

#[test]
fn a_scorer_who_chooses_the_same_each_time_is_never_accused() {
    accuses_nobody(Setting::overs(5).table(), |maker| match maker.the_match().next() {
        Next::Choose { what: "over", legal, .. } => {
            let (_, over) = maker.the_match().play().next_over();
            let name = |place: u16| legal["keeper"][usize::from(place)].clone();
            json!({"bowler": name(over), "keeper": name(over + 5)})
        }
        _ => json!({}),
    });
    accuses_nobody(Setting::board_game(json!({"format": "t10"})).table(), |maker| {
        match maker.the_match().next() {
            Next::Choose { what: "over", legal, .. } if legal.get("power_play").is_some() => {
                json!({"power_play": maker.the_match().play().next_over().1 == 4})
            }
            Next::Choose { what: "ball", legal, .. } if legal.get("next_attitude").is_some() => {
                json!({"next_attitude": "aggressive"})
            }
            _ => json!({}),
        }
    });
}

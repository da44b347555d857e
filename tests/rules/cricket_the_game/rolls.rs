//! Seeded balls that wait for a decision: what has been chosen and rolled is locked, `rolls.txt`.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use third_umpire::audit::{Verdict, audit_with};
use third_umpire::dice::{Dice, Draw, SeededDice};
use third_umpire::log::{Ball, EventData, Roll};
use third_umpire::matches::Input;
use third_umpire::rules::{Choices, Next, Play, Refusal};
use third_umpire_test_support::logs::{PlayedMatch, SealedLog, ball, over};

use super::refusals::in_words;
use super::{as_edition, plain, put, seeded};
use crate::tables::{check_rows, rows};

pub const TABLE: &str = include_str!("rolls.txt");

/// An edition in which either side may reroll every ball but one that bowls the batter clean.
fn with_rerolls() -> Value {
    let mut edition = plain();
    for pitch in edition["pitch"].as_array_mut().expect("cards") {
        pitch["effects"] = json!([{"then": {"reroll": "bowler"}}, {"then": {"reroll": "batter"}}]);
    }
    edition
}

fn rules(edition: &Value, byte: &str) -> PlayedMatch {
    seeded(&as_edition(edition.clone()), json!({"format": "t10"}), byte)
}

/// The pending choice of a match, and its legal values.
fn pending(a_match: &PlayedMatch) -> (&'static str, Value) {
    match a_match.the_match.next() {
        Next::Choose { what, legal, .. } => (what, legal),
        other => panic!("somebody has to choose: {other:?}"),
    }
}

/// Bowls a ball, with answers until it is complete, and returns all events.
fn bowl(a_match: &mut PlayedMatch, pick: usize) -> Vec<EventData> {
    let mut events = put(a_match, ball(json!({"attitude": "aggressive"})));
    while let Some(EventData::Roll(_)) = events.last() {
        let (decision, legal) = pending(a_match);
        let answers = legal.as_array().expect("answers");
        events.extend(put(a_match, ball(json!({decision: answers[pick % answers.len()]}))));
    }
    events
}

/// Whether a ball was express play.
fn is_express(events: &[EventData]) -> bool {
    events
        .iter()
        .any(|event| matches!(event, EventData::Ball(ball) if ball.outcome.detail.contains_key("express")))
}

/// A match that waits for this decision.
fn waiting_for(edition: &Value, wanted: &str) -> PlayedMatch {
    for byte in ["01", "5e", "9a", "c4", "77"] {
        let mut a_match = rules(edition, byte);
        for _ in 0..60 {
            let choices = if pending(&a_match).1.get("stroke").is_some() {
                json!({"attitude": "aggressive"})
            } else {
                json!({})
            };
            let mut events = put(&mut a_match, ball(choices));
            while let Some(EventData::Roll(_)) = events.last() {
                let (decision, legal) = pending(&a_match);
                if decision == wanted {
                    return a_match;
                }
                events = put(&mut a_match, ball(json!({decision: legal[0]})));
            }
        }
    }
    panic!("no ball waits for {wanted}");
}

fn situation(name: &str) -> PlayedMatch {
    match name {
        "seeded" => {
            let mut a_match = rules(&plain(), "01");
            put(&mut a_match, over(json!({})));
            a_match
        }
        "run" => waiting_for(&plain(), "run"),
        "reroll_bowler" => waiting_for(&with_rerolls(), "reroll_bowler"),
        other => panic!("no situation {other:?}"),
    }
}

fn enter(a_match: &mut PlayedMatch, given: &str) -> Result<Vec<EventData>, Refusal> {
    let (word, choices) = given.split_once(' ').expect("an input and what is chosen");
    let mut choices: Value = serde_json::from_str(choices).expect("JSON");
    // The word `"locked"` in a row stands for what was chosen before the dice.
    if let Some(EventData::Roll(roll)) = a_match.log.last() {
        for (name, value) in choices.as_object_mut().expect("choices") {
            if value == "locked" {
                *value = roll.choices[name].clone();
            }
        }
    }
    let input = if word == "over" { over(choices) } else { ball(choices) };
    let mut dice = a_match.seeded_dice().expect("a seeded match");
    a_match.put(input, &mut dice)
}

#[test]
fn locked_choices_stay_and_only_the_answer_goes_on() {
    check_rows(rows(TABLE), |row| {
        let mut a_match = situation(row.heading);
        let before = a_match.clone();
        match enter(&mut a_match, row.given) {
            Ok(events) => events.iter().map(EventData::kind).collect::<Vec<_>>().join(" "),
            Err(refusal) => {
                assert_eq!((&a_match.log, a_match.the_match.next()), (&before.log, before.the_match.next()));
                in_words(&refusal)
            }
        }
    });
}

/// Every ball of a log with the rolls before it.
fn balls_with_rolls(log: &[EventData]) -> Vec<(Vec<Roll>, Ball)> {
    let mut rolls = Vec::new();
    let mut balls = Vec::new();
    for event in log {
        match event {
            EventData::Roll(roll) => rolls.push(roll.clone()),
            EventData::Ball(ball) => balls.push((std::mem::take(&mut rolls), ball.clone())),
            _ => {}
        }
    }
    balls
}

#[test]
fn every_roll_has_all_that_came_before_it_and_the_ball_has_all_of_it() {
    let mut most = 0;
    let mut names = BTreeSet::new();
    for edition in [plain(), with_rerolls()] {
        let mut a_match = rules(&edition, "5e");
        for turn in 0..40 {
            play_on(&mut a_match, turn);
        }
        for (rolls, ball) in balls_with_rolls(&a_match.log) {
            most = most.max(rolls.len());
            let last = (ball.choices.clone(), ball.dice.clone());
            let steps: Vec<_> =
                rolls.iter().map(|roll| (roll.choices.clone(), roll.dice.clone())).chain([last]).collect();
            assert!(rolls.iter().all(|roll| roll.delivery == ball.delivery));
            for pair in steps.windows(2) {
                let [(choices, dice), (more, dice_then)] = pair else { panic!("two steps") };
                assert!(
                    dice_then.starts_with(dice)
                        && choices.iter().all(|(name, value)| more.get(name) == Some(value))
                );
                let added: Vec<&String> = more.keys().filter(|name| !choices.contains_key(*name)).collect();
                assert_eq!(added.len(), 1, "one answer a time: {added:?}");
                names.insert(added[0].clone());
            }
            // The dice are those of the ball's draw, in their order.
            let mut again = a_match.seeded_dice().expect("seeded");
            again.begin(Draw::ball(ball.delivery));
            for die in &ball.dice {
                assert_eq!(again.roll("die", die.sides), Ok(die.value));
            }
        }
    }
    assert!(most >= 3, "a ball waited {most} times");
    for name in ["reroll_bowler", "reroll_batter", "run"] {
        assert!(names.contains(name), "{name} was asked for");
    }
}

/// Plays the next ball in any state.
fn play_on(a_match: &mut PlayedMatch, turn: usize) -> Vec<EventData> {
    if a_match.the_match.play().result().is_some() {
        return Vec::new();
    }
    if pending(a_match).0 == "over" {
        put(a_match, over(json!({})));
    }
    let full = pending(a_match).1.get("stroke").is_some();
    let events = if full { bowl(a_match, turn) } else { put(a_match, ball(json!({}))) };
    assert_eq!(is_express(&events), !full);
    events
}

/// A second reading of the dice specification: the first cards of the deck, shuffled by the draw of the over.
fn shuffled(dice: &mut SeededDice, innings: u16, over: u16) -> Vec<usize> {
    let mut deck: Vec<usize> = (0..15).collect();
    dice.begin(Draw::over(innings, over));
    for i in (1..15).rev() {
        let with = dice.roll("card", i as u16 + 1).expect("a die") - 1;
        deck.swap(i, usize::from(with));
    }
    deck
}

#[test]
fn the_over_cards_are_the_first_of_the_shuffled_deck_and_no_number_of_it_is_recorded() {
    let edition = plain();
    let mut a_match = rules(&edition, "9a");
    let mut turn = 0;
    while a_match.the_match.play().result().is_none() {
        play_on(&mut a_match, turn);
        turn += 1;
    }
    let mut dice = a_match.seeded_dice().expect("seeded");
    let mut overs = 0;
    let mut turned = 0;
    for event in &a_match.log {
        match event {
            EventData::Over(over) => {
                assert!(over.dice.is_empty() && over.reveals.is_empty());
                (overs, turned) = (overs + 1, 0);
            }
            EventData::Ball(ball) => {
                if let Some(card) = ball.choices.get("over_card") {
                    let deck = shuffled(&mut dice, ball.innings, ball.over);
                    assert_eq!(card, &edition["over_decks"]["pace"][deck[turned]]["id"]);
                    turned += 1;
                }
                assert!(ball.dice.iter().all(|die| die.what != "card"));
            }
            _ => {}
        }
    }
    assert!(overs > 10);
}

fn file(events: &[EventData]) -> String {
    SealedLog::of(events).log().text()
}

/// A whole match with rolls.
fn whole() -> PlayedMatch {
    let mut a_match = rules(&with_rerolls(), "c4");
    let mut turn = 0;
    while a_match.the_match.play().result().is_none() {
        play_on(&mut a_match, turn);
        turn += 1;
    }
    a_match
}

#[test]
fn the_audit_finds_nothing_in_a_log_with_rolls() {
    let whole = whole();
    let report = audit_with(file(&whole.log).as_bytes(), None, whole.editions()).expect("a match log");
    assert_eq!(report.verdict, Verdict::Clean, "{report}");
}

type Tampering = (&'static str, fn(&mut EventData) -> bool);

/// Changes of a roll or a ball, which nobody could have recorded.
const TAMPERINGS: &[Tampering] = &[
    ("a locked choice of a roll", |event| {
        with_choices(event, true, |choices| {
            let other = if choices["stroke"] == "cut" { "pull_big" } else { "cut" };
            choices.insert("stroke".to_owned(), json!(other));
        })
    }),
    ("a locked choice of a ball", |event| {
        with_choices(event, false, |choices| {
            let other = if choices["stroke"] == "cut" { "pull_big" } else { "cut" };
            choices.insert("stroke".to_owned(), json!(other));
        })
    }),
    ("the attitude of a ball", |event| {
        with_choices(event, false, |choices| {
            choices.insert("attitude".to_owned(), json!("defensive"));
        })
    }),
    ("the over card of a roll", |event| {
        with_choices(event, true, |choices| {
            let other = if choices["over_card"] == "blank1" { "blank2" } else { "blank1" };
            choices.insert("over_card".to_owned(), json!(other));
        })
    }),
    ("the over card of a ball", |event| {
        with_choices(event, false, |choices| {
            let other = if choices["over_card"] == "blank1" { "blank2" } else { "blank1" };
            choices.insert("over_card".to_owned(), json!(other));
        })
    }),
    ("a die of a roll", |event| match event {
        EventData::Roll(roll) => {
            roll.dice[0].value = roll.dice[0].value % 6 + 1;
            true
        }
        _ => false,
    }),
    ("a die less in a roll", |event| match event {
        EventData::Roll(roll) => roll.dice.pop().is_some(),
        _ => false,
    }),
    ("the delivery of a roll", |event| match event {
        EventData::Roll(roll) => {
            roll.delivery += 1;
            true
        }
        _ => false,
    }),
    ("a die of a ball", |event| match event {
        EventData::Ball(ball) if ball.choices.contains_key("reroll_bowler") => {
            ball.dice[0].value = ball.dice[0].value % 6 + 1;
            true
        }
        _ => false,
    }),
    ("an answer of a ball", |event| match event {
        EventData::Ball(ball) if ball.choices.contains_key("reroll_bowler") => {
            ball.choices.remove("reroll_bowler");
            true
        }
        _ => false,
    }),
];

/// Changes the choices of a roll, or of a ball that had one.
fn with_choices(event: &mut EventData, of_roll: bool, change: fn(&mut Choices)) -> bool {
    let choices = match event {
        EventData::Roll(roll) if of_roll => &mut roll.choices,
        EventData::Ball(ball) if !of_roll && ball.choices.contains_key("reroll_bowler") => &mut ball.choices,
        _ => return false,
    };
    if !choices.contains_key("over_card") {
        return false;
    }
    change(choices);
    true
}

#[test]
fn a_tampered_roll_or_ball_diverges_where_it_stands() {
    let whole = whole();
    let honest = &whole.log;
    for (name, tamper) in TAMPERINGS {
        // The first one is tried, and one in the middle of the match.
        for from in [0, honest.len() / 2] {
            let mut log = honest.clone();
            let at = (from..log.len()).find(|at| tamper(&mut log[*at])).expect("something to tamper with");
            let report = audit_with(file(&log).as_bytes(), None, whole.editions()).expect("a match log");
            assert_eq!(report.verdict, Verdict::Diverges, "{name}");
            let seq = report.divergence.expect("the log diverges").seq;
            // Another stroke could have been chosen before the dice; then what follows it does not fit what
            // was locked.
            let after = u64::from(*name == "a locked choice of a roll");
            assert_eq!(seq, at as u64 + 1 + after, "{name}");
        }
    }
}

#[test]
fn rolls_that_go_on_wrongly_are_not_followed() {
    let honest = whole();
    let at = honest.log.iter().position(|event| matches!(event, EventData::Roll(_))).expect("a roll");
    let until = |at: usize| {
        let mut the_match = honest.opened_anew();
        honest.log[1..at].iter().for_each(|event| the_match.verify(event).map(drop).expect("honest"));
        the_match
    };
    let roll = honest.log[at].clone();
    // The roll comes twice.
    assert!(until(at + 1).verify(&roll).is_err());
    assert!(until(at + 1).replay(&roll).is_err());
    // The ball lacks what was locked.
    let EventData::Ball(mut ball) =
        honest.log[at..].iter().find(|event| event.kind() == "ball").expect("the ball is bowled").clone()
    else {
        panic!("a ball")
    };
    ball.choices.insert("bowl".to_owned(), json!("wide"));
    assert!(until(at + 1).verify(&EventData::Ball(ball)).is_err());
}

#[test]
fn autoplay_answers_what_waits_by_default_and_records_no_rolls_of_its_own() {
    let mut a_match = waiting_for(&plain(), "run");
    let Some(EventData::Roll(roll)) = a_match.log.last().cloned() else {
        panic!("the ball waits for a decision")
    };
    let safe = pending(&a_match).1[0].clone();
    let input = a_match.the_match.default_input();
    assert!(matches!(input, Input::Play(Play::Auto(_))));
    let events = put(&mut a_match, input);
    let [EventData::Ball(ball), ..] = events.as_slice() else { panic!("a ball: {events:?}") };
    assert!(ball.dice.starts_with(&roll.dice));
    assert_eq!(ball.choices["run"], safe);
    assert!(roll.choices.iter().all(|(name, value)| ball.choices[name] == *value));
}

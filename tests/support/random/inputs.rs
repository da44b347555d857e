//! Legal inputs of a match in any state, chosen by bytes.

use serde_json::{Map, Value, json};
use third_umpire::log::{CoinFace, DiceMode, EventData, TossChoice};
use third_umpire::matches::{Input, ServerSecrets};
use third_umpire::rules::{Choices, Next, Place, Play, Refusal, RefusalKind};
use third_umpire::scorebook::Side;

use super::Chooser;
use crate::logs::{PlayedMatch, object};
use crate::net_practice::NetPractice;

/// A legal input, or nothing if the match is over.
pub fn legal_input(a_match: &PlayedMatch, chooser: &mut Chooser) -> Option<Input> {
    Some(match a_match.the_match.next() {
        Next::Choose { what: "toss", .. }
            if a_match.the_match.play().info().created.dice == DiceMode::Table && chooser.once_in(3) =>
        {
            Input::ReportedToss { winner: *chooser.pick(&[Side::Home, Side::Away]) }
        }
        Next::Choose { what: "toss", .. } => Input::Toss {
            caller: *chooser.pick(&[Side::Home, Side::Away]),
            call: *chooser.pick(&[CoinFace::Heads, CoinFace::Tails]),
        },
        Next::Choose { what: "toss_decision", .. } => {
            Input::TossDecision { to: *chooser.pick(&[TossChoice::Bat, TossChoice::Bowl]) }
        }
        Next::Choose { what: "review", side, .. } => {
            let by = side.expect("a side may review");
            if chooser.once_in(2) { Input::Review { by } } else { Input::Accept { by } }
        }
        Next::Choose { what, legal, default, .. }
            if a_match.the_match.play().info().created.game == "cricket-the-game" =>
        {
            cricket_input(a_match, what, &legal, &default, chooser)
        }
        Next::Choose { what: "over" | "call", legal, .. }
            if a_match.the_match.play().info().created.game == "coin-cricket" =>
        {
            let called = ["home", "away"].map(|side| (side, chooser.pick(names(&legal[side])).clone()));
            let called = called.into_iter().filter(|_| !chooser.once_in(3));
            let called: Choices = called.map(|(side, face)| (side.to_owned(), face)).collect();
            Input::Play(if called.is_empty() { Play::Ball(called) } else { Play::Over(called) })
        }
        Next::Choose { what, legal, .. }
            if a_match.the_match.play().info().created.game == "net-practice" =>
        {
            Input::Play(match what {
                "over" => Play::Over(object(json!({"practice_ball": 1 + chooser.below(30)}))),
                _ => Play::Ball(NetPractice::some_choices(&legal, &mut |n| chooser.below(n))),
            })
        }
        Next::Choose { what: "over", legal, .. } if legal.get("orders").is_some() => {
            Input::Play(Play::Over(over_of_numbers(a_match, &legal, chooser)))
        }
        Next::Choose { what: "over", legal, .. } if legal["bowler"].is_array() => match chooser.below(3) {
            0 => Input::Play(Play::Ball(Choices::new())),
            1 => Input::Play(Play::Over(Choices::new())),
            _ => Input::Play(Play::Over(legal_over(&legal, chooser))),
        },
        Next::Choose { what: "order", legal, .. } => match chooser.below(3) {
            0 => Input::Play(Play::Ball(Choices::new())),
            _ => Input::Play(Play::Over(over_of_cubes(a_match, &legal, chooser))),
        },
        Next::Choose { what: "numbers", legal, .. } => {
            let pending = legal.as_object().expect("choices").iter();
            let chosen = pending.map(|(name, legal)| (name.clone(), chooser.pick(names(legal)).clone()));
            Input::Play(Play::Ball(chosen.collect()))
        }
        Next::Choose { what: "ball", .. } => Input::Play(Play::Ball(Choices::new())),
        Next::Choose { what: "next_batter", legal, .. } => {
            let mut choices = Choices::new();
            if chooser.once_in(2) {
                choices.insert("next_batter".to_owned(), chooser.pick(names(&legal)).clone());
            }
            Input::Play(Play::Ball(choices))
        }
        Next::Choose { what, .. } => panic!("say here how {what} is chosen"),
        Next::Roll { .. } => Input::Play(Play::Ball(Choices::new())),
        Next::Finished { .. } => return None,
    })
}

/// An input of Cricket: The Game. A ball at the table comes with an answer to all its questions.
fn cricket_input(
    a_match: &PlayedMatch,
    decision: &str,
    legal: &Value,
    default: &Value,
    chooser: &mut Chooser,
) -> Input {
    let mut choices = Choices::new();
    let mut some = |name: &str, list: &Value, chooser: &mut Chooser| {
        if let Some(value) = list.as_array().filter(|list| !list.is_empty()).map(|list| chooser.pick(list)) {
            choices.insert(name.to_owned(), value.clone());
        }
    };
    match decision {
        "set_up" => {
            some("pitch", &legal["pitch"], chooser);
            if chooser.once_in(2) {
                let drop = json!({"home": chooser.pick(names(&legal["drop"]["home"]))});
                choices.insert("drop".to_owned(), drop);
            }
            Input::Play(Play::SetUp(choices))
        }
        "over" => {
            if chooser.once_in(2) {
                some("bowler", &legal["bowler"], chooser);
            }
            some("power_play", &legal["power_play"], chooser);
            let openers = legal["openers"].as_array().filter(|_| chooser.once_in(2));
            if let Some(eleven) = openers {
                let striker = chooser.below(eleven.len());
                let non_striker = (striker + 1 + chooser.below(eleven.len() - 1)) % eleven.len();
                choices.insert("openers".to_owned(), json!([eleven[striker], eleven[non_striker]]));
            }
            if chooser.once_in(3) && choices.get("power_play") != Some(&json!(true)) {
                let mut field = names(&default["field"]).to_vec();
                (1..field.len()).for_each(|i| field.swap(i, chooser.below(i + 1)));
                choices.insert("field".to_owned(), json!(field));
            }
            Input::Play(Play::Over(choices))
        }
        "ball" => {
            for name in ["next_batter", "next_attitude", "over_card", "bowl", "attitude", "stroke"] {
                if name == "over_card" || chooser.once_in(2) {
                    some(name, &legal[name], chooser);
                }
            }
            let side = *chooser.pick(&["bowler", "batter"]);
            let skills = legal["skills"][side].as_array().filter(|list| !list.is_empty());
            if let Some(skills) = skills.filter(|_| chooser.once_in(4)) {
                choices.insert("skills".to_owned(), json!({side: [chooser.pick(skills)]}));
            }
            Input::Play(Play::Ball(answered(a_match, choices, chooser)))
        }
        decision => {
            some(decision, legal, chooser);
            Input::Play(Play::Ball(choices))
        }
    }
}

/// The choices of a ball, with those that the table asks for only once dice have been rolled.
fn answered(a_match: &PlayedMatch, mut choices: Choices, chooser: &mut Chooser) -> Choices {
    let mut answers = Chooser::new(vec![chooser.below(256) as u8]);
    while a_match.seed().is_none() {
        let input = Input::Play(Play::Ball(choices.clone()));
        match a_match.the_match.decide(input, &mut chooser.clone(), None) {
            Err(Refusal { kind: RefusalKind::NeedsInput, place: Place::Choice(name), legal, .. }) => {
                choices.insert(name, answers.pick(names(&legal)).clone());
            }
            Ok(_) | Err(_) => break,
        }
    }
    choices
}

/// An over at the table, with or without the orders of both sides, in which each may roll a cube where the
/// rules have that.
fn over_of_numbers(a_match: &PlayedMatch, legal: &Value, chooser: &mut Chooser) -> Choices {
    let mut choices = Choices::new();
    choices.insert("bowler".to_owned(), chooser.pick(names(&legal["bowler"])).clone());
    if chooser.once_in(2) {
        let rolling = a_match.the_match.play().info().created.rules["roll_a_cube"] == true;
        let mut six = || {
            let mut numbers: Vec<Value> = (0..6).map(|_| json!(chooser.below(10))).collect();
            if rolling && chooser.once_in(2) {
                numbers[chooser.below(6)] = Value::Null;
            }
            numbers
        };
        choices.insert("orders".to_owned(), json!({"bowling": six(), "batting": six()}));
    }
    choices
}

/// An over with dealt cubes, in the default order of each side or in one of its own.
fn over_of_cubes(a_match: &PlayedMatch, legal: &Value, chooser: &mut Chooser) -> Choices {
    let mut choices = Choices::new();
    choices.insert("bowler".to_owned(), chooser.pick(names(&legal["bowler"])).clone());
    let mut orders = Choices::new();
    let mut rolls = Choices::new();
    for duty in ["bowling", "batting"] {
        if chooser.once_in(2) {
            let mut cubes = hand(a_match, duty);
            (1..cubes.len()).for_each(|i| cubes.swap(i, chooser.below(i + 1)));
            orders.insert(duty.to_owned(), Value::from(cubes));
        }
        if legal.get("roll").is_some() && chooser.once_in(2) {
            rolls.insert(duty.to_owned(), json!(1 + chooser.below(6)));
        }
    }
    choices.insert("orders".to_owned(), Value::Object(orders));
    if !rolls.is_empty() {
        choices.insert("roll".to_owned(), Value::Object(rolls));
    }
    choices
}

/// The cubes that the bowling or the batting side holds.
fn hand(a_match: &PlayedMatch, duty: &str) -> Vec<Value> {
    let secrets = ServerSecrets { seed: a_match.seed(), ..ServerSecrets::default() };
    let mut played = a_match.clone();
    let mut dice = a_match.seeded_dice().expect("a seeded match");
    let begun = played.put(Input::Play(Play::Over(Choices::new())), &mut dice).expect("an over is due");
    let Some(EventData::Over(over)) = begun.first() else { panic!("an over is due") };
    let dealt = over.choices["deal"][duty].as_array().expect("six cubes").clone();
    let hand_of = |side| {
        let hand = a_match.the_match.remote().hand(side, secrets).expect("an order is due")["hand"].clone();
        hand.as_array().expect("a hand").iter().map(|one| one["cube"].clone()).collect::<Vec<_>>()
    };
    assert!([Side::Home, Side::Away].map(hand_of).contains(&dealt), "a side's hand is what it was dealt");
    dealt
}

fn names(list: &Value) -> &[Value] {
    list.as_array().expect("a list of names")
}

/// Some of the choices of an over: a bowler who may bowl and, now and then, another keeper, a field, openers.
fn legal_over(legal: &Value, chooser: &mut Chooser) -> Choices {
    let mut choices = Choices::new();
    let bowler = chooser.pick(names(&legal["bowler"])).clone();
    let others: Vec<&Value> = names(&legal["keeper"]).iter().filter(|name| **name != bowler).collect();
    if chooser.once_in(3) {
        choices.insert("keeper".to_owned(), (*chooser.pick(&others)).clone());
    }
    if chooser.once_in(3) {
        let mut eleven: Vec<Value> = others.into_iter().cloned().collect();
        (1..eleven.len()).for_each(|i| eleven.swap(i, chooser.below(i + 1)));
        eleven.push(bowler.clone());
        let field: Map<String, Value> =
            (2..=12).map(|position: u8| position.to_string()).zip(eleven).collect();
        choices.insert("field".to_owned(), Value::Object(field));
    }
    choices.insert("bowler".to_owned(), bowler);
    if let (Some(sheet), true) = (legal["openers"].as_array(), chooser.once_in(2)) {
        let striker = chooser.below(sheet.len());
        let non_striker = (striker + 1 + chooser.below(sheet.len() - 1)) % sheet.len();
        choices.insert("openers".to_owned(), json!([sheet[striker], sheet[non_striker]]));
    }
    choices
}

/// Decides a legal input with the dice of the match; nothing if the match is over.
pub fn step(a_match: &mut PlayedMatch, chooser: &mut Chooser) -> Option<(Input, Vec<EventData>)> {
    let input = legal_input(a_match, chooser)?;
    let decided = match a_match.seeded_dice() {
        Some(mut dice) => a_match.put(input.clone(), &mut dice),
        None => a_match.put(input.clone(), chooser),
    };
    let events = decided.unwrap_or_else(|refusal| panic!("{input:?} was legal: {refusal}"));
    Some((input, events))
}

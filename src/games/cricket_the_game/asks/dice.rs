//! What is asked once a ball has its dice: the next die, and the questions that dice raise.

use serde_json::Value;

use super::super::ball::Stop;
use super::super::edition::model::{Attitude, Bounce, Duelist, EditionWord, Out};
use super::super::next_ball::BallSoFar;
use super::super::state::CricketTheGame;
use super::behind::BEHIND;
use super::words::words_so_far;
use crate::rules::{Ask, AskKind, AskOption, Draft, Refusal, asked_die};
use crate::scorebook::Side;

/// The ask for what a ball at the table waits for after its over card.
pub fn after_card(state: &CricketTheGame, draft: &Draft<'_>, ball: &BallSoFar) -> Option<Ask> {
    let ask = match &ball.stop {
        Stop::Waits(question) => ask_question(
            state,
            draft,
            (question.name(), question.decided_by(), &question.legal(state.edition())),
        ),
        Stop::Refused(refusal) => {
            let sides = refusal.legal.get("maximum").and_then(Value::as_i64).unwrap_or_default();
            let die = asked_die(draft, refusal, |name| format!("{}, d{sides}", die_title(name)), BEHIND)?;
            match bounce_die(refusal) {
                Some(attitude) => as_printed(die, state.edition().bounce_dice.of(attitude)),
                None => die,
            }
        }
    };
    let text = words_so_far(ball).so_far;
    Some(match (ask.text.is_none(), text) {
        (true, Some(text)) => ask.text(text),
        _ => ask,
    })
}

fn die_title(name: &str) -> &'static str {
    match name {
        "bowler" => "Bowler\u{2019}s die",
        "batter" => "Batter\u{2019}s die",
        "distance" => "Distance die",
        "red_bounce" => "Red bounce die",
        "green_bounce" => "Green bounce die",
        "catch" => "Catch die",
        "run_out" => "Run out die",
        "bowled" => "Bowled die",
        "slip" => "Slip\u{2019}s die",
        "appeal" => "Umpire\u{2019}s die",
        "threat" => "Threat die",
        _ => "Boundary die",
    }
}

/// The attitude whose bounce die a refusal for missing input asks for.
fn bounce_die(refusal: &Refusal) -> Option<Attitude> {
    match refusal.legal.get("for").and_then(Value::as_str)? {
        "red_bounce" => Some(Attitude::Aggressive),
        "green_bounce" => Some(Attitude::Defensive),
        _ => None,
    }
}

/// The ask of a bounce die, with what is printed on each face.
fn as_printed(mut die: Ask, faces: &[Bounce; 6]) -> Ask {
    for (option, face) in die.options.iter_mut().zip(faces) {
        let air = if face.air { ", in the air" } else { "" };
        option.face = Some(format!("{}{air}", face.areas));
    }
    die
}

/// The ask for a question that dice have raised: its name, the side that answers, and the legal answers.
pub fn ask_question(
    state: &CricketTheGame,
    draft: &Draft<'_>,
    asked @ (name, by, legal): (&str, Duelist, &Value),
) -> Ask {
    let (kind, title) = match name {
        "longer" => (AskKind::YesNo, "One longer?"),
        "run" => (AskKind::Number, "How many runs?"),
        "chance" => (AskKind::One, "Which chance?"),
        _ => (AskKind::One, "Roll a die again?"),
    };
    let ask = Ask::new(draft.at(name), kind, title).of(draft.listed(answers(state, asked)));
    let ask = ask.under(draft.behind(BEHIND, name)).by(side_of(state, by));
    match legal.as_array().map(Vec::as_slice) {
        Some([least, .., most]) if kind == AskKind::Number => {
            ask.between(least.as_i64().unwrap_or_default(), most.as_i64().unwrap_or_default())
        }
        _ => ask,
    }
}

/// The legal answers to a question that dice have raised, in words.
pub fn answers(
    state: &CricketTheGame,
    (name, by, legal): (&str, Duelist, &Value),
) -> impl Iterator<Item = AskOption> {
    let legal = legal.as_array().into_iter().flatten().enumerate();
    legal.map(move |(place, value)| match name {
        "longer" => longer_option(value),
        "run" => run_option(place, value),
        "chance" => chance_option(value),
        _ => reroll_option(state, by, value),
    })
}

fn side_of(state: &CricketTheGame, duelist: Duelist) -> Side {
    match duelist {
        Duelist::Bowler => state.side_batting().other(),
        Duelist::Batter => state.side_batting(),
    }
}

fn longer_option(value: &Value) -> AskOption {
    let title = if *value == Value::Bool(true) { "one longer" } else { "as it is" };
    AskOption::new(value.clone(), title)
}

fn run_option(place: usize, runs: &Value) -> AskOption {
    let title = if *runs == 1 { "1 run".to_owned() } else { format!("{runs} runs") };
    AskOption::new(runs.clone(), title).text(if place == 0 { "safe" } else { "or run out" })
}

fn chance_option(value: &Value) -> AskOption {
    let word = value.as_str().unwrap_or_default();
    let title = match Out::of_word(word) {
        Some(Out::Bowled) => "Bowled",
        Some(Out::Lbw) => "Lbw",
        Some(Out::Stumped) => "Stumped",
        Some(Out::Caught) => "Caught behind",
        None => "Slips",
    };
    let option = AskOption::new(word, title);
    if matches!(Out::of_word(word), Some(Out::Bowled) | None) { option } else { option.text("an appeal") }
}

fn reroll_option(state: &CricketTheGame, by: Duelist, value: &Value) -> AskOption {
    let word = value.as_str().unwrap_or_default();
    let skill = || state.edition().skills_of(by).iter().find(|skill| skill.id == word);
    match word {
        "no" => AskOption::new(word, "No").text("the dice stand"),
        "card" => AskOption::new(word, "Roll again").text("by a card that lies open"),
        word => AskOption::new(word, "Roll again").text(skill().map_or(word, |skill| skill.name.as_str())),
    }
}

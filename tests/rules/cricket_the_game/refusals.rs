//! Refused overs and balls of Cricket: The Game at the table: `refusals.txt`.

use serde_json::{Value, json};
use third_umpire::dice::TableDice;
use third_umpire::matches::Input;
use third_umpire::rules::Refusal;
use third_umpire_test_support::logs::{ball, over};
use third_umpire_test_support::words;

use super::story::Story;
use crate::tables::{Row, check_rows, rows};

pub const TABLE: &str = include_str!("refusals.txt");

/// The inputs of a row, with the last one separate: `over {...}` or `ball {...} [dice]`.
fn play<'a>(row: &Row<'a>) -> (Story, Input, Vec<i64>) {
    let (words, steps) = row.given.split_once('|').expect("a bar before the inputs");
    let mut story = Story::begin(row.heading, words);
    let mut steps: Vec<&str> = steps.split(" / ").map(str::trim).collect();
    let last = steps.pop().expect("an input");
    for step in steps {
        match step.strip_prefix("over ") {
            Some(choices) => drop(story.played.over(serde_json::from_str(choices).expect("JSON"))),
            None if step == "dot" => drop(story.dot()),
            None => {
                story.begin_over();
                let (words, dice) = step.rsplit_once(':').expect("a colon before the dice");
                let dice: Vec<i64> = dice.split_whitespace().map(|die| die.parse().expect("a die")).collect();
                story.bowl(words, &dice).unwrap_or_else(|refusal| panic!("{step}: {refusal}"));
            }
        }
    }
    let (word, rest) = last.split_once(' ').expect("an input and what is chosen");
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
    let choices = values.next().expect("choices").unwrap_or_else(|error| panic!("{rest}: {error}"));
    let dice = values.next().map(|dice| serde_json::from_value(dice.expect("JSON")).expect("dice"));
    match word {
        "over" => (story, over(choices), dice.unwrap_or_default()),
        "ball" => {
            story.begin_over();
            (story, ball(choices), dice.unwrap_or_default())
        }
        other => panic!("no input {other:?}"),
    }
}

/// A refusal in words, with its message.
pub fn in_words(refusal: &Refusal) -> String {
    format!("{} : {}", words::refusal(refusal), refusal.message)
}

#[test]
fn everything_in_the_table_is_refused_as_it_says_and_changes_nothing() {
    check_rows(rows(TABLE), |row| {
        let (mut story, input, dice) = play(row);
        let mut untouched = story.clone();
        let before = &untouched.played;
        let refused = story.played.put(input, &mut TableDice::new(&dice));
        let Err(refusal) = refused else { return "accepted".to_owned() };
        assert_eq!(story.played.log, before.log, "{}", row.given);
        assert_eq!(story.played.the_match.next(), before.the_match.next(), "{}", row.given);
        assert_eq!(untouched.dot(), story.dot(), "{}", row.given);
        in_words(&refusal)
    });
}

#[test]
fn a_refused_choice_names_what_is_legal() {
    let (mut story, ..) = play(&rows("[by:B5]\n| ball {} -> x")[0]);
    let legal = |story: &mut Story, choices: Value| {
        let refusal = story.played.put(ball(choices), &mut TableDice::new(&[]));
        refusal.expect_err("the input is refused").legal
    };
    let cards = legal(&mut story, json!({"over_card": "ace"}));
    assert_eq!(cards.as_array().map(Vec::len), Some(15));
    assert_eq!(legal(&mut story, json!({"bowl": "ace"})), json!(["straight", "leg", "wide", "fast"]));
    let strokes = json!(["glance_hook", "pull_big", "on_straight", "off_cover", "cut"]);
    assert_eq!(legal(&mut story, json!({"stroke": "bye"})), strokes);
    assert_eq!(legal(&mut story, json!({"attitude": "calm"})), json!(["aggressive", "defensive"]));
    assert_eq!(legal(&mut story, json!({"skills": {"bowler": ["x"]}})), json!(["rip", "more"]));
    let field = legal(&mut story, json!({"field": []}));
    assert_eq!((&field["tokens"], &field["areas"], &field["outfield"]), (&json!(9), &json!(4), &json!(2)));
}

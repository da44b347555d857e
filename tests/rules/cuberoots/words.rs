//! The words for the two numbers of a ball, `words.txt`.

use serde_json::{Value, json};
use third_umpire::matches::{Preview, PreviewRequest};
use third_umpire::rules::{Ask, AskOption};
use third_umpire_test_support::logs::PlayedMatch;

use super::{at_the_table, bowl};
use crate::tables::{check_rows, rows};

const TABLE: &str = include_str!("words.txt");
/// How far ahead the bowler has to be before any dot ball.
const BASE: usize = 5;

/// The asks after these choices of a ball.
fn asks(played: &PlayedMatch, choices: Value) -> Vec<Ask> {
    let choices = choices.as_object().cloned().expect("choices");
    let request = PreviewRequest::Ball { choices, dice: Vec::new(), accept: false, over: None };
    let preview = Preview::of(&played.the_match, &request).unwrap_or_else(|refusal| panic!("{refusal}"));
    preview.requests.into_iter().flat_map(|request| request.asks).filter(|ask| ask.required).collect()
}

fn in_words(option: &AskOption) -> String {
    let text = option.text.as_deref().map_or(String::new(), |text| format!(" / {text}"));
    let boundary = option.boundary.map_or(String::new(), |boundary| format!(" [boundary {boundary}]"));
    let wicket = option.wicket.as_ref().map_or("", |_| " [wicket]");
    format!("{}{text}{boundary}{wicket}", option.title)
}

#[test]
fn each_number_says_what_it_would_mean() {
    check_rows(rows(TABLE), |row| {
        let numbers: Vec<usize> = row.given.split(' ').map(|one| one.parse().expect("a number")).collect();
        let mut played = at_the_table(json!({"overs": 5}));
        bowl(&mut played, &". ".repeat(BASE - numbers[0]));
        let (so_far, number) = match numbers[1..] {
            [bowler] => (json!({}), bowler),
            [bowler, batter] => (json!({"bowler_number": bowler}), batter),
            _ => panic!("one number, or two"),
        };
        let asks = asks(&played, so_far);
        let option = asks[0].options.iter().find(|option| option.value == json!(number));
        in_words(option.expect("the key is there"))
    });
}

#[test]
fn the_first_number_that_is_asked_for_is_the_bowlers() {
    let played = at_the_table(json!({}));
    let places: Vec<String> = asks(&played, json!({})).into_iter().map(|ask| ask.at).collect();
    assert_eq!(places, ["choices.bowler_number", "choices.batter_number"]);
    let rest: Vec<String> =
        asks(&played, json!({"bowler_number": 3})).into_iter().map(|ask| ask.at).collect();
    assert_eq!(rest, ["choices.batter_number"]);
}

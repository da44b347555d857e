//! The words for each face of Howzat's dice, `words.txt`: what a key says before it is pressed.

use serde_json::json;
use third_umpire::matches::{Preview, PreviewRequest};
use third_umpire::rules::{AskKind, AskOption, Choices};
use third_umpire_test_support::logs::PlayedMatch;

use crate::tables::{check_rows, rows};

const TABLE: &str = include_str!("words.txt");
/// The most characters of a title.
const WIDEST: usize = 12;

/// The preview of a ball with these dice.
fn preview(dice: &[i64]) -> Preview {
    let played = PlayedMatch::in_play(json!({}));
    let request =
        PreviewRequest::Ball { choices: Choices::new(), dice: dice.to_vec(), accept: false, over: None };
    Preview::of(&played.the_match, &request).unwrap_or_else(|refusal| panic!("{dice:?}: {refusal}"))
}

/// The faces of the die that comes after these dice.
fn faces(dice: &[i64]) -> Vec<AskOption> {
    let asked = preview(dice).requests.into_iter().flat_map(|request| request.asks);
    let mut dice = asked.filter(|ask| ask.kind == AskKind::Die);
    dice.next().expect("a die is asked for").options
}

fn in_words(option: &AskOption) -> String {
    let text = option.text.as_deref().map_or(String::new(), |text| format!(" / {text}"));
    let marks = [
        option.boundary.map(|boundary| format!(" [boundary {boundary}]")),
        option.wicket.as_ref().map(|_| " [wicket]".to_owned()),
        option.asks.first().map(|ask| format!(" ; {}", ask.title)),
    ];
    format!("{}{text}{}", option.title, marks.into_iter().flatten().collect::<String>())
}

#[test]
fn each_face_of_each_die_says_what_it_would_mean() {
    check_rows(rows(TABLE), |row| {
        let mut dice: Vec<i64> = row.given.split(' ').map(|face| face.parse().expect("a face")).collect();
        let face = dice.pop().expect("a die");
        let faces = faces(&dice);
        let option = faces.iter().find(|option| option.value == face);
        in_words(option.expect("the die has the face"))
    });
}

#[test]
fn the_table_has_every_face_that_can_follow_its_dice() {
    let given: Vec<&str> = rows(TABLE).iter().map(|row| row.given).collect();
    for row in &given {
        let before = row.rsplit_once(' ').map_or("", |(before, _)| before);
        for face in 1..=6 {
            let wanted = format!("{before} {face}");
            assert!(given.contains(&wanted.trim()), "{wanted}");
        }
    }
    assert_eq!(given.len(), 6 * 12, "six faces of each of the dice that the headings name");
}

#[test]
fn a_title_fits_on_a_key() {
    for row in rows(TABLE) {
        let title = row.expected.split([';', '/', '[']).next().expect("a title").trim();
        assert!(title.chars().count() <= WIDEST, "{title}");
    }
}

#[test]
fn a_body_tells_what_it_has_come_to_so_far() {
    let so_far = |dice: &[i64]| preview(dice).words.so_far.unwrap_or_default();
    assert_eq!([so_far(&[2]), so_far(&[1])], ["a legal ball", "perhaps an extra"]);
    assert_eq!([so_far(&[1, 1]), so_far(&[3, 5])], ["no-ball", "in the air"]);
    let words = preview(&[2, 6]).words;
    assert_eq!((words.title.as_str(), words.text), ("SIX", None));
}

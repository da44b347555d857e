//! A match of twenty overs that was typed with five mistakes: on the pages of its balls it becomes the match
//! that was played, with a handful of taps each.

use std::cell::Cell;

use serde_json::{Value, json};
use third_umpire_test_support::service::{Match, table};

use crate::balls::{ball_of, opens_as_scorer};
use crate::phone::Phone;
use crate::table::Table;

/// A ball in the air, caught and dropped.
const CAUGHT: &[i64] = &[3, 5, 2, 3, 6];
const DROPPED: &[i64] = &[3, 5, 2, 3, 1];
const BOWLED: &[i64] = &[2, 5];

/// The innings as they were played: 120 balls each, four of them wickets, and one catch in the second.
fn played() -> [Vec<&'static [i64]>; 2] {
    let first: [&[i64]; 8] = [&[2, 1], &[2, 3], &[2, 4], &[2, 2], &[2, 1], &[3, 6], &[2, 3], &[4, 2]];
    let second: [&[i64]; 8] = [&[2, 3], &[2, 1], &[2, 2], &[2, 3], &[6, 1], &[2, 3], &[2, 4], &[2, 3]];
    let innings = |balls: [&'static [i64]; 8]| -> Vec<&'static [i64]> {
        (0..120).map(|at| if at % 30 == 17 { BOWLED } else { balls[at % 8] }).collect()
    };
    let [first, mut second] = [first, second].map(innings);
    second[15] = CAUGHT;
    [first, second]
}

/// The match as it was typed: a six that was a four, a wicket that was none, a ball that was missed, one too
/// many, and a catch that was held.
fn typed() -> Vec<&'static [i64]> {
    let [mut first, mut second] = played();
    first[10] = &[2, 6];
    first[27] = BOWLED;
    first.insert(61, &[2, 3]);
    first.remove(40);
    second[15] = DROPPED;
    [first, second].concat()
}

fn bowled(service: &Table, balls: &[&[i64]]) -> Match {
    let played = service.begun(&table(20));
    balls.iter().for_each(|dice| drop(played.bowl(dice)));
    played
}

/// What the pages tell of a match, but for what only corrections leave there.
fn book(played: &Match) -> Value {
    let card = played.get("/scorecard").expect(200);
    let fall = played.get("/fall-of-wickets").expect(200);
    json!({"innings": card["innings"], "result": played.view()["result"], "fall": fall["innings"]})
}

#[test]
fn five_mistakes_in_twenty_overs_are_put_right_on_the_pages() {
    let service = Table::laid();
    let Some(phone) = Phone::without_motion(&service.address()) else { return };
    let (right, wrong) = (bowled(&service, &played().concat()), bowled(&service, &typed()));
    assert_eq!(wrong.view()["status"], "completed");
    assert_ne!(book(&wrong), book(&right));
    let taps = Cell::new(0);
    let tap = |selector: &str| {
        taps.set(taps.get() + 1);
        phone.taps(selector);
    };
    let taps_all = |selectors: &[&str]| selectors.iter().for_each(|selector| tap(selector));
    let confirm = |what: &str| {
        tap("[data-action='confirm']");
        println!("{what}: {} taps", taps.replace(0));
    };
    // The die of ball 11 was a four.
    opens_as_scorer(&phone, &wrong, 11);
    taps_all(&["[data-place='1']", "[data-die='4']"]);
    confirm("a wrong die");
    // Ball 28 was no wicket.
    phone.opens(&ball_of(&wrong, 28));
    taps_all(&["[data-place='1']", "[data-die='2']"]);
    confirm("a wicket that was none");
    // A single was missed before ball 41. The last ball of the innings is then one too many.
    phone.opens(&ball_of(&wrong, 41));
    taps_all(&["[data-action='put-in']", "[data-die='2']", "[data-die='1']"]);
    phone.reads(".goes", "is not bowled any more");
    confirm("a ball that was missed");
    // Ball 62 was never bowled. So the innings misses its last ball again.
    phone.opens(&ball_of(&wrong, 62));
    tap("[data-action='take-out']");
    phone.reads(".right", "A ball is missing at the end.");
    let last = played()[0][119];
    last.iter().for_each(|face| tap(&format!("[data-die='{face}']")));
    confirm("a ball too many");
    // The catch of the second innings was held.
    phone.opens(&ball_of(&wrong, 136));
    taps_all(&["[data-place='4']", "[data-die='6']"]);
    confirm("a catch that was held");
    assert_eq!(book(&wrong), book(&right));
    let changed = wrong.get("/changed-choices").expect(200);
    assert_eq!(changed["changed_choices"], json!([]), "nobody is said to have changed his mind");
    wrong.audits_clean();
}

//! A page that goes away at any moment, and another one that goes on with what the browser has. Every request
//! and every transaction of a ball, an over with its ball, a correction and a review is such a moment.

use serde_json::{Value, json};
use third_umpire_test_support::service::{Match, table};

use crate::games::appealed;
use crate::phone::Phone;
use crate::table::{Table, balls_of, pad_of};

/// Counts the moments of a page, and lets it die at one of them.
const DYING: &str = include_str!("dying.js");
/// The most turns of the sending loop that ten seconds take: each has its request and its transactions.
const TURNS: i64 = 10;
/// Longer than any plan takes.
const LAST_MOMENT: usize = 200;

/// What is done on the page that dies: a condition of the page, and what is done once it holds.
type Deed<'a> = (&'a str, &'a str);

/// The keys wait for an answer.
const KEYS: &str = "document.querySelector('[data-die]:not([aria-disabled]) .means') !== null";
const STRIKE: &str = "document.querySelector('#question')?.innerText === 'Strike die'";
/// A ball is shown as one that is held.
const HELD: &str = "document.querySelector('.undo.solid') !== null";
const SAVED: &str = "document.querySelector('.sync')?.dataset.sync === 'saved' && document.documentElement.hasAttribute('data-settled')";

/// Waits until the page is dead, or the condition holds. Returns whether it lives.
fn lives(phone: &Phone, condition: &str) -> bool {
    phone.waits(condition, &format!("return isDead() || ({condition})"));
    phone.run("return !isDead()", vec![]) == true
}

/// Does the deeds until the page is dead. Returns whether it died, and whether it showed a whole ball then.
fn dies(phone: &Phone, deeds: &[Deed]) -> (bool, bool) {
    let died = !deeds.iter().all(|(condition, deed)| {
        let alive = lives(phone, condition);
        if alive {
            phone.run(deed, vec![]);
        }
        alive
    });
    (died || !lives(phone, SAVED), phone.run("return hasShown()", vec![]) == true)
}

/// Lets what is kept go.
fn is_saved(phone: &Phone) -> bool {
    phone.run(&format!("moveClock(1000); return {SAVED}"), vec![]) == true
}

/// Asserts that the sending loop rests: ten seconds bring few requests and transactions.
fn rests(phone: &Phone) {
    phone.run("dieAt(1e9)", vec![]);
    for _ in 0..10 {
        phone.waits_ms(1000);
    }
    let moments = phone.run("return moments()", vec![]).as_i64().expect("a number");
    assert!(moments <= 6 * TURNS, "{moments} requests and transactions in ten seconds");
}

/// Types on what the page asks, until the match has a ball and all is saved. Returns how many dice it took.
fn goes_on(phone: &Phone, played: &Match) -> usize {
    let mut typed = 0;
    for _ in 0..100 {
        phone.settles();
        let balls = balls_of(played);
        if phone.run(&format!("return {STRIKE}"), vec![]) == true {
            phone.rolls(4);
            typed += 1;
        } else if is_saved(phone) && balls == 0 {
            phone.rolls(2);
            typed += 1;
        } else if balls == 1 && is_saved(phone) {
            return typed;
        }
    }
    panic!("the ball never went\n{}", phone.text("body"));
}

/// Lets a page die at each moment of a plan, and checks what another page makes of it.
fn at_each_moment(begun: &dyn Fn(&Table) -> Match, deeds: &[Deed], then: &dyn Fn(&Phone, &Match, bool)) {
    let service = Table::laid();
    let Some(mut phone) = Phone::without_motion(&service.address()) else { return };
    phone.expected = vec!["the page is dead", "beforeunload"];
    phone.prepares(DYING);
    for moment in 1..LAST_MOMENT {
        let played = begun(&service);
        phone.opens(&pad_of(&played));
        phone.run("dieAt(arguments[0])", vec![json!(moment)]);
        let (died, has_shown) = dies(&phone, deeds);
        phone.reloads();
        then(&phone, &played, has_shown);
        rests(&phone);
        assert!(phone.run(&format!("return {KEYS}"), vec![]) == true, "{moment}: {}", phone.text("body"));
        if !died {
            println!("{} moments", moment - 1);
            return;
        }
    }
    panic!("the plan never ends");
}

/// Every ball once; and none has to be typed again that was shown.
fn once(phone: &Phone, played: &Match, has_shown: bool) {
    let typed = goes_on(phone, played);
    assert!(!has_shown || typed == 0, "a ball that was shown is typed again");
    let events = played.events();
    let ball = events.iter().find(|event| event["kind"] == "ball").expect("a ball");
    let faces: Vec<&Value> =
        ball["data"]["dice"].as_array().expect("dice").iter().map(|die| &die["value"]).collect();
    assert_eq!(faces, [&json!(2), &json!(4)]);
}

const BALL: [Deed; 4] = [
    (KEYS, "document.querySelector(\"[data-die='2']\").click()"),
    (STRIKE, "moveClock(400); document.querySelector(\"[data-die='4']\").click()"),
    (HELD, "moveClock(4000)"),
    (SAVED, "0"),
];

#[test]
fn a_ball_is_recorded_once_whenever_the_page_goes_away() {
    at_each_moment(&|service| service.begun(&table(2)), &BALL, &once);
}

#[test]
fn an_over_with_its_ball_is_recorded_once_whenever_the_page_goes_away() {
    let bowler = [
        (KEYS, "document.querySelector(\"[data-cell='bowler']\").click()"),
        (
            "document.querySelector(\"dialog [data-choice='Nash']\") !== null",
            "document.querySelector(\"dialog [data-choice='Nash']\").click()",
        ),
    ];
    let deeds = [&bowler[..], &BALL].concat();
    at_each_moment(&|service| service.begun(&table(2)), &deeds, &|phone, played, has_shown| {
        once(phone, played, has_shown);
        let bowlers =
            played.events().iter().filter(|event| event["data"]["choices"]["bowler"] == "Nash").count();
        assert!(bowlers <= 1, "the over has begun twice");
        assert!(!has_shown || bowlers == 1, "the choice that was made is lost");
    });
}

#[test]
fn a_correction_is_recorded_once_whenever_the_page_goes_away() {
    let begun = |service: &Table| {
        let played = service.begun(&table(2));
        played.bowl(&[2, 6]);
        played
    };
    let deeds = [
        (KEYS, "document.querySelector(\"[data-action='undo']\").click()"),
        (
            "document.querySelector(\"[data-choice='misread']\") !== null",
            "document.querySelector(\"[data-choice='misread']\").click()",
        ),
        (
            "document.querySelector(\"dialog [data-action='confirm']:not([aria-disabled])\") !== null",
            "document.querySelector(\"dialog [data-action='confirm']\").click()",
        ),
        (SAVED, "0"),
    ];
    at_each_moment(&begun, &deeds, &|phone, played, _| {
        phone.waits("what is kept goes", &format!("moveClock(1000); return {SAVED}"));
        phone.settles();
        let corrections = played.events().iter().filter(|event| event["kind"] == "correction").count();
        assert!(corrections <= 1, "the ball is taken back twice");
        let runs = if corrections == 1 { "0 for 0" } else { "6 for 0" };
        phone.reads("h1", runs);
    });
}

#[test]
fn a_review_is_recorded_once_whenever_the_page_goes_away() {
    let deeds = [
        (
            "document.querySelector(\".pad-ask [data-choice='1']\") !== null",
            "document.querySelector(\".pad-ask [data-choice='1']\").click()",
        ),
        (KEYS, "moveClock(400); document.querySelector(\"[data-die='6']\").click()"),
        (HELD, "moveClock(4000)"),
        (SAVED, "0"),
    ];
    at_each_moment(&appealed, &deeds, &|phone, played, has_shown| {
        let reviews = || played.events().iter().filter(|event| event["kind"] == "review").count();
        for turn in 0.. {
            assert!(turn < 100, "the review never goes\n{}", phone.text("body"));
            phone.settles();
            if phone.has(".pad-ask [data-choice='1']") {
                assert!(!has_shown, "a review that was shown is typed again");
                phone.taps(".pad-ask [data-choice='1']");
                phone.waits_ms(400);
            } else if phone.text("#question").starts_with("Third umpire") {
                phone.rolls(6);
            } else if is_saved(phone) && reviews() == 1 {
                break;
            }
        }
        assert_eq!(reviews(), 1);
        phone.reads("h1", "0 for 0");
    });
}

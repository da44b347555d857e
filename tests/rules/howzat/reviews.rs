//! Reviews of Howzat by the option `house`: every verdict (`reviews.txt`), and what waits for a review.

use serde_json::{Value, json};
use third_umpire::dice::ServerSeed;
use third_umpire::log::{EventData, Review, Reviewed};
use third_umpire::matches::{Input, OpenReview, Phase};
use third_umpire::rules::{Next, RefusalKind};
use third_umpire::scorebook::Side;
use third_umpire_test_support::logs::{AWAY, HOME, PlayedMatch, ball, dice_for, heads, howzat, over, sheet};
use third_umpire_test_support::words;

use crate::tables::{check_rows, rows};

const TABLE: &str = include_str!("reviews.txt");
const LBW: &[i64] = &[5, 5];

/// The ids of the rulings that the table cites.
pub fn cited() -> impl Iterator<Item = String> {
    let words = rows(TABLE).into_iter().flat_map(|row| row.expected.split_whitespace());
    words.filter(|word| word.starts_with("review.")).map(|id| format!("howzat.{id}"))
}

fn reviewed(overs: u16) -> PlayedMatch {
    PlayedMatch::in_play(json!({"overs": overs, "drs": "house"}))
}

fn how_out(word: &str) -> &'static [i64] {
    match word {
        "lbw" => LBW,
        "stumped" => &[4, 5],
        "caught" => &[3, 5, 4, 4, 3],
        "c&b" => &[3, 5, 6, 6, 3],
        other => panic!("nobody is {other}"),
    }
}

/// Reviews the last ball for home, with this die.
fn review(a_match: &mut PlayedMatch, die: i64) -> Reviewed {
    let events = a_match.enter(Input::Review { by: Side::Home }, &[die]).expect("a review");
    let Some(EventData::Review(Review::Made(made))) = events.into_iter().next() else { panic!("a review") };
    *made
}

fn accept(by: Side) -> Input {
    Input::Accept { by }
}

#[test]
fn every_review_comes_to_what_the_table_says() {
    check_rows(rows(TABLE), |row| {
        let (how, die) = row.given.split_once(' ').expect("a dismissal and a die");
        let mut a_match = reviewed(5);
        let bowled = a_match.ball(how_out(how));
        let made = review(&mut a_match, die.trim().parse().expect("a die"));
        assert_eq!((made.delivery, made.by, made.seed), (1, Side::Home, None));
        let verdict = match (made.is_upheld(), made.umpires_call) {
            (true, _) => "upheld",
            (false, true) => "umpire's call",
            (false, false) => "struck down",
        };
        let own = bowled.outcome.rulings.iter().chain(made.is_upheld().then_some(&made.rulings[0]));
        assert!(made.outcome.rulings.iter().eq(own), "a decision keeps its rulings");
        let cited = made.rulings[0].strip_prefix("howzat.").expect("a ruling of Howzat");
        let kept = if made.retained { "kept" } else { "lost" };
        format!("{verdict}, {kept} ; {cited} ; {}", words::outcome(&made.outcome))
    });
}

#[test]
fn while_a_decision_can_be_reviewed_the_match_waits_for_it_and_says_so() {
    let mut a_match = reviewed(5);
    a_match.ball(LBW);
    let Next::Choose { side, what, legal, default } = a_match.the_match.next() else { panic!("a choice") };
    assert_eq!((side, what, default), (Some(Side::Home), "review", Value::Null));
    let dice = json!({"dice": [{"for": "review", "minimum": 1, "maximum": 6}]});
    assert_eq!(legal, json!({"review": dice, "accept": true, "delivery": 1, "left": 1}));
    assert_eq!(a_match.the_match.default_input(), accept(Side::Home));
    for input in [ball(json!({})), over(json!({}))] {
        let refusal = a_match.enter(input, &[]).expect_err("not yet");
        assert_eq!(refusal.kind, RefusalKind::ReviewOpen, "{refusal}");
    }
    a_match.enter(accept(Side::Home), &[]).expect("accepted");
    assert!(matches!(a_match.the_match.next(), Next::Choose { what: "next_batter", .. }));
    assert_eq!(a_match.the_match.reviews().open(), None);
}

#[test]
fn a_batter_who_is_given_back_bats_on_and_one_who_is_not_does_not() {
    for (die, striker) in [(5, "A1"), (4, "A3"), (1, "A3")] {
        let mut a_match = reviewed(5);
        a_match.ball(LBW);
        review(&mut a_match, die);
        let next = a_match.ball(dice_for("1"));
        assert_eq!((next.outcome.striker.as_str(), next.ball, next.delivery), (striker, 2, 2), "{die}");
    }
}

#[test]
fn a_review_is_kept_by_the_umpires_call_and_comes_back_with_the_next_innings() {
    let mut a_match = reviewed(2);
    a_match.ball(LBW);
    review(&mut a_match, 4);
    a_match.ball(LBW);
    review(&mut a_match, 1);
    // Nobody has a review left: play goes on by itself.
    a_match.balls("W");
    a_match.ball(LBW);
    assert_eq!(a_match.the_match.reviews().open(), None);
    a_match.balls(". .  . . . . . .");
    assert_eq!(a_match.the_match.play().next_over().0, 2);
    a_match.ball(LBW);
    assert_eq!(
        a_match.the_match.reviews().open(),
        Some(OpenReview { delivery: 13, by: Side::Away, left: 1 })
    );
}

#[test]
fn bowled_and_run_out_are_no_decisions_to_review() {
    let mut a_match = reviewed(5);
    for wicket in ["W", "ro"] {
        a_match.balls(wicket);
        assert_eq!(a_match.the_match.reviews().open(), None, "{wicket}");
    }
}

#[test]
fn the_end_of_an_innings_and_of_the_match_wait_for_the_review() {
    let mut a_match = reviewed(1);
    a_match.balls(". . . . .");
    a_match.ball(LBW);
    let open = OpenReview { delivery: 6, by: Side::Home, left: 1 };
    assert_eq!(a_match.the_match.reviews().open(), Some(open));
    assert_eq!(review(&mut a_match, 6).outcome.wicket, None);
    a_match.balls(". . . . .");
    a_match.ball(LBW);
    assert_eq!((a_match.the_match.play().phase(), a_match.the_match.play().result()), (Phase::Play, None));
    let events = a_match.enter(accept(Side::Away), &[]).expect("accepted");
    let kinds: Vec<&str> = events.iter().map(EventData::kind).collect();
    assert_eq!(kinds, ["review", "match_completed"]);
    assert!(a_match.the_match.play().result().is_some());
}

#[test]
fn a_match_may_be_given_up_while_a_decision_can_be_reviewed() {
    let mut a_match = reviewed(1);
    a_match.ball(LBW);
    a_match.enter(Input::Abandon { reason: "rain".to_owned() }, &[]).expect("given up");
    assert_eq!(a_match.the_match.play().phase(), Phase::Abandoned);
    assert_eq!(a_match.the_match.next(), Next::Finished { result: None });
}

#[test]
fn the_review_of_a_seeded_match_has_a_draw_of_its_own() {
    let seed = ServerSeed::from_hex(&"5e".repeat(32)).expect("a seed");
    let rules = json!({"overs": 20, "drs": "house"});
    let mut a_match =
        PlayedMatch::create(howzat(), rules, sheet(HOME), sheet(AWAY), Some(seed)).expect("a match");
    let mut dice = a_match.seeded_dice().expect("seeded");
    a_match.put(heads(), &mut dice).expect("a toss");
    let mut reviews = 0;
    while a_match.the_match.play().result().is_none() {
        let input = match a_match.the_match.reviews().open() {
            Some(OpenReview { by, .. }) => Input::Review { by },
            None => a_match.the_match.default_input(),
        };
        for event in a_match.put(input, &mut dice).expect("the match goes on") {
            let EventData::Review(review) = event else { continue };
            let made = review.made().expect("nothing is accepted here");
            let draw = made.seed.expect("seeded");
            assert_eq!((draw.domain, draw.ordinal), (5, u64::from(made.delivery)));
            let mut again = a_match.seeded_dice().expect("seeded");
            third_umpire::dice::Dice::begin(&mut again, third_umpire::dice::Draw::review(made.delivery));
            assert_eq!(made.dice[0].value, again.die(6));
            reviews += 1;
        }
    }
    assert!(reviews > 0, "this seed has somebody out");
}

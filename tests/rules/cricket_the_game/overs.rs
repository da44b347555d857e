//! The bowlers of an over, the power play, express play, and the defaults of all choices.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::{Value, json};
use third_umpire::rules::Next;
use third_umpire_test_support::random::Chooser;

use super::story::Story;

const BOWLERS: [&str; 7] = ["B5", "B6", "B7", "B8", "B9", "B10", "B11"];

/// Whether bowlers with these overs left can fill this number of overs, after one by the last of them.
/// Everything is tried.
fn fillable(
    left: u16,
    quotas: &mut [u8; 7],
    last: usize,
    known: &mut HashMap<(u16, [u8; 7], usize), bool>,
) -> bool {
    if left == 0 {
        return true;
    }
    if let Some(answer) = known.get(&(left, *quotas, last)) {
        return *answer;
    }
    let answer = (0..7).any(|bowler| {
        if bowler == last || quotas[bowler] == 0 {
            return false;
        }
        quotas[bowler] -= 1;
        let filled = fillable(left - 1, quotas, bowler, known);
        quotas[bowler] += 1;
        filled
    });
    known.insert((left, *quotas, last), answer);
    answer
}

#[test]
fn those_may_bowl_after_whom_the_overs_left_can_be_filled_as_trying_everything_says() {
    let mut known = HashMap::new();
    let mut refused = 0;
    let pickers: [fn(usize, &mut Chooser) -> usize; 4] = [
        |_, _| 0,
        |legal, _| legal - 1,
        |legal, chooser| chooser.below(legal),
        |legal, chooser| chooser.below(legal.min(3)),
    ];
    for (format, overs, quota) in [("t10", 10u16, 2), ("t20", 20, 3)] {
        for (turn, pick) in pickers.iter().enumerate() {
            let mut chooser = Chooser::new(vec![turn as u8, 7, 200]);
            let mut story = Story::begin("", &format!("format:{format}"));
            let (mut quotas, mut last) = ([quota; 7], 7);
            for over in 1..=overs {
                let legal: Vec<String> =
                    serde_json::from_value(story.legal()["bowler"].clone()).expect("names");
                let mut due = Vec::new();
                for (bowler, name) in BOWLERS.iter().enumerate() {
                    if bowler == last || quotas[bowler] == 0 {
                        continue;
                    }
                    quotas[bowler] -= 1;
                    match fillable(overs - over, &mut quotas, bowler, &mut known) {
                        true => due.push((*name).to_owned()),
                        false => refused += 1,
                    }
                    quotas[bowler] += 1;
                }
                assert_eq!(legal, due, "{format} over {over}, {quotas:?}");
                let name = &legal[pick(legal.len(), &mut chooser)];
                story.played.over(json!({"bowler": name, "openers": if over == 1 { json!(["A5", "A6"]) } else { Value::Null }}));
                last = BOWLERS.iter().position(|bowler| bowler == name).expect("a bowler");
                quotas[last] -= 1;
                (0..6).for_each(|_| drop(story.dot()));
            }
        }
    }
    assert!(refused > 0, "somebody would have left overs that cannot be filled");
}

#[test]
fn the_bowler_with_most_overs_left_bowls_and_of_equals_the_first_in_team_order() {
    let mut story = Story::begin("", "format:t10");
    let mut bowled = Vec::new();
    for _ in 0..10 {
        story.begin_over();
        let over = super::last_over(&story.played.log).expect("an over");
        bowled.push(over.choices["bowler"].as_str().expect("a name").to_owned());
        (0..6).for_each(|_| drop(story.dot()));
    }
    assert_eq!(bowled, ["B5", "B6", "B7", "B8", "B9", "B10", "B11", "B5", "B6", "B7"]);
}

#[test]
fn the_power_play_may_be_called_once_in_overs_three_to_ten_of_a_t10() {
    for (format, overs, call) in [("t10", 10, None), ("t10", 10, Some(5)), ("t20", 8, None)] {
        let mut story = Story::begin("", &format!("format:{format}"));
        for over in 1..=overs {
            let may = format == "t10" && over >= 3 && call.is_none_or(|called| over <= called);
            let offered = story.legal().get("power_play").cloned();
            assert_eq!(offered, may.then(|| json!([false, true])), "{format} over {over}");
            if call == Some(over) {
                let begun = story.played.over(json!({"power_play": true}));
                assert_eq!(begun.choices["power_play"], true);
            }
            (0..6).for_each(|_| drop(story.dot()));
        }
    }
}

#[test]
fn the_first_two_balls_of_every_over_but_the_first_and_the_last_are_express_play() {
    for (format, overs) in [("t10", 10u16), ("t20", 20)] {
        let mut story = Story::begin("", &format!("format:{format}"));
        let mut express = BTreeSet::new();
        for _ in 0..overs * 6 {
            let ball = story.dot();
            if ball.outcome.detail.contains_key("express") {
                express.insert((ball.over, ball.ball));
            }
        }
        let due: BTreeSet<_> = (2..overs).flat_map(|over| [(over, 1), (over, 2)]).collect();
        assert_eq!(express, due);
    }
}

#[test]
fn choices_left_out_take_the_defaults_of_the_rules_page() {
    let mut story = Story::begin("", "");
    let Next::Choose { default, .. } = story.played.the_match.next() else { panic!("an over is due") };
    assert_eq!((&default["bowler"], &default["openers"]), (&json!("B5"), &json!(["A1", "A2"])));
    assert_eq!(default["attitudes"], json!(["defensive", "defensive"]));
    // Bowls are taken in their order, none twice in an over before each has been bowled; on_straight is fed
    // by two of four, as is glance_hook, which comes before it.
    let mut bowls = Vec::new();
    story.begin_over();
    for card in ["blank1", "blank2", "blank3", "blank4", "blank5", "one"] {
        let Next::Choose { default, .. } = story.played.the_match.next() else { panic!("a ball is due") };
        assert_eq!((&default["stroke"], &default["attitude"]), (&json!("glance_hook"), &json!("defensive")));
        assert!(default.get("skills").is_none() && default.get("field").is_none());
        let ball = story.played.ball_with(json!({"over_card": card}), &[3, 3]);
        assert_eq!(ball.choices["bowl"], default["bowl"]);
        bowls.push(ball.choices["bowl"].as_str().expect("an id").to_owned());
    }
    assert_eq!(bowls, ["straight", "leg", "wide", "fast", "straight", "straight"]);
}

#[test]
fn batters_come_in_team_order_each_with_the_confidence_of_his_card() {
    let mut story = Story::begin("by:B5", "open:A5,A6");
    let mut came: BTreeMap<usize, String> = BTreeMap::new();
    while story.played.the_match.play().next_over().0 == 1 {
        let ball = story.wicket_or_dot();
        if let Some(name) = ball.choices.get("next_batter") {
            came.insert(came.len(), name.as_str().expect("a name").to_owned());
            assert_eq!(ball.choices["next_attitude"], "defensive");
        }
    }
    let due = ["A1", "A2", "A3", "A4", "A7", "A8", "A9", "A10", "A11"];
    assert_eq!(came.into_values().collect::<Vec<_>>(), due);
}

//! The chances of Howzat, against figures that were worked out apart from this program, and against
//! themselves.

use serde_json::{Value, json};

use super::ball::{DiceTree, FIRST};
use super::figures::Figures;
use super::reach::Reach;
use super::simulated::SelfPlay;
use super::*;
use crate::editions::Editions;
use crate::log::{EventData, MatchId, TeamSheet};
use crate::matches::{Match, MatchSettings, new_match};

/// The odds of a match of Howzat with these options.
fn howzat(rules: Value) -> MatchOdds {
    let Value::Object(rules) = rules else { panic!("options are an object") };
    let editions = Editions::default();
    let game = editions.registry().find("howzat").expect("a game");
    let sheet =
        |side: &str| TeamSheet::of_names(side, (1..=11).map(|place| format!("{side} {place}")).collect());
    let created = new_match(None, game, &rules, sheet("A"), sheet("B"), None, MatchSettings::default());
    let first = EventData::MatchCreated(created.expect("a legal match"));
    let the_match = Match::from_log(MatchId::nil(), &first, &editions).expect("a match");
    odds_of(the_match.play().info()).expect("dice alone")
}

/// The dice and the chances to reach a total, in a match of so many overs.
fn reach_of(overs: u16) -> (DiceTree, Reach) {
    let odds = howzat(json!({"overs": overs}));
    let ball = DiceTree::of(&odds.ball);
    let reach = Reach::of(&odds, &ball);
    (ball, reach)
}

#[track_caller]
fn assert_near(found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() < within, "{found} is not {expected} within {within}");
}

#[test]
fn chances_are_those_of_a_trial_in_another_language() {
    let (ball, reach) = reach_of(20);
    let total: f64 = (1..=reach.most).map(|runs| reach.at_least(120, 10, runs as i64)).sum();
    assert_near(total, 161.774_402, 1e-6);
    let needs = |runs: u32, balls: u32, wickets: u32| {
        let chased = StateOfPlay { balls: 120 - balls, wickets: 10 - wickets, runs: 0, target: Some(runs) };
        reach.chances(chased).second
    };
    assert_near(needs(30, 24, 4), 0.845, 0.0005);
    assert_near(needs(24, 23, 4), 0.902, 0.0005);
    assert_near(needs(30, 23, 3), 0.689, 0.0005);
    assert_eq!(ball.places[FIRST].next.as_ref().map(|die| die.what), Some("bowl"));
}

#[test]
fn chances_sum_to_1_and_are_the_mean_of_those_after_the_next_ball() {
    let (ball, reach) = reach_of(5);
    let last = u32::try_from(reach.most).expect("few runs");
    for target in [None, Some(1), Some(40), Some(last), Some(last + 100)] {
        for (balls, wickets, runs) in
            [(0, 0, 0), (0, 9, 3), (7, 2, 11), (29, 0, 39), (29, 9, 0), (12, 3, last)]
        {
            let standing = StateOfPlay { balls, wickets, runs, target };
            if target.is_some_and(|target| runs >= target) {
                continue;
            }
            let chances = reach.chances(standing);
            assert_near(chances.first + chances.second + chances.tie, 1.0, 1e-12);
            let after = |of: fn(ByOrder) -> f64| {
                let each = ball.effects.iter().map(|effect| of(reach.chances(standing.after(*effect))));
                ball.mean(FIRST, &each.collect::<Vec<f64>>())
            };
            assert_near(after(|chances| chances.first), chances.first, 1e-9);
            assert_near(after(|chances| chances.second), chances.second, 1e-9);
            assert_near(after(|chances| chances.tie), chances.tie, 1e-9);
        }
    }
}

#[test]
fn a_match_of_one_ball_left_has_the_chances_of_its_dice() {
    let reach = reach_of(1).1;
    let last = |need| reach.chances(StateOfPlay { balls: 5, wickets: 9, runs: 0, target: Some(need) });
    let (six, extra) = (1.0 / 6.0, 1.0 / 6.0);
    let need_one = last(1);
    assert_near(need_one.second + need_one.tie + need_one.first, 1.0, 1e-12);
    // A strike of 1, 2, 4 or 6 gets one run, but a six not off byes and leg byes; a wide or a no-ball gives
    // it.
    let (wide, no_ball, byes_or_leg_byes) = (extra / 6.0, extra / 6.0, extra * 2.0 / 6.0);
    let legal = 1.0 - wide - no_ball;
    assert_near(need_one.second, wide + no_ball + legal * 4.0 / 6.0 - byes_or_leg_byes * six, 1e-12);
    // Without a ball left, level scores are a tie, and fewer are a defeat.
    let over = |runs| reach.chances(StateOfPlay { balls: 6, wickets: 3, runs, target: Some(10) });
    assert_eq!((over(9).tie, over(8).first, over(10).second), (1.0, 1.0, 1.0));
}

#[test]
fn totals_out_of_reach_cost_no_chance_more_than_a_billionth() {
    let odds = howzat(json!({"overs": 3}));
    let ball = DiceTree::of(&odds.ball);
    let reach = Reach::of(&odds, &ball);
    let further = Reach::up_to(reach.most * 3, (18, 10), &ball);
    assert!(further.at_least(18, 10, reach.most as i64 + 1) < 1e-10);
    for runs in 0..=reach.most as u32 + 10 {
        for standing in [
            StateOfPlay { balls: 9, wickets: 4, runs, target: None },
            StateOfPlay { balls: 0, wickets: 0, runs: 0, target: Some(runs) },
        ] {
            let (near, far) = (reach.chances(standing), further.chances(standing));
            assert_near(near.first, far.first, 1e-9);
            assert_near(near.second, far.second, 1e-9);
        }
    }
}

#[test]
fn the_quota_of_a_bowler_changes_no_odds_and_sixes_off_extras_do() {
    let odds = howzat(json!({"overs": 10}));
    assert_eq!(odds, howzat(json!({"overs": 10, "max_overs_per_bowler": 5})));
    assert_ne!(odds, howzat(json!({"overs": 10, "sixes_off_extras": "never"})));
    assert_ne!(odds, howzat(json!({"overs": 11})));
}

/// Means of the figures over this many simulated matches: those of each side's dice have to be 0, within 4.5
/// standard errors.
fn assert_fair(matches: u32, overs: u16) {
    let (ball, reach) = reach_of(overs);
    let mut player = SelfPlay::new(&ball, &reach);
    let start = reach.chances(StateOfPlay::START).share_of_first();
    let of: [fn(&Figures) -> f64; 5] = [
        |figures| figures.helped.home.batting,
        |figures| figures.helped.home.bowling,
        |figures| figures.helped.away.batting,
        |figures| figures.helped.away.bowling,
        |figures| all_towards_home(figures),
    ];
    let mut sums = [(0.0, 0.0); 5];
    for _ in 0..matches {
        let figures = player.play();
        for ((sum, squares), of) in sums.iter_mut().zip(of) {
            let value = of(&figures);
            *sum += value;
            *squares += value * value;
        }
        // All dice together lead from the chances at the start to the result.
        let end = start + all_towards_home(&figures);
        assert!([0.0, 0.5, 1.0].iter().any(|result| (end - result).abs() < 1e-9), "the swings lead to {end}");
    }
    let n = f64::from(matches);
    for (sum, squares) in sums {
        let mean = sum / n;
        let error = ((squares / n - mean * mean) / n).sqrt();
        assert!(error > 0.0 && mean.abs() < 4.5 * error, "the mean is {mean}, with an error of {error}");
    }
}

fn all_towards_home(figures: &Figures) -> f64 {
    let [home, away] =
        [figures.helped.home, figures.helped.away].map(|helped| helped.batting + helped.bowling);
    home - away
}

#[test]
fn swings_lead_to_the_result_and_have_a_mean_of_0() {
    assert_fair(2_000, 5);
}

#[test]
#[ignore = "takes a minute without optimisation"]
fn swings_of_many_matches_have_a_mean_of_0() {
    assert_fair(100_000, 20);
}

#[test]
fn a_table_is_the_same_each_time_it_is_made() {
    let odds = howzat(json!({"overs": 1}));
    let [one, other] = [0, 1].map(|_| LuckTable::of(&odds));
    assert!(one.size() > 0 && one.size() == other.size());
    let [one, other] = [one, other].map(|table| SimulatedLuck::of(&table, 1_000));
    assert_eq!(format!("{one:?}"), format!("{other:?}"));
}

//! Cubes from a seed: deals, rolls, the numbers that count, and how sides choose in a simulation.

use serde_json::{Value, json};
use third_umpire::dice::{Deals, Dice, Draw, SeededDice};
use third_umpire::log::{EventData, Over};
use third_umpire::scorebook::{BySide, Side};
use third_umpire_test_support::logs::{PlayedMatch, over};

use super::{balls, cuberoots, next_ball, overs, put, seeded};

pub const REFILLED: &str = "cuberoots.bag.refilled";
const DUTIES: [&str; 2] = ["bowling", "batting"];

fn six(value: &Value) -> Vec<u8> {
    let cubes: Vec<u8> = serde_json::from_value(value.clone()).expect("a list of cubes");
    assert_eq!(cubes.len(), 6);
    cubes
}

/// Plays a match to its end, each side by its policy.
fn played_by(mut a_match: PlayedMatch, policies: [&str; 2]) -> PlayedMatch {
    let place = |name| cuberoots().policies.iter().position(|known| *known == name).expect("a policy");
    let policies = BySide { home: place(policies[0]), away: place(policies[1]) };
    while a_match.the_match.play().result().is_none() {
        let input = a_match.the_match.input_by(policies);
        put(&mut a_match, input);
    }
    a_match
}

/// The rules page has the deal: the cubes left, in ascending order, are shuffled with the draw of the over.
#[test]
fn every_over_is_dealt_from_what_is_left_in_the_bag_and_a_bag_too_small_is_filled_again() {
    let a_match = played_by(seeded(json!({"variant": "test", "overs": 40}), "c0"), ["sorted", "sorted"]);
    let mut dice = a_match.seeded_dice().expect("a seeded match");
    let (mut left, mut innings, mut refills) = (Vec::new(), 0, 0);
    for over in overs(&a_match.log) {
        let refilled = over.innings == innings && left.len() < 12;
        if refilled || over.innings != innings {
            left = (0..210).collect::<Vec<u8>>();
            innings = over.innings;
        }
        let mut shuffled = left.clone();
        dice.begin(Draw::over(over.innings, over.over));
        dice.shuffle(&mut shuffled);
        let dealt = DUTIES.map(|duty| six(&over.choices["deal"][duty])).concat();
        assert_eq!(dealt, shuffled[..12], "over {} of innings {}", over.over, over.innings);
        left.retain(|cube| !dealt.contains(cube));
        let cited = |ball: u32| {
            let place = (over.innings, over.over, ball);
            let ball = balls(&a_match.log).find(|ball| (ball.innings, ball.over, ball.ball) == place);
            ball.is_some_and(|ball| ball.outcome.rulings[0] == REFILLED)
        };
        assert_eq!((cited(1), cited(2)), (refilled, false), "over {} of innings {}", over.over, over.innings);
        refills += u32::from(refilled);
    }
    assert!(refills >= 4, "the match is long enough to see it: {refills}");
    let cited = balls(&a_match.log).filter(|ball| ball.outcome.rulings.iter().any(|id| id == REFILLED));
    assert_eq!(cited.count() as u32, refills);
}

#[test]
fn a_side_reads_its_own_colour_of_the_cube_whose_turn_it_is() {
    let colours = json!({"home": 4, "away": 1});
    let own = played_by(seeded(json!({"overs": 3, "colours": colours}), "c1"), ["random", "sorted"]);
    check_numbers(&own, |cube, colour| (cube + 3 * colour) % 10);
    let table: Vec<Vec<u64>> = (0..210).map(|k| (0..6).map(|c| (k / 7 + c * k) % 10).collect()).collect();
    let rules = json!({"overs": 3, "colours": colours, "bag": table});
    let other = played_by(seeded(rules, "c1"), ["random", "sorted"]);
    check_numbers(&other, |cube, colour| (cube / 7 + colour * cube) % 10);
}

fn check_numbers(a_match: &PlayedMatch, number: impl Fn(u64, u64) -> u64) {
    let bats_first = bats_first(&a_match.log);
    for over in overs(&a_match.log) {
        let batting = if over.innings == 1 { bats_first } else { bats_first.other() };
        let colour = |side: Side| if side == Side::Home { 4 } else { 1 };
        let orders = DUTIES.map(|duty| six(&over.choices["orders"][duty]));
        let of_this =
            |ball: &&third_umpire::log::Ball| (ball.innings, ball.over) == (over.innings, over.over);
        for (at, ball) in balls(&a_match.log).filter(of_this).enumerate() {
            let [bowler, batter] = [&orders[0], &orders[1]].map(|order| u64::from(order[at]));
            let expected = json!({
                "bowler_cube": bowler,
                "bowler_number": number(bowler, colour(batting.other())),
                "batter_cube": batter,
                "batter_number": number(batter, colour(batting)),
            });
            assert_eq!(Value::from(ball.choices.clone()), expected);
        }
    }
}

fn bats_first(log: &[EventData]) -> Side {
    let decided = log.iter().find_map(|event| match event {
        EventData::TossDecided(decided) => Some(decided.bats_first()),
        _ => None,
    });
    decided.expect("the toss is decided")
}

#[test]
fn orders_are_as_dealt_where_they_are_left_out_and_are_written_down() {
    let mut a_match = seeded(json!({"roll_a_cube": true}), "c2");
    put(&mut a_match, next_ball());
    let first = overs(&a_match.log).next().expect("an over").clone();
    assert_eq!(first.choices["orders"], first.choices["deal"]);
    assert_eq!(first.choices["bowler"], "B");
    assert_eq!(first.choices.get("roll"), None);
    let mut again = seeded(json!({"roll_a_cube": true}), "c2");
    let mut order = six(&first.choices["deal"]["batting"]);
    order.reverse();
    put(&mut again, over(json!({"orders": {"batting": order}, "roll": {"batting": 3}, "bowler": "B2"})));
    let chosen = overs(&again.log).next().expect("an over");
    assert_eq!(chosen.choices["deal"], first.choices["deal"], "who chooses changes nothing of the deal");
    let orders = json!({"bowling": first.choices["deal"]["bowling"], "batting": order});
    assert_eq!(chosen.choices["orders"], orders);
    assert_eq!((&chosen.choices["roll"], &chosen.choices["bowler"]), (&json!({"batting": 3}), &json!("B2")));
    // Recorded choices can be entered again.
    let mut third = seeded(json!({"roll_a_cube": true}), "c2");
    put(&mut third, over(Value::from(chosen.choices.clone())));
    assert_eq!(overs(&third.log).next(), Some(chosen));
}

#[test]
fn a_cube_that_is_rolled_shows_the_face_of_the_die_the_bowlers_first() {
    for seed in ["c3", "c4", "c5", "c6"] {
        let mut a_match = seeded(json!({"roll_a_cube": true}), seed);
        put(&mut a_match, over(json!({"roll": {"bowling": 2, "batting": 2}})));
        (0..3).for_each(|_| drop(put(&mut a_match, next_ball())));
        let balls: Vec<_> = balls(&a_match.log).collect();
        let mut dice = a_match.seeded_dice().expect("a seeded match");
        dice.begin(Draw::ball(2));
        let faces = [dice.die(6), dice.die(6)];
        let recorded: Vec<_> = balls[1].dice.iter().map(|die| (&*die.what, die.sides, die.value)).collect();
        assert_eq!(recorded, [("bowler_cube", 6, faces[0]), ("batter_cube", 6, faces[1])]);
        for (duty, face) in ["bowler", "batter"].into_iter().zip(faces) {
            let choice = |name: &str| balls[1].choices[&format!("{duty}_{name}")].clone();
            let cube = choice("cube").as_u64().expect("a cube");
            assert_eq!(choice("number"), (cube + 3 * u64::from(face - 1)) % 10);
            assert_eq!(choice("rolled"), true);
            assert!(!balls[2].choices.contains_key(&format!("{duty}_rolled")));
        }
        assert!(balls[0].dice.is_empty() && balls[2].dice.is_empty());
    }
}

#[test]
fn whoever_follows_the_log_learns_what_was_dealt_from_what() {
    let a_match = played_by(seeded(json!({"overs": 2}), "c7"), ["dealt", "dealt"]);
    let mut replayed = a_match.opened_anew();
    for event in &a_match.log[1..] {
        let deals = replayed.verify(event).expect("the event follows from the rules");
        let EventData::Over(Over { innings, over, choices, .. }) = event else {
            assert!(deals.is_empty());
            continue;
        };
        let [Deals { draw, each }] = deals.as_slice() else { panic!("one draw an over") };
        let [(from, dealt)] = each.as_slice() else { panic!("one deal a draw") };
        assert_eq!(*draw, Draw::over(*innings, *over));
        assert_eq!(from.len(), if *over == 1 { 210 } else { 198 });
        assert_eq!(*dealt, DUTIES.map(|duty| six(&choices["deal"][duty])).concat());
        check_seed(&a_match, *draw, from, dealt);
    }
}

fn check_seed(a_match: &PlayedMatch, draw: Draw, from: &[u8], dealt: &[u8]) {
    let mut dice: SeededDice = a_match.seeded_dice().expect("a seeded match");
    dice.begin(draw);
    assert_eq!(dice.deal(from, 12).expect("a seed deals"), dealt);
}

#[test]
fn policies_put_cubes_in_order_as_their_names_say() {
    for policy in cuberoots().policies {
        let a_match = played_by(seeded(json!({"variant": "test", "overs": 12}), "c8"), [policy, "dealt"]);
        let mut begun_after_dots = [false; 2];
        for over in overs(&a_match.log) {
            // Home bats in the odd innings, and reads colour 0.
            let duty = if over.innings % 2 == 1 { "batting" } else { "bowling" };
            let (dealt, order) = (six(&over.choices["deal"][duty]), six(&over.choices["orders"][duty]));
            let numbers = |cubes: &[u8]| -> Vec<u8> { cubes.iter().map(|cube| cube % 10).collect() };
            let mut ascending = numbers(&dealt);
            ascending.sort_unstable();
            let descending: Vec<u8> = ascending.iter().rev().copied().collect();
            match *policy {
                "dealt" => assert_eq!(order, dealt),
                "random" => assert_eq!(order, shuffled(&a_match, over, &[dealt])[0]),
                "sorted" => assert_eq!(numbers(&order), ascending),
                "low_after_dots" => {
                    let after_dots = dots_before(&a_match.log, over) > 0;
                    let low_first = after_dots == (duty == "bowling");
                    assert_eq!(numbers(&order), if low_first { ascending } else { descending });
                    begun_after_dots[usize::from(after_dots)] = true;
                }
                other => panic!("say here what {other} does"),
            }
        }
        assert!(*policy != "low_after_dots" || begun_after_dots == [true, true], "both were to be seen");
    }
}

/// The number of dot balls in a row before an over.
fn dots_before(log: &[EventData], over: &Over) -> u64 {
    let before = balls(log).filter(|ball| ball.innings == over.innings && ball.over < over.over);
    let dots = before.last().map(|ball| ball.outcome.detail["dots_in_a_row"].as_u64().expect("a number"));
    dots.unwrap_or(0)
}

/// The hands, shuffled one after the other with the draw for sides that make no choice in an over.
fn shuffled(a_match: &PlayedMatch, over: &Over, hands: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut dice = a_match.seeded_dice().expect("a seeded match");
    dice.begin(Draw::timeout_over(over.innings, over.over));
    let mut hands = hands.to_vec();
    hands.iter_mut().for_each(|hand| dice.shuffle(hand));
    hands
}

#[test]
fn two_sides_that_choose_at_random_take_one_draw_the_bowling_side_first() {
    let a_match = played_by(seeded(json!({"overs": 3}), "c9"), ["random", "random"]);
    for over in overs(&a_match.log) {
        let both = |name: &str| DUTIES.map(|duty| six(&over.choices[name][duty]));
        assert_eq!(both("orders").to_vec(), shuffled(&a_match, over, &both("deal")));
    }
}

//! How a ball is put right on its page: balls that are taken back, players, and what later balls are asked.

use serde_json::{Value, json};
use third_umpire_test_support::service::{Match, table, with};

use crate::balls::{ball_of, opens_as_scorer, played, score_of};
use crate::games::board_game_on;
use crate::phone::Phone;
use crate::table::{Table, pad_of};

/// The number of the last ball.
fn last_of(played: &Match) -> u64 {
    played.view()["situation"]["last"]["delivery"].as_u64().expect("a ball was bowled")
}

/// A match of the board game with these balls, each its choices and its dice.
fn board_over(service: &Table, balls: &Value) -> Match {
    let played = board_game_on(service, "neutral");
    for ball in balls.as_array().into_iter().flatten() {
        played.post("/balls", &json!({"choices": ball[0], "dice": ball[1]})).expect(201);
    }
    played
}

#[test]
fn a_ball_is_taken_back_from_its_page_with_those_after_it() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = played(&service);
    opens_as_scorer(&phone, &played, 3);
    phone.reads("[data-action='take-back']", "Take back 4 balls from 0.3 on");
    phone.taps("[data-action='take-back']");
    phone.reads(".sentence", "4 balls go, from 0.3 on.");
    phone.reads(".sentence", "7/2 becomes 4/1.");
    assert_eq!(last_of(&played), 6, "a look changes nothing");
    assert!(phone.has("[data-action='confirm'][aria-disabled]"), "a reason is needed");
    phone.reads(".right", "Say why first.");
    phone.taps("[data-choice='rule']");
    phone.reads("[data-action='confirm']", "Take back 4 balls from 0.3 on");
    phone.taps("[data-action='confirm']");
    phone.reads(".result .word", "Taken back");
    phone.reads(".earlier", "Rule");
    assert_eq!((last_of(&played), score_of(&played)), (2, "4/1".to_owned()));
    // A ball that is void has nothing to take back.
    assert!(!phone.has("[data-action='take-back']"));
}

#[test]
fn the_card_and_the_page_of_a_ball_tell_of_its_corrections() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = played(&service);
    let card = format!("/m/{}/card", played.id);
    phone.opens(&card);
    phone.reads(".card h2", "Harbour Road");
    assert!(!phone.has(".corrections"));
    let misread = json!({"amends": 2, "dice": [3, 5, 4, 2, 1], "cascade": "refit", "reason": "Misread die"});
    played.post("/corrections", &misread).expect(201);
    for (page, list) in [(card, ".corrections"), (ball_of(&played, 2), ".earlier")] {
        phone.opens(&page);
        phone.reads(list, "0.2: Abel out, caught, becomes dropped");
        phone.reads(list, "7/2 becomes 7/1.");
        phone.reads(list, "Corrected by the scorer on");
        phone.reads(list, "Misread die");
    }
    // A ball that stayed as it was has none.
    phone.opens(&ball_of(&played, 1));
    assert!(!phone.has(".earlier"));
}

#[test]
fn a_player_of_a_ball_leads_to_what_decides_him() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    // Who may not is told why.
    phone.expected = vec!["status of 422"];
    let played = played(&service);
    opens_as_scorer(&phone, &played, 4);
    // One who came in, and one who faced because of the run before.
    phone.taps("[data-who='striker']");
    phone.reads("#decided", "faces if 0.3 was no run.");
    phone.taps(&format!("a[href^='{}?known=']", ball_of(&played, 3)));
    phone.reads(".result h2", "Ball 0.3");
    phone.taps("[data-who='striker']");
    phone.reads("#decided", "Crane is down as the one who came in. Who did?");
    assert!(phone.has("[data-choice='Dunn']"), "{}", phone.text("main"));
    phone.opens(&ball_of(&played, 2));
    phone.taps("[data-who='fielder']");
    phone.reads("#decided", "4 and 2 make 6");
    phone.taps(".right [data-place='3']");
    phone.reads("#question", "die");
    phone.taps("[data-action='close']");
    // Another bowler: those who may are keys.
    phone.taps("[data-who='bowler']");
    phone.taps("[data-choice='Lyon']");
    phone.reads(".sentence", "Over 1: Lyon bowls, not Verity.");
    phone.reads(".figures", "Runs against Lyon: 0 becomes 7.");
    phone.reads(".figures", "Wickets of Verity: 2 becomes 0.");
    phone.taps("[data-action='confirm']");
    phone.reads(".earlier", "Wrong player");
    assert_eq!(played.get("/deliveries/6").expect(200)["now"]["bowler"], "Lyon");
    assert_eq!(score_of(&played), "7/2");
    phone.opens(&ball_of(&played, 1));
    phone.taps("[data-who='striker']");
    phone.taps(".ways-keys [data-choice]");
    phone.reads(".sentence", "faces first, not");
}

#[test]
fn a_wrong_toss_is_put_right_on_the_page_of_the_first_ball() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = played(&service);
    opens_as_scorer(&phone, &played, 2);
    assert!(!phone.has("[data-who='toss']"), "it stands before the first ball");
    phone.opens(&ball_of(&played, 1));
    phone.reads("[data-who='toss']", "who bats first");
    phone.taps("[data-who='toss']");
    phone.reads("#decided", "Harbour Road won the toss and bat.");
    let ways = phone.run(
        "return [...document.querySelectorAll('.ways-keys button')].map((key) => key.innerText)",
        vec![],
    );
    let other = [
        "Mill Lane won the toss and bat",
        "Mill Lane won the toss and bowl",
        "Harbour Road won the toss and bowl",
    ];
    assert_eq!(ways, json!(other));
    phone.taps("[data-choice='away bat']");
    phone.reads(".sentence", "Mill Lane won the toss and bat.");
    phone.reads("[data-action='confirm']", "Put the toss right");
    phone.taps("[data-action='confirm']");
    phone.reads("h1", "Mill Lane 7 for 2");
    phone.reads(".earlier", "Wrong key");
    let view = played.view();
    assert_eq!((&view["situation"]["batting"], score_of(&played)), (&json!("away"), "7/2".to_owned()));
    phone.reads("[data-action='bring']", "Put the toss back as it was");
    phone.taps("[data-who='toss']");
    phone.reads("#decided", "Mill Lane won the toss and bat.");
    // What the winner chose is another thing.
    phone.taps("[data-choice='away bowl']");
    phone.taps("[data-action='confirm']");
    phone.reads("h1", "Harbour Road 7 for 2");
    assert_eq!(played.get("/audit").expect(200)["verdict"], "clean");
}

#[test]
fn a_correction_of_the_board_game_asks_a_choice_of_a_later_ball() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = board_over(
        &service,
        &json!([
            [{"over_card": "slog", "reroll_batter": "no"}, [3, 2]],
            [{"over_card": "off_cutter_grips"}, [3, 2]],
            [{"over_card": "nothing_in_it"}, [1, 7]],
            [{"over_card": "worked_away"}, [3, 1]],
        ]),
    );
    opens_as_scorer(&phone, &played, 3);
    phone.taps("[data-place='1']");
    phone.taps("[data-die='1']");
    phone.reads("#question", "0.4: Roll a die again?");
    assert!(!phone.has("[data-action='confirm']"));
    phone.taps("[data-choice='no']");
    phone.reads(".sentence", "0.3:");
    phone.taps("[data-action='confirm']");
    phone.reads(".earlier", "Misread die");
    let later = played.get("/deliveries/4").expect(200);
    assert_eq!(later["choices"]["reroll_batter"], "no");
    assert_eq!(later["now"]["dice"][0]["value"], 3);
}

#[test]
fn a_link_whose_number_has_moved_says_so_and_leads_to_its_ball() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(1));
    // A wide makes the over of the first innings seven deliveries long.
    for dice in [&[2, 2][..], &[1, 2], &[2, 1], &[2, 1], &[2, 1], &[2, 1], &[2, 1], &[3, 1], &[3, 2]] {
        played.post("/balls", &json!({"dice": dice})).expect(201);
    }
    let link = |n: u32, known: u64| format!("{}?known={known}", ball_of(&played, n));
    let before = played.head().seq;
    let legal = json!({"amends": 2, "dice": [2, 1], "cascade": "refit", "reason": "Misread die"});
    played.post("/corrections", &legal).expect(201);
    phone.opens(&link(8, before));
    phone.reads(".moved", "The link was to another ball.");
    phone.taps(".moved a");
    phone.reads(".result h2", "Ball 0.1");
    assert!(phone.run("return location.pathname", vec![]).as_str().is_some_and(|path| path.ends_with("/7")));
    assert!(!phone.has(".moved"), "this link was made after the correction");
    phone.opens(&link(7, before));
    phone.reads(".moved", "not bowled any more");
    // A ball that has kept its number, and links that were made since.
    for (n, known) in [(3, before), (7, played.head().seq), (8, played.head().seq)] {
        phone.opens(&link(n, known));
        phone.reads(".result h2", "Ball");
        assert!(!phone.has(".moved"), "{n}");
    }
    // A ball that has moved twice is found as well, and not the one that has its number between.
    let before = played.head().seq;
    for dice in [[2, 1], [2, 2]] {
        let missed = json!({"inserts": {"before": 2, "dice": dice}, "reason": "A ball was missed"});
        played.post("/corrections", &missed).expect(201);
    }
    let last = played.view()["situation"]["last"]["delivery"].clone();
    for (n, is) in [(2, 4), (3, 5), (4, 6)] {
        phone.opens(&link(n, before));
        phone.taps(".moved a");
        let path = phone.run("return location.pathname", vec![]);
        assert!(path.as_str().is_some_and(|path| path.ends_with(&format!("/{is}"))), "{n}: {path}");
    }
    phone.opens(&link(1, before));
    phone.reads(".result h2", "Ball 0.1");
    assert!(!phone.has(".moved"));
    assert_eq!(last, 8, "two balls of the first innings went");
    // What is played since moves nothing.
    let since = played.head().seq;
    played.post("/balls", &json!({"dice": [2, 3]})).expect(201);
    phone.opens(&link(8, since));
    phone.reads(".result h2", "Ball 0.2");
    assert!(!phone.has(".moved"));
}

#[test]
fn many_questions_of_later_balls_offer_to_take_them_back_instead() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = board_over(
        &service,
        &json!([
            [{"over_card": "trapped_in_front", "reroll_batter": "no", "chance": "lbw"}, [5, 2, 1]],
            [{"over_card": "nagging_line", "run": 2}, [2, 8, 6, 3]],
            [{"over_card": "into_the_wind", "run": 1}, [1, 5, 4, 2]],
            [{"over_card": "bails_whisper", "reroll_batter": "no"}, [5, 2, 5]],
            [{"over_card": "free_arms"}, [6, 5, 6, 5]],
            [{"over_card": "straight_bat", "run": 1}, [4, 6, 1, 3]],
            [{"over_card": "trapped_in_front"}, []],
            [{"over_card": "leg_side_gift"}, [8]],
            [{"over_card": "big_step"}, [1, 4, 6, 6]],
            [{"run": 1}, [3, 2, 1, 5]],
            [{"over_card": "worked_away", "run": 1}, [3, 8, 2, 5]],
            [{"over_card": "into_the_wind"}, [3, 4, 5, 4]],
            [{"over_card": "cut_off"}, [3, 2, 1, 5]],
            [{"over_card": "into_the_wind"}, []],
            [{"over_card": "free_arms"}, []],
            [{"over_card": "off_cutter_grips", "reroll_batter": "no"}, [4, 2]],
            [{"over_card": "leg_side_gift"}, [6, 4]],
            [{"over_card": "shy_at_the_stumps"}, [4, 4]],
            [{"over_card": "straight_bat"}, [5, 4]],
        ]),
    );
    opens_as_scorer(&phone, &played, 2);
    phone.taps("[data-place='3']");
    phone.taps("[data-die='4']");
    for question in 1..=5 {
        assert!(!phone.has(".right [data-action='take-back']"), "question {question}");
        phone.taps(".right .key");
        phone.waits_ms(400);
    }
    phone.reads(".right [data-action='take-back']", "Take back 18 balls from 0.2 on");
    phone.taps(".right [data-action='take-back']");
    phone.reads(".sentence", "18 balls go, from 0.2 on.");
    assert_eq!(last_of(&played), 19, "a look changes nothing");
}

#[test]
fn a_ball_that_was_missed_is_put_in_and_one_too_many_is_taken_out() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = played(&service);
    let before = score_of(&played);
    opens_as_scorer(&phone, &played, 3);
    // Two faces, a look, and the ball is in.
    phone.taps("[data-action='put-in']");
    phone.reads("#question", "Bowl die");
    phone.reads(".right", "The ball that is missing before 0.3:");
    // A digit presses the key as well.
    phone.presses("2", 0);
    phone.reads("#question", "Strike die");
    phone.taps("[data-die='4']");
    phone.reads(".sentence", "A ball comes before 0.3: FOUR.");
    assert_eq!(last_of(&played), 6, "a look changes nothing");
    phone.reads("[data-action='confirm']", "Put the ball in before 0.3");
    phone.taps("[data-action='confirm']");
    phone.reads(".result .word", "four");
    phone.reads("[data-action='bring']", "Take 0.3 out again");
    assert_eq!(last_of(&played), 7);
    let correction = played.get("/corrections").expect(200)["corrections"][0].clone();
    assert_eq!((&correction["inserts"], &correction["reason"]), (&json!(3), &json!("A ball was missed")));
    // The same page takes it out again: a tap, a look.
    phone.taps("[data-action='take-out']");
    phone.reads(".sentence", "0.3, four, was never bowled.");
    phone.taps("[data-action='confirm']");
    phone.reads("[data-action='take-back']", "Take back 4 balls from 0.3 on");
    phone.reads("[data-action='bring']", "Put 0.3 back in");
    assert_eq!(last_of(&played), 6);
    assert_eq!(score_of(&played), before);
}

#[test]
fn the_face_that_stands_is_marked_and_changes_nothing() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = played(&service);
    opens_as_scorer(&phone, &played, 2);
    phone.taps("[data-place='4']");
    assert_eq!(
        phone.run("return document.activeElement.id", vec![]),
        "question",
        "a reader hears what is asked"
    );
    assert!(phone.has(".right .pressed[data-die='4']"));
    phone.taps(".right [data-die='4']");
    assert!(!phone.has(".right"), "nothing is to be put right");
    phone.taps("[data-place='4']");
    phone.taps(".right [data-die='1']");
    phone.reads(".sentence:focus", "becomes");
    phone.taps("[data-action='confirm']");
    phone.reads(".earlier", "Misread die");
    phone.reads("h2:focus", "Ball 0.2, Harbour Road");
}

#[test]
fn any_ball_is_two_taps_from_the_pad() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = over_and_two_balls(&service);
    phone.opens(&pad_of(&played));
    phone.taps("[data-action='heard']");
    phone.taps("[data-action='earlier']");
    phone.reads("dialog h2", "Earlier balls");
    let overs = phone.run("return [...document.querySelectorAll('.over-row')].map((row) => row.innerText.replace(/\\s+/g, ' '))", vec![]);
    assert_eq!(
        overs[0].as_str().map(|row| row.starts_with("Over 1 2/0")),
        Some(true),
        "the last innings is first: {overs}"
    );
    phone.taps(&format!("dialog a[href^='{}?']", ball_of(&played, 3)));
    phone.reads(".result h2", "Ball 0.3, Harbour Road");
    phone.reads(".result .word", "four");
}

#[test]
fn a_ball_that_is_put_in_where_another_goes_is_taken_out_again_by_its_key() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = over_and_two_balls(&service);
    opens_as_scorer(&phone, &played, 3);
    phone.taps("[data-action='put-in']");
    phone.taps("[data-die='2']");
    phone.taps("[data-die='6']");
    phone.reads(".sentence", "A ball comes before 0.3: SIX.");
    phone.taps("[data-action='confirm']");
    // The innings has as many balls as before: its last one went.
    assert_eq!(last_of(&played), 8);
    phone.reads("[data-action='bring']", "Take 0.3 out again");
    assert!(!phone.has(".moved"), "the ball of this page is the one that was put in");
    phone.taps("[data-action='bring']");
    phone.taps("[data-action='confirm']");
    phone.reads("[data-action='bring']", "Put 0.3 back in");
    phone.reads(".result .word", "four");
    phone.taps("[data-action='bring']");
    phone.taps("[data-action='confirm']");
    phone.reads("[data-action='bring']", "Take 0.3 out again");
    phone.reads(".result .word", "six");
}

/// An over a side: ten runs, and two of the other side.
pub fn over_and_two_balls(service: &Table) -> Match {
    let played = service.begun(&table(1));
    let balls: [&[i64]; 8] = [&[2, 1], &[2, 2], &[2, 4], &[2, 1], &[2, 2], &[2, 3], &[2, 1], &[2, 1]];
    balls.iter().for_each(|dice| drop(played.bowl(dice)));
    played
}

#[test]
fn an_innings_that_goes_on_asks_for_the_ball_that_it_misses() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = over_and_two_balls(&service);
    opens_as_scorer(&phone, &played, 2);
    // The two was a wide: die, face, extra die.
    let to_wide = || {
        phone.taps("[data-place='0']");
        phone.taps("[data-die='1']");
        phone.reads("#question", "Extra die");
        phone.taps("[data-die='2']");
        phone.reads(".right", "Harbour Road bat on: 9/0. A ball is missing at the end.");
        phone.reads("#question", "Bowl die");
    };
    to_wide();
    phone.taps("[data-die='2']");
    phone.reads("#question", "Strike die");
    assert!(!phone.has("[data-action='other']"), "its other die is asked for alone");
    phone.taps("[data-die='6']");
    phone.reads(".sentence", "Harbour Road: 10/0 becomes 15/0.");
    phone.reads(".right", "The target: 11 becomes 16.");
    phone.taps("[data-action='close']");
    // Or the innings ended there.
    to_wide();
    let others = phone.run(
        "return [...document.querySelectorAll(\"[data-action='other']\")].map((key) => key.textContent)",
        vec![],
    );
    assert_eq!(others, json!(["Not known: no run", "The innings ended there"]));
    phone.reads(".right", "0.2: 2 runs becomes wide");
    phone.taps("[data-nth='1']");
    phone.reads(".sentence", "Harbour Road: 10/0 becomes 9/0. Innings 1 ended there, as agreed.");
    phone.taps("[data-action='close']");
    // Or nobody knows it.
    to_wide();
    phone.taps("[data-nth='0']");
    phone
        .reads(".sentence", "Harbour Road: 10/0 becomes 9/0. The last ball of innings 1: not known, no run.");
    phone.taps("[data-action='confirm']");
    phone.reads(".earlier", "Misread die");
    assert_eq!(score_of(&played), "9/0");
    phone.opens(&format!("/m/{}/ball/7", played.id));
    phone.reads("main", "Verity to Abel: no run, as nobody knows the ball any more");
    phone.reads("main", "Nobody knows this ball any more");
    phone.reads(".result .word", "not known, no run");
    // It is known after all.
    phone.taps("[data-action='know']");
    phone.reads("#question", "Bowl die");
    phone.taps("[data-die='2']");
    phone.taps("[data-die='4']");
    phone.reads(".sentence", "0.7: no run becomes FOUR.");
    phone.taps("[data-action='confirm']");
    phone.reads(".result .word", "four");
    assert_eq!(score_of(&played), "13/0");
}

#[test]
fn a_match_that_was_over_says_what_is_needed_when_it_goes_on() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = over_and_two_balls(&service);
    (0..4).for_each(|_| drop(played.bowl(&[2, 1])));
    assert_eq!(played.view()["status"], "completed");
    opens_as_scorer(&phone, &played, 8);
    phone.taps("[data-place='0']");
    phone.taps("[data-die='1']");
    phone.taps("[data-die='2']");
    phone.reads(".right", "Not over any more. Mill Lane: 5 off 1 to win.");
    phone.taps("[data-action='confirm']");
    phone.reads(".earlier", "Misread die");
    assert_eq!(played.view()["status"], "in_play");
}

#[test]
fn a_ball_is_put_right_while_a_review_is_open_and_the_review_goes_on() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&with(table(1), "/rules", json!({"overs": 1, "drs": "house"})));
    played.bowl(&[2, 4]);
    played.bowl(&[3, 5, 5, 1, 4]);
    phone.opens(&pad_of(&played));
    phone.reads("[data-choice='0']", "Abel is out");
    // The ball before it was a six.
    phone.opens(&ball_of(&played, 1));
    phone.taps("[data-place='1']");
    phone.taps(".right [data-die='6']");
    phone.reads(".sentence", "becomes");
    phone.taps("[data-action='confirm']");
    phone.reads(".earlier", "Misread die");
    assert_eq!(score_of(&played), "6/1");
    phone.opens(&pad_of(&played));
    phone.reads(".pad-ask", "OUT");
    phone.taps("[data-choice='1']");
    phone.waits_ms(400);
    // So is the ball that is reviewed, while its question stands: dropped, nothing is left to review.
    phone.opens(&ball_of(&played, 2));
    phone.taps("[data-place='4']");
    phone.taps(".right [data-die='1']");
    phone.taps("[data-action='confirm']");
    phone.reads(".earlier", "Misread die");
    phone.opens(&pad_of(&played));
    phone.reads("#question", "Bowl die");
    assert_eq!(score_of(&played), "6/0");
    phone.rolls(2);
    phone.rolls(1);
    phone.waits_ms(4000);
    phone.reads("h1", "7 for 0");
    played.audits_clean();
}

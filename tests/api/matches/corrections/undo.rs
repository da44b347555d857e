//! Corrections that void play without replacing it.

use serde_json::{Value, json};

use super::*;
use third_umpire_test_support::service::{Head, last_event};
use third_umpire_test_support::{on_both_stores, on_own_stores};

/// Asserts that the events before a correction are unchanged, and that the last of them are marked as void by
/// it.
#[track_caller]
fn are_voided(played: &Match, before: &[Value], from: usize) {
    assert_eq!(played.events()[..before.len()], *before, "nothing of the log is lost");
    let commentary = played.get("/commentary").expect(200);
    for line in &commentary["lines"].as_array().expect("lines")[..before.len()] {
        let is_void = line["seq"].as_u64().expect("a seq") >= from as u64;
        let by = if is_void { json!(before.len() + 1) } else { Value::Null };
        assert_eq!(line["void"], by, "{line}");
        assert!(line["text"].as_str().is_some_and(|text| !text.is_empty()), "{line}");
    }
}

on_both_stores!(the_last_ball_is_taken_back_and_bowled_again_as_it_was_rolled, |service| {
    let played = with_balls(service, 2, &[&[2, 4], &[2, 1], &[2, 6]]);
    let before = played.events();
    let corrected = correct(&played, &undo(3));
    assert_eq!(kinds(appended(&corrected)), ["correction"]);
    let due = json!({"voids_from_seq": 7, "voids_from": 3, "reason": WHY, "dice_seen": true});
    assert_eq!((&last_event(&corrected)["data"], Head::of(&corrected).seq), (&due, 8));
    let entry = &corrected["correction"];
    assert_eq!(
        (&entry["number"], &entry["status"], &entry["voided"]),
        (&json!(1), &json!("made"), &json!(1))
    );
    let runs = json!({"field": "innings[1].total.runs", "before": 11, "after": 5});
    assert!(corrected["difference"].as_array().expect("a list").contains(&runs), "{corrected}");
    are_voided(&played, &before, 7);
    is_like(service, &played, &with_balls(service, 2, &[&[2, 4], &[2, 1]]));
    let again = played.bowl(&[2, 3]);
    assert_eq!(last_event(&again)["data"]["delivery"], 3, "the delivery keeps its number");
    is_like(service, &played, &with_balls(service, 2, &[&[2, 4], &[2, 1], &[2, 3]]));
});

on_both_stores!(a_ball_in_the_middle_takes_all_after_it_along, |service| {
    let played =
        with_balls(service, 2, &[&[2, 4], &[2, 5], &[2, 3], &[1, 2], &[2, 3], &[2, 3], &[2, 3], &[2, 1]]);
    let before = played.events();
    let corrected = correct(&played, &undo(2));
    assert_eq!(corrected["correction"]["voided"], 8, "seven balls and an over");
    are_voided(&played, &before, 6);
    is_like(service, &played, &with_balls(service, 2, &[&[2, 4]]));
    played.bowl(&[6, 5]);
    is_like(service, &played, &with_balls(service, 2, &[&[2, 4], &[6, 5]]));
});

on_both_stores!(the_first_ball_of_an_over_takes_the_over_along, |service| {
    let maiden: [&[i64]; 6] = [&[2, 3]; 6];
    let played = with_balls(service, 5, &maiden);
    played.post("/overs", &json!({"bowler": "Nash"})).expect(201);
    let before = played.events();
    played.bowl(&[2, 6]);
    let with_ball = played.events();
    let corrected = correct(&played, &undo(7));
    assert_eq!(last_event(&corrected)["data"]["voids_from_seq"], before.len());
    are_voided(&played, &with_ball, before.len());
    assert_eq!(played.view()["next"]["what"], "over");
    is_like(service, &played, &with_balls(service, 5, &maiden));
    let begun = played.post("/overs", &json!({"bowler": "Olonga"})).expect(201);
    assert_eq!(last_event(&begun)["data"]["choices"]["bowler"], "Olonga");
    let changed = played.get("/corrections").expect(200)["changed_choices"].clone();
    assert_eq!((&changed[0]["choice"], &changed[0]["before"]), (&json!("bowler"), &json!("Nash")));
    assert_eq!((&changed[0]["after"], &changed[0]["over"]), (&json!("Olonga"), &json!(2)));
    assert_eq!(played.get("/scorecard").expect(200)["changed_choices"], changed);
    assert_eq!(played.get("/audit").expect(200)["changed_choices"], changed);
    holds(service, &played);
});

on_both_stores!(toss_decision_and_an_over_without_a_ball_are_named_by_their_events, |service| {
    let played = service.create(&table(2));
    let fresh = service.create(&table(2));
    played.begin();
    played.post("/overs", &json!({"bowler": "Nash"})).expect(201);
    let corrected = correct(&played, &undo_seq(4));
    assert_eq!(last_event(&corrected)["data"]["dice_seen"], false, "nothing had been bowled");
    assert!(last_event(&corrected)["data"].get("voids_from").is_none());
    is_like(service, &played, fresh.begin());
    (0..7).for_each(|_| drop(played.bowl(&[2, 3])));
    correct(&played, &undo_seq(3));
    assert_eq!((played.view()["next"]["what"].clone(), balls(&played).len()), (json!("toss_decision"), 0));
    played.post("/toss/decision", &json!({"to": "bowl"})).expect(201);
    let bowled = played.bowl(&[2, 3]);
    assert_eq!(
        (&last_event(&bowled)["data"]["delivery"], &bowled["score"]["innings"][0]["batting"]),
        (&json!(1), &json!("away"))
    );
    correct(&played, &undo_seq(2));
    assert_eq!(
        (&played.view()["status"], &played.view()["next"]["what"]),
        (&json!("created"), &json!("toss"))
    );
    is_like(service, &played, &service.create(&table(2)));
    played.play_step();
    is_like(service, &played, service.create(&table(2)).begin());
});

on_both_stores!(a_seeded_delivery_bowled_again_has_its_number_and_its_dice, |service| {
    for request in seeded_games(2) {
        let (played, right) = (after_balls(service, &request, 9), after_balls(service, &request, 9));
        for delivery in [9, 7, 3, 1] {
            let before = balls(&played);
            correct(&played, &undo(delivery));
            assert_eq!(balls(&played), before[..delivery - 1]);
            (delivery..=9).for_each(|_| drop(played.ball()));
            assert_eq!(balls(&played), before, "from delivery {delivery} on");
        }
        is_like(service, &played, &right);
        assert_eq!(played.get("/corrections").expect(200)["changed_choices"], json!([]));
        for of in [&played, &right] {
            of.post("/autoplay", &json!({"until": "match"})).expect(201);
        }
        is_like(service, &played, &right);
        let proved = played.get("/audit").expect(200)["proved"].to_string();
        assert!(proved.contains("the seed fits its commitment"), "{proved}");
    }
});

on_both_stores!(the_toss_of_a_seeded_match_made_again_comes_down_as_it_did, |service| {
    for request in seeded_games(1) {
        let played = after_balls(service, &request, 3);
        let (toss, bowled) = (played.events()[1]["data"]["coin"].clone(), balls(&played));
        correct(&played, &undo_seq(2));
        played.begin();
        (0..3).for_each(|_| drop(played.ball()));
        assert_eq!(of_kind(live_events(&played), "toss")[0]["coin"], toss);
        assert_eq!(balls(&played), bowled);
        holds(service, &played);
    }
});

on_both_stores!(who_bats_next_is_chosen_anew_and_the_change_is_listed, |service| {
    let played = with_balls(service, 2, &[&[2, 5], &[2, 3], &[2, 3]]);
    correct(&played, &undo(2));
    let named = json!({"dice": [2, 3], "choices": {"next_batter": "Knott"}});
    played.post("/balls", &named).expect(201);
    let changed = played.get("/corrections").expect(200)["changed_choices"].clone();
    let due = json!([{
        "correction": 1, "seq": played.head().seq, "delivery": 2,
        "place": {"innings": 1, "over": 1, "ball": 2, "text": "0.2"}, "choice": "next_batter", "before": "Crane", "after": "Knott",
    }]);
    assert_eq!(changed, due);
    holds(service, &played);
});

on_own_stores!(a_match_that_is_over_at_a_table_is_reopened, |deployment| {
    let overs: Vec<&[i64]> = vec![&[2, 3]; 11];
    let tied = with_balls(deployment, 1, &[&overs[..], &[&[2, 3]]].concat());
    assert_eq!(tied.view()["result"]["method"], "tie");
    correct(&tied, &undo(12));
    assert_eq!((&tied.view()["status"], &tied.view()["result"]), (&json!("in_play"), &Value::Null));
    let elsewhere = deployment.serve();
    assert_eq!(
        book(&tied.through(elsewhere.client())),
        book(&tied),
        "an instance that never saw it says the same"
    );
    let listed = deployment.client().get("/v1/matches?status=completed").expect(200).to_string();
    assert!(!listed.contains(&tied.id), "{listed}");
    is_like(deployment, &tied, &with_balls(deployment, 1, &overs));
    tied.bowl(&[2, 4]);
    let result = tied.view()["result"].clone();
    assert_eq!((&result["winner"], &result["method"]), (&json!("away"), &json!("wickets")));
    is_like(deployment, &tied, &with_balls(deployment, 1, &[&overs[..], &[&[2, 4]]].concat()));
    let listed = deployment.client().get("/v1/matches?status=completed").expect(200).to_string();
    assert!(listed.contains(&tied.id), "{listed}");
});

on_both_stores!(a_result_is_taken_back_with_its_last_ball_and_not_by_itself, |service| {
    let dots: [&[i64]; 12] = [&[2, 3]; 12];
    let played = with_balls(service, 1, &dots);
    let end = played.head().seq as usize;
    let alone = service.untouched_by(played.posting("/corrections", &undo_seq(end)));
    alone.refused(422, "illegal-input").at("body.voids_from_seq").says(&["last ball"]);
    let corrected = correct(&played, &undo(12));
    assert_eq!(corrected["correction"]["voided"], 2);
    played.bowl(&[2, 1]);
    assert_eq!(played.view()["result"]["winner"], "away");
});

on_both_stores!(a_match_that_was_given_up_at_a_table_is_taken_up_again, |service| {
    let bowled: &[&[i64]] = &[&[2, 4], &[2, 3]];
    let played = with_balls(service, 2, bowled);
    played.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    let end = played.head().seq as usize;
    let corrected = correct(&played, &undo_seq(end));
    let data = &last_event(&corrected)["data"];
    assert_eq!((&data["voids_from_seq"], &data["dice_seen"]), (&json!(end), &json!(false)));
    is_like(service, &played, &with_balls(service, 2, bowled));
    played.play_step();
    played.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    correct(&played, &undo(2));
    is_like(service, &played, &with_balls(service, 2, &bowled[..1]));
});

on_both_stores!(nothing_of_a_seeded_match_is_taken_back_once_its_seeds_are_open, |service| {
    for request in seeded_games(1) {
        let [completed, abandoned] = [0; 2].map(|_| after_balls(service, &request, 2));
        completed.post("/autoplay", &json!({"until": "match"})).expect(201);
        abandoned.post("/abandonment", &json!({"reason": "rain"})).expect(201);
        for played in [completed, abandoned] {
            let end = played.head().seq as usize;
            for body in [undo(1), undo(2), undo_seq(2), undo_seq(3), undo_seq(end)] {
                service.untouched_by(played.posting("/corrections", &body)).refused(409, "seed-open");
                let dry = played.posting("/corrections?dry_run=true", &body);
                service.untouched_by(dry).refused(409, "seed-open");
            }
            holds(service, &played);
        }
    }
});

on_both_stores!(numbers_read_off_cubes_are_taken_back_like_dice, |service| {
    let shown = [[3, 4], [5, 2], [1, 9], [0, 4], [2, 2], [7, 7], [4, 8]];
    let played = with_cubes(service, 2, &shown);
    for delivery in [7, 4, 2] {
        let before = played.events();
        correct(&played, &undo(delivery));
        assert_eq!(played.events()[..before.len()], before);
        is_like(service, &played, &with_cubes(service, 2, &shown[..delivery - 1]));
    }
    show(&played, [4, 8]);
    is_like(service, &played, &with_cubes(service, 2, &[[3, 4], [4, 8]]));
    correct(&played, &undo(1));
    show(&played, [5, 4]);
    let corrections = played.get("/corrections").expect(200);
    let read = |of: &Value| json!([of["delivery"], of["choice"], of["before"], of["after"]]);
    let read_anew: Vec<Value> =
        corrections["read_anew"].as_array().expect("a list").iter().map(read).collect();
    let due = [
        json!([2, "batter_number", 2, 8]),
        json!([2, "bowler_number", 5, 4]),
        json!([1, "bowler_number", 3, 5]),
    ];
    assert_eq!((read_anew, &corrections["changed_choices"]), (due.to_vec(), &json!([])));
    for path in ["/scorecard", "/audit"] {
        assert_eq!(played.get(path).expect(200)["read_anew"], corrections["read_anew"], "{path}");
    }
});

on_both_stores!(a_ball_bowled_again_can_be_voided_again, |service| {
    let played = with_balls(service, 2, &[&[2, 4]]);
    for (number, runs) in [(1, 1), (2, 2), (3, 6)] {
        let corrected = correct(&played, &undo(1));
        assert_eq!((&corrected["correction"]["number"], total_or_none(&played)), (&json!(number), None));
        played.bowl(&[2, runs]);
    }
    is_like(service, &played, &with_balls(service, 2, &[&[2, 6]]));
    assert_eq!(played.get("/corrections").expect(200)["corrections"].as_array().map(Vec::len), Some(3));
    assert_eq!(of_kind(played.events(), "ball").len(), 4, "every ball is in the log");
});

fn total_or_none(played: &Match) -> Option<u64> {
    played.view()["score"]["innings"][0]["runs"].as_u64()
}

on_both_stores!(whole_innings_are_taken_back_and_played_again_as_they_were, |service| {
    let two_innings = json!({"overs": 2, "variant": "test"});
    let two_innings = with(seeded_games(2)[1].clone(), "/rules", two_innings);
    for (request, innings) in [(seeded(2), 1), (two_innings, 3)] {
        let [played, right] = [0; 2].map(|_| after_balls(service, &request, 3));
        let on = |until: &str| played.post("/autoplay", &json!({"until": until})).expect(201);
        (0..innings).for_each(|_| drop(on("innings")));
        on("ball");
        assert_eq!(played.view()["score"]["innings"].as_array().map(Vec::len), Some(innings + 1));
        let bowled = balls(&played);
        correct(&played, &undo(4));
        is_like(service, &played, &right);
        (3..bowled.len()).for_each(|_| drop(on("ball")));
        assert_eq!(balls(&played), bowled);
        on("match");
        holds(service, &played);
    }
});

on_both_stores!(a_choice_that_was_seen_once_is_seen_also_when_it_is_taken_back_again_unplayed, |service| {
    let played = with_balls(service, 2, &[&[2, 1]]);
    let bowler = |name: &str| drop(played.post("/overs", &json!({"bowler": name})).expect(201));
    let first = played.events()[3]["data"]["choices"]["bowler"].as_str().unwrap().to_owned();
    correct(&played, &undo(1));
    bowler(&first);
    let over = played.head().seq as usize;
    let again = correct(&played, &undo_seq(over));
    assert_eq!(again["correction"]["dice_seen"], false, "nothing has been bowled in it");
    bowler("Snow");
    let changed = played.get("/corrections").expect(200)["changed_choices"].clone();
    let named: Vec<&Value> = changed.as_array().unwrap().iter().map(|one| &one["choice"]).collect();
    assert!(named.contains(&&json!("bowler")), "{changed}");
    assert_eq!(played.get("/audit").expect(200)["changed_choices"], changed);
});

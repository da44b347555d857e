//! What a correction has changed, in a sentence, with its time: on the card, and in the list of corrections.

use super::*;
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Sides, remote};

/// A four, a dot, a six, a single and a dot.
const FIVE: [&[i64]; 5] = [&[2, 4], &[2, 3], &[2, 6], &[2, 1], &[2, 3]];

fn list(played: &Match) -> Vec<Value> {
    played.get("/corrections").expect(200)["corrections"].as_array().expect("a list").clone()
}

/// The sentence of the last correction.
#[track_caller]
fn told(played: &Match) -> String {
    let last = list(played).pop().expect("a correction");
    last["difference"].as_str().unwrap_or_else(|| panic!("no sentence: {last}")).to_owned()
}

/// Makes a correction, and returns its sentence, which its answer has as well.
#[track_caller]
fn makes(played: &Match, body: &Value) -> String {
    let made = correct(played, body);
    let sentence = told(played);
    assert_eq!(made["correction"]["difference"], sentence, "{made}");
    sentence
}

on_both_stores!(an_amendment_tells_the_ball_and_the_score_before_and_after, |service| {
    let played = with_balls(service, 2, &FIVE);
    for (body, due) in [
        (dice(3, &[2, 5]), "0.3: six becomes Abel out, bowled. 11/0 becomes 5/1."),
        (dice(3, &[6, 5]), "0.3: Abel out, bowled, becomes Abel run out."),
        (dice(3, &[3, 5, 3, 4, 2]), "0.3: Abel run out becomes dropped by Rhodes. 5/1 becomes 5/0."),
        (dice(3, &[1, 1, 4]), "0.3: dropped by Rhodes becomes four and no-ball. 5/0 becomes 10/0."),
        (dice(3, &[1, 2]), "0.3: four and no-ball becomes wide. 10/0 becomes 6/0."),
        (dice(3, &[2, 3]), "0.3: wide becomes no run. 6/0 becomes 5/0."),
        (dice(1, &[3, 4]), "0.1: four, as before."),
        (
            amend(4, agreed_outcome(json!({"runs": {"batter": 5}}))),
            "0.4: 1 run becomes 5 runs, as agreed. 5/0 becomes 9/0.",
        ),
        (dice(4, &[2, 2]), "0.4: 5 runs, as agreed, becomes 2 runs. 9/0 becomes 6/0."),
        (amend(1, json!({"over": {"bowler": "Umar"}})), "0.1: Verity to Abel becomes Umar to Abel."),
    ] {
        let body = with(body, "/cascade", json!("refit"));
        assert_eq!(makes(&played, &body), due, "{body}");
    }
    let sentences: Vec<Value> = list(&played).iter().map(|entry| entry["difference"].clone()).collect();
    assert_eq!(
        sentences[0], "0.3: six becomes Abel out, bowled. 11/0 becomes 5/1.",
        "it stays as it was told"
    );
    played.bowl(&[2, 4]);
    assert_eq!(told(&played), "0.1: Verity to Abel becomes Umar to Abel.", "play that follows is none of it");
    holds(service, &played);
});

on_both_stores!(later_balls_that_an_amendment_voids_are_counted, |service| {
    let balls: [&[i64]; 9] =
        [&[2, 1], &[1, 2], &[2, 2], &[2, 1], &[2, 4], &[2, 6], &[2, 1], &[3, 1], &[2, 2]];
    let played = with_balls(service, 2, &balls);
    let body = amend(2, json!({"dice": [2, 2], "cascade": "void_rest"}));
    assert_eq!(makes(&played, &body), "0.2: wide becomes 2 runs. 19/0 becomes 16/0. 3 later balls are void.");
    let due = told(&played);
    played.bowl(&[2, 4]);
    assert_eq!(told(&played), due);
});

on_both_stores!(a_correction_that_voids_play_tells_from_where, |service| {
    let played = with_balls(service, 2, &FIVE);
    assert_eq!(makes(&played, &undo(5)), "0.5 is void.");
    assert_eq!(makes(&played, &undo(3)), "2 balls from 0.3 on are void. 11/0 becomes 4/0.");
    assert_eq!(makes(&played, &undo(1)), "2 balls from 0.1 on are void. 4/0 becomes 0/0.");
    played.post("/overs", &json!({})).expect(201);
    assert_eq!(makes(&played, &undo_seq(played.head().seq as usize)), "Over 1 is void.");
    played.bowl(&[2, 4]);
    played.bowl(&[2, 4]);
    assert_eq!(
        makes(&played, &undo_seq(3)),
        "The choice to bat or to bowl is void, with 2 balls. 8/0 becomes 0/0."
    );
    assert_eq!(makes(&played, &undo_seq(2)), "The toss is void.");
    let drs = service.create(&with(table(5), "/rules/drs", json!("house")));
    drs.begin().bowl(&[2, 4]);
    drs.bowl(&[5, 5]);
    drs.post("/reviews", &json!({"by": "home", "dice": [6]})).expect(201);
    assert_eq!(
        makes(&drs, &undo_seq(drs.head().seq as usize)),
        "The review of 0.2 is void. 4/0 becomes 4/1."
    );
    assert_eq!(makes(&drs, &dice(2, &[2, 1])), "0.2: Abel out, lbw, becomes 1 run. 4/1 becomes 5/0.");
    drs.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    assert_eq!(makes(&drs, &undo_seq(drs.head().seq as usize)), "The abandonment is void.");
});

on_both_stores!(the_score_is_that_of_the_innings_of_the_ball, |service| {
    let played = with_balls(service, 1, &[&[2, 4], &[2, 3], &[2, 3], &[2, 3], &[2, 3], &[2, 3], &[2, 1]]);
    assert_eq!(makes(&played, &dice(1, &[2, 6])), "0.1: four becomes six. 4/0 becomes 6/0.");
    assert_eq!(makes(&played, &undo(7)), "0.1 is void. 1/0 becomes 0/0.");
    assert_eq!(makes(&played, &undo(6)), "0.6 is void.");
});

on_both_stores!(the_other_games_tell_their_differences_too, |service| {
    let shown = with_cubes(service, 2, &[[3, 5], [4, 4], [1, 9]]);
    assert_eq!(
        makes(&shown, &amend(1, json!({"choices": {"bowler_number": 3, "batter_number": 7}}))),
        "0.1: 2 runs becomes four. 8/0 becomes 10/0."
    );
});

on_both_stores!(a_correction_has_the_time_of_its_event, |service| {
    let played = with_balls(service, 2, &FIVE);
    assert_eq!(played.get("/scorecard").expect(200).get("corrections"), None, "there are none yet");
    correct(&played, &dice(3, &[2, 1]));
    correct(&played, &undo(5));
    let (listed, events) = (list(&played), played.events());
    for entry in &listed {
        let event = &events[entry["seq"].as_u64().expect("a seq") as usize - 1];
        assert_eq!((&entry["at"], &entry["actor"]), (&event["at"], &event["actor"]));
        assert_eq!(event["kind"], "correction");
    }
    let card = played.get("/scorecard").expect(200);
    assert_eq!((&card["corrections"], &card["corrections_total"]), (&json!(listed), &json!(2)));
    let before = listed[1]["seq"].as_u64().expect("a seq") - 1;
    let then = played.get(&format!("/scorecard?at={before}&as_known_at={before}")).expect(200);
    assert_eq!(then["corrections"], json!([listed[0]]));
    // An audit, which has the log alone and decides every event again, tells what it always did.
    for entry in played.audits_clean()["corrections"].as_array().expect("corrections") {
        assert_eq!([entry.get("at"), entry.get("difference")], [None, None]);
    }
});

on_both_stores!(a_proposed_correction_has_a_time_and_changes_nothing_yet, |service| {
    let sides = Sides::in_play(service.client(), &remote(2));
    sides.choose_as_dealt();
    (0..3).for_each(|_| drop(sides.home.post("/balls", &json!({})).expect(201)));
    sides.home.post("/corrections", &undo(3)).expect(201);
    let event = sides.scorer.events().pop().expect("an event");
    let proposed = list(&sides.scorer).pop().expect("a proposal");
    assert_eq!((&proposed["at"], proposed.get("difference")), (&event["at"], None));
    assert_eq!(sides.scorer.get("/scorecard").expect(200).get("corrections"), None);
    assert_eq!(sides.scorer.view()["proposed"], proposed);
    sides.away.post("/corrections/1/consent", &json!({})).expect(201);
    let sentence = told(&sides.scorer);
    assert!(sentence.starts_with("0.3 is void."), "{sentence}");
    let made = list(&sides.scorer).pop().expect("the correction");
    assert_eq!(made["at"], sides.scorer.events().pop().expect("an event")["at"]);
});

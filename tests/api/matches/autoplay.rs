//! `POST /v1/matches/{id}/autoplay`

use serde_json::{Value, json};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Match, chained, seeded, table, with};

fn autoplay(played: &Match, until: &str) -> Value {
    played.post("/autoplay", &json!({"until": until})).expect(201)
}

fn kinds(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["kind"].as_str().expect("a kind")).collect()
}

on_both_stores!(a_ball_before_the_toss_brings_toss_decision_and_over_with_it, |service| {
    let played = service.create(&seeded(2));
    let done = autoplay(&played, "ball");
    let events = played.events();
    assert_eq!(kinds(&events), ["match_created", "toss", "toss_decided", "over", "ball"]);
    assert_eq!(done["appended"], 4);
    let toss = &events[1]["data"];
    assert_eq!((&toss["caller"], &toss["call"]), (&json!("home"), &json!("heads")));
    assert_eq!(events[2]["data"], json!({"by": toss["winner"], "to": "bat"}));
    assert_eq!(autoplay(&played, "ball")["appended"], 1);
    let view = played.view();
    for member in ["score", "next", "head"] {
        assert_eq!(autoplay(&played, "ball")[member], played.view()[member]);
    }
    assert_ne!(view["head"], played.view()["head"]);
});

on_both_stores!(it_plays_to_the_end_of_the_over_the_innings_and_the_match, |service| {
    let played = service.create(&seeded(3));
    let done = autoplay(&played, "over");
    assert_eq!(
        (&done["next"]["what"], &done["score"]["innings"][0]["overs"]),
        (&json!("over"), &json!("1.0"))
    );
    // From within an over it plays to the end of that over.
    autoplay(&played, "ball");
    let done = autoplay(&played, "over");
    assert_eq!(done["score"]["innings"][0]["overs"], "2.0");
    let done = autoplay(&played, "innings");
    assert_eq!(done["score"]["innings"].as_array().map(Vec::len), Some(1));
    assert!(done["score"]["target"].is_u64(), "the first innings is over");
    let before = played.events().len() as u64;
    let done = autoplay(&played, "match");
    let events = played.events();
    assert_eq!(done["next"]["kind"], "over");
    assert_eq!(done["appended"], events.len() as u64 - before);
    assert_eq!(events.last().map(|event| &event["kind"]), Some(&json!("match_completed")));
    chained(&events);
});

on_both_stores!(a_whole_match_at_once_is_the_match_played_ball_by_ball, |service| {
    let request = with(seeded(2), "/seed", json!("ab".repeat(32)));
    let (at_once, by_balls) = (service.create(&request), service.create(&request));
    autoplay(&at_once, "match");
    while by_balls.view()["status"] != "completed" {
        autoplay(&by_balls, "ball");
    }
    let play_of = |played: &Match| -> Vec<Value> {
        played.events().iter().map(|event| json!([event["kind"], event["data"], event["actor"]])).collect()
    };
    assert_eq!(play_of(&at_once), play_of(&by_balls));
    at_once.audits_clean();
});

on_both_stores!(earlier_choices_stand, |service| {
    let played = service.create(&seeded(1));
    played.begin();
    played.post("/overs", &json!({"bowler": "Lyon", "openers": ["Knott", "Jessop"]})).expect(201);
    autoplay(&played, "over");
    let events = played.events();
    let outcome = &events[4]["data"]["outcome"];
    assert_eq!((&outcome["bowler"], &outcome["striker"]), (&json!("Lyon"), &json!("Knott")));
});

on_both_stores!(dice_of_the_table_cannot_be_played_for_the_players, |service| {
    let played = service.create(&table(1));
    let refused = service.untouched_by(played.posting("/autoplay", &json!({"until": "ball"})));
    refused.refused(422, "illegal-input").says(&["table"]);
    played.play_step();
});

on_both_stores!(autoplay_says_how_far_it_can_go, |service| {
    let played = service.create(&seeded(1));
    let refused = service.untouched_by(played.posting("/autoplay", &json!({"until": "tea"})));
    refused.refused(422, "illegal-input").at("body.until").says(&["ball", "over", "innings", "match"]);
    service
        .untouched_by(played.posting("/autoplay", &json!({})))
        .refused(422, "needs-input")
        .says(&["until"]);
    played.play_step();
});

on_both_stores!(after_the_end_nothing_is_played, |service| {
    let played = service.create(&seeded(1));
    autoplay(&played, "match");
    service.untouched_by(played.posting("/autoplay", &json!({"until": "ball"}))).refused(409, "seed-open");
});

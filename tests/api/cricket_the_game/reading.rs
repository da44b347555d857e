//! Rolls and reviews in every read: as of an event, in the stream, in the list of matches, and after a match
//! is given up.

use serde_json::{Value, json};

use super::duellists::Recorder;
use super::seeded::{until, waiting};
use super::table::{LBW, appeal, dot, pace};
use super::{AFTER_DICE, begin, drs, list, of_kind, seeded, table, text, waits_for};
use third_umpire_test_support::service::{Match, step};
use third_umpire_test_support::{on_both_stores, on_own_stores};

const PAGES: [&str; 6] =
    ["/scorecard", "/fall-of-wickets", "/commentary", "/deliveries", "/replay", "/reviews"];

fn pages(played: &Match, query: &str) -> Vec<String> {
    PAGES.iter().map(|page| played.get(&format!("{page}{query}")).has_status(200).text().to_owned()).collect()
}

on_both_stores!(every_page_of_the_past_is_the_page_that_was_served_then, |service| {
    for request in [table("t20"), drs(seeded("t10", "5eed"), "on")] {
        let played = service.create(&request);
        let mut recorder = Recorder::new(&played, 8);
        let mut watched = Vec::new();
        let of = |kind: &str| of_kind(&played.events(), kind).count();
        while watched.len() < 45 || of("review") + of("roll") == 0 {
            assert!(watched.len() < 150, "nothing is reviewed, and nobody has to decide");
            recorder.play_step();
            watched.push((played.head().seq, pages(&played, "")));
        }
        for (seq, then) in &watched {
            assert_eq!(pages(&played, &format!("?at={seq}")), *then, "at {seq}");
        }
    }
});

on_both_stores!(a_review_is_known_from_its_event_on, |service| {
    let played = pace(service, &table("t20"));
    played.post("/balls", &appeal(LBW, 6)).expect(201);
    let before = played.head().seq;
    played.post("/reviews", &json!({"by": "home", "dice": [5]})).expect(201);
    dot(&played);
    let wickets = |query: &str| {
        played.get(&format!("/scorecard{query}")).expect(200)["innings"][0]["total"]["wickets"].clone()
    };
    assert_eq!(
        (wickets(&format!("?at={before}")), wickets(&format!("?at={}", before + 1)), wickets("")),
        (json!(1), json!(0), json!(0))
    );
    let reviews = |query: &str| list(&played.get(&format!("/reviews{query}")).expect(200)["reviews"]).len();
    assert_eq!((reviews(&format!("?at={before}")), reviews(&format!("?at={}", before + 1))), (0, 1));
    // The ball as it was known then differs from the ball as it is known now, after the review was voided.
    let seq = before + 1;
    let correction = json!({"voids_from_seq": seq, "reason": "the die was cocked"});
    played.post("/corrections", &correction).expect(201);
    assert_eq!(reviews(""), 0);
    assert_eq!(reviews(&format!("?at={seq}&as_known_at={seq}")), 1);
    assert_eq!(wickets(&format!("?at={seq}&as_known_at={seq}")), 0);
    assert_eq!(wickets(""), 1);
    played.audits_clean();
});

on_both_stores!(rolls_and_reviews_are_in_the_stream, |service| {
    let played = service.create(&seeded("t20", "5eed"));
    begin(&played);
    let mut stream = played.client.request("GET", &played.path("/events/stream")).follow();
    until(&played, &AFTER_DICE);
    until(&played, &["review"]);
    let next = waits_for(&played);
    played.post("/reviews", &json!({"by": next["side"]})).expect(201);
    let events = played.events();
    assert_eq!(stream.take(events.len()), events);
    assert!(of_kind(&events, "roll").count() > 0 && of_kind(&events, "review").count() == 1);
});

on_own_stores!(while_a_ball_waits_the_match_is_in_play_as_it_was, |deployment| {
    let (played, next) = waiting(deployment, "t20");
    let view = played.view();
    assert_eq!(
        (&view["status"], view.get("result").unwrap_or(&Value::Null)),
        (&json!("in_play"), &Value::Null)
    );
    let listed = deployment.client().get("/v1/matches?status=in_play&game=cricket-the-game").expect(200);
    assert_eq!(listed["matches"][0]["id"], played.id.as_str());
    assert_eq!(listed["matches"][0]["score"], view["score"]);
    let events = played.events();
    let bowled: Vec<&Value> = of_kind(&events, "ball").collect();
    let runs: u64 = bowled.iter().filter_map(|ball| ball["outcome"]["runs"]["total"].as_u64()).sum();
    assert_eq!(view["score"]["innings"][0]["runs"], runs, "a roll scores nothing");
    assert_eq!(view["next"], next);
    assert!(text(&played.get("/commentary").expect(200)["lines"][events.len() - 1]["text"]).len() > 5);
    let card = played.get("/scorecard").expect(200);
    let before = played.get(&format!("/scorecard?at={}", events.len() - 1)).expect(200);
    assert_eq!(card["innings"], before["innings"]);
});

on_both_stores!(a_match_is_given_up_in_the_middle_of_a_ball, |service| {
    let (played, next) = waiting(service, "t20");
    let given_up = played.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    assert_eq!(step(&given_up["next"]), json!({"kind": "over", "result": null}));
    let name = text(&next["what"]);
    let answer = json!({"choices": {name: next["legal"][0]}});
    assert_eq!(service.untouched_by(played.posting("/balls", &answer)).status, 409);
    assert!(played.get("/log").text().contains("match_seed"), "the seeds are open");
    played.audits_clean();
    let open = service.create(&seeded("t20", "5eed"));
    begin(&open);
    until(&open, &["review"]);
    open.post("/abandonment", &json!({"reason": "bad light"})).expect(201);
    open.audits_clean();
    assert_eq!(open.view()["status"], "abandoned");
});

on_both_stores!(the_status_is_created_until_the_toss_is_decided, |service| {
    let played = service.create(&table("t10"));
    assert_eq!(played.view()["status"], "created");
    played.post("/set-up", &json!({"pitch": "pace"})).expect(201);
    assert_eq!(
        (played.view()["status"].clone(), waits_for(&played)["what"].clone()),
        (json!("created"), json!("toss"))
    );
    let commentary = played.get("/commentary").expect(200).to_string();
    assert!(commentary.contains("set up"), "{commentary}");
    played.begin();
    assert_eq!(played.view()["status"], "in_play");
});

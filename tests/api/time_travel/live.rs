//! Followers of a match and of its list, who follow its corrections, too.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{PAGES, STEPS, again, begun, last_of};
use crate::matches::disputes::{agree, amend, dispute, five_balls, rule, seeded_balls, undo};
use third_umpire_test_support::service::{
    Deployment, EventStream, Match, Service, Sides, chained, remote, table, until, with,
};
use third_umpire_test_support::{on_both_stores, on_own_stores};

/// Follows a match from after an event on.
fn follow(played: &Match, after: u64) -> EventStream {
    played.client.request("GET", &played.path(&format!("/events/stream?after={after}"))).follow()
}

fn kinds(events: &[Value]) -> Vec<&str> {
    events.iter().filter_map(|event| event["kind"].as_str()).collect()
}

on_both_stores!(a_subscriber_gets_the_correction_and_the_balls_decided_again, |service| {
    let played = five_balls(service);
    let mut stream = follow(&played, played.head().seq);
    let amended = amend(&played, 3, &[2, 1]);
    let seen = stream.take(4);
    assert_eq!(json!(seen), amended["events"]);
    assert_eq!(kinds(&seen), ["correction", "ball", "ball", "ball"]);
    let deliveries: Vec<u64> =
        seen[1..].iter().filter_map(|event| event["data"]["delivery"].as_u64()).collect();
    assert_eq!(deliveries, [3, 4, 5]);
    let undone = undo(&played, 5);
    assert_eq!(json!(stream.take(1)), undone["events"]);
    dispute(&played, 1);
    agree(&played, 1);
    rule(&played, 1, "as_stood");
    let seen = stream.take(7);
    let due = ["dispute", "correction", "ball", "ball", "ball", "ball", "dispute_ruled"];
    assert_eq!(kinds(&seen), due);
});

on_own_stores!(corrections_another_instance_made_are_in_the_stream_too, |deployment| {
    let here = five_balls(deployment);
    let service = deployment.serve();
    let there = here.through(service.client());
    let from = here.head().seq;
    let mut streams = [follow(&here, from), follow(&there, from)];
    let mut due: Vec<Value> = Vec::new();
    for answer in [amend(&here, 2, &[2, 2]), undo(&there, 5), there.bowl(&[2, 4]), amend(&here, 5, &[2, 1])] {
        due.extend(answer["events"].as_array().expect("events").iter().cloned());
    }
    for stream in &mut streams {
        assert_eq!(stream.take(due.len()), due);
    }
    chained(&there.events());
});

on_both_stores!(who_lost_his_stream_amid_a_correction_gets_the_rest_of_it, |service| {
    let played = five_balls(service);
    amend(&played, 2, &[2, 2]);
    let correction = last_of(&played, "correction");
    let events = played.events();
    for last in [correction - 1, correction, correction + 2] {
        let request = played.client.request("GET", &played.path("/events/stream"));
        let mut resumed = request.header("Last-Event-ID", &last.to_string()).follow();
        let due = &events[last as usize..];
        assert_eq!(resumed.take(due.len()), due, "after {last}");
    }
});

on_both_stores!(a_stream_from_the_beginning_is_the_whole_log_with_what_is_void, |service| {
    let played = begun(service);
    let mut stream = follow(&played, 0);
    STEPS.iter().for_each(|step| step(&played));
    let events = played.events();
    assert_eq!(stream.take(events.len()), events);
    chained(&events);
});

on_both_stores!(the_stream_shows_both_sides_a_proposal_and_its_consent, |service| {
    let sides = Sides::in_play(service.client(), &remote(2));
    sides.choose_as_dealt();
    sides.bowl_over();
    let from = sides.scorer.head().seq;
    let mut stream = follow(&sides.scorer, from);
    sides.home.post("/corrections", &json!({"voids_from": 2, "reason": "the wrong cube"})).expect(201);
    assert_eq!(sides.scorer.view()["proposed"]["number"], 1);
    sides.away.post("/corrections/1/consent", &json!({})).expect(201);
    let due = ["correction_proposed", "correction_consented", "correction"];
    assert_eq!(kinds(&stream.take(3)), due);
    assert_eq!(sides.scorer.view().get("proposed"), None);
});

/// The pages of a match that have an entity tag.
const TAGGED: [&str; 11] = [
    "",
    "/scorecard",
    "/fall-of-wickets",
    "/commentary",
    "/deliveries",
    "/deliveries/1",
    "/luck",
    "/replay",
    "/disputes",
    "/corrections",
    "/disputes/1",
];

on_own_stores!(every_tag_changes_with_a_correction_and_with_a_dispute, |deployment| {
    let played = five_balls(deployment);
    dispute(&played, 1);
    let mut seen: Vec<BTreeSet<String>> = vec![BTreeSet::new(); TAGGED.len()];
    let (mut lists, steps) = (BTreeSet::new(), 6);
    for step in 0..=steps {
        match step {
            0 => {}
            1 => drop(amend(&played, 2, &[2, 2])),
            2 => drop(undo(&played, 4)),
            3 => drop(played.bowl(&[2, 1])),
            4 => drop(dispute(&played, 4)),
            5 => drop(agree(&played, 4)),
            _ => drop(rule(&played, 2, "as_stood")),
        }
        for (path, seen) in TAGGED.iter().zip(&mut seen) {
            let tag = played.get(path).tag().to_owned();
            again(&played, path, &tag).has_status(304);
            assert!(seen.insert(tag), "{path} has the tag of an earlier step at step {step}");
        }
        assert!(lists.insert(deployment.client().get("/v1/matches").tag().to_owned()));
    }
});

/// The entry of the match list that this query selects, if there is one.
fn listed(deployment: &Deployment, query: &str) -> Option<Value> {
    let page = deployment.client().get(&format!("/v1/matches{query}")).expect(200);
    page["matches"].as_array().expect("a list").first().cloned()
}

/// Asserts that the list agrees with the match.
#[track_caller]
fn list_agrees(deployment: &Deployment, played: &Match) {
    let (entry, view) = (listed(deployment, "").expect("the match is listed"), played.view());
    for member in ["status", "score", "result", "head"] {
        assert_eq!(entry[member], view[member], "{member}");
    }
    for status in ["created", "in_play", "completed", "abandoned"] {
        let query = format!("?status={status}&team=Reds");
        assert_eq!(listed(deployment, &query).is_some(), view["status"] == status, "{query}");
        assert_eq!(listed(deployment, &format!("?status={status}&team=Greens")), None);
    }
}

/// A match between Reds and Mill Lane that was won by a single.
fn won(service: &Service) -> Match {
    let played = service.create(&with(table(1), "/home/name", json!("Reds")));
    played.begin();
    (0..6).for_each(|_| drop(played.bowl(&[2, 3])));
    played.bowl(&[2, 1]);
    assert_eq!(played.view()["status"], "completed");
    played
}

on_own_stores!(the_match_list_follows_every_correction, |deployment| {
    let played = won(deployment);
    list_agrees(deployment, &played);
    undo(&played, 7);
    assert_eq!(played.view()["status"], "in_play");
    list_agrees(deployment, &played);
    played.bowl(&[2, 4]);
    assert_eq!(played.view()["status"], "completed");
    list_agrees(deployment, &played);
    // A four does not win any more after this.
    amend(&played, 1, &[2, 6]);
    assert_eq!(played.view()["status"], "in_play");
    list_agrees(deployment, &played);
    undo(&played, 1);
    list_agrees(deployment, &played);
    played.post("/corrections", &json!({"voids_from_seq": 2, "reason": "the coin was bent"})).expect(201);
    assert_eq!(played.view()["status"], "created");
    list_agrees(deployment, &played);
    played.play_step();
    list_agrees(deployment, &played);
});

on_own_stores!(a_match_given_up_at_a_table_is_taken_up_again, |deployment| {
    let played = deployment.create(&with(table(1), "/home/name", json!("Reds")));
    played.begin().bowl(&[2, 4]);
    played.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    list_agrees(deployment, &played);
    let end = played.head().seq;
    played.post("/corrections", &json!({"voids_from_seq": end, "reason": "the sun is out"})).expect(201);
    list_agrees(deployment, &played);
    played.play_step();
    list_agrees(deployment, &played);
});

on_own_stores!(the_other_instance_lists_and_shows_the_corrected_match_soon, |deployment| {
    let here = won(deployment);
    let service = deployment.serve();
    let there = here.through(service.client());
    assert_eq!(there.view()["status"], "completed");
    for _ in 0..2 {
        undo(&here, 7);
        until("the other instance shows the match in play", || there.view() == here.view());
        assert_eq!(there.view()["status"], "in_play");
        for page in PAGES {
            assert_eq!(there.get(page).text(), here.get(page).text());
        }
        there.bowl(&[2, 2]);
        until("this instance shows its end", || here.view()["status"] == "completed");
    }
    let entry = service.client().get("/v1/matches").expect(200)["matches"][0].clone();
    assert_eq!((&entry["status"], &entry["head"]), (&json!("completed"), &here.view()["head"]));
});

on_both_stores!(commentary_goes_on_in_one_line_an_event_with_void_ones_struck, |service| {
    let played = five_balls(service);
    let untouched = played.get("/commentary").expect(200);
    let lines = |body: &Value| body["lines"].as_array().expect("lines").clone();
    assert!(lines(&untouched).iter().all(|line| line["void"].is_null()));
    amend(&played, 4, &[2, 2]);
    let correction = last_of(&played, "correction");
    let commentary = lines(&played.get("/commentary").expect(200));
    let seqs: Vec<u64> = commentary.iter().filter_map(|line| line["seq"].as_u64()).collect();
    assert_eq!(seqs, (1..=played.head().seq).collect::<Vec<u64>>());
    for (line, before) in commentary.iter().zip(lines(&untouched)) {
        assert_eq!(
            (&line["text"], &line["ball"]),
            (&before["text"], &before["ball"]),
            "no other line changes"
        );
        let seq = line["seq"].as_u64().expect("a seq");
        let due = if (8..10).contains(&seq) { json!(correction) } else { Value::Null };
        assert_eq!(line["void"], due, "event {seq}");
    }
    assert!(commentary[correction as usize..].iter().all(|line| line["void"].is_null()));
    // A correction of a correction voids what the first one brought.
    undo(&played, 4);
    let commentary = lines(&played.get("/commentary").expect(200));
    let by: Vec<&Value> = commentary[correction as usize..].iter().map(|line| &line["void"]).collect();
    assert_eq!(by, [&json!(correction + 3), &json!(correction + 3), &Value::Null]);
    assert_eq!(commentary[8]["void"], correction, "the event was void already");
});

on_both_stores!(a_seeded_match_taken_back_and_bowled_again_is_followed, |service| {
    let played = seeded_balls(service, 3);
    let mut stream = follow(&played, played.head().seq);
    undo(&played, 2);
    let bowled = played.ball();
    let seen = stream.take(2);
    assert_eq!(kinds(&seen), ["correction", "ball"]);
    assert_eq!((&seen[1], &seen[0]["data"]["dice_seen"]), (&bowled["events"][0], &json!(true)));
});

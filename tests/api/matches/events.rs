//! `GET /v1/matches/{id}/events`, `/events/{seq}` and `/log`

use serde_json::{Value, json};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{
    CONTRACT, Head, Match, Service, chained, hash_of, seeded, table, tag_of,
};

/// A match of 16 events and more.
fn played_match(service: &Service) -> Match {
    let played = service.create(&table(1));
    played.begin();
    (0..5).for_each(|_| drop(played.bowl(&[2, 3])));
    played.bowl(&[2, 1]);
    (0..6).for_each(|_| drop(played.bowl(&[2, 3])));
    played
}

fn seqs(page: &Value) -> Vec<u64> {
    let events = page["events"].as_array().expect("a page has events");
    events.iter().map(|event| event["seq"].as_u64().expect("a seq")).collect()
}

on_both_stores!(an_event_has_its_envelope_and_nothing_else, |service| {
    let played = service.create(&seeded(1));
    played.begin().ball();
    for event in played.events() {
        let members: Vec<&String> = event.as_object().expect("an event is an object").keys().collect();
        assert_eq!(members, ["actor", "at", "data", "hash", "kind", "match", "prev", "seq", "v"]);
        let at = event["at"].as_str().expect("a time");
        assert_eq!((at.len(), &at[10..11], &at[19..20], &at[23..]), (24, "T", ".", "Z"), "{at}");
        assert_eq!(
            (&event["match"], &event["actor"], &event["v"]),
            (&json!(played.id), &json!("scorer"), &json!(1))
        );
    }
});

on_both_stores!(every_event_is_chained_to_the_one_before_by_its_canonical_form, |service| {
    let played = played_match(service);
    let events = played.events();
    chained(&events);
    let head = played.head();
    let last = events.last().expect("there are events");
    assert_eq!((head.hash.as_str(), head.seq), (last["hash"].as_str().expect("a hash"), events.len() as u64));
    assert_eq!(events[0]["prev"], "");
});

on_both_stores!(pages_of_events_follow_each_other_without_a_gap, |service| {
    let played = played_match(service);
    let (mut found, mut after) = (Vec::new(), Some(0));
    while let Some(from) = after {
        let page = played.get(&format!("/events?after={from}&limit=4")).expect(200);
        assert!(seqs(&page).len() <= 4);
        assert_eq!(Head::of(&page), played.head());
        found.extend(seqs(&page));
        after = page["next_after"].as_u64();
    }
    assert_eq!(found, (1..=played.head().seq).collect::<Vec<u64>>());
});

on_both_stores!(after_the_last_event_comes_an_empty_page, |service| {
    let played = played_match(service);
    for after in [played.head().seq, 1_000_000] {
        let page = played.get(&format!("/events?after={after}")).expect(200);
        assert_eq!((&page["events"], &page["next_after"]), (&json!([]), &Value::Null));
    }
    let page = played.get(&format!("/events?after={}", played.head().seq - 1)).expect(200);
    assert_eq!((seqs(&page).len(), &page["next_after"]), (1, &Value::Null));
});

on_both_stores!(one_event_is_the_one_in_the_list, |service| {
    let played = played_match(service);
    for event in played.events() {
        let answer = played.get(&format!("/events/{}", event["seq"]));
        assert_eq!(answer.expect(200), event);
        assert_eq!(answer.tag(), tag_of(event["hash"].as_str().expect("an event has a hash")));
    }
});

on_both_stores!(the_log_file_has_an_event_a_line_each_in_canonical_form, |service| {
    let played = played_match(service);
    let answer = played.get("/log");
    assert_eq!(answer.essence(), "application/x-ndjson");
    assert_eq!(
        answer.header("content-disposition"),
        format!("attachment; filename=\"{}.ndjson\"", played.id)
    );
    assert_eq!(answer.tag(), tag_of(&played.head().hash));
    assert!(answer.text().ends_with("}\n"));
    let mut events = Vec::new();
    for line in answer.text().lines() {
        let event: Value = serde_json::from_str(line).expect("a line is JSON");
        assert_eq!(
            serde_json_canonicalizer::to_string(&event).expect("the event has a canonical form"),
            line
        );
        CONTRACT.check_event(&event);
        events.push(event);
    }
    assert_eq!(events, played.events());
});

on_both_stores!(a_log_of_many_pages_is_whole, |service| {
    let played = service.create(&seeded(50));
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    let log = played.get("/log");
    let events: Vec<Value> =
        log.text().lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    chained(&events);
    assert_eq!(events.len() as u64, played.head().seq);
    assert_eq!(events.last().expect("an event")["hash"], hash_of(events.last().expect("an event")));
});

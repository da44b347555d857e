//! `GET /v1/matches/{id}/events/stream`

use serde_json::{Value, json};
use third_umpire_test_support::service::{
    Deployment, EventStream, FaultyService, Match, chained, seeded, table,
};
use third_umpire_test_support::{on_both_stores, on_own_stores};

fn follow(played: &Match, query: &str) -> EventStream {
    played.client.request("GET", &played.path(&format!("/events/stream{query}"))).follow()
}

fn follow_from(played: &Match, last_event_id: &str) -> EventStream {
    let path = played.path("/events/stream?after=1");
    played.client.request("GET", &path).header("Last-Event-ID", last_event_id).follow()
}

on_both_stores!(a_stream_begins_with_what_there_is_and_goes_on_with_what_comes, |service| {
    let played = service.create(&table(1));
    played.begin();
    let mut stream = follow(&played, "");
    assert_eq!(stream.take(3), played.events());
    let bowled = played.bowl(&[2, 4]);
    assert_eq!(json!(stream.take(2)), bowled["events"]);
    let bowled = played.bowl(&[2, 5]);
    assert_eq!(json!(stream.take(1)), bowled["events"]);
});

on_both_stores!(every_subscriber_gets_every_event_once_and_in_order, |service| {
    let played = service.create(&seeded(2));
    let subscribers: Vec<_> = (0..5)
        .map(|_| {
            let mut stream = follow(&played, "");
            std::thread::spawn(move || {
                let mut events: Vec<Value> = Vec::new();
                while events.last().is_none_or(|last| last["kind"] != "match_completed") {
                    events.extend(stream.next_event());
                }
                events
            })
        })
        .collect();
    while played.view()["status"] != "completed" {
        played.post("/autoplay", &json!({"until": "ball"})).expect(201);
    }
    let events = played.events();
    for subscriber in subscribers {
        assert_eq!(subscriber.join().expect("the stream is followed to the end"), events);
    }
});

on_both_stores!(three_hundred_boards_of_a_match_hear_each_ball, |service| {
    let played = service.create(&table(2));
    played.begin().bowl(&[2, 1]);
    let after = format!("?after={}", played.head().seq);
    let mut boards: Vec<EventStream> = (0..300).map(|_| follow(&played, &after)).collect();
    for dice in [[2, 4], [2, 5], [2, 6]] {
        played.bowl(&dice);
        // Whoever scores is answered while all of them are told.
        let view = played.view();
        for board in &mut boards {
            let told = board.next_event().expect("an event");
            assert_eq!((&told["seq"], &told["hash"]), (&view["head"]["seq"], &view["head"]["hash"]));
        }
    }
});

on_both_stores!(a_client_that_lost_its_stream_goes_on_after_the_last_event_it_has, |service| {
    let played = service.create(&table(1));
    played.begin().bowl(&[2, 3]);
    let events = played.events();
    let mut stream = follow(&played, "");
    stream.take(2);
    drop(stream);
    played.bowl(&[2, 4]);
    let mut resumed = follow_from(&played, "2");
    let mut rest = resumed.take(4);
    assert_eq!(rest[..3], events[2..]);
    let bowled = played.bowl(&[2, 6]);
    rest.extend(resumed.take(1));
    assert_eq!(rest.last(), bowled["events"].get(0));
    assert_eq!(follow(&played, "?after=4").take(1), events[4..]);
});

on_both_stores!(who_has_everything_waits_for_what_comes, |service| {
    let played = service.create(&table(1));
    played.begin();
    let mut stream = follow_from(&played, "3");
    let bowled = played.bowl(&[2, 3]);
    assert_eq!(json!(stream.take(2)), bowled["events"]);
});

on_own_stores!(events_another_instance_wrote_are_in_the_stream_too, |deployment| {
    let here = deployment.create(&table(1));
    here.begin();
    let service = deployment.serve();
    let there = here.through(service.client());
    let mut streams = [follow(&here, "?after=3"), follow(&there, "?after=3")];
    let mut due: Vec<Value> = Vec::new();
    for (n, instance) in [&here, &there, &there, &here].into_iter().enumerate() {
        let bowled = instance.bowl(&[2, 1 + n as i64 % 2]);
        due.extend(bowled["events"].as_array().expect("events").iter().cloned());
    }
    for stream in &mut streams {
        assert_eq!(stream.take(due.len()), due);
    }
});

on_own_stores!(a_stream_ends_when_the_service_stops, |deployment| {
    let service = deployment.serve();
    let played = Match::create(service.client(), &table(1));
    let mut stream = follow(&played, "");
    stream.take(1);
    service.terminate();
    assert_eq!(stream.next_event(), None);
    assert_eq!(service.ended(), Some(0));
});

on_both_stores!(a_stream_says_from_where_it_can_begin, |service| {
    let played = service.create(&table(1));
    let get = |path: &str| played.client.request("GET", &played.path(path));
    get("/events/stream?after=x").send().refused(400, "invalid-parameter").at("query.after");
    let refused = get("/events/stream").header("Last-Event-ID", "latest").send();
    refused.refused(400, "invalid-parameter").at("header.Last-Event-ID").says(&["seq"]);
    follow(&played, "").take(1);
});

on_both_stores!(whoever_has_more_than_there_is_is_told_the_head_and_goes_on_from_there, |service| {
    let played = service.create(&table(1));
    played.begin();
    let mut streams = [follow_from(&played, "7"), follow(&played, "?after=18446744073709551615")];
    for stream in &mut streams {
        assert_eq!(stream.reset(), played.head());
    }
    let bowled = played.bowl(&[2, 4]);
    for stream in &mut streams {
        assert_eq!(json!(stream.take(2)), bowled["events"]);
    }
});

/// Restores the store to where the log of a match ended in this event; without the match before its first.
fn put_back(deployment: &Deployment, played: &Match, seq: u64) {
    deployment.database().drop_triggers();
    let of_match = format!("where match_id = {}", deployment.database().id(&played.id));
    let head = match seq {
        0 => format!("delete from heads {of_match}"),
        _ => format!(
            "update heads set seq = {seq}, hash = (select hash from events {of_match} and seq = {seq}) {of_match}"
        ),
    };
    let statements = format!("begin; {head}; delete from events {of_match} and seq > {seq}; commit");
    deployment.database().run(&statements).expect("the owner can");
}

on_own_stores!(whoever_comes_back_after_the_store_was_put_back_is_told_so, |deployment| {
    let service = deployment.serve();
    let played = Match::create(service.client(), &table(1));
    played.begin().bowl(&[2, 4]);
    let last = follow(&played, "").take(5).pop().expect("an event");
    service.kill();
    put_back(deployment, &played, 3);
    let played = played.through(deployment.client());
    let mut stream = follow_from(&played, &last["seq"].to_string());
    let head = stream.reset();
    assert_eq!((head.seq, &head), (3, &played.head()));
    let bowled = played.bowl(&[2, 6]);
    let events = stream.take(2);
    assert_eq!((json!(events), &events[0]["prev"]), (bowled["events"].clone(), &json!(head.hash)));
});

on_own_stores!(whoever_follows_while_the_store_is_put_back_is_told_so, |deployment| {
    let played = deployment.create(&table(1));
    played.begin().bowl(&[2, 4]);
    let mut streams = [follow(&played, ""), follow(&played, "?after=4")];
    assert_eq!((streams[0].take(5).len(), streams[1].take(1).len()), (5, 1));
    put_back(deployment, &played, 3);
    for stream in &mut streams {
        assert_eq!(stream.reset().seq, 3);
    }
    let bowled = played.bowl(&[2, 6]);
    for stream in &mut streams {
        assert_eq!(json!(stream.take(2)), bowled["events"]);
    }
    chained(&played.events());
});

on_own_stores!(a_stream_of_a_match_that_was_not_there_when_the_store_was_put_back_ends, |deployment| {
    let played = deployment.create(&table(1));
    let mut stream = follow(&played, "");
    stream.take(1);
    put_back(deployment, &played, 0);
    assert_eq!(stream.next_event(), None);
    played.get("/events/stream").refused(404, "no-such-match");
});

on_own_stores!(a_head_that_was_read_too_early_puts_nobody_back, |deployment| {
    let service = FaultyService::start(&deployment.database().url);
    let played = Match::create(service.client(), &table(1));
    let first = played.head();
    let bowled = played.begin().bowl(&[2, 4]);
    service.answers_old_head(first);
    let mut stream = follow_from(&played, "5");
    assert_eq!(service.old_heads_left(), 0, "the stream began with a head of long ago");
    let again = played.bowl(&[2, 6]);
    assert_eq!(json!(stream.take(1)), again["events"]);
    assert_eq!(again["events"][0]["prev"], bowled["head"]["hash"]);
});

//! The service is killed or stopped in the middle of its work.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use third_umpire_test_support::on_own_processes;
use third_umpire_test_support::service::{
    Client, Match, Process, RawRequest, chained, last_event, seeded, table, until,
};

/// Asserts that the log is whole: chained, audited, with the balls numbered without a gap.
#[track_caller]
fn holds(played: &Match) -> Vec<Value> {
    let events = played.events();
    chained(&events);
    let balls = events.iter().filter(|event| event["kind"] == "ball");
    for (due, ball) in (1..).zip(balls) {
        assert_eq!(ball["data"]["delivery"], due);
    }
    played.audits_clean();
    let at = events.len();
    assert_eq!(played.get("/scorecard").text(), played.get(&format!("/scorecard?at={at}")).text());
    events
}

on_own_processes!(killed_between_balls_it_goes_on_where_it_was, |deployment| {
    let mut service = deployment.serve();
    let mut played = Match::create(service.client(), &seeded(2));
    played.begin();
    for delivery in 1..=5 {
        let bowled = played.ball();
        service.kill();
        service = deployment.serve();
        played = played.through(service.client());
        assert_eq!(holds(&played).last(), Some(last_event(&bowled)));
        assert_eq!(played.view()["head"], bowled["head"], "delivery {delivery}");
        assert_eq!(played.view()["next"], bowled["next"]);
    }
    played.play_step();
});

/// The result of a burst of appends.
#[derive(Default)]
struct Burst {
    acknowledged: Mutex<Vec<Value>>,
    count: AtomicUsize,
}

/// Bowls ball after ball, each with a new key, until the service is gone; returns the keys.
fn bowl_until_it_is_gone(played: &Match, writer: usize, burst: &Burst) -> Vec<String> {
    let mut keys = Vec::new();
    loop {
        let key = format!("writer-{writer}-ball-{}", keys.len());
        keys.push(key.clone());
        let Ok(answer) = played.posting("/balls", &json!({})).key(&key).try_send() else { return keys };
        let events = answer.expect(201)["events"].as_array().expect("events").clone();
        burst.acknowledged.lock().expect("nobody panics with the lock").extend(events);
        burst.count.fetch_add(1, Ordering::SeqCst);
    }
}

/// Ends a service in a burst of appends, starts it again, and asserts that each acknowledged ball is stored
/// once.
pub fn end_in_a_burst<T>(serve: &dyn Fn() -> Process, end: impl FnOnce(Process) -> T) {
    let service = serve();
    let played = Match::create(service.client(), &seeded(50));
    played.begin();
    let burst = Arc::new(Burst::default());
    let write = |writer| {
        let (played, burst) = (played.clone(), Arc::clone(&burst));
        std::thread::spawn(move || bowl_until_it_is_gone(&played, writer, &burst))
    };
    let writers: Vec<_> = (0..4).map(write).collect();
    until("twenty balls are acknowledged", || burst.count.load(Ordering::SeqCst) >= 20);
    end(service);
    let keys: Vec<String> =
        writers.into_iter().flat_map(|one| one.join().expect("the request is answered")).collect();
    let service = serve();
    let played = played.through(service.client());
    let events = holds(&played);
    for acknowledged in burst.acknowledged.lock().expect("all writers are done").iter() {
        let seq = acknowledged["seq"].as_u64().expect("a seq") as usize;
        assert_eq!(events.get(seq - 1), Some(acknowledged), "an acknowledged event is gone");
    }
    // A client without an answer repeats its request: no ball is bowled twice, and none is missing.
    for key in &keys {
        played.posting("/balls", &json!({})).key(key).send().expect(201);
    }
    let balls = holds(&played).iter().filter(|event| event["kind"] == "ball").count();
    assert_eq!(balls, keys.len());
    played.play_step();
}

on_own_processes!(killed_in_a_burst_of_appends_it_has_every_acknowledged_ball_once, |deployment| {
    end_in_a_burst(&|| deployment.serve(), Process::kill);
});

on_own_processes!(told_to_stop_in_a_burst_of_appends_it_has_every_acknowledged_ball_once, |deployment| {
    end_in_a_burst(&|| deployment.serve(), |service| {
        service.terminate();
        assert_eq!(service.ended(), Some(0));
    });
});

on_own_processes!(killed_while_matches_are_created_it_has_them_whole_or_not_at_all, |deployment| {
    let service = deployment.serve();
    let client = service.client().clone();
    let created = Arc::new(Mutex::new(Vec::new()));
    let create = |client: Client| {
        let created = Arc::clone(&created);
        std::thread::spawn(move || {
            while let Ok(answer) = client.request("POST", "/v1/matches").json(&table(1)).try_send() {
                created.lock().expect("nobody panics with the lock").push(answer.expect(201));
            }
        })
    };
    let creators: Vec<_> = (0..3).map(|_| create(client.clone())).collect();
    until("ten matches are created", || created.lock().expect("nobody panics with the lock").len() >= 10);
    service.kill();
    creators.into_iter().for_each(|one| one.join().expect("the thread ends"));
    for created in created.lock().expect("all creators are done").iter() {
        let played = Match::created(deployment.client(), created);
        assert_eq!(played.view(), created["match"]);
    }
    let heads = deployment.database().texts("select cast(count(*) as text) from heads");
    for table in ["match_list", "events"] {
        let rows = deployment.database().texts(&format!("select cast(count(*) as text) from {table}"));
        assert_eq!(rows, heads, "{table} has a row a match");
    }
});

on_own_processes!(clients_that_hang_up_in_the_middle_break_nothing, |deployment| {
    let played = deployment.create(&seeded(50));
    played.begin();
    for _ in 0..10 {
        let requests: Vec<_> = (0..3).map(|_| RawRequest::begin(&played, "/balls", &json!({}))).collect();
        // The first client hangs up before its whole request is sent, the others before their answers.
        requests.into_iter().skip(1).for_each(RawRequest::abandon);
        played.ball();
    }
    // Requests that are still on their way are refused after this, so that the match does not change while it
    // is read.
    played.post("/abandonment", &json!({"reason": "nobody listens"})).expect(201);
    assert!(holds(&played).len() >= 15, "those who waited have their balls");
});

on_own_processes!(told_to_stop_it_finishes_what_is_in_flight, |deployment| {
    let service = deployment.serve();
    let played = Match::create(service.client(), &seeded(2));
    played.begin();
    let in_flight: Vec<_> = (0..3).map(|_| RawRequest::begin(&played, "/balls", &json!({}))).collect();
    service.terminate();
    until("no connection is accepted any more", || {
        std::net::TcpStream::connect(played.client.authority()).is_err()
    });
    for request in in_flight {
        assert_eq!(request.finish(), "HTTP/1.1 201 Created");
    }
    assert_eq!(service.ended(), Some(0));
    let played = played.through(deployment.client());
    assert_eq!(holds(&played).len(), 7, "three balls and their over");
    played.play_step();
});

on_own_processes!(told_to_stop_with_nothing_to_do_it_stops, |deployment| {
    let service = deployment.serve();
    Match::create(service.client(), &table(1)).play_step();
    service.terminate();
    assert_eq!(service.ended(), Some(0));
    assert_eq!(
        deployment.client().get("/v1/matches").expect(200)["matches"].as_array().map(Vec::len),
        Some(1)
    );
});

//! Two instances of the service on one database.

use serde_json::{Value, json};
use third_umpire_test_support::on_own_processes;
use third_umpire_test_support::service::{
    Deployment, Match, Process, chained, last_event, seeded, table, until,
};

/// A match, on two instances.
fn on_two_instances(deployment: &Deployment, request: &Value) -> (Match, Match, Process) {
    let here = deployment.create(request);
    let service = deployment.serve();
    let there = here.through(service.client());
    (here, there, service)
}

on_own_processes!(instances_take_turns_and_each_decides_on_what_the_other_wrote, |deployment| {
    let (here, there, _service) = on_two_instances(deployment, &table(2));
    here.post("/toss", &json!({"caller": "home", "call": "heads", "coin": "heads"})).expect(201);
    there.post("/toss/decision", &json!({"to": "bat"})).expect(201);
    here.post("/overs", &json!({"bowler": "Lyon"})).expect(201);
    for at in 0..6 {
        let instance = if at % 2 == 0 { &there } else { &here };
        let bowled = instance.bowl(&[2, 4]);
        assert_eq!(bowled["score"]["innings"][0]["runs"], 4 * (at + 1));
    }
    // The other instance knows who bowled last, whose over it is, and that a wicket fell.
    let again = deployment.untouched_by(there.posting("/overs", &json!({"bowler": "Lyon"})));
    again.refused(422, "illegal-input").by("howzat.over.consecutive");
    there.post("/overs", &json!({"bowler": "Marsh"})).expect(201);
    deployment.untouched_by(here.posting("/overs", &json!({}))).refused(409, "out-of-turn").says(&["Marsh"]);
    here.bowl(&[2, 5]);
    let named =
        there.post("/balls", &json!({"dice": [2, 3], "choices": {"next_batter": "Knott"}})).expect(201);
    assert_eq!(named["events"][0]["data"]["outcome"]["striker"], "Knott");
    chained(&here.events());
});

on_own_processes!(an_instance_shows_what_another_has_written, |deployment| {
    let (here, there, _service) = on_two_instances(deployment, &seeded(2));
    here.begin();
    for at in 0..6 {
        let (writer, reader) = if at % 2 == 0 { (&here, &there) } else { (&there, &here) };
        let head = writer.ball()["head"].clone();
        until("the other instance has the event", || reader.view()["head"] == head);
        for card in ["/scorecard", "/commentary", "/fall-of-wickets"] {
            assert_eq!(reader.get(card).text(), writer.get(card).text());
        }
    }
});

/// Bowls a ball, again after a conflict, with which the service has stored nothing.
fn persistent_ball(played: &Match) -> Value {
    loop {
        let answer = played.post("/balls", &json!({"dice": [2, 3]}));
        if answer.status != 503 {
            return answer.expect(201);
        }
        answer.refused(503, "contended");
        assert_eq!(answer.header("retry-after"), "1");
    }
}

on_own_processes!(instances_that_write_at_the_same_time_lose_and_double_nothing, |deployment| {
    // The balls bring neither wickets nor runs, so that the match outlasts the test.
    let (here, there, _service) = on_two_instances(deployment, &table(50));
    here.begin();
    let write = |played: &Match| {
        let played = played.clone();
        std::thread::spawn(move || -> Vec<Value> {
            let balls = (0..20).map(|_| persistent_ball(&played)["events"].clone());
            balls.flat_map(|events| events.as_array().expect("events").clone()).collect()
        })
    };
    let writers: Vec<_> = [&here, &there, &here, &there].into_iter().map(write).collect();
    let mut written: Vec<Value> =
        writers.into_iter().flat_map(|writer| writer.join().expect("all are bowled")).collect();
    written.sort_by_key(|event| event["seq"].as_u64());
    let events = there.events();
    assert_eq!(written, events[3..], "the answered events are in the log, once");
    assert_eq!(events.iter().filter(|event| event["kind"] == "ball").count(), 80);
    chained(&events);
    here.audits_clean();
    let folded = there.get(&format!("/scorecard?at={}", events.len()));
    until("the card that is shown is the one that is folded", || {
        here.get("/scorecard").text() == folded.text()
    });
});

on_own_processes!(one_of_many_simultaneous_balls_at_two_instances_is_taken, |deployment| {
    let (here, there, _service) = on_two_instances(deployment, &seeded(2));
    here.begin();
    let head = here.head();
    let send = |played: &Match| {
        let request = played.posting("/balls", &json!({})).if_match(&head.hash);
        std::thread::spawn(move || request.send().status)
    };
    let threads: Vec<_> = (0..30).map(|at| send(if at % 2 == 0 { &here } else { &there })).collect();
    let mut statuses: Vec<u16> =
        threads.into_iter().map(|one| one.join().expect("the request is answered")).collect();
    statuses.sort_unstable();
    assert_eq!((statuses[0], &statuses[1..]), (201, &[412; 29][..]));
    assert_eq!(there.events().len(), 5);
});

on_own_processes!(a_key_used_at_one_instance_is_known_at_the_other, |deployment| {
    let (here, there, _service) = on_two_instances(deployment, &seeded(2));
    here.begin();
    let send = |played: &Match, key: &str| {
        let request = played.posting("/balls", &json!({})).key(key);
        std::thread::spawn(move || request.send().expect(201))
    };
    let first = send(&here, "ball-1").join().expect("the request is answered");
    assert_eq!(send(&there, "ball-1").join().expect("the request is answered"), first);
    let threads: Vec<_> =
        (0..10).map(|at| send(if at % 2 == 0 { &here } else { &there }, "ball-2")).collect();
    let answers: Vec<Value> =
        threads.into_iter().map(|one| one.join().expect("the request is answered")).collect();
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    assert_eq!(here.events().len(), 6);
});

on_own_processes!(a_token_rotated_at_one_instance_is_closed_at_the_other, |deployment| {
    let (here, there, _service) = on_two_instances(deployment, &table(1));
    let rotate = here.client.request("POST", &here.path("/tokens/scorer/rotate")).token(&here.token);
    let token = rotate.send().expect(201)["token"].as_str().expect("a token").to_owned();
    let toss = json!({"caller": "home", "call": "heads", "coin": "heads"});
    deployment.untouched_by(there.posting("/toss", &toss)).refused(403, "token-refused");
    Match { token, ..there }.play_step();
});

on_own_processes!(a_match_that_ended_at_one_instance_has_ended_at_the_other, |deployment| {
    let (here, there, _service) = on_two_instances(deployment, &seeded(1));
    here.begin().ball();
    there.ball();
    here.post("/autoplay", &json!({"until": "match"})).expect(201);
    deployment.untouched_by(there.posting("/balls", &json!({}))).refused(409, "seed-open");
});

on_own_processes!(an_instance_that_comes_back_plays_on_where_the_other_stands, |deployment| {
    let (here, there, service) = on_two_instances(deployment, &seeded(2));
    here.begin();
    there.ball();
    service.kill();
    (0..3).for_each(|_| drop(here.ball()));
    let service = deployment.serve();
    let there = here.through(service.client());
    let bowled = there.ball();
    assert_eq!(last_event(&bowled)["data"]["delivery"], 5);
    chained(&here.events());
});

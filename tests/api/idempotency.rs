//! `Idempotency-Key`: a repeated request gets its answer again, and nothing happens twice.

use serde_json::{Value, json};
use third_umpire_test_support::service::{Answer, Match, Request, Service, chained, seeded, table};
use third_umpire_test_support::{on_both_stores, on_own_stores};

const KEYS: &[(&str, &[&str])] = &[("idempotency", &["actor", "key", "first_seq", "last_seq"])];

fn in_play(service: &Service) -> Match {
    let played = service.create(&seeded(5));
    played.begin();
    played
}

fn keyed(played: &Match, key: &str) -> Request {
    played.posting("/balls", &json!({})).key(key)
}

/// The parts of an answer that a repetition has to have again.
fn essentials(answer: &Answer) -> Value {
    answer.expect(201)
}

on_own_stores!(the_same_request_again_has_the_same_answer_and_is_one_append, |deployment| {
    let played = in_play(deployment);
    let first = essentials(&keyed(&played, "ball-1").send());
    let before = deployment.database().everything();
    assert_eq!(essentials(&keyed(&played, "ball-1").send()), first);
    assert_eq!(before, deployment.database().everything());
    assert_eq!(played.head().seq, 5);
    played.play_step();
});

on_both_stores!(long_after_the_match_has_moved_on_the_answer_is_still_the_first, |service| {
    let played = in_play(service);
    let first = essentials(&keyed(&played, "ball-1").send());
    (0..9).for_each(|_| drop(played.ball()));
    let head = played.head();
    assert_eq!(
        essentials(&keyed(&played, "ball-1").send()),
        first,
        "events, score, next and head as they were then"
    );
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    assert_eq!(essentials(&keyed(&played, "ball-1").send()), first);
    assert_ne!(played.head(), head);
    chained(&played.events());
});

on_both_stores!(the_key_is_looked_at_before_if_match, |service| {
    let played = in_play(service);
    let head = played.head();
    let request = || keyed(&played, "ball-1").if_match(&head.hash);
    let first = essentials(&request().send());
    assert_eq!(essentials(&request().send()), first, "a retry is no conflict");
    service.untouched_by(keyed(&played, "ball-2").if_match(&head.hash)).refused(412, "stale-head");
    played.play_step();
});

on_own_stores!(twenty_simultaneous_requests_with_one_key_get_one_ball, |deployment| {
    let played = in_play(deployment);
    let send = |request: Request| std::thread::spawn(move || essentials(&request.send()));
    let threads: Vec<_> = (0..20).map(|_| send(keyed(&played, "ball-1"))).collect();
    let answers: Vec<Value> =
        threads.into_iter().map(|one| one.join().expect("the request is answered")).collect();
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    assert_eq!(json!(played.events()[3..]), answers[0]["events"]);
    assert_eq!(deployment.database().rows(KEYS)["idempotency"].len(), 1);
    played.play_step();
});

on_both_stores!(the_same_key_for_another_request_is_refused, |service| {
    let played = service.create(&table(5));
    played.begin();
    let ball = |dice: Value| played.posting("/balls", &json!({"dice": dice})).key("ball-1");
    ball(json!([2, 4])).send().expect(201);
    for request in [
        ball(json!([2, 6])),
        ball(json!([2, 9])),
        played.posting("/abandonment", &json!({"reason": "rain"})).key("ball-1"),
        played.posting("/overs", &json!({"dice": [2, 4]})).key("ball-1"),
    ] {
        let refusal = service.untouched_by(request).refused(422, "idempotency-key-reused");
        refusal.at("header.Idempotency-Key").says(&["another request"]);
    }
    assert_eq!(ball(json!([2, 4])).send().expect(201)["head"]["seq"], 5);
    played.play_step();
});

on_both_stores!(a_refusal_is_not_remembered, |service| {
    let played = service.create(&table(5));
    let ball = |dice: Value| played.posting("/balls", &json!({"dice": dice})).key("ball-1");
    service.untouched_by(ball(json!([2, 3]))).refused(409, "out-of-turn");
    played.begin();
    service.untouched_by(ball(json!([2]))).refused(422, "needs-input");
    service.untouched_by(ball(json!([2, 7]))).refused(422, "illegal-input");
    service.untouched_by(ball(json!([2, 3])).if_match("0")).refused(412, "stale-head");
    assert_eq!(ball(json!([2, 3])).send().expect(201)["head"]["seq"], 5);
});

on_both_stores!(every_append_takes_a_key, |service| {
    let played = service.create(&seeded(5));
    for (path, body) in [
        ("/toss", json!({"caller": "home", "call": "heads"})),
        ("/toss/decision", json!({"to": "bat"})),
        ("/overs", json!({"bowler": "Dunn"})),
        ("/balls", json!({})),
        ("/autoplay", json!({"until": "over"})),
        ("/abandonment", json!({"reason": "rain"})),
    ] {
        // Whoever lost the toss bowls, so both sides have to be able to.
        let body = if path == "/overs" { json!({}) } else { body };
        let request = || played.posting(path, &body).key(path);
        let first = essentials(&request().send());
        let head = played.head();
        assert_eq!(essentials(&request().send()), first, "{path}");
        assert_eq!(played.head(), head, "{path} was done twice");
    }
    assert_eq!(played.view()["status"], "abandoned");
});

on_both_stores!(keys_belong_to_a_match, |service| {
    let (one, other) = (in_play(service), in_play(service));
    let first = essentials(&keyed(&one, "ball-1").send());
    assert_ne!(essentials(&keyed(&other, "ball-1").send())["events"], first["events"]);
    assert_eq!((one.head().seq, other.head().seq), (5, 5));
});

on_both_stores!(a_key_is_no_way_around_the_token, |service| {
    let played = in_play(service);
    keyed(&played, "ball-1").send().expect(201);
    let stranger = Match { token: "tu_stranger".to_owned(), ..played.clone() };
    service.untouched_by(keyed(&stranger, "ball-1")).refused(403, "token-refused");
});

on_own_stores!(a_key_holds_across_a_restart, |deployment| {
    let (first, played) = {
        let service = deployment.serve();
        let played = Match::create(service.client(), &seeded(5));
        played.begin();
        let first = essentials(&keyed(&played, "ball-1").send());
        service.kill();
        (first, played)
    };
    let played = played.through(deployment.client());
    assert_eq!(essentials(&keyed(&played, "ball-1").send()), first);
    played.play_step();
});

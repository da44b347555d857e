//! A store that fails after a write: the answer is made from the decision, and no answer says that nothing
//! was stored where something was.

use serde_json::{Value, json};
use third_umpire_test_support::on_own_stores;
use third_umpire_test_support::service::{
    Answer, Client, Deployment, Fault, FaultyService, Match, Refusal, Request, Sides, claiming, remote,
    seeded, table, with,
};

fn serve(deployment: &Deployment) -> FaultyService {
    FaultyService::start(&deployment.database().url)
}

/// Sends a write to a store whose reads fail after it, and restores the store.
fn send_before_failure(service: &FaultyService, request: Request) -> Answer {
    service.fails(Fault::UnavailableAfterCommit);
    let answer = request.send();
    assert!(service.is_unavailable(), "{} stored nothing: {}", answer.request, answer.text());
    service.mend();
    answer
}

/// Asserts that an append is answered with its events and head, although reads of the store fail after the
/// write.
#[track_caller]
fn is_answered(service: &FaultyService, played: &Match, request: Request) -> Value {
    let before = played.events().len();
    let body = send_before_failure(service, request).expect(201);
    let events = played.events();
    assert!(events.len() > before);
    assert_eq!(body["head"]["hash"], events[events.len() - 1]["hash"]);
    if let Some(answered) = body.get("events") {
        assert_eq!(*answered, json!(events[before..]));
    }
    body
}

fn drs(body: Value) -> Value {
    with(body, "/rules/drs", json!("house"))
}

on_own_stores!(a_ball_at_a_table_is_answered_although_the_store_fails_after_it, |deployment| {
    let service = serve(deployment);
    let created = send_before_failure(&service, create(service.client(), &drs(table(2)))).expect(201);
    let played = Match::created(service.client(), &created);
    let send = |rest: &str, body: Value| is_answered(&service, &played, played.posting(rest, &body));
    send("/toss", json!({"caller": "home", "call": "heads", "coin": "heads"}));
    send("/toss/decision", json!({"to": "bat"}));
    send("/overs", json!({}));
    send("/balls", json!({"dice": [2, 4]}));
    send("/balls", json!({"dice": [5, 5]}));
    send("/reviews", json!({"by": "home", "dice": [1]}));
    send("/disputes", json!({"delivery": 1, "claim": "the die was cocked", "by": "home"}));
    send("/disputes/1/ruling", json!({"ruling": "it was not", "finding": "stands"}));
    send("/tokens/umpire/rotate", json!({}));
    send("/abandonment", json!({"reason": "rain"}));
});

fn create(client: &Client, body: &Value) -> Request {
    client.request("POST", "/v1/matches").json(body)
}

on_own_stores!(a_correction_is_told_with_its_difference_although_the_store_fails_after_it, |deployment| {
    let service = serve(deployment);
    let played = Match::create(service.client(), &table(2));
    played.begin();
    [[2, 4], [2, 3], [2, 6]].iter().for_each(|dice| drop(played.bowl(dice)));
    for correction in [
        json!({"amends": 1, "dice": [2, 1], "reason": "it was misread"}),
        json!({"voids_from": 3, "reason": "bowled by mistake"}),
    ] {
        let supposed = played.post("/corrections?dry_run=true", &correction).expect(200);
        let answer = is_answered(&service, &played, played.posting("/corrections", &correction));
        assert_eq!(answer["difference"], supposed["difference"]);
        assert_ne!(answer["difference"], json!([]));
    }
    assert_eq!(played.get("/corrections").expect(200)["corrections"].as_array().map(Vec::len), Some(2));
});

on_own_stores!(a_side_that_tries_again_where_nothing_was_stored_proposes_once, |deployment| {
    let service = serve(deployment);
    let sides = Sides::in_play(service.client(), &remote(2));
    sides.choose_as_dealt();
    sides.home.post("/balls", &json!({})).expect(201);
    let undo = json!({"voids_from": 1, "reason": "the wrong cube"});
    if send_before_failure(&service, sides.home.posting("/corrections", &undo)).status == 503 {
        sides.home.post("/corrections", &undo).expect(201);
    }
    let events = sides.scorer.events();
    assert_eq!(events.iter().filter(|event| event["kind"] == "correction_proposed").count(), 1);
});

on_own_stores!(remote_commands_are_answered_although_the_store_fails_after_them, |deployment| {
    let service = serve(deployment);
    let created = send_before_failure(&service, create(service.client(), &remote(2))).expect(201);
    let scorer = Match::created(service.client(), &created);
    let seat = |side: &str| {
        let invite = created["invites"][side].as_str().expect("an invite");
        let claimed = is_answered(&service, &scorer, claiming(&scorer, invite));
        Match { token: claimed["token"].as_str().expect("a token").to_owned(), ..scorer.clone() }
    };
    let (home, away) = (seat("home"), seat("away"));
    let send = |by: &Match, rest: &str, body: Value| is_answered(&service, by, by.posting(rest, &body));
    send(&home, "/seeds", json!({"hash": "5eed".repeat(16)}));
    send(&home, "/choices/call", json!({}));
    let rotated = send(&away, "/tokens/away/rotate", json!({}));
    let away = Match { token: rotated["token"].as_str().expect("a token").to_owned(), ..away };
    send(&away, "/seeds", json!({"hash": "5eed".repeat(16)}));
});

on_own_stores!(an_agreed_correction_is_answered_although_the_store_fails_after_it, |deployment| {
    let service = serve(deployment);
    let sides = Sides::in_play(service.client(), &remote(2));
    let send = |by: &Match, rest: &str, body: Value| is_answered(&service, by, by.posting(rest, &body));
    let (home, away) = (&sides.home.seat, &sides.away.seat);
    send(home, "/choices", json!({"for": "order", "choice": {"order": sides.home.hand()}}));
    send(away, "/choices", json!({"for": "order", "choice": {"order": sides.away.hand()}}));
    send(home, "/balls", json!({}));
    send(home, "/corrections", json!({"voids_from": 1, "reason": "the wrong cube"}));
    let made = send(away, "/corrections/1/consent", json!({}));
    assert_eq!(made["correction"]["status"], "made");
    assert_ne!(made["difference"], json!([]));
});

on_own_stores!(a_board_game_and_its_edition_are_told_although_the_store_fails_after_them, |deployment| {
    let service = serve(deployment);
    let editions = service.client().get("/v1/editions").expect(200);
    let sha256 = editions["editions"][0]["sha256"].as_str().expect("a hash");
    let edition = service.client().get(&format!("/v1/editions/{sha256}")).expect(200);
    let ours = with(edition, "/id", json!("ours"));
    let kept = send_before_failure(&service, service.client().request("POST", "/v1/editions").json(&ours));
    let sha256 = kept.expect(201)["sha256"].clone();
    let body = json!({
        "game": "cricket-the-game",
        "rules": {"format": "t10"},
        "edition": sha256,
        "home": {"name": "Terns", "players": {"team": "Harbour Terns"}},
        "away": {"name": "Larks", "players": {"team": "Copperfield Larks"}},
        "dice": "seeded",
    });
    let created = send_before_failure(&service, create(service.client(), &body)).expect(201);
    let played = Match::created(service.client(), &created);
    is_answered(&service, &played, played.posting("/set-up", &json!({})));
    is_answered(&service, &played, played.posting("/autoplay", &json!({"until": "over"})));
});

/// Repeats a request while events cannot be read, asserts that it happened once, and returns the problem.
#[track_caller]
fn repeated(service: &FaultyService, played: &Match, request: impl Fn() -> Request) -> Refusal {
    let first = request().send().expect(201);
    let events = played.events();
    service.fails(Fault::NoEvents);
    let refused = request().send();
    service.mend();
    assert_eq!(request().send().expect(201), first);
    assert_eq!(played.events(), events, "the request happened once");
    refused.refused(503, "store-unavailable")
}

on_own_stores!(a_request_that_was_stored_before_is_not_told_that_it_was_not, |deployment| {
    let service = serve(deployment);
    let played = Match::create(service.client(), &seeded(2));
    played.begin().ball();
    let problem = repeated(&service, &played, || played.posting("/balls", &json!({})).key("ball"));
    let problem = problem.says(&["earlier try of this request was stored", "again with its key"]).problem;
    assert!(!problem.to_string().contains("nothing was stored"), "{problem}");
    // The log is read to decide a correction, before the key is looked up.
    let undo = json!({"voids_from": 2, "reason": "bowled by mistake"});
    let problem = repeated(&service, &played, || played.posting("/corrections", &undo).key("correction"));
    problem.says(&["unless an earlier try was stored", "again with its key"]);
});

on_own_stores!(an_unknown_commit_is_never_called_a_failure, |deployment| {
    let service = serve(deployment);
    let played = Match::create(service.client(), &table(2));
    played.begin().bowl(&[2, 4]);
    let matches = || service.client().get("/v1/matches").expect(200)["matches"].as_array().map(Vec::len);
    for request in [
        played.posting("/balls", &json!({"dice": [2, 1]})),
        played.posting("/corrections", &json!({"voids_from": 2, "reason": "bowled by mistake"})),
        played.client.request("POST", &played.path("/tokens/umpire/rotate")).token(&played.token),
        create(service.client(), &table(1)),
    ] {
        let before = (played.events().len(), matches());
        service.fails(Fault::Unsure);
        let answer = request.send();
        service.mend();
        let refused = answer.refused(503, "store-unavailable").says(&["while this was being stored"]);
        assert!(!refused.problem.to_string().contains("nothing was stored"), "{}", refused.problem);
        assert_ne!((played.events().len(), matches()), before, "the append was stored");
    }
});

on_own_stores!(a_request_that_cannot_be_decided_says_that_it_stored_nothing, |deployment| {
    let service = serve(deployment);
    let played = Match::create(service.client(), &table(2));
    played.begin().bowl(&[2, 4]);
    let events = played.events();
    service.fails(Fault::NoEvents);
    let undo = json!({"voids_from": 1, "reason": "bowled by mistake"});
    let refused = played.post("/corrections", &undo);
    service.mend();
    refused.refused(503, "store-unavailable").says(&["nothing was stored by this request"]);
    assert_eq!(played.events(), events);
    played.post("/corrections", &undo).expect(201);
});

//! `POST /v1/matches/{id}/tokens/umpire/rotate`, and what an umpire's token allows.

use serde_json::{Value, json};

use super::{agree, dispute, five_balls, replacing, rule, ruling_on, umpire};
use third_umpire_test_support::service::{
    Answer, Head, Match, Request, Service, Serving, Sides, claiming, cubes, fresh_hex, last_event, remote,
    seeded, sha256, table,
};
use third_umpire_test_support::{on_both_stores, on_own_stores};

/// Matches with one over bowled and a captain for each side: at a table, and in remote play.
fn in_play(service: &Service) -> [Sides; 2] {
    let sides = [
        Sides::in_play_at_the_table(service.client(), &cubes(2)),
        Sides::in_play(service.client(), &remote(2)),
    ];
    for sides in &sides {
        sides.choose_as_dealt();
        sides.bowl_over();
    }
    sides
}

on_own_stores!(the_scorer_issues_an_umpires_token, |deployment| {
    let played = five_balls(deployment);
    let before = played.head();
    let answer = replacing(&played).send();
    let issued = answer.expect(201);
    assert_eq!((&issued["role"], answer.header("cache-control")), (&json!("umpire"), "no-store"));
    assert_eq!(Head::of(&issued), played.head());
    let event = played.events().pop().expect("an event");
    let due = (&json!("token_rotated"), &json!({"role": "umpire"}), &json!("scorer"));
    assert_eq!((&event["kind"], &event["data"], &event["actor"]), due);
    assert_eq!(event["seq"], before.seq + 1);
    let token = issued["token"].as_str().expect("a token");
    let stored = deployment.database().texts("select hash from tokens where role = 'umpire'");
    assert_eq!(stored, [sha256(token)]);
    played.play_step();
});

on_both_stores!(a_replaced_umpires_token_opens_nothing_any_more, |service| {
    let played = five_balls(service);
    dispute(&played, 1);
    let first = umpire(&played);
    let second = umpire(&played);
    let third = umpire(&second);
    assert_eq!(
        played.events().pop().expect("an event")["actor"],
        "umpire",
        "an umpire has replaced the token"
    );
    for old in [&first, &second] {
        let refused = service.untouched_by(ruling_on(old, 1, "stands"));
        refused.refused(403, "token-refused").at("header.Authorization");
        service.untouched_by(replacing(old)).refused(403, "token-refused");
    }
    rule(&third, 1, "stands");
    played.play_step();
});

on_own_stores!(an_umpires_token_replaced_at_one_instance_is_closed_at_the_other, |deployment| {
    let played = five_balls(deployment);
    dispute(&played, 1);
    dispute(&played, 2);
    let old = umpire(&played);
    let service = deployment.serve();
    let there = old.through(service.client());
    rule(&there, 1, "stands");
    let new = umpire(&played);
    deployment.untouched_by(ruling_on(&there, 2, "stands")).refused(403, "token-refused");
    rule(&new.through(service.client()), 2, "stands");
});

on_both_stores!(a_side_issues_no_umpires_token, |service| {
    for sides in in_play(service) {
        for captain in sides.captains() {
            service.untouched_by(replacing(&captain.seat)).refused(403, "token-refused");
        }
        umpire(&sides.scorer);
        for captain in sides.captains() {
            service.untouched_by(replacing(&captain.seat)).refused(403, "token-refused");
        }
    }
});

on_own_stores!(the_admin_can_issue_an_umpires_token, |deployment| {
    let arguments = &["--admin-token", "keys-to-the-pavilion"];
    let service = deployment.serve_as(Serving { arguments, ..Serving::default() });
    let create = service.client().request("POST", "/v1/matches").json(&table(1)).token(arguments[1]);
    let played = Match::created(service.client(), &create.send().expect(201));
    played.begin().bowl(&[2, 4]);
    dispute(&played, 1);
    let umpire = umpire(&Match { token: arguments[1].to_owned(), ..played });
    rule(&umpire, 1, "stands");
});

on_both_stores!(an_umpire_rules_at_a_table_and_in_remote_play, |service| {
    for sides in in_play(service) {
        let umpire = umpire(&sides.scorer);
        sides.home.post("/disputes", &json!({"delivery": 2, "claim": "not mine"})).expect(201);
        let ruled = rule(&umpire, 1, "stands");
        assert_eq!(last_event(&ruled)["actor"], "umpire");
        assert_eq!(umpire.get("/disputes/1").expect(200)["ruled"]["by"], "umpire");
        sides.scorer.audits_clean();
    }
});

on_both_stores!(an_umpire_raises_no_dispute, |service| {
    for sides in in_play(service) {
        let umpire = umpire(&sides.scorer);
        // The refusal does not depend on what is missing in the body.
        for body in [
            json!({"delivery": 1, "claim": "it was wide", "by": "home"}),
            json!({"delivery": 1, "claim": "it was wide"}),
            json!({"delivery": 99, "claim": "", "by": "away"}),
        ] {
            let answer = service.untouched_by(umpire.posting("/disputes", &body));
            answer.refused(403, "token-refused");
            let words = "an umpire rules on disputes and raises none";
            assert!(answer.text().contains(words), "{}", answer.text());
        }
    }
});

/// Asserts that an umpire's request is refused and stores nothing, and returns the answer.
#[track_caller]
fn refuses_umpire(service: &Service, umpire: &Match, path: &str, body: &Value) -> Answer {
    let answer = service.untouched_by(umpire.posting(path, body));
    assert!([403, 409].contains(&answer.status), "{path} {body}: {}", answer.text());
    assert!(!answer.text().contains(&umpire.token));
    answer
}

on_both_stores!(an_umpires_token_opens_nothing_else_at_a_table, |service| {
    let played = five_balls(service);
    dispute(&played, 1);
    let umpire = umpire(&played);
    for (path, body) in [
        ("/balls", json!({"dice": [2, 3]})),
        ("/balls", json!({"dice": [2, 3], "choices": {}})),
        ("/balls", json!({"dice": [2, 3], "as_stood": {"outcome": {}, "reason": "so be it"}})),
        ("/abandonment", json!({"reason": "rain"})),
        ("/corrections", json!({"voids_from": 5, "reason": "so I rule"})),
        ("/corrections", json!({"voids_from_seq": 2, "reason": "so I rule"})),
        ("/corrections", json!({"amends": 5, "dice": [2, 4], "reason": "so I rule"})),
        ("/corrections?dry_run=true", json!({"voids_from": 5, "reason": "so I rule"})),
    ] {
        refuses_umpire(service, &umpire, path, &body).refused(403, "token-refused");
    }
    let as_stood = json!({"outcome": {"runs": {"batter": 5}}, "reason": "we agreed"});
    let body = json!({"amends": 5, "as_stood": as_stood, "reason": "so I rule"});
    refuses_umpire(service, &umpire, "/corrections", &body).refused(403, "token-refused");
    played.bowl(&[2, 3]);
    refuses_umpire(service, &umpire, "/overs", &json!({})).refused(403, "token-refused");
    played.play_step();
});

on_both_stores!(an_umpire_makes_no_toss, |service| {
    for (request, coin) in [(table(1), json!("heads")), (seeded(1), Value::Null)] {
        let played = service.create(&request);
        let umpire = umpire(&played);
        let mut call = json!({"caller": "home", "call": "heads"});
        if !coin.is_null() {
            call["coin"] = coin;
        }
        refuses_umpire(service, &umpire, "/toss", &call).refused(403, "token-refused");
        refuses_umpire(service, &umpire, "/autoplay", &json!({"until": "match"}));
        played.post("/toss", &call).expect(201);
        refuses_umpire(service, &umpire, "/toss/decision", &json!({"to": "bat"}))
            .refused(403, "token-refused");
        refuses_umpire(service, &umpire, "/autoplay", &json!({"until": "ball"}));
    }
});

on_both_stores!(an_umpire_is_no_side, |service| {
    for sides in in_play(service) {
        let umpire = umpire(&sides.scorer);
        for (path, body) in [
            ("/choices", json!({"for": "order", "choice": {}, "side": "home"})),
            (
                "/choices",
                json!({"for": "order", "sealed": fresh_hex(), "innings": 1, "over": 2, "side": "away"}),
            ),
            ("/choices/call", json!({"side": "home"})),
            ("/seeds", json!({"hash": fresh_hex(), "side": "home"})),
            ("/overs", json!({})),
            ("/balls", json!({})),
            ("/corrections", json!({"voids_from": 1, "reason": "so I rule"})),
            ("/corrections/1/consent", json!({})),
            ("/abandonment", json!({"reason": "rain"})),
            ("/autoplay", json!({"until": "match"})),
        ] {
            if path != "/choices/call" || sides.scorer.view()["remote"] == true {
                let answer = service.untouched_by(umpire.posting(path, &body));
                let fits = [403, 404, 409].contains(&answer.status);
                assert!(fits, "{path} {body}: {} {}", answer.status, answer.text());
            }
        }
        for role in ["scorer", "home", "away"] {
            let path = umpire.path(&format!("/tokens/{role}/rotate"));
            let request = umpire.client.request("POST", &path).token(&umpire.token);
            service.untouched_by(request).refused(403, "token-refused");
        }
        service.untouched_by(claiming(&umpire, &umpire.token)).refused(403, "token-refused");
    }
});

on_both_stores!(an_umpire_consents_to_nothing, |service| {
    let [_, sides] = in_play(service);
    let umpire = umpire(&sides.scorer);
    let body = json!({"voids_from": 2, "reason": "the wrong cube"});
    sides.home.post("/corrections", &body).expect(201);
    refuses_umpire(service, &umpire, "/corrections/1/consent", &json!({})).refused(403, "token-refused");
    sides.away.post("/corrections/1/consent", &json!({})).expect(201);
});

on_both_stores!(an_umpire_sees_no_hand_and_no_secret_choice, |service| {
    for sides in in_play(service) {
        let umpire = umpire(&sides.scorer);
        sides.home.chooses(&sides.home.hand());
        let view = umpire.client.request("GET", &umpire.path("")).token(&umpire.token).send();
        assert_eq!(view.expect(200).get("own"), None);
        assert_ne!(view.tag(), sides.scorer.get("").tag(), "an umpire's answer has a tag of its own");
    }
});

/// The answer to a request with a wrong token.
fn refusal(request: Request) -> String {
    let answer = request.send();
    assert_eq!(answer.status, 403);
    answer.text().to_owned()
}

on_own_stores!(an_umpires_token_is_shown_once_and_nowhere_else, |deployment| {
    let service = deployment.serve_as(Serving { log: "debug", ..Serving::default() });
    let played = Match::create(service.client(), &table(1));
    played.begin().bowl(&[2, 4]);
    let umpires = umpire(&played);
    let path = played.path("/events/stream");
    let mut stream = played.client.request("GET", &path).follow();
    dispute(&played, 1);
    agree(&played, 1);
    rule(&umpires, 1, "as_stood");
    let newer = umpire(&umpires);
    let events = played.events();
    let mut shown: Vec<String> = stream.take(events.len()).iter().map(Value::to_string).collect();
    assert_eq!(shown, events.iter().map(Value::to_string).collect::<Vec<_>>());
    for page in [
        "",
        "/log",
        "/events",
        "/disputes",
        "/disputes/1",
        "/corrections",
        "/audit",
        "/commentary",
        "/deliveries",
        "/deliveries/1",
        "/luck",
    ] {
        shown.push(played.get(page).text().to_owned());
    }
    shown.push(played.client.get("/v1/matches").text().to_owned());
    shown.push(refusal(ruling_on(&umpires, 1, "stands")));
    shown.push(refusal(newer.posting("/balls", &json!({"dice": [2, 3]}))));
    shown.push(service.log());
    for token in [&umpires.token, &newer.token] {
        let hash = sha256(token);
        for text in &shown {
            assert!(!text.contains(token.as_str()) && !text.contains(&hash), "{text}");
        }
    }
});

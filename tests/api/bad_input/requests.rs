//! Requests whose body, id, header or parameter does not fit, whatever the game.

use serde_json::json;
use third_umpire::games::BUILT_IN;
use third_umpire_test_support::service::{Match, Request, Service, seeded, table};
use third_umpire_test_support::{on_both_stores, on_own_stores};

const APPENDS: [&str; 6] = ["/toss", "/toss/decision", "/overs", "/balls", "/abandonment", "/autoplay"];
const NOBODY: &str = "01a20082-5925-720e-a587-ebd95c5e0b8f";

fn ready(service: &Service) -> Match {
    let played = service.create(&table(1));
    played.begin();
    played
}

fn request(played: &Match, path: &str) -> Request {
    played.client.request("POST", &played.path(path)).token(&played.token)
}

fn ball(played: &Match) -> Request {
    played.posting("/balls", &json!({"dice": [2, 3]}))
}

on_own_stores!(a_body_that_is_no_json_is_refused_everywhere, |deployment| {
    let played = ready(deployment);
    let deep = format!("{{\"dice\": {}", "[".repeat(100_000));
    for body in [
        "{",
        "{\"dice\": [2, 3]",
        "{'dice': [2, 3]}",
        "dice=2",
        "{\"dice\": [2, 3]} {}",
        "{\"a\": nan}",
        &deep,
    ] {
        let answer = deployment.untouched_by(request(&played, "/balls").raw("application/json", body));
        answer.refused(400, "malformed-json").at("body").says(&["JSON"]);
    }
    for path in APPENDS {
        let answer = deployment.untouched_by(request(&played, path).raw("application/json", "{]"));
        answer.refused(400, "malformed-json");
    }
    let bytes =
        deployment.untouched_by(request(&played, "/balls").raw("application/json", vec![b'"', 0xff, b'"']));
    assert!([400, 422].contains(&bytes.status));
    let creation = deployment.client().request("POST", "/v1/matches").raw("application/json", "{]");
    deployment.untouched_by(creation).refused(400, "malformed-json");
    played.play_step();
});

on_both_stores!(a_body_is_an_object, |service| {
    let played = ready(service);
    for body in ["[]", "[[2, 3]]", "7", "\"ball\"", "null", "true"] {
        for path in APPENDS {
            let answer = service.untouched_by(request(&played, path).raw("application/json", body));
            assert!([422, 409].contains(&answer.status), "{path} {body}: {}", answer.text());
            answer.refused(422, "illegal-input").at("body");
        }
    }
    for (path, body) in [
        ("/toss", json!(["home", "heads", "heads"])),
        ("/toss/decision", json!(["bat"])),
        ("/balls", json!([{}, [2, 3]])),
        ("/abandonment", json!(["rain"])),
        ("/autoplay", json!(["ball"])),
    ] {
        service.untouched_by(played.posting(path, &body)).refused(422, "illegal-input").at("body");
    }
    played.play_step();
});

on_both_stores!(a_repeated_member_is_refused, |service| {
    let played = ready(service);
    for (body, key) in [
        (r#"{"dice": [2, 3], "dice": [2, 6]}"#, "dice"),
        (r#"{"dice": [2, 3], "choices": {}, "choices": {}}"#, "choices"),
        (r#"{"dice": [2, 3], "choices": {"keeper": 2, "keeper": 3}}"#, "keeper"),
    ] {
        let answer = service.untouched_by(request(&played, "/balls").raw("application/json", body));
        answer.refused(400, "malformed-json").says(&[&format!("{key:?} twice")]);
    }
    played.play_step();
});

on_own_stores!(a_body_is_application_json, |deployment| {
    let played = ready(deployment);
    for content_type in ["text/plain", "application/x-www-form-urlencoded", "application/json2", "json", ""] {
        let answer =
            deployment.untouched_by(request(&played, "/balls").raw(content_type, "{\"dice\": [2, 3]}"));
        let refusal = answer.refused(415, "unsupported-media-type").at("header.Content-Type");
        refusal.says(&["application/json"]);
    }
    let creation = deployment.client().request("POST", "/v1/matches").raw("text/plain", table(1).to_string());
    deployment.untouched_by(creation).refused(415, "unsupported-media-type");
    let with_charset =
        request(&played, "/balls").raw("Application/JSON; charset=utf-8", "{\"dice\": [2, 3]}");
    with_charset.send().expect(201);
});

on_own_stores!(a_body_of_two_megabytes_is_too_large, |deployment| {
    let played = ready(deployment);
    let padded = |bytes: usize| format!("{{\"dice\": [2, 3]{}}}", " ".repeat(bytes));
    for path in APPENDS {
        let answer = deployment.untouched_by(request(&played, path).raw("application/json", padded(2 << 20)));
        answer.refused(413, "body-too-large").says(&["1048576"]);
    }
    let creation =
        deployment.client().request("POST", "/v1/matches").raw("application/json", padded(2 << 20));
    deployment.untouched_by(creation).refused(413, "body-too-large");
    request(&played, "/balls").raw("application/json", padded((1 << 20) - 100)).send().expect(201);
});

on_own_stores!(an_unknown_match_is_not_found, |deployment| {
    let played = ready(deployment);
    let other = Match { id: NOBODY.to_owned(), ..played.clone() };
    for path in [
        "",
        "/events",
        "/events/1",
        "/log",
        "/scorecard",
        "/fall-of-wickets",
        "/commentary",
        "/deliveries",
        "/luck",
        "/replay",
        "/audit",
    ] {
        other.get(path).refused(404, "no-such-match").says(&[NOBODY]);
    }
    other.client.get(&other.path("/events/stream")).refused(404, "no-such-match");
    for path in
        ["/scorecard?at=1", "/fall-of-wickets?at=1", "/commentary?at=1", "/deliveries?at=1", "/replay?at=1"]
    {
        other.get(path).refused(404, "no-such-match");
    }
    for path in APPENDS {
        deployment.untouched_by(request(&other, path)).refused(404, "no-such-match");
    }
    deployment.untouched_by(request(&other, "/tokens/scorer/rotate")).refused(404, "no-such-match");
    played.play_step();
});

on_own_stores!(a_match_id_is_a_uuid_in_its_usual_form, |deployment| {
    let played = ready(deployment);
    let simple = played.id.replace('-', "");
    let longer = format!("{}0", played.id);
    let braced = format!("%7B{}%7D", played.id);
    let stray = format!("{}%", played.id);
    let broken = ["%", "%25", "%E0%A4%A", &stray];
    let others = ["1", "latest", "..%2F..", "%00", "%F0%9F%8F%8F", &simple, &longer, &braced];
    for id in broken.into_iter().chain(others) {
        let other = Match { id: id.to_owned(), ..played.clone() };
        for path in ["", "/scorecard", "/log", "/events", "/events/1", "/audit", "/events/stream"] {
            other.get(path).refused(400, "malformed-id").at("path.id").says(&["UUID"]);
        }
        deployment.untouched_by(ball(&other)).refused(400, "malformed-id").at("path.id");
    }
    played.play_step();
});

on_both_stores!(a_card_is_asked_for_after_an_event_there_is, |service| {
    let played = ready(service);
    let last = played.head().seq;
    for card in ["/scorecard", "/fall-of-wickets", "/commentary", "/deliveries", "/luck", "/replay"] {
        for at in ["0", &(last + 1).to_string(), "18446744073709551615", "9223372036854775808"] {
            let refusal = played.get(&format!("{card}?at={at}")).refused(404, "no-such-event");
            refusal.says(&[at, &format!("ends at event {last}")]);
        }
        for at in ["x", "-1", "1.5", "", "1e3", "99999999999999999999", "%00"] {
            let refusal = played.get(&format!("{card}?at={at}")).refused(400, "invalid-parameter");
            refusal.at("query.at");
        }
        played.get(&format!("{card}?seq=1")).refused(400, "invalid-parameter").says(&["seq", "at"]);
        played.get(&format!("{card}?at=1&at=2")).refused(400, "invalid-parameter");
    }
    played.play_step();
});

on_both_stores!(an_event_is_asked_for_by_its_seq, |service| {
    let played = ready(service);
    for seq in ["0", "4", "18446744073709551615"] {
        played.get(&format!("/events/{seq}")).refused(404, "no-such-event").says(&["ends at event 3"]);
    }
    for seq in ["x", "-1", "1.0", "%20", "99999999999999999999"] {
        played.get(&format!("/events/{seq}")).refused(400, "invalid-parameter").at("path.seq");
    }
    for (query, at) in [
        ("limit=0", "query.limit"),
        ("limit=1001", "query.limit"),
        ("limit=-1", "query.limit"),
        ("limit=many", "query.limit"),
        ("after=-1", "query.after"),
        ("after=first", "query.after"),
    ] {
        played.get(&format!("/events?{query}")).refused(400, "invalid-parameter").at(at);
    }
    played.get("/events?before=1").refused(400, "invalid-parameter").says(&["before", "after", "limit"]);
    played.play_step();
});

on_own_stores!(a_wrong_filter_of_the_list_is_refused_with_what_there_is, |deployment| {
    let played = ready(deployment);
    let client = deployment.client();
    for (query, at) in [
        ("limit=0", "query.limit"),
        ("limit=101", "query.limit"),
        ("limit=x", "query.limit"),
        ("status=over", "query.status"),
        ("status=", "query.status"),
    ] {
        client.get(&format!("/v1/matches?{query}")).refused(400, "invalid-parameter").at(at);
    }
    let statuses = ["created", "in_play", "completed", "abandoned"];
    client.get("/v1/matches?status=over").refused(400, "invalid-parameter").says(&statuses);
    let chess = client.get("/v1/matches?game=chess").refused(400, "invalid-parameter").at("query.game");
    chess.says(&BUILT_IN.ids()).says(&["chess"]);
    client.get("/v1/matches?teams=x").refused(400, "invalid-parameter").says(&["teams", "team"]);
    for cursor in
        ["x", "", "before-", "before-1", "MQ==", &played.id, "%00", &format!("before-{}%20", played.id)]
    {
        let refusal = client.get(&format!("/v1/matches?cursor={cursor}")).refused(400, "bad-cursor");
        refusal.at("query.cursor").says(&["next_cursor"]);
    }
    played.play_step();
});

on_both_stores!(if_match_takes_a_head_in_quotes_or_any_tag_of_the_match, |service| {
    let played = service.create(&table(3));
    played.begin();
    let hash = played.head().hash;
    for value in [hash.as_str(), "\"", &format!("\"{hash}"), "\"a\", b", ""] {
        let answer = service.untouched_by(ball(&played).header("If-Match", value));
        answer.refused(400, "invalid-parameter").at("header.If-Match").says(&["double quotes", "ETag"]);
    }
    let other = format!("{}{}", &hash[1..], &hash[..1]);
    for value in ["other", &hash[1..], &format!("{hash}0"), &format!("{other}.1-scorer")] {
        let answer = service.untouched_by(ball(&played).header("If-Match", &format!("\"{value}\"")));
        answer.refused(412, "stale-head").at("header.If-Match").says(&["not at the head"]);
    }
    ball(&played).header("If-Match", &format!("\"other\", \"{hash}\"")).send().expect(201);
    ball(&played).header("If-Match", "*").send().expect(201);
    for rest in ["", ".1", ".17", ".1-scorer", ".1-scorer-gz", ".1-br", "-edition"] {
        let tag = format!("\"{}{rest}\"", played.head().hash);
        ball(&played).header("If-Match", &tag).send().expect(201);
        let weak = format!("W/\"{}{rest}\"", played.head().hash);
        ball(&played).header("If-Match", &weak).send().expect(201);
    }
    let in_capitals = format!("\"{}\"", played.head().hash.to_uppercase());
    ball(&played).header("If-Match", &in_capitals).send().expect(201);
    service.untouched_by(ball(&played).header("If-Match", &in_capitals)).refused(412, "stale-head");
    let seen = played.client.request("GET", &played.path("")).token(&played.token).send();
    ball(&played).header("If-Match", seen.header("etag")).send().expect(201);
});

on_both_stores!(an_idempotency_key_is_visible_ascii_of_some_length, |service| {
    let played = ready(service);
    for key in ["", &"k".repeat(256), "a b", "schlüssel"] {
        let answer = service.untouched_by(ball(&played).key(key));
        answer.refused(400, "invalid-parameter").at("header.Idempotency-Key").says(&["1 to 255"]);
    }
    ball(&played).key(&"k".repeat(255)).send().expect(201);
    ball(&played).key("!~").send().expect(201);
});

on_both_stores!(a_seeded_match_is_no_other_where_requests_are_bad, |service| {
    let played = service.create(&seeded(1));
    played.begin();
    service
        .untouched_by(request(&played, "/balls").raw("application/json", "{]"))
        .refused(400, "malformed-json");
    service
        .untouched_by(request(&played, "/balls").raw("text/plain", "{}"))
        .refused(415, "unsupported-media-type");
    played.play_step();
});

//! `GET /v1/matches/{id}` with a token: the viewer whom it names, and what nobody else is answered.

use serde_json::{Value, json};
use third_umpire_test_support::service::{
    Answer, Match, Request, Serving, Sides, remote, seeded, sha256, table, tag_of,
};
use third_umpire_test_support::{on_both_stores, on_own_stores};

use super::disputes::umpire;

fn asking(played: &Match, token: &str) -> Request {
    let request = played.client.request("GET", &played.path(""));
    if token.is_empty() { request } else { request.token(token) }
}

/// The match as the holder of this token sees it; as anybody does without one.
#[track_caller]
fn seen(played: &Match, token: &str) -> Answer {
    asking(played, token).send()
}

/// The tokens of a match with the viewer whom each names, and no token.
fn viewers(sides: &Sides) -> Vec<(String, Value)> {
    let Sides { scorer, home, away } = sides;
    let issued = umpire(scorer).token;
    let tokens = [(&scorer.token, "scorer"), (&home.seat.token, "home"), (&away.seat.token, "away")];
    let named = tokens.into_iter().chain([(&issued, "umpire")]);
    let named = named.map(|(token, role)| (token.clone(), json!({"role": role})));
    named.chain([(String::new(), Value::Null)]).collect()
}

on_both_stores!(a_match_answers_a_token_with_its_role, |service| {
    for request in [seeded(1), remote(1)] {
        let sides = Sides::create(service.client(), &request);
        let viewers = viewers(&sides);
        let plain = seen(&sides.scorer, "").expect(200);
        assert!(plain.get("viewer").is_none(), "{plain}");
        for (token, viewer) in viewers {
            let mut view = seen(&sides.scorer, &token).expect(200);
            let members = view.as_object_mut().expect("an object");
            assert_eq!(members.remove("viewer").unwrap_or_default(), viewer);
            assert_eq!(view, plain, "{viewer} sees the same match");
        }
    }
});

on_both_stores!(no_cache_answers_one_viewer_with_what_another_was_answered, |service| {
    let sides = Sides::create(service.client(), &table(1));
    let viewers = viewers(&sides);
    let scorer = &sides.scorer;
    let tags: Vec<String> = viewers.iter().map(|(token, _)| seen(scorer, token).tag().to_owned()).collect();
    assert_eq!(tags[viewers.len() - 1], tag_of(&scorer.head().hash));
    for (of, (token, viewer)) in viewers.iter().enumerate() {
        let answer = seen(scorer, token);
        let kept = if viewer.is_null() { "no-cache" } else { "private, no-store" };
        assert_eq!(
            (answer.header("cache-control"), answer.header("vary")),
            (kept, "Authorization, Accept-Encoding")
        );
        for (known, tag) in tags.iter().enumerate() {
            for listed in [format!("\"{tag}\""), format!("W/\"{tag}\"")] {
                let answer = asking(scorer, token).header("If-None-Match", &listed).send();
                assert_eq!(answer.status, if of == known { 304 } else { 200 }, "{viewer} has {listed}");
                assert_eq!(
                    answer.header("cache-control"),
                    if of == known && viewer.is_null() { "" } else { kept }
                );
                assert_eq!(answer.header("vary"), "Authorization, Accept-Encoding");
            }
        }
    }
});

on_both_stores!(a_refused_token_differs_from_one_that_was_taken_and_from_none, |service| {
    let (sides, other) = (Sides::create(service.client(), &table(1)), service.create(&table(1)));
    let scorer = &sides.scorer;
    let rotated = scorer.post("/tokens/scorer/rotate", &json!({})).expect(201);
    let new = rotated["token"].as_str().expect("a token");
    assert_eq!(seen(scorer, new).expect(200)["viewer"], json!({"role": "scorer"}));
    for token in [&scorer.token, &other.token, &sha256("made up"), &new[..40].to_owned()] {
        let answer = seen(scorer, token);
        answer.refused(403, "token-refused").at("header.Authorization");
        assert!(!answer.text().contains("viewer"));
        // A tag that somebody was given before does not turn a refusal into an answer.
        let tag = seen(scorer, new).tag().to_owned();
        for known in [format!("\"{tag}\""), "*".to_owned()] {
            asking(scorer, token).header("If-None-Match", &known).send().refused(403, "token-refused");
        }
    }
    // Credentials of another scheme are for a proxy on the way, and name no viewer.
    let request = asking(scorer, "").header("Authorization", "Basic aG9tZTpob21l");
    assert_eq!(request.send().expect(200).get("viewer"), None);
});

on_own_stores!(the_admin_is_no_viewer, |deployment| {
    let admin = "keys-to-the-pavilion";
    let service = deployment.serve_as(Serving { arguments: &["--admin-token", admin], ..Serving::default() });
    let creation = service.client().request("POST", "/v1/matches").json(&table(1)).token(admin);
    let created = creation.send().expect(201);
    assert_eq!(created["match"].get("viewer"), None);
    let played = Match::created(service.client(), &created);
    assert_eq!(seen(&played, admin).expect(200), seen(&played, "").expect(200));
    assert_eq!(seen(&played, admin).tag(), seen(&played, "").tag());
    assert_eq!(seen(&played, &played.token).expect(200)["viewer"], json!({"role": "scorer"}));
});

//! `POST /v1/matches/{id}/tokens/{role}/rotate`, and what a token allows.

use serde_json::json;
use third_umpire_test_support::service::{Match, Request, Serving, sha256, table};
use third_umpire_test_support::{on_both_stores, on_own_stores};

fn rotate(played: &Match, role: &str) -> Request {
    played.client.request("POST", &played.path(&format!("/tokens/{role}/rotate"))).token(&played.token)
}

fn toss(played: &Match) -> Request {
    let body = json!({"caller": "home", "call": "heads", "coin": "heads"});
    played.client.request("POST", &played.path("/toss")).json(&body)
}

on_own_stores!(a_rotated_token_is_replaced_and_opens_nothing_any_more, |deployment| {
    let played = deployment.create(&table(1));
    let answer = rotate(&played, "scorer").send();
    let rotated = answer.expect(201);
    assert_eq!((&rotated["role"], answer.header("cache-control")), (&json!("scorer"), "no-store"));
    let new = Match { token: rotated["token"].as_str().expect("a token").to_owned(), ..played.clone() };
    assert_ne!(new.token, played.token);
    let stored = deployment.database().texts("select hash from tokens where purpose = 'token'");
    assert_eq!(stored, [sha256(&new.token)]);
    let refused = deployment.untouched_by(toss(&played).token(&played.token));
    refused.refused(403, "token-refused").at("header.Authorization").says(&["does not know", "replaced"]);
    deployment.untouched_by(rotate(&played, "scorer")).refused(403, "token-refused");
    new.play_step();
});

on_both_stores!(one_of_two_simultaneous_rotations_gets_the_new_token, |service| {
    let played = service.create(&table(1));
    let threads: Vec<_> = (0..8)
        .map(|_| {
            let played = played.clone();
            std::thread::spawn(move || rotate(&played, "scorer").send())
        })
        .collect();
    let answers: Vec<_> =
        threads.into_iter().map(|one| one.join().expect("the request is answered")).collect();
    let rotated: Vec<_> = answers.iter().filter(|answer| answer.status == 201).collect();
    assert_eq!(rotated.len(), 1, "{answers:?}");
    let token = rotated[0].json()["token"].as_str().expect("a token").to_owned();
    Match { token, ..played }.play_step();
});

on_both_stores!(appending_needs_a_token, |service| {
    let played = service.create(&table(1));
    for request in [
        toss(&played),
        toss(&played).header("Authorization", &played.token),
        toss(&played).header("Authorization", &format!("Basic {}", played.token)),
    ] {
        let answer = service.untouched_by(request);
        answer.refused(401, "token-missing").at("header.Authorization").says(&["Bearer"]);
        assert!(answer.header("www-authenticate").starts_with("Bearer"));
    }
    let request = played.client.request("POST", &played.path("/tokens/scorer/rotate"));
    service.untouched_by(request).refused(401, "token-missing");
    played.play_step();
});

on_both_stores!(a_token_of_another_match_and_one_made_up_open_nothing, |service| {
    let (played, other) = (service.create(&table(1)), service.create(&table(1)));
    for token in [other.token.as_str(), "tu_0000", "", &played.token[..40], &played.token.to_uppercase()] {
        let answer = service.untouched_by(toss(&played).token(token));
        assert!([401, 403].contains(&answer.status), "{token:?}: {}", answer.status);
        let forged = Match { token: token.to_owned(), ..played.clone() };
        assert!([401, 403].contains(&service.untouched_by(rotate(&forged, "scorer")).status));
    }
    let refused = service.untouched_by(toss(&played).token(&other.token)).refused(403, "token-refused");
    refused.at("header.Authorization").says(&["does not know the token", "another match", "replaced"]);
    played.play_step();
    other.play_step();
});

on_both_stores!(an_invite_used_as_a_token_is_refused_as_an_invite, |service| {
    let created = service.client().post("/v1/matches", &table(1)).expect(201);
    let path = format!("/v1/matches/{}/toss", created["match"]["id"].as_str().expect("an id"));
    for invite in ["home", "away"] {
        let token = created["invites"][invite].as_str().expect("an invite");
        let body = json!({"caller": "home", "call": "heads", "coin": "heads"});
        let request = service.client().request("POST", &path).json(&body).token(token);
        let refused = service.untouched_by(request).refused(403, "token-refused");
        refused.at("header.Authorization").says(&["invite", "claim"]);
        let view = service.client().request("GET", path.trim_end_matches("/toss")).token(token).send();
        view.refused(403, "token-refused").says(&["invite", "claim"]);
    }
    // An invite of another match is a token that this one does not know.
    let other = service.create(&table(1));
    let stranger =
        Match { token: created["invites"]["home"].as_str().expect("an invite").to_owned(), ..other };
    service
        .untouched_by(toss(&stranger).token(&stranger.token))
        .refused(403, "token-refused")
        .says(&["does not know"]);
});

on_both_stores!(only_tokens_there_are_can_be_rotated, |service| {
    let played = service.create(&table(1));
    for role in ["captain", "Umpire", "admin", "service"] {
        let refused = service.untouched_by(rotate(&played, role)).refused(404, "no-such-token");
        refused.at("path.role").says(&["scorer, home, away, umpire"]);
    }
    for side in ["home", "away"] {
        service.untouched_by(rotate(&played, side)).refused(404, "no-such-token").says(&[side, "claimed"]);
    }
    played.play_step();
});

on_own_stores!(the_admin_can_rotate_a_token_that_was_lost, |deployment| {
    let service = deployment
        .serve_as(Serving { arguments: &["--admin-token", "keys-to-the-pavilion"], ..Serving::default() });
    let request =
        service.client().request("POST", "/v1/matches").json(&table(1)).token("keys-to-the-pavilion");
    let created = request.send().expect(201);
    let id = created["match"]["id"].as_str().expect("an id").to_owned();
    let lost = Match { client: service.client().clone(), id, token: "keys-to-the-pavilion".to_owned() };
    let found = rotate(&lost, "scorer").send().expect(201)["token"].as_str().expect("a token").to_owned();
    Match { token: found, ..lost }.play_step();
});

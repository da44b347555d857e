//! `POST /v1/matches/{id}/seeds`

use serde_json::{Value, json};
use third_umpire::dice::{Seeds, ServerSeed};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{
    Captain, Match, Refusal, Request, Service, Sides, canonical, chained, fresh_hex, remote, seeded,
    seeded_by_service, sha256, table, with,
};

/// The request for a match at one table with both client seeds.
fn at_the_table() -> Value {
    with(seeded_by_service(1), "/client_seeds", json!("both"))
}

#[track_caller]
fn out_of_turn(service: &Service, request: Request) -> Refusal {
    service.untouched_by(request).refused(409, "out-of-turn")
}

on_both_stores!(both_sides_add_to_the_seed_before_the_toss_is_made, |service| {
    for request in [remote(1), at_the_table()] {
        let sides = Sides::create(service.client(), &request);
        let Sides { scorer, home, away } = &sides;
        let toss = || home.posting("/toss", &json!({"caller": "home", "call": "heads"}));
        let waits_for = |choice: &str, side: Value| {
            let next = &scorer.view()["next"];
            assert_eq!((&next["what"], &next["side"]), (&json!(choice), &side));
            out_of_turn(service, toss()).says(&[&choice.replace('_', " ")]);
        };
        waits_for("seed_commitment", Value::Null);
        home.committing_seed().send().expect(201);
        waits_for("seed_commitment", json!("away"));
        away.committing_seed().send().expect(201);
        waits_for("client_seed", Value::Null);
        away.showing_seed().send().expect(201);
        waits_for("client_seed", json!("home"));
        home.showing_seed().send().expect(201);
        toss().send().expect(201);
        chained(&scorer.events());

        scorer.post("/abandonment", &json!({"reason": "seen enough"})).expect(201);
        let seeds = scorer.events().pop().expect("an event")["data"]["seeds"].clone();
        let server_seed = seeds["server_seed"].as_str().expect("a seed");
        let server_seed = ServerSeed::from_hex(server_seed).expect("a seed");
        let due = Seeds::open(&server_seed, &[home.client_seed.clone(), away.client_seed.clone()]);
        assert_eq!(seeds, json!(due), "home's first, whoever was first to show it");
        sides.audits_clean();
    }
});

on_both_stores!(a_seed_that_does_not_fit_its_hash_is_refused, |service| {
    let sides = Sides::create(service.client(), &remote(1));
    sides.commit_seeds();
    for seed in [fresh_hex(), sides.away.client_seed.clone()] {
        let refused = service.untouched_by(sides.home.posting("/seeds", &json!({"client_seed": seed})));
        let refused = refused.refused(422, "illegal-input").at("body.client_seed");
        assert!(!refused.problem.to_string().contains(&seed), "the sent seed is not repeated");
    }
    sides.show_seeds();
    sides.toss();
});

on_both_stores!(a_hash_is_made_for_one_side_of_one_match, |service| {
    let sides = Sides::create(service.client(), &remote(1));
    let Sides { home, away, .. } = &sides;
    // A side that copies the other's hash has committed to a seed it cannot show.
    home.committing_seed().send().expect(201);
    away.posting("/seeds", &json!({"hash": home.hash_of_seed(&home.client_seed)})).send();
    let elsewhere = Sides::create(service.client(), &remote(1));
    let copied = Captain { client_seed: elsewhere.away.client_seed.clone(), ..away.clone() };
    home.showing_seed().send();
    let shown = service.untouched_by(copied.showing_seed());
    assert!([409, 422].contains(&shown.status), "{}", shown.text());
    assert_ne!(sides.scorer.view()["next"]["what"], "toss");
});

on_both_stores!(hash_and_seed_come_once_each_and_in_their_turn, |service| {
    let sides = Sides::create(service.client(), &remote(1));
    let Sides { home, away, .. } = &sides;
    let again = |captain: &Captain| {
        out_of_turn(service, captain.posting("/seeds", &json!({"hash": sha256("another")})));
    };
    out_of_turn(service, home.showing_seed()).says(&["both"]);
    home.committing_seed().send().expect(201);
    again(home);
    out_of_turn(service, home.showing_seed()).says(&["both"]);
    away.committing_seed().send().expect(201);
    again(away);
    home.showing_seed().send().expect(201);
    out_of_turn(service, home.showing_seed()).says(&["home"]);
    again(home);
    away.showing_seed().send().expect(201);
    again(home);
    out_of_turn(service, away.showing_seed());
    sides.toss();
    for captain in sides.captains() {
        again(captain);
        out_of_turn(service, captain.showing_seed()).says(&["toss"]);
    }
});

on_both_stores!(a_match_without_client_seeds_takes_none, |service| {
    for request in [seeded(1), table(1)] {
        let sides = Sides::create(service.client(), &request);
        let hash = json!({"hash": fresh_hex()});
        out_of_turn(service, sides.home.posting("/seeds", &hash)).says(&["client seeds"]);
        let shown = json!({"client_seed": sides.away.client_seed});
        out_of_turn(service, sides.away.posting("/seeds", &shown)).says(&["client seeds"]);
        sides.scorer.play_step();
    }
});

on_both_stores!(a_hash_and_a_seed_in_capitals_are_recorded_in_lower_case, |service| {
    let sides = Sides::create(service.client(), &remote(1));
    let sent = |captain: &Captain, member: &str, digits: &str| {
        let appended = captain.post("/seeds", &json!({member: digits.to_uppercase()})).expect(201);
        assert_eq!(appended["events"][0]["data"], json!({"side": captain.side, member: digits}));
    };
    for captain in sides.captains() {
        sent(captain, "hash", &captain.hash_of_seed(&captain.client_seed));
    }
    for captain in sides.captains() {
        sent(captain, "client_seed", &captain.client_seed);
    }
    sides.toss();
    sides.give_up_and_audit();
});

on_both_stores!(hash_and_seed_are_64_hexadecimal_digits, |service| {
    let sides = Sides::create(service.client(), &remote(1));
    let home = &sides.home;
    let refused = |body: Value| service.untouched_by(home.posting("/seeds", &body));
    let digits = fresh_hex();
    for wrong in [&digits[1..], &format!("{digits}0"), &format!("{}g", &digits[1..]), ""] {
        refused(json!({"hash": wrong})).refused(422, "illegal-input").at("body.hash");
    }
    refused(json!({"hash": 7})).refused(422, "illegal-input").at("body.hash");
    refused(json!({})).refused(422, "needs-input").says(&["hash", "client_seed"]);
    refused(json!({"hash": digits, "client_seed": digits})).refused(422, "needs-input").at("body");
    refused(json!({"seed": digits})).refused(422, "illegal-input").says(&["seed"]);
    refused(json!({"hash": digits, "side": "umpire"})).refused(422, "illegal-input").at("body.side");
    sides.commit_seeds();
    refused(json!({"client_seed": "5eed"})).refused(422, "illegal-input").at("body.client_seed");
    sides.show_seeds();
});

on_both_stores!(a_scorer_adds_for_sides_that_nobody_claimed_and_says_for_which, |service| {
    let created = service.client().post("/v1/matches", &at_the_table()).expect(201);
    let (scorer, view) = (Match::created(service.client(), &created), &created["match"]);
    let seed = "ab".repeat(32);
    let hash = |side: &str| {
        sha256(canonical(&json!({
            "match": view["id"], "side": side, "commitment": view["commitment"], "client_seed": seed,
        })))
    };
    let nobodys = service.untouched_by(scorer.posting("/seeds", &json!({"hash": hash("home")})));
    nobodys.refused(422, "needs-input").at("body.side").says(&["home", "away"]);
    for side in ["home", "away"] {
        let committed = scorer.post("/seeds", &json!({"side": side, "hash": hash(side)})).expect(201);
        assert_eq!(committed["events"][0]["actor"], "scorer");
        assert_eq!(committed["events"][0]["data"], json!({"side": side, "hash": hash(side)}));
    }
    for side in ["home", "away"] {
        scorer.post("/seeds", &json!({"side": side, "client_seed": seed})).expect(201);
    }
    scorer.post("/autoplay", &json!({"until": "match"})).expect(201);
    let audited = scorer.client.get(&scorer.path("/audit")).expect(200);
    assert_eq!(audited["verdict"], "clean");
});

on_both_stores!(a_side_that_was_claimed_adds_to_the_seed_itself, |service| {
    let sides = Sides::create(service.client(), &at_the_table());
    let hash = sides.home.hash_of_seed(&sides.home.client_seed);
    let by_scorer = sides.scorer.posting("/seeds", &json!({"side": "home", "hash": hash}));
    service.untouched_by(by_scorer).refused(403, "token-refused").says(&["home", "claimed"]);
    sides.commit_seeds();
});

on_both_stores!(nobody_adds_for_the_other_side, |service| {
    let sides = Sides::create(service.client(), &remote(1));
    let hash = sides.away.hash_of_seed(&sides.away.client_seed);
    let others = service.untouched_by(sides.home.posting("/seeds", &json!({"side": "away", "hash": hash})));
    others.refused(403, "token-refused").at("body.side");
    for side in [Value::Null, json!("home"), json!("away")] {
        let refused =
            service.untouched_by(sides.scorer.posting("/seeds", &json!({"side": side, "hash": hash})));
        refused.refused(403, "token-refused");
    }
    let nobody = Match { token: String::new(), ..sides.scorer.clone() };
    let request = nobody.client.request("POST", &nobody.path("/seeds")).json(&json!({"hash": hash}));
    service.untouched_by(request).refused(401, "token-missing");
    let own = json!({"side": "home", "hash": sides.home.hash_of_seed(&sides.home.client_seed)});
    sides.home.post("/seeds", &own).expect(201);
});

on_both_stores!(a_match_nobody_adds_to_can_be_given_up, |service| {
    let sides = Sides::create(service.client(), &remote(1));
    sides.home.committing_seed().send().expect(201);
    sides.scorer.post("/abandonment", &json!({"reason": "nobody came"})).expect(201);
    let seeds = sides.scorer.events().pop().expect("an event")["data"]["seeds"].clone();
    assert_eq!(seeds["client_seeds"], json!([]), "nothing was shown");
    sides.audits_clean();
    service.untouched_by(sides.away.committing_seed()).refused(409, "seed-open");
});

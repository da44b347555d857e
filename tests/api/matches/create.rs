//! `POST /v1/matches`

use serde_json::{Value, json};
use third_umpire_test_support::service::{
    AWAY, HOME, Head, Match, SECRETS, seeded, seeded_by_service, sha256, table, tag_of, with,
};
use third_umpire_test_support::{on_both_stores, on_own_stores};

const SEED: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

fn tokens(created: &Value) -> Vec<String> {
    ["/tokens/scorer", "/invites/home", "/invites/away"]
        .into_iter()
        .map(|at| created.pointer(at).and_then(Value::as_str).expect("a token").to_owned())
        .collect()
}

on_both_stores!(a_new_match_is_answered_with_its_place_and_its_head, |service| {
    let answer = service.client().post("/v1/matches", &seeded(20));
    let created = answer.expect(201);
    let id = created["match"]["id"].as_str().expect("an id");
    assert_eq!(uuid::Uuid::parse_str(id).expect("a UUID").get_version_num(), 7);
    assert_eq!(answer.header("location"), format!("/v1/matches/{id}"));
    assert_eq!(answer.tag(), tag_of(&Head::of(&created["match"]).hash));
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!((&created["match"]["status"], &created["match"]["result"]), (&json!("created"), &Value::Null));
    assert_eq!(created["match"]["next"]["what"], "toss");
    assert_eq!(Head::of(&created["match"]).seq, 1);
    assert_eq!(service.client().get(answer.header("location")).expect(200), created["match"]);
});

on_own_stores!(tokens_and_invites_are_shown_once_and_stored_hashed, |deployment| {
    let created = deployment.client().post("/v1/matches", &seeded(1)).expect(201);
    let tokens = tokens(&created);
    assert!(tokens[0] != tokens[1] && tokens[1] != tokens[2] && tokens[0] != tokens[2], "no two are alike");
    assert!(tokens.iter().all(|token| token.len() >= 43), "256 bits of them cannot be guessed");
    let stored = format!("{:?}", deployment.database().everything());
    for token in &tokens {
        assert!(!stored.contains(token.as_str()), "a token is stored as it is");
        assert!(stored.contains(&sha256(token)), "a token's hash is stored");
    }
    let path = format!("/v1/matches/{}", created["match"]["id"].as_str().expect("an id"));
    for rest in
        ["", "/events", "/log", "/commentary", "/deliveries", "/luck", "/scorecard", "/replay", "/audit"]
    {
        let answer = deployment.client().get(&format!("{path}{rest}"));
        assert!(tokens.iter().all(|token| !answer.has_status(200).text().contains(token.as_str())));
    }
});

on_both_stores!(the_commitment_is_the_hash_of_the_seed_the_creator_gave, |service| {
    let answer = service.client().post("/v1/matches", &with(seeded(1), "/seed", json!(SEED)));
    let commitment = sha256(hex::decode(SEED).expect("hexadecimal"));
    assert_eq!(answer.expect(201)["match"]["commitment"], commitment);
    assert!(!answer.text().contains(SEED), "the seed is not repeated");
    let events = service.client().get(&format!("{}/events", answer.header("location"))).expect(200);
    let created = &events["events"][0]["data"];
    assert_eq!((&created["commitment"], &created["seed_source"]), (&json!(commitment), &json!("creator")));
});

on_both_stores!(a_seed_in_upper_case_is_the_same_seed, |service| {
    let body = with(seeded(1), "/seed", json!(SEED.to_uppercase()));
    let commitment = sha256(hex::decode(SEED).expect("hexadecimal"));
    assert_eq!(service.create(&body).view()["commitment"], commitment);
});

on_own_stores!(the_service_draws_a_seed_for_each_match, |deployment| {
    let (one, other) = (deployment.create(&seeded_by_service(1)), deployment.create(&seeded_by_service(1)));
    let commitments = [one.view()["commitment"].clone(), other.view()["commitment"].clone()];
    assert_ne!(commitments[0], commitments[1]);
    assert_eq!(one.events()[0]["data"]["seed_source"], "os");
    let stored = deployment.database().texts("select server_seed from secrets");
    for seed in &stored {
        let commitment = sha256(hex::decode(seed).expect("a seed is hexadecimal"));
        assert!(commitments.contains(&json!(commitment)), "a stored seed is not the one committed to");
    }
    assert_eq!(stored.len(), 2);
});

on_own_stores!(a_match_with_table_dice_has_no_seed_and_no_commitment, |deployment| {
    let played = deployment.create(&table(1));
    assert_eq!((&played.view()["dice"], &played.view()["commitment"]), (&json!("table"), &Value::Null));
    let created = &played.events()[0]["data"];
    assert_eq!((&created["seed_source"], &created["commitment"]), (&Value::Null, &Value::Null));
    assert!(deployment.database().texts("select server_seed from secrets").is_empty());
});

on_both_stores!(options_left_out_are_written_out_with_their_defaults, |service| {
    for (given, due) in [
        (json!({}), (20, 4, "as_written")),
        (json!({"overs": 7}), (7, 2, "as_written")),
        (json!({"overs": 50, "max_overs_per_bowler": 6}), (50, 6, "as_written")),
        (json!({"overs": 1, "sixes_off_extras": "never", "drs": "off"}), (1, 1, "never")),
    ] {
        let rules = service.create(&with(table(1), "/rules", given)).view()["rules"].clone();
        let (overs, max, sixes) = due;
        let due =
            json!({"overs": overs, "max_overs_per_bowler": max, "sixes_off_extras": sixes, "drs": "off"});
        assert_eq!(rules, due);
    }
    let mut without = table(1);
    without.as_object_mut().expect("an object").remove("rules");
    assert_eq!(service.create(&without).view()["rules"]["overs"], 20);
});

on_both_stores!(the_first_event_holds_all_that_was_settled_before_play_and_no_more, |service| {
    let played = service.create(&seeded_by_service(20));
    let events = played.events();
    let mut data = events[0]["data"].clone();
    let commitment = data["commitment"].take();
    assert!(commitment.as_str().is_some_and(|text| text.len() == 64), "{commitment}");
    assert!(data["choice_timeout"].take().is_u64());
    let due = json!({
        "game": "howzat",
        "rules": {"overs": 20, "max_overs_per_bowler": 4, "sixes_off_extras": "as_written", "drs": "off"},
        "home": {"name": "Harbour Road", "players": HOME}, "away": {"name": "Mill Lane", "players": AWAY},
        "dice": "seeded", "dice_spec": 1, "seed_source": "os", "client_seeds": "none", "remote": false,
        "choice_timeout": null, "commitment": null, "edition": null,
    });
    assert_eq!(data, due);
    assert_eq!(
        (&events[0]["kind"], &events[0]["actor"], &events[0]["v"]),
        (&json!("match_created"), &json!("scorer"), &json!(1))
    );
});

on_own_stores!(names_of_any_script_and_length_are_kept_as_they_are, |deployment| {
    let longest = "ß".repeat(100);
    let body = with(table(1), "/home/name", json!("Ölüdeniz “Ḍākū” \\ \"XI\" 🏏"));
    let body = with(body, "/home/players/0", json!(longest));
    let body = with(body, "/away/players/3", json!("佐藤\u{200d}花子"));
    let played = deployment.create(&body);
    assert_eq!((&played.view()["home"], &played.view()["away"]), (&body["home"], &body["away"]));
    played.begin().bowl(&[2, 5]);
    assert_eq!(played.events()[4]["data"]["outcome"]["striker"], longest);
    played.audits_clean();
    let listed = deployment.client().get("/v1/matches").expect(200);
    assert_eq!(listed["matches"][0]["home"], body["home"]["name"]);
});

on_own_stores!(a_creation_takes_no_idempotency_key_for_tokens_cannot_be_shown_twice, |deployment| {
    let request = deployment.client().request("POST", "/v1/matches").json(&table(1)).key("once");
    deployment
        .untouched_by(request)
        .refused(400, "invalid-parameter")
        .at("header.Idempotency-Key")
        .says(&["token"]);
    Match::create(deployment.client(), &table(1)).play_step();
});

on_own_stores!(matches_created_at_the_same_time_are_all_there, |deployment| {
    let client = deployment.client().clone();
    let threads: Vec<_> = (0..12)
        .map(|_| {
            let client = client.clone();
            std::thread::spawn(move || Match::create(&client, &table(1)).id)
        })
        .collect();
    let mut created: Vec<String> =
        threads.into_iter().map(|one| one.join().expect("the match is created")).collect();
    let listed = client.get("/v1/matches?limit=100").expect(200);
    let listed = listed["matches"].as_array().expect("a list").iter();
    let mut listed: Vec<String> = listed.map(|one| one["id"].as_str().expect("an id").to_owned()).collect();
    assert!(listed.is_sorted_by(|newer, older| newer > older));
    created.sort();
    listed.sort();
    assert_eq!(created, listed);
    assert_eq!(deployment.database().rows(SECRETS)["heads"].len(), 12);
});

//! A fourth game, which the program does not have: the service that is handed it serves it like the others.

use serde_json::{Value, json};
use third_umpire::audit::{Verdict, audit_with};
use third_umpire::diff::{Agreement, diff_with};
use third_umpire::games::BUILT_IN;
use third_umpire_test_support::coin_cricket::every_game;
use third_umpire_test_support::on_own_stores;
use third_umpire_test_support::service::{
    Captain, Client, Deployment, InProcess, Match, Sides, last_event, until, with,
};

/// The request for a match of coin cricket between the teams of its built-in edition.
fn coin_cricket(overs: u32) -> Value {
    json!({
        "game": "coin-cricket", "rules": {"overs": overs, "reviews": true}, "dice": "table",
        "home": {"name": "Harbour Road", "players": {"team": "Pennies"}},
        "away": {"name": "Mill Lane", "players": {"team": "Farthings"}},
    })
}

/// Serves the database of a deployment, with coin cricket.
fn served(deployment: &Deployment) -> InProcess {
    InProcess::of_games(&deployment.database().url, every_game())
}

fn begun(client: &Client, overs: u32) -> Match {
    let played = Match::create(client, &coin_cricket(overs));
    played.begin();
    played
}

/// Asserts that the library, which is handed the games, finds the log of a match clean.
fn audits_clean_offline(played: &Match) {
    let log = played.get("/log?with=edition");
    let report = audit_with(log.has_status(200).body.as_slice(), None, every_game()).expect("a log");
    assert_eq!(report.verdict, Verdict::Clean, "{report}");
}

on_own_stores!(it_is_recorded_reviewed_corrected_disputed_and_audited, |deployment| {
    let service = served(deployment);
    let played = begun(service.client(), 1);
    played.post("/overs", &json!({"home": "heads", "away": "tails"})).expect(201);
    let score = |answer: &Value| answer["score"]["text"].as_str().expect("a score").to_owned();
    assert_eq!(score(&played.bowl(&[1])), "Harbour Road 4/0 (0.1)");
    let out = played.bowl(&[2]);
    assert_eq!(score(&out), "Harbour Road 4/1 (0.2)");
    let (situation, view) = (&out["situation"], played.view());
    assert_eq!((&situation["due"], situation), (&json!(["review"]), &view["situation"]));
    assert_eq!(situation["over"]["deliveries"][1]["cell"], "W");
    let refused = played.post("/balls", &json!({"dice": [1]})).refused(409, "review-open");
    refused.says(&["home"]);
    let reviewed = played.post("/reviews", &json!({"by": "home", "dice": [6]})).expect(201);
    assert_eq!(score(&reviewed), "Harbour Road 4/0 (0.2)");
    let body = json!({"amends": 1, "dice": [2], "reason": "misread"});
    assert_eq!(score(&played.post("/corrections", &body).expect(201)), "Harbour Road 0/1 (0.2)");
    played.bowl(&[1]);
    let dispute = json!({"delivery": 3, "by": "away", "claim": "It was tails."});
    played.post("/disputes", &dispute).expect(201);
    played.post("/disputes/1/ruling", &json!({"finding": "stands", "ruling": "It was heads."})).expect(201);
    let evidence = played.get("/disputes/1").expect(200);
    assert_eq!(evidence["evidence"]["disputed"]["rulings"][0]["id"], "coin.called");
    let card = played.get("/scorecard").expect(200);
    assert_eq!(card["innings"][0]["total"]["runs"], 4);
    let commentary = played.get("/commentary").expect(200).to_string();
    assert!(commentary.contains("called \\\"heads\\\" and \\\"tails\\\""), "{commentary}");
    played.audits_clean();
    audits_clean_offline(&played);
});

on_own_stores!(its_matches_end_are_found_again_and_are_compared, |deployment| {
    let service = served(deployment);
    let bowled = |coins: &[i64]| {
        let played = begun(service.client(), 1);
        coins.iter().for_each(|coin| {
            drop(played.post("/balls", &json!({"dice": [coin], "accept": true})).expect(201))
        });
        played
    };
    let (one, other) = (bowled(&[1, 1, 2, 1, 1, 1, 1]), bowled(&[1, 1, 1, 1, 1, 1, 1]));
    let logs = [&one, &other].map(|played| played.get("/log?with=edition").text().to_owned());
    let compared = diff_with(logs[0].as_bytes(), logs[1].as_bytes(), &every_game()).expect("two logs");
    assert_eq!((compared.agreement, compared.same_deliveries), (Agreement::Differ, 2));
    drop(service);
    let again = served(deployment);
    let found = one.through(again.client());
    assert_eq!(found.events(), {
        let events = logs[0].lines().skip(1);
        events.map(|line| serde_json::from_str::<Value>(line).expect("JSON")).collect::<Vec<_>>()
    });
    let listed = again.client().get("/v1/matches?game=coin-cricket").expect(200);
    assert_eq!(listed["matches"].as_array().expect("matches").len(), 2);
});

on_own_stores!(both_sides_call_in_secret_and_a_side_that_times_out_is_drawn_for, |deployment| {
    let service = served(deployment);
    let request = with(coin_cricket(2), "/dice", json!("seeded"));
    let request = with(with(request, "/remote", json!(true)), "/client_seeds", json!("both"));
    let sides = Sides::in_play(service.client(), &with(request, "/choice_timeout", json!(1)));
    let calling = |captain: &Captain, face: &str| {
        captain.posting("/choices", &json!({"for": "call", "choice": {"call": face}}))
    };
    calling(&sides.home, "heads").send().expect(201);
    let events = sides.away.seat.events();
    let chosen = events.iter().find(|event| event["kind"] == "choice").expect("a choice");
    assert_eq!((chosen["data"]["sealed"].is_string(), &chosen["data"]["choice"]), (true, &Value::Null));
    let over = last_event(&calling(&sides.away, "tails").send().expect(201)).clone();
    assert_eq!(
        (&over["kind"], &over["data"]["choices"]),
        (&json!("over"), &json!({"home": "heads", "away": "tails"}))
    );
    let mut drawn = 0;
    loop {
        let next = sides.scorer.view()["next"].clone();
        match next["what"].as_str() {
            None if next["kind"] == "over" => break,
            Some("review") => {
                let captain = sides.sorted(&next["side"])[0];
                captain.post("/reviews", &json!({"by": captain.side, "accept": true})).expect(201);
            }
            Some("call") => {
                calling(&sides.home, "tails").send().expect(201);
                sides.home.post("/choices/call", &json!({})).expect(201);
                until("the call is drawn", || sides.home.post("/choices/call", &json!({})).status == 201);
                drawn += 1;
            }
            _ => drop(sides.home.post("/balls", &json!({})).expect(201)),
        }
    }
    assert!(drawn > 0, "an over after the first is begun");
    let report = sides.scorer.audits_clean();
    assert!(report["proved"].to_string().contains("the seed fits its commitment"), "{report}");
    audits_clean_offline(&sides.scorer);
});

on_own_stores!(it_is_simulated_and_listed_in_the_document, |deployment| {
    let service = served(deployment);
    let client = service.client();
    let request = json!({"game": "coin-cricket", "matches": 40, "seed": "c0".repeat(32)});
    let queued = client.post("/v1/simulations", &request).expect(202);
    let path = format!("/v1/simulations/{}", queued["simulation"]["id"].as_str().expect("an id"));
    until("the simulation is over", || client.get(&path).expect(200)["simulation"]["status"] == "completed");
    let innings = &client.get(&path).expect(200)["simulation"]["result"]["innings"];
    assert_eq!(innings[0]["matches"], 40);
    let document = client.get("/openapi.json").expect(200);
    for schema in ["CreateMatch", "CreateSimulation"] {
        let games = &document["components"]["schemas"][schema]["properties"]["game"];
        let ids: Vec<&str> = BUILT_IN.ids().into_iter().chain(["coin-cricket", "net-practice"]).collect();
        assert_eq!(games["enum"], json!(ids));
        assert!(games["description"].as_str().expect("a text").contains("`coin-cricket` (Coin cricket)"));
    }
    assert!(!document.to_string().contains("game-id"), "the mark of a game's id is gone everywhere");
    let editions = client.get("/v1/editions").expect(200);
    assert_eq!(editions["editions"].as_array().expect("editions").len(), 2);
});

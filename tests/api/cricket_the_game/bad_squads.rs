//! Matches that cannot be created: squads, options and dice; and set-ups that are refused.

use serde_json::{Value, json};

use super::{begin, list, seeded, table, text};
use third_umpire_test_support::service::{Deployment, Refusal, with};
use third_umpire_test_support::{on_both_stores, on_own_stores};

/// The squad of twelve of a team in the built-in edition.
fn squad(deployment: &Deployment, team: usize) -> Value {
    let listed = deployment.client().get("/v1/editions").expect(200);
    let editions = list(&listed["editions"]);
    let sha256 = text(
        &editions.iter().find(|edition| edition["id"] == "house").expect("a built-in edition")["sha256"],
    );
    deployment.client().get(&format!("/v1/editions/{sha256}")).expect(200)["teams"][team]["players"].clone()
}

#[track_caller]
fn refused(deployment: &Deployment, request: &Value, at: &str) -> Refusal {
    let answer = deployment.untouched_by(deployment.client().request("POST", "/v1/matches").json(request));
    answer.refused(422, "illegal-input").at(at)
}

on_own_stores!(a_squad_that_cannot_be_is_refused_by_its_rule, |deployment| {
    let twelve = squad(deployment, 0);
    let with_squad = |players: Value| with(table("t20"), "/home/players", players);
    let players = list(&twelve);
    let by =
        |players: Value, at: &str, ruling: &str| refused(deployment, &with_squad(players), at).by(ruling);
    by(json!(players[..11]), "body.home.players", "ctg.squad.size").says(&["12", "11"]);
    by(
        json!([players.clone(), vec![json!({"name": "X", "role": "pace", "confidence": 0})]].concat()),
        "body.home.players",
        "ctg.squad.size",
    );
    by(json!([]), "body.home.players", "ctg.squad.size");
    let mut keepers = twelve.clone();
    for medium in [4, 5] {
        keepers[medium]["role"] = json!("keeper");
    }
    by(keepers, "body.home.players", "ctg.squad.roles").says(&["keeper", "2 pace"]);
    let card = |field: &str, value: Value| {
        let mut twelve = twelve.clone();
        twelve[7][field] = value;
        twelve
    };
    let at = |field: &str| format!("body.home.players[7].{field}");
    by(card("role", json!("captain")), &at("role"), "ctg.squad.card").says(&["pace", "keeper"]);
    by(card("role", json!(7)), &at("role"), "ctg.squad.card");
    for confidence in [json!(4), json!(-2), json!("1"), Value::Null] {
        by(card("confidence", confidence), &at("confidence"), "ctg.squad.card").says(&["-1 to 3"]);
    }
    refused(deployment, &with_squad(card("confidence", json!(1.5))), "body.home.players[7]")
        .says(&["no floats"]);
    by(card("height", json!(180)), "body.home.players[7]", "ctg.squad.card");
    let names: Vec<&Value> = players.iter().map(|player| &player["name"]).collect();
    by(json!(names), "body.home.players", "ctg.squad.card").says(&["role"]);
    refused(deployment, &with_squad(card("name", players[0]["name"].clone())), "body.home.players[7]");
    refused(deployment, &with_squad(json!({"team": "Nobody"})), "body.home.players.team")
        .says(&["Harbour Terns"]);
    refused(deployment, &with(table("t20"), "/edition", json!("0".repeat(64))), "body.edition");
});

on_own_stores!(options_that_are_none_are_refused_with_what_there_is, |deployment| {
    let rules = |rules: Value| with(table("t20"), "/rules", rules);
    for (given, at, message) in [
        (json!({"format": "odi"}), "body.rules.format", "t10 or t20"),
        (json!({"format": 20}), "body.rules.format", "t10 or t20"),
        (json!({"format": "T20"}), "body.rules.format", "t10 or t20"),
        (json!({"drs": true}), "body.rules.drs", "on or off"),
        (json!({"drs": "house"}), "body.rules.drs", "on or off"),
        (json!({"overs": 20}), "body.rules.overs", "format"),
    ] {
        refused(deployment, &rules(given), at).says(&[message]);
    }
    let defaults = deployment.create(&rules(json!({}))).view()["rules"].clone();
    assert_eq!(defaults, json!({"format": "t20", "drs": "on"}));
    let defaults = deployment.create(&rules(json!({"format": "t10"}))).view()["rules"].clone();
    assert_eq!(defaults, json!({"format": "t10", "drs": "off"}));
});

on_both_stores!(a_set_up_that_is_none_is_refused, |service| {
    let played = service.create(&table("t20"));
    let set_up = |body: Value| service.untouched_by(played.posting("/set-up", &body));
    let wrong = |body: Value, at: &str| set_up(body).refused(422, "illegal-input").within(at);
    let bowlers = json!(["Leocadia Fenn", "Farhad Noorzai", "Bronwen Askew", "Jaromir Pell"]);
    let drops = |home: &str| json!({"drop": {"home": home}, "pitch": "spin"});
    for home in ["Ottoline Reyes", "Mirela Dragos", "Tane Whaiora", "Nobody", "Ewan Strachanson"] {
        wrong(drops(home), "body.drop.home").by("ctg.set_up.drop").legal(bowlers.clone());
    }
    wrong(json!({"pitch": "wet"}), "body.pitch")
        .by("ctg.set_up.pitch")
        .legal(json!(["pace", "spin", "neutral"]));
    wrong(json!({"pitch": 3}), "body.pitch");
    wrong(json!({"pitch": "spin", "drop": []}), "body.drop");
    wrong(json!({"pitch": "spin", "drop": {"home": 7}}), "body.drop.home");
    wrong(json!({"pitch": "spin", "drop": {"third": "X"}}), "body.drop");
    wrong(json!({"pitch": "spin", "toss": "home"}), "body");
    let missing = set_up(json!({})).refused(422, "needs-input").at("body.pitch");
    missing.by("ctg.set_up.pitch").legal(json!(["pace", "spin", "neutral"]));
    for path in ["/toss", "/balls", "/overs", "/reviews"] {
        let body = match path {
            "/toss" => json!({"caller": "home", "call": "heads", "coin": "heads"}),
            "/reviews" => json!({"by": "home", "dice": [5]}),
            _ => json!({}),
        };
        service.untouched_by(played.posting(path, &body)).refused(409, "out-of-turn");
    }
    played.post("/set-up", &drops("Farhad Noorzai")).expect(201);
    set_up(drops("Farhad Noorzai")).refused(409, "out-of-turn");
    let seeded = service.create(&seeded("t20", "5eed"));
    let drawn = service.untouched_by(seeded.posting("/set-up", &json!({"pitch": "spin"})));
    drawn.refused(422, "illegal-input").at("body.pitch").by("ctg.set_up.pitch");
});

on_both_stores!(whoever_was_dropped_takes_no_part, |service| {
    let played = service.create(&table("t20"));
    begin(&played);
    let over =
        |body: Value| service.untouched_by(played.posting("/overs", &body)).refused(422, "illegal-input");
    let legal = over(json!({"bowler": "Ewan Strachanson"}))
        .at("body.bowler")
        .by("ctg.over.bowler")
        .says(&["dropped"])
        .problem["legal"]
        .clone();
    assert!(!list(&legal).contains(&json!("Ewan Strachanson")), "{legal}");
    over(json!({"openers": ["Ottoline Reyes", "Jaromir Pell"]})).at("body.openers[1]").by("ctg.over.openers");
    let card = played.get("/scorecard").expect(200).to_string();
    played.post("/overs", &json!({})).expect(201);
    assert!(!played.get("/scorecard").expect(200)["innings"].to_string().contains("Jaromir Pell"), "{card}");
});

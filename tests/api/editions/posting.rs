//! `POST` and `GET` of editions: who may post one, and what is refused.

use serde_json::{Value, json};

use super::{club_edition, house_edition, posted};
use third_umpire_test_support::on_own_processes;
use third_umpire_test_support::service::{Deployment, Engine, Serving, canonical, sha256, with};

on_own_processes!(an_edition_is_kept_by_the_hash_of_its_canonical_form, |deployment| {
    let (client, edition) = (deployment.client(), club_edition(deployment.client()));
    let text = canonical(&edition);
    let hash = sha256(&text);
    let answer = client.request("POST", "/v1/editions");
    let answer = answer.raw("application/json", serde_json::to_string_pretty(&edition).expect("JSON")).send();
    assert_eq!(answer.expect(201), json!({"id": "club", "sha256": hash}));
    let place = format!("/v1/editions/{hash}");
    assert_eq!(answer.header("location"), place);
    let got = client.get(&place);
    assert_eq!((got.has_status(200).text(), got.tag()), (text.as_str(), hash.as_str()));
    assert!(got.header("cache-control").contains("immutable"));
    let again = client.request("GET", &place).header("If-None-Match", &format!("\"{hash}\"")).send();
    again.has_status(304);
    let in_capitals = client.get(&format!("/v1/editions/{}", hash.to_uppercase()));
    assert_eq!((in_capitals.has_status(200).text(), in_capitals.tag()), (text.as_str(), hash.as_str()));
    let before = deployment.database().everything();
    let same = client.post("/v1/editions", &edition);
    assert_eq!((same.expect(200), same.header("location")), (answer.json(), place.as_str()));
    assert_eq!(deployment.database().everything(), before);
    let ids = |listed: Value| -> Vec<Value> {
        listed["editions"].as_array().expect("a list").iter().map(|one| one["id"].clone()).collect()
    };
    assert_eq!(ids(client.get("/v1/editions").expect(200)), ["house", "club"]);
    assert_eq!(deployment.serve().client().get(&place).has_status(200).text(), text);
});

on_own_processes!(the_house_edition_is_there_and_need_not_be_stored, |deployment| {
    let (client, edition) = (deployment.client(), house_edition(deployment.client()));
    let before = deployment.database().everything();
    client.post("/v1/editions", &edition).expect(200);
    assert_eq!(deployment.database().everything(), before);
    assert_eq!(edition["teams"].as_array().expect("teams").len(), 2);
});

on_own_processes!(every_fault_is_told_with_its_place, |deployment| {
    let effects = json!([{"then": {"explode": 1}}]);
    let bad = with(club_edition(deployment.client()), "/over_decks/pace/3/effects", effects);
    let bad = with(bad, "/teams/0/players/1/confidence", json!(9));
    let refused = deployment.untouched_by(deployment.client().request("POST", "/v1/editions").json(&bad));
    let refused = refused.refused(422, "not-an-edition");
    refused
        .says(&["2 faults"])
        .at("body.over_decks.pace[3].effects[0].then")
        .at("body.teams[0].players[1].confidence");
});

on_own_processes!(an_edition_is_read_by_the_game_that_it_names, |deployment| {
    let edition = club_edition(deployment.client());
    let post = |game: Value| {
        let mut named = edition.clone();
        named["game"] = game;
        deployment.client().request("POST", "/v1/editions").json(&named)
    };
    for other in [json!("howzat"), json!("hockey"), json!(["cricket-the-game"]), json!(null)] {
        let refused = deployment.untouched_by(post(other)).refused(422, "not-an-edition").at("body.game");
        refused.says(&["cricket-the-game"]);
    }
    let named = post(json!("cricket-the-game")).send().expect(201);
    assert_ne!(named["sha256"], posted(deployment.client(), &edition), "the name is part of the edition");
});

on_own_processes!(a_file_without_an_edition_is_refused, |deployment| {
    let post = |content_type: &str, body: &str| {
        deployment.untouched_by(deployment.client().request("POST", "/v1/editions").raw(content_type, body))
    };
    let json = "application/json";
    post(json, "{\"id\":").refused(400, "malformed-json").at("body");
    post(json, "").refused(400, "malformed-json");
    let deep = format!("{{\"id\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    post(json, &deep).refused(400, "malformed-json").says(&["deeper than 127 levels"]);
    post("text/plain", "{}").refused(415, "unsupported-media-type");
    post(json, "{}").refused(422, "not-an-edition");
    post(json, "[1, 2]").refused(422, "not-an-edition");
    post(json, "{\"teams\": [{\"name\": 1, \"name\": 2}]}")
        .refused(400, "malformed-json")
        .says(&["\"name\" twice"]);
    post(json, "{\"id\": 1.5}").refused(422, "not-an-edition").at("body").says(&["no floats"]);
    let large = format!("{{\"id\":\"{}\"}}", "x".repeat(5_000_000));
    post(json, &large).refused(413, "body-too-large");
    let nearly = format!("{{\"id\":\"{}\"}}", "x".repeat(1_000_000));
    post(json, &nearly).refused(422, "not-an-edition").at("body").says(&["at most 1000000 bytes"]);
});

on_own_processes!(an_edition_nobody_has_posted_is_not_there, |deployment| {
    for name in ["house", "0", &"0".repeat(64), &"A".repeat(64)] {
        let answer = deployment.client().get(&format!("/v1/editions/{name}"));
        answer.refused(404, "no-such-edition").at("path.sha256");
    }
});

on_own_processes!(who_may_create_a_match_may_post_an_edition, |deployment| {
    let edition = club_edition(deployment.client());
    let service =
        deployment.serve_as(Serving { arguments: &["--admin-token", "sesame"], ..Serving::default() });
    let post = || service.client().request("POST", "/v1/editions").json(&edition);
    deployment.untouched_by(post()).refused(401, "token-missing");
    deployment.untouched_by(post().token("simsim")).refused(403, "token-refused");
    post().token("sesame").send().expect(201);
});

on_own_processes!(no_statement_changes_or_removes_an_edition, |deployment| {
    let hash = posted(deployment.client(), &club_edition(deployment.client()));
    let before = deployment.database().everything();
    let row = format!("values ('{hash}', 'cricket-the-game', 'club', 'x')");
    let mut changes = vec![
        "update editions set body = 'x'".to_owned(),
        "delete from editions".to_owned(),
        format!("insert into editions (sha256, game, id, body) {row}"),
    ];
    changes.push(match deployment.database().engine {
        Engine::Sqlite => format!("replace into editions (sha256, game, id, body) {row}"),
        Engine::Postgres => "truncate editions".to_owned(),
    });
    for sql in changes {
        let error = deployment.database().run(&sql).expect_err(&sql).to_string();
        assert!(error.contains("append-only") || error.to_lowercase().contains("unique"), "{sql}: {error}");
        assert_eq!(deployment.database().everything(), before, "{sql}");
    }
});

/// Several instances may be given the same edition at the same time.
#[test]
fn an_edition_posted_twice_at_once_is_kept_once() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        Deployment::as_process(engine, |deployment| {
            let (here, there) = (deployment.client(), deployment.serve());
            let edition = club_edition(here);
            let post = |client: &third_umpire_test_support::service::Client| {
                client.request("POST", "/v1/editions").json(&edition)
            };
            let answers = third_umpire_test_support::service::at_once(vec![
                post(here),
                post(there.client()),
                post(here),
                post(there.client()),
            ]);
            let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
            statuses.sort_unstable();
            assert_eq!(statuses, [200, 200, 200, 201]);
        });
    }
}

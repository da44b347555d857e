//! Matches that are played with editions: which edition a match keeps, and what a changed or missing edition
//! does.

use serde_json::{Value, json};
use third_umpire::editions::Editions;
use third_umpire::games;
use third_umpire::metrics::Metrics;
use third_umpire::service::{MatchService, ServiceError};
use third_umpire::store::{self, CommitMode, Migrate};
use tokio::runtime::Builder;

use super::{begun, club_edition, house_edition, match_request, posted};
use third_umpire_test_support::on_own_processes;
use third_umpire_test_support::service::{Deployment, table, with};

on_own_processes!(a_match_is_played_with_the_edition_it_names, |deployment| {
    let (played, edition, sha256) = begun(deployment.client());
    let record = json!({"id": "club", "sha256": sha256});
    assert_eq!(played.view()["edition"], record);
    let created = &played.events()[0]["data"];
    assert_eq!(created["edition"], record);
    assert_eq!(created["home"], json!({"name": "Harbour Road", "players": edition["teams"][0]["players"]}));
    assert_eq!(played.view()["away"]["players"], edition["teams"][1]["players"]);
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    played.audits_clean();
});

on_own_processes!(a_match_without_an_edition_plays_the_games_own, |deployment| {
    let edition = house_edition(deployment.client());
    let cards = |place: usize| edition["teams"][place]["players"].clone();
    let request = with(match_request(&edition, ""), "/edition", Value::Null);
    let request = with(request, "/home/players", cards(0));
    let played = deployment.create(&with(request, "/away/players", cards(1)));
    assert_eq!(played.view()["edition"]["id"], "house");
    assert_eq!(played.view()["home"]["players"], cards(0));
    let howzat = deployment.create(&table(1));
    assert!(howzat.view().get("edition").is_none());
});

on_own_processes!(another_instance_fetches_the_edition_when_it_loads_the_match, |deployment| {
    let (played, ..) = begun(deployment.client());
    let there = deployment.serve();
    let again = played.through(there.client());
    assert_eq!(again.get("/scorecard?at=8").expect(200), played.get("/scorecard?at=8").expect(200));
    again.post("/disputes", &json!({"delivery": 1, "claim": "that was out", "by": "home"})).expect(201);
    let third = deployment.serve();
    assert_eq!(played.through(third.client()).get("/disputes/1").expect(200)["delivery"], 1);
    again.post("/autoplay", &json!({"until": "match"})).expect(201);
    let fourth = deployment.serve();
    assert_eq!(played.through(fourth.client()).get("/audit").expect(200)["verdict"], "clean");
});

/// Asserts that a request with some members changed is refused at this place, with this message.
fn refused(deployment: &Deployment, request: &Value, changes: &[(&str, Value)], at: &str, message: &str) {
    let request = changes
        .iter()
        .fold(request.clone(), |request, (pointer, value)| with(request, pointer, value.clone()));
    let answer = deployment.untouched_by(deployment.client().request("POST", "/v1/matches").json(&request));
    answer.refused(422, "illegal-input").at(at).says(&[message]);
}

on_own_processes!(an_edition_that_is_not_there_or_not_the_games_is_refused, |deployment| {
    let edition = club_edition(deployment.client());
    let request = match_request(&edition, &posted(deployment.client(), &edition));
    let change = |value: &str| [("/edition", json!(value))];
    refused(deployment, &request, &change(&"0".repeat(64)), "body.edition", "no edition 0000");
    refused(deployment, &request, &change("club"), "body.edition", "64 hexadecimal digits");
    let sha256 = request["edition"].as_str().expect("a hash");
    refused(deployment, &table(1), &change(sha256), "body.edition", "howzat has no editions");
});

on_own_processes!(players_are_names_cards_or_a_team_that_is_there, |deployment| {
    let edition = house_edition(deployment.client());
    let request = with(match_request(&edition, ""), "/edition", Value::Null);
    let home = |players: Value| [("/home/players", players)];
    let cards = edition["teams"][0]["players"].as_array().expect("players").clone();
    let names: Vec<Value> = cards.iter().map(|card| card["name"].clone()).collect();
    let team = json!({"team": "Nobody"});
    refused(
        deployment,
        &request,
        &home(team.clone()),
        "body.home.players.team",
        "has no team \"Nobody\"; it has ",
    );
    refused(deployment, &request, &home(json!({"team": 7})), "body.home.players.team", "text, not 7");
    refused(
        deployment,
        &request,
        &home(json!({"team": "x", "as": 1})),
        "body.home.players.as",
        "only team is known",
    );
    refused(
        deployment,
        &request,
        &home(json!("Larks")),
        "body.home.players",
        "a list of players, or {\"team\"",
    );
    refused(deployment, &request, &home(json!(cards[..11])), "body.home.players", "12");
    refused(deployment, &request, &home(json!(names)), "body.home.players", "role");
    let mixed = json!([&[names[0].clone()], &cards[1..]].concat());
    refused(deployment, &request, &home(mixed), "body.home.players[1]", "all names, or all cards");
    let mut nameless = cards.clone();
    nameless[3].as_object_mut().expect("a card").remove("name");
    refused(deployment, &request, &home(json!(nameless)), "body.home.players[3].name", "has a name");
    let mut odd = cards.clone();
    odd[3]["confidence"] = json!(1.5);
    refused(deployment, &request, &home(json!(odd)), "body.home.players[3]", "");
    let eleven = json!(cards[..11]);
    refused(deployment, &table(1), &home(eleven), "body.home.players", "howzat has no player cards");
    refused(deployment, &table(1), &home(team), "body.home.players", "no editions, and so no teams");
    refused(deployment, &table(1), &home(json!([1])), "body.home.players[0]", "a player's name");
});

on_own_processes!(a_simulation_is_played_with_the_edition_it_names, |deployment| {
    let sha256 = posted(deployment.client(), &club_edition(deployment.client()));
    let request =
        json!({"game": "cricket-the-game", "rules": {"format": "t10"}, "matches": 2, "edition": sha256});
    let simulation = deployment.client().post("/v1/simulations", &request).expect(202)["simulation"].clone();
    assert_eq!(simulation["edition"], json!({"id": "club", "sha256": sha256}));
    let in_capitals = with(request.clone(), "/edition", json!(sha256.to_uppercase()));
    let same = deployment.client().post("/v1/simulations", &in_capitals).expect(202)["simulation"].clone();
    assert_eq!(same["edition"], simulation["edition"]);
    let unknown = with(request, "/edition", json!("0".repeat(64)));
    let answer = deployment.client().post("/v1/simulations", &unknown);
    answer.refused(422, "illegal-input").at("body.edition");
    let howzat = json!({"game": "howzat", "matches": 2, "edition": sha256});
    deployment.client().post("/v1/simulations", &howzat).refused(422, "illegal-input").at("body.edition");
});

// An audit reads the edition from its log, and does not store it.
on_own_processes!(no_match_is_begun_with_an_edition_that_is_cached_and_not_stored, |deployment| {
    let club = Editions::default()
        .read_value(with(club_edition(deployment.client()), "/id", json!("passing")))
        .expect("an edition");
    let club = std::sync::Arc::new(club);
    let game = games::BUILT_IN.find(club.game).expect("the edition is of a game");
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime can be built");
    runtime.block_on(async {
        let url = &deployment.database().url;
        let store = store::open(url, Migrate::Apply, CommitMode::Group).await.expect("the store opens");
        let matches = MatchService::new(
            store,
            CommitMode::Group,
            Metrics::new().expect("metrics can be set up"),
            Editions::default(),
        )
        .expect("a thread can be started");
        let begun = matches.edition_for(game, Some(&club.sha256)).await;
        let Err(ServiceError::Refused(refusal)) = begun else { panic!("the edition is stored nowhere") };
        assert!(refusal.message.contains("post it to /v1/editions first"), "{}", refusal.message);
        assert!(matches.keep_edition(&club).await.expect("the edition can be stored"));
        let begun = matches.edition_for(game, Some(&club.sha256)).await.expect("the edition is stored");
        assert_eq!(begun.expect("an edition").sha256, club.sha256);
    });
});

//! `/v1/games`

use serde_json::{Value, json};
use third_umpire::games::BUILT_IN;
use third_umpire::scorebook::SHARED_RULINGS;
use third_umpire_test_support::coin_cricket::every_game;
use third_umpire_test_support::service::{Client, InProcess, table, with};
use third_umpire_test_support::{on_both_stores, on_own_stores};

fn games(client: &Client) -> Vec<Value> {
    client.get("/v1/games").expect(200)["games"].as_array().expect("a list of games").clone()
}

fn ids(games: &[Value]) -> Vec<&str> {
    games.iter().map(|game| game["id"].as_str().expect("a game has an id")).collect()
}

on_both_stores!(the_list_of_games_is_that_of_the_registry, |service| {
    let (listed, known) = (games(service.client()), BUILT_IN.games());
    assert_eq!(ids(&listed), BUILT_IN.ids());
    for (game, known) in listed.iter().zip(known) {
        let info = known.info;
        assert_eq!(
            (&game["title"], &game["players"], &game["nameless"], &game["remote"], &game["reviews"]),
            (
                &json!(info.title),
                &json!(info.players),
                &json!(info.nameless),
                &json!(info.remote),
                &json!(info.reviews)
            )
        );
        assert_eq!(game["policies"], json!(known.policies));
        assert_eq!(game["options"], known.options());
        assert_eq!(game["sheet"]["players"], json!(info.players));
        let editions = game["editions"].as_array().expect("a list of editions");
        let teams = game["sheet"]["teams"].as_array().expect("the teams of each edition");
        let of_teams: Vec<&Value> = teams.iter().map(|teams| &teams["edition"]).collect();
        assert_eq!(of_teams, editions.iter().collect::<Vec<_>>(), "{}", info.id);
    }
});

on_both_stores!(the_counts_of_a_card_make_a_whole_team_sheet, |service| {
    let games = service.client().get("/v1/games").expect(200);
    let cards: Vec<&Value> = games["games"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|game| game["sheet"]["card"].is_object())
        .collect();
    assert_eq!(cards.len(), 1);
    for game in cards {
        let members = game["sheet"]["card"]["properties"].as_object().expect("the members of a card");
        let counts = members["role"]["x-count"].as_object().expect("how many players have each role");
        let words: Vec<&String> = counts.keys().collect();
        assert!(
            words
                .iter()
                .all(|word| members["role"]["enum"].as_array().expect("words").contains(&json!(word)))
        );
        let sum: u64 = counts.values().filter_map(Value::as_u64).sum();
        assert_eq!(json!(sum), game["sheet"]["players"]);
        assert_eq!(members["confidence"]["default"], 0);
    }
});

on_both_stores!(a_list_of_games_that_has_not_changed_is_not_sent_again, |service| {
    for path in ["/v1/games", "/v1/games/howzat/rulings"] {
        let tag = service.client().get(path).tag().to_owned();
        let again = service.client().request("GET", path).header("If-None-Match", &format!("\"{tag}\""));
        again.send().has_status(304);
    }
});

on_both_stores!(the_rulings_of_a_game_are_all_that_a_ball_or_a_refusal_can_cite, |service| {
    for game in BUILT_IN.games() {
        let list = service.client().get(&format!("/v1/games/{}/rulings", game.info.id)).expect(200);
        assert_eq!(list["game"], game.info.id);
        let all = game.info.rulings.iter().copied().chain(SHARED_RULINGS);
        let due: Vec<Value> = all.map(|ruling| json!({"id": ruling.id, "text": ruling.text})).collect();
        assert_eq!(list["rulings"], json!(due), "{}", game.info.id);
    }
});

on_both_stores!(an_unknown_game_is_refused_with_the_list_of_games, |service| {
    for id in ["tip-and-run", "Howzat", "%20", "coin-cricket", &"x".repeat(10_000)] {
        let path = format!("/v1/games/{id}/rulings");
        let refusal = service.client().get(&path).refused(404, "no-such-game");
        refusal.at("path.game").says(&["the games are howzat, cuberoots, cricket-the-game"]);
    }
});

on_both_stores!(an_option_whose_limits_depend_on_another_says_how, |service| {
    let listed = games(service.client());
    let howzat = listed.iter().find(|game| game["id"] == "howzat").expect("howzat is listed");
    let most = &howzat["options"]["properties"]["max_overs_per_bowler"];
    let depends = most["x-limits-depend"].as_str().expect("a sentence");
    assert!(depends.contains("(overs - 1) / 9") && depends.contains("3 with 20 overs"), "{depends}");
    let of = |most: u32| json!({"overs": 20, "max_overs_per_bowler": most});
    let request = |most: u32| with(table(20), "/rules", of(most));
    service.client().post("/v1/matches", &request(2)).refused(422, "illegal-input").says(&["at least 3"]);
    service.client().post("/v1/matches", &request(3)).expect(201);
});

#[test]
fn every_option_has_a_place_of_its_own_in_a_form() {
    for game in every_game().registry().games() {
        let options = game.options();
        let options = options["properties"].as_object().expect("options");
        let mut places: Vec<u64> = options.values().filter_map(|option| option["x-order"].as_u64()).collect();
        places.sort_unstable();
        assert_eq!(places, (1..=options.len() as u64).collect::<Vec<_>>(), "{}", game.info.id);
    }
}

on_own_stores!(a_game_that_the_service_is_handed_is_listed_like_the_others, |deployment| {
    let service = InProcess::of_games(&deployment.database().url, every_game());
    let listed = games(service.client());
    let coin = listed.iter().find(|game| game["id"] == "coin-cricket").expect("the game is listed");
    assert_eq!(coin["title"], "Coin cricket");
    assert_eq!(coin["options"]["properties"]["overs"]["type"], "integer");
    assert_eq!(coin["sheet"]["teams"][0]["teams"], json!(["Pennies", "Farthings"]));
    let rulings = service.client().get("/v1/games/coin-cricket/rulings").expect(200);
    assert!(!rulings["rulings"].as_array().expect("a list").is_empty(), "{rulings}");
});

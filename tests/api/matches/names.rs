//! Names that Unicode writes in several ways: a request may write them in any, and the log has one.

use serde_json::{Value, json};
use third_umpire::log::TeamSheet;
use third_umpire_test_support::logs::Setting;
use third_umpire_test_support::service::{AWAY, Client, Deployment, HOME, Match, put_log, table, with};
use third_umpire_test_support::{on_both_stores, on_own_stores};

/// The name of a player in NFC and in NFD.
const JOSE: [&str; 2] = ["José", "Jose\u{301}"];
const ZOE: [&str; 2] = ["Zoë", "Zoe\u{308}"];
const LEA: [&str; 2] = ["Léa", "Le\u{301}a"];
const TEAM: [&str; 2] = ["Ålesund", "A\u{30a}lesund"];
/// A name with and without the joiner that it is written with.
const SHAH: [&str; 2] = ["شاه\u{200c}زاده", "شاهزاده"];

/// A match whose players Zoë, José and Léa are named in NFC (0) or in NFD (1).
fn request(form: usize) -> Value {
    let request = with(table(1), "/home/players/0", json!(ZOE[form]));
    let request = with(request, "/away/players/0", json!(JOSE[form]));
    with(request, "/away/players/1", json!(LEA[form]))
}

/// The field of an over with the position of each player, these in another form.
fn by_player(field: &Value, renamed: &[[&str; 2]]) -> Value {
    let places = field.as_object().expect("a field").iter();
    let place = |(position, name): (&String, &Value)| {
        let name = name.as_str().expect("a name");
        let other = renamed.iter().find_map(|[from, to]| (name == *from).then_some(*to));
        (other.unwrap_or(name).to_owned(), json!(position))
    };
    Value::Object(places.map(place).collect())
}

on_both_stores!(a_new_match_has_its_names_in_one_form, |service| {
    let played = service.create(&with(request(1), "/home/name", json!(TEAM[1])));
    let view = played.view();
    assert_eq!([&view["home"]["name"], &view["home"]["players"][0]], [TEAM[0], ZOE[0]]);
    assert_eq!([&view["away"]["players"][0], &view["away"]["players"][1]], [JOSE[0], LEA[0]]);
    let created = &played.events()[0]["data"];
    assert_eq!([&created["home"]["name"], &created["home"]["players"][0]], [TEAM[0], ZOE[0]]);
});

on_both_stores!(a_joiner_within_a_word_stays_and_is_left_out_when_names_are_compared, |service| {
    let played = service.create(&with(request(0), "/away/players/2", json!(SHAH[0])));
    played.begin();
    let over = played.post("/overs", &json!({"bowler": SHAH[1]})).expect(201);
    assert_eq!(over["events"][0]["data"]["choices"]["bowler"], SHAH[0]);
});

on_both_stores!(a_player_is_found_by_either_form_of_his_name, |service| {
    let other = [ZOE, JOSE, LEA];
    let played = service.create(&request(1));
    played.begin();
    let choices = json!({"bowler": JOSE[1], "openers": [ZOE[1], HOME[1]]});
    let preview = played.client.post(&played.path("/overs/preview"), &choices).expect(200);
    assert_eq!(preview["done"], true);
    let over = played.post("/overs", &choices).expect(201);
    let begun = &over["events"][0]["data"]["choices"];
    assert_eq!([&begun["bowler"], &begun["openers"][0]], [JOSE[0], ZOE[0]]);
    let wicket = json!({"kind": "caught", "player_out": ZOE[1], "fielders": [LEA[1]]});
    let agreed = json!({"outcome": {"wicket": wicket}, "reason": "the table agreed"});
    let ball = json!({"dice": [2, 3], "as_stood": agreed});
    let wicket = played.post("/balls", &ball).expect(201)["events"][0]["data"]["outcome"]["wicket"].clone();
    assert_eq!([&wicket["player_out"], &wicket["fielders"][0]], [ZOE[0], LEA[0]]);
    let field = by_player(&begun["field"], &other);
    let over = json!({"bowler": JOSE[1], "field": field, "openers": [ZOE[1], HOME[1]]});
    let amendment = json!({"amends": 1, "over": over, "dice": [2, 1], "reason": "misread"});
    played.post("/corrections?dry_run=true", &amendment).expect(200);
    played.post("/corrections", &amendment).expect(201);
    let log = played.get("/log").text().to_owned();
    assert!(other.iter().all(|[recorded, other]| log.contains(recorded) && !log.contains(other)), "{log}");
    played.audits_clean();
});

/// A log whose names a request of an earlier version has left in NFD.
fn put_old_match(deployment: &Deployment) -> Match {
    let players = |[first, second]: [&str; 2], rest: [&str; 11]| {
        [first, second].into_iter().chain(rest.into_iter().skip(2)).map(str::to_owned).collect()
    };
    let home = TeamSheet::of_names(TEAM[1], players([ZOE[1], HOME[1]], HOME));
    // These two look alike, and are two: only a request of today is refused.
    let away = TeamSheet::of_names("Mill Lane", players(JOSE, AWAY));
    let log = Setting { home, away, ..Setting::overs(1) }.table().home_bats().log();
    put_log(deployment, deployment.database(), &log)
}

on_own_stores!(a_match_that_was_recorded_in_the_other_form_goes_on, |deployment| {
    let played = put_old_match(deployment);
    let choices = json!({"bowler": AWAY[3], "openers": [HOME[1], ZOE[0]]});
    let over = played.post("/overs", &choices).expect(201);
    assert_eq!(over["events"][0]["data"]["choices"]["openers"], json!([HOME[1], ZOE[1]]));
    let wicket = json!({"kind": "caught", "fielders": [JOSE[0]]});
    for (form, name) in JOSE.iter().enumerate() {
        let wicket = with(wicket.clone(), "/fielders/0", json!(name));
        let agreed = json!({"outcome": {"wicket": wicket}, "reason": "the table agreed"});
        let ball = played.post("/balls", &json!({"dice": [2, 3], "as_stood": agreed})).expect(201);
        let fielder = &ball["events"][0]["data"]["outcome"]["wicket"]["fielders"][0];
        assert_eq!(fielder, JOSE[form], "a name that is there is that player's");
    }
    played.audits_clean();
    played.audits_clean_offline();
});

fn found(client: &Client, team: &str) -> Vec<Value> {
    let encoded: String = team.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let list = client.get(&format!("/v1/matches?team={encoded}")).expect(200);
    list["matches"].as_array().expect("a list").iter().map(|entry| entry["id"].clone()).collect()
}

on_own_stores!(the_list_finds_a_team_by_the_text_as_given_and_by_its_nfc, |deployment| {
    let old = put_old_match(deployment);
    let new = deployment.create(&with(table(1), "/away/name", json!(TEAM[1])));
    assert_eq!(found(deployment.client(), TEAM[0]), [new.id.as_str()]);
    let mut both = found(deployment.client(), TEAM[1]);
    both.sort_by_key(Value::to_string);
    let mut ids = [old.id, new.id];
    ids.sort();
    assert_eq!(both, ids);
});

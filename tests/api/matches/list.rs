//! `GET /v1/matches`

use serde_json::{Value, json};
use third_umpire_test_support::on_own_stores;
use third_umpire_test_support::service::{Client, Match, Service, table, with};

fn ids(page: &Value) -> Vec<String> {
    let matches = page["matches"].as_array().expect("a page has matches");
    matches.iter().map(|one| one["id"].as_str().expect("an id").to_owned()).collect()
}

fn listed(client: &Client, query: &str) -> Vec<String> {
    ids(&client.get(&format!("/v1/matches{query}")).expect(200))
}

fn named(service: &Service, home: &str, away: &str) -> Match {
    service.create(&with(with(table(1), "/home/name", json!(home)), "/away/name", json!(away)))
}

on_own_stores!(without_a_match_the_list_is_empty, |deployment| {
    let page = deployment.client().get("/v1/matches").expect(200);
    assert_eq!(page, json!({"matches": [], "next_cursor": null}));
});

on_own_stores!(an_entry_says_who_plays_how_it_stands_and_where_the_log_ends, |deployment| {
    let played = deployment.create(&table(1));
    played.begin().bowl(&[2, 4]);
    let page = deployment.client().get("/v1/matches").expect(200);
    let view = played.view();
    let due = json!({
        "id": played.id, "game": "howzat", "home": "Harbour Road", "away": "Mill Lane", "dice": "table",
        "status": "in_play", "created_at": view["created_at"], "score": view["score"], "result": null,
        "head": view["head"],
    });
    assert_eq!(page["matches"], json!([due]));
});

on_own_stores!(pages_hold_every_match_once_the_newest_first, |deployment| {
    let created: Vec<String> = (0..7).map(|_| deployment.create(&table(1)).id).collect();
    let (mut found, mut query, mut pages) = (Vec::new(), "?limit=3".to_owned(), 0);
    loop {
        let page = deployment.client().get(&format!("/v1/matches{query}")).expect(200);
        found.extend(ids(&page));
        pages += 1;
        // A match created meanwhile is newer than every later page.
        deployment.create(&table(1));
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        query = format!("?limit=3&cursor={cursor}");
    }
    assert_eq!((pages, found), (3, created.into_iter().rev().collect()));
});

on_own_stores!(a_page_that_is_just_full_has_no_next, |deployment| {
    let created: Vec<String> = (0..3).map(|_| deployment.create(&table(1)).id).collect();
    let page = deployment.client().get("/v1/matches?limit=3").expect(200);
    assert_eq!((ids(&page).len(), &page["next_cursor"]), (created.len(), &Value::Null));
    let page = deployment.client().get("/v1/matches?limit=2").expect(200);
    assert!(page["next_cursor"].is_string());
});

on_own_stores!(twenty_matches_are_a_page_where_nothing_is_said, |deployment| {
    (0..21).for_each(|_| drop(deployment.create(&table(1))));
    assert_eq!(listed(deployment.client(), "").len(), 20);
    assert_eq!(listed(deployment.client(), "?limit=100").len(), 21);
});

on_own_stores!(matches_are_selected_by_status, |deployment| {
    let [created, in_play, completed, abandoned] = [0; 4].map(|_| deployment.create(&table(1)));
    in_play.begin().bowl(&[2, 3]);
    completed.begin();
    // All are out for no run, so that a single wins.
    (0..6).for_each(|_| drop(completed.bowl(&[2, 3])));
    completed.bowl(&[2, 1]);
    abandoned.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    for (status, due) in
        [("created", created), ("in_play", in_play), ("completed", completed), ("abandoned", abandoned)]
    {
        assert_eq!(listed(deployment.client(), &format!("?status={status}")), [due.id], "{status}");
    }
});

on_own_stores!(matches_are_selected_by_team_and_game_and_by_all_at_once, |deployment| {
    let one = named(deployment, "Reds", "Blues");
    let other = named(deployment, "Blues", "Greens");
    named(deployment, "Greens", "Red");
    let client = deployment.client();
    assert_eq!(listed(client, "?team=Blues"), [other.id.as_str(), one.id.as_str()]);
    assert_eq!(listed(client, "?team=Reds"), [one.id.as_str()]);
    assert!(listed(client, "?team=blues").is_empty(), "names are compared exactly");
    assert_eq!(listed(client, "?game=howzat").len(), 3);
    assert_eq!(listed(client, "?game=cuberoots"), [""; 0]);
    other.begin();
    assert_eq!(listed(client, "?team=Blues&status=in_play&game=howzat"), [other.id]);
    assert_eq!(listed(client, "?team=Blues&limit=1").len(), 1);
});

on_own_stores!(a_team_is_found_by_a_name_in_need_of_escapes, |deployment| {
    let played = named(deployment, "R&D 100% + '; drop table events; --", "Blues");
    let query = "?team=R%26D%20100%25%20%2B%20%27%3B%20drop%20table%20events%3B%20--";
    assert_eq!(listed(deployment.client(), query), [played.id]);
});

on_own_stores!(a_list_that_has_not_changed_is_not_sent_again, |deployment| {
    let played = deployment.create(&table(1));
    let again = |tag: &str| {
        deployment
            .client()
            .request("GET", "/v1/matches")
            .header("If-None-Match", &format!("\"{tag}\""))
            .send()
    };
    let tag = deployment.client().get("/v1/matches").tag().to_owned();
    again(&tag).has_status(304);
    played.begin();
    assert_ne!(again(&tag).has_status(200).tag(), tag);
});

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

on_own_stores!(an_empty_service_has_an_empty_list, |deployment| {
    let page = deployment.client().get("/v1/matches").expect(200);
    assert_eq!(page, json!({"matches": [], "next_cursor": null}));
});

on_own_stores!(an_entry_says_who_plays_how_it_stands_and_where_the_log_ends, |deployment| {
    let played = deployment.create(&table(1));
    played.begin().bowl(&[2, 4]);
    let page = deployment.client().get("/v1/matches").expect(200);
    let view = played.view();
    let due = json!({
        "id": played.id, "game": "howzat", "title": "Extended Howzat", "home": "Harbour Road",
        "away": "Mill Lane", "dice": "table", "status": "in_play", "created_at": view["created_at"],
        "last_at": view["situation"]["last"]["at"], "line": "Harbour Road 4/0 (0.1)",
        "over": view["situation"]["over"], "score": view["score"], "result": null, "head": view["head"],
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

on_own_stores!(a_page_has_twenty_matches_by_default, |deployment| {
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

on_own_stores!(matches_are_selected_by_the_time_of_their_last_event, |deployment| {
    let client = deployment.client();
    let created: Vec<String> = (0..3).map(|_| deployment.create(&table(1)).id).collect();
    let time = |id: &String| {
        client.get(&format!("/v1/matches?id={id}")).expect(200)["matches"][0]["last_at"].clone()
    };
    let times: Vec<String> = created.iter().map(|id| time(id).as_str().expect("a time").to_owned()).collect();
    for at in &times {
        let mut due: Vec<_> =
            created.iter().zip(&times).filter(|(_, time)| *time < at).map(|(id, _)| id).collect();
        due.reverse();
        for order in ["created", "changed"] {
            assert_eq!(
                listed(client, &format!("?before={at}&order={order}")).iter().collect::<Vec<_>>(),
                due
            );
        }
    }
    let all = "?before=9999-12-31T23:59:59.999Z&order=changed";
    assert_eq!(listed(client, all).len(), 3);
    // The pages go on before the time.
    let first = client.get(&format!("/v1/matches{all}&limit=2")).expect(200);
    let cursor = first["next_cursor"].as_str().expect("another page");
    assert_eq!(listed(client, &format!("{all}&cursor={cursor}")), [created[0].as_str()]);
    assert!(listed(client, "?before=0000-01-01T00:00:00.000Z").is_empty());
    for wrong in
        ["", "yesterday", "2026-11-24", "2026-13-01T00:00:00.000Z", "2026-11-24T00:00:00.000%2B01:00"]
    {
        let answer = client.get(&format!("/v1/matches?before={wrong}")).refused(400, "invalid-parameter");
        answer.at("query.before").says(&["a time"]);
    }
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

/// The entry of a match in the list.
fn entry(played: &Match) -> Value {
    let page = played.client.get("/v1/matches?limit=100").expect(200);
    let entries = page["matches"].as_array().expect("a page has matches");
    entries.iter().find(|entry| entry["id"] == played.id).expect("the match is listed").clone()
}

on_own_stores!(the_line_of_an_entry_follows_the_match_from_the_toss_to_the_result, |deployment| {
    let played = deployment.create(&table(1));
    let line = |due: &str| assert_eq!(entry(&played)["line"], due);
    line("waits for the toss");
    played.begin();
    line("Harbour Road to bat");
    played.bowl(&[2, 3]);
    line("Harbour Road 0/0 (0.1)");
    (0..5).for_each(|_| drop(played.bowl(&[2, 3])));
    line("1 off 6 to win");
    played.bowl(&[2, 1]);
    let (entry, view) = (entry(&played), played.view());
    assert_eq!(entry["line"], "Mill Lane won by 10 wickets");
    assert_eq!((&entry["result"]["text"], &entry["over"]), (&entry["line"], &Value::Null));
    assert_eq!(entry["day"].as_str(), entry["last_at"].as_str().map(|at| &at[..10]));
    for result in [&view["result"], &view["next"]["result"], &played.get("/scorecard").expect(200)["result"]]
    {
        assert_eq!(result, &entry["result"]);
    }
    let replay = played.get("/replay").expect(200);
    assert_eq!((&replay["result"], &replay["next"]["result"]), (&entry["result"], &entry["result"]));
});

on_own_stores!(the_line_of_an_abandoned_match_has_the_reason, |deployment| {
    let played = deployment.create(&table(1));
    played.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    let entry = entry(&played);
    assert_eq!((&entry["line"], &entry["title"]), (&json!("abandoned: rain"), &json!("Extended Howzat")));
    assert!(entry["day"].is_string() && entry["result"].is_null(), "{entry}");
});

on_own_stores!(a_status_may_be_repeated, |deployment| {
    let [created, in_play, abandoned] = [0; 3].map(|_| deployment.create(&table(1)));
    in_play.begin();
    abandoned.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    let client = deployment.client();
    assert_eq!(listed(client, "?status=created&status=in_play"), [in_play.id, created.id.clone()]);
    assert_eq!(listed(client, "?status=created&limit=1&status=created"), [created.id]);
    let refusal = client.get("/v1/matches?status=created&status=over").refused(400, "invalid-parameter");
    refusal.at("query.status").says(&["created", "in_play", "completed", "abandoned", "over"]);
});

on_own_stores!(a_list_of_ids_has_those_matches_and_no_others, |deployment| {
    let [one, other, last] = [0; 3].map(|_| deployment.create(&table(1)));
    last.begin();
    let client = deployment.client();
    let unknown = "01a20082-5925-720e-a587-ebd95c5e0b8f";
    let query = format!("?id={}&id={unknown}&id={}", one.id.to_uppercase(), last.id);
    assert_eq!(listed(client, &query), [last.id.clone(), one.id.clone()]);
    assert_eq!(
        listed(client, &format!("{query}&order=changed&status=created")),
        std::slice::from_ref(&one.id)
    );
    let first = client.get(&format!("/v1/matches{query}&id={}&limit=2", other.id)).expect(200);
    assert_eq!(ids(&first), [last.id, other.id]);
    let cursor = first["next_cursor"].as_str().expect("there is a match more");
    assert_eq!(listed(client, &format!("{query}&cursor={cursor}")), [one.id]);
    client.get(&format!("/v1/matches?id={unknown}&id=8")).refused(400, "invalid-parameter").at("query.id");
    let many = format!("?id={unknown}").repeat(101).replace("8f?", "8f&");
    let refusal = client.get(&format!("/v1/matches{many}")).refused(400, "invalid-parameter");
    refusal.at("query.id").says(&["100"]);
});

on_own_stores!(matches_are_listed_by_their_last_events_page_by_page, |deployment| {
    let created = [0; 5].map(|_| deployment.create(&table(1)));
    // The times of two events may be the same millisecond: the later match then comes first.
    for played in [&created[0], &created[3], &created[4]] {
        played.begin();
    }
    let client = deployment.client();
    let due = [4, 3, 0, 2, 1].map(|n: usize| created[n].id.clone());
    let (mut found, mut query) = (Vec::new(), "?order=changed&limit=2".to_owned());
    loop {
        let page = client.get(&format!("/v1/matches{query}")).expect(200);
        found.extend(ids(&page));
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        client.get(&format!("/v1/matches?cursor={cursor}")).refused(400, "bad-cursor").at("query.cursor");
        query = format!("?order=changed&limit=2&cursor={cursor}");
    }
    assert_eq!(found, due);
    assert_eq!(
        listed(client, "?order=changed&status=created"),
        [created[2].id.clone(), created[1].id.clone()]
    );
    assert_eq!(listed(client, "?order=created"), listed(client, ""));
});

on_own_stores!(a_list_has_each_ball_at_once_in_every_order, |deployment| {
    let matches = [(); 3].map(|()| deployment.create(&table(2)));
    for played in &matches {
        played.begin();
    }
    let client = deployment.client();
    for at in 0..9 {
        let played = &matches[at % 3];
        let bowled = played.bowl(&[2, 3]);
        let first = client.get("/v1/matches?order=changed&limit=1").expect(200)["matches"][0].clone();
        assert_eq!((&first["id"], &first["head"]), (&json!(played.id), &bowled["head"]));
        let all = client.get("/v1/matches?status=in_play").expect(200);
        let newest_first = all["matches"].as_array().expect("a page has matches").iter().rev();
        for (played, entry) in matches.iter().zip(newest_first) {
            assert_eq!((&entry["head"], &entry["score"]), (&played.view()["head"], &played.view()["score"]));
        }
        let before = first["last_at"].as_str().expect("a time");
        let earlier = client.get(&format!("/v1/matches?before={before}")).expect(200);
        assert!(!ids(&earlier).contains(&played.id), "it has an event at {before}");
    }
});

on_own_stores!(matches_whose_last_events_are_hours_apart_are_listed_in_their_order, |deployment| {
    let created = [0; 4].map(|_| deployment.create(&table(1)));
    for (hours, one) in [(1, &created[3]), (3, &created[1]), (2, &created[0])] {
        let id = deployment.database().id(&one.id);
        let earlier = format!(
            "update match_list set last_at = last_at - {hours} * 3600000, last_hour = last_hour - {hours} \
             where match_id = {id}"
        );
        assert_eq!(deployment.database().run(&earlier).expect("the list may be written"), 1);
    }
    let client = deployment.client();
    let (mut found, mut query) = (Vec::new(), "?order=changed&limit=1".to_owned());
    loop {
        let page = client.get(&format!("/v1/matches{query}")).expect(200);
        found.extend(ids(&page));
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        query = format!("?order=changed&limit=1&cursor={cursor}");
    }
    assert_eq!(found, [2, 3, 0, 1].map(|n: usize| created[n].id.clone()));
});

on_own_stores!(an_unknown_order_and_overlong_parameters_are_refused, |deployment| {
    let client = deployment.client();
    for order in ["", "newest", &"x".repeat(10_000)] {
        let refusal = client.get(&format!("/v1/matches?order={order}")).refused(400, "invalid-parameter");
        refusal.at("query.order").says(&["created", "changed"]);
    }
    let long = "x".repeat(10_000);
    client.get(&format!("/v1/matches?status={long}")).refused(400, "invalid-parameter").at("query.status");
    for cursor in ["changed-", "changed-1", "changed-x-y", "changed-1-2", &format!("changed-{long}")] {
        let query = format!("/v1/matches?order=changed&cursor={cursor}");
        client.get(&query).refused(400, "bad-cursor").at("query.cursor");
    }
});

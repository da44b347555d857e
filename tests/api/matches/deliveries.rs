//! `GET /v1/matches/{id}/deliveries`: a row for each delivery that stands.

use serde_json::{Value, json};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{AWAY, Cup, HOME, Match, Service, seeded, table, with};

use super::disputes::{agree, amend, five_balls, undo};

/// The rows of a match for a query.
#[track_caller]
fn rows(played: &Match, query: &str) -> Vec<Value> {
    let page = played.get(&format!("/deliveries{query}")).expect(200);
    assert_eq!(page["next_after"], Value::Null);
    page["deliveries"].as_array().expect("rows").clone()
}

/// Members of rows, each row's as a list.
fn members(rows: &[Value], names: &[&str]) -> Value {
    rows.iter().map(|row| names.iter().map(|name| row[*name].clone()).collect::<Value>()).collect()
}

/// A match that is created, begun, and seeded the same way each time.
fn begun(service: &Service, game: &str, sides: [Value; 2]) -> Match {
    let [home, away] = sides;
    let request = with(with(seeded(2), "/game", json!(game)), "/rules", json!({}));
    let request = with(with(request, "/home/players", home), "/away/players", away);
    service.create(&request)
}

on_both_stores!(a_row_tells_a_delivery_and_the_score_after_it, |service| {
    let played = service.create(&table(1));
    played.begin();
    let before = rows(&played, "");
    assert_eq!(before, [] as [Value; 0], "no ball was bowled");
    for dice in [&[2, 4][..], &[1, 2], &[2, 1], &[3, 5, 3, 4, 5], &[1, 1, 3], &[1, 4, 1], &[2, 6], &[2, 3]] {
        played.bowl(dice);
    }
    let page = played.get("/deliveries").expect(200);
    let head = played.head();
    assert_eq!(
        (&page["match"], &page["at_seq"], &page["head"], page.get("as_known_at")),
        (&json!(played.id), &json!(head.seq), &json!({"seq": head.seq, "hash": head.hash}), None)
    );
    let rows = rows(&played, "");
    let wicket = json!({"kind": "caught", "player_out": "Brook", "bowler": "Verity", "fielders": ["Rhodes"]});
    let fourth = json!({
        "seq": 8, "delivery": 4, "place": {"innings": 1, "over": 1, "ball": 4, "text": "0.4"}, "innings": 1,
        "runs": {"batter": 0, "extras": 0, "total": 0}, "extras": {}, "boundary": null, "wicket": wicket,
        "legal": true, "balls": 3, "total": 6, "wickets": 1, "required_rate": null, "batter": "Brook",
        "partner": "Abel", "bowler": "Verity", "cell": "W", "dice": [
            {"for": "bowl", "sides": 6, "value": 3}, {"for": "strike", "sides": 6, "value": 5},
            {"for": "fielder", "sides": 6, "value": 3}, {"for": "fielder", "sides": 6, "value": 4},
            {"for": "catch", "sides": 6, "value": 5},
        ],
    });
    assert_eq!(rows[3], fourth);
    let told = members(&rows, &["delivery", "cell", "legal", "balls", "total", "wickets", "batter"]);
    let due = json!([
        [1, "4", true, 1, 4, 0, "Abel"],
        [2, "wd", false, 1, 5, 0, "Abel"],
        [3, "1", true, 2, 6, 0, "Abel"],
        [4, "W", true, 3, 6, 1, "Brook"],
        [5, "nb", false, 3, 7, 1, "Crane"],
        [6, "lb1", true, 4, 8, 1, "Crane"],
        [7, "6", true, 5, 14, 1, "Abel"],
        [8, "•", true, 6, 14, 1, "Abel"],
    ]);
    assert_eq!(told, due);
    let split = members(&rows[4..7], &["runs", "extras", "boundary"]);
    let due = json!([
        [{"batter": 0, "extras": 1, "total": 1}, {"no_balls": 1}, null],
        [{"batter": 0, "extras": 1, "total": 1}, {"leg_byes": 1}, null],
        [{"batter": 6, "extras": 0, "total": 6}, {}, 6],
    ]);
    assert_eq!(split, due);
});

on_both_stores!(the_required_rate_of_a_row_is_that_of_the_situation_after_it, |service| {
    let played = service.create(&table(2));
    played.begin();
    let (mut cup, mut due) = (Cup::new(11), Vec::new());
    while played.view()["status"] != "completed" {
        let bowled = played.throw(&mut cup);
        let innings = bowled["events"].as_array().expect("events").iter().rev();
        let innings = innings.filter_map(|event| event["data"]["innings"].as_u64()).next();
        let chased = innings == Some(2) && !bowled["situation"].is_null();
        due.push(if chased { bowled["situation"]["required_rate"].clone() } else { Value::Null });
    }
    let rates: Vec<Value> = rows(&played, "").iter().map(|row| row["required_rate"].clone()).collect();
    assert_eq!(rates, due);
    let (first, second) = rates.split_at(rows(&played, "").iter().filter(|row| row["innings"] == 1).count());
    assert!(first.iter().all(Value::is_null), "{first:?}");
    assert!(second.iter().filter(|rate| rate.is_string()).count() > 3, "{second:?}");
    assert!(second.last().is_some_and(Value::is_null), "the match is over");
});

on_both_stores!(every_game_tells_its_deliveries_and_one_with_zones_the_zone, |service| {
    let nobody = || json!([]);
    let team = |name: &str| json!({"team": name});
    for (game, sides) in [
        ("howzat", [json!(HOME), json!(AWAY)]),
        ("cuberoots", [nobody(), nobody()]),
        ("cricket-the-game", [team("Harbour Terns"), team("Copperfield Larks")]),
    ] {
        let played = begun(service, game, sides);
        for _ in 0..4 {
            played.post("/autoplay", &json!({"until": "over"})).expect(201);
        }
        let rows = rows(&played, "");
        assert!(rows.len() >= 24, "{game}: {}", rows.len());
        let strip = played.view()["situation"]["over"]["deliveries"].as_array().expect("a strip").clone();
        let last = &rows[rows.len() - strip.len()..];
        for (row, cell) in last.iter().zip(&strip) {
            let same = ["delivery", "seq", "place", "cell", "boundary", "legal", "wicket"];
            assert_eq!(same.map(|name| &row[name]), same.map(|name| &cell[name]), "{game}");
            assert_eq!(row["runs"]["total"], cell["runs"], "{game}");
        }
        let events = played.events();
        for row in &rows {
            let ball = &events[row["seq"].as_u64().expect("a seq") as usize - 1]["data"];
            let outcome = &ball["outcome"];
            assert_eq!((&row["delivery"], &row["dice"]), (&ball["delivery"], &ball["dice"]), "{game}");
            assert_eq!(row.get("zone"), outcome["detail"].get("zone"), "{game}");
            let of_the_ball =
                [&outcome["striker"], &outcome["non_striker"], &outcome["bowler"], &outcome["runs"]];
            assert_eq!(["batter", "partner", "bowler", "runs"].map(|name| &row[name]), of_the_ball, "{game}");
        }
        let zones = rows.iter().filter(|row| row["zone"].is_string()).count();
        assert_eq!(zones > 0, game == "cricket-the-game", "{game}: {zones} zones");
    }
});

on_both_stores!(a_row_has_the_outcome_after_a_review_and_before_it_the_decision, |service| {
    let played = service.create(&with(table(5), "/rules/drs", json!("house")));
    played.begin().bowl(&[2, 4]);
    played.bowl(&[5, 5]);
    let given_out = played.head().seq;
    let out = rows(&played, "");
    assert_eq!(members(&out, &["cell", "wickets"]), json!([["4", 0], ["W", 1]]));
    played.post("/reviews", &json!({"by": "home", "dice": [6]})).expect(201);
    let upheld = rows(&played, "");
    assert_eq!(members(&upheld, &["cell", "wickets", "seq"]), json!([["4", 0, 5], ["•", 0, given_out]]));
    assert_eq!(rows(&played, &format!("?at={given_out}")), out);
    let seq = played.head().seq;
    played.post("/corrections", &json!({"voids_from_seq": seq, "reason": "the die was cocked"})).expect(201);
    assert_eq!(rows(&played, ""), out, "the review is void");
    assert_eq!(rows(&played, &format!("?at={seq}&as_known_at={seq}")), upheld);
});

on_both_stores!(only_deliveries_that_stand_have_a_row, |service| {
    let played = five_balls(service);
    let (head, before) = (played.head().seq, rows(&played, ""));
    assert_eq!(members(&before, &["delivery", "total"]), json!([[1, 4], [2, 4], [3, 10], [4, 11], [5, 11]]));
    amend(&played, 3, &[2, 1]);
    let amended = rows(&played, "");
    assert_eq!(members(&amended, &["delivery", "total"]), json!([[1, 4], [2, 4], [3, 5], [4, 6], [5, 6]]));
    assert_eq!(members(&amended, &["batter"])[3], json!(["Brook"]));
    assert!(amended.iter().all(|row| row.get("was").is_none()), "no number has moved");
    undo(&played, 5);
    assert_eq!(rows(&played, ""), amended[..4]);
    agree(&played, 4);
    assert_eq!(members(&rows(&played, "")[3..], &["total", "cell"]), json!([[10, "5"]]));
    assert_eq!(rows(&played, &format!("?as_known_at={head}")), before);
    let at = before[2]["seq"].as_u64().expect("a seq");
    assert_eq!(rows(&played, &format!("?at={at}")), amended[..3]);
    assert_eq!(rows(&played, &format!("?at={at}&as_known_at={head}")), before[..3]);
    undo(&played, 1);
    assert_eq!(rows(&played, ""), [] as [Value; 0]);
});

on_both_stores!(the_pages_of_deliveries_go_on_after_a_number, |service| {
    let played = five_balls(service);
    let all = rows(&played, "");
    let page = |query: &str| played.get(&format!("/deliveries?{query}")).expect(200);
    let first = page("limit=2");
    assert_eq!((&first["deliveries"], &first["next_after"]), (&json!(all[..2]), &json!(2)));
    let second = page("after=2&limit=2");
    assert_eq!((&second["deliveries"], &second["next_after"]), (&json!(all[2..4]), &json!(4)));
    assert_eq!(
        (&page("after=4")["deliveries"], &page("after=4")["next_after"]),
        (&json!(all[4..]), &Value::Null)
    );
    let seq = all[3]["seq"].as_u64().expect("a seq");
    assert_eq!(page(&format!("at={seq}&after=2"))["deliveries"], json!(all[2..4]));
    for beyond in ["5", "6", "18446744073709551615"] {
        let page = page(&format!("after={beyond}&limit=1000"));
        assert_eq!((&page["deliveries"], &page["next_after"]), (&json!([]), &Value::Null), "{beyond}");
    }
});

/// Asserts that a list of deliveries refuses every parameter that it cannot have, by its name. The match has
/// five balls.
#[track_caller]
pub fn refuses_wrong_parameters(played: &Match, list: &str) {
    for (query, at) in [
        ("limit=0", "query.limit"),
        ("limit=1001", "query.limit"),
        ("limit=", "query.limit"),
        ("limit=1&limit=2", "query.limit"),
        ("after=-1", "query.after"),
        ("after=", "query.after"),
        ("after=0.1", "query.after"),
        ("after=1&after=2", "query.after"),
        ("at=", "query.at"),
        ("at=x", "query.at"),
        ("at=4&at=5", "query.at"),
        ("as_known_at=", "query.as_known_at"),
        ("as_known_at=4&as_known_at=5", "query.as_known_at"),
        ("at=6&as_known_at=5", "query.as_known_at"),
        ("innings=1", "query.innings"),
        ("seed=1", "query.seed"),
    ] {
        played.get(&format!("{list}?{query}")).refused(400, "invalid-parameter").at(at);
    }
    for query in ["at=0", "at=99", "as_known_at=0", "as_known_at=99"] {
        played.get(&format!("{list}?{query}")).refused(404, "no-such-event");
    }
    let other = Match { id: "01a20082-5925-720e-a587-ebd95c5e0b8f".to_owned(), ..played.clone() };
    other.get(list).refused(404, "no-such-match");
}

on_both_stores!(a_page_of_deliveries_that_cannot_be_is_refused, |service| {
    let played = five_balls(service);
    refuses_wrong_parameters(&played, "/deliveries");
    let new = service.create(&table(1));
    assert_eq!(rows(&new, ""), [] as [Value; 0]);
    assert_eq!(rows(&new, "?at=1&limit=1"), [] as [Value; 0]);
});

/// The sum of a member over the rows that are picked.
fn sum(rows: &[&Value], pointer: &str) -> u64 {
    rows.iter().filter_map(|row| row.pointer(pointer)?.as_u64()).sum()
}

/// Holds a scorecard against the rows of its deliveries.
fn agrees(card: &Value, page: &Value) {
    let rows = page["deliveries"].as_array().expect("rows");
    let innings = card["innings"].as_array().expect("innings");
    let heads = page["innings"].as_array().expect("heads");
    assert_eq!(heads.len(), innings.len());
    for (card_of, head) in innings.iter().zip(heads) {
        assert_eq!((&head["number"], &head["batting"]), (&card_of["number"], &card_of["batting"]));
        let own: Vec<&Value> = rows.iter().filter(|row| row["innings"] == head["number"]).collect();
        assert_eq!(sum(&own, "/runs/total"), card_of["total"]["runs"], "{card_of}");
        assert_eq!(own.iter().filter(|row| row["legal"] == true).count() as u64, card_of["total"]["balls"]);
        assert_eq!(
            own.iter().filter(|row| !row["wicket"].is_null()).count() as u64,
            card_of["total"]["wickets"]
        );
        for kind in ["byes", "leg_byes", "wides", "no_balls", "penalty"] {
            assert_eq!(sum(&own, &format!("/extras/{kind}")), card_of["extras"][kind], "{kind}");
        }
        for batter in card_of["batters"].as_array().into_iter().flatten() {
            let faced: Vec<&Value> =
                own.iter().filter(|row| row["batter"] == batter["player"]).copied().collect();
            assert_eq!(sum(&faced, "/runs/batter"), batter["runs"], "{batter}");
        }
        for bowler in card_of["bowlers"].as_array().into_iter().flatten() {
            let bowled: Vec<&Value> =
                own.iter().filter(|row| row["bowler"] == bowler["player"]).copied().collect();
            assert_eq!(bowled.iter().filter(|row| row["legal"] == true).count() as u64, bowler["balls"]);
        }
    }
}

on_both_stores!(the_sums_of_the_deliveries_are_those_of_the_card_in_every_game, |service| {
    let nobody = || json!([]);
    let team = |name: &str| json!({"team": name});
    for (game, sides, limit) in [
        ("howzat", [json!(HOME), json!(AWAY)], json!(120)),
        ("cuberoots", [nobody(), nobody()], Value::Null),
        ("cricket-the-game", [team("Harbour Terns"), team("Copperfield Larks")], json!(120)),
    ] {
        let played = begun(service, game, sides);
        let page = || played.get("/deliveries").expect(200);
        assert_eq!(page()["innings"], json!([]), "{game} has not begun");
        while played.view()["score"]["innings"].as_array().map(Vec::len) != Some(2) {
            played.post("/autoplay", &json!({"until": "over"})).expect(201);
        }
        let target = played.view()["situation"]["target"].clone();
        assert!(target.is_u64(), "{game}");
        for until in ["over", "match"] {
            played.post("/autoplay", &json!({"until": until})).expect(201);
            let heads = page()["innings"].clone();
            assert_eq!((&heads[0]["target"], &heads[1]["target"]), (&Value::Null, &target), "{game} {until}");
            assert_eq!((&heads[0]["balls_limit"], &heads[1]["balls_limit"]), (&limit, &limit), "{game}");
            agrees(&played.get("/scorecard").expect(200), &page());
        }
        assert_eq!(played.view()["status"], "completed");
        // The heads stand on a page without a row, too.
        let beyond = played.get("/deliveries?after=100000").expect(200);
        assert_eq!((&beyond["deliveries"], &beyond["innings"]), (&json!([]), &page()["innings"]));
    }
});

on_both_stores!(the_card_names_who_kept_wicket_and_from_which_over, |service| {
    let played = service.create(&table(3));
    played.begin();
    let keepers = || played.get("/scorecard").expect(200)["innings"][0]["keepers"].clone();
    let over = |choices: Value| {
        let begun = played.post("/overs", &choices).expect(201);
        let over = begun["events"][0]["data"]["choices"].clone();
        (0..6).for_each(|_| drop(played.bowl(&[2, 3])));
        over
    };
    let first = over(json!({}));
    let name = first["keeper"].as_str().expect("a keeper");
    assert_eq!(keepers(), json!([{"player": name, "from_over": 1}]));
    let other =
        AWAY.iter().find(|player| ![name, first["bowler"].as_str().unwrap_or_default()].contains(player));
    let other = *other.expect("another player");
    over(json!({"keeper": other}));
    let both = json!([{"player": name, "from_over": 1}, {"player": other, "from_over": 2}]);
    assert_eq!(keepers(), both);
    over(json!({"keeper": other}));
    assert_eq!(keepers(), both, "who goes on keeping is told once");
    // An over that is taken back takes its keeper with it.
    let view = played.view();
    let delivery = view["last"]["delivery"].as_u64().or(view["situation"]["last"]["delivery"].as_u64());
    let back = json!({"voids_from": delivery.expect("a ball") - 11, "reason": "Misread die"});
    played.post("/corrections", &back).expect(201);
    assert_eq!(keepers(), json!([{"player": name, "from_over": 1}]));
});

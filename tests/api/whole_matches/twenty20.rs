//! Whole matches of twenty overs, recorded at the table, counted by the test itself, and proved offline.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::book;
use third_umpire_test_support::service::{Cup, Match, chained, run, table};
use third_umpire_test_support::{on_both_stores, on_own_stores};

/// Records a match at the table, with dice from a cup and now and then a captain's choice.
fn record(played: &Match, cup: &mut Cup) {
    played.post("/toss", &json!({"caller": "away", "call": "tails", "coin": "heads"})).expect(201);
    played.post("/toss/decision", &json!({"to": "bowl"})).expect(201);
    loop {
        let next = played.view()["next"].clone();
        match next["what"].as_str() {
            None => return,
            Some("over") if cup.throw(2) == 1 => {
                let bowler = cup.pick(next["legal"]["bowler"].as_array().expect("there is a bowler"));
                played.post("/overs", &json!({"bowler": bowler})).expect(201);
            }
            Some("next_batter") if cup.throw(2) == 1 => {
                let batter = cup.pick(next["legal"].as_array().expect("there is a batter"));
                throw_for(played, cup, &batter);
            }
            Some(_) => drop(played.throw(cup)),
        }
    }
}

/// Bowls the next ball with this batter coming in.
fn throw_for(played: &Match, cup: &mut Cup, batter: &Value) {
    let mut dice: Vec<i64> = Vec::new();
    loop {
        let body = json!({"dice": dice, "choices": {"next_batter": batter}});
        let answer = played.post("/balls", &body);
        if answer.status == 201 {
            return;
        }
        let wanted = answer.refused(422, "needs-input").problem;
        dice.push(cup.throw(wanted["legal"]["maximum"].as_u64().expect("a die has sides")));
    }
}

/// The result, computed from the totals of the two innings.
fn result(innings: &[book::Innings<'_>]) -> Value {
    let (first, second) = (&innings[0], &innings[1]);
    match (first.runs(), second.runs()) {
        (set, made) if set > made => {
            json!({"winner": first.batting, "method": "runs", "margin": {"runs": set - made}})
        }
        (set, made) if set < made => {
            json!({"winner": second.batting, "method": "wickets", "margin": {"wickets": 10 - second.wickets()}})
        }
        _ => json!({"winner": null, "method": "tie", "margin": {}}),
    }
}

/// Asserts that nobody bowled two overs in a row, more than four overs, or while keeping wicket.
fn bowlers_kept_the_rules(events: &[Value]) {
    for innings in [1, 2] {
        let overs =
            events.iter().filter(|event| event["kind"] == "over" && event["data"]["innings"] == innings);
        let choices: Vec<&Value> = overs.map(|over| &over["data"]["choices"]).collect();
        assert!(choices.windows(2).all(|two| two[0]["bowler"] != two[1]["bowler"]));
        for over in &choices {
            assert!(choices.iter().filter(|other| other["bowler"] == over["bowler"]).count() <= 4);
            assert_ne!(over["bowler"], over["keeper"]);
            let field = over["field"].as_object().expect("a field");
            let players: BTreeSet<&str> = field.values().filter_map(Value::as_str).collect();
            assert_eq!((players.len(), &field["12"], &field["7"]), (11, &over["bowler"], &over["keeper"]));
        }
    }
}

on_both_stores!(a_twenty20_recorded_at_the_table_adds_up_in_every_figure, |service| {
    let played = service.create(&table(20));
    record(&played, &mut Cup::new(20));
    let events = played.events();
    chained(&events);
    bowlers_kept_the_rules(&events);
    let innings = book::read(&events);
    let card = played.get("/scorecard").expect(200);
    for (due, found) in innings.iter().zip(card["innings"].as_array().expect("two innings")) {
        let due = due.card();
        for member in due.as_object().expect("a card").keys() {
            assert_eq!(found[member], due[member], "{member} of innings {}", due["number"]);
        }
        assert_eq!(book::without_keepers(found, &events), due);
    }
    let result = result(&innings);
    let mut told = card["result"].clone();
    told.as_object_mut().expect("a result").remove("text").expect("the result in words");
    assert_eq!((&told, &card["target"]), (&result, &json!(innings[0].runs() + 1)));
    assert_eq!(events.last().expect("an event")["data"], json!({"result": result}));
    let fall = played.get("/fall-of-wickets").expect(200);
    assert_eq!(fall["innings"][1]["fall_of_wickets"], innings[1].card()["fall_of_wickets"]);
    played.audits_clean();
});

on_own_stores!(the_log_of_a_twenty20_is_proved_offline_and_gives_the_same_card, |deployment| {
    let played = deployment.create(&third_umpire_test_support::service::seeded(20));
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    let events = played.events();
    let card = played.get("/scorecard").expect(200);
    for (due, found) in book::read(&events).iter().zip(card["innings"].as_array().expect("two innings")) {
        assert_eq!(book::without_keepers(found, &events), due.card());
    }
    let path = deployment.folder().join("match.ndjson");
    std::fs::write(&path, played.get("/log").text()).expect("the folder is ours");
    let file = path.display().to_string();
    let audited = run(&["audit", &file, "--expect-head", &played.head().hash]);
    assert_eq!(audited.status.code(), Some(0), "{}", String::from_utf8_lossy(&audited.stdout));
    let offline = run(&["scorecard", &file, "--format", "json"]);
    assert_eq!(serde_json::from_slice::<Value>(&offline.stdout).expect("a card"), card);
});

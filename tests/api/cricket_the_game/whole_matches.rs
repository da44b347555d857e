//! Whole matches in both dice modes: every page is added up again from the log, and the log is audited by a
//! service without the match.

use serde_json::{Value, json};

use super::duellists::Recorder;
use super::{AFTER_DICE, drs, list, of_kind, seeded, table, text};
use crate::whole_matches::book;
use third_umpire_test_support::service::{Deployment, Match, chained, run};
use third_umpire_test_support::{on_both_stores, on_own_stores};

/// The events as if every umpire had been right at first, and with the names of the players involved.
fn with_right_decisions(events: &[Value]) -> Vec<Value> {
    let mut events = events.to_vec();
    let dropped = of_kind(&events, "set_up").next().expect("the match was set up")["choices"]["drop"].clone();
    for side in ["home", "away"] {
        let players = list(&events[0]["data"][side]["players"]).iter().map(|player| player["name"].clone());
        events[0]["data"][side]["players"] = players.filter(|name| *name != dropped[side]).collect();
    }
    let revised: Vec<(Value, Value)> = of_kind(&events, "review")
        .filter(|review| review["verdict"] == "upheld")
        .map(|review| (review["delivery"].clone(), review["outcome"].clone()))
        .collect();
    for (delivery, outcome) in revised {
        let ball =
            events.iter_mut().find(|event| event["kind"] == "ball" && event["data"]["delivery"] == delivery);
        ball.expect("the reviewed ball was bowled")["data"]["outcome"] = outcome;
    }
    events
}

/// Asserts that a ball's outcome is consistent in itself.
fn looks_right(ball: &Value) {
    let outcome = &ball["outcome"];
    let number = |value: &Value| value.as_u64().unwrap_or_default();
    let extras: u64 = outcome["extras"].as_object().expect("extras").values().map(number).sum();
    assert_eq!(number(&outcome["runs"]["total"]), number(&outcome["runs"]["batter"]) + extras, "{ball}");
    let detail = &outcome["detail"];
    assert!(detail["confidence"].as_i64().is_some_and(|confidence| (-1..=3).contains(&confidence)), "{ball}");
    assert_eq!(
        outcome["legal"] == true,
        extras == 0 && detail.get("dead_ball").is_none() || outcome["extras"].get("byes").is_some(),
        "{ball}"
    );
    for die in list(&ball["dice"]) {
        assert!((1..=number(&die["sides"])).contains(&number(&die["value"])), "{ball}");
    }
}

/// Asserts that each roll is the beginning of its ball.
fn rolls_are_kept(events: &[Value]) {
    for roll in of_kind(events, "roll") {
        let ball = of_kind(events, "ball")
            .find(|ball| ball["delivery"] == roll["delivery"])
            .expect("the ball was bowled");
        let (rolled, dice) = (list(&roll["dice"]), list(&ball["dice"]));
        assert_eq!(rolled[..], dice[..rolled.len()], "{ball}");
        for (name, chosen) in roll["choices"].as_object().expect("choices") {
            assert_eq!(ball["choices"][name], *chosen, "{name} was locked: {ball}");
        }
    }
}

/// The result, computed from the totals of the two innings.
fn result(innings: &[book::Innings<'_>]) -> Value {
    let (first, second) = (&innings[0], &innings[1]);
    match (first.runs(), second.runs()) {
        (set, made) if set < made => {
            json!({"winner": second.batting, "method": "wickets", "margin": {"wickets": 10 - second.wickets()}})
        }
        (set, made) if set > made => {
            json!({"winner": first.batting, "method": "runs", "margin": {"runs": set - made}})
        }
        _ => json!({"winner": first.batting, "method": "level_first_side", "margin": {}}),
    }
}

/// Asserts that card, fall of wickets, reviews, commentary and text card of a completed match agree with its
/// log.
#[track_caller]
fn adds_up(deployment: &Deployment, played: &Match) {
    let events = played.events();
    chained(&events);
    rolls_are_kept(&events);
    let revised = with_right_decisions(&events);
    let innings = book::read_with(&revised, looks_right);
    let card = played.get("/scorecard").expect(200);
    for (due, found) in innings.iter().zip(list(&card["innings"])) {
        let due = due.card();
        for member in due.as_object().expect("a card").keys() {
            assert_eq!(found[member], due[member], "{member} of innings {}", due["number"]);
        }
        let mut found = found.clone();
        let keepers = found.as_object_mut().expect("a card").remove("keepers").expect("a keeper");
        let mut squad = list(&events[0]["data"][text(&due["bowling"])]["players"]).iter();
        let keeper = &squad.find(|player| player["role"] == "keeper").expect("a keeper")["name"];
        assert_eq!(keepers, json!([{"player": keeper, "from_over": 1}]), "one keeps throughout");
        assert_eq!(found, due);
    }
    let fall = played.get("/fall-of-wickets").expect(200);
    for (due, found) in innings.iter().zip(list(&fall["innings"])) {
        assert_eq!(found["fall_of_wickets"], due.card()["fall_of_wickets"]);
        assert_eq!(found["partnerships"], due.card()["partnerships"]);
    }
    let mut told = card["result"].clone();
    told.as_object_mut().expect("a result").remove("text").expect("the result in words");
    assert_eq!(told, result(&innings));
    assert_eq!(events.last().expect("an end")["data"]["result"], told);
    assert_eq!(card["target"], innings[0].runs() + 1);
    reviews_agree(played, &events);
    let commentary = played.get("/commentary").expect(200);
    assert_eq!(list(&commentary["lines"]).len(), events.len());
    assert!(
        list(&commentary["lines"])
            .iter()
            .all(|line| line["text"].as_str().is_some_and(|text| !text.is_empty())),
        "{commentary}"
    );
    for (event, line) in
        events.iter().zip(list(&commentary["lines"])).filter(|(event, _)| event["kind"] == "over")
    {
        let called = event["data"]["choices"]["power_play"] == true;
        assert_eq!(text(&line["text"]).contains("to bowl, in the power play"), called, "{line}");
    }
    let replay = played.get("/replay").expect(200).to_string();
    assert!(replay.contains(text(&events[0]["hash"])) || replay.contains("\"kind\""), "{replay}");
    let now = |page: &str| played.get(&format!("{page}?at={}", events.len()));
    for page in ["/scorecard", "/fall-of-wickets", "/commentary", "/deliveries", "/reviews"] {
        assert_eq!(now(page).has_status(200).text(), played.get(page).text(), "{page} of its last event");
    }
    proved_elsewhere(deployment, played, &card);
}

#[track_caller]
fn reviews_agree(played: &Match, events: &[Value]) {
    let reviews = played.get("/reviews").expect(200);
    let made: Vec<&Value> = of_kind(events, "review").filter(|review| review["accepted"] != true).collect();
    let listed = list(&reviews["reviews"]);
    assert_eq!(listed.len(), made.len(), "{reviews}");
    for (number, (found, due)) in (1..).zip(listed.iter().zip(&made)) {
        assert_eq!(found["number"], number);
        for member in ["by", "delivery", "dice", "verdict", "umpires_call", "retained"] {
            assert_eq!(found[member], due[member], "{member} of {found}");
        }
        let wickets = |score: &Value| score["wickets"].as_i64().expect("a number");
        let change = wickets(&found["after"]) - wickets(&found["before"]);
        assert_eq!(change != 0, due["verdict"] == "upheld", "{found}");
    }
    for left in list(&reviews["left"]) {
        for side in ["home", "away"] {
            let spent = listed.iter().filter(|review| {
                review["by"] == side && review["innings"] == left["innings"] && review["retained"] == false
            });
            assert_eq!(left[side], 1 - spent.count(), "{reviews}");
        }
    }
}

/// Asserts that the program, with only the file, and a service without the match, both prove the log and make
/// this card.
#[track_caller]
fn proved_elsewhere(deployment: &Deployment, played: &Match, card: &Value) {
    for (name, path) in [("bare", "/log"), ("with", "/log?with=edition")] {
        let log = played.get(path).text().to_owned();
        let report = deployment
            .client()
            .request("POST", "/v1/audits")
            .raw("application/x-ndjson", log.as_str())
            .send();
        assert_eq!(report.expect(200)["verdict"], "clean", "{}", report.text());
        let file = deployment.folder().join(format!("{name}-{}.ndjson", played.id));
        std::fs::write(&file, log).expect("the folder is ours");
        let file = file.display().to_string();
        let audited = run(&["audit", &file, "--expect-head", &played.head().hash]);
        assert_eq!(audited.status.code(), Some(0), "{}", String::from_utf8_lossy(&audited.stdout));
        let offline = run(&["scorecard", &file, "--format", "json"]);
        assert_eq!(serde_json::from_slice::<Value>(&offline.stdout).expect("a card"), *card);
        let replayed = run(&["replay", &file]);
        assert_eq!(replayed.status.code(), Some(0), "{}", String::from_utf8_lossy(&replayed.stderr));
        check_text_card(&String::from_utf8_lossy(&run(&["scorecard", &file]).stdout), card);
    }
    played.audits_clean();
}

/// Asserts that the text card has every total and every batter's runs.
#[track_caller]
fn check_text_card(printed: &str, card: &Value) {
    let mut totals = printed.lines().filter(|line| line.starts_with("Total "));
    for innings in list(&card["innings"]) {
        let (total, line) = (&innings["total"], totals.next().expect("a total"));
        let runs = total["runs"].to_string();
        assert!(line.split_whitespace().any(|word| word == runs), "{line}");
        let wickets = total["wickets"].as_u64().expect("a number");
        assert!(
            line.contains(&format!("({wickets} wicket")) || wickets == 10 && line.contains("(all out"),
            "{line}"
        );
        for batter in list(&innings["batters"]) {
            let (name, runs) = (text(&batter["player"]), batter["runs"].to_string());
            let mut lines = printed.lines().filter(|line| line.starts_with(name));
            let is_shown = lines.any(|line| line.split_whitespace().any(|word| word == runs));
            assert!(
                batter["status"] == "did not bat" || is_shown,
                "{runs} of {name} are missing in: {printed}"
            );
        }
    }
}

/// Rare events of a match, to prove that it was worth recording.
fn came_up(events: &[Value]) -> Vec<&'static str> {
    let balls = || of_kind(events, "ball").map(|ball| &ball["outcome"]);
    let some = |is_so: bool, label: &'static str| is_so.then_some(label);
    let mut found: Vec<&str> = [
        some(of_kind(events, "review").any(|review| review["verdict"] == "upheld"), "upheld"),
        some(of_kind(events, "review").any(|review| review["verdict"] == "struck_down"), "struck down"),
        some(balls().any(|outcome| outcome["wicket"]["kind"] == "run out"), "run out"),
        some(balls().any(|outcome| outcome["detail"]["free_hit"] == true), "free hit"),
        some(of_kind(events, "over").any(|over| over["choices"]["power_play"] == true), "power play"),
        some(balls().any(|outcome| outcome["detail"]["dead_ball"] == true), "dead ball"),
    ]
    .into_iter()
    .flatten()
    .collect();
    found.sort_unstable();
    found
}

/// Records a whole match, and checks its pages.
fn recorded(deployment: &Deployment, request: &Value, cup: u64, due: &[&str]) -> Vec<String> {
    let played = deployment.create(request);
    let mut recorder = Recorder::new(&played, cup);
    recorder.play_to_the_end();
    assert_eq!(played.view()["status"], "completed");
    let found = came_up(&played.events());
    assert!(due.iter().all(|due| found.contains(due)), "cup {cup}: only {found:?} came up");
    adds_up(deployment, &played);
    recorder.questions
}

fn all_came_up(questions: &[String], due: &[&str]) {
    assert!(
        due.iter().all(|due| questions.iter().any(|question| question == due)),
        "not every question came up: {questions:?}"
    );
}

on_own_stores!(a_t20_at_the_table_adds_up_in_every_figure, |deployment| {
    let questions = recorded(deployment, &table("t20"), 20, &["free hit", "run out"]);
    all_came_up(&questions, &["over_card", "run", "review"]);
});

on_own_stores!(a_t10_at_the_table_adds_up_in_every_figure, |deployment| {
    let questions = recorded(deployment, &drs(table("t10"), "on"), 10, &["power play"]);
    all_came_up(&questions, &["over_card", "run"]);
});

on_own_stores!(a_t20_from_a_seed_adds_up_in_every_figure, |deployment| {
    let questions = recorded(deployment, &seeded("t20", "5eed"), 21, &["free hit", "run out"]);
    all_came_up(&questions, &["run", "review"]);
});

on_own_stores!(a_t10_from_a_seed_adds_up_in_every_figure, |deployment| {
    let questions = recorded(deployment, &drs(seeded("t10", "abba"), "on"), 11, &["power play"]);
    all_came_up(&questions, &["run"]);
});

on_both_stores!(a_match_without_reviews_never_waits_for_one, |service| {
    for request in [table("t10"), drs(seeded("t20", "c0de"), "off")] {
        let played = service.create(&request);
        let mut recorder = Recorder::new(&played, 5);
        recorder.play_to_the_end();
        assert!(!recorder.questions.iter().any(|question| question == "review"));
        assert_eq!(of_kind(&played.events(), "review").count(), 0);
        assert_eq!(played.get("/reviews").expect(200)["left"], json!([]));
        assert!(played.get("/audit").expect(200)["verdict"] == "clean");
    }
});

on_both_stores!(the_same_cup_records_the_same_match, |service| {
    let record = |seed| {
        let played = service.create(&table("t10"));
        Recorder::new(&played, seed).play_to_the_end();
        played.get("/scorecard").expect(200)["innings"].clone()
    };
    let once = record(3);
    assert_eq!(once, record(3));
    assert_ne!(once, record(4));
    let asks_nothing_new =
        |event: &Value| AFTER_DICE.iter().all(|name| event["data"]["choices"].get(name).is_none());
    let played = service.create(&seeded("t10", "f00d"));
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    assert!(played.events().iter().filter(|event| event["kind"] == "over").all(asks_nothing_new));
});

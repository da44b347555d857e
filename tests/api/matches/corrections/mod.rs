//! `/v1/matches/{id}/corrections`: play that is voided or amended, and outcomes that the table agreed on.

mod amend;
mod anew;
mod as_stood;
mod bad_input;
mod balls_put_in;
mod by_its_asks;
mod consent;
mod differences;
mod missing;
mod races;
mod refits;
mod restores;
mod secrets;
mod undo;
mod unfinished;

use serde_json::{Map, Value, json};
use third_umpire_test_support::score::situation_off_the_log;
use third_umpire_test_support::service::{Answer, Match, Service, cubes, seeded, step, table, with};

const WHY: &str = "entered by mistake";

/// The correction that voids a delivery and everything after it.
fn undo(delivery: usize) -> Value {
    json!({"voids_from": delivery, "reason": WHY})
}

/// The correction that voids an event of play and everything after it.
fn undo_seq(seq: usize) -> Value {
    json!({"voids_from_seq": seq, "reason": WHY})
}

/// The amendment of a delivery.
fn amend(delivery: usize, how: Value) -> Value {
    let mut body = json!({"amends": delivery, "reason": WHY});
    let how = how.as_object().expect("an object").clone();
    body.as_object_mut().expect("an object").extend(how);
    body
}

/// The amendment of a delivery's dice.
fn dice(delivery: usize, dice: &[i64]) -> Value {
    amend(delivery, json!({"dice": dice}))
}

/// The amendment to an agreed outcome, with a reason.
fn agreed_outcome(outcome: Value) -> Value {
    json!({"as_stood": {"outcome": outcome, "reason": "agreed at the table"}})
}

#[track_caller]
fn correct(played: &Match, body: &Value) -> Value {
    played.post("/corrections", body).expect(201)
}

/// Requests a dry run of a correction.
fn dry_run(played: &Match, body: &Value) -> Answer {
    played.post("/corrections?dry_run=true", body)
}

/// A match at a table, with these balls bowled.
fn with_balls(service: &Service, overs: u32, balls: &[&[i64]]) -> Match {
    let played = service.create(&table(overs));
    played.begin();
    balls.iter().for_each(|dice| drop(played.bowl(dice)));
    played
}

/// A match of CubeRoots at a table, with balls of these numbers of bowler and batter.
fn with_cubes(service: &Service, overs: u32, balls: &[[u8; 2]]) -> Match {
    let played = service.create(&with(cubes(overs), "/dice", json!("table")));
    played.begin();
    balls.iter().for_each(|numbers| drop(show(&played, *numbers)));
    played
}

/// The choices of a ball of CubeRoots.
fn numbers([bowler, batter]: [u8; 2]) -> Value {
    json!({"choices": {"bowler_number": bowler, "batter_number": batter}})
}

#[track_caller]
fn show(played: &Match, shown: [u8; 2]) -> Value {
    played.post("/balls", &numbers(shown)).expect(201)
}

/// The requests for a seeded match of each game, with a given seed.
fn seeded_games(overs: u32) -> [Value; 2] {
    [seeded(overs), with(cubes(overs), "/seed", json!("5eed".repeat(16)))]
}

/// A match with this number of balls bowled.
fn after_balls(service: &Service, request: &Value, balls: usize) -> Match {
    let played = service.create(request);
    played.begin();
    (0..balls).for_each(|_| drop(played.ball()));
    played
}

/// All pages of a match, without its id and without what tells of its corrections.
#[track_caller]
fn book(played: &Match) -> Value {
    const OF_ONE_MATCH: [&str; 14] = [
        "match",
        "head",
        "at_seq",
        "as_known_at",
        "corrections",
        "corrections_total",
        "exceptions",
        "exceptions_total",
        "changed_choices",
        "changed_choices_total",
        "read_anew",
        "read_anew_total",
        "disputes",
        "disputes_open",
    ];
    let page = |path: &str| -> Map<String, Value> {
        let page = played.get(path).expect(200);
        let members = page.as_object().expect("an object").clone().into_iter();
        members.filter(|(name, _)| !OF_ONE_MATCH.contains(&name.as_str())).collect()
    };
    let view = played.view();
    let mut card = page("/scorecard");
    card.get_mut("situation").into_iter().for_each(situation_off_the_log);
    json!({
        "card": card, "wickets": page("/fall-of-wickets"), "score": view["score"],
        "next": step(&view["next"]), "status": view["status"], "result": view["result"],
    })
}

/// The live events: those that the commentary does not mark as void.
#[track_caller]
fn live_events(played: &Match) -> Vec<Value> {
    let commentary = played.get("/commentary").expect(200);
    let lines = commentary["lines"].as_array().expect("lines").iter();
    lines.zip(played.events()).filter(|(line, _)| line["void"].is_null()).map(|(_, event)| event).collect()
}

/// The live balls, as the log has them.
fn balls(played: &Match) -> Vec<Value> {
    of_kind(live_events(played), "ball")
}

/// The data of the events of a kind.
fn of_kind(events: Vec<Value>, kind: &str) -> Vec<Value> {
    let events = events.into_iter().filter(|event| event["kind"] == kind);
    events.map(|event| event["data"].clone()).collect()
}

fn kinds(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["kind"].as_str().expect("a kind")).collect()
}

/// The events in the answer to an append.
fn appended(answered: &Value) -> &[Value] {
    answered["events"].as_array().expect("an append has events")
}

/// The totals of an innings on the card: runs, wickets, balls.
fn total(played: &Match, innings: usize) -> [u64; 3] {
    let card = played.get("/scorecard").expect(200);
    let total = &card["innings"][innings - 1]["total"];
    ["runs", "wickets", "balls"].map(|name| total[name].as_u64().expect("a number"))
}

/// Asserts that the log is clean by the service's audit and by the library's, which has only the log, and
/// that a rebuild leaves every page as it was.
#[track_caller]
fn holds(service: &Service, played: &Match) {
    third_umpire_test_support::service::chained(&played.events());
    played.audits_clean();
    played.audits_clean_offline();
    service.drop_outdated_pages(played);
    service.is_rebuilt_alike(played);
}

/// Asserts that a match has the pages of one that was played without the mistakes, and a valid log.
#[track_caller]
fn is_like(service: &Service, played: &Match, right: &Match) {
    assert_eq!(book(played), book(right));
    holds(service, played);
}

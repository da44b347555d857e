//! Corrections in remote play of the board game.

use serde_json::{Value, json};
use third_umpire_test_support::on_both_stores;

use super::*;

const WHY: &str = "a finger slipped";

/// Makes a correction by home's proposal and away's consent, and returns the events of the consent.
#[track_caller]
pub fn agree(board: &mut Board, body: &Value) -> Vec<Value> {
    let proposed = board.sides.home.post("/corrections", body).expect(201);
    let number = proposed["events"][0]["data"]["number"].clone();
    let made = board.sides.away.post(&format!("/corrections/{number}/consent"), &json!({})).expect(201);
    let events = made["events"].as_array().expect("events").clone();
    let view = board.sides.scorer.view();
    board.next = view["next"].clone();
    events
}

/// The last event of a kind in a log.
fn last<'a>(events: &'a [Value], kind: &str) -> &'a Value {
    events.iter().rfind(|event| event["kind"] == kind).unwrap_or_else(|| panic!("no {kind}"))
}

on_both_stores!(a_delivery_that_is_taken_back_takes_its_choices_with_it, |service| {
    let mut board = Board::until(service, &board(), "delivery");
    let bowled = |board: &Board| {
        let event = board.events.iter().rfind(|event| event["kind"] == "ball");
        event.map_or(0, |event| event["data"]["delivery"].as_u64().expect("a number"))
    };
    while bowled(&board) == 0 || !["field", "next_batter"].contains(&board.pending()) {
        board.play_step();
    }
    // The second ball is corrected, with every choice for it.
    let (before, first, pending) =
        (board.sides.scorer.head().seq, bowled(&board), board.pending().to_owned());
    while bowled(&board) == first {
        board.play_step();
    }
    let delivery = bowled(&board);
    let made = agree(&mut board, &json!({"voids_from": delivery, "reason": WHY}));
    assert_eq!(kinds(&made), ["correction_consented", "correction"]);
    assert_eq!(made[1]["data"]["voids_from_seq"], before + 1, "from the first that was chosen for it");
    assert_eq!(board.pending(), pending);
    board.play_to("delivery");
    board.play_step();
    let roll = board.events.iter().rfind(|event| !event["data"]["reveals"].is_null()).expect("a roll");
    assert_eq!((&roll["kind"], &roll["data"]["delivery"]), (&json!("roll"), &json!(delivery)));
    board.play_to("over");
    board.holds();
});

on_both_stores!(a_run_that_was_not_run_is_put_right_and_what_was_sealed_is_not, |service| {
    let mut board = Board::until(service, &board(), "run");
    let safe = board.next["legal"][0].clone();
    let side = board.batting().side;
    board.does(side, "/balls", &json!({"choices": {"run": safe}}));
    let ball = last(&board.events, "ball")["data"].clone();
    board.play_to("delivery");
    let amend = |how: Value| {
        let mut body = json!({"amends": ball["delivery"], "reason": WHY});
        body.as_object_mut().expect("an object").extend(how.as_object().expect("an object").clone());
        body
    };
    let choices = |name: &str, value: Value| {
        amend(json!({"choices": with(ball["choices"].clone(), &format!("/{name}"), value)}))
    };
    let propose = |board: &Board, body: &Value| board.sides.home.posting("/corrections", body);
    for (name, value) in
        [("stroke", json!("cut")), ("stroke", json!("on_straight")), ("bowl", json!("daisy_cutter"))]
    {
        if ball["choices"][name] != value {
            let refused =
                service.untouched_by(propose(&board, &choices(name, value))).refused(422, "illegal-input");
            refused.within(&format!("body.choices.{name}"));
        }
    }
    service.untouched_by(propose(&board, &amend(json!({})))).refused(422, "illegal-input").at("body.amends");
    // The sides agree on this outcome.
    let total = ball["outcome"]["runs"]["batter"].as_u64().expect("runs");
    let agreed =
        json!({"as_stood": {"outcome": {"runs": {"batter": total + 2}}, "reason": "as both saw it"}});
    let made = agree(&mut board, &amend(with(agreed, "/cascade", json!("void_rest"))));
    assert_eq!(kinds(&made)[..2], ["correction_consented", "correction"]);
    let again = made.iter().find(|event| event["kind"] == "ball").expect("the ball");
    assert_eq!(again["data"]["outcome"]["runs"]["batter"], total + 2, "{again}");
    assert!(kinds(&made).contains(&"roll"), "the revealed choices come again: {:?}", kinds(&made));
    board.play_to("over");
    board.holds();
});

on_both_stores!(an_over_that_is_put_right_brings_its_choices_again, |service| {
    let mut board = Board::until(service, &board(), "field");
    let bowled = |board: &Board| board.events.iter().any(|event| event["kind"] == "ball");
    while !bowled(&board) {
        board.play_step();
    }
    let over = last(&board.events, "over")["data"]["choices"].clone();
    let moved = json!({
        "openers": over["openers"], "attitudes": over["attitudes"], "bowler": over["bowler"],
        "field": over["field"],
    });
    let sealed = json!({"amends": 1, "reason": WHY, "over": with(moved.clone(), "/attitudes", json!(["aggressive", "aggressive"]))});
    service
        .untouched_by(board.sides.home.posting("/corrections", &sealed))
        .refused(422, "illegal-input")
        .within("body.over");
    let mut field = over["field"].as_array().expect("a field").clone();
    let free =
        ["cut.1", "pull_big.1", "off_cover.1", "on_straight.1", "glance_hook.1", "cut.2", "pull_big.2"];
    let mut tried = Vec::new();
    for place in free {
        let place = json!(place);
        if field.contains(&place) {
            continue;
        }
        let at = field.len() - 1;
        let was = std::mem::replace(&mut field[at], place);
        let body = json!({"amends": 1, "reason": WHY, "over": {"field": field}});
        let answer = board.sides.home.post("/corrections?dry_run=true", &body);
        tried.push(answer.text().to_owned());
        if answer.status == 200 {
            let made = agree(&mut board, &body);
            assert!(kinds(&made).contains(&"over"), "{made:?}");
            board.play_to("over");
            board.holds();
            return;
        }
        field[at] = was;
    }
    panic!("no field could be set otherwise: {tried:#?}");
});

on_both_stores!(the_set_up_that_is_taken_back_lets_both_drop_again, |service| {
    let mut board = Board::until(service, &board(), "toss");
    let set_up = last(&board.events, "set_up")["seq"].clone();
    let drops: Vec<Value> = board.events.iter().filter(|event| event["kind"] == "choice").cloned().collect();
    assert_eq!(drops.len(), 2);
    let made = agree(&mut board, &json!({"voids_from_seq": set_up, "reason": WHY}));
    assert_eq!(made[1]["data"]["voids_from_seq"], drops[0]["seq"]);
    assert_eq!(board.pending(), "drop");
    board.play_to("delivery");
    board.holds();
});

on_both_stores!(a_choice_that_was_made_by_timeout_comes_again_with_an_amendment, |service| {
    let mut board = Board::until(service, &with_short_timeout(), "bowler_skills");
    let [_, caller] = board.due().map(|captain| captain.side);
    for _ in 0..2 {
        board.calls_until_answered(caller);
    }
    let bowled = |board: &Board| board.events.iter().rfind(|event| event["kind"] == "ball").cloned();
    let before = bowled(&board).map(|event| event["data"]["delivery"].clone());
    while bowled(&board).map(|event| event["data"]["delivery"].clone()) == before {
        board.play_step();
    }
    let ball = bowled(&board).expect("a ball")["data"].clone();
    let runs = ball["outcome"]["runs"]["batter"].as_u64().expect("runs");
    let agreed = json!({"outcome": {"runs": {"batter": if runs == 3 { 2 } else { 3 }}, "wicket": null}, "reason": "as both saw it"});
    let body = json!({"amends": ball["delivery"], "reason": WHY, "as_stood": agreed, "cascade": "void_rest"});
    let made = agree(&mut board, &body);
    assert!(kinds(&made).contains(&"choice"), "{:?}", kinds(&made));
    board.play_to("over");
    board.holds();
});

on_both_stores!(a_run_that_was_tried_by_mistake_is_taken_for_the_safe_one, |service| {
    let mut board = Board::until(service, &board(), "run");
    let legal = board.next["legal"].clone();
    let side = board.batting().side;
    board.does(side, "/balls", &json!({"choices": {"run": legal[1]}}));
    let ball = last(&board.events, "ball")["data"].clone();
    let mut choices = ball["choices"].clone();
    choices["run"] = legal[0].clone();
    let body = json!({"amends": ball["delivery"], "reason": WHY, "choices": choices});
    let made = agree(&mut board, &body);
    let again = &last(&made, "ball")["data"];
    assert_eq!((&again["choices"]["run"], &again["outcome"]["wicket"]), (&legal[0], &Value::Null), "{again}");
    let changed = board.sides.scorer.get("/corrections").expect(200)["changed_choices"].clone();
    assert_eq!(changed[0]["choice"], "run", "{changed}");
    board.holds();
});

on_both_stores!(a_bowler_who_could_not_bowl_what_was_sealed_is_not_put_in, |service| {
    let mut board = Board::until(service, &board(), "over");
    let legal = board.next["legal"]["bowler"].as_array().expect("bowlers").clone();
    board.play_step();
    while !board.events.iter().any(|event| event["kind"] == "ball") {
        board.play_step();
    }
    let bowler = last(&board.events, "over")["data"]["choices"]["bowler"].clone();
    let players = board.sides.scorer.view()[board.bowling().side]["players"].clone();
    let role = |name: &Value| {
        let all = players.as_array().expect("players");
        all.iter().find(|player| player["name"] == *name).map(|player| player["role"].clone())
    };
    let other = legal.iter().find(|name| role(name) != role(&bowler)).expect("who bowls otherwise");
    for cascade in ["refuse", "void_rest"] {
        let body = json!({"amends": 1, "reason": WHY, "over": {"bowler": other}, "cascade": cascade});
        let path = "/corrections?dry_run=true";
        let refused =
            service.untouched_by(board.sides.home.posting(path, &body)).refused(422, "illegal-input");
        refused.at("body.over").says(&["not amended", "void the ball"]);
    }
    board.play_to("over");
    board.holds();
});

use serde_json::{Value, json};

use super::*;
use crate::on_both_stores;

const WHY: &str = "a finger slipped";

/// Home proposes, away consents. Gives the events of the consent.
#[track_caller]
fn agree(board: &mut Board, body: &Value) -> Vec<Value> {
    let proposed = board.sides.home.post("/corrections", body).expect(201);
    let number = proposed["events"][0]["data"]["number"].clone();
    let made = board.sides.away.post(&format!("/corrections/{number}/consent"), &json!({})).expect(201);
    let events = made["events"].as_array().expect("events").clone();
    let view = board.sides.scorer.view();
    board.next = view["next"].clone();
    events
}

/// The last event of this kind of a log.
fn last<'a>(events: &'a [Value], kind: &str) -> &'a Value {
    events.iter().rfind(|event| event["kind"] == kind).unwrap_or_else(|| panic!("no {kind}"))
}

on_both_stores!(a_delivery_that_is_taken_back_takes_its_choices_with_it, |house| {
    let mut board = Board::until(house, &board(), "delivery");
    board.goes_on();
    // The second ball, with all that was chosen for it.
    board.play_to("field");
    let before = board.sides.scorer.head().seq;
    let bowled = |board: &Board| {
        let event = board.events.iter().rfind(|event| event["kind"] == "ball").cloned();
        event.expect("a ball")["data"]["delivery"].as_u64().expect("a number")
    };
    let first = bowled(&board);
    while bowled(&board) == first {
        board.goes_on();
    }
    let delivery = bowled(&board);
    let made = agree(&mut board, &json!({"voids_from": delivery, "reason": WHY}));
    assert_eq!(kinds(&made), ["correction_consented", "correction"]);
    assert_eq!(made[1]["data"]["voids_from_seq"], before + 1, "from the field that was set for it");
    assert_eq!(board.what(), "field");
    board.goes_on();
    board.goes_on();
    let roll = last(&board.events, "roll").clone();
    assert_eq!(
        (&roll["data"]["delivery"], roll["data"]["reveals"].as_array().map(Vec::len)),
        (&json!(delivery), Some(2))
    );
    board.play_to("over");
    board.holds();
});

on_both_stores!(a_run_that_was_not_run_is_put_right_and_what_was_sealed_is_not, |house| {
    let mut board = Board::until(house, &board(), "run");
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
    let propose = |board: &Board, body: &Value| board.sides.home.asking("/corrections", body);
    for (name, value) in
        [("stroke", json!("cut")), ("stroke", json!("on_straight")), ("bowl", json!("daisy_cutter"))]
    {
        if ball["choices"][name] != value {
            let refused =
                house.untouched_by(propose(&board, &choices(name, value))).refused(422, "illegal-input");
            refused.within(&format!("body.choices.{name}"));
        }
    }
    house.untouched_by(propose(&board, &amend(json!({})))).refused(422, "illegal-input").at("body.amends");
    // As the sides agree that it stood.
    let total = ball["outcome"]["runs"]["batter"].as_u64().expect("runs");
    let stood = json!({"as_stood": {"outcome": {"runs": {"batter": total + 2}}, "reason": "as both saw it"}});
    let made = agree(&mut board, &amend(with(stood, "/cascade", json!("void_rest"))));
    assert_eq!(kinds(&made)[..2], ["correction_consented", "correction"]);
    let again = last(&made, "ball");
    assert_eq!(again["data"]["outcome"]["runs"]["batter"], total + 2, "{again}");
    assert!(kinds(&made).contains(&"roll"), "what was turned up comes again: {:?}", kinds(&made));
    board.play_to("over");
    board.holds();
});

on_both_stores!(an_over_that_is_put_right_brings_its_choices_again, |house| {
    let mut board = Board::until(house, &board(), "field");
    let bowled = |board: &Board| board.events.iter().any(|event| event["kind"] == "ball");
    while !bowled(&board) {
        board.goes_on();
    }
    let over = last(&board.events, "over")["data"]["choices"].clone();
    let moved = json!({
        "openers": over["openers"], "attitudes": over["attitudes"], "bowler": over["bowler"],
        "field": over["field"],
    });
    let sealed = json!({"amends": 1, "reason": WHY, "over": with(moved.clone(), "/attitudes", json!(["aggressive", "aggressive"]))});
    house
        .untouched_by(board.sides.home.asking("/corrections", &sealed))
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

on_both_stores!(the_set_up_that_is_taken_back_lets_both_drop_again, |house| {
    let mut board = Board::until(house, &board(), "toss");
    let set_up = last(&board.events, "set_up")["seq"].clone();
    let drops: Vec<Value> = board.events.iter().filter(|event| event["kind"] == "choice").cloned().collect();
    assert_eq!(drops.len(), 2);
    let made = agree(&mut board, &json!({"voids_from_seq": set_up, "reason": WHY}));
    assert_eq!(made[1]["data"]["voids_from_seq"], drops[0]["seq"]);
    assert_eq!(board.what(), "drop");
    board.play_to("delivery");
    board.holds();
});

on_both_stores!(a_choice_that_was_taken_for_a_silent_side_comes_again_with_an_amendment, |house| {
    let mut board = Board::until(house, &impatient(), "bowler_skills");
    let [_, caller] = board.due().map(|captain| captain.side);
    for _ in 0..2 {
        crate::support::until("something is taken", || {
            let answer = board.captain(caller).post("/choices/call", &json!({}));
            let taken = answer.status == 201;
            if taken {
                let appended = answer.json();
                board.hear(&appended);
            }
            taken
        });
    }
    let bowled = |board: &Board| board.events.iter().rfind(|event| event["kind"] == "ball").cloned();
    let before = bowled(&board).map(|event| event["data"]["delivery"].clone());
    while bowled(&board).map(|event| event["data"]["delivery"].clone()) == before {
        board.goes_on();
    }
    let ball = bowled(&board).expect("a ball")["data"].clone();
    let runs = ball["outcome"]["runs"]["batter"].as_u64().expect("runs");
    let stood = json!({"outcome": {"runs": {"batter": if runs == 3 { 2 } else { 3 }}, "wicket": null}, "reason": "as both saw it"});
    let body = json!({"amends": ball["delivery"], "reason": WHY, "as_stood": stood, "cascade": "void_rest"});
    let made = agree(&mut board, &body);
    assert!(kinds(&made).contains(&"choice"), "{:?}", kinds(&made));
    board.play_to("over");
    board.holds();
});

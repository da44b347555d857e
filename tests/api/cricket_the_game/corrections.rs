//! Balls that are voided, amended, agreed on and disputed, with their rolls and their reviews.

use serde_json::{Value, json};

use super::duellists::Recorder;
use super::seeded::{until, waiting};
use super::table::{LBW, appeal, dot, pace};
use super::{AFTER_DICE, begin, drs, list, of_kind, seeded, table, text, waits_for};
use crate::matches::disputes::{dispute, rule, umpire};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{self, Answer, Cup, Match, Service, chained, last_event, with};

const WHY: &str = "entered by mistake";

#[track_caller]
fn correct(played: &Match, body: Value) -> Value {
    played.post("/corrections", &with(body, "/reason", json!(WHY))).expect(201)
}

fn refused(service: &Service, played: &Match, body: Value) -> Answer {
    service.untouched_by(played.posting("/corrections", &with(body, "/reason", json!(WHY))))
}

fn kinds(answered: &Value) -> Vec<&str> {
    list(&answered["events"]).iter().map(|event| text(&event["kind"])).collect()
}

/// Asserts that the log is valid here and elsewhere, and that a rebuild leaves every page as it was.
#[track_caller]
fn holds(service: &Service, played: &Match) {
    chained(&played.events());
    played.audits_clean();
    played.audits_clean_offline();
    let head = played.head().seq;
    for page in ["/scorecard", "/fall-of-wickets", "/commentary", "/deliveries", "/reviews"] {
        let now = played.get(&format!("{page}?at={head}")).has_status(200).text().to_owned();
        assert_eq!(now, played.get(page).text(), "{page}");
    }
    service.drop_outdated_pages(played);
    service.is_rebuilt_alike(played);
}

/// Asserts that the pages of two matches are equal, except for their ids.
#[track_caller]
fn have_equal_pages(played: &Match, right: &Match) {
    let book = |played: &Match| {
        let card = played.get("/scorecard").expect(200);
        let left = played.get("/reviews").expect(200)["left"].clone();
        json!([
            card["innings"],
            card["result"],
            played.view()["score"],
            service::step(&waits_for(played)),
            left
        ])
    };
    assert_eq!(book(played), book(right));
}

fn t20(service: &Service) -> Match {
    pace(service, &table("t20"))
}

#[track_caller]
fn bowl(played: &Match, body: Value) -> Value {
    played.post("/balls", &with(body, "/accept", json!(true))).expect(201)
}

/// The choices of a stroke straight to a fielder, where one run is safe.
fn straight(card: &str, run: u8) -> Value {
    let choices = json!({"over_card": card, "longer": false, "run": run});
    let dice: &[u8] = if run > 1 { &[2, 5, 3, 2, 1] } else { &[2, 5, 3, 2] };
    json!({"choices": choices, "dice": dice})
}

on_both_stores!(a_ball_is_taken_back_with_its_rolls, |service| {
    let (played, next) = waiting(service, "t20");
    let roll = played.events().pop().expect("a roll");
    let (seq, delivery) = (roll["seq"].as_u64().expect("a seq"), roll["data"]["delivery"].clone());
    refused(service, &played, json!({"voids_from": delivery}))
        .refused(422, "illegal-input")
        .at("body.voids_from");
    let name = text(&next["what"]);
    played.post("/balls", &json!({"choices": {name: next["legal"][0]}})).expect(201);
    until(&played, &[&AFTER_DICE[..], &["ball"]].concat());
    let taken = correct(&played, json!({"voids_from": delivery}));
    let data = &last_event(&taken)["data"];
    // The roll is the first of its over, which is voided with it.
    assert_eq!((&data["voids_from_seq"], &data["dice_seen"]), (&json!(seq - 1), &json!(true)));
    assert_eq!(waits_for(&played)["what"], "over");
    holds(service, &played);
    // Equal choices lead to equal dice.
    let mut choices = roll["data"]["choices"].clone();
    choices.as_object_mut().expect("choices").remove("over_card");
    let again = played.post("/balls", &json!({"choices": choices})).expect(201);
    assert_eq!(last_event(&again)["data"], roll["data"]);
    // The roll alone is voided by its seq.
    let seq = last_event(&again)["seq"].clone();
    correct(&played, json!({"voids_from_seq": seq}));
    assert_eq!(waits_for(&played)["what"], "ball");
    holds(service, &played);
});

on_both_stores!(choices_that_take_other_dice_say_so, |service| {
    let played = t20(service);
    bowl(&played, straight("on_a_length", 1));
    let choices = json!({"over_card": "on_a_length", "longer": false, "run": 1, "attitude": "aggressive"});
    let refusal =
        refused(service, &played, json!({"amends": 1, "choices": choices})).refused(422, "illegal-input");
    refusal.at("body.dice[3]").says(&["red_bounce", "enter all of them as dice"]);
});

on_both_stores!(a_run_that_was_tried_is_put_right_and_what_follows_with_it, |service| {
    let played = t20(service);
    bowl(&played, straight("on_a_length", 1));
    bowl(&played, straight("half_volley", 1));
    dot(&played);
    let body = with(with(straight("on_a_length", 2), "/amends", json!(1)), "/reason", json!(WHY));
    let supposed = played.post("/corrections?dry_run=true", &body).expect(200);
    let made = played.post("/corrections", &body).expect(201);
    assert_eq!(supposed["after"], made["score"]);
    assert_eq!(kinds(&made), ["correction", "ball", "ball", "ball"]);
    assert_eq!(made["score"]["text"], "Harbour Terns 3/0 (0.3)");
    let right = t20(service);
    bowl(&right, straight("on_a_length", 2));
    bowl(&right, straight("half_volley", 1));
    dot(&right);
    have_equal_pages(&played, &right);
    holds(service, &played);
    for (choices, dice, at, ruling) in [
        (
            json!({"over_card": "on_a_length", "run": 3, "longer": false}),
            json!([2, 5, 3, 2]),
            "body.choices.run",
            "ctg.ball.run",
        ),
        (json!({"over_card": "joker"}), json!([3, 3, 1]), "body.choices.over_card", "ctg.ball.over_card"),
        (
            json!({"over_card": "on_a_length", "field": ["cut.1"]}),
            json!([3, 3, 1]),
            "body.choices.field",
            "ctg.field.tokens",
        ),
        (
            json!({"over_card": "on_a_length", "chance": "slips"}),
            json!([3, 3, 1]),
            "body.choices.chance",
            "ctg.ball.not_asked",
        ),
    ] {
        let answer = refused(service, &played, json!({"amends": 1, "choices": choices, "dice": dice}));
        answer.refused(422, "illegal-input").at(at).by(ruling);
    }
    let missing = refused(
        service,
        &played,
        json!({"amends": 1, "choices": {"over_card": "on_a_length"}, "dice": [2, 5, 3, 2]}),
    );
    missing.refused(422, "needs-input").at("body.choices.longer");
});

on_both_stores!(a_wicket_that_was_none_has_no_place_for_who_came_in, |service| {
    let played = t20(service);
    bowl(&played, json!({"choices": {"over_card": "on_a_length"}, "dice": [6, 1]}));
    dot(&played);
    let body = json!({"amends": 1, "dice": [3, 3, 1]});
    let impossible = refused(service, &played, body.clone()).refused(422, "illegal-input").at("body.cascade");
    impossible.by("ctg.ball.next_batter").says(&["delivery 2", "void_rest"]);
    let made = correct(&played, with(body, "/cascade", json!("void_rest")));
    assert_eq!(kinds(&made), ["correction", "ball"]);
    let right = t20(service);
    bowl(&right, json!({"choices": {"over_card": "on_a_length"}, "dice": [3, 3, 1]}));
    have_equal_pages(&played, &right);
    holds(service, &played);
});

on_both_stores!(the_bowler_of_an_over_is_put_right_with_its_first_ball, |service| {
    let played = service.create(&table("t20"));
    begin(&played).post("/overs", &json!({"bowler": "Cormac Delahunty"})).expect(201);
    dot(&played);
    dot(&played);
    let made = correct(&played, json!({"amends": 1, "over": {"bowler": "Sadia Rahimtoola"}}));
    assert_eq!(kinds(&made), ["correction", "over", "ball", "ball"]);
    assert_eq!(
        played.get("/scorecard").expect(200)["innings"][0]["bowlers"][0]["player"],
        "Sadia Rahimtoola"
    );
    holds(service, &played);
    // A bowler of another style has other cards: the first ball is amended with it, and the rest cannot stay
    // as it was.
    let other = json!({
        "amends": 1, "over": {"bowler": "Thulani Mabasa"}, "choices": {"over_card": "on_a_length"}, "dice": [3, 3, 1]
    });
    let impossible =
        refused(service, &played, other.clone()).refused(422, "illegal-input").at("body.cascade");
    impossible.says(&["delivery 2"]);
    let made = correct(&played, with(other, "/cascade", json!("void_rest")));
    assert_eq!(kinds(&made), ["correction", "over", "ball"]);
    holds(service, &played);
    let batter = json!({"amends": 1, "over": {"bowler": "Nandini Thakore"}});
    refused(service, &played, batter)
        .refused(422, "illegal-input")
        .at("body.over.bowler")
        .by("ctg.over.bowler");
    let field = json!({"amends": 1, "over": {"bowler": "Thulani Mabasa", "field": ["cut.1"]}});
    refused(service, &played, field)
        .refused(422, "illegal-input")
        .at("body.over.field")
        .by("ctg.field.tokens");
});

on_both_stores!(a_field_that_was_entered_wrong_is_put_right, |service| {
    let field = |first: &str| {
        json!([
            first,
            "glance_hook.2",
            "pull_big.2",
            "pull_big.3",
            "on_straight.1",
            "on_straight.4",
            "off_cover.2",
            "cut.1",
            "cut.2"
        ])
    };
    let ball = |first: &str| {
        let choices = json!({"over_card": "on_a_length", "longer": false, "run": 1, "field": field(first)});
        json!({"choices": choices, "dice": [2, 5, 3, 2]})
    };
    let played = t20(service);
    bowl(&played, ball("bye.1"));
    bowl(&played, straight("half_volley", 1));
    let made = correct(&played, with(ball("bye.2"), "/amends", json!(1)));
    let after: Vec<Value> = of_kind(list(&made["events"]), "ball").cloned().collect();
    assert_eq!(after[0]["choices"]["field"], field("bye.2"));
    assert!(after[1]["choices"].get("field").is_none());
    let right = t20(service);
    bowl(&right, ball("bye.2"));
    bowl(&right, straight("half_volley", 1));
    have_equal_pages(&played, &right);
    holds(service, &played);
});

on_both_stores!(reviews_come_again_after_an_amendment_as_far_as_they_can, |service| {
    let reviewed = |die: i64| {
        let played = t20(service);
        bowl(&played, straight("on_a_length", 2));
        bowl(&played, appeal(LBW, 6));
        played.post("/reviews", &json!({"by": "home", "dice": [die]})).expect(201);
        played
    };
    // After an amendment of an earlier ball, the review is of the same decision, with its old die.
    let played = reviewed(5);
    dot(&played);
    let made = correct(&played, with(straight("on_a_length", 1), "/amends", json!(1)));
    assert_eq!(kinds(&made)[..3], ["correction", "ball", "ball"], "{made}");
    holds(service, &played);
    // After amendments of the ball itself, there is first nothing to review, and then another decision, which
    // counts as accepted.
    for (dice, die) in [(json!([3, 3, 1]), 1), (json!([6, 2, 3]), 5), (json!([6, 1]), 4)] {
        let played = reviewed(5);
        let quiet = json!({"choices": {"over_card": "wild_throw"}, "dice": [3, 3, 1]});
        bowl(&played, quiet);
        let mut body = json!({"amends": 2, "dice": dice, "cascade": "void_rest"});
        if dice != json!([6, 2, 3]) {
            body["choices"] = json!({"over_card": LBW});
        }
        correct(&played, body);
        assert_ne!(waits_for(&played)["what"], "review", "{die}");
        holds(service, &played);
        played.post("/balls", &json!({"choices": {"over_card": "settling_in"}, "dice": [1, 8]})).expect(201);
        holds(service, &played);
    }
    // The review alone is voided.
    let played = reviewed(1);
    let seq = played.head().seq;
    correct(&played, json!({"voids_from_seq": seq}));
    assert_eq!(waits_for(&played)["what"], "review");
    played.post("/reviews", &json!({"by": "home", "dice": [6]})).expect(201);
    assert_eq!(played.get("/reviews").expect(200)["reviews"][0]["verdict"], "upheld");
    holds(service, &played);
    correct(&played, json!({"voids_from": 2}));
    assert_eq!(played.get("/reviews").expect(200)["reviews"], json!([]));
    holds(service, &played);
});

on_both_stores!(an_agreed_outcome_stands_and_is_not_reviewed, |service| {
    let agreed = |outcome: Value| json!({"outcome": outcome, "reason": "agreed at the table"});
    let played = t20(service);
    let out = with(appeal(LBW, 3), "/as_stood", agreed(json!({"wicket": {"kind": "lbw"}})));
    let ball = bowl(&played, out);
    assert_eq!(last_event(&ball)["data"]["outcome"]["wicket"]["kind"], "lbw");
    assert_eq!(waits_for(&played)["what"], "ball", "an agreed outcome is no decision of the rules");
    bowl(&played, straight("on_a_length", 1));
    let made = correct(&played, json!({"amends": 2, "as_stood": agreed(json!({"runs": {"batter": 3}}))}));
    assert_eq!(made["score"]["text"], "Harbour Terns 3/1 (0.2)");
    assert_eq!(list(&played.get("/corrections").expect(200)["exceptions"]).len(), 2);
    dot(&played);
    holds(service, &played);
    correct(&played, json!({"amends": 1, "cascade": "void_rest"}));
    assert_ne!(waits_for(&played)["what"], "over");
    holds(service, &played);
});

on_both_stores!(choices_of_a_seeded_ball_are_put_right_and_its_dice_stay, |service| {
    let played = service.create(&seeded("t20", "5eed"));
    begin(&played);
    let next = until(&played, &["run"]);
    let legal = list(&next["legal"]);
    let delivery = played.events().pop().expect("a roll")["data"]["delivery"].clone();
    let bowled = played.post("/balls", &json!({"choices": {"run": legal[1]}})).expect(201);
    let before = last_event(&bowled)["data"].clone();
    until(&played, &["ball", "review"]);
    let mut choices = before["choices"].clone();
    choices["run"] = legal[0].clone();
    let made = correct(&played, json!({"amends": delivery, "choices": choices, "cascade": "void_rest"}));
    let after = of_kind(list(&made["events"]), "ball").next().expect("a ball").clone();
    let (was, is) = (list(&before["dice"]), list(&after["dice"]));
    assert_eq!((is[..].to_vec(), is.len()), (was[..is.len()].to_vec(), was.len() - 1));
    assert_eq!(was.last().expect("a die")["for"], "run_out");
    // The opposite amendment would take a die that has not been rolled.
    let again = json!({"amends": delivery, "choices": before["choices"], "cascade": "void_rest"});
    refused(service, &played, again).refused(422, "illegal-input").says(&["not been rolled"]);
    assert!(!of_kind(list(&made["events"]), "roll").any(|_| true), "rolls are in the commentary once");
    holds(service, &played);
    // A client may not enter what follows from the seed.
    let mut forged = before["choices"].clone();
    forged["over_card"] = json!("joker");
    refused(service, &played, json!({"amends": delivery, "choices": forged})).refused(422, "illegal-input");
    refused(service, &played, json!({"amends": delivery, "dice": [1, 1]}))
        .refused(422, "illegal-input")
        .at("body.dice");
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    holds(service, &played);
});

on_both_stores!(a_ball_is_disputed_and_ruled_on, |service| {
    let (played, next) = waiting(service, "t20");
    let name = text(&next["what"]);
    played.post("/balls", &json!({"choices": {name: next["legal"][0]}})).expect(201);
    until(&played, &AFTER_DICE);
    let roll = played.events().pop().expect("a roll")["data"].clone();
    let to_come = json!({"delivery": roll["delivery"], "claim": "too late", "by": "home"});
    let answer = service.untouched_by(played.posting("/disputes", &to_come));
    assert_eq!(answer.status / 100, 4, "{}", answer.text());
    dispute(&played, 1);
    assert!(AFTER_DICE.contains(&text(&waits_for(&played)["what"])), "the ball still waits");
    let evidence = played.get("/disputes/1").expect(200);
    assert_eq!(evidence["delivery"], 1);
    let umpire = umpire(&played);
    rule(&umpire, 1, "stands");
    played.post("/autoplay", &json!({"until": "over"})).expect(201);
    holds(service, &played);
});

/// Records a step of the match or, now and then, voids or amends one.
fn step(recorder: &mut Recorder<'_>) {
    let played = recorder.played;
    let deliveries =
        of_kind(&played.events(), "ball").filter_map(|ball| ball["delivery"].as_u64()).max().unwrap_or(0);
    let lately = |cup: &mut Cup| deliveries.saturating_sub(cup.throw(6) as u64 - 1).max(1);
    let correction = match recorder.cup.throw(8) {
        1 => json!({"voids_from": lately(&mut recorder.cup)}),
        2 => json!({"amends": lately(&mut recorder.cup), "cascade": "void_rest"}),
        3 => json!({
            "amends": lately(&mut recorder.cup), "cascade": "void_rest",
            "as_stood": {"outcome": {"runs": {"batter": 1}}, "reason": "agreed"},
        }),
        _ => {
            recorder.play_step();
            return;
        }
    };
    let answer = played.post("/corrections", &with(correction, "/reason", json!(WHY)));
    assert!([201, 404, 409, 422].contains(&answer.status), "{}", answer.text());
}

on_both_stores!(whatever_is_corrected_the_log_holds, |service| {
    for (seed, request) in
        [(1, drs(table("t10"), "on")), (2, drs(seeded("t10", "5eed"), "on")), (3, table("t20"))]
    {
        let played = service.create(&request);
        let mut recorder = Recorder::new(&played, seed);
        (0..120).for_each(|_| step(&mut recorder));
        holds(service, &played);
    }
});

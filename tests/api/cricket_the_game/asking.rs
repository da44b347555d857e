//! Incomplete balls at the table: the answer names the one input that is missing, with its legal values, and
//! nothing is stored.

use serde_json::{Value, json};

use super::duellists::{Wanted, wanted};
use super::table::quiet_over;
use super::{AFTER_DICE, begin, list, seeded, table, text, waits_for};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Match, Service, last_event};

/// A match with a pace bowler on from the first ball: in the first over nothing is express play.
fn pace(service: &Service) -> Match {
    let played = service.create(&table("t20"));
    begin(&played).post("/overs", &json!({"bowler": "Thulani Mabasa"})).expect(201);
    played
}

/// A bowl and a stroke two lines apart: Ottoline Reyes, with a confidence of 2, is even.
fn even() -> Value {
    json!({"bowl": "yorker", "stroke": "cut"})
}

/// The input for a ball so far: choices and dice.
#[derive(Clone)]
struct Known {
    choices: Value,
    dice: Vec<i64>,
}

impl Known {
    fn new(choices: Value) -> Known {
        Known { choices, dice: Vec::new() }
    }

    fn body(&self) -> Value {
        json!({"choices": self.choices, "dice": self.dice})
    }

    /// Adds the answer to a question.
    fn answer(&mut self, wanted: &Wanted, with: &Value) {
        match wanted {
            Wanted::Die { .. } => self.dice.push(with.as_i64().expect("a number")),
            Wanted::Choice { name, .. } => self.choices[name] = with.clone(),
        }
    }
}

/// A question in short: `bowler d6`, `run [1,2]`; the fifteen cards of a deck are `over_card of 15`.
fn short(wanted: &Wanted) -> String {
    match wanted {
        Wanted::Die { what, sides, .. } => format!("{what} d{sides}"),
        Wanted::Choice { name, legal } if name == "over_card" => format!("{name} of {}", legal.len()),
        Wanted::Choice { name, legal } => format!("{name} {}", json!(legal)),
    }
}

/// Asserts that the ball is complete after exactly these questions in this order.
#[track_caller]
fn asks(service: &Service, played: &Match, choices: Value, script: &[(&str, Value)]) -> Value {
    let mut known = Known::new(choices);
    for (due, answer) in script {
        let refused = service.untouched_by(played.posting("/balls", &known.body()));
        let wanted = wanted(&refused);
        assert_eq!(short(&wanted), *due);
        if let Wanted::Die { at, .. } = wanted {
            assert_eq!(at, known.dice.len());
        }
        known.answer(&wanted, answer);
    }
    let mut extra = known.clone();
    extra.dice.push(1);
    let at = format!("body.dice[{}]", known.dice.len());
    service.untouched_by(played.posting("/balls", &extra.body())).refused(422, "illegal-input").at(&at);
    let bowled = played.post("/balls", &known.body()).expect(201);
    let ball = &last_event(&bowled)["data"];
    let dice: Vec<i64> = list(&ball["dice"]).iter().filter_map(|die| die["value"].as_i64()).collect();
    assert_eq!(dice, known.dice);
    for (name, chosen) in known.choices.as_object().expect("choices") {
        assert_eq!(ball["choices"][name], *chosen, "{name}");
    }
    ball.clone()
}

on_both_stores!(every_question_of_a_struck_ball_comes_in_its_order, |service| {
    let played = pace(service);
    let script = [
        ("over_card of 15", json!("on_a_length")),
        ("bowler d6", json!(2)),
        ("batter d8", json!(5)),
        ("distance d8", json!(3)),
        ("green_bounce d6", json!(2)),
        ("longer [false,true]", json!(false)),
        ("run [1,2]", json!(2)),
        ("run_out d6", json!(4)),
    ];
    let ball = asks(service, &played, json!({}), &script);
    assert_eq!(
        (&ball["outcome"]["runs"]["total"], &ball["outcome"]["detail"]["tried"]),
        (&json!(2), &json!(2))
    );
    // In the air to a fielder it is a catch before any run; with one added it falls elsewhere.
    let script = [
        ("over_card of 14", json!("half_volley")),
        ("bowler d6", json!(2)),
        ("batter d8", json!(8)),
        ("distance d8", json!(4)),
        ("red_bounce d6", json!(1)),
        ("longer [false,true]", json!(false)),
        ("catch d6", json!(3)),
        ("run [1,2]", json!(1)),
    ];
    let ball = asks(service, &played, json!({"attitude": "aggressive", "bowl": "yorker"}), &script);
    assert_eq!(ball["outcome"]["detail"]["catch"]["held"], false);
    let script = [
        ("over_card of 13", json!("short_and_wide")),
        ("bowler d6", json!(2)),
        ("batter d8", json!(8)),
        ("distance d8", json!(4)),
        ("red_bounce d6", json!(1)),
        ("longer [false,true]", json!(true)),
        ("run [2,3]", json!(2)),
    ];
    asks(
        service,
        &played,
        json!({"attitude": "aggressive", "bowl": "yorker", "stroke": "on_straight"}),
        &script,
    );
});

on_both_stores!(every_question_of_a_missed_ball_comes_in_its_order, |service| {
    let played = pace(service);
    let script = [
        ("over_card of 15", json!("off_the_seam")),
        ("bowler d6", json!(5)),
        ("batter d8", json!(2)),
        (r#"reroll_batter ["no","second_chance"]"#, json!("no")),
        (r#"chance ["bowled","slips"]"#, json!("slips")),
        ("slip d6", json!(2)),
    ];
    asks(service, &played, even(), &script);
    let script = [
        ("over_card of 14", json!("rapped_on_the_pad")),
        ("bowler d6", json!(5)),
        ("batter d8", json!(2)),
        (r#"reroll_batter ["no","second_chance"]"#, json!("second_chance")),
        ("batter d8", json!(1)),
        (r#"chance ["bowled","lbw"]"#, json!("bowled")),
        ("bowled d6", json!(2)),
    ];
    asks(service, &played, even(), &script);
    let script = [
        ("over_card of 13", json!("thin_edge")),
        ("bowler d6", json!(6)),
        ("batter d8", json!(2)),
        ("bowled d8", json!(6)),
    ];
    // The skill is used up, and without a slip there is one chance.
    let mut alone = even();
    alone["attitude"] = json!("aggressive");
    alone["field"] = json!([
        "glance_hook.1",
        "glance_hook.2",
        "pull_big.2",
        "pull_big.3",
        "on_straight.1",
        "on_straight.2",
        "off_cover.2",
        "off_cover.3",
        "cut.2"
    ]);
    asks(service, &played, alone, &script);
    let blocked =
        [("over_card of 12", json!("settling_in")), ("bowler d6", json!(4)), ("batter d8", json!(4))];
    asks(service, &played, even(), &blocked);
});

on_both_stores!(an_appeal_a_card_and_a_dead_ball_ask_for_no_more_than_they_need, |service| {
    let played = pace(service);
    let dead = asks(service, &played, json!({}), &[("over_card of 15", json!("behind_the_arm"))]);
    assert_eq!((&dead["outcome"]["legal"], &dead["dice"]), (&json!(false), &json!([])));
    assert!(waits_for(&played)["legal"].get("over_card").is_none(), "the next is bowled without a card");
    asks(service, &played, even(), &[("bowler d6", json!(1)), ("batter d8", json!(8))]);
    let no_ball =
        [("over_card of 14", json!("over_the_line")), ("bowler d6", json!(6)), ("batter d8", json!(1))];
    let ball = asks(service, &played, even(), &no_ball);
    assert_eq!(
        (&ball["outcome"]["extras"], &ball["outcome"]["wicket"]),
        (&json!({"no_balls": 1}), &Value::Null)
    );
    let free = asks(service, &played, even(), &[("bowler d6", json!(6)), ("batter d8", json!(1))]);
    assert_eq!(free["outcome"]["detail"]["free_hit"], true);
    let script = [
        ("over_card of 13", json!("rapped_on_the_pad")),
        ("bowler d6", json!(4)),
        ("batter d8", json!(2)),
        (r#"reroll_batter ["no","second_chance"]"#, json!("no")),
        ("appeal d6", json!(4)),
    ];
    let ball = asks(service, &played, even(), &script);
    assert_eq!(ball["outcome"]["detail"]["appeal"], json!({"for": "lbw", "out": false}));
});

on_both_stores!(a_card_that_offers_a_reroll_is_asked_about_beside_the_skill, |service| {
    let played = service.create(&table("t20"));
    begin(&played).post("/overs", &json!({"bowler": "Yusuf Demirel-Hart"})).expect(201);
    let script = [
        ("over_card of 15", json!("second_look")),
        ("bowler d8", json!(4)),
        ("batter d8", json!(2)),
        (r#"reroll_batter ["no","card","second_chance"]"#, json!("card")),
        ("batter d8", json!(3)),
    ];
    asks(service, &played, json!({"bowl": "googly", "stroke": "off_cover"}), &script);
    // Off a spinner, a ball struck by less than three is shorter without a question.
    let script = [
        ("over_card of 14", json!("ring_field")),
        ("bowler d8", json!(4)),
        ("batter d8", json!(5)),
        ("distance d8", json!(8)),
        ("green_bounce d6", json!(4)),
    ];
    let ball = asks(service, &played, json!({"bowl": "googly", "stroke": "off_cover"}), &script);
    assert_eq!(
        (&ball["outcome"]["detail"]["distance"], &ball["outcome"]["boundary"]),
        (&json!(7), &json!(4))
    );
});

on_both_stores!(express_play_asks_for_the_card_and_no_choice, |service| {
    let played = service.create(&table("t20"));
    begin(&played);
    quiet_over(&played, "Cormac Delahunty");
    played.post("/overs", &json!({"bowler": "Thulani Mabasa"})).expect(201);
    let legal = waits_for(&played)["legal"].clone();
    assert_eq!(legal.as_object().expect("an object").keys().collect::<Vec<_>>(), ["over_card"]);
    for (name, value) in
        [("bowl", json!("yorker")), ("stroke", json!("cut")), ("run", json!(1)), ("skills", json!({}))]
    {
        let body = json!({"choices": {"over_card": "thin_edge", name: value}});
        let refused = service.untouched_by(played.posting("/balls", &body));
        refused.refused(422, "illegal-input").at(&format!("body.choices.{name}")).by("ctg.ball.express");
    }
    asks(service, &played, json!({}), &[("over_card of 15", json!("thin_edge"))]);
    let second = [("over_card of 14", json!("steaming_in")), ("threat d6", json!(4))];
    assert_eq!(asks(service, &played, json!({}), &second)["outcome"]["wicket"], Value::Null);
    assert!(waits_for(&played)["legal"].get("bowl").is_some());
});

on_both_stores!(a_boundary_in_express_play_is_read_off_the_table, |service| {
    let played = service.create(&table("t20"));
    begin(&played);
    quiet_over(&played, "Cormac Delahunty");
    played.post("/overs", &json!({"bowler": "Thulani Mabasa"})).expect(201);
    let six = [("over_card of 15", json!("chin_music")), ("boundary d8", json!(8))];
    assert_eq!(asks(service, &played, json!({}), &six)["outcome"]["boundary"], 6);
    let out = [("over_card of 14", json!("half_volley")), ("boundary d8", json!(1))];
    assert_eq!(asks(service, &played, json!({}), &out)["outcome"]["wicket"]["kind"], "caught");
});

on_both_stores!(a_power_play_over_is_fielded_by_its_own_limit, |service| {
    let played = service.create(&table("t10"));
    begin(&played);
    quiet_over(&played, "Cormac Delahunty");
    quiet_over(&played, "Sadia Rahimtoola");
    let legal = waits_for(&played)["legal"].clone();
    assert_eq!((&legal["power_play"], &legal["field"]["outfield"]), (&json!([false, true]), &json!(5)));
    let open = json!([
        "bye.1",
        "glance_hook.3",
        "pull_big.2",
        "pull_big.3",
        "on_straight.2",
        "on_straight.3",
        "off_cover.2",
        "off_cover.3",
        "cut.3"
    ]);
    let both = json!({"power_play": true, "field": open});
    let refused = service.untouched_by(played.posting("/overs", &both)).refused(422, "illegal-input");
    assert_eq!(refused.at("body.field").by("ctg.field.outfield").problem["legal"]["outfield"], 2);
    let over = played.post("/overs", &json!({"power_play": true})).expect(201);
    let field = &last_event(&over)["data"]["choices"]["field"];
    assert_eq!(list(field).iter().filter(|place| text(place).ends_with('3')).count(), 2);
    assert_eq!(list(&waits_for(&played)["legal"]["over_card"]).len(), 15);
});

on_both_stores!(a_key_and_a_head_go_with_a_ball_that_waits, |service| {
    let played = service.create(&seeded("t20", "5eed"));
    begin(&played);
    let head = played.head();
    let mut bowled = 0;
    let waiting = loop {
        let key = format!("ball-{bowled}");
        let send = || played.posting("/balls", &json!({"accept": true})).key(&key).send();
        let answer = send().expect(201);
        assert_eq!(send().expect(201), answer, "the same key gives the same answer");
        bowled += 1;
        if AFTER_DICE.contains(&answer["next"]["what"].as_str().unwrap_or_default()) {
            break answer;
        }
    };
    assert_eq!(last_event(&waiting)["kind"], "roll");
    let (name, legal) = (text(&waiting["next"]["what"]), list(&waiting["next"]["legal"]));
    let answer = json!({"choices": {name: legal[0]}});
    let stale = service.untouched_by(played.posting("/balls", &answer).if_match(&head.hash));
    stale.refused(412, "stale-head").at("header.If-Match");
    let other = service.untouched_by(played.posting("/balls", &answer).key("ball-0"));
    other.refused(422, "idempotency-key-reused");
    let now = played.head();
    let send = || played.posting("/balls", &answer).if_match(&now.hash).key("answer").send().expect(201);
    let answered = send();
    assert_eq!(send(), answered);
    assert!(played.head().seq > now.seq);
});

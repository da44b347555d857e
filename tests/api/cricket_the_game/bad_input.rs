//! Illegal overs and balls: each is refused by its rule, at its place, with what is legal, and nothing is
//! stored.

use serde_json::{Value, json};

use super::table::{appeal, dot, pace, quiet_over};
use super::{begin, drs, list, table, waits_for};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Match, Refusal, Service, with};

const RESTRICTED: [&str; 9] = [
    "bye.1",
    "glance_hook.2",
    "pull_big.2",
    "pull_big.3",
    "on_straight.1",
    "on_straight.2",
    "off_cover.2",
    "off_cover.3",
    "cut.2",
];

#[track_caller]
fn over(service: &Service, played: &Match, body: Value, at: &str) -> Refusal {
    service
        .untouched_by(played.posting("/overs", &body))
        .refused(422, "illegal-input")
        .within(&format!("body.{at}"))
}

#[track_caller]
fn ball(service: &Service, played: &Match, choices: Value, dice: &[i64], at: &str) -> Refusal {
    let body = json!({"choices": choices, "dice": dice});
    service.untouched_by(played.posting("/balls", &body)).refused(422, "illegal-input").within(at)
}

/// The default field with some of its places changed.
fn field(changes: &[(usize, &str)]) -> Value {
    let mut field = RESTRICTED;
    changes.iter().for_each(|(at, place)| field[*at] = place);
    json!(field)
}

on_both_stores!(fields_that_cannot_be_are_refused_with_the_limits, |service| {
    let t20 = service.create(&table("t20"));
    begin(&t20);
    let t10 = service.create(&table("t10"));
    begin(&t10);
    let limits = |format: &str| {
        let (areas, three) = if format == "t10" { (3, 0) } else { (4, 1) };
        json!({
            "tokens": 9, "areas": areas, "to_an_area": 1, "to_a_zone": 2, "zones_of_three": three, "outfield": 2,
            "outfield_from_area": 3,
        })
    };
    let ten: Vec<&str> = RESTRICTED.into_iter().chain(["cut.1"]).collect();
    let cases = [
        (json!(ten), "ctg.field.tokens"),
        (json!(RESTRICTED[..8]), "ctg.field.tokens"),
        (json!([]), "ctg.field.tokens"),
        (field(&[(0, "slips.1")]), "ctg.field.tokens"),
        (field(&[(0, "cut.0")]), "ctg.field.tokens"),
        (field(&[(0, "cut.5")]), "ctg.field.tokens"),
        (field(&[(0, "cut")]), "ctg.field.tokens"),
        (with(json!(RESTRICTED), "/3", json!(7)), "ctg.field.tokens"),
        (json!({"cut": 2}), "ctg.field.tokens"),
        (json!("cut.2"), "ctg.field.tokens"),
        (field(&[(0, "cut.2")]), "ctg.field.area"),
        (field(&[(0, "glance_hook.3")]), "ctg.field.outfield"),
    ];
    for (played, format) in [(&t20, "t20"), (&t10, "t10")] {
        for (field, ruling) in &cases {
            let refusal = over(service, played, json!({"field": field}), "field").by(ruling);
            refusal.legal(limits(format));
        }
    }
    let in_a_zone = |played: &Match, field: Value| {
        over(service, played, json!({"field": field}), "field").by("ctg.field.zone")
    };
    in_a_zone(&t10, field(&[(0, "on_straight.3")]));
    in_a_zone(&t20, field(&[(0, "on_straight.3"), (1, "off_cover.1")]));
    in_a_zone(&t20, field(&[(0, "on_straight.3"), (1, "on_straight.4")]));
    over(service, &t10, json!({"field": field(&[(0, "cut.4")])}), "field").by("ctg.field.tokens");
    // One zone of three is legal in a T20 field, and the limit counts ball by ball within the over.
    t20.post("/overs", &json!({"field": field(&[(0, "on_straight.3"), (3, "cut.1")])})).expect(201);
    for (field, ruling) in [
        (field(&[(0, "cut.2")]), "ctg.field.area"),
        (field(&[(0, "cut.3")]), "ctg.field.outfield"),
        (json!(7), "ctg.field.tokens"),
    ] {
        let choices = json!({"over_card": "nagging_line", "field": field});
        ball(service, &t20, choices, &[3, 3], "body.choices.field").by(ruling).legal(limits("t20"));
    }
});

on_both_stores!(bowlers_who_cannot_bowl_are_refused_with_those_who_can, |service| {
    let played = service.create(&table("t10"));
    begin(&played);
    let refused = |name: &str, ruling: &str| {
        let refusal = over(service, &played, json!({"bowler": name}), "bowler").by(ruling);
        let legal = refusal.problem["legal"].clone();
        assert_eq!(legal, waits_for(&played)["legal"]["bowler"]);
        assert!(!list(&legal).contains(&json!(name)));
    };
    for nobody in ["Nandini Thakore", "Hanneke Vosloo", "Tane Whaiora", "Nobody", ""] {
        refused(nobody, "ctg.over.bowler");
    }
    quiet_over(&played, "Cormac Delahunty");
    refused("Cormac Delahunty", "ctg.over.consecutive");
    quiet_over(&played, "Sadia Rahimtoola");
    quiet_over(&played, "Cormac Delahunty");
    quiet_over(&played, "Sadia Rahimtoola");
    refused("Cormac Delahunty", "ctg.over.quota");
    refused("Sadia Rahimtoola", "ctg.over.consecutive");
});

on_both_stores!(a_bowler_after_whom_the_overs_cannot_be_filled_is_refused, |service| {
    let played = service.create(&drs(table("t20"), "off"));
    begin(&played);
    let [a, b, c, d] = ["Cormac Delahunty", "Sadia Rahimtoola", "Eitaro Minamoto", "Perpetua Lowe"];
    let [e, f, g] = ["Yusuf Demirel-Hart", "Araminta Goh", "Thulani Mabasa"];
    for bowler in [a, b, a, b, a, b, c, d, c, d, c, d, e, f, e, f, e] {
        quiet_over(&played, bowler);
    }
    let refusal = over(service, &played, json!({"bowler": f}), "bowler").by("ctg.over.unfillable");
    refusal.says(&[f]).legal(json!([g]));
    quiet_over(&played, g);
    quiet_over(&played, f);
    quiet_over(&played, g);
    assert_eq!(waits_for(&played)["legal"]["openers"][0], "Nandini Thakore", "the other side bats");
});

on_both_stores!(a_power_play_is_called_in_its_time_and_once, |service| {
    let call = json!({"power_play": true});
    let t20 = service.create(&table("t20"));
    begin(&t20);
    over(service, &t20, call.clone(), "power_play").by("ctg.over.power_play").says(&["T20"]);
    let played = service.create(&table("t10"));
    begin(&played);
    for bowler in ["Cormac Delahunty", "Sadia Rahimtoola"] {
        over(service, &played, call.clone(), "power_play").by("ctg.over.power_play").says(&["overs 3 to 10"]);
        quiet_over(&played, bowler);
    }
    played.post("/overs", &call).expect(201);
    (0..6).for_each(|_| drop(dot(&played)));
    over(service, &played, call, "power_play").by("ctg.over.power_play").says(&["has been called"]);
    assert!(waits_for(&played)["legal"].get("power_play").is_none());
    played.post("/overs", &json!({"power_play": false})).expect(201);
});

on_both_stores!(choices_of_a_ball_that_cannot_be_are_refused_with_what_can, |service| {
    let played = pace(service, &table("t20"));
    let pace_bowls = json!(["yorker", "bouncer", "outswinger", "inswinger", "good_length", "slower_ball"]);
    let strokes = json!(["glance_hook", "pull_big", "on_straight", "off_cover", "cut"]);
    let attitudes = json!(["aggressive", "defensive"]);
    let chosen = |name: &str, value: Value| {
        let mut choices = json!({"over_card": "on_a_length"});
        choices[name] = value;
        ball(service, &played, choices, &[3, 3, 1], &format!("body.choices.{name}"))
    };
    for bowl in ["googly", "seamer", "beamer", ""] {
        chosen("bowl", json!(bowl)).by("ctg.ball.bowl").legal(pace_bowls.clone());
    }
    for stroke in ["bye", "cover", ""] {
        chosen("stroke", json!(stroke)).by("ctg.ball.stroke").legal(strokes.clone());
    }
    chosen("attitude", json!("reckless")).by("ctg.ball.attitude").legal(attitudes);
    chosen("next_batter", json!("Ishaan Velankar")).by("ctg.ball.next_batter");
    chosen("next_attitude", json!("defensive")).by("ctg.ball.next_batter");
    for card in ["nothing_in_it", "joker", ""] {
        let legal = chosen("over_card", json!(card)).by("ctg.ball.over_card").problem["legal"].clone();
        assert_eq!(list(&legal).len(), 15);
    }
    played.post("/balls", &json!({"choices": {"over_card": "on_a_length"}, "dice": [3, 3, 1]})).expect(201);
    let legal =
        chosen("over_card", json!("on_a_length")).by("ctg.ball.over_card").says(&["has been turned"]).problem
            ["legal"]
            .clone();
    assert_eq!(list(&legal).len(), 14);
});

on_both_stores!(a_skill_is_used_as_often_as_its_card_allows, |service| {
    let played = pace(service, &drs(table("t20"), "off"));
    let named = |side: &str, skills: Value| json!({"over_card": "half_volley", "skills": {side: skills}});
    let refused = |side: &str, skills: Value| {
        ball(service, &played, named(side, skills), &[3, 3, 1], &format!("body.choices.skills.{side}"))
            .by("ctg.ball.skill")
    };
    refused("bowler", json!(["effort_ball", "effort_ball"])).legal(json!(["disguise"]));
    refused("batter", json!(["read_from_the_hand", "read_from_the_hand"]));
    refused("batter", json!(["effort_ball"])).legal(json!(["read_from_the_hand", "placed_to_perfection"]));
    refused("bowler", json!(["second_chance"]));
    refused("batter", json!(["second_chance"])).says(&["asks"]);
    let skills = json!({"bowler": ["effort_ball", "disguise"], "batter": ["read_from_the_hand"]});
    played
        .post(
            "/balls",
            &json!({"choices": {"over_card": "on_a_length", "skills": skills}, "dice": [3, 3, 1]}),
        )
        .expect(201);
    refused("bowler", json!(["effort_ball"])).legal(json!([]));
    refused("batter", json!(["read_from_the_hand"])).legal(json!(["placed_to_perfection"]));
    assert_eq!(
        waits_for(&played)["legal"]["skills"],
        json!({"bowler": [], "batter": ["placed_to_perfection"]})
    );
    // The batter was clean bowled: an all-rounder who comes in has one skill in all.
    played.post("/balls", &json!({"choices": {"over_card": "short_and_wide"}, "dice": [6, 1]})).expect(201);
    let comes_in = json!({"over_card": "top_edge", "next_batter": "Tane Whaiora", "skills": {"batter": ["read_from_the_hand", "placed_to_perfection"]}});
    ball(service, &played, comes_in, &[3, 3, 1], "body.choices.skills.batter")
        .by("ctg.ball.skill")
        .legal(json!([]));
    let comes_in = json!({"over_card": "top_edge", "next_batter": "Tane Whaiora", "skills": {"batter": ["placed_to_perfection"]}});
    played.post("/balls", &json!({"choices": comes_in, "dice": [3, 3, 1]})).expect(201);
    refused("batter", json!(["read_from_the_hand"])).legal(json!([]));
});

on_both_stores!(dice_that_cannot_be_are_refused_at_their_place, |service| {
    let played = pace(service, &table("t20"));
    let card = || json!({"over_card": "on_a_length"});
    let die = |dice: &[i64], at: usize, purpose: &str, sides: u64| {
        let refusal = ball(service, &played, card(), dice, &format!("body.dice[{at}]"));
        refusal.legal(json!({"for": purpose, "minimum": 1, "maximum": sides}));
    };
    die(&[8], 0, "bowler", 6);
    die(&[0], 0, "bowler", 6);
    die(&[-1, 3], 0, "bowler", 6);
    die(&[3, 9], 1, "batter", 8);
    die(&[2, 5, 9], 2, "distance", 8);
    die(&[2, 5, 3, 7], 3, "green_bounce", 6);
    die(&[3, 3, 7], 2, "slip", 6);
    die(&[i64::MAX], 0, "bowler", 6);
    ball(service, &played, card(), &[1, 8, 1], "body.dice[2]").says(&["2"]);
    ball(service, &played, card(), &[3, 3, 1, 1], "body.dice[3]");
});

on_both_stores!(decisions_nobody_asked_for_are_refused, |service| {
    let played = pace(service, &table("t20"));
    let unasked = |extra: Value, dice: &[i64], name: &str| {
        let mut choices = json!({"over_card": "on_a_length"});
        choices.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
        ball(service, &played, choices, dice, &format!("body.choices.{name}"))
    };
    let not_asked =
        |extra: Value, dice: &[i64], name: &str| drop(unasked(extra, dice, name).by("ctg.ball.not_asked"));
    // A run cannot be tried off a boundary, natural or off the ground.
    not_asked(json!({"run": 1}), &[1, 8], "run");
    not_asked(json!({"run": 2}), &[1, 6], "run");
    not_asked(json!({"attitude": "aggressive", "longer": false, "run": 2}), &[2, 5, 5, 5], "run");
    not_asked(json!({"longer": true}), &[3, 3, 1], "longer");
    not_asked(json!({"chance": "slips"}), &[3, 3, 1], "chance");
    not_asked(json!({"reroll_batter": "no"}), &[3, 3, 1], "reroll_batter");
    not_asked(json!({"reroll_bowler": "no"}), &[6, 1], "reroll_bowler");
    // A question is answered with one of its legal answers.
    let legal = |extra: Value, dice: &[i64], name: &str, ruling: &str, legal: Value| {
        drop(unasked(extra, dice, name).by(ruling).legal(legal));
    };
    let struck = [2, 5, 3, 2];
    legal(json!({"longer": false, "run": 3}), &struck, "run", "ctg.ball.run", json!([1, 2]));
    legal(json!({"longer": false, "run": 0}), &struck, "run", "ctg.ball.run", json!([1, 2]));
    unasked(json!({"longer": false, "run": 4}), &struck, "run").by("ctg.ball.run");
    let rerolls = json!(["no", "second_chance"]);
    legal(json!({"reroll_batter": "card"}), &[6, 2], "reroll_batter", "ctg.reroll", rerolls);
    unasked(json!({"reroll_batter": "disguise"}), &[6, 2], "reroll_batter").by("ctg.reroll");
    unasked(json!({"chance": "run out"}), &[6, 2], "chance").by("ctg.ball.chance");
    let miss = json!({"stroke": "cut", "bowl": "yorker", "over_card": "off_the_seam", "reroll_batter": "no", "chance": "lbw"});
    ball(service, &played, miss, &[5, 2], "body.choices.chance")
        .by("ctg.ball.chance")
        .legal(json!(["bowled", "slips"]));
});

on_both_stores!(wrong_json_is_refused_wherever_it_stands, |service| {
    let played = service.create(&table("t20"));
    begin(&played);
    let wrong = |path: &str, body: Value, at: &str| {
        drop(service.untouched_by(played.posting(path, &body)).refused(422, "illegal-input").within(at))
    };
    for (body, at) in [
        (json!({"bowler": 7}), "body.bowler"),
        (json!({"bowler": ["Thulani Mabasa"]}), "body.bowler"),
        (json!({"openers": "Ottoline Reyes"}), "body.openers"),
        (json!({"openers": ["Ottoline Reyes"]}), "body.openers"),
        (json!({"openers": [1, 2]}), "body.openers"),
        (json!({"openers": ["Ottoline Reyes", "Ottoline Reyes"]}), "body.openers"),
        (json!({"openers": ["Ottoline Reyes", "Nobody"]}), "body.openers"),
        (json!({"attitudes": ["bold", "meek"]}), "body.attitudes"),
        (json!({"attitudes": {"home": "defensive"}}), "body.attitudes"),
        (json!({"power_play": "yes"}), "body.power_play"),
        (json!({"keeper": "Hanneke Vosloo"}), "body"),
        (json!({"accept": "yes"}), "body.accept"),
        (json!([]), "body"),
    ] {
        wrong("/overs", body, at);
    }
    played.post("/overs", &json!({"bowler": "Thulani Mabasa"})).expect(201);
    for (name, value) in [
        ("bowl", json!(7)),
        ("attitude", json!(1)),
        ("stroke", json!(["cut"])),
        ("over_card", json!(3)),
        ("skills", json!(["effort_ball"])),
        ("skills", json!({"bowler": "effort_ball"})),
        ("skills", json!({"bowler": [1]})),
        ("skills", json!({"keeper": []})),
        ("skills", json!([])),
        ("skills", json!([["effort_ball"], []])),
        ("skills", json!("disguise")),
        ("longer", json!("yes")),
        ("run", json!("1")),
        ("run", json!(-1)),
        ("run", json!(1.5)),
        ("run", json!(256)),
        ("chance", json!(1)),
        ("reroll_batter", json!(true)),
        ("next_batter", json!(5)),
        ("field", json!(true)),
    ] {
        let body = json!({"choices": {name: value}, "dice": [3, 3, 1]});
        wrong("/balls", body, &format!("body.choices.{name}"));
    }
    for (body, at) in [
        (json!({"choices": {"bowled": "yorker"}}), "body.choices"),
        (json!({"choices": []}), "body.choices"),
        (json!({"dice": "33"}), "body.dice"),
        (json!({"dice": [3, "3"]}), "body.dice[1]"),
        (json!({"dice": [3.5]}), "body.dice[0]"),
        (json!({"dice": {"bowler": 3}}), "body.dice"),
        (json!({"bowl": "yorker"}), "body"),
        (json!({"accept": 1}), "body.accept"),
    ] {
        wrong("/balls", body, at);
    }
    let fine = appeal("rapped_on_the_pad", 3);
    for (path, body) in [
        ("/overs", json!({})),
        ("/toss", json!({"caller": "home", "call": "heads", "coin": "heads"})),
        ("/set-up", json!({"pitch": "spin"})),
    ] {
        service.untouched_by(played.posting(path, &body)).refused(409, "out-of-turn");
    }
    played.post("/balls", &fine).expect(201);
});

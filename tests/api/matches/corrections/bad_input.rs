//! Corrections that are refused: each answer names the fault, nothing is stored, and the match goes on.

use serde_json::{Value, json};

use super::*;
use third_umpire_test_support::service::{Refusal, Service, Sides};
use third_umpire_test_support::{on_both_stores, on_own_stores};

/// A match with two balls, one of them a wicket, and a third.
fn in_play(service: &Service) -> Match {
    with_balls(service, 5, &[&[2, 4], &[2, 5], &[2, 3]])
}

#[track_caller]
fn refused(service: &Service, played: &Match, body: &Value, status: u16, slug: &str) -> Refusal {
    let head = played.head();
    service.untouched_by(played.posting("/corrections?dry_run=true", body)).refused(status, slug);
    let refusal = service.untouched_by(played.posting("/corrections", body)).refused(status, slug);
    assert_eq!(played.head(), head);
    refusal
}

/// The refusal of an amendment that is not whole, of which a dry run asks for the rest.
#[track_caller]
fn needs_input(service: &Service, played: &Match, body: &Value) -> Refusal {
    let before = service.rows_of(played);
    assert_eq!(dry_run(played, body).expect(200)["done"], false);
    assert_eq!(service.rows_of(played), before, "a dry run stores nothing");
    service.untouched_by(played.posting("/corrections", body)).refused(422, "needs-input")
}

#[track_caller]
fn illegal(service: &Service, played: &Match, body: &Value) -> Refusal {
    refused(service, played, body, 422, "illegal-input")
}

on_both_stores!(only_a_delivery_that_stands_is_taken_back_or_put_right, |service| {
    let played = in_play(service);
    for delivery in [0, 4, 4_000_000_000] {
        let refusal = illegal(service, &played, &undo(delivery)).at("body.voids_from");
        refusal.says(&["no delivery", "3"]);
        illegal(service, &played, &dice(delivery, &[2, 1])).at("body.amends").says(&["no delivery"]);
    }
    correct(&played, &undo(2));
    for delivery in [2, 3] {
        let refusal = refused(service, &played, &undo(delivery), 409, "already-settled");
        refusal.at("body.voids_from").says(&["already void"]);
        let refusal = refused(service, &played, &dice(delivery, &[2, 1]), 409, "already-settled");
        refusal.at("body.amends").says(&["already void"]);
    }
    played.bowl(&[2, 3]);
    correct(&played, &dice(2, &[2, 1]));
    played.play_step();
    holds(service, &played);
});

on_both_stores!(only_an_event_that_stands_and_is_no_ball_is_named_by_its_place_in_the_log, |service| {
    let played = in_play(service);
    // The seqs are of the creation, a ball, and missing events; then a void one, the correction, and the over
    // of void balls.
    for seq in [0, 1, 5, 7, 8, 1_000_000] {
        illegal(service, &played, &undo_seq(seq)).at("body.voids_from_seq");
    }
    correct(&played, &undo(1));
    for seq in [1, 8] {
        illegal(service, &played, &undo_seq(seq)).at("body.voids_from_seq");
    }
    let void = |seq| {
        let refusal = refused(service, &played, &undo_seq(seq), 409, "already-settled");
        refusal.at("body.voids_from_seq").says(&["already void"]);
    };
    (4..=7).for_each(void);
    correct(&played, &undo_seq(3));
    void(3);
    played.play_step();
    holds(service, &played);
});

on_both_stores!(an_amendment_changes_something, |service| {
    let played = in_play(service);
    for body in [
        amend(1, json!({})),
        dice(1, &[2, 4]),
        amend(3, json!({"choices": {"next_batter": "Crane"}})),
        amend(1, json!({"over": {}})),
        amend(2, json!({"cascade": "void_rest"})),
    ] {
        illegal(service, &played, &body).at("body.amends").says(&["changes nothing"]);
    }
    let dots: [&[i64]; 12] = [&[2, 3]; 12];
    let over = with_balls(service, 1, &dots);
    illegal(service, &over, &dice(12, &[2, 3])).at("body.amends").says(&["changes nothing"]);
    illegal(service, &over, &amend(7, json!({}))).at("body.amends").says(&["changes nothing"]);
    played.play_step();
});

on_both_stores!(dice_that_are_put_right_have_to_fit, |service| {
    let played = in_play(service);
    for (shown, at) in
        [(&[7, 3][..], 0), (&[2, 0], 1), (&[-1, 2], 0), (&[2, 3, 1], 2), (&[3, 5, 1, 1, 1, 1], 5)]
    {
        illegal(service, &played, &dice(1, shown)).at(&format!("body.dice[{at}]"));
    }
    for (shown, at) in [(&[][..], 0), (&[2], 1), (&[3, 5], 2), (&[1, 3], 2)] {
        let refusal = needs_input(service, &played, &dice(1, shown));
        refusal.at(&format!("body.dice[{at}]")).says(&["missing"]);
    }
    illegal(service, &played, &amend(1, json!({"dice": [2, 2.5]}))).at("body.dice[1]");
    illegal(service, &played, &amend(1, json!({"dice": "2 3"}))).at("body.dice");
    let seeded = after_balls(service, &seeded(2), 3);
    illegal(service, &seeded, &dice(1, &[2, 3])).at("body.dice").says(&["seed", "leave dice out"]);
    played.play_step();
    seeded.play_step();
});

on_both_stores!(a_reason_is_one_line_of_1_to_1000_characters, |service| {
    let played = in_play(service);
    let long = "x".repeat(5_000);
    for reason in
        ["", "   ", &long, &long[..1_001], "one\ntwo", "nul \u{0}", "\u{1b}[2J", "back \u{202e}ward"]
    {
        for body in [undo(3), undo_seq(3), dice(1, &[2, 1])] {
            illegal(service, &played, &with(body, "/reason", json!(reason))).at("body.reason");
        }
        let agreed = with(agreed_outcome(json!({"runs": {"batter": 1}})), "/as_stood/reason", json!(reason));
        illegal(service, &played, &amend(1, agreed.clone())).at("body.as_stood.reason");
        let ball = with(agreed, "/dice", json!([2, 3]));
        let ball = service.untouched_by(played.posting("/balls", &ball));
        ball.refused(422, "illegal-input").at("body.as_stood.reason");
    }
    for reason in [Value::Null, json!(7), json!(["why"])] {
        let body = with(undo(3), "/reason", reason);
        service
            .untouched_by(played.posting("/corrections", &body))
            .refused(422, "illegal-input")
            .at("body.reason");
    }
    let without = service.untouched_by(played.posting("/corrections", &json!({"voids_from": 3})));
    without.refused(422, "needs-input").says(&["reason"]);
    correct(&played, &with(undo(3), "/reason", json!("x".repeat(1_000))));
    correct(&played, &with(undo(2), "/reason", json!("verschrieben – ça arrive 🏏")));
    holds(service, &played);
});

on_both_stores!(an_agreed_outcome_has_to_be_possible_in_the_game, |service| {
    let played = in_play(service);
    for (outcome, at) in [
        (json!({"runs": {"batter": -1}}), "runs.batter"),
        (json!({"runs": {"batter": 1.5}}), "runs.batter"),
        (json!({"runs": {"batter": 101}}), "runs.batter"),
        (json!({"runs": {"batter": 1, "total": 2}}), "runs.total"),
        (json!({"runs": 1}), "runs"),
        (json!({"extras": {"wides": -1}}), "extras.wides"),
        (json!({"extras": {"bonus": 1}}), "extras"),
        (json!({"legal": "yes"}), "legal"),
        (json!({"boundary": 5}), "boundary"),
        (json!({"runs": {"batter": 2}, "boundary": 4}), "boundary"),
        (json!({"wicket": [{"kind": "bowled"}, {"kind": "run out", "player_out": "Brook"}]}), "wicket"),
        (json!({"wicket": {"kind": "run out", "player_out": ["Abel", "Brook"]}}), "wicket.player_out"),
        (json!({"wicket": {"kind": "timed out"}}), "wicket.kind"),
        (json!({"wicket": {"kind": "caught", "fielders": ["Bradman"]}}), "wicket.fielders"),
        (json!({"wicket": {"kind": "caught", "fielders": ["Crane"]}}), "wicket.fielders"),
        (json!({"wicket": {"kind": "caught", "fielders": "Nash"}}), "wicket.fielders"),
        (json!({"wicket": {"kind": "bowled", "bowler": "Bradman"}}), "wicket"),
        (json!({"wicket": {"kind": "run out", "player_out": "Crane"}}), "wicket"),
        (json!({"wicket": {"kind": "run out", "player_out": "Lyon"}}), "wicket"),
        (json!({"wicket": {"kind": "bowled", "player_out": "Brook"}}), "wicket"),
        (json!({"striker": "Brook"}), ""),
        (json!({"runs": {"batter": 4}}), ""),
        (json!({}), ""),
    ] {
        let at = if at.is_empty() {
            "body.as_stood.outcome".into()
        } else {
            format!("body.as_stood.outcome.{at}")
        };
        illegal(service, &played, &amend(1, agreed_outcome(outcome.clone()))).within(&at);
        let ball = with(
            with(agreed_outcome(outcome), "/dice", json!([2, 4])),
            "/choices",
            json!({"next_batter": "Crane"}),
        );
        if ball["as_stood"]["outcome"]["wicket"]["player_out"] != "Crane" {
            let bowled = with_balls(service, 5, &[]);
            let ball = with(ball, "/choices", json!({}));
            service.untouched_by(bowled.posting("/balls", &ball)).refused(422, "illegal-input").within(&at);
        }
    }
    illegal(service, &played, &amend(1, json!({"as_stood": {"outcome": [], "reason": "x"}})))
        .within("body.as_stood");
    let body = amend(1, json!({"as_stood": {"outcome": {}, "reason": "x", "by_rules": {}}}));
    illegal(service, &played, &body).within("body.as_stood");
    played.play_step();
    holds(service, &played);
});

on_both_stores!(in_a_seeded_match_nothing_is_agreed_on_before_the_ball_is_bowled, |service| {
    for request in seeded_games(1) {
        let played = after_balls(service, &request, 2);
        let ball = played.posting("/balls", &agreed_outcome(json!({"runs": {"batter": 1}})));
        service.untouched_by(ball).refused(422, "illegal-input").at("body.as_stood").says(&["amend"]);
        played.play_step();
    }
});

on_both_stores!(a_correction_says_one_thing_and_all_of_it, |service| {
    let played = in_play(service);
    let needs = |body: Value| refused(service, &played, &body, 422, "needs-input").at("body");
    needs(json!({"reason": WHY})).says(&["voids_from", "voids_from_seq", "amends"]);
    needs(json!({"voids_from": 3, "voids_from_seq": 3, "reason": WHY}));
    needs(json!({"voids_from": 3, "amends": 3, "reason": WHY}));
    needs(json!({"voids_from_seq": 3, "amends": 3, "reason": WHY}));
    needs(json!({"voids_from": 3, "voids_from_seq": 3, "amends": 3, "reason": WHY}));
    for (name, value) in [
        ("choices", json!({})),
        ("over", json!({"bowler": "Nash"})),
        ("dice", json!([2, 3])),
        ("as_stood", agreed_outcome(json!({}))["as_stood"].clone()),
        ("cascade", json!("void_rest")),
    ] {
        let name = format!("/{name}");
        needs(with(undo(3), &name, value.clone())).says(&["amends"]);
        needs(with(undo_seq(3), &name, value));
    }
    for (name, value) in [
        ("voids_from", json!(-1)),
        ("voids_from", json!("3")),
        ("voids_from", json!(1.5)),
        ("voids_from", json!(4_294_967_296_u64)),
        ("voids_from_seq", json!([3])),
        ("amends", json!({})),
    ] {
        let mut body = json!({"reason": WHY});
        body[name] = value;
        illegal(service, &played, &body).at(&format!("body.{name}"));
    }
    illegal(service, &played, &amend(1, json!({"cascade": "void_all"}))).at("body.cascade");
    illegal(service, &played, &amend(1, json!({"choices": []}))).at("body.choices");
    illegal(service, &played, &with(undo(3), "/undo", json!(true))).says(&["undo"]);
    played.play_step();
});

on_both_stores!(choices_that_are_put_right_are_held_against_the_rules, |service| {
    let played = in_play(service);
    let next = |delivery, name: &str| amend(delivery, json!({"choices": {"next_batter": name}}));
    illegal(service, &played, &next(1, "Crane")).at("body.choices.next_batter").by("howzat.ball.next_batter");
    for name in ["Abel", "Brook", "Lyon", "Bradman"] {
        illegal(service, &played, &next(3, name))
            .at("body.choices.next_batter")
            .by("howzat.ball.next_batter");
    }
    let over = |bowler: &str| amend(1, json!({"over": {"bowler": bowler}}));
    illegal(service, &played, &over("Rhodes")).at("body.over.bowler").by("howzat.over.keeper");
    illegal(service, &played, &over("Abel")).at("body.over.bowler").by("howzat.over.player");
    illegal(service, &played, &amend(1, json!({"over": {"umpire": "Bird"}}))).within("body.over");
    illegal(service, &played, &amend(2, json!({"over": {"bowler": "Nash"}}))).at("body.over");
    let cubes = with_cubes(service, 2, &[[3, 4], [5, 6]]);
    let refusal =
        illegal(service, &cubes, &amend(1, json!({"choices": {"bowler_number": 10, "batter_number": 1}})));
    refusal.at("body.choices.bowler_number");
    let refusal = needs_input(service, &cubes, &amend(1, json!({"choices": {"bowler_number": 1}})));
    refusal.at("body.choices.batter_number");
    played.play_step();
    holds(service, &cubes);
});

on_both_stores!(at_one_table_the_scorer_corrects_and_nobody_else, |service| {
    let sides = Sides::in_play_at_the_table(service.client(), &seeded(2));
    let played = &sides.scorer;
    (0..3).for_each(|_| drop(played.ball()));
    let decided =
        kinds(&played.events()).iter().position(|kind| *kind == "toss_decided").expect("the toss is decided")
            + 1;
    let issued = played.post("/tokens/umpire/rotate", &json!({})).expect(201);
    let umpire = Match { token: issued["token"].as_str().expect("a token").to_owned(), ..played.clone() };
    for body in [undo(3), undo_seq(decided), amend(1, agreed_outcome(json!({"runs": {"batter": 5}})))] {
        for with in [&sides.home.seat, &sides.away.seat, &umpire] {
            for path in ["/corrections", "/corrections?dry_run=true"] {
                service.untouched_by(with.posting(path, &body)).refused(403, "token-refused");
            }
        }
        let nobody = played.client.request("POST", &played.path("/corrections")).json(&body);
        service.untouched_by(nobody).refused(401, "token-missing");
        let stranger = Match { token: "tu_stranger".to_owned(), ..played.clone() };
        service.untouched_by(stranger.posting("/corrections", &body)).refused(403, "token-refused");
    }
    for with in [&sides.home.seat, played] {
        let answer = service.untouched_by(with.posting("/corrections/1/consent", &json!({})));
        assert!([403, 404].contains(&answer.status), "{}", answer.text());
    }
    correct(played, &undo(3));
    holds(service, played);
});

on_both_stores!(the_query_of_a_correction_takes_dry_run_true_or_false, |service| {
    let played = in_play(service);
    for query in ["dry_run=maybe", "dry_run=1", "dry_run=", "dry-run=true", "dry_run=true&dry_run=true"] {
        let answer = service.untouched_by(played.posting(&format!("/corrections?{query}"), &undo(3)));
        answer.refused(400, "invalid-parameter");
    }
    let maybe = service.untouched_by(played.posting("/corrections?dry_run=maybe", &undo(3)));
    maybe.refused(400, "invalid-parameter").at("query.dry_run").says(&["true or false"]);
    let head = played.head();
    dry_run(&played, &undo(3)).expect(200);
    assert_eq!(played.head(), head);
    played.post("/corrections?dry_run=false", &undo(3)).expect(201);
});

on_own_stores!(a_correction_of_an_unknown_delivery_is_refused, |deployment| {
    let played = in_play(deployment);
    let nowhere = Match { id: "01a20082-5925-720e-a587-ebd95c5e0b8f".to_owned(), ..played.clone() };
    deployment.untouched_by(nowhere.posting("/corrections", &undo(1))).refused(404, "no-such-match");
    let fresh = deployment.create(&table(1));
    illegal(deployment, &fresh, &undo(1)).at("body.voids_from");
    illegal(deployment, &fresh, &undo_seq(1)).at("body.voids_from_seq");
    illegal(deployment, &fresh, &amend(1, json!({}))).at("body.amends");
    let old = played.events()[1]["hash"].as_str().expect("a hash").to_owned();
    for path in ["/corrections", "/corrections?dry_run=true"] {
        deployment.untouched_by(played.posting(path, &undo(1)).if_match(&old)).refused(412, "stale-head");
    }
    fresh.play_step();
});

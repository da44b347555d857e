//! A wrong toss, a wrong choice after it and a wrong set-up: the step is decided anew, and all balls follow
//! with their dice, bowled and faced by the sides that are right.

use serde_json::{Value, json};
use third_umpire_test_support::service::{remote, seeded_by_service};

use super::*;
use third_umpire_test_support::on_both_stores;

/// A single, a four, a wicket, a wide, a dot, a two and a single; and a six, with which the second over
/// begins.
const EIGHT: [&[i64]; 8] = [&[2, 1], &[2, 4], &[2, 5], &[1, 2], &[2, 3], &[2, 2], &[2, 1], &[2, 6]];

fn anew(members: Value) -> Value {
    let mut body = json!({"reason": "the other side had won it"});
    body.as_object_mut().expect("an object").extend(members.as_object().expect("an object").clone());
    body
}

fn winner(side: &str) -> Value {
    anew(json!({"anew": "toss", "winner": side}))
}

fn decision(to: &str) -> Value {
    anew(json!({"anew": "toss_decided", "to": to}))
}

/// A match at a table with this toss, and with these balls bowled.
fn tossed(service: &Service, request: &Value, toss: &Value, balls: &[&[i64]]) -> Match {
    let played = service.create(request);
    played.post("/toss", toss).expect(201);
    balls.iter().for_each(|dice| drop(played.bowl(dice)));
    played
}

fn away_has_won(to: &str) -> Value {
    json!({"winner": "away", "to": to})
}

fn changed(played: &Match) -> Value {
    played.get("/changed-choices").expect(200)["changed_choices"].clone()
}

fn last_correction(played: &Match) -> usize {
    let is_one = |event: &Value| event["kind"] == "correction" || event["kind"] == "restoration";
    played.events().iter().rposition(is_one).expect("one") + 1
}

on_both_stores!(the_side_that_won_the_toss_bats_and_every_ball_keeps_its_dice, |service| {
    let played = with_balls(service, 3, &EIGHT);
    let supposed = dry_run(&played, &winner("away")).expect(200);
    assert_eq!(supposed.get("notes"), None);
    let made = correct(&played, &winner("away"));
    assert_eq!((&made["score"], &made["difference"]), (&supposed["after"], &supposed["difference"]));
    let [correction, toss, decided, ..] = appended(&made) else { panic!("{made}") };
    assert_eq!((&correction["v"], &correction["data"]["voids_from_seq"]), (&json!(2), &json!(2)));
    assert_eq!(
        (&correction["data"]["anew"], &correction["data"]["cascade"]),
        (&json!("toss"), &json!("refit"))
    );
    assert_eq!(toss["data"], json!({"winner": "away"}));
    assert_eq!(decided["data"], json!({"by": "away", "to": "bat"}));
    let entry = &made["correction"];
    assert_eq!((&entry["anew"], &entry["status"]), (&json!("toss"), &json!("made")));
    let told = "The toss: Mill Lane won it, not Harbour Road. Mill Lane bat first, not Harbour Road.";
    assert_eq!(entry["difference"], told);
    is_like(service, &played, &tossed(service, &table(3), &away_has_won("bat"), &EIGHT));
    assert_eq!(changed(&played), json!([]));
    played.bowl(&[2, 4]);
    holds(service, &played);
});

on_both_stores!(every_ball_stays_where_the_same_side_bats, |service| {
    let played = with_balls(service, 3, &EIGHT);
    played.post("/overs", &json!({})).refused(409, "out-of-turn");
    let before = (balls(&played), of_kind(live_events(&played), "over"));
    // Away won the toss and had home bat.
    let made = correct(&played, &anew(json!({"anew": "toss", "winner": "away", "to": "bowl"})));
    assert_eq!(made["correction"]["difference"], "The toss: Mill Lane won it, not Harbour Road.");
    let [change] = made["difference"].as_array().expect("a list").as_slice() else { panic!("{made}") };
    assert_eq!(change["field"], "changed_choices", "away chose to bowl, and home had chosen to bat");
    assert_eq!((balls(&played), of_kind(live_events(&played), "over")), before);
    is_like(service, &played, &tossed(service, &table(3), &away_has_won("bowl"), &EIGHT));
    // The call was another, and the winner is the same: the choice is as it was recorded.
    let made =
        correct(&played, &anew(json!({"anew": "toss", "caller": "away", "call": "tails", "coin": "tails"})));
    assert_eq!(made["correction"]["difference"], "The toss is another, with the same winner.");
    assert_eq!(appended(&made)[2]["data"], json!({"by": "away", "to": "bowl"}));
    assert_eq!((balls(&played), of_kind(live_events(&played), "over")), before);
    holds(service, &played);
});

on_both_stores!(names_of_the_side_that_does_not_bat_are_told_and_its_defaults_taken, |service| {
    let played = service.create(&table(3));
    played.begin();
    played.post("/overs", &json!({"bowler": "Nash", "openers": ["Crane", "Dunn"]})).expect(201);
    EIGHT[..3].iter().for_each(|dice| drop(played.bowl(dice)));
    played.post("/balls", &json!({"dice": [2, 1], "choices": {"next_batter": "Knott"}})).expect(201);
    let supposed = dry_run(&played, &decision("bowl")).expect(200);
    let gone: Vec<&Value> =
        supposed["notes"].as_array().expect("notes").iter().map(|note| &note["choice"]).collect();
    assert_eq!(gone, ["bowler", "openers", "next_batter"]);
    let made = correct(&played, &decision("bowl"));
    assert_eq!(appended(&made)[0]["data"]["voids_from_seq"], 3);
    assert_eq!(made["correction"]["difference"], "Mill Lane bat first, not Harbour Road.");
    is_like(
        service,
        &played,
        &tossed(service, &table(3), &away_has_won("bat"), &[&EIGHT[..3], &[&[2, 1][..]]].concat()),
    );
    // The choice of the winner was seen to be another, and nothing else.
    let changes = changed(&played);
    assert_eq!(changes.as_array().map(Vec::len), Some(1), "{changes}");
    assert_eq!((&changes[0]["choice"], &changes[0]["after"]), (&json!("to"), &json!("bowl")));
});

on_both_stores!(a_toss_is_decided_anew_before_its_decision_and_before_the_first_ball, |service| {
    let played = service.create(&table(2));
    let none = service.untouched_by(played.posting("/corrections", &winner("away")));
    none.refused(422, "illegal-input").at("body.anew").says(&["the toss has not been made yet"]);
    played.post("/toss", &json!({"winner": "home"})).expect(201);
    let none = service.untouched_by(played.posting("/corrections", &decision("bowl")));
    none.refused(422, "illegal-input").at("body.anew").says(&["has not been made yet"]);
    let early = service.untouched_by(
        played.posting("/corrections", &anew(json!({"anew": "toss", "winner": "away", "to": "bat"}))),
    );
    early.refused(422, "illegal-input").at("body.to").says(&["has not chosen yet"]);
    let made = correct(&played, &winner("away"));
    assert_eq!(kinds(appended(&made)), ["correction", "toss"]);
    assert_eq!(made["correction"]["difference"], "The toss: Mill Lane won it, not Harbour Road.");
    played.post("/toss/decision", &json!({"to": "bat"})).expect(201);
    holds(service, &played);
    let made = correct(&played, &decision("bowl"));
    assert_eq!(kinds(appended(&made)), ["correction", "toss_decided"]);
    EIGHT.iter().for_each(|dice| drop(played.bowl(dice)));
    is_like(service, &played, &tossed(service, &table(2), &away_has_won("bowl"), &EIGHT));
});

on_both_stores!(a_match_that_is_over_is_put_right_and_stays_over, |service| {
    // Seven runs, and then six.
    let balls: Vec<&[i64]> = [[&[2, 1][..]; 5].to_vec(), vec![&[2, 2]], [&[2, 1][..]; 6].to_vec()].concat();
    let played = with_balls(service, 1, &balls);
    assert_eq!(played.view()["result"]["winner"], "home");
    correct(&played, &decision("bowl"));
    assert_eq!(
        (&played.view()["status"], &played.view()["result"]["winner"]),
        (&json!("completed"), &json!("away"))
    );
    is_like(service, &played, &tossed(service, &table(1), &away_has_won("bat"), &balls));
    // It is taken back, and brought again.
    for winner in ["home", "away"] {
        correct(&played, &json!({"restores": last_correction(&played), "reason": "after all"}));
        assert_eq!(played.view()["result"]["winner"], winner);
        holds(service, &played);
    }
    correct(&played, &undo(12));
    assert_eq!(played.view()["status"], "in_play");
    played.bowl(&[2, 6]);
    assert_eq!(played.view()["result"]["winner"], "home");
    holds(service, &played);
});

on_both_stores!(the_coin_of_a_seed_stays_and_so_do_its_dice, |service| {
    let call = |call: &str| json!({"caller": "home", "call": call});
    let played = service.create(&seeded(2));
    played.post("/toss", &call("heads")).expect(201);
    played.post("/toss/decision", &json!({"to": "bat"})).expect(201);
    (0..8).for_each(|_| drop(played.ball()));
    let toss = anew(json!({"anew": "toss", "caller": "home", "call": "tails"}));
    let refused =
        service.untouched_by(played.posting("/corrections", &with(toss.clone(), "/coin", json!("heads"))));
    refused.refused(422, "illegal-input").at("body.coin").says(&["comes from its seed"]);
    let refused = service.untouched_by(played.posting("/corrections", &winner("away")));
    refused.refused(422, "illegal-input").at("body.winner").says(&["comes from its seed"]);
    let made = correct(&played, &toss);
    let right = service.create(&seeded(2));
    right.post("/toss", &call("tails")).expect(201);
    right.post("/toss/decision", &json!({"to": "bat"})).expect(201);
    (0..8).for_each(|_| drop(right.ball()));
    assert_eq!(appended(&made)[1]["data"], right.events()[1]["data"], "the coin is the same");
    is_like(service, &played, &right);
    let changes = changed(&played);
    assert_eq!(changes.as_array().map(Vec::len), Some(1), "{changes}");
    assert_eq!(changes[0]["choice"], "call");
});

on_both_stores!(a_seeded_match_that_is_over_keeps_its_end, |service| {
    for request in seeded_games(1) {
        let played = service.create(&request);
        played.begin();
        played.post("/autoplay", &json!({"until": "match"})).expect(201);
        let was = of_kind(played.events(), "toss_decided")[0]["to"].clone();
        let other = if was == "bat" { "bowl" } else { "bat" };
        correct(&played, &decision(other));
        assert_eq!(played.view()["status"], "completed");
        holds(service, &played);
        correct(&played, &json!({"restores": last_correction(&played), "reason": "after all"}));
        holds(service, &played);
    }
    // An abandoned match has open seeds as well, and is abandoned again.
    let played = service.create(&seeded_by_service(2));
    played.begin();
    played.ball();
    played.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    let was = of_kind(played.events(), "toss_decided")[0]["to"].clone();
    correct(&played, &decision(if was == "bat" { "bowl" } else { "bat" }));
    assert_eq!(played.view()["status"], "abandoned");
    holds(service, &played);
});

on_both_stores!(cubes_keep_their_numbers_for_the_other_side, |service| {
    let shown = [[3, 5], [9, 0], [4, 4], [1, 6], [2, 2], [0, 9], [5, 1]];
    let played = with_cubes(service, 2, &shown);
    correct(&played, &decision("bowl"));
    let right = service.create(&with(cubes(2), "/dice", json!("table")));
    right.post("/toss", &away_has_won("bat")).expect(201);
    shown.iter().for_each(|numbers| drop(show(&right, *numbers)));
    is_like(service, &played, &right);
});

on_both_stores!(answers_that_no_ball_asks_for_are_refused, |service| {
    let played = with_balls(service, 1, &[&EIGHT[..7], &[&[2, 1][..], &[2, 1]]].concat());
    let later = with(decision("bowl"), "/later", json!([{"delivery": 3, "dice": [4]}]));
    let refused = service.untouched_by(played.posting("/corrections", &later));
    refused.refused(422, "illegal-input").at("body.later[0].dice[0]").says(&["asks for 0 dice"]);
    let missing = with(decision("bowl"), "/missing", json!([{"innings": 1, "dice": [2, 1]}]));
    let refused = service.untouched_by(played.posting("/corrections", &missing));
    refused.refused(422, "illegal-input").at("body.missing[0]").says(&["misses no ball"]);
});

on_both_stores!(a_step_that_cannot_be_decided_anew_is_refused_by_name, |service| {
    let played = with_balls(service, 2, &EIGHT[..2]);
    for (body, problem, at, says) in [
        (anew(json!({"anew": "ball"})), "illegal-input", "body.anew", ""),
        (anew(json!({"anew": "set_up"})), "illegal-input", "body.anew", "the set-up has not been made yet"),
        (anew(json!({"anew": "toss"})), "needs-input", "body.caller", "caller is missing"),
        (anew(json!({"anew": "toss", "caller": "home"})), "needs-input", "body.call", "call is missing"),
        (
            anew(json!({"anew": "toss", "caller": "home", "call": "tails"})),
            "needs-input",
            "body.coin",
            "heads or tails",
        ),
        (with(winner("away"), "/call", json!("heads")), "illegal-input", "body.winner", "send either winner"),
        (anew(json!({"anew": "toss_decided"})), "needs-input", "body.to", "to is missing"),
        (decision("bat"), "illegal-input", "body.anew", "changes nothing"),
        (
            anew(json!({"anew": "toss", "caller": "home", "call": "heads", "coin": "heads"})),
            "illegal-input",
            "body.anew",
            "changes nothing",
        ),
        (
            with(decision("bowl"), "/winner", json!("away")),
            "illegal-input",
            "body",
            "go with \"anew\": \"toss\"",
        ),
        (with(dice(2, &[2, 1]), "/to", json!("bat")), "illegal-input", "body", "to goes with"),
        (with(decision("bowl"), "/amends", json!(2)), "needs-input", "body", "send one of"),
        (with(decision("bowl"), "/voids_from_seq", json!(2)), "needs-input", "body", "send one of"),
        (with(decision("bowl"), "/dice", json!([1])), "needs-input", "body", "go with amends"),
        (with(decision("bowl"), "/choices", json!({})), "needs-input", "body", "go with amends"),
        (with(decision("bowl"), "/cascade", json!("refuse")), "illegal-input", "body.cascade", "refit"),
    ] {
        for path in ["/corrections", "/corrections?dry_run=true"] {
            let refusal = service.untouched_by(played.posting(path, &body));
            refusal.refused(422, problem).at(at).says(&[says]);
        }
    }
    correct(&played, &with(decision("bowl"), "/cascade", json!("refit")));
    holds(service, &played);
    let remote = service.create(&remote(2));
    let refusal = service.untouched_by(remote.posting("/corrections", &winner("away")));
    refusal.refused(422, "illegal-input").at("body.anew").says(&["in remote play"]);
});

on_both_stores!(a_wrong_set_up_is_put_right_before_and_after_the_toss, |service| {
    let side = |name: &str| json!({"name": name, "players": {"team": name}});
    let played = service.create(&json!({
        "game": "cricket-the-game", "rules": {"format": "t10"}, "dice": "table",
        "home": side("Harbour Terns"), "away": side("Copperfield Larks"),
    }));
    played.post("/set-up", &json!({"pitch": "spin"})).expect(201);
    let set_up = |choices: Value| anew(json!({"anew": "set_up", "choices": choices}));
    let refusal = service.untouched_by(played.posting("/corrections", &set_up(json!({}))));
    refusal.refused(422, "needs-input").at("body.choices.pitch");
    let made = correct(&played, &set_up(json!({"pitch": "pace"})));
    assert_eq!(kinds(appended(&made)), ["correction", "set_up"]);
    played.begin();
    let made = correct(&played, &set_up(json!({"pitch": "spin"})));
    assert_eq!(kinds(appended(&made)), ["correction", "set_up", "toss", "toss_decided"]);
    assert_eq!(made["correction"]["difference"], "The set-up is another.");
    holds(service, &played);
});

on_both_stores!(a_review_stays_with_the_side_that_bats_or_bowls, |service| {
    let request = with(table(1), "/rules/drs", json!("house"));
    let played = |toss: Value, sides: [&str; 2], last: bool| {
        let played = tossed(service, &request, &toss, &[&[4, 5]]);
        played.post("/reviews", &json!({"by": sides[0], "dice": [5]})).expect(201);
        (0..6).for_each(|_| drop(played.bowl(&[2, 1])));
        played.bowl(&[4, 5]);
        if last {
            played.post("/reviews", &json!({"by": sides[1], "dice": [1]})).expect(201);
            played.bowl(&[2, 1]);
        }
        played
    };
    for last in [true, false] {
        let wrong = played(json!({"winner": "home", "to": "bat"}), ["home", "away"], last);
        correct(&wrong, &anew(json!({"anew": "toss", "winner": "away", "to": "bat"})));
        let right = played(away_has_won("bat"), ["away", "home"], last);
        is_like(service, &wrong, &right);
        let reviews = |of: &Match| of.get("/reviews").expect(200)["reviews"].as_array().map(Vec::len);
        assert_eq!(reviews(&wrong), reviews(&right));
        wrong.audits_clean();
    }
});

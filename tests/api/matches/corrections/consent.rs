//! Corrections in remote play: one is proposed, and made when both sides have consented.

use serde_json::{Value, json};

use super::*;
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Answer, Captain, Request, Service, Sides, last_event, remote};

/// A remote match with one over, and some balls of the next.
fn in_play(service: &Service, balls: usize) -> Sides {
    let sides = Sides::in_play(service.client(), &remote(2));
    sides.choose_as_dealt();
    (0..balls).for_each(|_| drop(sides.home.post("/balls", &json!({})).expect(201)));
    sides
}

fn consenting(captain: &Captain, number: u32) -> Request {
    captain.posting(&format!("/corrections/{number}/consent"), &json!({}))
}

#[track_caller]
fn consents(captain: &Captain, number: u32) -> Value {
    consenting(captain, number).send().expect(201)
}

#[track_caller]
fn proposes(with: &Match, body: &Value) -> Value {
    let proposed = with.post("/corrections", body).expect(201);
    assert_eq!(kinds(appended(&proposed)), ["correction_proposed"], "nothing is made yet");
    assert_eq!(
        (&proposed["correction"]["status"], &proposed["difference"]),
        (&json!("proposed"), &json!([]))
    );
    proposed
}

#[track_caller]
fn already_settled(answer: &Answer) {
    answer.refused(409, "already-settled");
}

/// Plays a match to its end, and asserts that its log is valid with its seeds.
#[track_caller]
fn to_the_end(service: &Service, sides: &Sides) {
    sides.bowl_over();
    while sides.scorer.view()["status"] != "completed" {
        sides.choose_as_dealt();
        sides.bowl_over();
    }
    sides.audits_clean();
    holds(service, &sides.scorer);
}

on_both_stores!(a_side_proposes_and_the_other_consents, |service| {
    let sides = in_play(service, 3);
    let Sides { scorer, home, away } = &sides;
    let (before, bowled) = (book(scorer), balls(scorer));
    let proposed = proposes(&home.seat, &undo(3));
    let data = &last_event(&proposed)["data"];
    assert_eq!((&data["number"], &data["by"], &data["voids_from"]), (&json!(1), &json!("home"), &json!(3)));
    assert_eq!(last_event(&proposed)["actor"], "home");
    assert_eq!(book(scorer), before, "the correction has no effect yet");
    assert_eq!(scorer.view()["proposed"]["number"], 1);
    assert_eq!(scorer.view()["proposed"]["consents"], json!(["home"]));
    already_settled(&service.untouched_by(consenting(home, 1)));
    let made = consents(away, 1);
    assert_eq!(kinds(appended(&made)), ["correction_consented", "correction"]);
    assert_eq!((&made["correction"]["status"], &made["correction"]["number"]), (&json!("made"), &json!(1)));
    assert_eq!(balls(scorer), bowled[..2]);
    assert!(scorer.view().get("proposed").is_none_or(Value::is_null));
    already_settled(&service.untouched_by(consenting(home, 1)));
    already_settled(&service.untouched_by(consenting(away, 1)));
    scorer.post("/balls", &json!({})).expect(201);
    assert_eq!(balls(scorer), bowled, "bowled again it is the same");
    to_the_end(service, &sides);
});

on_both_stores!(a_correction_that_the_scorer_proposes_takes_both_sides, |service| {
    let sides = in_play(service, 3);
    let Sides { scorer, home, away } = &sides;
    let proposed = proposes(scorer, &undo(2));
    assert!(last_event(&proposed)["data"].get("by").is_none());
    service.untouched_by(scorer.posting("/corrections/1/consent", &json!({}))).refused(403, "token-refused");
    let first = consents(away, 1);
    assert_eq!(kinds(appended(&first)), ["correction_consented"]);
    assert_eq!((balls(scorer).len(), &first["correction"]["consents"]), (3, &json!(["away"])));
    already_settled(&service.untouched_by(consenting(away, 1)));
    let second = consents(home, 1);
    assert_eq!(kinds(appended(&second)), ["correction_consented", "correction"]);
    assert_eq!(balls(scorer).len(), 1);
    to_the_end(service, &sides);
});

on_both_stores!(consent_is_to_a_correction_there_is, |service| {
    let sides = in_play(service, 3);
    for number in [0, 1, 2, 7] {
        let answer = service.untouched_by(consenting(&sides.home, number));
        answer.refused(404, "no-such-correction").at("path.n");
    }
    proposes(&sides.home.seat, &undo(3));
    service.untouched_by(consenting(&sides.away, 2)).refused(404, "no-such-correction").at("path.n");
    for number in ["x", "-1", "1.0", "99999999999999999999"] {
        let path = format!("/corrections/{number}/consent");
        let answer = service.untouched_by(sides.away.posting(&path, &json!({})));
        assert!([400, 404].contains(&answer.status), "{number}: {}", answer.text());
    }
    let nobody = sides.scorer.client.request("POST", &sides.scorer.path("/corrections/1/consent"));
    service.untouched_by(nobody.json(&json!({}))).refused(401, "token-missing");
    consents(&sides.away, 1);
});

on_both_stores!(a_proposal_lapses_when_play_goes_on, |service| {
    let sides = in_play(service, 2);
    proposes(&sides.home.seat, &undo(2));
    sides.away.post("/balls", &json!({})).expect(201);
    let lapsed = service.untouched_by(consenting(&sides.away, 1)).refused(409, "already-settled");
    lapsed.says(&["play has gone on"]);
    let listed = sides.scorer.get("/corrections").expect(200)["corrections"].clone();
    assert_eq!((&listed[0]["status"], listed[0].get("voided")), (&json!("lapsed"), None));
    let proposed = proposes(&sides.away.seat, &undo(3));
    assert_eq!(last_event(&proposed)["data"]["number"], 2, "numbers go on");
    consents(&sides.home, 2);
    assert_eq!(balls(&sides.scorer).len(), 2);
    to_the_end(service, &sides);
});

on_both_stores!(a_new_proposal_takes_the_place_of_the_last, |service| {
    let sides = in_play(service, 3);
    proposes(&sides.home.seat, &undo(3));
    proposes(&sides.away.seat, &undo(2));
    already_settled(&service.untouched_by(consenting(&sides.away, 1)));
    already_settled(&service.untouched_by(consenting(&sides.home, 1)));
    consents(&sides.home, 2);
    assert_eq!(balls(&sides.scorer).len(), 1);
    to_the_end(service, &sides);
});

on_both_stores!(an_over_that_is_taken_back_lets_both_choose_again, |service| {
    let sides = in_play(service, 1);
    let [home, away] = [&sides.home, &sides.away];
    let (hands, before) = ([home.own()["hand"].clone(), away.own()["hand"].clone()], sides.scorer.events());
    proposes(&home.seat, &undo(1));
    let made = consents(away, 1);
    let data = &appended(&made)[1]["data"];
    let first = before.iter().position(|event| event["kind"] == "choice").expect("the sides have chosen") + 1;
    assert_eq!((&data["voids_from_seq"], &data["dice_seen"]), (&json!(first), &json!(true)));
    assert_eq!(sides.scorer.view()["next"]["what"], "order");
    for captain in sides.captains() {
        assert_eq!(captain.hand().len(), 6, "the cubes are in their hands again: {hands:?}");
        let mut order = captain.hand();
        order.swap(0, 5);
        captain.chooses(&order);
    }
    sides.scorer.post("/balls", &json!({})).expect(201);
    let changed = sides.scorer.get("/corrections").expect(200)["changed_choices"].clone();
    assert_eq!((&changed[0]["choice"], &changed[0]["over"]), (&json!("orders"), &json!(1)), "{changed}");
    to_the_end(service, &sides);
});

on_both_stores!(sides_agree_on_what_stood, |service| {
    let sides = in_play(service, 3);
    let body = amend(2, agreed_outcome(json!({"runs": {"batter": 5}, "wicket": null})));
    let (score, rows) = (sides.scorer.view()["score"].clone(), service.rows_of(&sides.scorer));
    let supposed = sides.away.post("/corrections?dry_run=true", &body).expect(200);
    assert_eq!((&supposed["before"], service.rows_of(&sides.scorer)), (&score, rows));
    proposes(&sides.away.seat, &body);
    let proposed = &sides.scorer.view()["proposed"]["amendment"];
    assert_eq!(proposed["as_stood"]["outcome"]["runs"]["batter"], 5);
    let made = consents(&sides.home, 1);
    assert_eq!(kinds(&appended(&made)[..3]), ["correction_consented", "correction", "ball"]);
    assert_eq!((&made["difference"], &made["score"]), (&supposed["difference"], &supposed["after"]));
    let exceptions = sides.scorer.get("/scorecard").expect(200)["exceptions"].clone();
    assert_eq!((&exceptions[0]["delivery"], exceptions.as_array().map(Vec::len)), (&json!(2), Some(1)));
    to_the_end(service, &sides);
    let report = sides.scorer.get("/audit").expect(200);
    assert_eq!(report["exceptions"][0]["delivery"], 2);
});

on_both_stores!(an_amendment_cannot_change_sealed_choices, |service| {
    let sides = in_play(service, 3);
    let body = amend(1, json!({"over": {"bowler": "Nash"}}));
    for with in [&sides.scorer, &sides.home.seat] {
        let refusal = service.untouched_by(with.posting("/corrections", &body)).refused(422, "illegal-input");
        refusal.at("body.over").says(&["sealed"]);
    }
    sides.bowl_over();
    holds(service, &sides.scorer);
});

on_both_stores!(once_the_seeds_are_open_only_an_amendment_that_leaves_it_over_is_agreed_on, |service| {
    let sides = in_play(service, 0);
    to_the_end(service, &sides);
    for with in [&sides.scorer, &sides.home.seat] {
        service.untouched_by(with.posting("/corrections", &undo(1))).refused(409, "seed-open");
    }
    proposes(&sides.home.seat, &amend(1, agreed_outcome(json!({"runs": {"batter": 5}, "wicket": null}))));
    let made = consents(&sides.away, 1);
    assert_eq!(last_event(&made)["kind"], "match_completed");
    sides.audits_clean();
    holds(service, &sides.scorer);
});

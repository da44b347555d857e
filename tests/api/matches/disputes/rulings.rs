//! `POST /v1/matches/{id}/disputes/{n}/ruling`

use serde_json::json;

use super::{
    agree, amend, ball_of, dispute, five_balls, rule, ruling, ruling_on, seeded_balls, umpire, undo,
};
use third_umpire_test_support::service::{Match, Service, Sides, cubes, last_event};
use third_umpire_test_support::{on_both_stores, on_own_stores};

/// Asserts that a finding which does not fit the log is refused and not stored, and that one which fits is
/// taken.
#[track_caller]
fn fits_only(service: &Service, played: &Match, number: u32, fitting: &str) {
    for finding in ["stands", "amended", "as_stood"].into_iter().filter(|finding| *finding != fitting) {
        let refused = service.untouched_by(ruling_on(played, number, finding));
        refused.refused(422, "illegal-input").at("body.finding").says(&[finding]);
    }
    let ruled = rule(played, number, fitting);
    let due = json!({"number": number, "ruling": "we have looked at it", "finding": fitting});
    assert_eq!(last_event(&ruled)["data"], due);
    let read = played.get(&format!("/disputes/{number}")).expect(200);
    assert_eq!(read["ruled"]["finding"], fitting);
}

on_both_stores!(a_ball_that_nobody_corrected_takes_only_the_finding_stands, |service| {
    let played = five_balls(service);
    dispute(&played, 3);
    fits_only(service, &played, 1, "stands");
});

on_both_stores!(an_amended_ball_takes_only_the_finding_amended, |service| {
    let played = five_balls(service);
    dispute(&played, 3);
    amend(&played, 3, &[2, 1]);
    fits_only(service, &played, 1, "amended");
});

on_both_stores!(a_voided_ball_takes_only_the_finding_amended, |service| {
    let played = five_balls(service);
    dispute(&played, 4);
    dispute(&played, 5);
    undo(&played, 4);
    fits_only(service, &played, 1, "amended");
    played.bowl(&[2, 2]);
    played.bowl(&[2, 2]);
    fits_only(service, &played, 2, "amended");
});

on_both_stores!(an_agreed_ball_takes_only_the_finding_as_stood, |service| {
    let played = five_balls(service);
    dispute(&played, 3);
    agree(&played, 3);
    fits_only(service, &played, 1, "as_stood");
});

on_both_stores!(a_ball_agreed_before_its_dispute_takes_only_the_finding_as_stood, |service| {
    let played = five_balls(service);
    agree(&played, 3);
    dispute(&played, 3);
    service.untouched_by(ruling_on(&played, 1, "amended")).refused(422, "illegal-input").at("body.finding");
    rule(&played, 1, "as_stood");
});

on_both_stores!(an_amended_agreement_takes_only_the_finding_amended, |service| {
    let played = five_balls(service);
    dispute(&played, 3);
    agree(&played, 3);
    amend(&played, 3, &[2, 1]);
    fits_only(service, &played, 1, "amended");
});

on_both_stores!(only_what_was_corrected_since_the_dispute_is_found_amended, |service| {
    let played = five_balls(service);
    amend(&played, 3, &[2, 1]);
    dispute(&played, 3);
    // The correction does not concern a ball before it.
    dispute(&played, 1);
    amend(&played, 4, &[2, 2]);
    fits_only(service, &played, 1, "stands");
    fits_only(service, &played, 2, "stands");
});

on_both_stores!(a_seeded_ball_is_found_as_stood_too, |service| {
    let played = seeded_balls(service, 3);
    dispute(&played, 2);
    agree(&played, 2);
    assert_eq!(ball_of(&played, 2)["data"]["outcome"]["runs"]["batter"], 5);
    fits_only(service, &played, 1, "as_stood");
});

on_both_stores!(a_dispute_is_ruled_on_once, |service| {
    let played = five_balls(service);
    dispute(&played, 3);
    rule(&played, 1, "stands");
    for (finding, by) in [("stands", &played), ("amended", &played), ("stands", &umpire(&played))] {
        let refused = service.untouched_by(ruling_on(by, 1, finding));
        refused.refused(409, "already-settled").says(&["dispute 1"]);
    }
    amend(&played, 3, &[2, 1]);
    service.untouched_by(ruling_on(&played, 1, "amended")).refused(409, "already-settled");
    dispute(&played, 3);
    rule(&played, 2, "stands");
});

on_own_stores!(one_of_two_simultaneous_rulings_is_refused_as_settled, |deployment| {
    let played = five_balls(deployment);
    dispute(&played, 3);
    let service = deployment.serve();
    let judges = [umpire(&played), played.through(service.client())];
    let threads: Vec<_> = (0..8)
        .map(|at| judges[at % 2].clone())
        .map(|judge| std::thread::spawn(move || ruling_on(&judge, 1, "stands").send()))
        .collect();
    let answers: Vec<_> =
        threads.into_iter().map(|one| one.join().expect("the request is answered")).collect();
    let (ruled, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 201);
    assert_eq!(ruled.len(), 1, "{answers:?}");
    for answer in refused {
        answer.refused(409, "already-settled");
    }
    let rulings = played.events().iter().filter(|event| event["kind"] == "dispute_ruled").count();
    assert_eq!(rulings, 1);
});

on_both_stores!(a_dispute_nobody_raised_is_not_there, |service| {
    let played = five_balls(service);
    dispute(&played, 3);
    for number in [0, 2, 4_294_967_295] {
        let refused = service.untouched_by(ruling_on(&played, number, "stands"));
        refused.refused(404, "no-such-dispute").at("path.n").says(&[&number.to_string()]);
        played.get(&format!("/disputes/{number}")).refused(404, "no-such-dispute").at("path.n");
    }
});

on_both_stores!(a_dispute_is_named_by_a_number, |service| {
    let played = five_balls(service);
    dispute(&played, 3);
    for number in ["abc", "99999999999", "-1", "1.0", "1e0", "%20", "one", "0x1"] {
        let path = format!("/disputes/{number}");
        let refused = service.untouched_by(played.posting(&format!("{path}/ruling"), &ruling("stands")));
        refused.refused(400, "invalid-parameter").at("path.n");
        played.get(&path).refused(400, "invalid-parameter").at("path.n");
    }
    rule(&played, 1, "stands");
});

on_both_stores!(a_ruling_is_a_line_of_one_to_a_thousand_characters, |service| {
    let played = five_balls(service);
    dispute(&played, 3);
    let saying =
        |words: &str| played.posting("/disputes/1/ruling", &json!({"ruling": words, "finding": "stands"}));
    for words in ["", " \u{a0}", &"x".repeat(1_001), "two\nlines", "a\u{0}b", "a\u{7f}b", "a\u{2066}b"] {
        service.untouched_by(saying(words)).refused(422, "illegal-input").at("body.ruling");
    }
    let longest = "é".repeat(1_000);
    assert_eq!(last_event(&saying(&longest).send().expect(201))["data"]["ruling"], longest);
});

on_both_stores!(a_finding_is_one_of_three, |service| {
    let played = five_balls(service);
    dispute(&played, 3);
    for finding in [json!("void"), json!("Stands"), json!(""), json!(1), json!(null)] {
        let body = json!({"ruling": "so be it", "finding": finding});
        let refused = service.untouched_by(played.posting("/disputes/1/ruling", &body));
        refused.refused(422, "illegal-input").at("body.finding");
    }
    for (body, word) in [(json!({"ruling": "so be it"}), "finding"), (json!({"finding": "stands"}), "ruling")]
    {
        let refused = service.untouched_by(played.posting("/disputes/1/ruling", &body));
        refused.refused(422, "needs-input").says(&[word]);
    }
    let body = json!({"ruling": "so be it", "finding": "stands", "number": 2});
    let refused = service.untouched_by(played.posting("/disputes/1/ruling", &body));
    refused.refused(422, "illegal-input").at("body.number");
});

on_both_stores!(no_side_rules_on_a_dispute, |service| {
    let sides = Sides::in_play_at_the_table(service.client(), &cubes(2));
    sides.choose_as_dealt();
    sides.bowl_over();
    sides.home.post("/disputes", &json!({"delivery": 1, "claim": "that was my cube"})).expect(201);
    for captain in sides.captains() {
        let refused = service.untouched_by(ruling_on(&captain.seat, 1, "stands"));
        refused.refused(403, "token-refused").says(&["umpire"]);
    }
    let open = sides.scorer.client.request("POST", &sides.scorer.path("/disputes/1/ruling"));
    service.untouched_by(open.json(&ruling("stands"))).refused(401, "token-missing");
    rule(&sides.scorer, 1, "stands");
});

on_both_stores!(a_ball_replayed_by_another_correction_may_stand, |service| {
    for finding in ["stands", "amended"] {
        let played = five_balls(service);
        dispute(&played, 4);
        amend(&played, 2, &[2, 1]);
        service.untouched_by(ruling_on(&played, 1, "as_stood")).refused(422, "illegal-input");
        rule(&played, 1, finding);
    }
});

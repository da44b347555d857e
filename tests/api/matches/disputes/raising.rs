//! `POST /v1/matches/{id}/disputes`, and the pages that list open disputes.

use serde_json::{Value, json};

use super::{amend, claim, dispute, five_balls, rule, ruling_on, seeded_to_the_end, umpire, undo};
use third_umpire_test_support::service::{Match, Service, Sides, chained, cubes, last_event, table, until};
use third_umpire_test_support::{on_both_stores, on_own_stores};

/// The numbers of the open disputes on a page.
fn open_on(page: &Value) -> Vec<u64> {
    let disputes = page.get("disputes").map(|disputes| disputes.as_array().expect("a list"));
    disputes.into_iter().flatten().filter_map(|dispute| dispute["number"].as_u64()).collect()
}

/// The numbers of the open disputes, which the match and its card agree on.
#[track_caller]
fn open(played: &Match) -> Vec<u64> {
    let (view, card) = (played.view(), played.get("/scorecard").expect(200));
    assert_eq!(view.get("disputes"), card.get("disputes"));
    let open = open_on(&view);
    let count = (!open.is_empty()).then(|| json!(open.len()));
    assert_eq!([view.get("disputes_open"), card.get("disputes_open")], [count.as_ref(), count.as_ref()]);
    open
}

on_both_stores!(the_scorer_disputes_for_the_side_he_names, |service| {
    let played = five_balls(service);
    for (number, by) in [(1, "home"), (2, "away")] {
        let body = json!({"delivery": 3, "claim": "it was no six", "by": by});
        let raised = played.post("/disputes", &body).expect(201);
        let event = last_event(&raised);
        let due = json!({"number": number, "delivery": 3, "claim": "it was no six", "by": by});
        assert_eq!((&event["kind"], &event["data"]), (&json!("dispute"), &due));
        assert_eq!((&event["actor"], &raised["events"][1]), (&json!("scorer"), &Value::Null));
        assert_eq!(raised["score"], played.view()["score"]);
    }
    chained(&played.events());
});

on_both_stores!(the_scorer_has_to_say_for_whom_he_disputes, |service| {
    let played = five_balls(service);
    let body = json!({"delivery": 3, "claim": "it was no six"});
    service.untouched_by(played.posting("/disputes", &body)).refused(422, "needs-input").at("body.by");
    played.play_step();
});

on_both_stores!(disputes_are_listed_in_the_order_of_their_numbers, |service| {
    let played = five_balls(service);
    assert_eq!(played.get("/disputes").expect(200)["disputes"], json!([]));
    let seqs = [4, 2, 4].map(|delivery| last_event(&dispute(&played, delivery))["seq"].clone());
    rule(&played, 2, "stands");
    let list = played.get("/disputes").expect(200);
    let entry = |number: usize, delivery: u64| {
        json!({
            "number": number, "seq": seqs[number - 1], "delivery": delivery,
            "place": {"innings": 1, "over": 1, "ball": delivery, "text": format!("0.{delivery}")},
            "claim": "the die was cocked", "by": "home",
        })
    };
    let mut ruled = entry(2, 2);
    ruled["ruled"] = json!({
        "seq": played.head().seq, "by": "scorer", "ruling": "we have looked at it", "finding": "stands",
    });
    assert_eq!(list["disputes"], json!([entry(1, 4), ruled, entry(3, 4)]));
    assert_eq!(list["head"], played.view()["head"]);
    for number in 1..=3 {
        let read = played.get(&format!("/disputes/{number}")).expect(200);
        let listed = list["disputes"][number - 1].as_object().expect("an entry");
        assert!(listed.iter().all(|(name, value)| read[name] == *value), "{read}");
    }
});

on_both_stores!(unchanged_disputes_answer_304, |service| {
    let played = five_balls(service);
    dispute(&played, 1);
    for path in ["/disputes", "/disputes/1"] {
        let tag = played.get(path).tag().to_owned();
        let again = || {
            let request = played.client.request("GET", &played.path(path));
            request.header("If-None-Match", &format!("\"{tag}\"")).send()
        };
        again().has_status(304);
        dispute(&played, 2);
        assert_ne!(again().has_status(200).tag(), tag);
    }
});

on_both_stores!(a_side_disputes_for_itself_and_not_for_the_other, |service| {
    let sides = Sides::in_play_at_the_table(service.client(), &cubes(2));
    sides.choose_as_dealt();
    sides.bowl_over();
    for (captain, other) in [(&sides.home, "away"), (&sides.away, "home")] {
        let mut body = json!({"delivery": 1, "claim": "that was not my cube"});
        let event = last_event(&captain.post("/disputes", &body).expect(201)).clone();
        assert_eq!((&event["data"]["by"], &event["actor"]), (&json!(captain.side), &json!(captain.side)));
        body["by"] = json!(captain.side);
        assert_eq!(last_event(&captain.post("/disputes", &body).expect(201))["data"]["by"], captain.side);
        body["by"] = json!(other);
        let refused = service.untouched_by(captain.posting("/disputes", &body));
        refused.refused(403, "token-refused").at("body.by").says(&[captain.side]);
    }
    assert_eq!(open(&sides.scorer), [1, 2, 3, 4]);
});

on_both_stores!(an_open_dispute_shows_on_the_match_and_the_card_until_it_is_ruled_on, |service| {
    let played = five_balls(service);
    assert_eq!(played.get("/scorecard").expect(200).get("disputes"), None);
    dispute(&played, 2);
    dispute(&played, 3);
    assert_eq!(open(&played), [1, 2]);
    let listed = played.get("/disputes").expect(200);
    assert_eq!(played.view()["disputes"], listed["disputes"]);
    rule(&played, 1, "stands");
    assert_eq!(open(&played), [2]);
    rule(&played, 2, "stands");
    assert_eq!(open(&played), [0; 0]);
    assert_eq!(played.view().get("disputes"), None);
    assert_eq!(played.get("/scorecard").expect(200).get("disputes"), None);
    let report = played.get("/audit").expect(200);
    assert_eq!(report["disputes"].as_array().map(Vec::len), Some(2), "{report}");
});

on_both_stores!(a_dispute_outlives_the_correction_that_takes_its_delivery_back, |service| {
    let played = five_balls(service);
    dispute(&played, 2);
    dispute(&played, 4);
    undo(&played, 4);
    assert_eq!(open(&played), [1, 2], "a dispute is not voided with play");
    played.bowl(&[2, 2]);
    amend(&played, 1, &[2, 6]);
    assert_eq!(open(&played), [1, 2]);
    dispute(&played, 4);
    assert_eq!(open(&played), [1, 2, 3], "numbers go on");
    played.audits_clean();
    chained(&played.events());
});

on_both_stores!(a_dispute_stops_nobody_from_playing_on, |service| {
    let played = five_balls(service);
    let before = played.view()["next"].clone();
    dispute(&played, 5);
    assert_eq!(played.view()["next"], before);
    played.play_step();
    rule(&played, 1, "stands");
    played.play_step();
});

on_both_stores!(a_match_that_is_over_is_still_disputed_and_ruled_on, |service| {
    for played in [seeded_to_the_end(service), completed_at_a_table(service)] {
        let over = played.view();
        dispute(&played, 2);
        assert_eq!(open(&played), [1]);
        let umpire = umpire(&played);
        rule(&umpire, 1, "stands");
        let view = played.view();
        for member in ["status", "result", "score", "next"] {
            assert_eq!(view[member], over[member]);
        }
        assert_eq!(open(&played), [0; 0]);
        played.audits_clean();
        chained(&played.events());
    }
});

/// A match that was won by a single.
fn completed_at_a_table(service: &Service) -> Match {
    let played = service.create(&table(1));
    played.begin();
    (0..6).for_each(|_| drop(played.bowl(&[2, 3])));
    played.bowl(&[2, 1]);
    assert_eq!(played.view()["status"], "completed");
    played
}

on_both_stores!(a_match_that_was_given_up_is_still_disputed, |service| {
    let played = five_balls(service);
    played.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    dispute(&played, 5);
    rule(&played, 1, "stands");
    assert_eq!(played.view()["status"], "abandoned");
});

on_both_stores!(a_dispute_sent_twice_under_a_key_is_raised_once, |service| {
    let played = five_balls(service);
    let send = || played.posting("/disputes", &claim(1)).key("cocked").send().expect(201);
    assert_eq!(send(), send());
    assert_eq!(open(&played), [1]);
    let other = played.posting("/disputes", &claim(2)).key("cocked");
    service.untouched_by(other).refused(422, "idempotency-key-reused");
    let ruling = || ruling_on(&played, 1, "stands").key("ruled").send().expect(201);
    assert_eq!(ruling(), ruling());
});

on_both_stores!(a_dispute_for_a_head_that_has_moved_on_is_not_raised, |service| {
    let played = five_balls(service);
    let head = played.head();
    played.bowl(&[2, 1]);
    let request = played.posting("/disputes", &claim(1)).if_match(&head.hash);
    service.untouched_by(request).refused(412, "stale-head");
    let head = played.head();
    played.posting("/disputes", &claim(1)).if_match(&head.hash).send().expect(201);
    let ruling = ruling_on(&played, 1, "stands").if_match(&head.hash);
    service.untouched_by(ruling).refused(412, "stale-head");
});

on_own_stores!(a_dispute_raised_at_one_instance_is_ruled_on_at_the_other, |deployment| {
    let here = five_balls(deployment);
    let service = deployment.serve();
    let there = here.through(service.client());
    there.view();
    dispute(&here, 1);
    until("the other instance shows the dispute", || open_on(&there.view()) == [1]);
    rule(&there, 1, "stands");
    until("the ruling is known here", || open_on(&here.view()).is_empty());
    deployment.untouched_by(ruling_on(&here, 1, "stands")).refused(409, "already-settled");
});

on_both_stores!(a_dispute_names_a_delivery_that_stands, |service| {
    let played = five_balls(service);
    undo(&played, 4);
    for delivery in [0, 4, 5, 6, 4_000_000_000] {
        let refused = service.untouched_by(played.posting("/disputes", &claim(delivery)));
        let refused = refused.refused(422, "illegal-input").at("body.delivery");
        refused.says(&[&delivery.to_string(), "the last is 3"]);
    }
    for delivery in [json!(-1), json!(1.5), json!("1"), json!(null), json!(4_294_967_296_u64)] {
        let mut body = claim(1);
        body["delivery"] = delivery;
        let refused = service.untouched_by(played.posting("/disputes", &body));
        refused.refused(422, "illegal-input").at("body.delivery");
    }
    let body = json!({"claim": "which?", "by": "home"});
    service.untouched_by(played.posting("/disputes", &body)).refused(422, "needs-input").says(&["delivery"]);
    played.play_step();
});

on_both_stores!(before_the_first_ball_there_is_nothing_to_dispute, |service| {
    let played = service.create(&table(1));
    for _ in 0..2 {
        let refused = service.untouched_by(played.posting("/disputes", &claim(1)));
        refused.refused(422, "illegal-input").at("body.delivery");
        if played.view()["next"]["what"] == "toss" {
            played.begin();
        }
    }
});

on_both_stores!(a_claim_is_a_line_of_one_to_a_thousand_characters, |service| {
    let played = five_balls(service);
    let saying = |words: &str| json!({"delivery": 1, "claim": words, "by": "home"});
    for words in ["", "   ", &"x".repeat(1_001), "two\nlines", "a\u{0}b", "a\u{1b}[2Jb", "a\u{202e}b"] {
        let refused = service.untouched_by(played.posting("/disputes", &saying(words)));
        refused.refused(422, "illegal-input").at("body.claim");
    }
    for claim in [json!(7), json!(null), json!(["cocked"])] {
        let body = json!({"delivery": 1, "claim": claim, "by": "home"});
        service
            .untouched_by(played.posting("/disputes", &body))
            .refused(422, "illegal-input")
            .at("body.claim");
    }
    let longest = "ü".repeat(1_000);
    let raised = played.post("/disputes", &saying(&longest)).expect(201);
    assert_eq!(last_event(&raised)["data"]["claim"], longest);
});

on_both_stores!(a_dispute_says_nothing_that_is_not_asked_for, |service| {
    let played = five_balls(service);
    for (name, value, at) in [
        ("by", json!("umpire"), "body.by"),
        ("by", json!("both"), "body.by"),
        ("number", json!(7), "body.number"),
        ("ruled", json!({}), "body.ruled"),
    ] {
        let mut body = claim(1);
        body[name] = value;
        service.untouched_by(played.posting("/disputes", &body)).refused(422, "illegal-input").at(at);
    }
});

on_both_stores!(a_dispute_needs_a_token_of_the_match, |service| {
    let (played, other) = (five_balls(service), five_balls(service));
    let request = || played.client.request("POST", &played.path("/disputes")).json(&claim(1));
    service.untouched_by(request()).refused(401, "token-missing");
    service.untouched_by(request().token(&other.token)).refused(403, "token-refused");
    service.untouched_by(request().token("tu_0000")).refused(403, "token-refused");
});

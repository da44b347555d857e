//! Concurrent corrections: one wins, and the others get a conflict.

use serde_json::json;

use super::*;
use third_umpire_test_support::on_own_stores;
use third_umpire_test_support::service::{Answer, Deployment, Head, Process, Sides, at_once, remote, until};

/// A match of six balls, and the same match on a second instance.
fn on_two_instances(deployment: &Deployment) -> (Match, Match, Process) {
    let here = with_balls(deployment, 5, &[&[2, 4], &[2, 1], &[2, 3], &[2, 2], &[2, 3], &[2, 4]]);
    let service = deployment.serve();
    let there = here.through(service.client());
    (here, there, service)
}

/// Waits until both instances have the last event, and returns the head.
fn wait_for_both(here: &Match, there: &Match) -> Head {
    until("both instances have the last event", || here.head() == there.head());
    here.head()
}

#[track_caller]
fn lost(answer: &Answer) {
    let status = answer.status;
    assert!([409, 412, 422].contains(&status), "{} answered {status}: {}", answer.request, answer.text());
}

on_own_stores!(one_of_two_simultaneous_corrections_gets_a_conflict, |deployment| {
    let (here, there, _service) = on_two_instances(deployment);
    for (one, other) in
        [(undo(6), undo(6)), (undo(5), dice(1, &[2, 2])), (dice(2, &[2, 3]), dice(3, &[2, 1]))]
    {
        let head = wait_for_both(&here, &there);
        let balls_before = balls(&here).len();
        let request =
            |played: &Match, body: &Value| played.posting("/corrections", body).if_match(&head.hash);
        let answers = at_once(vec![request(&here, &one), request(&there, &other)]);
        let (made, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 201);
        assert_eq!((made.len(), refused.len()), (1, 1), "{}, {}", answers[0].text(), answers[1].text());
        refused[0].refused(412, "stale-head");
        wait_for_both(&here, &there);
        let events = here.events();
        assert_eq!(json!(events[head.seq as usize..]), made[0].json()["events"], "nothing of the other's");
        assert_eq!(
            kinds(&events).iter().filter(|kind| **kind == "correction").count() as u64,
            corrections(&here)
        );
        holds(deployment, &here);
        (balls(&here).len()..balls_before).for_each(|_| drop(there.bowl(&[2, 3])));
    }
});

fn corrections(played: &Match) -> u64 {
    played.get("/corrections").expect(200)["corrections"].as_array().expect("a list").len() as u64
}

on_own_stores!(many_who_take_back_the_same_ball_without_saying_on_what_take_it_back_once, |deployment| {
    let (here, there, _service) = on_two_instances(deployment);
    let request = |at: usize| [&here, &there][at % 2].posting("/corrections", &undo(6));
    let answers = at_once((0..12).map(request).collect());
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 1);
    answers.iter().filter(|answer| answer.status != 201).for_each(lost);
    wait_for_both(&here, &there);
    assert_eq!((balls(&here).len(), corrections(&here)), (5, 1));
    holds(deployment, &here);
});

on_own_stores!(a_correction_against_a_ball_that_is_bowled_meanwhile_loses_or_takes_it_along, |deployment| {
    let (here, there, _service) = on_two_instances(deployment);
    for round in 0..6 {
        let (writer, corrector) = if round % 2 == 0 { (&here, &there) } else { (&there, &here) };
        let answers = at_once(vec![
            writer.posting("/balls", &json!({"dice": [2, 3]})),
            corrector.posting("/corrections", &undo(6)),
        ]);
        answers[0].expect(201);
        wait_for_both(&here, &there);
        let bowled = balls(&here).len();
        match answers[1].status {
            // The correction came before the ball, which is the sixth then, or after it and voided it, too.
            201 => assert!([5, 6].contains(&bowled), "{bowled} balls"),
            _ => lost(&answers[1]),
        }
        holds(deployment, &here);
        (bowled..6).for_each(|_| drop(here.bowl(&[2, 1])));
        if bowled > 6 {
            correct(&here, &undo(7));
        }
    }
});

on_own_stores!(a_correction_that_is_sent_again_is_answered_again_and_made_once, |deployment| {
    let (here, there, _service) = on_two_instances(deployment);
    for (key, body) in [
        ("undo", undo(6)),
        ("amend", dice(1, &[2, 1])),
        ("stood", amend(3, agreed_outcome(json!({"runs": {"batter": 2}})))),
    ] {
        let request = |played: &Match| played.posting("/corrections", &body).key(key);
        let first = request(&here).send().expect(201);
        let before = deployment.database().everything();
        assert_eq!(request(&here).send().expect(201), first, "{key}");
        assert_eq!(request(&there).send().expect(201), first, "{key}, by another instance");
        assert_eq!(deployment.database().everything(), before);
        here.bowl(&[2, 3]);
        assert_eq!(request(&there).send().expect(201), first, "{key}, long after");
        let other = with(body.clone(), "/reason", json!("another"));
        let reused = deployment.untouched_by(here.posting("/corrections", &other).key(key));
        reused.refused(422, "idempotency-key-reused");
    }
    assert_eq!(corrections(&here), 3);
    holds(deployment, &here);
});

on_own_stores!(simultaneous_requests_with_one_key_get_one_correction, |deployment| {
    let (here, there, _service) = on_two_instances(deployment);
    let request = |at: usize| [&here, &there][at % 2].posting("/corrections", &undo(4)).key("once");
    let answers: Vec<Value> =
        at_once((0..10).map(request).collect()).iter().map(|answer| answer.expect(201)).collect();
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    wait_for_both(&here, &there);
    assert_eq!((balls(&here).len(), corrections(&here)), (3, 1));
    holds(deployment, &here);
});

on_own_stores!(simultaneous_consents_count_once_each_and_make_one_correction, |deployment| {
    let sides = Sides::in_play(deployment.client(), &remote(2));
    let service = deployment.serve();
    let there = sides.through(service.client());
    sides.choose_as_dealt();
    (0..3).for_each(|_| drop(sides.home.post("/balls", &json!({})).expect(201)));
    sides.scorer.post("/corrections", &undo(3)).expect(201);
    let consent = |of: &Sides, side: &str| {
        let captain = if side == "home" { &of.home } else { &of.away };
        captain.posting("/corrections/1/consent", &json!({}))
    };
    let each =
        || ["home", "away"].into_iter().flat_map(|side| [consent(&sides, side), consent(&there, side)]);
    let answers = at_once(each().chain(each()).collect());
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 2);
    answers.iter().filter(|answer| answer.status != 201).for_each(lost);
    wait_for_both(&sides.scorer, &there.scorer);
    assert_eq!((balls(&sides.scorer).len(), corrections(&sides.scorer)), (2, 1));
    assert_eq!(of_kind(sides.scorer.events(), "correction").len(), 1);
    holds(deployment, &sides.scorer);
});

//! Concurrent requests: one wins, nothing is lost, nothing is doubled.

use serde_json::{Value, json};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Match, Service, at_once, chained, seeded, table};

fn deliveries(events: &[Value]) -> Vec<u64> {
    let balls = events.iter().filter(|event| event["kind"] == "ball");
    balls.map(|ball| ball["data"]["delivery"].as_u64().expect("a number")).collect()
}

/// Asserts that the log is valid and has this number of balls, numbered without a gap.
#[track_caller]
fn holds(played: &Match, balls: u64) {
    let events = played.events();
    chained(&events);
    assert_eq!(deliveries(&events), (1..=balls).collect::<Vec<u64>>());
    played.audits_clean();
}

fn in_play(service: &Service) -> Match {
    let played = service.create(&seeded(50));
    played.begin();
    played.post("/overs", &json!({})).expect(201);
    played
}

on_both_stores!(one_of_200_simultaneous_balls_is_taken, |service| {
    let played = in_play(service);
    let head = played.head();
    let request = || played.posting("/balls", &json!({})).if_match(&head.hash);
    let answers = at_once((0..200).map(|_| request()).collect());
    let (bowled, stale): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 201);
    assert_eq!((bowled.len(), stale.len()), (1, 199));
    let now = bowled[0].json()["head"].clone();
    for answer in stale {
        let refusal = answer.refused(412, "stale-head").at("header.If-Match");
        assert_eq!(refusal.problem["head"], now, "the answer says how far the match has come");
    }
    assert_eq!(played.head().seq, head.seq + 1);
    holds(&played, 1);
    played.play_step();
});

on_both_stores!(two_writers_who_do_not_say_on_what_all_get_their_balls_in, |service| {
    let played = in_play(service);
    let write = |played: Match| {
        std::thread::spawn(move || -> Vec<Value> {
            let balls = (0..25).map(|_| played.ball()["events"].clone());
            balls.flat_map(|events| events.as_array().expect("events").clone()).collect()
        })
    };
    let writers = [write(played.clone()), write(played.clone())];
    let mut written: Vec<Value> =
        writers.into_iter().flat_map(|writer| writer.join().expect("all are bowled")).collect();
    written.sort_by_key(|event| event["seq"].as_u64());
    assert_eq!(written, played.events()[4..], "the answered events are in the log");
    holds(&played, 50);
});

on_both_stores!(who_knows_the_head_goes_on_from_there, |service| {
    let played = in_play(service);
    for _ in 0..5 {
        let head = played.head();
        let request = || played.posting("/balls", &json!({})).if_match(&head.hash);
        request().send().expect(201);
        service.untouched_by(request()).refused(412, "stale-head");
    }
    holds(&played, 5);
});

on_both_stores!(a_stale_head_is_refused_before_the_rules_are_asked, |service| {
    let played = in_play(service);
    let head = played.head();
    played.ball();
    let toss = json!({"caller": "home", "call": "heads"});
    service.untouched_by(played.posting("/toss", &toss).if_match(&head.hash)).refused(412, "stale-head");
    let rain = json!({"reason": "rain"});
    service
        .untouched_by(played.posting("/abandonment", &rain).if_match(&head.hash))
        .refused(412, "stale-head");
    let on = json!({"until": "match"});
    service.untouched_by(played.posting("/autoplay", &on).if_match(&head.hash)).refused(412, "stale-head");
    played.play_step();
});

on_both_stores!(many_matches_are_played_at_once_and_none_disturbs_another, |service| {
    let matches: Vec<Match> = (0..6).map(|_| service.create(&seeded(1))).collect();
    let play = |played: &Match| {
        let played = played.clone();
        std::thread::spawn(move || {
            played.begin();
            (0..6).for_each(|_| drop(played.ball()));
        })
    };
    let players: Vec<_> = matches.iter().map(play).collect();
    players.into_iter().for_each(|player| player.join().expect("the match is played"));
    matches.iter().for_each(|played| holds(played, 6));
});

on_both_stores!(one_of_many_simultaneous_ends_ends_the_match, |service| {
    let played = service.create(&table(1));
    played.begin();
    let rain = json!({"reason": "rain"});
    let answers = at_once((0..20).map(|_| played.posting("/abandonment", &rain)).collect());
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 1);
    for answer in answers.iter().filter(|answer| answer.status != 201) {
        answer.refused(409, "match-over");
    }
    assert_eq!(played.head().seq, 4);
    holds(&played, 0);
});

on_both_stores!(readers_see_whole_appends_while_others_write, |service| {
    let played = service.create(&seeded(1));
    let writer = {
        let played = played.clone();
        std::thread::spawn(move || while played.post("/autoplay", &json!({"until": "ball"})).status == 201 {})
    };
    let (mut reads, mut last) = (0, 0);
    while !writer.is_finished() || reads < 5 {
        let card = played.get("/scorecard").expect(200);
        let at = card["at_seq"].as_u64().expect("a seq");
        assert!(at >= last, "a card does not go back");
        last = at;
        assert_eq!(played.get(&format!("/scorecard?at={at}")).expect(200), card, "a card is of its event");
        let commentary = played.get("/commentary").expect(200);
        let lines = commentary["lines"].as_array().expect("lines").len() as u64;
        assert_eq!(commentary["at_seq"], lines, "no line of the commentary is missing");
        let page = played.get("/events?limit=1000").expect(200);
        assert_eq!(
            page["events"].as_array().expect("events").last().expect("one")["seq"],
            page["head"]["seq"]
        );
        reads += 1;
    }
    writer.join().expect("the match is played");
    assert_eq!(played.view()["status"], "completed");
});

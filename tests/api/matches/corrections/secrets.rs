//! Corrections of a seeded match in play give away no die that is not in the log.

use serde_json::{Value, json};

use super::*;
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Service, last_event};

/// A match of CubeRoots in which each side may roll a cube, with an over begun without rolling.
fn rolling(service: &Service, over: &Value, balls: usize) -> Match {
    let request = with(with(cubes(2), "/rules/roll_a_cube", json!(true)), "/seed", json!("5eed".repeat(16)));
    let played = service.create(&request);
    played.begin();
    played.post("/overs", over).expect(201);
    (0..balls).for_each(|_| drop(played.ball()));
    played
}

fn rolled_first() -> Value {
    json!({"roll": {"bowling": 1, "batting": 1}})
}

on_both_stores!(a_dry_run_that_would_show_a_new_die_is_refused, |service| {
    let played = rolling(service, &json!({}), 1);
    let body = amend(1, json!({"over": rolled_first()}));
    let refusal = service.untouched_by(played.posting("/corrections?dry_run=true", &body));
    let refusal = refusal.refused(422, "illegal-input").at("query.dry_run");
    assert_eq!(refusal.problem.get("legal"), None);
    let detail = refusal.problem["detail"].as_str().expect("words");
    assert!(!detail.contains(|letter: char| letter.is_ascii_digit()), "{detail}");
    // The correction itself puts the die into the log, and everybody can see that the choice was changed.
    let made = correct(&played, &body);
    assert!(!last_event(&made)["data"]["dice"].as_array().expect("dice").is_empty());
    let changed = played.get("/corrections").expect(200)["changed_choices"].clone();
    assert_eq!(changed[0]["choice"], "roll", "{changed}");
    is_like(service, &played, &rolling(service, &rolled_first(), 1));
});

on_both_stores!(a_refusal_never_leaks_an_unrolled_die, |service| {
    let played = rolling(service, &json!({}), 4);
    let body = amend(1, json!({"over": rolled_first()}));
    for path in ["/corrections", "/corrections?dry_run=true"] {
        let refused = service.untouched_by(played.posting(path, &body)).refused(422, "illegal-input");
        let detail = refused.at("body.cascade").says(&["not been rolled yet"]).problem["detail"].to_string();
        assert!(detail.contains("delivery 2"), "whatever the die shows, it is the next ball: {detail}");
    }
    correct(&played, &with(body, "/cascade", json!("void_rest")));
    holds(service, &played);
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    holds(service, &played);
});

on_both_stores!(refusals_say_the_same_whatever_the_dice_to_come_are, |service| {
    // The two matches differ only in their seeds, and therefore only in what has not been bowled yet.
    for request in seeded_games(2) {
        let answers: Vec<Vec<Value>> = ["5eed", "c0de", "beef"]
            .map(|seed| refusals(service, &with(request.clone(), "/seed", json!(seed.repeat(16)))))
            .to_vec();
        assert_eq!(answers[0], answers[1]);
        assert_eq!(answers[0], answers[2]);
    }
});

/// The answers to corrections of a match in which nothing has been bowled yet.
fn refusals(service: &Service, request: &Value) -> Vec<Value> {
    let played = service.create(request);
    played.begin();
    let mut answers = Vec::new();
    for body in [
        undo(1),
        amend(1, json!({})),
        dice(1, &[2, 3]),
        amend(1, agreed_outcome(json!({"runs": {"batter": 1}}))),
    ] {
        for path in ["/corrections", "/corrections?dry_run=true"] {
            let answer = service.untouched_by(played.posting(path, &body));
            answers.push(answer.json());
        }
    }
    answers
}

on_both_stores!(a_dry_run_of_an_undo_shows_what_was_and_nothing_to_come, |service| {
    for request in seeded_games(2) {
        let (played, before) = (after_balls(service, &request, 5), after_balls(service, &request, 2));
        let supposed = dry_run(&played, &undo(3)).expect(200);
        assert_eq!(supposed["after"], before.view()["score"], "the card of a moment that was");
        let made = correct(&played, &undo(3));
        assert_eq!(kinds(appended(&made)), ["correction"], "nothing is rolled");
        assert_eq!(book(&played), book(&before));
        let seeds = played.get("/log").text().contains("server_seed");
        assert!(!seeds, "the seeds stay closed");
    }
});

on_both_stores!(a_guess_at_a_new_die_is_answered_alike_be_it_right_or_wrong, |service| {
    let played = rolling(service, &json!({}), 3);
    let over = || json!({"over": {"roll": {"bowling": 1}}});
    let guesses = (0..10).map(|number| with(amend(1, over()), "/choices", json!({"bowler_number": number})));
    let agreed = (0..5).map(|runs| {
        let request = with(
            amend(1, over()),
            "/as_stood",
            agreed_outcome(json!({"runs": {"batter": runs}}))["as_stood"].clone(),
        );
        with(request, "/cascade", json!("void_rest"))
    });
    let mut answers: Vec<String> = Vec::new();
    for body in guesses.chain(agreed) {
        for path in ["/corrections", "/corrections?dry_run=true"] {
            let refused = service.untouched_by(played.posting(path, &body)).refused(422, "illegal-input");
            answers.push(refused.says(&["not been rolled yet"]).problem.to_string());
        }
    }
    assert!(answers.iter().all(|one| *one == answers[0]), "{answers:#?}");
});

on_both_stores!(the_over_cards_of_another_bowler_are_not_told_before_they_are_turned, |service| {
    let team = |name: &str, team: &str| json!({"name": name, "players": {"team": team}});
    let played = service.create(&json!({
        "game": "cricket-the-game", "rules": {"format": "t10"}, "dice": "seeded", "seed": "5eed".repeat(16),
        "home": team("Terns", "Harbour Terns"), "away": team("Larks", "Copperfield Larks"),
    }));
    played.post("/set-up", &json!({})).expect(201);
    played.begin();
    played.post("/autoplay", &json!({"until": "ball"})).expect(201);
    let over = played.events().into_iter().find(|event| event["kind"] == "over").expect("an over");
    let players = played.view()["away"]["players"].as_array().expect("players").clone();
    let bowled = players.iter().find(|player| player["name"] == over["data"]["choices"]["bowler"]);
    let is_other = |player: &&Value| {
        ["pace", "spin", "medium"].iter().any(|style| player["role"] == *style)
            && Some(&player["role"]) != bowled.map(|player| &player["role"])
    };
    let others: Vec<&Value> = players.iter().filter(is_other).collect();
    assert!(!others.is_empty());
    for other in others {
        let body = amend(1, json!({"over": {"bowler": other["name"]}}));
        service
            .untouched_by(played.posting("/corrections?dry_run=true", &body))
            .refused(422, "illegal-input");
    }
    holds(service, &played);
});

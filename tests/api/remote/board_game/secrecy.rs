//! Secret choices in remote play of the board game, which nobody may see before both are open.

use serde_json::{Value, json};

use super::*;
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{CONTRACT, Match};

/// Everything that everybody can read, and everything that this side can.
fn all_pages(seen_by: &Match) -> Vec<(String, String)> {
    let seq = seen_by.head().seq.to_string();
    let reads = CONTRACT.paths().into_iter().filter(|(_, methods)| methods.contains(&"GET"));
    let paths = reads.map(|(path, _)| path.replace("{id}", &seen_by.id).replace("{seq}", &seq));
    let paths = paths.filter(|path| !path.ends_with("/stream")).chain([seen_by.path("/events?limit=1000")]);
    let read = |path: String| {
        let request = seen_by.client.request("GET", &path);
        let request = if seen_by.token.is_empty() { request } else { request.token(&seen_by.token) };
        let answer = request.send();
        let answer_text = format!("{:?} {}", answer.headers, String::from_utf8_lossy(&answer.body));
        (path, answer_text)
    };
    paths.map(read).collect()
}

#[track_caller]
fn hides(seen_by: &Match, secrets: &[String]) {
    for (path, answer_text) in all_pages(seen_by) {
        for secret in secrets {
            assert!(!answer_text.contains(secret.as_str()), "{path} gives {secret} away: {answer_text}");
        }
    }
}

/// The forms in which an answer could show a choice.
fn written(choice: &Value) -> Vec<String> {
    let members = choice.as_object().expect("an object").iter();
    members
        .filter(|(name, _)| *name != "attitude")
        .map(|(name, value)| format!("{:?}:{value}", name))
        .collect()
}

on_both_stores!(nobody_sees_bowl_or_stroke_before_both_are_open, |service| {
    for own_seal_of in ["batting", "bowling"] {
        let mut board = Board::until(service, &board(), "delivery");
        let mut stream = {
            let played = &board.sides.scorer;
            played.client.request("GET", &played.path("/events/stream")).follow()
        };
        let (batting, bowling) = (board.batting().side, board.bowling().side);
        let choices = [
            (batting, json!({"attitude": "aggressive", "stroke": "cut"})),
            (bowling, {
                let last = board.next["legal"]["bowl"].as_array().and_then(|all| all.last()).cloned();
                json!({"bowl": last})
            }),
        ];
        let own = choices.iter().find(|(side, _)| (*side == batting) == (own_seal_of == "batting")).cloned();
        let (own, own_choice) = own.expect("one of two");
        let (by_service, choice) = choices.iter().find(|(side, _)| *side != own).cloned().expect("the other");
        let onlooker = Match { token: String::new(), ..board.sides.scorer.clone() };
        let [closed, opening] = board.seals(own, own_choice.clone());
        let salt = vec![opening["salt"].as_str().expect("a salt").to_owned()];
        let secrets = [written(&own_choice), written(&choice), salt.clone()].concat();

        let closed = board.does(own, "/choices", &closed);
        assert_eq!(kinds(closed["events"].as_array().expect("events")), ["choice"]);
        assert!(closed["events"][0]["data"].get("choice").is_none(), "{closed}");
        let chosen = board.chooses(by_service, choice.clone());
        assert_eq!(kinds(chosen["events"].as_array().expect("events")), ["choice", "choice_opened"]);
        for (event, side) in chosen["events"].as_array().expect("events").iter().zip([by_service; 2]) {
            assert_eq!((&event["data"]["side"], event["data"].get("choice")), (&json!(side), None));
        }
        // Its author sees the choice that the service has sealed; nothing else of the answer tells it.
        let own_part = chosen["own"].as_object().expect("hands");
        assert_eq!(own_part.keys().collect::<Vec<_>>(), [by_service]);
        assert_eq!(own_part[by_service]["choice"], choice);
        let rest = with(chosen.clone(), "/own", Value::Null).to_string();
        assert!(secrets.iter().all(|secret| !rest.contains(secret.as_str())), "{rest}");
        hides(&onlooker, &secrets);
        hides(&board.sides.scorer, &secrets);
        hides(&board.captain(own).seat, &secrets);
        hides(&board.captain(by_service).seat, &[written(&own_choice), salt].concat());
        assert_eq!(board.captain(by_service).own()["choice"], choice);
        // A refusal gives nothing away either.
        for body in
            [json!({"choices": {}}), json!({"choices": {"run": 1}}), json!({"choices": {"bowl": "googly"}})]
        {
            let refused = service.untouched_by(board.captain(own).posting("/balls", &body));
            assert!(
                secrets.iter().all(|secret| !refused.text().contains(secret.as_str())),
                "{}",
                refused.text()
            );
        }

        let opened = board.does(own, "/choices", &opening);
        let roll = &opened["events"][0];
        assert_eq!(roll["kind"], "roll");
        let public = onlooker.get("/events?limit=1000");
        for secret in &secrets {
            assert!(public.text().contains(secret.as_str()), "{secret} is looked for as it is written");
        }
        let mut before_it = Vec::new();
        loop {
            let event = stream.next_event().expect("an event");
            if event["seq"] == roll["seq"] {
                break;
            }
            before_it.push(event);
        }
        let before_it = json!(before_it).to_string();
        assert!(secrets.iter().all(|secret| !before_it.contains(secret.as_str())));
        board.holds();
    }
});

//! `Prefer`: an append answers with all of the match's view that can change (`return=representation`), or
//! with as little as possible (`return=minimal`), and only where that is preferred.

use serde_json::{Value, json};
use third_umpire_test_support::coin_cricket::every_game;
use third_umpire_test_support::service::{
    Answer, CONTRACT, Captain, Client, InProcess, Match, Service, Sides, last_event, remote, seeded, table,
    until, with,
};
use third_umpire_test_support::{on_both_stores, on_own_stores};

use crate::next::played::Player;

const PREFERRED: &str = "return=representation";
const MINIMAL: &str = "return=minimal";

fn preferring(played: &Match, rest: &str, body: &Value) -> Answer {
    played.posting(rest, body).header("Prefer", PREFERRED).send()
}

/// Plays a match to its end by its requests alone, with a client that holds each view against a read.
fn plays(client: &Client, request: &Value, random: u64) {
    let mut player = Player::new(Match::create(client, request), random);
    while player.step() {}
    assert_eq!(player.played.view()["status"], "completed");
}

on_both_stores!(each_append_of_howzat_and_cuberoots_returns_the_view_that_a_read_shows, |service| {
    let client = service.client().comparing();
    plays(&client, &with(table(2), "/rules/drs", json!("house")), 5);
    plays(&client, &with(table(2), "/game", json!("cuberoots")), 6);
    for path in ["/toss", "/toss/decision", "/overs", "/balls", "/reviews"] {
        assert!(client.compared().contains(&format!("/v1/matches/{{id}}{path}")), "{path}");
    }
});

on_own_stores!(
    each_append_of_the_board_game_and_of_a_fourth_game_returns_the_view_that_a_read_shows,
    |deployment| {
        let service = InProcess::of_games(&deployment.database().url, every_game());
        let client = service.client().comparing();
        let between = |game: &str, rules: Value, [home, away]: [&str; 2]| {
            let team = |name: &str| json!({"name": name, "players": {"team": name}});
            json!({"game": game, "rules": rules, "dice": "table", "home": team(home), "away": team(away)})
        };
        let board_game = json!({"format": "t10", "drs": "on"});
        plays(&client, &between("cricket-the-game", board_game, ["Harbour Terns", "Copperfield Larks"]), 7);
        let coins = json!({"overs": 2, "reviews": true});
        plays(&client, &between("coin-cricket", coins, ["Pennies", "Farthings"]), 8);
        assert!(client.compared().contains("/v1/matches/{id}/set-up"));
    }
);

/// Disputes and corrections of one scorer, and the end of a match.
fn adjudicates(client: &Client) {
    let played = Match::create(client, &table(2));
    played.begin();
    (0..3).for_each(|_| drop(played.bowl(&[2, 4])));
    for delivery in [1, 2, 3] {
        let claim = json!({"delivery": delivery, "by": "away", "claim": "x".repeat(900)});
        played.post("/disputes", &claim).expect(201);
    }
    let ruling = json!({"finding": "stands", "ruling": "It was four."});
    for number in [2, 1, 3] {
        played.post(&format!("/disputes/{number}/ruling"), &ruling).expect(201);
    }
    played.post("/corrections", &json!({"amends": 2, "dice": [2, 6], "reason": "misread"})).expect(201);
    played.post("/corrections", &json!({"voids_from": 3, "reason": "misread"})).expect(201);
    played.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    Match::create(client, &seeded(1)).post("/autoplay", &json!({"until": "match"})).expect(201);
}

/// A remote match in which each side sees its own hand, one calls on the other, and a correction is proposed.
fn plays_remotely(client: &Client) {
    let sides = Sides::in_play(client, &with(remote(2), "/choice_timeout", json!(1)));
    let Sides { scorer, home, away } = &sides;
    let chosen = home.chooses(&home.hand());
    assert!(chosen["own"]["home"]["choice"].is_object(), "{chosen}");
    assert!(chosen["own"].get("away").is_none(), "{chosen}");
    let called = |captain: &Captain| captain.post("/choices/call", &json!({})).status == 201;
    assert!(called(home), "the other side has not chosen");
    until("the time of the other side is up", || called(home));
    home.post("/balls", &json!({})).expect(201);
    let proposed = away.post("/corrections", &json!({"voids_from": 1, "reason": "misread"})).expect(201);
    assert_eq!(proposed["proposed"]["number"], 1, "{proposed}");
    let made = home.post("/corrections/1/consent", &json!({})).expect(201);
    assert_eq!((made.get("proposed"), &last_event(&made)["kind"]), (None, &json!("correction")));
    while scorer.view()["status"] != "completed" {
        match scorer.view()["next"]["what"] == "order" {
            true => drop(sides.choose_as_dealt()),
            false => sides.bowl_over(),
        }
    }
}

on_both_stores!(every_operation_that_appends_returns_the_view_that_a_read_shows, |service| {
    let client = service.client().comparing();
    adjudicates(&client);
    plays_remotely(&client);
    plays(&client, &with(table(1), "/rules/drs", json!("house")), 5);
    let mut due = CONTRACT.representing();
    assert!(due.len() > 12, "{due:?}");
    // The board game alone has it, and compares it above.
    due.remove("/v1/matches/{id}/set-up");
    assert_eq!(client.compared(), due);
});

on_both_stores!(a_view_that_was_not_preferred_is_not_returned, |service| {
    let played = service.create(&table(1));
    played.begin();
    for preference in ["", "return=none", "respond-async", "return=minimal, return=representation"] {
        let request = played.posting("/balls", &json!({"dice": [2, 3]}));
        let answer =
            if preference.is_empty() { request } else { request.header("Prefer", preference) }.send();
        let applied = if preference.contains(',') { MINIMAL } else { "" };
        assert_eq!(answer.header("preference-applied"), applied, "{preference}");
        assert!(answer.expect(201).get("status").is_none(), "{preference}");
    }
    let request = played.posting("/balls", &json!({"dice": [2, 3]}));
    let several = request
        .header("Prefer", "respond-async, wait=10")
        .header("Prefer", "Return = \"representation\"; x=y");
    let answer = several.send();
    assert_eq!(
        (answer.header("preference-applied"), &answer.expect(201)["status"]),
        (PREFERRED, &json!("in_play"))
    );
    assert_eq!(answer.header("vary"), "Prefer");
    let refused = preferring(&played, "/balls", &json!({"dice": [7]}));
    assert_eq!((refused.status, refused.header("preference-applied")), (422, ""));
});

on_both_stores!(a_repeated_request_returns_no_view, |service| {
    let played = service.create(&table(1));
    played.begin();
    let ball = || {
        played.posting("/balls", &json!({"dice": [2, 3]})).key("ball-1").header("Prefer", PREFERRED).send()
    };
    let first = ball();
    assert_eq!(
        (first.header("preference-applied"), &first.expect(201)["status"]),
        (PREFERRED, &json!("in_play"))
    );
    played.bowl(&[2, 4]);
    let repeated = ball();
    assert_eq!(repeated.header("preference-applied"), "");
    let (first, repeated) = (first.json(), repeated.expect(201));
    for member in ["events", "score", "situation", "head"] {
        assert_eq!(repeated[member], first[member], "{member}");
    }
    assert_eq!(repeated.as_object().map(serde_json::Map::len), Some(5), "{repeated}");
});

/// Sends a request that prefers as little as possible, and asserts that the answer has that and no more.
#[track_caller]
fn minimal(played: &Match, rest: &str, body: &Value) -> Value {
    let answer = played.posting(rest, body).header("Prefer", MINIMAL).send();
    assert_eq!((answer.header("preference-applied"), answer.header("vary")), (MINIMAL, "Prefer"));
    let (short, view) = (answer.expect(201), played.view());
    let due = json!({"head": view["head"], "score": view["score"], "next": {"kind": view["next"]["kind"]}});
    assert_eq!(short, due, "{rest}");
    short
}

on_both_stores!(a_minimal_answer_has_head_score_and_the_kind_of_the_next_step_alone, |service| {
    let played = service.create(&table(1));
    minimal(&played, "/toss", &json!({"caller": "home", "call": "heads", "coin": "heads"}));
    minimal(&played, "/toss/decision", &json!({"to": "bat"}));
    minimal(&played, "/balls", &json!({"dice": [2, 4]}));
    minimal(&played, "/disputes", &json!({"delivery": 1, "by": "home", "claim": "It was a no-ball."}));
    minimal(&played, "/corrections", &json!({"amends": 1, "dice": [2, 6], "reason": "misread"}));
    let ended = minimal(&played, "/abandonment", &json!({"reason": "rain"}));
    assert_eq!(ended["next"]["kind"], "over");
    let seeded = service.create(&seeded(1));
    seeded.begin();
    minimal(&seeded, "/autoplay", &json!({"until": "match"}));
});

on_both_stores!(a_side_that_prefers_little_is_not_shown_its_hand, |service| {
    let Sides { home, .. } = Sides::in_play(service.client(), &remote(2));
    let answer = home.choosing(&home.hand()).header("Prefer", MINIMAL).send();
    assert_eq!(answer.expect(201).as_object().map(serde_json::Map::len), Some(3), "{}", answer.text());
});

on_both_stores!(a_preference_is_no_part_of_what_a_key_stands_for, |service| {
    let played = service.create(&table(1));
    played.begin();
    let ball = |preference: &str| {
        let request = played.posting("/balls", &json!({"dice": [2, 3]})).key("ball-1");
        let answer =
            if preference.is_empty() { request } else { request.header("Prefer", preference) }.send();
        (answer.header("preference-applied").to_owned(), answer.expect(201))
    };
    let (applied, first) = ball(MINIMAL);
    assert_eq!(applied, MINIMAL);
    let (applied, whole) = ball("");
    assert_eq!((applied.as_str(), &whole["head"], &whole["score"]), ("", &first["head"], &first["score"]));
    assert_eq!(whole["events"].as_array().map(Vec::len), Some(2), "the over and the ball: {whole}");
    assert_eq!(ball(PREFERRED), (String::new(), whole));
    assert_eq!(ball(MINIMAL), (MINIMAL.to_owned(), first));
});

/// The answers to appends without a preference, without ids, times and hashes. The program before there were
/// preferences has given them. `UPDATE_ANSWERS=1 cargo test --test api` writes those of today: an answer may
/// get more members, and loses none.
const ANSWERS: &str = include_str!("appended.txt");

/// A text without ids, times and hashes.
fn masked(text: &str, id: &str) -> String {
    let is_hash = |word: &str| word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_time = |word: &str| word.len() == 24 && word.as_bytes()[10] == b'T' && word.ends_with('Z');
    let words = text.split('"').map(|word| match word {
        hash if is_hash(hash) => "HASH".to_owned(),
        time if is_time(time) => "TIME".to_owned(),
        other => other.replace(id, "ID"),
    });
    words.collect::<Vec<_>>().join("\"")
}

/// Appends to a new match, and returns each request with its masked answer.
fn answers_of(service: &Service, request: &Value, appends: &[(&str, Value)]) -> String {
    let played = service.create(request);
    let lines = appends.iter().map(|(rest, body)| {
        let answer = played.post(rest, body);
        format!("POST {rest} {body}\n{}\n", masked(answer.has_status(201).text(), &played.id))
    });
    lines.collect()
}

on_both_stores!(an_answer_without_a_preference_is_byte_for_byte_what_it_was, |service| {
    let found = answers_of(
        service,
        &table(2),
        &[
            ("/toss", json!({"caller": "home", "call": "heads", "coin": "heads"})),
            ("/toss/decision", json!({"to": "bat"})),
            ("/overs", json!({"bowler": "Nash"})),
            ("/balls", json!({"dice": [2, 4]})),
            ("/balls", json!({"dice": [2, 5]})),
            ("/disputes", json!({"delivery": 2, "by": "home", "claim": "It was a no-ball."})),
            ("/disputes/1/ruling", json!({"finding": "stands", "ruling": "It was not."})),
            ("/corrections", json!({"voids_from": 2, "reason": "misread"})),
            ("/abandonment", json!({"reason": "rain"})),
        ],
    ) + &answers_of(
        service,
        &seeded(1),
        &[
            ("/toss", json!({"caller": "home", "call": "heads"})),
            ("/toss/decision", json!({"to": "bat"})),
            ("/autoplay", json!({"until": "over"})),
        ],
    );
    if std::env::var_os("UPDATE_ANSWERS").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/api/representations/appended.txt"), &found)
            .expect("written");
    }
    for (found, due) in found.lines().zip(ANSWERS.lines()) {
        assert_eq!(found, due);
    }
    assert_eq!(found, ANSWERS);
});

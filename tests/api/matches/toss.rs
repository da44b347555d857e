//! `POST /v1/matches/{id}/toss` and `/toss/decision`

use serde_json::{Value, json};
use third_umpire::dice::{Dice, Draw, SeededDice, ServerSeed};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{seeded, table, with};

on_both_stores!(the_caller_wins_the_toss_if_the_coin_shows_the_call, |service| {
    for (caller, call, coin, winner) in [
        ("home", "heads", "heads", "home"),
        ("home", "heads", "tails", "away"),
        ("home", "tails", "tails", "home"),
        ("away", "tails", "heads", "home"),
        ("away", "heads", "heads", "away"),
    ] {
        let played = service.create(&table(1));
        let tossed = played.post("/toss", &json!({"caller": caller, "call": call, "coin": coin})).expect(201);
        let due = json!({"caller": caller, "call": call, "coin": coin, "winner": winner});
        assert_eq!(tossed["events"][0]["data"], due);
        assert_eq!(tossed["events"].as_array().map(Vec::len), Some(1));
        assert_eq!(
            (&tossed["next"]["what"], &tossed["next"]["side"]),
            (&json!("toss_decision"), &json!(winner))
        );
    }
});

on_both_stores!(the_coin_of_a_seeded_match_is_the_first_draw_of_its_seed, |service| {
    for first in ["01", "23", "45", "67", "89", "ab"] {
        let seed = first.repeat(32);
        let played = service.create(&with(seeded(1), "/seed", json!(seed)));
        let tossed = played.post("/toss", &json!({"caller": "away", "call": "tails"})).expect(201);
        let seed = ServerSeed::from_hex(&seed).expect("a seed");
        let mut dice = SeededDice::new(&seed.match_seed(&[]));
        dice.begin(Draw::TOSS);
        let coin = if dice.die(2) == 1 { "heads" } else { "tails" };
        assert_eq!(tossed["events"][0]["data"]["coin"], coin);
    }
});

on_both_stores!(the_winner_of_the_toss_says_who_bats_first, |service| {
    for (winner, to, batting) in
        [("home", "bat", "home"), ("home", "bowl", "away"), ("away", "bat", "away"), ("away", "bowl", "home")]
    {
        let played = service.create(&table(1));
        played.post("/toss", &json!({"caller": winner, "call": "heads", "coin": "heads"})).expect(201);
        let decided = played.post("/toss/decision", &json!({"to": to})).expect(201);
        assert_eq!(decided["events"][0]["data"], json!({"by": winner, "to": to}));
        assert_eq!(decided["events"][0]["kind"], "toss_decided");
        let fielding = if batting == "home" { "away" } else { "home" };
        assert_eq!((&decided["next"]["what"], &decided["next"]["side"]), (&json!("over"), &json!(fielding)));
        assert_eq!(played.bowl(&[2, 1])["score"]["innings"][0]["batting"], batting);
    }
});

on_both_stores!(a_match_says_what_may_be_called_and_decided, |service| {
    let played = service.create(&table(1));
    let legal = |view: &Value| view["next"]["legal"].clone();
    assert_eq!(legal(&played.view()), json!({"caller": ["home", "away"], "call": ["heads", "tails"]}));
    played.post("/toss", &json!({"caller": "home", "call": "heads", "coin": "heads"})).expect(201);
    assert_eq!(legal(&played.view()), json!({"to": ["bat", "bowl"]}));
});

//! The toss on the pad: who won it, then bat or bowl; or the call and the coin.

use serde_json::{Value, json};
use third_umpire_test_support::service::{Match, seeded_by_service, table, with};

use crate::games::board_game;
use crate::phone::Phone;
use crate::table::{Table, pad_of};

/// Counts every click of the page, and every letter typed.
const COUNTING: &str = "globalThis.taps = 0; globalThis.typed = 0;
  addEventListener('click', () => (taps += 1), true);
  addEventListener('keydown', () => (typed += 1), true)";

/// The kind, the version and the data of each event of a toss.
fn toss_of(played: &Match) -> Vec<Value> {
    let events = played.events().into_iter();
    let tossed = events.filter(|event| event["kind"].as_str().is_some_and(|kind| kind.starts_with("toss")));
    tossed.map(|event| json!([event["kind"], event["v"], event["data"]])).collect()
}

#[test]
fn a_first_match_of_howzat_takes_at_most_six_taps_and_no_typing() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens("/");
    phone.run(COUNTING, vec![]);
    phone.taps("[data-game='howzat']");
    phone.taps("[data-action='start']");
    phone.reads("#question", "Who won the toss?");
    phone.taps("[data-choice='away']");
    phone.waits_ms(400);
    phone.reads("#question", "Visitors won the toss");
    phone.taps("[data-choice='bowl']");
    phone.reads("#question", "Bowl die");
    phone.reads("[data-cell='striker']", "Home 1");
    assert!(phone.has("[data-die='1']"));
    let counted = phone.run("return [taps, typed]", vec![]);
    assert_eq!(counted, json!([4, 0]), "taps and keys from Home to the first die");
}

#[test]
fn a_wrong_toss_is_taken_back_before_the_first_ball() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = Match::create(service.client(), &table(1));
    phone.opens(&pad_of(&played));
    phone.reads(".undo-none", "Nothing to undo");
    phone.taps("[data-choice='home']");
    phone.waits_ms(400);
    phone.reads("[data-action='undo']", "Undo choice");
    phone.taps("[data-choice='bat']");
    phone.waits_ms(400);
    phone.reads("[data-action='undo']", "Undo toss…");
    phone.taps("[data-action='undo']");
    phone.reads("dialog[open] h2", "Take the toss back");
    phone.taps("[data-choice='key']");
    phone.reads("[data-action='confirm']", "Take back: the toss");
    phone.taps("[data-action='confirm']");
    phone.reads("#question", "Who won the toss?");
    phone.taps("[data-choice='away']");
    phone.waits_ms(400);
    phone.taps("[data-choice='bowl']");
    phone.reads("#question", "Bowl die");
    assert_eq!(played.view()["situation"]["batting"], "home");
    assert_eq!(
        toss_of(&played)[2..],
        [json!(["toss", 2, {"winner": "away"}]), json!(["toss_decided", 1, {"by": "away", "to": "bowl"}])]
    );
    assert_eq!(played.get("/audit").expect(200)["verdict"], "clean");
}

#[test]
fn a_winner_and_a_choice_are_the_toss_of_every_game() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let cubes = with(table(1), "/game", json!("cuberoots"));
    let cards = board_game(&service);
    for played in [Match::create(service.client(), &table(1)), Match::create(service.client(), &cubes), cards]
    {
        phone.opens(&pad_of(&played));
        if phone.has("[data-choice='pace']") {
            phone.taps("[data-choice='pace']");
            phone.waits_ms(400);
        }
        let away = played.view()["away"]["name"].as_str().expect("a name").to_owned();
        phone.reads("[data-choice='away']", &away);
        phone.taps("[data-choice='away']");
        phone.waits_ms(400);
        phone.reads("#question", &format!("{away} won the toss"));
        phone.reads("[data-choice='bat']", &format!("{away} bat first"));
        phone.taps("[data-choice='bat']");
        assert_eq!(
            toss_of(&played),
            [json!(["toss", 2, {"winner": "away"}]), json!(["toss_decided", 1, {"by": "away", "to": "bat"}]),]
        );
    }
}

#[test]
fn undo_leads_back_to_who_won_and_to_the_coin() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = Match::create(service.client(), &table(1));
    phone.opens(&pad_of(&played));
    let waits = |phone: &Phone| {
        phone.reads("#question", "Who won the toss?");
        assert!(phone.has("[data-choice='home']") && phone.has("[data-action='way']"));
    };
    phone.taps("[data-choice='home']");
    phone.waits_ms(400);
    phone.taps("[data-action='undo']");
    waits(&phone);
    phone.waits_ms(400);
    phone.taps("[data-action='way']");
    phone.reads("#question", "Toss now");
    phone.waits_ms(400);
    phone.taps("[data-action='undo']");
    waits(&phone);
    phone.waits_ms(400);
    phone.taps("[data-action='way']");
    for choice in ["caller", "call", "coin"] {
        phone.taps(&format!("label:has([name='toss-{choice}'])"));
    }
    phone.taps("[data-action='toss']");
    phone.reads("#question", "won the toss");
    let tossed = toss_of(&played);
    let [toss] = tossed.as_slice() else { panic!("{tossed:?}") };
    assert_eq!((&toss[1], &toss[2]["coin"]), (&json!(1), &json!("heads")));
}

#[test]
fn a_match_with_dice_of_the_service_is_tossed_by_the_service() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = Match::create(service.client(), &seeded_by_service(1));
    phone.opens(&pad_of(&played));
    assert!(!phone.has("[data-action='way']"), "{}", phone.text("body"));
    for choice in ["caller", "call"] {
        phone.taps(&format!("label:has([name='toss-{choice}'])"));
    }
    phone.taps("[data-action='toss']");
    phone.reads("#question", "won the toss");
    phone.taps("[data-choice='bowl']");
    assert!(phone.has("[data-action='bowl']"));
}

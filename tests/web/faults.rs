//! The pad where something goes wrong: what is typed is neither lost nor doubled, and the pad says why.

use serde_json::json;
use third_umpire_test_support::service::{HOME, Match, table, with};

use crate::phone::{Model, Phone};
use crate::proxy::Wire;
use crate::table::{Table, balls_of, pad_of};

/// The time that a ball is held.
const HOLD: u64 = 4000;

/// A match on a pad, whose first ball is due.
fn begun(phone: &Phone, service: &Table) -> Match {
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    played
}

/// Moves the clock on until what is kept has gone.
fn until_saved(phone: &Phone) {
    let saved = "moveClock(1000); return document.querySelector('.sync').dataset.sync === 'saved'";
    phone.waits("what is kept goes", saved);
    phone.settles();
}

#[test]
fn a_pad_without_a_token_only_watches() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    phone.opens(&format!("/m/{}/score", played.id));
    phone.reads(".pad-ask", "You watch.");
    phone.reads(".pad-ask", "scorer's link");
    assert!(!phone.has("[data-die]"));
}

#[test]
fn a_rotated_token_stops_the_pad_and_the_ball_is_still_there() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["401", "403"];
    let played = begun(&phone, &service);
    phone.rolls(2);
    phone.rolls(4);
    played.post("/tokens/scorer/rotate", &json!({})).expect(201);
    phone.waits_ms(HOLD);
    phone.reads(".pad-ask", "Not recorded: FOUR.");
    phone.taps("[data-action='theirs']");
    phone.reads(".pad-ask", "scorer's link");
    assert_eq!(balls_of(&played), 0);
}

#[test]
fn a_held_ball_goes_when_the_pad_is_left() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = begun(&phone, &service);
    for (ball, link) in [(1, "card"), (2, "home")] {
        phone.rolls(2);
        phone.rolls(4);
        if link == "home" {
            phone.taps("[data-action='more']");
        }
        phone.taps(&format!("[data-action='{link}']"));
        phone.waits_ms(HOLD);
        assert_eq!(balls_of(&played), ball, "{link}");
        phone.opens(&format!("/m/{}/score", played.id));
    }
}

#[test]
fn two_fingers_at_once_are_two_dice() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = begun(&phone, &service);
    phone.run("for (const face of [2, 4]) document.querySelector(`[data-die='${face}']`).click()", vec![]);
    phone.settles();
    phone.reads("#question", "FOUR");
    phone.waits_ms(HOLD);
    assert_eq!(balls_of(&played), 1);
}

#[test]
fn a_key_that_repeats_by_itself_counts_once() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    begun(&phone, &service);
    phone.presses("2", 5);
    phone.waits_ms(400);
    phone.reads("#question", "Strike die");
    phone.presses("4", 5);
    phone.reads("#question", "FOUR");
}

#[test]
fn a_face_that_a_die_has_not_is_refused_in_words_and_too_many_begin_the_next_ball() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = begun(&phone, &service);
    for key in ["0", "7", "9"] {
        phone.presses(key, 0);
        phone.reads("[data-said]", &format!("{key} is not one of its faces"));
    }
    // The third die is the first of the next ball.
    for key in ["2", "4", "3"] {
        phone.presses(key, 0);
    }
    assert!(!phone.has("[data-said]"));
    phone.reads("#question", "Strike die");
    assert_eq!(balls_of(&played), 1);
}

#[test]
fn two_tabs_of_one_pad_show_the_same_and_record_a_ball_once() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = begun(&phone, &service);
    phone.opens_tab();
    phone.opens(&format!("/m/{}/score", played.id));
    phone.rolls(2);
    phone.looks_at_tab(0);
    phone.waits("the die is here", "return document.querySelector('#question').innerText === 'Strike die'");
    phone.rolls(4);
    phone.reads("h1", "4 for 0");
    phone.looks_at_tab(1);
    phone.waits("the ball is here", "return document.querySelector('h1').innerText.includes('4 for 0')");
    phone.waits_ms(HOLD);
    phone.looks_at_tab(0);
    phone.waits_ms(2 * HOLD);
    assert_eq!(balls_of(&played), 1);
    // The next ball is typed in the one, and taken back in the other.
    phone.waits_ms(400);
    phone.rolls(3);
    phone.looks_at_tab(1);
    phone.waits("the die is here", "return document.querySelector('#question').innerText === 'Strike die'");
    phone.taps("[data-action='undo']");
    phone.looks_at_tab(0);
    phone.waits("the die is gone", "return document.querySelector('#question').innerText === 'Bowl die'");
    phone.waits_ms(2 * HOLD);
    assert_eq!(balls_of(&played), 1);
}

#[test]
fn the_bowler_chosen_in_one_tab_bowls_the_ball_that_another_tab_ends() {
    for is_begun in [false, true] {
        let service = Table::laid();
        let Some(phone) = Phone::at(&service.address()) else { return };
        let played = begun(&phone, &service);
        if is_begun {
            phone.rolls(2);
        }
        phone.taps("[data-cell='bowler']");
        phone.taps("dialog [data-choice='Nash']");
        phone.opens_tab();
        phone.opens(&format!("/m/{}/score", played.id));
        phone.reads("[data-cell='bowler']", "Nash bowls");
        if !is_begun {
            phone.rolls(2);
        }
        phone.rolls(4);
        phone.reads("[data-cell='bowler']", "Nash to bowl");
        phone.reads("[data-action='undo']", "Undo four");
        phone.looks_at_tab(0);
        phone.waits("the ball is here", "return document.querySelector('h1').innerText.includes('4 for 0')");
        phone.reads("[data-action='undo']", "Undo four");
        phone.looks_at_tab(1);
        phone.waits_ms(HOLD);
        phone.reads("[data-cell='bowler']", "Nash to bowl");
        let play = crate::table::play_of(&played);
        assert_eq!(play[0]["data"]["choices"]["bowler"], json!("Nash"), "{play:#?}");
        assert_eq!(balls_of(&played), 1);
    }
}

#[test]
fn an_over_begun_elsewhere_keeps_its_bowler_and_the_pad_goes_on() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = begun(&phone, &service);
    phone.taps("[data-cell='bowler']");
    phone.taps("dialog [data-choice='Nash']");
    played.bowl(&[2, 6]);
    phone.waits("the ball is there", "return document.querySelector('h1').innerText.includes('6 for 0')");
    phone.rolls(2);
    phone.rolls(4);
    phone.reads("[data-cell='bowler']", "Verity to bowl");
    phone.waits_ms(HOLD);
    phone.reads(".sync", "saved");
    assert_eq!(balls_of(&played), 2);
}

#[test]
fn a_kept_ball_stays_in_sight_without_a_connection() {
    let mut service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["net::ERR_", "Failed to load resource", "Failed to fetch"];
    begun(&phone, &service);
    phone.rolls(2);
    phone.rolls(4);
    service.stops();
    phone.waits_ms(HOLD);
    phone.waits("the loss is said", "return document.querySelector('.sync').dataset.sync === 'lost'");
    phone.reads(".sync", "no connection, 1 kept here");
    let dice = "return document.querySelectorAll('.strip .cell.kept .die').length";
    assert_eq!(phone.run(dice, vec![]), 2, "the ball is dashed, with its dice");
    phone.reads(".ask", "FOUR");
    assert!(phone.has(".plates.stale"), "the score is not the service's");
    phone.reads(".undo-none", "kept here, not sent yet");
}

#[test]
fn a_slow_service_is_waited_for_and_nothing_is_typed_twice() {
    let service = Table::laid();
    let (wire, address) = service.wired();
    let Some(mut phone) = Phone::at(&address) else { return };
    phone.expected = vec!["net::ERR_", "Failed to load resource", "Failed to fetch"];
    let played = begun(&phone, &service);
    wire.turns(Wire::Slow);
    phone.run("document.querySelector(\"[data-die='2']\").click()", vec![]);
    phone.waits("the keys wait", "return document.querySelector('.keys [aria-disabled]') !== null");
    phone.run("moveClock(400); document.querySelector(\"[data-die='4']\").click()", vec![]);
    wire.turns(Wire::Through);
    phone.waits(
        "the die is known",
        "moveClock(1000); return document.querySelector('#question').innerText === 'Strike die'",
    );
    phone.settles();
    phone.rolls(4);
    until_saved(&phone);
    assert_eq!(balls_of(&played), 1);
}

#[test]
fn a_ball_goes_once_after_a_service_that_answers_500() {
    let service = Table::laid();
    let (wire, address) = service.wired();
    let Some(mut phone) = Phone::at(&address) else { return };
    phone.expected = vec!["500", "net::ERR_", "Failed to load resource", "Failed to fetch"];
    let played = begun(&phone, &service);
    phone.rolls(2);
    phone.rolls(4);
    wire.turns(Wire::Fails);
    phone.waits_ms(HOLD);
    phone.waits("the loss is said", "return document.querySelector('.sync').dataset.sync === 'lost'");
    phone.reads(".sync", "1 kept here");
    assert_eq!(balls_of(&played), 0);
    wire.turns(Wire::Through);
    until_saved(&phone);
    assert_eq!(balls_of(&played), 1);
    phone.reads("h1", "4 for 0");
}

/// Where the browser keeps nothing: the store does not open, or takes no row.
const NO_STORE: &str =
    "IDBFactory.prototype.open = () => { throw new DOMException('refused', 'SecurityError'); }";
const FULL_STORE: &str =
    "IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); }";

#[test]
fn a_browser_that_keeps_nothing_is_told_and_scoring_goes_on() {
    for refusal in [NO_STORE, FULL_STORE] {
        let service = Table::laid();
        let Some(phone) = Phone::at(&service.address()) else { return };
        phone.prepares(refusal);
        let played = begun(&phone, &service);
        phone.reads("[data-hint]", "This browser keeps nothing more.");
        phone.taps("[data-action='heard']");
        assert!(!phone.has("[data-hint]"), "it is said once");
        phone.rolls(2);
        phone.rolls(4);
        phone.waits_ms(HOLD);
        phone.reads(".sync", "saved");
        assert_eq!(balls_of(&played), 1);
    }
}

#[test]
fn names_are_text_whatever_they_hold() {
    let service = Table::laid();
    let Some(phone) = Phone::of(Model { width: 320, ..Model::default() }, &service.address()) else { return };
    let long = "A".repeat(100);
    let script = "<script>globalThis.ran = 1</script>";
    let mut players: Vec<String> = HOME.map(str::to_owned).to_vec();
    players.splice(0..4, [script, "محمد عامر", "🏏 Fox", &long].map(str::to_owned));
    let request = with(
        with(table(2), "/home/players", json!(players)),
        "/home/name",
        json!(format!("{}🏏", &long[2..])),
    );
    let request = with(request, "/away/name", json!("مل لین"));
    let played = service.begun(&request);
    phone.opens(&pad_of(&played));
    phone.reads("[data-cell='striker']", "script>");
    phone.reads("[data-cell='partner']", "عامر");
    phone.rolls(2);
    phone.rolls(5);
    phone.waits_ms(HOLD);
    let wide = "return document.documentElement.scrollWidth - innerWidth";
    assert_eq!(phone.run(wide, vec![]), 0, "nothing is wider than the phone");
    phone.taps("[data-action='card']");
    phone.reads("main", script);
    assert_eq!(phone.run(wide, vec![]), 0, "nothing of the card is wider than the phone");
    assert_eq!(phone.run("return globalThis.ran ?? 0", vec![]), 0);
}

#[test]
fn a_match_that_is_over_has_no_keys_and_says_its_result() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    played.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    phone.opens(&pad_of(&played));
    assert!(!phone.has("[data-die]") && phone.has("[data-action='again']"));
    phone.reads(".box", "Abandoned");
    phone.presses("2", 0);
    phone.waits_ms(HOLD);
    assert_eq!(balls_of(&played), 0);
}

//! A match that is abandoned on its pad, by a second and different tap.

use serde_json::json;
use third_umpire_test_support::service::{seeded_by_service, table};

use crate::phone::Phone;
use crate::proxy::{Wire, on_a_wire};
use crate::table::{Table, balls_of, pad_of, play_of};

/// Opens the sheet on which a match is abandoned.
fn asks_to_abandon(phone: &Phone) {
    phone.taps("[data-action='more']");
    phone.taps("dialog [data-action='abandon']");
}

#[test]
fn a_match_with_dice_of_the_table_is_abandoned_and_taken_up_again() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    played.bowl(&[2, 4]);
    phone.opens(&pad_of(&played));
    asks_to_abandon(&phone);
    phone.reads("dialog", "It ends without a result. It can be taken back.");
    phone.taps("dialog [data-choice='on']");
    assert_eq!(played.view()["status"], "in_play", "nothing has happened");
    asks_to_abandon(&phone);
    phone.taps("dialog [data-choice='rain']");
    phone.reads(".sync", "finished");
    phone.reads("body", "Abandoned");
    let last = play_of(&played).pop().expect("an event");
    assert_eq!((&last["kind"], &last["data"]["reason"]), (&json!("match_abandoned"), &json!("Rain")));
    for (page, why) in [("board", "Rain"), ("card", "Abandoned: Rain")] {
        phone.opens(&format!("/m/{}/{page}", played.id));
        phone.reads(".why", why);
    }
    phone.opens(&pad_of(&played));
    assert_eq!(phone.text(".undo"), "Undo abandonment\u{2026}");
    phone.taps(".undo");
    phone.reads("dialog", "Play goes on where it was.");
    phone.taps("dialog [data-choice='key']");
    phone.reads("dialog [data-action='confirm']", "Take back: the abandonment");
    phone.taps("dialog [data-action='confirm']");
    phone.reads("#question", "Bowl die");
    phone.reads("h1", "4 for 0");
    assert_eq!(played.view()["status"], "in_play");
    assert_eq!(played.view().get("abandoned_for"), None);
}

#[test]
fn a_match_with_dice_of_the_service_says_first_that_its_end_is_final() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&seeded_by_service(2));
    phone.opens(&pad_of(&played));
    asks_to_abandon(&phone);
    phone.reads("dialog", "this cannot be taken back");
    phone.taps("dialog [data-choice='late']");
    phone.reads(".sync", "finished");
    assert_eq!(played.view()["status"], "abandoned");
    assert!(!phone.has("button.undo"), "{}", phone.text("body"));
}

#[test]
fn an_abandonment_goes_behind_what_is_kept_here() {
    let service = Table::laid();
    let Some((wire, phone)) = on_a_wire(&service) else { return };
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    phone.rolls(2);
    wire.turns(Wire::Fails);
    phone.rolls(4);
    asks_to_abandon(&phone);
    phone.taps("dialog [data-choice='rain']");
    phone.waits_ms(4000);
    assert_eq!(balls_of(&played), 0);
    wire.turns(Wire::Through);
    phone.waits_ms(4000);
    phone.waits("all has gone", "return document.querySelector('.sync')?.dataset.sync === 'finished'");
    assert_eq!((balls_of(&played), played.view()["status"].clone()), (1, json!("abandoned")));
}

//! How often a pad asks the service: one preview a die, one append a ball, and the match once.

use third_umpire_test_support::service::{Cup, table, until};

use crate::games::dice_of;
use crate::liar::{Fate, Liar, Trace};
use crate::phone::Phone;
use crate::table::{Table, balls_of, pad_of};

/// The time that a ball is held.
const HOLD: u64 = 4000;

/// How often a pad has asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Asked {
    previews: u64,
    appends: u64,
    reads: u64,
}

impl Asked {
    fn of(wire: &Liar) -> Asked {
        let asked = wire.asked();
        let count = |kind: &str| asked.get(kind).copied().unwrap_or_default();
        Asked { previews: count("POST balls/preview"), appends: count("POST balls"), reads: count("GET ") }
    }

    fn reads(wire: &Liar) -> u64 {
        Asked::of(wire).reads
    }
}

/// Types a ball that is a four, and holds it.
fn types_a_four(phone: &Phone) {
    phone.rolls(2);
    phone.rolls(4);
}

/// Waits until the page shows a score.
fn shows(phone: &Phone, score: &str) {
    let script = format!("return document.querySelector('h1').innerText.includes({score:?})");
    phone.waits("the ball is there", &script);
    phone.settles();
}

#[test]
fn a_match_of_taps_asks_one_preview_a_die_and_one_append_a_ball_and_reads_the_match_once() {
    let (service, trace) = (Table::laid(), Trace::default());
    let (wire, address) = service.lied_about(1, &trace);
    let Some(phone) = Phone::at(&address) else { return };
    let (typed, sent) = (service.begun(&table(2)), service.begun(&table(2)));
    let mut cup = Cup::new(7);
    while sent.view()["status"] == "in_play" {
        sent.throw(&mut cup);
    }
    let balls = dice_of(&sent);
    phone.opens(&pad_of(&typed));
    let dice = balls.iter().flatten();
    dice.clone().for_each(|face| phone.rolls(*face));
    phone.waits_ms(HOLD);
    phone.reads(".sync", "finished");
    assert_eq!(dice_of(&typed), balls);
    let due = Asked { previews: dice.count() as u64, appends: balls.len() as u64, reads: 1 };
    assert_eq!(Asked::of(&wire), due, "{}", trace.text());
    let all: u64 = wire.asked().values().sum();
    println!("{} balls, {} dice, {all} requests: {:?}", balls.len(), due.previews, wire.asked());
}

#[test]
fn a_ball_with_its_over_begun_before_it_is_two_appends_and_no_read() {
    let (service, trace) = (Table::laid(), Trace::default());
    let (wire, address) = service.lied_about(2, &trace);
    let Some(phone) = Phone::at(&address) else { return };
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    phone.taps("[data-cell='bowler']");
    phone.taps("dialog [data-choice='Nash']");
    types_a_four(&phone);
    phone.waits_ms(HOLD);
    phone.reads(".sync", "saved");
    phone.reads("[data-cell='bowler']", "Nash");
    assert_eq!(wire.asked().get("POST overs"), Some(&1));
    assert_eq!((balls_of(&played), Asked::reads(&wire)), (1, 1), "{}", trace.text());
}

#[test]
fn an_event_of_another_phone_is_one_read() {
    let (service, trace) = (Table::laid(), Trace::default());
    let (wire, address) = service.lied_about(3, &trace);
    let Some(phone) = Phone::at(&address) else { return };
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    // The over that begins is an event as well.
    played.bowl(&[2, 6]);
    shows(&phone, "6 for 0");
    types_a_four(&phone);
    phone.waits_ms(HOLD);
    phone.reads("h1", "10 for 0");
    assert_eq!(Asked::of(&wire), Asked { previews: 2, appends: 1, reads: 2 }, "{}", trace.text());
}

#[test]
fn an_answer_that_is_lost_is_one_read() {
    let (service, trace) = (Table::laid(), Trace::default());
    let (wire, address) = service.lied_about(4, &trace);
    let Some(mut phone) = Phone::at(&address) else { return };
    phone.expected = vec!["net::ERR_", "Failed to load resource", "Failed to fetch"];
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    types_a_four(&phone);
    wire.fates_next("POST balls", Fate::Lost);
    phone.waits_ms(HOLD);
    phone.until_saved();
    phone.reads("h1", "4 for 0");
    assert_eq!(balls_of(&played), 1);
    assert_eq!(Asked::of(&wire), Asked { previews: 2, appends: 2, reads: 2 }, "{}", trace.text());
    // The next ball reads nothing again.
    types_a_four(&phone);
    phone.waits_ms(HOLD);
    phone.reads("h1", "8 for 0");
    assert_eq!(Asked::of(&wire), Asked { previews: 4, appends: 3, reads: 2 }, "{}", trace.text());
}

#[test]
fn a_stop_is_one_read() {
    let (service, trace) = (Table::laid(), Trace::default());
    let (wire, address) = service.lied_about(5, &trace);
    let Some(mut phone) = Phone::at(&address) else { return };
    phone.expected = vec!["412"];
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    types_a_four(&phone);
    played.bowl(&[2, 6]);
    // The ball of the other phone is one read, and the stop that follows from it is another.
    until("the pad has read it", || Asked::reads(&wire) == 2);
    phone.waits_ms(HOLD);
    phone.taps("[data-action='theirs']");
    phone.reads("h1", "6 for 0");
    assert_eq!(Asked::reads(&wire), 3, "{}", trace.text());
}

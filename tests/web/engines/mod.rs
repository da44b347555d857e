//! The engines that phones have: one plan by taps in Chromium, in WebKit, which iPhones have, and in
//! Firefox. The clock is the real one. The pages have the names of machines on a network, so they are no
//! secure context.

mod engine;
mod hosts;

use std::cell::Cell;
use std::time::Duration;

use serde_json::{Value, json};
use third_umpire_test_support::service::{Cup, Match, table};

use crate::games::dice_of;
use crate::hand::Hand;
use crate::handing::{elsewhere, gives};
use crate::table::Table;
use engine::Engine;

/// How long a finger takes to another key. What comes sooner is a second finger to the pages.
const FINGER: Duration = Duration::from_millis(100);
/// How long it takes to come back to the same key. What comes sooner is a slip.
const SAME_FINGER: Duration = Duration::from_millis(350);
/// The time that a ball is held.
const HOLD: Duration = Duration::from_secs(4);
/// The size of a phone's window, as far as a browser without a phone can be so small.
const SIZE: (u32, u32) = (390, 760);
/// The name by which the second phone knows the service. Its browser keeps nothing of the other name.
const OTHER_NAME: &str = "pavilion.test";
/// Notes what goes wrong in a page from now on.
const NOTES: &str = "
  const faults = (window.faults = []);
  addEventListener('error', (event) => faults.push(`${event.message}`));
  addEventListener('unhandledrejection', (event) => faults.push(`${event.reason}`));
  document.addEventListener('securitypolicyviolation', (event) => faults.push(event.violatedDirective));";
const SAVED: &str = "return document.querySelector('.sync')?.dataset.sync === 'saved'";

#[test]
fn a_match_is_scored_and_handed_over_by_taps_in_chromium() {
    plays(Engine::Chromium);
}

#[test]
fn a_match_is_scored_and_handed_over_by_taps_in_webkit() {
    plays(Engine::WebKit);
}

#[test]
fn a_match_is_scored_and_handed_over_by_taps_in_firefox() {
    plays(Engine::Firefox);
}

/// A scorer, who looks at one page.
struct Scorer<'a> {
    hand: &'a Hand,
    /// The face that was entered last.
    last: Cell<u8>,
}

impl Scorer<'_> {
    fn opens(&self, address: &str) {
        self.hand.opens(address);
        self.hand.run(NOTES, vec![]);
    }

    /// Loads the page again.
    fn reloads(&self) {
        self.finds_no_faults();
        self.hand.reloads();
        self.hand.run(NOTES, vec![]);
    }

    fn finds_no_faults(&self) {
        assert_eq!(self.hand.run("return window.faults", vec![]), json!([]));
    }

    /// Enters a number of a die.
    #[track_caller]
    fn rolls(&self, face: u8) {
        let is_same = self.last.replace(face) == face;
        std::thread::sleep(if is_same { SAME_FINGER } else { FINGER });
        self.hand.taps(&format!("[data-die='{face}']"));
    }

    #[track_caller]
    fn bowls(&self, balls: &[Vec<u8>]) {
        balls.iter().flatten().for_each(|face| self.rolls(*face));
    }

    fn undoes(&self, words: &str) {
        self.hand.reads("[data-action='undo']", words);
        self.hand.taps("[data-action='undo']");
    }

    /// Waits until the last ball is recorded.
    fn is_saved(&self) {
        std::thread::sleep(HOLD);
        self.hand.waits("the ball is saved", SAVED);
    }

    /// Takes the scoring by the link of a code.
    fn takes_over(&self, link: &str) {
        self.opens(link);
        let address = self.hand.run("return location.href", vec![]);
        assert!(!address.to_string().contains("invite"), "{address}");
        self.hand.taps("[data-action='claim']");
        self.hand.waits("the keys are open", "return document.querySelector('[data-die]') !== null");
    }

    fn watches(&self) {
        let is_without_keys = "return document.querySelector('[data-die]') === null";
        self.hand.waits("this one watches", is_without_keys);
    }
}

/// The dice of a match of an over a side, ball by ball, as a service of its own takes them.
fn thrown() -> Vec<Vec<u8>> {
    let service = Table::laid();
    let (played, mut cup) = (service.begun(&table(1)), Cup::new(7));
    while played.view()["status"] == "in_play" {
        played.throw(&mut cup);
    }
    dice_of(&played)
}

/// Makes a match of one over a side from Home, and tosses.
fn begins(service: &Table, scorer: &Scorer) -> Match {
    let hand = scorer.hand;
    scorer.opens("/");
    let secure = hand.run("return [isSecureContext, crypto.subtle === undefined]", vec![]);
    assert_eq!(secure, json!([false, true]), "the page is one of a plain network");
    hand.taps("[data-game='howzat']");
    hand.taps("summary");
    hand.taps("#option-overs");
    hand.types("#option-overs", "\u{e003}1");
    hand.reads("summary", "1 over");
    hand.taps("[data-action='start']");
    hand.reads("#question", "Who won the toss?");
    hand.taps("[data-choice='home']");
    std::thread::sleep(FINGER);
    hand.taps("[data-choice='bat']");
    let path = hand.run("return location.pathname", vec![]);
    let id = path.as_str().and_then(|path| path.split('/').nth(2)).expect("the pad of a match");
    Match { client: service.client().clone(), id: id.to_owned(), token: String::new() }
}

/// Scores a match: an undo, a reload in a ball, and the scoring handed over and back.
fn plays(engine: Engine) {
    let service = Table::laid();
    let Some(browser) = engine.opens(&service.address()) else { return };
    let hand = &browser.hand;
    hand.resizes(SIZE);
    let balls = thrown();
    let scorer = Scorer { hand, last: Cell::new(0) };
    let played = begins(&service, &scorer);

    let [first, second, third, rest @ ..] = balls.as_slice() else { panic!("{balls:?}") };
    scorer.rolls(first[0]);
    scorer.undoes("Undo die");
    hand.reads("#question", "Bowl die");
    scorer.bowls(&[first.clone(), second.clone()]);
    scorer.undoes("Undo");
    scorer.rolls(second[second.len() - 1]);
    scorer.rolls(third[0]);
    scorer.reloads();
    third[1..].iter().for_each(|face| scorer.rolls(*face));
    scorer.is_saved();

    // The second phone takes over for some balls, and hands back.
    let (theirs, ours) = rest.split_at(rest.len() / 2);
    let (here, link) = (hand.tab(), gives(hand));
    hand.opens_window();
    hand.resizes(SIZE);
    let there = hand.tab();
    scorer.takes_over(&elsewhere(&service, &link, OTHER_NAME));
    scorer.bowls(theirs);
    scorer.is_saved();
    let link = gives(hand);
    hand.looks_at(&here);
    scorer.watches();
    scorer.finds_no_faults();
    scorer.takes_over(&elsewhere(&service, &link, "table.test"));
    scorer.bowls(ours);
    std::thread::sleep(HOLD);
    hand.waits("the end is said", "return document.querySelector('.sync')?.innerText.includes('finished')");
    scorer.finds_no_faults();
    hand.looks_at(&there);
    scorer.watches();
    scorer.finds_no_faults();

    assert_eq!(dice_of(&played), balls, "every ball is in the log once, in order");
    assert_ne!(played.view()["status"], Value::from("in_play"));
    played.audits_clean();
    played.audits_clean_offline();
}

//! A storm: a pad scores a match by taps while the wire lies, the service is killed, and the page is loaded
//! again, dies, or loses its tab. Each tap that the screen has shown is in the log once, and in order, but
//! for the last die of an unfinished ball, which is shown while it is written.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};
use third_umpire_test_support::random::Lcg;
use third_umpire_test_support::service::{Match, table};

use crate::liar::{Liar, Trace, Weather};
use crate::phone::Phone;
use crate::table::{Table, balls_of, pad_of};

const DYING: &str = include_str!("dying.js");
/// Reads the screen and the rows of the store.
const READING: &str = include_str!("storm.js");
/// How often the screen is read after a tap, until it shows it, and the time between two looks: a page that
/// shares its processor with others has a quarter of a second.
const LOOKS: usize = 60;
const BETWEEN_LOOKS: Duration = Duration::from_millis(4);
/// How long the calm at the end may take, in seconds of the page.
const CALM: usize = 300;
/// What the console may say: that requests fail, and that a page is dead.
const EXPECTED: [&str; 6] =
    ["net::ERR_", "Failed to load resource", "Failed to fetch", "503", "the page is dead", "beforeunload"];

/// What a person sees.
#[derive(Debug, Clone, PartialEq)]
struct Screen {
    /// The dice of the ball that is typed, or of the one that stands there as held.
    dice: Vec<u8>,
    is_held: bool,
    keys: Vec<u8>,
    sync: String,
    can_undo: bool,
    is_settled: bool,
    is_dead: bool,
    whole: Value,
}

impl Screen {
    fn of(whole: Value) -> Screen {
        let faces = |name: &str| {
            let faces = whole[name].as_array().into_iter().flatten();
            faces.filter_map(Value::as_u64).filter_map(|face| u8::try_from(face).ok()).collect()
        };
        let is = |name: &str| whole[name] == true;
        Screen {
            dice: faces("dice"),
            keys: faces("keys"),
            sync: whole["sync"].as_str().unwrap_or_default().to_owned(),
            can_undo: is("solid") || whole["undo"] == "Undo die",
            is_held: is("held"),
            is_settled: is("settled"),
            is_dead: is("dead"),
            whole,
        }
    }

    /// The dice of a ball that is not whole.
    fn typed(&self) -> &[u8] {
        if self.is_held { &[] } else { &self.dice }
    }
}

/// What was done in a storm.
#[derive(Debug, Default)]
struct Done {
    taps: usize,
    shown: usize,
    undone: usize,
    reloads: usize,
    deaths: usize,
    tabs: usize,
    kills: usize,
}

struct Storm {
    phone: Phone,
    liar: Liar,
    service: Table,
    is_up: bool,
    played: Match,
    lcg: Lcg,
    trace: Trace,
    /// The faces that the log may come to: several where the screen has not shown whether a tap counts.
    possible: BTreeSet<Vec<u8>>,
    /// The faces before the last deed that was shown, where that concerned a die of an unfinished ball: a
    /// page that goes away may not have written it.
    before: BTreeSet<Vec<u8>>,
    done: Done,
}

impl Storm {
    /// `None` where the machine has no browser.
    fn gathers(seed: u64, trace: &Trace) -> Option<Storm> {
        let service = Table::laid();
        let (liar, address) = service.lied_about(seed, trace);
        let mut phone = Phone::without_motion(&address)?;
        phone.expected = EXPECTED.to_vec();
        phone.prepares(DYING);
        phone.prepares(READING);
        let played = service.begun(&table(20));
        phone.opens(&pad_of(&played));
        let (possible, done) = (BTreeSet::from([Vec::new()]), Done::default());
        let (lcg, trace) = (Lcg(seed), trace.clone());
        Some(Storm {
            phone,
            liar,
            service,
            is_up: true,
            played,
            lcg,
            trace,
            possible,
            before: BTreeSet::new(),
            done,
        })
    }

    /// Reads the screen. Nobody else scores, so the pad has nothing to ask a person.
    fn looks(&self) -> Screen {
        let screen = Screen::of(self.phone.run("return screenNow()", vec![]));
        assert_ne!(screen.sync, "stopped", "the pad stops: {}", self.phone.text("body"));
        screen
    }

    fn notes(&self, what: &str, screen: &Screen) {
        self.trace.notes(format!("{what}: {}", screen.whole));
    }

    /// Does something, and looks until the screen is as it should be. Returns whether it came to that.
    fn shows(&self, deed: &str, is_shown: impl Fn(&Screen) -> bool) -> bool {
        self.phone.run(deed, vec![]);
        let mut screen = self.looks();
        for _ in 0..LOOKS {
            if is_shown(&screen) || screen.is_settled || screen.is_dead {
                break;
            }
            std::thread::sleep(BETWEEN_LOOKS);
            screen = self.looks();
        }
        let shown = is_shown(&screen) && !screen.is_dead;
        self.notes(if shown { "  shown" } else { "  not shown" }, &screen);
        shown
    }

    /// Taps a key that is open.
    fn taps(&mut self, before: &Screen) {
        let face = before.keys[self.lcg.below(before.keys.len())];
        self.notes(&format!("tap {face}"), before);
        let whole = [before.typed(), &[face]].concat();
        let tap = format!("document.querySelector(\"[data-die='{face}']\")?.click()");
        let was_held = before.is_held;
        let shown = self.shows(&tap, |screen| screen.dice == whole && !(screen.is_held && was_held));
        let tapped = self.possible.iter().map(|faces| [&faces[..], &[face]].concat()).collect();
        self.becomes(tapped, shown);
        self.done.taps += 1;
        self.done.shown += usize::from(shown);
        self.waits(400);
    }

    /// Takes back a die that has not gone.
    fn undoes(&mut self, before: &Screen) {
        let Some((_, fewer)) = before.dice.split_last() else { return };
        self.notes("undo", before);
        let undo = "document.querySelector(\"[data-action='undo']\")?.click()";
        let (has_one, fewer) = (fewer.is_empty(), fewer.to_vec());
        let shown = self
            .shows(undo, |screen| if has_one { screen.typed().is_empty() } else { screen.typed() == fewer });
        let undone =
            self.possible.iter().map(|faces| faces[..faces.len().saturating_sub(1)].to_vec()).collect();
        self.becomes(undone, shown);
        self.done.undone += 1;
        self.waits(400);
    }

    /// What the log may come to now. Where nothing was shown, it may also be as it was.
    fn becomes(&mut self, possible: BTreeSet<Vec<u8>>, shown: bool) {
        let before = std::mem::replace(&mut self.possible, possible);
        let is_held = self.looks().is_held;
        if !shown {
            self.possible.extend(before);
        } else {
            self.before = before;
        }
        if is_held {
            self.before.clear();
        }
    }

    fn waits(&self, ms: u64) {
        self.trace.notes(format!("wait {ms}"));
        self.phone.run("moveClock(arguments[0])", vec![json!(ms)]);
    }

    /// The faces in the log. It has no other than those that were tapped, in their order.
    fn recorded(&mut self) -> Vec<u8> {
        self.rises();
        let events = self.played.events();
        let balls = events.iter().filter(|event| event["kind"] == "ball");
        let dice = balls.flat_map(|ball| ball["data"]["dice"].as_array().cloned().unwrap_or_default());
        let faces: Vec<u8> = dice.filter_map(|die| die["value"].as_u64()?.try_into().ok()).collect();
        self.trace.notes(format!("log {faces:?}"));
        self.possible.retain(|possible| possible.starts_with(&faces));
        assert!(
            !self.possible.is_empty(),
            "the log has what was not tapped, or not what was shown: {faces:?}"
        );
        faces
    }

    fn rises(&mut self) {
        if !self.is_up {
            self.trace.notes("the service rises".to_owned());
            self.service.starts();
            self.played = self.played.through(self.service.client());
            self.is_up = true;
        }
    }

    fn falls(&mut self) {
        if self.is_up {
            self.trace.notes("the service falls".to_owned());
            self.service.stops();
            (self.is_up, self.done.kills) = (false, self.done.kills + 1);
        }
    }

    fn notes_rows(&self) {
        self.trace.notes(format!("  rows {}", self.phone.run("return rowsNow()", vec![])));
    }

    /// The page goes away: what it was writing may be lost.
    fn goes_away(&mut self) {
        self.possible.append(&mut self.before);
    }

    /// Loads the page again.
    fn reloads(&mut self) {
        self.trace.notes("reload".to_owned());
        self.goes_away();
        self.notes_rows();
        self.recorded();
        self.phone.goes_to(&format!("/m/{}/score", self.played.id));
        self.notes_rows();
        self.done.reloads += 1;
    }

    /// The page dies at one of its next moments, with a tap before or behind it.
    fn dies(&mut self) {
        let moment = 1 + self.lcg.below(9);
        self.trace.notes(format!("the page dies at moment {moment}"));
        self.phone.run("dieAt(arguments[0])", vec![json!(moment)]);
        let screen = self.looks();
        if !screen.keys.is_empty() {
            self.taps(&screen);
        }
        self.waits(4000);
        self.done.deaths += 1;
        self.reloads();
    }

    /// The tab is closed, and another one opened.
    fn changes_tab(&mut self) {
        self.trace.notes("the tab is closed".to_owned());
        self.goes_away();
        self.recorded();
        self.phone.changes_tab(&[DYING, READING]);
        self.phone.goes_to(&format!("/m/{}/score", self.played.id));
        self.notes_rows();
        self.done.tabs += 1;
    }

    /// One deed of the storm.
    fn blows(&mut self) {
        self.liar.deed();
        let screen = self.looks();
        let is_known = self.possible.iter().any(|faces| faces.ends_with(screen.typed()));
        assert!(is_known, "the screen has what was not tapped: {}", screen.whole);
        match self.lcg.below(100) {
            0..5 => self.reloads(),
            5..10 => self.dies(),
            10..13 => self.changes_tab(),
            13..17 => self.falls(),
            17..29 => self.rises(),
            29..34 if screen.can_undo => self.undoes(&screen),
            _ if !screen.keys.is_empty() => self.taps(&screen),
            draw => self.waits([1000, 4000, 15_000][draw % 3]),
        }
    }

    /// The storm is over: the ball that was begun is finished, and all that is kept goes.
    fn calms(&mut self) {
        self.trace.notes("calm".to_owned());
        self.liar.turns(Weather::Calm);
        self.reloads();
        for _ in 0..CALM {
            let screen = self.looks();
            if !screen.typed().is_empty() && !screen.keys.is_empty() {
                self.taps(&screen);
            } else if screen.sync == "saved" && screen.is_settled && screen.dice.is_empty() {
                return;
            } else {
                // The time passes no faster than the page goes on.
                self.phone.waits_ms(1000);
            }
        }
        panic!("what is kept never goes: {}", self.phone.text("body"));
    }

    /// The words of what was done, for who runs it.
    fn tells(&self, seed: u64) {
        let fates = self.liar.fates();
        let requests: usize = fates.values().sum();
        let balls = balls_of(&self.played);
        println!("storm {seed}: {balls} balls, {requests} requests {fates:?}, {:?}", self.done);
    }
}

/// Prints what was done and seen, where a test fails.
struct Printed(Trace);

impl Drop for Printed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("{}", self.0.text());
        }
    }
}

/// A storm of so many taps. Returns false where the machine has no browser.
fn blows(seed: u64, taps: usize) -> bool {
    println!("storm {seed} begins");
    let printed = Printed(Trace::default());
    let Some(mut storm) = Storm::gathers(seed, &printed.0) else { return false };
    storm.liar.turns(Weather::Storm);
    for _ in 0..20 * taps {
        if storm.done.taps < taps {
            storm.blows();
        }
    }
    storm.calms();
    let faces = storm.recorded();
    assert!(storm.possible.contains(&faces), "not in the log: {:?}, which has {faces:?}", storm.possible);
    storm.tells(seed);
    let complaints = storm.phone.complaints();
    assert!(complaints.is_empty(), "the browser complains: {complaints:#?}");
    true
}

/// The number that a variable of the environment gives.
fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn a_short_storm_loses_and_doubles_no_tap() {
    blows(11, 12);
}

#[test]
#[ignore = "STORMS storms take half a minute each; STORM_SEED is the seed of the first"]
fn storms_lose_and_double_no_tap() {
    let first = number("STORM_SEED", 1);
    for seed in first..first + number("STORMS", 3) {
        blows(seed, 60);
    }
}

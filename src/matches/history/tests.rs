//! Histories of a match: snapshots, corrections, and corrections that name nothing.

use chrono::DateTime;
use serde_json::json;

use super::*;
use crate::log::{Actor, Correction, EventData, Head, MatchId};
use crate::matches::MatchSettings;
use crate::matches::test_match::{created, seed};

/// A log in the making: its events, and the match after each.
struct Scored {
    head: Head,
    events: Vec<Event>,
    history: History<Match>,
    /// The match after each number of live events.
    after: Vec<Match>,
}

impl Scored {
    /// A match of Howzat, played until it has this many live events.
    fn with_live_events(count: usize) -> Scored {
        let history = History::new(Editions::default());
        let mut scored = Scored { head: Head::default(), events: Vec::new(), history, after: Vec::new() };
        scored
            .append(created("howzat", json!({"overs": 50}), true, MatchSettings::default()))
            .expect("a match");
        scored.after.push(scored.the_match());
        while scored.history.live().events().len() < count {
            let the_match = scored.the_match();
            let seed = seed();
            let mut dice = the_match.remote().dice(&seed);
            let decided = the_match.decide(the_match.default_input(), &mut dice, Some(&seed));
            for event in decided.expect("the default is legal").events {
                scored.append(event).expect("a decided event can be read");
                scored.after.push(scored.the_match());
            }
        }
        scored
    }

    fn the_match(&self) -> Match {
        self.history.state().expect("the match is open").clone()
    }

    fn append(&mut self, data: EventData) -> Result<(), InvalidEvent> {
        let (match_id, at) = (MatchId::nil(), DateTime::UNIX_EPOCH);
        let (event, _) =
            Event::seal(match_id, &self.head, at, Actor::Scorer, data).expect("it can be written");
        self.history.follow(event.clone())?;
        self.head = event.head();
        self.events.push(event);
        Ok(())
    }

    fn correction(&self, delivery: u32) -> Correction {
        let seq = self.history.live().from_delivery(delivery).expect("a live delivery");
        let dice_seen = self.history.live().shows_from(seq);
        let reason = "a slip".to_owned();
        Correction {
            voids_from_seq: seq,
            voids_from: Some(delivery),
            amends: None,
            inserts: None,
            removes: None,
            anew: None,
            cascade: None,
            ended: Vec::new(),
            reason,
            dice_seen,
        }
    }
}

#[test]
fn a_state_between_two_snapshots_is_replayed_from_the_one_before() {
    let scored = Scored::with_live_events(80);
    let live = scored.history.live().events().len();
    assert_eq!(scored.history.snapshots.len(), live.div_ceil(64));
    for count in 0..=live {
        let again = scored.history.state_after(count).expect("a state");
        assert!(again == scored.after[count].without_adjudication(), "after {count} live events");
    }
}

#[test]
fn a_correction_goes_back_to_before_the_first_void_event_and_the_match_goes_on_from_there() {
    let mut scored = Scored::with_live_events(80);
    let correction = scored.correction(40);
    let from = correction.voids_from_seq;
    let left = scored.history.live().before(from);
    let last_void = scored.events.last().expect("an event").seq;
    scored.append(EventData::Correction(correction)).expect("it can be made");
    let by = scored.head.seq;
    assert!(scored.the_match().play() == scored.after[left].play());
    assert_eq!(scored.history.live().events().len(), left);
    assert!((from..=last_void).all(|seq| scored.history.voided_by(seq) == Some(by)));
    assert_eq!((scored.history.voided_by(from - 1), scored.history.last_correction()), (None, Some(by)));
    let deliveries = scored.history.voided_up_to(last_void).next().map(|(_, voided)| voided.deliveries);
    assert_eq!(deliveries, Some(scored.after.last().expect("a match").play().deliveries()));
    // The live events before it are still there, to be gone back to once more.
    let earlier = scored.correction(3);
    let left = scored.history.live().before(earlier.voids_from_seq);
    scored.append(EventData::Correction(earlier)).expect("it can be made");
    assert!(scored.the_match().play() == scored.after[left].play());
    assert_eq!(scored.the_match().adjudication().corrections(), 2);
}

#[test]
fn a_correction_that_names_no_live_event_changes_nothing() {
    let mut scored = Scored::with_live_events(30);
    let correction = scored.correction(10);
    scored.append(EventData::Correction(correction.clone())).expect("it can be made");
    let before = scored.the_match();
    assert!(scored.append(EventData::Correction(correction)).is_err(), "it is void already");
    assert!(scored.the_match() == before);
    assert_eq!(scored.history.last_correction(), Some(scored.head.seq));
}

//! The place of every delivery: as its ball tells it, in every game, also after corrections.

use third_umpire::editions::{Editions, MatchLog};
use third_umpire::log::{DeliveryPlace, Event, EventData};
use third_umpire::matches::History;
use third_umpire::projection::{DeliveryPlaces, LoadedMatch};
use third_umpire_test_support::logs::every_stored_log;

/// The events of a log, and the editions with which it is read.
fn events_of(text: &str) -> (Vec<Event>, Editions) {
    let mut lines = MatchLog::new(text.as_bytes(), Editions::default());
    let mut events = Vec::new();
    for line in lines.by_ref() {
        events.push(line.expect("a log").0.read().expect("a valid event"));
    }
    (events, lines.editions().clone())
}

#[test]
fn every_ball_is_found_by_its_place_and_has_it() {
    for (name, log) in every_stored_log() {
        let (events, editions) = events_of(&log.text());
        let mut history: History<LoadedMatch> = History::new(editions);
        for event in events {
            let data = event.data.clone();
            let loaded = history.follow(event).expect("a log that was recorded");
            let EventData::Ball(ball) = data else { continue };
            let places = loaded.projection().places();
            assert_eq!(places.place_of(ball.delivery), Some(DeliveryPlace::of(&ball)), "{name}");
            let found = places.at(Some(ball.innings), ball.over, ball.ball);
            assert_eq!(found, [(ball.innings, ball.delivery)], "{name}");
            assert_eq!((places.last(), places.place_of(ball.delivery + 1)), (Some(ball.delivery), None));
        }
    }
}

#[test]
fn the_dice_of_a_delivery_have_the_place_of_its_ball() {
    let mut seen = 0;
    for (name, log) in every_stored_log() {
        let (events, editions) = events_of(&log.text());
        let mut history: History<LoadedMatch> = History::new(editions);
        let mut begun = None;
        for event in events {
            let loaded = history.follow(event.clone()).expect("a log that was recorded");
            let line = loaded.describe(&event);
            match &event.data {
                EventData::Roll(roll) => begun = Some((roll.delivery, line.place)),
                EventData::Ball(ball) => {
                    if let Some((_, place)) = begun.take().filter(|(delivery, _)| *delivery == ball.delivery)
                    {
                        assert_eq!(place, Some(DeliveryPlace::of(ball)), "{name}");
                        seen += 1;
                    }
                }
                _ => {}
            }
        }
    }
    assert!(seen > 10, "{seen} balls had rolls of their own");
}

#[test]
fn the_places_after_corrections_are_those_of_the_live_events() {
    for (name, log) in every_stored_log() {
        let (events, editions) = events_of(&log.text());
        let mut history: History<LoadedMatch> = History::new(editions);
        for event in events {
            let is_correction = event.data.reversal().is_some();
            history.follow(event).expect("a log that was recorded");
            let Some(loaded) = history.state().filter(|_| is_correction) else { continue };
            let live = DeliveryPlaces::of(history.live().events().iter().map(|live| live.subject));
            let last = loaded.projection().places().last().unwrap_or_default();
            assert_eq!(live.last().unwrap_or_default(), last, "{name}");
            for delivery in 1..=last + 1 {
                let place = loaded.projection().places().place_of(delivery);
                assert_eq!(live.place_of(delivery), place, "{name}: {delivery}");
            }
        }
    }
}

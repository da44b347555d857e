use chrono::DateTime;
use uuid::Builder;

use super::{Simulation, Unfinished};
use crate::canonical::NotCanonical;
use crate::dice::{SeededDice, ServerSeed};
use crate::log::{Actor, Event, EventData, Head, InvalidEvent, MatchId, SeedSource, edition_line};
use crate::matches::{Match, MatchSettings, new_match};
use crate::rules::Refusal;

/// The log file of match `k` of a simulation, played from its seed event by event, with default inputs or by
/// the sides' policies.
///
/// Every run gives the same bytes: the match's id follows from its seed, and every event is of the first
/// second of 1970.
pub fn match_log(simulation: &Simulation, k: u64, seed: &ServerSeed) -> Result<String, Unfinished> {
    recorded(simulation, seed).map_err(|reason| Unfinished::Unrecorded { k, reason })
}

fn recorded(simulation: &Simulation, seed: &ServerSeed) -> Result<String, String> {
    let message = |refusal: Refusal| refusal.message;
    let base = &simulation.base;
    let given = Some((seed, SeedSource::Creator));
    let edition = simulation.edition();
    let created = new_match(
        edition,
        simulation.game,
        &base.rules,
        base.home.clone(),
        base.away.clone(),
        given,
        MatchSettings::default(),
    );
    let mut events = vec![EventData::MatchCreated(created.map_err(message)?)];
    let mut the_match = Match::from_log(id_of(seed), &events[0], &simulation.editions)
        .map_err(|broken: InvalidEvent| broken.to_string())?;
    let mut dice = SeededDice::new(&seed.match_seed(&[]));
    while the_match.play().result().is_none() {
        let input = the_match.input_by(simulation.policies);
        let decision = the_match.decide(input, &mut dice, Some(seed)).map_err(message)?;
        events.extend(decision.events);
        the_match = decision.after;
    }
    let text = sealed(id_of(seed), events).map_err(|fault| fault.to_string())?;
    // A built-in edition is known to every reader, so the file does not hold it.
    Ok(match edition.filter(|edition| !simulation.editions.is_built_in(edition)) {
        Some(edition) => format!("{}\n{text}", edition_line(&edition.text)),
        None => text,
    })
}

fn sealed(match_id: MatchId, events: Vec<EventData>) -> Result<String, NotCanonical> {
    let mut text = String::new();
    let mut head = Head::default();
    for data in events {
        let actor = match &data {
            // The author of an acceptance is the side that could have reviewed.
            EventData::Review(review) => Actor::from(review.by()),
            _ => Actor::Service,
        };
        let (event, entry) = Event::seal(match_id, &head, DateTime::UNIX_EPOCH, actor, data)?;
        head = event.head();
        text.push_str(&entry.line());
        text.push('\n');
    }
    Ok(text)
}

/// The id of a simulated match: a UUID of version 8 with the first bytes of the seed's commitment.
fn id_of(seed: &ServerSeed) -> MatchId {
    let mut bytes = [0; 16];
    let commitment = seed.commitment();
    match hex::decode_to_slice(&commitment[..32], &mut bytes) {
        Ok(()) => Builder::from_custom_bytes(bytes).into_uuid(),
        Err(_) => unreachable!("a commitment is 64 hexadecimal digits"),
    }
}

//! Outcomes and refusals in words, for the tables and playthroughs of any game.

use serde_json::{Map, Value};
use third_umpire::rules::{Place, Refusal, RefusalKind};
use third_umpire::scorebook::{ExtrasRecord, Outcome, RunsRecord, WicketKind, WicketRecord};

/// An outcome in words, without the players at the wicket and the rulings: `4 byes, boundary 4`.
pub fn outcome(outcome: &Outcome) -> String {
    let Outcome { legal, runs, extras, boundary, wicket, detail, .. } = outcome;
    let mut words = scored(runs, extras);
    words.extend(boundary.map(|runs| format!("boundary {runs}")));
    words.extend((!legal).then(|| "not one of the six".to_owned()));
    words.extend(wicket.as_ref().map(out));
    if runs.total == 0 && wicket.is_none() {
        words.insert(0, "no run".to_owned());
    }
    words.join(", ") + &with(detail)
}

/// The rulings of an outcome, without the prefix of the game.
pub fn rulings(game: &str, outcome: &Outcome) -> String {
    ids(game, &outcome.rulings)
}

/// Rulings without the prefix of the game.
pub fn ids(game: &str, rulings: &[String]) -> String {
    let own = rulings.iter().map(|id| id.strip_prefix(&format!("{game}.")).unwrap_or(id));
    own.collect::<Vec<_>>().join(" ")
}

fn scored(runs: &RunsRecord, extras: &ExtrasRecord) -> Vec<String> {
    let ExtrasRecord { wides, no_balls, byes, leg_byes, penalty } = *extras;
    assert_eq!(runs.extras, wides + no_balls + byes + leg_byes + penalty);
    assert_eq!(runs.total, runs.batter + runs.extras);
    let kinds = [
        (runs.batter, "run"),
        (wides, "wide"),
        (no_balls, "no-ball"),
        (byes, "bye"),
        (leg_byes, "leg bye"),
        (penalty, "penalty run"),
    ];
    let scored = kinds.iter().filter(|(count, _)| *count > 0);
    scored.map(|(count, what)| format!("{count} {what}{}", if *count == 1 { "" } else { "s" })).collect()
}

fn out(wicket: &WicketRecord) -> String {
    let WicketRecord { kind, player_out, bowler, fielders } = wicket;
    let how = match kind {
        WicketKind::Bowled => "bowled",
        WicketKind::Caught => "caught",
        WicketKind::CaughtAndBowled => "caught and bowled",
        WicketKind::Lbw => "lbw",
        WicketKind::Stumped => "stumped",
        WicketKind::RunOut => "run out",
    };
    let fielders = fielders.iter().map(|name| format!(" {name}")).collect::<String>();
    let credited = bowler.as_ref().map(|bowler| format!(" b {bowler}")).unwrap_or_default();
    format!("out: {player_out} {how}{fielders}{credited}")
}

fn with(detail: &Map<String, Value>) -> String {
    if detail.is_empty() {
        return String::new();
    }
    let members: Vec<String> =
        detail.iter().map(|(key, value)| format!("{key} {}", self::value(value))).collect();
    format!(" {{{}}}", members.join(", "))
}

/// A choice or a detail in words: a name as it is, a list with commas, an object with its keys, numbered ones
/// in order.
pub fn value(any: &Value) -> String {
    match any {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(value).collect::<Vec<_>>().join(", "),
        Value::Object(members) => {
            let mut members: Vec<(&String, &Value)> = members.iter().collect();
            members.sort_by_key(|(key, _)| (key.parse::<u32>().unwrap_or(0), *key));
            let named = members.iter().map(|(key, member)| format!("{key} {}", value(member)));
            named.collect::<Vec<_>>().join(", ")
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => any.to_string(),
    }
}

/// A refusal in the words of the table.
pub fn refusal(refusal: &Refusal) -> String {
    let why = match refusal.kind {
        RefusalKind::NeedsInput => "needs-input",
        RefusalKind::IllegalInput => "illegal-input",
        RefusalKind::OutOfTurn => "out-of-turn",
        RefusalKind::AwaitingChoice => "awaiting-choice",
        RefusalKind::NotYours => "not-yours",
        RefusalKind::ReviewOpen => "review-open",
        RefusalKind::MatchOver => "match-over",
        RefusalKind::SeedOpen => "seed-open",
        RefusalKind::NoPreview => "no preview",
        RefusalKind::NoSuchToken => "no-such-token",
        RefusalKind::NoSuchDispute => "no-such-dispute",
        RefusalKind::NoSuchCorrection => "no-such-correction",
        RefusalKind::Settled => "already-settled",
    };
    let ruling = refusal.ruling.map(|ruling| format!(" {}", ruling.id)).unwrap_or_default();
    let place = match &refusal.place {
        Place::Input => String::new(),
        Place::Field(name) => format!(" at field {name}"),
        Place::Choice(name) => format!(" at choice {name}"),
        Place::Die(at) => format!(" at die {at}{}", due(&refusal.legal)),
    };
    format!("{why}{ruling}{place}")
}

fn due(legal: &Value) -> String {
    match &legal["for"] {
        Value::String(what) => format!(" ({what}, {} to {})", legal["minimum"], legal["maximum"]),
        _ => String::new(),
    }
}

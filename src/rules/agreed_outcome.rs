//! Agreed outcomes: a ball that the table records against the rules, by agreement.

use serde_json::{Value, json};

use super::{Choices, Place, Refusal, RefusalKind};
use crate::log::{AgreedOutcome, Ball, EventData};
use crate::scorebook::{AS_STOOD, ExtrasRecord, MOST_RUNS, Outcome, RunsRecord, WicketKind, WicketRecord};

/// The outcome of a ball with what the table agreed on, and for the rest by the rules. The players who faced
/// and bowled cannot be agreed on.
///
/// When runs or extras are agreed on and the boundary is not, only 4 and 6 off the bat are boundaries. When
/// extras are agreed on and `legal` is not, wides and no-balls are not legal.
pub fn agreed_outcome(by_rules: &Outcome, agreed: &AgreedOutcome) -> Result<Outcome, Refusal> {
    let given = &agreed.outcome;
    const KNOWN: [&str; 5] = ["runs", "extras", "legal", "boundary", "wicket"];
    check_known(given, "", &KNOWN)?;
    let extras = given.get("extras").map_or(Ok(by_rules.extras), read_extras)?;
    let batter = match given.get("runs") {
        None => by_rules.runs.batter,
        Some(runs) => read_runs(runs, by_rules.runs.batter)?,
    };
    let ExtrasRecord { wides, no_balls, byes, leg_byes, penalty } = extras;
    let sum = wides + no_balls + byes + leg_byes + penalty;
    let runs = RunsRecord { batter, extras: sum, total: batter + sum };
    if let Some(given_runs) = given.get("runs") {
        for (name, expected) in [("extras", runs.extras), ("total", runs.total)] {
            if given_runs.get(name).is_some_and(|given_runs| *given_runs != json!(expected)) {
                return Err(refusal(&format!("runs.{name}"), format!("would be {expected}, by the others")));
            }
        }
    }
    let outcome = Outcome {
        legal: match given.get("legal") {
            Some(Value::Bool(legal)) => *legal,
            Some(other) => return Err(refusal("legal", format!("is true or false, not {other}"))),
            None if given.contains_key("extras") => wides == 0 && no_balls == 0,
            None => by_rules.legal,
        },
        boundary: read_boundary(given, by_rules, runs)?,
        wicket: given.get("wicket").map_or(Ok(by_rules.wicket.clone()), |it| read_wicket(it, by_rules))?,
        runs,
        extras,
        rulings: vec![AS_STOOD.id.to_owned()],
        ..by_rules.clone()
    };
    Ok(outcome)
}

/// The agreement behind an agreed outcome.
pub fn agreed_of(outcome: &Outcome, reason: &str) -> AgreedOutcome {
    let wicket = outcome.wicket.as_ref().map(
        |wicket| json!({"kind": wicket.kind, "player_out": wicket.player_out, "fielders": wicket.fielders}),
    );
    let agreed = json!({
        "runs": {"batter": outcome.runs.batter}, "extras": outcome.extras, "legal": outcome.legal,
        "boundary": outcome.boundary, "wicket": wicket,
    });
    AgreedOutcome { outcome: super::reading::object(agreed), faces: None, reason: reason.to_owned() }
}

/// The agreement in an event, where it is a ball whose outcome the table had agreed on.
pub fn agreement_in(data: &EventData) -> Option<AgreedOutcome> {
    match data {
        EventData::Ball(Ball { outcome, as_stood: Some(as_stood), .. }) => {
            Some(AgreedOutcome { faces: as_stood.faces.clone(), ..agreed_of(outcome, &as_stood.reason) })
        }
        _ => None,
    }
}

fn refusal(field: &str, message: String) -> Refusal {
    let place = if field.is_empty() { String::new() } else { format!(".{field}") };
    let subject = if field.is_empty() { "outcome" } else { field };
    Refusal::new(
        RefusalKind::IllegalInput,
        Place::Field(format!("as_stood.outcome{place}")),
        format!("{subject} {message}"),
    )
}

fn check_known(given: &Choices, at: &str, names: &[&str]) -> Result<(), Refusal> {
    match given.keys().find(|name| !names.contains(&name.as_str())) {
        None => Ok(()),
        Some(other) => Err(refusal(at, format!("has {}, and no {other:?}", names.join(", ")))),
    }
}

fn object<'a>(value: &'a Value, field: &str, names: &[&str]) -> Result<&'a Choices, Refusal> {
    let object = value.as_object().ok_or_else(|| refusal(field, format!("is an object, not {value}")))?;
    check_known(object, field, names)?;
    Ok(object)
}

fn whole_number(given: &Choices, field: &str, name: &str) -> Result<Option<u16>, Refusal> {
    let Some(value) = given.get(name) else { return Ok(None) };
    let read = value.as_u64().and_then(|runs| u16::try_from(runs).ok()).filter(|runs| *runs <= MOST_RUNS);
    let wrong = || {
        let field = format!("{field}.{name}");
        refusal(&field, format!("is a whole number from 0 to {MOST_RUNS}, not {value}"))
    };
    read.ok_or_else(wrong).map(Some)
}

fn read_runs(value: &Value, by_rules: u16) -> Result<u16, Refusal> {
    let runs = object(value, "runs", &["batter", "extras", "total"])?;
    Ok(whole_number(runs, "runs", "batter")?.unwrap_or(by_rules))
}

fn read_extras(value: &Value) -> Result<ExtrasRecord, Refusal> {
    let given = object(value, "extras", &["wides", "no_balls", "byes", "leg_byes", "penalty"])?;
    let read = |name| whole_number(given, "extras", name).map(Option::unwrap_or_default);
    Ok(ExtrasRecord {
        wides: read("wides")?,
        no_balls: read("no_balls")?,
        byes: read("byes")?,
        leg_byes: read("leg_byes")?,
        penalty: read("penalty")?,
    })
}

fn read_boundary(given: &Choices, by_rules: &Outcome, runs: RunsRecord) -> Result<Option<u8>, Refusal> {
    let boundary = match given.get("boundary") {
        None if given.contains_key("runs") || given.contains_key("extras") => match runs.batter {
            4 => Some(4),
            6 => Some(6),
            _ => None,
        },
        None => by_rules.boundary,
        Some(Value::Null) => None,
        Some(value) if *value == json!(4) => Some(4),
        Some(value) if *value == json!(6) => Some(6),
        Some(other) => return Err(refusal("boundary", format!("is 4, 6 or null, not {other}"))),
    };
    match boundary {
        Some(worth) if runs.total < u16::from(worth) => {
            Err(refusal("boundary", format!("is worth {worth} runs, and the ball has {}", runs.total)))
        }
        _ => Ok(boundary),
    }
}

fn read_wicket(value: &Value, by_rules: &Outcome) -> Result<Option<WicketRecord>, Refusal> {
    if value.is_null() {
        return Ok(None);
    }
    if value.is_array() {
        let message = "is one batter's or null: only one batter can be out on a ball";
        return Err(refusal("wicket", message.to_owned()));
    }
    let given = object(value, "wicket", &["kind", "player_out", "bowler", "fielders"])?;
    let kinds = || json!(WicketKind::ALL);
    let kind = given.get("kind").cloned().unwrap_or_default();
    let kind: WicketKind = serde_json::from_value(kind.clone())
        .map_err(|_| refusal("wicket.kind", format!("is not a kind of wicket: {kind}")).legal(kinds()))?;
    let named = |name: &str| match given.get(name) {
        None => Ok(None),
        Some(Value::String(player)) => Ok(Some(player.clone())),
        Some(other) => {
            Err(refusal(&format!("wicket.{name}"), format!("is the name of one player, not {other}")))
        }
    };
    let fielders = match given.get("fielders") {
        None => Vec::new(),
        Some(value) => serde_json::from_value(value.clone())
            .map_err(|_| refusal("wicket.fielders", "is a list of names".to_owned()))?,
    };
    let credited = (kind != WicketKind::RunOut).then(|| by_rules.bowler.clone());
    let player_out = named("player_out")?.unwrap_or_else(|| by_rules.striker.clone());
    Ok(Some(WicketRecord { kind, player_out, bowler: named("bowler")?.or(credited), fielders }))
}

//! Every single value of a log changed, left out or made null, with the chain mended: each is found, except
//! for a known few.

use serde_json::{Map, Value, json};
use third_umpire::audit::audit;
use third_umpire::commands::Command;
use third_umpire::log::{Actor, DisputeFinding};
use third_umpire::scorebook::Side;
use third_umpire_test_support::logs::{Forger, Log, Setting, remote_match, stands};

/// Fields that a seeded log cannot prove, by the kind of event: the source of the seed and the choice
/// timeout; the names of the sides, which only the first event has, and the order of their players, since
/// choices are written out; that nobody was allowed one over more than anybody bowled, or what would have
/// been at a target that nobody reached; and why something was corrected or disputed.
const UNPROVABLE: [(&str, &str); 13] = [
    ("match_created", "/seed_source"),
    ("match_created", "/choice_timeout"),
    ("match_created", "/home/name"),
    ("match_created", "/away/name"),
    ("match_created", "/home/players"),
    ("match_created", "/away/players"),
    ("match_created", "/rules/max_overs_per_bowler"),
    ("match_created", "/rules/end_at_target"),
    ("correction", "/reason"),
    ("dispute", "/claim"),
    ("dispute", "/delivery"),
    ("dispute_ruled", "/ruling"),
    ("ball", "/as_stood/reason"),
];

/// The logs under test: one over a side from the seed, with extras, wickets, a next batter and a catch; a
/// match with corrections; and a remote match.
fn logs() -> [Log; 3] {
    [Setting::overs(1).seeded().tossed().played_out(), remote_match(), corrected()]
}

/// A seeded match of one over a side, with a voided delivery, an agreed outcome, and two disputes.
fn corrected() -> Log {
    let maker = Setting::overs(1)
        .seeded()
        .command(Side::Home, Command::Claim { side: Side::Home, token: String::new() })
        .as_actor(Actor::Scorer);
    let maker = maker.tossed().with_umpire().rolled(4).voided_from(3, "entered twice");
    let maker = maker.rolled(2).as_actor(Actor::Home).disputed(4, "a four", Side::Home);
    let maker = maker.as_actor(Actor::Scorer);
    let five = json!({"runs": {"batter": 5}, "extras": {}, "legal": true, "wicket": null});
    let maker = maker.amended(stands(4, five, "five were run"), None, "all agree");
    let maker = maker.as_actor(Actor::Umpire).ruled(1, "five", DisputeFinding::AsStood);
    maker.as_actor(Actor::Scorer).played_out()
}

/// The pointers of all values in a value, its own last.
fn pointers(value: &Value, here: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(key, member)| pointers(member, &format!("{here}/{key}"), found));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, item)| pointers(item, &format!("{here}/{i}"), found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    found.push(here.to_owned());
}

/// Audits the log with one event's data changed and the chain mended from there on, and asserts that the
/// first divergence is at this event or a later one.
fn found(forger: Forger, seq: u64, pointer: &str, change: impl FnOnce(&mut Value)) {
    let text = forger.with(seq, change).mended().text();
    let report = audit(text.as_bytes(), None).unwrap();
    let line = &text.lines().nth(seq as usize - 1).unwrap();
    let divergence = report.divergence.unwrap_or_else(|| panic!("{pointer} of event {seq} is clean: {line}"));
    assert!(divergence.seq >= seq, "{pointer} of event {seq} is found at event {}: {line}", divergence.seq);
    assert!(!divergence.findings.is_empty());
}

/// Applies a change to every value of every event.
fn everywhere(change: impl Fn((&str, &str), &mut Value) -> bool) {
    for log in logs() {
        let (forger, mut changed) = (log.forge(), 0);
        for (seq, event) in (1..).zip(log.events()) {
            let mut all = Vec::new();
            pointers(&event["data"], "", &mut all);
            let kind = event["kind"].as_str().unwrap();
            for pointer in all {
                let mut data = event["data"].clone();
                if change((kind, &pointer), &mut data) {
                    found(forger.clone(), seq, &pointer, |old| *old = data);
                    changed += 1;
                }
            }
        }
        assert!(changed > 400, "only {changed} values were changed");
    }
}

/// Another value of the same type: the next number, another player, the other side.
fn another(value: &Value) -> Value {
    match value {
        Value::Null => Value::from(1),
        Value::Bool(is) => Value::from(!is),
        Value::Number(number) => Value::from(number.as_i64().unwrap() + 1),
        Value::String(text) => Value::from(match text.as_str() {
            "home" => "away".to_owned(),
            "away" => "home".to_owned(),
            "os" => "creator".to_owned(),
            "heads" => "tails".to_owned(),
            "tails" => "heads".to_owned(),
            name if name.ends_with(" 3") => name.replace(" 3", " 4"),
            name if name.contains(" ") => format!("{} 3", name.split(' ').next().unwrap()),
            other => format!("{}0", &other[..other.len() - 1]),
        }),
        Value::Array(items) if items.is_empty() => Value::from(vec![1]),
        Value::Array(items) => Value::from(items.iter().rev().cloned().collect::<Vec<_>>()),
        Value::Object(members) if members.is_empty() => {
            Value::Object(Map::from_iter([("x".into(), 1.into())]))
        }
        Value::Object(_) => Value::Object(Map::new()),
    }
}

#[test]
fn no_value_of_a_log_may_be_another() {
    everywhere(|(kind, pointer), data| {
        let value = data.pointer_mut(pointer).unwrap();
        let other = another(value);
        let changes = other != *value && !UNPROVABLE.contains(&(kind, pointer));
        *value = other;
        changes
    });
}

#[test]
fn no_value_of_a_log_may_be_null_or_if_it_is_something_instead() {
    everywhere(|(_, pointer), data| {
        let value = data.pointer_mut(pointer).unwrap();
        *value = if value.is_null() { "null".into() } else { Value::Null };
        true
    });
}

#[test]
fn no_value_of_a_log_may_be_left_out() {
    everywhere(|(_, pointer), data| {
        let Some((parent, last)) = pointer.rsplit_once('/') else { return false };
        match data.pointer_mut(parent) {
            Some(Value::Object(members)) => members.remove(last).is_some(),
            Some(Value::Array(items)) => {
                items.remove(last.parse().unwrap());
                true
            }
            _ => false,
        }
    });
}

//! What a person can rely on: each ball that a screen has shown as counted is in the log once and in order,
//! unless it was taken back, or the pad has said that it was set aside.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::liar::Keyed;
use crate::plans::seen::{Kept, Seen};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Owed,
    /// A person has wished it away, and the page has not shown whether it was in time.
    Either,
    /// A person has taken it back before it went.
    TakenBack,
    /// The pad has stopped with it, and a person has left it out.
    LeftOut,
    /// The log has had it, and the store of that log was put back.
    Lost,
}

#[derive(Debug)]
struct Ball {
    pad: usize,
    kept: Kept,
    state: State,
}

/// What was shown, in the order in which it was.
#[derive(Default)]
pub struct Ledger {
    balls: Vec<Ball>,
    /// The hashes of the events in the answers to requests, by their keys.
    answered: BTreeMap<String, BTreeSet<String>>,
    /// The events that the plan has appended itself.
    foreign: Vec<Value>,
    /// Whether something was done that a pad may have to ask a person about.
    pub is_disturbed: bool,
}

fn hashes(body: &Value) -> impl Iterator<Item = String> {
    let events = body["events"].as_array().cloned().unwrap_or_default();
    events.into_iter().filter_map(|event| event["hash"].as_str().map(str::to_owned))
}

fn seq(event: &Value) -> u64 {
    event["seq"].as_u64().unwrap_or_default()
}

/// Whether an event is what is asked for.
fn is_of(event: &Value, kept: &Kept) -> bool {
    let data = &event["data"];
    let dice: Vec<&Value> = data["dice"].as_array().into_iter().flatten().map(|die| &die["value"]).collect();
    let asked: Vec<&Value> = kept.body["dice"].as_array().into_iter().flatten().collect();
    let mut choices = kept.body["choices"].as_object().into_iter().flatten();
    match (event["kind"].as_str().unwrap_or_default(), kept.path.as_str()) {
        ("ball", "balls") => dice == asked && choices.all(|(name, choice)| data["choices"][name] == *choice),
        ("review", "reviews") => kept.body["accept"] == true && data["accepted"] == true || dice == asked,
        ("correction", "corrections") => data["voids_from"] == kept.body["voids_from"],
        ("toss", "toss") | ("toss_decided", "toss/decision") | ("over", "overs") => true,
        _ => false,
    }
}

/// Whether an event is of a kind that a pad asks for by itself.
fn is_asked_for(event: &Value) -> bool {
    matches!(event["kind"].as_str(), Some("ball" | "review" | "correction"))
}

impl Ledger {
    /// A page was looked at.
    pub fn sees(&mut self, pad: usize, seen: &Seen) {
        for kept in seen.kept() {
            match self.balls.iter().find(|ball| ball.kept.id == kept.id) {
                None => self.balls.push(Ball { pad, kept: kept.clone(), state: State::Owed }),
                Some(ball) => {
                    let is_same = (&ball.kept.path, &ball.kept.body) == (&kept.path, &kept.body);
                    assert!(is_same, "{:?} has become {kept:?}", ball.kept);
                    let is_due = [State::Owed, State::Either, State::LeftOut].contains(&ball.state);
                    assert!(is_due, "{kept:?} is kept again: {:?}", ball.state);
                }
            }
        }
        // A ball that is shown as held is kept.
        if seen.is_held && seen.is_settled && !seen.dice.is_empty() && !seen.is_stopped() {
            let newest = seen.kept().last().map(|kept| kept.faces.clone());
            assert_eq!(newest.as_ref(), Some(&seen.dice), "what is shown is kept\n{}", seen.words());
        }
    }

    fn becomes(&mut self, id: &str, state: State) {
        let found = self.balls.iter_mut().find(|ball| ball.kept.id == id);
        found.expect("it was shown").state = state;
    }

    /// A person has taken back what was held: for good, once the page shows that.
    pub fn takes_back(&mut self, held: &Kept, now: &Seen) {
        let is_gone = now.kept.is_some() && now.kept().iter().all(|kept| kept.id != held.id);
        let (_, fewer) = held.answers.split_last().unwrap_or((&Value::Null, &[]));
        let is_shown = is_gone && now.typed == fewer;
        self.becomes(&held.id, if is_shown { State::TakenBack } else { State::Either });
    }

    /// A person has left out what the pad has stopped with. It goes once the wish has its turn.
    pub fn leaves_out(&mut self, stopped: &Kept) {
        self.becomes(&stopped.id, State::LeftOut);
    }

    pub fn hears(&mut self, answers: Vec<Keyed>) {
        for Keyed { key, status, body } in answers {
            if status == 201 {
                let body: Value = serde_json::from_str(&body).unwrap_or_default();
                self.answered.entry(key).or_default().extend(hashes(&body));
            }
        }
    }

    /// The plan has appended something itself.
    pub fn disturbs(&mut self, answer: &Value) {
        self.foreign.extend(answer["events"].as_array().into_iter().flatten().cloned());
        self.is_disturbed = true;
    }

    fn recorded<'a>(&self, kept: &Kept, log: &'a [Value]) -> Vec<&'a Value> {
        let answered = self.answered.get(&kept.key);
        let is_in = |event: &&Value| {
            let hash = event["hash"].as_str().unwrap_or_default();
            answered.is_some_and(|answered| answered.contains(hash))
        };
        log.iter().filter(is_in).filter(|event| is_of(event, kept)).collect()
    }

    /// A store was put back: what it had recorded since is lost, unless a phone still keeps it.
    pub fn loses(&mut self, log: &[Value], kept: &BTreeSet<String>) {
        self.is_disturbed = true;
        let is_lost = |ball: &Ball| {
            let was_typed_alike = self.foreign.iter().any(|event| is_of(event, &ball.kept));
            let was_recorded = self.answered.contains_key(&ball.kept.key) || was_typed_alike;
            let is_gone = self.recorded(&ball.kept, log).is_empty() && !kept.contains(&ball.kept.id);
            ball.state == State::Owed && was_recorded && is_gone
        };
        let lost: Vec<String> =
            self.balls.iter().filter(|ball| is_lost(ball)).map(|ball| ball.kept.id.clone()).collect();
        lost.iter().for_each(|id| self.becomes(id, State::Lost));
    }

    fn is_foreign(&self, event: &Value) -> bool {
        self.foreign.iter().any(|one| one["hash"] == event["hash"])
    }

    /// The log at the end. Returns how many balls of the pads it has, and how many were set aside.
    pub fn settles(&self, log: &[Value]) -> (usize, usize) {
        let mut free: BTreeMap<u64, &Value> =
            log.iter().filter(|event| is_asked_for(event)).map(|event| (seq(event), event)).collect();
        let mut found = self.answered_in(log, &mut free);
        let alike = self.unanswered_in(&mut free, &mut found);
        // What is not held may be recorded before anybody looks, as a ball that is turned over. Each of its
        // requests has a key of its own.
        let at_once: BTreeSet<&String> = self.answered.values().flatten().collect();
        let over = |event: &Value| (event["data"]["innings"].as_u64(), event["data"]["over"].as_u64());
        let has_orders =
            |event: &&Value| event["kind"] == "over" && event["data"]["choices"]["orders"].is_object();
        let laid: BTreeSet<_> = log.iter().filter(has_orders).map(over).collect();
        let is_at_once = |event: &Value| {
            let hash = event["hash"].as_str().map(str::to_owned).unwrap_or_default();
            (event["kind"] != "ball" || laid.contains(&over(event))) && at_once.contains(&hash)
        };
        let nobodys: Vec<&Value> =
            free.into_values().filter(|event| !self.is_foreign(event) && !is_at_once(event)).collect();
        assert!(nobodys.is_empty(), "nobody has typed {nobodys:#?}");
        self.in_order(&found);
        let aside = |ball: &&Ball| ball.state == State::LeftOut && !found.contains_key(ball.kept.id.as_str());
        (found.len(), self.balls.iter().filter(aside).count() + alike)
    }

    /// What was recorded by an answer, by its id, with its place in the log. It is taken out of what is free.
    fn answered_in(&self, log: &[Value], free: &mut BTreeMap<u64, &Value>) -> BTreeMap<&str, u64> {
        let mut found = BTreeMap::new();
        for ball in &self.balls {
            let recorded = self.recorded(&ball.kept, log);
            assert!(recorded.len() <= 1, "{:?} is in the log twice: {recorded:#?}", ball.kept);
            let Some(event) = recorded.first() else { continue };
            let is_in_place = ![State::TakenBack, State::Lost].contains(&ball.state);
            assert!(is_in_place, "{:?} is {:?}, and is in the log: {event}", ball.kept, ball.state);
            free.remove(&seq(event));
            found.insert(ball.kept.id.as_str(), seq(event));
        }
        found
    }

    /// Finds what was recorded and nobody has heard of. Returns how many balls somebody else has typed alike.
    fn unanswered_in<'a>(
        &'a self,
        free: &mut BTreeMap<u64, &Value>,
        found: &mut BTreeMap<&'a str, u64>,
    ) -> usize {
        let mut alike = 0;
        for state in [State::Owed, State::Either, State::LeftOut] {
            for ball in self.balls.iter().filter(|ball| ball.state == state) {
                let id = ball.kept.id.as_str();
                let place = |is_foreign: bool| {
                    let is_it =
                        |event: &Value| self.is_foreign(event) == is_foreign && is_of(event, &ball.kept);
                    free.iter().find(|(_, event)| is_it(event)).map(|(seq, _)| *seq)
                };
                if found.contains_key(id) {
                    continue;
                } else if let Some(seq) = place(false) {
                    free.remove(&seq);
                    found.insert(id, seq);
                } else if state == State::Owed {
                    let seq =
                        place(true).unwrap_or_else(|| panic!("{ball:?} was shown, and is not in the log"));
                    free.remove(&seq);
                    alike += 1;
                }
            }
        }
        alike
    }

    /// The balls of each phone are in the log as they were typed.
    fn in_order(&self, found: &BTreeMap<&str, u64>) {
        for pad in 0..=self.balls.iter().map(|ball| ball.pad).max().unwrap_or_default() {
            let own = self.balls.iter().filter(|ball| ball.pad == pad);
            let places: Vec<u64> = own.filter_map(|ball| found.get(ball.kept.id.as_str()).copied()).collect();
            assert!(places.is_sorted(), "in another order than typed: {places:?}");
        }
    }
}

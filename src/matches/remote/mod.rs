//! Sides that play apart: who has claimed a side, what each adds to the seed, what each chooses in secret.
//!
//! A secret choice is sealed first: the log has its hash. Only when both sides' seals are in, and both have been opened to
//! the service, are the choices turned up, in the event that follows from them.

mod check;
mod permit;
mod take;

use std::fmt;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Fixture, Phase};
use crate::dice::{SeededDice, ServerSeed};
use crate::log::{
    CLIENT_SEED, ClientSeeds, EventData, MatchId, NotCanonical, SEED_COMMITMENT, TossChoice, at_format,
    canonical, is_hash,
};
use crate::rules::{Choices, Next, Place, Refusal, ToChoose, Why};
use crate::scorebook::{BySide, Side};

pub use permit::Before;

/// What the die of one who stays silent about the toss is for.
pub const SILENT_TOSS: &str = "silent_toss";

/// What the match waits for when both sides have sealed their choices.
const OPENING: &str = "opening";

/// What a side does that plays for itself.
#[derive(Clone, PartialEq)]
pub enum Part {
    /// It takes its side.
    Claim,
    /// It settles on its client seed.
    CommitSeed {
        /// What [`seed_hash`] gives.
        hash: String,
    },
    /// It shows its client seed.
    ShowSeed {
        /// 64 lower-case hexadecimal digits.
        client_seed: String,
    },
    /// It chooses, and the service seals the choice.
    Choose {
        /// What is chosen, and for which over.
        due: Due,
        /// 64 lower-case hexadecimal digits, from a random source.
        salt: String,
        /// The choice.
        choice: Choices,
    },
    /// It chooses, and has sealed the choice itself.
    Seal {
        /// What is chosen, and for which over.
        due: Due,
        /// What [`seal`] gives.
        sealed: String,
    },
    /// It opens what it has sealed itself.
    Open {
        /// What is chosen, and for which over.
        due: Due,
        /// 64 lower-case hexadecimal digits.
        salt: String,
        /// The choice.
        choice: Choices,
    },
    /// It calls on the other side to do what the match waits for; when its time is up, that is drawn for it.
    Call,
}

/// What a side takes to be due when it chooses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// What is chosen, in the game's words.
    pub what: String,
    /// The innings, if it says so.
    pub innings: Option<u16>,
    /// The over, if it says so.
    pub over: Option<u16>,
    /// The place in the over of the ball, if it says so.
    pub ball: Option<u32>,
}

/// What both sides choose in secret, once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// What, in the game's words.
    pub what: &'static str,
    /// The innings, from 1.
    pub innings: u16,
    /// The over of the innings, from 1.
    pub over: u16,
    /// The place in the over of the ball it is for; none where it is for the over.
    pub ball: Option<u32>,
}

impl Step {
    /// Whether it is of this, for this ball of this over of this innings.
    fn is(&self, what: &str, place: (u16, u16, Option<u32>)) -> bool {
        self.what == what && (self.innings, self.over, self.ball) == place
    }
}

/// A secret choice, open to the service and to nobody else.
#[derive(Clone, PartialEq)]
pub struct Opening {
    /// Whose.
    pub side: Side,
    /// Its seal, as the log has it.
    pub sealed: String,
    /// The salt it was sealed with.
    pub salt: String,
    /// The choice.
    pub choice: Choices,
}

impl fmt::Debug for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Part(hidden)")
    }
}

impl fmt::Debug for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Opening(of {}, hidden)", self.side)
    }
}

/// What only the service knows of a match in play.
#[derive(Clone, Copy, Default)]
pub struct Hidden<'a> {
    /// The server seed of a seeded match.
    pub seed: Option<&'a ServerSeed>,
    /// The secret choices that are open to the service.
    pub openings: &'a [Opening],
    /// The time now.
    pub now: DateTime<Utc>,
}

/// What follows when a side does its part.
#[derive(Debug)]
pub struct Taken {
    /// The events, in order.
    pub events: Vec<EventData>,
    /// A choice to keep apart from the log until it is turned up.
    pub keep: Option<Opening>,
}

/// What a match knows of its sides.
#[derive(Debug, Clone, Default)]
pub(super) struct Apart {
    committed: BySide<Option<String>>,
    client_seeds: BySide<Option<String>>,
    seals: BySide<Option<Seal>>,
    called: Option<Called>,
}

#[derive(Debug, Clone)]
struct Seal {
    sealed: String,
    opened: bool,
}

#[derive(Debug, Clone)]
struct Called {
    on: Side,
    until: DateTime<Utc>,
}

/// What a client seed is settled on with: SHA-256 of the canonical form of `{match, side, commitment, client_seed}`.
pub fn seed_hash(
    match_id: MatchId,
    side: Side,
    commitment: &str,
    client_seed: &str,
) -> Result<String, NotCanonical> {
    sha256(&json!({"match": match_id, "side": side, "commitment": commitment, "client_seed": client_seed}))
}

/// The seal of a choice: SHA-256 of the canonical form of `{match, side, for, innings, over, ball, salt, choice}`; `ball`
/// is the ball's place in the over, and null for a choice about a whole over.
pub fn seal(
    match_id: MatchId,
    side: Side,
    step: Step,
    salt: &str,
    choice: &Choices,
) -> Result<String, NotCanonical> {
    sha256(&json!({
        "match": match_id, "side": side, "for": step.what, "innings": step.innings, "over": step.over,
        "ball": step.ball, "salt": salt, "choice": choice,
    }))
}

fn sha256(form: &Value) -> Result<String, NotCanonical> {
    Ok(hex::encode(Sha256::digest(canonical(form)?)))
}

fn refuse<T>(why: Why, place: Place, message: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(why, place, message))
}

fn field(name: &str) -> Place {
    Place::Field(name.to_owned())
}

fn check_hex(name: &str, text: &str) -> Result<(), Refusal> {
    if is_hash(text) {
        return Ok(());
    }
    refuse(Why::IllegalInput, field(name), format!("{name} is 64 lower-case hexadecimal digits"))
}

impl Apart {
    /// The side of which something is missing, or none where it is missing of both or of neither.
    fn one_without<T>(of: &BySide<Option<T>>) -> Option<Side> {
        match (&of.home, &of.away) {
            (None, Some(_)) => Some(Side::Home),
            (Some(_), None) => Some(Side::Away),
            (None, None) | (Some(_), Some(_)) => None,
        }
    }

    fn are_all_in<T>(of: &BySide<Option<T>>) -> bool {
        of.home.is_some() && of.away.is_some()
    }

    fn are_sealed(&self) -> bool {
        Apart::are_all_in(&self.seals)
    }

    fn has_seals(&self) -> bool {
        self.seals.home.is_some() || self.seals.away.is_some()
    }

    fn answered(&mut self, side: Side) {
        if self.called.as_ref().is_some_and(|called| called.on == side) {
            self.called = None;
        }
    }

    /// Whether an event changes anything here.
    pub(super) fn hears(&self, event: &EventData) -> bool {
        match event {
            EventData::SeedCommitted(_)
            | EventData::SeedContributed(_)
            | EventData::Choice(_)
            | EventData::ChoiceOpened(_)
            | EventData::ChoiceCalled(_) => true,
            EventData::SetUp(_) | EventData::Review(_) => self.called.is_some(),
            EventData::TossDecided(_) | EventData::Over(_) | EventData::Roll(_) | EventData::Ball(_) => {
                self.called.is_some() || self.has_seals()
            }
            _ => false,
        }
    }

    /// Applies an event.
    pub(super) fn evolve(&mut self, event: &EventData) {
        match event {
            EventData::SeedCommitted(committed) => {
                self.committed[committed.side] = Some(committed.hash.clone());
                self.answered(committed.side);
            }
            EventData::SeedContributed(shown) => {
                self.client_seeds[shown.side] = Some(shown.client_seed.clone());
                self.answered(shown.side);
            }
            EventData::Choice(choice) => {
                if let Some(sealed) = &choice.sealed {
                    self.seals[choice.side] = Some(Seal { sealed: sealed.clone(), opened: false });
                }
                self.answered(choice.side);
            }
            EventData::ChoiceOpened(opened) => {
                if let Some(seal) = &mut self.seals[opened.side] {
                    seal.opened = true;
                }
                self.answered(opened.side);
            }
            EventData::ChoiceCalled(called) => {
                let until = at_format::read(&called.until).unwrap_or_default();
                self.called = Some(Called { on: called.on, until });
            }
            EventData::SetUp(_) | EventData::TossDecided(_) | EventData::Review(_) => self.called = None,
            EventData::Over(_) | EventData::Roll(_) | EventData::Ball(_) => {
                self.seals = BySide::default();
                self.called = None;
            }
            EventData::MatchCreated(_)
            | EventData::Toss(_)
            | EventData::MatchCompleted(_)
            | EventData::MatchAbandoned(_)
            | EventData::SideClaimed(_)
            | EventData::TokenRotated(_)
            | EventData::Correction(_)
            | EventData::CorrectionProposed(_)
            | EventData::CorrectionConsented(_)
            | EventData::Dispute(_)
            | EventData::DisputeRuled(_) => {}
        }
    }
}

impl Fixture {
    /// What both sides choose in secret now, if they do.
    pub fn step(&self) -> Option<Step> {
        if self.phase != Phase::Play || self.is_played_out() || self.reviewing.is_open() {
            return None;
        }
        let (innings, over) = self.game.place();
        self.game.secret().map(|ToChoose { what, ball }| Step { what, innings, over, ball })
    }

    /// What a side chooses in the open now, before play can go on, and which side.
    pub fn in_the_open(&self) -> Option<(Side, Step)> {
        let is_due = match self.phase {
            Phase::SetUp => !self.waits_for_seeds(),
            Phase::Play => !self.is_played_out() && self.open_review().is_none(),
            Phase::Toss | Phase::TossDecision(_) | Phase::Completed(_) | Phase::Abandoned => false,
        };
        let (side, ToChoose { what, ball }) = self.game.in_the_open().filter(|_| is_due)?;
        let (innings, over) = self.game.place();
        Some((side, Step { what, innings, over, ball }))
    }

    /// The client seeds that go into the match seed: home's and away's, or none.
    pub fn client_seeds(&self) -> Vec<String> {
        match (&self.apart.client_seeds.home, &self.apart.client_seeds.away) {
            (Some(home), Some(away)) => vec![home.clone(), away.clone()],
            _ => Vec::new(),
        }
    }

    /// The dice of a seeded match.
    pub fn dice(&self, seed: &ServerSeed) -> SeededDice {
        SeededDice::new(&seed.match_seed(&self.client_seeds()))
    }

    /// Whether a side has been claimed.
    pub fn is_claimed(&self, side: Side) -> bool {
        self.proceedings.claimed[side]
    }

    /// When the time of a side that was called is up.
    pub fn called_until(&self) -> Option<DateTime<Utc>> {
        self.apart.called.as_ref().map(|called| called.until)
    }

    /// What a side has in its hand, and has chosen: for its own eyes. Null where nothing is chosen in secret now.
    pub fn hand(&self, side: Side, hidden: Hidden<'_>) -> Result<Value, Refusal> {
        let (Some(_), Some(seed)) = (self.step(), hidden.seed) else { return Ok(Value::Null) };
        let hand = self.game.hand(side, &mut self.dice(seed))?;
        let choice = self.opening(side, hidden).map(|opening| &opening.choice);
        Ok(json!({"hand": hand, "choice": choice}))
    }

    fn opening<'a>(&self, side: Side, hidden: Hidden<'a>) -> Option<&'a Opening> {
        let Seal { sealed, .. } = self.apart.seals[side].as_ref().filter(|seal| seal.opened)?;
        hidden.openings.iter().find(|opening| opening.side == side && opening.sealed == *sealed)
    }

    /// What a match of sides apart waits for, where that is not for the game to say.
    pub(super) fn next_apart(&self) -> Option<Next> {
        let Apart { committed, client_seeds, seals, .. } = &*self.apart;
        let choose = |side, what, legal| Some(Next::Choose { side, what, legal, default: Value::Null });
        if self.waits_for_seeds() {
            return if Apart::are_all_in(committed) {
                choose(Apart::one_without(client_seeds), CLIENT_SEED, json!({"client_seed": "64 hex digits"}))
            } else {
                choose(Apart::one_without(committed), SEED_COMMITMENT, json!({"hash": "64 hex digits"}))
            };
        }
        self.step().filter(|_| self.created.remote || self.apart.has_seals())?;
        match (&seals.home, &seals.away) {
            (Some(home), Some(away)) => {
                let side = match (home.opened, away.opened) {
                    (false, true) => Some(Side::Home),
                    (true, false) => Some(Side::Away),
                    _ => None,
                };
                choose(side, OPENING, Value::Null)
            }
            _ => match self.game.next() {
                Next::Choose { what, mut legal, .. } => {
                    let side = Apart::one_without(seals);
                    if let (Some(side), Value::Object(choices)) = (side, &mut legal) {
                        choices.retain(|choice, _| !self.game.belongs(choice, side.other()));
                    }
                    choose(side, what, legal)
                }
                other => Some(other),
            },
        }
    }

    /// Whether the toss has to wait for client seeds.
    pub(super) fn waits_for_seeds(&self) -> bool {
        matches!(self.phase, Phase::SetUp | Phase::Toss)
            && self.created.client_seeds == ClientSeeds::Both
            && !Apart::are_all_in(&self.apart.client_seeds)
    }

    /// Refuses play for which a choice is to be made in secret.
    pub(super) fn refuse_if_secret(&self) -> Result<(), Refusal> {
        match self.step() {
            Some(_) if self.created.remote || self.apart.has_seals() => self.refuse_play(),
            _ => Ok(()),
        }
    }

    fn refuse_play(&self) -> Result<(), Refusal> {
        match self.step() {
            Some(step) => {
                let message = format!(
                    "each side chooses its {} for itself; play goes on when both are in and open",
                    step.what
                );
                refuse(Why::AwaitingChoice, Place::Input, message)
            }
            _ => Ok(()),
        }
    }
}

/// What a side that was silent about the toss would have rolled to choose so.
pub fn silent_toss_die(to: TossChoice) -> u16 {
    if to == TossChoice::Bat { 1 } else { 2 }
}

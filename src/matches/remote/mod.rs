//! Remote play: the claims of sides, their parts of the seed, their secret choices, and calls with a
//! deadline.
//!
//! A secret choice is sealed first: the log has its hash. The choices are revealed only when both seals are
//! in the log and both choices have been opened to the service. The event that follows from the choices
//! reveals them.

mod check;
mod decide;
mod permit;

use std::fmt;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Match, Phase};
use crate::canonical::{NotCanonical, canonical};
use crate::dice::{SeededDice, ServerSeed};
use crate::log::{
    CLIENT_SEED, ClientSeeds, EventData, MatchId, SEED_COMMITMENT, TossChoice, at_format, is_hash,
};
use crate::rules::{ChoiceKind, Choices, Next, Place, Refusal, RefusalKind, RemoteChoices, no_secret_choice};
use crate::scorebook::{BySide, Side};

pub use permit::PrecedingEvent;

/// The name of the die that chooses for a side that timed out after the toss.
pub const TIMEOUT_TOSS: &str = "silent_toss";

/// The name of the step in which both sides have sealed their choices and have to open them.
const OPENING: &str = "opening";

/// A command of a side in remote play.
#[derive(Clone, PartialEq)]
pub enum RemoteCommand {
    /// The claim of the side.
    Claim,
    /// The commitment to its client seed.
    CommitSeed {
        /// The hash, from [`seed_hash`].
        hash: String,
    },
    /// The reveal of its client seed.
    ShowSeed {
        /// Text of 64 lower-case hexadecimal digits.
        client_seed: String,
    },
    /// A choice that the service seals.
    Choose {
        /// The choice that the side claims is pending.
        claimed: ClaimedChoice,
        /// Text of 64 lower-case hexadecimal digits, from a random source.
        salt: String,
        /// The choice in the terms of the game, not sealed yet.
        choice: Choices,
    },
    /// A choice that the side has sealed itself.
    Seal {
        /// The choice that the side claims is pending.
        claimed: ClaimedChoice,
        /// The seal, from [`seal`].
        sealed: String,
    },
    /// The opening of a choice that the side has sealed itself.
    Open {
        /// The choice that the side claims is pending.
        claimed: ClaimedChoice,
        /// Text of 64 lower-case hexadecimal digits.
        salt: String,
        /// The choice in the terms of the game, which has to fit the seal.
        choice: Choices,
    },
    /// A call on the other side to do what the match waits for. After the deadline the choice is drawn, or
    /// takes its default.
    Call,
}

/// The choice that a side claims is pending when it chooses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedChoice {
    /// The kind of choice, in the terms of the game.
    pub what: String,
    /// The innings, if the side names it.
    pub innings: Option<u16>,
    /// The over, if the side names it.
    pub over: Option<u16>,
    /// The number in the over of the ball, if the side names it.
    pub ball: Option<u32>,
}

/// A pending choice: the one that the match waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PendingChoice {
    /// The kind of choice, in the terms of the game.
    pub what: &'static str,
    /// The innings, from 1.
    pub innings: u16,
    /// The over of the innings, from 1.
    pub over: u16,
    /// The number in the over of the ball that the choice is for; none for a choice about the over.
    pub ball: Option<u32>,
}

impl PendingChoice {
    /// Whether the choice is of this kind, for this ball of this over of this innings.
    fn is(&self, what: &str, place: (u16, u16, Option<u32>)) -> bool {
        self.what == what && (self.innings, self.over, self.ball) == place
    }
}

/// A secret choice that is open to the service and to nobody else.
#[derive(Clone, PartialEq)]
pub struct SealOpening {
    /// The side that has chosen.
    pub side: Side,
    /// The seal in the log.
    pub sealed: String,
    /// The salt of the seal.
    pub salt: String,
    /// The choice in the terms of the game.
    pub choice: Choices,
}

impl fmt::Debug for RemoteCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RemoteCommand(hidden)")
    }
}

impl fmt::Debug for SealOpening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SealOpening(of {}, hidden)", self.side)
    }
}

/// The secrets of a match in play that only the service knows.
#[derive(Clone, Copy, Default)]
pub struct ServerSecrets<'a> {
    /// The server seed of a seeded match.
    pub seed: Option<&'a ServerSeed>,
    /// The secret choices that are open to the service.
    pub openings: &'a [SealOpening],
    /// The current time.
    pub now: DateTime<Utc>,
}

/// The decision on a command in remote play.
#[derive(Debug)]
pub struct RemoteDecided {
    /// The events, in order.
    pub events: Vec<EventData>,
    /// A choice to keep outside the log until it is revealed.
    pub opening: Option<SealOpening>,
}

/// The state of remote play in a match, folded from its events.
#[derive(Debug, Clone, Default)]
pub(super) struct RemoteState {
    committed: BySide<Option<String>>,
    client_seeds: BySide<Option<String>>,
    seals: BySide<Option<Seal>>,
    deadline: Option<Deadline>,
}

#[derive(Debug, Clone)]
struct Seal {
    sealed: String,
    opened: bool,
}

#[derive(Debug, Clone)]
struct Deadline {
    side: Side,
    until: DateTime<Utc>,
}

/// The commitment to a client seed: SHA-256 of the canonical form of `{match, side, commitment,
/// client_seed}`.
pub fn seed_hash(
    match_id: MatchId,
    side: Side,
    commitment: &str,
    client_seed: &str,
) -> Result<String, NotCanonical> {
    sha256(&json!({"match": match_id, "side": side, "commitment": commitment, "client_seed": client_seed}))
}

/// The seal of a choice: SHA-256 of the canonical form of `{match, side, for, innings, over, ball, salt,
/// choice}`; `ball` is the ball's place in the over, and null for a choice about a whole over.
pub fn seal(
    match_id: MatchId,
    side: Side,
    step: PendingChoice,
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

fn refuse<T>(why: RefusalKind, place: Place, message: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(why, place, message))
}

fn field(name: &str) -> Place {
    Place::Field(name.to_owned())
}

fn check_hex(name: &str, text: &str) -> Result<(), Refusal> {
    if is_hash(text) {
        return Ok(());
    }
    refuse(RefusalKind::IllegalInput, field(name), format!("{name} is 64 lower-case hexadecimal digits"))
}

impl RemoteState {
    /// The side without a value, if the other side has one.
    fn one_without<T>(of: &BySide<Option<T>>) -> Option<Side> {
        match (&of.home, &of.away) {
            (None, Some(_)) => Some(Side::Home),
            (Some(_), None) => Some(Side::Away),
            (None, None) | (Some(_), Some(_)) => None,
        }
    }

    fn has_both<T>(of: &BySide<Option<T>>) -> bool {
        of.home.is_some() && of.away.is_some()
    }

    fn are_sealed(&self) -> bool {
        RemoteState::has_both(&self.seals)
    }

    fn has_seals(&self) -> bool {
        self.seals.home.is_some() || self.seals.away.is_some()
    }

    fn clear_deadline(&mut self, side: Side) {
        if self.deadline.as_ref().is_some_and(|deadline| deadline.side == side) {
            self.deadline = None;
        }
    }

    /// Whether an event changes the state of remote play.
    pub(super) fn is_changed_by(&self, event: &EventData) -> bool {
        match event {
            EventData::SeedCommitted(_)
            | EventData::SeedContributed(_)
            | EventData::Choice(_)
            | EventData::ChoiceOpened(_)
            | EventData::ChoiceCalled(_) => true,
            EventData::SetUp(_) | EventData::Review(_) => self.deadline.is_some(),
            EventData::TossDecided(_) | EventData::Over(_) | EventData::Roll(_) | EventData::Ball(_) => {
                self.deadline.is_some() || self.has_seals()
            }
            _ => false,
        }
    }

    /// Applies an event.
    pub(super) fn evolve(&mut self, event: &EventData) {
        match event {
            EventData::SeedCommitted(committed) => {
                self.committed[committed.side] = Some(committed.hash.clone());
                self.clear_deadline(committed.side);
            }
            EventData::SeedContributed(contributed) => {
                self.client_seeds[contributed.side] = Some(contributed.client_seed.clone());
                self.clear_deadline(contributed.side);
            }
            EventData::Choice(choice) => {
                if let Some(sealed) = &choice.sealed {
                    self.seals[choice.side] = Some(Seal { sealed: sealed.clone(), opened: false });
                }
                self.clear_deadline(choice.side);
            }
            EventData::ChoiceOpened(opened) => {
                if let Some(seal) = &mut self.seals[opened.side] {
                    seal.opened = true;
                }
                self.clear_deadline(opened.side);
            }
            EventData::ChoiceCalled(called) => {
                // An event with another time is not admitted.
                self.deadline =
                    at_format::read(&called.until).map(|until| Deadline { side: called.on, until });
            }
            EventData::SetUp(_) | EventData::TossDecided(_) | EventData::Review(_) => self.deadline = None,
            EventData::Over(_) | EventData::Roll(_) | EventData::Ball(_) => {
                self.seals = BySide::default();
                self.deadline = None;
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

impl Match {
    /// The secret choice that both sides make now, if there is one.
    pub fn secret_choice(&self) -> Option<PendingChoice> {
        if self.phase != Phase::Play || self.is_played_out() || self.reviewing.is_open() {
            return None;
        }
        self.game.remote()?.secret().map(|kind| self.pending(kind))
    }

    /// The open choice that has to be made before play can go on, and the side that makes it.
    pub fn open_choice(&self) -> Option<(Side, PendingChoice)> {
        let is_open_now = match self.phase {
            Phase::SetUp => !self.waits_for_seeds(),
            Phase::Play => !self.is_played_out() && self.open_review().is_none(),
            Phase::Toss | Phase::TossDecision(_) | Phase::Completed(_) | Phase::Abandoned => false,
        };
        let (side, kind) = self.game.remote()?.open_choice().filter(|_| is_open_now)?;
        Some((side, self.pending(kind)))
    }

    /// The pending choice of a kind, for the next delivery.
    fn pending(&self, ChoiceKind { what, ball }: ChoiceKind) -> PendingChoice {
        let (innings, over) = self.position();
        PendingChoice { what, innings, over, ball }
    }

    /// The choices that the game has sides make for themselves.
    pub(super) fn remote_choices(&self) -> Result<&dyn RemoteChoices, Refusal> {
        self.game.remote().ok_or_else(no_secret_choice)
    }

    /// Whether this side makes the choice of this name; either side, in a game that does not tell.
    pub(super) fn is_chosen_by(&self, choice: &str, side: Side) -> bool {
        self.game.remote().is_none_or(|remote| remote.is_chosen_by(choice, side))
    }

    /// The client seeds that go into the match seed: home's and away's, or none.
    pub fn client_seeds(&self) -> Vec<String> {
        match (&self.remote.client_seeds.home, &self.remote.client_seeds.away) {
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
        self.adjudication.claimed[side]
    }

    /// The deadline of the side that was called.
    pub fn deadline(&self) -> Option<DateTime<Utc>> {
        self.remote.deadline.as_ref().map(|deadline| deadline.until)
    }

    /// The hand and the choice of a side, for that side only. Null when the match waits for no secret choice
    /// now.
    pub fn hand(&self, side: Side, secrets: ServerSecrets<'_>) -> Result<Value, Refusal> {
        let (Some(_), Some(seed)) = (self.secret_choice(), secrets.seed) else { return Ok(Value::Null) };
        let hand = self.remote_choices()?.hand(side, &mut self.dice(seed))?;
        let choice = self.opening(side, secrets).map(|opening| &opening.choice);
        Ok(json!({"hand": hand, "choice": choice}))
    }

    fn opening<'a>(&self, side: Side, secrets: ServerSecrets<'a>) -> Option<&'a SealOpening> {
        let Seal { sealed, .. } = self.remote.seals[side].as_ref().filter(|seal| seal.opened)?;
        secrets.openings.iter().find(|opening| opening.side == side && opening.sealed == *sealed)
    }

    /// The next step in remote play, when it is not up to the game.
    pub(super) fn next_remote(&self) -> Option<Next> {
        let RemoteState { committed, client_seeds, seals, .. } = &*self.remote;
        let choose = |side, what, legal| Some(Next::Choose { side, what, legal, default: Value::Null });
        if self.waits_for_seeds() {
            return if RemoteState::has_both(committed) {
                choose(
                    RemoteState::one_without(client_seeds),
                    CLIENT_SEED,
                    json!({"client_seed": "64 hex digits"}),
                )
            } else {
                choose(RemoteState::one_without(committed), SEED_COMMITMENT, json!({"hash": "64 hex digits"}))
            };
        }
        self.secret_choice().filter(|_| self.created.remote || self.remote.has_seals())?;
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
                    let side = RemoteState::one_without(seals);
                    if let (Some(side), Value::Object(choices)) = (side, &mut legal) {
                        choices.retain(|choice, _| !self.is_chosen_by(choice, side.other()));
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
            && !RemoteState::has_both(&self.remote.client_seeds)
    }

    /// Refuses play that a secret choice has to come before.
    pub(super) fn refuse_if_secret(&self) -> Result<(), Refusal> {
        match self.secret_choice() {
            Some(_) if self.created.remote || self.remote.has_seals() => self.refuse_play(),
            _ => Ok(()),
        }
    }

    fn refuse_play(&self) -> Result<(), Refusal> {
        match self.secret_choice() {
            Some(step) => {
                let message = format!(
                    "each side chooses its {} in secret; play goes on when both choices are sealed and open",
                    step.what
                );
                refuse(RefusalKind::AwaitingChoice, Place::Input, message)
            }
            _ => Ok(()),
        }
    }
}

/// The face of the die that makes this choice for a side that timed out after the toss.
pub fn timeout_toss_die(to: TossChoice) -> u16 {
    if to == TossChoice::Bat { 1 } else { 2 }
}

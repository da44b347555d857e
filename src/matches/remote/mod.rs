//! Remote play: the claims of sides, their parts of the seed, their secret choices, and calls with a
//! deadline.
//!
//! A secret choice is sealed first: the log has its hash. The choices are revealed only when both seals are
//! in the log and both choices have been opened to the service. The event that follows from the choices
//! reveals them.

mod check;
mod decide;
mod seals;
mod state;
#[cfg(test)]
mod tests;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

pub use self::decide::RemoteDecided;
pub(super) use self::decide::add_reveals;
pub use self::seals::{ClaimedChoice, PendingChoice, SealOpening, ServerSecrets, seal, seed_hash};
pub(super) use self::state::RemoteState;
use self::state::Seal;
use super::out_of_turn::out_of_turn;
use super::{GameInPlay, MatchReviews, Phase};
use crate::dice::{SeededDice, ServerSeed};
use crate::log::{CLIENT_SEED, ClientSeeds, SEED_COMMITMENT, TossChoice};
use crate::rules::{ChoiceKind, Next, Place, Play, Refusal, RefusalKind, RemoteChoices, no_secret_choice};
use crate::scorebook::{BySide, Side};

/// The name of the die that chooses for a side that timed out after the toss.
pub const TIMEOUT_TOSS: &str = "silent_toss";

/// The pattern of a seed and of a hash.
const HEX_64: &str = "^[0-9a-f]{64}$";

/// The name of the step in which both sides have sealed their choices and have to open them.
pub(super) const OPENING: &str = "opening";

/// The remote play of a match: the state of its seeds, seals and calls, on top of play and reviews.
#[derive(Clone, Copy)]
pub struct Remote<'a> {
    play: &'a GameInPlay,
    reviews: MatchReviews<'a>,
    /// The sides that have been claimed.
    claimed: BySide<bool>,
    state: &'a RemoteState,
}

impl<'a> Remote<'a> {
    pub(super) fn new(
        play: &'a GameInPlay,
        reviews: MatchReviews<'a>,
        claimed: BySide<bool>,
        state: &'a RemoteState,
    ) -> Remote<'a> {
        Remote { play, reviews, claimed, state }
    }

    /// Whether the match has remote play: each side on a device of its own.
    fn is_remote(&self) -> bool {
        self.play.info().created.remote
    }

    /// Whether sides choose in secret: always in remote play, and at one table once one of them has sealed.
    fn chooses_in_secret(&self) -> bool {
        self.is_remote() || self.state.has_seals()
    }

    /// The secret choice that both sides make now, if there is one.
    pub fn secret_choice(&self) -> Option<PendingChoice> {
        if self.play.phase() != Phase::Play || self.reviews.is_played_out() || self.reviews.open().is_some() {
            return None;
        }
        self.play.game().remote()?.secret().map(|kind| self.pending(kind))
    }

    /// The open choice that has to be made before play can go on, and the side that makes it.
    pub fn open_choice(&self) -> Option<(Side, PendingChoice)> {
        let is_open_now = match self.play.phase() {
            Phase::SetUp => !self.waits_for_seeds(),
            Phase::Play => !self.reviews.is_played_out() && self.reviews.open().is_none(),
            Phase::Toss | Phase::TossDecision(_) | Phase::Completed(_) | Phase::Abandoned => false,
        };
        let (side, kind) = self.play.game().remote()?.open_choice().filter(|_| is_open_now)?;
        Some((side, self.pending(kind)))
    }

    /// The pending choice of a kind, for the next delivery.
    fn pending(&self, ChoiceKind { what, ball }: ChoiceKind) -> PendingChoice {
        let (innings, over) = self.play.next_over();
        PendingChoice { what, innings, over, ball }
    }

    /// The choices that the game has sides make for themselves.
    fn choices(&self) -> Result<&'a dyn RemoteChoices, Refusal> {
        self.play.game().remote().ok_or_else(no_secret_choice)
    }

    /// The play for a side that timed out over an open choice.
    pub(super) fn on_timeout(&self) -> Result<Play, Refusal> {
        Ok(self.choices()?.on_timeout())
    }

    /// Whether this side makes the choice of this name; either side, in a game that does not tell.
    pub(super) fn is_chosen_by(&self, choice: &str, side: Side) -> bool {
        self.play.game().remote().is_none_or(|remote| remote.is_chosen_by(choice, side))
    }

    /// The client seeds that go into the match seed: home's and away's, or none.
    pub fn client_seeds(&self) -> Vec<String> {
        match (&self.state.client_seeds.home, &self.state.client_seeds.away) {
            (Some(home), Some(away)) => vec![home.clone(), away.clone()],
            _ => Vec::new(),
        }
    }

    /// The dice of a seeded match.
    pub fn dice(&self, seed: &ServerSeed) -> SeededDice {
        SeededDice::new(&seed.match_seed(&self.client_seeds()))
    }

    /// The dice of the match, from which secret choices are dealt.
    pub(super) fn secret_dice(&self, secrets: ServerSecrets<'_>) -> Result<SeededDice, Refusal> {
        let none =
            || Refusal::new(RefusalKind::OutOfTurn, Place::Input, "this match has no seed to deal from");
        secrets.seed.map(|seed| self.dice(seed)).ok_or_else(none)
    }

    /// Whether a side has been claimed.
    pub fn is_claimed(&self, side: Side) -> bool {
        self.claimed[side]
    }

    /// The deadline of the side that was called.
    pub fn deadline(&self) -> Option<DateTime<Utc>> {
        self.state.deadline.as_ref().map(|deadline| deadline.until)
    }

    /// The deadline of a side that is called now.
    pub fn until(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        now + TimeDelta::seconds(self.play.info().created.choice_timeout.cast_signed())
    }

    /// Whether a side was called and has let its deadline pass.
    pub(super) fn has_timed_out(&self, side: Side, at: DateTime<Utc>) -> bool {
        self.state.deadline.as_ref().is_some_and(|deadline| deadline.side == side && deadline.until <= at)
    }

    /// Whether a side's sealed choice is open to the service.
    pub(super) fn is_open(&self, side: Side) -> bool {
        self.state.seals[side].as_ref().is_some_and(|seal| seal.opened)
    }

    /// The hand and the choice of a side, for that side only. Null when the match waits for no secret choice
    /// now.
    pub fn hand(&self, side: Side, secrets: ServerSecrets<'_>) -> Result<Value, Refusal> {
        let (Some(_), Some(seed)) = (self.secret_choice(), secrets.seed) else { return Ok(Value::Null) };
        let hand = self.choices()?.hand(side, &mut self.dice(seed))?;
        let choice = self.opening(side, secrets).map(|opening| &opening.choice);
        Ok(json!({"hand": hand, "choice": choice}))
    }

    /// The choice of a side that is open to the service.
    fn opening<'s>(&self, side: Side, secrets: ServerSecrets<'s>) -> Option<&'s SealOpening> {
        let Seal { sealed, .. } = self.state.seals[side].as_ref().filter(|seal| seal.opened)?;
        secrets.openings.iter().find(|opening| opening.side == side && opening.sealed == *sealed)
    }

    /// Whether set-up and toss have to wait for client seeds.
    pub(super) fn waits_for_seeds(&self) -> bool {
        matches!(self.play.phase(), Phase::SetUp | Phase::Toss)
            && self.play.info().created.client_seeds == ClientSeeds::Both
            && !RemoteState::has_both(&self.state.client_seeds)
    }

    /// The next step in remote play, when it is not up to the table.
    pub(super) fn next(&self) -> Option<Next> {
        let RemoteState { committed, client_seeds, seals, .. } = self.state;
        let choose = |side, what, legal| Some(Next::Choose { side, what, legal, default: Value::Null });
        if self.waits_for_seeds() {
            return if RemoteState::has_both(committed) {
                let seed = json!({"client_seed": {"pattern": HEX_64}});
                choose(RemoteState::one_without(client_seeds), CLIENT_SEED, seed)
            } else {
                let hash = json!({"hash": {"pattern": HEX_64}});
                choose(RemoteState::one_without(committed), SEED_COMMITMENT, hash)
            };
        }
        self.secret_choice().filter(|_| self.chooses_in_secret())?;
        match (&seals.home, &seals.away) {
            (Some(home), Some(away)) => {
                let side = match (home.opened, away.opened) {
                    (false, true) => Some(Side::Home),
                    (true, false) => Some(Side::Away),
                    _ => None,
                };
                choose(side, OPENING, Value::Null)
            }
            _ => match self.play.game().next() {
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

    /// What the whole match waits for, at the table or not.
    fn awaited(&self) -> Next {
        self.next().unwrap_or_else(|| self.reviews.next())
    }

    /// A refusal of something out of turn.
    fn out_of_turn(&self, problem: &str) -> Refusal {
        out_of_turn(problem, &self.awaited())
    }

    /// The choice for which a side can be called now.
    pub(super) fn awaited_from(&self, on: Side) -> Result<&'static str, Refusal> {
        let refuse = |kind, message: String| Err(Refusal::new(kind, Place::Input, message));
        if !self.chooses_in_secret() {
            let message = "nobody can be called in a match where one scorer can enter every choice";
            return refuse(RefusalKind::OutOfTurn, message.to_owned());
        }
        match self.awaited() {
            Next::Choose { side: Some(owner), what, .. } if owner == on => Ok(what),
            Next::Choose { side: None, what: OPENING, .. } => Ok(OPENING),
            Next::Choose { side: owner, what, .. }
                if owner.is_some() || self.waits_for_seeds() || self.secret_choice().is_some() =>
            {
                let message = format!("the match waits for your own {}", what.replace('_', " "));
                refuse(RefusalKind::AwaitingChoice, message)
            }
            Next::Choose { .. } | Next::Roll { .. } | Next::Finished { .. } => {
                let message = "nobody can be called: either side may do what the match waits for";
                refuse(RefusalKind::OutOfTurn, message.to_owned())
            }
        }
    }

    /// Refuses play that a secret choice has to come before.
    pub(super) fn refuse_if_secret(&self) -> Result<(), Refusal> {
        if self.chooses_in_secret() { self.refuse_play() } else { Ok(()) }
    }

    /// Refuses play by one side while both sides may choose in secret.
    pub(super) fn refuse_play(&self) -> Result<(), Refusal> {
        let Some(pending) = self.secret_choice() else { return Ok(()) };
        let message = format!(
            "each side chooses its {} in secret; play goes on when both choices are sealed and open",
            pending.what
        );
        Err(Refusal::new(RefusalKind::AwaitingChoice, Place::Input, message))
    }
}

/// The face of the die that makes this choice for a side that timed out after the toss.
pub fn timeout_toss_die(to: TossChoice) -> u16 {
    if to == TossChoice::Bat { 1 } else { 2 }
}

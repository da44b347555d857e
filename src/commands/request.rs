//! Command requests: a command to a match with its actor and its preconditions, and the decision of each kind
//! of command. The service runs them; nothing here reads a store.

use serde::Deserialize;
use utoipa::ToSchema;

use crate::commands::{Secrets, TokenRow, VerifiedToken};
use crate::dice::{ServerSeed, TableDice};
use crate::log::{Actor, CoinFace, Event, EventData, MatchId, Role, TokenRotated};
use crate::matches::corrections::{self, Consent, CorrectionRequest, as_requested};
use crate::matches::{
    Action, Decided, DisputeCommand, Input, Match, OpenReview, PermissionQuestion, Phase, RemoteCommand,
    RemoteDecided, ServerSecrets,
};
use crate::rules::{Place, Refusal, RefusalKind};
use crate::scorebook::Side;

/// A request with a command to a match.
#[derive(Debug, Clone)]
pub struct CommandRequest {
    /// The match's id.
    pub match_id: MatchId,
    /// The author of the events that follow.
    pub actor: Actor,
    /// The verified token of the request; none for an invite or the admin's token, which need no check on
    /// append.
    pub token: Option<VerifiedToken>,
    /// The command that the match decides.
    pub command: Command,
    /// The hashes of the heads that the client accepts; any head where this is left out.
    pub if_match: Option<Vec<String>>,
    /// The idempotency key under which the answer is remembered.
    pub key: Option<IdempotencyKey>,
}

/// An idempotency key, with the hash of its request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey {
    /// The key that the client gave.
    pub key: String,
    /// SHA-256 of path and body.
    pub request: String,
}

/// A command to a match.
#[derive(Debug, Clone)]
pub enum Command {
    /// One input, with the dice that go with it.
    Enter(Input, EnteredDice),
    /// One input with its dice, after the decision that could be reviewed is accepted.
    AcceptFirst(Input, EnteredDice),
    /// Autoplay with default choices and seeded dice, until a point is reached.
    Autoplay(Until),
    /// A remote command of a side.
    Remote(Side, RemoteCommand),
    /// The claim of a side, with the hash of its new token.
    Claim(Side, String),
    /// The rotation of a role's token, with the hash of the new one.
    Rotate(Role, String),
    /// A correction.
    Correct(CorrectionRequest),
    /// A side's consent to the correction with this number.
    Consent(u32),
    /// A dispute, or a ruling on one.
    Dispute(DisputeCommand),
}

/// The result of a command: events, and secrets to be stored beside the log.
#[derive(Debug, Default)]
pub struct CommandDecided {
    /// The events in order, each with its author.
    pub events: Vec<(EventData, Actor)>,
    /// The secrets to be stored beside the log.
    pub secrets: Secrets,
}

/// Dice entered with an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EnteredDice {
    /// No dice, for an input without any.
    Nothing,
    /// The coin, if it was entered.
    Coin(Option<CoinFace>),
    /// Dice, if any were entered.
    Dice(Option<Vec<i64>>),
}

/// The goal of autoplay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Until {
    /// The next ball.
    Ball,
    /// The end of the over.
    Over,
    /// The end of the innings.
    Innings,
    /// The end of the match.
    Match,
}

impl CommandRequest {
    /// Whether the command may reveal secret choices, and so needs those that the service keeps.
    pub fn needs_openings(&self) -> bool {
        matches!(self.command, Command::Remote(..))
    }

    /// Whether the command may void events, and so needs the log.
    pub fn needs_log(&self, the_match: &Match) -> bool {
        match &self.command {
            Command::Correct(_) => true,
            Command::Consent(number) => self.completes(the_match, *number).is_some(),
            Command::Enter(..)
            | Command::AcceptFirst(..)
            | Command::Autoplay(_)
            | Command::Remote(..)
            | Command::Claim(..)
            | Command::Rotate(..)
            | Command::Dispute(_) => false,
        }
    }

    /// The correction that is made if this side consents as well.
    fn completes(&self, the_match: &Match, number: u32) -> Option<CorrectionRequest> {
        let (proposed, consents) = the_match.proposed().filter(|(proposed, _)| proposed.number == number)?;
        consents[self.actor.side()?.other()].then(|| as_requested(proposed))
    }

    /// Whether the command may be decided again on a later head. A correction is meant for the match that its
    /// author has seen.
    pub fn is_for_any_head(&self) -> bool {
        !matches!(self.command, Command::Correct(_))
    }

    /// Whether the answer shows the changes of the scorecard.
    pub fn tells_difference(&self) -> bool {
        matches!(self.command, Command::Correct(_) | Command::Consent(_))
    }

    /// Decides the command on the match as it is now; `log` is its log, where that is needed.
    pub fn decide(
        &self,
        the_match: &Match,
        server_secrets: ServerSecrets<'_>,
        log: &[Event],
    ) -> Result<CommandDecided, Refusal> {
        let by_actor = |events: Vec<EventData>, secrets| CommandDecided {
            events: events.into_iter().map(|event| (event, self.actor)).collect(),
            secrets,
        };
        let only = |events| by_actor(events, Secrets::default());
        match &self.command {
            Command::Enter(input, entered) => {
                the_match.permit(self.actor, input, server_secrets.now)?;
                decide_one(the_match, input, entered, server_secrets.seed).map(only)
            }
            Command::AcceptFirst(input, entered) => {
                let accepted = self.accept(the_match, server_secrets)?;
                let (mut events, current) = accepted.map_or((Vec::new(), None), |decision| {
                    let Decided { events, after } = decision;
                    (events, Some(after))
                });
                let current = current.as_ref().unwrap_or(the_match);
                current.permit(self.actor, input, server_secrets.now)?;
                events.extend(decide_one(current, input, entered, server_secrets.seed)?);
                Ok(only(events))
            }
            Command::Autoplay(until) => {
                the_match.permit_action(self.actor, Action::Play, PermissionQuestion::Now)?;
                the_match.permit_for_both(self.actor)?;
                autoplay(the_match, *until, server_secrets.seed).map(only)
            }
            Command::Remote(side, command) => {
                the_match.permit_action(self.actor, Action::SideAct, PermissionQuestion::Now)?;
                if self.actor != Actor::from(*side) {
                    the_match.permit_for_both(self.actor)?;
                    if matches!(command, RemoteCommand::CommitSeed { .. } | RemoteCommand::ShowSeed { .. }) {
                        the_match.permit_seed(*side)?;
                    }
                }
                let RemoteDecided { events, opening } =
                    the_match.decide_remote(*side, command, server_secrets)?;
                Ok(by_actor(events, Secrets { opening, ..Secrets::default() }))
            }
            Command::Claim(side, hash) => {
                the_match.permit_action(self.actor, Action::Claim, PermissionQuestion::Now)?;
                let RemoteDecided { events, .. } =
                    the_match.decide_remote(*side, &RemoteCommand::Claim, server_secrets)?;
                Ok(by_actor(events, token(Role::from(*side), hash)))
            }
            Command::Rotate(role, hash) => {
                the_match.permit_rotation(self.actor, *role)?;
                let events = vec![EventData::TokenRotated(TokenRotated { role: *role })];
                Ok(by_actor(events, token(*role, hash)))
            }
            Command::Correct(correction) => {
                let decided = corrections::decide(
                    the_match,
                    log,
                    correction,
                    self.actor,
                    server_secrets.seed,
                    Consent::Needed,
                )?;
                Ok(CommandDecided { events: decided.events, secrets: Secrets::default() })
            }
            Command::Consent(number) => self.consent(the_match, *number, server_secrets, log),
            Command::Dispute(command) => {
                the_match.permit_action(self.actor, Action::of_dispute(command), PermissionQuestion::Now)?;
                let event = the_match.decide_dispute(command)?;
                the_match.permit_dispute(self.actor, &event, PermissionQuestion::Now)?;
                Ok(only(vec![event]))
            }
        }
    }
}

impl CommandRequest {
    /// Accepts the decision on the last ball, where it can be reviewed.
    fn accept(
        &self,
        the_match: &Match,
        server_secrets: ServerSecrets<'_>,
    ) -> Result<Option<Decided>, Refusal> {
        let Some(OpenReview { by, .. }) = the_match.open_review() else { return Ok(None) };
        let input = Input::Accept { by };
        the_match.permit(self.actor, &input, server_secrets.now)?;
        the_match.decide(input, &mut TableDice::new(&[]), server_secrets.seed).map(Some)
    }

    fn consent(
        &self,
        the_match: &Match,
        number: u32,
        server_secrets: ServerSecrets<'_>,
        log: &[Event],
    ) -> Result<CommandDecided, Refusal> {
        the_match.permit_action(self.actor, Action::Consent, PermissionQuestion::Now)?;
        let side = self.actor.side().ok_or_else(|| Action::Consent.refusal())?;
        let consented = the_match.consent(number, side)?;
        let mut events = vec![(consented, self.actor)];
        if let Some(correction) = self.completes(the_match, number) {
            events.extend(
                corrections::decide(
                    the_match,
                    log,
                    &correction,
                    self.actor,
                    server_secrets.seed,
                    Consent::Given,
                )?
                .events,
            );
        }
        Ok(CommandDecided { events, secrets: Secrets::default() })
    }
}

fn token(role: Role, hash: &str) -> Secrets {
    let row = TokenRow { role, invite: false, hash: hash.to_owned() };
    Secrets { tokens: vec![row], ..Secrets::default() }
}

fn decide_one(
    the_match: &Match,
    input: &Input,
    entered: &EnteredDice,
    seed: Option<&ServerSeed>,
) -> Result<Vec<EventData>, Refusal> {
    let values: Vec<i64> = match entered {
        EnteredDice::Nothing => Vec::new(),
        EnteredDice::Coin(coin) => coin.iter().map(|face| i64::from(face.as_die())).collect(),
        EnteredDice::Dice(dice) => dice.clone().unwrap_or_default(),
    };
    let Some(seed) = seed else {
        let mut table = TableDice::new(&values);
        return the_match.decide(input.clone(), &mut table, None).map(|decision| decision.events);
    };
    if matches!(input, Input::Agreed(..)) {
        let message = "in a seeded match a ball is bowled first, and then amended to the outcome that the table agrees on";
        return Err(Refusal::new(RefusalKind::IllegalInput, Place::Field("as_stood".to_owned()), message));
    }
    let decided = the_match.decide(input.clone(), &mut the_match.dice(seed), Some(seed));
    let is_its_time = !matches!(&decided, Err(refusal) if refusal.is_of_time());
    if is_its_time && !values.is_empty() {
        let field = if matches!(entered, EnteredDice::Coin(_)) { "coin" } else { "dice" };
        let message = format!("the dice of this match come from its seed; leave {field} out");
        return Err(Refusal::new(RefusalKind::IllegalInput, Place::Field(field.to_owned()), message));
    }
    decided.map(|decision| decision.events)
}

fn autoplay(the_match: &Match, until: Until, seed: Option<&ServerSeed>) -> Result<Vec<EventData>, Refusal> {
    let Some(seed) = seed else {
        let message = "autoplay rolls the dice, and the dice of this match are rolled at the table";
        return Err(Refusal::new(RefusalKind::IllegalInput, Place::Input, message));
    };
    let mut dice = the_match.dice(seed);
    let mut events = Vec::new();
    let mut current = the_match.clone();
    let mut begun_at = None;
    loop {
        let decision = current.decide(current.default_input(), &mut dice, Some(seed))?;
        let bowled = decision.events.iter().any(|event| matches!(event, EventData::Ball(_)));
        let place = current.position();
        events.extend(decision.events);
        current = decision.after;
        if bowled {
            begun_at.get_or_insert(place);
        }
        // A decision that can be reviewed is accepted before autoplay stops.
        let decided = current.open_review().is_none();
        if begun_at.is_some_and(|begun| decided && is_reached(until, begun, &current)) {
            return Ok(events);
        }
    }
}

fn is_reached(until: Until, (innings, over): (u16, u16), current: &Match) -> bool {
    let done = matches!(current.phase(), Phase::Completed(_) | Phase::Abandoned);
    done || match until {
        Until::Ball => true,
        Until::Over => current.position() != (innings, over),
        Until::Innings => current.position().0 != innings,
        Until::Match => false,
    }
}

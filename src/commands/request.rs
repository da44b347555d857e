use serde::Deserialize;
use utoipa::ToSchema;

use crate::commands::{Secrets, TokenRow, VerifiedToken};
use crate::dice::{ServerSeed, TableDice};
use crate::log::{Actor, CoinFace, Event, EventData, MatchId, Role, TokenRotated};
use crate::matches::corrections::{self, Consent, CorrectionRequest, as_requested};
use crate::matches::{
    Asking, Decided, Deed, DisputeCommand, Input, Match, OpenReview, Phase, RemoteCommand, RemoteDecided,
    ServerSecrets,
};
use crate::rules::{Place, Refusal, Why};
use crate::scorebook::Side;

/// Something put into a match over the wire.
#[derive(Debug, Clone)]
pub struct CommandRequest {
    /// The match.
    pub match_id: MatchId,
    /// On whose word.
    pub actor: Actor,
    /// The token that was shown; none by which the store knows whoever holds an invite or the admin's.
    pub token: Option<VerifiedToken>,
    /// What.
    pub command: Command,
    /// The heads the client would have it appended to, as hashes; any where it does not say.
    pub if_match: Option<Vec<String>>,
    /// The key under which the answer is remembered.
    pub key: Option<IdempotencyKey>,
}

/// An idempotency key, and what was asked under it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey {
    /// The key the client gave.
    pub key: String,
    /// SHA-256 of path and body.
    pub request: String,
}

/// What is asked.
#[derive(Debug, Clone)]
pub enum Command {
    /// One input, with the dice that go with it.
    Enter(Input, EnteredDice),
    /// The same; a decision that could be reviewed is accepted first.
    AcceptFirst(Input, EnteredDice),
    /// Default choices and seeded dice until a point is reached.
    Autoplay(Until),
    /// What a side does that plays for itself.
    Remote(Side, RemoteCommand),
    /// A side takes its token, of which this is the hash.
    Claim(Side, String),
    /// A token takes the place of the one before: whose, and its hash.
    Rotate(Role, String),
    /// A correction.
    Correct(CorrectionRequest),
    /// A side consents to a correction.
    Consent(u32),
    /// Something is said about the match.
    Dispute(DisputeCommand),
}

/// What follows from what is asked: events, and what is stored beside the log.
#[derive(Debug, Default)]
pub struct CommandDecided {
    /// The events, in order, and on whose word each is.
    pub events: Vec<(EventData, Actor)>,
    /// What is stored beside them and stays hidden.
    pub secrets: Secrets,
}

/// Dice entered with an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EnteredDice {
    /// None can go with it.
    Nothing,
    /// The coin, if it was entered.
    Coin(Option<CoinFace>),
    /// Dice, if any were entered.
    Dice(Option<Vec<i64>>),
}

/// How far autoplay goes.
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
    /// Whether it may turn up choices that were made in secret.
    pub fn needs_openings(&self) -> bool {
        matches!(self.command, Command::Remote(..))
    }

    /// Whether it may take back what is in the log.
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

    /// What is corrected if this side consents as well.
    fn completes(&self, the_match: &Match, number: u32) -> Option<CorrectionRequest> {
        let (proposed, consents) = the_match.proposed().filter(|(proposed, _)| proposed.number == number)?;
        consents[self.actor.side()?.other()].then(|| as_requested(proposed))
    }

    /// Whether it is decided again on a match that has moved on. A correction is of what whoever asks has seen.
    pub fn is_for_any_head(&self) -> bool {
        !matches!(self.command, Command::Correct(_))
    }

    /// Whether the answer says in what the card differs from what it was.
    pub fn tells_difference(&self) -> bool {
        matches!(self.command, Command::Correct(_) | Command::Consent(_))
    }

    /// Decides on a match as it stands; `log` is its log, where that is needed.
    pub fn decide(
        &self,
        the_match: &Match,
        hidden: ServerSecrets<'_>,
        log: &[Event],
    ) -> Result<CommandDecided, Refusal> {
        let on_my_word = |events: Vec<EventData>, secrets| CommandDecided {
            events: events.into_iter().map(|event| (event, self.actor)).collect(),
            secrets,
        };
        let only = |events| on_my_word(events, Secrets::default());
        match &self.command {
            Command::Enter(input, entered) => {
                the_match.permit(self.actor, input, hidden.now)?;
                decide_one(the_match, input, entered, hidden.seed).map(only)
            }
            Command::AcceptFirst(input, entered) => {
                let accepted = self.accept(the_match, hidden)?;
                let (mut events, now) = accepted.map_or((Vec::new(), None), |decision| {
                    let Decided { events, after } = decision;
                    (events, Some(after))
                });
                let now = now.as_ref().unwrap_or(the_match);
                now.permit(self.actor, input, hidden.now)?;
                events.extend(decide_one(now, input, entered, hidden.seed)?);
                Ok(only(events))
            }
            Command::Autoplay(until) => {
                the_match.permit_deed(self.actor, Deed::Play, Asking::Now)?;
                the_match.permit_for_both(self.actor)?;
                autoplay(the_match, *until, hidden.seed).map(only)
            }
            Command::Remote(side, part) => {
                the_match.permit_deed(self.actor, Deed::OfASide, Asking::Now)?;
                if self.actor != Actor::from(*side) {
                    the_match.permit_for_both(self.actor)?;
                    if matches!(part, RemoteCommand::CommitSeed { .. } | RemoteCommand::ShowSeed { .. }) {
                        the_match.permit_seed(*side)?;
                    }
                }
                let RemoteDecided { events, keep } = the_match.take_part(*side, part, hidden)?;
                Ok(on_my_word(events, Secrets { opening: keep, ..Secrets::default() }))
            }
            Command::Claim(side, hash) => {
                the_match.permit_deed(self.actor, Deed::Claim, Asking::Now)?;
                let RemoteDecided { events, .. } =
                    the_match.take_part(*side, &RemoteCommand::Claim, hidden)?;
                Ok(on_my_word(events, token(Role::from(*side), hash)))
            }
            Command::Rotate(role, hash) => {
                the_match.permit_rotation(self.actor, *role)?;
                let events = vec![EventData::TokenRotated(TokenRotated { role: *role })];
                Ok(on_my_word(events, token(*role, hash)))
            }
            Command::Correct(ask) => {
                let said =
                    corrections::decide(the_match, log, ask, self.actor, hidden.seed, Consent::Needed)?.said;
                Ok(CommandDecided { events: said, secrets: Secrets::default() })
            }
            Command::Consent(number) => self.consent(the_match, *number, hidden, log),
            Command::Dispute(word) => {
                the_match.permit_deed(self.actor, Deed::of_word(word), Asking::Now)?;
                let said = the_match.decide_dispute(word)?;
                the_match.permit_dispute(self.actor, &said, Asking::Now)?;
                Ok(only(vec![said]))
            }
        }
    }
}

impl CommandRequest {
    /// Accepts the decision on the last ball, where it can be reviewed.
    fn accept(&self, the_match: &Match, hidden: ServerSecrets<'_>) -> Result<Option<Decided>, Refusal> {
        let Some(OpenReview { by, .. }) = the_match.open_review() else { return Ok(None) };
        let input = Input::Accept { by };
        the_match.permit(self.actor, &input, hidden.now)?;
        the_match.decide(input, &mut TableDice::new(&[]), hidden.seed).map(Some)
    }

    fn consent(
        &self,
        the_match: &Match,
        number: u32,
        hidden: ServerSecrets<'_>,
        log: &[Event],
    ) -> Result<CommandDecided, Refusal> {
        the_match.permit_deed(self.actor, Deed::Consent, Asking::Now)?;
        let side = self.actor.side().ok_or_else(|| Deed::Consent.refusal())?;
        let consented = the_match.consent(number, side)?;
        let mut events = vec![(consented, self.actor)];
        if let Some(ask) = self.completes(the_match, number) {
            events.extend(
                corrections::decide(the_match, log, &ask, self.actor, hidden.seed, Consent::Given)?.said,
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
    if matches!(input, Input::AsStood(..)) {
        let message =
            "in a seeded match a ball is bowled first, and then amended to what the table agrees on";
        return Err(Refusal::new(Why::IllegalInput, Place::Field("as_stood".to_owned()), message));
    }
    let decided = the_match.decide(input.clone(), &mut the_match.dice(seed), Some(seed));
    let is_due = !matches!(&decided, Err(refusal) if refusal.is_of_time());
    if is_due && !values.is_empty() {
        let field = if matches!(entered, EnteredDice::Coin(_)) { "coin" } else { "dice" };
        let message = format!("the dice of this match come from its seed; leave {field} out");
        return Err(Refusal::new(Why::IllegalInput, Place::Field(field.to_owned()), message));
    }
    decided.map(|decision| decision.events)
}

fn autoplay(the_match: &Match, until: Until, seed: Option<&ServerSeed>) -> Result<Vec<EventData>, Refusal> {
    let Some(seed) = seed else {
        let message = "autoplay rolls the dice, and the dice of this match are rolled at the table";
        return Err(Refusal::new(Why::IllegalInput, Place::Input, message));
    };
    let mut dice = the_match.dice(seed);
    let mut events = Vec::new();
    let mut now = the_match.clone();
    let mut begun_at = None;
    loop {
        let decision = now.decide(now.default_input(), &mut dice, Some(seed))?;
        let bowled = decision.events.iter().any(|event| matches!(event, EventData::Ball(_)));
        let place = now.position();
        events.extend(decision.events);
        now = decision.after;
        if bowled {
            begun_at.get_or_insert(place);
        }
        // A ball that can be reviewed is accepted before it is done with.
        let settled = now.open_review().is_none();
        if begun_at.is_some_and(|begun| settled && is_reached(until, begun, &now)) {
            return Ok(events);
        }
    }
}

fn is_reached(until: Until, (innings, over): (u16, u16), now: &Match) -> bool {
    let done = matches!(now.phase(), Phase::Completed(_) | Phase::Abandoned);
    done || match until {
        Until::Ball => true,
        Until::Over => now.position() != (innings, over),
        Until::Innings => now.position().0 != innings,
        Until::Match => false,
    }
}

//! The handler of commands: it decides each kind of command on a match as it is now. The service runs it;
//! nothing here reads a store.

use super::autoplay::autoplay;
use super::{Command, Secrets, TokenPurpose, TokenRow};
use crate::dice::TableDice;
use crate::log::{Actor, Event, EventData, Role, TokenRotated, TossChoice};
use crate::matches::corrections::{self, Consent, CorrectionDecided, CorrectionRequest, as_requested};
use crate::matches::{
    Action, Decided, Input, Match, PermissionQuestion, Permissions, RemoteDecided, ServerSecrets,
};
use crate::projection::DeliveryPlaces;
use crate::rules::{Choices, Place, Play, Refusal, RefusalKind};
use crate::scorebook::Side;

/// The decision on a command.
pub struct CommandDecided {
    /// The events in order, each with its author.
    pub events: Vec<(EventData, Actor)>,
    /// The match after the last of them; none where they may void play, and only the log gives the match.
    pub after: Option<Match>,
    /// The secrets to be stored beside the log.
    pub secrets: Secrets,
}

impl CommandDecided {
    /// The decision with the hash of a new token.
    fn with_token(mut self, role: Role, hash: &str) -> CommandDecided {
        self.secrets.tokens.push(TokenRow::new(role, TokenPurpose::Token, hash));
        self
    }
}

/// The handler of the commands of an actor.
#[derive(Clone, Copy)]
pub struct CommandHandler<'a> {
    /// The match as it is now.
    pub the_match: &'a Match,
    /// The places of its deliveries, among which a command may name one.
    pub places: &'a DeliveryPlaces,
    /// The author of the events that follow.
    pub actor: Actor,
    /// The secrets of the match that only the service knows.
    pub secrets: ServerSecrets<'a>,
}

impl CommandHandler<'_> {
    /// Whether a command may void events, so that its decision needs the log.
    pub fn needs_log(&self, command: &Command) -> bool {
        match command {
            Command::Correct(_) => true,
            Command::Consent { number } => self.completed_by_consent(*number).is_some(),
            Command::SetUp { .. }
            | Command::Toss { .. }
            | Command::ReportToss { .. }
            | Command::DecideToss { .. }
            | Command::BeginOver { .. }
            | Command::Bowl { .. }
            | Command::Review { .. }
            | Command::Accept { .. }
            | Command::Abandon { .. }
            | Command::Autoplay { .. }
            | Command::Claim { .. }
            | Command::RotateToken { .. }
            | Command::CommitSeed { .. }
            | Command::RevealSeed { .. }
            | Command::Choose { .. }
            | Command::Seal { .. }
            | Command::Open { .. }
            | Command::Call { .. }
            | Command::Dispute { .. }
            | Command::Rule(_) => false,
        }
    }

    /// Decides a command; `log` is the log of the match, where the decision needs it.
    pub fn handle(&self, command: &Command, log: &[Event]) -> Result<CommandDecided, Refusal> {
        let (permissions, remote) = (Permissions::of(self.the_match), self.the_match.remote());
        let adjudication = self.the_match.adjudication();
        let now = PermissionQuestion::Now;
        let named = |choices: &Choices| self.the_match.with_recorded_names(choices);
        match command {
            Command::SetUp { choices } => self.enter(Input::Play(Play::SetUp(named(choices)))),
            Command::Toss { caller, call, coin } => {
                let coin: Vec<i64> = coin.iter().map(|face| i64::from(face.as_die())).collect();
                self.roll(Input::Toss { caller: *caller, call: *call }, "coin", &coin)
            }
            Command::ReportToss { winner, to } => self.report_toss(*winner, *to),
            Command::DecideToss { to } => self.enter(Input::TossDecision { to: *to }),
            Command::BeginOver { choices, accept } => {
                self.roll_on(*accept, Input::Play(Play::Over(named(choices))), &[])
            }
            Command::Bowl { choices, dice, as_stood: None, accept } => {
                self.roll_on(*accept, Input::Play(Play::Ball(named(choices))), dice)
            }
            Command::Bowl { choices, dice, as_stood: Some(agreed), accept } => {
                let agreed = self.the_match.agreed_with_recorded_names(agreed);
                self.roll_on(*accept, Input::Agreed(named(choices), agreed), dice)
            }
            Command::Review { by, dice } => self.roll(Input::Review { by: *by }, "dice", dice),
            Command::Accept { by } => self.enter(Input::Accept { by: *by }),
            Command::Abandon { reason } => self.enter(Input::Abandon { reason: reason.clone() }),
            Command::Autoplay { until } => {
                permissions.permit_action(self.actor, Action::Play, now)?;
                permissions.permit_for_both(self.actor)?;
                Ok(self.decided(autoplay(self.the_match, *until, self.secrets.seed)?))
            }
            Command::Claim { side, token } => {
                permissions.permit_action(self.actor, Action::Claim, now)?;
                Ok(self.conclude(remote.claim(*side)?)?.with_token(Role::from(*side), token))
            }
            Command::RotateToken { role, token } => {
                permissions.permit_rotation(self.actor, *role)?;
                let rotated = EventData::TokenRotated(TokenRotated { role: *role });
                Ok(self.decided(self.the_match.with_event(rotated)).with_token(*role, token))
            }
            Command::CommitSeed { side, hash } => {
                permissions.permit_seed(self.actor, *side)?;
                self.conclude(remote.commit_seed(*side, hash)?)
            }
            Command::RevealSeed { side, client_seed } => {
                permissions.permit_seed(self.actor, *side)?;
                self.conclude(remote.reveal_seed(*side, client_seed)?)
            }
            Command::Choose { side, claimed, salt, choice } => {
                permissions.permit_side_act(self.actor, *side)?;
                self.conclude(remote.choose(*side, claimed, salt, &named(choice), self.secrets)?)
            }
            Command::Seal { side, claimed, sealed } => {
                permissions.permit_side_act(self.actor, *side)?;
                self.conclude(remote.seal(*side, claimed, sealed)?)
            }
            Command::Open { side, claimed, salt, choice } => {
                permissions.permit_side_act(self.actor, *side)?;
                self.conclude(remote.open(*side, claimed, salt, choice, self.secrets)?)
            }
            Command::Call { side } => {
                permissions.permit_side_act(self.actor, *side)?;
                self.conclude(remote.call(*side, self.secrets)?)
            }
            Command::Correct(correction) => {
                let correction = correction.find(self.the_match, self.places)?;
                Ok(self.corrected(self.correct(&correction, Consent::Needed, log)?))
            }
            Command::Consent { number } => self.consent(*number, log),
            Command::Dispute { delivery, claim, by } => {
                permissions.permit_action(self.actor, Action::Dispute, now)?;
                let delivery = delivery.find(self.places, "delivery")?;
                self.adjudicate(adjudication.dispute(delivery, claim, *by)?)
            }
            Command::Rule(ruled) => {
                permissions.permit_action(self.actor, Action::Ruling, now)?;
                self.adjudicate(adjudication.rule(ruled)?)
            }
        }
    }

    /// Decides an input without dice.
    fn enter(&self, input: Input) -> Result<CommandDecided, Refusal> {
        self.roll(input, "dice", &[])
    }

    /// Decides an input with its dice, after the decision on the ball before is accepted where that is asked
    /// for.
    fn roll_on(&self, accept: bool, input: Input, dice: &[i64]) -> Result<CommandDecided, Refusal> {
        let Some(open) = self.the_match.reviews().open().filter(|_| accept) else {
            return self.roll(input, "dice", dice);
        };
        let mut decided = self.decide(Input::Accept { by: open.by }, "dice", &[])?;
        let accepted = CommandHandler { the_match: &decided.after, ..*self };
        let then = accepted.decide(input, "dice", dice)?;
        decided.go_on(then);
        Ok(self.decided(decided))
    }

    /// Decides a toss that the sides have made by themselves, and what its winner has chosen.
    fn report_toss(&self, winner: Side, to: Option<TossChoice>) -> Result<CommandDecided, Refusal> {
        let mut decided = self.decide(Input::ReportedToss { winner }, "coin", &[])?;
        if let Some(to) = to {
            let tossed = CommandHandler { the_match: &decided.after, ..*self };
            let then = tossed.decide(Input::TossDecision { to }, "coin", &[])?;
            decided.go_on(then);
        }
        Ok(self.decided(decided))
    }

    /// Decides an input with the values of its dice, which are entered as `field`.
    fn roll(&self, input: Input, field: &str, values: &[i64]) -> Result<CommandDecided, Refusal> {
        self.decide(input, field, values).map(|decided| self.decided(decided))
    }

    fn decide(&self, input: Input, field: &str, values: &[i64]) -> Result<Decided, Refusal> {
        Permissions::of(self.the_match).permit_input(self.actor, &input, self.secrets.now)?;
        let Some(seed) = self.secrets.seed else {
            return self.the_match.decide(input, &mut TableDice::new(values), None);
        };
        let refuse = |field: &str, message: String| {
            Err(Refusal::new(RefusalKind::IllegalInput, Place::Field(field.to_owned()), message))
        };
        if matches!(input, Input::Agreed(..)) {
            let message = "in a seeded match a ball is bowled first, and then amended to the outcome that the table agrees on";
            return refuse("as_stood", message.to_owned());
        }
        let mut dice = self.the_match.remote().dice(seed);
        let decided = self.the_match.decide(input, &mut dice, Some(seed));
        let is_its_time = !matches!(&decided, Err(refusal) if refusal.is_of_time());
        if is_its_time && !values.is_empty() {
            return refuse(field, format!("the dice of this match come from its seed; leave {field} out"));
        }
        decided
    }

    /// The decision of what a side does for itself.
    fn conclude(&self, decided: RemoteDecided) -> Result<CommandDecided, Refusal> {
        self.the_match.conclude(decided, self.secrets).map(|decided| self.decided(decided))
    }

    /// The decision that consists of an event of adjudication, if this actor may make it.
    fn adjudicate(&self, event: EventData) -> Result<CommandDecided, Refusal> {
        let permissions = Permissions::of(self.the_match);
        permissions.permit_adjudication(self.actor, &event, PermissionQuestion::Now)?;
        Ok(self.decided(self.the_match.with_event(event)))
    }

    /// The decision of the match, by this actor.
    fn decided(&self, Decided { events, after, opening }: Decided) -> CommandDecided {
        let events = events.into_iter().map(|event| (event, self.actor)).collect();
        CommandDecided { events, after: Some(after), secrets: Secrets { opening, ..Secrets::default() } }
    }

    fn correct(
        &self,
        correction: &CorrectionRequest,
        consent: Consent,
        log: &[Event],
    ) -> Result<CorrectionDecided, Refusal> {
        let seed = self.secrets.seed;
        corrections::decide(self.the_match, log, correction, self.actor, seed, consent)
            .map_err(|refused| *refused.refusal)
    }

    fn corrected(&self, decided: CorrectionDecided) -> CommandDecided {
        CommandDecided { events: decided.events, after: None, secrets: Secrets::default() }
    }

    /// The correction that is made if this actor's side consents as well.
    fn completed_by_consent(&self, number: u32) -> Option<CorrectionRequest> {
        let proposed = self.the_match.adjudication().proposed();
        let (proposed, consents) = proposed.filter(|(proposed, _)| proposed.number == number)?;
        consents[self.actor.side()?.other()].then(|| as_requested(proposed))
    }

    fn consent(&self, number: u32, log: &[Event]) -> Result<CommandDecided, Refusal> {
        let permissions = Permissions::of(self.the_match);
        permissions.permit_action(self.actor, Action::Consent, PermissionQuestion::Now)?;
        let side = self.actor.side().ok_or_else(|| Action::Consent.refusal())?;
        let consented = self.the_match.adjudication().consent(number, side)?;
        let Some(correction) = self.completed_by_consent(number) else {
            return Ok(self.decided(self.the_match.with_event(consented)));
        };
        let mut decided = self.corrected(self.correct(&correction, Consent::Given, log)?);
        decided.events.insert(0, (consented, self.actor));
        Ok(decided)
    }
}

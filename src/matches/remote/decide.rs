//! The decisions of remote play: claims, seeds, choices sealed and opened, calls, and the draws after a
//! timeout.

use chrono::{DateTime, TimeDelta, Utc};

use super::{
    ClaimedChoice, OPENING, PendingChoice, RemoteCommand, RemoteDecided, RemoteState, SealOpening,
    ServerSecrets, TIMEOUT_TOSS, check_hex, field, refuse, seal, seed_hash,
};
use crate::dice::{Dice, Draw, SeededDice, Seeds, ServerSeed};
use crate::log::{
    Choice, ChoiceCalled, ChoiceOpened, ClientSeeds, EventData, Reveal, SeedCommitted, SeedContributed,
    SideClaimed, TossChoice, TossDecided, at_format,
};
use crate::matches::{Input, Match, Phase};
use crate::rules::{Choices, Next, Place, Play, Refusal, RefusalKind};
use crate::scorebook::{BySide, Side};

/// The meaning of the die for a side that timed out after the toss: 1 to bat, 2 to bowl.
const TOSS_CHOICES: [TossChoice; 2] = [TossChoice::Bat, TossChoice::Bowl];

impl Match {
    /// Decides a command of a side in remote play.
    pub fn decide_remote(
        &self,
        side: Side,
        command: &RemoteCommand,
        secrets: ServerSecrets<'_>,
    ) -> Result<RemoteDecided, Refusal> {
        self.refuse_if_finished()?;
        let one_event = |event| Ok(RemoteDecided { events: vec![event], opening: None });
        match command {
            RemoteCommand::Claim if self.is_claimed(side) => {
                refuse(RefusalKind::OutOfTurn, Place::Input, format!("the {side} side has been claimed"))
            }
            RemoteCommand::Claim => one_event(EventData::SideClaimed(SideClaimed { side })),
            RemoteCommand::CommitSeed { hash } => {
                self.check_commitment(side, hash)?;
                one_event(EventData::SeedCommitted(SeedCommitted { side, hash: hash.clone() }))
            }
            RemoteCommand::ShowSeed { client_seed } => {
                self.check_client_seed(side, client_seed)?;
                one_event(EventData::SeedContributed(SeedContributed {
                    side,
                    client_seed: client_seed.clone(),
                }))
            }
            RemoteCommand::Choose { claimed, salt, choice } => match self.open_choice() {
                Some(open) => self.decide_open_choice(side, open, claimed, choice, secrets),
                None => self.choose(side, claimed, salt, choice, secrets),
            },
            RemoteCommand::Seal { claimed, sealed } => {
                let pending = self.check_claimed_choice(side, claimed)?;
                self.check_seal(side, sealed)?;
                one_event(EventData::Choice(choice_of(side, pending, sealed)))
            }
            RemoteCommand::Open { claimed, salt, choice } => self.open(side, claimed, salt, choice, secrets),
            RemoteCommand::Call => self.call(side, secrets),
        }
    }

    pub(super) fn check_commitment(&self, side: Side, hash: &str) -> Result<(), Refusal> {
        self.check_seeds_due()?;
        check_hex("hash", hash)?;
        if self.remote.committed[side].is_some() {
            return refuse(
                RefusalKind::OutOfTurn,
                Place::Input,
                format!("the {side} side has committed to its seed"),
            );
        }
        Ok(())
    }

    fn check_seeds_due(&self) -> Result<(), Refusal> {
        if self.created.client_seeds != ClientSeeds::Both {
            let message = "this match has no client seeds; a match gets them when it is created";
            return refuse(RefusalKind::OutOfTurn, Place::Input, message);
        }
        if !matches!(self.phase, Phase::SetUp | Phase::Toss) {
            return Err(self.out_of_turn("the toss has been made"));
        }
        Ok(())
    }

    pub(super) fn check_client_seed(&self, side: Side, client_seed: &str) -> Result<(), Refusal> {
        self.check_seeds_due()?;
        check_hex("client_seed", client_seed)?;
        if !RemoteState::has_both(&self.remote.committed) {
            return Err(self.out_of_turn("no seed is revealed before both sides have committed to theirs"));
        }
        if self.remote.client_seeds[side].is_some() {
            return Err(self.out_of_turn(&format!("the {side} side has revealed its seed")));
        }
        let commitment = self.created.commitment.as_deref().unwrap_or_default();
        let hash = seed_hash(self.match_id, side, commitment, client_seed);
        if hash.ok().as_ref() != self.remote.committed[side].as_ref() {
            let message = "client_seed is not the seed this side has committed to: its hash differs";
            return refuse(RefusalKind::IllegalInput, field("client_seed"), message);
        }
        Ok(())
    }

    /// Checks that a secret choice of this side is pending, and is the one that it claims.
    pub(super) fn check_claimed_choice(
        &self,
        side: Side,
        claimed: &ClaimedChoice,
    ) -> Result<PendingChoice, Refusal> {
        let pending = self
            .secret_choice()
            .ok_or_else(|| self.out_of_turn("the match waits for no secret choice now"))?;
        check_is_pending(claimed, pending)?;
        if self.remote.are_sealed() {
            let message = format!(
                "both sides have sealed their {}, and the {side} side cannot change its choice",
                pending.what
            );
            return refuse(RefusalKind::OutOfTurn, Place::Input, message);
        }
        Ok(pending)
    }

    /// Decides an open choice of a side, and the events that follow from it.
    fn decide_open_choice(
        &self,
        side: Side,
        (owner, pending): (Side, PendingChoice),
        claimed: &ClaimedChoice,
        choice: &Choices,
        secrets: ServerSecrets<'_>,
    ) -> Result<RemoteDecided, Refusal> {
        if side != owner {
            let message =
                format!("the match waits for the {owner} side's {}", pending.what.replace('_', " "));
            return refuse(RefusalKind::NotYours, Place::Input, message);
        }
        check_is_pending(claimed, pending)?;
        self.decide_now(Play::Choose(choice.clone()), secrets)
    }

    /// Decides play for which the match waits.
    fn decide_now(&self, play: Play, secrets: ServerSecrets<'_>) -> Result<RemoteDecided, Refusal> {
        let decision = self.decide(Input::Play(play), &mut self.secret_dice(secrets)?, secrets.seed)?;
        Ok(RemoteDecided { events: decision.events, opening: None })
    }

    pub(super) fn check_seal(&self, side: Side, sealed: &str) -> Result<(), Refusal> {
        check_hex("sealed", sealed)?;
        if self.remote.seals[side.other()].as_ref().is_some_and(|seal| seal.sealed == sealed) {
            let message =
                "sealed is the other side's seal; the seal of a choice contains the side that chooses";
            return refuse(RefusalKind::IllegalInput, field("sealed"), message);
        }
        Ok(())
    }

    fn choose(
        &self,
        side: Side,
        claimed: &ClaimedChoice,
        salt: &str,
        choice: &Choices,
        secrets: ServerSecrets<'_>,
    ) -> Result<RemoteDecided, Refusal> {
        let pending = self.check_claimed_choice(side, claimed)?;
        let choice = self.remote_choices()?.check(side, choice, &mut self.secret_dice(secrets)?)?;
        let sealed = self.seal_of(side, pending, salt, &choice)?;
        let chosen = EventData::Choice(choice_of(side, pending, &sealed));
        let opening = SealOpening { side, sealed, salt: salt.to_owned(), choice };
        let mut decided = self.opened(pending, opening, secrets)?;
        decided.events.insert(0, chosen);
        Ok(decided)
    }

    fn open(
        &self,
        side: Side,
        claimed: &ClaimedChoice,
        salt: &str,
        choice: &Choices,
        secrets: ServerSecrets<'_>,
    ) -> Result<RemoteDecided, Refusal> {
        let pending = match self.secret_choice() {
            Some(pending) if claimed.what == pending.what => pending,
            _ => return Err(self.out_of_turn(&format!("there is no {} to open", claimed.what))),
        };
        check_hex("salt", salt)?;
        let Some(seal) = &self.remote.seals[side] else {
            return Err(self.out_of_turn(&format!("the {side} side has sealed no choice")));
        };
        if seal.opened {
            return Err(self.out_of_turn(&format!("the {side} side's {} is open", pending.what)));
        }
        let sealed = self.seal_of(side, pending, salt, choice)?;
        if sealed != seal.sealed {
            let message = format!(
                "salt and choice do not fit the seal {}; a seal is the hash of {{match, side, for, innings, over, ball, salt, choice}}",
                seal.sealed
            );
            return refuse(RefusalKind::IllegalInput, field("choice"), message);
        }
        self.remote_choices()?.check(side, choice, &mut self.secret_dice(secrets)?)?;
        let opening = SealOpening { side, sealed, salt: salt.to_owned(), choice: choice.clone() };
        self.opened(pending, opening, secrets)
    }

    pub(super) fn seal_of(
        &self,
        side: Side,
        pending: PendingChoice,
        salt: &str,
        choice: &Choices,
    ) -> Result<String, Refusal> {
        seal(self.match_id, side, pending, salt, choice)
            .map_err(|fault| Refusal::new(RefusalKind::IllegalInput, field("choice"), fault.to_string()))
    }

    fn secret_dice(&self, secrets: ServerSecrets<'_>) -> Result<SeededDice, Refusal> {
        let none =
            || Refusal::new(RefusalKind::OutOfTurn, Place::Input, "this match has no seed to deal from");
        secrets.seed.map(|seed| self.dice(seed)).ok_or_else(none)
    }

    /// Opens a choice to the service. When the other side's is open too, both are revealed.
    fn opened(
        &self,
        pending: PendingChoice,
        opening: SealOpening,
        secrets: ServerSecrets<'_>,
    ) -> Result<RemoteDecided, Refusal> {
        let side = opening.side;
        match self.opening(side.other(), secrets) {
            Some(other) => {
                let mut reveals = [reveal_of(pending, &opening), reveal_of(pending, other)];
                reveals.sort_by_key(|reveal| reveal.side == Side::Away);
                let events = self.reveal_both(reveals, &mut self.secret_dice(secrets)?, secrets.seed)?;
                Ok(RemoteDecided { events, opening: None })
            }
            None if self.is_open(side.other()) => self.refuse_lost_opening(side.other(), pending),
            None => {
                let PendingChoice { what, innings, over, ball } = pending;
                let opened = ChoiceOpened { side, what: what.to_owned(), innings, over, ball };
                Ok(RemoteDecided { events: vec![EventData::ChoiceOpened(opened)], opening: Some(opening) })
            }
        }
    }

    /// Decides the events that follow from two choices, home's first: an over or a roll that has the reveals,
    /// and the events after it.
    pub(super) fn reveal_both(
        &self,
        reveals: [Reveal; 2],
        dice: &mut dyn Dice,
        seed: Option<&ServerSeed>,
    ) -> Result<Vec<EventData>, Refusal> {
        let remote = self.remote_choices()?;
        let chosen = |dice: &mut dyn Dice, reveal: &Reveal| match reveal.draw {
            Some(_) => Ok(reveal.choice.clone()),
            None => remote.check(reveal.side, &reveal.choice, dice),
        };
        let [home, away] = &reveals;
        let choices = BySide { home: chosen(dice, home)?, away: chosen(dice, away)? };
        let decided = self.game.decide(remote.reveal(choices), dice)?;
        let opened = || seed.map(|seed| Seeds::open(seed, &self.client_seeds()));
        let mut events = self.played(decided, opened)?.events;
        match events.first_mut() {
            Some(EventData::Over(over)) => over.reveals = reveals.into(),
            Some(EventData::Roll(roll)) => roll.reveals = reveals.into(),
            _ => {}
        }
        Ok(events)
    }

    fn call(&self, side: Side, secrets: ServerSecrets<'_>) -> Result<RemoteDecided, Refusal> {
        let on = side.other();
        let what = self.awaited_from(on)?;
        match &self.remote.deadline {
            Some(deadline) if secrets.now < deadline.until => {
                let message = format!(
                    "the {} side has been called, and has until {}",
                    deadline.side,
                    at_format::write(&deadline.until)
                );
                refuse(RefusalKind::AwaitingChoice, Place::Input, message)
            }
            Some(deadline) => self.decide_timeout(deadline.side, secrets),
            None => {
                let until = at_format::write(&self.until(secrets.now));
                let called = ChoiceCalled { by: side, on, what: what.to_owned(), until };
                Ok(RemoteDecided { events: vec![EventData::ChoiceCalled(called)], opening: None })
            }
        }
    }

    /// The choice for which a side can be called now.
    pub(super) fn awaited_from(&self, on: Side) -> Result<&'static str, Refusal> {
        if !self.created.remote && !self.remote.has_seals() {
            let message = "nobody can be called in a match where one scorer can enter every choice";
            return refuse(RefusalKind::OutOfTurn, Place::Input, message);
        }
        match self.next() {
            Next::Choose { side: Some(owner), what, .. } if owner == on => Ok(what),
            Next::Choose { side: None, what: OPENING, .. } => Ok(OPENING),
            Next::Choose { side: owner, what, .. }
                if owner.is_some() || self.waits_for_seeds() || self.secret_choice().is_some() =>
            {
                let message = format!("the match waits for your own {}", what.replace('_', " "));
                refuse(RefusalKind::AwaitingChoice, Place::Input, message)
            }
            Next::Choose { .. } | Next::Roll { .. } | Next::Finished { .. } => {
                let message = "nobody can be called: either side may do what the match waits for";
                refuse(RefusalKind::OutOfTurn, Place::Input, message)
            }
        }
    }

    /// The deadline of a side that is called now.
    pub fn until(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        now + TimeDelta::seconds(self.created.choice_timeout.cast_signed())
    }

    /// Decides for a side that timed out: draws its choice, or takes the default. When both sides have sealed
    /// and the caller has not opened its own choice either, the caller has timed out as well: nobody else
    /// could go on.
    fn decide_timeout(&self, late: Side, secrets: ServerSecrets<'_>) -> Result<RemoteDecided, Refusal> {
        if self.waits_for_seeds() {
            let message =
                "without both sides' seeds there is nothing to draw from; the match can be abandoned";
            return refuse(RefusalKind::AwaitingChoice, Place::Input, message);
        }
        let mut dice = self.secret_dice(secrets)?;
        if self.phase == Phase::SetUp && self.open_choice().is_some() {
            return self.decide_now(self.remote_choices()?.on_timeout(), secrets);
        }
        if self.open_review().is_some() || self.phase == Phase::SetUp {
            let decision = self.decide(self.default_input(), &mut dice, secrets.seed)?;
            return Ok(RemoteDecided { events: decision.events, opening: None });
        }
        if self.phase == Phase::Play && self.secret_choice().is_none() {
            return self.decide_now(self.remote_choices()?.on_timeout(), secrets);
        }
        let Some(pending) = self.secret_choice() else {
            let draw = Draw::timeout_over(0, 0);
            dice.begin(draw);
            let to = TOSS_CHOICES[usize::from(dice.roll(TIMEOUT_TOSS, 2)?) - 1];
            let decided = TossDecided { by: late, to, draw: Some(draw.into()) };
            return Ok(RemoteDecided { events: vec![EventData::TossDecided(decided)], opening: None });
        };
        let open = |side| self.opening(side, secrets);
        let timed_out = BySide { home: open(Side::Home).is_none(), away: open(Side::Away).is_none() };
        if let Some(side) =
            [Side::Home, Side::Away].into_iter().find(|side| timed_out[*side] && self.is_open(*side))
        {
            return self.refuse_lost_opening(side, pending);
        }
        if timed_out[late.other()] && !self.remote.are_sealed() {
            let message = format!("your own {} is not open: open it first, or choose again", pending.what);
            return refuse(RefusalKind::AwaitingChoice, Place::Input, message);
        }
        let drawn = self.remote_choices()?.draw_for(timed_out, &mut dice)?;
        let reveal = |side| match open(side) {
            Some(opening) => reveal_of(pending, opening),
            None => self.drawn_for(pending, side, drawn[side].clone()),
        };
        let reveals = [reveal(Side::Home), reveal(Side::Away)];
        Ok(RemoteDecided { events: self.reveal_both(reveals, &mut dice, secrets.seed)?, opening: None })
    }

    /// Whether a side's sealed choice is open to the service.
    pub(super) fn is_open(&self, side: Side) -> bool {
        self.remote.seals[side].as_ref().is_some_and(|seal| seal.opened)
    }

    /// Refuses to go on with a choice that was opened to the service and is lost.
    fn refuse_lost_opening(&self, side: Side, pending: PendingChoice) -> Result<RemoteDecided, Refusal> {
        let what = pending.what;
        let message = format!(
            "the {side} side's {what} was opened and has been lost; void it by a correction, then choose again"
        );
        refuse(RefusalKind::AwaitingChoice, Place::Input, message)
    }

    /// The draw that makes a secret choice for a side that timed out.
    pub(super) fn timeout_draw(&self, pending: PendingChoice) -> Draw {
        match pending.ball {
            None => Draw::timeout_over(pending.innings, pending.over),
            Some(_) => Draw::timeout_ball(self.deliveries + 1),
        }
    }

    fn drawn_for(&self, pending: PendingChoice, side: Side, choice: Choices) -> Reveal {
        let draw = Some(self.timeout_draw(pending).into());
        Reveal { side, what: pending.what.to_owned(), choice, salt: None, draw }
    }
}

/// Checks that the choice that a side claims is the pending one, for this over and this ball.
fn check_is_pending(claimed: &ClaimedChoice, pending: PendingChoice) -> Result<(), Refusal> {
    if claimed.what != pending.what {
        let message = format!("for must be {:?}: the match waits for that choice", pending.what);
        return refuse(RefusalKind::IllegalInput, field("for"), message);
    }
    if claimed.ball.is_some() && pending.ball.is_none() {
        let message =
            format!("{} is a choice for no single ball; leave ball out", pending.what.replace('_', " "));
        return refuse(RefusalKind::IllegalInput, field("ball"), message);
    }
    let fits = |claimed: Option<u16>, number: u16| claimed.is_none_or(|claimed| claimed == number);
    let is_ball = claimed.ball.is_none_or(|ball| Some(ball) == pending.ball);
    if fits(claimed.innings, pending.innings) && fits(claimed.over, pending.over) && is_ball {
        return Ok(());
    }
    let ball = pending.ball.map_or(String::new(), |ball| format!("ball {ball} of "));
    let message = format!("the match waits for {ball}over {} of innings {}", pending.over, pending.innings);
    refuse(RefusalKind::OutOfTurn, Place::Input, message)
}

fn choice_of(side: Side, pending: PendingChoice, sealed: &str) -> Choice {
    let PendingChoice { what, innings, over, ball } = pending;
    Choice { side, what: what.to_owned(), innings, over, ball, sealed: Some(sealed.to_owned()), choice: None }
}

fn reveal_of(pending: PendingChoice, opening: &SealOpening) -> Reveal {
    let SealOpening { side, salt, choice, .. } = opening;
    Reveal {
        side: *side,
        what: pending.what.to_owned(),
        choice: choice.clone(),
        salt: Some(salt.clone()),
        draw: None,
    }
}

//! The decisions of remote play: claims, seeds, choices sealed and opened, calls, and the draws after a
//! timeout.

use super::{
    ClaimedChoice, PendingChoice, Remote, RemoteState, SealOpening, ServerSecrets, TIMEOUT_TOSS, seal,
    seed_hash,
};
use crate::dice::{Dice, Draw};
use crate::log::{
    Choice, ChoiceCalled, ChoiceOpened, ClientSeeds, EventData, Reveal, Role, SeedCommitted, SeedContributed,
    SideClaimed, TossChoice, TossDecided, at_format, is_hash,
};
use crate::matches::{Input, OpenReview, Phase};
use crate::rules::{Choices, Place, Play, Refusal, RefusalKind};
use crate::scorebook::{BySide, Side};

/// The meaning of the die for a side that timed out after the toss: 1 to bat, 2 to bowl.
const TOSS_CHOICES: [TossChoice; 2] = [TossChoice::Bat, TossChoice::Bowl];

/// The decision on what a side does in remote play.
pub enum RemoteDecided {
    /// Events of remote play, and a choice to keep outside the log until it is revealed.
    Events(Vec<EventData>, Option<SealOpening>),
    /// An input that the match decides now: an open choice, or what a side gets that timed out.
    Input(Input),
    /// The reveal of both secret choices.
    Reveal {
        /// The event that has sealed the second choice just now; none for a choice that was sealed before.
        sealed: Option<Box<EventData>>,
        /// The two choices, home's first.
        reveals: Box<[Reveal; 2]>,
        /// The play that follows from the choices.
        play: Play,
    },
}

impl RemoteDecided {
    fn event(event: EventData) -> RemoteDecided {
        RemoteDecided::Events(vec![event], None)
    }
}

/// Adds two revealed choices to the first of the events that follow from them: an over or a roll.
pub(in crate::matches) fn add_reveals(events: &mut [EventData], reveals: [Reveal; 2]) {
    match events.first_mut() {
        Some(EventData::Over(over)) => over.reveals = reveals.into(),
        Some(EventData::Roll(roll)) => roll.reveals = reveals.into(),
        _ => {}
    }
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
    refuse(RefusalKind::IllegalInput, field(name), format!("{name} is 64 hexadecimal digits"))
}

impl Remote<'_> {
    /// Decides the claim of a side.
    pub fn claim(&self, side: Side) -> Result<RemoteDecided, Refusal> {
        self.reviews.refuse_if_finished()?;
        if self.is_claimed(side) {
            return refuse(RefusalKind::OutOfTurn, Place::Input, format!("the {side} side has been claimed"));
        }
        Ok(RemoteDecided::event(EventData::SideClaimed(SideClaimed { side })))
    }

    /// Decides the commitment of a side to its client seed; `hash` is from [`seed_hash`].
    pub fn commit_seed(&self, side: Side, hash: &str) -> Result<RemoteDecided, Refusal> {
        self.reviews.refuse_if_finished()?;
        self.check_commitment(side, hash)?;
        Ok(RemoteDecided::event(EventData::SeedCommitted(SeedCommitted { side, hash: hash.to_owned() })))
    }

    /// Decides the reveal of a side's client seed: 64 lower-case hexadecimal digits.
    pub fn reveal_seed(&self, side: Side, client_seed: &str) -> Result<RemoteDecided, Refusal> {
        self.reviews.refuse_if_finished()?;
        self.check_client_seed(side, client_seed)?;
        let client_seed = client_seed.to_owned();
        Ok(RemoteDecided::event(EventData::SeedContributed(SeedContributed { side, client_seed })))
    }

    /// Refuses the replacement of a token that nobody has.
    pub(in crate::matches) fn check_token_exists(&self, role: Role) -> Result<(), Refusal> {
        match role.side() {
            Some(side) if !self.is_claimed(side) => {
                let message = format!("there is no {side} token to replace: the side has not been claimed");
                refuse(RefusalKind::NoSuchToken, Place::Input, message)
            }
            _ => Ok(()),
        }
    }

    pub(super) fn check_commitment(&self, side: Side, hash: &str) -> Result<(), Refusal> {
        self.check_seeds_due()?;
        check_hex("hash", hash)?;
        if self.state.committed[side].is_some() {
            let message = format!("the {side} side has committed to its seed");
            return refuse(RefusalKind::OutOfTurn, Place::Input, message);
        }
        Ok(())
    }

    fn check_seeds_due(&self) -> Result<(), Refusal> {
        if self.play.info().created.client_seeds != ClientSeeds::Both {
            let message = "this match has no client seeds; a match gets them when it is created";
            return refuse(RefusalKind::OutOfTurn, Place::Input, message);
        }
        if !matches!(self.play.phase(), Phase::SetUp | Phase::Toss) {
            return Err(self.out_of_turn("the toss has been made"));
        }
        Ok(())
    }

    pub(super) fn check_client_seed(&self, side: Side, client_seed: &str) -> Result<(), Refusal> {
        self.check_seeds_due()?;
        check_hex("client_seed", client_seed)?;
        if !RemoteState::has_both(&self.state.committed) {
            return Err(self.out_of_turn("no seed is revealed before both sides have committed to theirs"));
        }
        if self.state.client_seeds[side].is_some() {
            return Err(self.out_of_turn(&format!("the {side} side has revealed its seed")));
        }
        let info = self.play.info();
        let commitment = info.created.commitment.as_deref().unwrap_or_default();
        let hash = seed_hash(info.match_id, side, commitment, client_seed);
        if hash.ok().as_ref() != self.state.committed[side].as_ref() {
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
        if self.state.are_sealed() {
            let message = format!(
                "both sides have sealed their {}, and the {side} side cannot change its choice",
                pending.what
            );
            return refuse(RefusalKind::OutOfTurn, Place::Input, message);
        }
        Ok(pending)
    }

    /// Decides a choice that a side makes in the open, or has the service seal with a salt from a random
    /// source.
    pub fn choose(
        &self,
        side: Side,
        claimed: &ClaimedChoice,
        salt: &str,
        choice: &Choices,
        secrets: ServerSecrets<'_>,
    ) -> Result<RemoteDecided, Refusal> {
        self.reviews.refuse_if_finished()?;
        if let Some((owner, pending)) = self.open_choice() {
            if side != owner {
                let message =
                    format!("the match waits for the {owner} side's {}", pending.what.replace('_', " "));
                return refuse(RefusalKind::NotYours, Place::Input, message);
            }
            check_is_pending(claimed, pending)?;
            return Ok(RemoteDecided::Input(Input::Play(Play::Choose(choice.clone()))));
        }
        let pending = self.check_claimed_choice(side, claimed)?;
        let choice = self.choices()?.check(side, choice, &mut self.secret_dice(secrets)?)?;
        let sealed = self.seal_of(side, pending, salt, &choice)?;
        let chosen = EventData::Choice(choice_of(side, pending, &sealed));
        self.opened(
            pending,
            SealOpening { side, sealed, salt: salt.to_owned(), choice },
            Some(chosen),
            secrets,
        )
    }

    /// Decides a choice that a side has sealed itself; `sealed` is from [`seal`].
    pub fn seal(&self, side: Side, claimed: &ClaimedChoice, sealed: &str) -> Result<RemoteDecided, Refusal> {
        self.reviews.refuse_if_finished()?;
        let pending = self.check_claimed_choice(side, claimed)?;
        self.check_seal(side, sealed)?;
        Ok(RemoteDecided::event(EventData::Choice(choice_of(side, pending, sealed))))
    }

    pub(super) fn check_seal(&self, side: Side, sealed: &str) -> Result<(), Refusal> {
        check_hex("sealed", sealed)?;
        if self.state.seals[side.other()].as_ref().is_some_and(|seal| seal.sealed == sealed) {
            let message =
                "sealed is the other side's seal; the seal of a choice contains the side that chooses";
            return refuse(RefusalKind::IllegalInput, field("sealed"), message);
        }
        Ok(())
    }

    /// Decides the opening of a choice that a side has sealed itself, with the salt of its seal.
    pub fn open(
        &self,
        side: Side,
        claimed: &ClaimedChoice,
        salt: &str,
        choice: &Choices,
        secrets: ServerSecrets<'_>,
    ) -> Result<RemoteDecided, Refusal> {
        self.reviews.refuse_if_finished()?;
        let pending = match self.secret_choice() {
            Some(pending) if claimed.what == pending.what => pending,
            _ => return Err(self.out_of_turn(&format!("there is no {} to open", claimed.what))),
        };
        check_hex("salt", salt)?;
        let Some(seal) = &self.state.seals[side] else {
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
        self.choices()?.check(side, choice, &mut self.secret_dice(secrets)?)?;
        let opening = SealOpening { side, sealed, salt: salt.to_owned(), choice: choice.clone() };
        self.opened(pending, opening, None, secrets)
    }

    pub(super) fn seal_of(
        &self,
        side: Side,
        pending: PendingChoice,
        salt: &str,
        choice: &Choices,
    ) -> Result<String, Refusal> {
        seal(self.play.info().match_id, side, pending, salt, choice)
            .map_err(|fault| Refusal::new(RefusalKind::IllegalInput, field("choice"), fault.to_string()))
    }

    /// Opens a choice to the service, which may have been sealed just now. When the other side's is open too,
    /// both are revealed.
    fn opened(
        &self,
        pending: PendingChoice,
        opening: SealOpening,
        sealed: Option<EventData>,
        secrets: ServerSecrets<'_>,
    ) -> Result<RemoteDecided, Refusal> {
        let side = opening.side;
        match self.opening(side.other(), secrets) {
            Some(other) => {
                let mut reveals = [reveal_of(pending, &opening), reveal_of(pending, other)];
                reveals.sort_by_key(|reveal| reveal.side == Side::Away);
                let play = self.play_revealed(&reveals, &mut self.secret_dice(secrets)?)?;
                let sealed = sealed.map(Box::new);
                Ok(RemoteDecided::Reveal { sealed, reveals: Box::new(reveals), play })
            }
            None if self.is_open(side.other()) => self.refuse_lost_opening(side.other(), pending),
            None => {
                let PendingChoice { what, innings, over, ball } = pending;
                let opened = ChoiceOpened { side, what: what.to_owned(), innings, over, ball };
                let events = sealed.into_iter().chain([EventData::ChoiceOpened(opened)]).collect();
                Ok(RemoteDecided::Events(events, Some(opening)))
            }
        }
    }

    /// The play that follows from two choices, home's first.
    pub(super) fn play_revealed(
        &self,
        [home, away]: &[Reveal; 2],
        dice: &mut dyn Dice,
    ) -> Result<Play, Refusal> {
        let remote = self.choices()?;
        let mut chosen = |reveal: &Reveal| match reveal.draw {
            Some(_) => Ok(reveal.choice.clone()),
            None => remote.check(reveal.side, &reveal.choice, dice),
        };
        let choices = BySide { home: chosen(home)?, away: chosen(away)? };
        Ok(remote.reveal(choices))
    }

    /// Decides a call of a side on the other side to do what the match waits for. After the deadline the
    /// choice is drawn, or takes its default.
    pub fn call(&self, side: Side, secrets: ServerSecrets<'_>) -> Result<RemoteDecided, Refusal> {
        self.reviews.refuse_if_finished()?;
        let on = side.other();
        let what = self.awaited_from(on)?;
        match &self.state.deadline {
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
                Ok(RemoteDecided::event(EventData::ChoiceCalled(called)))
            }
        }
    }

    /// Decides for a side that timed out: draws its choice, or takes the default.
    fn decide_timeout(&self, late: Side, secrets: ServerSecrets<'_>) -> Result<RemoteDecided, Refusal> {
        if self.waits_for_seeds() {
            let message =
                "without both sides' seeds there is nothing to draw from; the match can be abandoned";
            return refuse(RefusalKind::AwaitingChoice, Place::Input, message);
        }
        let mut dice = self.secret_dice(secrets)?;
        let phase = self.play.phase();
        let input = if phase == Phase::SetUp && self.open_choice().is_some() {
            Input::Play(self.on_timeout()?)
        } else if let Some(OpenReview { by, .. }) = self.reviews.open() {
            Input::Accept { by }
        } else if phase == Phase::SetUp {
            Input::Play(Play::SetUp(Choices::new()))
        } else if let Some(pending) = self.secret_choice() {
            return self.draw_choices(late, pending, secrets);
        } else if phase == Phase::Play {
            Input::Play(self.on_timeout()?)
        } else {
            let draw = Draw::timeout_over(0, 0);
            dice.begin(draw);
            let to = TOSS_CHOICES[usize::from(dice.roll(TIMEOUT_TOSS, 2)?) - 1];
            let decided = TossDecided { by: late, to, draw: Some(draw.into()) };
            return Ok(RemoteDecided::event(EventData::TossDecided(decided)));
        };
        Ok(RemoteDecided::Input(input))
    }

    /// Draws the secret choice of each side that has not opened its own. When both sides have sealed and the
    /// caller has not opened its own choice either, the caller has timed out as well: nobody else could go
    /// on.
    fn draw_choices(
        &self,
        late: Side,
        pending: PendingChoice,
        secrets: ServerSecrets<'_>,
    ) -> Result<RemoteDecided, Refusal> {
        let open = |side| self.opening(side, secrets);
        let timed_out = BySide { home: open(Side::Home).is_none(), away: open(Side::Away).is_none() };
        if let Some(side) =
            [Side::Home, Side::Away].into_iter().find(|side| timed_out[*side] && self.is_open(*side))
        {
            return self.refuse_lost_opening(side, pending);
        }
        if timed_out[late.other()] && !self.state.are_sealed() {
            let message = format!("your own {} is not open: open it first, or choose again", pending.what);
            return refuse(RefusalKind::AwaitingChoice, Place::Input, message);
        }
        let mut dice = self.secret_dice(secrets)?;
        let drawn = self.choices()?.draw_for(timed_out, &mut dice)?;
        let reveal = |side| match open(side) {
            Some(opening) => reveal_of(pending, opening),
            None => self.drawn_for(pending, side, drawn[side].clone()),
        };
        let reveals = [reveal(Side::Home), reveal(Side::Away)];
        let play = self.play_revealed(&reveals, &mut dice)?;
        Ok(RemoteDecided::Reveal { sealed: None, reveals: Box::new(reveals), play })
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
            Some(_) => Draw::timeout_ball(self.play.deliveries() + 1),
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

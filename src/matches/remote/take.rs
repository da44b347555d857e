use chrono::{DateTime, TimeDelta, Utc};

use super::{
    Apart, Due, Hidden, OPENING, Opening, Part, SILENT_TOSS, Step, Taken, check_hex, field, refuse, seal,
    seed_hash,
};
use crate::dice::{Dice, Draw, SeededDice, Seeds, ServerSeed};
use crate::log::{
    Choice, ChoiceCalled, ChoiceOpened, ClientSeeds, EventData, Reveal, SeedCommitted, SeedContributed,
    SideClaimed, TossChoice, TossDecided, at_format,
};
use crate::matches::{Fixture, Input, Phase};
use crate::rules::{Choices, Next, Place, Play, Refusal, Why};
use crate::scorebook::{BySide, Side};

/// What the die of one who stays silent about the toss stands for: 1 to bat, 2 to bowl.
const TOSS_CHOICES: [TossChoice; 2] = [TossChoice::Bat, TossChoice::Bowl];

impl Fixture {
    /// A side does its part: what follows, or why not.
    pub fn take_part(&self, side: Side, part: &Part, hidden: Hidden<'_>) -> Result<Taken, Refusal> {
        self.refuse_if_over()?;
        let alone = |event| Ok(Taken { events: vec![event], keep: None });
        match part {
            Part::Claim if self.is_claimed(side) => {
                refuse(Why::OutOfTurn, Place::Input, format!("the {side} side has been claimed"))
            }
            Part::Claim => alone(EventData::SideClaimed(SideClaimed { side })),
            Part::CommitSeed { hash } => {
                self.check_commitment(side, hash)?;
                alone(EventData::SeedCommitted(SeedCommitted { side, hash: hash.clone() }))
            }
            Part::ShowSeed { client_seed } => {
                self.check_client_seed(side, client_seed)?;
                alone(EventData::SeedContributed(SeedContributed { side, client_seed: client_seed.clone() }))
            }
            Part::Choose { due, salt, choice } => match self.in_the_open() {
                Some(open) => self.choose_in_the_open(side, open, due, choice, hidden),
                None => self.choose(side, due, salt, choice, hidden),
            },
            Part::Seal { due, sealed } => {
                let step = self.check_due(side, due)?;
                self.check_seal(side, sealed)?;
                alone(EventData::Choice(choice_of(side, step, sealed)))
            }
            Part::Open { due, salt, choice } => self.open(side, due, salt, choice, hidden),
            Part::Call => self.call(side, hidden),
        }
    }

    pub(super) fn check_commitment(&self, side: Side, hash: &str) -> Result<(), Refusal> {
        self.check_seeds_due()?;
        check_hex("hash", hash)?;
        if self.apart.committed[side].is_some() {
            return refuse(Why::OutOfTurn, Place::Input, format!("the {side} side has settled on its seed"));
        }
        Ok(())
    }

    fn check_seeds_due(&self) -> Result<(), Refusal> {
        if self.created.client_seeds != ClientSeeds::Both {
            let message = "this match takes no client seeds; that is settled when it is created";
            return refuse(Why::OutOfTurn, Place::Input, message);
        }
        if !matches!(self.phase, Phase::SetUp | Phase::Toss) {
            return Err(self.out_of_turn("the toss has been made"));
        }
        Ok(())
    }

    pub(super) fn check_client_seed(&self, side: Side, client_seed: &str) -> Result<(), Refusal> {
        self.check_seeds_due()?;
        check_hex("client_seed", client_seed)?;
        if !Apart::are_all_in(&self.apart.committed) {
            return Err(self.out_of_turn("no seed is shown before both sides have settled on theirs"));
        }
        if self.apart.client_seeds[side].is_some() {
            return Err(self.out_of_turn(&format!("the {side} side has shown its seed")));
        }
        let commitment = self.created.commitment.as_deref().unwrap_or_default();
        let hash = seed_hash(self.match_id, side, commitment, client_seed);
        if hash.ok().as_ref() != self.apart.committed[side].as_ref() {
            let message = "client_seed is not the one this side has settled on: its hash is another";
            return refuse(Why::IllegalInput, field("client_seed"), message);
        }
        Ok(())
    }

    /// Makes sure that a secret choice of this side is due, and is the one it takes to be due.
    pub(super) fn check_due(&self, side: Side, due: &Due) -> Result<Step, Refusal> {
        let step = self.step().ok_or_else(|| self.out_of_turn("nothing is chosen in secret now"))?;
        check_moment(due, step)?;
        if self.apart.are_sealed() {
            let message =
                format!("both sides' {} is in, and neither changes; the {side} side's stands", step.what);
            return refuse(Why::OutOfTurn, Place::Input, message);
        }
        Ok(step)
    }

    /// A side chooses what everybody may see; what follows goes with it.
    fn choose_in_the_open(
        &self,
        side: Side,
        (whose, step): (Side, Step),
        due: &Due,
        choice: &Choices,
        hidden: Hidden<'_>,
    ) -> Result<Taken, Refusal> {
        if side != whose {
            let message = format!("the match waits for the {whose} side's {}", step.what.replace('_', " "));
            return refuse(Why::NotYours, Place::Input, message);
        }
        check_moment(due, step)?;
        self.go_on_with(Play::Choose(choice.clone()), hidden)
    }

    /// What follows where this is put in.
    fn go_on_with(&self, play: Play, hidden: Hidden<'_>) -> Result<Taken, Refusal> {
        let decision = self.decide(Input::Play(play), &mut self.hidden_dice(hidden)?, hidden.seed)?;
        Ok(Taken { events: decision.events, keep: None })
    }

    pub(super) fn check_seal(&self, side: Side, sealed: &str) -> Result<(), Refusal> {
        check_hex("sealed", sealed)?;
        if self.apart.seals[side.other()].as_ref().is_some_and(|seal| seal.sealed == sealed) {
            let message = "sealed is the other side's seal; a choice is sealed with the side that chooses";
            return refuse(Why::IllegalInput, field("sealed"), message);
        }
        Ok(())
    }

    fn choose(
        &self,
        side: Side,
        due: &Due,
        salt: &str,
        choice: &Choices,
        hidden: Hidden<'_>,
    ) -> Result<Taken, Refusal> {
        let step = self.check_due(side, due)?;
        let choice = self.game.choose(side, choice, &mut self.hidden_dice(hidden)?)?;
        let sealed = self.seal_of(side, step, salt, &choice)?;
        let chosen = EventData::Choice(choice_of(side, step, &sealed));
        let opening = Opening { side, sealed, salt: salt.to_owned(), choice };
        let mut taken = self.opened(step, opening, hidden)?;
        taken.events.insert(0, chosen);
        Ok(taken)
    }

    fn open(
        &self,
        side: Side,
        due: &Due,
        salt: &str,
        choice: &Choices,
        hidden: Hidden<'_>,
    ) -> Result<Taken, Refusal> {
        let step = match self.step() {
            Some(step) if due.what == step.what => step,
            _ => return Err(self.out_of_turn(&format!("no {} waits to be opened", due.what))),
        };
        check_hex("salt", salt)?;
        let Some(seal) = &self.apart.seals[side] else {
            return Err(self.out_of_turn(&format!("the {side} side has sealed nothing")));
        };
        if seal.opened {
            return Err(self.out_of_turn(&format!("the {side} side's {} is open", step.what)));
        }
        let sealed = self.seal_of(side, step, salt, choice)?;
        if sealed != seal.sealed {
            let message = format!(
                "salt and choice do not fit the seal {}; it is of {{match, side, for, innings, over, ball, salt, choice}}",
                seal.sealed
            );
            return refuse(Why::IllegalInput, field("choice"), message);
        }
        self.game.choose(side, choice, &mut self.hidden_dice(hidden)?)?;
        let opening = Opening { side, sealed, salt: salt.to_owned(), choice: choice.clone() };
        self.opened(step, opening, hidden)
    }

    pub(super) fn seal_of(
        &self,
        side: Side,
        step: Step,
        salt: &str,
        choice: &Choices,
    ) -> Result<String, Refusal> {
        seal(self.match_id, side, step, salt, choice)
            .map_err(|fault| Refusal::new(Why::IllegalInput, field("choice"), fault.to_string()))
    }

    fn hidden_dice(&self, hidden: Hidden<'_>) -> Result<SeededDice, Refusal> {
        let none = || Refusal::new(Why::OutOfTurn, Place::Input, "this match has no seed to deal from");
        hidden.seed.map(|seed| self.dice(seed)).ok_or_else(none)
    }

    /// A choice is open to the service: where the other's is as well, both are turned up.
    fn opened(&self, step: Step, opening: Opening, hidden: Hidden<'_>) -> Result<Taken, Refusal> {
        let side = opening.side;
        match self.opening(side.other(), hidden) {
            Some(other) => {
                let mut reveals = [reveal_of(step, &opening), reveal_of(step, other)];
                reveals.sort_by_key(|reveal| reveal.side == Side::Away);
                let events = self.turn_up(reveals, &mut self.hidden_dice(hidden)?, hidden.seed)?;
                Ok(Taken { events, keep: None })
            }
            None if self.is_open(side.other()) => self.lost(side.other(), step),
            None => {
                let Step { what, innings, over, ball } = step;
                let opened = ChoiceOpened { side, what: what.to_owned(), innings, over, ball };
                Ok(Taken { events: vec![EventData::ChoiceOpened(opened)], keep: Some(opening) })
            }
        }
    }

    /// What follows from two choices, home's first: an over or a ball on its way that has them with it, and what comes then.
    pub(super) fn turn_up(
        &self,
        reveals: [Reveal; 2],
        dice: &mut dyn Dice,
        seed: Option<&ServerSeed>,
    ) -> Result<Vec<EventData>, Refusal> {
        let chosen = |dice: &mut dyn Dice, reveal: &Reveal| match reveal.draw {
            Some(_) => Ok(reveal.choice.clone()),
            None => self.game.choose(reveal.side, &reveal.choice, dice),
        };
        let [home, away] = &reveals;
        let choices = BySide { home: chosen(dice, home)?, away: chosen(dice, away)? };
        let decided = self.game.decide(self.game.reveal(choices), dice)?;
        let opened = || seed.map(|seed| Seeds::open(seed, &self.client_seeds()));
        let mut events = self.played(decided, opened)?.events;
        match events.first_mut() {
            Some(EventData::Over(over)) => over.reveals = reveals.into(),
            Some(EventData::Roll(roll)) => roll.reveals = reveals.into(),
            _ => {}
        }
        Ok(events)
    }

    fn call(&self, side: Side, hidden: Hidden<'_>) -> Result<Taken, Refusal> {
        let on = side.other();
        let what = self.called_for(on)?;
        match &self.apart.called {
            Some(called) if hidden.now < called.until => {
                let message = format!(
                    "the {} side has been called, and has until {}",
                    called.on,
                    at_format::write(&called.until)
                );
                refuse(Why::AwaitingChoice, Place::Input, message)
            }
            Some(called) => self.draw_for_silent(called.on, hidden),
            None => {
                let until = at_format::write(&self.until(hidden.now));
                let called = ChoiceCalled { by: side, on, what: what.to_owned(), until };
                Ok(Taken { events: vec![EventData::ChoiceCalled(called)], keep: None })
            }
        }
    }

    /// What a side can be called for now.
    pub(super) fn called_for(&self, on: Side) -> Result<&'static str, Refusal> {
        if !self.created.remote && !self.apart.has_seals() {
            let message = "nobody is called where one scorer can enter what the match waits for";
            return refuse(Why::OutOfTurn, Place::Input, message);
        }
        match self.next() {
            Next::Choose { side: Some(whose), what, .. } if whose == on => Ok(what),
            Next::Choose { side: None, what: OPENING, .. } => Ok(OPENING),
            Next::Choose { side: whose, what, .. }
                if whose.is_some() || self.waits_for_seeds() || self.step().is_some() =>
            {
                let message = format!("the match waits for your own {}", what.replace('_', " "));
                refuse(Why::AwaitingChoice, Place::Input, message)
            }
            Next::Choose { .. } | Next::Roll { .. } | Next::Over { .. } => {
                let message = "nobody is waited for: what is due now, either side may do";
                refuse(Why::OutOfTurn, Place::Input, message)
            }
        }
    }

    /// Until when a side has time that is called now.
    pub fn until(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        now + TimeDelta::seconds(self.created.choice_timeout.cast_signed())
    }

    /// What was to be chosen, drawn for whoever has not by the time a call was up. Where both have sealed and whoever called
    /// has not opened his own either, he is silent as well: nobody else could go on.
    fn draw_for_silent(&self, called: Side, hidden: Hidden<'_>) -> Result<Taken, Refusal> {
        if self.waits_for_seeds() {
            let message =
                "without both sides' seeds there is nothing to draw from; the match can be abandoned";
            return refuse(Why::AwaitingChoice, Place::Input, message);
        }
        let mut dice = self.hidden_dice(hidden)?;
        if self.phase == Phase::SetUp && self.in_the_open().is_some() {
            return self.go_on_with(self.game.for_silent(), hidden);
        }
        if self.open_review().is_some() || self.phase == Phase::SetUp {
            let decision = self.decide(self.default_input(), &mut dice, hidden.seed)?;
            return Ok(Taken { events: decision.events, keep: None });
        }
        if self.phase == Phase::Play && self.step().is_none() {
            return self.go_on_with(self.game.for_silent(), hidden);
        }
        let Some(step) = self.step() else {
            let draw = Draw::silent(0, 0);
            dice.begin(draw);
            let to = TOSS_CHOICES[usize::from(dice.roll(SILENT_TOSS, 2)?) - 1];
            let decided = TossDecided { by: called, to, draw: Some(draw.into()) };
            return Ok(Taken { events: vec![EventData::TossDecided(decided)], keep: None });
        };
        let open = |side| self.opening(side, hidden);
        let silent = BySide { home: open(Side::Home).is_none(), away: open(Side::Away).is_none() };
        if let Some(side) =
            [Side::Home, Side::Away].into_iter().find(|side| silent[*side] && self.is_open(*side))
        {
            return self.lost(side, step);
        }
        if silent[called.other()] && !self.apart.are_sealed() {
            let message = format!("your own {} is not open: open it first, or choose again", step.what);
            return refuse(Why::AwaitingChoice, Place::Input, message);
        }
        let drawn = self.game.draw_choices(silent, &mut dice)?;
        let reveal = |side| match open(side) {
            Some(opening) => reveal_of(step, opening),
            None => self.drawn_for(step, side, drawn[side].clone()),
        };
        let reveals = [reveal(Side::Home), reveal(Side::Away)];
        Ok(Taken { events: self.turn_up(reveals, &mut dice, hidden.seed)?, keep: None })
    }

    /// Whether a side's sealed choice is open to the service.
    pub(super) fn is_open(&self, side: Side) -> bool {
        self.apart.seals[side].as_ref().is_some_and(|seal| seal.opened)
    }

    /// Refuses to go on with a choice that was opened to the service, which has it no more.
    fn lost(&self, side: Side, step: Step) -> Result<Taken, Refusal> {
        let what = step.what;
        let message = format!(
            "the {side} side's {what} was opened and is not here any more; it can be taken back by a correction, and chosen again"
        );
        refuse(Why::AwaitingChoice, Place::Input, message)
    }

    /// The draw by which a choice in secret is made for one who stays silent.
    pub(super) fn silent_draw(&self, step: Step) -> Draw {
        match step.ball {
            None => Draw::silent(step.innings, step.over),
            Some(_) => Draw::silent_ball(self.deliveries + 1),
        }
    }

    fn drawn_for(&self, step: Step, side: Side, choice: Choices) -> Reveal {
        let draw = Some(self.silent_draw(step).into());
        Reveal { side, what: step.what.to_owned(), choice, salt: None, draw }
    }
}

/// Makes sure that what a side takes to be due is what is chosen now, for this over and this ball.
fn check_moment(due: &Due, step: Step) -> Result<(), Refusal> {
    if due.what != step.what {
        let message = format!("for is {:?}: that is what is chosen now", step.what);
        return refuse(Why::IllegalInput, field("for"), message);
    }
    if due.ball.is_some() && step.ball.is_none() {
        let message = format!("{} is for no ball of its own; leave ball out", step.what.replace('_', " "));
        return refuse(Why::IllegalInput, field("ball"), message);
    }
    let is_now = |said: Option<u16>, now: u16| said.is_none_or(|said| said == now);
    let is_ball = due.ball.is_none_or(|ball| Some(ball) == step.ball);
    if is_now(due.innings, step.innings) && is_now(due.over, step.over) && is_ball {
        return Ok(());
    }
    let ball = step.ball.map_or(String::new(), |ball| format!("ball {ball} of "));
    let message = format!("{ball}over {} of innings {} is due, and no other", step.over, step.innings);
    refuse(Why::OutOfTurn, Place::Input, message)
}

fn choice_of(side: Side, step: Step, sealed: &str) -> Choice {
    let Step { what, innings, over, ball } = step;
    Choice { side, what: what.to_owned(), innings, over, ball, sealed: Some(sealed.to_owned()), choice: None }
}

fn reveal_of(step: Step, opening: &Opening) -> Reveal {
    let Opening { side, salt, choice, .. } = opening;
    Reveal {
        side: *side,
        what: step.what.to_owned(),
        choice: choice.clone(),
        salt: Some(salt.clone()),
        draw: None,
    }
}

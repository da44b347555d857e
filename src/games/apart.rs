//! Sides that play apart: who has claimed a side, what each adds to the seed, what each chooses in secret.
//!
//! A secret choice is sealed first: the log has its hash. Only when both sides' seals are in, and both have been opened to
//! the service, are the choices turned up, in the event that follows from them.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Choices, Disagreement, Fixture, Input, Next, Phase, Place, Play, Refusal, Why};
use crate::dice::{Deal, Dice, Draw, RecordedDice, SeededDice, ServerSeed};
use crate::log::{
    Actor, Broken, Choice, ChoiceCalled, ChoiceOpened, ClientSeeds, EventData, MatchId, NotCanonical, Over,
    Reveal, Role, SeedCommitted, SeedContributed, SideClaimed, TossChoice, TossDecided, at_format, canonical,
    is_hash,
};
use crate::scorebook::{BySide, Side};

/// What the die of one who stays silent about the toss is for.
pub const SILENT_TOSS: &str = "silent_toss";

/// What a side does that plays for itself.
#[derive(Debug, Clone, PartialEq)]
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
    Call {
        /// The time now.
        now: DateTime<Utc>,
    },
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
}

/// A secret choice, open to the service and to nobody else.
#[derive(Debug, Clone, PartialEq)]
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

/// What only the service knows of a match in play.
#[derive(Clone, Copy, Default)]
pub struct Hidden<'a> {
    /// The server seed of a seeded match.
    pub seed: Option<&'a ServerSeed>,
    /// The secret choices that are open to the service.
    pub openings: &'a [Opening],
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
    claimed: BySide<bool>,
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
pub fn seed_hash(match_id: MatchId, side: Side, commitment: &str, client_seed: &str) -> String {
    let form = json!({"match": match_id, "side": side, "commitment": commitment, "client_seed": client_seed});
    sha256(&form).unwrap_or_default()
}

/// The seal of a choice: SHA-256 of the canonical form of `{match, side, for, innings, over, ball, salt, choice}`; `ball`
/// is null for a choice about a whole over.
pub fn seal(
    match_id: MatchId,
    side: Side,
    step: Step,
    salt: &str,
    choice: &Choices,
) -> Result<String, NotCanonical> {
    sha256(&json!({
        "match": match_id, "side": side, "for": step.what, "innings": step.innings, "over": step.over,
        "ball": null, "salt": salt, "choice": choice,
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

    fn has_seals(&self) -> bool {
        self.seals.home.is_some() || self.seals.away.is_some()
    }

    fn answered(&mut self, side: Side) {
        if self.called.as_ref().is_some_and(|called| called.on == side) {
            self.called = None;
        }
    }

    /// Applies an event.
    pub(super) fn evolve(&mut self, event: &EventData) {
        match event {
            EventData::SideClaimed(claimed) => self.claimed[claimed.side] = true,
            EventData::SeedCommitted(committed) => {
                self.committed[committed.side] = Some(committed.hash.clone());
                self.answered(committed.side);
            }
            EventData::SeedContributed(shown) => {
                self.client_seeds[shown.side] = Some(shown.client_seed.clone());
                self.answered(shown.side);
            }
            EventData::Choice(choice) => {
                self.seals[choice.side] = Some(Seal { sealed: choice.sealed.clone(), opened: false });
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
            EventData::TossDecided(_) => self.called = None,
            EventData::Over(_) => {
                self.seals = BySide::default();
                self.called = None;
            }
            EventData::MatchCreated(_)
            | EventData::Toss(_)
            | EventData::Ball(_)
            | EventData::MatchCompleted(_)
            | EventData::MatchAbandoned(_)
            | EventData::TokenRotated(_) => {}
        }
    }
}

impl Fixture {
    /// What both sides choose in secret now, if they do.
    pub fn step(&self) -> Option<Step> {
        if self.phase != Phase::Play || self.is_played_out() {
            return None;
        }
        let (innings, over) = self.game.place();
        self.game.secret().map(|what| Step { what, innings, over })
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
        self.apart.claimed[side]
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
        let sealed = &self.apart.seals[side].as_ref()?.sealed;
        hidden.openings.iter().find(|opening| opening.side == side && opening.sealed == *sealed)
    }

    /// What a match of sides apart waits for, where that is not for the game to say.
    pub(super) fn next_apart(&self) -> Option<Next> {
        let Apart { committed, client_seeds, seals, .. } = &self.apart;
        let choose = |side, what, legal| Some(Next::Choose { side, what, legal, default: Value::Null });
        if self.waits_for_seeds() {
            return if Apart::are_all_in(committed) {
                choose(
                    Apart::one_without(client_seeds),
                    "client_seed",
                    json!({"client_seed": "64 hex digits"}),
                )
            } else {
                choose(Apart::one_without(committed), "seed_commitment", json!({"hash": "64 hex digits"}))
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
                choose(side, "opening", Value::Null)
            }
            _ => match self.game.next() {
                Next::Choose { what, legal, .. } => choose(Apart::one_without(seals), what, legal),
                other => Some(other),
            },
        }
    }

    /// Whether the toss has to wait for client seeds.
    pub(super) fn waits_for_seeds(&self) -> bool {
        self.phase == Phase::Toss
            && self.created.client_seeds == ClientSeeds::Both
            && !Apart::are_all_in(&self.apart.client_seeds)
    }

    /// Refuses play for which a choice is to be made in secret.
    pub(super) fn refuse_if_secret(&self) -> Result<(), Refusal> {
        match self.step() {
            Some(step) if self.created.remote || self.apart.has_seals() => {
                let message = format!(
                    "each side chooses its {} for itself; the over begins when both are in and open",
                    step.what
                );
                refuse(Why::AwaitingChoice, Place::Input, message)
            }
            _ => Ok(()),
        }
    }

    /// Refuses what is not for this actor to put in. A side chooses for itself and for nobody else; whoever records a match
    /// may enter everything, unless the sides play it from afar.
    pub fn permit(&self, actor: Actor, input: &Input, now: DateTime<Utc>) -> Result<(), Refusal> {
        let side = match actor {
            Actor::Home => Some(Side::Home),
            Actor::Away => Some(Side::Away),
            Actor::Scorer if self.created.remote => None,
            Actor::Scorer | Actor::Umpire | Actor::Admin | Actor::Service => return Ok(()),
        };
        let whose = match (input, self.next()) {
            (Input::Abandon { .. }, _) => return self.permit_abandonment(side, now),
            (Input::Toss { caller, .. }, _) => Some(*caller),
            (Input::Play(Play::Over(choices) | Play::Ball(choices)), next) => {
                let of_other = |name: &&String| side.is_none_or(|side| !self.game.belongs(name, side));
                if let Some(name) = choices.keys().find(of_other) {
                    return refuse(
                        Why::NotYours,
                        Place::Choice(name.clone()),
                        format!("{name} is not yours to choose here"),
                    );
                }
                match next {
                    Next::Choose { side, .. } => side,
                    Next::Roll { .. } | Next::Over { .. } => None,
                }
            }
            (Input::TossDecision { .. }, Next::Choose { side, .. }) => side,
            (Input::TossDecision { .. }, Next::Roll { .. } | Next::Over { .. }) => None,
        };
        match whose {
            Some(whose) if side != Some(whose) => {
                let message = format!("this is for the {whose} side to choose, with its own token");
                refuse(Why::NotYours, Place::Input, message)
            }
            _ => Ok(()),
        }
    }

    /// Refuses to do both sides' part to anybody but who records a match that is not played from afar.
    pub fn permit_for_both(&self, actor: Actor) -> Result<(), Refusal> {
        match actor {
            Actor::Scorer if !self.created.remote => Ok(()),
            Actor::Scorer => {
                refuse(Why::NotYours, Place::Input, "the sides play from afar, each with its own token")
            }
            _ => refuse(Why::NotYours, Place::Input, "a side acts for itself, and not for the other"),
        }
    }

    /// Refuses to replace a token to anybody but its holder and the admin, and the scorer where he records both sides.
    pub fn permit_rotation(&self, actor: Actor, role: Role) -> Result<(), Refusal> {
        if actor != Actor::Admin && actor != Actor::from(role) {
            self.permit_for_both(actor)?;
        }
        match role.side() {
            Some(side) if !self.is_claimed(side) => {
                let message = format!("there is no {side} token to replace: the side has not been claimed");
                refuse(Why::NoSuchToken, Place::Input, message)
            }
            _ => Ok(()),
        }
    }

    /// Whoever records a match may give it up; a side only where the other has been called for its seed in vain: without both
    /// there is nothing to draw from.
    fn permit_abandonment(&self, side: Option<Side>, now: DateTime<Utc>) -> Result<(), Refusal> {
        let Some(side) = side else { return Ok(()) };
        let in_vain =
            self.apart.called.as_ref().is_some_and(|called| called.on == side.other() && called.until <= now);
        if self.waits_for_seeds() && in_vain {
            return Ok(());
        }
        let message = "a side gives a match up only after it has called for the other's seed in vain; the scorer may at any time";
        refuse(Why::NotYours, Place::Input, message)
    }

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
            Part::Choose { due, salt, choice } => self.choose(side, due, salt, choice, hidden),
            Part::Seal { due, sealed } => {
                let step = self.check_due(side, due)?;
                self.check_seal(side, sealed)?;
                alone(EventData::Choice(choice_of(side, step, sealed)))
            }
            Part::Open { due, salt, choice } => self.open(side, due, salt, choice, hidden),
            Part::Call { now } => self.call(side, *now, hidden),
        }
    }

    fn check_commitment(&self, side: Side, hash: &str) -> Result<(), Refusal> {
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
        if self.phase != Phase::Toss {
            return Err(self.out_of_turn("the toss has been made"));
        }
        Ok(())
    }

    fn check_client_seed(&self, side: Side, client_seed: &str) -> Result<(), Refusal> {
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
        if self.apart.committed[side].as_ref() != Some(&hash) {
            let message = "client_seed is not the one this side has settled on: its hash is another";
            return refuse(Why::IllegalInput, field("client_seed"), message);
        }
        Ok(())
    }

    /// Makes sure that a secret choice of this side is due, and is the one it takes to be due.
    fn check_due(&self, side: Side, due: &Due) -> Result<Step, Refusal> {
        let step = self.step().ok_or_else(|| self.out_of_turn("nothing is chosen in secret now"))?;
        if due.what != step.what {
            let message = format!("for is {:?}: that is what is chosen now", step.what);
            return refuse(Why::IllegalInput, field("for"), message);
        }
        let is_now = |said: Option<u16>, now: u16| said.is_none_or(|said| said == now);
        if !is_now(due.innings, step.innings) || !is_now(due.over, step.over) {
            let message = format!("over {} of innings {} is due, and no other", step.over, step.innings);
            return refuse(Why::OutOfTurn, Place::Input, message);
        }
        if Apart::are_all_in(&self.apart.seals) {
            let message =
                format!("both sides' {} is in, and neither changes; the {side} side's stands", step.what);
            return refuse(Why::OutOfTurn, Place::Input, message);
        }
        Ok(step)
    }

    fn check_seal(&self, side: Side, sealed: &str) -> Result<(), Refusal> {
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

    fn seal_of(&self, side: Side, step: Step, salt: &str, choice: &Choices) -> Result<String, Refusal> {
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
                let reveals = [reveal_of(step, &opening), reveal_of(step, other)];
                Ok(Taken { events: self.turn_up(reveals, &mut self.hidden_dice(hidden)?)?, keep: None })
            }
            None => {
                let Step { what, innings, over } = step;
                let opened = ChoiceOpened { side, what: what.to_owned(), innings, over, ball: None };
                Ok(Taken { events: vec![EventData::ChoiceOpened(opened)], keep: Some(opening) })
            }
        }
    }

    /// What follows from two choices: an over that has them with it.
    fn turn_up(&self, mut reveals: [Reveal; 2], dice: &mut dyn Dice) -> Result<Vec<EventData>, Refusal> {
        reveals.sort_by_key(|reveal| reveal.side == Side::Away);
        let chosen = |dice: &mut dyn Dice, reveal: &Reveal| match reveal.draw {
            Some(_) => Ok(reveal.choice.clone()),
            None => self.game.choose(reveal.side, &reveal.choice, dice),
        };
        let [home, away] = &reveals;
        let choices = BySide { home: chosen(dice, home)?, away: chosen(dice, away)? };
        let mut events = self.game.decide(self.game.reveal(choices), dice)?.events;
        if let Some(EventData::Over(over)) = events.first_mut() {
            over.reveals = reveals.into();
        }
        Ok(events)
    }

    fn call(&self, side: Side, now: DateTime<Utc>, hidden: Hidden<'_>) -> Result<Taken, Refusal> {
        if !self.created.remote {
            let message =
                "nobody is called in a match that one scorer records: he can enter what it waits for";
            return refuse(Why::OutOfTurn, Place::Input, message);
        }
        let on = side.other();
        let what = match self.next() {
            Next::Choose { side: Some(whose), what, .. } if whose == on => what,
            Next::Choose { side: None, what: "toss", .. } => {
                return refuse(
                    Why::OutOfTurn,
                    Place::Input,
                    "either side may make the toss; nobody is waited for",
                );
            }
            Next::Choose { what, .. } => {
                let message = format!("the match waits for your own {}", what.replace('_', " "));
                return refuse(Why::AwaitingChoice, Place::Input, message);
            }
            Next::Roll { .. } | Next::Over { .. } => {
                return refuse(Why::OutOfTurn, Place::Input, "nobody is waited for");
            }
        };
        match &self.apart.called {
            Some(called) if called.on == on && now < called.until => {
                let message = format!(
                    "the {on} side has been called, and has until {}",
                    at_format::write(&called.until)
                );
                refuse(Why::AwaitingChoice, Place::Input, message)
            }
            Some(called) if called.on == on => self.draw_for_silent(on, hidden),
            _ => {
                let wait = TimeDelta::seconds(self.created.choice_timeout.cast_signed());
                let until = at_format::write(&(now + wait));
                let called = ChoiceCalled { by: side, on, what: what.to_owned(), until };
                Ok(Taken { events: vec![EventData::ChoiceCalled(called)], keep: None })
            }
        }
    }

    /// What a side that was called in vain was to choose, drawn.
    fn draw_for_silent(&self, silent: Side, hidden: Hidden<'_>) -> Result<Taken, Refusal> {
        let (innings, over) = self.step().map_or((0, 0), |step| (step.innings, step.over));
        let draw = Draw::silent(innings, over);
        if self.waits_for_seeds() {
            let message =
                "without both sides' seeds there is nothing to draw from; the match can be abandoned";
            return refuse(Why::AwaitingChoice, Place::Input, message);
        }
        let mut dice = self.hidden_dice(hidden)?;
        let Some(step) = self.step() else {
            dice.begin(draw);
            let to = TOSS_CHOICES[usize::from(dice.roll(SILENT_TOSS, 2)?) - 1];
            let decided = TossDecided { by: silent, to, draw: Some(draw.into()) };
            return Ok(Taken { events: vec![EventData::TossDecided(decided)], keep: None });
        };
        let other =
            self.opening(silent.other(), hidden).ok_or_else(|| self.out_of_turn("your own is not open"))?;
        let choice = self.game.draw_choice(silent, &mut dice)?;
        let what = step.what.to_owned();
        let drawn = Reveal { side: silent, what, choice, salt: None, draw: Some(draw.into()) };
        Ok(Taken { events: self.turn_up([drawn, reveal_of(step, other)], &mut dice)?, keep: None })
    }
}

/// What the die of one who stays silent about the toss stands for: 1 to bat, 2 to bowl.
const TOSS_CHOICES: [TossChoice; 2] = [TossChoice::Bat, TossChoice::Bowl];

/// What a side that was silent about the toss would have rolled to choose so.
pub fn silent_toss_die(to: TossChoice) -> u16 {
    if to == TossChoice::Bat { 1 } else { 2 }
}

fn choice_of(side: Side, step: Step, sealed: &str) -> Choice {
    let Step { what, innings, over } = step;
    Choice { side, what: what.to_owned(), innings, over, ball: None, sealed: sealed.to_owned() }
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

/// What is wrong with a recorded event, from what the rules say of it.
fn impossible(refusal: Refusal) -> Disagreement {
    Disagreement::Impossible(Broken::new("data", refusal.message))
}

impl Fixture {
    /// Makes sure that a recorded event of a side can have happened.
    pub(super) fn check_part(&self, recorded: &EventData) -> Result<(), Disagreement> {
        if let EventData::TokenRotated(rotated) = recorded {
            return self.permit_rotation(Actor::Admin, rotated.role).map_err(impossible);
        }
        self.refuse_if_over().map_err(impossible)?;
        match recorded {
            EventData::SideClaimed(claimed) => {
                self.take_part(claimed.side, &Part::Claim, Hidden::default()).map_err(impossible)?;
            }
            EventData::SeedCommitted(SeedCommitted { side, hash }) => {
                self.check_commitment(*side, hash).map_err(impossible)?;
            }
            EventData::SeedContributed(SeedContributed { side, client_seed }) => {
                self.check_client_seed(*side, client_seed).map_err(|refusal| match refusal.why {
                    Why::IllegalInput => {
                        Disagreement::Unsealed(Broken::new("data.client_seed", refusal.message))
                    }
                    _ => impossible(refusal),
                })?;
            }
            EventData::Choice(choice) => {
                let due =
                    Due { what: choice.what.clone(), innings: Some(choice.innings), over: Some(choice.over) };
                self.check_due(choice.side, &due).map_err(impossible)?;
                self.check_seal(choice.side, &choice.sealed).map_err(impossible)?;
            }
            EventData::ChoiceOpened(opened) => self.check_opened(opened)?,
            EventData::ChoiceCalled(called) => self.check_called(called)?,
            _ => return Err(Disagreement::Impossible(self.not_due(recorded))),
        }
        Ok(())
    }

    fn check_opened(&self, opened: &ChoiceOpened) -> Result<(), Disagreement> {
        let step = Step { what: "", innings: opened.innings, over: opened.over };
        let is_due =
            self.step().is_some_and(|due| Step { what: "", ..due } == step && due.what == opened.what);
        let is_sealed = self.apart.seals[opened.side].as_ref().is_some_and(|seal| !seal.opened);
        if is_due && is_sealed {
            return Ok(());
        }
        let reason = "opens a choice that is not sealed, or open already";
        Err(Disagreement::Impossible(Broken::new("data", reason)))
    }

    fn check_called(&self, called: &ChoiceCalled) -> Result<(), Disagreement> {
        let is_awaited = matches!(self.next(), Next::Choose { side: Some(whose), what, .. }
            if whose == called.on && what == called.what);
        if self.created.remote
            && is_awaited
            && called.by != called.on
            && at_format::read(&called.until).is_some()
        {
            return Ok(());
        }
        let reason = "calls on a side for what the match does not wait for from it";
        Err(Disagreement::Impossible(Broken::new("data", reason)))
    }

    /// Makes sure that the choices an over follows from are those that were sealed, or drawn for one who was called in vain.
    /// Gives what was drawn.
    pub(super) fn check_reveals(&self, over: &Over) -> Result<Vec<Deal>, Vec<Disagreement>> {
        let unsealed = |reason: String| vec![Disagreement::Unsealed(Broken::new("data.reveals", reason))];
        let step = self.step().filter(|_| self.created.remote || self.apart.has_seals());
        let Some(step) = step else {
            return if over.reveals.is_empty() {
                Ok(Vec::new())
            } else {
                Err(unsealed("nothing was sealed that could be turned up".to_owned()))
            };
        };
        let [home, away] = over.reveals.as_slice() else {
            let reason = format!("the {} of both sides is turned up with the over, home's first", step.what);
            return Err(unsealed(reason));
        };
        let dealt = self.game.dealt(&EventData::Over(over.clone()));
        let mut drawn = Vec::new();
        for (side, reveal) in [(Side::Home, home), (Side::Away, away)] {
            self.check_reveal(side, step, reveal).map_err(unsealed)?;
            if let Some(draw) = reveal.draw {
                let mut dice = RecordedDice::dealing(&[], dealt.clone());
                let again =
                    self.game.draw_choice(side, &mut dice).map_err(|refusal| vec![impossible(refusal)])?;
                if again != reveal.choice {
                    return Err(unsealed(format!(
                        "the {side} side's {} is not what a draw gives",
                        step.what
                    )));
                }
                drawn.extend(dice.deals.into_iter().filter(|deal| draw == deal.draw.into()));
            }
        }
        let mut dice = RecordedDice::dealing(&over.dice, dealt);
        let again = self.turn_up([home.clone(), away.clone()], &mut dice);
        match again.map_err(|refusal| vec![Disagreement::Refused(refusal)])?.into_iter().next() {
            Some(EventData::Over(again)) if again == *over => Ok(drawn),
            again => {
                let seals: Vec<&str> = [&self.apart.seals.home, &self.apart.seals.away]
                    .into_iter()
                    .flatten()
                    .map(|seal| seal.sealed.as_str())
                    .collect();
                let reason = format!("the over does not follow from what was sealed: {}", seals.join(", "));
                let otherwise = again.map(|again| Disagreement::Otherwise(Box::new(again)));
                Err(unsealed(reason).into_iter().chain(otherwise).collect())
            }
        }
    }

    fn check_reveal(&self, side: Side, step: Step, reveal: &Reveal) -> Result<(), String> {
        if reveal.side != side || reveal.what != step.what {
            return Err(format!("home's {} is turned up first, then away's", step.what));
        }
        match (&reveal.salt, &reveal.draw, &self.apart.seals[side]) {
            (None, Some(draw), seal) => {
                let is_silent = seal.as_ref().is_none_or(|seal| !seal.opened);
                let is_called = self.apart.called.as_ref().is_some_and(|called| called.on == side);
                if *draw == Draw::silent(step.innings, step.over).into() && is_silent && is_called {
                    Ok(())
                } else {
                    Err(format!("the {side} side was not called in vain, so nothing is drawn for it"))
                }
            }
            (Some(salt), None, Some(seal)) => {
                let sealed =
                    self.seal_of(side, step, salt, &reveal.choice).map_err(|refusal| refusal.message)?;
                if sealed == seal.sealed {
                    Ok(())
                } else {
                    Err(format!("the {side} side's {} does not fit its seal {}", step.what, seal.sealed))
                }
            }
            _ => Err(format!("the {side} side's {} is turned up with its salt, or was drawn", step.what)),
        }
    }

    /// Makes sure that the toss was decided by its winner, or drawn for a winner who was called in vain.
    pub(super) fn check_drawn_toss(&self, decided: &TossDecided) -> Result<(), Disagreement> {
        let Some(draw) = decided.draw else { return Ok(()) };
        let is_called = self.apart.called.as_ref().is_some_and(|called| called.on == decided.by);
        if draw == Draw::silent(0, 0).into() && is_called {
            return Ok(());
        }
        let reason = "was drawn, though nobody was called in vain";
        Err(Disagreement::Impossible(Broken::new("data.draw", reason)))
    }
}

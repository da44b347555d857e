use std::sync::Arc;

use serde_json::{Value, json};

use super::apart::Apart;
use super::creation::admit_created;
use super::edition::{self, Edition};
use super::proceedings::Proceedings;
use super::reading::check_reason;
use super::reviewing::Reviewing;
use super::{Choices, Decided, Disagreement, GameState, Next, OpenReview, Place, Play, Refusal, Why};
use crate::dice::{COIN, Deals, Dice, Die, Draw, MatchSeed, RecordedDice, SeededDice, Seeds, ServerSeed};
use crate::log::{
    Agreed, Ball, Broken, CoinFace, DiceMode, EventData, MatchAbandoned, MatchCompleted, MatchCreated,
    MatchId, Played, Toss, TossChoice, TossDecided,
};
use crate::scorebook::{BySide, MatchResult, MatchTally, Side};

/// What can be put into a match.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// The toss is called and the coin comes down.
    Toss {
        /// Who calls.
        caller: Side,
        /// What is called.
        call: CoinFace,
    },
    /// The winner of the toss chooses.
    TossDecision {
        /// What.
        to: TossChoice,
    },
    /// Play.
    Play(Play),
    /// A ball of which stands what the table agreed on.
    AsStood(Choices, Agreed),
    /// A side has the decision on the last ball reviewed.
    Review {
        /// Which.
        by: Side,
    },
    /// A side accepts the decision on the last ball.
    Accept {
        /// Which.
        by: Side,
    },
    /// The match is given up.
    Abandon {
        /// Why.
        reason: String,
    },
}

/// How far a match has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Something is to be prepared before the toss.
    SetUp,
    /// The toss is to be made.
    Toss,
    /// The toss is won, and the winner has to choose.
    TossDecision(Side),
    /// Play, until the last ball.
    Play,
    /// Over, with a result.
    Completed(MatchResult),
    /// Given up.
    Abandoned,
}

/// Events that follow from an input, and the match after them.
pub struct Decision {
    /// The events, in order.
    pub events: Vec<EventData>,
    /// The match after the last of them.
    pub after: Fixture,
}

/// A match of any game: the toss before it, the game in it, the result after it.
#[derive(Clone)]
pub struct Fixture {
    pub(super) match_id: MatchId,
    pub(super) created: Arc<MatchCreated>,
    pub(super) phase: Phase,
    pub(super) game: Box<dyn GameState>,
    pub(super) apart: Arc<Apart>,
    pub(super) proceedings: Arc<Proceedings>,
    pub(super) reviewing: Reviewing,
    /// The edition it is played with, which can be found by its hash as long as somebody holds it.
    pub(super) edition: Option<Arc<Edition>>,
    /// How many deliveries stand.
    pub(super) deliveries: u32,
    /// Whether it was over before the correction it follows, and its seeds are open.
    pub(super) reopened: bool,
}

/// Who calls the toss, where nobody says otherwise.
const CALLER: Side = Side::Home;
/// What is called, where nobody says otherwise.
const CALL: CoinFace = CoinFace::Heads;
/// What the winner of the toss chooses, where nobody says otherwise.
const DECISION: TossChoice = TossChoice::Bat;

impl Fixture {
    /// A match from its first event in a log.
    pub fn from_log(match_id: MatchId, first: &EventData) -> Result<Fixture, Broken> {
        let EventData::MatchCreated(created) = first else {
            return Err(Broken::new("kind", "a log begins with match_created"));
        };
        let game = admit_created(created)?;
        let edition = created.edition.as_ref().and_then(|edition| edition::find(&edition.sha256));
        let created = Arc::new(created.clone());
        let phase = if game.set_up().is_some() { Phase::SetUp } else { Phase::Toss };
        Ok(Fixture {
            match_id,
            created,
            edition,
            phase,
            game,
            apart: Arc::default(),
            proceedings: Arc::default(),
            reviewing: Reviewing::default(),
            deliveries: 0,
            reopened: false,
        })
    }

    /// Everything that was settled before play.
    pub fn created(&self) -> &MatchCreated {
        &self.created
    }

    /// The edition it is played with, where the game has editions.
    pub fn edition(&self) -> Option<&Arc<Edition>> {
        self.edition.as_ref()
    }

    /// How far the match has come.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The result, once it is completed.
    pub fn result(&self) -> Option<MatchResult> {
        match self.phase {
            Phase::Completed(result) => Some(result),
            Phase::SetUp | Phase::Toss | Phase::TossDecision(_) | Phase::Play | Phase::Abandoned => None,
        }
    }

    /// Where the match stands, in the word used on the wire: `created|in_play|completed|abandoned`.
    pub fn status(&self) -> &'static str {
        match self.phase {
            Phase::SetUp | Phase::Toss => "created",
            Phase::TossDecision(_) | Phase::Play => "in_play",
            Phase::Completed(_) => "completed",
            Phase::Abandoned => "abandoned",
        }
    }

    /// What the side batting last needs to win, once it is known.
    pub fn target(&self) -> Option<u32> {
        self.game.target()
    }

    /// What was dealt in a recorded event that comes next, by which draw.
    pub fn dealt(&self, recorded: Played<'_>) -> Vec<(Draw, Vec<u8>)> {
        self.game.dealt(recorded)
    }

    /// The innings and the over of the next delivery.
    pub fn place(&self) -> (u16, u16) {
        self.game.place()
    }

    /// What the match waits for.
    pub fn next(&self) -> Next {
        if let Some(next) = self.next_apart() {
            return next;
        }
        match self.phase {
            Phase::SetUp => self.game.set_up().unwrap_or_else(|| self.game.next()),
            Phase::Toss => Next::Choose {
                side: None,
                what: "toss",
                legal: json!({"caller": ["home", "away"], "call": ["heads", "tails"]}),
                default: Value::Null,
            },
            Phase::TossDecision(winner) => Next::Choose {
                side: Some(winner),
                what: "toss_decision",
                legal: json!({"to": ["bat", "bowl"]}),
                default: Value::Null,
            },
            Phase::Play => self.next_review().unwrap_or_else(|| self.game.next()),
            Phase::Completed(result) => Next::Over { result: Some(result) },
            Phase::Abandoned => Next::Over { result: None },
        }
    }

    /// The input that follows where nobody chooses: home calls heads, the winner of the toss bats, and every other choice,
    /// of what comes before the toss too, takes its default.
    pub fn default_input(&self) -> Input {
        if let Some(OpenReview { by, .. }) = self.open_review() {
            return Input::Accept { by };
        }
        match self.phase {
            Phase::SetUp => Input::Play(Play::SetUp(Choices::new())),
            Phase::Toss => Input::Toss { caller: CALLER, call: CALL },
            Phase::TossDecision(_) => Input::TossDecision { to: DECISION },
            Phase::Play | Phase::Completed(_) | Phase::Abandoned => {
                let autoplay = self.game.autoplay();
                Input::Play(Play::Auto(BySide { home: autoplay, away: autoplay }))
            }
        }
    }

    /// Plays a match that waits for its toss to the end, with default inputs and the dice of a seed, and only counts it.
    /// Each side plays by its policy.
    pub fn play_out(&self, seed: &MatchSeed, policies: BySide<usize>) -> Result<MatchTally, Refusal> {
        let mut dice = SeededDice::new(seed);
        if self.phase == Phase::SetUp {
            let prepared = self.decide(self.default_input(), &mut dice, None)?;
            return prepared.after.play_out(seed, policies);
        }
        if self.phase != Phase::Toss {
            return Err(self.out_of_turn("the toss has been made"));
        }
        let Toss { winner, .. } = make_toss(CALLER, CALL, &mut dice)?;
        let decided = TossDecided { by: winner, to: DECISION, draw: None };
        self.game.play_out(decided.bats_first(), policies, &mut dice)
    }

    /// The input that follows where each side plays by its policy.
    pub fn input_by(&self, policies: BySide<usize>) -> Input {
        match self.phase {
            Phase::Play if !self.is_played_out() && self.open_review().is_none() => {
                Input::Play(Play::Auto(policies))
            }
            _ => self.default_input(),
        }
    }

    /// Turns an input into events, or refuses it. `seed` is the server seed of a seeded match: it is opened with the
    /// event that ends the match, and only then.
    pub fn decide(
        &self,
        input: Input,
        dice: &mut dyn Dice,
        seed: Option<&ServerSeed>,
    ) -> Result<Decision, Refusal> {
        self.refuse_if_over()?;
        let opened = || seed.map(|seed| Seeds::open(seed, &self.client_seeds()));
        match input {
            Input::Toss { caller, call } => self.decide_toss(caller, call, dice),
            Input::TossDecision { to } => self.decide_to(to),
            Input::Play(play @ Play::SetUp(_)) => self.decide_set_up(play, dice),
            Input::Play(play @ Play::Choose(_)) if self.phase == Phase::SetUp => {
                self.decide_set_up(play, dice)
            }
            Input::Play(play) => self.decide_play(|game, dice| game.decide(play, dice), dice, opened),
            Input::AsStood(choices, agreed) => {
                check_reason("as_stood.reason", &agreed.reason)?;
                self.decide_play(|game, dice| game.decide_as_stood(choices, &agreed, dice), dice, opened)
            }
            Input::Review { by } => self.decide_review(by, dice, opened),
            Input::Accept { by } => self.decide_accept(by, dice, opened),
            Input::Abandon { reason } => {
                check_reason("reason", &reason)?;
                Ok(self.having(EventData::MatchAbandoned(MatchAbandoned { reason, seeds: opened() })))
            }
        }
    }

    /// Whether the last ball has been bowled, and reviewed or accepted where it can be, be its end on record or not.
    pub fn is_played_out(&self) -> bool {
        self.phase == Phase::Play && !self.reviewing.is_open() && self.game.result().is_some()
    }

    pub(super) fn refuse_if_over(&self) -> Result<(), Refusal> {
        if self.is_played_out() {
            let message = "the last ball has been bowled, and the event that ends the match is missing";
            return Err(Refusal::new(Why::MatchOver, Place::Input, message));
        }
        let how = match self.phase {
            Phase::Completed(_) => "completed",
            Phase::Abandoned => "abandoned",
            Phase::SetUp | Phase::Toss | Phase::TossDecision(_) | Phase::Play => return Ok(()),
        };
        Err(match self.created.dice {
            DiceMode::Seeded => Refusal::new(
                Why::SeedOpen,
                Place::Input,
                format!("the match is {how} and its seeds are open; nothing new can be bowled with them"),
            ),
            DiceMode::Table => {
                Refusal::new(Why::MatchOver, Place::Input, format!("the match is {how}; nothing can follow"))
            }
        })
    }

    fn decide_set_up(&self, play: Play, dice: &mut dyn Dice) -> Result<Decision, Refusal> {
        if self.phase != Phase::SetUp {
            return Err(self.out_of_turn("nothing is to be set up"));
        }
        if self.waits_for_seeds() {
            return Err(self.out_of_turn("a match is set up when both sides have shown their seeds"));
        }
        let Decided { events, after: game } = self.game.decide(play, dice)?;
        let mut after = Fixture { game, ..self.clone() };
        events.iter().for_each(|event| after.evolve(event));
        Ok(Decision { events, after })
    }

    fn decide_toss(&self, caller: Side, call: CoinFace, dice: &mut dyn Dice) -> Result<Decision, Refusal> {
        if self.waits_for_seeds() {
            return Err(self.out_of_turn("the toss is made when both sides have shown their seeds"));
        }
        match self.phase {
            Phase::Toss => {}
            Phase::SetUp => return Err(self.out_of_turn("the match is to be set up before its toss")),
            Phase::TossDecision(_) | Phase::Play | Phase::Completed(_) | Phase::Abandoned => {
                return Err(self.out_of_turn("the toss has been made"));
            }
        }
        Ok(self.having(EventData::Toss(make_toss(caller, call, dice)?)))
    }

    fn decide_to(&self, to: TossChoice) -> Result<Decision, Refusal> {
        match self.phase {
            Phase::TossDecision(by) => {
                Ok(self.having(EventData::TossDecided(TossDecided { by, to, draw: None })))
            }
            Phase::SetUp | Phase::Toss => Err(self.out_of_turn("the toss has not been made")),
            Phase::Play | Phase::Completed(_) | Phase::Abandoned => {
                Err(self.out_of_turn("the toss is decided"))
            }
        }
    }

    fn decide_play(
        &self,
        decide: impl FnOnce(&dyn GameState, &mut dyn Dice) -> Result<Decided, Refusal>,
        dice: &mut dyn Dice,
        opened: impl Fn() -> Option<Seeds>,
    ) -> Result<Decision, Refusal> {
        if self.phase != Phase::Play {
            return Err(self.out_of_turn("play has not begun"));
        }
        self.refuse_if_review_open()?;
        self.refuse_if_secret()?;
        self.played(decide(self.game.as_ref(), dice)?, opened)
    }

    /// The match after what its game has decided, and its end where it has come to it.
    pub(super) fn played(
        &self,
        decided: Decided,
        opened: impl Fn() -> Option<Seeds>,
    ) -> Result<Decision, Refusal> {
        let impossible = |broken: Broken| Refusal::new(Why::IllegalInput, Place::Input, broken.to_string());
        let reviewing = self.reviewing_after(&decided.events).map_err(impossible)?;
        let result = decided.after.result().filter(|_| !reviewing.is_open());
        let mut decision = Decision { events: decided.events, after: self.clone() };
        if let Some(result) = result {
            decision.events.push(EventData::MatchCompleted(MatchCompleted { result, seeds: opened() }));
        }
        decision.events.iter().for_each(|event| decision.after.evolve(event));
        decision.after.game = decided.after;
        decision.after.reviewing = reviewing;
        Ok(decision)
    }

    /// A refusal of something that is not due, saying what is.
    pub(super) fn out_of_turn(&self, what_is: &str) -> Refusal {
        let due = match self.next() {
            Next::Choose { what, .. } => format!("the match waits for: {}", what.replace('_', " ")),
            Next::Roll { what, .. } => format!("the match waits for the next ball, and its {what} die"),
            Next::Over { .. } => "the match is over".to_owned(),
        };
        Refusal::new(Why::OutOfTurn, Place::Input, format!("{what_is}; {due}"))
    }

    /// The match after one event that this match has just decided.
    pub(super) fn having(&self, event: EventData) -> Decision {
        let mut after = self.clone();
        after.evolve(&event);
        Decision { events: vec![event], after }
    }

    pub(super) fn evolve(&mut self, event: &EventData) {
        match event {
            // The game has it before.
            EventData::SetUp(_) if self.game.set_up().is_none() => self.phase = Phase::Toss,
            EventData::Toss(toss) => self.phase = Phase::TossDecision(toss.winner),
            EventData::TossDecided(decided) => {
                self.phase = Phase::Play;
                self.game.start(decided.bats_first());
            }
            EventData::Ball(ball) => self.deliveries = ball.delivery,
            EventData::Review(review) => self.settle_review(review),
            EventData::MatchCompleted(completed) => self.ends(Phase::Completed(completed.result)),
            EventData::MatchAbandoned(_) => self.ends(Phase::Abandoned),
            EventData::MatchCreated(_)
            | EventData::SetUp(_)
            | EventData::Over(_)
            | EventData::Roll(_)
            | EventData::SideClaimed(_)
            | EventData::TokenRotated(_)
            | EventData::SeedCommitted(_)
            | EventData::SeedContributed(_)
            | EventData::Choice(_)
            | EventData::ChoiceOpened(_)
            | EventData::ChoiceCalled(_)
            | EventData::Correction(_)
            | EventData::CorrectionProposed(_)
            | EventData::CorrectionConsented(_)
            | EventData::Dispute(_)
            | EventData::DisputeRuled(_) => {}
        }
        if self.apart.hears(event) {
            Arc::make_mut(&mut self.apart).evolve(event);
        }
        if self.proceedings.hears(event) {
            Arc::make_mut(&mut self.proceedings).evolve(event);
        }
    }

    fn ends(&mut self, phase: Phase) {
        self.phase = phase;
        self.reopened = false;
    }

    /// Admits a recorded event and applies it.
    pub fn replay(&mut self, recorded: &EventData) -> Result<(), Broken> {
        match (recorded, self.phase) {
            (EventData::Over(_) | EventData::Roll(_) | EventData::Ball(_), Phase::Play)
            | (EventData::SetUp(_), Phase::SetUp)
                if !self.waits_for_seeds() && !self.reviewing.is_open() =>
            {
                let reviewing = self.reviewing_after(std::slice::from_ref(recorded))?;
                self.game.replay(recorded)?;
                self.reviewing = reviewing;
                self.evolve(recorded);
                Ok(())
            }
            (EventData::Review(review), Phase::Play) => {
                self.admit_review(review)?;
                self.evolve(recorded);
                Ok(())
            }
            (EventData::Choice(choice), _) if choice.choice.is_some() => {
                self.check_in_the_open(choice).map_err(Disagreement::into_broken)?;
                self.game.replay(recorded)?;
                self.evolve(recorded);
                Ok(())
            }
            (
                EventData::SideClaimed(_)
                | EventData::TokenRotated(_)
                | EventData::SeedCommitted(_)
                | EventData::SeedContributed(_)
                | EventData::Choice(_)
                | EventData::ChoiceOpened(_)
                | EventData::ChoiceCalled(_),
                _,
            ) => {
                self.check_part(recorded).map_err(Disagreement::into_broken)?;
                self.evolve(recorded);
                Ok(())
            }
            (
                EventData::CorrectionProposed(_)
                | EventData::CorrectionConsented(_)
                | EventData::Dispute(_)
                | EventData::DisputeRuled(_),
                _,
            ) => {
                self.check_word(recorded).map_err(Disagreement::into_broken)?;
                self.evolve(recorded);
                Ok(())
            }
            (EventData::Toss(_), Phase::Toss)
            | (
                EventData::MatchAbandoned(_),
                Phase::SetUp | Phase::Toss | Phase::TossDecision(_) | Phase::Play,
            ) if !self.is_played_out() => {
                self.evolve(recorded);
                Ok(())
            }
            (EventData::TossDecided(decided), Phase::TossDecision(winner)) if decided.by == winner => {
                self.evolve(recorded);
                Ok(())
            }
            (EventData::MatchCompleted(_), Phase::Play) if self.is_played_out() => {
                self.evolve(recorded);
                Ok(())
            }
            _ => Err(self.not_due(recorded)),
        }
    }

    pub(super) fn not_due(&self, recorded: &EventData) -> Broken {
        let due = self.out_of_turn("it cannot come here").message;
        Broken::new("kind", format!("{}: {due}", recorded.kind()))
    }

    /// Decides a recorded event again, with its own choices and dice, and applies it if it is the same. Seeds are not
    /// looked at.
    ///
    /// Gives what was dealt in it, which only the seeds can prove.
    pub fn follow(&mut self, recorded: &EventData) -> Result<Vec<Deals>, Vec<Disagreement>> {
        let mut deals = Vec::new();
        if self.reopened && recorded.moment().is_none() {
            return Err(vec![Disagreement::Impossible(self.not_due(recorded))]);
        }
        match recorded {
            EventData::SetUp(_) if self.phase == Phase::SetUp && !self.waits_for_seeds() => {
                deals = self.game.follow(recorded)?;
            }
            EventData::Choice(choice) if choice.choice.is_some() => {
                self.check_in_the_open(choice).map_err(|disagreement| vec![disagreement])?;
                deals = self.game.follow(recorded)?;
            }
            EventData::Over(_) | EventData::Roll(_) | EventData::Ball(_)
                if self.phase == Phase::Play && !self.is_played_out() && !self.reviewing.is_open() =>
            {
                self.check_seed(recorded).map_err(|disagreement| vec![disagreement])?;
                deals = self.check_reveals(recorded)?;
                let reviewing = self.reviewing_after(std::slice::from_ref(recorded));
                deals.extend(self.game.follow(recorded)?);
                // What the game has decided again opens what it says.
                self.reviewing = reviewing.map_err(|broken| vec![Disagreement::Impossible(broken)])?;
            }
            _ => self.check_around_play(recorded).map_err(|disagreement| vec![disagreement])?,
        }
        self.evolve(recorded);
        Ok(deals)
    }

    /// Decides again what is not play, and compares.
    fn check_around_play(&self, recorded: &EventData) -> Result<(), Disagreement> {
        match recorded {
            EventData::Toss(toss) if self.phase == Phase::Toss => {
                let coin = [Die { what: COIN.into(), sides: 2, value: toss.coin.as_die() }];
                let again = self.decide_toss(toss.caller, toss.call, &mut RecordedDice::new(&coin));
                same(again, recorded)
            }
            EventData::TossDecided(decided) if matches!(self.phase, Phase::TossDecision(_)) => {
                self.check_drawn_toss(decided)?;
                let recorded = EventData::TossDecided(TossDecided { draw: None, ..decided.clone() });
                same(self.decide_to(decided.to), &recorded)
            }
            EventData::Review(review) => self.check_review(review),
            EventData::MatchCompleted(completed) => match self.game.result() {
                Some(result) if self.is_played_out() => {
                    let seeds = completed.seeds.clone();
                    self.check_seeds_present(&seeds)?;
                    same(
                        Ok(self.having(EventData::MatchCompleted(MatchCompleted { result, seeds }))),
                        recorded,
                    )
                }
                _ => Err(Disagreement::Impossible(self.not_due(recorded))),
            },
            EventData::MatchAbandoned(abandoned) if self.refuse_if_over().is_ok() => {
                self.check_seeds_present(&abandoned.seeds)?;
                check_reason("reason", &abandoned.reason).map_err(Disagreement::Refused)
            }
            EventData::SideClaimed(_)
            | EventData::TokenRotated(_)
            | EventData::SeedCommitted(_)
            | EventData::SeedContributed(_)
            | EventData::Choice(_)
            | EventData::ChoiceOpened(_)
            | EventData::ChoiceCalled(_) => self.check_part(recorded),
            EventData::CorrectionProposed(_)
            | EventData::CorrectionConsented(_)
            | EventData::Dispute(_)
            | EventData::DisputeRuled(_) => self.check_word(recorded),
            _ => Err(Disagreement::Impossible(self.not_due(recorded))),
        }
    }

    fn check_seed(&self, recorded: &EventData) -> Result<(), Disagreement> {
        let EventData::Ball(ball) = recorded else { return Ok(()) };
        if let Some(as_stood) = &ball.as_stood {
            check_reason("as_stood.reason", &as_stood.reason).map_err(Disagreement::Refused)?;
        }
        let drawn = self.created.dice == DiceMode::Seeded;
        if ball.seed != drawn.then(|| Ball::draw(ball.delivery)) {
            let reason = "names domain 4 and the delivery in a seeded match, and is null with table dice";
            return Err(Disagreement::Impossible(Broken::new("data.seed", reason)));
        }
        Ok(())
    }

    fn check_seeds_present(&self, seeds: &Option<Seeds>) -> Result<(), Disagreement> {
        if seeds.is_some() == (self.created.dice == DiceMode::Seeded) {
            return match seeds {
                Some(seeds) if seeds.client_seeds != self.client_seeds() => {
                    let reason =
                        "are the seeds the sides have shown, home's first; none where one is missing";
                    Err(Disagreement::Unsealed(Broken::new("data.seeds.client_seeds", reason)))
                }
                _ => Ok(()),
            };
        }
        let reason = "a seeded match opens its seeds when it ends, and no other does";
        Err(Disagreement::Impossible(Broken::new("data.seeds", reason)))
    }
}

fn make_toss(caller: Side, call: CoinFace, dice: &mut dyn Dice) -> Result<Toss, Refusal> {
    dice.begin(Draw::TOSS);
    let coin = CoinFace::from_die(dice.roll(COIN, 2).map_err(|_| {
        let message = "the coin is missing: say whether it came down heads or tails";
        let place = Place::Field(COIN.to_owned());
        Refusal::new(Why::NeedsInput, place, message).legal(json!(["heads", "tails"]))
    })?);
    dice.end()?;
    let winner = if call == coin { caller } else { caller.other() };
    Ok(Toss { caller, call, coin, winner })
}

fn same(again: Result<Decision, Refusal>, recorded: &EventData) -> Result<(), Disagreement> {
    match again.map_err(Disagreement::Refused)?.events.into_iter().next() {
        Some(event) if event == *recorded => Ok(()),
        Some(event) => Err(Disagreement::Otherwise(Box::new(event))),
        None => Err(Disagreement::Impossible(Broken::new("data", "follows from nothing"))),
    }
}

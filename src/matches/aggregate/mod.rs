//! A match of any game: the toss before it, the game in it, the result after it.

mod deciding;
mod recorded;

use std::sync::Arc;

use serde_json::{Value, json};

use self::deciding::make_toss;
use super::OpenReview;
use super::adjudication::Proceedings;
use super::creation::admit_created;
use super::remote::Apart;
use super::reviews::Reviewing;
use crate::dice::{Draw, MatchSeed, SeededDice};
use crate::editions::Editions;
use crate::log::{
    Agreed, Broken, CoinFace, EventData, MatchCreated, MatchId, Played, Toss, TossChoice, TossDecided,
};
use crate::rules::{Choices, Edition, GameState, Next, Play, Refusal};
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
    /// The edition it is played with.
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
    /// A match from its first event in a log. The edition that the event names is one of those handed in.
    pub fn from_log(match_id: MatchId, first: &EventData, editions: &Editions) -> Result<Fixture, Broken> {
        let EventData::MatchCreated(created) = first else {
            return Err(Broken::new("kind", "a log begins with match_created"));
        };
        let edition = created.edition.as_ref().and_then(|named| editions.find(&named.sha256));
        let game = admit_created(created, edition.as_deref())?;
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

    /// Whether the last ball has been bowled, and reviewed or accepted where it can be, be its end on record or not.
    pub fn is_played_out(&self) -> bool {
        self.phase == Phase::Play && !self.reviewing.is_open() && self.game.result().is_some()
    }

    /// What the side batting last needs to win, once it is known: not while a review can open again the innings that sets
    /// it.
    pub fn target(&self) -> Option<u32> {
        self.game.target().filter(|target| self.reviewing.leaves_target(*target))
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
}

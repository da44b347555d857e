//! A match of any game: its phases, from the set-up and the toss through play to the result, and how events
//! change it.

mod deciding;
mod recorded;

use std::sync::Arc;

use serde_json::{Value, json};

use self::deciding::make_toss;
use super::OpenReview;
use super::adjudication::Adjudication;
use super::creation::admit_created;
use super::remote::RemoteState;
use super::reviews::ReviewState;
use crate::dice::{Draw, MatchSeed, SeededDice};
use crate::editions::Editions;
use crate::log::{
    AgreedOutcome, CoinFace, EventData, InvalidEvent, MatchCreated, MatchId, RecordedPlay, Toss, TossChoice,
    TossDecided,
};
use crate::rules::{Choices, DynGame, Edition, Game, MatchPosition, Next, Play, Refusal};
use crate::scorebook::{BySide, MatchResult, MatchTally, Side};

/// An input of a match: something that a person or the service wants to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// The toss: the call, and the coin.
    Toss {
        /// The side that calls.
        caller: Side,
        /// The face that is called.
        call: CoinFace,
    },
    /// The choice of the winner of the toss.
    TossDecision {
        /// To bat or to bowl.
        to: TossChoice,
    },
    /// Play of the game.
    Play(Play),
    /// A ball with an agreed outcome, against the rules.
    Agreed(Choices, AgreedOutcome),
    /// A review of the decision on the last ball.
    Review {
        /// The side.
        by: Side,
    },
    /// The acceptance of the decision on the last ball.
    Accept {
        /// The side.
        by: Side,
    },
    /// The abandonment of the match.
    Abandon {
        /// The reason, for the log.
        reason: String,
    },
}

/// The phase of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// The match waits for its set-up, before the toss.
    SetUp,
    /// The match waits for the toss.
    Toss,
    /// The match waits for the winner of the toss to choose.
    TossDecision(Side),
    /// The match is in play, until the last ball.
    Play,
    /// The match is completed, with a result.
    Completed(MatchResult),
    /// The match is abandoned.
    Abandoned,
}

/// The decision on an input: its events, and the match after them.
pub struct Decided {
    /// The events, in order.
    pub events: Vec<EventData>,
    /// The match after the last of them.
    pub after: Match,
}

/// A match of any game: its state, folded from its events.
#[derive(Clone)]
pub struct Match {
    pub(super) match_id: MatchId,
    /// The game that is played.
    pub(super) rules: &'static Game,
    /// The games and editions with which the log of the match can be read again.
    pub(super) editions: Arc<Editions>,
    pub(super) created: Arc<MatchCreated>,
    pub(super) phase: Phase,
    pub(super) game: Box<dyn DynGame>,
    pub(super) remote: Arc<RemoteState>,
    pub(super) adjudication: Arc<Adjudication>,
    pub(super) reviewing: ReviewState,
    /// The edition of the match.
    pub(super) edition: Option<Arc<Edition>>,
    /// The number of live deliveries.
    pub(super) deliveries: u32,
    /// Whether the match had finished before its last correction, so that its seeds are open.
    pub(super) reopened: bool,
}

/// The side that calls the toss by default.
const CALLER: Side = Side::Home;
/// The face that is called by default.
const CALL: CoinFace = CoinFace::Heads;
/// The choice of the winner of the toss by default.
const DECISION: TossChoice = TossChoice::Bat;

impl Match {
    /// Opens a match from its first event in a log, with the edition that the event names, out of those
    /// handed in.
    pub fn from_log(
        match_id: MatchId,
        first: &EventData,
        editions: &Editions,
    ) -> Result<Match, InvalidEvent> {
        let EventData::MatchCreated(created) = first else {
            return Err(InvalidEvent::new("kind", "a log begins with match_created"));
        };
        let edition = created.edition.as_ref().and_then(|named| editions.find(&named.sha256));
        let rules = editions
            .registry()
            .find(&created.game)
            .ok_or_else(|| InvalidEvent::new("data.game", format!("there is no game {:?}", created.game)))?;
        let game = admit_created(rules, created, edition.as_deref())?;
        let created = Arc::new(created.clone());
        let phase = if game.position().awaits_set_up { Phase::SetUp } else { Phase::Toss };
        Ok(Match {
            match_id,
            rules,
            editions: Arc::new(editions.only(edition.as_ref())),
            created,
            edition,
            phase,
            game,
            remote: Arc::default(),
            adjudication: Arc::default(),
            reviewing: ReviewState::default(),
            deliveries: 0,
            reopened: false,
        })
    }

    /// The first event of the match: game, options, sides, dice and edition.
    pub fn created(&self) -> &MatchCreated {
        &self.created
    }

    /// The game that is played.
    pub fn game(&self) -> &'static Game {
        self.rules
    }

    /// The games and editions with which the log of the match can be read again.
    pub fn editions(&self) -> &Editions {
        &self.editions
    }

    /// The edition of the match, if its game has editions.
    pub fn edition(&self) -> Option<&Arc<Edition>> {
        self.edition.as_ref()
    }

    /// The phase of the match.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The result, once the match is completed.
    pub fn result(&self) -> Option<MatchResult> {
        match self.phase {
            Phase::Completed(result) => Some(result),
            Phase::SetUp | Phase::Toss | Phase::TossDecision(_) | Phase::Play | Phase::Abandoned => None,
        }
    }

    /// The status of the match in JSON: `created|in_play|completed|abandoned`.
    pub fn status(&self) -> &'static str {
        match self.phase {
            Phase::SetUp | Phase::Toss => "created",
            Phase::TossDecision(_) | Phase::Play => "in_play",
            Phase::Completed(_) => "completed",
            Phase::Abandoned => "abandoned",
        }
    }

    /// Whether the last ball has been bowled and its decision reviewed or accepted, with or without the event
    /// that ends the match.
    pub fn is_played_out(&self) -> bool {
        self.phase == Phase::Play && !self.reviewing.is_open() && self.game.position().result.is_some()
    }

    /// The target of the side batting last, once it is known: not while a review can reopen the innings that
    /// sets it.
    pub fn target(&self) -> Option<u32> {
        self.game.position().target.filter(|target| self.reviewing.leaves_target(*target))
    }

    /// The values that were dealt in a recorded event that comes next, with their draws.
    pub fn dealt(&self, recorded: RecordedPlay<'_>) -> Vec<(Draw, Vec<u8>)> {
        self.game.dealt(recorded)
    }

    /// The innings and the over of the next delivery.
    pub fn position(&self) -> (u16, u16) {
        let MatchPosition { innings, over, .. } = self.game.position();
        (innings, over)
    }

    /// The next step that the match waits for.
    pub fn next(&self) -> Next {
        if let Some(next) = self.next_remote() {
            return next;
        }
        match self.phase {
            Phase::SetUp => self.game.next(),
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
            Phase::Completed(result) => Next::Finished { result: Some(result) },
            Phase::Abandoned => Next::Finished { result: None },
        }
    }

    /// The default input: home calls heads, the winner of the toss bats, and every other choice, the set-up
    /// included, takes its default.
    pub fn default_input(&self) -> Input {
        if let Some(OpenReview { by, .. }) = self.open_review() {
            return Input::Accept { by };
        }
        match self.phase {
            Phase::SetUp => Input::Play(Play::SetUp(Choices::new())),
            Phase::Toss => Input::Toss { caller: CALLER, call: CALL },
            Phase::TossDecision(_) => Input::TossDecision { to: DECISION },
            Phase::Play | Phase::Completed(_) | Phase::Abandoned => Input::Play(self.game.autoplay()),
        }
    }

    /// Plays a match from its toss to the end, with default inputs and the dice of a seed, and only counts
    /// it. Each side plays by its policy.
    pub fn simulate_match(&self, seed: &MatchSeed, policies: BySide<usize>) -> Result<MatchTally, Refusal> {
        let mut dice = SeededDice::new(seed);
        if self.phase == Phase::SetUp {
            let prepared = self.decide(self.default_input(), &mut dice, None)?;
            return prepared.after.simulate_match(seed, policies);
        }
        if self.phase != Phase::Toss {
            return Err(self.out_of_turn("the toss has been made"));
        }
        let Toss { winner, .. } = make_toss(CALLER, CALL, &mut dice)?;
        let decided = TossDecided { by: winner, to: DECISION, draw: None };
        self.game.simulate_match(decided.bats_first(), policies, &mut dice)
    }

    /// The next input when each side plays by its policy.
    pub fn input_by(&self, policies: BySide<usize>) -> Input {
        match self.phase {
            Phase::Play if !self.is_played_out() && self.open_review().is_none() => {
                Input::Play(Play::Auto(policies))
            }
            _ => self.default_input(),
        }
    }

    /// The decision that consists of this one event.
    pub(super) fn with_event(&self, event: EventData) -> Decided {
        let mut after = self.clone();
        after.evolve(&event);
        Decided { events: vec![event], after }
    }

    pub(super) fn evolve(&mut self, event: &EventData) {
        match event {
            // The game has applied the set-up before.
            EventData::SetUp(_) if !self.game.position().awaits_set_up => self.phase = Phase::Toss,
            EventData::Toss(toss) => self.phase = Phase::TossDecision(toss.winner),
            EventData::TossDecided(decided) => {
                self.phase = Phase::Play;
                self.game.start(decided.bats_first());
            }
            EventData::Ball(ball) => self.deliveries = ball.delivery,
            EventData::Review(review) => self.apply_review(review),
            EventData::MatchCompleted(completed) => self.finish(Phase::Completed(completed.result)),
            EventData::MatchAbandoned(_) => self.finish(Phase::Abandoned),
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
        if self.remote.is_changed_by(event) {
            Arc::make_mut(&mut self.remote).evolve(event);
        }
        if self.adjudication.is_changed_by(event) {
            Arc::make_mut(&mut self.adjudication).evolve(event);
        }
    }

    fn finish(&mut self, phase: Phase) {
        self.phase = phase;
        self.reopened = false;
    }
}

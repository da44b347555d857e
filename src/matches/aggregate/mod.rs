//! The aggregate: a match of any game, made of its parts. Play, reviews, remote play and adjudication each
//! have a state that applies events, and a view of that state on top of the parts below it, which decides and
//! checks.
//!
//! What concerns several parts is here: whose turn it is, the dice, and the end of the match.

mod deciding;
mod recorded;
mod turn;

use std::sync::{Arc, LazyLock};

use super::adjudication::AdjudicationState;
use super::remote::RemoteState;
use super::reviews::ReviewState;
use super::{Adjudication, GameInPlay, Input, MatchInfo, MatchReviews, OpenReview, Phase, Remote};
use crate::dice::{MatchSeed, SeededDice};
use crate::editions::Editions;
use crate::log::{
    CalledToss, CoinFace, DiceMode, EventData, InvalidEvent, MatchId, Reversal, TossChoice, TossDecided,
};
use crate::rules::{Choices, Next, Play, Refusal};
use crate::scorebook::{BySide, MatchTally, Side};

pub use self::deciding::Decided;

/// A match of any game: its state, folded from its events.
#[derive(Clone, PartialEq)]
pub struct Match {
    play: GameInPlay,
    reviews: ReviewState,
    remote: Arc<RemoteState>,
    adjudication: Arc<AdjudicationState>,
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
        let (info, game) = MatchInfo::from_log(match_id, first, editions)?;
        Ok(Match {
            play: GameInPlay::open(info, game),
            reviews: ReviewState::default(),
            remote: Arc::default(),
            adjudication: Arc::default(),
        })
    }

    /// The play of the match.
    pub fn play(&self) -> &GameInPlay {
        &self.play
    }

    /// The reviews of the match.
    pub fn reviews(&self) -> MatchReviews<'_> {
        MatchReviews::new(&self.play, &self.reviews)
    }

    /// The remote play of the match.
    pub fn remote(&self) -> Remote<'_> {
        Remote::new(&self.play, self.reviews(), self.adjudication.claimed, &self.remote)
    }

    /// The adjudication of the match.
    pub fn adjudication(&self) -> Adjudication<'_> {
        Adjudication::new(&self.play, &self.adjudication)
    }

    /// The next step that the match waits for.
    pub fn next(&self) -> Next {
        self.remote().next().unwrap_or_else(|| self.reviews().next())
    }

    /// The default input: home calls heads, the winner of the toss bats, and every other choice, the set-up
    /// included, takes its default.
    pub fn default_input(&self) -> Input {
        if let Some(OpenReview { by, .. }) = self.reviews().open() {
            return Input::Accept { by };
        }
        match self.play.phase() {
            Phase::SetUp => Input::Play(Play::SetUp(Choices::new())),
            Phase::Toss => Input::Toss { caller: CALLER, call: CALL },
            Phase::TossDecision(_) => Input::TossDecision { to: DECISION },
            Phase::Play | Phase::Completed(_) | Phase::Abandoned => Input::Play(self.play.game().autoplay()),
        }
    }

    /// The next input when each side plays by its policy.
    pub fn input_by(&self, policies: BySide<usize>) -> Input {
        let is_in_play = self.play.phase() == Phase::Play && !self.reviews().is_played_out();
        match is_in_play && self.reviews().open().is_none() {
            true => Input::Play(Play::Auto(policies)),
            false => self.default_input(),
        }
    }

    /// Plays a match from its toss to the end, with default inputs and the dice of a seed, and only counts
    /// it. Each side plays by its policy.
    pub fn simulate_match(&self, seed: &MatchSeed, policies: BySide<usize>) -> Result<MatchTally, Refusal> {
        let mut dice = SeededDice::new(seed);
        if self.play.phase() == Phase::SetUp {
            let prepared = self.decide(self.default_input(), &mut dice, None)?;
            return prepared.after.simulate_match(seed, policies);
        }
        if self.play.phase() != Phase::Toss {
            return Err(self.out_of_turn("the toss has been made"));
        }
        let CalledToss { winner, .. } = super::play::make_toss(CALLER, CALL, &mut dice)?;
        let decided = TossDecided { by: winner, to: DECISION, draw: None };
        self.play.game().simulate_match(decided.bats_first(), policies, &mut dice)
    }

    /// Applies an event that was decided or admitted. An event that a game decides is applied to the game
    /// before.
    fn apply(&mut self, event: &EventData) {
        self.play.apply(event);
        if let EventData::Review(review) = event
            && let Some(game) = self.reviews.apply(review)
        {
            self.play.go_on_with(game);
        }
        if self.remote.is_changed_by(event) {
            Arc::make_mut(&mut self.remote).apply(event);
        }
        if self.adjudication.is_changed_by(event) {
            Arc::make_mut(&mut self.adjudication).apply(event);
        }
        self.end_as_agreed();
    }

    /// Ends the innings in progress where that was agreed for the last ball so far, and no decision on it is
    /// open.
    fn end_as_agreed(&mut self) {
        if !self.reviews.is_open() {
            self.play.end_as_agreed();
        }
    }

    /// The match after a correction: `before`, the match before the first void event, with the adjudication
    /// of this one.
    pub fn corrected(self, before: Match, reversal: Reversal<'_>) -> Match {
        let mut adjudication = self.adjudication;
        let (live, last) = (before.play.deliveries(), self.play.deliveries());
        let is_table = self.play.info().created.dice == DiceMode::Table;
        Arc::make_mut(&mut adjudication).correct(reversal, live, last, is_table);
        let mut corrected =
            Match { play: self.play.gone_back_to(before.play, reversal), adjudication, ..before };
        corrected.end_as_agreed();
        corrected
    }

    /// An earlier state of this line of play, with the innings that have ended by agreement since.
    pub fn resumed(self, now: &Match) -> Match {
        let mut resumed = Match { play: self.play.resumed(&now.play), ..self };
        resumed.end_as_agreed();
        resumed
    }

    /// The match without its adjudication, to be kept for [`corrected`](Self::corrected) or to be played
    /// again. Both sides count as claimed, and an umpire's token as issued.
    pub fn without_adjudication(&self) -> Match {
        static BARE: LazyLock<Arc<AdjudicationState>> = LazyLock::new(|| Arc::new(AdjudicationState::bare()));
        Match { adjudication: Arc::clone(&BARE), ..self.clone() }
    }
}

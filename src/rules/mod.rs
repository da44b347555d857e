//! The contract of a game, [`Rules`], with its inputs and outputs and its type-erased form. No game is named
//! here.
//!
//! Three pure functions are at its heart: [`Rules::next`] says what a match waits for, [`Rules::decide`]
//! turns an input into events or a [`Refusal`], and [`Rules::evolve`] applies an event. Events from outside
//! pass [`Rules::admit`] first.

mod agreed_outcome;
mod cited;
mod edition;
mod erased;
mod game;
pub mod reading;
mod refusal;
mod review;

use std::any::Any;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

pub use self::agreed_outcome::agreed_of;
pub use self::cited::RulingCited;
pub use self::edition::{Edition, EditionFault, LONGEST_EDITION};
pub use self::erased::{Disagreement, DynGame, GameDecided};
pub use self::game::Game;
pub use self::refusal::{Place, Refusal, RefusalKind};
pub use self::review::{CardVerdict, ReviewCard, ReviewRulings, Reviewable};
use crate::dice::{Dice, Draw};
use crate::log::{Ball, EventData, InvalidEvent, MatchCreated, RecordedPlay, SetUp};
use crate::scorebook::{BySide, InningsTally, MatchResult, Ruling, Side};

/// Choices of a game, given or recorded: a JSON object.
pub type Choices = Map<String, Value>;

/// An input of play.
#[derive(Debug, Clone, PartialEq)]
pub enum Play {
    /// The set-up before the toss, with its choices.
    SetUp(Choices),
    /// The start of an over, with its choices.
    Over(Choices),
    /// A ball, with its choices.
    Ball(Choices),
    /// An open choice of a side, in remote play.
    Choose(Choices),
    /// The next ball, and its over if one has to begin, with every choice by the policy of its side: an index
    /// into [`Rules::POLICIES`].
    Auto(BySide<usize>),
}

/// The kind of a choice in remote play: made by both sides in secret, or by one openly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChoiceKind {
    /// The name of the choice, in the terms of the game: `order`, ...
    pub what: &'static str,
    /// The number in the over of the ball that the choice is for; none for a choice about the over.
    pub ball: Option<u32>,
}

/// The next step that a match waits for.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Next {
    /// A choice that somebody has to make.
    Choose {
        /// The side that chooses; null if either may.
        side: Option<Side>,
        /// The name of the choice: `set_up`, `toss`, `toss_decision`, `over`, `next_batter`, `order`, ...; in
        /// remote play also `seed_commitment`, `client_seed` and `opening`.
        what: &'static str,
        /// The legal choices.
        #[schema(value_type = Value)]
        legal: Value,
        /// The default of the choice; null if it must be made.
        #[schema(value_type = Value)]
        default: Value,
    },
    /// A die that has to be rolled.
    Roll {
        /// The name of the die.
        what: &'static str,
        /// The number of its sides.
        sides: u16,
    },
    /// Nothing: the match has finished.
    #[serde(rename = "over")]
    Finished {
        /// The result; null for an abandoned match.
        result: Option<MatchResult>,
    },
}

/// The rules of a game.
pub trait Rules: 'static {
    /// The id of the game in JSON.
    const ID: &'static str;
    /// The name of the game, for people.
    const TITLE: &'static str;
    /// The state into which a match is folded.
    type State: Clone + Send + Sync;
    /// The events of a match.
    type Event: PartialEq;
    /// The number of players in a side that the game makes up itself, as in a simulation.
    const PLAYERS: u8;
    /// The number of wickets at which a side is all out.
    const WICKETS: u8;
    /// Whether a side may come without names of players: they are then called `Home 1`, `Home 2` and so on.
    const NAMELESS: bool = false;
    /// Whether the game has remote play, in which each side makes its own choices.
    const REMOTE: bool = false;
    /// The policies of a side in a simulation; the first is the default.
    const POLICIES: &'static [&'static str] = &["default"];
    /// The policy of autoplay, which takes the default of every choice.
    const AUTOPLAY: usize = 0;
    /// The built-in edition as JSON, for a game with editions; its players then have cards.
    const BUILT_IN: Option<&'static str> = None;

    /// Checks an edition, and reads it into the type that [`open`](Self::open) gets by [`Edition::read`].
    /// Every fault is listed.
    fn edition(_: &Value) -> Result<Arc<dyn Any + Send + Sync>, Vec<EditionFault>> {
        Err(vec![EditionFault::new("", "this game has no editions")])
    }

    /// The rulings that a review cites, in a game with reviews.
    const REVIEWS: Option<&'static ReviewRulings> = None;

    /// Every ruling and refusal that the game can cite.
    fn rulings() -> &'static [&'static Ruling];

    /// The ruling with this id.
    fn ruling(id: &str) -> Option<&'static Ruling>;

    /// Checks options, and fills in the defaults.
    fn options(given: &Choices) -> Result<Choices, Refusal>;

    /// Opens the state before the toss; refuses illegal team sheets. `edition` is the one that the match
    /// names, in a game with editions.
    fn open(created: &Arc<MatchCreated>, edition: Option<&Edition>) -> Result<Self::State, Refusal>;

    /// Starts play after the toss: this side bats first.
    fn start(state: &mut Self::State, bats_first: Side);

    /// The set-up that the match waits for before the toss, if any.
    fn set_up(_state: &Self::State) -> Option<Next> {
        None
    }

    /// The next step that the match waits for.
    fn next(state: &Self::State) -> Next;

    /// The result, once the last ball has been bowled.
    fn result(state: &Self::State) -> Option<MatchResult>;

    /// The target of the side batting last, once the innings before its last has ended.
    fn target(state: &Self::State) -> Option<u32>;

    /// The innings and the over of the next delivery.
    fn position(state: &Self::State) -> (u16, u16);

    /// Decides an input: the events that follow from it, each on top of the one before.
    fn decide(state: &Self::State, play: Play, dice: &mut dyn Dice) -> Result<Vec<Self::Event>, Refusal>;

    /// Applies an event that was decided or admitted.
    fn evolve(state: &mut Self::State, event: &Self::Event);

    /// Plays the next ball of a simulation and counts it, in the state and in the tally of its innings; an
    /// over begins first if one has to. By the rules it does what [`decide`](Self::decide) and
    /// [`evolve`](Self::evolve) do, without the parts that only the log needs. After a refusal the state is
    /// no longer usable.
    ///
    /// Each side chooses by its policy, an index into [`POLICIES`](Self::POLICIES), as in [`Play::Auto`].
    fn simulate_ball<D: Dice>(
        state: &mut Self::State,
        dice: &mut D,
        policies: BySide<usize>,
        tally: &mut InningsTally,
    ) -> Result<(), Refusal>;

    /// The secret choice that both sides make now, if there is one.
    fn secret(_state: &Self::State) -> Option<ChoiceKind> {
        None
    }

    /// The open choice that has to be made before the over or the ball can go on, and its side; only in
    /// remote play.
    fn open_choice(_state: &Self::State) -> Option<(Side, ChoiceKind)> {
        None
    }

    /// The play for a side that timed out over an open choice.
    fn on_timeout(_state: &Self::State) -> Play {
        Play::Choose(Choices::new())
    }

    /// The hand of a side, from which it chooses in secret, for that side only; null if it has none.
    fn hand(_state: &Self::State, _side: Side, _dice: &mut dyn Dice) -> Result<Value, Refusal> {
        Ok(Value::Null)
    }

    /// Checks the secret choice of a side, and gives it in its form for the log.
    fn choose(
        _state: &Self::State,
        _side: Side,
        _given: &Choices,
        _dice: &mut dyn Dice,
    ) -> Result<Choices, Refusal> {
        Err(Refusal::new(RefusalKind::OutOfTurn, Place::Input, "this game has no secret choices"))
    }

    /// Draws secret choices for the sides that timed out, the bowling side's first.
    fn draw_choices(
        _state: &Self::State,
        _timed_out: BySide<bool>,
        _dice: &mut dyn Dice,
    ) -> Result<BySide<Choices>, Refusal> {
        Err(Refusal::new(RefusalKind::OutOfTurn, Place::Input, "this game has no secret choices"))
    }

    /// The play that follows when both secret choices are open.
    fn reveal(_state: &Self::State, _choices: BySide<Choices>) -> Play {
        Play::Over(Choices::new())
    }

    /// Whether this side makes the choice of this name, in an over or a ball.
    fn is_chosen_by(_state: &Self::State, _choice: &str, _side: Side) -> bool {
        true
    }

    /// The values that were dealt in a recorded event, with their draws.
    fn dealt(_state: &Self::State, _recorded: RecordedPlay<'_>) -> Vec<(Draw, Vec<u8>)> {
        Vec::new()
    }

    /// The note of the game on an event of play, for the commentary: words after a comma.
    fn commentary_note(_recorded: RecordedPlay<'_>) -> Option<String> {
        None
    }

    /// The players on the team sheets who take no part after the set-up.
    fn dropped_players(_set_up: &SetUp) -> BySide<Vec<String>> {
        BySide::default()
    }

    /// The review card of this match, if it has reviews.
    fn review_card(_state: &Self::State) -> Option<ReviewCard> {
        None
    }

    /// The review that a side can have of a ball, if any; `before` is the state in which it was bowled.
    fn reviewable(_before: &Self::State, _ball: &Ball) -> Option<Reviewable> {
        None
    }

    /// Records an event for the log, from the state before it is applied.
    fn record(state: &Self::State, event: &Self::Event) -> EventData;

    /// Reads an event of the log, and refuses one that cannot be applied. Whether the rules decide it too is
    /// another question, which [`decide`](Self::decide) answers.
    fn admit(state: &Self::State, recorded: RecordedPlay<'_>) -> Result<Self::Event, InvalidEvent>;
}

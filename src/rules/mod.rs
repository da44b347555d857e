//! What a game is: the contract [`Rules`], what goes in and comes out of it, and its type-erased form. It names no game.
//!
//! Three verbs, pure and synchronous: [`Rules::next`] says what a match waits for, [`Rules::decide`] turns an input
//! into events or a [`Refusal`], [`Rules::evolve`] applies an event. Events from outside pass [`Rules::admit`] first.

mod agreed_outcome;
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
pub use self::edition::{Edition, EditionFault, LONGEST_EDITION};
pub use self::erased::{Decided, Disagreement, GameState};
pub use self::game::Game;
pub use self::refusal::{Place, Refusal, Why};
pub use self::review::{ReviewCard, ReviewRulings, Reviewable, Verdict};
use crate::dice::{Dice, Draw};
use crate::log::{Ball, Broken, EventData, MatchCreated, Played, SetUp};
use crate::scorebook::{BySide, InningsTally, MatchResult, Ruling, Side};

/// Choices as they come in and as they are recorded: a JSON object.
pub type Choices = Map<String, Value>;

/// What can be put in during play.
#[derive(Debug, Clone, PartialEq)]
pub enum Play {
    /// What is chosen before the toss.
    SetUp(Choices),
    /// The choices of an over about to begin.
    Over(Choices),
    /// A ball, with the choices that belong to it.
    Ball(Choices),
    /// What a side chooses in the open, where the sides play from afar.
    Choose(Choices),
    /// The next ball, and its over where one is due, with every choice by the policy of the side whose it is: a place in
    /// [`Rules::POLICIES`].
    Auto(BySide<usize>),
}

/// What is chosen apart, once: by both sides in secret, or by one in the open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToChoose {
    /// What, in the game's words: `order`, ...
    pub what: &'static str,
    /// The place in the over of the ball it is for; none where it is for the over.
    pub ball: Option<u32>,
}

/// What a match waits for.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Next {
    /// Somebody has to choose.
    Choose {
        /// Who: null where either may.
        side: Option<Side>,
        /// What is chosen: `set_up`, `toss`, `toss_decision`, `over`, `next_batter`, `order`, ...; in a match of sides apart also
        /// `seed_commitment`, `client_seed` and `opening`.
        what: &'static str,
        /// What may be chosen.
        #[schema(value_type = Value)]
        legal: Value,
        /// What is taken where the choice is left out; null where it must be made.
        #[schema(value_type = Value)]
        default: Value,
    },
    /// A die has to be rolled.
    Roll {
        /// What for.
        what: &'static str,
        /// How many sides it has.
        sides: u16,
    },
    /// Nothing: the match is over.
    Over {
        /// The result; null for an abandoned match.
        result: Option<MatchResult>,
    },
}

/// A rule system.
pub trait Rules: 'static {
    /// Its id on the wire.
    const ID: &'static str;
    /// Its name for people.
    const TITLE: &'static str;
    /// What a match of it is folded into.
    type State: Clone + Send + Sync;
    /// What happens in it.
    type Event: PartialEq;
    /// Players in a side of its own making, as in a simulation.
    const PLAYERS: u8;
    /// Wickets with which a side is all out.
    const WICKETS: u8;
    /// Whether a side may come without names of players: they are then called `Home 1`, `Home 2` and so on.
    const NAMELESS: bool = false;
    /// Whether the sides can play it from afar: each choice is then made by the side whose it is.
    const REMOTE: bool = false;
    /// How a side may choose in a simulation; the first is what it does where nothing is said.
    const POLICIES: &'static [&'static str] = &["default"];
    /// The policy of autoplay: every choice at its default.
    const AUTOPLAY: usize = 0;
    /// The edition that comes with the game, as JSON, where the game is played with editions; its players then have cards.
    const BUILT_IN: Option<&'static str> = None;

    /// Checks an edition and reads it into what the game plays with: what [`Edition::read`] gives to
    /// [`open`](Self::open). Every fault is named.
    fn edition(_: &Value) -> Result<Arc<dyn Any + Send + Sync>, Vec<EditionFault>> {
        Err(vec![EditionFault::new("", "this game has no editions")])
    }

    /// The rulings a review cites, where decisions can be reviewed.
    const REVIEWS: Option<&'static ReviewRulings> = None;

    /// Every ruling and refusal it can cite.
    fn rulings() -> &'static [&'static Ruling];

    /// The one of them with this id.
    fn ruling(id: &str) -> Option<&'static Ruling>;

    /// Checks options and writes out those that were left to their defaults.
    fn options(given: &Choices) -> Result<Choices, Refusal>;

    /// The state before the toss; refuses team sheets the game cannot be played with. `edition` is the one that the match
    /// names, where the game has editions.
    fn open(created: &Arc<MatchCreated>, edition: Option<&Edition>) -> Result<Self::State, Refusal>;

    /// The toss is decided: this side bats first.
    fn start(state: &mut Self::State, bats_first: Side);

    /// What is to be prepared before the toss, while something is.
    fn set_up(_state: &Self::State) -> Option<Next> {
        None
    }

    /// What the match waits for.
    fn next(state: &Self::State) -> Next;

    /// The result, once the last ball has been bowled.
    fn result(state: &Self::State) -> Option<MatchResult>;

    /// What the side batting last needs to win, once the innings before its last has ended.
    fn target(state: &Self::State) -> Option<u32>;

    /// The innings and the over of the next delivery.
    fn place(state: &Self::State) -> (u16, u16);

    /// Turns an input into the events that follow from it, each on top of the one before.
    fn decide(state: &Self::State, play: Play, dice: &mut dyn Dice) -> Result<Vec<Self::Event>, Refusal>;

    /// Applies an event that was decided or admitted.
    fn evolve(state: &mut Self::State, event: &Self::Event);

    /// Bowls the next ball with every choice at its default and counts it, in the state and in the tally of its
    /// innings; an over is begun first where one is due. It is what [`decide`](Self::decide) and
    /// [`evolve`](Self::evolve) do, by the same rules, without what only the log needs. After a refusal the state is of no
    /// more use.
    ///
    /// Each side chooses by its policy, a place in [`POLICIES`](Self::POLICIES): the same that [`Play::Auto`] plays.
    fn bowl_on<D: Dice>(
        state: &mut Self::State,
        dice: &mut D,
        policies: BySide<usize>,
        tally: &mut InningsTally,
    ) -> Result<(), Refusal>;

    /// What both sides choose in secret now, each for itself, if they do.
    fn secret(_state: &Self::State) -> Option<ToChoose> {
        None
    }

    /// What a side chooses in the open now, before the over or the ball can go on, and which side; where the sides play from afar.
    fn in_the_open(_state: &Self::State) -> Option<(Side, ToChoose)> {
        None
    }

    /// What is put in for a side that stays silent about what is not chosen in secret.
    fn for_silent(_state: &Self::State) -> Play {
        Play::Choose(Choices::new())
    }

    /// What a side has in its hand, for its own eyes, to choose from in secret; null where that is nothing.
    fn hand(_state: &Self::State, _side: Side, _dice: &mut dyn Dice) -> Result<Value, Refusal> {
        Ok(Value::Null)
    }

    /// Checks what a side chooses in secret, and writes it out.
    fn choose(
        _state: &Self::State,
        _side: Side,
        _given: &Choices,
        _dice: &mut dyn Dice,
    ) -> Result<Choices, Refusal> {
        Err(Refusal::new(Why::OutOfTurn, Place::Input, "nothing is chosen in secret here"))
    }

    /// Draws what sides choose in secret, for those that stay silent; the bowling side's first, where both do.
    fn draw_choices(
        _state: &Self::State,
        _silent: BySide<bool>,
        _dice: &mut dyn Dice,
    ) -> Result<BySide<Choices>, Refusal> {
        Err(Refusal::new(Why::OutOfTurn, Place::Input, "nothing is chosen in secret here"))
    }

    /// What is played when both secret choices are open.
    fn reveal(_state: &Self::State, _choices: BySide<Choices>) -> Play {
        Play::Over(Choices::new())
    }

    /// Whether a choice of this name, with an over or a ball, is for this side to make.
    fn belongs(_state: &Self::State, _choice: &str, _side: Side) -> bool {
        true
    }

    /// What was dealt in a recorded event, by which draw.
    fn dealt(_state: &Self::State, _recorded: Played<'_>) -> Vec<(Draw, Vec<u8>)> {
        Vec::new()
    }

    /// What the game has to add to an event of play that is told: words, after a comma.
    fn remark(_recorded: Played<'_>) -> Option<String> {
        None
    }

    /// The players on the sheets who take no part after the set-up.
    fn left_out(_set_up: &SetUp) -> BySide<Vec<String>> {
        BySide::default()
    }

    /// The card by which decisions are reviewed in this match, if they are.
    fn review_card(_state: &Self::State) -> Option<ReviewCard> {
        None
    }

    /// Who may have the decision on a ball reviewed, and what it then comes to; `before` is the state it was bowled in.
    fn reviewable(_before: &Self::State, _ball: &Ball) -> Option<Reviewable> {
        None
    }

    /// Writes an event down, as it is before it is applied.
    fn record(state: &Self::State, event: &Self::Event) -> EventData;

    /// Reads an event of the log and makes sure that it can be applied. Whether it is what the rules say is another
    /// question: [`decide`](Self::decide) answers that.
    fn admit(state: &Self::State, recorded: Played<'_>) -> Result<Self::Event, Broken>;
}

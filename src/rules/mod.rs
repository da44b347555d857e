//! The contract of a game, [`Rules`], with its inputs and outputs and its type-erased form. No game is named
//! here.
//!
//! Three pure functions are at its heart: [`Rules::next`] says what a match waits for, [`Rules::decide`]
//! turns an input into events or a [`Refusal`], and [`Rules::apply`] applies an event. Events from outside
//! pass [`Rules::admit`] first.
//!
//! What only some games have is a capability, a small trait of its own: [`RemoteChoices`], [`ReviewRules`],
//! [`DiceAlone`] and [`EditionReader`]. Every game has [`Simulate`] and [`Describe`], whose defaults are
//! enough, and [`Asking`].

mod agreed_outcome;
mod asking;
mod cited;
mod describe;
mod edition;
mod erased;
mod game;
mod odds;
mod offers;
pub mod reading;
mod refusal;
mod remote;
mod result_view;
mod review;
mod simulate;

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

pub use self::agreed_outcome::{agreed_of, agreement_in};
pub use self::asking::{
    Ask, AskKind, AskOption, AskedStep, Asking, BodySoFar, Draft, GameNote, OUT, OnField, PlaceAsked, Places,
    PlacesLimit, PlacesNamed, RulingsBehind, Words, as_body, asked_die, next_die, words_of_outcome,
};
pub use self::cited::RulingCited;
pub use self::describe::{
    DEFAULT_DEPENDS, Describe, LIMITS_DEPEND, NO_FORM, ORDER, PLAYERS_OF_EACH, SheetRule, one_of_words,
};
pub use self::edition::{Edition, EditionFault, EditionReader, LONGEST_EDITION};
pub use self::erased::{Disagreement, DynGame, GameDecided};
pub use self::game::{Game, GameEditions, Registry};
pub use self::odds::{BallDice, BallEffect, DiceAlone, MatchOdds, Thrower, ball_dice};
pub use self::offers::{ChoiceOffer, ChoiceOffers, OfferedValue};
pub use self::refusal::{Place, Refusal, RefusalKind};
pub(crate) use self::remote::no_secret_choice;
pub use self::remote::{ChoiceKind, RemoteChoices};
pub use self::result_view::ResultView;
pub(crate) use self::result_view::result_line;
pub use self::review::{CardVerdict, ReviewCard, ReviewRules, ReviewRulings, Reviewable};
pub use self::simulate::{Simulate, simulate_by_rules};
use crate::dice::{Dice, Draw};
use crate::log::{EventData, InvalidEvent, MatchCreated, RecordedPlay};
use crate::scorebook::{BySide, MatchResult, Ruling, Side};

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
    /// into [`Simulate::POLICIES`].
    Auto(BySide<usize>),
}

impl From<RecordedPlay<'_>> for Play {
    /// The input behind recorded play, with the choices that were recorded.
    fn from(recorded: RecordedPlay<'_>) -> Play {
        match recorded {
            RecordedPlay::SetUp(set_up) => Play::SetUp(set_up.choices.clone()),
            RecordedPlay::Over(over) => Play::Over(over.choices.clone()),
            RecordedPlay::Roll(roll) => Play::Ball(roll.choices.clone()),
            RecordedPlay::Ball(ball) => Play::Ball(ball.choices.clone()),
            RecordedPlay::Choice(choice) => Play::Choose(choice.choice.clone().unwrap_or_default()),
        }
    }
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
        result: Option<ResultView>,
    },
}

impl Next {
    /// The kind of the step, as it is written.
    pub const fn kind(&self) -> &'static str {
        match self {
            Next::Choose { .. } => "choose",
            Next::Roll { .. } => "roll",
            Next::Finished { .. } => "over",
        }
    }
}

/// The facts about a game that no match changes.
#[derive(Debug, Clone, Copy)]
pub struct GameInfo {
    /// The id of the game in JSON.
    pub id: &'static str,
    /// The name of the game, for people.
    pub title: &'static str,
    /// How it is played, in a sentence.
    pub summary: &'static str,
    /// The number of players in a side that the game makes up itself, as in a simulation.
    pub players: u8,
    /// The number of wickets at which a side is all out.
    pub wickets: u8,
    /// Whether a side may come without names of players: they are then called `Home 1`, `Home 2` and so on.
    pub nameless: bool,
    /// Whether the game has remote play, in which each side makes its own choices.
    pub remote: bool,
    /// Whether decisions can be reviewed, where the options of a match allow it.
    pub reviews: bool,
    /// Every ruling and refusal that the game can cite.
    pub rulings: &'static [&'static Ruling],
}

/// How far a match has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatchPosition {
    /// Whether the match waits for its set-up, before the toss.
    pub awaits_set_up: bool,
    /// The innings of the next delivery, from 1.
    pub innings: u16,
    /// The over of the next delivery in its innings, from 1.
    pub over: u16,
    /// The target of the side batting last, once the innings before its last has ended.
    pub target: Option<u32>,
    /// The result, once the last ball has been bowled.
    pub result: Option<MatchResult>,
}

/// The rules of a game. The type itself is the state into which a match is folded.
pub trait Rules: Clone + PartialEq + Send + Sync + 'static {
    /// The facts about the game.
    const INFO: GameInfo;
    /// The events of a match.
    type Event: PartialEq;

    /// Checks options, and fills in the defaults.
    fn resolve_options(given: &Choices) -> Result<Choices, Refusal>;

    /// Opens the state before the toss; refuses illegal team sheets. `edition` is the one that the match
    /// names, in a game with editions.
    fn open(created: &Arc<MatchCreated>, edition: Option<&Edition>) -> Result<Self, Refusal>;

    /// Starts play after the toss: this side bats first.
    fn start(&mut self, bats_first: Side);

    /// The next step that the match waits for: before the toss its set-up, and after it play.
    fn next(&self) -> Next;

    /// How far the match has come.
    fn position(&self) -> MatchPosition;

    /// Decides an input: the events that follow from it, each on top of the one before.
    fn decide(&self, play: Play, dice: &mut dyn Dice) -> Result<Vec<Self::Event>, Refusal>;

    /// The next ball of an over in progress, where nobody knows it any more: a legal ball without a run, with
    /// the default of who comes in. It cites [`NOT_KNOWN`](crate::scorebook::NOT_KNOWN).
    fn unknown_ball(&self) -> Result<Self::Event, Refusal>;

    /// Lets a batter face the next ball. None where he is not at the wicket; else whether the batters change
    /// ends for it.
    fn let_face(&mut self, batter: &str) -> Option<bool>;

    /// Ends the innings in progress, which is not the last, by agreement.
    fn end_innings(&mut self);

    /// Applies an event that was decided or admitted.
    fn apply(&mut self, event: &Self::Event);

    /// Records an event for the log, from the state before it is applied.
    fn record(&self, event: &Self::Event) -> EventData;

    /// Reads an event of the log, and refuses one that cannot be applied. Whether the rules decide it too is
    /// another question, which [`decide`](Self::decide) answers.
    fn admit(&self, recorded: RecordedPlay<'_>) -> Result<Self::Event, InvalidEvent>;

    /// The values that were dealt in a recorded event, with their draws.
    fn dealt(&self, _recorded: RecordedPlay<'_>) -> Vec<(Draw, Vec<u8>)> {
        Vec::new()
    }

    /// The choices that each side makes for itself, in a game that tells them apart.
    fn remote(&self) -> Option<&dyn RemoteChoices> {
        None
    }

    /// The reviews of decisions, in a game that has them.
    fn reviews(&self) -> Option<&dyn ReviewRules> {
        None
    }

    /// The odds of the match, where its dice alone decide it.
    fn dice_alone(&self) -> Option<&dyn DiceAlone> {
        None
    }
}

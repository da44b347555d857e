//! Asking: what a game asks of those who score it, in words and values that a screen can show, and who is on
//! the field. A page, a pad or a bot needs no rules of its own beside these.

mod ask;
mod behind;
mod next_die;
mod words;

use std::borrow::Cow;
use std::iter::Take;

use serde::Serialize;
use utoipa::ToSchema;

pub use self::ask::{Ask, AskKind, AskOption, PlaceAsked, Places, PlacesLimit, PlacesNamed};
pub use self::behind::RulingsBehind;
pub use self::next_die::{as_body, asked_die, next_die};
pub use self::words::{OUT, Words, words_of_outcome};
use super::Choices;
use crate::scorebook::{Outcome, Ruling, Side};

/// What a game asks of those who score it, and who is on the field. Every game has it.
pub trait Asking {
    /// What is asked of the body of a request, which is filled in so far: every choice that can be made, in
    /// the order in which it is made, and last the die that is rolled next at the table. A choice that the
    /// body already has is asked as well, since it can be changed. The values of each hold for the choices
    /// before it: whoever changes one clears what comes after it.
    fn asks(&self, draft: &Draft<'_>) -> Vec<Ask>;

    /// Who is on the field for the next delivery, as far as it is decided.
    fn on_field(&self) -> OnField<'_>;

    /// The player of a side who keeps wicket throughout, in a game where that does not change.
    fn keeper_of(&self, _side: Side) -> Option<&str> {
        None
    }

    /// What the game has to say of the next delivery: a free hit, a power play.
    fn notes(&self) -> Vec<GameNote> {
        Vec::new()
    }

    /// What a body comes to, in the words of the game: of a ball that needs more dice, and of a ball that
    /// cricket's own words do not tell fully. None where [`words_of_outcome`] says all.
    fn words(&self, _so_far: &BodySoFar<'_>) -> Option<Words> {
        None
    }

    /// Whom or what the last dice of a ball so far have picked, in words: `4 and 2 make 6: Brody`. None where
    /// [`words`](Self::words) tell it.
    fn picked(&self, _so_far: &BodySoFar<'_>) -> Option<String> {
        None
    }
}

/// The kind of a request that a game asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskedStep {
    /// The set-up before the toss.
    SetUp,
    /// The start of an over.
    Over,
    /// A ball, with its choices and its dice.
    Ball,
    /// A choice that this side makes for itself, in secret or in the open.
    Choice(Side),
}

/// The body of a request, filled in so far.
#[derive(Debug, Clone, Copy)]
pub struct Draft<'a> {
    /// The kind of the request.
    pub step: AskedStep,
    /// The choices so far.
    pub choices: &'a Choices,
    /// The dice so far, as entered at the table.
    pub dice: &'a [i64],
    /// Whether anybody looks at the values of the asks.
    pub lists_values: bool,
}

impl Draft<'_> {
    /// The values of an ask; none, and none is made, where nobody looks at them.
    pub fn listed<Values: IntoIterator<Item = AskOption>>(&self, values: Values) -> Take<Values::IntoIter> {
        values.into_iter().take(if self.lists_values { usize::MAX } else { 0 })
    }

    /// The rulings behind the choice or the die of this name; none where nobody looks at them.
    pub fn behind(&self, table: RulingsBehind, name: &str) -> impl Iterator<Item = &'static Ruling> + use<> {
        let rulings = if self.lists_values { table.of(name) } else { &[] };
        rulings.iter().copied()
    }

    /// The places of an ask; none, and none are made, where nobody looks at them.
    pub fn placed(&self, places: impl FnOnce() -> Places) -> Option<Places> {
        self.lists_values.then(places)
    }

    /// The place of a choice in the body, as the refusal of the choice spells it: `choices.stroke` of a ball,
    /// `bowler` of an over.
    pub fn at(&self, choice: &str) -> String {
        match self.step {
            AskedStep::SetUp | AskedStep::Over => choice.to_owned(),
            AskedStep::Ball => format!("choices.{choice}"),
            AskedStep::Choice(_) => format!("choice.{choice}"),
        }
    }
}

/// What a body comes to so far: its choices and dice, and the rulings that they have led to.
#[derive(Debug, Clone, Copy)]
pub struct BodySoFar<'a> {
    /// The body.
    pub draft: &'a Draft<'a>,
    /// The rulings so far, in order.
    pub rulings: &'a [&'static Ruling],
    /// The outcome, once the ball is whole.
    pub outcome: Option<&'a Outcome>,
}

/// Who is on the field for the next delivery. Whoever is not decided yet is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnField<'a> {
    /// The side that bats.
    pub batting: Side,
    /// The batter who faces.
    pub striker: Option<&'a str>,
    /// The batter at the other end.
    pub non_striker: Option<&'a str>,
    /// The bowler of the over.
    pub bowler: Option<&'a str>,
    /// What kind of bowler it is, in a game that tells: `medium`.
    pub style: Option<Cow<'a, str>>,
    /// The wicketkeeper, in a game that has one.
    pub keeper: Option<&'a str>,
    /// The legal balls of an innings, where they are limited.
    pub balls_limit: Option<u32>,
}

/// What a game has to say of the next delivery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct GameNote {
    /// The id of the note: `free_hit`, `power_play`.
    pub id: &'static str,
    /// The note in a few words.
    pub text: String,
}

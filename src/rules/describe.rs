//! Description: what scorecards, commentary and audits tell of a game beyond the scorebook that all games
//! share, and what a form has to know before a match is created.

use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::{ChoiceOffers, Choices, Rules};
use crate::log::{Ball, Over, RecordedPlay, SetUp};
use crate::scorebook::{BySide, Outcome};

/// What a game tells of recorded play, from the events or from the state before them.
pub trait Describe {
    /// The note of the game on an event of play, for the commentary: words after a comma.
    fn note(_recorded: RecordedPlay<'_>) -> Option<String> {
        None
    }

    /// The cards of a ball by their printed names, for the commentary: words in brackets. Unlike the other
    /// words they need the match, for the edition that it is played with.
    fn cards(&self, _ball: &Ball) -> Option<String> {
        None
    }

    /// The striker and the non-striker who open an innings, if they were named for this over.
    fn openers(_over: &Over) -> Option<[&str; 2]> {
        None
    }

    /// The zone into which the striker has hit a ball, in a game whose field has zones.
    fn zone(_outcome: &Outcome) -> Option<&str> {
        None
    }

    /// The bowler of an over.
    fn bowler(_over: &Over) -> Option<&str> {
        None
    }

    /// The wicketkeeper, if one was named for this over.
    fn keeper(_over: &Over) -> Option<&str> {
        None
    }

    /// The players on the team sheets who take no part after the set-up.
    fn dropped(_set_up: &SetUp) -> BySide<Vec<String>> {
        BySide::default()
    }

    /// The choices that could be made for the event of play that comes next and has these choices: the whole
    /// of a set-up, an over or a ball, however many steps its choices take. `dice` are the faces of the
    /// event, in order: a decision that dice ask for is offered by them.
    ///
    /// A decision that only dice ask for could be made where it stands in the event. A choice that was made
    /// in secret has no default. Choices that follow from others, or from the seed, are none.
    fn offers(&self, _made: &Choices, _dice: &[i64]) -> ChoiceOffers
    where
        Self: Rules,
    {
        ChoiceOffers::of(self.next())
    }

    /// The options of a match: the JSON Schema of each by its name, with a title and a description. The
    /// defaults are added from [`Rules::resolve_options`](super::Rules::resolve_options).
    fn options() -> Value {
        json!({})
    }

    /// The team sheets of the game, where they are more than a list of names.
    fn sheet() -> SheetRule {
        SheetRule::default()
    }
}

/// What a team sheet needs beside the names of the players.
#[derive(Debug, Clone, PartialEq, Default, Serialize, ToSchema)]
pub struct SheetRule {
    /// How many of the players take no part in the end.
    pub extra: u8,
    /// The card of a player, as JSON Schema; left out where a player is only a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub card: Option<Value>,
    /// The rule of the squad, in a sentence; left out where any players do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'static str>,
}

/// The JSON Schema of an option that is one of some words, each with its title.
pub fn one_of_words(words: &[(&str, &str)]) -> Value {
    words.iter().map(|(word, title)| json!({"const": word, "title": title})).collect()
}

/// The keyword of an option that no form can hold: it is sent as JSON.
pub const NO_FORM: &str = "x-no-form";
/// The keyword of the place of an option in a form, from 1: those that matter to most come first.
pub const ORDER: &str = "x-order";
/// The keyword of an option whose default depends on another, with the sentence that says how.
pub const DEFAULT_DEPENDS: &str = "x-default-depends";
/// The keyword of an option whose limits depend on another, with the sentence that says how.
pub const LIMITS_DEPEND: &str = "x-limits-depend";
/// The keyword of a member of a player's card: how many players of a team sheet have each of its words.
pub const PLAYERS_OF_EACH: &str = "x-count";

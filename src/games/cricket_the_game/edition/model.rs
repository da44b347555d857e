//! The parts of an edition, once it has been checked.

use std::fmt;

use super::effect::Effect;
use crate::rules::ReviewCard;

pub use super::terms::{
    Attitude, CardDecision, Condition, Duelist, Each, EditionWord, Express, Format, INFIELD, Out, PlayerRole,
    SoFar, Style, WordSet, Zone,
};

/// A checked edition: everything printed on a component.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintedEdition {
    /// The id of the edition.
    pub id: String,
    /// The teams of player cards; there may be none.
    pub teams: Vec<Team>,
    /// The two sides of the board, by [`Format`].
    pub board: Each<Board, 2>,
    /// The bounce dice, red and green, by [`Attitude`].
    pub bounce_dice: Each<[Bounce; 6], 2>,
    /// The bowling cards, by [`Style`].
    pub bowls: Each<Vec<Bowl>, 3>,
    /// The rule card of each [`Style`].
    pub style_rules: Each<StyleRules, 3>,
    /// The fifteen over cards of each [`Style`].
    pub over_decks: Each<Vec<OverCard>, 3>,
    /// The pitch cards, in their order: each [`Condition`] once.
    pub pitch: Vec<PitchCard>,
    /// The three skill cards of a batter.
    pub batter_skills: Vec<Skill>,
    /// The two skill cards of a bowler.
    pub bowler_skills: Vec<Skill>,
    /// The review card.
    pub drs: ReviewCard,
    /// The fields used when nobody sets one, by [`Format`].
    pub fields: Each<DefaultFields, 2>,
}

/// A team of player cards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Team {
    /// The name of the team.
    pub name: String,
    /// The twelve players, in batting order.
    pub players: Vec<PlayerCard>,
}

/// The card of a player: what the game knows of him.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerCard {
    /// The name of the player.
    pub name: String,
    /// The role of the player.
    pub role: PlayerRole,
    /// The confidence of the player when he comes in: -1 to 3.
    pub confidence: i8,
}

/// One side of the board: three areas a zone in T10, four in T20, innermost first, the zones in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board(pub Each<Vec<Area>, 6>);

/// An area of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    /// The face that a d6 has to show for a catch, 2 to 6; none where nothing can be caught.
    pub catch: Option<u8>,
    /// The [`Style`]s for which the area has the red outline: a catch then takes one less.
    pub red: WordSet,
}

/// A face of a bounce die.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounce {
    /// The number of areas that the ball runs on: 0 to 2.
    pub areas: u8,
    /// Whether the ball is in the air, and can be caught where it lands.
    pub air: bool,
}

/// A bowling card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bowl {
    /// The id of the card, unique in its style.
    pub id: String,
    /// The name of the card, for people.
    pub name: String,
    /// The [`Zone`]s that the bowl feeds; never the bye zone.
    pub feeds: WordSet,
    /// The bowler's die, 6 or 8 sides, by [`Condition`] of the pitch.
    pub die: Each<u8, 3>,
    /// The effects of the bowl.
    pub effects: Vec<Effect>,
}

/// The rule card of a style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StyleRules {
    /// Whether fielders in the bye zone's infield are slips.
    pub slips: bool,
    /// The margin of a strike from which the batter may add one to the distance, to 6 at most; none when he
    /// never may.
    pub may_add_from: Option<u8>,
    /// The margin of a strike below which one is taken off the distance, to 1 at least; none when it never
    /// is.
    pub must_deduct_below: Option<u8>,
    /// The margin of a miss from which the bowler has a chance to bowl the batter.
    pub miss_threshold: u8,
    /// The chance to bowl a batter who has missed, by [`Attitude`].
    pub miss_chance: Each<FieldingChance, 2>,
    /// The outcome of a boundary in express play, by the face of the d8.
    pub express_boundary: [CardDecision; 8],
}

/// A roll of a die that gets the batter out on its higher faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldingChance {
    /// The sides of the die, 6 or 8.
    pub die: u8,
    /// The lowest face that gets the batter out.
    pub at_least: u8,
}

/// A card of the over deck of a style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverCard {
    /// The id of the card, unique in its style.
    pub id: String,
    /// The name of the card, for people.
    pub name: String,
    /// The symbol of the card in express play.
    pub express: Express,
    /// Whether the card shows the snick symbol.
    pub snick: bool,
    /// The effects of the card in full play.
    pub effects: Vec<Effect>,
}

/// The card of a pitch, which holds for a whole match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PitchCard {
    /// The name of the card, for people.
    pub name: String,
    /// The condition: the style that the pitch suits.
    pub condition: Condition,
    /// The effects of the pitch on every ball in full play.
    pub effects: Vec<Effect>,
}

/// A skill card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// The id of the card, unique among those of batters or of bowlers.
    pub id: String,
    /// The name of the card, for people.
    pub name: String,
    /// The effects of the skill on the ball it is named for.
    pub effects: Vec<Effect>,
    /// The die that the skill lets be rolled again.
    pub rerolls: Option<Duelist>,
}

/// The default fields of a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefaultFields {
    /// The field of overs in which two fielders may stand in the outfield.
    pub restricted: [Position; 9],
    /// The field of overs in which five may.
    pub open: [Position; 9],
}

/// The position of a fielder's token: an area of a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The zone of the field.
    pub zone: Zone,
    /// The area of the zone, from 1, innermost first.
    pub area: u8,
}

impl Position {
    /// Reads a position in the form `off_cover.3`. The board may still have no such area.
    pub fn of_text(text: &str) -> Option<Position> {
        let (zone, area) = text.split_once('.')?;
        let &[digit @ b'1'..=b'9'] = area.as_bytes() else { return None };
        Some(Position { zone: Zone::of_word(zone)?, area: digit - b'0' })
    }

    /// Whether the position is in the outfield, beyond the second area.
    pub fn in_outfield(self) -> bool {
        self.area > INFIELD
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.zone.word(), self.area)
    }
}

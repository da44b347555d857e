//! What an edition is made of, once it has been checked.

use std::fmt;

use super::effect::Effect;
use crate::rules::ReviewCard;

pub use super::terms::{
    Attitude, Condition, Decided, Duelist, Each, Express, Format, INFIELD, Out, Role, SoFar, Some8, Style,
    Word, Zone,
};

/// An edition: everything printed on a component.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edition {
    /// Its name.
    pub id: String,
    /// Teams of player cards; may be none.
    pub teams: Vec<Team>,
    /// The two sides of the board, by [`Format`].
    pub board: Each<Board, 2>,
    /// The bounce dice, red and green, by [`Attitude`].
    pub bounce_dice: Each<[Bounce; 6], 2>,
    /// Bowling cards, by [`Style`].
    pub bowls: Each<Vec<Bowl>, 3>,
    /// The rule card of each [`Style`].
    pub style_rules: Each<StyleRules, 3>,
    /// Fifteen over cards of each [`Style`].
    pub over_decks: Each<Vec<OverCard>, 3>,
    /// The pitch cards, in their order: each [`Condition`] once.
    pub pitch: Vec<PitchCard>,
    /// A batter's three.
    pub batter_skills: Vec<Skill>,
    /// A bowler's two.
    pub bowler_skills: Vec<Skill>,
    /// The review card.
    pub drs: ReviewCard,
    /// Fields where nobody sets one, by [`Format`].
    pub fields: Each<DefaultFields, 2>,
}

/// A team of player cards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Team {
    /// Its name.
    pub name: String,
    /// Twelve, in batting order.
    pub players: Vec<PlayerCard>,
}

/// A player card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerCard {
    /// Who.
    pub name: String,
    /// What he is.
    pub role: Role,
    /// His confidence when he comes in: -1 to 3.
    pub confidence: i8,
}

/// One side of the board: three areas a zone in T10, four in T20, innermost first, the zones in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board(pub Each<Vec<Area>, 6>);

/// An area of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    /// What a d6 has to show for a catch, 2 to 6; none where nothing can be caught.
    pub catch: Option<u8>,
    /// The [`Style`]s in whose bowling it has the red outline: a catch takes one less.
    pub red: Some8,
}

/// A face of a bounce die.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounce {
    /// How many areas the ball runs on: 0 to 2.
    pub areas: u8,
    /// Whether it is in the air, and can be caught where it lands.
    pub air: bool,
}

/// A bowling card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bowl {
    /// Its id, one of its style.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// The [`Zone`]s it feeds; never the bye zone.
    pub feeds: Some8,
    /// The bowler's die, 6 or 8 sides, by [`Condition`] of the pitch.
    pub die: Each<u8, 3>,
    /// What it does besides.
    pub effects: Vec<Effect>,
}

/// The rule card of a style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StyleRules {
    /// Whether fielders in the bye zone's infield are slips.
    pub slips: bool,
    /// Struck by so much or more, the batter may add one to the distance, to 6 at most; none where never.
    pub may_add_from: Option<u8>,
    /// Struck by less, one is taken off the distance, to 1 at least; none where never.
    pub must_deduct_below: Option<u8>,
    /// Missed by so much or more, the bowler has a chance to bowl the batter.
    pub miss_threshold: u8,
    /// That chance, by [`Attitude`].
    pub miss_chance: Each<Chance, 2>,
    /// What a boundary in express play comes to, by the face of the d8.
    pub express_boundary: [Decided; 8],
}

/// A roll of a die that is out on some of its faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chance {
    /// 6 or 8 sides.
    pub die: u8,
    /// The least that is out.
    pub at_least: u8,
}

/// An over card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverCard {
    /// Its id, one of its style.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// What it says in express play.
    pub express: Express,
    /// Whether it shows the snick symbol.
    pub snick: bool,
    /// What it does in full play.
    pub effects: Vec<Effect>,
}

/// A pitch card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PitchCard {
    /// Its name for people.
    pub name: String,
    /// Whom it suits.
    pub condition: Condition,
    /// What it does to every ball in full play.
    pub effects: Vec<Effect>,
}

/// A skill card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// Its id, among those of batters or of bowlers.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// What it does to the ball it is named for.
    pub effects: Vec<Effect>,
}

/// The fields of a format where nobody sets one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefaultFields {
    /// Where two fielders may stand in the outfield.
    pub restricted: [Position; 9],
    /// Where five may.
    pub open: [Position; 9],
}

/// Where a fielder's token stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The zone.
    pub zone: Zone,
    /// The area, from 1, innermost first.
    pub area: u8,
}

impl Position {
    /// The position written as in `off_cover.3`; whether there is such an area on the board is another question.
    pub fn of_text(text: &str) -> Option<Position> {
        let (zone, area) = text.split_once('.')?;
        let &[digit @ b'1'..=b'9'] = area.as_bytes() else { return None };
        Some(Position { zone: Zone::of_word(zone)?, area: digit - b'0' })
    }

    /// Whether it is in the outfield: beyond the second area.
    pub fn in_outfield(self) -> bool {
        self.area > INFIELD
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.zone.word(), self.area)
    }
}

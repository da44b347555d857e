//! What an edition is made of, once it has been checked.

use std::fmt;

use super::effect::Effect;
use crate::games::review::{ReviewCard, Verdict};

/// A zone of the field, clockwise; a stroke goes into any of them but the bye zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Zone {
    /// Behind the batter; the slips stand here.
    Bye,
    /// Leg glance and hook.
    GlanceHook,
    /// Pull and big shot.
    PullBig,
    /// On drive and straight drive.
    OnStraight,
    /// Off drive and cover drive.
    OffCover,
    /// Square cut and late cut.
    Cut,
}

impl Zone {
    /// Those a stroke goes into: all but the bye zone.
    pub const STROKES: Some8 = Some8(0b11_1110);
}

/// How a bowler bowls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Style {
    /// Fast.
    Pace,
    /// Slow, and turning.
    Spin,
    /// The all-rounders'.
    Medium,
}

/// What a player is in his side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// A specialist bowler of pace.
    Pace,
    /// A specialist bowler of spin.
    Spin,
    /// A specialist batter.
    Batter,
    /// An all-rounder, who bowls medium.
    Medium,
    /// Who keeps wicket.
    Keeper,
}

/// How a batter plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Attitude {
    /// For runs: the red bounce die.
    Aggressive,
    /// For his wicket: the green bounce die.
    Defensive,
}

/// How long a match is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Ten overs a side.
    T10,
    /// Twenty overs a side.
    T20,
}

impl Format {
    /// How many areas a zone has: the first two are the infield, those beyond the outfield.
    pub fn areas(self) -> u8 {
        match self {
            Format::T10 => 3,
            Format::T20 => 4,
        }
    }
}

/// Whom the pitch suits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Condition {
    /// Pace.
    Pace,
    /// Spin.
    Spin,
    /// Nobody.
    Neutral,
}

/// How a batter is out without a ball in the air to a fielder's token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Out {
    /// Bowled.
    Bowled,
    /// Leg before wicket.
    Lbw,
    /// Stumped by the keeper.
    Stumped,
    /// Caught by the keeper.
    Caught,
}

/// What a ball has come to so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SoFar {
    /// The totals, or the dice, are equal.
    Block,
    /// The batter's total is higher.
    Strike,
    /// The bowler's total is higher.
    Miss,
    /// It went to the boundary off the bat.
    Boundary,
}

/// A side of the duel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Duelist {
    /// Who bowls.
    Bowler,
    /// Who faces.
    Batter,
}

/// An enumeration of words, as they stand in an edition and in the log.
pub trait Word: Copy + Eq + 'static {
    /// Every one, in order, with its word.
    const ALL: &'static [(Self, &'static str)];

    /// Its word.
    fn word(self) -> &'static str {
        Self::ALL.iter().find(|(word, _)| *word == self).map_or("", |(_, text)| text)
    }

    /// The one of this word.
    fn of_word(text: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, word)| *word == text).map(|(word, _)| *word)
    }

    /// Its place among them.
    fn place(self) -> usize;
}

macro_rules! words {
    ($($Type:ident { $($Variant:ident $word:literal),+ })+) => {$(
        impl Word for $Type {
            const ALL: &'static [(Self, &'static str)] = &[$(($Type::$Variant, $word)),+];

            fn place(self) -> usize {
                self as usize
            }
        }
    )+};
}

words! {
    Zone { Bye "bye", GlanceHook "glance_hook", PullBig "pull_big", OnStraight "on_straight", OffCover "off_cover", Cut "cut" }
    Style { Pace "pace", Spin "spin", Medium "medium" }
    Role { Pace "pace", Spin "spin", Batter "batter", Medium "medium", Keeper "keeper" }
    Attitude { Aggressive "aggressive", Defensive "defensive" }
    Format { T10 "t10", T20 "t20" }
    Condition { Pace "pace", Spin "spin", Neutral "neutral" }
    Out { Bowled "bowled", Lbw "lbw", Stumped "stumped", Caught "caught" }
    SoFar { Block "block", Strike "strike", Miss "miss", Boundary "boundary" }
    Duelist { Bowler "bowler", Batter "batter" }
}

/// A value for each word of an enumeration of `N`, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Each<T, const N: usize>(pub [T; N]);

impl<T, const N: usize> Each<T, N> {
    /// The value of a word.
    pub fn of<W: Word>(&self, word: W) -> &T {
        &self.0[word.place()]
    }
}

/// Some of the words of an enumeration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Some8(pub u8);

impl Some8 {
    /// All of them.
    pub const ALL: Some8 = Some8(u8::MAX);

    /// These.
    pub fn these<W: Word>(words: impl IntoIterator<Item = W>) -> Some8 {
        Some8(words.into_iter().fold(0, |bits, word| bits | 1 << word.place()))
    }

    /// Whether a word is one of them.
    pub fn has<W: Word>(self, word: W) -> bool {
        self.0 & 1 << word.place() != 0
    }
}

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

/// What a card decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decided {
    /// So many runs off the bat, 0 to 6; a 4 or 6 is a boundary.
    Runs(u8),
    /// The batter is out.
    Out(Out),
}

/// What an over card says in express play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Express {
    /// No run.
    Dot,
    /// One run.
    One,
    /// Two runs.
    Two,
    /// Three runs.
    Three,
    /// A dot; the bowler rolls a d8 on the next ball that is not express.
    Patience,
    /// A dot; the second of two in an over may bowl the batter.
    Threat,
    /// The batter rolls a d8 against the style's table.
    Boundary,
}

words! {
    Express { Dot "dot", One "one", Two "two", Three "three", Patience "patience", Threat "threat", Boundary "boundary" }
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

words! {
    Verdict { StruckDown "struck_down", UmpiresCall "umpires_call", Upheld "upheld" }
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
        self.area > 2
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.zone.word(), self.area)
    }
}

//! The terms an edition is written in, each with its word, which is also the word of the log.

use crate::rules::Verdict;

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

    /// The same, clockwise.
    pub fn strokes() -> impl DoubleEndedIterator<Item = Zone> {
        Zone::ALL.iter().map(|(zone, _)| *zone).filter(|zone| Zone::STROKES.has(*zone))
    }
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

/// The areas of the infield, from the innermost.
pub const INFIELD: u8 = 2;

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

impl Out {
    /// What may be appealed for.
    pub const APPEALS: [Out; 3] = [Out::Lbw, Out::Stumped, Out::Caught];
}

/// What a card decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decided {
    /// So many runs off the bat, 0 to 6; a 4 or 6 is a boundary.
    Runs(u8),
    /// The batter is out.
    Out(Out),
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
    Express { Dot "dot", One "one", Two "two", Three "three", Patience "patience", Threat "threat", Boundary "boundary" }
    Verdict { StruckDown "struck_down", UmpiresCall "umpires_call", Upheld "upheld" }
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

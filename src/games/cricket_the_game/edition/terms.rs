//! The terms in which an edition is written, each with its word, which is also its word in the log.

use crate::rules::CardVerdict;

/// A zone of the field, clockwise; a stroke goes into any of them but the bye zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Zone {
    /// Behind the batter, where the slips stand.
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
    /// The zones that a stroke can go into: all but the bye zone.
    pub const STROKES: WordSet = WordSet(0b11_1110);

    /// The zones that a stroke can go into, clockwise.
    pub fn strokes() -> impl DoubleEndedIterator<Item = Zone> {
        Zone::ALL.iter().map(|(zone, _)| *zone).filter(|zone| Zone::STROKES.has(*zone))
    }
}

/// The style of a bowler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Style {
    /// A fast bowler.
    Pace,
    /// A slow bowler who turns the ball.
    Spin,
    /// A medium bowler: the style of all-rounders.
    Medium,
}

/// The role of a player in his side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PlayerRole {
    /// A specialist bowler of pace.
    Pace,
    /// A specialist bowler of spin.
    Spin,
    /// A specialist batter.
    Batter,
    /// An all-rounder, who bowls medium.
    Medium,
    /// The wicketkeeper.
    Keeper,
}

/// The attitude of a batter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Attitude {
    /// The batter plays for runs, with the red bounce die.
    Aggressive,
    /// The batter guards his wicket, with the green bounce die.
    Defensive,
}

/// The number of areas of the infield, from the innermost.
pub const INFIELD: u8 = 2;

/// The length of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Ten overs a side.
    T10,
    /// Twenty overs a side.
    T20,
}

impl Format {
    /// The number of areas of a zone: the first two are the infield, the others the outfield.
    pub fn areas(self) -> u8 {
        match self {
            Format::T10 => 3,
            Format::T20 => 4,
        }
    }
}

/// The condition of the pitch: the bowlers it suits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Condition {
    /// The pitch suits pace bowlers.
    Pace,
    /// The pitch suits spin bowlers.
    Spin,
    /// The pitch suits nobody.
    Neutral,
}

/// A dismissal that needs no ball in the air to a fielder's token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Out {
    /// The batter is bowled.
    Bowled,
    /// The batter is leg before wicket.
    Lbw,
    /// The batter is stumped by the keeper.
    Stumped,
    /// The batter is caught by the keeper.
    Caught,
}

impl Out {
    /// The dismissals that may be appealed for.
    pub const APPEALS: [Out; 3] = [Out::Lbw, Out::Stumped, Out::Caught];
}

/// The decision of a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardDecision {
    /// Runs off the bat, 0 to 6; a 4 or 6 is a boundary.
    Runs(u8),
    /// The batter is out.
    Out(Out),
}

/// The result of a ball so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SoFar {
    /// The dice, or the totals, are equal.
    Block,
    /// The batter's total is higher.
    Strike,
    /// The bowler's total is higher.
    Miss,
    /// The ball went to the boundary off the bat.
    Boundary,
}

/// A side of the duel between bowler and batter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Duelist {
    /// The player who bowls.
    Bowler,
    /// The batter who faces.
    Batter,
}

/// The symbol of an over card in express play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Express {
    /// A ball without a run.
    Dot,
    /// One run.
    One,
    /// Two runs.
    Two,
    /// Three runs.
    Three,
    /// A ball without a run; the bowler rolls a d8 on the next ball that is not express.
    Patience,
    /// A ball without a run; the second of two in an over may bowl the batter.
    Threat,
    /// A chance of a boundary: the batter rolls a d8 against the table of the style.
    Boundary,
}

/// An enumeration whose values have a word, in editions and in the log.
pub trait EditionWord: Copy + Eq + 'static {
    /// Every value in order, with its word.
    const ALL: &'static [(Self, &'static str)];

    /// The word of this value.
    fn word(self) -> &'static str {
        Self::ALL.iter().find(|(word, _)| *word == self).map_or("", |(_, text)| text)
    }

    /// The value with this word.
    fn of_word(text: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, word)| *word == text).map(|(word, _)| *word)
    }

    /// The index of this value in the enumeration.
    fn place(self) -> usize;
}

macro_rules! words {
    ($($Type:ident { $($Variant:ident $word:literal),+ })+) => {$(
        impl EditionWord for $Type {
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
    PlayerRole { Pace "pace", Spin "spin", Batter "batter", Medium "medium", Keeper "keeper" }
    Attitude { Aggressive "aggressive", Defensive "defensive" }
    Format { T10 "t10", T20 "t20" }
    Condition { Pace "pace", Spin "spin", Neutral "neutral" }
    Out { Bowled "bowled", Lbw "lbw", Stumped "stumped", Caught "caught" }
    SoFar { Block "block", Strike "strike", Miss "miss", Boundary "boundary" }
    Duelist { Bowler "bowler", Batter "batter" }
    Express { Dot "dot", One "one", Two "two", Three "three", Patience "patience", Threat "threat", Boundary "boundary" }
    CardVerdict { StruckDown "struck_down", UmpiresCall "umpires_call", Upheld "upheld" }
}

/// A value for each of the `N` words of an enumeration, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Each<T, const N: usize>(pub [T; N]);

impl<T, const N: usize> Each<T, N> {
    /// The value for a word.
    pub fn of<W: EditionWord>(&self, word: W) -> &T {
        &self.0[word.place()]
    }
}

/// A set of words of an enumeration with at most eight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WordSet(pub u8);

impl WordSet {
    /// The set of all words.
    pub const ALL: WordSet = WordSet(u8::MAX);

    /// The set of these words.
    pub fn these<W: EditionWord>(words: impl IntoIterator<Item = W>) -> WordSet {
        WordSet(words.into_iter().fold(0, |bits, word| bits | 1 << word.place()))
    }

    /// Whether a word is in the set.
    pub fn has<W: EditionWord>(self, word: W) -> bool {
        self.0 & 1 << word.place() != 0
    }
}

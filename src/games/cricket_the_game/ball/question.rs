use serde_json::{Value, json};
use smallvec::SmallVec;

use super::super::edition::model::{Bounce, Duelist, Edition, Out, SoFar, Word};
use super::super::rulings::*;
use super::contest::Contest;
use crate::dice::DiceFault;
use crate::rules::{Place, Refusal, Why};
use crate::scorebook::Ruling;

/// Whether a die is rolled once more, and by what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reroll {
    /// It is not.
    No,
    /// By a card that lies open: the bowl, the over card or the pitch.
    Card,
    /// By a skill card, by its place.
    Skill(u8),
}

impl Reroll {
    /// Its word in a choice.
    pub fn word(self, edition: &Edition, side: Duelist) -> &str {
        match self {
            Reroll::No => "no",
            Reroll::Card => "card",
            Reroll::Skill(skill) => {
                edition.skills_of(side).get(usize::from(skill)).map_or("", |skill| skill.id.as_str())
            }
        }
    }
}

/// A chance the fielding side may be offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chance {
    /// To bowl a batter who has missed.
    Bowled,
    /// To catch him in the slips.
    Slips,
    /// To appeal.
    Appeal {
        /// For what.
        how: Out,
        /// With which die.
        die: u8,
        /// The faces it is out on: bit `n - 1` for face `n`.
        out_on: u8,
    },
}

impl Chance {
    /// Its word in a choice.
    pub fn word(self) -> &'static str {
        match self {
            Chance::Bowled => "bowled",
            Chance::Slips => "slips",
            Chance::Appeal { how, .. } => how.word(),
        }
    }
}

/// The chances of one ball.
pub type Chances = SmallVec<[Chance; 4]>;

/// Something that is decided after dice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// Whether a side has a die rolled once more, and by which card.
    Reroll {
        /// Who decides.
        side: Duelist,
        /// What it can be rolled again by.
        by: SmallVec<[Reroll; 4]>,
        /// What it has come to so far.
        so_far: SoFar,
    },
    /// Whether the batter adds one to the distance.
    Longer {
        /// The distance as rolled.
        distance: u8,
        /// How the ball bounces.
        bounce: Bounce,
    },
    /// How many runs the batters take: those that are safe, or one more.
    Run {
        /// The runs that are safe.
        safe: u8,
        /// One more is a run out on this and above, with a d6.
        out_from: u8,
    },
    /// Which of its chances the fielding side takes.
    Chance(Chances),
}

impl Question {
    /// The choice that answers it.
    pub fn name(&self) -> &'static str {
        match self {
            Question::Reroll { side, .. } => side.reroll(),
            Question::Longer { .. } => "longer",
            Question::Run { .. } => "run",
            Question::Chance(_) => "chance",
        }
    }

    /// Who answers it.
    pub fn whose(&self) -> Duelist {
        match self {
            Question::Reroll { side, .. } => *side,
            Question::Longer { .. } | Question::Run { .. } => Duelist::Batter,
            Question::Chance(_) => Duelist::Bowler,
        }
    }

    /// How many legal answers it has.
    pub fn answers(&self) -> usize {
        match self {
            Question::Reroll { by, .. } => by.len() + 1,
            Question::Longer { .. } | Question::Run { .. } => 2,
            Question::Chance(chances) => chances.len(),
        }
    }

    /// The legal answers, the cautious first.
    pub fn legal(&self, contest: &Contest<'_>) -> Value {
        match self {
            Question::Reroll { side, by, .. } => {
                let words = by.iter().map(|by| by.word(contest.edition, *side));
                std::iter::once("no").chain(words).collect()
            }
            Question::Longer { .. } => json!([false, true]),
            Question::Run { safe, .. } => json!([safe, safe + 1]),
            Question::Chance(chances) => chances.iter().map(|chance| chance.word()).collect(),
        }
    }

    /// What is asked, as a refusal of a ball that does not answer it.
    pub fn unanswered(&self, contest: &Contest<'_>) -> Refusal {
        let message = match self {
            Question::Reroll { .. } => "say whether a die is rolled once more, and by which card".to_owned(),
            Question::Longer { distance, .. } => {
                format!("say whether one is added to the distance of {distance}")
            }
            Question::Run { safe, out_from } => {
                format!("say how many runs: {safe} is safe, and one more a run out on {out_from} or more")
            }
            Question::Chance(_) => "say which of its chances the fielding side takes".to_owned(),
        };
        let place = Place::Choice(self.name().to_owned());
        Refusal::new(Why::NeedsInput, place, format!("{} is missing: {message}", self.name()))
            .by(self.ruling())
            .legal(self.legal(contest))
    }

    /// What says how it may be answered.
    fn ruling(&self) -> &'static Ruling {
        match self {
            Question::Run { .. } => &BALL_RUN,
            Question::Chance(_) => &BALL_CHANCE,
            Question::Reroll { .. } => &REROLL,
            Question::Longer { .. } => &STRIKE_LONGER,
        }
    }
}

impl Duelist {
    /// The choice by which a side has a die rolled once more.
    pub const fn reroll(self) -> &'static str {
        match self {
            Duelist::Bowler => "reroll_bowler",
            Duelist::Batter => "reroll_batter",
        }
    }
}

/// Why a ball did not come to its end.
#[derive(Debug)]
pub enum Stop {
    /// The rules refuse.
    Refused(Box<Refusal>),
    /// Somebody has to decide.
    Waits(Question),
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Stop {
        Stop::Refused(Box::new(refusal))
    }
}

impl From<DiceFault> for Stop {
    fn from(fault: DiceFault) -> Stop {
        Stop::from(Refusal::from(fault))
    }
}

/// Who decides what comes after dice.
pub trait Captain {
    /// Answers a question: the place of the answer among the legal ones.
    fn answer(&mut self, contest: &Contest<'_>, question: Question) -> Result<usize, Stop>;
}

/// Cites the refusal of an answer that is none of the legal ones.
pub fn not_legal(contest: &Contest<'_>, question: &Question) -> Stop {
    let legal = question.legal(contest);
    let name = question.name();
    Stop::from(Refusal::choice(name, format!("{name} is one of {legal}")).by(question.ruling()).legal(legal))
}

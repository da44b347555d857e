//! What has to be decided after dice: who decides it, the legal answers, and how a ball stops for it.

use serde_json::{Value, json};
use smallvec::SmallVec;

use super::super::edition::model::{Bounce, Duelist, EditionWord, Out, PrintedEdition, SoFar};
use super::super::rulings::*;
use crate::dice::DiceFault;
use crate::rules::{Place, Refusal, Why};
use crate::scorebook::Ruling;

/// Whether a die is rolled once more, and by what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reroll {
    /// No die is.
    No,
    /// By a card that lies open: the bowl, the over card or the pitch.
    Card,
    /// By a skill card, by its place.
    Skill(u8),
}

impl Reroll {
    /// The word for the reroll in a choice.
    pub fn word(self, edition: &PrintedEdition, side: Duelist) -> &str {
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
    /// To catch the batter in the slips.
    Slips,
    /// To appeal.
    Appeal {
        /// The dismissal that is appealed for.
        how: Out,
        /// The sides of the die.
        die: u8,
        /// The faces that are out: bit `n - 1` for face `n`.
        out_on: u8,
    },
}

impl Chance {
    /// The word for the chance in a choice.
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
        /// The side that decides.
        side: Duelist,
        /// The cards by which the side can have the die rolled again.
        by: SmallVec<[Reroll; 4]>,
        /// What the ball has come to so far.
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
    /// The name of the choice that answers the question.
    pub fn name(&self) -> &'static str {
        match self {
            Question::Reroll { side, .. } => side.reroll(),
            Question::Longer { .. } => "longer",
            Question::Run { .. } => "run",
            Question::Chance(_) => "chance",
        }
    }

    /// The side that answers the question.
    pub fn whose(&self) -> Duelist {
        match self {
            Question::Reroll { side, .. } => *side,
            Question::Longer { .. } | Question::Run { .. } => Duelist::Batter,
            Question::Chance(_) => Duelist::Bowler,
        }
    }

    /// How many legal answers the question has.
    pub fn answers(&self) -> usize {
        match self {
            Question::Reroll { by, .. } => by.len() + 1,
            Question::Longer { .. } | Question::Run { .. } => 2,
            Question::Chance(chances) => chances.len(),
        }
    }

    /// The legal answers, the cautious first.
    pub fn legal(&self, edition: &PrintedEdition) -> Value {
        match self {
            Question::Reroll { side, by, .. } => {
                let words = by.iter().map(|by| by.word(edition, *side));
                std::iter::once("no").chain(words).collect()
            }
            Question::Longer { .. } => json!([false, true]),
            Question::Run { safe, .. } => json!([safe, safe + 1]),
            Question::Chance(chances) => chances.iter().map(|chance| chance.word()).collect(),
        }
    }

    /// What is asked, as a refusal of a ball that does not answer it.
    pub fn unanswered(&self, edition: &PrintedEdition) -> Refusal {
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
            .legal(self.legal(edition))
    }

    /// The ruling on how the question may be answered.
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

/// Cites the refusal of an answer that is none of the legal ones.
pub fn not_legal(edition: &PrintedEdition, question: &Question) -> Stop {
    let legal = question.legal(edition);
    let name = question.name();
    Stop::from(Refusal::choice(name, format!("{name} is one of {legal}")).by(question.ruling()).legal(legal))
}

//! Questions that dice raise: the side that decides, the legal answers, and how a ball stops for them.

use serde_json::{Value, json};
use smallvec::SmallVec;

use super::super::edition::model::{Bounce, Duelist, EditionWord, Out, PrintedEdition, SoFar};
use super::super::rulings::*;
use crate::dice::DiceFault;
use crate::rules::{Place, Refusal, RefusalKind};
use crate::scorebook::Ruling;

/// The answer to a reroll: whether a die is rolled once more, and by which card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reroll {
    /// No die is rolled again.
    No,
    /// A die is rolled again by a card that lies open: the bowl, the over card or the pitch.
    Card,
    /// A die is rolled again by a skill card, given by its index.
    Skill(u8),
}

impl Reroll {
    /// The name of the reroll in a choice.
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
    /// A chance to bowl a batter who has missed.
    Bowled,
    /// A chance to catch the batter in the slips.
    Slips,
    /// A chance to appeal.
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
    /// The name of the chance in a choice.
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

/// A question that a side answers after dice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// A reroll: whether a side has a die rolled once more, and by which card.
    Reroll {
        /// The side that decides.
        side: Duelist,
        /// The cards by which the side can have the die rolled again.
        by: SmallVec<[Reroll; 4]>,
        /// The result of the ball so far.
        so_far: SoFar,
    },
    /// A longer stroke: whether the batter adds one to the distance.
    Longer {
        /// The distance as rolled.
        distance: u8,
        /// How the ball bounces.
        bounce: Bounce,
    },
    /// A run: whether the batters take the safe runs, or try one more.
    Run {
        /// The runs that are safe.
        safe: u8,
        /// The face of a d6 from which one more run is a run out.
        out_from: u8,
    },
    /// The chance that the fielding side takes, of several.
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
    pub fn decided_by(&self) -> Duelist {
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

    /// The question, as the refusal of a ball that does not answer it.
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
        Refusal::new(RefusalKind::NeedsInput, place, format!("{} is missing: {message}", self.name()))
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

/// The reason why a ball stopped before its end.
#[derive(Debug)]
pub enum Stop {
    /// The rules refuse a choice.
    Refused(Box<Refusal>),
    /// The ball waits for an answer.
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

/// Refuses an answer that is not legal.
pub fn not_legal(edition: &PrintedEdition, question: &Question) -> Stop {
    let legal = question.legal(edition);
    let name = question.name();
    Stop::from(Refusal::choice(name, format!("{name} is one of {legal}")).by(question.ruling()).legal(legal))
}

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::book::Book;
use super::describe::tell_decision;
use super::innings::InningsFold;
use super::match_list::InningsScore;
use crate::dice::Die;
use crate::log::{Ball, Head, ReviewVerdict, Reviewed};
use crate::scorebook::{BySide, Outcome, Side, WicketRecord};

/// The reviews of a match after an event.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Reviews {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: Uuid,
    /// The event after which it is true.
    pub at_seq: u64,
    /// That event and its hash.
    pub head: Head,
    /// The last correction that was taken into account, where it came after `at_seq`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_known_at: Option<u64>,
    /// The reviews that were made, in order. Decisions that were accepted are none.
    pub reviews: Vec<ReviewEntry>,
    /// How many each side has left in each innings that has begun; empty where nothing is reviewed.
    pub left: Vec<ReviewsLeft>,
}

/// A review.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ReviewEntry {
    /// Its number in the match, from 1.
    pub number: u32,
    /// Its event.
    pub seq: u64,
    /// The side that asked for it.
    pub by: Side,
    /// That side's name.
    pub side: String,
    /// The innings.
    pub innings: u16,
    /// The over of the innings, from 1.
    pub over: u16,
    /// The ball's place in the over, counting every delivery, from 1.
    pub ball: u32,
    /// The ball's number in the match.
    pub delivery: u32,
    /// The decision that was reviewed.
    pub original: Decided,
    /// What came of it.
    pub revised: Decided,
    /// The dice.
    pub dice: Vec<Die>,
    /// What it came to.
    pub verdict: ReviewVerdict,
    /// Whether the decision stands by the umpire's call.
    pub umpires_call: bool,
    /// Whether the side still has the review.
    pub retained: bool,
    /// The score of the innings by the decision that was reviewed.
    pub before: InningsScore,
    /// The score of the innings after the review.
    pub after: InningsScore,
}

/// What was decided on a ball.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ReviewDecision)]
pub struct Decided {
    /// The wicket; null where nobody is out.
    pub wicket: Option<WicketRecord>,
    /// The same in words.
    pub words: String,
}

/// How many reviews the sides have left in an innings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct ReviewsLeft {
    /// The innings.
    pub innings: u16,
    /// The home side's.
    pub home: u8,
    /// The away side's.
    pub away: u8,
}

impl Reviews {
    /// The reviews of a folded match.
    pub fn of(book: &Book) -> Reviews {
        Reviews {
            match_id: book.match_id(),
            at_seq: book.head().seq,
            head: book.head().clone(),
            as_known_at: book.known_at(),
            reviews: book.reviews().to_vec(),
            left: left(book),
        }
    }
}

fn left(book: &Book) -> Vec<ReviewsLeft> {
    let Some(card) = book.fixture().review_card() else { return Vec::new() };
    let left_in = |number: u16| {
        let mut left = BySide { home: card.reviews, away: card.reviews };
        for review in book.reviews().iter().filter(|review| review.innings == number && !review.retained) {
            left[review.by] = left[review.by].saturating_sub(1);
        }
        ReviewsLeft { innings: number, home: left.home, away: left.away }
    };
    book.innings().iter().map(|innings| left_in(innings.number)).collect()
}

impl ReviewEntry {
    /// A review of a ball, after which the innings stands like this; `before` is the innings by the original decision.
    pub(super) fn of(
        number: u32,
        seq: u64,
        side: &str,
        (ball, made): (&Ball, &Reviewed),
        [before, after]: [&InningsFold; 2],
    ) -> ReviewEntry {
        ReviewEntry {
            number,
            seq,
            by: made.by,
            side: side.to_owned(),
            innings: ball.innings,
            over: ball.over,
            ball: ball.ball,
            delivery: ball.delivery,
            original: Decided::of(&ball.outcome),
            revised: Decided::of(&made.outcome),
            dice: made.dice.clone(),
            verdict: made.verdict,
            umpires_call: made.umpires_call,
            retained: made.retained,
            before: InningsScore::of(before),
            after: InningsScore::of(after),
        }
    }

    /// The review in a line: `Wanderers reviewed delivery 12 (innings 1, 2.3), struck down: Ada Marsh lbw b Voss stands`.
    pub fn told(&self) -> String {
        let ReviewEntry { side, delivery, innings, ball, original, revised, .. } = self;
        let over = self.over.saturating_sub(1);
        let verdict = match (self.verdict, self.umpires_call) {
            (ReviewVerdict::Upheld, _) => format!("upheld: {}, now {}", original.words, revised.words),
            (ReviewVerdict::StruckDown, true) => format!("umpire's call: {} stands", original.words),
            (ReviewVerdict::StruckDown, false) => format!("struck down: {} stands", original.words),
        };
        format!("{side} reviewed delivery {delivery} (innings {innings}, {over}.{ball}), {verdict}")
    }
}

impl Decided {
    fn of(outcome: &Outcome) -> Decided {
        Decided { wicket: outcome.wicket.clone(), words: tell_decision(outcome) }
    }
}

//! A refit: the play that a correction has made void is played once more on the corrected match, ball by
//! ball.
//!
//! A kept ball has the dice that it had, and the choices that somebody made for it; what was left to a
//! default is left to the default of its new place. Overs are laid out anew: the n-th over of an innings
//! keeps what was chosen for it. The engine decides the steps of a refit for a correction, and an audit
//! decides them again from the log alone.

mod dice;
mod kept;
mod settle;

use std::collections::{BTreeMap, VecDeque};

pub use self::dice::{KeptDice, dice_with};
pub use self::kept::{KeptParts, KeptPlay, KeptReview, is_unknown, whole};
pub use self::settle::{Answers, NoAnswers, Settled, SettledStep, Unsettled, settle};
use super::Match;
use crate::log::Subject;
use crate::scorebook::Side;

/// The void play of a match, from which the steps of a refit are taken in order.
#[derive(Debug, Default)]
pub struct Refit {
    /// The overs that had begun, by innings and over.
    overs: BTreeMap<(u16, u16), Group>,
    /// The balls, in order.
    balls: VecDeque<Group>,
    /// What comes before the play of the present step: secret choices.
    before: VecDeque<KeptPlay>,
    /// The present step, once what comes before it is done, and the answers to its decision.
    present: Option<(KeptPlay, Vec<KeptPlay>)>,
    /// The answers to the decision on the ball that was decided last.
    reviews: Vec<KeptPlay>,
    /// What came after the last ball: a ball that had begun, secret choices, and the abandonment.
    tail: VecDeque<KeptPlay>,
    /// Whether the match had been completed.
    was_completed: bool,
    /// What does not come again.
    gone: Vec<KeptPlay>,
}

/// An over or a ball, with the secret choices before it and the reviews after it.
#[derive(Debug)]
struct Group {
    before: Vec<KeptPlay>,
    play: KeptPlay,
    reviews: Vec<KeptPlay>,
}

/// The next step of a refit.
#[derive(Debug)]
pub enum RefitStep {
    /// An over begins, with what was kept of it; none where no such over had begun.
    Over(Option<KeptPlay>),
    /// A ball is decided again.
    Ball(KeptPlay),
    /// A ball that had begun is begun again.
    Roll(KeptPlay),
    /// A decision is reviewed or accepted as it was.
    Review(KeptPlay),
    /// A decision that could not be reviewed before is accepted, since the match went on.
    Accept(Side),
    /// The event comes again as it was.
    Repeat(KeptPlay),
    /// The innings goes on past its last kept ball, and later innings wait.
    Missing(u16),
    /// The innings goes on past its last kept ball, and had ended there by agreement.
    Ended(u16),
}

impl Refit {
    /// The refit of void play, in its order. `present` is the play of the ball that the correction amends,
    /// whose reviews come first.
    pub fn of(void: impl IntoIterator<Item = KeptPlay>) -> Refit {
        let mut refit = Refit::default();
        let mut before = Vec::new();
        for kept in void {
            match kept.subject {
                Subject::Choice if kept.whole.is_some() => before.push(kept),
                Subject::Over { innings, over } => {
                    let group =
                        Group { before: std::mem::take(&mut before), play: kept, reviews: Vec::new() };
                    refit.overs.insert((innings, over), group);
                }
                Subject::Ball { .. } => {
                    let group =
                        Group { before: std::mem::take(&mut before), play: kept, reviews: Vec::new() };
                    refit.balls.push_back(group);
                }
                Subject::Roll { .. } => before.push(kept),
                Subject::Review { .. } => match refit.balls.back_mut() {
                    Some(group) => group.reviews.push(kept),
                    None => refit.reviews.push(kept),
                },
                Subject::Completed => refit.was_completed = true,
                Subject::Abandoned => before.push(kept),
                Subject::Choice | Subject::SetUp | Subject::Toss | Subject::TossDecided => {}
            }
        }
        refit.tail = before.into();
        for group in &mut refit.balls {
            // The ball has the dice and the choices of a roll that reveals nothing.
            group.before.retain(|kept| kept.whole.is_some());
        }
        refit
    }

    /// Takes the next step on a match; none where the refit has come to its end. What then stays does not
    /// come again.
    pub fn next(&mut self, the_match: &Match) -> Option<RefitStep> {
        if the_match.play().has_finished() {
            return self.end();
        }
        if let Some(open) = the_match.reviews().open() {
            return self.answer_decision(open.by, the_match);
        }
        self.gone.append(&mut self.reviews);
        if let Some(kept) = self.before.pop_front() {
            return Some(RefitStep::Repeat(kept));
        }
        if let Some((kept, reviews)) = self.present.take() {
            self.reviews = reviews;
            return Some(step_of(kept));
        }
        if the_match.reviews().is_played_out() {
            return self.end();
        }
        let (innings, over) = the_match.play().next_over();
        while let Some(group) = self.balls.pop_front_if(|group| group.play.over.0 < innings) {
            self.let_go(group);
        }
        let has_ball = self.balls.front().is_some_and(|group| group.play.over.0 == innings);
        if the_match.play().asking().on_field().bowler.is_none() {
            let kept = self.overs.remove(&(innings, over));
            return match kept {
                Some(group) if has_ball || self.balls.is_empty() => {
                    self.begin(group);
                    self.next(the_match)
                }
                _ if has_ball => Some(RefitStep::Over(None)),
                _ => self.go_past(the_match, innings),
            };
        }
        match self.balls.pop_front_if(|_| has_ball) {
            Some(group) => {
                self.begin(group);
                self.next(the_match)
            }
            None => self.go_past(the_match, innings),
        }
    }

    /// Whether a ball of this innings is still kept.
    pub fn keeps_ball_of(&self, innings: u16) -> bool {
        self.balls.iter().any(|group| group.play.over.0 == innings)
    }

    /// Whether a ball of a later innings is still kept.
    pub fn keeps_ball_after(&self, innings: u16) -> bool {
        self.balls.iter().any(|group| group.play.over.0 > innings)
    }

    /// The number that the next kept ball had before the correction.
    pub fn next_delivery(&self) -> Option<u32> {
        self.balls.front().and_then(|group| group.play.delivery())
    }

    /// What does not come again, once the refit has come to its end, in the order of the log.
    pub fn into_gone(mut self) -> Vec<KeptPlay> {
        self.end();
        self.gone.sort_by_key(|kept| kept.seq);
        self.gone
    }

    /// What was to come, where the refit ends before it: from this step on nothing comes again.
    pub fn cut(&mut self, step: RefitStep) {
        match step {
            RefitStep::Over(Some(kept))
            | RefitStep::Ball(kept)
            | RefitStep::Roll(kept)
            | RefitStep::Review(kept)
            | RefitStep::Repeat(kept) => self.gone.push(kept),
            RefitStep::Over(None) | RefitStep::Accept(_) | RefitStep::Missing(_) | RefitStep::Ended(_) => {}
        }
        self.end();
    }

    /// Lets go of all that is left.
    fn end(&mut self) -> Option<RefitStep> {
        self.gone.append(&mut self.reviews);
        if let Some((kept, reviews)) = self.present.take() {
            self.gone.extend([kept].into_iter().chain(reviews));
        }
        let left = self.before.drain(..).chain(self.tail.drain(..));
        self.gone.extend(left);
        let groups = std::mem::take(&mut self.balls);
        let groups = groups.into_iter().chain(std::mem::take(&mut self.overs).into_values());
        groups.for_each(|group| self.let_go(group));
        None
    }

    fn let_go(&mut self, Group { before, play, reviews }: Group) {
        self.gone.extend(before);
        self.gone.push(play);
        self.gone.extend(reviews);
    }

    fn begin(&mut self, Group { before, play, reviews }: Group) {
        self.before = before.into();
        self.present = Some((play, reviews));
    }

    /// The answer to an open decision: as the side in that part gave it, or accepted where the match goes on.
    fn answer_decision(&mut self, by: Side, the_match: &Match) -> Option<RefitStep> {
        let bats = the_match.reviews().open_is_of_batting_side();
        let is_its = |kept: &KeptPlay| kept.review.is_some() && kept.has_batted == bats;
        let answer = self.reviews.iter().position(is_its);
        if let Some(at) = answer {
            return Some(RefitStep::Review(self.reviews.remove(at)));
        }
        self.gone.append(&mut self.reviews);
        let next = the_match.play().next_over();
        // An over that its innings has no ball for any more is no play to come.
        let goes_on = the_match.play().had_ended(next.0)
            || !self.balls.is_empty()
            || self.overs.range(next..).next().is_some()
            || self.tail.iter().any(|kept| kept.subject != Subject::Abandoned)
            || self.was_completed;
        if goes_on { Some(RefitStep::Accept(by)) } else { self.take_tail() }
    }

    /// What comes after the last kept ball of an innings that goes on.
    fn go_past(&mut self, the_match: &Match, innings: u16) -> Option<RefitStep> {
        if the_match.play().had_ended(innings) {
            return Some(RefitStep::Ended(innings));
        }
        if self.keeps_ball_after(innings) {
            return Some(RefitStep::Missing(innings));
        }
        self.take_tail()
    }

    fn take_tail(&mut self) -> Option<RefitStep> {
        match self.tail.pop_front() {
            Some(kept) => Some(step_of(kept)),
            None => self.end(),
        }
    }
}

fn step_of(kept: KeptPlay) -> RefitStep {
    match (&kept.whole, kept.subject) {
        (Some(_), _) => RefitStep::Repeat(kept),
        (None, Subject::Over { .. }) => RefitStep::Over(Some(kept)),
        (None, Subject::Roll { .. }) => RefitStep::Roll(kept),
        (None, Subject::Review { .. }) => RefitStep::Review(kept),
        (None, _) => RefitStep::Ball(kept),
    }
}

//! The difference that a correction makes, in a sentence. It is told while the events that follow from the
//! correction are applied. A service appends them with it, so they have its time.

use chrono::{DateTime, Utc};

use super::MatchProjection;
use super::anew_in_words::AnewInWords;
use crate::log::{Ball, EndedInnings, Event, EventData, LiveEvent, PlayChange, Reversal, Subject};
use crate::matches::Match;

/// The difference of the last correction, as far as its events have been applied.
#[derive(Debug, Clone)]
pub(super) struct CorrectionDifference {
    /// The time of the correction; none in a log whose amended ball has a time of its own.
    at: Option<DateTime<Utc>>,
    /// What is void or amended, in words.
    about: String,
    /// The ball that comes in the place of an amended one, or is put in, until it is applied.
    awaited: Option<AwaitedBall>,
    /// The last delivery that was void, where a ball was amended.
    last: Option<u32>,
    /// The number of balls that a restoration has brought back so far, and of those that it made void.
    back: Option<(u32, usize)>,
    /// The innings that end by agreement in what follows.
    ended: Vec<EndedInnings>,
    /// The step before the play that is decided anew.
    steps: Option<AnewInWords>,
    /// The number of the innings, and its score before the correction.
    before: Option<(u16, RunsAndWickets)>,
}

/// The ball that follows from a correction before all others.
#[derive(Debug, Clone)]
struct AwaitedBall {
    delivery: u32,
    /// The amended ball; none for one that is put in.
    was: Option<BallInWords>,
}

/// The runs and the wickets of an innings.
type RunsAndWickets = (u32, u32);

/// What commentary says of a ball in a few words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BallInWords {
    /// Who bowled to whom: `Verity to Quinn`.
    who: String,
    /// The outcome: `Quinn out, caught`, `dropped by Brody`, `four`.
    outcome: String,
}

impl BallInWords {
    /// The words for a ball on the match before it.
    fn of(before: &Match, ball: &Ball) -> BallInWords {
        BallInWords {
            who: format!("{} to {}", ball.outcome.bowler, ball.outcome.striker),
            outcome: before.play().outcome_in_words(ball),
        }
    }
}

impl CorrectionDifference {
    /// The difference of a correction that takes the match with this projection back to `before`, and voids
    /// these events.
    pub(super) fn of(
        projection: &MatchProjection,
        before: &Match,
        (event, reversal): (&Event, Reversal<'_>),
        void: &[LiveEvent<Event>],
    ) -> CorrectionDifference {
        let change = reversal.change();
        let changed = change.and_then(|change| changed_ball(before, void, change.delivery()?));
        let place = |delivery| place_text(projection, delivery);
        let last = projection.places().last();
        let awaited = |delivery, was| Some(AwaitedBall { delivery, was });
        let (about, awaited, last) = match (change, changed) {
            (Some(PlayChange::Amends(delivery)), Some(ball)) => {
                (format!("{}:", place(delivery)), awaited(delivery, Some(ball)), last)
            }
            (Some(PlayChange::Inserts(delivery)), _) => {
                let about = format!("{}: a ball that was missing,", place(delivery));
                (about, awaited(delivery, None), last.map(|last| last + 1))
            }
            (Some(PlayChange::Removes(delivery)), Some(ball)) => {
                let about = format!("{}, {}, was never bowled.", place(delivery), ball.outcome);
                (about, None, last.map(|last| last - 1))
            }
            (Some(PlayChange::Anew(_)), _) => (String::new(), None, last),
            _ => (voided_in_words(projection, void), None, None),
        };
        let steps = match change {
            Some(PlayChange::Anew(step)) => Some(AnewInWords::of(step, before, void)),
            _ => None,
        };
        let innings = void.iter().find_map(|live| innings_of(projection, &live.kept.data));
        let is_ball = |live: &&LiveEvent<Event>| matches!(live.subject, Subject::Ball { .. });
        let back = reversal.restores().map(|_| (0, void.iter().filter(is_ball).count()));
        let innings =
            innings.or_else(|| projection.innings().last().filter(|_| back.is_some())?.number.into());
        CorrectionDifference {
            at: Some(event.at),
            about,
            awaited,
            last,
            back,
            ended: reversal.ended().to_vec(),
            steps,
            before: innings.map(|number| (number, score_of(projection, number))),
        }
    }

    /// Whether an event may follow from the correction: a ball that is decided again has a number that was
    /// void.
    pub(super) fn goes_on_with(&self, event: &Event) -> bool {
        if self.back.is_some() || self.steps.is_some() {
            return event.data.subject().is_some() && self.at == Some(event.at);
        }
        let is_again = event.data.delivery().zip(self.last).is_some_and(|(delivery, last)| delivery <= last);
        is_again && (self.awaited.is_some() || self.at.is_none_or(|at| at == event.at))
    }

    /// The words for an event on the match before it, where it is the ball in the place of the amended one.
    pub(super) fn in_its_place(&self, before: &Match, event: &Event) -> Option<BallInWords> {
        let awaited = self.awaited.as_ref()?;
        match &event.data {
            EventData::Ball(ball) if ball.delivery == awaited.delivery => Some(BallInWords::of(before, ball)),
            _ => None,
        }
    }

    /// Goes on with the ball in the place of the amended one.
    pub(super) fn go_on(&mut self, event: &Event, is: BallInWords) {
        let Some(AwaitedBall { was, .. }) = self.awaited.take() else { return };
        self.at.take_if(|at| *at != event.at);
        let Some(was) = was else {
            self.about += &format!(" {}.", is.outcome);
            return;
        };
        let (was, becomes) = match (was.outcome == is.outcome, was.who == is.who) {
            (false, _) => (was.outcome, is.outcome),
            (true, false) => (was.who, is.who),
            (true, true) => {
                self.about += &format!(" {}, as before.", is.outcome);
                return;
            }
        };
        let comma = if was.contains(',') { "," } else { "" };
        self.about += &format!(" {was}{comma} becomes {becomes}.");
    }

    /// Takes an event that a restoration has brought back, or that follows from a step anew.
    pub(super) fn take(&mut self, event: &Event) {
        if let Some(steps) = &mut self.steps {
            steps.take(&event.data);
        }
        if let (Some((back, _)), EventData::Ball(_)) = (&mut self.back, &event.data) {
            *back += 1;
        }
    }

    /// The difference in a sentence, with the score after the events so far. None before the ball in the
    /// place of the amended one.
    pub(super) fn sentence(&self, projection: &MatchProjection) -> Option<String> {
        if self.awaited.is_some() {
            return None;
        }
        let mut sentence = match self.back {
            None => self.steps.as_ref().map_or_else(|| self.about.clone(), AnewInWords::in_words),
            Some((0, 0)) => "What was void is back.".to_owned(),
            Some((0, 1)) => "1 ball is void again.".to_owned(),
            Some((0, gone)) => format!("{gone} balls are void again."),
            Some((1, _)) => "1 ball is back.".to_owned(),
            Some((back, _)) => format!("{back} balls are back."),
        };
        if let Some((number, (runs, wickets))) = self.before {
            let after = score_of(projection, number);
            if after != (runs, wickets) {
                sentence += &format!(" {runs}/{wickets} becomes {}/{}.", after.0, after.1);
            }
        }
        for EndedInnings { innings, after } in &self.ended {
            if let Some(place) =
                projection.places().place_of(*after).filter(|place| place.innings == *innings)
            {
                sentence += &format!(" Innings {innings} ended after {}, as agreed.", place.text);
            }
        }
        let standing = projection.places().last().unwrap_or(0);
        match self.last.map_or(0, |last| last.saturating_sub(standing)) {
            0 => {}
            1 => sentence += " 1 later ball is void.",
            void => sentence += &format!(" {void} later balls are void."),
        }
        Some(sentence)
    }
}

/// The ball of a delivery among void events, with its outcome after a review; `before` is the match before
/// the first of them.
fn changed_ball(before: &Match, void: &[LiveEvent<Event>], delivery: u32) -> Option<BallInWords> {
    let at = void.iter().position(|live| live.subject == Subject::Ball { delivery })?;
    let mut played = before.clone();
    void[..at].iter().try_for_each(|live| played.replay(&live.kept.data)).ok()?;
    let EventData::Ball(ball) = &void[at].kept.data else { return None };
    let reviewed = void[at..].iter().find_map(|live| match &live.kept.data {
        EventData::Review(review) if review.delivery() == delivery => review.made(),
        _ => None,
    });
    Some(match reviewed {
        Some(made) => BallInWords::of(&played, &Ball { outcome: made.outcome.clone(), ..ball.clone() }),
        None => BallInWords::of(&played, ball),
    })
}

/// The innings of a ball or of a review.
fn innings_of(projection: &MatchProjection, data: &EventData) -> Option<u16> {
    match data {
        EventData::Ball(ball) => Some(ball.innings),
        EventData::Review(review) => Some(projection.places().place_of(review.delivery())?.innings),
        _ => None,
    }
}

fn score_of(projection: &MatchProjection, innings: u16) -> RunsAndWickets {
    let fold = projection.innings().iter().find(|fold| fold.number == innings);
    fold.map_or((0, 0), |fold| (fold.runs, fold.wickets))
}

/// The place of a delivery that was live, as commentary prints it.
fn place_text(projection: &MatchProjection, delivery: u32) -> String {
    let place = projection.places().place_of_begun(delivery);
    place.map_or_else(|| format!("delivery {delivery}"), |place| place.text)
}

/// What is void, in words: `3 balls from 4.2 on are void.`
fn voided_in_words(projection: &MatchProjection, void: &[LiveEvent<Event>]) -> String {
    let delivery_of = |live: &LiveEvent<Event>| match live.subject {
        Subject::Ball { delivery } => Some(delivery),
        _ => None,
    };
    let balls = void.iter().filter_map(delivery_of).count();
    let place = |delivery| place_text(projection, delivery);
    let with_balls = |what: String| match balls {
        0 => format!("{what} is void."),
        1 => format!("{what} is void, with 1 ball."),
        balls => format!("{what} is void, with {balls} balls."),
    };
    match (void.first().map(|live| live.subject), void.iter().find_map(delivery_of)) {
        (Some(Subject::SetUp), _) => with_balls("The set-up".to_owned()),
        (Some(Subject::Toss), _) => with_balls("The toss".to_owned()),
        (Some(Subject::TossDecided), _) => with_balls("The choice to bat or to bowl".to_owned()),
        (Some(Subject::Abandoned), _) => "The abandonment is void.".to_owned(),
        (Some(Subject::Review { delivery }), _) => with_balls(format!("The review of {}", place(delivery))),
        (_, Some(first)) if balls == 1 => format!("{} is void.", place(first)),
        (_, Some(first)) => format!("{balls} balls from {} on are void.", place(first)),
        (Some(Subject::Over { over, .. }), None) => format!("Over {over} is void."),
        (Some(Subject::Roll { delivery }), None) => format!("The dice of {} are void.", place(delivery)),
        (_, None) => "What was chosen is void.".to_owned(),
    }
}

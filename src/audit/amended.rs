//! What follows an amendment: the delivery that is put right at once, and then those after it, as they were.

use std::collections::VecDeque;
use std::hash::{BuildHasher, Hash, RandomState};

use super::{Check, Finding};
use crate::games::{Choices, agreed_of};
use crate::log::{Amendment, DiceMode, Event, EventData, Moment};
use crate::projections::chosen;

/// What an event of play repeats when it is decided again: its choices, seals and reveals, and what was entered at a table.
/// Nobody who writes a log knows the key.
#[derive(Clone, Default)]
pub(super) struct Prints(RandomState);

impl Prints {
    /// A call is not repeated, and has none.
    pub(super) fn of(&self, data: &EventData, dice: DiceMode) -> Option<u64> {
        let reveals = |data: &EventData| match data {
            EventData::Over(over) => {
                over.reveals.iter().map(|reveal| (reveal.choice.clone(), reveal.salt.clone())).collect()
            }
            _ => Vec::new(),
        };
        let entered: Vec<u16> = match data {
            EventData::Ball(ball) if dice == DiceMode::Table => {
                ball.dice.iter().map(|die| die.value).collect()
            }
            _ => Vec::new(),
        };
        let said = match data {
            EventData::ChoiceCalled(_) => return None,
            EventData::Choice(choice) => choice.sealed.clone(),
            EventData::MatchAbandoned(abandoned) => abandoned.reason.clone(),
            _ => String::new(),
        };
        let agreed = match data {
            EventData::Ball(ball) => {
                ball.as_stood.as_ref().map(|as_stood| agreed_of(&ball.outcome, &as_stood.reason).outcome)
            }
            _ => None,
        };
        let mut parts = [chosen(data), agreed.unwrap_or_default()]
            .map(|choices| self.0.hash_one(Members(&choices)))
            .to_vec();
        parts.extend(reveals(data).iter().map(|(choice, salt)| self.0.hash_one((Members(choice), salt))));
        Some(self.0.hash_one((parts, entered, said)))
    }
}

/// Members of an object, to be hashed.
struct Members<'a>(&'a Choices);

impl Hash for Members<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.iter().for_each(|member| member.hash(state));
    }
}

/// What is due after an amendment.
#[derive(Default)]
pub(super) struct Amended {
    /// What is put right, which comes at once.
    due: VecDeque<Moment>,
    /// What both sides have agreed on, where it takes both, and what the ball's choices were.
    agreed: Option<(Amendment, Choices)>,
    /// What comes after it, as it was, as far as it can.
    rest: VecDeque<(Moment, Expected)>,
}

/// What is expected of an event that is decided again.
#[derive(Clone, Copy, PartialEq)]
enum Expected {
    /// It is left out.
    Nothing,
    /// It follows from an over that is put right.
    Anything,
    /// It is as it was.
    Same(u64),
}

impl Amended {
    /// What is due when these events are void, and a delivery is put right.
    pub(super) fn of(
        amends: u32,
        void: impl Iterator<Item = (Moment, Option<u64>)>,
        agreed: Option<(Amendment, Choices)>,
    ) -> Amended {
        let expected = |print: Option<u64>| print.map_or(Expected::Nothing, Expected::Same);
        let mut rest: VecDeque<_> = void.map(|(moment, print)| (moment, expected(print))).collect();
        let ball = rest.iter().position(|(moment, _)| *moment == Moment::Ball { delivery: amends });
        let due: VecDeque<Moment> =
            rest.drain(..ball.map_or(0, |at| at + 1)).map(|(moment, _)| moment).collect();
        if due.len() > 1 {
            let of_the_over = rest.iter_mut().take_while(|(moment, _)| matches!(moment, Moment::Ball { .. }));
            of_the_over.for_each(|(_, expected)| *expected = Expected::Anything);
        }
        Amended { due, agreed, rest }
    }

    /// What both sides have agreed on of the ball that comes now.
    pub(super) fn agreed(&mut self) -> Option<(Amendment, Choices)> {
        self.agreed.take()
    }

    /// Whether what is put right is still missing.
    pub(super) fn is_due(&self) -> bool {
        !self.due.is_empty()
    }

    /// Takes the next event, and says whether it follows from the amendment; `reopened` is a match that was over, in which
    /// nothing is new.
    pub(super) fn follow(
        &mut self,
        event: &Event,
        print: Option<u64>,
        reopened: bool,
    ) -> Result<bool, Finding> {
        let moment = event.data.moment();
        if let Some(due) = self.due.front() {
            if Some(*due) == moment {
                self.due.pop_front();
                return Ok(true);
            }
            let message = "the correction before it puts a delivery right, which has to follow at once";
            return Err(Finding::new(Check::Rules, message));
        }
        while self.rest.front().is_some_and(|(_, expected)| *expected == Expected::Nothing) {
            self.rest.pop_front();
        }
        if moment == Some(Moment::Completed) {
            self.rest.clear();
            return Ok(true);
        }
        match self.rest.front() {
            Some((due, expected))
                if Some(*due) == moment
                    && (*expected == Expected::Anything || print.map(Expected::Same) == Some(*expected)) =>
            {
                self.rest.pop_front();
                Ok(true)
            }
            _ if reopened => {
                let message =
                    "the seeds are open: after an amendment everything comes as it was, and this did not";
                Err(Finding::new(Check::Rules, message))
            }
            _ => {
                self.rest.clear();
                Ok(false)
            }
        }
    }
}

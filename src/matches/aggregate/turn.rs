//! The turn of each input: whether it may be decided now, or what the match waits for instead.

use super::Match;
use crate::matches::out_of_turn::out_of_turn;
use crate::matches::{Input, Phase};
use crate::rules::reading::check_reason;
use crate::rules::{Play, Refusal};

impl Match {
    pub(super) fn out_of_turn(&self, problem: &str) -> Refusal {
        out_of_turn(problem, &self.next())
    }

    /// Refuses an input that is not due, in a match that has not finished.
    pub(super) fn refuse_out_of_turn(&self, input: &Input) -> Result<(), Refusal> {
        let phase = self.play.phase();
        let problem = match input {
            Input::Play(Play::SetUp(_)) => self.not_set_up_now(),
            Input::Play(Play::Choose(_)) if phase == Phase::SetUp => self.not_set_up_now(),
            Input::Toss { .. } | Input::ReportedToss { .. } => self.not_tossed_now(),
            Input::TossDecision { .. } => match phase {
                Phase::TossDecision(_) => None,
                Phase::SetUp | Phase::Toss => Some("the toss has not been made"),
                Phase::Play | Phase::Completed(_) | Phase::Abandoned => Some("the toss is decided"),
            },
            Input::Play(_) => return self.refuse_play_out_of_turn(),
            Input::Agreed(_, agreed) => {
                check_reason("as_stood.reason", &agreed.reason)?;
                return self.refuse_play_out_of_turn();
            }
            Input::Review { .. } | Input::Accept { .. } => {
                (phase != Phase::Play).then_some("play has not begun")
            }
            Input::Abandon { reason } => return check_reason("reason", reason),
        };
        problem.map_or(Ok(()), |problem| Err(self.out_of_turn(problem)))
    }

    fn not_set_up_now(&self) -> Option<&'static str> {
        if self.play.phase() != Phase::SetUp {
            return Some("there is nothing to set up");
        }
        let waits = self.remote().waits_for_seeds();
        waits.then_some("a match is set up after both sides have revealed their seeds")
    }

    fn not_tossed_now(&self) -> Option<&'static str> {
        if self.remote().waits_for_seeds() {
            return Some("the toss is made after both sides have revealed their seeds");
        }
        match self.play.phase() {
            Phase::Toss => None,
            Phase::SetUp => Some("the match has to be set up before its toss"),
            Phase::TossDecision(_) | Phase::Play | Phase::Completed(_) | Phase::Abandoned => {
                Some("the toss has been made")
            }
        }
    }

    fn refuse_play_out_of_turn(&self) -> Result<(), Refusal> {
        if self.play.phase() != Phase::Play {
            return Err(self.out_of_turn("play has not begun"));
        }
        self.reviews().refuse_if_open()?;
        self.remote().refuse_if_secret()
    }
}

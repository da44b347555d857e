use super::{Due, Hidden, Part, Step};
use crate::dice::{Deal, Draw, RecordedDice};
use crate::games::{Disagreement, Fixture, Next, Refusal, Why};
use crate::log::{
    Actor, Broken, ChoiceCalled, ChoiceOpened, EventData, Over, Reveal, SeedCommitted, SeedContributed,
    TossDecided, at_format,
};
use crate::scorebook::Side;

/// What is wrong with a recorded event, from what the rules say of it.
fn impossible(refusal: Refusal) -> Disagreement {
    Disagreement::Impossible(Broken::new("data", refusal.message))
}

impl Fixture {
    /// Makes sure that a recorded event of a side can have happened.
    pub(in crate::games) fn check_part(&self, recorded: &EventData) -> Result<(), Disagreement> {
        if let EventData::TokenRotated(rotated) = recorded {
            return self.permit_rotation(Actor::Admin, rotated.role).map_err(impossible);
        }
        self.refuse_if_over().map_err(impossible)?;
        match recorded {
            EventData::SideClaimed(claimed) => {
                self.take_part(claimed.side, &Part::Claim, Hidden::default()).map_err(impossible)?;
            }
            EventData::SeedCommitted(SeedCommitted { side, hash }) => {
                self.check_commitment(*side, hash).map_err(impossible)?;
            }
            EventData::SeedContributed(SeedContributed { side, client_seed }) => {
                self.check_client_seed(*side, client_seed).map_err(|refusal| match refusal.why {
                    Why::IllegalInput => {
                        Disagreement::Unsealed(Broken::new("data.client_seed", refusal.message))
                    }
                    _ => impossible(refusal),
                })?;
            }
            EventData::Choice(choice) => {
                let due =
                    Due { what: choice.what.clone(), innings: Some(choice.innings), over: Some(choice.over) };
                self.check_due(choice.side, &due).map_err(impossible)?;
                self.check_seal(choice.side, &choice.sealed).map_err(impossible)?;
            }
            EventData::ChoiceOpened(opened) => self.check_opened(opened)?,
            EventData::ChoiceCalled(called) => self.check_called(called)?,
            _ => return Err(Disagreement::Impossible(self.not_due(recorded))),
        }
        Ok(())
    }

    fn check_opened(&self, opened: &ChoiceOpened) -> Result<(), Disagreement> {
        let step = Step { what: "", innings: opened.innings, over: opened.over };
        let is_due =
            self.step().is_some_and(|due| Step { what: "", ..due } == step && due.what == opened.what);
        let is_sealed = self.apart.seals[opened.side].as_ref().is_some_and(|seal| !seal.opened);
        if is_due && is_sealed {
            return Ok(());
        }
        let reason = "opens a choice that is not sealed, or open already";
        Err(Disagreement::Impossible(Broken::new("data", reason)))
    }

    fn check_called(&self, called: &ChoiceCalled) -> Result<(), Disagreement> {
        let is_awaited = matches!(self.next(), Next::Choose { side: Some(whose), what, .. }
            if whose == called.on && what == called.what);
        if self.created.remote
            && is_awaited
            && called.by != called.on
            && at_format::read(&called.until).is_some()
        {
            return Ok(());
        }
        let reason = "calls on a side for what the match does not wait for from it";
        Err(Disagreement::Impossible(Broken::new("data", reason)))
    }

    /// Makes sure that the choices an over follows from are those that were sealed, or drawn for one who was called in vain.
    /// Gives what was drawn.
    pub(in crate::games) fn check_reveals(&self, over: &Over) -> Result<Vec<Deal>, Vec<Disagreement>> {
        let unsealed = |reason: String| vec![Disagreement::Unsealed(Broken::new("data.reveals", reason))];
        let step = self.step().filter(|_| self.created.remote || self.apart.has_seals());
        let Some(step) = step else {
            return if over.reveals.is_empty() {
                Ok(Vec::new())
            } else {
                Err(unsealed("nothing was sealed that could be turned up".to_owned()))
            };
        };
        let [home, away] = over.reveals.as_slice() else {
            let reason = format!("the {} of both sides is turned up with the over, home's first", step.what);
            return Err(unsealed(reason));
        };
        let dealt = self.game.dealt(&EventData::Over(over.clone()));
        let mut drawn = Vec::new();
        for (side, reveal) in [(Side::Home, home), (Side::Away, away)] {
            self.check_reveal(side, step, reveal).map_err(unsealed)?;
            if let Some(draw) = reveal.draw {
                let mut dice = RecordedDice::dealing(&[], dealt.clone());
                let again =
                    self.game.draw_choice(side, &mut dice).map_err(|refusal| vec![impossible(refusal)])?;
                if again != reveal.choice {
                    return Err(unsealed(format!(
                        "the {side} side's {} is not what a draw gives",
                        step.what
                    )));
                }
                drawn.extend(dice.deals.into_iter().filter(|deal| draw == deal.draw.into()));
            }
        }
        let mut dice = RecordedDice::dealing(&over.dice, dealt);
        let again = self.turn_up([home.clone(), away.clone()], &mut dice);
        match again.map_err(|refusal| vec![Disagreement::Refused(refusal)])?.into_iter().next() {
            Some(EventData::Over(again)) if again == *over => Ok(drawn),
            again => {
                let seals: Vec<&str> = [&self.apart.seals.home, &self.apart.seals.away]
                    .into_iter()
                    .flatten()
                    .map(|seal| seal.sealed.as_str())
                    .collect();
                let reason = format!("the over does not follow from what was sealed: {}", seals.join(", "));
                let otherwise = again.map(|again| Disagreement::Otherwise(Box::new(again)));
                Err(unsealed(reason).into_iter().chain(otherwise).collect())
            }
        }
    }

    fn check_reveal(&self, side: Side, step: Step, reveal: &Reveal) -> Result<(), String> {
        if reveal.side != side || reveal.what != step.what {
            return Err(format!("home's {} is turned up first, then away's", step.what));
        }
        match (&reveal.salt, &reveal.draw, &self.apart.seals[side]) {
            (None, Some(draw), seal) => {
                let is_silent = seal.as_ref().is_none_or(|seal| !seal.opened);
                let is_called = self.apart.called.as_ref().is_some_and(|called| called.on == side);
                if *draw == Draw::silent(step.innings, step.over).into() && is_silent && is_called {
                    Ok(())
                } else {
                    Err(format!("the {side} side was not called in vain, so nothing is drawn for it"))
                }
            }
            (Some(salt), None, Some(seal)) => {
                let sealed =
                    self.seal_of(side, step, salt, &reveal.choice).map_err(|refusal| refusal.message)?;
                if sealed == seal.sealed {
                    Ok(())
                } else {
                    Err(format!("the {side} side's {} does not fit its seal {}", step.what, seal.sealed))
                }
            }
            _ => Err(format!("the {side} side's {} is turned up with its salt, or was drawn", step.what)),
        }
    }

    /// Makes sure that the toss was decided by its winner, or drawn for a winner who was called in vain.
    pub(in crate::games) fn check_drawn_toss(&self, decided: &TossDecided) -> Result<(), Disagreement> {
        let Some(draw) = decided.draw else { return Ok(()) };
        let is_called = self.apart.called.as_ref().is_some_and(|called| called.on == decided.by);
        if draw == Draw::silent(0, 0).into() && is_called {
            return Ok(());
        }
        let reason = "was drawn, though nobody was called in vain";
        Err(Disagreement::Impossible(Broken::new("data.draw", reason)))
    }
}

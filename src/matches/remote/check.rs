use super::{Due, Hidden, Part, Step};
use crate::dice::{Deals, Draw, RecordedDice};
use crate::log::{
    Broken, Choice, ChoiceCalled, ChoiceOpened, EventData, Reveal, SeedCommitted, SeedContributed,
    TossDecided,
};
use crate::matches::Fixture;
use crate::rules::{Disagreement, Refusal, Why};
use crate::scorebook::{BySide, Side};

/// What is wrong with a recorded event, from what the rules say of it.
fn impossible(refusal: Refusal) -> Disagreement {
    Disagreement::Impossible(Broken::new("data", refusal.message))
}

/// What a recorded choice takes to be due.
fn due_of(choice: &Choice) -> Due {
    Due {
        what: choice.what.clone(),
        innings: Some(choice.innings),
        over: Some(choice.over),
        ball: choice.ball,
    }
}

fn check_ball(said: Option<u32>, step: Step) -> Result<(), Disagreement> {
    if said == step.ball {
        return Ok(());
    }
    Err(Disagreement::Impossible(Broken::new("data.ball", "is not the ball it is for")))
}

impl Fixture {
    /// Makes sure that a recorded choice in the open is due, and its side's.
    pub(in crate::matches) fn check_in_the_open(&self, choice: &Choice) -> Result<(), Disagreement> {
        let broken = |field: &str, reason: &str| Disagreement::Impossible(Broken::new(field, reason));
        if choice.sealed.is_some() {
            return Err(broken("data", "is sealed or in the open, and not both"));
        }
        let Some((side, step)) = self.in_the_open() else {
            return Err(broken("kind", "nothing is chosen in the open here"));
        };
        self.check_claimed(&EventData::Choice(choice.clone()))?;
        if choice.side != side {
            return Err(broken("data.side", "is not the side that chooses this"));
        }
        let is_due = step.is(&choice.what, (choice.innings, choice.over, choice.ball));
        if is_due { Ok(()) } else { Err(broken("data", "is not what is chosen in the open here")) }
    }

    /// Makes sure that a recorded event of a side can have happened.
    pub(in crate::matches) fn check_part(&self, recorded: &EventData) -> Result<(), Disagreement> {
        if let EventData::TokenRotated(rotated) = recorded
            && !self.is_played_out()
        {
            return self.check_token_is_there(rotated.role).map_err(impossible);
        }
        self.refuse_if_over().map_err(impossible)?;
        self.check_claimed(recorded)?;
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
                let step = self.check_due(choice.side, &due_of(choice)).map_err(impossible)?;
                let sealed = choice.sealed.as_deref().unwrap_or_default();
                self.check_seal(choice.side, sealed).map_err(impossible)?;
                check_ball(choice.ball, step)?;
            }
            EventData::ChoiceOpened(opened) => self.check_opened(opened)?,
            EventData::ChoiceCalled(called) => self.check_called(called)?,
            _ => return Err(Disagreement::Impossible(self.not_due(recorded))),
        }
        Ok(())
    }

    /// A side that plays from afar has been claimed before it does anything.
    fn check_claimed(&self, recorded: &EventData) -> Result<(), Disagreement> {
        let side = match recorded {
            EventData::SeedCommitted(committed) => committed.side,
            EventData::Choice(choice) => choice.side,
            EventData::ChoiceCalled(called) => called.by,
            _ => return Ok(()),
        };
        if !self.created.remote || self.is_claimed(side) {
            return Ok(());
        }
        let reason = format!("the {side} side has not been claimed, so nobody can have done this for it");
        Err(Disagreement::Impossible(Broken::new("data.side", reason)))
    }

    fn check_opened(&self, opened: &ChoiceOpened) -> Result<(), Disagreement> {
        let place = (opened.innings, opened.over, opened.ball);
        let is_due = self.step().is_some_and(|due| due.is(&opened.what, place));
        let is_open = |side| self.apart.seals[side].as_ref().map(|seal| seal.opened);
        // When the second is open, the over begins with it.
        if is_due && is_open(opened.side) == Some(false) && is_open(opened.side.other()) != Some(true) {
            return Ok(());
        }
        let reason =
            "opens a choice that is not sealed, or open already, or the second, with which the over begins";
        Err(Disagreement::Impossible(Broken::new("data", reason)))
    }

    fn check_called(&self, called: &ChoiceCalled) -> Result<(), Disagreement> {
        let is_due = self.called_for(called.on).is_ok_and(|what| what == called.what);
        if is_due && called.by != called.on && self.apart.called.is_none() {
            return Ok(());
        }
        let reason = "calls on a side for what the match does not wait for from it, or a second time";
        Err(Disagreement::Impossible(Broken::new("data", reason)))
    }

    /// Makes sure that the choices an over follows from are those that were sealed, or drawn for one who was called in vain.
    /// Gives what was drawn.
    pub(in crate::matches) fn check_reveals(
        &self,
        recorded: &EventData,
    ) -> Result<Vec<Deals>, Vec<Disagreement>> {
        let (reveals, played) = (recorded.reveals(), recorded.played());
        let unsealed = |reason: String| vec![Disagreement::Unsealed(Broken::new("data.reveals", reason))];
        let step = self.step().filter(|_| self.created.remote || self.apart.has_seals());
        let Some(step) = step else {
            return if reveals.is_empty() {
                Ok(Vec::new())
            } else {
                Err(unsealed("nothing was sealed that could be turned up".to_owned()))
            };
        };
        let [home, away] = reveals else {
            let reason = format!("the {} of both sides is turned up here, home's first", step.what);
            return Err(unsealed(reason));
        };
        let dealt = played.map(|played| self.game.dealt(played)).unwrap_or_default();
        for (side, reveal) in [(Side::Home, home), (Side::Away, away)] {
            self.check_reveal(side, step, reveal).map_err(unsealed)?;
        }
        self.check_openings(home, away).map_err(unsealed)?;
        let drawn = self.check_drawn(step, home, away, dealt.clone())?;
        let mut dice = RecordedDice::dealing(played.map_or(&[], |played| played.dice()), dealt);
        let again = self.turn_up([home.clone(), away.clone()], &mut dice, None);
        match again.map_err(|refusal| vec![Disagreement::Refused(refusal)])?.into_iter().next() {
            Some(again) if again == *recorded => Ok(drawn),
            again => {
                let seals: Vec<&str> = [&self.apart.seals.home, &self.apart.seals.away]
                    .into_iter()
                    .flatten()
                    .map(|seal| seal.sealed.as_str())
                    .collect();
                let reason = format!("it does not follow from what was sealed: {}", seals.join(", "));
                let otherwise = again.map(|again| Disagreement::Otherwise(Box::new(again)));
                Err(unsealed(reason).into_iter().chain(otherwise).collect())
            }
        }
    }

    /// When the second of two choices is open the over begins, so one has been open before; those that were drawn never.
    fn check_openings(&self, home: &Reveal, away: &Reveal) -> Result<(), String> {
        let both_drawn = home.draw.is_some() && away.draw.is_some();
        if both_drawn && !self.apart.are_sealed() {
            return Err(
                "nothing is drawn for a side that calls before it has opened its own choice".to_owned()
            );
        }
        let open = |side: Side| usize::from(self.is_open(side));
        if open(Side::Home) + open(Side::Away) == usize::from(home.salt.is_some() || away.salt.is_some()) {
            return Ok(());
        }
        Err("an over begins with the second opening of two, and the first comes before it".to_owned())
    }

    /// What was drawn for sides that were silent, as far as it can be judged without the seed.
    fn check_drawn(
        &self,
        step: Step,
        home: &Reveal,
        away: &Reveal,
        dealt: Vec<(Draw, Vec<u8>)>,
    ) -> Result<Vec<Deals>, Vec<Disagreement>> {
        let silent = BySide { home: home.draw.is_some(), away: away.draw.is_some() };
        if silent == BySide::default() {
            return Ok(Vec::new());
        }
        let mut dice = RecordedDice::dealing(&[], dealt);
        let again = self.game.draw_choices(silent, &mut dice).map_err(|refusal| vec![impossible(refusal)])?;
        for reveal in [home, away].into_iter().filter(|reveal| reveal.draw.is_some()) {
            if again[reveal.side] != reveal.choice {
                let reason = format!("the {} side's {} is not what a draw gives", reveal.side, step.what);
                return Err(vec![Disagreement::Unsealed(Broken::new("data.reveals", reason))]);
            }
        }
        Ok(dice.deals)
    }

    fn check_reveal(&self, side: Side, step: Step, reveal: &Reveal) -> Result<(), String> {
        if reveal.side != side || reveal.what != step.what {
            return Err(format!("home's {} is turned up first, then away's", step.what));
        }
        match (&reveal.salt, &reveal.draw, &self.apart.seals[side]) {
            (None, Some(draw), seal) => {
                let is_silent = seal.as_ref().is_none_or(|seal| !seal.opened);
                let is_called = self.apart.called.is_some();
                if *draw == self.silent_draw(step).into() && is_silent && is_called {
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
    pub(in crate::matches) fn check_drawn_toss(&self, decided: &TossDecided) -> Result<(), Disagreement> {
        let Some(draw) = decided.draw else { return Ok(()) };
        let is_called = self.apart.called.as_ref().is_some_and(|called| called.on == decided.by);
        if draw == Draw::silent(0, 0).into() && is_called {
            return Ok(());
        }
        let reason = "was drawn, though nobody was called in vain";
        Err(Disagreement::Impossible(Broken::new("data.draw", reason)))
    }
}

//! Checks of recorded events of remote play: claims, seeds, choices, calls, and the choices that an over or
//! ball reveals.

use super::decide::add_reveals;
use super::{ClaimedChoice, PendingChoice, Remote};
use crate::dice::{Deals, Dice, Draw, RecordedDice};
use crate::log::{
    Choice, ChoiceCalled, ChoiceOpened, EventData, InvalidEvent, RemoteEvent, Reveal, SeedCommitted,
    SeedContributed, TossDecided, at_format,
};
use crate::rules::{Disagreement, Refusal, RefusalKind};
use crate::scorebook::{BySide, Side};

/// The pending choice that a recorded choice claims.
fn claimed_by(choice: &Choice) -> ClaimedChoice {
    ClaimedChoice {
        what: choice.what.clone(),
        innings: Some(choice.innings),
        over: Some(choice.over),
        ball: choice.ball,
    }
}

fn check_ball(claimed: Option<u32>, pending: PendingChoice) -> Result<(), Disagreement> {
    if claimed == pending.ball {
        return Ok(());
    }
    Err(Disagreement::Impossible(InvalidEvent::new("data.ball", "is not the ball that the choice is for")))
}

impl Remote<'_> {
    /// Checks that a recorded open choice was pending, and is its side's.
    pub(in crate::matches) fn check_open_choice(&self, choice: &Choice) -> Result<(), Disagreement> {
        let invalid = |field: &str, reason: &str| Disagreement::Impossible(InvalidEvent::new(field, reason));
        if choice.sealed.is_some() {
            return Err(invalid("data", "must be a sealed or an open choice, and not both"));
        }
        let Some((side, pending)) = self.open_choice() else {
            return Err(invalid("kind", "the match waited for no open choice"));
        };
        self.check_acts(choice.side)?;
        if choice.side != side {
            return Err(invalid("data.side", "is not the side that makes this choice"));
        }
        let is_pending = pending.is(&choice.what, (choice.innings, choice.over, choice.ball));
        if is_pending {
            Ok(())
        } else {
            Err(invalid("data", "is not the open choice that the match waited for"))
        }
    }

    /// Checks that a recorded event of remote play could happen now; of a choice, a sealed one.
    pub(in crate::matches) fn check(&self, recorded: RemoteEvent<'_>) -> Result<(), Disagreement> {
        if let RemoteEvent::TokenRotated(rotated) = recorded
            && !self.reviews.is_played_out()
        {
            return self.check_token_exists(rotated.role).map_err(Disagreement::impossible);
        }
        self.reviews.refuse_if_finished().map_err(Disagreement::impossible)?;
        match recorded {
            RemoteEvent::SideClaimed(claimed) => {
                self.claim(claimed.side).map(drop).map_err(Disagreement::impossible)
            }
            RemoteEvent::TokenRotated(rotated) => {
                self.check_token_exists(rotated.role).map_err(Disagreement::impossible)
            }
            RemoteEvent::SeedCommitted(SeedCommitted { side, hash }) => {
                self.check_acts(*side)?;
                self.check_commitment(*side, hash).map_err(Disagreement::impossible)
            }
            RemoteEvent::SeedContributed(SeedContributed { side, client_seed }) => {
                self.check_client_seed(*side, client_seed).map_err(|refusal| match refusal.kind {
                    RefusalKind::IllegalInput => {
                        Disagreement::Unsealed(InvalidEvent::new("data.client_seed", refusal.message))
                    }
                    _ => Disagreement::impossible(refusal),
                })
            }
            RemoteEvent::Choice(choice) => {
                self.check_acts(choice.side)?;
                let pending = self
                    .check_claimed_choice(choice.side, &claimed_by(choice))
                    .map_err(Disagreement::impossible)?;
                let sealed = choice.sealed.as_deref().unwrap_or_default();
                self.check_seal(choice.side, sealed).map_err(Disagreement::impossible)?;
                check_ball(choice.ball, pending)
            }
            RemoteEvent::ChoiceOpened(opened) => self.check_opened(opened),
            RemoteEvent::ChoiceCalled(called) => {
                self.check_acts(called.by)?;
                self.check_called(called)
            }
        }
    }

    /// Checks that a side has been claimed in remote play, so that somebody can have acted for it.
    fn check_acts(&self, side: Side) -> Result<(), Disagreement> {
        if !self.is_remote() || self.is_claimed(side) {
            return Ok(());
        }
        let reason = format!("the {side} side has not been claimed, so nobody can have done this for it");
        Err(Disagreement::Impossible(InvalidEvent::new("data.side", reason)))
    }

    fn check_opened(&self, opened: &ChoiceOpened) -> Result<(), Disagreement> {
        let place = (opened.innings, opened.over, opened.ball);
        let is_pending = self.secret_choice().is_some_and(|pending| pending.is(&opened.what, place));
        let is_open = |side| self.state.seals[side].as_ref().map(|seal| seal.opened);
        // The second opening is not recorded: the over begins with it.
        if is_pending && is_open(opened.side) == Some(false) && is_open(opened.side.other()) != Some(true) {
            return Ok(());
        }
        let reason = "opens a choice that is not sealed, or is already open, or is the second one, which begins the over";
        Err(Disagreement::Impossible(InvalidEvent::new("data", reason)))
    }

    fn check_called(&self, called: &ChoiceCalled) -> Result<(), Disagreement> {
        let is_pending = self.awaited_from(called.on).is_ok_and(|what| what == called.what);
        if !is_pending || called.by == called.on || self.state.deadline.is_some() {
            let reason =
                "calls on a side for a choice that the match does not wait for, or calls a second time";
            return Err(Disagreement::Impossible(InvalidEvent::new("data", reason)));
        }
        let no_time = || {
            let reason = format!("{:?} is not a time in the form of a log", called.until);
            Disagreement::Impossible(InvalidEvent::new("data.until", reason))
        };
        at_format::read(&called.until).map(drop).ok_or_else(no_time)
    }

    /// Checks that the choices behind an over or a ball are those that were sealed, or those drawn for a side
    /// that timed out. Returns the deals of such draws.
    pub(in crate::matches) fn check_reveals(
        &self,
        recorded: &EventData,
    ) -> Result<Vec<Deals>, Vec<Disagreement>> {
        let (reveals, played) = (recorded.reveals(), recorded.play());
        let unsealed =
            |reason: String| vec![Disagreement::Unsealed(InvalidEvent::new("data.reveals", reason))];
        let pending = self.secret_choice().filter(|_| self.chooses_in_secret());
        let Some(pending) = pending else {
            return if reveals.is_empty() {
                Ok(Vec::new())
            } else {
                Err(unsealed("no sealed choice can be revealed here".to_owned()))
            };
        };
        let [home, away] = reveals else {
            let reason = format!("the {} of both sides has to be revealed here, home's first", pending.what);
            return Err(unsealed(reason));
        };
        let dealt = played.map(|played| self.play.dealt(played)).unwrap_or_default();
        for (side, reveal) in [(Side::Home, home), (Side::Away, away)] {
            self.check_reveal(side, pending, reveal).map_err(unsealed)?;
        }
        self.check_openings(home, away).map_err(unsealed)?;
        let drawn = self.check_drawn(pending, home, away, dealt.clone())?;
        let mut dice = RecordedDice::dealing(played.map_or(&[], |played| played.dice()), dealt);
        let decided = self.first_revealed([home.clone(), away.clone()], &mut dice);
        match decided.map_err(|refusal| vec![Disagreement::Refused(refusal)])? {
            Some(decided) if decided == *recorded => Ok(drawn),
            decided => {
                let seals: Vec<&str> = [&self.state.seals.home, &self.state.seals.away]
                    .into_iter()
                    .flatten()
                    .map(|seal| seal.sealed.as_str())
                    .collect();
                let reason = format!("it does not follow from the sealed choices: {}", seals.join(", "));
                let otherwise = decided.map(|decided| Disagreement::Otherwise(Box::new(decided)));
                Err(unsealed(reason).into_iter().chain(otherwise).collect())
            }
        }
    }

    /// The first event that follows from two choices, home's first.
    fn first_revealed(
        &self,
        reveals: [Reveal; 2],
        dice: &mut dyn Dice,
    ) -> Result<Option<EventData>, Refusal> {
        let play = self.play_revealed(&reveals, dice)?;
        let mut decided = self.play.game().decide(play, dice)?.events;
        add_reveals(&mut decided, reveals);
        Ok(decided.into_iter().next())
    }

    /// Checks that exactly one choice was opened before, unless both were drawn: the second opening begins
    /// the over.
    fn check_openings(&self, home: &Reveal, away: &Reveal) -> Result<(), String> {
        let both_drawn = home.draw.is_some() && away.draw.is_some();
        if both_drawn && !self.state.are_sealed() {
            return Err(
                "no choice is drawn for a side that calls before it has opened its own choice".to_owned()
            );
        }
        let open = |side: Side| usize::from(self.is_open(side));
        if open(Side::Home) + open(Side::Away) == usize::from(home.salt.is_some() || away.salt.is_some()) {
            return Ok(());
        }
        Err("an over begins with the second opening of two, and the first comes before it".to_owned())
    }

    /// Checks the choices drawn for sides that timed out, as far as possible without the seed.
    fn check_drawn(
        &self,
        pending: PendingChoice,
        home: &Reveal,
        away: &Reveal,
        dealt: Vec<(Draw, Vec<u8>)>,
    ) -> Result<Vec<Deals>, Vec<Disagreement>> {
        let timed_out = BySide { home: home.draw.is_some(), away: away.draw.is_some() };
        if timed_out == BySide::default() {
            return Ok(Vec::new());
        }
        let mut dice = RecordedDice::dealing(&[], dealt);
        let decided = self.choices().and_then(|remote| remote.draw_for(timed_out, &mut dice));
        let decided = decided.map_err(|refusal| vec![Disagreement::impossible(refusal)])?;
        for reveal in [home, away].into_iter().filter(|reveal| reveal.draw.is_some()) {
            if decided[reveal.side] != reveal.choice {
                let reason = format!("the {} side's {} is not what a draw gives", reveal.side, pending.what);
                return Err(vec![Disagreement::Unsealed(InvalidEvent::new("data.reveals", reason))]);
            }
        }
        Ok(dice.deals)
    }

    fn check_reveal(&self, side: Side, pending: PendingChoice, reveal: &Reveal) -> Result<(), String> {
        if reveal.side != side || reveal.what != pending.what {
            return Err(format!("home's {} is revealed first, then away's", pending.what));
        }
        match (&reveal.salt, &reveal.draw, &self.state.seals[side]) {
            (None, Some(draw), seal) => {
                let has_not_opened = seal.as_ref().is_none_or(|seal| !seal.opened);
                let has_deadline = self.state.deadline.is_some();
                if *draw == self.timeout_draw(pending).into() && has_not_opened && has_deadline {
                    Ok(())
                } else {
                    Err(format!("the {side} side has not timed out, so no choice is drawn for it"))
                }
            }
            (Some(salt), None, Some(seal)) => {
                let sealed =
                    self.seal_of(side, pending, salt, &reveal.choice).map_err(|refusal| refusal.message)?;
                if sealed == seal.sealed {
                    Ok(())
                } else {
                    Err(format!("the {side} side's {} does not fit its seal {}", pending.what, seal.sealed))
                }
            }
            _ => {
                Err(format!("the {side} side's {} has to be revealed with its salt, or drawn", pending.what))
            }
        }
    }

    /// Checks that the toss was decided by its winner, or drawn after the winner timed out.
    pub(in crate::matches) fn check_drawn_toss(&self, decided: &TossDecided) -> Result<(), Disagreement> {
        let Some(draw) = decided.draw else { return Ok(()) };
        let has_deadline = self.state.deadline.as_ref().is_some_and(|deadline| deadline.side == decided.by);
        if draw == Draw::timeout_over(0, 0).into() && has_deadline {
            return Ok(());
        }
        let reason = "was drawn, but no side had timed out";
        Err(Disagreement::Impossible(InvalidEvent::new("data.draw", reason)))
    }
}

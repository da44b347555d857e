//! The void play of a log, as an audit keeps it.

use super::ExceptionFound;
use crate::log::{AgreedOutcome, InvalidEvent, LiveEvent};
use crate::matches::follow_up::VoidedPlay;
use crate::matches::refit::KeptPlay;
use crate::matches::{History, MadeChoices, Match};
use crate::rules::agreed_of;

/// The choices of the live events from this one on, each on the match before it.
pub(super) fn voided_choices(
    history: &History<Match, VoidedPlay>,
    from_seq: u64,
) -> Result<Vec<LiveEvent<MadeChoices>>, InvalidEvent> {
    let live = history.live();
    let choices = |(at, event): (usize, &LiveEvent<VoidedPlay>)| {
        let kept = event.kept.made(&history.state_after(at)?);
        Ok(LiveEvent { seq: event.seq, subject: event.subject, shows: event.shows, kept })
    };
    (live.before(from_seq)..).zip(live.from(from_seq)).map(choices).collect()
}

/// What a refit keeps of the live events from this one on, which have these agreed outcomes.
pub(super) fn kept_play(
    history: &History<Match, VoidedPlay>,
    from_seq: u64,
    agreed: &[ExceptionFound],
) -> Result<Vec<KeptPlay>, InvalidEvent> {
    let live = history.live();
    let keep = |(at, event): (usize, &LiveEvent<VoidedPlay>)| {
        Ok(event.kept.kept(&history.state_after(at)?, event.seq, agreed_on(agreed, event.seq)))
    };
    (live.before(from_seq)..).zip(live.from(from_seq)).map(keep).collect()
}

/// The outcome that the table had agreed on, of the ball with this seq.
pub(super) fn agreed_on(agreed: &[ExceptionFound], seq: u64) -> Option<AgreedOutcome> {
    let found = agreed.iter().find(|exception| exception.seq == seq)?;
    Some(AgreedOutcome { faces: found.faces.clone(), ..agreed_of(&found.stands, &found.reason) })
}

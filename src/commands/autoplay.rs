use super::Until;
use crate::dice::ServerSeed;
use crate::log::EventData;
use crate::matches::{Decided, Match};
use crate::rules::{Place, Refusal, RefusalKind};

/// Plays on with default inputs and the dice of the seed, until a point is reached.
pub(super) fn autoplay(
    the_match: &Match,
    until: Until,
    seed: Option<&ServerSeed>,
) -> Result<Decided, Refusal> {
    let Some(seed) = seed else {
        let message = "autoplay rolls the dice, and the dice of this match are rolled at the table";
        return Err(Refusal::new(RefusalKind::IllegalInput, Place::Input, message));
    };
    let mut dice = the_match.remote().dice(seed);
    let mut played = Decided::nothing(the_match);
    let mut begun_at = None;
    loop {
        let place = played.after.play().next_over();
        let next = played.after.decide(played.after.default_input(), &mut dice, Some(seed))?;
        let bowled = next.events.iter().any(|event| matches!(event, EventData::Ball(_)));
        played.go_on(next);
        if bowled {
            begun_at.get_or_insert(place);
        }
        // A decision that can be reviewed is accepted before autoplay stops.
        let is_decided = played.after.reviews().open().is_none();
        if begun_at.is_some_and(|begun| is_decided && is_reached(until, begun, &played.after)) {
            return Ok(played);
        }
    }
}

fn is_reached(until: Until, (innings, over): (u16, u16), current: &Match) -> bool {
    let play = current.play();
    play.has_finished()
        || match until {
            Until::Ball => true,
            Until::Over => play.next_over() != (innings, over),
            Until::Innings => play.next_over().0 != innings,
            Until::Match => false,
        }
}

//! The type-erased form of a game: a match of any game behind one trait object, [`DynGame`].

use std::sync::Arc;

use serde_json::Value;
use smallvec::SmallVec;

use super::agreed_outcome::{agreed_of, agreed_outcome};
use super::{
    ChoiceKind, Choices, Edition, Next, Place, Play, Refusal, RefusalKind, ReviewCard, ReviewRulings,
    Reviewable, Rules,
};
use crate::dice::{Deals, Dice, Draw, RecordedDice, SeededDice};
use crate::log::{AgreedOutcome, AgreementNote, Ball, EventData, InvalidEvent, MatchCreated, RecordedPlay};
use crate::scorebook::{BySide, InningsTally, MatchResult, MatchTally, Outcome, Side};

/// The decision of a game on an input: its events, and the state after them.
pub struct GameDecided {
    /// The events, in order.
    pub events: Vec<EventData>,
    /// The state after the last of them.
    pub after: Box<dyn DynGame>,
}

/// A disagreement between the log and the rules: what the rules decide instead of the recorded event.
#[derive(Debug, Clone, PartialEq)]
pub enum Disagreement {
    /// The recorded choices and dice give another event by the rules.
    Otherwise(Box<EventData>),
    /// The rules refuse the recorded event.
    Refused(Refusal),
    /// The recorded event cannot have happened.
    Impossible(InvalidEvent),
    /// A revealed choice is not the one that was sealed, or a seed not the one that was committed to.
    Unsealed(InvalidEvent),
}

impl Disagreement {
    /// The disagreement as a fault of the event.
    pub fn into_invalid(self) -> InvalidEvent {
        match self {
            Disagreement::Otherwise(event) => {
                InvalidEvent::new("data", format!("the rules come to {} here", event.kind()))
            }
            Disagreement::Refused(refusal) => InvalidEvent::new("data", refusal.message),
            Disagreement::Impossible(invalid) | Disagreement::Unsealed(invalid) => invalid,
        }
    }
}

/// A match of some game in play: [`Rules`] without their types.
pub trait DynGame: Send + Sync {
    /// See [`Rules::start`].
    fn start(&mut self, bats_first: Side);
    /// See [`Rules::set_up`].
    fn set_up(&self) -> Option<Next>;
    /// See [`Rules::next`].
    fn next(&self) -> Next;
    /// See [`Rules::result`].
    fn result(&self) -> Option<MatchResult>;
    /// See [`Rules::target`].
    fn target(&self) -> Option<u32>;
    /// See [`Rules::position`].
    fn position(&self) -> (u16, u16);
    /// Decides an input, records its events, and applies them to a copy.
    fn decide(&self, play: Play, dice: &mut dyn Dice) -> Result<GameDecided, Refusal>;
    /// Decides a ball with an agreed outcome.
    fn decide_agreed(
        &self,
        choices: Choices,
        agreed: &AgreedOutcome,
        dice: &mut dyn Dice,
    ) -> Result<GameDecided, Refusal>;
    /// Admits a recorded event, and applies it.
    fn replay(&mut self, recorded: &EventData) -> Result<(), InvalidEvent>;
    /// Decides a recorded event again, with its own choices and dice, and applies it if the decision is
    /// equal. Returns the deals of the event.
    fn verify(&mut self, recorded: &EventData) -> Result<Vec<Deals>, Vec<Disagreement>>;
    /// Plays a match from its first ball to the end, by [`Rules::simulate_ball`], and only counts it.
    fn simulate_match(
        &self,
        bats_first: Side,
        policies: BySide<usize>,
        dice: &mut SeededDice,
    ) -> Result<MatchTally, Refusal>;
    /// See [`Rules::AUTOPLAY`].
    fn autoplay(&self) -> usize;
    /// See [`Rules::secret`].
    fn secret(&self) -> Option<ChoiceKind>;
    /// See [`Rules::open_choice`].
    fn open_choice(&self) -> Option<(Side, ChoiceKind)>;
    /// See [`Rules::on_timeout`].
    fn on_timeout(&self) -> Play;
    /// See [`Rules::hand`].
    fn hand(&self, side: Side, dice: &mut dyn Dice) -> Result<Value, Refusal>;
    /// See [`Rules::choose`].
    fn choose(&self, side: Side, given: &Choices, dice: &mut dyn Dice) -> Result<Choices, Refusal>;
    /// See [`Rules::draw_choices`].
    fn draw_choices(&self, timed_out: BySide<bool>, dice: &mut dyn Dice) -> Result<BySide<Choices>, Refusal>;
    /// See [`Rules::reveal`].
    fn reveal(&self, choices: BySide<Choices>) -> Play;
    /// See [`Rules::is_chosen_by`].
    fn is_chosen_by(&self, choice: &str, side: Side) -> bool;
    /// See [`Rules::dealt`].
    fn dealt(&self, recorded: RecordedPlay<'_>) -> Vec<(Draw, Vec<u8>)>;
    /// See [`Rules::REVIEWS`].
    fn review_rulings(&self) -> Option<&'static ReviewRulings>;
    /// See [`Rules::review_card`].
    fn review_card(&self) -> Option<ReviewCard>;
    /// See [`Rules::reviewable`].
    fn reviewable(&self, ball: &Ball) -> Option<Reviewable>;
    /// A copy of the game in play.
    fn boxed(&self) -> Box<dyn DynGame>;
}

impl Clone for Box<dyn DynGame> {
    fn clone(&self) -> Self {
        self.as_ref().boxed()
    }
}

struct Erased<R: Rules>(R::State);

pub(super) fn open<R: Rules>(
    created: &Arc<MatchCreated>,
    edition: Option<&Edition>,
) -> Result<Box<dyn DynGame>, Refusal> {
    Ok(Box::new(Erased::<R>(R::open(created, edition)?)))
}

impl<R: Rules> DynGame for Erased<R> {
    fn start(&mut self, bats_first: Side) {
        R::start(&mut self.0, bats_first);
    }

    fn set_up(&self) -> Option<Next> {
        R::set_up(&self.0)
    }

    fn next(&self) -> Next {
        R::next(&self.0)
    }

    fn result(&self) -> Option<MatchResult> {
        R::result(&self.0)
    }

    fn target(&self) -> Option<u32> {
        R::target(&self.0)
    }

    fn position(&self) -> (u16, u16) {
        R::position(&self.0)
    }

    fn decide(&self, play: Play, dice: &mut dyn Dice) -> Result<GameDecided, Refusal> {
        let mut state = self.0.clone();
        let mut events = Vec::new();
        for event in R::decide(&self.0, play, dice)? {
            events.push(R::record(&state, &event));
            R::evolve(&mut state, &event);
        }
        Ok(GameDecided { events, after: Box::new(Erased::<R>(state)) })
    }

    fn decide_agreed(
        &self,
        choices: Choices,
        agreed: &AgreedOutcome,
        dice: &mut dyn Dice,
    ) -> Result<GameDecided, Refusal> {
        let mut state = self.0.clone();
        let mut events = Vec::new();
        for event in R::decide(&self.0, Play::Ball(choices), dice)? {
            let (recorded, event) = match R::record(&state, &event) {
                EventData::Ball(by_rules) => with_agreed_outcome::<R>(&state, by_rules, agreed)?,
                other => (other, event),
            };
            events.push(recorded);
            R::evolve(&mut state, &event);
        }
        Ok(GameDecided { events, after: Box::new(Erased::<R>(state)) })
    }

    fn replay(&mut self, recorded: &EventData) -> Result<(), InvalidEvent> {
        let event = R::admit(&self.0, play_of(recorded)?)?;
        R::evolve(&mut self.0, &event);
        Ok(())
    }

    fn verify(&mut self, recorded: &EventData) -> Result<Vec<Deals>, Vec<Disagreement>> {
        let (event, deals) = self.check_decided(recorded)?;
        R::evolve(&mut self.0, &event);
        Ok(deals)
    }

    fn autoplay(&self) -> usize {
        R::AUTOPLAY
    }

    fn secret(&self) -> Option<ChoiceKind> {
        R::secret(&self.0)
    }

    fn open_choice(&self) -> Option<(Side, ChoiceKind)> {
        R::open_choice(&self.0)
    }

    fn on_timeout(&self) -> Play {
        R::on_timeout(&self.0)
    }

    fn hand(&self, side: Side, dice: &mut dyn Dice) -> Result<Value, Refusal> {
        R::hand(&self.0, side, dice)
    }

    fn choose(&self, side: Side, given: &Choices, dice: &mut dyn Dice) -> Result<Choices, Refusal> {
        R::choose(&self.0, side, given, dice)
    }

    fn draw_choices(&self, timed_out: BySide<bool>, dice: &mut dyn Dice) -> Result<BySide<Choices>, Refusal> {
        R::draw_choices(&self.0, timed_out, dice)
    }

    fn reveal(&self, choices: BySide<Choices>) -> Play {
        R::reveal(&self.0, choices)
    }

    fn is_chosen_by(&self, choice: &str, side: Side) -> bool {
        R::is_chosen_by(&self.0, choice, side)
    }

    fn dealt(&self, recorded: RecordedPlay<'_>) -> Vec<(Draw, Vec<u8>)> {
        R::dealt(&self.0, recorded)
    }

    fn review_rulings(&self) -> Option<&'static ReviewRulings> {
        R::REVIEWS
    }

    fn review_card(&self) -> Option<ReviewCard> {
        R::review_card(&self.0)
    }

    fn reviewable(&self, ball: &Ball) -> Option<Reviewable> {
        R::reviewable(&self.0, ball)
    }

    fn simulate_match(
        &self,
        bats_first: Side,
        policies: BySide<usize>,
        dice: &mut SeededDice,
    ) -> Result<MatchTally, Refusal> {
        let mut state = self.0.clone();
        R::start(&mut state, bats_first);
        let mut innings: SmallVec<[InningsTally; 4]> = SmallVec::new();
        loop {
            let played = usize::from(R::position(&state).0);
            if innings.len() < played {
                innings.resize(played, InningsTally::default());
            }
            R::simulate_ball(&mut state, dice, policies, &mut innings[played - 1])?;
            if let Some(result) = R::result(&state) {
                return Ok(MatchTally { bats_first, innings, result });
            }
        }
    }

    fn boxed(&self) -> Box<dyn DynGame> {
        Box::new(Erased::<R>(self.0.clone()))
    }
}

impl<R: Rules> Erased<R> {
    /// The recorded event and its deals, if the rules decide it too.
    fn check_decided(&self, recorded: &EventData) -> Result<(R::Event, Vec<Deals>), Vec<Disagreement>> {
        let played = play_of(recorded).map_err(|invalid| vec![Disagreement::Impossible(invalid)])?;
        let play = match played {
            RecordedPlay::SetUp(set_up) => Play::SetUp(set_up.choices.clone()),
            RecordedPlay::Over(over) => Play::Over(over.choices.clone()),
            RecordedPlay::Roll(roll) => Play::Ball(roll.choices.clone()),
            RecordedPlay::Ball(ball) => Play::Ball(ball.choices.clone()),
            RecordedPlay::Choice(choice) => Play::Choose(choice.choice.clone().unwrap_or_default()),
        };
        let mut dice = RecordedDice::dealing(played.dice(), R::dealt(&self.0, played));
        let admitted = R::admit(&self.0, played);
        if let RecordedPlay::Ball(Ball { as_stood: Some(as_stood), .. }) = played {
            return self.check_agreed_outcome(recorded, as_stood, play, &mut dice, admitted);
        }
        let decided = match R::decide(&self.0, play, &mut dice) {
            Ok(decided) => decided,
            Err(refusal) => {
                // A fault of the event's place explains more than a refusal that follows from it.
                let out_of_place =
                    admitted.err().filter(|invalid| !invalid.field.starts_with("data.choices"));
                let out_of_place = out_of_place.map(Disagreement::Impossible);
                return Err(out_of_place.into_iter().chain([Disagreement::Refused(refusal)]).collect());
            }
        };
        match (decided.as_slice(), admitted) {
            ([by_rules], Ok(event)) if *by_rules == event => Ok((event, dice.deals)),
            // The ball would need an over first, or the over is no over.
            ([first, ..], _) if R::record(&self.0, first) != *recorded => {
                Err(vec![Disagreement::Otherwise(Box::new(R::record(&self.0, first)))])
            }
            (_, Err(invalid)) => Err(vec![Disagreement::Impossible(invalid)]),
            (_, Ok(_)) => Err(vec![Disagreement::Impossible(InvalidEvent::new(
                "data",
                "is not what the rules come to",
            ))]),
        }
    }
}

impl<R: Rules> Erased<R> {
    /// The recorded ball with an agreed outcome and its deals, if the rules come to the outcome that it says
    /// they do.
    fn check_agreed_outcome(
        &self,
        recorded: &EventData,
        as_stood: &AgreementNote,
        play: Play,
        dice: &mut RecordedDice<'_>,
        admitted: Result<R::Event, InvalidEvent>,
    ) -> Result<(R::Event, Vec<Deals>), Vec<Disagreement>> {
        let (Play::Ball(choices), EventData::Ball(Ball { outcome, .. })) = (play, recorded) else {
            return Err(vec![Disagreement::Impossible(InvalidEvent::new("kind", "is no ball"))]);
        };
        let agreed = agreed_of(outcome, &as_stood.reason);
        let decided = self.decide_agreed(choices, &agreed, dice);
        let decided = decided.map_err(|refusal| vec![Disagreement::Refused(refusal)])?;
        match (decided.events.first(), admitted) {
            (Some(redecided), Ok(event)) if redecided == recorded => {
                Ok((event, std::mem::take(&mut dice.deals)))
            }
            (Some(redecided), Ok(_)) => Err(vec![Disagreement::Otherwise(Box::new(redecided.clone()))]),
            (_, Err(invalid)) => Err(vec![Disagreement::Impossible(invalid)]),
            (None, Ok(_)) => {
                Err(vec![Disagreement::Impossible(InvalidEvent::new("data", "follows from nothing"))])
            }
        }
    }
}

/// The record of a ball with an agreed outcome, and its event.
fn with_agreed_outcome<R: Rules>(
    state: &R::State,
    by_rules: Ball,
    agreed: &AgreedOutcome,
) -> Result<(EventData, R::Event), Refusal> {
    let outcome = agreed_outcome(&by_rules.outcome, agreed)?;
    let is_by_rules =
        Outcome { rulings: by_rules.outcome.rulings.clone(), ..outcome.clone() } == by_rules.outcome;
    let refuse = |field: &str, message: String| {
        Refusal::new(RefusalKind::IllegalInput, Place::Field(format!("as_stood.{field}")), message)
    };
    if is_by_rules {
        let message = "the rules come to just this; leave as_stood out".to_owned();
        return Err(refuse("outcome", message));
    }
    let as_stood = AgreementNote { reason: agreed.reason.clone(), by_rules: by_rules.outcome };
    let ball = Ball { outcome, as_stood: Some(Box::new(as_stood)), ..by_rules };
    let event = R::admit(state, RecordedPlay::Ball(&ball)).map_err(|invalid| {
        let field = invalid.field.strip_prefix("data.").unwrap_or("outcome");
        let message = format!("{}: {}", field.trim_start_matches("outcome."), invalid.reason);
        refuse(field, message)
    })?;
    Ok((EventData::Ball(ball), event))
}

fn play_of(recorded: &EventData) -> Result<RecordedPlay<'_>, InvalidEvent> {
    let reason = || format!("{} is no event of play", recorded.kind());
    recorded.play().ok_or_else(|| InvalidEvent::new("kind", reason()))
}

//! The type-erased form of a game: a match of any game behind one trait object, [`DynGame`].

use std::any::Any;
use std::sync::Arc;

use smallvec::SmallVec;

use super::agreed_outcome::{agreed_of, agreed_outcome};
use super::{
    Asking, ChoiceOffers, Choices, Describe, DiceAlone, Edition, MatchPosition, Next, Place, Play, Refusal,
    RefusalKind, RemoteChoices, ReviewRules, Rules, Simulate,
};
use crate::dice::{Deals, Dice, Draw, RecordedDice, SeededDice};
use crate::log::{AgreedOutcome, AgreementNote, Ball, EventData, InvalidEvent, MatchCreated, RecordedPlay};
use crate::scorebook::{BySide, InningsTally, MatchTally, Outcome, Side};

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
    /// The disagreement about an event that could not happen, since this refusal would have met it.
    pub fn impossible(refusal: Refusal) -> Disagreement {
        Disagreement::Impossible(InvalidEvent::new("data", refusal.message))
    }

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

/// A match of some game in play: the state of its [`Rules`] without their types.
pub trait DynGame: Any + Send + Sync {
    /// See [`Rules::start`].
    fn start(&mut self, bats_first: Side);
    /// See [`Rules::next`].
    fn next(&self) -> Next;
    /// See [`Rules::position`].
    fn position(&self) -> MatchPosition;
    /// Decides an input, records its events, and applies them to a copy.
    fn decide(&self, play: Play, dice: &mut dyn Dice) -> Result<GameDecided, Refusal>;
    /// Decides a ball with an agreed outcome.
    fn decide_agreed(
        &self,
        choices: Choices,
        agreed: &AgreedOutcome,
        dice: &mut dyn Dice,
    ) -> Result<GameDecided, Refusal>;
    /// See [`Rules::unknown_ball`].
    fn decide_unknown(&self) -> Result<GameDecided, Refusal>;
    /// See [`Rules::end_innings`].
    fn end_innings(&mut self);
    /// Admits a recorded event, and applies it.
    fn replay(&mut self, recorded: &EventData) -> Result<(), InvalidEvent>;
    /// Decides a recorded event again, with its own choices and dice, and applies it if the decision is
    /// equal. Returns the deals of the event.
    fn verify(&mut self, recorded: &EventData) -> Result<Vec<Deals>, Vec<Disagreement>>;
    /// See [`Rules::dealt`].
    fn dealt(&self, recorded: RecordedPlay<'_>) -> Vec<(Draw, Vec<u8>)>;
    /// See [`Describe::offers`].
    fn offers(&self, made: &Choices, dice: &[i64]) -> ChoiceOffers;
    /// See [`Rules::remote`].
    fn remote(&self) -> Option<&dyn RemoteChoices>;
    /// See [`Rules::reviews`].
    fn reviews(&self) -> Option<&dyn ReviewRules>;
    /// See [`Rules::dice_alone`].
    fn dice_alone(&self) -> Option<&dyn DiceAlone>;
    /// What the game asks of those who score it.
    fn asking(&self) -> &dyn Asking;
    /// See [`Describe::cards`].
    fn cards(&self, ball: &Ball) -> Option<String>;
    /// The default of every choice of the next ball, by the policy [`Simulate::AUTOPLAY`].
    fn autoplay(&self) -> Play;
    /// Plays a match from its first ball to the end, by [`Simulate::simulate_ball`], and only counts it.
    fn simulate_match(
        &self,
        bats_first: Side,
        policies: BySide<usize>,
        dice: &mut SeededDice,
    ) -> Result<MatchTally, Refusal>;
    /// A copy of the game in play.
    fn boxed(&self) -> Box<dyn DynGame>;
    /// Whether another game is the same one, in an equal state.
    fn is_equal(&self, other: &dyn DynGame) -> bool;
}

impl PartialEq for dyn DynGame {
    fn eq(&self, other: &dyn DynGame) -> bool {
        self.is_equal(other)
    }
}

impl Clone for Box<dyn DynGame> {
    fn clone(&self) -> Self {
        self.as_ref().boxed()
    }
}

struct Erased<R: Rules>(R);

pub(super) fn open<R: Simulate + Describe + Asking>(
    created: &Arc<MatchCreated>,
    edition: Option<&Edition>,
) -> Result<Box<dyn DynGame>, Refusal> {
    Ok(Box::new(Erased(R::open(created, edition)?)))
}

impl<R: Simulate + Describe + Asking> DynGame for Erased<R> {
    fn start(&mut self, bats_first: Side) {
        self.0.start(bats_first);
    }

    fn next(&self) -> Next {
        self.0.next()
    }

    fn position(&self) -> MatchPosition {
        self.0.position()
    }

    fn decide(&self, play: Play, dice: &mut dyn Dice) -> Result<GameDecided, Refusal> {
        let mut state = self.0.clone();
        let mut events = Vec::new();
        for event in self.0.decide(play, dice)? {
            events.push(state.record(&event));
            state.apply(&event);
        }
        Ok(GameDecided { events, after: Box::new(Erased(state)) })
    }

    fn decide_agreed(
        &self,
        choices: Choices,
        agreed: &AgreedOutcome,
        dice: &mut dyn Dice,
    ) -> Result<GameDecided, Refusal> {
        let mut state = self.0.clone();
        let mut events = Vec::new();
        for event in self.0.decide(Play::Ball(choices), dice)? {
            let recorded = match state.record(&event) {
                EventData::Ball(by_rules) => {
                    let (ball, after) = with_agreed_outcome(state, by_rules, agreed)?;
                    state = after;
                    EventData::Ball(ball)
                }
                other => {
                    state.apply(&event);
                    other
                }
            };
            events.push(recorded);
        }
        Ok(GameDecided { events, after: Box::new(Erased(state)) })
    }

    fn decide_unknown(&self) -> Result<GameDecided, Refusal> {
        let event = self.unknown_ball()?;
        let mut state = self.0.clone();
        state.apply(&event);
        Ok(GameDecided { events: vec![self.0.record(&event)], after: Box::new(Erased(state)) })
    }

    fn end_innings(&mut self) {
        self.0.end_innings();
    }

    fn replay(&mut self, recorded: &EventData) -> Result<(), InvalidEvent> {
        let played = play_of(recorded)?;
        let event = match played {
            RecordedPlay::Ball(Ball { unknown: true, .. }) => {
                self.check_unknown(recorded).map_err(Disagreement::into_invalid)?
            }
            _ => self.0.admit(played)?,
        };
        self.0.apply(&event);
        self.let_face(recorded).ok_or_else(|| InvalidEvent::new("data.as_stood.faces", NOT_AT_THE_WICKET))
    }

    fn verify(&mut self, recorded: &EventData) -> Result<Vec<Deals>, Vec<Disagreement>> {
        let (event, deals) = self.check_decided(recorded)?;
        self.0.apply(&event);
        let faces = self.let_face(recorded);
        let invalid = || InvalidEvent::new("data.as_stood.faces", NOT_AT_THE_WICKET);
        faces.map(|()| deals).ok_or_else(|| vec![Disagreement::Impossible(invalid())])
    }

    fn dealt(&self, recorded: RecordedPlay<'_>) -> Vec<(Draw, Vec<u8>)> {
        self.0.dealt(recorded)
    }

    fn offers(&self, made: &Choices, dice: &[i64]) -> ChoiceOffers {
        self.0.offers(made, dice)
    }

    fn remote(&self) -> Option<&dyn RemoteChoices> {
        self.0.remote()
    }

    fn reviews(&self) -> Option<&dyn ReviewRules> {
        self.0.reviews()
    }

    fn dice_alone(&self) -> Option<&dyn DiceAlone> {
        self.0.dice_alone()
    }

    fn asking(&self) -> &dyn Asking {
        &self.0
    }

    fn cards(&self, ball: &Ball) -> Option<String> {
        self.0.cards(ball)
    }

    fn autoplay(&self) -> Play {
        Play::Auto(BySide { home: R::AUTOPLAY, away: R::AUTOPLAY })
    }

    fn simulate_match(
        &self,
        bats_first: Side,
        policies: BySide<usize>,
        dice: &mut SeededDice,
    ) -> Result<MatchTally, Refusal> {
        let mut state = self.0.clone();
        state.start(bats_first);
        let mut innings: SmallVec<[InningsTally; 4]> = SmallVec::new();
        let mut position = state.position();
        loop {
            let played = usize::from(position.innings);
            if innings.len() < played {
                innings.resize(played, InningsTally::default());
            }
            state.simulate_ball(dice, policies, &mut innings[played - 1])?;
            position = state.position();
            if let Some(result) = position.result {
                return Ok(MatchTally { bats_first, innings, result });
            }
        }
    }

    fn boxed(&self) -> Box<dyn DynGame> {
        Box::new(Erased(self.0.clone()))
    }

    fn is_equal(&self, other: &dyn DynGame) -> bool {
        (other as &dyn Any).downcast_ref::<Erased<R>>().is_some_and(|other| other.0 == self.0)
    }
}

/// Why a batter cannot face by agreement.
const NOT_AT_THE_WICKET: &str = "is one of the two batters at the wicket after the ball";

impl<R: Simulate + Describe + Asking> Erased<R> {
    /// Lets the batter face who does so by agreement after a recorded ball. None where he cannot.
    fn let_face(&mut self, recorded: &EventData) -> Option<()> {
        match recorded {
            EventData::Ball(ball) => ball.faces().map_or(Some(()), |faces| self.0.let_face(faces).map(drop)),
            _ => Some(()),
        }
    }

    /// The recorded event and its deals, if the rules decide it too.
    fn check_decided(&self, recorded: &EventData) -> Result<(R::Event, Vec<Deals>), Vec<Disagreement>> {
        let played = play_of(recorded).map_err(|invalid| vec![Disagreement::Impossible(invalid)])?;
        if let RecordedPlay::Ball(Ball { unknown: true, .. }) = played {
            let event = self.check_unknown(recorded).map_err(|disagreement| vec![disagreement])?;
            return Ok((event, Vec::new()));
        }
        let play = Play::from(played);
        let mut dice = RecordedDice::dealing(played.dice(), self.0.dealt(played));
        let admitted = self.0.admit(played);
        if let RecordedPlay::Ball(Ball { as_stood: Some(as_stood), .. }) = played {
            return self.check_agreed_outcome(recorded, as_stood, play, &mut dice, admitted);
        }
        let decided = match self.0.decide(play, &mut dice) {
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
            ([first, ..], _) if self.0.record(first) != *recorded => {
                Err(vec![Disagreement::Otherwise(Box::new(self.0.record(first)))])
            }
            (_, Err(invalid)) => Err(vec![Disagreement::Impossible(invalid)]),
            (_, Ok(_)) => Err(vec![Disagreement::Impossible(InvalidEvent::new(
                "data",
                "is not what the rules come to",
            ))]),
        }
    }
}

impl<R: Simulate + Describe + Asking> Erased<R> {
    /// A ball that nobody knows any more, where one is due: an over has begun, and the match has not ended.
    fn unknown_ball(&self) -> Result<R::Event, Refusal> {
        if self.0.on_field().bowler.is_none() || self.0.position().result.is_some() {
            let message = "no over has begun, so no ball is due";
            return Err(Refusal::new(RefusalKind::OutOfTurn, Place::Input, message));
        }
        self.0.unknown_ball()
    }

    /// The recorded ball that nobody knows any more, if it is the one that the rules allow here.
    fn check_unknown(&self, recorded: &EventData) -> Result<R::Event, Disagreement> {
        let event = self.unknown_ball().map_err(Disagreement::Refused)?;
        match self.0.record(&event) {
            by_rules if by_rules == *recorded => Ok(event),
            by_rules => Err(Disagreement::Otherwise(Box::new(by_rules))),
        }
    }

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
        let faces = as_stood.faces.clone();
        let agreed = AgreedOutcome { faces, ..agreed_of(outcome, &as_stood.reason) };
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

/// The record of a ball with an agreed outcome, and the state after it.
fn with_agreed_outcome<R: Rules>(
    mut state: R,
    by_rules: Ball,
    agreed: &AgreedOutcome,
) -> Result<(Ball, R), Refusal> {
    let outcome = agreed_outcome(&by_rules.outcome, agreed)?;
    let rulings = by_rules.outcome.rulings.clone();
    let is_by_rules = Outcome { rulings, ..outcome.clone() } == by_rules.outcome;
    let refuse = |field: &str, message: String| {
        Refusal::new(RefusalKind::IllegalInput, Place::Field(format!("as_stood.{field}")), message)
    };
    let as_stood = AgreementNote { reason: agreed.reason.clone(), by_rules: by_rules.outcome, faces: None };
    let ball = Ball { outcome, as_stood: Some(Box::new(as_stood)), ..by_rules };
    let event = state.admit(RecordedPlay::Ball(&ball)).map_err(|invalid| {
        let field = invalid.field.strip_prefix("data.").unwrap_or("outcome");
        let message = format!("{}: {}", field.trim_start_matches("outcome."), invalid.reason);
        refuse(field, message)
    })?;
    state.apply(&event);
    let faces = agreed.faces.as_ref().map(|faces| match state.position().result {
        None => state.let_face(faces),
        Some(_) => None,
    });
    let changes_ends = match faces {
        Some(None) => return Err(refuse("faces", format!("faces {NOT_AT_THE_WICKET}"))),
        Some(Some(changes)) => changes,
        None => false,
    };
    if is_by_rules && !changes_ends {
        let message = "the rules come to just this; leave as_stood out".to_owned();
        return Err(refuse("outcome", message));
    }
    let Ball { as_stood, .. } = ball;
    let faces = agreed.faces.clone().filter(|_| changes_ends);
    let as_stood = as_stood.map(|note| Box::new(AgreementNote { faces, ..*note }));
    Ok((Ball { as_stood, ..ball }, state))
}

fn play_of(recorded: &EventData) -> Result<RecordedPlay<'_>, InvalidEvent> {
    let reason = || format!("{} is no event of play", recorded.kind());
    recorded.play().ok_or_else(|| InvalidEvent::new("kind", reason()))
}

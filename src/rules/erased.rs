use std::sync::Arc;

use serde_json::Value;
use smallvec::SmallVec;

use super::agreed_outcome::{agreed_of, agreed_outcome};
use super::{
    Choices, Edition, Next, Place, Play, Refusal, ReviewCard, ReviewRulings, Reviewable, Rules, ToChoose, Why,
};
use crate::dice::{Deals, Dice, Draw, RecordedDice, SeededDice};
use crate::log::{Agreed, AsStood, Ball, Broken, EventData, MatchCreated, Played};
use crate::scorebook::{BySide, InningsTally, MatchResult, MatchTally, Outcome, Side};

/// Events that follow from an input, and the state after them.
pub struct Decided {
    /// The events, in order.
    pub events: Vec<EventData>,
    /// The state after the last of them.
    pub after: Box<dyn GameState>,
}

/// Where the log and the rules part: what the rules say instead of what is recorded.
#[derive(Debug, Clone, PartialEq)]
pub enum Disagreement {
    /// With the recorded choices and dice the rules come to another event.
    Otherwise(Box<EventData>),
    /// The rules refuse what is recorded.
    Refused(Refusal),
    /// What is recorded cannot have happened.
    Impossible(Broken),
    /// What was turned up is not what was sealed, or a seed is not the one that was settled on.
    Unsealed(Broken),
}

impl Disagreement {
    /// Where something is wrong, and what.
    pub fn into_broken(self) -> Broken {
        match self {
            Disagreement::Otherwise(event) => {
                Broken::new("data", format!("the rules come to {} here", event.kind()))
            }
            Disagreement::Refused(refusal) => Broken::new("data", refusal.message),
            Disagreement::Impossible(broken) | Disagreement::Unsealed(broken) => broken,
        }
    }
}

/// A match of some game in play: [`Rules`] with the types taken out.
pub trait GameState: Send + Sync {
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
    /// See [`Rules::place`].
    fn place(&self) -> (u16, u16);
    /// Decides and records, and evolves a copy.
    fn decide(&self, play: Play, dice: &mut dyn Dice) -> Result<Decided, Refusal>;
    /// The same for a ball of which stands what the table agreed on.
    fn decide_as_stood(
        &self,
        choices: Choices,
        agreed: &Agreed,
        dice: &mut dyn Dice,
    ) -> Result<Decided, Refusal>;
    /// Admits a recorded event and applies it.
    fn replay(&mut self, recorded: &EventData) -> Result<(), Broken>;
    /// Decides a recorded event again, with its own choices and dice, and applies it if it is the same; what was dealt in it.
    fn follow(&mut self, recorded: &EventData) -> Result<Vec<Deals>, Vec<Disagreement>>;
    /// Plays a match that waits for its first ball to the end, by [`Rules::bowl_on`], and only counts it.
    fn play_out(
        &self,
        bats_first: Side,
        policies: BySide<usize>,
        dice: &mut SeededDice,
    ) -> Result<MatchTally, Refusal>;
    /// See [`Rules::AUTOPLAY`].
    fn autoplay(&self) -> usize;
    /// See [`Rules::secret`].
    fn secret(&self) -> Option<ToChoose>;
    /// See [`Rules::in_the_open`].
    fn in_the_open(&self) -> Option<(Side, ToChoose)>;
    /// See [`Rules::for_silent`].
    fn for_silent(&self) -> Play;
    /// See [`Rules::hand`].
    fn hand(&self, side: Side, dice: &mut dyn Dice) -> Result<Value, Refusal>;
    /// See [`Rules::choose`].
    fn choose(&self, side: Side, given: &Choices, dice: &mut dyn Dice) -> Result<Choices, Refusal>;
    /// See [`Rules::draw_choices`].
    fn draw_choices(&self, silent: BySide<bool>, dice: &mut dyn Dice) -> Result<BySide<Choices>, Refusal>;
    /// See [`Rules::reveal`].
    fn reveal(&self, choices: BySide<Choices>) -> Play;
    /// See [`Rules::belongs`].
    fn belongs(&self, choice: &str, side: Side) -> bool;
    /// See [`Rules::dealt`].
    fn dealt(&self, recorded: Played<'_>) -> Vec<(Draw, Vec<u8>)>;
    /// See [`Rules::REVIEWS`].
    fn review_rulings(&self) -> Option<&'static ReviewRulings>;
    /// See [`Rules::review_card`].
    fn review_card(&self) -> Option<ReviewCard>;
    /// See [`Rules::reviewable`].
    fn reviewable(&self, ball: &Ball) -> Option<Reviewable>;
    /// A copy.
    fn boxed(&self) -> Box<dyn GameState>;
}

impl Clone for Box<dyn GameState> {
    fn clone(&self) -> Self {
        self.as_ref().boxed()
    }
}

struct Running<R: Rules>(R::State);

pub(super) fn open<R: Rules>(
    created: &Arc<MatchCreated>,
    edition: Option<&Edition>,
) -> Result<Box<dyn GameState>, Refusal> {
    Ok(Box::new(Running::<R>(R::open(created, edition)?)))
}

impl<R: Rules> GameState for Running<R> {
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

    fn place(&self) -> (u16, u16) {
        R::place(&self.0)
    }

    fn decide(&self, play: Play, dice: &mut dyn Dice) -> Result<Decided, Refusal> {
        let mut state = self.0.clone();
        let mut events = Vec::new();
        for event in R::decide(&self.0, play, dice)? {
            events.push(R::record(&state, &event));
            R::evolve(&mut state, &event);
        }
        Ok(Decided { events, after: Box::new(Running::<R>(state)) })
    }

    fn decide_as_stood(
        &self,
        choices: Choices,
        agreed: &Agreed,
        dice: &mut dyn Dice,
    ) -> Result<Decided, Refusal> {
        let mut state = self.0.clone();
        let mut events = Vec::new();
        for event in R::decide(&self.0, Play::Ball(choices), dice)? {
            let (recorded, event) = match R::record(&state, &event) {
                EventData::Ball(by_rules) => stands::<R>(&state, by_rules, agreed)?,
                other => (other, event),
            };
            events.push(recorded);
            R::evolve(&mut state, &event);
        }
        Ok(Decided { events, after: Box::new(Running::<R>(state)) })
    }

    fn replay(&mut self, recorded: &EventData) -> Result<(), Broken> {
        let event = R::admit(&self.0, of_play(recorded)?)?;
        R::evolve(&mut self.0, &event);
        Ok(())
    }

    fn follow(&mut self, recorded: &EventData) -> Result<Vec<Deals>, Vec<Disagreement>> {
        let (event, deals) = self.agreed(recorded)?;
        R::evolve(&mut self.0, &event);
        Ok(deals)
    }

    fn autoplay(&self) -> usize {
        R::AUTOPLAY
    }

    fn secret(&self) -> Option<ToChoose> {
        R::secret(&self.0)
    }

    fn in_the_open(&self) -> Option<(Side, ToChoose)> {
        R::in_the_open(&self.0)
    }

    fn for_silent(&self) -> Play {
        R::for_silent(&self.0)
    }

    fn hand(&self, side: Side, dice: &mut dyn Dice) -> Result<Value, Refusal> {
        R::hand(&self.0, side, dice)
    }

    fn choose(&self, side: Side, given: &Choices, dice: &mut dyn Dice) -> Result<Choices, Refusal> {
        R::choose(&self.0, side, given, dice)
    }

    fn draw_choices(&self, silent: BySide<bool>, dice: &mut dyn Dice) -> Result<BySide<Choices>, Refusal> {
        R::draw_choices(&self.0, silent, dice)
    }

    fn reveal(&self, choices: BySide<Choices>) -> Play {
        R::reveal(&self.0, choices)
    }

    fn belongs(&self, choice: &str, side: Side) -> bool {
        R::belongs(&self.0, choice, side)
    }

    fn dealt(&self, recorded: Played<'_>) -> Vec<(Draw, Vec<u8>)> {
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

    fn play_out(
        &self,
        bats_first: Side,
        policies: BySide<usize>,
        dice: &mut SeededDice,
    ) -> Result<MatchTally, Refusal> {
        let mut state = self.0.clone();
        R::start(&mut state, bats_first);
        let mut innings: SmallVec<[InningsTally; 4]> = SmallVec::new();
        loop {
            let played = usize::from(R::place(&state).0);
            if innings.len() < played {
                innings.resize(played, InningsTally::default());
            }
            R::bowl_on(&mut state, dice, policies, &mut innings[played - 1])?;
            if let Some(result) = R::result(&state) {
                return Ok(MatchTally { bats_first, innings, result });
            }
        }
    }

    fn boxed(&self) -> Box<dyn GameState> {
        Box::new(Running::<R>(self.0.clone()))
    }
}

impl<R: Rules> Running<R> {
    /// The event that is recorded, if it is what the rules come to.
    fn agreed(&self, recorded: &EventData) -> Result<(R::Event, Vec<Deals>), Vec<Disagreement>> {
        let played = of_play(recorded).map_err(|broken| vec![Disagreement::Impossible(broken)])?;
        let play = match played {
            Played::SetUp(set_up) => Play::SetUp(set_up.choices.clone()),
            Played::Over(over) => Play::Over(over.choices.clone()),
            Played::Roll(roll) => Play::Ball(roll.choices.clone()),
            Played::Ball(ball) => Play::Ball(ball.choices.clone()),
            Played::Choice(choice) => Play::Choose(choice.choice.clone().unwrap_or_default()),
        };
        let mut dice = RecordedDice::dealing(played.dice(), R::dealt(&self.0, played));
        let admitted = R::admit(&self.0, played);
        if let Played::Ball(Ball { as_stood: Some(as_stood), .. }) = played {
            return self.agreed_as_stood(recorded, as_stood, play, &mut dice, admitted);
        }
        let decided = match R::decide(&self.0, play, &mut dice) {
            Ok(decided) => decided,
            Err(refusal) => {
                // What is out of place may say more than what was then refused of it.
                let out_of_place = admitted.err().filter(|broken| !broken.field.starts_with("data.choices"));
                let out_of_place = out_of_place.map(Disagreement::Impossible);
                return Err(out_of_place.into_iter().chain([Disagreement::Refused(refusal)]).collect());
            }
        };
        match (decided.as_slice(), admitted) {
            ([by_rules], Ok(event)) if *by_rules == event => Ok((event, dice.deals)),
            // A ball for which an over would have to be made up first, or an over that is none.
            ([first, ..], _) if R::record(&self.0, first) != *recorded => {
                Err(vec![Disagreement::Otherwise(Box::new(R::record(&self.0, first)))])
            }
            (_, Err(broken)) => Err(vec![Disagreement::Impossible(broken)]),
            (_, Ok(_)) => {
                Err(vec![Disagreement::Impossible(Broken::new("data", "is not what the rules come to"))])
            }
        }
    }
}

impl<R: Rules> Running<R> {
    /// The same for a ball of which stands what the table agreed on: the rules come to what is said they come to.
    fn agreed_as_stood(
        &self,
        recorded: &EventData,
        as_stood: &AsStood,
        play: Play,
        dice: &mut RecordedDice<'_>,
        admitted: Result<R::Event, Broken>,
    ) -> Result<(R::Event, Vec<Deals>), Vec<Disagreement>> {
        let (Play::Ball(choices), EventData::Ball(Ball { outcome, .. })) = (play, recorded) else {
            return Err(vec![Disagreement::Impossible(Broken::new("kind", "is no ball"))]);
        };
        let agreed = agreed_of(outcome, &as_stood.reason);
        let decided = self.decide_as_stood(choices, &agreed, dice);
        let decided = decided.map_err(|refusal| vec![Disagreement::Refused(refusal)])?;
        match (decided.events.first(), admitted) {
            (Some(again), Ok(event)) if again == recorded => Ok((event, std::mem::take(&mut dice.deals))),
            (Some(again), Ok(_)) => Err(vec![Disagreement::Otherwise(Box::new(again.clone()))]),
            (_, Err(broken)) => Err(vec![Disagreement::Impossible(broken)]),
            (None, Ok(_)) => Err(vec![Disagreement::Impossible(Broken::new("data", "follows from nothing"))]),
        }
    }
}

/// The ball of which stands what the table agreed on, and the event it then is.
fn stands<R: Rules>(
    state: &R::State,
    by_rules: Ball,
    agreed: &Agreed,
) -> Result<(EventData, R::Event), Refusal> {
    let outcome = agreed_outcome(&by_rules.outcome, agreed)?;
    let same = Outcome { rulings: by_rules.outcome.rulings.clone(), ..outcome.clone() } == by_rules.outcome;
    let refuse = |field: &str, message: String| {
        Refusal::new(Why::IllegalInput, Place::Field(format!("as_stood.{field}")), message)
    };
    if same {
        let message = "the rules come to just this; leave as_stood out".to_owned();
        return Err(refuse("outcome", message));
    }
    let as_stood = AsStood { reason: agreed.reason.clone(), by_rules: by_rules.outcome };
    let ball = Ball { outcome, as_stood: Some(Box::new(as_stood)), ..by_rules };
    let event = R::admit(state, Played::Ball(&ball)).map_err(|broken| {
        let field = broken.field.strip_prefix("data.").unwrap_or("outcome");
        let message = format!("{}: {}", field.trim_start_matches("outcome."), broken.reason);
        refuse(field, message)
    })?;
    Ok((EventData::Ball(ball), event))
}

fn of_play(recorded: &EventData) -> Result<Played<'_>, Broken> {
    let reason = || format!("{} is no event of play", recorded.kind());
    recorded.played().ok_or_else(|| Broken::new("kind", reason()))
}

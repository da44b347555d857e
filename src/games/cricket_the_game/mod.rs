//! Cricket: The Game, T10 and T20, on its board, with its cards and its special dice.
//!
//! The engine knows the mechanisms; everything printed on a component is an [edition](self::edition).

mod admit;
mod ball;
mod detail;
pub mod edition;
mod field;
mod options;
mod over;
mod policy;
mod remote;
mod reviews;
mod rulings;
mod set_up;
mod squad;
mod state;
mod waiting;
mod words;

use std::any::Any;
use std::sync::Arc;

use serde_json::Value;

use self::ball::{Asked, Ball, Chosen, Entered, Pending, Stop, not_asked, play, turn_card};
use self::detail::Detail;
use self::edition::model::Edition;
use self::options::Options;
use self::over::OverChoices;
use self::policy::Captains;
use self::remote::{Awaits, Said};
use self::set_up::Prepared;
use self::squad::{SQUAD, WICKETS};
use self::state::State;
use crate::dice::{Dice, Draw, NotedDice};
use crate::log::{self, Broken, EventData, MatchCreated, SetUp};
use crate::rules::{
    self, Choices, EditionFault, Next, Place, Play, Refusal, ReviewCard, ReviewRulings, Reviewable, Rules,
    ToChoose, Why,
};
use crate::scorebook::{BySide, Delivery, InningsTally, MatchResult, Outcome, Player, Ruling, Side};

/// The rule system `cricket-the-game`.
#[derive(Debug)]
pub struct CricketTheGame;

/// What happens in a match of Cricket: The Game.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The match is set up.
    SetUp(Prepared),
    /// An over begins.
    Over(OverChoices),
    /// A ball waits for somebody to decide.
    Roll(Pending),
    /// A ball was bowled.
    Ball(Box<Ball>),
    /// A side has chosen in the open.
    Said(Said),
}

impl Rules for CricketTheGame {
    const ID: &'static str = "cricket-the-game";
    const TITLE: &'static str = "Cricket: The Game";
    type State = State;
    type Event = Event;
    const PLAYERS: u8 = SQUAD;
    const WICKETS: u8 = WICKETS;
    const REMOTE: bool = true;
    const POLICIES: &'static [&'static str] = policy::POLICIES;
    const AUTOPLAY: usize = policy::DEFAULT;
    const BUILT_IN: Option<&'static str> = Some(edition::BUILT_IN);
    const REVIEWS: Option<&'static ReviewRulings> = Some(&reviews::RULINGS);

    fn edition(value: &Value) -> Result<Arc<dyn Any + Send + Sync>, Vec<EditionFault>> {
        edition::read(value).map(|edition| Arc::new(edition) as Arc<dyn Any + Send + Sync>)
    }

    fn rulings() -> &'static [&'static Ruling] {
        rulings::ALL
    }

    fn ruling(id: &str) -> Option<&'static Ruling> {
        rulings::find(id)
    }

    fn options(given: &Choices) -> Result<Choices, Refusal> {
        Options::resolve(given).map(|options| options.written())
    }

    fn open(created: &Arc<MatchCreated>, edition: Option<&rules::Edition>) -> Result<State, Refusal> {
        let unknown = || {
            let place = Place::Field("edition".to_owned());
            Refusal::new(Why::IllegalInput, place, "the edition of this match is not known")
        };
        let edition = edition.and_then(rules::Edition::read::<Edition>).ok_or_else(unknown)?;
        State::new(Arc::clone(created), Options::resolve(&created.rules)?, edition)
    }

    fn start(state: &mut State, bats_first: Side) {
        state.start(bats_first);
    }

    fn set_up(state: &State) -> Option<Next> {
        waiting::set_up(state)
    }

    fn next(state: &State) -> Next {
        waiting::next(state)
    }

    fn result(state: &State) -> Option<MatchResult> {
        state.result()
    }

    fn target(state: &State) -> Option<u32> {
        state.target()
    }

    fn place(state: &State) -> (u16, u16) {
        (state.innings_number(), state.innings.over_number())
    }

    fn decide(state: &State, play: Play, dice: &mut dyn Dice) -> Result<Vec<Event>, Refusal> {
        match play {
            Play::SetUp(choices) => decide_set_up(state, &choices, dice).map(|event| vec![event]),
            Play::Over(choices) => {
                if let Some(bowler) = state.innings.bowler() {
                    let name = &state.fielders()[bowler.index()];
                    let message = format!("{name}'s over is not finished; the match waits for a ball");
                    return Err(Refusal::new(Why::OutOfTurn, Place::Input, message));
                }
                remote::refuse_before_its_turn(state)?;
                let over = OverChoices::resolve(state, &remote::with_said(state, &choices)?)?;
                dice.end()?;
                Ok(vec![Event::Over(over)])
            }
            Play::Choose(choices) => remote::choose(state, &choices, dice),
            Play::Ball(choices) if state.is_remote() => bowl_from_afar(state, &choices, dice),
            Play::Ball(choices) => {
                let over = |_: &mut dyn Dice| OverChoices::resolve(state, &Choices::new());
                after_over(state, dice, over, |state, dice| attempt(state, &choices, dice))
            }
            Play::Auto(policies) => {
                let over = |dice: &mut dyn Dice| policy::over(state, policies, dice);
                after_over(state, dice, over, |state, dice| decide_by_policy(state, policies, dice))
            }
        }
    }

    fn evolve(state: &mut State, event: &Event) {
        match event {
            Event::SetUp(prepared) => {
                state.prepared = Some(*prepared);
                state.said.clear();
            }
            Event::Over(over) => state.begin_over(over),
            Event::Roll(pending) => state.pending = Some(Arc::new(pending.clone())),
            Event::Ball(ball) => state.count(&ball.chosen, &ball.delivery),
            Event::Said(said) => state.hear(said),
        }
    }

    fn bowl_on<D: Dice>(
        state: &mut State,
        dice: &mut D,
        policies: BySide<usize>,
        tally: &mut InningsTally,
    ) -> Result<(), Refusal> {
        if state.innings.bowler().is_none() {
            let over = policy::over(state, policies, dice)?;
            let draw = state.over_draw();
            state.begin_over(&over);
            state.over.dealt = Some(deal(state, draw, dice)?);
        }
        let (mut chosen, mut captains) = Captains::choose(state, policies, dice)?;
        turn_card(state, &mut chosen, dice)?;
        let mut delivery = begin(state, &chosen)?;
        play(state, &chosen, &mut delivery, dice, &mut captains).map_err(decided)?;
        let chosen = captains.answered(chosen);
        state.count(&chosen, &delivery);
        tally.count(&delivery);
        Ok(())
    }

    fn secret(state: &State) -> Option<ToChoose> {
        remote::secret(state)
    }

    fn in_the_open(state: &State) -> Option<(Side, ToChoose)> {
        remote::in_the_open(state)
    }

    fn for_silent(state: &State) -> Play {
        remote::for_silent(state)
    }

    fn choose(state: &State, side: Side, given: &Choices, _dice: &mut dyn Dice) -> Result<Choices, Refusal> {
        remote::choose_in_secret(state, side, given)
    }

    fn draw_choices(
        state: &State,
        silent: BySide<bool>,
        dice: &mut dyn Dice,
    ) -> Result<BySide<Choices>, Refusal> {
        remote::draw(state, silent, dice)
    }

    fn reveal(_state: &State, choices: BySide<Choices>) -> Play {
        remote::reveal(choices)
    }

    fn belongs(state: &State, choice: &str, side: Side) -> bool {
        waiting::belongs(state, choice, side)
    }

    fn dealt(state: &State, recorded: log::Played<'_>) -> Vec<(Draw, Vec<u8>)> {
        match recorded {
            log::Played::SetUp(_) | log::Played::Over(_) => Vec::new(),
            log::Played::Choice(_) => Vec::new(),
            log::Played::Roll(roll) if !roll.reveals.is_empty() => remote::drawn(state, &roll.reveals),
            log::Played::Roll(roll) => admit::dealt(state, &roll.choices),
            log::Played::Ball(ball) => admit::dealt(state, &ball.choices),
        }
    }

    fn review_card(state: &State) -> Option<ReviewCard> {
        state.has_reviews().then_some(state.edition().drs)
    }

    fn reviewable(before: &State, ball: &log::Ball) -> Option<Reviewable> {
        reviews::reviewable(before, ball)
    }

    fn remark(recorded: log::Played<'_>) -> Option<String> {
        match recorded {
            log::Played::SetUp(set_up) => words::of_set_up(set_up),
            log::Played::Over(over) => words::of_over(over),
            log::Played::Ball(ball) => words::of_ball(ball),
            log::Played::Roll(_) | log::Played::Choice(_) => None,
        }
    }

    fn left_out(set_up: &SetUp) -> BySide<Vec<String>> {
        let dropped = |side: Side| {
            let name = set_up.choices.get("drop").and_then(|drop| drop.get(side.as_str()));
            name.and_then(Value::as_str).map(str::to_owned).into_iter().collect()
        };
        BySide { home: dropped(Side::Home), away: dropped(Side::Away) }
    }

    fn record(state: &State, event: &Event) -> EventData {
        match event {
            Event::SetUp(prepared) => {
                EventData::SetUp(SetUp { choices: prepared.written(state), dice: prepared.dice(state) })
            }
            Event::Over(over) => EventData::Over(log::Over {
                innings: state.innings_number(),
                over: state.innings.over_number(),
                choices: over.written(state),
                dice: Vec::new(),
                reveals: Vec::new(),
            }),
            Event::Roll(pending) => EventData::Roll(log::Roll {
                delivery: state.next_delivery(),
                choices: pending.choices.clone(),
                dice: pending.dice.clone(),
                reveals: Vec::new(),
            }),
            Event::Ball(ball) => EventData::Ball(record_ball(state, ball)),
            Event::Said(said) => EventData::Choice(log::Choice {
                side: said.side,
                what: said.what.to_owned(),
                innings: state.innings_number(),
                over: state.innings.over_number(),
                ball: remote::ball_of(state, said.of),
                sealed: None,
                choice: Some(said.choice.clone()),
            }),
        }
    }

    fn admit(state: &State, recorded: log::Played<'_>) -> Result<Event, Broken> {
        admit::admit(state, recorded)
    }
}

fn decide_set_up(state: &State, choices: &Choices, dice: &mut dyn Dice) -> Result<Event, Refusal> {
    remote::refuse_before_its_turn(state)?;
    if state.is_remote() && choices.get("drop").and_then(Value::as_object) != Some(&state.said) {
        let message = "each side has chosen whom it drops, and that stands";
        return Err(Refusal::choice("drop", message).by(&rulings::SET_UP_DROP));
    }
    if state.prepared.is_some() {
        return Err(Refusal::new(Why::OutOfTurn, Place::Input, "the match has been set up"));
    }
    let prepared = Prepared::resolve(state, choices, dice)?;
    dice.end()?;
    Ok(Event::SetUp(prepared))
}

/// What follows on an over in progress; where none is, this one begins first.
fn after_over(
    state: &State,
    dice: &mut dyn Dice,
    over: impl FnOnce(&mut dyn Dice) -> Result<OverChoices, Refusal>,
    decide: impl FnOnce(&State, &mut dyn Dice) -> Result<Event, Refusal>,
) -> Result<Vec<Event>, Refusal> {
    if state.innings.bowler().is_some() {
        return Ok(vec![decide(state, dice)?]);
    }
    let over = over(dice)?;
    let mut begun = state.clone();
    begun.begin_over(&over);
    Ok(vec![Event::Over(over), decide(&begun, dice)?])
}

/// The next ball where the sides play from afar: bowl and stroke are turned up, or what was chosen goes on with its dice.
fn bowl_from_afar(state: &State, choices: &Choices, dice: &mut dyn Dice) -> Result<Vec<Event>, Refusal> {
    remote::refuse_before_its_turn(state)?;
    match Awaits::of(state) {
        Some(Awaits::Delivery) => {
            let up = remote::turned_up(state, choices)?;
            let mut after = state.clone();
            CricketTheGame::evolve(&mut after, &up);
            let goes_on = !dice.are_recorded() && Awaits::of(&after) == Some(Awaits::Ball);
            let follows = goes_on.then(|| attempt(&after, &Choices::new(), dice)).transpose()?;
            Ok([up].into_iter().chain(follows).collect())
        }
        Some(Awaits::Ball) => Ok(vec![attempt(state, choices, dice)?]),
        _ => {
            let message = "the over is to begin first, with its bowler and its field";
            Err(Refusal::new(Why::AwaitingChoice, Place::Input, message))
        }
    }
}

/// Bowls the next ball with what was chosen. From a seed it goes as far as it can, until somebody has to decide; at the table
/// everything has to be known.
fn attempt(state: &State, choices: &Choices, dice: &mut dyn Dice) -> Result<Event, Refusal> {
    let choices = waiting::with_pending(state, choices, dice.are_recorded())?;
    let mut chosen = Chosen::read(state, &choices)?;
    turn_card(state, &mut chosen, dice)?;
    let mut delivery = begin(state, &chosen)?;
    let mut noted = NotedDice::new(dice);
    let mut entered = Entered::new(&chosen);
    let played = play(state, &chosen, &mut delivery, &mut noted, &mut entered);
    waiting::check_locked(state, &noted.rolled)?;
    match played {
        Ok(()) => {
            entered.refuse_unasked(&choices)?;
            noted.end()?;
            let dice = noted.rolled;
            Ok(Event::Ball(Box::new(Ball { chosen, dice, delivery })))
        }
        Err(Stop::Refused(refusal)) => Err(*refusal),
        Err(Stop::Waits(question)) => {
            let contest = ball::Contest::of_ball(state, &chosen, delivery.striker)?;
            let is_asked = waiting::asked_of(state) == Some(question.name());
            if is_asked || !state.is_seeded() {
                return Err(question.unanswered(&contest));
            }
            noted.end()?;
            Ok(Event::Roll(Pending {
                choices: chosen.written(state),
                dice: noted.rolled,
                asked: Some(Asked {
                    name: question.name(),
                    whose: question.whose(),
                    legal: question.legal(&contest),
                    cautious: policy::cautious_answer(&contest, &question),
                }),
                skills_said: [true; 2],
            }))
        }
    }
}

fn decide_by_policy(state: &State, policies: BySide<usize>, dice: &mut dyn Dice) -> Result<Event, Refusal> {
    let (mut chosen, mut captains) = match &state.pending {
        None => Captains::choose(state, policies, dice)?,
        Some(pending) => {
            let chosen = Chosen::read(state, &pending.choices)?;
            (chosen, Captains::to_finish(state, &chosen, policies, dice)?)
        }
    };
    turn_card(state, &mut chosen, dice)?;
    let mut delivery = begin(state, &chosen)?;
    let mut noted = NotedDice::new(dice);
    play(state, &chosen, &mut delivery, &mut noted, &mut captains).map_err(decided)?;
    noted.end()?;
    let (chosen, dice) = (captains.answered(chosen), noted.rolled);
    Ok(Event::Ball(Box::new(Ball { chosen, dice, delivery })))
}

/// A captain by a policy decides everything.
fn decided(stop: Stop) -> Refusal {
    match stop {
        Stop::Refused(refusal) => *refusal,
        Stop::Waits(question) => not_asked(question.name()),
    }
}

/// The next ball of an over in progress, of which nothing has come yet.
fn begin(state: &State, chosen: &Chosen) -> Result<Delivery<Detail>, Refusal> {
    let nobody = || Refusal::new(Why::OutOfTurn, Place::Input, "nobody is left to bat");
    let next = chosen.next_batter.map(|(batter, _)| batter);
    let striker = state.innings.striker().or(next).ok_or_else(nobody)?;
    let non_striker = state.innings.non_striker().or(next).ok_or_else(nobody)?;
    let bowler = state.innings.bowler().unwrap_or(Player(0));
    Ok(Delivery::between(striker, non_striker, bowler))
}

/// The six over cards of the over in progress.
fn deal<D: Dice + ?Sized>(state: &State, draw: Draw, dice: &mut D) -> Result<[u8; 6], Refusal> {
    dice.begin(draw);
    let six = dice.deal(&state.deck(), 6)?;
    six.try_into()
        .map_err(|_| Refusal::new(Why::IllegalInput, Place::Input, "the deck has fewer than six cards"))
}

fn record_ball(state: &State, ball: &Ball) -> log::Ball {
    let delivery = state.next_delivery();
    let detail = ball.delivery.detail.written(state, &ball.chosen);
    log::Ball {
        innings: state.innings_number(),
        over: state.innings.over_number(),
        ball: state.innings.ball_number(),
        delivery,
        seed: state.is_seeded().then(|| log::Ball::draw(delivery)),
        choices: ball.chosen.written(state),
        dice: ball.dice.clone(),
        outcome: Outcome::of(&ball.delivery, state.batters(), state.fielders(), detail),
        as_stood: None,
    }
}

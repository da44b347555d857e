//! Cricket: The Game, T10 and T20, on its board, with its cards and its special dice. This file implements
//! the contract of [`Rules`] for the game.
//!
//! The code has the mechanisms of the game; everything printed on a component is in an
//! [edition](self::edition).

mod admit;
mod awaiting;
mod ball;
pub mod edition;
mod event;
mod evolve;
mod field;
mod next_ball;
mod notes;
mod options;
mod over;
mod pending;
mod policy;
mod progress;
mod remote;
mod reviews;
mod rulings;
mod set_up;
mod squad;
mod state;
mod waiting;

use std::any::Any;
use std::sync::Arc;

use serde_json::Value;

use self::awaiting::ball_of;
use self::ball::Ball;
use self::edition::model::PrintedEdition;
pub use self::event::Event;
use self::next_ball::{attempt, decide_by_policy};
use self::options::Options;
use self::over::OverChoices;
use self::squad::{SQUAD, WICKETS};
use self::state::{Prepared, State};
use crate::dice::{Dice, Draw};
use crate::log::{self, EventData, InvalidEvent, MatchCreated, SetUp};
use crate::rules::{
    self, ChoiceKind, Choices, EditionFault, Next, Place, Play, Refusal, RefusalKind, ReviewCard,
    ReviewRulings, Reviewable, Rules,
};
use crate::scorebook::{BySide, InningsTally, MatchResult, Outcome, Ruling, Side};

/// The game with a board and player cards, `cricket-the-game`.
#[derive(Debug)]
pub struct CricketTheGame;

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
            Refusal::new(RefusalKind::IllegalInput, place, "the edition of this match is not known")
        };
        let edition = edition.and_then(rules::Edition::read::<PrintedEdition>).ok_or_else(unknown)?;
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

    fn position(state: &State) -> (u16, u16) {
        (state.innings_number(), state.innings.over_number())
    }

    fn decide(state: &State, play: Play, dice: &mut dyn Dice) -> Result<Vec<Event>, Refusal> {
        match play {
            Play::SetUp(choices) => decide_set_up(state, &choices, dice).map(|event| vec![event]),
            Play::Over(choices) => {
                if let Some(bowler) = state.innings.bowler() {
                    let name = &state.fielders()[bowler.index()];
                    let message = format!("{name}'s over is not finished; the match waits for a ball");
                    return Err(Refusal::new(RefusalKind::OutOfTurn, Place::Input, message));
                }
                remote::refuse_before_its_turn(state)?;
                let over = OverChoices::resolve(state, &remote::with_open_choices(state, &choices)?)?;
                dice.end()?;
                Ok(vec![Event::Over(over)])
            }
            Play::Choose(choices) => remote::choose(state, &choices, dice),
            Play::Ball(choices) if state.is_remote() => remote::bowl_remotely(state, &choices, dice),
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
        state.evolve(event);
    }

    fn simulate_ball<D: Dice>(
        state: &mut State,
        dice: &mut D,
        policies: BySide<usize>,
        tally: &mut InningsTally,
    ) -> Result<(), Refusal> {
        next_ball::simulate_ball(state, dice, policies, tally)
    }

    fn secret(state: &State) -> Option<ChoiceKind> {
        remote::secret(state)
    }

    fn open_choice(state: &State) -> Option<(Side, ChoiceKind)> {
        remote::open_choice(state)
    }

    fn on_timeout(state: &State) -> Play {
        remote::on_timeout(state)
    }

    fn choose(state: &State, side: Side, given: &Choices, _dice: &mut dyn Dice) -> Result<Choices, Refusal> {
        remote::choose_in_secret(state, side, given)
    }

    fn draw_choices(
        state: &State,
        timed_out: BySide<bool>,
        dice: &mut dyn Dice,
    ) -> Result<BySide<Choices>, Refusal> {
        remote::draw(state, timed_out, dice)
    }

    fn reveal(_state: &State, choices: BySide<Choices>) -> Play {
        remote::reveal(choices)
    }

    fn is_chosen_by(state: &State, choice: &str, side: Side) -> bool {
        waiting::is_chosen_by(state, choice, side)
    }

    fn dealt(state: &State, recorded: log::RecordedPlay<'_>) -> Vec<(Draw, Vec<u8>)> {
        match recorded {
            log::RecordedPlay::SetUp(_) | log::RecordedPlay::Over(_) => Vec::new(),
            log::RecordedPlay::Choice(_) => Vec::new(),
            log::RecordedPlay::Roll(roll) if !roll.reveals.is_empty() => remote::drawn(state, &roll.reveals),
            log::RecordedPlay::Roll(roll) => admit::dealt(state, &roll.choices),
            log::RecordedPlay::Ball(ball) => admit::dealt(state, &ball.choices),
        }
    }

    fn review_card(state: &State) -> Option<ReviewCard> {
        state.has_reviews().then_some(state.edition().drs)
    }

    fn reviewable(before: &State, ball: &log::Ball) -> Option<Reviewable> {
        reviews::reviewable(before, ball)
    }

    fn commentary_note(recorded: log::RecordedPlay<'_>) -> Option<String> {
        match recorded {
            log::RecordedPlay::SetUp(set_up) => notes::of_set_up(set_up),
            log::RecordedPlay::Over(over) => notes::of_over(over),
            log::RecordedPlay::Ball(ball) => notes::of_ball(ball),
            log::RecordedPlay::Roll(_) | log::RecordedPlay::Choice(_) => None,
        }
    }

    fn dropped_players(set_up: &SetUp) -> BySide<Vec<String>> {
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
            Event::OpenChoice(open_choice) => EventData::Choice(log::Choice {
                side: open_choice.side,
                what: open_choice.what.to_owned(),
                innings: state.innings_number(),
                over: state.innings.over_number(),
                ball: ball_of(state, open_choice.awaited),
                sealed: None,
                choice: Some(open_choice.choice.clone()),
            }),
        }
    }

    fn admit(state: &State, recorded: log::RecordedPlay<'_>) -> Result<Event, InvalidEvent> {
        admit::admit(state, recorded)
    }
}

fn decide_set_up(state: &State, choices: &Choices, dice: &mut dyn Dice) -> Result<Event, Refusal> {
    remote::refuse_before_its_turn(state)?;
    if state.is_remote() && choices.get("drop").and_then(Value::as_object) != Some(&state.open_choices) {
        let message = "each side has already chosen the player whom it drops";
        return Err(Refusal::choice("drop", message).by(&rulings::SET_UP_DROP));
    }
    if state.prepared.is_some() {
        return Err(Refusal::new(RefusalKind::OutOfTurn, Place::Input, "the match has been set up"));
    }
    let prepared = Prepared::resolve(state, choices, dice)?;
    dice.end()?;
    Ok(Event::SetUp(prepared))
}

/// Decides the next event of an over in progress. When no over is in progress, the given over begins first.
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

fn record_ball(state: &State, ball: &Ball) -> log::Ball {
    let delivery = state.next_delivery();
    let situation = state.situation();
    let detail = ball.delivery.detail.written(&situation, &ball.chosen);
    log::Ball {
        innings: state.innings_number(),
        over: state.innings.over_number(),
        ball: state.innings.ball_number(),
        delivery,
        seed: state.is_seeded().then(|| log::Ball::draw(delivery)),
        choices: ball.chosen.written(&situation),
        dice: ball.dice.clone(),
        outcome: Outcome::of(&ball.delivery, state.batters(), state.fielders(), detail),
        as_stood: None,
    }
}

//! Cricket: The Game, T10 and T20, on its board, with its cards and its special dice. This file implements
//! the contract of [`Rules`] for the game.
//!
//! The code has the mechanisms of the game; everything printed on a component is in an
//! [edition].

mod admit;
mod apply;
mod asks;
mod awaiting;
mod ball;
pub mod edition;
mod event;
mod field;
mod named_card;
mod next_ball;
mod notes;
mod offers;
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
pub use self::state::CricketTheGame;
use self::state::Prepared;
use crate::dice::{Dice, Draw};
use crate::log::{self, EventData, InvalidEvent, MatchCreated, SetUp};
use crate::rules::{
    self, ChoiceOffers, Choices, Describe, EditionFault, EditionReader, GameInfo, MatchPosition, Next, Place,
    Play, Refusal, RefusalKind, RemoteChoices, ReviewRules, Rules, SheetRule, Simulate,
};
use crate::scorebook::{BySide, InningsTally, Outcome, Player, Side};

impl Rules for CricketTheGame {
    const INFO: GameInfo = GameInfo {
        id: "cricket-the-game",
        title: "Cricket: The Game",
        summary: "A board with fielders, cards and dice of eight sides, in T10 or T20.",
        players: SQUAD,
        wickets: WICKETS,
        nameless: false,
        remote: true,
        reviews: true,
        rulings: rulings::ALL,
    };
    type Event = Event;

    fn resolve_options(given: &Choices) -> Result<Choices, Refusal> {
        Options::resolve(given).map(|options| options.written())
    }

    fn open(
        created: &Arc<MatchCreated>,
        edition: Option<&rules::Edition>,
    ) -> Result<CricketTheGame, Refusal> {
        let unknown = || {
            let place = Place::Field("edition".to_owned());
            Refusal::new(RefusalKind::IllegalInput, place, "the edition of this match is not known")
        };
        let edition = edition.and_then(rules::Edition::read::<PrintedEdition>).ok_or_else(unknown)?;
        CricketTheGame::new(Arc::clone(created), Options::resolve(&created.rules)?, edition)
    }

    fn start(&mut self, bats_first: Side) {
        self.begin_play(bats_first);
    }

    fn next(&self) -> Next {
        waiting::next(self)
    }

    fn position(&self) -> MatchPosition {
        MatchPosition {
            awaits_set_up: self.prepared.is_none(),
            innings: self.innings_number(),
            over: self.innings.over_number(),
            target: self.target(),
            result: self.result(),
        }
    }

    fn decide(&self, play: Play, dice: &mut dyn Dice) -> Result<Vec<Event>, Refusal> {
        match play {
            Play::SetUp(choices) => decide_set_up(self, &choices, dice).map(|event| vec![event]),
            Play::Over(choices) => {
                if let Some(bowler) = self.innings.bowler() {
                    let name = &self.fielders()[bowler.index()];
                    let message = format!("{name}'s over is not finished; the match waits for a ball");
                    return Err(Refusal::new(RefusalKind::OutOfTurn, Place::Input, message));
                }
                remote::refuse_before_its_turn(self)?;
                let over = OverChoices::resolve(self, &remote::with_open_choices(self, &choices)?)?;
                dice.end()?;
                Ok(vec![Event::Over(over)])
            }
            Play::Choose(choices) => remote::choose(self, &choices, dice),
            Play::Ball(choices) if self.is_remote() => remote::bowl_remotely(self, &choices, dice),
            Play::Ball(choices) => {
                let over = |_: &mut dyn Dice| OverChoices::resolve(self, &Choices::new());
                after_over(self, dice, over, |state, dice| attempt(state, &choices, dice))
            }
            Play::Auto(policies) => {
                let over = |dice: &mut dyn Dice| policy::over(self, policies, dice);
                after_over(self, dice, over, |state, dice| decide_by_policy(state, policies, dice))
            }
        }
    }

    fn unknown_ball(&self) -> Result<Event, Refusal> {
        next_ball::unknown(self)
    }

    fn let_face(&mut self, batter: &str) -> Option<bool> {
        let batter = self.batters().iter().position(|player| player == batter)?;
        self.innings.let_face(Player(batter as u8))
    }

    fn end_innings(&mut self) {
        self.begin_second();
    }

    fn apply(&mut self, event: &Event) {
        self.apply_event(event);
    }

    fn record(&self, event: &Event) -> EventData {
        match event {
            Event::SetUp(prepared) => {
                EventData::SetUp(SetUp { choices: prepared.written(self), dice: prepared.dice(self) })
            }
            Event::Over(over) => EventData::Over(log::Over::of_choices(
                self.innings_number(),
                self.innings.over_number(),
                over.written(self),
            )),
            Event::Roll(pending) => EventData::Roll(log::Roll {
                delivery: self.next_delivery(),
                choices: pending.choices.clone(),
                dice: pending.dice.clone(),
                reveals: Vec::new(),
            }),
            Event::Ball(ball) => EventData::Ball(record_ball(self, ball)),
            Event::OpenChoice(open_choice) => EventData::Choice(log::Choice {
                side: open_choice.side,
                what: open_choice.what.to_owned(),
                innings: self.innings_number(),
                over: self.innings.over_number(),
                ball: ball_of(self, open_choice.awaited),
                sealed: None,
                choice: Some(open_choice.choice.clone()),
            }),
        }
    }

    fn admit(&self, recorded: log::RecordedPlay<'_>) -> Result<Event, InvalidEvent> {
        admit::admit(self, recorded)
    }

    fn dealt(&self, recorded: log::RecordedPlay<'_>) -> Vec<(Draw, Vec<u8>)> {
        match recorded {
            log::RecordedPlay::SetUp(_) | log::RecordedPlay::Over(_) => Vec::new(),
            log::RecordedPlay::Choice(_) => Vec::new(),
            log::RecordedPlay::Roll(roll) if !roll.reveals.is_empty() => remote::drawn(self, &roll.reveals),
            log::RecordedPlay::Roll(roll) => admit::dealt(self, &roll.choices),
            log::RecordedPlay::Ball(ball) => admit::dealt(self, &ball.choices),
        }
    }

    fn remote(&self) -> Option<&dyn RemoteChoices> {
        Some(self)
    }

    fn reviews(&self) -> Option<&dyn ReviewRules> {
        Some(self)
    }
}

impl EditionReader for CricketTheGame {
    type Printed = PrintedEdition;
    const BUILT_IN: &'static str = edition::BUILT_IN;

    fn read_edition(value: &Value) -> Result<PrintedEdition, Vec<EditionFault>> {
        edition::read(value)
    }
}

impl Simulate for CricketTheGame {
    const POLICIES: &'static [&'static str] = policy::POLICIES;
    const AUTOPLAY: usize = policy::DEFAULT;

    fn simulate_ball<D: Dice>(
        &mut self,
        dice: &mut D,
        policies: BySide<usize>,
        tally: &mut InningsTally,
    ) -> Result<(), Refusal> {
        next_ball::simulate_ball(self, dice, policies, tally)
    }
}

impl Describe for CricketTheGame {
    fn note(recorded: log::RecordedPlay<'_>) -> Option<String> {
        match recorded {
            log::RecordedPlay::SetUp(set_up) => notes::of_set_up(set_up),
            log::RecordedPlay::Over(over) => notes::of_over(over),
            log::RecordedPlay::Ball(ball) => notes::of_ball(ball),
            log::RecordedPlay::Roll(_) | log::RecordedPlay::Choice(_) => None,
        }
    }

    fn cards(&self, ball: &log::Ball) -> Option<String> {
        notes::cards(self, ball)
    }

    fn zone(outcome: &Outcome) -> Option<&str> {
        outcome.detail.get("zone").and_then(Value::as_str)
    }

    fn openers(over: &log::Over) -> Option<[&str; 2]> {
        rules::reading::named_openers(over)
    }

    fn bowler(over: &log::Over) -> Option<&str> {
        rules::reading::named_bowler(over)
    }

    fn dropped(set_up: &SetUp) -> BySide<Vec<String>> {
        let dropped = |side: Side| {
            let name = set_up.choices.get("drop").and_then(|drop| drop.get(side.as_str()));
            name.and_then(Value::as_str).map(str::to_owned).into_iter().collect()
        };
        BySide { home: dropped(Side::Home), away: dropped(Side::Away) }
    }

    fn offers(&self, made: &Choices, dice: &[i64]) -> ChoiceOffers {
        offers::offers(self, made, dice)
    }

    fn options() -> Value {
        Options::described()
    }

    fn sheet() -> SheetRule {
        squad::sheet()
    }
}

fn decide_set_up(state: &CricketTheGame, choices: &Choices, dice: &mut dyn Dice) -> Result<Event, Refusal> {
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
    state: &CricketTheGame,
    dice: &mut dyn Dice,
    over: impl FnOnce(&mut dyn Dice) -> Result<OverChoices, Refusal>,
    decide: impl FnOnce(&CricketTheGame, &mut dyn Dice) -> Result<Event, Refusal>,
) -> Result<Vec<Event>, Refusal> {
    if state.innings.bowler().is_some() {
        return Ok(vec![decide(state, dice)?]);
    }
    let over = over(dice)?;
    let mut begun = state.clone();
    begun.begin_over(&over);
    Ok(vec![Event::Over(over), decide(&begun, dice)?])
}

fn record_ball(state: &CricketTheGame, ball: &Ball) -> log::Ball {
    let delivery = state.next_delivery();
    let situation = state.situation();
    let unknown = ball.delivery.is_unknown();
    let detail = match unknown {
        true => Choices::new(),
        false => ball.delivery.detail.written(&situation, &ball.chosen),
    };
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
        unknown,
    }
}

//! Extended Howzat: a limited-overs match with six-sided dice. This file implements the contract of [`Rules`]
//! for the game.

mod admit;
mod ball;
mod batter;
mod event;
mod field;
mod options;
mod over;
mod review;
mod rulings;
mod state;

use std::sync::Arc;

use serde_json::{Value, json};

use self::admit::written_detail;
use self::ball::{Detail, bowl};
use self::batter::{choose_batter, default_batter, written_choices, yet_to_bat};
use self::event::Ball;
pub use self::event::Event;
use self::options::Options;
use self::over::OverChoices;
use self::state::{PLAYERS, State, WICKETS};
use crate::dice::{Dice, Draw, NotedDice};
use crate::log::{self, DiceMode, EventData, InvalidEvent, MatchCreated};
use crate::rules::{
    Choices, Edition, Next, Place, Play, Refusal, RefusalKind, ReviewCard, ReviewRulings, Reviewable, Rules,
    reading,
};
use crate::scorebook::{BySide, Delivery, InningsTally, MatchResult, Outcome, Player, Ruling, Side};

/// The game `howzat`.
#[derive(Debug)]
pub struct Howzat;

impl Rules for Howzat {
    const ID: &'static str = "howzat";
    const TITLE: &'static str = "Extended Howzat";
    type State = State;
    type Event = Event;
    const PLAYERS: u8 = PLAYERS;
    const WICKETS: u8 = WICKETS;
    const REVIEWS: Option<&'static ReviewRulings> = Some(&review::RULINGS);

    fn rulings() -> &'static [&'static Ruling] {
        rulings::ALL
    }

    fn ruling(id: &str) -> Option<&'static Ruling> {
        rulings::find(id)
    }

    fn options(given: &Choices) -> Result<Choices, Refusal> {
        Options::resolve(given).map(Options::written)
    }

    fn open(created: &Arc<MatchCreated>, _: Option<&Edition>) -> Result<State, Refusal> {
        for side in [Side::Home, Side::Away] {
            let players = created.sheet(side).players.len();
            if players != usize::from(PLAYERS) {
                let message = format!("a howzat side has exactly {PLAYERS} players; this has {players}");
                let place = Place::Field(format!("{side}.players"));
                return Err(Refusal::new(RefusalKind::IllegalInput, place, message));
            }
        }
        Ok(State::new(Arc::clone(created), Options::resolve(&created.rules)?))
    }

    fn start(state: &mut State, bats_first: Side) {
        state.bats_first = bats_first;
    }

    fn next(state: &State) -> Next {
        if let Some(result) = state.result() {
            Next::Finished { result: Some(result) }
        } else if state.innings.bowler().is_none() {
            let (side, legal, default) = over::legal_choices(state);
            Next::Choose { side: Some(side), what: "over", legal, default }
        } else if state.innings.awaits_batter() {
            let names: Vec<&str> = yet_to_bat(state);
            Next::Choose {
                side: Some(state.batting()),
                what: "next_batter",
                default: names.first().map_or(Value::Null, |name| json!(name)),
                legal: json!(names),
            }
        } else {
            Next::Roll { what: "bowl", sides: 6 }
        }
    }

    fn result(state: &State) -> Option<MatchResult> {
        state.result()
    }

    fn target(state: &State) -> Option<u32> {
        state.first.as_ref().map(|first| first.runs + 1)
    }

    fn position(state: &State) -> (u16, u16) {
        (state.innings_number(), state.innings.over_number())
    }

    fn decide(state: &State, play: Play, dice: &mut dyn Dice) -> Result<Vec<Event>, Refusal> {
        match play {
            Play::SetUp(_) => Err(reading::nothing_to_set_up()),
            Play::Over(choices) => {
                if let Some(bowler) = state.innings.bowler() {
                    let name = &state.fielders()[bowler.index()];
                    let message = format!("{name}'s over is not finished; the match waits for a ball");
                    return Err(Refusal::new(RefusalKind::OutOfTurn, Place::Input, message));
                }
                dice.end()?;
                Ok(vec![Event::Over(OverChoices::resolve(state, &choices)?)])
            }
            Play::Ball(choices) if state.innings.bowler().is_none() => {
                let over = Event::Over(OverChoices::by_default(state)?);
                let mut begun = state.clone();
                Self::evolve(&mut begun, &over);
                Ok(vec![over, decide_ball(&begun, &choices, dice)?])
            }
            Play::Ball(choices) => Ok(vec![decide_ball(state, &choices, dice)?]),
            Play::Choose(_) => Err(reading::no_open_choice()),
            Play::Auto(_) => Self::decide(state, Play::Ball(Choices::new()), dice),
        }
    }

    fn evolve(state: &mut State, event: &Event) {
        match event {
            Event::Over(over) => begin_over(state, over),
            Event::Ball(ball) => count_ball(state, ball.next_batter, &ball.delivery),
        }
    }

    fn simulate_ball<D: Dice>(
        state: &mut State,
        dice: &mut D,
        _policies: BySide<usize>,
        tally: &mut InningsTally,
    ) -> Result<(), Refusal> {
        if state.innings.bowler().is_none() {
            begin_over(state, &OverChoices::by_default(state)?);
        }
        let next_batter = default_batter(state);
        let [striker, non_striker] = at_the_wicket(state, next_batter)?;
        let mut delivery = Delivery::between(striker, non_striker, bowler(state));
        bowl_next(state, &mut delivery, dice)?;
        count_ball(state, next_batter, &delivery);
        tally.count(&delivery);
        Ok(())
    }

    fn record(state: &State, event: &Event) -> EventData {
        match event {
            Event::Over(over) => EventData::Over(log::Over {
                innings: state.innings_number(),
                over: state.innings.over_number(),
                choices: over.written(state),
                dice: Vec::new(),
                reveals: Vec::new(),
            }),
            Event::Ball(ball) => EventData::Ball(record_ball(state, ball)),
        }
    }

    fn admit(state: &State, recorded: log::RecordedPlay<'_>) -> Result<Event, InvalidEvent> {
        admit::admit(state, recorded)
    }

    fn is_chosen_by(state: &State, choice: &str, side: Side) -> bool {
        matches!(choice, "openers" | "next_batter") == (side == state.batting())
    }

    fn review_card(state: &State) -> Option<ReviewCard> {
        review::card(state)
    }

    fn reviewable(before: &State, ball: &log::Ball) -> Option<Reviewable> {
        review::reviewable(before, ball)
    }

    fn commentary_note(recorded: log::RecordedPlay<'_>) -> Option<String> {
        let log::RecordedPlay::Ball(ball) = recorded else { return None };
        let name = ball.outcome.detail.get("dropped_by")?.as_str()?;
        Some(format!("dropped by {name}"))
    }
}

fn decide_ball(state: &State, choices: &Choices, dice: &mut dyn Dice) -> Result<Event, Refusal> {
    let next_batter = choose_batter(state, choices)?;
    let [striker, non_striker] = at_the_wicket(state, next_batter)?;
    let mut delivery = Delivery::between(striker, non_striker, bowler(state));
    let mut noted = NotedDice::new(dice);
    bowl_next(state, &mut delivery, &mut noted)?;
    Ok(Event::Ball(Ball { next_batter, dice: noted.rolled, delivery }))
}

/// The striker and the non-striker, once the next batter is known.
#[inline]
fn at_the_wicket(state: &State, next_batter: Option<Player>) -> Result<[Player; 2], Refusal> {
    let at = |end: Option<Player>| {
        let missing = || Refusal::new(RefusalKind::OutOfTurn, Place::Input, "nobody is left to bat");
        end.or(next_batter).ok_or_else(missing)
    };
    Ok([at(state.innings.striker())?, at(state.innings.non_striker())?])
}

fn bowler(state: &State) -> Player {
    state.fielding.field.at(field::BOWLER)
}

/// Bowls the next ball of an over in progress. The delivery is filled in by reference: moving it would cost a
/// simulation as much time as the dice do.
fn bowl_next<D: Dice>(state: &State, delivery: &mut Delivery<Detail>, dice: &mut D) -> Result<(), Refusal> {
    dice.begin(Draw::ball(state.next_delivery()));
    bowl(delivery, &state.fielding.field, &state.options, dice)?;
    dice.end()?;
    Ok(())
}

fn begin_over(state: &mut State, over: &OverChoices) {
    if let Some([striker, non_striker]) = over.openers {
        state.innings.open(striker, non_striker);
    }
    state.innings.begin_over(over.bowler);
    let fielding = &mut state.fielding;
    fielding.field = over.field;
    fielding.overs_bowled[over.bowler.index()] += 1;
    fielding.bowler_before_last = fielding.last_bowler.replace(over.bowler);
}

#[inline]
fn count_ball(state: &mut State, next_batter: Option<Player>, delivery: &Delivery<Detail>) {
    if let Some(batter) = next_batter {
        state.innings.come_in(batter);
    }
    let ran = delivery.runs + delivery.extras.byes + delivery.extras.leg_byes;
    if delivery.boundary.is_none() && ran % 2 == 1 {
        state.innings.cross();
    }
    state.innings.count(delivery);
    state.deliveries += 1;
    state.close_innings();
}

fn record_ball(state: &State, ball: &Ball) -> log::Ball {
    let delivery = state.next_delivery();
    log::Ball {
        innings: state.innings_number(),
        over: state.innings.over_number(),
        ball: state.innings.ball_number(),
        delivery,
        seed: (state.created.dice == DiceMode::Seeded).then(|| log::Ball::draw(delivery)),
        choices: written_choices(state, ball.next_batter),
        dice: ball.dice.clone(),
        outcome: Outcome::of(
            &ball.delivery,
            state.batters(),
            state.fielders(),
            written_detail(state, ball.delivery.detail),
        ),
        as_stood: None,
    }
}

//! CubeRoots cricket, "the bowler vs batter game": each side plays its six cubes of an over against those of
//! the other side. This file implements the contract of [`Rules`] for the game.

mod admit;
mod asks;
mod bag;
mod ball;
mod behind;
mod duel;
mod event;
mod hands;
mod offers;
mod options;
mod over;
mod played;
mod policy;
mod rulings;
mod secret;
mod state;

use std::sync::Arc;

use serde_json::{Value, json};

use self::ball::{Detail, bowl};
use self::duel::{ByDuty, Duty};
use self::event::Ball;
pub use self::event::Event;
use self::hands::Hands;
use self::options::Options;
use self::over::OverChoices;
use self::played::Turn;
pub use self::state::CubeRoots;
use self::state::{PLAYERS, SIDE_ITSELF, WICKETS};
use crate::dice::{Dice, Draw, NotedDice};
use crate::log::{self, EventData, InvalidEvent, MatchCreated};
use crate::rules::{
    ChoiceOffers, Choices, Describe, Edition, GameInfo, MatchPosition, Next, Place, Play, Refusal,
    RefusalKind, RemoteChoices, ResultView, Rules, Simulate, reading,
};
use crate::scorebook::{BySide, Delivery, InningsTally, NOT_KNOWN, Outcome, Player, Side};

impl Rules for CubeRoots {
    const INFO: GameInfo = GameInfo {
        id: "cuberoots",
        title: "CubeRoots cricket",
        summary: "Numbered cubes, 0 to 9: what the bowler shows against what the batter shows.",
        players: PLAYERS,
        wickets: WICKETS,
        nameless: true,
        remote: true,
        reviews: false,
        rulings: rulings::ALL,
    };
    type Event = Event;

    fn resolve_options(given: &Choices) -> Result<Choices, Refusal> {
        Options::resolve(given).map(|options| options.written())
    }

    fn open(created: &Arc<MatchCreated>, _: Option<&Edition>) -> Result<CubeRoots, Refusal> {
        for side in [Side::Home, Side::Away] {
            check_names(created, side)?;
        }
        Ok(CubeRoots::new(Arc::clone(created), Options::resolve(&created.rules)?))
    }

    fn start(&mut self, bats_first: Side) {
        self.bats_first = bats_first;
    }

    fn next(&self) -> Next {
        if let Some(result) = self.result() {
            Next::Finished { result: Some(ResultView::of(&self.setting.created, result)) }
        } else if self.innings.bowler().is_none() {
            next_over(self)
        } else {
            next_ball(self)
        }
    }

    fn position(&self) -> MatchPosition {
        MatchPosition {
            awaits_set_up: false,
            innings: self.innings_number,
            over: self.innings.over_number(),
            target: self.target(),
            result: self.result(),
        }
    }

    fn decide(&self, play: Play, dice: &mut dyn Dice) -> Result<Vec<Event>, Refusal> {
        match play {
            Play::SetUp(_) => Err(reading::nothing_to_set_up()),
            Play::Over(choices) => {
                if self.innings.bowler().is_some() {
                    let message = "the over is not finished; the match waits for a ball";
                    return Err(Refusal::new(RefusalKind::OutOfTurn, Place::Input, message));
                }
                let over = OverChoices::resolve(self, &choices, dice)?;
                dice.end()?;
                Ok(vec![Event::Over(over)])
            }
            Play::Ball(choices) if self.innings.bowler().is_none() => {
                let over = OverChoices::resolve(self, &Choices::new(), dice)?;
                begin_and_bowl(self, over, &choices, dice)
            }
            Play::Auto(policies) if self.innings.bowler().is_none() => {
                let hands = policy::hands(self, policies, dice)?;
                let orders = over::written(|duty| Some(hands[duty].order));
                let choices = Choices::from_iter([("orders".to_owned(), orders)]);
                let over = OverChoices::resolve(self, &choices, dice)?;
                begin_and_bowl(self, over, &Choices::new(), dice)
            }
            Play::Ball(choices) => Ok(vec![decide_ball(self, &choices, dice)?]),
            Play::Choose(_) => Err(reading::no_open_choice()),
            Play::Auto(_) => Ok(vec![decide_ball(self, &Choices::new(), dice)?]),
        }
    }

    fn unknown_ball(&self) -> Result<Event, Refusal> {
        let mut delivery = delivery_to(self)?;
        delivery.rulings.push(&NOT_KNOWN);
        Ok(Event::Ball(Ball { played: None, dice: Vec::new(), delivery }))
    }

    fn let_face(&mut self, batter: &str) -> Option<bool> {
        let batter = self.batters().iter().position(|player| player == batter)?;
        self.innings.let_face(Player(batter as u8))
    }

    fn end_innings(&mut self) {
        self.begin_next_innings();
    }

    fn apply(&mut self, event: &Event) {
        match event {
            Event::Over(over) => self.begin_over(over.bowler, over.hands),
            Event::Ball(ball) => {
                if let Some(played) = &ball.played {
                    for duty in Duty::BOTH {
                        self.rolled[duty] |= played[duty].rolled;
                    }
                }
                self.count(&ball.delivery);
            }
        }
    }

    fn record(&self, event: &Event) -> EventData {
        match event {
            Event::Over(over) => EventData::Over(log::Over::of_choices(
                self.innings_number,
                self.innings.over_number(),
                over.written(self),
            )),
            Event::Ball(ball) => EventData::Ball(record_ball(self, ball)),
        }
    }

    fn admit(&self, recorded: log::RecordedPlay<'_>) -> Result<Event, InvalidEvent> {
        admit::admit(self, recorded)
    }

    fn dealt(&self, recorded: log::RecordedPlay<'_>) -> Vec<(Draw, Vec<u8>)> {
        match recorded {
            log::RecordedPlay::Over(over) => admit::dealt(over),
            log::RecordedPlay::SetUp(_)
            | log::RecordedPlay::Roll(_)
            | log::RecordedPlay::Ball(_)
            | log::RecordedPlay::Choice(_) => Vec::new(),
        }
    }

    fn remote(&self) -> Option<&dyn RemoteChoices> {
        Some(self)
    }
}

impl Simulate for CubeRoots {
    const POLICIES: &'static [&'static str] = policy::POLICIES;

    fn simulate_ball<D: Dice>(
        &mut self,
        dice: &mut D,
        policies: BySide<usize>,
        tally: &mut InningsTally,
    ) -> Result<(), Refusal> {
        if self.innings.bowler().is_none() {
            let hands = Hands::Dealt(policy::hands(self, policies, dice)?);
            self.begin_over(SIDE_ITSELF, hands);
        }
        let numbers = ByDuty::try_of(|duty| match Turn::of(self, duty) {
            Turn::Known(played) => Ok(played.number),
            _ => Err(Refusal::new(RefusalKind::NeedsInput, Place::Input, "no policy rolls a cube")),
        })?;
        let delivery = deliver(self, numbers)?;
        self.count(&delivery);
        tally.count(&delivery);
        Ok(())
    }
}

impl Describe for CubeRoots {
    fn note(recorded: log::RecordedPlay<'_>) -> Option<String> {
        let log::RecordedPlay::Ball(ball) = recorded else { return None };
        let detail = |name: &str| ball.outcome.detail.get(name)?.as_i64();
        let (needed, difference) = (detail("needed")?, detail("difference")?);
        (difference >= 0).then(|| format!("needed {needed}, got {difference}"))
    }

    fn bowler(over: &log::Over) -> Option<&str> {
        reading::named_bowler(over)
    }

    fn offers(&self, made: &Choices, _dice: &[i64]) -> ChoiceOffers {
        offers::offers(self, made)
    }

    fn options() -> Value {
        Options::described()
    }
}

/// Decides an over and its first ball.
fn begin_and_bowl(
    state: &CubeRoots,
    over: OverChoices,
    choices: &Choices,
    dice: &mut dyn Dice,
) -> Result<Vec<Event>, Refusal> {
    let over = Event::Over(over);
    let mut begun = state.clone();
    begun.apply(&over);
    Ok(vec![over, decide_ball(&begun, choices, dice)?])
}

fn check_names(created: &MatchCreated, side: Side) -> Result<(), Refusal> {
    let refuse = |field: String, message: String| {
        Err(Refusal::new(RefusalKind::IllegalInput, Place::Field(format!("{side}.{field}")), message))
    };
    let sheet = created.sheet(side);
    let players = sheet.players.len();
    if players != usize::from(PLAYERS) {
        let message = format!(
            "a cuberoots side has exactly {PLAYERS} players, or none if the players have no names; this has {players}"
        );
        return refuse("players".to_owned(), message);
    }
    match sheet.players.iter().position(|player| *player == sheet.name) {
        None => Ok(()),
        Some(i) => {
            let message =
                format!("{:?} is also the name of the side, which may bowl in its own name", sheet.name);
            refuse(format!("players[{i}]"), message)
        }
    }
}

fn next_over(state: &CubeRoots) -> Next {
    let bowlers = state.bowlers();
    if !state.is_seeded() {
        let numbers = json!({"count": bag::HAND, "minimum": 0, "maximum": bag::MOST_NUMBER});
        return Next::Choose {
            side: Some(state.side(Duty::Bowling)),
            what: "over",
            legal: json!({"bowler": bowlers, "orders": {"bowling": numbers, "batting": numbers}}),
            default: json!({"bowler": bowlers[SIDE_ITSELF.index()]}),
        };
    }
    let mut legal = json!({
        "innings": state.innings_number,
        "over": state.innings.over_number(),
        "order": {"count": bag::HAND, "minimum": 0, "maximum": bag::CUBES - 1},
        "bowler": bowlers,
    });
    if state.setting.options.roll_a_cube {
        legal["roll"] = json!([1, 2, 3, 4, 5, 6]);
    }
    Next::Choose { side: None, what: "order", legal, default: json!({"order": "as dealt"}) }
}

fn next_ball(state: &CubeRoots) -> Next {
    let turns = Duty::BOTH.map(|duty| (duty, Turn::of(state, duty)));
    if let Some((duty, _)) = turns.iter().find(|(_, turn)| matches!(turn, Turn::Roll { .. })) {
        return Next::Roll { what: duty.cube(), sides: bag::FACES as u16 };
    }
    if turns.iter().any(|(_, turn)| turn.awaits_number()) {
        let legal = played::legal_numbers(state);
        return Next::Choose { side: None, what: "numbers", legal, default: Value::Null };
    }
    Next::Choose { side: None, what: "ball", legal: json!({}), default: json!({}) }
}

fn decide_ball(state: &CubeRoots, choices: &Choices, dice: &mut dyn Dice) -> Result<Event, Refusal> {
    let mut noted = NotedDice::new(dice);
    noted.begin(Draw::ball(state.next_delivery()));
    let played = played::resolve(state, choices, &mut noted)?;
    noted.end()?;
    let numbers = ByDuty { bowling: played.bowling.number, batting: played.batting.number };
    let dice = noted.rolled;
    Ok(Event::Ball(Ball { played: Some(played), dice, delivery: deliver(state, numbers)? }))
}

/// The next delivery, of which only the players are known.
fn delivery_to(state: &CubeRoots) -> Result<Delivery<Detail>, Refusal> {
    let nobody = || Refusal::new(RefusalKind::OutOfTurn, Place::Input, "nobody is left to bat");
    let [striker, non_striker] = state.at_the_wicket().ok_or_else(nobody)?;
    Ok(Delivery::between(striker, non_striker, state.innings.bowler().unwrap_or(SIDE_ITSELF)))
}

/// Decides the next ball of an over in progress from the numbers of both sides.
fn deliver(state: &CubeRoots, numbers: ByDuty<u8>) -> Result<Delivery<Detail>, Refusal> {
    let mut delivery = delivery_to(state)?;
    if state.refilled && state.turn() == 0 {
        delivery.rulings.push(&rulings::BAG_REFILLED);
    }
    bowl(&mut delivery, numbers, state.pressure());
    Ok(delivery)
}

fn record_ball(state: &CubeRoots, ball: &Ball) -> log::Ball {
    let delivery = state.next_delivery();
    let Detail { difference, needed, dots_in_a_row } = ball.delivery.detail;
    let detail = match ball.played {
        Some(_) => json!({"difference": difference, "needed": needed, "dots_in_a_row": dots_in_a_row}),
        None => json!({}),
    };
    log::Ball {
        innings: state.innings_number,
        over: state.innings.over_number(),
        ball: state.innings.ball_number(),
        delivery,
        seed: state.is_seeded().then(|| log::Ball::draw(delivery)),
        choices: ball.played.map(played::written).unwrap_or_default(),
        dice: ball.dice.clone(),
        outcome: Outcome::of(&ball.delivery, state.batters(), state.bowlers(), reading::object(detail)),
        as_stood: None,
        unknown: ball.played.is_none(),
    }
}

//! Extended Howzat: a limited-overs match with six-sided dice. This file implements the contract of [`Rules`]
//! for the game.

mod admit;
mod asks;
mod ball;
mod batter;
mod behind;
mod event;
mod field;
mod odds;
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
use self::options::{Drs, Options};
use self::over::OverChoices;
pub use self::state::Howzat;
use self::state::{PLAYERS, WICKETS};
use crate::dice::{Dice, Draw, NotedDice};
use crate::log::{self, DiceMode, EventData, InvalidEvent, MatchCreated};
use crate::rules::{
    ChoiceOffers, Choices, Describe, DiceAlone, Edition, GameInfo, MatchPosition, Next, Place, Play, Refusal,
    RefusalKind, RemoteChoices, ResultView, ReviewRules, Rules, SheetRule, Simulate, reading,
};
use crate::scorebook::{BySide, Delivery, InningsTally, NOT_KNOWN, Outcome, Player, Side};

impl Rules for Howzat {
    const INFO: GameInfo = GameInfo {
        id: "howzat",
        title: "Extended Howzat",
        summary: "Two dice a ball: one bowls, one strikes. More of them settle catches, run outs and reviews.",
        players: PLAYERS,
        wickets: WICKETS,
        nameless: false,
        remote: false,
        reviews: true,
        rulings: rulings::ALL,
    };
    type Event = Event;

    fn resolve_options(given: &Choices) -> Result<Choices, Refusal> {
        Options::resolve(given).map(Options::written)
    }

    fn open(created: &Arc<MatchCreated>, _: Option<&Edition>) -> Result<Howzat, Refusal> {
        for side in [Side::Home, Side::Away] {
            let players = created.sheet(side).players.len();
            if players != usize::from(PLAYERS) {
                let message = format!("a howzat side has exactly {PLAYERS} players; this has {players}");
                let place = Place::Field(format!("{side}.players"));
                return Err(Refusal::new(RefusalKind::IllegalInput, place, message));
            }
        }
        Ok(Howzat::new(Arc::clone(created), Options::resolve(&created.rules)?))
    }

    fn start(&mut self, bats_first: Side) {
        self.bats_first = bats_first;
    }

    fn next(&self) -> Next {
        if let Some(result) = self.result() {
            Next::Finished { result: Some(ResultView::of(&self.created, result)) }
        } else if self.innings.bowler().is_none() {
            let (side, legal, default) = over::legal_choices(self);
            Next::Choose { side: Some(side), what: "over", legal, default }
        } else if self.innings.awaits_batter() {
            let names: Vec<&str> = yet_to_bat(self);
            Next::Choose {
                side: Some(self.batting()),
                what: "next_batter",
                default: names.first().map_or(Value::Null, |name| json!(name)),
                legal: json!(names),
            }
        } else {
            Next::Roll { what: "bowl", sides: 6 }
        }
    }

    fn position(&self) -> MatchPosition {
        MatchPosition {
            awaits_set_up: false,
            innings: self.innings_number(),
            over: self.innings.over_number(),
            target: self.first.as_ref().map(|first| first.runs + 1),
            result: self.result(),
        }
    }

    fn decide(&self, play: Play, dice: &mut dyn Dice) -> Result<Vec<Event>, Refusal> {
        match play {
            Play::SetUp(_) => Err(reading::nothing_to_set_up()),
            Play::Over(choices) => {
                if let Some(bowler) = self.innings.bowler() {
                    let name = &self.fielders()[bowler.index()];
                    let message = format!("{name}'s over is not finished; the match waits for a ball");
                    return Err(Refusal::new(RefusalKind::OutOfTurn, Place::Input, message));
                }
                dice.end()?;
                Ok(vec![Event::Over(OverChoices::resolve(self, &choices)?)])
            }
            Play::Ball(choices) if self.innings.bowler().is_none() => {
                let over = Event::Over(OverChoices::by_default(self)?);
                let mut begun = self.clone();
                begun.apply(&over);
                Ok(vec![over, decide_ball(&begun, &choices, dice)?])
            }
            Play::Ball(choices) => Ok(vec![decide_ball(self, &choices, dice)?]),
            Play::Choose(_) => Err(reading::no_open_choice()),
            Play::Auto(_) => self.decide(Play::Ball(Choices::new()), dice),
        }
    }

    fn unknown_ball(&self) -> Result<Event, Refusal> {
        let next_batter = default_batter(self);
        let [striker, non_striker] = at_the_wicket(self, next_batter)?;
        let mut delivery = Delivery::between(striker, non_striker, bowler(self));
        delivery.rulings.push(&NOT_KNOWN);
        Ok(Event::Ball(Ball { next_batter, dice: Vec::new(), delivery }))
    }

    fn let_face(&mut self, batter: &str) -> Option<bool> {
        let batter = self.batters().iter().position(|player| player == batter)?;
        self.innings.let_face(Player(batter as u8))
    }

    fn end_innings(&mut self) {
        self.begin_second();
    }

    fn apply(&mut self, event: &Event) {
        match event {
            Event::Over(over) => begin_over(self, over),
            Event::Ball(ball) => count_ball(self, ball.next_batter, &ball.delivery),
        }
    }

    fn record(&self, event: &Event) -> EventData {
        match event {
            Event::Over(over) => EventData::Over(log::Over::of_choices(
                self.innings_number(),
                self.innings.over_number(),
                over.written(self),
            )),
            Event::Ball(ball) => EventData::Ball(record_ball(self, ball)),
        }
    }

    fn admit(&self, recorded: log::RecordedPlay<'_>) -> Result<Event, InvalidEvent> {
        admit::admit(self, recorded)
    }

    fn remote(&self) -> Option<&dyn RemoteChoices> {
        Some(self)
    }

    fn reviews(&self) -> Option<&dyn ReviewRules> {
        Some(self)
    }

    /// A review is a choice, so only a match without reviews is dice alone.
    fn dice_alone(&self) -> Option<&dyn DiceAlone> {
        match self.options.drs {
            Drs::Off => Some(self),
            Drs::House => None,
        }
    }
}

impl RemoteChoices for Howzat {
    fn is_chosen_by(&self, choice: &str, side: Side) -> bool {
        matches!(choice, "openers" | "next_batter") == (side == self.batting())
    }
}

impl Simulate for Howzat {
    fn simulate_ball<D: Dice>(
        &mut self,
        dice: &mut D,
        _policies: BySide<usize>,
        tally: &mut InningsTally,
    ) -> Result<(), Refusal> {
        if self.innings.bowler().is_none() {
            begin_over(self, &OverChoices::by_default(self)?);
        }
        let next_batter = default_batter(self);
        let [striker, non_striker] = at_the_wicket(self, next_batter)?;
        let mut delivery = Delivery::between(striker, non_striker, bowler(self));
        bowl_next(self, &mut delivery, dice)?;
        count_ball(self, next_batter, &delivery);
        tally.count(&delivery);
        Ok(())
    }
}

impl Describe for Howzat {
    fn sheet() -> SheetRule {
        let rule = "The seventh player keeps wicket, until an over names another.";
        SheetRule { rule: Some(rule), ..SheetRule::default() }
    }

    fn note(recorded: log::RecordedPlay<'_>) -> Option<String> {
        let log::RecordedPlay::Ball(ball) = recorded else { return None };
        let name = ball.outcome.detail.get("dropped_by")?.as_str()?;
        Some(format!("dropped by {name}"))
    }

    fn openers(over: &log::Over) -> Option<[&str; 2]> {
        reading::named_openers(over)
    }

    fn bowler(over: &log::Over) -> Option<&str> {
        reading::named_bowler(over)
    }

    fn keeper(over: &log::Over) -> Option<&str> {
        over.choices.get("keeper")?.as_str()
    }

    fn offers(&self, made: &Choices, _dice: &[i64]) -> ChoiceOffers {
        let is_over_due = self.innings.bowler().is_none() && self.result().is_none();
        if is_over_due { over::offers(self, made) } else { ChoiceOffers::of(self.next()) }
    }

    fn options() -> Value {
        Options::described()
    }
}

fn decide_ball(state: &Howzat, choices: &Choices, dice: &mut dyn Dice) -> Result<Event, Refusal> {
    let next_batter = choose_batter(state, choices)?;
    let [striker, non_striker] = at_the_wicket(state, next_batter)?;
    let mut delivery = Delivery::between(striker, non_striker, bowler(state));
    let mut noted = NotedDice::new(dice);
    bowl_next(state, &mut delivery, &mut noted).map_err(|refusal| refusal.after(&delivery.rulings))?;
    Ok(Event::Ball(Ball { next_batter, dice: noted.rolled, delivery }))
}

/// The striker and the non-striker, once the next batter is known.
#[inline]
fn at_the_wicket(state: &Howzat, next_batter: Option<Player>) -> Result<[Player; 2], Refusal> {
    let at = |end: Option<Player>| {
        let missing = || Refusal::new(RefusalKind::OutOfTurn, Place::Input, "nobody is left to bat");
        end.or(next_batter).ok_or_else(missing)
    };
    Ok([at(state.innings.striker())?, at(state.innings.non_striker())?])
}

fn bowler(state: &Howzat) -> Player {
    state.fielding.field.at(field::BOWLER)
}

/// Bowls the next ball of an over in progress. The delivery is filled in by reference: moving it would cost a
/// simulation as much time as the dice do.
fn bowl_next<D: Dice>(state: &Howzat, delivery: &mut Delivery<Detail>, dice: &mut D) -> Result<(), Refusal> {
    dice.begin(Draw::ball(state.next_delivery()));
    bowl(delivery, &state.fielding.field, &state.options, dice)?;
    dice.end()?;
    Ok(())
}

fn begin_over(state: &mut Howzat, over: &OverChoices) {
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
fn count_ball(state: &mut Howzat, next_batter: Option<Player>, delivery: &Delivery<Detail>) {
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

fn record_ball(state: &Howzat, ball: &Ball) -> log::Ball {
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
        unknown: ball.delivery.is_unknown(),
    }
}

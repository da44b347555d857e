//! What CubeRoots asks of those who score it, and the words for the two numbers of a ball.

use serde_json::Value;

use super::bag::{HAND, MOST_NUMBER};
use super::ball::Pressure;
use super::behind::BEHIND;
use super::duel::Duty;
use super::played::Turn;
use super::state::{CubeRoots, SIDE_ITSELF};
use crate::rules::{Ask, AskKind, AskOption, AskedStep, Asking, BodySoFar, Draft, GameNote, OnField, Words};
use crate::scorebook::{Overs, Player};

impl Asking for CubeRoots {
    fn asks(&self, draft: &Draft<'_>) -> Vec<Ask> {
        match draft.step {
            AskedStep::SetUp => Vec::new(),
            AskedStep::Over => asks_of_over(self, draft),
            AskedStep::Ball if self.is_seeded() => Vec::new(),
            AskedStep::Ball => {
                Duty::BOTH.into_iter().flat_map(|duty| asks_of_ball(self, draft, duty)).collect()
            }
            AskedStep::Choice(side) => asks_in_secret(self, draft, self.duty(side)),
        }
    }

    /// The bowler's number says which numbers of the batter it bowls.
    fn words(&self, so_far: &BodySoFar<'_>) -> Option<Words> {
        if so_far.outcome.is_some() {
            return None;
        }
        let bowler = so_far.draft.choices.get(Duty::Bowling.number())?.as_u64()?;
        let shown = format!("the bowler shows {bowler}");
        let needed = u64::from(self.pressure().needed());
        let words = match bowler.checked_sub(needed) {
            None => Words::new("no wicket"),
            Some(0) => Words::new("out at 0"),
            Some(most) => Words::new(format!("out at 0-{most}"))
                .sentence(format!("out if the batter shows 0 to {most}")),
        };
        Some(words.so_far(shown))
    }

    fn on_field(&self) -> OnField<'_> {
        let batter = |player: Player| self.batters()[player.index()].as_str();
        // Nobody chooses who comes in: it is the next in the list.
        let [striker, non_striker] = match self.at_the_wicket().filter(|_| self.innings.is_open()) {
            Some(at_the_wicket) => at_the_wicket.map(Some),
            None => {
                [Some(Player(0)), Some(Player(1))].map(|opener| opener.filter(|_| !self.innings.is_open()))
            }
        };
        OnField {
            batting: self.batting(),
            striker: striker.map(batter),
            non_striker: non_striker.map(batter),
            bowler: self.innings.bowler().map(|bowler| self.bowlers()[bowler.index()].as_str()),
            style: None,
            keeper: None,
            balls_limit: self.setting.options.overs.map(|overs| u32::from(overs) * Overs::BALLS),
        }
    }

    fn notes(&self) -> Vec<GameNote> {
        vec![GameNote { id: "margin", text: margin(self.pressure()) }]
    }
}

/// The margin that takes a wicket on the next ball, and how it comes about.
fn margin(pressure: Pressure) -> String {
    let Pressure { base, dots_in_a_row } = pressure;
    let out = match pressure.needed() {
        0 => "out if level".to_owned(),
        needed => format!("out if {needed} ahead"),
    };
    match dots_in_a_row {
        0 => out,
        1 => format!("{out}: {base}, less 1 dot"),
        dots => format!("{out}: {base}, less {dots} dots"),
    }
}

fn bowler(state: &CubeRoots, draft: &Draft<'_>) -> Ask {
    let bowlers = state.bowlers();
    let itself = bowlers[SIDE_ITSELF.index()].as_str();
    let option = |name: &String| match name.as_str() == itself {
        true => AskOption::named(name).text("the side, without a name"),
        false => AskOption::named(name),
    };
    let title = format!("Who bowls over {}?", state.innings.over_number());
    let ask = Ask::new(draft.at("bowler"), AskKind::One, title).of(draft.listed(bowlers.iter().map(option)));
    let ask = ask.under(draft.behind(BEHIND, "bowler"));
    ask.by(state.side(Duty::Bowling)).or_default(itself)
}

/// The asks of an over: its bowler, and the orders of both sides, which may be left out. At the table they
/// are left out together: once one side's order is in the body, the other side's is required.
fn asks_of_over(state: &CubeRoots, draft: &Draft<'_>) -> Vec<Ask> {
    let given = draft.choices.get("orders").and_then(Value::as_object);
    let has = |duty: Duty| given.is_some_and(|orders| orders.contains_key(duty.as_str()));
    let is_one_given = has(Duty::Bowling) != has(Duty::Batting);
    let orders = Duty::BOTH.into_iter().map(|duty| {
        let ask = order(state, draft, &draft.at(&format!("orders.{}", duty.as_str())), duty);
        if state.is_seeded() {
            return ask;
        }
        Ask { required: is_one_given && !has(duty), ..ask.between(0, i64::from(MOST_NUMBER)) }
    });
    let rolls = Duty::BOTH.into_iter().filter(|_| state.is_seeded());
    let rolls =
        rolls.filter_map(|duty| roll(state, draft, &draft.at(&format!("roll.{}", duty.as_str())), duty));
    [bowler(state, draft)].into_iter().chain(orders).chain(rolls).collect()
}

/// The asks of a side that chooses for itself. Its cubes are its own, so their numbers are not listed.
fn asks_in_secret(state: &CubeRoots, draft: &Draft<'_>, duty: Duty) -> Vec<Ask> {
    let bowler = (duty == Duty::Bowling).then(|| bowler(state, draft));
    let asks = [
        Some(order(state, draft, &draft.at("order"), duty)),
        roll(state, draft, &draft.at("roll"), duty),
        bowler,
    ];
    asks.into_iter().flatten().collect()
}

fn side_name(state: &CubeRoots, duty: Duty) -> &str {
    &state.setting.created.sheet(state.side(duty)).name
}

fn order(state: &CubeRoots, draft: &Draft<'_>, at: &str, duty: Duty) -> Ask {
    let title = format!("The cubes of {}, in order", side_name(state, duty));
    let (text, behind) = match state.is_seeded() {
        true => ("the six cubes dealt, each once", "order_dealt"),
        false => ("six numbers, 0 to 9", "order"),
    };
    let ask = Ask::new(at, AskKind::Order, title).text(text).count(HAND as u8);
    ask.under(draft.behind(BEHIND, behind)).by(state.side(duty)).optional()
}

fn roll(state: &CubeRoots, draft: &Draft<'_>, at: &str, duty: Duty) -> Option<Ask> {
    let title = format!("On which ball do {} roll their cube?", side_name(state, duty));
    let ask = Ask::new(at, AskKind::Number, title).between(1, HAND as i64).by(state.side(duty)).optional();
    let ask = ask.under(draft.behind(BEHIND, "roll"));
    state.setting.options.roll_a_cube.then_some(ask)
}

/// The number of a side, and whether its cube was rolled, where the order of the over does not say so.
fn asks_of_ball(state: &CubeRoots, draft: &Draft<'_>, duty: Duty) -> Vec<Ask> {
    let turn = match state.innings.bowler() {
        Some(_) => Turn::of(state, duty),
        // The over begins with this ball, without orders.
        None => Turn::Unknown,
    };
    if !turn.awaits_number() {
        return Vec::new();
    }
    let title = match duty {
        Duty::Bowling => "Bowler\u{2019}s number",
        Duty::Batting => "Batter\u{2019}s number",
    };
    let numbers = (0..=MOST_NUMBER).map(|number| AskOption::new(number, ""));
    let number = Ask::new(draft.at(duty.number()), AskKind::Number, title).of(draft.listed(numbers));
    let number = number.under(draft.behind(BEHIND, "number")).by(state.side(duty));
    let may_roll = turn == Turn::Unknown && state.setting.options.roll_a_cube && !state.has_rolled(duty);
    let ways = [AskOption::new(false, "not rolled"), AskOption::new(true, "rolled")];
    let rolled = Ask::new(draft.at(duty.rolled()), AskKind::YesNo, "Was the cube rolled?");
    let rolled = rolled
        .of(draft.listed(ways))
        .under(draft.behind(BEHIND, "roll"))
        .by(state.side(duty))
        .or_default(Value::Bool(false));
    [Some(number), may_roll.then_some(rolled)].into_iter().flatten().collect()
}

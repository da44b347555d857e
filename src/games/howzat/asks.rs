//! What Howzat asks of those who score it, and the words for each face of its dice.

use serde_json::{Map, Value, json};

use super::batter::{default_batter, yet_to_bat};
use super::behind::{BEHIND, appeal_after};
use super::field::{BOWLER, Field, KEEPER, LAST_BOWLER};
use super::over::{OverChoices, bowling_bar, default_bowler, field_at_change_of_over};
use super::rulings::{BALL_NEXT_BATTER, EXTRA_BYES, EXTRA_LEG_BYES, EXTRA_NO_BALL};
use super::state::{Howzat, PLAYERS};
use crate::log::DiceMode;
use crate::rules::{
    Ask, AskKind, AskOption, AskedStep, Asking, BodySoFar, Draft, OnField, PlaceAsked, Places, PlacesLimit,
    Words, next_die, words_of_outcome,
};
use crate::scorebook::{Overs, Player};

impl Asking for Howzat {
    fn asks(&self, draft: &Draft<'_>) -> Vec<Ask> {
        match draft.step {
            AskedStep::SetUp | AskedStep::Choice(_) => Vec::new(),
            AskedStep::Over => asks_of_over(self, draft),
            AskedStep::Ball => {
                let is_rolled_here = self.created.dice == DiceMode::Table;
                let dice = is_rolled_here.then(|| next_die(self, draft, die_title, BEHIND));
                let dice = dice.flatten().map(|die| match draft.dice {
                    [bowl @ 2..=6] | [bowl @ 1, _] => die.under(draft.behind(BEHIND, appeal_after(*bowl))),
                    _ => die,
                });
                next_batter(self, draft).into_iter().chain(dice).collect()
            }
        }
    }

    fn on_field(&self) -> OnField<'_> {
        let batter = |player: Option<Player>| player.map(|player| self.batters()[player.index()].as_str());
        let fielder = |player: Player| self.fielders()[player.index()].as_str();
        let bowler = self.innings.bowler();
        OnField {
            batting: self.batting(),
            striker: batter(self.innings.striker()),
            non_striker: batter(self.innings.non_striker()),
            bowler: bowler.map(fielder),
            style: None,
            keeper: bowler.map(|_| fielder(self.fielding.field.keeper())),
            balls_limit: Some(u32::from(self.options.overs) * Overs::BALLS),
        }
    }

    fn picked(&self, so_far: &BodySoFar<'_>) -> Option<String> {
        match *so_far.draft.dice {
            [3, 5, first, second] => {
                let (position, name) = fielder_picked(self, [first, second]);
                Some(format!("{first} and {second} make {position}: {name}"))
            }
            _ => None,
        }
    }

    fn words(&self, so_far: &BodySoFar<'_>) -> Option<Words> {
        match so_far.outcome {
            None => Some(words_so_far(self, so_far)),
            Some(outcome) => {
                let name = outcome.detail.get("dropped_by").and_then(Value::as_str);
                let dropped = name.map(|name| Words::new("dropped").text(format!("by {name}")));
                let not_out = matches!(so_far.draft.dice, [1, _, 5]) && outcome.wicket.is_none();
                dropped.or_else(|| not_out.then(|| words_of_outcome(outcome).text("not out")))
            }
        }
    }
}

fn die_title(name: &str) -> String {
    match name {
        "bowl" => "Bowl die",
        "extra" => "Extra die",
        "strike" => "Strike die",
        "fielder" => "Fielder die",
        _ => "Catch die",
    }
    .to_owned()
}

/// A ball whose dice are not complete, by those that have been rolled.
fn words_so_far(state: &Howzat, so_far: &BodySoFar<'_>) -> Words {
    match *so_far.draft.dice {
        [1] => Words::new("extra?").text("roll again").so_far("perhaps an extra"),
        [bowl] => {
            let how = match bowl {
                2 => "or bowled",
                3 => "or in the air",
                4 => "or stumped",
                5 => "or lbw",
                _ => "or run out",
            };
            Words::new("legal").text(how).sentence(format!("a legal ball, {how}")).so_far("a legal ball")
        }
        [1, _] => {
            let extra = so_far.rulings.last().copied();
            let is = |ruling| extra.is_some_and(|extra| std::ptr::eq(extra, ruling));
            let title = match () {
                () if is(&EXTRA_NO_BALL) => "no-ball",
                () if is(&EXTRA_BYES) => "byes",
                () if is(&EXTRA_LEG_BYES) => "leg byes",
                () => "no extra",
            };
            Words::new(title).text("now the strike").so_far(title)
        }
        [3, 5] => Words::new("in the air").text("catch?").so_far("in the air"),
        [3, 5, first] => {
            let (least, most) = (first + 1, first + 6);
            Words::new(format!("{least} to {most}"))
                .text("in the air")
                .sentence(format!("in the air, to positions {least} to {most}"))
        }
        [3, 5, first, second] => {
            let (position, name) = fielder_picked(state, [first, second]);
            Words::new(format!("to {position}"))
                .text(name)
                .sentence(format!("in the air to {name}, on position {position}"))
        }
        _ => Words::default(),
    }
}

/// The position that two fielder dice pick, and the player there.
fn fielder_picked(state: &Howzat, [first, second]: [i64; 2]) -> (u8, &str) {
    let position = u8::try_from(first + second).unwrap_or(BOWLER).clamp(LAST_BOWLER, BOWLER);
    (position, &state.fielders()[field_of_ball(state).at(position).index()])
}

/// The field of the next ball: where its over has not begun, the one with which the over begins by default.
fn field_of_ball(state: &Howzat) -> Field {
    let begins = state.innings.bowler().is_none().then(|| OverChoices::by_default(state).ok()).flatten();
    begins.map_or(state.fielding.field, |over| over.field)
}

fn next_batter(state: &Howzat, draft: &Draft<'_>) -> Option<Ask> {
    let default = default_batter(state)?;
    let batters = state.batters();
    let at_the_wicket = [state.innings.striker(), state.innings.non_striker()];
    let waiting = yet_to_bat(state);
    let option = |player: Player| {
        let option = AskOption::named(&batters[player.index()]);
        match () {
            () if player == default => option.text("next in the list"),
            () if !state.innings.has_come_in(player) => option,
            () if at_the_wicket.contains(&Some(player)) => {
                option.refused("is at the wicket", &BALL_NEXT_BATTER)
            }
            () => option.refused("is out", &BALL_NEXT_BATTER),
        }
    };
    let ask = Ask::new(draft.at("next_batter"), AskKind::One, "Who comes in?")
        .of(draft.listed((0..PLAYERS).map(Player).map(option)))
        .under(draft.behind(BEHIND, "next_batter"))
        .by(state.batting());
    Some(ask.or_default(waiting.first().copied().unwrap_or_default()))
}

/// The asks of an over. The openers come first; then the bowler, the keeper and the field.
fn asks_of_over(state: &Howzat, draft: &Draft<'_>) -> Vec<Ask> {
    let side = state.batting().other();
    let fielders = state.fielders();
    let mut field = field_at_change_of_over(state);
    let given = |name: &str| draft.choices.get(name).and_then(Value::as_str);
    let player = |name: &str| fielders.iter().position(|player| player == name).map(|at| Player(at as u8));
    if let Some(keeper) = given("keeper").and_then(player) {
        field.swap_in(keeper, KEEPER);
    }
    let named = |player: Player| AskOption::named(&fielders[player.index()]);
    let mut asks: Vec<Ask> = openers(state, draft).into_iter().collect();
    let default = default_bowler(state, field.keeper()).ok();
    let bowlers =
        (0..PLAYERS).map(Player).map(|player| bowler_option(state, player, field.keeper(), default));
    let title = format!("Who bowls over {}?", state.innings.over_number());
    let bowler = Ask::new(draft.at("bowler"), AskKind::One, title).of(draft.listed(bowlers)).by(side);
    let bowler = bowler.under(draft.behind(BEHIND, "bowler"));
    asks.push(match default {
        Some(default) => bowler.or_default(fielders[default.index()].as_str()),
        None => bowler,
    });
    let keeper = Ask::new(draft.at("keeper"), AskKind::One, "Who keeps wicket?");
    let keeper = keeper.of(draft.listed((0..PLAYERS).map(Player).map(named))).by(side);
    let keeper = keeper.under(draft.behind(BEHIND, "keeper"));
    asks.push(keeper.or_default(fielders[field.keeper().index()].as_str()));
    let title = format!("The field, over {}", state.innings.over_number());
    let placed = Ask::new(draft.at("field"), AskKind::Places, title).by(side).optional();
    let placed = placed.under(draft.behind(BEHIND, "field"));
    asks.push(Ask { places: draft.placed(|| places(field, fielders)), ..placed });
    asks
}

fn openers(state: &Howzat, draft: &Draft<'_>) -> Option<Ask> {
    if state.innings.is_open() {
        return None;
    }
    let batters = state.batters();
    let ask = Ask::new(draft.at("openers"), AskKind::Order, "Who opens, the striker first?")
        .of(draft.listed(batters.iter().map(|name| AskOption::named(name))))
        .under(draft.behind(BEHIND, "openers"))
        .count(2)
        .by(state.batting());
    Some(ask.or_default(json!([batters[0], batters[1]])))
}

/// A player of the fielding side as the bowler of the next over.
fn bowler_option(state: &Howzat, player: Player, keeper: Player, default: Option<Player>) -> AskOption {
    let option = AskOption::named(&state.fielders()[player.index()]);
    let most = state.options.max_overs_per_bowler;
    match bowling_bar(state, player, keeper) {
        None => {
            let left = most - state.fielding.overs_bowled[player.index()];
            let left = if left == 1 { "1 over left".to_owned() } else { format!("{left} overs left") };
            option.text(if default == Some(player) { format!("by default, {left}") } else { left })
        }
        Some(bar) => option.refused(bar.in_a_list(most), bar.ruling()),
    }
}

/// The positions 2 to 12 on a ground, as far as a picture needs them: the bowler's end is below.
const SPOTS: [(f64, f64); 11] = [
    (0.30, 0.72),
    (0.12, 0.58),
    (0.10, 0.36),
    (0.26, 0.16),
    (0.40, 0.30),
    (0.50, 0.22),
    (0.64, 0.16),
    (0.82, 0.26),
    (0.90, 0.50),
    (0.76, 0.74),
    (0.50, 0.70),
];

fn places(field: Field, sheet: &[String]) -> Places {
    let titled = |position: u8| match position {
        KEEPER => "7, the keeper".to_owned(),
        BOWLER => "12, the bowler".to_owned(),
        LAST_BOWLER => "2, the bowler of the over before".to_owned(),
        position => format!("position {position}"),
    };
    let place = |position: u8| PlaceAsked {
        id: position.to_string(),
        title: titled(position),
        shape: SPOTS.get(usize::from(position - LAST_BOWLER)).map(|(x, y)| circle(*x, *y)),
    };
    let limit = |position: u8| PlacesLimit {
        places: vec![position.to_string()],
        n: 1,
        text: "a position takes one".to_owned(),
    };
    let stands = |position: u8| (sheet[field.at(position).index()].clone(), json!(position.to_string()));
    Places {
        names: sheet.to_vec(),
        places: (LAST_BOWLER..=BOWLER).map(place).collect(),
        at_most: (LAST_BOWLER..=BOWLER).map(limit).collect(),
        now: (LAST_BOWLER..=BOWLER).map(stands).collect::<Map<String, Value>>(),
        // The field has been turned for the over already, and no other is printed.
        named: Vec::new(),
    }
}

/// A circle around a spot of the unit square, as the path of an SVG.
fn circle(x: f64, y: f64) -> String {
    format!("M{:.2} {y:.2}a.07 .07 0 1 0 .14 0a.07 .07 0 1 0 -.14 0Z", x - 0.07)
}

//! What is asked before play: whom each side drops and the pitch; and before an over: openers, bowler, power
//! play and field.

use serde_json::{Value, json};

use super::super::awaiting::Awaiting;
use super::super::edition::model::{Condition, EditionWord};
use super::super::field::Limits;
use super::super::named_card::NamedCard;
use super::super::remote::with_open_choices;
use super::super::rulings::*;
use super::super::set_up;
use super::super::squad::{Member, players};
use super::super::state::CricketTheGame;
use super::behind::BEHIND;
use super::board::places;
use super::options::{attitudes, signed};
use crate::rules::{Ask, AskKind, AskOption, Choices, Draft, Places};
use crate::scorebook::{Player, Side};

/// The asks of the set-up.
pub fn asks_of_set_up(state: &CricketTheGame, draft: &Draft<'_>) -> Vec<Ask> {
    if state.prepared.is_some() || state.is_remote() {
        return Vec::new();
    }
    let drops = [Side::Home, Side::Away].map(|side| drop_ask(state, draft, side, &format!("drop.{side}")));
    let pitch = (!state.is_seeded()).then(|| pitch(state, draft));
    drops.into_iter().chain(pitch).collect()
}

/// The ask for the player whom a side drops.
pub fn drop_ask(state: &CricketTheGame, draft: &Draft<'_>, side: Side, at: &str) -> Ask {
    let sheet = state.setting.created.sheet(side);
    let name = |player: Player| sheet.players[player.index()].as_str();
    let squad = &state.setting.squads[side];
    let option = |player: Player| AskOption::named(name(player)).text(in_words(squad[player.index()]));
    let ask = Ask::new(draft.at(at), AskKind::One, format!("Whom do {} drop?", sheet.name))
        .of(draft.listed(set_up::droppable(state, side).map(option)))
        .under(draft.behind(BEHIND, "drop"))
        .by(side);
    match set_up::dropped(state, side, None) {
        Ok(player) => ask.or_default(name(player)),
        Err(_) => ask,
    }
}

/// The card of a player in words.
fn in_words(member: Member) -> String {
    format!("{}, confidence {}", member.role.word(), signed(member.confidence))
}

fn pitch(state: &CricketTheGame, draft: &Draft<'_>) -> Ask {
    let cards = state.edition().pitch.iter();
    let options = cards.map(|card| {
        AskOption::new(card.id(), card.name.as_str()).text(match card.condition {
            Condition::Neutral => "suits nobody".to_owned(),
            suits => format!("suits {}", suits.word()),
        })
    });
    let ask = Ask::new(draft.at("pitch"), AskKind::One, "Which pitch card?").of(draft.listed(options));
    filled_in(ask.under(draft.behind(BEHIND, "pitch")), draft.choices.get("pitch"))
}

/// An ask without a default. Once the body has a value, it is no more than a value that can be changed.
pub fn filled_in(ask: Ask, given: Option<&Value>) -> Ask {
    match given {
        Some(given) => ask.or_default(given.clone()),
        None => ask,
    }
}

/// The asks of an over. In remote play those that are open choices of their own are made before it.
pub fn asks_of_over(state: &CricketTheGame, draft: &Draft<'_>) -> Vec<Ask> {
    let is_remote = state.is_remote();
    if is_remote && Awaiting::of(state) != Some(Awaiting::Over) {
        return Vec::new();
    }
    let mut asks = Vec::new();
    if !state.innings.is_open() && !is_remote {
        asks.extend(openers(state, draft));
    }
    if !state.open_choices.contains_key("bowler") {
        asks.push(bowler(state, draft));
    }
    if state.may_call_power_play() && !is_remote {
        asks.push(power_play(state, draft));
    }
    asks.push(field(state, draft));
    asks
}

/// The asks for the openers and their attitudes.
pub fn openers(state: &CricketTheGame, draft: &Draft<'_>) -> [Ask; 2] {
    let side = state.side_batting();
    let eleven = state.eleven(side);
    let option = |player: Player| {
        let option = AskOption::named(eleven.name(player));
        if eleven.dropped == Some(player) {
            option.refused("was dropped", &OVER_OPENERS)
        } else {
            option.text(in_words(eleven.member(player)))
        }
    };
    let usual: Vec<&str> = eleven.players().take(2).map(|player| eleven.name(player)).collect();
    let openers = Ask::new(draft.at("openers"), AskKind::Order, "Who opens, the striker first?")
        .of(draft.listed(players().map(option)))
        .under(draft.behind(BEHIND, "openers"))
        .count(2);
    let title = "How do they begin, the striker first?";
    let ways = Ask::new(draft.at("attitudes"), AskKind::Order, title).of(draft.listed(attitudes())).count(2);
    let ways = ways.under(draft.behind(BEHIND, "attitudes"));
    [openers.or_default(json!(usual)), ways.or_default(json!(["defensive", "defensive"]))]
        .map(|ask| ask.by(side))
}

/// The ask for the bowler of the next over, of all who bowl.
pub fn bowler(state: &CricketTheGame, draft: &Draft<'_>) -> Ask {
    let side = state.side_batting().other();
    let eleven = state.eleven(side);
    let option = |player: Player| {
        let option = AskOption::named(eleven.name(player));
        if eleven.dropped == Some(player) {
            return option.refused("was dropped", &OVER_BOWLER);
        }
        match state.why_not_bowl(player) {
            Some((ruling, why_not)) => option.refused(why_not, ruling),
            None => {
                let left = state.format().quota() - state.bowling.overs_bowled[player.index()];
                let overs = if left == 1 { "over" } else { "overs" };
                option.text(format!("{}, {left} {overs} left", eleven.member(player).role.word()))
            }
        }
    };
    let bowlers = players().filter(|player| eleven.member(*player).role.style().is_some());
    let title = format!("Who bowls over {}?", state.innings.over_number());
    let ask =
        Ask::new(draft.at("bowler"), AskKind::One, title).of(draft.listed(bowlers.map(option))).by(side);
    let ask = ask.under(draft.behind(BEHIND, "bowler_of_over"));
    match state.default_bowler() {
        Some(player) => ask.or_default(eleven.name(player)),
        None => ask,
    }
}

/// The ask for the power play.
pub fn power_play(state: &CricketTheGame, draft: &Draft<'_>) -> Ask {
    let restricted = format!("{} may stand in the outfield", Limits::RESTRICTED);
    let ways = [AskOption::new(false, "No"), AskOption::new(true, "Power play").text(restricted)];
    Ask::new(draft.at("power_play"), AskKind::YesNo, "Power play?")
        .of(draft.listed(ways))
        .under(draft.behind(BEHIND, "power_play"))
        .by(state.side_batting())
        .or_default(false)
}

/// The ask for the field of the next over, as it stands with the bowler and the power play of the draft.
fn field(state: &CricketTheGame, draft: &Draft<'_>) -> Ask {
    let title = format!("The field, over {}", state.innings.over_number());
    let ask = Ask::new(draft.at("field"), AskKind::Places, title);
    let ask = ask.under(draft.behind(BEHIND, "field")).by(state.side_batting().other()).optional();
    Ask { places: draft.placed(|| field_places(state, draft)), ..ask }
}

fn field_places(state: &CricketTheGame, draft: &Draft<'_>) -> Places {
    let choices: Choices = with_open_choices(state, draft.choices).unwrap_or_else(|_| draft.choices.clone());
    let eleven = state.eleven(state.side_batting().other());
    let named = choices.get("bowler").and_then(Value::as_str);
    let named = named.and_then(|name| eleven.players().find(|player| eleven.name(*player) == name));
    let fielders: Vec<&str> = eleven.token_names(named.or(state.default_bowler())).collect();
    let power_play = choices.get("power_play").and_then(Value::as_bool).unwrap_or(false);
    let limits = Limits::of_over(state.format(), state.innings.over_number(), power_play);
    places(state.field_in(limits), limits, &fielders, state.edition())
}

//! Reads the cards of an edition: bowls, over cards, pitch cards and skills.

use super::effects::{CardKind, effects};
use super::value_at::ValueAt;
use crate::games::cricket_the_game::edition::effect::Then;
use crate::games::cricket_the_game::edition::model::{
    Bowl, Condition, EditionWord, OverCard, PitchCard, Skill, WordSet, Zone,
};

const MOST_BOWLS: usize = 16;
const DECK: usize = 15;
const BATTER_SKILLS: usize = 3;
const BOWLER_SKILLS: usize = 2;
const PITCHES: usize = 3;

/// Reads the bowling cards of a style.
pub fn bowls(spot: &ValueAt) -> Option<Vec<Bowl>> {
    let bowls = spot.each_of(1..=MOST_BOWLS, "bowling cards", bowl);
    spot.no_two_alike("id")?;
    bowls
}

fn bowl(spot: &ValueAt) -> Option<Bowl> {
    let fields = spot.object(&["id", "name", "feeds", "die", "effects"]);
    let id = fields.read("id", ValueAt::id);
    let name = fields.read("name", ValueAt::name);
    let feeds = fields.read("feeds", |spot| spot.some_words::<Zone>(Zone::STROKES));
    let die = fields.read("die", |spot| spot.each_word::<Condition, _, 3>(ValueAt::die));
    let effects = fields.read("effects", |spot| effects(spot, CardKind::Bowl));
    Some(Bowl { id: id?, name: name?, feeds: feeds?, die: die?, effects: effects? })
}

/// Reads the over cards of a style.
pub fn over_deck(spot: &ValueAt) -> Option<Vec<OverCard>> {
    let deck = spot.each_of(DECK..=DECK, "over cards", over_card);
    spot.no_two_alike("id")?;
    deck
}

fn over_card(spot: &ValueAt) -> Option<OverCard> {
    let fields = spot.object(&["id", "name", "express", "snick", "effects"]);
    let id = fields.read("id", ValueAt::id);
    let name = fields.read("name", ValueAt::name);
    let express = fields.read("express", ValueAt::word);
    let snick = fields.read("snick", ValueAt::yes_or_no);
    let effects = fields.read("effects", |spot| effects(spot, CardKind::OverCard));
    Some(OverCard { id: id?, name: name?, express: express?, snick: snick?, effects: effects? })
}

/// Reads the pitch cards: each condition has one.
pub fn pitch(spot: &ValueAt) -> Option<Vec<PitchCard>> {
    let cards = spot.each_of(PITCHES..=PITCHES, "pitch cards", pitch_card)?;
    if cards.len() != PITCHES {
        return None;
    }
    let seen = WordSet::these(cards.iter().map(|card| card.condition));
    let missing = Condition::ALL.iter().find(|(condition, _)| !seen.has(*condition));
    match missing {
        Some((_, word)) => {
            spot.fault(|| format!("there is one pitch card for each condition; {word:?} has none"))
        }
        None => Some(cards),
    }
}

fn pitch_card(spot: &ValueAt) -> Option<PitchCard> {
    let fields = spot.object(&["name", "condition", "effects"]);
    let name = fields.read("name", ValueAt::name);
    let condition = fields.read("condition", ValueAt::word);
    let effects = fields.read("effects", |spot| effects(spot, CardKind::Pitch));
    Some(PitchCard { name: name?, condition: condition?, effects: effects? })
}

/// Reads the skills of batters, and those of bowlers.
pub fn skills(spot: &ValueAt) -> Option<(Vec<Skill>, Vec<Skill>)> {
    let fields = spot.object(&["batter", "bowler"]);
    let batter = fields.read("batter", |spot| set_of_skills(spot, BATTER_SKILLS));
    let bowler = fields.read("bowler", |spot| set_of_skills(spot, BOWLER_SKILLS));
    Some((batter?, bowler?))
}

fn set_of_skills(spot: &ValueAt, many: usize) -> Option<Vec<Skill>> {
    let skills = spot.each_of(many..=many, "skill cards", skill);
    spot.no_two_alike("id")?;
    skills
}

/// The answers to every reroll, beside the ids of the skills that give it.
const ANSWERS: [&str; 2] = ["no", "card"];

fn skill(spot: &ValueAt) -> Option<Skill> {
    let fields = spot.object(&["id", "name", "effects"]);
    let id = fields.read("id", ValueAt::id);
    let name = fields.read("name", ValueAt::name);
    let effects = fields.read("effects", |spot| effects(spot, CardKind::Skill))?;
    let rerolls = effects.iter().find_map(|effect| match effect.then {
        Then::Reroll(die) => Some(die),
        _ => None,
    });
    let skill = Skill { id: id?, name: name?, effects, rerolls };
    if skill.is_reroll() && ANSWERS.contains(&skill.id.as_str()) {
        let reason =
            || format!("is {:?}, which already is an answer to every reroll; choose another", skill.id);
        return fields.read("id", |spot| spot.fault(reason));
    }
    Some(skill)
}

//! Reads an edition from its JSON, and lists every mistake in it.

mod board;
mod cards;
mod effects;
mod faults;
mod fields;
mod style;
mod teams;
#[cfg(test)]
mod tests;
mod value_at;
mod values;

use serde_json::Value;

use self::faults::Faults;
use self::value_at::ValueAt;
use super::model::{Format, PrintedEdition, Style};
use crate::rules::EditionFault;

const PARTS: [&str; 11] = [
    "id",
    "teams",
    "board",
    "bounce_dice",
    "bowls",
    "style_rules",
    "over_decks",
    "pitch",
    "skills",
    "drs",
    "fields",
];

/// Reads and checks an edition. Every mistake is listed with its path, up to a hundred of them.
pub fn read(value: &Value) -> Result<PrintedEdition, Vec<EditionFault>> {
    let faults = Faults::default();
    match edition(&ValueAt::whole(value, &faults)) {
        Some(edition) if !faults.any() => Ok(edition),
        _ => Err(faults.into_list()),
    }
}

fn edition(spot: &ValueAt) -> Option<PrintedEdition> {
    let parts = spot.object(&PARTS);
    let id = parts.read("id", ValueAt::id);
    let teams = parts.read("teams", teams::teams);
    let board = parts.read("board", board::boards);
    let bounce_dice = parts.read("bounce_dice", board::bounce_dice);
    let bowls = parts.read("bowls", |spot| spot.each_word::<Style, _, 3>(cards::bowls));
    let style_rules = parts.read("style_rules", |spot| spot.each_word::<Style, _, 3>(style::style_rules));
    let over_decks = parts.read("over_decks", |spot| spot.each_word::<Style, _, 3>(cards::over_deck));
    let pitch = parts.read("pitch", cards::pitch);
    let skills = parts.read("skills", cards::skills);
    let drs = parts.read("drs", style::review_card);
    let fields = parts.read("fields", |spot| {
        let of = spot.object(&["t10", "t20"]);
        let t10 = of.read("t10", |spot| fields::default_fields(spot, Format::T10));
        let t20 = of.read("t20", |spot| fields::default_fields(spot, Format::T20));
        Some(super::model::Each([t10?, t20?]))
    });
    let (batter_skills, bowler_skills) = skills?;
    Some(PrintedEdition {
        id: id?,
        teams: teams?,
        board: board?,
        bounce_dice: bounce_dice?,
        bowls: bowls?,
        style_rules: style_rules?,
        over_decks: over_decks?,
        pitch: pitch?,
        batter_skills,
        bowler_skills,
        drs: drs?,
        fields: fields?,
    })
}

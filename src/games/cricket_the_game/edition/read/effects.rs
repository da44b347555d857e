//! Reads the effects of a card: their conditions, and the change that each makes.

use super::value_at::{Fields, ValueAt, any_of, cut};
use crate::games::cricket_the_game::edition::effect::{Effect, Then, When};
use crate::games::cricket_the_game::edition::model::{
    Attitude, CardDecision, Condition, Duelist, EditionWord, Out, PlayerRole, SoFar, Style, WordSet,
};

const MOST_EFFECTS: usize = 8;

const WORDS: [(&str, Then); 5] = [
    ("no_ball", Then::NoBall),
    ("snick", Then::Snick),
    ("dead_ball", Then::DeadBall),
    ("no_run_allowed", Then::NoRunAllowed),
    ("nothing", Then::Nothing),
];

const OBJECTS: [&str; 10] = [
    "outcome",
    "confidence",
    "advantage",
    "bowler_die",
    "batter_die",
    "roll",
    "reroll",
    "appeal",
    "overthrows",
    "catch_value",
];

/// The kind of card that has an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardKind {
    /// A bowling card.
    Bowl,
    /// A card of an over deck.
    OverCard,
    /// A pitch card.
    Pitch,
    /// A skill card.
    Skill,
}

/// Reads the effects of a card.
pub fn effects(spot: &ValueAt, card_kind: CardKind) -> Option<Vec<Effect>> {
    let effects = spot.each_of(0..=MOST_EFFECTS, "effects", |spot| effect(spot, card_kind))?;
    if card_kind == CardKind::Skill {
        rerolls_alone(spot, &effects)?;
    }
    Some(effects)
}

/// Refuses a skill that has a reroll and another effect: it is played after both dice, too late for anything
/// else.
fn rerolls_alone(spot: &ValueAt, effects: &[Effect]) -> Option<()> {
    let first = effects.iter().find(|effect| matches!(effect.then, Then::Reroll(_)));
    let Some(first) = first else { return Some(()) };
    if effects.iter().all(|effect| effect.then == first.then) {
        return Some(());
    }
    spot.fault(|| {
        "has a reroll and another effect; a skill with a reroll has only rerolls, of one side".to_owned()
    })
}

fn effect(spot: &ValueAt, card_kind: CardKind) -> Option<Effect> {
    let fields = spot.object_with(&["then"], &["when"]);
    let when = fields.read_if("when", when).map(|when| when.unwrap_or(When::ALWAYS));
    let then = fields.read("then", |spot| allowed_on(spot, card_kind));
    let effect = Effect { when: when?, then: then? };
    in_time(&fields, &effect)?;
    Some(effect)
}

/// Reads the change of an effect. A card that is in play at every ball may not keep an over from ending.
fn allowed_on(spot: &ValueAt, card_kind: CardKind) -> Option<Then> {
    let then = then(spot)?;
    let endless = matches!(then, Then::NoBall | Then::DeadBall);
    if endless && matches!(card_kind, CardKind::Bowl | CardKind::Pitch) {
        return spot.fault(|| format!("{} is allowed only on an over card or a skill card", spot.shown()));
    }
    Some(then)
}

/// Refuses a `so_far` that is too late or too early for the effect.
fn in_time(fields: &Fields, effect: &Effect) -> Option<()> {
    let allowed = effect.then.so_far();
    let words =
        || any_of(SoFar::ALL.iter().filter(|(so_far, _)| allowed.has(*so_far)).map(|(_, word)| *word));
    match effect.when.so_far {
        None if effect.then.at_first() => Some(()),
        None => fields.fault("when.so_far", || format!("is missing; this effect needs one of {}", words())),
        Some(some) if some.0 & !allowed.0 == 0 => Some(()),
        Some(_) if allowed.0 == 0 => {
            fields.fault("when.so_far", || "is too late for this effect; leave it out".to_owned())
        }
        Some(_) => fields.fault("when.so_far", || format!("may only be {} for this effect", words())),
    }
}

fn when(spot: &ValueAt) -> Option<When> {
    let fields = spot.object_with(&[], &["attitude", "style", "role", "pitch", "so_far"]);
    let attitude = some_or_all::<Attitude>(&fields, "attitude");
    let style = some_or_all::<Style>(&fields, "style");
    let role = some_or_all::<PlayerRole>(&fields, "role");
    let pitch = some_or_all::<Condition>(&fields, "pitch");
    let so_far = fields.read_if("so_far", |spot| spot.some_words::<SoFar>(WordSet::ALL));
    Some(When { attitude: attitude?, style: style?, role: role?, pitch: pitch?, so_far: so_far? })
}

fn some_or_all<W: EditionWord>(fields: &Fields, name: &str) -> Option<WordSet> {
    let some = fields.read_if(name, |spot| spot.some_words::<W>(WordSet::ALL))?;
    Some(some.unwrap_or(WordSet::ALL))
}

fn then(spot: &ValueAt) -> Option<Then> {
    if let Some((_, then)) = spot.text().and_then(|text| WORDS.iter().find(|(word, _)| *word == text)) {
        return Some(*then);
    }
    match spot.only_field() {
        Some((name, inner)) if OBJECTS.contains(&name) => with_value(name, &inner),
        Some((name, _)) if WORDS.iter().any(|(word, _)| *word == name) => {
            spot.fault(|| format!("{name:?} takes no value; write it as a word, not as an object"))
        }
        Some((name, _)) => spot.fault(|| format!("there is no effect {:?}; {}", cut(name), language())),
        None => spot.fault(|| format!("{} is not an effect; {}", spot.shown(), language())),
    }
}

fn language() -> String {
    let words = any_of(WORDS.iter().map(|(word, _)| *word));
    format!("an effect is one of {words}, or an object with one of {}", any_of(OBJECTS))
}

fn with_value(name: &str, spot: &ValueAt) -> Option<Then> {
    match name {
        "outcome" => decided(spot).map(Then::Outcome),
        "confidence" => change(spot).map(Then::Confidence),
        "advantage" => change(spot).map(Then::Advantage),
        "bowler_die" => spot.die().map(Then::BowlerDie),
        "batter_die" => spot.die().map(Then::BatterDie),
        "roll" => roll(spot),
        "reroll" => spot.word().map(Then::Reroll),
        "appeal" => appeal(spot),
        "overthrows" => spot.count(1..=4).map(Then::Overthrows),
        _ => change(spot).map(Then::CatchValue),
    }
}

/// Reads the decision of a card: runs, or a dismissal.
pub fn decided(spot: &ValueAt) -> Option<CardDecision> {
    match spot.only_field() {
        Some(("runs", runs)) => runs.count(0..=6).map(CardDecision::Runs),
        Some(("out", how)) => how.word().map(CardDecision::Out),
        _ => spot.is_not(|| "{\"runs\": 0 to 6} or {\"out\": how}".to_owned()),
    }
}

fn change(spot: &ValueAt) -> Option<i8> {
    let change = spot.number(-4..=4)?;
    if change == 0 {
        spot.fault(|| "is 0, which changes nothing; it is -4 to 4, not 0".to_owned())
    } else {
        Some(change)
    }
}

fn roll(spot: &ValueAt) -> Option<Then> {
    let fields = spot.object(&["side", "by"]);
    let side = fields.read("side", |spot| spot.word::<Duelist>());
    let by = fields.read("by", change);
    Some(Then::Roll { side: side?, by: by? })
}

fn appeal(spot: &ValueAt) -> Option<Then> {
    let fields = spot.object(&["how", "die", "out_on"]);
    let how = fields.read("how", |spot| spot.one_of(&Out::APPEALS.map(Out::word)));
    let die = fields.read("die", ValueAt::die);
    let out_on = fields.read("out_on", |spot| faces(spot, die.unwrap_or(8)));
    Some(Then::Appeal { how: Out::APPEALS[how?], die: die?, out_on: out_on? })
}

/// Reads faces of a die, none of them twice, as bits: bit `n - 1` for face `n`.
fn faces(spot: &ValueAt, die: u8) -> Option<u8> {
    let spots = spot.list(1..=usize::from(die), "faces of the die")?;
    let mut bits = Some(0);
    for spot in &spots {
        let bit = spot.count(1..=die).map(|face| 1 << (face - 1));
        bits = match (bits, bit) {
            (Some(bits), Some(bit)) if bits & bit != 0 => spot.twice(),
            (bits, bit) => bits.zip(bit).map(|(bits, bit): (u8, u8)| bits | bit),
        };
    }
    bits
}

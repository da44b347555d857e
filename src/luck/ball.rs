//! The dice of a ball in a form that is quick to count with: each place among them, with what the ball can
//! still come to from there.

use crate::dice::Die;
use crate::rules::{BallDice, BallEffect, Thrower};

/// A place among the dice of a ball, as an index into [`DiceTree::places`].
pub(super) type PlaceId = usize;

/// A place among the dice of a ball: before a die, or after the last.
pub(super) struct DicePlace {
    /// The die that is rolled next; none after the last.
    pub next: Option<NextDie>,
    /// What the ball can come to from here: effects, as indices into [`DiceTree::effects`], with their
    /// chances.
    pub spread: Vec<(usize, f64)>,
}

/// A die that is rolled next.
pub(super) struct NextDie {
    pub what: &'static str,
    pub thrower: Thrower,
    /// The place after each face, from 1.
    pub after: Vec<PlaceId>,
}

/// The dice of a ball.
pub(super) struct DiceTree {
    /// The effects that a ball can have, each once.
    pub effects: Vec<BallEffect>,
    /// The places. The first is before the first die.
    pub places: Vec<DicePlace>,
}

/// The place before the first die.
pub(super) const FIRST: PlaceId = 0;

impl DiceTree {
    /// The ball with these dice.
    pub fn of(dice: &BallDice) -> DiceTree {
        let mut ball = DiceTree { effects: Vec::new(), places: Vec::new() };
        ball.add(dice);
        ball
    }

    fn add(&mut self, dice: &BallDice) -> PlaceId {
        let id = self.places.len();
        self.places.push(DicePlace { next: None, spread: Vec::new() });
        match dice {
            BallDice::Fallen(effect) => {
                let index = self.effects.iter().position(|known| known == effect);
                let index = index.unwrap_or_else(|| {
                    self.effects.push(*effect);
                    self.effects.len() - 1
                });
                self.places[id].spread.push((index, 1.0));
            }
            BallDice::Die { what, thrower, faces } => {
                let after: Vec<PlaceId> = faces.iter().map(|face| self.add(face)).collect();
                let mut spread: Vec<(usize, f64)> = Vec::new();
                for (effect, chance) in after.iter().flat_map(|place| &self.places[*place].spread) {
                    let chance = chance / faces.len() as f64;
                    match spread.iter_mut().find(|(known, _)| known == effect) {
                        Some((_, sum)) => *sum += chance,
                        None => spread.push((*effect, chance)),
                    }
                }
                self.places[id] =
                    DicePlace { next: Some(NextDie { what, thrower: *thrower, after }), spread };
            }
        }
        id
    }

    /// The most sides of a die.
    pub fn most_sides(&self) -> usize {
        let sides = |place: &DicePlace| place.next.as_ref().map_or(0, |die| die.after.len());
        self.places.iter().map(sides).max().unwrap_or(0)
    }

    /// The mean of a value over what the ball can come to from a place; `of_effects` has the value after each
    /// effect.
    pub fn mean(&self, place: PlaceId, of_effects: &[f64]) -> f64 {
        self.places[place].spread.iter().map(|(effect, chance)| chance * of_effects[*effect]).sum()
    }

    /// The places that recorded dice lead through, the one before them first; none where they are not the
    /// dice of a whole ball.
    pub fn path(&self, dice: &[Die]) -> Option<Vec<PlaceId>> {
        let mut path = vec![FIRST];
        let mut at = FIRST;
        for die in dice {
            let next = self.places[at].next.as_ref().filter(|next| next.what == die.what)?;
            if next.after.len() != usize::from(die.sides) {
                return None;
            }
            at = *next.after.get(usize::from(die.value).checked_sub(1)?)?;
            path.push(at);
        }
        self.places[at].next.is_none().then_some(path)
    }

    /// Who throws the die of this name.
    pub fn thrower_of(&self, what: &str) -> Option<Thrower> {
        let dice = self.places.iter().filter_map(|place| place.next.as_ref());
        dice.map(|die| (die.what, die.thrower)).find(|(known, _)| *known == what).map(|(_, thrower)| thrower)
    }

    /// The effect of a place after the last die.
    pub fn effect_at(&self, place: PlaceId) -> Option<BallEffect> {
        let place = &self.places[place];
        let effect = place.spread.first().filter(|_| place.next.is_none());
        effect.map(|(effect, _)| self.effects[*effect])
    }
}

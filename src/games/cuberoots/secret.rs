//! The choices of each side in remote play: before an over, in secret, the order of its cubes.

use serde_json::{Map, Value, json};

use super::bag::Six;
use super::duel::Duty;
use super::over::{self, bowler, refuse_unknown_choices};
use super::policy::shuffled;
use super::state::{CubeRoots, SIDE_ITSELF};
use crate::dice::{Dice, Draw};
use crate::rules::{ChoiceKind, Choices, Play, Refusal, RemoteChoices};
use crate::scorebook::{BySide, Player, Side};

impl RemoteChoices for CubeRoots {
    fn is_chosen_by(&self, choice: &str, side: Side) -> bool {
        let owner = match choice {
            "bowler" | "bowler_number" | "bowler_rolled" => Duty::Bowling,
            "batter_number" | "batter_rolled" => Duty::Batting,
            _ => return false,
        };
        self.side(owner) == side
    }

    fn secret(&self) -> Option<ChoiceKind> {
        let order = ChoiceKind { what: "order", ball: None };
        (self.is_seeded() && self.innings.bowler().is_none()).then_some(order)
    }

    /// The six cubes of the side as dealt, with the numbers that it reads on them: each is an option of its
    /// order.
    fn hand(&self, side: Side, dice: &mut dyn Dice) -> Result<Value, Refusal> {
        let duty = self.duty(side);
        let cubes = self.deal(dice)?[duty];
        let numbers = self.numbers(duty, cubes);
        let option = |(cube, number): (&u8, u8)| {
            let title = number.to_string();
            json!({"cube": cube, "number": number, "value": cube, "title": title})
        };
        Ok(cubes.iter().zip(numbers).map(option).collect())
    }

    fn check(&self, side: Side, given: &Choices, dice: &mut dyn Dice) -> Result<Choices, Refusal> {
        let duty = self.duty(side);
        let known: &[&str] =
            if duty == Duty::Bowling { &["order", "roll", "bowler"] } else { &["order", "roll"] };
        refuse_unknown_choices(given, "", known)?;
        let dealt = self.deal(dice)?[duty];
        let with_legal_cubes = |refusal: Refusal| refusal.legal(dealt.to_vec());
        let order = over::order("order", given.get("order"), dealt).map_err(with_legal_cubes)?;
        let roll = over::roll(self, "roll", given.get("roll"))?;
        let bowler = bowler(self, given.get("bowler"))?;
        Ok(written(self, duty, order, roll, bowler))
    }

    /// A side that timed out rolls no cube and bowls in its own name.
    fn draw_for(&self, timed_out: BySide<bool>, dice: &mut dyn Dice) -> Result<BySide<Choices>, Refusal> {
        let dealt = self.deal(dice)?;
        dice.begin(Draw::timeout_over(self.innings_number, self.innings.over_number()));
        let mut drawn = BySide::<Choices>::default();
        for duty in Duty::BOTH {
            let side = self.side(duty);
            if timed_out[side] {
                drawn[side] = written(self, duty, shuffled(dealt[duty], dice)?, None, SIDE_ITSELF);
            }
        }
        Ok(drawn)
    }

    fn reveal(&self, choices: BySide<Choices>) -> Play {
        let of = |duty, name: &str| choices[self.side(duty)].get(name).cloned();
        let mut over = Map::new();
        if let Some(bowler) = of(Duty::Bowling, "bowler") {
            over.insert("bowler".to_owned(), bowler);
        }
        for (name, each) in [("orders", "order"), ("roll", "roll")] {
            let both = over::written(|duty| of(duty, each));
            if both.as_object().is_some_and(|both| !both.is_empty()) {
                over.insert(name.to_owned(), both);
            }
        }
        Play::Over(over)
    }
}

fn written(state: &CubeRoots, duty: Duty, order: Six, roll: Option<u8>, bowler: Player) -> Choices {
    let mut choice = Map::new();
    choice.insert("order".to_owned(), json!(order));
    if let Some(ball) = roll {
        choice.insert("roll".to_owned(), json!(ball));
    }
    if duty == Duty::Bowling {
        choice.insert("bowler".to_owned(), json!(state.bowlers()[bowler.index()]));
    }
    choice
}

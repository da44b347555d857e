//! What the seeds say, once they are open: whether they fit what was committed to, and what they draw.

use super::{Check, Finding, difference};
use crate::dice::{COIN, Deals, Dice, Die, Draw, SeededDice, Seeds, ServerSeed};
use crate::log::CoinFace;

/// What a draw gives.
pub(super) enum Drawn {
    /// Dice.
    Dice(Draw, Vec<Die>),
    /// Things that are dealt.
    Deals(Deals),
}

/// The server seed, if it is one, fits the commitment, and the match seed follows from it.
pub(super) fn fitting_seed(seeds: &Seeds, commitment: &str) -> Result<ServerSeed, Finding> {
    let seed = ServerSeed::from_hex(&seeds.server_seed)
        .map_err(|fault| Finding::new(Check::Seed, format!("seeds.server_seed: {fault}")))?;
    if seed.commitment() != commitment {
        let mut finding =
            Finding::new(Check::Seed, "the server seed is not the one the first event commits to");
        finding.differences.push(difference("SHA-256(server_seed)", seed.commitment(), commitment));
        return Err(finding);
    }
    let expected = Seeds::open(&seed, &seeds.client_seeds);
    let mut finding = Finding::new(Check::Seed, "the seeds are not those that follow from the server seed");
    for (field, recorded, expected) in [
        ("seeds.server_seed", &seeds.server_seed, &expected.server_seed),
        ("seeds.match_seed", &seeds.match_seed, &expected.match_seed),
    ] {
        if recorded != expected {
            finding.differences.push(difference(field, recorded.as_str(), expected.as_str()));
        }
    }
    if !finding.differences.is_empty() {
        return Err(finding);
    }
    Ok(seed)
}

impl Drawn {
    /// What is wrong with it by the seed, if anything: the first die, or deal, that differs.
    pub(super) fn fault(&self, dice: &mut SeededDice) -> Option<Finding> {
        match self {
            Drawn::Dice(draw, rolled) => wrong_die(dice, *draw, rolled),
            Drawn::Deals(deals) => wrong_deal(dice, deals),
        }
    }
}

fn wrong_die(dice: &mut SeededDice, draw: Draw, rolled: &[Die]) -> Option<Finding> {
    dice.begin(draw);
    for (i, die) in rolled.iter().enumerate() {
        let sides = if (2..=256).contains(&die.sides) { die.sides } else { return None };
        let value = dice.die(sides);
        if value == die.value {
            continue;
        }
        if die.what == COIN {
            let [given, shown] = [value, die.value].map(|value| CoinFace::from_die(value).as_str());
            let message = format!("the seed gives {given}, and the log says {shown}");
            let mut finding = Finding::new(Check::Seed, message);
            finding.differences.push(difference(COIN, shown, given));
            return Some(finding);
        }
        let message =
            format!("the seed gives {value} for the {} die, and the log says {}", die.what, die.value);
        let mut finding = Finding::new(Check::Seed, message);
        finding.differences.push(difference(&format!("dice[{i}].value"), die.value, value));
        return Some(finding);
    }
    None
}

fn wrong_deal(dice: &mut SeededDice, deals: &Deals) -> Option<Finding> {
    dice.begin(deals.draw);
    for (from, dealt) in &deals.each {
        let given = dice.deal(from, dealt.len()).unwrap_or_default();
        if given != *dealt {
            let mut finding = Finding::new(Check::Seed, "the seed deals others than the log says");
            finding.differences.push(difference("deal", dealt.clone(), given));
            return Some(finding);
        }
    }
    None
}

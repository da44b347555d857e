//! The check of the seeds, once they are revealed: whether they fit their commitment, and give the recorded
//! dice and deals.

use super::located::Located;
use super::{Audit, Check, Finding, difference};
use crate::dice::{COIN, Deals, Dice, Die, Draw, SeededDice, Seeds, ServerSeed};
use crate::log::{
    CoinFace, DiceMode, Event, EventData, MatchAbandoned, MatchCompleted, MatchCreated, RawEvent, Review,
    Toss, TossDecided,
};
use crate::matches::{TIMEOUT_TOSS, timeout_toss_die};
use crate::rules::RulingCited;
use crate::scorebook::Rulings;

/// The recorded result of a draw.
pub(super) enum DrawResult {
    /// Dice of a draw.
    Dice(Draw, Vec<Die>),
    /// Deals of cards or cubes.
    Deals(Deals),
}

/// The recorded result of a draw with its event, kept until the seeds are revealed.
pub(super) struct RecordedDraw {
    pub event: Located,
    pub what: DrawResult,
    pub rulings: Rulings,
}

impl Audit {
    pub(super) fn note_deals(&mut self, deals: Vec<Deals>, at: &Located) {
        let rolled = |deals| RecordedDraw {
            event: at.clone(),
            what: DrawResult::Deals(deals),
            rulings: Rulings::new(),
        };
        self.rolled.extend(deals.into_iter().map(rolled));
    }

    /// Keeps what can be checked only at the end: the dice, and the seeds. No seed checks table dice.
    ///
    /// When an amended match ends again, its seeds have to be those that were revealed before.
    pub(super) fn note(&mut self, event: Event, at: &Located) -> Option<Finding> {
        if self
            .history
            .state()
            .is_none_or(|the_match| the_match.play().info().created.dice == DiceMode::Table)
        {
            return None;
        }
        let registry = self.history.editions().registry();
        let mut rolled = |draw, dice, rulings| {
            self.rolled.push(RecordedDraw { event: at.clone(), what: DrawResult::Dice(draw, dice), rulings });
        };
        match event.data {
            EventData::Toss(Toss::Called(toss)) => {
                let coin = Die { what: COIN.into(), sides: 2, value: toss.coin.as_die() };
                rolled(Draw::TOSS, vec![coin], Rulings::new());
            }
            EventData::Ball(ball) => {
                let cited = ball.outcome.rulings.iter().filter_map(|id| registry.ruling(id)).collect();
                rolled(Draw::ball(ball.delivery), ball.dice, cited);
            }
            EventData::MatchCompleted(MatchCompleted { seeds, .. })
            | EventData::MatchAbandoned(MatchAbandoned { seeds, .. }) => {
                let open = self.seeds.take().or_else(|| Some((at.clone(), seeds.clone()?)));
                let same = seeds.is_none() || open.as_ref().map(|(_, open)| open) == seeds.as_ref();
                self.seeds = open;
                if !same {
                    let message = "the seeds differ from those that were revealed before";
                    return Some(Finding::new(Check::Seed, message));
                }
            }
            EventData::TossDecided(TossDecided { to, draw: Some(_), .. }) => {
                let die = Die { what: TIMEOUT_TOSS.into(), sides: 2, value: timeout_toss_die(to) };
                rolled(Draw::timeout_over(0, 0), vec![die], Rulings::new());
            }
            EventData::SetUp(set_up) => rolled(Draw::SET_UP, set_up.dice, Rulings::new()),
            EventData::Roll(roll) => rolled(Draw::ball(roll.delivery), roll.dice, Rulings::new()),
            EventData::Review(Review::Made(made)) => {
                let cited = made.rulings.iter().filter_map(|id| registry.ruling(id)).collect();
                rolled(Draw::review(made.delivery), made.dice, cited);
            }
            EventData::MatchCreated(_)
            | EventData::Toss(_)
            | EventData::TossDecided(_)
            | EventData::Over(_)
            | EventData::Review(Review::Accepted(_))
            | EventData::SideClaimed(_)
            | EventData::TokenRotated(_)
            | EventData::SeedCommitted(_)
            | EventData::SeedContributed(_)
            | EventData::Choice(_)
            | EventData::ChoiceOpened(_)
            | EventData::ChoiceCalled(_)
            | EventData::Correction(_)
            | EventData::Restoration(_)
            | EventData::CorrectionProposed(_)
            | EventData::CorrectionConsented(_)
            | EventData::Dispute(_)
            | EventData::DisputeRuled(_) => {}
        }
        None
    }

    pub(super) fn look_for_seeds(&mut self, raw: RawEvent, at: &Located) {
        if matches!(&*raw.kind, "match_completed" | "match_abandoned")
            && let Ok(event) = raw.read()
        {
            self.note(event, at);
        }
    }

    /// Whether the seeds are revealed, fit their commitment, and give the recorded dice.
    pub(super) fn check_seeds(&mut self, created: Option<&MatchCreated>) -> bool {
        let Some((at, seeds)) = self.seeds.clone() else { return false };
        let Some(commitment) = created.and_then(|created| created.commitment.clone()) else { return false };
        let server_seed = match fitting_seed(&seeds, &commitment) {
            Ok(seed) => seed,
            Err(finding) => {
                self.found(at, finding);
                return false;
            }
        };
        let mut dice = SeededDice::new(&server_seed.match_seed(&seeds.client_seeds));
        let wrong = self.rolled.iter().find_map(|rolled| {
            let mut finding = rolled.what.fault(&mut dice)?;
            finding.rulings = rolled.rulings.iter().map(|ruling| RulingCited::from(*ruling)).collect();
            Some((rolled.event.clone(), finding))
        });
        let holds = wrong.is_none();
        if let Some((at, finding)) = wrong {
            self.found(at, finding);
        }
        holds
    }
}

/// The server seed, if it is valid and fits the commitment, and the match seed follows from it.
pub(super) fn fitting_seed(seeds: &Seeds, commitment: &str) -> Result<ServerSeed, Finding> {
    let seed = ServerSeed::from_hex(&seeds.server_seed)
        .map_err(|fault| Finding::new(Check::Seed, format!("seeds.server_seed: {fault}")))?;
    if seed.commitment() != commitment {
        let mut finding =
            Finding::new(Check::Seed, "the server seed does not fit the commitment in the first event");
        finding.differences.push(difference("SHA-256(server_seed)", seed.commitment(), commitment));
        return Err(finding);
    }
    let expected = Seeds::open(&seed, &seeds.client_seeds);
    let mut finding = Finding::new(Check::Seed, "the match seed does not follow from the server seed");
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

impl DrawResult {
    /// The finding of the first die or deal that differs from the seed's, if one does.
    pub(super) fn fault(&self, dice: &mut SeededDice) -> Option<Finding> {
        match self {
            DrawResult::Dice(draw, rolled) => wrong_die(dice, *draw, rolled),
            DrawResult::Deals(deals) => wrong_deal(dice, deals),
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
            let mut finding = Finding::new(Check::Seed, "the seed gives another deal than the log says");
            finding.differences.push(difference("deal", dealt.clone(), given));
            return Some(finding);
        }
    }
    None
}

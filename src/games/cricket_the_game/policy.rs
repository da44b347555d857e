//! How a captain chooses: in a simulation, and where nobody does.

use super::ball::{Captain, Chance, Chosen, Contest, Question, Reroll, Stop};
use super::edition::effect::Situation;
use super::edition::model::{Attitude, Condition, Duelist, Position, SoFar, Style, Word, Zone};
use super::field::TOKENS;
use super::over::OverChoices;
use super::squad::WICKETS;
use super::state::State;
use crate::dice::{Dice, DiceFault, Domain, Draw};
use crate::rules::{Choices, Refusal};
use crate::scorebook::{BySide, Overs, Player};
use serde_json::Value;

/// The ways a captain can choose.
///
/// - `steady`: a sensible field, bowlers whom the pitch suits, a variety of bowls, strokes by percentages, skills where they
///   help, runs when the odds are good.
/// - `random`: who bowls, bowl, attitude, stroke, a skill or none and every answer by lot; the rest as by default.
/// - `default`: what is taken where a choice is left out; no skills, no risks.
pub const POLICIES: &[&str] = &["steady", "random", "default"];

/// What autoplay does.
pub const DEFAULT: usize = 2;
const STEADY: usize = 0;
const RANDOM: usize = 1;

/// Numbers a captain makes up his mind by: bytes of the draw for one who stays silent.
#[derive(Debug, Clone, Copy, Default)]
struct Luck {
    bytes: [u8; 12],
}

impl Luck {
    fn draw<D: Dice + ?Sized>(domain: Domain, ordinal: u64, dice: &mut D) -> Result<Luck, DiceFault> {
        dice.begin(Draw { domain, ordinal });
        let mut bytes = [0; 12];
        for byte in &mut bytes {
            *byte = (dice.roll("luck", 256)? - 1) as u8;
        }
        Ok(Luck { bytes })
    }

    /// One of so many, from 0.
    fn one_of(&self, at: usize, many: usize) -> usize {
        usize::from(self.bytes[at]) * many / 256
    }
}

/// The choices of the over to come.
pub fn over<D: Dice + ?Sized>(
    state: &State,
    policies: BySide<usize>,
    dice: &mut D,
) -> Result<OverChoices, Refusal> {
    let mut over = OverChoices::resolve(state, &Choices::new())?;
    let batting = state.side_batting();
    if policies[batting.other()] == RANDOM {
        let luck = Luck::draw(Domain::SilentOver, state.over_draw().ordinal, dice)?;
        let legal = state.legal_bowlers().count();
        over.bowler = state.legal_bowlers().nth(luck.one_of(0, legal)).unwrap_or(over.bowler);
    }
    if policies[batting.other()] == STEADY {
        over.bowler = bowler(state).unwrap_or(over.bowler);
    }
    // The power play is for batters who are in, with overs to come in which they need not hold back.
    let is_time = state.innings.over_number() == 8;
    if policies[batting] != DEFAULT && is_time && state.may_call_power_play() {
        let limits = super::field::Limits::of_over(state.format(), state.innings.over_number(), true);
        over = OverChoices { power_play: true, field: state.field_in(limits), ..over };
    }
    Ok(over)
}

/// A captain of each side, for one ball, and what they decide.
pub struct Captains {
    policies: [usize; 2],
    luck: Luck,
    /// What was decided before, and what they have decided after dice.
    answers: Chosen,
}

impl Captains {
    /// The choices of the next ball, and who decides the rest of it.
    pub fn choose<D: Dice + ?Sized>(
        state: &State,
        policies: BySide<usize>,
        dice: &mut D,
    ) -> Result<(Chosen, Captains), Refusal> {
        let batting = state.side_batting();
        let policies = [policies[batting.other()], policies[batting]];
        let is_express = state.is_express();
        let luck = if is_express || policies == [DEFAULT; 2] {
            Luck::default()
        } else {
            Luck::draw(Domain::SilentBall, u64::from(state.next_delivery()), dice)?
        };
        let mut chosen = Chosen::read(state, &Choices::new())?;
        if !is_express {
            chosen.bowl = bowl(state, policies[0], luck).or(chosen.bowl);
            if policies[1] != DEFAULT {
                chosen.attitude = attitude(state, policies[1], luck);
                chosen.stroke = Some(stroke(state, policies[1], luck));
            }
            for (side, _) in Duelist::ALL {
                chosen.skills[side.place()] = skills(state, *side, policies[side.place()], luck, &chosen);
            }
        }
        Ok((chosen, Captains { policies, luck, answers: chosen }))
    }

    /// Who decides the rest of a ball of which this was chosen.
    pub fn to_finish<D: Dice + ?Sized>(
        state: &State,
        chosen: &Chosen,
        policies: BySide<usize>,
        dice: &mut D,
    ) -> Result<Captains, Refusal> {
        let (_, captains) = Captains::choose(state, policies, dice)?;
        Ok(Captains { answers: *chosen, ..captains })
    }

    /// A ball's choices with what they have decided after its dice.
    pub fn answered(self, chosen: Chosen) -> Chosen {
        let Chosen { reroll, longer, run, chance, .. } = self.answers;
        Chosen { reroll, longer, run, chance, ..chosen }
    }
}

fn bowl(state: &State, policy: usize, luck: Luck) -> Option<u8> {
    let bowls = state.edition().bowls.of(state.style()).len();
    let fresh = || (0..bowls as u8).filter(|bowl| state.over.bowled & 1 << bowl == 0);
    match (policy, fresh().count()) {
        (STEADY, many @ 1..) => fresh().nth(luck.one_of(0, many)),
        (STEADY | RANDOM, _) => Some(luck.one_of(0, bowls) as u8),
        _ => None,
    }
}

/// Balls left in the innings.
fn balls_left(state: &State) -> u32 {
    (u32::from(state.format().overs()) * Overs::BALLS).saturating_sub(state.innings.overs().balls)
}

/// How freely a side can bat: wickets in hand for the balls that are left, in hundredths.
fn freedom(state: &State) -> u32 {
    let wickets = u32::from(WICKETS - state.innings.wickets);
    wickets * 100 / balls_left(state).max(1)
}

/// Whom the pitch suits comes first, and last the specialist whom it does not. Of equals two bowl in turn, in team order,
/// until they have bowled their overs.
fn bowler(state: &State) -> Option<Player> {
    let rank = |player: &Player| match (state.bowler_role(*player).style(), state.condition()) {
        (Some(Style::Pace), Condition::Pace) | (Some(Style::Spin), Condition::Spin) => 0,
        (Some(Style::Pace | Style::Spin), Condition::Neutral) => 1,
        (Some(Style::Medium), _) => 2,
        _ => 3,
    };
    state.legal_bowlers().min_by_key(rank)
}

fn attitude(state: &State, policy: usize, luck: Luck) -> Attitude {
    let aggressive = match policy {
        RANDOM => luck.one_of(1, 2) == 0,
        _ => i64::from(luck.bytes[1]) < eagerness(state),
    };
    if aggressive { Attitude::Aggressive } else { Attitude::Defensive }
}

/// Of 256 balls, those a batter goes after: more the freer the side can bat, and the more runs a ball it needs beyond what
/// comes by itself.
fn eagerness(state: &State) -> i64 {
    let free = (i64::from(freedom(state)) - 5) * 11;
    let behind = state.needed().map_or(0, |needed| i64::from(needed * 100 / balls_left(state).max(1)) - 130);
    (free + 2 * behind).clamp(20, 240)
}

/// Where most bowls feed is by far the likeliest, and then where fewest fielders stand.
fn stroke(state: &State, policy: usize, luck: Luck) -> Zone {
    let bowls = state.edition().bowls.of(state.style());
    let field = state.bowling.field;
    let weight = |zone: Zone| {
        if policy == RANDOM {
            return 1;
        }
        let fed = bowls.iter().zip(0u8..).filter(|(bowl, _)| bowl.feeds.has(zone));
        let fed: usize = fed.map(|(_, place)| if state.over.bowled & 1 << place == 0 { 2 } else { 1 }).sum();
        let guarded = field.map_or(0, |field| field.0.iter().filter(|token| token.zone == zone).count());
        (1 + 2 * fed).pow(3) * (5 - guarded.min(4))
    };
    let total: usize = Zone::strokes().map(weight).sum();
    let mut left = luck.one_of(2, total);
    for zone in Zone::strokes() {
        match left.checked_sub(weight(zone)) {
            None => return zone,
            Some(rest) => left = rest,
        }
    }
    Zone::GlanceHook
}

/// The skills a captain names once bowl and stroke are turned up.
fn skills(state: &State, side: Duelist, policy: usize, luck: Luck, chosen: &Chosen) -> u8 {
    let striker = state.facing(chosen);
    let cards = (0u8..).zip(state.edition().skills_of(side)).filter(|(_, skill)| !skill.is_reroll());
    let usable = cards.filter(|(s, _)| state.may_use(side, striker, *s, chosen));
    let now = Situation {
        attitude: chosen.attitude,
        style: state.style(),
        role: state.batter(striker).role,
        pitch: state.condition(),
    };
    let named = match policy {
        RANDOM => usable.map(|(s, _)| s).nth(luck.one_of(3 + side.place(), 4)),
        STEADY if side == Duelist::Bowler || !is_fed(state, chosen) => {
            let mut fitting = usable
                .filter(|(_, skill)| skill.effects.iter().any(|effect| effect.when.holds_at_first(&now)));
            fitting.next().map(|(s, _)| s)
        }
        _ => None,
    };
    named.map_or(0, |s| 1 << s)
}

fn is_fed(state: &State, chosen: &Chosen) -> bool {
    let bowl = chosen.bowl.and_then(|bowl| state.edition().bowls.of(state.style()).get(usize::from(bowl)));
    bowl.zip(chosen.stroke).is_some_and(|(bowl, stroke)| bowl.feeds.has(stroke))
}

impl Captain for Captains {
    fn answer(&mut self, contest: &Contest<'_>, question: Question) -> Result<usize, Stop> {
        if let Some(Some(place)) = self.answers.answer(&question) {
            return Ok(place);
        }
        let policy = self.policies[question.whose().place()];
        let place = match policy {
            RANDOM => self.luck.one_of(5 + question.whose().place(), question.answers()),
            STEADY => steady(contest, &question),
            _ => cautious(contest, &question),
        };
        self.note(&question, place);
        Ok(place)
    }
}

impl Captains {
    fn note(&mut self, question: &Question, place: usize) {
        match question {
            Question::Reroll { side, by, .. } => {
                let by = place.checked_sub(1).and_then(|at| by.get(at)).copied().unwrap_or(Reroll::No);
                self.answers.reroll[side.place()] = Some(by);
            }
            Question::Longer { .. } => self.answers.longer = Some(place > 0),
            Question::Run { safe, .. } => self.answers.run = Some(safe + place as u8),
            Question::Chance(chances) => self.answers.chance = chances.get(place).map(|chance| chance.word()),
        }
    }
}

/// What is answered for a side that stays silent.
pub fn cautious_answer(contest: &Contest<'_>, question: &Question) -> Value {
    question.legal(contest).get(cautious(contest, question)).cloned().unwrap_or_default()
}

/// No skill, no risk; of several chances the likeliest. Logs hold what was taken for a silent side: it stays as it is.
fn cautious(contest: &Contest<'_>, question: &Question) -> usize {
    match question {
        Question::Reroll { .. } | Question::Longer { .. } | Question::Run { .. } => 0,
        Question::Chance(chances) => {
            let likely = |(_, chance): &(usize, &Chance)| contest.likelihood(**chance);
            chances.iter().enumerate().rev().max_by_key(likely).map_or(0, |(place, _)| place)
        }
    }
}

fn steady(contest: &Contest<'_>, question: &Question) -> usize {
    match question {
        Question::Chance(_) => cautious(contest, question),
        Question::Reroll { side: Duelist::Batter, so_far, .. } => usize::from(*so_far == SoFar::Miss),
        Question::Reroll { side: Duelist::Bowler, so_far, .. } => {
            usize::from(matches!(so_far, SoFar::Strike | SoFar::Boundary))
        }
        Question::Longer { distance, bounce } => {
            let (now, then) = (distance.div_ceil(2), (distance + 1).div_ceil(2));
            let guarded = |area| contest.is_guarded(area);
            let into_hands = bounce.air && guarded(then) && !guarded(now);
            usize::from(now != then && !into_hands)
        }
        Question::Run { out_from, .. } => {
            let freedom = freedom(contest.state());
            let enough = if *out_from == 6 { 18 } else { 60 };
            usize::from(freedom > enough)
        }
    }
}

impl Contest<'_> {
    /// How likely a chance is, in 720ths.
    fn likelihood(&self, chance: Chance) -> u32 {
        match chance {
            Chance::Bowled => {
                let roll = self.rules().miss_chance.of(self.attitude());
                720 * u32::from(roll.die + 1 - roll.at_least) / u32::from(roll.die)
            }
            Chance::Slips => {
                let slips = self.slips().count().min(TOKENS) as u32;
                720 - 720 * 5u32.pow(slips) / 6u32.pow(slips)
            }
            Chance::Appeal { die, out_on, .. } => 720 * out_on.count_ones() / u32::from(die),
        }
    }

    /// Whether a fielder stands in this area of the zone the stroke goes into.
    fn is_guarded(&self, area: u8) -> bool {
        self.field().token_at(Position { zone: self.stroke(), area }).is_some()
    }
}

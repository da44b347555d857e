//! The policies by which a captain chooses, in a simulation and in autoplay, and the answers for a side that
//! timed out.

use super::ball::{BallSituation, Chance, Chosen, Contest, DecisionSource, Question, Reroll, Stop};
use super::edition::effect::Situation;
use super::edition::model::{Attitude, Condition, Duelist, Each, EditionWord, Position, SoFar, Style, Zone};
use super::field::TOKENS;
use super::over::OverChoices;
use super::squad::WICKETS;
use super::state::CricketTheGame;
use crate::dice::{Dice, DiceFault, Domain, Draw};
use crate::rules::Refusal;
use crate::scorebook::{BySide, Overs, Player};
use serde_json::Value;

/// The policies of a captain.
///
/// - `steady`: a sensible field, bowlers whom the pitch suits, a variety of bowls, strokes by percentages,
///   skills where they help, runs when the odds are good.
/// - `random`: bowler, bowl, attitude, stroke, skill and every answer are random; the rest is the default.
/// - `default`: the default of every choice; no skills, no risks.
pub const POLICIES: &[&str] = &["steady", "random", "default"];

/// The policy of autoplay.
pub const DEFAULT: usize = 2;
const STEADY: usize = 0;
const RANDOM: usize = 1;

/// The random numbers for a captain's choices: bytes of the draw for a timeout.
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

    /// A random index below `many`, from the byte at `at`.
    fn one_of(&self, at: usize, many: usize) -> usize {
        usize::from(self.bytes[at]) * many / 256
    }
}

/// The choices of the next over, by policy.
pub fn over<D: Dice + ?Sized>(
    state: &CricketTheGame,
    policies: BySide<usize>,
    dice: &mut D,
) -> Result<OverChoices, Refusal> {
    let batting = state.side_batting();
    let bowler = match policies[batting.other()] {
        RANDOM => random_bowler(state, dice)?,
        STEADY => steady_bowler(state),
        _ => None,
    };
    let mut over = OverChoices::by_default(state, bowler)?;
    // The power play suits batters who are set, with enough overs to come.
    let is_time = state.innings.over_number() == 8;
    if policies[batting] != DEFAULT && is_time && state.may_call_power_play() {
        let limits = super::field::Limits::of_over(state.format(), state.innings.over_number(), true);
        over = OverChoices { power_play: true, field: state.field_in(limits), ..over };
    }
    Ok(over)
}

/// The bowler of a `random` captain: any who may bowl.
fn random_bowler<D: Dice + ?Sized>(state: &CricketTheGame, dice: &mut D) -> Result<Option<Player>, Refusal> {
    let luck = Luck::draw(Domain::TimeoutOver, state.over_draw().ordinal, dice)?;
    let legal = state.legal_bowlers().count();
    Ok(state.legal_bowlers().nth(luck.one_of(0, legal)))
}

/// The bowler of a `steady` captain: first those whom the pitch suits, last the specialists whom it does not.
/// Among equals two bowl in turn, in team order, until they have bowled their overs.
fn steady_bowler(state: &CricketTheGame) -> Option<Player> {
    let condition = state.condition();
    let rank = |player: &Player| match (state.bowler_role(*player).style(), condition) {
        (Some(Style::Pace), Condition::Pace) | (Some(Style::Spin), Condition::Spin) => 0,
        (Some(Style::Pace | Style::Spin), Condition::Neutral) => 1,
        (Some(Style::Medium), _) => 2,
        _ => 3,
    };
    state.legal_bowlers().min_by_key(rank)
}

/// The captains of both sides for one ball, and their decisions.
pub struct Captains {
    policies: [usize; 2],
    luck: Luck,
    /// The choices of the ball, with the decisions the captains have made after dice.
    answers: Chosen,
}

impl Captains {
    /// The choices of the next ball, and the captains who decide the rest of it.
    pub fn choose<D: Dice + ?Sized>(
        situation: &BallSituation<'_>,
        policies: BySide<usize>,
        dice: &mut D,
    ) -> Result<(Chosen, Captains), Refusal> {
        let batting = situation.batters.side;
        let policies = [policies[batting.other()], policies[batting]];
        let is_express = situation.is_express;
        let luck = if is_express || policies == [DEFAULT; 2] {
            Luck::default()
        } else {
            Luck::draw(Domain::TimeoutBall, u64::from(situation.delivery), dice)?
        };
        let mut chosen = Chosen::without_bowl(situation);
        if !is_express {
            chosen.bowl = Some(bowl(situation, policies[0], luck));
            chosen.stroke = Some(stroke(situation, policies[1], luck));
            if policies[1] != DEFAULT {
                chosen.attitude = attitude(situation, policies[1], luck);
            }
            for (side, _) in Duelist::ALL {
                chosen.skills[side.place()] = skills(situation, *side, policies[side.place()], luck, &chosen);
            }
        }
        Ok((chosen, Captains { policies, luck, answers: chosen }))
    }

    /// The captains who decide the rest of a ball with these choices.
    pub fn to_finish<D: Dice + ?Sized>(
        situation: &BallSituation<'_>,
        chosen: &Chosen,
        policies: BySide<usize>,
        dice: &mut D,
    ) -> Result<Captains, Refusal> {
        let (_, captains) = Captains::choose(situation, policies, dice)?;
        Ok(Captains { answers: *chosen, ..captains })
    }

    /// The choices of a ball, with the decisions the captains made after its dice.
    pub fn answered(self, chosen: Chosen) -> Chosen {
        let Chosen { reroll, longer, run, chance, .. } = self.answers;
        Chosen { reroll, longer, run, chance, ..chosen }
    }
}

fn bowl(situation: &BallSituation<'_>, policy: usize, luck: Luck) -> u8 {
    let bowls = situation.bowls().len();
    let any = luck.one_of(0, bowls) as u8;
    match policy {
        STEADY => {
            let fresh = || (0..bowls as u8).filter(|bowl| situation.over.bowled & 1 << bowl == 0);
            fresh().nth(luck.one_of(0, fresh().count())).unwrap_or(any)
        }
        RANDOM => any,
        _ => situation.default_bowl(),
    }
}

/// The number of balls left in the innings.
fn balls_left(situation: &BallSituation<'_>) -> u32 {
    (u32::from(situation.format.overs()) * Overs::BALLS).saturating_sub(situation.innings.overs().balls)
}

/// The freedom of a side to attack: wickets in hand for each ball left, in hundredths.
fn freedom(situation: &BallSituation<'_>) -> u32 {
    let wickets = u32::from(WICKETS - situation.innings.wickets);
    wickets * 100 / balls_left(situation).max(1)
}

fn attitude(situation: &BallSituation<'_>, policy: usize, luck: Luck) -> Attitude {
    let aggressive = match policy {
        RANDOM => luck.one_of(1, 2) == 0,
        _ => i64::from(luck.bytes[1]) < eagerness(situation),
    };
    if aggressive { Attitude::Aggressive } else { Attitude::Defensive }
}

/// The number of balls, of 256, that a batter attacks: more when the side has more wickets in hand for the
/// balls left, and when it needs more runs a ball than come without risk.
fn eagerness(situation: &BallSituation<'_>) -> i64 {
    let free = (i64::from(freedom(situation)) - 5) * 11;
    let behind =
        situation.needed.map_or(0, |needed| i64::from(needed * 100 / balls_left(situation).max(1)) - 130);
    (free + 2 * behind).clamp(20, 240)
}

/// The stroke of a captain: by far the likeliest is the zone that most bowls feed, then the zone with fewest
/// fielders.
fn stroke(situation: &BallSituation<'_>, policy: usize, luck: Luck) -> Zone {
    let weights = match policy {
        STEADY => weights(situation),
        RANDOM => Each([1; 6]),
        _ => return situation.default_stroke(),
    };
    let total: usize = Zone::strokes().map(|zone| weights.of(zone)).sum();
    let mut left = luck.one_of(2, total);
    for zone in Zone::strokes() {
        match left.checked_sub(*weights.of(zone)) {
            None => return zone,
            Some(rest) => left = rest,
        }
    }
    Zone::GlanceHook
}

/// The weights of the zones for the stroke of a `steady` captain. A bowl that is still to come in this over
/// counts twice.
fn weights(situation: &BallSituation<'_>) -> Each<usize, 6> {
    let (mut fed, mut guarded) = ([0_usize; 6], [0; 6]);
    for (place, bowl) in situation.bowls().iter().enumerate() {
        let counts = if situation.over.bowled & 1 << place == 0 { 2 } else { 1 };
        for (zone, _) in Zone::ALL {
            fed[zone.place()] += counts * usize::from(bowl.feeds.has(*zone));
        }
    }
    for token in situation.field.iter().flat_map(|field| &field.0) {
        guarded[token.zone.place()] += 1;
    }
    Each(std::array::from_fn(|zone| (1 + 2 * fed[zone]).pow(3) * (5 - guarded[zone].min(4))))
}

/// The skills that a captain names once bowl and stroke are revealed.
fn skills(situation: &BallSituation<'_>, side: Duelist, policy: usize, luck: Luck, chosen: &Chosen) -> u8 {
    let striker = chosen.facing(situation);
    let usable = situation.usable(side, striker, chosen.skills);
    let context = Situation {
        attitude: chosen.attitude,
        style: situation.style,
        role: situation.batters.member(striker).role,
        pitch: situation.condition(),
    };
    let named = match policy {
        RANDOM => usable.map(|(s, _)| s).nth(luck.one_of(3 + side.place(), 4)),
        STEADY if side == Duelist::Bowler || !is_fed(situation, chosen) => {
            let mut fitting = usable
                .filter(|(_, skill)| skill.effects.iter().any(|effect| effect.when.holds_at_first(&context)));
            fitting.next().map(|(s, _)| s)
        }
        _ => None,
    };
    named.map_or(0, |s| 1 << s)
}

fn is_fed(situation: &BallSituation<'_>, chosen: &Chosen) -> bool {
    let bowl = chosen.bowl.and_then(|bowl| situation.bowls().get(usize::from(bowl)));
    bowl.zip(chosen.stroke).is_some_and(|(bowl, stroke)| bowl.feeds.has(stroke))
}

impl DecisionSource for Captains {
    fn answer(&mut self, contest: &Contest<'_>, question: Question) -> Result<usize, Stop> {
        if let Some(Some(place)) = self.answers.answer(&question) {
            return Ok(place);
        }
        let policy = self.policies[question.decided_by().place()];
        let place = match policy {
            RANDOM => self.luck.one_of(5 + question.decided_by().place(), question.answers()),
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

/// The answer for a side that timed out.
pub fn cautious_answer(contest: &Contest<'_>, question: &Question) -> Value {
    question.legal(contest.situation().edition).get(cautious(contest, question)).cloned().unwrap_or_default()
}

/// The cautious answer: no skill, no risk, and of several chances the likeliest. It must never change: stored
/// logs hold answers that were taken for timeouts.
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
            let (area, longer) = (distance.div_ceil(2), (distance + 1).div_ceil(2));
            let guarded = |area| contest.is_guarded(area);
            let into_hands = bounce.air && guarded(longer) && !guarded(area);
            usize::from(area != longer && !into_hands)
        }
        Question::Run { out_from, .. } => {
            let freedom = freedom(contest.situation());
            let enough = if *out_from == 6 { 18 } else { 60 };
            usize::from(freedom > enough)
        }
    }
}

impl Contest<'_> {
    /// The probability of a chance, in 720ths.
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

    /// Whether a fielder stands in this area of the stroke's zone.
    fn is_guarded(&self, area: u8) -> bool {
        self.field().token_at(Position { zone: self.stroke(), area }).is_some()
    }
}

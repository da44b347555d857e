//! The evidence in a dispute: what a replay of the log shows about the delivery.

use serde::Serialize;
use utoipa::ToSchema;

use super::seeds::{DrawResult, fitting_seed};
use crate::dice::{Draw, SeededDice};
use crate::editions::Editions;
use crate::log::{
    Actor, Ball, DeliveryPlace, DiceMode, DrawRecord, Event, EventData, InvalidEvent, MatchAbandoned,
    MatchCompleted,
};
use crate::matches::{History, delivery_key};
use crate::projection::{DisputeEntry, LoadedMatch};
use crate::rules::{Next, Registry, RulingCited};
use crate::views::Score;

/// The evidence that a replay of the log gives about a delivery in dispute.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Evidence {
    /// The delivery as it was when it was disputed.
    pub disputed: BallReplayed,
    /// The delivery as it is now, where it was voided since and bowled or decided again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub now: Option<BallReplayed>,
    /// Whether the disputed delivery still counts, and is not void.
    pub stands: bool,
    /// The source of the dice.
    pub dice: DiceMode,
    /// Whether the seed gives these dice.
    pub seed_check: SeedCheck,
}

/// A delivery as the replay shows it.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct BallReplayed {
    /// The seq of its event.
    pub seq: u64,
    /// The author of its event.
    pub actor: Actor,
    /// The place of the delivery.
    pub place: DeliveryPlace,
    /// The score before it.
    pub before: Score,
    /// What the match waited for before it.
    pub awaited: Next,
    /// The ball as recorded: its choices, its dice and their draw, its outcome, and the outcome by the rules
    /// where the table agreed on another.
    pub ball: Ball,
    /// The draw of its dice; left out for table dice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRecord>,
    /// The rulings that decided it, with their sentences.
    pub rulings: Vec<RulingCited>,
    /// The score after it.
    pub after: Score,
}

/// Whether the seed gives the dice of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeedCheck {
    /// The dice were rolled at the table, and no seed can check them.
    Table,
    /// The seed is not revealed yet, since the match is not finished.
    NotOpen,
    /// The seed gives these dice.
    Holds,
    /// The seed gives other dice, or does not fit its commitment.
    Fails,
}

/// A dispute of a log, with its evidence; `None` where no dispute has this number. The error of a log that
/// does not fold names the seq of its event.
pub fn evidence(
    log: Vec<Event>,
    editions: Editions,
    number: u32,
) -> Result<Option<(DisputeEntry, Evidence)>, (u64, InvalidEvent)> {
    let raised = log.iter().find_map(|event| match &event.data {
        EventData::Dispute(dispute) if dispute.number == number => Some((event.seq, dispute.delivery)),
        _ => None,
    });
    let Some((raised, delivery)) = raised else { return Ok(None) };
    let before = log.partition_point(|event| event.seq < raised);
    let key = delivery_key(&log[..before], &editions, delivery)?;
    let registry = editions.registry();
    let mut history: History<LoadedMatch> = History::new(editions);
    let (mut bowled, mut revealed) = (Vec::new(), None);
    for event in log {
        if let EventData::MatchCompleted(MatchCompleted { seeds, .. })
        | EventData::MatchAbandoned(MatchAbandoned { seeds, .. }) = &event.data
        {
            revealed.clone_from(seeds);
        }
        let ball = match &event.data {
            EventData::Ball(ball) => {
                let known = history.state().map(|loaded| loaded.the_match().adjudication().numbers());
                let is_it = known.is_some_and(|known| known.next_key(ball.innings, ball.delivery) == key);
                is_it.then(|| (event.seq, event.actor, ball.clone()))
            }
            _ => None,
        };
        let before = history
            .state()
            .filter(|_| ball.is_some())
            .map(|loaded| (Score::of(loaded), loaded.the_match().next()));
        let seq = event.seq;
        let loaded = history.follow(event).map_err(|invalid| (seq, invalid))?;
        if let (Some((seq, actor, ball)), Some((before, awaited))) = (ball, before) {
            bowled.push(replayed(registry, seq, actor, ball, (before, awaited), Score::of(loaded)));
        }
    }
    let Some(loaded) = history.state() else { return Ok(None) };
    let now = loaded.the_match().adjudication().disputed_now(number).unwrap_or(delivery);
    let live_seq = history.live().ball(now).ok();
    let disputed = bowled.iter().rfind(|ball| ball.seq < raised).cloned();
    let entry = loaded.adjudication().disputes().iter().find(|dispute| dispute.number == number).cloned();
    let (Some(disputed), Some(entry)) = (disputed, entry) else { return Ok(None) };
    let stands = live_seq == Some(disputed.seq);
    let now = bowled.into_iter().find(|ball| Some(ball.seq) == live_seq).filter(|_| !stands);
    let created = loaded.created();
    let seed_check = match (created.dice, revealed, &created.commitment) {
        (DiceMode::Table, ..) => SeedCheck::Table,
        (DiceMode::Seeded, Some(seeds), Some(commitment)) => match fitting_seed(&seeds, commitment) {
            Err(_) => SeedCheck::Fails,
            Ok(seed) => {
                let mut dice = SeededDice::new(&seed.match_seed(&seeds.client_seeds));
                let drawn = DrawResult::Dice(Draw::ball(delivery), disputed.ball.dice.clone());
                if drawn.fault(&mut dice).is_none() { SeedCheck::Holds } else { SeedCheck::Fails }
            }
        },
        (DiceMode::Seeded, ..) => SeedCheck::NotOpen,
    };
    Ok(Some((entry, Evidence { disputed, now, stands, dice: created.dice, seed_check })))
}

fn replayed(
    registry: Registry,
    seq: u64,
    actor: Actor,
    ball: Ball,
    (before, awaited): (Score, Next),
    after: Score,
) -> BallReplayed {
    let by_rules = ball.as_stood.iter().flat_map(|as_stood| &as_stood.by_rules.rulings);
    let cited = ball.outcome.rulings.iter().chain(by_rules);
    let rulings = cited.filter_map(|id| registry.ruling(id)).map(RulingCited::from).collect();
    let place = DeliveryPlace::of(&ball);
    BallReplayed { seq, actor, place, before, awaited, draw: ball.seed, rulings, ball, after }
}

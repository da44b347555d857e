//! The evidence in a dispute: what a replay of the log says about a delivery.

use serde::Serialize;
use utoipa::ToSchema;

use super::RulingCited;
use super::seeds::{Drawn, fitting_seed};
use crate::dice::{Draw, SeededDice};
use crate::editions::Editions;
use crate::games;
use crate::log::{
    Actor, Ball, Broken, DiceMode, DrawRecord, Event, EventData, MatchAbandoned, MatchCompleted,
};
use crate::rules::Next;
use crate::views::{DisputeEntry, Reading, Score};

/// What a replay of the log says about a delivery in dispute.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Evidence {
    /// The delivery as it was when it was disputed.
    pub disputed: BallReplayed,
    /// The delivery as it stands now, where it was taken back since and bowled or decided again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub now: Option<BallReplayed>,
    /// Whether the delivery that was disputed still stands.
    pub stands: bool,
    /// Where the dice come from.
    pub dice: DiceMode,
    /// Whether the seed gives these dice.
    pub seed_check: SeedCheck,
}

/// One delivery, replayed.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct BallReplayed {
    /// Its event.
    pub seq: u64,
    /// On whose word it was recorded.
    pub actor: Actor,
    /// The score before it.
    pub before: Score,
    /// What the match waited for.
    pub awaited: Next,
    /// The ball as it was recorded: choices, dice, the draw they come from, outcome, and what the rules come to where the
    /// table agreed on something else.
    pub ball: Ball,
    /// The draw its dice come from; left out where they were rolled at the table.
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
    /// They were rolled at the table: there is nothing to check them by.
    Table,
    /// The seed is not open before the match is over.
    NotOpen,
    /// It gives them.
    Holds,
    /// It gives others, or does not fit what was committed to.
    Fails,
}

/// A dispute of a log, and the evidence; `None` where there is no dispute of this number.
pub fn evidence(
    log: Vec<Event>,
    editions: Editions,
    number: u32,
) -> Result<Option<(DisputeEntry, Evidence)>, Broken> {
    let raised = log.iter().find_map(|event| match &event.data {
        EventData::Dispute(dispute) if dispute.number == number => Some((event.seq, dispute.delivery)),
        _ => None,
    });
    let Some((raised, delivery)) = raised else { return Ok(None) };
    let (mut reading, mut bowled, mut opened) = (Reading::new(editions), Vec::new(), None);
    for event in log {
        if let EventData::MatchCompleted(MatchCompleted { seeds, .. })
        | EventData::MatchAbandoned(MatchAbandoned { seeds, .. }) = &event.data
        {
            opened.clone_from(seeds);
        }
        let ball = match &event.data {
            EventData::Ball(ball) if ball.delivery == delivery => {
                Some((event.seq, event.actor, ball.clone()))
            }
            _ => None,
        };
        let before =
            reading.book().filter(|_| ball.is_some()).map(|book| (Score::of(book), book.fixture().next()));
        let book = reading.follow(event)?;
        if let (Some((seq, actor, ball)), Some((before, awaited))) = (ball, before) {
            bowled.push(replayed(seq, actor, ball, (before, awaited), Score::of(book)));
        }
    }
    let standing = reading.standing().ball(delivery).ok();
    let Some(book) = reading.book() else { return Ok(None) };
    let disputed = bowled.iter().rfind(|ball| ball.seq < raised).cloned();
    let entry = book.settled().disputes().iter().find(|dispute| dispute.number == number).cloned();
    let (Some(disputed), Some(entry)) = (disputed, entry) else { return Ok(None) };
    let stands = standing == Some(disputed.seq);
    let now = bowled.into_iter().find(|ball| Some(ball.seq) == standing).filter(|_| !stands);
    let created = book.created();
    let seed_check = match (created.dice, opened, &created.commitment) {
        (DiceMode::Table, ..) => SeedCheck::Table,
        (DiceMode::Seeded, Some(seeds), Some(commitment)) => match fitting_seed(&seeds, commitment) {
            Err(_) => SeedCheck::Fails,
            Ok(seed) => {
                let mut dice = SeededDice::new(&seed.match_seed(&seeds.client_seeds));
                let drawn = Drawn::Dice(Draw::ball(delivery), disputed.ball.dice.clone());
                if drawn.fault(&mut dice).is_none() { SeedCheck::Holds } else { SeedCheck::Fails }
            }
        },
        (DiceMode::Seeded, ..) => SeedCheck::NotOpen,
    };
    Ok(Some((entry, Evidence { disputed, now, stands, dice: created.dice, seed_check })))
}

fn replayed(
    seq: u64,
    actor: Actor,
    ball: Ball,
    (before, awaited): (Score, Next),
    after: Score,
) -> BallReplayed {
    let by_rules = ball.as_stood.iter().flat_map(|as_stood| &as_stood.by_rules.rulings);
    let cited = ball.outcome.rulings.iter().chain(by_rules);
    let rulings = cited.filter_map(|id| games::ruling(id)).map(RulingCited::from).collect();
    BallReplayed { seq, actor, before, awaited, draw: ball.seed, rulings, ball, after }
}

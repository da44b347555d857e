//! How the dice of a match fell, as clients read it.

use std::borrow::Cow;

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::dice::Die;
use crate::log::{DeliveryPlace, Head};
use crate::projection::LoadedMatch;
use crate::rules::ResultView;
use crate::scorebook::Side;
use crate::views::{ListWindow, slice_of};

/// The chances of each result of a match. They sum to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
pub struct ResultChances {
    /// The chance that the home side wins.
    pub home: f64,
    /// The chance that the away side wins.
    pub away: f64,
    /// The chance of a tie.
    pub tie: f64,
}

/// A die, and the chances before and after it.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct DieLuck {
    /// The name of the die, in the terms of the game.
    #[serde(rename = "for")]
    #[schema(value_type = String)]
    pub what: Cow<'static, str>,
    /// The side that threw it.
    pub by: Side,
    /// The face that it showed.
    pub value: u16,
    /// The chances before it, given the dice of the ball that fell first; null where the dice did not decide
    /// the ball.
    pub before: Option<ResultChances>,
    /// The chances after it; null where the dice did not decide the ball.
    pub after: Option<ResultChances>,
}

/// A delivery, and the chances before and after it.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct DeliveryLuck {
    /// The number of the delivery in the match, from 1.
    pub delivery: u32,
    /// The place of the delivery.
    pub place: DeliveryPlace,
    /// The chances before the delivery.
    pub before: ResultChances,
    /// The chances after it.
    pub after: ResultChances,
    /// Whether the table agreed on what came of the delivery, or on the end of the innings after it: then the
    /// chances moved by agreement, and not by dice.
    pub agreed: bool,
    /// The dice, in the order rolled.
    pub dice: Vec<DieLuck>,
}

/// What some dice of a side did for it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
pub struct ThrowsLuck {
    /// The sum of their swings, counted towards the side. A swing is by how much a die moves a side's chance
    /// to win, and half of the chance of a tie.
    pub sum: f64,
    /// The share of 10,000 simulated matches, of the same options and order of batting, in which these dice
    /// helped the side less; null unless the match is completed.
    pub more_than: Option<f64>,
}

/// What the dice of a side did for it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
pub struct ThrowerLuck {
    /// The dice that it threw while it batted.
    pub batting: ThrowsLuck,
    /// The dice that it threw while it bowled.
    pub bowling: ThrowsLuck,
}

/// What the dice of each side did for it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
pub struct LuckByThrower {
    /// The dice of the home side.
    pub home: ThrowerLuck,
    /// The dice of the away side.
    pub away: ThrowerLuck,
}

/// How often a face fell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct FaceSeen {
    /// The number that the die showed.
    pub face: u16,
    /// How often it fell.
    pub seen: u32,
    /// The least that it falls in 19 of 20 simulated matches; null unless the match is completed.
    pub low: Option<u32>,
    /// The most that it falls in 19 of 20 simulated matches; null unless the match is completed.
    pub high: Option<u32>,
}

/// How often each face fell.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct FacesSeen {
    /// The faces that the home side threw, from 1.
    pub home: Vec<FaceSeen>,
    /// The faces that the away side threw, from 1.
    pub away: Vec<FaceSeen>,
    /// The share of the simulated matches whose faces, those of both sides together, are at least as uneven;
    /// null unless the match is completed.
    pub p: Option<f64>,
}

/// The throw that turned the match.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct TurnOfMatch {
    /// The number of its delivery in the match.
    pub delivery: u32,
    /// The place of the delivery.
    pub place: DeliveryPlace,
    /// The side batting.
    pub batting: Side,
    /// The place of the die among the dice of the delivery, from 0.
    pub die: usize,
    /// The die as it fell.
    pub thrown: Die,
    /// By how much it moved the match towards the winner.
    pub swing: f64,
}

/// How the dice of a match fell.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchLuck {
    /// The chances at the start.
    pub start: ResultChances,
    /// The deliveries that stand, in order.
    pub deliveries: Vec<DeliveryLuck>,
    /// What the dice of each side did for it.
    pub by_thrower: LuckByThrower,
    /// How often each face fell.
    pub faces: FacesSeen,
    /// The throw that turned the match, if one did.
    pub turn: Option<TurnOfMatch>,
}

/// A page of how the dice of a match fell.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Luck)]
pub struct LuckPage<'a> {
    /// The match's id.
    #[serde(rename = "match")]
    pub match_id: Uuid,
    /// The seq of the event as of which it is true.
    pub at_seq: u64,
    /// The seq of that event, and its hash.
    pub head: Head,
    /// The last correction that counts here, where it came after `at_seq`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_known_at: Option<u64>,
    /// The status of the match there: `created|in_play|completed|abandoned`.
    pub status: &'static str,
    /// The result, once the match is completed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<ResultView>,
    /// Whether the chances are exact: always true, since no others are told. They are off by less than 1e-9.
    pub exact: bool,
    /// The chances before the first ball, once the toss is decided; before that the mean of both orders of
    /// batting.
    pub start: ResultChances,
    /// The deliveries of the page, in order.
    #[schema(value_type = Vec<DeliveryLuck>)]
    pub deliveries: &'a [DeliveryLuck],
    /// What the dice of each side did for it, in the whole match up to here.
    pub by_thrower: LuckByThrower,
    /// How often each face fell, in the whole match up to here.
    pub faces: &'a FacesSeen,
    /// The largest swing of a die towards the winner; null where it is under 0.1, for a tie, and unless the
    /// match is completed.
    pub turn: Option<&'a TurnOfMatch>,
    /// The `after` of the next page; null on the last page.
    pub next_after: Option<u64>,
}

impl<'a> LuckPage<'a> {
    /// A page of the luck of a match.
    pub fn of(luck: &'a MatchLuck, loaded: &LoadedMatch, window: ListWindow) -> LuckPage<'a> {
        let (deliveries, next_after) = slice_of(&luck.deliveries, window);
        LuckPage {
            match_id: loaded.match_id(),
            at_seq: loaded.head().seq,
            head: loaded.head().clone(),
            as_known_at: loaded.known_at(),
            status: loaded.the_match().play().status(),
            result: loaded.result(),
            exact: true,
            start: luck.start,
            deliveries,
            by_thrower: luck.by_thrower,
            faces: &luck.faces,
            turn: luck.turn.as_ref(),
            next_after,
        }
    }
}

//! The commentary: one line of text for each event, made from recorded data alone, so that it works for every
//! game.

use serde::Serialize;
use utoipa::ToSchema;

use super::innings::{InningsFold, InningsScore, how_out};
use crate::log::{
    Actor, Ball, Correction, CorrectionProposed, DeliveryPlace, DisputeFinding, DisputeRuled, Event,
    EventData, MatchCreated, Over, PlayChange, RecordedPlay, Reveal, Reversal, Review, Role, Roll, SetUp,
    Toss, TossChoice, TossDecided, delivery_words,
};
use crate::rules::{Game, result_line};
use crate::scorebook::{Outcome, Side, WicketRecord, cell};

/// A line of commentary: one event in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct CommentaryLine {
    /// The seq of the event.
    pub seq: u64,
    /// The innings of the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub innings: Option<u16>,
    /// For a ball, the completed overs and the ball's number in the over, counting every delivery: `3.2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ball: Option<String>,
    /// The number of the delivery in the match, for an event about one: a ball and its dice, a review, a
    /// dispute, or a correction that names a delivery.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivery: Option<u32>,
    /// The place of that delivery: `over` and `ball` as in the log, `text` as `ball` of a ball's line. For a
    /// correction it is the place before the correction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<DeliveryPlace>,
    /// The text of the line.
    pub text: String,
    /// For a ball, its sign in the scorebook, as in a cell of the over; for a review, that of its ball after
    /// it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<String>,
    /// The boundary of that ball, 4 or 6, if it reached it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boundary: Option<u8>,
    /// The wicket of that ball, if one fell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wicket: Option<WicketRecord>,
    /// The score of the innings after the ball or the review.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<InningsScore>,
    /// The seq of the correction that voids the event; left out while the event is live.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub void: Option<u64>,
}

/// Describes an event; `innings` is the innings after it, for an event that belongs to one. `cards` names the
/// cards of a ball. `delivery` is the delivery that the event is about, with its place.
pub(super) fn describe(
    game: &Game,
    cards: impl Fn(&Ball) -> Option<String>,
    created: &MatchCreated,
    innings: Option<&InningsFold>,
    delivery: Option<(u32, Option<DeliveryPlace>)>,
    event: &Event,
) -> CommentaryLine {
    let place = event.data.place();
    let is_of_a_ball = matches!(event.data, EventData::Roll(_) | EventData::Review(_));
    let of_a_ball = innings.filter(|_| is_of_a_ball).map(|fold| fold.number);
    let name = |side| created.sheet(side).name.as_str();
    let (delivery, place_of_delivery) = delivery.unzip();
    let place_of_delivery = place_of_delivery.flatten();
    let delivery_named = |number| delivery_words(number, place_of_delivery.as_ref());
    let text = match &event.data {
        EventData::MatchCreated(created) => format!("{} v {}.", created.home.name, created.away.name),
        EventData::SetUp(set_up) => describe_set_up(game, created, set_up),
        EventData::Toss(toss) => describe_toss(toss, name),
        EventData::TossDecided(decided) => describe_toss_decision(decided, name(decided.by)),
        EventData::Over(over) => describe_over(game, created, over, innings),
        EventData::Roll(roll) => describe_roll(created, roll, delivery_named(roll.delivery)),
        EventData::Review(review) => describe_review(name(review.by()), review, innings),
        EventData::Ball(ball) => describe_ball(game, cards, ball, innings),
        EventData::MatchCompleted(completed) => format!("{}.", result_line(created, completed.result)),
        EventData::MatchAbandoned(abandoned) => format!("Match abandoned: {}", abandoned.reason),
        EventData::SideClaimed(claimed) => format!("{} claim their side.", name(claimed.side)),
        EventData::TokenRotated(rotated) => describe_rotation(rotated.role, name),
        EventData::SeedCommitted(committed) => format!("{} commit to a seed.", name(committed.side)),
        EventData::SeedContributed(shown) => format!("{} reveal their seed.", name(shown.side)),
        EventData::Choice(choice) => {
            let (side, what) = (name(choice.side), spaced(&choice.what));
            if event.actor == Actor::from(choice.side.other()) {
                format!("{side} time out, and take the default {what}.")
            } else {
                format!("{side} choose their {what}.")
            }
        }
        EventData::ChoiceOpened(opened) => {
            format!("{} reveal their {} to the service.", name(opened.side), spaced(&opened.what))
        }
        EventData::ChoiceCalled(called) => {
            let (by, on) = (name(called.by), name(called.on));
            format!("{by} call on {on} to act by {}: {}.", called.until, spaced(&called.what))
        }
        EventData::Correction(correction) => describe_correction(correction, delivery_named),
        EventData::Restoration(restoration) => {
            format!("What event {} made void is brought back: {}", restoration.restores, restoration.reason)
        }
        EventData::CorrectionProposed(proposed) => describe_proposal(
            proposed,
            proposed.by.map_or("The scorer proposes".to_owned(), |by| format!("{} propose", name(by))),
            delivery_named,
        ),
        EventData::CorrectionConsented(consented) => {
            format!("{} consent to correction {}.", name(consented.side), consented.number)
        }
        EventData::Dispute(dispute) => format!(
            "{} raise dispute {} about {}: {}",
            name(dispute.by),
            dispute.number,
            delivery_named(dispute.delivery),
            dispute.claim
        ),
        EventData::DisputeRuled(ruled) => describe_ruling(ruled),
    };
    let outcome = outcome_of(event);
    CommentaryLine {
        seq: event.seq,
        innings: place.map(|(innings, _, _)| innings).or(of_a_ball),
        ball: place.and_then(|(_, over, ball)| ball.map(|ball| format!("{}.{ball}", over.saturating_sub(1)))),
        delivery,
        place: place_of_delivery,
        text,
        cell: outcome.map(cell),
        boundary: outcome.and_then(|outcome| outcome.boundary),
        wicket: outcome.and_then(|outcome| outcome.wicket.clone()),
        score: outcome.and(innings).map(InningsScore::of),
        void: None,
    }
}

/// The outcome of a ball, or of one that was reviewed.
fn outcome_of(event: &Event) -> Option<&Outcome> {
    match &event.data {
        EventData::Ball(ball) => Some(&ball.outcome),
        EventData::Review(review) => review.made().map(|made| &made.outcome),
        _ => None,
    }
}

fn spaced(word: &str) -> String {
    word.replace('_', " ")
}

fn describe_toss<'a>(toss: &Toss, name: impl Fn(Side) -> &'a str) -> String {
    let winner = name(toss.winner());
    let Some(called) = toss.called() else { return format!("{winner} win the toss.") };
    let (caller, call, coin) = (name(called.caller), called.call.as_str(), called.coin.as_str());
    format!("{caller} call {call}. The coin shows {coin}. {winner} win the toss.")
}

fn describe_toss_decision(decided: &TossDecided, winner: &str) -> String {
    let to = match decided.to {
        TossChoice::Bat => "bat",
        TossChoice::Bowl => "bowl",
    };
    let drawn = if decided.draw.is_some() { " The choice was drawn, since they timed out." } else { "" };
    format!("{winner} choose to {to}.{drawn}")
}

/// Describes a step before the ball itself: secret choices that are revealed, or dice after which a side has
/// to choose.
fn describe_roll(created: &MatchCreated, roll: &Roll, delivery: String) -> String {
    match roll.reveals.as_slice() {
        [] => format!("The dice of {delivery} are rolled, and a side has to choose."),
        reveals => {
            let drawn = describe_drawn(created, reveals);
            format!("The secret choices of both sides for {delivery} are revealed.{drawn}")
        }
    }
}

/// Names the sides whose choices were drawn, since they timed out.
fn describe_drawn(created: &MatchCreated, reveals: &[Reveal]) -> String {
    let timed_out = reveals.iter().filter(|reveal| reveal.draw.is_some());
    timed_out
        .map(|reveal| {
            let name = &created.sheet(reveal.side).name;
            format!(" {name}'s {} was drawn, since they timed out.", spaced(&reveal.what))
        })
        .collect()
}

fn describe_rotation<'a>(role: Role, name: impl Fn(Side) -> &'a str) -> String {
    let holder = match role {
        Role::Scorer => "the scorer",
        Role::Home => name(Side::Home),
        Role::Away => name(Side::Away),
        Role::Umpire => "the umpire",
    };
    format!("A new token is issued to {holder}. An older one is not valid any more.")
}

fn describe_proposal(
    proposed: &CorrectionProposed,
    proposes: String,
    named: impl Fn(u32) -> String,
) -> String {
    let target = match (&proposed.amendment, proposed.voids_from, proposed.restores) {
        (Some(amendment), ..) => format!("to amend {}", named(amendment.amends)),
        (None, Some(delivery), _) => format!("to void everything from {} on", named(delivery)),
        (None, None, Some(seq)) => format!("to bring back what event {seq} made void"),
        (None, None, None) => format!("to void everything from event {} on", proposed.voids_from_seq),
    };
    format!("{proposes} correction {}, {target}: {}", proposed.number, proposed.reason)
}

fn describe_ruling(ruled: &DisputeRuled) -> String {
    let finding = match ruled.finding {
        DisputeFinding::Stands => "the delivery stands",
        DisputeFinding::Amended => "the delivery is amended",
        DisputeFinding::AsStood => "the agreed outcome stands",
    };
    format!("Ruling on dispute {}, {finding}: {}", ruled.number, ruled.ruling)
}

fn describe_review(side: &str, review: &Review, innings: Option<&InningsFold>) -> String {
    let Some(made) = review.made() else { return format!("{side} accept the decision.") };
    let verdict = match (made.is_upheld(), made.umpires_call) {
        (true, _) => "upheld",
        (false, true) => "umpire's call",
        (false, false) => "struck down",
    };
    let stands = if made.is_upheld() { "" } else { " stands" };
    let score = innings.map_or(String::new(), |fold| format!("; {}/{}", fold.runs, fold.wickets));
    format!("{side} review: {verdict}. {}{stands}{score}", decision_words(&made.outcome))
}

/// The decision on a ball in words: `Ada Marsh lbw b Voss`, `Ada Marsh not out`.
pub(super) fn decision_words(outcome: &Outcome) -> String {
    match &outcome.wicket {
        Some(wicket) => format!("{} {}", wicket.player_out, how_out(wicket)),
        None => format!("{} not out", outcome.striker),
    }
}

fn describe_correction(correction: &Correction, named: impl Fn(u32) -> String) -> String {
    let effect = match (Reversal::Correction(correction).change(), correction.voids_from) {
        (Some(PlayChange::Amends(delivery)), _) => {
            format!("{} is amended, and later play is decided again", named(delivery))
        }
        (Some(PlayChange::Inserts(delivery)), _) => {
            format!("a ball was missing before {}, and later play is decided again", named(delivery))
        }
        (Some(PlayChange::Removes(delivery)), _) => {
            format!("{} was never bowled, and later play is decided again", named(delivery))
        }
        (Some(PlayChange::Anew(step)), _) => {
            format!("{} is decided anew, and later play is decided again", step.as_words())
        }
        (None, Some(delivery)) => format!("everything from {} on is void", named(delivery)),
        (None, None) => format!("everything from event {} on is void", correction.voids_from_seq),
    };
    format!("Correction, {effect}: {}", correction.reason)
}

/// The game's own note on an event, after a comma.
fn game_note(game: &Game, recorded: RecordedPlay<'_>) -> String {
    (game.note)(recorded).map_or(String::new(), |words| format!(", {words}"))
}

fn describe_set_up(game: &Game, created: &MatchCreated, set_up: &SetUp) -> String {
    let dropped = (game.dropped)(set_up);
    let drops: String = [Side::Home, Side::Away]
        .into_iter()
        .filter(|side| !dropped[*side].is_empty())
        .map(|side| format!(" {} leave out {}.", created.sheet(side).name, dropped[side].join(", ")))
        .collect();
    format!("The match is set up{}.{drops}", game_note(game, RecordedPlay::SetUp(set_up)))
}

fn describe_over(game: &Game, created: &MatchCreated, over: &Over, innings: Option<&InningsFold>) -> String {
    let bowler = (game.bowler)(over).map_or(String::new(), |name| format!(": {name} to bowl"));
    let note = game_note(game, RecordedPlay::Over(over));
    let side = innings.map_or("", |fold| created.sheet(fold.batting).name.as_str());
    let score = innings.map_or(String::new(), |fold| format!("{}/{}", fold.runs, fold.wickets));
    let drawn = describe_drawn(created, &over.reveals);
    if over.over == 1 {
        format!("Innings {}, {side} to bat. Over 1{bowler}{note}.{drawn}", over.innings)
    } else {
        format!("Over {}{bowler}{note}. {side} {score}.{drawn}", over.over)
    }
}

/// The sentence on a ball; `innings` is the innings after it, and `cards` names its cards.
pub(super) fn describe_ball(
    game: &Game,
    cards: impl Fn(&Ball) -> Option<String>,
    ball: &Ball,
    innings: Option<&InningsFold>,
) -> String {
    let outcome = &ball.outcome;
    let result = match &outcome.wicket {
        Some(wicket) => describe_wicket(wicket, innings),
        None => describe_runs(outcome),
    };
    let note = match &ball.as_stood {
        Some(as_stood) => {
            let faces = as_stood.faces.as_ref().map(|faces| format!("; {faces} faces"));
            format!(", as the table agreed: {}{}", as_stood.reason, faces.unwrap_or_default())
        }
        None if ball.unknown => ", as nobody knows the ball any more".to_owned(),
        None => game_note(game, RecordedPlay::Ball(ball)),
    };
    let cards = cards(ball).map_or(String::new(), |cards| format!(" ({cards})"));
    format!("{} to {}: {result}{note}{cards}", outcome.bowler, outcome.striker)
}

fn describe_wicket(wicket: &WicketRecord, innings: Option<&InningsFold>) -> String {
    let scored = innings.and_then(|fold| {
        let batter = fold.batters.iter().find(|batter| batter.player == wicket.player_out)?;
        Some(format!(" {} ({}); {}/{}", batter.runs, batter.balls, fold.runs, fold.wickets))
    });
    format!("OUT! {} {}{}", wicket.player_out, how_out(wicket), scored.unwrap_or_default())
}

fn describe_runs(outcome: &Outcome) -> String {
    let in_words = |(runs, one, more): (u16, &str, &str)| {
        if runs == 1 { one.to_owned() } else { format!("{runs} {more}") }
    };
    let mut parts: Vec<String> = outcome.extras.scored().map(in_words).collect();
    match (outcome.runs.batter, outcome.boundary) {
        (4, Some(4)) => parts.push("FOUR".to_owned()),
        (6, Some(6)) => parts.push("SIX".to_owned()),
        (0, _) if parts.is_empty() => parts.push("no run".to_owned()),
        (0, _) => {}
        (1, _) => parts.push("1 run".to_owned()),
        (n, _) => parts.push(format!("{n} runs")),
    }
    parts.join(", ")
}

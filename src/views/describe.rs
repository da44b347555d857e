use serde::Serialize;
use utoipa::ToSchema;

use super::innings::{InningsFold, how_out};
use crate::games;
use crate::log::{
    Actor, Ball, Correction, CorrectionProposed, DisputeFinding, DisputeRuled, Event, EventData,
    MatchCreated, Over, Played, Reveal, Review, Role, Roll, SetUp, Toss, TossChoice, TossDecided,
};
use crate::scorebook::{MatchResult, Method, Outcome, Side, WicketRecord};

/// What one event comes to in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct CommentaryLine {
    /// The event.
    pub seq: u64,
    /// The innings it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub innings: Option<u16>,
    /// For a ball, overs completed and place in the over, counting every delivery: `3.2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ball: Option<String>,
    /// The words.
    pub text: String,
    /// The correction that has taken the event back since, by its event; left out while it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub void: Option<u64>,
}

/// Tells an event; `innings` is its innings after it, for what happens in one.
pub(super) fn tell(created: &MatchCreated, innings: Option<&InningsFold>, event: &Event) -> CommentaryLine {
    let place = event.data.place();
    let is_of_a_ball = matches!(event.data, EventData::Roll(_) | EventData::Review(_));
    let of_a_ball = innings.filter(|_| is_of_a_ball).map(|fold| fold.number);
    let name = |side| created.sheet(side).name.as_str();
    let text = match &event.data {
        EventData::MatchCreated(created) => format!("{} v {}.", created.home.name, created.away.name),
        EventData::SetUp(set_up) => tell_set_up(created, set_up),
        EventData::Toss(toss) => tell_toss(toss, name),
        EventData::TossDecided(decided) => tell_decided(decided, name(decided.by)),
        EventData::Over(over) => tell_over(created, over, innings),
        EventData::Roll(roll) => tell_roll(created, roll),
        EventData::Review(review) => tell_review(name(review.by()), review, innings),
        EventData::Ball(ball) => tell_ball(created, ball, innings),
        EventData::MatchCompleted(completed) => format!("{}.", result_line(created, completed.result)),
        EventData::MatchAbandoned(abandoned) => format!("Match abandoned: {}", abandoned.reason),
        EventData::SideClaimed(claimed) => format!("{} have taken their side.", name(claimed.side)),
        EventData::TokenRotated(rotated) => tell_rotated(rotated.role, name),
        EventData::SeedCommitted(committed) => format!("{} have settled on a seed.", name(committed.side)),
        EventData::SeedContributed(shown) => format!("{} show their seed.", name(shown.side)),
        EventData::Choice(choice) => {
            let (side, what) = (name(choice.side), spaced(&choice.what));
            if event.actor == Actor::from(choice.side.other()) {
                format!("{side} stay silent: their {what} is what is taken where nobody chooses.")
            } else {
                format!("{side} have chosen their {what}.")
            }
        }
        EventData::ChoiceOpened(opened) => {
            format!("{} have opened their {} to the service.", name(opened.side), spaced(&opened.what))
        }
        EventData::ChoiceCalled(called) => {
            let (by, on) = (name(called.by), name(called.on));
            format!("{by} call on {on}: {} by {}.", spaced(&called.what), called.until)
        }
        EventData::Correction(correction) => tell_correction(correction),
        EventData::CorrectionProposed(proposed) => {
            tell_proposed(proposed, proposed.by.map_or("The scorer", name))
        }
        EventData::CorrectionConsented(consented) => {
            format!("{} consent to correction {}.", name(consented.side), consented.number)
        }
        EventData::Dispute(dispute) => format!(
            "{} dispute delivery {} (dispute {}): {}",
            name(dispute.by),
            dispute.delivery,
            dispute.number,
            dispute.claim
        ),
        EventData::DisputeRuled(ruled) => tell_ruled(ruled),
    };
    CommentaryLine {
        seq: event.seq,
        innings: place.map(|(innings, _, _)| innings).or(of_a_ball),
        ball: place.and_then(|(_, over, ball)| ball.map(|ball| format!("{}.{ball}", over.saturating_sub(1)))),
        text,
        void: None,
    }
}

fn spaced(word: &str) -> String {
    word.replace('_', " ")
}

fn tell_toss<'a>(toss: &Toss, name: impl Fn(Side) -> &'a str) -> String {
    let (caller, winner) = (name(toss.caller), name(toss.winner));
    let (call, coin) = (toss.call.as_str(), toss.coin.as_str());
    format!("{caller} call {call}; it comes down {coin}. {winner} win the toss.")
}

fn tell_decided(decided: &TossDecided, winner: &str) -> String {
    let to = match decided.to {
        TossChoice::Bat => "bat",
        TossChoice::Bowl => "bowl",
    };
    let drawn = if decided.draw.is_some() { " It was drawn for them: they stayed silent." } else { "" };
    format!("{winner} choose to {to}.{drawn}")
}

/// What a delivery comes through on its way: choices turned up, or dice that somebody has to answer.
fn tell_roll(created: &MatchCreated, roll: &Roll) -> String {
    let delivery = roll.delivery;
    match roll.reveals.as_slice() {
        [] => format!("Delivery {delivery}: the dice are down, and somebody has to choose."),
        reveals => {
            let drawn = tell_drawn(created, reveals);
            format!("Delivery {delivery}: what both sides chose in secret is turned up.{drawn}")
        }
    }
}

/// Whose choice was drawn, since they stayed silent.
fn tell_drawn(created: &MatchCreated, reveals: &[Reveal]) -> String {
    let silent = reveals.iter().filter(|reveal| reveal.draw.is_some());
    silent
        .map(|reveal| {
            let name = &created.sheet(reveal.side).name;
            format!(" {name}'s {} was drawn: they stayed silent.", spaced(&reveal.what))
        })
        .collect()
}

fn tell_rotated<'a>(role: Role, name: impl Fn(Side) -> &'a str) -> String {
    let whose = match role {
        Role::Scorer => "The scorer",
        Role::Home => name(Side::Home),
        Role::Away => name(Side::Away),
        Role::Umpire => "The umpire",
    };
    format!("{whose}: a new token, in the place of any there was.")
}

fn tell_proposed(proposed: &CorrectionProposed, who: &str) -> String {
    let what = match (&proposed.amendment, proposed.voids_from) {
        (Some(amendment), _) => format!("to put delivery {} right", amendment.amends),
        (None, Some(delivery)) => format!("to take back everything from delivery {delivery} on"),
        (None, None) => format!("to take back everything from event {} on", proposed.voids_from_seq),
    };
    format!("{who} proposes {what} (correction {}): {}", proposed.number, proposed.reason)
}

fn tell_ruled(ruled: &DisputeRuled) -> String {
    let finding = match ruled.finding {
        DisputeFinding::Stands => "the delivery stands",
        DisputeFinding::Amended => "the delivery was put right",
        DisputeFinding::AsStood => "it stands as the table agreed",
    };
    format!("Ruling on dispute {}, {finding}: {}", ruled.number, ruled.ruling)
}

fn tell_review(side: &str, review: &Review, innings: Option<&InningsFold>) -> String {
    let Some(made) = review.made() else { return format!("{side} accept the decision.") };
    let verdict = match (made.is_upheld(), made.umpires_call) {
        (true, _) => "upheld",
        (false, true) => "umpire's call",
        (false, false) => "struck down",
    };
    let stands = if made.is_upheld() { "" } else { " stands" };
    let score = innings.map_or(String::new(), |fold| format!("; {}/{}", fold.runs, fold.wickets));
    format!("{side} review: {verdict}. {}{stands}{score}", tell_decision(&made.outcome))
}

/// What was decided on a ball: `Ada Marsh lbw b Voss`, `Ada Marsh not out`.
pub(super) fn tell_decision(outcome: &Outcome) -> String {
    match &outcome.wicket {
        Some(wicket) => format!("{} {}", wicket.player_out, how_out(wicket)),
        None => format!("{} not out", outcome.striker),
    }
}

fn tell_correction(correction: &Correction) -> String {
    let what = match (correction.amends, correction.voids_from) {
        (Some(delivery), _) => {
            format!("delivery {delivery} is put right, and what followed is decided again")
        }
        (None, Some(delivery)) => format!("everything from delivery {delivery} on is taken back"),
        (None, None) => format!("everything from event {} on is taken back", correction.voids_from_seq),
    };
    format!("Correction, {what}: {}", correction.reason)
}

/// What the game has to add, after a comma.
fn remark(created: &MatchCreated, recorded: Played<'_>) -> String {
    let words = games::find(&created.game).and_then(|game| (game.remark)(recorded));
    words.map_or(String::new(), |words| format!(", {words}"))
}

fn tell_set_up(created: &MatchCreated, set_up: &SetUp) -> String {
    let left_out = games::find(&created.game).map(|game| (game.left_out)(set_up)).unwrap_or_default();
    let told: String = [Side::Home, Side::Away]
        .into_iter()
        .filter(|side| !left_out[*side].is_empty())
        .map(|side| format!(" {} leave out {}.", created.sheet(side).name, left_out[side].join(", ")))
        .collect();
    format!("The match is set up{}.{told}", remark(created, Played::SetUp(set_up)))
}

fn tell_over(created: &MatchCreated, over: &Over, innings: Option<&InningsFold>) -> String {
    let bowler = over.choices.get("bowler").and_then(|name| name.as_str());
    let bowler = bowler.map_or(String::new(), |name| format!(": {name} to bowl"));
    let remark = remark(created, Played::Over(over));
    let side = innings.map_or("", |fold| created.sheet(fold.batting).name.as_str());
    let score = innings.map_or(String::new(), |fold| format!("{}/{}", fold.runs, fold.wickets));
    let drawn = tell_drawn(created, &over.reveals);
    if over.over == 1 {
        format!("Innings {}, {side} to bat. Over 1{bowler}{remark}.{drawn}", over.innings)
    } else {
        format!("Over {}{bowler}{remark}. {side} {score}.{drawn}", over.over)
    }
}

fn tell_ball(created: &MatchCreated, ball: &Ball, innings: Option<&InningsFold>) -> String {
    let outcome = &ball.outcome;
    let what = match &outcome.wicket {
        Some(wicket) => tell_wicket(wicket, innings),
        None => tell_runs(outcome),
    };
    let remark = match &ball.as_stood {
        Some(as_stood) => format!(", as the table agreed: {}", as_stood.reason),
        None => remark(created, Played::Ball(ball)),
    };
    format!("{} to {}: {what}{remark}", outcome.bowler, outcome.striker)
}

fn tell_wicket(wicket: &WicketRecord, innings: Option<&InningsFold>) -> String {
    let scored = innings.and_then(|fold| {
        let batter = fold.batters.iter().find(|batter| batter.player == wicket.player_out)?;
        Some(format!(" {} ({}); {}/{}", batter.runs, batter.balls, fold.runs, fold.wickets))
    });
    format!("OUT! {} {}{}", wicket.player_out, how_out(wicket), scored.unwrap_or_default())
}

fn tell_runs(outcome: &Outcome) -> String {
    let extras = outcome.extras;
    let mut parts = Vec::new();
    for (runs, one, more) in [
        (extras.no_balls, "no-ball", "no-balls"),
        (extras.wides, "wide", "wides"),
        (extras.byes, "bye", "byes"),
        (extras.leg_byes, "leg bye", "leg byes"),
        (extras.penalty, "penalty run", "penalty runs"),
    ] {
        match runs {
            0 => {}
            1 => parts.push(one.to_owned()),
            n => parts.push(format!("{n} {more}")),
        }
    }
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

/// The result in words: `Wanderers won by 12 runs`.
pub(super) fn result_line(created: &MatchCreated, result: MatchResult) -> String {
    let MatchResult { winner, method, margin } = result;
    let Some(winner) = winner else { return "Match tied".to_owned() };
    let name = &created.sheet(winner).name;
    match method {
        Method::Innings => format!("{name} won by an innings and {margin}"),
        Method::LevelFirstSide => format!("{name} won: the scores were level, and they batted first"),
        Method::Runs | Method::Wickets | Method::Tie => format!("{name} won by {margin}"),
    }
}

//! The words for a ball: of the duel and what follows it, while dice are missing; and of whole balls that
//! cricket's own words do not tell fully.

use serde_json::Value;

use super::super::ball::{Detail, DuelResult, Question, Stop, compare};
use super::super::edition::model::{Bounce, Duelist, EditionWord, INFIELD};
use super::super::next_ball::BallSoFar;
use super::super::rulings::*;
use super::options::signed;
use crate::dice::Die;
use crate::rules::{Words, words_of_outcome};
use crate::scorebook::{Boundary, Outcome, Ruling};

/// A ball whose dice are not complete, in words.
pub fn words_so_far(ball: &BallSoFar) -> Words {
    match &ball.stop {
        Stop::Waits(Question::Run { safe, .. }) => before_runs(ball, *safe),
        Stop::Waits(Question::Longer { bounce, .. }) => bounced(*bounce, "one longer?"),
        Stop::Waits(Question::Reroll { .. } | Question::Chance(_)) => duel(ball),
        Stop::Refused(refusal) => {
            match refusal.legal.get("for").and_then(Value::as_str).unwrap_or_default() {
                "run_out" => trying(&ball.delivery.detail),
                "catch" => {
                    let bounce = ball.delivery.detail.struck.map(|struck| struck.bounce);
                    bounce.map(|bounce| bounced(bounce, "catch?")).unwrap_or_default()
                }
                "red_bounce" | "green_bounce" => distance(ball),
                "slip" if last(ball).is_some_and(|die| die.what == "slip") => {
                    Words::new("no catch").text("next slip").so_far("no catch yet")
                }
                _ => duel(ball),
            }
        }
    }
}

fn last(ball: &BallSoFar) -> Option<&Die> {
    ball.rolled.last()
}

/// The last face of a die of this name.
fn face(ball: &BallSoFar, name: &str) -> Option<u8> {
    ball.rolled.iter().rev().find(|die| die.what == name).map(|die| die.value as u8)
}

/// Bowler against batter, as far as their dice lie.
fn duel(ball: &BallSoFar) -> Words {
    let faces = [Duelist::Bowler, Duelist::Batter].map(|side| face(ball, side.word()));
    let Some(terms) = &ball.terms else { return Words::default() };
    match faces {
        [Some(bowler), Some(batter)] => {
            let (result, margin) = compare([bowler, batter], terms);
            let words = result_words(result, margin);
            let so_far = words.as_sentence();
            let words = words.so_far(so_far.replace(", by", " by"));
            if result == DuelResult::Blocked && asks_die(ball, "slip") {
                words.text("or caught")
            } else {
                words
            }
        }
        [Some(bowler), None] => to_beat(ball, bowler),
        [None, _] => Words::default().so_far(meter(ball, terms.advantage)),
    }
}

/// The meter of the duel: from the striker's confidence to what bowl, stroke and cards have made of it.
fn meter(ball: &BallSoFar, advantage: i8) -> String {
    format!("advantage {}, from {}", signed(advantage), signed(ball.delivery.detail.confidence))
}

fn asks_die(ball: &BallSoFar, name: &str) -> bool {
    matches!(&ball.stop, Stop::Refused(refusal) if refusal.legal.get("for").is_some_and(|it| it == name))
}

/// The result of a duel, in words.
fn result_words(result: DuelResult, margin: i8) -> Words {
    let by = format!("by {}", margin.unsigned_abs());
    match result {
        DuelResult::Natural(Boundary::Six) => Words::new("SIX").text("as it lies"),
        DuelResult::Natural(Boundary::Four) => Words::new("FOUR").text("as it lies"),
        DuelResult::Blocked => Words::new("blocked"),
        DuelResult::Struck => Words::new("struck").sentence(format!("struck {by}")).text(by),
        DuelResult::Missed | DuelResult::CleanBowled => {
            Words::new("missed").sentence(format!("missed {by}")).text(by)
        }
    }
}

/// The bowler's die: the number that the batter's die has to beat, with all that is added to either.
fn to_beat(ball: &BallSoFar, bowler: u8) -> Words {
    let Some(terms) = &ball.terms else { return Words::default() };
    let [bowlers, batters] = terms.roll;
    let stroke = terms.advantage;
    let total = |face: u8| i16::from(face) + i16::from(bowlers) - i16::from(stroke.min(0));
    let added = i16::from(batters) + i16::from(stroke.max(0));
    let beat = (total(bowler) - added).max(0);
    let mut so_far = format!("bowler {bowler}");
    if stroke < 0 {
        so_far += &format!(", and {} for the stroke", stroke.unsigned_abs());
    }
    so_far += &match bowlers {
        0 => String::new(),
        1.. => format!(", and {bowlers} for the cards"),
        _ => format!(", less {} for the cards", bowlers.unsigned_abs()),
    };
    so_far += &match added {
        0 => String::new(),
        1.. => format!(", batter adds {added}"),
        _ => format!(", batter loses {}", added.unsigned_abs()),
    };
    let words = Words::new(format!("{beat} to beat")).so_far(so_far);
    let protected = ball.delivery.extras.no_balls > 0 || ball.delivery.detail.free_hit;
    match bowler {
        1 if terms.batter_die == 8 => words.text("6, 7 four, 8 six"),
        1 => words.text("6 is four"),
        _ if bowler == terms.bowler_die && !protected => words.text("1 is bowled"),
        _ => words,
    }
}

/// The distance of a ball that was struck.
fn distance(ball: &BallSoFar) -> Words {
    let Some(distance) = face(ball, "distance") else { return Words::default() };
    let title = if distance.div_ceil(2) <= INFIELD { "infield" } else { "outfield" };
    Words::new(title)
        .text(format!("distance {distance}"))
        .sentence(format!("to the {title}, distance {distance}"))
        .so_far(format!("struck, distance {distance}"))
}

fn bounced(bounce: Bounce, then: &str) -> Words {
    let how = if bounce.air { "in the air" } else { "on the ground" };
    let title = if bounce.air { how } else { "along" };
    Words::new(title).text(then).sentence(format!("{how}, {then}")).so_far(how)
}

fn runs(runs: u16) -> String {
    if runs == 1 { "1 run".to_owned() } else { format!("{runs} runs") }
}

/// A ball that stopped in the field, before the batters say how often they run.
fn before_runs(ball: &BallSoFar, safe: u8) -> Words {
    let more = safe + 1;
    let is_dropped = ball.delivery.detail.catch.is_some();
    if is_dropped {
        let text = format!("{safe} safe, or {more}");
        return Words::new("dropped").text(text).so_far(format!("dropped, {safe} safe"));
    }
    let title = if safe == 0 { "no run".to_owned() } else { runs(u16::from(safe)) };
    let so_far = if safe == 0 { "no safe run".to_owned() } else { format!("{title} safe") };
    Words::new(title).text(format!("or try {more}")).so_far(so_far)
}

/// The batters try one run more than is safe.
fn trying(detail: &Detail) -> Words {
    let tried = runs(u16::from(detail.tried.unwrap_or_default()));
    let out_of_the_air = detail.struck.is_some_and(|struck| struck.bounce.air && struck.fielder.is_some());
    let out_on = if out_of_the_air { "out on 6" } else { "out on 5 or 6" };
    Words::new(format!("{tried}?")).text(out_on).so_far(format!("they try {tried}"))
}

/// A whole ball, where cricket's own words do not tell it fully.
pub fn words_of_ball(outcome: &Outcome, dice: &[i64]) -> Option<Words> {
    if outcome.wicket.is_some() || outcome.boundary.is_some() {
        return None;
    }
    let cites = |ruling: &Ruling| outcome.rulings.iter().any(|id| id == ruling.id);
    let is_free_hit = outcome.detail.get("free_hit") == Some(&Value::Bool(true));
    let is_no_ball = outcome.extras.no_balls > 0;
    let scores = outcome.runs.total > outcome.extras.no_balls;
    let words = match () {
        () if cites(&DEAD_BALL) => Words::new("dead ball").text("bowled again"),
        () if cites(&CLEAN_BOWLED) => {
            return Some(Words::new("not out").text(if is_free_hit { "free hit" } else { "no-ball" }));
        }
        () if cites(&MISS_NOT_BOWLED) => Words::new("not bowled"),
        () if cites(&SLIPS_MISSED) => Words::new("no catch"),
        () if cites(&APPEAL_NOT_OUT) => Words::new("not out"),
        () if cites(&RUN_SAFE) => return Some(words_of_outcome(outcome).text("safe")),
        () if cites(&CATCH_DROPPED) => return Some(words_of_outcome(outcome).text("dropped")),
        () if cites(&EXPRESS_THREAT) && !dice.is_empty() => Words::new("not out"),
        () if cites(&BLOCK) && !scores => Words::new("blocked"),
        () if cites(&MISS) && !scores => {
            let margin = outcome.detail.get("margin").and_then(Value::as_i64).unwrap_or_default();
            result_words(DuelResult::Missed, i8::try_from(margin).unwrap_or(i8::MIN))
        }
        () => return None,
    };
    Some(match (is_no_ball, &words.text) {
        (false, _) => words,
        (true, None) => words.text("no-ball"),
        (true, Some(text)) => {
            let text = format!("{text}, no-ball");
            words.text(text)
        }
    })
}

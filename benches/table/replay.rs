//! Replays of logs, against the fold that somebody in a hurry would write.

use std::hint::black_box;

use third_umpire::editions::Editions;
use third_umpire::log::{Ball, EventData, MatchId, TossDecided};
use third_umpire::matches::Match;
use third_umpire::scorebook::Side;

use super::logs::{events, logs};
use super::report::{Reach, Row};
use super::turns::{Done, Scale, in_turn};

/// Measures the cost of checking every recorded event, where the quick fold trusts them all.
pub fn rows(scale: Scale) -> Vec<Row> {
    let matches: Vec<Vec<EventData>> = logs(scale.pick(100, 1)).iter().map(|log| events(log)).collect();
    let compared = in_turn(scale.pick(15, 1), || each(&matches, replay), || each(&matches, fold));
    vec![Row::rates(
        "replay of recorded dice in memory: every event admitted by the rules, then applied",
        "a hand-written fold of the same parsed events, unchecked: score, overs, strike, and figures by player, those of the last ball found first",
        "events",
        compared,
        Reach::AtLeast(0.15),
    )]
}

fn each(matches: &[Vec<EventData>], work: impl Fn(&[EventData])) -> Done {
    Done::timed(|| {
        matches.iter().for_each(|events| work(events));
        matches.iter().map(Vec::len).sum::<usize>() as u64
    })
}

fn replay(events: &[EventData]) {
    let mut the_match = Match::from_log(MatchId::nil(), &events[0], &Editions::default()).expect("a match");
    for event in &events[1..] {
        the_match.replay(event).expect("the event follows");
    }
    assert!(black_box(the_match).play().result().is_some());
}

fn fold(events: &[EventData]) {
    let mut card = Card::default();
    events.iter().for_each(|event| card.apply(event));
    assert!(black_box(card).completed);
}

/// The card of a match, folded without any check.
#[derive(Default)]
struct Card<'a> {
    bats_first: Option<Side>,
    innings: Vec<Innings<'a>>,
    completed: bool,
}

#[derive(Default)]
struct Innings<'a> {
    number: u16,
    runs: u32,
    wickets: u32,
    balls: u32,
    striker: &'a str,
    non_striker: &'a str,
    batters: ByPlayer<'a>,
    bowlers: ByPlayer<'a>,
}

/// The figures of players: those who were counted last come first, and are nearly always the next ones.
#[derive(Default)]
struct ByPlayer<'a>(Vec<(&'a str, Figures)>);

impl<'a> ByPlayer<'a> {
    fn of(&mut self, player: &'a str) -> &mut Figures {
        let place = self.0.iter().position(|(name, _)| *name == player).unwrap_or_else(|| {
            self.0.push((player, Figures::default()));
            self.0.len() - 1
        });
        self.0.swap(0, place);
        &mut self.0[0].1
    }
}

#[derive(Default)]
struct Figures {
    runs: u32,
    balls: u32,
    wickets: u32,
}

impl<'a> Card<'a> {
    fn apply(&mut self, event: &'a EventData) {
        match event {
            EventData::TossDecided(decided) => self.bats_first = Some(TossDecided::bats_first(decided)),
            EventData::Over(over) if self.innings.last().is_none_or(|last| last.number != over.innings) => {
                self.innings.push(Innings { number: over.innings, ..Innings::default() });
            }
            EventData::Ball(ball) => {
                if let Some(innings) = self.innings.last_mut() {
                    innings.count(ball);
                }
            }
            EventData::MatchCompleted(_) => self.completed = true,
            EventData::MatchCreated(_)
            | EventData::Toss(_)
            | EventData::Over(_)
            | EventData::MatchAbandoned(_)
            | EventData::SetUp(_)
            | EventData::Roll(_)
            | EventData::Review(_)
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
    }
}

impl<'a> Innings<'a> {
    fn count(&mut self, ball: &'a Ball) {
        let outcome = &ball.outcome;
        let extras = outcome.extras;
        self.runs += u32::from(outcome.runs.total);
        self.balls += u32::from(outcome.legal);
        let batter = self.batters.of(&outcome.striker);
        batter.runs += u32::from(outcome.runs.batter);
        batter.balls += u32::from(extras.wides == 0);
        let bowler = self.bowlers.of(&outcome.bowler);
        bowler.runs += u32::from(outcome.runs.batter + extras.wides + extras.no_balls);
        bowler.balls += u32::from(outcome.legal);
        if let Some(wicket) = &outcome.wicket {
            self.wickets += 1;
            bowler.wickets += u32::from(wicket.bowler.is_some());
        }
        let ran = outcome.runs.batter + extras.byes + extras.leg_byes;
        let crossed = outcome.boundary.is_none() && ran % 2 == 1;
        let over_ends = outcome.legal && self.balls.is_multiple_of(6);
        (self.striker, self.non_striker) = (&outcome.striker, &outcome.non_striker);
        if crossed != over_ends {
            std::mem::swap(&mut self.striker, &mut self.non_striker);
        }
    }
}

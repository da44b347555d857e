use std::hint::black_box;

use third_umpire::games::Fixture;
use third_umpire::log::{Ball, EventData, TossDecided};
use third_umpire::scorebook::Side;

use super::logs::{events, logs};
use super::report::{Reach, Row};
use super::turns::{Done, Scale, in_turn};

/// What it costs that a replay takes no recorded event on trust.
pub fn rows(scale: Scale) -> Vec<Row> {
    let matches: Vec<Vec<EventData>> = logs(scale.pick(100, 1)).iter().map(|log| events(log)).collect();
    let compared = in_turn(scale.pick(15, 1), || replayed(&matches), || folded(&matches));
    vec![Row::rates(
        "replay of recorded dice in memory: every event admitted by the rules, then applied",
        "a hand-written fold of the same parsed events, unchecked, to score, overs, strike and every player's figures",
        "events",
        compared,
        Reach::AtLeast(0.4),
    )]
}

fn replayed(matches: &[Vec<EventData>]) -> Done {
    Done::timed(|| {
        for events in matches {
            let mut fixture = Fixture::from_log(&events[0]).expect("a match");
            for event in &events[1..] {
                fixture.replay(event).expect("it follows");
            }
            assert!(black_box(fixture).result().is_some());
        }
        matches.iter().map(|events| events.len() as u64).sum()
    })
}

fn folded(matches: &[Vec<EventData>]) -> Done {
    Done::timed(|| {
        for events in matches {
            let mut card = Card::default();
            for event in events {
                card.apply(event);
            }
            assert_eq!(black_box(card).innings.len(), 2);
        }
        matches.iter().map(|events| events.len() as u64).sum()
    })
}

/// What a reader wants to know of a match, as somebody in a hurry would fold it.
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
    batters: Vec<Figures<'a>>,
    bowlers: Vec<Figures<'a>>,
}

#[derive(Default)]
struct Figures<'a> {
    player: &'a str,
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
            | EventData::MatchAbandoned(_) => {}
        }
    }
}

impl<'a> Innings<'a> {
    fn count(&mut self, ball: &'a Ball) {
        let outcome = &ball.outcome;
        let extras = outcome.extras;
        self.runs += u32::from(outcome.runs.total);
        self.balls += u32::from(outcome.legal);
        let batter = figures(&mut self.batters, &outcome.striker);
        batter.runs += u32::from(outcome.runs.batter);
        batter.balls += u32::from(extras.wides == 0);
        let bowler = figures(&mut self.bowlers, &outcome.bowler);
        bowler.runs += u32::from(outcome.runs.batter + extras.wides + extras.no_balls);
        bowler.balls += u32::from(outcome.legal);
        if let Some(wicket) = &outcome.wicket {
            self.wickets += 1;
            bowler.wickets += u32::from(wicket.bowler.is_some());
        }
        let ran = outcome.runs.batter + extras.byes + extras.leg_byes;
        let crossed = outcome.boundary.is_none() && ran % 2 == 1;
        let over_ends = outcome.legal && self.balls % 6 == 0;
        (self.striker, self.non_striker) = (&outcome.striker, &outcome.non_striker);
        if crossed != over_ends {
            std::mem::swap(&mut self.striker, &mut self.non_striker);
        }
    }
}

fn figures<'f, 'a>(known: &'f mut Vec<Figures<'a>>, player: &'a str) -> &'f mut Figures<'a> {
    let at = known.iter().position(|figures| figures.player == player).unwrap_or_else(|| {
        known.push(Figures { player, ..Figures::default() });
        known.len() - 1
    });
    &mut known[at]
}

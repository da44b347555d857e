//! A match of two innings between sides that bat once each, as the games of the tests play it: who bats,
//! when an innings ends, the result, and how an over and a ball stand in the log.

use std::sync::Arc;

use third_umpire::dice::Die;
use third_umpire::log::{self, DiceMode, EventData, InvalidEvent, MatchCreated};
use third_umpire::rules::reading::expect;
use third_umpire::rules::{Choices, MatchPosition, Place, Refusal, RefusalKind, ResultView};
use third_umpire::scorebook::{Delivery, Innings, MatchResult, Outcome, Player, Side};

/// The bowler of every over.
pub const BOWLER: Player = Player(0);

/// The two innings of a match.
#[derive(Debug, Clone, PartialEq)]
pub struct TwoInnings {
    created: Arc<MatchCreated>,
    overs: u16,
    /// The wickets at which a side is all out.
    wickets: u8,
    bats_first: Side,
    /// The runs of the first innings, once it has ended.
    first: Option<u32>,
    /// The innings in progress.
    pub innings: Innings,
    deliveries: u32,
}

impl TwoInnings {
    /// A match between sides of so many players, before its toss.
    pub fn open(created: &Arc<MatchCreated>, players: u8, wickets: u8) -> Result<TwoInnings, Refusal> {
        for side in [Side::Home, Side::Away] {
            if created.sheet(side).players.len() != usize::from(players) {
                let place = Place::Field(format!("{side}.players"));
                let message = format!("a side has {players} players");
                return Err(Refusal::new(RefusalKind::IllegalInput, place, message));
            }
        }
        Ok(TwoInnings {
            overs: created.rules["overs"].as_u64().unwrap_or(1) as u16,
            created: Arc::clone(created),
            wickets,
            bats_first: Side::Home,
            first: None,
            innings: Innings::default(),
            deliveries: 0,
        })
    }

    pub fn created(&self) -> &MatchCreated {
        &self.created
    }

    pub fn start(&mut self, bats_first: Side) {
        self.bats_first = bats_first;
    }

    pub fn batting(&self) -> Side {
        if self.first.is_some() { self.bats_first.other() } else { self.bats_first }
    }

    fn number(&self) -> u16 {
        if self.first.is_some() { 2 } else { 1 }
    }

    pub fn batters(&self) -> &[String] {
        &self.created.sheet(self.batting()).players
    }

    pub fn bowlers(&self) -> &[String] {
        &self.created.sheet(self.batting().other()).players
    }

    /// The number of the next delivery.
    pub fn next_delivery(&self) -> u32 {
        self.deliveries + 1
    }

    /// The legal balls of an innings.
    pub fn balls_limit(&self) -> u32 {
        6 * u32::from(self.overs)
    }

    fn has_ended(&self) -> bool {
        let reached = self.first.is_some_and(|first| self.innings.runs > first);
        reached || self.innings.wickets == self.wickets || self.innings.overs_completed() == self.overs
    }

    fn result(&self) -> Option<MatchResult> {
        let first = self.first.filter(|_| self.has_ended())?;
        Some(match self.innings.runs {
            runs if runs > first => {
                MatchResult::by_wickets(self.batting(), u32::from(self.wickets - self.innings.wickets))
            }
            runs if runs < first => MatchResult::by_runs(self.bats_first, first - runs),
            _ => MatchResult::tie(),
        })
    }

    /// The result as it is shown; none in play.
    pub fn result_view(&self) -> Option<ResultView> {
        self.result().map(|result| ResultView::of(&self.created, result))
    }

    pub fn position(&self) -> MatchPosition {
        MatchPosition {
            awaits_set_up: false,
            innings: self.number(),
            over: self.innings.over_number(),
            target: self.first.map(|first| first + 1),
            result: self.result(),
        }
    }

    pub fn let_face(&mut self, batter: &str) -> Option<bool> {
        let batter = self.batters().iter().position(|player| player == batter)?;
        self.innings.let_face(Player(batter as u8))
    }

    pub fn begin_over(&mut self) {
        if !self.innings.is_open() {
            self.innings.open(Player(0), Player(1));
        }
        self.innings.begin_over(BOWLER);
    }

    pub fn end_innings(&mut self) {
        self.first = Some(std::mem::take(&mut self.innings).runs);
    }

    /// Counts a delivery. Returns whether the first innings has ended with it.
    pub fn count(&mut self, delivery: &Delivery<()>) -> bool {
        if delivery.runs % 2 == 1 {
            self.innings.cross();
        }
        self.innings.count(delivery);
        self.deliveries += 1;
        let ends = self.first.is_none() && self.has_ended();
        if ends {
            self.end_innings();
        }
        ends
    }

    /// The refusal of an over while one is in progress.
    pub fn refuse_over_in_progress(&self) -> Result<(), Refusal> {
        match self.innings.bowler() {
            Some(_) => Err(Refusal::new(RefusalKind::OutOfTurn, Place::Input, "the over is not finished")),
            None => Ok(()),
        }
    }

    pub fn record_over(&self, choices: Choices) -> EventData {
        EventData::Over(log::Over::of_choices(self.number(), self.innings.over_number(), choices))
    }

    pub fn record_ball(&self, delivery: &Delivery<()>, choices: &Choices, dice: &[Die]) -> EventData {
        let number = self.next_delivery();
        EventData::Ball(log::Ball {
            innings: self.number(),
            over: self.innings.over_number(),
            ball: self.innings.ball_number(),
            delivery: number,
            seed: (self.created.dice == DiceMode::Seeded).then(|| log::Ball::draw(number)),
            choices: choices.clone(),
            dice: dice.to_vec(),
            outcome: Outcome::of(delivery, self.batters(), self.bowlers(), Choices::new()),
            as_stood: None,
            unknown: delivery.is_unknown(),
        })
    }

    /// Checks of a recorded over all but its choices.
    pub fn expect_over(&self, over: &log::Over) -> Result<(), InvalidEvent> {
        self.expect_play()?;
        expect("data.innings", self.number(), over.innings)?;
        expect("data.over", self.innings.over_number(), over.over)?;
        expect("data.dice", true, over.dice.is_empty())?;
        if self.innings.bowler().is_some() { Err(no_over()) } else { Ok(()) }
    }

    /// The delivery of a recorded ball between the batters at the wicket, checked but for its choices.
    pub fn read_ball(
        &self,
        ball: &log::Ball,
        wicket: Option<[Player; 2]>,
        find: fn(&str) -> Option<&'static third_umpire::scorebook::Ruling>,
    ) -> Result<Delivery<()>, InvalidEvent> {
        self.expect_play()?;
        expect("data.innings", self.number(), ball.innings)?;
        expect("data.over", self.innings.over_number(), ball.over)?;
        expect("data.ball", self.innings.ball_number(), ball.ball)?;
        expect("data.delivery", self.next_delivery(), ball.delivery)?;
        self.innings.bowler().ok_or_else(no_over)?;
        let wicket = wicket.ok_or_else(no_over)?;
        let (batters, bowlers) = (self.batters(), self.bowlers());
        let [striker, non_striker] = wicket.map(|player| &batters[player.index()]);
        let outcome = &ball.outcome;
        expect("data.outcome.striker", striker, &outcome.striker)?;
        expect("data.outcome.non_striker", non_striker, &outcome.non_striker)?;
        expect("data.outcome.bowler", &bowlers[BOWLER.index()], &outcome.bowler)?;
        expect("data.outcome.detail", true, outcome.detail.is_empty())?;
        let read = outcome.delivery(wicket, BOWLER, [batters, bowlers], find, ());
        read.map_err(|fault| InvalidEvent::new(format!("data.outcome.{}", fault.field), fault.reason))
    }

    fn expect_play(&self) -> Result<(), InvalidEvent> {
        match self.result() {
            Some(_) => Err(InvalidEvent::new("kind", "the match had finished before this event")),
            None => Ok(()),
        }
    }
}

fn no_over() -> InvalidEvent {
    InvalidEvent::new("kind", "an over begins when the one before is finished")
}

//! How events change the state of a match: the over that begins, the ball that was bowled, the open choice.

use std::sync::Arc;

use super::ball::{Chosen, Detail};
use super::edition::model::{Duelist, Express};
use super::event::Event;
use super::over::OverChoices;
use super::progress::{Batting, Bowling, NextBall, OverSoFar};
use super::state::CricketTheGame;
use crate::scorebook::{Delivery, Dismissal};

impl CricketTheGame {
    /// Applies an event.
    pub(super) fn apply_event(&mut self, event: &Event) {
        match event {
            Event::SetUp(prepared) => {
                self.prepared = Some(*prepared);
                self.open_choices.clear();
            }
            Event::Over(over) => self.begin_over(over),
            Event::Roll(pending) => self.pending = Some(Arc::new(pending.clone())),
            Event::Ball(ball) => self.count(&ball.chosen, &ball.delivery),
            Event::OpenChoice(open_choice) => self.apply_open_choice(open_choice),
        }
    }

    /// Begins an over.
    pub(super) fn begin_over(&mut self, over: &OverChoices) {
        if let Some([striker, non_striker]) = over.openers {
            self.innings.open(striker.0, non_striker.0);
            for (player, attitude) in [striker, non_striker] {
                self.batting.attitude[player.index()] = attitude;
            }
        }
        self.innings.begin_over(over.bowler);
        self.bowling.field = Some(over.field);
        self.bowling.overs_bowled[over.bowler.index()] += 1;
        self.bowling.last_bowler = Some(over.bowler);
        self.bowling.power_play_called |= over.power_play;
        self.over = OverSoFar { power_play: over.power_play, ..OverSoFar::default() };
        self.open_choices.clear();
    }

    /// Counts a ball, and moves on to the next innings when it ends this one.
    pub(super) fn count(&mut self, chosen: &Chosen, delivery: &Delivery<Detail>) {
        if let Some((batter, attitude)) = chosen.next_batter {
            self.innings.come_in(batter);
            self.batting.attitude[batter.index()] = attitude;
        }
        if delivery.is_unknown() {
            // It has turned a card, which nobody knows.
            self.over.unknown += 1;
            self.over.next_ball = NextBall::WithCard;
        } else {
            self.count_by_cards(chosen, delivery);
        }
        if ran(delivery) % 2 == 1 {
            self.innings.cross();
        }
        self.innings.count(delivery);
        self.deliveries += 1;
        self.pending = None;
        self.close_innings();
    }

    /// Counts what a ball does to the cards, the field and the batters' meters.
    fn count_by_cards(&mut self, chosen: &Chosen, delivery: &Delivery<Detail>) {
        let express = self.is_express();
        if let Some(card) = chosen.card {
            if let Some(on) = self.over.turned_on.get_mut(self.over.turned.len()) {
                *on = u8::try_from(self.innings.ball_number()).unwrap_or(u8::MAX);
            }
            self.over.turned.push(card);
        }
        if express {
            self.count_express(chosen.card);
        } else {
            let striker = delivery.striker.index();
            self.batting.attitude[striker] = chosen.attitude;
            self.batting.skills_used[striker] |= chosen.skills_used(Duelist::Batter);
            self.over.skills_used |= chosen.skills_used(Duelist::Bowler);
            self.over.bowled |= 1 << chosen.bowl.unwrap_or(0);
            self.bowling.field = chosen.field.or(self.bowling.field);
            self.bowling.patience &= delivery.detail.dead_ball && !delivery.legal;
        }
        self.batting.confidence[delivery.striker.index()] = delivery.detail.confidence;
        // An over turns one card for each of its legal balls, and none for the others.
        self.over.next_ball = match (delivery.legal, delivery.extras.no_balls, self.over.next_ball) {
            (true, _, _) => NextBall::WithCard,
            (false, 1.., _) => NextBall::FreeHit,
            (false, 0, NextBall::WithCard) => NextBall::Rebowled,
            (false, 0, next_ball) => next_ball,
        };
    }

    fn count_express(&mut self, card: Option<u8>) {
        let deck = self.edition().over_decks.of(self.style());
        match card.and_then(|card| deck.get(usize::from(card))).map(|card| card.express) {
            Some(Express::Patience) => self.bowling.patience = true,
            Some(Express::Threat) => self.over.threats += 1,
            Some(Express::Dot | Express::One | Express::Two | Express::Three | Express::Boundary) | None => {}
        }
    }

    /// Moves on to the second innings after the ball that ends the first.
    fn close_innings(&mut self) {
        if self.first.is_none() && self.innings_has_ended() {
            self.begin_second();
        }
    }

    /// Begins the second innings.
    pub(super) fn begin_second(&mut self) {
        self.first = Some(std::mem::take(&mut self.innings).runs);
        self.bowling = Bowling::default();
        self.over = OverSoFar::default();
        self.batting = Batting::of(self.batting_squad());
    }
}

/// The runs that decide who faces next. When a run ended in a run out, the runs tried count.
fn ran(delivery: &Delivery<Detail>) -> u16 {
    match (delivery.boundary, delivery.dismissal) {
        (Some(_), _) => 0,
        (None, Some(Dismissal::RunOut { .. })) => delivery.detail.tried.map_or(delivery.runs, u16::from),
        (None, _) => delivery.runs + delivery.extras.byes + delivery.extras.leg_byes,
    }
}

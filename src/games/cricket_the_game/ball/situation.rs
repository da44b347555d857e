//! The situation of a ball: the part of the match that one ball depends on, borrowed, and unchanged from the
//! first choice of the ball to its last die.

use super::super::edition::model::{
    Bowl, Condition, Format, Out, OverCard, PitchCard, PrintedEdition, Style, StyleRules,
};
use super::super::field::{Field, Limits};
use super::super::progress::{Batting, NextBall, OverSoFar};
use super::super::squad::Eleven;
use crate::dice::Draw;
use crate::scorebook::{Dismissal, Innings, Player};

/// The situation of the next ball of the over in progress.
#[derive(Debug, Clone, Copy)]
pub struct BallSituation<'a> {
    /// The edition that the match is played with.
    pub edition: &'a PrintedEdition,
    /// The side of the board.
    pub format: Format,
    /// Whether the cards are drawn and the dice rolled from a seed.
    pub is_seeded: bool,
    /// The number of the delivery in the match.
    pub delivery: u32,
    /// The draw of the over.
    pub over_draw: Draw,
    /// The style of the bowler.
    pub style: Style,
    /// The pitch card.
    pub pitch: Option<&'a PitchCard>,
    /// Whether the ball is played by the symbol on its card alone.
    pub is_express: bool,
    /// The limits of the field.
    pub limits: Limits,
    /// The field as it stands, once one has been set.
    pub field: Option<Field>,
    /// Whether the bowler has shown patience, and rolls a d8.
    pub patience: bool,
    /// The runs still needed to win, in the second innings.
    pub needed: Option<u32>,
    /// The innings: the score, and the batters at the wicket.
    pub innings: &'a Innings,
    /// The progress of the over.
    pub over: &'a OverSoFar,
    /// The meters of the batters.
    pub batting: &'a Batting,
    /// The side batting.
    pub batters: Eleven<'a>,
    /// The side in the field.
    pub fielders: Eleven<'a>,
}

impl<'a> BallSituation<'a> {
    /// The bowls of the bowler's style.
    pub fn bowls(&self) -> &'a [Bowl] {
        self.edition.bowls.of(self.style)
    }

    /// The over cards of the bowler's style.
    pub fn deck(&self) -> &'a [OverCard] {
        self.edition.over_decks.of(self.style)
    }

    /// The rule card of the bowler's style.
    pub fn rules(&self) -> &'a StyleRules {
        self.edition.style_rules.of(self.style)
    }

    /// The condition of the pitch: the style it suits.
    pub fn condition(&self) -> Condition {
        self.pitch.map_or(Condition::Neutral, |card| card.condition)
    }

    /// Whether the batter can be out only by a run out.
    pub fn is_free_hit(&self) -> bool {
        self.over.next_ball == NextBall::FreeHit
    }

    /// The batters still to come in, in team order.
    pub fn yet_to_bat(&self) -> impl Iterator<Item = Player> + use<'a> {
        let innings = self.innings;
        self.batters.players().filter(move |player| !innings.has_come_in(*player))
    }

    /// The fielder of a token. The tokens are the side's players other than bowler and keeper, in team order.
    pub fn token(&self, token: usize) -> Player {
        let mut fielders = self.fielders.with_tokens(self.innings.bowler());
        fielders.nth(token).unwrap_or(self.fielders.keeper())
    }

    /// The names of the fielders who have a token, in the order of the tokens.
    pub fn token_names(&self) -> Vec<&'a str> {
        self.fielders.token_names(self.innings.bowler()).collect()
    }

    /// The dismissal of the striker when a card or an umpire gives him out.
    pub fn dismissal(&self, how: Out) -> Dismissal {
        match how {
            Out::Bowled => Dismissal::Bowled,
            Out::Lbw => Dismissal::Lbw,
            Out::Stumped => Dismissal::Stumped { keeper: self.fielders.keeper() },
            Out::Caught => Dismissal::Caught { fielder: self.fielders.keeper() },
        }
    }
}

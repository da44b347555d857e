//! The state of a match of Cricket: The Game, folded from its events.

use std::sync::Arc;

use super::ball::{BallSituation, Pending};
use super::edition::model::{Condition, Format, PitchCard, PlayerRole, PrintedEdition, Style};
use super::field::{Field, Limits};
use super::options::{Drs, Options};
use super::progress::{Batting, Bowling, NextBall, OverSoFar};
use super::squad::{Eleven, Squad, WICKETS, squad};
use crate::dice::Draw;
use crate::log::{DiceMode, MatchCreated};
use crate::rules::{Choices, Refusal};
use crate::scorebook::{BySide, Innings, MatchResult, Player, Side};

/// The part of a match that never changes.
#[derive(Debug, PartialEq)]
pub struct Setting {
    pub(super) created: Arc<MatchCreated>,
    pub(super) options: Options,
    pub(super) edition: Arc<PrintedEdition>,
    pub(super) squads: BySide<Squad>,
}

/// The set-up of a match, decided before the toss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prepared {
    /// The player of each side who takes no part.
    pub dropped: BySide<Player>,
    /// The pitch card, as an index into the edition.
    pub pitch: u8,
}

/// The state of a match of Cricket: The Game, folded from its events.
#[derive(Debug, Clone, PartialEq)]
pub struct CricketTheGame {
    pub(super) setting: Arc<Setting>,
    /// The players dropped and the pitch, once the match is set up.
    pub(super) prepared: Option<Prepared>,
    pub(super) bats_first: Side,
    /// The number of deliveries bowled in the match.
    pub(super) deliveries: u32,
    /// The runs of the side batting first, once its innings has ended.
    pub(super) first: Option<u32>,
    /// The innings in progress, or the last.
    pub(super) innings: Innings,
    pub(super) batting: Batting,
    pub(super) bowling: Bowling,
    pub(super) over: OverSoFar,
    /// The choices and dice of the next ball so far, while it waits for a decision.
    pub(super) pending: Option<Arc<Pending>>,
    /// The open choices for the set-up or the next over, in remote play.
    pub(super) open_choices: Choices,
}

impl CricketTheGame {
    /// The state of a match before its set-up; refuses illegal squads.
    pub fn new(
        created: Arc<MatchCreated>,
        options: Options,
        edition: Arc<PrintedEdition>,
    ) -> Result<CricketTheGame, Refusal> {
        let squads =
            BySide { home: squad(Side::Home, &created.home)?, away: squad(Side::Away, &created.away)? };
        Ok(CricketTheGame {
            batting: Batting::of(&squads.home),
            setting: Arc::new(Setting { created, options, edition, squads }),
            prepared: None,
            bats_first: Side::Home,
            deliveries: 0,
            first: None,
            innings: Innings::default(),
            bowling: Bowling::default(),
            over: OverSoFar::default(),
            pending: None,
            open_choices: Choices::new(),
        })
    }

    /// Applies the toss.
    pub(super) fn begin_play(&mut self, bats_first: Side) {
        self.bats_first = bats_first;
        self.batting = Batting::of(self.batting_squad());
    }

    /// The length of the match, which is also the side of the board.
    #[inline]
    pub fn format(&self) -> Format {
        self.setting.options.format()
    }

    /// The edition of the match.
    #[inline]
    pub fn edition(&self) -> &PrintedEdition {
        &self.setting.edition
    }

    /// Whether the cards are drawn and the dice rolled from a seed.
    #[inline]
    pub fn is_seeded(&self) -> bool {
        self.setting.created.dice == DiceMode::Seeded
    }

    /// Whether the match has remote play.
    pub fn is_remote(&self) -> bool {
        self.setting.created.remote
    }

    /// Whether umpires' decisions can be reviewed.
    pub fn has_reviews(&self) -> bool {
        self.setting.options.drs == Drs::On
    }

    /// The number of the innings in progress, 1 or 2.
    #[inline]
    pub fn innings_number(&self) -> u16 {
        if self.first.is_some() { 2 } else { 1 }
    }

    /// The side that bats in the innings in progress.
    #[inline]
    pub fn side_batting(&self) -> Side {
        if self.first.is_some() { self.bats_first.other() } else { self.bats_first }
    }

    /// The batting side's players, the dropped one too.
    pub fn batters(&self) -> &[String] {
        &self.setting.created.sheet(self.side_batting()).players
    }

    /// The fielding side's players, the dropped one too.
    pub fn fielders(&self) -> &[String] {
        &self.setting.created.sheet(self.side_batting().other()).players
    }

    pub(super) fn batting_squad(&self) -> &Squad {
        &self.setting.squads[self.side_batting()]
    }

    /// The role of a player of the bowling side.
    pub fn bowler_role(&self, player: Player) -> PlayerRole {
        self.setting.squads[self.side_batting().other()][player.index()].role
    }

    /// The style of the bowler of the over.
    #[inline]
    pub fn style(&self) -> Style {
        let bowler = self.innings.bowler().map(|bowler| self.bowler_role(bowler));
        bowler.and_then(PlayerRole::style).unwrap_or(Style::Medium)
    }

    /// The pitch card: the edition's first until one has been drawn.
    #[inline]
    pub(super) fn pitch(&self) -> Option<&PitchCard> {
        let pitch = self.prepared.map_or(0, |prepared| usize::from(prepared.pitch));
        self.edition().pitch.get(pitch)
    }

    /// The condition of the pitch: the style it suits.
    #[inline]
    pub fn condition(&self) -> Condition {
        self.pitch().map_or(Condition::Neutral, |card| card.condition)
    }

    /// A side in play.
    #[inline]
    pub fn eleven(&self, side: Side) -> Eleven<'_> {
        Eleven {
            side,
            names: &self.setting.created.sheet(side).players,
            squad: &self.setting.squads[side],
            dropped: self.prepared.map(|prepared| prepared.dropped[side]),
        }
    }

    /// The limits of the field in the over in progress.
    #[inline]
    pub fn limits(&self) -> Limits {
        Limits::of_over(self.format(), self.innings.over_number(), self.over.power_play)
    }

    /// The field as it stands: the edition's until one has been set.
    pub(super) fn field_now(&self) -> Field {
        self.bowling.field.unwrap_or_else(|| self.default_field(self.limits()))
    }

    /// The edition's field for these limits.
    pub(super) fn default_field(&self, limits: Limits) -> Field {
        Field::printed(self.edition(), limits)
    }

    /// The number of the next delivery in the match.
    #[inline]
    pub fn next_delivery(&self) -> u32 {
        self.deliveries + 1
    }

    /// The draw of the over in progress, or of the next one.
    #[inline]
    pub fn over_draw(&self) -> Draw {
        Draw::over(self.innings_number(), self.innings.over_number())
    }

    /// Whether the next ball is played by the symbol on its card alone.
    #[inline]
    pub fn is_express(&self) -> bool {
        let turned = self.over.turned.len() + usize::from(self.over.unknown);
        let is_early = turned < 2 && self.over.next_ball == NextBall::WithCard;
        is_early && self.format().is_express(self.innings.over_number())
    }

    /// The target of the side batting second.
    pub fn target(&self) -> Option<u32> {
        self.first.map(|first| first + 1)
    }

    /// The runs still needed to win.
    #[inline]
    pub fn needed(&self) -> Option<u32> {
        self.target().map(|target| target.saturating_sub(self.innings.runs))
    }

    /// Whether the innings in progress has ended: all out, overs bowled, or target reached.
    pub(super) fn innings_has_ended(&self) -> bool {
        self.needed() == Some(0)
            || self.innings.wickets == WICKETS
            || self.innings.overs_completed() == self.format().overs()
    }

    /// The result, once the second innings has ended. Level scores are a win for the side that batted first.
    pub fn result(&self) -> Option<MatchResult> {
        let first = self.first.filter(|_| self.innings_has_ended())?;
        let chasing = self.bats_first.other();
        Some(match self.innings.runs.cmp(&first) {
            std::cmp::Ordering::Greater => {
                MatchResult::by_wickets(chasing, u32::from(WICKETS - self.innings.wickets))
            }
            std::cmp::Ordering::Less => MatchResult::by_runs(self.bats_first, first - self.innings.runs),
            std::cmp::Ordering::Equal => MatchResult::level_first_side(self.bats_first),
        })
    }

    /// The situation of the next ball.
    #[inline]
    pub fn situation(&self) -> BallSituation<'_> {
        let batting = self.side_batting();
        BallSituation {
            edition: self.edition(),
            format: self.format(),
            is_seeded: self.is_seeded(),
            delivery: self.next_delivery(),
            over_draw: self.over_draw(),
            style: self.style(),
            pitch: self.pitch(),
            is_express: self.is_express(),
            limits: self.limits(),
            field: self.bowling.field,
            patience: self.bowling.patience,
            needed: self.needed(),
            innings: &self.innings,
            over: &self.over,
            batting: &self.batting,
            batters: self.eleven(batting),
            fielders: self.eleven(batting.other()),
        }
    }
}

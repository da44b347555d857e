use std::sync::Arc;

use smallvec::SmallVec;

use super::ball::{Chosen, Pending};
use super::detail::Detail;
use super::edition::model::{Attitude, Condition, Duelist, Edition, Express, Format, Role, Style};
use super::field::{Field, Limits};
use super::options::{Drs, Options};
use super::over::OverChoices;
use super::set_up::Prepared;
use super::squad::{Member, SQUAD, Squad, WICKETS, players, squad};
use crate::dice::Draw;
use crate::log::{DiceMode, MatchCreated};
use crate::rules::{Choices, Refusal};
use crate::scorebook::{BySide, Delivery, Dismissal, Innings, MatchResult, Player, Side};

/// What does not change during a match.
#[derive(Debug)]
pub struct Setting {
    pub(super) created: Arc<MatchCreated>,
    pub(super) options: Options,
    pub(super) edition: Arc<Edition>,
    pub(super) squads: BySide<Squad>,
}

/// A match of Cricket: The Game, folded from its events.
#[derive(Debug, Clone)]
pub struct State {
    pub(super) setting: Arc<Setting>,
    /// Who was dropped, and the pitch; once that is settled.
    pub(super) prepared: Option<Prepared>,
    pub(super) bats_first: Side,
    /// Deliveries bowled in the match.
    pub(super) deliveries: u32,
    /// What the side batting first has made, once its innings is over.
    pub(super) first: Option<u32>,
    /// The innings in progress, or the last.
    pub(super) innings: Innings,
    pub(super) batting: Batting,
    pub(super) bowling: Bowling,
    pub(super) over: OverSoFar,
    /// What has been chosen and rolled of the next ball, where somebody has to decide before it goes on.
    pub(super) pending: Option<Arc<Pending>>,
    /// What was chosen in the open of the set-up or the over to come, where the sides play from afar.
    pub(super) said: Choices,
}

/// What the batting side has of its own, by player.
#[derive(Debug, Clone, Copy)]
pub struct Batting {
    pub(super) confidence: [i8; SQUAD as usize],
    pub(super) attitude: [Attitude; SQUAD as usize],
    /// Bit `s` is set once a player has used skill `s`.
    pub(super) skills_used: [u8; SQUAD as usize],
}

/// What the bowling side has done in this innings.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bowling {
    pub(super) field: Option<Field>,
    pub(super) overs_bowled: [u8; SQUAD as usize],
    pub(super) last_bowler: Option<Player>,
    pub(super) power_play_called: bool,
    /// Whether the bowler rolls a d8 on the next ball that is not express.
    pub(super) patience: bool,
}

/// What comes after a ball that has to be bowled again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Due {
    /// A ball with an over card of its own.
    #[default]
    Card,
    /// The ball after a dead ball, without an over card.
    Again,
    /// The ball after a no-ball, without an over card.
    FreeHit,
}

/// The over in progress.
#[derive(Debug, Clone, Default)]
pub struct OverSoFar {
    pub(super) power_play: bool,
    /// The over cards turned, by their place in the deck.
    pub(super) turned: SmallVec<[u8; 6]>,
    /// Bit `b` is set once bowl `b` has been bowled.
    pub(super) bowled: u16,
    /// Bit `s` is set once the bowler has used skill `s`.
    pub(super) skills_used: u8,
    pub(super) threats: u8,
    pub(super) due: Due,
    /// The cards of the over, where a simulation has dealt them all at once.
    pub(super) dealt: Option<[u8; 6]>,
}

impl State {
    /// A match before its set-up; refuses squads it cannot be played with.
    pub fn new(
        created: Arc<MatchCreated>,
        options: Options,
        edition: Arc<Edition>,
    ) -> Result<State, Refusal> {
        let squads =
            BySide { home: squad(Side::Home, &created.home)?, away: squad(Side::Away, &created.away)? };
        Ok(State {
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
            said: Choices::new(),
        })
    }

    /// The toss is decided.
    pub(super) fn start(&mut self, bats_first: Side) {
        self.bats_first = bats_first;
        self.batting = Batting::of(self.batting_squad());
    }

    /// The side of the board.
    pub fn format(&self) -> Format {
        self.setting.options.format()
    }

    /// The edition.
    pub fn edition(&self) -> &Edition {
        &self.setting.edition
    }

    /// Whether the cards are drawn and the dice rolled from a seed.
    pub fn is_seeded(&self) -> bool {
        self.setting.created.dice == DiceMode::Seeded
    }

    /// Whether the sides play from afar.
    pub fn is_remote(&self) -> bool {
        self.setting.created.remote
    }

    /// Whether decisions can be reviewed.
    pub fn has_reviews(&self) -> bool {
        self.setting.options.drs == Drs::On
    }

    /// The innings in progress, 1 or 2.
    pub fn innings_number(&self) -> u16 {
        if self.first.is_some() { 2 } else { 1 }
    }

    /// The side batting.
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

    fn bowling_squad(&self) -> &Squad {
        &self.setting.squads[self.side_batting().other()]
    }

    /// A player of the batting side.
    pub fn batter(&self, player: Player) -> Member {
        self.batting_squad()[player.index()]
    }

    /// What a player of the bowling side is.
    pub fn bowler_role(&self, player: Player) -> Role {
        self.bowling_squad()[player.index()].role
    }

    /// How the bowler of the over bowls.
    pub fn style(&self) -> Style {
        let bowler = self.innings.bowler().map(|bowler| self.bowler_role(bowler));
        bowler.and_then(Role::style).unwrap_or(Style::Medium)
    }

    /// Whom the pitch suits.
    pub fn condition(&self) -> Condition {
        let pitch = self.prepared.map_or(0, |prepared| usize::from(prepared.pitch));
        self.edition().pitch.get(pitch).map_or(Condition::Neutral, |card| card.condition)
    }

    /// The eleven of a side, in team order.
    pub fn eleven(&self, side: Side) -> impl DoubleEndedIterator<Item = Player> {
        let dropped = self.prepared.map(|prepared| prepared.dropped[side]);
        players().filter(move |player| Some(*player) != dropped)
    }

    /// Those still to bat, in team order.
    pub fn yet_to_bat(&self) -> impl Iterator<Item = Player> {
        self.eleven(self.side_batting()).filter(|player| !self.innings.has_come_in(*player))
    }

    /// Who keeps wicket.
    pub fn keeper(&self) -> Player {
        let squad = self.bowling_squad();
        players().find(|player| squad[player.index()].role == Role::Keeper).unwrap_or(Player(0))
    }

    /// Who a token of the field is: the side's players but bowler and keeper, in team order.
    pub fn token(&self, token: usize) -> Player {
        let (bowler, keeper) = (self.innings.bowler(), self.keeper());
        let mut fielders = self
            .eleven(self.side_batting().other())
            .filter(|player| Some(*player) != bowler && *player != keeper);
        fielders.nth(token).unwrap_or(keeper)
    }

    /// What the field of the over in progress has to keep to.
    pub fn limits(&self) -> Limits {
        Limits::of_over(self.format(), self.innings.over_number(), self.over.power_play)
    }

    /// The field where nobody has set one.
    pub(super) fn usual_field(&self, limits: Limits) -> Field {
        let fields = self.edition().fields.of(limits.format);
        Field(if limits.outfield == Limits::RESTRICTED { fields.restricted } else { fields.open })
    }

    /// The number of the next delivery in the match.
    pub fn next_delivery(&self) -> u32 {
        self.deliveries + 1
    }

    /// The draw of the over in progress, or to come.
    pub fn over_draw(&self) -> Draw {
        Draw::over(self.innings_number(), self.innings.over_number())
    }

    /// Whether the next ball is played by the symbol on its card alone.
    pub fn is_express(&self) -> bool {
        let is_early = self.over.turned.len() < 2 && self.over.due == Due::Card;
        is_early && self.format().is_express(self.innings.over_number())
    }

    /// Whether the batter can be out only by a run out.
    pub fn is_free_hit(&self) -> bool {
        self.over.due == Due::FreeHit
    }

    /// What the side batting second needs to win.
    pub fn target(&self) -> Option<u32> {
        self.first.map(|first| first + 1)
    }

    /// The runs still needed to win.
    pub fn needed(&self) -> Option<u32> {
        self.target().map(|target| target.saturating_sub(self.innings.runs))
    }

    /// Whether the innings in progress has ended: all out, overs bowled, or target reached.
    fn innings_is_over(&self) -> bool {
        self.needed() == Some(0)
            || self.innings.wickets == WICKETS
            || self.innings.overs_completed() == self.format().overs()
    }

    /// The result, once the second innings has ended. Level scores are a win for the side that batted first.
    pub fn result(&self) -> Option<MatchResult> {
        let first = self.first.filter(|_| self.innings_is_over())?;
        let chasing = self.bats_first.other();
        Some(match self.innings.runs.cmp(&first) {
            std::cmp::Ordering::Greater => {
                MatchResult::by_wickets(chasing, u32::from(WICKETS - self.innings.wickets))
            }
            std::cmp::Ordering::Less => MatchResult::by_runs(self.bats_first, first - self.innings.runs),
            std::cmp::Ordering::Equal => MatchResult::level_first_side(self.bats_first),
        })
    }

    /// An over begins.
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
        self.said.clear();
    }

    /// A ball is counted.
    pub(super) fn count(&mut self, chosen: &Chosen, delivery: &Delivery<Detail>) {
        if let Some((batter, attitude)) = chosen.next_batter {
            self.innings.come_in(batter);
            self.batting.attitude[batter.index()] = attitude;
        }
        let express = self.is_express();
        if let Some(card) = chosen.card {
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
        // An over turns a card for each of its legal balls, and no other.
        self.over.due = match (delivery.legal, delivery.extras.no_balls, self.over.due) {
            (true, _, _) => Due::Card,
            (false, 1.., _) => Due::FreeHit,
            (false, 0, Due::Card) => Due::Again,
            (false, 0, due) => due,
        };
        if ran(delivery) % 2 == 1 {
            self.innings.cross();
        }
        self.innings.count(delivery);
        self.deliveries += 1;
        self.pending = None;
        self.close_innings();
    }

    fn count_express(&mut self, card: Option<u8>) {
        let deck = self.edition().over_decks.of(self.style());
        match card.and_then(|card| deck.get(usize::from(card))).map(|card| card.express) {
            Some(Express::Patience) => self.bowling.patience = true,
            Some(Express::Threat) => self.over.threats += 1,
            Some(Express::Dot | Express::One | Express::Two | Express::Three | Express::Boundary) | None => {}
        }
    }

    /// After a ball: moves on to the second innings when the first has ended.
    fn close_innings(&mut self) {
        if self.first.is_none() && self.innings_is_over() {
            self.first = Some(std::mem::take(&mut self.innings).runs);
            self.bowling = Bowling::default();
            self.over = OverSoFar::default();
            self.batting = Batting::of(self.batting_squad());
        }
    }
}

/// The runs by which facing goes: those that were tried, where one ended in a run out.
fn ran(delivery: &Delivery<Detail>) -> u16 {
    match (delivery.boundary, delivery.dismissal) {
        (Some(_), _) => 0,
        (None, Some(Dismissal::RunOut { .. })) => delivery.detail.tried.map_or(delivery.runs, u16::from),
        (None, _) => delivery.runs + delivery.extras.byes + delivery.extras.leg_byes,
    }
}

impl Batting {
    fn of(squad: &Squad) -> Batting {
        Batting {
            confidence: squad.map(|member| member.confidence),
            attitude: [Attitude::Defensive; SQUAD as usize],
            skills_used: [0; SQUAD as usize],
        }
    }
}

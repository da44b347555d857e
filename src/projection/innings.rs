//! The fold of an innings from its balls: totals, batters, bowlers, extras, the fall of wickets and
//! partnerships. All cards are made from it.

use serde::Serialize;
use utoipa::ToSchema;

use crate::log::{Ball, DeliveryPlace};
use crate::scorebook::{ExtrasRecord, Outcome, Overs, Side, WicketKind, WicketRecord};

/// The status of a batter in an innings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub enum BatterStatus {
    /// The batter is out.
    #[serde(rename = "out")]
    Out,
    /// The batter is at the wicket, or was when the innings ended.
    #[serde(rename = "not out")]
    NotOut,
    /// The batter has not come in.
    #[serde(rename = "did not bat")]
    DidNotBat,
}

/// A wicket that fell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct FallenWicket {
    /// The number of the wicket: 1 for the first.
    pub wicket: u32,
    /// The side's total when the wicket fell.
    pub runs: u32,
    /// The name of the batter who was out.
    pub player: String,
    /// The legal balls up to the wicket, as overs: the last ball of the fourth over is `4.0`. It counts, and
    /// names no ball: `place` does.
    pub over: String,
    /// The number in the match of the delivery on which the wicket fell.
    pub delivery: u32,
    /// The place of that delivery.
    pub place: DeliveryPlace,
}

/// A partnership of two batters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Partnership {
    /// The number of the wicket that ends it: 1 for the first.
    pub wicket: u32,
    /// The runs of the partnership, with extras.
    pub runs: u32,
    /// The balls faced: all but wides and dead balls.
    pub balls: u32,
    /// The names of the two batters.
    pub batters: Vec<String>,
    /// Whether neither batter is out.
    pub unbroken: bool,
    /// The number in the match of the delivery that ended it; left out while it is unbroken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivery: Option<u32>,
    /// The place of that delivery; left out while the partnership is unbroken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<DeliveryPlace>,
}

/// A player who kept wicket in an innings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Wicketkeeper {
    /// The wicketkeeper's name.
    pub player: String,
    /// The over of the innings, from 1, in which the player began to keep.
    pub from_over: u16,
}

#[derive(Debug, Clone)]
pub(crate) struct Batter {
    pub player: String,
    pub runs: u32,
    pub balls: u32,
    pub fours: u32,
    pub sixes: u32,
    pub how_out: Option<String>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Bowler {
    pub player: String,
    pub balls: u32,
    pub maidens: u32,
    pub runs: u32,
    pub wickets: u32,
    pub wides: u32,
    pub no_balls: u32,
}

/// The over in progress, with what decides whether it is a maiden.
#[derive(Debug, Clone, Default)]
struct CurrentOver {
    number: u16,
    bowler: String,
    shared: bool,
    legal: u32,
    conceded: u32,
}

/// One innings, folded from its balls.
#[derive(Debug, Clone)]
pub(crate) struct InningsFold {
    pub number: u16,
    pub batting: Side,
    pub runs: u32,
    pub wickets: u32,
    pub balls: u32,
    pub extras: [u32; 5],
    /// The batters, in the order they came in.
    pub batters: Vec<Batter>,
    pub bowlers: Vec<Bowler>,
    pub fall_of_wickets: Vec<FallenWicket>,
    pub partnerships: Vec<Partnership>,
    /// Those who kept wicket, in order, in a game that names them over by over.
    pub keepers: Vec<Wicketkeeper>,
    over: CurrentOver,
}

impl InningsFold {
    pub fn new(number: u16, batting: Side) -> InningsFold {
        InningsFold {
            number,
            batting,
            runs: 0,
            wickets: 0,
            balls: 0,
            extras: [0; 5],
            batters: Vec::new(),
            bowlers: Vec::new(),
            fall_of_wickets: Vec::new(),
            partnerships: Vec::new(),
            keepers: Vec::new(),
            over: CurrentOver::default(),
        }
    }

    pub fn overs(&self) -> Overs {
        Overs::of_balls(self.balls)
    }

    /// Adds a ball to the innings.
    pub fn apply(&mut self, ball: &Ball) {
        let outcome = &ball.outcome;
        self.runs += u32::from(outcome.runs.total);
        self.balls += u32::from(outcome.legal);
        let ExtrasRecord { wides, no_balls, byes, leg_byes, penalty } = outcome.extras;
        for (sum, runs) in self.extras.iter_mut().zip([byes, leg_byes, wides, no_balls, penalty]) {
            *sum += u32::from(runs);
        }
        self.credit_batter(outcome);
        self.charge_bowler(ball);
        self.extend_partnership(outcome);
        if let Some(wicket) = &outcome.wicket {
            self.fall(wicket, ball);
        }
    }

    fn credit_batter(&mut self, outcome: &Outcome) {
        let faced = outcome.is_faced();
        let of_the_bat = outcome.runs.batter > 0;
        let striker = self.batter(&outcome.striker);
        striker.runs += u32::from(outcome.runs.batter);
        striker.balls += u32::from(faced);
        striker.fours += u32::from(of_the_bat && outcome.boundary == Some(4));
        striker.sixes += u32::from(of_the_bat && outcome.boundary == Some(6));
        self.batter(&outcome.non_striker);
    }

    /// Notes who keeps wicket from an over on.
    pub fn keep_wicket(&mut self, player: &str, over: u16) {
        if self.keepers.last().is_none_or(|last| last.player != player) {
            self.keepers.push(Wicketkeeper { player: player.to_owned(), from_over: over });
        }
    }

    /// Adds a batter who comes in before facing a ball.
    pub fn come_in(&mut self, player: &str) {
        self.batter(player);
    }

    fn batter(&mut self, player: &str) -> &mut Batter {
        let at = self.batters.iter().position(|batter| batter.player == player).unwrap_or_else(|| {
            let player = player.to_owned();
            self.batters.push(Batter { player, runs: 0, balls: 0, fours: 0, sixes: 0, how_out: None });
            self.batters.len() - 1
        });
        &mut self.batters[at]
    }

    fn charge_bowler(&mut self, ball: &Ball) {
        let outcome = &ball.outcome;
        let ExtrasRecord { wides, no_balls, .. } = outcome.extras;
        let conceded = u32::from(outcome.runs.batter) + u32::from(wides) + u32::from(no_balls);
        let maiden = self.over.add(ball, conceded);
        let credited = outcome.wicket.as_ref().is_some_and(|wicket| wicket.bowler.is_some());
        let at =
            self.bowlers.iter().position(|bowler| bowler.player == outcome.bowler).unwrap_or_else(|| {
                self.bowlers.push(Bowler { player: outcome.bowler.clone(), ..Bowler::default() });
                self.bowlers.len() - 1
            });
        let bowler = &mut self.bowlers[at];
        bowler.balls += u32::from(outcome.legal);
        bowler.runs += conceded;
        bowler.maidens += u32::from(maiden);
        bowler.wickets += u32::from(credited);
        bowler.wides += u32::from(wides);
        bowler.no_balls += u32::from(no_balls);
    }

    fn extend_partnership(&mut self, outcome: &Outcome) {
        if self.partnerships.last().is_none_or(|stand| !stand.unbroken) {
            self.partnerships.push(Partnership {
                wicket: self.wickets + 1,
                runs: 0,
                balls: 0,
                batters: vec![outcome.striker.clone(), outcome.non_striker.clone()],
                unbroken: true,
                delivery: None,
                place: None,
            });
        }
        if let Some(stand) = self.partnerships.last_mut() {
            stand.runs += u32::from(outcome.runs.total);
            stand.balls += u32::from(outcome.is_faced());
        }
    }

    fn fall(&mut self, wicket: &WicketRecord, ball: &Ball) {
        self.wickets += 1;
        self.fall_of_wickets.push(FallenWicket {
            wicket: self.wickets,
            runs: self.runs,
            player: wicket.player_out.clone(),
            over: self.overs().to_string(),
            delivery: ball.delivery,
            place: DeliveryPlace::of(ball),
        });
        self.batter(&wicket.player_out).how_out = Some(how_out(wicket));
        if let Some(stand) = self.partnerships.last_mut() {
            stand.unbroken = false;
            stand.delivery = Some(ball.delivery);
            stand.place = Some(DeliveryPlace::of(ball));
        }
    }
}

impl CurrentOver {
    /// Adds a ball, and returns whether it completes a maiden: six legal balls by one bowler, who conceded no
    /// run.
    fn add(&mut self, ball: &Ball, conceded: u32) -> bool {
        if self.number != ball.over {
            let bowler = ball.outcome.bowler.clone();
            *self = CurrentOver { number: ball.over, bowler, ..CurrentOver::default() };
        }
        self.shared |= self.bowler != ball.outcome.bowler;
        self.legal += u32::from(ball.outcome.legal);
        self.conceded += conceded;
        ball.outcome.legal && self.legal == Overs::BALLS && self.conceded == 0 && !self.shared
    }
}

/// The score of one innings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct InningsScore {
    /// The number of the innings, from 1.
    pub number: u16,
    /// The side batting.
    pub batting: Side,
    /// The runs of the side.
    pub runs: u32,
    /// The wickets lost.
    pub wickets: u32,
    /// The legal balls as overs.
    pub overs: String,
}

impl InningsScore {
    /// The score of a folded innings.
    pub(crate) fn of(fold: &InningsFold) -> InningsScore {
        InningsScore {
            number: fold.number,
            batting: fold.batting,
            runs: fold.runs,
            wickets: fold.wickets,
            overs: fold.overs().to_string(),
        }
    }
}

/// The dismissal as written in a scorebook: `c X b Y`.
pub(super) fn how_out(wicket: &WicketRecord) -> String {
    let bowler = wicket.bowler.as_deref().unwrap_or_default();
    let fielder = wicket.fielders.first().map(String::as_str);
    match wicket.kind {
        WicketKind::Bowled => format!("b {bowler}"),
        WicketKind::Caught => format!("c {} b {bowler}", fielder.unwrap_or("sub")),
        WicketKind::CaughtAndBowled => format!("c & b {bowler}"),
        WicketKind::Lbw => format!("lbw b {bowler}"),
        WicketKind::Stumped => format!("st {} b {bowler}", fielder.unwrap_or("sub")),
        WicketKind::RunOut => fielder.map_or("run out".to_owned(), |name| format!("run out ({name})")),
    }
}

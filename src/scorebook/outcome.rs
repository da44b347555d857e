//! Outcomes: deliveries in their form for the log, with names for players, and the reader that checks them.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::{Boundary, Delivery, Dismissal, Extras, Player, Ruling, Rulings};
use crate::canonical::{canonical_form, is_default};

canonical_form! {
    /// The kind of a wicket, in the words of Cricsheet.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub enum WicketKind {
        /// Bowled (Law 32).
        #[serde(rename = "bowled")]
        Bowled,
        /// Caught (Law 33).
        #[serde(rename = "caught")]
        Caught,
        /// Caught by the bowler (Law 33).
        #[serde(rename = "caught and bowled")]
        CaughtAndBowled,
        /// Leg before wicket (Law 36).
        #[serde(rename = "lbw")]
        Lbw,
        /// Stumped (Law 39).
        #[serde(rename = "stumped")]
        Stumped,
        /// Run out (Law 38).
        #[serde(rename = "run out")]
        RunOut,
    }
}

impl WicketKind {
    /// Every kind.
    pub const ALL: [WicketKind; 6] = [
        WicketKind::Bowled,
        WicketKind::Caught,
        WicketKind::CaughtAndBowled,
        WicketKind::Lbw,
        WicketKind::Stumped,
        WicketKind::RunOut,
    ];
}

impl From<Dismissal> for WicketKind {
    fn from(dismissal: Dismissal) -> WicketKind {
        match dismissal {
            Dismissal::Bowled => WicketKind::Bowled,
            Dismissal::Caught { .. } => WicketKind::Caught,
            Dismissal::CaughtAndBowled => WicketKind::CaughtAndBowled,
            Dismissal::Lbw => WicketKind::Lbw,
            Dismissal::Stumped { .. } => WicketKind::Stumped,
            Dismissal::RunOut { .. } => WicketKind::RunOut,
        }
    }
}

canonical_form! {
    /// A wicket, in its form for the log.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct WicketRecord {
        /// The kind of the wicket.
        pub kind: WicketKind,
        /// The player who is out.
        pub player_out: String,
        /// The bowler whose wicket it is; null for a run out.
        pub bowler: Option<String>,
        /// The fielder who held the catch, stumped the batter or broke the wicket, if the game names him.
        pub fielders: Vec<String>,
    }
}

canonical_form! {
    /// The runs of a ball, in their form for the log.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct RunsRecord {
        /// The runs off the bat.
        pub batter: u16,
        /// The runs that are not off the bat.
        pub extras: u16,
        /// The sum of both.
        pub total: u16,
    }
}

/// The most runs of a ball; a log with more is not one of cricket.
pub const MOST_RUNS: u16 = 100;

canonical_form! {
    /// The extras of a ball by kind, in their form for the log: only those that are not 0.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct ExtrasRecord {
        /// Runs from wides.
        #[serde(default, skip_serializing_if = "is_default")]
        #[schema(default = 0)]
        pub wides: u16,
        /// Runs for no-balls.
        #[serde(default, skip_serializing_if = "is_default")]
        #[schema(default = 0)]
        pub no_balls: u16,
        /// Runs from byes.
        #[serde(default, skip_serializing_if = "is_default")]
        #[schema(default = 0)]
        pub byes: u16,
        /// Runs from leg byes.
        #[serde(default, skip_serializing_if = "is_default")]
        #[schema(default = 0)]
        pub leg_byes: u16,
        /// Penalty runs, under Law 41.
        #[serde(default, skip_serializing_if = "is_default")]
        #[schema(default = 0)]
        pub penalty: u16,
    }
}

impl ExtrasRecord {
    /// The extras that were scored: the runs, and the name of one and of more.
    pub fn scored(&self) -> impl Iterator<Item = (u16, &'static str, &'static str)> {
        let all = [
            (self.no_balls, "no-ball", "no-balls"),
            (self.wides, "wide", "wides"),
            (self.byes, "bye", "byes"),
            (self.leg_byes, "leg bye", "leg byes"),
            (self.penalty, "penalty run", "penalty runs"),
        ];
        all.into_iter().filter(|(runs, ..)| *runs > 0)
    }
}

canonical_form! {
    /// The outcome of a ball, in its form for the log: a [`Delivery`] with names for players.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct Outcome {
        /// The batter who faced.
        pub striker: String,
        /// The batter at the other end.
        pub non_striker: String,
        /// The player who bowled the ball.
        pub bowler: String,
        /// Whether the ball is one of the over's six.
        pub legal: bool,
        /// Runs off the bat, extras, and both.
        pub runs: RunsRecord,
        /// Extras by kind.
        pub extras: ExtrasRecord,
        /// The boundary, 4 or 6, if the ball reached it, off the bat or not.
        #[schema(minimum = 4, maximum = 6)]
        pub boundary: Option<u8>,
        /// The wicket, if one fell.
        pub wicket: Option<WicketRecord>,
        /// The ids of the rulings that decided the ball, in the order in which they were applied.
        pub rulings: Vec<String>,
        /// The detail that only the game has.
        #[schema(value_type = Object)]
        pub detail: Map<String, Value>,
    }
}

/// The reason why a recorded outcome is not one of cricket: the field, and the fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {reason}")]
pub struct OutcomeFault {
    /// The path of the field in the outcome, e.g. `wicket.player_out`.
    pub field: &'static str,
    /// The reason: what is wrong, and what would be right.
    pub reason: String,
}

impl OutcomeFault {
    fn new(field: &'static str, reason: impl Into<String>) -> OutcomeFault {
        OutcomeFault { field, reason: reason.into() }
    }
}

impl Outcome {
    /// Whether the striker has faced the ball: every delivery except wides (Law 22) and dead balls (Law 20),
    /// which are neither legal nor a no-ball.
    pub fn is_faced(&self) -> bool {
        self.extras.wides == 0 && (self.legal || self.extras.no_balls > 0)
    }

    /// Records a delivery, with the names from the two team sheets.
    pub fn of<D>(
        delivery: &Delivery<D>,
        batting: &[String],
        bowling: &[String],
        detail: Map<String, Value>,
    ) -> Outcome {
        let extras = delivery.extras;
        Outcome {
            striker: batting[delivery.striker.index()].clone(),
            non_striker: batting[delivery.non_striker.index()].clone(),
            bowler: bowling[delivery.bowler.index()].clone(),
            legal: delivery.legal,
            runs: RunsRecord { batter: delivery.runs, extras: extras.total(), total: delivery.total() },
            extras: ExtrasRecord {
                wides: extras.wides,
                no_balls: extras.no_balls,
                byes: extras.byes,
                leg_byes: extras.leg_byes,
                penalty: extras.penalty,
            },
            boundary: delivery.boundary.map(|boundary| boundary.runs() as u8),
            wicket: wicket_record(delivery, batting, bowling),
            rulings: delivery.rulings.iter().map(|ruling| ruling.id.to_owned()).collect(),
            detail,
        }
    }

    /// Reads a recorded outcome of a ball to the first of the two batters at the wicket. `ruling` finds the
    /// game's rulings, and `detail` is what the game has read already.
    ///
    /// Errors name the field: a player who is not on the sheet, sums that do not add up, an impossible
    /// wicket.
    pub fn delivery<D>(
        &self,
        at_the_wicket: [Player; 2],
        bowler: Player,
        [batting, bowling]: [&[String]; 2],
        ruling: impl Fn(&str) -> Option<&'static Ruling>,
        detail: D,
    ) -> Result<Delivery<D>, OutcomeFault> {
        let [striker, non_striker] = at_the_wicket;
        Ok(Delivery {
            striker,
            non_striker,
            bowler,
            runs: self.runs.batter,
            extras: self.checked_extras()?,
            legal: self.legal,
            boundary: match self.boundary {
                None => None,
                Some(4) => Some(Boundary::Four),
                Some(6) => Some(Boundary::Six),
                Some(other) => {
                    return Err(OutcomeFault::new("boundary", format!("{other} is neither 4, 6 nor null")));
                }
            },
            dismissal: self.dismissal(batting, bowling, at_the_wicket)?,
            rulings: self.cited(ruling)?,
            detail,
        })
    }

    fn checked_extras(&self) -> Result<Extras, OutcomeFault> {
        let ExtrasRecord { wides, no_balls, byes, leg_byes, penalty } = self.extras;
        let by_kind =
            [wides, no_balls, byes, leg_byes, penalty].iter().try_fold(0u16, |sum, &n| sum.checked_add(n));
        let total = self.runs.batter.checked_add(self.runs.extras);
        if by_kind != Some(self.runs.extras) || total != Some(self.runs.total) {
            return Err(OutcomeFault::new("runs", "batter, extras and total do not add up"));
        }
        if self.runs.total > MOST_RUNS {
            return Err(OutcomeFault::new("runs.total", format!("more than {MOST_RUNS} runs off one ball")));
        }
        Ok(Extras { wides, no_balls, byes, leg_byes, penalty })
    }

    fn cited(&self, ruling: impl Fn(&str) -> Option<&'static Ruling>) -> Result<Rulings, OutcomeFault> {
        let mut cited = Rulings::new();
        for id in &self.rulings {
            let unknown = || OutcomeFault::new("rulings", format!("no such ruling: {id:?}"));
            cited.push(ruling(id).or_else(|| Ruling::find_shared(id)).ok_or_else(unknown)?);
        }
        Ok(cited)
    }

    fn dismissal(
        &self,
        batting: &[String],
        bowling: &[String],
        at_the_wicket: [Player; 2],
    ) -> Result<Option<Dismissal>, OutcomeFault> {
        let Some(wicket) = &self.wicket else { return Ok(None) };
        let out = on_sheet("wicket.player_out", &wicket.player_out, batting)?;
        if !at_the_wicket.contains(&out) {
            let reason = format!("{} is not at the wicket", wicket.player_out);
            return Err(OutcomeFault::new("wicket.player_out", reason));
        }
        let fielders: Vec<Player> = wicket
            .fielders
            .iter()
            .map(|name| on_sheet("wicket.fielders", name, bowling))
            .collect::<Result<_, _>>()?;
        let dismissal = match (wicket.kind, fielders.as_slice()) {
            (WicketKind::Bowled, []) => Dismissal::Bowled,
            (WicketKind::Lbw, []) => Dismissal::Lbw,
            (WicketKind::Caught, &[fielder]) => Dismissal::Caught { fielder },
            (WicketKind::CaughtAndBowled, [_]) => Dismissal::CaughtAndBowled,
            (WicketKind::Stumped, &[keeper]) => Dismissal::Stumped { keeper },
            (WicketKind::RunOut, []) => Dismissal::RunOut { out, fielder: None },
            (WicketKind::RunOut, &[fielder]) => Dismissal::RunOut { out, fielder: Some(fielder) },
            (_, others) => {
                let reason = format!("{} fielders do not fit this kind of wicket", others.len());
                return Err(OutcomeFault::new("wicket.fielders", reason));
            }
        };
        let run_out = matches!(dismissal, Dismissal::RunOut { .. });
        if !run_out && out != at_the_wicket[0] {
            return Err(OutcomeFault::new("wicket.player_out", "only a run out can be of the non-striker"));
        }
        let credited = if run_out { None } else { Some(&self.bowler) };
        if wicket.bowler.as_ref() != credited {
            let reason = "must be the bowler of the ball, or null for a run out";
            return Err(OutcomeFault::new("wicket.bowler", reason));
        }
        Ok(Some(dismissal))
    }
}

fn on_sheet(field: &'static str, name: &str, sheet: &[String]) -> Result<Player, OutcomeFault> {
    sheet
        .iter()
        .position(|player| player == name)
        .and_then(|place| u8::try_from(place).ok())
        .map(Player)
        .ok_or_else(|| OutcomeFault::new(field, format!("{name:?} is not on the team sheet")))
}

fn wicket_record<D>(delivery: &Delivery<D>, batting: &[String], bowling: &[String]) -> Option<WicketRecord> {
    let dismissal = delivery.dismissal?;
    let kind = WicketKind::from(dismissal);
    let fielder = match dismissal {
        Dismissal::Bowled | Dismissal::Lbw => None,
        Dismissal::Caught { fielder } | Dismissal::Stumped { keeper: fielder } => Some(fielder),
        Dismissal::CaughtAndBowled => Some(delivery.bowler),
        Dismissal::RunOut { fielder, .. } => fielder,
    };
    let credited = kind != WicketKind::RunOut;
    Some(WicketRecord {
        kind,
        player_out: batting[delivery.player_out()?.index()].clone(),
        bowler: credited.then(|| bowling[delivery.bowler.index()].clone()),
        fielders: fielder.map(|player| bowling[player.index()].clone()).into_iter().collect(),
    })
}

//! The scorebook of a match, computed from its events by going through all balls for every figure.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::umpire::rule;

/// The balls of one innings, in order.
pub struct Innings<'a> {
    pub number: u64,
    pub batting: &'static str,
    overs: Vec<(u64, Vec<&'a Value>)>,
    sheet: Vec<&'a str>,
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_default()
}

/// A quotient to two decimals, rounded half up.
fn hundredths(dividend: u64, divisor: u64) -> String {
    let rounded = (dividend as f64 * 100.0 / divisor as f64 + 0.5 + 1e-9).floor() as u64;
    format!("{}.{:02}", rounded / 100, rounded % 100)
}

/// Reads a match of Howzat into its innings, and checks each ball against its dice and its place.
pub fn read(events: &[Value]) -> Vec<Innings<'_>> {
    read_with(events, holds_against_dice)
}

/// Reads a match into its innings, with a check of each ball.
pub fn read_with(events: &[Value], look: fn(&Value)) -> Vec<Innings<'_>> {
    let decided = events.iter().find(|event| event["kind"] == "toss_decided").expect("the toss is decided");
    let home_first = (decided["data"]["by"] == "home") == (decided["data"]["to"] == "bat");
    let sides = if home_first { ["home", "away"] } else { ["away", "home"] };
    let of = |(number, batting)| Innings::read(events, number, batting, look);
    (1..).zip(sides).map(of).filter(|innings| !innings.overs.is_empty()).collect()
}

impl<'a> Innings<'a> {
    fn read(events: &'a [Value], of: u64, batting: &'static str, look: fn(&Value)) -> Innings<'a> {
        let mut overs: BTreeMap<u64, Vec<&Value>> = BTreeMap::new();
        let balls = events.iter().filter(|event| event["kind"] == "ball" && event["data"]["innings"] == of);
        for ball in balls.map(|event| &event["data"]) {
            let over = overs.entry(number(&ball["over"])).or_default();
            over.push(ball);
            assert_eq!(ball["ball"], over.len(), "balls of an over are counted");
            look(ball);
        }
        let sheet = events[0]["data"][batting]["players"].as_array().expect("a team sheet");
        let sheet = sheet.iter().filter_map(Value::as_str).collect();
        Innings { number: of, batting, overs: overs.into_iter().collect(), sheet }
    }

    fn balls(&self) -> impl Iterator<Item = &'a Value> {
        self.overs.iter().flat_map(|(_, balls)| balls.iter().copied())
    }

    fn sum(&self, figure: impl Fn(&Value) -> u64) -> u64 {
        self.balls().map(|ball| figure(&ball["outcome"])).sum()
    }

    pub fn runs(&self) -> u64 {
        self.sum(|outcome| number(&outcome["runs"]["total"]))
    }

    pub fn wickets(&self) -> u64 {
        self.sum(|outcome| u64::from(!outcome["wicket"].is_null()))
    }

    fn legal(&self) -> u64 {
        self.sum(|outcome| u64::from(outcome["legal"] == true))
    }

    /// The innings as the scorecard should have it.
    pub fn card(&self) -> Value {
        let bowling = if self.batting == "home" { "away" } else { "home" };
        json!({
            "number": self.number, "batting": self.batting, "bowling": bowling,
            "total": {
                "runs": self.runs(), "wickets": self.wickets(), "balls": self.legal(), "overs": overs(self.legal()),
            },
            "extras": self.extras(), "batters": self.batters(), "bowlers": self.bowlers(),
            "fall_of_wickets": self.fall_of_wickets(), "partnerships": self.partnerships(),
            "run_rate": hundredths(self.runs() * 6, self.legal()),
        })
    }

    fn extras(&self) -> Value {
        let kinds = ["byes", "leg_byes", "wides", "no_balls", "penalty"];
        let mut extras: BTreeMap<&str, u64> =
            kinds.iter().map(|kind| (*kind, self.sum(|outcome| number(&outcome["extras"][kind])))).collect();
        extras.insert("total", self.runs() - self.sum(|outcome| number(&outcome["runs"]["batter"])));
        json!(extras)
    }

    fn batters(&self) -> Vec<Value> {
        let mut order: Vec<&str> = Vec::new();
        for outcome in self.balls().map(|ball| &ball["outcome"]) {
            for batter in [&outcome["striker"], &outcome["non_striker"]] {
                let batter = batter.as_str().expect("a name");
                if !order.contains(&batter) {
                    order.push(batter);
                }
            }
        }
        let batted = order.len();
        order.extend(
            self.sheet.iter().filter(|player| !order[..batted].contains(player)).copied().collect::<Vec<_>>(),
        );
        order.iter().enumerate().map(|(at, player)| self.batter(player, at < batted)).collect()
    }

    fn batter(&self, player: &str, batted: bool) -> Value {
        let faced: Vec<&Value> = self
            .balls()
            .map(|ball| &ball["outcome"])
            .filter(|outcome| outcome["striker"] == player)
            .collect();
        let runs: u64 = faced.iter().map(|outcome| number(&outcome["runs"]["batter"])).sum();
        let balls = faced.iter().filter(|outcome| is_faced(outcome)).count() as u64;
        let hits = |runs: u64| {
            faced
                .iter()
                .filter(|outcome| outcome["runs"]["batter"] == runs && outcome["boundary"] == runs)
                .count()
        };
        let wicket =
            self.balls().map(|ball| &ball["outcome"]["wicket"]).find(|wicket| wicket["player_out"] == player);
        let status = if wicket.is_some() {
            "out"
        } else if batted {
            "not out"
        } else {
            "did not bat"
        };
        json!({
            "player": player, "status": status, "how_out": wicket.map(how_out), "runs": runs, "balls": balls,
            "fours": hits(4), "sixes": hits(6),
            "strike_rate": (balls > 0).then(|| hundredths(runs * 100, balls)),
        })
    }

    fn bowlers(&self) -> Vec<Value> {
        let mut order: Vec<&str> = Vec::new();
        for ball in self.balls() {
            let bowler = ball["outcome"]["bowler"].as_str().expect("a name");
            if !order.contains(&bowler) {
                order.push(bowler);
            }
        }
        order.into_iter().map(|player| self.bowler(player)).collect()
    }

    fn bowler(&self, player: &str) -> Value {
        let own: Vec<&Value> =
            self.balls().map(|ball| &ball["outcome"]).filter(|outcome| outcome["bowler"] == player).collect();
        let sum = |figure: &dyn Fn(&Value) -> u64| own.iter().map(|outcome| figure(outcome)).sum::<u64>();
        let balls = sum(&|outcome| u64::from(outcome["legal"] == true));
        let runs = sum(&conceded);
        let maidens = self.overs.iter().filter(|(_, over)| is_maiden(over, player)).count();
        json!({
            "player": player, "overs": overs(balls), "balls": balls, "maidens": maidens, "runs": runs,
            "wickets": sum(&|outcome| u64::from(outcome["wicket"]["bowler"] == player)),
            "wides": sum(&|outcome| number(&outcome["extras"]["wides"])),
            "no_balls": sum(&|outcome| number(&outcome["extras"]["no_balls"])),
            "economy": (balls > 0).then(|| hundredths(runs * 6, balls)),
        })
    }

    fn fall_of_wickets(&self) -> Vec<Value> {
        let (mut runs, mut legal, mut fallen) = (0, 0, Vec::new());
        for ball in self.balls() {
            let outcome = &ball["outcome"];
            runs += number(&outcome["runs"]["total"]);
            legal += u64::from(outcome["legal"] == true);
            if !outcome["wicket"].is_null() {
                let (wicket, player) = (fallen.len() + 1, &outcome["wicket"]["player_out"]);
                fallen.push(json!({
                    "wicket": wicket, "runs": runs, "player": player, "over": overs(legal),
                    "delivery": ball["delivery"], "place": place(ball),
                }));
            }
        }
        fallen
    }

    fn partnerships(&self) -> Vec<Value> {
        let balls: Vec<&Value> = self.balls().collect();
        let stands = balls.split_inclusive(|ball| !ball["outcome"]["wicket"].is_null());
        let stand = |(wicket, balls): (usize, &[&Value])| {
            let sum = |figure: &dyn Fn(&Value) -> u64| {
                balls.iter().map(|ball| figure(&ball["outcome"])).sum::<u64>()
            };
            let (first, last) = (&balls[0]["outcome"], balls[balls.len() - 1]);
            let mut stand = json!({
                "wicket": wicket, "runs": sum(&|outcome| number(&outcome["runs"]["total"])),
                "balls": sum(&|outcome| u64::from(is_faced(outcome))),
                "batters": [first["striker"], first["non_striker"]],
                "unbroken": last["outcome"]["wicket"].is_null(),
            });
            if !last["outcome"]["wicket"].is_null() {
                stand["delivery"] = last["delivery"].clone();
                stand["place"] = place(last);
            }
            stand
        };
        (1..).zip(stands).map(stand).collect()
    }
}

/// The place of a ball.
fn place(ball: &Value) -> Value {
    let text = format!("{}.{}", number(&ball["over"]) - 1, ball["ball"]);
    json!({"innings": ball["innings"], "over": ball["over"], "ball": ball["ball"], "text": text})
}

/// Legal balls in overs.
fn overs(balls: u64) -> String {
    format!("{}.{}", balls / 6, balls % 6)
}

/// The runs that count against the bowler.
fn conceded(outcome: &Value) -> u64 {
    let extras = &outcome["extras"];
    number(&outcome["runs"]["batter"]) + number(&extras["wides"]) + number(&extras["no_balls"])
}

fn is_maiden(over: &[&Value], player: &str) -> bool {
    let outcomes = || over.iter().map(|ball| &ball["outcome"]);
    outcomes().filter(|outcome| outcome["legal"] == true).count() == 6
        && outcomes().all(|outcome| outcome["bowler"] == player && conceded(outcome) == 0)
}

fn how_out(wicket: &Value) -> String {
    let bowler = wicket["bowler"].as_str().unwrap_or_default();
    let fielder = wicket["fielders"][0].as_str().unwrap_or_default();
    match wicket["kind"].as_str().expect("a kind") {
        "bowled" => format!("b {bowler}"),
        "caught" => format!("c {fielder} b {bowler}"),
        "caught and bowled" => format!("c & b {bowler}"),
        "lbw" => format!("lbw b {bowler}"),
        "stumped" => format!("st {fielder} b {bowler}"),
        "run out" if fielder.is_empty() => "run out".to_owned(),
        "run out" => format!("run out ({fielder})"),
        other => panic!("{other} is no way to get out"),
    }
}

/// Takes out of a card who kept wicket, and asserts that it is those whom the overs of its innings name.
#[track_caller]
pub fn without_keepers(found: &Value, events: &[Value]) -> Value {
    let mut card = found.clone();
    let told = card.as_object_mut().expect("a card").remove("keepers").expect("keepers");
    let of_innings = |event: &&Value| event["kind"] == "over" && event["data"]["innings"] == found["number"];
    let mut due: Vec<Value> = Vec::new();
    for over in events.iter().filter(of_innings).map(|event| &event["data"]) {
        let keeper = &over["choices"]["keeper"];
        if due.last().is_none_or(|last| last["player"] != *keeper) {
            due.push(json!({"player": keeper, "from_over": over["over"]}));
        }
    }
    assert_eq!(told, json!(due));
    card
}

/// Asserts that the outcome is what the rules make of the dice.
#[track_caller]
fn holds_against_dice(ball: &Value) {
    let dice: Vec<u64> =
        ball["dice"].as_array().expect("dice").iter().map(|die| number(&die["value"])).collect();
    let (ruled, outcome) = (rule(&dice), &ball["outcome"]);
    assert_eq!(ruled.dice, dice.len(), "{ball}");
    assert_eq!(outcome["runs"]["batter"], ruled.batter, "{ball}");
    assert_eq!((&outcome["extras"], &outcome["boundary"]), (&ruled.extras, &ruled.boundary), "{ball}");
    assert_eq!(
        (&outcome["legal"], outcome["wicket"]["kind"].as_str()),
        (&json!(ruled.legal), ruled.wicket),
        "{ball}"
    );
    let extras: u64 = ruled.extras.as_object().expect("an object").values().map(number).sum();
    let runs = json!({"batter": ruled.batter, "extras": extras, "total": ruled.batter + extras});
    assert_eq!(outcome["runs"], runs, "{ball}");
}

/// Whether the batter faced the ball: it was neither a wide nor a dead ball, which is neither legal nor a
/// no-ball.
fn is_faced(outcome: &Value) -> bool {
    let extras = &outcome["extras"];
    extras["wides"].is_null() && (outcome["legal"] == true || !extras["no_balls"].is_null())
}

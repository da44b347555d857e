//! Totals of a match from the outcomes in its log, computed in another way than the program's, to be compared
//! with its cards.

use serde_json::{Map, Value, json};

/// The totals of a match up to an event.
#[derive(Default)]
pub struct Tally {
    status: &'static str,
    result: Value,
    innings: Vec<Innings>,
}

#[derive(Default)]
struct Innings {
    openers: Vec<Value>,
    /// The outcomes of the innings' balls, each with its over.
    balls: Vec<(u64, Value)>,
}

impl Tally {
    /// Adds the next event.
    pub fn count(&mut self, event: &Value) {
        let data = &event["data"];
        match event["kind"].as_str().unwrap() {
            "match_created" => self.status = "created",
            "toss" => self.status = "in_play",
            "over" if data["over"] == 1 => {
                let openers = data["choices"]["openers"].as_array().unwrap().clone();
                self.innings.push(Innings { openers, balls: Vec::new() });
            }
            "ball" => {
                let ball = (data["over"].as_u64().unwrap(), data["outcome"].clone());
                self.innings.last_mut().unwrap().balls.push(ball);
            }
            "match_completed" => (self.status, self.result) = ("completed", data["result"].clone()),
            "match_abandoned" => self.status = "abandoned",
            _ => {}
        }
    }

    /// The expected card, in the shape of [`of`](Self::of).
    pub fn expected(&self) -> Value {
        let innings: Vec<Value> = self.innings.iter().map(Innings::expected).collect();
        json!({"status": self.status, "result": self.result, "innings": innings})
    }

    /// The part of a card that is compared: figures without zeroes and rates, players by name.
    pub fn of(&self, card: &Value) -> Value {
        let innings: Vec<Value> = card["innings"].as_array().unwrap().iter().map(compared).collect();
        let mut result = card["result"].clone();
        result.as_object_mut().into_iter().for_each(|told| drop(told.remove("text")));
        json!({"status": card["status"], "result": result, "innings": innings})
    }
}

fn compared(innings: &Value) -> Value {
    let figures = |of: &str, names: &[&str]| -> Value {
        let rows = innings[of].as_array().unwrap().iter();
        let row = |row: &Value| names.iter().map(|name| ((*name).to_owned(), row[*name].clone())).collect();
        let by_name = rows
            .filter(|row| row["status"] != "did not bat")
            .map(|entry| (entry["player"].as_str().unwrap().to_owned(), Value::Object(row(entry))));
        Value::Object(by_name.collect())
    };
    json!({
        "total": innings["total"],
        "extras": innings["extras"],
        "batters": figures("batters", &["status", "runs", "balls", "fours", "sixes"]),
        "bowlers": figures("bowlers", &["balls", "maidens", "runs", "wickets", "wides", "no_balls"]),
        "fall_of_wickets": innings["fall_of_wickets"].as_array().unwrap().iter()
            .map(|fall| json!([fall["wicket"], fall["runs"], fall["player"], fall["over"]]))
            .collect::<Vec<_>>(),
        "partnerships": innings["partnerships"].as_array().unwrap().iter()
            .map(|stand| json!([stand["wicket"], stand["runs"], stand["balls"], stand["unbroken"]]))
            .collect::<Vec<_>>(),
    })
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or(0)
}

fn overs(balls: u64) -> String {
    format!("{}.{}", balls / 6, balls % 6)
}

impl Innings {
    fn sum(&self, figure: impl Fn(&Value) -> u64) -> u64 {
        self.balls.iter().map(|(_, ball)| figure(ball)).sum()
    }

    fn expected(&self) -> Value {
        let legal = self.sum(|ball| u64::from(ball["legal"] == true));
        let extra = |kind: &str| self.sum(|ball| number(&ball["extras"][kind]));
        let batters = self.balls.iter().flat_map(|(_, ball)| [&ball["striker"], &ball["non_striker"]]);
        json!({
            "total": {
                "runs": self.sum(|ball| number(&ball["runs"]["total"])),
                "wickets": self.sum(|ball| u64::from(ball["wicket"].is_object())),
                "overs": overs(legal),
                "balls": legal,
            },
            "extras": {
                "byes": extra("byes"),
                "leg_byes": extra("leg_byes"),
                "wides": extra("wides"),
                "no_balls": extra("no_balls"),
                "penalty": extra("penalty"),
                "total": self.sum(|ball| number(&ball["runs"]["extras"])),
            },
            "batters": Innings::each(self.openers.iter().chain(batters), |name| self.batter(name)),
            "bowlers": Innings::each(self.balls.iter().map(|(_, ball)| &ball["bowler"]), |name| self.bowler(name)),
            "fall_of_wickets": self.falls(),
            "partnerships": self.stands(),
        })
    }

    /// The figures of each of these players, by name.
    fn each<'a>(names: impl Iterator<Item = &'a Value>, of: impl Fn(&str) -> Value) -> Value {
        let mut all = Map::new();
        for name in names.filter_map(Value::as_str) {
            all.entry(name).or_insert_with(|| of(name));
        }
        Value::Object(all)
    }

    /// The innings with only these balls.
    fn of(&self, balls: &[(u64, Value)]) -> Innings {
        Innings { openers: self.openers.clone(), balls: balls.to_vec() }
    }

    fn batter(&self, name: &str) -> Value {
        let faced = |ball: &Value| ball["striker"] == name;
        let hit = |runs: u64| {
            self.sum(|ball| {
                u64::from(faced(ball) && ball["boundary"] == runs && ball["runs"]["batter"] == runs)
            })
        };
        let out = self.balls.iter().any(|(_, ball)| ball["wicket"]["player_out"] == name);
        json!({
            "status": if out { "out" } else { "not out" },
            "runs": self.sum(|ball| if faced(ball) { number(&ball["runs"]["batter"]) } else { 0 }),
            "balls": self.sum(|ball| u64::from(faced(ball) && ball["extras"]["wides"].is_null())),
            "fours": hit(4),
            "sixes": hit(6),
        })
    }

    fn bowler(&self, name: &str) -> Value {
        let only = |figure: &dyn Fn(&Value) -> u64| {
            self.sum(|ball| if ball["bowler"] == name { figure(ball) } else { 0 })
        };
        json!({
            "balls": only(&|ball| u64::from(ball["legal"] == true)),
            "maidens": self.maidens(name),
            "runs": only(&conceded),
            "wickets": only(&|ball| u64::from(ball["wicket"].is_object() && ball["wicket"]["kind"] != "run out")),
            "wides": only(&|ball| number(&ball["extras"]["wides"])),
            "no_balls": only(&|ball| number(&ball["extras"]["no_balls"])),
        })
    }

    fn maidens(&self, name: &str) -> u64 {
        let last = self.balls.last().map_or(0, |(over, _)| *over);
        let maiden = |over: &u64| {
            let balls: Vec<&Value> =
                self.balls.iter().filter(|ball| ball.0 == *over).map(|ball| &ball.1).collect();
            balls.iter().filter(|ball| ball["legal"] == true).count() == 6
                && balls.iter().all(|ball| ball["bowler"] == name && conceded(ball) == 0)
        };
        (1..=last).filter(maiden).count() as u64
    }

    fn falls(&self) -> Vec<Value> {
        let mut falls = Vec::new();
        for (i, (_, ball)) in self.balls.iter().enumerate() {
            let so_far = self.of(&self.balls[..=i]);
            if let Some(player) = ball["wicket"]["player_out"].as_str() {
                let runs = so_far.sum(|ball| number(&ball["runs"]["total"]));
                let over = overs(so_far.sum(|ball| u64::from(ball["legal"] == true)));
                falls.push(json!([falls.len() + 1, runs, player, over]));
            }
        }
        falls
    }

    /// The stands: wicket, runs, balls faced, and whether each is unbroken.
    fn stands(&self) -> Vec<Value> {
        let mut stands = Vec::new();
        for stand in self.balls.split_inclusive(|(_, ball)| ball["wicket"].is_object()) {
            let of = self.of(stand);
            let unbroken = of.balls.last().is_some_and(|(_, ball)| ball["wicket"].is_null());
            let runs = of.sum(|ball| number(&ball["runs"]["total"]));
            let balls = of.sum(|ball| u64::from(ball["extras"]["wides"].is_null()));
            stands.push(json!([stands.len() + 1, runs, balls, unbroken]));
        }
        stands
    }
}

/// The runs that count against the bowler: off the bat, wides and no-balls.
fn conceded(ball: &Value) -> u64 {
    let extras = &ball["extras"];
    number(&ball["runs"]["batter"]) + number(&extras["wides"]) + number(&extras["no_balls"])
}

//! Cricket: The Game between sides that play from afar: what is chosen in the open, what in secret, and what
//! follows.

mod corrections;
mod secrecy;
mod silence;
mod steps;
mod whole;

use serde_json::{Value, json};
use third_umpire_test_support::service::{Captain, Service, Sides, canonical, chained, fresh_hex, sha256, with};

/// What a side chooses in the open, with `POST /choices`.
const IN_THE_OPEN: [&str; 8] =
    ["drop", "openers", "bowler", "power_play", "next_batter", "field", "bowler_skills", "batter_skills"];

/// A T10 with reviews, between sides that play from afar.
fn board() -> Value {
    json!({
        "game": "cricket-the-game",
        "rules": {"format": "t10", "drs": "on"},
        "home": {"name": "Terns", "players": {"team": "Harbour Terns"}},
        "away": {"name": "Larks", "players": {"team": "Copperfield Larks"}},
        "dice": "seeded", "client_seeds": "both", "remote": true,
    })
}

/// A match of the board game in which a side has one second to answer.
fn impatient() -> Value {
    with(board(), "/choice_timeout", json!(1))
}

/// A match on its way: what its log has come to, and what it waits for.
struct Board {
    sides: Sides,
    next: Value,
    bats_first: &'static str,
    innings: u64,
    over: u64,
    ball: u64,
    /// Who decides this and that: a number that goes up.
    random_choices: usize,
    /// The events since it was last asked.
    events: Vec<Value>,
}

impl Board {
    /// Both have added to the seed, and nothing else has been done.
    #[track_caller]
    fn seated(service: &Service, asked: &Value) -> Board {
        let sides = Sides::create(service.client(), asked);
        sides.add_seeds();
        let next = sides.scorer.view()["next"].clone();
        let (events, ball) = (Vec::new(), 1);
        Board { sides, next, bats_first: "home", innings: 1, over: 1, ball, random_choices: 0, events }
    }

    /// Everything is done as it comes until the match waits for this.
    #[track_caller]
    fn until(service: &Service, asked: &Value, what: &str) -> Board {
        let mut board = Board::seated(service, asked);
        board.play_to(what);
        board
    }

    /// What it waits for.
    fn what(&self) -> &str {
        self.next["what"].as_str().unwrap_or("the end")
    }

    fn captain(&self, side: &str) -> &Captain {
        if side == "home" { &self.sides.home } else { &self.sides.away }
    }

    fn batting(&self) -> &Captain {
        let first_bats = self.innings == 1;
        let home_bats = (self.bats_first == "home") == first_bats;
        self.captain(if home_bats { "home" } else { "away" })
    }

    fn bowling(&self) -> &Captain {
        self.captain(other(self.batting().side))
    }

    /// The side it waits for, and the other.
    #[track_caller]
    fn due(&self) -> [&Captain; 2] {
        let side = self.next["side"].as_str().unwrap_or_else(|| panic!("nobody in {}", self.next));
        [self.captain(side), self.captain(other(side))]
    }

    /// Takes in what an append was answered with.
    #[track_caller]
    fn hear(&mut self, appended: &Value) {
        for event in appended["events"].as_array().expect("events") {
            let data = &event["data"];
            match event["kind"].as_str().expect("a kind") {
                "toss_decided" => {
                    let by = if data["by"] == "home" { "home" } else { "away" };
                    self.bats_first = if data["to"] == "bat" { by } else { other(by) };
                }
                "over" => {
                    self.innings = data["innings"].as_u64().expect("a number");
                    self.over = data["over"].as_u64().expect("a number");
                }
                "choice" if !data["ball"].is_null() => self.ball = data["ball"].as_u64().expect("a number"),
                _ => {}
            }
            self.events.push(event.clone());
        }
        self.next = appended["next"].clone();
    }

    #[track_caller]
    fn does(&mut self, side: &str, rest: &str, body: &Value) -> Value {
        let appended = self.captain(side).post(rest, body).expect(201);
        self.hear(&appended);
        appended
    }

    /// A side chooses.
    #[track_caller]
    fn chooses(&mut self, side: &str, choice: Value) -> Value {
        let body = json!({"for": self.what(), "choice": choice});
        self.does(side, "/choices", &body)
    }

    /// One of these, another one every time.
    fn one_of(&mut self, legal: &Value) -> Value {
        self.random_choices += 1;
        let all = legal.as_array().expect("a list");
        all[(self.random_choices * 7 + self.random_choices / 5) % all.len()].clone()
    }

    fn stroke(&mut self) -> Value {
        let legal = self.next["legal"].clone();
        json!({"stroke": self.one_of(&legal["stroke"]), "attitude": self.one_of(&legal["attitude"])})
    }

    fn bowl(&mut self) -> Value {
        let legal = self.next["legal"].clone();
        json!({"bowl": self.one_of(&legal["bowl"])})
    }

    /// Whatever it waits for is done by whose it is.
    #[track_caller]
    fn play_step(&mut self) {
        let what = self.what().to_owned();
        let side = self.next["side"].as_str().unwrap_or("home").to_owned();
        self.random_choices += 1;
        match what.as_str() {
            "toss" => drop(self.does("home", "/toss", &json!({"caller": "home", "call": "heads"}))),
            "toss_decision" => drop(self.does(&side, "/toss/decision", &json!({"to": "bat"}))),
            "over" => drop(self.does(&side, "/overs", &json!({}))),
            "ball" => drop(self.does(["home", "away"][self.random_choices % 2], "/balls", &json!({}))),
            "review" if self.random_choices.is_multiple_of(3) => {
                drop(self.does(&side, "/reviews", &json!({"by": side, "accept": true})))
            }
            "review" => drop(self.does(&side, "/reviews", &json!({"by": side}))),
            "delivery" => self.delivers(),
            "power_play" => drop(self.chooses(&side, json!({"power_play": self.over >= 4}))),
            "bowler_skills" | "batter_skills" if self.random_choices.is_multiple_of(4) => {
                // All that are left, the last card first.
                let mut skills = self.next["legal"]["skills"].as_array().expect("a list").clone();
                skills.reverse();
                skills.truncate(if what == "bowler_skills" { 2 } else { 1 });
                drop(self.chooses(&side, json!({"skills": skills})));
            }
            _ if IN_THE_OPEN.contains(&what.as_str()) => drop(self.chooses(&side, json!({}))),
            _ => {
                let legal = self.next["legal"].clone();
                let answer = self.one_of(&legal);
                drop(self.does(&side, "/balls", &json!({"choices": {what: answer}})));
            }
        }
    }

    /// Both choose in secret, now the one first and now the other; one that has chosen does not again.
    #[track_caller]
    fn delivers(&mut self) {
        let (batting, bowling) = (self.batting().side, self.bowling().side);
        let order = if self.random_choices.is_multiple_of(2) { [batting, bowling] } else { [bowling, batting] };
        let due = self.next["side"].as_str().map(str::to_owned);
        for side in order.into_iter().filter(|side| due.as_ref().is_none_or(|due| due == side)) {
            let choice = if side == batting { self.stroke() } else { self.bowl() };
            self.chooses(side, choice);
        }
    }

    #[track_caller]
    fn play_to(&mut self, what: &str) {
        while self.what() != what {
            assert!(self.next["kind"] != "over", "the match never came to {what}");
            self.play_step();
        }
    }

    /// What a side seals itself for the next ball: what is sent first, and what opens it.
    fn seals(&self, side: &str, choice: Value) -> [Value; 2] {
        let salt = fresh_hex();
        let sealed = sha256(canonical(&json!({
            "match": self.sides.scorer.id, "side": side, "for": "delivery", "innings": self.innings,
            "over": self.over, "ball": self.ball, "salt": salt, "choice": choice,
        })));
        let due = json!({"for": "delivery", "innings": self.innings, "over": self.over, "ball": self.ball});
        let opening = with(with(due.clone(), "/salt", json!(salt)), "/choice", choice);
        [with(due, "/sealed", json!(sealed)), opening]
    }

    /// The match is over or given up, and its log holds.
    #[track_caller]
    fn holds(&self) {
        if self.next["kind"] == "over" {
            self.sides.audits_clean();
        } else {
            self.sides.give_up_and_audit();
        }
        chained(&self.sides.scorer.events());
    }
}

fn other(side: &str) -> &'static str {
    if side == "home" { "away" } else { "home" }
}

fn kinds(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["kind"].as_str().expect("a kind")).collect()
}

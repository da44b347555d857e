//! Remote play of Cricket: The Game: open choices, secret choices, and what follows from them.

mod corrections;
mod secrecy;
mod steps;
mod timeouts;
mod whole;

use serde_json::{Value, json};
use third_umpire_test_support::service::{
    Captain, Service, Sides, canonical, chained, fresh_hex, sha256, until, with,
};

/// The choices that a side makes openly, with `POST /choices`.
const OPEN_CHOICES: [&str; 8] =
    ["drop", "openers", "bowler", "power_play", "next_batter", "field", "bowler_skills", "batter_skills"];

/// The request for a remote T10 with reviews.
pub fn board() -> Value {
    json!({
        "game": "cricket-the-game",
        "rules": {"format": "t10", "drs": "on"},
        "home": {"name": "Terns", "players": {"team": "Harbour Terns"}},
        "away": {"name": "Larks", "players": {"team": "Copperfield Larks"}},
        "dice": "seeded", "client_seeds": "both", "remote": true,
    })
}

/// The request for a remote match with a choice timeout of one second.
fn with_short_timeout() -> Value {
    with(board(), "/choice_timeout", json!(1))
}

/// A match in play: its events so far, and the pending choice.
struct Board {
    sides: Sides,
    next: Value,
    bats_first: &'static str,
    innings: u64,
    over: u64,
    ball: u64,
    /// A counter that varies the choices.
    turn: usize,
    /// The events since the test last read them.
    events: Vec<Value>,
}

impl Board {
    /// A match with both client seeds, and nothing more.
    #[track_caller]
    fn with_client_seeds(service: &Service, request: &Value) -> Board {
        let sides = Sides::create(service.client(), request);
        sides.add_seeds();
        let next = sides.scorer.view()["next"].clone();
        let (events, ball) = (Vec::new(), 1);
        Board { sides, next, bats_first: "home", innings: 1, over: 1, ball, turn: 0, events }
    }

    /// A match, played to where it waits for this choice.
    #[track_caller]
    fn until(service: &Service, request: &Value, choice: &str) -> Board {
        let mut board = Board::with_client_seeds(service, request);
        board.play_to(choice);
        board
    }

    /// The name of the pending choice.
    fn pending(&self) -> &str {
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

    /// The captain of the pending choice first, then the other.
    #[track_caller]
    fn due(&self) -> [&Captain; 2] {
        let side = self.next["side"].as_str().unwrap_or_else(|| panic!("nobody in {}", self.next));
        [self.captain(side), self.captain(other(side))]
    }

    /// Reads the answer to an append.
    #[track_caller]
    fn read(&mut self, appended: &Value) {
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
        self.read(&appended);
        appended
    }

    /// Repeats a side's call, which is refused before the deadline, until it is answered; returns the answer.
    #[track_caller]
    fn calls_until_answered(&mut self, side: &str) -> Value {
        let mut answered = None;
        until("the time is up", || {
            let answer = self.captain(side).post("/choices/call", &json!({}));
            answered = (answer.status == 201).then(|| answer.json());
            answered.is_some()
        });
        let appended = answered.expect("the call was answered");
        self.read(&appended);
        appended
    }

    /// Makes a choice for a side.
    #[track_caller]
    fn chooses(&mut self, side: &str, choice: Value) -> Value {
        let body = json!({"for": self.pending(), "choice": choice});
        self.does(side, "/choices", &body)
    }

    /// One of the legal values, another every time.
    fn one_of(&mut self, legal: &Value) -> Value {
        self.turn += 1;
        let all = legal.as_array().expect("a list");
        all[(self.turn * 7 + self.turn / 5) % all.len()].clone()
    }

    fn stroke(&mut self) -> Value {
        let legal = self.next["legal"].clone();
        json!({"stroke": self.one_of(&legal["stroke"]), "attitude": self.one_of(&legal["attitude"])})
    }

    fn bowl(&mut self) -> Value {
        let legal = self.next["legal"].clone();
        json!({"bowl": self.one_of(&legal["bowl"])})
    }

    /// Carries out the next step, for the side whose turn it is.
    #[track_caller]
    fn play_step(&mut self) {
        let pending = self.pending().to_owned();
        let side = self.next["side"].as_str().unwrap_or("home").to_owned();
        self.turn += 1;
        match pending.as_str() {
            "toss" => drop(self.does("home", "/toss", &json!({"caller": "home", "call": "heads"}))),
            "toss_decision" => drop(self.does(&side, "/toss/decision", &json!({"to": "bat"}))),
            "over" => drop(self.does(&side, "/overs", &json!({}))),
            "ball" => drop(self.does(["home", "away"][self.turn % 2], "/balls", &json!({}))),
            "review" if self.turn.is_multiple_of(3) => {
                drop(self.does(&side, "/reviews", &json!({"by": side, "accept": true})))
            }
            "review" => drop(self.does(&side, "/reviews", &json!({"by": side}))),
            "delivery" => self.delivers(),
            "power_play" => drop(self.chooses(&side, json!({"power_play": self.over >= 4}))),
            "bowler_skills" | "batter_skills" if self.turn.is_multiple_of(4) => {
                // All remaining skills are chosen, the last card first.
                let mut skills = self.next["legal"]["skills"].as_array().expect("a list").clone();
                skills.reverse();
                skills.truncate(if pending == "bowler_skills" { 2 } else { 1 });
                drop(self.chooses(&side, json!({"skills": skills})));
            }
            _ if OPEN_CHOICES.contains(&pending.as_str()) => drop(self.chooses(&side, json!({}))),
            _ => {
                let legal = self.next["legal"].clone();
                let answer = self.one_of(&legal);
                drop(self.does(&side, "/balls", &json!({"choices": {pending: answer}})));
            }
        }
    }

    /// Makes the secret choices of both sides, in alternating order; a choice that has been made is skipped.
    #[track_caller]
    fn delivers(&mut self) {
        let (batting, bowling) = (self.batting().side, self.bowling().side);
        let order = if self.turn.is_multiple_of(2) { [batting, bowling] } else { [bowling, batting] };
        let due = self.next["side"].as_str().map(str::to_owned);
        for side in order.into_iter().filter(|side| due.as_ref().is_none_or(|due| due == side)) {
            let choice = if side == batting { self.stroke() } else { self.bowl() };
            self.chooses(side, choice);
        }
    }

    #[track_caller]
    fn play_to(&mut self, choice: &str) {
        while self.pending() != choice {
            assert!(self.next["kind"] != "over", "the match never came to {choice}");
            self.play_step();
        }
    }

    /// The bodies by which a side seals its choice for the next ball itself: the seal, and its opening.
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

    /// Asserts that the match is over or given up, and its log valid.
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

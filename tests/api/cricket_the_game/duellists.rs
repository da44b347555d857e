//! A recorder of matches who decides what the service asks for, and knows only what its answers say.

use serde_json::{Map, Value, json};

use super::{list, text, waits_for};
use third_umpire_test_support::service::{Answer, Cup, Match};

/// A recorder with a cup that throws the dice, shuffles the cards and makes the decisions.
pub struct Recorder<'a> {
    pub played: &'a Match,
    pub cup: Cup,
    /// Whether the recorder reviews every decision that can be reviewed.
    pub reviews: bool,
    /// The questions asked in the middle of balls, and `review` for each reviewed decision.
    pub questions: Vec<String>,
}

impl<'a> Recorder<'a> {
    pub fn new(played: &'a Match, seed: u64) -> Recorder<'a> {
        Recorder { played, cup: Cup::new(seed), reviews: true, questions: Vec::new() }
    }

    fn is_seeded(&self) -> bool {
        self.played.view()["dice"] == "seeded"
    }

    /// Records the match from its set-up to its end.
    #[track_caller]
    pub fn play_to_the_end(&mut self) {
        while self.play_step() {}
    }

    /// Carries out the next step; false if the match is over.
    #[track_caller]
    pub fn play_step(&mut self) -> bool {
        let next = waits_for(self.played);
        match next["what"].as_str() {
            None => return false,
            Some("set_up") => self.sets_up(&next),
            Some("toss") => self.tosses(),
            Some("toss_decision") => {
                drop(self.played.post("/toss/decision", &json!({"to": "bat"})).expect(201))
            }
            Some("review") => self.review_or_accept(&next),
            Some("over") => drop(self.played.post("/overs", &self.over(&next["legal"])).expect(201)),
            Some("ball") => self.bowls(&next),
            Some(decision) => {
                let answer = self.cup.pick(list(&next["legal"]));
                self.questions.push(decision.to_owned());
                self.played.post("/balls", &json!({"choices": {decision: answer}})).expect(201);
            }
        }
        true
    }

    fn sets_up(&mut self, next: &Value) {
        let legal = &next["legal"];
        let mut drop_one = |side: &str| self.cup.pick(list(&legal["drop"][side]));
        let mut choices = json!({"drop": {"home": drop_one("home"), "away": drop_one("away")}});
        if let Some(pitches) = legal["pitch"].as_array() {
            choices["pitch"] = self.cup.pick(pitches);
        }
        self.played.post("/set-up", &choices).expect(201);
    }

    fn tosses(&mut self) {
        let mut body = json!({"caller": "home", "call": "heads"});
        if !self.is_seeded() {
            body["coin"] = self.cup.pick(&[json!("heads"), json!("tails")]);
        }
        self.played.post("/toss", &body).expect(201);
    }

    fn review_or_accept(&mut self, next: &Value) {
        let by = &next["side"];
        let body = match &next["legal"]["review"] {
            _ if !self.reviews => json!({"by": by, "accept": true}),
            Value::Bool(_) => json!({"by": by}),
            rolled => {
                let sides = rolled["dice"][0]["maximum"].as_u64().expect("a die has sides");
                json!({"by": by, "dice": [self.cup.throw(sides)]})
            }
        };
        self.questions.push("review".to_owned());
        self.played.post("/reviews", &body).expect(201);
    }

    fn over(&mut self, legal: &Value) -> Value {
        let mut over = json!({"bowler": self.cup.pick(list(&legal["bowler"]))});
        if let Some(called) = legal["power_play"].as_array() {
            over["power_play"] = self.cup.pick(called);
        }
        if let Some(openers) = legal["openers"].as_array() {
            let at = self.cup.throw(openers.len() as u64 - 1) as usize;
            over["openers"] = json!([openers[at], openers[at - 1]]);
            over["attitudes"] = json!(["aggressive", "defensive"]);
        }
        over
    }

    /// Choices made before the dice, now and then.
    fn choices(&mut self, legal: &Value) -> Map<String, Value> {
        let mut choices = Map::new();
        for (name, legal) in legal.as_object().expect("an object") {
            match name.as_str() {
                "over_card" | "field" => {}
                "skills" => {
                    let (side, left) =
                        self.cup.pick(&[("bowler", &legal["bowler"]), ("batter", &legal["batter"])]);
                    if self.cup.throw(3) == 1 && !list(left).is_empty() {
                        choices.insert(name.clone(), json!({side: [self.cup.pick(list(left))]}));
                    }
                }
                _ if self.cup.throw(4) > 1 => drop(choices.insert(name.clone(), self.cup.pick(list(legal)))),
                _ => {}
            }
        }
        choices
    }

    fn bowls(&mut self, next: &Value) {
        let choices = self.choices(&next["legal"]);
        if self.is_seeded() {
            self.played.post("/balls", &json!({"choices": choices})).expect(201);
        } else {
            self.answer_until_bowled(choices, Vec::new());
        }
    }

    /// Enters what the table asks for, one input after the other, until the ball is complete.
    #[track_caller]
    pub fn answer_until_bowled(&mut self, mut choices: Map<String, Value>, mut dice: Vec<i64>) -> Value {
        let head = self.played.head();
        for _ in 0..40 {
            let answer = self.played.post("/balls", &json!({"choices": choices, "dice": dice}));
            if answer.status == 201 {
                return answer.json();
            }
            assert_eq!(self.played.head(), head, "nothing is stored by a refusal");
            match wanted(&answer) {
                Wanted::Die { at, sides, .. } => {
                    assert_eq!(at, dice.len(), "the next die is asked for");
                    dice.push(self.cup.throw(sides));
                }
                Wanted::Choice { name, legal } => {
                    assert!(!choices.contains_key(&name), "{name} is asked for once");
                    choices.insert(name.clone(), self.cup.pick(&legal));
                    self.questions.push(name);
                }
            }
        }
        panic!("there is no end to what is asked for: {choices:?} {dice:?}");
    }
}

/// The next input that the service asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum Wanted {
    Die { at: usize, what: String, sides: u64 },
    Choice { name: String, legal: Vec<Value> },
}

/// The question in the answer to an incomplete ball.
#[track_caller]
pub fn wanted(answer: &Answer) -> Wanted {
    let problem = answer.refused(422, "needs-input").problem;
    let [error] = list(&problem["errors"]).as_slice() else { panic!("one thing is asked for: {problem}") };
    assert_eq!(problem["detail"], error["message"]);
    let (location, legal) = (text(&error["location"]), &problem["legal"]);
    match location.strip_prefix("body.choices.") {
        Some(name) => Wanted::Choice { name: name.to_owned(), legal: list(legal).clone() },
        None => {
            let at = location.strip_prefix("body.dice[").and_then(|at| at.strip_suffix(']'));
            assert_eq!(legal["minimum"], 1, "{problem}");
            Wanted::Die {
                at: at.and_then(|at| at.parse().ok()).unwrap_or_else(|| panic!("{problem}")),
                what: text(&legal["for"]).to_owned(),
                sides: legal["maximum"].as_u64().expect("a die has sides"),
            }
        }
    }
}

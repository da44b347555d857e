//! Requests that create matches, and matches that are played through the service.

use serde_json::{Value, json};
use third_umpire::audit::{Verdict, audit};

use super::answer::Answer;
use super::client::{Client, Request};
use super::cup::Cup;

/// The players of the home side.
pub const HOME: [&str; 11] =
    ["Abel", "Brook", "Crane", "Dunn", "Ellis", "Frost", "Grant", "Hobbs", "Irwin", "Jessop", "Knott"];
/// The players of the away side.
pub const AWAY: [&str; 11] =
    ["Lyon", "Marsh", "Nash", "Olonga", "Petit", "Quaife", "Rhodes", "Snow", "Trott", "Umar", "Verity"];

/// The request for a match with table dice.
pub fn table(overs: u32) -> Value {
    json!({
        "game": "howzat",
        "rules": {"overs": overs},
        "home": {"name": "Harbour Road", "players": HOME},
        "away": {"name": "Mill Lane", "players": AWAY},
        "dice": "table",
    })
}

/// The request for a match with a seed of the service; it may end after any number of balls.
pub fn seeded_by_service(overs: u32) -> Value {
    with(table(overs), "/dice", json!("seeded"))
}

/// The request for a match with a given seed, which runs the same every time.
pub fn seeded(overs: u32) -> Value {
    with(seeded_by_service(overs), "/seed", json!("5eed".repeat(16)))
}

/// The body with one member changed or added, by its JSON pointer.
pub fn with(mut body: Value, pointer: &str, value: Value) -> Value {
    let (parent, name) = pointer.rsplit_once('/').expect("a pointer begins with a slash");
    match body.pointer_mut(parent).expect("there is such a place") {
        Value::Array(items) => items[name.parse::<usize>().expect("a place in a list")] = value,
        place => place[name] = value,
    }
    body
}

/// The end of a match's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    pub seq: u64,
    pub hash: String,
}

impl Head {
    pub fn of(body: &Value) -> Head {
        let hash = body["head"]["hash"].as_str().expect("a head has a hash").to_owned();
        Head { seq: body["head"]["seq"].as_u64().expect("a head has a seq"), hash }
    }
}

/// A match on one instance, with its scorer's token.
#[derive(Clone)]
pub struct Match {
    pub client: Client,
    pub id: String,
    pub token: String,
}

impl Match {
    pub fn create(client: &Client, request: &Value) -> Match {
        Match::created(client, &client.post("/v1/matches", request).expect(201))
    }

    /// The match in the answer to its creation.
    pub fn created(client: &Client, answer: &Value) -> Match {
        let text = |at: &str| answer.pointer(at).and_then(Value::as_str).expect("is text").to_owned();
        Match { client: client.clone(), id: text("/match/id"), token: text("/tokens/scorer") }
    }

    /// The match on another instance.
    pub fn through(&self, client: &Client) -> Match {
        Match { client: client.clone(), ..self.clone() }
    }

    pub fn path(&self, rest: &str) -> String {
        format!("/v1/matches/{}{rest}", self.id)
    }

    pub fn get(&self, rest: &str) -> Answer {
        self.client.get(&self.path(rest))
    }

    /// A POST request with the scorer's token.
    pub fn posting(&self, rest: &str, body: &Value) -> Request {
        self.client.request("POST", &self.path(rest)).token(&self.token).json(body)
    }

    pub fn post(&self, rest: &str, body: &Value) -> Answer {
        self.posting(rest, body).send()
    }

    /// The match as the service shows it.
    #[track_caller]
    pub fn view(&self) -> Value {
        self.get("").expect(200)
    }

    pub fn head(&self) -> Head {
        Head::of(&self.view())
    }

    /// Every event of the match, read page by page.
    #[track_caller]
    pub fn events(&self) -> Vec<Value> {
        let mut events = Vec::new();
        loop {
            let page = self.get(&format!("/events?limit=1000&after={}", events.len())).expect(200);
            events.extend(page["events"].as_array().expect("a page has events").iter().cloned());
            if page["next_after"].is_null() {
                return events;
            }
        }
    }

    /// Asserts that the service's audit finds the log clean, and returns its report.
    #[track_caller]
    pub fn audits_clean(&self) -> Value {
        let report = self.get("/audit").expect(200);
        assert_eq!(report["verdict"], "clean", "{report}");
        report
    }

    /// Asserts that the library's audit, which has the file alone, finds the log clean as well.
    #[track_caller]
    pub fn audits_clean_offline(&self) {
        let file = self.get("/log?with=edition");
        let report = audit(file.has_status(200).body.as_slice(), None).expect("a log");
        assert_eq!(report.verdict, Verdict::Clean, "{report}");
    }

    /// Plays the toss and its decision: home bats.
    #[track_caller]
    pub fn begin(&self) -> &Match {
        let seeded = self.view()["dice"] == "seeded";
        let coin = if seeded { json!({}) } else { json!({"coin": "heads"}) };
        let mut call = json!({"caller": "home", "call": "heads"});
        call.as_object_mut().expect("an object").extend(coin.as_object().expect("an object").clone());
        let tossed = self.post("/toss", &call).expect(201);
        let to = if tossed["events"][0]["data"]["winner"] == "home" { "bat" } else { "bowl" };
        self.post("/toss/decision", &json!({"to": to})).expect(201);
        self
    }

    /// Bowls with these dice.
    #[track_caller]
    pub fn bowl(&self, dice: &[i64]) -> Value {
        self.post("/balls", &json!({"dice": dice})).expect(201)
    }

    /// Bowls with the seed's dice.
    #[track_caller]
    pub fn ball(&self) -> Value {
        self.post("/balls", &json!({})).expect(201)
    }

    /// Bowls with dice from the cup, one die for each refusal that asks for one.
    #[track_caller]
    pub fn throw(&self, cup: &mut Cup) -> Value {
        let mut dice: Vec<i64> = Vec::new();
        loop {
            let answer = self.post("/balls", &json!({"dice": dice}));
            if answer.status == 201 {
                return answer.json();
            }
            let wanted = answer.refused(422, "needs-input").at(&format!("body.dice[{}]", dice.len())).problem;
            dice.push(cup.throw(wanted["legal"]["maximum"].as_u64().expect("a die has sides")));
        }
    }

    /// Carries out the next step of the match.
    #[track_caller]
    pub fn play_step(&self) {
        let view = self.view();
        let next = &view["next"];
        match next["what"].as_str() {
            Some("toss" | "toss_decision") => {
                self.begin_from(next);
            }
            Some(_) if view["dice"] == "seeded" => drop(self.ball()),
            Some(_) => drop(self.bowl(&[2, 3])),
            None => panic!("the match is over: {view}"),
        }
        assert_eq!(self.head().seq, view["head"]["seq"].as_u64().expect("a seq") + grown(next));
    }

    fn begin_from(&self, next: &Value) {
        if next["what"] == "toss" {
            self.begin();
        } else {
            self.post("/toss/decision", &json!({"to": "bat"})).expect(201);
        }
    }
}

/// The last event in the answer to an append.
pub fn last_event(appended: &Value) -> &Value {
    appended["events"].as_array().and_then(|events| events.last()).expect("an append has events")
}

/// The number of events that the next step of a match appends.
fn grown(next: &Value) -> u64 {
    match next["what"].as_str() {
        Some("toss" | "over") => 2,
        _ => 1,
    }
}

/// A next step without its requests: their paths name the match, and an append's answer has no values there.
pub fn step(next: &Value) -> Value {
    let mut next = next.clone();
    if let Some(members) = next.as_object_mut() {
        members.remove("requests");
    }
    next
}

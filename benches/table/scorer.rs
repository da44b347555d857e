//! A client that records matches, ball by ball.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::wire::Wire;

/// What a client prefers to be answered with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preferred {
    /// The events, the score and the next step: it says nothing.
    Nothing,
    /// The score and the head alone, as a bot does.
    Minimal,
    /// What else can change in the view of the match as well, as the pad does.
    Representation,
}

impl Preferred {
    /// The header that says so.
    fn header(self) -> &'static str {
        match self {
            Preferred::Nothing => "",
            Preferred::Minimal => "Prefer: return=minimal\r\n",
            Preferred::Representation => "Prefer: return=representation\r\n",
        }
    }
}

/// What a client reads of the answer to an append, as the pad does: the rest is looked through.
#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(borrow, default)]
    events: Vec<&'a RawValue>,
    #[serde(borrow)]
    score: Score<'a>,
    next: Next<'a>,
    head: Head<'a>,
}

#[derive(Deserialize)]
struct Score<'a> {
    #[serde(borrow)]
    text: Cow<'a, str>,
}

#[derive(Deserialize)]
struct Next<'a> {
    kind: &'a str,
}

#[derive(Deserialize)]
struct Head<'a> {
    seq: u64,
    hash: &'a str,
}

impl<'a> Answer<'a> {
    /// Reads an answer, and checks that it goes on after this head, with the events where they are answered.
    fn read(answer: &'a [u8], after: u64) -> Answer<'a> {
        let read: Answer = serde_json::from_slice(answer).expect("the answer to an append");
        let (seq, events) = (read.head.seq, read.events.len() as u64);
        assert!(if events > 0 { seq == after + events } else { seq > after }, "{events} events to {seq}");
        assert!(read.head.hash.len() == 64 && !read.score.text.is_empty(), "event {seq}");
        read
    }
}

/// A client and the match it is recording.
pub struct Scorer {
    wire: Wire,
    number: usize,
    preferred: Preferred,
    balls: u64,
    matches: Vec<Match>,
}

/// A match to be recorded.
struct Match {
    path: String,
    /// The header with the scorer's token.
    token_header: String,
    /// The request for a ball.
    ball: &'static str,
    /// The seq of the head.
    head: u64,
}

impl Scorer {
    /// Connects; `number` distinguishes the client from others.
    pub async fn connect(address: &str, number: usize) -> Scorer {
        let wire = Wire::connect(address).await;
        Scorer { wire, number, preferred: Preferred::Nothing, balls: 0, matches: Vec::new() }
    }

    /// The client, with this preference for the answers to its balls.
    pub fn preferring(self, preferred: Preferred) -> Scorer {
        Scorer { preferred, ..self }
    }

    /// Connects again, since the service closes connections that were idle for long.
    pub async fn reconnect(&mut self) {
        self.wire = Wire::connect(self.wire.address()).await;
    }

    /// Creates a match of fifty overs, whose dice follow from a seed, and plays it to its first ball.
    pub async fn begin_match(&mut self) {
        let one = self.begin("seeded", r#"{"caller":"home","call":"heads"}"#, "{}").await;
        self.matches.push(one);
    }

    /// Begins a match at a table, each of whose balls is a run: none ends before its fifty overs.
    pub async fn begin_table_match(&mut self) {
        let one = self.begin_at_table().await;
        self.matches.push(one);
    }

    async fn begin_at_table(&mut self) -> Match {
        let toss = r#"{"caller":"home","call":"heads","coin":"heads"}"#;
        self.begin("table", toss, r#"{"dice":[2,1]}"#).await
    }

    async fn begin(&mut self, dice: &str, toss: &str, ball: &'static str) -> Match {
        let mut body = match_body(self.number, 50);
        body["dice"] = json!(dice);
        let (path, token_header) = self.create(&body).await;
        self.wire.request("POST", &format!("{path}/toss"), &token_header, toss, 201).await;
        let decision = format!("{path}/toss/decision");
        let begun = self.wire.request("POST", &decision, &token_header, r#"{"to":"bat"}"#, 201).await;
        // Creation, toss and decision are the first three events.
        let head = Answer::read(begun, 2).head.seq;
        Match { path, token_header, ball, head }
    }

    /// Bowls a ball, with a key; in a new match if the last has ended.
    pub async fn bowl(&mut self) {
        if self.matches.is_empty() {
            self.begin_match().await;
        }
        let one = self.matches.last_mut().expect("there is a match");
        self.balls += 1;
        let headers = format!(
            "{}{}Idempotency-Key: {}-{}\r\n",
            one.token_header,
            self.preferred.header(),
            self.number,
            self.balls
        );
        let answer = self.wire.request("POST", &format!("{}/balls", one.path), &headers, one.ball, 201).await;
        let answer = Answer::read(answer, one.head);
        one.head = answer.head.seq;
        if answer.next.kind == "over" {
            self.matches.pop();
        }
    }

    /// Enters the dice of a match at a table, this many balls of every kind but wickets; returns its path.
    pub async fn enter_match(&mut self, balls: u64) -> String {
        const BALLS: [&[u8]; 8] =
            [&[2, 1], &[3, 2], &[4, 3], &[5, 4], &[6, 6], &[1, 2], &[1, 4, 1], &[3, 5, 3, 4, 1]];
        let Match { path, token_header, .. } = self.begin_at_table().await;
        for dice in BALLS.iter().cycle().take(balls as usize) {
            let ball = json!({ "dice": dice }).to_string();
            self.wire.request("POST", &format!("{path}/balls"), &token_header, &ball, 201).await;
        }
        path
    }

    /// Creates a match; returns its path, and the header with the scorer's token.
    async fn create(&mut self, body: &Value) -> (String, String) {
        let created = self.wire.request("POST", "/v1/matches", "", &body.to_string(), 201).await;
        let created: Value = serde_json::from_slice(created).expect("answers are JSON");
        let id = created["match"]["id"].as_str().expect("the match has an id");
        let token = created["tokens"]["scorer"].as_str().expect("the scorer has a token");
        (format!("/v1/matches/{id}"), format!("Authorization: Bearer {token}\r\n"))
    }

    /// The path of the match in progress.
    pub fn path(&self) -> &str {
        &self.matches.last().expect("there is a match").path
    }

    /// Plays a whole match of this many overs by autoplay.
    pub async fn play_match(&mut self, overs: u32) {
        let (path, token_header) = self.create(&match_body(self.number, overs)).await;
        self.wire
            .request("POST", &format!("{path}/autoplay"), &token_header, r#"{"until":"match"}"#, 201)
            .await;
    }

    /// The connection, for other requests.
    pub fn wire(&mut self) -> &mut Wire {
        &mut self.wire
    }
}

fn match_body(number: usize, overs: u32) -> Value {
    let players = |side: &str| (1..=11).map(|n| format!("{side} player {n}")).collect::<Vec<_>>();
    json!({
        "game": "howzat", "dice": "seeded", "rules": {"overs": overs},
        "home": {"name": format!("Harbour Road {number}"), "players": players("home")},
        "away": {"name": format!("Mill Lane {number}"), "players": players("away")},
    })
}

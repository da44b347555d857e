//! A client that records matches, ball by ball.

use serde_json::{Value, json};

use super::wire::Wire;

/// A client and the match it is recording.
pub struct Scorer {
    wire: Wire,
    number: usize,
    balls: u64,
    matches: Vec<Match>,
}

/// A match to be recorded.
struct Match {
    path: String,
    /// The header with the scorer's token.
    token_header: String,
}

impl Scorer {
    /// Connects; `number` distinguishes the client from others.
    pub async fn connect(address: &str, number: usize) -> Scorer {
        Scorer { wire: Wire::connect(address).await, number, balls: 0, matches: Vec::new() }
    }

    /// Connects again, since the service closes connections that were idle for long.
    pub async fn reconnect(&mut self) {
        self.wire = Wire::connect(self.wire.address()).await;
    }

    /// Creates a match of fifty overs and plays it to its first ball.
    pub async fn begin_match(&mut self) {
        let (path, token_header) = self.create(&match_body(self.number, 50)).await;
        let toss = r#"{"caller":"home","call":"heads"}"#;
        self.wire.request("POST", &format!("{path}/toss"), &token_header, toss, 201).await;
        let decision = format!("{path}/toss/decision");
        self.wire.request("POST", &decision, &token_header, r#"{"to":"bat"}"#, 201).await;
        self.matches.push(Match { path, token_header });
    }

    /// Bowls a ball, with a key; in a new match if the last has ended.
    pub async fn bowl(&mut self) {
        if self.matches.is_empty() {
            self.begin_match().await;
        }
        let one = self.matches.last().expect("there is a match");
        self.balls += 1;
        let headers = format!("{}Idempotency-Key: {}-{}\r\n", one.token_header, self.number, self.balls);
        let answer = self.wire.request("POST", &format!("{}/balls", one.path), &headers, "{}", 201).await;
        // From the end, near which it stands: the client shares its processor with the service.
        let next = answer.rsplit_once(r#""next":{"kind":"#).map(|(_, next)| next);
        if next.is_some_and(|next| next.starts_with(r#""over""#)) {
            self.matches.pop();
        }
    }

    /// Enters the dice of a match at a table, this many balls of every kind but wickets; returns its path.
    pub async fn enter_match(&mut self, balls: u64) -> String {
        const BALLS: [&[u8]; 8] =
            [&[2, 1], &[3, 2], &[4, 3], &[5, 4], &[6, 6], &[1, 2], &[1, 4, 1], &[3, 5, 3, 4, 1]];
        let mut body = match_body(self.number, 50);
        body["dice"] = json!("table");
        let (path, headers) = self.create(&body).await;
        let toss = r#"{"caller":"home","call":"heads","coin":"heads"}"#;
        self.wire.request("POST", &format!("{path}/toss"), &headers, toss, 201).await;
        let decision = format!("{path}/toss/decision");
        self.wire.request("POST", &decision, &headers, r#"{"to":"bat"}"#, 201).await;
        for dice in BALLS.iter().cycle().take(balls as usize) {
            let ball = json!({ "dice": dice }).to_string();
            self.wire.request("POST", &format!("{path}/balls"), &headers, &ball, 201).await;
        }
        path
    }

    /// Creates a match; returns its path, and the header with the scorer's token.
    async fn create(&mut self, body: &Value) -> (String, String) {
        let created = self.wire.request("POST", "/v1/matches", "", &body.to_string(), 201).await;
        let created: Value = serde_json::from_str(created).expect("answers are JSON");
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

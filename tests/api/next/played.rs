//! Whole matches at the table, played by `next.requests` and the previews alone. No word of a game stands in
//! the player.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use third_umpire_test_support::coin_cricket::every_game;
use third_umpire_test_support::service::{AWAY, HOME, InProcess, Match, table, with};
use third_umpire_test_support::{on_both_stores, on_own_stores};

/// A player who knows no game: every choice is one of those that are asked for.
pub struct Player {
    pub played: Match,
    random: u64,
    /// How often each path was called.
    calls: BTreeMap<String, usize>,
}

impl Player {
    pub fn new(played: Match, random: u64) -> Player {
        Player { played, random, calls: BTreeMap::new() }
    }

    /// A number below a bound, from a generator that every run repeats.
    pub fn below(&mut self, bound: usize) -> usize {
        self.random =
            self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 33) as usize % bound
    }

    fn post(&mut self, path: &str, body: &Value, status: u16) -> Value {
        *self.calls.entry(path.to_owned()).or_default() += 1;
        self.played.post(path, body).expect(status)
    }

    /// A value that an ask can have.
    pub fn value(&mut self, ask: &Value) -> Value {
        let options: Vec<&Value> = ask["options"].as_array().into_iter().flatten().collect();
        let legal: Vec<&Value> = options.iter().copied().filter(|one| one["why_not"].is_null()).collect();
        if !options.is_empty() {
            assert!(!legal.is_empty(), "one of the values is legal: {ask}");
            return legal[self.below(legal.len())]["value"].clone();
        }
        let (least, most) = (ask["minimum"].as_i64(), ask["maximum"].as_i64());
        let (least, most) = least.zip(most).unwrap_or_else(|| panic!("values or limits: {ask}"));
        let number = |player: &mut Player| json!(least + player.below((most - least + 1) as usize) as i64);
        match ask["count"].as_u64() {
            Some(count) => (0..count).map(|_| number(self)).collect(),
            None => number(self),
        }
    }

    /// Fills in what is asked for: all that is required at once where nothing can be previewed, and otherwise
    /// the first. Before the dice a choice with a default is changed now and then.
    fn fill(&mut self, body: &mut Value, asks: &Value, all: bool) {
        let asks = asks.as_array().expect("asks");
        for ask in asks.iter().filter(|ask| ask["required"] == false) {
            let is_simple = ["one", "yes_no"].iter().any(|kind| ask["kind"] == *kind);
            if is_simple && body["dice"].is_null() && ask.get("options").is_some() && self.below(10) == 0 {
                put(body, ask, self.value(ask));
                if !all {
                    // What else is asked may depend on it.
                    return;
                }
            }
        }
        let required = asks.iter().filter(|ask| ask["required"] == true);
        for ask in required.take(if all { usize::MAX } else { 1 }) {
            put(body, ask, self.value(ask));
        }
    }

    /// Answers the next step. Returns false at the end of the match.
    pub fn step(&mut self) -> bool {
        let next = self.played.view()["next"].clone();
        let requests = next["requests"].as_array().expect("requests").clone();
        if requests.is_empty() {
            return false;
        }
        let at = if self.below(3) == 0 { self.below(requests.len()) } else { 0 };
        let (request, mut body) = (&requests[at], requests[at]["body"].clone());
        let path =
            request["path"].as_str().expect("a path").strip_prefix(&self.played.path("")).expect("of it");
        let mut asks = request["asks"].clone();
        let mut preview = Value::Null;
        if ["/overs", "/balls", "/reviews"].contains(&path) {
            while preview["done"] != true {
                self.fill(&mut body, &asks, false);
                preview = self.post(&format!("{path}/preview"), &body, 200);
                asks = preview["next"]["requests"][0]["asks"].clone();
            }
        } else {
            self.fill(&mut body, &asks, true);
        }
        let stored = self.post(path, &body, 201);
        if preview["done"] == true {
            assert_eq!(preview["score"], stored["score"], "the preview of {body}");
            assert_eq!(timeless(&preview["situation"]), timeless(&stored["situation"]), "after {body}");
            let places = |next: &Value| -> Vec<Value> {
                let requests = next["requests"].as_array().into_iter().flatten();
                requests.map(|one| json!([one["path"], one["body"], one["title"]])).collect()
            };
            assert_eq!(places(&preview["next"]), places(&stored["next"]), "what follows {body}");
        }
        true
    }
}

/// A situation without the time of its last ball, which differs from that of its preview.
fn timeless(situation: &Value) -> Value {
    let mut situation = situation.clone();
    if let Some(last) = situation["last"].as_object_mut() {
        last.remove("at");
    }
    situation
}

/// Puts a value at the place that an ask names.
pub fn put(body: &mut Value, ask: &Value, value: Value) {
    let at = ask["at"].as_str().expect("a place");
    if let Some((list, _)) = at.split_once('[') {
        match body[list].as_array_mut() {
            Some(values) => values.push(value),
            None => body[list] = json!([value]),
        }
        return;
    }
    let mut members: Vec<&str> = at.split('.').collect();
    let last = members.pop().expect("a member");
    members.into_iter().fold(body, |inner, member| &mut inner[member])[last] = value;
}

/// Plays a match to its end, and returns its log's audit.
fn play(played: Match, random: u64) {
    let mut player = Player::new(played, random);
    let mut steps = 0;
    while player.step() {
        steps += 1;
        assert!(steps < 2_000, "the match ends");
    }
    assert_eq!(player.played.view()["status"], "completed");
    assert_eq!(player.played.audits_clean()["verdict"], "clean");
    println!("{}: {steps} steps, {:?}", player.played.view()["game"], player.calls);
}

on_both_stores!(howzat_is_played_by_its_requests_alone, |service| {
    play(service.create(&with(table(3), "/rules/drs", json!("house"))), 1);
});

on_both_stores!(cuberoots_is_played_by_its_requests_alone, |service| {
    let request = json!({
        "game": "cuberoots", "rules": {"overs": 3, "roll_a_cube": true}, "dice": "table",
        "home": {"name": "Harbour Road", "players": HOME}, "away": {"name": "Mill Lane", "players": AWAY},
    });
    play(service.create(&request), 2);
});

on_own_stores!(coin_cricket_is_played_by_its_requests_alone, |deployment| {
    let service = InProcess::of_games(&deployment.database().url, every_game());
    let request = json!({
        "game": "coin-cricket", "rules": {"overs": 2, "reviews": true}, "dice": "table",
        "home": {"name": "Harbour Road", "players": {"team": "Pennies"}},
        "away": {"name": "Mill Lane", "players": {"team": "Farthings"}},
    });
    play(Match::create(service.client(), &request), 3);
});

on_own_stores!(the_board_game_is_played_by_its_requests_alone, |deployment| {
    let team = |name: &str| json!({"name": name, "players": {"team": name}});
    let request = json!({
        "game": "cricket-the-game", "rules": {"format": "t10", "drs": "on"}, "dice": "table",
        "home": team("Harbour Terns"), "away": team("Copperfield Larks"),
    });
    play(deployment.create(&request), 4);
});

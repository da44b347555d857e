//! Seeds and tokens of a match from its creation to its end: no answer and no log shows one too early.

use serde_json::{Value, json};
use third_umpire::dice::{Dice, Draw, SeededDice, Seeds, ServerSeed};
use third_umpire_test_support::on_own_stores;
use third_umpire_test_support::service::{
    Answer, DOCUMENT, Match, Process, Serving, seeded, seeded_by_service, with,
};

/// Everything that an instance has answered since a match was created.
struct Transcript<'a> {
    service: &'a Process,
    played: Match,
    answers: Vec<String>,
}

/// Every read of a match that the document has, and some with a query.
fn reads() -> Vec<String> {
    let document: Value = serde_json::from_str(DOCUMENT).expect("the document is JSON");
    let paths = document["paths"].as_object().expect("paths").iter();
    let read = paths.filter(|(_, path)| path.get("get").is_some()).map(|(path, _)| path.as_str());
    let rests = read.filter_map(|path| path.strip_prefix("/v1/matches/{id}"));
    let rests = rests.filter(|rest| !rest.contains('{') && !rest.ends_with("/stream"));
    let rests: Vec<String> =
        rests.chain(["/events?limit=1000", "/events/1", "/scorecard?at=1"]).map(str::to_owned).collect();
    assert!(rests.len() > 12, "{rests:?}");
    rests
}

impl<'a> Transcript<'a> {
    fn note(&mut self, answer: &Answer) {
        self.answers.push(format!("{:?} {}", answer.headers, String::from_utf8_lossy(&answer.body)));
    }

    /// Sends every request that a match in play allows, right and wrong.
    fn send_everything(&mut self) {
        for rest in &reads() {
            let answer = self.played.get(rest);
            self.note(answer.has_status(200));
        }
        for path in ["/v1/matches", "/metrics", "/healthz", "/readyz", "/nothing"] {
            let answer = self.service.client().get(path);
            self.note(&answer);
        }
        for (path, body) in [
            ("/toss", json!({"caller": "home", "call": "heads", "coin": "heads"})),
            ("/toss", json!({})),
            ("/balls", json!({"dice": [1, 1]})),
            ("/balls", json!({"choices": {"next_batter": "Nobody"}})),
            ("/overs", json!({"bowler": "Nobody"})),
            ("/abandonment", json!({"reason": ""})),
            ("/autoplay", json!({"until": "tea"})),
            ("/nothing", json!({})),
        ] {
            let answer = self.played.posting(path, &body).unlisted().send();
            assert!(answer.status >= 400);
            self.note(&answer);
        }
        let stream = self.played.client.request("GET", &self.played.path("/events/stream")).follow().take(1);
        self.answers.push(json!(stream).to_string());
    }

    /// Asserts that no answer and no line of the service's log has any of these secrets.
    #[track_caller]
    fn gave_away_none(&self, secrets: &[String]) {
        let log = self.service.log();
        assert!(log.len() > 1_000, "there is a log to look at: {log}");
        for secret in secrets.iter().flat_map(|secret| [secret.clone(), secret.to_uppercase()]) {
            assert!(!log.contains(&secret), "{secret} is in the log");
            assert!(self.answers.iter().all(|answer| !answer.contains(&secret)), "{secret} was answered");
        }
    }
}

/// The seeds of a match, from the database.
fn seeds(stored: &str) -> (ServerSeed, Seeds) {
    let server_seed = ServerSeed::from_hex(stored).expect("a stored seed is one");
    let seeds = Seeds::open(&server_seed, &[]);
    (server_seed, seeds)
}

/// Asserts that every coin and die of the log comes from the seed.
fn proves(events: &[Value], server_seed: &ServerSeed) {
    let mut dice = SeededDice::new(&server_seed.match_seed(&[]));
    let mut proved = 0;
    for event in events {
        let data = &event["data"];
        let (draw, rolled) = match event["kind"].as_str().expect("a kind") {
            "toss" => {
                (Draw::TOSS, vec![json!({"sides": 2, "value": if data["coin"] == "heads" { 1 } else { 2 }})])
            }
            "ball" => {
                let delivery = data["delivery"].as_u64().expect("a number") as u32;
                (Draw::ball(delivery), data["dice"].as_array().expect("dice").clone())
            }
            _ => continue,
        };
        dice.begin(draw);
        for die in rolled {
            let sides = die["sides"].as_u64().expect("a die has sides") as u16;
            assert_eq!(die["value"], dice.die(sides), "event {}", event["seq"]);
            proved += 1;
        }
    }
    assert!(proved > 24, "there were dice to prove");
}

fn debug() -> Serving<'static> {
    Serving { log: "debug", ..Serving::default() }
}

on_own_stores!(seeds_and_tokens_stay_hidden_until_the_end_and_then_prove_every_die, |deployment| {
    let service = deployment.serve_as(debug());
    let created = service.client().post("/v1/matches", &seeded_by_service(2)).expect(201);
    let text = |at: &str| created.pointer(at).and_then(Value::as_str).expect("text").to_owned();
    let tokens = [text("/tokens/scorer"), text("/invites/home"), text("/invites/away")];
    let played = Match::created(service.client(), &created);
    let stored = deployment.database().texts("select server_seed from secrets").remove(0);
    let (server_seed, opened) = seeds(&stored);
    let secrets = [vec![stored.clone(), opened.match_seed.clone()], tokens.to_vec()].concat();
    assert!(!created["match"].to_string().contains(&stored));

    let mut transcript = Transcript { service: &service, played: played.clone(), answers: Vec::new() };
    transcript.send_everything();
    let last = loop {
        let answer = played.post("/autoplay", &json!({"until": "ball"}));
        if answer.expect(201)["next"]["kind"] == "over" {
            break answer;
        }
        transcript.note(&answer);
        if answer.json()["head"]["seq"].as_u64().is_some_and(|seq| seq % 8 == 0) {
            transcript.send_everything();
        }
    };
    transcript.gave_away_none(&secrets);
    // The seeds are open in the last event now, and the tokens are still nowhere.
    let events = played.events();
    let open = json!({"server_seed": stored, "client_seeds": [], "match_seed": opened.match_seed});
    assert_eq!(events.last().expect("an event")["data"]["seeds"], open);
    assert_eq!(created["match"]["commitment"], server_seed.commitment());
    proves(&events, &server_seed);
    transcript.answers.clear();
    transcript.note(&last);
    for rest in &reads() {
        transcript.note(&played.get(rest));
    }
    transcript.gave_away_none(&tokens);
    assert!(!service.log().contains(&stored), "the log of the service never has the seed");
});

on_own_stores!(a_seed_given_by_the_creator_is_hidden_as_well, |deployment| {
    let service = deployment.serve_as(debug());
    let given = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0".to_owned();
    let (_, opened) = seeds(&given);
    let creation = service.client().post("/v1/matches", &with(seeded(1), "/seed", json!(given)));
    let created = creation.expect(201);
    let played = Match::created(service.client(), &created);
    let mut transcript = Transcript { service: &service, played: played.clone(), answers: Vec::new() };
    transcript.note(&creation);
    // A creation that fails does not give its seed away either.
    let failed = with(with(seeded(1), "/seed", json!(given)), "/home/players/0", json!(""));
    transcript.note(&service.client().post("/v1/matches", &failed));
    played.begin();
    transcript.send_everything();
    for _ in 0..3 {
        transcript.note(&played.posting("/balls", &json!({})).send());
    }
    transcript.send_everything();
    transcript.gave_away_none(&[given.clone(), opened.match_seed]);
    played.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    assert!(played.get("/log").text().contains(&given), "given up, it is open");
    assert!(!service.log().contains(&given));
});

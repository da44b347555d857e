//! Whole remote matches: two captains play, and nobody else sees their secrets.

use std::thread::JoinHandle;

use serde_json::{Value, json};
use third_umpire::audit::{Check, audit};
use third_umpire::dice::{Dice, Draw, SeededDice, Seeds, ServerSeed};
use third_umpire_test_support::service::{
    CONTRACT, Captain, Match, Process, Sealed, Serving, Sides, canonical, chained, remote, sha256, with_event,
};
use third_umpire_test_support::{on_both_stores, on_own_stores};

/// An onlooker without a token, who reads everything there is to read.
struct Onlooker {
    of: Match,
    /// Values that nobody may see yet.
    secrets: Vec<String>,
    /// Tokens, which nobody may ever see.
    tokens: Vec<String>,
    stream: JoinHandle<Vec<Value>>,
}

impl Onlooker {
    fn of(sides: &Sides, secrets: Vec<String>, tokens: Vec<String>) -> Onlooker {
        let of = Match { token: String::new(), ..sides.scorer.clone() };
        let mut stream = of.client.request("GET", &of.path("/events/stream")).follow();
        let stream = std::thread::spawn(move || {
            let mut events: Vec<Value> = Vec::new();
            while events.last().is_none_or(|last| last["kind"] != "match_completed") {
                events.extend(stream.next_event());
            }
            events
        });
        Onlooker { of, secrets, tokens, stream }
    }

    /// Every readable path of the API, except for the stream.
    fn paths(&self, seq: &Value) -> Vec<String> {
        let reads = CONTRACT.paths().into_iter().filter(|(_, methods)| methods.contains(&"GET"));
        reads
            .map(|(path, _)| path.replace("{id}", &self.of.id).replace("{seq}", &seq.to_string()))
            .filter(|path| !path.ends_with("/stream"))
            .chain([self.of.path("/events?limit=1000"), self.of.path("/replay?at=2")])
            .collect()
    }

    /// Reads everything, and asserts that no secret is in it.
    #[track_caller]
    fn check(&self) {
        let seq = self.of.view()["head"]["seq"].clone();
        let paths = self.paths(&seq);
        assert!(paths.len() > 15, "{paths:?}");
        for path in paths {
            let answer = self.of.client.get(&path);
            let text = format!("{:?} {}", answer.headers, answer.text());
            for secret in self.secrets.iter().chain(&self.tokens) {
                assert!(!text.contains(secret.as_str()), "{path} gives {secret} away: {text}");
            }
            assert!(path != self.of.path("") || answer.json().get("own").is_none(), "{text}");
        }
    }

    fn hides(&mut self, secret: impl Into<String>) {
        self.secrets.push(secret.into());
    }

    fn no_longer_hides(&mut self, shown: &[String]) {
        self.secrets.retain(|secret| !shown.contains(secret));
    }
}

/// Numbers as they appear in a JSON list.
fn in_a_row(numbers: &[u64]) -> String {
    json!(numbers).to_string().trim_matches(['[', ']']).to_owned()
}

/// An over: the cubes as dealt, the chosen orders, and home's own seal.
struct Over {
    hands: [Vec<u64>; 2],
    orders: [Vec<u64>; 2],
    sealed: Sealed,
}

impl Over {
    /// Plans an over: home reverses its cubes, and away begins with its third.
    fn plan(sides: &Sides) -> Over {
        let hands = sides.captains().map(Captain::hand);
        let mut orders = hands.clone();
        orders[0].reverse();
        orders[1].rotate_left(2);
        let sealed = sides.home.seals_order(&orders[0]);
        Over { hands, orders, sealed }
    }

    fn secrets(&self) -> Vec<String> {
        let orders = self.hands.iter().chain(&self.orders).map(|cubes| in_a_row(cubes));
        orders.chain([self.sealed.salt.clone()]).collect()
    }

    /// Makes both choices, home with its own seal and away through the service, in an order that alternates
    /// from over to over. Returns the event of the over.
    fn choose(&self, sides: &Sides, onlooker: &Onlooker) -> Value {
        let Sides { home, away, .. } = sides;
        let home_first = self.sealed.over == 1;
        if home_first {
            let closed = home.post("/choices", &self.sealed.seal_body()).expect(201);
            self.is_sealed(&closed["events"], "home", &["choice"]);
            onlooker.check();
        }
        let chosen = away.chooses(&self.orders[1]);
        self.is_sealed(&chosen["events"], "away", &["choice", "choice_opened"]);
        onlooker.check();
        if !home_first {
            home.post("/choices", &self.sealed.seal_body()).expect(201);
            onlooker.check();
        }
        let opened = home.post("/choices", &self.sealed.opening_body()).expect(201);
        assert_eq!(opened["events"].as_array().map(Vec::len), Some(1), "{opened}");
        opened["events"][0].clone()
    }

    fn is_sealed(&self, events: &Value, side: &str, kinds: &[&str]) {
        let events = events.as_array().expect("events");
        assert_eq!(events.iter().map(|event| &event["kind"]).collect::<Vec<_>>(), kinds);
        let Sealed { seal, innings, over, .. } = &self.sealed;
        for event in events {
            assert_eq!(event["actor"], side);
            let mut due = json!({"side": side, "for": "order", "innings": innings, "over": over});
            if event["kind"] == "choice" {
                let sealed = if side == "home" { json!(seal) } else { event["data"]["sealed"].clone() };
                due["sealed"] = sealed;
            }
            assert_eq!(event["data"], due, "nothing but the seal");
        }
    }

    /// Asserts that the revealed choices are those that were made and sealed, and that the over follows from
    /// them.
    fn follows(&self, sides: &Sides, event: &Value) {
        assert_eq!(event["kind"], "over");
        let data = &event["data"];
        let reveals = data["reveals"].as_array().expect("the choices are revealed");
        assert_eq!(reveals.len(), 2);
        for ((side, order), reveal) in ["home", "away"].into_iter().zip(&self.orders).zip(reveals) {
            assert_eq!((&reveal["side"], &reveal["for"]), (&json!(side), &json!("order")));
            assert_eq!(&reveal["choice"]["order"], &json!(order));
            assert!(reveal.get("draw").is_none(), "nothing was drawn");
            let sealed = canonical(&json!({
                "match": sides.scorer.id, "side": side, "for": "order", "innings": data["innings"],
                "over": data["over"], "ball": null, "salt": reveal["salt"], "choice": reveal["choice"],
            }));
            let events = sides.scorer.events();
            let mut seals = events.iter().filter(|seal| {
                let data = &seal["data"];
                (&seal["kind"], &data["side"], &data["innings"], &data["over"])
                    == (
                        &json!("choice"),
                        &json!(side),
                        &reveal_of(event, "innings"),
                        &reveal_of(event, "over"),
                    )
            });
            assert_eq!(seals.next().expect("the choice was sealed")["data"]["sealed"], sha256(sealed));
        }
        assert_eq!(reveals[0]["salt"], self.sealed.salt.as_str());
        let played = &data["choices"]["orders"];
        let (bowling, batting) = if played["bowling"] == json!(self.orders[0]) { (0, 1) } else { (1, 0) };
        assert_eq!(*played, json!({"bowling": self.orders[bowling], "batting": self.orders[batting]}));
        let dealt = json!({"bowling": self.hands[bowling], "batting": self.hands[batting]});
        assert_eq!(data["choices"]["deal"], dealt);
    }
}

fn reveal_of(event: &Value, name: &str) -> Value {
    event["data"][name].clone()
}

/// Plays the match to its end, and returns the secrets on the way, each with the event that revealed it.
fn play(sides: &Sides, onlooker: &mut Onlooker) -> Vec<(Vec<String>, u64)> {
    let Sides { scorer, home, away } = sides;
    let mut shown = Vec::new();
    let mut players = [scorer, &home.seat, &away.seat].into_iter().cycle();
    while scorer.view()["status"] != "completed" {
        let over = Over::plan(sides);
        over.secrets().into_iter().for_each(|secret| onlooker.hides(secret));
        onlooker.check();
        let begun = over.choose(sides, onlooker);
        over.follows(sides, &begun);
        let public = onlooker.of.get("/events?limit=1000");
        for secret in over.secrets() {
            assert!(
                public.text().contains(&secret),
                "{secret} is looked for as it is written when it is shown"
            );
        }
        onlooker.no_longer_hides(&over.secrets());
        shown.push((over.secrets(), begun["seq"].as_u64().expect("a seq")));
        onlooker.check();
        for _ in 0..6 {
            let bowled = players.next().expect("there are three").post("/balls", &json!({})).expect(201);
            if bowled["next"]["kind"] == "over" {
                break;
            }
            onlooker.check();
            if bowled["next"]["what"] == "order" {
                break;
            }
        }
    }
    shown
}

/// Adds both client seeds, first the hashes and then the seeds, with an onlooker.
fn add_seeds(sides: &Sides, onlooker: &mut Onlooker) -> Vec<(Vec<String>, u64)> {
    let mut shown = Vec::new();
    for captain in sides.captains() {
        let committed = captain.committing_seed().send().expect(201);
        let due = json!({"side": captain.side, "hash": captain.hash_of_seed(&captain.client_seed)});
        let event = &committed["events"][0];
        assert_eq!((&event["kind"], &event["data"]), (&json!("seed_committed"), &due));
        onlooker.check();
    }
    for captain in sides.captains() {
        let added = captain.showing_seed().send().expect(201);
        onlooker.no_longer_hides(std::slice::from_ref(&captain.client_seed));
        let event = &added["events"][0];
        let due = json!({"side": captain.side, "client_seed": captain.client_seed});
        assert_eq!((&event["kind"], &event["data"]), (&json!("seed_contributed"), &due));
        shown.push((vec![captain.client_seed.clone()], event["seq"].as_u64().expect("a seq")));
        onlooker.check();
    }
    shown
}

/// Asserts that every deal of the log comes from the seed, computed independently.
fn proves_deals(events: &[Value], seeds: &Seeds, server_seed: &ServerSeed) {
    let mut dice = SeededDice::new(&server_seed.match_seed(&seeds.client_seeds));
    let mut bag: Vec<u64> = Vec::new();
    let mut proved = 0;
    for event in events.iter().filter(|event| event["kind"] == "over") {
        let (innings, over) = (reveal_of(event, "innings"), reveal_of(event, "over"));
        if over == 1 {
            bag = (0..210).collect();
        }
        let place = |number: &Value| number.as_u64().expect("a number") as u16;
        dice.begin(Draw::over(place(&innings), place(&over)));
        let mut shuffled = bag.clone();
        for i in (1..shuffled.len()).rev() {
            shuffled.swap(i, usize::from(dice.die(i as u16 + 1)) - 1);
        }
        let deal = json!({"bowling": shuffled[..6], "batting": shuffled[6..12]});
        assert_eq!(event["data"]["choices"]["deal"], deal, "event {}", event["seq"]);
        bag.retain(|cube| !shuffled[..12].contains(cube));
        proved += 1;
    }
    assert!(proved >= 3, "there were deals to prove");
}

fn debug() -> Serving<'static> {
    Serving { log: "debug", ..Serving::default() }
}

/// Plays a match between two captains to its end, with an onlooker, and returns its log.
fn played_out(sides: &Sides, service: &Process, server_seed: &str, tokens: Vec<String>) -> Vec<Value> {
    let server_seed = ServerSeed::from_hex(server_seed).expect("a stored seed is one");
    let client_seeds = sides.captains().map(|captain| captain.client_seed.clone()).to_vec();
    let seeds = Seeds::open(&server_seed, &client_seeds);
    let mut secrets = client_seeds;
    secrets.extend([seeds.server_seed.clone(), seeds.match_seed.clone()]);
    let mut onlooker = Onlooker::of(sides, secrets, tokens);
    onlooker.check();
    let mut shown = add_seeds(sides, &mut onlooker);
    let [winner, _] = sides.toss();
    winner.post("/toss/decision", &json!({"to": "bowl"})).expect(201);
    shown.extend(play(sides, &mut onlooker));

    let events = sides.scorer.events();
    let last = events.last().expect("an event");
    assert_eq!(last["data"]["seeds"], json!(seeds));
    shown.push((
        vec![seeds.server_seed.clone(), seeds.match_seed.clone()],
        last["seq"].as_u64().expect("a seq"),
    ));
    onlooker.no_longer_hides(&[seeds.server_seed.clone(), seeds.match_seed.clone()]);
    assert_eq!(onlooker.secrets, [""; 0]);
    onlooker.check();
    for (secrets, seq) in &shown {
        let before = json!(events[..*seq as usize - 1]).to_string();
        for secret in secrets {
            assert!(!before.contains(secret), "{secret} is in the log before event {seq}");
            assert!(!service.log().contains(secret), "the service has logged {secret}");
        }
    }
    let log = service.log();
    assert!(onlooker.tokens.iter().all(|token| !log.contains(token)));
    assert_eq!(onlooker.stream.join().expect("the stream is followed to its end"), events);
    proves_deals(&events, &seeds, &server_seed);
    events
}

on_own_stores!(two_captains_play_a_match_and_nobody_else_sees_what_they_hide, |deployment| {
    let service = deployment.serve_as(debug());
    let created = service.client().post("/v1/matches", &remote(2)).expect(201);
    let text = |at: &str| created.pointer(at).and_then(Value::as_str).expect("text").to_owned();
    let scorer = Match::created(service.client(), &created);
    let invites = ["/invites/home", "/invites/away"].map(text);
    let sides = Sides {
        home: Captain::claim(&scorer, "home", &invites[0]),
        away: Captain::claim(&scorer, "away", &invites[1]),
        scorer,
    };
    let mut tokens = sides.captains().map(|captain| captain.seat.token.clone()).to_vec();
    tokens.extend(invites);
    tokens.push(sides.scorer.token.clone());
    let server_seed = deployment.database().texts("select server_seed from secrets").remove(0);
    let events = played_out(&sides, &service, &server_seed, tokens);
    chained(&events);
    sides.audits_clean();
    let authors = |kind: &str| -> Vec<&str> {
        let of_kind = events.iter().filter(|event| event["kind"] == kind);
        of_kind.map(|event| event["actor"].as_str().expect("an actor")).collect()
    };
    assert_eq!(authors("side_claimed"), ["home", "away"]);
    assert!(["scorer", "home", "away"].iter().all(|actor| authors("ball").contains(actor)));
});

/// Plays a match on to its end with the orders as dealt, and gives its log.
fn log_of_a_match(sides: &Sides) -> String {
    while sides.scorer.view()["status"] != "completed" {
        sides.choose_as_dealt();
        sides.bowl_over();
    }
    sides.audits_clean();
    sides.scorer.get("/log").text().to_owned()
}

on_both_stores!(a_log_with_another_order_in_it_does_not_fit_the_seal_it_names, |service| {
    let sides = Sides::in_play(service.client(), &remote(1));
    let log = log_of_a_match(&sides);
    let events = sides.scorer.events();
    let over = events.iter().position(|event| event["kind"] == "over").expect("an over");
    for (place, side) in ["home", "away"].into_iter().enumerate() {
        let reordered = |event: &mut Value, in_the_over: bool| {
            let data = &mut event["data"];
            data["reveals"][place]["choice"]["order"].as_array_mut().expect("an order").swap(0, 5);
            let duty = if side == "home" { "batting" } else { "bowling" };
            if in_the_over {
                data["choices"]["orders"][duty].as_array_mut().expect("an order").swap(0, 5);
            }
        };
        let seal = events.iter().find(|event| event["kind"] == "choice" && event["data"]["side"] == side);
        let seal = seal.expect("the choice was sealed")["data"]["sealed"].as_str().expect("a seal");
        for in_the_over in [false, true] {
            let forged = with_event(&log, over, |event| reordered(event, in_the_over));
            let report = audit(forged.as_bytes(), None).expect("a log");
            let divergence = report.divergence.unwrap_or_else(|| panic!("nothing diverges"));
            assert_eq!(divergence.seq, over as u64 + 1);
            let finding = divergence.findings.iter().find(|finding| finding.check == Check::Seal);
            let finding = finding.unwrap_or_else(|| panic!("no seal in {:?}", divergence.findings));
            assert!(finding.message.contains(seal), "{seal} is not named: {}", finding.message);
        }
    }
});

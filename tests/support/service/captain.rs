//! Sides that play for themselves: they claim their side, settle on seeds and seal choices with nothing but
//! what the documentation says of it.

use serde_json::{Value, json};
use uuid::Uuid;

use super::answer::Answer;
use super::client::{Client, Request};
use super::log::{canonical, sha256};
use super::play::{Match, seeded_by_service, with};

/// A match of CubeRoots cricket at one table, from a seed of the service's own.
pub fn cubes(overs: u32) -> Value {
    with(with(seeded_by_service(overs), "/game", json!("cuberoots")), "/rules", json!({"overs": overs}))
}

/// The body that creates a match of remote play.
pub fn remote(overs: u32) -> Value {
    with(with(cubes(overs), "/remote", json!(true)), "/client_seeds", json!("both"))
}

/// 64 hexadecimal digits that nobody has used before.
pub fn fresh() -> String {
    sha256(Uuid::now_v7().as_bytes())
}

/// Turns an invite into a token.
pub fn claiming(played: &Match, invite: &str) -> Request {
    played.client.request("POST", &played.path("/tokens/claim")).json(&json!({"invite": invite}))
}

/// Somebody who plays for one side, with its own token.
#[derive(Clone)]
pub struct Captain {
    pub side: &'static str,
    /// The match, with the side's token.
    pub seat: Match,
    /// What the side adds to the seed.
    pub client_seed: String,
}

impl Captain {
    #[track_caller]
    pub fn claim(played: &Match, side: &'static str, invite: &str) -> Captain {
        let claimed = claiming(played, invite).send().expect(201);
        assert_eq!(claimed["side"], side);
        let token = claimed["token"].as_str().expect("a token").to_owned();
        Captain { side, seat: Match { token, ..played.clone() }, client_seed: fresh() }
    }

    /// The captain, as a client of another instance.
    pub fn through(&self, client: &Client) -> Captain {
        Captain { seat: self.seat.through(client), ..self.clone() }
    }

    pub fn asking(&self, rest: &str, body: &Value) -> Request {
        self.seat.asking(rest, body)
    }

    pub fn post(&self, rest: &str, body: &Value) -> Answer {
        self.seat.post(rest, body)
    }

    /// The match as this side sees it.
    #[track_caller]
    pub fn sees(&self) -> Answer {
        self.seat.client.request("GET", &self.seat.path("")).token(&self.seat.token).send()
    }

    /// What the match shows to nobody but this side.
    #[track_caller]
    pub fn own(&self) -> Value {
        self.sees().expect(200)["own"][self.side].clone()
    }

    /// The cubes it has been dealt for the next over.
    #[track_caller]
    pub fn hand(&self) -> Vec<u64> {
        let own = self.own();
        let hand = own["hand"].as_array().unwrap_or_else(|| panic!("no hand in {own}"));
        hand.iter().map(|dealt| dealt["cube"].as_u64().expect("a cube has a number")).collect()
    }

    /// What settles a client seed.
    pub fn hash_of_seed(&self, client_seed: &str) -> String {
        let commitment = &self.seat.view()["commitment"];
        sha256(canonical(&json!({
            "match": self.seat.id, "side": self.side, "commitment": commitment, "client_seed": client_seed,
        })))
    }

    pub fn settling(&self) -> Request {
        self.asking("/seeds", &json!({"hash": self.hash_of_seed(&self.client_seed)}))
    }

    pub fn showing(&self) -> Request {
        self.asking("/seeds", &json!({"client_seed": self.client_seed}))
    }

    /// Chooses an order, and lets the service seal it.
    pub fn choosing(&self, order: &[u64]) -> Request {
        self.asking("/choices", &json!({"for": "order", "choice": {"order": order}}))
    }

    #[track_caller]
    pub fn chooses(&self, order: &[u64]) -> Value {
        self.choosing(order).send().expect(201)
    }

    /// Seals a choice for the over that is to begin, and tells nobody.
    pub fn seals(&self, choice: Value) -> Sealed {
        let (innings, over) = self.due();
        let salt = fresh();
        let seal = sha256(canonical(&json!({
            "match": self.seat.id, "side": self.side, "for": "order", "innings": innings, "over": over,
            "ball": null, "salt": salt, "choice": choice,
        })));
        Sealed { seal, salt, choice, innings, over }
    }

    pub fn seals_order(&self, order: &[u64]) -> Sealed {
        self.seals(json!({"order": order}))
    }

    /// The innings and the over that is to begin, by the score that everybody sees.
    pub fn due(&self) -> (u64, u64) {
        let view = self.seat.view();
        let Some(innings) = view["score"]["innings"].as_array().and_then(|all| all.last()) else {
            return (1, 1);
        };
        let number = innings["number"].as_u64().expect("a number");
        let overs = innings["overs"].as_str().and_then(|overs| overs.split('.').next()?.parse().ok());
        let overs: u64 = overs.expect("overs are counted");
        if innings["wickets"] == 10 || view["rules"]["overs"] == overs {
            (number + 1, 1)
        } else {
            (number, overs + 1)
        }
    }
}

/// A choice that a side has sealed itself.
#[derive(Clone)]
pub struct Sealed {
    pub seal: String,
    pub salt: String,
    pub choice: Value,
    pub innings: u64,
    pub over: u64,
}

impl Sealed {
    /// What is sent for it first.
    pub fn closed(&self) -> Value {
        json!({"for": "order", "innings": self.innings, "over": self.over, "sealed": self.seal})
    }

    /// What opens it.
    pub fn opening(&self) -> Value {
        json!({
            "for": "order", "innings": self.innings, "over": self.over, "salt": self.salt,
            "choice": self.choice,
        })
    }
}

/// A match, its scorer, and a captain a side.
#[derive(Clone)]
pub struct Sides {
    pub scorer: Match,
    pub home: Captain,
    pub away: Captain,
}

impl Sides {
    /// Creates a match, and both sides claim theirs.
    #[track_caller]
    pub fn meet(client: &Client, asked: &Value) -> Sides {
        let created = client.post("/v1/matches", asked).expect(201);
        let scorer = Match::created(client, &created);
        let claim = |side: &'static str| {
            Captain::claim(&scorer, side, created["invites"][side].as_str().expect("an invite"))
        };
        Sides { home: claim("home"), away: claim("away"), scorer }
    }

    /// The match, read through another instance.
    pub fn through(&self, client: &Client) -> Sides {
        Sides {
            scorer: self.scorer.through(client),
            home: self.home.through(client),
            away: self.away.through(client),
        }
    }

    pub fn captains(&self) -> [&Captain; 2] {
        [&self.home, &self.away]
    }

    /// The captain of a side that an answer names, and the other.
    pub fn sorted(&self, first: &Value) -> [&Captain; 2] {
        if *first == "home" { [&self.home, &self.away] } else { [&self.away, &self.home] }
    }

    /// Both settle on what they add to the seed.
    #[track_caller]
    pub fn settle(&self) {
        self.captains().into_iter().for_each(|captain| drop(captain.settling().send().expect(201)));
    }

    /// Both show what they add to the seed.
    #[track_caller]
    pub fn show_seeds(&self) {
        self.captains().into_iter().for_each(|captain| drop(captain.showing().send().expect(201)));
    }

    /// Both add to the seed.
    #[track_caller]
    pub fn add_seeds(&self) -> &Sides {
        self.settle();
        self.show_seeds();
        self
    }

    /// Home calls; gives the winner and the other.
    #[track_caller]
    pub fn toss(&self) -> [&Captain; 2] {
        let call = json!({"caller": "home", "call": "heads"});
        let tossed = self.home.post("/toss", &call).expect(201);
        self.sorted(&tossed["events"][0]["data"]["winner"])
    }

    /// A match in which the orders of the first over are due: home bats.
    #[track_caller]
    pub fn in_play(client: &Client, asked: &Value) -> Sides {
        let sides = Sides::meet(client, asked);
        let [winner, _] = sides.add_seeds().toss();
        let to = if winner.side == "home" { "bat" } else { "bowl" };
        winner.post("/toss/decision", &json!({"to": to})).expect(201);
        sides
    }

    /// Two claimed sides of a match that one scorer records, after the toss.
    #[track_caller]
    pub fn in_play_at_the_table(client: &Client, asked: &Value) -> Sides {
        let sides = Sides::meet(client, asked);
        sides.scorer.begin();
        sides
    }

    /// Both choose their cubes as dealt. Gives the event of the over.
    #[track_caller]
    pub fn choose_as_dealt(&self) -> Value {
        self.home.chooses(&self.home.hand());
        self.away.chooses(&self.away.hand())["events"][1].clone()
    }

    /// The over is bowled, six balls or fewer.
    #[track_caller]
    pub fn bowl_over(&self) {
        for captain in self.captains().into_iter().cycle().take(6) {
            let bowled = captain.post("/balls", &json!({})).expect(201);
            if bowled["next"]["kind"] == "over" || bowled["next"]["what"] == "order" {
                return;
            }
        }
    }

    /// The match is given up, so that its seeds are open; its log is audited.
    #[track_caller]
    pub fn give_up_and_audit(&self) {
        self.scorer.post("/abandonment", &json!({"reason": "enough"})).expect(201);
        self.audits_clean();
    }

    /// The log of a match that is over holds, by the service's audit and by that of a program that has only
    /// the log.
    #[track_caller]
    pub fn audits_clean(&self) {
        let report = self.scorer.get("/audit").expect(200);
        assert_eq!(report["verdict"], "clean", "{report}");
        assert!(report["proved"].to_string().contains("the seed fits its commitment"), "{report}");
        let log = self.scorer.get("/log");
        let report = third_umpire::audit::audit(log.body.as_slice(), None).expect("a log");
        assert_eq!(report.verdict, third_umpire::audit::Verdict::Clean, "{report}");
    }
}

//! Plans of hand-overs by chance: each answer may be lost, each phone may die, each repeat may come late, two
//! may scan one code, and somebody may photograph it. A model says what each request has to come to. At every
//! moment one token can append play, and in the end a phone that lives can, or the key of the table gives the
//! right back.
//!
//! `HAND_OVER_PLANS` is how many plans there are, and `HAND_OVER_SEED` the seed of the first.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use third_umpire_test_support::on_own_stores;
use third_umpire_test_support::service::{
    Answer, Client, Cup, Deployment, Match, Request, Serving, fresh_hex, sha256, table, with,
};
use uuid::Uuid;

const ADMIN: &str = "keys-to-the-pavilion";
/// The steps of a plan.
const STEPS: usize = 14;
/// The phones of a plan.
const PHONES: usize = 4;
/// A head that no match has.
const NO_HEAD: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// What a phone asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Wish {
    Offer { by: String, invite: String },
    Stop { by: String },
    Claim { invite: String, token: String },
    Rotate { by: String, token: String },
    Ball { by: String },
}

/// A request as it was sent first. A repeat has the same key.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Sent {
    wish: Wish,
    key: String,
}

/// A phone: what its view has stored, and what it has not been answered.
#[derive(Debug, Default)]
struct Phone {
    is_dead: bool,
    token: Option<String>,
    replaced: Vec<String>,
    shows: Option<String>,
    unanswered: Option<Sent>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum InviteState {
    Stands,
    Used,
    Ended,
}

/// What the service has to know.
#[derive(Debug)]
struct Truth {
    scorer: String,
    way_back: Option<String>,
    invite: Option<(String, InviteState)>,
    offered: BTreeMap<String, Value>,
    /// The answers to claims and rotations, by the token that they issued.
    issued: BTreeMap<String, Value>,
    /// The answers to balls, by key.
    balls: BTreeMap<String, Value>,
}

impl Truth {
    fn is_valid(&self, token: &str) -> bool {
        token == self.scorer || token == ADMIN
    }

    /// The status that a request has to be answered with.
    fn expected(&self, wish: &Wish) -> u16 {
        match wish {
            Wish::Offer { by, .. } if self.is_valid(by) => 201,
            Wish::Stop { by } if self.is_valid(by) => 204,
            Wish::Ball { by } if *by == self.scorer => 201,
            Wish::Claim { token, .. } | Wish::Rotate { token, .. } if self.issued.contains_key(token) => 201,
            Wish::Rotate { by, .. } if self.is_valid(by) || self.way_back.as_ref() == Some(by) => 201,
            Wish::Claim { invite, .. } => match &self.invite {
                Some((known, InviteState::Stands)) if known == invite => 201,
                Some((known, InviteState::Used)) if known == invite => 409,
                _ => 403,
            },
            Wish::Offer { .. } | Wish::Stop { .. } | Wish::Ball { .. } | Wish::Rotate { .. } => 403,
        }
    }

    /// The first answer to a request that comes again.
    fn first(&self, sent: &Sent) -> Option<&Value> {
        match &sent.wish {
            Wish::Offer { invite, .. } => self.offered.get(invite),
            Wish::Claim { token, .. } | Wish::Rotate { token, .. } => self.issued.get(token),
            Wish::Ball { .. } => self.balls.get(&sent.key),
            Wish::Stop { .. } => None,
        }
    }

    /// Takes in a request that was carried out.
    fn carry_out(&mut self, sent: &Sent, answer: Value) {
        match &sent.wish {
            Wish::Offer { invite, .. } => {
                self.offered.insert(invite.clone(), answer);
                self.invite = Some((invite.clone(), InviteState::Stands));
            }
            Wish::Stop { .. } => self.end_invite(),
            Wish::Claim { invite, token } => {
                self.invite = Some((invite.clone(), InviteState::Used));
                self.way_back = Some(std::mem::replace(&mut self.scorer, token.clone()));
                self.issued.insert(token.clone(), answer);
            }
            Wish::Rotate { token, .. } => {
                self.end_invite();
                self.way_back = None;
                self.scorer.clone_from(token);
                self.issued.insert(token.clone(), answer);
            }
            Wish::Ball { .. } => {
                self.way_back = None;
                self.balls.insert(sent.key.clone(), answer);
            }
        }
    }

    fn end_invite(&mut self) {
        if let Some((_, state)) = &mut self.invite
            && *state == InviteState::Stands
        {
            *state = InviteState::Ended;
        }
    }
}

/// A plan in progress.
struct Plan {
    cup: Cup,
    client: Client,
    id: String,
    truth: Truth,
    phones: Vec<Phone>,
    /// Copies of requests that the network still has.
    late: Vec<Sent>,
    /// Every secret that there was.
    secrets: Vec<String>,
}

fn fresh_token() -> String {
    format!("tu_{}", fresh_hex())
}

impl Plan {
    /// Creates a match whose first answers may be lost.
    fn begin(client: &Client, seed: u64) -> Plan {
        let mut cup = Cup::new(seed);
        let (id, scorer) = (Uuid::now_v7().to_string(), fresh_token());
        let body = with(with(table(50), "/id", json!(id)), "/token_sha256", json!(sha256(&scorer)));
        let create = || {
            client.request("POST", "/v1/matches").json(&body).token(ADMIN).key("create").send().expect(201)
        };
        let first = create();
        (1..cup.throw(3)).for_each(|_| assert_eq!(create(), first));
        Match { client: client.clone(), id: id.clone(), token: scorer.clone() }.begin();
        let phones =
            (0..PHONES).map(|n| Phone { token: (n == 0).then(|| scorer.clone()), ..Phone::default() });
        let truth = Truth {
            scorer: scorer.clone(),
            way_back: None,
            invite: None,
            offered: BTreeMap::new(),
            issued: BTreeMap::new(),
            balls: BTreeMap::new(),
        };
        let (phones, secrets) = (phones.collect(), vec![scorer]);
        Plan { cup, client: client.clone(), id, truth, phones, late: Vec::new(), secrets }
    }

    fn chance(&mut self, of: u64) -> bool {
        self.cup.throw(of) == 1
    }

    fn secret(&mut self) -> String {
        let secret = fresh_token();
        self.secrets.push(secret.clone());
        secret
    }

    fn request(&self, Sent { wish, key }: &Sent) -> Request {
        let post = |path: &str| self.client.request("POST", &format!("/v1/matches/{}{path}", self.id));
        match wish {
            Wish::Offer { by, invite } => {
                post("/tokens/scorer/invite").token(by).json(&json!({"invite_sha256": sha256(invite)}))
            }
            Wish::Stop { by } => {
                let path = format!("/v1/matches/{}/tokens/scorer/invite", self.id);
                self.client.request("DELETE", &path).token(by)
            }
            Wish::Claim { invite, token } => {
                post("/tokens/claim").json(&json!({"invite": invite, "token_sha256": sha256(token)})).key(key)
            }
            Wish::Rotate { by, token } => {
                post("/tokens/scorer/rotate").token(by).json(&json!({"token_sha256": sha256(token)})).key(key)
            }
            Wish::Ball { by } => post("/balls").token(by).json(&json!({"dice": [2, 3]})).key(key),
        }
    }

    /// Delivers a request, and holds its answer against the model.
    fn deliver(&mut self, sent: &Sent) -> Answer {
        let answer = self.request(sent).send();
        let expected = self.truth.expected(&sent.wish);
        assert_eq!(answer.status, expected, "{sent:?} was answered {}\n{:?}", answer.text(), self.truth);
        if answer.status < 300 {
            let body = if answer.status == 204 { Value::Null } else { answer.json() };
            match self.truth.first(sent) {
                Some(first) => assert_eq!(body, *first, "{sent:?} came again"),
                None => self.truth.carry_out(sent, body),
            }
        }
        answer
    }

    /// A phone sends a request. The request may be lost, and so may its answer; the network may keep a copy.
    fn send(&mut self, phone: usize, sent: Sent) {
        if self.chance(4) {
            self.late.push(sent.clone());
        }
        self.phones[phone].unanswered = Some(sent.clone());
        if self.chance(6) {
            return;
        }
        let answer = self.deliver(&sent);
        if !self.chance(3) {
            self.take_in(phone, &sent, answer.status);
        }
    }

    /// A phone sees an answer.
    fn take_in(&mut self, phone: usize, sent: &Sent, status: u16) {
        let phone = &mut self.phones[phone];
        phone.unanswered = None;
        match (&sent.wish, status) {
            (Wish::Offer { invite, .. }, 201) => phone.shows = Some(invite.clone()),
            (Wish::Stop { .. }, 204) => phone.shows = None,
            (Wish::Claim { token, .. } | Wish::Rotate { token, .. }, 201) => {
                phone.replaced.extend(phone.token.replace(token.clone()));
                phone.shows = None;
            }
            _ => {}
        }
    }

    fn wish(&mut self, phone: usize, wish: Wish) {
        let key = fresh_hex();
        self.send(phone, Sent { wish, key });
    }

    /// One step: what a phone, the network or somebody at the table does.
    fn step(&mut self) {
        let phone = self.cup.throw(PHONES as u64) as usize - 1;
        if self.phones[phone].is_dead {
            return self.deliver_late();
        }
        // A phone repeats what it was not answered before it asks for anything else.
        if let Some(sent) = self.phones[phone].unanswered.clone() {
            return if self.chance(2) { self.send(phone, sent) } else { self.deliver_late() };
        }
        let held = self.phones[phone].token.clone();
        match (self.cup.throw(10), held) {
            (1..=3, Some(by)) => {
                let invite = self.secret();
                self.wish(phone, Wish::Offer { by, invite });
            }
            (4, Some(by)) => self.wish(phone, Wish::Stop { by }),
            (5..=6, Some(by)) => self.wish(phone, Wish::Ball { by }),
            (7, Some(_)) => self.score_here_again(phone),
            (8, _) => {
                self.phones[phone] = Phone { is_dead: true, ..Phone::default() };
            }
            (9, _) => self.deliver_late(),
            (_, _) => self.scan(phone),
        }
    }

    /// A phone scans a code that somebody shows, or has photographed it long ago.
    fn scan(&mut self, phone: usize) {
        let invites: Vec<String> = self.truth.offered.keys().cloned().collect();
        let standing = self.truth.invite.clone().filter(|_| self.cup.throw(3) > 1).map(|(invite, _)| invite);
        let Some(invite) = standing.or_else(|| (!invites.is_empty()).then(|| self.cup.pick(&invites))) else {
            return;
        };
        let token = self.secret();
        self.wish(phone, Wish::Claim { invite, token });
    }

    /// A phone asks to score here again, with a token that it has held.
    fn score_here_again(&mut self, phone: usize) {
        let Phone { token, replaced, .. } = &self.phones[phone];
        let held: Vec<String> = replaced.iter().chain(token).cloned().collect();
        let (by, token) = (self.cup.pick(&held), self.secret());
        self.wish(phone, Wish::Rotate { by, token });
    }

    /// The network delivers a copy of an earlier request.
    fn deliver_late(&mut self) {
        if !self.late.is_empty() {
            let sent = self.cup.pick(&self.late);
            self.deliver(&sent);
        }
    }

    /// Holds every secret against the model: the scorer's token alone can append play. The head is one that
    /// no match has, so nothing is appended.
    fn check_rights(&self) {
        for secret in &self.secrets {
            let ball = self.request(&Sent { wish: Wish::Ball { by: secret.clone() }, key: fresh_hex() });
            let status = ball.if_match(NO_HEAD).send().status;
            let can = *secret == self.truth.scorer;
            assert_eq!(status, if can { 412 } else { 403 }, "{secret}\n{:?}", self.truth);
        }
    }

    /// Nobody can do anything with a code that was used, stopped or is old.
    fn check_codes(&mut self) {
        let invites: Vec<String> = self.truth.offered.keys().cloned().collect();
        let stands = self.truth.invite.clone().filter(|(_, state)| *state == InviteState::Stands);
        for invite in
            invites.into_iter().filter(|invite| stands.as_ref().is_none_or(|(one, _)| one != invite))
        {
            let sent = Sent { wish: Wish::Claim { invite, token: fresh_token() }, key: fresh_hex() };
            let status = self.deliver(&sent).status;
            assert!([403, 409].contains(&status));
        }
    }

    /// Ends the plan: who lives is answered. Returns how somebody came to play on.
    fn end(mut self) -> &'static str {
        for phone in 0..PHONES {
            if let Some(sent) = self.phones[phone].unanswered.clone() {
                let status = self.deliver(&sent).status;
                self.take_in(phone, &sent, status);
            }
        }
        self.check_codes();
        self.check_rights();
        let alive = || self.phones.iter().filter(|phone| !phone.is_dead);
        let held = |token: &String| alive().any(|phone| phone.token.as_ref() == Some(token));
        let gave = self.truth.way_back.clone().filter(|way_back| {
            alive().any(|phone| phone.token.iter().chain(&phone.replaced).any(|token| token == way_back))
        });
        let how = if held(&self.truth.scorer) {
            "a phone that lives scores"
        } else if let Some(by) = gave {
            let sent = Sent { wish: Wish::Rotate { by, token: fresh_token() }, key: fresh_hex() };
            self.deliver(&sent).has_status(201);
            "the one that gave scores again"
        } else {
            let (invite, token) = (fresh_token(), fresh_token());
            let offer = Wish::Offer { by: ADMIN.to_owned(), invite: invite.clone() };
            self.deliver(&Sent { wish: offer, key: fresh_hex() }).has_status(201);
            self.deliver(&Sent { wish: Wish::Claim { invite, token }, key: fresh_hex() }).has_status(201);
            "the key of the table gives the right back"
        };
        let ball = Wish::Ball { by: self.truth.scorer.clone() };
        self.deliver(&Sent { wish: ball, key: fresh_hex() }).has_status(201);
        let played = Match { client: self.client.clone(), id: self.id.clone(), token: String::new() };
        let balls = played.events().iter().filter(|event| event["kind"] == "ball").count();
        assert_eq!(balls, self.truth.balls.len(), "every ball is in the book once");
        played.audits_clean();
        how
    }
}

/// A number from the environment.
fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
}

fn play(deployment: &Deployment, plans: u64) {
    let service = deployment.serve_as(Serving { arguments: &["--admin-token", ADMIN], ..Serving::default() });
    let (plans, first) = (number("HAND_OVER_PLANS", plans), number("HAND_OVER_SEED", 1));
    let mut ends: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in first..first + plans {
        println!("plan with HAND_OVER_SEED={seed} HAND_OVER_PLANS=1");
        let mut plan = Plan::begin(service.client(), seed);
        for _ in 0..STEPS {
            plan.step();
            plan.check_rights();
        }
        *ends.entry(plan.end()).or_default() += 1;
    }
    println!("{plans} plans from seed {first}: {ends:?}");
}

on_own_stores!(one_phone_can_play_at_every_moment_of_a_hand_over, |deployment| play(deployment, 100));

mod many_plans {
    use third_umpire_test_support::service::{Deployment, Engine};

    #[test]
    #[ignore = "1,000 plans on each store take minutes"]
    fn one_phone_can_play_at_every_moment_of_a_thousand_plans() {
        for engine in [Engine::Sqlite, Engine::Postgres] {
            Deployment::in_process(engine, |deployment| super::play(deployment, 1_000));
        }
    }
}

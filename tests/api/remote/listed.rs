//! The requests that a remote match lists: each of them is one that some token may send.

use std::collections::BTreeSet;

use crate::remote::board_game::board;
use serde_json::{Value, json};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::random::Lcg;
use third_umpire_test_support::service::{Captain, Service, Sides, remote, with};

/// A remote match that is played by its requests alone.
struct Listed {
    sides: Sides,
    random: Lcg,
    /// The steps, each with a request that was sent for it.
    sent: BTreeSet<String>,
}

/// Puts a value at the place that an ask names.
fn put(body: &mut Value, at: &str, value: Value) {
    *at.split('.').fold(body, |inner, member| &mut inner[member]) = value;
}

impl Listed {
    fn captain(&self, side: &Value) -> &Captain {
        if *side == "home" { &self.sides.home } else { &self.sides.away }
    }

    /// The body of a request, with all that it needs.
    fn body(&mut self, what: &Value, request: &Value) -> Value {
        let mut body = request["body"].clone();
        let side = body["side"].clone();
        match what.as_str() {
            Some("seed_commitment") => {
                let captain = self.captain(&side);
                body["hash"] = json!(captain.hash_of_seed(&captain.client_seed));
            }
            Some("client_seed") => body["client_seed"] = json!(self.captain(&side).client_seed),
            _ => {}
        }
        for ask in request["asks"].as_array().expect("asks").iter().filter(|ask| ask["required"] == true) {
            let options = ask["options"].as_array().unwrap_or_else(|| panic!("{ask} has options"));
            let legal: Vec<&Value> = options.iter().filter(|option| option["why_not"].is_null()).collect();
            let value = legal[self.random.below(legal.len())]["value"].clone();
            put(&mut body, ask["at"].as_str().expect("a place"), value);
        }
        body
    }

    /// Sends one of the requests, first one that was not sent yet for this step. Some token may send it.
    fn step(&mut self) -> bool {
        let next = self.sides.scorer.view()["next"].clone();
        let requests = next["requests"].as_array().expect("requests").clone();
        if requests.is_empty() {
            return false;
        }
        let named =
            |request: &Value| format!("{}: {} {}", next["what"], request["operation"], request["body"]);
        let fresh = requests.iter().find(|request| !self.sent.contains(&named(request)));
        let request = fresh.unwrap_or_else(|| &requests[self.random.below(requests.len())]);
        let body = self.body(&next["what"], request);
        let base = self.sides.scorer.path("");
        let path = request["path"].as_str().and_then(|path| path.strip_prefix(&base)).expect("a path of it");
        let Sides { home, away, scorer } = &self.sides;
        let mut answers = Vec::new();
        let is_taken = [&home.seat, &away.seat, scorer].into_iter().any(|seat| {
            let answer = seat.post(path, &body);
            answers.push(answer.text().to_owned());
            answer.status == 201
        });
        assert!(is_taken, "{next}: {request} with {body}: {answers:#?}");
        self.sent.insert(named(request));
        true
    }
}

/// Plays a match to its end, and returns the steps with what was sent for them.
fn played(service: &Service, request: &Value, seed: u64) -> BTreeSet<String> {
    let sides = Sides::create(service.client(), request);
    let mut listed = Listed { sides, random: Lcg(seed), sent: BTreeSet::new() };
    while listed.step() {}
    assert_eq!(listed.sides.scorer.view()["status"], "completed");
    listed.sides.audits_clean();
    listed.sent
}

/// Asserts that each of these stands among the requests that were sent.
fn has(sent: &BTreeSet<String>, due: &[&str]) {
    for due in due {
        assert!(sent.contains(*due), "{due} was not sent: {sent:#?}");
    }
}

on_both_stores!(every_request_that_remote_cuberoots_lists_is_one_that_a_token_may_send, |service| {
    let sent = played(service, &remote(2), 7);
    has(
        &sent,
        &[
            r#""toss": "make_toss" {"caller":"home"}"#,
            r#""order": "make_choice" {"choice":{},"for":"order","side":"home"}"#,
            r#""order": "make_choice" {"choice":{},"for":"order","side":"away"}"#,
            r#""ball": "bowl_ball" {}"#,
        ],
    );
});

on_both_stores!(every_request_that_the_remote_board_game_lists_is_one_that_a_token_may_send, |service| {
    // A run or a review may be due or not, as the dice fall.
    let sent = played(service, &board(), 3);
    has(
        &sent,
        &[
            r#""delivery": "make_choice" {"choice":{},"for":"delivery","side":"away"}"#,
            r#""over": "begin_over" {}"#,
        ],
    );
});

on_both_stores!(in_remote_play_each_side_calls_the_toss_for_itself, |service| {
    let sides = Sides::create(service.client(), &with(remote(1), "/client_seeds", json!("both")));
    sides.add_seeds();
    let requests = sides.scorer.view()["next"]["requests"].as_array().expect("requests").clone();
    let told: Vec<Value> = requests
        .iter()
        .map(|one| json!([one["body"], one["asks"].as_array().map(Vec::len), one["asks"][0]["side"]]))
        .collect();
    assert_eq!(told, [json!([{"caller": "home"}, 1, "home"]), json!([{"caller": "away"}, 1, "away"])]);
});

on_both_stores!(a_seed_is_asked_for_by_its_pattern, |service| {
    let sides = Sides::create(service.client(), &remote(1));
    let legal = |sides: &Sides| sides.scorer.view()["next"]["legal"].clone();
    let pattern = json!({"pattern": "^[0-9a-f]{64}$"});
    assert_eq!(legal(&sides), json!({"hash": pattern}));
    sides.commit_seeds();
    assert_eq!(legal(&sides), json!({"client_seed": pattern}));
});

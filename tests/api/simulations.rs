//! `POST /v1/simulations`, `GET /v1/simulations/{id}`, `POST /v1/simulations/{id}/cancel`. Simulations are
//! not stored, so one engine is enough.

use serde_json::{Value, json};
use third_umpire_test_support::service::{Answer, Client, Deployment, Engine, Serving, run, until, with};

const SEED: &str = "5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed";
/// The largest number of matches, for a simulation that is surely running while a test reads it.
const LONG: u64 = 1_000_000;

fn simulation_request(overs: u64, matches: u64) -> Value {
    json!({"game": "howzat", "rules": {"overs": overs}, "matches": matches, "seed": SEED})
}

fn submit(client: &Client, request: &Value) -> Answer {
    client.post("/v1/simulations", request)
}

/// The path of a simulation that was accepted.
#[track_caller]
fn accepted(client: &Client, request: &Value) -> String {
    let answer = submit(client, request);
    let simulation = answer.expect(202)["simulation"].clone();
    let place = format!("/v1/simulations/{}", simulation["id"].as_str().expect("an id"));
    assert_eq!(answer.header("location"), place);
    place
}

#[track_caller]
fn look(client: &Client, place: &str) -> Value {
    client.get(place).expect(200)["simulation"].clone()
}

#[track_caller]
fn cancel(client: &Client, place: &str) -> Value {
    client.request("POST", &format!("{place}/cancel")).send().expect(200)["simulation"].clone()
}

/// Waits until a simulation is over, and returns it.
#[track_caller]
fn finished(client: &Client, place: &str) -> Value {
    until("the simulation is over", || {
        !["waiting", "running"].contains(&look(client, place)["status"].as_str().expect("a status"))
    });
    look(client, place)
}

fn deployed(scenario: impl FnOnce(&Deployment)) {
    Deployment::in_process(Engine::Sqlite, scenario);
}

#[test]
fn a_simulation_comes_to_the_result_the_command_line_prints() {
    deployed(|deployment| {
        let never = json!({"overs": 1, "sixes_off_extras": "never"});
        let place =
            accepted(deployment.client(), &with(simulation_request(1, 300), "/compare", never.clone()));
        let simulation = finished(deployment.client(), &place);
        assert_eq!((&simulation["status"], &simulation["done"]), (&json!("completed"), &json!(300)));
        assert_eq!((&simulation["seed"], &simulation["matches"]), (&json!(SEED), &json!(300)));
        assert_eq!(simulation["rules"]["max_overs_per_bowler"], 1, "every option is written out");
        assert_eq!(simulation["compare"]["sixes_off_extras"], "never");
        let never = never.to_string();
        let arguments =
            ["--matches", "300", "--seed", SEED, "--rules", r#"{"overs":1}"#, "--compare", &never];
        let printed = run(&[&["simulate", "--game", "howzat", "--format", "json"][..], &arguments].concat());
        let printed: Value = serde_json::from_slice(&printed.stdout).expect("the program prints JSON");
        assert_eq!(simulation["result"], printed);
        let again = deployment.client().get(&place);
        assert_eq!(again.tag(), deployment.client().get(&place).tag(), "the answer does not change any more");
    });
}

#[test]
fn the_sides_choose_by_the_policies_they_are_given() {
    deployed(|deployment| {
        let client = deployment.client();
        let request = json!({"game": "cuberoots", "matches": 30, "seed": SEED, "away_policy": "random"});
        let simulation = finished(client, &accepted(client, &request));
        let policies = json!({"home": "dealt", "away": "random"});
        assert_eq!((&simulation["policies"], &simulation["result"]["policies"]), (&policies, &policies));
        let arguments = ["--game", "cuberoots", "--matches", "30", "--seed", SEED, "--away-policy", "random"];
        let printed = run(&[&["simulate", "--format", "json"][..], &arguments].concat());
        let printed: Value = serde_json::from_slice(&printed.stdout).expect("the program prints JSON");
        assert_eq!(simulation["result"], printed);
        submit(client, &with(request, "/home_policy", json!("clever")))
            .refused(422, "illegal-input")
            .at("body.home_policy");
    });
}

#[test]
fn a_simulation_draws_a_seed_and_shows_it() {
    deployed(|deployment| {
        let seeds = [(), ()].map(|()| {
            let place = accepted(deployment.client(), &json!({"game": "howzat", "matches": 1}));
            let simulation = finished(deployment.client(), &place);
            assert_eq!(simulation["result"]["seed"], simulation["seed"]);
            simulation["seed"].as_str().expect("a seed").to_owned()
        });
        assert!(seeds[0] != seeds[1] && seeds.iter().all(|seed| seed.len() == 64), "{seeds:?}");
    });
}

#[test]
fn it_goes_on_in_the_background_until_it_is_cancelled_and_a_match_can_be_played_meanwhile() {
    deployed(|deployment| {
        let client = deployment.client();
        let place = accepted(client, &simulation_request(50, LONG));
        until("the simulation has played a match", || look(client, &place)["done"].as_u64() > Some(0));
        let simulation = look(client, &place);
        assert_eq!((&simulation["status"], &simulation["result"]), (&json!("running"), &Value::Null));
        deployment.create(&third_umpire_test_support::service::table(1)).play_step();
        for _ in 0..2 {
            let cancelled = cancel(client, &place);
            assert_eq!((&cancelled["status"], &cancelled["result"]), (&json!("cancelled"), &Value::Null));
        }
        let next = accepted(client, &simulation_request(1, 1));
        assert_eq!(finished(client, &next)["status"], "completed", "the next one has its turn");
        assert_eq!(look(client, &place)["status"], "cancelled");
        assert_eq!(
            cancel(client, &next)["status"],
            "completed",
            "a simulation that is over cannot be cancelled"
        );
    });
}

#[test]
fn no_more_can_wait_than_eight_and_cancelling_one_makes_room() {
    deployed(|deployment| {
        let client = deployment.client();
        let running = accepted(client, &simulation_request(50, LONG));
        until("the simulation is running", || look(client, &running)["status"] == "running");
        let waiting: Vec<String> = (0..8).map(|_| accepted(client, &simulation_request(50, LONG))).collect();
        assert_eq!(look(client, &waiting[7])["status"], "waiting");
        let full = submit(client, &simulation_request(1, 1));
        full.refused(503, "simulations-full").says(&["8"]);
        assert_eq!(full.header("retry-after"), "10");
        assert_eq!(cancel(client, &waiting[3])["status"], "cancelled");
        let last = accepted(client, &simulation_request(1, 1));
        for place in waiting.iter().chain([&running]) {
            assert_eq!(cancel(client, place)["status"], "cancelled");
        }
        assert_eq!(finished(client, &last)["status"], "completed");
    });
}

#[test]
fn the_last_hundred_that_are_over_are_kept() {
    deployed(|deployment| {
        let client = deployment.client();
        let places: Vec<String> = (0..103)
            .map(|_| {
                let place = accepted(client, &simulation_request(1, 1));
                finished(client, &place);
                place
            })
            .collect();
        client.get(&places[0]).refused(404, "no-such-simulation");
        assert_eq!(look(client, &places[3])["status"], "completed");
    });
}

#[test]
fn a_refused_simulation_names_the_field() {
    deployed(|deployment| {
        let client = deployment.client();
        for (matches, words) in [(json!(0), "1 to 1000000"), (json!(1_000_001), "1 to 1000000")] {
            let refusal = submit(client, &with(simulation_request(1, 1), "/matches", matches));
            refusal.refused(422, "illegal-input").at("body.matches").says(&[words]);
        }
        for (at, value, location) in [
            ("/matches", json!(-1), "body.matches"),
            ("/matches", json!(1.5), "body.matches"),
            ("/matches", json!("many"), "body.matches"),
            ("/game", json!("hurling"), "body.game"),
            ("/seed", json!("5eed"), "body.seed"),
            ("/rules", json!([]), "body.rules"),
            ("/rules", json!({"overs": 0}), "body.rules.overs"),
            ("/compare", json!({"overs": 51}), "body.compare.overs"),
            ("/compare", json!({"over": 1}), "body.compare.over"),
        ] {
            let refusal = submit(client, &with(simulation_request(1, 1), at, value));
            refusal.refused(422, "illegal-input").at(location);
        }
        submit(client, &json!({"game": "howzat"})).refused(422, "needs-input");
        submit(client, &with(simulation_request(1, 1), "/threads", json!(64))).refused(422, "illegal-input");
        let broken = client.request("POST", "/v1/simulations").raw("application/json", "{").send();
        broken.refused(400, "malformed-json");
        for id in ["0192f0c1-2345-7abc-8def-0123456789ab", "nonsense"] {
            client.get(&format!("/v1/simulations/{id}")).refused(404, "no-such-simulation");
            let cancelled = client.request("POST", &format!("/v1/simulations/{id}/cancel")).send();
            cancelled.refused(404, "no-such-simulation");
        }
    });
}

#[test]
fn simulating_needs_the_admin_token_of_the_service() {
    deployed(|deployment| {
        let service =
            deployment.serve_as(Serving { arguments: &["--admin-token", "geheim"], ..Serving::default() });
        let client = service.client();
        submit(client, &simulation_request(1, 1)).refused(401, "token-missing");
        let with_token = |path: &str, token: &str| client.request("POST", path).token(token);
        with_token("/v1/simulations", "other")
            .json(&simulation_request(1, 1))
            .send()
            .refused(403, "token-refused");
        let answer = with_token("/v1/simulations", "geheim").json(&simulation_request(50, LONG)).send();
        answer.expect(202);
        let place = answer.header("location");
        assert_eq!(look(client, place)["matches"], LONG, "anybody may look");
        let cancel = format!("{place}/cancel");
        client.request("POST", &cancel).send().refused(401, "token-missing");
        with_token(&cancel, "other").send().refused(403, "token-refused");
        assert_eq!(with_token(&cancel, "geheim").send().expect(200)["simulation"]["status"], "cancelled");
    });
}

#[test]
fn a_service_that_stops_does_not_wait_for_a_simulation() {
    deployed(|deployment| {
        let service = deployment.serve();
        let place = accepted(service.client(), &simulation_request(50, LONG));
        until("the simulation is running", || look(service.client(), &place)["status"] == "running");
        accepted(service.client(), &simulation_request(50, LONG));
        service.terminate();
        assert_eq!(service.ended(), Some(0));
    });
}

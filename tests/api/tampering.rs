//! Rows of the log that are changed with all rights on the database: the audit names the event.

use serde_json::{Value, json};
use third_umpire_test_support::on_own_stores;
use third_umpire_test_support::service::{
    Deployment, Match, Mending, chained, forge, run, seeded, table, until, with,
};

/// A match at the table: event 5 is a four, event 6 a wicket, event 7 a dot ball.
fn at_the_table(deployment: &Deployment) -> Match {
    let played = deployment.create(&table(2));
    played.begin();
    for dice in [&[2, 4][..], &[2, 5], &[2, 3], &[2, 1], &[1, 2], &[2, 6]] {
        played.bowl(dice);
    }
    deployment.database().drop_triggers();
    played
}

/// A seeded match that is over.
fn from_a_seed(deployment: &Deployment) -> Match {
    let played = deployment.create(&with(seeded(1), "/seed", json!("51".repeat(32))));
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    deployment.database().drop_triggers();
    played
}

/// Asserts that the audit diverges at this event, by one of these checks.
#[track_caller]
fn diverges(played: &Match, seq: u64, checks: &[&str]) -> Value {
    let report = played.get("/audit").expect(200);
    assert_eq!(
        (&report["verdict"], &report["divergence"]["seq"]),
        (&json!("diverges"), &json!(seq)),
        "{report}"
    );
    let findings = report["divergence"]["findings"].as_array().expect("findings");
    let finding = findings.iter().find(|finding| checks.iter().any(|check| finding["check"] == *check));
    let finding = finding.unwrap_or_else(|| panic!("{checks:?} find nothing: {report}"));
    assert!(finding["message"].as_str().is_some_and(|text| text.len() > 10), "{finding}");
    finding.clone()
}

fn rulings(event: &mut Value) -> &mut Vec<Value> {
    event["data"]["outcome"]["rulings"].as_array_mut().expect("rulings")
}

const RULES: &[&str] = &["rules"];
const ANY: &[&str] = &["rules", "data"];

/// A change to an event, and the checks that may find it where the chain is mended.
type Forgery = (u64, fn(&mut Value), &'static [&'static str]);

const FORGERIES: &[Forgery] = &[
    (5, |event| event["data"]["dice"][1]["value"] = json!(6), RULES),
    (5, |event| event["data"]["outcome"]["runs"] = json!({"batter": 2, "extras": 0, "total": 2}), RULES),
    (6, |event| event["data"]["outcome"]["wicket"] = Value::Null, RULES),
    (7, |event| rulings(event).truncate(1), RULES),
    (7, |event| rulings(event).push(json!("howzat.strike.6")), RULES),
    (7, |event| event["data"]["outcome"]["striker"] = json!("Knott"), ANY),
    (7, |event| event["data"]["choices"]["next_batter"] = json!("Knott"), ANY),
    (8, |event| event["data"]["dice"][0]["value"] = json!(7), ANY),
    (8, |event| event["data"]["dice"].as_array_mut().expect("dice").clear(), ANY),
    (8, |event| event["data"]["over"] = json!(2), ANY),
    (8, |event| event["data"]["mood"] = json!("grim"), ANY),
    (4, |event| event["data"]["choices"]["bowler"] = json!("Lyon"), ANY),
    (2, |event| event["data"]["winner"] = json!("away"), ANY),
    (1, |event| event["data"]["rules"]["overs"] = json!(60), ANY),
];

on_own_stores!(a_changed_row_breaks_the_chain_at_its_event, |deployment| {
    let played = at_the_table(deployment);
    let original = played.events();
    for (seq, change, _) in FORGERIES {
        forge(deployment.database(), &played, *seq, Mending::Nothing, change);
        diverges(&played, *seq, &["chain"]);
        forge(deployment.database(), &played, *seq, Mending::Nothing, |event| {
            *event = original[*seq as usize - 1].clone()
        });
        assert_eq!(played.get("/audit").expect(200)["verdict"], "clean", "the original event is back");
    }
});

on_own_stores!(the_rules_find_a_forged_ball_under_a_mended_chain, |deployment| {
    let played = at_the_table(deployment);
    let original = played.events();
    for (seq, change, checks) in FORGERIES {
        forge(deployment.database(), &played, *seq, Mending::Chain, change);
        diverges(&played, *seq, checks);
        forge(deployment.database(), &played, *seq, Mending::Chain, |event| {
            *event = original[*seq as usize - 1].clone()
        });
        assert_eq!(played.get("/audit").expect(200)["verdict"], "clean", "the original event is back");
    }
});

/// Changes a ball of a seeded match into another that the rules allow: a die, and all that follows from it.
fn another_ball(event: &mut Value) {
    let outcome = &mut event["data"]["outcome"];
    let runs =
        if outcome["runs"]["batter"] == 2 { (0, 3, "howzat.strike.3") } else { (2, 2, "howzat.strike.2") };
    outcome["runs"] = json!({"batter": runs.0, "extras": 0, "total": runs.0});
    (outcome["boundary"], outcome["rulings"]) = (Value::Null, json!(["howzat.bowl.legal", runs.2]));
    event["data"]["dice"][1]["value"] = json!(runs.1);
}

/// Whether a ball has a strike that counts for the batter and does not make the batters cross.
fn is_plain(event: &Value) -> bool {
    let outcome = &event["data"]["outcome"];
    event["kind"] == "ball"
        && [0, 2].map(|runs| json!(runs)).contains(&outcome["runs"]["batter"])
        && outcome["rulings"][0] == "howzat.bowl.legal"
        && outcome["rulings"].as_array().map(Vec::len) == Some(2)
}

on_own_stores!(the_seed_finds_a_forged_ball_that_keeps_the_rules, |deployment| {
    let played = from_a_seed(deployment);
    let events = played.events();
    // The ball is of the first innings: a run more or less there would change the result.
    let at = events.iter().position(is_plain).expect("there is such a ball");
    let seq = at as u64 + 1;
    forge(deployment.database(), &played, seq, Mending::Nothing, another_ball);
    diverges(&played, seq, &["chain"]);
    forge(deployment.database(), &played, seq, Mending::Chain, |_| {});
    let finding = diverges(&played, seq, &["seed"]);
    assert_eq!(finding["differences"][0]["field"], "dice[1].value");
    assert_eq!(finding["differences"][0]["expected"], events[at]["data"]["dice"][1]["value"]);
});

on_own_stores!(another_seed_does_not_fit_the_commitment, |deployment| {
    let played = from_a_seed(deployment);
    let last = played.head().seq;
    forge(deployment.database(), &played, last, Mending::Chain, |event| {
        event["data"]["seeds"]["server_seed"] = json!("52".repeat(32))
    });
    let finding = diverges(&played, last, &["seed"]);
    assert!(finding["message"].as_str().is_some_and(|text| text.contains("commit")), "{finding}");
    forge(deployment.database(), &played, last, Mending::Chain, |event| {
        event["data"]["seeds"]["server_seed"] = json!("51".repeat(32));
        event["data"]["seeds"]["match_seed"] = json!("00".repeat(32));
    });
    diverges(&played, last, &["seed"]);
});

on_own_stores!(another_commitment_is_found_once_the_seed_is_open, |deployment| {
    let played = from_a_seed(deployment);
    forge(deployment.database(), &played, 1, Mending::Chain, |event| {
        event["data"]["commitment"] = json!("00".repeat(32))
    });
    let report = played.get("/audit").expect(200);
    assert_eq!(report["verdict"], "diverges");
    assert_eq!(report["divergence"]["findings"][0]["check"], "seed");
});

on_own_stores!(another_result_is_not_what_the_balls_come_to, |deployment| {
    let played = from_a_seed(deployment);
    let last = played.head().seq;
    forge(deployment.database(), &played, last, Mending::Chain, |event| {
        event["data"]["result"]["margin"] = json!({"runs": 999})
    });
    let finding = diverges(&played, last, &["rules"]);
    assert!(finding["differences"].to_string().contains("margin"), "{finding}");
});

/// Moves an event by a minute, which no rule can notice.
fn a_minute_later(event: &mut Value) {
    let at = event["at"].as_str().expect("a time").to_owned();
    let minute = if &at[14..16] == "59" { "58" } else { "59" };
    event["at"] = json!(format!("{}{minute}{}", &at[..14], &at[16..]));
}

on_own_stores!(the_chain_and_a_known_head_prove_members_without_a_rule, |deployment| {
    let played = at_the_table(deployment);
    let (seen, original) = (played.head(), played.events());
    forge(deployment.database(), &played, 6, Mending::Nothing, a_minute_later);
    diverges(&played, 6, &["chain"]);
    forge(deployment.database(), &played, 6, Mending::ItsHash, |_| {});
    diverges(&played, 7, &["chain"]);
    forge(deployment.database(), &played, 6, Mending::Chain, |_| {});
    assert_ne!(played.events(), original);
    assert_eq!(played.get("/audit").expect(200)["verdict"], "clean", "the log alone proves nothing");
    let query = format!("/v1/audits?expect_head={}", seen.hash);
    let log = played.get("/log").text().to_owned();
    let report =
        deployment.client().request("POST", &query).raw("application/x-ndjson", log).send().expect(200);
    assert_eq!(report["verdict"], "diverges");
    assert_eq!(report["divergence"]["findings"][0]["check"], "head");
});

/// Restores the store to where the match had this number of events, as from a backup.
fn put_back(deployment: &Deployment, played: &Match, to: u64) {
    let (id, head) = (deployment.database().id(&played.id), &played.events()[to as usize - 1]["hash"]);
    let hash = head.as_str().expect("a hash");
    for sql in [
        format!("delete from events where match_id = {id} and seq > {to}"),
        format!("update heads set seq = {to}, hash = '{hash}' where match_id = {id}"),
    ] {
        assert!(deployment.database().run(&sql).expect("the triggers are gone") > 0);
    }
}

on_own_stores!(a_store_put_back_to_an_earlier_state_is_played_on_from_there, |deployment| {
    deployment.client();
    deployment.database().drop_triggers();
    for balls_since in [0, 1, 2, 3, 4] {
        let here = deployment.create(&table(2));
        here.begin();
        [&[2, 3], &[2, 4], &[2, 5]].into_iter().for_each(|dice| drop(here.bowl(dice)));
        put_back(deployment, &here, 5);
        let service = deployment.serve();
        let there = here.through(service.client());
        (0..balls_since).for_each(|_| drop(there.bowl(&[2, 1])));
        until("both instances see the forgery", || here.view() == there.view());
        assert_eq!(here.bowl(&[2, 6])["score"]["innings"][0]["runs"], balls_since + 6);
        chained(&here.events());
        here.audits_clean();
    }
});

on_own_stores!(the_check_names_a_row_that_is_missing_or_moved, |deployment| {
    let played = at_the_table(deployment);
    let id = deployment.database().id(&played.id);
    let run = |sql: &str| {
        deployment.database().run(&format!("{sql} and match_id = {id}")).expect("the triggers are gone")
    };
    assert_eq!(run("update events set seq = 100 where seq = 6"), 1);
    let report = played.get("/audit").expect(200);
    assert_eq!(
        (&report["verdict"], &report["divergence"]["findings"][0]["check"]),
        (&json!("diverges"), &json!("chain"))
    );
    assert!([6, 7].map(|seq| json!(seq)).contains(&report["divergence"]["seq"]), "{report}");
    run("update events set seq = 6 where seq = 100");
    played.audits_clean();
    let cut = played.head().seq;
    assert_eq!(run(&format!("delete from events where seq = {cut}")), 1);
    assert_eq!(played.get("/audit").expect(200)["verdict"], "diverges", "the last event is gone");
});

on_own_stores!(the_file_of_a_forged_log_says_the_same_offline, |deployment| {
    let played = at_the_table(deployment);
    forge(deployment.database(), &played, 5, Mending::Chain, FORGERIES[0].1);
    let file = deployment.folder().join("match.ndjson");
    std::fs::write(&file, played.get("/log").text()).expect("the folder is ours");
    let audited = run(&["audit", &file.display().to_string()]);
    let report = String::from_utf8_lossy(&audited.stdout).into_owned();
    assert_eq!(audited.status.code(), Some(1), "{report}");
    for words in ["DIVERGES at event 5", "delivery 1 (innings 1, 0.1)", "howzat.strike.6", "six runs"] {
        assert!(report.contains(words), "no {words:?} in {report}");
    }
});

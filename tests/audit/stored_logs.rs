//! Logs of every schema version that was ever written, kept as files: they are audited clean for ever.
//!
//! A file here is never written again. When a schema version or a game is new, add its logs with
//! `cargo test --test audit -- --ignored stored_logs`, which leaves those that are there as they are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value, json};
use third_umpire::audit::{Verdict, audit};
use third_umpire::games::BUILT_IN;
use third_umpire::log::{
    Actor, Amendment, Cascade, DisputeFinding, Event, EventData, Head, LogReader, SCHEMA_VERSION, TossChoice,
};
use third_umpire::matches::corrections::{
    BallAnswer, CorrectionTarget, DecidedAnew, MissingBall, MissingKnown, RefitAnswers, TossAnew,
};
use third_umpire::scorebook::Side;
use third_umpire_test_support::logs::{
    HEADS, Log, LogMaker, Setting, adjudicated_to_the_end, amends, corrected_remote_match, every_stored_log,
    remote_board_game, remote_match, scripted, stands, stored_folder, stored_heads, stored_logs,
    striker_agreed_on, with_edition,
};

#[test]
fn every_log_that_was_ever_written_is_clean_and_the_one_it_was() {
    for version in 1..=SCHEMA_VERSION {
        let heads = stored_heads(version);
        assert_eq!(heads.keys().collect::<Vec<_>>(), stored_logs(version).keys().collect::<Vec<_>>());
        for (name, head) in heads {
            let bytes = std::fs::read(stored_folder(version).join(&name)).unwrap();
            let report = audit(&*bytes, Some(&head)).unwrap();
            assert_eq!(report.verdict, Verdict::Clean, "{name}: {report}");
        }
    }
}

/// The stored report of each stored log, from the version of the program that first wrote the log. Two lines
/// of howzat-seeded-corrected were taken out since: the next batter of delivery 18 has the same place in
/// another list, and the one that delivery 19 had before was already in.
fn stored_reports() -> BTreeMap<String, Value> {
    serde_json::from_str(include_str!("stored_reports.json")).unwrap()
}

/// A report without the places of its deliveries, which the stored reports do not have.
fn without_places(mut report: Value) -> Value {
    match &mut report {
        Value::Object(members) => {
            members.retain(|name, _| !matches!(name.as_str(), "place" | "void_from_place"));
            members.values_mut().for_each(|value| *value = without_places(value.take()));
        }
        Value::Array(values) => values.iter_mut().for_each(|value| *value = without_places(value.take())),
        _ => {}
    }
    report
}

#[test]
fn every_stored_log_audits_to_the_report_it_always_had() {
    let mut reports = stored_reports();
    for (name, log) in every_stored_log() {
        let report = reports.remove(&name).unwrap_or_else(|| panic!("no report of {name}"));
        let now = serde_json::to_value(audit(log.text().as_bytes(), None).unwrap()).unwrap();
        assert_eq!(without_places(now), without_places(report), "{name}");
    }
    assert_eq!(reports.keys().collect::<Vec<_>>(), [""; 0], "reports of no stored log");
}

#[test]
fn every_stored_event_is_written_again_byte_for_byte_with_its_version() {
    let mut versions = BTreeMap::new();
    for (name, log) in every_stored_log() {
        for line in log.event_lines() {
            let file = format!("{line}\n");
            let (raw, entry) = LogReader::new(file.as_bytes()).next().expect("a line").unwrap();
            let event = raw.read().unwrap();
            let before = Head { seq: event.seq - 1, hash: event.prev.clone() };
            let (again, sealed) =
                Event::seal(event.match_id, &before, event.at, event.actor, event.data.clone()).unwrap();
            assert_eq!((&again, &sealed), (&event, &entry), "{name}");
            assert_eq!(sealed.line(), line, "{name}");
            *versions.entry((event.v, event.data.kind())).or_insert(0) += 1;
        }
    }
    let later: Vec<&str> = versions.keys().filter(|(v, _)| *v > 1).map(|(_, kind)| *kind).collect();
    assert_eq!(later, ["ball", "correction", "correction_proposed", "toss"]);
}

/// The places that the balls of a log give to each delivery, void ones too.
fn places_in(log: &Log) -> BTreeSet<(u64, String)> {
    let events = log.events();
    let balls = events.iter().filter(|event| event["kind"] == "ball").map(|event| &event["data"]);
    let number = |ball: &Value, name: &str| ball[name].as_u64().unwrap();
    balls
        .map(|ball| {
            let place = json!({
                "innings": ball["innings"], "over": ball["over"], "ball": ball["ball"],
                "text": format!("{}.{}", number(ball, "over") - 1, ball["ball"]),
            });
            (number(ball, "delivery"), place.to_string())
        })
        .collect()
}

/// The deliveries that a value names, each with the place beside it.
fn named_deliveries(value: &Value, found: &mut Vec<(u64, String)>) {
    match value {
        Value::Object(members) => {
            let named = ["delivery", "amends", "voids_from"].map(|name| members.get(name));
            let delivery = named.into_iter().flatten().find_map(Value::as_u64);
            // An amendment has the shape of the log, and its correction has the place.
            if let Some(delivery) = delivery.filter(|_| !members.contains_key("cascade")) {
                found.push((delivery, members["place"].to_string()));
            }
            if let Some(void_from) = members.get("void_from").and_then(Value::as_u64) {
                found.push((void_from, members["void_from_place"].to_string()));
            }
            members.values().for_each(|value| named_deliveries(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| named_deliveries(value, found)),
        _ => {}
    }
}

#[test]
fn every_delivery_of_a_stored_logs_report_has_a_place_that_its_ball_had() {
    let mut seen = 0;
    for (name, log) in every_stored_log() {
        let places = places_in(&log);
        let report = serde_json::to_value(audit(log.text().as_bytes(), None).unwrap()).unwrap();
        let mut named = Vec::new();
        named_deliveries(&report, &mut named);
        seen += named.len();
        for delivery in named {
            assert!(places.contains(&delivery), "{name}: {delivery:?}");
        }
    }
    assert!(seen > 20, "{seen} deliveries are named");
}

#[test]
fn there_are_logs_of_every_version_of_every_game_and_of_both_kinds_of_dice() {
    let mut seen = BTreeSet::new();
    for version in 1..=SCHEMA_VERSION {
        let logs = stored_logs(version);
        assert!(!logs.is_empty(), "there is no log of version {version}");
        for (name, log) in logs {
            let events = log.events();
            let highest = events.iter().filter_map(|event| event["v"].as_u64()).max();
            assert_eq!(highest, Some(u64::from(version)), "{name} is not of version {version}");
            let created = &events[0]["data"];
            seen.insert((created["game"].as_str().unwrap().to_owned(), created["dice"].to_string()));
        }
    }
    for game in BUILT_IN.games() {
        for dice in ["\"seeded\"", "\"table\""] {
            assert!(
                seen.contains(&(game.info.id.to_owned(), dice.to_owned())),
                "no log of {} with {dice} dice",
                game.info.id
            );
        }
    }
}

fn named<'a>(events: &'a [Value], name: impl Fn(&'a Value) -> Option<&'a str>) -> BTreeSet<&'a str> {
    events.iter().filter_map(name).collect()
}

#[test]
fn the_stored_logs_hold_every_kind_of_event_every_wicket_and_every_ruling_of_a_ball() {
    let events: Vec<Value> = every_stored_log().values().flat_map(Log::events).collect();
    let kinds = named(&events, |event| event["kind"].as_str());
    for kind in EventData::KINDS {
        assert!(kinds.contains(kind), "no {kind}");
    }
    let wickets = named(&events, |event| event["data"]["outcome"]["wicket"]["kind"].as_str());
    for wicket in ["bowled", "caught", "caught and bowled", "lbw", "stumped", "run out"] {
        assert!(wickets.contains(wicket), "nobody is {wicket}");
    }
    let cited: BTreeSet<&str> = events
        .iter()
        .flat_map(|event| [&event["data"]["outcome"]["rulings"], &event["data"]["rulings"]])
        .filter_map(Value::as_array)
        .flat_map(|rulings| rulings.iter().filter_map(Value::as_str))
        .collect();
    // The rulings of an over, of a choice and most of a review are refusals: a log that cites one of them
    // would not be clean.
    const VERDICTS: [&str; 3] = [".review.struck_down", ".review.umpires_call", ".review.upheld"];
    let verdict = |id: &str| VERDICTS.iter().any(|verdict| id.ends_with(verdict));
    const OF_REFUSALS: [&str; 5] = [".over.", ".ball.", ".squad.", ".set_up.", ".field."];
    let refusal =
        |id: &str| OF_REFUSALS.iter().any(|of| id.contains(of)) || (id.contains(".review.") && !verdict(id));
    for ruling in
        BUILT_IN.games().iter().flat_map(|game| game.info.rulings).filter(|ruling| !refusal(ruling.id))
    {
        assert!(cited.contains(ruling.id), "no ball is decided by {}", ruling.id);
    }
}

#[test]
fn the_stored_logs_are_refused_with_other_line_ends_and_were_not_checked_out_with_them() {
    for version in 1..=SCHEMA_VERSION {
        for (name, log) in stored_logs(version) {
            let other = log.text().replace('\n', "\r\n");
            let broken = audit(other.as_bytes(), None).unwrap_err().to_string();
            assert!(broken.starts_with("line 1: ") && broken.contains("carriage return"), "{name}: {broken}");
            let stored = std::fs::read_to_string(stored_folder(version).join(&name)).unwrap();
            assert_eq!(stored, log.text(), "{name} was checked out with other line ends");
        }
    }
}

/// The logs to be stored for each game, long enough that every ruling comes up.
fn new_logs() -> Vec<(String, Log)> {
    let mut logs = Vec::new();
    for game in BUILT_IN.games().iter().filter(|game| game.editions.is_none()) {
        let setting = |rules: Value| Setting { game: game.info.id, rules, ..Setting::default() };
        let (for_seed, for_table) = match game.info.id {
            "howzat" => (
                json!({"overs": 12}),
                json!({"overs": 12, "sixes_off_extras": "never", "max_overs_per_bowler": 2}),
            ),
            "cuberoots" => (
                json!({"variant": "test", "colours": {"home": 4, "away": 2}}),
                json!({"overs": 12, "roll_a_cube": true, "end_at_target": true}),
            ),
            other => panic!("say here with which options {other} comes to all its rulings"),
        };
        let seeded = setting(for_seed).seeded().tossed().played_out_at_random();
        logs.push((format!("{}-seeded.ndjson", game.info.id), seeded));
        let table = setting(for_table).table().tossed().played_out_at_random();
        logs.push((format!("{}-table.ndjson", game.info.id), table));
        let abandoned = setting(json!({})).seeded().tossed().rolled(15).abandoned("rain");
        logs.push((format!("{}-abandoned.ndjson", game.info.id), abandoned));
        let seeded = setting(json!({"overs": 4})).seeded().tossed();
        logs.push((format!("{}-seeded-corrected.ndjson", game.info.id), corrected(seeded)));
        let table = setting(json!({"overs": 4})).table().tossed();
        logs.push((format!("{}-table-corrected.ndjson", game.info.id), corrected(table)));
    }
    let reviewed = || Setting { rules: json!({"overs": 12, "drs": "house"}), ..Setting::default() };
    logs.push((
        "howzat-seeded-reviewed.ndjson".to_owned(),
        reviewed().seeded().tossed().played_out_reviewing(),
    ));
    let mut table = reviewed().table().home_bats();
    while table.the_match().reviews().open().is_none() {
        table = table.rolled(1);
    }
    // An umpire's call is rare with other dice.
    logs.push(("howzat-table-reviewed.ndjson".to_owned(), table.reviewed(4).played_out_reviewing()));
    logs.push(("howzat-table-reported-toss.ndjson".to_owned(), reported_toss()));
    logs.extend(of_the_board());
    logs.push(("howzat-table-put-right.ndjson".to_owned(), put_right()));
    logs.push(("howzat-table-bats-on.ndjson".to_owned(), batted_on()));
    logs.push(("howzat-table-tossed-anew.ndjson".to_owned(), tossed_anew()));
    logs.push(("cuberoots-remote-restored.ndjson".to_owned(), restored_remotely()));
    logs.push(("howzat-table-settled.ndjson".to_owned(), adjudicated_to_the_end()));
    logs.push(("cuberoots-remote-corrected.ndjson".to_owned(), corrected_remote_match()));
    // Caught and bowled is rare with other dice.
    logs.push(("howzat-scripted.ndjson".to_owned(), scripted()));
    logs.push(("cuberoots-refilled.ndjson".to_owned(), one_sided()));
    logs.push(("cuberoots-remote.ndjson".to_owned(), remote_match()));
    logs
}

/// A match whose toss was reported, taken back, called with a coin, taken back, and reported for the other
/// side.
fn reported_toss() -> Log {
    let maker = Setting::overs(4).table().toss_reported(Side::Home).at_random(3);
    let maker =
        maker.corrected(CorrectionTarget::FromEvent(2), "the coin was tossed again").tossed().at_random(2);
    let toss = maker.last_toss();
    maker
        .corrected(CorrectionTarget::FromEvent(toss), "Rovers had won it")
        .toss_reported(Side::Away)
        .played_out_at_random()
}

/// A match in which older balls are put right by refit, and corrections are brought back and taken back.
fn put_right() -> Log {
    let balls: [&[i64]; 9] =
        [&[2, 1], &[1, 2], &[2, 4], &[6, 5], &[2, 2], &[2, 3], &[2, 1], &[2, 6], &[2, 1]];
    let refit = |delivery| Amendment { cascade: Cascade::Refit, ..amends(delivery) };
    let back = |maker: LogMaker| {
        let last = maker.last_correction();
        maker.restored(last, "it was right before")
    };
    let maker = Setting::overs(2).table().home_bats().balls(balls).disputed(8, "no six", Side::Away);
    let maker = back(maker.amended(refit(2), Some(&[2, 2]), "it was no wide"));
    let maker = back(back(maker.amended(refit(4), Some(&[2, 2]), "the 6 was a 2")));
    let maker = back(maker.voided_from(6, "a slip")).balls([&[2, 2]]);
    maker.amended(refit(3), Some(&[1, 1, 3]), "a no-ball").played_out_at_random()
}

/// A match whose first innings goes on after corrections: a ball that nobody knows, one that is known, and an
/// end by agreement, which is brought back and stays. Who faced is agreed on.
fn batted_on() -> Log {
    let balls: [&[i64]; 8] = [&[2, 1], &[2, 2], &[2, 4], &[2, 1], &[2, 2], &[2, 3], &[2, 1], &[2, 3]];
    let refit = |delivery| Amendment { cascade: Cascade::Refit, ..amends(delivery) };
    let to_wide = |maker: LogMaker, delivery, known| {
        let missing = vec![MissingBall { innings: 1, known }];
        let answers = RefitAnswers { missing, ..RefitAnswers::default() };
        let target = CorrectionTarget::Amend(refit(delivery), Some(vec![1, 2]), answers);
        maker.corrected(target, "it was wide")
    };
    let known = MissingKnown::Bowled(BallAnswer { dice: vec![2, 1], ..BallAnswer::default() });
    let maker = Setting::overs(1).table().home_bats().balls(balls);
    let maker = to_wide(maker, 2, MissingKnown::Unknown);
    let maker = to_wide(maker, 4, known);
    let maker = to_wide(maker, 1, MissingKnown::Ended).voided_from(7, "a slip");
    let last = maker.last_correction();
    let maker = maker.restored(last, "it was none");
    let maker = maker.amended(striker_agreed_on(3, "Wanderers 2", Cascade::Refit), None, "who faced");
    maker.amended(refit(6), Some(&[2, 6]), "a six").played_out_at_random()
}

/// A match whose toss is decided anew, so that the other side bats, and then anew with another winner.
fn tossed_anew() -> Log {
    let anew = |maker: LogMaker, anew| {
        let target = CorrectionTarget::Anew(anew, RefitAnswers::default());
        maker.corrected(target, "the coin was misread")
    };
    let maker = Setting::overs(2).table().toss_reported(Side::Home).at_random(9);
    let maker = anew(maker, DecidedAnew::TossDecided(TossChoice::Bowl));
    let maker = anew(maker, DecidedAnew::Toss(TossAnew::Reported(Side::Away), None));
    let last = maker.last_correction();
    maker.restored(last, "Wanderers had won it").played_out_at_random()
}

/// A remote match in which both sides take a ball back, and both bring it back.
fn restored_remotely() -> Log {
    let maker = Setting::remote(1).seeded().joined().home_calls();
    let winner = maker.winner();
    let maker = maker.calls_until_timeout(winner.other());
    let maker = maker.chosen(Side::Home).chosen(Side::Away).over_bowled();
    let maker = maker.as_actor(Actor::Home).voided_from(4, "the wrong cube").consents(Side::Away);
    let last = maker.last_correction();
    let maker = maker.as_actor(Actor::Away).restored(last, "the right one").consents(Side::Home);
    maker.chosen(Side::Home).chosen(Side::Away).over_bowled().log()
}

/// Matches of the board game in which every question is answered and every review asked for.
fn of_the_board() -> Vec<(String, Log)> {
    let mut logs = Vec::new();
    for format in ["t10", "t20"] {
        let rules = || json!({"format": format, "drs": "on"});
        let seeded = cup(rules()).seeded().set_up_by_default().tossed().answering_at_random(u32::MAX).log();
        let table = cup(rules()).table().set_up_by_default().tossed().answering_at_random(u32::MAX).log();
        logs.push((format!("cricket-the-game-{format}-seeded.ndjson"), with_edition(seeded)));
        logs.push((format!("cricket-the-game-{format}-table.ndjson"), with_edition(table)));
    }
    logs.push(("cricket-the-game-remote.ndjson".to_owned(), with_edition(remote_board_game())));
    logs
}

/// A match of the board game whose sides have names as in other games.
fn cup(rules: Value) -> Setting {
    let mut setting = Setting::board_game(rules);
    (setting.home.name, setting.away.name) = ("Wanderers".to_owned(), "Rovers".to_owned());
    setting
}

/// A match with every kind of correction: deliveries, an over and the toss are voided, deliveries are amended
/// and get agreed outcomes, once more after the end. Two disputes are ruled on, a third stays open.
fn corrected(maker: LogMaker) -> Log {
    let maker = maker.at_random(2).corrected(CorrectionTarget::FromEvent(2), "nobody saw the coin").tossed();
    let maker = maker.at_random(14).disputed(9, "not the ball that was bowled", Side::Home);
    let maker = maker.voided_from(9, "entered twice").at_random(8);
    let maker = maker.ruled(1, "it was not", DisputeFinding::Amended).with_umpire();
    let fifth = first_that_can_be_five(&maker);
    let maker = maker.disputed(fifth, "the umpire had called five", Side::Away);
    let maker = maker.amended(five(fifth), None, "all remember it so");
    let maker = maker.as_actor(Actor::Umpire).ruled(2, "they do", DisputeFinding::AsStood);
    let maker = maker.as_actor(Actor::Scorer).at_random(3);
    let over = maker.last_over();
    let maker = maker.corrected(CorrectionTarget::FromEvent(over), "another was to bowl").at_random(1);
    let plain = Amendment { cascade: Cascade::VoidRest, ..amends(fifth) };
    let maker = maker.amended(plain, None, "they do not any more").at_random(u32::MAX);
    let last = first_that_can_be_five(&maker);
    maker
        .amended(five(last), None, "found when all was over")
        .disputed(last, "it was a six", Side::Home)
        .log()
}

fn first_that_can_be_five(maker: &LogMaker) -> u32 {
    (1..100)
        .find(|delivery| {
            maker.can_correct(&CorrectionTarget::Amend(five(*delivery), None, RefitAnswers::default()))
        })
        .unwrap()
}

/// An amendment to five runs off the bat, which no rule leads to.
fn five(delivery: u32) -> Amendment {
    let outcome = json!({"runs": {"batter": 5}, "extras": {}, "legal": true, "wicket": null});
    stands(delivery, outcome, "five were run")
}

/// A match whose bag makes home's innings end with its last wicket, and away's use the bag up: away's numbers
/// are all higher.
fn one_sided() -> Log {
    let bag: Value = (0..210).map(|k| json!([k % 3, 3 + k % 7, 0, 0, 0, 0])).collect();
    let rules = json!({"overs": 20, "bag": bag});
    Setting { game: "cuberoots", rules, ..Setting::default() }.seeded().tossed().played_out()
}

#[test]
#[ignore = "writes the logs of a schema version or a game that has none yet"]
fn write_the_logs_that_are_missing() {
    for (name, log) in new_logs() {
        let highest = log.events().iter().filter_map(|event| event["v"].as_u64()).max().unwrap();
        let folder = stored_folder(u32::try_from(highest).unwrap());
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join(&name);
        if !path.exists() {
            std::fs::write(path, log.text()).unwrap();
            let heads = std::fs::read_to_string(folder.join(HEADS)).unwrap_or_default();
            let head = format!("{}  {name}\n", log.head());
            std::fs::write(folder.join(HEADS), heads + &head).unwrap();
        }
    }
    let mut reports = stored_reports();
    for (name, log) in every_stored_log() {
        let report = || serde_json::to_value(audit(log.text().as_bytes(), None).unwrap()).unwrap();
        reports.entry(name).or_insert_with(report);
    }
    let lines: Vec<String> = reports.iter().map(|(name, report)| format!("{name:?}: {report}")).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("audit/stored_reports.json");
    std::fs::write(path, format!("{{\n{}\n}}\n", lines.join(",\n"))).unwrap();
}

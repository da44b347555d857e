//! Simulations of many matches from one seed: each is the match that the service would have played, and every
//! way of counting comes to the same result.

use serde_json::{Value, json};
use third_umpire::audit::{Verdict, audit_with};
use third_umpire::dice::{SeedSeries, ServerSeed};
use third_umpire::log::{Event, EventData, LogReader};
use third_umpire::matches::Match;
use third_umpire::rules::{Game, Place};
use third_umpire::scorebook::{BySide, InningsTally, MatchTally, Side, WicketKind};
use third_umpire::simulate::{Progress, Simulation, SimulationReport, Unfinished, match_log};
use third_umpire_test_support::coin_cricket::every_game;
use third_umpire_test_support::logs::{Setting, howzat, object};

const SEED: &str = "5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed";

fn seed() -> ServerSeed {
    ServerSeed::from_hex(SEED).expect("a seed")
}

fn simulation(rules: Value, compare: Option<Value>, matches: u64) -> Simulation {
    let compare = compare.map(object);
    Simulation::new(&every_game(), howzat(), &object(rules), compare.as_ref(), matches, seed())
        .expect("legal options")
}

fn run(simulation: &Simulation, threads: usize) -> SimulationReport {
    simulation.run(threads, &Progress::default(), None).expect("the simulation runs to its end")
}

/// Options of every kind that a game takes, for matches that are not too long.
fn all_options(game: &Game) -> Vec<Value> {
    match game.info.id {
        "howzat" => vec![
            json!({}),
            json!({"overs": 1}),
            json!({"overs": 3, "sixes_off_extras": "never"}),
            json!({"overs": 5, "max_overs_per_bowler": 5}),
            json!({"overs": 50}),
        ],
        "cuberoots" => vec![
            json!({}),
            json!({"overs": 1, "colours": {"home": 5, "away": 2}}),
            json!({"end_at_target": true, "roll_a_cube": true}),
            json!({"overs": 20, "variant": "test"}),
            json!({"overs": 4, "variant": "test", "end_at_target": true}),
        ],
        "cricket-the-game" => vec![
            json!({"format": "t10"}),
            json!({"format": "t10", "drs": "on"}),
            json!({"format": "t20"}),
            json!({"format": "t20", "drs": "off"}),
        ],
        "coin-cricket" => vec![json!({}), json!({"overs": 5}), json!({"overs": 20, "reviews": true})],
        "net-practice" => vec![json!({}), json!({"overs": 5})],
        other => panic!("say with what options {other} is simulated here"),
    }
}

/// The events of a log, as any reader gets them.
fn events(log: &str) -> Vec<Event> {
    let read = |line: Result<(third_umpire::log::RawEvent, _), _>| {
        line.expect("a line of a log").0.read().expect("an event")
    };
    LogReader::new(log.as_bytes()).map(read).collect()
}

/// The tally of a match, added up from its outcomes.
fn tally_of(events: &[Event]) -> MatchTally {
    let mut tally = None;
    let mut innings: Vec<InningsTally> = Vec::new();
    let mut bats_first = None;
    for event in events {
        match &event.data {
            EventData::TossDecided(decided) => bats_first = Some(decided.bats_first()),
            EventData::Ball(ball) => {
                innings.resize(usize::from(ball.innings), InningsTally::default());
                let (now, outcome) = (&mut innings[usize::from(ball.innings) - 1], &ball.outcome);
                now.runs += u32::from(outcome.runs.total);
                now.balls += u32::from(outcome.legal);
                let extras = serde_json::to_value(outcome.extras).expect("extras are JSON");
                for (sum, kind) in now.extras.iter_mut().zip(InningsTally::EXTRAS) {
                    *sum += extras[kind].as_u64().unwrap_or(0) as u32;
                }
                if let Some(wicket) = &outcome.wicket {
                    now.wickets += 1;
                    let kind = WicketKind::ALL.iter().position(|kind| *kind == wicket.kind);
                    now.dismissals[kind.expect("every kind is listed")] += 1;
                }
            }
            EventData::MatchCompleted(completed) => tally = Some(completed.result),
            EventData::MatchCreated(_)
            | EventData::Toss(_)
            | EventData::Over(_)
            | EventData::MatchAbandoned(_)
            | EventData::SetUp(_)
            | EventData::Roll(_)
            | EventData::Review(_)
            | EventData::SideClaimed(_)
            | EventData::TokenRotated(_)
            | EventData::SeedCommitted(_)
            | EventData::SeedContributed(_)
            | EventData::Choice(_)
            | EventData::ChoiceOpened(_)
            | EventData::ChoiceCalled(_)
            | EventData::Correction(_)
            | EventData::Restoration(_)
            | EventData::CorrectionProposed(_)
            | EventData::CorrectionConsented(_)
            | EventData::Dispute(_)
            | EventData::DisputeRuled(_) => {}
        }
    }
    MatchTally {
        bats_first: bats_first.expect("the toss is decided"),
        innings: innings.into(),
        result: tally.expect("the match is completed"),
    }
}

/// All pairs of policies for the two sides of a game.
fn all_policies(game: &Game) -> Vec<BySide<usize>> {
    let policies = 0..game.policies.len();
    policies.clone().flat_map(|home| policies.clone().map(move |away| BySide { home, away })).collect()
}

/// A match of the simulation before its toss, or before what precedes the toss.
fn to_be_played(simulation: &Simulation) -> Match {
    let rules = Value::Object(simulation.rules().clone());
    let created = Setting::of(simulation.game(), rules).open(Some(seed()));
    created.expect("legal options").the_match
}

#[test]
fn counting_alone_comes_to_what_the_log_of_the_same_match_does() {
    for game in every_game().registry().games() {
        for rules in all_options(game) {
            for policies in all_policies(game) {
                let name = |side| Some(game.policies[policies[side]]);
                let simulation =
                    Simulation::new(&every_game(), game, &object(rules.clone()), None, 1, seed())
                        .and_then(|simulation| simulation.with_policies(name(Side::Home), name(Side::Away)))
                        .expect("legal options");
                let the_match = to_be_played(&simulation);
                // Each game gets about as many matches, however many policies it has.
                for k in 1..=(12 / all_policies(game).len() as u64).max(1) {
                    let seed = SeedSeries::new(&seed()).server_seed(k);
                    let counted = the_match
                        .simulate_match(&seed.match_seed(&[]), policies)
                        .expect("the choices are legal");
                    let log = match_log(&simulation, k, &seed).expect("the choices are legal");
                    let tally = tally_of(&events(&log));
                    assert_eq!(counted, tally, "{} {rules} {policies:?}, match {k}", game.info.id);
                }
            }
        }
    }
}

#[test]
fn the_log_of_a_simulated_match_is_proved_by_the_audit() {
    for game in every_game().registry().games() {
        for rules in all_options(game) {
            let simulation =
                Simulation::new(&every_game(), game, &object(rules), None, 1, seed()).expect("legal options");
            for policy in game.policies {
                let simulation = simulation.clone().with_policies(Some(policy), None).expect("a policy");
                prove_logs(&simulation, 1..=1);
            }
        }
    }
    prove_logs(&simulation(json!({"overs": 3}), None, 1), 1..=10);
}

fn prove_logs(simulation: &Simulation, matches: std::ops::RangeInclusive<u64>) {
    for k in matches {
        let seed = SeedSeries::new(&seed()).server_seed(k);
        let log = match_log(simulation, k, &seed).expect("the choices are legal");
        assert_eq!(
            log,
            match_log(simulation, k, &seed).expect("the choices are legal"),
            "equal seeds make equal logs"
        );
        let report = audit_with(log.as_bytes(), None, every_game()).expect("the log is readable");
        assert_eq!(report.verdict, Verdict::Clean, "{report}");
        let events = events(&log);
        let Some(EventData::MatchCompleted(completed)) = events.last().map(|event| &event.data) else {
            panic!("the log ends with the result");
        };
        assert_eq!(completed.seeds.as_ref().expect("seeds").server_seed, seed.reveal());
        assert_eq!(events[0].match_id.get_version_num(), 8);
    }
}

/// The expected seeds are from OpenSSL: `printf 1 | openssl dgst -sha256 -mac HMAC -macopt hexkey:SEED`, and
/// likewise for 2 and 1000000.
#[test]
fn the_server_seed_of_a_match_is_the_hmac_of_its_number() {
    let series = SeedSeries::new(&seed());
    for (k, due) in [
        (1, "fbc89ca98816e5a2ec385bb315f2681f02c06bf6c24cf201b3b90401f06e1139"),
        (2, "840b39aad7af22ab8024222c1b76ac5ed6a25305b0f476d97333b4b03d31fd1a"),
        (1_000_000, "184b59c9df7b9a1facc493a2cb2060044959e029e42cb0506fdf1be3bfc59ec1"),
    ] {
        assert_eq!(series.server_seed(k).reveal(), due, "match {k}");
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_on_any_number_of_threads() {
    let simulation =
        simulation(json!({"overs": 2}), Some(json!({"overs": 2, "sixes_off_extras": "never"})), 1_000);
    let written = |threads| {
        let report = run(&simulation, threads);
        (report.to_string(), serde_json::to_string(&report).expect("a report is JSON"))
    };
    let one = written(1);
    for threads in [2, 7] {
        assert_eq!(one, written(threads), "{threads} threads");
    }
}

#[test]
fn every_match_is_counted_once() {
    for matches in [1, 63, 64, 65, 300] {
        let report = run(&simulation(json!({"overs": 1}), None, matches), 3);
        let results = report.summary.results;
        let of =
            |share: Option<third_umpire::simulate::EstimatedShare>| share.expect("matches were played").count;
        assert_eq!(of(results.batting_first) + of(results.batting_second) + of(results.ties), matches);
        for innings in &report.summary.innings {
            assert_eq!(innings.matches, matches);
            assert_eq!(innings.runs.histogram.counts.iter().sum::<u64>(), matches);
        }
    }
}

#[test]
fn a_report_counts_the_wins_of_the_side_that_batted_first_and_those_of_the_other() {
    let matches = 40;
    for game in every_game().registry().games() {
        let rules = object(all_options(game)[1].clone());
        let simulation =
            Simulation::new(&every_game(), game, &rules, None, matches, seed()).expect("legal options");
        let mut wins = [0; 3];
        for k in 1..=matches {
            let log = match_log(&simulation, k, &SeedSeries::new(&seed()).server_seed(k)).expect("a log");
            let tally = tally_of(&events(&log));
            match tally.result.winner {
                Some(winner) if winner == tally.bats_first => wins[0] += 1,
                Some(_) => wins[1] += 1,
                None => wins[2] += 1,
            }
        }
        assert!(wins[0] > 0 && wins[1] > 0 && wins[0] != wins[1], "{}: {wins:?} tells nothing", game.info.id);
        let results = run(&simulation, 2).summary.results;
        let counted = [results.batting_first, results.batting_second, results.ties];
        assert_eq!(counted.map(|share| share.expect("matches were played").count), wins, "{}", game.info.id);
    }
}

#[test]
fn options_compared_with_themselves_differ_in_nothing() {
    let rules = json!({"overs": 2});
    let report = run(&simulation(rules.clone(), Some(rules), 200), 2);
    let compare = report.compare.expect("there is something to compare with");
    assert_eq!(report.summary, compare.summary);
    let differences = serde_json::to_value(&compare.differences).expect("differences are JSON");
    assert_eq!(differences["innings"].as_array().expect("a list").len(), 2);
    let nothing = json!({"mean": 0.0, "low": 0.0, "high": 0.0, "excludes_zero": false});
    for innings in differences["innings"].as_array().expect("a list") {
        for of in ["runs", "wickets", "overs", "extras", "all_out"] {
            assert_eq!(innings[of], nothing, "{of}");
        }
    }
    for of in ["batting_first", "batting_second", "ties"] {
        assert_eq!(differences["results"][of], nothing, "{of}");
    }
}

#[test]
fn an_option_that_takes_runs_away_takes_them_away_in_the_same_matches() {
    let never = json!({"overs": 2, "sixes_off_extras": "never"});
    let report = run(&simulation(json!({"overs": 2}), Some(never), 500), 2);
    let differences =
        report.compare.as_ref().expect("there is something to compare with").differences.clone();
    let first = differences.innings[0];
    assert!(first.runs.excludes_zero && first.runs.mean < 0.0, "{first:?}");
    assert_eq!(
        (first.wickets.mean, first.overs.mean, first.extras.mean),
        (0.0, 0.0, 0.0),
        "the dice are the same"
    );
    let means = report.compare.expect("as before").summary.innings[0].runs.estimate.mean
        - report.summary.innings[0].runs.estimate.mean;
    assert!((means - first.runs.mean).abs() < 2e-4, "{means} {first:?}");
}

#[test]
fn a_simulation_that_is_stopped_says_how_far_it_came_and_has_no_result() {
    let progress = Progress::default();
    progress.stop();
    match simulation(json!({}), None, 1_000_000).run(2, &progress, None) {
        Err(Unfinished::Stopped { done: 0, matches: 1_000_000 }) => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_refused_simulation_names_its_options() {
    let refused = |rules: Value, compare: Option<Value>, matches: u64| {
        let compare = compare.map(object);
        let refusal =
            Simulation::new(&every_game(), howzat(), &object(rules), compare.as_ref(), matches, seed());
        refusal.expect_err("the simulation is refused").place
    };
    let field = |name: &str| Place::Field(name.to_owned());
    assert_eq!(refused(json!({}), None, 0), field("matches"));
    assert_eq!(refused(json!({}), None, Simulation::MOST + 1), field("matches"));
    assert_eq!(refused(json!({"overs": 0}), None, 1), field("rules.overs"));
    assert_eq!(refused(json!({}), Some(json!({"overs": 0})), 1), field("compare.overs"));
}

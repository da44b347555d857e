//! `simulate`: its result, the logs it writes, how it is stopped, and wrong arguments.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use third_umpire_test_support::program::{ProgramRun, Scratch, command, program, run};

const SEED: &str = "5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed";

/// The arguments of a simulation of Howzat from one seed, with these added.
fn howzat<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [&["simulate", "--game", "howzat", "--seed", SEED], arguments].concat()
}

fn simulate(arguments: &[&str]) -> ProgramRun {
    run(&howzat(arguments))
}

fn in_json(arguments: &[&str]) -> Value {
    let output = simulate(&[arguments, &["--format", "json"]].concat()).succeeded();
    serde_json::from_str(&output).unwrap()
}

fn files(folder: &str) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn numbered(matches: u64) -> BTreeSet<String> {
    (1..=matches).map(|k| format!("{k}.ndjson")).collect()
}

#[test]
fn it_prints_the_same_on_any_number_of_threads() {
    for format in ["text", "json"] {
        let with = |threads| {
            simulate(&[
                "--matches",
                "300",
                "--rules",
                r#"{"overs":2}"#,
                "--threads",
                threads,
                "--format",
                format,
            ])
            .succeeded()
        };
        assert_eq!(with("1"), with("2"));
    }
}

#[test]
fn the_text_fits_in_80_columns_and_has_everything_in_it() {
    let (rules, other) = (r#"{"overs":2}"#, r#"{"overs":2,"sixes_off_extras":"never"}"#);
    let output = simulate(&["--matches", "400", "--rules", rules, "--compare", other]).succeeded();
    for line in output.lines() {
        assert!(line.chars().count() <= 80 && line == line.trim_end(), "{line:?}");
    }
    for text in [
        "400 matches of howzat",
        SEED,
        "sixes_off_extras as_written",
        "Innings 1, played in 400 of them",
        "Innings 2, ",
        "median",
        "all out",
        "wickets",
        "overs",
        "run rate",
        "wides",
        "leg byes",
        "run out",
        "#####",
        "batting first",
        "ties",
        "sixes_off_extras never",
        "Differences",
    ] {
        assert!(output.contains(text), "{text:?} is missing in:\n{output}");
    }
}

#[test]
fn the_seed_it_took_from_the_system_gives_the_same_result_again() {
    let args =
        ["simulate", "--game", "howzat", "--matches", "20", "--rules", r#"{"overs":1}"#, "--format", "json"];
    let (first, other) = (run(&args).succeeded(), run(&args).succeeded());
    assert_ne!(first, other, "no two are alike");
    let seed = serde_json::from_str::<Value>(&first).unwrap()["seed"].as_str().unwrap().to_owned();
    assert_eq!(first, run(&[&args[..], &["--seed", &seed]].concat()).succeeded());
}

#[test]
fn a_single_match_has_no_spread_and_is_said_to_have_none() {
    let report = in_json(&["--matches", "1", "--rules", r#"{"overs":1}"#]);
    let runs = &report["innings"][0]["runs"];
    assert_eq!((&runs["sd"], &runs["low"], &runs["high"]), (&Value::Null, &Value::Null, &Value::Null));
    assert_eq!((&runs["min"], &runs["min"]), (&runs["max"], &runs["quantiles"][2]["value"]));
    assert!(simulate(&["--matches", "1"]).succeeded().starts_with("1 match of howzat"));
}

#[test]
fn more_threads_than_cores_are_not_used_and_it_says_so() {
    let ran = simulate(&["--matches", "5", "--rules", r#"{"overs":1}"#, "--threads", "5000"]);
    let cores = std::thread::available_parallelism().unwrap();
    assert!(ran.err.contains("5000") && ran.err.contains(&format!("playing on {cores}")), "{ran:?}");
    assert_eq!(ran.out, simulate(&["--matches", "5", "--rules", r#"{"overs":1}"#]).succeeded());
}

#[test]
fn the_environment_may_say_it_all() {
    let mut by_environment = command(&["simulate"]);
    for (name, value) in [
        ("GAME", "howzat"),
        ("MATCHES", "30"),
        ("SEED", SEED),
        ("RULES", r#"{"overs":1}"#),
        ("COMPARE", r#"{"overs":2}"#),
        ("THREADS", "1"),
        ("FORMAT", "json"),
    ] {
        by_environment.env(format!("THIRD_UMPIRE_{name}"), value);
    }
    let output = ProgramRun::of(by_environment.output().unwrap()).succeeded();
    let due = in_json(&["--matches", "30", "--rules", r#"{"overs":1}"#, "--compare", r#"{"overs":2}"#]);
    assert_eq!(serde_json::from_str::<Value>(&output).unwrap(), due);
}

#[test]
fn mistakes_in_asking_are_told_and_nothing_is_played() {
    let scratch = Scratch::new();
    let logs = scratch.file("logs");
    for (arguments, text) in [
        (&["--matches", "0"][..], "'--matches <N>': the number of matches is a whole number from 1 to"),
        (&["--matches", "-5"], "'--matches <N>': the number of matches is a whole number from 1 to"),
        (&["--matches", "1.5"], "'--matches <N>'"),
        (&["--matches", "99999999999999999999"], "'--matches <N>'"),
        (&["--matches", ""], "'--matches <N>'"),
        (&[], "--matches <N>"),
        (
            &["--matches", "5", "--threads", "0"],
            "'--threads <T>': the number of threads is a whole number, 1 or more",
        ),
        (&["--matches", "5", "--threads", "-1"], "'--threads <T>'"),
        (&["--matches", "5", "--rules", "overs 5"], "'--rules <JSON>': this is not JSON"),
        (&["--matches", "5", "--rules", "[5]"], "'--rules <JSON>': options are a JSON object"),
        (&["--matches", "5", "--rules", r#"{"overs": 0}"#], "--rules: overs is a whole number from 1 to 50"),
        (&["--matches", "5", "--rules", r#"{"over": 5}"#], "--rules: howzat has no option \"over\""),
        (&["--matches", "5", "--compare", r#"{"over": 5}"#], "--compare: howzat has no option \"over\""),
        (&["--matches", "5", "--compare", "{}", "--log-dir", &logs], "cannot be used with"),
        (&["--matches", "5", "--format", "xml"], "invalid value 'xml'"),
        (&["--matches", "5", "--overs", "5"], "unexpected argument '--overs'"),
    ] {
        let ran = simulate(arguments);
        assert!(
            ran.code == Some(2) && ran.out.is_empty() && ran.err.contains(text),
            "{arguments:?}: {ran:?}"
        );
    }
    for seed in ["", "5eed", &"5".repeat(63), &"5".repeat(65), &"x".repeat(64)] {
        let ran = run(&["simulate", "--game", "howzat", "--matches", "5", "--seed", seed]);
        assert!(ran.code == Some(2) && ran.err.contains("64 hexadecimal digits"), "{seed}: {ran:?}");
    }
    let ran = run(&["simulate", "--game", "hurling", "--matches", "5"]);
    assert!(ran.code == Some(2) && ran.err.contains("the games are howzat"), "{ran:?}");
    assert!(!Path::new(&logs).exists());
}

#[test]
fn the_logs_are_those_of_the_matches_it_counted_and_audit_clean() {
    let scratch = Scratch::new();
    let rules = r#"{"overs":1,"sixes_off_extras":"never"}"#;
    let mut written = Vec::new();
    for threads in ["1", "2"] {
        let folder = scratch.file(&format!("made/by/{threads}"));
        let report =
            in_json(&["--matches", "12", "--rules", rules, "--threads", threads, "--log-dir", &folder]);
        assert_eq!(files(&folder), numbered(12));
        let logs: Vec<String> = (1..=12)
            .map(|k| std::fs::read_to_string(Path::new(&folder).join(format!("{k}.ndjson"))).unwrap())
            .collect();
        assert_eq!(report, in_json(&["--matches", "12", "--rules", rules]));
        assert_eq!(runs_of(&logs), histogram_of(&report));
        written.push(logs);
    }
    assert_eq!(written[0], written[1], "the bytes do not depend on threads");
    for k in 1..=12 {
        let output = run(&["audit", &scratch.file(&format!("made/by/2/{k}.ndjson"))]).succeeded();
        assert!(output.starts_with("CLEAN") && output.contains("the seed fits its commitment"), "{output}");
    }
}

/// The runs of the first innings of each log, in order of size.
fn runs_of(logs: &[String]) -> Vec<u64> {
    let runs = |log: &String| {
        let events = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let balls = events.filter(|event| event["kind"] == "ball" && event["data"]["innings"] == 1);
        balls.map(|ball| ball["data"]["outcome"]["runs"]["total"].as_u64().unwrap()).sum()
    };
    let mut all: Vec<u64> = logs.iter().map(runs).collect();
    all.sort();
    all
}

/// The runs of first innings in the histogram of a report, whose bins have one value each.
fn histogram_of(report: &Value) -> Vec<u64> {
    let histogram = &report["innings"][0]["runs"]["histogram"];
    assert_eq!(histogram["width"], 1);
    let (from, counts) = (histogram["from"].as_u64().unwrap(), histogram["counts"].as_array().unwrap());
    (from..).zip(counts).flat_map(|(runs, count)| vec![runs; count.as_u64().unwrap() as usize]).collect()
}

#[test]
fn logs_go_into_an_empty_folder_only() {
    let scratch = Scratch::new();
    let (file, folder) = (scratch.write("file", "x"), scratch.file("."));
    for taken in [&file, &folder] {
        let ran = simulate(&["--matches", "2", "--log-dir", taken]);
        ran.failed(&["is not an empty folder"]);
    }
    simulate(&["--matches", "2", "--log-dir", &scratch.file("file/below")])
        .failed(&["file/below", "cannot be used"]);
    assert_eq!(files(&folder), BTreeSet::from(["file".to_owned()]));
    let empty = scratch.file("empty");
    std::fs::create_dir(&empty).unwrap();
    simulate(&["--matches", "2", "--rules", r#"{"overs":1}"#, "--log-dir", &empty]).succeeded();
    assert_eq!(files(&empty), numbered(2));
}

#[test]
fn a_disk_that_cannot_hold_a_billion_logs_is_not_filled() {
    let scratch = Scratch::new();
    let folder = scratch.file("logs");
    let ran = simulate(&["--matches", "1000000000", "--log-dir", &folder]);
    ran.failed(&["has room for", "1000000000 logs like the first need about"]);
    assert!(!Path::new(&folder).exists());
}

/// A limit on the size of files, below the size of some match's log, stands for a disk that fills up.
#[test]
fn a_log_that_cannot_be_written_leaves_nothing_half_written() {
    let scratch = Scratch::new();
    let sizes = scratch.file("sizes");
    let rules = r#"{"overs":1}"#;
    simulate(&["--matches", "40", "--rules", rules, "--log-dir", &sizes]).succeeded();
    let size = |k: u64| std::fs::metadata(format!("{sizes}/{k}.ndjson")).unwrap().len().div_ceil(1024);
    let limit = (1..=5).map(size).max().unwrap();
    let first = (1..=40).find(|k| size(*k) > limit).expect("a log longer than the first five");

    let logs = scratch.file("logs");
    let args = howzat(&["--matches", "40", "--threads", "1", "--rules", rules, "--log-dir", &logs]);
    let limited = format!("trap '' XFSZ; ulimit -f {limit}; exec \"$@\"");
    let mut shell = Command::new("bash");
    shell.args(["-c", &limited, "bash"]).arg(program()).args(args);
    let ran = ProgramRun::of(shell.output().unwrap());
    let came_to = format!("after {} of 40 matches", first - 1);
    ran.failed(&[&came_to, &format!("{first}.ndjson cannot be written")]);
    assert_eq!(files(&logs), numbered(first - 1));
}

#[test]
fn interrupted_it_says_how_far_it_came_and_has_no_result() {
    let scratch = Scratch::new();
    for signal in ["INT", "TERM"] {
        let folder = scratch.file(signal);
        let child = command(&howzat(&["--matches", "5000", "--log-dir", &folder]))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let begun = |folder: &str| Path::new(folder).exists() && !files(folder).is_empty();
        while !begun(&folder) {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let sent =
            Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let ran = ProgramRun::of(child.wait_with_output().unwrap());
        assert!(ran.code == Some(130) && ran.out.is_empty(), "{ran:?}");
        let done =
            ran.err.strip_prefix("third-umpire: stopped after ").and_then(|rest| rest.split(' ').next());
        let done: usize = done.and_then(|number| number.parse().ok()).expect("how far it came");
        assert!(done < 5000 && ran.err.ends_with(" of 5000 matches\n"), "{ran:?}");
        assert_eq!(files(&folder).len(), done, "every match it counts has its log, and no other is there");
        assert!(files(&folder).iter().all(|name| name.ends_with(".ndjson")));
    }
}

#[test]
fn a_result_that_cannot_be_written_is_no_success() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let args = howzat(&["--matches", "3", "--rules", r#"{"overs":1}"#]);
    ProgramRun::of(command(&args).stdout(full).output().unwrap()).failed(&["No space left"]);
}

#[test]
fn the_json_has_figures_of_four_decimals_at_most() {
    let report = in_json(&["--matches", "50", "--rules", r#"{"overs":1}"#, "--compare", "{}"]);
    fn check(value: &Value) {
        match value {
            Value::Array(items) => items.iter().for_each(check),
            Value::Object(members) => members.values().for_each(check),
            Value::Number(number) => {
                let written = number.to_string();
                let decimals = written.split_once('.').map_or(0, |(_, decimals)| decimals.len());
                assert!(decimals <= 4 && written != "-0.0", "{written}");
            }
            Value::Null | Value::Bool(_) | Value::String(_) => {}
        }
    }
    check(&report);
    assert_eq!(report["compare"]["rules"]["overs"], json!(20));
    assert_eq!(report["compare"]["differences"]["innings"][0]["runs"]["excludes_zero"], true);
}

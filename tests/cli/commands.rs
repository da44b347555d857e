//! The commands around the log: the OpenAPI document, the tables, the demonstration, help, and wrong
//! arguments.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use third_umpire_test_support::logs::{Setting, scripted};
use third_umpire_test_support::program::{ProgramRun, Scratch, command, run};

#[test]
fn openapi_prints_the_document_that_is_committed() {
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi/openapi.json");
    let committed = std::fs::read_to_string(committed).unwrap();
    let printed = run(&["openapi"]).succeeded();
    let line = printed.lines().zip(committed.lines()).take_while(|(a, b)| a == b).count() + 1;
    assert!(
        printed == committed,
        "openapi/openapi.json is stale from line {line} on; refresh it: cargo run -- openapi > openapi/openapi.json"
    );
    serde_json::from_str::<serde_json::Value>(&printed).unwrap();
}

#[test]
fn migrate_makes_the_tables_on_a_fresh_file_and_may_be_run_again() {
    let scratch = Scratch::new();
    let database = format!("sqlite://{}", scratch.file("fresh.db"));
    for _ in 0..2 {
        let output = run(&["migrate", "--database", &database]).succeeded();
        assert_eq!(output, "the tables are up to date with this version\n");
    }
    let begin = std::fs::read(scratch.file("fresh.db")).unwrap();
    assert!(begin.starts_with(b"SQLite format 3\0"));
    let left: Vec<_> =
        std::fs::read_dir(scratch.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(left, ["fresh.db"], "the database is closed properly, without a write-ahead log left behind");
}

#[test]
fn a_relative_address_is_relative_to_the_working_directory() {
    let scratch = Scratch::new();
    for (args, file) in
        [(vec!["migrate"], "third-umpire.db"), (vec!["migrate", "--database", "sqlite://a.db"], "a.db")]
    {
        ProgramRun::of(command(&args).current_dir(scratch.path()).output().unwrap()).succeeded();
        assert!(scratch.path().join(file).exists(), "{args:?} makes {file}");
    }
}

#[test]
fn rebuild_of_an_empty_store_has_nothing_to_do() {
    let scratch = Scratch::new();
    let database = format!("sqlite://{}", scratch.file("empty.db"));
    let output = run(&["rebuild", "--database", &database]).succeeded();
    assert_eq!(output, "projections rebuilt: 0 matches; left unchanged: 0\n");
}

#[test]
fn sweep_makes_no_database_and_says_which_command_makes_one() {
    let scratch = Scratch::new();
    let file = scratch.file("none.db");
    run(&["sweep", "--database", &format!("sqlite://{file}")]).failed(&["none.db", "cannot be opened"]);
    assert!(!Path::new(&file).exists());
    let empty = format!("sqlite://{}", scratch.write("empty.db", ""));
    run(&["sweep", "--database", &empty]).failed(&["run `third-umpire migrate` first"]);
    run(&["migrate", "--database", &empty]).succeeded();
    let output = run(&["sweep", "--database", &empty]).succeeded();
    assert_eq!(output, "removed 0 idempotency keys older than 30 days\n");
}

#[test]
fn the_sql_that_spreads_the_tables_is_printed_and_no_database_is_opened() {
    let scratch = Scratch::new();
    let file = scratch.file("none.db");
    let address = format!("sqlite://{file}");
    let printed = run(&["migrate", "--print", "citus", "--database", &address]).succeeded();
    assert!(!Path::new(&file).exists());
    for part in [
        "begin;\nset local citus.enable_unsafe_triggers = on;\n",
        "'{heads,events,",
        "'{editions,store_identity,_sqlx_migrations}'",
        "create_distributed_table(one, 'match_id', colocate_with => 'heads')",
        "create_reference_table(one)",
        "commit;\n",
    ] {
        assert!(printed.contains(part), "{part:?} is missing in:\n{printed}");
    }
}

#[test]
fn an_unknown_engine_is_refused_with_the_list_of_engines() {
    let ran = run(&["migrate", "--print", "cockroach"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    for part in ["invalid value 'cockroach' for '--print <ENGINE>'", "[possible values: citus]"] {
        assert!(ran.err.contains(part), "{}", ran.err);
    }
}

#[test]
fn a_database_that_cannot_be_used_is_named_with_the_reason() {
    let scratch = Scratch::new();
    let text = scratch.write("text.db", "this is a letter to my aunt, and no database");
    let address = |path: &str| format!("sqlite://{path}");
    for (database, parts) in [
        ("nonsense".to_owned(), vec!["sqlite:///absolute/path", "postgres://"]),
        ("mysql://me@there/x".to_owned(), vec!["sqlite:///absolute/path", "postgres://"]),
        (String::new(), vec!["sqlite:///absolute/path", "postgres://"]),
        ("sqlite://".to_owned(), vec!["name a file"]),
        ("sqlite::memory:".to_owned(), vec!["name a file"]),
        (address(&scratch.file("no/such/folder.db")), vec!["no/such/folder.db", "cannot be opened"]),
        (address(&scratch.path().display().to_string()), vec!["cannot be opened"]),
        (address(&text), vec!["text.db", "not a database"]),
    ] {
        for command in ["migrate", "rebuild", "sweep", "serve"] {
            run(&[command, "--database", &database]).failed(&parts);
        }
    }
    assert_eq!(std::fs::read_to_string(text).unwrap(), "this is a letter to my aunt, and no database");
}

#[test]
fn demo_plays_a_match_prints_its_card_and_audits_its_log() {
    let scratch = Scratch::new();
    let ran = ProgramRun::of(command(&["demo"]).env("TMPDIR", scratch.path()).output().unwrap());
    assert_eq!(ran.err, "");
    let output = ran.succeeded();
    for text in [
        "The commitment to its server seed is",
        "Harbour Road v Mill Lane",
        " bowling ",
        "Total ",
        "CLEAN: nothing diverges",
    ] {
        assert!(output.contains(text), "{text:?} is missing in:\n{output}");
    }
    assert!(output.contains("the seed fits its commitment and gives the coin and every die"), "{output}");
    // The output names a command to continue with, and its file is there.
    let replay = output.lines().find(|line| line.contains(" replay ")).unwrap();
    let file = replay.split_whitespace().nth(2).unwrap();
    assert!(Path::new(file).starts_with(scratch.path()), "{file}");
    run(&["audit", file]).succeeded();
}

/// What the demo prints, with its temporary files in this folder.
fn demo_in(scratch: &Scratch) -> String {
    ProgramRun::of(command(&["demo"]).env("TMPDIR", scratch.path()).output().unwrap()).succeeded()
}

/// The names of what is in a folder.
fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Runs a line that a program printed, as a user who pastes it.
fn pasted(line: &str) -> ProgramRun {
    ProgramRun::of(Command::new("sh").args(["-c", line]).output().unwrap())
}

#[test]
fn demo_names_no_address_that_has_stopped_answering() {
    let output = demo_in(&Scratch::new());
    let addresses: Vec<&str> =
        output.split_whitespace().filter(|word| word.contains("127.0.0.1") || word.contains("://")).collect();
    // This one is what the command before it on its line starts.
    assert_eq!(addresses, ["http://127.0.0.1:8080/docs"], "{output}");
}

#[test]
fn demo_names_the_folder_that_it_leaves_and_the_command_that_removes_it() {
    let scratch = Scratch::new();
    let output = demo_in(&scratch);
    let [folder] = &names_in(scratch.path())[..] else { panic!("one folder is left:\n{output}") };
    let folder = scratch.path().join(folder);
    assert_eq!(names_in(&folder), ["match.ndjson"]);
    let removal = format!("rm -r {}", folder.display());
    let printed = output.lines().last().unwrap().trim();
    assert_eq!(printed, removal, "{output}");
    pasted(printed).succeeded();
    assert_eq!(names_in(scratch.path()), Vec::<String>::new());
}

#[test]
fn demo_leaves_nothing_behind_when_it_fails() {
    let scratch = Scratch::new();
    // What it prints does not arrive: this file is a full disk.
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let ended = command(&["demo"]).env("TMPDIR", scratch.path()).stdout(full).output().unwrap();
    assert!(!ended.status.success(), "{ended:?}");
    assert_eq!(names_in(scratch.path()), Vec::<String>::new());
}

#[test]
fn demo_leaves_nothing_behind_when_nobody_reads_what_it_prints() {
    let scratch = Scratch::new();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let ended = command(&["demo"]).env("TMPDIR", scratch.path()).stdout(writer).output().unwrap();
    assert!(ended.status.success(), "{ended:?}");
    assert_eq!(names_in(scratch.path()), Vec::<String>::new());
}

#[test]
fn demo_that_is_interrupted_leaves_nothing_behind_that_it_has_not_named() {
    let scratch = Scratch::new();
    let mut demo = command(&["demo"]);
    demo.env("TMPDIR", scratch.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = demo.spawn().unwrap();
    let mut printed = BufReader::new(running.stdout.take().unwrap());
    let mut output = String::new();
    printed.read_line(&mut output).unwrap();
    assert!(output.starts_with("A service on a temporary store"), "{output}");
    let sent = Command::new("kill").args(["-INT", &running.id().to_string()]).status().unwrap();
    assert!(sent.success());
    printed.read_to_string(&mut output).unwrap();
    let ended = running.wait().unwrap();
    // A fast machine may have finished by then.
    if !output.contains("rm -r ") {
        assert_eq!(names_in(scratch.path()), Vec::<String>::new(), "{output}");
        assert_eq!(ended.code(), Some(130));
    }
}

#[test]
fn demo_prints_a_sed_line_that_changes_a_die_and_the_audit_finds_it() {
    let scratch = Scratch::new();
    let output = demo_in(&scratch);
    let line = output.lines().find(|line| line.trim_start().starts_with("sed ")).unwrap();
    let ran = pasted(line);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    // The first ball follows on the creation of the match, the toss, the decision and the over.
    assert!(ran.out.starts_with("DIVERGES at event 5 (ball), delivery 1"), "{line}:\n{}", ran.out);
    assert!(ran.out.contains("\n  seed: the seed gives "), "{line}:\n{}", ran.out);
}

/// The program's commands, from its own help.
fn commands() -> Vec<String> {
    let help = run(&["--help"]).succeeded();
    let listed =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names: Vec<String> = listed.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect();
    names.into_iter().filter(|name| name != "help").collect()
}

#[test]
fn every_command_that_is_promised_is_there_with_help_of_its_own() {
    let promised = [
        "serve",
        "audit",
        "diff",
        "replay",
        "scorecard",
        "rebuild",
        "sweep",
        "openapi",
        "migrate",
        "demo",
        "simulate",
    ];
    for name in promised {
        assert!(commands().contains(&name.to_owned()), "{name}");
    }
    for name in commands() {
        let help = run(&[&name, "--help"]).succeeded();
        assert!(help.contains(&format!("Usage: third-umpire {name}")), "{help}");
    }
    assert!(run(&["--version"]).succeeded().starts_with("third-umpire "));
}

#[test]
fn every_option_can_be_given_by_the_environment_and_its_help_says_by_which_name() {
    let mut options = 0;
    for name in commands() {
        let help = run(&[&name, "--help"]).succeeded();
        let blocks = help.split("\n  ").filter(|block| block.trim_start().starts_with("--"));
        for block in blocks {
            assert!(block.contains("[env: "), "{name}: {block}");
            options += 1;
        }
    }
    assert!(options >= 14, "only {options} options were looked at");
}

#[test]
fn help_does_not_show_secrets_from_the_environment() {
    for name in commands() {
        let ran = command(&[&name, "--help"])
            .env("DATABASE_URL", "postgres://umpire:geheim@db/cricket")
            .env("THIRD_UMPIRE_ADMIN_TOKEN", "geheim")
            .output();
        let help = ProgramRun::of(ran.unwrap()).succeeded();
        assert!(!help.contains("geheim"), "{help}");
    }
}

#[test]
fn an_unknown_command_or_option_is_a_usage_error() {
    for (args, text) in [
        (&["frobnicate"][..], "unrecognized subcommand 'frobnicate'"),
        (&[], "Usage: third-umpire <COMMAND>"),
        (&["audit"], "<FILE>"),
        (&["audit", "a", "b"], "unexpected argument 'b'"),
        (&["audit", "a", "--nonsense"], "unexpected argument '--nonsense'"),
        (&["scorecard", "a", "--format", "xml"], "invalid value 'xml'"),
        (&["scorecard", "a", "--at", "x"], "the seq of an event is a whole number, 1 or more"),
        (&["replay", "a", "--as-known-at", "-1"], "the seq of an event is a whole number, 1 or more"),
        (&["serve", "--send-timeout", "x"], "the timeout is a whole number of seconds from 1 to 3600"),
        (&["serve", "--send-timeout", "0"], "the timeout is a whole number of seconds from 1 to 3600"),
        (&["serve", "--send-timeout", "3601"], "the timeout is a whole number of seconds from 1 to 3600"),
        (&["openapi", "--port", "1"], "unexpected argument '--port'"),
        (&["demo", "x"], "unexpected argument 'x'"),
    ] {
        let ran = run(args);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.contains(text) && ran.out.is_empty(), "{ran:?}");
    }
}

#[test]
fn the_environment_is_asked_where_an_option_is_not_given() {
    let scratch = Scratch::new();
    let log = scripted();
    let file = scratch.write("match.ndjson", log.text());
    let with = |name: &str, value: &str, args: &[&str]| {
        ProgramRun::of(command(args).env(name, value).output().unwrap())
    };
    let json = with("THIRD_UMPIRE_FORMAT", "json", &["scorecard", &file]).succeeded();
    assert_eq!(json, run(&["scorecard", &file, "--format", "json"]).succeeded());
    assert!(with("THIRD_UMPIRE_FORMAT", "json", &["audit", &file]).succeeded().starts_with('{'));
    assert!(
        with("THIRD_UMPIRE_FORMAT", "json", &["audit", &file, "--format", "text"])
            .succeeded()
            .starts_with("CLEAN")
    );
    for command in ["replay", "scorecard"] {
        let at = with("THIRD_UMPIRE_AT", "9", &[command, &file]).succeeded();
        assert_eq!(at, run(&[command, &file, "--at", "9"]).succeeded());
    }
    let other = "ab".repeat(32);
    assert_eq!(with("THIRD_UMPIRE_EXPECT_HEAD", &other, &["audit", &file]).code, Some(1));
    with("THIRD_UMPIRE_EXPECT_HEAD", &other, &["audit", &file, "--expect-head", &log.head()]).succeeded();
    let database = scratch.file("by-environment.db");
    with("DATABASE_URL", &format!("sqlite://{database}"), &["migrate"]).succeeded();
    assert!(Path::new(&database).exists());
}

#[test]
fn a_flag_in_the_environment_may_be_switched_on_and_off_in_the_usual_ways() {
    let scratch = Scratch::new();
    let database = format!("sqlite://{}", scratch.file("flags.db"));
    for value in ["1", "true", "yes", "0", "false", "no"] {
        let mut command = command(&["migrate", "--database", &database]);
        ProgramRun::of(command.env("THIRD_UMPIRE_NO_MIGRATION_LOCK", value).output().unwrap()).succeeded();
    }
}

#[test]
fn a_reader_who_has_gone_away_is_no_failure_and_changes_no_verdict() {
    // The log is longer than a pipe's buffer, so that the program has to notice.
    let log = Setting::overs(20).seeded().tossed().played_out();
    let scratch = Scratch::new();
    let file = scratch.write("match.ndjson", log.text());
    let forged =
        scratch.write("forged.ndjson", log.first(40).forge().set(5, "/dice/0/value", 7).mended().text());
    for (args, code) in [
        (&["replay", &file][..], 0),
        (&["scorecard", &file, "--format", "json"], 0),
        (&["openapi"], 0),
        (&["audit", &forged], 1),
    ] {
        let mut child = command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(code) && err.is_empty(), "{args:?}: {:?} {err}", output.status);
    }
}

#[test]
fn an_output_that_cannot_be_written_is_a_failure() {
    // Some systems have a disk that is always full.
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full");
    if full().is_err() {
        return;
    }
    let scratch = Scratch::new();
    let file = scratch.write("match.ndjson", scripted().text());
    for args in [&["audit", &file][..], &["replay", &file], &["scorecard", &file], &["openapi"]] {
        ProgramRun::of(command(args).stdout(full().unwrap()).output().unwrap()).failed(&["No space left"]);
    }
}

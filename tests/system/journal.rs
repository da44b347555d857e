//! Files that SQLite has beside the database file: removed or replaced under a running service, and left
//! alone by others.

use std::ffi::OsString;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use serde_json::json;
use third_umpire_test_support::service::{
    Deployment, Engine, Match, Process, Serving, run, seeded, table, until,
};

/// The file beside the database with this ending.
fn beside(deployment: &Deployment, ending: &str) -> PathBuf {
    let mut name = OsString::from(deployment.file());
    name.push(ending);
    PathBuf::from(name)
}

/// Moves the journal into the main file, as any other program may do.
fn checkpoint(deployment: &Deployment) {
    deployment.database().run("pragma wal_checkpoint(truncate)").expect("any program may");
}

#[track_caller]
fn nothing_is_acknowledged(played: &Match) {
    for key in ["one", "two", "three", "four", "five", "six"] {
        let ball = played.posting("/balls", &json!({})).key(key).send();
        let why = ["removed or replaced", "nothing was stored", "restarted"];
        ball.refused(503, "store-unavailable").says(&why);
    }
    played.client.post("/v1/matches", &table(1)).refused(503, "store-unavailable").says(&["restarted"]);
    played.client.get("/readyz").refused(503, "store-unavailable").says(&["restarted"]);
    played.client.get("/healthz").expect(200);
}

/// Tampers with a file under a running service, and asserts that no answer acknowledges what is not there
/// later.
fn tampered(ending: &str, tamper: impl Fn(&Path)) {
    Deployment::as_process(Engine::Sqlite, |deployment| {
        let service = deployment.serve();
        let played = Match::create(service.client(), &seeded(2));
        played.begin().ball();
        checkpoint(deployment);
        let before = played.events();
        tamper(&beside(deployment, ending));
        nothing_is_acknowledged(&played);
        service.kill();
        let played = played.through(deployment.client());
        assert_eq!(played.events(), before, "the acknowledged events are there, and nothing else");
        played.play_step();
    });
}

#[test]
fn a_journal_that_is_removed_stops_the_service_from_acknowledging() {
    tampered("-wal", |journal| std::fs::remove_file(journal).expect("there is a journal"));
}

#[test]
fn a_journal_that_is_replaced_stops_the_service_from_acknowledging() {
    tampered("-wal", |journal| {
        std::fs::remove_file(journal).expect("there is a journal");
        std::fs::write(journal, "").expect("the folder is ours");
    });
}

#[test]
fn an_index_of_the_journal_that_is_removed_stops_the_service_from_acknowledging() {
    tampered("-shm", |index| std::fs::remove_file(index).expect("there is an index"));
}

/// Cuts a file short, or fills it up with zeros.
fn cut(file: &File, length: u64) {
    file.set_len(length).expect("the file is ours");
}

/// A file is recognised by its identity, which is the same as before: docs/operations.md tells operators.
#[test]
fn a_journal_that_is_changed_in_place_goes_unnoticed_and_loses_events() {
    let ways: [fn(&File, u64); 3] = [
        |journal, _| cut(journal, 0),
        |journal, length| cut(journal, length / 2),
        |journal, length| {
            cut(journal, 0);
            cut(journal, length);
        },
    ];
    for tamper in ways {
        Deployment::as_process(Engine::Sqlite, |deployment| {
            let service = deployment.serve();
            let played = Match::create(service.client(), &seeded(2));
            played.begin().ball();
            let before = played.events().len();
            let journal = File::options().write(true).open(beside(deployment, "-wal"));
            let journal = journal.expect("there is a journal");
            tamper(&journal, journal.metadata().expect("it is a file").len());
            service.client().get("/readyz").expect(200);
            service.kill();
            let events = "select cast(count(*) as text) from events";
            let left: usize = deployment.database().texts(events)[0].parse().expect("a number");
            assert!(left < before, "{left} of {before} events are left");
        });
    }
}

/// SQLite has its files beside the file that a link leads to.
#[test]
fn a_journal_of_a_database_behind_a_link_is_watched_as_well() {
    Deployment::as_process(Engine::Sqlite, |deployment| {
        let link = deployment.folder().join("link.db");
        std::os::unix::fs::symlink(deployment.file(), &link).expect("the folder is ours");
        let service =
            Process::start(&format!("sqlite://{}", link.display()), deployment.folder(), Serving::default());
        let played = Match::create(service.client(), &seeded(2));
        played.begin().ball();
        std::fs::remove_file(beside(deployment, "-wal")).expect("there is a journal");
        nothing_is_acknowledged(&played);
    });
}

/// Nothing is lost with a file that was put back: SQLite has kept it open.
#[test]
fn a_journal_that_is_put_back_is_the_one_there_was() {
    Deployment::as_process(Engine::Sqlite, |deployment| {
        let played = deployment.create(&seeded(2));
        played.begin().ball();
        let (journal, away) = (beside(deployment, "-wal"), deployment.folder().join("away"));
        std::fs::rename(&journal, &away).expect("there is a journal");
        nothing_is_acknowledged(&played);
        std::fs::rename(&away, &journal).expect("the journal can be moved back");
        until("the service stores again", || played.client.get("/readyz").status == 200);
        played.ball();
        played.play_step();
    });
}

/// SQLite, when stopped, moves what it still has of a removed journal into the main file.
#[test]
fn acknowledged_events_survive_a_lost_journal_and_an_orderly_stop() {
    Deployment::as_process(Engine::Sqlite, |deployment| {
        let service = deployment.serve();
        let played = Match::create(service.client(), &seeded(2));
        played.begin().ball();
        let before = played.events();
        std::fs::remove_file(beside(deployment, "-wal")).expect("there is a journal");
        nothing_is_acknowledged(&played);
        service.terminate();
        assert_eq!(service.ended(), Some(0));
        let played = played.through(deployment.client());
        assert_eq!(played.events(), before);
        played.play_step();
    });
}

/// An append that had begun when the journal was removed is not acknowledged either: its outcome is unknown.
#[test]
fn an_append_that_waits_while_the_journal_goes_is_not_acknowledged() {
    Deployment::as_process(Engine::Sqlite, |deployment| {
        let played = deployment.create(&seeded(2));
        played.begin().ball();
        let mut session = deployment.database().session();
        session.run("begin immediate").expect("nobody writes");
        let request = played.posting("/balls", &json!({}));
        let waiting = thread::spawn(move || request.send());
        // The append gives no sign of waiting; if it does not wait yet, it is refused all the same.
        thread::sleep(Duration::from_millis(500));
        std::fs::remove_file(beside(deployment, "-wal")).expect("there is a journal");
        session.run("rollback").expect("the transaction is open");
        let answer = waiting.join().expect("the request is answered");
        answer.refused(503, "store-unavailable");
        // If it did wait, the ball is in the removed file, and an orderly stop moves it into the main one.
        let waited = answer.text().contains("read the head");
        assert!(waited || answer.text().contains("nothing was stored by this request"), "{}", answer.text());
    });
}

/// Does what other programs may do, while the service plays.
fn played_on(meanwhile: impl Fn(&Deployment, &Match)) {
    Deployment::as_process(Engine::Sqlite, |deployment| {
        let played = deployment.create(&seeded(2));
        played.begin().ball();
        for _ in 0..2 {
            meanwhile(deployment, &played);
            played.ball();
            played.client.get("/readyz").expect(200);
        }
        played.play_step();
        played.audits_clean();
    });
}

#[test]
fn a_checkpoint_does_not_trip_it() {
    played_on(|deployment, _| {
        for mode in ["passive", "full", "restart", "truncate"] {
            let sql = format!("pragma wal_checkpoint({mode})");
            deployment.database().run(&sql).expect("any program may");
        }
    });
}

#[test]
fn a_second_instance_that_starts_and_stops_does_not_trip_it() {
    played_on(|deployment, played| {
        let second = deployment.serve();
        played.through(second.client()).ball();
        second.terminate();
        assert_eq!(second.ended(), Some(0));
        let third = deployment.serve();
        played.through(third.client()).ball();
        third.kill();
    });
}

/// The files stay in place from the first connection to the last, whoever created them.
#[test]
fn the_instance_that_began_the_journal_stops_and_does_not_trip_the_others() {
    Deployment::as_process(Engine::Sqlite, |deployment| {
        let first = deployment.serve();
        let played = Match::create(first.client(), &seeded(2));
        played.begin().ball();
        let url = format!("{}?mode=ro", deployment.database().url);
        let (second, reader) =
            (deployment.serve(), Process::start(&url, deployment.folder(), Serving::default()));
        first.terminate();
        assert_eq!(first.ended(), Some(0));
        let played = played.through(second.client());
        played.ball();
        second.terminate();
        assert_eq!(second.ended(), Some(0));
        let played = played.through(deployment.client());
        played.ball();
        let read = played.through(reader.client());
        until("the reader has the event", || read.view() == played.view());
        played.play_step();
    });
}

#[test]
fn a_rebuild_does_not_trip_it() {
    played_on(|deployment, _| {
        let rebuilt = run(&["rebuild", "--database", &deployment.database().url]);
        assert!(rebuilt.status.success(), "{}", String::from_utf8_lossy(&rebuilt.stderr));
    });
}

#[test]
fn a_backup_does_not_trip_it_and_has_every_event() {
    let there = Command::new("sqlite3").arg("-version").output().is_ok_and(|output| output.status.success());
    if !there {
        let required = std::env::var("REQUIRE_SQLITE3").is_ok_and(|value| value == "1");
        assert!(!required, "REQUIRE_SQLITE3=1, and there is no sqlite3 in PATH");
        // The test runner captures what `eprintln!` prints.
        let _ = writeln!(std::io::stderr(), "sqlite3 is not installed: the test of its .backup is skipped");
        return;
    }
    let sqlite3 = |file: &Path, command: &str| {
        let output = Command::new("sqlite3").arg(file).arg(command).output().expect("sqlite3 starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    };
    played_on(|deployment, played| {
        let copy = deployment.folder().join("backup.db");
        sqlite3(&deployment.file(), &format!(".backup '{}'", copy.display()));
        assert_eq!(
            sqlite3(&copy, "select count(*) from events"),
            played.events().len().to_string(),
            "the backup has what the service had acknowledged"
        );
    });
}

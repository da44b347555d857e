//! A database that is read-only, locked or gone: answers are 503, nothing is stored, and the service
//! recovers.

use std::process::Command;
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};
use third_umpire_test_support::on_own_processes;
use third_umpire_test_support::service::{
    Answer, Deployment, Engine, Match, Process, SECRETS, Serving, Session, seeded, table, until,
};

const READS: [&str; 9] =
    ["", "/events", "/events/1", "/log", "/scorecard", "/commentary", "/replay", "/replay?at=1", "/audit"];

fn in_play(deployment: &Deployment) -> Match {
    let played = deployment.create(&seeded(2));
    played.begin().ball();
    played
}

/// Asserts that writes are refused, by answers that give nothing away.
#[track_caller]
fn writes_are_refused(played: &Match) {
    let ball = played.posting("/balls", &json!({})).key("later").send();
    ball.refused(503, "store-unavailable").says(&["nothing was stored"]);
    assert_eq!(ball.header("retry-after"), "1");
    let creation = played.client.post("/v1/matches", &table(1));
    creation.refused(503, "store-unavailable");
    for answer in [ball, creation] {
        for internal in ["sqlite", "postgres", "SQL", "locked", "readonly", "/tmp", "relation", "os error"] {
            assert!(
                !answer.text().contains(internal),
                "{internal:?} is nobody's business: {}",
                answer.text()
            );
        }
    }
}

/// Asserts that after the outage the match is unchanged, and that the refused request can be repeated.
#[track_caller]
fn recovers(played: &Match, before: &Value) {
    until("the database answers again", || played.client.get("/readyz").status == 200);
    assert_eq!(played.view(), *before, "nothing was stored meanwhile");
    let again = played.posting("/balls", &json!({})).key("later").send().expect(201);
    assert_eq!(again["head"]["seq"].as_u64(), before["head"]["seq"].as_u64().map(|seq| seq + 1));
    played.audits_clean();
    played.play_step();
}

mod read_only {
    use super::*;

    #[test]
    fn sqlite() {
        Deployment::as_process(Engine::Sqlite, |deployment| {
            let played = in_play(deployment);
            let before = played.view();
            let rows = deployment.database().everything();
            let url = format!("{}?mode=ro", deployment.database().url);
            let service = Process::start(&url, deployment.folder(), Serving::default());
            let read_only = played.through(service.client());
            writes_are_refused(&read_only);
            assert_eq!(deployment.database().everything(), rows);
            for rest in READS {
                assert_eq!(read_only.get(rest).has_status(200).text(), played.get(rest).text(), "{rest}");
            }
            recovers(&played, &before);
        });
    }

    #[test]
    fn postgres() {
        Deployment::as_process(Engine::Postgres, |deployment| {
            let played = in_play(deployment);
            let (before, rows) = (played.view(), deployment.database().everything());
            deployment.database().make_read_only(true);
            writes_are_refused(&played);
            assert_eq!(deployment.database().everything(), rows);
            READS.iter().for_each(|rest| drop(played.get(rest).has_status(200).clone()));
            deployment.database().make_read_only(false);
            recovers(&played, &before);
        });
    }
}

mod locked {
    use super::*;

    #[test]
    fn sqlite() {
        Deployment::as_process(Engine::Sqlite, |deployment| {
            let played = in_play(deployment);
            let before = played.view();
            let mut session = deployment.database().session();
            session.run("begin exclusive").expect("nobody writes");
            writes_are_refused(&played);
            // Readers do not block a writer.
            READS.iter().for_each(|rest| drop(played.get(rest).has_status(200).clone()));
            session.run("rollback").expect("the transaction is open");
            recovers(&played, &before);
        });
    }

    /// Locks the heads for writers, as another program would do; readers need not wait.
    fn lock_heads(deployment: &Deployment) -> Session {
        let mut session = deployment.database().session();
        session.run("begin; lock table heads in exclusive mode").expect("a lock");
        session
    }

    /// Sends a ball in the background, and waits until its request waits for the lock.
    fn send_waiting(deployment: &Deployment, played: &Match) -> JoinHandle<Answer> {
        let request = played.posting("/balls", &json!({}));
        let sending = std::thread::spawn(move || request.send());
        let waits = "select count(*)::text from pg_locks where not granted";
        until("the append waits for the lock", || deployment.database().texts(waits) != ["0"]);
        sending
    }

    #[test]
    fn postgres() {
        Deployment::as_process(Engine::Postgres, |deployment| {
            let played = in_play(deployment);
            let (before, rows) = (played.view(), deployment.database().everything());
            let mut session = lock_heads(deployment);
            writes_are_refused(&played);
            assert_eq!(deployment.database().everything(), rows);
            READS.iter().for_each(|rest| drop(played.get(rest).has_status(200).clone()));
            session.run("rollback").expect("the transaction is open");
            recovers(&played, &before);
        });
    }

    /// A write waits for a short lock.
    #[test]
    fn postgres_for_a_moment() {
        Deployment::as_process(Engine::Postgres, |deployment| {
            let played = in_play(deployment);
            let before = deployment.database().rows(SECRETS);
            let mut session = lock_heads(deployment);
            let waiting = send_waiting(deployment, &played);
            assert_eq!(deployment.database().rows(SECRETS), before);
            session.run("rollback").expect("the transaction is open");
            waiting.join().expect("the request is answered").expect(201);
            assert_eq!(played.events().len(), 6);
            played.play_step();
        });
    }

    #[test]
    fn postgres_does_not_keep_readers_waiting_for_a_writer() {
        Deployment::as_process(Engine::Postgres, |deployment| {
            let played = in_play(deployment);
            let mut session = lock_heads(deployment);
            let waiting = send_waiting(deployment, &played);
            for rest in READS {
                played.get(rest).has_status(200);
                assert!(!waiting.is_finished(), "GET {rest} is answered only after the writer");
            }
            session.run("rollback").expect("the transaction is open");
            waiting.join().expect("the request is answered").expect(201);
        });
    }
}

/// A locked match does not block other matches.
#[test]
fn a_match_that_is_held_by_another_transaction_is_the_only_one_that_waits() {
    Deployment::as_process(Engine::Postgres, |deployment| {
        let (locked, free) = (in_play(deployment), in_play(deployment));
        let mut session = deployment.database().session();
        session.run("begin").expect("a transaction");
        session.texts(&format!("select hash from heads where match_id = '{}' for update", locked.id));
        for _ in 0..3 {
            let waiting = locked.posting("/balls", &json!({}));
            let waiting = std::thread::spawn(move || waiting.send());
            (0..3).for_each(|_| drop(free.ball()));
            let answer = waiting.join().expect("the request is answered");
            answer.refused(503, "contended");
        }
        session.run("rollback").expect("the transaction is open");
        locked.play_step();
        free.play_step();
    });
}

/// The disk is full for a while: writes are refused, and when there is room again play goes on.
#[test]
fn a_disk_that_was_full_is_written_to_again() {
    Deployment::as_process(Engine::Sqlite, |deployment| {
        let through: &[&str] = &["bash", "-c", "trap '' XFSZ; exec \"$@\"", "bash"];
        let service = deployment.serve_as(Serving { through, ..Serving::default() });
        let played = Match::create(service.client(), &seeded(50));
        played.begin().ball();
        let before = played.view();
        service.limit_files("4096");
        for _ in 0..3 {
            let refused = played.post("/balls", &json!({}));
            assert_eq!(refused.status, 503, "{}", refused.text());
        }
        service.limit_files("unlimited");
        assert_eq!(played.view(), before, "nothing was stored meanwhile");
        played.ball();
        played.play_step();
    });
}

mod gone {
    use super::*;

    fn everything_is_refused(played: &Match) {
        played.client.get("/healthz").expect(200);
        played.client.get("/readyz").refused(503, "store-unavailable");
        played.client.get("/v1/matches").refused(503, "store-unavailable");
        writes_are_refused(played);
    }

    #[test]
    fn sqlite() {
        Deployment::as_process(Engine::Sqlite, |deployment| {
            let played = in_play(deployment);
            let before = played.view();
            let away = deployment.folder().join("away.db");
            std::fs::rename(deployment.file(), &away).expect("the file can be moved");
            everything_is_refused(&played);
            until("readers get no cached page any more", || played.get("").status == 503);
            READS.iter().for_each(|rest| drop(played.get(rest).refused(503, "store-unavailable")));
            assert!(!deployment.file().exists(), "no new database is begun in its place");
            std::fs::rename(&away, deployment.file()).expect("the file can be moved back");
            recovers(&played, &before);
        });
    }

    /// Another file replaces the database.
    #[test]
    fn sqlite_replaced() {
        Deployment::as_process(Engine::Sqlite, |deployment| {
            let played = in_play(deployment);
            let before = played.view();
            let away = deployment.folder().join("away.db");
            std::fs::rename(deployment.file(), &away).expect("the file can be moved");
            std::fs::copy(&away, deployment.file()).expect("the file can be copied");
            writes_are_refused(&played);
            std::fs::rename(&away, deployment.file()).expect("the file can be moved back");
            recovers(&played, &before);
        });
    }

    #[test]
    fn postgres() {
        Deployment::with_own_cluster(|deployment, cluster| {
            let played = in_play(deployment);
            let before = played.view();
            cluster.order("stop");
            everything_is_refused(&played);
            until("readers get no cached page any more", || played.get("").status == 503);
            played.get("").refused(503, "store-unavailable");
            cluster.order("start");
            recovers(&played, &before);
        });
    }

    /// The connections are cut, but the server answers: a client need not notice.
    #[test]
    fn postgres_for_a_moment() {
        Deployment::as_process(Engine::Postgres, |deployment| {
            let played = in_play(deployment);
            let mut session = deployment.database().session();
            for _ in 0..5 {
                assert!(session.cut_others() > 0, "the service has connections");
                played.play_step();
            }
            played.audits_clean();
        });
    }
}

on_own_processes!(an_internal_error_is_logged_under_the_request_id_of_its_answer, |deployment| {
    let service = deployment.serve_as(Serving { log: "info", ..Serving::default() });
    let played = Match::create(service.client(), &table(1));
    deployment.database().run("alter table heads rename to feet").expect("the owner can");
    until("readers get no cached page any more", || played.get("").status == 500);
    let answer = played.get("");
    let problem = answer.refused(500, "internal").problem.to_string();
    assert!(!problem.contains("heads") && !problem.contains("feet"), "internals stay inside: {problem}");
    let id = answer.header("x-request-id");
    let log = service.log();
    assert!(log.lines().any(|line| line.contains(id) && line.contains("heads")), "{id} is not in {log}");
    deployment.database().run("alter table feet rename to heads").expect("the owner can");
    played.play_step();
});

on_own_processes!(a_stream_lasts_through_an_outage_of_the_store, |deployment| {
    let played = deployment.create(&table(1));
    played.begin();
    let mut stream = played.client.request("GET", &played.path("/events/stream?after=3")).follow();
    deployment.database().run("alter table events rename to stories").expect("the owner can");
    played.get("/events").refused(500, "internal");
    deployment.database().run("alter table stories rename to events").expect("the owner can");
    let bowled = played.bowl(&[2, 3]);
    assert_eq!(json!(stream.take(2)), bowled["events"]);
});

/// The lines of a service's log with this text.
fn logged(service: &Process, text: &str) -> Vec<String> {
    service.log().lines().filter(|line| line.contains(text)).map(str::to_owned).collect()
}

on_own_processes!(a_stream_is_kept_alive_through_an_outage_and_goes_on_with_the_next_event, |deployment| {
    let service = deployment.serve_as(Serving { log: "info", ..Serving::default() });
    let played = Match::create(service.client(), &table(1));
    played.begin();
    let due = played.events();
    deployment.database().run("alter table events rename to stories").expect("the owner can");
    let mut stream = played.client.request("GET", &played.path("/events/stream?after=1")).follow();
    assert_eq!(stream.sign_of_life(), json!({"head": due.len(), "store": false}));
    let outages = logged(&service, "a stream waits for the store");
    assert_eq!(outages.len(), 1, "an outage is logged once: {outages:?}");
    assert!(outages[0].contains("WARN") && outages[0].contains(&played.id), "{outages:?}");
    deployment.database().run("alter table stories rename to events").expect("the owner can");
    assert_eq!(stream.take(2), due[1..]);
    let bowled = played.bowl(&[2, 3]);
    assert_eq!(json!(stream.take(2)), bowled["events"], "no event is left out, and none is sent twice");
    assert_eq!(stream.sign_of_life(), json!({"head": due.len() + 2, "store": true}));
    assert_eq!(logged(&service, "a stream reads from the store again").len(), 1);
    assert_eq!(logged(&service, "a stream waits for the store"), outages);
});

on_own_processes!(a_ball_is_refused_while_a_table_is_away_and_stored_once_it_is_back, |deployment| {
    let service = deployment.serve();
    let played = Match::create(service.client(), &table(1));
    played.begin();
    for table in ["heads", "events"] {
        deployment.database().run(&format!("alter table {table} rename to stories")).expect("the owner can");
        let refused = played.post("/balls", &json!({"dice": [2, 3]}));
        assert!(refused.status >= 500, "{table}: {}", refused.text());
        deployment.database().run(&format!("alter table stories rename to {table}")).expect("the owner can");
        let before = played.events().len();
        let bowled = played.bowl(&[2, 3]);
        assert_eq!(json!(played.events()[before..]), bowled["events"], "{table}");
    }
});

on_own_processes!(each_step_of_a_command_is_logged_with_its_match, |deployment| {
    let service = deployment.serve_as(Serving { log: "third_umpire=debug", ..Serving::default() });
    let elsewhere = deployment.create(&seeded(3));
    elsewhere.begin();
    let id = &elsewhere.id;
    let played = elsewhere.through(service.client());
    played.post("/autoplay", &json!({"until": "over"})).expect(201);
    played.get("/commentary").expect(200);
    for (step, message) in [
        (format!("submit{{match_id={id}}}:load{{match_id={id}}}: "), "a match is loaded"),
        (format!("submit{{match_id={id}}}: "), "long work is done"),
        (format!("write{{appends=1 match_id=\"{id}\"}}: "), "appends are written stored=1"),
        (format!("fold{{match_id={id}}}: "), "long work is done"),
    ] {
        let lines = logged(&service, message);
        assert!(lines.iter().any(|line| line.contains(&step)), "{step}{message}: {lines:#?}");
    }
    assert!(!service.log().contains(&played.token), "a log names no token");
});

on_own_processes!(an_outage_is_logged_once_by_the_search_for_events_of_other_instances, |deployment| {
    let service = deployment.serve_as(Serving { log: "info", ..Serving::default() });
    let played = Match::create(service.client(), &table(1));
    played.begin();
    let mut stream = played.client.request("GET", &played.path("/events/stream?after=3")).follow();
    let begin = || logged(&service, "cannot look for events of other instances").len();
    let end = || logged(&service, "events of other instances are found again").len();
    for outage in 1..=2 {
        deployment.database().run("alter table heads rename to feet").expect("the owner can");
        until("the outage is logged", || begin() >= outage);
        std::thread::sleep(Duration::from_secs(1));
        deployment.database().run("alter table feet rename to heads").expect("the owner can");
        until("the end of the outage is logged", || end() == outage);
        assert_eq!(begin(), outage, "an outage is logged once");
    }
    let bowled = played.bowl(&[2, 3]);
    assert_eq!(json!(stream.take(2)), bowled["events"]);
});

/// One case is a Postgres that is not running when the service starts, the other a file that is no database.
#[test]
fn a_service_without_a_database_does_not_start_and_says_why() {
    Deployment::as_process(Engine::Sqlite, |deployment| {
        std::fs::write(deployment.file(), "this is no database, but it is long enough to look like one")
            .expect("ours");
        let no_database = deployment.database().url.clone();
        let missing = format!("sqlite://{}/no/such/folder/matches.db", deployment.folder().display());
        for (url, words) in [
            (no_database.as_str(), "not a database"),
            (&missing, "cannot be opened"),
            ("postgres://nobody:hunter2@127.0.0.1:1/none", ""),
            ("mysql://localhost/x", "sqlite://"),
            ("sqlite::memory:", "name a file"),
        ] {
            let started = Command::new(third_umpire_test_support::program::program())
                .args(["serve", "--listen", "127.0.0.1:0", "--database", url])
                .output()
                .expect("the program starts");
            let stderr = String::from_utf8_lossy(&started.stderr).into_owned();
            assert_eq!(started.status.code(), Some(2), "{url}: {stderr}");
            assert!(stderr.contains(words) && !stderr.contains("hunter2"), "{url}: {stderr}");
            assert!(started.stdout.is_empty(), "the service does not say that it listens");
        }
    });
}

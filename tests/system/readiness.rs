//! `/readyz`: whether the service can store anything, and if not, why. Reads go on.

use std::fs::OpenOptions;
use std::os::unix::fs::FileExt;
use std::time::Duration;

use serde_json::json;
use third_umpire_test_support::on_own_processes;
use third_umpire_test_support::service::{
    Answer, Client, Deployment, Engine, Match, Process, Serving, Session, seeded, table, until,
};

const READS: [&str; 6] = ["", "/events", "/log", "/scorecard", "/replay?at=1", "/audit"];
const PROBES: &str = "select cast(count(*) as text) from views where name = 'probe'";

fn is_ready(client: &Client) -> bool {
    client.get("/readyz").status == 200
}

/// Asserts that the service is not ready and says why, that reads work, and that the process runs.
#[track_caller]
fn is_not_ready(played: &Match, why: &str) {
    until("the service is not ready and says why", || played.client.get("/readyz").text().contains(why));
    let answer = played.client.get("/readyz");
    answer.refused(503, "store-unavailable").says(&["nothing can be stored", why]);
    for internal in ["sqlite", "postgres", "SQL", "/tmp", "views", "25006", "os error"] {
        assert!(!answer.text().contains(internal), "{internal:?} is nobody's business: {}", answer.text());
    }
    played.client.get("/healthz").expect(200);
    READS.iter().for_each(|rest| drop(played.get(rest).has_status(200).clone()));
}

fn in_play(client: &Client) -> Match {
    let played = Match::create(client, &seeded(2));
    played.begin().ball();
    played
}

on_own_processes!(nothing_is_written_until_somebody_asks_and_nobody_sees_what_is, |deployment| {
    let service = deployment.serve();
    service.client().get("/healthz").expect(200);
    service.client().get("/v1/matches").expect(200);
    assert_eq!(deployment.database().texts(PROBES), ["0"]);
    (0..10).for_each(|_| drop(service.client().get("/readyz").expect(200)));
    assert_eq!(deployment.database().texts(PROBES), ["1"]);
    let nil = "/v1/matches/00000000-0000-0000-0000-000000000000";
    for rest in READS {
        service.client().get(&format!("{nil}{rest}")).refused(404, "no-such-match");
    }
    assert_eq!(service.client().get("/v1/matches").expect(200)["matches"], json!([]));
});

/// The disk fills up while nobody appends: `/readyz` shows it, and again when there is room.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_without_an_append() {
    Deployment::as_process(Engine::Sqlite, |deployment| {
        let shim = third_umpire_test_support::service::Shim::in_folder(deployment.folder());
        let service = deployment.serve_as(Serving { through: &shim.through(), ..Serving::default() });
        let played = in_play(service.client());
        assert!(is_ready(service.client()));
        shim.fill_disk(true);
        is_not_ready(&played, "the disk is full");
        let before = played.view();
        let refused = played.posting("/balls", &json!({})).key("later").send();
        refused.refused(503, "store-unavailable");
        assert_eq!(refused.header("retry-after"), "1");
        shim.fill_disk(false);
        until("the service is ready again", || is_ready(service.client()));
        assert_eq!(played.view(), before, "nothing was stored meanwhile");
        played.posting("/balls", &json!({})).key("later").send().expect(201);
        played.play_step();
    });
}

/// A commit that finds no room has stored nothing, and the answer says so: a client may send the ball again.
#[cfg(target_os = "linux")]
#[test]
fn a_ball_on_a_full_disk_is_refused_with_the_reason() {
    Deployment::as_process(Engine::Sqlite, |deployment| {
        let shim = third_umpire_test_support::service::Shim::in_folder(deployment.folder());
        let service = deployment.serve_as(Serving { through: &shim.through(), ..Serving::default() });
        let played = in_play(service.client());
        let before = played.view();
        shim.fill_disk(true);
        for _ in 0..5 {
            has_no_room(&played.post("/balls", &json!({})));
            has_no_room(&played.client.post("/v1/matches", &seeded(2)));
        }
        shim.fill_disk(false);
        until("the service is ready again", || is_ready(service.client()));
        assert_eq!(played.view(), before, "nothing was stored meanwhile");
        played.ball();
        played.play_step();
        played.audits_clean();
    });
}

/// Asserts that an append was refused since the disk is full, and is known not to be stored.
#[track_caller]
fn has_no_room(answer: &Answer) {
    let refusal = answer.refused(503, "store-unavailable");
    refusal.says(&["the disk is full", "nothing was stored by this request"]);
}

/// A limit on the size of files, or a quota, is no full disk to the operating system.
#[test]
fn a_disk_that_takes_nothing_is_told_without_an_append() {
    Deployment::as_process(Engine::Sqlite, |deployment| {
        let through: &[&str] = &["bash", "-c", "trap '' XFSZ; exec \"$@\"", "bash"];
        let service = deployment.serve_as(Serving { through, ..Serving::default() });
        let played = in_play(service.client());
        service.limit_files("4096");
        is_not_ready(&played, "the disk refuses writes");
        service.limit_files("unlimited");
        until("the service is ready again", || is_ready(service.client()));
        played.play_step();
    });
}

#[test]
fn a_read_only_file_is_refused_by_name() {
    Deployment::as_process(Engine::Sqlite, |deployment| {
        let played = in_play(deployment.client());
        let url = format!("{}?mode=ro", deployment.database().url);
        let service = Process::start(&url, deployment.folder(), Serving::default());
        is_not_ready(&played.through(service.client()), "read-only");
        assert!(is_ready(deployment.client()), "the other instance stores");
    });
}

/// Overwrites the file from this offset with what is no database.
fn overwrite(deployment: &Deployment, from: u64) {
    // A new row makes every connection drop its cached pages; the journal is moved into the file.
    let mut session = deployment.database().session();
    session.run("insert into secrets values (x'00', 'x')").expect("the owner can");
    session.run("pragma wal_checkpoint(truncate)").expect("nobody is in the way");
    drop(session);
    let file = OpenOptions::new().write(true).open(deployment.file()).expect("the file is there");
    let rest = file.metadata().expect("the file is there").len() - from;
    file.write_all_at(&vec![0xa5; rest as usize], from).expect("the file is ours");
}

/// A broken file does not mend itself: requests get another status than in an outage, and `/readyz` names the
/// fault.
#[test]
fn a_corrupt_file_is_told_and_is_no_outage_that_passes() {
    // One case breaks all pages but the first, which lists the tables; the other breaks the first, without
    // which the file is no database.
    for from in [4096, 0] {
        Deployment::as_process(Engine::Sqlite, |deployment| {
            let played = in_play(deployment.client());
            assert!(is_ready(deployment.client()));
            overwrite(deployment, from);
            let ball = played.post("/balls", &json!({}));
            let creation = played.client.post("/v1/matches", &table(1));
            for answer in [ball, creation, deployment.client().get("/v1/matches")] {
                answer.refused(500, "internal");
                assert!(
                    answer.header("retry-after").is_empty(),
                    "trying again is no use: {}",
                    answer.request
                );
                assert!(!answer.text().contains("malformed") && !answer.text().contains("not a database"));
            }
            let answer = deployment.client().get("/readyz");
            answer.refused(503, "store-unavailable").says(&["the database is corrupt"]);
            deployment.client().get("/healthz").expect(200);
        });
    }
}

mod postgres {
    use super::*;

    fn deployed(scenario: impl FnOnce(&Deployment)) {
        Deployment::as_process(Engine::Postgres, scenario);
    }

    #[test]
    fn a_read_only_database_is_told_without_an_append() {
        deployed(|deployment| {
            let played = in_play(deployment.client());
            assert!(is_ready(deployment.client()));
            deployment.database().make_read_only(true);
            is_not_ready(&played, "read-only");
            deployment.database().make_read_only(false);
            until("the service is ready again", || is_ready(deployment.client()));
            played.play_step();
        });
    }

    /// The errors are those of a server without room, or with broken pages.
    #[test]
    fn a_full_disk_and_broken_pages_are_told_without_an_append() {
        deployed(|deployment| {
            let played = in_play(deployment.client());
            for (sqlstate, why) in [("53100", "the disk is full"), ("XX001", "the database is corrupt")] {
                let sql = format!(
                    "create or replace function refuse() returns trigger language plpgsql as \
                     $$ begin raise exception 'no' using errcode = '{sqlstate}'; end $$; \
                     create or replace trigger refuse before insert or update on views \
                     for each row execute function refuse()"
                );
                deployment.database().run(&sql).expect("the owner can");
                is_not_ready(&played, why);
            }
            deployment.database().run("drop trigger refuse on views").expect("the owner can");
            until("the service is ready again", || is_ready(deployment.client()));
            played.play_step();
        });
    }

    /// The error of a server without room, at the end of a transaction.
    #[test]
    fn an_append_on_a_full_disk_is_refused_with_the_reason() {
        deployed(|deployment| {
            let played = in_play(deployment.client());
            let before = played.view();
            let sql = "create function refuse() returns trigger language plpgsql as \
                 $$ begin raise exception 'no' using errcode = '53100'; end $$; \
                 create constraint trigger refuse after insert on events deferrable initially deferred \
                 for each row execute function refuse()";
            deployment.database().run(sql).expect("the owner can");
            has_no_room(&played.post("/balls", &json!({})));
            has_no_room(&played.client.post("/v1/matches", &seeded(2)));
            deployment.database().run("drop trigger refuse on events").expect("the owner can");
            until("the service is ready again", || is_ready(deployment.client()));
            assert_eq!(played.view(), before, "nothing was stored meanwhile");
            played.play_step();
        });
    }

    /// A page with one match is broken: the others go on, also those that are written together with it.
    #[test]
    fn one_match_that_cannot_be_written_keeps_no_other_from_it() {
        deployed(|deployment| {
            let (broken, others) =
                (in_play(deployment.client()), [(); 4].map(|()| in_play(deployment.client())));
            let sql = format!(
                "create function refuse_one() returns trigger language plpgsql as \
                 $$ begin raise exception 'no' using errcode = 'XX002'; end $$; \
                 create trigger refuse_one before insert on events for each row \
                 when (new.match_id = '{}') execute function refuse_one()",
                broken.id
            );
            deployment.database().run(&sql).expect("the owner can");
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    for _ in 0..40 {
                        broken.posting("/balls", &json!({})).send().refused(500, "internal");
                    }
                });
                for other in &others {
                    scope.spawn(|| (0..10).for_each(|_| drop(other.ball())));
                }
            });
            assert!(is_ready(deployment.client()), "one match is broken, and the database is not");
            deployment.database().run("drop trigger refuse_one on events").expect("the owner can");
            broken.ball();
        });
    }

    /// A role may not write what the probe writes: whether anything can be written is unknown.
    #[test]
    fn a_role_that_may_not_try_is_ready() {
        deployed(|deployment| {
            let role = format!("tu_{}", uuid::Uuid::now_v7().simple());
            let sql = format!(
                "create role {role} login password 'x'; grant select on all tables in schema public to {role}"
            );
            deployment.database().run(&sql).expect("the owner can");
            let mut url = url::Url::parse(&deployment.database().url).expect("the database has an address");
            url.set_username(&role).expect("the address takes a user");
            let arguments = &["--no-migrate"];
            let serving = Serving { arguments, ..Serving::default() };
            let service = Process::start(url.as_str(), deployment.folder(), serving);
            service.client().get("/readyz").expect(200);
            drop(service);
            deployment
                .database()
                .run(&format!("drop owned by {role}; drop role {role}"))
                .expect("the role can be dropped");
        });
    }

    /// The password is changed under the service: no repeated request can mend that.
    #[test]
    fn a_password_that_is_refused_is_no_outage_that_passes() {
        Deployment::with_own_cluster(|deployment, cluster| {
            let migrated = deployment.client().get("/readyz").status;
            assert_eq!(migrated, 200);
            let mut session = deployment.database().session();
            session.run("create role scorer superuser login password 'first'").expect("the owner can");
            cluster.require_password("scorer");
            session.texts("select pg_reload_conf()::text");
            let mut url = url::Url::parse(&deployment.database().url).expect("the database has an address");
            url.set_username("scorer").expect("the address takes a user");
            url.set_password(Some("first")).expect("the address takes a password");
            let service = Process::start(url.as_str(), deployment.folder(), Serving::default());
            let played = in_play(service.client());
            session.run("alter role scorer password 'second'").expect("the owner can");
            session.cut_others();
            // A connection that was used a moment ago counts as alive.
            std::thread::sleep(Duration::from_millis(100));
            let ball = played.post("/balls", &json!({}));
            let creation = played.client.post("/v1/matches", &table(1));
            for answer in [ball, creation, service.client().get("/v1/matches")] {
                answer.refused(500, "internal");
                assert!(
                    answer.header("retry-after").is_empty(),
                    "trying again is no use: {}",
                    answer.request
                );
                assert!(!answer.text().contains("scorer") && !answer.text().contains("password"));
            }
            let answer = service.client().get("/readyz");
            answer.refused(503, "store-unavailable").says(&["refuses the service's name or password"]);
            service.client().get("/healthz").expect(200);
        });
    }

    /// A server that follows another one lets matches be read.
    #[test]
    fn a_hot_standby_is_refused_by_name() {
        Deployment::with_own_cluster(|deployment, cluster| {
            let played = in_play(deployment.client());
            let standby = cluster.standby();
            let url = deployment.database().url.replace(&cluster.host(), &standby.host());
            until("the match has arrived", || {
                let arrived =
                    Session::open(&url).map(|mut there| there.texts("select count(*)::text from events"));
                arrived.is_ok_and(|events| events == ["5"])
            });
            let arguments = &["--no-migrate"];
            let serving = Serving { arguments, ..Serving::default() };
            let service = Process::start(&url, deployment.folder(), serving);
            let there = played.through(service.client());
            is_not_ready(&there, "hot standby");
            there.post("/balls", &json!({})).refused(503, "store-unavailable").says(&["read-only"]);
            assert!(is_ready(deployment.client()));
            played.play_step();
        });
    }
}

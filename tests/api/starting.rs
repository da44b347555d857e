//! Migrations, the role that serves in production, and instances that start together.

use std::thread;

use serde_json::json;

use crate::on_both_stores;
use crate::support::{Engine, House, Match, Service, Serving, Session, chained, run, seeded, table};

const README: &str = include_str!("../../README.md");

fn without_migration() -> Serving<'static> {
    Serving { arguments: &["--no-migrate"], ..Serving::default() }
}

on_both_stores!(instances_that_start_together_on_an_empty_database_all_serve, |house| {
    let (url, folder) = (house.database().url.clone(), house.folder().to_owned());
    let start = |_| {
        let (url, folder) = (url.clone(), folder.clone());
        thread::spawn(move || Service::start(&url, &folder, Serving::default()))
    };
    let starting: Vec<_> = (0..4).map(start).collect();
    let services: Vec<Service> = starting.into_iter().map(|one| one.join().expect("it starts")).collect();
    let played = Match::create(services[0].client(), &table(1));
    played.begin();
    for service in &services {
        played.through(service.client()).bowl(&[2, 3]);
    }
    chained(&played.events());
});

on_both_stores!(told_not_to_migrate_it_serves_only_tables_of_its_version, |house| {
    let url = house.database().url.clone();
    if house.database().engine == Engine::Sqlite {
        std::fs::write(house.file(), "").expect("the folder is ours");
    }
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--no-migrate", "--database"];
    let refused = run(&[&arguments[..], &[&url]].concat());
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{told}");
    assert!(told.contains("third-umpire migrate") && refused.stdout.is_empty(), "{told}");
    for _ in 0..2 {
        assert_eq!(run(&["migrate", "--database", &url]).status.code(), Some(0), "it may be run again");
    }
    let service = house.serve_as(without_migration());
    Match::create(service.client(), &table(1)).goes_on();
});

on_both_stores!(tables_of_a_version_to_come_are_left_alone, |house| {
    Match::create(house.client(), &table(1)).goes_on();
    let later = "update _sqlx_migrations set version = 9999";
    house.database().run(later).expect("the owner can");
    let rows = house.database().everything();
    for arguments in [&["migrate"][..], &["serve", "--listen", "127.0.0.1:0"], &["rebuild"]] {
        let refused = run(&[arguments, &["--database", &house.database().url]].concat());
        let told = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}: {told}");
        assert!(told.contains("not those of this version"), "{told}");
    }
    assert_eq!(house.database().everything(), rows);
});

/// The statements README gives for the production role.
fn readme_role() -> &'static str {
    let (_, rest) = README.split_once("```sql\ncreate role ").expect("README gives a role");
    let sql = &README[README.len() - rest.len() - "create role ".len()..];
    sql.split("```").next().unwrap_or_default()
}

/// In a cluster of its own: roles are known in all of a cluster.
#[test]
fn the_role_readme_gives_can_play_and_cannot_touch_the_log() {
    House::with_own_cluster(|house, _| {
        let owner = &house.database().url;
        assert_eq!(run(&["migrate", "--database", owner]).status.code(), Some(0));
        house.database().run(readme_role()).expect("README's statements run");
        let url = owner.replace("//umpire@", "//third_umpire_service@");
        assert_ne!(url, *owner);
        let service = Service::start(&url, house.folder(), without_migration());
        let played = Match::create(service.client(), &seeded(1));
        played.begin();
        played.asking("/balls", &json!({})).key("once").send().expect(201);
        let rotate =
            service.client().request("POST", &played.path("/tokens/scorer/rotate")).token(&played.token);
        let token = rotate.send().expect(201)["token"].as_str().expect("a token").to_owned();
        let played = Match { token, ..played };
        played.post("/autoplay", &json!({"until": "match"})).expect(201);
        assert_eq!(played.get("/audit").expect(200)["verdict"], "clean");
        service.client().get("/readyz").expect(200);
        let mut session = Session::open(&url).expect("the role can log in");
        for sql in [
            "update events set body = body",
            "delete from events",
            "truncate events",
            "drop table events",
            "alter table events disable trigger all",
            "drop trigger events_no_change on events",
            "delete from heads",
            "delete from secrets",
            "update secrets set server_seed = ''",
        ] {
            let error = session.run(sql).expect_err(sql).to_string();
            assert!(error.contains("permission denied") || error.contains("must be owner"), "{sql}: {error}");
        }
    });
}

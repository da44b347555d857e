//! Migrations, and instances that start together.

use std::thread;

use crate::on_both_stores;
use crate::support::{Engine, House, Match, Service, Serving, chained, run, table};

fn without_migration() -> Serving<'static> {
    Serving { arguments: &["--no-migrate"], ..Serving::default() }
}

/// A database without any tables.
fn emptied(house: &House) -> String {
    match house.database().engine {
        Engine::Sqlite => std::fs::write(house.file(), "").expect("the folder is ours"),
        Engine::Postgres => {
            let sql = "drop schema public cascade; create schema public";
            house.database().run(sql).expect("the owner can");
        }
    }
    house.database().url.clone()
}

on_both_stores!(instances_that_start_together_on_an_empty_database_all_serve, |house| {
    let (url, folder) = (emptied(house), house.folder().to_owned());
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
    let url = emptied(house);
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
    let later = "update _sqlx_migrations set version = 9999 where version = (select max(version) from _sqlx_migrations)";
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

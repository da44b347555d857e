//! `third-umpire rebuild`: the projections folded again from the log are equal byte for byte.

use serde_json::json;

use crate::editions::begun;
use third_umpire_test_support::on_own_stores;
use third_umpire_test_support::service::{
    Deployment, Match, Mending, PROJECTIONS, SECRETS, Service, Sides, forge, remote, run, seeded, table,
};

/// Matches of every status.
fn matches(service: &Service) -> Vec<Match> {
    let [created, in_play, abandoned] = [0; 3].map(|_| service.create(&table(2)));
    in_play.begin();
    [&[2, 4][..], &[3, 5, 3, 4, 5], &[1, 2], &[3, 5, 3, 4, 1]]
        .into_iter()
        .for_each(|dice| drop(in_play.bowl(dice)));
    abandoned.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    let completed = service.create(&seeded(2));
    completed.post("/autoplay", &json!({"until": "match"})).expect(201);
    let remote = Sides::in_play(service.client(), &remote(2));
    remote.home.chooses(&remote.home.hand());
    let keyed = in_play.posting("/balls", &json!({"dice": [2, 3]})).key("once");
    keyed.send().expect(201);
    let (with_edition, ..) = begun(service.client());
    vec![created, in_play, abandoned, completed, remote.scorer, with_edition]
}

/// Runs `rebuild`, and returns its output.
#[track_caller]
fn rebuild(deployment: &Deployment, code: i32) -> String {
    let done = run(&["rebuild", "--database", &deployment.database().url]);
    assert_eq!(done.status.code(), Some(code), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8_lossy(&done.stdout).into_owned()
}

on_own_stores!(projections_folded_again_are_the_same_byte_for_byte, |deployment| {
    matches(deployment);
    let before = deployment.database().everything();
    assert!(PROJECTIONS.iter().all(|(table, _)| !before[table].is_empty()));
    assert!(SECRETS.iter().all(|(table, _)| !before[table].is_empty()));
    assert!(rebuild(deployment, 0).contains("6 matches; left unchanged: 0"));
    assert_eq!(deployment.database().everything(), before);
});

on_own_stores!(projections_that_were_lost_or_damaged_come_back, |deployment| {
    let played = matches(deployment);
    let before = deployment.database().everything();
    let orphan = deployment.database().id("01a20082-5925-720e-a587-ebd95c5e0b8f");
    for damage in [
        "delete from match_list",
        "delete from views",
        "update views set body = '{}'",
        "update match_list set body = 'x', status = 'lost', home = 'x'",
        &format!("insert into views values ({orphan}, 'scorecard', 'x', 'x', 1)"),
        &format!("insert into match_list values ({orphan}, 'x', 'x', 'x', 'x', 'x', 1, 1, 1, 1)"),
    ] {
        assert!(deployment.database().run(damage).expect("projections may be written") > 0, "{damage}");
        assert_ne!(deployment.database().rows(PROJECTIONS), before_projections(&before), "{damage}");
        rebuild(deployment, 0);
        assert_eq!(deployment.database().everything(), before, "after {damage}");
    }
    played[1].play_step();
});

/// The rows of a snapshot that are projections.
fn before_projections(
    before: &std::collections::BTreeMap<&'static str, Vec<String>>,
) -> std::collections::BTreeMap<&'static str, Vec<String>> {
    PROJECTIONS.iter().map(|(table, _)| (*table, before[table].clone())).collect()
}

on_own_stores!(cards_are_folded_from_the_log_when_projections_are_gone, |deployment| {
    let played = matches(deployment).remove(3);
    let cards = ["/scorecard", "/fall-of-wickets"].map(|card| played.get(card).text().to_owned());
    deployment.database().run("delete from views").expect("projections may be dropped");
    assert_eq!(["/scorecard", "/fall-of-wickets"].map(|card| played.get(card).text().to_owned()), cards);
});

on_own_stores!(a_rebuild_beside_a_service_that_writes_disturbs_nobody, |deployment| {
    let played = deployment.create(&seeded(50));
    played.begin();
    let writer = {
        let played = played.clone();
        std::thread::spawn(move || (0..30).for_each(|_| drop(played.ball())))
    };
    while !writer.is_finished() {
        rebuild(deployment, 0);
    }
    writer.join().expect("every ball is bowled");
    let before = deployment.database().everything();
    rebuild(deployment, 0);
    assert_eq!(deployment.database().everything(), before);
    assert_eq!(played.events().iter().filter(|event| event["kind"] == "ball").count(), 30);
});

on_own_stores!(a_log_that_does_not_fold_is_left_as_it_is_and_named, |deployment| {
    let played = matches(deployment);
    deployment.database().waits_for_list();
    deployment.database().drop_triggers();
    forge(deployment.database(), &played[1], 5, Mending::Chain, |event| {
        event["data"]["outcome"]["striker"] = json!("Nobody")
    });
    let before = deployment.database().everything();
    let done = run(&["rebuild", "--database", &deployment.database().url]);
    let stderr = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains(&played[1].id) && stderr.contains("event 5"), "{stderr}");
    assert_eq!(deployment.database().everything(), before);
});

//! Rows of the match list are written behind the answers to the balls: a service that is killed in between
//! leaves rows that are behind their logs.

use serde_json::Value;
use third_umpire_test_support::on_own_processes;
use third_umpire_test_support::service::{Client, Deployment, Match, seeded, table, until};

/// Bowls balls, and kills the service after each, until the row of the match is behind its log.
fn killed_before_the_row_is_written(deployment: &Deployment) -> Match {
    let mut service = deployment.serve();
    let mut played = Match::create(service.client(), &table(50));
    played.begin();
    for _ in 0..50 {
        played.bowl(&[2, 3]);
        service.kill();
        if deployment.database().rows_behind() == 1 {
            return played;
        }
        service = deployment.serve();
        played = played.through(service.client());
    }
    panic!("each row was written before the service was killed");
}

/// The entry of a match in the list, in the order of the last change.
fn entry(client: &Client, played: &Match) -> Value {
    let page = client.get("/v1/matches?order=changed").expect(200);
    let mut listed = page["matches"].as_array().expect("a page has matches").iter();
    listed.find(|entry| entry["id"] == played.id.as_str()).expect("the match is listed").clone()
}

on_own_processes!(a_row_that_a_killed_service_did_not_write_is_written_by_the_next, |deployment| {
    let played = killed_before_the_row_is_written(deployment);
    let service = deployment.serve();
    deployment.database().waits_for_list();
    let played = played.through(service.client());
    assert_eq!(entry(service.client(), &played)["head"], played.view()["head"]);
    deployment.is_rebuilt_alike(&played);
});

on_own_processes!(another_service_shows_such_a_row_as_of_now_and_writes_it, |deployment| {
    // It has looked for rows before this one was left.
    let other = deployment.client();
    other.get("/v1/matches").expect(200);
    let played = killed_before_the_row_is_written(deployment).through(other);
    let shown = entry(other, &played);
    assert_eq!((&shown["head"], &shown["score"]), (&played.view()["head"], &played.view()["score"]));
    deployment.database().waits_for_list();
    deployment.is_rebuilt_alike(&played);
});

on_own_processes!(a_service_that_is_told_to_stop_leaves_no_row_behind, |deployment| {
    for _ in 0..3 {
        let service = deployment.serve();
        let matches = [(); 5].map(|()| Match::create(service.client(), &seeded(2)));
        for played in &matches {
            played.begin().ball();
        }
        service.terminate();
        assert_eq!(service.ended(), Some(0));
        assert_eq!(deployment.database().rows_behind(), 0);
    }
});

on_own_processes!(each_service_lists_what_the_other_has_scored, |deployment| {
    let service = deployment.serve();
    let here = deployment.create(&table(5));
    here.begin();
    let there = here.through(service.client());
    for at in 0..6 {
        let (writer, reader) = if at % 2 == 0 { (&here, &there) } else { (&there, &here) };
        let head = writer.bowl(&[2, 3])["head"].clone();
        assert_eq!(entry(&writer.client, writer)["head"], head, "at once");
        until("the other has it", || entry(&reader.client, reader)["head"] == head);
    }
    deployment.database().run("update match_list set body = '{}', seq = 1").expect("the list may be written");
    assert_eq!(entry(&there.client, &there)["head"], there.view()["head"]);
    deployment.database().waits_for_list();
    deployment.is_rebuilt_alike(&here);
});

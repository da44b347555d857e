//! Pages of a match that was completed, reopened and completed in another way are never those of the earlier
//! end; and a log with corrections folds to what was folded as it was played.

use serde_json::{Value, json};

use super::{PAGES, STEPS, again, begun};
use crate::matches::disputes::{agree, amend, dispute, five_balls, rule, seeded_balls, undo};
use third_umpire_test_support::service::{
    Client, Deployment, Head, Match, Service, Sides, remote, run, seeded, table, tag_of, until,
};
use third_umpire_test_support::{on_both_stores, on_own_stores};

/// The pages that are stored for a completed match.
const STORED: [&str; 2] = ["/scorecard", "/fall-of-wickets"];

/// A match that was won by a single, with its pages read at the end.
fn won(service: &Service) -> Match {
    let played = service.create(&table(1));
    played.begin();
    (0..6).for_each(|_| drop(played.bowl(&[2, 3])));
    played.bowl(&[2, 1]);
    assert_eq!(played.view()["status"], "completed");
    STORED.iter().for_each(|page| drop(played.get(page).expect(200)));
    played
}

/// Asserts that the pages and their tags are those of the whole log.
#[track_caller]
fn is_up_to_date(played: &Match) {
    let head = played.events().pop().expect("an event");
    let (seq, hash) = (&head["seq"], &head["hash"]);
    for page in PAGES {
        let (shown, folded) = (played.get(page), played.get(&format!("{page}?at={seq}&as_known_at={seq}")));
        assert_eq!(shown.text(), folded.text(), "{page} at {seq}");
        assert_eq!(shown.tag(), tag_of(hash.as_str().expect("an event has a hash")), "{page} at {seq}");
    }
}

/// Asserts that a service which was just started, and has only the store, answers with the latest reads.
#[track_caller]
fn is_up_to_date_after_a_restart(deployment: &Deployment, played: &Match) {
    let service = deployment.serve();
    is_up_to_date(&played.through(service.client()));
    service.kill();
}

on_own_stores!(a_match_taken_up_again_shows_nothing_of_its_earlier_end, |deployment| {
    let played = won(deployment);
    let tags = PAGES.map(|page| played.get(page).tag().to_owned());
    undo(&played, 7);
    is_up_to_date(&played);
    is_up_to_date_after_a_restart(deployment, &played);
    assert_eq!(played.get("/scorecard").expect(200)["result"], Value::Null);
    played.bowl(&[2, 3]);
    is_up_to_date_after_a_restart(deployment, &played);
    played.bowl(&[2, 6]);
    assert_eq!(played.view()["status"], "completed");
    is_up_to_date(&played);
    is_up_to_date_after_a_restart(deployment, &played);
    for (page, tag) in PAGES.iter().zip(&tags) {
        again(&played, page, tag).has_status(200);
    }
    assert_eq!(played.get("/scorecard").expect(200)["innings"][1]["total"]["runs"], 6);
});

on_own_stores!(a_match_amended_after_its_end_shows_the_end_it_has_now, |deployment| {
    let played = won(deployment);
    amend(&played, 7, &[2, 4]);
    assert_eq!(played.view()["status"], "completed");
    is_up_to_date(&played);
    is_up_to_date_after_a_restart(deployment, &played);
    amend(&played, 1, &[2, 6]);
    assert_eq!(played.view()["status"], "in_play");
    is_up_to_date_after_a_restart(deployment, &played);
    played.post("/abandonment", &json!({"reason": "they have left"})).expect(201);
    is_up_to_date(&played);
    is_up_to_date_after_a_restart(deployment, &played);
});

on_own_stores!(a_dispute_after_the_end_shows_on_the_stored_card, |deployment| {
    for played in [won(deployment), over(deployment)] {
        let open = |of: &Match| of.get("/scorecard").expect(200)["disputes"].as_array().map(Vec::len);
        dispute(&played, 1);
        is_up_to_date_after_a_restart(deployment, &played);
        let service = deployment.serve();
        assert_eq!(open(&played.through(service.client())), Some(1));
        rule(&played, 1, "stands");
        is_up_to_date(&played);
        is_up_to_date_after_a_restart(deployment, &played);
        assert_eq!(open(&played), None);
    }
});

/// A seeded match that is over.
fn over(service: &Service) -> Match {
    let played = service.create(&seeded(1));
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    played
}

/// Waits until the pages of one instance are those of another, and asserts that they stay so.
fn catches_up(reader: &Match, writer: &Match) {
    until("the instance shows the current match", || {
        PAGES.iter().all(|page| reader.get(page).text() == writer.get(page).text())
    });
}

on_own_stores!(an_instance_that_has_cached_an_end_shows_the_next_one, |deployment| {
    let here = won(deployment);
    let service = deployment.serve();
    let there = here.through(service.client());
    catches_up(&there, &here);
    undo(&here, 7);
    catches_up(&there, &here);
    undo(&there, 6);
    there.bowl(&[2, 2]);
    catches_up(&here, &there);
    there.bowl(&[2, 4]);
    assert_eq!(there.view()["status"], "completed");
    catches_up(&here, &there);
    is_up_to_date(&here);
    is_up_to_date(&there);
    is_up_to_date_after_a_restart(deployment, &here);
});

/// Asserts that the pages are those after this append.
#[track_caller]
fn shows(played: &Match, appended: &Value) {
    for page in PAGES {
        assert_eq!(played.get(page).tag(), tag_of(&Head::of(appended).hash), "{page}");
    }
}

on_both_stores!(a_page_is_never_older_than_the_append_its_reader_was_told_of, |service| {
    let here = won(service);
    for dice in [[2, 1], [2, 2], [2, 4]] {
        shows(&here, &undo(&here, 7));
        shows(&here, &here.bowl(&dice));
    }
});

/// Matches of every status, with corrections of every kind.
fn corrected_matches(service: &Service) -> Vec<Match> {
    let whole = begun(service);
    STEPS.iter().for_each(|step| step(&whole));
    let reopened = won(service);
    undo(&reopened, 7);
    let ended_again = won(service);
    undo(&ended_again, 6);
    [[2, 1], [2, 2]].iter().for_each(|dice| drop(ended_again.bowl(dice)));
    let in_play = five_balls(service);
    dispute(&in_play, 2);
    agree(&in_play, 2);
    let bowled_again = seeded_balls(service, 4);
    undo(&bowled_again, 2);
    bowled_again.post("/autoplay", &json!({"until": "match"})).expect(201);
    dispute(&bowled_again, 1);
    let remote = Sides::in_play(service.client(), &remote(2));
    remote.choose_as_dealt();
    remote.bowl_over();
    remote.home.post("/corrections", &json!({"voids_from": 1, "reason": "the wrong cube"})).expect(201);
    remote.away.post("/corrections/1/consent", &json!({})).expect(201);
    vec![whole, reopened, ended_again, in_play, bowled_again, remote.scorer]
}

/// Every public page of these matches.
fn read(client: &Client, matches: &[Match]) -> Vec<String> {
    let paths = [
        "",
        "/scorecard",
        "/fall-of-wickets",
        "/commentary",
        "/deliveries",
        "/replay",
        "/disputes",
        "/corrections",
    ];
    let of = |played: &Match| {
        let played = played.through(client);
        paths.map(|path| played.get(path).has_status(200).text().to_owned())
    };
    let mut read: Vec<String> = matches.iter().flat_map(of).collect();
    read.push(client.get("/v1/matches?limit=100").text().to_owned());
    read
}

/// The current rows folded from the logs, without pages of an earlier end.
fn shown_rows(deployment: &Deployment) -> Vec<String> {
    deployment.database().waits_for_list();
    let concat = "v.name || ' ' || v.hash || ' ' || v.body";
    let views = format!(
        "select {concat} from views v join heads h on h.match_id = v.match_id and h.hash = v.hash order by 1"
    );
    let mut rows = deployment.database().texts(&views);
    let list = "select game || ' ' || home || ' ' || away || ' ' || status || ' ' || body from match_list order by 1";
    rows.extend(deployment.database().texts(list));
    rows
}

fn rebuild(deployment: &Deployment) {
    let done = run(&["rebuild", "--database", &deployment.database().url]);
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
}

on_own_stores!(folded_again_from_logs_with_corrections_all_is_the_same_byte_for_byte, |deployment| {
    let matches = corrected_matches(deployment);
    let (rows, pages) = (shown_rows(deployment), read(deployment.client(), &matches));
    assert!(rows.len() > matches.len(), "pages are stored too");
    rebuild(deployment);
    assert_eq!(shown_rows(deployment), rows);
    let everything = deployment.database().everything();
    rebuild(deployment);
    assert_eq!(deployment.database().everything(), everything, "a second time changes nothing");
    let service = deployment.serve();
    assert_eq!(read(service.client(), &matches), pages);
    assert_eq!(read(deployment.client(), &matches), pages);
});

on_own_stores!(lost_projections_of_corrected_matches_come_back, |deployment| {
    let matches = corrected_matches(deployment);
    let rows = shown_rows(deployment);
    for damage in ["delete from views", "update views set body = '{}'", "delete from match_list"] {
        deployment.database().run(damage).expect("projections may be written");
        assert_ne!(shown_rows(deployment), rows);
        rebuild(deployment);
        assert_eq!(shown_rows(deployment), rows, "after {damage}");
    }
    matches[1].play_step();
});

on_own_stores!(corrected_matches_audit_clean_and_are_read_alike_by_a_new_instance, |deployment| {
    let matches = corrected_matches(deployment);
    for played in &matches {
        played.audits_clean();
        is_up_to_date(played);
        is_up_to_date_after_a_restart(deployment, played);
    }
});

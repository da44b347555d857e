//! Pages of a match that was over, was taken up again and ended otherwise are never those of its earlier end; and what is
//! folded again from a log with corrections in it is what was folded as it was played.

use serde_json::{Value, json};

use super::{PAGES, STEPS, again, begun};
use crate::disputes::{agree, amend, dispute, five_balls, rule, seeded_balls, undo};
use crate::on_both_stores;
use crate::support::{Client, House, Match, Sides, remote, run, seeded, table, until};

/// The pages that are stored of a match that is over.
const STORED: [&str; 2] = ["/scorecard", "/fall-of-wickets"];

/// A match that a single has won, its pages read at its end.
fn won(house: &House) -> Match {
    let played = house.create(&table(1));
    played.begin();
    (0..6).for_each(|_| drop(played.bowl(&[2, 3])));
    played.bowl(&[2, 1]);
    assert_eq!(played.view()["status"], "completed");
    STORED.iter().for_each(|page| drop(played.get(page).expect(200)));
    played
}

/// The pages are those of the log to its end, and their tags its head's.
#[track_caller]
fn is_up_to_date(played: &Match) {
    let head = played.events().pop().expect("an event");
    let (seq, hash) = (&head["seq"], &head["hash"]);
    for page in PAGES {
        let (shown, folded) = (played.get(page), played.get(&format!("{page}?at={seq}&as_known_at={seq}")));
        assert_eq!(shown.text(), folded.text(), "{page} at {seq}");
        assert_eq!(json!(shown.tag()), *hash, "{page} at {seq}");
    }
}

/// The same from an instance that has just been started, and knows nothing but what is stored.
#[track_caller]
fn is_up_to_date_after_a_restart(house: &House, played: &Match) {
    let service = house.serve();
    is_up_to_date(&played.through(service.client()));
    service.kill();
}

on_both_stores!(a_match_taken_up_again_shows_nothing_of_its_earlier_end, |house| {
    let played = won(house);
    let tags = PAGES.map(|page| played.get(page).tag().to_owned());
    undo(&played, 7);
    is_up_to_date(&played);
    is_up_to_date_after_a_restart(house, &played);
    assert_eq!(played.get("/scorecard").expect(200)["result"], Value::Null);
    played.bowl(&[2, 3]);
    is_up_to_date_after_a_restart(house, &played);
    played.bowl(&[2, 6]);
    assert_eq!(played.view()["status"], "completed");
    is_up_to_date(&played);
    is_up_to_date_after_a_restart(house, &played);
    for (page, tag) in PAGES.iter().zip(&tags) {
        again(&played, page, tag).has_status(200);
    }
    assert_eq!(played.get("/scorecard").expect(200)["innings"][1]["total"]["runs"], 6);
});

on_both_stores!(a_match_amended_after_its_end_shows_the_end_it_has_now, |house| {
    let played = won(house);
    amend(&played, 7, &[2, 4]);
    assert_eq!(played.view()["status"], "completed");
    is_up_to_date(&played);
    is_up_to_date_after_a_restart(house, &played);
    amend(&played, 1, &[2, 6]);
    assert_eq!(played.view()["status"], "in_play");
    is_up_to_date_after_a_restart(house, &played);
    played.post("/abandonment", &json!({"reason": "they have left"})).expect(201);
    is_up_to_date(&played);
    is_up_to_date_after_a_restart(house, &played);
});

on_both_stores!(a_dispute_after_the_end_shows_on_the_stored_card, |house| {
    for played in [won(house), over(house)] {
        let open = |of: &Match| of.get("/scorecard").expect(200)["disputes"].as_array().map(Vec::len);
        dispute(&played, 1);
        is_up_to_date_after_a_restart(house, &played);
        let service = house.serve();
        assert_eq!(open(&played.through(service.client())), Some(1));
        rule(&played, 1, "stands");
        is_up_to_date(&played);
        is_up_to_date_after_a_restart(house, &played);
        assert_eq!(open(&played), None);
    }
});

/// A seeded match that is over.
fn over(house: &House) -> Match {
    let played = house.create(&seeded(1));
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    played
}

/// Whether what an instance shows is what is true: soon, and then for good.
fn comes_to(reader: &Match, writer: &Match) {
    until("it shows the match as it is now", || {
        PAGES.iter().all(|page| reader.get(page).text() == writer.get(page).text())
    });
}

on_both_stores!(an_instance_that_has_cached_an_end_shows_the_next_one, |house| {
    let here = won(house);
    let service = house.serve();
    let there = here.through(service.client());
    comes_to(&there, &here);
    undo(&here, 7);
    comes_to(&there, &here);
    undo(&there, 6);
    there.bowl(&[2, 2]);
    comes_to(&here, &there);
    there.bowl(&[2, 4]);
    assert_eq!(there.view()["status"], "completed");
    comes_to(&here, &there);
    is_up_to_date(&here);
    is_up_to_date(&there);
    is_up_to_date_after_a_restart(house, &here);
});

/// What was just appended is what the pages are true after.
#[track_caller]
fn shows(played: &Match, appended: &Value) {
    for page in PAGES {
        assert_eq!(json!(played.get(page).tag()), appended["head"]["hash"], "{page}");
    }
}

on_both_stores!(a_page_is_never_older_than_the_append_its_reader_was_told_of, |house| {
    let here = won(house);
    for dice in [[2, 1], [2, 2], [2, 4]] {
        shows(&here, &undo(&here, 7));
        shows(&here, &here.bowl(&dice));
    }
});

/// Matches with corrections of every kind in their logs, of every status.
fn corrected_matches(house: &House) -> Vec<Match> {
    let whole = begun(house);
    STEPS.iter().for_each(|step| step(&whole));
    let reopened = won(house);
    undo(&reopened, 7);
    let ended_again = won(house);
    undo(&ended_again, 6);
    [[2, 1], [2, 2]].iter().for_each(|dice| drop(ended_again.bowl(dice)));
    let in_play = five_balls(house);
    dispute(&in_play, 2);
    agree(&in_play, 2);
    let bowled_again = seeded_balls(house, 4);
    undo(&bowled_again, 2);
    bowled_again.post("/autoplay", &json!({"until": "match"})).expect(201);
    dispute(&bowled_again, 1);
    let apart = Sides::in_play(house.client(), &remote(2));
    apart.choose_as_dealt();
    apart.bowl_over();
    apart.home.post("/corrections", &json!({"voids_from": 1, "reason": "the wrong cube"})).expect(201);
    apart.away.post("/corrections/1/consent", &json!({})).expect(201);
    vec![whole, reopened, ended_again, in_play, bowled_again, apart.scorer]
}

/// What all can read of these matches.
fn read(client: &Client, matches: &[Match]) -> Vec<String> {
    let paths = ["", "/scorecard", "/fall-of-wickets", "/commentary", "/replay", "/disputes", "/corrections"];
    let of = |played: &Match| {
        let played = played.through(client);
        paths.map(|path| played.get(path).has_status(200).text().to_owned())
    };
    let mut read: Vec<String> = matches.iter().flat_map(of).collect();
    read.push(client.get("/v1/matches?limit=100").text().to_owned());
    read
}

/// The rows folded from the logs that are shown: pages of an earlier end are not.
fn shown_rows(house: &House) -> Vec<String> {
    let concat = "v.name || ' ' || v.hash || ' ' || v.body";
    let views = format!(
        "select {concat} from views v join heads h on h.match_id = v.match_id and h.hash = v.hash order by 1"
    );
    let mut rows = house.database().texts(&views);
    let list = "select game || ' ' || home || ' ' || away || ' ' || status || ' ' || body from match_list order by 1";
    rows.extend(house.database().texts(list));
    rows
}

fn rebuild(house: &House) {
    let done = run(&["rebuild", "--database", &house.database().url]);
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
}

on_both_stores!(folded_again_from_logs_with_corrections_all_is_the_same_byte_for_byte, |house| {
    let matches = corrected_matches(house);
    let (rows, pages) = (shown_rows(house), read(house.client(), &matches));
    assert!(rows.len() > matches.len(), "pages are stored too");
    rebuild(house);
    assert_eq!(shown_rows(house), rows);
    let everything = house.database().everything();
    rebuild(house);
    assert_eq!(house.database().everything(), everything, "a second time changes nothing");
    let service = house.serve();
    assert_eq!(read(service.client(), &matches), pages);
    assert_eq!(read(house.client(), &matches), pages);
});

on_both_stores!(lost_projections_of_corrected_matches_come_back, |house| {
    let matches = corrected_matches(house);
    let rows = shown_rows(house);
    for damage in ["delete from views", "update views set body = '{}'", "delete from match_list"] {
        house.database().run(damage).expect("projections may be written");
        assert_ne!(shown_rows(house), rows);
        rebuild(house);
        assert_eq!(shown_rows(house), rows, "after {damage}");
    }
    matches[1].goes_on();
});

on_both_stores!(corrected_matches_audit_clean_and_are_read_alike_by_a_new_instance, |house| {
    let matches = corrected_matches(house);
    for played in &matches {
        let report = played.get("/audit").expect(200);
        assert_eq!(report["verdict"], "clean", "{report}");
        is_up_to_date(played);
        is_up_to_date_after_a_restart(house, played);
    }
});

//! `at` alone: the match as of an earlier event, as it is known now.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{PAGES, again, begun, card, figures, last_of};
use crate::matches::disputes::{agree, amend, ball_of, correct, dispute, five_balls, rule, undo};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Match, seeded, step, table};

fn seq_of(played: &Match, delivery: u32) -> u64 {
    ball_of(played, delivery)["seq"].as_u64().expect("a seq")
}

#[track_caller]
fn runs_and_balls(played: &Match, at: u64) -> (u64, u64) {
    let card = card(played, &format!("?at={at}"));
    let total = &card["innings"][0]["total"];
    (total["runs"].as_u64().expect("runs"), total["balls"].as_u64().expect("balls"))
}

on_both_stores!(each_moment_of_an_amended_match_says_what_stands_now, |service| {
    let played = five_balls(service);
    let was: Vec<u64> = (1..=5).map(|delivery| seq_of(&played, delivery)).collect();
    amend(&played, 2, &[2, 2]);
    let never_wrong = service.create(&table(2));
    never_wrong.begin();
    for (place, dice) in [[2, 4], [2, 2], [2, 6], [2, 1], [2, 3]].iter().enumerate() {
        never_wrong.bowl(dice);
        let delivery = place as u32 + 1;
        let due = figures(&card(&never_wrong, ""));
        for at in [was[place], seq_of(&played, delivery)] {
            let then = card(&played, &format!("?at={at}"));
            assert_eq!(figures(&then), due, "at {at}, delivery {delivery}");
            assert_eq!(then["at_seq"], at);
        }
    }
});

on_both_stores!(all_five_pages_agree_about_a_moment, |service| {
    let played = five_balls(service);
    amend(&played, 2, &[2, 5]);
    agree(&played, 4);
    undo(&played, 5);
    for at in 1..=played.head().seq {
        let [card, fall, commentary, deliveries, replay] =
            PAGES.map(|page| played.get(&format!("{page}?at={at}")).expect(200));
        assert_eq!(card["status"], replay["status"]);
        assert_eq!((&card["head"], &card["result"]), (&replay["head"], &replay["result"]));
        assert_eq!(card.get("as_known_at"), replay.get("as_known_at"));
        assert_eq!(commentary["lines"], replay["commentary"]);
        assert_eq!(
            (&deliveries["head"], deliveries.get("as_known_at")),
            (&card["head"], card.get("as_known_at"))
        );
        let rows = deliveries["deliveries"].as_array().expect("a list");
        if let Some((row, innings)) = rows.last().zip(card["innings"].as_array().expect("a list").last()) {
            let total = &innings["total"];
            assert_eq!(
                [&row["total"], &row["wickets"], &row["balls"]],
                [&total["runs"], &total["wickets"], &total["balls"]],
                "at {at}"
            );
        }
        for (innings, score) in card["innings"]
            .as_array()
            .expect("a list")
            .iter()
            .zip(replay["score"]["innings"].as_array().expect("a list"))
        {
            let total = &innings["total"];
            assert_eq!((&total["runs"], &total["wickets"]), (&score["runs"], &score["wickets"]));
        }
        for (innings, fallen) in card["innings"]
            .as_array()
            .expect("a list")
            .iter()
            .zip(fall["innings"].as_array().expect("a list"))
        {
            assert_eq!(innings["fall_of_wickets"], fallen["fall_of_wickets"]);
        }
    }
});

on_both_stores!(at_a_ball_taken_back_the_last_that_stands_counts_until_it_is_bowled_again, |service| {
    let played = five_balls(service);
    let void: Vec<u64> = (4..=5).map(|delivery| seq_of(&played, delivery)).collect();
    undo(&played, 4);
    let before = figures(&card(&played, ""));
    for at in &void {
        let then = card(&played, &format!("?at={at}"));
        assert_eq!((figures(&then), &then["at_seq"]), (before.clone(), &json!(at)));
        assert_eq!(then["as_known_at"], last_of(&played, "correction"));
    }
    played.bowl(&[2, 2]);
    let fourth = figures(&card(&played, ""));
    for at in &void {
        assert_eq!(figures(&card(&played, &format!("?at={at}"))), fourth, "as far as it has been played");
    }
    played.bowl(&[2, 6]);
    assert_eq!(figures(&card(&played, &format!("?at={}", void[0]))), fourth);
    assert_eq!(figures(&card(&played, &format!("?at={}", void[1]))), figures(&card(&played, "")));
});

on_both_stores!(at_a_correction_it_is_made_and_nothing_played_on_it, |service| {
    let played = five_balls(service);
    let second = figures(&card(&played, &format!("?at={}", seq_of(&played, 2))));
    amend(&played, 3, &[2, 1]);
    let correction = last_of(&played, "correction");
    let then = card(&played, &format!("?at={correction}"));
    assert_eq!((figures(&then), then.get("as_known_at")), (second, None));
    assert_eq!(runs_and_balls(&played, correction + 1), (5, 3));
    // An amendment of an earlier ball changes what is known of this one.
    amend(&played, 1, &[2, 3]);
    assert_eq!(runs_and_balls(&played, correction + 1), (1, 3));
    assert_eq!(runs_and_balls(&played, correction), (0, 2));
});

on_both_stores!(a_match_without_a_ball_has_no_last_ball, |service| {
    let played = five_balls(service);
    let early: Vec<Value> = (1..=4).map(|at| figures(&card(&played, &format!("?at={at}")))).collect();
    amend(&played, 1, &[2, 6]);
    undo(&played, 2);
    for (at, early) in (1..=4).zip(&early) {
        assert_eq!(figures(&card(&played, &format!("?at={at}"))), *early, "at {at}");
    }
    assert_eq!(card(&played, "?at=1").get("as_known_at"), None, "corrections concern play");
    assert_eq!(played.get("/replay?at=2").expect(200)["next"]["what"], "toss_decision");
});

on_both_stores!(at_an_over_taken_back_with_its_first_ball_there_is_no_over, |service| {
    let played = five_balls(service);
    undo(&played, 1);
    assert_eq!(card(&played, "?at=5")["innings"], json!([]));
    assert_eq!(played.get("/replay?at=5").expect(200)["next"], step(&played.view()["next"]));
    played.bowl(&[2, 6]);
    assert_eq!(runs_and_balls(&played, 5), (6, 1));
    assert_eq!(runs_and_balls(&played, 4), (0, 0));
});

on_both_stores!(at_a_toss_taken_back_the_match_waits_for_one, |service| {
    let played = five_balls(service);
    correct(&played, &json!({"voids_from_seq": 2, "reason": "the coin was bent"}));
    for at in [2, 3, 5, 9] {
        let replay = played.get(&format!("/replay?at={at}")).expect(200);
        assert_eq!(
            (&replay["next"]["what"], &replay["status"]),
            (&json!("toss"), &json!("created")),
            "at {at}"
        );
    }
    played.begin();
    assert_eq!(played.get("/replay?at=2").expect(200)["next"]["what"], "toss_decision");
});

on_both_stores!(at_an_end_taken_back_the_match_goes_on, |service| {
    let played = service.create(&table(1));
    played.begin();
    (0..6).for_each(|_| drop(played.bowl(&[2, 3])));
    played.bowl(&[2, 1]);
    let end = played.head().seq;
    assert_eq!(card(&played, &format!("?at={end}"))["status"], "completed");
    undo(&played, 7);
    for at in [end - 1, end] {
        let then = card(&played, &format!("?at={at}"));
        assert_eq!((&then["status"], &then["result"]), (&json!("in_play"), &Value::Null), "at {at}");
    }
    // With another end the match went on: the page covers it up to the delivery that was the last.
    played.bowl(&[2, 3]);
    let then = card(&played, &format!("?at={end}"));
    assert_eq!((&then["status"], &then["at_seq"]), (&json!("in_play"), &json!(end)));
    undo(&played, 7);
    played.bowl(&[2, 2]);
    let then = card(&played, &format!("?at={end}"));
    assert_eq!((&then["status"], &then["at_seq"]), (&json!("completed"), &json!(end)), "with the same ball");
    assert_eq!(card(&played, &format!("?at={end}&as_known_at={end}"))["status"], "completed");
});

on_both_stores!(a_ball_shows_a_later_agreement, |service| {
    let played = five_balls(service);
    let at = seq_of(&played, 2);
    agree(&played, 2);
    let now = card(&played, &format!("?at={at}"));
    assert_eq!(now["exceptions"][0]["delivery"], 2);
    assert_eq!(runs_and_balls(&played, at), (9, 2));
    assert_eq!(card(&played, &format!("?at={at}&as_known_at={at}")).get("exceptions"), None);
    assert_eq!(card(&played, &format!("?at={}", seq_of(&played, 1))).get("exceptions"), None);
});

/// The entity tags of all pages as of an event.
fn tags(played: &Match, query: &str) -> [String; 5] {
    PAGES.map(|page| played.get(&format!("{page}{query}")).tag().to_owned())
}

/// Asserts that the pages with these tags are still current.
#[track_caller]
fn unchanged(played: &Match, query: &str, tags: &[String; 5]) {
    for (page, tag) in PAGES.iter().zip(tags) {
        again(played, &format!("{page}{query}"), tag).has_status(304);
    }
}

on_both_stores!(a_tag_changes_with_what_is_known_of_a_moment_and_not_otherwise, |service| {
    let played = five_balls(service);
    let (at, query) = (seq_of(&played, 3), format!("?at={}", seq_of(&played, 3)));
    let then = format!("?at={at}&as_known_at={at}");
    let (first, fixed) = (tags(&played, &query), tags(&played, &then));
    assert_eq!(first, fixed);
    played.bowl(&[2, 3]);
    dispute(&played, 1);
    unchanged(&played, &query, &first);
    amend(&played, 3, &[2, 1]);
    let second = tags(&played, &query);
    assert!(first.iter().zip(&second).all(|(first, second)| first != second), "{second:?}");
    unchanged(&played, &query, &second);
    played.play_step();
    unchanged(&played, &query, &second);
    amend(&played, 3, &[2, 2]);
    assert!(tags(&played, &query).iter().all(|third| !first.contains(third) && !second.contains(third)));
    unchanged(&played, &then, &fixed);
});

/// Reads all pages as of every event, as a client that has them already: a 304 has to stand for the current
/// page.
#[track_caller]
fn never_stale(played: &Match, has: &mut BTreeMap<String, (String, String)>) {
    for at in 2..=played.head().seq {
        for page in PAGES {
            let path = format!("{page}?at={at}");
            let fresh = played.get(&path);
            if let Some((tag, body)) = has.get(&path)
                && again(played, &path, tag).status == 304
            {
                assert_eq!(fresh.text(), body, "{path} has changed, and its tag has not");
            }
            has.insert(path, (fresh.tag().to_owned(), fresh.text().to_owned()));
        }
    }
}

/// Steps of a match in which the past changes with and without a correction.
fn steps() -> Vec<fn(&Match)> {
    vec![
        |played| drop(undo(played, 2)),
        |played| drop(dispute(played, 1)),
        |played| drop(played.post("/balls", &json!({"dice": [2, 5]})).expect(201)),
        |played| {
            drop(
                played
                    .post("/balls", &json!({"dice": [2, 3], "choices": {"next_batter": "Knott"}}))
                    .expect(201),
            )
        },
        |played| drop(dispute(played, 3)),
        |played| drop(rule(played, 1, "stands")),
    ]
}

on_both_stores!(a_tag_never_stands_for_two_bodies, |service| {
    let played = begun(service);
    played.begin();
    [[2, 4], [2, 5], [2, 6]].iter().for_each(|dice| drop(played.bowl(dice)));
    let mut has = BTreeMap::new();
    never_stale(&played, &mut has);
    for step in steps() {
        step(&played);
        never_stale(&played, &mut has);
    }
});

on_both_stores!(in_a_seeded_match_a_moment_shows_no_die_that_is_not_in_the_log, |service| {
    let played = service.create(&seeded(2));
    played.begin();
    (0..4).for_each(|_| drop(played.ball()));
    undo(&played, 3);
    let last = played.head().seq;
    for at in 1..=last {
        for page in PAGES {
            let text = played.get(&format!("{page}?at={at}")).text().to_owned();
            assert!(!text.contains(&"5eed".repeat(16)), "{page} at {at}");
        }
    }
    let balls = |at: u64| -> u64 {
        let card = card(&played, &format!("?at={at}"));
        let batters = card["innings"][0]["batters"].as_array().cloned().unwrap_or_default();
        batters.iter().filter_map(|line| line["balls"].as_u64()).sum()
    };
    assert!(balls(last - 1) <= 2 && balls(last - 2) <= 2);
});

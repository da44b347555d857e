//! `as_known_at`: the match as it was known at an earlier head.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{PAGES, STEPS, begun, card, figures};
use crate::matches::disputes::{amend, dispute, five_balls, rule, undo};
use third_umpire_test_support::service::{Match, Service, seeded};
use third_umpire_test_support::{on_both_stores, on_own_stores};

/// The pages and their tags at one head.
type Pages = [(String, String); 5];

#[track_caller]
fn pages(played: &Match, query: &str) -> Pages {
    PAGES.map(|page| {
        let answer = played.get(&format!("{page}{query}"));
        answer.has_status(200);
        (answer.text().to_owned(), answer.tag().to_owned())
    })
}

/// A match, and its pages at each of its heads.
fn watched(service: &Service) -> (Match, BTreeMap<u64, Pages>) {
    let played = begun(service);
    let mut watched = BTreeMap::from([(1, pages(&played, ""))]);
    for step in STEPS {
        step(&played);
        watched.insert(played.head().seq, pages(&played, ""));
    }
    (played, watched)
}

on_both_stores!(the_book_as_known_at_a_moment_is_what_was_served_then, |service| {
    let (played, watched) = watched(service);
    assert_eq!(watched.len(), STEPS.len() + 1);
    for (at, then) in &watched {
        assert_eq!(pages(&played, &format!("?as_known_at={at}")), *then, "as known at {at}");
        assert_eq!(pages(&played, &format!("?at={at}&as_known_at={at}")), *then, "at and as known at {at}");
    }
});

on_own_stores!(another_instance_knows_what_was_known_as_well, |deployment| {
    let (played, watched) = watched(deployment);
    let service = deployment.serve();
    let there = played.through(service.client());
    for (at, then) in &watched {
        assert_eq!(pages(&there, &format!("?as_known_at={at}")), *then, "as known at {at}");
    }
});

on_both_stores!(a_moment_as_known_then_is_told_alike_again, |service| {
    let played = begun(service);
    let mut recorded: Vec<(String, Pages)> = Vec::new();
    for step in STEPS {
        step(&played);
        let head = played.head().seq;
        // The match as of every third event, as known at this head.
        for at in (1..=head).step_by(3) {
            recorded.push((format!("?at={at}&as_known_at={head}"), pages(&played, &format!("?at={at}"))));
        }
    }
    for (query, then) in &recorded {
        assert_eq!(pages(&played, query), *then, "{query}");
    }
});

on_both_stores!(knowledge_at_the_head_is_the_knowledge_of_now, |service| {
    let (played, _) = watched(service);
    let head = played.head().seq;
    for at in 1..=head {
        let now = pages(&played, &format!("?at={at}"));
        assert_eq!(pages(&played, &format!("?at={at}&as_known_at={head}")), now, "at {at}");
    }
});

on_both_stores!(nothing_is_known_before_the_first_event_or_after_the_last, |service| {
    let played = five_balls(service);
    let last = played.head().seq;
    for page in PAGES {
        for query in ["at=0", "as_known_at=0", "at=0&as_known_at=0", "at=0&as_known_at=3"] {
            played.get(&format!("{page}?{query}")).refused(404, "no-such-event").says(&["event 0"]);
        }
        let beyond = last + 1;
        for query in
            [format!("at={beyond}"), format!("as_known_at={beyond}"), format!("at=3&as_known_at={beyond}")]
        {
            let refused = played.get(&format!("{page}?{query}")).refused(404, "no-such-event");
            refused.says(&[&format!("event {beyond}"), &format!("event {last}")]);
        }
        played.get(&format!("{page}?at=3&as_known_at=18446744073709551615")).refused(404, "no-such-event");
    }
});

on_both_stores!(a_moment_after_its_knowledge_is_refused, |service| {
    let played = five_balls(service);
    for page in PAGES {
        for (at, known) in [(5, 4), (2, 1), (9, 1)] {
            let refused = played.get(&format!("{page}?at={at}&as_known_at={known}"));
            let refused = refused.refused(400, "invalid-parameter").at("query.as_known_at");
            refused.says(&[&at.to_string(), &known.to_string()]);
        }
        played.get(&format!("{page}?at=5&as_known_at=5")).expect(200);
    }
});

on_both_stores!(a_moment_is_named_by_a_number, |service| {
    let played = five_balls(service);
    for value in ["-1", "abc", "1.5", "", "18446744073709551616", "1e1"] {
        for name in ["at", "as_known_at"] {
            played.get(&format!("/scorecard?{name}={value}")).refused(400, "invalid-parameter");
        }
    }
    played.get("/scorecard?known=3").refused(400, "invalid-parameter");
    played.get("/scorecard?as_known_at=3&as_known_at=4").refused(400, "invalid-parameter");
});

on_both_stores!(before_a_correction_its_delivery_is_known_as_it_was, |service| {
    let played = five_balls(service);
    let (at, before) = (played.head().seq, card(&played, ""));
    amend(&played, 3, &[2, 1]);
    undo(&played, 5);
    assert_eq!(card(&played, &format!("?at={at}&as_known_at={at}")), before);
    let known = card(&played, &format!("?at={at}&as_known_at={}", at + 1));
    assert_eq!(known["as_known_at"], at + 1, "the correction itself is known, and nothing after it");
    assert_eq!(known["innings"][0]["total"]["runs"], 4);
    assert_eq!(known["innings"][0]["total"]["balls"], 2);
});

on_both_stores!(commentary_strikes_what_was_known_to_be_void, |service| {
    let played = five_balls(service);
    let last = played.head().seq;
    undo(&played, 4);
    let correction = played.head().seq;
    let struck = |query: &str| -> Vec<(u64, u64)> {
        let commentary = played.get(&format!("/commentary{query}")).expect(200);
        let lines = commentary["lines"].as_array().expect("lines").clone();
        let void = |line: &Value| Some((line["seq"].as_u64()?, line["void"].as_u64()?));
        lines.iter().filter_map(void).collect()
    };
    let both = [(last - 1, correction), (last, correction)];
    assert_eq!(struck(""), both);
    assert_eq!(struck(&format!("?at={last}")), both);
    assert_eq!(struck(&format!("?at={}", last - 1)), both[..1]);
    assert_eq!(struck(&format!("?at={last}&as_known_at={last}")), []);
    assert_eq!(struck(&format!("?as_known_at={last}")), []);
    assert_eq!(struck(&format!("?as_known_at={correction}")), both);
    let replay = played.get(&format!("/replay?at={last}")).expect(200);
    assert_eq!(replay["commentary"], played.get(&format!("/commentary?at={last}")).expect(200)["lines"]);
});

on_both_stores!(a_dispute_was_open_as_long_as_it_was, |service| {
    let played = five_balls(service);
    dispute(&played, 2);
    let raised = played.head().seq;
    amend(&played, 2, &[2, 1]);
    rule(&played, 1, "amended");
    let open =
        |query: String| card(&played, &query).get("disputes").map(|open| open.as_array().map(Vec::len));
    assert_eq!(open(format!("?as_known_at={}", raised - 1)), None);
    assert_eq!(open(format!("?as_known_at={raised}")), Some(Some(1)));
    assert_eq!(open(format!("?as_known_at={}", played.head().seq - 1)), Some(Some(1)));
    assert_eq!(open(String::new()), None);
});

on_both_stores!(a_seeded_match_is_known_as_it_was_through_its_end, |service| {
    let played = service.create(&seeded(1));
    played.begin();
    let mut watched = BTreeMap::new();
    for n in 1.. {
        if played.view()["status"] == "completed" {
            break;
        }
        played.ball();
        watched.insert(played.head().seq, pages(&played, ""));
        if n == 3 {
            undo(&played, 2);
            watched.insert(played.head().seq, pages(&played, ""));
        }
    }
    let end = played.head().seq;
    dispute(&played, 1);
    for (at, then) in &watched {
        assert_eq!(pages(&played, &format!("?at={at}&as_known_at={at}")), *then, "as known at {at}");
    }
    assert_eq!(figures(&card(&played, &format!("?at={end}"))), figures(&card(&played, "")));
    assert_eq!(json!(end), card(&played, &format!("?at={end}"))["at_seq"]);
});

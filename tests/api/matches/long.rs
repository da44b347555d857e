//! Reads of a match with a long log: how large their answers are, and who makes them.

use std::sync::OnceLock;

use serde_json::{Value, json};
use third_umpire::scorebook::Side;
use third_umpire_test_support::logs::{Log, LogMaker, Setting, short, stands};
use third_umpire_test_support::on_own_stores;
use third_umpire_test_support::service::{CONTRACT, Deployment, Match, put_log};

/// The most bytes of an answer that a worker makes, who answers everybody.
const BY_A_WORKER: usize = 64 << 10;
/// The most bytes of an answer.
const MOST: usize = 1 << 20;
/// The reads that are answered portion by portion.
const IN_PORTIONS: [&str; 2] = ["/events/stream", "/log"];
/// The lists of a match, with the member that has the entries.
const LISTS: [(&str, &str); 7] = [
    ("/events", "events"),
    ("/disputes", "disputes"),
    ("/corrections", "corrections"),
    ("/changed-choices", "changed_choices"),
    ("/read-anew", "read_anew"),
    ("/exceptions", "exceptions"),
    ("/reviews", "reviews"),
];

const DISPUTES: usize = 1_000;
const CORRECTIONS: usize = 200;
/// The last of these corrections, each of which leaves a ball with an agreed outcome.
const AGREED: u32 = 30;
/// The most characters of a claim or a reason, each of four bytes.
const LONGEST: usize = 1_000;

/// The longest text that a claim or a reason may be.
fn longest() -> String {
    "\u{1f3cf}".repeat(LONGEST)
}

/// Begins an over by this bowler and bowls it.
fn over(log: LogMaker, bowler: usize) -> LogMaker {
    log.over(json!({"bowler": format!("Rovers {bowler}")})).balls::<6>([&[2, 3]; 6])
}

/// A match in play at the table: its first three overs were bowled and voided again and again, each time by
/// other bowlers; then the table agreed on the outcome of ball after ball, and every ball was disputed.
fn long_log() -> &'static Log {
    static LOG: OnceLock<Log> = OnceLock::new();
    LOG.get_or_init(|| {
        let mut log = Setting::overs(50).table().home_bats();
        for round in 0..CORRECTIONS - AGREED as usize {
            log = (0..3).fold(log, |log, number| over(log, 8 + (round + number) % 4));
            log = log.voided_from(1, &longest());
        }
        for delivery in 1..=AGREED {
            log = log.balls::<1>([&[2, 3]]);
            log = log.amended(stands(delivery, json!({"runs": {"batter": 5}}), &longest()), None, &longest());
        }
        // An over that begins adds an event of its own, so the log may have one more.
        while log.sealed.events.len() + DISPUTES < 5_000 {
            log = log.balls::<1>([&[2, 3]]);
        }
        log = (0..DISPUTES).fold(log, |log, _| log.disputed(1, &longest(), Side::Home));
        log.log()
    })
}

/// The reads of a match, with queries that ask for as much as there is and for the past.
fn reads(last: u64) -> Vec<String> {
    let of_the_match = |path: &str| path.strip_prefix("/v1/matches/{id}").map(str::to_owned);
    let reads = CONTRACT.paths().into_iter().filter(|(_, methods)| methods.contains(&"GET"));
    let paths: Vec<String> = reads.filter_map(|(path, _)| of_the_match(path)).collect();
    assert!(paths.len() > 15, "{paths:?}");
    assert!(IN_PORTIONS.iter().all(|path| paths.iter().any(|one| one == path)));
    let whole = paths.iter().filter(|path| !IN_PORTIONS.contains(&path.as_str()));
    let named = whole.map(|path| path.replace("{n}", "7").replace("{seq}", "8"));
    let past =
        ["/scorecard", "/fall-of-wickets", "/commentary", "/deliveries", "/luck", "/replay", "/reviews"];
    let past = past.iter().map(|path| format!("{path}?at={}", last - 3));
    let most = LISTS.iter().map(|(path, _)| format!("{path}?limit=1000"));
    let late = LISTS.iter().map(|(path, _)| format!("{path}?limit=1000&after=150"));
    let others =
        ["/commentary?after=4000", "/commentary?limit=1000", "/audit?format=text"].map(str::to_owned);
    named.chain(past).chain(most).chain(late).chain(others).collect()
}

/// The number of large answers that were made there.
fn made_on(deployment: &Deployment, place: &str) -> usize {
    let metrics = deployment.client().get("/metrics");
    let line = format!("third_umpire_large_answers_total{{made_on=\"{place}\"}} ");
    let counted = metrics.text().lines().find_map(|one| one.strip_prefix(&line));
    counted.map_or(0, |counted| counted.parse().expect("a number"))
}

/// Reads a match, and asserts that no answer is too large and no worker has made a large one.
fn keeps_to_bounds(deployment: &Deployment, played: &Match) {
    let before = ["thread", "kept"].map(|place| made_on(deployment, place));
    let sizes: Vec<(String, usize)> = reads(played.head().seq)
        .into_iter()
        .map(|path| {
            let size = played.get(&path).has_status(200).body.len();
            (path, size)
        })
        .collect();
    let too_large: Vec<_> = sizes.iter().filter(|(_, size)| *size > MOST).collect();
    assert!(too_large.is_empty(), "{too_large:?}");
    let large = sizes.iter().filter(|(_, size)| *size > BY_A_WORKER).count();
    assert!(large > 0, "the commentary is large");
    let after = ["thread", "kept"].map(|place| made_on(deployment, place));
    assert_eq!(made_on(deployment, "worker"), 0, "{sizes:?}");
    assert_eq!(after.iter().sum::<usize>() - before.iter().sum::<usize>(), large, "{sizes:?}");
    let lists = sizes.iter().filter(|(path, _)| LISTS.iter().any(|(list, _)| path.starts_with(list)));
    let long: Vec<_> = lists.filter(|(_, size)| *size > BY_A_WORKER).collect();
    assert!(long.is_empty(), "{long:?}");
}

on_own_stores!(no_answer_about_a_long_match_is_large_or_made_by_a_worker, |deployment| {
    let played = put_log(deployment, deployment.database(), long_log());
    let view = played.view();
    assert_eq!((&view["head"]["seq"], &view["disputes_open"]), (&json!(long_log().len()), &json!(DISPUTES)));
    keeps_to_bounds(deployment, &played);
    played.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    keeps_to_bounds(deployment, &played);
    // The pages of a match that is over are stored. Another instance reads them from the store.
    let other = deployment.serve();
    for path in ["/scorecard", "/reviews"] {
        assert_eq!(played.through(other.client()).get(path).text(), played.get(path).text());
    }
});

/// The entries of a list, page after page, and the number of pages.
fn entries(played: &Match, list: &str, member: &str, query: &str) -> (Vec<Value>, usize) {
    let (mut entries, mut pages, mut after) = (Vec::new(), 0, Some(0));
    while let Some(begin) = after {
        let page = played.get(&format!("{list}?after={begin}{query}")).expect(200);
        let on_page = page[member].as_array().expect("a list");
        assert!(
            page["next_after"].is_null() || !on_page.is_empty(),
            "a page that is not the last has entries"
        );
        entries.extend(on_page.iter().cloned());
        after = page["next_after"].as_u64();
        pages += 1;
    }
    (entries, pages)
}

on_own_stores!(the_pages_of_a_long_list_have_every_entry_once, |deployment| {
    let played = put_log(deployment, deployment.database(), long_log());
    let all = |list: &str, member: &str| {
        let (whole, pages) = entries(&played, list, member, "&limit=1000");
        let (others, more) = entries(&played, list, member, "&limit=9");
        assert_eq!(whole, others, "{list}");
        assert!(more >= pages, "{list}");
        whole
    };
    for (list, member) in [("/disputes", "disputes"), ("/corrections", "corrections")] {
        let numbers: Vec<Value> = all(list, member).iter().map(|entry| entry["number"].clone()).collect();
        let due = if list == "/disputes" { DISPUTES } else { CORRECTIONS };
        assert_eq!(numbers, (1..=due).map(|number| json!(number)).collect::<Vec<_>>(), "{list}");
    }
    let (card, view) = (played.get("/scorecard").expect(200), played.view());
    let corrections = played.get("/corrections").expect(200);
    let (changed, exceptions) =
        (all("/changed-choices", "changed_choices"), all("/exceptions", "exceptions"));
    assert_eq!(exceptions.len(), AGREED as usize);
    assert!(changed.len() > 20, "{changed:?}");
    let made = all("/corrections", "corrections");
    let on_card = card["corrections"].as_array().expect("a list");
    assert_eq!(
        (on_card.as_slice(), &card["corrections_total"]),
        (&made[..on_card.len()], &json!(CORRECTIONS))
    );
    assert!(!on_card.is_empty() && json!(on_card).to_string().len() <= 8 << 10);
    for (list, of, total) in [
        (&changed, "changed_choices", "changed_choices_total"),
        (&exceptions, "exceptions", "exceptions_total"),
    ] {
        for page in [&card, &corrections] {
            let first = page[of].as_array().expect("a list");
            assert_eq!((first.as_slice(), &page[total]), (&list[..first.len()], &json!(list.len())), "{of}");
            assert!(first.len() <= 20 && json!(first).to_string().len() <= 8 << 10);
        }
    }
    let first = view["disputes"].as_array().expect("a list");
    assert!((1..=20).contains(&first.len()) && json!(first).to_string().len() <= 16 << 10);
    assert_eq!(first.as_slice(), &all("/disputes", "disputes")[..first.len()]);
    assert_eq!((&card["disputes"], &card["disputes_open"]), (&view["disputes"], &view["disputes_open"]));
    let rows: Vec<Value> =
        all("/deliveries", "deliveries").iter().map(|row| row["delivery"].clone()).collect();
    assert_eq!(rows, (1..=rows.len()).map(|delivery| json!(delivery)).collect::<Vec<_>>());
    assert!(rows.len() > AGREED as usize);
    let (lines, pages) = entries(&played, "/commentary", "lines", "");
    let seqs: Vec<Value> = lines.iter().map(|line| line["seq"].clone()).collect();
    assert_eq!(seqs, (1..=long_log().len()).map(|seq| json!(seq)).collect::<Vec<_>>());
    assert!(pages > 1, "the claims alone have 4 MB");
    let replay = played.get("/replay").expect(200);
    let begin = replay["commentary"].as_array().expect("lines");
    assert_eq!((begin.as_slice(), &replay["next_after"]), (&lines[..begin.len()], &json!(begin.len())));
    let report = played.audits_clean();
    assert_eq!(report["disputes"].as_array().map_or(0, Vec::len) as u64 + left_out(&report), DISPUTES as u64);
    played.audits_clean_offline();
});

/// The number of disputes that the report of a service leaves out.
fn left_out(report: &Value) -> u64 {
    report["left_out"]["disputes"].as_u64().expect("the claims alone have 4 MB")
}

on_own_stores!(a_list_refuses_a_page_that_cannot_be, |deployment| {
    let played = put_log(deployment, deployment.database(), &short());
    for (list, member) in LISTS {
        for (query, at) in [
            ("limit=0", "query.limit"),
            ("limit=1001", "query.limit"),
            ("after=-1", "query.after"),
            ("after=1&after=2", "query.after"),
            ("before=7", "query.before"),
        ] {
            played.get(&format!("{list}?{query}")).refused(400, "invalid-parameter").at(at);
        }
        let beyond = played.get(&format!("{list}?after=18446744073709551615&limit=1000")).expect(200);
        assert_eq!((&beyond[member], &beyond["next_after"]), (&json!([]), &Value::Null), "{list}");
    }
    played.get("/commentary?limit=0").refused(400, "invalid-parameter").at("query.limit");
    let one = played.get("/commentary?after=2&limit=1").expect(200);
    assert_eq!((&one["lines"][0]["seq"], &one["next_after"]), (&json!(3), &json!(3)));
});

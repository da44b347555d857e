//! docs/api.md lists which requests answer what a match waits for: as in every stored log, at every event.

use std::collections::{BTreeMap, BTreeSet};

use third_umpire::editions::{Editions, MatchLog};
use third_umpire::matches::{RequestKind, StepRequest};
use third_umpire::projection::LoadedMatch;
use third_umpire::rules::Next;
use third_umpire_test_support::logs::every_stored_log;

use crate::pages::Page;

/// The head of the table on the page.
const HEAD: &str = "| `what` | requests |";

/// The requests by what a match waits for.
type Requests = BTreeMap<String, BTreeSet<String>>;

fn path(kind: RequestKind) -> &'static str {
    match kind {
        RequestKind::SetUp => "/set-up",
        RequestKind::Toss => "/toss",
        RequestKind::TossDecision => "/toss/decision",
        RequestKind::Over => "/overs",
        RequestKind::Ball => "/balls",
        RequestKind::Review => "/reviews",
        RequestKind::Choice => "/choices",
        RequestKind::Seed => "/seeds",
        RequestKind::Autoplay => "/autoplay",
        RequestKind::Amendment => "/corrections",
    }
}

/// The requests that answer what the match of a log waits for, at each event up to its first correction.
fn add_requests(log: &str, found: &mut Requests) {
    let mut lines = MatchLog::new(log.as_bytes(), Editions::default());
    let events: Vec<_> = lines.by_ref().map(|line| line.unwrap().1.read().unwrap()).collect();
    let mut loaded = None;
    for (n, event) in events.iter().enumerate() {
        if LoadedMatch::open_or_follow(&mut loaded, event, lines.editions()).is_err() {
            break;
        }
        let state = loaded.as_ref().unwrap().the_match();
        // In remote play the set-up comes with the choice that makes it whole: nobody sees the match between.
        let is_remote = state.play().info().created.remote;
        if is_remote && events.get(n + 1).is_some_and(|next| next.data.kind() == "set_up") {
            continue;
        }
        if let Next::Choose { what, .. } | Next::Roll { what, .. } = state.next() {
            let paths = StepRequest::of(state).into_iter().map(|request| path(request.kind).to_owned());
            found.entry(what.to_owned()).or_default().extend(paths);
        }
    }
}

#[test]
fn the_api_page_lists_the_requests_that_answer_each_step_and_no_other() {
    let mut found = Requests::new();
    for (_, log) in every_stored_log() {
        add_requests(&log.text(), &mut found);
    }
    let page = Page::read("docs/api.md");
    let rows = page.lines.iter().skip_while(|line| *line != HEAD).skip(2);
    let words = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<BTreeSet<_>>();
    let mut listed = Requests::new();
    for row in rows.take_while(|line| line.starts_with('|')) {
        let (what, requests) = row.trim_matches('|').split_once(" | ").unwrap();
        for what in words(what) {
            assert!(listed.insert(what.clone(), words(requests)).is_none(), "{what} is listed twice");
        }
    }
    assert_eq!(listed, found);
}

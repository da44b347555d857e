//! Home: which matches are in sight, in which order, and how the others are reached.

use serde_json::{Value, json};
use third_umpire_test_support::service::{Match, seeded, seeded_by_service, table, until, with};

use crate::phone::Phone;
use crate::proxy::Wire;
use crate::table::{Table, pad_of};

/// How often the list is read anew.
const AGAIN: u64 = 10_000;

/// The matches of the list, from the top.
fn listed(phone: &Phone) -> Vec<String> {
    let ids = phone.run(
        "return [...document.querySelectorAll('[data-match]')].map(({dataset}) => dataset.match)",
        vec![],
    );
    ids.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn finished(service: &Table) -> Match {
    let played = service.begun(&seeded_by_service(2));
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    played
}

#[test]
fn a_side_that_is_all_out_is_said_to_be() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = [2, 20, 50].map(|overs| {
        let played = service.begun(&seeded(overs));
        played.post("/autoplay", &json!({"until": "match"})).expect(201);
        played
    });
    phone.opens("/");
    let mut fallen = Vec::new();
    for played in played {
        let score = played.view()["score"]["innings"].clone();
        let row = phone.text(&format!("[data-match='{}']", played.id));
        for one in score.as_array().into_iter().flatten() {
            let (runs, wickets) = (&one["runs"], &one["wickets"]);
            let words = if wickets == 10 { format!("{runs} all out") } else { format!("{runs}/{wickets}") };
            assert!(row.contains(&words), "{words}: {row}");
            fallen.push(wickets == 10);
        }
    }
    assert!(fallen.contains(&true) && fallen.contains(&false), "{fallen:?}");
}

#[test]
fn matches_in_play_and_own_ones_stand_first_and_the_others_follow_in_pages() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let own = Match::create(service.client(), &table(2));
    phone.opens(&pad_of(&own));
    let in_play = service.begun(&table(2));
    let old = Match::create(service.client(), &table(2));
    let others: Vec<Match> = (0..55).map(|_| Match::create(service.client(), &table(2))).collect();
    phone.opens("/");
    let first = listed(&phone);
    assert_eq!(first[..2], [in_play.id.clone(), own.id.clone()]);
    assert_eq!(first[2], others[54].id);
    assert!(!first.contains(&old.id));
    // The rest is a tap away, and stays there when the list is read anew.
    phone.taps("[data-action='older']");
    let all = listed(&phone);
    assert_eq!((all.len(), all.last()), (58, Some(&old.id)));
    assert!(!phone.has("[data-action='older']"));
    others[0].begin();
    phone.waits_ms(AGAIN);
    let again = listed(&phone);
    assert_eq!((again.len(), &again[0]), (58, &others[0].id));
}

#[test]
fn a_short_list_is_read_in_one_request() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens(&pad_of(&service.begun(&table(2))));
    phone.opens("/");
    let reads =
        "return performance.getEntriesByType('resource').filter(({name}) => /matches\\?/.test(name)).length";
    assert_eq!(phone.run(reads, vec![]), 1);
    assert!(!phone.has("[data-action='older']"));
}

#[test]
fn a_finished_match_says_when_it_ended() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = finished(&service);
    let list = service.client().get("/v1/matches").expect(200);
    phone.opens("/");
    let due = "const time = new Date(arguments[0]); \
               return time.toLocaleDateString('en-GB', {day: 'numeric', month: 'short'}) + '|' + time.toTimeString().slice(0, 5)";
    let due = phone.run(due, vec![list["matches"][0]["last_at"].clone()]);
    let (day, time) = due.as_str().and_then(|due| due.split_once('|')).expect("a day and a time");
    let row = format!("[data-match='{}']", played.id);
    phone.reads(&row, day);
    phone.reads(&row, time);
}

#[test]
fn a_hidden_match_is_left_out_of_the_list_until_it_is_shown_again() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let (kept, hidden) = (service.begun(&table(2)), finished(&service));
    phone.opens("/");
    phone.taps("[data-action='hiding']");
    phone.taps(&format!("[data-match='{}'] + [data-action='hide']", hidden.id));
    phone.reads(&format!("[data-match='{}'] + [data-action='hide']", hidden.id), "Show");
    phone.taps("[data-action='hiding']");
    assert_eq!(listed(&phone), [kept.id.as_str()]);
    phone.reloads();
    assert_eq!(listed(&phone), [kept.id.as_str()]);
    phone.taps("[data-action='hiding']");
    phone.taps(&format!("[data-match='{}'] + [data-action='hide']", hidden.id));
    phone.taps("[data-action='hiding']");
    assert_eq!(listed(&phone), [kept.id, hidden.id.clone()]);
    // Only the list of this browser leaves it out.
    let page = service.client().get("/v1/matches").expect(200);
    assert!(
        page["matches"].as_array().is_some_and(|matches| matches.iter().any(|one| one["id"] == hidden.id))
    );
}

#[test]
fn the_next_visit_plays_a_trial_that_was_left_to_its_end() {
    let service = Table::laid();
    let (wire, address) = service.wired();
    let Some(mut phone) = Phone::at(&address) else { return };
    phone.expected = vec!["500", "net::ERR_", "Failed to load resource"];
    let other = service.begun(&with(seeded_by_service(2), "/home/name", json!("Trial Terns")));
    let before = other.head();
    phone.opens("/");
    phone.taps("[data-action='show']");
    phone.waits("the board opens", "return location.pathname.endsWith('/board')");
    phone.settles();
    phone.waits("a ball is bowled", "moveClock(1500); return document.querySelector('.last-ball') !== null");
    let id = phone.run("return location.pathname.split('/')[2]", vec![]);
    let status = || {
        service.client().get(&format!("/v1/matches/{}", id.as_str().expect("an id"))).expect(200)["status"]
            .clone()
    };
    // The tab is closed while nothing gets through.
    wire.turns(Wire::Fails);
    let now = phone.run("return Date.now() - 1_800_000_000_000", vec![]);
    phone.changes_tab(&[&format!("moveClock({now})")]);
    wire.turns(Wire::Through);
    assert_eq!(status(), "in_play");
    // It may be open in another tab: it counts as left once no ball was bowled for a while.
    phone.opens("/");
    phone.waits_ms(AGAIN);
    assert_eq!(status(), "in_play");
    phone.waits_ms(AGAIN);
    until("the trial has ended", || status() == "completed");
    phone.waits_ms(AGAIN);
    phone.reads(".lists", "Trial Rooks");
    assert_eq!(other.head(), before, "a match of others is left alone");
    // Another one can begin.
    phone.taps("[data-action='show']");
    phone.waits("another board opens", "return location.pathname.endsWith('/board')");
    assert_ne!(phone.run("return location.pathname.split('/')[2]", vec![]), id);
}

//! What a page cannot read: rows of its store, and answers of the service without a member that it needs.

use serde_json::{Value, json};
use third_umpire_test_support::service::{Match, table};

use crate::phone::Phone;
use crate::table::{Table, balls_of, pad_of};

/// The time that a ball is held.
const HOLD: u64 = 4000;
const BROKEN: &str = "Something that this browser has kept of this match cannot be read.";
const AWAY: &str = "No answer from the service. This page tries again by itself.";

/// Puts rows into a store of the browser, and loads the page again.
fn finds(phone: &Phone, store: &str, rows: &Value) {
    let put = "const [store, rows] = arguments; globalThis.isPut = false;
        indexedDB.open('third-umpire').onsuccess = ({target: {result}}) => {
            const transaction = result.transaction(store, 'readwrite');
            for (const row of rows) transaction.objectStore(store).put(row);
            transaction.oncomplete = () => (globalThis.isPut = true);
        }";
    phone.run(put, vec![json!(store), rows.clone()]);
    phone.waits("the rows are there", "return globalThis.isPut");
    phone.reloads();
}

/// An entry of one ball.
fn entry(played: &Match, id: &str, n: u32, head: Option<&str>) -> Value {
    json!({"id": id, "match": played.id, "n": n, "title": "FOUR", "head": head, "state": "tried", "preview": null,
        "steps": [{"path": format!("/v1/matches/{}/balls", played.id), "body": {"dice": [2, 4]}, "key": id}],
        "draft": {"id": id, "match": played.id, "request": null, "answers": [], "changes": {}, "over": null, "head": head},
        "at": "2026-11-24T12:00:00.000Z"})
}

/// The row with another value for a member; without it where the value is null.
fn but(row: &Value, member: &str, value: Value) -> Value {
    let mut row = row.clone();
    let members = row.as_object_mut().expect("a row");
    match value {
        Value::Null => drop(members.remove(member)),
        value => drop(members.insert(member.to_owned(), value)),
    }
    row
}

#[test]
fn entries_that_nobody_can_read_are_told_and_the_good_one_beside_them_goes() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    let good = entry(&played, "good", 5, Some(&played.head().hash));
    let named = |id: &str, n: u32| entry(&played, id, n, None);
    let rows = json!([
        but(&named("steps", 1), "steps", json!("none")),
        but(&named("no-steps", 2), "steps", Value::Null),
        but(&named("calls", 3), "steps", json!([null, 3, {"path": 7}])),
        but(&named("place", 4), "n", json!("first")),
        good,
        but(&named("head", 6), "head", json!({"hash": 1})),
        but(&named("state", 7), "state", json!(true)),
        but(&named("title", 8), "title", json!([])),
        but(&named("no-match", 9), "match", Value::Null),
        but(&named("match", 10), "match", json!(["a"])),
        {"id": "bare", "match": played.id},
        {"id": 7},
    ]);
    finds(&phone, "entries", &rows);
    phone.reads("[data-hint]", BROKEN);
    phone.until_saved();
    assert_eq!(balls_of(&played), 1, "the good one went, and nothing else");
    // The pad goes on, and it is told once.
    phone.rolls(2);
    phone.rolls(6);
    phone.until_saved();
    assert_eq!(balls_of(&played), 2);
    phone.reads("[data-hint]", BROKEN);
    phone.taps("[data-action='heard']");
    phone.reloads();
    phone.reads("[data-die='2']", "legal");
    assert!(!phone.has("[data-hint]"), "{}", phone.text("[data-hint]"));
}

#[test]
fn a_row_that_nobody_can_read_before_the_toss_is_told_and_goes_once_it_is_heard() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let created = Match::create(service.client(), &table(2));
    phone.opens(&pad_of(&created));
    finds(&phone, "entries", &json!([{"id": "bare", "match": created.id}]));
    phone.reads("[data-hint]", BROKEN);
    phone.taps("[data-action='heard']");
    phone.settles();
    assert!(!phone.has("[data-hint]"));
    phone.reloads();
    phone.settles();
    assert!(!phone.has("[data-hint]"), "the row is gone");
}

#[test]
fn a_ball_whose_draft_or_preview_nobody_can_read_goes() {
    for (member, value) in [
        ("draft", Value::Null),
        ("draft", json!("typed")),
        ("draft", json!({"id": "x", "answers": [null], "changes": {}})),
        ("preview", json!({"score": 4})),
        ("preview", json!("known")),
    ] {
        let service = Table::laid();
        let Some(phone) = Phone::at(&service.address()) else { return };
        let played = service.begun(&table(2));
        phone.opens(&pad_of(&played));
        let good = entry(&played, "good", 5, Some(&played.head().hash));
        finds(&phone, "entries", &json!([but(&good, member, value.clone())]));
        phone.until_saved();
        assert_eq!(balls_of(&played), 1, "{member}: {value}");
        phone.reads("h1", "4 for 0");
    }
}

#[test]
fn a_draft_that_nobody_can_read_is_told_and_the_entry_beside_it_goes() {
    let of = |played: &Match| json!({"id": "d", "match": played.id, "request": null, "answers": [], "changes": {}, "over": null, "head": null});
    for (member, value) in [
        ("answers", json!(3)),
        ("answers", Value::Null),
        ("answers", json!([null, "2"])),
        ("changes", json!("none")),
        ("request", json!({"path": 1})),
        ("over", json!("over")),
        ("id", Value::Null),
    ] {
        let service = Table::laid();
        let Some(phone) = Phone::at(&service.address()) else { return };
        let played = service.begun(&table(2));
        phone.opens(&pad_of(&played));
        let good = entry(&played, "good", 5, Some(&played.head().hash));
        finds(&phone, "entries", &json!([good]));
        finds(&phone, "drafts", &json!([but(&of(&played), member, value.clone())]));
        phone.reads("[data-hint]", BROKEN);
        phone.until_saved();
        assert_eq!(balls_of(&played), 1, "{member}: {value}");
        phone.rolls(2);
        phone.rolls(6);
        phone.until_saved();
        assert_eq!(balls_of(&played), 2, "{member}: {value}");
    }
}

/// A browser that has kept nothing of what it was told.
const FORGETS: &str = "localStorage.clear()";
/// Leaves members out of the answers whose path ends as a test says: `without` has that end and the members.
/// It counts the requests.
const WITHOUT: &str = "
  const asked = globalThis.fetch;
  globalThis.requests = 0;
  globalThis.fetch = async (path, init = {}) => {
    globalThis.requests += 1;
    const answer = await asked(path, init);
    const [part, members] = JSON.parse(sessionStorage.getItem('without') ?? '[null, []]');
    const isJson = (answer.headers.get('Content-Type') ?? '').includes('json');
    if (part === null || !answer.ok || !isJson || !new URL(path, location).pathname.endsWith(part)) return answer;
    const body = await answer.json();
    for (const member of members) {
      const names = member.split('.');
      const last = names.pop();
      delete names.reduce((inner, name) => inner?.[name], body)?.[last];
    }
    return new Response(JSON.stringify(body), { status: answer.status, headers: { 'Content-Type': 'application/json' } });
  };";

/// From now on answers of paths that end so come without a member.
fn comes_without(phone: &Phone, part: &str, members: &[&str]) {
    phone.run(
        "sessionStorage.setItem('without', JSON.stringify([...arguments]))",
        vec![json!(part), json!(members)],
    );
}

fn comes_whole(phone: &Phone) {
    phone.run("sessionStorage.removeItem('without')", vec![]);
}

/// How many requests the page makes while nothing happens for a minute.
fn requests_of_a_minute(phone: &Phone) -> u64 {
    phone.run("globalThis.requests = 0", vec![]);
    for _ in 0..60 {
        phone.waits_ms(1000);
    }
    phone.run("return globalThis.requests", vec![]).as_u64().expect("a number")
}

#[test]
fn a_view_without_a_member_that_pages_need_is_told_in_words_until_it_comes_whole() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.prepares(WITHOUT);
    phone.prepares(FORGETS);
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    for member in ["next", "next.requests", "score", "score.innings", "head", "home", "away.name"] {
        for page in ["score", "board", "card"] {
            comes_without(&phone, &format!("/v1/matches/{}", played.id), &[member]);
            phone.opens(&format!("/m/{}/{page}", played.id));
            phone.reads("main", AWAY);
            comes_whole(&phone);
        }
    }
    comes_without(&phone, &format!("/v1/matches/{}", played.id), &["next"]);
    phone.opens(&format!("/m/{}/score", played.id));
    let requests = requests_of_a_minute(&phone);
    assert!(requests <= 20, "{requests} requests in a minute");
    phone.reads("main", AWAY);
    comes_whole(&phone);
    phone.opens(&format!("/m/{}/score", played.id));
    phone.reads("[data-die='2']", "legal");
}

#[test]
fn a_view_whose_situation_cannot_be_drawn_is_told_in_words_until_it_can() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["TypeError"];
    phone.prepares(WITHOUT);
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    played.post("/balls", &json!({"dice": [2, 4]})).expect(201);
    comes_without(&phone, &format!("/v1/matches/{}", played.id), &["situation.last.dice"]);
    phone.opens(&format!("/m/{}/board", played.id));
    phone.reads("[role='alert']", "The page has failed. Load it again: what was kept is still here.");
    comes_whole(&phone);
    played.post("/balls", &json!({"dice": [2, 6]})).expect(201);
    phone.waits("the board is drawn", "return document.querySelector('.board') !== null");
    phone.reads("h1", "10 for 0");
}

#[test]
fn a_preview_without_what_comes_next_is_told_in_words_and_the_ball_is_kept() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.prepares(WITHOUT);
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    comes_without(&phone, "/balls/preview", &["next"]);
    phone.rolls(2);
    phone.reads(".pad-ask", "comes back with the connection. Type on: nothing is lost.");
    phone.rolls(4);
    phone.reads(".pad-ask", "comes back with the connection. This ball is kept.");
    let requests = requests_of_a_minute(&phone);
    assert!(requests <= 30, "{requests} requests in a minute");
    comes_whole(&phone);
    phone.taps("[data-action='try']");
    phone.reads("h1", "4 for 0");
    phone.waits_ms(HOLD);
    phone.reads(".sync", "saved");
    assert_eq!(balls_of(&played), 1);
}

#[test]
fn an_answer_to_a_ball_without_its_head_leaves_the_ball_kept_and_recorded_once() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.prepares(WITHOUT);
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    for (ball, member) in (1..).zip(["head", "score", "next"]) {
        comes_without(&phone, "/balls", &[member]);
        phone.rolls(2);
        phone.rolls(4);
        phone.waits_ms(HOLD);
        phone.reads(".sync", "1 kept here");
        let requests = requests_of_a_minute(&phone);
        assert!(requests <= 30, "{member}: {requests} requests in a minute");
        phone.reads(".sync", "1 kept here");
        phone.taps("[data-action='sync']");
        phone.reads("dialog", "FOUR, since");
        phone.taps("dialog [data-action='close']");
        comes_whole(&phone);
        phone.until_saved();
        assert_eq!(balls_of(&played), ball, "{member}");
    }
}

#[test]
fn a_list_or_a_card_without_what_it_lists_is_told_in_words() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.prepares(WITHOUT);
    phone.prepares(FORGETS);
    let played = service.begun(&table(2));
    phone.opens("/");
    for (part, member, path) in [
        ("/v1/matches", "matches", "/".to_owned()),
        ("/v1/games", "games", "/".to_owned()),
        ("/v1/games", "games", "/new".to_owned()),
        ("/scorecard", "innings", format!("/m/{}/card", played.id)),
    ] {
        comes_without(&phone, part, &[member]);
        phone.opens(&path);
        phone.reads("#page", AWAY);
        comes_whole(&phone);
    }
    // What was read in vain is read again.
    phone.waits_ms(5000);
    phone.reads(".card main", "No ball yet.");
}

#[test]
fn a_draft_that_the_service_refuses_says_why_and_is_taken_back_die_by_die() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["422"];
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    phone.rolls(2);
    // Dice that were typed on a match as it was: a legal ball has two.
    let longer = "globalThis.rows = null; indexedDB.open('third-umpire').onsuccess = ({target: {result}}) => {
        result.transaction('drafts').objectStore('drafts').getAll().onsuccess = ({target}) => (rows = target.result); }";
    phone.run(longer, vec![]);
    phone.waits("the draft is read", "return rows?.length === 1");
    let mut draft = phone.run("return rows[0]", vec![]);
    let die = draft["answers"][0].clone();
    for (place, face) in [(1, 4), (2, 5)] {
        let at = json!(format!("dice[{place}]"));
        let answers = draft["answers"].as_array_mut().expect("answers");
        answers.push(but(&but(&die, "value", json!(face)), "at", at));
    }
    finds(&phone, "drafts", &json!([draft]));
    phone.reads(".pad-ask", "3 dice are given, but only 2 are rolled");
    phone.taps(".undo");
    phone.waits_ms(400);
    phone.taps(".undo");
    phone.waits_ms(400);
    phone.reads("#question", "Strike die");
    phone.rolls(4);
    phone.until_saved();
    assert_eq!(balls_of(&played), 1);
}

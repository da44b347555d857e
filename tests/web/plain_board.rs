//! The plain board: what a television shows whose browser knows no modules.

use serde_json::{Value, json};
use third_umpire_test_support::service::{AWAY, HOME, Match, seeded, table, with};

use crate::phone::Phone;
use crate::proxy::{Proxy, Wire};
use crate::table::Table;

/// No module comes, as if the browser knew none.
const NO_MODULES: Wire = Wire::File(
    "app.js",
    "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
);
/// Notes what a script asks for, and by which tag.
const NOTES: &str = "
  globalThis.asked = [];
  const { open, setRequestHeader } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.open = function (method, path) {
    asked.push([path, null]);
    return open.call(this, method, path);
  };
  XMLHttpRequest.prototype.setRequestHeader = function (name, value) {
    if (name === 'If-None-Match') asked[asked.length - 1][1] = value;
    return setRequestHeader.call(this, name, value);
  };";

fn wired(service: &Table) -> Option<(Proxy, Phone)> {
    let (wire, address) = service.wired();
    let mut phone = Phone::at(&address)?;
    phone.expected = vec!["Failed to load", "net::ERR_"];
    phone.prepares(NOTES);
    Some((wire, phone))
}

/// Three seconds pass, until the board has these words.
fn tells(phone: &Phone, words: &str) {
    phone.run("moveClock(3000)", vec![]);
    let has =
        format!("return document.querySelector('#page table')?.innerText.includes({:?}) ?? false", words);
    phone.waits(words, &has);
}

fn board_of(played: &Match) -> String {
    format!("/m/{}/board", played.id)
}

#[test]
fn a_browser_without_modules_shows_the_score_and_follows_it() {
    let mut service = Table::laid();
    let Some((wire, phone)) = wired(&service) else { return };
    let played = service.begun(&table(2));
    played.bowl(&[2, 6]);
    wire.turns(NO_MODULES);
    phone.goes_to(&board_of(&played));
    phone.reads("#page", "The page starts.");
    tells(&phone, "6/0");
    for words in ["Harbour Road", "0.1 of 2 overs", "Abel", "6 (1)", "This over"] {
        phone.reads("#page table", words);
    }
    let title = phone.run("return document.title", vec![]);
    assert!(title.as_str().is_some_and(|title| title.starts_with("Harbour Road 6/0 (0.1)")), "{title}");
    // What the page knows is not sent again.
    tells(&phone, "6/0");
    let asked = phone.run("return asked", vec![]);
    let asked = asked.as_array().expect("requests");
    assert!(asked.len() == 2 && asked[0][1] == Value::Null && asked[1][1].is_string(), "{asked:?}");
    played.bowl(&[2, 4]);
    tells(&phone, "10/0");
    // A score that may be old is not shown.
    service.stops();
    phone.run("moveClock(48000)", vec![]);
    tells(&phone, "No connection since ");
    assert!(!phone.text("#page").contains("10/0"));
    service.starts();
    tells(&phone, "10/0");
    // The real board has started, and has the page for itself.
    let started =
        "asked.length = 0; document.documentElement.dataset.started = ''; moveClock(9000); return asked";
    assert_eq!(phone.run(started, vec![]), json!([]));
    let styled = "return [document.documentElement, document.body, document.getElementById('page')].map((one) => one.style.length)";
    assert_eq!(phone.run(styled, vec![]), json!([0, 0, 0]), "nothing outlives what the real board replaces");
}

#[test]
fn a_plain_board_tells_a_chase_a_result_and_which_match_there_is() {
    let service = Table::laid();
    let Some((wire, phone)) = wired(&service) else { return };
    let request = with(with(seeded(1), "/home/players", json!(HOME)), "/away/players", json!(AWAY));
    let played = service.begun(&request);
    wire.turns(NO_MODULES);
    phone.goes_to(&board_of(&played));
    played.post("/autoplay", &json!({"until": "innings"})).expect(201);
    // Before its first ball an innings has no score, and the other side's is not its own.
    let view = played.view();
    let side = view["situation"]["batting"].as_str().expect("a side");
    tells(&phone, "0/0");
    phone.reads("#page table", view[side]["name"].as_str().expect("a name"));
    played.post("/autoplay", &json!({"until": "ball"})).expect(201);
    let need = played.view()["situation"]["need"]["text"].as_str().expect("a need").to_owned();
    tells(&phone, &need);
    phone.reads("#page table", "Target");
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    let result = played.view()["result"]["text"].as_str().expect("a result").to_owned();
    tells(&phone, &result);
    // The short address has the match that is played at the table.
    phone.goes_to("/board");
    tells(&phone, "No match is played now.");
    let other = service.begun(&table(2));
    other.bowl(&[2, 4]);
    // The list of matches is up to a second old.
    phone.waits(
        "the match",
        "moveClock(3000); return document.querySelector('#page').innerText.includes('4/0')",
    );
    // What somebody else answers is no word of the service.
    phone.goes_to(&board_of(&other));
    tells(&phone, "4/0");
    wire.turns(Wire::Portal("200 OK"));
    phone.run("moveClock(48000)", vec![]);
    tells(&phone, "No connection since ");
    // A 404 of somebody else says nothing of the match.
    wire.turns(Wire::Portal("404 Not Found"));
    tells(&phone, "No connection since ");
    wire.turns(NO_MODULES);
    other.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    tells(&phone, "Abandoned: rain");
    for stray in ["01a22116-7f6b-76e9-8063-f5ed30c2e30d", "01a22116"] {
        phone.goes_to(&format!("/m/{stray}/board"));
        tells(&phone, "There is no such match.");
    }
}

#[test]
fn a_browser_with_modules_has_no_plain_board() {
    let service = Table::laid();
    let Some((_wire, phone)) = wired(&service) else { return };
    let played = service.begun(&table(2));
    phone.opens(&board_of(&played));
    phone.waits_ms(10_000);
    assert!(phone.has(".board") && !phone.has("#page table"));
    assert_eq!(phone.run("return asked", vec![]), json!([]));
    // A page that nobody sees is not drawn, and its board is the real one all the same.
    phone.prepares("globalThis.requestAnimationFrame = () => 0");
    phone.goes_to(&board_of(&played));
    phone.waits("it starts", "return document.documentElement.dataset.started === ''");
    phone.run("moveClock(10000)", vec![]);
    assert_eq!(phone.run("return document.getElementById('page').childElementCount", vec![]), json!(0));
    assert!(!phone.has("#page table"));
    phone.changes_tab(&[]);
    phone.opens(&format!("/m/{}/card", played.id));
    assert!(!phone.has("script[src$='plain-board.js']"), "only a board has it");
}

#[test]
fn a_browser_that_reads_the_modules_and_lacks_what_they_call_has_the_plain_board() {
    let service = Table::laid();
    let Some((_wire, mut phone)) = wired(&service) else { return };
    phone.expected.push("too old");
    phone.prepares("delete Array.prototype.at");
    let played = service.begun(&table(2));
    played.bowl(&[2, 6]);
    phone.goes_to(&board_of(&played));
    tells(&phone, "6/0");
}

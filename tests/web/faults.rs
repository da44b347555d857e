//! The pad where something goes wrong: what is typed is neither lost nor doubled, and the pad says why.

use serde_json::{Value, json};
use third_umpire_test_support::service::{HOME, Match, table, with};

use crate::phone::{Model, Phone};
use crate::proxy::Wire;
use crate::table::{Table, balls_of, pad_of, play_of};

/// The time that a ball is held.
const HOLD: u64 = 4000;

/// A match on a pad, whose first ball is due.
fn begun(phone: &Phone, service: &Table) -> Match {
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    played
}

/// Types the first ball of a match, a four, and waits until the service has it.
fn records_a_four(phone: &Phone, played: &Match) {
    phone.rolls(2);
    phone.rolls(4);
    phone.waits_ms(HOLD);
    phone.reads(".sync", "saved");
    assert_eq!(balls_of(played), 1);
}

#[test]
fn a_pad_without_a_token_only_watches() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    phone.opens(&format!("/m/{}/score", played.id));
    phone.reads(".pad-ask", "You watch.");
    phone.reads(".pad-ask", "scorer's link");
    assert!(!phone.has("[data-die]"));
}

#[test]
fn a_rotated_token_stops_the_pad_and_the_ball_is_still_there() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["401", "403"];
    let played = begun(&phone, &service);
    phone.rolls(2);
    phone.rolls(4);
    played.post("/tokens/scorer/rotate", &json!({})).expect(201);
    phone.waits_ms(HOLD);
    phone.reads(".pad-ask", "Kept here, not sent: FOUR.");
    assert!(!phone.text(".pad-ask").contains("token"), "no words of the API");
    phone.taps("[data-action='theirs']");
    phone.reads(".pad-ask", "With a code of the one that scores");
    assert_eq!(balls_of(&played), 0);
}

/// Puts entries into the store of the browser, as pages of 543fd11 have left them, and loads the page again.
fn finds_entries(phone: &Phone, played: &Match, entries: &[(&str, Option<&str>, Value)]) {
    let rows = entries.iter().zip(1..).map(|((id, head, steps), n)| {
        json!({"id": id, "match": played.id, "n": n, "title": "FOUR", "steps": steps, "head": head, "state": "tried",
            "draft": {"id": id, "match": played.id, "request": null, "answers": [], "changes": {}, "over": null, "head": head},
            "preview": null, "at": "2026-11-24T12:00:00.000Z"})
    });
    let put = "const [rows] = arguments; indexedDB.open('third-umpire').onsuccess = ({target: {result}}) => {
        const transaction = result.transaction('entries', 'readwrite');
        for (const row of rows) transaction.objectStore('entries').put(row);
        transaction.oncomplete = () => (globalThis.isPut = true);
    }";
    phone.run(put, vec![rows.collect()]);
    phone.waits("the entries are there", "return globalThis.isPut === true");
    phone.reloads();
}

/// The requests of an entry of one ball.
fn ball_of(played: &Match, key: &str) -> Value {
    json!([{"path": format!("/v1/matches/{}/balls", played.id), "body": {"dice": [2, 4]}, "key": key}])
}

#[test]
fn an_entry_that_an_earlier_page_left_without_requests_hands_on_its_head() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = begun(&phone, &service);
    let head = played.head().hash;
    finds_entries(
        &phone,
        &played,
        &[
            ("old", Some(&head), json!([])),
            ("older", Some(&head), json!([])),
            ("next", None, ball_of(&played, "next-key")),
        ],
    );
    phone.until_saved();
    assert_eq!(balls_of(&played), 1);
    phone.reads("[data-die='2']", "legal");
}

#[test]
fn an_entry_without_a_head_is_asked_about_and_goes_when_a_person_says_so() {
    for (action, balls) in [("mine", 1), ("theirs", 0)] {
        let service = Table::laid();
        let Some(phone) = Phone::at(&service.address()) else { return };
        let played = begun(&phone, &service);
        finds_entries(&phone, &played, &[("lost", None, ball_of(&played, "lost-key"))]);
        phone.waits_ms(60_000);
        phone.reads(".pad-ask", "The phone does not know what this ball was typed after.");
        phone.reads(".pad-ask", "Yours, not sent: FOUR");
        phone.reads(".undo-none", "stopped: needs you");
        assert_eq!(balls_of(&played), 0, "it does not go by itself");
        phone.taps(&format!("[data-action='{action}']"));
        phone.until_saved();
        assert_eq!(balls_of(&played), balls);
        phone.reads("[data-die='2']", "legal");
    }
}

/// Opens the pad with a token in its address, as a link that somebody sent does.
fn opens_link(phone: &Phone, played: &Match, token: &str) {
    phone.opens("/");
    phone.opens(&format!("/m/{}/score#scorer={token}", played.id));
}

#[test]
fn a_ball_whose_token_was_refused_goes_on_with_the_scorers_link() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["401", "403", "412"];
    let played = begun(&phone, &service);
    phone.rolls(2);
    phone.rolls(4);
    let token = played.post("/tokens/scorer/rotate", &json!({})).expect(201)["token"].clone();
    let token = token.as_str().expect("a token").to_owned();
    phone.waits_ms(HOLD);
    phone.reads(".pad-ask", "Kept here, not sent: FOUR.");
    for (typed, words) in [("no link", "no scorer's link"), ("wrong", "not this match's")] {
        phone.run("document.querySelector('#link').value = ''", vec![]);
        phone.types("#link", typed);
        phone.taps("[data-action='link']");
        phone.reads("[data-said]", words);
    }
    phone.run("document.querySelector('#link').value = ''", vec![]);
    phone.types("#link", &format!("{}/m/{}/score#scorer={token}", service.address(), played.id));
    phone.taps("[data-action='link']");
    // The rotation that came between is no play: the ball goes.
    phone.until_saved();
    assert_eq!(balls_of(&played), 1);
    let ball = play_of(&played).into_iter().find(|event| event["kind"] == "ball").expect("a ball");
    assert_eq!(ball["data"]["dice"][1]["value"], 4);
}

#[test]
fn a_link_with_a_wrong_token_leaves_the_one_that_the_phone_has() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["401", "403"];
    let played = begun(&phone, &service);
    for wrong in ["cut-off", service.begun(&table(2)).token.as_str()] {
        opens_link(&phone, &played, wrong);
        phone.reads("[data-said]", "You go on with the one this phone has.");
        assert!(phone.has("[data-die='2']:not([aria-disabled])"));
    }
    phone.opens(&format!("/m/{}/score", played.id));
    records_a_four(&phone, &played);
}

#[test]
fn a_link_pasted_into_the_open_pad_is_taken_and_a_refused_ball_goes_on() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["401", "403", "412"];
    let played = begun(&phone, &service);
    phone.rolls(2);
    phone.rolls(4);
    let token = played.post("/tokens/scorer/rotate", &json!({})).expect(201)["token"].clone();
    phone.waits_ms(HOLD);
    phone.reads(".pad-ask", "Kept here, not sent: FOUR.");
    phone.run(
        "location.hash = arguments[0]",
        vec![json!(format!("scorer={}", token.as_str().expect("a token")))],
    );
    phone.waits("the key is out of the address", "return location.hash === ''");
    phone.settles();
    phone.until_saved();
    assert_eq!(balls_of(&played), 1);
}

#[test]
fn a_link_of_another_role_replaces_no_token() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = begun(&phone, &service);
    let umpire = played.post("/tokens/umpire/rotate", &json!({})).expect(201)["token"].clone();
    opens_link(&phone, &played, umpire.as_str().expect("a token"));
    phone.reads("[data-said]", "another part in this match: umpire");
    records_a_four(&phone, &played);
}

#[test]
fn a_link_that_is_opened_without_a_service_is_tried_when_it_is_back() {
    let mut service = Table::laid();
    let (wire, address) = service.wired();
    let Some(mut phone) = Phone::at(&address) else { return };
    phone.expected = vec!["500", "401", "403", "net::ERR_", "Failed to load resource", "Failed to fetch"];
    let played = begun(&phone, &service);
    let token = played.post("/tokens/scorer/rotate", &json!({})).expect(201)["token"].clone();
    // The page is open already: its address changes, as by a link.
    phone.opens("/");
    phone.waits_for_script("play.js");
    wire.turns(Wire::Fails);
    let go = "history.pushState(null, '', arguments[0]); dispatchEvent(new PopStateEvent('popstate'))";
    phone.run(go, vec![json!(format!("/m/{}/score#scorer={}", played.id, token.as_str().expect("a token")))]);
    phone.settles();
    wire.turns(Wire::Through);
    phone
        .waits("the match is there", "moveClock(1000); return document.querySelector('[data-die]') !== null");
    phone.settles();
    phone.rolls(2);
    phone.rolls(4);
    phone.until_saved();
    assert_eq!(balls_of(&played), 1);
    service.stops();
}

#[test]
fn a_held_ball_goes_when_the_pad_is_left() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = begun(&phone, &service);
    for (ball, link) in [(1, "card"), (2, "home")] {
        phone.rolls(2);
        phone.rolls(4);
        if link == "home" {
            phone.taps("[data-action='more']");
        }
        phone.taps(&format!("[data-action='{link}']"));
        phone.waits_ms(HOLD);
        assert_eq!(balls_of(&played), ball, "{link}");
        phone.opens(&format!("/m/{}/score", played.id));
    }
}

#[test]
fn two_fingers_at_once_are_one_die_and_the_second_key_shows_it() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = begun(&phone, &service);
    phone.run("for (const face of [2, 4]) document.querySelector(`[data-die='${face}']`).click()", vec![]);
    phone.settles();
    phone.reads("#question", "Strike die");
    assert!(phone.has(".key.missed[data-die='4']"));
    phone.waits_ms(400);
    assert!(!phone.has(".key.missed"));
    phone.rolls(6);
    phone.waits_ms(HOLD);
    assert_eq!(crate::games::dice_of(&played), [[2, 6]]);
}

#[test]
fn a_key_answers_the_question_that_it_was_drawn_for() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = begun(&phone, &service);
    // The page has drawn nothing between the two: the second key still asks the bowl die.
    let two = "document.querySelector(\"[data-die='2']\").click(); moveClock(200);
        document.querySelector(\"[data-die='4']\").click()";
    phone.run(two, vec![]);
    phone.settles();
    phone.reads("#question", "Strike die");
    assert!(phone.has(".key.missed[data-die='4']"));
    phone.waits_ms(400);
    phone.rolls(6);
    phone.waits_ms(HOLD);
    assert_eq!(crate::games::dice_of(&played), [[2, 6]]);
}

#[test]
fn digits_of_a_keyboard_wait_for_the_question_that_they_answer() {
    let service = Table::laid();
    let (wire, address) = service.wired();
    let Some(mut phone) = Phone::at(&address) else { return };
    phone.expected = vec!["net::ERR_", "Failed to load resource", "Failed to fetch"];
    let played = begun(&phone, &service);
    let digits = "for (const key of '24263') document.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}))";
    phone.run(digits, vec![]);
    // The last digit begins a third ball, which is kept here.
    (0..3).for_each(|_| phone.waits_ms(HOLD));
    assert_eq!(crate::games::dice_of(&played), [[2, 4], [2, 6]]);
    phone.reads("#question", "Strike die");
    drop(wire);
}

#[test]
fn a_key_that_repeats_by_itself_counts_once() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    begun(&phone, &service);
    phone.presses("2", 5);
    phone.waits_ms(400);
    phone.reads("#question", "Strike die");
    phone.presses("4", 5);
    phone.reads("#question", "FOUR");
}

#[test]
fn a_face_that_a_die_has_not_is_refused_in_words_and_too_many_begin_the_next_ball() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = begun(&phone, &service);
    for key in ["0", "7", "9"] {
        phone.presses(key, 0);
        phone.reads("[data-said]", &format!("{key} is not one of its faces"));
    }
    // The third die is the first of the next ball.
    for key in ["2", "4", "3"] {
        phone.presses(key, 0);
    }
    assert!(!phone.has("[data-said]"));
    phone.reads("#question", "Strike die");
    assert_eq!(balls_of(&played), 1);
}

#[test]
fn two_tabs_of_one_pad_show_the_same_and_record_a_ball_once() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = begun(&phone, &service);
    phone.opens_tab();
    phone.opens(&format!("/m/{}/score", played.id));
    phone.rolls(2);
    phone.looks_at_tab(0);
    phone.waits("the die is here", "return document.querySelector('#question').innerText === 'Strike die'");
    phone.rolls(4);
    phone.reads("h1", "4 for 0");
    phone.looks_at_tab(1);
    phone.waits("the ball is here", "return document.querySelector('h1').innerText.includes('4 for 0')");
    phone.waits_ms(HOLD);
    phone.looks_at_tab(0);
    phone.waits_ms(2 * HOLD);
    assert_eq!(balls_of(&played), 1);
    // The next ball is typed in the one, and taken back in the other.
    phone.waits_ms(400);
    phone.rolls(3);
    phone.looks_at_tab(1);
    phone.waits("the die is here", "return document.querySelector('#question').innerText === 'Strike die'");
    phone.taps("[data-action='undo']");
    phone.looks_at_tab(0);
    phone.waits("the die is gone", "return document.querySelector('#question').innerText === 'Bowl die'");
    phone.waits_ms(2 * HOLD);
    assert_eq!(balls_of(&played), 1);
}

#[test]
fn the_bowler_chosen_in_one_tab_bowls_the_ball_that_another_tab_ends() {
    for is_begun in [false, true] {
        let service = Table::laid();
        let Some(phone) = Phone::at(&service.address()) else { return };
        let played = begun(&phone, &service);
        if is_begun {
            phone.rolls(2);
        }
        phone.taps("[data-cell='bowler']");
        phone.taps("dialog [data-choice='Nash']");
        phone.opens_tab();
        phone.opens(&format!("/m/{}/score", played.id));
        phone.reads("[data-cell='bowler']", "Nash bowls");
        if !is_begun {
            phone.rolls(2);
        }
        phone.rolls(4);
        phone.reads("[data-cell='bowler']", "Nash to bowl");
        phone.reads("[data-action='undo']", "Undo four");
        phone.looks_at_tab(0);
        // A tab that is hidden lets its ball go at once.
        phone.waits("the ball is here", "return document.querySelector('h1').innerText.includes('4 for 0')");
        phone.looks_at_tab(1);
        phone.waits_ms(HOLD);
        phone.reads("[data-cell='bowler']", "Nash to bowl");
        let play = crate::table::play_of(&played);
        assert_eq!(play[0]["data"]["choices"]["bowler"], json!("Nash"), "{play:#?}");
        assert_eq!(balls_of(&played), 1);
    }
}

#[test]
fn an_over_begun_elsewhere_keeps_its_bowler_and_the_pad_goes_on() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = begun(&phone, &service);
    phone.taps("[data-cell='bowler']");
    phone.taps("dialog [data-choice='Nash']");
    played.bowl(&[2, 6]);
    phone.waits("the ball is there", "return document.querySelector('h1').innerText.includes('6 for 0')");
    phone.rolls(2);
    phone.rolls(4);
    phone.reads("[data-cell='bowler']", "Verity to bowl");
    phone.waits_ms(HOLD);
    phone.reads(".sync", "saved");
    assert_eq!(balls_of(&played), 2);
}

#[test]
fn a_kept_ball_stays_in_sight_without_a_connection() {
    let mut service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["net::ERR_", "Failed to load resource", "Failed to fetch"];
    begun(&phone, &service);
    phone.rolls(2);
    phone.rolls(4);
    service.stops();
    phone.waits_ms(HOLD);
    phone.waits("the loss is said", "return document.querySelector('.sync').dataset.sync === 'lost'");
    phone.reads(".sync", "no connection, 1 kept here");
    let dice = "return document.querySelectorAll('.strip .cell.kept .die').length";
    assert_eq!(phone.run(dice, vec![]), 2, "the ball is dashed, with its dice");
    phone.reads(".ask", "FOUR");
    assert!(phone.has(".plates.stale"), "the score is not the service's");
    phone.reads(".undo-none", "kept here, not sent yet");
}

/// Stops the service, and opens the sheet of what is kept once the pad has noticed.
fn looks_what_is_kept(phone: &Phone, service: &mut Table) {
    service.stops();
    phone.waits_ms(HOLD);
    phone.waits("the loss is said", "return document.querySelector('.sync').dataset.sync === 'lost'");
    phone.taps("[data-action='sync']");
}

#[test]
fn the_sheet_of_what_is_kept_tells_each_ball_since_when_and_the_next_try() {
    let mut service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["net::ERR_", "Failed to load resource", "Failed to fetch"];
    let played = begun(&phone, &service);
    phone.waits_for_script("sheets.js");
    looks_what_is_kept(&phone, &mut service);
    let tells = r"const told = document.querySelector('dialog').innerText;
        return /no connection since \d/.test(told) && told.includes('Nothing waits here') && !told.includes('saved')";
    phone.waits("nothing is kept", tells);
    service.starts();
    phone.taps("dialog [data-action='try']");
    phone
        .waits("all is saved", "return document.querySelector('dialog').innerText.includes('All is saved.')");
    phone.reads("dialog", "The service answers.");
    assert!(!phone.has("dialog [data-action='try']"), "there is nothing to try");
    phone.taps("dialog [data-action='close']");
    phone.rolls(2);
    phone.rolls(4);
    looks_what_is_kept(&phone, &mut service);
    let tells = r"const told = document.querySelector('dialog').innerText;
        return /no connection since \d/.test(told) && /FOUR, since \d+:\d\d/.test(told)
            && /Next try in \d+ s\./.test(told) && !told.includes('saved') && !told.includes('Nothing')";
    phone.waits("the ball and the next try are told", tells);
    service.starts();
    assert_eq!(balls_of(&played), 0);
    // The clock stands: no look and no try comes due.
    phone.taps("dialog [data-action='try']");
    phone
        .waits("all is saved", "return document.querySelector('dialog').innerText.includes('All is saved.')");
    assert!(!phone.text("dialog").contains("Next try"));
    assert_eq!(balls_of(&played), 1);
}

#[test]
fn dice_are_typed_on_while_the_service_is_slow_and_are_recorded_once() {
    let service = Table::laid();
    let (wire, address) = service.wired();
    let Some(mut phone) = Phone::at(&address) else { return };
    phone.expected = vec!["net::ERR_", "Failed to load resource", "Failed to fetch"];
    let played = begun(&phone, &service);
    wire.turns(Wire::Slow);
    phone.run("document.querySelector(\"[data-die='2']\").click()", vec![]);
    phone.waits(
        "the faces are known",
        "return document.querySelector('#question').innerText === 'Strike die'",
    );
    phone.reads(".pad-ask", "What each face means comes back with the connection. Type on: nothing is lost.");
    assert!(!phone.has(".means"));
    phone.run("moveClock(400); document.querySelector(\"[data-die='4']\").click()", vec![]);
    wire.turns(Wire::Through);
    phone.waits(
        "the ball is known",
        "moveClock(1000); return document.querySelector('h1').innerText.includes('4 for 0')",
    );
    phone.until_saved();
    assert_eq!(crate::games::dice_of(&played), [[2, 4]]);
}

#[test]
fn a_ball_goes_once_after_a_service_that_answers_500() {
    let service = Table::laid();
    let (wire, address) = service.wired();
    let Some(mut phone) = Phone::at(&address) else { return };
    phone.expected = vec!["500", "net::ERR_", "Failed to load resource", "Failed to fetch"];
    let played = begun(&phone, &service);
    phone.rolls(2);
    phone.rolls(4);
    wire.turns(Wire::Fails);
    phone.waits_ms(HOLD);
    phone.waits("the loss is said", "return document.querySelector('.sync').dataset.sync === 'lost'");
    phone.reads(".sync", "1 kept here");
    assert_eq!(balls_of(&played), 0);
    wire.turns(Wire::Through);
    phone.until_saved();
    assert_eq!(balls_of(&played), 1);
    phone.reads("h1", "4 for 0");
}

/// The disk becomes full while the page is open, or the browser takes no more.
const FULL_NOW: &str = "
  const refuses = () => { throw new DOMException('full', 'QuotaExceededError'); };
  globalThis.room = { put: IDBObjectStore.prototype.put, setItem: Storage.prototype.setItem };
  IDBObjectStore.prototype.put = Storage.prototype.setItem = refuses;";
const ROOM_AGAIN: &str = "IDBObjectStore.prototype.put = room.put; Storage.prototype.setItem = room.setItem;";

#[test]
fn a_store_that_is_full_in_the_middle_of_a_match_is_told_and_no_ball_is_lost() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = begun(&phone, &service);
    records_a_four(&phone, &played);
    phone.rolls(2);
    phone.run(FULL_NOW, vec![]);
    phone.rolls(3);
    phone.reads("[data-hint]", "This browser keeps nothing more.");
    phone.waits_ms(HOLD);
    phone.until_saved();
    assert_eq!(crate::games::dice_of(&played), [[2, 4], [2, 3]]);
    // A die that is only in the page goes on the disk with the next one that fits.
    phone.rolls(2);
    phone.run(ROOM_AGAIN, vec![]);
    phone.rolls(1);
    assert!(!phone.has("[data-hint]"), "{}", phone.text("[data-hint]"));
    phone.reloads();
    phone.waits_ms(HOLD);
    phone.until_saved();
    assert_eq!(crate::games::dice_of(&played), [[2, 4], [2, 3], [2, 1]]);
}

#[test]
fn names_are_text_whatever_they_hold() {
    let service = Table::laid();
    let Some(phone) = Phone::of(Model { width: 320, ..Model::PHONE }, &service.address()) else { return };
    let long = "A".repeat(100);
    let script = "<script>globalThis.ran = 1</script>";
    let mut players: Vec<String> = HOME.map(str::to_owned).to_vec();
    players.splice(0..4, [script, "محمد عامر", "🏏 Fox", &long].map(str::to_owned));
    let request = with(
        with(table(2), "/home/players", json!(players)),
        "/home/name",
        json!(format!("{}🏏", &long[2..])),
    );
    let request = with(request, "/away/name", json!("مل لین"));
    let played = service.begun(&request);
    phone.opens(&pad_of(&played));
    phone.reads("[data-cell='striker']", "script>");
    phone.reads("[data-cell='partner']", "عامر");
    phone.rolls(2);
    phone.rolls(5);
    phone.waits_ms(HOLD);
    let wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assert_eq!(phone.run(wide, vec![]), 0, "nothing is wider than the phone");
    phone.taps("[data-action='card']");
    phone.reads("main", script);
    assert_eq!(phone.run(wide, vec![]), 0, "nothing of the card is wider than the phone");
    assert_eq!(phone.run("return globalThis.ran ?? 0", vec![]), 0);
}

#[test]
fn a_match_that_is_over_has_no_keys_and_says_its_result() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    played.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    phone.opens(&pad_of(&played));
    assert!(!phone.has("[data-die]") && phone.has("[data-action='again']"));
    phone.reads(".box", "Abandoned");
    phone.presses("2", 0);
    phone.waits_ms(HOLD);
    assert_eq!(balls_of(&played), 0);
}

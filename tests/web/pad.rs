//! The pad: what is typed is recorded, once, and nothing else is.

use serde_json::json;
use third_umpire_test_support::service::{seeded_by_service, table, with};

use crate::phone::{Model, Phone};
use crate::table::{Table, balls_of, pad_of, play_of};

/// The time that a ball is held.
const HOLD: u64 = 4000;

#[test]
fn balls_typed_by_touch_equal_those_of_the_api() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let (typed, sent) = (service.begun(&table(2)), service.begun(&table(2)));
    let balls: [&[u8]; 4] = [&[2, 4], &[3, 6], &[2, 5], &[6, 1]];
    phone.opens(&pad_of(&typed));
    for ball in balls {
        ball.iter().for_each(|face| phone.rolls(*face));
        sent.bowl(&ball.iter().map(|face| i64::from(*face)).collect::<Vec<_>>());
    }
    phone.waits_ms(HOLD);
    phone.reads(".sync", "saved");
    assert_eq!(play_of(&typed), play_of(&sent));
}

#[test]
fn a_key_tells_what_its_face_means_and_the_last_die_records_the_ball() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    phone.reads("[data-die='2']", "legal");
    phone.rolls(2);
    phone.reads("[data-die='4']", "FOUR");
    phone.rolls(4);
    phone.reads(".ask", "FOUR");
    phone.reads(".ask .said b", "Bowl die");
    phone.reads("[data-announce]", "FOUR");
    phone.reads("h1", "4 for 0");
    // The keys of the next ball are live while the ball is held.
    phone.reads("[data-die='2']", "legal");
    assert_eq!(balls_of(&played), 0, "the ball is held");
    phone.waits_ms(HOLD);
    assert_eq!(balls_of(&played), 1);
}

#[test]
fn undo_of_a_held_ball_leaves_no_trace() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    let before = played.head();
    phone.opens(&pad_of(&played));
    phone.rolls(2);
    phone.rolls(6);
    phone.reads("[data-action='undo']", "Undo six");
    phone.taps("[data-action='undo']");
    phone.reads("#question", "Strike die");
    phone.reads("[data-action='undo']", "Undo die");
    phone.taps("[data-action='undo']");
    phone.reads("#question", "Bowl die");
    phone.waits_ms(2 * HOLD);
    assert_eq!(played.head().hash, before.hash);
    phone.reads("h1", "0 for 0");
}

#[test]
fn a_page_asks_before_it_goes_only_where_something_would_be_lost() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    let asks = |phone: &Phone| {
        phone.run(
            "const going = new Event('beforeunload', {cancelable: true}); \
             dispatchEvent(going); return going.defaultPrevented",
            vec![],
        ) == true
    };
    phone.opens(&pad_of(&played));
    phone.rolls(2);
    assert!(!asks(&phone), "the die is on the disk");
    phone.rolls(4);
    phone.reads(".sync", "kept here");
    assert!(!asks(&phone), "the ball is on the disk");
    phone.waits_ms(HOLD);
    phone.run(
        "window.put = IDBObjectStore.prototype.put; \
         IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); }",
        vec![],
    );
    phone.rolls(2);
    assert!(asks(&phone), "the browser has refused the die");
    phone.run("IDBObjectStore.prototype.put = window.put", vec![]);
    phone.rolls(4);
    assert!(!asks(&phone), "the browser has taken it with the next one");
}

#[test]
fn a_second_tap_on_the_same_key_counts_only_after_300_ms() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    phone.taps("[data-die='2']");
    assert!(!phone.has(".key.pressed"), "the keys of the next question come clean");
    phone.taps("[data-die='2']");
    phone.reads("#question", "Strike die");
    phone.waits_ms(301);
    assert!(!phone.has(".key.pressed"));
    phone.taps("[data-die='2']");
    phone.reads(".ask", "2 runs");
    // What is typed on a keyboard counts each time.
    phone.run(
        "for (const key of '22') document.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}))",
        vec![],
    );
    phone.settles();
    phone.reads(".ask", "2 runs");
    phone.taps("[data-action='undo']");
    phone.taps("[data-action='undo']");
    // On another key every tap counts.
    phone.waits_ms(80);
    phone.taps("[data-die='3']");
    phone.waits_ms(80);
    phone.taps("[data-die='4']");
    phone.reads(".ask", "FOUR");
}

#[test]
fn a_ball_survives_a_service_that_is_stopped_and_started_again() {
    let mut service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["net::ERR_", "Failed to load resource", "Failed to fetch"];
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    phone.rolls(2);
    phone.rolls(4);
    service.stops();
    phone.waits_ms(HOLD);
    phone.waits("the loss is said", "return document.querySelector('.sync').dataset.sync === 'lost'");
    phone.reads(".sync", "no connection, 1 kept here");
    service.starts();
    let played = played.through(service.client());
    assert_eq!(balls_of(&played), 0);
    phone.waits_ms(30_000);
    phone.waits(
        "the ball goes",
        "moveClock(1000); return document.querySelector('.sync').dataset.sync === 'saved'",
    );
    phone.waits_ms(60_000);
    assert_eq!(balls_of(&played), 1);
    phone.reads("h1", "4 for 0");
}

#[test]
fn a_reload_goes_on_with_the_dice_that_were_entered() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    phone.rolls(2);
    phone.reloads();
    phone.reads("#question", "Strike die");
    phone.rolls(4);
    // A held ball is still held after a reload, and goes once.
    phone.reloads();
    phone.reads("[data-action='undo']", "Undo four");
    phone.waits_ms(HOLD);
    phone.reads(".sync", "saved");
    assert_eq!(balls_of(&played), 1);
}

#[test]
fn the_token_is_kept_and_cleared_from_the_address() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    let address = phone.run("return location.href + history.length", vec![]);
    assert!(!address.to_string().contains(&played.token), "{address}");
    // Without the fragment the address of the match leads to the pad of who holds the token.
    phone.opens(&format!("/m/{}", played.id));
    phone.waits("the pad opens", "return location.pathname.endsWith('/score')");
    phone.settles();
    assert!(phone.has("[data-die='1']"));
}

#[test]
fn a_token_of_another_match_only_watches() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["403"];
    let (played, other) = (service.begun(&table(2)), service.begun(&table(2)));
    phone.opens(&format!("/m/{}/score#scorer={}", played.id, other.token));
    phone.reads(".pad-ask", "This link's key is not this match's any more.");
    assert!(!phone.has("[data-die]") && phone.has("[data-action='board']"));
}

#[test]
fn a_pad_stops_and_shows_both_when_somebody_else_has_scored() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["412"];
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    phone.rolls(2);
    phone.rolls(4);
    played.bowl(&[2, 6]);
    phone.waits_ms(HOLD);
    phone.reads(".pad-ask", "Somebody else has scored");
    phone.reads(".books", "SIX");
    phone.reads(".books", "FOUR");
    phone.taps("[data-action='theirs']");
    assert_eq!(balls_of(&played), 1);
    phone.reads("h1", "6 for 0");
}

#[test]
fn the_last_ball_is_taken_back_with_a_reason() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    played.bowl(&[2, 4]);
    phone.opens(&pad_of(&played));
    phone.reads("[data-action='undo']", "Undo four…");
    phone.taps("[data-action='undo']");
    // Words of one's own are typed at once.
    phone.taps("[data-choice='other']");
    assert_eq!(phone.run("return document.activeElement.id", vec![]), "own-words");
    phone.taps("[data-choice='misread']");
    phone.taps("[data-action='confirm']");
    phone.reads("h1", "0 for 0");
    let last = played.events().pop().expect("an event");
    assert_eq!((&last["kind"], &last["data"]["reason"]), (&json!("correction"), &json!("Misread die")));
}

#[test]
fn another_bowler_is_sent_with_the_over_before_the_first_ball() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    phone.taps("[data-cell='bowler']");
    let other = phone.run("return document.querySelector('dialog .row:not(.chosen)').dataset.choice", vec![]);
    let other = other.as_str().expect("a name").to_owned();
    phone.taps(&format!("dialog [data-choice='{other}']"));
    phone.reads("[data-cell='bowler']", "bowls");
    phone.rolls(2);
    phone.rolls(4);
    phone.waits_ms(HOLD);
    let play = play_of(&played);
    assert_eq!(play[0]["data"]["choices"]["bowler"], json!(other), "{play:#?}");
    assert_eq!((play[0]["kind"].as_str(), play[1]["kind"].as_str()), (Some("over"), Some("ball")));
}

#[test]
fn a_first_ball_that_is_taken_back_leaves_its_choices_to_the_next() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    phone.taps("[data-cell='striker']");
    phone.taps("dialog li:nth-child(4) [data-choice]");
    phone.taps("dialog li:nth-child(1) [data-choice]");
    phone.taps("[data-cell='bowler']");
    phone.taps("dialog .row:not(.chosen, .closed)");
    let people = || ["striker", "partner", "bowler"].map(|cell| phone.text(&format!("[data-cell='{cell}']")));
    let chosen = people();
    phone.rolls(2);
    phone.rolls(4);
    phone.waits_ms(HOLD);
    phone.reads(".sync", "saved");
    phone.taps("[data-action='undo']");
    phone.taps("[data-choice='misread']");
    phone.taps("[data-action='confirm']");
    phone.reads("h1", "0 for 0");
    assert_eq!(people(), chosen);
    phone.rolls(2);
    phone.rolls(3);
    phone.waits_ms(HOLD);
    // A scorer who has misread a die has changed no choice.
    let changed = service.client().get(&format!("/v1/matches/{}/changed-choices", played.id)).expect(200);
    assert_eq!(changed["changed_choices"], json!([]));
    let overs: Vec<_> = play_of(&played).into_iter().filter(|event| event["kind"] == "over").collect();
    assert_eq!(overs.len(), 2);
    assert_eq!(overs[0]["data"]["choices"], overs[1]["data"]["choices"]);
}

#[test]
fn a_held_first_ball_shows_the_people_that_were_chosen() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    phone.taps("[data-cell='bowler']");
    phone.taps("dialog [data-choice='Nash']");
    phone.taps("[data-cell='striker']");
    phone.taps("dialog [data-choice='Crane']");
    phone.taps("dialog [data-choice='Dunn']");
    phone.rolls(2);
    phone.rolls(4);
    for is_held in [true, false] {
        phone.reads("[data-cell='bowler']", "Nash to bowl");
        phone.reads("[data-cell='striker']", "Crane");
        phone.reads("[data-cell='partner']", "Dunn");
        phone.reads("[data-announce]", "Nash to Crane: FOUR");
        assert_eq!(balls_of(&played), usize::from(!is_held));
        phone.waits_ms(HOLD);
    }
}

/// Whether the held ball stands with its ring at the end of this over, and Undo takes it back.
fn is_held(phone: &Phone) -> bool {
    phone.has(".strip li:last-child .held .ring") && phone.has(".undo.solid")
}

#[test]
fn the_last_ball_of_an_innings_and_of_the_match_is_held_in_sight() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(1));
    phone.opens(&pad_of(&played));
    for face in [1, 4] {
        phone.waits_ms(HOLD);
        (0..5).for_each(|_| drop(played.bowl(&[2, 1])));
        phone.opens("/");
        phone.opens(&pad_of(&played));
        phone.rolls(2);
        phone.rolls(face);
        assert!(is_held(&phone), "{}", phone.text("body"));
    }
    phone.reads(".box", "won by 10 wickets");
    phone.reads(".ask", "FOUR");
    assert_eq!(balls_of(&played), 11);
    phone.taps("[data-action='undo']");
    phone.reads("#question", "Strike die");
    phone.reads(".box", "to win");
    phone.waits_ms(400);
    phone.rolls(4);
    phone.waits_ms(HOLD);
    phone.reads(".sync", "finished");
    // After the result the last ball can still be taken back.
    phone.taps("[data-action='undo']");
    phone.taps("[data-choice='misread']");
    phone.taps("[data-action='confirm']");
    phone.reads(".box", "to win");
    phone.reads("#question", "Bowl die");
}

#[test]
fn a_typed_die_is_kept_here() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens(&pad_of(&service.begun(&table(2))));
    phone.rolls(2);
    assert_eq!(phone.text(".sync"), "kept here");
}

#[test]
fn a_ball_of_the_service_is_one_tap_and_so_is_the_over() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&seeded_by_service(2));
    phone.opens(&pad_of(&played));
    phone.taps("[data-action='bowl']");
    assert_eq!(balls_of(&played), 1);
    phone.taps("[data-action='over']");
    assert!(balls_of(&played) >= 6, "{}", balls_of(&played));
}

#[test]
fn another_scorers_ball_appears_by_itself() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    played.bowl(&[2, 6]);
    phone.waits("the ball is there", "return document.querySelector('h1').innerText.includes('6 for 0')");
}

#[test]
fn the_end_of_a_match_shows_the_result_and_the_log() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&seeded_by_service(1));
    played.post("/autoplay", &json!({"until": "match"}));
    phone.opens(&pad_of(&played));
    assert!(phone.has("[data-action='again']") && phone.has("[data-action='log']"));
    phone.reads(".undo-none", "The seed is open");
    phone.taps("[data-action='copy']");
    let card = phone.run("return document.querySelector('#card-text').value", vec![]);
    assert!(card.as_str().is_some_and(|card| card.contains("Extras")), "{card}");
    let result = played.view()["result"]["text"].as_str().expect("a result").to_owned();
    let head = format!("Harbour Road v Mill Lane\n{result}\n");
    assert!(card.as_str().is_some_and(|card| card.starts_with(&head)), "{card}");
    // No clipboard at an insecure origin: all of it is selected, on a tap as well.
    phone.reads("[data-action='clipboard']", "Select all");
    for tapped in ["[data-action='clipboard']", "#card-text"] {
        phone.run("getSelection().empty(); document.activeElement.blur()", vec![]);
        phone.taps(tapped);
        let chosen = "const { selectionStart, selectionEnd, value } = document.querySelector('#card-text'); return selectionEnd - selectionStart === value.length";
        assert_eq!(phone.run(chosen, vec![]), true, "{tapped}");
    }
}

#[test]
fn the_card_as_text_breaks_a_wide_row_and_cuts_no_name() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let khans = ["Afridi", "Ghani"].map(|last| format!("Abdul Rahman Mohammad Khan {last}"));
    let request = with(table(1), "/home/players/0", json!(khans[0]));
    let request = with(request, "/home/players/1", json!(khans[1]));
    let request = with(request, "/away/players/6", json!("Venkataraghavan Srinivas"));
    let played = service.begun(&with(request, "/away/players/10", json!("Chandrasekhar Bhagwath")));
    let caught = json!({"wicket": {"kind": "caught", "fielders": ["Venkataraghavan Srinivas"]}});
    let agreed = json!({"outcome": caught, "reason": "the table agreed"});
    played.post("/balls", &json!({"dice": [2, 3], "as_stood": agreed})).expect(201);
    played.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    phone.opens(&pad_of(&played));
    phone.taps("[data-action='copy']");
    let card = phone.run("return document.querySelector('#card-text').value", vec![]);
    let card = card.as_str().expect("a card");
    let how = "c Venkataraghavan Srinivas b Chandrasekhar Bhagwath";
    assert!(card.contains(&format!("  {}  0 (1)\n    {how}\n  {}  not out", khans[0], khans[1])), "{card}");
}

#[test]
fn two_taps_on_bowl_are_one_ball() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&seeded_by_service(2));
    phone.opens(&pad_of(&played));
    phone.run(
        "for (let tap = 0; tap < 2; tap += 1) document.querySelector(\"[data-action='bowl']\").click()",
        vec![],
    );
    phone.settles();
    phone.reads(".sync", "saved");
    assert_eq!(balls_of(&played), 1);
}

#[test]
fn two_books_and_their_keys_stand_in_sight_on_a_small_phone() {
    let service = Table::laid();
    let small = Model { width: 320, height: 568, ..Model::PHONE };
    let Some(mut phone) = Phone::of(small, &service.address()) else { return };
    phone.expected = vec!["412"];
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    phone.rolls(2);
    phone.rolls(4);
    played.bowl(&[2, 5]);
    phone.waits_ms(HOLD);
    phone.reads(".books", "OUT");
    phone.reads(".undo-none", "needs you");
    let out_of_sight = "return [...document.querySelectorAll('.books, .actions .button, .undo-none, .foot')]\
        .filter((one) => one.getBoundingClientRect().bottom > innerHeight).map(({innerText}) => innerText)";
    assert_eq!(phone.run(out_of_sight, vec![]), json!([]));
}

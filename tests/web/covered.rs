//! The over at once: each side lays its order unseen by the other, and the page has only that of the side
//! whose turn it is.

use serde_json::{Value, json};

use crate::games::{cuberoots, laid, lays, lays_order, opens_cover, types_order};
use crate::phone::Phone;
use crate::proxy::{Wire, on_a_wire};
use crate::table::{Table, balls_of, pad_of, play_of};

const FIRST: [u8; 6] = [5, 1, 4, 4, 0, 9];
const SECOND: [u8; 6] = [3, 8, 0, 7, 2, 6];

fn types(phone: &Phone, order: [u8; 6]) {
    order.into_iter().for_each(|number| phone.rolls(number));
}

/// All that the page and its browser have in text: what is drawn, what is spoken, what is stored.
pub fn all_of(phone: &Phone) -> String {
    let script = "const open = indexedDB.open('third-umpire'); \
        const rows = await new Promise((done) => { open.onsuccess = () => { \
          const names = ['entries', 'drafts', 'keys', 'settings']; const found = {}; \
          const transaction = open.result.transaction(names); \
          for (const name of names) transaction.objectStore(name).getAll().onsuccess = ({target}) => (found[name] = target.result); \
          transaction.oncomplete = () => { open.result.close(); done(found); }; } }); \
        return JSON.stringify([rows, {...localStorage}, document.body.innerHTML])";
    let found = phone.run(&format!("return (async () => {{ {script} }})()"), vec![]);
    found.as_str().expect("text").to_owned()
}

/// The cells of the order that is in sight.
fn cells(phone: &Phone) -> Value {
    phone.run("return [...document.querySelectorAll('.order .cell')].map(({innerText}) => innerText)", vec![])
}

fn begins(service: &Table) -> Option<Phone> {
    let phone = Phone::at(&service.address())?;
    phone.opens(&pad_of(&cuberoots(service)));
    opens_cover(&phone);
    Some(phone)
}

#[test]
fn a_cover_stands_before_and_after_each_order_and_only_the_side_whose_turn_it_is_is_there() {
    let service = Table::laid();
    let Some(phone) = begins(&service) else { return };
    phone.reads("#question", "Give the phone to Mill Lane");
    assert!(!phone.has(".order") && !phone.has("[data-die]"), "{}", phone.text("body"));
    // A digit of a keyboard does nothing under a cover.
    phone.presses("5", 0);
    phone.taps("[data-action='uncover']");
    phone.waits_ms(400);
    phone.reads("#question", "The cubes of Mill Lane");
    types(&phone, FIRST);
    assert_eq!(cells(&phone), json!(["5", "1", "4", "4", "0", "9"]));
    assert!(!phone.has("[data-die]"), "six cubes are all");
    assert_eq!(phone.text(".undo"), "Undo 9");
    phone.taps(".undo");
    phone.presses("9", 0);
    phone.waits_ms(400);
    phone.taps("[data-action='laid']");
    phone.reads("#question", "Give the phone to Harbour Road");
    assert!(!phone.has(".order"), "the first order is out of sight");
    let kept = all_of(&phone);
    assert!(kept.contains("\"hash\":") && !kept.contains("5,1,4,4,0,9"), "{kept}");
    phone.taps("[data-action='uncover']");
    phone.waits_ms(400);
    phone.reads("#question", "The cubes of Harbour Road");
    types(&phone, SECOND);
    assert_eq!(cells(&phone), json!(["3", "8", "0", "7", "2", "6"]));
    phone.taps("[data-action='laid']");
    phone.reads("#question", "Put the phone where both sides see it");
    assert!(!phone.has(".order"));
    phone.taps("[data-action='show-both']");
    phone.reads("[data-action='play']", "Play the over");
    assert_eq!(laid(&phone), "Mill Lane: 514409, Harbour Road: 380726");
    assert!(!all_of(&phone).contains("\"hash\":"), "nothing of the first order is kept apart any more");
    // From here on a reload keeps both.
    phone.reloads();
    assert_eq!(laid(&phone), "Mill Lane: 514409, Harbour Road: 380726");
}

#[test]
fn after_a_reload_the_first_side_lays_the_same_order_again_and_no_other() {
    let service = Table::laid();
    let Some(phone) = begins(&service) else { return };
    // Between the cover and the choice a reload forgets nothing that was chosen.
    types_order(&phone, [1, 1, 1, 1, 1, 1]);
    phone.reloads();
    phone.reads("#question", "Bowler\u{2019}s number");
    opens_cover(&phone);
    lays_order(&phone, FIRST);
    phone.reloads();
    phone.reads("#question", "Give the phone to Mill Lane");
    phone.reads(".pad-ask", "lay the same one again");
    lays_order(&phone, [5, 1, 4, 4, 0, 8]);
    phone.reads("[data-said]", "This is not the order you chose.");
    assert_eq!(cells(&phone), json!(["open", "open", "open", "open", "open", "open"]));
    phone.waits_ms(400);
    types(&phone, FIRST);
    phone.taps("[data-action='laid']");
    phone.reads("#question", "Give the phone to Harbour Road");
    // Both agree to lay both anew.
    phone.taps("[data-action='anew']");
    phone.reads("#question", "Give the phone to Mill Lane");
    assert!(!phone.text(".pad-ask").contains("again"), "{}", phone.text(".pad-ask"));
    assert!(!all_of(&phone).contains("\"hash\":"));
}

#[test]
fn a_phone_that_is_handed_back_in_the_middle_shows_nothing() {
    let service = Table::laid();
    let Some(phone) = begins(&service) else { return };
    phone.taps("[data-action='uncover']");
    phone.waits_ms(400);
    phone.rolls(7);
    phone.taps("[data-action='cover']");
    phone.reads("#question", "Give the phone to Mill Lane");
    assert!(!phone.has(".order"));
    phone.taps("[data-action='uncover']");
    assert_eq!(cells(&phone), json!(["open", "open", "open", "open", "open", "open"]));
    phone.taps("[data-action='cover']");
    phone.taps("[data-action='leave']");
    phone.reads("#question", "Bowler\u{2019}s number");
}

#[test]
fn an_over_that_went_on_elsewhere_ends_its_secret() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = cuberoots(&service);
    phone.opens(&pad_of(&played));
    opens_cover(&phone);
    lays_order(&phone, FIRST);
    played.post("/balls", &json!({"choices": {"bowler_number": 5, "batter_number": 3}})).expect(201);
    phone.waits(
        "it is seen",
        "return document.querySelector('.note')?.innerText.includes('moved on') ?? false",
    );
    phone.taps("[data-action='leave']");
    phone.reloads();
    phone.reads("#question", "Bowler\u{2019}s number");
    assert!(!all_of(&phone).contains("\"hash\":"), "an order of another over is kept no more");
}

#[test]
fn an_over_of_orders_with_a_cube_twice_is_recorded_as_it_was_laid() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = cuberoots(&service);
    phone.opens(&pad_of(&played));
    lays(&phone, [[7, 7, 7, 1, 1, 1], [7, 7, 7, 1, 1, 1]]);
    phone.taps("[data-action='play']");
    phone.taps("[data-action='bowl']");
    phone.waits_ms(400);
    let play = play_of(&played);
    let over = play.iter().find(|event| event["kind"] == "over").expect("an over");
    assert_eq!(over["data"]["choices"]["orders"]["bowling"], json!([7, 7, 7, 1, 1, 1]));
    assert_eq!(balls_of(&played), 1);
}

#[test]
fn a_phone_that_scores_no_more_shows_who_does_and_no_cover() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["401", "403"];
    let played = cuberoots(&service);
    phone.opens(&pad_of(&played));
    opens_cover(&phone);
    lays_order(&phone, FIRST);
    phone.reads("[data-announce]", "Give the phone to Harbour Road");
    phone.waits("the question has the focus", "return document.activeElement?.id === 'question'");
    played.post("/tokens/scorer/rotate", &json!({})).expect(201);
    phone.waits("it watches", "return document.querySelector('.sync')?.dataset.sync === 'watching'");
    assert!(!phone.has("[data-action='uncover']"), "{}", phone.text("body"));
    phone.reloads();
    assert!(!phone.has("[data-action='uncover']"), "{}", phone.text("body"));
}

#[test]
fn an_over_whose_preview_did_not_come_opens_its_keys_when_the_service_is_back() {
    let service = Table::laid();
    let Some((wire, phone)) = on_a_wire(&service) else { return };
    phone.opens(&pad_of(&cuberoots(&service)));
    lays(&phone, [FIRST, SECOND]);
    wire.turns(Wire::Fails);
    phone.taps("[data-action='play']");
    let opens = "document.querySelector(\"[data-action='bowl']\") !== null";
    assert_eq!(phone.run(&format!("return {opens}"), vec![]), false);
    wire.turns(Wire::Through);
    phone.waits("the first ball can be bowled", &format!("moveClock(1000); return {opens}"));
}

//! The scoring is handed over: a code that another phone scans, the way back, and a match that is made once.

use serde_json::json;
use third_umpire_test_support::service::{Match, table};

use crate::hand::Hand;
use crate::liar::{Fate, Trace};
use crate::phone::Phone;
use crate::table::{Table, balls_of, pad_of};

/// Opens the sheet by which a match is shared, and returns the link in the code of another scorer.
pub fn gives(giver: &Hand) -> String {
    giver.taps("[data-action='more']");
    giver.taps("dialog [data-action='share']");
    giver.taps("dialog [data-action='give']");
    giver.waits(
        "the code is there",
        "return document.querySelector('[data-link=score]')?.value.includes('#invite=')",
    );
    let link = giver.run("return document.querySelector('[data-link=score]').value", vec![]);
    giver.taps("dialog [data-action='close']");
    link.as_str().expect("a link").to_owned()
}

/// The link in a code as another phone has it: under another name of the service, with a store of its own.
pub fn elsewhere(service: &Table, link: &str, name: &str) -> String {
    let path = link.splitn(4, '/').nth(3).expect("a path");
    format!("{}/{path}", service.loopback().replace("127.0.0.1", name))
}

/// The places of the tabs.
const GIVER: usize = 0;
const TAKER: usize = 1;

/// Types a ball, and waits until it is recorded.
pub fn bowls(phone: &Phone) {
    phone.rolls(2);
    phone.waits_ms(400);
    phone.rolls(2);
    phone.waits_ms(4000);
    phone.waits("the ball is saved", "return document.querySelector('.sync')?.dataset.sync === 'saved'");
}

const IS_TOLD: &str = "return document.querySelector('[data-action=back]') !== null";

/// A phone that offers the scoring of a match, and the link by which another one takes it. `None` where the
/// machine has no browser.
fn offered(service: &Table) -> Option<(Phone, Match, String)> {
    let mut phone = Phone::at(&service.address())?;
    phone.expected = vec!["403", "409"];
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    let link = gives(&phone);
    Some((phone, played, link))
}

#[test]
fn a_phone_that_scans_a_code_scores_and_the_one_that_gave_watches() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["403", "409"];
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    phone.rolls(5);
    let link = gives(&phone);
    phone.opens_tab();
    phone.opens(&elsewhere(&service, &link, "127.0.0.1"));
    let address = phone.run("return location.href", vec![]);
    assert!(!address.to_string().contains("invite"), "{address}");
    phone.reads("[data-action='claim']", "Score on this phone");
    phone.taps("[data-action='claim']");
    phone.looks_at_tab(GIVER);
    phone.waits("the giver is told", IS_TOLD);
    phone.reads(".note", "Phone 2 took over at");
    phone.looks_at_tab(TAKER);
    bowls(&phone);
    assert_eq!(balls_of(&played), 1);
    phone.looks_at_tab(GIVER);
    phone.waits("the way back has ended", "return document.querySelector('[data-action=back]') === null");
    phone.reads(".note", "Phone 2 scores now. You watch.");
    assert!(!phone.has("[data-die]"), "this one watches");
    // The die that was left over is told once, and goes.
    phone.reads("[data-unsent]", "Not sent: 5.");
    let pad = phone.text(".pad");
    assert!(!pad.contains("kept here") && !pad.contains("Undo die") && !pad.contains("change"), "{pad}");
    phone.reloads();
    phone.reads(".note", "Phone 2 scores now. You watch.");
    assert!(!phone.has("[data-unsent]"));
    phone.opens("/");
    assert!(!phone.text("[data-match]").contains("you score"), "Home does not say so either");
}

#[test]
fn the_one_that_gave_scores_here_again_before_the_first_ball() {
    let service = Table::laid();
    let Some((phone, played, link)) = offered(&service) else { return };
    phone.opens_tab();
    phone.opens(&elsewhere(&service, &link, "127.0.0.1"));
    phone.taps("[data-action='claim']");
    phone.looks_at_tab(GIVER);
    phone.waits("the giver is told", IS_TOLD);
    // The page that comes back was closed meanwhile.
    phone.reloads();
    phone.waits("the way back is kept", IS_TOLD);
    phone.taps("[data-action='back']");
    bowls(&phone);
    assert_eq!(balls_of(&played), 1);
    phone.looks_at_tab(TAKER);
    phone.waits("the other one watches", "return document.querySelector('[data-die]') === null");
    phone.waits("it is told", "return document.querySelector('.note')?.innerText.includes('scores again')");
    phone.reads(".note", "Phone 1 scores again. You watch.");
    // A ball later it is still so, also for a page that is opened anew.
    phone.looks_at_tab(GIVER);
    bowls(&phone);
    phone.looks_at_tab(TAKER);
    phone.reloads();
    phone.reads(".note", "Phone 1 scores again. You watch.");
    // Each phone has its number again, however often the scoring goes to and fro.
    phone.looks_at_tab(GIVER);
    let link = gives(&phone);
    phone.looks_at_tab(TAKER);
    phone.opens(&elsewhere(&service, &link, "127.0.0.1"));
    phone.taps("[data-action='claim']");
    phone.looks_at_tab(GIVER);
    // It may be told before the other one has named itself, and looks once more.
    phone.waits_ms(400);
    phone.reads(".note", "Phone 2 took over at");
    phone.looks_at_tab(TAKER);
    phone.taps("[data-action='more']");
    phone.taps("dialog [data-action='share']");
    phone.reads("dialog .writer", "Phone 2");
}

#[test]
fn a_code_that_was_used_says_so_to_who_scans_it_later() {
    let service = Table::laid();
    let Some((phone, played, link)) = offered(&service) else { return };
    phone.opens_tab();
    phone.opens(&elsewhere(&service, &link, "127.0.0.1"));
    phone.opens_tab();
    phone.opens(&elsewhere(&service, &link, "localhost"));
    phone.taps("[data-action='claim']");
    bowls(&phone);
    phone.looks_at_tab(TAKER);
    phone.taps("[data-action='claim']");
    phone.waits("the invite is gone", "return document.querySelector('[data-action=claim]') === null");
    phone.reads(".note", "This code was used or stopped.");
    phone.reads(".note", "Ask for a new one.");
    assert_eq!(balls_of(&played), 1);
}

#[test]
fn a_code_that_was_cut_off_or_stopped_says_so_and_so_does_one_of_the_giver() {
    let service = Table::laid();
    let Some((phone, _, link)) = offered(&service) else { return };
    phone.opens_tab();
    for (name, cut) in [("127.0.0.1", 30), ("localhost", 1)] {
        phone.opens(&elsewhere(&service, &link[..link.len() - cut], name));
        phone.taps("[data-action='claim']");
        phone.reads(".note", "This code was used or stopped.");
        assert!(!phone.text(".pad").contains("invite"), "{}", phone.text(".pad"));
    }
    // The words stay while others score.
    phone.looks_at_tab(GIVER);
    bowls(&phone);
    phone.looks_at_tab(TAKER);
    phone.waits("the ball is seen", "return document.querySelectorAll('[data-ball]').length > 0");
    phone.reads(".note", "Ask for a new one.");
}

#[test]
fn a_sheet_that_is_open_goes_when_another_phone_has_taken_over() {
    let service = Table::laid();
    let Some((phone, _, link)) = offered(&service) else { return };
    phone.taps("[data-action='more']");
    phone.taps("dialog [data-action='share']");
    assert!(phone.has("dialog [data-role='scorer']"));
    phone.opens_tab();
    phone.opens(&elsewhere(&service, &link, "127.0.0.1"));
    phone.taps("[data-action='claim']");
    phone.reads("#question", "Bowl die");
    phone.looks_at_tab(GIVER);
    phone.waits_ms(3000);
    phone.waits("the sheet is gone", "return document.querySelector('dialog') === null");
    phone.waits("the giver is told", IS_TOLD);
}

#[test]
fn a_match_whose_answer_was_lost_is_made_once() {
    let service = Table::laid();
    let (liar, address) = service.lied_about(1, &Trace::default());
    let Some(mut phone) = Phone::at(&address) else { return };
    phone.expected = vec!["net::ERR_", "Failed to load resource"];
    phone.opens("/new?game=howzat");
    phone.settles();
    liar.fates_next("POST /v1/matches", Fate::Lost);
    phone.taps("[data-action='start']");
    phone.waits("it is told", "return document.querySelector('[role=alert]') !== null");
    phone.taps("[data-action='start']");
    phone.waits("the pad opens", "return location.pathname.endsWith('/score')");
    phone.reads("#question", "toss");
    let matches = service.client().get("/v1/matches").expect(200);
    assert_eq!(matches["matches"].as_array().map(Vec::len), Some(1));
    assert_ne!(matches["matches"][0]["id"], json!(null));
}

#[test]
fn a_phone_whose_right_another_one_has_as_well_is_told_what_that_wrote() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    phone.taps("[data-action='heard']");
    bowls(&phone);
    assert!(!phone.has("[data-hint]"), "what this phone wrote is no news");
    phone.opens_tab();
    phone.opens(&format!("{}{}", service.loopback(), pad_of(&played)));
    bowls(&phone);
    phone.looks_at_tab(GIVER);
    phone.waits("it is told", "return document.querySelector('[data-hint]') !== null");
    phone.reads("[data-hint]", "Another phone wrote with this phone's right: 0.2");
    // It goes on, and the words stay until somebody has heard them.
    bowls(&phone);
    assert_eq!(balls_of(&played), 3);
    phone.taps("[data-action='heard']");
    assert!(!phone.has("[data-hint]"));
}

#[test]
fn a_toss_stays_behind_which_a_die_was_typed() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    phone.taps("[data-action='undo']");
    phone.taps("[data-choice='misread']");
    // Another tab of this browser types a die meanwhile.
    phone.opens_tab();
    phone.opens(&format!("/m/{}/score", played.id));
    phone.rolls(2);
    phone.looks_at_tab(GIVER);
    phone.taps("dialog [data-action='confirm']");
    phone.waits("it is told", "return document.querySelector('[data-said]') !== null");
    phone.reads("[data-said]", "Take back first what is typed here.");
    phone.reads("#question", "Strike die");
}

#[test]
fn a_die_goes_whose_toss_was_taken_back_elsewhere() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    phone.rolls(2);
    phone.reads("#question", "Strike die");
    played.post("/corrections", &json!({"voids_from_seq": 2, "reason": "Wrong player"})).expect(201);
    phone.waits("it is told", "return document.querySelector('[data-said]') !== null");
    phone.settles();
    phone.reads("[data-said]", "The match went on elsewhere: what was typed here counts no more.");
    phone.reads("#question", "Who won the toss?");
    assert!(!phone.has("[data-die]"));
    phone.taps("[data-choice='home']");
    phone.reads("#question", "Harbour Road won the toss");
}

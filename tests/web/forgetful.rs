//! A browser in which nothing lasts: the store does not open, takes no row, or gives none back.

use serde_json::json;
use third_umpire_test_support::service::{Match, sha256, table};

use crate::phone::Phone;
use crate::table::{Table, balls_of, pad_of};

const NO_STORE: &str =
    "IDBFactory.prototype.open = () => { throw new DOMException('refused', 'SecurityError'); }";
const NO_FACTORY: &str = "Object.defineProperty(globalThis, 'indexedDB', { value: undefined })";
const FULL_STORE: &str =
    "IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); }";
const SILENT_STORE: &str =
    "IDBObjectStore.prototype.get = () => { throw new DOMException('lost', 'UnknownError'); }";

fn fragment(phone: &Phone) -> String {
    phone.run("return location.hash", vec![]).as_str().unwrap_or_default().to_owned()
}

const INVITE: &str = "tui_of_another_phone";

/// Offers the scoring to whoever has an invite.
fn offers(played: &Match, invite: &str) {
    played.posting("/tokens/scorer/invite", &json!({"invite_sha256": sha256(invite)})).send().expect(201);
}

/// Types a ball, and waits until it is recorded.
fn bowls(phone: &Phone) {
    phone.rolls(2);
    phone.rolls(2);
    phone.waits_ms(4000);
    phone.waits("the ball is saved", "return document.querySelector('.sync')?.dataset.sync === 'saved'");
}

#[test]
fn a_pad_says_so_where_nothing_lasts_and_a_reload_scores_on() {
    for refusal in [NO_STORE, NO_FACTORY, FULL_STORE, SILENT_STORE] {
        let service = Table::laid();
        let Some(phone) = Phone::at(&service.address()) else { return };
        phone.prepares(refusal);
        let played = service.begun(&table(2));
        phone.opens(&pad_of(&played));
        phone.reads("[data-hint]", "This browser keeps nothing. Keep the address: it scores.");
        assert_eq!(fragment(&phone), format!("#scorer={}", played.token), "{refusal}");
        phone.taps("[data-action='heard']");
        assert!(!phone.has("[data-hint]"), "it is said once: {refusal}");
        bowls(&phone);
        phone.reloads();
        bowls(&phone);
        assert_eq!(balls_of(&played), 2, "{refusal}");
        assert_eq!(fragment(&phone), format!("#scorer={}", played.token));
    }
}

#[test]
fn a_ball_that_a_browser_gives_back_without_its_last_die_stands_beside_the_one_that_is_recorded() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["422"];
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    phone.rolls(2);
    phone.run(FULL_STORE, vec![]);
    phone.rolls(4);
    phone.waits_ms(4000);
    phone.waits("the ball is recorded", "return document.querySelector('h1').innerText.includes('4 for 0')");
    phone.reloads();
    phone.reads("#question", "Strike die");
    phone.rolls(6);
    phone.waits_ms(4000);
    phone.reads(".pad-ask", "This ball is recorded already, and not as it stands here.");
    phone.reads(".books", "Recorded");
    phone.reads(".books", "FOUR");
    phone.reads(".books", "SIX");
    assert_eq!(balls_of(&played), 1);
    phone.taps("[data-action='mine']");
    phone.until_saved();
    phone.reads("h1", "10 for 0");
    assert_eq!(balls_of(&played), 2);
}

#[test]
fn a_link_is_offered_to_be_kept_elsewhere_where_nothing_lasts() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.prepares(NO_STORE);
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    phone.taps("[data-hint] [data-action='share']");
    let link = phone.run("return document.querySelector('dialog [data-link=own]').value", vec![]);
    assert_eq!(link, format!("{}{}", service.address(), pad_of(&played)));
    phone.reads("dialog", "and so does whoever has it");
}

#[test]
fn an_address_keeps_nothing_and_the_sheet_has_no_such_link_where_all_lasts() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    assert_eq!(fragment(&phone), "");
    phone.taps("[data-action='more']");
    phone.taps("dialog [data-action='share']");
    assert!(phone.has("dialog [data-link='watch']") && !phone.has("dialog [data-link='own']"));
}

#[test]
fn a_match_that_is_made_and_one_that_is_taken_over_stay_in_the_address_where_nothing_lasts() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["403"];
    phone.prepares(NO_STORE);
    phone.opens("/new?game=howzat");
    phone.settles();
    phone.taps("[data-action='start']");
    phone.reads("#question", "toss");
    let made = fragment(&phone);
    assert!(made.starts_with("#scorer=tu_"), "{made}");
    phone.reloads();
    phone.reads("#question", "toss");
    assert_eq!(fragment(&phone), made);
    // An invite is kept until it is used, and then the token that it gave.
    let played = service.begun(&table(2));
    offers(&played, INVITE);
    phone.opens(&format!("/m/{}/score#invite={INVITE}", played.id));
    assert_eq!(fragment(&phone), format!("#invite={INVITE}"));
    phone.reloads();
    phone.taps("[data-action='claim']");
    let taken = fragment(&phone);
    assert!(taken.starts_with("#scorer=tu_"), "{taken}");
    phone.reloads();
    bowls(&phone);
    assert_eq!(balls_of(&played), 1);
    // A token that is refused goes out of the address.
    let rotate = format!("/v1/matches/{}/tokens/scorer/rotate", played.id);
    let token = taken.trim_start_matches("#scorer=");
    service.client().request("POST", &rotate).token(token).send().expect(201);
    phone.waits("it is refused", "return document.querySelector('[data-die]') === null");
    phone.waits("it is gone", "return location.hash === ''");
}

#[test]
fn the_way_back_stays_in_the_address_where_nothing_lasts_until_it_ends() {
    const IS_OFFERED: &str = "return document.querySelector('[data-action=back]') !== null";
    for refusal in [NO_STORE, SILENT_STORE] {
        let service = Table::laid();
        let Some(mut phone) = Phone::at(&service.address()) else { return };
        phone.expected = vec!["401", "403"];
        phone.prepares(refusal);
        let mut played = service.begun(&table(2));
        let claim = format!("/v1/matches/{}/tokens/claim", played.id);
        let gives = |played: &Match, invite: &str, token: &str| {
            offers(played, invite);
            let body = json!({"invite": invite, "token_sha256": sha256(token)});
            service.client().post(&claim, &body).expect(201);
        };
        phone.opens(&pad_of(&played));
        gives(&played, INVITE, "tu_of_another_phone");
        phone.waits("the way back is offered", IS_OFFERED);
        assert_eq!(fragment(&phone), format!("#back={}", played.token), "{refusal}");
        phone.reloads();
        phone.waits("the way back is there again", IS_OFFERED);
        phone.taps("[data-action='back']");
        bowls(&phone);
        assert_eq!(balls_of(&played), 1, "{refusal}");
        let again = fragment(&phone);
        assert!(again.starts_with("#scorer=tu_"), "{again}");
        // It is given once more, and the first ball of the other phone ends the way back.
        again.trim_start_matches("#scorer=").clone_into(&mut played.token);
        gives(&played, "tui_of_a_third_phone", "tu_of_a_third_phone");
        phone.waits("the way back is offered", IS_OFFERED);
        assert_eq!(fragment(&phone), again.replace("scorer", "back"));
        "tu_of_a_third_phone".clone_into(&mut played.token);
        played.post("/balls", &json!({"dice": [2, 2]})).expect(201);
        phone.waits("it has ended", "return document.querySelector('[data-action=back]') === null");
        phone.waits("it is gone", "return location.hash === ''");
        phone.reloads();
        assert!(!phone.has("[data-action='back']"), "this phone watches: {refusal}");
    }
}

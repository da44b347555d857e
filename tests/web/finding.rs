//! To find a match on Home: by its side, its game and its status, in pages, and by its address.

use serde_json::{Value, json};
use third_umpire_test_support::service::{Match, table, with};

use crate::home::{finished, listed};
use crate::phone::Phone;
use crate::proxy::Wire;
use crate::table::Table;

/// A match with a home side of this name.
fn creates_with_home(service: &Table, name: &str) -> Match {
    Match::create(service.client(), &with(table(2), "/home/name", json!(name)))
}

/// Chooses in a field of the form.
fn chooses(phone: &Phone, field: &str, value: &str) {
    let choose = "const field = document.querySelector(arguments[0]); field.value = arguments[1];
        field.dispatchEvent(new Event('change', {bubbles: true}))";
    phone.run(choose, vec![json!(field), json!(value)]);
    phone.settles();
}

fn address(phone: &Phone) -> Value {
    phone.run("return location.pathname + location.search", vec![])
}

#[test]
fn a_side_is_found_by_its_name_and_a_status_narrows_it() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let over = finished(&service);
    let rovers = creates_with_home(&service, "Rovers");
    let (playing, other) = (
        service.begun(&with(table(2), "/away/name", json!("Rovers"))),
        creates_with_home(&service, "Ravens"),
    );
    phone.opens("/");
    phone.taps("[data-action='find']");
    phone.waits("the field has the focus", "return document.activeElement?.id === 'find-side'");
    // Who types a name need not mind its capitals; the list is read meanwhile, and what was typed stays.
    phone.types("#find-side", " rovers");
    phone.waits_ms(5000);
    phone.presses("Enter", 0);
    assert_eq!(address(&phone), "/?team=Rovers");
    assert_eq!(listed(&phone), [playing.id.clone(), rovers.id]);
    phone.reads("[data-announce]", "2 matches are listed.");
    chooses(&phone, "#find-status", "in_play");
    phone.taps("[data-action='finds']");
    assert_eq!(address(&phone), "/?team=Rovers&status=in_play");
    assert_eq!(listed(&phone), [playing.id.as_str()]);
    // The way back is that of the browser.
    phone.settles_after("history.back()");
    phone.waits("both are back", "return document.querySelectorAll('[data-match]').length === 2");
    phone.opens("/?status=completed&status=created");
    assert_eq!(listed(&phone).len(), 3);
    assert!(listed(&phone).contains(&over.id) && listed(&phone).contains(&other.id));
    phone.opens("/?team=Nobody");
    phone.reads("[data-none]", "The list has no such match. A side is found by its whole name.");
    phone.taps("[data-action='home']");
    assert_eq!(listed(&phone).len(), 4);
}

#[test]
fn a_game_is_found_and_a_match_that_was_hidden_is_found_as_well() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let cubes = service.begun(&with(table(1), "/game", json!("cuberoots")));
    let over = finished(&service);
    phone.opens("/");
    phone.taps("[data-action='hiding']");
    phone.taps(&format!("[data-match='{}'] + [data-action='hide']", over.id));
    phone.taps("[data-action='hiding']");
    assert_eq!(listed(&phone), [cubes.id.as_str()]);
    phone.opens("/?game=cuberoots");
    assert_eq!(listed(&phone), [cubes.id.as_str()]);
    assert_eq!(phone.run("return document.querySelector('#find-game').value", vec![]), "cuberoots");
    phone.opens("/?game=howzat");
    assert_eq!(listed(&phone), [over.id]);
}

#[test]
fn matches_are_found_until_the_end_of_a_day() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let (one, other) = (finished(&service), finished(&service));
    phone.opens("/");
    let day = "const time = new Date(arguments[0]); time.setDate(time.getDate() + arguments[1]);
        return `${time.getFullYear()}-${String(time.getMonth() + 1).padStart(2, '0')}-${String(time.getDate()).padStart(2, '0')}`";
    let last_at = service.client().get("/v1/matches").expect(200)["matches"][0]["last_at"].clone();
    let until = |days: i64| {
        phone.opens("/");
        phone.taps("[data-action='find']");
        let day = phone.run(day, vec![last_at.clone(), json!(days)]);
        let enter = "const field = document.querySelector('#find-until'); field.value = arguments[0];
            field.dispatchEvent(new Event('input', {bubbles: true}))";
        phone.run(enter, vec![day.clone()]);
        phone.settles();
        phone.taps("[data-action='finds']");
        assert_eq!(phone.run("return document.querySelector('#find-until').value", vec![]), day);
        listed(&phone)
    };
    assert_eq!(until(0), [other.id, one.id]);
    assert!(until(-1).is_empty());
    phone.reads("[data-none]", "The list has no such match.");
}

#[test]
fn an_address_that_asks_for_what_the_list_does_not_have_is_told_so() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["400"];
    let played = service.begun(&table(2));
    let page = format!("/?cursor=changed-1-{}", played.id);
    for (address, words) in [
        ("/?game=chess", "\"chess\""),
        ("/?status=lost", "\"lost\""),
        ("/?game=howzat&game=cuberoots", "The list does not have what this address asks for"),
        ("/?team=%E2%80%AE", "The list does not have what this address asks for"),
        ("/?before=yesterday", "before is a time"),
        ("/?cursor=12", "This address names no page of the list."),
        ("/?cursor=before-1&team=Rovers", "This address names no page of the list."),
    ] {
        phone.opens(address);
        phone.reads("[role='alert']", words);
        assert!(!phone.text("body").contains('\u{202e}'), "{address}");
        // What is refused is not asked for again.
        phone.waits_ms(20_000);
        let more = "return performance.getEntriesByType('resource').filter(({name}) => /matches\\?/.test(name)).length";
        assert_eq!(phone.run(more, vec![]), 1, "{address}");
        phone.taps("main [data-action='home']");
        assert_eq!(listed(&phone), [played.id.as_str()], "{address}");
    }
    // A page beyond the end is an empty one.
    phone.opens(&page);
    phone.reads("[data-none]", "No match is older than those on the page before.");
    phone.taps("[data-action='home']");
    // A name that the list does not have is left out, and an empty one asks for nothing.
    phone.opens("/?colour=red&team=&game=");
    phone.reads(".label", "colour");
    assert_eq!(listed(&phone), [played.id.as_str()]);
}

#[test]
fn a_list_that_was_found_says_of_when_it_is_where_there_is_no_connection() {
    let service = Table::laid();
    let (wire, address) = service.wired();
    let Some(mut phone) = Phone::at(&address) else { return };
    phone.expected = vec!["500", "net::ERR_", "Failed to load resource"];
    let (rovers, ravens) = (creates_with_home(&service, "Rovers"), creates_with_home(&service, "Ravens"));
    phone.opens("/");
    assert_eq!(listed(&phone), [ravens.id.clone(), rovers.id.clone()]);
    assert!(phone.has("[data-action='find']"), "a match that waits can be found as well");
    phone.waits("what was told is kept", "moveClock(1000); return localStorage.getItem('seen') !== null");
    phone.opens("/?team=Rovers");
    assert_eq!(listed(&phone), [rovers.id.as_str()]);
    phone.waits_for_script("recall.js");
    wire.turns(Wire::Fails);
    phone.waits_ms(5000);
    phone.reads(".label", "This is the list of ");
    assert_eq!(listed(&phone), [rovers.id.as_str()]);
    // What is asked for anew is looked for among what was told before.
    let go = "history.pushState(null, '', '/?team=Ravens'); dispatchEvent(new PopStateEvent('popstate'))";
    phone.settles_after(go);
    phone.reads(".label", "This is the list of ");
    assert_eq!(listed(&phone), [ravens.id.as_str()]);
    wire.turns(Wire::Through);
    phone.waits_ms(5000);
    assert!(!phone.has(".label"));
    assert_eq!(listed(&phone), [ravens.id]);
}

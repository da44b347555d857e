//! What the pages say, and which letters of a keyboard they hear.

use serde_json::json;
use third_umpire_test_support::service::{Match, seeded_by_service, table, with};

use crate::phone::Phone;
use crate::table::{Table, pad_of};

/// A match of CubeRoots, whose first ball is due.
fn cuberoots(service: &Table) -> Match {
    service.begun(&with(table(1), "/game", json!("cuberoots")))
}

#[test]
fn a_reader_hears_one_wicket_of_a_bowler_as_one() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    played.bowl(&[2, 5]);
    phone.opens(&pad_of(&played));
    let heard = "return document.querySelector('[data-cell=bowler] .heard').textContent";
    let heard = phone.run(heard, vec![]);
    assert_eq!(
        heard.as_str().and_then(|heard| heard.split_once("overs, ")).map(|(_, figures)| figures),
        Some("0 maidens, 0 runs, 1 wicket, open the card"),
        "{heard}"
    );
}

#[test]
fn a_page_says_nothing_of_the_page_before_it() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens(&pad_of(&service.begun(&table(2))));
    phone.rolls(2);
    phone.rolls(4);
    phone.reads("[data-announce]", "FOUR");
    phone.taps(".foot [data-action='card']");
    assert_eq!(phone.text("[data-announce]"), "");
}

#[test]
fn a_browser_asks_once_what_the_service_is() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    for path in ["/", "/new?game=howzat"] {
        phone.opens(path);
        // The list is read anew meanwhile.
        phone.waits_ms(10_000);
        let asked = "return performance.getEntriesByType('resource').filter(({name}) => name.endsWith('/v1/about')).length";
        assert_eq!(phone.run(asked, vec![]), 1, "{path}");
    }
}

#[test]
fn a_finished_match_says_when_it_ended() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&seeded_by_service(1));
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    phone.opens("/");
    let row = phone.text(&format!("[data-match='{}']", played.id));
    let time =
        phone.run("return /\\d+ [A-Z][a-z]+( \\d+)?, \\d\\d:\\d\\d · /.test(arguments[0])", vec![json!(row)]);
    assert_eq!(time, true, "{row}");
}

#[test]
fn batters_who_wait_are_yet_to_bat_until_the_innings_ends() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(1));
    played.bowl(&[2, 1]);
    phone.opens(&format!("/m/{}/card", played.id));
    phone.reads("main", "Yet to bat: Crane, ");
    (0..6).for_each(|_| drop(played.bowl(&[2, 1])));
    phone.opens(&format!("/m/{}/card", played.id));
    phone.reads(".innings:first-child", "Did not bat: Crane, ");
    phone.reads(".part[data-of='2'] .innings", "Yet to bat: Nash, ");
}

#[test]
fn letters_of_a_keyboard_press_undo_card_and_more() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens(&pad_of(&service.begun(&table(2))));
    phone.presses("2", 0);
    phone.reads("#question", "Strike die");
    phone.presses("u", 0);
    phone.reads("#question", "Bowl die");
    phone.presses("M", 0);
    phone.reads("dialog h2", "More");
    // A sheet hears no letters.
    phone.presses("c", 0);
    assert!(phone.has("dialog"));
    phone.taps("dialog [data-action='close']");
    phone.presses("c", 0);
    phone.waits("the card opens", "return location.pathname.endsWith('/card')");
}

#[test]
fn a_letter_that_is_typed_into_a_field_presses_nothing() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["401", "403"];
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    phone.rolls(2);
    phone.rolls(4);
    played.post("/tokens/scorer/rotate", &json!({})).expect(201);
    phone.waits_ms(4000);
    phone.types("#link", "cum");
    assert!(!phone.has("dialog") && phone.has("#link"), "{}", phone.text("body"));
    phone.run("document.activeElement.blur()", vec![]);
    phone.presses("m", 0);
    assert!(phone.has("dialog"));
}

#[test]
fn undo_names_the_number_that_was_typed() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens(&pad_of(&cuberoots(&service)));
    phone.rolls(5);
    assert_eq!(phone.text("[data-action='undo']"), "Undo 5");
    phone.taps(".sync");
    phone.reads("dialog", "One number of the next ball.");
}

#[test]
fn a_side_that_bowls_in_its_own_name_has_all_of_it() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens(&pad_of(&cuberoots(&service)));
    assert_eq!(phone.text("[data-cell='bowler'] .who"), "Mill Lane bowls");
}

#[test]
fn options_of_a_new_match_stand_in_an_order_of_use() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens("/new?game=howzat");
    phone.taps("summary");
    let names = "return [...document.querySelectorAll('.inside [id^=option-], .inside [name^=option-]')]
        .map(({id, name}) => (name || id).replace('option-', '')).filter((name, at, all) => !name.endsWith('-hint') && all.indexOf(name) === at)";
    assert_eq!(phone.run(names, vec![]), json!(["overs", "max_overs_per_bowler", "drs", "sixes_off_extras"]));
}

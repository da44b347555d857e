//! The modules of the pages that know no page, each with its own tests, in the browser.

use serde_json::json;

use crate::phone::Phone;
use crate::table::Table;

/// Runs the tests of a file in the page, and returns the names of those that fail.
fn failures(phone: &Phone, tests: &str) -> serde_json::Value {
    phone.run(&format!("return (async () => {{ {tests} }})()"), vec![])
}

#[test]
fn the_renderer_draws_changes_and_refuses_as_its_tests_say() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens("/");
    assert_eq!(failures(&phone, include_str!("unit/html.test.js")), json!([]));
}

#[test]
fn a_draft_makes_the_body_that_its_tests_say() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens("/");
    assert_eq!(failures(&phone, include_str!("unit/draft.test.js")), json!([]));
}

#[test]
fn a_kind_of_an_ask_draws_and_takes_what_its_tests_say() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    // The kinds are in the script of Home and the pad.
    phone.opens("/");
    assert_eq!(failures(&phone, include_str!("unit/kinds.test.js")), json!([]));
}

#[test]
fn the_outbox_and_typing_take_the_steps_that_their_tests_say() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens("/");
    assert_eq!(failures(&phone, include_str!("unit/outbox.test.js")), json!([]));
}

#[test]
fn a_mark_or_an_initial_beside_a_name_is_not_the_last_name() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens("/");
    assert_eq!(failures(&phone, include_str!("unit/names.test.js")), json!([]));
}

#[test]
fn pasted_names_are_read_as_people_mean_them() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens("/new");
    assert_eq!(failures(&phone, include_str!("unit/squads.test.js")), json!([]));
}

#[test]
fn words_of_two_files_that_come_at_the_same_time_are_all_there() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens("/");
    assert_eq!(failures(&phone, include_str!("unit/words.test.js")), json!([]));
}

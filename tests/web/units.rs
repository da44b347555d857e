//! The modules of the pages that know no page, each with its own tests, in the browser.

use serde_json::json;

use crate::phone::Phone;
use crate::table::Table;

/// Runs the tests of a file in a page that has the modules, and asserts that none fails.
fn pass(page: &str, tests: &str) {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens(page);
    let failed = phone.run(&format!("return (async () => {{ {tests} }})()"), vec![]);
    assert_eq!(failed, json!([]));
}

#[test]
fn the_renderer_draws_changes_and_refuses_as_its_tests_say() {
    pass("/", include_str!("unit/html.test.js"));
}

#[test]
fn a_draft_makes_the_body_that_its_tests_say() {
    pass("/", include_str!("unit/draft.test.js"));
}

#[test]
fn a_kind_of_an_ask_draws_and_takes_what_its_tests_say() {
    // The kinds are in the script of Home and the pad.
    pass("/", include_str!("unit/kinds.test.js"));
}

#[test]
fn the_outbox_and_typing_take_the_steps_that_their_tests_say() {
    pass("/", include_str!("unit/outbox.test.js"));
}

#[test]
fn a_mark_or_an_initial_beside_a_name_is_not_the_last_name() {
    pass("/", include_str!("unit/names.test.js"));
}

#[test]
fn pasted_names_are_read_as_people_mean_them() {
    pass("/new", include_str!("unit/squads.test.js"));
}

#[test]
fn words_of_two_files_that_come_at_the_same_time_are_all_there() {
    pass("/", include_str!("unit/words.test.js"));
}

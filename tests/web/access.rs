//! Accessibility: axe-core finds nothing on the screens, in both themes, and nothing is wider than a phone.

use std::path::Path;

use serde_json::{Value, json};
use third_umpire_test_support::service::table;

use crate::phone::{Model, Phone};
use crate::table::{Table, pad_of};

/// axe-core, as npm has fetched it at its pinned version. It is never committed.
fn axe() -> Option<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("node_modules/axe-core/axe.min.js");
    let found = std::fs::read_to_string(file).ok();
    let required = std::env::var("REQUIRE_BROWSER").is_ok_and(|value| value == "1");
    assert!(
        found.is_some() || !required,
        "REQUIRE_BROWSER=1, and axe-core is not there: npm ci in tests/web"
    );
    found
}

/// What axe-core objects to on the page as it is.
fn violations(phone: &Phone, axe: &str) -> Value {
    phone.run(axe, vec![]);
    phone.run(
        "return axe.run({resultTypes: ['violations']}).then(({violations}) => \
         violations.map(({id, nodes}) => [id, nodes.map(({html}) => html.slice(0, 120))]))",
        vec![],
    )
}

/// The screens that are looked at, each with its name and how to come there.
fn look(model: Model, axe: &str) {
    let service = Table::laid();
    let Some(phone) = Phone::of(model, &service.address()) else { return };
    let check = |screen: &str| {
        assert_eq!(violations(&phone, axe), json!([]), "{screen}, {}x{}", model.width, model.height);
        let wide = phone.run("return document.documentElement.scrollWidth - innerWidth", vec![]);
        assert!(wide.as_i64() <= Some(0), "{screen} is {wide} wider than the phone");
    };
    phone.opens("/");
    check("home, empty");
    phone.opens("/new?game=howzat");
    check("new match");
    phone.taps("[data-side='home']");
    check("the sheet of a side");
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    check("the pad, bowl die");
    phone.rolls(2);
    check("the pad, strike die");
    phone.rolls(6);
    check("the pad, held");
    phone.waits_ms(4000);
    phone.taps("[data-action='undo']");
    check("the reasons of a correction");
    phone.taps("dialog [data-action='close']");
    phone.taps("[data-action='more']");
    check("more");
    phone.opens(&format!("/m/{}/board", played.id));
    check("the board");
    phone.opens(&format!("/m/{}/card", played.id));
    check("the card");
    phone.opens("/");
    check("home");
}

#[test]
fn no_screen_of_a_phone_has_a_fault_of_accessibility() {
    let Some(axe) = axe() else { return };
    look(Model::default(), &axe);
}

#[test]
fn no_dark_screen_of_a_phone_has_a_fault_of_accessibility() {
    let Some(axe) = axe() else { return };
    look(Model { dark: true, ..Model::default() }, &axe);
}

#[test]
fn no_screen_of_a_laptop_has_a_fault_of_accessibility() {
    let Some(axe) = axe() else { return };
    look(Model { width: 1280, height: 800, ..Model::default() }, &axe);
}

#[test]
fn no_screen_is_wider_than_320() {
    let Some(axe) = axe() else { return };
    look(Model { width: 320, ..Model::default() }, &axe);
}

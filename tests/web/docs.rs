//! The interface of the document, under its policy.

use serde_json::json;

use crate::phone::Phone;
use crate::table::Table;

/// A violation of the policy is noted here by the page itself, whether or not the console names it.
const NOTES: &str = "
  globalThis.violations = [];
  document.addEventListener('securitypolicyviolation', (event) =>
    violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));";
/// The operation that is tried out.
const ABOUT: &str = "[id='operations-service-get_about']";

/// Waits until the interface, whose timers are those of the test, has drawn what a selector names.
fn draws(phone: &Phone, selector: &str) {
    let is_there = format!("moveClock(100); return document.querySelector(\"{selector}\") !== null");
    phone.waits(selector, &is_there);
}

/// Clicks on what a selector names, once it is drawn. The interface does not say when it has settled.
fn clicks(phone: &Phone, selector: &str) {
    draws(phone, selector);
    phone.run("document.querySelector(arguments[0]).click()", vec![json!(selector)]);
}

#[test]
fn the_interface_of_the_document_works_under_its_policy() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.loopback()) else { return };
    phone.prepares(NOTES);
    phone.goes_to("/docs/");
    clicks(&phone, &format!("{ABOUT} .opblock-summary-control"));
    clicks(&phone, &format!("{ABOUT} .try-out__btn"));
    clicks(&phone, &format!("{ABOUT} .execute"));
    draws(&phone, &format!("{ABOUT} .live-responses-table .response .microlight"));
    phone.reads(&format!("{ABOUT} .live-responses-table"), "\"assets\"");
    clicks(&phone, ".auth-wrapper .authorize");
    draws(&phone, ".auth-container form input");
    clicks(&phone, ".modal-ux .close-modal");
    clicks(&phone, ".models .model-container .model-toggle, .models .json-schema-2020-12-accordion");
    assert_eq!(phone.run("return globalThis.violations", vec![]), json!([]));
}

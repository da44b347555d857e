//! The settings of a browser, what it keeps and forgets, and a match in detail.

use serde_json::json;
use third_umpire_test_support::service::{seeded_by_service, table};

use crate::phone::{Model, Phone};
use crate::proxy::{Wire, on_a_wire};
use crate::scripts::loads_ahead;
use crate::table::{Table, balls_of, pad_of};

/// Wishes something on the page of settings.
fn wishes(phone: &Phone, name: &str, value: &str) {
    phone.taps(&format!(".way[data-choice='{value}']:has(input[name='{name}'])"));
}

/// The side of an element at which it stands on the page.
fn edge(phone: &Phone, selector: &str, side: &str) -> f64 {
    let script = "return document.querySelector(arguments[0]).getBoundingClientRect()[arguments[1]]";
    phone.run(script, vec![json!(selector), json!(side)]).as_f64().expect("a number")
}

#[test]
fn a_browser_looks_as_it_was_set_and_goes_on_so_after_a_reload() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    // No run.
    [2, 3].into_iter().for_each(|face| phone.rolls(face));
    phone.waits_ms(4000);
    let paper = "return getComputedStyle(document.body).backgroundColor";
    let dot = "return getComputedStyle(document.querySelector('[data-ball] .dot'), '::before').content";
    let light = phone.run(paper, vec![]);
    assert_eq!(phone.run(dot, vec![]), json!("none"));
    assert!(edge(&phone, ".undo", "left") < edge(&phone, ".foot", "left"));
    assert!(edge(&phone, ".pad-ask", "top") > edge(&phone, ".box", "top"));
    phone.taps("[data-action='more']");
    phone.taps("dialog [data-action='settings']");
    let wished = [("theme", "dark"), ("dots", "0"), ("hand", "left"), ("keys", "top"), ("shortcuts", "off")];
    wished.into_iter().for_each(|(name, value)| wishes(&phone, name, value));
    let dark = phone.run(paper, vec![]);
    assert_ne!(dark, light);
    phone.taps("[data-action='back']");
    phone.reloads();
    assert_eq!(phone.run(paper, vec![]), dark);
    assert_eq!(phone.run(dot, vec![]), json!("\"0\""));
    assert!(edge(&phone, ".undo", "left") > edge(&phone, ".foot", "left"));
    assert!(edge(&phone, ".pad-ask", "top") < edge(&phone, ".box", "top"));
    assert!(!phone.has("[aria-keyshortcuts]"), "a reader tells no key that does nothing");
    let words = phone.text("body");
    phone.presses("3", 0);
    phone.presses("m", 0);
    assert_eq!(phone.text("body"), words);
    // As ever again.
    phone.opens("/settings");
    for (name, _) in wished {
        wishes(&phone, name, "undefined");
    }
    assert_eq!(phone.run(paper, vec![]), light);
    phone.opens(&pad_of(&played));
    phone.presses("2", 0);
    phone.reads("#question", "Strike die");
}

#[test]
fn both_ways_to_the_dark_theme_have_the_same_colours() {
    let service = Table::laid();
    let colours = "const style = getComputedStyle(document.documentElement); \
        return [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
          .filter((rule) => rule.selectorText === ':root').flatMap(({ style }) => [...style])
          .map((name) => [name, style.getPropertyValue(name)])";
    let Some(dark) = Phone::of(Model { dark: true, ..Model::PHONE }, &service.address()) else { return };
    dark.opens("/settings");
    let by_device = dark.run(colours, vec![]);
    wishes(&dark, "theme", "dark");
    assert_eq!(dark.run(colours, vec![]), by_device);
    wishes(&dark, "theme", "light");
    assert_ne!(dark.run(colours, vec![]), by_device);
}

#[test]
fn a_match_that_is_forgotten_leaves_nothing_here_and_says_what_is_lost() {
    let service = Table::laid();
    let Some((wire, phone)) = on_a_wire(&service) else { return };
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    // What is asked for ahead while the wire fails may fail after it does not any more.
    loads_ahead(&phone);
    wire.turns(Wire::Fails);
    phone.rolls(2);
    phone.rolls(4);
    phone.waits_ms(4000);
    wire.turns(Wire::Through);
    phone.run(
        "history.pushState(null, '', '/settings'); dispatchEvent(new PopStateEvent('popstate'))",
        vec![],
    );
    phone.settles();
    let row = format!("[data-kept='{}']", played.id);
    phone.reads(&row, "Harbour Road v Mill Lane");
    phone.reads(&row, "It is scored here");
    phone.taps(&format!("{row} [data-action='forget']"));
    phone.reads(&row, "This browser will have no right there any more.");
    phone.taps(&format!("{row} [data-action='keeps']"));
    assert!(!phone.has("[data-action='forgets']"));
    phone.taps(&format!("{row} [data-action='forget']"));
    phone.taps(&format!("{row} [data-action='forgets']"));
    assert!(!phone.has(&row), "{}", phone.text("body"));
    phone.reads("main", "Nothing yet.");
    let kept = "return Object.keys(localStorage).filter((name) => name.includes(arguments[0])).length";
    assert_eq!(phone.run(kept, vec![json!(played.id)]), json!(0));
    phone.opens(&format!("/m/{}/score", played.id));
    phone.reads(".note", "You watch");
    assert!(!phone.has("[data-die]"));
}

#[test]
fn a_ball_that_was_not_sent_is_named_before_it_is_forgotten() {
    let service = Table::laid();
    let Some((wire, phone)) = on_a_wire(&service) else { return };
    let played = service.begun(&table(2));
    // The page of the settings is there without a connection.
    phone.opens(&pad_of(&played));
    phone.taps("[data-action='more']");
    phone.taps("dialog [data-action='settings']");
    phone.taps("[data-action='back']");
    wire.turns(Wire::Fails);
    phone.rolls(2);
    phone.taps("[data-action='more']");
    phone.taps("dialog [data-action='settings']");
    let row = format!("[data-kept='{}']", played.id);
    phone.reads(&row, "1 ball not sent");
    phone.taps(&format!("{row} [data-action='forget']"));
    phone.reads(&row, "What was not sent is lost.");
    phone.taps(&format!("{row} [data-action='forgets']"));
    assert!(!phone.has(&row), "{}", phone.text("body"));
    wire.turns(Wire::Through);
    phone.waits_ms(9000);
    assert_eq!(balls_of(&played), 0);
    // The page that goes on has forgotten the die as well.
    phone.run(
        "history.pushState(null, '', arguments[0]); dispatchEvent(new PopStateEvent('popstate'))",
        vec![json!(pad_of(&played))],
    );
    phone.settles();
    phone.reads("#question", "Bowl die");
}

#[test]
fn a_match_is_told_in_detail_with_its_options_its_dice_and_its_rules() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&seeded_by_service(2));
    phone.opens(&pad_of(&played));
    phone.taps("[data-action='more']");
    phone.taps("dialog [data-action='details']");
    let view = played.view();
    for words in [
        "Game Extended Howzat",
        "Overs 2",
        "The service rolls",
        view["commitment"].as_str().expect("a commitment"),
        view["head"]["hash"].as_str().expect("a hash"),
        "Extra 4: any runs are leg byes.",
    ] {
        phone.reads("main", words);
    }
}

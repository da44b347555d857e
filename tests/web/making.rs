//! A new match: its options, what is wrong with it, and the key of the service.

use serde_json::json;
use third_umpire_test_support::service::{Match, table};

use crate::phone::{Model, Phone};
use crate::proxy::Wire;
use crate::table::Table;

/// Whether the words of an error stand between the bar at the head and the button at the foot.
pub const IN_SIGHT: &str = "const {top, bottom} = document.querySelector('.wrong').getBoundingClientRect(); \
     return top >= 0 && bottom <= document.querySelector('.start').getBoundingClientRect().top";

/// Takes a team of the edition, or names, for each side.
fn takes_teams(phone: &Phone) {
    for (side, place) in [("home", 1), ("away", 2)] {
        phone.taps(&format!("[data-side='{side}']"));
        phone.taps(&format!("dialog li:nth-child({place}) [data-choice]"));
    }
}

fn enters_names(phone: &Phone) {
    for side in ["home", "away"] {
        phone.taps(&format!("[data-side='{side}']"));
        phone.types("#side-name", &format!("Side of {side}"));
        let names: Vec<String> = (1..=11).map(|number| format!("{side} {number}")).collect();
        phone.types("#side-names", &names.join("\n"));
        phone.taps("dialog [data-action='confirm']");
    }
}

#[test]
fn options_of_one_game_do_not_go_along_to_another() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens("/new?game=howzat");
    phone.taps("summary");
    phone.taps("label:has([name='option-drs'])[data-choice='house']");
    phone.taps("label[data-choice='cricket-the-game']");
    takes_teams(&phone);
    phone.taps("[data-action='start']");
    phone.reads("#question", "Which pitch card?");
    // The next match begins with the game of the last one, and another game with its own options.
    phone.opens("/new?game=howzat");
    phone.reads("summary", "no reviews");
}

#[test]
fn a_refusal_of_a_new_match_scrolls_into_sight() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["422"];
    phone.opens("/new?game=howzat");
    enters_names(&phone);
    phone.taps("summary");
    phone.types("#option-max_overs_per_bowler", "1");
    phone.run("scrollTo(0, 0)", vec![]);
    phone.taps("[data-action='start']");
    phone.waits("the error is in sight", IN_SIGHT);
    phone.reads(".wrong", "at least");
    // The next answer takes the words away.
    phone.taps("[data-side='home']");
    phone.types("#side-name", "!");
    assert!(!phone.has(".wrong"));
}

#[test]
fn a_service_with_a_key_asks_for_it_and_tells_a_wrong_one() {
    let service = Table::with_key("only the umpire knows");
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["401", "403"];
    phone.opens("/");
    assert!(!phone.has("[data-action='show']"));
    phone.opens("/new?game=howzat");
    enters_names(&phone);
    phone.types("#key", "a guess");
    phone.taps("[data-action='start']");
    phone.reads("[data-error='key']", "Enter the key with which this service was started.");
    phone.waits("the error is in sight", IN_SIGHT);
    phone.run("document.querySelector('#key').select()", vec![]);
    phone.types("#key", "only the umpire knows");
    phone.taps("[data-action='start']");
    phone.reads("#question", "Who won the toss?");
}

#[test]
fn the_same_again_leaves_what_follows_from_other_options_to_follow() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = Match::create(service.client(), &table(5));
    phone.opens(&format!("/new?again={}", played.id));
    phone.reads("summary", "5 overs");
    assert!(!phone.text("summary").contains("bowler"), "{}", phone.text("summary"));
    phone.reads("[data-side='home']", "Harbour Road");
}

#[test]
fn one_over_is_not_told_as_several() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens("/new?game=howzat");
    phone.taps("summary");
    for (option, typed, words) in [
        ("overs", "1", "1 over,"),
        ("max_overs_per_bowler", "1", "1 over a bowler"),
        ("overs", "2", "2 overs,"),
    ] {
        phone.run("document.querySelector(arguments[0]).select()", vec![json!(format!("#option-{option}"))]);
        phone.types(&format!("#option-{option}"), typed);
        phone.reads("summary", words);
    }
}

#[test]
fn a_number_is_emptied_and_typed_anew_and_its_fault_goes_with_it() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["422"];
    let overs = |phone: &Phone| phone.run("return document.querySelector('#option-overs').value", vec![]);
    phone.opens("/new?game=howzat");
    enters_names(&phone);
    phone.taps("summary");
    // A tap takes all of it, so that what is typed next stands in its place.
    phone.taps("#option-overs");
    phone.types("#option-overs", "\u{e003}");
    assert_eq!(overs(&phone), "");
    phone.types("#option-overs", "202");
    assert_eq!(overs(&phone), "202");
    phone.taps("[data-action='start']");
    phone.reads("[data-error='option-overs']", "Overs is a whole number from 1 to 50, not 202");
    phone.taps("#option-overs");
    phone.types("#option-overs", "\u{e003}2");
    assert_eq!(overs(&phone), "2");
    assert!(!phone.has(".wrong"));
    assert!(phone.has("details[open]"));
    // A field that is left empty takes the number of the game again.
    phone.types("#option-overs", "\u{e003}");
    phone.taps("summary");
    assert_eq!(overs(&phone), "20");
    phone.reads("summary", "20 overs");
}

#[test]
fn a_new_match_that_is_opened_in_an_outage_begins_once_the_service_is_back() {
    let service = Table::laid();
    let (wire, address) = service.wired();
    let Some(mut phone) = Phone::at(&address) else { return };
    phone.expected = vec!["500", "Failed to load", "net::ERR_", "Failed to fetch"];
    let played = Match::create(service.client(), &table(5));
    phone.opens("/new?game=howzat");
    phone.taps("[data-action='back']");
    wire.turns(Wire::Fails);
    phone.run("history.pushState(null, '', arguments[0])", vec![json!(format!("/new?again={}", played.id))]);
    phone.run("dispatchEvent(new PopStateEvent('popstate'))", vec![]);
    phone.settles();
    phone.reads("[role='alert']", "This page tries again by itself.");
    assert!(!phone.has("[data-side='home']"));
    phone.waits_ms(5000);
    phone.reads("[role='alert']", "This page tries again by itself.");
    wire.turns(Wire::Through);
    phone.waits_ms(5000);
    phone.waits("the form is there", "return document.querySelector(\"[data-side='home']\") !== null");
    phone.reads("[data-side='home']", "Harbour Road");
    assert!(!phone.has("[role='alert']"));
}

#[test]
fn the_line_that_names_stay_is_in_sight_on_the_smallest_phone() {
    let service = Table::laid();
    for (width, height) in [(320, 640), (360, 640), (820, 1180), (1280, 800)] {
        let model = Model { width, height, ..Model::PHONE };
        let Some(phone) = Phone::of(model, &service.address()) else { return };
        phone.opens("/new?game=howzat");
        let in_sight = "const line = [...document.querySelectorAll('p')].find(({innerText}) => innerText.startsWith('Names stay')); \
                        const {top, bottom} = line.getBoundingClientRect(); \
                        const button = document.querySelector(\"[data-action='start']\").getBoundingClientRect(); \
                        return scrollY === 0 && top >= button.bottom && bottom <= innerHeight";
        assert_eq!(phone.run(in_sight, vec![]), true, "{width}");
    }
}

#[test]
fn the_rules_of_each_game_are_in_sight_above_start() {
    let service = Table::laid();
    // On the smallest phone half of their row says that more is there.
    for (width, height, hidden) in [(320, 568, 26.0), (360, 640, 0.0)] {
        let model = Model { width, height, ..Model::PHONE };
        let Some(phone) = Phone::of(model, &service.address()) else { return };
        for game in ["howzat", "cuberoots", "cricket-the-game"] {
            phone.opens(&format!("/new?game={game}"));
            let over = "const {bottom} = document.querySelector('.form details summary').getBoundingClientRect(); \
                        return bottom - document.querySelector('.start').getBoundingClientRect().top";
            let over = phone.run(over, vec![]).as_f64().expect("a height");
            assert!(over <= hidden, "{game}, {width}: {over}");
        }
    }
}

#[test]
fn the_names_of_the_games_keep_clear_of_their_edges() {
    let service = Table::laid();
    for width in [320, 360, 820, 1280] {
        let model = Model { width, height: 800, ..Model::PHONE };
        let Some(phone) = Phone::of(model, &service.address()) else { return };
        phone.opens("/new?game=howzat");
        let least = "return Math.min(...[...document.querySelectorAll(\"label:has([name='game'])\")].map((label) => { \
                     const range = document.createRange(); range.selectNodeContents(label.querySelector('span > span')); \
                     const [words, edges] = [range.getBoundingClientRect(), label.getBoundingClientRect()]; \
                     return Math.min(words.left - edges.left, edges.right - words.right); }))";
        let least = phone.run(least, vec![]).as_f64().expect("a width");
        assert!(least >= 8.0, "{width}: {least}");
    }
}

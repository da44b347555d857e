//! Accessibility: axe-core finds nothing on the screens, in both themes, and nothing is wider than a phone.

use std::path::Path;

use serde_json::{Value, json};
use third_umpire_test_support::service::{seeded_by_service, table, with};

use crate::balls::{ball_of, opens_as_scorer, played as over_played};
use crate::games::{appealed, board_game, opens_cover};
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

/// What axe-core objects to on a page; nothing where it is not there.
pub fn violations_of(phone: &Phone) -> Value {
    axe().map_or_else(|| json!([]), |axe| violations(phone, &axe))
}

/// What axe-core objects to on the page as it is, and to its colours in the dark: nothing else differs there.
fn violations(phone: &Phone, axe: &str) -> Value {
    if phone.run("return typeof axe === 'undefined'", vec![]) == true {
        phone.run(axe, vec![]);
    }
    let found = [false, true].map(|is_dark| {
        phone.turns_dark(is_dark);
        violations_in(phone, is_dark)
    });
    phone.turns_dark(false);
    found.into_iter().filter(|found| *found != json!([])).collect()
}

fn violations_in(phone: &Phone, is_dark: bool) -> Value {
    let script = "return axe.run({resultTypes: ['violations'], runOnly: arguments[0] ? ['color-contrast'] : undefined})
        .then(({violations}) => violations.map(({id, nodes}) => [id, nodes.map(({html}) => html.slice(0, 120))]))";
    phone.run(script, vec![json!(is_dark)])
}

/// How much wider a page is than its screen. A browser may zoom out of such a page: its inner width grows.
const TOO_WIDE: &str =
    "const {scrollWidth, clientWidth} = document.documentElement; return scrollWidth - clientWidth";

/// The words that stand outside of the page. The strip of an over, the chips of a ball and the numbers of a
/// chart scroll by themselves; long names are cut.
const OUTSIDE: &str = "return [...document.querySelectorAll('body *')].filter((element) => \
    element.offsetParent && !element.closest('.heard, .strip, .step-row, .wide, .cut') && \
    element.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map(({className, innerText}) => [className, innerText])";

/// What scrolls sideways on the page and lets a swipe past its end leave the page, as the browser's Back.
const LEAVING: &str = "return [...document.querySelectorAll('body *')].filter((element) => { \
    const {overflowX, overscrollBehaviorX} = getComputedStyle(element); \
    return ['auto', 'scroll'].includes(overflowX) && element.scrollWidth > element.clientWidth \
    && overscrollBehaviorX === 'auto'; }).map(({className}) => className)";

/// The screens that are looked at, each with its name and how to come there.
fn look(model: Model, axe: Option<&str>, prepared: &str) {
    let service = Table::laid();
    let Some(phone) = Phone::of(model, &service.address()) else { return };
    phone.prepares(prepared);
    // It is sent once, and not to each page.
    axe.iter().for_each(|axe| phone.prepares(axe));
    let check = |screen: &str| {
        let found = axe.map(|axe| violations(&phone, axe)).unwrap_or_else(|| json!([]));
        assert_eq!(found, json!([]), "{screen}, {}x{}", model.width, model.height);
        let wide = phone.run(TOO_WIDE, vec![]);
        assert!(wide.as_i64() <= Some(0), "{screen} is {wide} wider than the phone");
        assert_eq!(phone.run(OUTSIDE, vec![]), json!([]), "{screen}");
        assert_eq!(phone.run(LEAVING, vec![]), json!([]), "{screen}");
    };
    phone.opens("/");
    check("home, empty");
    phone.opens("/new?game=howzat");
    check("new match");
    phone.taps("[data-side='home']");
    check("the sheet of a side");
    phone.types("#side-names", "Voss\nvoss");
    check("two names that are alike");
    phone.opens("/new?game=cricket-the-game");
    phone.taps("[data-side='home']");
    check("players with cards");
    phone.taps("dialog details summary");
    phone.types("[data-player='1'] input", "Marsh");
    check("players with cards, and the box for a list");
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    check("the pad, bowl die, with the hint");
    phone.taps("[data-action='heard']");
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
    phone.taps("dialog [data-action='close']");
    phone.taps("[data-ball='1']");
    check("a ball of the over");
    phone.opens(&pad_of(&appealed(&service)));
    check("to accept or to review");
    phone.taps("[data-choice='1']");
    check("the die of a review");
    let cubes = with(table(1), "/game", json!("cuberoots"));
    phone.opens(&pad_of(&service.begun(&cubes)));
    phone.rolls(5);
    check("the batter's number");
    phone.taps("[data-action='undo']");
    opens_cover(&phone);
    check("the cover of an order");
    phone.taps("[data-action='uncover']");
    check("the order of the cubes");
    let rolled = with(cubes, "/rules", json!({"overs": 1, "roll_a_cube": true}));
    let dealt = service.begun(&with(rolled, "/dice", json!("seeded")));
    phone.opens(&pad_of(&dealt));
    opens_cover(&phone);
    phone.taps("[data-action='uncover']");
    check("the cubes that were dealt");
    for _ in 0..6 {
        phone.waits_ms(400);
        phone.taps(".pad-ask [data-choice]:not([aria-disabled])");
    }
    check("an order that is whole, with the ball of a rolled cube");
    let cards = board_game(&service);
    phone.opens(&pad_of(&cards));
    phone.taps("[data-choice='pace']");
    check("the toss");
    cards.begin();
    phone.waits("a ball is due", "return document.querySelector('.steps') !== null");
    phone.settles();
    check("bowl and stroke");
    phone.taps("[data-action='ask:field']");
    check("the field");
    phone.taps("dialog [data-who]");
    check("the places of a fielder");
    phone.taps("dialog [data-action='close']");
    phone.taps("[data-action='step']");
    check("the over card");
    let over = service.begun(&seeded_by_service(1));
    over.post("/autoplay", &json!({"until": "match"}));
    phone.opens(&pad_of(&over));
    check("the end");
    phone.opens(&format!("/m/{}/board", played.id));
    check("the board");
    let watched = service.begun(&table(2));
    watched.bowl(&[2, 1]);
    phone.opens(&format!("/m/{}/board", watched.id));
    watched.bowl(&[2, 5]);
    phone.waits("the wicket is told", "return document.querySelector('.slide.wicket') !== null");
    check("a wicket on the board");
    for match_of in [&played, &over] {
        phone.opens(&format!("/m/{}/card", match_of.id));
        phone.waits("the charts are there", "return document.querySelector('.charts') !== null");
        check("the card");
        for part in ["charts", "dice", "balls"] {
            // Howzat is dice alone, and the board game is not.
            if part == "dice" {
                match std::ptr::eq(match_of, &over) {
                    true => {
                        phone.waits("the dice are told", "return document.querySelector('.luck') !== null")
                    }
                    false => continue,
                }
            }
            if model.width < 1000 {
                phone.taps(&format!(".parts [data-part='{part}']"));
            }
            check(part);
        }
        phone.run("document.querySelectorAll('.chart details').forEach((one) => (one.open = true))", vec![]);
        check("the numbers of charts");
    }
    let balls = over_played(&service);
    phone.opens(&ball_of(&balls, 2));
    check("a ball");
    opens_as_scorer(&phone, &balls, 2);
    phone.taps("[data-place='4']");
    check("the faces of a die of a ball");
    phone.taps("[data-die='1']");
    check("what another face changes");
    phone.taps("[data-action='confirm']");
    phone.reads(".earlier", "Misread die");
    check("a ball that was put right");
    phone.taps("[data-who='bowler']");
    phone.waits("who may bowl is there", "return document.querySelector('.right .ways-keys') !== null");
    check("who else could have bowled");
    phone.taps(".right .key");
    check("what another bowler changes");
    phone.taps("[data-action='take-back']");
    phone.taps("[data-choice='other']");
    check("what goes with balls that are taken back");
    phone.taps("[data-action='bring']");
    phone.reads(".sentence", "becomes Abel out, caught.");
    check("what comes again on the page of a ball");
    phone.opens(&pad_of(&balls));
    phone.taps("[data-action='undo']");
    phone.reads("dialog [data-action='bring']", "Make 0.2 caught again");
    check("what can come again");
    phone.taps("dialog [data-action='bring']");
    check("what comes again");
    phone.opens(&format!("/m/{}/card", balls.id));
    check("the card with a correction");
    phone.opens(&format!("/m/{}/details", played.id));
    check("a match in detail");
    phone.opens("/settings");
    check("the settings");
    phone.taps("[data-action='forget']");
    check("what is lost where a match is forgotten");
    over_played(&service).post("/abandonment", &json!({"reason": "Rain"})).expect(201);
    phone.opens("/");
    check("home");
    phone.taps("[data-action='find']");
    check("home, where a match is looked for");
    phone.opens("/?team=Harbour+Road");
    check("what was found");
    phone.opens("/?team=Nobody");
    check("what was not found");
    phone.opens("/");
    phone.taps("[data-action='hiding']");
    check("home, where matches are hidden");
}

#[test]
fn no_screen_of_a_phone_has_a_fault_of_accessibility() {
    let Some(axe) = axe() else { return };
    look(Model::PHONE, Some(&axe), "");
}

#[test]
fn no_screen_of_a_laptop_has_a_fault_of_accessibility() {
    let Some(axe) = axe() else { return };
    look(Model { width: 1280, height: 800, ..Model::PHONE }, Some(&axe), "");
}

#[test]
fn no_screen_is_wider_than_the_phone_with_text_of_twice_the_size() {
    let twice =
        "addEventListener('DOMContentLoaded', () => (document.documentElement.style.fontSize = '200%'))";
    look(Model::PHONE, None, twice);
}

#[test]
fn no_screen_is_wider_than_320() {
    look(Model { width: 320, ..Model::PHONE }, None, "");
}

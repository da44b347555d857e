//! The screens at their sizes, from a page at 400 % to a large screen: question and keys are in sight, no
//! key is too high or too low for a thumb, none moves under it, and nothing is wider than the screen.

use serde_json::{Value, json};
use third_umpire_test_support::service::{Match, table, with};

use crate::games::board_game_on;
use crate::phone::Phone;
use crate::table::{Table, pad_of};

/// The sizes of screens: a page of 1280 by 1024 at 400 %, phones, phones on their sides, a tablet both ways,
/// a laptop, a large screen.
const SIZES: [(u32, u32); 12] = [
    (320, 256),
    (320, 568),
    (360, 560),
    (360, 640),
    (390, 844),
    (640, 360),
    (844, 390),
    (640, 512),
    (820, 1180),
    (1180, 820),
    (1280, 800),
    (1920, 1080),
];

/// What is wrong with the question and its keys as they stand.
const FAULTS: &str = r"
const faults = [];
const keys = [...document.querySelectorAll('.pad-ask :is(.key, .zone, [data-action=step])')];
if (keys.length === 0) faults.push('no key');
for (const element of [document.querySelector('#question'), ...keys]) {
  const { top, bottom, left, right, height } = element.getBoundingClientRect();
  const name = element.dataset.die ?? element.innerText;
  if (top < 0 || left < 0 || bottom > innerHeight || right > innerWidth)
    faults.push(`${name} is out of sight: ${[left, top, right, bottom].map(Math.round)}`);
  if (element.matches('.key') && (height > 160.5 || height < 44)) faults.push(`${name} is ${height} high`);
  // Words that have no room in a key would be cut.
  if (element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1)
    faults.push(`${name} has no room: ${element.scrollWidth} by ${element.scrollHeight}`);
}
const { scrollWidth } = document.documentElement;
if (scrollWidth > innerWidth) faults.push(`the page is ${scrollWidth} wide`);
return faults;";

/// Notes every shift of layout that moves a key.
const SHIFTS: &str = r"
globalThis.shifted = [];
new PerformanceObserver((list) => {
  for (const { sources } of list.getEntries())
    for (const { node, previousRect, currentRect } of sources) {
      if (node instanceof Element && node.matches('.keys, .key'))
        shifted.push([node.className, previousRect.toJSON(), currentRect.toJSON()]);
    }
}).observe({ type: 'layout-shift', buffered: true });";

/// Where each key stands.
const PLACES: &str = "return [...document.querySelectorAll('.pad-ask .key')].map((key) => \
                      { const { x, y, width, height } = key.getBoundingClientRect(); return [x, y, width, height]; })";

fn resize(phone: &Phone, (width, height): (u32, u32)) {
    let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
    phone.cdp("Emulation.setDeviceMetricsOverride", &metrics);
    phone.waits(
        "the screen has its size",
        &format!("return innerWidth === {width} && innerHeight === {height}"),
    );
    phone.settles();
}

/// Asserts of the question that stands there that it and its keys are in sight at every size.
#[track_caller]
fn stands_at_every_size(phone: &Phone, question: &str) {
    phone.reads("#question", question);
    let mut faults = Vec::new();
    for size in SIZES {
        resize(phone, size);
        let found = phone.run(FAULTS, vec![]);
        if found != json!([]) {
            faults.push(format!("{}x{}: {found}", size.0, size.1));
        }
    }
    resize(phone, (360, 640));
    assert!(faults.is_empty(), "{question}: {faults:#?}");
}

/// A match of the board game whose first over card is due.
fn at_the_first_card(service: &Table) -> Match {
    board_game_on(service, "neutral")
}

#[test]
fn the_keys_of_howzat_stand_in_sight_at_every_size() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens(&pad_of(&service.begun(&table(20))));
    phone.taps("[data-action='heard']");
    stands_at_every_size(&phone, "Bowl die");
    phone.rolls(2);
    stands_at_every_size(&phone, "Strike die");
    phone.rolls(6);
    stands_at_every_size(&phone, "SIX");
    // In the air: a third die.
    phone.rolls(3);
    phone.rolls(5);
    stands_at_every_size(&phone, "die");
}

#[test]
fn the_keys_of_cuberoots_stand_in_sight_at_every_size() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens(&pad_of(&service.begun(&with(table(2), "/game", json!("cuberoots")))));
    phone.taps("[data-action='heard']");
    stands_at_every_size(&phone, "number");
    phone.rolls(5);
    stands_at_every_size(&phone, "number");
}

#[test]
fn the_keys_of_an_over_that_is_typed_at_once_stand_in_sight_at_every_size() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens(&pad_of(&service.begun(&with(table(2), "/game", json!("cuberoots")))));
    phone.taps("[data-action='heard']");
    phone.taps("[data-action='more']");
    phone.taps("[data-action='lay']");
    phone.taps("[data-action='uncover']");
    phone.waits_ms(400);
    stands_at_every_size(&phone, "The cubes of Mill Lane");
    [5, 1, 4, 4, 0, 9].iter().for_each(|number| phone.rolls(*number));
    phone.taps("[data-action='laid']");
    phone.taps("[data-action='uncover']");
    phone.waits_ms(400);
    stands_at_every_size(&phone, "The cubes of Harbour Road");
}

#[test]
fn the_keys_of_the_board_game_stand_in_sight_at_every_size() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens(&pad_of(&at_the_first_card(&service)));
    phone.taps("[data-action='heard']");
    stands_at_every_size(&phone, "Bowl, stroke");
    phone.taps("[data-action='step']");
    phone.taps("[data-choice='slog']");
    phone.waits_ms(400);
    while phone.has("[data-die]") && !phone.has(".ask.held") {
        let question = phone.text("#question");
        stands_at_every_size(&phone, &question);
        phone.rolls_about(3);
    }
}

#[test]
fn a_question_of_the_same_kind_has_its_keys_in_the_same_place() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.prepares(SHIFTS);
    for size in [(360, 640), (390, 844), (820, 1180), (1280, 800)] {
        let played = service.begun(&table(20));
        phone.opens(&pad_of(&played));
        resize(&phone, size);
        if phone.has("[data-action='heard']") {
            phone.taps("[data-action='heard']");
        }
        let places = phone.run(PLACES, vec![]);
        phone.run("shifted = []", vec![]);
        // A one, a wide, a four, a catch that is dropped, a wicket, and the next batter.
        for face in [2, 1, 1, 2, 2, 4, 3, 5, 3, 4, 2, 2, 5, 2, 1] {
            phone.rolls(face);
            assert_eq!(
                phone.run(PLACES, vec![]),
                places,
                "{size:?}, after {face}: {}",
                phone.text("#question")
            );
        }
        phone.waits_ms(4000);
        assert_eq!(phone.run(PLACES, vec![]), places, "{size:?}, after the ball was sent");
        assert_eq!(phone.run("return shifted", vec![]), json!([]), "{size:?}");
    }
}

#[test]
fn a_used_card_keeps_its_place_and_all_cards_are_in_sight() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = at_the_first_card(&service);
    phone.opens(&pad_of(&played));
    phone.taps("[data-action='heard']");
    phone.taps("[data-action='step']");
    let cards = "const { top } = document.querySelector('.foot').getBoundingClientRect(); \
                 return [...document.querySelectorAll('.pad-ask [data-choice]')].map((card) => \
                 [card.dataset.choice, card.ariaDisabled, card.getBoundingClientRect().bottom <= top])";
    let seen = |value: Value| -> Vec<(String, bool, bool)> {
        let cards = value.as_array().cloned().unwrap_or_default();
        let card = |card: &Value| {
            (card[0].as_str().unwrap_or_default().to_owned(), card[1] == "true", card[2] == true)
        };
        cards.iter().map(card).collect()
    };
    let before = seen(phone.run(cards, vec![]));
    assert!(before.len() > 3 && before.iter().all(|(_, used, in_sight)| !used && *in_sight), "{before:?}");
    phone.taps("[data-choice='slog']");
    phone.waits_ms(400);
    while phone.has("[data-die]") {
        phone.rolls_about(3);
    }
    phone.waits_ms(4000);
    phone.taps("[data-action='step']");
    let after = seen(phone.run(cards, vec![]));
    let expected: Vec<_> =
        before.into_iter().map(|(card, _, in_sight)| (card.clone(), card == "slog", in_sight)).collect();
    assert_eq!(after, expected);
}

#[test]
fn many_dice_of_a_ball_are_seen_whole() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens(&pad_of(&at_the_first_card(&service)));
    phone.taps("[data-action='step']");
    phone.taps("[data-choice='slog']");
    phone.waits_ms(400);
    let cut = "const places = (what) => [...document.querySelectorAll(what)].map((one) => one.getBoundingClientRect()); \
               const [box] = places('.ask .so-far'); \
               return places('.ask .dice > *').filter(({ left, right, top, bottom }) => left < box.left - 1 \
               || right > box.right + 1 || top < box.top - 1 || bottom > box.bottom + 1).length";
    let mut most = 0;
    while phone.has("[data-die]") && !phone.has(".ask.held") {
        for size in [(320, 568), (360, 640)] {
            resize(&phone, size);
            assert_eq!(phone.run(cut, vec![]), 0, "{size:?} {}", phone.text(".ask"));
        }
        let dice = phone.run("return document.querySelectorAll('.ask .dice > *').length", vec![]);
        most = most.max(dice.as_u64().unwrap_or_default());
        phone.rolls_about(3);
    }
    assert!(most > 0, "{most}");
}

#[test]
fn the_dice_of_a_held_ball_keep_clear_of_the_keys() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens(&pad_of(&service.begun(&table(20))));
    phone.taps("[data-action='heard']");
    // A catch: five dice.
    for face in [3, 5, 3, 5, 5] {
        phone.rolls(face);
    }
    assert_eq!(phone.run("return document.querySelectorAll('.ask.held .dice > *').length", vec![]), 5);
    let clear = "const places = (what) => [...document.querySelectorAll(what)].map((one) => one.getBoundingClientRect()); \
                 return Math.min(...places('.pad-ask .key').map(({ top }) => top)) \
                 - Math.max(...places('.ask .dice > *').map(({ bottom }) => bottom))";
    for size in [(320, 568), (360, 640), (390, 844)] {
        resize(&phone, size);
        let clear = phone.run(clear, vec![]).as_f64().expect("a height");
        assert!(clear >= 4.0, "{size:?}: {clear}");
    }
}

#[test]
fn a_cell_grows_with_its_words_and_lies_over_no_other() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(20));
    played.bowl(&[2, 4]);
    played.bowl(&[2, 1]);
    phone.opens(&pad_of(&played));
    // Its text alone is changed: what is drawn next finds its own nodes.
    let wide = "const sign = document.querySelector('.strip [data-ball=\"1\"] > :last-child'); \
                [...sign.childNodes].find(({ data }) => data === '4').data = 'nb+1+W'";
    phone.run(wide, vec![]);
    phone.reads(".strip [data-ball='1']", "nb+1+W");
    let over = "const cells = [...document.querySelectorAll('.strip li .cell')]; \
                const [ends, starts] = ['right', 'left'].map((side) => cells.map((cell) => cell.getBoundingClientRect()[side])); \
                return cells.filter((cell, place) => cell.scrollWidth > cell.clientWidth || ends[place] > starts[place + 1] + 1).length";
    for size in [(320, 568), (360, 640)] {
        for text in ["100%", "200%"] {
            resize(&phone, size);
            phone.run("document.documentElement.style.fontSize = arguments[0]", vec![json!(text)]);
            assert_eq!(phone.run(over, vec![]), 0, "{size:?}, {text}");
        }
    }
}

#[test]
fn the_balls_beside_the_pad_have_a_cell_and_the_score() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(20));
    for dice in [&[2, 4][..], &[1, 2], &[2, 5]] {
        played.bowl(dice);
    }
    let rows = "return [...document.querySelectorAll('.balls .row')].map(({innerText, children}) => \
                innerText.replace(/\\s+/g, ' ') + ' ' + children[1].className)";
    for size in [(820, 1180), (1280, 800), (1920, 1080)] {
        phone.opens(&pad_of(&played));
        resize(&phone, size);
        phone.waits("the balls are there", "return document.querySelectorAll('.balls .row').length === 3");
        let found = phone.run(rows, vec![]);
        let found: Vec<&str> = found.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let is_out = found[0].starts_with("0.3 W Verity to Abel: OUT!");
        assert!(is_out && found[0].ends_with("5/1 cell wicket"), "{found:?}");
        let before =
            ["0.2 wd Verity to Abel: wide 5/0 cell  extra", "0.1 4 Verity to Abel: FOUR 4/0 cell boundary"];
        assert_eq!(found[1..], before);
    }
}

#[test]
fn before_a_chase_the_overs_are_large_and_the_rate_is_small() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(20));
    phone.opens(&pad_of(&played));
    assert_eq!((phone.text(".need"), phone.text(".rate")), ("0.0 of 20 overs".into(), "Innings 1".into()));
    played.bowl(&[2, 6]);
    phone.waits("the ball is there", "return document.querySelector('.need').innerText.startsWith('0.1')");
    assert_eq!(
        (phone.text(".need"), phone.text(".rate")),
        ("0.1 of 20 overs".into(), "36.00 an over".into())
    );
    phone.reads("h1", "6 for 0, 0.1 overs. 36.00 an over.");
}

#[test]
fn a_held_ball_says_whose_it_was_by_last_names() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let names = |first: &str, last: &str| {
        json!((1..=11).map(|n| format!("{first}{n} {last}{n}")).collect::<Vec<_>>())
    };
    let home = names("Ann", "Featherstonehaugh");
    let request = with(with(table(2), "/home/players", home), "/away/players", names("Bea", "Cholmondeley"));
    phone.opens(&pad_of(&service.begun(&request)));
    phone.taps("[data-action='heard']");
    phone.rolls(2);
    phone.rolls(4);
    phone.reads(".ask .said", "Cholmondeley11 to Featherstonehaugh1");
    assert!(
        !phone.text(".ask").contains("Ann") && !phone.text(".ask").contains("Bea"),
        "{}",
        phone.text(".ask")
    );
}

#[test]
fn a_long_undo_stands_in_one_line() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens(&pad_of(&service.begun(&table(2))));
    phone.taps("[data-action='heard']");
    phone.rolls(2);
    phone.rolls(4);
    // The longest word that a key can have is twelve letters.
    phone
        .run("document.querySelector('.undo span').firstChild.nextSibling.data = 'Undo 2 leg byes…'", vec![]);
    for size in [(320, 568), (360, 640), (390, 844)] {
        resize(&phone, size);
        let height =
            phone.run("return document.querySelector('.undo').getBoundingClientRect().height", vec![]);
        assert_eq!(height, 48, "{size:?}");
    }
}

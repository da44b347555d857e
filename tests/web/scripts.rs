//! The scripts of the pages: those that do not come, those of a version that is gone, those loaded ahead.

use serde_json::json;
use third_umpire_test_support::service::{Match, seeded_by_service, table};

use crate::games::board_game_on;
use crate::phone::{Model, Phone};
use crate::proxy::{Proxy, Wire};
use crate::table::{Table, balls_of, pad_of};

/// The time that a ball is held.
const HOLD: u64 = 4000;
const NO_SCRIPT: &str = "A part of this page has not come. What is kept here stays.";

/// What can come in the place of a script, each with what it is.
const FAILURES: [(&str, &str); 6] = [
    ("a 500", "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
    ("nothing", ""),
    (
        "a half",
        "HTTP/1.1 200 OK\r\nContent-Type: text/javascript\r\nContent-Length: 900\r\nConnection: close\r\n\r\n\
         import { $ } from \"./app.js\";\n$.views_",
    ),
    (
        "no JavaScript",
        "HTTP/1.1 200 OK\r\nContent-Type: text/javascript\r\nContent-Length: 15\r\nConnection: close\r\n\r\n\
         <!doctype html>",
    ),
    (
        "the page of a sign-in",
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 15\r\nConnection: close\r\n\r\n\
         <!doctype html>",
    ),
    (
        "another script",
        "HTTP/1.1 200 OK\r\nContent-Type: text/javascript\r\nContent-Length: 12\r\nConnection: close\r\n\r\n\
         const a = 1;",
    ),
];
/// The answer to the address of a file whose version is gone.
const GONE: &str = "HTTP/1.1 404 Not Found\r\nContent-Type: application/problem+json\r\nContent-Length: 2\r\n\
                    Connection: close\r\n\r\n{}";

/// The messages of the console that a script brings about which does not come.
const COMPLAINTS: [&str; 6] =
    ["net::ERR_", "Failed to load", "Failed to fetch", "SyntaxError", "MIME", "is another file"];

/// A phone at a service, and the wire between them.
fn wired(service: &Table) -> Option<(Proxy, Phone)> {
    let (wire, address) = service.wired();
    let mut phone = Phone::at(&address)?;
    phone.expected = COMPLAINTS.to_vec();
    Some((wire, phone))
}

/// Lets a file come so, on a phone that has kept none yet.
fn comes_as(wire: &Proxy, phone: &Phone, file: &'static str, answer: &'static str) {
    wire.turns(Wire::File(file, answer));
    phone.cdp("Network.clearBrowserCache", &json!({}));
}

#[test]
fn a_script_that_does_not_come_is_told_in_words_and_again_loads_it() {
    let service = Table::laid();
    let Some((wire, phone)) = wired(&service) else { return };
    let played = service.begun(&table(2));
    let of = |page: &str| format!("/m/{}/{page}", played.id);
    // Every failure for one script, then one for each other.
    let cases = FAILURES.iter().map(|failure| ("board.js", of("board"), ".board", failure));
    let (half, other) = (&FAILURES[2], &FAILURES[5]);
    let others = [
        ("card.js", of("card"), ".card", half),
        ("new.js", "/new".to_owned(), "[data-action='start']", half),
        ("home.js", "/".to_owned(), ".home", half),
        ("play.js", of("score"), ".pad", other),
        ("board.css", of("board"), ".board", half),
        ("card.css", of("card"), ".card", &FAILURES[0]),
        ("card.json", of("card"), ".card", &FAILURES[4]),
        ("new.css", "/new".to_owned(), ".new", &FAILURES[4]),
        ("new.json", "/new".to_owned(), ".new", half),
    ];
    for (file, path, drawn, (what, answer)) in cases.chain(others) {
        comes_as(&wire, &phone, file, answer);
        phone.opens(&path);
        phone.reads("[role='alert']", NO_SCRIPT);
        assert!(!phone.has(drawn), "{file}: {what}");
        phone.taps("[data-action='again']");
        phone.reads("[role='alert']", NO_SCRIPT);
        wire.turns(Wire::Through);
        phone.taps("[data-action='again']");
        phone.waits(what, &format!("return document.querySelector(\"{drawn}\") !== null"));
        phone.settles();
        assert!(!phone.text("body").contains(NO_SCRIPT), "{file}: {what}");
    }
}

#[test]
fn a_script_that_did_not_come_is_asked_for_again_when_its_page_is_opened_again() {
    let service = Table::laid();
    let Some((wire, phone)) = wired(&service) else { return };
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    wire.turns(Wire::File("card.js", FAILURES[0].1));
    phone.taps("[data-action='card']");
    phone.reads("[role='alert']", NO_SCRIPT);
    wire.turns(Wire::Through);
    phone.run("history.back()", vec![]);
    phone.waits("the pad is back", "return document.querySelector('[data-die]') !== null");
    phone.settles();
    phone.taps("[data-action='card']");
    phone.reads(".card", "No ball yet.");
}

#[test]
fn a_sheet_or_an_end_whose_script_does_not_come_says_so_and_again_loads_it() {
    let service = Table::laid();
    let Some((wire, phone)) = wired(&service) else { return };
    let (played, ended) = (service.begun(&table(2)), service.begun(&seeded_by_service(1)));
    ended.post("/autoplay", &json!({"until": "match"})).expect(201);
    let more = |phone: &Phone| phone.taps("[data-action='more']");
    for (file, answer) in
        [("sheets.js", FAILURES[0].1), ("sheets.css", FAILURES[4].1), ("sheets.json", FAILURES[1].1)]
    {
        for (of, place, there) in
            [(&played, "dialog", "dialog [data-action='log']"), (&ended, ".pad-ask", ".end")]
        {
            comes_as(&wire, &phone, file, answer);
            phone.opens(&pad_of(of));
            if place == "dialog" {
                more(&phone);
            }
            phone.reads(&format!("{place} [role='alert']"), NO_SCRIPT);
            assert!(!phone.has(there), "{file}");
            phone.taps(&format!("{place} [data-action='again']"));
            phone.reads(&format!("{place} [role='alert']"), NO_SCRIPT);
            wire.turns(Wire::Through);
            phone.taps(&format!("{place} [data-action='again']"));
            phone.waits(file, &format!("return document.querySelector(\"{there}\") !== null"));
        }
    }
    // The sheet gives focus back to what opened it, though another one stood there before.
    phone.opens(&pad_of(&played));
    more(&phone);
    phone.taps("dialog [data-action='close']");
    assert_eq!(phone.run("return document.activeElement.dataset.action", vec![]), "more");
}

#[test]
fn a_sheet_whose_script_did_not_come_ahead_is_asked_for_when_it_is_opened() {
    let service = Table::laid();
    let Some((wire, phone)) = wired(&service) else { return };
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    wire.turns(Wire::File("sheets.js", FAILURES[0].1));
    phone.waits_for_script("card.js");
    assert!(!phone.text("body").contains(NO_SCRIPT), "nobody needs it yet");
    wire.turns(Wire::Through);
    phone.taps("[data-action='more']");
    assert!(phone.has("dialog [data-action='log']"), "{}", phone.text("body"));
}

#[test]
fn a_trial_whose_script_does_not_come_says_so_and_another_tap_begins_it() {
    let service = Table::laid();
    let Some((wire, phone)) = wired(&service) else { return };
    phone.opens("/");
    wire.turns(Wire::File("trial.js", FAILURES[0].1));
    phone.taps("[data-action='show']");
    phone.reads("[role='alert']", NO_SCRIPT);
    wire.turns(Wire::Through);
    phone.taps("[data-action='show']");
    phone.waits("the board is there", "return document.querySelector('.board') !== null");
    wire.turns(Wire::File("trial.js", FAILURES[0].1));
    phone.reloads();
    phone.reads("[role='alert']", NO_SCRIPT);
    wire.turns(Wire::Through);
    phone.taps("[data-action='again']");
    assert!(phone.has(".board") && !phone.text("body").contains(NO_SCRIPT));
}

#[test]
fn a_wide_pad_says_that_the_card_beside_it_has_not_come_and_again_loads_it() {
    let service = Table::laid();
    let (wire, address) = service.wired();
    let model = Model { width: 1280, height: 800, ..Model::PHONE };
    let Some(mut phone) = Phone::of(model, &address) else { return };
    phone.expected = COMPLAINTS.to_vec();
    let played = service.begun(&table(2));
    played.bowl(&[2, 5]);
    for file in ["card.js", "card.css", "card.json"] {
        // The address of the page that is open would be no load.
        phone.opens("/");
        comes_as(&wire, &phone, file, FAILURES[0].1);
        phone.opens(&pad_of(&played));
        phone.reads(".aside [role='alert']", NO_SCRIPT);
        assert!(phone.has("[data-die]") && !phone.has(".aside .innings"), "{file}");
        wire.turns(Wire::Through);
        phone.taps(".aside [data-action='again']");
        phone.waits(file, "return document.querySelector('.aside .innings') !== null");
    }
}

/// The service says that it is of another version as soon as a test says so, and no ball gets to it while a
/// test says that.
const VERSIONS: &str = "
  const asked = globalThis.fetch;
  globalThis.fetch = async (path, ...rest) => {
    if (sessionStorage.getItem('cut') && String(path).endsWith('/balls')) throw new TypeError('cut');
    const answer = await asked(path, ...rest);
    if (path !== '/v1/about' || !sessionStorage.getItem('other')) return answer;
    const about = { ...(await answer.json()), assets: sessionStorage.getItem('other') };
    return new Response(JSON.stringify(about), { headers: { 'Content-Type': 'application/json' } });
  };";
/// Whether the page was loaded again by itself, and has settled.
const LOADED_AGAIN: &str = "return performance.getEntriesByType('navigation')[0].type === 'reload' \
                            && document.documentElement.hasAttribute('data-settled')";

#[test]
fn a_page_whose_version_is_gone_is_loaded_anew_once() {
    let service = Table::laid();
    let Some((wire, phone)) = wired(&service) else { return };
    phone.prepares(VERSIONS);
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    phone.run("sessionStorage.setItem('other', 'later')", vec![]);
    wire.turns(Wire::File("card.js", GONE));
    phone.taps("[data-action='card']");
    phone.waits("the page is loaded again", LOADED_AGAIN);
    // A cache on the way may give the old page again: it says what is missing, and is not loaded for ever.
    phone.reads("[role='alert']", NO_SCRIPT);
    phone.run("globalThis.mark = true", vec![]);
    phone.taps("[data-action='again']");
    phone.reads("[role='alert']", NO_SCRIPT);
    assert_eq!(phone.run("return globalThis.mark", vec![]), true);
    wire.turns(Wire::Through);
    phone.taps("[data-action='again']");
    phone.reads(".card", "No ball yet.");
}

#[test]
fn a_page_whose_version_is_gone_stays_while_something_is_kept() {
    let service = Table::laid();
    let Some((wire, phone)) = wired(&service) else { return };
    phone.prepares(VERSIONS);
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    phone.run("sessionStorage.setItem('cut', 'yes'); globalThis.mark = true", vec![]);
    phone.rolls(2);
    phone.rolls(4);
    phone.run("sessionStorage.setItem('other', 'later')", vec![]);
    wire.turns(Wire::File("card.js", GONE));
    phone.taps("[data-action='card']");
    phone.reads("[role='alert']", NO_SCRIPT);
    for _ in 0..5 {
        phone.taps("[data-action='again']");
        phone.waits_ms(10_000);
        phone.reads("[role='alert']", NO_SCRIPT);
    }
    assert_eq!(phone.run("return globalThis.mark", vec![]), true, "the ball is kept");
    assert_eq!(balls_of(&played), 0);
    phone.run("sessionStorage.removeItem('cut')", vec![]);
    phone.waits("the page is loaded again", &format!("globalThis.moveClock?.(1000); {LOADED_AGAIN}"));
    assert_eq!(balls_of(&played), 1);
}

/// Waits until the pad has loaded ahead what it leads to, with what stands beside it.
pub fn loads_ahead(phone: &Phone) {
    let loaded = "globalThis.moveClock(250);
        const {$} = globalThis.shared ?? {};
        import(document.querySelector('script[type=module]').src).then((shared) => (globalThis.shared = shared));
        const files = performance.getEntriesByType('resource').map(({name}) => name.split('/').pop());
        const beside = ['board.css', 'card.css', 'card.json', 'share.css', 'share.json', 'sheets.css', 'sheets.json'];
        return Boolean($?.views_board && $.views_card && $.views_sheets && $.views_orders && $.views_share && $.views_settings && $.creating && $.books)
            && beside.every((file) => files.includes(file))";
    phone.waits("the board, the card and the sheets are loaded", loaded);
    phone.settles();
}

/// The connection is cut, or comes back.
fn is_cut((wire, phone): (&Proxy, &Phone), is_cut: bool) {
    let conditions =
        json!({"offline": is_cut, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1});
    phone.cdp("Network.enable", &json!({}));
    phone.cdp("Network.emulateNetworkConditions", &conditions);
    // What was open ends.
    wire.turns(Wire::Through);
    let is_lost =
        "globalThis.moveClock(1000); return (document.querySelector('.sync').dataset.sync === 'lost')";
    phone.waits("the pad sees it", &format!("{is_lost} === {is_cut}"));
    phone.settles();
}

/// Opens each sheet of a pad, and closes it.
fn opens_every_sheet(phone: &Phone) -> Vec<String> {
    let listed = |selector: &str| {
        let script = "return [...document.querySelectorAll(arguments[0])].map(({dataset}) => dataset.action)";
        let actions = phone.run(script, vec![json!(selector)]);
        let actions = actions.as_array().cloned().unwrap_or_default();
        actions.iter().filter_map(|action| action.as_str().map(str::to_owned)).collect::<Vec<_>>()
    };
    let mut opened = Vec::new();
    let mut open = |selector: &str, what: &str| {
        phone.taps(selector);
        assert!(phone.has("dialog[open]"), "{what}: {}", phone.text("body"));
        assert!(!phone.text("dialog .sheet-body").trim().is_empty(), "{what} is empty");
        opened.push(what.to_owned());
        phone.taps("dialog [data-action='close']");
        assert!(!phone.has("dialog"), "{what} stays");
    };
    if phone.has("[data-action='heard']") {
        phone.taps("[data-action='heard']");
    }
    open("[data-action='sync']", "sync");
    open("[data-action='more']", "more");
    open("[data-action='earlier']", "earlier");
    phone.taps("[data-action='more']");
    let asks = listed("dialog [data-action^='ask:']");
    phone.taps("dialog [data-action='close']");
    for ask in asks {
        phone.taps("[data-action='more']");
        open(&format!("dialog [data-action='{ask}']"), &ask);
    }
    for cell in ["striker", "bowler"] {
        let selector = format!("[data-cell='{cell}']");
        if phone.text(&selector).contains("change") {
            open(&selector, cell);
        }
    }
    for ball in ["[data-ball]", "[data-action='undo']"] {
        if phone.has(ball) {
            open(ball, ball);
        }
    }
    opened
}

/// The card of a match that was cut off shows what was known, and its pad goes on.
fn opens_the_card_and_comes_back(phone: &Phone, played: &Match) {
    phone.taps(&format!(".foot a[href='/m/{}/card']", played.id));
    phone.reads(".card .sync", "no connection since");
    phone.reads(".card main", "No answer from the service. This page tries again by itself.");
    phone.taps(&format!("a[href='/m/{}/board']", played.id));
    phone.reads(".board .sync", "no connection since");
    phone.taps(&format!("a[href='/m/{}/score']", played.id));
    phone.reads(".pad .sync", "no connection");
    phone.taps("[data-action='more']");
    phone.taps("dialog [data-action='details']");
    phone.reads(".details .sync", "no connection since");
    phone.reads(".details main", &played.id);
    phone.taps(&format!("a[href='/m/{}/score']", played.id));
    phone.taps("[data-action='more']");
    phone.taps("dialog [data-action='settings']");
    phone.reads(".settings", "It is scored here");
    phone.taps("[data-action='back']");
    phone.reads(".pad .sync", "no connection");
}

#[test]
fn a_pad_that_is_cut_off_opens_every_sheet_and_the_card_and_goes_on() {
    let service = Table::laid();
    let Some((wire, phone)) = wired(&service) else { return };
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    loads_ahead(&phone);
    is_cut((&wire, &phone), true);
    let before = opens_every_sheet(&phone);
    assert!(before.iter().any(|sheet| sheet == "bowler"), "{before:?}");
    opens_the_card_and_comes_back(&phone, &played);
    is_cut((&wire, &phone), false);
    phone.rolls(2);
    phone.rolls(4);
    phone.waits_ms(HOLD);
    phone.reads(".sync", "saved");
    is_cut((&wire, &phone), true);
    let after = opens_every_sheet(&phone);
    assert!(["[data-ball]", "[data-action='undo']"].iter().all(|sheet| after.contains(&(*sheet).to_owned())));
    opens_the_card_and_comes_back(&phone, &played);
    phone.reads("h1", "4 for 0");
    // The balls say that they have not come, and come with the connection.
    phone.taps("[data-action='earlier']");
    phone.reads("dialog", "No answer from the service.");
    is_cut((&wire, &phone), false);
    phone.waits_ms(3000);
    phone.reads("dialog .over-row", "Over 1");
    phone.taps("dialog [data-action='close']");
    is_cut((&wire, &phone), true);
    // A die that is typed there goes when the connection is back.
    phone.rolls(3);
    is_cut((&wire, &phone), false);
    phone.waits("the next die is asked", "return document.querySelector('.means') !== null");
    phone.rolls(6);
    phone.waits_ms(HOLD);
    phone.reads(".sync", "saved");
    assert_eq!(balls_of(&played), 2);
}

#[test]
fn a_pad_of_the_board_game_that_is_cut_off_opens_every_sheet() {
    let service = Table::laid();
    let Some((wire, phone)) = wired(&service) else { return };
    let played = board_game_on(&service, "neutral");
    phone.opens(&pad_of(&played));
    loads_ahead(&phone);
    is_cut((&wire, &phone), true);
    let opened = opens_every_sheet(&phone);
    for ask in ["ask:attitudes", "ask:choices.skills.bowler", "ask:field", "ask:choices.stroke"] {
        assert!(opened.iter().any(|sheet| sheet == ask), "{ask}: {opened:?}");
    }
    opens_the_card_and_comes_back(&phone, &played);
}

#[test]
fn a_pad_loads_ahead_what_it_leads_to_once_it_is_idle_and_other_pages_do_not() {
    let service = Table::laid();
    let Some((_wire, phone)) = wired(&service) else { return };
    let (own, other) = (service.begun(&table(2)), service.begun(&seeded_by_service(2)));
    let script = "performance.getEntriesByType('resource').map(({name}) => name.split('/').pop())
        .filter((name) => name.endsWith('.js')).sort().join()";
    let scripts = || phone.run(&format!("return {script}"), vec![]).as_str().unwrap_or_default().to_owned();
    phone.opens(&pad_of(&own));
    phone.reads("[data-hint]", "Keep the screen on");
    // What is told once comes with the sheets; the next time nothing is to be told.
    phone.reloads();
    phone.waits_ms(900);
    assert_eq!(scripts(), "app.js,play.js", "the pad is not idle yet");
    loads_ahead(&phone);
    assert_eq!(
        scripts(),
        "answers.js,app.js,board.js,books.js,card.js,creating.js,details.js,home.js,orders.js,play.js,recall.js,rest.js,settings.js,share.js,\
         sheets.js,steps.js"
    );
    for (path, expected) in [
        (format!("/m/{}/board", other.id), "app.js,board.js,plain-board.js,recall.js"),
        ("/".to_owned(), "app.js,home.js,play.js,recall.js"),
    ] {
        phone.opens(&path);
        phone.waits_ms(5000);
        phone.waits(expected, &format!("return {script} === '{expected}'"));
    }
}

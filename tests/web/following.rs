//! Phones that follow a match: a second one beside the pad, one that slept, and one whose service is gone.

use serde_json::{Value, json};
use third_umpire_test_support::service::{Match, table};

use crate::figures::told;
use crate::handing::bowls;
use crate::phone::{Model, Phone};
use crate::proxy::Wire;
use crate::table::{Table, balls_of, pad_of};

/// Notes when each ball was recorded, and when each total was drawn, by the clock of the machine.
const NOTES: &str = r"
globalThis.noted = {recorded: [], drawn: []};
{
  const at = () => performance.timeOrigin + performance.now();
  const asked = globalThis.fetch;
  globalThis.fetch = async (path, how) => {
    const answer = await asked(path, how);
    const isBall = how?.method === 'POST' && String(path).endsWith('/balls');
    if (isBall && answer.status === 201) noted.recorded.push(at());
    return answer;
  };
  const heading = () => /(\d+) for/.exec(document.querySelector('h1')?.innerText ?? '')?.[1];
  const look = () => {
    const runs = Number(document.querySelector('.innings .sum td')?.innerText ?? heading() ?? 0);
    if (noted.drawn.at(-1)?.runs !== runs) noted.drawn.push({at: at(), runs});
  };
  const soon = () => requestAnimationFrame(look);
  new MutationObserver(soon).observe(document, {subtree: true, childList: true, characterData: true});
}";

/// The places of the tabs: each is a phone, with a store of its own.
const PAD: usize = 0;
const BOARD: usize = 1;
const CARD: usize = 2;

fn list(phone: &Phone, script: &str) -> Vec<Value> {
    phone.run(script, vec![]).as_array().expect("a list").clone()
}

#[test]
fn score_card_and_over_follow_on_other_phones() {
    const BALLS: usize = 30;
    let service = Table::laid();
    let Some(phone) = Phone::of(Model::WHOLE, &service.address()) else { return };
    let played = service.begun(&table(10));
    phone.prepares(NOTES);
    phone.opens(&pad_of(&played));
    for (name, page) in [("127.0.0.1", "board"), ("localhost", "card")] {
        phone.opens_window();
        phone.prepares(NOTES);
        let base = service.loopback().replace("127.0.0.1", name);
        phone.opens(&format!("{base}/m/{}/{page}", played.id));
    }
    phone.looks_at_tab(PAD);
    (0..BALLS).for_each(|_| bowls(&phone));
    let recorded: Vec<f64> = list(&phone, "return noted.recorded").iter().filter_map(Value::as_f64).collect();
    assert_eq!((recorded.len(), balls_of(&played)), (BALLS, BALLS));
    for (tab, page) in [(BOARD, "board"), (CARD, "card")] {
        phone.looks_at_tab(tab);
        // Two runs a ball.
        phone.waits("the last total is drawn", "return noted.drawn.at(-1).runs === 60");
        let drawn = list(&phone, "return noted.drawn");
        let later = |(before, recorded): (usize, &f64)| {
            let found = drawn.iter().find(|one| one["runs"] == 2 * (before + 1));
            found.and_then(|one| one["at"].as_f64()).map(|at| at - recorded)
        };
        let waited: Vec<f64> = recorded.iter().enumerate().filter_map(later).collect();
        println!("from the answer to a ball to the {page} of another phone: {}", told(waited));
    }
    phone.reads("h1", "60 for 0");
    phone.looks_at_tab(BOARD);
    phone.reads("h1", "60 for 0, 5.0 overs");
    // What is told of the over that has ended lies over it for six seconds.
    phone.waits_ms(6000);
    phone.waits("this over", "return document.querySelector('.strip') !== null");
    let cells = "return [...document.querySelectorAll('.strip [data-ball] [aria-hidden]')].map(({innerText}) => innerText.trim())";
    assert_eq!(phone.run(cells, vec![]), json!(["2", "2", "2", "2", "2", "2"]));
}

/// The clock of the service goes on with that of the page, in the hand of the test.
const TIME: &str = r"
globalThis.later = 0;
{
  const asked = globalThis.fetch;
  globalThis.fetch = async (path, ...rest) => {
    const answer = await asked(path, ...rest);
    if (!/^\/v1\/(?!.*\/stream)/.test(path) || answer.status !== 200) return answer;
    const headers = new Headers(answer.headers);
    headers.set('Date', new Date(Date.parse(headers.get('Date')) + later).toUTCString());
    return new Response(await answer.text(), {headers});
  };
}
globalThis.goesOn = (ms) => {
  later += ms;
  moveClock(ms);
};
globalThis.looksAgain = (ms) => {
  later += ms;
  sleepClock(ms);
  document.dispatchEvent(new Event('visibilitychange'));
};";

/// Lets time pass, and waits for the words.
fn passes(phone: &Phone, how: &str, ms: u64, words: &str) {
    phone.run(&format!("{how}({ms})"), vec![]);
    let says = "return document.querySelector('.sync')?.innerText === arguments[0]";
    phone.waits(words, &says.replace("arguments[0]", &json!(words).to_string()));
}

#[test]
fn a_page_that_watches_tells_by_the_clock_of_the_service_how_long_ago_the_last_ball_was() {
    let [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
    let service = Table::laid();
    let played = service.begun(&table(2));
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.prepares(TIME);
    phone.opens(&format!("/m/{}/board", played.id));
    assert!(!phone.has(".sync"), "there is no ball yet");
    played.bowl(&[2, 4]);
    phone.waits("the ball is there", "return document.querySelector('.last-ball') !== null");
    // The first clock is weeks ahead of that of the service.
    for off in [0, -86_400_000_i64, 86_400_000] {
        phone.changes_tab(&[&format!("sleepClock({off});"), TIME]);
        for page in ["board", "card", "score"] {
            phone.opens(&format!("/m/{}/{page}", played.id));
            passes(&phone, "looksAgain", 0, "last ball just now");
            passes(&phone, "looksAgain", 20 * 1000, "last ball just now");
            // Nobody touches it: the words go on by themselves.
            passes(&phone, "goesOn", 45 * 1000, "last ball 1 min ago");
            passes(&phone, "looksAgain", 58 * minute, "last ball 59 min ago");
            passes(&phone, "looksAgain", hour, "last ball 1 h ago");
            passes(&phone, "looksAgain", day, "last ball 1 day ago");
            passes(&phone, "looksAgain", day, "last ball 2 days ago");
            let spoken = "return document.querySelector('[data-announce]').textContent";
            assert!(!phone.run(spoken, vec![]).to_string().contains("ago"), "{page}");
            assert_eq!(phone.run("return document.querySelector('.sync').closest('[aria-live], [role=status], [role=alert]')", vec![]), json!(null));
        }
    }
}

/// Notes each frame that is seen after the phone has woken: its score, and whether it is marked as old.
const FRAMES: &str = r"
globalThis.frames = null;
globalThis.wakes = () => {
  frames = [];
  sleepClock(600_000);
};
document.addEventListener('resume', wakes, true);
{
  const asked = globalThis.fetch;
  let streams = [];
  globalThis.deafens = () => streams.forEach((stream) => (stream.isDeaf = true));
  globalThis.tells = (text) => streams.at(-1).tells(text);
  globalThis.fetch = async (path, ...rest) => {
    const answer = await asked(path, ...rest);
    if (!String(path).includes('/stream')) return answer;
    const stream = {isDeaf: false};
    streams.push(stream);
    const start = (out) => (stream.tells = (text) => out.enqueue(new TextEncoder().encode(text)));
    const hears = {start, transform: (part, out) => stream.isDeaf || out.enqueue(part)};
    return new Response(answer.body.pipeThrough(new TransformStream(hears)), {headers: answer.headers});
  };
  const look = () => {
    const score = /\d+ for \d+/.exec(document.querySelector('h1')?.innerText ?? '')?.[0];
    frames?.push({score, isOld: document.querySelector('.plates.stale') !== null});
  };
  // What was drawn before the page woke is no frame after it.
  const next = () => requestAnimationFrame(() => {
    const of = frames;
    setTimeout(() => of === frames && look());
    next();
  });
  next();
}";

/// How a phone sleeps, and what becomes of its stream.
#[derive(Debug, Clone, Copy)]
enum Sleep {
    /// The page is frozen, and the stream is cut.
    Cut,
    /// The page is frozen, and its stream is dead and looks open.
    Deaf,
    /// The page is not told that it was frozen.
    Silent,
}

#[test]
fn a_phone_that_slept_is_right_at_its_first_look() {
    for sleep in [Sleep::Cut, Sleep::Deaf, Sleep::Silent] {
        let service = Table::laid();
        let (wire, address) = service.wired();
        let Some(mut phone) = Phone::at(&address) else { return };
        phone.expected = vec!["net::ERR_", "Failed to load resource", "Failed to fetch"];
        let played = service.begun(&table(2));
        played.bowl(&[2, 4]);
        phone.prepares(FRAMES);
        phone.opens(&format!("/m/{}/board", played.id));
        phone.reads("h1", "4 for 0");
        let window = phone.tells("Browser.getWindowForTarget", &json!({}))["windowId"].clone();
        let turns = |state: &str| {
            let bounds = json!({"windowId": window, "bounds": {"windowState": state}});
            phone.cdp("Browser.setWindowBounds", &bounds);
        };
        if !matches!(sleep, Sleep::Cut) {
            phone.run("deafens()", vec![]);
        }
        if !matches!(sleep, Sleep::Silent) {
            turns("minimized");
            phone.waits("the page is out of sight", "return document.hidden");
            phone.cdp("Page.setWebLifecycleState", &json!({"state": "frozen"}));
        }
        if matches!(sleep, Sleep::Cut) {
            wire.turns(Wire::Through);
        }
        played.bowl(&[2, 2]);
        if matches!(sleep, Sleep::Silent) {
            phone.run("wakes(); document.dispatchEvent(new Event('visibilitychange'))", vec![]);
        } else {
            turns("normal");
        }
        phone.waits("the score is right", "return document.querySelector('h1').innerText.includes('6 for 0') && document.querySelector('.plates.stale') === null");
        phone.waits(
            "a frame was seen",
            "return frames?.some(({score, isOld}) => score === '6 for 0' && !isOld)",
        );
        let wrong = list(&phone, "return frames.filter(({score, isOld}) => score !== '6 for 0' && !isOld)");
        assert!(wrong.is_empty(), "{sleep:?}: {wrong:?}");
    }
}

#[test]
fn a_look_at_a_page_reads_what_its_stream_has_missed() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    phone.prepares(FRAMES);
    phone.opens(&format!("/m/{}/board", played.id));
    phone.run("deafens()", vec![]);
    played.bowl(&[2, 4]);
    phone.run("document.dispatchEvent(new Event('visibilitychange'))", vec![]);
    phone.waits("the ball is there", "return document.querySelector('h1').innerText.includes('4 for 0')");
    // A store that was put back may have grown again before the stream has noticed it.
    played.bowl(&[2, 6]);
    phone.run(
        "tells(`event: alive\\ndata: {\"head\":${arguments[0]},\"store\":true}\\n\\n`)",
        vec![json!(played.head().seq)],
    );
    phone.waits("its head is there", "return document.querySelector('h1').innerText.includes('10 for 0')");
}

/// Opens an address in a new tab, where no page of before is left.
fn opens_anew(phone: &Phone, path: &str) {
    phone.changes_tab(&[]);
    phone.opens(path);
}

#[test]
fn a_board_is_right_again_within_ten_seconds_of_a_service_that_was_away_for_long() {
    let mut service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["net::ERR_", "Failed to load resource"];
    let played = service.begun(&table(2));
    phone.opens(&format!("/m/{}/board", played.id));
    service.stops();
    for _ in 0..10 {
        phone.waits_ms(5000);
    }
    phone.waits("it is told", "return document.querySelector('.sync')?.dataset.sync === 'lost'");
    service.starts();
    phone.waits_ms(10_000);
    phone.waits("it is right", "return document.querySelector('.sync')?.dataset.sync !== 'lost'");
}

#[test]
fn an_address_that_was_visited_opens_again_while_the_service_is_gone() {
    let mut service = Table::laid();
    let (_wire, address) = service.wired();
    // What opens without the service is fetched once the browser is idle.
    let Some(mut phone) = Phone::of(Model::WHOLE, &address) else { return };
    phone.expected = vec!["net::ERR_", "Failed to load resource", "Failed to fetch"];
    let played = service.begun(&table(2));
    played.bowl(&[2, 4]);
    let of_match = |page: &str| format!("/m/{}/{page}", played.id);
    phone.opens(&pad_of(&played));
    // The other addresses are opened by links: no browser has fetched them.
    for link in [
        format!("[href='{}']", of_match("card")),
        format!("[href='{}']", of_match("board")),
        "[href='/']".to_owned(),
    ] {
        rests(&phone);
        phone.taps(&link);
    }
    rests(&phone);
    service.stops();
    for page in ["board", "card"] {
        opens_anew(&phone, &of_match(page));
        phone.reads("h1", "4 for 0");
        assert!(phone.has(".plates.stale"), "{page}");
        phone.reads("main", "This is the score of ");
        phone.reads(".sync", "no connection since ");
    }
    phone.reads(".innings", "Abel");
    // A page that was opened so leaves its address to the next one.
    phone.waits_ms(1000);
    phone.waits("it looks for the service", LOOKS_FOR_SERVICE);
    opens_anew(&phone, &of_match("card"));
    phone.reads("h1", "4 for 0");
    opens_anew(&phone, "/");
    phone.reads(".label", "This is the list of ");
    assert!(phone.has(&format!("[data-match='{}'] .plates.stale", played.id)));
    phone.reads(&format!("[data-match='{}']", played.id), "you score");
    opens_anew(&phone, &of_match("score"));
    phone.reads("h1", "4 for 0");
    phone.reads(".sync", "no connection since ");
    is_typed_and_outlives_a_reload(&phone, &mut service, &played);
}

/// Whether the address of the page was fetched.
const IS_FETCHED: &str = r"
return performance.getEntriesByType('resource').some(
  ({name, initiatorType, responseEnd}) =>
    initiatorType === 'fetch' && responseEnd > 0 && name === location.origin + location.pathname)";

/// Whether the page has looked whether the service is there.
const LOOKS_FOR_SERVICE: &str =
    "return performance.getEntriesByType('resource').some(({name}) => name.endsWith('/readyz'))";

/// Waits until the page has fetched what opens without the service.
fn rests(phone: &Phone) {
    phone.waits_ms(1000);
    phone.waits("the address is kept", IS_FETCHED);
}

/// A die that is typed while the service is gone is there after a reload, which the browser answers itself.
fn is_typed_and_outlives_a_reload(phone: &Phone, service: &mut Table, played: &Match) {
    phone.rolls(2);
    phone.run("location.reload()", vec![]);
    phone.waits("the browser says that nothing is there", "return document.querySelector('#page') === null");
    opens_anew(phone, &format!("/m/{}/score", played.id));
    phone.reads(".sync", "no connection since ");
    service.starts();
    phone.opens(&format!("/m/{}/score", played.id));
    phone.reads("#question", "Strike die");
    phone.rolls(2);
    phone.waits_ms(4000);
    phone.waits("the ball is saved", "return document.querySelector('.sync')?.dataset.sync === 'saved'");
    assert_eq!(crate::games::dice_of(played), [[2, 4], [2, 2]]);
}

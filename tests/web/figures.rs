//! The figures of docs/benchmarks.md: what a first visit costs, and how fast the pad answers on a slow phone.
//! They are printed and never asserted, since machines differ. Give it the program of a release.

use std::time::Instant;

use serde_json::{Value, json};
use third_umpire_test_support::service::{Cup, seeded_by_service, table};

use crate::games::dice_of;
use crate::phone::{Model, Phone};
use crate::table::{Table, pad_of};

/// A processor that is so many times slower.
const SLOWER: u32 = 4;

/// Notes when the first key says what it means, and the time from each tap until the next keys do.
const WATCH: &str = r"
globalThis.figures = {usable: null, answered: [], taps: 0};
{
  let tapped = null;
  const signs = () => [...document.querySelectorAll('#question, [data-die]:not([aria-disabled]) .means')];
  const words = () => signs().map(({innerText}) => innerText).join('|');
  const keys = () => document.querySelector('[data-die]:not([aria-disabled]) .means') !== null;
  addEventListener('click', () => {
    figures.taps += 1;
    tapped = {at: performance.now(), words: words()};
  }, true);
  const look = () => {
    if (!keys()) return;
    figures.usable ??= performance.now();
    if (tapped === null || words() === tapped.words) return;
    figures.answered.push(performance.now() - tapped.at);
    tapped = null;
  };
  new MutationObserver(() => requestAnimationFrame(look)).observe(document, {subtree: true, childList: true, characterData: true});
}";

/// The middle of some figures, the one that 95 % of them do not pass, and the highest.
pub fn told(mut figures: Vec<f64>) -> String {
    figures.sort_by(f64::total_cmp);
    let at = |share: usize| figures[(figures.len() * share / 100).min(figures.len() - 1)];
    let count = figures.len();
    format!("{:.0} ms, 95 % at most {:.0} ms, at most {:.0} ms of {count}", at(50), at(95), at(100))
}

/// What the browser has done until now: seconds and counts, by name.
fn work(phone: &Phone) -> impl Fn(&str) -> f64 {
    let metrics = phone.tells("Performance.getMetrics", &json!({}))["metrics"].clone();
    move |name| {
        let of_name = metrics.as_array().into_iter().flatten().find(|metric| metric["name"] == name);
        of_name.and_then(|metric| metric["value"].as_f64()).unwrap_or_default()
    }
}

fn number(phone: &Phone, script: &str) -> f64 {
    phone.run(script, vec![]).as_f64().expect("a number")
}

#[test]
#[ignore = "prints figures of the pages, in half a minute"]
fn figures_of_the_pages() {
    let service = Table::laid();
    let Some(phone) = Phone::of(Model::WHOLE, &service.address()) else { return };
    phone.prepares(WATCH);
    phone.opens("/");
    let requests = "return 1 + performance.getEntriesByType('resource').filter(({initiatorType}) => \
                    initiatorType !== 'fetch').length";
    let all = "return 1 + performance.getEntriesByType('resource').length";
    let bytes = "return ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))\
                 .reduce((sum, {encodedBodySize}) => sum + encodedBodySize, 0)";
    println!(
        "first visit of /: {} files, {} requests with the API's, {} bytes",
        number(&phone, requests),
        number(&phone, all),
        number(&phone, bytes)
    );
    phone.cdp("Emulation.setCPUThrottlingRate", &json!({"rate": SLOWER}));
    let usable = (0..9).map(|_| {
        let played = service.begun(&table(2));
        phone.cdp("Network.clearBrowserCache", &json!({}));
        phone.opens(&pad_of(&played));
        number(&phone, "return figures.usable")
    });
    println!("usable pad, {SLOWER} times slower: {}", told(usable.collect()));
    let sent = service.begun(&table(2));
    let mut cup = Cup::new(7);
    while sent.view()["status"] == "in_play" {
        sent.throw(&mut cup);
    }
    let balls = dice_of(&sent);
    phone.opens(&pad_of(&service.begun(&table(2))));
    phone.cdp("Performance.enable", &json!({}));
    let (before, begun) = (work(&phone), Instant::now());
    balls.iter().flatten().for_each(|face| phone.rolls(*face));
    let seconds = begun.elapsed().as_secs_f64() / balls.len() as f64;
    let after = work(&phone);
    let all_taps = number(&phone, "return figures.taps");
    let taps = all_taps / balls.len() as f64;
    let answered: Vec<f64> = match phone.run("return figures.answered", vec![]) {
        Value::Array(times) => times.iter().filter_map(Value::as_f64).collect(),
        other => panic!("{other}"),
    };
    println!("tap to the next keys, {SLOWER} times slower: {}", told(answered));
    let a_tap = |name: &str| (after(name) - before(name)) / all_taps;
    println!(
        "the browser's work a tap: scripts {:.1} ms, style {:.1} ms in {:.1} turns, layout {:.1} ms in {:.1}",
        1000. * a_tap("ScriptDuration"),
        1000. * a_tap("RecalcStyleDuration"),
        a_tap("RecalcStyleCount"),
        1000. * a_tap("LayoutDuration"),
        a_tap("LayoutCount"),
    );
    println!("{} balls: {taps:.2} taps and {seconds:.2} s a ball by a script", balls.len());
}

/// Notes when what a page is for is there: the plates of a board, the tables of a card, the matches of Home.
const USEFUL: &str = r"
globalThis.useful = null;
{
  const look = () => {
    if (document.querySelector('.board .plates, .card .innings table, [data-match]')) useful ??= performance.now();
  };
  new MutationObserver(() => requestAnimationFrame(look)).observe(document, {subtree: true, childList: true});
}";

/// A network of 1.6 Mbit/s, with 150 ms there and back.
const SLOW: u32 = 1_600_000 / 8;

#[test]
#[ignore = "prints figures of the pages for who watches, in half a minute"]
fn figures_of_who_watches() {
    let service = Table::laid();
    let Some(phone) = Phone::of(Model::WHOLE, &service.address()) else { return };
    phone.prepares(USEFUL);
    let played = service.begun(&seeded_by_service(20));
    played.post("/autoplay", &json!({"until": "innings"})).expect(201);
    (0..3).for_each(|_| drop(played.post("/autoplay", &json!({"until": "over"})).expect(201)));
    played.get("/luck").expect(200);
    phone.cdp("Emulation.setCPUThrottlingRate", &json!({"rate": SLOWER}));
    phone.cdp("Network.enable", &json!({}));
    let network =
        json!({"offline": false, "latency": 150, "downloadThroughput": SLOW, "uploadThroughput": SLOW});
    phone.cdp("Network.emulateNetworkConditions", &network);
    let bytes = "return ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))\
                 .reduce((sum, {encodedBodySize}) => sum + encodedBodySize, 0)";
    for page in ["/".to_owned(), format!("/m/{}/board", played.id), format!("/m/{}/card", played.id)] {
        let mut all = 0.0;
        let useful = (0..7).map(|_| {
            phone.cdp("Network.clearBrowserCache", &json!({}));
            phone.opens(&page);
            all = number(&phone, bytes);
            number(&phone, "return useful")
        });
        let useful = told(useful.collect());
        let page = page.rsplit('/').next().unwrap_or_default();
        println!("/{page}, {SLOWER} times slower, 1.6 Mbit/s: useful after {useful}; {all} bytes in all");
    }
}

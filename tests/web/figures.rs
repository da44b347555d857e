//! The figures of docs/benchmarks.md: what a first visit costs, and how fast the pad answers on a slow phone.
//! They are printed and never asserted, since machines differ. Give it the program of a release.

use std::time::Instant;

use serde_json::{Value, json};
use third_umpire_test_support::service::{Cup, table};

use crate::games::dice_of;
use crate::phone::Phone;
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

/// The middle and the highest of some figures.
fn middle_and_highest(mut figures: Vec<f64>) -> (f64, f64) {
    figures.sort_by(f64::total_cmp);
    (figures[figures.len() / 2], figures[figures.len() - 1])
}

fn number(phone: &Phone, script: &str) -> f64 {
    phone.run(script, vec![]).as_f64().expect("a number")
}

#[test]
#[ignore = "prints figures of the pages, in half a minute"]
fn figures_of_the_pages() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
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
    let (middle, highest) = middle_and_highest(usable.collect());
    println!("usable pad, {SLOWER} times slower: {middle:.0} ms, at most {highest:.0} ms of 9");
    let sent = service.begun(&table(2));
    let mut cup = Cup::new(7);
    while sent.view()["status"] == "in_play" {
        sent.throw(&mut cup);
    }
    let balls = dice_of(&sent);
    phone.opens(&pad_of(&service.begun(&table(2))));
    let begun = Instant::now();
    balls.iter().flatten().for_each(|face| phone.rolls(*face));
    let seconds = begun.elapsed().as_secs_f64() / balls.len() as f64;
    let taps = number(&phone, "return figures.taps") / balls.len() as f64;
    let answered: Vec<f64> = match phone.run("return figures.answered", vec![]) {
        Value::Array(times) => times.iter().filter_map(Value::as_f64).collect(),
        other => panic!("{other}"),
    };
    let count = answered.len();
    let (middle, highest) = middle_and_highest(answered);
    println!(
        "tap to the next keys, {SLOWER} times slower: {middle:.0} ms, at most {highest:.0} ms of {count}"
    );
    println!("{} balls: {taps:.2} taps and {seconds:.2} s a ball by a script", balls.len());
}

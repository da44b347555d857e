//! The board: on the screens of televisions, what it shows for a moment, how it ends, and an old score.

use serde_json::{Value, json};
use third_umpire_test_support::service::{AWAY, Match, seeded_by_service, table, with};

use crate::games::{appealed, won_by_the_last_ball};
use crate::phone::{Model, Phone};
use crate::table::Table;

/// What televisions report as their size.
const TELEVISIONS: [(u32, u32); 3] = [(1920, 1080), (1280, 720), (1920, 940)];

/// What is wrong with a board that is read at five metres: small letters, and those too near to an edge.
const FAULTS: &str = r"
const faults = [];
const least = 34 * innerWidth / 1920 - 0.1;
const [wide, high] = [0.03 * innerWidth - 1, 0.03 * innerHeight - 1];
const seen = (element) => element.closest('.heard, .tabs, [role=status]') === null && element.checkVisibility();
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (texts.nextNode()) {
  const { parentElement: element, textContent } = texts.currentNode;
  if (!textContent.trim() || !seen(element)) continue;
  const range = document.createRange();
  range.selectNodeContents(texts.currentNode);
  // Words that are cut take the room of what cuts them.
  const { left, right, top, bottom } = (element.closest('.cut, .words') ?? range).getBoundingClientRect();
  const scale = element.closest('svg')?.getScreenCTM().a ?? 1;
  const size = parseFloat(getComputedStyle(element).fontSize) * scale;
  if (size < least) faults.push(`${textContent}: ${size} is small`);
  if (left < wide || right > innerWidth - wide) faults.push(`${textContent}: from ${left} to ${right}`);
  if (top < high || bottom > innerHeight - high) faults.push(`${textContent}: from ${top} down to ${bottom}`);
}
const boxes = ['.plates', '.tell', '.strip', '.book', '.last-ball', '.note', '.chart svg', '.last-out', '.best'];
const rects = boxes.flatMap((box) => [...document.querySelectorAll(`.board ${box}`)])
  .filter((box) => box.checkVisibility()).map((box) => [box.className.baseVal ?? box.className, box.getBoundingClientRect()]);
for (const [place, [name, one]] of rects.entries())
  for (const [other, two] of rects.slice(place + 1))
    if (one.left < two.right - 1 && two.left < one.right - 1 && one.top < two.bottom - 1 && two.top < one.bottom - 1)
      faults.push(`${name} lies over ${other}`);
const { scrollWidth, scrollHeight } = document.documentElement;
if (scrollWidth > innerWidth || scrollHeight > innerHeight) faults.push(`the page is ${scrollWidth} by ${scrollHeight}`);
const tabs = document.querySelector('.tabs');
if (tabs && getComputedStyle(tabs).opacity !== '0') faults.push('the addresses are in sight');
return faults;";

/// A wire within the page. `isHole`: nothing has an answer any more, and nothing fails. `holds`: the next
/// answer of a path with this waits until `letsGo()`. `refuses`: the next request of such a path is answered
/// 503. `cuts()` cuts every open stream, and `isReset` says that one has told that its log is shorter.
const WIRE: &str = r"
Object.assign(globalThis, {isHole: false, holds: null, refuses: null, letsGo: () => {}, isReset: false});
{
  const asked = globalThis.fetch;
  const open = [];
  globalThis.cuts = () => open.splice(0).forEach((stream) => stream.error(new TypeError('cut')));
  const hears = async (told, out) => {
    for (let part = await told.read(); !part.done; part = await told.read()) {
      isReset ||= new TextDecoder().decode(part.value).startsWith('event: reset');
      if (!isHole) out.enqueue(part.value);
    }
    out.close();
  };
  const stream = ({body, headers}) => {
    const start = (out) => {
      open.push(out);
      hears(body.getReader(), out).catch((fault) => out.error(fault));
    };
    return new Response(new ReadableStream({start}), {headers});
  };
  const is = (path, part) => part !== null && String(path).includes(part);
  globalThis.fetch = async (path, how = {}) => {
    if (isHole)
      return new Promise((_, reject) => how.signal?.addEventListener('abort', () => reject(how.signal.reason)));
    if (is(path, refuses)) {
      refuses = null;
      return new Response('{}', {status: 503, headers: {'Content-Type': 'application/problem+json'}});
    }
    const isHeld = is(path, holds);
    const held = isHeld && new Promise((resolve) => (letsGo = resolve));
    if (isHeld) holds = null;
    const answer = await asked(path, how);
    await held;
    return is(path, '/stream') ? stream(answer) : answer;
  };
}";

fn board_of(played: &Match) -> String {
    format!("/m/{}/board", played.id)
}

/// Asserts that the board is read at every size of a television, which has no fingers on it.
#[track_caller]
fn is_read_from_afar(phone: &Phone, what: &str) {
    phone.cdp("Emulation.setTouchEmulationEnabled", &json!({"enabled": false}));
    for (width, height) in TELEVISIONS {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        phone.cdp("Emulation.setDeviceMetricsOverride", &metrics);
        let size = format!("return innerWidth === {width} && innerHeight === {height}");
        phone.waits("the screen has its size", &size);
        phone.settles();
        assert_eq!(phone.run(FAULTS, vec![]), json!([]), "{what}, {width}x{height}");
    }
}

/// Eleven names of this length.
fn long_names(first: &str) -> Value {
    let name = |number| format!("{first} Featherstonehaugh-Cholmondeley {number}");
    json!((1..=11).map(name).collect::<Vec<_>>())
}

#[test]
fn a_board_is_read_from_afar_on_every_television() {
    let mut service = Table::laid();
    let model = Model { width: 1920, height: 1080, ..Model::PHONE };
    let Some(mut phone) = Phone::of(model, &service.address()) else { return };
    phone.expected = vec!["net::ERR_", "Failed to load resource", "Failed to fetch"];
    let begun = service.begun(&table(20));
    phone.opens(&board_of(&begun));
    is_read_from_afar(&phone, "no ball");
    [[2, 4], [1, 2], [2, 5], [2, 6], [2, 2]].iter().for_each(|dice| drop(begun.bowl(dice)));
    phone.waits("the worm is there", "return document.querySelector('.chart svg') !== null");
    phone.waits_ms(9000);
    is_read_from_afar(&phone, "an over");
    let long = with(seeded_by_service(10), "/home/players", long_names("Bartholomew"));
    let chase = service.begun(&with(long, "/away/players", long_names("Maximilian")));
    chase.post("/autoplay", &json!({"until": "innings"})).expect(201);
    (0..9).for_each(|_| drop(chase.post("/autoplay", &json!({"until": "ball"})).expect(201)));
    phone.opens(&board_of(&chase));
    phone.waits("the worm is there", "return document.querySelector('.chart svg') !== null");
    is_read_from_afar(&phone, "a chase, long names");
    service.stops();
    phone.waits("the score is old", "return document.querySelector('.board.old .note') !== null");
    is_read_from_afar(&phone, "an old score");
    service.starts();
    chase.post("/autoplay", &json!({"until": "match"})).expect(201);
    phone.opens(&board_of(&chase));
    phone.waits("the best are there", "return document.querySelector('.best') !== null");
    is_read_from_afar(&phone, "the end");
}

/// What the board shows for a moment.
fn slide(phone: &Phone) -> String {
    let words = "return document.querySelector('.slide, .burst')?.innerText ?? ''";
    phone.run(words, vec![]).as_str().unwrap_or_default().to_owned()
}

/// Waits until the heading has these words.
#[track_caller]
fn heads(phone: &Phone, words: &str) {
    let has = format!("return document.querySelector('h1').innerText.includes({})", json!(words));
    phone.waits(words, &has);
}

#[track_caller]
fn shows(phone: &Phone, words: &str) {
    let has = format!(
        "return document.querySelector('.slide, .burst')?.innerText.includes({}) ?? false",
        json!(words)
    );
    phone.waits(words, &has);
}

#[test]
fn a_wicket_a_boundary_and_the_end_of_an_over_stand_for_their_time() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    played.bowl(&[2, 5]);
    phone.opens(&board_of(&played));
    assert_eq!(slide(&phone), "", "what was before is told by the score alone");
    for (dice, words, ms) in [([2, 4], "FOUR", 2000), ([2, 6], "SIX", 2000), ([2, 5], "OUT", 8000)] {
        played.bowl(&dice);
        shows(&phone, words);
        phone.waits_ms(ms - 100);
        assert!(slide(&phone).contains(words), "{words}");
        phone.waits_ms(200);
        phone.settles();
        assert_eq!(slide(&phone), "", "{words}");
    }
    played.bowl(&[2, 2]);
    // A wicket with the last ball of an over comes before its end.
    played.bowl(&[2, 5]);
    shows(&phone, "OUT");
    phone.reads(".slide", "bowled");
    phone.waits_ms(8000);
    shows(&phone, "12 runs");
    phone.reads(".slide", "3 wickets");
    // The next bowler is named while it stands.
    played.post("/overs", &json!({"bowler": AWAY[9]})).expect(201);
    shows(&phone, "bowl");
    phone.reads(".slide", "3 wickets");
    phone.waits_ms(6000);
    phone.settles();
    assert_eq!(slide(&phone), "");
    // The next ball ends what was told of the one before.
    played.bowl(&[2, 5]);
    shows(&phone, "OUT");
    played.bowl(&[2, 1]);
    phone.waits("the slide is gone", "return document.querySelector('.slide') === null");
}

#[test]
fn a_correction_tells_only_the_new_truth() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    played.bowl(&[2, 2]);
    phone.opens(&board_of(&played));
    played.bowl(&[2, 5]);
    shows(&phone, "OUT");
    played.post("/corrections", &json!({"voids_from": 2, "reason": "Misread die"})).expect(201);
    heads(&phone, "2 for 0, 0.1 overs");
    assert_eq!(slide(&phone), "");
    let is_out = "document.querySelector('.last-out, .chart .wicket') !== null";
    phone.waits("the worm is there", "return document.querySelector('.chart svg') !== null");
    phone.waits("nobody is out", &format!("return !({is_out})"));
    let title = phone.run("return document.title", vec![]);
    assert!(title.as_str().is_some_and(|title| title.contains("2 for 0, 0.1 overs")), "{title}");
}

#[test]
fn a_ball_that_is_amended_or_put_in_announces_no_ball_behind_it_again() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    [[2, 1], [2, 2], [2, 5]].iter().for_each(|dice| drop(played.bowl(dice)));
    phone.opens(&board_of(&played));
    heads(&phone, "3 for 1");
    played.post("/corrections", &json!({"amends": 2, "dice": [2, 4], "reason": "Misread die"})).expect(201);
    heads(&phone, "5 for 1");
    phone.settles();
    assert_eq!(slide(&phone), "", "the wicket is not news");
    let put_in = json!({"inserts": {"before": 2, "dice": [2, 1]}, "reason": "Missed ball"});
    played.post("/corrections", &put_in).expect(201);
    heads(&phone, "6 for 1");
    phone.settles();
    assert_eq!(slide(&phone), "", "nor is it with another number");
    played.bowl(&[2, 6]);
    shows(&phone, "SIX");
}

#[test]
fn rows_that_a_correction_has_overtaken_are_read_anew() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    played.bowl(&[2, 1]);
    phone.prepares(WIRE);
    phone.opens(&board_of(&played));
    played.bowl(&[2, 5]);
    heads(&phone, "1 for 1");
    phone.waits("who is out", "return document.querySelector('.slide, .last-out') !== null");
    phone.settles();
    // The read of the third ball is answered after the second is void.
    phone.run("holds = '/deliveries'", vec![]);
    played.bowl(&[2, 2]);
    heads(&phone, "3 for 1");
    phone.waits("the read is held", "return holds === null");
    played.post("/corrections", &json!({"voids_from": 2, "reason": "Misread die"})).expect(201);
    heads(&phone, "1 for 0");
    phone.run("letsGo()", vec![]);
    played.bowl(&[2, 1]);
    heads(&phone, "2 for 0");
    phone.settles();
    phone.waits("nobody is out", "return document.querySelector('.last-out, .chart .wicket') === null");
}

#[test]
fn a_review_that_is_told_late_lies_over_no_later_ball() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = appealed(&service);
    phone.prepares(WIRE);
    phone.opens(&board_of(&played));
    shows(&phone, "may review it.");
    phone.run("holds = '/reviews'", vec![]);
    played.post("/reviews", &json!({"by": "home", "dice": [6]})).expect(201);
    phone.waits("the read is held", "return holds === null");
    phone.waits("the appeal is over", "return document.querySelector('.slide') === null");
    let digits = "return [...document.querySelectorAll('.group.fell .plate')].length";
    assert_eq!(phone.run(digits, vec![]), 1, "the wicket stands until the verdict");
    played.bowl(&[2, 6]);
    shows(&phone, "SIX");
    phone.run("letsGo()", vec![]);
    phone.settles();
    assert!(!phone.has(".slide.review") && slide(&phone).contains("SIX"));
}

#[test]
fn a_review_is_told_step_by_step() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = appealed(&service);
    phone.opens(&board_of(&played));
    shows(&phone, "Harbour Road may review it.");
    let review = json!({"by": "home", "dice": [6]});
    played.post("/reviews", &review).expect(201);
    let digits = "return [...document.querySelectorAll('.group.fell .plate')].length";
    // The appeal has its dice, and the review none before its second step.
    phone.waits(
        "the review",
        "const slide = document.querySelector('.slide'); \
         return slide !== null && slide.innerText.includes('Abel c') && slide.querySelector('.die') === null",
    );
    assert_eq!(phone.run(digits, vec![]), 1, "the wicket stands until the verdict");
    phone.waits_ms(3000);
    phone.waits("the die", "return document.querySelector('.slide .die') !== null");
    assert!(!slide(&phone).contains("overturned"));
    phone.waits_ms(3000);
    shows(&phone, "The decision is overturned.");
    phone.reads(".slide", "not out");
    assert_eq!(phone.run(digits, vec![]), 0);
    phone.waits_ms(3000);
    phone.settles();
    assert_eq!(slide(&phone), "");
    // One that is accepted is a wicket like any other.
    let other = appealed(&service);
    phone.opens(&board_of(&other));
    shows(&phone, "may review it.");
    other.post("/reviews", &json!({"by": "home", "accept": true})).expect(201);
    shows(&phone, "OUT");
}

#[test]
fn nothing_of_a_board_moves_where_motion_is_not_liked() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let reduced = json!({"name": "prefers-reduced-motion", "value": "reduce"});
    phone.cdp("Emulation.setEmulatedMedia", &json!({"features": [reduced]}));
    // How many animations there were at any frame, and how many frames.
    phone.prepares(
        "globalThis.most = globalThis.frames = 0; \
         (function looks() { \
           frames += 1; \
           most = Math.max(most, document.getAnimations().length); \
           requestAnimationFrame(looks); \
         })()",
    );
    let played = service.begun(&table(2));
    phone.opens(&board_of(&played));
    for (dice, words) in [([2, 6], "SIX"), ([2, 5], "OUT")] {
        played.bowl(&dice);
        shows(&phone, words);
    }
    phone.waits("the frames go on", "return frames > 10");
    assert_eq!(phone.run("return most", vec![]), 0);
}

#[test]
fn the_end_of_a_match_stays_on_its_board() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&seeded_by_service(2));
    phone.opens(&board_of(&played));
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    let result = played.view()["result"]["text"].as_str().expect("a result").to_owned();
    let is_told = format!("return document.querySelector('.need').innerText === {}", json!(result));
    phone.waits(&result, &is_told);
    phone.waits_ms(3_600_000);
    // A stream that gave no sign for an hour is opened anew.
    phone.waits("the best are there", "moveClock(1000); return document.querySelector('.best') !== null");
    phone.reads(".need", &result);
    let card = played.get("/scorecard").expect(200);
    let told = phone.text(".best");
    for innings in card["innings"].as_array().expect("innings") {
        let most =
            innings["batters"].as_array().into_iter().flatten().map(|line| line["runs"].as_u64()).max();
        assert!(told.contains(&most.flatten().expect("a batter").to_string()), "{told}");
    }
    assert!(!phone.has(".book") && !phone.has(".slide"));
}

#[test]
fn the_throw_that_turned_a_match_stands_at_its_end_on_its_board() {
    let service = Table::laid();
    let Some(phone) = Phone::of(Model { width: 1920, height: 1080, ..Model::PHONE }, &service.address())
    else {
        return;
    };
    let played = won_by_the_last_ball(&service);
    phone.prepares(WIRE);
    phone.prepares("refuses = '/luck'");
    phone.opens(&board_of(&played));
    phone.waits("it is asked for", "return refuses === null");
    phone.settles();
    assert!(!phone.has(".turn"), "the service had no room");
    phone.waits_ms(5000);
    phone.waits("the throw is told", "return document.querySelector('.turn') !== null");
    let luck = played.get("/luck").expect(200);
    assert_eq!(luck["turn"]["delivery"], 12);
    let swing = 100.0 * luck["turn"]["swing"].as_f64().expect("a swing");
    phone.reads(
        ".turn",
        &format!("a 6 for the strike at 0.6 of Mill Lane’s innings, {swing:.0} in 100 towards"),
    );
    is_read_from_afar(&phone, "the throw that turned it");
    // The six was a single: the other side has won, and no throw of before is told towards it.
    phone.run("holds = '/luck'", vec![]);
    played.post("/corrections", &json!({"amends": 12, "dice": [2, 1], "reason": "Misread die"})).expect(201);
    heads(&phone, "1 for 0");
    phone.waits("the read is held", "return holds === null");
    assert!(!phone.has(".turn"));
    phone.run("letsGo()", vec![]);
    phone.settles();
    let luck = played.get("/luck").expect(200);
    assert_eq!(phone.has(".turn"), !luck["turn"].is_null());
}

#[test]
fn a_board_whose_stream_hears_nothing_says_within_45_seconds_since_when() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    played.bowl(&[2, 4]);
    phone.prepares(WIRE);
    phone.opens(&board_of(&played));
    phone.reads("h1", "4 for 0");
    phone.run("isHole = true", vec![]);
    played.bowl(&[2, 5]);
    phone.waits_ms(39_000);
    assert!(!phone.has(".plates.stale"));
    phone.waits_ms(6000);
    phone.waits("the score is old", "return document.querySelector('.plates.stale') !== null");
    phone.reads(".sync", "no connection since ");
    phone.reads(".note", "This is the score of ");
    let title = phone.run("return document.title", vec![]);
    assert!(title.as_str().is_some_and(|title| title.starts_with("no connection since ")), "{title}");
    // It is right by itself, and what happened meanwhile is told by the score alone.
    phone.run("isHole = false", vec![]);
    for _ in 0..4 {
        phone.waits_ms(8000);
    }
    heads(&phone, "4 for 1");
    phone.waits("the score is no longer old", "return document.querySelector('.plates.stale') === null");
}

#[test]
fn a_board_whose_stream_is_cut_every_second_tells_each_ball() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(3));
    phone.prepares(WIRE);
    phone.opens(&board_of(&played));
    for ball in 1..=10 {
        phone.run("cuts()", vec![]);
        phone.waits_ms(1000);
        played.bowl(&[2, 1]);
        if ball % 5 == 0 {
            phone.waits_ms(8000);
            heads(&phone, &format!("{ball} for 0"));
        }
    }
    phone.waits(
        "the worm has all balls",
        "return document.querySelector('.chart svg')?.ariaLabel.includes('10')",
    );
    assert!(!phone.has(".plates.stale"));
}

#[test]
fn a_board_goes_back_with_a_store_that_was_put_back() {
    let mut service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["net::ERR_", "Failed to load resource", "Failed to fetch"];
    let played = service.begun(&table(2));
    played.bowl(&[2, 4]);
    service.stops();
    service.copies_store();
    service.starts();
    phone.prepares(WIRE);
    phone.opens(&board_of(&played));
    played.bowl(&[2, 5]);
    heads(&phone, "4 for 1");
    service.stops();
    service.puts_store_back();
    service.starts();
    for _ in 0..3 {
        phone.waits_ms(8000);
    }
    phone.waits("the stream has noticed", "return isReset");
    heads(&phone, "4 for 0");
    phone.waits(
        "nobody is out",
        "return document.querySelector('.last-out, .slide, .chart .wicket') === null",
    );
    // Another ball in the place of the one that is gone is told as itself.
    played.bowl(&[2, 6]);
    heads(&phone, "10 for 0");
}

#[test]
fn names_on_a_board_are_text_whatever_they_say() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let name = |place| json!(format!("</style><script>evil = {place}</script>"));
    let names: Vec<Value> = (1..=11).map(name).collect();
    let request = with(with(table(2), "/home/players", json!(names)), "/home/name", json!("<b>Bold</b>"));
    let played = service.begun(&request);
    phone.opens(&board_of(&played));
    for dice in [[2, 6], [2, 5], [2, 2], [2, 2], [2, 2], [2, 2]] {
        played.bowl(&dice);
        phone.waits_ms(1000);
        phone.settles();
    }
    phone.waits_ms(9000);
    phone.waits("the worm is there", "return document.querySelector('.chart svg') !== null");
    assert_eq!(phone.run("return typeof evil", vec![]), "undefined");
    assert_eq!(
        phone.run("return document.querySelectorAll('.board :is(style, b > b, script)').length", vec![]),
        0
    );
    phone.reads(".book", "</style><script>");
}

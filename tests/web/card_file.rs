//! The card as one file: saved from the sheet of a page without TLS, it is opened without its service. It
//! shows what the card shows, loads nothing, and holds a log that audits clean.

use std::fs;

use serde_json::json;
use third_umpire_test_support::program::{Scratch, run};
use third_umpire_test_support::service::{AWAY, Match, seeded_by_service, table, with};

use crate::access::violations_of;
use crate::games::{board_game, won_by_the_last_ball};
use crate::liar::{Fate, Trace};
use crate::phone::{Model, Phone};
use crate::table::{Table, pad_of};

/// The policy that stands in the file.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// A file that was saved.
pub struct Saved {
    pub folder: Scratch,
    pub name: String,
}

impl Saved {
    fn address(&self) -> String {
        format!("file://{}", self.folder.file(&self.name))
    }

    pub fn text(&self) -> String {
        fs::read_to_string(self.folder.file(&self.name)).expect("the file is text")
    }
}

/// Taps what saves a file, and waits until the browser has written it.
pub fn saves(phone: &Phone, selector: &str) -> Saved {
    let folder = Scratch::new();
    let place = json!({"behavior": "allow", "downloadPath": folder.path()});
    phone.cdp("Browser.setDownloadBehavior", &place);
    assert!(phone.tries_to_tap(selector), "{selector}: {}", phone.text("body"));
    for _ in 0..1000 {
        let names = fs::read_dir(folder.path()).expect("the folder is ours").flatten();
        let names: Vec<String> =
            names.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        if let [name] = &names[..]
            && [".html", ".ndjson", ".png"].iter().any(|end| name.ends_with(end))
        {
            return Saved { name: name.clone(), folder };
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("{selector}: no file was saved");
}

/// Makes the file on the page of a card, and saves it.
pub fn makes(phone: &Phone, played: &Match) -> Saved {
    phone.opens(&format!("/m/{}/card", played.id));
    phone.taps("[data-action='share']");
    phone.taps("dialog [data-action='file']");
    phone.waits("it is made", "return document.querySelector('[data-action=save]') !== null");
    saves(phone, "[data-action='save']")
}

/// Opens a file, as a phone without a network does.
pub fn opens(phone: &Phone, file: &Saved) {
    phone.cdp("Network.enable", &json!({}));
    let away = json!({"offline": true, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1});
    phone.cdp("Network.emulateNetworkConditions", &away);
    assert!(phone.tries_to_open(&file.address()), "{} opens", file.name);
}

/// Saves the log that is in the file, and returns what an audit prints. It is clean.
pub fn audits(phone: &Phone) -> String {
    let log = saves(phone, "#part-log a[download]");
    let audited = run(&["audit", &log.folder.file(&log.name)]).succeeded();
    assert!(audited.starts_with("CLEAN"), "{audited:.400}");
    audited
}

/// Asserts that nothing in a file runs, loads or leads out of it, and that its links lead to what is there.
pub fn asserts_alone(phone: &Phone, html: &str) {
    assert!(
        html.starts_with("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"),
        "{html:.200}"
    );
    assert!(html.contains(&format!("content=\"{POLICY}\"")), "{html:.400}");
    let found = phone.run(
        "const all = [...document.querySelectorAll('*')];
        const loads = all.flatMap((one) => [...one.attributes].filter(({name}) =>
            /^on|^(src|srcset|srcdoc|style|action|ping|background|poster|data|xlink:href)$/.test(name)).map(({name}) => name));
        const leads = all.map((one) => one.getAttribute('href')).filter((href) => href !== null);
        return {
            loads,
            out: leads.filter((href) => !href.startsWith('#') && !href.startsWith('data:application/x-ndjson;base64,')),
            lost: leads.filter((href) => href.startsWith('#') && !document.getElementById(href.slice(1))),
            scripts: document.querySelectorAll('script, link, iframe, object, embed, img, form, base').length,
            twice: all.map(({id}) => id).filter((id, place, ids) => id && id !== 'extras' && ids.indexOf(id) !== place),
            asked: performance.getEntriesByType('resource').map(({name}) => name),
        }",
        vec![],
    );
    let due = json!({"loads": [], "out": [], "lost": [], "scripts": 0, "twice": [], "asked": []});
    assert_eq!(found, due);
}

/// A match in its second innings that has all that a card can tell of.
fn with_all_marks(service: &Table) -> Match {
    let played = service.begun(&with(table(2), "/rules", json!({"overs": 2, "drs": "house"})));
    played.post("/overs", &json!({"keeper": AWAY[3]})).expect(201);
    played.bowl(&[3, 5, 5, 1, 4]);
    played.post("/reviews", &json!({"by": "home", "dice": [2]})).expect(201);
    (0..5).for_each(|_| drop(played.bowl(&[2, 3])));
    played.post("/overs", &json!({"keeper": AWAY[5]})).expect(201);
    (0..6).for_each(|_| drop(played.bowl(&[2, 6])));
    let five = json!({"outcome": {"runs": {"batter": 5}}, "reason": "We all took it for a five"});
    played
        .post("/corrections", &json!({"amends": 2, "as_stood": five, "reason": "So it was played"}))
        .expect(201);
    played
        .post("/corrections", &json!({"amends": 3, "dice": [2, 4], "reason": "The die lay on its edge"}))
        .expect(201);
    played.bowl(&[2, 4]);
    played.bowl(&[2, 6]);
    played
}

/// What the parts of a card read, wherever they stand.
const PARTS: &str = "return [...document.querySelectorAll('.part, [data-reviews], [data-agreed], .innings:not(#part-log), .check')]
    .filter((part) => !part.parentElement.closest('.part')).map(({textContent}) => textContent.replace(/\\s+/g, ' ').trim())";

#[test]
fn a_file_is_saved_on_plain_http_opens_without_the_service_and_its_log_audits_clean() {
    let mut service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["net::ERR_"];
    let played = service.begun(&seeded_by_service(5));
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    // The phone has the token of the scorer.
    phone.opens(&pad_of(&played));
    let file = makes(&phone, &played);
    assert_eq!(phone.run("return [isSecureContext, 'share' in navigator]", vec![]), json!([false, false]));
    assert!(file.name.starts_with("harbour-road-v-mill-lane-20"), "{}", file.name);
    let (card, head) = (played.get("/scorecard").expect(200), played.head());
    let log = played.get("/log").text().to_owned();
    service.stops();
    opens(&phone, &file);
    let html = file.text();
    asserts_alone(&phone, &html);
    assert!(
        !html.contains(&played.token) && !html.contains("tu_") && !html.contains("tui_"),
        "it has a token"
    );
    assert!(!html.contains(service.address().as_str()), "it has the address of the service");
    phone.reads(
        ".check",
        &format!("Check mark {} … {}, event {}.", &head.hash[..4], &head.hash[60..], head.seq),
    );
    for innings in card["innings"].as_array().expect("innings") {
        phone.reads(".as-file main", &format!("{} wicket", innings["total"]["wickets"]));
        phone.reads(".as-file main", innings["batters"][0]["how_out"].as_str().unwrap_or("not out"));
    }
    phone.reads(".box .need", card["result"]["text"].as_str().unwrap_or("won by"));
    let saved = saves(&phone, "#part-log a[download]");
    assert_eq!(saved.name, format!("{}.ndjson", played.id));
    assert_eq!(saved.text(), log);
    assert!(audits(&phone).contains(&head.hash), "the audit ends with another head");
}

/// How many pages of A4 it takes to print what is open.
fn pages_printed(phone: &Phone) -> usize {
    let a4 = json!({"paperWidth": 8.27, "paperHeight": 11.69, "transferMode": "ReturnAsBase64"});
    let printed = phone.tells("Page.printToPDF", &a4);
    // The browser itself reads the letters of base64.
    let script = "return (atob(arguments[0]).match(/\\/Type ?\\/Page\\b/g) ?? []).length";
    let pages = phone.run(script, vec![printed["data"].clone()]);
    usize::try_from(pages.as_u64().expect("a number")).expect("few pages")
}

#[test]
fn a_file_tells_what_the_card_tells() {
    let service = Table::laid();
    let model = Model { width: 1280, height: 800, ..Model::PHONE };
    let Some(phone) = Phone::of(model, &service.address()) else { return };
    let played = with_all_marks(&service);
    phone.opens(&format!("/m/{}/card", played.id));
    phone.waits("the charts are there", "return document.querySelectorAll('.chart').length === 4");
    phone.settles();
    let due = phone.run(PARTS, vec![]);
    let pages = pages_printed(&phone);
    assert!(pages > 0, "a card is printed");
    let file = makes(&phone, &played);
    opens(&phone, &file);
    let told = phone.run(PARTS, vec![]);
    assert_eq!(told, due);
    assert_eq!(pages_printed(&phone), pages);
    let told = told.to_string();
    for words in [
        "So it was played",
        "The die lay on its edge",
        "We all took it for a five",
        "The decision stands",
        "Kept wicket",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    // The balls that others lead to stand in the file.
    assert!(
        phone.run("return document.querySelectorAll('main a[href^=\"#ball-\"]').length", vec![]).as_u64()
            >= Some(3)
    );
    asserts_alone(&phone, &file.text());
    phone.reads(".head", "The match was in play: this is the card as of event");
    audits(&phone);
}

#[test]
fn a_file_is_readable_at_320_pixels_in_the_dark_and_without_colours_of_its_own() {
    let service = Table::laid();
    let model = Model { width: 320, height: 568, ..Model::PHONE };
    let Some(phone) = Phone::of(model, &service.address()) else { return };
    let played = with_all_marks(&service);
    let file = makes(&phone, &played);
    opens(&phone, &file);
    assert_eq!(violations_of(&phone), json!([]));
    let ground = "return getComputedStyle(document.body).backgroundColor";
    let light = phone.run(ground, vec![]);
    phone.turns_dark(true);
    assert_ne!(phone.run(ground, vec![]), light, "the dark has its own ground");
    let wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assert_eq!(phone.run(wide, vec![]), json!(0));
    let forced = json!({"features": [{"name": "forced-colors", "value": "active"}]});
    phone.cdp("Emulation.setEmulatedMedia", &forced);
    // What a chart says stands out from the ground there.
    let lines = phone.run(
        "const ground = getComputedStyle(document.body).backgroundColor;
        return [...document.querySelectorAll('.chart .line, .chart .bar, .chart .part, .legend .sign')].filter((one) =>
            (({ fill, stroke, backgroundColor, backgroundImage }) => one.matches('i') ? backgroundColor === ground && backgroundImage === 'none' : fill === ground && stroke === ground)(getComputedStyle(one))).length",
        vec![],
    );
    assert_eq!(lines, json!(0));
}

#[test]
fn names_of_markup_and_of_marks_that_turn_the_text_stay_text_in_a_file() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let wild = "</style><script>globalThis.ran=1</script>";
    let request = with(with(table(2), "/home/name", json!(wild)), "/away/name", json!("\"><img src=x>"));
    let played = service.begun(&with(request, "/away/players/1", json!(wild)));
    for _ in 0..4 {
        played.bowl(&[2, 4]);
    }
    // No log has a name with such a mark: a service that is none answers so.
    phone.prepares(
        "const asks = globalThis.fetch; globalThis.fetch = async (path, how) => {
            const answer = await asks(path, how);
            if (!/scorecard|deliveries|matches\\/[^/]+$/.test(path)) return answer;
            const text = (await answer.text()).replaceAll('Abel', '\\u202eAbel<!--');
            return new Response(text, { status: answer.status, headers: answer.headers });
        }",
    );
    let file = makes(&phone, &played);
    assert!(file.name.is_ascii() && !file.name.contains('<'), "{}", file.name);
    opens(&phone, &file);
    let html = file.text();
    assert!(!html.contains("<script") && !html.contains("<img"), "a name became markup");
    asserts_alone(&phone, &html);
    assert_eq!(phone.run("return globalThis.ran ?? null", vec![]), json!(null));
    let title = phone.run("return document.title", vec![]);
    assert!(title.as_str().is_some_and(|title| title.starts_with(wild)), "{title}");
    phone.reads("#part-1 h2", wild);
    phone.reads("#part-1 tbody th", "\u{202e}Abel<!--");
    // What turns the text turns no more than the name that has it.
    let loose = "const texts = document.createNodeIterator(document.body, NodeFilter.SHOW_TEXT);
        const found = [];
        for (let text = texts.nextNode(); text; text = texts.nextNode())
            if (text.data.includes('\\u202e') && !text.parentElement.closest('[dir=auto]')) found.push(text.data);
        return found";
    assert_eq!(phone.run(loose, vec![]), json!([]));
    audits(&phone);
}

#[test]
fn a_match_without_a_ball_an_abandoned_one_and_one_of_an_edition_have_their_files() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let checks = |played: &Match, words: &[&str]| {
        phone.cdp(
            "Network.emulateNetworkConditions",
            &json!({"offline": false, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}),
        );
        let file = makes(&phone, played);
        opens(&phone, &file);
        asserts_alone(&phone, &file.text());
        words.iter().for_each(|words| phone.reads("body", words));
        audits(&phone);
    };
    let untossed = Match::create(service.client(), &table(1));
    checks(&untossed, &["No ball yet.", "Check mark", "event 1."]);
    let new = service.begun(&table(1));
    checks(&new, &["No ball yet.", "Check mark"]);
    new.bowl(&[2, 4]);
    new.post("/abandonment", &json!({"reason": "Rain"})).expect(201);
    checks(&new, &["Abandoned: Rain", "Who was ahead, and when?", "Total"]);
    // Its log brings the edition, which an audit needs.
    checks(&board_game(&service), &["No ball yet."]);
}

#[test]
fn a_file_with_300_corrections_tells_each_with_its_reason() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(1));
    played.bowl(&[2, 3]);
    for number in 1..=300 {
        let face = if number % 2 == 0 { 3 } else { 4 };
        let body = json!({"amends": 1, "dice": [2, face], "reason": format!("Reason number {number}")});
        played.post("/corrections", &body).expect(201);
    }
    let file = makes(&phone, &played);
    opens(&phone, &file);
    let told = phone.run(
        "return [...document.querySelectorAll('.corrections > li')].map(({innerText}) => innerText)",
        vec![],
    );
    let told: Vec<String> = serde_json::from_value(told).expect("texts");
    assert_eq!(told.len(), 300);
    let untold = told
        .iter()
        .zip(1..)
        .find(|(told, number)| !told.ends_with(&format!("Reason number {number}\nBall 0.1, Harbour Road")));
    assert_eq!(untold, None);
    assert!(!phone.text("main").contains("These are the first"), "none is left out");
    audits(&phone);
}

#[test]
fn a_log_that_is_too_long_is_left_out_and_the_file_says_so() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&seeded_by_service(1));
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    makes(&phone, &played);
    let length = played.get("/log").text().len();
    let made = |most: usize| {
        let script = "return import(document.querySelector('script[type=module]').src).then(({ $ }) =>
            $.views_card_file.cardFile(arguments[0], new AbortController().signal, arguments[1])).then(({ blob }) => blob.text())";
        phone.run(script, vec![json!(played.id), json!(most)]).as_str().expect("a file").to_owned()
    };
    assert!(
        made(length).contains("data:application/x-ndjson;base64,"),
        "a log of just so many bytes is there"
    );
    let without = made(length - 1);
    assert!(!without.contains("data:"), "the log is left out");
    assert!(without.contains("which is too much for this file"), "{without:.300}");
    assert!(without.contains("Check mark"), "the mark stays");
}

#[test]
fn a_file_that_cannot_be_made_says_why_and_is_made_once_the_service_is_back() {
    let mut service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["net::ERR_", "Failed to load resource", "Failed to fetch"];
    let played = service.begun(&table(1));
    phone.opens(&format!("/m/{}/board", played.id));
    phone.taps("[data-action='share']");
    service.stops();
    phone.taps("dialog [data-action='file']");
    phone.waits("it is told", "return document.querySelector('dialog [role=alert]') !== null");
    phone.reads("dialog [data-action='file']", "The card as a file");
    service.starts();
    phone.taps("dialog [data-action='file']");
    phone.waits("it is made", "return document.querySelector('[data-action=save]') !== null");
    assert!(!phone.has("dialog [role='alert']"), "what was told is over");
}

#[test]
fn a_log_that_does_not_come_whole_ends_the_making_and_the_next_tap_makes_the_file() {
    let service = Table::laid();
    let (liar, address) = service.lied_about(1, &Trace::default());
    let Some(mut phone) = Phone::at(&address) else { return };
    phone.expected = vec!["net::ERR_", "Failed to load resource"];
    let played = service.begun(&table(1));
    phone.opens(&format!("/m/{}/board", played.id));
    phone.taps("[data-action='share']");
    for fate in [Fate::BlackHole, Fate::Half, Fate::Portal] {
        liar.fates_next("GET log", fate);
        phone.run("document.querySelector('dialog [data-action=file]').click()", vec![]);
        let is_told = "moveClock(1000); return document.querySelector('dialog [role=alert]') !== null";
        phone.waits("it is told", is_told);
        phone.settles();
        assert!(phone.has("dialog [role='alert']"), "no file was made");
    }
    phone.taps("dialog [data-action='file']");
    phone.waits("it is made", "return document.querySelector('[data-action=save]') !== null");
    assert_eq!(liar.asked()["GET log"], 4, "each of them was met");
}

/// Notes what is drawn on a canvas, and how far to the right it goes.
const NOTES: &str = "globalThis.drawn = []; const fills = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
        drawn.push([text.replace(/[\\u2066-\\u2069]/g, ''), x, x + this.measureText(text).width, y]);
        return fills.call(this, text, x, y);
    }";

#[test]
fn the_picture_of_a_match_has_its_result_whole_and_the_throw_that_turned_it() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.prepares(NOTES);
    let played = won_by_the_last_ball(&service);
    let luck = played.get("/luck").expect(200);
    phone.opens(&format!("/m/{}/board", played.id));
    phone.taps("[data-action='share']");
    phone.taps("dialog [data-action='picture']");
    phone.waits("it is drawn", "return document.querySelector('.picture img')?.naturalWidth === 1080");
    let drawn: Vec<(String, f64, f64, f64)> =
        serde_json::from_value(phone.run("return drawn", vec![])).expect("texts");
    let swing = 100.0 * luck["turn"]["swing"].as_f64().expect("a swing");
    let turn = format!("Turned by a 6 for the strike, 0.6 of Mill Lane: {swing:.0} in 100 to ");
    let result = played.view()["result"]["text"].as_str().expect("a result").to_owned();
    for due in [&turn, &result] {
        assert!(drawn.iter().any(|(text, ..)| text.starts_with(due.as_str())), "{due}: {drawn:?}");
    }
    let words = phone.run("return document.querySelector('.picture img').alt", vec![]);
    assert!(words.as_str().is_some_and(|words| words.contains(&turn)), "{words}");
}

#[test]
fn the_result_is_one_picture_that_says_it_in_words_as_well() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.prepares(NOTES);
    let long = "The Worshipful Company of Tabletop Cricketers of Lower Ambleside";
    let played = service.begun(&with(seeded_by_service(2), "/home/name", json!(long)));
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    let new = service.begun(&table(1));
    for (played, innings) in [(&played, 2), (&new, 0)] {
        phone.opens(&format!("/m/{}/board", played.id));
        phone.taps("[data-action='share']");
        phone.run("drawn.length = 0", vec![]);
        phone.taps("dialog [data-action='picture']");
        phone.waits("it is drawn", "return document.querySelector('.picture img')?.naturalWidth === 1080");
        let drawn: Vec<(String, f64, f64, f64)> =
            serde_json::from_value(phone.run("return drawn", vec![])).expect("texts");
        let outside = drawn
            .iter()
            .find(|(_, left, right, y)| *left < 71.0 || *right > 1009.0 || !(40.0..1060.0).contains(y));
        assert_eq!(outside, None);
        let (view, card, head) = (played.view(), played.get("/scorecard").expect(200), played.head());
        let mut due =
            vec![format!("Check mark {} … {}, event {}", &head.hash[..4], &head.hash[60..], head.seq)];
        due.push(view["result"]["text"].as_str().unwrap_or("Not begun yet").to_owned());
        for innings in card["innings"].as_array().expect("innings") {
            due.push(format!("{}/{}", innings["total"]["runs"], innings["total"]["wickets"]));
        }
        assert_eq!(due.len(), 2 + innings);
        assert!(drawn.iter().any(|(text, ..)| *text == due[0]), "the check mark is whole: {drawn:?}");
        // What has no room is smaller, and then cut.
        let is_drawn = |due: &String| {
            drawn.iter().any(|(text, ..)| text == due || due.starts_with(text.trim_end_matches('…')))
        };
        assert_eq!(due.iter().find(|due| !is_drawn(due)), None, "{drawn:?}");
        let words = phone.run("return document.querySelector('.picture img').alt", vec![]);
        let words = words.as_str().expect("words");
        assert_eq!(due.iter().find(|due| !words.contains(due.as_str())), None, "{words}");
        let saved = saves(&phone, "dialog a[data-action='picture']");
        let png = fs::read(saved.folder.file(&saved.name)).expect("the picture is there");
        assert!(png.starts_with(b"\x89PNG") && png.len() < 400_000, "{} bytes", png.len());
    }
}

#[test]
fn the_sheet_offers_first_what_lasts_and_says_how_far_a_link_reaches() {
    let service = Table::around("the key of the table");
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["401", "403"];
    let request = service.client().request("POST", "/v1/matches").token("the key of the table");
    let played = Match::created(service.client(), &request.json(&table(1)).send().expect(201));
    played.begin();
    played.bowl(&[2, 4]);
    phone.opens(&format!("/m/{}/board", played.id));
    phone.taps("[data-action='share']");
    let heads = phone
        .run("return [...document.querySelectorAll('dialog h3')].map(({innerText}) => innerText)", vec![]);
    assert_eq!(heads[0], "Keep and send");
    phone.reads("dialog", "This link works on this wifi, while this machine runs.");
    phone.taps("dialog [data-action='text']");
    let head = played.head();
    let text = phone.run("return document.querySelector('#shared-text').value", vec![]);
    let text = text.as_str().expect("a card");
    assert!(text.starts_with("Harbour Road v Mill Lane\n\nHarbour Road 4/0 (0.1)"), "{text}");
    assert!(
        text.ends_with(&format!(
            "Check mark {} … {}, event {}.",
            &head.hash[..4],
            &head.hash[60..],
            head.seq
        )),
        "{text}"
    );
    phone.taps("dialog button[data-action='picture']");
    phone.taps("dialog [data-action='file']");
    phone.waits(
        "both are made",
        "return document.querySelectorAll('dialog [data-action=save], .picture img').length === 2",
    );
    assert_eq!(violations_of(&phone), json!([]));
    let saved = saves(&phone, "dialog [data-action='log']");
    assert_eq!(saved.text(), played.get("/log").text());
}

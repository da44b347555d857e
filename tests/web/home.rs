//! Home: which matches are in sight, in which order, and how the others are reached.

use serde_json::{Value, json};
use third_umpire_test_support::service::{Match, seeded, seeded_by_service, table, until, with};

use crate::phone::{Model, Phone};
use crate::proxy::Wire;
use crate::table::{Table, pad_of};

/// How often the list is read anew.
const AGAIN: u64 = 5000;

/// The matches of the list, from the top.
pub fn listed(phone: &Phone) -> Vec<String> {
    let ids = phone.run(
        "return [...document.querySelectorAll('[data-match]')].map(({dataset}) => dataset.match)",
        vec![],
    );
    ids.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

pub fn finished(service: &Table) -> Match {
    let played = service.begun(&seeded_by_service(2));
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    played
}

#[test]
fn a_side_that_is_all_out_is_said_to_be() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = [2, 20, 50].map(|overs| {
        let played = service.begun(&seeded(overs));
        played.post("/autoplay", &json!({"until": "match"})).expect(201);
        played
    });
    phone.opens("/");
    let mut fallen = Vec::new();
    for played in played {
        let score = played.view()["score"]["innings"].clone();
        let row = phone.text(&format!("[data-match='{}']", played.id));
        for one in score.as_array().into_iter().flatten() {
            let (runs, wickets) = (&one["runs"], &one["wickets"]);
            let words = if wickets == 10 { format!("{runs} all out") } else { format!("{runs}/{wickets}") };
            assert!(row.contains(&words), "{words}: {row}");
            fallen.push(wickets == 10);
        }
    }
    assert!(fallen.contains(&true) && fallen.contains(&false), "{fallen:?}");
}

#[test]
fn matches_in_play_and_own_ones_stand_first_and_the_others_follow_in_pages() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let own = Match::create(service.client(), &table(2));
    phone.opens(&pad_of(&own));
    let in_play = service.begun(&table(2));
    let old = Match::create(service.client(), &table(2));
    let others: Vec<Match> = (0..55).map(|_| Match::create(service.client(), &table(2))).collect();
    phone.opens("/");
    let first = listed(&phone);
    assert_eq!(first[..2], [in_play.id.clone(), own.id.clone()]);
    assert_eq!((first.len(), &first[2]), (22, &others[54].id));
    // The list of a long service is read whole again only where a match begins or ends.
    phone.waits_ms(AGAIN);
    let last = "return performance.getEntriesByType('resource').filter(({name}) => /matches\\?/.test(name)).at(-1).name";
    assert!(phone.run(last, vec![]).as_str().is_some_and(|name| name.contains("status=in_play")));
    others[0].begin();
    phone.waits_ms(AGAIN);
    let again = listed(&phone);
    assert_eq!(again[..3], [others[0].id.clone(), in_play.id, own.id.clone()]);
    // The rest is a tap away, and the page of it has an address.
    phone.taps("[data-action='older']");
    let all = listed(&phone);
    assert_eq!(all.last(), Some(&old.id));
    assert_eq!(all.iter().filter(|id| again.contains(id)).collect::<Vec<_>>(), [&own.id]);
    assert!(!phone.has("[data-action='older']"));
    phone.reloads();
    assert_eq!(listed(&phone), all);
    phone.taps("[data-action='newest']");
    assert_eq!(listed(&phone).len(), 50);
}

#[test]
fn the_list_is_in_play_then_waiting_then_finished_and_abandoned_last() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let abandoned = service.begun(&table(2));
    let (over, waiting) = (finished(&service), Match::create(service.client(), &table(2)));
    let playing = [service.begun(&table(2)), service.begun(&table(2))];
    abandoned.post("/abandonment", &json!({"reason": "Rain"})).expect(201);
    phone.opens("/");
    let [first, second] = &playing;
    let all = [&second.id, &first.id, &waiting.id, &over.id, &abandoned.id];
    assert_eq!(listed(&phone).iter().collect::<Vec<_>>(), all);
    let headings = "return [...document.querySelectorAll('h2')].map(({innerText}) => innerText).join()";
    assert!(
        phone
            .run(headings, vec![])
            .as_str()
            .is_some_and(|all| all.starts_with("In play,Waiting,Finished,Abandoned"))
    );
    phone.reads(&format!("[data-match='{}']", abandoned.id), "Harbour Road v Mill Lane abandoned: Rain");
    // A ball moves no row under a finger.
    first.post("/balls", &json!({"dice": [2, 4]})).expect(201);
    phone.waits_ms(AGAIN);
    phone.reads(&format!("[data-match='{}']", first.id), "0.1 overs");
    assert_eq!(listed(&phone).iter().collect::<Vec<_>>(), all);
}

#[test]
fn a_page_that_is_not_seen_reads_nothing_and_one_that_is_seen_again_reads_once() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    service.begun(&table(2));
    phone.prepares(
        "Object.defineProperty(document, 'visibilityState', {get: () => (globalThis.isHidden ? 'hidden' : 'visible')});
         globalThis.turns = (hidden) => {
           globalThis.isHidden = hidden;
           document.dispatchEvent(new Event('visibilitychange'));
         };",
    );
    phone.opens("/");
    let count =
        "return performance.getEntriesByType('resource').filter(({name}) => /matches\\?/.test(name)).length";
    let reads = |from: i64| phone.run(count, vec![]).as_i64().map(|all| all - from);
    phone.run("turns(true)", vec![]);
    let before = reads(0).expect("a number");
    phone.waits_ms(12 * AGAIN);
    assert_eq!(reads(before), Some(0));
    for _ in 0..3 {
        phone.settles_after("turns(true); turns(false)");
    }
    // However often it was looked at, it goes on as before.
    let before = reads(0).expect("a number");
    phone.waits_ms(AGAIN);
    assert_eq!(reads(before), Some(1));
    phone.waits_ms(AGAIN);
    assert_eq!(reads(before), Some(2));
}

#[test]
fn a_laptop_shows_what_is_needed_this_over_and_the_address_for_a_television() {
    let service = Table::laid();
    let laptop = Model { width: 1280, height: 800, ..Model::PHONE };
    let Some(phone) = Phone::of(laptop, &service.address()) else { return };
    let played = service.begun(&seeded(5));
    for until in ["innings", "over", "over", "ball"] {
        played.post("/autoplay", &json!({"until": until})).expect(201);
    }
    let view = played.view();
    let situation = &view["situation"];
    phone.opens("/");
    let row = format!("[data-match='{}']", played.id);
    phone.reads(&format!("{row} .stands"), situation["need"]["text"].as_str().expect("what is needed"));
    phone.reads(&format!("{row} .stands"), "overs");
    let cells = phone
        .run("return document.querySelectorAll(arguments[0]).length", vec![json!(format!("{row} .cell"))]);
    assert_eq!(cells.as_u64(), situation["over"]["deliveries"].as_array().map(|all| all.len() as u64));
    let boxes = "return ['.last', '.stands', '.lists', '[data-action=new]', '.watch']
        .map((at) => document.querySelector(at).getBoundingClientRect()).map(({left, right, height}) => [left, right, height])";
    let boxes = phone.run(boxes, vec![]);
    let edge = |at: usize, of: usize| boxes[at][of].as_f64().expect("an edge");
    assert!(edge(0, 2) > 0.0 && edge(1, 1) <= edge(0, 0), "this over is beside the need: {boxes}");
    assert!(edge(2, 1) <= edge(3, 0) && edge(2, 1) <= edge(4, 0), "the side is at the right: {boxes}");
    let address = service.address().replace("http://", "");
    phone.reads(".watch .address", &format!("{address}/board"));
    // Nobody else finds the service at an address of this machine alone.
    phone.opens(&format!("{}/", service.loopback()));
    assert!(phone.has(&row) && !phone.has(".watch"));
}

#[test]
fn a_match_that_is_gone_is_told_so_and_leaves_the_list() {
    let mut service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["404", "net::ERR_", "Failed to load resource"];
    let stays = service.begun(&table(2));
    service.stops();
    service.copies_store();
    service.starts();
    let gone = service.begun(&table(2));
    phone.opens("/");
    assert_eq!(listed(&phone), [gone.id.clone(), stays.id.clone()]);
    service.stops();
    service.puts_store_back();
    service.starts();
    phone.taps(&format!("[data-match='{}']", gone.id));
    phone.reads("main", "This service knows no match at this address.");
    phone.taps("main a[href='/']");
    assert_eq!(listed(&phone), [stays.id]);
}

#[test]
fn a_name_is_text_and_turns_no_figure_round() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let name = "</style><script>globalThis.isRun = true</script>";
    let played = service.begun(&with(seeded(2), "/home/name", json!(name)));
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    let playing = service.begun(&with(seeded(2), "/away/name", json!(name)));
    // No new match has such a sign in a name; one of an earlier version may.
    phone.prepares(
        "const asks = globalThis.fetch;
         globalThis.fetch = async (...given) => {
           const answer = await asks(...given);
           if (!String(given[0]).includes('/v1/matches')) return answer;
           const text = (await answer.text()).replaceAll('Mill Lane', '\\u202eMill Lane');
           globalThis.changed = text.includes('\\u202e');
           return new Response(text, {headers: answer.headers});
         };",
    );
    phone.opens("/");
    for id in [&played.id, &playing.id] {
        phone.reads(&format!("[data-match='{id}']"), "</style><script>");
    }
    phone.reads(&format!("[data-match='{}']", played.id), "Mill Lane ");
    assert_eq!(phone.run("return globalThis.changed", vec![]), true);
    assert_eq!(
        phone.run("return [globalThis.isRun ?? null, document.body.innerText.includes('\\u202e')]", vec![]),
        json!([null, false])
    );
}

#[test]
fn a_name_from_right_to_left_leaves_the_sentence_around_it_in_order() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let name = "\u{644}\u{627}\u{6c1}\u{648}\u{631}";
    let request = with(seeded(2), "/home/name", json!(name));
    let played = service.begun(&request);
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    let waiting = Match::create(service.client(), &request);
    phone.opens("/");
    // Where the words of a sentence are drawn, from the left.
    let order = "const [at, ...words] = arguments;
        const texts = document.createTreeWalker(document.querySelector(at), NodeFilter.SHOW_TEXT);
        const left = (word) => {
          texts.currentNode = texts.root;
          for (let text = texts.nextNode(); text; text = texts.nextNode()) {
            const place = text.data.indexOf(word);
            if (place < 0) continue;
            const range = new Range();
            range.setStart(text, place);
            range.setEnd(text, place + word.length);
            return range.getBoundingClientRect().left;
          }
          throw new Error(word);
        };
        const edges = words.map(left);
        return edges.every((edge, place) => place === 0 || edges[place - 1] < edge)";
    let over = format!("[data-match='{}']", played.id);
    let line = service.client().get("/v1/matches?status=completed").expect(200)["matches"][0].clone();
    assert!(line["line"].as_str().is_some_and(|line| line.contains("won by")), "{line}");
    let figures = |at: usize| format!("{}/", line["score"]["innings"][at]["runs"]);
    let first = if line["score"]["innings"][0]["batting"] == "home" {
        [name, "Mill Lane"]
    } else {
        ["Mill Lane", name]
    };
    let totals = format!("{over} .lines .quiet");
    let words = vec![json!(totals), json!(first[0]), json!(figures(0)), json!(first[1]), json!(figures(1))];
    assert_eq!(phone.run(order, words), true, "the totals");
    let sides = vec![
        json!(format!("[data-match='{}'] .strong", waiting.id)),
        json!(name),
        json!(" v "),
        json!("Mill Lane"),
    ];
    assert_eq!(phone.run(order, sides), true, "the sides");
}

#[test]
fn every_control_has_an_edge_or_a_line_where_colours_are_forced() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    service.begun(&table(2));
    finished(&service);
    phone.opens("/");
    phone.taps("[data-action='find']");
    phone.cdp(
        "Emulation.setEmulatedMedia",
        &json!({"features": [{"name": "forced-colors", "value": "active"}]}),
    );
    assert_eq!(phone.run("return matchMedia('(forced-colors: active)').matches", vec![]), true);
    let plain = "return [...document.querySelectorAll('.home button, .home input, .home select, .home main a, .home .plate')]
        .filter((one) => {
          const {borderTopWidth, borderBottomWidth, textDecorationLine} = getComputedStyle(one);
          const hasEdge = parseFloat(borderTopWidth) + parseFloat(borderBottomWidth) > 0;
          return !hasEdge && textDecorationLine === 'none' && !one.closest('.with-button');
        }).map(({outerHTML}) => outerHTML.slice(0, 90))";
    assert_eq!(phone.run(plain, vec![]), json!([]));
}

#[test]
fn a_short_list_is_read_in_one_request() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens(&pad_of(&service.begun(&table(2))));
    phone.opens("/");
    let reads =
        "return performance.getEntriesByType('resource').filter(({name}) => /matches\\?/.test(name)).length";
    assert_eq!(phone.run(reads, vec![]), 1);
    assert!(!phone.has("[data-action='older']"));
}

#[test]
fn a_finished_match_says_when_it_ended() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = finished(&service);
    let list = service.client().get("/v1/matches").expect(200);
    phone.opens("/");
    let due = "const time = new Date(arguments[0]); \
               return time.toLocaleDateString('en-GB', {day: 'numeric', month: 'short'}) + '|' + time.toTimeString().slice(0, 5)";
    let due = phone.run(due, vec![list["matches"][0]["last_at"].clone()]);
    let (day, time) = due.as_str().and_then(|due| due.split_once('|')).expect("a day and a time");
    let row = format!("[data-match='{}']", played.id);
    phone.reads(&row, day);
    phone.reads(&row, time);
}

#[test]
fn a_hidden_match_is_left_out_of_the_list_until_it_is_shown_again() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let (kept, hidden) = (service.begun(&table(2)), finished(&service));
    phone.opens("/");
    phone.taps("[data-action='hiding']");
    phone.taps(&format!("[data-match='{}'] + [data-action='hide']", hidden.id));
    phone.reads(&format!("[data-match='{}'] + [data-action='hide']", hidden.id), "Show");
    phone.taps("[data-action='hiding']");
    assert_eq!(listed(&phone), [kept.id.as_str()]);
    phone.reloads();
    assert_eq!(listed(&phone), [kept.id.as_str()]);
    phone.taps("[data-action='hiding']");
    phone.taps(&format!("[data-match='{}'] + [data-action='hide']", hidden.id));
    phone.taps("[data-action='hiding']");
    assert_eq!(listed(&phone), [kept.id, hidden.id.clone()]);
    // Only the list of this browser leaves it out.
    let page = service.client().get("/v1/matches").expect(200);
    assert!(
        page["matches"].as_array().is_some_and(|matches| matches.iter().any(|one| one["id"] == hidden.id))
    );
}

#[test]
fn the_next_visit_plays_a_trial_that_was_left_to_its_end() {
    let service = Table::laid();
    let (wire, address) = service.wired();
    let Some(mut phone) = Phone::at(&address) else { return };
    phone.expected = vec!["500", "net::ERR_", "Failed to load resource"];
    let other = service.begun(&with(seeded_by_service(2), "/home/name", json!("Trial Terns")));
    let before = other.head();
    phone.opens("/");
    phone.taps("[data-action='show']");
    phone.waits("the board opens", "return location.pathname.endsWith('/board')");
    phone.settles();
    phone.waits("a ball is bowled", "moveClock(1500); return document.querySelector('.last-ball') !== null");
    let id = phone.run("return location.pathname.split('/')[2]", vec![]);
    let status = || {
        service.client().get(&format!("/v1/matches/{}", id.as_str().expect("an id"))).expect(200)["status"]
            .clone()
    };
    // The tab is closed while nothing gets through.
    wire.turns(Wire::Fails);
    let now = phone.run("return Date.now() - 1_800_000_000_000", vec![]);
    phone.changes_tab(&[&format!("moveClock({now})")]);
    wire.turns(Wire::Through);
    assert_eq!(status(), "in_play");
    // It may be open in another tab: it counts as left once no ball was bowled for a while.
    phone.opens("/");
    for _ in 0..3 {
        phone.waits_ms(AGAIN);
    }
    assert_eq!(status(), "in_play");
    phone.waits_ms(AGAIN);
    until("the trial has ended", || status() == "completed");
    phone.waits_ms(AGAIN);
    phone.reads(".lists", "Trial Rooks");
    assert_eq!(other.head(), before, "a match of others is left alone");
    // Another one can begin.
    phone.taps("[data-action='show']");
    phone.waits("another board opens", "return location.pathname.endsWith('/board')");
    assert_ne!(phone.run("return location.pathname.split('/')[2]", vec![]), id);
}

//! The shell: its headers, its addresses, and what stands there without scripts.

use serde_json::json;
use third_umpire_test_support::service::{seeded_by_service, table};

use crate::phone::{Model, Phone};
use crate::table::{Table, balls_of, pad_of};

/// From now on the service seems to be of another version to this page.
const ANOTHER_VERSION: &str = "sessionStorage.setItem('test', 'other')";
/// Answers of `/v1/about` are those of another version as soon as a test says so.
const ABOUT: &str = "
  const asked = globalThis.fetch;
  globalThis.fetch = async (path, ...rest) => {
    const answer = await asked(path, ...rest);
    if (path !== '/v1/about' || !sessionStorage.getItem('test')) return answer;
    const about = { ...(await answer.json()), assets: sessionStorage.getItem('test') };
    return new Response(JSON.stringify(about), { headers: { 'Content-Type': 'application/json' } });
  };";
/// Whether the page was loaded again by itself, and has settled.
const LOADED_AGAIN: &str = "return performance.getEntriesByType('navigation')[0].type === 'reload' \
                            && document.documentElement.hasAttribute('data-settled')";

/// A person looks at the page again after another one.
fn looks_again(phone: &Phone) {
    phone.run("document.dispatchEvent(new Event('visibilitychange'))", vec![]);
    phone.settles();
}

#[test]
fn a_browser_that_begins_anew_has_nothing_of_the_test_before() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let kept = || {
        phone.goes_to("/v1/about");
        phone.run(
            "return indexedDB.databases().then((all) => \
             [localStorage.length, sessionStorage.length, document.cookie, all.length, history.length])",
            vec![],
        )
    };
    let keeps = || {
        phone.opens("/settings");
        phone.run("localStorage.a = sessionStorage.a = document.cookie = 'a=1'", vec![]);
    };
    let begins_anew = || {
        assert!(phone.begins_anew());
        assert_eq!(phone.tabs().len(), 1);
        assert_eq!(kept(), json!([0, 0, "", 0, 2]));
    };
    // A tab that is as it was goes on.
    keeps();
    assert_eq!(kept(), json!([1, 1, "a=1", 1, 3]));
    let tab = phone.tab();
    begins_anew();
    assert_eq!(phone.tab(), tab);
    keeps();
    phone.opens_window();
    assert_eq!(kept(), json!([1, 0, "a=1", 1, 2]));
    begins_anew();
    assert_ne!(phone.tab(), tab);
}

#[test]
fn a_page_of_another_version_is_loaded_again_once() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.cdp("Page.addScriptToEvaluateOnNewDocument", &json!({"source": ABOUT}));
    phone.opens("/");
    looks_again(&phone);
    assert_eq!(phone.run(LOADED_AGAIN, vec![]), false);
    phone.run(ANOTHER_VERSION, vec![]);
    phone.run("document.dispatchEvent(new Event('visibilitychange'))", vec![]);
    phone.waits("the page is loaded again", LOADED_AGAIN);
    // A cache on the way may give the old page again: the page goes on with what it has.
    phone.run("globalThis.mark = true", vec![]);
    looks_again(&phone);
    phone.reads("main", "No match yet.");
    assert_eq!(phone.run("return globalThis.mark", vec![]), true);
}

#[test]
fn a_page_between_two_versions_is_loaded_once_for_each_and_then_says_so() {
    const WORDS: &str = "This page and the service are of two versions";
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.cdp("Page.addScriptToEvaluateOnNewDocument", &json!({"source": ABOUT}));
    phone.opens("/");
    let turns_to = |version: &str| {
        phone.run(
            "globalThis.mark = true; sessionStorage.setItem('test', arguments[0])",
            vec![json!(version)],
        );
        phone.run("document.dispatchEvent(new Event('visibilitychange'))", vec![]);
    };
    for version in ["one", "two"] {
        turns_to(version);
        phone.waits("the page is loaded again", &format!("{LOADED_AGAIN} && globalThis.mark === undefined"));
        phone.reads("#page > [role='status']", WORDS);
    }
    for version in ["one", "two", "one"] {
        turns_to(version);
        phone.settles();
        phone.waits_ms(5000);
        assert_eq!(phone.run("return globalThis.mark", vec![]), true, "{version}");
        phone.reads("#page > [role='status']", WORDS);
        phone.reads("main", "No match yet.");
    }
    // The words go when the versions are the same again.
    phone.run("sessionStorage.removeItem('test')", vec![]);
    looks_again(&phone);
    assert!(!phone.text("body").contains(WORDS));
}

#[test]
fn a_page_of_another_version_keeps_what_is_unsent_and_what_is_typed() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.cdp("Page.addScriptToEvaluateOnNewDocument", &json!({"source": ABOUT}));
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    phone.rolls(2);
    phone.run(ANOTHER_VERSION, vec![]);
    looks_again(&phone);
    phone.rolls(4);
    phone.reads(".ask", "FOUR");
    assert_eq!(phone.run(LOADED_AGAIN, vec![]), false, "a ball is held");
    // The ball goes after four seconds, and the page after the ball.
    phone.run("moveClock(4000)", vec![]);
    phone.waits("the page is loaded again", LOADED_AGAIN);
    assert_eq!(balls_of(&played), 1);
    phone.reads("h1", "4 for 0");
    phone.run("sessionStorage.setItem('test', 'third')", vec![]);
    phone.opens("/new?game=howzat");
    phone.run("globalThis.mark = true", vec![]);
    looks_again(&phone);
    assert_eq!(phone.run("return globalThis.mark", vec![]), true, "a form is open");
}

#[test]
fn a_page_compares_versions_when_the_service_is_back() {
    let mut service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["net::ERR_", "Failed to load resource", "Failed to fetch"];
    phone.cdp("Page.addScriptToEvaluateOnNewDocument", &json!({"source": ABOUT}));
    let played = service.begun(&table(2));
    phone.opens(&format!("/m/{}/board", played.id));
    phone.run(ANOTHER_VERSION, vec![]);
    service.stops();
    service.starts();
    let loaded_again = format!("globalThis.moveClock?.(1000); {LOADED_AGAIN}");
    phone.waits("the page is loaded again", &loaded_again);
}

#[test]
fn a_browser_in_which_the_page_does_not_start_is_told_so_in_words() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["ERR_BLOCKED", "preload"];
    phone.cdp("Network.enable", &json!({}));
    phone.cdp("Network.setBlockedURLs", &json!({"urls": ["*/app.js"]}));
    phone.goes_to("/");
    phone.reads("#page", "this browser is too old");
    phone.cdp("Network.setBlockedURLs", &json!({"urls": []}));
    phone.opens("/");
    assert!(!phone.text("body").contains("too old"), "{}", phone.text("body"));
}

#[test]
fn the_pages_run_where_the_browser_has_no_secure_context() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens("/");
    assert_eq!(phone.run("return isSecureContext", vec![]), false);
    phone.reads("main", "No match yet.");
    assert!(phone.has("[data-action='show']") && phone.has("[data-game='howzat']"));
}

#[test]
fn the_pages_run_in_a_secure_context() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.loopback()) else { return };
    phone.opens("/");
    assert_eq!(phone.run("return isSecureContext", vec![]), true);
    phone.reads("main", "No match yet.");
}

#[test]
fn an_unknown_match_is_a_page_with_404() {
    let service = Table::laid();
    let url = format!("{}/m/01a20082-5925-720e-a587-ebd95c5e0b8f/score", service.loopback());
    let answer = ureq::get(url).config().http_status_as_error(false).build().call().expect("an answer");
    assert_eq!(answer.status(), 404);
    assert_eq!(answer.headers()["content-type"], "text/html; charset=utf-8");
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["404"];
    phone.opens("/m/01a20082-5925-720e-a587-ebd95c5e0b8f");
    phone.waits("the page says so", "return document.body.innerText.includes('No such match')");
}

#[test]
fn an_address_that_is_none_is_a_page_that_says_so() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["404", "400"];
    let [page, of_match] = ["There is no page at this address", "No such match"];
    for (path, words) in [
        ("/nowhere", page),
        ("/m/a/b/c", page),
        ("/m/%", of_match),
        ("/m/%25", of_match),
        ("/m/01a20082-5925-720e-a587-ebd95c5e0b8f%", of_match),
        ("/m/01a20082-5925-720e-a587-ebd95c5e0b8f%25/card", of_match),
        ("/m/%E0%A4%A", of_match),
        ("/m/%FF/score", of_match),
        ("/m/%/board", of_match),
        ("/m/%C3/card", of_match),
    ] {
        phone.opens(path);
        phone.waits(path, &format!("return document.body.innerText.includes('{words}')"));
        phone.taps("a[href='/']");
        phone.reads("main", "No match yet.");
    }
}

#[test]
fn a_page_that_runs_no_scripts_says_where_the_api_is() {
    let service = Table::laid();
    let Some(phone) = Phone::of(Model { scripts: false, ..Model::PHONE }, &service.address()) else {
        return;
    };
    phone.goes_to("/");
    phone.reads("noscript", "/docs");
}

#[test]
fn a_new_match_is_made_tossed_and_ready_for_its_first_ball() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens("/new?game=howzat");
    for (side, name) in [("home", "Harbour <script>alert(1)</script>"), ("away", "مل لین")] {
        phone.taps(&format!("[data-side='{side}']"));
        phone.types("#side-name", name);
        let names: Vec<String> = (1..=11).map(|n| format!("{side} {n}")).collect();
        phone.types("#side-names", &names.join("\n"));
        phone.taps("dialog [data-action='confirm']");
    }
    phone.taps("[data-action='start']");
    phone.reads("h1", "<script>");
    phone.taps("[data-action='way']");
    for choice in ["caller", "call", "coin"] {
        phone.taps(&format!("label:has([name='toss-{choice}'])"));
    }
    phone.taps("[data-action='toss']");
    phone.waits_ms(400);
    phone.taps("[data-choice='bat']");
    assert!(phone.has("[data-die='1']"));
}

#[test]
fn an_error_of_a_new_match_stands_at_its_field() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens("/new?game=howzat");
    phone.taps("[data-side='home']");
    phone.types("#side-names", "Marsh\nOkoro\nMarsh");
    phone.taps("dialog [data-action='confirm']");
    phone.taps("[data-action='start']");
    phone.reads("[data-error='home']", "Home: Marsh stands in line 1 and again in line 3.");
}

#[test]
fn a_first_match_needs_no_typing() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens("/new?game=howzat");
    phone.reads("[data-side='away']", "Visitors 1 to Visitors 11");
    phone.taps("[data-action='start']");
    phone.taps("[data-choice='home']");
    phone.waits_ms(400);
    phone.taps("[data-choice='bat']");
    phone.reads("[data-cell='striker']", "Home 1");
    assert!(phone.has("[data-die='1']"));
}

#[test]
fn show_me_a_match_plays_one_by_itself() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens("/");
    phone.taps("[data-action='show']");
    phone.waits("the board opens", "return location.pathname.endsWith('/board')");
    phone.settles();
    phone.waits("a ball is bowled", "moveClock(1500); return document.querySelector('.last-ball') !== null");
    let list = service.client().get("/v1/matches").expect(200);
    let home = list["matches"][0]["home"].as_str().unwrap_or_default().to_owned();
    assert!(home.contains("Trial"), "{list}");
    // On leaving, one request plays it to its end.
    phone.opens("/new");
    third_umpire_test_support::service::until("the trial has ended", || {
        service.client().get("/v1/matches").expect(200)["matches"][0]["status"] == json!("completed")
    });
}

#[test]
fn home_leads_to_the_pad_of_an_own_match_and_to_the_board_of_others() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let (own, other) = (service.begun(&table(2)), service.begun(&seeded_by_service(2)));
    phone.opens(&pad_of(&own));
    phone.opens("/");
    phone.reads(&format!("[data-match='{}']", own.id), "you score");
    phone.taps(&format!("[data-match='{}']", other.id));
    phone.waits("the board opens", "return location.pathname.endsWith('/board')");
}

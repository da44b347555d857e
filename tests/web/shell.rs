//! The shell: its headers, its addresses, and what stands there without scripts.

use serde_json::json;
use third_umpire_test_support::service::{seeded_by_service, table};

use crate::phone::{Model, Phone};
use crate::table::Table;

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
fn without_scripts_the_page_says_where_the_api_is() {
    let service = Table::laid();
    let Some(phone) = Phone::of(Model { scripts: false, ..Model::default() }, &service.address()) else {
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
    for choice in ["caller", "call", "coin"] {
        phone.taps(&format!("label:has([name='toss-{choice}'])"));
    }
    phone.taps("[data-action='toss']");
    phone.taps("[data-choice='bat']");
    assert!(phone.has("[data-die='1']"));
}

#[test]
fn an_error_of_a_new_match_stands_at_its_field() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["422"];
    phone.opens("/new?game=howzat");
    phone.taps("[data-action='start']");
    assert!(phone.has("[data-error='home']"), "{}", phone.text("body"));
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
    phone.opens(&crate::table::pad_of(&own));
    phone.opens("/");
    phone.reads(&format!("[data-match='{}']", own.id), "you score");
    phone.taps(&format!("[data-match='{}']", other.id));
    phone.waits("the board opens", "return location.pathname.endsWith('/board')");
}

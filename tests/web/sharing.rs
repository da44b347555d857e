//! The sheet by which a match is shared: who writes in it, and what is handed to programs.

use serde_json::{Value, json};
use third_umpire_test_support::service::{Match, table};

use crate::liar::{Fate, Trace};
use crate::phone::Phone;
use crate::table::{Table, pad_of};

const KEY: &str = "the key of the table";

/// A match at a table with a key, whose first ball is due.
fn begun_with_key(service: &Table) -> Match {
    let made = service.client().request("POST", "/v1/matches").token(KEY).json(&table(2)).send();
    let played = Match::created(service.client(), &made.expect(201));
    played.begin();
    played
}

/// The role of whose token this is, as the service says.
fn role_of(service: &Table, id: &str, token: &str) -> Value {
    let told = service.client().request("GET", &format!("/v1/matches/{id}")).token(token).send();
    if told.status == 403 { json!(null) } else { told.expect(200)["viewer"]["role"].clone() }
}

/// Makes a link for a program, and returns what is in its fragment.
fn makes_link(phone: &Phone, role: &str) -> String {
    let before = phone.text("dialog");
    phone.taps(&format!("[data-role='{role}'] [data-action='program']"));
    let link = phone.run(&format!("return document.querySelector('[data-link={role}]')?.value"), vec![]);
    let link =
        link.as_str().unwrap_or_else(|| panic!("no link of {role}: {before}\n{}", phone.text("dialog")));
    let (address, fragment) = link.split_once('#').expect("a fragment");
    assert!(!address.contains("tu_") && address.contains("/m/"), "{address}");
    let token = fragment.strip_prefix(&format!("{role}=")).expect("the role and its token");
    token.to_owned()
}

/// Opens the sheet on the pad, with what it has for programs.
fn opens_programs(phone: &Phone) {
    phone.taps("[data-action='more']");
    phone.taps("dialog [data-action='share']");
    phone.taps("dialog details summary");
}

#[test]
fn a_match_that_was_made_on_a_page_has_links_for_programs_and_a_new_one_ends_the_old_one() {
    let service = Table::laid();
    let (liar, address) = service.lied_about(1, &Trace::default());
    let Some(mut phone) = Phone::at(&address) else { return };
    phone.expected = vec!["net::ERR_", "Failed to load resource"];
    phone.opens("/new?game=howzat");
    phone.settles();
    phone.taps("[data-action='start']");
    phone.reads("#question", "toss");
    let id = phone.run("return location.pathname.split('/')[2]", vec![]);
    let id = id.as_str().expect("an id");
    opens_programs(&phone);
    assert!(!phone.has("dialog .program img"), "a link for a program is no code");
    // The answer is lost; the same token goes again.
    liar.fates_next("POST tokens/claim", Fate::Lost);
    phone.taps("[data-role='home'] [data-action='program']");
    phone.reads("[data-role='home'] [role='alert']", "No answer");
    let (home, away) = (makes_link(&phone, "home"), makes_link(&phone, "away"));
    let umpire = makes_link(&phone, "umpire");
    let roles = [&home, &away, &umpire].map(|token| role_of(&service, id, token));
    assert_eq!(roles, ["home", "away", "umpire"].map(|role| json!(role)));
    let (home_anew, umpire_anew) = (makes_link(&phone, "home"), makes_link(&phone, "umpire"));
    let roles = [&home, &umpire, &home_anew, &umpire_anew].map(|token| role_of(&service, id, token));
    assert_eq!(roles, [json!(null), json!(null), json!("home"), json!("umpire")]);
    // Shown once: the sheet that is opened again has none.
    phone.taps("dialog [data-action='close']");
    opens_programs(&phone);
    assert!(!phone.has("[data-link='home']"));
}

#[test]
fn a_link_for_a_program_leaves_nothing_in_the_address_and_says_whose_it_is() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    let umpire = played.posting("/tokens/umpire/rotate", &json!({})).send().expect(201)["token"].clone();
    phone.opens(&format!("/m/{}#umpire={}", played.id, umpire.as_str().expect("a token")));
    phone.waits("the page of the match opens", "return location.pathname.endsWith('/score')");
    phone.settles();
    assert_eq!(phone.run("return location.hash", vec![]), "");
    phone.reads(".pad", "This link's key is for another part in this match: umpire.");
}

#[test]
fn who_holds_the_key_of_the_table_ends_the_right_of_a_writer() {
    let service = Table::with_key(KEY);
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["403"];
    let played = begun_with_key(&service);
    phone.opens(&format!("{}{}", service.loopback(), pad_of(&played)));
    assert!(phone.has("[data-die]"));
    phone.opens_tab();
    phone.opens(&format!("/#key={}", KEY.replace(' ', "%20")));
    phone.opens(&format!("/m/{}/board", played.id));
    phone.taps("[data-action='share']");
    phone.reads("dialog [data-role='scorer']", "Phone 1");
    phone.taps("dialog [data-role='scorer'] [data-action='end']");
    phone.reads("dialog [data-role='scorer']", "Phone 1 writes no more from then on.");
    phone.taps("dialog [data-action='keep']");
    assert_eq!(role_of(&service, &played.id, &played.token), "scorer");
    phone.taps("dialog [data-role='scorer'] [data-action='end']");
    phone.taps("dialog [data-action='ends']");
    phone.reads("dialog [data-role='scorer']", "Nobody scores. Hand the scoring out again.");
    assert!(!phone.has("dialog [data-action='end']"), "there is no right to end");
    phone.reads("dialog", "Who scores now then watches.");
    phone.opens(&format!("/m/{}/score", played.id));
    phone.reads(".note", "Nobody scores.");
    assert!(phone.has("[data-action='table']") && !phone.text(".pad").contains("Phone 2"));
    phone.looks_at_tab(0);
    phone.waits("that phone watches", "return document.querySelector('[data-die]') === null");
    phone.reads(".note", "Nobody scores. You watch.");
    assert_eq!(role_of(&service, &played.id, &played.token), json!(null));
    // Who takes the scoring by the key is named.
    phone.looks_at_tab(1);
    phone.taps("[data-action='table']");
    phone.looks_at_tab(0);
    phone.waits(
        "it is told",
        "return document.querySelector('.note')?.innerText.includes('Phone 3 scores now')",
    );
}

#[test]
fn a_phone_that_only_scores_ends_no_right_and_one_that_watches_has_no_links() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    phone.opens(&format!("/m/{}/board", played.id));
    phone.taps("[data-action='share']");
    assert!(phone.has("dialog [data-link='watch']") && !phone.has("dialog details"));
    phone.opens(&pad_of(&played));
    opens_programs(&phone);
    assert!(phone.has("dialog [data-role='umpire']") && !phone.has("dialog [data-action='end']"));
    // The sides of this match were invited where it was made.
    assert!(!phone.has("dialog [data-role='home']"));
}

#[test]
fn a_row_of_home_opens_what_is_shared_of_its_match() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    phone.opens("/");
    let size = "const { width, height } = document.querySelector('main [data-action=share]').getBoundingClientRect(); \
                return width >= 48 && height >= 48";
    assert_eq!(phone.run(size, vec![]), true);
    let name = phone.run("return document.querySelector('main [data-action=share]').ariaLabel", vec![]);
    assert_eq!(name, "Share: Harbour Road v Mill Lane");
    phone.taps("main [data-action='share']");
    let link = phone.run("return document.querySelector('[data-link=watch]').value", vec![]);
    assert_eq!(link, format!("{}/m/{}/board", service.address(), played.id));
    phone.reads("dialog [data-action='give']", "Show a code");
    phone.taps("dialog [data-action='close']");
    assert_eq!(phone.run("return location.pathname", vec![]), "/");
    // While rows are hidden, a row has that button alone.
    phone.taps("[data-action='hiding']");
    assert!(!phone.has("main [data-action='share']") && phone.has("[data-action='hide']"));
}

/// Asserts that a browser with an outdated key shares what needs none, and what the scorer's token allows.
fn shares_without_the_key(service: &Table) {
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["401", "403"];
    let played = begun_with_key(service);
    phone.opens("/#key=the-key-of-before");
    phone.opens(&format!("/m/{}/board", played.id));
    phone.taps("[data-action='share']");
    phone.reads("dialog [data-outdated]", "This is not the table's key");
    assert!(phone.has("dialog [data-link='watch']") && phone.has("dialog [data-role='scorer']"));
    assert!(!phone.has("dialog [data-action='give']") && !phone.has("dialog [data-action='end']"));
    phone.opens(&pad_of(&played));
    phone.taps("[data-action='more']");
    phone.taps("dialog [data-action='share']");
    phone.reads("dialog [data-outdated]", "This is not the table's key");
    phone.taps("dialog [data-action='give']");
    assert!(phone.has("dialog [data-link='score']"));
}

#[test]
fn a_key_that_was_replaced_leaves_what_needs_none() {
    shares_without_the_key(&Table::with_key(KEY));
}

#[test]
fn a_key_that_a_table_refuses_everywhere_leaves_what_needs_none_and_home_tells_it() {
    let service = Table::around(KEY);
    shares_without_the_key(&service);
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["401", "403"];
    phone.opens("/#key=the-key-of-before");
    phone.waits("it is told", "return document.querySelector('main [data-outdated]') !== null");
    assert!(
        !phone.has("[data-action='show']") && !phone.has("[data-action='new']"),
        "nothing is refused later"
    );
    let played = begun_with_key(&service);
    phone.opens(&format!("/m/{}/score", played.id));
    phone.reads(".note", "You watch.");
    assert!(!phone.has("[data-action='table']") && !phone.text(".pad").contains("has the table's key"));
    // A link that was cut ends with dots, which no header takes.
    phone.opens("/#key=tu_79%E2%80%A6");
    phone.waits("it is told", "return document.querySelector('main [data-outdated]') !== null");
}

#[test]
fn a_link_that_was_cut_leaves_the_key_that_a_browser_has() {
    let service = Table::around(KEY);
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["401", "403"];
    phone.opens(&format!("/#key={}", KEY.replace(' ', "%20")));
    let is_known = "return document.querySelector('main [data-action=making]') !== null";
    phone.waits("the table knows its key", is_known);
    for cut in ["tu_79", "tu_79%E2%80%A6"] {
        phone.opens(&format!("/#key={cut}"));
        phone.reads("[role='alert']", "The one that this browser has stays.");
        phone.waits("the table knows its key", is_known);
    }
}

#[test]
fn a_browser_of_a_table_without_its_key_is_told_which_command_prints_it() {
    let service = Table::around(KEY);
    let Some(mut phone) = Phone::at(&service.loopback()) else { return };
    phone.expected = vec!["401", "403"];
    let played = begun_with_key(&service);
    for base in [service.loopback(), service.address()] {
        phone.opens(&format!("{base}/m/{}/board", played.id));
        phone.taps("[data-action='share']");
        phone.reads("dialog [data-keyless]", "third-umpire table-key prints the link");
        assert!(!phone.text("dialog").contains("serve --table"), "it was started so");
    }
    phone.opens("/new?game=howzat");
    phone.settles();
    phone.reads("main", "The command third-umpire table-key prints it");
    phone.types("#key", "a guess");
    phone.taps("[data-action='start']");
    phone.reads("[data-error='key']", "This is not the table's key.");
}

#[test]
fn a_code_that_was_asked_for_is_in_sight_whole_and_alone() {
    const WHOLE: &str = "const code = document.querySelector('dialog img[alt=\"Score on another phone\"]'); \
        const body = code?.closest('dialog').getBoundingClientRect(); const { top, bottom } = code?.getBoundingClientRect() ?? {}; \
        const watch = document.querySelector('[data-link=watch]'); \
        return top >= Math.max(0, body.top) && bottom <= Math.min(innerHeight, body.bottom) \
          && !watch.checkVisibility() && document.activeElement?.dataset.link === 'score'";
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    for (width, height) in [(360, 640), (1280, 800)] {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 800});
        phone.cdp("Emulation.setDeviceMetricsOverride", &size);
        phone.opens(&pad_of(&played));
        phone.taps("[data-action='more']");
        phone.taps("dialog [data-action='share']");
        phone.taps("dialog [data-action='give']");
        phone.waits("the code is in sight", WHOLE);
        phone.taps("dialog [data-action='stop']");
        phone.waits(
            "the code to watch is back",
            "return document.querySelector('[data-link=watch]').checkVisibility()",
        );
    }
}

#[test]
fn a_phone_is_renamed_in_its_row_and_a_name_that_is_refused_says_why_at_its_field() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["422"];
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    assert!(!phone.has("input"), "a name is not asked before a ball");
    phone.taps("[data-action='more']");
    phone.taps("dialog [data-action='share']");
    phone.reads("[data-role='scorer']", "Phone 1 · this phone");
    phone.taps("[data-role='scorer'] [data-action='rename']");
    phone.waits("the field has the focus", "return document.activeElement?.id === 'writer-name'");
    phone.types("#writer-name", &"n".repeat(41));
    phone.taps("[data-action='name']");
    phone.reads("[data-error='writer-name']", "at most 40 characters; this has 41");
    phone.run("document.querySelector('#writer-name').select()", vec![]);
    phone.types("#writer-name", "Rowe's\u{200b} phone");
    phone.taps("[data-action='name']");
    phone.reads("[data-error='writer-name']", "none that nobody sees");
    phone.run("document.querySelector('#writer-name').select()", vec![]);
    phone.types("#writer-name", "Rowe's phone");
    assert!(!phone.has("[data-error]"), "what is typed takes the words away");
    phone.taps("[data-action='name']");
    phone.reads("[data-role='scorer']", "Rowe's phone · this phone");
    let path = format!("/v1/matches/{}/writers", played.id);
    let told = service.client().request("GET", &path).token(&played.token).send().expect(200);
    assert_eq!(told["writers"][0]["name"], "Rowe's phone");
    // Without a name it is called by its number again.
    phone.taps("[data-role='scorer'] [data-action='rename']");
    phone.run("document.querySelector('#writer-name').select()", vec![]);
    phone.types("#writer-name", "\u{e017}");
    phone.taps("[data-action='name']");
    phone.reads("[data-role='scorer']", "Phone 1 · this phone");
}

#[test]
fn a_sheet_has_the_short_address_of_a_television_with_its_code_and_three_lines() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    phone.opens(&format!("/m/{}/board", played.id));
    phone.taps("[data-action='share']");
    phone.taps("dialog [data-action='television']");
    phone.reads("dialog h2", "Put it on the television");
    let address = format!("{}/board", service.address());
    assert_eq!(phone.text("dialog .address"), address.trim_start_matches("http://"));
    assert_eq!(phone.run("return document.querySelectorAll('dialog li').length", vec![]), 3);
    phone.waits("the code", "return document.querySelector('dialog img')?.naturalWidth > 0");
    let link = phone.run("return document.querySelector('[data-link=television]').value", vec![]);
    assert_eq!(link, address);
    // Nothing is wider than the phone.
    assert_eq!(
        phone.run(
            "return document.documentElement.scrollWidth <= document.documentElement.clientWidth",
            vec![]
        ),
        true
    );
    phone.taps("dialog [data-action='close']");
    assert!(!phone.has("dialog"));
    // What it leads to has the match.
    phone.opens(&address);
    phone.reads("h1", "Harbour Road");
}

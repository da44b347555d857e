//! The sides of a new match: what is entered and pasted, what is wrong with it, and where else a side
//! comes from.

use serde_json::{Value, json};
use third_umpire_test_support::service::{seeded_by_service, table, with};

use crate::making::IN_SIGHT;
use crate::phone::Phone;
use crate::table::Table;

/// Eleven names, as a team writes them.
const ELEVEN: [&str; 11] =
    ["Marsh", "Okoro", "Lindt", "Patel", "Fox", "Brody", "Hale", "Sato", "Kral", "Penn", "Rowe"];

/// Fills a field at once, as a paste or a password manager does.
fn fills(phone: &Phone, selector: &str, text: &str) {
    let script = "const field = document.querySelector(arguments[0]); field.value = arguments[1]; \
                  field.dispatchEvent(new Event('input', {bubbles: true}))";
    phone.run(script, vec![json!(selector), json!(text)]);
    phone.settles();
}

/// Enters a side of the match.
fn enters(phone: &Phone, side: &str, name: &str, players: &str) {
    phone.taps(&format!("[data-side='{side}']"));
    fills(phone, "#side-name", name);
    fills(phone, "#side-names", players);
    phone.taps("dialog [data-action='confirm']");
}

/// The only match of the service, as its page shows it.
fn only_match(service: &Table) -> Value {
    let list = service.client().get("/v1/matches").expect(200);
    let id = list["matches"][0]["id"].as_str().expect("there is a match");
    service.client().get(&format!("/v1/matches/{id}")).expect(200)
}

fn is_empty(service: &Table) -> bool {
    service.client().get("/v1/matches").expect(200)["matches"] == json!([])
}

#[test]
fn a_side_shows_its_first_names_and_how_many_more_it_has() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens("/new?game=howzat");
    enters(&phone, "home", "Harbour Road", &ELEVEN.join("\n"));
    phone.reads("[data-side='home']", "Marsh, Okoro and 9 more");
    enters(&phone, "away", "Mill Lane", "Voss");
    phone.reads("[data-side='away']", "Voss and 10 by number");
    // Where the names are long, they are cut and their number is not.
    let long: Vec<String> = ELEVEN.iter().map(|name| name.repeat(8)).collect();
    phone.opens("/new?game=howzat");
    enters(&phone, "home", "Harbour Road", &long.join("\n"));
    let cut = "const [names, rest] = document.querySelectorAll(\"[data-side='home'] .some > *\"); \
               return names.scrollWidth > names.clientWidth && rest.scrollWidth <= rest.clientWidth + 1";
    assert_eq!(phone.run(cut, vec![]), true);
}

#[test]
fn the_box_shows_all_names_and_counts_them_while_they_are_typed() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens("/new?game=howzat");
    phone.taps("[data-side='home']");
    phone.types("#side-names", "Marsh\nOkoro\nLindt");
    phone.reads("[data-count]", "3 of 11");
    fills(&phone, "#side-names", &ELEVEN.join("\n"));
    phone.reads("[data-count]", "11 of 11");
    let all = "const {scrollHeight, clientHeight} = document.querySelector('#side-names'); \
               return scrollHeight <= clientHeight";
    assert_eq!(phone.run(all, vec![]), true, "all names are in sight");
    fills(&phone, "#side-names", &[ELEVEN.join("\n"), "Voss".to_owned()].join("\n"));
    phone.reads("[data-error='side-names']", "12 players, and the game takes 11.");
    assert_eq!(phone.run(all, vec![]), true, "all names are in sight");
}

#[test]
fn a_side_of_twelve_names_is_refused_by_its_name_and_their_number() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens("/new?game=howzat");
    enters(&phone, "away", "Mill Lane", &[ELEVEN.join("\n"), "Voss".to_owned()].join("\n"));
    phone.taps("[data-action='start']");
    phone.reads(".wrong", "Mill Lane: 12 players, and the game takes 11.");
    phone.waits("the error is in sight", IN_SIGHT);
    assert!(is_empty(&service));
}

#[test]
fn two_names_that_are_alike_once_composed_are_refused_by_their_lines() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens("/new?game=howzat");
    phone.taps("[data-side='home']");
    fills(&phone, "#side-names", "Jos\u{e9}\nFox\nJose\u{301}");
    phone.reads("[data-error='side-names']", "Jos\u{e9} stands in line 1 and again in line 3.");
    phone.taps("dialog [data-action='confirm']");
    phone.taps("[data-action='start']");
    phone.reads(".wrong", "Home: Jos\u{e9} stands in line 1 and again in line 3.");
    assert!(is_empty(&service));
}

#[test]
fn a_sheet_of_eleven_lines_and_three_columns_becomes_eleven_players() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens("/new?game=howzat");
    let sheet: Vec<String> =
        (1..).zip(ELEVEN).map(|(n, name)| format!("{n}\t{name}\tright-hand bat")).collect();
    enters(&phone, "home", "Harbour Road", &sheet.join("\r\n"));
    let listed: Vec<String> = (1..).zip(ELEVEN).map(|(n, name)| format!("{n}. {name}, J")).collect();
    enters(&phone, "away", "Mill Lane", &listed.join("\n"));
    phone.taps("[data-action='start']");
    phone.reads("#question", "Who won the toss?");
    let created = only_match(&service);
    assert_eq!(created["home"]["players"], json!(ELEVEN));
    assert_eq!(created["away"]["players"], json!(ELEVEN.map(|name| format!("{name}, J"))));
}

#[test]
fn a_name_that_is_too_long_is_refused_by_its_side_and_line() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["422"];
    phone.opens("/new?game=howzat");
    enters(&phone, "away", "Mill Lane", &format!("Voss\nQuinn\nBerg\n{}", "x".repeat(101)));
    phone.taps("[data-action='start']");
    phone.reads("[data-error='away']", "Mill Lane, line 4: ");
    phone.reads("[data-error='away']", "101");
    // It stands in the sheet of the side as well, until something is changed.
    phone.taps("[data-side='away']");
    phone.reads("dialog .wrong", "Mill Lane, line 4: ");
    phone.types("#side-name", "!");
    assert!(!phone.has(".wrong"));
}

#[test]
fn two_fields_that_are_filled_within_one_frame_both_keep_what_they_were_given() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens("/new?game=howzat");
    phone.taps("[data-side='home']");
    let both = "for (const [id, text] of [['side-name', 'Harbour Road'], ['side-names', 'Marsh']]) { \
                const field = document.getElementById(id); field.value = text; \
                field.dispatchEvent(new Event('input', {bubbles: true})); }";
    phone.run(both, vec![]);
    phone.settles();
    phone.taps("dialog [data-action='confirm']");
    phone.reads("[data-side='home']", "Harbour Road");
    phone.reads("[data-side='home']", "Marsh and 10 by number");
}

#[test]
fn a_player_with_a_card_is_a_row() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["422"];
    phone.opens("/new?game=cricket-the-game");
    // Nothing is entered, and the sides are two teams of the edition.
    let teams = ["home", "away"].map(|side| phone.text(&format!("[data-side='{side}']")));
    assert!(teams.iter().all(|team| team.contains("the team ")) && teams[0] != teams[1], "{teams:?}");
    phone.taps("[data-side='home']");
    phone.types("#side-name", "Harbour Road");
    phone.types("[data-player='1'] input", "Marsh");
    phone.reads("[data-count]", "1 of 12");
    let chosen = "return [...document.querySelectorAll('[data-player] select.word')].map(({value}) => value)";
    let due = ["batter"; 3]
        .into_iter()
        .chain(["keeper"])
        .chain(["medium"; 4])
        .chain(["pace"; 2])
        .chain(["spin"; 2]);
    assert_eq!(phone.run(chosen, vec![]), json!(due.collect::<Vec<_>>()));
    let choose = "const [role, confidence] = document.querySelectorAll(\"[data-player='1'] select\"); \
                  for (const [field, value] of [[role, 'spin'], [confidence, '3']]) { field.value = value; \
                  field.dispatchEvent(new Event('change', {bubbles: true})); }";
    phone.run(choose, vec![]);
    phone.settles();
    phone.reads("[data-misses]", "3 batter needed, 2 here. 2 spin needed, 3 here.");
    phone.taps("dialog [data-action='confirm']");
    phone.taps("[data-action='start']");
    phone.reads("[data-error='home']", "Harbour Road: a squad has 2 spin, and this has 3");
    phone.taps("[data-side='home']");
    let back = "const field = document.querySelector(\"[data-player='12'] select\"); field.value = 'batter'; \
                field.dispatchEvent(new Event('change', {bubbles: true}))";
    phone.run(back, vec![]);
    phone.settles();
    phone.taps("dialog [data-action='confirm']");
    phone.reads("[data-side='home']", "Marsh and 11 by number");
    phone.taps("[data-action='start']");
    phone.reads("#question", "Which pitch card?");
    let players = only_match(&service)["home"]["players"].clone();
    assert_eq!(players[0], json!({"name": "Marsh", "role": "spin", "confidence": 3}));
    assert_eq!(players[11], json!({"name": "Harbour Road 12", "role": "batter", "confidence": 0}));
}

#[test]
fn a_list_that_is_pasted_fills_the_rows_of_players_with_cards() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens("/new?game=cricket-the-game");
    phone.taps("[data-side='home']");
    phone.taps("dialog details summary");
    fills(&phone, "#side-names", "[{\"name\": \"Marsh\", \"role\": \"keeper\", \"confidence\": 2}]");
    let first = "return [...document.querySelectorAll(\"[data-player='1'] :is(input, select)\")].map(({value}) => value)";
    assert_eq!(phone.run(first, vec![]), json!(["Marsh", "keeper", "2"]));
    // Columns of a sheet that are pasted into a name go on in the rows below.
    let paste = "const data = new DataTransfer(); data.setData('text/plain', arguments[0]); \
                 document.querySelector(\"[data-player='3'] input\").dispatchEvent(new ClipboardEvent('paste', \
                 {clipboardData: data, bubbles: true, cancelable: true}))";
    phone.run(paste, vec![json!("Okoro\tspin\t-1\nLindt\tpace\t0")]);
    phone.settles();
    let rows = "return [3, 4].map((n) => [...document.querySelectorAll(`[data-player='${n}'] :is(input, select)`)].map(({value}) => value))";
    assert_eq!(phone.run(rows, vec![]), json!([["Okoro", "spin", "-1"], ["Lindt", "pace", "0"]]));
    phone.reads("[data-count]", "3 of 12");
}

#[test]
fn a_list_of_ten_thousand_lines_draws_thirty_rows_and_says_how_many_it_has() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens("/new?game=cricket-the-game");
    phone.taps("[data-side='home']");
    phone.taps("dialog details summary");
    let lines: Vec<String> = (0..10_000).map(|n| format!("Marsh{n}")).collect();
    fills(&phone, "#side-names", &lines.join("\n"));
    assert_eq!(phone.run("return document.querySelectorAll('[data-player]').length", vec![]), json!(30));
    phone.reads("[data-count]", "10000");
}

#[test]
fn names_of_one_game_do_not_go_along_where_they_do_not_fit() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens("/new?game=howzat");
    enters(&phone, "home", "Harbour Road", &ELEVEN.join("\n"));
    phone.taps("label[data-choice='cricket-the-game']");
    phone.reads("[data-side='home']", "the team ");
    phone.taps("label[data-choice='cuberoots']");
    phone.reads("[data-side='home']", "Marsh, Okoro and 9 more");
}

#[test]
fn a_side_that_is_kept_is_opened_again_changed_and_deleted() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens("/new?game=howzat");
    enters(&phone, "home", "Harbour Road", &ELEVEN.join("\n"));
    phone.taps("[data-action='start']");
    phone.reads("#question", "Who won the toss?");
    phone.opens("/new?game=howzat");
    phone.taps("[data-side='away']");
    phone.reads("dialog li", "Marsh, Okoro and 9 more");
    phone.taps("dialog [data-action='edit']");
    phone.types("#side-name", " II");
    fills(&phone, "#side-names", "Voss\nQuinn\nBerg");
    phone.taps("dialog [data-action='confirm']");
    phone.reads("dialog li", "Harbour Road II");
    phone.reads("dialog li", "Voss, Quinn and 9 more");
    phone.reloads();
    phone.taps("[data-side='away']");
    phone.taps("dialog [data-choice='Harbour Road II']");
    phone.reads("[data-side='away']", "Harbour Road II");
    phone.taps("[data-side='away']");
    phone.taps("dialog [data-action='edit']");
    phone.taps("dialog [data-action='delete']");
    assert!(!phone.has("dialog [data-action='edit']"));
    phone.reloads();
    phone.taps("[data-side='away']");
    assert!(!phone.has("dialog [data-action='edit']"), "{}", phone.text("dialog"));
}

#[test]
fn a_side_is_taken_from_a_finished_match() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let finished =
        with(with(seeded_by_service(2), "/home/name", json!("Wanderers")), "/away/name", json!("Rovers"));
    let finished = service.begun(&finished);
    finished.post("/autoplay", &json!({"until": "match"})).expect(201);
    service.begun(&with(table(2), "/home/name", json!("Still in play")));
    phone.opens("/new?game=cuberoots");
    phone.taps("[data-side='home']");
    phone.taps("dialog [data-action='played']");
    assert!(!phone.text("dialog").contains("Still in play"));
    phone.taps("dialog [data-choice='Rovers']");
    phone.reads("[data-side='home']", "Rovers");
    phone.reads("[data-side='home']", "and 9 more");
    // Sides without cards do not play a game with cards.
    phone.taps("label[data-choice='cricket-the-game']");
    phone.taps("[data-side='home']");
    phone.taps("dialog [data-action='played']");
    phone.reads("dialog", "No side of a finished match fits.");
}

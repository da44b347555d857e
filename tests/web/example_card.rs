//! The card as a file in docs, which shows what the pages make to who has not built the program.

use std::fs;
use std::path::Path;

use serde_json::json;
use third_umpire::log::TeamSheet;
use third_umpire_test_support::logs::{Log, Setting, amends};
use third_umpire_test_support::program::Scratch;
use third_umpire_test_support::service::{AWAY, HOME};

use crate::card_file::{Saved, asserts_alone, audits, makes, opens};
use crate::phone::Phone;
use crate::table::Table;

/// The match of the card in docs: a die was misread, and dice alone decided it.
fn example() -> Log {
    let side =
        |name: &str, players: [&str; 11]| TeamSheet::of_names(name, players.map(str::to_owned).to_vec());
    let setting = Setting {
        rules: json!({"overs": 10}),
        home: side("Harbour Road", HOME),
        away: side("Mill Lane", AWAY),
        ..Setting::default()
    };
    let played = setting.table().home_bats().rolled(9);
    played.amended(amends(8), Some(&[2, 4]), "The die was misread").played_out()
}

#[test]
fn the_card_in_docs_is_what_the_pages_make_of_its_match() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.cdp("Emulation.setTimezoneOverride", &json!({"timezoneId": "UTC"}));
    let played = service.keeps(&example());
    // Its table of chances is made before: a card does not wait long for it.
    played.get("/luck").expect(200);
    let file = makes(&phone, &played);
    assert!(file.text().contains("How the dice fell"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/example-card.html");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, file.text()).expect("the folder is there");
    }
    let kept = fs::read_to_string(&path).expect("UPDATE_DOCS=1 writes docs/example-card.html");
    // How it looks may change from one version to the next; what it tells does not.
    let told = |html: &str| {
        let (head, rest) = html.split_once("<style>").expect("a style");
        let (_, body) = rest.split_once("</style>").expect("its end");
        format!("{head}{body}")
    };
    assert!(
        told(&kept) == told(&file.text()),
        "docs/example-card.html is another: UPDATE_DOCS=1 writes it anew"
    );
    let kept = Saved { folder: Scratch::new(), name: file.name.clone() };
    fs::copy(&path, kept.folder.file(&kept.name)).expect("the file is copied");
    opens(&phone, &kept);
    asserts_alone(&phone, &kept.text());
    audits(&phone);
}

//! The newspaper card keeps to eighty columns, aligned, however long the names are.

use serde_json::json;
use third_umpire::log::TeamSheet;
use third_umpire_test_support::logs::Setting;
use third_umpire_test_support::program::{Scratch, run};
use unicode_width::UnicodeWidthStr;

const WIDTH: usize = 80;

/// A side of eleven whose names are as long as legal, made of a repeated piece.
fn side(of: &str, piece: &str) -> TeamSheet {
    let name = |begin: String| {
        // No name ends within a piece, or with a blank.
        let times = (100 - begin.chars().count()) / piece.chars().count();
        (begin + &piece.repeat(times)).trim_end().to_owned()
    };
    TeamSheet::of_names(name(of.to_owned()), (1..=11).map(|n| name(format!("{of}{n}"))).collect())
}

/// The card of a whole match between sides with such names.
fn card(home: &str, away: &str) -> String {
    let (home, away) = (side("H", home), side("A", away));
    let log = Setting { home, away, rules: json!({"overs": 10}), ..Setting::default() };
    let scratch = Scratch::new();
    let file = scratch.write("match.ndjson", log.seeded().tossed().played_out().text());
    run(&["scorecard", &file]).succeeded()
}

/// Asserts that no line is wider than eighty columns, that rows of figures are exactly as wide, with the last
/// figure at the edge, and that nothing is cut. A row may go on in lines that begin with blanks.
fn is_aligned(card: &str) {
    assert!(!card.contains('…'), "{card}");
    card.lines().for_each(|line| assert!(line.width() <= WIDTH, "{} columns: {line}", line.width()));
    let mut figures = false;
    for line in card.lines().filter(|line| !line.starts_with("  ")) {
        let headline = line.ends_with("4s   6s      SR") || line.ends_with("Wd  Nb    Econ");
        if headline || figures {
            assert_eq!(line.width(), WIDTH, "{line}");
        }
        figures = (headline || figures) && !next_is_not_of_figures(card, line);
    }
}

/// Whether the line after this one is not a row of figures: the extras, or a blank line.
fn next_is_not_of_figures(card: &str, line: &str) -> bool {
    let mut lines = card.lines().skip_while(|other| *other != line).skip(1);
    let after = lines.find(|line| !line.starts_with("  "));
    after.is_none_or(|next| next.is_empty() || next.starts_with("Extras"))
}

#[test]
fn a_card_tells_two_long_names_apart_and_who_caught_from_who_bowled() {
    let khans = ["Abdul Rahman Mohammad Khan Afridi", "Abdul Rahman Mohammad Khan Ghani"];
    let mut names: Vec<String> = khans.map(str::to_owned).into();
    names.extend((3..=11).map(|n| format!("Wanderer {n}")));
    let home = TeamSheet::of_names("Wanderers", names);
    let mut names: Vec<String> = (1..=10).map(|n| format!("Rover {n} Venkataraghavan")).collect();
    names.push("Chandrasekhar Bhagwath".to_owned());
    let away = TeamSheet::of_names("Rovers", names);
    let setting = Setting { home, away, ..Setting::default() };
    let log = setting.table().home_bats().balls([&[3, 5, 3, 4, 5], &[2, 1], &[3, 5, 3, 4, 5]]).log();
    let caught: Vec<String> = log
        .events()
        .iter()
        .map(|event| event["data"]["outcome"]["wicket"].clone())
        .filter(|wicket| wicket.is_object())
        .map(|wicket| {
            assert_eq!(
                (&wicket["kind"], &wicket["bowler"]),
                (&json!("caught"), &json!("Chandrasekhar Bhagwath"))
            );
            wicket["fielders"][0].as_str().expect("a fielder").to_owned()
        })
        .collect();
    let scratch = Scratch::new();
    let card = run(&["scorecard", &scratch.write("match.ndjson", log.text())]).succeeded();
    is_aligned(&card);
    for (out, fielder) in [("Afridi", &caught[0]), ("Ghani", &caught[1])] {
        let how = format!("c {fielder}");
        let row = format!("Abdul Rahman Mohammad  {how:<29}    0    1    0    0    0.00");
        let next = format!("{:<22}   b Chandrasekhar Bhagwath", format!("  Khan {out}"));
        assert!(card.contains(&format!("{row}\n{next}\n")), "{row}\n{next}\n in\n{card}");
    }
}

#[test]
fn names_of_a_hundred_letters() {
    is_aligned(&card("x", "word "));
    is_aligned(&card("Ångström", "ßẞ"));
}

#[test]
fn names_that_take_two_columns_a_letter() {
    is_aligned(&card("大谷翔平", "김하성"));
    is_aligned(&card("ｆｕｌｌ", "ﾊﾝｶｸ"));
}

#[test]
fn names_of_emoji() {
    is_aligned(&card("🏏", "🦘"));
}

#[test]
fn names_of_emoji_that_are_made_of_several() {
    is_aligned(&card("👨‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"));
    is_aligned(&card("🇮🇳", "👍🏽"));
}

#[test]
fn names_of_signs_that_are_widened_by_what_follows() {
    is_aligned(&card("❤\u{fe0f}", "☎\u{fe0f}"));
    is_aligned(&card("1\u{fe0f}\u{20e3}", "©\u{fe0f}"));
}

#[test]
fn names_with_marks_that_take_no_column() {
    is_aligned(&card("e\u{301}", "n\u{303}o\u{308}"));
    is_aligned(&card("क्षि", "ที่"));
    is_aligned(&card("a\u{200d}", "b\u{34f}"));
}

#[test]
fn names_that_read_from_the_right() {
    is_aligned(&card("עברית", "العربية"));
}

#[test]
fn names_of_one_letter() {
    let sheet = |side: &str| {
        TeamSheet::of_names(side, "abcdefghijk".chars().map(|letter| format!("{side}{letter}")).collect())
    };
    let setting = Setting { home: sheet("H"), away: sheet("A"), ..Setting::default() };
    let scratch = Scratch::new();
    let file = scratch.write("match.ndjson", setting.seeded().tossed().played_out().text());
    is_aligned(&run(&["scorecard", &file]).succeeded());
}

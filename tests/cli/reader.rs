//! Files that are no match logs: every command that reads one refuses them, with the line and the reason.

use third_umpire::audit::audit;
use third_umpire_test_support::logs::{Log, scripted};
use third_umpire_test_support::program::{Scratch, run, run_with_input};

const COMMANDS: [&str; 3] = ["audit", "replay", "scorecard"];

/// The scripted match with its fifth line changed.
fn fifth(change: impl FnOnce(&str) -> String) -> String {
    let mut log: Log = scripted();
    log.lines[4] = change(&log.lines[4]);
    log.text()
}

#[test]
fn every_command_refuses_a_file_without_a_log_in_the_librarys_words() {
    let text = scripted().text();
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let scratch = Scratch::new();
    for bytes in [
        b"".to_vec(),
        b"\n".to_vec(),
        b"hello\n".to_vec(),
        b"null\n".to_vec(),
        b"[]\n".to_vec(),
        vec![0; 5_000],
        utf16,
        format!("\u{feff}{text}").into_bytes(),
        text.replace('\n', "\r\n").into_bytes(),
        text.as_bytes()[..text.len() - 1].to_vec(),
        format!("{text}\n").into_bytes(),
        format!("{}\n", "[".repeat(500_000)).into_bytes(),
        "x".repeat(5_000_000).into_bytes(),
        fifth(|line| line.replacen("\"v\":1", "\"v\":1,\"v\":1", 1)).into_bytes(),
        fifth(|line| line.replacen(':', ": ", 1)).into_bytes(),
        fifth(|line| line.replacen("\"ball\":1", "\"ball\":1.5", 1)).into_bytes(),
        fifth(|line| line.replacen("\"v\":1", "\"v\":1,\"x\":1", 1)).into_bytes(),
        fifth(|line| line.replacen("\"v\":1", "\"v\":3", 1)).into_bytes(),
        fifth(|line| line.replacen("2026-01-31", "yesterday", 1)).into_bytes(),
    ] {
        let broken = audit(&*bytes, None).unwrap_err();
        let file = scratch.write("match.ndjson", &bytes);
        for command in COMMANDS {
            let ran = run(&[command, &file]).failed(&[]);
            assert_eq!(ran.err, format!("third-umpire: {file} is not a match log: {broken}\n"), "{command}");
            assert_eq!(ran.out, "", "{command}");
        }
    }
}

#[test]
fn a_page_is_no_log_and_its_refusal_names_the_way_to_the_log_in_a_card() {
    let scratch = Scratch::new();
    let card = scratch.write("card.html", b"\n<!doctype html>\n<title>Harbour Road v Mill Lane</title>\n");
    for command in COMMANDS {
        run(&[command, &card]).failed(&["card.html is not a match log: it is a page", "\"Save the log\""]);
    }
    run_with_input(&["audit", "-"], b"<html>").failed(&["- is not a match log: it is a page"]);
}

#[test]
fn standard_input_may_be_empty_and_is_no_match_log_then() {
    for command in COMMANDS {
        run_with_input(&[command, "-"], b"").failed(&["there is no event"]);
    }
}

#[test]
fn a_file_that_is_not_there_or_is_a_folder_cannot_be_read() {
    let scratch = Scratch::new();
    let missing = scratch.file("nowhere.ndjson");
    let folder = scratch.path().display().to_string();
    for command in COMMANDS {
        run(&[command, &missing]).failed(&[&missing, "cannot be read"]);
        run(&[command, &folder]).failed(&[&folder, "cannot be read"]);
    }
}

#[test]
fn a_reason_does_not_repeat_raw_what_the_file_says() {
    let scratch = Scratch::new();
    let escape = "\u{1b}[2J\u{9b}1A\u{202e}CLEAN";
    for (from, to) in [
        ("\"v\":1", format!("\"v\":1,\"x{escape}\":1")),
        ("\"scorer\"", format!("\"{escape}\"")),
        ("019b8c2e-7a00", format!("{escape}-7a00")),
        ("2026-01-31", format!("{escape}-31")),
    ] {
        // The escape is written as JSON escapes it, as a writer of such a file would do.
        let to = to.replace('\u{1b}', "\\u001b");
        let file = scratch.write("match.ndjson", fifth(|line| line.replacen(from, &to, 1)));
        for command in COMMANDS {
            let ran = run(&[command, &file]).failed(&["line 5: "]);
            let raw = ran.err.trim_end().chars().find(|letter| letter.is_control() || *letter == '\u{202e}');
            assert_eq!(raw, None, "{}", ran.err.escape_debug());
        }
    }
}

//! Files that are no match logs: each is refused with its line and the reason.

use third_umpire::audit::{Verdict, audit};
use third_umpire::editions::{Editions, MatchLog};
use third_umpire_test_support::logs::{Log, scripted};

/// The audit's reason why these bytes are no match log; every other reader gives the same reason.
fn broken(bytes: &[u8]) -> Option<String> {
    let audited = audit(bytes, None).err().map(|broken| broken.to_string());
    let read =
        MatchLog::new(bytes, Editions::default()).find_map(Result::err).map(|broken| broken.to_string());
    assert_eq!(audited, read);
    audited
}

/// Asserts that bytes are refused in one line, with the number of the faulty line and this reason.
fn refused(bytes: impl AsRef<[u8]>, line: usize, reason: &str) {
    let broken = broken(bytes.as_ref()).expect("the bytes are no match log");
    assert!(broken.starts_with(&format!("line {line}: ")) && broken.contains(reason), "{broken}");
    assert!(broken.len() < 1_000, "a reason is no place to repeat the file: {} bytes", broken.len());
}

/// The scripted match with its fifth line changed.
fn fifth(change: impl FnOnce(&str) -> String) -> String {
    let mut log: Log = scripted();
    let changed = change(&log.lines[4]);
    assert_ne!(changed, log.lines[4]);
    log.lines[4] = changed;
    log.text()
}

#[test]
fn an_empty_file_holds_no_event() {
    refused("", 1, "there is no event in this file");
}

#[test]
fn blank_lines_are_refused_wherever_they_stand() {
    let text = scripted().text();
    refused("\n", 1, "not JSON");
    refused(format!("\n{text}"), 1, "not JSON");
    refused(format!("{text}\n"), 18, "not JSON");
    refused(fifth(|line| format!("\n{line}")), 5, "not JSON");
    refused(fifth(|line| format!("   \n{line}")), 5, "not JSON");
}

#[test]
fn a_body_that_is_not_json_is_refused() {
    refused("hello\n", 1, "not JSON");
    refused("{\"seq\":1\n", 1, "not JSON");
    refused(fifth(|line| format!("{line},")), 5, "not JSON");
    refused(fifth(|line| format!("{line}{line}")), 5, "not JSON");
    refused("<html>\n", 1, "not JSON");
}

#[test]
fn json_that_is_not_an_event_is_refused() {
    for value in ["null", "[]", "{}", "1", "\"match_created\"", "{\"seq\":1}"] {
        refused(format!("{value}\n"), 1, "is not an event");
    }
}

#[test]
fn a_log_that_somebody_formatted_is_refused() {
    let pretty: String =
        scripted().events().iter().map(|event| serde_json::to_string_pretty(event).unwrap() + "\n").collect();
    refused(pretty, 1, "not JSON");
    let array = serde_json::to_string(&scripted().events()).unwrap();
    refused(format!("{array}\n"), 1, "");
    refused(fifth(|line| line.replacen(':', ": ", 1)), 5, "canonical form (RFC 8785)");
    refused(fifth(|line| format!(" {line}")), 5, "canonical form");
    refused(fifth(|line| format!("{line} ")), 5, "canonical form");
}

#[test]
fn line_ends_of_other_systems_are_refused_as_such() {
    refused(scripted().text().replace('\n', "\r\n"), 1, "ends in a carriage return");
    refused(fifth(|line| format!("{line}\r")), 5, "ends in a carriage return");
    refused(scripted().text().replace('\n', "\r"), 1, "");
}

#[test]
fn a_byte_order_mark_is_refused_as_such() {
    refused(format!("\u{feff}{}", scripted().text()), 1, "byte order mark");
    let utf16: Vec<u8> = scripted().text().encode_utf16().flat_map(u16::to_le_bytes).collect();
    refused(utf16, 1, "");
    refused(fifth(|line| format!("\u{feff}{line}")), 5, "byte order mark");
}

#[test]
fn a_last_line_without_its_end_was_cut_off() {
    let text = scripted().text();
    refused(&text[..text.len() - 1], 17, "does not end in a line feed: the file was cut off");
    refused(&text[..text.len() - 100], 17, "cut off");
    refused("{", 1, "cut off");
}

#[test]
fn a_key_that_stands_twice_is_refused_at_every_level() {
    let ball = &scripted().lines[4];
    let data = &ball[ball.find("\"data\"").unwrap()..ball.find(",\"hash\"").unwrap()];
    let envelope = [r#""actor":"scorer""#, data, r#""kind":"ball""#, r#""seq":5"#, r#""v":1"#];
    let of_data = [r#""ball":1"#, r#""choices":{}"#, r#""seed":null"#, r#""for":"bowl""#, r#""value":3"#];
    let outcome = [r#""boundary":null"#, r#""legal":true"#, r#""batter":0"#, r#""total":0"#];
    for member in [&envelope[..], &of_data, &outcome].concat() {
        refused(fifth(|line| line.replacen(member, &format!("{member},{member}"), 1)), 5, "twice");
    }
    refused(fifth(|line| line.replacen("\"ball\":1", "\"ball\":1,\"ball\":2", 1)), 5, "twice");
    let keeper = r#""keeper":"Rovers 7""#;
    refused(scripted().text().replacen(keeper, &format!("{keeper},{keeper}"), 1), 4, "twice");
}

#[test]
fn keys_in_another_order_are_refused() {
    let swap = |line: &str| line.replacen("\"seq\":5,\"v\":1", "\"v\":1,\"seq\":5", 1);
    refused(fifth(swap), 5, "canonical form");
}

#[test]
fn strings_written_in_another_way_are_refused() {
    refused(fifth(|line| line.replacen("Rovers", "\\u0052overs", 1)), 5, "canonical form");
    refused(fifth(|line| line.replacen("Rovers", "Rovers\\/", 1)), 5, "canonical form");
    refused(fifth(|line| line.replacen("Rovers", "\\ud800", 1)), 5, "not JSON");
    refused(fifth(|line| line.replacen("Rovers", "Rov\ters", 1)), 5, "not JSON");
}

#[test]
fn numbers_that_others_would_round_are_refused() {
    for float in ["1.0", "1.5", "1e0", "-0", "1e400"] {
        let text = fifth(|line| line.replacen("\"ball\":1", &format!("\"ball\":{float}"), 1));
        refused(text, 5, "");
    }
    refused(fifth(|line| line.replacen("\"ball\":1", "\"ball\":1.0", 1)), 5, "hashed events hold no floats");
    for large in ["9007199254740993", "18446744073709551615", "-9007199254740993"] {
        let text = fifth(|line| line.replacen("\"ball\":1", &format!("\"ball\":{large}"), 1));
        refused(text, 5, "beyond 2^53");
    }
    refused(fifth(|line| line.replacen("\"ball\":1", "\"ball\":01", 1)), 5, "not JSON");
    refused(fifth(|line| line.replacen("\"ball\":1", "\"ball\":NaN", 1)), 5, "not JSON");
    refused(
        fifth(|line| line.replacen("\"ball\":1", &format!("\"ball\":{}", "9".repeat(100_000)), 1)),
        5,
        "",
    );
}

#[test]
fn floats_are_refused_wherever_an_integer_belongs() {
    for (key, value) in [("seq", 5), ("delivery", 1), ("sides", 6), ("value", 3), ("batter", 0), ("v", 1)] {
        for float in [&format!("{value}.0"), "1.5", "1e3", "-0.0"] {
            let (from, to) = (format!("\"{key}\":{value}"), format!("\"{key}\":{float}"));
            refused(fifth(|line| line.replacen(&from, &to, 1)), 5, "hashed events hold no floats");
        }
    }
}

#[test]
fn a_nul_is_refused_in_a_line_and_between_lines() {
    refused(fifth(|line| line.replacen("Rovers", "Rov\0ers", 1)), 5, "not JSON");
    refused(fifth(|line| format!("\0{line}")), 5, "not JSON");
    refused(fifth(|line| format!("{line}\0")), 5, "not JSON");
    refused(fifth(|line| format!("\0\n{line}")), 5, "not JSON");
    refused(format!("{}\0\n", scripted().text()), 18, "not JSON");
    refused(format!("{}\0", scripted().text()), 18, "cut off");
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let spoil = |byte: u8| {
        let mut bytes = scripted().text().into_bytes();
        let fifth = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(3).unwrap().0;
        bytes[fifth + 20] = byte;
        bytes
    };
    refused(spoil(0xff), 5, "not UTF-8");
    refused(spoil(0xc0), 5, "not UTF-8");
    refused(spoil(0), 5, "");
    refused(vec![0; 5_000], 1, "");
    refused([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, b'\n'], 1, "not UTF-8");
}

#[test]
fn nesting_without_end_is_refused() {
    for levels in [200, 10_000] {
        let lists = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        let objects = format!("{}1{}", "{\"a\":".repeat(levels), "}".repeat(levels));
        for deep in [lists, objects] {
            let detail = format!("\"detail\":{deep}");
            refused(fifth(|line| line.replacen("\"detail\":{}", &detail, 1)), 5, "deeper than 127 levels");
            let choices = format!("\"choices\":{deep}");
            refused(fifth(|line| line.replacen("\"choices\":{}", &choices, 1)), 5, "deeper than 127 levels");
        }
    }
    refused(format!("{}\n", "[".repeat(500_000)), 1, "deeper than 127 levels");
    refused(format!("{}\n", "{\"a\":".repeat(200_000)), 1, "");
}

#[test]
fn a_line_with_more_values_than_any_event_has_is_refused_for_that() {
    let detail =
        |detail: &str| fifth(|line| line.replacen("\"detail\":{}", &format!("\"detail\":{detail}"), 1));
    let objects = |many: usize| format!("{{\"x\":[{}]}}", vec!["{\"\":0}"; many].join(","));
    refused(detail(&objects(140_000)), 5, "has more than 5000 JSON values, and no event has so many");
    refused(detail(&objects(2_500)), 5, "has more than 5000 JSON values");
    let flat: Vec<String> = (0..5_000).map(|n| format!("\"{n:05}\":0")).collect();
    refused(detail(&format!("{{{}}}", flat.join(","))), 5, "has more than 5000 JSON values");
    let editions = format!("{{\"edition\":{}}}\n{}", objects(140_000), scripted().text());
    refused(editions, 1, "has more than 50001 JSON values, and no edition has so many");
    // Commas and brackets in a text are not values, and fewer values are read as before.
    for detail in [detail(&objects(2_400)), detail(&format!("{{\"x\":\"{}\"}}", ",[{".repeat(6_000)))] {
        let report = audit(detail.as_bytes(), None).expect("the log can be read");
        assert_eq!(report.divergence.as_ref().map(|divergence| divergence.seq), Some(5), "{report}");
    }
}

#[test]
fn a_line_of_five_megabytes_is_refused_for_its_length() {
    let long = "x".repeat(5_000_000);
    refused(fifth(|line| line.replacen("Rovers", &long, 1)), 5, "is longer than 1048576 bytes");
    refused(long, 1, "is longer than");
}

#[test]
fn an_unknown_or_missing_field_of_the_envelope_is_refused() {
    refused(fifth(|line| line.replacen("\"v\":1", "\"v\":1,\"x\":1", 1)), 5, "x is unknown here");
    refused(fifth(|line| line.replacen(",\"v\":1", "", 1)), 5, "v is missing");
    refused(fifth(|line| line.replacen("\"actor\":\"scorer\",", "", 1)), 5, "actor is missing");
}

#[test]
fn an_unreadable_envelope_is_refused_with_its_value() {
    for (from, to, reason) in [
        ("\"scorer\"", "\"god\"", "god"),
        ("\"seq\":5", "\"seq\":\"5\"", "seq is a whole number, 0 or more, not \"5\""),
        ("\"seq\":5", "\"seq\":-5", "-5"),
        ("\"v\":1", "\"v\":4294967296", "4294967296"),
        ("\"match\":\"019b8c2e", "\"match\":\"zzzz", "UUID"),
    ] {
        refused(fifth(|line| line.replacen(from, to, 1)), 5, reason);
    }
}

#[test]
fn a_match_id_written_in_another_way_is_refused_or_named() {
    // A UUID in capitals or braces is the same match to a parser, but its bytes differ for another verifier.
    for (from, to) in [("019b8c2e-", "019B8C2E-"), ("019b8c2e-7a00-7c3d-9e4f-", "019b8c2e7a007c3d9e4f")] {
        let every_line = scripted().text().replace(from, to);
        let forged = Log::of_lines(every_line.lines().map(str::to_owned).collect()).forge().mended();
        let report = audit(forged.text().as_bytes(), None);
        assert!(report.is_err() || report.is_ok_and(|report| report.verdict == Verdict::Diverges), "{to}");
    }
}

#[test]
fn times_written_in_another_way_are_refused() {
    let time = "2026-01-31T14:00:28.000Z";
    for other in [
        "2026-01-31T14:00:28Z",
        "2026-01-31T14:00:28.0Z",
        "2026-01-31T14:00:28.0000Z",
        "2026-01-31T14:00:28.000+00:00",
        "2026-01-31T14:00:28.000z",
        "2026-01-31 14:00:28.000Z",
        "2026-02-30T14:00:28.000Z",
        "2026-01-31T24:00:28.000Z",
        "2026-01-31T14:00:61.000Z",
        "+12026-01-31T14:00:28.000Z",
        "-0001-01-31T14:00:28.000Z",
        "yesterday",
        "",
    ] {
        refused(fifth(|line| line.replacen(time, other, 1)), 5, "is not a time like");
    }
    refused(fifth(|line| line.replacen(&format!("\"{time}\""), "1769868028000", 1)), 5, "");
}

#[test]
fn a_log_is_refused_at_a_broken_line_even_after_an_event_that_diverges() {
    let log = scripted().forge().set(7, "/dice/1/value", 6).broken();
    refused(format!("{}not an event\n", log.text()), 18, "not JSON");
}

#[test]
fn a_reason_quotes_a_file_only_in_short() {
    let long = "x".repeat(900_000);
    refused(
        fifth(|line| line.replacen("\"v\":1", &format!("\"v\":1,\"{long}\":1"), 1)),
        5,
        "is unknown here",
    );
    refused(fifth(|line| line.replacen("\"scorer\"", &format!("\"{long}\""), 1)), 5, "actor is one of");
    refused(fifth(|line| line.replacen("2026-01-31", &long, 1)), 5, "is not a time like");
}

#[test]
fn a_kind_or_a_version_from_another_time_is_not_held_against_the_log() {
    let of = |field: &str, value: serde_json::Value| {
        let mut forger = scripted().forge();
        forger.event(7)[field] = value;
        forger.mended().text()
    };
    refused(of("kind", "eclipse".into()), 7, "\"eclipse\" is not a kind of event");
    refused(of("kind", "x\u{1b}[2JCLEAN\u{202e}".into()), 7, "is not a kind of event");
    refused(of("v", 3.into()), 7, "version 3 of ball is not one this program knows; it knows 1 to 2");
    refused(of("v", 0.into()), 7, "version 0 of ball");
    let toss = |v: u32| {
        let mut forger = scripted().forge();
        forger.event(2)["v"] = v.into();
        forger.mended().text()
    };
    refused(toss(3), 2, "version 3 of toss is not one this program knows; it knows 1 to 2");
    refused(toss(0), 2, "version 0 of toss");
}

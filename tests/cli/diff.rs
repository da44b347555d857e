//! `diff`: the program prints the library's comparison of two books, and exits by its agreement.

use third_umpire_test_support::logs::{Log, Setting, remote_match, scripted};
use third_umpire_test_support::program::{Scratch, run, run_with_input};

#[test]
fn the_comparison_that_is_printed_is_that_of_the_library() {
    let scratch = Scratch::new();
    let wrong = scripted().forge().set(7, "/outcome/runs/batter", 6).mended();
    let pairs: [(Log, Log, &str); 5] = [
        (scripted(), scripted(), "same"),
        (scripted(), scripted().first(9), "beginning"),
        (scripted(), wrong, "differ"),
        (scripted(), remote_match(), "another_match"),
        (Setting::default().table().log(), Setting::default().seeded().log(), "another_match"),
    ];
    for (a, b, agreement) in pairs {
        let compared = third_umpire::diff::diff(a.text().as_bytes(), b.text().as_bytes()).unwrap();
        let json = serde_json::to_string_pretty(&compared).unwrap() + "\n";
        assert!(json.contains(&format!("\"agreement\": \"{agreement}\"")), "{json}");
        let (a, b) = (scratch.write("a.ndjson", a.text()), scratch.write("b.ndjson", b.text()));
        for (format, due) in [("text", compared.to_string()), ("json", json)] {
            let ran = run(&["diff", &a, &b, "--format", format]);
            let code = i32::from(agreement != "same");
            assert_eq!((ran.code, &*ran.out, &*ran.err), (Some(code), &*due, ""), "{agreement}");
        }
    }
}

#[test]
fn a_file_that_is_no_match_log_is_named_with_its_line() {
    let scratch = Scratch::new();
    let book = scratch.write("book.ndjson", scripted().text());
    let letter = scratch.write("letter.txt", "Dear aunt\n");
    let cut = scratch.write("cut.ndjson", scripted().text().trim_end());
    run(&["diff", &book, &letter]).failed(&["letter.txt is not a match log: line 1: "]);
    run(&["diff", &letter, &book]).failed(&["letter.txt is not a match log: line 1: "]);
    run(&["diff", &book, &cut]).failed(&["cut.ndjson is not a match log: line 17: "]);
    run(&["diff", &book, &scratch.file("none.ndjson")]).failed(&["none.ndjson cannot be read"]);
    run(&["diff", "-", "-"]).failed(&["only one of the two"]);
}

#[test]
fn one_book_may_come_from_standard_input() {
    let scratch = Scratch::new();
    let book = scratch.write("book.ndjson", scripted().text());
    let text = scripted().text();
    let output = run_with_input(&["diff", "-", &book], text.as_bytes()).succeeded();
    assert_eq!(output, run_with_input(&["diff", &book, "-"], text.as_bytes()).succeeded());
}

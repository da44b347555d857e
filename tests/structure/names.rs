//! `.ci/public-names`, on small trees: one name has one meaning.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/.ci/public-names");

/// Whether the script can run; in CI it has to.
fn may_run() -> bool {
    if Command::new("python3").arg("--version").output().is_ok_and(|told| told.status.success()) {
        return true;
    }
    let required = std::env::var("REQUIRE_PYTHON").is_ok_and(|value| value == "1");
    assert!(!required && std::env::var_os("CI").is_none(), "there is no python3 in PATH");
    // Past the capture of the test runner, which would keep it to itself.
    let _ =
        writeln!(std::io::stderr(), "python3 is not installed: the tests of .ci/public-names are skipped");
    false
}

/// Whether a tree with these files and this list of exceptions is in order, and what the script says of it.
fn said(test: &str, files: &[(&str, &str)], shared: &str) -> (bool, String) {
    let name = format!("public-names-{test}-{}", std::process::id());
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    for (file, text) in files.iter().copied().chain([(".ci/shared-names.txt", shared)]) {
        let file = root.join(file);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder is made");
        fs::write(file, text).expect("a file is written");
    }
    let output = Command::new("python3").arg(SCRIPT).arg(&root).output().expect("python3 starts");
    fs::remove_dir_all(root).expect("the tree is removed");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}

const A: &str = "pub struct Ball;\npub struct Over;\n";

#[test]
fn a_second_type_of_a_name_is_found_in_every_form() {
    if !may_run() {
        return;
    }
    for second in [
        "pub struct Ball(u8);",
        "pub(crate) enum Ball {}",
        "pub(in crate::a) union Ball { a: u8 }",
        "pub unsafe trait Ball {}",
        "pub type Ball = u8;",
        "mod inner {\n    pub struct Ball;\n}",
        "pub use std::string::String as Ball;",
        "pub(super) use std::{\n    string::{self, String as Ball},\n    vec::Vec,\n};",
        "struct Ball;",
        "enum Ball {}",
        "unsafe trait Ball {}",
        "type Ball = u8;",
    ] {
        let expected = "Ball is defined in src/a.rs, src/deep/b.rs: give each a name of its own\n";
        let said = said("second", &[("src/a.rs", A), ("src/deep/b.rs", second)], "");
        assert_eq!(said, (false, expected.to_owned()), "{second}");
    }
    let twice = [A, "mod inner {\n    pub struct Ball;\n}\n"].concat();
    let expected = "Ball is defined in src/a.rs, src/a.rs: give each a name of its own\n";
    assert_eq!(said("twice", &[("src/a.rs", &twice)], ""), (false, expected.to_owned()));
}

#[test]
fn the_check_sees_a_macro_that_makes_a_type() {
    if !may_run() {
        return;
    }
    let made = "macro_rules! make {\n    ($name:ident) => {\n        pub struct $name;\n    };\n}";
    let expected = "src/b.rs: a macro defines a type by a name that it is given\n";
    assert_eq!(said("macro", &[("src/a.rs", A), ("src/b.rs", made)], ""), (false, expected.to_owned()));
    let given =
        "macro_rules! take {\n    (pub struct $name:ident {}) => {};\n}\ntake! {\n    pub struct Ball {}\n}";
    let expected = "Ball is defined in src/a.rs, src/b.rs: give each a name of its own\n";
    assert_eq!(said("given", &[("src/a.rs", A), ("src/b.rs", given)], ""), (false, expected.to_owned()));
    let (holds, said) = said("taken", &[("src/b.rs", given)], "");
    assert!(holds, "{said}");
}

#[test]
fn the_check_ignores_names_that_are_no_second_type() {
    if !may_run() {
        return;
    }
    for second in [
        "",
        "// pub struct Ball;\npub struct Balls;",
        "pub use super::a::Ball;\nuse std::string::String as Ball;",
        "impl Iterator for A {\n    type Ball = u8;\n}",
        "#[cfg(test)]\nmod tests {\n    pub struct Ball;\n}",
    ] {
        let files = [("src/a.rs", A), ("src/b.rs", second), ("src/b/tests.rs", A)];
        let (holds, said) = said("none", &files, "");
        assert!(holds, "{second}: {said}");
    }
    let (holds, said) = said("private", &[("src/a.rs", "struct Ball;"), ("src/b.rs", "struct Ball;")], "");
    assert!(holds, "{said}");
}

#[test]
fn a_shared_name_is_listed_with_its_files_and_no_others() {
    if !may_run() {
        return;
    }
    let (both, one) = ([("src/a.rs", A), ("src/b.rs", "struct Ball;")], [("src/a.rs", A), ("src/b.rs", "")]);
    for (files, shared, holds) in [
        (both, "Ball src/a.rs src/b.rs\n", true),
        (both, "Ball src/b.rs src/a.rs\n", true),
        (both, "Ball src/a.rs\n", false),
        (both, "Ball src/a.rs src/b.rs src/c.rs\n", false),
        (both, "Ball src/a.rs src/b.rs\nOver src/a.rs src/b.rs\n", false),
        (one, "Ball src/a.rs src/b.rs\n", false),
    ] {
        let (held, said) = said("shared", &files, shared);
        assert_eq!(held, holds, "{shared}: {said}");
    }
}

#[test]
fn ci_runs_the_script() {
    let run = fs::read_to_string(Path::new(SCRIPT).with_file_name("run")).expect("a text");
    assert!(run.lines().any(|line| line == ".ci/public-names"));
}

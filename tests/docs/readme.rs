//! What README.md itself has to be: short, with the command that CI runs, and with the licence there is.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::pages::{PROJECT, Page};
use crate::shell::may_run;

#[test]
fn readme_is_short() {
    let text = fs::read_to_string(Path::new(PROJECT).join("README.md")).unwrap();
    assert!(text.lines().count() <= 170, "README has {} lines", text.lines().count());
    assert!(text.len() <= 10_000, "README has {} bytes", text.len());
}

#[test]
fn readme_licence_and_manifest_name_the_same_licences() {
    let manifest = fs::read_to_string(Path::new(PROJECT).join("Cargo.toml")).unwrap();
    let licence = fs::read_to_string(Path::new(PROJECT).join("LICENSE")).unwrap();
    assert!(manifest.contains("\nlicense = \"MIT OR Apache-2.0\"\n"));
    assert!(licence.contains("SPDX: MIT OR Apache-2.0"));
    assert!(licence.contains("\nMIT License\n") && licence.contains("Apache License\n"));
    let readme = Page::read("README.md");
    let section = readme.lines.iter().skip_while(|line| *line != "## Licence").map(String::as_str);
    let section = section.collect::<Vec<_>>().join(" ");
    assert!(section.contains("(LICENSE)") && section.contains("SPDX: MIT OR Apache-2.0"), "{section}");
}

/// What `.ci/test-command` says of a README with these lines, under a name of its own.
fn test_command(name: &str, lines: &[&str]) -> Output {
    let file =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("readme-{name}-{}.md", std::process::id()));
    fs::write(&file, lines.join("\n") + "\n").unwrap();
    let output =
        Command::new("bash").arg(Path::new(PROJECT).join(".ci/test-command")).arg(&file).output().unwrap();
    fs::remove_file(&file).unwrap();
    output
}

#[test]
fn ci_runs_the_test_command_of_readme_and_no_other() {
    if !may_run() {
        return;
    }
    const MARKER: &str = "<!-- the test command -->";
    let own = Command::new("bash").arg(Path::new(PROJECT).join(".ci/test-command")).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&own.stdout), "cargo test\n", "{own:?}");
    assert!(own.status.success());
    let good =
        test_command("good", &["# x", "```sh", "cargo run", "```", MARKER, "```sh", "cargo test", "```"]);
    assert_eq!((good.status.success(), good.stdout.as_slice()), (true, b"cargo test\n".as_slice()));
    let others: &[(&str, &[&str], &str)] = &[
        ("none", &["```sh", "cargo test", "```"], "0 times"),
        ("two", &[MARKER, "```sh", "cargo test", "```", MARKER], "2 times"),
        ("last", &["x", MARKER], "no block"),
        ("far", &[MARKER, "", "```sh", "cargo test", "```"], "no block"),
        ("console", &[MARKER, "```console", "$ cargo test", "```"], "no block"),
        ("less", &[MARKER, "```sh", "cargo test --lib", "```"], "cargo test --lib"),
        ("other", &[MARKER, "```sh", "true", "```"], "`true`"),
        ("empty", &[MARKER, "```sh", "```"], "not one line"),
        ("more", &[MARKER, "```sh", "cargo test", "true", "```"], "not one line"),
    ];
    for (name, lines, reason) in others {
        let said = test_command(name, lines);
        let complaint = String::from_utf8_lossy(&said.stderr);
        assert_eq!((said.status.code(), said.stdout.as_slice()), (Some(1), b"".as_slice()), "{name}");
        assert!(complaint.contains(reason), "{name}: {complaint}");
    }
}

#[test]
fn ci_calls_the_script() {
    let run = fs::read_to_string(Path::new(PROJECT).join(".ci/run")).unwrap();
    assert!(run.lines().any(|line| line == "test_command=$(.ci/test-command)"));
    assert!(run.lines().any(|line| line == "bash -c \"$test_command\""));
}

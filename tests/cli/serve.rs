//! `serve`: how it starts, where it listens, how it ends, and why it does not start.

use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use third_umpire_test_support::program::{ProgramRun, Scratch, command, run};

/// A service that has printed where it listens, and where its pages are.
struct Serving {
    child: Child,
    url: String,
    pages: String,
}

impl Serving {
    /// Starts a service, which has to answer in good time.
    fn start(mut command: Command) -> Serving {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut printed = BufReader::new(child.stdout.as_mut().unwrap()).lines();
        let mut between = |before: &str, behind: &str| {
            let line = printed.next()?.unwrap();
            Some(line.strip_prefix(before)?.strip_suffix(behind)?.to_owned())
        };
        let (url, pages) = (between("listening on ", ""), between("open ", " in a browser"));
        let (Some(url), Some(pages)) = (url, pages) else {
            let output = child.wait_with_output().unwrap();
            panic!("{}", String::from_utf8_lossy(&output.stderr));
        };
        Serving { child, url, pages }
    }

    fn status(&self, path: &str) -> u16 {
        let agent = ureq::Agent::from(ureq::Agent::config_builder().http_status_as_error(false).build());
        agent.get(format!("{}{path}", self.url)).call().unwrap().status().as_u16()
    }

    /// Asks the service to end, as a supervisor does, and waits; returns its exit code and its output.
    fn ends(mut self) -> (Option<i32>, String) {
        let sent = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let begun = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < Duration::from_secs(20), "the service does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
        let mut output = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut output).unwrap();
        assert!(!output.contains("panicked at"), "{output}");
        (self.child.wait().unwrap().code(), output)
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // The service may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn in_scratch(scratch: &Scratch, args: &[&str]) -> Command {
    let mut command = command(args);
    command.current_dir(scratch.path());
    command
}

#[test]
fn it_says_where_it_listens_answers_and_ends_cleanly_on_sigterm() {
    let scratch = Scratch::new();
    let serving = Serving::start(in_scratch(&scratch, &["serve", "--listen", "127.0.0.1:0"]));
    assert!(serving.url.starts_with("http://127.0.0.1:") && !serving.url.ends_with(":0"), "{}", serving.url);
    assert_eq!(serving.status("/healthz"), 200);
    let (code, output) = serving.ends();
    assert_eq!(code, Some(0), "{output}");
    assert!(output.contains("stopped"), "logs go to standard error: {output}");
    let left: Vec<_> =
        std::fs::read_dir(scratch.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(left, ["third-umpire.db"]);
}

/// A program of this name, which notes what it was given in the file `opened`.
#[cfg(target_os = "linux")]
fn opener(scratch: &Scratch) -> std::path::PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let folder = scratch.path().join("bin");
    std::fs::create_dir(&folder).unwrap();
    let program = folder.join("xdg-open");
    std::fs::write(&program, "#!/bin/sh\nprintf '%s.' \"$@\" > noted && /bin/mv noted opened\n").unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

#[cfg(target_os = "linux")]
#[test]
fn it_prints_where_to_go_and_opens_it_in_a_browser_if_asked() {
    for asked in [true, false] {
        let scratch = Scratch::new();
        let mut command = in_scratch(&scratch, &["serve", "--listen", "127.0.0.1:0"]);
        command.env("PATH", opener(&scratch)).env("THIRD_UMPIRE_OPEN", asked.to_string());
        let serving = Serving::start(command);
        let pages = serving.pages.clone();
        assert_eq!(pages, format!("{}/", serving.url));
        assert_eq!(serving.status("/"), 200);
        let opened = scratch.path().join("opened");
        let begun = Instant::now();
        while asked && !opened.exists() {
            assert!(begun.elapsed() < Duration::from_secs(20), "no browser was opened");
            std::thread::sleep(Duration::from_millis(20));
        }
        let (code, output) = serving.ends();
        assert_eq!(code, Some(0), "{output}");
        let noted = std::fs::read_to_string(opened).unwrap_or_default();
        assert_eq!(noted, if asked { format!("{pages}.") } else { String::new() });
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_machine_without_a_browser_goes_on_serving_and_says_what_to_open() {
    let scratch = Scratch::new();
    let mut command = in_scratch(&scratch, &["serve", "--listen", "127.0.0.1:0", "--open"]);
    command.env("PATH", scratch.path());
    let serving = Serving::start(command);
    assert_eq!(serving.status("/readyz"), 200);
    let pages = serving.pages.clone();
    let (code, output) = serving.ends();
    assert_eq!(code, Some(0), "{output}");
    assert!(output.contains(&format!("xdg-open cannot be started: open {pages} yourself")), "{output}");
}

#[test]
fn it_can_be_set_up_by_the_environment_alone() {
    let scratch = Scratch::new();
    let mut command = in_scratch(&scratch, &["serve"]);
    command
        .env("THIRD_UMPIRE_LISTEN", "127.0.0.1:0")
        .env("THIRD_UMPIRE_ADMIN_TOKEN", "only-the-umpire-knows")
        .env("THIRD_UMPIRE_LOG", "error")
        .env("DATABASE_URL", format!("sqlite://{}", scratch.file("env.db")));
    let serving = Serving::start(command);
    let agent = ureq::Agent::from(ureq::Agent::config_builder().http_status_as_error(false).build());
    let url = format!("{}/v1/matches", serving.url);
    let refused = agent.post(url).header("Content-Type", "application/json").send("{}").unwrap();
    assert_eq!(refused.status(), 401, "creation needs the admin token");
    let (code, output) = serving.ends();
    assert_eq!((code, output.as_str()), (Some(0), ""), "nothing but errors is logged");
    assert!(scratch.path().join("env.db").exists());
}

#[test]
fn tables_made_by_migrate_are_enough_for_a_service_that_may_not_touch_them() {
    let scratch = Scratch::new();
    let database = format!("sqlite://{}", scratch.file("made.db"));
    run(&["migrate", "--database", &database]).succeeded();
    let args = ["serve", "--listen", "127.0.0.1:0", "--no-migrate", "--database", &database];
    let serving = Serving::start(in_scratch(&scratch, &args));
    assert_eq!(serving.status("/readyz"), 200);
    assert_eq!(serving.ends().0, Some(0));
}

#[test]
fn a_service_without_tables_says_to_migrate() {
    let scratch = Scratch::new();
    let args = |file: &str| {
        let database = format!("sqlite://{file}");
        run(&["serve", "--listen", "127.0.0.1:0", "--no-migrate", "--database", &database])
    };
    let bare = scratch.write("bare.db", "");
    args(&bare).failed(&["migrate"]);
    let missing = scratch.file("missing.db");
    args(&missing).failed(&["missing.db"]);
    assert!(!std::path::Path::new(&missing).exists(), "nor is one made");
}

#[test]
fn a_refusal_names_the_port_that_is_taken() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let scratch = Scratch::new();
    let output = in_scratch(&scratch, &["serve", "--listen", &address]).output().unwrap();
    ProgramRun::of(output).failed(&["cannot listen", "in use", &address]);
}

#[test]
fn a_refusal_names_an_impossible_address() {
    let scratch = Scratch::new();
    for listen in ["nonsense", "127.0.0.1", "127.0.0.1:99999", "127.0.0.1:-1", ":", "", "http://127.0.0.1:80"]
    {
        let output = in_scratch(&scratch, &["serve", "--listen", listen]).output().unwrap();
        ProgramRun::of(output)
            .failed(&["is not HOST:PORT, as in 127.0.0.1:8080; a port is", &format!("{listen:?}")]);
    }
}

#[test]
fn a_refusal_names_an_impossible_host() {
    let scratch = Scratch::new();
    for host in ["http://x/", "", "cricket.example:8080", "cricket.example/", "*.example", "a b", "x,,y"] {
        let serve = || in_scratch(&scratch, &["serve", "--listen", "127.0.0.1:0"]);
        ProgramRun::of(serve().args(["--host", host]).output().unwrap())
            .failed(&["--host", "is not a host name"]);
        let by_environment = serve().env("THIRD_UMPIRE_HOST", host).output().unwrap();
        ProgramRun::of(by_environment).failed(&["--host", "is not a host name"]);
    }
    assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0, "nothing is made");
}

#[test]
fn hosts_are_named_one_by_one_or_together() {
    let scratch = Scratch::new();
    let serve = || in_scratch(&scratch, &["serve", "--listen", "127.0.0.1:0"]);
    let (mut flags, mut environment) = (serve(), serve());
    flags.args(["--host", "cricket.example", "--host", "Pavilion.example.,cards.example"]);
    environment.env("THIRD_UMPIRE_HOST", "cricket.example, pavilion.example, cards.example");
    for command in [flags, environment] {
        let serving = Serving::start(command);
        let agent = ureq::Agent::from(ureq::Agent::config_builder().http_status_as_error(false).build());
        let status_for = |host: &str| {
            let request = agent.get(format!("{}/healthz", serving.url)).header("Host", host);
            request.call().unwrap().status().as_u16()
        };
        for host in ["cricket.example", "pavilion.example", "cards.example:443", "localhost"] {
            assert_eq!(status_for(host), 200, "{host}");
        }
        assert_eq!(status_for("evil.example"), 421);
    }
}

#[test]
fn an_address_open_to_others_needs_an_admin_token() {
    let scratch = Scratch::new();
    for listen in ["0.0.0.0:0", "[::]:0"] {
        let output = in_scratch(&scratch, &["serve", "--listen", listen]).output().unwrap();
        ProgramRun::of(output).failed(&["is not a loopback address", "--admin-token"]);
        let empty = ["serve", "--listen", listen, "--admin-token", ""];
        ProgramRun::of(in_scratch(&scratch, &empty).output().unwrap()).failed(&["--admin-token is empty"]);
    }
    let args = ["serve", "--listen", "0.0.0.0:0", "--admin-token", "only-the-umpire-knows"];
    assert_eq!(Serving::start(in_scratch(&scratch, &args)).ends().0, Some(0));
}

#[test]
fn a_number_of_writers_that_cannot_be_is_refused_with_the_range() {
    let refused = |args: &[&str], parts: &[&str]| {
        let ran = run(&[&["serve", "--listen", "127.0.0.1:0", "--writers"], args].concat());
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
        parts.iter().for_each(|part| assert!(ran.err.contains(part), "{}", ran.err));
    };
    for number in ["0", "65"] {
        refused(&[number, "--no-group-commit"], &["--writers <N>", number, "a whole number from 1 to 64"]);
    }
    refused(&["many", "--no-group-commit"], &["--writers <N>", "'many'", "a whole number from 1 to 64"]);
    refused(&["16"], &["not provided", "--no-group-commit"]);
}

#[test]
fn a_malformed_log_filter_is_refused() {
    let scratch = Scratch::new();
    let output = in_scratch(&scratch, &["serve", "--log", "=[[["]).output().unwrap();
    ProgramRun::of(output).failed(&["--log", "=[[["]);
    let output = in_scratch(&scratch, &["serve", "--log", "wran"]).output().unwrap();
    ProgramRun::of(output).failed(&["--log", "wran", "warn, info"]);
}

#[test]
fn a_database_that_cannot_be_reached_is_named_but_not_its_password() {
    let nobody_there = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let database = format!("postgres://umpire:geheim@{nobody_there}/cricket");
    let ran = run(&["serve", "--listen", "127.0.0.1:0", "--database", &database]);
    assert!(!ran.err.contains("geheim"), "{}", ran.err);
    ran.failed(&["127.0.0.1"]);
}

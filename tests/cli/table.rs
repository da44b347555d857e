//! `serve --table` and `table-key`: what a table prints, its key, and the machine that it is on.

use std::fs::{self, File, Permissions};
use std::net::{IpAddr, UdpSocket};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use third_umpire_test_support::program::{ProgramRun, Scratch, command, program, run};

const SIX: &str = "192.0.2.7 wlan0\n198.51.100.4 eth0\n2001:db8::7 eth1\n172.17.0.1 docker0\n10.8.0.2 tun0\n\
                   203.0.113.9\n";

/// A table that is served, with what it has printed in files.
struct Table {
    child: Child,
    printed: PathBuf,
    log: PathBuf,
    port: u16,
}

/// An answer of a table: its status and its body.
type Answered = (u16, Value);

impl Table {
    fn start(scratch: &Scratch, arguments: &[&str]) -> Table {
        let serve = ["serve", "--table", "--listen", "0.0.0.0:0", "--log", "debug"];
        Table::start_command(scratch, command(&[&serve, arguments].concat()))
    }

    /// Starts a table that prints to a terminal.
    fn start_on_a_terminal(scratch: &Scratch, arguments: &[&str]) -> Table {
        let program = program().display();
        let line = format!("'{program}' serve --table --listen 0.0.0.0:0 {}", arguments.join(" "));
        let mut terminal = Command::new("script");
        terminal.args(["--quiet", "--return", "--flush", "--command", &line, "/dev/null"]);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("THIRD_UMPIRE_") || name == "DATABASE_URL" {
                terminal.env_remove(name);
            }
        }
        Table::start_command(scratch, terminal)
    }

    fn start_command(scratch: &Scratch, mut command: Command) -> Table {
        static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let count = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let file = |name: &str| scratch.path().join(format!("{name}-{count}"));
        let (printed, log) = (file("printed"), file("log"));
        let output = |path: &PathBuf| File::create(path).unwrap();
        command.current_dir(scratch.path()).stdin(Stdio::null());
        let child = command.stdout(output(&printed)).stderr(output(&log)).spawn().unwrap();
        let mut table = Table { child, printed, log, port: 0 };
        table.says("No other device has come yet.");
        let text = table.printed();
        let listening = text.lines().find_map(|line| line.strip_prefix("listening on http://0.0.0.0:"));
        table.port = listening.unwrap_or_else(|| panic!("{text}")).trim().parse().unwrap();
        table
    }

    fn printed(&self) -> String {
        fs::read_to_string(&self.printed).unwrap().replace('\r', "")
    }

    /// Waits until a text is printed.
    #[track_caller]
    fn says(&mut self, text: &str) {
        self.says_within(text, Duration::from_secs(20));
    }

    #[track_caller]
    fn says_within(&mut self, text: &str, limit: Duration) {
        let begun = Instant::now();
        while !self.printed().contains(text) {
            let log = || fs::read_to_string(&self.log).unwrap();
            assert!(self.child.try_wait().unwrap().is_none(), "{} {}", self.printed(), log());
            assert!(begun.elapsed() < limit, "{text:?} is not said: {}\n{}", self.printed(), log());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The link with the port of this table, as in `http://192.0.2.7:PORT/`.
    fn link(&self, host: &str) -> String {
        format!("http://{host}:{}/", self.port)
    }

    fn ask(&self, ip: &str, host: &str, token: Option<&str>) -> Answered {
        let agent = ureq::Agent::from(ureq::Agent::config_builder().http_status_as_error(false).build());
        let request = agent.get(format!("http://{ip}:{}/v1/about", self.port));
        let request = request.header("Host", format!("{host}:{}", self.port));
        let request = match token {
            Some(token) => request.header("Authorization", format!("Bearer {token}")),
            None => request,
        };
        let mut answer = request.call().unwrap();
        let text = answer.body_mut().read_to_string().unwrap();
        (answer.status().as_u16(), serde_json::from_str(&text).unwrap())
    }

    /// The answer of `/v1/about` on this machine.
    fn about(&self, token: Option<&str>) -> Answered {
        self.ask("127.0.0.1", "127.0.0.1", token)
    }

    fn addresses(&self, key: &str) -> Vec<String> {
        let (status, about) = self.about(Some(key));
        assert_eq!(status, 200, "{about}");
        let addresses = about["addresses"].as_array().expect("addresses");
        addresses.iter().map(|address| address.as_str().unwrap().to_owned()).collect()
    }

    /// Ends the table, and returns all that it has written to standard error.
    fn ends(mut self) -> String {
        let sent = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
        let log = fs::read_to_string(&self.log).unwrap();
        assert!(!log.contains("panicked at"), "{log}");
        log
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        // The table may have ended already. One on a terminal ends with its terminal.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn key_file(scratch: &Scratch) -> PathBuf {
    scratch.path().join("third-umpire.db-table-key")
}

fn key(scratch: &Scratch) -> String {
    fs::read_to_string(key_file(scratch)).unwrap().trim_end().to_owned()
}

fn mode(scratch: &Scratch) -> u32 {
    fs::metadata(key_file(scratch)).unwrap().mode() & 0o7777
}

/// Runs the program in the folder of a test.
fn run_in(scratch: &Scratch, arguments: &[&str]) -> ProgramRun {
    ProgramRun::of(command(arguments).current_dir(scratch.path()).output().unwrap())
}

#[test]
fn a_pipe_gets_the_links_of_six_interfaces_and_no_key() {
    let scratch = Scratch::new();
    let addresses = scratch.write("addresses", SIX);
    let table = Table::start(&scratch, &["--addresses", &addresses]);
    let (printed, key) = (table.printed(), key(&scratch));
    let due = [
        format!("listening on http://0.0.0.0:{}", table.port),
        format!("open {} in a browser", table.link("127.0.0.1")),
        String::new(),
        "Other devices of the network watch at".to_owned(),
        format!("  {} (wlan0)", table.link("192.0.2.7")),
        format!("  {} (eth0)", table.link("198.51.100.4")),
        format!("  {} (eth1)", table.link("[2001:db8::7]")),
        format!("  {} (docker0)", table.link("172.17.0.1")),
        format!("  {} (tun0)", table.link("10.8.0.2")),
        format!("  {}", table.link("203.0.113.9")),
        "To make matches, open the link that `third-umpire table-key` prints on this machine.".to_owned(),
        "No other device has come yet.".to_owned(),
    ];
    assert_eq!(printed.lines().collect::<Vec<_>>(), due);
    assert_eq!(mode(&scratch), 0o600);
    assert!(key.starts_with("tu_") && key.len() == 35, "a key of 128 random bits");
    let links = ["192.0.2.7", "198.51.100.4", "[2001:db8::7]", "172.17.0.1", "10.8.0.2", "203.0.113.9"];
    assert_eq!(table.addresses(&key), links.map(|host| table.link(host)));
    let listen = format!("0.0.0.0:{}", table.port);
    let told = run_in(&scratch, &["table-key", "--listen", &listen, "--addresses", &addresses]).succeeded();
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[0], key);
    assert_eq!(lines[1], format!("  {}#key={key}", table.link("127.0.0.1")));
    assert_eq!(lines[2], format!("  {}#key={key} (wlan0)", table.link("192.0.2.7")));
    assert_eq!(lines[7], format!("  {}#key={key}", table.link("203.0.113.9")));
    assert!(lines[8..].iter().filter(|line| line.contains('\u{2588}')).count() > 10, "a code: {told}");
    let log = table.ends();
    assert!(log.contains("answered") && !log.contains(&key), "{log}");
    let noted = run_in(&scratch, &["table-key", "--addresses", &addresses]).succeeded();
    assert_eq!(noted, told, "it knows the port on which the table was served");
    let left: Vec<_> = fs::read_dir(scratch.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(left.iter().filter(|name| name.to_string_lossy().contains("key")).count(), 1, "{left:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_the_code_to_watch_and_then_the_one_with_the_key() {
    let scratch = Scratch::new();
    let addresses = scratch.write("addresses", "192.0.2.7 wlan0\n198.51.100.4 eth0\n");
    let table = Table::start_on_a_terminal(&scratch, &["--addresses", &addresses]);
    let (printed, key) = (table.printed(), key(&scratch));
    let here = format!("open {}#key={key} in a browser\n", table.link("127.0.0.1"));
    let watch = format!("  {} (wlan0)\n  {} (eth0)\n", table.link("192.0.2.7"), table.link("198.51.100.4"));
    let secret = format!("To make matches, scan this one, or open {}#key={key}\n", table.link("192.0.2.7"));
    let places = [&here, &watch, &secret].map(|text| printed.find(text.as_str()));
    assert!(places[0] < places[1] && places[1] < places[2] && places[0].is_some(), "{printed}");
    // Each code stands behind the words for it.
    let codes: Vec<usize> = printed.match_indices("\u{1b}[30;107m").map(|(at, _)| at).collect();
    let (first, second): (Vec<usize>, Vec<usize>) = codes.iter().partition(|at| Some(**at) < places[2]);
    assert!(first.len() > 10 && second.len() > first.len(), "the code with the key is the larger one");
    assert!(first.iter().all(|at| Some(*at) > places[1]));
}

#[test]
fn a_table_logs_no_line_of_a_request_unless_it_is_asked_to() {
    let scratch = Scratch::new();
    let addresses = scratch.write("addresses", "192.0.2.7 wlan0\n");
    let serve = ["serve", "--table", "--listen", "0.0.0.0:0", "--addresses", &addresses];
    for (asked, is_logged) in [(None, false), (Some("info"), true)] {
        let mut serving = command(&serve);
        serving.envs(asked.map(|level| ("THIRD_UMPIRE_LOG", level)));
        let table = Table::start_command(&scratch, serving);
        assert_eq!(table.addresses(&key(&scratch)), [table.link("192.0.2.7")]);
        let log = table.ends();
        assert_eq!(log.contains("answered"), is_logged, "{log}");
        assert!(is_logged || log.is_empty(), "nothing stands between the codes: {log}");
    }
}

#[test]
fn a_key_stays_until_it_is_replaced() {
    let scratch = Scratch::new();
    let addresses = scratch.write("addresses", "192.0.2.7 wlan0\n");
    let first = Table::start(&scratch, &["--addresses", &addresses]);
    let old = key(&scratch);
    first.ends();
    let again = Table::start(&scratch, &["--addresses", &addresses]);
    assert_eq!(key(&scratch), old);
    assert_eq!(again.about(Some(&old)).0, 200);
    again.ends();
    let renewed = Table::start(&scratch, &["--addresses", &addresses, "--new-table-key"]);
    let new = key(&scratch);
    assert!(new != old && mode(&scratch) == 0o600);
    assert_eq!(renewed.about(Some(&new)).0, 200);
    let (status, refusal) = renewed.about(Some(&old));
    assert_eq!((status, &refusal["type"]), (403, &Value::from("/problems/token-refused")));
    let detail = refusal["detail"].as_str().unwrap();
    assert!(detail.contains("this is not the key of this table") && detail.contains("table-key"), "{detail}");
    assert!(!renewed.ends().contains(&new));
}

#[test]
fn a_link_in_the_place_of_the_port_is_not_followed() {
    let scratch = Scratch::new();
    let port = scratch.path().join("third-umpire.db-table-port");
    let other = scratch.write("other", "not to be written");
    symlink(&other, &port).unwrap();
    let addresses = scratch.write("addresses", "192.0.2.7\n");
    Table::start(&scratch, &["--addresses", &addresses]).ends();
    assert_eq!(fs::read_to_string(other).unwrap(), "not to be written");
    assert!(fs::symlink_metadata(&port).unwrap().is_file());
    assert!(fs::read_to_string(&port).unwrap().trim_end().parse::<u16>().is_ok_and(|port| port != 0));
}

#[test]
fn a_key_that_others_can_read_is_not_used() {
    let scratch = Scratch::new();
    fs::write(key_file(&scratch), format!("tu_{}\n", "0".repeat(32))).unwrap();
    fs::set_permissions(key_file(&scratch), Permissions::from_mode(0o644)).unwrap();
    let serve = ["serve", "--table", "--listen", "0.0.0.0:0", "--log", "error"];
    for command in [&serve[..], &["table-key"]] {
        let refused = run_in(&scratch, command);
        refused.failed(&["third-umpire.db-table-key", "mode 0644", "chmod 600", "--new-table-key"]);
    }
    let addresses = scratch.write("addresses", "192.0.2.7\n");
    let renewed = Table::start(&scratch, &["--addresses", &addresses, "--new-table-key"]);
    assert_eq!(mode(&scratch), 0o600);
    renewed.ends();
}

#[test]
fn a_file_that_holds_no_key_is_refused() {
    let scratch = Scratch::new();
    for text in ["", "secret", "tu_5", &"x".repeat(10_000), &format!("tu_{}", "G".repeat(32))] {
        fs::write(key_file(&scratch), text).unwrap();
        fs::set_permissions(key_file(&scratch), Permissions::from_mode(0o600)).unwrap();
        let refused = run_in(&scratch, &["table-key"]);
        let refused = refused.failed(&["holds no key of a table", "remove it", "--new-table-key"]);
        assert!(text.is_empty() || !refused.err.contains(text), "{}", refused.err);
    }
}

#[test]
fn the_key_of_a_table_that_was_never_served_is_not_made_by_asking_for_it() {
    let scratch = Scratch::new();
    let refused = run_in(&scratch, &["table-key"]);
    refused.failed(&["third-umpire.db-table-key is not there", "serve --table"]);
    assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 0);
    let token = run_in(&scratch, &["table-key", "--admin-token", "a b#c/é", "--listen", "0.0.0.0:9000"]);
    let told = token.succeeded();
    assert!(told.starts_with("a b#c/é\n  http://127.0.0.1:9000/#key=a%20b%23c%2F%C3%A9\n"), "{told}");
    for listen in ["0.0.0.0", "0.0.0.0:0", "0.0.0.0:99999", "port"] {
        run_in(&scratch, &["table-key", "--admin-token", "x", "--listen", listen])
            .failed(&["is not HOST:PORT with the port of the table", listen]);
    }
}

#[test]
fn a_table_without_a_network_says_so_and_notices_when_it_joins_one() {
    let scratch = Scratch::new();
    let addresses = scratch.write("addresses", "");
    let mut table = Table::start(&scratch, &["--addresses", &addresses]);
    let printed = table.printed();
    assert!(
        printed.contains("This machine is in no network") && printed.contains("Join a wifi"),
        "{printed}"
    );
    let key = key(&scratch);
    assert_eq!(table.addresses(&key), [""; 0]);
    scratch.write("addresses", "192.0.2.7 wlan0\n");
    table.says(&format!("watch at\n  {} (wlan0)\n", table.link("192.0.2.7")));
    assert!(!table.printed().contains("has moved"), "it was nowhere");
    assert_eq!(table.addresses(&key), [table.link("192.0.2.7")]);
}

#[test]
fn a_table_whose_address_changes_takes_the_new_one_as_a_host_and_says_so() {
    let scratch = Scratch::new();
    let addresses = scratch.write("addresses", "192.0.2.7 wlan0\n");
    let mut table = Table::start(&scratch, &["--addresses", &addresses]);
    let key = key(&scratch);
    let status = |table: &Table, host: &str| table.ask("127.0.0.1", host, None).0;
    assert_eq!([status(&table, "192.0.2.7"), status(&table, "192.0.2.9")], [200, 421]);
    scratch.write("addresses", "192.0.2.9 wlan0\n");
    table.says(&format!(
        "This table has moved.\nOther devices of the network watch at\n  {}",
        table.link("192.0.2.9")
    ));
    assert_eq!([status(&table, "192.0.2.7"), status(&table, "192.0.2.9")], [421, 200]);
    assert_eq!(table.addresses(&key), [table.link("192.0.2.9")]);
    // A file that cannot be read is logged, and the table stays where it is.
    scratch.write("addresses", "pavilion\n");
    std::thread::sleep(Duration::from_secs(7));
    assert_eq!(table.addresses(&key), [table.link("192.0.2.9")]);
    let log = table.ends();
    assert_eq!(log.matches("the table goes on with the addresses that it has").count(), 1, "{log}");
}

#[test]
fn a_table_answers_to_no_foreign_host_whoever_asks() {
    let scratch = Scratch::new();
    let addresses = scratch.write("addresses", "192.0.2.7 wlan0\n");
    let table = Table::start(&scratch, &["--addresses", &addresses, "--host", "pavilion.example"]);
    let key = key(&scratch);
    for token in [None, Some(key.as_str())] {
        for host in ["localhost", "127.0.0.1", "192.0.2.7", "pavilion.example"] {
            assert_eq!(table.ask("127.0.0.1", host, token).0, 200, "{host}");
        }
        for host in ["evil.example", "192.0.2.8", "phone.local"] {
            let (status, refusal) = table.ask("127.0.0.1", host, token);
            assert_eq!((status, &refusal["type"]), (421, &Value::from("/problems/misdirected-request")));
            let detail = refusal["detail"].as_str().unwrap();
            assert!(detail.contains("the names and addresses of its own machine"), "{detail}");
            assert!(detail.contains(host) && !detail.contains("192.0.2.7"), "{detail}");
        }
    }
}

/// An address of this machine that is no loopback, where it is in a network.
fn on_the_way_out() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("203.0.113.1:9").ok()?;
    Some(socket.local_addr().ok()?.ip())
}

#[test]
fn a_table_says_what_to_look_at_until_another_device_comes() {
    let scratch = Scratch::new();
    // This machine's own address is not among those of the table, so it counts as another device.
    let addresses = scratch.write("addresses", "198.51.100.4 wlan0\n");
    let mut table = Table::start(&scratch, &["--addresses", &addresses]);
    assert_eq!(table.about(None).1["visited"], false);
    table.says_within("Look at these:\n", Duration::from_secs(60));
    let printed = table.printed();
    for words in ["same wifi", "for guests", "Mobile data is off", "firewall", "not sleep", "hotspot"] {
        assert_eq!(printed.lines().filter(|line| line.starts_with("- ") && line.contains(words)).count(), 1);
    }
    assert!(printed.contains(&table.port.to_string()), "the firewall is opened for this port");
    let Some(other) = on_the_way_out() else { return };
    assert_eq!(table.about(None).1["visited"], false, "this machine is no other device");
    assert_eq!(table.ask(&other.to_string(), "evil.example", None).0, 421);
    assert_eq!(table.about(None).1["visited"], false, "a request that is refused is no visit");
    let (status, about) = table.ask(&other.to_string(), "198.51.100.4", None);
    assert_eq!((status, &about["visited"]), (200, &Value::from(true)));
    table.says("Another device has come.\n");
    assert_eq!(table.printed().matches("No other device has come yet.").count(), 2, "it stops saying so");
}

#[test]
fn options_of_a_table_that_cannot_be_are_refused_in_words() {
    let scratch = Scratch::new();
    let serve = |arguments: &[&str]| run_in(&scratch, &[&["serve", "--log", "error"], arguments].concat());
    for listen in ["127.0.0.1:0", "192.0.2.7:0", "[::1]:0"] {
        let refused = serve(&["--table", "--listen", listen]);
        refused.failed(&["--table listens on every address", listen, "--listen 0.0.0.0:PORT"]);
    }
    serve(&["--table", "--listen", "pavilion"]).failed(&["is not HOST:PORT"]);
    let without = serve(&["--new-table-key"]);
    assert!(without.code == Some(2) && without.err.contains("--table"), "{without:?}");
    let both = serve(&["--table", "--new-table-key", "--admin-token", "of-the-club"]);
    both.failed(&["--admin-token", "--new-table-key"]);
    let postgres =
        ["--table", "--listen", "0.0.0.0:0", "--database", "postgres://umpire@127.0.0.1:1/cricket"];
    serve(&postgres).failed(&["Postgres has none", "--admin-token"]);
    for (text, fault) in [("pavilion\n", "line 1"), ("192.0.2.7\n127.0.0.1 lo\n", "line 2")] {
        let addresses = scratch.write("addresses", text);
        let refused = serve(&["--table", "--listen", "0.0.0.0:0", "--addresses", &addresses]);
        refused.failed(&[&addresses, fault, "192.0.2.7 wlan0"]);
    }
    serve(&["--table", "--listen", "0.0.0.0:0", "--addresses", &scratch.file("missing")])
        .failed(&["missing"]);
    run(&["serve", "--table", "--listen", "0.0.0.0:0", "--database", "sqlite://:memory:"])
        .failed(&["name a file"]);
    assert!(!key_file(&scratch).exists() || mode(&scratch) == 0o600);
}

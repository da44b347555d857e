//! Chromium and its driver, and the drivers of other browsers. Some more run at once than the machine has
//! processors, since each waits now and then. A Chromium in which a test has passed goes on with the next
//! one that wants its like, in its tab, or in a fresh window where the test has set something; nothing that
//! was stored is in it: to start a Chromium costs as much as five taps.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use thirtyfour::Capabilities;

use crate::hand::Hand;
use crate::port::free_port;

/// What a Chromium is told that has no screen, and may run as root in a container, with fewer processes and
/// threads than it would have.
pub const WITHOUT_SCREEN: [&str; 6] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--in-process-gpu",
    "--renderer-process-limit=1",
];

/// Chromium without a user interface, which takes a third less of the processor. The program of this name in
/// `PATH` is a script that leaves it running when the driver ends it.
const HEADLESS_SHELL: &str = "/usr/lib/chromium/chromium-headless-shell";

/// The Chromium that the tests drive, where it is not the one that the driver finds by itself.
pub fn headless_shell() -> Option<&'static str> {
    Path::new(HEADLESS_SHELL).is_file().then_some(HEADLESS_SHELL)
}

/// How long a driver may take to listen.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running driver.
pub struct Driver {
    child: Child,
    pub url: String,
}

/// How many browsers run now. A browser is large, and a page waits for its processor.
static RUNNING: Mutex<usize> = Mutex::new(0);
static ENDED: Condvar = Condvar::new();

/// How many browsers run beyond one a processor. Some tests wait half of their time for a wire that lies.
const BEYOND: usize = 2;

/// The browsers that wait for a test.
static IDLE: Mutex<Vec<Browser>> = Mutex::new(Vec::new());

/// A test's turn with a browser. A test that takes a second one may wait for ever.
pub struct Turn(());

impl Turn {
    fn taken() -> Turn {
        let most = available_parallelism().map_or(1, |processors| processors.get()) + BEYOND;
        let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let mut running =
            ENDED.wait_while(running, |running| *running >= most).unwrap_or_else(PoisonError::into_inner);
        *running += 1;
        Turn(())
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        *running -= 1;
        // Nothing says which test is the last one.
        let left = if *running == 0 { std::mem::take(&mut *idle()) } else { Vec::new() };
        drop(running);
        ENDED.notify_one();
        drop(left);
    }
}

fn idle() -> MutexGuard<'static, Vec<Browser>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A Chromium with its driver, in the hand of a test.
pub struct Browser {
    // The browser ends before its driver.
    pub hand: Hand,
    pub driver: Driver,
    /// The capabilities, as text.
    kind: String,
}

impl Browser {
    /// One with these capabilities, whose pages are at this address: one that waits, or another.
    pub fn of(capabilities: Capabilities, base: &str) -> Browser {
        let kind = format!("{capabilities:?}");
        let mut idle = idle();
        let place = idle.iter().position(|browser| browser.kind == kind);
        let found = place.map(|place| idle.swap_remove(place));
        drop(idle);
        match found.filter(|browser| browser.hand.is_there()) {
            Some(mut browser) => {
                browser.hand.turns_to_pages_at(base);
                browser
            }
            None => {
                let starts = || {
                    let driver = Driver::start();
                    Hand::tries(base, &driver.url, capabilities.clone()).map(|hand| (hand, driver))
                };
                // One in a single process ends now and then as it starts. It goes with its driver.
                let started = starts().or_else(|_| starts()).or_else(|_| starts());
                let (hand, driver) = started.expect("a browser starts");
                Browser { hand, driver, kind }
            }
        }
    }

    /// Waits for the next test.
    pub fn rests(self) {
        idle().push(self);
    }
}

/// A test's turn. `None` where the machine has no browser.
pub fn turn() -> Option<Turn> {
    let (chromium, driver) = (in_path("chromium"), in_path("chromedriver"));
    if chromium.is_none() || driver.is_none() {
        let required = std::env::var("REQUIRE_BROWSER").is_ok_and(|value| value == "1");
        assert!(!required, "REQUIRE_BROWSER=1, and chromium or chromedriver is not in PATH");
        eprintln!("skipped: chromium and chromedriver are not in PATH");
        return None;
    }
    Some(Turn::taken())
}

/// Where a program is, if the shell would find it.
pub fn in_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

impl Driver {
    /// Starts a driver on a port that is free, and waits until it says which. The driver takes the port for
    /// two addresses, and ends where the second one has been taken meanwhile: then another is started.
    pub fn start() -> Driver {
        (0..5).find_map(|_| Driver::try_to_start()).expect("chromedriver says on which port it listens")
    }

    fn try_to_start() -> Option<Driver> {
        let mut child = Command::new("chromedriver")
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts");
        let printed = BufReader::new(child.stdout.take().expect("the output is a pipe"));
        let port = printed.lines().map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("was started successfully on port ")?;
            port.trim_end_matches('.').parse::<u16>().ok()
        });
        match port {
            Some(port) => Some(Driver { child, url: format!("http://127.0.0.1:{port}") }),
            None => {
                // It has closed its output, so it ends.
                let _ = child.wait();
                None
            }
        }
    }

    /// Starts a driver that does not say where it listens, by the command for a port that is free. Where that
    /// has been taken meanwhile, another one is tried.
    pub fn at_a_port(command: impl Fn(u16) -> Command) -> Driver {
        let mut starts = (0..5).map(|_| free_port()).map(|port| Driver::try_at(port, command(port)));
        starts.find_map(|driver| driver).expect("the driver listens")
    }

    fn try_at(port: u16, mut command: Command) -> Option<Driver> {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let mut driver = Driver { child, url: format!("http://127.0.0.1:{port}") };
        let begun = Instant::now();
        while driver.child.try_wait().is_ok_and(|ended| ended.is_none()) && begun.elapsed() < PATIENCE {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return Some(driver);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        None
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Whatever browser a failed test has left ends with its driver's session.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

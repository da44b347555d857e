//! What each engine needs, and how it is opened without a screen.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use third_umpire_test_support::program::Scratch;

use super::hosts;
use crate::browser::{Driver, WITHOUT_SCREEN, headless_shell, in_path};
use crate::hand::Hand;

/// An engine, by a browser that has it.
#[derive(Debug, Clone, Copy)]
pub enum Engine {
    Chromium,
    WebKit,
    Firefox,
}

/// A browser, which ends with its test.
pub struct Browser {
    // The browser ends before its driver, and that before its screen and its folder.
    pub hand: Hand,
    _driver: Driver,
    _screen: Option<Screen>,
    _folder: Scratch,
    _turn: MutexGuard<'static, ()>,
}

/// The engines take turns. They take none from the other tests: their match is mostly waiting.
static TURN: Mutex<()> = Mutex::new(());

impl Engine {
    /// Opens the browser on the pages at this address. `None`, and words, where the machine lacks what it
    /// needs. With `REQUIRE_ENGINES=1` that is a failure.
    pub fn opens(self, base: &str) -> Option<Browser> {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(missing) = self.missing() {
            let required = std::env::var("REQUIRE_ENGINES").is_ok_and(|value| value == "1");
            assert!(!required, "REQUIRE_ENGINES=1, and {missing}");
            eprintln!("skipped: {self:?}, since {missing}");
            return None;
        }
        let (folder, screen) = (Scratch::new(), matches!(self, Engine::WebKit).then(Screen::lit));
        let driver = Driver::at_a_port(|port| self.driver(port, &folder, screen.as_ref()));
        let capabilities = self.capabilities().as_object().cloned().expect("an object");
        let hand = Hand::at(base, &driver.url, capabilities.into());
        Some(Browser { hand, _driver: driver, _screen: screen, _folder: folder, _turn: turn })
    }

    /// What this machine lacks, in words.
    fn missing(self) -> Option<String> {
        let firefox = if in_path("firefox-esr").is_some() { "firefox-esr" } else { "firefox" };
        let programs = match self {
            Engine::Chromium => ["chromium", "chromedriver"],
            Engine::WebKit => ["WebKitWebDriver", "Xvfb"],
            Engine::Firefox => [firefox, "geckodriver"],
        };
        if let Some(program) = programs.iter().find(|program| in_path(program).is_none()) {
            return Some(format!("{program} is not in PATH"));
        }
        (!hosts::are_known()).then(|| format!("the hosts file lacks the line {:?}", hosts::LINE))
    }

    /// The command of the driver. What its browser keeps is in a folder of the test.
    fn driver(self, port: u16, folder: &Scratch, screen: Option<&Screen>) -> Command {
        let mut command = Command::new(match self {
            Engine::Chromium => "chromedriver",
            Engine::WebKit => "WebKitWebDriver",
            Engine::Firefox => "geckodriver",
        });
        command.arg(format!("--port={port}")).env("HOME", folder.path());
        if let Engine::Firefox = self {
            command.arg("--profile-root").arg(folder.path());
        }
        if let Some(screen) = screen {
            command.env("DISPLAY", &screen.name).env("GDK_BACKEND", "x11");
            // To compose a page of layers takes as long as all else.
            command.env("WEBKIT_DISABLE_COMPOSITING_MODE", "1");
        }
        command
    }

    fn capabilities(self) -> Value {
        match self {
            Engine::Chromium => {
                let mut options = json!({"args": WITHOUT_SCREEN});
                if let Some(program) = headless_shell() {
                    options["binary"] = json!(program);
                }
                json!({"goog:chromeOptions": options})
            }
            // The driver opens the browser that its package has.
            Engine::WebKit => json!({}),
            Engine::Firefox => {
                let options = json!({"binary": firefox(), "args": ["-headless"], "prefs": one_process()});
                json!({"moz:firefoxOptions": options})
            }
        }
    }
}

/// What a Firefox is told whose pages have one process.
fn one_process() -> Value {
    json!({
        "fission.autostart": false,
        "dom.ipc.processCount": 1,
        "dom.ipc.processPrelaunch.enabled": false,
    })
}

fn firefox() -> Option<PathBuf> {
    in_path("firefox-esr").or_else(|| in_path("firefox"))
}

/// A screen that nobody sees, for a browser that cannot do without.
struct Screen {
    child: Child,
    name: String,
}

impl Screen {
    fn lit() -> Screen {
        let mut child = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts");
        let mut number = String::new();
        let mut printed = BufReader::new(child.stdout.take().expect("the output is a pipe"));
        printed.read_line(&mut number).expect("Xvfb says which screen it is");
        Screen { child, name: format!(":{}", number.trim()) }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

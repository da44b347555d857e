//! A phone with the pages: Chromium, whose clock and console are in the test's hand as well.

use std::ops::Deref;
use std::sync::LazyLock;
use std::time::Duration;

use serde_json::{Value, json};
use thirtyfour::prelude::*;
use thirtyfour::{ChromeCapabilities, ChromiumLikeCapabilities, WindowHandle};
use ureq::Agent;

use crate::browser::{Browser, Turn, WITHOUT_SCREEN, headless_shell, turn};
use crate::clock;
use crate::devtools::Command;
use crate::hand::{Hand, LEAVING};

/// A browser the size of a phone, with its clock in the hand of the test.
pub struct Phone {
    /// There until the test ends.
    browser: Option<Browser>,
    /// Words of the console's messages that the test brings about. Any other message fails it.
    pub expected: Vec<&'static str>,
    model: Model,
    // The browser ends, or rests, before the turn does.
    _turn: Turn,
}

/// The lines to the drivers. One that is opened for each command takes longer than the command. A driver
/// whose browser hangs does not answer.
static DRIVERS: LazyLock<Agent> = LazyLock::new(|| {
    let config = Agent::config_builder().timeout_global(Some(Duration::from_secs(60)));
    config.build().into()
});

/// What a Chromium is told that is not whole: it draws nothing, and does not optimise a script, since most
/// pages of the tests end before that pays.
const NOT_WHOLE: [&str; 2] = [
    "--blink-settings=acceleratedCompositingEnabled=false",
    "--js-flags=--single-threaded,--no-opt,--no-maglev",
];
/// Such a Chromium may never call itself idle while a page is still.
const IDLE: &str = "globalThis.requestIdleCallback = (call) => setTimeout(call)";

/// The middle of what a selector names, where nothing lies over it and it leads to no other page. A finger
/// waits for a sheet that rises.
const IN_SIGHT: &str = "const found = document.querySelector(arguments[0]); \
    if (!found || found.closest('a, select, input')) return null; \
    const rising = found.closest('dialog')?.getAnimations({subtree: true}) ?? []; \
    return Promise.allSettled(rising.map(({finished}) => finished)).then(() => { \
      const box = found.getClientRects()[0]; \
      if (!box) return null; \
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]; \
      return found.contains(document.elementFromPoint(x, y)) ? {x, y} : null; \
    })";

/// What a phone differs in.
#[derive(Clone, Copy)]
pub struct Model {
    pub width: u32,
    pub height: u32,
    pub dark: bool,
    /// Whether its owner prefers that nothing moves.
    pub still: bool,
    /// Whether the pages run their scripts.
    pub scripts: bool,
    /// How many dots a pixel of the page has, each way.
    pub ratio: u8,
    /// Whether the browser has its processes and its disk, draws, and optimises scripts, as that of people.
    /// It takes half as much again of the processor. It is for pictures, for figures, and for what depends
    /// on one of these.
    pub whole: bool,
}

impl Model {
    /// The phone of the tests.
    pub const PHONE: Model =
        Model { width: 360, height: 640, dark: false, still: false, scripts: true, ratio: 1, whole: false };
    /// The phone of people.
    pub const WHOLE: Model = Model { whole: true, ..Model::PHONE };
}

impl Phone {
    /// A phone on the pages at this address. `None` where the machine has no browser.
    pub fn at(base: &str) -> Option<Phone> {
        Phone::of(Model::PHONE, base)
    }

    /// A phone on which nothing moves. A match of many taps ends a third sooner on it.
    pub fn without_motion(base: &str) -> Option<Phone> {
        Phone::of(Model { still: true, ..Model::PHONE }, base)
    }

    pub fn of(model: Model, base: &str) -> Option<Phone> {
        let turn = turn()?;
        let browser = Browser::of(capabilities(model).expect("capabilities").into(), base);
        let phone = Phone { browser: Some(browser), expected: Vec::new(), model, _turn: turn };
        phone.begins();
        if model.dark {
            phone.turns_dark(true);
        }
        Some(phone)
    }

    fn browser(&self) -> &Browser {
        self.browser.as_ref().expect("the browser is there until the test ends")
    }

    /// Asks the pages for their dark theme, or their light one.
    pub fn turns_dark(&self, is_dark: bool) {
        self.prefers("prefers-color-scheme", if is_dark { "dark" } else { "light" });
    }

    /// Tells the pages what their reader prefers, and nothing else of that.
    fn prefers(&self, name: &str, value: &str) {
        self.cdp("Emulation.setEmulatedMedia", &json!({"features": [{"name": name, "value": value}]}));
    }

    /// Sends a command of the DevTools protocol, for which WebDriver has no word. The driver sends it, since
    /// what it sets lasts as long as who has set it.
    pub fn cdp(&self, command: &str, parameters: &Value) {
        self.tells(command, parameters);
    }

    /// What such a command answers.
    pub fn tells(&self, command: &str, parameters: &Value) -> Value {
        self.browser().hand.notes_plain(false);
        self.asks("/goog/cdp/execute", &json!({"cmd": command, "params": parameters}))["value"].clone()
    }

    /// Sends the driver a command of its own, below the session.
    fn asks(&self, path: &str, body: &Value) -> Value {
        let url = format!("{}/session/{}{path}", self.browser().driver.url, self.session());
        let request = DRIVERS.post(url).content_type("application/json");
        let mut answer = request.send(body.to_string()).expect("the command is known");
        let text = answer.body_mut().read_to_string().expect("the answer is text");
        serde_json::from_str(&text).expect("the answer is JSON")
    }

    /// Makes the browser what it is at a test's beginning, and lets its messages go. Returns whether it is.
    pub fn begins_anew(&self) -> bool {
        let has_begun = self.browser().hand.begins_anew();
        if has_begun {
            self.complaints();
        }
        has_begun
    }

    /// Makes the tab one of this phone. One in which a phone of its like was before is that already.
    fn begins(&self) {
        if self.browser().hand.is_plain() {
            self.keeps_still();
        } else {
            self.prepares_page();
            self.browser().hand.notes_plain(!self.model.still);
        }
    }

    fn keeps_still(&self) {
        if self.model.still {
            self.prefers("prefers-reduced-motion", "reduce");
        }
    }

    /// From the next page on, its clock is in the hand of the test, and it says when it leaves.
    fn prepares_page(&self) {
        self.keeps_still();
        if !self.model.whole {
            self.prepares(IDLE);
        }
        self.prepares(LEAVING);
        self.prepares(clock::SCRIPT);
    }

    /// Runs a script in every page before its own, from the next one on.
    pub fn prepares(&self, script: &str) {
        self.cdp("Page.addScriptToEvaluateOnNewDocument", &json!({"source": script}));
    }

    /// Opens another tab, and looks at it. Its clock is in the hand of the test as well.
    pub fn opens_tab(&self) {
        self.browser().hand.opens_tab();
        self.prepares_page();
    }

    /// Opens another window, and looks at it. Unlike a tab it is seen while another is looked at.
    pub fn opens_window(&self) {
        self.browser().hand.opens_window();
        self.prepares_page();
    }

    /// Closes the tab that is looked at, and opens another, with the clock and these scripts before its own.
    pub fn changes_tab(&self, scripts: &[&str]) {
        self.browser().hand.changes_tab();
        self.prepares_page();
        scripts.iter().for_each(|script| self.prepares(script));
    }

    /// Looks at a tab, by the order in which they were opened.
    pub fn looks_at_tab(&self, place: usize) {
        self.looks_at(&self.tabs()[place]);
    }

    /// Opens an empty tab, and looks at it, with the clock and these scripts before its own.
    pub fn adds_tab(&self, scripts: &[&str]) -> WindowHandle {
        self.opens_tab();
        scripts.iter().for_each(|script| self.prepares(script));
        self.tab()
    }

    /// Presses a key of a keyboard; `repeats` as often as a key that is held does by itself.
    pub fn presses(&self, key: &str, repeats: usize) {
        let press = |is_repeat: bool| {
            let text = match key {
                "Enter" => "\r",
                _ if key.chars().count() == 1 => key,
                _ => "",
            };
            let mut event = json!({"type": "keyDown", "key": key, "text": text, "autoRepeat": is_repeat});
            // What the browser itself does with a key goes by its code.
            let code = [("Tab", 9), ("Enter", 13), ("Escape", 27), (" ", 32), ("ArrowRight", 39)];
            if let Some((_, code)) = code.iter().find(|(name, _)| *name == key) {
                event["windowsVirtualKeyCode"] = json!(code);
            }
            event
        };
        let mut events = vec![press(false)];
        events.extend((0..repeats).map(|_| press(true)));
        events.push(json!({"type": "keyUp", "key": key}));
        self.puts_in("Input.dispatchKeyEvent", events);
        self.settles();
    }

    /// Taps what a selector names, as a finger does. Where it is not simply in sight, the driver does, which
    /// scrolls, follows links, and says what is wrong; it takes ten times as long.
    #[track_caller]
    pub fn taps(&self, selector: &str) {
        let at = self.run(IN_SIGHT, vec![json!(selector)]);
        let (Some(x), Some(y)) = (at["x"].as_f64(), at["y"].as_f64()) else {
            return self.browser().hand.taps(selector);
        };
        let event = |kind| json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1});
        self.puts_in("Input.dispatchMouseEvent", ["mousePressed", "mouseReleased"].map(event));
        self.settles();
    }

    /// Gives the browser what a hand does.
    fn puts_in(&self, command: &str, events: impl IntoIterator<Item = Value>) {
        let commands: Vec<Command> = events.into_iter().map(|event| (command, event)).collect();
        self.browser().hand.does(&commands);
    }

    /// Enters a number of a die. The clock moves on as long as a finger takes to come back.
    #[track_caller]
    pub fn rolls(&self, face: u8) {
        self.taps(&format!("[data-die='{face}']"));
        self.waits_ms(400);
    }

    /// Enters this number of a die, or the first one that has a key: faces that are printed alike have one.
    #[track_caller]
    pub fn rolls_about(&self, face: u8) {
        let key = format!("[data-die='{face}']");
        self.taps(if self.has(&key) { &key } else { "[data-die]" });
        self.waits_ms(400);
    }

    /// Moves the clock of the page on.
    pub fn waits_ms(&self, ms: u64) {
        self.settles_after(&format!("moveClock({ms})"));
    }

    /// Moves the clock on until what is kept has gone.
    pub fn until_saved(&self) {
        let saved = "moveClock(1000); return document.querySelector('.sync')?.dataset.sync === 'saved'";
        self.waits("what is kept goes", saved);
        self.settles();
    }

    /// The messages of the console that are no information: each is a fault of the page.
    pub fn complaints(&self) -> Vec<String> {
        let log = self.asks("/se/log", &json!({"type": "browser"}));
        let lines = log["value"].as_array().cloned().unwrap_or_default();
        let grave = lines.iter().filter(|line| line["level"] == "SEVERE" || line["level"] == "WARNING");
        let messages = grave.map(|line| line["message"].to_string());
        let expected = |message: &String| {
            message.contains(CLOCK_IS_OFF) || self.expected.iter().any(|words| message.contains(words))
        };
        messages.filter(|message| !expected(message)).collect()
    }
}

/// The clock of the tests is not that of the service, which refuses the first id of a new match for its time.
const CLOCK_IS_OFF: &str = "/v1/matches - Failed to load resource: the server responded with a status of 422";

impl Deref for Phone {
    type Target = Hand;

    fn deref(&self) -> &Hand {
        &self.browser().hand
    }
}

/// The browser of a model.
pub fn capabilities(model: Model) -> WebDriverResult<ChromeCapabilities> {
    let mut capabilities = DesiredCapabilities::chrome();
    if let Some(program) = headless_shell() {
        capabilities.set_binary(program)?;
        if !model.whole {
            capabilities.add_arg("--single-process")?;
            capabilities.add_arg("--incognito")?;
        }
    }
    for argument in WITHOUT_SCREEN {
        capabilities.add_arg(argument)?;
    }
    let others: &[&str] = if model.whole { &["--js-flags=--single-threaded"] } else { &NOT_WHOLE };
    for argument in others {
        capabilities.add_arg(argument)?;
    }
    capabilities.add_arg("--host-resolver-rules=MAP table.test 127.0.0.1, MAP 192.0.2.7 127.0.0.1")?;
    if !model.scripts {
        let off = json!({"profile.managed_default_content_settings.javascript": 2});
        capabilities.add_experimental_option("prefs", off)?;
    }
    let metrics =
        json!({"width": model.width, "height": model.height, "pixelRatio": model.ratio, "touch": true});
    capabilities.add_experimental_option("mobileEmulation", json!({"deviceMetrics": metrics}))?;
    capabilities.set("goog:loggingPrefs", json!({"browser": "ALL"}))?;
    Ok(capabilities)
}

impl Drop for Phone {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let complaints = self.complaints();
        assert!(complaints.is_empty(), "the browser complains: {complaints:#?}");
        if self.begins_anew() {
            self.browser.take().into_iter().for_each(Browser::rests);
        }
    }
}

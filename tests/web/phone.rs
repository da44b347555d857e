//! A phone with the pages: what a person does with it, as verbs. Every verb waits until the page has settled.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use thirtyfour::prelude::*;
use tokio::runtime::Runtime;

use crate::browser::{Driver, Turn, turn};
use crate::clock;

/// The longest that a page may take to settle. No test waits for it to pass.
const PATIENCE: Duration = Duration::from_secs(20);

/// A browser the size of a phone, with its clock in the hand of the test.
pub struct Phone {
    runtime: Runtime,
    driver: Option<WebDriver>,
    base: String,
    /// Words of the console's messages that the test brings about. Any other message fails it.
    pub expected: Vec<&'static str>,
    chromedriver: Driver,
    _turn: Turn,
}

/// What a phone differs in.
#[derive(Clone, Copy)]
pub struct Model {
    pub width: u32,
    pub height: u32,
    pub dark: bool,
    /// Whether the pages run their scripts.
    pub scripts: bool,
    /// How many dots a pixel of the page has, each way.
    pub ratio: u8,
}

impl Default for Model {
    fn default() -> Self {
        Model { width: 360, height: 640, dark: false, scripts: true, ratio: 1 }
    }
}

impl Phone {
    /// A phone on the pages at this address. `None` where the machine has no browser.
    pub fn at(base: &str) -> Option<Phone> {
        Phone::of(Model::default(), base)
    }

    pub fn of(model: Model, base: &str) -> Option<Phone> {
        let (turn, chromedriver) = turn()?;
        let runtime = Runtime::new().expect("a runtime");
        let driver = runtime.block_on(open(&chromedriver.url, model)).expect("a browser");
        let phone = Phone {
            runtime,
            driver: Some(driver),
            base: base.to_owned(),
            expected: Vec::new(),
            chromedriver,
            _turn: turn,
        };
        phone.prepares(clock::SCRIPT);
        Some(phone)
    }

    fn driver(&self) -> &WebDriver {
        self.driver.as_ref().expect("the browser is open")
    }

    /// Sends a command of the DevTools protocol, for which WebDriver has no word.
    pub fn cdp(&self, command: &str, parameters: &Value) {
        self.tells(command, parameters);
    }

    /// What such a command answers.
    pub fn tells(&self, command: &str, parameters: &Value) -> Value {
        self.asks("/goog/cdp/execute", &json!({"cmd": command, "params": parameters}))["value"].clone()
    }

    /// Sends the driver a command of its own, below the session.
    fn asks(&self, path: &str, body: &Value) -> Value {
        let url = format!("{}/session/{}{path}", self.chromedriver.url, self.driver().session_id());
        let request = ureq::post(url).content_type("application/json");
        let mut answer = request.send(body.to_string()).expect("the command is known");
        let text = answer.body_mut().read_to_string().expect("the answer is text");
        serde_json::from_str(&text).expect("the answer is JSON")
    }

    /// Runs a script in every page before its own, from the next one on.
    pub fn prepares(&self, script: &str) {
        self.cdp("Page.addScriptToEvaluateOnNewDocument", &json!({"source": script}));
    }

    /// Opens another tab, and looks at it. Its clock is in the hand of the test as well.
    pub fn opens_tab(&self) {
        let opened = self.runtime.block_on(async {
            let tab = self.driver().new_tab().await?;
            self.driver().switch_to_window(tab).await
        });
        opened.expect("a tab opens");
        self.prepares(clock::SCRIPT);
    }

    /// Closes the tab that is looked at, and opens another, with the clock and these scripts before its own.
    pub fn changes_tab(&self, scripts: &[&str]) {
        let changed = self.runtime.block_on(async {
            let old = self.driver().window().await?;
            let tab = self.driver().new_tab().await?;
            self.driver().switch_to_window(old).await?;
            self.driver().close_window().await?;
            self.driver().switch_to_window(tab).await
        });
        changed.expect("a tab opens");
        self.prepares(clock::SCRIPT);
        scripts.iter().for_each(|script| self.prepares(script));
    }

    /// Looks at a tab, by the order in which they were opened.
    pub fn looks_at_tab(&self, place: usize) {
        let looked = self.runtime.block_on(async {
            let tabs = self.driver().windows().await?;
            self.driver().switch_to_window(tabs[place].clone()).await
        });
        looked.expect("there is such a tab");
        self.settles();
    }

    /// The tab that is looked at.
    pub fn tab(&self) -> WindowHandle {
        self.runtime.block_on(self.driver().window()).expect("a tab is open")
    }

    /// Opens an empty tab, and looks at it, with the clock and these scripts before its own.
    pub fn adds_tab(&self, scripts: &[&str]) -> WindowHandle {
        self.opens_tab();
        scripts.iter().for_each(|script| self.prepares(script));
        self.tab()
    }

    /// Looks at a tab, whether its page has settled or not.
    pub fn turns_to(&self, tab: &WindowHandle) {
        self.runtime.block_on(self.driver().switch_to_window(tab.clone())).expect("the tab is open");
    }

    /// Closes the tab that is looked at.
    pub fn closes_tab(&self) {
        self.runtime.block_on(self.driver().close_window()).expect("the tab closes");
    }

    /// Presses a key of a keyboard; `repeats` as often as a key that is held does by itself.
    pub fn presses(&self, key: &str, repeats: usize) {
        let press = |is_repeat: bool| {
            let text = if key == "Enter" { "\r" } else { key };
            let event = json!({"type": "keyDown", "key": key, "text": text, "autoRepeat": is_repeat});
            self.cdp("Input.dispatchKeyEvent", &event);
        };
        press(false);
        (0..repeats).for_each(|_| press(true));
        self.cdp("Input.dispatchKeyEvent", &json!({"type": "keyUp", "key": key}));
        self.settles();
    }

    /// Opens a page, by its path or by its whole address.
    pub fn opens(&self, path: &str) {
        self.goes_to(path);
        self.settles();
    }

    /// Opens a page that never settles, since it runs no scripts.
    pub fn goes_to(&self, path: &str) {
        let url = if path.starts_with("http") { path.to_owned() } else { format!("{}{path}", self.base) };
        self.runtime.block_on(self.driver().goto(url)).expect("the page opens");
    }

    /// Loads the page again.
    pub fn reloads(&self) {
        self.runtime.block_on(self.driver().refresh()).expect("the page loads");
        self.settles();
    }

    /// Waits until the page owes nothing: no request, no write, no drawing.
    pub fn settles(&self) {
        self.waits("the page settles", "return document.documentElement.hasAttribute('data-settled')");
    }

    /// Waits until a script says yes.
    pub fn waits(&self, what: &str, script: &str) {
        let begun = Instant::now();
        while self.run(script, vec![]) != Value::Bool(true) {
            assert!(begun.elapsed() < PATIENCE, "not in time: {what}\n{}", self.text("body"));
            std::thread::yield_now();
        }
    }

    /// Runs a script in the page.
    pub fn run(&self, script: &str, arguments: Vec<Value>) -> Value {
        let ran = self.runtime.block_on(self.driver().execute(script, arguments));
        ran.map(|value| value.json().clone()).unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Taps what a selector names, as a finger does.
    #[track_caller]
    pub fn taps(&self, selector: &str) {
        let tapped =
            self.runtime.block_on(async { self.driver().find(By::Css(selector)).await?.click().await });
        tapped.unwrap_or_else(|error| panic!("{selector}: {error}\n{}", self.text("body")));
        self.settles();
    }

    /// Enters a number of a die. The clock moves on as long as a finger takes to come back.
    #[track_caller]
    pub fn rolls(&self, face: u8) {
        self.taps(&format!("[data-die='{face}']"));
        self.waits_ms(400);
    }

    /// Taps what a selector names, where it is in sight and nothing lies over it. Returns whether it did.
    pub fn tries_to_tap(&self, selector: &str) -> bool {
        let tapped =
            self.runtime.block_on(async { self.driver().find(By::Css(selector)).await?.click().await });
        tapped.is_ok()
    }

    /// Opens an address, and returns whether there was a page.
    pub fn tries_to_open(&self, address: &str) -> bool {
        self.runtime.block_on(self.driver().goto(address)).is_ok()
    }

    /// Types into a field.
    pub fn types(&self, selector: &str, text: &str) {
        let typed = self
            .runtime
            .block_on(async { self.driver().find(By::Css(selector)).await?.send_keys(text).await });
        typed.unwrap_or_else(|error| panic!("{selector}: {error}"));
        self.settles();
    }

    /// Moves the clock of the page on.
    pub fn waits_ms(&self, ms: u64) {
        self.run("moveClock(arguments[0])", vec![json!(ms)]);
        self.settles();
    }

    /// The text that a person reads at a selector.
    pub fn text(&self, selector: &str) -> String {
        let script = "return document.querySelector(arguments[0])?.innerText ?? ''";
        self.run(script, vec![json!(selector)]).as_str().unwrap_or_default().replace('\n', " ")
    }

    /// Asserts that a person reads these words there.
    #[track_caller]
    pub fn reads(&self, selector: &str, words: &str) {
        let text = self.text(selector);
        assert!(text.contains(words), "{selector}: {text:?}, not {words:?}\n{}", self.text("body"));
    }

    pub fn has(&self, selector: &str) -> bool {
        self.run("return document.querySelector(arguments[0]) !== null", vec![json!(selector)]) == true
    }

    /// The page as it is seen, as a PNG file.
    pub fn picture(&self) -> Vec<u8> {
        self.runtime.block_on(self.driver().screenshot_as_png()).expect("a picture")
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

/// A session with the browser of a model.
async fn open(chromedriver: &str, model: Model) -> WebDriverResult<WebDriver> {
    let mut capabilities = DesiredCapabilities::chrome();
    for argument in [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--host-resolver-rules=MAP table.test 127.0.0.1",
    ] {
        capabilities.add_arg(argument)?;
    }
    if model.dark {
        capabilities.add_arg("--force-dark-mode")?;
    }
    if !model.scripts {
        let off = json!({"profile.managed_default_content_settings.javascript": 2});
        capabilities.add_experimental_option("prefs", off)?;
    }
    let metrics =
        json!({"width": model.width, "height": model.height, "pixelRatio": model.ratio, "touch": true});
    capabilities.add_experimental_option("mobileEmulation", json!({"deviceMetrics": metrics}))?;
    capabilities.set("goog:loggingPrefs", json!({"browser": "ALL"}))?;
    WebDriver::new(chromedriver, capabilities).await
}

impl Drop for Phone {
    fn drop(&mut self) {
        let complaints = if std::thread::panicking() { vec![] } else { self.complaints() };
        if let Some(driver) = self.driver.take() {
            let _ = self.runtime.block_on(driver.quit());
        }
        assert!(complaints.is_empty(), "the browser complains: {complaints:#?}");
    }
}

//! A hand on the pages: what a person does in a browser, as verbs that every driver knows. Every verb waits
//! until the page has settled.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use thirtyfour::prelude::*;
use thirtyfour::{Capabilities, WindowHandle};
use tokio::runtime::Runtime;

use crate::devtools::{Command, DevTools, Failure};

/// The longest that a page may take to settle, or to answer. No test waits for it to pass.
pub const PATIENCE: Duration = Duration::from_secs(20);
/// How long it is waited at most between two looks.
const LONGEST_PAUSE: Duration = Duration::from_millis(16);

const IS_SETTLED: &str = "return document.documentElement.hasAttribute('data-settled')";
/// Answers once the page owes nothing.
const SETTLED: &str = "return new Promise((settled) => {
    const root = document.documentElement;
    const look = () => root.hasAttribute('data-settled') && (seen.disconnect(), settled());
    const seen = new MutationObserver(() => setTimeout(look));
    seen.observe(root, {attributes: true});
    setTimeout(look);
})";

/// Says in a page whether it gives way to another one.
pub const LEAVING: &str = "globalThis.isLeaving = false; \
    navigation.addEventListener('navigate', ({destination, downloadRequest}) => { \
      if (!destination.sameDocument && downloadRequest === null) globalThis.isLeaving = true; \
    })";
/// Whether a page has loaded, and stays. Another one is asked by the driver, which waits for the next.
const IS_THERE: &str = "globalThis.isLeaving === false && document.readyState === 'complete'";
/// What another page answers.
const LEAVES: &str = "the page leaves";

/// A page that goes asks nobody, and leaves nothing to the next one of its tab.
const GOES: &str = "addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), true); \
    location.origin === 'null' || sessionStorage.clear()";

/// The origin of an address that has one.
fn origin_of(address: &str) -> Option<String> {
    let (scheme, rest) = address.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    Some(format!("{scheme}://{authority}"))
}

/// A hand in a browser that a driver has opened. The browser ends with it.
pub struct Hand {
    runtime: Runtime,
    driver: Option<WebDriver>,
    /// Where the DevTools of the browser are, if it is a Chromium.
    devtools: Option<String>,
    /// Those of the tab that is looked at.
    line: RefCell<Option<DevTools>>,
    base: String,
    /// The addresses that were opened.
    opened: RefCell<Vec<String>>,
    /// Whether the only tab has what a test begins with, and nothing beside it.
    is_plain: Cell<bool>,
}

impl Hand {
    /// Opens a browser, whose pages are at this address.
    pub fn at(base: &str, driver: &str, capabilities: Capabilities) -> Hand {
        Hand::tries(base, driver, capabilities).expect("a browser")
    }

    /// Tries to open a browser, whose pages are at this address.
    pub fn tries(base: &str, driver: &str, capabilities: Capabilities) -> WebDriverResult<Hand> {
        let runtime = Runtime::new().expect("a runtime");
        let opened = runtime.block_on(WebDriver::new(driver, capabilities))?;
        let options = opened.capabilities().get("goog:chromeOptions");
        let devtools = options.and_then(|options| options["debuggerAddress"].as_str()).map(str::to_owned);
        Ok(Hand {
            runtime,
            driver: Some(opened),
            devtools,
            line: RefCell::default(),
            base: base.to_owned(),
            opened: RefCell::default(),
            is_plain: Cell::new(false),
        })
    }

    /// Whether the browser still answers.
    pub fn is_there(&self) -> bool {
        self.runtime.block_on(self.driver().windows()).is_ok()
    }

    /// Whether the only tab has what a test begins with, and nothing beside it.
    pub fn is_plain(&self) -> bool {
        self.is_plain.get()
    }

    /// Notes whether the tab is plain.
    pub fn notes_plain(&self, is_plain: bool) {
        self.is_plain.set(is_plain);
    }

    /// Sends commands to the DevTools of the page that is looked at.
    #[track_caller]
    pub fn does(&self, commands: &[Command]) {
        let done = self.by_line(|line| line.does(commands)).expect("the browser has DevTools");
        done.unwrap_or_else(|error| panic!("{commands:?}: {error:?}"));
    }

    /// What the DevTools of the page that is looked at answer, if there are any.
    fn by_line<T>(&self, asks: impl FnOnce(&DevTools) -> Result<T, Failure>) -> Option<Result<T, Failure>> {
        let address = self.devtools.as_ref()?;
        let mut line = self.line.borrow_mut();
        if line.is_none() {
            *line = DevTools::of(address, &self.tab().to_string());
        }
        let answer = asks(line.as_ref()?);
        if matches!(answer, Err(Failure::Unanswered(_))) {
            *line = None;
        }
        Some(answer)
    }

    /// Does what ends with another tab that is looked at.
    fn turns<T>(&self, turning: impl Future<Output = WebDriverResult<T>>) -> WebDriverResult<T> {
        self.line.take();
        self.is_plain.set(false);
        self.runtime.block_on(turning)
    }

    /// From now on the pages are at this address.
    pub fn turns_to_pages_at(&mut self, base: &str) {
        base.clone_into(&mut self.base);
    }

    /// Makes the browser what it is at a test's beginning: one tab with an empty page, and nothing stored.
    /// Returns whether it is.
    pub fn begins_anew(&self) -> bool {
        let is_empty = self.is_plain() && self.empties_tab().is_ok() || self.takes_window().is_ok();
        let origins: BTreeSet<String> = self.opened.take().iter().filter_map(|url| origin_of(url)).collect();
        let clear = |origin| ("Storage.clearDataForOrigin", json!({"origin": origin, "storageTypes": "all"}));
        let clears: Vec<Command> = origins
            .into_iter()
            .map(clear)
            .chain(["Network.clearBrowserCookies", "Network.clearBrowserCache"].map(|name| (name, json!({}))))
            .collect();
        is_empty && self.by_line(|line| line.does(&clears)).is_some_and(|cleared| cleared.is_ok())
    }

    /// Opens an empty page in the only tab, which has no page before it. A new window takes longer.
    fn empties_tab(&self) -> Result<(), Failure> {
        let emptied = self.by_line(|line| {
            line.runs(GOES)?;
            line.does(&[("Page.navigate", json!({"url": "about:blank"}))])?;
            // The history is that of the page that has come.
            let begun = Instant::now();
            while line.runs("location.href")? != "about:blank" {
                if begun.elapsed() > PATIENCE {
                    return Err(Failure::unanswered("the page stays"));
                }
            }
            line.does(&[("Page.resetNavigationHistory", json!({}))])
        });
        emptied.unwrap_or_else(|| Err(Failure::unanswered("no line"))).map(drop)
    }

    /// Opens another window in the place of all that are open.
    fn takes_window(&self) -> WebDriverResult<()> {
        let driver = self.driver();
        self.turns(async {
            let old = driver.windows().await?;
            let window = driver.new_window().await?;
            for one in old {
                driver.switch_to_window(one).await?;
                driver.close_window().await?;
            }
            driver.switch_to_window(window).await
        })
    }

    fn driver(&self) -> &WebDriver {
        self.driver.as_ref().expect("the browser is open")
    }

    /// The name of the session with the driver.
    pub fn session(&self) -> String {
        self.driver().session_id().to_string()
    }

    /// The tab that is looked at.
    pub fn tab(&self) -> WindowHandle {
        self.runtime.block_on(self.driver().window()).expect("a tab is open")
    }

    /// The tabs, in the order of the driver.
    pub fn tabs(&self) -> Vec<WindowHandle> {
        self.runtime.block_on(self.driver().windows()).expect("the driver knows its tabs")
    }

    /// Opens another tab, and looks at it.
    pub fn opens_tab(&self) {
        let opened = self.turns(async {
            let tab = self.driver().new_tab().await?;
            self.driver().switch_to_window(tab).await
        });
        opened.expect("a tab opens");
    }

    /// Opens another window, and looks at it. Both are seen, as two phones are.
    pub fn opens_window(&self) {
        let opened = self.turns(async {
            let window = self.driver().new_window().await?;
            self.driver().switch_to_window(window).await
        });
        opened.expect("a window opens");
    }

    /// Gives the window that is looked at a width and a height, as far as the browser can be so small.
    pub fn resizes(&self, (width, height): (u32, u32)) {
        self.is_plain.set(false);
        let sized = self.runtime.block_on(self.driver().set_window_rect(0, 0, width, height));
        sized.expect("a window has a size");
    }

    /// Opens another tab in the place of the one that is looked at.
    pub fn changes_tab(&self) {
        let changed = self.turns(async {
            let old = self.driver().window().await?;
            let tab = self.driver().new_tab().await?;
            self.driver().switch_to_window(old).await?;
            self.driver().close_window().await?;
            self.driver().switch_to_window(tab).await
        });
        changed.expect("a tab opens");
    }

    /// Looks at a tab.
    pub fn looks_at(&self, tab: &WindowHandle) {
        self.turns(self.driver().switch_to_window(tab.clone())).expect("there is such a tab");
        self.settles();
    }

    /// Looks at a tab, whether its page has settled or not.
    pub fn turns_to(&self, tab: &WindowHandle) {
        self.turns(self.driver().switch_to_window(tab.clone())).expect("the tab is open");
    }

    /// Closes the tab that is looked at.
    pub fn closes_tab(&self) {
        self.turns(self.driver().close_window()).expect("the tab closes");
    }

    /// Taps what a selector names, where it is in sight and nothing lies over it. Returns whether it did.
    pub fn tries_to_tap(&self, selector: &str) -> bool {
        let tapped =
            self.runtime.block_on(async { self.driver().find(By::Css(selector)).await?.click().await });
        tapped.is_ok()
    }

    /// Opens an address, and returns whether there was a page.
    pub fn tries_to_open(&self, address: &str) -> bool {
        self.opened.borrow_mut().push(address.to_owned());
        self.runtime.block_on(self.driver().goto(address)).is_ok()
    }

    /// Opens a page, by its path or by its whole address.
    pub fn opens(&self, path: &str) {
        self.goes_to(path);
        self.settles();
    }

    /// Opens a page that never settles, since it runs no scripts.
    pub fn goes_to(&self, path: &str) {
        let url = if path.starts_with("http") { path.to_owned() } else { format!("{}{path}", self.base) };
        self.opened.borrow_mut().push(url.clone());
        self.runtime.block_on(self.driver().goto(url)).expect("the page opens");
    }

    /// Loads the page again.
    pub fn reloads(&self) {
        self.runtime.block_on(self.driver().refresh()).expect("the page loads");
        self.settles();
    }

    /// Waits until the page owes nothing: no request, no write, no drawing.
    pub fn settles(&self) {
        self.settles_after("");
    }

    /// Runs a script in the page, and waits until the page owes nothing. The page itself says when: to ask it
    /// again and again takes time from what is waited for.
    pub fn settles_after(&self, script: &str) {
        let script = format!("try {{ {script} }} catch (error) {{ return `${{error}}` }} {SETTLED}");
        match self.runs(&script, &[]) {
            // A page that gives way to another one meanwhile answers nothing.
            Err(Failure::Unanswered(_)) => self.waits("the page settles", IS_SETTLED),
            settled => assert_eq!(settled, Ok(Value::Null), "{script}"),
        }
    }

    /// Waits until a script says yes. A page that gives way to another one meanwhile is asked again.
    pub fn waits(&self, what: &str, script: &str) {
        let begun = Instant::now();
        // Each look takes time from the page that is waited for.
        let mut pause = Duration::from_millis(2);
        loop {
            let said = self.runs(script, &[]);
            match &said {
                Ok(Value::Bool(true)) => return,
                Ok(_) | Err(Failure::Unanswered(_)) => {}
                Err(Failure::Threw(error)) => panic!("{script}: {error}"),
            }
            assert!(begun.elapsed() < PATIENCE, "not in time: {what}: {said:?}\n{}", self.text("body"));
            std::thread::sleep(pause);
            pause = (2 * pause).min(LONGEST_PAUSE);
        }
    }

    /// Runs a script in the page.
    pub fn run(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.runs(script, &arguments).unwrap_or_else(|error| panic!("{script}: {error:?}"))
    }

    /// Runs a script, once: by the DevTools where the page is there and stays, or else by the driver.
    fn runs(&self, script: &str, arguments: &[Value]) -> Result<Value, Failure> {
        let (leaves, given) = (json!(LEAVES), Value::from(arguments));
        let expression =
            format!("{IS_THERE} ? (function () {{ {script}\n}}).apply(null, {given}) : {leaves}");
        let ran = self.by_line(|line| line.runs(&expression)).filter(|ran| *ran != Ok(leaves));
        ran.unwrap_or_else(|| {
            let ran = self.runtime.block_on(self.driver().execute(script, arguments.to_vec()));
            ran.map(|value| value.json().clone()).map_err(Failure::unanswered)
        })
    }

    /// Waits until the script of this name has come. The page loads what it leads to when it rests.
    pub fn waits_for_script(&self, name: &str) {
        let has_come = format!(
            "moveClock(1000); return performance.getEntriesByType('resource').some((one) => one.name.endsWith('/{name}'))"
        );
        self.waits(name, &has_come);
        self.settles();
    }

    /// Taps what a selector names, as a finger does.
    #[track_caller]
    pub fn taps(&self, selector: &str) {
        let tapped =
            self.runtime.block_on(async { self.driver().find(By::Css(selector)).await?.click().await });
        tapped.unwrap_or_else(|error| panic!("{selector}: {error}\n{}", self.text("body")));
        self.settles();
    }

    /// Types into a field.
    pub fn types(&self, selector: &str, text: &str) {
        let typed = self
            .runtime
            .block_on(async { self.driver().find(By::Css(selector)).await?.send_keys(text).await });
        typed.unwrap_or_else(|error| panic!("{selector}: {error}"));
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
}

impl Drop for Hand {
    fn drop(&mut self) {
        if let Some(driver) = self.driver.take() {
            let _ = self.runtime.block_on(driver.quit());
        }
    }
}

//! Somebody who has nothing but docs/guide/table.md: a laptop that serves, two phones and a television, each
//! a browser of its own with the real clock. Whatever is tapped or looked for is a word of that page, but for
//! what a match asks itself.

use std::cell::Cell;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use third_umpire_test_support::program::{Scratch, program};

use crate::browser::{Driver, turn};
use crate::hand::Hand;
use crate::phone::{Model, capabilities};

const GUIDE: &str = include_str!("../../docs/guide/table.md");
/// The laptop's address. The browsers have it as that of this machine.
const ADDRESS: &str = "192.0.2.7";
/// How long a finger takes to come back to its key. What comes sooner is a slip.
const SAME_FINGER: Duration = Duration::from_millis(350);
const PATIENCE: Duration = Duration::from_secs(20);

/// Marks what is in sight, can be pressed, and begins with these words; of several the one that lies on top.
const FINDS: &str = "
  const words = arguments[0];
  document.querySelectorAll('[data-found]').forEach((old) => old.removeAttribute('data-found'));
  const places = 'a[href], button, summary, label';
  const root = document.querySelector('dialog[open]') ?? document;
  const found = [...root.querySelectorAll(places)].find(({ innerText }) => innerText.trim().startsWith(words));
  found?.setAttribute('data-found', '');
  return found !== undefined;";

/// A terminal in which `third-umpire serve --table` runs.
struct Laptop {
    child: Child,
    printed: PathBuf,
    begun: Instant,
    _folder: Scratch,
}

impl Laptop {
    fn serves() -> Laptop {
        let folder = Scratch::new();
        let addresses = folder.write("addresses", format!("{ADDRESS} wlan0\n"));
        let printed = folder.path().join("printed");
        let serve = "serve --table --listen 0.0.0.0:0 --addresses";
        let line = format!("'{}' {serve} '{addresses}'", program().display());
        let mut terminal = Command::new("script");
        terminal.args(["--quiet", "--return", "--flush", "--command", &line, "/dev/null"]);
        terminal.env_remove("DATABASE_URL").current_dir(folder.path()).stdin(Stdio::null());
        let begun = Instant::now();
        let child = terminal.stdout(File::create(&printed).expect("a file")).spawn().expect("a terminal");
        Laptop { child, printed, begun, _folder: folder }
    }

    /// What the terminal shows, once it shows this.
    fn shows(&self, words: &str) -> String {
        loop {
            let shown = fs::read_to_string(&self.printed).expect("the file is there").replace('\r', "");
            if shown.contains(words) {
                return shown;
            }
            assert!(self.begun.elapsed() < PATIENCE, "{words:?} is not shown: {shown}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Laptop {
    fn drop(&mut self) {
        // What runs in the terminal ends with it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whoever looks at a phone or a television, with the guide in the hand.
struct Reader {
    hand: Hand,
    taps: Cell<u32>,
}

impl Reader {
    fn with(driver: &Driver, model: Model) -> Reader {
        let capabilities = capabilities(model).expect("capabilities");
        Reader { hand: Hand::at("", &driver.url, capabilities.into()), taps: Cell::new(0) }
    }

    /// Taps what the guide names.
    #[track_caller]
    fn taps(&self, words: &str) {
        assert!(GUIDE.contains(&format!("*{words}*")), "the guide says nothing of {words:?}");
        self.chooses(words);
    }

    /// Taps what the page asks for.
    #[track_caller]
    fn chooses(&self, words: &str) {
        let begun = Instant::now();
        while self.hand.run(FINDS, vec![json!(words)]) != true {
            assert!(begun.elapsed() < PATIENCE, "no {words:?} in {}", self.hand.text("body"));
        }
        self.hand.taps("[data-found]");
        self.taps.set(self.taps.get() + 1);
    }

    /// Types a ball of two runs.
    #[track_caller]
    fn bowls(&self) {
        for _ in 0..2 {
            self.hand.waits(
                "the key is live",
                "return document.querySelector(\"[data-die='2']:not([aria-disabled])\") !== null",
            );
            self.hand.taps("[data-die='2']");
            self.taps.set(self.taps.get() + 1);
            std::thread::sleep(SAME_FINGER);
        }
    }

    /// Waits until the score reads so.
    fn sees(&self, score: &str) {
        let script = format!("return document.querySelector('h1')?.innerText.includes('{score}') ?? false");
        self.hand.waits(score, &script);
    }

    /// Waits until all that was typed is recorded.
    fn has_saved(&self) {
        self.hand.waits("saved", "return document.querySelector('.sync')?.dataset.sync === 'saved'");
    }

    /// Hands over as the guide says, and returns what the code holds.
    fn shows_a_code(&self) -> String {
        self.taps("More");
        self.taps("Share");
        self.taps("Show a code");
        let script =
            "return document.querySelector('[data-link=score]')?.value.includes('#invite=') ?? false";
        self.hand.waits("the code is there", script);
        assert!(self.hand.has("dialog .code svg, dialog .code img"), "a code is drawn");
        let link = self.hand.run("return document.querySelector('[data-link=score]').value", vec![]);
        self.hand.taps("dialog [data-action='close']");
        link.as_str().expect("a link").to_owned()
    }
}

/// The address of a line that begins so.
fn address_in<'a>(shown: &'a str, begin: &str) -> &'a str {
    let line = shown.lines().find_map(|line| line.strip_prefix(begin));
    line.unwrap_or_else(|| panic!("no {begin:?} in {shown}")).split_whitespace().next().expect("an address")
}

#[cfg(target_os = "linux")]
#[test]
fn a_match_is_played_around_a_table_by_the_words_of_the_guide_alone() {
    let Some(_turn) = turn() else { return };
    let driver = Driver::start();
    let wide = Model { width: 1280, height: 720, ..Model::WHOLE };
    let [first, second] = [(); 2].map(|()| Reader::with(&driver, Model::WHOLE));
    let television = Reader::with(&driver, wide);

    let laptop = Laptop::serves();
    let shown = laptop.shows("No other device has come yet.");
    let [watch, secret] =
        ["  ", "To make matches, scan this one, or open "].map(|begin| address_in(&shown, begin).to_owned());
    first.hand.opens(&secret);
    first.taps("Extended Howzat");
    first.taps("Start");
    first.chooses("Home");
    std::thread::sleep(SAME_FINGER);
    first.chooses("Bat");
    first.bowls();
    first.sees("2 for 0");
    let (seconds, taps) = (laptop.begun.elapsed().as_secs_f64(), first.taps.get());
    println!("from serve --table to the first ball on a phone: {seconds:.1} s by the script, {taps} taps");
    assert!(taps <= 8 && seconds < 90.0, "{taps} taps, {seconds} s");

    television.hand.opens(&format!("{watch}board"));
    (1..6).for_each(|_| first.bowls());
    first.has_saved();
    television.sees("12 for 0");

    let code = first.shows_a_code();
    second.hand.opens(&code);
    second.taps("Score on this phone");
    // A scan can open in a window that forgets all: the first phone goes on.
    first.taps("Score here again");
    first.bowls();
    first.has_saved();
    let code = first.shows_a_code();
    second.hand.opens(&code);
    second.taps("Score on this phone");
    (0..5).for_each(|_| second.bowls());
    second.has_saved();
    for each in [&first, &second, &television] {
        each.sees("24 for 0");
    }
    second.taps("More");
    second.taps("Share");
    for words in ["Who scores", "Watch"] {
        assert!(GUIDE.contains(&format!("*{words}*")), "the guide says nothing of {words:?}");
        second.hand.reads("dialog", words);
    }
    // The phone that has the key of the table takes the scoring back at any time.
    first.hand.reads(".note", "This browser has the table's key");
    first.taps("Score on this phone");
    first.bowls();
    television.sees("26 for 0");
}

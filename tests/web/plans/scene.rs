//! A table with phones: the service behind a wire that can do anything to a request, and the tabs of one
//! browser under several names of the service, each with a store of its own, as the phones of several people
//! have.

use std::collections::BTreeSet;
use std::time::Instant;

use serde_json::{Value, json};
use third_umpire_test_support::service::Match;
use thirtyfour::prelude::WindowHandle;

use crate::liar::{Fate, Liar, Trace, Weather};
use crate::phone::Phone;
use crate::plans::seen::Seen;
use crate::table::Table;

/// The key of the table.
pub const KEY: &str = "keys-to-the-pavilion-of-this-table";
/// A head that no match has.
const NO_HEAD: &str = "0000000000000000000000000000000000000000000000000000000000000000";
/// The scripts in each page, before its own: those that read it.
pub const SCRIPTS: [&str; 2] = [include_str!("../storm.js"), include_str!("../plans.js")];
/// How long a page may take to settle, in milliseconds, and how long it is waited for while nobody answers
/// it.
const PATIENCE: [u64; 2] = [20_000, 120];
/// Longer than a page waits for an answer, in milliseconds of its clock.
pub const GIVEN_UP: u64 = 16_000;
/// How often a person taps again what was not answered, and looks whether there is something to tap.
const TRIES: usize = 6;
const LOOKS: usize = 20;

/// How a finger comes to the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Touch {
    /// A click that a script makes, which is fast.
    Script,
    /// A tap of the driver at the place of the element, where nothing lies over it.
    Finger,
}

/// A phone: a name of the service, under which the browser keeps a store of its own, and its tab once it is
/// open.
pub struct Pad {
    host: &'static str,
    pub tab: Option<WindowHandle>,
    /// The tokens that it has had since the store was put back last, and that it had then.
    pub had: BTreeSet<String>,
}

/// What a deed came to: whether there was something to tap, what was shown, and what is shown after a while.
pub struct Deed {
    pub is_there: bool,
    pub shown: Seen,
    pub now: Seen,
}

pub struct Scene<'a> {
    phone: &'a Phone,
    pub touch: Touch,
    pub liar: Liar,
    pub service: Table,
    pub is_up: bool,
    pub trace: Trace,
    begun: Instant,
    /// The match, once there is one.
    pub id: String,
    pub pads: Vec<Pad>,
    /// The one that is looked at.
    pub at: usize,
    /// Every token, invite and key that there was.
    pub secrets: BTreeSet<String>,
}

impl<'a> Scene<'a> {
    pub fn set(phone: &'a Phone, seed: u64, trace: &Trace) -> Scene<'a> {
        let service = Table::talkative(KEY);
        let (liar, _) = service.lied_about(seed, trace);
        let pads = ["table.test", "127.0.0.1", "localhost"].map(|host| Pad {
            host,
            tab: None,
            had: BTreeSet::new(),
        });
        let secrets = BTreeSet::from([KEY.to_owned()]);
        Scene {
            phone,
            touch: Touch::Script,
            liar,
            service,
            is_up: true,
            trace: trace.clone(),
            begun: Instant::now(),
            id: String::new(),
            pads: pads.into(),
            at: 0,
            secrets,
        }
    }

    /// Creates a match over HTTP, and returns the token of its scorer.
    pub fn creates(&mut self, request: &Value) -> String {
        let created = self.service.client().request("POST", "/v1/matches").token(KEY).json(request).send();
        let created = created.expect(201);
        self.id = created["match"]["id"].as_str().expect("an id").to_owned();
        let tokens = created["tokens"].as_object().into_iter().flat_map(|tokens| tokens.values());
        let invites = created["invites"].as_object().into_iter().flat_map(|invites| invites.values());
        self.secrets.extend(tokens.chain(invites).filter_map(Value::as_str).map(str::to_owned));
        created["tokens"]["scorer"].as_str().expect("a token").to_owned()
    }

    /// The match over HTTP, past the wire, with the table's key.
    pub fn played(&self) -> Match {
        Match {
            client: self.service.client().with_own_connections(),
            id: self.id.clone(),
            token: KEY.to_owned(),
        }
    }

    pub fn notes(&self, what: &str) {
        self.trace.notes(format!(
            "{:6} [{}] {what}",
            self.begun.elapsed().as_millis(),
            self.pads[self.at].host
        ));
    }

    /// The address of a path on the phone that is looked at.
    pub fn address(&self, path: &str) -> String {
        format!("http://{}:{}{path}", self.pads[self.at].host, self.liar.port)
    }

    pub fn pad_path(&self) -> String {
        format!("/m/{}/score", self.id)
    }

    fn patience(&self) -> u64 {
        PATIENCE[usize::from(self.liar.may_hold())]
    }

    /// Taps what a selector names, and lets some time of the page pass.
    pub fn acts(&mut self, selector: Option<&str>, ms: u64) -> Deed {
        let finger = self.touch == Touch::Finger;
        let tapped = selector.filter(|_| finger).is_some_and(|selector| self.phone.tries_to_tap(selector));
        let scripted = selector.filter(|_| !finger);
        let script = "return globalThis.acts ? acts(...arguments) : {}";
        let told = self.phone.run(script, vec![json!(scripted), json!(ms), json!(self.patience())]);
        let is_there = told["isThere"] == true || tapped;
        let (shown, now) = (Seen::of(&told["shown"]), Seen::of(&told["now"]));
        for seen in [&shown, &now] {
            self.secrets.extend(seen.secrets());
            self.pads[self.at].had.extend(seen.secrets());
        }
        self.notes(&format!("{selector:?} {}, {ms} ms", if is_there { "tapped" } else { "not there" }));
        self.notes(&format!("  {}", now.words()));
        Deed { is_there, shown, now }
    }

    /// Looks at the page.
    pub fn looks(&mut self) -> Seen {
        self.acts(None, 0).now
    }

    /// Lets time of the page pass.
    pub fn waits(&mut self, ms: u64) -> Seen {
        self.acts(None, ms).now
    }

    /// Lets time of the page pass until what it shows is as it should be.
    pub fn waits_for(&mut self, what: &str, is_so: impl Fn(&Seen) -> bool) -> Seen {
        let mut seen = self.looks();
        for _ in 0..200 {
            if is_so(&seen) {
                return seen;
            }
            seen = self.waits(1000);
        }
        panic!("not in time: {what}\n{}", seen.words());
    }

    /// Turns to a phone, whose tab is opened where it has none.
    pub fn turns_to(&mut self, pad: usize) {
        self.at = pad;
        match &self.pads[pad].tab {
            Some(tab) => self.phone.turns_to(tab),
            None => self.pads[pad].tab = Some(self.phone.adds_tab(&SCRIPTS)),
        }
        self.notes("is looked at");
    }

    /// Opens a page on the phone that is looked at. Returns whether there was one.
    pub fn opens(&mut self, path: &str) -> bool {
        let is_there = self.phone.tries_to_open(&self.address(path));
        let page = path.split('#').next().unwrap_or_default();
        self.notes(&format!("opens {page}: {is_there}"));
        // A browser shows a page of its own where the answer was none.
        is_there && self.looks().is_ours
    }

    /// Closes the tab of the phone that is looked at, and opens another one.
    pub fn changes_tab(&mut self) {
        let tab = self.phone.adds_tab(&SCRIPTS);
        if let Some(old) = self.pads[self.at].tab.replace(tab.clone()) {
            self.phone.turns_to(&old);
            self.phone.closes_tab();
            self.phone.turns_to(&tab);
        }
        self.notes("has another tab");
    }

    /// Closes all tabs but the first one of the browser.
    pub fn ends(&mut self, first: &WindowHandle) {
        for tab in self.pads.iter_mut().filter_map(|pad| pad.tab.take()) {
            self.phone.turns_to(&tab);
            self.phone.closes_tab();
        }
        self.phone.turns_to(first);
    }

    /// Types into a field.
    pub fn fills(&self, selector: &str, text: &str) {
        let script = "const field = document.querySelector(arguments[0]); if (field) { field.value = arguments[1]; \
                      field.dispatchEvent(new Event('input', {bubbles: true})) }";
        self.phone.run(script, vec![json!(selector), json!(text)]);
    }

    /// Sets the clock of the page to that of the service.
    pub fn sets_clock(&self) {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let now = u64::try_from(now.expect("a time").as_millis()).expect("a time of today");
        self.phone.run("moveClock(arguments[0] - Date.now())", vec![json!(now)]);
    }

    pub fn rises(&mut self) {
        if !self.is_up {
            self.notes("the service rises");
            self.service.starts();
            self.is_up = true;
        }
    }

    pub fn falls(&mut self) {
        if self.is_up {
            self.notes("the service falls");
            self.service.stops();
            self.is_up = false;
        }
    }

    /// The line is good again, and the service is there.
    pub fn clears(&mut self) {
        self.rises();
        self.liar.turns(Weather::Calm);
    }

    /// The tokens with which play can be appended now. The head is one that no match has, so nothing is.
    pub fn holders(&mut self) -> Vec<String> {
        self.rises();
        let played = self.played();
        let may = |secret: &&String| {
            let ball = Match { token: (*secret).clone(), ..played.clone() };
            let status = ball.posting("/balls", &json!({"dice": [2, 3]})).if_match(NO_HEAD).send().status;
            ![401, 403].contains(&status)
        };
        self.secrets.iter().filter(may).cloned().collect()
    }

    /// The one token with which play can be appended.
    pub fn holder(&mut self) -> String {
        let found = self.holders();
        assert_eq!(found.len(), 1, "one token works, and no other, of {:?}", self.secrets);
        found.into_iter().next().expect("one token")
    }

    /// Replaces the scorer's token by the key of the table, over HTTP.
    pub fn rotates(&mut self) -> String {
        self.rises();
        let rotated = self.played().post("/tokens/scorer/rotate", &json!({})).expect(201);
        let token = rotated["token"].as_str().expect("a token").to_owned();
        self.secrets.insert(token.clone());
        self.notes("the table's key replaces the scorer's token");
        token
    }

    /// Taps until what is tapped is no longer there, or something else is so. Each try waits until nobody can
    /// answer any more. Returns whether it came to that.
    pub fn insists(&mut self, selector: &str, is_done: impl Fn(&Seen) -> bool) -> bool {
        for _ in 0..TRIES {
            let seen = self.acts(Some(selector), 0).now;
            if is_done(&seen) {
                return true;
            }
            let waits = if self.liar.may_hold() { GIVEN_UP } else { 1000 };
            if is_done(&self.waits(waits)) {
                return true;
            }
        }
        false
    }

    /// Opens the sheet by which the match is shared, and returns the link in the code of another scorer. The
    /// answer to the invite may be lied about.
    pub fn gives(&mut self, lie: Option<Fate>) -> Option<String> {
        self.acts(Some("[data-action='more']"), 0);
        self.acts(Some("dialog [data-action='share']"), 0);
        // Its script is loaded now.
        let is_open = (0..LOOKS).any(|_| self.waits(500).offers("give"));
        if let Some(fate) = lie.filter(|_| is_open) {
            self.liar.fates_next("POST tokens/scorer/invite", fate);
        }
        let is_given = |seen: &Seen| seen.link.as_ref().is_some_and(|link| link.contains("#invite="));
        self.insists("dialog [data-action='give']", is_given);
        let link = self.looks().link.filter(|link| link.contains("#invite="));
        let invite = link.as_ref().and_then(|link| link.split("#invite=").nth(1)).map(str::to_owned);
        self.secrets.extend(invite);
        self.acts(Some("dialog [data-action='close']"), 400);
        link
    }

    /// Scans a code with another phone, and takes over there. The answer may be lied about. Returns whether
    /// it did.
    pub fn claims(&mut self, link: &str, pad: usize, lie: Option<Fate>) -> bool {
        let path = link.splitn(4, '/').nth(3).expect("a path").to_owned();
        self.turns_to(pad);
        if !self.opens(&format!("/{path}")) {
            return false;
        }
        self.takes("claim", "POST tokens/claim", lie)
    }

    /// Takes the right to score, in the way that this phone has. The answer may be lied about. Returns
    /// whether it did.
    pub fn takes(&mut self, way: &str, kind: &'static str, lie: Option<Fate>) -> bool {
        // It may come with a script, and go with a ball of the other phone.
        let is_offered = (0..LOOKS).any(|_| self.waits(500).offers(way));
        if !is_offered {
            return false;
        }
        if let Some(fate) = lie {
            self.liar.fates_next(kind, fate);
        }
        let button = format!("button[data-action='{way}']");
        let was = way.to_owned();
        self.insists(&button, move |seen| seen.is_settled && !seen.offers(&was)) && self.looks().may_score()
    }
}

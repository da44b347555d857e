//! A plan: what people at a table do by chance, on the pages that they have, while the line, the service and
//! others do what they like.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::{Map, Value, json};
use third_umpire_test_support::program::{Scratch, run};
use third_umpire_test_support::random::Lcg;
use third_umpire_test_support::service::{Cup, Match};
use thirtyfour::prelude::WindowHandle;

use crate::board_game::{request, thrown};
use crate::liar::{Fate, LIES, Trace, Weather};
use crate::phone::Phone;
use crate::plans::game::Game;
use crate::plans::ledger::Ledger;
use crate::plans::scene::{GIVEN_UP, KEY, Scene, Touch};
use crate::plans::seen::Seen;

/// How long the calm at the end may take, in seconds of the page.
const CALM: usize = 200;
/// Long enough for whatever a page tries again, in milliseconds of its clock.
const LONG: u64 = 45_000;
/// The requests that are lied about one at a time.
const KINDS: [&str; 6] =
    ["POST balls", "POST balls/preview", "POST corrections", "GET ", "GET events", "GET events/stream"];

/// What was done in a plan, by its name.
pub type Done = BTreeMap<&'static str, usize>;

pub struct Plan<'a> {
    scene: Scene<'a>,
    game: Game,
    first: WindowHandle,
    ledger: Ledger,
    lcg: Lcg,
    cup: Cup,
    /// Whether others score, hand over, and put the store back.
    has_others: bool,
    /// Whether the store was copied.
    has_copy: bool,
    /// The page as the last deed has left it, where that is known.
    last: Option<Seen>,
    /// What was decided about already.
    decided: BTreeSet<String>,
    done: Done,
}

impl<'a> Plan<'a> {
    pub fn begins(phone: &'a Phone, game: Game, seed: u64, touch: Touch, trace: &Trace) -> Plan<'a> {
        let first = phone.tab();
        let mut scene = Scene::set(phone, seed, trace);
        let mut lcg = Lcg(seed.wrapping_mul(1_000_003));
        // The first numbers of seeds that are near each other are near each other.
        lcg.byte();
        lcg.byte();
        let request = game.request(scene.service.client(), &mut lcg);
        let token = scene.creates(&request);
        game.begins(&Match { token: token.clone(), ..scene.played() });
        scene.touch = touch;
        scene.turns_to(0);
        if lcg.below(2) == 0 {
            // The first phone has the key of the table.
            scene.opens(&format!("/#key={KEY}"));
        }
        let path = scene.pad_path();
        scene.opens(&format!("{path}#scorer={token}"));
        scene.waits_for("the keys are there", Seen::may_score);
        let (has_others, cup) = (lcg.below(4) > 0, Cup::new(seed));
        Plan {
            scene,
            game,
            first,
            ledger: Ledger::default(),
            lcg,
            cup,
            has_others,
            has_copy: false,
            last: None,
            decided: BTreeSet::new(),
            done: Done::new(),
        }
    }

    /// Goes all the way, and returns what was done.
    pub fn goes(mut self, deeds: usize) -> Done {
        for _ in 0..deeds {
            self.scene.liar.deed();
            self.deed();
        }
        self.calms();
        self.ends()
    }

    fn chance(&mut self, of_a_hundred: usize) -> bool {
        self.lcg.below(100) < of_a_hundred
    }

    fn count(&mut self, what: &'static str) {
        *self.done.entry(what).or_default() += 1;
    }

    fn lie(&mut self) -> Option<Fate> {
        let lies = self.chance(50);
        lies.then(|| LIES[self.lcg.below(LIES.len())])
    }

    /// Notes what a page shows.
    fn sees(&mut self, seen: &Seen) {
        self.ledger.hears(self.scene.liar.takes_answers());
        self.ledger.sees(self.scene.at, seen);
        let is_bare = !self.scene.secrets.iter().any(|secret| seen.address.contains(secret));
        assert!(is_bare, "a secret stands in the address");
        assert!(
            !seen.is_stopped() || self.ledger.is_disturbed,
            "a person is asked, though nobody else has done anything: {}",
            seen.words()
        );
    }

    fn looks(&mut self) -> Seen {
        let seen = self.scene.looks();
        self.sees(&seen);
        seen
    }

    fn acts(&mut self, selector: Option<&str>, ms: u64) -> (bool, Seen, Seen) {
        let deed = self.scene.acts(selector, ms);
        self.sees(&deed.shown);
        self.sees(&deed.now);
        (deed.is_there, deed.shown, deed.now)
    }

    fn waits(&mut self) {
        let ms = [1000, 4000, GIVEN_UP, LONG][self.lcg.below(4)];
        self.last = Some(self.acts(None, ms).2);
    }

    /// One deed.
    fn deed(&mut self) {
        let seen = self.last.take().unwrap_or_else(|| self.looks());
        if !seen.is_ours {
            return self.opens_again();
        }
        if seen.offers("theirs") && self.chance(60) {
            return self.decides(&seen);
        }
        let watches = seen.is_settled && !seen.may_score() && !seen.is_stopped();
        if watches && seen.sync != "lost" && self.chance(50) {
            return self.regains(&seen);
        }
        if self.game == Game::CubeRoots && seen.rests() && seen.may_score() && self.chance(10) {
            return self.lays_over();
        }
        match self.lcg.below(100) {
            0..52 => self.types(&seen),
            52..58 => self.undoes(&seen),
            58..63 => self.waits(),
            63..66 => self.reloads(),
            66..68 => self.changes_tab(),
            68..74 => self.turns_line(),
            74..80 => self.lies_next(),
            80..82 => self.scene.falls(),
            82..86 => self.scene.rises(),
            _ if !self.has_others => self.types(&seen),
            86..87 => self.copies(),
            87..89 => self.puts_back(),
            89..90 => self.rotates(),
            90..94 => self.hands_over(&seen),
            94..95 => self.turns_to_another(),
            95..97 => self.others_ball(),
            97..98 => self.others_correction(),
            98..99 => self.argues(),
            _ => self.types_alike(&seen),
        }
    }

    /// Taps a key that is open.
    fn types(&mut self, seen: &Seen) {
        let leads_on = LEADING_ON.into_iter().find(|action| seen.offers(action));
        let selector = if !seen.keys.is_empty() {
            format!("[data-die='{}']", seen.keys[self.lcg.below(seen.keys.len())])
        } else if let Some(action) = leads_on.filter(|_| seen.ways.is_empty() || self.chance(30)) {
            format!("[data-action='{action}']")
        } else if !seen.ways.is_empty() {
            format!(".pad-ask [data-choice='{}']", seen.ways[self.lcg.below(seen.ways.len())])
        } else {
            return self.waits();
        };
        self.last = Some(self.acts(Some(&selector), 400).2);
        self.count("taps");
    }

    /// Opens the over at once, whose first order is covered: what comes next may be anything.
    fn lays_over(&mut self) {
        self.acts(Some("[data-action='more']"), 0);
        self.last = Some(self.acts(Some("dialog [data-action='lay']"), 400).2);
        self.count("overs at once");
    }

    /// Takes back what Undo names.
    fn undoes(&mut self, seen: &Seen) {
        if !seen.offers("undo") {
            return self.types(seen);
        }
        let held = seen.held().cloned().filter(|_| !seen.is_typing);
        let (is_there, shown, _) = self.acts(Some("[data-action='undo']"), 400);
        if let Some(held) = held.filter(|_| is_there) {
            self.ledger.takes_back(&held, &shown);
        }
        self.count("undone");
        if self.scene.looks().offers("confirm") || !seen.is_typing && seen.held().is_none() {
            self.acts(Some("dialog [data-choice='misread']"), 0);
            self.acts(Some("dialog [data-action='confirm']"), 400);
        }
        self.acts(Some("dialog [data-action='close']"), 0);
    }

    /// Opens the pad again, once the line is good.
    fn opens_again(&mut self) {
        self.scene.clears();
        let path = self.scene.pad_path();
        self.scene.opens(&path);
    }

    fn reloads(&mut self) {
        // A browser waits for minutes on a line that says nothing.
        if self.scene.liar.may_hold() {
            self.scene.liar.turns(Weather::Calm);
        }
        let path = self.scene.pad_path();
        self.scene.opens(&path);
        self.count("reloads");
    }

    fn changes_tab(&mut self) {
        self.scene.changes_tab();
        self.opens_again();
        self.count("tabs");
    }

    /// The line becomes good, or bad in some way.
    fn turns_line(&mut self) {
        let weather = match self.lcg.below(4) {
            0 => Weather::Closed,
            1 => Weather::Storm,
            2 => Weather::Calm,
            _ => Weather::Always(LIES[self.lcg.below(LIES.len())]),
        };
        self.scene.notes(&format!("the line is {weather:?}"));
        self.scene.liar.turns(weather);
        self.count("lines");
    }

    fn lies_next(&mut self) {
        let (kind, fate) = (KINDS[self.lcg.below(KINDS.len())], LIES[self.lcg.below(LIES.len())]);
        self.scene.notes(&format!("the next {kind}: {fate:?}"));
        self.scene.liar.fates_next(kind, fate);
        self.count("lies");
    }

    /// The store is copied.
    fn copies(&mut self) {
        self.scene.falls();
        self.scene.service.copies_store();
        self.scene.rises();
        self.scene.notes("the store is copied");
        self.has_copy = true;
    }

    /// The store is put back to its copy: what was recorded since is lost.
    fn puts_back(&mut self) {
        if !self.has_copy {
            return self.copies();
        }
        self.scene.falls();
        let mut kept = BTreeSet::new();
        let at = self.scene.at;
        for pad in
            (0..self.scene.pads.len()).filter(|pad| self.scene.pads[*pad].tab.is_some()).collect::<Vec<_>>()
        {
            self.scene.turns_to(pad);
            let seen = self.looks();
            kept.extend(seen.kept().iter().map(|one| one.id.clone()));
            // What it has let go before may work again, and it cannot know.
            self.scene.pads[pad].had = seen.secrets().into_iter().collect();
        }
        self.scene.turns_to(at);
        self.scene.service.puts_store_back();
        self.scene.notes("the store is put back");
        self.scene.rises();
        self.ledger.loses(&self.scene.played().events(), &kept);
        self.count("stores put back");
    }

    /// The key of the table replaces the scorer's token.
    fn rotates(&mut self) {
        self.scene.rotates();
        self.ledger.is_disturbed = true;
        self.count("rotations");
    }

    /// Hands over to another phone, by a code.
    fn hands_over(&mut self, seen: &Seen) {
        if seen.is_stopped() || !seen.may_score() || seen.is_typing {
            return self.waits();
        }
        self.scene.clears();
        let (from, lies) = (self.scene.at, [self.lie(), self.lie()]);
        let Some(link) = self.scene.gives(lies[0]) else { return };
        self.ledger.is_disturbed = true;
        let to = (from + 1 + self.lcg.below(2)) % self.scene.pads.len();
        if self.scene.claims(&link, to, lies[1]) {
            self.count("handed over");
        }
        self.looks();
        // The one that gave may take it back before the first ball.
        if self.chance(40) {
            self.scene.turns_to(from);
            let seen = self.looks();
            self.regains(&seen);
        }
    }

    /// A phone that watches comes to score, in the way that it has.
    fn regains(&mut self, seen: &Seen) {
        if ["finished", "saved"].contains(&seen.sync.as_str()) && !seen.offers("back") {
            return self.waits();
        }
        self.scene.clears();
        self.ledger.is_disturbed = true;
        let lie = self.lie();
        for (way, kind) in [("claim", "POST tokens/claim"), ("back", ROTATES), ("table", ROTATES)] {
            if seen.offers(way) {
                if self.scene.takes(way, kind, lie) {
                    self.count(if way == "back" { "ways back" } else { "taken by key" });
                }
                return drop(self.looks());
            }
        }
        let (token, path) = (self.scene.rotates(), self.scene.pad_path());
        self.scene.opens(&format!("{path}#scorer={token}"));
        self.looks();
        self.count("links");
    }

    /// A person says how it goes on after a stop.
    fn decides(&mut self, seen: &Seen) {
        let id = seen.kept().first().map(|kept| kept.id.clone()).unwrap_or_default();
        let title = seen.kept().first().map(|kept| kept.title.clone()).unwrap_or_default();
        assert!(
            seen.asks.contains(&title),
            "the pad names what it has stopped with: {title}\n{}",
            seen.words()
        );
        let has_field = seen.offers("link");
        if has_field && self.chance(50) {
            self.scene.clears();
            let (token, path) = (self.scene.rotates(), self.scene.pad_path());
            let link = self.scene.address(&format!("{path}#scorer={token}"));
            self.scene.fills("#link", &link);
            self.acts(Some("[data-action='link']"), 400);
            return self.count("links");
        }
        // What cannot be done any more is left out.
        if seen.offers("mine") && self.decided.insert(id) && self.chance(60) {
            self.acts(Some("[data-action='mine']"), 400);
            return self.count("sent all the same");
        }
        if let Some(stopped) = seen.kept().first() {
            self.ledger.leaves_out(stopped);
        }
        self.acts(Some("[data-action='theirs']"), 400);
        self.count("left out");
    }

    fn turns_to_another(&mut self) {
        let open: Vec<usize> =
            (0..self.scene.pads.len()).filter(|pad| self.scene.pads[*pad].tab.is_some()).collect();
        self.scene.turns_to(open[self.lcg.below(open.len())]);
        self.looks();
    }

    /// The match over HTTP, with the token that works now.
    fn scored_elsewhere(&mut self) -> Match {
        let token = self.scene.holder();
        Match { token, ..self.scene.played() }
    }

    /// Another scorer bowls a ball.
    fn others_ball(&mut self) {
        let played = self.scored_elsewhere();
        if request(&played.view()["next"], "bowl_ball").is_none() {
            return;
        }
        let body = thrown(&played, Map::new(), &mut self.cup);
        let answer = played.post("/balls", &body);
        if answer.status == 201 {
            self.scene.notes(&format!("somebody else bowls {body}"));
            self.ledger.disturbs(&answer.json());
            self.count("balls of others");
        }
    }

    /// Another scorer takes the last ball back.
    fn others_correction(&mut self) {
        let played = self.scored_elsewhere();
        let view = played.view();
        let last = [&view["situation"]["last"]["delivery"], &view["last"]["delivery"]];
        let Some(delivery) = last.into_iter().find_map(Value::as_u64) else { return };
        let answer = played.post("/corrections", &json!({"voids_from": delivery, "reason": "Misread die"}));
        if answer.status == 201 {
            self.scene.notes(&format!("somebody else takes back {delivery}"));
            self.ledger.disturbs(&answer.json());
            self.count("corrections of others");
        }
    }

    /// Somebody disputes, which is no play.
    fn argues(&mut self) {
        let played = self.scored_elsewhere();
        let seq = played.head().seq;
        let answer = played.post("/disputes", &json!({"seq": seq, "reason": "the die fell off the table"}));
        if answer.status == 201 {
            self.scene.notes("somebody disputes");
            self.count("disputes");
        }
    }

    /// Another scorer types what is kept here.
    fn types_alike(&mut self, seen: &Seen) {
        let Some(kept) = seen.kept().last().cloned() else { return self.others_ball() };
        let played = self.scored_elsewhere();
        let answer = played.post(&format!("/{}", kept.path), &kept.body);
        if answer.status == 201 {
            self.scene.notes("somebody else types the same");
            self.ledger.disturbs(&answer.json());
            self.count("typed alike");
        }
    }

    /// The line is good, and each phone comes to rest: that of who scores last.
    fn calms(&mut self) {
        self.scene.notes("calm");
        self.scene.clears();
        self.scene.liar.turns(Weather::Calm);
        let at = self.scene.at;
        let open = (0..self.scene.pads.len()).filter(|pad| self.scene.pads[*pad].tab.is_some());
        let others: Vec<usize> = open.filter(|pad| *pad != at).collect();
        for pad in others.into_iter().chain([at]) {
            self.scene.turns_to(pad);
            self.comes_to_rest();
            self.lets_go_no_token();
        }
    }

    /// A phone that has the token which works now scores: it may have come back with the store.
    fn lets_go_no_token(&mut self) {
        let (holder, seen) = (self.scene.holder(), self.looks());
        let has_had_it = self.scene.pads[self.scene.at].had.contains(&holder);
        let is_asked = seen.may_score() || LEADING_ON.iter().any(|action| seen.offers(action));
        let can = is_asked || seen.sync == "finished" || seen.offers("back");
        assert!(can || !has_had_it, "the token of this phone works, and it cannot score: {}", seen.words());
    }

    fn comes_to_rest(&mut self) {
        let mut has_waited = false;
        let mut shown = None;
        for second in 0..CALM {
            let seen = shown.take().unwrap_or_else(|| self.looks());
            if !seen.is_ours {
                self.opens_again();
            } else if seen.offers("theirs") {
                self.decides(&seen);
            } else if (seen.is_typing && seen.may_score() || seen.offers("play") || seen.offers("bowl"))
                && second < CALM / 2
            {
                self.types(&seen);
            } else if seen.is_typing
                && seen.is_settled
                && seen.sync != "lost"
                && !seen.may_score()
                && seen.offers("undo")
            {
                // What was typed before others have scored may come to nothing.
                for _ in &seen.typed {
                    let seen = self.looks();
                    self.undoes(&seen);
                }
            } else if (seen.rests() || seen.sync == "watching" && seen.kept().is_empty())
                && ["saved", "watching", "finished"].contains(&seen.sync.as_str())
            {
                if std::mem::replace(&mut has_waited, true) {
                    return;
                }
                // A stream that was cut comes again, and tells whose scoring was taken meanwhile.
                self.acts(None, LONG);
            } else {
                shown = Some(self.acts(None, 1000).2);
            }
        }
        panic!("what is kept never goes: {}", self.scene.looks().words());
    }

    /// Holds the log, the screens and the wire against what was shown.
    fn ends(mut self) -> Done {
        let before = self.looks();
        let path = self.scene.pad_path();
        self.scene.opens(&path);
        let after =
            self.scene.waits_for("the pad is as it was", |seen| seen.is_settled && seen.sync == before.sync);
        assert_eq!(after.score, before.score, "what was shown is what the service has");
        self.ledger.hears(self.scene.liar.takes_answers());
        self.scene.holder();
        let log = self.scene.played().events();
        let (found, aside) = self.ledger.settles(&log);
        self.done.insert("balls in the log", found);
        self.done.insert("balls set aside", aside);
        self.audits_clean();
        self.scene.ends(&self.first);
        self.tells_no_secret();
        self.done
    }

    /// The program's own audit of the log as a file.
    fn audits_clean(&self) {
        let log = self.scene.played().get("/log");
        let folder = Scratch::new();
        let file = folder.write("match.ndjson", &log.has_status(200).body);
        let report = run(&["audit", &file]).succeeded();
        assert!(report.starts_with("CLEAN"), "{report}");
        drop(fs::remove_file(file));
    }

    /// No line of a request, and nothing that the service prints, has a secret.
    fn tells_no_secret(&mut self) {
        let (lines, told) = (self.scene.liar.lines().join("\n"), self.scene.service.tells_all());
        self.scene.is_up = false;
        for secret in &self.scene.secrets {
            assert!(!lines.contains(secret), "a request line has a secret");
            assert!(!told.contains(secret), "the service has told a secret");
        }
    }
}

/// The keys that lead on without an answer: from stroke to card, and through an over whose orders are typed.
const LEADING_ON: [&str; 6] = ["step", "uncover", "laid", "show-both", "play", "bowl"];
/// The request by which a token is replaced.
const ROTATES: &str = "POST tokens/scorer/rotate";

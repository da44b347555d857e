//! Makes whole matches as log files, through the library alone: what the service would have written.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use serde_json::{Map, Value, json};
use third_umpire::dice::{SeededDice, ServerSeed, TableDice};
use third_umpire::editions::Editions;
use third_umpire::games::{
    Choices, Decision, Fixture, Game, Input, Next, Opening, Phase, Play, Terms, new_match,
};
use third_umpire::log::{
    Actor, CoinFace, Entry, Event, EventData, Head, MatchCreated, MatchId, SeedSource, TeamSheet, TossChoice,
};
use third_umpire::scorebook::Side;

use super::{Lcg, Log};

/// The server seed of every seeded match here.
pub const SEED: &str = "7c9f0b5de1a4426688ff31c2b75d90ae13579bdf02468acefdb97531eca86420";
const MATCH_ID: &str = "019b8c2e-7a00-7c3d-9e4f-5a6b7c8d9e0f";
/// 2026-01-31T14:00:00.000Z; every event comes seven seconds after the one before.
const FIRST_EVENT: i64 = 1_769_868_000;
const SECONDS_APART: i64 = 7;

/// A match being recorded.
pub struct Maker {
    pub fixture: Fixture,
    pub(super) head: Head,
    pub(super) seed: Option<ServerSeed>,
    /// Secret choices that are open to the service.
    pub(super) openings: Vec<Opening>,
    /// On whose word what is put in is put in.
    pub(super) actor: Actor,
    /// What a cup at the table throws.
    pub(super) rolls: SeededDice,
    pub(super) whims: Whims,
    pub lines: Vec<String>,
    /// The same, as they are read.
    pub events: Vec<Event>,
}

/// What is settled before play; the defaults are those of most tests.
pub struct Setting {
    pub game: &'static str,
    pub rules: Value,
    pub home: TeamSheet,
    pub away: TeamSheet,
    pub terms: Terms,
}

impl Default for Setting {
    fn default() -> Setting {
        Setting {
            game: "howzat",
            rules: json!({"overs": 5}),
            home: sheet("Wanderers"),
            away: sheet("Rovers"),
            terms: Terms::default(),
        }
    }
}

/// Eleven players `Wanderers 1` to `Wanderers 11`, or of whatever side it is.
pub fn sheet(side: &str) -> TeamSheet {
    TeamSheet::of_names(side, (1..=11).map(|n| format!("{side} {n}")).collect())
}

impl Setting {
    /// The same, so many overs a side.
    pub fn overs(overs: u16) -> Setting {
        Setting { rules: json!({"overs": overs}), ..Setting::default() }
    }

    /// A match whose dice come from [`SEED`].
    pub fn seeded(self) -> Maker {
        let seed = ServerSeed::from_hex(SEED).unwrap();
        let created = self.created(Some((&seed, SeedSource::Os)));
        Maker::new(created, Some(seed))
    }

    /// A match whose dice are rolled at the table.
    pub fn table(self) -> Maker {
        let created = self.created(None);
        Maker::new(created, None)
    }

    fn created(self, seed: Option<(&ServerSeed, SeedSource)>) -> MatchCreated {
        let rules = self.rules.as_object().unwrap();
        new_match(Game::find(self.game).unwrap(), rules, self.home, self.away, seed, self.terms).unwrap()
    }
}

/// An over a side with dice from the table, in seventeen events. Wanderers 13/1: no run, 1, 4, bowled, a wide, 6, 1
/// (events 5 to 11); Rovers reach 18/1 in four balls: 6, caught and bowled, 6, 6 (events 13 to 16).
pub fn scripted() -> Log {
    let first: [&[i64]; 7] = [&[2, 3], &[2, 1], &[4, 4], &[2, 5], &[1, 2], &[6, 6], &[3, 1]];
    let second: [&[i64]; 4] = [&[6, 6], &[3, 5, 6, 6, 4], &[6, 6], &[5, 6]];
    Setting::overs(1).table().home_bats().balls(first).balls(second).log()
}

impl Maker {
    fn new(created: MatchCreated, seed: Option<ServerSeed>) -> Maker {
        // Dice of a seed too, but of one that no log knows anything of.
        let rolls = ServerSeed::from_hex(&"a5".repeat(32)).unwrap();
        let first = EventData::MatchCreated(created);
        let mut maker = Maker {
            fixture: Fixture::from_log(match_id(), &first, &Editions::default()).unwrap(),
            head: Head::default(),
            seed,
            openings: Vec::new(),
            actor: Actor::Scorer,
            rolls: SeededDice::new(&rolls.match_seed(&[])),
            whims: Whims(Lcg(2026)),
            lines: Vec::new(),
            events: Vec::new(),
        };
        maker.append(first);
        maker
    }

    /// When the next event comes.
    pub(super) fn now(&self) -> DateTime<Utc> {
        DateTime::from_timestamp(FIRST_EVENT + SECONDS_APART * self.head.seq as i64, 0).unwrap()
    }

    pub(super) fn append(&mut self, data: EventData) {
        let actor = if matches!(data, EventData::MatchCompleted(_)) { Actor::Service } else { self.actor };
        let now = self.now();
        let (event, entry): (Event, Entry) = Event::seal(match_id(), &self.head, now, actor, data).unwrap();
        self.head = event.head();
        self.lines.push(entry.line());
        self.events.push(event);
    }

    pub(super) fn put(&mut self, input: Input, dice: &[i64]) {
        let decided = self.fixture.decide(input, &mut TableDice::new(dice), self.seed.as_ref());
        self.follow(decided.unwrap());
    }

    pub(super) fn roll(&mut self, input: Input) {
        let decided = match &self.seed {
            Some(seed) => self.fixture.decide(input, &mut self.fixture.dice(seed), Some(seed)),
            None => self.fixture.decide(input, &mut self.rolls, None),
        };
        self.follow(decided.unwrap());
    }

    fn follow(&mut self, decision: Decision) {
        decision.events.into_iter().for_each(|event| self.append(event));
        self.fixture = decision.after;
    }

    /// Away call heads and the coin comes down as it does; the winners bat.
    pub fn tossed(mut self) -> Maker {
        self.roll(Input::Toss { caller: Side::Away, call: CoinFace::Heads });
        self.put(Input::TossDecision { to: TossChoice::Bat }, &[]);
        self
    }

    /// Home call heads, win the toss with a coin from the table, and bat.
    pub fn home_bats(mut self) -> Maker {
        let input = Input::Toss { caller: Side::Home, call: CoinFace::Heads };
        self.put(input, &[1]);
        self.put(Input::TossDecision { to: TossChoice::Bat }, &[]);
        self
    }

    /// An over is begun with these choices.
    pub fn over(mut self, choices: Value) -> Maker {
        self.put(Input::Play(Play::Over(object(choices))), &[]);
        self
    }

    /// Balls with dice from the table; an over that is due begins with the default choices.
    pub fn balls<const N: usize>(mut self, balls: [&[i64]; N]) -> Maker {
        for dice in balls {
            self.put(Input::Play(Play::Ball(Choices::new())), dice);
        }
        self
    }

    /// Balls with rolled dice and default choices, until so many have been bowled or the match is over.
    pub fn rolled(mut self, balls: usize) -> Maker {
        let mut balls = 0..balls;
        while self.fixture.phase() == Phase::Play && balls.next().is_some() {
            self.roll(Input::Play(Play::Ball(Choices::new())));
        }
        self
    }

    /// The decision on the last ball is reviewed by whose it is to ask, with this die from the table.
    pub fn reviewed(mut self, die: i64) -> Maker {
        let by = self.fixture.open_review().unwrap().by;
        self.put(Input::Review { by }, &[die]);
        self
    }

    /// The decision on the last ball is accepted.
    pub fn accepted(mut self) -> Maker {
        let by = self.fixture.open_review().unwrap().by;
        self.put(Input::Accept { by }, &[]);
        self
    }

    /// The rest of the match, rolled, with default choices, and every review there can be.
    pub fn reviewed_out(mut self) -> Log {
        while self.fixture.phase() == Phase::Play {
            let input = match self.fixture.open_review() {
                Some(open) => Input::Review { by: open.by },
                None => self.fixture.default_input(),
            };
            self.roll(input);
        }
        self.log()
    }

    /// The rest of the match, rolled, with default choices.
    pub fn played_out(self) -> Log {
        self.rolled(usize::MAX).log()
    }

    /// So many deliveries more, rolled, with every choice made by somebody who likes to change things.
    pub fn restless(mut self, deliveries: u32) -> Maker {
        let last = self.fixture.deliveries().saturating_add(deliveries);
        while self.fixture.phase() == Phase::Play && self.fixture.deliveries() < last {
            let whims = &mut self.whims;
            let play = match self.fixture.next() {
                Next::Choose { what: "over" | "order", legal, .. } => Play::Over(whims.over(&legal)),
                Next::Choose { what: "numbers", legal, .. } => Play::Ball(whims.each_of(&legal)),
                Next::Choose { what: "ball", .. } => Play::Ball(Choices::new()),
                Next::Choose { what, legal, .. } => Play::Ball(whims.one_of(what, &legal)),
                _ => Play::Ball(Choices::new()),
            };
            self.roll(Input::Play(play));
        }
        self
    }

    /// The rest of the match like that.
    pub fn played_out_restlessly(self) -> Log {
        self.restless(u32::MAX).log()
    }

    /// The match is given up.
    pub fn abandoned(mut self, reason: &str) -> Log {
        let input = Input::Abandon { reason: reason.to_owned() };
        self.put(input, &[]);
        self.log()
    }

    /// The log as far as it goes.
    pub fn log(self) -> Log {
        Log::of_lines(self.lines)
    }
}

pub(super) fn match_id() -> MatchId {
    MatchId::try_parse(MATCH_ID).unwrap()
}

pub(super) fn object(value: Value) -> Choices {
    match value {
        Value::Object(members) => members,
        other => panic!("{other} is not an object of choices"),
    }
}

/// A captain who chooses otherwise every time, the same way in every run.
pub(super) struct Whims(Lcg);

impl Whims {
    /// A number below this one.
    pub(super) fn below(&mut self, most: usize) -> usize {
        self.0.below(most)
    }

    pub(super) fn pick<'a>(&mut self, legal: &'a Value) -> &'a Value {
        let all = legal.as_array().unwrap();
        &all[self.0.below(all.len())]
    }

    fn one_of(&mut self, what: &str, legal: &Value) -> Choices {
        Map::from_iter([(what.to_owned(), self.pick(legal).clone())])
    }

    fn each_of(&mut self, legal: &Value) -> Choices {
        let each = legal.as_object().unwrap().iter();
        each.map(|(what, legal)| (what.clone(), self.pick(legal).clone())).collect()
    }

    /// A bowler, now and then another keeper or the orders of both sides, and openers where they are due: never one man
    /// for two of them.
    fn over(&mut self, legal: &Value) -> Choices {
        let bowler = self.pick(&legal["bowler"]).clone();
        let mut choices = Map::from_iter([("bowler".to_owned(), bowler.clone())]);
        if !legal["keeper"].is_null() {
            let keeper = self.pick(&legal["keeper"]).clone();
            if keeper != bowler && self.0.below(3) == 0 {
                choices.insert("keeper".to_owned(), keeper);
            }
        }
        if legal["orders"].is_object() && self.0.below(3) == 0 {
            let mut six = || (0..6).map(|_| self.0.below(10)).collect::<Value>();
            choices.insert("orders".to_owned(), json!({"bowling": six(), "batting": six()}));
        }
        if !legal["openers"].is_null() {
            let mut seen = HashSet::new();
            let openers: Vec<Value> = std::iter::repeat_with(|| self.pick(&legal["openers"]).clone())
                .filter(|name| seen.insert(name.to_string()))
                .take(2)
                .collect();
            choices.insert("openers".to_owned(), Value::from(openers));
        }
        choices
    }
}

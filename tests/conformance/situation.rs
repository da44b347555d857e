//! The situation of a match, for every stored log at every event, and for coin cricket: it tells who faces
//! and who bowls the next ball, what the next events decide, and the figures of the scorecard.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use third_umpire::dice::ServerSeed;
use third_umpire::editions::{Editions, MatchLog};
use third_umpire::log::{Ball, DeliveryPlace, Event, EventData, RawEvent, Review, SCHEMA_VERSION};
use third_umpire::matches::{History, Phase};
use third_umpire::projection::LoadedMatch;
use third_umpire::scorebook::{Outcome, WicketKind};
use third_umpire::views::{Due, MatchSituation, Scorecard};
use third_umpire_test_support::coin_cricket::every_game;
use third_umpire_test_support::logs::{SealedLog, Setting, stored_logs};
use third_umpire_test_support::random::{Chooser, Lcg, step};

/// A match as it is read, with the live events up to there and those that follow, until a correction.
struct Moment<'a> {
    name: String,
    loaded: &'a LoadedMatch,
    before: Vec<&'a Event>,
    after: Vec<&'a Event>,
    /// The commentary's sentence on each ball, by seq.
    sentences: &'a BTreeMap<u64, String>,
}

/// What is decided before a ball is bowled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Decision {
    Openers,
    Bowler,
    NextBatter,
}

impl Moment<'_> {
    fn ball(event: &Event) -> Option<&Ball> {
        match &event.data {
            EventData::Ball(ball) => Some(ball),
            _ => None,
        }
    }

    /// The last ball, and the live events since.
    fn last_ball(&self) -> (Option<(&Event, &Ball)>, &[&Event]) {
        match self.before.iter().rposition(|event| Self::ball(event).is_some()) {
            None => (None, &self.before),
            Some(at) => {
                let event = self.before[at];
                (Self::ball(event).map(|ball| (event, ball)), &self.before[at + 1..])
            }
        }
    }

    /// The outcome of a ball after its review, if there was one.
    fn outcome<'a>(&'a self, ball: &'a Ball) -> &'a Outcome {
        let upheld = self.before.iter().find_map(|event| match &event.data {
            EventData::Review(Review::Made(made)) if made.delivery == ball.delivery && made.is_upheld() => {
                Some(&made.outcome)
            }
            _ => None,
        });
        upheld.unwrap_or(&ball.outcome)
    }

    fn decided(&self, event: &Event) -> Vec<Decision> {
        let brings_in = |choices: &serde_json::Map<String, Value>| {
            choices.get("next_batter").is_some_and(Value::is_string).then_some(Decision::NextBatter)
        };
        match &event.data {
            EventData::Choice(choice) => match (choice.what.as_str(), &choice.choice) {
                ("openers", Some(_)) => vec![Decision::Openers],
                ("next_batter", Some(_)) => vec![Decision::NextBatter],
                _ => Vec::new(),
            },
            EventData::Over(over) => {
                let game = self.loaded.the_match().play().info().game;
                let openers = (game.openers)(over).map(|_| Decision::Openers);
                openers.into_iter().chain([Decision::Bowler]).collect()
            }
            EventData::Roll(roll) => brings_in(&roll.choices).into_iter().collect(),
            EventData::Ball(ball) => brings_in(&ball.choices).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Asserts all of the situation.
    fn check(&self) {
        let now = MatchSituation::of(self.loaded);
        let card = Scorecard::of(self.loaded);
        assert_eq!(card.situation, now, "{}", self.name);
        let in_play = self.loaded.the_match().play().phase() == Phase::Play;
        assert_eq!(now.is_some(), in_play, "{}", self.name);
        if let Some(now) = now {
            self.check_figures(&now, &card);
            self.check_over(&now);
            self.check_ends(&now, &card);
            self.check_players(&now);
        }
    }

    fn check_figures(&self, now: &MatchSituation, card: &Scorecard) {
        let name = &self.name;
        let innings = card.innings.iter().find(|innings| innings.number == now.innings);
        for batter in [&now.striker, &now.non_striker].into_iter().flatten() {
            let line = innings.and_then(|card| card.batters.iter().find(|line| line.player == batter.player));
            let figures = line.map_or((0, 0), |line| (line.runs, line.balls));
            assert_eq!((batter.runs, batter.balls), figures, "{name}");
        }
        if let Some(bowler) = &now.bowler {
            let line = innings.and_then(|card| card.bowlers.iter().find(|line| line.player == bowler.player));
            let figures = line.map(|line| (line.overs.as_str(), line.maidens, line.runs, line.wickets));
            let shown = (bowler.overs.as_str(), bowler.maidens, bowler.runs, bowler.wickets);
            assert_eq!(shown, figures.unwrap_or(("0.0", 0, 0, 0)), "{name}");
        }
        let stand = innings.and_then(|card| card.partnerships.last()).filter(|stand| stand.unbroken);
        let stand = stand.map_or((0, 0), |stand| (stand.runs, stand.balls));
        assert_eq!((now.partnership.runs, now.partnership.balls), stand, "{name}");
        assert_eq!(now.current_rate, innings.map_or("0.00", |card| card.run_rate.as_str()), "{name}");
        assert_eq!(now.target, card.target, "{name}");
        let [runs, wickets, balls] = innings.map_or([0; 3], |card| {
            assert_eq!(card.batting, now.batting, "{name}");
            [card.total.runs, card.total.wickets, card.total.balls]
        });
        let all_out = u32::from(self.loaded.the_match().play().info().game.info.wickets);
        let is_over = self.loaded.the_match().play().last_ball_is_bowled();
        let missing = card.target.and_then(|target| target.checked_sub(runs)).filter(|runs| *runs > 0);
        assert_eq!(now.need.as_ref().map(|need| need.runs), missing.filter(|_| !is_over), "{name}");
        if let Some(need) = &now.need {
            assert_eq!(
                (need.wickets, need.balls),
                (all_out - wickets, now.balls_limit.map(|most| most - balls))
            );
            let off = need.balls.map_or(String::new(), |balls| format!(" off {balls}"));
            assert_eq!(need.text, format!("{}{off} to win", need.runs), "{name}");
            assert_eq!(now.required_rate.is_some(), now.balls_limit.is_some(), "{name}");
        }
    }

    fn check_over(&self, now: &MatchSituation) {
        let name = &self.name;
        let is_shown = |ball: &&Ball| (ball.innings, ball.over) == (now.innings, now.over.number);
        let bowled: Vec<(u64, &Ball)> = self
            .before
            .iter()
            .filter_map(|event| Some((event.seq, Self::ball(event).filter(is_shown)?)))
            .collect();
        let expected = bowled.iter().map(|(seq, ball)| {
            let outcome = self.outcome(ball);
            let figures = (outcome.runs.total, outcome.boundary, outcome.legal, outcome.wicket.clone());
            (ball.delivery, *seq, DeliveryPlace::of(ball), figures)
        });
        let shown = now.over.deliveries.iter().map(|cell| {
            let figures = (cell.runs, cell.boundary, cell.legal, cell.wicket.clone());
            (cell.delivery, cell.seq, cell.place.clone(), figures)
        });
        assert_eq!(shown.collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{name}");
        let legal = now.over.deliveries.iter().filter(|cell| cell.legal).count() as u32;
        assert_eq!(now.over.legal_left + legal, 6, "{name}");
        let last = self.last_ball().0;
        assert_eq!(now.last.as_ref().map(|last| last.seq), last.map(|(event, _)| event.seq), "{name}");
        if let (Some(shown), Some((event, ball))) = (&now.last, last) {
            let outcome = self.outcome(ball);
            assert_eq!((shown.delivery, &shown.dice), (ball.delivery, &ball.dice), "{name}");
            assert_eq!((shown.runs, &shown.wicket), (outcome.runs.total, &outcome.wicket), "{name}");
            let is_revised = *outcome != ball.outcome;
            assert!(is_revised || shown.text == self.sentences[&event.seq], "{name}: {}", shown.text);
        }
    }

    fn check_ends(&self, now: &MatchSituation, card: &Scorecard) {
        let name = &self.name;
        let (last, since) = self.last_ball();
        let begun = since.iter().any(|event| matches!(event.data, EventData::Over(_)));
        let last = last.map(|(_, ball)| ball).filter(|_| !begun);
        let same = last.filter(|last| last.innings == now.innings && now.over.legal_left == 0);
        assert_eq!(now.over_ended.as_ref().map(|ended| ended.number), same.map(|last| last.over), "{name}");
        if let Some(ended) = &now.over_ended {
            let runs: u32 = now.over.deliveries.iter().map(|cell| u32::from(cell.runs)).sum();
            let wickets = now.over.deliveries.iter().filter(|cell| cell.wicket.is_some()).count() as u32;
            assert_eq!((ended.runs, ended.wickets), (runs, wickets), "{name}");
        }
        let other = last.filter(|last| last.innings != now.innings).map(|last| last.innings);
        assert_eq!(now.innings_ended.as_ref().map(|ended| ended.number), other, "{name}");
        if let Some(ended) = &now.innings_ended {
            let total = &card.innings.last().expect("an innings").total;
            assert_eq!((ended.runs, ended.wickets), (total.runs, total.wickets), "{name}");
            assert_eq!((now.over.number, now.over.deliveries.len()), (1, 0), "{name}");
        }
    }

    fn check_players(&self, now: &MatchSituation) {
        let name = &self.name;
        let is_open = self.loaded.the_match().reviews().open().is_some();
        if self.loaded.the_match().play().last_ball_is_bowled() {
            assert_eq!(now.due, if is_open { vec![Due::Review] } else { Vec::new() }, "{name}");
            assert_eq!((&now.notes, &now.need), (&Vec::new(), &None), "{name}");
            return;
        }
        let upholds = |event: &&Event| matches!(&event.data, EventData::Review(review) if review.made().is_some_and(|made| made.is_upheld()));
        let Some(next) = self.after.iter().find_map(|event| Self::ball(event)) else { return };
        if is_open && self.after.first().is_some_and(upholds) {
            assert_eq!(now.due[0], Due::Review, "{name}");
            return;
        }
        let decided = |events: &[&Event]| -> Vec<Decision> {
            events.iter().flat_map(|event| self.decided(event)).collect()
        };
        let already = decided(self.last_ball().1);
        let at = self.after.iter().position(|event| Self::ball(event).is_some()).expect("the next ball");
        let mut still = decided(&self.after[..=at]);
        still.retain(|decision| !already.contains(decision));
        still.sort_unstable();
        still.dedup();
        let due = still.iter().map(|decision| match decision {
            Decision::Openers => Due::Openers,
            Decision::Bowler => Due::Over,
            Decision::NextBatter => Due::NextBatter,
        });
        let due: Vec<Due> = is_open.then_some(Due::Review).into_iter().chain(due).collect();
        assert_eq!(now.due, due, "{name}");
        let batters = [&now.striker, &now.non_striker].map(|one| one.as_ref().map(|one| &one.player));
        let missing = batters.iter().filter(|batter| batter.is_none()).count();
        let expected = match () {
            () if still.contains(&Decision::Openers) => 2,
            () => usize::from(still.contains(&Decision::NextBatter)),
        };
        assert_eq!(missing, expected, "{name}");
        assert_eq!(now.bowler.is_none(), still.contains(&Decision::Bowler), "{name}");
        let bowler = now.bowler.as_ref().map(|bowler| &bowler.player);
        let outcome = &next.outcome;
        for (shown, plays) in
            [(batters[0], &outcome.striker), (batters[1], &outcome.non_striker), (bowler, &outcome.bowler)]
        {
            assert!(shown.is_none_or(|shown| shown == plays), "{name}: {shown:?}, and {plays} plays");
        }
        self.check_keeper(now, next);
        self.check_notes(now, next);
    }

    /// Asserts that the keeper is the one whom the over names, and who takes whatever falls to a keeper on
    /// the next ball.
    fn check_keeper(&self, now: &MatchSituation, next: &Ball) {
        let name = &self.name;
        let keeper = now.keeper.as_deref();
        let over = self.before.iter().rev().find_map(|event| match &event.data {
            EventData::Over(over) => Some(over),
            _ => None,
        });
        let named = over.and_then(|over| over.choices.get("keeper")?.as_str());
        match named {
            Some(named) => assert_eq!(keeper, Some(named).filter(|_| now.bowler.is_some()), "{name}"),
            // In the board game the keeper follows from the squad, so he is known between overs too.
            None => {
                let game = self.loaded.the_match().play().info().game.info.id;
                assert_eq!(keeper.is_some(), game == "cricket-the-game", "{name}");
            }
        }
        let wicket = next.outcome.wicket.as_ref().filter(|wicket| wicket.kind == WicketKind::Stumped);
        if let (Some(wicket), Some(_)) = (wicket, &now.bowler) {
            assert_eq!(keeper, wicket.fielders.first().map(String::as_str), "{name}");
        }
    }
}

impl Moment<'_> {
    /// Asserts that the notes are true of the next ball.
    fn check_notes(&self, now: &MatchSituation, next: &Ball) {
        let name = &self.name;
        let note = |id: &str| now.notes.iter().find(|note| note.id == id).map(|note| note.text.as_str());
        let detail = |member: &str| self.next_detail(next, member);
        let in_over = now.bowler.is_some();
        if now.notes.iter().any(|note| note.id == "pitch") {
            assert_eq!(note("free_hit").is_some(), in_over && detail("free_hit") == json!(true), "{name}");
            assert_eq!(note("express").is_some(), in_over && detail("express").is_string(), "{name}");
            let over = self.before.iter().rev().find_map(|event| match &event.data {
                EventData::Over(over) => Some(over),
                _ => None,
            });
            let power_play = over.and_then(|over| over.choices.get("power_play"));
            let called = in_over && power_play == Some(&json!(true));
            assert_eq!(note("power_play").is_some(), called, "{name}");
            assert_eq!(note("attitude").is_some(), now.striker.is_some(), "{name}");
        }
        if let (Some(text), Some(striker)) = (note("confidence"), &now.striker) {
            let faced = self
                .before
                .iter()
                .rev()
                .filter_map(|event| Self::ball(event))
                .find(|ball| ball.innings == now.innings && self.outcome(ball).striker == striker.player);
            let shown = faced.and_then(|ball| self.outcome(ball).detail.get("confidence")?.as_i64());
            let number = text.trim_start_matches("confidence ").replace('\u{2212}', "-").parse::<i64>();
            assert!(number.is_ok() && shown.is_none_or(|shown| number == Ok(shown)), "{name}: {text}");
        }
        if let Some(text) = note("margin") {
            let out = match detail("needed").as_u64() {
                Some(0) => "out if level".to_owned(),
                needed => format!("out if {} ahead", needed.unwrap_or_default()),
            };
            assert!(text.split(':').next() == Some(&out), "{name}: {text}");
        }
    }

    /// A member of the detail of a ball as the rules decide it.
    fn next_detail(&self, ball: &Ball, member: &str) -> Value {
        let by_rules = ball.as_stood.as_ref().map_or(&ball.outcome, |agreed| &agreed.by_rules);
        by_rules.detail.get(member).cloned().unwrap_or_default()
    }
}

/// Checks a log at every event, read with these editions: as it was known then, and with the corrections that
/// are known at its end.
fn check_log(name: &str, log: &[Event], editions: Editions) -> BTreeSet<&'static str> {
    let mut history: History<LoadedMatch> = History::new(editions);
    let (mut sentences, mut states, mut notes) = (BTreeMap::new(), Vec::new(), BTreeSet::new());
    for (at, event) in log.iter().enumerate() {
        let loaded = history.follow(event.clone()).expect("a log that was recorded").clone();
        if Moment::ball(event).is_some() {
            sentences.insert(event.seq, loaded.describe(event).text);
        }
        let shown = MatchSituation::of(&loaded);
        notes.extend(shown.into_iter().flat_map(|now| now.notes).map(|note| note.id));
        let is_correction = |event: &&Event| event.data.reversal().is_some();
        let before = history.live().events().iter().map(|live| &log[live.seq as usize - 1]).collect();
        let after = log[at + 1..].iter().take_while(|event| !is_correction(event)).collect();
        let name = format!("{name}, as known at {}", event.seq);
        Moment { name, loaded: &loaded, before, after, sentences: &sentences }.check();
        states.push(loaded);
    }
    if history.last_correction().is_some() {
        let live: Vec<&Event> =
            history.live().events().iter().map(|live| &log[live.seq as usize - 1]).collect();
        let replayed: Vec<LoadedMatch> =
            (0..=live.len()).map(|events| history.state_after(events).expect("live events")).collect();
        for (events, loaded) in replayed.iter().enumerate() {
            let (before, after) = (live[..events].to_vec(), live[events..].to_vec());
            let name = format!("{name}, after {events} events that count");
            Moment { name, loaded, before, after, sentences: &sentences }.check();
        }
        // A read of the past is one of these.
        for then in states {
            let at = then.head().seq;
            let then = history.as_of(then).expect("a log that was recorded");
            let shown = MatchSituation::of(&then);
            let counts = then.known_at().is_some();
            assert!(
                !counts || replayed.iter().any(|loaded| MatchSituation::of(loaded) == shown),
                "{name} at {at}: {shown:?}"
            );
        }
    }
    notes
}

#[test]
fn every_stored_log_tells_its_situation_at_every_event() {
    let mut notes = BTreeSet::new();
    for version in 1..=SCHEMA_VERSION {
        for (name, log) in stored_logs(version) {
            let text = log.text();
            let mut lines = MatchLog::new(text.as_bytes(), every_game());
            let read = |line: Result<(RawEvent, _), _>| line.expect("a line").0.read().expect("an event");
            let events: Vec<Event> = lines.by_ref().map(read).collect();
            notes.extend(check_log(&name, &events, lines.editions().clone()));
        }
    }
    let due = [
        "attitude",
        "confidence",
        "express",
        "free_hit",
        "margin",
        "outfield",
        "partner_confidence",
        "patience",
        "pitch",
        "power_play",
    ];
    assert_eq!(notes, BTreeSet::from(due));
}

#[test]
fn coin_cricket_tells_its_situation_at_every_event() {
    let known = every_game();
    let game = known.registry().find("coin-cricket").expect("the game of the tests");
    for number in 0..12 {
        let mut random = Lcg(number);
        let mut chooser = Chooser::new((0..4_000).map(|_| random.byte()).collect());
        let rules = json!({"overs": 1 + number % 3, "reviews": number % 2 == 0});
        let seed = (number % 4 < 2).then(|| ServerSeed::from_hex(&format!("{number:064x}")).expect("a seed"));
        let mut played = Setting::of(game, rules).open(seed).expect("a match");
        while step(&mut played, &mut chooser).is_some() {}
        assert!(played.the_match.play().deliveries() > 2, "a match of some balls");
        let sealed = SealedLog::of(&played.log);
        check_log(&format!("coin cricket {number}"), &sealed.events, every_game());
    }
}

//! Corrections of randomly chosen matches: what counts is the match that was played without the mistakes.

use chrono::DateTime;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use serde_json::{Value, json};
use third_umpire::audit::{Verdict, audit_with};
use third_umpire::log::{Actor, AgreedOutcome, Amendment, Cascade, Correction, Event, EventData, Subject};
use third_umpire::matches::corrections::{
    Consent, CorrectionRequest, CorrectionTarget, RefitAnswers, decide,
};
use third_umpire::matches::{History, Input, LogFold, Match};
use third_umpire::projection::LoadedMatch;
use third_umpire::rules::Play;
use third_umpire::views::Scorecard;
use third_umpire_test_support::coin_cricket::every_game;
use third_umpire_test_support::logs::{PlayedMatch, SealedLog, object};
use third_umpire_test_support::random::{
    Chooser, Plan, cases, legal_input, plans, short_howzat_plans, short_plans, step,
};
use third_umpire_test_support::score::situation_off_the_log;

/// A match with its sealed log, and its live events computed in another way than the program's.
struct Scorer {
    a_match: PlayedMatch,
    chooser: Chooser,
    sealed: SealedLog,
    history: History<LoadedMatch>,
    /// The projection after each event.
    books: Vec<LoadedMatch>,
    /// A projection that only ever applied the next event, since the last correction.
    applied: LoadedMatch,
    live: Vec<Event>,
    /// The seqs of the live events after each event.
    live_seqs: Vec<Vec<u64>>,
}

impl Scorer {
    fn begin(plan: &Plan) -> Scorer {
        let (a_match, chooser) = plan.begin();
        let mut sealed = SealedLog::default();
        let event = write(&mut sealed, a_match.log[0].clone());
        let applied = LoadedMatch::open(&event, &every_game()).unwrap();
        let mut scorer = Scorer {
            a_match,
            chooser,
            sealed,
            history: History::new(every_game()),
            books: Vec::new(),
            applied,
            live: Vec::new(),
            live_seqs: Vec::new(),
        };
        scorer.record(&event);
        scorer
    }

    fn write(&mut self, data: EventData) {
        self.write_by(data, Actor::Scorer);
    }

    fn write_by(&mut self, data: EventData, actor: Actor) {
        let event = write_by(&mut self.sealed, data, actor);
        self.record(&event);
    }

    fn record(&mut self, event: &Event) {
        let book = self.history.follow(event.clone()).unwrap().clone();
        match &event.data {
            EventData::Correction(correction) => {
                self.live.retain(|event| event.seq < correction.voids_from_seq);
                self.applied = book.clone();
            }
            data => {
                if event.seq > 1 {
                    self.applied.follow(event).unwrap();
                }
                if data.subject().is_some() {
                    self.live.push(event.clone());
                }
            }
        }
        self.books.push(book);
        self.live_seqs.push(self.live.iter().map(|event| event.seq).collect());
    }

    /// Plays the next step; false if the match is over.
    fn step(&mut self) -> bool {
        let Some((_, events)) = step(&mut self.a_match, &mut self.chooser) else { return false };
        events.into_iter().for_each(|event| self.write(event));
        true
    }

    /// Bowls the next ball with another outcome than the rules', where a table may agree on one.
    fn ball_agreed_on(&mut self) {
        let input = legal_input(&self.a_match, &mut self.chooser);
        let (None, Some(Input::Play(Play::Ball(choices)))) = (self.a_match.seed(), input) else { return };
        let agreed = self.agreed();
        let mut dice = self.chooser.clone();
        if let Ok(events) = self.a_match.put(Input::Agreed(choices, agreed), &mut dice) {
            self.chooser = dice;
            events.into_iter().for_each(|event| self.write(event));
        }
    }

    fn agreed(&mut self) -> AgreedOutcome {
        let runs = json!({"runs": {"batter": self.chooser.below(8)}, "wicket": null});
        let wicket = json!({"runs": {"batter": 0}, "extras": {}, "wicket": {"kind": "run out"}});
        let outcome = if self.chooser.once_in(4) { wicket } else { runs };
        AgreedOutcome { outcome: object(outcome), faces: None, reason: "so they say".to_owned() }
    }

    fn delivery(&mut self) -> u32 {
        let last = self.a_match.the_match.play().deliveries() as usize;
        self.chooser.below(last + 2) as u32
    }

    fn amendment(&mut self) -> CorrectionTarget {
        let cascade =
            *self.chooser.pick(&[Cascade::Refuse, Cascade::VoidRest, Cascade::Refit, Cascade::Refit]);
        let mut amendment =
            Amendment { amends: self.delivery(), over: None, choices: None, as_stood: None, cascade };
        let mut dice = None;
        let howzat = self.a_match.the_match.play().info().created.game == "howzat";
        match self.chooser.below(3) {
            0 => {}
            1 if self.a_match.seed().is_none() && howzat => {
                let faces: [&[i64]; 6] = [&[2, 3], &[2, 6], &[2, 5], &[1, 2], &[2, 1], &[4, 4]];
                dice = Some(self.chooser.pick(&faces).to_vec());
            }
            1 if self.a_match.seed().is_none() => {
                let numbers = [self.chooser.below(10), self.chooser.below(10)];
                let choices = json!({"bowler_number": numbers[0], "batter_number": numbers[1]});
                amendment.choices = Some(object(choices));
            }
            _ => amendment.as_stood = Some(self.agreed()),
        }
        CorrectionTarget::Amend(amendment, dice, RefitAnswers::default())
    }

    /// Makes a random correction; false if the correction is refused.
    fn correct(&mut self) -> bool {
        let target = match self.chooser.below(5) {
            0 | 1 => CorrectionTarget::FromDelivery(self.delivery()),
            2 => CorrectionTarget::FromEvent(self.chooser.below(self.sealed.events.len() + 2) as u64),
            _ => self.amendment(),
        };
        let request = CorrectionRequest { target, reason: "a mistake".to_owned() };
        let decided = decide(
            &self.a_match.the_match,
            &self.sealed.events,
            &request,
            Actor::Scorer,
            self.a_match.seed(),
            Consent::Needed,
        );
        let Ok(corrected) = decided else { return false };
        corrected.events.into_iter().for_each(|(data, actor)| self.write_by(data, actor));
        self.a_match.the_match = self.history.state().unwrap().the_match().clone();
        true
    }

    /// Asserts that a reader refuses an invalid correction, and stays where it was.
    fn is_refused(&mut self, delivery: u32, seq: u64) {
        let correction = Correction {
            voids_from_seq: seq,
            voids_from: Some(delivery),
            amends: Some(delivery),
            inserts: None,
            removes: None,
            anew: None,
            cascade: None,
            ended: Vec::new(),
            reason: "a mistake".to_owned(),
            dice_seen: true,
        };
        let mut sealed = SealedLog { head: self.sealed.head.clone(), ..SealedLog::default() };
        let event = write(&mut sealed, EventData::Correction(correction));
        let before = card(self.history.state().unwrap());
        assert!(self.history.follow(event).is_err());
        assert_eq!(card(self.history.state().unwrap()), before);
    }

    /// Plays this many steps: events of play, corrections and invalid corrections in any order.
    fn play(&mut self, steps: usize) {
        for _ in 0..steps {
            match self.chooser.below(12) {
                0 | 1 => drop(self.correct()),
                2 => self.ball_agreed_on(),
                3 => {
                    let seq = self.chooser.below(self.sealed.events.len()) as u64;
                    let delivery = self.delivery();
                    self.is_refused(delivery, seq);
                }
                _ => drop(self.step()),
            }
        }
    }

    /// A summary of the log, for messages.
    fn summary(&self) -> String {
        let event = |event: &Event| match (&event.data, event.data.subject()) {
            (EventData::Correction(correction), _) => {
                format!("{}: correction from {}", event.seq, correction.voids_from_seq)
            }
            (_, Some(moment)) => format!("{}: {moment:?}", event.seq),
            (data, None) => format!("{}: {}", event.seq, data.kind()),
        };
        self.sealed.events.iter().map(event).collect::<Vec<_>>().join("; ")
    }

    /// Plays the live events again from the first on, without any correction.
    fn played_without_mistakes(&self) -> (Match, LoadedMatch, String) {
        let first = &self.sealed.events[0].data;
        let mut the_match = self.a_match.opened_anew();
        let mut history: History<LoadedMatch> = History::new(every_game());
        let mut sealed = SealedLog::default();
        for data in std::iter::once(first).chain(self.live.iter().map(|event| &event.data)) {
            if data.subject().is_some() {
                the_match.verify(data).map(drop).unwrap_or_else(|why| panic!("{data:?}: {why:?}"));
            }
            history.follow(write(&mut sealed, data.clone())).unwrap();
        }
        (the_match, history.into_state().unwrap(), sealed.log().text())
    }
}

/// Seals an event by the scorer.
fn write(sealed: &mut SealedLog, data: EventData) -> Event {
    write_by(sealed, data, Actor::Scorer)
}

fn write_by(sealed: &mut SealedLog, data: EventData, actor: Actor) -> Event {
    sealed.append(DateTime::UNIX_EPOCH, actor, data).clone()
}

/// A scorecard without its members on the log and on disputes, which differ without corrections.
fn card(book: &LoadedMatch) -> Value {
    let mut card = serde_json::to_value(Scorecard::of(book)).unwrap();
    let members = card.as_object_mut().unwrap();
    for of_the_log in
        ["at_seq", "head", "as_known_at", "corrections", "changed_choices", "read_anew", "disputes"]
    {
        members.remove(of_the_log);
    }
    members.retain(|name, _| !name.ends_with("_total") && name != "disputes_open");
    for exception in members.get_mut("exceptions").and_then(Value::as_array_mut).into_iter().flatten() {
        exception.as_object_mut().unwrap().remove("seq");
    }
    situation_off_the_log(&mut card["situation"]);
    card
}

fn assert_same(live: &Match, other: &Match) {
    assert_eq!(live.next(), other.next());
    assert_eq!(live.play().phase(), other.play().phase());
    assert_eq!(live.play().deliveries(), other.play().deliveries());
    assert_eq!(live.play().next_over(), other.play().next_over());
    assert_eq!(live.reviews().target(), other.reviews().target());
}

/// The naive card for the match as of an earlier event: its live events, folded from the first one up to
/// there. Where the last event of play at that moment is void now, up to the event that replaced it.
fn naively_about(scorer: &Scorer, seq: u64) -> Option<Value> {
    let last = *scorer.live_seqs[seq as usize - 1].last()?;
    let live = &scorer.live;
    let up_to = match live.iter().position(|event| event.seq == last) {
        Some(at) => at + 1,
        None => {
            let moment = scorer.sealed.events[last as usize - 1].data.subject()?;
            // A delivery may have another number now, and one that is out leads to the one before it.
            let then = scorer.books[last as usize - 1].the_match();
            let now = scorer.history.state()?.the_match().adjudication().numbers();
            let before = then.adjudication().numbers();
            let stands = |delivery: u32| match before.have_moved() || now.have_moved() {
                true => (1..=delivery).rev().find_map(|number| now.number(before.key(number))).unwrap_or(0),
                false => delivery,
            };
            let moment = moment.with_delivery(stands);
            let deliveries = stands(then.play().deliveries());
            let again = |moment| live.iter().rposition(|event| event.data.subject() == Some(moment));
            let last_ball = again(Subject::Ball { delivery: deliveries });
            let ends = |at: &usize| {
                matches!(live.get(*at).map(|event| &event.data), Some(EventData::MatchCompleted(_)))
            };
            let place = match moment {
                Subject::Abandoned => last_ball,
                Subject::Completed => last_ball.map(|at| Some(at + 1).filter(ends).unwrap_or(at)),
                moment => again(moment).or(last_ball),
            };
            let no_over = |event: &&Event| !matches!(event.data, EventData::Over(_));
            let before_play = || live.iter().take_while(no_over).count();
            place.map_or_else(|| if deliveries == 0 { before_play() } else { live.len() }, |at| at + 1)
        }
    };
    let mut sealed = SealedLog::default();
    let mut book: Option<LoadedMatch> = None;
    for event in scorer.sealed.events[..1].iter().chain(&live[..up_to]) {
        let event = write(&mut sealed, event.data.clone());
        match &mut book {
            None => book = Some(LoadedMatch::open(&event, &every_game()).unwrap()),
            Some(book) => book.follow(&event).unwrap(),
        }
    }
    book.map(|book| card(&book))
}

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn the_card_is_that_of_the_match_that_was_played_without_the_mistakes(plan in plans(), steps in 5usize..90) {
        let mut scorer = Scorer::begin(&plan);
        for _ in 0..3 {
            scorer.play(steps / 3);
            let (the_match, book, lines) = scorer.played_without_mistakes();
            let live = &scorer.a_match.the_match;
            assert_same(live, &the_match);
            assert_same(live, scorer.history.state().unwrap().the_match());
            prop_assert_eq!(card(scorer.history.state().unwrap()), card(&book));
            prop_assert_eq!(card(&scorer.applied), card(&book));
            let plain = audit_with(lines.as_bytes(), None, every_game()).unwrap();
            prop_assert!(plain.verdict == Verdict::Clean, "{}", plain);
        }
        let mut at_once: History<LoadedMatch> = History::new(every_game());
        for event in &scorer.sealed.events {
            at_once.follow(event.clone()).unwrap();
        }
        let (at_once, live) = (at_once.into_state().unwrap(), scorer.history.state().unwrap());
        prop_assert_eq!(Scorecard::of(&at_once), Scorecard::of(live));
        prop_assert_eq!(at_once.adjudication().corrections(), live.adjudication().corrections());
    }

    #[test]
    fn a_log_with_corrections_is_clean_and_tells_of_each(plan in short_plans(), steps in 20usize..90) {
        let mut scorer = Scorer::begin(&plan);
        scorer.play(steps);
        // Every other match is played to its end and corrected after it, so that the seeds also prove what
        // was bowled again.
        if steps % 2 == 0 {
            while scorer.step() {}
            scorer.play(10);
        }
        let report = audit_with(scorer.sealed.log().text().as_bytes(), None, every_game()).unwrap();
        prop_assert!(report.verdict == Verdict::Clean, "{}", report);
        let corrections = scorer.sealed.events.iter().filter(|event| event.data.kind() == "correction").count();
        prop_assert_eq!(report.corrections.len(), corrections);
        let card = Scorecard::of(scorer.history.state().unwrap());
        prop_assert_eq!(&report.changed_choices, &card.changed_choices);
        prop_assert_eq!(&report.read_anew, &card.read_anew);
        let exceptions: Vec<u64> = report.exceptions.iter().map(|exception| exception.seq).collect();
        prop_assert_eq!(exceptions, card.exceptions.iter().map(|exception| exception.seq).collect::<Vec<_>>());
        for correction in &report.corrections {
            prop_assert!(correction.voided > Some(0));
        }
    }

    #[test]
    fn a_seeded_delivery_bowled_again_has_the_dice_of_its_number(plan in short_plans(), steps in 20usize..90) {
        let mut scorer = Scorer::begin(&plan);
        scorer.play(steps);
        let Some(mut dice) = scorer.a_match.seeded_dice() else { return Ok(()) };
        for event in &scorer.sealed.events {
            let EventData::Ball(ball) = &event.data else { continue };
            third_umpire::dice::Dice::begin(&mut dice, third_umpire::dice::Draw::ball(ball.delivery));
            for die in &ball.dice {
                prop_assert_eq!(dice.die(die.sides), die.value, "delivery {}", ball.delivery);
            }
        }
    }

    #[test]
    fn each_moment_agrees_with_a_naive_reader(plan in plans(), steps in 10usize..120) {
        let mut scorer = Scorer::begin(&plan);
        scorer.play(steps);
        moments_agree(&scorer)?;
    }
}

/// Each moment of a match is the card that a naive reader makes of it.
fn moments_agree(scorer: &Scorer) -> Result<(), TestCaseError> {
    for (seq, then) in (1..).zip(scorer.books.clone()) {
        let Some(naive) = naively_about(scorer, seq) else { continue };
        let as_of = scorer.history.as_of(then).unwrap();
        prop_assert_eq!(card(&as_of), naive, "as of event {} of {}", seq, scorer.summary());
        prop_assert_eq!(as_of.head().seq, seq);
    }
    Ok(())
}

/// A ball was amended, so that the others got other numbers, and all was played anew under their first ones.
#[test]
fn a_moment_whose_numbers_had_moved_agrees_once_they_have_moved_back() {
    let bytes = hex::decode(MOVED_AND_BACK).unwrap();
    let plan = Plan::at_table("coin-cricket", json!({"overs": 3, "reviews": true}), &bytes);
    let mut scorer = Scorer::begin(&plan);
    scorer.play(109);
    let have_moved = |book: &LoadedMatch| book.the_match().adjudication().numbers().have_moved();
    assert!(scorer.books.iter().any(have_moved) && !have_moved(scorer.history.state().unwrap()));
    moments_agree(&scorer).unwrap();
}

const MOVED_AND_BACK: &str = "0415200868030000281e102b8e5a04df5c3aa72f8f2aa109bcfdda1a1985c649d17d548d73f8477132498d91420d569d95\
    1b6f01576ef32d679da3ecaa457c42fca1e3994f4a160c8333d6650185f8a64368a15b58d5de92ad2c530f2ccdc49fb3cb\
    b571302779bc93dc907997d57ea532c62492dc37bbebb439c1fe6136996000d5143749f621cf9e2109cde3f81516352c";

#[test]
fn the_properties_try_every_kind_of_correction() {
    let [mut amended, mut agreed, mut voided, mut after_the_end] = [0; 4];
    let runner = &mut proptest::test_runner::TestRunner::deterministic();
    for _ in 0..40 {
        let plan = short_plans().new_tree(runner).unwrap().current();
        let mut scorer = Scorer::begin(&plan);
        scorer.play(60);
        while scorer.step() {}
        let end = scorer.sealed.events.len();
        scorer.play(12);
        for (at, event) in scorer.sealed.events.iter().enumerate() {
            if let EventData::Correction(correction) = &event.data {
                amended += usize::from(correction.amends.is_some());
                voided += usize::from(correction.amends.is_none());
                after_the_end += usize::from(at >= end);
            }
            agreed += usize::from(matches!(&event.data, EventData::Ball(ball) if ball.as_stood.is_some()));
        }
    }
    let tried = [amended, agreed, voided, after_the_end];
    assert!(tried.iter().all(|times| *times >= 10), "{tried:?}");
}

/// After the end the seeds are open, so the service itself accepts the decision where an amended ball could
/// be reviewed.
#[test]
fn a_log_is_clean_in_which_the_service_accepts_a_decision_after_the_end() {
    let runner = &mut proptest::test_runner::TestRunner::deterministic();
    let mut accepted = 0;
    for _ in 0..400 {
        let plan = short_howzat_plans().new_tree(runner).unwrap().current();
        let mut scorer = Scorer::begin(&plan);
        if scorer.a_match.seed().is_none()
            || scorer.a_match.the_match.play().info().created.rules["drs"] != "house"
        {
            continue;
        }
        while scorer.step() {}
        let end = scorer.sealed.events.len();
        for _ in 0..20 {
            scorer.correct();
        }
        let of_the_service =
            |event: &&Event| event.actor == Actor::Service && matches!(event.data, EventData::Review(_));
        accepted += scorer.sealed.events[end..].iter().filter(of_the_service).count();
        let report = audit_with(scorer.sealed.log().text().as_bytes(), None, every_game()).unwrap();
        assert!(report.verdict == Verdict::Clean, "{report}");
    }
    assert!(accepted >= 5, "{accepted}");
}

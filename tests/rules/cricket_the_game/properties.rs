//! Random whole matches, compared with a second reading of the rules page and with tampered outcomes.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use serde_json::{Map, Value};
use third_umpire::log::{Ball, EventData, Over, Review};
use third_umpire::scorebook::{Method, Outcome, Side, WicketKind};
use third_umpire_test_support::logs::forger::{OUTCOME, changed};
use third_umpire_test_support::random::{cases, cricket_plans, step};
use third_umpire_test_support::score::Score;

/// A second reading of a match, from its events alone.
struct Reader {
    overs: u16,
    quota: usize,
    t10: bool,
    innings: Vec<Innings>,
    bats_first: Side,
    deliveries: u32,
    dropped: BTreeSet<String>,
    /// The last ball if its decision can be reviewed, and the innings before it.
    reviewable: Option<(Ball, Vec<Innings>)>,
    reviews_on: bool,
    /// The sides without a review left, by innings.
    spent: BTreeSet<(u16, &'static str)>,
}

#[derive(Default, Clone)]
struct Innings {
    score: Score,
    /// Striker and non-striker; nobody where a batter has to come in.
    ends: [Option<String>; 2],
    came_in: BTreeSet<String>,
    bowled: BTreeMap<String, usize>,
    bowler: String,
    power_plays: usize,
    cards: BTreeSet<String>,
    /// Whether the next delivery is bowled without a card and, if so, whether it is a free hit.
    again: Option<bool>,
    confidence: BTreeMap<String, i64>,
}

impl Innings {
    fn is_over(&self, overs: u16, target: Option<u32>) -> bool {
        let reached = target.is_some_and(|target| self.score.runs >= target);
        reached || self.score.wickets == 10 || self.score.balls == u32::from(overs) * 6
    }
}

fn text(value: &Value) -> String {
    value.as_str().expect("a word").to_owned()
}

impl Reader {
    fn of(rules: &Map<String, Value>) -> Reader {
        let t10 = rules["format"] == "t10";
        let (overs, quota) = if t10 { (10, 2) } else { (20, 3) };
        Reader {
            overs,
            quota,
            t10,
            innings: vec![Innings::default()],
            bats_first: Side::Home,
            deliveries: 0,
            dropped: BTreeSet::new(),
            reviews_on: rules["drs"] == "on",
            reviewable: None,
            spent: BTreeSet::new(),
        }
    }

    fn target(&self) -> Option<u32> {
        (self.innings.len() == 2).then(|| self.innings[0].score.runs + 1)
    }

    fn see(&mut self, event: &EventData) {
        match event {
            EventData::SetUp(set_up) => {
                self.dropped = ["home", "away"].map(|side| text(&set_up.choices["drop"][side])).into();
            }
            EventData::TossDecided(decided) => self.bats_first = decided.bats_first(),
            EventData::Over(over) => self.over(over),
            EventData::Ball(ball) => self.ball(ball),
            EventData::Review(review) => self.review(review),
            EventData::MatchCompleted(completed) => {
                assert!(self.reviewable.is_none(), "the last ball is to be reviewed or accepted");
                let [first, second] = [&self.innings[0].score, &self.innings[1].score];
                let result = completed.result;
                let chasing = second.runs > first.runs;
                let winner = if chasing { self.bats_first.other() } else { self.bats_first };
                assert_eq!(result.winner, Some(winner));
                let method = match () {
                    () if chasing => Method::Wickets,
                    () if first.runs == second.runs => Method::LevelFirstSide,
                    () => Method::Runs,
                };
                assert_eq!(result.method, method);
                assert!(self.innings[1].is_over(self.overs, self.target()));
            }
            _ => {}
        }
    }

    fn over(&mut self, over: &Over) {
        assert!(self.reviewable.is_none(), "the ball before is to be reviewed or accepted");
        if self.innings.len() == 1 && self.innings[0].is_over(self.overs, None) {
            self.innings.push(Innings::default());
        }
        assert_eq!(usize::from(over.innings), self.innings.len());
        let t10 = self.t10;
        let innings = self.innings.last_mut().expect("an innings");
        assert_eq!((innings.score.balls % 6, u32::from(over.over)), (0, innings.score.balls / 6 + 1));
        let bowler = text(&over.choices["bowler"]);
        assert!(bowler != innings.bowler && !self.dropped.contains(&bowler));
        let bowled = innings.bowled.entry(bowler.clone()).or_default();
        *bowled += 1;
        assert!(*bowled <= self.quota);
        innings.bowler = bowler;
        let power_play = over.choices.get("power_play") == Some(&Value::Bool(true));
        innings.power_plays += usize::from(power_play);
        assert!(innings.power_plays <= 1 && (!power_play || (t10 && over.over >= 3)));
        let restricted = power_play || over.over <= if t10 { 2 } else { 6 };
        let field: BTreeSet<String> =
            over.choices["field"].as_array().expect("a field").iter().map(text).collect();
        assert_eq!(field.len(), 9);
        let outfield = field.iter().filter(|place| !place.ends_with(".1") && !place.ends_with(".2")).count();
        assert!(outfield <= if restricted { 2 } else { 5 });
        if let Some(openers) = over.choices.get("openers") {
            innings.ends = [0, 1].map(|place| Some(text(&openers[place])));
            innings.came_in = innings.ends.iter().flatten().cloned().collect();
        }
        innings.cards.clear();
        innings.again = None;
    }

    fn ball(&mut self, ball: &Ball) {
        assert!(self.reviewable.is_none(), "the ball before is to be reviewed or accepted");
        self.deliveries += 1;
        let before = self.innings.clone();
        self.bowled(ball);
        let by = self.may_review(ball).map(|by| (ball.innings, by.as_str()));
        if self.reviews_on && by.is_some_and(|by| !self.spent.contains(&by)) {
            self.reviewable = Some((ball.clone(), before));
        }
    }

    /// The side that may have the decision on a ball reviewed.
    fn may_review(&self, ball: &Ball) -> Option<Side> {
        let batting = if ball.innings == 1 { self.bats_first } else { self.bats_first.other() };
        let Outcome { wicket, rulings, detail, .. } = &ball.outcome;
        match wicket {
            Some(wicket) => {
                let clean = rulings.iter().any(|id| id == "ctg.clean_bowled");
                (wicket.kind != WicketKind::RunOut && !clean).then_some(batting)
            }
            None => detail.contains_key("appeal").then_some(batting.other()),
        }
    }

    fn review(&mut self, review: &Review) {
        let (ball, before) = self.reviewable.take().expect("a ball to review");
        let by = self.may_review(&ball).expect("somebody's to review");
        assert_eq!((review.delivery(), review.by()), (ball.delivery, by));
        let Some(made) = review.made() else { return };
        let [die] = made.dice.as_slice() else { panic!("a review rolls one die") };
        assert_eq!((&*die.what, die.sides), ("review", 6));
        assert_eq!(made.is_upheld(), die.value >= 5);
        assert_eq!([made.umpires_call, made.retained], [die.value == 4; 2]);
        if !made.retained {
            self.spent.insert((ball.innings, by.as_str()));
        }
        if !made.is_upheld() {
            assert_eq!(made.outcome, ball.outcome);
            return;
        }
        let (was, is) = (&ball.outcome, &made.outcome);
        assert_eq!((was.wicket.is_some(), is.runs.batter), (is.wicket.is_none(), 0));
        assert_eq!((&was.extras, was.legal, &was.striker), (&is.extras, is.legal, &is.striker));
        if let (Some(wicket), Some(appeal)) = (&is.wicket, was.detail.get("appeal")) {
            assert_eq!(serde_json::to_value(wicket.kind).expect("a word"), appeal["for"]);
        }
        self.innings = before;
        self.bowled(&Ball { outcome: made.outcome.clone(), ..ball });
    }

    fn bowled(&mut self, ball: &Ball) {
        let (overs, target) = (self.overs, self.target());
        let innings = self.innings.last_mut().expect("an innings");
        assert!(!innings.is_over(overs, target));
        assert_eq!(ball.delivery, self.deliveries);
        if let Some(next) = ball.choices.get("next_batter").map(text) {
            assert!(!self.dropped.contains(&next) && innings.came_in.insert(next.clone()));
            *innings.ends.iter_mut().find(|end| end.is_none()).expect("somebody is awaited") = Some(next);
        }
        let Outcome { striker, non_striker, bowler, .. } = &ball.outcome;
        assert_eq!(innings.ends, [striker, non_striker].map(|name| Some(name.clone())));
        assert_eq!(bowler, &innings.bowler);
        innings.see_card(ball, overs);
        innings.see_outcome(&ball.outcome);
        innings.count(ball);
    }
}

impl Innings {
    fn see_card(&mut self, ball: &Ball, overs: u16) {
        let express = ball.outcome.detail.contains_key("express");
        let due = 1 < ball.over && ball.over < overs && self.cards.len() < 2;
        assert_eq!(express, due, "{ball:?}");
        match (ball.choices.get("over_card"), self.again) {
            (Some(card), None) => assert!(self.cards.insert(text(card)), "a card twice"),
            (None, Some(free_hit)) => assert_eq!(ball.outcome.detail.contains_key("free_hit"), free_hit),
            (card, again) => panic!("{card:?} where {again:?}"),
        }
        assert!(self.cards.len() <= 6);
    }

    fn see_outcome(&self, outcome: &Outcome) {
        let Outcome { runs, extras, legal, boundary, wicket, detail, .. } = outcome;
        assert_eq!(runs.total, runs.batter + runs.extras);
        assert_eq!(runs.extras, extras.no_balls + extras.byes);
        let dead = detail.get("dead_ball").is_some();
        assert_eq!(*legal, extras.no_balls == 0 && !dead);
        assert!(!dead || (runs.total == 0 && wicket.is_none()));
        assert!(extras.no_balls <= 1 && boundary.is_none_or(|runs| runs == 4 || runs == 6));
        if let Some(advantage) = detail.get("advantage").and_then(Value::as_i64) {
            assert!((-1..=3).contains(&advantage));
        }
        if let Some(wicket) = wicket {
            let protected = extras.no_balls > 0 || detail.contains_key("free_hit");
            assert!(wicket.kind == WicketKind::RunOut || (!protected && runs.total == 0));
            let tried = detail.get("tried").and_then(Value::as_u64);
            assert!(wicket.kind != WicketKind::RunOut || tried == Some(u64::from(runs.batter) + 1));
        }
    }

    fn count(&mut self, ball: &Ball) {
        let outcome = &ball.outcome;
        self.score.count(outcome);
        let confidence = outcome.detail["confidence"].as_i64().expect("a number");
        assert!((-1..=3).contains(&confidence));
        self.confidence.insert(outcome.striker.clone(), confidence);
        let no_ball = outcome.extras.no_balls > 0;
        let dead = outcome.detail.get("dead_ball").is_some();
        self.again = match (no_ball, dead) {
            (true, _) => Some(true),
            (false, true) => Some(self.again.unwrap_or(false)),
            (false, false) => None,
        };
        let mut run = outcome.runs.batter + outcome.extras.byes;
        if let Some(wicket) = &outcome.wicket {
            let out = self.ends.iter_mut().find(|end| end.as_ref() == Some(&wicket.player_out));
            *out.expect("the batter is in") = None;
            // The batters had set out for one run more.
            run += u16::from(wicket.kind == WicketKind::RunOut);
        }
        if outcome.boundary.is_none() && run % 2 == 1 {
            self.ends.swap(0, 1);
        }
        if outcome.legal && self.score.balls.is_multiple_of(6) {
            self.ends.swap(0, 1);
        }
    }
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn every_event_is_what_a_second_reading_of_the_page_expects(plan in cricket_plans()) {
        let (mut live, mut chooser) = plan.begin();
        let mut reader = Reader::of(&live.the_match.play().info().created.rules);
        while let Some((_, events)) = step(&mut live, &mut chooser) {
            events.iter().for_each(|event| reader.see(event));
        }
        prop_assert_eq!(live.the_match.play().status(), "completed");
    }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn a_changed_outcome_is_not_followed(plan in cricket_plans()) {
        let (mut live, mut chooser) = plan.begin();
        let mut before = live.opened_anew();
        while let Some((_, events)) = step(&mut live, &mut chooser) {
            for event in events {
                if let EventData::Ball(ball) = &event {
                    let tampering = chooser.pick(OUTCOME);
                    let tampered = changed(ball, tampering, &mut chooser.clone());
                    if tampered != *ball {
                        let verdict = before.clone().verify(&EventData::Ball(tampered.clone()));
                        prop_assert!(verdict.is_err(), "{} of {:?}", tampering.0, ball);
                        // A replay may admit the event, but never panics.
                        let _ = before.clone().replay(&EventData::Ball(tampered));
                    }
                }
                before.replay(&event).expect("a recorded event");
            }
        }
    }
}

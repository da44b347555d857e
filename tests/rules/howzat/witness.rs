//! A second reading of Howzat's rules page, from recorded events alone: the batters at the wicket, the score,
//! the end of an over, an innings and the match. It shares no code with the program.

use std::collections::{BTreeMap, BTreeSet};

use third_umpire::log::{Ball, DiceMode, EventData, MatchCreated, Over, Review, Toss};
use third_umpire::scorebook::{MatchResult, Outcome, Side, WicketKind};
use third_umpire_test_support::score::Score;

/// The innings in progress.
#[derive(Clone, Default)]
struct Innings {
    score: Score,
    /// Striker and non-striker; nobody where a batter is out and the next has not come in.
    ends: [Option<String>; 2],
    came_in: BTreeSet<String>,
    /// The bowler, legal balls and all balls of the over in progress.
    over: Option<(String, u32, u32)>,
    overs_bowled: BTreeMap<String, u64>,
    last_bowler: Option<String>,
}

/// A reader of a match who panics where an event is not what the rules page says.
#[derive(Clone)]
pub struct Witness {
    created: MatchCreated,
    bats_first: Side,
    first: Option<Score>,
    innings: Innings,
    deliveries: u32,
    /// The last ball if it can be reviewed, and the match before it.
    reviewable: Option<(Ball, Box<Witness>)>,
    /// The innings, and the sides without a review left in it.
    spent: (u16, BTreeSet<&'static str>),
}

impl Witness {
    pub fn of(created: &MatchCreated) -> Witness {
        Witness {
            created: created.clone(),
            bats_first: Side::Home,
            first: None,
            innings: Innings::default(),
            deliveries: 0,
            reviewable: None,
            spent: Default::default(),
        }
    }

    pub fn see(&mut self, event: &EventData) {
        match event {
            EventData::MatchCreated(_) => panic!("a match is created once"),
            EventData::Toss(Toss::Reported(_)) => {}
            EventData::Toss(Toss::Called(toss)) => {
                assert_eq!(
                    toss.winner == toss.caller,
                    toss.call == toss.coin,
                    "the right call wins the toss"
                );
            }
            EventData::TossDecided(decided) => self.bats_first = decided.bats_first(),
            EventData::Over(over) => self.see_over(over),
            EventData::Ball(ball) => self.see_ball(ball),
            EventData::MatchCompleted(completed) => assert_eq!(Some(completed.result), self.result()),
            EventData::MatchAbandoned(_) => assert_eq!(self.result(), None),
            EventData::Review(review) => self.see_review(review),
            EventData::SetUp(_) | EventData::Roll(_) => panic!("not in Howzat"),
            EventData::SideClaimed(_)
            | EventData::TokenRotated(_)
            | EventData::SeedCommitted(_)
            | EventData::SeedContributed(_)
            | EventData::Choice(_)
            | EventData::ChoiceOpened(_)
            | EventData::ChoiceCalled(_)
            | EventData::Correction(_)
            | EventData::Restoration(_)
            | EventData::CorrectionProposed(_)
            | EventData::CorrectionConsented(_)
            | EventData::Dispute(_)
            | EventData::DisputeRuled(_) => panic!("these sides play at one table"),
        }
    }

    /// The result, once the second innings is over.
    pub fn result(&self) -> Option<MatchResult> {
        let first = self.first.as_ref().filter(|_| self.innings_is_over())?;
        let second = &self.innings.score;
        Some(if second.runs > first.runs {
            MatchResult::by_wickets(self.bats_first.other(), 10 - second.wickets)
        } else if second.runs < first.runs {
            MatchResult::by_runs(self.bats_first, first.runs - second.runs)
        } else {
            MatchResult::tie()
        })
    }

    fn option(&self, name: &str) -> u64 {
        self.created.rules[name].as_u64().expect("a number")
    }

    fn innings_is_over(&self) -> bool {
        let score = &self.innings.score;
        let target_reached = self.first.as_ref().is_some_and(|first| score.runs > first.runs);
        let overs_bowled = u64::from(score.balls) == 6 * self.option("overs");
        target_reached || score.wickets == 10 || overs_bowled
    }

    fn batting(&self) -> Side {
        if self.first.is_none() { self.bats_first } else { self.bats_first.other() }
    }

    /// The innings and over of the next ball.
    fn place(&self) -> (u16, u16) {
        let whole_overs = (self.innings.score.balls / 6) as u16;
        (if self.first.is_none() { 1 } else { 2 }, whole_overs + 1)
    }

    fn see_over(&mut self, over: &Over) {
        assert!(self.reviewable.is_none(), "the ball before is to be reviewed or accepted");
        assert_eq!(self.result(), None, "the match is over");
        assert_eq!((over.innings, over.over), self.place());
        assert!(self.innings.over.is_none(), "the over before is not finished");
        self.see_field(over);
        self.see_openers(over);
        let bowler = over.choices["bowler"].as_str().expect("a name").to_owned();
        assert_ne!(Some(&bowler), self.innings.last_bowler.as_ref(), "two overs running");
        let bowled = self.innings.overs_bowled.entry(bowler.clone()).or_default();
        *bowled += 1;
        assert!(*bowled <= self.created.rules["max_overs_per_bowler"].as_u64().expect("a number"));
        self.innings.last_bowler = Some(bowler.clone());
        self.innings.over = Some((bowler, 0, 0));
    }

    fn see_field(&self, over: &Over) {
        let side = self.created.sheet(self.batting().other());
        let field = over.choices["field"].as_object().expect("a field");
        let positions: BTreeSet<u8> = field.keys().map(|key| key.parse().expect("a number")).collect();
        assert_eq!(positions, (2..=12).collect());
        let players: BTreeSet<&str> = field.values().map(|name| name.as_str().expect("a name")).collect();
        assert_eq!(players, side.players.iter().map(String::as_str).collect());
        assert_eq!(field["7"], over.choices["keeper"]);
        assert_eq!(field["12"], over.choices["bowler"]);
    }

    fn see_openers(&mut self, over: &Over) {
        let openers = over.choices.get("openers").map(|openers| {
            let names: [String; 2] = serde_json::from_value(openers.clone()).expect("two names");
            names
        });
        assert_eq!(openers.is_some(), over.over == 1, "openers are named in the first over");
        for name in openers.iter().flatten() {
            assert!(self.created.sheet(self.batting()).players.contains(name));
            assert!(self.innings.came_in.insert(name.clone()), "{name} opens twice");
        }
        if let Some(openers) = openers {
            self.innings.ends = openers.map(Some);
        }
    }

    fn see_ball(&mut self, ball: &Ball) {
        assert!(self.reviewable.is_none(), "the ball before is to be reviewed or accepted");
        let before = Box::new(self.clone());
        let batting = self.batting().as_str();
        self.bowled(ball);
        if self.spent.0 != ball.innings {
            self.spent = (ball.innings, BTreeSet::new());
        }
        let kind = ball.outcome.wicket.as_ref().map(|wicket| wicket.kind);
        let given = !matches!(kind, None | Some(WicketKind::Bowled | WicketKind::RunOut));
        if given && self.created.rules["drs"] == "house" && !self.spent.1.contains(batting) {
            self.reviewable = Some((ball.clone(), before));
        }
    }

    fn see_review(&mut self, review: &Review) {
        let (ball, before) = self.reviewable.take().expect("a ball to review");
        assert_eq!((review.delivery(), review.by()), (ball.delivery, before.batting()));
        let Some(made) = review.made() else { return };
        let [die] = made.dice.as_slice() else { panic!("a review rolls one die") };
        assert_eq!((&*die.what, die.sides), ("review", 6));
        let upheld = die.value >= 5;
        assert_eq!(made.is_upheld(), upheld);
        assert_eq!([made.umpires_call, made.retained], [die.value == 4; 2]);
        let seeded = self.created.dice == DiceMode::Seeded;
        let seed = made.seed.map(|draw| (draw.domain, draw.ordinal));
        assert_eq!(seed, seeded.then_some((5, u64::from(ball.delivery))));
        let spent = std::mem::take(&mut self.spent);
        if upheld {
            assert_eq!((&made.outcome.wicket, made.outcome.runs.total), (&None, 0));
            *self = *before;
            self.bowled(&Ball { outcome: made.outcome.clone(), ..ball });
        } else {
            assert_eq!(made.outcome, ball.outcome);
        }
        self.spent = spent;
        if !made.retained {
            self.spent.1.insert(made.by.as_str());
        }
    }

    fn bowled(&mut self, ball: &Ball) {
        assert_eq!(self.result(), None, "the match is over");
        self.see_place(ball);
        self.see_next_batter(ball);
        let outcome = &ball.outcome;
        let ends = [&outcome.striker, &outcome.non_striker].map(|name| Some(name.clone()));
        assert_eq!(ends, self.innings.ends);
        see_sums(outcome);
        self.see_wicket(outcome);
        self.count(outcome);
    }

    fn see_place(&mut self, ball: &Ball) {
        let (bowler, _, balls) = self.innings.over.as_ref().expect("an over is in progress");
        self.deliveries += 1;
        assert_eq!((ball.innings, ball.over), self.place());
        assert_eq!((ball.ball, ball.delivery), (balls + 1, self.deliveries));
        assert_eq!(&ball.outcome.bowler, bowler);
        let seed = ball.seed.map(|draw| (draw.domain, draw.ordinal));
        let due = (self.created.dice == DiceMode::Seeded).then_some((4, u64::from(self.deliveries)));
        assert_eq!(seed, due);
    }

    fn see_next_batter(&mut self, ball: &Ball) {
        let given = ball.choices.get("next_batter").map(|name| name.as_str().expect("a name").to_owned());
        assert_eq!(ball.choices.len(), usize::from(given.is_some()), "there is nothing else to choose");
        match (self.innings.ends.iter_mut().find(|end| end.is_none()), given) {
            (None, None) => {}
            (Some(end), Some(name)) => {
                assert!(self.innings.came_in.insert(name.clone()), "{name} bats twice");
                *end = Some(name);
            }
            (end, given) => panic!("{end:?} is free, and {given:?} comes in"),
        }
        assert!(
            self.innings
                .came_in
                .is_subset(&self.created.sheet(self.batting()).players.iter().cloned().collect())
        );
    }

    fn see_wicket(&self, outcome: &Outcome) {
        let Some(wicket) = &outcome.wicket else { return };
        assert!(outcome.legal && outcome.runs.total == 0, "no wicket falls off an extra or with a run");
        assert_eq!(wicket.player_out, outcome.striker);
        let run_out = wicket.kind == WicketKind::RunOut;
        assert_eq!(wicket.bowler.as_ref(), (!run_out).then_some(&outcome.bowler));
        let fielders = self.created.sheet(self.batting().other());
        assert!(wicket.fielders.iter().all(|name| fielders.players.contains(name)));
    }

    fn count(&mut self, outcome: &Outcome) {
        let innings = &mut self.innings;
        innings.score.count(outcome);
        if outcome.wicket.is_some() {
            innings.ends[0] = None;
        }
        let run = outcome.runs.batter + outcome.extras.byes + outcome.extras.leg_byes;
        if run == 1 {
            innings.ends.swap(0, 1);
        }
        if let Some((_, legal, balls)) = &mut innings.over {
            *balls += 1;
            *legal += u32::from(outcome.legal);
            if *legal == 6 {
                innings.over = None;
                innings.ends.swap(0, 1);
            }
        }
        if self.first.is_none() && self.innings_is_over() {
            self.first = Some(std::mem::take(&mut self.innings).score);
        }
    }
}

fn see_sums(outcome: &Outcome) {
    let extras = outcome.extras;
    let by_kind = extras.wides + extras.no_balls + extras.byes + extras.leg_byes + extras.penalty;
    assert_eq!(outcome.runs.extras, by_kind);
    assert_eq!(outcome.runs.total, outcome.runs.batter + by_kind);
    assert_eq!(outcome.legal, extras.wides + extras.no_balls == 0);
    assert!(outcome.runs.batter == 0 || extras.byes + extras.leg_byes + extras.wides == 0);
    let hit = outcome.runs.batter + extras.byes + extras.leg_byes;
    assert_eq!(outcome.boundary.map(u16::from), (hit >= 4).then_some(hit));
}

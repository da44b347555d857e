//! Refits of randomly chosen matches at a table: one ball is put right, and the match is the one that was
//! played so from the start, with the same dice and the choices that were made. The driver here finds out by
//! itself what was made, and plays the match anew.

use std::collections::{BTreeMap, VecDeque};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::json;
use third_umpire::audit::{AuditReport, Verdict, audit_with};
use third_umpire::dice::{Dice, DiceFault, Die, Draw, RecordedDice};
use third_umpire::log::{Actor, Amendment, Ball, Cascade, EndedInnings, EventData, Over, Review};
use third_umpire::matches::corrections::{
    AskedBall, AskedLater, AskedMissing, BallAnswer, Consent, CorrectionRequest, CorrectionTarget, Insertion,
    LaterAnswer, MissingBall, MissingKnown, RefitAnswers, decide,
};
use third_umpire::matches::{History, Input, Match};
use third_umpire::rules::{Choices, Place, Play, RefusalKind};
use third_umpire_test_support::coin_cricket::every_game;
use third_umpire_test_support::logs::{PlayedMatch, SealedLog};
use third_umpire_test_support::random::{
    Chooser, Plan, cases, cricket_plans, short_howzat_plans, short_plans, step,
};

/// A ball of the match as it was recorded, with what somebody had chosen for it.
#[derive(Clone)]
struct Bowled {
    delivery: u32,
    innings: u16,
    made: Choices,
    dice: Vec<Die>,
    review: Option<Review>,
}

/// A match at a table as it was recorded.
struct Recorded {
    played: PlayedMatch,
    sealed: SealedLog,
    chooser: Chooser,
    balls: Vec<Bowled>,
    overs: BTreeMap<(u16, u16), Choices>,
    /// The match before each ball, by its delivery.
    before: BTreeMap<u32, Match>,
    /// The match before each over, by the delivery of its first ball.
    before_over: BTreeMap<u32, Match>,
}

/// The choices of an event that count as made: those without which the event would be another.
fn made(before: &Match, data: &EventData) -> Choices {
    let (choices, dice, play): (&Choices, &[Die], fn(Choices) -> Play) = match data {
        EventData::Over(over) => (&over.choices, &over.dice, Play::Over),
        EventData::Ball(ball) => (&ball.choices, &ball.dice, Play::Ball),
        _ => unreachable!("an over or a ball"),
    };
    let mut made = choices.clone();
    for name in choices.keys() {
        let mut without = made.clone();
        without.remove(name);
        let decided = before.decide(Input::Play(play(without.clone())), &mut RecordedDice::new(dice), None);
        if decided.is_ok_and(|decided| decided.events.first() == Some(data)) {
            made = without;
        }
    }
    made
}

impl Recorded {
    fn of(plan: &Plan, steps: usize) -> Recorded {
        let (mut played, mut chooser) = plan.begin();
        let mut recorded = (Vec::<Bowled>::new(), BTreeMap::new(), BTreeMap::new());
        let (mut before_over, mut begun) = (BTreeMap::new(), None);
        for _ in 0..steps {
            let mut state = played.the_match.clone();
            let Some((_, events)) = step(&mut played, &mut chooser) else { break };
            for data in events {
                match &data {
                    EventData::Over(Over { innings, over, .. }) => {
                        recorded.1.insert((*innings, *over), made(&state, &data));
                        begun = Some(state.clone());
                    }
                    EventData::Ball(Ball { delivery, innings, dice, .. }) => {
                        let made = made(&state, &data);
                        let (delivery, innings, dice) = (*delivery, *innings, dice.clone());
                        recorded.0.push(Bowled { delivery, innings, made, dice, review: None });
                        recorded.2.insert(delivery, state.clone());
                        before_over.extend(begun.take().map(|before| (delivery, before)));
                    }
                    EventData::Review(review) => {
                        recorded.0.last_mut().unwrap().review = Some(review.clone());
                    }
                    _ => {}
                }
                state.replay(&data).unwrap();
            }
        }
        let sealed = SealedLog::of(&played.log);
        let (balls, overs, before) = recorded;
        Recorded { played, sealed, chooser, balls, overs, before, before_over }
    }

    /// Whether the numbers of an over were entered at once, of the over of a delivery or of a later one of
    /// its innings.
    fn has_orders_from(&self, delivery: u32) -> bool {
        let Bowled { innings, .. } = self.balls[delivery as usize - 1];
        let (_, over) = self.before[&delivery].play().next_over();
        self.overs.iter().any(|((its, number), choices)| {
            *its == innings && *number >= over && choices.contains_key("orders")
        })
    }

    /// Other dice and choices for a ball, as somebody would enter them who bowls it anew.
    fn bowled_anew(&mut self, delivery: u32) -> Option<(Choices, Vec<i64>, Vec<EventData>)> {
        let (before, bowled) = (&self.before[&delivery], &self.balls[delivery as usize - 1]);
        let mut choices = bowled.made.clone();
        for name in ["bowler_number", "batter_number"] {
            if choices.contains_key(name) {
                choices.insert(name.to_owned(), json!(self.chooser.below(10)));
            }
        }
        let mut dice = Rolling { kept: &[], used: 0, rolled: Vec::new(), chooser: self.chooser.clone() };
        let events = settled(before, &mut choices, &mut dice, Play::Ball, &mut Vec::new())?;
        self.chooser = dice.chooser;
        let values = dice.rolled.iter().map(|value| i64::from(*value)).collect();
        Some((choices, values, events))
    }
}

/// Dice of a kept ball: those that it had up to the first that differs, and then others.
struct Rolling<'a> {
    kept: &'a [Die],
    used: usize,
    rolled: Vec<u16>,
    chooser: Chooser,
}

impl Dice for Rolling<'_> {
    fn begin(&mut self, _: Draw) {}

    fn roll(&mut self, what: &'static str, sides: u16) -> Result<u16, DiceFault> {
        let at = self.used + self.rolled.len();
        match self.kept.get(at).filter(|die| die.what == what && die.sides == sides) {
            Some(die) if self.rolled.is_empty() => {
                self.used += 1;
                Ok(die.value)
            }
            _ => {
                let value = self.chooser.below(usize::from(sides)) as u16 + 1;
                self.rolled.push(value);
                Ok(value)
            }
        }
    }

    fn deal(&mut self, _: &[u8], _: usize) -> Result<Vec<u8>, DiceFault> {
        Err(DiceFault::NotDealt)
    }

    fn end(&mut self) -> Result<(), DiceFault> {
        Ok(())
    }
}

/// Decides an over or a ball with these choices, without those that are not possible, and with answers to
/// what is asked, which are noted.
fn settled(
    state: &Match,
    choices: &mut Choices,
    dice: &mut Rolling<'_>,
    play: fn(Choices) -> Play,
    asked: &mut Vec<String>,
) -> Option<Vec<EventData>> {
    // The dice are the same at each try.
    let mut answers = Chooser::new(vec![dice.chooser.clone().below(256) as u8]);
    for _ in 0..200 {
        (dice.used, dice.rolled) = (0, Vec::new());
        let mut these = Rolling { chooser: dice.chooser.clone(), rolled: Vec::new(), ..*dice };
        let decided = state.decide(Input::Play(play(choices.clone())), &mut these, None);
        let refusal = match decided {
            Ok(decided) => {
                *dice = these;
                return Some(decided.events);
            }
            Err(refusal) => refusal,
        };
        match (refusal.kind, &refusal.place) {
            (RefusalKind::NeedsInput, Place::Choice(name)) => {
                let list = refusal.legal.as_array().cloned().unwrap_or_default();
                choices.insert(name.clone(), answers.pick(&list).clone());
                asked.push(name.clone());
            }
            (_, Place::Choice(name)) => {
                let name = name.split('.').next().unwrap();
                assert!(!asked.iter().any(|asked| asked == name), "the answer {name} is refused: {refusal}");
                choices.remove(name)?;
            }
            _ => return None,
        }
    }
    None
}

/// The match that a driver plays with a corrected ball.
struct Anew {
    /// The events from the corrected ball on.
    events: Vec<EventData>,
    answers: RefitAnswers,
    /// What is asked, in order.
    asked: Vec<Asked>,
    /// The innings that end by agreement.
    ended: Vec<EndedInnings>,
}

/// A question, with the number of answers to later balls and to missing ones before it.
struct Asked {
    of: AskedOf,
    later: usize,
    missing: usize,
}

#[derive(Debug, PartialEq, Eq)]
enum AskedOf {
    Later(u32),
    Missing(u16),
}

impl Anew {
    fn ask(&mut self, of: AskedOf) {
        let RefitAnswers { later, missing } = &self.answers;
        self.asked.push(Asked { of, later: later.len(), missing: missing.len() });
    }

    /// Plays the next ball of an innings that goes on past its last one: it is bowled, or nobody knows it, or
    /// the innings ended before it.
    fn play_missing(&mut self, state: &mut Match, chooser: &mut Chooser) -> Option<()> {
        let innings = state.play().next_over().0;
        self.ask(AskedOf::Missing(innings));
        let known = match chooser.below(4) {
            _ if self.answers.missing.len() >= 40 => MissingKnown::Ended,
            0 => MissingKnown::Ended,
            1 => MissingKnown::Unknown,
            _ => MissingKnown::Bowled(BallAnswer::default()),
        };
        if known == MissingKnown::Ended {
            let decided = state.end_innings();
            self.ended.push(EndedInnings { innings, after: state.play().deliveries() });
            self.events.extend(decided.events);
            *state = decided.after;
            self.answers.missing.push(MissingBall { innings, known });
            return Some(());
        }
        if state.play().asking().on_field().bowler.is_none() {
            let over = Input::Play(Play::Over(Choices::new()));
            let begun = state.decide(over, &mut RecordedDice::new(&[]), None).ok()?;
            begun.events.iter().for_each(|data| take(state, self, data));
        }
        let (mut choices, mut asked) = (Choices::new(), Vec::new());
        let (events, known) = if known == MissingKnown::Unknown {
            (state.decide_unknown().ok()?.events, known)
        } else {
            let mut dice = Rolling { kept: &[], used: 0, rolled: Vec::new(), chooser: chooser.clone() };
            let events = settled(state, &mut choices, &mut dice, Play::Ball, &mut asked)?;
            *chooser = dice.chooser;
            let dice = dice.rolled.iter().map(|value| i64::from(*value)).collect();
            (events, MissingKnown::Bowled(BallAnswer { over: Choices::new(), choices, dice }))
        };
        events.iter().for_each(|data| take(state, self, data));
        self.answers.missing.push(MissingBall { innings, known });
        Some(())
    }
}

/// Plays on from the match before a delivery with these events, and then with the recorded balls but for the
/// first `skipped`.
fn played_anew(recorded: &Recorded, delivery: u32, corrected: &[EventData], skipped: u32) -> Option<Anew> {
    // An over goes with its first ball where that is taken out, and begins anew.
    let over = recorded.before_over.get(&delivery).filter(|_| corrected.is_empty());
    let mut state = over.unwrap_or(&recorded.before[&delivery]).clone();
    let answers = RefitAnswers::default();
    let mut anew = Anew { events: Vec::new(), answers, asked: Vec::new(), ended: Vec::new() };
    corrected.iter().for_each(|data| take(&mut state, &mut anew, data));
    let mut balls: VecDeque<&Bowled> = recorded.balls.iter().skip(skipped as usize).collect();
    let mut chooser = recorded.chooser.clone();
    let is_amended = skipped == delivery && !corrected.is_empty();
    let mut review = recorded.balls[delivery as usize - 1].review.as_ref().filter(|_| is_amended);
    let was_completed = recorded.played.the_match.play().result().is_some();
    loop {
        if state.play().has_finished() {
            break;
        }
        if let Some(open) = state.reviews().open() {
            let kept = review.take().filter(|review| review.by() == open.by);
            let goes_on = !balls.is_empty() || was_completed || has_over(recorded, &state);
            let input = match kept {
                Some(Review::Made(_)) => Input::Review { by: open.by },
                Some(Review::Accepted(_)) => Input::Accept { by: open.by },
                None if goes_on => Input::Accept { by: open.by },
                None => break,
            };
            let dice = kept.and_then(Review::made).map_or(&[][..], |made| &made.dice);
            let decided = state.decide(input, &mut RecordedDice::new(dice), None).ok()?;
            decided.events.iter().for_each(|data| take(&mut state, &mut anew, data));
            continue;
        }
        let (innings, over) = state.play().next_over();
        while balls.front().is_some_and(|ball| ball.innings < innings) {
            balls.pop_front();
        }
        let is_of_innings = balls.front().is_some_and(|ball| ball.innings == innings);
        let begins = state.play().asking().on_field().bowler.is_none();
        let known = recorded.overs.get(&(innings, over)).filter(|_| begins);
        let goes_on = is_of_innings || balls.is_empty() && known.is_some();
        if !goes_on && balls.iter().any(|ball| ball.innings > innings) {
            // The answer to the ball before is none to this one.
            review = None;
            anew.play_missing(&mut state, &mut chooser)?;
            continue;
        }
        if !goes_on {
            break;
        }
        let next = balls.front().map(|ball| ball.delivery);
        let (mut choices, kept, play): (Choices, &[Die], fn(Choices) -> Play) = match begins {
            true => (known.cloned().unwrap_or_default(), &[], Play::Over),
            false => {
                let ball = balls.pop_front()?;
                review = ball.review.as_ref();
                (ball.made.clone(), &ball.dice, Play::Ball)
            }
        };
        let mut dice = Rolling { kept, used: 0, rolled: Vec::new(), chooser: chooser.clone() };
        let mut asked = Vec::new();
        let events = settled(&state, &mut choices, &mut dice, play, &mut asked)?;
        chooser = dice.chooser;
        let answered: Choices = asked.iter().map(|name| (name.clone(), choices[name].clone())).collect();
        if !answered.is_empty() || !dice.rolled.is_empty() {
            let delivery = next?;
            if anew.answers.later.last().is_none_or(|last| last.delivery != delivery) {
                anew.ask(AskedOf::Later(delivery));
                anew.answers.later.push(LaterAnswer { delivery, ..LaterAnswer::default() });
            }
            let answer = anew.answers.later.last_mut()?;
            *(if begins { &mut answer.ball.over } else { &mut answer.ball.choices }) = answered;
            answer.ball.dice = dice.rolled.iter().map(|value| i64::from(*value)).collect();
        }
        events.iter().for_each(|data| take(&mut state, &mut anew, data));
    }
    Some(anew)
}

fn has_over(recorded: &Recorded, state: &Match) -> bool {
    let next = state.play().next_over();
    recorded
        .overs
        .keys()
        .any(|over| *over > next || (*over == next && state.play().asking().on_field().bowler.is_none()))
}

fn take(state: &mut Match, anew: &mut Anew, data: &EventData) {
    state.replay(data).unwrap_or_else(|why| panic!("{data:?}: {why}"));
    anew.events.push(data.clone());
}

/// How a ball is put right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    Amended,
    /// A ball that was missed comes before it.
    PutIn,
    /// The ball was never bowled.
    TakenOut,
}

fn put_right(how: How, delivery: u32, ball: (&Choices, &[i64]), answers: &RefitAnswers) -> CorrectionRequest {
    let (choices, dice) = ball;
    let target = match how {
        How::Amended => return refit(delivery, choices, dice, answers),
        How::PutIn => {
            let (choices, dice) = (choices.clone(), dice.to_vec());
            CorrectionTarget::Insert(
                Insertion { before: delivery, over: None, choices, dice },
                answers.clone(),
            )
        }
        How::TakenOut => CorrectionTarget::Remove(delivery, answers.clone()),
    };
    CorrectionRequest { target, reason: "one ball more or less".to_owned() }
}

fn refit(delivery: u32, choices: &Choices, dice: &[i64], answers: &RefitAnswers) -> CorrectionRequest {
    let amendment = Amendment {
        amends: delivery,
        over: None,
        choices: Some(choices.clone()),
        as_stood: None,
        cascade: Cascade::Refit,
    };
    let target = CorrectionTarget::Amend(amendment, Some(dice.to_vec()), answers.clone());
    CorrectionRequest { target, reason: "a misread die".to_owned() }
}

/// What a refit of a random ball came to, for the count of what was tried.
#[derive(Default, Debug)]
struct Tried {
    whole: usize,
    asked: usize,
    missed: usize,
    ended: usize,
    surplus: usize,
    moved: usize,
    unchanged: usize,
}

fn try_refit(recorded: &mut Recorded, how: How, delivery: u32, tried: &mut Tried) -> Option<AuditReport> {
    let (choices, dice, mut corrected) = recorded.bowled_anew(delivery)?;
    if how == How::TakenOut {
        corrected.clear();
    }
    let skipped = if how == How::PutIn { delivery - 1 } else { delivery };
    let anew = played_anew(recorded, delivery, &corrected, skipped)?;
    if how != How::Amended && recorded.has_orders_from(delivery) {
        let request = put_right(how, delivery, (&choices, &dice), &anew.answers);
        let (the_match, log) = (&recorded.played.the_match, &recorded.sealed.events);
        let refused = decide(the_match, log, &request, Actor::Scorer, None, Consent::Needed);
        assert!(refused.is_err_and(|refused| refused.refusal.message.contains("were entered at once")));
        return None;
    }
    let decided = |answers: &RefitAnswers| {
        let request = put_right(how, delivery, (&choices, &dice), answers);
        decide(
            &recorded.played.the_match,
            &recorded.sealed.events,
            &request,
            Actor::Scorer,
            None,
            Consent::Needed,
        )
    };
    // Each answer is asked for in its turn.
    for Asked { of, later, missing } in &anew.asked {
        let so_far = RefitAnswers {
            later: anew.answers.later[..*later].to_vec(),
            missing: anew.answers.missing[..*missing].to_vec(),
        };
        let Err(refused) = decided(&so_far) else { panic!("no question for {of:?}") };
        let asked = match refused.unfinished.as_ref().map(|unfinished| unfinished.asked) {
            Some(AskedBall::Later(AskedLater { delivery, .. })) => AskedOf::Later(delivery),
            Some(AskedBall::Missing(AskedMissing { innings, .. })) => AskedOf::Missing(innings),
            other => panic!("{other:?}: {}", refused.refusal),
        };
        assert_eq!(asked, *of, "{}", refused.refusal);
    }
    tried.asked += usize::from(!anew.answers.later.is_empty());
    tried.missed += usize::from(!anew.answers.missing.is_empty());
    tried.ended += anew.ended.len();
    let refitted = decided(&anew.answers);
    let refitted = match refitted {
        Ok(refitted) => refitted,
        Err(refused) if refused.refusal.message.contains("changes nothing") => {
            tried.unchanged += 1;
            return None;
        }
        Err(refused) => panic!("{}", refused.refusal),
    };
    tried.whole += 1;
    let mut sealed = recorded.sealed.clone();
    for (data, actor) in &refitted.events {
        sealed.append(sealed.next_time(), *actor, data.clone());
    }
    let new: Vec<&EventData> = refitted.events.iter().skip(1).map(|(data, _)| data).collect();
    for (new, anew) in new.iter().zip(&anew.events) {
        assert_eq!(*new, anew, "the refit, and the match that was played so");
    }
    assert_eq!(new.len(), anew.events.len(), "{new:?}\n{:?}", anew.events);
    let EventData::Correction(correction) = &refitted.events[0].0 else { panic!("a correction") };
    assert_eq!(correction.ended, anew.ended);
    let [was, is] = [
        recorded.balls.len() - skipped as usize + usize::from(how != How::TakenOut),
        new.iter().filter(|data| matches!(data, EventData::Ball(_))).count(),
    ];
    tried.surplus += usize::from(is < was);
    tried.moved += usize::from(refitted.events.iter().any(|(data, _)| match data {
        EventData::Ball(ball) => {
            recorded.balls.get(ball.delivery as usize - 1).is_none_or(|was| was.innings != ball.innings)
        }
        _ => false,
    }));
    let mut history: History<Match> = History::new(every_game());
    for event in sealed.events.clone() {
        history.follow(event).unwrap();
    }
    let report = audit_with(sealed.log().text().as_bytes(), None, every_game()).unwrap();
    assert!(report.verdict == Verdict::Clean, "{report}");
    Some(report)
}

fn at_table(plan: &Plan) -> bool {
    plan.server_seed().is_none()
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn a_refit_is_the_match_that_was_played_so_from_the_start(
        plan in prop_oneof![3 => short_plans(), 1 => cricket_plans()].prop_filter("table dice", at_table),
        steps in 5usize..220,
        at in any::<prop::sample::Index>(),
        how in prop::sample::select(vec![How::Amended, How::PutIn, How::TakenOut]),
    ) {
        let mut recorded = Recorded::of(&plan, steps);
        if !recorded.balls.is_empty() {
            let delivery = at.index(recorded.balls.len()) as u32 + 1;
            try_refit(&mut recorded, how, delivery, &mut Tried::default());
        }
    }
}

#[test]
fn a_decision_stays_open_where_only_an_over_without_balls_is_left() {
    // The wicket that ended the innings in its second over comes in its first one, and the last ball of the
    // log is a wicket that nobody has reviewed or accepted yet.
    let bytes = [
        84, 84, 162, 44, 91, 1, 0, 15, 0, 0, 5, 47, 196, 31, 20, 92, 6, 0, 0, 107, 8, 151, 14, 83, 0, 0, 162,
        152, 127, 0, 19, 0,
    ];
    let plan = Plan::at_table("coin-cricket", json!({"overs": 2, "reviews": true}), &bytes);
    let (mut recorded, mut tried) = (Recorded::of(&plan, 17), Tried::default());
    assert!(recorded.played.the_match.reviews().open().is_some() && recorded.overs.contains_key(&(1, 2)));
    try_refit(&mut recorded, How::TakenOut, 1, &mut tried);
    assert_eq!(tried.whole, 1);
}

#[test]
fn the_refits_try_what_changes_a_match() {
    let (mut tried, runner) = (Tried::default(), &mut TestRunner::deterministic());
    // The dice of Howzat ask for nothing that a table would have to answer, and those of the board game do.
    for at in 0..400 {
        let plan = match at % 10 {
            0 => cricket_plans().new_tree(runner).unwrap().current(),
            _ => short_howzat_plans().new_tree(runner).unwrap().current(),
        };
        if !at_table(&plan) {
            continue;
        }
        let mut recorded = Recorded::of(&plan, 300);
        for how in [How::Amended, How::PutIn, How::TakenOut] {
            let delivery = recorded.chooser.below(recorded.balls.len()) as u32 + 1;
            if let Some(report) = try_refit(&mut recorded, how, delivery, &mut tried) {
                // Nobody is said to have changed his mind about another ball.
                let others = report.changed_choices.iter().filter(|one| one.delivery != Some(delivery));
                assert_eq!(others.count(), 0, "{report}");
            }
        }
    }
    println!("{tried:?}");
    let Tried { whole, asked, missed, ended, surplus, moved, .. } = tried;
    assert!([whole, asked, missed, ended, surplus, moved].iter().all(|times| *times >= 10), "{tried:?}");
}

#[test]
fn three_hundred_corrections_in_a_row_are_clean() {
    let runner = &mut TestRunner::deterministic();
    let plan = std::iter::repeat_with(|| short_howzat_plans().new_tree(runner).unwrap().current());
    let plan = { plan }.find(|plan| at_table(plan) && plan.overs() == 1).unwrap();
    let mut recorded = Recorded::of(&plan, 300);
    let (mut made, mut history): (usize, History<Match>) = (0, History::new(every_game()));
    for event in &recorded.sealed.events {
        history.follow(event.clone()).unwrap();
    }
    while made < 300 {
        let the_match = history.state().unwrap().clone();
        let delivery = recorded.chooser.below(the_match.play().deliveries() as usize) as u32 + 1;
        let faces: [&[i64]; 8] =
            [&[2, 3], &[2, 6], &[2, 5], &[1, 2], &[1, 1, 4], &[2, 1], &[4, 5, 1], &[3, 5, 2, 3, 6]];
        let dice = recorded.chooser.pick(&faces).to_vec();
        let request = match recorded.chooser.below(20) {
            0 => CorrectionRequest {
                target: CorrectionTarget::FromDelivery(delivery),
                reason: "so".to_owned(),
            },
            _ => refit(delivery, &Choices::new(), &dice, &RefitAnswers::default()),
        };
        let log = &recorded.sealed.events;
        let Ok(decided) = decide(&the_match, log, &request, Actor::Scorer, None, Consent::Needed) else {
            continue;
        };
        made += 1;
        for (data, actor) in decided.events {
            let event = recorded.sealed.append(recorded.sealed.next_time(), actor, data).clone();
            history.follow(event).unwrap();
        }
        // What was taken back is played again.
        let the_match = history.state().unwrap().clone();
        let mut played = recorded.played.clone();
        played.the_match = the_match;
        while let Some((_, events)) = step(&mut played, &mut recorded.chooser) {
            for data in events {
                let event = recorded.sealed.append(recorded.sealed.next_time(), Actor::Scorer, data).clone();
                history.follow(event).unwrap();
            }
        }
    }
    let report = audit_with(recorded.sealed.log().text().as_bytes(), None, every_game()).unwrap();
    assert!(report.verdict == Verdict::Clean, "{report}");
    assert_eq!(report.corrections.len(), 300);
}

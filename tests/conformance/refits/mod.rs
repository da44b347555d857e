//! Refits of randomly chosen matches at a table: one ball is put right, and the match is the one that was
//! played so from the start, with the same dice and the choices that were made. The driver finds out by
//! itself what was made, and plays the match anew.

mod driver;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::json;
use third_umpire::audit::{AuditReport, Verdict, audit_with};
use third_umpire::log::{Actor, Amendment, Cascade, EventData};
use third_umpire::matches::corrections::{
    AskedBall, AskedLater, AskedMissing, Consent, CorrectionRequest, CorrectionTarget, Insertion,
    RefitAnswers, decide,
};
use third_umpire::matches::{History, Match};
use third_umpire::rules::Choices;
use third_umpire_test_support::coin_cricket::every_game;
use third_umpire_test_support::random::{Plan, cases, cricket_plans, short_howzat_plans, short_plans, step};

use self::driver::{Asked, AskedOf, Recorded, played_anew};

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

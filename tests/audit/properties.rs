//! Logs that were tampered with: `check` decides every event again and finds the change.

use std::borrow::Cow;

use proptest::prelude::*;
use serde_json::{Value, json};
use third_umpire::dice::{Die, Seeds};
use third_umpire::log::{
    CalledToss, CoinFace, EventData, MatchCompleted, Over, Review, ReviewVerdict, Reviewed, Toss,
};
use third_umpire::matches::{Input, Match};
use third_umpire::rules::{Choices, Disagreement, Play};
use third_umpire::scorebook::Side;
use third_umpire_test_support::logs::forger::{CIRCUMSTANCES, OUTCOME, changed};
use third_umpire_test_support::random::{Chooser, Plan, cases, short_howzat_plans, short_plans, step};

/// Whether two rolls of the same dice mean the same by the rules page: then they cannot be told apart, and
/// only the chain of hashes protects the dice.
fn mean_the_same(one: &[Die], other: &[Die]) -> bool {
    fn meaning(dice: &[Die]) -> Vec<(&str, u16)> {
        let appeal = dice.iter().any(|die| die.what == "strike" && die.value == 5);
        let position = dice.iter().filter(|die| die.what == "fielder").map(|die| die.value).sum();
        let meanings = dice.iter().map(|die| {
            let means = match (&*die.what, die.value) {
                ("bowl", 2..=6) if !appeal => 2,
                ("extra", 5..=6) => 5,
                ("fielder", _) => position,
                ("catch", 1..=2) => 1,
                ("catch", 3..=6) => 3,
                (_, value) => value,
            };
            (&*die.what, means)
        });
        meanings.collect()
    }
    meaning(one) == meaning(other)
}

/// Plays a match, and shows every event together with the match before it.
fn play(plan: &Plan, mut show: impl FnMut(&Match, &EventData, &mut Chooser)) {
    let (mut live, mut chooser) = plan.begin();
    let mut before = live.the_match.clone();
    while let Some((_, events)) = step(&mut live, &mut chooser) {
        for event in events {
            show(&before, &event, &mut chooser);
            before.replay(&event).expect("a recorded event");
        }
    }
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn the_audit_finds_a_changed_outcome_and_what_it_was(plan in short_plans()) {
        play(&plan, |before, event, chooser| {
            let EventData::Ball(ball) = event else { return };
            for tampering in OUTCOME {
                let tampered = changed(ball, tampering, chooser);
                if tampered != *ball {
                    let verdict = before.clone().verify(&EventData::Ball(tampered));
                    let was = Disagreement::Otherwise(Box::new(event.clone()));
                    assert_eq!(verdict, Err(vec![was]), "{}", tampering.0);
                }
            }
        });
    }

    #[test]
    fn the_audit_finds_a_ball_of_other_circumstances(plan in short_plans()) {
        play(&plan, |before, event, chooser| {
            let EventData::Ball(ball) = event else { return };
            for tampering in CIRCUMSTANCES {
                let tampered = changed(ball, tampering, chooser);
                if tampered != *ball {
                    assert!(before.clone().verify(&EventData::Ball(tampered)).is_err(), "{} of {ball:?}", tampering.0);
                }
            }
        });
    }

    #[test]
    fn a_changed_die_of_howzat_is_found_wherever_it_means_another_ball(plan in short_howzat_plans()) {
        play(&plan, |before, event, _| {
            let EventData::Ball(ball) = event else { return };
            for at in 0..ball.dice.len() {
                for value in (1..=6).filter(|value| *value != ball.dice[at].value) {
                    let mut tampered = ball.clone();
                    tampered.dice[at].value = value;
                    let same = mean_the_same(&ball.dice, &tampered.dice);
                    let verdict = before.clone().verify(&EventData::Ball(tampered));
                    assert_eq!(verdict.is_ok(), same, "die {at} of {:?} as {value}", ball.dice);
                }
            }
        });
    }

    #[test]
    fn changes_of_the_other_events_are_found(plan in short_plans()) {
        play(&plan, |before, event, chooser| {
            for tampered in tampered_but_for_balls(event, chooser) {
                assert_ne!(&tampered, event);
                assert!(before.clone().verify(&tampered).is_err(), "{tampered:?} for {event:?}");
            }
        });
    }

    // A replay may admit a wrong event, but it never stops the program.
    #[test]
    fn no_tampered_event_makes_a_replay_panic(plan in short_plans(), at in 0usize..60, first in 0usize..60) {
        let (mut live, mut chooser) = plan.begin();
        while step(&mut live, &mut chooser).is_some() {}
        let mut replayed = live.opened_anew();
        for (i, event) in live.log.iter().enumerate().skip(1) {
            let tampered = match event {
                EventData::Ball(ball) if i >= first && i % 60 >= at => {
                    let tampering = chooser.pick(&[OUTCOME, CIRCUMSTANCES].concat()).to_owned();
                    EventData::Ball(changed(ball, &tampering, &mut chooser))
                }
                other => other.clone(),
            };
            let _ = replayed.clone().verify(&tampered);
            let _ = replayed.replay(&tampered);
            let _ = (replayed.next(), replayed.play().status());
            let _ = replayed.decide(Input::Play(Play::Ball(Choices::new())), &mut chooser, None);
        }
    }
}

/// Changes of an event other than a ball, which no honest match could have recorded.
fn tampered_but_for_balls(event: &EventData, chooser: &mut Chooser) -> Vec<EventData> {
    match event {
        EventData::Toss(Toss::Called(toss)) => {
            tampered_toss(toss).map(Toss::Called).map(EventData::Toss).into()
        }
        // Whoever the sides say has won has won.
        EventData::Toss(Toss::Reported(_)) => Vec::new(),
        EventData::TossDecided(decided) => {
            let mut by = decided.clone();
            by.by = by.by.other();
            vec![EventData::TossDecided(by)]
        }
        EventData::Over(over) => tampered_over(over, chooser).into_iter().map(EventData::Over).collect(),
        EventData::Review(review) => tampered_review(review).into_iter().map(EventData::Review).collect(),
        EventData::MatchCompleted(completed) => {
            tampered_completion(completed).map(EventData::MatchCompleted).into()
        }
        EventData::MatchCreated(_)
        | EventData::Ball(_)
        | EventData::MatchAbandoned(_)
        | EventData::SetUp(_)
        | EventData::Roll(_)
        | EventData::SideClaimed(_)
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
        | EventData::DisputeRuled(_) => Vec::new(),
    }
}

fn tampered_review(review: &Review) -> Vec<Review> {
    let Review::Made(made) = review else {
        let (delivery, by) = (review.delivery(), review.by());
        return vec![Review::accepted(delivery + 1, by), Review::accepted(delivery, by.other())];
    };
    let with = |change: &dyn Fn(&mut Reviewed)| {
        let mut changed = made.clone();
        change(&mut changed);
        Review::Made(changed)
    };
    let other = if made.is_upheld() { ReviewVerdict::StruckDown } else { ReviewVerdict::Upheld };
    let face = made.dice[0].value;
    vec![
        with(&|made| made.delivery += 1),
        with(&|made| made.by = made.by.other()),
        with(&|made| {
            made.seed = if made.seed.is_some() { None } else { Some(Reviewed::draw(made.delivery)) }
        }),
        with(&|made| made.dice.clear()),
        with(&|made| made.dice[0].value = if face == 4 { 5 } else { 4 }),
        with(&|made| made.dice.push(Die { what: Cow::Borrowed("review"), sides: 6, value: 1 })),
        with(&|made| made.verdict = other),
        with(&|made| made.umpires_call ^= true),
        with(&|made| made.retained ^= true),
        with(&|made| made.rulings.clear()),
        with(&|made| made.rulings = vec!["howzat.review.off".to_owned()]),
        with(&|made| made.outcome.runs.batter += 1),
        with(&|made| made.outcome.legal ^= true),
        with(&|made| made.outcome.striker = "A0".to_owned()),
    ]
}

fn tampered_toss(toss: &CalledToss) -> [CalledToss; 2] {
    let (mut winner, mut coin) = (toss.clone(), toss.clone());
    winner.winner = winner.winner.other();
    coin.coin = if coin.coin == CoinFace::Heads { CoinFace::Tails } else { CoinFace::Heads };
    [winner, coin]
}

fn tampered_over(over: &Over, chooser: &mut Chooser) -> Vec<Over> {
    let mut numbers = [over.clone(), over.clone(), over.clone()];
    numbers[0].innings ^= 3;
    numbers[1].over += 1;
    numbers[2].dice.push(Die { what: Cow::Borrowed("bowl"), sides: 6, value: 1 });
    let choices = tampered_choices(&over.choices, chooser);
    numbers.into_iter().chain(choices.into_iter().map(|choices| Over { choices, ..over.clone() })).collect()
}

/// Choices of an over with one that does not fit the others.
fn tampered_choices(choices: &Choices, chooser: &mut Chooser) -> Vec<Choices> {
    let with = |change: &dyn Fn(&mut Choices)| {
        let mut changed = choices.clone();
        change(&mut changed);
        changed
    };
    let mut all = if choices.contains_key("field") {
        tampered_field(choices, &with, chooser)
    } else if choices.contains_key("bowler") {
        tampered_cubes(choices, &with)
    } else if choices.contains_key("home") {
        vec![with(&|choices| choices["home"] = json!("edge"))]
    } else {
        assert!(choices.is_empty(), "say here how these choices of an over are tampered with: {choices:?}");
        Vec::new()
    };
    if let Some(first) = choices.keys().next() {
        all.push(with(&|choices| drop(choices.remove(first))));
    }
    all.push(with(&|choices| drop(choices.insert("light".to_owned(), Value::Null))));
    all
}

type With<'a> = &'a dyn Fn(&dyn Fn(&mut Choices)) -> Choices;

fn tampered_field(choices: &Choices, with: With<'_>, chooser: &mut Chooser) -> Vec<Choices> {
    let another = (8 + chooser.below(4)).to_string();
    let another = &choices["field"][&another];
    let moved = |position: &str| {
        with(&|choices| {
            let on_8 = choices["field"]["8"].clone();
            choices["field"]["8"] = std::mem::replace(&mut choices["field"][position], on_8);
        })
    };
    let mut all: Vec<Choices> =
        choices.keys().map(|name| with(&|choices| drop(choices.remove(name)))).collect();
    all.extend(["bowler", "keeper"].map(|name| with(&|choices| choices[name] = another.clone())));
    all.extend(["7", "12"].map(moved));
    all
}

/// Changed orders and deals; a table has no deal, and may have no orders either.
fn tampered_cubes(choices: &Choices, with: With<'_>) -> Vec<Choices> {
    let mut all = vec![with(&|choices| choices["bowler"] = json!("nobody"))];
    if choices.contains_key("orders") {
        all.extend(
            ["bowling", "batting"].map(|duty| with(&|choices| choices["orders"][duty][5] = json!(210))),
        );
        all.push(with(&|choices| drop(choices["orders"].as_object_mut().expect("orders").remove("batting"))));
    }
    if choices.contains_key("deal") {
        all.extend(["deal", "orders"].map(|name| with(&|choices| drop(choices.remove(name)))));
        all.push(with(&|choices| choices["deal"]["bowling"][0] = choices["deal"]["batting"][0].clone()));
        all.push(with(&|choices| choices["orders"]["batting"][0] = choices["orders"]["bowling"][0].clone()));
        all.push(with(&|choices| choices["deal"]["batting"][5] = json!(210)));
    }
    all
}

fn tampered_completion(completed: &MatchCompleted) -> [MatchCompleted; 3] {
    let mut changed = [completed.clone(), completed.clone(), completed.clone()];
    changed[0].result.winner = Some(completed.result.winner.map_or(Side::Home, Side::other));
    changed[1].result.margin.runs = Some(completed.result.margin.runs.unwrap_or(0) + 1);
    let zeros = "0".repeat(64);
    let forged = Seeds { server_seed: zeros.clone(), client_seeds: Vec::new(), match_seed: zeros };
    changed[2].seeds = if completed.seeds.is_some() { None } else { Some(forged) };
    changed
}

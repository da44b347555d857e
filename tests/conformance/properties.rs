//! Whole random matches of any game: replay makes the live match, and a refused input changes nothing.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};
use third_umpire::dice::{SeededDice, TableDice};
use third_umpire::log::{CoinFace, EventData, Review, TossChoice};
use third_umpire::matches::{Input, Match};
use third_umpire::rules::{Choices, Place, Play};
use third_umpire::scorebook::Side;
use third_umpire_test_support::logs::{PlayedMatch, match_id};
use third_umpire_test_support::random::{Chooser, any_json, cases, plans, step};

/// The faces of these events' dice in order, with the coin among them.
fn faces(events: &[EventData]) -> Vec<i64> {
    let faces = events.iter().flat_map(|event| match event {
        EventData::Toss(toss) => {
            toss.called().map(|toss| i64::from(toss.coin.as_die())).into_iter().collect()
        }
        EventData::Ball(ball) => ball.dice.iter().map(|die| i64::from(die.value)).collect(),
        EventData::Review(Review::Made(made)) => made.dice.iter().map(|die| i64::from(die.value)).collect(),
        EventData::MatchCreated(_)
        | EventData::TossDecided(_)
        | EventData::Over(_)
        | EventData::MatchCompleted(_)
        | EventData::MatchAbandoned(_)
        | EventData::SetUp(_)
        | EventData::Roll(_)
        | EventData::Review(Review::Accepted(_))
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
    });
    faces.collect()
}

/// An event as a reader of the log gets it.
fn from_the_log(event: &EventData) -> EventData {
    EventData::read(event.kind(), event.version(), &event.to_value()).expect("the log can be read")
}

fn assert_same(live: &Match, replayed: &Match) {
    assert_eq!(live.next(), replayed.next());
    assert_eq!(live.play().phase(), replayed.play().phase());
    assert_eq!(live.play().info().created, replayed.play().info().created);
    assert!(live == replayed, "the matches differ in what they show nobody");
}

proptest! {
    #![proptest_config(cases(96))]

    // At every step the replayed match also decides the live one's input, with other dice objects, and makes
    // the same events: so whatever the live match would accept next, the replayed one would, too.
    #[test]
    fn a_match_replayed_from_its_log_is_the_live_match_at_every_step(plan in plans()) {
        let (mut live, mut chooser) = plan.begin();
        let mut replayed = Match::from_log(match_id(), &from_the_log(&live.log[0]), &live.editions()).unwrap();
        let seed = plan.server_seed();
        assert_same(&live.the_match, &replayed);
        while let Some((input, events)) = step(&mut live, &mut chooser) {
            let again = match &seed {
                Some(seed) => {
                    replayed.decide(input, &mut SeededDice::new(&seed.match_seed(&[])), Some(seed))
                }
                None => replayed.decide(input, &mut TableDice::new(&faces(&events)), None),
            };
            prop_assert_eq!(&again.unwrap().events, &events);
            for event in events.iter().map(from_the_log) {
                prop_assert_eq!(replayed.clone().verify(&event).map(drop), Ok(()));
                prop_assert_eq!(replayed.replay(&event), Ok(()));
            }
            assert_same(&live.the_match, &replayed);
        }
        prop_assert_eq!(live.the_match.play().status(), "completed");
    }
}

fn any_choices() -> impl Strategy<Value = Choices> {
    let keys = prop_oneof![
        8 => prop::sample::select(vec![
            "bowler", "keeper", "field", "openers", "next_batter", "orders", "roll", "deal", "bowler_number",
            "batter_number", "bowler_rolled", "batter_cube", "drop", "pitch", "power_play", "attitudes", "next_attitude",
            "bowl", "attitude", "stroke", "over_card", "skills", "reroll_bowler", "reroll_batter", "longer", "run",
            "chance",
        ]).prop_map(str::to_owned),
        1 => "\\PC{0,5}",
    ];
    let six = || vec(prop_oneof![6 => (-1i64..=10).prop_map(Value::from), 1 => Just(Value::Null)], 5..=7);
    let orders =
        (six(), six()).prop_map(|(bowling, batting)| json!({"bowling": bowling, "batting": batting}));
    let openers = ("[AB][1-4]", "[AB][1-4]").prop_map(|(one, other)| json!([one, other]));
    let number = (-1i64..=10).prop_map(Value::from);
    let words = prop::sample::select(vec![
        "cut",
        "bye",
        "aggressive",
        "defensive",
        "pace",
        "yorker",
        "seamer",
        "half_volley",
        "no",
        "card",
        "slips",
        "lbw",
        "second_chance",
        "effort_ball",
    ]);
    let skills = words.clone().prop_map(|word| json!({"bowler": [word], "batter": [word]}));
    let yes_or_no = any::<bool>().prop_map(Value::from);
    let values = prop_oneof![
        4 => any_json(),
        1 => openers,
        1 => orders,
        1 => number,
        2 => words.prop_map(Value::from),
        1 => skills,
        1 => yes_or_no,
    ];
    vec((keys, values), 0..3).prop_map(|members| members.into_iter().collect())
}

fn any_input() -> impl Strategy<Value = Input> {
    prop_oneof![
        1 => any_choices().prop_map(|choices| Input::Play(Play::SetUp(choices))),
        4 => any_choices().prop_map(|choices| Input::Play(Play::Over(choices))),
        4 => any_choices().prop_map(|choices| Input::Play(Play::Ball(choices))),
        1 => "\\PC{0,3}| {0,2}|x{999,1002}".prop_map(|reason| Input::Abandon { reason }),
        1 => Just(Input::Review { by: Side::Home }),
        1 => Just(Input::Review { by: Side::Away }),
        1 => Just(Input::Accept { by: Side::Home }),
        1 => Just(Input::TossDecision { to: TossChoice::Bat }),
        1 => Just(Input::Toss { caller: Side::Away, call: CoinFace::Tails }),
        1 => Just(Input::ReportedToss { winner: Side::Away }),
    ]
}

fn any_dice() -> impl Strategy<Value = Vec<i64>> {
    vec(prop_oneof![8 => 1i64..=6, 1 => -1i64..=8, 1 => any::<i64>()], 0..7)
}

/// The events of the next three steps of a match.
fn continuation(a_match: &PlayedMatch, chooser: &Chooser) -> Vec<EventData> {
    let (mut a_match, mut chooser) = (a_match.clone(), chooser.clone());
    let steps = (0..3).map_while(|_| step(&mut a_match, &mut chooser));
    steps.flat_map(|(_, events)| events).collect()
}

proptest! {
    #![proptest_config(cases(192))]

    // Whatever is entered between the steps of a match, nothing panics, a refusal leaves the match as it was
    // and names the place of the fault, and a reader of the log accepts what was accepted here.
    #[test]
    fn no_input_panics_and_a_refused_one_changes_nothing(
        plan in plans(),
        inputs in vec((any_input(), any_dice(), 0usize..12), 1..25),
    ) {
        let (mut live, mut chooser) = plan.begin();
        for (input, dice, steps) in inputs {
            (0..steps).for_each(|_| { step(&mut live, &mut chooser); });
            let before = live.clone();
            // A seeded match takes no dice that were rolled by hand.
            let put_in = match live.seeded_dice() {
                Some(mut seeded) => live.put(input, &mut seeded),
                None => live.enter(input, &dice),
            };
            match put_in {
                Ok(events) => {
                    let mut replayed = before.the_match;
                    for event in events {
                        prop_assert_eq!(replayed.clone().verify(&event).map(drop), Ok(()));
                        prop_assert_eq!(replayed.replay(&event), Ok(()));
                    }
                    assert_same(&live.the_match, &replayed);
                }
                Err(refusal) => {
                    prop_assert!(!refusal.message.is_empty());
                    prop_assert!(!matches!(refusal.place, Place::Die(at) if at > dice.len()));
                    prop_assert_eq!(&live.log, &before.log);
                    assert_same(&live.the_match, &before.the_match);
                    prop_assert_eq!(continuation(&live, &chooser), continuation(&before, &chooser));
                }
            }
        }
    }
}

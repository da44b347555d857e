//! The language of effects: each written form, and the typed form as which it is read.

use serde_json::{Value, json};

use super::{built_in_edition, faults};
use crate::games::cricket_the_game::edition::effect::{Effect, Then, When};
use crate::games::cricket_the_game::edition::model::{
    Attitude, CardDecision, Condition, Duelist, EditionWord, Out, PlayerRole, SoFar, Style, WordSet,
};
use crate::games::cricket_the_game::edition::read::read;

/// Every effect of the language in its written form, with its typed form.
fn language() -> Vec<(Value, Then)> {
    vec![
        (json!("no_ball"), Then::NoBall),
        (json!("snick"), Then::Snick),
        (json!("dead_ball"), Then::DeadBall),
        (json!("no_run_allowed"), Then::NoRunAllowed),
        (json!("nothing"), Then::Nothing),
        (json!({"outcome": {"runs": 0}}), Then::Outcome(CardDecision::Runs(0))),
        (json!({"outcome": {"runs": 6}}), Then::Outcome(CardDecision::Runs(6))),
        (json!({"outcome": {"out": "bowled"}}), Then::Outcome(CardDecision::Out(Out::Bowled))),
        (json!({"outcome": {"out": "stumped"}}), Then::Outcome(CardDecision::Out(Out::Stumped))),
        (json!({"confidence": -4}), Then::Confidence(-4)),
        (json!({"advantage": 4}), Then::Advantage(4)),
        (json!({"bowler_die": "d8"}), Then::BowlerDie(8)),
        (json!({"batter_die": "d6"}), Then::BatterDie(6)),
        (json!({"roll": {"side": "bowler", "by": -1}}), Then::Roll { side: Duelist::Bowler, by: -1 }),
        (json!({"roll": {"side": "batter", "by": 2}}), Then::Roll { side: Duelist::Batter, by: 2 }),
        (json!({"reroll": "bowler"}), Then::Reroll(Duelist::Bowler)),
        (json!({"reroll": "batter"}), Then::Reroll(Duelist::Batter)),
        (
            json!({"appeal": {"how": "lbw", "die": "d6", "out_on": [5, 6]}}),
            Then::Appeal { how: Out::Lbw, die: 6, out_on: 0b11_0000 },
        ),
        (
            json!({"appeal": {"how": "caught", "die": "d8", "out_on": [8, 1]}}),
            Then::Appeal { how: Out::Caught, die: 8, out_on: 0b1000_0001 },
        ),
        (json!({"overthrows": 4}), Then::Overthrows(4)),
        (json!({"catch_value": -1}), Then::CatchValue(-1)),
    ]
}

/// The built-in edition with these effects on the first over card of pace.
fn with(effects: Value) -> Value {
    let mut edition = built_in_edition();
    edition["over_decks"]["pace"][0]["effects"] = effects;
    edition
}

/// The effects of that card, as the reader gives them.
fn read_back(effects: Value) -> Vec<Effect> {
    let edition = read(&with(effects)).expect("no mistake");
    edition.over_decks.of(Style::Pace)[0].effects.clone()
}

#[test]
fn every_effect_is_read_where_it_may_stand_without_so_far() {
    for (json, then) in language().into_iter().filter(|(_, then)| then.at_first()) {
        assert_eq!(read_back(json!([{"then": json}])), [Effect { when: When::ALWAYS, then }]);
    }
}

#[test]
fn every_effect_is_read_with_the_so_far_it_may_have_and_refused_with_any_other() {
    for (json, then) in language() {
        for (so_far, word) in SoFar::ALL {
            let effects = json!([{"when": {"so_far": [word]}, "then": json}]);
            if then.so_far().has(*so_far) {
                let when = When { so_far: Some(WordSet::these([*so_far])), ..When::ALWAYS };
                assert_eq!(read_back(effects), [Effect { when, then }]);
            } else {
                let found = faults(&with(effects));
                assert_eq!(found.len(), 1, "{json} {word}: {found:?}");
                assert!(found[0].starts_with("over_decks.pace[0].effects[0].when.so_far: "), "{found:?}");
            }
        }
    }
}

#[test]
fn an_appeal_without_so_far_is_refused() {
    let appeal = json!({"appeal": {"how": "lbw", "die": "d6", "out_on": [6]}});
    let expected = "over_decks.pace[0].effects[0].when.so_far: is missing; this effect needs one of \"block\" or \"miss\"";
    assert_eq!(faults(&with(json!([{"then": appeal}]))), [expected]);
}

#[test]
fn every_condition_is_read() {
    let when = json!({
        "attitude": ["defensive"], "style": ["spin", "medium"], "role": ["keeper", "pace"], "pitch": ["neutral"],
        "so_far": ["miss", "block"],
    });
    let expected = When {
        attitude: WordSet::these([Attitude::Defensive]),
        style: WordSet::these([Style::Spin, Style::Medium]),
        role: WordSet::these([PlayerRole::Pace, PlayerRole::Keeper]),
        pitch: WordSet::these([Condition::Neutral]),
        so_far: Some(WordSet::these([SoFar::Block, SoFar::Miss])),
    };
    let read = read_back(json!([{"when": when, "then": "snick"}]));
    assert_eq!(read, [Effect { when: expected, then: Then::Snick }]);
}

#[test]
fn effects_stay_in_their_order() {
    let read =
        read_back(json!([{"then": {"advantage": 1}}, {"then": {"advantage": -1}}, {"then": "no_ball"}]));
    let then: Vec<Then> = read.iter().map(|effect| effect.then).collect();
    assert_eq!(then, [Then::Advantage(1), Then::Advantage(-1), Then::NoBall]);
}

#[test]
fn every_word_is_the_one_at_its_place() {
    fn check<W: EditionWord + std::fmt::Debug>() {
        for (place, (word, text)) in W::ALL.iter().enumerate() {
            assert_eq!((word.place(), W::of_word(text)), (place, Some(*word)));
        }
    }
    check::<Attitude>();
    check::<Style>();
    check::<PlayerRole>();
    check::<Condition>();
    check::<SoFar>();
    check::<Out>();
    check::<Duelist>();
}

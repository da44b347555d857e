//! Legal and illegal squads and set-ups, `squads.txt`.

use serde_json::{Value, json};
use third_umpire::log::EventData;
use third_umpire::rules::{Next, Place, RefusalKind};
use third_umpire::scorebook::Side;
use third_umpire_test_support::logs::{HOME, Setting, heads, object};
use third_umpire_test_support::words;

use super::refusals::in_words;
use super::{as_edition, created, cricket, plain, put, set_up, setting, squad};
use crate::tables::{check_rows, rows};

pub const TABLE: &str = include_str!("squads.txt");

/// The result of a row: `roles bbbkmmmmsspp`, `card 3 {...}`, `no cards` or `set_up {...}`.
fn entered(given: &str) -> String {
    let (word, rest) = given.split_once(' ').expect("what is entered");
    let mut home = squad(HOME, 1);
    match word {
        "roles" => {
            let role = |letter| match letter {
                'b' => "batter",
                'k' => "keeper",
                'm' => "medium",
                's' => "spin",
                'p' => "pace",
                other => panic!("no role {other}"),
            };
            home.cards = rest.chars().map(|c| object(json!({"role": role(c), "confidence": 1}))).collect();
            home.players = (1..=rest.len()).map(|n| format!("A{n}")).collect();
        }
        "card" => {
            let (place, card) = rest.split_once(' ').expect("a card");
            home.cards[place.parse::<usize>().expect("a place")] = serde_json::from_str(card).expect("JSON");
        }
        "no" => home.cards.clear(),
        _ => {}
    }
    let created = Setting { home, ..setting(&as_edition(plain()), json!({}), 1) }.open(None);
    let mut a_match = match created {
        Ok(a_match) => a_match,
        Err(refusal) => return in_words(&refusal),
    };
    let choices =
        if word == "set_up" { serde_json::from_str(rest).expect("JSON") } else { json!({"pitch": "spin"}) };
    let before = a_match.the_match.next();
    match a_match.enter(set_up(choices), &[]).as_deref() {
        Ok([EventData::SetUp(set_up)]) => words::value(&Value::Object(set_up.choices.clone())),
        Ok(other) => panic!("{other:?}"),
        Err(refusal) => {
            assert_eq!((a_match.log.len(), a_match.the_match.next()), (1, before));
            in_words(refusal)
        }
    }
}

#[test]
fn squads_and_set_ups_come_out_as_the_table_says() {
    check_rows(rows(TABLE), |row| entered(row.given));
}

#[test]
fn the_match_waits_for_its_set_up_before_the_toss() {
    let mut a_match = created(&as_edition(plain()), json!({}), 1, None);
    let Next::Choose { side: None, what: "set_up", legal, default } = a_match.the_match.next() else {
        panic!("a set-up is due")
    };
    let four = |side: &str| json!([9, 10, 11, 12].map(|n| format!("{side}{n}")));
    assert_eq!(legal["drop"], json!({"home": four("A"), "away": four("B")}));
    assert_eq!(legal["pitch"], json!(["pace", "spin", "neutral"]));
    assert_eq!(default["drop"], json!({"home": "A12", "away": "B12"}));
    assert_eq!(a_match.the_match.play().status(), "created");
    let early = a_match.enter(heads(), &[1]).expect_err("too early");
    assert_eq!(early.kind, RefusalKind::OutOfTurn);
    a_match.enter(set_up(json!({"pitch": "spin", "drop": {"home": "A9"}})), &[]).expect("legal");
    let twice = a_match.enter(set_up(json!({"pitch": "spin"})), &[]).expect_err("once only");
    assert_eq!(twice.kind, RefusalKind::OutOfTurn);
    let EventData::SetUp(event) = &a_match.log[1] else { panic!("a set-up") };
    let left_out = (cricket().dropped)(event);
    assert_eq!(
        (&left_out[Side::Home], &left_out[Side::Away]),
        (&vec!["A9".to_owned()], &vec!["B12".to_owned()])
    );
}

#[test]
fn from_a_seed_the_pitch_is_drawn_from_the_set_up_draw_and_entered_nowhere() {
    use third_umpire::dice::{Dice, Domain, Draw, ServerSeed};
    for byte in ["01", "5e", "9a", "c4"] {
        let seed = ServerSeed::from_hex(&byte.repeat(32)).expect("a seed");
        let mut a_match = created(&as_edition(plain()), json!({}), 1, Some(seed));
        let mut dice = a_match.seeded_dice().expect("seeded");
        let given = a_match.put(set_up(json!({"pitch": "pace"})), &mut dice).expect_err("the pitch is drawn");
        assert_eq!(given.place, Place::Choice("pitch".to_owned()));
        assert!(!given.message.contains("spin") && !given.message.contains("neutral"));
        let events = put(&mut a_match, set_up(json!({})));
        let [EventData::SetUp(event)] = events.as_slice() else { panic!("a set-up is due") };
        let mut again = a_match.seeded_dice().expect("seeded");
        again.begin(Draw { domain: Domain::SetUp, ordinal: 0 });
        let drawn = again.roll("pitch", 3).expect("a die");
        assert_eq!((event.dice.len(), event.dice[0].sides, event.dice[0].value), (1, 3, drawn));
        assert_eq!(event.choices["pitch"], ["pace", "spin", "neutral"][usize::from(drawn) - 1]);
    }
}

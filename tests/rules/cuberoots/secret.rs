//! Orders chosen in secret: each side sees its own six cubes, and both orders come to light with the over.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use third_umpire::dice::{Dice, Draw, SeededDice, ServerSeed};
use third_umpire::games::{Due, Fixture, Hidden, Input, Opening, Part, Taken, Terms, new_match, seed_hash};
use third_umpire::log::{ClientSeeds, CoinFace, EventData, MatchId, Over, SeedSource, TossChoice};
use third_umpire::scorebook::Side;
use third_umpire_test_support::logs::{AWAY, HOME, object, sheet};

use super::cuberoots;

/// A match that two sides play from afar; what only the service knows is kept beside it.
struct Apart {
    fixture: Fixture,
    log: Vec<EventData>,
    seed: ServerSeed,
    openings: Vec<Opening>,
    now: DateTime<Utc>,
}

impl Apart {
    /// With both seeds shown, the toss made, and home about to bat.
    fn in_play(rules: Value) -> Apart {
        let seed = ServerSeed::from_hex(&"a9".repeat(32)).expect("a seed");
        let terms = Terms { client_seeds: ClientSeeds::Both, remote: true, choice_timeout: 60 };
        let given = Some((&seed, SeedSource::Os));
        let created = new_match(cuberoots(), &object(rules), sheet(HOME), sheet(AWAY), given, terms);
        let first = EventData::MatchCreated(created.expect("legal options"));
        let fixture = Fixture::from_log(MatchId::nil(), &first).expect("it opens");
        let mut apart =
            Apart { fixture, log: vec![first], seed, openings: Vec::new(), now: DateTime::UNIX_EPOCH };
        for side in [Side::Home, Side::Away] {
            apart.take(side, Part::Claim);
        }
        let shown = [(Side::Home, "01"), (Side::Away, "02")].map(|(side, byte)| (side, byte.repeat(32)));
        for (side, client_seed) in &shown {
            let commitment = apart.seed.commitment();
            let hash = seed_hash(MatchId::nil(), *side, &commitment, client_seed).expect("plain text");
            apart.take(*side, Part::CommitSeed { hash });
        }
        for (side, client_seed) in shown {
            apart.take(side, Part::ShowSeed { client_seed });
        }
        apart.put(Input::Toss { caller: Side::Home, call: CoinFace::Heads });
        let to = match apart.log.last() {
            Some(EventData::Toss(toss)) if toss.winner == Side::Home => TossChoice::Bat,
            _ => TossChoice::Bowl,
        };
        apart.put(Input::TossDecision { to });
        apart
    }

    fn dice(&self) -> SeededDice {
        self.fixture.dice(&self.seed)
    }

    fn put(&mut self, input: Input) {
        let decided = self.fixture.decide(input, &mut self.dice(), Some(&self.seed)).expect("it is legal");
        self.note(decided.events);
    }

    fn take(&mut self, side: Side, part: Part) {
        let hidden = Hidden { seed: Some(&self.seed), openings: &self.openings, now: self.now };
        let Taken { events, keep } = self.fixture.take_part(side, &part, hidden).expect("it is legal");
        self.openings.extend(keep);
        self.note(events);
    }

    /// Every event is checked as an audit does it.
    fn note(&mut self, events: Vec<EventData>) {
        for event in events {
            let mut followed = self.fixture.clone();
            followed.follow(&event).unwrap_or_else(|found| panic!("{event:?}: {found:?}"));
            self.fixture.replay(&event).expect("it can be applied");
            assert_eq!(self.fixture.next(), followed.next());
            self.log.push(event);
        }
    }

    fn choose(&mut self, side: Side, choice: Value) {
        let due = Due { what: "order".to_owned(), innings: None, over: None, ball: None };
        self.take(side, Part::Choose { due, salt: "5a".repeat(32), choice: object(choice) });
    }

    fn call(&mut self, side: Side, now: DateTime<Utc>) {
        self.now = now;
        self.take(side, Part::Call);
    }

    fn hand(&self, side: Side) -> Value {
        let hidden = Hidden { seed: Some(&self.seed), openings: &self.openings, now: self.now };
        self.fixture.hand(side, hidden).expect("an order is due")
    }

    fn last_over(&self) -> &Over {
        match self.log.last() {
            Some(EventData::Over(over)) => over,
            other => panic!("an over is due, not {other:?}"),
        }
    }
}

/// The cubes of a hand, in the order in which they are shown.
fn cubes(hand: &Value) -> Vec<Value> {
    let held = hand["hand"].as_array().expect("a hand");
    held.iter().map(|one| one["cube"].clone()).collect()
}

#[test]
fn a_hand_is_the_sides_own_six_cubes_with_the_numbers_it_reads() {
    let apart = Apart::in_play(json!({"colours": {"home": 2, "away": 5}}));
    let mut left: Vec<u8> = (0..210).collect();
    let mut dice = apart.dice();
    dice.begin(Draw::over(1, 1));
    dice.shuffle(&mut left);
    for (side, dealt, colour) in [(Side::Away, &left[..6], 5), (Side::Home, &left[6..12], 2)] {
        let held: Vec<Value> = dealt
            .iter()
            .map(|cube| json!({"cube": cube, "number": (u16::from(*cube) + 3 * colour) % 10}))
            .collect();
        assert_eq!(apart.hand(side), json!({"hand": held, "choice": null}));
    }
}

#[test]
fn both_orders_come_to_light_with_the_over_and_neither_before() {
    let mut apart = Apart::in_play(json!({"roll_a_cube": true}));
    let (mut bowling, batting) = (cubes(&apart.hand(Side::Away)), cubes(&apart.hand(Side::Home)));
    let dealt = json!({"bowling": bowling, "batting": batting});
    bowling.reverse();
    apart.choose(Side::Away, json!({"order": bowling, "bowler": "B9", "roll": 6}));
    let known = serde_json::to_string(&apart.log).expect("JSON");
    assert!(!known.contains(r#""orders""#) && !known.contains(r#""bowler""#), "{known}");
    let chosen = json!({"order": bowling, "bowler": "B9", "roll": 6});
    assert_eq!(apart.hand(Side::Away)["choice"], chosen);
    assert_eq!(apart.hand(Side::Home)["choice"], Value::Null);
    apart.choose(Side::Home, json!({}));
    let over = apart.last_over();
    let orders = json!({"bowling": bowling, "batting": batting});
    let expected = json!({"bowler": "B9", "deal": dealt, "orders": orders, "roll": {"bowling": 6}});
    assert_eq!(Value::from(over.choices.clone()), expected);
    let of_home = json!({"order": batting});
    assert_eq!(
        over.reveals.iter().map(|reveal| Value::from(reveal.choice.clone())).collect::<Vec<_>>(),
        [of_home, chosen]
    );
    (0..5).for_each(|_| apart.put(super::next_ball()));
    apart.put(super::next_ball());
    let Some(EventData::Ball(last)) = apart.log.last() else { panic!("a ball is due") };
    assert_eq!((last.dice.len(), &last.choices["bowler_rolled"]), (1, &json!(true)));
}

#[test]
fn an_order_is_drawn_for_a_side_that_was_called_in_vain() {
    for (silent, duty) in [(Side::Home, "batting"), (Side::Away, "bowling")] {
        let mut apart = Apart::in_play(json!({"roll_a_cube": true}));
        let dealt = cubes(&apart.hand(silent));
        apart.choose(silent.other(), json!({}));
        apart.call(silent.other(), DateTime::UNIX_EPOCH);
        apart.call(silent.other(), DateTime::UNIX_EPOCH + TimeDelta::seconds(60));
        let mut drawn = dealt.clone();
        let mut dice = apart.dice();
        dice.begin(Draw::silent(1, 1));
        dice.shuffle(&mut drawn);
        let over = apart.last_over();
        assert_eq!(over.choices["orders"][duty], Value::from(drawn));
        assert_eq!(over.choices["deal"][duty], Value::from(dealt));
        assert_eq!((&over.choices["bowler"], over.choices.get("roll")), (&json!("B"), None));
    }
}

//! Secret orders: each side sees its own six cubes, and both orders are revealed with the over.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use third_umpire::commands::{Command, CommandHandler};
use third_umpire::dice::{Dice, Draw, SeededDice, ServerSeed};
use third_umpire::log::{Actor, ClientSeeds, CoinFace, EventData, Over, TossChoice};
use third_umpire::matches::{ClaimedChoice, Input, MatchSettings, SealOpening, ServerSecrets, seed_hash};
use third_umpire::projection::DeliveryPlaces;
use third_umpire::scorebook::Side;
use third_umpire_test_support::logs::{PlayedMatch, Setting, match_id, object};

use super::cuberoots;

/// A remote match of two sides, with the secrets that only the service knows.
struct RemoteMatch {
    a_match: PlayedMatch,
    openings: Vec<SealOpening>,
    now: DateTime<Utc>,
}

impl RemoteMatch {
    /// A match with both seeds shown and the toss made, with home about to bat.
    fn in_play(rules: Value) -> RemoteMatch {
        let seed = ServerSeed::from_hex(&"a9".repeat(32)).expect("a seed");
        let settings = MatchSettings { client_seeds: ClientSeeds::Both, remote: true, choice_timeout: 60 };
        let setting = Setting { settings, ..Setting::of(cuberoots(), rules) };
        let a_match = setting.open(Some(seed)).expect("legal options");
        let mut remote = RemoteMatch { a_match, openings: Vec::new(), now: DateTime::UNIX_EPOCH };
        for side in [Side::Home, Side::Away] {
            remote.submit(side, Command::Claim { side, token: String::new() });
        }
        let shown = [(Side::Home, "01"), (Side::Away, "02")].map(|(side, byte)| (side, byte.repeat(32)));
        for (side, client_seed) in &shown {
            let commitment = remote.seed().commitment();
            let hash = seed_hash(match_id(), *side, &commitment, client_seed).expect("plain text");
            remote.submit(*side, Command::CommitSeed { side: *side, hash });
        }
        for (side, client_seed) in shown {
            remote.submit(side, Command::RevealSeed { side, client_seed });
        }
        remote.put(Input::Toss { caller: Side::Home, call: CoinFace::Heads });
        let to = match remote.a_match.log.last() {
            Some(EventData::Toss(toss)) if toss.winner() == Side::Home => TossChoice::Bat,
            _ => TossChoice::Bowl,
        };
        remote.put(Input::TossDecision { to });
        remote
    }

    fn seed(&self) -> &ServerSeed {
        self.a_match.seed().expect("a seeded match")
    }

    fn dice(&self) -> SeededDice {
        self.a_match.the_match.remote().dice(self.seed())
    }

    fn put(&mut self, input: Input) {
        let decided = self.a_match.the_match.decide(input, &mut self.dice(), self.a_match.seed());
        self.record(decided.expect("the input is legal").events);
    }

    fn server_secrets(&self) -> ServerSecrets<'_> {
        ServerSecrets { seed: self.a_match.seed(), openings: &self.openings, now: self.now }
    }

    fn submit(&mut self, side: Side, command: Command) {
        let (the_match, secrets) = (&self.a_match.the_match, self.server_secrets());
        let places = &DeliveryPlaces::default();
        let handler = CommandHandler { the_match, places, actor: Actor::from(side), secrets };
        let decided = handler.handle(&command, &[]).expect("the input is legal");
        self.openings.extend(decided.secrets.opening);
        self.record(decided.events.into_iter().map(|(event, _)| event).collect());
    }

    /// Records events, each checked as an audit does it.
    fn record(&mut self, events: Vec<EventData>) {
        for event in events {
            let mut followed = self.a_match.the_match.clone();
            followed.verify(&event).unwrap_or_else(|found| panic!("{event:?}: {found:?}"));
            self.a_match.follow(event);
            assert_eq!(self.a_match.the_match.next(), followed.next());
        }
    }

    fn choose(&mut self, side: Side, choice: Value) {
        let claimed = ClaimedChoice { what: "order".to_owned(), innings: None, over: None, ball: None };
        self.submit(side, Command::Choose { side, claimed, salt: "5a".repeat(32), choice: object(choice) });
    }

    fn call(&mut self, side: Side, now: DateTime<Utc>) {
        self.now = now;
        self.submit(side, Command::Call { side });
    }

    fn hand(&self, side: Side) -> Value {
        self.a_match.the_match.remote().hand(side, self.server_secrets()).expect("an order is due")
    }

    fn last_over(&self) -> &Over {
        match self.a_match.log.last() {
            Some(EventData::Over(over)) => over,
            other => panic!("an over is due, not {other:?}"),
        }
    }
}

/// The cubes of a hand, in the order in which they are shown.
fn cubes(hand: &Value) -> Vec<Value> {
    let cubes_in_hand = hand["hand"].as_array().expect("a hand");
    cubes_in_hand.iter().map(|one| one["cube"].clone()).collect()
}

#[test]
fn a_hand_is_the_sides_own_six_cubes_with_the_numbers_it_reads() {
    let remote = RemoteMatch::in_play(json!({"colours": {"home": 2, "away": 5}}));
    let mut left: Vec<u8> = (0..210).collect();
    let mut dice = remote.dice();
    dice.begin(Draw::over(1, 1));
    dice.shuffle(&mut left);
    for (side, dealt, colour) in [(Side::Away, &left[..6], 5), (Side::Home, &left[6..12], 2)] {
        let cubes_in_hand: Vec<Value> = dealt
            .iter()
            .map(|cube| {
                let number = (u16::from(*cube) + 3 * colour) % 10;
                json!({"cube": cube, "number": number, "value": cube, "title": number.to_string()})
            })
            .collect();
        assert_eq!(remote.hand(side), json!({"hand": cubes_in_hand, "choice": null}));
    }
}

#[test]
fn both_orders_come_to_light_with_the_over_and_neither_before() {
    let mut remote = RemoteMatch::in_play(json!({"roll_a_cube": true}));
    let (mut bowling, batting) = (cubes(&remote.hand(Side::Away)), cubes(&remote.hand(Side::Home)));
    let dealt = json!({"bowling": bowling, "batting": batting});
    bowling.reverse();
    remote.choose(Side::Away, json!({"order": bowling, "bowler": "B9", "roll": 6}));
    let known = serde_json::to_string(&remote.a_match.log).expect("JSON");
    assert!(!known.contains(r#""orders""#) && !known.contains(r#""bowler""#), "{known}");
    let chosen = json!({"order": bowling, "bowler": "B9", "roll": 6});
    assert_eq!(remote.hand(Side::Away)["choice"], chosen);
    assert_eq!(remote.hand(Side::Home)["choice"], Value::Null);
    remote.choose(Side::Home, json!({}));
    let over = remote.last_over();
    let orders = json!({"bowling": bowling, "batting": batting});
    let expected = json!({"bowler": "B9", "deal": dealt, "orders": orders, "roll": {"bowling": 6}});
    assert_eq!(Value::from(over.choices.clone()), expected);
    let of_home = json!({"order": batting});
    assert_eq!(
        over.reveals.iter().map(|reveal| Value::from(reveal.choice.clone())).collect::<Vec<_>>(),
        [of_home, chosen]
    );
    (0..5).for_each(|_| remote.put(super::next_ball()));
    remote.put(super::next_ball());
    let Some(EventData::Ball(last)) = remote.a_match.log.last() else { panic!("a ball is due") };
    assert_eq!((last.dice.len(), &last.choices["bowler_rolled"]), (1, &json!(true)));
}

#[test]
fn an_order_is_drawn_for_a_side_that_timed_out() {
    for (timed_out, duty) in [(Side::Home, "batting"), (Side::Away, "bowling")] {
        let mut remote = RemoteMatch::in_play(json!({"roll_a_cube": true}));
        let dealt = cubes(&remote.hand(timed_out));
        remote.choose(timed_out.other(), json!({}));
        remote.call(timed_out.other(), DateTime::UNIX_EPOCH);
        remote.call(timed_out.other(), DateTime::UNIX_EPOCH + TimeDelta::seconds(60));
        let mut drawn = dealt.clone();
        let mut dice = remote.dice();
        dice.begin(Draw::timeout_over(1, 1));
        dice.shuffle(&mut drawn);
        let over = remote.last_over();
        assert_eq!(over.choices["orders"][duty], Value::from(drawn));
        assert_eq!(over.choices["deal"][duty], Value::from(dealt));
        assert_eq!((&over.choices["bowler"], over.choices.get("roll")), (&json!("B"), None));
    }
}

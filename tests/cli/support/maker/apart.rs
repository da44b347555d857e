//! Matches of CubeRoots cricket: by hand, from a seed, and by sides that play from afar.

use serde_json::{Value, json};
use third_umpire::games::{
    Choices, Due, Hidden, Input, Next, Opening, Part, Phase, Play, Terms, seal, seed_hash,
};
use third_umpire::log::{Actor, ClientSeeds, CoinFace, EventData, Role, TokenRotated};
use third_umpire::scorebook::Side;

use super::{Maker, SEED, Setting, match_id, object};
use crate::support::{Lcg, Log};

const SALT: &str = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0";

fn cuberoots(rules: Value) -> Setting {
    Setting { game: "cuberoots", rules, ..Setting::default() }
}

/// Two innings a side from a seed, each side in turn rolling a cube: long enough for the bag to be filled again.
pub fn cubes_from_a_seed() -> Log {
    let mut maker = cuberoots(json!({"variant": "test", "roll_a_cube": true})).seeded().tossed();
    let mut whims = Lcg(2026);
    while maker.fixture.phase() == Phase::Play {
        let play = match maker.fixture.next() {
            Next::Choose { what: "order", legal, .. } => {
                let bowlers = legal["bowler"].as_array().unwrap();
                let roll = json!({"bowling": whims.below(6) + 1, "batting": whims.below(6) + 1});
                Play::Over(object(json!({"bowler": bowlers[whims.below(bowlers.len())], "roll": roll})))
            }
            _ => Play::Ball(Choices::new()),
        };
        maker.roll(Input::Play(play));
    }
    maker.log()
}

/// Six overs a side with real cubes: some overs are entered whole, with a cube that is rolled, and some ball by ball.
pub fn cubes_at_the_table() -> Log {
    let mut maker =
        cuberoots(json!({"overs": 6, "roll_a_cube": true, "end_at_target": true})).table().tossed();
    let mut whims = Lcg(2026);
    let mut overs = 0;
    while maker.fixture.phase() == Phase::Play {
        let play = match maker.fixture.next() {
            Next::Choose { what: "over", .. } => {
                overs += 1;
                let mut order = || -> Value { (0..6).map(|_| json!(whims.below(10))).collect() };
                let mut orders = json!({"bowling": order(), "batting": order()});
                orders["bowling"][2] = Value::Null;
                let whole = overs % 2 == 0;
                Play::Over(if whole { object(json!({ "orders": orders })) } else { Choices::new() })
            }
            Next::Choose { what: "numbers", legal, .. } => {
                let number = |name: &String| (name.clone(), json!(whims.below(10)));
                let asked = legal.as_object().unwrap().keys().filter(|name| name.ends_with("_number"));
                Play::Ball(asked.map(number).collect())
            }
            _ => Play::Ball(Choices::new()),
        };
        maker.put(Input::Play(play), &[]);
    }
    maker.log()
}

/// Two overs a side from afar, with everything that sides can do: one seals for itself, one replaces its choice, one never
/// opens what it has sealed, one stays silent, and so does the winner of the toss.
pub fn sides_from_afar() -> Log {
    let terms = Terms { client_seeds: ClientSeeds::Both, remote: true, choice_timeout: 1 };
    let mut afar = Afar { maker: cuberoots(json!({"overs": 2})).seeded_on(terms), openings: Vec::new() };
    for side in [Side::Home, Side::Away] {
        afar.does(side, &Part::Claim);
    }
    afar.happens(Actor::Home, vec![EventData::TokenRotated(TokenRotated { role: Role::Home })]);
    afar.add_seeds();
    afar.tosses();
    afar.chooses(Side::Home, json!({}));
    afar.chooses(Side::Home, json!({"order": afar.reversed(Side::Home)}));
    let choice = afar.seals(Side::Away);
    afar.opens(Side::Away, choice);
    afar.bowls_over();
    afar.seals(Side::Home);
    afar.chooses(Side::Away, json!({}));
    afar.calls(Side::Away);
    afar.bowls_over();
    afar.chooses(Side::Home, json!({"order": afar.reversed(Side::Home)}));
    afar.calls(Side::Home);
    afar.bowls_over();
    afar.chooses(Side::Away, json!({}));
    afar.chooses(Side::Home, json!({}));
    afar.bowls_over();
    afar.maker.log()
}

/// A match of sides that play for themselves, and what the service keeps of it apart from the log.
struct Afar {
    maker: Maker,
    openings: Vec<Opening>,
}

impl Afar {
    fn happens(&mut self, actor: Actor, events: Vec<EventData>) {
        for event in events {
            self.maker.fixture.replay(&event).unwrap();
            self.maker.append_by(actor, event);
        }
    }

    fn does(&mut self, side: Side, part: &Part) {
        let hidden = Hidden { seed: self.maker.seed.as_ref(), openings: &self.openings };
        let taken = self.maker.fixture.take_part(side, part, hidden).unwrap();
        self.openings.retain(|opening| opening.side != side || taken.keep.is_none());
        self.openings.extend(taken.keep);
        self.happens(Actor::from(side), taken.events);
    }

    fn add_seeds(&mut self) {
        let commitment = self.maker.seed.as_ref().unwrap().commitment();
        let sides = [(Side::Home, SEED.replace('7', "1")), (Side::Away, SEED.replace('f', "2"))];
        for (side, client_seed) in &sides {
            let hash = seed_hash(match_id(), *side, &commitment, client_seed);
            self.does(*side, &Part::CommitSeed { hash });
        }
        for (side, client_seed) in sides {
            self.does(side, &Part::ShowSeed { client_seed });
        }
    }

    /// Whoever wins the toss says nothing more.
    fn tosses(&mut self) {
        self.puts(Input::Toss { caller: Side::Away, call: CoinFace::Tails });
        let Phase::TossDecision(winner) = self.maker.fixture.phase() else { panic!("the toss is made") };
        self.calls(winner.other());
    }

    fn puts(&mut self, input: Input) {
        let mut dice = self.maker.fixture.dice(self.maker.seed.as_ref().unwrap());
        let decided = self.maker.fixture.decide(input, &mut dice, self.maker.seed.as_ref());
        for event in decided.unwrap().events {
            let over = matches!(event, EventData::MatchCompleted(_));
            self.happens(if over { Actor::Service } else { Actor::from(Side::Away) }, vec![event]);
        }
    }

    fn due() -> Due {
        Due { what: "order".to_owned(), innings: None, over: None }
    }

    fn chooses(&mut self, side: Side, choice: Value) {
        self.does(side, &Part::Choose { due: Afar::due(), salt: SALT.to_owned(), choice: object(choice) });
    }

    fn reversed(&self, side: Side) -> Vec<Value> {
        let hidden = Hidden { seed: self.maker.seed.as_ref(), openings: &[] };
        let own = self.maker.fixture.hand(side, hidden).unwrap();
        own["hand"].as_array().unwrap().iter().rev().map(|dealt| dealt["cube"].clone()).collect()
    }

    fn seals(&mut self, side: Side) -> Choices {
        let choice = object(json!({"order": self.reversed(side)}));
        let sealed = seal(match_id(), side, self.maker.fixture.step().unwrap(), SALT, &choice).unwrap();
        self.does(side, &Part::Seal { due: Afar::due(), sealed });
        choice
    }

    fn opens(&mut self, side: Side, choice: Choices) {
        self.does(side, &Part::Open { due: Afar::due(), salt: SALT.to_owned(), choice });
    }

    /// Calls on the other side, in vain.
    fn calls(&mut self, side: Side) {
        self.does(side, &Part::Call { now: self.maker.now() });
        self.does(side, &Part::Call { now: self.maker.now() });
    }

    fn bowls_over(&mut self) {
        for _ in 0..6 {
            if self.maker.fixture.phase() == Phase::Play {
                self.puts(Input::Play(Play::Ball(Choices::new())));
            }
        }
    }
}

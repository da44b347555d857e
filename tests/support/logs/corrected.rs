//! Matches with mistakes in them that are corrected, and balls that are disputed.

use serde_json::{Value, json};
use third_umpire::log::{
    Actor, Agreed, Amendment, Cascade, DisputeFinding, DisputeRuled, EventData, Role, TokenRotated,
};
use third_umpire::matches::corrections::{
    Consent, CorrectionRequest, CorrectionTarget, as_requested, decide,
};
use third_umpire::matches::{DisputeCommand, Input};
use third_umpire::scorebook::Side;
use third_umpire::views::History;

use super::{Log, LogMaker, Setting, object};

/// A delivery that is to be put right, in nothing yet.
pub fn amends(delivery: u32) -> Amendment {
    Amendment { amends: delivery, over: None, choices: None, as_stood: None, cascade: Cascade::Refuse }
}

/// What a table has agreed on.
fn agreed(outcome: Value, reason: &str) -> Agreed {
    Agreed { outcome: object(outcome), reason: reason.to_owned() }
}

impl LogMaker {
    /// What follows is on the word of this one.
    pub fn on_word_of(mut self, actor: Actor) -> LogMaker {
        self.actor = actor;
        self
    }

    /// Makes a correction; in remote play it is proposed.
    pub fn corrected(self, target: CorrectionTarget, reason: &str) -> LogMaker {
        let ask = CorrectionRequest { target, reason: reason.to_owned() };
        self.decided(&ask, Consent::Needed)
    }

    /// Everything from this delivery on is taken back.
    pub fn taken_back(self, delivery: u32, reason: &str) -> LogMaker {
        self.corrected(CorrectionTarget::FromDelivery(delivery), reason)
    }

    /// A delivery is put right.
    pub fn amended(self, amendment: Amendment, dice: Option<&[i64]>, reason: &str) -> LogMaker {
        self.corrected(CorrectionTarget::Amend(amendment, dice.map(<[i64]>::to_vec)), reason)
    }

    fn decided(mut self, ask: &CorrectionRequest, agreement: Consent) -> LogMaker {
        let decided = decide(
            &self.played.the_match,
            &self.sealed.events,
            ask,
            self.actor,
            self.played.seed(),
            agreement,
        );
        for (data, actor) in decided.unwrap().events {
            let at = self.sealed.next_time();
            self.played.log.push(data.clone());
            self.sealed.append(at, actor, data);
        }
        let mut reading = History::new(self.played.editions());
        for event in self.sealed.events.clone() {
            reading.follow(event).unwrap();
        }
        self.played.the_match = reading.projection().unwrap().the_match().clone();
        self
    }

    /// Whether the scorer can make this correction.
    pub fn can_be(&self, target: &CorrectionTarget) -> bool {
        let ask = CorrectionRequest { target: target.clone(), reason: "to see".to_owned() };
        decide(
            &self.played.the_match,
            &self.sealed.events,
            &ask,
            Actor::Scorer,
            self.played.seed(),
            Consent::Needed,
        )
        .is_ok()
    }

    /// The event of the last over that was begun.
    pub fn last_over(&self) -> u64 {
        let last = self.sealed.events.iter().rfind(|event| matches!(event.data, EventData::Over(_)));
        last.expect("an over was begun").seq
    }

    /// A side consents to what is proposed, and with both it is made.
    pub fn consents(mut self, side: Side) -> LogMaker {
        self.actor = Actor::from(side);
        let (proposed, consents) = self.the_match().proposed().unwrap();
        let (ask, number, complete) = (as_requested(proposed), proposed.number, consents[side.other()]);
        let consented = self.the_match().consent(number, side).unwrap();
        self = self.says(consented);
        if complete { self.decided(&ask, Consent::Given) } else { self }
    }

    fn says(mut self, data: EventData) -> LogMaker {
        self.follow(data);
        self
    }

    /// A delivery is disputed for a side.
    pub fn disputed(self, delivery: u32, claim: &str, by: Side) -> LogMaker {
        let said = self
            .the_match()
            .decide_dispute(&DisputeCommand::Dispute { delivery, claim: claim.to_owned(), by })
            .unwrap();
        self.says(said)
    }

    /// A dispute is ruled on.
    pub fn ruled(self, number: u32, ruling: &str, finding: DisputeFinding) -> LogMaker {
        let ruled = DisputeRuled { number, ruling: ruling.to_owned(), finding };
        let said = self.the_match().decide_dispute(&DisputeCommand::Rule(ruled)).unwrap();
        self.says(said)
    }

    /// The scorer issues a token to an umpire.
    pub fn with_umpire(self) -> LogMaker {
        self.says(EventData::TokenRotated(TokenRotated { role: Role::Umpire }))
    }

    /// A ball of which stands what the table agreed on.
    pub fn ball_agreed_on(mut self, dice: &[i64], outcome: Value, reason: &str) -> LogMaker {
        self.put(Input::AsStood(object(json!({})), agreed(outcome, reason)), dice);
        self
    }
}

/// A delivery as the table agreed that it stands.
pub fn stands(delivery: u32, outcome: Value, reason: &str) -> Amendment {
    Amendment { as_stood: Some(agreed(outcome, reason)), ..amends(delivery) }
}

/// Two overs a side of Howzat at the table with all that settles a dispute, in play: a die that was mistyped
/// and amended (delivery 3), an over taken back with its first ball (delivery 7), and begun by another
/// bowler, a four that the table let stand, two disputes that are ruled on, one that is open.
pub fn settled_at_the_table() -> LogMaker {
    let first: [&[i64]; 6] = [&[2, 3], &[2, 1], &[2, 4], &[2, 3], &[2, 2], &[2, 3]];
    Setting::overs(2)
        .table()
        .home_bats()
        .with_umpire()
        .balls(first)
        .disputed(3, "it was a six, and the die was read as a four", Side::Home)
        .amended(amends(3), Some(&[2, 6]), "a mistyped die")
        .over(json!({"bowler": "Rovers 10"}))
        .balls([&[2, 1]])
        .on_word_of(Actor::Umpire)
        .ruled(1, "the die showed a 6", DisputeFinding::Amended)
        .on_word_of(Actor::Scorer)
        .taken_back(7, "the wrong bowler")
        .over(json!({"bowler": "Rovers 9"}))
        .balls([&[2, 2]])
        .ball_agreed_on(&[2, 1], json!({"runs": {"batter": 4}}), "it ran on to the rope")
        .disputed(8, "a four was given for a single", Side::Away)
        .ruled(2, "all had agreed", DisputeFinding::AsStood)
        .disputed(1, "nobody saw it", Side::Away)
}

/// The match of [`settled_at_the_table`] to its end: it is found out only then that delivery 1 was a single.
pub fn put_right() -> Log {
    let second: [&[i64]; 3] = [&[6, 6], &[6, 6], &[4, 6]];
    let mut maker = settled_at_the_table().balls([&[2, 3], &[2, 3], &[2, 5], &[2, 3]]);
    maker = maker.balls(second);
    maker.amended(amends(1), Some(&[2, 2]), "the first ball went for two").log()
}

/// A seeded match of CubeRoots from afar in which a ball is taken back with the consent of both sides and
/// bowled again, the outcome of another is agreed on after it is over, and a third correction lapses.
pub fn corrected_remote_match() -> Log {
    let home = |maker: LogMaker| maker.on_word_of(Actor::Home);
    let mut maker = Setting::remote(1).seeded().met().home_calls();
    let winner = maker.winner();
    maker = maker.calls_in_vain(winner.other());
    maker = chosen_by_both(maker).over_bowled();
    maker = home(maker).taken_back(4, "the wrong cube").consents(Side::Away).over_bowled();
    maker = maker.on_word_of(Actor::Away).disputed(2, "the cubes are loaded", Side::Away);
    maker =
        home(maker).amended(stands(3, json!({"runs": {"batter": 2}}), "as they said"), None, "a cube fell");
    maker = chosen_by_both(maker).over_bowled();
    let last = json!({"runs": {"batter": 1}, "wicket": null});
    maker = maker.on_word_of(Actor::Scorer).amended(stands(1, last, "a slip"), None, "agreed on at last");
    maker.consents(Side::Home).consents(Side::Away).log()
}

fn chosen_by_both(maker: LogMaker) -> LogMaker {
    maker.chosen(Side::Home).chosen(Side::Away)
}

//! Makes matches with mistakes that are corrected, and with balls that are disputed.

use serde_json::{Value, json};
use third_umpire::log::{
    Actor, AgreedOutcome, Amendment, Cascade, DisputeFinding, DisputeRuled, EventData, Role, TokenRotated,
};
use third_umpire::matches::corrections::{
    Consent, CorrectionRequest, CorrectionTarget, RefitAnswers, as_requested, decide,
};
use third_umpire::matches::{History, Input, Match};
use third_umpire::scorebook::Side;

use super::{Log, LogMaker, Setting, object};

/// An amendment of a delivery that changes nothing yet.
pub fn amends(delivery: u32) -> Amendment {
    Amendment { amends: delivery, over: None, choices: None, as_stood: None, cascade: Cascade::Refuse }
}

/// An outcome that the table has agreed on.
fn agreed(outcome: Value, reason: &str) -> AgreedOutcome {
    AgreedOutcome { outcome: object(outcome), faces: None, reason: reason.to_owned() }
}

impl LogMaker {
    /// Sets the actor of the events that follow.
    pub fn as_actor(mut self, actor: Actor) -> LogMaker {
        self.actor = actor;
        self
    }

    /// Makes a correction; in remote play it is only proposed.
    pub fn corrected(self, target: CorrectionTarget, reason: &str) -> LogMaker {
        let request = CorrectionRequest { target, reason: reason.to_owned() };
        self.decided(&request, Consent::Needed)
    }

    /// Voids everything from this delivery on.
    pub fn voided_from(self, delivery: u32, reason: &str) -> LogMaker {
        self.corrected(CorrectionTarget::FromDelivery(delivery), reason)
    }

    /// Amends a delivery.
    pub fn amended(self, amendment: Amendment, dice: Option<&[i64]>, reason: &str) -> LogMaker {
        self.corrected(
            CorrectionTarget::Amend(amendment, dice.map(<[i64]>::to_vec), RefitAnswers::default()),
            reason,
        )
    }

    /// Brings back what an event made void.
    pub fn restored(self, restores: u64, reason: &str) -> LogMaker {
        self.corrected(CorrectionTarget::Restore(restores), reason)
    }

    fn decided(mut self, request: &CorrectionRequest, consent: Consent) -> LogMaker {
        let decided = decide(
            &self.played.the_match,
            &self.sealed.events,
            request,
            self.actor,
            self.played.seed(),
            consent,
        );
        for (data, actor) in decided.map_err(|refused| refused.refusal).unwrap().events {
            let at = self.sealed.next_time();
            self.played.log.push(data.clone());
            self.sealed.append(at, actor, data);
        }
        let mut history: History<Match> = History::new(self.played.editions());
        for event in self.sealed.events.clone() {
            history.follow(event).unwrap();
        }
        self.played.the_match = history.into_state().unwrap();
        self
    }

    /// Whether the scorer could make this correction now.
    pub fn can_correct(&self, target: &CorrectionTarget) -> bool {
        let request = CorrectionRequest { target: target.clone(), reason: "to see".to_owned() };
        decide(
            &self.played.the_match,
            &self.sealed.events,
            &request,
            Actor::Scorer,
            self.played.seed(),
            Consent::Needed,
        )
        .is_ok()
    }

    /// The seq of the last event that began an over.
    pub fn last_over(&self) -> u64 {
        let last = self.sealed.events.iter().rfind(|event| matches!(event.data, EventData::Over(_)));
        last.expect("an over was begun").seq
    }

    /// The seq of the last toss.
    pub fn last_toss(&self) -> u64 {
        let last = self.sealed.events.iter().rfind(|event| matches!(event.data, EventData::Toss(_)));
        last.expect("a toss was made").seq
    }

    /// The seq of the last correction or restoration.
    pub fn last_correction(&self) -> u64 {
        let last = self.sealed.events.iter().rfind(|event| event.data.reversal().is_some());
        last.expect("a correction was made").seq
    }

    /// Records a side's consent to the proposed correction; the second consent makes it.
    pub fn consents(mut self, side: Side) -> LogMaker {
        self.actor = Actor::from(side);
        let (proposed, consents) = self.the_match().adjudication().proposed().unwrap();
        let (request, number, complete) = (as_requested(proposed), proposed.number, consents[side.other()]);
        let consented = self.the_match().adjudication().consent(number, side).unwrap();
        self = self.recording(consented);
        if complete { self.decided(&request, Consent::Given) } else { self }
    }

    fn recording(mut self, data: EventData) -> LogMaker {
        self.follow(data);
        self
    }

    /// Disputes a delivery for a side.
    pub fn disputed(self, delivery: u32, claim: &str, by: Side) -> LogMaker {
        let event = self.the_match().adjudication().dispute(delivery, claim, by).unwrap();
        self.recording(event)
    }

    /// Rules on a dispute.
    pub fn ruled(self, number: u32, ruling: &str, finding: DisputeFinding) -> LogMaker {
        let ruled = DisputeRuled { number, ruling: ruling.to_owned(), finding };
        let event = self.the_match().adjudication().rule(&ruled).unwrap();
        self.recording(event)
    }

    /// Issues a token to an umpire, by the scorer.
    pub fn with_umpire(self) -> LogMaker {
        self.recording(EventData::TokenRotated(TokenRotated { role: Role::Umpire }))
    }

    /// Bowls a ball whose outcome is the one that the table agreed on.
    pub fn ball_agreed_on(mut self, dice: &[i64], outcome: Value, reason: &str) -> LogMaker {
        self.put(Input::Agreed(object(json!({})), agreed(outcome, reason)), dice);
        self
    }
}

/// An amendment after whose delivery a batter faces by agreement, with the outcome by the rules.
pub fn striker_agreed_on(delivery: u32, faces: &str, cascade: Cascade) -> Amendment {
    let as_stood = AgreedOutcome { faces: Some(faces.to_owned()), ..agreed(json!({}), "he faced") };
    Amendment { as_stood: Some(as_stood), cascade, ..amends(delivery) }
}

/// An amendment by which a delivery gets the outcome that the table agreed on.
pub fn stands(delivery: u32, outcome: Value, reason: &str) -> Amendment {
    Amendment { as_stood: Some(agreed(outcome, reason)), ..amends(delivery) }
}

/// Howzat at the table, two overs a side, still in play, with all kinds of corrections and disputes: a
/// mistyped die is amended (delivery 3), an over is voided with its first ball (delivery 7) and begun by
/// another bowler, a four counts as the table agreed, two disputes are ruled on, and one is open.
pub fn adjudicated_at_the_table() -> LogMaker {
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
        .as_actor(Actor::Umpire)
        .ruled(1, "the die showed a 6", DisputeFinding::Amended)
        .as_actor(Actor::Scorer)
        .voided_from(7, "the wrong bowler")
        .over(json!({"bowler": "Rovers 9"}))
        .balls([&[2, 2]])
        .ball_agreed_on(&[2, 1], json!({"runs": {"batter": 4}}), "it ran on to the rope")
        .disputed(8, "a four was given for a single", Side::Away)
        .ruled(2, "all had agreed", DisputeFinding::AsStood)
        .disputed(1, "nobody saw it", Side::Away)
}

/// The match of [`adjudicated_at_the_table`] to its end: only then it turns out that delivery 1 was a single.
pub fn adjudicated_to_the_end() -> Log {
    let second: [&[i64]; 3] = [&[6, 6], &[6, 6], &[4, 6]];
    let mut maker = adjudicated_at_the_table().balls([&[2, 3], &[2, 3], &[2, 5], &[2, 3]]);
    maker = maker.balls(second);
    maker.amended(amends(1), Some(&[2, 2]), "the first ball went for two").log()
}

/// A seeded remote match of CubeRoots in which a ball is voided with the consent of both sides and bowled
/// again, the outcome of another is agreed on after the match is over, and a third correction lapses.
pub fn corrected_remote_match() -> Log {
    let home = |maker: LogMaker| maker.as_actor(Actor::Home);
    let mut maker = Setting::remote(1).seeded().joined().home_calls();
    let winner = maker.winner();
    maker = maker.calls_until_timeout(winner.other());
    maker = chosen_by_both(maker).over_bowled();
    maker = home(maker).voided_from(4, "the wrong cube").consents(Side::Away).over_bowled();
    maker = maker.as_actor(Actor::Away).disputed(2, "the cubes are loaded", Side::Away);
    maker =
        home(maker).amended(stands(3, json!({"runs": {"batter": 2}}), "as they said"), None, "a cube fell");
    maker = chosen_by_both(maker).over_bowled();
    let last = json!({"runs": {"batter": 1}, "wicket": null});
    maker = maker.as_actor(Actor::Scorer).amended(stands(1, last, "a slip"), None, "agreed on at last");
    maker.consents(Side::Home).consents(Side::Away).log()
}

fn chosen_by_both(maker: LogMaker) -> LogMaker {
    maker.chosen(Side::Home).chosen(Side::Away)
}

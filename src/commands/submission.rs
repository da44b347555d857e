use serde::Deserialize;
use utoipa::ToSchema;

use crate::commands::{Pass, Secrets, TokenRow};
use crate::dice::{ServerSeed, TableDice};
use crate::log::{Actor, CoinFace, Event, EventData, MatchId, Role, TokenRotated};
use crate::matches::corrections::{self, Agreement, Ask, as_asked};
use crate::matches::{Asking, Decision, Deed, Fixture, Hidden, Input, OpenReview, Part, Phase, Taken, Word};
use crate::rules::{Place, Refusal, Why};
use crate::scorebook::Side;

/// Something put into a match over the wire.
#[derive(Debug, Clone)]
pub struct Submission {
    /// The match.
    pub match_id: MatchId,
    /// On whose word.
    pub actor: Actor,
    /// The token that was shown; none by which the store knows whoever holds an invite or the admin's.
    pub pass: Option<Pass>,
    /// What.
    pub asked: Asked,
    /// The heads the client would have it appended to, as hashes; any where it does not say.
    pub if_match: Option<Vec<String>>,
    /// The key under which the answer is remembered.
    pub key: Option<Key>,
}

/// An idempotency key, and what was asked under it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// The key the client gave.
    pub key: String,
    /// SHA-256 of path and body.
    pub request: String,
}

/// What is asked.
#[derive(Debug, Clone)]
pub enum Asked {
    /// One input, with the dice that go with it.
    One(Input, Entered),
    /// The same; a decision that could be reviewed is accepted first.
    Onward(Input, Entered),
    /// Default choices and seeded dice until a point is reached.
    Autoplay(Until),
    /// What a side does that plays for itself.
    Part(Side, Part),
    /// A side takes its token, of which this is the hash.
    Claim(Side, String),
    /// A token takes the place of the one before: whose, and its hash.
    Rotate(Role, String),
    /// A correction.
    Correct(Ask),
    /// A side consents to a correction.
    Consent(u32),
    /// Something is said about the match.
    Say(Word),
}

/// What follows from what is asked: events, and what is stored beside the log.
#[derive(Debug, Default)]
pub struct Decided {
    /// The events, in order, and on whose word each is.
    pub events: Vec<(EventData, Actor)>,
    /// What is stored beside them and stays hidden.
    pub secrets: Secrets,
}

/// Dice entered with an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entered {
    /// None can go with it.
    Nothing,
    /// The coin, if it was entered.
    Coin(Option<CoinFace>),
    /// Dice, if any were entered.
    Dice(Option<Vec<i64>>),
}

/// How far autoplay goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Until {
    /// The next ball.
    Ball,
    /// The end of the over.
    Over,
    /// The end of the innings.
    Innings,
    /// The end of the match.
    Match,
}

impl Submission {
    /// Whether it may turn up choices that were made in secret.
    pub fn needs_openings(&self) -> bool {
        matches!(self.asked, Asked::Part(..))
    }

    /// Whether it may take back what is in the log.
    pub fn needs_log(&self, fixture: &Fixture) -> bool {
        match &self.asked {
            Asked::Correct(_) => true,
            Asked::Consent(number) => self.completes(fixture, *number).is_some(),
            Asked::One(..)
            | Asked::Onward(..)
            | Asked::Autoplay(_)
            | Asked::Part(..)
            | Asked::Claim(..)
            | Asked::Rotate(..)
            | Asked::Say(_) => false,
        }
    }

    /// What is corrected if this side consents as well.
    fn completes(&self, fixture: &Fixture, number: u32) -> Option<Ask> {
        let (proposed, consents) = fixture.proposed().filter(|(proposed, _)| proposed.number == number)?;
        consents[self.actor.side()?.other()].then(|| as_asked(proposed))
    }

    /// Whether it is decided again on a match that has moved on. A correction is of what whoever asks has seen.
    pub fn is_for_any_head(&self) -> bool {
        !matches!(self.asked, Asked::Correct(_))
    }

    /// Whether the answer says in what the card differs from what it was.
    pub fn tells_difference(&self) -> bool {
        matches!(self.asked, Asked::Correct(_) | Asked::Consent(_))
    }

    /// Decides on a match as it stands; `log` is its log, where that is needed.
    pub fn decide(&self, fixture: &Fixture, hidden: Hidden<'_>, log: &[Event]) -> Result<Decided, Refusal> {
        let on_my_word = |events: Vec<EventData>, secrets| Decided {
            events: events.into_iter().map(|event| (event, self.actor)).collect(),
            secrets,
        };
        let only = |events| on_my_word(events, Secrets::default());
        match &self.asked {
            Asked::One(input, entered) => {
                fixture.permit(self.actor, input, hidden.now)?;
                decide_one(fixture, input, entered, hidden.seed).map(only)
            }
            Asked::Onward(input, entered) => {
                let accepted = self.accept(fixture, hidden)?;
                let (mut events, now) = accepted.map_or((Vec::new(), None), |decision| {
                    let Decision { events, after } = decision;
                    (events, Some(after))
                });
                let now = now.as_ref().unwrap_or(fixture);
                now.permit(self.actor, input, hidden.now)?;
                events.extend(decide_one(now, input, entered, hidden.seed)?);
                Ok(only(events))
            }
            Asked::Autoplay(until) => {
                fixture.permit_deed(self.actor, Deed::Play, Asking::Now)?;
                fixture.permit_for_both(self.actor)?;
                autoplay(fixture, *until, hidden.seed).map(only)
            }
            Asked::Part(side, part) => {
                fixture.permit_deed(self.actor, Deed::OfASide, Asking::Now)?;
                if self.actor != Actor::from(*side) {
                    fixture.permit_for_both(self.actor)?;
                    if matches!(part, Part::CommitSeed { .. } | Part::ShowSeed { .. }) {
                        fixture.permit_seed(*side)?;
                    }
                }
                let Taken { events, keep } = fixture.take_part(*side, part, hidden)?;
                Ok(on_my_word(events, Secrets { opening: keep, ..Secrets::default() }))
            }
            Asked::Claim(side, hash) => {
                fixture.permit_deed(self.actor, Deed::Claim, Asking::Now)?;
                let Taken { events, .. } = fixture.take_part(*side, &Part::Claim, hidden)?;
                Ok(on_my_word(events, token(Role::from(*side), hash)))
            }
            Asked::Rotate(role, hash) => {
                fixture.permit_rotation(self.actor, *role)?;
                let events = vec![EventData::TokenRotated(TokenRotated { role: *role })];
                Ok(on_my_word(events, token(*role, hash)))
            }
            Asked::Correct(ask) => {
                let said =
                    corrections::decide(fixture, log, ask, self.actor, hidden.seed, Agreement::Needed)?.said;
                Ok(Decided { events: said, secrets: Secrets::default() })
            }
            Asked::Consent(number) => self.consent(fixture, *number, hidden, log),
            Asked::Say(word) => {
                fixture.permit_deed(self.actor, Deed::of_word(word), Asking::Now)?;
                let said = fixture.say(word)?;
                fixture.permit_word(self.actor, &said, Asking::Now)?;
                Ok(only(vec![said]))
            }
        }
    }
}

impl Submission {
    /// Accepts the decision on the last ball, where it can be reviewed.
    fn accept(&self, fixture: &Fixture, hidden: Hidden<'_>) -> Result<Option<Decision>, Refusal> {
        let Some(OpenReview { by, .. }) = fixture.open_review() else { return Ok(None) };
        let input = Input::Accept { by };
        fixture.permit(self.actor, &input, hidden.now)?;
        fixture.decide(input, &mut TableDice::new(&[]), hidden.seed).map(Some)
    }

    fn consent(
        &self,
        fixture: &Fixture,
        number: u32,
        hidden: Hidden<'_>,
        log: &[Event],
    ) -> Result<Decided, Refusal> {
        fixture.permit_deed(self.actor, Deed::Consent, Asking::Now)?;
        let side = self.actor.side().ok_or_else(|| Deed::Consent.refusal())?;
        let consented = fixture.consent(number, side)?;
        let mut events = vec![(consented, self.actor)];
        if let Some(ask) = self.completes(fixture, number) {
            events.extend(
                corrections::decide(fixture, log, &ask, self.actor, hidden.seed, Agreement::Given)?.said,
            );
        }
        Ok(Decided { events, secrets: Secrets::default() })
    }
}

fn token(role: Role, hash: &str) -> Secrets {
    let row = TokenRow { role, invite: false, hash: hash.to_owned() };
    Secrets { tokens: vec![row], ..Secrets::default() }
}

fn decide_one(
    fixture: &Fixture,
    input: &Input,
    entered: &Entered,
    seed: Option<&ServerSeed>,
) -> Result<Vec<EventData>, Refusal> {
    let values: Vec<i64> = match entered {
        Entered::Nothing => Vec::new(),
        Entered::Coin(coin) => coin.iter().map(|face| i64::from(face.as_die())).collect(),
        Entered::Dice(dice) => dice.clone().unwrap_or_default(),
    };
    let Some(seed) = seed else {
        let mut table = TableDice::new(&values);
        return fixture.decide(input.clone(), &mut table, None).map(|decision| decision.events);
    };
    if matches!(input, Input::AsStood(..)) {
        let message =
            "in a seeded match a ball is bowled first, and then amended to what the table agrees on";
        return Err(Refusal::new(Why::IllegalInput, Place::Field("as_stood".to_owned()), message));
    }
    let decided = fixture.decide(input.clone(), &mut fixture.dice(seed), Some(seed));
    let is_due = !matches!(&decided, Err(refusal) if refusal.is_of_time());
    if is_due && !values.is_empty() {
        let field = if matches!(entered, Entered::Coin(_)) { "coin" } else { "dice" };
        let message = format!("the dice of this match come from its seed; leave {field} out");
        return Err(Refusal::new(Why::IllegalInput, Place::Field(field.to_owned()), message));
    }
    decided.map(|decision| decision.events)
}

fn autoplay(fixture: &Fixture, until: Until, seed: Option<&ServerSeed>) -> Result<Vec<EventData>, Refusal> {
    let Some(seed) = seed else {
        let message = "autoplay rolls the dice, and the dice of this match are rolled at the table";
        return Err(Refusal::new(Why::IllegalInput, Place::Input, message));
    };
    let mut dice = fixture.dice(seed);
    let mut events = Vec::new();
    let mut now = fixture.clone();
    let mut begun_at = None;
    loop {
        let decision = now.decide(now.default_input(), &mut dice, Some(seed))?;
        let bowled = decision.events.iter().any(|event| matches!(event, EventData::Ball(_)));
        let place = now.place();
        events.extend(decision.events);
        now = decision.after;
        if bowled {
            begun_at.get_or_insert(place);
        }
        // A ball that can be reviewed is accepted before it is done with.
        let settled = now.open_review().is_none();
        if begun_at.is_some_and(|begun| settled && is_reached(until, begun, &now)) {
            return Ok(events);
        }
    }
}

fn is_reached(until: Until, (innings, over): (u16, u16), now: &Fixture) -> bool {
    let done = matches!(now.phase(), Phase::Completed(_) | Phase::Abandoned);
    done || match until {
        Until::Ball => true,
        Until::Over => now.place() != (innings, over),
        Until::Innings => now.place().0 != innings,
        Until::Match => false,
    }
}

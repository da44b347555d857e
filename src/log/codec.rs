//! The codec of events: writes them in canonical form, and reads that form without a JSON tree. It exists for
//! speed; serde and [`canonical`](super::canonical()) give equal bytes, which tests compare.

use std::borrow::Cow;

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::canonical::{self, LARGEST, by_utf16};
use super::event::{KIND_KEY, at_format, read_match_id};
use super::{
    Actor, AgreedOutcome, AgreementNote, Amendment, Ball, Cascade, Choice, ChoiceCalled, ChoiceOpened,
    ClientSeeds, CoinFace, Correction, CorrectionConsented, CorrectionProposed, DiceMode, Dispute,
    DisputeFinding, DisputeRuled, DrawRecord, EditionRecord, Event, EventData, MatchAbandoned,
    MatchCompleted, MatchCreated, MatchId, NotCanonical, Over, Reveal, Review, ReviewAccepted, ReviewVerdict,
    Reviewed, Role, Roll, SCHEMA_VERSION, SeedCommitted, SeedContributed, SeedSource, SetUp, SideClaimed,
    TokenRotated, Toss, TossChoice, TossDecided,
};
use crate::dice::{Die, Seeds};
use crate::scorebook::{
    ExtrasRecord, Margin, MatchResult, Method, Outcome, RunsRecord, Side, WicketKind, WicketRecord,
};

/// A value of an event, which has exactly one form in a log: the canonical one.
pub(super) trait Canonical: Sized {
    /// Writes the value in canonical form.
    fn write(&self, out: &mut String) -> Result<(), NotCanonical>;

    /// Reads the value in canonical form. `None` is no verdict: strings with escapes are not read here
    /// either. Then [`Event`]s are read by way of a [`Value`], which is slower and says what is wrong.
    fn read(text: &mut Cursor<'_>) -> Option<Self>;
}

/// A text, from the position up to which it has been read.
pub(super) struct Cursor<'a>(&'a str);

impl<'a> Cursor<'a> {
    pub(super) fn take(&mut self, what: &str) -> Option<()> {
        self.0 = self.0.strip_prefix(what)?;
        Some(())
    }

    /// Takes the key of a member, after a comma unless it is the first. Takes nothing when another member
    /// comes next.
    fn key(&mut self, begun: &mut bool, key: &str) -> Option<()> {
        let from = if *begun { self.0.strip_prefix(',')? } else { self.0 };
        self.0 = from.strip_prefix(key)?;
        *begun = true;
        Some(())
    }

    fn string(&mut self) -> Option<&'a str> {
        let from = self.0.strip_prefix('"')?;
        let end = from.bytes().position(|byte| byte < 0x20 || byte == b'"' || byte == b'\\')?;
        let (string, rest) = from.split_at(end);
        self.0 = rest.strip_prefix('"')?;
        Some(string)
    }

    fn integer(&mut self) -> Option<u64> {
        let end = self.0.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(self.0.len());
        let (digits, rest) = self.0.split_at(end);
        let number = digits.parse().ok().filter(|&number| number <= LARGEST)?;
        if digits.len() > 1 && digits.starts_with('0') {
            return None;
        }
        self.0 = rest;
        Some(number)
    }

    /// Reads a value without a fixed shape, such as choices: objects and arrays of strings and numbers,
    /// nested only a few levels.
    fn value(&mut self, depth: u8) -> Option<Value> {
        match self.0.as_bytes().first()? {
            b'"' => Some(Value::from(self.string()?)),
            b'-' => {
                self.take("-")?;
                let number = self.integer().filter(|&number| number > 0)?;
                Some(Value::from(-i64::try_from(number).ok()?))
            }
            b't' | b'f' => bool::read(self).map(Value::Bool),
            b'n' => self.take("null").map(|()| Value::Null),
            b'0'..=b'9' => Some(Value::from(self.integer()?)),
            b'{' => self.members(depth).map(Value::Object),
            b'[' => self.items(|text| text.value(depth.checked_sub(1)?)).map(Value::Array),
            _ => None,
        }
    }

    fn members(&mut self, depth: u8) -> Option<Map<String, Value>> {
        let mut members = Map::new();
        let mut last = None;
        self.take("{")?;
        while self.take("}").is_none() {
            if last.is_some() {
                self.take(",")?;
            }
            let key = self.string()?;
            // A key that begins with `$` may be one of serde_json's own; see `plain_json`.
            if key.starts_with('$') || last.is_some_and(|last| by_utf16(last, key).is_ge()) {
                return None;
            }
            self.take(":")?;
            members.insert(key.to_owned(), self.value(depth.checked_sub(1)?)?);
            last = Some(key);
        }
        Some(members)
    }

    fn items<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        self.take("[")?;
        let mut items = Vec::new();
        while self.take("]").is_none() {
            if !items.is_empty() {
                self.take(",")?;
            }
            items.push(item(self)?);
        }
        Some(items)
    }
}

/// The body of an event: its canonical form without the hash.
pub(super) fn body(event: &Event) -> Result<String, NotCanonical> {
    let mut out = String::with_capacity(1024);
    out.push_str("{\"actor\":");
    event.actor.write(&mut out)?;
    out.push_str(",\"at\":");
    event.at.write(&mut out)?;
    out.push_str(",\"data\":");
    event.data.write(&mut out)?;
    out.push_str(KIND_KEY);
    out.push_str(event.data.kind());
    out.push_str("\",\"match\":");
    event.match_id.write(&mut out)?;
    out.push_str(",\"prev\":");
    event.prev.write(&mut out)?;
    out.push_str(",\"seq\":");
    event.seq.write(&mut out)?;
    out.push_str(",\"v\":");
    event.v.write(&mut out)?;
    out.push('}');
    Ok(out)
}

/// Reads an event in canonical form, with or without its hash.
pub(super) fn read(text: &str) -> Option<(Event, Option<String>)> {
    // The kind comes after the data, and says which form the data has.
    let kind = &text[text.rfind(KIND_KEY)? + KIND_KEY.len()..];
    let kind = &kind[..kind.find('"')?];
    let mut text = Cursor(text);
    text.take("{\"actor\":")?;
    let actor = Actor::read(&mut text)?;
    text.take(",\"at\":")?;
    let at = DateTime::read(&mut text)?;
    text.take(",\"data\":")?;
    let data = EventData::read_canonical(kind, &mut text)?;
    let hash = match text.take(",\"hash\":") {
        Some(()) => Some(String::read(&mut text)?),
        None => None,
    };
    text.take(KIND_KEY)?;
    text.take(kind)?;
    text.take("\",\"match\":")?;
    let match_id = MatchId::read(&mut text)?;
    text.take(",\"prev\":")?;
    let prev = String::read(&mut text)?;
    text.take(",\"seq\":")?;
    let seq = u64::read(&mut text)?;
    text.take(",\"v\":")?;
    let v = u32::read(&mut text).filter(|&v| v == SCHEMA_VERSION)?;
    (text.0 == "}").then(|| (Event { match_id, seq, at, actor, data, v, prev, hash: String::new() }, hash))
}

impl Canonical for bool {
    fn write(&self, out: &mut String) -> Result<(), NotCanonical> {
        out.push_str(if *self { "true" } else { "false" });
        Ok(())
    }

    fn read(text: &mut Cursor<'_>) -> Option<bool> {
        if text.take("true").is_some() { Some(true) } else { text.take("false").map(|()| false) }
    }
}

macro_rules! integers {
    ($($Integer:ty),+) => {
        $(impl Canonical for $Integer {
            fn write(&self, out: &mut String) -> Result<(), NotCanonical> {
                let digits = self.to_string();
                if u64::from(*self) > LARGEST {
                    return Err(NotCanonical::TooLarge(digits));
                }
                out.push_str(&digits);
                Ok(())
            }

            fn read(text: &mut Cursor<'_>) -> Option<$Integer> {
                text.integer()?.try_into().ok()
            }
        })+
    };
}

integers!(u8, u16, u32, u64);

impl Canonical for String {
    fn write(&self, out: &mut String) -> Result<(), NotCanonical> {
        canonical::write_string(self, out);
        Ok(())
    }

    fn read(text: &mut Cursor<'_>) -> Option<String> {
        text.string().map(str::to_owned)
    }
}

impl Canonical for Cow<'static, str> {
    fn write(&self, out: &mut String) -> Result<(), NotCanonical> {
        canonical::write_string(self, out);
        Ok(())
    }

    fn read(text: &mut Cursor<'_>) -> Option<Cow<'static, str>> {
        String::read(text).map(Cow::Owned)
    }
}

impl Canonical for DateTime<Utc> {
    fn write(&self, out: &mut String) -> Result<(), NotCanonical> {
        canonical::write_string(&at_format::write(self), out);
        Ok(())
    }

    fn read(text: &mut Cursor<'_>) -> Option<DateTime<Utc>> {
        at_format::read(text.string()?)
    }
}

impl Canonical for Uuid {
    fn write(&self, out: &mut String) -> Result<(), NotCanonical> {
        canonical::write_string(self.hyphenated().encode_lower(&mut Uuid::encode_buffer()), out);
        Ok(())
    }

    fn read(text: &mut Cursor<'_>) -> Option<Uuid> {
        read_match_id(text.string()?)
    }
}

impl<T: Canonical> Canonical for Box<T> {
    fn write(&self, out: &mut String) -> Result<(), NotCanonical> {
        T::write(self, out)
    }

    fn read(text: &mut Cursor<'_>) -> Option<Box<T>> {
        T::read(text).map(Box::new)
    }
}

impl<T: Canonical> Canonical for Option<T> {
    fn write(&self, out: &mut String) -> Result<(), NotCanonical> {
        match self {
            Some(value) => value.write(out),
            None => {
                out.push_str("null");
                Ok(())
            }
        }
    }

    fn read(text: &mut Cursor<'_>) -> Option<Option<T>> {
        if text.take("null").is_some() { Some(None) } else { T::read(text).map(Some) }
    }
}

impl<T: Canonical> Canonical for Vec<T> {
    fn write(&self, out: &mut String) -> Result<(), NotCanonical> {
        out.push('[');
        for (i, item) in self.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            item.write(out)?;
        }
        out.push(']');
        Ok(())
    }

    fn read(text: &mut Cursor<'_>) -> Option<Vec<T>> {
        text.items(T::read)
    }
}

impl Canonical for Map<String, Value> {
    fn write(&self, out: &mut String) -> Result<(), NotCanonical> {
        canonical::write_members(self, out)
    }

    fn read(text: &mut Cursor<'_>) -> Option<Map<String, Value>> {
        const DEEPEST: u8 = 8;
        text.members(DEEPEST)
    }
}

impl Canonical for Review {
    fn write(&self, out: &mut String) -> Result<(), NotCanonical> {
        match self {
            Review::Accepted(accepted) => accepted.write(out),
            Review::Made(reviewed) => reviewed.write(out),
        }
    }

    fn read(text: &mut Cursor<'_>) -> Option<Review> {
        if text.0.starts_with("{\"accepted\":") {
            return ReviewAccepted::read(text).filter(|review| review.accepted).map(Review::Accepted);
        }
        Canonical::read(text).map(Review::Made)
    }
}

/// Implements [`Canonical`] for enums as words.
macro_rules! words {
    ($($Type:ident { $($Variant:ident $word:literal),+ })+) => {
        $(impl Canonical for $Type {
            fn write(&self, out: &mut String) -> Result<(), NotCanonical> {
                out.push_str(match self { $($Type::$Variant => concat!("\"", $word, "\"")),+ });
                Ok(())
            }

            fn read(text: &mut Cursor<'_>) -> Option<$Type> {
                match text.string()? {
                    $($word => Some($Type::$Variant),)+
                    _ => None,
                }
            }
        })+
    };
}

words! {
    Actor { Scorer "scorer", Home "home", Away "away", Umpire "umpire", Admin "admin", Service "service" }
    Side { Home "home", Away "away" }
    Role { Scorer "scorer", Home "home", Away "away", Umpire "umpire" }
    Cascade { Refuse "refuse", VoidRest "void_rest" }
    DisputeFinding { Stands "stands", Amended "amended", AsStood "as_stood" }
    DiceMode { Seeded "seeded", Table "table" }
    SeedSource { Os "os", Creator "creator" }
    ClientSeeds { None "none", Both "both" }
    CoinFace { Heads "heads", Tails "tails" }
    ReviewVerdict { Upheld "upheld", StruckDown "struck_down" }
    TossChoice { Bat "bat", Bowl "bowl" }
    WicketKind {
        Bowled "bowled", Caught "caught", CaughtAndBowled "caught and bowled", Lbw "lbw", Stumped "stumped",
        RunOut "run out"
    }
    Method {
        Runs "runs", Wickets "wickets", Innings "innings", Tie "tie", LevelFirstSide "level_first_side"
    }
}

/// Implements [`Canonical`] for structs as objects: members in canonical order, some of them left out when
/// they have the value after `or`.
macro_rules! objects {
    ($($Type:ident { $($key:literal $field:ident $(or $left_out:expr)?),+ })+) => {
        $(impl Canonical for $Type {
            fn write(&self, out: &mut String) -> Result<(), NotCanonical> {
                let $Type { $($field),+ } = self;
                let begin = out.len();
                $(if true $(&& *$field != $left_out)? {
                    out.push(if out.len() == begin { '{' } else { ',' });
                    out.push_str(concat!("\"", $key, "\":"));
                    $field.write(out)?;
                })+
                out.push_str(if out.len() == begin { "{}" } else { "}" });
                Ok(())
            }

            fn read(text: &mut Cursor<'_>) -> Option<$Type> {
                text.take("{")?;
                let mut begun = false;
                $(let $field = match text.key(&mut begun, concat!("\"", $key, "\":")) {
                    Some(()) => Canonical::read(text)$(.filter(|read| *read != $left_out))??,
                    None => objects!(@absent $($left_out)?),
                };)+
                text.take("}")?;
                Some($Type { $($field),+ })
            }
        })+
    };
    (@absent $left_out:expr) => { $left_out };
    (@absent) => { return None };
}

objects! {
    MatchCreated {
        "away" away, "choice_timeout" choice_timeout, "client_seeds" client_seeds, "commitment" commitment,
        "dice" dice, "dice_spec" dice_spec, "edition" edition, "game" game, "home" home, "remote" remote,
        "rules" rules, "seed_source" seed_source
    }
    EditionRecord { "id" id, "sha256" sha256 }
    Toss { "call" call, "caller" caller, "coin" coin, "winner" winner }
    TossDecided { "by" by, "draw" draw or None, "to" to }
    SetUp { "choices" choices, "dice" dice }
    Roll {
        "choices" choices, "delivery" delivery, "dice" dice, "reveals" reveals or Vec::<Reveal>::new()
    }
    ReviewAccepted { "accepted" accepted, "by" by, "delivery" delivery }
    Reviewed {
        "by" by, "delivery" delivery, "dice" dice, "outcome" outcome, "retained" retained, "rulings" rulings,
        "seed" seed, "umpires_call" umpires_call, "verdict" verdict
    }
    Over {
        "choices" choices, "dice" dice, "innings" innings, "over" over, "reveals" reveals or Vec::<Reveal>::new()
    }
    Reveal { "choice" choice, "draw" draw or None, "for" what, "salt" salt or None, "side" side }
    SideClaimed { "side" side }
    TokenRotated { "role" role }
    SeedCommitted { "hash" hash, "side" side }
    SeedContributed { "client_seed" client_seed, "side" side }
    Choice {
        "ball" ball or None, "choice" choice or None, "for" what, "innings" innings, "over" over,
        "sealed" sealed or None, "side" side
    }
    ChoiceOpened { "ball" ball or None, "for" what, "innings" innings, "over" over, "side" side }
    ChoiceCalled { "by" by, "for" what, "on" on, "until" until }
    Correction {
        "amends" amends or None, "dice_seen" dice_seen, "reason" reason, "voids_from" voids_from or None,
        "voids_from_seq" voids_from_seq
    }
    CorrectionProposed {
        "amendment" amendment or None, "by" by or None, "number" number, "reason" reason, "voids_from" voids_from or None,
        "voids_from_seq" voids_from_seq
    }
    Amendment {
        "amends" amends, "as_stood" as_stood or None, "cascade" cascade, "choices" choices or None,
        "over" over or None
    }
    AgreedOutcome { "outcome" outcome, "reason" reason }
    AgreementNote { "by_rules" by_rules, "reason" reason }
    CorrectionConsented { "number" number, "side" side }
    Dispute { "by" by, "claim" claim, "delivery" delivery, "number" number }
    DisputeRuled { "finding" finding, "number" number, "ruling" ruling }
    Ball {
        "as_stood" as_stood or None, "ball" ball, "choices" choices, "delivery" delivery, "dice" dice, "innings" innings, "outcome" outcome,
        "over" over, "seed" seed
    }
    DrawRecord { "domain" domain, "ordinal" ordinal }
    Die { "for" what, "sides" sides, "value" value }
    Outcome {
        "boundary" boundary, "bowler" bowler, "detail" detail, "extras" extras, "legal" legal,
        "non_striker" non_striker, "rulings" rulings, "runs" runs, "striker" striker, "wicket" wicket
    }
    RunsRecord { "batter" batter, "extras" extras, "total" total }
    ExtrasRecord {
        "byes" byes or 0, "leg_byes" leg_byes or 0, "no_balls" no_balls or 0, "penalty" penalty or 0,
        "wides" wides or 0
    }
    WicketRecord { "bowler" bowler, "fielders" fielders, "kind" kind, "player_out" player_out }
    MatchCompleted { "result" result, "seeds" seeds or None }
    MatchAbandoned { "reason" reason, "seeds" seeds or None }
    MatchResult { "margin" margin, "method" method, "winner" winner }
    Margin { "runs" runs or None, "wickets" wickets or None }
    Seeds { "client_seeds" client_seeds, "match_seed" match_seed, "server_seed" server_seed }
}

#[cfg(test)]
mod tests;

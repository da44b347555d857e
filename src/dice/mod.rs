//! Dice specification v1: how a seed becomes dice, so that any language can check them.
//!
//! A *draw* is a domain and an ordinal; its bytes are one 64-byte ChaCha20 block under the match seed, the domain
//! being the nonce and the ordinal the block number. Any draw can be computed alone. Players who roll by hand use
//! [`TableDice`], a replay uses [`RecordedDice`]; games see only the trait [`Dice`].

use std::borrow::Cow;
use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

/// The version of the dice specification, as written in `match_created`.
pub const DICE_SPEC: u8 = 1;

/// What the die of the toss is for: two sides, 1 heads and 2 tails.
pub const COIN: &str = "coin";

/// What a draw is for; the number is the nonce of its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub enum Domain {
    /// The coin.
    Toss = 1,
    /// Preparation before the toss.
    SetUp = 2,
    /// An over.
    Over = 3,
    /// A ball.
    Ball = 4,
    /// A review.
    Review = 5,
    /// A choice for one who stays silent about an over.
    SilentOver = 6,
    /// A choice for one who stays silent about a ball.
    SilentBall = 7,
}

/// One draw: dice that are rolled together and can be computed alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draw {
    /// What it is for.
    pub domain: Domain,
    /// Which one of its kind.
    pub ordinal: u64,
}

impl Draw {
    /// The draw of the toss.
    pub const TOSS: Draw = Draw { domain: Domain::Toss, ordinal: 0 };

    /// The draw of what is prepared before the toss.
    pub const SET_UP: Draw = Draw { domain: Domain::SetUp, ordinal: 0 };

    /// The draw of an over; innings and overs count from 1.
    pub const fn over(innings: u16, over: u16) -> Draw {
        Draw { domain: Domain::Over, ordinal: innings as u64 * 65_536 + over as u64 }
    }

    /// The draw of a choice for one who stays silent about an over; about what comes before the first, both are 0.
    pub const fn silent(innings: u16, over: u16) -> Draw {
        Draw { domain: Domain::SilentOver, ordinal: Draw::over(innings, over).ordinal }
    }

    /// The draw of a ball, by its number in the match, from 1.
    pub const fn ball(delivery: u32) -> Draw {
        Draw { domain: Domain::Ball, ordinal: delivery as u64 }
    }

    /// The draw of the review of a ball, by the ball's number in the match.
    pub const fn review(delivery: u32) -> Draw {
        Draw { domain: Domain::Review, ordinal: delivery as u64 }
    }

    /// The draw of a choice for one who stays silent about a ball, by the ball's number in the match.
    pub const fn silent_ball(delivery: u32) -> Draw {
        Draw { domain: Domain::SilentBall, ordinal: delivery as u64 }
    }
}

/// A die as the log has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Die {
    /// What it was rolled for, in the game's words.
    #[serde(rename = "for")]
    #[schema(value_type = String)]
    pub what: Cow<'static, str>,
    /// How many sides it has: 2 to 256.
    pub sides: u16,
    /// What it showed: 1 to `sides`.
    pub value: u16,
}

/// What one draw dealt, one deal after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deals {
    /// The draw.
    pub draw: Draw,
    /// Each deal: what there was, in the order before, and what was taken from the top once it was shuffled.
    pub each: Vec<(Vec<u8>, Vec<u8>)>,
}

/// What was wrong with dice that were entered or recorded. `at` counts the ball's dice from 0.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DiceFault {
    /// The next die is not there.
    #[error("the {what} die (1 to {sides}) is missing")]
    Missing {
        /// Which die.
        at: usize,
        /// What it is for.
        what: &'static str,
        /// Its sides.
        sides: u16,
    },
    /// No such face.
    #[error("the {what} die has {sides} sides and cannot show {found}")]
    Impossible {
        /// Which die.
        at: usize,
        /// What it is for.
        what: &'static str,
        /// Its sides.
        sides: u16,
        /// What was entered.
        found: i64,
    },
    /// More dice than were rolled.
    #[error("{given} dice are given, but only {used} are rolled")]
    TooMany {
        /// How many are rolled.
        used: usize,
        /// How many are given.
        given: usize,
    },
    /// A recorded die was rolled for something else.
    #[error("a {sides}-sided die for {what} is due here, not a {}-sided one for {}", .found.sides, .found.what)]
    Misplaced {
        /// Which die.
        at: usize,
        /// What is due.
        what: &'static str,
        /// Its sides.
        sides: u16,
        /// What is recorded.
        found: Die,
    },
    /// Things that were dealt which were not there to be dealt, or not so many as are.
    #[error("{take} different ones of the {there} that are left are dealt; these are not")]
    Misdealt {
        /// How many are dealt.
        take: usize,
        /// How many there are.
        there: usize,
    },
    /// At a table nothing is dealt by the service.
    #[error("at a table the service deals nothing")]
    NotDealt,
}

/// Where a game's dice come from.
pub trait Dice {
    /// Begins a draw; what was left of the one before is never used.
    fn begin(&mut self, draw: Draw);

    /// The next die of the draw: 1 to `sides` (2 to 256).
    fn roll(&mut self, what: &'static str, sides: u16) -> Result<u16, DiceFault>;

    /// Whether they are those of a log, which can be looked at before they are rolled.
    fn are_recorded(&self) -> bool {
        false
    }

    /// Shuffles up to 256 things with the draw, and gives the first `take` of them.
    fn deal(&mut self, from: &[u8], take: usize) -> Result<Vec<u8>, DiceFault>;

    /// Ends the draw; refuses dice that were given but not rolled.
    fn end(&mut self) -> Result<(), DiceFault>;
}

/// The secret a match's dice come from: 32 bytes, never shown before the match is over.
#[derive(Clone, PartialEq, Eq)]
pub struct ServerSeed([u8; 32]);

/// The key of a match's dice: HMAC-SHA-256 of the client seeds under the server seed.
#[derive(Clone, PartialEq, Eq)]
pub struct MatchSeed([u8; 32]);

impl fmt::Debug for ServerSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ServerSeed(hidden)")
    }
}

impl fmt::Debug for MatchSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MatchSeed(hidden)")
    }
}

/// A seed that is not 64 hexadecimal digits. The message does not repeat it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a seed is 64 hexadecimal digits (32 bytes)")]
pub struct NotASeed;

impl ServerSeed {
    /// 32 bytes from the operating system.
    pub fn from_os() -> Result<ServerSeed, getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(ServerSeed(bytes))
    }

    /// Reads 64 hexadecimal digits, of either case.
    pub fn from_hex(text: &str) -> Result<ServerSeed, NotASeed> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).map_err(|_| NotASeed)?;
        Ok(ServerSeed(bytes))
    }

    /// Writes the seed out: for the store of secrets, and for the log once the match is over.
    pub fn reveal(&self) -> String {
        hex::encode(self.0)
    }

    /// What is published before the first ball: SHA-256 of the seed, in hexadecimal.
    pub fn commitment(&self) -> String {
        hex::encode(Sha256::digest(self.0))
    }

    /// The match seed; client seeds in order, home then away, those given.
    pub fn match_seed(&self, client_seeds: &[String]) -> MatchSeed {
        let message = serde_json::Value::from(client_seeds).to_string();
        let mac = keyed(&self.0).chain_update(message.as_bytes());
        MatchSeed(mac.finalize().into_bytes().into())
    }
}

/// The server seeds of many matches, all from one seed.
#[derive(Clone)]
pub struct SeedSeries(Hmac<Sha256>);

impl SeedSeries {
    /// The series of a seed.
    pub fn new(seed: &ServerSeed) -> SeedSeries {
        SeedSeries(keyed(&seed.0))
    }

    /// The server seed of match `k`: HMAC-SHA-256 of `k`, written in decimal, under the seed of the series.
    pub fn server_seed(&self, k: u64) -> ServerSeed {
        let message = k.to_string();
        ServerSeed(self.0.clone().chain_update(message.as_bytes()).finalize().into_bytes().into())
    }
}

fn keyed(key: &[u8; 32]) -> Hmac<Sha256> {
    match Hmac::new_from_slice(key) {
        Ok(keyed) => keyed,
        Err(_) => unreachable!("HMAC takes a key of any length"),
    }
}

/// The seeds of a match, opened when it is completed or abandoned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Seeds {
    /// 64 hexadecimal digits.
    pub server_seed: String,
    /// Home's and away's, or none.
    pub client_seeds: Vec<String>,
    /// 64 hexadecimal digits, derived from the others.
    pub match_seed: String,
}

impl Seeds {
    /// Opens a server seed.
    pub fn open(server_seed: &ServerSeed, client_seeds: &[String]) -> Seeds {
        Seeds {
            server_seed: server_seed.reveal(),
            client_seeds: client_seeds.to_vec(),
            match_seed: hex::encode(server_seed.match_seed(client_seeds).0),
        }
    }
}

const BLOCK: usize = 64;
/// `rand_chacha` makes four blocks at a time, and consecutive balls are consecutive blocks.
const WINDOW: u64 = 4;
const SPARE_DOMAIN: u64 = 256;

/// Dice from a seed.
pub struct SeededDice {
    stream: ChaCha20Rng,
    /// The domain and the ordinal of the draw.
    domain: u64,
    ordinal: u64,
    /// The blocks `first..first + WINDOW` of the domain, which are those before the stream's place; or, where `first`
    /// is `None`, a spare block.
    window: [u8; BLOCK * WINDOW as usize],
    first: Option<u64>,
    /// What is left of the draw's bytes, as places in the window.
    next: usize,
    end: usize,
}

impl SeededDice {
    /// Dice under a match seed. A draw has to be begun before the first roll.
    pub fn new(seed: &MatchSeed) -> SeededDice {
        SeededDice {
            stream: ChaCha20Rng::from_seed(seed.0),
            domain: 0,
            ordinal: 0,
            window: [0; BLOCK * WINDOW as usize],
            first: None,
            next: 0,
            end: 0,
        }
    }

    fn seek(&mut self, domain: u64, ordinal: u64) {
        self.stream.set_stream(domain);
        self.stream.set_word_pos(16 * u128::from(ordinal));
    }

    /// Moves the window on so that it begins with a draw.
    fn slide(&mut self, domain: u64, ordinal: u64) {
        let follows = |first: u64| first.checked_add(WINDOW) == Some(ordinal);
        if self.domain != domain || !self.first.is_some_and(follows) {
            self.seek(domain, ordinal);
        }
        self.stream.fill_bytes(&mut self.window);
        self.first = Some(ordinal);
    }

    /// The draw's bytes have run out: those of the same number in the spare domain follow.
    #[cold]
    fn open_spare(&mut self) {
        self.domain += SPARE_DOMAIN;
        self.seek(self.domain, self.ordinal);
        self.stream.fill_bytes(&mut self.window[..BLOCK]);
        self.first = None;
        (self.next, self.end) = (0, BLOCK);
    }

    #[inline]
    fn next_byte(&mut self) -> u8 {
        if self.next == self.end {
            self.open_spare();
        }
        let byte = self.window[self.next];
        self.next += 1;
        byte
    }

    /// The next die: 1 to `sides`. A byte that would favour the low faces is passed over.
    ///
    /// # Panics
    /// Where a die has fewer than 2 or more than 256 sides: there is no such die.
    #[inline]
    pub fn die(&mut self, sides: u16) -> u16 {
        assert!((2..=256).contains(&sides), "a die has 2 to 256 sides");
        let fair = 256 - 256 % sides;
        loop {
            let byte = u16::from(self.next_byte());
            if byte < fair {
                return byte % sides + 1;
            }
        }
    }

    /// Shuffles up to 256 things in place.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for i in (1..things.len()).rev() {
            let j = self.die(i as u16 + 1) - 1;
            things.swap(i, usize::from(j));
        }
    }
}

impl Dice for SeededDice {
    #[inline]
    fn begin(&mut self, draw: Draw) {
        let domain = draw.domain as u64;
        let within = |first: u64| draw.ordinal.wrapping_sub(first) < WINDOW;
        if self.domain != domain || !self.first.is_some_and(within) {
            self.slide(domain, draw.ordinal);
        }
        (self.domain, self.ordinal) = (domain, draw.ordinal);
        self.next = BLOCK * (draw.ordinal - self.first.unwrap_or(draw.ordinal)) as usize;
        self.end = self.next + BLOCK;
    }

    #[inline]
    fn roll(&mut self, _what: &'static str, sides: u16) -> Result<u16, DiceFault> {
        Ok(self.die(sides))
    }

    fn deal(&mut self, from: &[u8], take: usize) -> Result<Vec<u8>, DiceFault> {
        let mut shuffled = from.to_vec();
        self.shuffle(&mut shuffled);
        shuffled.truncate(take);
        Ok(shuffled)
    }

    #[inline]
    fn end(&mut self) -> Result<(), DiceFault> {
        Ok(())
    }
}

/// Dice rolled by hand, as entered, in the order rolled.
pub struct TableDice<'a> {
    values: &'a [i64],
    used: usize,
}

impl<'a> TableDice<'a> {
    /// Whatever was typed; each value is checked when its die is due.
    pub fn new(values: &'a [i64]) -> TableDice<'a> {
        TableDice { values, used: 0 }
    }
}

impl Dice for TableDice<'_> {
    fn begin(&mut self, _draw: Draw) {}

    fn roll(&mut self, what: &'static str, sides: u16) -> Result<u16, DiceFault> {
        let at = self.used;
        let found = *self.values.get(at).ok_or(DiceFault::Missing { at, what, sides })?;
        self.used += 1;
        match u16::try_from(found) {
            Ok(value) if (1..=sides).contains(&value) => Ok(value),
            _ => Err(DiceFault::Impossible { at, what, sides, found }),
        }
    }

    fn deal(&mut self, _from: &[u8], _take: usize) -> Result<Vec<u8>, DiceFault> {
        Err(DiceFault::NotDealt)
    }

    fn end(&mut self) -> Result<(), DiceFault> {
        none_left(self.used, self.values.len())
    }
}

/// Dice as a log has them, and what was dealt.
pub struct RecordedDice<'a> {
    dice: &'a [Die],
    used: usize,
    draw: Draw,
    to_deal: Vec<(Draw, Vec<u8>)>,
    /// What was dealt so far, draw by draw: whether the seed deals the same is to be seen once it is open.
    pub deals: Vec<Deals>,
    begun: bool,
}

impl<'a> RecordedDice<'a> {
    /// The dice of one event.
    pub fn new(dice: &'a [Die]) -> RecordedDice<'a> {
        RecordedDice::dealing(dice, Vec::new())
    }

    /// The dice of one event, and what is dealt in it by which draw.
    pub fn dealing(dice: &'a [Die], to_deal: Vec<(Draw, Vec<u8>)>) -> RecordedDice<'a> {
        RecordedDice { dice, used: 0, draw: Draw::TOSS, to_deal, deals: Vec::new(), begun: true }
    }
}

impl Dice for RecordedDice<'_> {
    fn are_recorded(&self) -> bool {
        true
    }

    fn begin(&mut self, draw: Draw) {
        self.draw = draw;
        self.begun = true;
    }

    fn roll(&mut self, what: &'static str, sides: u16) -> Result<u16, DiceFault> {
        let at = self.used;
        let die = self.dice.get(at).ok_or(DiceFault::Missing { at, what, sides })?;
        self.used += 1;
        if die.what != what || die.sides != sides {
            return Err(DiceFault::Misplaced { at, what, sides, found: die.clone() });
        }
        if !(1..=sides).contains(&die.value) {
            return Err(DiceFault::Impossible { at, what, sides, found: i64::from(die.value) });
        }
        Ok(die.value)
    }

    fn deal(&mut self, from: &[u8], take: usize) -> Result<Vec<u8>, DiceFault> {
        if std::mem::take(&mut self.begun) {
            self.deals.push(Deals { draw: self.draw, each: Vec::new() });
        }
        let before = self.deals.last().map_or(0, |deals| deals.each.len());
        let of_this_draw = self.to_deal.iter().filter(|(draw, _)| *draw == self.draw).nth(before);
        let dealt = of_this_draw.map(|(_, dealt)| dealt.clone()).unwrap_or_default();
        let one_of_them = |(i, thing): (usize, &u8)| from.contains(thing) && !dealt[..i].contains(thing);
        if dealt.len() != take || !dealt.iter().enumerate().all(one_of_them) {
            return Err(DiceFault::Misdealt { take, there: from.len() });
        }
        if let Some(deals) = self.deals.last_mut() {
            deals.each.push((from.to_vec(), dealt.clone()));
        }
        Ok(dealt)
    }

    fn end(&mut self) -> Result<(), DiceFault> {
        none_left(self.used, self.dice.len())
    }
}

/// Passes rolls on to other dice and notes them down for the log.
pub struct NotedDice<'a> {
    dice: &'a mut dyn Dice,
    /// The dice rolled so far, in order.
    pub rolled: Vec<Die>,
}

impl<'a> NotedDice<'a> {
    /// Notes what is rolled with `dice`.
    pub fn new(dice: &'a mut dyn Dice) -> NotedDice<'a> {
        NotedDice { dice, rolled: Vec::new() }
    }
}

impl Dice for NotedDice<'_> {
    fn are_recorded(&self) -> bool {
        self.dice.are_recorded()
    }

    fn begin(&mut self, draw: Draw) {
        self.dice.begin(draw);
    }

    fn roll(&mut self, what: &'static str, sides: u16) -> Result<u16, DiceFault> {
        let value = self.dice.roll(what, sides)?;
        self.rolled.push(Die { what: Cow::Borrowed(what), sides, value });
        Ok(value)
    }

    fn deal(&mut self, from: &[u8], take: usize) -> Result<Vec<u8>, DiceFault> {
        self.dice.deal(from, take)
    }

    fn end(&mut self) -> Result<(), DiceFault> {
        self.dice.end()
    }
}

fn none_left(used: usize, given: usize) -> Result<(), DiceFault> {
    if used == given { Ok(()) } else { Err(DiceFault::TooMany { used, given }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_gives_the_same_bytes_alone_and_in_a_row() {
        let seed = ServerSeed::from_hex(&"5a".repeat(32)).unwrap().match_seed(&[]);
        let roll = |dice: &mut SeededDice, delivery| {
            dice.begin(Draw::ball(delivery));
            (0..80).map(|_| dice.die(6)).collect::<Vec<_>>()
        };
        let mut in_a_row = SeededDice::new(&seed);
        for delivery in 1..=12 {
            let mut alone = SeededDice::new(&seed);
            assert_eq!(roll(&mut in_a_row, delivery), roll(&mut alone, delivery), "delivery {delivery}");
        }
    }

    #[test]
    fn secrets_do_not_show_in_debug_output_or_errors() {
        let text = "ab".repeat(32);
        let seed = ServerSeed::from_hex(&text).unwrap();
        let shown = format!("{seed:?} {:?}", seed.match_seed(&[]));
        assert!(!shown.contains("abab") && !shown.contains("171"), "{shown}");
        assert!(!ServerSeed::from_hex("abc").unwrap_err().to_string().contains("abc"));
    }

    #[test]
    fn table_dice_name_the_die_that_is_wrong() {
        let mut dice = TableDice::new(&[7]);
        let fault = dice.roll("bowl", 6).unwrap_err();
        assert_eq!(fault.to_string(), "the bowl die has 6 sides and cannot show 7");
        let mut dice = TableDice::new(&[1, 2]);
        dice.roll("bowl", 6).unwrap();
        assert_eq!(dice.end().unwrap_err().to_string(), "2 dice are given, but only 1 are rolled");
    }
}

//! The numbers of deliveries through corrections that move them: which delivery a number meant before.

use std::ops::RangeInclusive;

use crate::log::{PlayChange, Subject};

/// The numbers of the deliveries of a match. A refit may give a delivery another number, and the delivery
/// stays the one that it was.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DeliveryNumbers {
    /// Whether the numbers of another match count, and these follow nothing.
    stand_still: bool,
    /// The number of the first delivery of each innings.
    firsts: Vec<u32>,
    /// The deliveries by their numbers, from 1; empty as long as no number has moved, and each is its own.
    known: Vec<Known>,
    /// The last key that was given to a delivery with a number that another has had.
    keys: u32,
    /// The refit that is under way.
    following: Option<Following>,
    /// What they were before the last correction.
    before: Option<Box<EarlierNumbers>>,
}

/// The numbers of the deliveries before a correction, to which a restoration goes back.
#[derive(Debug, Clone, PartialEq)]
struct EarlierNumbers {
    firsts: Vec<u32>,
    known: Vec<Known>,
    /// How many deliveries there were.
    last: u32,
}

/// A delivery that has a number.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Known {
    /// The key that the delivery keeps: its first number, or one that no number is.
    key: u32,
    /// The number before the last correction that moved it.
    was: Option<u32>,
}

/// A refit that is under way: the void deliveries that come again.
#[derive(Debug, Clone, PartialEq)]
struct Following {
    /// The numbers that come next, by innings.
    rest: Vec<RangeInclusive<u32>>,
    before: Vec<Known>,
    /// Whether the amended delivery has come.
    has_begun: bool,
    /// Whether a delivery comes next that there was none of before.
    inserts: bool,
}

/// Keys from here on are no numbers.
const NO_NUMBER: u32 = 1 << 31;

impl DeliveryNumbers {
    /// The numbers of a match that is kept without its adjudication.
    pub(super) fn standing_still() -> DeliveryNumbers {
        DeliveryNumbers { stand_still: true, ..DeliveryNumbers::default() }
    }

    /// The key of the delivery with a number: the same for the delivery whatever number it has.
    pub fn key(&self, delivery: u32) -> u32 {
        self.known_at(delivery).map_or(delivery, |known| known.key)
    }

    /// The number that the delivery with a key has; none where it does not stand.
    pub fn number(&self, key: u32) -> Option<u32> {
        if self.known.is_empty() {
            return Some(key).filter(|key| *key < NO_NUMBER);
        }
        self.known.iter().zip(1..).find(|(known, _)| known.key == key).map(|(_, number)| number)
    }

    /// The number of a delivery before the last correction that moved it; none where none did.
    pub fn was(&self, delivery: u32) -> Option<u32> {
        self.known_at(delivery)?.was
    }

    /// The key of the delivery that comes next in an innings, with this number.
    pub fn next_key(&self, innings: u16, delivery: u32) -> u32 {
        self.next_known(innings, delivery).map_or(delivery, |known| known.key)
    }

    /// The subject of an event with the key of its delivery for its number.
    pub fn keyed(&self, subject: Subject) -> Subject {
        subject.with_delivery(|delivery| self.key(delivery))
    }

    /// Whether a delivery may have another number than before.
    pub fn have_moved(&self) -> bool {
        !self.known.is_empty() || self.following.is_some()
    }

    /// Whether the next over or ball, of this innings, follows a refit, after the amended ball: its choices
    /// are those that were made, or answers. What is left of an innings before it does not come again.
    pub fn follow_refit(&self, innings: u16) -> bool {
        let comes_again = |following: &Following| {
            let before = usize::from(innings).saturating_sub(1);
            following.rest.iter().skip(before).any(|rest| !rest.is_empty())
        };
        self.following.as_ref().is_some_and(|following| following.has_begun && comes_again(following))
    }

    /// Whether a delivery of an innings changes them.
    pub(super) fn are_changed_by(&self, innings: u16) -> bool {
        !self.stand_still && (usize::from(innings) > self.firsts.len() || self.have_moved())
    }

    /// Takes a delivery that was bowled.
    pub(super) fn bowl(&mut self, innings: u16, delivery: u32) {
        if self.stand_still {
            return;
        }
        while self.firsts.len() < usize::from(innings) {
            self.firsts.push(delivery);
        }
        if !self.have_moved() {
            return;
        }
        let Some(known) = self.next_known(innings, delivery) else { return };
        if known.key > NO_NUMBER {
            self.keys = self.keys.max(known.key - NO_NUMBER);
        }
        let at = delivery as usize - 1;
        if self.known.len() == at {
            self.known.push(known);
        }
        if let Some(following) = &mut self.following {
            following.take(innings);
            self.end_following();
        }
    }

    /// Stops following once all deliveries have come; numbers that are as at first need not be known.
    fn end_following(&mut self) {
        let is_over = |following: &mut Following| following.rest.iter().all(RangeInclusive::is_empty);
        let is_own = |(number, known): (u32, &Known)| known.key == number && known.was.is_none();
        if self.following.take_if(is_over).is_some() && self.keys == 0 && (1..).zip(&self.known).all(is_own) {
            self.known.clear();
        }
    }

    fn known_at(&self, delivery: u32) -> Option<Known> {
        self.known.get((delivery as usize).checked_sub(1)?).copied()
    }

    /// The delivery that comes next in an innings with this number, once numbers have moved.
    fn next_known(&self, innings: u16, delivery: u32) -> Option<Known> {
        let Some(following) = &self.following else {
            return self.have_moved().then(|| self.known_at(delivery).unwrap_or_else(|| self.unknown()));
        };
        if following.inserts {
            return Some(self.unknown());
        }
        let at = usize::from(innings).checked_sub(1);
        let was = at.and_then(|at| following.rest.get(at)).filter(|rest| !rest.is_empty());
        Some(match was.map(|rest| *rest.start()) {
            None => self.unknown(),
            Some(was) => {
                let before = following.before[was as usize - 1];
                Known { was: if was == delivery { before.was } else { Some(was) }, ..before }
            }
        })
    }

    /// A delivery that no number before meant.
    fn unknown(&self) -> Known {
        Known { key: NO_NUMBER + self.keys + 1, was: None }
    }

    /// Takes a correction after which this many of the deliveries are live, of which there were so many. A
    /// refit of a match at a table moves numbers.
    pub(super) fn correct(&mut self, refits: Option<PlayChange>, live: u32, last: u32) {
        self.go_back(live, last);
        let Some(change) = refits else { return };
        let from = match change {
            PlayChange::Amends(delivery) | PlayChange::Inserts(delivery) => delivery,
            PlayChange::Removes(delivery) => delivery + 1,
            PlayChange::Anew(_) => live + 1,
        };
        let has_begun = matches!(change, PlayChange::Removes(_) | PlayChange::Anew(_));
        let inserts = matches!(change, PlayChange::Inserts(_));
        if let Some(before) = self.before.as_deref().cloned() {
            self.follow(before, live, (from, has_begun, inserts));
        }
    }

    /// Takes a restoration after which this many of the deliveries are live, of which there were so many. The
    /// deliveries that come back have the numbers that they had.
    pub(super) fn restore(&mut self, live: u32, last: u32) {
        let Some(before) = self.before.take() else { return };
        self.go_back(live, last);
        self.follow(*before, live, (live + 1, true, false));
    }

    /// Goes back to this many deliveries, of which there were so many.
    fn go_back(&mut self, live: u32, last: u32) {
        let (firsts, known) = (self.firsts.clone(), self.known.clone());
        self.before = Some(Box::new(EarlierNumbers { firsts, known, last }));
        self.firsts.retain(|first| *first <= live);
        self.following = None;
    }

    /// Follows the deliveries from one on as they were, after this many that are live.
    fn follow(&mut self, before: EarlierNumbers, live: u32, (from, has_begun, inserts): (u32, bool, bool)) {
        let EarlierNumbers { firsts, known: mut before, last } = before;
        let unmoved = (before.len() as u32 + 1)..=last;
        before.extend(unmoved.map(|number| Known { key: number, was: None }));
        let ends = firsts.iter().skip(1).map(|next| next - 1).chain([last]);
        let rest = firsts.iter().zip(ends).map(|(first, end)| (*first).max(from)..=end).collect();
        self.known.clone_from(&before);
        self.known.truncate(live as usize);
        self.following = Some(Following { rest, before, has_begun, inserts });
        self.end_following();
    }
}

impl Following {
    /// Takes the next delivery of an innings. What is left of the innings before it does not come again.
    fn take(&mut self, innings: u16) {
        self.has_begun = true;
        if std::mem::take(&mut self.inserts) {
            return;
        }
        for (number, rest) in (1..).zip(&mut self.rest) {
            if number < innings {
                *rest = RangeInclusive::new(1, 0);
            } else if number == innings {
                rest.next();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bowl(numbers: &mut DeliveryNumbers, innings: u16, deliveries: RangeInclusive<u32>) {
        deliveries.for_each(|delivery| numbers.bowl(innings, delivery));
    }

    #[test]
    fn a_delivery_of_a_later_innings_keeps_its_key_when_an_innings_ends_earlier() {
        let mut numbers = DeliveryNumbers::default();
        bowl(&mut numbers, 1, 1..=6);
        bowl(&mut numbers, 2, 7..=12);
        assert_eq!((numbers.key(9), numbers.was(9)), (9, None));
        // Delivery 2 is put right, and the first innings ends with delivery 4.
        numbers.correct(Some(PlayChange::Amends(2)), 1, 12);
        assert_eq!(numbers.next_key(1, 2), 2);
        assert!(!numbers.follow_refit(1));
        bowl(&mut numbers, 1, 2..=4);
        assert!(numbers.follow_refit(2));
        assert_eq!(numbers.next_key(2, 5), 7);
        bowl(&mut numbers, 2, 5..=10);
        assert_eq!((numbers.key(4), numbers.was(4)), (4, None));
        assert_eq!((numbers.key(5), numbers.was(5)), (7, Some(7)));
        assert_eq!((numbers.key(10), numbers.was(10)), (12, Some(12)));
        assert!(!numbers.follow_refit(2));
        // What is bowled from now on is none of the deliveries before.
        bowl(&mut numbers, 2, 11..=12);
        assert!(numbers.key(11) > NO_NUMBER && numbers.key(12) > numbers.key(11));
        // A delivery that is void and bowled again is the same.
        let key = numbers.key(9);
        numbers.correct(None, 8, 12);
        assert_eq!(numbers.next_key(2, 9), key);
        bowl(&mut numbers, 2, 9..=9);
        assert_eq!(numbers.key(9), key);
    }

    #[test]
    fn an_innings_that_no_delivery_had_follows_no_refit() {
        let mut numbers = DeliveryNumbers::default();
        bowl(&mut numbers, 1, 1..=7);
        numbers.correct(Some(PlayChange::Amends(2)), 1, 7);
        bowl(&mut numbers, 1, 2..=6);
        // Delivery 7 would come, if the innings went on.
        assert!(numbers.follow_refit(1));
        assert!(!numbers.follow_refit(2));
        assert!(numbers.next_key(2, 7) > NO_NUMBER);
    }

    #[test]
    fn a_delivery_that_moves_twice_tells_the_number_before_the_last_move() {
        let mut numbers = DeliveryNumbers::default();
        bowl(&mut numbers, 1, 1..=4);
        bowl(&mut numbers, 2, 5..=8);
        numbers.correct(Some(PlayChange::Amends(1)), 0, 8);
        bowl(&mut numbers, 1, 1..=3);
        bowl(&mut numbers, 2, 4..=7);
        numbers.correct(Some(PlayChange::Amends(1)), 0, 7);
        bowl(&mut numbers, 1, 1..=2);
        bowl(&mut numbers, 2, 3..=6);
        assert_eq!((numbers.key(3), numbers.was(3)), (5, Some(4)));
        numbers.correct(Some(PlayChange::Amends(6)), 5, 6);
        bowl(&mut numbers, 2, 6..=6);
        assert_eq!((numbers.key(6), numbers.was(6)), (8, Some(7)));
    }
}

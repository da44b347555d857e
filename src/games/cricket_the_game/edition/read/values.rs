use std::ops::RangeInclusive;

use super::value_at::{ValueAt, any_of};
use crate::games::cricket_the_game::edition::model::{EditionWord, WordSet};
use crate::rules::reading::name_fault;

const LONGEST_ID: usize = 40;

impl<'v> ValueAt<'v> {
    /// Reads a word of an enumeration.
    pub fn word<W: EditionWord>(&self) -> Option<W> {
        let word = self.text().and_then(W::of_word);
        word.or_else(|| self.is_not(|| any_of(W::ALL.iter().map(|(_, word)| *word))))
    }

    /// Reads one of these words, as its index.
    pub fn one_of(&self, words: &[&'static str]) -> Option<usize> {
        let place = self.text().and_then(|text| words.iter().position(|word| *word == text));
        place.or_else(|| self.is_not(|| any_of(words.iter().copied())))
    }

    /// Reads a list of words of an enumeration: at least one, none twice, and only allowed ones.
    pub fn some_words<W: EditionWord>(&self, allowed: WordSet) -> Option<WordSet> {
        let words: Vec<&str> =
            W::ALL.iter().filter(|(word, _)| allowed.has(*word)).map(|(_, t)| *t).collect();
        let spots = self.list(1..=words.len(), &format!("words, each {}", any_of(words.iter().copied())))?;
        let mut some = WordSet::default();
        let mut valid = true;
        for spot in &spots {
            let word = spot.one_of(&words).and_then(|place| W::of_word(words[place]));
            match word {
                Some(word) if some.has(word) => valid = spot.twice::<()>().is_some(),
                Some(word) => some = WordSet(some.0 | WordSet::these([word]).0),
                None => valid = false,
            }
        }
        valid.then_some(some)
    }

    /// Reads a whole number.
    pub fn number(&self, range: RangeInclusive<i8>) -> Option<i8> {
        let number = self.value.as_i64().and_then(|n| i8::try_from(n).ok()).filter(|n| range.contains(n));
        number.or_else(|| self.is_not(|| format!("a whole number from {} to {}", range.start(), range.end())))
    }

    /// Reads a whole number that is not negative.
    pub fn count(&self, range: RangeInclusive<u8>) -> Option<u8> {
        let number = self.value.as_u64().and_then(|n| u8::try_from(n).ok()).filter(|n| range.contains(n));
        number.or_else(|| self.is_not(|| format!("a whole number from {} to {}", range.start(), range.end())))
    }

    /// Reads `true` or `false`.
    pub fn yes_or_no(&self) -> Option<bool> {
        self.value.as_bool().or_else(|| self.is_not(|| "true or false".to_owned()))
    }

    /// The value as `true` or `false`, if it is either.
    pub fn as_yes_or_no(&self) -> Option<bool> {
        self.value.as_bool()
    }

    /// Whether the value is null.
    pub fn is_null(&self) -> bool {
        self.value.is_null()
    }

    /// The value as text, if it is text.
    pub fn text(&self) -> Option<&'v str> {
        self.value.as_str()
    }

    /// Reads a die, as its number of sides.
    pub fn die(&self) -> Option<u8> {
        Some([6, 8][self.one_of(&["d6", "d8"])?])
    }

    /// Reads a name for people.
    pub fn name(&self) -> Option<String> {
        let Some(text) = self.text() else { return self.is_not(|| "a name".to_owned()) };
        match name_fault(text) {
            Some(fault) => self.fault(|| fault),
            None => Some(text.to_owned()),
        }
    }

    /// Reads an id.
    pub fn id(&self) -> Option<String> {
        let fits = |text: &str| (1..=LONGEST_ID).contains(&text.len()) && text.bytes().all(of_an_id);
        let id = self.text().filter(|text| fits(text)).map(str::to_owned);
        id.or_else(|| {
            self.is_not(|| format!("an id of 1 to {LONGEST_ID} of the letters a to z, 0 to 9 and _"))
        })
    }
}

fn of_an_id(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_')
}

//! The reader of canonical form, from the beginning of a text to its end and without a JSON tree.

use serde_json::{Map, Value};

use super::Canonical;
use super::value::{LARGEST, by_utf16};

/// A text, from the position up to which it has been read.
pub(crate) struct Cursor<'a>(&'a str);

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Cursor<'a> {
        Cursor(text)
    }

    /// The text that has not been read yet.
    pub(crate) fn rest(&self) -> &'a str {
        self.0
    }

    pub(crate) fn take(&mut self, what: &str) -> Option<()> {
        self.0 = self.0.strip_prefix(what)?;
        Some(())
    }

    /// Reads a member of an object, after a comma unless it is the first. The key has its quotes and its
    /// colon. Takes nothing, and returns `Some(None)`, when another member comes next.
    pub(crate) fn member<T: Canonical>(&mut self, begun: &mut bool, key: &str) -> Option<Option<T>> {
        let from = if *begun { self.0.strip_prefix(',') } else { Some(self.0) };
        let Some(value) = from.and_then(|from| from.strip_prefix(key)) else { return Some(None) };
        self.0 = value;
        *begun = true;
        T::read(self).map(Some)
    }

    pub(crate) fn string(&mut self) -> Option<&'a str> {
        let from = self.0.strip_prefix('"')?;
        let end = from.bytes().position(|byte| byte < 0x20 || byte == b'"' || byte == b'\\')?;
        let (string, rest) = from.split_at(end);
        self.0 = rest.strip_prefix('"')?;
        Some(string)
    }

    pub(crate) fn integer(&mut self) -> Option<u64> {
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

    pub(crate) fn members(&mut self, depth: u8) -> Option<Map<String, Value>> {
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

    pub(crate) fn items<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
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

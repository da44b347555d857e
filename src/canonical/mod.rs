//! The canonical form of JSON (RFC 8785), which is hashed: equal values have equal bytes in every
//! implementation. [`canonical()`] writes a JSON tree in this form.
//!
//! The types of the log are declared in `canonical_form!`, which makes a reader and a writer of the
//! canonical form from the declaration that serde has.

mod cursor;
mod declared;
mod leaves;
mod value;

pub(crate) use self::cursor::Cursor;
pub(crate) use self::declared::{
    canonical_form, in_canonical_order, is_default, unless_default, write_member,
};
pub(crate) use self::value::write_string;
pub use self::value::{NotCanonical, canonical};

/// A value of the log, which has exactly one form there: the canonical one.
pub(crate) trait Canonical: Sized {
    /// Writes the value in canonical form.
    fn write(&self, out: &mut String) -> Result<(), NotCanonical>;

    /// Reads the value in canonical form. `None` is no verdict: strings with escapes are not read here
    /// either. Then an event is read by way of a JSON tree, which is slower and says what is wrong.
    fn read(text: &mut Cursor<'_>) -> Option<Self>;
}

#[cfg(test)]
mod tests;

//! The values inside the objects of the log in canonical form: numbers, strings, lists, and objects of no
//! fixed shape.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::value::{LARGEST, write_members, write_string};
use super::{Canonical, Cursor, NotCanonical};

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
        write_string(self, out);
        Ok(())
    }

    fn read(text: &mut Cursor<'_>) -> Option<String> {
        text.string().map(str::to_owned)
    }
}

impl Canonical for Cow<'static, str> {
    fn write(&self, out: &mut String) -> Result<(), NotCanonical> {
        write_string(self, out);
        Ok(())
    }

    fn read(text: &mut Cursor<'_>) -> Option<Cow<'static, str>> {
        String::read(text).map(Cow::Owned)
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
        write_members(self, out)
    }

    fn read(text: &mut Cursor<'_>) -> Option<Map<String, Value>> {
        const DEEPEST: u8 = 8;
        text.members(DEEPEST)
    }
}

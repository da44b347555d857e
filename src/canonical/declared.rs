//! The declaration of a type of the log: one for the type, serde and the canonical form.

use super::{Canonical, NotCanonical};

/// Declares a type of the log: a struct that is an object in JSON, or an enum of words. The type is made as
/// it is written, with serde's derives. [`Canonical`] follows from the same lines, so a new member or a new
/// word is added there and nowhere else.
///
/// The members of a struct stand in the order in which serde writes them; the canonical form sorts them.
/// The struct has `#[serde(deny_unknown_fields)]`. A member has docs and, in this order, as many as apply of:
/// - `#[serde(rename = "key")]`, for a key that is no name in Rust;
/// - `#[serde(default, skip_serializing_if = "is_default")]`, for a member that is left out when it has its
///   default, by [`is_default`];
/// - `#[serde(default)]`, for a member that is always written, and may be missing in a request;
/// - `#[serde(deserialize_with = "...")]`, for a check of serde's reader alone;
/// - `#[schema(...)]`.
///
/// A word of an enum has docs and its name in JSON, `#[serde(rename = "word")]`. The method `as_str` follows.
macro_rules! canonical_form {
    // The parts of a struct.
    (@of
        $(#[doc = $doc:tt])+
        #[derive($($Derive:ident),+)]
        #[serde(deny_unknown_fields)]
        $(#[schema $schema:tt])?
        pub struct $Name:ident {$(
            $(#[doc = $about:tt])+
            $(#[serde(rename = $key:literal)])?
            $(#[serde(default, skip_serializing_if = $left_out:tt)])?
            $(#[serde(default)])?
            $(#[serde(deserialize_with = $check:literal)])?
            $(#[schema $member_schema:tt])?
            pub $member:ident: $Type:ty,
        )+}
    ) => {
        const _: () = {
            use $crate::canonical::{self, Canonical, Cursor, NotCanonical, canonical_form};

            #[derive(Clone, Copy)]
            #[expect(non_camel_case_types, reason = "each is named as its member")]
            enum Member { $($member),+ }

            const ORDER: [Member; [$(Member::$member),+].len()] = canonical::in_canonical_order([
                $((Member::$member, canonical_form!(@key $member $($key)?))),+
            ]);

            impl Canonical for $Name {
                fn write(&self, out: &mut String) -> Result<(), NotCanonical> {
                    let begin = out.len();
                    for member in ORDER {
                        match member {
                            $(Member::$member => if canonical_form!(@given self.$member, $($left_out)?) {
                                let key = concat!("\"", canonical_form!(@key $member $($key)?), "\":");
                                canonical::write_member(begin, key, &self.$member, out)?;
                            },)+
                        }
                    }
                    out.push_str(if out.len() == begin { "{}" } else { "}" });
                    Ok(())
                }

                fn read(text: &mut Cursor<'_>) -> Option<$Name> {
                    $(let mut $member: Option<$Type> = None;)+
                    let mut begun = false;
                    text.take("{")?;
                    for member in ORDER {
                        match member {
                            $(Member::$member => {
                                let key = concat!("\"", canonical_form!(@key $member $($key)?), "\":");
                                $member = text.member(&mut begun, key)?;
                            })+
                        }
                    }
                    text.take("}")?;
                    Some($Name { $($member: canonical_form!(@taken $member, $($left_out)?)),+ })
                }
            }
        };
    };

    // The words of an enum.
    (@of
        $(#[doc = $doc:tt])+
        #[derive($($Derive:ident),+)]
        pub enum $Name:ident {$(
            $(#[doc = $about:tt])+
            #[serde(rename = $word:literal)]
            $(#[default])?
            $Word:ident,
        )+}
    ) => {
        impl $Name {
            /// The name in JSON.
            pub const fn as_str(self) -> &'static str {
                match self { $($Name::$Word => $word),+ }
            }
        }

        impl $crate::canonical::Canonical for $Name {
            fn write(&self, out: &mut String) -> Result<(), $crate::canonical::NotCanonical> {
                out.push_str(match self { $($Name::$Word => concat!("\"", $word, "\"")),+ });
                Ok(())
            }

            fn read(text: &mut $crate::canonical::Cursor<'_>) -> Option<$Name> {
                match text.string()? {
                    $($word => Some($Name::$Word),)+
                    _ => None,
                }
            }
        }
    };

    (@key $member:ident) => { stringify!($member) };
    (@key $member:ident $key:literal) => { $key };
    (@given $value:expr,) => { true };
    (@given $value:expr, "is_default") => { !canonical::is_default(&$value) };
    (@taken $read:ident,) => { $read? };
    (@taken $read:ident, "is_default") => { canonical::unless_default($read)? };

    (@of $($other:tt)+) => {
        compile_error!("this is not a declaration as the documentation of `canonical_form!` describes it");
    };

    ($($declaration:tt)+) => {
        $($declaration)+
        $crate::canonical::canonical_form! { @of $($declaration)+ }
    };
}

pub(crate) use canonical_form;

/// Whether a value is the default of its type: the rule by which members are left out.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The value of a member that is left out when it has its default. In canonical form it does not have it.
pub(crate) fn unless_default<T: Default + PartialEq>(read: Option<T>) -> Option<T> {
    match read {
        Some(value) => Some(value).filter(|value| !is_default(value)),
        None => Some(T::default()),
    }
}

/// Writes a member of the object that begins at `begin`. The key comes with its quotes and its colon.
pub(crate) fn write_member<T: Canonical>(
    begin: usize,
    key: &str,
    value: &T,
    out: &mut String,
) -> Result<(), NotCanonical> {
    out.push(if out.len() == begin { '{' } else { ',' });
    out.push_str(key);
    value.write(out)
}

/// The members of a struct in the canonical order of their keys. Keys of ASCII have one order in UTF-8 and in
/// UTF-16; others do not compile, and neither does a key that comes twice.
pub(crate) const fn in_canonical_order<M: Copy, const N: usize>(
    mut members: [(M, &'static str); N],
) -> [M; N] {
    let mut sorted = 0;
    while sorted < N {
        assert!(members[sorted].1.is_ascii(), "a key is not in ASCII");
        let mut at = sorted;
        while at > 0 && comes_before(members[at].1, members[at - 1].1) {
            (members[at], members[at - 1]) = (members[at - 1], members[at]);
            at -= 1;
        }
        sorted += 1;
    }
    let mut order = [members[0].0; N];
    let mut at = 1;
    while at < N {
        assert!(comes_before(members[at - 1].1, members[at].1), "a key comes twice");
        order[at] = members[at].0;
        at += 1;
    }
    order
}

const fn comes_before(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() {
        if a[at] != b[at] {
            return a[at] < b[at];
        }
        at += 1;
    }
    a.len() < b.len()
}

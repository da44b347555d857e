use smallvec::SmallVec;

/// A rule of a game that can be cited on a ball or a refusal: its wire id and the sentence it stands for.
#[derive(Debug, PartialEq, Eq)]
pub struct Ruling {
    /// The id as it stands in the log, e.g. `howzat.extra.wide`. Never renamed.
    pub id: &'static str,
    /// What the rule says, in one sentence.
    pub text: &'static str,
}

/// Cited where the table has agreed on what came of a ball, in the place of the rules' rulings.
pub static AS_STOOD: Ruling = Ruling {
    id: "as_stood",
    text: "The table agreed on what came of this ball, whatever the rules come to.",
};

/// The rulings that decided a ball, in the order they were applied.
pub type Rulings = SmallVec<[&'static Ruling; 4]>;

/// Declares a game's rulings as statics and, beside them, the table of them all and `find`, which looks one up.
///
/// `rulings! { ALL; EXTRA_WIDE "game.extra.wide": "A wide: ..."; ... }`
#[macro_export]
macro_rules! rulings {
    ($(#[$meta:meta])* $all:ident; $($name:ident $id:literal : $text:literal;)+) => {
        $(
            #[doc = $text]
            pub static $name: $crate::scorebook::Ruling = $crate::scorebook::Ruling { id: $id, text: $text };
        )+
        $(#[$meta])*
        pub static $all: &[&$crate::scorebook::Ruling] = &[$(&$name),+];

        /// The one of them with this id.
        pub fn find(id: &str) -> Option<&'static $crate::scorebook::Ruling> {
            match id {
                $($id => Some(&$name),)+
                _ => None,
            }
        }
    };
}
pub use rulings;

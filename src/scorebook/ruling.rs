use smallvec::SmallVec;

/// A ruling: a rule of a game that can be cited on a ball or in a refusal, with its id and its sentence.
#[derive(Debug, PartialEq, Eq)]
pub struct Ruling {
    /// The id in the log, e.g. `howzat.extra.wide`. Never renamed.
    pub id: &'static str,
    /// The sentence that states the rule.
    pub text: &'static str,
}

/// The ruling on a ball with an agreed outcome, in place of the rulings of the game.
pub static AS_STOOD: Ruling =
    Ruling { id: "as_stood", text: "The table agreed on the outcome of this ball, against the rules." };

/// The ruling on a ball that nobody knows any more.
pub static NOT_KNOWN: Ruling = Ruling {
    id: "not_known",
    text: "Nobody knows this ball any more: it counts as a legal ball without a run.",
};

/// The rulings that every game cites beside its own.
pub static SHARED_RULINGS: [&Ruling; 2] = [&AS_STOOD, &NOT_KNOWN];

impl Ruling {
    /// The ruling of every game with this id.
    pub fn find_shared(id: &str) -> Option<&'static Ruling> {
        SHARED_RULINGS.into_iter().find(|ruling| ruling.id == id)
    }
}

/// The rulings that decided a ball, in the order in which they were applied.
pub type Rulings = SmallVec<[&'static Ruling; 4]>;

/// Declares the rulings of a game as statics, with a table of all of them and the function `find`, which
/// looks one up.
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

        /// The ruling with this id.
        pub fn find(id: &str) -> Option<&'static $crate::scorebook::Ruling> {
            match id {
                $($id => Some(&$name),)+
                _ => None,
            }
        }
    };
}
pub use rulings;

//! Options that several asks have.

use super::super::edition::model::{Attitude, EditionWord};
use crate::rules::AskOption;

/// The attitudes of a batter, the careful one first.
pub fn attitudes() -> [AskOption; 2] {
    [Attitude::Defensive, Attitude::Aggressive].map(|attitude| {
        let (title, text) = match attitude {
            Attitude::Defensive => ("Defensive", "green bounce die"),
            Attitude::Aggressive => ("Aggressive", "red bounce die"),
        };
        AskOption::new(attitude.word(), title).text(text)
    })
}

/// A number with its sign, as a meter shows it.
pub fn signed(number: i8) -> String {
    match number {
        0 => "0".to_owned(),
        1.. => format!("+{number}"),
        _ => format!("\u{2212}{}", number.unsigned_abs()),
    }
}

//! Squads: twelve players with what is on their cards, and the eleven that stay.

use serde_json::{Map, Value};

use super::edition::model::{Attitude, Role, Style, Word};
use super::rulings::*;
use crate::log::TeamSheet;
use crate::rules::{Place, Refusal, Why};
use crate::scorebook::{Player, Ruling, Side};

/// Players in a squad.
pub const SQUAD: u8 = 12;
/// The least confidence a batter has.
pub const LEAST_CONFIDENCE: i8 = -1;
/// The most.
pub const MOST_CONFIDENCE: i8 = 3;
/// Wickets with which a side is all out.
pub const WICKETS: u8 = 10;

/// What is on a player's card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// What he is.
    pub role: Role,
    /// His confidence when he comes in.
    pub confidence: i8,
}

/// A side's twelve, in team order.
pub type Squad = [Member; SQUAD as usize];

/// How many of each role a squad has.
pub const ROLES: [(Role, usize); 5] =
    [(Role::Pace, 2), (Role::Spin, 2), (Role::Batter, 3), (Role::Medium, 4), (Role::Keeper, 1)];

impl Role {
    /// How he bowls, if he does.
    pub const fn style(self) -> Option<Style> {
        match self {
            Role::Pace => Some(Style::Pace),
            Role::Spin => Some(Style::Spin),
            Role::Medium => Some(Style::Medium),
            Role::Batter | Role::Keeper => None,
        }
    }

    /// Whether he is a specialist bowler, who bats with a d6.
    pub const fn is_specialist_bowler(self) -> bool {
        matches!(self, Role::Pace | Role::Spin)
    }
}

impl Attitude {
    /// The other.
    pub const fn other(self) -> Attitude {
        match self {
            Attitude::Aggressive => Attitude::Defensive,
            Attitude::Defensive => Attitude::Aggressive,
        }
    }
}

/// Reads a squad off a team sheet, or refuses it.
pub fn squad(side: Side, sheet: &TeamSheet) -> Result<Squad, Refusal> {
    let refuse = |field: String, ruling: &'static Ruling, message: String| {
        Err(Refusal::new(Why::IllegalInput, Place::Field(format!("{side}.{field}")), message).by(ruling))
    };
    let found = sheet.players.len();
    if found != usize::from(SQUAD) {
        let message = format!("a squad of cricket-the-game has exactly {SQUAD} players; this has {found}");
        return refuse("players".to_owned(), &SQUAD_SIZE, message);
    }
    if sheet.cards.len() != found {
        let message = "players are objects {name, role, confidence}, or {\"team\": a team of the edition}";
        return refuse("players".to_owned(), &SQUAD_CARD, message.to_owned());
    }
    let mut squad = [Member { role: Role::Keeper, confidence: 0 }; SQUAD as usize];
    for (i, card) in sheet.cards.iter().enumerate() {
        squad[i] = match member(card) {
            Ok(member) => member,
            Err((field, message)) => return refuse(format!("players[{i}]{field}"), &SQUAD_CARD, message),
        };
    }
    for (role, due) in ROLES {
        let found = squad.iter().filter(|member| member.role == role).count();
        if found != due {
            let message = format!(
                "a squad has {due} {}, and this has {found}: 2 pace, 2 spin, 3 batter, 4 medium and 1 keeper",
                role.word()
            );
            return refuse("players".to_owned(), &SQUAD_ROLES, message);
        }
    }
    Ok(squad)
}

fn member(card: &Map<String, Value>) -> Result<Member, (&'static str, String)> {
    if let Some(name) = card.keys().find(|name| !["role", "confidence"].contains(&name.as_str())) {
        return Err(("", format!("a player has name, role and confidence, and no {name:?}")));
    }
    let roles = || Role::ALL.iter().map(|(_, word)| *word).collect::<Vec<_>>().join(", ");
    let role = card.get("role").and_then(Value::as_str).and_then(Role::of_word);
    let role = role.ok_or_else(|| (".role", format!("role is one of {}", roles())))?;
    let confidence = card.get("confidence").and_then(Value::as_i64).and_then(|n| i8::try_from(n).ok());
    let confidence =
        confidence.filter(|n| (LEAST_CONFIDENCE..=MOST_CONFIDENCE).contains(n)).ok_or_else(|| {
            let message =
                format!("confidence is a whole number from {LEAST_CONFIDENCE} to {MOST_CONFIDENCE}");
            (".confidence", message)
        })?;
    Ok(Member { role, confidence })
}

/// The players of a squad, in team order.
pub fn players() -> impl DoubleEndedIterator<Item = Player> {
    (0..SQUAD).map(Player)
}

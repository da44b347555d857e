//! Squads: twelve players with their cards, and the eleven who play.

use serde_json::{Map, Value, json};

use super::edition::model::{Attitude, EditionWord, PlayerRole, Style};
use super::rulings::*;
use crate::log::TeamSheet;
use crate::rules::{PLAYERS_OF_EACH, Place, Refusal, RefusalKind, SheetRule};
use crate::scorebook::{Player, Ruling, Side};

/// The number of players in a squad.
pub const SQUAD: u8 = 12;
/// The lowest confidence of a batter.
pub const LEAST_CONFIDENCE: i8 = -1;
/// The highest confidence of a batter.
pub const MOST_CONFIDENCE: i8 = 3;
/// The number of wickets at which a side is all out.
pub const WICKETS: u8 = 10;

/// The card of a player: role and confidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// The role of the player.
    pub role: PlayerRole,
    /// The confidence of the player when he comes in.
    pub confidence: i8,
}

/// The twelve players of a side, in team order.
pub type Squad = [Member; SQUAD as usize];

/// A side in play: its squad, without the player whom it drops.
#[derive(Debug, Clone, Copy)]
pub struct Eleven<'a> {
    /// Home or away.
    pub side: Side,
    /// The names of all twelve.
    pub names: &'a [String],
    /// The cards of all twelve.
    pub squad: &'a Squad,
    /// The player who takes no part, once the side has dropped one.
    pub dropped: Option<Player>,
}

impl<'a> Eleven<'a> {
    /// The players who take part, in team order.
    pub fn players(self) -> impl DoubleEndedIterator<Item = Player> + use<> {
        let dropped = self.dropped;
        players().filter(move |player| Some(*player) != dropped)
    }

    /// The card of a player.
    pub fn member(self, player: Player) -> Member {
        self.squad[player.index()]
    }

    /// A player's name.
    pub fn name(self, player: Player) -> &'a str {
        self.names[player.index()].as_str()
    }

    /// The fielders who have a token: all but the bowler and the keeper, in team order.
    pub fn with_tokens(self, bowler: Option<Player>) -> impl Iterator<Item = Player> + use<> {
        let keeper = self.keeper();
        self.players().filter(move |player| Some(*player) != bowler && *player != keeper)
    }

    /// The names of the fielders who have a token.
    pub fn token_names(self, bowler: Option<Player>) -> impl Iterator<Item = &'a str> {
        self.with_tokens(bowler).map(move |player| self.name(player))
    }

    /// The wicketkeeper.
    pub fn keeper(self) -> Player {
        players().find(|player| self.member(*player).role == PlayerRole::Keeper).unwrap_or(Player(0))
    }
}

/// The number of players of each role in a squad.
pub const ROLES: [(PlayerRole, usize); 5] = [
    (PlayerRole::Pace, 2),
    (PlayerRole::Spin, 2),
    (PlayerRole::Batter, 3),
    (PlayerRole::Medium, 4),
    (PlayerRole::Keeper, 1),
];

impl PlayerRole {
    /// The bowling style of a player of this role, if he bowls.
    pub const fn style(self) -> Option<Style> {
        match self {
            PlayerRole::Pace => Some(Style::Pace),
            PlayerRole::Spin => Some(Style::Spin),
            PlayerRole::Medium => Some(Style::Medium),
            PlayerRole::Batter | PlayerRole::Keeper => None,
        }
    }

    /// Whether a player of this role is a specialist bowler, who bats with a d6.
    pub const fn is_specialist_bowler(self) -> bool {
        matches!(self, PlayerRole::Pace | PlayerRole::Spin)
    }
}

impl Attitude {
    /// The opposite attitude.
    pub const fn other(self) -> Attitude {
        match self {
            Attitude::Aggressive => Attitude::Defensive,
            Attitude::Defensive => Attitude::Aggressive,
        }
    }
}

/// Reads a squad from a team sheet, or refuses it.
pub fn squad(side: Side, sheet: &TeamSheet) -> Result<Squad, Refusal> {
    let refuse = |field: String, ruling: &'static Ruling, message: String| {
        Err(Refusal::new(RefusalKind::IllegalInput, Place::Field(format!("{side}.{field}")), message)
            .by(ruling))
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
    let mut squad = [Member { role: PlayerRole::Keeper, confidence: 0 }; SQUAD as usize];
    for (i, card) in sheet.cards.iter().enumerate() {
        squad[i] = match member(card) {
            Ok(member) => member,
            Err((field, message)) => return refuse(format!("players[{i}]{field}"), &SQUAD_CARD, message),
        };
    }
    for (role, required) in ROLES {
        let found = squad.iter().filter(|member| member.role == role).count();
        if found != required {
            let message = format!(
                "a squad has {required} {}, and this has {found}: 2 pace, 2 spin, 3 batter, 4 medium and 1 keeper",
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
    let roles = || PlayerRole::ALL.iter().map(|(_, word)| *word).collect::<Vec<_>>().join(", ");
    let role = card.get("role").and_then(Value::as_str).and_then(PlayerRole::of_word);
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

/// What a team sheet needs beside names: the card of each player, and how many of each role.
pub fn sheet() -> SheetRule {
    let roles: Vec<&str> = PlayerRole::ALL.iter().map(|(_, word)| *word).collect();
    let count: Map<String, Value> =
        ROLES.iter().map(|(role, count)| (role.word().to_owned(), json!(count))).collect();
    let card = json!({
        "type": "object",
        "properties": {
            "role": {"type": "string", "enum": roles, PLAYERS_OF_EACH: count, "title": "Role"},
            "confidence": {
                "type": "integer", "minimum": LEAST_CONFIDENCE, "maximum": MOST_CONFIDENCE, "default": 0,
                "title": "Confidence", "description": "The confidence of the player when he comes in.",
            },
        },
        "required": ["role", "confidence"],
        "additionalProperties": false,
    });
    let rule = "A squad has twelve players: two pace, two spin, three batter, four medium and one keeper; each \
                side leaves one out.";
    SheetRule { extra: 1, card: Some(card), rule: Some(rule) }
}

/// The players of a squad, in team order.
pub fn players() -> impl DoubleEndedIterator<Item = Player> {
    (0..SQUAD).map(Player)
}

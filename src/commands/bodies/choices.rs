//! The bodies of what a side does for itself: its client seed, its choices in secret or in the open, and its
//! call on the other side to act.

use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::{CommandBody, CommandContext};
use crate::commands::{Command, Problem, ProblemType};
use crate::matches::ClaimedChoice;
use crate::scorebook::Side;

/// A side's client seed: first the hash that commits to it; then, once both sides have committed, the seed
/// itself.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeedBody {
    /// The side whose seed it is; left out with a side's own token.
    pub side: Option<Side>,
    /// The commitment to the seed: SHA-256, in hexadecimal, of the canonical form of
    /// `{match, side, commitment, client_seed}`, where the digits of each member are in lower case.
    pub hash: Option<String>,
    /// The seed: 64 hexadecimal digits, which are recorded in lower case.
    pub client_seed: Option<String>,
}

/// A side's own choice. For a secret choice, `choice` lets the service seal it; `sealed` is the seal of a
/// client, which reveals the choice later with `salt` and `choice`. An open choice is made with `choice`.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChoiceBody {
    /// The side that chooses; left out with a side's own token.
    pub side: Option<Side>,
    /// The choice that the match waits for, as `next.what` names it; where both sides have sealed theirs and
    /// `next.what` is `opening`, the choice that was sealed. The game defines its choices, and its page in
    /// docs/rules/ lists them.
    #[serde(rename = "for")]
    pub what: String,
    /// The innings that the choice is for; if given, a choice for another innings is refused.
    pub innings: Option<u16>,
    /// The over that the choice is for; if given, a choice for another over is refused.
    pub over: Option<u16>,
    /// The ball of the over that the choice is for; if given, a choice for another ball is refused.
    pub ball: Option<u32>,
    /// The choice; a member that is left out takes the game's default.
    #[schema(value_type = Option<Object>)]
    pub choice: Option<Map<String, Value>>,
    /// The seal: SHA-256, in hexadecimal, of the canonical form of
    /// `{match, side, for, innings, over, ball, salt, choice}`, where the salt is in lower case.
    pub sealed: Option<String>,
    /// The salt of the seal: 64 hexadecimal digits, which are recorded in lower case.
    pub salt: Option<String>,
}

/// A side's call on the other side to act.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CallBody {
    /// The side that calls; left out with a side's own token.
    pub side: Option<Side>,
}

/// Hexadecimal digits as they are recorded: the log has no capitals among them.
fn recorded(digits: &str) -> String {
    digits.to_ascii_lowercase()
}

impl CommandBody for SeedBody {
    const DEPENDS_ON_REMOTE: bool = true;

    fn command(self, context: &CommandContext) -> Result<Command, Problem> {
        let SeedBody { side: named, hash, client_seed } = self;
        let side = context.side(named)?;
        match (hash, client_seed) {
            (Some(hash), None) => Ok(Command::CommitSeed { side, hash: recorded(&hash) }),
            (None, Some(client_seed)) => {
                Ok(Command::RevealSeed { side, client_seed: recorded(&client_seed) })
            }
            (None, None) | (Some(_), Some(_)) => {
                let message = "send either hash or, once both sides have sent theirs, client_seed";
                Err(Problem::at(ProblemType::NeedsInput, "body", message))
            }
        }
    }
}

impl CommandBody for ChoiceBody {
    const CHOICES_AT: &'static str = "body.choice";
    const DEPENDS_ON_REMOTE: bool = true;

    fn command(self, context: &CommandContext) -> Result<Command, Problem> {
        let ChoiceBody { side: named, what, innings, over, ball, choice, sealed, salt } = self;
        let side = context.side(named)?;
        let claimed = ClaimedChoice { what, innings, over, ball };
        match (choice, sealed, salt) {
            (Some(choice), None, None) => {
                Ok(Command::Choose { side, claimed, salt: (context.random_hex)()?, choice })
            }
            (None, Some(sealed), None) => Ok(Command::Seal { side, claimed, sealed: recorded(&sealed) }),
            (Some(choice), None, Some(salt)) => {
                Ok(Command::Open { side, claimed, salt: recorded(&salt), choice })
            }
            _ => {
                let message = "send choice; or sealed; or, to reveal a sealed choice, salt and choice";
                Err(Problem::at(ProblemType::NeedsInput, "body", message))
            }
        }
    }
}

impl CommandBody for CallBody {
    const DEPENDS_ON_REMOTE: bool = true;

    fn command(self, context: &CommandContext) -> Result<Command, Problem> {
        Ok(Command::Call { side: context.side(self.side)? })
    }
}

//! The tokens of a new match: those that the service makes, and those that the client has made, of which it
//! gives the hashes.

use std::collections::BTreeSet;

use actix_web::HttpRequest;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::request::{SHOWN_ONCE, key, new_token, no_key};
use crate::commands::{Problem, ProblemType, TokenHash, TokenPurpose, TokenRow};
use crate::log::{MatchId, Role};
use crate::service::{GivenCreation, ServiceError};

/// The hashes of the invites that a client has made, one for each side.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InviteHashes {
    /// The SHA-256 of the home side's invite, in 64 hexadecimal digits.
    #[schema(value_type = String, pattern = "^[0-9A-Fa-f]{64}$")]
    pub home: TokenHash,
    /// The SHA-256 of the away side's invite, in 64 hexadecimal digits.
    #[schema(value_type = String, pattern = "^[0-9A-Fa-f]{64}$")]
    pub away: TokenHash,
}

/// The tokens that the service makes for a new match: the scorer's, and an invite for each side.
pub struct MadeTokens {
    /// The scorer's token.
    pub scorer: String,
    /// The home side's invite.
    pub home: String,
    /// The away side's invite.
    pub away: String,
    /// The hashes of the tokens, for the store.
    pub rows: Vec<TokenRow>,
}

impl MadeTokens {
    /// Makes new random tokens.
    pub fn make() -> Result<MadeTokens, Problem> {
        let mut rows = Vec::new();
        let mut make = |role, purpose| {
            let (token, hash) = new_token()?;
            rows.push(TokenRow::new(role, purpose, hash));
            Ok::<_, Problem>(token)
        };
        let scorer = make(Role::Scorer, TokenPurpose::Token)?;
        let (home, away) = (make(Role::Home, TokenPurpose::Invite)?, make(Role::Away, TokenPurpose::Invite)?);
        Ok(MadeTokens { scorer, home, away, rows })
    }
}

/// The tokens of a new match that the client has made, and the creation as a repeat of its request is known.
pub struct GivenTokens {
    /// The id, the hash and the key by which the request is known.
    pub creation: GivenCreation,
    /// The hashes of the tokens, for the store.
    pub rows: Vec<TokenRow>,
}

impl GivenTokens {
    /// The tokens of which a creation gives the hashes; `None` where the service is to make them.
    pub fn of(
        http: &HttpRequest,
        body: &[u8],
        id: Option<&str>,
        token: Option<&TokenHash>,
        invites: Option<&InviteHashes>,
    ) -> Result<Option<GivenTokens>, Problem> {
        let Some(token) = token else {
            if let Some(member) = id.map(|_| "id").or(invites.map(|_| "invite_sha256")) {
                let message = format!("{member} goes with token_sha256, the hash of the scorer's token");
                return Err(Problem::at(ProblemType::NeedsInput, "body.token_sha256", message));
            }
            no_key(http, SHOWN_ONCE)?;
            return Ok(None);
        };
        let row = |role, purpose, hash: &TokenHash| TokenRow::new(role, purpose, hash.as_str());
        let mut rows = vec![
            row(Role::Scorer, TokenPurpose::Token, token),
            row(Role::Scorer, TokenPurpose::Creation, token),
        ];
        if let Some(InviteHashes { home, away }) = invites {
            refuse_equal([("", token), (".home", home), (".away", away)])?;
            rows.push(row(Role::Home, TokenPurpose::Invite, home));
            rows.push(row(Role::Away, TokenPurpose::Invite, away));
        }
        let (id, key) = (id.map(match_id).transpose()?, key(http, body)?);
        if key.is_some() && id.is_none() {
            let message = "needs the match's id in the body, by which a repeat is looked up";
            return Err(Problem::header("Idempotency-Key", message));
        }
        let creation = GivenCreation { id, token: token.as_str().to_owned(), key };
        Ok(Some(GivenTokens { creation, rows }))
    }
}

/// Refuses the hash of an invite that another token of the match has.
fn refuse_equal(hashes: [(&str, &TokenHash); 3]) -> Result<(), Problem> {
    let mut seen = BTreeSet::new();
    match hashes.into_iter().find(|(_, hash)| !seen.insert(hash.as_str())) {
        Some((member, _)) => Err(Problem::from(ServiceError::HashKnown)
            .instead("body.token_sha256", &format!("body.invite_sha256{member}"))),
        None => Ok(()),
    }
}

/// The id that a client has made for a new match.
fn match_id(text: &str) -> Result<MatchId, Problem> {
    let id = Uuid::try_parse(text).ok().filter(|id| id.get_version_num() == 7);
    id.filter(|id| id.to_string() == text.to_ascii_lowercase()).ok_or_else(|| {
        let message = "id is a UUID of version 7 with hyphens, made now";
        Problem::at(ProblemType::IllegalInput, "body.id", message)
    })
}

//! Tokens whose hash the client gives: a request for one that is sent again is answered as the first,
//! although the invite is used and the old token replaced.

use std::sync::Arc;

use super::idempotency::of_stored;
use super::{Appended, MatchService, ServiceError};
use crate::commands::{CommandRequest, IdempotencyKey, TokenPurpose};
use crate::log::{Actor, MatchId, Role};
use crate::projection::IssuedTokens;
use crate::views::MatchNow;

/// The issue of a token that its holder has made.
#[derive(Debug, Clone)]
pub struct TokenIssue {
    /// The match's id.
    pub match_id: MatchId,
    /// The way in which the token is issued.
    pub by: IssuedBy,
    /// The hash of the token.
    pub hash: String,
    /// The idempotency key of the request.
    pub key: Option<IdempotencyKey>,
}

/// The way in which a token is issued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IssuedBy {
    /// A claim with an invite.
    Claim,
    /// The rotation of the token of a role.
    Rotation(Role),
}

impl IssuedBy {
    /// The actors who may have issued it.
    fn actors(self) -> Vec<Actor> {
        match self {
            IssuedBy::Claim => vec![Actor::Home, Actor::Away, Actor::Scorer],
            IssuedBy::Rotation(Role::Scorer) => vec![Actor::Scorer, Actor::Admin],
            IssuedBy::Rotation(role) => vec![Actor::from(role), Actor::Scorer, Actor::Admin],
        }
    }

    /// The event that issued the token of a role in this way.
    fn event(self, issued: &IssuedTokens, role: Role) -> Option<u64> {
        match self {
            IssuedBy::Claim => match role.side() {
                Some(side) => issued.claim(side),
                // Whoever takes over the scoring has the token rotated.
                None => issued.rotation(role).filter(|_| role == Role::Scorer),
            },
            IssuedBy::Rotation(rotated) => issued.rotation(role).filter(|_| rotated == role),
        }
    }
}

impl MatchService {
    /// Submits a command that issues a token. Where it is refused, an earlier try may have been stored.
    pub async fn issue(
        &self,
        issue: &TokenIssue,
        request: &CommandRequest,
    ) -> Result<Appended, ServiceError> {
        match self.submit(request).await {
            Err(error) if error.may_be_of_old_state() => self.issued(issue).await?.ok_or(error),
            submitted => submitted,
        }
    }

    /// The answer to an earlier try that has issued the token. The try is known by its key, and by the hash
    /// of its token as long as that is the token of its role.
    pub async fn issued(&self, issue: &TokenIssue) -> Result<Option<Appended>, ServiceError> {
        let seq = match self.issued_under_key(issue).await? {
            Some(seq) => Some(seq),
            None => self.issued_with_hash(issue).await?,
        };
        match seq {
            Some(seq) => self.answer_at(issue.match_id, seq).await.map(Some).map_err(of_stored),
            None => Ok(None),
        }
    }

    async fn issued_under_key(&self, issue: &TokenIssue) -> Result<Option<u64>, ServiceError> {
        let Some(key) = &issue.key else { return Ok(None) };
        for actor in issue.by.actors() {
            let answered = self.store.idempotency_record(issue.match_id, actor, &key.key).await?;
            // The request names its path and its body, and so this hash.
            if let Some(answered) = answered.filter(|answered| answered.request == key.request) {
                return Ok(Some(answered.last_seq));
            }
        }
        Ok(None)
    }

    async fn issued_with_hash(&self, issue: &TokenIssue) -> Result<Option<u64>, ServiceError> {
        let TokenIssue { match_id, by, hash, .. } = issue;
        let holds = || self.store.role(*match_id, TokenPurpose::Token, hash);
        let Some(role) = holds().await? else { return Ok(None) };
        let current = self.current(*match_id, &self.entry(*match_id), &self.deciding).await?;
        let seq = by.event(current.loaded.issued_tokens(), role);
        // A token that is still valid after the read was issued by the last event that the read has seen.
        Ok(seq.zip(holds().await?).map(|(seq, _)| seq))
    }

    /// The answer to a request that has appended one event.
    pub(super) async fn answer_at(&self, match_id: MatchId, seq: u64) -> Result<Appended, ServiceError> {
        let loaded = Arc::new(self.loaded_at(match_id, seq).await?);
        let entries = self.store.entries(match_id, seq - 1, 1).await?;
        let now = MatchNow::of(&loaded);
        Ok(Appended { entries, before: None, loaded, now, is_repeat: true })
    }
}

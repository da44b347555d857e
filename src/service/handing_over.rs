//! The scoring is handed over by an invite: who scores offers it, whoever has scanned it takes over, and the
//! one that gave can come back as long as nothing was scored since.

use chrono::{DateTime, TimeDelta, Utc};

use super::system::now;
use super::{MatchService, ServiceError};
use crate::commands::{CommandRequest, TokenHash, TokenPurpose, TokenRow, VerifiedToken};
use crate::log::{MatchId, Role};
use crate::projection::LoadedMatch;
use crate::scorebook::Side;
use crate::store::{Offered, ScoringOffer};

/// How long a scoring invite stands.
const STANDS_FOR: TimeDelta = TimeDelta::minutes(10);

/// What an invite is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Invited {
    /// The claim of a side.
    Side(Side),
    /// The scoring, which another device takes over.
    Scorer(VerifiedToken),
}

impl MatchService {
    /// Offers the scoring to whoever has the invite with this hash, and returns the time at which the invite
    /// ends. An offer that is sent again has the end of the first, and opens nothing again.
    pub async fn offer_scoring(
        &self,
        match_id: MatchId,
        by: Option<VerifiedToken>,
        invite: &TokenHash,
    ) -> Result<DateTime<Utc>, ServiceError> {
        let hash = invite.as_str().to_owned();
        if let Some(token) = &by {
            self.confirm(match_id, token).await?;
        }
        if let Some(first) = self.store.offered(match_id, &hash).await? {
            return time_of(first);
        }
        let current = self.current(match_id, &self.entry(match_id), &self.deciding).await?;
        check_can_hand_over(&current.loaded)?;
        let ends_at = (now()? + STANDS_FOR).timestamp_millis();
        match self.store.offer_scoring(&ScoringOffer { match_id, by, hash, ends_at }).await? {
            Offered::Until(ends_at) => time_of(ends_at),
            Offered::HashKnown => Err(ServiceError::HashKnown),
            Offered::TokenReplaced => Err(ServiceError::TokenUnknown),
        }
    }

    /// Ends the scoring invite, if one stands.
    pub async fn stop_offering(
        &self,
        match_id: MatchId,
        by: Option<VerifiedToken>,
    ) -> Result<(), ServiceError> {
        if by.is_none() {
            self.head(match_id).await?;
        }
        match self.store.stop_offer(match_id, by.as_ref(), now()?.timestamp_millis()).await? {
            true => Ok(()),
            false => Err(ServiceError::TokenUnknown),
        }
    }

    /// The tokens and invites of a match.
    pub async fn tokens(&self, match_id: MatchId) -> Result<Vec<TokenRow>, ServiceError> {
        Ok(self.store.tokens(match_id).await?)
    }

    /// Names the device of the holder of a token. No name leaves it to its number.
    pub async fn name_writer(
        &self,
        match_id: MatchId,
        token: &VerifiedToken,
        name: &str,
    ) -> Result<(), ServiceError> {
        match self.store.name_writer(match_id, token, name).await? {
            true => Ok(()),
            false => Err(ServiceError::TokenUnknown),
        }
    }

    /// What the invite with this hash is for. Only hashes are compared, so the time this takes reveals
    /// nothing.
    pub async fn invited(&self, match_id: MatchId, hash: &str) -> Result<Invited, ServiceError> {
        let rows = self.store.tokens(match_id).await?;
        let find = |purpose| rows.iter().find(|row| row.purpose == purpose && row.hash == hash);
        if let Some(side) = find(TokenPurpose::Invite).and_then(|row| row.role.side()) {
            return Ok(Invited::Side(side));
        }
        if rows.is_empty() {
            self.head(match_id).await?;
        }
        let at = now()?.timestamp_millis();
        match find(TokenPurpose::ScoringInvite) {
            Some(TokenRow { ends_at: 0, .. }) => Err(ServiceError::ScoringInviteUsed),
            Some(row) if row.ends_at > at => {
                let (role, purpose) = (row.role, row.purpose);
                Ok(Invited::Scorer(VerifiedToken { role, purpose, hash: hash.to_owned() }))
            }
            Some(_) | None => Err(match self.store.offered(match_id, hash).await? {
                None => ServiceError::TokenUnknown,
                Some(first) if first <= at => ServiceError::ScoringInviteOld(time_of(first)?),
                Some(_) => ServiceError::ScoringInviteStopped,
            }),
        }
    }

    /// The rows that a rotation of the scorer's token changes beside it: the invite is used or ended, and the
    /// replaced token is the way back of whoever has handed over by an invite.
    pub(super) async fn ended_by_rotation(
        &self,
        request: &CommandRequest,
        at: DateTime<Utc>,
    ) -> Result<[TokenRow; 2], ServiceError> {
        let rows = self.store.tokens(request.match_id).await?;
        let stored = |purpose| {
            let found = rows.iter().find(|row| row.role == Role::Scorer && row.purpose == purpose);
            found.cloned().unwrap_or_else(|| TokenRow::new(Role::Scorer, purpose, ""))
        };
        let invite = stored(TokenPurpose::ScoringInvite);
        let used = request.token.as_ref().filter(|token| token.purpose == TokenPurpose::ScoringInvite);
        Ok(match used {
            Some(used) => [
                TokenRow::new(Role::Scorer, TokenPurpose::ScoringInvite, used.hash.clone()),
                TokenRow { purpose: TokenPurpose::Replaced, ..stored(TokenPurpose::Token) },
            ],
            None => [
                TokenRow { ends_at: invite.ends_at.min(at.timestamp_millis()), ..invite },
                TokenRow::new(Role::Scorer, TokenPurpose::Replaced, ""),
            ],
        })
    }
}

/// A stored time.
fn time_of(milliseconds: i64) -> Result<DateTime<Utc>, ServiceError> {
    let broken = || ServiceError::BrokenTime(milliseconds);
    DateTime::from_timestamp_millis(milliseconds).ok_or_else(broken)
}

/// Checks that somebody scores the match, and that the scorer may hand that over.
fn check_can_hand_over(loaded: &LoadedMatch) -> Result<(), ServiceError> {
    if loaded.created().remote {
        Err(ServiceError::NoHandOver(
            "each side plays for itself in remote play: a side replaces its own token",
        ))
    } else if loaded.issued_tokens().is_simulated() {
        Err(ServiceError::NoHandOver("the service plays this match, so nobody scores it"))
    } else if loaded.the_match().play().has_finished() {
        Err(ServiceError::ScoringEnded)
    } else {
        Ok(())
    }
}

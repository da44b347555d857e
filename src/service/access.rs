//! Who may see and do what: tokens, invites, and the hands that only their own sides see.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::system::now;
use super::{MatchService, ServiceError};
use crate::commands::{TokenPurpose, VerifiedToken};
use crate::log::{MatchId, Role};
use crate::matches::ServerSecrets;
use crate::projection::LoadedMatch;
use crate::scorebook::Side;

impl MatchService {
    /// The token with this hash, perhaps as cached. That is enough for a command, which
    /// [`submit`](Self::submit) appends only if the token is still valid.
    pub async fn authenticate(&self, match_id: MatchId, hash: &str) -> Result<VerifiedToken, ServiceError> {
        if let Some(token) = self.known(match_id).and_then(|entry| entry.knows(hash)) {
            return Ok(token);
        }
        let token = self.role(match_id, TokenPurpose::Token, hash).await?;
        self.entry(match_id).remember(&token);
        Ok(token)
    }

    /// The token with this hash that rotates the token of a role, from the store: a token, or the scorer's
    /// that was handed over, which may be the way back.
    pub async fn rotating(
        &self,
        match_id: MatchId,
        role: Role,
        hash: &str,
    ) -> Result<VerifiedToken, ServiceError> {
        match self.role(match_id, TokenPurpose::Token, hash).await {
            Err(refused @ ServiceError::TokenUnknown) if role == Role::Scorer => {
                let handed_over = self.store.role(match_id, TokenPurpose::Replaced, hash).await?;
                let purpose = TokenPurpose::Replaced;
                handed_over.map(|role| VerifiedToken { role, purpose, hash: hash.to_owned() }).ok_or(refused)
            }
            known => known,
        }
    }

    /// The role of the token with this hash and the match, both read from the store: a replaced token never
    /// shows a hand.
    pub async fn visible_to(
        &self,
        match_id: MatchId,
        hash: &str,
    ) -> Result<(Role, Arc<LoadedMatch>), ServiceError> {
        let role = self.role(match_id, TokenPurpose::Token, hash).await?.role;
        Ok((role, self.current(match_id, &self.entry(match_id), &self.reading).await?.loaded))
    }

    /// Checks in the store that a token is still valid for its role.
    pub(super) async fn confirm(&self, match_id: MatchId, token: &VerifiedToken) -> Result<(), ServiceError> {
        if token.purpose == TokenPurpose::ScoringInvite {
            return self.invited(match_id, &token.hash).await.map(drop);
        }
        let known = self.role(match_id, token.purpose, &token.hash).await?;
        if known.role == token.role { Ok(()) } else { Err(ServiceError::TokenUnknown) }
    }

    /// The token or invite with this hash, from the store. Only hashes are compared, so the time this takes
    /// reveals nothing.
    async fn role(
        &self,
        match_id: MatchId,
        purpose: TokenPurpose,
        hash: &str,
    ) -> Result<VerifiedToken, ServiceError> {
        match self.store.role(match_id, purpose, hash).await? {
            Some(role) => Ok(VerifiedToken { role, purpose, hash: hash.to_owned() }),
            None if self.store.head(match_id).await?.is_none() => Err(ServiceError::NoSuchMatch(match_id)),
            None if purpose != TokenPurpose::Token => Err(ServiceError::TokenUnknown),
            None => {
                Err(match self.store.role(match_id, TokenPurpose::Invite, hash).await?.and_then(Role::side) {
                    Some(side) => self.invite_as_token(match_id, side).await?,
                    None => ServiceError::TokenUnknown,
                })
            }
        }
    }

    /// The refusal of a side's invite that is sent as a token: it says how to come by the token.
    async fn invite_as_token(&self, match_id: MatchId, side: Side) -> Result<ServiceError, ServiceError> {
        let loaded = self.loaded(match_id).await?;
        Ok(match loaded.the_match().remote().is_claimed(side) {
            true => ServiceError::InviteIsUsed { side, is_remote: loaded.created().remote },
            false => ServiceError::TokenIsInvite,
        })
    }

    /// The hands and secret choices after an append, as [`hands`](Self::hands) shows them to the holder of
    /// its token; `None` if the token has been replaced since. The events are stored, so a failure here is no
    /// failure of the append; it only leaves the hands out, as `None`.
    pub async fn hands_after(
        &self,
        loaded: &LoadedMatch,
        token: &VerifiedToken,
    ) -> Option<Map<String, Value>> {
        if loaded.the_match().remote().secret_choice().is_none() {
            return Some(Map::new());
        }
        let confirmed = self.confirm(loaded.match_id(), token).await;
        let hands = match confirmed {
            Ok(()) => self.hands(loaded, Some(token.role)).await,
            Err(error) => Err(error),
        };
        let told = |error: &ServiceError| {
            tracing::warn!(%error, "an append is answered without the hands of its author");
        };
        hands.inspect_err(told).ok()
    }

    /// The hands and secret choices that the holder of a token sees: a side its own, the scorer at one table
    /// those of both. Without a secret choice nothing is looked up.
    pub async fn hands(
        &self,
        loaded: &LoadedMatch,
        viewer: Option<Role>,
    ) -> Result<Map<String, Value>, ServiceError> {
        let sides: &[Side] = match viewer {
            Some(Role::Home) => &[Side::Home],
            Some(Role::Away) => &[Side::Away],
            Some(Role::Scorer) if !loaded.created().remote => &[Side::Home, Side::Away],
            Some(Role::Scorer | Role::Umpire) | None => &[],
        };
        let mut hands = Map::new();
        if loaded.the_match().remote().secret_choice().is_some() && !sides.is_empty() {
            let seed = self.seed(loaded.match_id()).await?;
            let openings = self.store.openings(loaded.match_id()).await?;
            let secrets = ServerSecrets { seed: seed.as_ref(), openings: &openings, now: now()? };
            for side in sides {
                let hand = loaded.the_match().remote().hand(*side, secrets)?;
                if !hand.is_null() {
                    hands.insert(side.as_str().to_owned(), hand);
                }
            }
        }
        Ok(hands)
    }
}

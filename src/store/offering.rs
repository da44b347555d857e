//! Scoring invites, which come and go without an event. Whoever changes one holds the head of the match
//! meanwhile, as every rotation does, so that no claim comes in between.

use crate::commands::VerifiedToken;
use crate::log::MatchId;

/// The offer of a scoring invite.
#[derive(Debug, Clone)]
pub struct ScoringOffer {
    /// The match's id.
    pub match_id: MatchId,
    /// The token that allows the offer and still has to be valid; none for the admin's.
    pub by: Option<VerifiedToken>,
    /// The hash of the invite.
    pub hash: String,
    /// The time at which it ends, in milliseconds.
    pub ends_at: i64,
}

/// The result of an offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offered {
    /// The invite ends at this time in milliseconds, as the first offer of it was answered.
    Until(i64),
    /// The match has a token or an invite with its hash.
    HashKnown,
    /// The token that allowed the offer was replaced.
    TokenReplaced,
}

/// The idempotency key under which an offer is remembered, so that a late repeat opens nothing again. A key
/// of a client has no blank.
pub(super) fn offer_key(hash: &str) -> String {
    format!("scoring invite {hash}")
}

/// Implements `store_offer`, `find_offer` and `end_offer` for the store of one engine. The macro needs what
/// `store_writing!` needs, and `HOLD_HEAD`, the select that locks the head of a match.
macro_rules! store_offering {
    ($Store:ty) => {
        use crate::commands::{TokenRow, VerifiedToken};
        use crate::store::offering::{Offered, ScoringOffer, offer_key};

        impl $Store {
            /// Locks the head of a match, and returns its seq if the token is still valid then.
            async fn hold_head(
                on: &mut Connection,
                match_id: MatchId,
                by: Option<&VerifiedToken>,
            ) -> Result<Option<i64>, sqlx::Error> {
                let seq: Option<i64> =
                    sqlx::query_scalar(Self::HOLD_HEAD).bind(match_id).fetch_optional(&mut *on).await?;
                let Some(token) = by else { return Ok(seq) };
                let is_valid: Option<i32> = sqlx::query_scalar(
                    "select 1 from tokens where match_id = $1 and role = $2 and purpose = $3 and hash = $4",
                )
                .bind(match_id)
                .bind(token.role.as_str())
                .bind(token.purpose.as_str())
                .bind(&token.hash)
                .fetch_optional(on)
                .await?;
                Ok(is_valid.and(seq))
            }

            async fn store_offer(&self, offer: &ScoringOffer) -> Result<Offered, StoreError> {
                let ScoringOffer { match_id, by, hash, ends_at } = offer;
                let mut writer = self.writer().await?;
                let mut transaction = self.begin(&mut writer).await?;
                let on = &mut *transaction;
                let held = Self::hold_head(on, *match_id, by.as_ref()).await.map_err(Self::fault)?;
                let Some(seq) = held else { return Ok(Offered::TokenReplaced) };
                if let Some(first) = first_offer(on, *match_id, hash).await.map_err(Self::fault)? {
                    return Ok(Offered::Until(first));
                }
                let known = knows_hash(on, *match_id, hash).await.map_err(Self::fault)?;
                if known {
                    return Ok(Offered::HashKnown);
                }
                sqlx::query(
                    "insert into tokens (match_id, role, purpose, hash, ends_at) \
                     values ($1, 'scorer', 'scoring_invite', $2, $3) \
                     on conflict (match_id, role, purpose) do update \
                     set hash = excluded.hash, ends_at = excluded.ends_at",
                )
                .bind(match_id)
                .bind(hash)
                .bind(ends_at)
                .execute(&mut *on)
                .await
                .map_err(Self::fault)?;
                sqlx::query(
                    "insert into idempotency (match_id, actor, key, request, first_seq, last_seq) \
                     values ($1, 'service', $2, $3, $4, $4)",
                )
                .bind(match_id)
                .bind(offer_key(hash))
                .bind(ends_at.to_string())
                .bind(seq)
                .execute(&mut *on)
                .await
                .map_err(Self::fault)?;
                self.commit(transaction).await?;
                Ok(Offered::Until(*ends_at))
            }

            async fn end_offer(
                &self,
                match_id: MatchId,
                by: Option<&VerifiedToken>,
                at: i64,
            ) -> Result<bool, StoreError> {
                let mut writer = self.writer().await?;
                let mut transaction = self.begin(&mut writer).await?;
                let on = &mut *transaction;
                if Self::hold_head(on, match_id, by).await.map_err(Self::fault)?.is_none() {
                    return Ok(false);
                }
                sqlx::query(
                    "update tokens set ends_at = $2 where match_id = $1 and role = 'scorer' \
                     and purpose = 'scoring_invite' and ends_at > $2",
                )
                .bind(match_id)
                .bind(at)
                .execute(on)
                .await
                .map_err(Self::fault)?;
                self.commit(transaction).await?;
                Ok(true)
            }
        }

        /// Whether anything of a match is stored with this hash, whatever its purpose.
        async fn knows_hash(on: &mut Connection, match_id: MatchId, hash: &str) -> Result<bool, sqlx::Error> {
            let found: Option<i32> =
                sqlx::query_scalar("select 1 from tokens where match_id = $1 and hash = $2 limit 1")
                    .bind(match_id)
                    .bind(hash)
                    .fetch_optional(on)
                    .await?;
            Ok(found.is_some())
        }

        /// The end that the first offer of an invite was answered with.
        async fn first_offer(
            on: &mut Connection,
            match_id: MatchId,
            hash: &str,
        ) -> Result<Option<i64>, sqlx::Error> {
            let answered: Option<String> = sqlx::query_scalar(
                "select request from idempotency where match_id = $1 and actor = 'service' and key = $2",
            )
            .bind(match_id)
            .bind(offer_key(hash))
            .fetch_optional(on)
            .await?;
            Ok(answered.and_then(|ends_at| ends_at.parse().ok()))
        }
    };
}
pub(super) use store_offering;

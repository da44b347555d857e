//! What the pages need of the service to be served.

use super::AppState;
use crate::log::MatchId;
use crate::service::ServiceError;
use crate::web::Matches;

impl Matches for AppState {
    async fn has(&self, id: &str) -> bool {
        let Ok(id) = MatchId::try_parse(id) else { return false };
        !matches!(self.matches.head(id).await, Err(ServiceError::NoSuchMatch(_)))
    }
}

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::canonical::canonical_form;
use crate::dice::Draw;

canonical_form! {
    /// The draw of the dice specification from which an event's dice come.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct DrawRecord {
        /// The domain of the draw: 4 for a ball.
        pub domain: u64,
        /// The number in the domain: for a ball, its delivery in the match.
        pub ordinal: u64,
    }
}

impl From<Draw> for DrawRecord {
    fn from(draw: Draw) -> DrawRecord {
        DrawRecord { domain: draw.domain as u64, ordinal: draw.ordinal }
    }
}

use serde::Serialize;
use utoipa::ToSchema;

use crate::scorebook::Ruling;

/// A ruling with its sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RulingCited {
    /// The id of the ruling.
    pub id: String,
    /// The sentence of the ruling.
    pub text: String,
}

impl From<&Ruling> for RulingCited {
    fn from(ruling: &Ruling) -> RulingCited {
        RulingCited { id: ruling.id.to_owned(), text: ruling.text.to_owned() }
    }
}

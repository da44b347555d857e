use std::fmt::{self, Display};

use serde::Serialize;
use utoipa::ToSchema;

use super::Ball;

/// The place of a delivery: where it stands in the book, in numbers and as commentary prints it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct DeliveryPlace {
    /// The number of the innings, from 1.
    pub innings: u16,
    /// The over of the innings, from 1.
    pub over: u16,
    /// The number of the ball in the over, counting every delivery, from 1.
    pub ball: u32,
    /// The place in words, with the completed overs: `1.2` is over 2, ball 2.
    pub text: String,
}

impl DeliveryPlace {
    /// The place of a ball.
    pub fn of(ball: &Ball) -> DeliveryPlace {
        DeliveryPlace::at(ball.innings, ball.over, ball.ball)
    }

    /// The place with these numbers.
    pub fn at(innings: u16, over: u16, ball: u32) -> DeliveryPlace {
        DeliveryPlace { innings, over, ball, text: format!("{}.{ball}", over.saturating_sub(1)) }
    }
}

impl Display for DeliveryPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "innings {}, {}", self.innings, self.text)
    }
}

/// A delivery in a text: `delivery 12 (innings 1, 2.3)`, or its number alone where it has no place.
pub fn delivery_words(delivery: u32, place: Option<&DeliveryPlace>) -> String {
    match place {
        Some(place) => format!("delivery {delivery} ({place})"),
        None => format!("delivery {delivery}"),
    }
}

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
        let Ball { innings, over, ball, .. } = *ball;
        DeliveryPlace { innings, over, ball, text: format!("{}.{ball}", over.saturating_sub(1)) }
    }
}

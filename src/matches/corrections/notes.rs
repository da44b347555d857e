//! What a refit could not keep, as notes for the person who corrects.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::log::{DeliveryPlace, delivery_words};

/// What a refit could not keep of the play after an amended ball.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct RefitNote {
    /// The number of the delivery before the correction; left out for an over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivery: Option<u32>,
    /// The place of the delivery before the correction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<DeliveryPlace>,
    /// The innings of the event.
    pub innings: u16,
    /// The over of the event.
    pub over: u16,
    /// What went: `choice`, `dice`, `agreed`, `review`, `ball` or `over`.
    pub kind: RefitLoss,
    /// The name of the choice, for one that went.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<String>,
    /// The value of the choice that went.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    pub value: Option<Value>,
    /// The note in a sentence.
    pub text: String,
}

/// What a refit could not keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RefitLoss {
    /// A choice that is not possible or not asked any more; its default counts where it has one.
    Choice,
    /// Dice that are not asked any more.
    Dice,
    /// An outcome that the table had agreed on, and that is not possible any more.
    Agreed,
    /// The review or the acceptance of a decision that is none any more.
    Review,
    /// A ball that is not bowled any more.
    Ball,
    /// An over that does not begin any more.
    Over,
}

impl RefitNote {
    /// The note on an over, or on a delivery with its number and its place before the correction.
    pub(super) fn of(
        (innings, over): (u16, u16),
        delivery: Option<(u32, Option<DeliveryPlace>)>,
        loss: Loss<'_>,
    ) -> RefitNote {
        let (delivery, place) = delivery.map_or((None, None), |(delivery, place)| (Some(delivery), place));
        let subject = match (delivery, &place) {
            (Some(_), Some(place)) => place.text.clone(),
            (Some(delivery), None) => delivery_words(delivery, None),
            (None, _) => format!("over {over} of innings {innings}"),
        };
        let (kind, text) = match loss {
            Loss::Choice(name, value) => {
                let name = name.replace('_', " ");
                let text = match value.as_str() {
                    Some(value) => {
                        format!("{subject}: {name} {value} is not possible or not asked there any more")
                    }
                    None => format!("{subject}: its {name} is not possible or not asked there any more"),
                };
                (RefitLoss::Choice, text)
            }
            Loss::Dice(1) => (RefitLoss::Dice, format!("{subject}: its last die is not rolled any more")),
            Loss::Dice(many) => {
                (RefitLoss::Dice, format!("{subject}: its last {many} dice are not rolled any more"))
            }
            Loss::Agreed => {
                (RefitLoss::Agreed, format!("{subject}: its agreed outcome is not possible there any more"))
            }
            Loss::Review => (RefitLoss::Review, format!("{subject}: its decision is no decision any more")),
            Loss::Over => (RefitLoss::Over, format!("{subject} does not begin any more")),
            Loss::Ball => (RefitLoss::Ball, format!("{subject} is not bowled any more")),
        };
        let (choice, value) = match loss {
            Loss::Choice(name, value) => (Some(name.to_owned()), Some(value.clone())),
            _ => (None, None),
        };
        RefitNote { delivery, place, innings, over, kind, choice, value, text }
    }
}

/// What a refit could not keep, with its figures.
#[derive(Clone, Copy)]
pub(super) enum Loss<'a> {
    Choice(&'a str, &'a Value),
    Dice(usize),
    Agreed,
    Review,
    Ball,
    Over,
}

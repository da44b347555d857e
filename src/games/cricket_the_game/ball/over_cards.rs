//! Over cards: turned one by one, or in a simulation dealt for a whole over at once.

use super::super::progress::NextBall;
use super::super::rulings::*;
use super::chosen::Chosen;
use super::legal::cards_left;
use super::situation::BallSituation;
use crate::dice::Dice;
use crate::rules::{Place, Refusal, RefusalKind};

/// Turns the over card of the next ball: it is drawn from the seed, or entered at the table.
pub fn turn_card<D: Dice + ?Sized>(
    situation: &BallSituation<'_>,
    chosen: &mut Chosen,
    dice: &mut D,
) -> Result<(), Refusal> {
    if situation.over.next_ball != NextBall::WithCard {
        return Ok(());
    }
    if !situation.is_seeded {
        return match chosen.card {
            Some(_) => Ok(()),
            None => {
                let place = Place::Choice("over_card".to_owned());
                let message = "over_card is missing: the card that was turned";
                let missing = Refusal::new(RefusalKind::NeedsInput, place, message);
                Err(missing.by(&BALL_OVER_CARD).legal(cards_left(situation)))
            }
        };
    }
    if let Some(dealt) = situation.over.dealt {
        chosen.card = dealt.get(situation.over.turned.len()).copied();
        return Ok(());
    }
    dice.begin(situation.over_draw);
    let drawn = dice.deal(&unshuffled(situation), situation.over.turned.len() + 1)?.last().copied();
    match (chosen.card, drawn) {
        (Some(given), Some(drawn)) if given != drawn => {
            let message = "over_card is not the one that is drawn; leave it out";
            Err(Refusal::choice("over_card", message).by(&BALL_OVER_CARD))
        }
        _ => {
            chosen.card = drawn;
            Ok(())
        }
    }
}

/// Deals all six over cards of an over from its draw.
pub fn deal<D: Dice + ?Sized>(situation: &BallSituation<'_>, dice: &mut D) -> Result<[u8; 6], Refusal> {
    dice.begin(situation.over_draw);
    let six = dice.deal(&unshuffled(situation), 6)?;
    six.try_into().map_err(|_| {
        Refusal::new(RefusalKind::IllegalInput, Place::Input, "the deck has fewer than six cards")
    })
}

/// The over cards of the style, as indices into the deck of the edition.
fn unshuffled(situation: &BallSituation<'_>) -> Vec<u8> {
    (0..situation.deck().len() as u8).collect()
}

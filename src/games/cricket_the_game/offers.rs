//! The choices that could be made for the whole set-up, over or ball that comes next, in whichever steps the
//! sides make them.

use serde_json::{Value, json};

use super::asks::answers;
use super::awaiting::Awaiting;
use super::ball::AFTER_DICE;
use super::edition::model::{Attitude, EditionWord};
use super::field::Limits;
use super::next_ball::questions;
use super::state::CricketTheGame;
use super::{over, set_up, waiting};
use crate::rules::{AskOption, ChoiceOffers, Choices};

/// The choices that could be made for the next event, which has these and these dice. The cards of a seeded
/// match follow from its seed.
pub fn offers(state: &CricketTheGame, made: &Choices, dice: &[i64]) -> ChoiceOffers {
    if state.prepared.is_none() {
        let (legal, default) = set_up::legal_choices(state);
        ChoiceOffers::of_legal(&legal, default).reading("pitch")
    } else if state.innings.bowler().is_none() {
        offers_of_over(state, made)
    } else {
        offers_of_ball(state, made, dice)
    }
}

fn offers_of_over(state: &CricketTheGame, made: &Choices) -> ChoiceOffers {
    let (_, legal, default) = over::legal_choices(state);
    // The power play limits the field.
    let power_play = made.get("power_play").and_then(Value::as_bool).unwrap_or(false);
    let limits = Limits::of_over(state.format(), state.innings.over_number(), power_play);
    ChoiceOffers::of_legal(&legal, default).with("field", state.field_in(limits).written())
}

fn offers_of_ball(state: &CricketTheGame, made: &Choices, dice: &[i64]) -> ChoiceOffers {
    let situation = state.situation();
    let legal = waiting::legal_ball(&situation);
    let mut offers = ChoiceOffers::of_legal(&legal, waiting::default_ball(&situation)).reading("over_card");
    if !situation.is_express {
        let bowls = situation.bowls().iter();
        offers = offers.listing("bowl", bowls.map(|bowl| AskOption::new(bowl.id.as_str(), &bowl.name)));
        // A batter who comes in and faces keeps the attitude with which he comes.
        let arrival = made.get("next_attitude").and_then(Value::as_str).and_then(Attitude::of_word);
        let attitude = situation.default_attitude(arrival.unwrap_or(Attitude::Defensive));
        offers = offers
            .with("field", state.field_now().written())
            .with("skills", json!({}))
            .with("attitude", json!(attitude.word()));
    }
    if state.is_remote() {
        // Bowl and stroke are chosen in secret, and skills once both are revealed.
        for name in ["bowl", "attitude", "stroke"].into_iter().filter(|name| !legal[name].is_null()) {
            offers = offers.with(name, Value::Null);
        }
        if Awaiting::of(state) == Some(Awaiting::Delivery) {
            offers = offers.without("skills");
        }
    }
    with_answers(state, offers, (made, dice))
}

/// These choices, and those that the dice of the ball asked for and that were made.
fn with_answers(
    state: &CricketTheGame,
    offers: ChoiceOffers,
    (given, dice): (&Choices, &[i64]),
) -> ChoiceOffers {
    let mut made = AFTER_DICE.into_iter().filter(|name| given.contains_key(*name)).peekable();
    if made.peek().is_none() {
        return offers;
    }
    let offers = made.fold(offers, |offers, name| offers.with(name, Value::Null));
    questions(state, given, dice).into_iter().fold(offers, |offers, question| {
        let legal = question.legal(state.edition());
        let asked = (question.name(), question.decided_by(), &legal);
        offers.listing(question.name(), answers(state, asked))
    })
}

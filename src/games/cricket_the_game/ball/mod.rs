//! One ball, from what is chosen for it to what comes of it.

mod chances;
mod chosen;
mod contest;
mod duel;
mod express;
mod question;
mod read;
mod skills;
mod struck;

use serde_json::Value;

pub use self::chosen::{AFTER_DICE, Chosen};
pub use self::contest::Contest;
use self::contest::Terms;
use self::duel::Came;
pub use self::question::{Captain, Chance, Question, Reroll, Stop};
pub use self::read::attitude;
use super::detail::Detail;
use super::edition::effect::{Effect, Situation};
use super::edition::model::{Attitude, Duelist, Out, OverCard, SoFar, StyleRules, Zone};
use super::field::Field;
use super::rulings::*;
use super::squad::MOST_CONFIDENCE;
use super::state::{Due, State};
use crate::dice::{Dice, Die, Draw};
use crate::rules::{Choices, Place, Refusal, Why};
use crate::scorebook::{Delivery, Dismissal, Player};

/// One ball: what was chosen, what was rolled, what came of it.
#[derive(Debug, Clone)]
pub struct Ball {
    pub(super) chosen: Chosen,
    /// None in an admitted ball: its dice are on record.
    pub(super) dice: Vec<Die>,
    pub(super) delivery: Delivery<Detail>,
}

/// Whether the same was chosen and came of it. That it came of the same dice is for [`Dice`] to see to.
impl PartialEq for Ball {
    fn eq(&self, other: &Ball) -> bool {
        self.chosen == other.chosen && self.delivery == other.delivery
    }
}

/// A ball that waits for somebody to decide: what was chosen and rolled of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pending {
    /// As the log has it.
    pub(super) choices: Choices,
    pub(super) dice: Vec<Die>,
    /// What follows from the dice and is to be decided.
    pub(super) asked: Option<Asked>,
    /// Whether bowler and batter have said which skills they use, where the sides play from afar.
    pub(super) skills_said: [bool; 2],
}

/// A decision that is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The choice that answers it.
    pub(super) name: &'static str,
    pub(super) whose: Duelist,
    pub(super) legal: Value,
    /// What is taken for a side that stays silent.
    pub(super) cautious: Value,
}

/// Turns the over card of the next ball: drawn from the seed, or as it was entered.
pub fn turn_card<D: Dice + ?Sized>(state: &State, chosen: &mut Chosen, dice: &mut D) -> Result<(), Refusal> {
    if state.over.due != Due::Card {
        return Ok(());
    }
    if !state.is_seeded() {
        return match chosen.card {
            Some(_) => Ok(()),
            None => {
                let place = Place::Choice("over_card".to_owned());
                let message = "over_card is missing: the card that was turned";
                let missing = Refusal::new(Why::NeedsInput, place, message);
                Err(missing.by(&BALL_OVER_CARD).legal(state.cards_left()))
            }
        };
    }
    if let Some(dealt) = state.over.dealt {
        chosen.card = dealt.get(state.over.turned.len()).copied();
        return Ok(());
    }
    dice.begin(state.over_draw());
    let drawn = dice.deal(&state.deck(), state.over.turned.len() + 1)?.last().copied();
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

/// Plays the next ball of an over in progress, with its card turned. The delivery is filled in where it stands.
pub fn play<D: Dice + ?Sized, C: Captain>(
    state: &State,
    chosen: &Chosen,
    delivery: &mut Delivery<Detail>,
    dice: &mut D,
    captain: &mut C,
) -> Result<(), Stop> {
    dice.begin(Draw::ball(state.next_delivery()));
    delivery.detail.confidence = state.batting.confidence[delivery.striker.index()];
    delivery.detail.free_hit = state.is_free_hit();
    let by_cards = match state.card(chosen).filter(|_| state.is_express()) {
        Some(card) => {
            express::express(state, card.express, delivery, dice).map(|()| delivery.detail.confidence)?
        }
        None => play_in_full(&Contest::of_ball(state, chosen, delivery.striker)?, delivery, (dice, captain))?,
    };
    settle_confidence(delivery, by_cards);
    Ok(())
}

fn settle_confidence(delivery: &mut Delivery<Detail>, by_cards: i8) {
    let before = delivery.detail.confidence;
    let boundary = i8::from(delivery.boundary.is_some() && delivery.runs > 0);
    delivery.detail.confidence = (by_cards + boundary).min(MOST_CONFIDENCE);
    if delivery.detail.confidence != before {
        delivery.rulings.push(&CONFIDENCE);
    }
}

/// Plays a ball that is not express; gives the batter's confidence by what the cards say.
fn play_in_full<D: Dice + ?Sized, C: Captain>(
    contest: &Contest<'_>,
    delivery: &mut Delivery<Detail>,
    (dice, captain): (&mut D, &mut C),
) -> Result<i8, Stop> {
    if delivery.detail.free_hit {
        delivery.rulings.push(&FREE_HIT);
    }
    let mut terms = contest.terms(&mut delivery.rulings);
    delivery.detail.advantage = Some(terms.advantage);
    if terms.dead_ball {
        delivery.rulings.push(&DEAD_BALL);
        delivery.detail.dead_ball = true;
        delivery.legal = false;
        return Ok(delivery.detail.confidence);
    }
    if terms.no_ball {
        delivery.rulings.push(&NO_BALL);
        delivery.extras.no_balls = 1;
        delivery.legal = false;
    }
    let protected = terms.no_ball || delivery.detail.free_hit;
    let came_to = match terms.decided {
        Some(by_card) => {
            chances::card_decides(contest, by_card, false, protected, delivery);
            None
        }
        None => bat_on_ball(contest, &mut terms, protected, delivery, (dice, captain))?,
    };
    if delivery.boundary.is_some() && delivery.runs > 0 {
        contest.effects_at(SoFar::Boundary, came_to).for_each(|then| terms.follow(then));
    }
    Ok(terms.confidence)
}

/// Bowler against batter, and what follows; what the ball came to by their dice, where its effects have applied.
fn bat_on_ball<D: Dice + ?Sized, C: Captain>(
    contest: &Contest<'_>,
    terms: &mut Terms,
    protected: bool,
    delivery: &mut Delivery<Detail>,
    (dice, captain): (&mut D, &mut C),
) -> Result<Option<SoFar>, Stop> {
    let (duel, came) = duel::fight(contest, terms, dice, captain, &mut delivery.rulings)?;
    let margin = duel.margin;
    delivery.detail.margin = Some(margin);
    match came {
        Came::CleanBowled => {
            delivery.dismissal = (!protected).then_some(Dismissal::Bowled);
            Ok(None)
        }
        Came::Natural(boundary) => {
            delivery.runs = boundary.runs();
            delivery.boundary = Some(boundary);
            Ok(None)
        }
        Came::Struck => {
            struck::struck(contest, terms, margin, protected, delivery, (dice, captain))?;
            Ok(Some(SoFar::Strike))
        }
        Came::Blocked | Came::Missed => {
            let so_far = if came == Came::Blocked { SoFar::Block } else { SoFar::Miss };
            let how = (so_far, margin.min(0).unsigned_abs(), protected);
            chances::not_struck(contest, terms, how, delivery, (dice, captain))?;
            Ok(Some(so_far))
        }
    }
}

impl<'a> Contest<'a> {
    /// A ball in full play to this batter.
    pub fn of_ball(state: &'a State, chosen: &'a Chosen, striker: Player) -> Result<Contest<'a>, Refusal> {
        let missing = || Refusal::choice("bowl", "a ball in full play has a bowl, a stroke and a field");
        let edition = state.edition();
        let style = state.style();
        let bowl = chosen.bowl.and_then(|bowl| edition.bowls.of(style).get(usize::from(bowl)));
        Ok(Contest {
            state,
            edition,
            rules: edition.style_rules.of(style),
            bowl: bowl.ok_or_else(missing)?,
            card: state.card(chosen),
            field: chosen.field.or(state.bowling.field).ok_or_else(missing)?,
            now: Situation {
                attitude: chosen.attitude,
                style,
                role: state.batter(striker).role,
                pitch: state.condition(),
            },
            stroke: chosen.stroke.ok_or_else(missing)?,
            striker,
            chosen,
        })
    }

    /// The match.
    pub fn state(&self) -> &State {
        self.state
    }

    /// The rule card of the bowler's style.
    pub fn rules(&self) -> &StyleRules {
        self.rules
    }

    /// How the batter plays.
    pub fn attitude(&self) -> Attitude {
        self.now.attitude
    }

    /// Where the tokens stand.
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// Where the batter means to hit it.
    pub fn stroke(&self) -> Zone {
        self.stroke
    }

    fn pitch_effects(&self) -> &'a [Effect] {
        let pitch = self.state.prepared.map_or(0, |prepared| usize::from(prepared.pitch));
        self.edition.pitch.get(pitch).map_or(&[], |card| card.effects.as_slice())
    }
}

impl State {
    /// The over cards of the style, by their place in the edition, before they are shuffled.
    pub fn deck(&self) -> Vec<u8> {
        (0..self.edition().over_decks.of(self.style()).len() as u8).collect()
    }

    /// The over card of a ball.
    fn card(&self, chosen: &Chosen) -> Option<&OverCard> {
        let deck = self.edition().over_decks.of(self.style());
        chosen.card.and_then(|card| deck.get(usize::from(card)))
    }

    /// How the striker is out so, by a card.
    pub fn dismissal(&self, how: Out) -> Dismissal {
        match how {
            Out::Bowled => Dismissal::Bowled,
            Out::Lbw => Dismissal::Lbw,
            Out::Stumped => Dismissal::Stumped { keeper: self.keeper() },
            Out::Caught => Dismissal::Caught { fielder: self.keeper() },
        }
    }
}

/// Answers with what was entered; what was not is asked for.
pub struct Entered<'a> {
    chosen: &'a Chosen,
    /// The choices that were asked for, by name.
    asked: Vec<&'static str>,
}

impl<'a> Entered<'a> {
    /// Answers with these choices.
    pub fn new(chosen: &'a Chosen) -> Entered<'a> {
        Entered { chosen, asked: Vec::new() }
    }

    /// Refuses an answer to what was not asked.
    pub fn refuse_unasked(&self, choices: &Choices) -> Result<(), Refusal> {
        let unasked = |name: &&&str| choices.contains_key(**name) && !self.asked.contains(name);
        match AFTER_DICE.iter().find(unasked) {
            None => Ok(()),
            Some(name) => Err(not_asked(name)),
        }
    }
}

/// Refuses a decision nobody has asked for.
pub fn not_asked(name: &str) -> Refusal {
    let message =
        format!("nobody has asked for {name}: what follows from dice is decided when it is asked for");
    Refusal::choice(name, message).by(&BALL_NOT_ASKED)
}

impl Captain for Entered<'_> {
    fn answer(&mut self, contest: &Contest<'_>, question: Question) -> Result<usize, Stop> {
        self.asked.push(question.name());
        match self.chosen.answer(&question) {
            None => Err(Stop::Waits(question)),
            Some(Some(place)) => Ok(place),
            Some(None) => Err(question::not_legal(contest, &question)),
        }
    }
}

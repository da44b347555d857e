//! A delivery in full: the row that stands for it, each ball that was bowled as it before, and what decided
//! it.
//!
//! It is made from the log for each read: who has the match in memory has no row a ball.

use std::ops::Range;

use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{DeliveryRow, FirstFew, counts_nothing, first_of};
use crate::dice::Die;
use crate::editions::Editions;
use crate::log::{
    Actor, AgreementNote, Ball, DeliveryPlace, DiceMode, DrawRecord, Event, EventData, Head, InvalidEvent,
    LiveEvent, Review, ReviewVerdict, Reviewed, Subject, at_format,
};
use crate::matches::{AfterDice, History};
use crate::projection::{InningsScore, LoadedMatch, ReviewEntry};
use crate::scorebook::{RunsRecord, WicketRecord, cell};

/// A delivery of a match. What tells of the ball that stands is null or empty where it is void.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct DeliveryView {
    /// The match's id.
    #[serde(rename = "match")]
    pub match_id: Uuid,
    /// The last event of the match, and its hash.
    pub head: Head,
    /// The number of the delivery in the match, from 1.
    pub delivery: u32,
    /// The place of the delivery; of a void one the place that it had.
    pub place: DeliveryPlace,
    /// The row that stands for the delivery; null where it is void.
    pub now: Option<DeliveryRow>,
    /// The delivery in words, as in the commentary, with its outcome after a review.
    pub text: Option<String>,
    /// The score and the batters before the delivery.
    pub before: Option<ScoreBeside>,
    /// The score and the batters after it, and after its review.
    pub after: Option<ScoreBeside>,
    /// The choices of the game for the ball, as recorded.
    #[schema(value_type = Object)]
    pub choices: Map<String, Value>,
    /// Where the dice come from: the table, or the seed.
    pub dice_from: DiceMode,
    /// The draw of the seed that gives the dice; left out for dice of the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRecord>,
    /// The rulings that decided the ball, in the order in which they were applied; those of its review are
    /// the last.
    pub rulings: Vec<RulingTold>,
    /// The agreement of the table on another outcome, with the outcome by the rules; left out where there is
    /// none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_stood: Option<AgreementNote>,
    /// The review of the decision; left out where there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review: Option<ReviewEntry>,
    /// The balls that were bowled as this one before, the last first. One that a correction has brought again
    /// just as it was is told once. These are the first, at most 8 KiB.
    #[schema(max_items = 20)]
    pub earlier: Vec<EarlierBall>,
    /// The number of all such balls; left out where there are none.
    #[serde(skip_serializing_if = "counts_nothing")]
    pub earlier_total: u32,
    /// The numbers of the disputes about the delivery. These are the first.
    #[schema(max_items = 20)]
    pub disputes: Vec<u32>,
    /// The number of all such disputes; left out where there are none.
    #[serde(skip_serializing_if = "counts_nothing")]
    pub disputes_total: u32,
    /// The number of the delivery before, among those that stand; null where there is none.
    pub previous: Option<u32>,
    /// The number of the delivery after, among those that stand; null where there is none.
    pub next: Option<u32>,
    /// The number of the next delivery on which a wicket fell; null where there is none.
    pub next_wicket: Option<u32>,
}

/// The score beside a delivery, and the batters at the wicket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ScoreBeside {
    /// The score of the innings.
    pub score: InningsScore,
    /// The batter who faces; null where nobody does yet.
    pub striker: Option<String>,
    /// The batter at the other end; null where nobody is there yet.
    pub non_striker: Option<String>,
}

/// A ruling that decided a delivery, with the dice that led to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RulingTold {
    /// The id of the ruling.
    pub id: String,
    /// The sentence of the ruling.
    pub text: String,
    /// The dice that were rolled after the ruling before it, up to this one; the last ruling on the ball has
    /// those after it, too. Rulings that were cited at once have the same dice. It is empty for a ruling that
    /// needed none.
    pub rolls: Vec<RollTold>,
}

/// Dice that were rolled one after the other for the same thing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RollTold {
    /// The dice, in the order rolled.
    pub dice: Vec<Die>,
    /// What the ball had come to with them, and whom they picked, in words: `4 and 2 make 6: Brody`; null
    /// where the game has no words for it.
    pub text: Option<String>,
}

/// A ball that was bowled as a delivery before, and is void.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct EarlierBall {
    /// The event of the ball.
    pub seq: u64,
    /// The place that the ball had.
    pub place: DeliveryPlace,
    /// The ball in words, as in the commentary, with its outcome after a review.
    pub text: String,
    /// The sign of the scorebook.
    pub cell: String,
    /// The runs off the bat, those that are not, and both.
    pub runs: RunsRecord,
    /// The wicket, if one fell.
    pub wicket: Option<WicketRecord>,
    /// The batter who faced.
    pub batter: String,
    /// The dice, in the order rolled.
    pub dice: Vec<Die>,
    /// The choices of the game for the ball, as recorded.
    #[schema(value_type = Object)]
    pub choices: Map<String, Value>,
    /// The correction that has voided the ball.
    pub correction: VoidingCorrection,
}

/// The correction that has voided a ball.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct VoidingCorrection {
    /// The number of the correction in the match, from 1.
    pub number: u32,
    /// The event that made the correction.
    pub seq: u64,
    /// The time of the event: RFC 3339, UTC, milliseconds.
    pub at: String,
    /// The author of the event.
    pub actor: Actor,
    /// The reason for the correction.
    pub reason: String,
}

/// The error of a delivery that was never bowled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("delivery {delivery} was never bowled; {standing} deliveries stand")]
pub struct NeverBowled {
    /// The number of the delivery.
    pub delivery: u32,
    /// How many deliveries stand.
    pub standing: u32,
}

/// A reader of a log that tells one delivery in full.
pub struct DeliveryBuilder {
    delivery: u32,
    /// The key that the delivery keeps, whatever number it has.
    key: u32,
    history: History<LoadedMatch>,
    /// The balls that were bowled as the delivery; all but the last are void.
    bowled: Vec<BowledAs>,
}

/// A ball that was bowled as the delivery, with its outcome after a review.
struct BowledAs {
    seq: u64,
    ball: Ball,
    text: String,
    /// The review, and the ball before it with its text.
    reviewed: Option<Box<(u64, Ball, String)>>,
    void: Option<VoidingCorrection>,
}

impl DeliveryBuilder {
    /// A builder for the delivery that has this number at the end of a log, and this key through it. The log
    /// may be read with these editions.
    pub fn new((delivery, key): (u32, u32), editions: Editions) -> DeliveryBuilder {
        DeliveryBuilder { delivery, key, history: History::new(editions), bowled: Vec::new() }
    }

    /// Reads the next event.
    pub fn follow(&mut self, event: Event) -> Result<(), InvalidEvent> {
        let Event { seq, at, actor, .. } = event;
        let subject = event.data.subject();
        let reversal = event.data.reversal().map(|made| (made.voids_from_seq(), made.reason().to_owned()));
        let loaded = self.history.follow(event)?;
        let is_it = match subject {
            Some(Subject::Ball { delivery } | Subject::Review { delivery }) => {
                loaded.the_match().adjudication().numbers().key(delivery) == self.key
            }
            _ => false,
        };
        let told = || {
            let last = loaded.projection().last_over().last()?;
            Some((last.ball.clone(), loaded.describe_last_delivery()?))
        };
        match (subject, reversal) {
            (Some(Subject::Ball { .. }), _) if is_it => {
                let bowled =
                    told().map(|(ball, text)| BowledAs { seq, ball, text, reviewed: None, void: None });
                self.bowled.extend(bowled);
            }
            (Some(Subject::Review { .. }), _) if is_it => {
                if let (Some(last), Some((ball, text))) = (self.bowled.last_mut(), told()) {
                    let before = (
                        seq,
                        std::mem::replace(&mut last.ball, ball),
                        std::mem::replace(&mut last.text, text),
                    );
                    last.reviewed = Some(Box::new(before));
                }
            }
            (_, Some((voids_from_seq, reason))) => {
                let number = loaded.adjudication().corrections().last().map_or(0, |made| made.number);
                let at = at_format::write(&at);
                self.void(voids_from_seq, VoidingCorrection { number, seq, at, actor, reason });
            }
            (_, None) => {}
        }
        Ok(())
    }

    /// Makes the last ball void, or only its review, if a correction does.
    fn void(&mut self, voids_from_seq: u64, made: VoidingCorrection) {
        let Some(last) = self.bowled.last_mut().filter(|last| last.void.is_none()) else { return };
        if last.seq >= voids_from_seq {
            last.void = Some(made);
        } else if let Some(reviewed) = last.reviewed.take_if(|reviewed| reviewed.0 >= voids_from_seq) {
            (_, last.ball, last.text) = *reviewed;
        }
    }

    /// Ends the reading, and returns the delivery.
    pub fn end(self) -> Result<Result<DeliveryView, NeverBowled>, InvalidEvent> {
        let DeliveryBuilder { delivery, key: _, history, bowled } = self;
        let standing = history.state().map_or(0, |loaded| loaded.the_match().play().deliveries());
        let (Some(loaded), Some(last)) = (history.state(), bowled.last()) else {
            return Ok(Err(NeverBowled { delivery, standing }));
        };
        let place = DeliveryPlace::of(&last.ball);
        let disputed = loaded.adjudication().disputes().iter();
        let adjudication = loaded.the_match().adjudication();
        let disputed = disputed.filter(|dispute| adjudication.is_disputed(dispute.number, delivery));
        let disputed = disputed.map(|dispute| &dispute.number);
        let (disputes, disputes_total) = first_of(disputed, FirstFew::OTHERS);
        let (earlier, earlier_total) = first_of(&earlier(&bowled), FirstFew::OTHERS);
        let mut view = DeliveryView {
            match_id: loaded.match_id(),
            head: loaded.head().clone(),
            delivery,
            place,
            now: None,
            text: None,
            before: None,
            after: None,
            choices: Map::new(),
            dice_from: loaded.created().dice,
            draw: None,
            rulings: Vec::new(),
            as_stood: None,
            review: None,
            earlier,
            earlier_total,
            disputes,
            disputes_total,
            previous: delivery
                .min(standing.saturating_add(1))
                .checked_sub(1)
                .filter(|previous| *previous > 0),
            next: delivery.checked_add(1).filter(|next| *next <= standing),
            next_wicket: next_wicket(history.live().events(), delivery),
        };
        if let Some(ball) = StandingBall::of(&history, delivery)? {
            ball.tell(&mut view);
            // What the history can go back to has no corrections.
            let was = loaded.the_match().adjudication().numbers().was(delivery);
            view.now = view.now.map(|row| DeliveryRow { was, ..row });
        }
        Ok(Ok(view))
    }
}

impl BowledAs {
    /// Whether another ball is just this one: by the same batters and bowler, with the same choices, dice and
    /// outcome.
    fn is_as(&self, other: &BowledAs) -> bool {
        let [one, other] = [&self.ball, &other.ball];
        (&one.choices, &one.dice, &one.outcome, &one.as_stood)
            == (&other.choices, &other.dice, &other.outcome, &other.as_stood)
    }

    fn told(&self) -> Option<EarlierBall> {
        let BowledAs { seq, ball, text, void, .. } = self;
        Some(EarlierBall {
            seq: *seq,
            place: DeliveryPlace::of(ball),
            text: text.clone(),
            cell: cell(&ball.outcome),
            runs: ball.outcome.runs,
            wicket: ball.outcome.wicket.clone(),
            batter: ball.outcome.striker.clone(),
            dice: ball.dice.clone(),
            choices: ball.choices.clone(),
            correction: void.clone()?,
        })
    }
}

/// The void balls among those that were bowled as a delivery, the last first. Of several in a row that are
/// just the same only the last is one of them.
fn earlier(bowled: &[BowledAs]) -> Vec<EarlierBall> {
    let is_last_as =
        |(at, ball): &(usize, &BowledAs)| bowled.get(at + 1).is_none_or(|next| !ball.is_as(next));
    bowled.iter().enumerate().rev().filter(is_last_as).filter_map(|(_, ball)| ball.told()).collect()
}

/// The first delivery after this one on which a wicket fell and stands.
fn next_wicket(live: &[LiveEvent<Event>], delivery: u32) -> Option<u32> {
    let mut fallen = None;
    for event in live {
        match &event.kept.data {
            EventData::Ball(ball) if fallen.is_some() && ball.delivery > delivery => return fallen,
            EventData::Ball(ball) if ball.delivery > delivery && ball.outcome.wicket.is_some() => {
                fallen = Some(ball.delivery);
            }
            // A review may take the wicket back, and may also give one.
            EventData::Review(Review::Made(made)) if made.delivery > delivery => {
                fallen = made.outcome.wicket.is_some().then_some(made.delivery);
            }
            _ => {}
        }
    }
    fallen
}

/// The ball that stands for a delivery.
struct StandingBall<'a> {
    ball: &'a Ball,
    review: Option<&'a Reviewed>,
    /// The match before each event of the delivery, the last first: its ball, and its rolls.
    before: Vec<LoadedMatch>,
    /// The match after the ball, and after its review.
    after: LoadedMatch,
}

impl<'a> StandingBall<'a> {
    /// The ball that stands for a delivery; none where it is void.
    fn of(
        history: &'a History<LoadedMatch>,
        delivery: u32,
    ) -> Result<Option<StandingBall<'a>>, InvalidEvent> {
        let live = history.live();
        let (Ok(begin), Ok(seq)) = (live.begin_of(delivery), live.ball(delivery)) else { return Ok(None) };
        let (begin, at) = (live.before(begin), live.before(seq));
        let data = |at: usize| live.events().get(at).map(|event| &event.kept.data);
        let Some(EventData::Ball(ball)) = data(at) else { return Ok(None) };
        let of_review = |event: &LiveEvent<Event>| event.subject == Subject::Review { delivery };
        let reviewed = live.events().iter().rposition(of_review);
        let review = match reviewed.and_then(data) {
            Some(EventData::Review(review)) => review.made(),
            _ => None,
        };
        let before = (begin..=at).rev().map(|at| history.state_after(at)).collect::<Result<_, _>>()?;
        let after = history.state_after(reviewed.unwrap_or(at) + 1)?;
        Ok(Some(StandingBall { ball, review, before, after }))
    }

    fn tell(&self, view: &mut DeliveryView) {
        let StandingBall { ball, after, .. } = self;
        view.place = DeliveryPlace::of(ball);
        view.now = DeliveryRow::last_of(after);
        view.text = after.describe_last_delivery();
        // Whoever comes in with the ball is at the wicket before it, too.
        view.before = self.before.first().and_then(|before| self.beside(before)).map(|beside| ScoreBeside {
            striker: Some(ball.outcome.striker.clone()),
            non_striker: Some(ball.outcome.non_striker.clone()),
            ..beside
        });
        view.after = self.beside(after);
        view.choices.clone_from(&ball.choices);
        view.draw = ball.seed;
        view.rulings = self.rulings();
        view.as_stood = ball.as_stood.as_deref().cloned();
        view.review = after.projection().reviews().last().filter(|_| self.review.is_some()).cloned();
    }

    /// The score of the innings in a match before or after the ball, and the batters for its next delivery.
    fn beside(&self, loaded: &LoadedMatch) -> Option<ScoreBeside> {
        let number = self.ball.innings;
        let innings = loaded.projection().innings().iter().find(|fold| fold.number == number)?;
        let play = loaded.the_match().play();
        let goes_on = play.next_over().0 == number && !play.last_ball_is_bowled();
        let field = goes_on.then(|| play.asking().on_field());
        let [striker, non_striker] = field.map_or([None; 2], |field| [field.striker, field.non_striker]);
        Some(ScoreBeside {
            score: InningsScore::of(innings),
            striker: striker.map(str::to_owned),
            non_striker: non_striker.map(str::to_owned),
        })
    }

    /// The rulings on the ball and on its review, with the dice that led to each.
    fn rulings(&self) -> Vec<RulingTold> {
        let agreed = self.ball.as_stood.iter().flat_map(|_| self.cited(&self.ball.outcome.rulings, &[]));
        let review = self.review.into_iter().flat_map(|review| {
            let text = Some(verdict_words(review).to_owned());
            self.cited(&review.rulings, &[RollTold { dice: review.dice.clone(), text }])
        });
        agreed.chain(self.rulings_by_rules()).chain(review).collect()
    }

    /// Rulings by their ids, each with these dice.
    fn cited(&self, ids: &[String], rolls: &[RollTold]) -> Vec<RulingTold> {
        let game = self.after.the_match().play().info().game;
        let told = |id: &String| {
            let ruling = game.ruling(id)?;
            Some(RulingTold { id: id.clone(), text: ruling.text.to_owned(), rolls: rolls.to_vec() })
        };
        ids.iter().filter_map(told).collect()
    }

    /// The rulings of the game on the ball.
    fn rulings_by_rules(&self) -> Vec<RulingTold> {
        let outcome = self.ball.as_stood.as_ref().map_or(&self.ball.outcome, |as_stood| &as_stood.by_rules);
        let all = self.ball.dice.len();
        // After each die, how many rulings there were, and what the ball had come to.
        let after = |rolled| {
            self.before.iter().find_map(|before| before.the_match().play().after_dice(self.ball, rolled))
        };
        let steps: Vec<Option<AfterDice>> = (0..all).map(after).collect();
        let words = |rolled: usize| match steps.get(rolled) {
            Some(step) => step.as_ref().and_then(|step| step.words.clone()),
            None => {
                self.before.first().map(|before| before.the_match().play().after_all_dice(self.ball, outcome))
            }
        };
        let (mut told, mut cited, mut from) = (Vec::new(), 0, 0);
        for rolled in 0..=all {
            let many = match steps.get(rolled) {
                Some(step) => {
                    step.as_ref().map_or(cited, |step| step.rulings.len().min(outcome.rulings.len()))
                }
                None => outcome.rulings.len(),
            };
            if many > cited {
                let rolls = self.rolls(from..rolled, words);
                told.extend(self.cited(&outcome.rulings[cited..many], &rolls));
                (cited, from) = (many, rolled);
            }
        }
        // A ruling may be cited before the dice that it asks for.
        if let Some(last) = told.last_mut() {
            last.rolls.extend(self.rolls(from..all, words));
        }
        told
    }

    /// These dice of the ball, those together that were rolled one after the other for the same thing.
    fn rolls(&self, dice: Range<usize>, words: impl Fn(usize) -> Option<String>) -> Vec<RollTold> {
        let mut rolls: Vec<RollTold> = Vec::new();
        for (die, rolled) in self.ball.dice[dice.clone()].iter().zip(dice.start + 1..) {
            let text = words(rolled);
            match rolls.last_mut().filter(|last| last.dice.last().is_some_and(|one| one.what == die.what)) {
                Some(last) => {
                    last.dice.push(die.clone());
                    last.text = text;
                }
                None => rolls.push(RollTold { dice: vec![die.clone()], text }),
            }
        }
        rolls
    }
}

/// The verdict of a review in words.
fn verdict_words(review: &Reviewed) -> &'static str {
    match (review.verdict, review.umpires_call) {
        (ReviewVerdict::Upheld, _) => "upheld",
        (ReviewVerdict::StruckDown, true) => "umpire's call",
        (ReviewVerdict::StruckDown, false) => "struck down",
    }
}

//! Play: the phases of a match, from the set-up and the toss to the result, and the game that is played.

mod agreed_ends;
mod by_dice;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use serde_json::{Value, json};

use super::MatchInfo;
use crate::dice::{COIN, Deals, Dice, Draw, RecordedDice};
use crate::log::{
    AgreedOutcome, Ball, CalledToss, CoinFace, DiceMode, EndedInnings, EventData, EventFamily, InvalidEvent,
    LifecycleEvent, PlayEvent, RecordedPlay, Reversal, Toss, TossChoice, TossDecided,
};
use crate::rules::reading::check_reason;
use crate::rules::{
    Asking, ChoiceOffers, Choices, Disagreement, DynGame, GameDecided, Next, Place, Play, Refusal,
    RefusalKind, ResultView,
};
use crate::scorebook::{MatchResult, Side};

use self::agreed_ends::AgreedEnds;
pub use self::by_dice::AfterDice;

/// The phase of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// The match waits for its set-up, before the toss.
    SetUp,
    /// The match waits for the toss.
    Toss,
    /// The match waits for the winner of the toss to choose.
    TossDecision(Side),
    /// The match is in play, until the last ball.
    Play,
    /// The match is completed, with a result.
    Completed(MatchResult),
    /// The match is abandoned.
    Abandoned,
}

/// The game in play: the phase of the match, and the state of its game.
#[derive(Clone)]
pub struct GameInPlay {
    info: Arc<MatchInfo>,
    phase: Phase,
    game: Box<dyn DynGame>,
    /// The number of live deliveries.
    deliveries: u32,
    /// What corrections have left; none where they have left nothing, since each snapshot of a match has it.
    corrected: Option<Arc<CorrectedPlay>>,
}

/// What corrections have left to the play after them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct CorrectedPlay {
    /// Whether the match had finished before its last correction, so that its seeds are open.
    reopened: bool,
    /// The innings that end by agreement.
    ended: AgreedEnds,
}

impl CorrectedPlay {
    /// What is kept of it: nothing where corrections have left nothing.
    fn kept(self) -> Option<Arc<CorrectedPlay>> {
        (self != CorrectedPlay::default()).then(|| Arc::new(self))
    }
}

impl PartialEq for GameInPlay {
    fn eq(&self, other: &GameInPlay) -> bool {
        (self.info.match_id, self.phase, self.deliveries, &self.corrected)
            == (other.info.match_id, other.phase, other.deliveries, &other.corrected)
            && *self.game == *other.game
    }
}

impl GameInPlay {
    /// The game before its set-up, or before the toss where there is nothing to set up.
    pub(super) fn open(info: MatchInfo, game: Box<dyn DynGame>) -> GameInPlay {
        let phase = if game.position().awaits_set_up { Phase::SetUp } else { Phase::Toss };
        GameInPlay { info: Arc::new(info), phase, game, deliveries: 0, corrected: None }
    }

    /// The facts about the match that no later event changes.
    pub fn info(&self) -> &MatchInfo {
        &self.info
    }

    /// The phase of the match.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The state of the game.
    pub(super) fn game(&self) -> &dyn DynGame {
        self.game.as_ref()
    }

    /// What the game asks of those who score it, and who is on the field.
    pub fn asking(&self) -> &dyn Asking {
        self.game.asking()
    }

    /// Whether dice alone decide the rest of the match, whatever its sides choose.
    pub fn is_dice_alone(&self) -> bool {
        self.game.dice_alone().is_some()
    }

    /// Whether the last ball has been bowled. Its decision may still wait for a review.
    pub fn last_ball_is_bowled(&self) -> bool {
        self.game.position().result.is_some()
    }

    /// The cards of a ball by their printed names, in a game with cards.
    pub fn cards_of(&self, ball: &Ball) -> Option<String> {
        self.game.cards(ball)
    }

    /// The number of live deliveries.
    pub fn deliveries(&self) -> u32 {
        self.deliveries
    }

    /// The innings and the over of the next delivery.
    pub fn next_over(&self) -> (u16, u16) {
        let position = self.game.position();
        (position.innings, position.over)
    }

    /// The side that bats in an innings: the sides bat by turns.
    pub fn batting_in(&self, innings: u16) -> Side {
        let batting = self.game.asking().on_field().batting;
        if self.next_over().0 % 2 == innings % 2 { batting } else { batting.other() }
    }

    /// The result, once the match is completed.
    pub fn result(&self) -> Option<MatchResult> {
        match self.phase {
            Phase::Completed(result) => Some(result),
            Phase::SetUp | Phase::Toss | Phase::TossDecision(_) | Phase::Play | Phase::Abandoned => None,
        }
    }

    /// Whether the match is completed or abandoned.
    pub fn has_finished(&self) -> bool {
        matches!(self.phase, Phase::Completed(_) | Phase::Abandoned)
    }

    /// The status of the match in JSON: `created|in_play|completed|abandoned`.
    pub fn status(&self) -> &'static str {
        match self.phase {
            Phase::SetUp | Phase::Toss => "created",
            Phase::TossDecision(_) | Phase::Play => "in_play",
            Phase::Completed(_) => "completed",
            Phase::Abandoned => "abandoned",
        }
    }

    /// Whether the match had finished before its last correction, and has not finished again. Its seeds are
    /// open, so it must not stay so.
    pub fn is_reopened(&self) -> bool {
        self.corrected.as_ref().is_some_and(|corrected| corrected.reopened)
    }

    /// Whether everybody can know the seeds of the match.
    pub(super) fn seeds_are_open(&self) -> bool {
        self.info.created.dice == DiceMode::Seeded && (self.has_finished() || self.is_reopened())
    }

    /// The game as it was before the play that a correction or a restoration makes void, in a match whose
    /// seeds are open if they were open after that play.
    pub(super) fn gone_back_to(&self, before: GameInPlay, reversal: Reversal<'_>) -> GameInPlay {
        let ended = AgreedEnds::after(self.agreed_ends(), before.agreed_ends(), reversal);
        let corrected = CorrectedPlay { reopened: self.seeds_are_open(), ended };
        GameInPlay { corrected: corrected.kept(), ..before }
    }

    /// An earlier state of this play, with the innings that end by agreement after it.
    pub(super) fn resumed(self, now: &GameInPlay) -> GameInPlay {
        let Some(later) = now.agreed_ends() else { return self };
        let before = self.corrected.as_deref().cloned().unwrap_or_default();
        let ended = before.ended.resumed(later, self.deliveries);
        GameInPlay { corrected: CorrectedPlay { ended, ..before }.kept(), ..self }
    }

    fn agreed_ends(&self) -> Option<&AgreedEnds> {
        self.corrected.as_ref().map(|corrected| &corrected.ended)
    }

    /// The innings that have ended by agreement, in order.
    pub fn ended(&self) -> &[EndedInnings] {
        self.agreed_ends().map_or(&[], AgreedEnds::met)
    }

    /// Whether an innings has ended by agreement there, or will.
    pub fn ends_by_agreement(&self, ended: &EndedInnings) -> bool {
        self.agreed_ends().is_some_and(|ends| ends.has(ended))
    }

    /// Ends the innings in progress by agreement, after the last ball so far.
    pub(super) fn end_innings(&mut self) {
        let ended = EndedInnings { innings: self.next_over().0, after: self.deliveries };
        Arc::make_mut(self.corrected.get_or_insert_default()).ended.meet(ended);
        self.game.end_innings();
    }

    /// Whether an innings had ended by agreement in the play that the last correction made void.
    pub fn had_ended(&self, innings: u16) -> bool {
        let void = self.agreed_ends().map_or(&[][..], AgreedEnds::void);
        void.iter().any(|ended| ended.innings == innings)
    }

    /// Ends each innings for which that was agreed after the last ball so far.
    pub(super) fn end_as_agreed(&mut self) {
        while self.phase == Phase::Play && self.agreed_ends().is_some_and(AgreedEnds::is_due) {
            let innings = self.next_over().0;
            let corrected = Arc::make_mut(self.corrected.get_or_insert_default());
            if !corrected.ended.meet_due(innings, self.deliveries) {
                break;
            }
            self.game.end_innings();
        }
    }

    /// The next step of the set-up, the toss or the game.
    pub(super) fn next(&self) -> Next {
        match self.phase {
            Phase::SetUp | Phase::Play => self.game.next(),
            Phase::Toss => Next::Choose {
                side: None,
                what: "toss",
                legal: json!({"caller": ["home", "away"], "call": ["heads", "tails"]}),
                default: Value::Null,
            },
            Phase::TossDecision(winner) => Next::Choose {
                side: Some(winner),
                what: "toss_decision",
                legal: json!({"to": ["bat", "bowl"]}),
                default: Value::Null,
            },
            Phase::Completed(result) => {
                Next::Finished { result: Some(ResultView::of(&self.info.created, result)) }
            }
            Phase::Abandoned => Next::Finished { result: None },
        }
    }

    /// Applies an event. The events that a game decides are applied to the game before: see
    /// [`go_on_with`](Self::go_on_with) and [`replay`](Self::replay).
    pub(super) fn apply(&mut self, event: &EventData) {
        match event.family() {
            EventFamily::Lifecycle(event) => self.apply_lifecycle(event),
            // The choices before a set-up are events of the game too, and the match waits on after them.
            EventFamily::Play(PlayEvent::SetUp(_)) if !self.game.position().awaits_set_up => {
                self.phase = Phase::Toss;
            }
            EventFamily::Play(PlayEvent::Ball(ball)) => self.deliveries = ball.delivery,
            EventFamily::Play(PlayEvent::SetUp(_) | PlayEvent::Over(_) | PlayEvent::Roll(_))
            | EventFamily::Remote(_)
            | EventFamily::Review(_)
            | EventFamily::Adjudication(_) => {}
        }
    }

    fn apply_lifecycle(&mut self, event: LifecycleEvent<'_>) {
        match event {
            LifecycleEvent::MatchCreated(_) => {}
            LifecycleEvent::Toss(toss) => self.phase = Phase::TossDecision(toss.winner()),
            LifecycleEvent::TossDecided(decided) => {
                self.phase = Phase::Play;
                self.game.start(decided.bats_first());
            }
            LifecycleEvent::MatchCompleted(completed) => self.finish(Phase::Completed(completed.result)),
            LifecycleEvent::MatchAbandoned(_) => self.finish(Phase::Abandoned),
        }
    }

    fn finish(&mut self, phase: Phase) {
        self.phase = phase;
        if let Some(corrected) = self.corrected.take() {
            let ended = corrected.ended.clone();
            self.corrected = CorrectedPlay { reopened: false, ended }.kept();
        }
    }

    /// Goes on with a later state of the game.
    pub(super) fn go_on_with(&mut self, game: Box<dyn DynGame>) {
        self.game = game;
    }

    /// Admits a recorded event that a game decides, and applies it to the game.
    pub(super) fn replay(&mut self, recorded: &EventData) -> Result<(), InvalidEvent> {
        self.check_unknown(recorded)?;
        self.game.replay(recorded)
    }

    /// Decides a recorded event again that a game decides, and applies it to the game if the decision is
    /// equal. Returns the deals of the event, which only the seeds can prove.
    pub(super) fn verify(&mut self, recorded: &EventData) -> Result<Vec<Deals>, Vec<Disagreement>> {
        self.check_unknown(recorded).map_err(|invalid| vec![Disagreement::Impossible(invalid)])?;
        self.game.verify(recorded)
    }

    /// Refuses a ball that nobody knows in a match whose dice come from a seed, which gives every ball.
    fn check_unknown(&self, recorded: &EventData) -> Result<(), InvalidEvent> {
        match recorded {
            EventData::Ball(Ball { unknown: true, .. }) if self.info.created.dice == DiceMode::Seeded => {
                Err(InvalidEvent::new("data.unknown", "is only in a match with table dice"))
            }
            _ => Ok(()),
        }
    }

    /// Decides a ball that nobody knows any more, at a table.
    pub(super) fn decide_unknown(&self) -> Result<GameDecided, Refusal> {
        self.game.decide_unknown()
    }

    /// Decides an input of play, and changes nothing.
    pub(super) fn decide(&self, play: Play, dice: &mut dyn Dice) -> Result<GameDecided, Refusal> {
        self.game.decide(play, dice)
    }

    /// The values that were dealt in a recorded event that comes next, with their draws.
    pub fn dealt(&self, recorded: RecordedPlay<'_>) -> Vec<(Draw, Vec<u8>)> {
        self.game.dealt(recorded)
    }

    /// The choices that could be made for the event of play that comes next and has these choices and dice.
    pub fn offers(&self, made: &Choices, dice: &[i64]) -> ChoiceOffers {
        self.game.offers(made, dice)
    }

    /// The toss that the sides have made by themselves, with a coin of their own.
    pub(super) fn report_toss(&self, winner: Side) -> Result<Toss, Refusal> {
        if self.info.created.dice == DiceMode::Table {
            return Ok(Toss::reported(winner));
        }
        let place = Place::Field("winner".to_owned());
        Err(Refusal::new(RefusalKind::IllegalInput, place, COIN_OF_SEED))
    }

    /// Admits a recorded toss, which has its coin where the dice come from a seed.
    pub(super) fn admit_toss(&self, toss: &Toss) -> Result<(), InvalidEvent> {
        match toss {
            Toss::Called(_) => Ok(()),
            Toss::Reported(reported) => self
                .report_toss(reported.winner)
                .map(drop)
                .map_err(|refusal| InvalidEvent::new("data.winner", refusal.message)),
        }
    }

    /// Checks that a recorded event follows from an input of play, with the dice that it records.
    pub fn check_follows(&self, recorded: &EventData, play: Play) -> Result<(), Disagreement> {
        let Some(played) = recorded.play() else { return Ok(()) };
        let mut dice = RecordedDice::dealing(played.dice(), self.game.dealt(played));
        compare_first(self.game.decide(play, &mut dice), recorded)
    }

    /// Checks that a recorded ball follows from these choices, and from the agreed outcome if there is one.
    pub fn check_ball(
        &self,
        recorded: &Ball,
        choices: Choices,
        agreed: Option<&AgreedOutcome>,
    ) -> Result<(), Disagreement> {
        let event = EventData::Ball(recorded.clone());
        if recorded.unknown {
            return compare_first(self.game.decide_unknown(), &event);
        }
        let Some(agreed) = agreed else { return self.check_follows(&event, Play::Ball(choices)) };
        let dealt = self.game.dealt(RecordedPlay::Ball(recorded));
        let mut dice = RecordedDice::dealing(&recorded.dice, dealt);
        compare_first(self.game.decide_agreed(choices, agreed, &mut dice), &event)
    }

    /// The batter who faces after a ball that comes next; none where that is not known, or it cannot come.
    pub fn faces_after(&self, ball: &Ball) -> Option<String> {
        let mut after = self.game.boxed();
        after.replay(&EventData::Ball(ball.clone())).ok()?;
        after.asking().on_field().striker.map(str::to_owned)
    }

    /// Checks the draw of a recorded ball, and the reason of its agreed outcome.
    pub(super) fn check_draw(&self, ball: &Ball) -> Result<(), Disagreement> {
        if let Some(as_stood) = &ball.as_stood {
            check_reason("as_stood.reason", &as_stood.reason).map_err(Disagreement::Refused)?;
        }
        let drawn = self.info.created.dice == DiceMode::Seeded;
        if ball.seed == drawn.then(|| Ball::draw(ball.delivery)) {
            return Ok(());
        }
        let reason = "must name domain 4 and the delivery in a seeded match, and be null with table dice";
        Err(Disagreement::Impossible(InvalidEvent::new("data.seed", reason)))
    }
}

/// Why no winner of a toss can be told in a seeded match.
const COIN_OF_SEED: &str = "the coin of this match comes from its seed, and gives the winner of the toss; \
                            say who calls, and heads or tails";

/// Checks that a decision of a game begins with the recorded event.
fn compare_first(decided: Result<GameDecided, Refusal>, recorded: &EventData) -> Result<(), Disagreement> {
    match decided.map_err(Disagreement::Refused)?.events.into_iter().next() {
        Some(decided) if decided != *recorded => Err(Disagreement::Otherwise(Box::new(decided))),
        _ => Ok(()),
    }
}

/// Makes the toss: rolls the coin, and finds the winner.
pub(super) fn make_toss(caller: Side, call: CoinFace, dice: &mut dyn Dice) -> Result<CalledToss, Refusal> {
    dice.begin(Draw::TOSS);
    let coin = CoinFace::from_die(dice.roll(COIN, 2).map_err(|_| {
        let message = "the coin is missing: say whether it came down heads or tails";
        let place = Place::Field(COIN.to_owned());
        Refusal::new(RefusalKind::NeedsInput, place, message).legal(json!(["heads", "tails"]))
    })?);
    dice.end()?;
    let winner = if call == coin { caller } else { caller.other() };
    Ok(CalledToss { caller, call, coin, winner })
}

/// The decision of the winner of the toss.
pub(super) fn decide_toss(by: Side, to: TossChoice) -> EventData {
    EventData::TossDecided(TossDecided { by, to, draw: None })
}

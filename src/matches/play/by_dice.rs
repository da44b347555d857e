use crate::dice::RecordedDice;
use crate::log::{Ball, Over, RecordedPlay};
use crate::matches::GameInPlay;
use crate::rules::{
    Ask, AskKind, AskedStep, BodySoFar, Draft, OUT, Place, Play, RefusalKind, Words, words_of_outcome,
};
use crate::scorebook::{Outcome, Ruling};

/// What a recorded ball had come to after some of its dice.
#[derive(Debug, Clone, PartialEq)]
pub struct AfterDice {
    /// The rulings up to there, in order.
    pub rulings: Vec<&'static Ruling>,
    /// What the dice had come to, in words; none where the game has none for it.
    pub words: Option<String>,
}

impl GameInPlay {
    /// Whether an over that was begun on this match has the numbers of its balls, entered at once in order.
    pub fn has_orders(&self, over: &Over) -> bool {
        let draft = Draft { step: AskedStep::Over, choices: &over.choices, dice: &[], lists_values: false };
        let is_given = |at: &str| at.split('.').any(|name| over.choices.contains_key(name));
        let has_numbers =
            |ask: &Ask| ask.kind == AskKind::Order && ask.minimum.is_some() && is_given(&ask.at);
        self.game.asking().asks(&draft).iter().any(has_numbers)
    }

    /// What a recorded ball had come to after the first of its dice, as this match decides it. None where it
    /// waited for no other die there, or where it is not the next ball.
    pub fn after_dice(&self, ball: &Ball, rolled: usize) -> Option<AfterDice> {
        let dice = ball.dice.get(..rolled)?;
        let mut recorded = RecordedDice::dealing(dice, self.game.dealt(RecordedPlay::Ball(ball)));
        let refusal = self.game.decide(Play::Ball(ball.choices.clone()), &mut recorded).err()?;
        let is_next = refusal.kind == RefusalKind::NeedsInput && refusal.place == Place::Die(rolled);
        let words = self.words_of_dice(ball, rolled, &refusal.so_far, None);
        is_next.then(|| AfterDice { rulings: refusal.so_far.into_vec(), words })
    }

    /// What all dice of a recorded ball have come to, in words; `outcome` is the one by the rules.
    pub fn after_all_dice(&self, ball: &Ball, outcome: &Outcome) -> String {
        let words = self.words_of_dice(ball, ball.dice.len(), &[], Some(outcome));
        words.unwrap_or_else(|| words_of_outcome(outcome).as_sentence())
    }

    /// The outcome of a recorded ball in a few words, on the match before it: `Quinn out, caught`, `dropped
    /// by Brody`, `four`.
    pub fn outcome_in_words(&self, ball: &Ball) -> String {
        if ball.unknown {
            return "not known, no run".to_owned();
        }
        let outcome = &ball.outcome;
        let of_game = |words: &Words| words.title != OUT;
        let faces: Vec<i64> = ball.dice.iter().map(|die| i64::from(die.value)).collect();
        let draft =
            Draft { step: AskedStep::Ball, choices: &ball.choices, dice: &faces, lists_values: false };
        let so_far = BodySoFar { draft: &draft, rulings: &[], outcome: Some(outcome) };
        let words =
            self.game.asking().words(&so_far).filter(|words| ball.as_stood.is_none() && of_game(words));
        let Words { title, text, .. } = words.unwrap_or_else(|| words_of_outcome(outcome));
        let text = text.unwrap_or_default();
        let in_words = match &outcome.wicket {
            Some(wicket) if text.starts_with("run out") => format!("{} {text}", wicket.player_out),
            Some(wicket) => format!("{} out, {text}", wicket.player_out),
            None if text.is_empty() => in_a_sentence(title),
            None if text.starts_with("by ") || text.starts_with("and ") => {
                format!("{} {text}", in_a_sentence(title))
            }
            None => format!("{}, {text}", in_a_sentence(title)),
        };
        if ball.as_stood.is_some() { format!("{in_words}, as agreed") } else { in_words }
    }

    fn words_of_dice(
        &self,
        ball: &Ball,
        rolled: usize,
        rulings: &[&'static Ruling],
        outcome: Option<&Outcome>,
    ) -> Option<String> {
        let faces: Vec<i64> = ball.dice.iter().take(rolled).map(|die| i64::from(die.value)).collect();
        let draft =
            Draft { step: AskedStep::Ball, choices: &ball.choices, dice: &faces, lists_values: false };
        let so_far = BodySoFar { draft: &draft, rulings, outcome };
        let asking = self.game.asking();
        let words = || Some(asking.words(&so_far)?.into_so_far()).filter(|words| !words.is_empty());
        asking.picked(&so_far).or_else(words)
    }
}

/// A title within a sentence: `FOUR` is written `four`.
fn in_a_sentence(title: String) -> String {
    if title.chars().all(char::is_uppercase) { title.to_lowercase() } else { title }
}

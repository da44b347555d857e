//! The driver of the refits: it notes a random match as it is recorded, finds out by itself what was made,
//! and plays the match anew with a corrected ball.

use std::collections::{BTreeMap, VecDeque};

use serde_json::json;
use third_umpire::dice::{Dice, DiceFault, Die, Draw, RecordedDice};
use third_umpire::log::{Ball, EndedInnings, EventData, Over, Review};
use third_umpire::matches::corrections::{BallAnswer, LaterAnswer, MissingBall, MissingKnown, RefitAnswers};
use third_umpire::matches::{Input, Match};
use third_umpire::rules::{Choices, Place, Play, RefusalKind};
use third_umpire_test_support::logs::{PlayedMatch, SealedLog};
use third_umpire_test_support::random::{Chooser, Plan, step};

/// A ball of the match as it was recorded, with what somebody had chosen for it.
#[derive(Clone)]
pub struct Bowled {
    pub delivery: u32,
    pub innings: u16,
    pub made: Choices,
    pub dice: Vec<Die>,
    pub review: Option<Review>,
}

/// A match at a table as it was recorded.
pub struct Recorded {
    pub played: PlayedMatch,
    pub sealed: SealedLog,
    pub chooser: Chooser,
    pub balls: Vec<Bowled>,
    pub overs: BTreeMap<(u16, u16), Choices>,
    /// The match before each ball, by its delivery.
    pub before: BTreeMap<u32, Match>,
    /// The match before each over, by the delivery of its first ball.
    pub before_over: BTreeMap<u32, Match>,
}

/// The choices of an event that count as made: those without which the event would be another.
fn made(before: &Match, data: &EventData) -> Choices {
    let (choices, dice, play): (&Choices, &[Die], fn(Choices) -> Play) = match data {
        EventData::Over(over) => (&over.choices, &over.dice, Play::Over),
        EventData::Ball(ball) => (&ball.choices, &ball.dice, Play::Ball),
        _ => unreachable!("an over or a ball"),
    };
    let mut made = choices.clone();
    for name in choices.keys() {
        let mut without = made.clone();
        without.remove(name);
        let decided = before.decide(Input::Play(play(without.clone())), &mut RecordedDice::new(dice), None);
        if decided.is_ok_and(|decided| decided.events.first() == Some(data)) {
            made = without;
        }
    }
    made
}

impl Recorded {
    pub fn of(plan: &Plan, steps: usize) -> Recorded {
        let (mut played, mut chooser) = plan.begin();
        let mut recorded = (Vec::<Bowled>::new(), BTreeMap::new(), BTreeMap::new());
        let (mut before_over, mut begun) = (BTreeMap::new(), None);
        for _ in 0..steps {
            let mut state = played.the_match.clone();
            let Some((_, events)) = step(&mut played, &mut chooser) else { break };
            for data in events {
                match &data {
                    EventData::Over(Over { innings, over, .. }) => {
                        recorded.1.insert((*innings, *over), made(&state, &data));
                        begun = Some(state.clone());
                    }
                    EventData::Ball(Ball { delivery, innings, dice, .. }) => {
                        let made = made(&state, &data);
                        let (delivery, innings, dice) = (*delivery, *innings, dice.clone());
                        recorded.0.push(Bowled { delivery, innings, made, dice, review: None });
                        recorded.2.insert(delivery, state.clone());
                        before_over.extend(begun.take().map(|before| (delivery, before)));
                    }
                    EventData::Review(review) => {
                        recorded.0.last_mut().unwrap().review = Some(review.clone());
                    }
                    _ => {}
                }
                state.replay(&data).unwrap();
            }
        }
        let sealed = SealedLog::of(&played.log);
        let (balls, overs, before) = recorded;
        Recorded { played, sealed, chooser, balls, overs, before, before_over }
    }

    /// Whether the numbers of an over were entered at once, of the over of a delivery or of a later one of
    /// its innings.
    pub fn has_orders_from(&self, delivery: u32) -> bool {
        let Bowled { innings, .. } = self.balls[delivery as usize - 1];
        let (_, over) = self.before[&delivery].play().next_over();
        self.overs.iter().any(|((its, number), choices)| {
            *its == innings && *number >= over && choices.contains_key("orders")
        })
    }

    /// Other dice and choices for a ball, as somebody would enter them who bowls it anew.
    pub fn bowled_anew(&mut self, delivery: u32) -> Option<(Choices, Vec<i64>, Vec<EventData>)> {
        let (before, bowled) = (&self.before[&delivery], &self.balls[delivery as usize - 1]);
        let mut choices = bowled.made.clone();
        for name in ["bowler_number", "batter_number"] {
            if choices.contains_key(name) {
                choices.insert(name.to_owned(), json!(self.chooser.below(10)));
            }
        }
        let mut dice = Rolling { kept: &[], used: 0, rolled: Vec::new(), chooser: self.chooser.clone() };
        let events = settled(before, &mut choices, &mut dice, Play::Ball, &mut Vec::new())?;
        self.chooser = dice.chooser;
        let values = dice.rolled.iter().map(|value| i64::from(*value)).collect();
        Some((choices, values, events))
    }
}

/// Dice of a kept ball: those that it had up to the first that differs, and then others.
pub struct Rolling<'a> {
    kept: &'a [Die],
    used: usize,
    rolled: Vec<u16>,
    chooser: Chooser,
}

impl Dice for Rolling<'_> {
    fn begin(&mut self, _: Draw) {}

    fn roll(&mut self, what: &'static str, sides: u16) -> Result<u16, DiceFault> {
        let at = self.used + self.rolled.len();
        match self.kept.get(at).filter(|die| die.what == what && die.sides == sides) {
            Some(die) if self.rolled.is_empty() => {
                self.used += 1;
                Ok(die.value)
            }
            _ => {
                let value = self.chooser.below(usize::from(sides)) as u16 + 1;
                self.rolled.push(value);
                Ok(value)
            }
        }
    }

    fn deal(&mut self, _: &[u8], _: usize) -> Result<Vec<u8>, DiceFault> {
        Err(DiceFault::NotDealt)
    }

    fn end(&mut self) -> Result<(), DiceFault> {
        Ok(())
    }
}

/// Decides an over or a ball with these choices, without those that are not possible, and with answers to
/// what is asked, which are noted.
fn settled(
    state: &Match,
    choices: &mut Choices,
    dice: &mut Rolling<'_>,
    play: fn(Choices) -> Play,
    asked: &mut Vec<String>,
) -> Option<Vec<EventData>> {
    // The dice are the same at each try.
    let mut answers = Chooser::new(vec![dice.chooser.clone().below(256) as u8]);
    for _ in 0..200 {
        (dice.used, dice.rolled) = (0, Vec::new());
        let mut these = Rolling { chooser: dice.chooser.clone(), rolled: Vec::new(), ..*dice };
        let decided = state.decide(Input::Play(play(choices.clone())), &mut these, None);
        let refusal = match decided {
            Ok(decided) => {
                *dice = these;
                return Some(decided.events);
            }
            Err(refusal) => refusal,
        };
        match (refusal.kind, &refusal.place) {
            (RefusalKind::NeedsInput, Place::Choice(name)) => {
                let list = refusal.legal.as_array().cloned().unwrap_or_default();
                choices.insert(name.clone(), answers.pick(&list).clone());
                asked.push(name.clone());
            }
            (_, Place::Choice(name)) => {
                let name = name.split('.').next().unwrap();
                assert!(!asked.iter().any(|asked| asked == name), "the answer {name} is refused: {refusal}");
                choices.remove(name)?;
            }
            _ => return None,
        }
    }
    None
}

/// The match that a driver plays with a corrected ball.
pub struct Anew {
    /// The events from the corrected ball on.
    pub events: Vec<EventData>,
    pub answers: RefitAnswers,
    /// What is asked, in order.
    pub asked: Vec<Asked>,
    /// The innings that end by agreement.
    pub ended: Vec<EndedInnings>,
}

/// A question, with the number of answers to later balls and to missing ones before it.
pub struct Asked {
    pub of: AskedOf,
    pub later: usize,
    pub missing: usize,
}

#[derive(Debug, PartialEq, Eq)]
pub enum AskedOf {
    Later(u32),
    Missing(u16),
}

impl Anew {
    fn ask(&mut self, of: AskedOf) {
        let RefitAnswers { later, missing } = &self.answers;
        self.asked.push(Asked { of, later: later.len(), missing: missing.len() });
    }

    /// Plays the next ball of an innings that goes on past its last one: it is bowled, or nobody knows it, or
    /// the innings ended before it.
    fn play_missing(&mut self, state: &mut Match, chooser: &mut Chooser) -> Option<()> {
        let innings = state.play().next_over().0;
        self.ask(AskedOf::Missing(innings));
        let known = match chooser.below(4) {
            _ if self.answers.missing.len() >= 40 => MissingKnown::Ended,
            0 => MissingKnown::Ended,
            1 => MissingKnown::Unknown,
            _ => MissingKnown::Bowled(BallAnswer::default()),
        };
        if known == MissingKnown::Ended {
            let decided = state.end_innings();
            self.ended.push(EndedInnings { innings, after: state.play().deliveries() });
            self.events.extend(decided.events);
            *state = decided.after;
            self.answers.missing.push(MissingBall { innings, known });
            return Some(());
        }
        if state.play().asking().on_field().bowler.is_none() {
            let over = Input::Play(Play::Over(Choices::new()));
            let begun = state.decide(over, &mut RecordedDice::new(&[]), None).ok()?;
            begun.events.iter().for_each(|data| take(state, self, data));
        }
        let (mut choices, mut asked) = (Choices::new(), Vec::new());
        let (events, known) = if known == MissingKnown::Unknown {
            (state.decide_unknown().ok()?.events, known)
        } else {
            let mut dice = Rolling { kept: &[], used: 0, rolled: Vec::new(), chooser: chooser.clone() };
            let events = settled(state, &mut choices, &mut dice, Play::Ball, &mut asked)?;
            *chooser = dice.chooser;
            let dice = dice.rolled.iter().map(|value| i64::from(*value)).collect();
            (events, MissingKnown::Bowled(BallAnswer { over: Choices::new(), choices, dice }))
        };
        events.iter().for_each(|data| take(state, self, data));
        self.answers.missing.push(MissingBall { innings, known });
        Some(())
    }
}

/// Plays on from the match before a delivery with these events, and then with the recorded balls but for the
/// first `skipped`.
pub fn played_anew(
    recorded: &Recorded,
    delivery: u32,
    corrected: &[EventData],
    skipped: u32,
) -> Option<Anew> {
    // An over goes with its first ball where that is taken out, and begins anew.
    let over = recorded.before_over.get(&delivery).filter(|_| corrected.is_empty());
    let mut state = over.unwrap_or(&recorded.before[&delivery]).clone();
    let answers = RefitAnswers::default();
    let mut anew = Anew { events: Vec::new(), answers, asked: Vec::new(), ended: Vec::new() };
    corrected.iter().for_each(|data| take(&mut state, &mut anew, data));
    let mut balls: VecDeque<&Bowled> = recorded.balls.iter().skip(skipped as usize).collect();
    let mut chooser = recorded.chooser.clone();
    let is_amended = skipped == delivery && !corrected.is_empty();
    let mut review = recorded.balls[delivery as usize - 1].review.as_ref().filter(|_| is_amended);
    let was_completed = recorded.played.the_match.play().result().is_some();
    loop {
        if state.play().has_finished() {
            break;
        }
        if let Some(open) = state.reviews().open() {
            let kept = review.take().filter(|review| review.by() == open.by);
            let goes_on = !balls.is_empty() || was_completed || has_over(recorded, &state);
            let input = match kept {
                Some(Review::Made(_)) => Input::Review { by: open.by },
                Some(Review::Accepted(_)) => Input::Accept { by: open.by },
                None if goes_on => Input::Accept { by: open.by },
                None => break,
            };
            let dice = kept.and_then(Review::made).map_or(&[][..], |made| &made.dice);
            let decided = state.decide(input, &mut RecordedDice::new(dice), None).ok()?;
            decided.events.iter().for_each(|data| take(&mut state, &mut anew, data));
            continue;
        }
        let (innings, over) = state.play().next_over();
        while balls.front().is_some_and(|ball| ball.innings < innings) {
            balls.pop_front();
        }
        let is_of_innings = balls.front().is_some_and(|ball| ball.innings == innings);
        let begins = state.play().asking().on_field().bowler.is_none();
        let known = recorded.overs.get(&(innings, over)).filter(|_| begins);
        let goes_on = is_of_innings || balls.is_empty() && known.is_some();
        if !goes_on && balls.iter().any(|ball| ball.innings > innings) {
            // The answer to the ball before is none to this one.
            review = None;
            anew.play_missing(&mut state, &mut chooser)?;
            continue;
        }
        if !goes_on {
            break;
        }
        let next = balls.front().map(|ball| ball.delivery);
        let (mut choices, kept, play): (Choices, &[Die], fn(Choices) -> Play) = match begins {
            true => (known.cloned().unwrap_or_default(), &[], Play::Over),
            false => {
                let ball = balls.pop_front()?;
                review = ball.review.as_ref();
                (ball.made.clone(), &ball.dice, Play::Ball)
            }
        };
        let mut dice = Rolling { kept, used: 0, rolled: Vec::new(), chooser: chooser.clone() };
        let mut asked = Vec::new();
        let events = settled(&state, &mut choices, &mut dice, play, &mut asked)?;
        chooser = dice.chooser;
        let answered: Choices = asked.iter().map(|name| (name.clone(), choices[name].clone())).collect();
        if !answered.is_empty() || !dice.rolled.is_empty() {
            let delivery = next?;
            if anew.answers.later.last().is_none_or(|last| last.delivery != delivery) {
                anew.ask(AskedOf::Later(delivery));
                anew.answers.later.push(LaterAnswer { delivery, ..LaterAnswer::default() });
            }
            let answer = anew.answers.later.last_mut()?;
            *(if begins { &mut answer.ball.over } else { &mut answer.ball.choices }) = answered;
            answer.ball.dice = dice.rolled.iter().map(|value| i64::from(*value)).collect();
        }
        events.iter().for_each(|data| take(&mut state, &mut anew, data));
    }
    Some(anew)
}

fn has_over(recorded: &Recorded, state: &Match) -> bool {
    let next = state.play().next_over();
    recorded
        .overs
        .keys()
        .any(|over| *over > next || (*over == next && state.play().asking().on_field().bowler.is_none()))
}

fn take(state: &mut Match, anew: &mut Anew, data: &EventData) {
    state.replay(data).unwrap_or_else(|why| panic!("{data:?}: {why}"));
    anew.events.push(data.clone());
}

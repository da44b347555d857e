use crate::log::{Event, EventData, LiveEvent, StepAnew};
use crate::matches::Match;
use crate::scorebook::{BySide, Side};

/// A step before the play that a correction decides anew, with what came of it before and since.
#[derive(Debug, Clone)]
pub(super) struct AnewInWords {
    step: StepAnew,
    names: BySide<String>,
    was: TossInWords,
    is: TossInWords,
}

/// What came of a toss.
#[derive(Debug, Clone, Copy, Default)]
struct TossInWords {
    winner: Option<Side>,
    bats_first: Option<Side>,
}

impl TossInWords {
    fn take(&mut self, data: &EventData) {
        match data {
            EventData::Toss(toss) => self.winner = Some(toss.winner()),
            EventData::TossDecided(decided) => self.bats_first = Some(decided.bats_first()),
            _ => {}
        }
    }
}

impl AnewInWords {
    /// A step that is decided anew, with what the void events had made of it.
    pub fn of(step: StepAnew, before: &Match, void: &[LiveEvent<Event>]) -> AnewInWords {
        let mut was = TossInWords::default();
        void.iter().for_each(|live| was.take(&live.kept.data));
        let names = before.play().info().created.names();
        AnewInWords { step, names, was, is: TossInWords::default() }
    }

    /// Takes an event that follows from the correction.
    pub fn take(&mut self, data: &EventData) {
        self.is.take(data);
    }

    /// The difference in a sentence or two: `The toss: Rovers won it, not Harbour Road.`
    pub fn in_words(&self) -> String {
        let changed = |was: Option<Side>, is: Option<Side>| {
            let (was, is) = was.zip(is).filter(|(was, is)| was != is)?;
            Some((&self.names[is], &self.names[was]))
        };
        let won = changed(self.was.winner, self.is.winner)
            .map(|(is, was)| format!("The toss: {is} won it, not {was}."));
        let bats = changed(self.was.bats_first, self.is.bats_first)
            .map(|(is, was)| format!("{is} bat first, not {was}."));
        match (won, bats) {
            (Some(won), Some(bats)) => format!("{won} {bats}"),
            (Some(words), None) | (None, Some(words)) => words,
            (None, None) => match self.step {
                StepAnew::SetUp => "The set-up is another.".to_owned(),
                StepAnew::Toss => "The toss is another, with the same winner.".to_owned(),
                StepAnew::TossDecided => "The choice to bat or to bowl is another.".to_owned(),
            },
        }
    }
}

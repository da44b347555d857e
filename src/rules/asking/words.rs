//! The words for what a body comes to: those of cricket itself, for a ball that is whole, and the form in
//! which a game gives its own.

use crate::scorebook::Outcome;

/// What a body comes to, in words for a key, for its second line, and for a voice.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Words {
    /// At most 12 characters: `FOUR`, `extra?`.
    pub title: String,
    /// A second line: `or bowled`, `by 5`.
    pub text: Option<String>,
    /// The title and the second line as a sentence, for a voice.
    pub sentence: Option<String>,
    /// What the body has come to so far, without what it may still become: `a legal ball`.
    pub so_far: Option<String>,
}

impl Words {
    /// Words without a second line.
    pub fn new(title: impl Into<String>) -> Words {
        Words { title: title.into(), ..Words::default() }
    }

    /// The words with a second line.
    pub fn text(self, text: impl Into<String>) -> Words {
        Words { text: Some(text.into()), ..self }
    }

    /// The words with a sentence of their own.
    pub fn sentence(self, sentence: impl Into<String>) -> Words {
        Words { sentence: Some(sentence.into()), ..self }
    }

    /// The words with what the body has come to so far.
    pub fn so_far(self, so_far: impl Into<String>) -> Words {
        Words { so_far: Some(so_far.into()), ..self }
    }

    /// What the body has come to so far; of a whole body the words themselves.
    pub fn into_so_far(mut self) -> String {
        self.so_far.take().unwrap_or_else(|| self.as_sentence())
    }

    /// The words as a sentence; without one of their own the two lines together.
    pub fn as_sentence(&self) -> String {
        let lines = || match &self.text {
            Some(text) => format!("{}, {text}", self.title),
            None => self.title.clone(),
        };
        self.sentence.clone().unwrap_or_else(lines)
    }
}

/// The title of a wicket.
pub const OUT: &str = "OUT";

/// The outcome of a whole ball, in cricket's own words.
pub fn words_of_outcome(outcome: &Outcome) -> Words {
    let mut parts = extras_of(outcome);
    if let Some(wicket) = &outcome.wicket {
        if outcome.runs.batter > 0 {
            parts.push(runs(outcome.runs.batter));
        }
        parts.insert(0, wicket.kind.as_str().to_owned());
        return Words::new(OUT).text(parts.join(", "));
    }
    match (outcome.runs.batter, outcome.boundary) {
        (4, Some(4)) => with_extras(Words::new("FOUR"), parts),
        (6, Some(6)) => with_extras(Words::new("SIX"), parts),
        (0, _) if parts.is_empty() => Words::new("no run"),
        (0, _) => {
            let first = parts.remove(0);
            with_extras(Words::new(first), parts)
        }
        (batter, _) => with_extras(Words::new(runs(batter)), parts),
    }
}

fn with_extras(words: Words, extras: Vec<String>) -> Words {
    if extras.is_empty() { words } else { words.text(format!("and {}", extras.join(", "))) }
}

fn runs(runs: u16) -> String {
    if runs == 1 { "1 run".to_owned() } else { format!("{runs} runs") }
}

/// The extras of a ball, each in a few words.
fn extras_of(outcome: &Outcome) -> Vec<String> {
    let in_words = |(runs, one, more)| match runs {
        1 if matches!(one, "no-ball" | "wide") => one.to_owned(),
        1 => format!("1 {one}"),
        runs => format!("{runs} {more}"),
    };
    outcome.extras.scored().map(in_words).collect()
}

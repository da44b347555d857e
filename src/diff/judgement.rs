use super::comparison::{FirstDifference, Ground, Judgement, Supported};
use super::recorded::{Lines, audited, opened_seeds, place_of};
use crate::audit::{Check, Divergence, Report};
use crate::dice::COIN;
use crate::editions::Editions;

/// Audits a book, by its own seeds and by those opened in the other; what it found, and the first event that diverges.
pub(super) fn judged(own: &Lines, other: &Lines, editions: &Editions) -> (Report, Option<Divergence>) {
    let report = audited(own, None, editions);
    let own_seeds = opened_seeds(own);
    let lent = opened_seeds(other).filter(|seeds| Some(seeds) != own_seeds.as_ref());
    let by_lent = lent.and_then(|seeds| audited(own, Some(seeds), editions).divergence);
    // What is wrong with the lent seeds themselves is no fault of this book.
    let by_lent = by_lent.filter(|divergence| place_of(divergence) <= report.events);
    let divergence = report.divergence.iter().chain(&by_lent).min_by_key(|found| place_of(found)).cloned();
    (report, divergence)
}

/// What is known of a book where the two first differ.
#[derive(Clone, Copy)]
pub(super) struct Heard<'a> {
    /// What the audit found first.
    pub divergence: Option<&'a Divergence>,
    /// The place of the event in question, from 1, or the one after the last.
    pub place: u64,
}

impl<'a> Heard<'a> {
    /// What the audit found up to the event in question.
    fn fault(self) -> Option<&'a Divergence> {
        self.divergence.filter(|divergence| place_of(divergence) <= self.place)
    }
}

/// Which of two books is supported where they first differ; `seeded` where their dice come from a seed.
pub(super) fn judge(first: &FirstDifference, seeded: bool, a: Heard<'_>, b: Heard<'_>) -> Judgement {
    let mut judgement = Judgement {
        supports: Supported::Neither,
        ground: None,
        words: "neither is supported: A does not hold there, nor does B".to_owned(),
        a_holds: a.fault().is_none(),
        b_holds: b.fault().is_none(),
        started_from: Vec::new(),
    };
    match (a.fault(), b.fault()) {
        (Some(_), Some(_)) => {}
        (None, Some(fault)) => judgement.support(Supported::A, ["A", "B"], fault, b.place),
        (Some(fault), None) => judgement.support(Supported::B, ["B", "A"], fault, a.place),
        (None, None) => judgement.support_either(first, seeded),
    }
    judgement
}

impl Judgement {
    fn support(&mut self, one: Supported, [holds, fails]: [&str; 2], fault: &Divergence, place: u64) {
        let ground = ground(fault);
        let words = match ground {
            _ if place_of(fault) < place => {
                format!("{holds} holds there; {fails} does not hold from its event {} on", fault.seq)
            }
            Ground::Rules => format!("the rules support {holds}, and not what {fails} says there"),
            Ground::Seed => format!("the seed supports {holds}: it does not give what {fails} says there"),
            Ground::Chain => format!(
                "the hashes support {holds}: those of {fails} do not fit there, though the rules allow what it says"
            ),
        };
        (self.supports, self.ground, self.words) = (one, Some(ground), words);
    }

    fn support_either(&mut self, first: &FirstDifference, seeded: bool) {
        let fields = first.fields.iter().map(|said| said.field.clone());
        self.started_from = fields.filter(|field| !follows(field)).collect();
        self.supports = Supported::Either;
        self.words = if first.fields.is_empty() {
            "the rules support either: each holds as far as it goes".to_owned()
        } else {
            let from = self.started_from.join(", ");
            let dice = self.started_from.iter().any(|field| field.starts_with("dice") || field == COIN);
            let decides = match (dice, seeded) {
                (false, _) => "",
                (true, true) => "; the seed decides, once it is open",
                (true, false) => "; dice of the table are taken as entered, and no book can prove them",
            };
            format!("the rules support either: A and B start from something else ({from}){decides}")
        };
    }
}

/// Whether a field is what the rules come to, and not what they start from.
fn follows(field: &str) -> bool {
    field.starts_with("outcome.")
        || field.starts_with("rulings")
        || matches!(field, "outcome" | "winner" | "by" | "verdict" | "umpires_call" | "retained")
}

/// The rules know best what is wrong, then the seed; the hashes only know that something is.
fn ground(fault: &Divergence) -> Ground {
    let found = |check| fault.findings.iter().any(|finding| finding.check == check);
    if [Check::Rules, Check::Data, Check::Seal].into_iter().any(found) {
        Ground::Rules
    } else if found(Check::Seed) {
        Ground::Seed
    } else {
        Ground::Chain
    }
}

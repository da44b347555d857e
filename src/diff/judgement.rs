//! The judgement on the first difference of two logs: each is audited by its own seeds and by those that the
//! other reveals, and the log without a fault there is supported.

use super::comparison::{FirstDifference, Ground, Judgement, Supported};
use super::recorded::{Lines, audited, opened_seeds, place_of};
use crate::audit::{AuditReport, Check, Divergence};
use crate::dice::COIN;
use crate::editions::Editions;

/// Audits a log, by its own seeds and by those that the other reveals, and returns the report with the first
/// event that diverges.
pub(super) fn judged(own: &Lines, other: &Lines, editions: &Editions) -> (AuditReport, Option<Divergence>) {
    let report = audited(own, None, editions);
    let own_seeds = opened_seeds(own);
    let lent = opened_seeds(other).filter(|seeds| Some(seeds) != own_seeds.as_ref());
    let by_lent = lent.and_then(|seeds| audited(own, Some(seeds), editions).divergence);
    // A fault of the lent seeds themselves is no fault of this log.
    let by_lent = by_lent.filter(|divergence| place_of(divergence) <= report.events);
    let divergence = report.divergence.iter().chain(&by_lent).min_by_key(|found| place_of(found)).cloned();
    (report, divergence)
}

/// The evidence about a log at the first difference.
#[derive(Clone, Copy)]
pub(super) struct LogEvidence<'a> {
    /// The first event that diverges.
    pub divergence: Option<&'a Divergence>,
    /// The place of the differing event, from 1, or the one after the last.
    pub place: u64,
}

impl<'a> LogEvidence<'a> {
    /// The divergence, if it is not after the differing event.
    fn fault(self) -> Option<&'a Divergence> {
        self.divergence.filter(|divergence| place_of(divergence) <= self.place)
    }
}

/// Judges which of two logs is supported at the first difference; `seeded` is whether their dice come from a
/// seed.
pub(super) fn judge(
    first: &FirstDifference,
    seeded: bool,
    a: LogEvidence<'_>,
    b: LogEvidence<'_>,
) -> Judgement {
    let mut judgement = Judgement {
        supports: Supported::Neither,
        ground: None,
        words: "neither is supported: A is not valid there, and neither is B".to_owned(),
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
                format!("{holds} is valid there; {fails} is not valid from its event {} on", fault.seq)
            }
            Ground::Rules => format!("the rules support {holds}, and not the event of {fails}"),
            Ground::Seed => format!("the seed supports {holds}: it does not give what {fails} records"),
            Ground::Chain => format!(
                "the hashes support {holds}: those of {fails} do not fit there, although the rules allow its event"
            ),
        };
        (self.supports, self.ground, self.words) = (one, Some(ground), words);
    }

    fn support_either(&mut self, first: &FirstDifference, seeded: bool) {
        let fields = || first.fields.iter().map(|said| said.field.clone());
        self.started_from = fields().filter(|field| !follows(field)).collect();
        if self.started_from.is_empty() {
            // The winner of a toss follows from its call and its coin, and from nothing without them.
            self.started_from = fields().collect();
        }
        self.supports = Supported::Either;
        self.words = if first.fields.is_empty() {
            "the rules support either: each is valid as far as it goes".to_owned()
        } else {
            let from = self.started_from.join(", ");
            let is_rolled = |field: &String| field.starts_with("dice") || field == COIN || field == "winner";
            let dice = self.started_from.iter().any(is_rolled);
            let decides = match (dice, seeded) {
                (false, _) => "",
                (true, true) => "; the seed decides, once it is revealed",
                (true, false) => "; table dice are taken as entered, and no log can prove them",
            };
            format!("the rules support either: A and B differ in what they start from ({from}){decides}")
        };
    }
}

/// Whether a field follows from the rules, and is not an input to them.
fn follows(field: &str) -> bool {
    field.starts_with("outcome.")
        || field.starts_with("rulings")
        || matches!(field, "outcome" | "winner" | "by" | "verdict" | "umpires_call" | "retained")
}

/// The ground of a divergence. The rules explain most, then the seed; the hashes only show that something is
/// wrong.
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

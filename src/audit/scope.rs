//! The scope of an audit: the sentences that tell what it has proved, and what it could not prove.
//!
//! These sentences are part of the report. A log that was audited once audits to the same findings for ever;
//! only the words of a sentence may become plainer.

use super::Audit;
use super::seeds::DrawResult;
use crate::log::printable;

/// What remains open in a log without an expected head: somebody may have taken events out and made the chain
/// anew, and the rest can be a match that could have been played so. The sentence names the kinds that tests
/// know, and holds for any other.
const TAKEN_OUT: &str = "that nothing was taken out that leaves no trace in what stands, such as \
    a correction with what it took back or with what it put in place, \
    the last events that a correction took back, the end of the match with its last balls, \
    an abandonment with a correction behind it, a proposal that lapsed, a dispute with its ruling, \
    a token that was handed over, the dice of a ball that had only begun, \
    or an accepted decision in play that is void; note the head at the end of each over and of the match, \
    and audit with it (--expect-head, or expect_head over HTTP)";

impl Audit {
    /// The sentences for what was proved, and for what could not be proved.
    pub(super) fn scope(
        &self,
        status: &str,
        seeded: bool,
        seeds_hold: bool,
        head_known: bool,
        held: Option<u64>,
    ) -> (Vec<String>, Vec<String>) {
        let (mut proved, mut not_proved) = (Vec::new(), Vec::new());
        if let Some(held) = held {
            if held > 0 {
                proved.push(format!("the first {held} events hold"));
            }
            not_proved.push("anything after them".to_owned());
            return (proved, not_proved);
        }
        proved.push(format!("the hash chain is unbroken: {} events", self.events));
        let agreed = if self.exceptions.is_empty() { "" } else { ", but for what the table agreed on" };
        proved.push(format!("every outcome follows from the rules: {} deliveries{agreed}", self.deliveries));
        let remote = self.history.state().is_some_and(|the_match| the_match.play().info().created.remote);
        if self.history.state().is_some_and(|the_match| !the_match.remote().client_seeds().is_empty()) {
            let by = if remote { "" } else { "; nothing proves who entered them at one table" };
            proved.push(format!("both client seeds are the ones that were committed to{by}"));
        }
        if self.drawn > 0 {
            proved.push(format!("choices drawn for a side that let its time run out: {}", self.drawn));
        }
        if self.unsealed > 0 {
            proved
                .push(format!("every revealed choice is the one that was sealed: {} choices", self.unsealed));
        }
        if seeds_hold && self.rolled.iter().any(|rolled| matches!(rolled.what, DrawResult::Deals(_))) {
            proved
                .push("the seed fits its commitment and gives the coin, every die and every deal".to_owned());
        } else if seeds_hold {
            proved.push("the seed fits its commitment and gives the coin and every die".to_owned());
        } else if seeded {
            not_proved.push("the dice: the seeds are not open before the match is over".to_owned());
        } else {
            not_proved.push("the dice: they were rolled at the table and are taken as entered".to_owned());
        }
        if self.reported_toss {
            not_proved
                .push("the toss: it has no call and no coin, and its winner is taken as entered".to_owned());
        }
        not_proved.push("times and authors: the chain fixes them as they were written".to_owned());
        if !self.exceptions.is_empty() {
            let balls = match self.exceptions.len() {
                1 => "a ball that stands".to_owned(),
                many => format!("{many} balls that stand"),
            };
            not_proved.push(format!("{balls} as the table agreed, not by the rules: see the exceptions"));
        }
        let edition = self.history.state().and_then(|the_match| the_match.play().info().edition.as_ref());
        if let Some(edition) = edition.filter(|edition| !self.history.editions().is_built_in(edition)) {
            let id = printable(&edition.id);
            not_proved
                .push(format!("the cards: they are those of edition {id}, which is not the game's own"));
        }
        if !matches!(status, "completed" | "abandoned") {
            not_proved.push("the end: the match is still in play".to_owned());
        }
        if head_known {
            proved.push("the log ends in the expected head".to_owned());
        } else {
            not_proved.push("that this is the log others saw: no head was given to compare".to_owned());
            not_proved.push(TAKEN_OUT.to_owned());
        }
        (proved, not_proved)
    }
}

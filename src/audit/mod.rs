//! The audit: replay a log, decide every event again beside it, and name the first that diverges.
//!
//! Three things are checked on the way: the chain of hashes, the rules with the recorded choices and dice, and, once
//! the seeds are open, the dice against the seed. Memory is for the dice of the match, and for the match before each event
//! that stands, which a correction may go back to: some hundred bytes a ball, less than its line in the log.

mod amended;
mod evidence;
mod findings;
mod located;
mod permitted;
mod report;
mod scope;
mod seeds;

use std::io::BufRead;

use uuid::Uuid;

pub use evidence::{BallReplayed, Evidence, SeedCheck, evidence};
pub use report::{
    Check, Difference, Divergence, ExceptionFound, Finding, Report, RulingCited, Through, Verdict,
};

use self::amended::{Amended, Prints, Was};
use self::findings::{chain_finding, difference, drawn, edition_finding, read, rules_finding, unsealed};
use self::located::Located;
use self::permitted::{comes_again, ends_at_once, in_time, not_by, on_their_word, permitted};
use self::seeds::Rolled;
use crate::dice::{Deals, Seeds};
use crate::editions::{Editions, MatchLog, Misfit};
use crate::log::{
    Actor, Ball, Broken, BrokenLine, Chain, Correction, DiceMode, Entry, Event, EventData, Moment, RawEvent,
    Standing, Stood,
};
use crate::matches::{Before, Fixture, permit_creation};
use crate::rules::Disagreement;
use crate::views::Settled;

/// Audits a match log. `expect_head` is the hash the last event should have, where it is known.
/// A file that is not a match log at all is an error, naming the line.
/// The edition of the match is built in, or comes with the log.
pub fn audit(source: impl BufRead, expect_head: Option<&str>) -> Result<Report, BrokenLine> {
    audit_with(source, expect_head, Editions::default())
}

/// Audits a match log whose edition may be one of these, too.
pub fn audit_with(
    source: impl BufRead,
    expect_head: Option<&str>,
    editions: Editions,
) -> Result<Report, BrokenLine> {
    let mut lines = MatchLog::new(source, editions);
    let mut audit = Audit::default();
    while let Some(line) = lines.next() {
        let (event, entry) = line?;
        if audit.events == 0 {
            audit.fits(lines.misfit(&event, &entry))?;
            audit.editions = lines.editions().clone();
        }
        audit.follow(event, &entry);
    }
    Ok(audit.finish(expect_head))
}

/// An audit in progress.
#[derive(Default)]
pub struct Audit {
    /// The editions that the log may be read with.
    editions: Editions,
    chain: Chain,
    fixture: Option<Fixture>,
    events: u64,
    deliveries: u32,
    /// Choices that were turned up and fit their seals.
    unsealed: u64,
    /// What was drawn for sides that stayed silent.
    drawn: u64,
    match_id: Option<Uuid>,
    /// What stands, each event with what a correction needs of it.
    standing: Standing<Kept>,
    prints: Prints,
    /// What has to follow the last amendment.
    amended: Amended,
    /// Who has completed the consent to a correction, which has to follow at once.
    agreed: Option<Actor>,
    /// Whether the service has created the match, and so has simulated it.
    simulated: bool,
    /// The last event, where the next one may have come with it.
    before: Option<Before>,
    settled: Settled,
    /// The last ball before any finding.
    last_ball: Option<Located>,
    exceptions: Vec<ExceptionFound>,
    rolled: Vec<Rolled>,
    seeds: Option<(Located, Seeds)>,
    /// Why the edition that comes with the log is not the match's.
    misfit: Option<Misfit>,
    /// The first event with a finding, and what was found on it.
    first: Option<(Located, Vec<Finding>)>,
}

/// What is kept of an event that stands.
struct Kept {
    /// The match before it.
    before: Fixture,
    /// What it was decided with.
    was: Was,
}

impl Audit {
    /// An audit of a log that may be read with these editions.
    pub fn new(editions: Editions) -> Audit {
        Audit { editions, ..Audit::default() }
    }

    /// Takes in whether the log brings its match's edition. Without that nothing can be proved.
    fn fits(&mut self, misfit: Option<Misfit>) -> Result<(), BrokenLine> {
        match misfit {
            Some(unknown @ Misfit::Unknown(_)) => Err(unknown.into()),
            misfit => {
                self.misfit = misfit;
                Ok(())
            }
        }
    }

    /// Takes the next event of the log. After the first that diverges only the seeds are looked for.
    pub fn follow(&mut self, raw: RawEvent, entry: &Entry) {
        self.events += 1;
        self.match_id.get_or_insert(raw.match_id);
        let at = Located::of(&raw, self.events);
        if self.first.is_some() {
            self.chain.pass(&raw, entry);
            self.look_for_seeds(raw, &at);
            return;
        }
        let chained = self.chain.link(&raw, entry).map_err(|broken| chain_finding(&broken));
        let mut findings: Vec<Finding> = chained.err().into_iter().collect();
        match read(raw) {
            Err(finding) => findings.push(finding),
            Ok(event) => {
                self.deliveries += u32::from(matches!(event.data, EventData::Ball(_)));
                match self.check(&event) {
                    Ok(deals) => {
                        self.unsealed += unsealed(&event.data);
                        self.drawn += drawn(&event.data);
                        self.note_deals(deals, &at);
                    }
                    Err(found) => findings.extend(found),
                }
                findings.extend(self.note(event, &at));
            }
        }
        if !findings.is_empty() {
            self.first = Some((at, findings));
        } else if at.ball.is_some() {
            self.last_ball = Some(at);
        }
    }

    fn check(&mut self, event: &Event) -> Result<Vec<Deals>, Vec<Finding>> {
        let data = |broken: Broken| vec![Finding::new(Check::Data, broken.to_string())];
        if let Some(misfit) = self.misfit.take() {
            return Err(vec![edition_finding(&misfit)]);
        }
        let Some(fixture) = &mut self.fixture else {
            self.fixture =
                Some(Fixture::from_log(event.match_id, &event.data, &self.editions).map_err(data)?);
            return self.created_by(event.actor);
        };
        ends_at_once(fixture, event).map_err(|finding| vec![finding])?;
        in_time(fixture, event).map_err(|finding| vec![finding])?;
        let before = std::mem::replace(&mut self.before, Before::of(event));
        let permitted = permitted(fixture, event, self.simulated, before);
        let is_correction = matches!(event.data, EventData::Correction(_));
        if self.agreed.take().is_some_and(|actor| !is_correction || actor != event.actor) {
            let message =
                "both sides have consented to a correction, which follows at once, on the word of the second";
            return Err(vec![Finding::new(Check::Rules, message)]);
        }
        let follows = self.amended.follow(event, fixture, &self.prints).map_err(|finding| vec![finding])?;
        self.settled.cut(self.amended.cut());
        let permitted = match follows {
            Some(by) => {
                // Of what came together before an amendment only a part may come again.
                self.before = None;
                comes_again(event, by, permitted)
            }
            None => {
                on_their_word(fixture, event).map_err(|finding| vec![finding])?;
                permitted
            }
        };
        let found = |disagreements: Vec<Disagreement>| -> Vec<Finding> {
            disagreements.into_iter().map(|one| rules_finding(&event.data, one)).collect()
        };
        let deals = match &event.data {
            EventData::Correction(correction) => {
                fixture.check_correction(correction, &self.standing).map_err(|one| found(vec![one]))?;
                self.correct(event, correction);
                Vec::new()
            }
            said => {
                if let EventData::CorrectionProposed(proposed) = said {
                    fixture.check_proposed(proposed, &self.standing).map_err(|one| found(vec![one]))?;
                }
                if let (EventData::Ball(ball), Some((amendment, was))) = (said, self.amended.agreed()) {
                    fixture.check_amended(&amendment, ball, &was).map_err(|one| found(vec![one]))?;
                }
                let dice = fixture.created().dice;
                let kept = said.moment().map(|moment| {
                    (moment, Kept { before: fixture.bare(), was: self.prints.was(event, moment, dice) })
                });
                let deals = fixture.follow(said).map_err(found)?;
                self.agreed = fixture.is_agreed().then_some(event.actor);
                self.keep(event, kept);
                deals
            }
        };
        permitted.map(|()| deals).map_err(|refusal| vec![not_by(event.actor, &refusal)])
    }

    /// Makes sure that this actor creates such a match.
    fn created_by(&mut self, actor: Actor) -> Result<Vec<Deals>, Vec<Finding>> {
        self.simulated = actor == Actor::Service;
        let permitted =
            self.fixture.as_ref().map_or(Ok(()), |fixture| permit_creation(actor, fixture.created()));
        permitted.map(|()| Vec::new()).map_err(|refusal| vec![not_by(actor, &refusal)])
    }

    /// Keeps an event that stands, and the match before it.
    fn keep(&mut self, event: &Event, kept: Option<(Moment, Kept)>) {
        if let Some((moment, kept)) = kept {
            self.standing.push(event.seq, moment, event.data.shows(), kept);
        }
        if self.settled.hears(&event.data) {
            self.settled.apply(event);
        }
        if let EventData::Ball(Ball { delivery, outcome, as_stood: Some(as_stood), .. }) = &event.data {
            self.exceptions.push(ExceptionFound {
                seq: event.seq,
                delivery: *delivery,
                reason: as_stood.reason.clone(),
                stands: outcome.clone(),
                by_rules: as_stood.by_rules.clone(),
            });
        }
    }

    /// Takes back what a correction says.
    fn correct(&mut self, event: &Event, correction: &Correction) {
        let void = self.standing.void(correction.voids_from_seq);
        let first = self.exceptions.partition_point(|exception| exception.seq < correction.voids_from_seq);
        let agreed = self.exceptions.split_off(first);
        let before = void.first().map(|stood| stood.kept.before.clone());
        let chosen: Vec<_> =
            void.iter().map(|stood| (stood.moment, stood.shows, stood.kept.was.choices.clone())).collect();
        self.amended = match (correction.amends, &self.fixture) {
            (Some(amends), Some(fixture)) => {
                let proposed = fixture.proposed().and_then(|(proposed, _)| proposed.amendment.clone());
                let stood_so = |seq: u64| agreed.iter().find(|exception| exception.seq == seq);
                let was = |stood: Stood<Kept>| stood.kept.was.standing_so(stood_so(stood.seq));
                Amended::of(amends, event.actor, void.into_iter().map(was).collect(), proposed)
            }
            _ => Amended::default(),
        };
        if let (Some(fixture), Some(before)) = (self.fixture.take(), before) {
            self.fixture = Some(fixture.corrected(before, correction));
        }
        self.settled.correct(event, chosen.into_iter());
    }

    /// Lets the seeds that another book opens judge the dice, in the place of its own.
    pub(crate) fn lend(&mut self, seeds: Seeds) {
        self.seeds = Some((Located::missing("match_completed", self.events), seeds));
    }

    /// Ends the audit: checks the dice against the seeds, and the head against the one expected.
    pub fn finish(mut self, expect_head: Option<&str>) -> Report {
        let created = self.fixture.as_ref().map(|fixture| fixture.created().clone());
        let seeded = created.as_ref().is_some_and(|created| created.dice == DiceMode::Seeded);
        let seeds_hold = seeded && self.check_seeds(created.as_ref());
        self.check_end();
        self.amended.ends();
        self.settled.cut(self.amended.cut());
        self.check_head(expect_head);
        let held = self.first.as_ref().map_or(self.events, |(at, _)| at.position - 1);
        let verified_through = self.last_ball(held).map(Located::ball);
        let divergence = self.first.take().map(|(at, findings)| at.diverges(findings));
        let status = self.fixture.as_ref().map_or("created", Fixture::status);
        let (proved, not_proved) =
            self.scope(status, seeded, seeds_hold, expect_head.is_some(), divergence.as_ref().map(|_| held));
        Report {
            verdict: if divergence.is_some() { Verdict::Diverges } else { Verdict::Clean },
            match_id: self.match_id,
            game: created.as_ref().map(|created| created.game.clone()),
            edition: created.and_then(|created| created.edition),
            status,
            events: self.events,
            deliveries: self.deliveries,
            standing: self.fixture.as_ref().map_or(0, Fixture::deliveries),
            verified_through,
            head: self.chain.head().clone(),
            proved,
            not_proved,
            divergence,
            exceptions: self.exceptions,
            corrections: self.settled.corrections().to_vec(),
            changed_choices: self.settled.changed_choices().to_vec(),
            disputes: self.settled.disputes().to_vec(),
        }
    }

    /// The last ball among the events that hold.
    fn last_ball(&self, held: u64) -> Option<&Located> {
        let balls = self.rolled.iter().map(|rolled| &rolled.event).filter(|event| event.ball.is_some());
        self.last_ball.iter().chain(balls.rev()).find(|event| event.position <= held)
    }

    /// Puts a finding on record if it is about an event no later than the first that diverges.
    fn found(&mut self, at: Located, finding: Finding) {
        match &mut self.first {
            Some((first, findings)) if first.position == at.position => findings.push(finding),
            Some((first, _)) if first.position < at.position => {}
            _ => self.first = Some((at, vec![finding])),
        }
    }

    /// The event that ends a match, and opens its seeds, is appended together with the ball that does: without it the
    /// log was cut off, or somebody keeps the seeds back.
    fn check_end(&mut self) {
        let ended = |fixture: &Fixture| fixture.is_played_out() || fixture.is_reopened();
        let (kind, message) = if self.fixture.as_ref().is_some_and(ended) {
            ("match_completed", "the match had ended, and the event that says so is missing")
        } else if self.amended.is_due() {
            ("ball", "the delivery that is put right is missing")
        } else if self.agreed.is_some() {
            ("correction", "the correction that both sides have consented to is missing")
        } else {
            return;
        };
        self.found(Located::missing(kind, self.events), Finding::new(Check::Rules, message));
    }

    fn check_head(&mut self, expect_head: Option<&str>) {
        let head = self.chain.head().clone();
        if let Some(expected) = expect_head.filter(|expected| *expected != head.hash) {
            let at = Located { seq: head.seq, ..Located::missing("head", self.events) };
            let mut finding = Finding::new(Check::Head, "the log ends in another head than the one expected");
            finding.differences.push(difference("head", head.hash.as_str(), expected));
            self.found(at, finding);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;
    use crate::log::{LogReader, RawData};

    /// The lines of a log that is kept for ever.
    fn stored(name: &str) -> Vec<String> {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/stored_logs/v1").join(name);
        std::fs::read_to_string(file).unwrap().lines().map(str::to_owned).collect()
    }

    /// The same event, as it is read where its data was in doubt.
    fn in_doubt(raw: RawEvent) -> RawEvent {
        let RawData::Whole(data) = &raw.data else { return raw };
        RawEvent { data: RawData::Unread(data.to_value()), ..raw }
    }

    /// A number, a word or a name of the log in the place of another.
    fn edited(lines: &[String], edits: &[[prop::sample::Index; 4]]) -> String {
        let mut lines = lines.to_vec();
        let leaves = |line: &str| -> Vec<String> {
            let leaves = line.split(['"', ':', ',', '[', ']', '{', '}']).filter(|leaf| !leaf.is_empty());
            leaves.map(str::to_owned).collect()
        };
        for [line, leaf, from, with] in edits {
            let new = leaves(&lines[from.index(lines.len())]);
            let at = line.index(lines.len());
            let old = leaves(&lines[at]);
            lines[at] = lines[at].replacen(leaf.get(&old).as_str(), with.get(&new).as_str(), 1);
        }
        lines.iter().map(|line| format!("{line}\n")).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn a_report_does_not_depend_on_how_the_events_were_read(
            name in prop::sample::select(vec![
                "howzat-scripted", "howzat-abandoned", "howzat-seeded", "howzat-table", "cuberoots-table", "cuberoots-remote",
                "howzat-table-settled", "cuberoots-remote-corrected", "cricket-the-game-remote",
                "cricket-the-game-t10-seeded",
            ]),
            edits in prop::collection::vec(any::<[prop::sample::Index; 4]>(), 0..3),
        ) {
            let log = edited(&stored(&format!("{name}.ndjson")), &edits);
            let (mut as_read, mut by_members) = (Audit::default(), Audit::default());
            for line in LogReader::new(log.as_bytes()) {
                let Ok((raw, entry)) = line else { break };
                as_read.follow(raw.clone(), &entry);
                by_members.follow(in_doubt(raw), &entry);
            }
            prop_assert_eq!(as_read.finish(None), by_members.finish(None));
        }
    }
}

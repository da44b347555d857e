//! The audit: it replays a log, decides every event again beside it, and names the first event that diverges.
//!
//! An audit checks three things: the chain of hashes, the rules with the recorded choices and dice, and, once
//! the seeds are revealed, the dice against the seed. It keeps the dice of the match in memory, and the match
//! before each live event, to which a correction may go back: some hundred bytes a ball, less than its line
//! in the log.

mod differences;
mod evidence;
mod findings;
mod located;
mod permitted;
mod report;
mod scope;
mod seeds;
mod shortened;
mod voided;

use std::io::BufRead;

use uuid::Uuid;

pub use differences::FieldDifference;
pub use evidence::{BallReplayed, Evidence, SeedCheck, evidence};
pub use report::{
    AuditReport, Check, Divergence, ExceptionFound, Finding, LeftOut, Verdict, VerifiedThrough,
};

use self::findings::{chain_finding, difference, edition_finding, read, rules_finding, unsealed};
use self::located::Located;
use self::permitted::{check_deadline, ends_at_once, entitled, permitted, repeats_by, wrong_author};
use self::seeds::RecordedDraw;
use self::voided::{agreed_on, kept_play, voided_choices};
use crate::dice::{Deals, Seeds};
use crate::editions::{EditionMismatch, Editions, MatchLog};
use crate::log::{
    Actor, Ball, BrokenLine, Chain, DeliveryPlace, DiceMode, Entry, Event, EventData, InvalidEvent,
    LiveEvent, RawEvent, Reversal, Toss,
};
use crate::matches::follow_up::{FollowUp, VoidedPlay};
use crate::matches::{History, Match, PrecedingEvent, permit_creation};
use crate::projection::{AdjudicationRecord, Compared, DeliveryPlaces};
use crate::rules::Disagreement;

/// Audits a match log. `expect_head` is the expected hash of the last event, where it is known. A file that
/// is not a match log at all is an error that names the line. The edition of the match has to be built in, or
/// in the log.
pub fn audit(source: impl BufRead, expect_head: Option<&str>) -> Result<AuditReport, BrokenLine> {
    audit_with(source, expect_head, Editions::default())
}

/// Audits a match log whose edition may also be one of these.
pub fn audit_with(
    source: impl BufRead,
    expect_head: Option<&str>,
    editions: Editions,
) -> Result<AuditReport, BrokenLine> {
    let mut lines = MatchLog::new(source, editions);
    let mut audit: Option<Audit> = None;
    while let Some(line) = lines.next() {
        let (event, entry) = line?;
        let audit = audit.get_or_insert_with(|| Audit::new(lines.editions().clone()));
        if audit.events == 0 {
            audit.check_edition(lines.misfit(&event, &entry))?;
        }
        audit.follow(event, &entry);
    }
    let audit = audit.unwrap_or_else(|| Audit::new(lines.editions().clone()));
    Ok(audit.finish(expect_head))
}

/// An audit in progress.
pub struct Audit {
    /// The match, and of each live event of play what a correction needs of it.
    history: History<Match, VoidedPlay>,
    chain: Chain,
    events: u64,
    deliveries: u32,
    /// The number of revealed choices, which fit their seals.
    unsealed: u64,
    /// The number of choices that were drawn for sides that had timed out.
    drawn: u64,
    /// Whether the winner of a toss was reported, without its call and its coin.
    reported_toss: bool,
    match_id: Option<Uuid>,
    /// The events that have to follow the last amendment.
    follow_up: FollowUp,
    /// The actor whose consent completed a proposed correction, which has to follow at once.
    consented: Option<Actor>,
    /// Whether the service has created the match, as it does for a simulated match.
    simulated: bool,
    /// The last event, where the next one may have been appended with it.
    before: Option<PrecedingEvent>,
    adjudication: AdjudicationRecord,
    /// The places of the live deliveries.
    places: DeliveryPlaces,
    /// The last ball before any finding.
    last_ball: Option<Located>,
    exceptions: Vec<ExceptionFound>,
    rolled: Vec<RecordedDraw>,
    seeds: Option<(Located, Seeds)>,
    /// The misfit of the edition in the log, where that is not the match's.
    misfit: Option<EditionMismatch>,
    /// The first event with a finding, and its findings.
    first: Option<(Located, Vec<Finding>)>,
}

impl Audit {
    /// An audit of a log that may be read with these editions.
    pub fn new(editions: Editions) -> Audit {
        Audit {
            history: History::new(editions),
            chain: Chain::default(),
            events: 0,
            deliveries: 0,
            unsealed: 0,
            drawn: 0,
            reported_toss: false,
            match_id: None,
            follow_up: FollowUp::default(),
            consented: None,
            simulated: false,
            before: None,
            adjudication: AdjudicationRecord::default(),
            places: DeliveryPlaces::default(),
            last_ball: None,
            exceptions: Vec::new(),
            rolled: Vec::new(),
            seeds: None,
            misfit: None,
            first: None,
        }
    }

    /// Records whether the log has its match's edition. An unknown edition is an error, since nothing can be
    /// proved without it.
    fn check_edition(&mut self, misfit: Option<EditionMismatch>) -> Result<(), BrokenLine> {
        match misfit {
            Some(unknown @ EditionMismatch::Unknown(_)) => Err(unknown.into()),
            misfit => {
                self.misfit = misfit;
                Ok(())
            }
        }
    }

    /// Takes the next event of the log. After the first event that diverges, only the seeds are looked for.
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
                        self.drawn += event.data.drawn() as u64;
                        self.reported_toss |= matches!(event.data, EventData::Toss(Toss::Reported(_)));
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
        let data_finding = |broken: InvalidEvent| vec![Finding::new(Check::Data, broken.to_string())];
        if let Some(misfit) = self.misfit.take() {
            return Err(vec![edition_finding(&misfit)]);
        }
        let Some(the_match) = self.history.state() else {
            let opened = Match::from_log(event.match_id, &event.data, self.history.editions());
            self.history.open(opened.map_err(data_finding)?);
            return self.created_by(event.actor);
        };
        ends_at_once(the_match, event).map_err(|finding| vec![finding])?;
        check_deadline(the_match, event).map_err(|finding| vec![finding])?;
        let before = std::mem::replace(&mut self.before, PrecedingEvent::of(event));
        let permitted = permitted(the_match, event, self.simulated, before);
        let is_correction = event.data.reversal().is_some();
        if self.consented.take().is_some_and(|actor| !is_correction || actor != event.actor) {
            let message = "both sides have consented to a correction, which must follow at once, by the side that consented last";
            return Err(vec![Finding::new(Check::Rules, message)]);
        }
        let follows = self.follow_up.follow(event, the_match);
        let follows = follows.map_err(|unawaited| vec![Finding::new(Check::Rules, unawaited.to_string())])?;
        self.adjudication.cut(self.follow_up.cut());
        let permitted = match follows {
            Some(by) => {
                // Events that were appended together before an amendment may repeat one by one.
                self.before = None;
                repeats_by(event, by, permitted)
            }
            None => {
                entitled(the_match, event).map_err(|finding| vec![finding])?;
                permitted
            }
        };
        let registry = self.history.editions().registry();
        let found = |disagreements: Vec<Disagreement>| -> Vec<Finding> {
            disagreements.into_iter().map(|one| rules_finding(registry, &event.data, one)).collect()
        };
        let deals = match (event.data.reversal(), &event.data) {
            (Some(reversal), _) => {
                let checked = the_match.adjudication().check_correction(reversal, self.history.live());
                let restorable = || {
                    let restored = reversal.restores().map(|seq| self.follow_up.check_restores(seq));
                    restored.unwrap_or(Ok(())).map_err(Disagreement::Refused)
                };
                checked.and_then(|()| restorable()).map_err(|one| found(vec![one]))?;
                self.correct(event, reversal).map_err(data_finding)?;
                Vec::new()
            }
            (None, data) => {
                if let EventData::CorrectionProposed(proposed) = data {
                    the_match
                        .adjudication()
                        .check_proposed(proposed, self.history.live())
                        .map_err(|one| found(vec![one]))?;
                    if let Some(seq) = proposed.restores {
                        let restorable = self.follow_up.check_restores(seq);
                        restorable.map_err(|one| found(vec![Disagreement::Refused(one)]))?;
                    }
                }
                if let (EventData::Ball(ball), Some((amendment, choices))) =
                    (data, self.follow_up.take_agreed())
                {
                    let choices = amendment.choices.unwrap_or(choices);
                    let agreed = amendment.as_stood.as_ref();
                    let follows = the_match.play().check_ball(ball, choices, agreed);
                    follows.map_err(|one| found(vec![one]))?;
                }
                let step = self.history.step(event);
                let played = VoidedPlay::of(event, the_match.play().info().created.dice);
                let compared = self.adjudication.compared(the_match, data);
                let Some(the_match) = self.history.state_mut() else { return Ok(Vec::new()) };
                let deals = the_match.verify(data).map_err(found)?;
                self.consented = the_match.adjudication().is_agreed().then_some(event.actor);
                if let Some(played) = played {
                    self.history.keep(step, played);
                }
                self.note_adjudication(event, compared);
                deals
            }
        };
        permitted.map(|()| deals).map_err(|refusal| vec![wrong_author(event.actor, &refusal)])
    }

    /// Checks that this actor may create the match.
    fn created_by(&mut self, actor: Actor) -> Result<Vec<Deals>, Vec<Finding>> {
        self.simulated = actor == Actor::Service;
        let permitted = self
            .history
            .state()
            .map_or(Ok(()), |the_match| permit_creation(actor, &the_match.play().info().created));
        permitted.map(|()| Vec::new()).map_err(|refusal| vec![wrong_author(actor, &refusal)])
    }

    /// Notes the place of an event of play, an event of adjudication, and a ball with an agreed outcome.
    fn note_adjudication(&mut self, event: &Event, compared: Option<Compared>) {
        if let Some(subject) = event.data.subject() {
            self.places.add(subject);
        }
        if compared.is_some() || self.adjudication.concerns(&event.data) {
            self.adjudication.apply(event, compared, &self.places);
        }
        if let (EventData::Ball(_), Some(the_match)) = (&event.data, self.history.state())
            && self.adjudication.moves_with(the_match.adjudication())
        {
            self.adjudication.renumber(the_match.adjudication());
        }
        if let EventData::Ball(ball @ Ball { delivery, outcome, as_stood: Some(as_stood), .. }) = &event.data
        {
            self.exceptions.push(ExceptionFound {
                seq: event.seq,
                delivery: *delivery,
                place: DeliveryPlace::of(ball),
                reason: as_stood.reason.clone(),
                faces: as_stood.faces.clone(),
                stands: outcome.clone(),
                by_rules: as_stood.by_rules.clone(),
            });
        }
    }

    /// Goes back to the match before the events that a correction voids.
    fn correct(&mut self, event: &Event, reversal: Reversal<'_>) -> Result<(), InvalidEvent> {
        let proposed = self.history.state().and_then(|the_match| the_match.adjudication().proposed());
        let amendment = proposed.and_then(|(proposed, _)| proposed.amendment.clone());
        let from = reversal.voids_from_seq();
        let voided = voided_choices(&self.history, from)?;
        let first = self.exceptions.partition_point(|exception| exception.seq < from);
        let agreed = self.exceptions.split_off(first);
        let kept = match reversal.cascade() {
            Some(_) => Some(kept_play(&self.history, from, &agreed)?),
            None => None,
        };
        if let Some(the_match) = self.history.state() {
            let before = (&self.places, the_match.adjudication().numbers());
            self.adjudication.correct(event, voided, before);
        }
        let void = self.history.correct(event, reversal)?;
        self.places = DeliveryPlaces::of(self.history.live().events().iter().map(|live| live.subject));
        let with_agreed = |live: LiveEvent<VoidedPlay>| {
            let LiveEvent { seq, subject, shows, kept } = live;
            LiveEvent { seq, subject, shows, kept: kept.with_agreed(agreed_on(&agreed, seq)) }
        };
        let void: Vec<LiveEvent<VoidedPlay>> = void.into_iter().map(with_agreed).collect();
        let follow_up = std::mem::take(&mut self.follow_up);
        self.follow_up = follow_up.begin((event, reversal), void, amendment, kept);
        Ok(())
    }

    /// Checks the dice against the seeds that the other scorer's log reveals, instead of this log's own.
    pub(crate) fn lend_seeds(&mut self, seeds: Seeds) {
        self.seeds = Some((Located::missing("match_completed", self.events), seeds));
    }

    /// Ends the audit: checks the dice against the seeds, and the head against the one expected.
    pub fn finish(mut self, expect_head: Option<&str>) -> AuditReport {
        let created = self.history.state().map(|the_match| the_match.play().info().created.clone());
        let seeded = created.as_ref().is_some_and(|created| created.dice == DiceMode::Seeded);
        let seeds_hold = seeded && self.check_seeds(created.as_ref());
        self.check_end();
        self.follow_up.stop();
        self.adjudication.cut(self.follow_up.cut());
        self.check_head(expect_head);
        let held = self.first.as_ref().map_or(self.events, |(at, _)| at.position - 1);
        let verified_through = self.last_ball(held).map(Located::ball);
        let divergence = self.first.take().map(|(at, findings)| {
            let known = self.place_known(&at);
            at.diverges(known, findings)
        });
        let status = self.history.state().map_or("created", |the_match| the_match.play().status());
        let (proved, not_proved) =
            self.scope(status, seeded, seeds_hold, expect_head.is_some(), divergence.as_ref().map(|_| held));
        AuditReport {
            verdict: if divergence.is_some() { Verdict::Diverges } else { Verdict::Clean },
            match_id: self.match_id,
            game: created.as_ref().map(|created| created.game.clone()),
            edition: created.and_then(|created| created.edition),
            status,
            events: self.events,
            deliveries: self.deliveries,
            standing: self.history.state().map_or(0, |the_match| the_match.play().deliveries()),
            verified_through,
            head: self.chain.head().clone(),
            proved,
            not_proved,
            divergence,
            exceptions: self.exceptions,
            corrections: self.adjudication.corrections().to_vec(),
            changed_choices: self.adjudication.changed_choices().to_vec(),
            read_anew: self.adjudication.read_anew().to_vec(),
            disputes: self.adjudication.disputes().to_vec(),
            left_out: None,
        }
    }

    /// The place of the delivery that an event is about, such as a review, by the events before it. A
    /// correction after the event may have given the delivery another place.
    fn place_known(&self, at: &Located) -> Option<DeliveryPlace> {
        let is_as_then = self.history.last_correction().is_none_or(|correction| correction < at.seq);
        at.delivery.filter(|_| is_as_then).and_then(|delivery| self.places.place_of_begun(delivery))
    }

    /// The last ball among the valid events.
    fn last_ball(&self, held: u64) -> Option<&Located> {
        let balls = self.rolled.iter().map(|rolled| &rolled.event).filter(|event| event.ball.is_some());
        self.last_ball.iter().chain(balls.rev()).find(|event| event.position <= held)
    }

    /// Records a finding, unless an earlier event diverges already.
    fn found(&mut self, at: Located, finding: Finding) {
        match &mut self.first {
            Some((first, findings)) if first.position == at.position => findings.push(finding),
            Some((first, _)) if first.position < at.position => {}
            _ => self.first = Some((at, vec![finding])),
        }
    }

    /// Checks that no event is missing at the end. The event that ends a match and reveals its seeds is
    /// appended together with the last ball: a log without it was cut off, or somebody withholds the seeds.
    fn check_end(&mut self) {
        let ended = |the_match: &Match| the_match.reviews().is_played_out() || the_match.play().is_reopened();
        let (kind, message) = if self.history.state().is_some_and(ended) {
            ("match_completed", "the match is played out, and its last event is missing")
        } else if let Some(awaited) =
            self.history.state().and_then(|the_match| self.follow_up.awaits(the_match))
        {
            awaited
        } else if self.consented.is_some() {
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
            let mut finding = Finding::new(Check::Head, "the head of the log is not the expected one");
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

    /// The lines of a stored log, which every version has to read.
    fn stored(name: &str) -> Vec<String> {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/stored_logs/v1").join(name);
        std::fs::read_to_string(file).unwrap().lines().map(str::to_owned).collect()
    }

    /// An event with its data as a tree, as the reader returns data in an unusual form.
    fn as_tree(raw: RawEvent) -> RawEvent {
        let RawData::Whole(data) = &raw.data else { return raw };
        RawEvent { data: RawData::Unread(data.to_value()), ..raw }
    }

    /// The log with some of its numbers, words and names replaced by others.
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
            let (mut as_read, mut by_members) = (Audit::new(Editions::default()), Audit::new(Editions::default()));
            for line in LogReader::new(log.as_bytes()) {
                let Ok((raw, entry)) = line else { break };
                as_read.follow(raw.clone(), &entry);
                by_members.follow(as_tree(raw), &entry);
            }
            prop_assert_eq!(as_read.finish(None), by_members.finish(None));
        }
    }
}

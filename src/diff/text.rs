//! The comparison of two logs as text, for the command line.

use std::fmt::{self, Display, Formatter};

use serde_json::Value;

use super::comparison::{Agreement, AuditedLog, EventClaim, FirstDifference, Judgement, LogComparison};
use crate::audit::Divergence;
use crate::log::printable;
use crate::views::CardChange;

impl Display for LogComparison {
    /// The comparison as text, several lines, each with its end.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.headline(f)?;
        if let Some(first) = &self.first_difference {
            write!(f, "{first}")?;
        }
        if let Some(judgement) = &self.judgement {
            judged(f, judgement, &self.a, &self.b)?;
        }
        log_line(f, "A", &self.a)?;
        log_line(f, "B", &self.b)?;
        if matches!(self.agreement, Agreement::Beginning | Agreement::Differ) {
            self.cards(f)?;
        }
        Ok(())
    }
}

impl LogComparison {
    fn headline(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let LogComparison { same_events, same_deliveries, .. } = self;
        let alike = format!("{same_events} events of play, {same_deliveries} deliveries");
        let first = self.first_difference.as_ref();
        match (self.agreement, first.and_then(|first| first.a.as_ref().or(first.b.as_ref()))) {
            (Agreement::Same, _) => writeln!(f, "THE SAME: A and B agree on {alike}"),
            (Agreement::AnotherMatch, _) => {
                writeln!(f, "ANOTHER MATCH: A and B are logs of different matches; nothing more is compared")
            }
            (Agreement::Beginning, _) => {
                let short = if first.is_some_and(|first| first.a.is_none()) { "A" } else { "B" };
                let end = match same_deliveries {
                    0 => "before the first delivery".to_owned(),
                    last => format!("after delivery {last}"),
                };
                writeln!(f, "{short} ENDS {end}; up to there A and B agree on {alike}")
            }
            (Agreement::Differ, event) => {
                let kind = |event: &EventClaim| printable(&event.kind.replace('_', " ")).into_owned();
                let place = event.map(|event| place_in_the_match(event).unwrap_or_else(|| kind(event)));
                let place = place.unwrap_or_default();
                writeln!(f, "THEY DIFFER at {place}; up to there they agree on {alike}")
            }
        }
    }

    fn cards(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let which = format!("A after event {}, B after event {}", self.a.card_at, self.b.card_at);
        match self.card_changes.len() {
            0 if self.a.card_at == 0 || self.b.card_at == 0 => {
                writeln!(f, "the cards are not compared: one cannot be made")?
            }
            0 => writeln!(f, "the cards are the same ({which})")?,
            things => writeln!(f, "the cards differ in {things} fields ({which})")?,
        }
        for (scorer, log) in [("A", &self.a), ("B", &self.b)] {
            if let Some(why) = &log.card_ends {
                writeln!(f, "  the card of {scorer} ends before its log: {}", printable(why))?;
            }
        }
        for CardChange { field, before, after } in &self.card_changes {
            field_line(f, field, before.as_ref(), after.as_ref())?;
        }
        Ok(())
    }
}

impl Display for FirstDifference {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (scorer, event) in [("A", &self.a), ("B", &self.b)] {
            match event {
                Some(event) => {
                    let EventClaim { seq, kind, .. } = event;
                    let place = place_in_the_match(event).map_or(String::new(), |place| format!(": {place}"));
                    writeln!(f, "  {scorer} in its event {seq} ({}){place}", printable(kind))?;
                }
                None => writeln!(f, "  {scorer} has no further event")?,
            }
        }
        for differing in &self.fields {
            field_line(f, &differing.field, differing.a.as_ref(), differing.b.as_ref())?;
        }
        for (scorer, event) in [("A", &self.a), ("B", &self.b)] {
            for ruling in event.iter().flat_map(|event| &event.rulings) {
                writeln!(f, "  {scorer} cites {}: {}", ruling.id, ruling.text)?;
            }
        }
        Ok(())
    }
}

/// The place of an over or a ball in the match.
fn place_in_the_match(event: &EventClaim) -> Option<String> {
    let parts = [
        ("delivery", event.delivery),
        ("innings", event.innings),
        ("over", event.over),
        ("ball", event.ball),
    ];
    let parts = parts.iter().filter_map(|(what, number)| number.map(|number| format!("{what} {number}")));
    let place = parts.collect::<Vec<_>>().join(", ");
    (!place.is_empty()).then_some(place)
}

fn field_line(f: &mut Formatter<'_>, field: &str, a: Option<&Value>, b: Option<&Value>) -> fmt::Result {
    let value_text = |value: Option<&Value>| value.map_or("nothing".to_owned(), Value::to_string);
    let line = format!("{field}: A says {}, B says {}", value_text(a), value_text(b));
    writeln!(f, "  {}", printable(&line))
}

fn judged(f: &mut Formatter<'_>, judgement: &Judgement, a: &AuditedLog, b: &AuditedLog) -> fmt::Result {
    writeln!(f, "{}", printable(&judgement.words))?;
    for (scorer, holds, log) in [("A", judgement.a_holds, a), ("B", judgement.b_holds, b)] {
        if let (false, Some(divergence)) = (holds, &log.divergence) {
            write!(f, "{scorer} {divergence}")?;
        }
    }
    Ok(())
}

fn log_line(f: &mut Formatter<'_>, scorer: &str, log: &AuditedLog) -> fmt::Result {
    let id = log.match_id.map_or("?".to_owned(), |id| id.to_string());
    let game = log.game.as_deref().unwrap_or("a game that is not known");
    let status = log.status.replace('_', " ");
    let audited = match &log.divergence {
        None => format!("{status}; nothing diverges"),
        Some(Divergence { seq, kind, .. }) => format!("diverges at event {seq} ({})", printable(kind)),
    };
    let AuditedLog { events, deliveries, .. } = log;
    writeln!(
        f,
        "{scorer}: match {id}, {}, {events} events, {deliveries} deliveries, {audited}",
        printable(game)
    )
}

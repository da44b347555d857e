//! Pages of a log: as many events as fit, by their bytes as well as by their number.

use std::ops::{ControlFlow, Range};

use super::AppState;
use super::outgoing::{OutgoingShare, PAGE, Portion, in_own_pages};
use crate::commands::Problem;
use crate::log::{Entry, MatchId};
use crate::store::StoreError;

/// The most events that are read for a page of a log file or of a stream.
const MOST: u32 = 100;

/// The events of a match after the first seq up to the second: at most `most`, and at most 64 KiB of them,
/// but at least one if there is one.
pub async fn entries(
    service: &AppState,
    match_id: MatchId,
    seqs: Range<u64>,
    most: u32,
) -> Result<Vec<Entry>, StoreError> {
    let to = seqs.end.min(seqs.start.saturating_add(most.into()));
    let (mut page, mut bytes) = (Vec::new(), 0);
    let mut add = |entry: Entry| {
        bytes += entry.body.len() + entry.hash.len();
        if bytes > PAGE && !page.is_empty() {
            return ControlFlow::Break(());
        }
        page.push(entry);
        ControlFlow::Continue(())
    };
    service.matches.store().read(match_id, seqs.start, to, &mut add).await?;
    Ok(page)
}

/// A page of a log file after the first seq up to the second, which begins with this text, and the seq after
/// which the next page begins.
pub async fn of_file(
    service: &AppState,
    match_id: MatchId,
    seqs: Range<u64>,
    begin: String,
    share: OutgoingShare,
) -> Result<(Portion, u64), Problem> {
    let entries = entries(service, match_id, seqs.clone(), MOST).await?;
    // A log that is shorter than its head said has no more pages.
    let last = entries.last().map_or(seqs.end, |entry| entry.seq);
    let lines = entries.iter().flat_map(|entry| [entry.line(), "\n".to_owned()]);
    Ok((page(std::iter::once(begin).chain(lines), share), last))
}

/// A page of a stream after this seq, as server-sent events, and the seq of its last event; none where the
/// log ends there.
pub async fn of_stream(
    service: &AppState,
    match_id: MatchId,
    after: u64,
    share: OutgoingShare,
) -> Result<Option<(Portion, u64)>, StoreError> {
    let entries = entries(service, match_id, after..u64::MAX, MOST).await?;
    let message = |entry: &Entry| format!("id: {}\ndata: {}\n\n", entry.seq, entry.line());
    Ok(entries.last().map(|last| (page(entries.iter().map(message), share), last.seq)))
}

/// A page of these texts, and no larger than they are.
fn page(texts: impl Iterator<Item = String>, mut share: OutgoingShare) -> Portion {
    let bytes = in_own_pages(&texts.collect::<Vec<String>>());
    share.resize(bytes.len());
    Portion { bytes, share: Some(share) }
}

//! Pages of a log: as many events as fit, by their bytes as well as by their number.

use std::borrow::Borrow;
use std::ops::{ControlFlow, Range};

use super::AppState;
use super::outgoing::{OutgoingShare, PAGE, Portion, in_own_pages};
use crate::commands::Problem;
use crate::log::{Entry, MatchId};
use crate::store::StoreError;
use crate::views::ListWindow;

/// The most events that are read for a page of a log file or of a stream.
const MOST: usize = 100;

/// The bytes beside the hash with which an event has its hash in a list: the member's name and the comma.
const BESIDE_HASH: usize = ",\"hash\":\"\",".len();

/// The events of a page of the list up to this seq.
pub async fn listed(
    service: &AppState,
    match_id: MatchId,
    to: u64,
    window: ListWindow,
) -> Result<Vec<Entry>, StoreError> {
    entries(service, match_id, window.after..to, window.most, window.bytes).await
}

/// The events of a match after the first seq up to the second: at most `most`, and at most `room` bytes of
/// them, but at least one if there is one.
async fn entries(
    service: &AppState,
    match_id: MatchId,
    seqs: Range<u64>,
    most: usize,
    room: usize,
) -> Result<Vec<Entry>, StoreError> {
    let to = seqs.end.min(seqs.start.saturating_add(most as u64));
    let (mut page, mut bytes) = (Vec::new(), 0);
    let mut add = |entry: Entry| {
        bytes += entry.body.len() + entry.hash.len() + BESIDE_HASH;
        if bytes > room && !page.is_empty() {
            return ControlFlow::Break(());
        }
        page.push(entry);
        ControlFlow::Continue(())
    };
    service.matches.store().read(match_id, seqs.start, to, &mut add).await?;
    Ok(page)
}

/// The first page of a log file up to this seq, which begins with this text, and the seq after which the next
/// page begins. Its memory is taken once its size is known, so that a short log needs little.
pub async fn first_of_file(
    service: &AppState,
    match_id: MatchId,
    to: u64,
    begin: String,
) -> Result<(Portion, u64), Problem> {
    let (mut texts, last) = lines(service, match_id, 0..to).await?;
    texts.insert(0, begin);
    let share = service.outgoing.of_page(texts.iter().map(String::len).sum())?;
    Ok((page(&texts, share), last))
}

/// A page of a log file after the first seq up to the second, and the seq after which the next page begins.
pub async fn of_file(
    service: &AppState,
    match_id: MatchId,
    seqs: Range<u64>,
    share: OutgoingShare,
) -> Result<(Portion, u64), Problem> {
    let (texts, last) = lines(service, match_id, seqs).await?;
    Ok((page(&texts, share), last))
}

/// The lines of a page of a log file, and the seq of the last.
async fn lines(
    service: &AppState,
    match_id: MatchId,
    seqs: Range<u64>,
) -> Result<(Vec<String>, u64), StoreError> {
    let entries = entries(service, match_id, seqs.clone(), MOST, PAGE).await?;
    // A log that is shorter than its head said has no more pages.
    let last = entries.last().map_or(seqs.end, |entry| entry.seq);
    Ok((entries.iter().map(|entry| entry.line() + "\n").collect(), last))
}

/// A page of a stream after this seq, as server-sent events, and the seq of its last event; none where the
/// log ends there.
pub async fn of_stream(
    service: &AppState,
    match_id: MatchId,
    after: u64,
    share: OutgoingShare,
) -> Result<Option<(Portion, u64)>, StoreError> {
    let entries = entries(service, match_id, after..u64::MAX, MOST, PAGE).await?;
    Ok(entries.last().map(|last| (messages(&entries, share), last.seq)))
}

/// Events as a stream sends them.
pub fn messages(entries: &[impl Borrow<Entry>], share: OutgoingShare) -> Portion {
    let message = |entry: &Entry| format!("id: {}\ndata: {}\n\n", entry.seq, entry.line());
    let texts: Vec<String> = entries.iter().map(|entry| message(entry.borrow())).collect();
    page(&texts, share)
}

/// A page of these texts, and no larger than they are.
fn page(texts: &[String], mut share: OutgoingShare) -> Portion {
    let bytes = in_own_pages(texts);
    share.resize(bytes.len());
    Portion { bytes, share: Some(share) }
}

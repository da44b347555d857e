use std::cmp::Ordering;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::Method;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, ETAG};
use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::stream;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::sync::watch;
use utoipa::{IntoParams, ToSchema};

use super::Service;
use super::problem::Problem;
use super::request::{self, MatchPath};
use super::response::{self, raw_events};
use crate::log::{Entry, Event, Head, MatchId, edition_line};
use crate::service::PlayError;
use crate::views::Untold;

const LONGEST_PAGE: u32 = 1_000;
const PAGE: u32 = 100;
/// How often a stream with nothing to say shows that it is alive.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// How long a stream waits for a store that does not answer.
const AGAIN: Duration = Duration::from_millis(500);
/// How long a read may trail what another instance has written.
const TRAILING: Duration = Duration::from_secs(1);

/// Which events to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EventsQuery {
    /// Only events after this one; 0 if left out.
    after: Option<u64>,
    /// At most so many: 1 to 1,000, 100 if left out.
    limit: Option<u32>,
}

/// A page of events.
#[derive(Serialize, ToSchema)]
pub struct EventPage {
    /// The events, in order.
    #[schema(value_type = Vec<Event>)]
    pub events: Vec<Box<RawValue>>,
    /// The `after` of the next page; null where the log ends.
    pub next_after: Option<u64>,
    /// The last event of the log and its hash.
    pub head: Head,
}

async fn head(service: &Service, match_id: MatchId) -> Result<Head, Problem> {
    let head = service.matches.store().head(match_id).await?;
    Ok(head.ok_or(PlayError::NoSuchMatch(match_id))?)
}

/// Events of a match, in order.
#[utoipa::path(
    get, path = "/v1/matches/{id}/events", operation_id = "list_events", tag = "log",
    params(("id" = Uuid, Path, description = "The match"), EventsQuery),
    responses((status = 200, description = "A page of events", body = EventPage,
        headers(("ETag" = String, description = "The head's hash"))))
)]
pub async fn list(
    service: Data<Service>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    let EventsQuery { after, limit } = request::query(&http)?;
    let (after, limit) = (after.unwrap_or(0), limit.unwrap_or(PAGE));
    if !(1..=LONGEST_PAGE).contains(&limit) {
        return Err(Problem::query("limit", format!("limit is 1 to {LONGEST_PAGE}")));
    }
    let head = head(&service, path.0).await?;
    let mut entries = service.matches.store().entries(path.0, after, limit).await?;
    entries.retain(|entry| entry.seq <= head.seq);
    let next_after = entries.last().map(|entry| entry.seq).filter(|seq| *seq < head.seq);
    let tag = head.hash.clone();
    response::fresh(&http, &tag, || {
        response::text(&EventPage { events: raw_events(&entries)?, next_after, head })
    })
}

/// One event.
#[utoipa::path(
    get, path = "/v1/matches/{id}/events/{seq}", operation_id = "get_event", tag = "log",
    params(("id" = Uuid, Path, description = "The match"), ("seq" = u64, Path, description = "Its place in the log")),
    responses((status = 200, description = "The event", body = Event,
        headers(("ETag" = String, description = "The event's hash"))))
)]
pub async fn get(
    service: Data<Service>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    let at: u64 = request::number(&http, "seq", "an event is named by its seq")?;
    let head = head(&service, path.0).await?;
    let entry = match at {
        0 => None,
        _ => service.matches.store().entries(path.0, at - 1, 1).await?.pop().filter(|entry| entry.seq == at),
    };
    let entry = entry.ok_or(PlayError::Untold(Untold::NoSuchEvent { at, last: head.seq }))?;
    response::fresh(&http, &entry.hash, || Ok(entry.line()))
}

/// What a log file has beside the events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LogExtra {
    /// The edition the match is played with.
    Edition,
}

/// What a log file is to have.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LogQuery {
    /// `edition`: begin with a line that holds the edition, where the match is played with one, so that the file can be audited
    /// where that is not known.
    with: Option<LogExtra>,
}

/// The match log file: NDJSON, one event a line.
#[utoipa::path(
    get, path = "/v1/matches/{id}/log", operation_id = "get_log", tag = "log",
    params(("id" = Uuid, Path, description = "The match"), LogQuery),
    responses((status = 200, description = "The log", body = String, content_type = "application/x-ndjson",
        headers(("ETag" = String, description = "The head's hash, and what else is in the file"))))
)]
pub async fn log(
    service: Data<Service>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    let LogQuery { with } = request::query(&http)?;
    let match_id = path.0;
    let head = head(&service, match_id).await?;
    let edition = match with {
        Some(LogExtra::Edition) => service.matches.edition_of(match_id).await?,
        None => None,
    };
    let tag = response::quoted(&match edition {
        Some(_) => format!("{}-edition", head.hash),
        None => head.hash,
    });
    if response::not_modified(&http, &tag) {
        return Ok(HttpResponse::NotModified().insert_header((ETAG, tag)).finish());
    }
    // The first page is read before the answer begins, so that a store that does not answer is told as a problem.
    let mut first = log_page(&service, match_id, 0, head.seq).await?;
    if let (Some(edition), Some((bytes, _))) = (edition, &mut first) {
        *bytes = [edition_line(&edition.text).as_bytes(), b"\n", bytes].concat().into();
    }
    let pages = stream::try_unfold(first, move |page| {
        let service = service.clone();
        async move {
            let Some((bytes, last)) = page else { return Ok::<_, Problem>(None) };
            Ok(Some((bytes, log_page(&service, match_id, last, head.seq).await?)))
        }
    });
    Ok(HttpResponse::Ok()
        .insert_header((ETAG, tag))
        .insert_header((CACHE_CONTROL, "no-cache"))
        .insert_header((CONTENT_TYPE, "application/x-ndjson"))
        .insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{match_id}.ndjson\"")))
        .streaming(pages))
}

/// A page of a log up to event `to`, as the lines of a file, and the last event on it; `None` where nothing is left.
pub async fn log_page(
    service: &Service,
    match_id: MatchId,
    after: u64,
    to: u64,
) -> Result<Option<(Bytes, u64)>, Problem> {
    let mut page = service.matches.store().entries(match_id, after, LONGEST_PAGE).await?;
    page.retain(|entry| entry.seq <= to);
    Ok(page.last().map(|last| (Bytes::from(lines(&page)), last.seq)))
}

/// Events as the lines of a match log file.
fn lines(entries: &[Entry]) -> String {
    entries.iter().flat_map(|entry| [entry.line(), "\n".to_owned()]).collect()
}

/// Where a stream begins.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct StreamQuery {
    /// Begin after this event; the header `Last-Event-ID` comes first. 0, the whole log, if both are left out.
    after: Option<u64>,
}

/// Events as they are appended, as server-sent events: `id` is the seq, `data` the event.
///
/// If the store was put back to an earlier state and ends before the last event the client has, the stream sends an event of
/// the type `reset`, which an `EventSource` hears of by that name alone. Its `data` is the head, `{"seq", "hash"}`, its `id` the
/// head's seq. The stream goes on after that head; the client reads the match again up to there. A store that was put back and
/// has grown again shows in an event whose `prev` is not the last `hash` the client has.
#[utoipa::path(
    get, path = "/v1/matches/{id}/events/stream", operation_id = "stream_events", tag = "log",
    params(("id" = Uuid, Path, description = "The match"), StreamQuery,
        ("Last-Event-ID" = Option<u64>, Header, description = "The last event the client has")),
    responses((status = 200, description = "The stream", body = String, content_type = "text/event-stream"))
)]
pub async fn stream(
    service: Data<Service>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    let StreamQuery { after } = request::query(&http)?;
    let after = match http.headers().get("Last-Event-ID") {
        None => after.unwrap_or(0),
        Some(value) => value
            .to_str()
            .ok()
            .and_then(|text| text.trim().parse().ok())
            .ok_or_else(|| Problem::header("Last-Event-ID", "is the seq of an event"))?,
    };
    let grown = service.matches.following().follow(path.0);
    // The head is read once the match is followed, so that no event falls between the two.
    let known = head(&service, path.0).await?.seq;
    service.matches.following().moved(path.0, known);
    let mut answer = HttpResponse::Ok();
    answer.insert_header((CACHE_CONTROL, "no-store"));
    answer.insert_header((CONTENT_TYPE, "text/event-stream"));
    // Proxies that collect answers would hold the events back.
    answer.insert_header(("X-Accel-Buffering", "no"));
    if http.method() == Method::HEAD {
        return Ok(answer.finish());
    }
    let (service, match_id) = (service.into_inner(), path.0);
    let follower = grown.map(|grown| Follower { service, match_id, grown, sent: after, known });
    let events = stream::unfold(follower, |follower| async {
        let (bytes, follower) = follower?.next().await?;
        Some((Ok::<_, Infallible>(bytes), Some(follower)))
    });
    Ok(answer.streaming(events))
}

/// One subscriber of a match.
struct Follower {
    service: Arc<Service>,
    match_id: MatchId,
    grown: watch::Receiver<u64>,
    sent: u64,
    /// How far the log reaches, by what was heard last.
    known: u64,
}

/// The next step of a stream.
enum Sending {
    /// These bytes are sent.
    Bytes(Bytes),
    /// There is nothing to send yet.
    Nothing,
    /// The stream ends.
    End,
}

impl Follower {
    /// The next bytes to send: events, a reset or a sign of life; none when the service stops, or the match is no longer there.
    async fn next(mut self) -> Option<(Bytes, Follower)> {
        loop {
            if self.grown.has_changed().ok()? {
                self.known = *self.grown.borrow_and_update();
            }
            let sending = match self.known.cmp(&self.sent) {
                Ordering::Greater => self.events().await,
                Ordering::Equal => self.wait().await,
                Ordering::Less => self.reset().await,
            };
            match sending {
                Sending::Bytes(bytes) => return Some((bytes, self)),
                Sending::Nothing => {}
                Sending::End => return None,
            }
        }
    }

    /// The log was read and reaches this event. All who follow the match are told, since a log that is shorter later is noticed
    /// only against what they know.
    fn reaches(&mut self, seq: u64) {
        self.known = seq;
        self.service.matches.following().moved(self.match_id, seq);
    }

    /// The events after the last that was sent.
    async fn events(&mut self) -> Sending {
        let store = self.service.matches.store();
        match store.entries(self.match_id, self.sent, PAGE).await {
            Ok(entries) if !entries.is_empty() => {
                self.sent = entries.last().map_or(self.sent, |entry| entry.seq);
                if self.sent > self.known {
                    self.reaches(self.sent);
                }
                let event = |entry: &Entry| format!("id: {}\ndata: {}\n\n", entry.seq, entry.line());
                return Sending::Bytes(Bytes::from(entries.iter().map(event).collect::<String>()));
            }
            // The log ends before the event that was heard of.
            Ok(_) => {
                if let Ok(Some(head)) = store.head(self.match_id).await {
                    self.reaches(head.seq);
                }
            }
            // The store does not answer now.
            Err(_) => {}
        }
        tokio::time::sleep(AGAIN).await;
        Sending::Nothing
    }

    /// News of the match, or a sign of life when there is none for long.
    async fn wait(&mut self) -> Sending {
        match tokio::time::timeout(KEEP_ALIVE, self.grown.changed()).await {
            Ok(Ok(())) => {
                self.known = *self.grown.borrow_and_update();
                Sending::Nothing
            }
            Ok(Err(_closed)) => Sending::End,
            Err(_elapsed) => Sending::Bytes(Bytes::from_static(b": still here\n\n")),
        }
    }

    /// The head, where the log ends before what the client has: the store was put back. The head is read again after a while,
    /// since a read may trail what another instance wrote and told the client.
    async fn reset(&mut self) -> Sending {
        tokio::time::sleep(TRAILING).await;
        match self.service.matches.store().head(self.match_id).await {
            Ok(Some(head)) => {
                self.reaches(head.seq);
                if head.seq >= self.sent {
                    return Sending::Nothing;
                }
                self.sent = head.seq;
                let Ok(data) = response::text(&head) else { return Sending::End };
                Sending::Bytes(Bytes::from(format!("event: reset\nid: {}\ndata: {data}\n\n", head.seq)))
            }
            Ok(None) => Sending::End,
            Err(_) => Sending::Nothing,
        }
    }
}

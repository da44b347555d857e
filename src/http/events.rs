//! The log of a match over HTTP: pages of events, one event, the log file, and a stream of events as they are
//! appended.

use std::cmp::Ordering;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use actix_web::http::Method;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, ETAG};
use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::{Stream, StreamExt, stream};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::sync::watch;
use utoipa::{IntoParams, ToSchema};

use super::answer_text::AnswerText;
use super::list_query::PageQuery;
use super::log_pages;
use super::outgoing::{self, OutgoingBody, Portion};
use super::representation::never_compressed;
use super::request::{self, MatchPath};
use super::response::{self, raw_events};
use super::{AppState, entity_tag};
use crate::commands::Problem;
use crate::log::{Event, Head, MatchId, edition_line};
use crate::projection::AsOfError;
use crate::service::{Announced, ServiceError};
use crate::store::StoreError;

/// The size of an event, roughly, in bytes.
const EVENT: usize = 1 << 10;
/// The interval of the events that keep a quiet stream alive.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// The first lines of a stream: a client that has lost it connects again after this many milliseconds.
const CONNECT_AGAIN: &[u8] = b"retry: 2000\n\n";
/// How long a stream waits before it reads again from a store that does not answer.
const RETRY: Duration = Duration::from_millis(500);
/// How long a read may lag behind what another instance has written.
const READ_LAG: Duration = Duration::from_secs(1);

/// A page of events.
#[derive(Serialize, ToSchema)]
pub struct EventPage {
    /// The events, in order.
    #[schema(value_type = Vec<Event>)]
    pub events: Vec<Box<RawValue>>,
    /// The `after` of the next page; null on the last page.
    pub next_after: Option<u64>,
    /// The last event of the log and its hash.
    pub head: Head,
}

/// A page of the events of a match, in order; `after` is the seq of an event.
#[utoipa::path(
    get, path = "/v1/matches/{id}/events", operation_id = "list_events", tag = "log",
    params(PageQuery),
    responses((status = 200, description = "A page of events", body = EventPage,
        headers(("ETag" = String, description = "The head's hash, a dot and the form"))))
)]
pub async fn list(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    let window = request::query::<PageQuery>(&http)?.window()?;
    let head = service.matches.head(path.0).await?;
    let tag = entity_tag::of_event(&head.hash);
    if let Some(unchanged) = response::unchanged(&http, &tag) {
        return Ok(unchanged);
    }
    let entries = log_pages::listed(&service, path.0, head.seq, window).await?;
    let next_after = entries.last().map(|entry| entry.seq).filter(|seq| *seq < head.seq);
    let page = EventPage { events: raw_events(&entries)?, next_after, head };
    response::fresh_view(&http, &tag, || page).await
}

/// One event of a match.
#[utoipa::path(
    get, path = "/v1/matches/{id}/events/{seq}", operation_id = "get_event", tag = "log",
    params(("seq" = u64, Path, description = "The event's place in the log")),
    responses((status = 200, description = "The event", body = Event,
        headers(("ETag" = String, description = "The event's hash, a dot and the form"))))
)]
pub async fn get(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    let at: u64 = request::number(&http, "seq", "an event is named by its seq")?;
    let head = service.matches.head(path.0).await?;
    let entry = match at {
        0 => None,
        _ => service.matches.store().entries(path.0, at - 1, 1).await?.pop().filter(|entry| entry.seq == at),
    };
    let entry = entry.ok_or(ServiceError::AsOf(AsOfError::NoSuchEvent { at, last: head.seq }))?;
    response::fresh(&http, &entity_tag::of_event(&entry.hash), || Ok(AnswerText::kept(entry.line())))
}

/// A part of a log file beside its events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LogExtra {
    /// The edition the match is played with.
    Edition,
}

/// The query of a log file.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LogQuery {
    /// `edition`: begin the file with a line that holds the edition of the match, if it has one. Such a file
    /// can be audited by a program that does not know the edition.
    with: Option<LogExtra>,
}

/// The match log file: NDJSON, one event a line.
#[utoipa::path(
    get, path = "/v1/matches/{id}/log", operation_id = "get_log", tag = "log",
    params(LogQuery),
    responses((status = 200, description = "The log", body = String, content_type = "application/x-ndjson",
        headers(("ETag" = String, description = "The head's hash, a dot and the form, and whether the file holds the edition"))))
)]
pub async fn log(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    let LogQuery { with } = request::query(&http)?;
    let match_id = path.0;
    let head = service.matches.head(match_id).await?;
    let edition = match with {
        Some(LogExtra::Edition) => service.matches.edition_of(match_id).await?,
        None => None,
    };
    let tag = match edition {
        Some(_) => entity_tag::of_variant(&head.hash, "edition"),
        None => entity_tag::of_event(&head.hash),
    };
    if let Some(unchanged) = response::unchanged(&http, &tag) {
        return Ok(unchanged);
    }
    // The first page is read before the response begins, so that a store that does not answer becomes a
    // problem response, and so does a lack of memory.
    let begin = edition.map(|edition| edition_line(&edition.text) + "\n").unwrap_or_default();
    let (first, last) = log_pages::first_of_file(&service, match_id, head.seq, begin).await?;
    let pages = stream::try_unfold((Some(first), last), move |(first, after)| {
        let service = service.clone();
        async move {
            if let Some(first) = first {
                return Ok(Some((first, (None, after))));
            }
            if after >= head.seq {
                return Ok(None);
            }
            let share = service.outgoing.of_next_page(outgoing::PAGE).await;
            let (page, last) = log_pages::of_file(&service, match_id, after..head.seq, share).await?;
            Ok(Some((page, (None, last))))
        }
    });
    Ok(HttpResponse::Ok()
        .insert_header((ETAG, entity_tag::quoted(&tag)))
        .insert_header((CACHE_CONTROL, "no-cache"))
        .insert_header((CONTENT_TYPE, "application/x-ndjson"))
        .insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{match_id}.ndjson\"")))
        .body(OutgoingBody::pages(pages)))
}

/// The query of a stream of events.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct StreamQuery {
    /// The event after which the stream begins; the header `Last-Event-ID` wins. 0, for the whole log, if
    /// both are left out.
    after: Option<u64>,
}

/// Events as they are appended, as server-sent events: `id` is the seq, `data` the event.
///
/// If the store was restored to an earlier state and ends before the last event that the client has, the
/// stream sends an event of the type `reset`; an `EventSource` needs a listener for that name. Its `data` is
/// the head, `{"seq", "hash"}`, its `id` the head's seq. The stream goes on after that head; the client reads
/// the match again up to there. A store that was restored and has grown since shows in an event whose `prev`
/// is not the last `hash` that the client has.
///
/// A quiet stream sends an event of the type `alive` every 15 seconds. It has no `id`. Its `data` is
/// `{"head", "store"}`: the seq of the last event that the service knows of, and whether the store answers.
/// Where `store` is false, newer events may be missing.
#[utoipa::path(
    get, path = "/v1/matches/{id}/events/stream", operation_id = "stream_events", tag = "log",
    params(StreamQuery,
        ("Last-Event-ID" = Option<u64>, Header, description = "The last event the client has")),
    responses((status = 200, description = "The stream", body = String, content_type = "text/event-stream"))
)]
pub async fn stream(
    service: Data<AppState>,
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
    let announced = service.matches.subscriptions().subscribe(path.0);
    // The head is read after subscribing, so that no event is lost between the two.
    let known = service.matches.head(path.0).await?.seq;
    service.matches.subscriptions().advance(path.0, known);
    let mut answer = HttpResponse::Ok();
    answer.insert_header((CACHE_CONTROL, "no-store"));
    answer.insert_header((CONTENT_TYPE, "text/event-stream"));
    // Proxies that buffer responses would hold the events back.
    answer.insert_header(("X-Accel-Buffering", "no"));
    if http.method() == Method::HEAD {
        return Ok(answer.finish());
    }
    let (service, match_id) = (service.into_inner(), path.0);
    let state = Arc::clone(&service);
    let is_cut_off = Arc::new(AtomicBool::default());
    let cut_off = Arc::clone(&is_cut_off);
    let alive = move || {
        let head = state.matches.subscriptions().announced(match_id).unwrap_or(known);
        let answers = state.matches.subscriptions().store_answers(match_id) && !cut_off.load(Relaxed);
        sign_of_life(head, answers)
    };
    let subscriber = announced.map(|announced| Subscriber {
        service,
        match_id,
        announced,
        sent: after,
        known,
        is_cut_off,
    });
    let messages = stream::unfold(subscriber, |subscriber| async {
        let (page, subscriber) = subscriber?.next().await?;
        Some((page, Some(subscriber)))
    });
    let first = stream::once(async { uncounted(Bytes::from_static(CONNECT_AGAIN)) });
    let portions = first.chain(kept_alive(messages, alive)).map(Ok);
    Ok(never_compressed(answer.body(OutgoingBody::pages(portions))))
}

/// A portion so small that it takes no share of what waits to be sent.
fn uncounted(bytes: Bytes) -> Portion {
    Portion { bytes, share: None }
}

/// The messages of a stream, with a sign of life wherever none has come for long. A message that is on its
/// way then is still waited for, also where it is a read of a store that does not answer.
fn kept_alive(
    messages: impl Stream<Item = Portion>,
    alive: impl Fn() -> Bytes,
) -> impl Stream<Item = Portion> {
    stream::unfold((Box::pin(messages), alive), |(mut messages, alive)| async {
        let message = match tokio::time::timeout(KEEP_ALIVE, messages.next()).await {
            Ok(message) => message?,
            Err(_elapsed) => uncounted(alive()),
        };
        Some((message, (messages, alive)))
    })
}

/// The event that keeps a quiet stream alive. It has no id, so that a client that connects again goes on
/// after the last event of the log that it has.
fn sign_of_life(head: u64, store: bool) -> Bytes {
    Bytes::from(format!("event: alive\ndata: {{\"head\":{head},\"store\":{store}}}\n\n"))
}

/// A subscriber of a match: one client that reads its stream.
struct Subscriber {
    service: Arc<AppState>,
    match_id: MatchId,
    /// The head and the last events, as the subscriptions announce them.
    announced: watch::Receiver<Announced>,
    /// The seq of the last event that was sent to the client.
    sent: u64,
    /// The seq of the head, as this subscriber knows it.
    known: u64,
    /// Whether the last read of the store failed.
    is_cut_off: Arc<AtomicBool>,
}

/// The next step of a stream.
enum Step {
    /// A page is to be sent.
    Page(Portion),
    /// Nothing is to be sent yet.
    Nothing,
    /// The stream is to end.
    End,
}

impl Subscriber {
    /// The next page to send: events or a reset; none when the service stops, or the match is not there any
    /// more.
    async fn next(mut self) -> Option<(Portion, Subscriber)> {
        loop {
            if self.announced.has_changed().ok()? {
                self.known = self.announced.borrow_and_update().seq;
            }
            let read = match self.known.cmp(&self.sent) {
                Ordering::Greater => self.events().await,
                Ordering::Less => self.reset().await,
                Ordering::Equal => {
                    self.announced.changed().await.ok()?;
                    self.known = self.announced.borrow_and_update().seq;
                    continue;
                }
            };
            self.log_outage(&read);
            match read {
                Ok(Step::Page(page)) => return Some((page, self)),
                Ok(Step::Nothing) => {}
                Ok(Step::End) => return None,
                Err(_) => tokio::time::sleep(RETRY).await,
            }
        }
    }

    /// Logs the beginning and the end of an outage of the store, and nothing in between.
    fn log_outage(&self, read: &Result<Step, StoreError>) {
        let was_cut_off = self.is_cut_off.swap(read.is_err(), Relaxed);
        let match_id = self.match_id;
        match read {
            Err(error) if !was_cut_off => {
                tracing::warn!(%match_id, %error, "a stream waits for the store");
            }
            Ok(_) if was_cut_off => tracing::info!(%match_id, "a stream reads from the store again"),
            Ok(_) | Err(_) => {}
        }
    }

    /// Records the seq of the head that was read, and announces it to all subscribers of the match: a log
    /// that becomes shorter is noticed only by comparison with the head they know.
    fn set_head(&mut self, seq: u64) {
        self.known = seq;
        self.service.matches.subscriptions().advance(self.match_id, seq);
    }

    /// The events after the last that was sent: as they were handed on, or else from the store.
    async fn events(&mut self) -> Result<Step, StoreError> {
        let announced = self.announced.borrow().clone();
        if let Some(events) = announced.after(self.sent) {
            let bytes = events.iter().map(|entry| entry.body.len()).sum();
            let share = self.service.outgoing.of_next_page(bytes).await;
            (self.sent, self.known) = (announced.seq, self.known.max(announced.seq));
            return Ok(Step::Page(log_pages::messages(events, share)));
        }
        // Most often a single event is due, to many clients at once.
        let due = usize::try_from(self.known.saturating_sub(self.sent)).unwrap_or(usize::MAX);
        let estimate = due.saturating_mul(EVENT).min(outgoing::PAGE);
        let share = self.service.outgoing.of_next_page(estimate).await;
        if let Some((page, last)) =
            log_pages::of_stream(&self.service, self.match_id, self.sent, share).await?
        {
            self.sent = last;
            if self.sent > self.known {
                self.set_head(self.sent);
            }
            return Ok(Step::Page(page));
        }
        // The log ends before the head that was announced.
        let store = self.service.matches.store();
        if let Some(head) = store.head(self.match_id).await? {
            self.set_head(head.seq);
        }
        tokio::time::sleep(RETRY).await;
        Ok(Step::Nothing)
    }

    /// Sends a reset where the log ends before the last event that the client has: the store was restored.
    /// The head is read again after a while, since a read may lag behind an event that another instance wrote
    /// and sent to the client.
    async fn reset(&mut self) -> Result<Step, StoreError> {
        tokio::time::sleep(READ_LAG).await;
        let Some(head) = self.service.matches.store().head(self.match_id).await? else {
            return Ok(Step::End);
        };
        self.set_head(head.seq);
        if head.seq >= self.sent {
            return Ok(Step::Nothing);
        }
        self.sent = head.seq;
        let Ok(data) = serde_json::to_string(&head) else { return Ok(Step::End) };
        let bytes = Bytes::from(format!("event: reset\nid: {}\ndata: {data}\n\n", head.seq));
        Ok(Step::Page(Portion { bytes, share: None }))
    }
}

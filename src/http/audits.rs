//! Audits over HTTP: of the stored log of a match, and of a log that a client sends. Audits run on threads of
//! their own, bounded by a queue and by the memory of requests.

use std::ops::ControlFlow;
use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, HeaderValue};
use actix_web::web::{Bytes, Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::AppState;
use super::answer_text::{AnswerText, content_hash};
use super::body::{self, Body, LOG_LIMIT};
use super::memory::{self, MemoryClass};
use super::request::{self, MatchPath};
use super::response;
use super::work_queue::WorkTurn;
use crate::audit::{AuditReport, audit_with};
use crate::commands::{Problem, ProblemType};
use crate::editions::{EditionMismatch, Editions, MatchLog};
use crate::log::{
    BrokenLine, EditionRecord, Entry, MOST_VALUES_OF_EDITION, MOST_VALUES_OF_EVENT, MatchId, given_hash,
};
use crate::rules::Edition;
use crate::service::{ServiceError, on_own_thread};

/// The most bytes of each list in the report on a stored log, as JSON. There are five.
const LONGEST_LIST: usize = 160 << 10;

/// A log to audit, with the memory and the turn that its audit takes. Both are given back when the audit
/// ends, which may be after the client has gone.
struct PendingAudit {
    log: Body,
    turn: WorkTurn,
    /// The edition that the log needs, where the file does not hold it and it is not built in.
    unknown: Option<EditionRecord>,
}

impl PendingAudit {
    /// Takes the memory that the audit of this log needs, and finds the edition of its match.
    async fn open(mut log: Body, turn: WorkTurn, known: Editions) -> Result<PendingAudit, Problem> {
        let opened = move || {
            log.share.take_for_values(values_at_once(&log))?;
            let unknown = unknown_edition(&log, known);
            Ok(PendingAudit { log, turn, unknown })
        };
        on_own_thread(opened).await?
    }

    /// Audits the log, with these games and editions.
    async fn run(
        self,
        editions: Editions,
        expect_head: Option<String>,
    ) -> Result<Result<AuditReport, BrokenLine>, Problem> {
        let audited = move || {
            let PendingAudit { log, turn, .. } = self;
            let report = audit_with(&*log, expect_head.as_deref(), editions);
            drop((log, turn));
            report
        };
        Ok(on_own_thread(audited).await?)
    }
}

/// The most JSON values that an audit of this log holds at once. An event that is not in the usual form is
/// held three times: as a tree, as its data (copied for a first event), and as the event that is read from
/// them. An edition is held as a tree.
fn values_at_once(log: &[u8]) -> usize {
    let (mut most, mut of_line) = (0, 0);
    for byte in log {
        match byte {
            b'\n' => of_line = 0,
            b',' | b'[' | b'{' => of_line += 1,
            _ => {}
        }
        most = most.max(of_line + 1);
    }
    most.min(MOST_VALUES_OF_EDITION) + 3 * most.min(MOST_VALUES_OF_EVENT)
}

/// The edition that a log needs, where the file does not hold it and it is not built in.
fn unknown_edition(log: &[u8], known: Editions) -> Option<EditionRecord> {
    let mut lines = MatchLog::new(log, known);
    let (first, entry) = lines.next()?.ok()?;
    match lines.misfit(&first, &entry)? {
        EditionMismatch::Unknown(unknown) => Some(unknown),
        EditionMismatch::Another { .. } => None,
    }
}

/// The edition of this record, if the store has it.
async fn stored_edition(
    service: &AppState,
    unknown: Option<&EditionRecord>,
) -> Result<Option<Arc<Edition>>, Problem> {
    let Some(unknown) = unknown else { return Ok(None) };
    match service.matches.edition(&unknown.sha256).await {
        Err(ServiceError::NoSuchEdition(_)) => Ok(None),
        found => Ok(found.map(Some)?),
    }
}

/// The format of an audit report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReportFormat {
    /// JSON, for programs.
    #[default]
    Json,
    /// Text for people, as the command line prints it.
    Text,
}

impl ReportFormat {
    fn media_type(self) -> &'static str {
        match self {
            ReportFormat::Json => "application/json",
            ReportFormat::Text => "text/plain; charset=utf-8",
        }
    }

    fn write(self, report: &AuditReport) -> Result<Bytes, Problem> {
        match self {
            ReportFormat::Json => response::text(report),
            ReportFormat::Text => Ok(report.to_string().into()),
        }
    }
}

/// The query of the audit of a match.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ReportQuery {
    /// The expected hash of the last event, if the client has noted it.
    expect_head: Option<String>,
    /// The format of the report: `json`, or `text` as the command line prints it; `json` if left out.
    #[serde(default)]
    format: ReportFormat,
}

/// Audit the stored log of a match.
#[utoipa::path(
    get, path = "/v1/matches/{id}/audit", operation_id = "audit_match", tag = "audits",
    params(ReportQuery),
    responses((status = 200, description = "The audit report, clean or not",
        content((AuditReport = "application/json"), (String = "text/plain")),
        headers(("ETag" = String, description = "Of this report"))))
)]
pub async fn stored(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    let ReportQuery { expect_head, format } = request::query(&http)?;
    let expect_head = expected_head(expect_head.as_deref())?;
    let head = service.matches.head(path.0).await?;
    let turn = service.audits.turn().await?;
    let (log, last) = stored_log(&service, path.0, head.seq).await?;
    // The log has to end in both heads: the store's own, and the one that the client expects.
    let expected = expect_head.filter(|expected| *expected != last).unwrap_or(head.hash);
    let known = service.matches.known_editions();
    let editions = known.only(service.matches.edition_of(path.0).await?.as_ref());
    let audit = PendingAudit::open(log, turn, known.clone()).await?;
    let report = audit.run(editions, Some(expected)).await?.map_err(|broken| {
        Problem::new(ProblemType::BrokenLog, format!("the stored log is not a match log: {broken}"))
    })?;
    // The tag is made from the report: a log can be tampered with while its head stays, and the report
    // changes then.
    let write = move || {
        let text = format.write(&report.shortened(LONGEST_LIST))?;
        let content = content_hash(&text);
        Ok((text, content))
    };
    let (text, content) = AnswerText::on_thread_with(write).await?;
    let mut answer = response::fresh(&http, &content, || Ok(text))?;
    if answer.status() == StatusCode::OK {
        answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(format.media_type()));
    }
    Ok(answer)
}

/// The head that the client expects; refused if it is no hash.
fn expected_head(head: Option<&str>) -> Result<Option<String>, Problem> {
    let no_hash = || Problem::query("expect_head", "expect_head is a hash: 64 hexadecimal digits");
    head.map(|head| given_hash(head).ok_or_else(no_hash)).transpose()
}

/// The log of a match up to event `to`, as a file has it, and the hash of its last event.
async fn stored_log(service: &AppState, match_id: MatchId, to: u64) -> Result<(Body, String), Problem> {
    let (mut log, mut refused) = (Body::new(service.memory.share(MemoryClass::Log)), None);
    let mut last = String::new();
    let mut add = |entry: Entry| {
        last.clone_from(&entry.hash);
        let line = entry.line() + "\n";
        refused = log.extend(line.as_bytes(), memory::TOTAL).err();
        if refused.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    service.matches.store().read(match_id, 0, to, &mut add).await?;
    match refused {
        Some(refused) => Err(refused.into()),
        None => Ok((log, last)),
    }
}

/// The query of an audit of a log file.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AuditQuery {
    /// The expected hash of the last event, if the client knows it.
    expect_head: Option<String>,
    /// The format of the report: `json`, or `text` as the command line prints it; `json` if left out.
    #[serde(default)]
    format: ReportFormat,
}

/// Audit a match log file. Nothing is stored.
#[utoipa::path(
    post, path = "/v1/audits", operation_id = "audit_log", tag = "audits",
    params(AuditQuery),
    request_body(content = String, content_type = "application/x-ndjson", description = "The match log file, at most 32 MiB; its first line may be the edition"),
    responses((status = 200, description = "The audit report, clean or not",
        content((AuditReport = "application/json"), (String = "text/plain"))))
)]
pub async fn given(
    service: Data<AppState>,
    http: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    let AuditQuery { expect_head, format } = request::query(&http)?;
    let expect_head = expected_head(expect_head.as_deref())?;
    let log = body::read(&http, payload, LOG_LIMIT).await?;
    let known = service.matches.known_editions();
    let audit = PendingAudit::open(log, service.audits.turn().await?, known.clone()).await?;
    let editions = known.only(stored_edition(&service, audit.unknown.as_ref()).await?.as_ref());
    let report = audit.run(editions, expect_head).await??;
    let AnswerText { bytes, .. } = AnswerText::on_thread(move || format.write(&report)).await?;
    Ok(HttpResponse::Ok().content_type(format.media_type()).body(bytes))
}

//! Corrections over HTTP: void play from a ball or an event on, amend a ball, preview either without storing
//! it, and consent to a proposed correction in remote play.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use utoipa::{IntoParams, ToSchema};

use super::append::{AppendRequest, CarriedOut, carry_out};
use super::list_query::PageQuery;
use super::next_step::{NextRequest, NextStep};
use super::request::{self, MatchPath};
use super::response::{self, AppendedBody};
use super::{AppState, entity_tag};
use crate::commands::bodies::{CommandBody, ConsentBody, CorrectionBody};
use crate::commands::{CommandRequest, Problem, ProblemType};
use crate::log::{DeliveryPlace, Event, Head};
use crate::matches::Preview;
use crate::matches::corrections::RefitNote;
use crate::projection::{AgreedException, ChangedChoice, CorrectionEntry, LoadedMatch};
use crate::rules::ResultView;
use crate::service::{Appended, DryRun, LaterAsked, LaterBall, UnfinishedCorrection};
use crate::views::{
    CardChange, FirstFew, ListWindow, MatchSituation, RunsNeeded, Score, Scorecard, card_changes,
    counts_nothing, first_of, page_of,
};

/// The query of a correction.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct CorrectionQuery {
    /// Whether to show only what would change, and to store nothing.
    dry_run: Option<bool>,
}

/// The result of a correction.
#[derive(Serialize, ToSchema)]
pub struct CorrectedBody {
    /// The events that were appended, in order.
    #[schema(value_type = Vec<Event>)]
    pub events: Vec<Box<RawValue>>,
    /// The score after them.
    pub score: Score,
    /// The situation after them; null before the toss is decided, and after the end.
    pub situation: Option<MatchSituation>,
    /// What the match waits for now.
    pub next: NextStep,
    /// The last event and its hash, for `If-Match`.
    pub head: Head,
    /// The hand and the secret choice of a side, shown only to a holder of its token, as in the view of the
    /// match. It is left out where there is none.
    #[serde(skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Option<Object>)]
    pub own: Map<String, Value>,
    /// The correction as it is after these events: made, or only proposed.
    pub correction: Option<CorrectionEntry>,
    /// The changes of the scorecard.
    pub difference: Vec<CardChange>,
}

/// What a correction would come to: its result; or, where an amended ball at the table misses a die or a
/// choice, what is asked next.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum DryRunBody {
    /// The result.
    Whole(Box<SupposedBody>),
    /// What is asked next.
    Unfinished(Box<UnfinishedBody>),
}

/// What is asked next for an amended ball at the table of which a die or a choice is missing.
#[derive(Serialize, ToSchema)]
pub struct UnfinishedBody {
    /// Always true: nothing was stored.
    pub dry_run: bool,
    /// Always false: the body is not whole.
    pub done: bool,
    /// What the ball comes to so far, in words: `a legal ball`.
    pub so_far: String,
    /// What the match waited for before the ball, and the amendment with what its body misses.
    pub next: NextStep,
    /// The later delivery that is asked about, in a refit; left out for the amended ball.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub later: Option<LaterUnfinishedBody>,
    /// The innings that misses the ball that is asked about, in a refit; left out for another ball.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<MissingUnfinishedBody>,
    /// The event that the correction would follow, for `If-Match`.
    pub head: Head,
}

/// The result that a correction would have.
#[derive(Serialize, ToSchema)]
pub struct SupposedBody {
    /// Always true: nothing was stored.
    pub dry_run: bool,
    /// The score now.
    pub before: Score,
    /// The score after the correction.
    pub after: Score,
    /// The result of the match after the correction.
    pub result: Option<ResultView>,
    /// What the side batting last would still need; left out while no target is chased, and once the match is
    /// over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub need: Option<RunsNeeded>,
    /// The changes of the scorecard.
    pub difference: Vec<CardChange>,
    /// What a refit could not keep of later deliveries; left out where it kept all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<RefitNote>,
    /// The event that the correction would follow, for `If-Match`.
    pub head: Head,
}

/// The later delivery of which a refit asks a die or a choice, and the changes before it.
#[derive(Serialize, ToSchema)]
#[schema(as = LaterUnfinished)]
pub struct LaterUnfinishedBody {
    /// The number of the delivery before the correction.
    pub delivery: u32,
    /// The place of the delivery before the correction.
    pub place: Option<DeliveryPlace>,
    /// The score before the delivery, as it is now.
    pub before: Score,
    /// The score before the delivery, after the correction.
    pub after: Score,
    /// The changes of the scorecard before the delivery.
    pub difference: Vec<CardChange>,
    /// What the refit could not keep before the delivery; left out where it kept all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<RefitNote>,
}

/// The innings that goes on past its last ball in a refit, and the changes up to there.
#[derive(Serialize, ToSchema)]
#[schema(as = MissingUnfinished)]
pub struct MissingUnfinishedBody {
    /// The number of the innings, from 1.
    pub innings: u16,
    /// The score at the end of the innings, as it is now.
    pub before: Score,
    /// The score before the ball that is missing, after the correction.
    pub after: Score,
    /// The changes of the scorecard up to there.
    pub difference: Vec<CardChange>,
    /// What the refit could not keep up to there; left out where it kept all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<RefitNote>,
}

/// The ball that an innings misses, of which a refit asks, in a problem.
#[derive(Serialize)]
pub struct MissingQuestion {
    /// The number of the innings, from 1.
    pub innings: u16,
    /// The correction once more: with what its body misses, with the ball not known, and with the innings
    /// ended.
    pub requests: Vec<NextRequest>,
}

/// The later delivery of which a refit asks a die or a choice, in a problem.
#[derive(Serialize)]
pub struct LaterQuestion {
    /// The number of the delivery before the correction.
    pub delivery: u32,
    /// The place of the delivery before the correction.
    pub place: Option<DeliveryPlace>,
    /// The correction once more, with what its body misses.
    pub requests: Vec<NextRequest>,
}

/// A page of the corrections of a match, with the first of what they changed.
#[derive(Serialize, ToSchema)]
pub struct CorrectionList {
    /// The corrections of the page, in the order of their numbers.
    pub corrections: Vec<CorrectionEntry>,
    /// The `after` of the next page; null on the last page.
    pub next_after: Option<u64>,
    /// Choices that differ after a correction from those before it, made when the outcome of the earlier ones
    /// was known. These are the first, at most 8 KiB: `GET .../changed-choices` has all.
    #[schema(max_items = 20)]
    pub changed_choices: Vec<ChangedChoice>,
    /// The number of all such choices; left out where there are none.
    #[serde(skip_serializing_if = "counts_nothing")]
    pub changed_choices_total: u32,
    /// Values that were read off the table, like dice, and read anew after a correction; left out where there
    /// are none. These are the first, at most 8 KiB: `GET .../read-anew` has all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 20)]
    pub read_anew: Vec<ChangedChoice>,
    /// The number of all such values; left out where there are none.
    #[serde(skip_serializing_if = "counts_nothing")]
    pub read_anew_total: u32,
    /// Balls with an outcome that the table agreed on, and not by the rules. These are the first, at most 8
    /// KiB: `GET .../exceptions` has all.
    #[schema(max_items = 20)]
    pub exceptions: Vec<AgreedException>,
    /// The number of all balls with such an outcome; left out where there are none.
    #[serde(skip_serializing_if = "counts_nothing")]
    pub exceptions_total: u32,
    /// The last event and its hash.
    pub head: Head,
}

impl CorrectionList {
    /// The bytes of corrections on a page: what the three other lists leave of it.
    const BYTES: usize = ListWindow::BYTES - 3 * FirstFew::OTHERS.bytes;

    fn page(loaded: &LoadedMatch, window: ListWindow) -> CorrectionList {
        let adjudication = loaded.adjudication();
        let window = ListWindow { bytes: CorrectionList::BYTES, ..window };
        let (corrections, next_after) = page_of(adjudication.corrections(), window);
        let (changed_choices, changed_choices_total) =
            first_of(adjudication.changed_choices(), FirstFew::OTHERS);
        let (read_anew, read_anew_total) = first_of(adjudication.read_anew(), FirstFew::OTHERS);
        let (exceptions, exceptions_total) = first_of(loaded.exceptions(), FirstFew::OTHERS);
        CorrectionList {
            corrections,
            next_after,
            changed_choices,
            changed_choices_total,
            read_anew,
            read_anew_total,
            exceptions,
            exceptions_total,
            head: loaded.head().clone(),
        }
    }
}

/// Void play from a delivery or an event on, or amend an old delivery. Nothing is deleted: void events stay
/// in the log. In remote play the correction is proposed, and made when both sides have consented.
#[utoipa::path(
    post, path = "/v1/matches/{id}/corrections", operation_id = "correct_match", tag = "disputes",
    params(CorrectionQuery), request_body = CorrectionBody,
    responses(
        (status = 200, description = "What would change, or what is asked next for the ball; nothing is stored",
            body = DryRunBody),
        (status = 201, description = "Appended", body = CorrectedBody,
            headers(("ETag" = String, description = "The head's hash, a dot and the form")))),
    security(("scorer" = []), ("side" = []))
)]
pub async fn create(request: AppendRequest) -> Result<HttpResponse, Problem> {
    let CorrectionQuery { dry_run } = request::query(&request.http)?;
    let (service, http) = (request.service.clone(), request.http.clone());
    let correction = request.command::<CorrectionBody>().await?;
    if dry_run != Some(true) {
        return match carry_out(&service, &http, &correction, CorrectionBody::CHOICES_AT).await {
            Ok(carried) => answer(carried).await,
            Err(problem) => Err(with_question(problem, &service, &correction).await),
        };
    }
    let dry_run = service.matches.dry_run(&correction).await;
    let (before, dry_run) =
        dry_run.map_err(|error| Problem::of_command(error, CorrectionBody::CHOICES_AT))?;
    let text = response::text(&DryRunBody::of(&before, dry_run))?;
    Ok(HttpResponse::Ok().content_type("application/json").body(text))
}

/// The problem of a correction, with what a refit asks of a later delivery where that is missing.
async fn with_question(problem: Problem, service: &AppState, correction: &CommandRequest) -> Problem {
    if problem.kind() != ProblemType::NeedsInput {
        return problem;
    }
    match service.matches.dry_run(correction).await {
        Ok((_, DryRun::Unfinished(unfinished))) => {
            let UnfinishedCorrection { state, preview, later } = *unfinished;
            let requests = NextStep::of(&state, preview.requests).requests;
            match later.map(|asked| asked.ball) {
                Some(LaterBall::Kept(delivery, place)) => {
                    problem.with_later(json!(LaterQuestion { delivery, place, requests }))
                }
                Some(LaterBall::Missing(innings)) => {
                    problem.with_missing(json!(MissingQuestion { innings, requests }))
                }
                None => problem,
            }
        }
        Ok((_, DryRun::Whole(..))) | Err(_) => problem,
    }
}

impl DryRunBody {
    fn of(before: &LoadedMatch, dry_run: DryRun) -> DryRunBody {
        match dry_run {
            DryRun::Whole(after, notes) => DryRunBody::Whole(Box::new(SupposedBody {
                dry_run: true,
                before: Score::of(before),
                after: Score::of(&after),
                result: after.result(),
                need: MatchSituation::of(&after).and_then(|situation| situation.need),
                difference: difference(before, &after),
                notes,
                head: before.head().clone(),
            })),
            DryRun::Unfinished(unfinished) => {
                let UnfinishedCorrection { state, preview, later } = *unfinished;
                let Preview { words, requests, .. } = preview;
                let (later, missing) = later.map_or((None, None), asked_of);
                DryRunBody::Unfinished(Box::new(UnfinishedBody {
                    dry_run: true,
                    done: false,
                    so_far: words.into_so_far(),
                    next: NextStep::of(&state, requests),
                    later,
                    missing,
                    head: before.head().clone(),
                }))
            }
        }
    }
}

/// The ball after the changed one that is asked about: one of these two.
fn asked_of(asked: LaterAsked) -> (Option<LaterUnfinishedBody>, Option<MissingUnfinishedBody>) {
    let LaterAsked { ball, was, is, notes } = asked;
    let (before, after, difference) = (Score::of(&was), Score::of(&is), difference(&was, &is));
    match ball {
        LaterBall::Kept(delivery, place) => {
            (Some(LaterUnfinishedBody { delivery, place, before, after, difference, notes }), None)
        }
        LaterBall::Missing(innings) => {
            (None, Some(MissingUnfinishedBody { innings, before, after, difference, notes }))
        }
    }
}

fn difference(before: &LoadedMatch, after: &LoadedMatch) -> Vec<CardChange> {
    card_changes(&Scorecard::without_disputes(before), &Scorecard::without_disputes(after))
}

/// The response 201 with the appended events and the changes of the scorecard.
async fn answer(carried: CarriedOut) -> Result<HttpResponse, Problem> {
    let body = |appended: Appended, next, own| {
        let correction = appended.loaded.adjudication().corrections().last().cloned();
        let before = appended.before.as_ref();
        let difference = before.map_or_else(Vec::new, |before| difference(before, &appended.loaded));
        let AppendedBody { events, score, situation, next, head, own } =
            AppendedBody::of(appended, next, own)?;
        Ok(CorrectedBody { events, score, situation, next, head, own, correction, difference })
    };
    carried.answer(body).await
}

/// Consent to a proposed correction, for a side, with its own token. The second consent makes the correction.
#[utoipa::path(
    post, path = "/v1/matches/{id}/corrections/{n}/consent", operation_id = "consent_to_correction", tag = "disputes",
    params(("n" = u32, Path, description = "The correction's number")),
    responses((status = 201, description = "Appended", body = CorrectedBody,
        headers(("ETag" = String, description = "The head's hash, a dot and the form")))), security(("side" = []))
)]
pub async fn consent(request: AppendRequest) -> Result<HttpResponse, Problem> {
    let number = request::number(&request.http, "n", "a correction is named by its number")?;
    let (body, read) = request.read::<ConsentBody>().await?;
    answer(read.append(body.into_command(number)).await?).await
}

/// A page of the corrections of a match, with the first of the choices that they changed; `after` is the
/// number of a correction.
#[utoipa::path(
    get, path = "/v1/matches/{id}/corrections", operation_id = "list_corrections", tag = "disputes",
    params(PageQuery),
    responses((status = 200, description = "A page of corrections", body = CorrectionList,
        headers(("ETag" = String, description = "The head's hash, a dot and the form"))))
)]
pub async fn list(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    let window = request::query::<PageQuery>(&http)?.window()?;
    let loaded = service.matches.loaded(path.0).await?;
    let tag = entity_tag::of_event(&loaded.head().hash);
    response::fresh_view(&http, &tag, || CorrectionList::page(&loaded, window)).await
}

use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use super::Service;
use super::plays::{Shown, Submitted, put, refused, submission, submit};
use super::problem::{Kind, Problem};
use super::request::{self, MatchPath};
use super::response::{self, AppendedBody};
use crate::commands::Asked;
use crate::log::{Agreed, Amendment, Cascade, Event, Head};
use crate::matches::corrections::{Ask, What};
use crate::rules::Next;
use crate::scorebook::MatchResult;
use crate::service::Appended;
use crate::views::{
    Book, CardChange, ChangedChoice, CorrectionEntry, Exception, Score, Scorecard, card_changes,
};

/// What to take back, or to put right: one of `voids_from`, `voids_from_seq` and `amends`, and why.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CorrectionBody {
    /// Take back everything from this delivery on; an over goes with its first ball.
    voids_from: Option<u32>,
    /// Take back everything from this event on: the toss, its decision, an over, the abandonment of a match with table dice.
    voids_from_seq: Option<u64>,
    /// Put this delivery right, and decide all later ones again on top of it.
    amends: Option<u32>,
    /// With `amends`: the ball's choices; as they were if left out.
    #[schema(value_type = Option<Object>)]
    choices: Option<Map<String, Value>>,
    /// With `amends`: the choices of the over, of which it is the first ball.
    #[schema(value_type = Option<Object>)]
    over: Option<Map<String, Value>>,
    /// With `amends`: what the dice showed, in the order rolled; only with table dice, and as they were if left out.
    #[schema(value_type = Option<Vec<i64>>)]
    dice: Option<Vec<Shown>>,
    /// With `amends`: what the table agrees on, where that is not what the rules come to.
    as_stood: Option<Agreed>,
    /// With `amends`: what becomes of later deliveries that cannot be as they were; `refuse` if left out.
    cascade: Option<Cascade>,
    /// Why: 1 to 1,000 characters.
    reason: String,
}

/// Whether to look only.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct CorrectionQuery {
    /// Show what would change, and store nothing.
    dry_run: Option<bool>,
}

/// What a correction came to.
#[derive(Serialize, ToSchema)]
pub struct CorrectedBody {
    /// The events that were appended, in order.
    #[schema(value_type = Vec<Event>)]
    pub events: Vec<Box<RawValue>>,
    /// The score after them.
    pub score: Score,
    /// What the match waits for now.
    pub next: Next,
    /// The last event and its hash, for `If-Match`.
    pub head: Head,
    /// The correction.
    pub correction: Option<CorrectionEntry>,
    /// In what the card differs from what it was.
    pub difference: Vec<CardChange>,
}

/// What a correction would come to.
#[derive(Serialize, ToSchema)]
pub struct SupposedBody {
    /// True: nothing was stored.
    pub dry_run: bool,
    /// The score as it is.
    pub before: Score,
    /// The score as it would be.
    pub after: Score,
    /// The result as it would be.
    pub result: Option<MatchResult>,
    /// In what the card would differ.
    pub difference: Vec<CardChange>,
    /// The event it would follow, for `If-Match`.
    pub head: Head,
}

/// The corrections of a match.
#[derive(Serialize, ToSchema)]
pub struct CorrectionList {
    /// In the order of their numbers.
    pub corrections: Vec<CorrectionEntry>,
    /// Choices that were made otherwise after a correction, when what had followed from them was known.
    pub changed_choices: Vec<ChangedChoice>,
    /// Balls that stand as the table agreed, and not by the rules.
    pub exceptions: Vec<Exception>,
    /// The last event and its hash.
    pub head: Head,
}

impl CorrectionBody {
    fn asked(self) -> Result<Ask, Problem> {
        let needs = |message: &str| Err(Problem::at(Kind::NeedsInput, "body", message));
        let of_amendment = self.choices.is_some()
            || self.over.is_some()
            || self.dice.is_some()
            || self.as_stood.is_some()
            || self.cascade.is_some();
        let what = match (self.voids_from, self.voids_from_seq, self.amends) {
            (Some(_), None, None) | (None, Some(_), None) if of_amendment => {
                return needs("choices, over, dice, as_stood and cascade go with amends");
            }
            (Some(delivery), None, None) => What::FromDelivery(delivery),
            (None, Some(seq), None) => What::FromEvent(seq),
            (None, None, Some(amends)) => {
                let dice = self.dice.map(|dice| dice.into_iter().map(Shown::value).collect());
                let (over, choices, as_stood) = (self.over, self.choices, self.as_stood);
                let cascade = self.cascade.unwrap_or_default();
                What::Amend(Amendment { amends, over, choices, as_stood, cascade }, dice)
            }
            _ => return needs("say voids_from, voids_from_seq or amends: one of the three"),
        };
        Ok(Ask { what, reason: self.reason })
    }
}

/// Take play back from a delivery or an event on, or put an old delivery right. Nothing is deleted: what is void stays in
/// the log. Where the sides play from afar it is proposed, and made when both have consented.
#[utoipa::path(
    post, path = "/v1/matches/{id}/corrections", operation_id = "correct", tag = "disputes",
    params(("id" = Uuid, Path, description = "The match"), CorrectionQuery), request_body = CorrectionBody,
    responses(
        (status = 200, description = "What would change; nothing is stored", body = SupposedBody),
        (status = 201, description = "Appended", body = CorrectedBody,
            headers(("ETag" = String, description = "The head's hash")))),
    security(("scorer" = []), ("side" = []))
)]
pub async fn create(
    service: Data<Service>,
    http: HttpRequest,
    path: MatchPath,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    let CorrectionQuery { dry_run } = request::query(&http)?;
    let asked = |body: CorrectionBody, _| Ok(Asked::Correct(body.asked()?));
    let submission = submission(&service, &http, &path, payload, asked).await?;
    if dry_run != Some(true) {
        return answer(&put(&service, &submission, "body.choices").await?);
    }
    let (before, after) =
        service.matches.dry_run(&submission).await.map_err(|error| refused(error, "body.choices"))?;
    let body = SupposedBody {
        dry_run: true,
        before: Score::of(&before),
        after: Score::of(&after),
        result: after.fixture().result(),
        difference: difference(&before, &after),
        head: before.head().clone(),
    };
    Ok(HttpResponse::Ok().content_type("application/json").body(response::text(&body)?))
}

fn difference(before: &Book, after: &Book) -> Vec<CardChange> {
    card_changes(&Scorecard::of(before), &Scorecard::of(after))
}

/// 201 with what was appended, and in what the card differs now.
fn answer(appended: &Appended) -> Result<HttpResponse, Problem> {
    let AppendedBody { events, score, next, head } = AppendedBody::of(appended)?;
    let correction = appended.book.settled().corrections().last().cloned();
    let before = appended.before.as_ref();
    let difference = before.map_or_else(Vec::new, |before| difference(before, &appended.book));
    response::created(&appended.book, &CorrectedBody { events, score, next, head, correction, difference })
}

/// Consent to a correction that was proposed, for a side, with its own token. With the second consent it is made.
#[utoipa::path(
    post, path = "/v1/matches/{id}/corrections/{n}/consent", operation_id = "consent", tag = "disputes",
    params(("id" = Uuid, Path, description = "The match"), ("n" = u32, Path, description = "The correction's number")),
    responses((status = 201, description = "Appended", body = CorrectedBody,
        headers(("ETag" = String, description = "The head's hash")))), security(("side" = []))
)]
pub async fn consent(
    service: Data<Service>,
    http: HttpRequest,
    path: MatchPath,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    let number = request::number(&http, "n", "a correction is named by its number")?;
    let asked = |_: Submitted, _| Ok(Asked::Consent(number));
    answer(&submit(&service, &http, &path, payload, "body", asked).await?)
}

/// The corrections of a match, and what was changed in them.
#[utoipa::path(
    get, path = "/v1/matches/{id}/corrections", operation_id = "list_corrections", tag = "disputes",
    params(("id" = Uuid, Path, description = "The match")),
    responses((status = 200, description = "The corrections", body = CorrectionList,
        headers(("ETag" = String, description = "The head's hash"))))
)]
pub async fn list(
    service: Data<Service>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    let book = service.matches.book(path.0).await?;
    response::fresh(&http, &book.head().hash, || {
        response::text(&CorrectionList {
            corrections: book.settled().corrections().to_vec(),
            changed_choices: book.settled().changed_choices().to_vec(),
            exceptions: book.exceptions(),
            head: book.head().clone(),
        })
    })
}

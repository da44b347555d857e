//! Appends over HTTP: the body of a request becomes a command to the match in its path, and the answer has
//! the events that follow from it.

use std::future::{Ready, ready};
use std::sync::Arc;

use actix_web::http::header::VARY;
use actix_web::web::{Data, Payload};
use actix_web::{Error, FromRequest, HttpRequest, HttpResponse, dev};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::answer_text::AnswerText;
use super::body::{self, Body};
use super::match_view::MatchStanding;
use super::next_step::NextStep;
use super::prefer::{BY_PREFERENCE, PREFERENCE_APPLIED, Preferred};
use super::representation::never_compressed;
use super::request::{self, MatchPath};
use super::response::{self, AppendedBody, MinimalBody};
use super::{AppState, service_of};
use crate::commands::bodies::{CommandBody, CommandContext};
use crate::commands::{Command, CommandRequest, Problem, ProblemType, VerifiedToken};
use crate::log::{Actor, MatchId};
use crate::projection::LoadedMatch;
use crate::service::{Appended, ServiceError};
use crate::store::StoreError;

/// A request to append to the match in its path.
pub struct AppendRequest {
    /// The service that answers.
    pub service: Data<AppState>,
    /// The request without its body.
    pub http: HttpRequest,
    match_id: MatchId,
    payload: Payload,
}

impl FromRequest for AppendRequest {
    type Error = Error;
    type Future = Ready<Result<Self, Error>>;

    fn from_request(http: &HttpRequest, payload: &mut dev::Payload) -> Self::Future {
        ready(AppendRequest::of(http, payload))
    }
}

impl AppendRequest {
    fn of(http: &HttpRequest, payload: &mut dev::Payload) -> Result<AppendRequest, Error> {
        Ok(AppendRequest {
            service: service_of(http)?.clone(),
            http: http.clone(),
            match_id: MatchPath::from_request(http, payload).into_inner()?.0,
            payload: Payload::from_request(http, payload).into_inner()?,
        })
    }

    /// Appends the events of the command that the body asks for.
    pub async fn append<B: CommandBody>(self) -> Result<CarriedOut, Problem> {
        let (service, http) = (self.service.clone(), self.http.clone());
        carry_out(&service, &http, &self.command::<B>().await?, B::CHOICES_AT).await
    }

    /// The command that the body asks for, with its actor and its preconditions.
    pub async fn command<B: CommandBody>(self) -> Result<CommandRequest, Problem> {
        let remote =
            B::DEPENDS_ON_REMOTE && self.service.matches.loaded(self.match_id).await?.created().remote;
        let (body, read) = self.read::<B>().await?;
        let context = CommandContext { role: read.token.role, remote, random_hex: request::random_hex };
        read.command(body.command(&context)?)
    }

    /// Verifies the token, and then reads the body.
    pub async fn read<T: DeserializeOwned>(self) -> Result<(T, ReadRequest), Problem> {
        let AppendRequest { service, http, match_id, payload } = self;
        let is_keyed = http.headers().contains_key("Idempotency-Key");
        let of_a_repeat = |problem: Problem| if is_keyed { problem.for_repeated_request() } else { problem };
        let token = request::verified_token(&http, &service, match_id).await.map_err(of_a_repeat)?;
        let (body, bytes) = body::json::<T>(&http, payload).await?;
        Ok((body, ReadRequest { service, http, match_id, token, bytes }))
    }
}

/// A request to append whose token is verified and whose body is read.
pub struct ReadRequest {
    service: Data<AppState>,
    http: HttpRequest,
    match_id: MatchId,
    token: VerifiedToken,
    bytes: Body,
}

impl ReadRequest {
    /// Appends the events of a command without choices.
    pub async fn append(self, command: Command) -> Result<CarriedOut, Problem> {
        let (service, http) = (self.service.clone(), self.http.clone());
        carry_out(&service, &http, &self.command(command)?, "body").await
    }

    fn command(self, command: Command) -> Result<CommandRequest, Problem> {
        let if_match = request::if_match(&self.http)?;
        if command.is_about_last_delivery() && if_match.is_none() {
            let message = "\"last\" needs If-Match with the head that you know: without it the last delivery \
                           may be another by now";
            return Err(Problem::at(ProblemType::NeedsInput, "header.If-Match", message));
        }
        Ok(CommandRequest {
            match_id: self.match_id,
            actor: Actor::from(self.token.role),
            token: Some(self.token),
            command,
            if_match,
            key: request::key(&self.http, &self.bytes)?,
        })
    }
}

/// A command that was carried out.
pub struct CarriedOut {
    /// The events, and the match after them.
    appended: Appended,
    /// The hands and secret choices that the answer shows to its author.
    own: Map<String, Value>,
    /// What its client prefers to be answered with, where it can be.
    preferred: Option<Preferred>,
}

impl CarriedOut {
    /// The response 201. Its body is made of what was appended, the next step, and the author's own.
    pub async fn answer<B: Serialize + Send + 'static>(
        self,
        body: impl FnOnce(Appended, NextStep, Map<String, Value>) -> Result<B, Problem>,
    ) -> Result<HttpResponse, Problem> {
        let CarriedOut { appended, own, preferred } = self;
        let is_private = !own.is_empty();
        let loaded = Arc::clone(&appended.loaded);
        let mut answer = match preferred {
            None => response::created(&loaded, &body(appended, NextStep::brief(loaded.the_match()), own)?)?,
            Some(Preferred::Minimal) => response::created(&loaded, &MinimalBody::of(appended))?,
            Some(Preferred::Representation) => {
                let standing = MatchStanding::of(&loaded, appended.now.situation.as_ref());
                let body = body(appended, NextStep::whole(loaded.the_match()), own)?;
                represented(&loaded, WithStanding { body, standing }).await?
            }
        };
        if let Some(preferred) = preferred {
            answer.headers_mut().insert(PREFERENCE_APPLIED, preferred.applied());
        }
        answer.headers_mut().insert(VARY, BY_PREFERENCE);
        if is_private {
            response::keep_private(&mut answer);
            return Ok(never_compressed(answer));
        }
        Ok(answer)
    }
}

/// The body of an answer to an append, with what else can change in the view of the match.
#[derive(Serialize)]
struct WithStanding<B> {
    #[serde(flatten)]
    body: B,
    #[serde(flatten)]
    standing: MatchStanding,
}

/// The response 201 with all of the match's view that can change.
async fn represented<B: Serialize + Send + 'static>(
    loaded: &LoadedMatch,
    body: WithStanding<B>,
) -> Result<HttpResponse, Problem> {
    let AnswerText { bytes, made_on } = AnswerText::of(body).await?;
    let mut answer = response::created_as(loaded, bytes);
    answer.extensions_mut().insert(made_on);
    Ok(answer)
}

/// Carries out a command; `choices_at` is the place of the choices in the body.
///
/// It is answered as its client prefers. A request that is sent again is answered without the match's view,
/// since the match may have gone on; nor is a view shown in part, where the author's own cannot be read.
pub async fn carry_out(
    service: &AppState,
    http: &HttpRequest,
    request: &CommandRequest,
    choices_at: &str,
) -> Result<CarriedOut, Problem> {
    let appended = service.matches.submit(request).await.map_err(|error| match error {
        // The idempotency key is looked up last: the request may have failed before that.
        fault @ (ServiceError::Busy
        | ServiceError::Store(
            StoreError::Unavailable(_) | StoreError::Hindered(..) | StoreError::Closed,
        )) if request.key.is_some() => Problem::from(fault).for_repeated_request(),
        other => Problem::of_command(other, choices_at),
    })?;
    let preferred = Preferred::of(http.headers());
    let own = match &request.token {
        Some(token) if preferred != Some(Preferred::Minimal) => {
            service.matches.hands_after(&appended.loaded, token).await
        }
        Some(_) | None => Some(Map::new()),
    };
    let shows_view = !appended.is_repeat && own.is_some();
    let preferred = preferred.filter(|preferred| *preferred != Preferred::Representation || shows_view);
    Ok(CarriedOut { appended, own: own.unwrap_or_default(), preferred })
}

/// The response 201 with the appended events.
pub async fn answer(carried: CarriedOut) -> Result<HttpResponse, Problem> {
    carried.answer(AppendedBody::of).await
}

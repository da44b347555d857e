//! Play over HTTP: set up a match, make the toss, begin overs, bowl balls, abandon a match, and let the
//! service play on. It also holds what all handlers share that turn a request into a command.

use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::Service;
use super::request::{self, MatchPath};
use super::response::{self, AppendedBody};
use crate::commands::{Command, CommandRequest, EnteredDice, Problem, ProblemType, Until};
use crate::log::{Actor, Agreed, CoinFace, Head, Role, TossChoice};
use crate::matches::Input;
use crate::rules::{Next, Play};
use crate::scorebook::Side;
use crate::service::{Appended, ServiceError};
use crate::store::StoreError;
use crate::views::Score;

/// The toss: the call, and with table dice the coin.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TossBody {
    /// The side that calls.
    pub caller: Side,
    /// The face that is called.
    pub call: CoinFace,
    /// The face that the coin showed; only with table dice.
    pub coin: Option<CoinFace>,
}

/// The decision of the winner of the toss.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DecisionBody {
    /// Whether to bat or to bowl first.
    pub to: TossChoice,
}

/// The choices of an over; a choice that is left out takes its default. The game defines its choices. Howzat
/// has `bowler`, `keeper`, `field` (positions "2" to "12" and players) and, in the first over of an innings,
/// `openers`. CubeRoots cricket has `bowler`, `orders` and `roll`, the last two for `bowling` and `batting`.
/// Cricket: The Game has `bowler`, `field` (nine places like "off_cover.2"), `power_play` and, in the first
/// over, `openers` and `attitudes`. With `accept: true` the decision on the ball before, which could be
/// reviewed, is accepted first.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = Object, example = json!({"bowler": "Ada Marsh", "keeper": "Gus Hale"}))]
pub struct OverBody(Map<String, Value>);

impl OverBody {
    /// The choices of the over, and whether a decision is accepted first.
    fn read(self) -> Result<(Map<String, Value>, bool), Problem> {
        let OverBody(mut choices) = self;
        match choices.remove("accept") {
            None => Ok((choices, false)),
            Some(Value::Bool(accept)) => Ok((choices, accept)),
            Some(other) => {
                let message = format!("accept is true or false, not {other}");
                Err(Problem::at(ProblemType::IllegalInput, "body.accept", message))
            }
        }
    }
}

/// The choices before the toss; a choice that is left out takes its default. The game defines its choices;
/// Howzat and CubeRoots cricket have none.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = Object, example = json!({"drop": {"home": "Ada Marsh", "away": "Ned Voss"}}))]
pub struct SetUpBody(Map<String, Value>);

/// A ball: its choices, and with table dice what the dice showed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BallBody {
    /// The choices of the ball, which the game defines. Howzat has `next_batter`, after a wicket. CubeRoots
    /// cricket has, with table dice, `bowler_number` and `batter_number`. Cricket: The Game has
    /// `next_batter`, `next_attitude`, `field`, `bowl`, `attitude`, `stroke`, `skills`, with table dice
    /// `over_card`, and, when the ball needs them, `reroll_bowler`, `reroll_batter`, `longer`, `run` and
    /// `chance`.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub choices: Map<String, Value>,
    /// What the dice showed, in the order rolled; only with table dice.
    #[schema(value_type = Option<Vec<i64>>)]
    pub dice: Option<Vec<EnteredDie>>,
    /// The outcome that the table agrees on, where it is not the outcome by the rules; only with table dice.
    /// A seeded ball is bowled first, and then amended.
    pub as_stood: Option<Agreed>,
    /// Whether the decision on the ball before, which could be reviewed, is accepted first.
    #[serde(default)]
    pub accept: bool,
}

/// The face that a die showed, as entered: a whole number. The rules check whether the die has such a face.
#[derive(Debug)]
pub struct EnteredDie(i64);

impl EnteredDie {
    /// The entered number.
    pub fn value(self) -> i64 {
        self.0
    }
}

impl<'de> Deserialize<'de> for EnteredDie {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<EnteredDie, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let whole = value.as_i64().map(EnteredDie);
        whole.ok_or_else(|| D::Error::custom(format!("a die shows a whole number, not {value}")))
    }
}

/// The reason for abandoning a match.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AbandonmentBody {
    /// The reason: 1 to 1,000 characters.
    pub reason: String,
}

/// The goal of autoplay.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AutoplayBody {
    /// How far to play: the next ball, or the end of the over, the innings or the match.
    pub until: Until,
}

/// The result of autoplay.
#[derive(Serialize, ToSchema)]
pub struct AutoplayedBody {
    /// The number of events that were appended.
    pub appended: usize,
    /// The score after them.
    pub score: Score,
    /// What the match waits for now.
    pub next: Next,
    /// The last event and its hash, for `If-Match`.
    pub head: Head,
}

/// Submits the command that `command` makes of the body and the role of the token.
pub async fn submit<T: DeserializeOwned>(
    service: &Service,
    http: &HttpRequest,
    path: &MatchPath,
    payload: Payload,
    choices_at: &str,
    command: impl FnOnce(T, Role) -> Result<Command, Problem>,
) -> Result<Appended, Problem> {
    put(service, &command_request(service, http, path, payload, command).await?, choices_at).await
}

/// Submits a command request; `choices_at` is the place of the choices in the body.
pub async fn put(service: &Service, request: &CommandRequest, choices_at: &str) -> Result<Appended, Problem> {
    service.matches.submit(request).await.map_err(|error| match error {
        // The idempotency key is looked up last: the store may have failed before that.
        ServiceError::Store(fault @ (StoreError::Unavailable(_) | StoreError::Hindered(..)))
            if request.key.is_some() =>
        {
            Problem::from(fault).for_repeated_request()
        }
        other => refused(other, choices_at),
    })
}

/// The command of a request, with its actor and its preconditions.
pub async fn command_request<T: DeserializeOwned>(
    service: &Service,
    http: &HttpRequest,
    path: &MatchPath,
    payload: Payload,
    command: impl FnOnce(T, Role) -> Result<Command, Problem>,
) -> Result<CommandRequest, Problem> {
    let is_keyed = http.headers().contains_key("Idempotency-Key");
    let of_a_repeat = |problem: Problem| if is_keyed { problem.for_repeated_request() } else { problem };
    let pass = request::pass(http, service, path.0).await.map_err(of_a_repeat)?;
    let (body, bytes) = request::json::<T>(http, payload).await?;
    Ok(CommandRequest {
        match_id: path.0,
        actor: Actor::from(pass.role),
        command: command(body, pass.role)?,
        token: Some(pass),
        if_match: request::if_match(http)?,
        key: request::key(http, &bytes)?,
    })
}

/// The problem of a refused command; `choices_at` is the place of the choices in the body.
pub fn refused(error: ServiceError, choices_at: &str) -> Problem {
    match error {
        ServiceError::Refused(refusal) => Problem::refused(*refusal, choices_at),
        other => other.into(),
    }
}

/// A body without members.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Submitted {}

/// The response 201 with the appended events.
pub fn answer(appended: &Appended) -> Result<HttpResponse, Problem> {
    response::created(&appended.projection, &AppendedBody::of(appended)?)
}

/// The command that enters an input, with `accept` after it accepts the open decision.
fn enter(accept: bool, input: Input, entered: EnteredDice) -> Command {
    if accept { Command::AcceptFirst(input, entered) } else { Command::Enter(input, entered) }
}

/// Set up the match before the toss, in a game with choices to set up.
#[utoipa::path(
    post, path = "/v1/matches/{id}/set-up", operation_id = "set_up_match", tag = "play",
    params(("id" = Uuid, Path, description = "The match")), request_body = Option<SetUpBody>,
    responses((status = 201, description = "Appended", body = AppendedBody,
        headers(("ETag" = String, description = "The head's hash")))), security(("scorer" = []), ("side" = []))
)]
pub async fn set_up(
    service: Data<Service>,
    http: HttpRequest,
    path: MatchPath,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    let command =
        |SetUpBody(choices), _| Ok(Command::Enter(Input::Play(Play::SetUp(choices)), EnteredDice::Nothing));
    answer(&submit(&service, &http, &path, payload, "body", command).await?)
}

/// Make the toss.
#[utoipa::path(
    post, path = "/v1/matches/{id}/toss", operation_id = "make_toss", tag = "play",
    params(("id" = Uuid, Path, description = "The match")), request_body = TossBody,
    responses((status = 201, description = "Appended", body = AppendedBody,
        headers(("ETag" = String, description = "The head's hash")))), security(("scorer" = []), ("side" = []))
)]
pub async fn toss(
    service: Data<Service>,
    http: HttpRequest,
    path: MatchPath,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    let command = |TossBody { caller, call, coin }, _| {
        Ok(Command::Enter(Input::Toss { caller, call }, EnteredDice::Coin(coin)))
    };
    answer(&submit(&service, &http, &path, payload, "body", command).await?)
}

/// Decide, as the winner of the toss, to bat or to bowl.
#[utoipa::path(
    post, path = "/v1/matches/{id}/toss/decision", operation_id = "decide_toss", tag = "play",
    params(("id" = Uuid, Path, description = "The match")), request_body = DecisionBody,
    responses((status = 201, description = "Appended", body = AppendedBody,
        headers(("ETag" = String, description = "The head's hash")))), security(("scorer" = []), ("side" = []))
)]
pub async fn toss_decision(
    service: Data<Service>,
    http: HttpRequest,
    path: MatchPath,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    let command =
        |DecisionBody { to }, _| Ok(Command::Enter(Input::TossDecision { to }, EnteredDice::Nothing));
    answer(&submit(&service, &http, &path, payload, "body", command).await?)
}

/// Begin an over.
#[utoipa::path(
    post, path = "/v1/matches/{id}/overs", operation_id = "begin_over", tag = "play",
    params(("id" = Uuid, Path, description = "The match")), request_body = Option<OverBody>,
    responses((status = 201, description = "Appended", body = AppendedBody,
        headers(("ETag" = String, description = "The head's hash")))), security(("scorer" = []), ("side" = []))
)]
pub async fn overs(
    service: Data<Service>,
    http: HttpRequest,
    path: MatchPath,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    let command = |body: OverBody, _| {
        let (choices, accept) = body.read()?;
        Ok(enter(accept, Input::Play(Play::Over(choices)), EnteredDice::Nothing))
    };
    answer(&submit(&service, &http, &path, payload, "body", command).await?)
}

/// Bowl a ball. At the start of an over, the over is begun with default choices where none has begun.
#[utoipa::path(
    post, path = "/v1/matches/{id}/balls", operation_id = "bowl_ball", tag = "play",
    params(("id" = Uuid, Path, description = "The match")), request_body = Option<BallBody>,
    responses((status = 201, description = "Appended", body = AppendedBody,
        headers(("ETag" = String, description = "The head's hash")))), security(("scorer" = []), ("side" = []))
)]
pub async fn balls(
    service: Data<Service>,
    http: HttpRequest,
    path: MatchPath,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    let command = |BallBody { choices, dice, as_stood, accept }, _| {
        let dice = dice.map(|dice| dice.into_iter().map(EnteredDie::value).collect());
        let input = match as_stood {
            None => Input::Play(Play::Ball(choices)),
            Some(agreed) => Input::AsStood(choices, agreed),
        };
        Ok(enter(accept, input, EnteredDice::Dice(dice)))
    };
    answer(&submit(&service, &http, &path, payload, "body.choices", command).await?)
}

/// Abandon the match.
#[utoipa::path(
    post, path = "/v1/matches/{id}/abandonment", operation_id = "abandon_match", tag = "play",
    params(("id" = Uuid, Path, description = "The match")), request_body = AbandonmentBody,
    responses((status = 201, description = "Appended", body = AppendedBody,
        headers(("ETag" = String, description = "The head's hash")))), security(("scorer" = []), ("side" = []))
)]
pub async fn abandonment(
    service: Data<Service>,
    http: HttpRequest,
    path: MatchPath,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    let command =
        |AbandonmentBody { reason }, _| Ok(Command::Enter(Input::Abandon { reason }, EnteredDice::Nothing));
    answer(&submit(&service, &http, &path, payload, "body", command).await?)
}

/// Play on with default choices and seeded dice. Either all events are appended, or none.
#[utoipa::path(
    post, path = "/v1/matches/{id}/autoplay", operation_id = "autoplay", tag = "play",
    params(("id" = Uuid, Path, description = "The match")), request_body = AutoplayBody,
    responses((status = 201, description = "Appended", body = AutoplayedBody,
        headers(("ETag" = String, description = "The head's hash")))), security(("scorer" = []))
)]
pub async fn autoplay(
    service: Data<Service>,
    http: HttpRequest,
    path: MatchPath,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    let command = |AutoplayBody { until }, _| Ok(Command::Autoplay(until));
    let appended = submit(&service, &http, &path, payload, "body", command).await?;
    let body = AutoplayedBody {
        appended: appended.entries.len(),
        score: Score::of(&appended.projection),
        next: appended.projection.the_match().next(),
        head: appended.projection.head().clone(),
    };
    response::created(&appended.projection, &body)
}

use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::Service;
use super::problem::{Kind, Problem};
use super::request::{self, MatchPath};
use super::response::{self, AppendedBody};
use crate::commands::{Asked, Entered, Submission, Until};
use crate::log::{Actor, Agreed, CoinFace, Head, Role, TossChoice};
use crate::matches::Input;
use crate::rules::{Next, Play};
use crate::scorebook::Side;
use crate::service::{Appended, PlayError};
use crate::store::StoreError;
use crate::views::Score;

/// The call, and the coin where it is tossed at the table.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TossBody {
    /// Who calls.
    pub caller: Side,
    /// What is called.
    pub call: CoinFace,
    /// What the coin showed; only with table dice.
    pub coin: Option<CoinFace>,
}

/// What the winner of the toss chooses.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DecisionBody {
    /// To bat or to bowl first.
    pub to: TossChoice,
}

/// The choices of an over; what is left out takes its default. Which there are is the game's to say: Howzat has
/// `bowler`, `keeper`, `field` (positions "2" to "12" and players) and, in an innings' first over, `openers`;
/// CubeRoots cricket `bowler`, `orders` and `roll`, each of the last two for `bowling` and `batting`; Cricket: The Game `bowler`,
/// `field` (nine places like "off_cover.2"), `power_play` and, in the first over, `openers` and `attitudes`. With `accept`, which is true or false, a decision
/// on the ball before that could be reviewed is accepted first.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = Object, example = json!({"bowler": "Ada Marsh", "keeper": "Gus Hale"}))]
pub struct OverBody(Map<String, Value>);

impl OverBody {
    /// The choices, and whether a decision is accepted first.
    fn read(self) -> Result<(Map<String, Value>, bool), Problem> {
        let OverBody(mut choices) = self;
        match choices.remove("accept") {
            None => Ok((choices, false)),
            Some(Value::Bool(accept)) => Ok((choices, accept)),
            Some(other) => {
                let message = format!("accept is true or false, not {other}");
                Err(Problem::at(Kind::IllegalInput, "body.accept", message))
            }
        }
    }
}

/// What is chosen before the toss; what is left out takes its default. Which choices there are is the game's to say: Howzat
/// and CubeRoots cricket have nothing to set up.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = Object, example = json!({"drop": {"home": "Ada Marsh", "away": "Ned Voss"}}))]
pub struct SetUpBody(Map<String, Value>);

/// A ball: the choices that belong to it, and the dice where they are rolled at the table.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BallBody {
    /// The game's choices; Howzat has `next_batter`, after a wicket, and CubeRoots cricket at the table `bowler_number` and
    /// `batter_number`. Cricket: The Game has `next_batter`, `next_attitude`, `field`, `bowl`, `attitude`, `stroke`, `skills`, at the
    /// table `over_card`, and, as they are asked for, `reroll_bowler`, `reroll_batter`, `longer`, `run` and `chance`.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub choices: Map<String, Value>,
    /// What the dice showed, in the order rolled; only with table dice.
    #[schema(value_type = Option<Vec<i64>>)]
    pub dice: Option<Vec<Shown>>,
    /// What the table agrees on, where that is not what the rules come to; only with table dice. A seeded ball is bowled first, and
    /// then amended.
    pub as_stood: Option<Agreed>,
    /// Whether a decision on the ball before that could be reviewed is accepted first.
    #[serde(default)]
    pub accept: bool,
}

/// What a die showed, as entered: a whole number. Whether the die has such a face is for the rules to say.
#[derive(Debug)]
pub struct Shown(i64);

impl Shown {
    /// What was entered.
    pub fn value(self) -> i64 {
        self.0
    }
}

impl<'de> Deserialize<'de> for Shown {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Shown, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let whole = value.as_i64().map(Shown);
        whole.ok_or_else(|| D::Error::custom(format!("a die shows a whole number, not {value}")))
    }
}

/// Why the match is given up.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AbandonmentBody {
    /// 1 to 1,000 characters.
    pub reason: String,
}

/// How far to play.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AutoplayBody {
    /// The next ball, or the end of the over, the innings or the match.
    pub until: Until,
}

/// What autoplay came to.
#[derive(Serialize, ToSchema)]
pub struct AutoplayedBody {
    /// How many events were appended.
    pub appended: usize,
    /// The score after them.
    pub score: Score,
    /// What the match waits for now.
    pub next: Next,
    /// The last event and its hash, for `If-Match`.
    pub head: Head,
}

/// Puts what the body asks for into a match; `asked` is told whose token the request shows.
pub async fn submit<T: DeserializeOwned>(
    service: &Service,
    http: &HttpRequest,
    path: &MatchPath,
    payload: Payload,
    choices_at: &str,
    asked: impl FnOnce(T, Role) -> Result<Asked, Problem>,
) -> Result<Appended, Problem> {
    put(service, &submission(service, http, path, payload, asked).await?, choices_at).await
}

/// Puts what is asked for into its match; `choices_at` is where choices stand in the body.
pub async fn put(service: &Service, asked: &Submission, choices_at: &str) -> Result<Appended, Problem> {
    service.matches.submit(asked).await.map_err(|error| match error {
        // A key is looked up last: the store may have failed before that.
        PlayError::Store(fault @ (StoreError::Unavailable(_) | StoreError::Hindered(..)))
            if asked.key.is_some() =>
        {
            Problem::from(fault).of_a_repeat()
        }
        other => refused(other, choices_at),
    })
}

/// What the body asks for, on whose word and on top of what.
pub async fn submission<T: DeserializeOwned>(
    service: &Service,
    http: &HttpRequest,
    path: &MatchPath,
    payload: Payload,
    asked: impl FnOnce(T, Role) -> Result<Asked, Problem>,
) -> Result<Submission, Problem> {
    let is_keyed = http.headers().contains_key("Idempotency-Key");
    let of_a_repeat = |problem: Problem| if is_keyed { problem.of_a_repeat() } else { problem };
    let pass = request::pass(http, service, path.0).await.map_err(of_a_repeat)?;
    let (body, bytes) = request::json::<T>(http, payload).await?;
    Ok(Submission {
        match_id: path.0,
        actor: Actor::from(pass.role),
        asked: asked(body, pass.role)?,
        pass: Some(pass),
        if_match: request::if_match(http)?,
        key: request::key(http, &bytes)?,
    })
}

/// The problem it is that a match did not take something; `choices_at` is where choices stand in the body.
pub fn refused(error: PlayError, choices_at: &str) -> Problem {
    match error {
        PlayError::Refused(refusal) => Problem::refused(*refusal, choices_at),
        other => other.into(),
    }
}

/// A body that says nothing.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Submitted {}

/// 201 with what was appended.
pub fn answer(appended: &Appended) -> Result<HttpResponse, Problem> {
    response::created(&appended.book, &AppendedBody::of(appended)?)
}

/// What is asked for, after a decision is accepted where that is said.
fn onward(accept: bool, input: Input, entered: Entered) -> Asked {
    if accept { Asked::Onward(input, entered) } else { Asked::One(input, entered) }
}

/// Set the match up, before the toss, in a game that has something to set up.
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
    let asked = |SetUpBody(choices), _| Ok(Asked::One(Input::Play(Play::SetUp(choices)), Entered::Nothing));
    answer(&submit(&service, &http, &path, payload, "body", asked).await?)
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
    let asked = |TossBody { caller, call, coin }, _| {
        Ok(Asked::One(Input::Toss { caller, call }, Entered::Coin(coin)))
    };
    answer(&submit(&service, &http, &path, payload, "body", asked).await?)
}

/// The winner of the toss chooses.
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
    let asked = |DecisionBody { to }, _| Ok(Asked::One(Input::TossDecision { to }, Entered::Nothing));
    answer(&submit(&service, &http, &path, payload, "body", asked).await?)
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
    let asked = |body: OverBody, _| {
        let (choices, accept) = body.read()?;
        Ok(onward(accept, Input::Play(Play::Over(choices)), Entered::Nothing))
    };
    answer(&submit(&service, &http, &path, payload, "body", asked).await?)
}

/// Bowl a ball. At the start of an over the default over is begun with it, where none has been.
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
    let asked = |BallBody { choices, dice, as_stood, accept }, _| {
        let dice = dice.map(|dice| dice.into_iter().map(Shown::value).collect());
        let input = match as_stood {
            None => Input::Play(Play::Ball(choices)),
            Some(agreed) => Input::AsStood(choices, agreed),
        };
        Ok(onward(accept, input, Entered::Dice(dice)))
    };
    answer(&submit(&service, &http, &path, payload, "body.choices", asked).await?)
}

/// Give the match up.
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
    let asked = |AbandonmentBody { reason }, _| Ok(Asked::One(Input::Abandon { reason }, Entered::Nothing));
    answer(&submit(&service, &http, &path, payload, "body", asked).await?)
}

/// Play on with default choices and seeded dice. Appends all of it, or nothing.
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
    let asked = |AutoplayBody { until }, _| Ok(Asked::Autoplay(until));
    let appended = submit(&service, &http, &path, payload, "body", asked).await?;
    let body = AutoplayedBody {
        appended: appended.entries.len(),
        score: Score::of(&appended.book),
        next: appended.book.fixture().next(),
        head: appended.book.head().clone(),
    };
    response::created(&appended.book, &body)
}

//! Matches over HTTP: create one, show one, and list them a page at a time.

use actix_web::http::header::LOCATION;
use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use super::AppState;
use super::body;
use super::entity_tag;
use super::game_id;
use super::match_view::{MatchView, Viewer};
use super::new_tokens::{GivenTokens, InviteHashes, MadeTokens};
use super::representation::never_compressed;
use super::request::{self, MatchPath};
use super::response;
use crate::commands::{NewSide, Problem, ProblemType, TokenHash};
use crate::log::{ClientSeeds, DiceMode, MatchId, SafeText, at_format, one_of, quoted};
use crate::matches::MatchSettings;
use crate::rules::Registry;
use crate::service::NewMatch;
use crate::store::{ListOrder, ListPlace, MatchFilter};
use crate::views::MatchSummary;

/// A new match: the game, the two sides, and the source of the dice.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateMatch {
    /// The game's id.
    #[schema(schema_with = game_id::schema)]
    pub game: String,
    /// The options of the game; an option that is left out takes its default.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub rules: Map<String, Value>,
    /// The home side.
    pub home: NewSide,
    /// The away side.
    pub away: NewSide,
    /// The source of the dice.
    pub dice: DiceMode,
    /// The server seed of a seeded match, 64 hexadecimal digits; random bytes of the operating system if left
    /// out.
    pub seed: Option<String>,
    /// The `sha256` of the edition to play with, in a game that has editions; the built-in edition if left
    /// out.
    pub edition: Option<String>,
    /// Whether both sides add to the match seed: `none`, or `both` in a seeded match. `none` if left out.
    pub client_seeds: Option<ClientSeeds>,
    /// Whether the match is remote play: each side plays from its own device, with its own token. Remote play
    /// needs seeded dice and `client_seeds: "both"`, and takes no `seed`.
    #[serde(default)]
    pub remote: bool,
    /// The timeout of a side that is called to act, in seconds: 1 to 2,592,000; a day if left out.
    pub choice_timeout: Option<u64>,
    /// The SHA-256 of the scorer's token that the client has made for itself, in 64 hexadecimal digits. The
    /// answer then holds no token, and the match has no invites but those of `invite_sha256`.
    #[schema(value_type = Option<String>, pattern = "^[0-9A-Fa-f]{64}$")]
    pub token_sha256: Option<TokenHash>,
    /// The hashes of the invites that the client has made for the sides; only with `token_sha256`.
    pub invite_sha256: Option<InviteHashes>,
    /// The id that the client has made for the match, a UUID of version 7 whose time is within ten minutes of
    /// the service's; only with `token_sha256`. A request with an id can be sent again, and takes an
    /// `Idempotency-Key`.
    #[schema(value_type = Option<String>, format = Uuid)]
    pub id: Option<String>,
}

/// A new match, with its tokens and invites. These are shown only once.
#[derive(Serialize, ToSchema)]
pub struct CreatedMatch {
    /// The new match.
    #[serde(rename = "match")]
    pub created: MatchView,
    /// The tokens of the match.
    pub tokens: Tokens,
    /// The invites of the match, one for each side.
    pub invites: Invites,
}

/// The tokens of a new match.
#[derive(Serialize, ToSchema)]
pub struct Tokens {
    /// The scorer's token, which records the match.
    pub scorer: String,
}

/// The invites of a new match. In remote play each side exchanges its invite for a token.
#[derive(Serialize, ToSchema)]
pub struct Invites {
    /// The home side's invite.
    pub home: String,
    /// The away side's invite.
    pub away: String,
}

/// A new match whose tokens the client has made.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AcceptedMatch {
    /// The new match.
    #[serde(rename = "match")]
    pub created: MatchView,
}

/// The answer to a creation: the match with tokens of the service, or the match alone.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum CreateAnswer {
    /// The service has made the tokens.
    Made(Box<CreatedMatch>),
    /// The client has made the tokens.
    Accepted(Box<AcceptedMatch>),
}

/// Create a match. The admin token is needed where the service has one. With `token_sha256` and `id` the
/// request can be sent again.
#[utoipa::path(
    post, path = "/v1/matches", operation_id = "create_match", tag = "matches",
    request_body = CreateMatch,
    params(("Idempotency-Key" = Option<String>, Header, description = "A key for retries, only with `token_sha256` and `id`")),
    responses((status = 201, description = "Created", body = CreateAnswer,
        headers(("Location" = String, description = "The match"), ("ETag" = String, description = "The head's hash, a dot and the form")))),
    security((), ("admin" = []))
)]
pub async fn create(
    service: Data<AppState>,
    http: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    let actor = request::creator(&http, &service)?;
    let (body, bytes) = body::json::<CreateMatch>(&http, payload).await?;
    let given = GivenTokens::of(
        &http,
        &bytes,
        body.id.as_deref(),
        body.token_sha256.as_ref(),
        body.invite_sha256.as_ref(),
    )?;
    let (made, creation, tokens) = match given {
        Some(GivenTokens { creation, rows }) => (None, Some(creation), rows),
        None => {
            let MadeTokens { scorer, home, away, rows } = MadeTokens::make()?;
            (Some((Tokens { scorer }, Invites { home, away })), None, rows)
        }
    };
    let default = MatchSettings::default();
    let settings = MatchSettings {
        client_seeds: body.client_seeds.unwrap_or(default.client_seeds),
        remote: body.remote,
        choice_timeout: body.choice_timeout.unwrap_or(default.choice_timeout),
    };
    let new = NewMatch {
        game: body.game,
        rules: body.rules,
        edition: body.edition,
        home: body.home,
        away: body.away,
        seeded: body.dice == DiceMode::Seeded,
        seed: body.seed,
        settings,
        actor,
        tokens,
        creation,
    };
    let appended = service.matches.create(new).await?;
    let created = MatchView::of(&appended.loaded);
    let body = match made {
        Some((tokens, invites)) => CreateAnswer::Made(Box::new(CreatedMatch { created, tokens, invites })),
        None => CreateAnswer::Accepted(Box::new(AcceptedMatch { created })),
    };
    let mut answer = response::created_with_token(&appended.loaded, &body)?;
    let location = format!("/v1/matches/{}", appended.loaded.match_id());
    if let Ok(location) = location.parse() {
        answer.headers_mut().insert(LOCATION, location);
    }
    Ok(answer)
}

/// A match as it is now: its score, what it waits for, and its head. The answer to a token of the match names
/// its role as `viewer`, and to a side's token also shows that side's hand and secret choice. A token that is
/// not of this match is refused.
#[utoipa::path(
    get, path = "/v1/matches/{id}", operation_id = "get_match", tag = "matches",
    responses((status = 200, description = "The match", body = MatchView,
        headers(("ETag" = String, description = "The head's hash, a dot and the form, and the role of the token"),
            ("Vary" = String, description = "`Authorization, Accept-Encoding`")))),
    security((), ("scorer" = []), ("side" = []), ("umpire" = []))
)]
pub async fn get(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    // An Authorization of another scheme is meant for somebody else, such as a proxy on the way.
    let token = request::bearer(&http).ok().filter(|_| !request::is_admin(&http, &service));
    let (role, loaded) = if let Some(token) = token {
        let hash = request::token_hash(token);
        let (role, loaded) = service.matches.visible_to(path.0, &hash).await?;
        (Some(role), loaded)
    } else {
        (None, service.matches.loaded(path.0).await?)
    };
    let own = service.matches.hands(&loaded, role).await?;
    let has_secrets = !own.is_empty();
    let hash = &loaded.head().hash;
    // Each role has a tag of its own, so that no answer stands for that to another token.
    let tag = match role {
        Some(role) => entity_tag::of_variant(hash, role.as_str()),
        None => entity_tag::of_event(hash),
    };
    let viewer = role.map(|role| Viewer { role });
    let view = || MatchView { viewer, own, ..MatchView::of(&loaded) };
    let mut answer = response::fresh_view(&http, &tag, view).await?;
    if role.is_some() {
        response::keep_private(&mut answer);
    }
    Ok(if has_secrets { never_compressed(answer) } else { answer })
}

/// The query of a page of matches.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// Only the match with this id. May be repeated, up to 100 times; `limit` says how many a page has.
    #[serde(default)]
    id: Vec<String>,
    /// Only matches of this game.
    game: Option<String>,
    /// Only matches with one of these statuses: `created|in_play|completed|abandoned`. May be repeated.
    #[serde(default)]
    status: Vec<String>,
    /// Only matches with a side of exactly this name, as given or in NFC, which new matches have.
    #[param(value_type = Option<String>)]
    team: Option<SafeText>,
    /// Only matches whose last event is before this time: RFC 3339, UTC, milliseconds.
    before: Option<String>,
    /// The most matches on the page: 1 to 100, 20 if left out.
    limit: Option<u32>,
    /// The order: `created`, the newest first, if left out; or `changed`, the one that changed last first. A
    /// match that changes while pages are read moves to the first page.
    order: Option<String>,
    /// The `next_cursor` of the page before, which was read in the same order.
    cursor: Option<String>,
}

/// A page of matches.
#[derive(Serialize, ToSchema)]
pub struct MatchPage {
    /// The matches of the page.
    #[schema(value_type = Vec<MatchSummary>)]
    pub matches: Vec<Box<RawValue>>,
    /// The `cursor` of the next page; null on the last page.
    pub next_cursor: Option<String>,
}

const LONGEST_PAGE: u32 = 100;
const PAGE: u32 = 20;
const CURSOR: &str = "before-";
const CHANGED_CURSOR: &str = "changed-";

impl ListQuery {
    /// The filter for a store: each text in it is one of ours, or has been checked.
    fn filter(self, registry: Registry) -> Result<MatchFilter, Problem> {
        let limit = self.limit.unwrap_or(PAGE);
        if !(1..=LONGEST_PAGE).contains(&limit) {
            return Err(Problem::query("limit", format!("limit is 1 to {LONGEST_PAGE}")));
        }
        if self.id.len() > LONGEST_PAGE as usize {
            return Err(Problem::query("id", format!("id is given at most {LONGEST_PAGE} times")));
        }
        let ids = self.id.iter().map(|id| match_id(id)).collect::<Result<Vec<_>, _>>()?;
        let game = self.game.map(|game| listed("game", &game, &registry.ids())).transpose()?;
        let status = self.status.iter().map(|status| listed("status", status, &STATUSES));
        let statuses = status.collect::<Result<Vec<_>, _>>()?;
        let before = self.before.map(|time| time_of("before", &time)).transpose()?;
        let order = match self.order.map(|order| listed("order", &order, &ORDERS)).transpose()? {
            Some("changed") => ListOrder::Changed,
            _ => ListOrder::Created,
        };
        let after = match &self.cursor {
            None => None,
            Some(text) => Some(place_of(text, order).ok_or_else(|| {
                Problem::at(
                    ProblemType::BadCursor,
                    "query.cursor",
                    "take the cursor from next_cursor of the page before, in the same order",
                )
            })?),
        };
        Ok(MatchFilter { ids, game, statuses, team: self.team, before, after, order, limit })
    }
}

/// The cursor of the page after a place.
fn cursor_after(place: &ListPlace, order: ListOrder) -> String {
    let ListPlace { match_id, last_at } = place;
    match order {
        ListOrder::Created => format!("{CURSOR}{match_id}"),
        ListOrder::Changed => format!("{CHANGED_CURSOR}{last_at}-{match_id}"),
    }
}

/// The place after which the page of a cursor begins.
fn place_of(cursor: &str, order: ListOrder) -> Option<ListPlace> {
    let (last_at, id) = match order {
        ListOrder::Created => (0, cursor.strip_prefix(CURSOR)?),
        ListOrder::Changed => {
            let (last_at, id) = cursor.strip_prefix(CHANGED_CURSOR)?.split_once('-')?;
            (last_at.parse().ok()?, id)
        }
    };
    Some(ListPlace { match_id: MatchId::try_parse(id).ok()?, last_at })
}

const ORDERS: [&str; 2] = ["created", "changed"];
const STATUSES: [&str; 4] = ["created", "in_play", "completed", "abandoned"];

fn match_id(given: &str) -> Result<MatchId, Problem> {
    MatchId::try_parse(given)
        .map_err(|_| Problem::query("id", format!("id is the id of a match, not {}", quoted(given))))
}

/// The time that a parameter names, in milliseconds.
fn time_of(name: &str, given: &str) -> Result<i64, Problem> {
    let time = at_format::read(given).map(|time| time.timestamp_millis());
    time.ok_or_else(|| {
        Problem::query(name, format!("{name} is a time as 2026-11-24T18:31:00.000Z, not {}", quoted(given)))
    })
}

/// The word among those that there are which a parameter names.
fn listed(name: &str, given: &str, words: &[&'static str]) -> Result<&'static str, Problem> {
    let found = words.iter().copied().find(|word| *word == given);
    found.ok_or_else(|| Problem::query(name, format!("{name} is {}, not {}", one_of(words), quoted(given))))
}

/// A page of matches, the newest first, or the one that changed last.
#[utoipa::path(
    get, path = "/v1/matches", operation_id = "list_matches", tag = "matches",
    params(ListQuery),
    responses((status = 200, description = "A page of matches", body = MatchPage,
        headers(("ETag" = String, description = "Of this page"))))
)]
pub async fn list(service: Data<AppState>, http: HttpRequest) -> Result<HttpResponse, Problem> {
    let mut filter =
        request::query::<ListQuery>(&http)?.filter(service.matches.known_editions().registry())?;
    filter.limit += 1;
    let mut rows = service.matches.list(&filter).await?;
    let more = rows.len() as u32 == filter.limit;
    if more {
        rows.pop();
    }
    let next_cursor = rows.last().filter(|_| more).map(|(place, _)| cursor_after(place, filter.order));
    let raw = |(_, body): (ListPlace, String)| {
        RawValue::from_string(body)
            .map_err(|_| Problem::new(ProblemType::Internal, "the match list has to be rebuilt"))
    };
    let page = MatchPage { matches: rows.into_iter().map(raw).collect::<Result<_, _>>()?, next_cursor };
    response::fresh_by_content(&http, response::text(&page)?)
}

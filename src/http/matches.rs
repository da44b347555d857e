use actix_web::http::header::{CACHE_CONTROL, HeaderValue, LOCATION, VARY};
use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::Service;
use super::openapi;
use super::problem::{Kind, Problem};
use super::request::{self, MatchPath, NewTokens};
use super::response;
use crate::commands::NewSide;
use crate::log::{
    ClientSeeds, DiceMode, EditionRecord, Head, MatchCreated, MatchId, Role, TeamSheet, at_format, is_unsafe,
};
use crate::matches::Terms;
use crate::rules::Next;
use crate::scorebook::{MatchResult, Side};
use crate::service::NewMatch;
use crate::store::Filter;
use crate::views::{Book, CorrectionEntry, DisputeEntry, MatchSummary, Score};

/// What to play, who plays, and where the dice come from.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateMatch {
    /// The game's id.
    #[schema(schema_with = openapi::game_id)]
    pub game: String,
    /// Options of the game; those left out take their defaults.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub rules: Map<String, Value>,
    /// The home side.
    pub home: NewSide,
    /// The away side.
    pub away: NewSide,
    /// Where the dice come from.
    pub dice: DiceMode,
    /// The server seed, 64 hexadecimal digits, in a seeded match; the operating system's random bytes otherwise.
    pub seed: Option<String>,
    /// The edition of the game's components, where it has editions: its `sha256`; the game's own if left out.
    pub edition: Option<String>,
    /// Whether both sides add to the seed: `none`, or `both` in a seeded match. `none` if left out.
    pub client_seeds: Option<ClientSeeds>,
    /// Whether each side plays from a device of its own, with its own token. It needs seeded dice and `client_seeds:
    /// "both"`, and takes no `seed`.
    #[serde(default)]
    pub remote: bool,
    /// Seconds a side has, once it is called, to do what the match waits for: 1 to 2,592,000; a day if left out.
    pub choice_timeout: Option<u64>,
}

/// A match as it stands.
#[derive(Debug, Serialize, ToSchema)]
pub struct MatchView {
    /// Its id.
    pub id: Uuid,
    /// The game's id.
    pub game: String,
    /// Its options, every one.
    #[schema(value_type = Object)]
    pub rules: Map<String, Value>,
    /// The home side.
    pub home: TeamSheet,
    /// The away side.
    pub away: TeamSheet,
    /// Where the dice come from.
    pub dice: DiceMode,
    /// SHA-256 of the server seed, in a seeded match.
    pub commitment: Option<String>,
    /// The edition it is played with; left out where the game has no editions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edition: Option<EditionRecord>,
    /// `created|in_play|completed|abandoned`.
    pub status: &'static str,
    /// When it was created: RFC 3339, UTC, milliseconds.
    pub created_at: String,
    /// The score.
    pub score: Score,
    /// What the match waits for.
    pub next: Next,
    /// The last event and its hash.
    pub head: Head,
    /// The result, once there is one.
    pub result: Option<MatchResult>,
    /// Whether each side plays from a device of its own.
    pub remote: bool,
    /// Which client seeds go into the match seed.
    pub client_seeds: ClientSeeds,
    /// Seconds a side has, once it is called.
    pub choice_timeout: u64,
    /// Disputes that have not been ruled on; left out where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub disputes: Vec<DisputeEntry>,
    /// The correction that waits for the consent of both sides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposed: Option<CorrectionEntry>,
    /// For the eyes of whoever holds the token: what a side has in its hand, and has chosen in secret. A side sees its own; the
    /// scorer both, where the sides do not play from afar.
    #[serde(skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Option<Object>, example = json!({"home": {"hand": [{"cube": 7, "number": 3}], "choice": null}}))]
    pub own: Map<String, Value>,
}

impl MatchView {
    fn of(book: &Book) -> MatchView {
        let MatchCreated {
            game,
            rules,
            home,
            away,
            dice,
            commitment,
            edition,
            remote,
            client_seeds,
            choice_timeout,
            ..
        } = book.created().clone();
        MatchView {
            id: book.match_id(),
            game,
            rules,
            home,
            away,
            dice,
            commitment,
            edition,
            status: book.fixture().status(),
            created_at: at_format::write(&book.created_at()),
            score: Score::of(book),
            next: book.fixture().next(),
            head: book.head().clone(),
            result: book.fixture().result(),
            remote,
            client_seeds,
            choice_timeout,
            disputes: book.settled().open_disputes(),
            proposed: book.settled().proposed().cloned(),
            own: Map::new(),
        }
    }
}

/// A new match, with what opens it. Tokens and invites are shown this once.
#[derive(Serialize, ToSchema)]
pub struct CreatedMatch {
    /// The match.
    #[serde(rename = "match")]
    pub created: MatchView,
    /// Tokens.
    pub tokens: Tokens,
    /// Invites, one a side.
    pub invites: Invites,
}

/// The tokens of a new match.
#[derive(Serialize, ToSchema)]
pub struct Tokens {
    /// For whoever records the match.
    pub scorer: String,
}

/// The invites of a new match, to be turned into tokens by the sides where they play from afar.
#[derive(Serialize, ToSchema)]
pub struct Invites {
    /// For the home side.
    pub home: String,
    /// For the away side.
    pub away: String,
}

/// Create a match. Needs the admin token where the service has one.
#[utoipa::path(
    post, path = "/v1/matches", operation_id = "create_match", tag = "matches",
    request_body = CreateMatch,
    responses((status = 201, description = "Created", body = CreatedMatch,
        headers(("Location" = String, description = "The match"), ("ETag" = String, description = "The head's hash")))),
    security((), ("admin" = []))
)]
pub async fn create(
    service: Data<Service>,
    http: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    let actor = request::creator(&http, &service)?;
    request::no_key(&http)?;
    let (asked, _) = request::json::<CreateMatch>(&http, payload).await?;
    let NewTokens { scorer, home, away, rows } = NewTokens::make()?;
    let usual = Terms::default();
    let terms = Terms {
        client_seeds: asked.client_seeds.unwrap_or(usual.client_seeds),
        remote: asked.remote,
        choice_timeout: asked.choice_timeout.unwrap_or(usual.choice_timeout),
    };
    let new = NewMatch {
        game: asked.game,
        rules: asked.rules,
        edition: asked.edition,
        home: asked.home,
        away: asked.away,
        seeded: asked.dice == DiceMode::Seeded,
        seed: asked.seed,
        terms,
        actor,
        tokens: rows,
    };
    let appended = service.matches.create(new).await?;
    let body = CreatedMatch {
        created: MatchView::of(&appended.book),
        tokens: Tokens { scorer },
        invites: Invites { home, away },
    };
    let mut answer = response::created(&appended.book, &body)?;
    let location = format!("/v1/matches/{}", appended.book.match_id());
    if let Ok(location) = location.parse() {
        answer.headers_mut().insert(LOCATION, location);
    }
    Ok(answer)
}

/// A match as it stands: score, what it waits for, head. Whoever shows a side's token also sees what is that side's own.
#[utoipa::path(
    get, path = "/v1/matches/{id}", operation_id = "get_match", tag = "matches",
    params(("id" = Uuid, Path, description = "The match")),
    responses((status = 200, description = "The match", body = MatchView,
        headers(("ETag" = String, description = "The head's hash, and whose eyes it is for"),
            ("Vary" = String, description = "`Authorization`")))),
    security((), ("scorer" = []), ("side" = []))
)]
pub async fn get(
    service: Data<Service>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    // Other schemes are for others, such as a proxy on the way.
    let token = request::bearer(&http).ok().filter(|_| !request::is_admin(&http, &service));
    let (viewer, book) = if let Some(token) = token {
        let hash = request::token_hash(token);
        let (role, book) = service.matches.seen_by(path.0, &hash).await?;
        (Some(role), book)
    } else {
        (None, service.matches.book(path.0).await?)
    };
    let sides = match viewer {
        Some(Role::Home) => vec![Side::Home],
        Some(Role::Away) => vec![Side::Away],
        Some(Role::Scorer) if !book.created().remote => vec![Side::Home, Side::Away],
        Some(Role::Scorer | Role::Umpire) | None => Vec::new(),
    };
    let own = service.matches.hands(&book, &sides).await?;
    let hash = &book.head().hash;
    let tag = viewer.map_or_else(|| hash.clone(), |role| format!("{hash}-{}", role.as_str()));
    let mut answer =
        response::fresh(&http, &tag, || response::text(&MatchView { own, ..MatchView::of(&book) }))?;
    answer.headers_mut().insert(VARY, HeaderValue::from_static("Authorization"));
    if viewer.is_some() {
        answer.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    }
    Ok(answer)
}

/// Which matches to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// Only matches of this game.
    game: Option<String>,
    /// Only matches with this status: `created|in_play|completed|abandoned`.
    status: Option<String>,
    /// Only matches with a side of exactly this name.
    team: Option<String>,
    /// At most so many: 1 to 100, 20 if left out.
    limit: Option<u32>,
    /// Where the page before ended: its `next_cursor`.
    cursor: Option<String>,
}

/// A page of matches, the newest first.
#[derive(Serialize, ToSchema)]
pub struct MatchPage {
    /// The matches.
    #[schema(value_type = Vec<MatchSummary>)]
    pub matches: Vec<Box<RawValue>>,
    /// The `cursor` of the next page; null on the last.
    pub next_cursor: Option<String>,
}

const LONGEST_PAGE: u32 = 100;
const PAGE: u32 = 20;
const CURSOR: &str = "before-";

impl ListQuery {
    fn filter(self) -> Result<Filter, Problem> {
        let limit = self.limit.unwrap_or(PAGE);
        if !(1..=LONGEST_PAGE).contains(&limit) {
            return Err(Problem::query("limit", format!("limit is 1 to {LONGEST_PAGE}")));
        }
        let statuses = ["created", "in_play", "completed", "abandoned"];
        if self.status.as_ref().is_some_and(|status| !statuses.contains(&status.as_str())) {
            return Err(Problem::query("status", format!("status is one of {}", statuses.join(", "))));
        }
        for (name, text) in [("game", &self.game), ("team", &self.team)] {
            if text.as_ref().is_some_and(|text| text.chars().any(is_unsafe)) {
                return Err(Problem::query(name, format!("no {name} has control characters in its name")));
            }
        }
        let cursor = |text: &String| text.strip_prefix(CURSOR).and_then(|id| MatchId::try_parse(id).ok());
        let before = match &self.cursor {
            None => None,
            Some(text) => Some(cursor(text).ok_or_else(|| {
                Problem::at(
                    Kind::BadCursor,
                    "query.cursor",
                    "take the cursor from next_cursor of the page before",
                )
            })?),
        };
        Ok(Filter { game: self.game, status: self.status, team: self.team, before, limit })
    }
}

/// Matches, the newest first.
#[utoipa::path(
    get, path = "/v1/matches", operation_id = "list_matches", tag = "matches",
    params(ListQuery),
    responses((status = 200, description = "A page of matches", body = MatchPage,
        headers(("ETag" = String, description = "Of this page"))))
)]
pub async fn list(service: Data<Service>, http: HttpRequest) -> Result<HttpResponse, Problem> {
    let mut filter = request::query::<ListQuery>(&http)?.filter()?;
    filter.limit += 1;
    let mut rows = service.matches.store().matches(&filter).await?;
    let more = rows.len() as u32 == filter.limit;
    if more {
        rows.pop();
    }
    let next_cursor = rows.last().filter(|_| more).map(|(match_id, _)| format!("{CURSOR}{match_id}"));
    let raw = |(_, body): (MatchId, String)| {
        RawValue::from_string(body)
            .map_err(|_| Problem::new(Kind::Internal, "the match list has to be rebuilt"))
    };
    let page = MatchPage { matches: rows.into_iter().map(raw).collect::<Result<_, _>>()?, next_cursor };
    response::fresh_by_content(&http, response::text(&page)?)
}

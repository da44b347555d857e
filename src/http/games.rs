//! The games over HTTP: what a form has to know of each before a match is created, and the sentences of their
//! rulings.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::AppState;
use super::response;
use crate::commands::{Problem, ProblemType};
use crate::log::EditionRecord;
use crate::rules::{Edition, Game, Registry, RulingCited, SheetRule};
use crate::scorebook::SHARED_RULINGS;

/// The games that the service knows.
#[derive(Serialize, ToSchema)]
pub struct GameList {
    /// The games, in the order in which they are listed everywhere.
    pub games: Vec<GameEntry>,
}

/// A game, as a form has to know it before a match is created.
#[derive(Serialize, ToSchema)]
pub struct GameEntry {
    /// The id of the game, by which a match names it.
    pub id: &'static str,
    /// The name of the game, for people.
    pub title: &'static str,
    /// How it is played, in a sentence.
    pub summary: &'static str,
    /// The number of players on a team sheet.
    pub players: u8,
    /// Whether a side may come without names of players.
    pub nameless: bool,
    /// Whether the game has remote play, in which each side plays from its own device.
    pub remote: bool,
    /// Whether decisions can be reviewed, where the options of a match allow it.
    pub reviews: bool,
    /// The editions of the game, also those that were posted; none in a game without editions.
    pub editions: Vec<EditionRecord>,
    /// The policies of a side in a simulation; the first is the default.
    pub policies: &'static [&'static str],
    /// The options of a match as JSON Schema, with their defaults. `x-default-depends` says how a default
    /// follows from another option, `x-limits-depend` how its limits do, `x-no-form` marks an option that
    /// no form can hold, and `x-order` is the place of an option in a form.
    #[schema(value_type = Object)]
    pub options: Value,
    /// The team sheets.
    pub sheet: Sheet,
}

/// What a team sheet of a game needs.
#[derive(Serialize, ToSchema)]
pub struct Sheet {
    /// The number of players on it.
    pub players: u8,
    /// What it needs beside their names.
    #[serde(flatten)]
    pub rule: SheetRule,
    /// The teams of each edition, which a match can name instead of players.
    pub teams: Vec<TeamsOfEdition>,
}

/// The teams of an edition.
#[derive(Serialize, ToSchema)]
pub struct TeamsOfEdition {
    /// The edition, by its id and its hash.
    pub edition: EditionRecord,
    /// The names of its teams.
    pub teams: Vec<String>,
}

/// The rulings of a game.
#[derive(Serialize, ToSchema)]
pub struct RulingList {
    /// The id of the game.
    pub game: &'static str,
    /// Every ruling and refusal that an event or a problem of the game can cite.
    pub rulings: Vec<RulingCited>,
}

/// The games: what to know of each before a match is created.
#[utoipa::path(
    get, path = "/v1/games", operation_id = "list_games", tag = "games",
    responses((status = 200, description = "The games", body = GameList,
        headers(("ETag" = String, description = "Of this list"))))
)]
pub async fn list(service: Data<AppState>, http: HttpRequest) -> Result<HttpResponse, Problem> {
    let mut editions = Vec::new();
    for record in service.matches.editions().await? {
        editions.push(service.matches.edition(&record.sha256).await?);
    }
    let registry = service.matches.known_editions().registry();
    let entry = |game: &Game| {
        let own =
            editions.iter().map(AsRef::as_ref).filter(|edition: &&Edition| edition.game == game.info.id);
        entry(game, own)
    };
    let games = GameList { games: registry.games().iter().map(entry).collect() };
    response::fresh_by_content(&http, response::text(&games)?)
}

fn entry<'a>(game: &Game, editions: impl Iterator<Item = &'a Edition> + Clone) -> GameEntry {
    let teams = editions.clone().map(|edition| TeamsOfEdition {
        edition: edition.record(),
        teams: edition.teams().into_iter().map(str::to_owned).collect(),
    });
    GameEntry {
        id: game.info.id,
        title: game.info.title,
        summary: game.info.summary,
        players: game.info.players,
        nameless: game.info.nameless,
        remote: game.info.remote,
        reviews: game.info.reviews,
        editions: editions.map(Edition::record).collect(),
        policies: game.policies,
        options: game.options(),
        sheet: Sheet { players: game.info.players, rule: (game.sheet)(), teams: teams.collect() },
    }
}

/// The rulings of a game: the sentence behind each id that a ball or a problem cites.
#[utoipa::path(
    get, path = "/v1/games/{game}/rulings", operation_id = "list_rulings", tag = "games",
    params(("game" = String, Path, description = "The game's id")),
    responses((status = 200, description = "The rulings", body = RulingList,
        headers(("ETag" = String, description = "Of this list"))))
)]
pub async fn rulings(service: Data<AppState>, http: HttpRequest) -> Result<HttpResponse, Problem> {
    let id = http.match_info().get("game").unwrap_or_default();
    let registry = service.matches.known_editions().registry();
    let game = registry.find(id).ok_or_else(|| no_such_game(registry))?;
    let all = game.info.rulings.iter().copied().chain(SHARED_RULINGS);
    let list = RulingList { game: game.info.id, rulings: all.map(RulingCited::from).collect() };
    response::fresh_by_content(&http, response::text(&list)?)
}

fn no_such_game(registry: Registry) -> Problem {
    let message = format!("there is no such game; the games are {}", registry.ids().join(", "));
    Problem::at(ProblemType::NoSuchGame, "path.game", message)
}

//! The addresses of the pages and of their files.

use actix_web::http::header::{ACCEPT, CACHE_CONTROL, HeaderValue, VARY};
use actix_web::http::{Method, StatusCode};
use actix_web::web::{Data, Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, ResponseError};
use serde_json::json;

use super::AppState;
use super::coding::Coding;
use super::resource::read_only;
use crate::commands::{Problem, ProblemType};
use crate::log::MatchId;
use crate::service::{MatchService, ServiceError};
use crate::web::{self, PAGES};

/// The folders of addresses that only programs ask for: the API, and the files of the pages.
const OF_PROGRAMS: [&str; 2] = ["/v1", "/assets"];

/// Adds the routes of the pages and of their files.
pub fn configure(config: &mut ServiceConfig) {
    for path in PAGES {
        config.service(match path {
            "/" => read_only(path, first_page),
            _ if path.contains("{id}") => read_only(path, match_page),
            _ => read_only(path, other_page),
        });
    }
    config.service(read_only("/assets/{hash}/{name:.*}", file));
}

/// The first page. A program that asks for JSON is told where the API is.
async fn first_page(http: HttpRequest) -> HttpResponse {
    if !accepts(&http, "application/json") || accepts(&http, "text/html") {
        return shell(&http, StatusCode::OK);
    }
    // What is kept for a browser at this address is the page.
    let mut answer = HttpResponse::Ok();
    answer.insert_header((VARY, "Accept")).insert_header((CACHE_CONTROL, "no-store"));
    answer.json(json!({
        "name": "third-umpire",
        "version": env!("CARGO_PKG_VERSION"),
        "pages": "/",
        "api": "/v1",
        "document": "/openapi.json",
        "docs": "/docs/",
    }))
}

async fn other_page(http: HttpRequest) -> HttpResponse {
    shell(&http, StatusCode::OK)
}

/// A page of a match. The page of an unknown one is there too, to say so.
async fn match_page(http: HttpRequest, service: Data<AppState>) -> HttpResponse {
    let exists = match_may_exist(&service.matches, http.match_info().query("id")).await;
    shell(&http, if exists { StatusCode::OK } else { StatusCode::NOT_FOUND })
}

/// Whether a match has this id. A store that does not answer has all: the page says the rest.
async fn match_may_exist(matches: &MatchService, id: &str) -> bool {
    let Ok(id) = MatchId::try_parse(id) else { return false };
    !matches!(matches.head(id).await, Err(ServiceError::NoSuchMatch(_)))
}

async fn file(http: HttpRequest, path: Path<(String, String)>) -> Result<HttpResponse, Problem> {
    let (hash, name) = path.into_inner();
    web::file(&hash, &name, takes_gzip(&http)).ok_or_else(|| {
        Problem::new(ProblemType::NotFound, "there is no such file in this version; load the page again")
    })
}

/// The answer at an address that is none: to a browser the page that says so, to a client the problem.
pub fn nothing_here(http: &HttpRequest) -> HttpResponse {
    let is_below = |folder: &str| {
        http.path().strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let is_read = [Method::GET, Method::HEAD].contains(http.method());
    let may_be_page = is_read && !OF_PROGRAMS.into_iter().any(is_below);
    if may_be_page && accepts(http, "text/html") {
        return shell(http, StatusCode::NOT_FOUND);
    }
    let detail = format!("there is nothing at {}; /docs lists all paths", http.path());
    let mut problem = Problem::new(ProblemType::NotFound, detail).error_response();
    if may_be_page {
        problem.headers_mut().insert(VARY, HeaderValue::from_static("Accept"));
    }
    problem
}

fn shell(http: &HttpRequest, status: StatusCode) -> HttpResponse {
    web::shell(http.path(), status, takes_gzip(http))
}

fn takes_gzip(http: &HttpRequest) -> bool {
    Coding::Gzip.is_accepted(http.headers())
}

/// Whether a client names this media type as one that it accepts.
fn accepts(http: &HttpRequest, media_type: &str) -> bool {
    let lines = http.headers().get_all(ACCEPT).filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).any(|item| {
        let mut item = item.split(';').map(str::trim);
        item.next() == Some(media_type) && !item.any(|weight| weight == "q=0")
    })
}

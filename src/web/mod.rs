//! The pages of the service: one shell for all addresses of pages, and the files that it loads. The pages
//! talk to the API as any client does. So this room asks the others only whether a match is known, and
//! for the form of a problem.

mod assets;
mod headers;
mod script;

use std::future::Future;

use actix_web::http::header::{
    ACCEPT, ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, HeaderName,
    HeaderValue, REFERRER_POLICY, VARY,
};
use actix_web::http::{Method, StatusCode};
use actix_web::web::{self, Data, Path, ServiceConfig};
use actix_web::{Handler, HttpRequest, HttpResponse, Resource, Responder, ResponseError, guard};
use serde_json::json;

use self::assets::Asset;
use crate::commands::{Problem, ProblemType};

pub use self::assets::hash as assets_hash;

/// The folders of addresses that only programs ask for: the API, and the files of the pages.
const OF_PROGRAMS: [&str; 2] = ["/v1", "/assets"];

/// The paths of the pages; `pages.js` says what is drawn at each.
const PAGES: [&str; 10] = [
    "/",
    "/new",
    "/settings",
    "/board",
    "/m/{id}",
    "/m/{id}/score",
    "/m/{id}/board",
    "/m/{id}/card",
    "/m/{id}/details",
    "/m/{id}/ball/{n}",
];

/// The matches that a page can be about.
pub trait Matches: 'static {
    /// Whether there is a match with this id. A store that does not answer has all: the page says the rest.
    fn has(&self, id: &str) -> impl Future<Output = bool>;
}

/// Adds the routes of the pages and of their files.
pub fn configure<M: Matches>(config: &mut ServiceConfig) {
    for path in PAGES {
        config.service(match path {
            "/" => page(path, index),
            _ if path.contains("{id}") => page(path, of_match::<M>),
            _ => page(path, plain),
        });
    }
    config.service(page("/assets/{hash}/{name:.*}", asset));
}

/// A resource that is only read.
fn page<F, Args>(path: &str, handler: F) -> Resource
where
    F: Handler<Args>,
    Args: actix_web::FromRequest + 'static,
    F::Output: Responder + 'static,
{
    let read = web::route().guard(guard::Any(guard::Get()).or(guard::Head()));
    web::resource(path).route(read.to(handler)).default_service(web::to(|http: HttpRequest| async move {
        let detail = format!("{} is not allowed here; GET, HEAD is", http.method());
        let mut answer = Problem::new(ProblemType::MethodNotAllowed, detail).error_response();
        answer.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
        answer
    }))
}

/// The first page. A program that asks for JSON is told where the API is.
async fn index(http: HttpRequest) -> HttpResponse {
    if !wants_json(&http) {
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

async fn plain(http: HttpRequest) -> HttpResponse {
    shell(&http, StatusCode::OK)
}

/// A page of a match. The page of an unknown one is there too, to say so.
async fn of_match<M: Matches>(http: HttpRequest, matches: Data<M>) -> HttpResponse {
    let id = http.match_info().query("id");
    shell(&http, if matches.has(id).await { StatusCode::OK } else { StatusCode::NOT_FOUND })
}

async fn asset(http: HttpRequest, path: Path<(String, String)>) -> Result<HttpResponse, Problem> {
    let (hash, name) = path.into_inner();
    let is_own = hash == assets::hash();
    let file = is_own.then(|| assets::file(&name)).flatten().ok_or_else(|| {
        Problem::new(ProblemType::NotFound, "there is no such file in this version; load the page again")
    })?;
    let mut found = answer(&http, file, StatusCode::OK);
    set(&mut found, CACHE_CONTROL, headers::FOR_EVER);
    Ok(found)
}

/// The shell, which all pages share. That of a board has a script for old televisions beside it.
fn shell(http: &HttpRequest, status: StatusCode) -> HttpResponse {
    let found = assets::shell(http.path().ends_with("/board")).map(|shell| answer(http, shell, status));
    let mut found = found.unwrap_or_else(|| HttpResponse::InternalServerError().finish());
    set(&mut found, CONTENT_SECURITY_POLICY, headers::CONTENT_SECURITY_POLICY);
    set(&mut found, REFERRER_POLICY, headers::REFERRER_POLICY);
    // What a page fetches for the cache is what a tab takes from it, which asks with another `Accept`.
    let (kept, varies) = if status == StatusCode::OK {
        (headers::A_DAY, "Accept-Encoding")
    } else {
        (headers::REVALIDATED, "Accept, Accept-Encoding")
    };
    set(&mut found, CACHE_CONTROL, kept);
    set(&mut found, VARY, varies);
    found
}

/// The answer at an address that is none: to a browser the page that says so, to a client the problem.
pub fn nothing_here(http: &HttpRequest) -> HttpResponse {
    let detail = format!("there is nothing at {}; /docs lists all paths", http.path());
    let problem = || Problem::new(ProblemType::NotFound, &detail).error_response();
    let is_below = |folder: &str| {
        http.path().strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let is_read = [Method::GET, Method::HEAD].contains(http.method());
    if !is_read || OF_PROGRAMS.into_iter().any(is_below) {
        return problem();
    }
    if says(http, ACCEPT, "text/html") {
        return shell(http, StatusCode::NOT_FOUND);
    }
    let mut answer = problem();
    set(&mut answer, VARY, "Accept");
    answer
}

fn answer(http: &HttpRequest, asset: &Asset, status: StatusCode) -> HttpResponse {
    let mut answer = HttpResponse::build(status);
    answer.content_type(asset.media).insert_header((VARY, "Accept-Encoding"));
    if says(http, ACCEPT_ENCODING, "gzip") && !asset.gzip().is_empty() {
        return answer.insert_header((CONTENT_ENCODING, "gzip")).body(asset.gzip().clone());
    }
    answer.body(asset.plain.clone())
}

fn set(answer: &mut HttpResponse, name: HeaderName, value: &'static str) {
    answer.headers_mut().insert(name, HeaderValue::from_static(value));
}

/// Whether a header of the request has this word in it.
fn says(http: &HttpRequest, name: HeaderName, word: &str) -> bool {
    let values = http.headers().get_all(name).filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|part| {
        let mut part = part.split(';').map(str::trim);
        part.next() == Some(word) && !part.any(|weight| weight == "q=0")
    })
}

fn wants_json(http: &HttpRequest) -> bool {
    says(http, ACCEPT, "application/json") && !says(http, ACCEPT, "text/html")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of a member in the table of pages, in its order.
    fn in_table(member: &str) -> Vec<&'static str> {
        let table = include_str!("assets/js/pages.js");
        let (_, table) = table.split_once("export const PAGES = [").unwrap();
        let (table, _) = table.split_once("\n];").unwrap();
        let begin = format!("{member}: \"");
        table.split(&begin).skip(1).map(|rest| rest.split_once('"').unwrap().0).collect()
    }

    #[test]
    fn the_program_and_the_table_of_pages_have_the_same_paths() {
        let drawn = in_table("path");
        let only = |of: &[&'static str], other: &[&str]| {
            of.iter().copied().filter(|path| !other.contains(path)).collect::<Vec<_>>()
        };
        assert_eq!(only(&PAGES, &drawn), [""; 0], "the program has a page that nothing draws");
        assert_eq!(only(&drawn, &PAGES), [""; 0], "a page is drawn that the program does not serve");
        assert_eq!(drawn.len(), PAGES.len(), "a path is there twice");
    }

    #[test]
    fn each_page_of_the_table_has_a_title_in_words() {
        let words: serde_json::Value = serde_json::from_str(include_str!("assets/lang/en.json")).unwrap();
        let titles = in_table("title");
        assert_eq!(titles.len(), PAGES.len());
        assert_eq!(titles.into_iter().find(|title| words[title].as_str().is_none()), None);
    }
}

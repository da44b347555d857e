//! The files of the pages: one shell for all addresses of pages, and what it loads. The pages talk to the API
//! as any client does.

mod assets;
mod headers;
mod script;

use actix_web::http::StatusCode;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, REFERRER_POLICY, VARY,
};
use actix_web::{HttpResponse, HttpResponseBuilder};

use self::assets::Asset;

pub use self::assets::hash as assets_hash;

/// The paths of the pages; `pages.js` says what is drawn at each.
pub const PAGES: [&str; 10] = [
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

/// A file that pages of the version with this hash load; none where this is another version, or has no such
/// file.
pub fn file(hash: &str, name: &str, with_gzip: bool) -> Option<HttpResponse> {
    let file = assets::file(name).filter(|_| hash == assets::hash())?;
    let mut answer = HttpResponse::Ok();
    answer.insert_header((CACHE_CONTROL, headers::FOR_EVER));
    Some(answer_with(answer, file, with_gzip))
}

/// The shell, which all pages share. That of a board has a script for old televisions beside it.
pub fn shell(path: &str, status: StatusCode, with_gzip: bool) -> HttpResponse {
    let mut answer = HttpResponse::build(status);
    answer.insert_header((CONTENT_SECURITY_POLICY, headers::CONTENT_SECURITY_POLICY));
    answer.insert_header((REFERRER_POLICY, headers::REFERRER_POLICY));
    // What a page fetches for the cache is what a tab takes from it, which asks with another `Accept`.
    if status == StatusCode::OK {
        answer.insert_header((CACHE_CONTROL, headers::A_DAY));
    } else {
        answer.insert_header((CACHE_CONTROL, headers::REVALIDATED)).insert_header((VARY, "Accept"));
    }
    answer_with(answer, assets::shell(path.ends_with("/board")), with_gzip)
}

fn answer_with(mut answer: HttpResponseBuilder, file: &Asset, with_gzip: bool) -> HttpResponse {
    answer.content_type(file.media);
    if with_gzip && !file.gzip().is_empty() {
        return answer.insert_header((CONTENT_ENCODING, "gzip")).body(file.gzip().clone());
    }
    answer.body(file.plain.clone())
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

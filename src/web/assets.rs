//! The files of the pages. A release has them inside; a debug build reads them from disk when it starts.
//! Either joins the sheets of style and the modules to what pages load, so that tests run what a release
//! answers. All have one prefix, made of their content, so that the files of two versions never meet.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{LazyLock, OnceLock};

use actix_web::web::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::Embed;
use sha2::{Digest, Sha256};

use super::script;

/// The folder of the files.
#[derive(Embed)]
#[folder = "src/web/assets"]
struct Folder;

const SHELL: &str = "index.html";
/// The shell of the boards, which old televisions open as well.
const BOARD_SHELL: &str = "board.html";
/// What draws a board in a browser that knows no modules.
const PLAIN_BOARD: &str = "plain-board.js";
/// The name of the sheet that every page has.
const SHEET: &str = "app.css";
/// The folders of that sheet: what stands in a later one wins.
const SHEETS: [&str; 4] = ["css/base/", "css/parts/", "css/views/", "css/print/"];
/// The folder of the sheets that are loaded with a script: each is a folder of its name.
const LATER: &str = "css/later/";

/// A file as it is answered.
pub struct Asset {
    /// The media type.
    pub media: &'static str,
    /// The content.
    pub plain: Bytes,
    /// The content, compressed once it is asked for.
    gzip: OnceLock<Bytes>,
}

/// The hash over all files, and the files by their names, made at the first use.
static ASSETS: LazyLock<(String, BTreeMap<String, Asset>)> = LazyLock::new(|| {
    let contents = contents();
    let hash = hash_of(&contents);
    let asset = |(name, content): (String, _)| (name.clone(), Asset::of(&name, content, &hash));
    let files = contents.into_iter().map(asset).collect();
    (hash, files)
});

/// The hash over all files that this program has.
pub fn hash() -> &'static str {
    &ASSETS.0
}

/// The file of this name that a page loads.
pub fn file(name: &str) -> Option<&'static Asset> {
    ASSETS.1.get(name).filter(|_| !name.ends_with(".html"))
}

/// The page that all addresses share, or that of the boards.
pub fn shell(is_board: bool) -> &'static Asset {
    &ASSETS.1[if is_board { BOARD_SHELL } else { SHELL }]
}

impl Asset {
    fn of(name: &str, mut content: String, hash: &str) -> Asset {
        if name.ends_with(".html") {
            content = content.replace("{assets}", &format!("/assets/{hash}"));
        }
        Asset { media: media_of(name), plain: content.into(), gzip: OnceLock::new() }
    }

    /// The content, compressed; empty where that fails.
    pub fn gzip(&self) -> &Bytes {
        self.gzip.get_or_init(|| {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            // Writing into memory does not fail; without the compressed form the plain one is answered.
            encoder.write_all(&self.plain).and_then(|()| encoder.finish()).unwrap_or_default().into()
        })
    }
}

fn hash_of(files: &BTreeMap<String, String>) -> String {
    let mut hash = Sha256::new();
    for (name, content) in files {
        hash.update(name.as_bytes());
        hash.update((content.len() as u64).to_be_bytes());
        hash.update(content);
    }
    hex::encode(hash.finalize()).chars().take(16).collect()
}

fn media_of(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

/// The files that pages load, and the shells, by their names.
fn contents() -> BTreeMap<String, String> {
    let text = |name: &str| Some(String::from_utf8_lossy(&Folder::get(name)?.data).into_owned());
    let mut files: BTreeMap<String, String> =
        Folder::iter().filter_map(|name| Some((name.to_string(), text(&name)?))).collect();
    let sheets: BTreeMap<_, _> = files.extract_if(.., |name, _| name.starts_with("css/")).collect();
    let modules = files.extract_if(.., |name, _| name.starts_with("js/"));
    let modules = modules.map(|(name, module)| (name["js/".len()..].to_owned(), module)).collect();
    let plain = format!("<script defer src=\"{{assets}}/{PLAIN_BOARD}\"></script>\n</head>");
    files.insert(BOARD_SHELL.to_owned(), files[SHELL].replace("</head>", &plain));
    files.insert(SHEET.to_owned(), sheet(&sheets, &SHEETS));
    for name in sheets.keys().filter_map(|name| later(name)) {
        files.insert(format!("{name}.css"), sheet(&sheets, &[&format!("{LATER}{name}/")]));
    }
    // A test joins the scripts, so no release throws. Who changes a module reads the fault in the console.
    let thrown = |fault| BTreeMap::from([(script::SHARED.to_owned(), format!("throw {fault:?};"))]);
    files.extend(script::joined(&modules).unwrap_or_else(thrown));
    files
}

/// The sheets of some folders in one.
fn sheet(sheets: &BTreeMap<String, String>, folders: &[&str]) -> String {
    let of = |folder| sheets.iter().filter(move |(name, _)| name.starts_with(folder));
    folders.iter().flat_map(|folder| of(*folder)).map(|(_, sheet)| script::code_lines(sheet)).collect()
}

/// The name of the sheet that a file is a part of, if a script brings it.
fn later(name: &str) -> Option<&str> {
    name.strip_prefix(LATER)?.split_once('/').map(|(sheet, _)| sheet)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words that every page has.
    const WORDS: &str = "lang/en.json";

    #[test]
    fn each_sheet_stands_in_a_folder_that_is_joined() {
        let names: Vec<_> = Folder::iter().filter(|name| name.starts_with("css/")).collect();
        assert!(!names.is_empty());
        let is_joined =
            |name: &str| later(name).is_some() || SHEETS.iter().any(|folder| name.starts_with(folder));
        assert_eq!(names.iter().find(|name| !is_joined(name)), None);
    }

    #[test]
    fn each_file_is_a_text() {
        let is_text = |name: &str| std::str::from_utf8(&Folder::get(name).unwrap().data).is_ok();
        assert_eq!(Folder::iter().find(|name| !is_text(name)), None);
    }

    #[test]
    fn the_real_modules_and_sheets_are_joined() {
        let contents = contents();
        assert!(!contents["app.js"].starts_with("throw"), "{}", contents["app.js"]);
        assert!(contents["play.js"].contains("$.views_pad = (() => {"));
        let sheet = &contents[SHEET];
        assert!(sheet.contains("box-sizing: border-box") && !sheet.contains("/*"), "{sheet}");
        assert!(sheet.find("--paper").unwrap() < sheet.find("@media print").unwrap());
    }

    #[test]
    fn a_first_visit_asks_for_the_shell_the_sheet_the_scripts_and_the_words() {
        for (shell, more) in [(SHELL, None), (BOARD_SHELL, Some(PLAIN_BOARD))] {
            let shell = String::from_utf8(ASSETS.1[shell].plain.to_vec()).unwrap();
            assert!(!shell.contains("{assets}"), "{shell}");
            let prefix = format!("=\"/assets/{}/", hash());
            let asked: Vec<&str> =
                shell.split(&prefix).skip(1).filter_map(|rest| rest.split('"').next()).collect();
            let due: Vec<&str> = ["icon.svg", SHEET, WORDS, script::SHARED].into_iter().chain(more).collect();
            assert_eq!(asked, due);
            assert!(asked.iter().all(|name| ASSETS.1.contains_key(*name)));
        }
    }

    /// What stands between two texts, wherever they do.
    fn between<'a>(text: &'a str, begin: &str, end: &str) -> Vec<&'a str> {
        text.split(begin).skip(1).filter_map(|rest| rest.split_once(end)).map(|(found, _)| found).collect()
    }

    #[test]
    fn each_sheet_and_each_file_of_words_is_loaded_by_a_script_and_is_there() {
        let contents = contents();
        let scripts = contents.iter().filter(|(name, _)| name.ends_with(".js"));
        let scripts: String = scripts.map(|(_, script)| script.as_str()).collect();
        let beside = between(&scripts, "whole($.load(", "})").join("\n");
        let of = |end: &str| {
            let is_later = |name: &&String| name.ends_with(end) && ![SHEET, WORDS].contains(&name.as_str());
            contents.keys().filter(is_later).cloned().collect::<Vec<_>>()
        };
        for (member, begin, end) in [("sheet", "", ".css"), ("words", "lang/en/", ".json")] {
            let named = between(&beside, &format!("{member}: \""), "\"");
            let mut named: Vec<_> = named.into_iter().map(|name| format!("{begin}{name}{end}")).collect();
            named.sort();
            // More than one script may bring it.
            named.dedup();
            assert_eq!(named, of(end));
        }
    }

    #[test]
    fn a_script_says_only_words_that_are_there_when_it_runs() {
        let contents = contents();
        let words = |name: &str| {
            let words = contents.get(name).map(|content| serde_json::from_str(content).unwrap());
            words.unwrap_or_default()
        };
        let shared: BTreeMap<String, String> = words(WORDS);
        for (name, script) in contents.iter().filter(|(name, _)| name.ends_with(".js")) {
            let own = words(&format!("lang/en/{}json", name.trim_end_matches("js")));
            assert_eq!(own.keys().find(|key| shared.contains_key(*key)), None, "{name}: a key stands twice");
            // `t` is the end of other names as well.
            let script = script.replace(|letter: char| " (,:[{>!`$".contains(letter), "\n");
            let said = between(&script, "\nt\n\"", "\"");
            let is_silent =
                ["trial.js", "books.js", "creating.js", "rest.js", PLAIN_BOARD].contains(&name.as_str());
            assert!(is_silent || !said.is_empty(), "{name}");
            let is_there = |key: &str| shared.contains_key(key) || own.contains_key(key);
            let plural = |key: &str| is_there(&format!("{key}.one")) && is_there(&format!("{key}.other"));
            assert_eq!(said.into_iter().find(|key| !is_there(key)), None, "{name}");
            let mut counted = between(&script, "\ncounted\n\"", "\"").into_iter();
            assert_eq!(counted.find(|key| !plural(key)), None, "{name}");
        }
    }

    #[test]
    fn a_changed_file_changes_the_hash() {
        let of = |content: &str| hash_of(&BTreeMap::from([("app.js".to_owned(), content.to_owned())]));
        assert_ne!(of("a"), of("b"));
        assert_eq!(of("a").len(), 16);
    }

    #[test]
    fn the_scripts_the_sheet_and_the_words_fit_into_their_budgets_compressed() {
        let size = |name: &str| ASSETS.1[name].gzip().len();
        for (name, file) in &ASSETS.1 {
            println!("{name} {} bytes", file.gzip().len());
        }
        assert!(size(script::SHARED) <= 30_000);
        let visit = |own: &[&str]| -> usize {
            [script::SHARED, SHEET, WORDS].iter().chain(own).map(|name| size(name)).sum()
        };
        let home = visit(&["home.js", "home.css", "lang/en/home.json"]);
        let pad = visit(&["play.js"]);
        let choices = visit(&["play.js", "rest.js", "steps.js", "steps.css", "lang/en/steps.json"]);
        println!("Home {home} bytes, a pad {pad}, one that asks choices {choices}");
        assert!(home <= 54_000 && pad <= 54_000 && choices <= 64_000, "{home}, {pad}, {choices}");
        let of_board = [BOARD_SHELL, "icon.svg", PLAIN_BOARD, "board.js", "board.css", "lang/en/board.json"];
        let board = visit(&of_board);
        println!("a board {board} bytes");
        assert!(board <= 48_000, "{board}");
        let own = [script::SHARED, "home.js", "play.js"];
        let others = ASSETS.1.keys().filter(|name| name.ends_with(".js") && !own.contains(&name.as_str()));
        for name in others {
            assert!(size(name) <= 15_000, "{name}");
        }
    }
}

//! The files of the pages. A release has them inside, compressed once; a debug build reads them from disk.
//! Either joins the sheets to one and the modules to one, so that tests run what a release answers. All have
//! one prefix, made of their content, so that the files of two versions never meet in a page.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::LazyLock;

use actix_web::web::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use super::{script, sheet};

/// Names each file once: one that is missing does not compile.
macro_rules! embedded {
    ($($name:literal)+) => {
        const EMBEDDED: &[(&str, &[u8])] = &[$(($name, include_bytes!(concat!("assets/", $name)))),+];
    };
}

// The sheets are joined in this order: a later one wins.
embedded! {
    "index.html"
    "icon.svg"
    "lang/en.json"
    "css/tokens.css"
    "css/base.css"
    "css/parts/plates.css"
    "css/parts/box.css"
    "css/parts/book.css"
    "css/parts/strip.css"
    "css/parts/ask.css"
    "css/parts/keys.css"
    "css/parts/foot.css"
    "css/parts/buttons.css"
    "css/parts/ways.css"
    "css/parts/rows.css"
    "css/parts/sheet.css"
    "css/parts/fields.css"
    "css/parts/table.css"
    "css/views/home.css"
    "css/views/new.css"
    "css/views/pad.css"
    "css/views/board.css"
    "css/views/card.css"
    "css/print.css"
    "js/main.js"
    "js/router.js"
    "js/views/pad.js"
    "js/announce.js"
    "js/service.js"
    "js/db.js"
    "js/decide.js"
    "js/draft.js"
    "js/elements/newest-in-sight.js"
    "js/elements/sheet-box.js"
    "js/followed.js"
    "js/html.js"
    "js/i18n.js"
    "js/keys.js"
    "js/match.js"
    "js/must.js"
    "js/outbox.js"
    "js/owed.js"
    "js/parts/book.js"
    "js/parts/card.js"
    "js/parts/dice.js"
    "js/parts/end.js"
    "js/parts/fields.js"
    "js/parts/foot.js"
    "js/parts/icons.js"
    "js/parts/keypad.js"
    "js/parts/matches.js"
    "js/parts/names.js"
    "js/parts/numerals.js"
    "js/parts/places.js"
    "js/parts/question.js"
    "js/parts/scorebox.js"
    "js/parts/sheet.js"
    "js/parts/strip.js"
    "js/parts/ways.js"
    "js/sending.js"
    "js/settings.js"
    "js/signal.js"
    "js/squads.js"
    "js/template.js"
    "js/stream.js"
    "js/trial.js"
    "js/views/beside.js"
    "js/views/board.js"
    "js/views/card.js"
    "js/views/go.js"
    "js/views/home.js"
    "js/views/match_page.js"
    "js/views/new.js"
    "js/views/nowhere.js"
    "js/views/pad_keys.js"
    "js/views/pad_sheets.js"
    "js/views/side_sheet.js"
}

/// The folder of the files, for a build that reads them from there.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/web/assets");
const SHELL: &str = "index.html";
/// The name of all sheets in one.
const SHEET: &str = "app.css";
/// The name of all modules in one.
const SCRIPT: &str = "app.js";

/// A file as it is answered.
pub struct Asset {
    /// The media type.
    pub media: &'static str,
    /// The content.
    pub plain: Bytes,
    /// The content, compressed.
    pub gzip: Bytes,
}

/// The files of the pages.
struct Assets {
    /// The hash over all files.
    hash: String,
    files: BTreeMap<&'static str, Asset>,
}

/// The files that this build has inside, made at the first use.
static BUILT_IN: LazyLock<Assets> = LazyLock::new(|| {
    let contents: Vec<(&str, Vec<u8>)> =
        loaded().chain([SHELL]).filter_map(|name| Some((name, content(name, &embedded)?))).collect();
    let hash = hash_of(&contents);
    let files = contents.into_iter().map(|(name, content)| (name, Asset::of(name, content, &hash)));
    let files = files.collect();
    Assets { hash, files }
});

/// The hash over all files that this build has inside.
pub fn hash() -> &'static str {
    &BUILT_IN.hash
}

/// The file of this name that a page loads.
pub fn with_file<T>(name: &str, answer: impl FnOnce(&Asset) -> T) -> Option<T> {
    with(loaded().find(|known| *known == name)?, answer)
}

/// The page that all addresses share.
pub fn with_shell<T>(answer: impl FnOnce(&Asset) -> T) -> Option<T> {
    with(SHELL, answer)
}

fn with<T>(name: &'static str, answer: impl FnOnce(&Asset) -> T) -> Option<T> {
    if !reads_from_disk() {
        return BUILT_IN.files.get(name).map(answer);
    }
    content(name, &on_disk).map(|content| answer(&Asset::of(name, content, hash())))
}

/// Whether the files are read from disk each time.
pub fn reads_from_disk() -> bool {
    cfg!(debug_assertions) && Path::new(FOLDER).is_dir()
}

impl Asset {
    fn of(name: &str, mut plain: Vec<u8>, hash: &str) -> Asset {
        if name == SHELL {
            let prefix = format!("/assets/{hash}");
            plain = String::from_utf8_lossy(&plain).replace("{assets}", &prefix).into_bytes();
        }
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        // Writing into memory does not fail; without the compressed form the plain one is answered.
        let gzip = encoder.write_all(&plain).and_then(|()| encoder.finish()).unwrap_or_default();
        Asset { media: media_of(name), plain: plain.into(), gzip: gzip.into() }
    }
}

fn hash_of(files: &[(&str, Vec<u8>)]) -> String {
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

/// The content of a file that a page asks for, made of files that are read in this way.
fn content(name: &str, read: &dyn Fn(&str) -> Option<Cow<'static, [u8]>>) -> Option<Vec<u8>> {
    let text = |name: &str| read(name).map(|content| String::from_utf8_lossy(&content).into_owned());
    match name {
        SHEET => Some(joined_sheet(&text).unwrap_or_else(|fault| format!("/* {fault} */")).into_bytes()),
        // A test joins the script, so no release throws. Who changes a module reads the fault in the console.
        SCRIPT => Some(joined_script(&text).unwrap_or_else(|fault| format!("throw {fault:?};")).into_bytes()),
        _ => read(name).map(Cow::into_owned),
    }
}

fn joined_sheet(text: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let sheets = names().filter(|name| name.ends_with(".css"));
    let joined = sheets.map(|name| {
        let sheet = text(name).ok_or_else(|| format!("{name} cannot be read"))?;
        sheet::without_comments(&sheet).map_err(|fault| format!("{name}:{fault}"))
    });
    joined.collect()
}

fn joined_script(text: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let names = names().filter_map(|name| Some((name, name.strip_prefix("js/")?)));
    let read = names.map(|(name, module)| {
        let text = text(name).ok_or_else(|| format!("{name} cannot be read"))?;
        Ok((module, text))
    });
    let texts: BTreeMap<&str, String> = read.collect::<Result<_, String>>()?;
    script::joined(&texts.iter().map(|(module, text)| (*module, text.as_str())).collect())
}

/// The names of the files that the folder has.
fn names() -> impl Iterator<Item = &'static str> {
    EMBEDDED.iter().map(|(name, _)| *name)
}

/// The names of the files that a page loads.
fn loaded() -> impl Iterator<Item = &'static str> {
    let is_joined = |name: &&str| name.ends_with(".css") || name.ends_with(".js");
    names().filter(move |name| !is_joined(name) && *name != SHELL).chain([SHEET, SCRIPT])
}

fn embedded(name: &str) -> Option<Cow<'static, [u8]>> {
    EMBEDDED.iter().find(|(known, _)| *known == name).map(|(_, content)| Cow::Borrowed(*content))
}

/// A file as it is on disk now.
fn on_disk(name: &str) -> Option<Cow<'static, [u8]>> {
    std::fs::read(Path::new(FOLDER).join(name)).ok().map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files below a folder, but for those that only programmers read.
    fn below(folder: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                below(&path, found);
            } else if !path.to_string_lossy().ends_with(".d.ts") {
                found.push(path.strip_prefix(FOLDER).unwrap().to_string_lossy().into_owned());
            }
        }
    }

    #[test]
    fn each_file_of_the_pages_is_embedded() {
        let mut found = Vec::new();
        below(Path::new(FOLDER), &mut found);
        found.sort();
        let mut named: Vec<String> = names().map(str::to_owned).collect();
        named.sort();
        assert_eq!(named, found);
    }

    #[test]
    fn the_real_modules_and_sheets_are_joined() {
        let text =
            |name: &str| embedded(name).map(|content| String::from_utf8(content.into_owned()).unwrap());
        let script = joined_script(&text).unwrap();
        assert!(script.contains("$.views_pad = (() => {") && !script.contains("/**"), "{script}");
        let sheet = joined_sheet(&text).unwrap();
        assert!(sheet.contains("box-sizing: border-box") && !sheet.contains("/*"), "{sheet}");
        assert_eq!(joined_sheet(&|_| None), Err("css/tokens.css cannot be read".to_owned()));
        assert_eq!(joined_script(&|_| None), Err("js/main.js cannot be read".to_owned()));
    }

    #[test]
    fn a_first_visit_asks_for_the_shell_the_sheet_the_script_and_the_words() {
        let shell = String::from_utf8(BUILT_IN.files[SHELL].plain.to_vec()).unwrap();
        assert!(!shell.contains("{assets}"), "{shell}");
        let prefix = format!("=\"/assets/{}/", hash());
        let asked: Vec<&str> =
            shell.split(&prefix).skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert_eq!(asked, ["icon.svg", SHEET, "lang/en.json", SCRIPT]);
        assert_eq!(loaded().collect::<Vec<&str>>(), ["icon.svg", "lang/en.json", SHEET, SCRIPT]);
    }

    #[test]
    fn a_changed_file_changes_the_hash() {
        let of = |content: &str| hash_of(&[("app.js", content.as_bytes().to_vec())]);
        assert_ne!(of("a"), of("b"));
        assert_eq!(of("a").len(), 16);
    }

    #[test]
    fn the_script_and_the_sheet_fit_into_45_kilobytes_compressed() {
        let size = |name| BUILT_IN.files[name].gzip.len();
        let (script, sheet) = (size(SCRIPT), size(SHEET));
        println!("{SCRIPT} {script} bytes, {SHEET} {sheet} bytes, both {} bytes", script + sheet);
        assert!(script + sheet <= 45_000, "{SCRIPT} has {script} bytes, {SHEET} {sheet}");
    }
}

//! The files of the pages. A release has them inside, compressed once; a debug build reads them from disk.
//! All have one prefix, made of their content, so that the files of two versions never meet in a page.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Component, Path};
use std::sync::LazyLock;

use actix_web::web::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

/// Names each file once: one that is missing does not compile.
macro_rules! embedded {
    ($($name:literal)+) => {
        const EMBEDDED: &[(&str, &[u8])] = &[$(($name, include_bytes!(concat!("assets/", $name)))),+];
    };
}

// The sheets are joined in this order, and the modules are asked for in this order.
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
    "js/parts/toss.js"
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
    "js/views/pad_words.js"
    "js/views/side_sheet.js"
}

/// The folder of the files, for a build that reads them from there.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/web/assets");
/// The name of all sheets in one.
const SHEET: &str = "app.css";
const SHELL: &str = "index.html";

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
pub struct Assets {
    /// The hash over all files.
    pub hash: String,
    /// The files by name, without the sheets, which are one.
    files: BTreeMap<String, Asset>,
}

/// The files that this build has inside, compressed at the first use.
static BUILT_IN: LazyLock<Assets> =
    LazyLock::new(|| Assets::of(EMBEDDED.iter().map(|(name, content)| (*name, content.to_vec()))));

/// The hash over all files that this build has inside.
pub fn hash() -> &'static str {
    &BUILT_IN.hash
}

/// The file of this name, or the shell.
pub fn with_file<T>(name: &str, answer: impl FnOnce(&Asset) -> T) -> Option<T> {
    if !reads_from_disk() {
        return BUILT_IN.files.get(name).map(answer);
    }
    from_disk(name).as_ref().map(answer)
}

/// The page that all addresses share.
pub fn with_shell<T>(answer: impl FnOnce(&Asset) -> T) -> Option<T> {
    with_file(SHELL, answer)
}

/// Whether the files are read from disk each time.
pub fn reads_from_disk() -> bool {
    cfg!(debug_assertions) && Path::new(FOLDER).is_dir()
}

impl Assets {
    fn of<'a>(files: impl Iterator<Item = (&'a str, Vec<u8>)>) -> Assets {
        let files: Vec<(&str, Vec<u8>)> = files.collect();
        let hash = hash_of(&files);
        let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
        let mut answered = BTreeMap::new();
        let mut sheet = Vec::new();
        for (name, content) in &files {
            if name.ends_with(".css") {
                sheet.extend_from_slice(content);
                continue;
            }
            let content = if *name == SHELL { shell_of(content, &hash, &names) } else { content.clone() };
            answered.insert((*name).to_owned(), Asset::of(name, content));
        }
        answered.insert(SHEET.to_owned(), Asset::of(SHEET, sheet));
        Assets { hash, files: answered }
    }
}

impl Asset {
    fn of(name: &str, plain: Vec<u8>) -> Asset {
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

/// The shell with the addresses of the files: `{assets}` is their prefix, and `{modules}` asks for all
/// modules at once, since each of them would otherwise be found only by the one before.
fn shell_of(shell: &[u8], hash: &str, names: &[&str]) -> Vec<u8> {
    let prefix = format!("/assets/{hash}");
    let modules = names.iter().filter(|name| name.ends_with(".js"));
    let links: String =
        modules.map(|name| format!("<link rel=\"modulepreload\" href=\"{prefix}/{name}\">\n")).collect();
    String::from_utf8_lossy(shell).replace("{modules}\n", &links).replace("{assets}", &prefix).into_bytes()
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

/// A file as it is on disk now.
fn from_disk(name: &str) -> Option<Asset> {
    let content = match name {
        SHEET => sheets().iter().filter_map(|name| on_disk(name)).flatten().collect(),
        SHELL => shell_of(&on_disk(SHELL)?, hash(), &names()),
        _ => on_disk(name)?,
    };
    Some(Asset::of(name, content))
}

fn names() -> Vec<&'static str> {
    EMBEDDED.iter().map(|(name, _)| *name).collect()
}

fn sheets() -> Vec<&'static str> {
    names().into_iter().filter(|name| name.ends_with(".css")).collect()
}

/// The content of a file below the folder.
fn on_disk(name: &str) -> Option<Vec<u8>> {
    let is_below = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    is_below.then(|| std::fs::read(Path::new(FOLDER).join(name)).ok())?
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
            } else if ![".d.ts", "ORDER"].iter().any(|end| path.to_string_lossy().ends_with(end)) {
                found.push(path.strip_prefix(FOLDER).unwrap().to_string_lossy().into_owned());
            }
        }
    }

    #[test]
    fn each_file_of_the_pages_is_embedded() {
        let mut found = Vec::new();
        below(Path::new(FOLDER), &mut found);
        found.sort();
        let mut named: Vec<String> = names().into_iter().map(str::to_owned).collect();
        named.sort();
        assert_eq!(named, found);
    }

    #[test]
    fn the_embedded_shell_names_all_modules_below_the_hash() {
        let shell = String::from_utf8(BUILT_IN.files[SHELL].plain.to_vec()).unwrap();
        assert!(!shell.contains("{assets}") && !shell.contains("{modules}"), "{shell}");
        for name in names().iter().filter(|name| name.ends_with(".js")) {
            assert!(shell.contains(&format!("href=\"/assets/{}/{name}\"", hash())), "{name}");
        }
    }

    #[test]
    fn a_changed_file_changes_the_hash() {
        let of = |content: &str| Assets::of([("a.js", content.as_bytes().to_vec())].into_iter()).hash;
        assert_ne!(of("a"), of("b"));
        assert_eq!(of("a").len(), 16);
    }

    #[test]
    fn all_scripts_and_sheets_fit_into_80_kilobytes_compressed() {
        let counted = |name: &str| name.ends_with(".js") || name.ends_with(".css");
        let files = BUILT_IN.files.iter().filter(|(name, _)| counted(name));
        let sizes: Vec<(&str, usize)> =
            files.map(|(name, asset)| (name.as_str(), asset.gzip.len())).collect();
        let all: usize = sizes.iter().map(|(_, size)| size).sum();
        assert!(all <= 80_000, "{all} bytes: {sizes:?}");
    }

    #[test]
    fn a_path_never_leaves_the_folder() {
        for name in ["../mod.rs", "/etc/hostname", "js/../../mod.rs", "./index.html"] {
            assert_eq!(on_disk(name), None, "{name}");
        }
    }
}

//! The files of the pages. A release has them inside, compressed once; a debug build reads them from disk.
//! Either joins the sheets to one and the modules to scripts, so that tests run what a release answers. All
//! have one prefix, made of their content, so that the files of two versions never meet in a page.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::LazyLock;

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
/// The name of all sheets in one.
const SHEET: &str = "app.css";
/// The folders of the sheets: a sheet of a later one wins.
const SHEETS: [&str; 4] = ["css/base/", "css/parts/", "css/views/", "css/print/"];

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
    files: BTreeMap<String, Asset>,
}

/// The files that this build has inside, made at the first use.
static BUILT_IN: LazyLock<Assets> = LazyLock::new(|| {
    let contents = contents();
    let hash = hash_of(&contents);
    let asset = |(name, content): (String, Vec<u8>)| (name.clone(), Asset::of(&name, content, &hash));
    Assets { files: contents.into_iter().map(asset).collect(), hash: hash.clone() }
});

/// The hash over all files that this build has inside.
pub fn hash() -> &'static str {
    &BUILT_IN.hash
}

/// The file of this name that a page loads.
pub fn with_file<T>(name: &str, answer: impl FnOnce(&Asset) -> T) -> Option<T> {
    if name == SHELL { None } else { with(name, answer) }
}

/// The page that all addresses share.
pub fn with_shell<T>(answer: impl FnOnce(&Asset) -> T) -> Option<T> {
    with(SHELL, answer)
}

fn with<T>(name: &str, answer: impl FnOnce(&Asset) -> T) -> Option<T> {
    if !READS_FROM_DISK {
        return BUILT_IN.files.get(name).map(answer);
    }
    contents().remove(name).map(|content| answer(&Asset::of(name, content, hash())))
}

/// Whether the files are read from disk each time.
pub const READS_FROM_DISK: bool = cfg!(debug_assertions);

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

fn hash_of(files: &BTreeMap<String, Vec<u8>>) -> String {
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

/// The files that pages load, and the shell, by their names.
fn contents() -> BTreeMap<String, Vec<u8>> {
    let mut files: BTreeMap<String, Vec<u8>> = Folder::iter()
        .filter_map(|name| Some((name.to_string(), Folder::get(&name)?.data.into_owned())))
        .collect();
    let text = |content: Vec<u8>| String::from_utf8_lossy(&content).into_owned();
    let sheets = files.extract_if(.., |name, _| name.starts_with("css/"));
    let sheets: BTreeMap<String, String> = sheets.map(|(name, content)| (name, text(content))).collect();
    let modules = files.extract_if(.., |name, _| name.starts_with("js/"));
    let modules = modules.map(|(name, content)| (name["js/".len()..].to_owned(), text(content))).collect();
    files.insert(SHEET.to_owned(), sheet(&sheets).into_bytes());
    // A test joins the scripts, so no release throws. Who changes a module reads the fault in the console.
    let scripts = script::joined(&modules)
        .unwrap_or_else(|fault| BTreeMap::from([(script::SHARED.to_owned(), format!("throw {fault:?};"))]));
    files.extend(scripts.into_iter().map(|(name, script)| (name, script.into_bytes())));
    files
}

/// The sheets of all folders in one.
fn sheet(sheets: &BTreeMap<String, String>) -> String {
    let in_folder = |folder: &'static str| sheets.iter().filter(move |(name, _)| name.starts_with(folder));
    let all = SHEETS.into_iter().flat_map(in_folder);
    all.flat_map(|(_, sheet)| script::code_lines(sheet)).flat_map(|(_, line)| [line.trim(), "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sheet_stands_in_a_folder_that_is_joined() {
        let names: Vec<_> = Folder::iter().filter(|name| name.starts_with("css/")).collect();
        assert!(!names.is_empty());
        let left = names.iter().find(|name| !SHEETS.iter().any(|folder| name.starts_with(folder)));
        assert_eq!(left, None);
    }

    #[test]
    fn the_real_modules_and_sheets_are_joined() {
        let contents = contents();
        let text = |name: &str| String::from_utf8(contents[name].clone()).unwrap();
        assert!(!text("app.js").starts_with("throw"), "{}", text("app.js"));
        assert!(text("play.js").contains("$.views_pad = (() => {"));
        let sheet = text(SHEET);
        assert!(sheet.contains("box-sizing: border-box") && !sheet.contains("/*"), "{sheet}");
        assert!(sheet.find("--paper").unwrap() < sheet.find("@media print").unwrap());
    }

    #[test]
    fn a_first_visit_asks_for_the_shell_the_sheet_the_scripts_and_the_words() {
        let shell = String::from_utf8(BUILT_IN.files[SHELL].plain.to_vec()).unwrap();
        assert!(!shell.contains("{assets}"), "{shell}");
        let prefix = format!("=\"/assets/{}/", hash());
        let asked: Vec<&str> =
            shell.split(&prefix).skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert_eq!(asked, ["icon.svg", SHEET, "lang/en.json", script::SHARED]);
        assert!(asked.iter().all(|name| BUILT_IN.files.contains_key(*name)));
    }

    #[test]
    fn a_changed_file_changes_the_hash() {
        let of = |content: &str| hash_of(&BTreeMap::from([("app.js".to_owned(), content.into())]));
        assert_ne!(of("a"), of("b"));
        assert_eq!(of("a").len(), 16);
    }

    #[test]
    fn the_scripts_the_sheet_and_the_words_fit_into_their_budgets_compressed() {
        let size = |name: &str| BUILT_IN.files[name].gzip.len();
        for (name, file) in &BUILT_IN.files {
            println!("{name} {} bytes", file.gzip.len());
        }
        assert!(size(script::SHARED) <= 30_000);
        let first = ["app.js", "play.js", SHEET, "lang/en.json"].map(size).iter().sum::<usize>();
        assert!(first <= 60_000, "Home and the pad have {first} bytes");
        let others = BUILT_IN.files.keys().filter(|name| name.ends_with(".js"));
        for name in others.filter(|name| !["app.js", "play.js"].contains(&name.as_str())) {
            assert!(size(name) <= 15_000, "{name}");
        }
    }
}

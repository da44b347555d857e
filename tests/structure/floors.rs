//! The floors of the pages' modules: each module imports only from its own floor and from those before it.

use std::collections::{BTreeMap, BTreeSet};

use third_umpire_test_support::files::files_below;

const FOLDER: &str = "src/web/assets/js";
/// A module of the pages has fewer lines, and what renders fewer still.
const LONG: usize = 300;
const LONG_RENDERER: usize = 200;

/// The words of each floor from the ground up, as docs/architecture.md lists them.
fn floors() -> Vec<Vec<&'static str>> {
    let page = include_str!("../../docs/architecture.md");
    let (_, way) = page.split_once("## The way of a tap").expect("a section on a tap");
    let list = way.split("```").nth(1).and_then(|block| block.strip_prefix("text\n")).expect("a list");
    list.lines().map(|floor| floor.split_whitespace().skip(1).collect()).collect()
}

/// The floor of a module: that which has its name, or `folder/*`.
fn floor(module: &str, floors: &[Vec<&str>]) -> Option<usize> {
    let name = module.trim_end_matches(".js");
    let folder = name.split_once('/').map(|(folder, _)| format!("{folder}/*"));
    floors.iter().position(|floor| floor.iter().any(|word| *word == name || folder.as_deref() == Some(*word)))
}

/// The modules that a module imports, by their paths below the folder. Types, which stand in comments, are no
/// code.
fn imports(module: &str, text: &str) -> BTreeSet<String> {
    // An import may end in a later line than it begins.
    let lines = text.lines().filter(|line| line.starts_with("import ") || line.starts_with("} from "));
    let paths = lines.filter_map(|line| line.strip_suffix("\";")?.rsplit_once('"').map(|(_, path)| path));
    let folder = module.rsplit_once('/').map_or("", |(folder, _)| folder);
    let below = |path: &str| match (path.strip_prefix("../"), path.strip_prefix("./")) {
        (Some(path), _) => path.to_owned(),
        (_, Some(path)) if !folder.is_empty() => format!("{folder}/{path}"),
        (_, path) => path.unwrap_or("no relative path").to_owned(),
    };
    paths.map(below).collect()
}

/// What is wrong with some modules, by their paths below the folder.
fn faults(modules: &BTreeMap<String, String>, floors: &[Vec<&str>]) -> Vec<String> {
    let mut faults = Vec::new();
    let arrows: BTreeMap<&String, BTreeSet<String>> =
        modules.iter().map(|(module, text)| (module, imports(module, text))).collect();
    for (module, text) in modules {
        let limit = if module == "html.js" { LONG_RENDERER } else { LONG };
        let lines = text.lines().count();
        if lines >= limit {
            faults.push(format!("{module} has {lines} lines: {limit} are too many"));
        }
        let Some(own) = floor(module, floors) else {
            faults.push(format!("{module} has no floor in docs/architecture.md"));
            continue;
        };
        let high = arrows[module].iter().filter(|used| floor(used, floors).is_some_and(|floor| floor > own));
        faults.extend(high.map(|used| format!("{module} imports {used}, which stands on a later floor")));
        let missing = arrows[module].iter().filter(|used| !modules.contains_key(*used));
        faults.extend(missing.map(|used| format!("{module} imports {used}, which is not there")));
        if reaches(module, module, &arrows, &mut BTreeSet::new()) {
            faults.push(format!("{module} is part of a circle"));
        }
    }
    let listed = floors.concat().into_iter().filter(|word| !word.ends_with("/*"));
    let gone = listed.filter(|word| !modules.contains_key(&format!("{word}.js")));
    faults.extend(gone.map(|word| format!("docs/architecture.md lists {word}, which is no module")));
    faults
}

/// Whether a way of imports leads from a module to another.
fn reaches(
    from: &String,
    to: &String,
    arrows: &BTreeMap<&String, BTreeSet<String>>,
    seen: &mut BTreeSet<String>,
) -> bool {
    let used = arrows.get(from).into_iter().flatten();
    used.into_iter().any(|next| next == to || (seen.insert(next.clone()) && reaches(next, to, arrows, seen)))
}

#[test]
fn a_module_of_the_pages_imports_only_from_its_own_floor_and_those_before_it() {
    let files = files_below(FOLDER, "js");
    let modules: BTreeMap<String, String> = files
        .into_iter()
        .map(|(path, text)| {
            let below = path.strip_prefix(FOLDER).expect("a file of the folder");
            (below.to_string_lossy().into_owned(), text)
        })
        .collect();
    assert!(modules.len() > 45, "the pages have {} modules", modules.len());
    let arrows: usize = modules.iter().map(|(module, text)| imports(module, text).len()).sum();
    assert!(arrows > 150, "the modules have {arrows} imports");
    let faults = faults(&modules, &floors());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The faults of small modules: `html` on the ground, then `match`, then the views.
fn faults_of(files: &[(&str, &str)]) -> Vec<String> {
    let others = [("html.js", ""), ("match.js", ""), ("views/go.js", "")];
    let modules = others.iter().chain(files).map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    faults(&modules.collect(), &[vec!["html"], vec!["match"], vec!["views/*"]])
}

#[test]
fn imports_from_the_own_floor_and_from_those_before_it_are_allowed() {
    let pad = "/** @typedef {import(\"../later.js\").Later} Later */\nimport { html } from \"../html.js\";\n\
               import * as one from \"../match.js\";\nimport \"./go.js\";";
    assert_eq!(faults_of(&[("views/pad.js", pad)]), Vec::<String>::new());
}

#[test]
fn the_check_reports_each_fault_of_a_floor() {
    let long = "a();\n".repeat(LONG);
    for (files, expected) in [
        (
            vec![("html.js", "import { one } from \"./match.js\";")],
            vec!["html.js imports match.js, which stands on a later floor"],
        ),
        (
            vec![("match.js", "import * as go from \"./views/go.js\";")],
            vec!["match.js imports views/go.js, which stands on a later floor"],
        ),
        (
            vec![("views/a.js", "import \"./go.js\";"), ("views/go.js", "import { a } from \"./a.js\";")],
            vec!["views/a.js is part of a circle", "views/go.js is part of a circle"],
        ),
        (vec![("later.js", "")], vec!["later.js has no floor in docs/architecture.md"]),
        (
            vec![("views/a.js", "import \"./b.js\";")],
            vec!["views/a.js imports views/b.js, which is not there"],
        ),
        (vec![("match.js", &long)], vec!["match.js has 300 lines: 300 are too many"]),
        (vec![("html.js", &long[..5 * LONG_RENDERER])], vec!["html.js has 200 lines: 200 are too many"]),
    ] {
        assert_eq!(faults_of(&files), expected);
    }
    let gone = faults(&BTreeMap::new(), &[vec!["html"]]);
    assert_eq!(gone, ["docs/architecture.md lists html, which is no module"]);
}

//! The source files, and which of them each one uses.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use third_umpire_test_support::files::files_below;

/// A module by its path below the crate: `["games", "howzat", "ball"]`.
pub type Module = Vec<String>;

/// The module that a file of `src` holds.
fn module_of(file: &Path) -> Module {
    let stem = file.strip_prefix("src").expect("a file of the source").with_extension("");
    let mut module: Module = stem.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    module.pop_if(|last| ["mod", "lib"].contains(&last.as_str()));
    module
}

/// The modules of `src` and those each of them uses, tests left out: a module is used where a path leads into
/// it.
pub fn uses() -> BTreeMap<Module, BTreeSet<Module>> {
    let files: Vec<(Module, String)> =
        files_below("src", "rs").into_iter().map(|(file, text)| (module_of(&file), text)).collect();
    let known: BTreeSet<Module> = files.iter().map(|(module, _)| module.clone()).collect();
    let of_tests = |module: &Module| module.iter().any(|part| part == "tests");
    let mut uses = BTreeMap::new();
    for (module, text) in files.iter().filter(|(module, _)| !of_tests(module)) {
        let used = paths(&production(text)).into_iter().filter_map(|path| led_to(&path, module, &known));
        uses.insert(module.clone(), used.filter(|used| used != module).collect());
    }
    uses
}

/// A file's code without comments and without the module of tests at its end.
fn production(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests {").next().expect("a first part");
    let line = |line: &str| line.split("//").next().expect("a first part").to_owned() + "\n";
    code.lines().map(line).collect()
}

/// Every path in the code: those in `use`, spread out, and those in expressions that begin at the crate or
/// near the file.
fn paths(code: &str) -> Vec<Module> {
    let mut paths = Vec::new();
    for used in code.split("use ").skip(1) {
        let tree = used.split(';').next().expect("a first part");
        let spread = spread(tree);
        paths.extend(spread);
    }
    for start in ["crate::", "super::", "self::"] {
        let begins = |at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
        for (at, _) in code.match_indices(start).filter(|(at, _)| begins(*at)) {
            let path = |c: char| !(c.is_alphanumeric() || c == '_' || c == ':');
            let path = code[at..].split(path).next().expect("a first part");
            paths.push(segments(path));
        }
    }
    paths
}

fn segments(path: &str) -> Module {
    path.split("::").map(str::trim).filter(|segment| !segment.is_empty()).map(str::to_owned).collect()
}

/// The paths of one `use`: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn spread(tree: &str) -> Vec<Module> {
    let Some((prefix, rest)) = tree.split_once('{') else {
        return vec![segments(tree.split(" as ").next().expect("a first part"))];
    };
    let inside = rest.rsplit_once('}').map_or(rest, |(inside, _)| inside);
    let mut depth = 0;
    let branches = inside.split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    let branches: Vec<&str> = branches.map(str::trim).filter(|branch| !branch.is_empty()).collect();
    branches.into_iter().flat_map(spread).map(|branch| [segments(prefix), branch].concat()).collect()
}

/// The module that a path leads into, as seen from a module; none where it leads out of the crate.
fn led_to(path: &Module, from: &Module, known: &BTreeSet<Module>) -> Option<Module> {
    let (first, rest) = path.split_first()?;
    let mut whole = match first.as_str() {
        "crate" => rest.to_vec(),
        "self" => [from, rest].concat(),
        "super" => {
            let up = path.iter().take_while(|segment| *segment == "super").count();
            [&from[..from.len().checked_sub(up)?], &path[up..]].concat()
        }
        _ if known.contains(&[from.as_slice(), &path[..1]].concat()) => [from.as_slice(), path].concat(),
        _ => return None,
    };
    while !whole.is_empty() && !known.contains(&whole) {
        whole.pop();
    }
    known.contains(&whole).then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::{led_to, paths, production};

    #[test]
    fn paths_are_found_in_a_use_and_in_expressions() {
        let code = production(
            "use a::{b, c::{d, e as f}};\n// use x::y;\nfn f() { crate::g::h(super::super::i) }\n",
        );
        let found: Vec<String> = paths(&code).iter().map(|path| path.join("::")).collect();
        assert_eq!(found, ["a::b", "a::c::d", "a::c::e", "crate::g::h", "super::super::i"]);
    }

    #[test]
    fn a_path_leads_into_the_last_module_on_it() {
        let module = |path: &str| path.split("::").map(str::to_owned).collect::<Vec<String>>();
        let known = ["a", "a::b", "c"].map(module).into_iter().collect();
        let led = |path: &str| led_to(&module(path), &module("a::b"), &known);
        assert_eq!(led("crate::c::Thing"), Some(module("c")));
        assert_eq!(led("super::Thing"), Some(module("a")));
        assert_eq!(led("super::super::c::Thing"), Some(module("c")));
        assert_eq!(led("serde::Serialize"), None);
    }
}

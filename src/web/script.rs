//! The scripts of the pages. Each is modules, joined in the order in which they need each other, each in a
//! function of its own, so that equal names in two of them do not meet. No name changes: what was reviewed is
//! what runs. A line of the console leads to its module by the name above it, `$.views_pad`.
//!
//! The shared script begins with the module `main.js`. A module that is imported by `import("./pad.js")`
//! begins a script of its own, which is loaded when it is asked for. A script comes behind another where
//! nothing loads it without that one. A module is in the script that all those come behind that need it: what
//! only the scripts behind `play.js` need is in `play.js`, and what two pages need is in the shared one.
//! What no page needs that people open first is in a script beside that, which the others bring.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::{Captures, Regex};

/// Where the pages start, and the script that has what they share.
const START: &str = "main.js";
pub const SHARED: &str = "app.js";
/// The script that has what the pages share that nobody opens first.
const REST: &str = "rest.js";
/// The modules that begin what people open first.
const FIRST: [&str; 5] = [START, "views/home.js", "views/play.js", "views/card.js", "views/board.js"];
/// What the shared script begins with.
const PRELUDE: &str = include_str!("prelude.js");
const FORMS: &str = "`import { a } from`, `import * as a from` and `import` of a relative path are joined, \
                     and `export` before a const, function, async function or class";

#[expect(clippy::expect_used, reason = "the patterns are constants, and each join of a test takes them all")]
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern")
}

static IMPORT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?m)^import (?:(?:\* as (?<all>[A-Za-z0-9_]+)|\{\s+(?<names>[A-Za-z0-9_]+(?:,\s+[A-Za-z0-9_]+)*),?\s+\}) from )?"(?<path>\.[^"]+)";\n"#,
    )
});
static EXPORT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?m)^export (?<declaration>(?:const|(?:async )?function|class) (?<name>[A-Za-z0-9_]+))")
});
/// `import("./pad.js")` loads the script of that module.
static LOAD: LazyLock<Regex> = LazyLock::new(|| pattern(r#"import\("(?<path>\.[^"]+)"\)"#));
/// A type within a line, which no browser reads.
static TYPE: LazyLock<Regex> = LazyLock::new(|| pattern(r"/\*\* @type .*?\*/ ?"));

/// A module as it is joined.
#[derive(Default)]
struct ScriptModule {
    imports: Vec<String>,
    /// The modules that begin other scripts.
    loads: Vec<String>,
    exports: Vec<String>,
    body: String,
}

type Modules<'a> = BTreeMap<&'a str, ScriptModule>;

/// The lines of a module or a sheet that a browser needs: without blank ones, and without comments that have
/// their lines for themselves. The white space at the ends of a line means nothing in either.
pub fn code_lines(text: &str) -> String {
    let mut is_comment = false;
    let is_code = |line: &&str| {
        let begins = is_comment || line.starts_with("/*");
        let end = if begins { line.find("*/").map(|end| end + 2) } else { None };
        is_comment = begins && end.is_none();
        !line.is_empty() && !line.starts_with("//") && (!begins || end.is_some_and(|end| end < line.len()))
    };
    text.lines().map(str::trim).filter(is_code).flat_map(|line| [line, "\n"]).collect()
}

/// Joins the modules, whose names are their paths below the folder of all modules, to scripts by their names.
pub fn joined(files: &BTreeMap<String, String>) -> Result<BTreeMap<String, String>, String> {
    let read = files.iter().map(|(name, text)| Ok((name.as_str(), module(name, text)?)));
    let modules = read.collect::<Result<Modules, String>>()?;
    let loads = modules.values().flat_map(|module| &module.loads).map(String::as_str);
    let starts: Vec<&str> = [START].into_iter().chain(loads).collect();
    let mut order = Vec::new();
    for start in &starts {
        place(start, &modules, &mut order, &[])?;
    }
    if let Some(left) = modules.keys().find(|name| !order.contains(name)) {
        return Err(format!("{left}: no module imports it"));
    }
    // A module that is not reached without a script comes behind it.
    let ways_round: Vec<(&str, BTreeSet<&str>)> = starts
        .into_iter()
        .map(|start| {
            let mut reached = BTreeSet::new();
            reach(START, start, &modules, &mut reached);
            (start, reached)
        })
        .collect();
    let mut first = Vec::new();
    for start in FIRST.iter().filter(|start| modules.contains_key(*start)) {
        place(start, &modules, &mut first, &[])?;
    }
    let (mut scripts, mut rest, mut behind) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
    for name in order {
        let before = ways_round.iter().filter(|(_, reached)| !reached.contains(name));
        let start = before.max_by_key(|(_, reached)| reached.len()).map_or(START, |(start, _)| *start);
        let of_rest = start == START && !first.contains(&name);
        let script = if of_rest { REST.to_owned() } else { script_of(start) };
        if of_rest {
            rest.insert(name);
        } else if modules[name].imports.iter().any(|from| rest.contains(from.as_str())) {
            behind.insert(script.clone());
        }
        let script: &mut String = scripts.entry(script).or_insert_with_key(|script| match script.as_str() {
            SHARED => code_lines(PRELUDE),
            _ => format!("import {{ $ }} from \"./{SHARED}\";\n"),
        });
        script.push_str(&written(name, &modules[name]));
    }
    for script in behind {
        scripts.entry(script).and_modify(|script| script.insert_str(0, &format!("import \"./{REST}\";\n")));
    }
    Ok(scripts)
}

/// Collects the modules that are needed or loaded from one on, but for those that only this script leads to.
fn reach<'a>(from: &'a str, without: &str, modules: &'a Modules, reached: &mut BTreeSet<&'a str>) {
    if from != without && reached.insert(from) {
        let ScriptModule { imports, loads, .. } = &modules[from];
        imports.iter().chain(loads).for_each(|to| reach(to, without, modules, reached));
    }
}

/// The script that begins with a module.
fn script_of(start: &str) -> String {
    if start == START { SHARED.to_owned() } else { start.rsplit('/').next().unwrap_or(start).to_owned() }
}

/// Places a module behind all those that it needs. The way is that which led to it.
fn place<'a>(
    name: &'a str,
    modules: &'a Modules,
    order: &mut Vec<&'a str>,
    way: &[&str],
) -> Result<(), String> {
    if order.contains(&name) {
        return Ok(());
    }
    let is_circle = way.contains(&name);
    let way = [way, &[name]].concat();
    if is_circle {
        return Err(format!("the modules form a circle: {}", way.join(", ")));
    }
    let module = modules.get(name).ok_or_else(|| format!("{}: there is no such module", way.join(", ")))?;
    module.imports.iter().try_for_each(|from| place(from, modules, order, &way))?;
    order.push(name);
    Ok(())
}

fn written(name: &str, ScriptModule { exports, body, .. }: &ScriptModule) -> String {
    format!("$.{} = (() => {{\n{body}return {{ {} }};\n}})();\n", member(name), exports.join(", "))
}

/// The member of `$` that holds what a module exports.
fn member(name: &str) -> String {
    name.trim_end_matches(".js").replace(|letter: char| !letter.is_alphanumeric(), "_")
}

/// Reads a module. Whether what it takes is there, the types tell.
fn module(name: &str, text: &str) -> Result<ScriptModule, String> {
    let mut module = ScriptModule::default();
    let code = code_lines(text);
    let code = TYPE.replace_all(&code, "");
    let code = IMPORT.replace_all(&code, |import: &Captures| {
        let from = below(name, &import["path"]);
        let names = import.name("names").map(|names| format!("{{ {} }}", names.as_str().replace('\n', " ")));
        let taken = names.or_else(|| Some(import.name("all")?.as_str().to_owned()));
        let line = taken.map(|taken| format!("const {taken} = $.{};\n", member(&from)));
        module.imports.push(from);
        line.unwrap_or_default()
    });
    let code = EXPORT.replace_all(&code, |export: &Captures| {
        module.exports.push(export["name"].to_owned());
        export["declaration"].to_owned()
    });
    let code = LOAD.replace_all(&code, |load: &Captures| {
        let from = below(name, &load["path"]);
        let line = format!("$.load(\"./{}\", \"{}\")", script_of(&from), member(&from));
        module.loads.push(from);
        line
    });
    let is_left = |line: &&str| line.starts_with("import ") || line.starts_with("export ");
    if let Some(line) = code.lines().find(is_left) {
        return Err(format!("{name}: {line:?} is no form that is joined: {FORMS}"));
    }
    module.body = code.into_owned();
    Ok(module)
}

/// The name of the module that a relative path leads to.
fn below(module: &str, path: &str) -> String {
    let mut parts: Vec<&str> = module.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn join(files: &[(&str, &str)]) -> Result<BTreeMap<String, String>, String> {
        joined(&files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect())
    }

    #[test]
    fn modules_stand_behind_what_they_need_each_in_a_function() {
        let scripts = join(&[
            (
                "main.js",
                "/** Starts. */\nimport {\n  put,\n  get,\n} from \"./db.js\";\nimport \"./sheet-box.js\";\n\nput();\n",
            ),
            ("db.js", "/*\n * Keeps.\n */\nexport const get = () => 1;\nexport async function put() {}\n"),
            (
                "sheet-box.js",
                "import * as db from \"./db.js\";\nexport class SheetBox {\n  // Grows.\n  /** @type {1} */ one;\n}\n",
            ),
        ]);
        let expected = [
            "$.db = (() => {",
            "const get = () => 1;",
            "async function put() {}",
            "return { get, put };",
            "})();",
            "$.sheet_box = (() => {",
            "const db = $.db;",
            "class SheetBox {",
            "one;",
            "}",
            "return { SheetBox };",
            "})();",
            "$.main = (() => {",
            "const { put, get } = $.db;",
            "put();",
            "return {  };",
            "})();",
            "",
        ];
        assert_eq!(scripts.unwrap()[SHARED], format!("{}{}", code_lines(PRELUDE), expected.join("\n")));
    }

    #[test]
    fn a_module_that_is_loaded_begins_a_script_and_what_two_scripts_need_is_shared() {
        let scripts = join(&[
            ("main.js", "const load = () => [import(\"./views/pad.js\"), import(\"./views/card.js\")];\n"),
            (
                "views/pad.js",
                "import { a } from \"../a.js\";\nimport { b } from \"../b.js\";\nexport const pad = a + b;\n",
            ),
            (
                "views/card.js",
                "import { a } from \"../a.js\";\nexport const card = /** @type {import(\"../b.js\").B} */ (a);\n",
            ),
            ("a.js", "export const a = 1;\n"),
            ("b.js", "export const b = 1;\n"),
        ]);
        let scripts = scripts.unwrap();
        assert_eq!(scripts.keys().collect::<Vec<_>>(), [SHARED, "card.js", "pad.js"]);
        let has = |script: &str, module: &str| scripts[script].contains(&format!("$.{module} = "));
        assert!(has(SHARED, "a") && has(SHARED, "main") && !has(SHARED, "b") && !has("pad.js", "a"));
        assert!(has("pad.js", "b") && has("pad.js", "views_pad") && has("card.js", "views_card"));
        assert!(scripts["pad.js"].starts_with("import { $ } from \"./app.js\";\n"));
        let loads = "[$.load(\"./pad.js\", \"views_pad\"), $.load(\"./card.js\", \"views_card\")]";
        assert!(scripts[SHARED].contains(loads), "{}", scripts[SHARED]);
    }

    #[test]
    fn a_script_that_only_one_other_loads_needs_nothing_that_that_one_has() {
        let mut files = vec![
            ("main.js", "const load = () => [import(\"./pad.js\"), import(\"./board.js\")];\n"),
            ("pad.js", "import { a } from \"./a.js\";\nconst load = () => import(\"./sheets.js\");\n"),
            ("sheets.js", "import { a } from \"./a.js\";\nimport { b } from \"./b.js\";\n"),
            ("board.js", ""),
            ("a.js", "export const a = 1;\n"),
            ("b.js", "export const b = 1;\n"),
        ];
        let scripts = join(&files).unwrap();
        let has = |scripts: &BTreeMap<String, String>, script: &str, module: &str| {
            scripts[script].contains(&format!("$.{module} = "))
        };
        assert!(has(&scripts, "pad.js", "a") && has(&scripts, "sheets.js", "b"));
        assert!(!has(&scripts, SHARED, "a") && !has(&scripts, "sheets.js", "a"));
        // A page that is opened without the pad loads it as well.
        files[3].1 = "const load = () => import(\"./sheets.js\");\n";
        assert!(has(&join(&files).unwrap(), REST, "a"));
    }

    #[test]
    fn a_module_that_no_first_page_needs_is_in_a_script_that_the_others_bring() {
        let scripts = join(&[
            ("main.js", "const load = () => [import(\"./views/home.js\"), import(\"./views/card.js\")];\n"),
            (
                "views/home.js",
                "import \"../a.js\";\nconst load = () => [import(\"./new.js\"), import(\"./settings.js\")];\n",
            ),
            ("views/card.js", "import \"../a.js\";\nconst load = () => import(\"./settings.js\");\n"),
            ("views/new.js", "import \"../fields.js\";\n"),
            ("views/settings.js", "import \"../a.js\";\nimport \"../fields.js\";\n"),
            ("fields.js", ""),
            ("a.js", ""),
        ]);
        let mut scripts = scripts.unwrap();
        let first =
            scripts.extract_if(.., |_, text| text.contains("$.views_home") || text.contains("$.a = "));
        assert_eq!(first.map(|(name, _)| name).collect::<Vec<_>>(), [SHARED, "home.js"]);
        assert!(scripts[REST].contains("$.fields = ") && !scripts[REST].contains("rest.js"));
        let brings = |(name, text): (&String, &String)| {
            text.starts_with("import \"./rest.js\";\n").then(|| name.clone())
        };
        assert_eq!(scripts.iter().filter_map(brings).collect::<Vec<_>>(), ["new.js", "settings.js"]);
    }

    #[test]
    fn modules_that_two_scripts_need_are_in_the_one_that_both_come_behind() {
        let scripts = join(&[
            ("main.js", "const load = () => import(\"./pad.js\");\n"),
            (
                "pad.js",
                "import \"./a.js\";\nconst load = () => [import(\"./card.js\"), import(\"./log.js\")];\n",
            ),
            ("card.js", "import \"./b.js\";\n"),
            ("log.js", "import \"./b.js\";\n"),
            ("b.js", "import \"./a.js\";\n"),
            ("a.js", ""),
        ]);
        let scripts = scripts.unwrap();
        let place = |module: &str| scripts["pad.js"].find(&format!("$.{module} = "));
        assert!(place("a").is_some() && place("a") < place("b"), "{}", scripts["pad.js"]);
        assert!(!scripts[SHARED].contains("$.a = "), "{}", scripts[SHARED]);
    }

    #[test]
    fn a_form_that_is_not_joined_is_refused() {
        for line in [
            "import a from \"./a.js\";",
            "import { a as b } from \"./a.js\";",
            "import { a } from './a.js';",
            "import { a } from \"a\";",
            "import { a } from \"/a.js\";",
            "import {",
            "export default 1;",
            "export { a };",
            "export * from \"./a.js\";",
            "export let a = 1;",
            "export const { a } = b;",
            "export function* a() {}",
        ] {
            let fault = join(&[("main.js", line), ("a.js", "export const a = 1;")]).unwrap_err();
            assert_eq!(fault, format!("main.js: {line:?} is no form that is joined: {FORMS}"));
        }
    }

    #[test]
    fn a_circle_and_a_missing_module_are_refused() {
        let main = ("main.js", "import { a } from \"./a.js\";");
        for (files, fault) in [
            (
                vec![
                    main,
                    ("a.js", "import \"./b.js\";\nexport const a = 1;"),
                    ("b.js", "import \"./a.js\";"),
                ],
                "the modules form a circle: main.js, a.js, b.js, a.js",
            ),
            (vec![main], "main.js, a.js: there is no such module"),
            (vec![main, ("a.js", "export const a = 1;"), ("b.js", "")], "b.js: no module imports it"),
        ] {
            assert_eq!(join(&files), Err(fault.to_owned()));
        }
    }
}

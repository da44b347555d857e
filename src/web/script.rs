//! The scripts of the pages. Each is modules, joined in the order in which they need each other, each in a
//! function of its own, so that equal names in two of them do not meet. No name changes: what was reviewed is
//! what runs. A line of the console leads to its module by the name above it, `$.views_pad`.
//!
//! The shared script begins with the module `main.js`. A module that is imported by `import("./pad.js")`
//! begins a script of its own, which is loaded when it is asked for. A module that two scripts need is in the
//! shared one. A script that only one other loads comes behind that one, and needs nothing that it has.

use std::collections::{BTreeMap, BTreeSet};

/// Where the pages start, and the script that has what they share.
const START: &str = "main.js";
pub const SHARED: &str = "app.js";
const FORMS: &str = "`import { a } from`, `import * as a from` and `import` of a relative path are joined, \
                     and `export` before a const, function, async function or class";
/// The shared script begins so. A script whose load has failed, or which is another file, is asked for under
/// another address, since a browser may keep the failure.
const PRELUDE: &str = "export const $ = {};
const failed = {};
$.load = async (script, module) => {
try {
await import(script + (failed[script] ? `?again=${failed[script]}` : \"\"));
if (!$[module]) throw new Error(`${script} is another file`);
return $[module];
} catch (error) {
failed[script] = (failed[script] ?? 0) + 1;
throw error;
}
};
";

/// A module as it is joined.
#[derive(Default)]
struct ScriptModule {
    imports: Vec<Import>,
    /// The modules that begin other scripts.
    loads: Vec<String>,
    exports: Vec<String>,
    body: String,
}

/// What a module takes from another.
struct Import {
    from: String,
    /// The names that it takes one by one.
    names: Vec<String>,
}

type Modules<'a> = BTreeMap<&'a str, ScriptModule>;

/// The lines of a module or a sheet that a browser needs: without blank ones, and without comments that have
/// their lines for themselves. The white space at the ends of a line means nothing in either.
pub fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_comment = false;
    text.lines().zip(1..).filter_map(move |(line, number)| {
        let code = line.trim();
        let begins = is_comment || code.starts_with("/*");
        let end = if begins { code.find("*/").map(|end| end + 2) } else { None };
        is_comment = begins && end.is_none();
        let is_kept = !code.is_empty()
            && !code.starts_with("//")
            && (!begins || end.is_some_and(|end| end < code.len()));
        is_kept.then_some((number, line))
    })
}

/// Joins the modules, whose names are their paths below the folder of all modules, to scripts by their names.
pub fn joined(files: &BTreeMap<String, String>) -> Result<BTreeMap<String, String>, String> {
    let mut modules = Modules::new();
    for (name, text) in files {
        modules.insert(name, module(name, text).map_err(|fault| format!("{name}:{fault}"))?);
    }
    let starts: BTreeSet<&str> =
        modules.values().flat_map(|module| module.loads.iter().map(String::as_str)).chain([START]).collect();
    let mut orders = BTreeMap::new();
    for start in starts {
        let mut order = Vec::new();
        place(start, &modules, &mut order, &mut Vec::new())?;
        orders.insert(start, order);
    }
    if let Some(left) = modules.keys().find(|name| !orders.values().flatten().any(|placed| placed == *name)) {
        return Err(format!("{left}: no module imports it"));
    }
    let before: BTreeMap<&str, &str> =
        orders.keys().filter_map(|start| Some((*start, only_loader(start, &modules, &orders)?))).collect();
    for (start, loader) in before {
        let known = orders[loader].clone();
        orders.entry(start).and_modify(|order| order.retain(|name| !known.contains(name)));
    }
    let shared = shared(&orders);
    let mut scripts = BTreeMap::new();
    for (start, order) in &orders {
        let own = order.iter().filter(|name| !shared.contains(name));
        let text: String = own.map(|name| written(name, &modules[name.as_str()])).collect();
        scripts.insert(script_of(start), format!("import {{ $ }} from \"./{SHARED}\";\n{text}"));
    }
    let text: String = shared.iter().map(|name| written(name, &modules[name.as_str()])).collect();
    scripts.insert(SHARED.to_owned(), format!("{PRELUDE}{text}"));
    Ok(scripts)
}

/// The start of the only script whose modules load a script.
fn only_loader<'a>(
    start: &str,
    modules: &Modules,
    orders: &BTreeMap<&'a str, Vec<String>>,
) -> Option<&'a str> {
    let loads = |name: &String| modules[name.as_str()].loads.iter().any(|load| load == start);
    let mut loaders = orders.iter().filter(|(_, order)| order.iter().any(loads));
    loaders.next().filter(|_| loaders.next().is_none()).map(|(loader, _)| *loader)
}

/// The modules of the shared script in their order: those that two scripts need, then the rest of its own.
fn shared(orders: &BTreeMap<&str, Vec<String>>) -> Vec<String> {
    let count = |name: &String| orders.values().filter(|order| order.contains(name)).count();
    let mut shared = Vec::new();
    for name in orders.values().flatten().filter(|name| count(name) > 1).chain(&orders[START]) {
        if !shared.contains(name) {
            shared.push(name.clone());
        }
    }
    shared
}

/// The script that begins with a module.
fn script_of(start: &str) -> String {
    if start == START { SHARED.to_owned() } else { start.rsplit('/').next().unwrap_or(start).to_owned() }
}

/// Places a module behind all those that it needs.
fn place(
    name: &str,
    modules: &Modules,
    order: &mut Vec<String>,
    way: &mut Vec<String>,
) -> Result<(), String> {
    if order.iter().any(|placed| placed == name) {
        return Ok(());
    }
    way.push(name.to_owned());
    if way.iter().filter(|passed| *passed == name).count() > 1 {
        return Err(format!("the modules form a circle: {}", way.join(", ")));
    }
    let module = modules.get(name).ok_or_else(|| format!("{}: there is no such module", way.join(", ")))?;
    for Import { from, names } in &module.imports {
        place(from, modules, order, way)?;
        let missing = names.iter().find(|taken| !modules[from.as_str()].exports.contains(taken));
        if let Some(missing) = missing {
            return Err(format!("{name}: {from} exports no {missing}"));
        }
    }
    way.pop();
    order.push(name.to_owned());
    Ok(())
}

fn written(name: &str, ScriptModule { exports, body, .. }: &ScriptModule) -> String {
    format!("$.{} = (() => {{\n{body}return {{ {} }};\n}})();\n", member(name), exports.join(", "))
}

/// The member of `$` that holds what a module exports.
fn member(name: &str) -> String {
    name.trim_end_matches(".js").replace(|letter: char| !letter.is_alphanumeric(), "_")
}

/// Reads a module. An error begins with the number of its line.
fn module(name: &str, text: &str) -> Result<ScriptModule, String> {
    let mut module = ScriptModule::default();
    // An import may go on over several lines.
    let mut open = String::new();
    for (number, line) in code_lines(text) {
        let fault = |text: &str| format!("{number}: {text:?} is no form that is joined: {FORMS}");
        if !open.is_empty() || line.starts_with("import ") {
            open = format!("{open} {}", line.trim()).trim().to_owned();
            if open.ends_with(';') {
                let (import, taken) = import(name, &open).ok_or_else(|| fault(&open))?;
                module.imports.push(import);
                module.body.push_str(&taken);
                open.clear();
            }
        } else if line.starts_with("export ") {
            let (exported, declaration) = export(line).ok_or_else(|| fault(line))?;
            module.exports.push(exported.to_owned());
            module.body.push_str(&loading(name, declaration, &mut module.loads).ok_or_else(|| fault(line))?);
        } else {
            module.body.push_str(&loading(name, line.trim(), &mut module.loads).ok_or_else(|| fault(line))?);
        }
    }
    if open.is_empty() {
        Ok(module)
    } else {
        Err(format!("{}: an import does not end", text.lines().count()))
    }
}

/// A line whose `import("./pad.js")` loads the script of that module. The type `import("./pad.js").Pad` loads
/// nothing.
fn loading(module: &str, line: &str, loads: &mut Vec<String>) -> Option<String> {
    let mut parts = line.split("import(\"");
    let mut taken = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (path, rest) = part.split_once("\")")?;
        if rest
            .strip_prefix('.')
            .is_some_and(|name| name.starts_with(|first: char| first.is_ascii_uppercase()))
        {
            taken.push_str(&format!("import(\"{part}"));
            continue;
        }
        let from = below(module, path)?;
        taken.push_str(&format!("$.load(\"./{}\", \"{}\"){rest}", script_of(&from), member(&from)));
        loads.push(from);
    }
    taken.push('\n');
    Some(taken)
}

/// What an import takes, and the line that takes it from the other module.
fn import(module: &str, line: &str) -> Option<(Import, String)> {
    let line = line.strip_prefix("import ")?.strip_suffix("\";")?;
    let Some((what, path)) = line.split_once(" from \"") else {
        let from = below(module, line.strip_prefix('"')?)?;
        return Some((Import { from, names: Vec::new() }, String::new()));
    };
    let from = below(module, path)?;
    if let Some(all) = what.strip_prefix("* as ").filter(|all| is_name(all)) {
        let taken = format!("const {all} = $.{};\n", member(&from));
        return Some((Import { from, names: Vec::new() }, taken));
    }
    let names = what.strip_prefix("{ ")?.strip_suffix(" }")?.trim_end_matches(',');
    let taken = format!("const {{ {names} }} = $.{};\n", member(&from));
    let names: Vec<String> = names.split(", ").map(str::to_owned).collect();
    names.iter().all(|name| is_name(name)).then_some((Import { from, names }, taken))
}

/// What a line exports, and the line without the word.
fn export(line: &str) -> Option<(&str, &str)> {
    let declaration = line.strip_prefix("export ")?;
    let kinds = ["const ", "function ", "async function ", "class "];
    let name = kinds.iter().find_map(|kind| declaration.strip_prefix(kind))?;
    let name = name.split(|letter: char| !is_of_a_name(letter)).next()?;
    is_name(name).then_some((name, declaration))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_of_a_name)
}

fn is_of_a_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The name of the module that a relative path leads to. None leads out of the folder.
fn below(module: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = module.split('/').collect();
    parts.pop();
    if !(path.starts_with("./") || path.starts_with("../")) {
        return None;
    }
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
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
            "/** @type {1} */ one;",
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
        assert_eq!(scripts.unwrap()[SHARED], format!("{PRELUDE}{}", expected.join("\n")));
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
        assert!(has(&join(&files).unwrap(), SHARED, "a"));
    }

    #[test]
    fn a_form_that_is_not_joined_is_refused() {
        for line in [
            "import a from \"./a.js\";",
            "import { a as b } from \"./a.js\";",
            "import { a } from './a.js';",
            "import { a } from \"a\";",
            "import { a } from \"/a.js\";",
            "import { a } from \"../a.js\";",
            "export default 1;",
            "export { a };",
            "export * from \"./a.js\";",
            "export let a = 1;",
            "export const { a } = b;",
            "export function* a() {}",
        ] {
            let fault = join(&[("main.js", line), ("a.js", "export const a = 1;")]).unwrap_err();
            assert_eq!(fault, format!("main.js:1: {line:?} is no form that is joined: {FORMS}"));
        }
    }

    #[test]
    fn a_circle_a_missing_module_and_a_missing_name_are_refused() {
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
            (vec![main, ("a.js", "export const b = 1;")], "main.js: a.js exports no a"),
            (vec![main, ("a.js", "export const a = 1;"), ("b.js", "")], "b.js: no module imports it"),
            (vec![("main.js", "import {\n  a,")], "main.js:2: an import does not end"),
        ] {
            assert_eq!(join(&files), Err(fault.to_owned()));
        }
    }
}

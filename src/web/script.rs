//! The one script of the pages. Its modules are joined in the order in which they need each other, each in a
//! function of its own, so that equal names in two of them do not meet. No name changes: what was reviewed is
//! what runs. A line of the console leads to its module by the name above it, `$.views_pad`.

use std::collections::BTreeMap;

use super::lines;

/// Where the pages start.
const START: &str = "main.js";
const FORMS: &str = "`import { a } from`, `import * as a from` and `import` of a relative path are joined, \
                     and `export` before a const, function, async function or class";

/// A module as it is joined.
struct ScriptModule {
    imports: Vec<Import>,
    exports: Vec<String>,
    body: String,
}

/// What a module takes from another.
struct Import {
    from: String,
    /// The names that it takes one by one.
    names: Vec<String>,
}

/// Joins the modules, whose names are their paths below the folder of all modules.
pub fn joined(files: &BTreeMap<&str, &str>) -> Result<String, String> {
    let mut modules = BTreeMap::new();
    for (name, text) in files {
        modules.insert(*name, module(name, text).map_err(|fault| format!("{name}:{fault}"))?);
    }
    let mut order = Vec::new();
    place(START, &modules, &mut order, &mut Vec::new())?;
    if let Some(left) = files.keys().find(|name| !order.iter().any(|placed| placed == *name)) {
        return Err(format!("{left}: no module imports it"));
    }
    let written: String = order.iter().map(|name| written(name, &modules[name.as_str()])).collect();
    // Tests of one module import it from here.
    Ok(format!("export const $ = {{}};\n{written}"))
}

/// Places a module behind all those that it needs.
fn place(
    name: &str,
    modules: &BTreeMap<&str, ScriptModule>,
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
    format!("{} = (() => {{\n{body}return {{ {} }};\n}})();\n", member(name), exports.join(", "))
}

/// The member of the script that holds what a module exports.
fn member(name: &str) -> String {
    let words = name.trim_end_matches(".js").replace(|letter: char| !letter.is_alphanumeric(), "_");
    format!("$.{words}")
}

/// Reads a module. An error begins with the number of its line.
fn module(name: &str, text: &str) -> Result<ScriptModule, String> {
    let mut module = ScriptModule { imports: Vec::new(), exports: Vec::new(), body: String::new() };
    for line in lines::of(text)? {
        let fault = || format!("{}: {:?} is no form that is joined: {FORMS}", line.number, line.text);
        let begins = |word| line.is_outermost && line.text.starts_with(word);
        if begins("import") {
            let (import, taken) = import(name, &line.text).ok_or_else(fault)?;
            module.imports.push(import);
            module.body.push_str(&taken);
        } else if begins("export") {
            let (exported, declaration) = export(&line.text).ok_or_else(fault)?;
            module.exports.push(exported.to_owned());
            module.body.push_str(declaration);
            module.body.push('\n');
        } else {
            module.body.push_str(&line.text);
            module.body.push('\n');
        }
    }
    Ok(module)
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
        let taken = format!("const {all} = {};\n", member(&from));
        return Some((Import { from, names: Vec::new() }, taken));
    }
    let names = what.strip_prefix("{ ")?.strip_suffix(" }")?;
    let taken = format!("const {{ {names} }} = {};\n", member(&from));
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

    fn join(files: &[(&'static str, &'static str)]) -> Result<String, String> {
        joined(&files.iter().copied().collect())
    }

    #[test]
    fn modules_stand_behind_what_they_need_each_in_a_function() {
        let script = join(&[
            (
                "main.js",
                "/** Starts. */\nimport { pad } from \"./views/pad.js\";\nimport \"./sheet-box.js\";\npad();\n",
            ),
            ("db.js", "const key = 1;\nexport const get = () => key;\nexport async function put() {}\n"),
            ("sheet-box.js", "export class SheetBox {}\n"),
            (
                "views/pad.js",
                "import * as db from \"../db.js\";\nimport { get, put } from \"../db.js\";\n\nexport function pad() {\n  // Reads.\n  return db.get();\n}\n",
            ),
        ]);
        let expected = [
            "export const $ = {};",
            "$.db = (() => {",
            "const key = 1;",
            "const get = () => key;",
            "async function put() {}",
            "return { get, put };",
            "})();",
            "$.views_pad = (() => {",
            "const db = $.db;",
            "const { get, put } = $.db;",
            "function pad() {",
            "return db.get();",
            "}",
            "return { pad };",
            "})();",
            "$.sheet_box = (() => {",
            "class SheetBox {}",
            "return { SheetBox };",
            "})();",
            "$.main = (() => {",
            "const { pad } = $.views_pad;",
            "pad();",
            "return {  };",
            "})();",
            "",
        ];
        assert_eq!(script, Ok(expected.join("\n")));
    }

    #[test]
    fn a_form_that_is_not_joined_is_refused() {
        for line in [
            "import a from \"./a.js\";",
            "import { a as b } from \"./a.js\";",
            "import {a} from \"./a.js\";",
            "import { a } from './a.js';",
            "import { a } from \"./a.js\"",
            "import { a } from \"a\";",
            "import { a } from \"/a.js\";",
            "import { a } from \"../a.js\";",
            "import {\n  a,\n} from \"./a.js\";",
            "export default 1;",
            "export { a };",
            "export * from \"./a.js\";",
            "export let a = 1;",
            "export const { a } = b;",
            "export function* a() {}",
        ] {
            let files = [("main.js", line), ("a.js", "export const a = 1;")].into_iter().collect();
            let fault = joined(&files).unwrap_err();
            let line = line.lines().next().unwrap();
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
            (vec![main, ("a.js", "\n}")], "a.js:2: a brace closes that was not opened"),
        ] {
            assert_eq!(join(&files), Err(fault.to_owned()));
        }
    }
}

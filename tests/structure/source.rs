//! The source files, and which of them each one uses.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use third_umpire_test_support::files::files_below;

use super::tokens::{is_word, tokens};

/// A module by its path below the crate: `["games", "howzat", "ball"]`. The crate's root is empty.
pub type Module = Vec<String>;

/// What is read in the source: which modules use which, and what the reader could not follow.
#[derive(Debug, Default)]
pub struct Uses {
    pub arrows: BTreeMap<Module, BTreeSet<Module>>,
    pub faults: Vec<String>,
}

/// The module that a file of `src` holds.
fn module_of(file: &Path) -> Module {
    let stem = file.strip_prefix("src").expect("a file of the source").with_extension("");
    let mut module: Module = stem.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    module.pop_if(|last| ["mod", "lib"].contains(&last.as_str()));
    module
}

/// The modules of `src` and those each of them uses, tests left out.
pub fn uses() -> Uses {
    let files = files_below("src", "rs");
    uses_of(files.iter().map(|(file, text)| (module_of(file), text.as_str())))
}

/// The files and those each of them uses, tests left out: a file is used where a path leads into it.
pub fn uses_of<'a>(files: impl IntoIterator<Item = (Module, &'a str)>) -> Uses {
    let of_tests = |module: &Module| module.iter().any(|part| part == "tests");
    let files: BTreeMap<Module, Reading> = files
        .into_iter()
        .filter(|(module, _)| !of_tests(module))
        .map(|(module, text)| {
            let reading = Reading::of(&module, text);
            (module, reading)
        })
        .collect();
    let modules: BTreeSet<&Module> =
        files.iter().flat_map(|(file, reading)| reading.inline.iter().chain([file])).collect();
    let mut uses = Uses::default();
    for (file, reading) in &files {
        let resolver = Resolver { modules: &modules, imports: &reading.imports };
        let led = |path: &ScopedPath| {
            resolver.led_to(path, 0).into_iter().map(|led| file_of(behind_facades(led, &files), &files))
        };
        let imports = reading.imports.iter().filter(|import| !import.is_facade);
        let paths = imports.map(|import| &import.path).chain(&reading.paths);
        let used = paths.flat_map(led).filter(|used| used != file).collect();
        uses.arrows.insert(file.clone(), used);
        uses.faults.extend(reading.faults.iter().map(|fault| format!("{}: {fault}", file.join("::"))));
    }
    uses
}

/// The file in which a path ends.
fn file_of(mut path: Module, files: &BTreeMap<Module, Reading>) -> Module {
    while !path.is_empty() && !files.contains_key(&path) {
        path.pop();
    }
    path
}

/// Where a path ends that leads through names which a module only passes on from modules below it.
fn behind_facades(path: Module, files: &BTreeMap<Module, Reading>) -> Module {
    let at = file_of(path.clone(), files);
    let Some(name) = path.get(at.len()) else { return path };
    let passed_on = files.get(&at).into_iter().flat_map(|reading| &reading.imports);
    let below = passed_on
        .filter(|import| import.path.scope == at && import.name == *name && import.is_passed_on)
        .find_map(|import| follow(&at, &import.path.path))
        .filter(|below| file_of(below.clone(), files).len() > at.len());
    match below {
        Some(below) => behind_facades([below, path[at.len() + 1..].to_vec()].concat(), files),
        None => path,
    }
}

/// A path, and the module in which it stands.
struct ScopedPath {
    scope: Module,
    path: Module,
}

/// A path that `use` names, and the name it gets: `*` where it is every name below.
struct Import {
    path: ScopedPath,
    name: String,
    /// Whether the name is passed on, as by `pub use`.
    is_passed_on: bool,
    /// Whether the name is passed on and not used where it stands.
    is_facade: bool,
}

/// What one file says of others.
#[derive(Default)]
struct Reading {
    /// The modules inside of the file.
    inline: Vec<Module>,
    imports: Vec<Import>,
    /// The paths of more than one name in expressions.
    paths: Vec<ScopedPath>,
    faults: Vec<String>,
}

impl Reading {
    fn of(module: &Module, text: &str) -> Reading {
        let mut reading = Reading::default();
        let tokens = tokens(text);
        reading.read(&tokens, module);
        for import in reading.imports.iter_mut().filter(|import| import.is_passed_on) {
            let is_from_below = import.path.path.first().is_some_and(|first| first == "self");
            let is_used = tokens.iter().filter(|token| **token == import.name).count() > 1;
            import.is_facade = is_from_below && import.name != "*" && !is_used;
        }
        reading
    }

    /// Reads tokens that stand in a module.
    fn read(&mut self, tokens: &[&str], module: &Module) {
        // A brace that opens no module stands for the one around it.
        let mut scopes = vec![module.clone()];
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let (before, rest) = tokens.split_at(at);
            let scope = scopes.last().unwrap_or(module).clone();
            at += match *token {
                "{" => {
                    scopes.push(scope);
                    1
                }
                "}" => {
                    scopes.pop();
                    1
                }
                "#" if matches!(rest, [_, "[", ..] | [_, "!", "[", ..]) => self.attribute(rest, &scope),
                "mod" if matches!(rest, [_, name, "{", ..] if *name != "tests") => {
                    let inner = [scope.as_slice(), &[rest[1].to_owned()]].concat();
                    self.inline.push(inner.clone());
                    scopes.push(inner);
                    3
                }
                word if is_word(word) => self.item(before, rest, scope),
                _ => 1,
            };
        }
    }

    /// Reads an attribute, in which a text may name a function by its path, and gives its length.
    fn attribute(&mut self, rest: &[&str], scope: &Module) -> usize {
        let length = closed(rest, "[", "]");
        let inside: Vec<&str> =
            rest[..length].iter().skip_while(|token| **token != "[").skip(1).copied().collect();
        if matches!(inside.first(), Some(&"path" | &"cfg_attr")) && inside.contains(&"path") {
            self.faults.push("a module is in a file of another name".to_owned());
        }
        self.read(&inside, scope);
        for text in inside.iter().filter(|token| token.starts_with('"')) {
            // A message in plain words may have one that is Rust's.
            let is_path = |token: &&str| *token != "use" && *token != "mod";
            let path: Vec<&str> = tokens(text.trim_matches(['"', '#'])).into_iter().filter(is_path).collect();
            self.read(&path, scope);
        }
        length
    }

    /// Reads what begins with a word, and gives its length.
    fn item(&mut self, before: &[&str], rest: &[&str], scope: Module) -> usize {
        match rest {
            ["mod", "tests", mark, ..] => {
                if !before.ends_with(&["#", "[", "cfg", "(", "test", ")", "]"]) {
                    self.faults.push("the module `tests` is not for tests alone".to_owned());
                }
                let length = if *mark == "{" { closed(rest, "{", "}") } else { 3 };
                if *mark == "{" && length < rest.len() {
                    self.faults.push("code follows the tests".to_owned());
                }
                length
            }
            ["extern", "crate", ..] => {
                self.faults.push("`extern crate` gives a crate a name of no module".to_owned());
                2
            }
            ["include", "!", ..] => {
                self.faults.push("a file is included".to_owned());
                2
            }
            // `pub(in a::b)` says who may use it, and uses nothing.
            ["pub", "(", "in", ..] => closed(rest, "(", ")"),
            // `use<'a>` is a bound.
            ["use", next, ..] if *next != "<" => {
                let end = rest.iter().position(|token| *token == ";").unwrap_or(rest.len());
                let is_passed_on = matches!(before, [.., "pub"] | [.., "pub", "(", _, ")"]);
                self.imports.extend(spread(&rest[1..end]).into_iter().map(|(path, alias)| {
                    let own = path.iter().rfind(|name| *name != "self").cloned();
                    let name = alias.or(own).unwrap_or_default();
                    let path = ScopedPath { scope: scope.clone(), path };
                    Import { path, name, is_passed_on, is_facade: false }
                }));
                end
            }
            _ => {
                let path = path(rest);
                let length = path.len() * 2 - 1;
                if path.len() > 1 && before.last() != Some(&"::") {
                    self.paths.push(ScopedPath { scope, path });
                }
                length
            }
        }
    }
}

/// The number of tokens up to the mark that closes the first one that opens.
fn closed(tokens: &[&str], opens: &str, closes: &str) -> usize {
    let mut depth = 0;
    let end = tokens.iter().position(|token| {
        depth += i32::from(*token == opens) - i32::from(*token == closes);
        *token == closes && depth == 0
    });
    end.map_or(tokens.len(), |end| end + 1)
}

/// The names with which tokens begin, one after `::` each.
fn path(tokens: &[&str]) -> Module {
    let first = tokens.iter().take(1);
    let pairs = tokens[1..].chunks_exact(2).take_while(|pair| pair[0] == "::" && is_word(pair[1]));
    first.chain(pairs.map(|pair| &pair[1])).map(|name| (*name).to_owned()).collect()
}

/// The paths of one `use`, each with the name it gets if that is another: `a::{b, c::d as e}` is `a::b`, and
/// `a::c::d` as `e`.
fn spread(tree: &[&str]) -> Vec<(Module, Option<String>)> {
    let names = |tokens: &[&str]| -> Module {
        tokens.iter().filter(|token| is_word(token)).map(|name| (*name).to_owned()).collect()
    };
    let Some(open) = tree.iter().position(|token| *token == "{") else {
        let mut parts = tree.split(|token| *token == "as").map(names);
        let path = parts.next().unwrap_or_default();
        let every = tree.ends_with(&["*"]).then(|| "*".to_owned());
        return vec![(path, parts.next().and_then(|mut name| name.pop()).or(every))];
    };
    let inside = &tree[open + 1..open + closed(&tree[open..], "{", "}") - 1];
    let mut depth = 0;
    let branches = inside.split(|token| {
        depth += i32::from(*token == "{") - i32::from(*token == "}");
        *token == "," && depth == 0
    });
    let prefix = names(&tree[..open]);
    let paths = branches.filter(|branch| !branch.is_empty()).flat_map(spread);
    paths.map(|(path, alias)| ([prefix.as_slice(), &path].concat(), alias)).collect()
}

/// Follows the paths of a file.
struct Resolver<'a> {
    /// All modules, those inside of files among them.
    modules: &'a BTreeSet<&'a Module>,
    /// What the file imports.
    imports: &'a [Import],
}

impl Resolver<'_> {
    /// Where a path leads below the crate; nowhere if it leads out of it. There are several ways where
    /// functions give one name to several things.
    fn led_to(&self, ScopedPath { scope, path }: &ScopedPath, depth: usize) -> Vec<Module> {
        let Some((first, rest)) = path.split_first() else { return vec![scope.clone()] };
        let child = [scope.as_slice(), std::slice::from_ref(first)].concat();
        let starts = match first.as_str() {
            "crate" | "third_umpire" => vec![Module::new()],
            "self" | "super" => return follow(scope, path).into_iter().collect(),
            _ if self.modules.contains(&child) => vec![child],
            // A name may be imported by way of another, and that by way of a third.
            _ if depth < 4 => self.imported(scope, first, depth + 1),
            _ => Vec::new(),
        };
        starts.into_iter().filter_map(|start| follow(&start, rest)).collect()
    }

    /// What a name stands for that is imported into a module.
    fn imported(&self, scope: &Module, name: &str, depth: usize) -> Vec<Module> {
        let mut found = Vec::new();
        for import in self.imports.iter().filter(|import| import.path.scope == *scope) {
            if import.name == name {
                found.extend(self.led_to(&import.path, depth));
            } else if import.name == "*" {
                let led = self.led_to(&import.path, depth).into_iter();
                let below = led.map(|module| [module, vec![name.to_owned()]].concat());
                found.extend(below.filter(|module| self.modules.contains(module)));
            }
        }
        found
    }
}

/// Goes on from a module along a path, up with `super` and down otherwise.
fn follow(from: &[String], path: &[String]) -> Option<Module> {
    path.iter().try_fold(from.to_vec(), |mut module, name| {
        match name.as_str() {
            "self" => {}
            "super" => drop(module.pop()?),
            _ => module.push(name.clone()),
        }
        Some(module)
    })
}

//! The order of the rooms: each uses those before it and none after, and the files of a game form no circle.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::source::{Module, Uses, uses, uses_of};

/// The rooms from the ground up, as docs/architecture.md lists them; those of one step stand side by side.
fn steps() -> Vec<Vec<String>> {
    let page = include_str!("../../docs/architecture.md");
    let (_, arrows) = page.split_once("## The arrows").expect("a section on arrows");
    let list = arrows.split("```").nth(1).and_then(|block| block.strip_prefix("text")).expect("a list");
    let rooms = |step: &str| step.split(',').map(|room| room.trim().to_owned()).collect();
    list.split('<').map(rooms).collect()
}

#[test]
fn every_room_has_its_place_in_the_order() {
    let modules = uses().arrows.into_keys();
    let rooms: BTreeSet<String> = modules.filter_map(|module| module.first().cloned()).collect();
    let listed: Vec<String> = steps().concat();
    assert_eq!(listed.iter().cloned().collect::<BTreeSet<String>>(), rooms);
    assert_eq!(listed.len(), rooms.len(), "a room is listed once");
}

#[test]
fn a_room_uses_only_rooms_before_it() {
    let uses = uses();
    assert!(uses.faults.is_empty(), "these paths cannot be followed:\n{}", uses.faults.join("\n"));
    let wrong = wrong(&uses.arrows, &steps());
    let arrows: Vec<String> = wrong.iter().map(|(from, to)| arrow(from, to)).collect();
    assert!(arrows.is_empty(), "these use a room that is not before their own:\n{}", arrows.join("\n"));
}

/// The rooms in which the file of a folder is no part of a circle either. In the others it holds a type that
/// the files of the folder use, and the folder's file uses them.
const WITHOUT_ANY_CIRCLE: [&str; 7] =
    ["scorebook", "dice", "games", "editions", "matches", "commands", "diff"];

#[test]
fn the_files_of_a_room_form_no_circle() {
    let arrows = uses().arrows;
    assert!(arrows.len() > 250, "the source has {} modules", arrows.len());
    let rooms = steps().concat();
    assert!(WITHOUT_ANY_CIRCLE.iter().all(|strict| rooms.iter().any(|room| room == strict)));
    let circles = rooms.iter().filter_map(|room| {
        let is_strict = WITHOUT_ANY_CIRCLE.contains(&room.as_str());
        let files = arrows.iter().filter(|(module, _)| module.first() == Some(room));
        let files: BTreeMap<Module, BTreeSet<Module>> = files
            .map(|(file, used)| {
                let counts = |to: &&Module| is_strict || !file.starts_with(to);
                (file.clone(), used.iter().filter(counts).cloned().collect())
            })
            .collect();
        circle(&files).map(|circle| circle.iter().map(|module| module.join("::")).collect::<Vec<_>>())
    });
    assert_eq!(circles.collect::<Vec<_>>(), Vec::<Vec<String>>::new());
}

/// The cells with files in a table of docs/architecture.md: the first table after this heading.
fn files_listed(heading: &str) -> Vec<&'static str> {
    let page = include_str!("../../docs/architecture.md");
    let (_, section) = page.split_once(heading).expect("a section with this heading");
    let rows = section.lines().skip(1).take_while(|line| !line.starts_with('#'));
    let cells = rows.filter(|line| line.starts_with("| ")).filter_map(|row| row.split('|').nth(2));
    cells.map(str::trim).filter(|cell| cell.contains('`')).collect()
}

/// The names of files in some cells.
fn file_names(cells: &[&'static str]) -> Vec<&'static str> {
    cells.iter().flat_map(|cell| cell.split('`')).filter(|name| name.ends_with(".rs")).collect()
}

#[test]
fn every_file_on_the_way_of_a_die_and_beside_it_exists_and_is_listed_once() {
    let way = files_listed("## The way of a die");
    assert!((10..=15).contains(&way.len()), "{way:?}");
    let beside = file_names(&files_listed("### What else looks at the ball"));
    assert!(beside.len() > 40, "{beside:?}");
    let (modules, mut seen) = (uses().arrows, BTreeSet::new());
    for file in file_names(&way).into_iter().chain(beside) {
        let path = file.trim_end_matches(".rs").trim_end_matches("/mod").replace('/', "::");
        assert!(modules.contains_key(&module(&path)), "there is no file src/{file}");
        assert!(seen.insert(file), "{file} is listed twice");
    }
}

fn module(path: &str) -> Module {
    path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// What each of some files uses.
fn read(files: &[(&str, &str)]) -> Uses {
    uses_of(files.iter().map(|(path, text)| (module(path), *text)))
}

/// The rooms `dice` and `log` side by side, then `views`. The file `log::chain` holds a text.
fn read_in_log(text: &str) -> Uses {
    let others = [("", ""), ("dice", ""), ("log", "mod chain;"), ("log::chain::link", ""), ("views", "")];
    read(&[others.as_slice(), &[("views::history", ""), ("log::chain", text)]].concat())
}

fn arrows_in_log(text: &str) -> Vec<String> {
    let side_by_side = vec!["dice".to_owned(), "log".to_owned()];
    let wrong = wrong(&read_in_log(text).arrows, &[side_by_side, vec!["views".to_owned()]]);
    wrong.iter().map(|(from, to)| arrow(from, to)).collect()
}

#[test]
fn an_arrow_up_is_found_in_every_form() {
    for (text, to) in [
        ("use crate::views::history::History;", "views::history"),
        ("pub(crate) use crate::{log::Head, views::{self, Page}};", "views"),
        ("use super::super::dice;", "dice"),
        ("fn f() -> crate::views::Page { crate::views::Page::new() }", "views"),
        ("fn f() { g(..crate::views::Page::new(), <crate::views::Page as T>::h) }", "views"),
        ("macro_rules! m { () => { $crate::views::page() } }", "views"),
        ("#[serde(with = \"crate::views::history\")]\nstruct A;", "views::history"),
        // Behind what looks like a comment, or the end of a text.
        ("const A: &str = \"http://a\"; use crate::views::A;", "views"),
        ("const A: &str = r#\"\" // \"#; use crate::views::A;", "views"),
        ("const A: char = '\"'; use crate::views::A; const B: char = '\"';", "views"),
        ("/* a /* b */ c */ use crate::views::A;", "views"),
        // By way of another name.
        ("use crate::views as log; fn f() { log::history::g() }", "views::history"),
        ("use super::{super::views as a}; use a as b; fn f() { b::history::g() }", "views::history"),
        // From a module in the file.
        ("mod inner { use super::super::super::views::A; }", "views"),
        ("mod inner { mod deep { fn f() { super::super::super::super::views::f() } } }", "views"),
        ("fn f() {} mod inner { fn g() { if true { } } } use self::super::super::views::A;", "views"),
        // By way of the root, whatever is there.
        ("use crate::serve;", ""),
        ("use crate::*;", ""),
        ("use crate as root;", ""),
        ("use crate::{self as root};", ""),
        ("use super::super::*;", ""),
        ("mod inner { use super::super::super::*; }", ""),
        ("fn f() { crate::serve() }", ""),
        ("fn f() { super::super::serve() }", ""),
    ] {
        let arrow = format!("log::chain -> {}", if to.is_empty() { ROOT } else { to });
        assert!(arrows_in_log(text).contains(&arrow), "{text}: {:?}", arrows_in_log(text));
    }
    let root = read(&[("", "pub mod log;\npub use log::Head;"), ("log", "")]).arrows;
    assert_eq!(wrong(&root, &[vec!["log".to_owned()]]), [(Module::new(), module("log"))]);
}

#[test]
fn harmless_paths_are_no_arrows_up() {
    for text in [
        "use super::Head; use self::link::Link; use serde::Serialize; use ::views::A;",
        "// use crate::views;\n/* crate::views::f() */ const A: &str = \"crate::views::f()\";",
        "pub(in crate::log) fn f<'a>() -> impl Fn() + use<'a> { let views = 1; views.f::<u8>() }",
        "mod inner { use super::super::Head; fn f() { super::g() } }",
        "fn f() {}\n\n#[cfg(test)]\nmod tests {\n    use crate::views;\n}\n",
    ] {
        assert_eq!(arrows_in_log(text), Vec::<String>::new(), "{text}");
        assert_eq!(read_in_log(text).faults, Vec::<String>::new(), "{text}");
    }
}

#[test]
fn a_file_that_the_reader_cannot_follow_is_a_fault() {
    for (text, fault) in [
        ("#[cfg(test)]\nmod tests {}\nuse crate::views::A;", "code follows the tests"),
        ("#[cfg(test)]\nmod tests {}\nmod more {}", "code follows the tests"),
        ("mod tests { use crate::views::A; }", "the module `tests` is not for tests alone"),
        ("pub mod tests;", "the module `tests` is not for tests alone"),
        ("#[path = \"a.rs\"]\nmod b;", "a module is in a file of another name"),
        ("#[cfg_attr(unix, path = \"a.rs\")]\nmod b;", "a module is in a file of another name"),
        ("include!(\"a.rs\");", "a file is included"),
        ("extern crate self as root;", "`extern crate` gives a crate a name of no module"),
    ] {
        assert_eq!(read_in_log(text).faults, [format!("log::chain: {fault}")], "{text}");
    }
}

#[test]
fn a_circle_is_found_in_every_form() {
    let circle_of = |files: &[(&str, &str)]| circle(&read(files).arrows).map(|circle| circle.len());
    let around = [("a", "use crate::b::B;"), ("b", "use crate::c::C;"), ("c", "use crate::a::A;")];
    assert_eq!(circle_of(&[around.as_slice(), &[("d", "")]].concat()), Some(3));
    assert_eq!(circle_of(&[("a", "use crate::{b::B, c::C};"), ("b", "use super::c::C;"), ("c", "")]), None);
    for uses_child in [
        "mod b; use b::f;",
        "mod b; pub use self::b::*;",
        "mod b; fn g() { b::f() }",
        "mod b; fn g() { self::b::f() }",
        "mod b; mod inner { fn g() { super::b::f() } }",
        "mod b; mod inner { use super::*; fn g() { b::f() } }",
        "mod b; mod inner { use super::b as c; fn g() { c::f() } }",
        "mod b; #[serde(with = \"b\", default = \"b::f\")] struct A;",
    ] {
        let files = [("", ""), ("a", uses_child), ("a::b", "use super::A;")];
        assert_eq!(circle_of(&files), Some(2), "{uses_child}");
        assert_eq!(circle_of(&[files[0], files[1], ("a::b", "mod a; use a::A;")]), None, "{uses_child}");
    }
    // By way of another name of the module above.
    let siblings = [("a::b", "use super as up; fn f() { up::c::g() }"), ("a::c", "use super::b::f;")];
    assert_eq!(circle_of(&[[("", ""), ("a", "mod b; mod c;")], siblings].concat()), Some(2));
}

#[test]
fn a_name_that_is_only_passed_on_is_an_arrow_to_where_it_stands() {
    let circle_of = |files: &[(&str, &str)]| {
        let circle = circle(&read(&[&[("", "mod a; mod d;")], files].concat()).arrows);
        circle.map(|circle| circle.iter().map(|module| module.join("::")).collect::<Vec<_>>())
    };
    // The module above passes names on, and is no part of a circle or of its absence.
    let above = ("a", "mod b; mod c; pub use self::b::B; pub(super) use self::c::{C, D as E};");
    assert_eq!(circle_of(&[above, ("a::b", ""), ("a::c", "")]), None);
    assert_eq!(circle_of(&[above, ("a::b", "use super::E;"), ("a::c", "")]), None);
    for uses_b in ["use super::B;", "use crate::a::B;", "fn f() { super::B::new() }", "use super::B as A;"] {
        let circle = circle_of(&[above, ("a::b", "use super::E;"), ("a::c", uses_b)]);
        assert_eq!(circle, Some(vec!["a::b".to_owned(), "a::c".to_owned()]), "{uses_b}");
    }
    // By way of two modules that pass the name on.
    let deep = [("a", "mod b; pub use self::b::B;"), ("a::b", "mod c; pub use self::c::B;")];
    let circle = circle_of(&[deep[0], deep[1], ("a::b::c", "use crate::d::D;"), ("d", "use crate::a::B;")]);
    assert_eq!(circle, Some(vec!["a::b::c".to_owned(), "d".to_owned()]));
    // A name that is used where it is passed on is an arrow of that module too.
    let used = ("a", "mod b; pub use self::b::B; fn f() -> B { B::new() }");
    assert_eq!(circle_of(&[used, ("a::b", "use super::f;")]), Some(vec!["a".to_owned(), "a::b".to_owned()]));
}

/// How the crate's root is called in a message.
const ROOT: &str = "the root";

/// The uses of a room that is neither the user's own nor before it; those by the crate's root, which only
/// lists the rooms; and those by way of it.
fn wrong(arrows: &BTreeMap<Module, BTreeSet<Module>>, steps: &[Vec<String>]) -> Vec<(Module, Module)> {
    let place = |module: &Module| {
        let room = module.first()?;
        steps.iter().position(|step| step.contains(room))
    };
    let arrows = arrows.iter().flat_map(|(from, used)| used.iter().map(move |to| (from, to)));
    let across = arrows.filter(|(from, to)| from.first() != to.first());
    across
        .filter(|(from, to)| to.is_empty() || place(from) <= place(to))
        .map(|(from, to)| (from.clone(), to.clone()))
        .collect()
}

fn arrow(from: &Module, to: &Module) -> String {
    let name = |module: &Module| if module.is_empty() { ROOT.to_owned() } else { module.join("::") };
    format!("{} -> {}", name(from), name(to))
}

/// The shortest way from a module back to itself, for the first module that has one.
fn circle(uses: &BTreeMap<Module, BTreeSet<Module>>) -> Option<Vec<Module>> {
    uses.keys().find_map(|module| way_back(uses, module))
}

fn way_back(uses: &BTreeMap<Module, BTreeSet<Module>>, to: &Module) -> Option<Vec<Module>> {
    let mut ways = VecDeque::from([vec![to.clone()]]);
    let mut seen = BTreeSet::new();
    while let Some(way) = ways.pop_front() {
        let used = way.last().and_then(|last| uses.get(last)).into_iter().flatten();
        for next in used.filter(|next| seen.insert((*next).clone())) {
            if next == to {
                return Some(way);
            }
            ways.push_back([way.as_slice(), std::slice::from_ref(next)].concat());
        }
    }
    None
}

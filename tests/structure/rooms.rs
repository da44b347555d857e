//! The order of the rooms: each uses those before it and none after, and the files of a game form no circle.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::source::{Module, uses};

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
    let rooms: BTreeSet<String> = uses().into_keys().filter_map(|module| module.first().cloned()).collect();
    let listed: Vec<String> = steps().concat();
    assert_eq!(listed.iter().cloned().collect::<BTreeSet<String>>(), rooms);
    assert_eq!(listed.len(), rooms.len(), "a room is listed once");
}

#[test]
fn a_room_uses_only_rooms_before_it() {
    let arrows: Vec<String> = wrong(&uses(), &steps()).iter().map(|(from, to)| arrow(from, to)).collect();
    assert!(arrows.is_empty(), "these use a room that is not before their own:\n{}", arrows.join("\n"));
}

#[test]
fn the_files_of_a_game_form_no_circle() {
    let games: BTreeMap<Module, BTreeSet<Module>> =
        uses().into_iter().filter(|(module, _)| module.first().is_some_and(|room| room == "games")).collect();
    assert!(games.len() > 50, "the games have {} files", games.len());
    let circle =
        circle(&games).map(|circle| circle.iter().map(|module| module.join("::")).collect::<Vec<_>>());
    assert_eq!(circle, None);
}

#[test]
fn an_arrow_up_and_a_circle_are_found() {
    let module = |path: &str| path.split("::").map(str::to_owned).collect::<Module>();
    let graph = |arrows: &[(&str, &str)]| {
        let mut graph: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
        for (from, to) in arrows {
            graph.entry(module(from)).or_default().insert(module(to));
            graph.entry(module(to)).or_default();
        }
        graph
    };
    let steps = [vec!["dice".to_owned(), "log".to_owned()], vec!["views".to_owned()]];
    let up =
        graph(&[("log::chain", "views::history"), ("views", "log"), ("log", "dice"), ("log", "log::chain")]);
    let expected = [("log", "dice"), ("log::chain", "views::history")];
    assert_eq!(wrong(&up, &steps), expected.map(|(from, to)| (module(from), module(to))));
    let around = graph(&[("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")]);
    assert_eq!(circle(&around).map(|circle| circle.len()), Some(3));
    assert_eq!(circle(&graph(&[("a", "b"), ("a", "c"), ("b", "c")])), None);
}

/// The uses of a room that is neither the user's own nor before it.
fn wrong(uses: &BTreeMap<Module, BTreeSet<Module>>, steps: &[Vec<String>]) -> Vec<(Module, Module)> {
    let place = |module: &Module| {
        let room = module.first()?;
        steps.iter().position(|step| step.contains(room))
    };
    let arrows = uses.iter().flat_map(|(from, used)| used.iter().map(move |to| (from, to)));
    // The root of the crate lists all rooms.
    let across = arrows.filter(|(from, to)| !from.is_empty() && from.first() != to.first());
    across
        .filter(|(from, to)| place(from) <= place(to))
        .map(|(from, to)| (from.clone(), to.clone()))
        .collect()
}

fn arrow(from: &Module, to: &Module) -> String {
    format!("{} -> {}", from.join("::"), to.join("::"))
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

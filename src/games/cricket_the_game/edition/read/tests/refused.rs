//! Editions with one mistake each: the table of changes to the built-in edition, and the fault each is
//! refused for.

use serde_json::{Value, json};

use super::{built_in_edition, faults};

const TABLE: &str = include_str!("refused.txt");

/// Changes the value at a pointer: `= JSON` replaces it, `+ JSON` adds an item to the list there, `-` removes
/// it.
fn change(edition: &mut Value, pointer: &str, change: &str) {
    let parsed = |text: &str| serde_json::from_str(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    match change.split_at(1) {
        ("-", _) => take_away(edition, pointer),
        ("+", item) => {
            let list = edition.pointer_mut(pointer).and_then(Value::as_array_mut);
            list.unwrap_or_else(|| panic!("no list at {pointer}")).push(parsed(item));
        }
        (_, value) => put(edition, pointer, parsed(value)),
    }
}

fn parent<'e>(edition: &'e mut Value, pointer: &str) -> (&'e mut Value, String) {
    let (parent, last) = pointer.rsplit_once('/').expect("a pointer");
    (edition.pointer_mut(parent).unwrap_or_else(|| panic!("nothing at {parent}")), last.to_owned())
}

fn put(edition: &mut Value, pointer: &str, value: Value) {
    match parent(edition, pointer) {
        (Value::Array(items), place) => items[place.parse::<usize>().expect("a place")] = value,
        (fields, name) => fields[name] = value,
    }
}

fn take_away(edition: &mut Value, pointer: &str) {
    match parent(edition, pointer) {
        (Value::Array(items), place) => drop(items.remove(place.parse().expect("a place"))),
        (Value::Object(fields), name) => drop(fields.remove(&name).expect("a field")),
        (other, _) => panic!("{other} has nothing below it"),
    }
}

#[test]
fn each_mistake_is_listed_with_its_path_and_what_is_allowed() {
    let rows = TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut wrong = Vec::new();
    for row in rows {
        let (input, expected) = row.split_once(" -> ").unwrap_or_else(|| panic!("no arrow in {row}"));
        let (pointer, edit) = input.split_once(' ').unwrap_or_else(|| panic!("no change in {row}"));
        let mut edition = built_in_edition();
        change(&mut edition, pointer, edit);
        let found = faults(&edition);
        let found = found.join(" && ");
        if found != expected {
            wrong.push(format!("{input} -> {found}"));
        }
    }
    assert!(wrong.is_empty(), "these came out otherwise:\n{}", wrong.join("\n"));
}

#[test]
fn every_mistake_is_told_at_once() {
    let mut edition = built_in_edition();
    change(&mut edition, "/over_decks/pace/3/effects/0/then", "= \"teleport\"");
    change(&mut edition, "/over_decks/spin", "-");
    change(&mut edition, "/board/t20/cut/3/catch", "= 7");
    let places: Vec<String> =
        faults(&edition).iter().map(|f| f.split(": ").next().unwrap_or("").to_owned()).collect();
    assert_eq!(places, ["board.t20.cut[3].catch", "over_decks.spin", "over_decks.pace[3].effects[0].then"]);
}

#[test]
fn a_list_of_a_hundred_mistakes_says_that_there_are_more() {
    let mut edition = built_in_edition();
    edition["teams"] = json!(vec![json!({"name": "", "players": []}); 32]);
    edition["bowls"] = json!({});
    edition["over_decks"]["pace"] = json!(vec![json!({"effects": vec![json!({}); 9]}); 15]);
    let found = faults(&edition);
    assert_eq!(found.len(), 101);
    assert_eq!(found.last().map(String::as_str), Some(": there are more mistakes than these 100"));
}

#[test]
fn an_edition_is_an_object() {
    for value in [json!(null), json!([]), json!("house"), json!(1.5)] {
        let found = faults(&value);
        assert!(found.len() == 1 && found[0].starts_with(": is an object with \"id\", "), "{found:?}");
    }
}

#[test]
fn an_edition_may_have_no_teams() {
    let mut edition = built_in_edition();
    edition["teams"] = json!([]);
    assert_eq!(faults(&edition), [""; 0]);
}

#[test]
fn an_excerpt_of_a_mistake_is_short_and_printable() {
    let mut edition = built_in_edition();
    edition["id"] = json!("\u{202e}\u{1b}[2J".to_owned() + &"x".repeat(100_000));
    edition[format!("{}\u{7}", "y".repeat(30))] = json!(1);
    edition["z".repeat(100_000)] = json!(1);
    let found = faults(&edition);
    assert_eq!(found.len(), 3);
    assert!(
        found.iter().all(|line| line.len() < 400 && !line.chars().any(crate::log::is_unsafe)),
        "{found:?}"
    );
}

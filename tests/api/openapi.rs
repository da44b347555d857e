//! The OpenAPI document itself, as generators and readers use it.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use third_umpire::games::GAMES;
use third_umpire::http::document_text;

fn document() -> Value {
    serde_json::from_str(&document_text()).expect("the document is JSON")
}

/// Calls `look` with every value of the document and the JSON pointer of its place.
fn each_value(value: &Value, at: &str, look: &mut dyn FnMut(&str, &Value)) {
    look(at, value);
    let escaped = |name: &str| name.replace('~', "~0").replace('/', "~1");
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(name, member)| {
                each_value(member, &format!("{at}/{}", escaped(name)), look);
            });
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(n, item)| each_value(item, &format!("{at}/{n}"), look));
        }
        _ => {}
    }
}

/// Generated clients name their types by schemas: a schema is never renamed or removed, and a new one is
/// added to the list.
#[test]
fn schemas_have_the_names_that_clients_know() {
    let document = document();
    let schemas = document["components"]["schemas"].as_object().expect("schemas");
    let named: BTreeSet<&str> = schemas.keys().map(String::as_str).collect();
    let known: BTreeSet<&str> = include_str!("openapi_schemas.txt").lines().collect();
    let missing: Vec<&&str> = known.difference(&named).collect();
    let new: Vec<&&str> = named.difference(&known).collect();
    assert!(missing.is_empty(), "give these back their names with #[schema(as = ...)]: {missing:?}");
    assert!(new.is_empty(), "add these to tests/api/openapi_schemas.txt: {new:?}");
}

#[test]
fn every_reference_resolves() {
    let document = document();
    let (mut found, mut dangling) = (0, Vec::new());
    each_value(&document, "", &mut |at, value| {
        let Some(to) = value.get("$ref").and_then(Value::as_str) else { return };
        found += 1;
        if to.strip_prefix('#').and_then(|pointer| document.pointer(pointer)).is_none() {
            dangling.push(format!("{at} -> {to}"));
        }
    });
    assert!(found > 100, "the document has references");
    assert!(dangling.is_empty(), "these lead nowhere: {dangling:#?}");
}

/// Whether a schema allows an object.
fn may_be_an_object(schema: &Value) -> bool {
    match &schema["type"] {
        Value::Array(types) => types.contains(&json!("object")),
        one => one == "object",
    }
}

#[test]
fn an_object_without_named_members_says_that_it_is_open() {
    let (mut open, mut undeclared) = (0, Vec::new());
    each_value(&document(), "", &mut |at, schema| {
        if !may_be_an_object(schema) || schema.get("properties").is_some() {
            return;
        }
        match schema.get("additionalProperties") {
            Some(Value::Bool(true)) => open += 1,
            Some(_) => {}
            None => undeclared.push(at.to_owned()),
        }
    });
    assert!(undeclared.is_empty(), "these do not say whether they are open: {undeclared:#?}");
    assert!(open > 20, "the document has open objects");
}

#[test]
fn whoever_creates_a_match_or_a_simulation_is_told_the_names_of_all_games() {
    let ids: Vec<&str> = GAMES.iter().map(|game| game.id).collect();
    assert_eq!(ids.len(), 3);
    let document = document();
    for body in ["CreateMatch", "CreateSimulation"] {
        let game = &document["components"]["schemas"][body]["properties"]["game"];
        assert_eq!(game["enum"], json!(ids), "{body}");
        let description = game["description"].as_str().unwrap_or_default();
        for id in &ids {
            assert!(description.contains(id), "{id} is not in {description:?} of {body}");
        }
    }
}

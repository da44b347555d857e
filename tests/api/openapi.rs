//! The OpenAPI document itself, as generators and readers use it.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use third_umpire::games::BUILT_IN;
use third_umpire::http::document_text;
use third_umpire::log::EventData;
use third_umpire_test_support::logs::stored;
use third_umpire_test_support::service::{CONTRACT, Shapes, resolved, with};

fn document() -> Value {
    serde_json::from_str(&document_text(BUILT_IN)).expect("the document is JSON")
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

/// Choices and policies that only one game has.
const OF_ONE_GAME: [&str; 10] = [
    "attitudes",
    "batter_number",
    "bowler_number",
    "bowler_skills",
    "low_after_dots",
    "next_attitude",
    "orders",
    "over_card",
    "power_play",
    "reroll_bowler",
];

/// The names of single games' choices that a text has.
fn of_one_game(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words.filter(|word| OF_ONE_GAME.contains(word))
}

#[test]
fn a_request_body_leaves_it_to_the_pages_of_the_rules_to_list_the_choices_of_a_game() {
    let pages = [
        include_str!("../../docs/rules/howzat.md"),
        include_str!("../../docs/rules/cuberoots.md"),
        include_str!("../../docs/rules/cricket-the-game.md"),
    ];
    for choice in OF_ONE_GAME {
        let listed = pages.iter().filter(|page| of_one_game(page).any(|listed| listed == choice));
        assert_eq!(listed.count(), 1, "pages that list {choice}");
    }
    let document = document();
    let (mut bodies, mut seen, mut named) = (Vec::new(), BTreeSet::new(), Vec::new());
    each_value(&document, "", &mut |at, _| {
        if at.ends_with("/requestBody") {
            bodies.push(at.to_owned());
        }
    });
    while let Some(body) = bodies.pop() {
        if !seen.insert(body.clone()) {
            continue;
        }
        let part = document.pointer(&body).expect("a part of the document");
        each_value(part, &body, &mut |at, value| {
            let to = value.get("$ref").and_then(Value::as_str);
            bodies.extend(to.and_then(|to| to.strip_prefix('#')).map(str::to_owned));
            let told = value.get("description").and_then(Value::as_str).unwrap_or_default();
            named.extend(of_one_game(told).map(|choice| format!("{choice} at {at}")));
        });
    }
    assert!(seen.contains("/components/schemas/BallBody"), "{seen:?}");
    assert!(named.is_empty(), "a game's choices are listed in docs/rules/: {named:#?}");
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
    let ids: Vec<&str> = BUILT_IN.games().iter().map(|game| game.info.id).collect();
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

#[test]
#[should_panic(expected = "event.surprise is not in the document")]
fn the_check_refuses_a_member_that_the_document_does_not_describe() {
    CONTRACT.check_event(&with(stored("howzat-table").events().remove(0), "/surprise", json!(1)));
}

#[test]
fn a_member_that_no_schema_lists_is_found_at_any_depth() {
    let components = json!({"schemas": {
        "Page": {"allOf": [{"$ref": "#/components/schemas/Head"}, {"properties": {"innings": {
            "items": {"oneOf": [{"$ref": "#/components/schemas/Innings"}, {"type": "null"}]},
        }}}]},
        "Head": {"properties": {"seq": {"type": "integer"}, "before": {"$ref": "#/components/schemas/Page"}}},
        "Innings": {"properties": {"total": {"properties": {"runs": {}}}, "by_player": {"type": "object"}}},
    }});
    let mut shapes = Shapes::of(&components);
    let page = shapes.add(&json!({"$ref": "#/components/schemas/Page"}));
    shapes.link();
    let unlisted = |value: Value| shapes.unlisted_member(&[page], &value);
    let good =
        json!({"seq": 1, "innings": [null, {"total": {"runs": 4}, "by_player": {"Abel": {"runs": 4}}}]});
    assert_eq!(unlisted(good.clone()), None);
    assert_eq!(unlisted(json!({"before": {"before": good}})), None);
    assert_eq!(unlisted(json!({"surprise": 1})).as_deref(), Some(".surprise"));
    assert_eq!(unlisted(json!({"before": {"surprise": 1}})).as_deref(), Some(".before.surprise"));
    let deep = json!({"innings": [null, {"total": {"runs": 4, "balls": 6}}]});
    assert_eq!(unlisted(deep).as_deref(), Some(".innings[].total.balls"));
}

/// Every operation of a document, with its method and path.
fn operations(document: &Value) -> Vec<(String, &Value)> {
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        let of_path = item.as_object().expect("operations").iter();
        operations.extend(of_path.map(|(method, operation)| (format!("{method} {path}"), operation)));
    }
    operations
}

#[test]
fn every_operation_says_which_tokens_it_takes_by_one_scheme_and_in_words() {
    let document = document();
    let schemes = document["components"]["securitySchemes"].as_object().expect("schemes");
    assert_eq!(schemes.keys().collect::<Vec<_>>(), ["bearer"]);
    for (name, operation) in operations(&document) {
        let described =
            operation["description"].as_str().unwrap_or_else(|| panic!("{name} is not described"));
        let bearer = json!({"bearer": []});
        let (security, says) = match &operation["security"] {
            open if *open == json!([]) => ("open", "Anybody may send this."),
            needed if *needed == json!([bearer]) => ("needed", "This needs the token of "),
            taken if *taken == json!([{}, bearer]) => ("taken", "Anybody may send this"),
            other => panic!("{name}: {other}"),
        };
        assert!(described.contains(says), "{name} is {security}: {described}");
        let refuses = operation["responses"]["401"].is_object();
        assert_eq!(
            refuses,
            security != "open",
            "{name}: a token that is missing is a problem where one is taken"
        );
    }
}

#[test]
fn problems_are_components_that_operations_share() {
    let document = document();
    let of_problems = |response: &Value| response["content"]["application/problem+json"].is_object();
    for (name, operation) in operations(&document) {
        for (status, response) in operation["responses"].as_object().expect("responses") {
            assert!(!of_problems(response), "{name}: {status} is no reference");
        }
    }
    let shared = document["components"]["responses"].as_object().expect("responses");
    assert!(shared.values().all(of_problems));
    let text = document.to_string();
    for name in shared.keys() {
        assert!(text.contains(&format!("\"#/components/responses/{name}\"")), "nobody answers {name}");
    }
}

#[test]
fn operation_ids_read_well_alone() {
    let document = document();
    let mut seen = BTreeSet::new();
    for (name, operation) in operations(&document) {
        let id = operation["operationId"].as_str().unwrap_or_else(|| panic!("{name} has no id"));
        assert!(seen.insert(id), "{id} is the id of two operations");
        let is_of_the_service = ["healthz", "readyz", "metrics", "openapi", "autoplay"].contains(&id);
        assert!(is_of_the_service || id.contains('_'), "{id} does not say what it is done to");
    }
    assert!(document["servers"][0]["url"].is_string());
}

#[test]
fn an_event_and_a_next_step_are_unions_whose_variants_have_names() {
    let document = document();
    let schemas = &document["components"]["schemas"];
    for (union, count) in [("Event", EventData::KINDS.len()), ("Next", 3)] {
        let variants = schemas[union]["oneOf"].as_array().expect("variants");
        assert_eq!(variants.len(), count, "{union}");
        let discriminator = &schemas[union]["discriminator"];
        assert_eq!(discriminator["propertyName"], "kind");
        for reference in variants {
            let variant = resolved(&document, reference);
            assert_ne!(variant, reference, "{union}: a variant has no name");
            let kinds = variant["properties"]["kind"]["enum"].as_array().expect("a constant");
            let [kind] = kinds.as_slice() else { panic!("{kinds:?}") };
            assert_eq!(discriminator["mapping"][kind.as_str().expect("a name")], reference["$ref"]);
            let required = variant["required"].as_array().expect("required members");
            assert!(required.contains(&json!("kind")), "{reference}");
            assert!(variant["description"].is_string(), "{reference} is not described");
        }
    }
    for kind in EventData::KINDS {
        let event =
            resolved(&document, &json!({"$ref": schemas["Event"]["discriminator"]["mapping"][*kind]}))
                .clone();
        for member in ["match", "seq", "at", "actor", "data", "v", "prev", "hash"] {
            assert!(event["properties"][member].is_object(), "{kind} has no {member}");
        }
    }
}

//! A wrong value for every member of every body, and for every parameter, in the OpenAPI document: each
//! problem names the member or the parameter, and none names a type of Rust.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{DOCUMENT, Service, resolved, table};

fn document() -> Value {
    serde_json::from_str(DOCUMENT).expect("the document is JSON")
}

/// Values of every type that JSON has, with the name of the type in JSON Schema.
fn samples() -> [(&'static str, Value); 8] {
    [
        ("null", Value::Null),
        ("boolean", json!(true)),
        ("integer", json!(7)),
        ("number", json!(1.5)),
        ("number", json!(1e30)),
        ("string", json!("x")),
        ("array", json!([])),
        ("object", json!({})),
    ]
}

/// The alternatives of a schema; a schema without them is its only one.
fn alternatives<'a>(document: &'a Value, schema: &'a Value) -> Vec<&'a Value> {
    let schema = resolved(document, schema);
    let lists = ["oneOf", "anyOf", "allOf"].map(|name| schema[name].as_array());
    match lists.into_iter().flatten().next() {
        Some(list) => list.iter().flat_map(|one| alternatives(document, one)).collect(),
        None => vec![schema],
    }
}

/// The types that a schema takes; none where it takes every type.
fn types<'a>(document: &'a Value, schema: &'a Value) -> BTreeSet<&'a str> {
    let alternatives = alternatives(document, schema);
    let named = alternatives.into_iter().flat_map(|one| match &one["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect::<Vec<_>>(),
    });
    named.collect()
}

/// A value that a schema takes, with only the members that have to be there.
fn minimal(document: &Value, schema: &Value) -> Value {
    let schema = alternatives(document, schema)[0];
    if let Some(word) = schema["enum"].as_array().and_then(|words| words.first()) {
        return word.clone();
    }
    // The only pattern of the document is that of a hash.
    if schema["pattern"].is_string() {
        return json!("5eed".repeat(16));
    }
    let Some(required) = schema["required"].as_array() else {
        let types = types(document, schema);
        let fits = |(name, _): &(&str, Value)| types.is_empty() || types.contains(name);
        return samples().into_iter().skip(1).find(fits).expect("a schema takes something").1;
    };
    let names = required.iter().filter_map(Value::as_str);
    names.map(|name| (name.to_owned(), minimal(document, &schema["properties"][name]))).collect()
}

/// A path of a member, seen from the member or the list around it.
fn inside(name: &str, path: &str) -> String {
    let joint = if path.is_empty() || path.starts_with('[') { "" } else { "." };
    format!("{name}{joint}{path}")
}

/// Values that are right but for one member, with the path of that member.
fn wrong(document: &Value, schema: &Value) -> Vec<(String, Value)> {
    let taken = types(document, schema);
    let is_wrong = |(name, _): &(&str, Value)| {
        let is_number = *name == "integer" && taken.contains("number");
        !taken.is_empty() && !taken.contains(name) && !is_number
    };
    let mut wrong: Vec<_> =
        samples().into_iter().filter(is_wrong).map(|(_, value)| (String::new(), value)).collect();
    for one in alternatives(document, schema) {
        if one["enum"].is_array() {
            wrong.push((String::new(), json!("no such word")));
        }
        if one["minimum"].as_f64().is_some_and(|least| least >= 0.0) {
            wrong.push((String::new(), json!(-1)));
        }
        if one["format"] == "int32" {
            wrong.push((String::new(), json!(u64::MAX)));
        }
        for (name, member) in one["properties"].as_object().into_iter().flatten() {
            wrong.extend(self::wrong(document, member).into_iter().map(|(path, value)| {
                let mut whole = minimal(document, one);
                whole[name] = value;
                (inside(name, &path), whole)
            }));
        }
        if one["items"].is_object() {
            let of_items = self::wrong(document, &one["items"]).into_iter();
            wrong.extend(of_items.map(|(path, value)| (inside("[0]", &path), json!([value]))));
        }
    }
    wrong
}

/// The bodies in the document that are objects: the path of each, and its schema.
fn bodies(document: &Value) -> Vec<(&str, &Value)> {
    let paths = document["paths"].as_object().expect("the document has paths").iter();
    let bodies = paths.map(|(path, item)| {
        (path.as_str(), &item["post"]["requestBody"]["content"]["application/json"]["schema"])
    });
    // An edition has many faults at once, each of which is listed; the tests of editions look at them.
    let is_read = |(path, schema): &(&str, &Value)| {
        !schema.is_null() && *path != "/v1/editions" && types(document, schema).contains("object")
    };
    bodies.filter(is_read).collect()
}

/// Words of serde and of Rust, which no client has to know.
const RUST: [&str; 23] = [
    "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "usize", "f64", "struct", "tuple", "enum", "Vec",
    "Option", "sequence", "variant", "map", "boolean", "invalid", "expected", "EOF", "field",
];

fn is_plain(text: &str) -> bool {
    let mut words = text.split(|letter: char| !letter.is_alphanumeric());
    // Serde puts names between backticks: "unknown field `x`".
    !text.is_empty() && text.len() < 500 && !text.contains('`') && !words.any(|word| RUST.contains(&word))
}

/// The problem that refuses a body, with the only place at fault.
fn refused(service: &Service, path: &str, token: &str, body: &Value) -> (String, String, Value) {
    let request = service.client().request("POST", path).token(token).json(body);
    let answer = request.unlisted().send();
    assert!(answer.status == 422, "{path} {body} answered {} {}", answer.status, answer.text());
    let problem = answer.json();
    let (detail, error) = (problem["detail"].as_str().unwrap_or_default(), &problem["errors"][0]);
    assert!(is_plain(detail) && error["message"] == detail, "{path} {body}: {problem}");
    (error["location"].as_str().unwrap_or_default().to_owned(), detail.to_owned(), problem)
}

on_both_stores!(a_wrong_member_of_a_body_is_located_in_plain_words, |service| {
    let (document, played) = (document(), service.create(&table(1)));
    played.begin();
    let mut tried = 0;
    for (template, schema) in bodies(&document) {
        let path = template.replace("{id}", &played.id).replace("{n}", "1").replace("{role}", "scorer");
        for (member, body) in wrong(&document, schema).into_iter().filter(|(member, _)| !member.is_empty()) {
            tried += 1;
            let (location, detail, problem) = refused(service, &path, &played.token, &body);
            assert_eq!(location, format!("body.{member}"), "{template} {body}: {problem}");
            assert!(detail.len() > "is not".len(), "{detail}");
        }
    }
    assert!(tried > 200, "{tried} members were tried");
    played.play_step();
});

on_both_stores!(a_missing_or_unknown_member_of_a_body_is_located, |service| {
    let (document, played) = (document(), service.create(&table(1)));
    played.begin();
    let (mut missing, mut unknown) = (0, 0);
    for (template, schema) in bodies(&document) {
        let path = template.replace("{id}", &played.id).replace("{n}", "1").replace("{role}", "scorer");
        let required = resolved(&document, schema)["required"].as_array().cloned().unwrap_or_default();
        for name in required.iter().filter_map(Value::as_str) {
            missing += 1;
            let mut body = minimal(&document, schema);
            body.as_object_mut().expect("a body is an object").remove(name);
            let (location, detail, problem) = refused(service, &path, &played.token, &body);
            assert_eq!(problem["type"], "/problems/needs-input", "{template} {body}: {problem}");
            assert_eq!((location, detail), (format!("body.{name}"), format!("{name} is missing")));
        }
        if resolved(&document, schema)["additionalProperties"] == json!(false) {
            unknown += 1;
            let mut body = minimal(&document, schema);
            body["no_such_member"] = json!(1);
            let (location, detail, _) = refused(service, &path, &played.token, &body);
            assert_eq!(location, "body.no_such_member", "{template}");
            assert!(detail.starts_with("no_such_member is unknown here; "), "{detail}");
        }
    }
    assert!(missing > 15 && unknown > 10, "{missing} missing, {unknown} unknown members");
    played.play_step();
});

on_both_stores!(a_wrong_parameter_is_located_in_plain_words, |service| {
    let (document, played) = (document(), service.create(&table(1)));
    let (mut tried, mut texts) = (0, BTreeSet::new());
    for (template, item) in document["paths"].as_object().expect("the document has paths") {
        let path = template.replace("{id}", &played.id).replace("{n}", "1").replace("{seq}", "1");
        let parameters = item["get"]["parameters"].as_array().into_iter().flatten();
        for parameter in parameters.filter(|parameter| parameter["in"] == "query") {
            let name = parameter["name"].as_str().expect("a parameter has a name");
            let mut values = vec![format!("1&{name}=2"), "%00".to_owned()];
            let schema = &parameter["schema"];
            let takes_words = alternatives(&document, schema).iter().any(|one| one["enum"].is_array());
            if takes_words || !types(&document, schema).contains("string") {
                values.extend(["x", "", "-1", "1.5", "99999999999999999999"].map(str::to_owned));
            } else {
                texts.insert(name);
            }
            for value in values {
                tried += 1;
                let query = format!("{path}?{name}={value}");
                let answer = service.client().get(&query);
                assert_eq!(answer.status, 400, "{query}: {}", answer.text());
                let problem = answer.json();
                assert_eq!(problem["errors"][0]["location"], format!("query.{name}"), "{query}: {problem}");
                assert!(problem["detail"].as_str().is_some_and(is_plain), "{query}: {problem}");
            }
        }
    }
    assert!(tried > 40, "{tried} parameters were tried");
    assert!(texts.contains("team"), "{texts:?}");
    let unknown = service.client().get("/v1/matches?teams=x").refused(400, "invalid-parameter");
    unknown.at("query.teams").says(&["game, status, team, before, limit, order and cursor"]);
});

on_both_stores!(a_parameter_that_is_not_utf_8_is_refused, |service| {
    for (query, at) in [("team=a%ED%A0%80", "query.team"), ("status=in_play&status=%FF", "query.status[1]")] {
        let answer = service.client().get(&format!("/v1/matches?{query}"));
        answer.refused(400, "invalid-parameter").at(at).says(&["UTF-8"]);
    }
});

on_both_stores!(an_empty_body_that_must_not_be_empty_is_refused_as_empty, |service| {
    let edition = service.client().request("POST", "/v1/editions").raw("application/json", "");
    let answer = edition.send();
    assert_eq!(answer.json()["detail"], "the body is not JSON: it is empty");
    answer.refused(400, "malformed-json").at("body");
});

on_both_stores!(a_body_that_is_no_json_is_located_in_plain_words, |service| {
    let played = service.create(&table(1));
    for (body, says) in [
        ("{", "the body is not JSON: it breaks off at line 1, column 1"),
        ("{\"a\":\n]", "the body is not JSON: it goes wrong at line 2, column 1"),
        ("{\"a\": 1,}", "the body is not JSON: it goes wrong at line 1, column 9"),
        (&"[".repeat(200), "the body is JSON nested deeper than 127 levels"),
    ] {
        let answer = service.untouched_by(played.posting("/balls", &json!({})).raw("application/json", body));
        assert_eq!(answer.json()["detail"], says, "{body}");
        answer.refused(400, "malformed-json").at("body");
    }
});

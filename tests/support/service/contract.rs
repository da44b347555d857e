//! The check of every answer against the OpenAPI document.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{LazyLock, OnceLock};

use jsonschema::{Draft, Validator};
use serde_json::{Value, json};

use super::answer::Answer;
use super::members::{ShapeId, Shapes};

/// The text of the committed document.
pub const DOCUMENT: &str = include_str!("../../../openapi/openapi.json");

/// The committed document, ready to check answers.
pub static CONTRACT: LazyLock<Contract> = LazyLock::new(Contract::committed);

pub struct Contract {
    operations: Vec<Operation>,
    components: Value,
    shapes: Shapes,
    event: Medium,
}

struct Operation {
    method: String,
    path: String,
    /// Whether the answer can represent what the request has changed, as its client prefers.
    represents: bool,
    responses: BTreeMap<u16, Listed>,
}

/// A response that the document lists.
struct Listed {
    headers: Vec<String>,
    content: BTreeMap<String, Medium>,
}

struct Medium {
    schema: Value,
    shape: ShapeId,
    validator: OnceLock<Validator>,
}

impl Contract {
    fn committed() -> Contract {
        let document: Value = serde_json::from_str(DOCUMENT).expect("the document is JSON");
        let components = document["components"].clone();
        let (mut operations, mut shapes) = (Vec::new(), Shapes::of(&components));
        for (path, item) in document["paths"].as_object().expect("the document has paths") {
            for (method, operation) in item.as_object().expect("a path has operations") {
                let (method, path) = (method.to_uppercase(), path.clone());
                let named = |parameter: &Value| parameter["name"] == "Prefer";
                operations.push(Operation {
                    method,
                    path,
                    represents: operation["parameters"].as_array().is_some_and(|all| all.iter().any(named)),
                    responses: responses(&document, operation, &mut shapes),
                });
            }
        }
        let event = Medium::of(json!({"$ref": "#/components/schemas/Event"}), &mut shapes);
        shapes.link();
        Contract { operations, components, shapes, event }
    }

    /// The paths of the document, with their methods.
    pub fn paths(&self) -> BTreeMap<&str, Vec<&str>> {
        let mut paths: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for operation in &self.operations {
            paths.entry(&operation.path).or_default().push(&operation.method);
        }
        paths
    }

    /// The paths of the appends whose answers can represent the match.
    pub fn representing(&self) -> BTreeSet<String> {
        let operations = self.operations.iter().filter(|operation| operation.represents);
        operations.map(|operation| operation.path.clone()).collect()
    }

    /// The path of the append at this path, as the document names it, if its answer can represent the match.
    pub fn representing_at(&self, path: &str) -> Option<&str> {
        let path = path.split('?').next().unwrap_or_default();
        let found = self.operation("POST", path).filter(|operation| operation.represents);
        found.map(|operation| operation.path.as_str())
    }

    /// Checks an answer against the document. A path without an operation has to answer 404 or 405, unless
    /// the request is marked as unlisted. An error is a problem, or a page.
    #[track_caller]
    pub fn check(&self, method: &str, path: &str, answer: &Answer, listed: bool) {
        assert!(!answer.header("x-request-id").is_empty(), "{} has no X-Request-Id", answer.request);
        let path = path.split('?').next().unwrap_or_default();
        let looked_up = if method == "HEAD" { "GET" } else { method };
        let is_page = !listed && answer.essence() == "text/html";
        if answer.status >= 400 && method != "HEAD" && !is_page {
            check_problem(answer);
        }
        match self.operation(looked_up, path) {
            _ if !listed => {}
            Some(operation) => self.check_listed(operation, method == "HEAD", answer),
            None => {
                let known = self.operations.iter().any(|operation| fits(&operation.path, path));
                let (status, slug) = if known { (405, "method-not-allowed") } else { (404, "not-found") };
                answer.has_status(status);
                if method != "HEAD" {
                    answer.refused(status, slug);
                }
            }
        }
    }

    /// Asserts that an event fits the document's schema of events.
    #[track_caller]
    pub fn check_event(&self, event: &Value) {
        self.check_value(&self.event, event, "an event", "event");
    }

    fn operation(&self, method: &str, path: &str) -> Option<&Operation> {
        let mut fitting: Vec<&Operation> = self
            .operations
            .iter()
            .filter(|operation| operation.method == method && fits(&operation.path, path))
            .collect();
        // The path `/events/stream` comes before `/events/{seq}`.
        fitting.sort_by_key(|operation| operation.path.matches('{').count());
        fitting.first().copied()
    }

    #[track_caller]
    fn check_listed(&self, operation: &Operation, without_body: bool, answer: &Answer) {
        let request = &answer.request;
        let Some(listed) = operation.responses.get(&answer.status) else {
            panic!(
                "{request} answered {}, which the document does not list: {}",
                answer.status,
                answer.text()
            );
        };
        for header in &listed.headers {
            assert!(answer.headers.contains_key(header), "{request}: the header {header} is not there");
        }
        if listed.content.is_empty() || without_body {
            assert!(answer.body.is_empty(), "{request} answered a body: {}", answer.text());
            return;
        }
        let Some(medium) = listed.content.get(answer.essence()) else {
            panic!("{request} answered {:?}, which the document does not list", answer.essence());
        };
        if ["application/json", "application/problem+json"].contains(&answer.essence()) {
            let body = answer.json();
            self.check_value(medium, &body, request, "body");
            check_type(&medium.schema, &body, request);
        }
    }

    fn compile(&self, schema: &Value) -> Validator {
        let whole = json!({"allOf": [schema], "components": self.components});
        jsonschema::options()
            .with_draft(Draft::Draft202012)
            .should_validate_formats(true)
            .build(&whole)
            .unwrap_or_else(|error| panic!("{schema} is no schema: {error}"))
    }

    /// Asserts that a value fits its schema, and has no member that the document does not describe.
    #[track_caller]
    fn check_value(&self, medium: &Medium, value: &Value, label: &str, at: &str) {
        let validator = medium.validator.get_or_init(|| self.compile(&medium.schema));
        if let Some(error) = validator.iter_errors(value).next() {
            panic!("{label}: {error} at {:?} in {value}", error.instance_path().to_string());
        }
        if let Some(path) = self.shapes.unlisted_member(&[medium.shape], value) {
            panic!("{at}{path} is not in the document");
        }
    }
}

impl Medium {
    fn of(schema: Value, shapes: &mut Shapes) -> Medium {
        Medium { shape: shapes.add(&schema), schema, validator: OnceLock::new() }
    }
}

/// The part of a document that a reference leads to, or the part itself where it is none.
pub fn resolved<'a>(document: &'a Value, part: &'a Value) -> &'a Value {
    let Some(reference) = part["$ref"].as_str() else { return part };
    document.pointer(reference.trim_start_matches('#')).unwrap_or_else(|| panic!("there is no {reference}"))
}

fn responses(document: &Value, operation: &Value, shapes: &mut Shapes) -> BTreeMap<u16, Listed> {
    let mut medium = |content: &Value| Medium::of(content["schema"].clone(), shapes);
    let mut listed = |response: &Value| Listed {
        headers: response["headers"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, _)| name.clone())
            .collect(),
        content: response["content"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(essence, content)| (essence.clone(), medium(content)))
            .collect(),
    };
    let all = operation["responses"].as_object().expect("an operation has responses");
    let each = all.iter().map(|(status, response)| (status, resolved(document, response)));
    each.map(|(status, response)| (status.parse().expect("a status"), listed(response))).collect()
}

fn fits(template: &str, path: &str) -> bool {
    let (template, path) = (template.split('/'), path.split('/'));
    template.clone().count() == path.clone().count()
        && template.zip(path).all(|(due, found)| due == found || (due.starts_with('{') && !found.is_empty()))
}

/// Asserts that an answer is a problem as RFC 9457 has it, for any operation.
#[track_caller]
fn check_problem(answer: &Answer) {
    assert_eq!(answer.essence(), "application/problem+json", "{}: {}", answer.request, answer.text());
    let problem = answer.json();
    assert_eq!(problem["status"], answer.status, "{}: {problem}", answer.request);
    for member in ["type", "title", "detail"] {
        assert!(problem[member].as_str().is_some_and(|text| !text.is_empty()), "no {member} in {problem}");
    }
}

/// Asserts that a problem is one that its operation lists.
#[track_caller]
fn check_type(schema: &Value, body: &Value, request: &str) {
    let own = schema.pointer("/allOf/1/properties/type/enum").and_then(Value::as_array);
    if body.get("detail").is_some() && body.get("title").is_some() {
        let own = own.unwrap_or_else(|| panic!("{request}: the document lists no problem types here"));
        assert!(own.contains(&body["type"]), "{request}: {} is not listed", body["type"]);
    }
}

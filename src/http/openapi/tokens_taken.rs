//! Who may send a request: one bearer scheme, and in each operation the tokens that it takes.

use serde_json::Value;
use utoipa::Modify;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{OpenApi as Document, path::Operation};

use super::operations;

/// The name of the scheme.
const BEARER: &str = "bearer";
/// The description of the scheme.
const TOKENS: &str = "A token of a match, or the admin token of the service, which is the key of a table. The \
                      answer to the creation of a match has the scorer's token, and the invites with which \
                      each side claims a token of its own. The scorer issues the umpire's token: \
                      `POST /v1/matches/{id}/tokens/umpire/rotate`.";

/// Replaces the roles that the handlers name by one bearer scheme, and says in words whose token it is.
pub(super) struct TokensTaken;

impl Modify for TokensTaken {
    fn modify(&self, document: &mut Document) {
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(TOKENS)).build();
        document.components.get_or_insert_default().add_security_scheme(BEARER, SecurityScheme::Http(bearer));
        operations(document).for_each(name_tokens);
    }
}

/// Names the tokens that one operation takes.
fn name_tokens(operation: &mut Operation) {
    let named = operation.security.take().unwrap_or_default();
    let roles: Vec<String> = named.iter().filter_map(role).collect();
    let is_optional = named.len() > roles.len();
    let bearer = || SecurityRequirement::new(BEARER, Vec::<String>::new());
    let (security, sentence) = match (roles.as_slice(), is_optional) {
        ([], _) => (Vec::new(), "Anybody may send this.".to_owned()),
        ([admin], true) if admin == "admin" => (
            vec![SecurityRequirement::default(), bearer()],
            "Anybody may send this, unless the service has an admin token: then this needs that token."
                .to_owned(),
        ),
        (roles, true) => (
            vec![SecurityRequirement::default(), bearer()],
            format!("Anybody may send this. With the token of {}, the answer shows more.", listed(roles)),
        ),
        (roles, false) => (vec![bearer()], format!("This needs the token of {}.", listed(roles))),
    };
    operation.security = Some(security);
    let description = operation.description.take().filter(|text| !text.is_empty());
    operation.description =
        Some(description.map_or(sentence.clone(), |text| format!("{text}\n\n{sentence}")));
}

/// The role that a requirement names; none for the requirement of nothing.
fn role(requirement: &SecurityRequirement) -> Option<String> {
    match serde_json::to_value(requirement) {
        Ok(Value::Object(named)) => named.into_iter().next().map(|(role, _)| role),
        Ok(_) | Err(_) => None,
    }
}

/// The holders of tokens in words: `the scorer, a side or the admin`.
fn listed(roles: &[String]) -> String {
    let holders: Vec<&str> = roles
        .iter()
        .map(|role| match role.as_str() {
            "side" => "a side",
            "scorer" => "the scorer",
            "umpire" => "the umpire",
            "admin" => "the admin",
            "table" => "the table",
            other => unreachable!("there is no role {other}"),
        })
        .collect();
    match holders.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

//! Unions that a member tells apart: every kind of event and every kind of next step is a schema of its own,
//! and the union lists them with a discriminator. Generators make types of them that need no casts.

use std::collections::BTreeMap;

use utoipa::Modify;
use utoipa::openapi::schema::Discriminator;
use utoipa::openapi::{AllOf, Object, OneOf, OpenApi as Document, Ref, RefOr, Schema};

use super::pascal_case;

/// The member that tells the variants apart.
const KIND: &str = "kind";

/// Makes the schemas of events and of next steps.
pub(super) struct Unions;

impl Modify for Unions {
    fn modify(&self, document: &mut Document) {
        let schemas = &mut document.components.get_or_insert_default().schemas;
        let envelope = envelope(schemas.get("Event"));
        let mut events = variants(schemas.get("EventData"));
        events.iter_mut().for_each(|(_, event)| complete(event, &envelope));
        unite(schemas, "Event", events, |kind| format!("{kind}Event"));
        let steps = variants(schemas.get("Next"));
        unite(schemas, "Next", steps, |kind| format!("Next{kind}"));
    }
}

/// The members that all events have.
fn envelope(event: Option<&RefOr<Schema>>) -> Object {
    let Some(RefOr::T(Schema::AllOf(AllOf { items, .. }))) = event else {
        unreachable!("an event is its data and its envelope");
    };
    let mut objects = items.iter().filter_map(|item| match item {
        RefOr::T(Schema::Object(object)) => Some(object.clone()),
        RefOr::T(_) | RefOr::Ref(_) => None,
    });
    objects.next_back().unwrap_or_else(|| unreachable!("the envelope is an object"))
}

/// Adds the members of the envelope to a kind of event.
fn complete(event: &mut Object, envelope: &Object) {
    event.properties.extend(envelope.properties.clone());
    event.required.extend(envelope.required.iter().cloned());
}

/// The variants of a union by their kinds.
fn variants(union: Option<&RefOr<Schema>>) -> Vec<(String, Object)> {
    let Some(RefOr::T(Schema::OneOf(OneOf { items, .. }))) = union else {
        unreachable!("a union is one of its variants");
    };
    let variant = |item: &RefOr<Schema>| match item {
        RefOr::T(Schema::Object(object)) => Some((kind_of(object)?, object.clone())),
        RefOr::T(_) | RefOr::Ref(_) => None,
    };
    items.iter().filter_map(variant).collect()
}

/// The only value of the member that tells the variants apart.
fn kind_of(variant: &Object) -> Option<String> {
    let RefOr::T(Schema::Object(kind)) = variant.properties.get(KIND)? else { return None };
    kind.enum_values.as_ref()?.first()?.as_str().map(str::to_owned)
}

/// Puts a union in place of a schema: each variant is a schema with a name of its own.
fn unite(
    schemas: &mut BTreeMap<String, RefOr<Schema>>,
    union: &str,
    variants: Vec<(String, Object)>,
    name: impl Fn(&str) -> String,
) {
    let description = match schemas.get(union) {
        Some(RefOr::T(Schema::AllOf(whole))) => whole.description.clone(),
        Some(RefOr::T(Schema::OneOf(whole))) => whole.description.clone(),
        _ => None,
    };
    let (mut items, mut mapping) = (Vec::new(), BTreeMap::new());
    for (kind, variant) in variants {
        let name = name(&pascal_case(&kind));
        let reference = Ref::from_schema_name(&name);
        mapping.insert(kind, reference.ref_location.clone());
        items.push(RefOr::Ref(reference));
        schemas.insert(name, RefOr::T(Schema::Object(variant)));
    }
    let mut discriminator = Discriminator::new(KIND);
    discriminator.mapping = mapping;
    let mut whole = OneOf::new();
    (whole.items, whole.discriminator, whole.description) = (items, Some(discriminator), description);
    schemas.insert(union.to_owned(), RefOr::T(Schema::OneOf(whole)));
}

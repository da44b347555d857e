//! Schemas that the derives cannot express: open objects.

use utoipa::Modify;
use utoipa::openapi::schema::{AdditionalProperties, AnyOf, ArrayItems, SchemaType};
use utoipa::openapi::{AllOf, Content, Object, OneOf, OpenApi as Document, RefOr, Schema, Type};

use super::operations;

/// Adds `additionalProperties: true` to every object that names no member. That is the default of JSON
/// Schema, but code generators make an empty class of an object without it.
pub(super) struct OpenObjects;

impl Modify for OpenObjects {
    fn modify(&self, document: &mut Document) {
        let components = document.components.iter_mut();
        components.flat_map(|components| components.schemas.values_mut()).for_each(mark_open);
        for operation in operations(document) {
            for parameter in operation.parameters.iter_mut().flatten().filter_map(inline) {
                parameter.schema.iter_mut().for_each(mark_open);
            }
            let body = operation.request_body.as_mut().and_then(inline);
            body.into_iter().flat_map(|body| body.content.values_mut()).for_each(mark_content);
            for response in operation.responses.responses.values_mut().filter_map(inline) {
                response.content.values_mut().for_each(mark_content);
            }
        }
    }
}

/// The part itself, where it is not a reference to another place.
fn inline<T>(part: &mut RefOr<T>) -> Option<&mut T> {
    match part {
        RefOr::T(part) => Some(part),
        RefOr::Ref(_) => None,
    }
}

fn mark_content(content: &mut RefOr<Content>) {
    inline(content).into_iter().flat_map(|content| &mut content.schema).for_each(mark_open);
}

fn mark_open(schema: &mut RefOr<Schema>) {
    let RefOr::T(schema) = schema else { return };
    match schema {
        Schema::Object(object) => mark_object(object),
        Schema::Array(array) => {
            if let ArrayItems::RefOrSchema(items) = &mut array.items {
                mark_open(items);
            }
        }
        Schema::OneOf(OneOf { items, .. })
        | Schema::AllOf(AllOf { items, .. })
        | Schema::AnyOf(AnyOf { items, .. }) => items.iter_mut().for_each(mark_open),
        // Future kinds of schemas. A test finds an object that they would leave unmarked.
        _ => {}
    }
}

fn mark_object(object: &mut Object) {
    object.properties.values_mut().for_each(mark_open);
    if let Some(AdditionalProperties::RefOr(members)) = object.additional_properties.as_deref_mut() {
        mark_open(members);
    }
    let may_be_an_object = match &object.schema_type {
        SchemaType::Type(one) => *one == Type::Object,
        SchemaType::Array(types) => types.contains(&Type::Object),
        SchemaType::AnyValue => false,
    };
    if may_be_an_object && object.properties.is_empty() && object.additional_properties.is_none() {
        object.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(true)));
    }
}

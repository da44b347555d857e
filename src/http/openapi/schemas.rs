//! Schemas that the derives cannot express: the ids of the registered games, and open objects.

use utoipa::Modify;
use utoipa::openapi::schema::{AdditionalProperties, AnyOf, ArrayItems, SchemaType};
use utoipa::openapi::{
    AllOf, Content, Object, ObjectBuilder, OneOf, OpenApi as Document, RefOr, Schema, SchemaFormat, Type,
};

use super::operations;
use crate::rules::Registry;

/// The format that marks the schema of a game's id until the games are known.
const GAME_ID: &str = "game-id";

/// The schema of a game's id, in which [`name_games`] lists the games.
pub fn game_id() -> Object {
    let marked = SchemaFormat::Custom(GAME_ID.to_owned());
    ObjectBuilder::new().schema_type(Type::String).format(Some(marked)).build()
}

/// Lists the games of a registry wherever the document has the id of a game.
pub(super) fn name_games(document: &mut Document, registry: Registry) {
    let games = registry.games().iter().map(|game| format!("`{}` ({})", game.info.id, game.info.title));
    let description = format!("The game's id: {}.", games.collect::<Vec<_>>().join(", "));
    let components = document.components.iter_mut();
    for schema in components.flat_map(|components| components.schemas.values_mut()) {
        let RefOr::T(Schema::Object(object)) = schema else { continue };
        for property in object.properties.values_mut() {
            let RefOr::T(Schema::Object(property)) = property else { continue };
            if property.format == Some(SchemaFormat::Custom(GAME_ID.to_owned())) {
                property.format = None;
                property.description = Some(description.clone());
                property.enum_values = Some(registry.ids().into_iter().map(Into::into).collect());
            }
        }
    }
}

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

//! The id of a game in the OpenAPI document: wherever it stands, the games of the registry are listed.

use utoipa::openapi::{Object, ObjectBuilder, OpenApi as Document, RefOr, Schema, SchemaFormat, Type};

use crate::rules::Registry;

/// The format that marks the schema of a game's id until the games are known.
const GAME_ID: &str = "game-id";

/// The schema of a game's id, in which [`name_games`] lists the games.
pub fn schema() -> Object {
    let marked = SchemaFormat::Custom(GAME_ID.to_owned());
    ObjectBuilder::new().schema_type(Type::String).format(Some(marked)).build()
}

/// Lists the games of a registry wherever the document has the id of a game.
pub fn name_games(document: &mut Document, registry: Registry) {
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

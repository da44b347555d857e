//! The members that schemas describe, looked up once: every member of every answer is held against them.

use std::collections::HashMap;

use serde_json::Value;

/// The place of a shape in `Shapes`.
pub type ShapeId = usize;

/// The shapes of the schemas of a document.
#[derive(Default)]
pub struct Shapes {
    shapes: Vec<Shape>,
    /// The shapes of the named schemas.
    named: HashMap<String, ShapeId>,
}

/// What one schema says by itself, and the schemas that it refers to or is composed of.
#[derive(Default)]
struct Shape {
    members: HashMap<String, ShapeId>,
    items: Option<ShapeId>,
    composed_of: Vec<ShapeId>,
    /// The shape, and all that it is composed of, at any depth.
    parts: Vec<ShapeId>,
}

impl Shapes {
    /// The shapes of all named schemas.
    pub fn of(components: &Value) -> Shapes {
        let mut shapes = Shapes::default();
        let schemas = components["schemas"].as_object().expect("the document has schemas");
        for name in schemas.keys() {
            let id = shapes.make();
            shapes.named.insert(name.clone(), id);
        }
        for (name, schema) in schemas {
            shapes.read(shapes.named[name], schema);
        }
        shapes
    }

    /// Adds a schema that may refer to the named ones. After the last one, `link` has to be called.
    pub fn add(&mut self, schema: &Value) -> ShapeId {
        let id = self.make();
        self.read(id, schema);
        id
    }

    /// Finds the parts of all shapes.
    pub fn link(&mut self) {
        for id in 0..self.shapes.len() {
            let mut parts = vec![id];
            let mut at = 0;
            while let Some(part) = parts.get(at).copied() {
                for &inner in &self.shapes[part].composed_of {
                    if !parts.contains(&inner) {
                        parts.push(inner);
                    }
                }
                at += 1;
            }
            self.shapes[id].parts = parts;
        }
    }

    fn parts(&self, id: ShapeId) -> &[ShapeId] {
        let parts = &self.shapes[id].parts;
        assert!(!parts.is_empty(), "a shape was added after the last call of `link`");
        parts
    }

    fn make(&mut self) -> ShapeId {
        self.shapes.push(Shape::default());
        self.shapes.len() - 1
    }

    fn read(&mut self, id: ShapeId, schema: &Value) {
        let mut shape = Shape::default();
        if let Some(name) =
            schema["$ref"].as_str().and_then(|name| name.strip_prefix("#/components/schemas/"))
        {
            shape.composed_of.push(self.named[name]);
        }
        for composed in ["allOf", "oneOf", "anyOf"].into_iter().filter_map(|of| schema[of].as_array()) {
            shape.composed_of.extend(composed.iter().map(|inner| self.add(inner)));
        }
        for (name, member) in schema["properties"].as_object().into_iter().flatten() {
            shape.members.insert(name.clone(), self.add(member));
        }
        shape.items = schema.get("items").map(|items| self.add(items));
        self.shapes[id] = shape;
    }

    /// The path of the first member of a value that none of these shapes lists.
    pub fn unlisted_member(&self, shapes: &[ShapeId], value: &Value) -> Option<String> {
        let parts = shapes.iter().flat_map(|id| self.parts(*id)).map(|id| &self.shapes[*id]);
        match value {
            Value::Object(members) => {
                let listed: Vec<_> =
                    parts.map(|part| &part.members).filter(|members| !members.is_empty()).collect();
                members.iter().filter(|_| !listed.is_empty()).find_map(|(name, member)| {
                    let shapes: Vec<ShapeId> =
                        listed.iter().filter_map(|members| members.get(name)).copied().collect();
                    let below = match shapes.is_empty() {
                        true => Some(String::new()),
                        false => self.unlisted_member(&shapes, member),
                    };
                    below.map(|below| format!(".{name}{below}"))
                })
            }
            Value::Array(items) => {
                let shapes: Vec<ShapeId> = parts.filter_map(|part| part.items).collect();
                let unlisted = items.iter().find_map(|item| self.unlisted_member(&shapes, item));
                unlisted.map(|below| format!("[]{below}"))
            }
            _ => None,
        }
    }
}

//! The field: where the nine tokens of the fielders stand, and where they may stand.

use serde_json::{Value, json};

use super::edition::model::{EditionWord, Format, INFIELD, Position, PrintedEdition, Zone};
use super::rulings::*;
use crate::rules::Refusal;
use crate::scorebook::Ruling;

/// The number of fielders with a token.
pub const TOKENS: usize = 9;

/// The positions of the tokens, in team order of their players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field(pub [Position; TOKENS]);

/// The limits that a field has to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The side of the board, by the length of the match.
    pub format: Format,
    /// The most fielders in the outfield.
    pub outfield: usize,
}

impl Limits {
    /// The most fielders in the outfield in the first overs and in the power play.
    pub const RESTRICTED: usize = 2;
    /// The most fielders in the outfield in other overs.
    pub const OPEN: usize = 5;

    /// The limits of an over.
    pub fn of_over(format: Format, over: u16, power_play: bool) -> Limits {
        let restricted = power_play || over <= format.restricted_overs();
        Limits { format, outfield: if restricted { Limits::RESTRICTED } else { Limits::OPEN } }
    }

    /// The limits as JSON, for a client.
    pub fn written(self) -> Value {
        json!({
            "tokens": TOKENS, "areas": self.format.areas(), "to_an_area": 1, "to_a_zone": 2,
            "zones_of_three": self.format.zones_of_three(), "outfield": self.outfield,
            "outfield_from_area": INFIELD + 1,
        })
    }
}

impl Field {
    /// The field of an edition for overs with these limits.
    pub fn printed(edition: &PrintedEdition, limits: Limits) -> Field {
        let fields = edition.fields.of(limits.format);
        Field(if limits.outfield == Limits::RESTRICTED { fields.restricted } else { fields.open })
    }

    /// The token at a position.
    pub fn token_at(&self, position: Position) -> Option<usize> {
        self.0.iter().position(|token| *token == position)
    }

    /// The tokens in the infield of the bye zone, from the innermost.
    pub fn slips(&self) -> impl Iterator<Item = usize> + '_ {
        (1..=INFIELD).filter_map(|area| self.token_at(Position { zone: Zone::Bye, area }))
    }

    /// Reads nine positions, in a list or by the names of the fielders, and refuses a field that breaks the
    /// limits. `fielders` are those who have a token, in its order.
    pub fn read(given: &Value, limits: Limits, fielders: &[&str]) -> Result<Field, Refusal> {
        let wrong =
            |message: String| Refusal::choice("field", message).by(&FIELD_TOKENS).legal(limits.written());
        let list = listed(given, fielders).map_err(wrong)?;
        let mut places = [Position { zone: Zone::Bye, area: 1 }; TOKENS];
        for (read, place) in places.iter_mut().zip(list) {
            let found = place.as_str().and_then(Position::of_text);
            let found = found.filter(|place| place.area <= limits.format.areas());
            *read = found.ok_or_else(|| {
                let zones: Vec<&str> = Zone::ALL.iter().map(|(_, word)| *word).collect();
                let areas = limits.format.areas();
                wrong(format!(
                    "{place} is not a position: a position is a zone ({}) and an area from 1 to {areas}, as \"cut.2\"",
                    zones.join(", ")
                ))
            })?;
        }
        let field = Field(places);
        match field.fault(limits) {
            None => Ok(field),
            Some((ruling, message)) => {
                Err(Refusal::choice("field", message).by(ruling).legal(limits.written()))
            }
        }
    }

    /// Whether the field keeps the limits.
    pub fn is_legal(&self, limits: Limits) -> bool {
        self.fault(limits).is_none()
    }

    fn fault(&self, limits: Limits) -> Option<(&'static Ruling, String)> {
        let twice = |(i, place): (usize, &Position)| self.0[..i].contains(place).then_some(*place);
        if let Some(place) = self.0.iter().enumerate().find_map(twice) {
            return Some((&FIELD_AREA, format!("two fielders stand in {place}; an area takes one")));
        }
        let in_zones = self.in_zones();
        let of_three = limits.format.zones_of_three();
        let crowded =
            |least: usize| Zone::ALL.iter().filter(move |(zone, _)| in_zones[zone.place()] >= least);
        if let Some((_, zone)) = crowded(4).next().or_else(|| crowded(3).nth(of_three)) {
            let most =
                if of_three == 0 { "a zone takes two" } else { "a zone takes two, and one of them three" };
            return Some((&FIELD_ZONE, format!("too many fielders stand in {zone}; {most}")));
        }
        let outfield = self.0.iter().filter(|place| place.in_outfield()).count();
        let most = limits.outfield;
        (outfield > most).then(|| {
            (
                &FIELD_OUTFIELD,
                format!("{outfield} fielders stand in the outfield; in this over it takes {most}"),
            )
        })
    }

    fn in_zones(&self) -> [usize; 6] {
        let mut in_zones = [0; 6];
        for place in &self.0 {
            in_zones[place.zone.place()] += 1;
        }
        in_zones
    }

    /// The field made legal: tokens too many in the outfield move to the first free legal areas of the
    /// infield, zone by zone.
    pub fn fitted(mut self, limits: Limits) -> Field {
        for token in (0..TOKENS).rev() {
            if self.is_legal(limits) {
                break;
            }
            if self.0[token].in_outfield() {
                self.bring_in(token, limits.format);
            }
        }
        self
    }

    fn bring_in(&mut self, token: usize, format: Format) {
        // The token is taken off first, so that its own zone has room for it.
        let from = self.0[token];
        let unlimited = Limits { format, outfield: TOKENS };
        let infield =
            Zone::ALL.iter().flat_map(|(zone, _)| (1..=INFIELD).map(|area| Position { zone: *zone, area }));
        for place in infield {
            if self.token_at(place).is_some() {
                continue;
            }
            self.0[token] = place;
            if self.is_legal(unlimited) {
                return;
            }
        }
        self.0[token] = from;
    }

    /// The field, in its form for the log.
    pub fn written(&self) -> Value {
        self.0.iter().map(|place| place.to_string()).collect()
    }
}

/// The nine positions of a field that was given, in the order of the tokens, or what is wrong.
fn listed<'a>(given: &'a Value, fielders: &[&str]) -> Result<Vec<&'a Value>, String> {
    let shape = "nine positions in the form \"zone.area\", one for each fielder in team order, without bowler and \
                 keeper, or an object with the position of each by name";
    match given {
        Value::Array(list) if list.len() == TOKENS => Ok(list.iter().collect()),
        Value::Array(list) => Err(format!("{} fielders are placed; field is {shape}", list.len())),
        Value::Object(named) => {
            if let Some(name) = named.keys().find(|name| !fielders.contains(&name.as_str())) {
                let fielders = fielders.join(", ");
                return Err(format!("{name:?} is not one of the fielders who are placed: {fielders}"));
            }
            let placed = |name: &&str| named.get(*name).ok_or_else(|| format!("{name} has no position"));
            fielders.iter().take(TOKENS).map(placed).collect()
        }
        _ => Err(format!("field is {shape}")),
    }
}

use super::value_at::ValueAt;
use crate::games::cricket_the_game::edition::model::{DefaultFields, EditionWord, Format, Position, Zone};
use crate::games::cricket_the_game::field::Limits;

/// Reads the default fields of a format.
pub fn default_fields(spot: &ValueAt, format: Format) -> Option<DefaultFields> {
    let fields = spot.object(&["restricted", "open"]);
    let restricted = fields.read("restricted", |spot| field(spot, format, Limits::RESTRICTED));
    let open = fields.read("open", |spot| field(spot, format, Limits::OPEN));
    Some(DefaultFields { restricted: restricted?, open: open? })
}

fn field(spot: &ValueAt, format: Format, outfield: usize) -> Option<[Position; 9]> {
    let field: [Position; 9] = spot.exactly("positions", |spot| position(spot, format))?;
    let areas = one_to_an_area(spot, &field);
    let zones = zones(spot, &field, format);
    let outfield = at_most_in_outfield(spot, &field, outfield);
    areas.and(zones).and(outfield).map(|()| field)
}

fn position(spot: &ValueAt, format: Format) -> Option<Position> {
    let position = spot.text().and_then(Position::of_text).filter(|position| position.area <= format.areas());
    position.or_else(|| {
        let zones: Vec<&str> = Zone::ALL.iter().map(|(_, word)| *word).collect();
        spot.is_not(|| {
            format!(
                "a zone and an area from 1 to {} as in \"off_cover.2\", the zone one of {}",
                format.areas(),
                zones.join(", ")
            )
        })
    })
}

fn one_to_an_area(spot: &ValueAt, field: &[Position]) -> Option<()> {
    let mut legal = Some(());
    for (k, position) in field.iter().enumerate() {
        if field[..k].contains(position) {
            legal = spot.fault(|| format!("has two fielders in {position}; one may stand in an area"));
        }
    }
    legal
}

fn zones(spot: &ValueAt, field: &[Position], format: Format) -> Option<()> {
    let mut three_may = format.zones_of_three() > 0;
    let mut legal = Some(());
    for (zone, word) in Zone::ALL {
        let here = field.iter().filter(|position| position.zone == *zone).count();
        if here <= 2 || (here == 3 && std::mem::take(&mut three_may)) {
            continue;
        }
        let limit = match format {
            Format::T10 => "two at most may stand in a zone",
            Format::T20 => "three may stand in one zone, and two at most in each of the others",
        };
        legal = spot.fault(|| format!("has {here} fielders in {word}; {limit}"));
    }
    legal
}

fn at_most_in_outfield(spot: &ValueAt, field: &[Position], most: usize) -> Option<()> {
    let beyond = field.iter().filter(|position| position.in_outfield()).count();
    if beyond <= most {
        return Some(());
    }
    spot.fault(|| format!("has {beyond} fielders in the outfield, beyond area 2; {most} may stand there"))
}

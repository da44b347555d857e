//! The board in words and shapes: zones and areas on an oval that fills a unit square, the keeper's end at
//! the left.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::super::edition::model::{EditionWord, Format, Position, PrintedEdition, WordSet, Zone};
use super::super::field::{Field, Limits};
use crate::rules::{PlaceAsked, Places, PlacesLimit, PlacesNamed};

/// A zone in words.
pub fn zone_title(zone: Zone) -> &'static str {
    match zone {
        Zone::Bye => "bye",
        Zone::GlanceHook => "glance, hook",
        Zone::PullBig => "pull, big hit",
        Zone::OnStraight => "straight, on",
        Zone::OffCover => "off, cover",
        Zone::Cut => "cut",
    }
}

/// A zone in one word, by its best known stroke.
fn stroke_word(zone: Zone) -> &'static str {
    match zone {
        Zone::Bye => "bye",
        Zone::GlanceHook => "glance",
        Zone::PullBig => "pull",
        Zone::OnStraight => "straight",
        Zone::OffCover => "cover",
        Zone::Cut => "cut",
    }
}

/// The zones that a bowl feeds, in words: `feeds pull and cut`.
pub fn feeds(zones: WordSet) -> String {
    let fed: Vec<&str> = Zone::strokes().filter(|zone| zones.has(*zone)).map(stroke_word).collect();
    match fed.as_slice() {
        [] => "feeds no stroke".to_owned(),
        [only] => format!("feeds {only}"),
        [some @ .., last] => format!("feeds {} and {last}", some.join(", ")),
    }
}

/// An area of a zone in words.
fn area_title(area: u8) -> &'static str {
    match area {
        1 => "inner infield",
        2 => "infield",
        3 => "outfield",
        _ => "deep outfield",
    }
}

const HALF_A_SECTOR: f64 = 30.0;

/// The direction in the middle of a zone, in degrees clockwise from the right.
fn direction(zone: Zone) -> f64 {
    180.0 + 60.0 * zone.place() as f64
}

static SECTORS: LazyLock<Vec<String>> =
    LazyLock::new(|| Zone::ALL.iter().map(|(zone, _)| ring(*zone, 0.0, 0.5)).collect());

/// The shape of a zone, as the path of an SVG.
pub fn sector(zone: Zone) -> String {
    SECTORS[zone.place()].clone()
}

/// The part of a zone between two distances from the middle, as the path of an SVG.
fn ring(zone: Zone, from: f64, to: f64) -> String {
    let point = |side: f64, distance: f64| {
        let angle = (direction(zone) + side * HALF_A_SECTOR).to_radians();
        format!("{:.3} {:.3}", 0.5 + distance * angle.cos(), 0.5 + distance * angle.sin())
    };
    let outer = format!("{}A{to:.3} {to:.3} 0 0 1 {}", point(-1.0, to), point(1.0, to));
    if from == 0.0 {
        return format!("M0.500 0.500L{outer}Z");
    }
    format!("M{outer}L{}A{from:.3} {from:.3} 0 0 0 {}Z", point(1.0, from), point(-1.0, from))
}

/// The positions of a format, zone by zone.
fn positions(format: Format) -> impl Iterator<Item = Position> {
    let of_zone = move |zone: Zone| (1..=format.areas()).map(move |area| Position { zone, area });
    Zone::ALL.iter().flat_map(move |(zone, _)| of_zone(*zone))
}

/// A side of the board: its places, and how many of them may be taken in restricted overs and in others.
/// Each field shows all of it again, so it is written once.
struct WrittenBoard {
    places: Vec<PlaceAsked>,
    restricted: Vec<PlacesLimit>,
    open: Vec<PlacesLimit>,
}

static BOARDS: LazyLock<[WrittenBoard; 2]> = LazyLock::new(|| {
    [Format::T10, Format::T20].map(|format| WrittenBoard {
        places: areas(format),
        restricted: at_most(Limits { format, outfield: Limits::RESTRICTED }),
        open: at_most(Limits { format, outfield: Limits::OPEN }),
    })
});

fn areas(format: Format) -> Vec<PlaceAsked> {
    let distance = |area: u8| 0.5 * f64::from(area) / f64::from(format.areas());
    let place = |position: Position| PlaceAsked {
        id: position.to_string(),
        title: format!("{}, {}", zone_title(position.zone), area_title(position.area)),
        shape: Some(ring(position.zone, distance(position.area - 1), distance(position.area))),
    };
    positions(format).map(place).collect()
}

/// The places of the fielders who have a token, within the limits, and where they stand now. The edition has
/// a field for these limits.
pub fn places(field: Field, limits: Limits, fielders: &[&str], edition: &PrintedEdition) -> Places {
    let stands = |(name, place): (&&str, &Position)| ((*name).to_owned(), json!(place.to_string()));
    let standing = |field: Field| fielders.iter().zip(&field.0).map(stands).collect::<Map<String, Value>>();
    let printed = Field::printed(edition, limits);
    let board = &BOARDS[limits.format.place()];
    let at_most = if limits.outfield == Limits::RESTRICTED { &board.restricted } else { &board.open };
    Places {
        names: fielders.iter().map(|name| (*name).to_owned()).collect(),
        places: board.places.clone(),
        at_most: at_most.clone(),
        now: standing(field),
        named: vec![PlacesNamed { title: "The edition\u{2019}s field".to_owned(), at: standing(printed) }],
    }
}

/// Each two zones. One of two may hold three fielders and the other two, so that no two zones hold three.
fn pairs_of_zones() -> impl Iterator<Item = [Zone; 2]> {
    Zone::ALL
        .iter()
        .enumerate()
        .flat_map(|(at, (one, _))| Zone::ALL[at + 1..].iter().map(move |(other, _)| [*one, *other]))
}

fn at_most(limits: Limits) -> Vec<PlacesLimit> {
    let format = limits.format;
    let ids = |of: &dyn Fn(&Position) -> bool| -> Vec<String> {
        positions(format).filter(of).map(|position| position.to_string()).collect()
    };
    let area = |position: Position| PlacesLimit {
        places: vec![position.to_string()],
        n: 1,
        text: "an area takes one".to_owned(),
    };
    let (n, text) = match format.zones_of_three() {
        0 => (2, "a zone takes two"),
        _ => (3, "a zone takes two, and one of them three"),
    };
    let zone =
        |zone: Zone| PlacesLimit { places: ids(&|position| position.zone == zone), n, text: text.to_owned() };
    let outfield = PlacesLimit {
        places: ids(&|position| position.in_outfield()),
        n: limits.outfield as u8,
        text: format!("{} may stand in the outfield", limits.outfield),
    };
    let zones = Zone::ALL.iter().map(|(word, _)| zone(*word));
    let pairs = pairs_of_zones().filter(|_| format.zones_of_three() > 0).map(|pair| PlacesLimit {
        places: ids(&|position| pair.contains(&position.zone)),
        n: 5,
        text: text.to_owned(),
    });
    positions(format).map(area).chain(zones).chain(pairs).chain([outfield]).collect()
}

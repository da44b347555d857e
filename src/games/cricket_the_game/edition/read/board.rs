use super::value_at::ValueAt;
use crate::games::cricket_the_game::edition::model::{
    Area, Board, Bounce, Each, Format, Style, WordSet, Zone,
};

/// Reads both sides of the board.
pub fn boards(spot: &ValueAt) -> Option<Each<Board, 2>> {
    let fields = spot.object(&["t10", "t20"]);
    let t10 = fields.read("t10", |spot| board(spot, Format::T10));
    let t20 = fields.read("t20", |spot| board(spot, Format::T20));
    Some(Each([t10?, t20?]))
}

fn board(spot: &ValueAt, format: Format) -> Option<Board> {
    let areas = usize::from(format.areas());
    spot.each_word::<Zone, _, 6>(|spot| spot.each_of(areas..=areas, "areas", area)).map(Board)
}

fn area(spot: &ValueAt) -> Option<Area> {
    let fields = spot.object(&["catch", "red"]);
    let catch = fields.read("catch", catch);
    let red = fields.read("red", red);
    Some(Area { catch: catch?, red: red? })
}

fn catch(spot: &ValueAt) -> Option<Option<u8>> {
    if spot.is_null() { Some(None) } else { spot.count(2..=6).map(Some) }
}

fn red(spot: &ValueAt) -> Option<WordSet> {
    match spot.as_yes_or_no() {
        Some(true) => Some(WordSet::ALL),
        Some(false) => Some(WordSet::default()),
        None => spot.some_words::<Style>(WordSet::ALL),
    }
}

/// Reads the red and the green bounce die.
pub fn bounce_dice(spot: &ValueAt) -> Option<Each<[Bounce; 6], 2>> {
    let fields = spot.object(&["red", "green"]);
    let red = fields.read("red", |spot| spot.exactly("faces", bounce));
    let green = fields.read("green", |spot| spot.exactly("faces", bounce));
    Some(Each([red?, green?]))
}

fn bounce(spot: &ValueAt) -> Option<Bounce> {
    let fields = spot.object(&["areas", "air"]);
    let areas = fields.read("areas", |spot| spot.count(0..=2));
    let air = fields.read("air", ValueAt::yes_or_no);
    Some(Bounce { areas: areas?, air: air? })
}

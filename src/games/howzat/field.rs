//! The field: the player on each of the positions 2 to 12.

use serde_json::Value;

use crate::rules::Choices;
use crate::scorebook::Player;

/// The position of the wicketkeeper.
pub const KEEPER: u8 = 7;
/// The position of the bowler of this over.
pub const BOWLER: u8 = 12;
/// The position of the bowler of the over before.
pub const LAST_BOWLER: u8 = 2;

const POSITIONS: usize = 11;

/// A field: one player on each of the positions 2 to 12, the totals of the two fielder dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field([Player; POSITIONS]);

impl Default for Field {
    /// The field in team order over the positions 12, 2, 3, ... 11, so that the seventh in the list keeps
    /// wicket.
    fn default() -> Field {
        let mut field = [Player(0); POSITIONS];
        for (place, player) in (0..POSITIONS as u8).map(Player).enumerate().skip(1) {
            field[place - 1] = player;
        }
        Field(field)
    }
}

impl Field {
    /// The player on a position, 2 to 12.
    pub fn at(&self, position: u8) -> Player {
        self.0[slot(position)]
    }

    /// The wicketkeeper: the player on position 7.
    pub fn keeper(&self) -> Player {
        self.at(KEEPER)
    }

    /// Moves a player to a position; the player who was there takes the position that he leaves.
    pub fn swap_in(&mut self, player: Player, position: u8) {
        if let Some(from) = self.0.iter().position(|&other| other == player) {
            self.0.swap(from, slot(position));
        }
    }

    /// Swaps the players on two positions.
    pub fn swap(&mut self, a: u8, b: u8) {
        self.0.swap(slot(a), slot(b));
    }

    /// Reads a field from an object of positions and names, or of names and positions. The error says what is
    /// wrong.
    pub fn read(value: &Value, sheet: &[String]) -> Result<Field, String> {
        let shape =
            "a field is an object of positions \"2\" to \"12\" and players, or of players and positions";
        let given = value.as_object().ok_or(shape)?;
        let named = if is_by_name(given, sheet) { &by_position(given, sheet)? } else { given };
        let mut field = Field::default();
        for position in LAST_BOWLER..=BOWLER {
            let name =
                named.get(&position.to_string()).ok_or(format!("nobody stands on position {position}"))?;
            let place = sheet.iter().position(|player| name == player);
            let place = place.ok_or(format!("{name} on position {position} is not in the side"))?;
            let player = Player(place as u8);
            if (LAST_BOWLER..position).any(|earlier| field.at(earlier) == player) {
                return Err(format!("{name} stands on two positions"));
            }
            field.0[slot(position)] = player;
        }
        if named.len() != POSITIONS {
            return Err("a field has the positions 2 to 12 and no others".to_owned());
        }
        Ok(field)
    }

    /// Reads a field in the form of [`written`](Self::written), quickly; `self` is the field that is most
    /// likely. Returns nothing on any doubt; [`read`](Self::read) then says what is wrong.
    pub fn read_written(self, named: &Choices, sheet: &[String]) -> Option<Field> {
        let mut field = self;
        let mut placed = 0u32;
        for (position, name) in named {
            let at = slot(position_of(position)?);
            let stands = |player: &Player| sheet.get(player.index()).is_some_and(|known| name == known);
            let likely = Some(self.0[at]).filter(stands);
            let player = likely.or_else(|| (0..POSITIONS as u8).map(Player).find(stands))?;
            placed |= 1 << player.0;
            field.0[at] = player;
        }
        (named.len() == POSITIONS && placed.count_ones() as usize == POSITIONS).then_some(field)
    }

    /// The field, in its form for the log.
    pub fn written(&self, sheet: &[String]) -> Choices {
        (LAST_BOWLER..=BOWLER)
            .map(|position| (position.to_string(), Value::from(sheet[self.at(position).index()].as_str())))
            .collect()
    }
}

/// The position that a text names, 2 to 12.
fn position_of(text: &str) -> Option<u8> {
    match *text.as_bytes() {
        [digit @ b'2'..=b'9'] => Some(digit - b'0'),
        [b'1', digit @ b'0'..=b'2'] => Some(10 + digit - b'0'),
        _ => None,
    }
}

/// Whether a field has the position of each player by name. A player may have a number for a name, so a field
/// whose members are all positions has the player on each of them.
fn is_by_name(given: &Choices, sheet: &[String]) -> bool {
    !given.keys().all(|key| position_of(key).is_some()) && given.keys().any(|key| sheet.contains(key))
}

/// The player on each position, of a field that has the position of each player.
fn by_position(given: &Choices, sheet: &[String]) -> Result<Choices, String> {
    let mut placed = Choices::new();
    for (name, position) in given {
        if !sheet.contains(name) {
            return Err(format!("{name:?} is not in the side"));
        }
        let at = position.as_str().filter(|text| position_of(text).is_some());
        let at = at.ok_or_else(|| format!("{name} is on {position}; a position is \"2\" to \"12\""))?;
        if let Some(other) = placed.insert(at.to_owned(), name.as_str().into()) {
            return Err(format!("{other} and {name:?} stand on position {at}"));
        }
    }
    Ok(placed)
}

const fn slot(position: u8) -> usize {
    position as usize - LAST_BOWLER as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_field_is_team_order_over_12_2_3_and_so_on() {
        let field = Field::default();
        assert_eq!([12, 2, 3, 7, 11].map(|position| field.at(position)), [0, 1, 2, 6, 10].map(Player));
    }

    #[test]
    fn a_field_that_is_written_reads_back_and_one_that_is_no_permutation_is_refused() {
        let sheet: Vec<String> = (1..=11).map(|n| format!("P{n}")).collect();
        let mut field = Field::default();
        field.swap_in(Player(10), BOWLER);
        let mut written = field.written(&sheet);
        assert_eq!(Field::read(&Value::from(written.clone()), &sheet), Ok(field));
        written.insert("3".to_owned(), "P11".into());
        let twice = Field::read(&Value::from(written.clone()), &sheet).unwrap_err();
        assert_eq!(twice, "\"P11\" stands on two positions");
        written.remove("3");
        let nobody = Field::read(&Value::from(written), &sheet).unwrap_err();
        assert_eq!(nobody, "nobody stands on position 3");
    }

    #[test]
    fn a_field_by_name_is_the_field_by_position() {
        let sheet: Vec<String> = (1..=11).map(|n| format!("P{n}")).collect();
        let mut field = Field::default();
        field.swap_in(Player(10), BOWLER);
        let by_name = |written: &Choices| -> Choices {
            written.iter().map(|(at, name)| (name.as_str().unwrap().to_owned(), at.as_str().into())).collect()
        };
        let mut named = by_name(&field.written(&sheet));
        let read = |named: &Choices| Field::read(&Value::from(named.clone()), &sheet);
        assert_eq!(read(&named), Ok(field));
        named.insert("P3".to_owned(), 3.into());
        assert_eq!(read(&named).unwrap_err(), "P3 is on 3; a position is \"2\" to \"12\"");
        named.insert("P3".to_owned(), "12".into());
        assert_eq!(read(&named).unwrap_err(), "\"P11\" and \"P3\" stand on position 12");
        named.remove("P3");
        assert_eq!(read(&named).unwrap_err(), "nobody stands on position 3");
        named.insert("P12".to_owned(), "3".into());
        assert_eq!(read(&named).unwrap_err(), "\"P12\" is not in the side");
    }

    #[test]
    fn a_field_of_players_with_numbers_for_names_has_a_player_on_each_position() {
        let sheet: Vec<String> = (2..=12).rev().map(|n| n.to_string()).collect();
        let field = Field::default();
        assert_eq!(Field::read(&Value::from(field.written(&sheet)), &sheet), Ok(field));
    }
}

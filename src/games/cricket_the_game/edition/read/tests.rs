use serde_json::Value;

use super::read;
use crate::games::cricket_the_game::edition::HOUSE;

fn house() -> Value {
    serde_json::from_str(HOUSE).expect("the house edition is JSON")
}

#[test]
fn the_house_edition_has_no_mistake() {
    let edition = read(&house()).expect("no mistake");
    assert_eq!(edition.id, "house");
}

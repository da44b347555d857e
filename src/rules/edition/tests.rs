use serde_json::json;

use super::*;

fn made(value: Value) -> Edition {
    let text = canonical(&value).unwrap();
    let id = value["id"].as_str().unwrap().to_owned();
    Edition { game: "none", id, sha256: hash_of(&text), text, value, read: Arc::new(7_u8) }
}

#[test]
fn a_team_becomes_a_sheet_with_its_cards() {
    let players = json!([{"name": "Ann", "role": "pace"}, {"name": "Bea", "role": "keeper"}]);
    let edition =
        made(json!({"id": "e", "teams": [{"name": "Larks", "players": players}, {"name": "Owls"}]}));
    assert_eq!(edition.teams(), ["Larks", "Owls"]);
    let sheet = edition.team("Us", "Larks").unwrap();
    assert_eq!(serde_json::to_value(&sheet).unwrap(), json!({"name": "Us", "players": players}));
    assert_eq!(
        edition.team("Us", "Larx").unwrap_err(),
        "edition \"e\" has no team \"Larx\"; it has \"Larks\", \"Owls\""
    );
    assert!(edition.team("Us", "Owls").is_err());
    assert!(made(json!({"id": "e"})).team("Us", "Larks").is_err());
}

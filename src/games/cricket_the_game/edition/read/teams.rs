use super::value_at::ValueAt;
use crate::games::cricket_the_game::edition::model::{EditionWord, PlayerCard, Team};
use crate::games::cricket_the_game::squad::{LEAST_CONFIDENCE, MOST_CONFIDENCE, ROLES, SQUAD};

const MOST_TEAMS: usize = 32;
const PLAYERS: usize = SQUAD as usize;

/// Reads the teams of player cards.
pub fn teams(spot: &ValueAt) -> Option<Vec<Team>> {
    let teams = spot.each_of(0..=MOST_TEAMS, "teams", team);
    spot.no_two_alike("name")?;
    teams
}

fn team(spot: &ValueAt) -> Option<Team> {
    let fields = spot.object(&["name", "players"]);
    let name = fields.read("name", ValueAt::name);
    let players = fields.read("players", players);
    Some(Team { name: name?, players: players? })
}

fn players(spot: &ValueAt) -> Option<Vec<PlayerCard>> {
    let players = spot.each_of(PLAYERS..=PLAYERS, "players", player);
    let alike = spot.no_two_alike("name");
    let players = players.filter(|players| players.len() == PLAYERS)?;
    let (mut have, required) = ([0; ROLES.len()], ROLES.map(|(_, many)| many));
    for player in &players {
        have[player.role.place()] += 1;
    }
    if have != required {
        return spot.fault(|| format!("a team has {}; this has {}", roles(required), roles(have)));
    }
    alike.map(|()| players)
}

fn player(spot: &ValueAt) -> Option<PlayerCard> {
    let fields = spot.object(&["name", "role", "confidence"]);
    let name = fields.read("name", ValueAt::name);
    let role = fields.read("role", ValueAt::word);
    let confidence = fields.read("confidence", |spot| spot.number(LEAST_CONFIDENCE..=MOST_CONFIDENCE));
    Some(PlayerCard { name: name?, role: role?, confidence: confidence? })
}

fn roles(many: [usize; ROLES.len()]) -> String {
    let each = ROLES.iter().zip(many).map(|((role, _), many)| format!("{many} {}", role.word()));
    each.collect::<Vec<_>>().join(", ")
}

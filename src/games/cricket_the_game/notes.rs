//! Commentary notes on what was played: where a ball went and how, from the facts in the log. An event always
//! gives an equal note.

use serde_json::Value;

use super::edition::model::{Duelist, Style};
use super::named_card::NamedCard;
use super::state::CricketTheGame;
use crate::log::{Ball, Over, SetUp};

/// The note on the set-up: the pitch.
pub fn of_set_up(set_up: &SetUp) -> Option<String> {
    match set_up.choices.get("pitch")?.as_str()? {
        "neutral" => Some("on a pitch that favours nobody".to_owned()),
        favoured => Some(format!("on a pitch that favours {favoured}")),
    }
}

/// The note on an over, beside its bowler.
pub fn of_over(over: &Over) -> Option<String> {
    (over.choices.get("power_play") == Some(&Value::Bool(true))).then(|| "in the power play".to_owned())
}

/// The note on a ball, beside its runs or its wicket.
pub fn of_ball(ball: &Ball) -> Option<String> {
    let notes = BallNotes { ball };
    let mut parts: Vec<String> = Vec::new();
    if notes.is("free_hit") {
        parts.push("off the free hit".to_owned());
    }
    match (notes.word("express"), notes.word("zone")) {
        (Some(symbol), _) => parts.extend(notes.express(symbol)),
        (None, Some(zone)) => parts.extend(notes.struck(zone)),
        (None, None) => parts.extend(notes.not_struck()),
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The cards of a ball by their printed names. Its record has their ids, which are unique in a style.
pub fn cards(state: &CricketTheGame, ball: &Ball) -> Option<String> {
    let cards = ball.outcome.detail.get("cards")?;
    let style = style_of(state, ball)?;
    let edition = state.edition();
    let id = |name: &str| cards.get(name).and_then(Value::as_str);
    let bowl = id("bowl").and_then(|id| printed(edition.bowls.of(style), id));
    let over = id("over").and_then(|id| printed(edition.over_decks.of(style), id));
    let skills = cards.get("skills").and_then(Value::as_array).into_iter().flatten();
    let skills = skills.filter_map(Value::as_str).filter_map(|id| {
        let side = if is_bowlers(ball, id) { Duelist::Bowler } else { Duelist::Batter };
        printed(edition.skills_of(side), id)
    });
    let over = over.map(|name| format!("over card {name}"));
    let skills = skills.map(|name| format!("skill {name}"));
    let named: Vec<String> = bowl.map(str::to_owned).into_iter().chain(over).chain(skills).collect();
    (!named.is_empty()).then(|| named.join("; "))
}

fn printed<'a, C: NamedCard>(cards: &'a [C], id: &str) -> Option<&'a str> {
    cards.iter().find(|card| card.id() == id).map(NamedCard::name)
}

/// The style of the bowler of a ball, also once its over or its innings has ended.
fn style_of(state: &CricketTheGame, ball: &Ball) -> Option<Style> {
    let side = if ball.innings == 1 { state.bats_first.other() } else { state.bats_first };
    let names = &state.setting.created.sheet(side).players;
    let bowler = names.iter().position(|name| *name == ball.outcome.bowler)?;
    state.setting.squads[side].get(bowler)?.role.style()
}

/// Whether it is the bowler who used the skill of this id on a ball: a batter may have one of an equal id.
fn is_bowlers(ball: &Ball, id: &str) -> bool {
    let named = ball.choices.get("skills").and_then(|skills| skills.get("bowler"));
    let named = named.and_then(Value::as_array).is_some_and(|named| named.iter().any(|name| name == id));
    named || ball.choices.get("reroll_bowler").is_some_and(|by| by == id)
}

/// The source of a ball's notes: its record in the log.
struct BallNotes<'a> {
    ball: &'a Ball,
}

/// The phrases for strokes into a zone: strokes that stay in the infield, strokes that go further, and the
/// lofted stroke of an aggressive batter.
type Phrases = (&'static str, [&'static str; 2], [&'static str; 2], &'static str);

const STROKES: [Phrases; 5] = [
    (
        "glance_hook",
        ["glanced fine", "tickled round the corner"],
        ["turned away off the hip", "hooked behind square"],
        "hooked high behind square",
    ),
    (
        "pull_big",
        ["worked to midwicket", "nudged to leg"],
        ["pulled through midwicket", "swung to leg"],
        "heaved over wide long-on",
    ),
    (
        "on_straight",
        ["pushed to mid-on", "pushed back past the bowler"],
        ["driven on", "driven straight"],
        "lofted back over the bowler's head",
    ),
    (
        "off_cover",
        ["pushed to mid-off", "pushed into the covers"],
        ["driven through off", "driven through the covers"],
        "carved over extra cover",
    ),
    (
        "cut",
        ["dabbed late", "run down to third"],
        ["cut square", "cut away behind point"],
        "slashed over backward point",
    ),
];

impl BallNotes<'_> {
    fn at(&self, name: &str) -> Option<&Value> {
        self.ball.outcome.detail.get(name)
    }

    fn word(&self, name: &str) -> Option<&str> {
        self.at(name)?.as_str()
    }

    fn number(&self, name: &str) -> Option<i64> {
        self.at(name)?.as_i64()
    }

    fn is(&self, name: &str) -> bool {
        self.at(name).and_then(Value::as_bool).unwrap_or(false)
    }

    fn cites(&self, ruling: &str) -> bool {
        self.ball.outcome.rulings.iter().any(|id| id == ruling)
    }

    /// One of several phrases, by the number of the delivery.
    fn one_of<'w>(&self, phrases: &[&'w str]) -> &'w str {
        phrases[self.ball.delivery as usize % phrases.len()]
    }

    fn is_aggressive(&self) -> bool {
        self.ball.choices.get("attitude").and_then(Value::as_str) == Some("aggressive")
    }

    fn express(&self, symbol: &str) -> Option<String> {
        let words = match symbol {
            "dot" => self.one_of(&["straight to the field", "left alone", "defended"]),
            "one" => self.one_of(&["nudged away", "pushed into the gap"]),
            "two" => self.one_of(&["placed wide of the field", "clipped away, and they come back"]),
            "three" => self.one_of(&["chased down just inside the rope", "a long chase in the deep"]),
            "patience" => self.one_of(&["tight, the bowler builds it up", "on the spot, the bowler waits"]),
            "threat" => self.one_of(&["past the edge, a warning", "just over the stumps, a warning"]),
            "boundary" => self.one_of(&["he goes for it", "a full swing of the bat"]),
            _ => return None,
        };
        Some(words.to_owned())
    }

    fn not_struck(&self) -> Vec<String> {
        let mut parts = Vec::new();
        let mut say = |words: &str| parts.push(words.to_owned());
        if self.is("dead_ball") {
            say("dead ball, it is bowled again");
        } else if self.cites("ctg.clean_bowled") {
            say(self.one_of(&["through the gate", "nothing to be done about that one"]));
        } else if self.cites("ctg.boundary.six_natural") || self.cites("ctg.boundary.four_natural") {
            say(self.one_of(&["a gift, and put away", "a long hop, and he helps himself"]));
        } else if self.cites("ctg.card.runs") && self.ball.outcome.runs.total == 0 {
            say(self.one_of(&["nothing in it for him", "tied down"]));
        } else if self.cites("ctg.block") {
            say(self.one_of(&["blocked", "met with the full face", "defended into the ground"]));
        } else if self.cites("ctg.miss") {
            let wild = ["swings and misses", "through it too early", "a wild swing"];
            let calm = ["beaten", "past the outside edge", "plays inside the line"];
            say(self.one_of(if self.is_aggressive() { &wild } else { &calm }));
        }
        if self.cites("ctg.slips.missed") {
            say(self.one_of(&["a thick edge falls short of the slips", "past the slips off the edge"]));
        }
        if self.cites("ctg.slips.held") {
            say("taken in the slips");
        }
        if self.cites("ctg.miss.not_bowled") {
            say(self.one_of(&["just over the bails", "inches from off stump"]));
        }
        parts.extend(self.appeal());
        parts
    }

    fn appeal(&self) -> Option<String> {
        let appeal = self.at("appeal")?;
        let how = match appeal.get("for")?.as_str()? {
            "lbw" => "leg before",
            "stumped" => "a stumping",
            _ => "a catch behind",
        };
        let given = appeal.get("out")?.as_bool()?;
        Some(format!("a big appeal for {how}: {}", if given { "given out" } else { "not out" }))
    }

    fn struck(&self, zone: &str) -> Vec<String> {
        let (Some(distance), Some(area)) = (self.number("distance"), self.number("area")) else {
            return Vec::new();
        };
        let air = self.at("bounce").and_then(|bounce| bounce.get("air")?.as_bool()).unwrap_or(false);
        let mut parts = vec![self.stroke(zone, distance, air)];
        if self.cites("ctg.strike.shorter") {
            parts.push("off a leading edge".to_owned());
        } else if self.cites("ctg.strike.longer") {
            parts.push("out of the middle".to_owned());
        }
        parts.extend(self.path(area, air));
        if let Some(catch) = self.at("catch") {
            parts.extend(self.catch(catch));
        }
        parts.extend(self.field());
        parts
    }

    fn stroke(&self, zone: &str, distance: i64, air: bool) -> String {
        let known = STROKES.iter().find(|(known, ..)| *known == zone);
        let (_, near, far, high) = known.unwrap_or(&STROKES[0]);
        let goes_far = distance > 4 || self.ball.outcome.boundary.is_some();
        if air && distance > 4 && self.is_aggressive() {
            return (*high).to_owned();
        }
        let stroke = self.one_of(if goes_far { far } else { near });
        match (air, self.is_aggressive()) {
            (true, true) => format!("{stroke} on the up"),
            (true, false) => format!("{stroke} in the air"),
            (false, _) => stroke.to_owned(),
        }
    }

    /// The way of the ball to the boundary.
    fn path(&self, area: i64, air: bool) -> Option<String> {
        let boundary = self.ball.outcome.boundary?;
        let words = match (boundary, air, area) {
            (6, _, _) => self.one_of(&["all the way", "into the crowd", "it is still rising"]),
            (_, true, 3..) => {
                self.one_of(&["over the infield, one bounce, to the rope", "one bounce over the rope"])
            }
            (_, true, _) => self.one_of(&["over the ring, and it runs away", "past the dive, and away"]),
            (_, false, 3..) => self.one_of(&["through the gap to the rope", "along the carpet to the rope"]),
            (_, false, _) => self.one_of(&["nobody near it", "threaded through the ring"]),
        };
        Some(words.to_owned())
    }

    fn catch(&self, catch: &Value) -> Option<String> {
        let name = catch.get("fielder")?.as_str()?;
        Some(if catch.get("held")?.as_bool()? {
            self.one_of(&["straight to hand", "held low down", "judged to perfection"]).to_owned()
        } else {
            format!("dropped by {name}")
        })
    }

    /// The fielding of a ball that stops in the field.
    fn field(&self) -> Option<String> {
        let stopped = self.number("stopped")?;
        let tried = self.number("tried");
        let risk = self.cites("ctg.extra_run");
        let fielded = match self.word("fielder") {
            Some(name) => format!("fielded by {name}"),
            None if stopped > 2 => "into the open spaces".to_owned(),
            None => "into the gap".to_owned(),
        };
        Some(match (risk, self.cites("ctg.run_out"), tried) {
            (true, true, _) => format!("{fielded}, they risk one more, and the throw is good"),
            (true, false, _) => format!("{fielded}, they risk one more and are home"),
            (false, _, Some(0)) => format!("{fielded}, and they stay"),
            (false, _, None) => format!("{fielded}, and no run is allowed"),
            (false, _, Some(_)) if self.cites("ctg.overthrows") => format!("{fielded}, and overthrows"),
            (false, _, Some(_)) => fielded,
        })
    }
}

//! Small matches in words: `by:B11 | bowl:leg stroke:cut run:2 : 3 5 4 1 / : 3 3`.
//!
//! Before the bar is the match, as words `name:value` (and `card=[effects]` for what is printed on a card of
//! the edition); after it are its balls with their choices and, after a colon, their dice.

use std::collections::HashMap;

use serde_json::{Map, Value, json};
use third_umpire::dice::TableDice;
use third_umpire::log::Ball;
use third_umpire::rules::{Next, Place, Refusal, RefusalKind};
use third_umpire::scorebook::Outcome;
use third_umpire_test_support::logs::{PlayedMatch, ball};
use third_umpire_test_support::score::Score;
use third_umpire_test_support::words;

use super::{as_edition, in_play, last_ball, last_over, overs, plain};
use crate::tables::Row;

/// The places of the tokens in the first overs of the edition.
pub const FIELD: [&str; 9] = [
    "bye.1",
    "glance_hook.2",
    "pull_big.2",
    "pull_big.3",
    "on_straight.1",
    "on_straight.2",
    "off_cover.2",
    "off_cover.3",
    "cut.2",
];

/// A match in words, in play.
#[derive(Clone)]
pub struct Story {
    pub played: PlayedMatch,
    /// The bowler, where the words name one.
    bowler: Option<String>,
    openers: Option<Value>,
    attitudes: Option<Value>,
    power_play: bool,
    field: Vec<String>,
}

impl Story {
    /// Begins the match in these words, before its first ball or, with `over:n`, before the first ball of
    /// that over.
    pub fn begin(heading: &str, words: &str) -> Story {
        let words: Vec<&str> = heading.split_whitespace().chain(words.split_whitespace()).collect();
        let mut edition = plain();
        for (card, effects) in words.iter().filter_map(|word| word.split_once('=')) {
            print_on(&mut edition, card, &serde_json::from_str(effects).expect("effects"));
        }
        if words.contains(&"rerolls:on") {
            let reroll =
                |side: &str, so_far: &[&str]| json!([{"when": {"so_far": so_far}, "then": {"reroll": side}}]);
            print_on(&mut edition, "again", &reroll("batter", &["miss"]));
            print_on(&mut edition, "more", &reroll("bowler", &["strike", "boundary"]));
        }
        let settings: HashMap<&str, &str> = words.iter().filter_map(|word| word.split_once(':')).collect();
        let value = |name: &str| settings.get(name).copied();
        let (format, drs) = (value("format").unwrap_or("t20"), value("drs").unwrap_or("off"));
        let rules = json!({"format": format, "drs": drs});
        let confidence = value("confidence").map_or(1, |digits| digits.parse().expect("a number"));
        let pitch = value("pitch").unwrap_or("neutral");
        let played = in_play(&as_edition(edition), rules, pitch, confidence);
        let names = |text: &str| json!(text.split(',').collect::<Vec<_>>());
        let mut story = Story {
            played,
            bowler: None,
            openers: Some(value("open").map_or(json!(["A5", "A6"]), names)),
            attitudes: value("attitudes").map(names),
            power_play: false,
            field: FIELD.map(str::to_owned).to_vec(),
        };
        let due = value("over").map_or(1, |digits| digits.parse().expect("a number"));
        while story.played.the_match.play().next_over() != (1, due) {
            if let Some(spare) = value("spare") {
                story.bowler = story.another_than(spare);
            }
            story.dot();
        }
        story.bowler = value("by").map(str::to_owned);
        story.power_play = value("power_play").is_some();
        story
    }

    /// Begins an over if one is due.
    pub fn begin_over(&mut self) {
        if !matches!(self.played.the_match.next(), Next::Choose { what: "over", .. }) {
            return;
        }
        let mut choices = json!({});
        if let Some(bowler) = self.bowler.take() {
            choices["bowler"] = json!(bowler);
        }
        if std::mem::take(&mut self.power_play) {
            choices["power_play"] = json!(true);
        }
        for (name, value) in [("openers", self.openers.take()), ("attitudes", self.attitudes.take())] {
            if let Some(value) = value {
                choices[name] = value;
            }
        }
        self.field = {
            let begun = self.played.over(choices);
            serde_json::from_value(begun.choices["field"].clone()).expect("places")
        };
    }

    /// The bowler of the next over if one bowler is spared: among the others, the one who has bowled least.
    fn another_than(&self, spare: &str) -> Option<String> {
        let Next::Choose { what: "over", legal, .. } = self.played.the_match.next() else { return None };
        let legal: Vec<String> = serde_json::from_value(legal["bowler"].clone()).expect("names");
        let bowled =
            |name: &String| overs(&self.played.log).filter(|over| over.choices["bowler"] == *name).count();
        legal.into_iter().filter(|name| name != spare).min_by_key(bowled)
    }

    /// Bowls a ball without a run or a wicket, whatever that takes.
    pub fn dot(&mut self) -> Ball {
        self.begin_over();
        let mut dice = vec![];
        loop {
            match self.bowl("", &dice) {
                Ok(ball) if ball.outcome.runs.total == 0 && ball.outcome.wicket.is_none() => return ball,
                Ok(ball) => panic!("a dot, and not {ball:?}"),
                Err(refusal) => match refusal.place {
                    Place::Die(at) if at < 2 => dice.push(3),
                    Place::Die(_) => dice.push(1),
                    _ => panic!("a dot, and not {refusal}"),
                },
            }
        }
    }

    /// Bowls a ball with a wicket, or a dot in express play.
    pub fn wicket_or_dot(&mut self) -> Ball {
        self.begin_over();
        match self.played.the_match.next() {
            Next::Choose { legal, .. } if legal.get("stroke").is_some() => {
                self.bowl("", &[6, 1]).expect("clean bowled")
            }
            _ => self.dot(),
        }
    }

    /// The legal values of the pending choice.
    pub fn legal(&self) -> Value {
        match self.played.the_match.next() {
            Next::Choose { legal, .. } => legal,
            other => panic!("nothing is to be chosen: {other:?}"),
        }
    }

    /// Bowls a ball with the choices in these words.
    pub fn bowl(&mut self, words: &str, dice: &[i64]) -> Result<Ball, Refusal> {
        let choices = self.choices(words);
        self.played.put(ball(choices), &mut TableDice::new(dice))?;
        let recorded = last_ball(&self.played.log).expect("a ball is recorded").clone();
        if let Some(field) = recorded.choices.get("field") {
            self.field = serde_json::from_value(field.clone()).expect("places");
        }
        Ok(recorded)
    }

    /// The choices of a ball in these words, with an over card and a stroke where it has them.
    pub fn choices(&self, words: &str) -> Value {
        let legal = match self.played.the_match.next() {
            Next::Choose { what: "ball", legal, .. } => legal,
            other => panic!("no ball is due: {other:?}"),
        };
        let mut choices = json!({});
        if let Some(card) = legal["over_card"].as_array().map(|cards| cards[0].clone()) {
            choices["over_card"] = card;
        }
        if legal.get("stroke").is_some() {
            choices["bowl"] = json!("straight");
            choices["stroke"] = json!("off_cover");
        }
        for (name, value) in words.split_whitespace().filter_map(|word| word.split_once(':')) {
            match name {
                "card" => choices["over_card"] = json!(value),
                "move" => choices["field"] = json!(self.moved(value)),
                "skill" => {
                    let side = if ["rip", "more"].contains(&value) { "bowler" } else { "batter" };
                    let named = &mut choices["skills"][side];
                    let mut list = named.as_array().cloned().unwrap_or_default();
                    list.push(json!(value));
                    *named = json!(list);
                }
                "run" | "longer" => choices[name] = serde_json::from_str(value).expect("a value"),
                name => choices[name] = json!(value),
            }
        }
        choices
    }

    /// The field with tokens moved: `cut.2>bye.2,pull_big.3>cut.1`.
    fn moved(&self, moves: &str) -> Vec<String> {
        let mut field = self.field.clone();
        for (from, to) in moves.split(',').filter_map(|step| step.split_once('>')) {
            let token = field.iter_mut().find(|place| *place == from).expect("a token stands there");
            *token = to.to_owned();
        }
        field
    }
}

/// Prints effects on a card: of the over decks, a bowl, a skill, or `pitch`.
pub fn print_on(edition: &mut Value, card: &str, effects: &Value) {
    let mut printed = false;
    let mut put = |one: &mut Value, due: bool| {
        if due {
            one["effects"] = effects.clone();
            printed = true;
        }
    };
    for deck in ["bowls", "over_decks", "skills"] {
        let lists = edition[deck].as_object_mut().expect("lists").values_mut();
        lists.flat_map(|list| list.as_array_mut().expect("a list")).for_each(|one| {
            let due = one["id"] == card;
            put(one, due);
        });
    }
    edition["pitch"].as_array_mut().expect("a list").iter_mut().for_each(|one| put(one, card == "pitch"));
    assert!(printed, "there is no card {card:?}");
}

/// The result of a row: its last ball, with the rulings it cites and the details that the row lists.
pub fn result_of(row: &Row<'_>) -> String {
    let (words, balls) = row.given.split_once('|').expect("a bar before the balls");
    let mut story = Story::begin(row.heading, words);
    let mut last = None;
    for one in balls.split(" / ") {
        let one = format!(" {one}");
        let (words, dice) = one.rsplit_once(" :").expect("a colon before the dice");
        if words.trim() == "dot" {
            last = Some(story.dot());
            continue;
        }
        story.begin_over();
        let dice: Vec<i64> = dice.split_whitespace().map(|die| die.parse().expect("a die")).collect();
        match story.bowl(words, &dice) {
            Ok(ball) => last = Some(ball),
            Err(refusal) => return refused(&refusal),
        }
    }
    last_result(&story.played, &last.expect("a ball"), row)
}

/// The result of the last ball of a row.
pub fn last_result(played: &PlayedMatch, last: &Ball, row: &Row<'_>) -> String {
    let column = row.expected.split(';').nth(2).unwrap_or_default();
    let mut parts = vec![without_detail(&last.outcome), rulings(&last.outcome)];
    let details: Vec<String> = column
        .split(',')
        .filter_map(|words| words.trim().split(' ').next())
        .filter(|name| !name.is_empty())
        .map(|name| format!("{name} {}", detail(played, last, name)))
        .collect();
    if !details.is_empty() {
        parts.push(details.join(", "));
    }
    parts.join(" ; ")
}

/// An outcome in words, without its details.
pub fn without_detail(outcome: &Outcome) -> String {
    words::outcome(&Outcome { detail: Map::new(), ..outcome.clone() })
}

fn refused(refusal: &Refusal) -> String {
    let legal = match (refusal.kind, &refusal.place) {
        (RefusalKind::NeedsInput, Place::Choice(_)) => format!(" {}", refusal.legal),
        _ => String::new(),
    };
    words::refusal(refusal) + &legal
}

/// The rulings of a ball, without their common prefix.
fn rulings(outcome: &Outcome) -> String {
    words::rulings("ctg", outcome)
}

fn detail(played: &PlayedMatch, ball: &Ball, name: &str) -> String {
    match name {
        "striker" => ball.outcome.striker.clone(),
        "non_striker" => ball.outcome.non_striker.clone(),
        "dice" => {
            ball.dice.iter().map(|die| format!("{}={}", die.what, die.sides)).collect::<Vec<_>>().join("+")
        }
        "place" => format!("{}.{}", ball.over, ball.ball),
        "innings" => ball.innings.to_string(),
        "score" => {
            let mut score = Score::default();
            let of_innings = |ball: &&Ball, innings: u16| ball.innings == innings;
            let balls = played.log.iter().filter_map(|event| match event {
                third_umpire::log::EventData::Ball(ball) => Some(ball),
                _ => None,
            });
            balls.filter(|one| of_innings(one, ball.innings)).for_each(|one| score.count(&one.outcome));
            format!("{}/{}", score.runs, score.wickets)
        }
        "field" => {
            let over = last_over(&played.log).expect("an over");
            words::value(&over.choices["field"]).replace(", ", "+")
        }
        "waits" => match played.the_match.next() {
            Next::Choose { what, .. } => what.to_owned(),
            other => format!("{other:?}"),
        },
        name => ball.outcome.detail.get(name).map_or("none".to_owned(), |value| match value {
            Value::Object(members) => members
                .iter()
                .map(|(key, value)| format!("{key}={}", words::value(value)))
                .collect::<Vec<_>>()
                .join("+"),
            other => words::value(other),
        }),
    }
}

//! What several of these tests need: two sides, a match that keeps its log, and text tables.

use std::sync::Arc;

use serde_json::Value;
use third_umpire::dice::{Dice, SeededDice, ServerSeed, TableDice};
use third_umpire::editions::{Edition, Editions, built_in_for};
use third_umpire::games::{Choices, Fixture, Game, Input, Play, Refusal, Terms, new_match, new_match_with};
use third_umpire::log::{
    Ball, ClientSeeds, CoinFace, EventData, MatchId, Over, SeedSource, TeamSheet, TossChoice,
};
use third_umpire::scorebook::Side;

/// The home side of most tests: A, players A1 to A11. It bats first.
pub const HOME: &str = "A";
/// The away side: B, players B1 to B11.
pub const AWAY: &str = "B";

pub fn howzat() -> &'static Game {
    Game::find("howzat").expect("howzat is one of the games")
}

pub fn sheet(side: &str) -> TeamSheet {
    TeamSheet::of_names(side, (1..=11).map(|n| format!("{side}{n}")).collect())
}

/// The two sides of most tests of any game: A and B or, where players have cards, the first teams of the game's edition.
pub fn sides(game: &Game) -> [TeamSheet; 2] {
    let Some(edition) = built_in_for(game) else { return [sheet(HOME), sheet(AWAY)] };
    let teams = edition.teams();
    [(HOME, teams[0]), (AWAY, teams[1])].map(|(side, team)| edition.team(side, team).expect("its team"))
}

/// Choices and options are JSON objects; so are these.
pub fn object(value: Value) -> Choices {
    match value {
        Value::Object(members) => members,
        other => panic!("{other} is not a JSON object"),
    }
}

/// A match and everything it has recorded.
#[derive(Clone)]
pub struct Match {
    pub fixture: Fixture,
    pub log: Vec<EventData>,
    seed: Option<ServerSeed>,
}

impl Match {
    pub fn create(
        game: &'static Game,
        rules: Value,
        home: TeamSheet,
        away: TeamSheet,
        seed: Option<ServerSeed>,
    ) -> Result<Match, Refusal> {
        Match::create_on(Terms::default(), game, rules, [home, away], seed)
    }

    /// A match whose sides come together on these terms; where both add to the seed, nobody gives it.
    pub fn create_on(
        terms: Terms,
        game: &'static Game,
        rules: Value,
        [home, away]: [TeamSheet; 2],
        seed: Option<ServerSeed>,
    ) -> Result<Match, Refusal> {
        let source = match terms.client_seeds {
            ClientSeeds::None => SeedSource::Creator,
            ClientSeeds::Both => SeedSource::Os,
        };
        let given = seed.as_ref().map(|seed| (seed, source));
        let created = new_match(game, &object(rules), home, away, given, terms)?;
        Ok(Match::from_first(EventData::MatchCreated(created), &Editions::default(), seed))
    }

    /// A match that is played with this edition.
    pub fn create_with(
        edition: &Arc<Edition>,
        rules: Value,
        [home, away]: [TeamSheet; 2],
        seed: Option<ServerSeed>,
    ) -> Result<Match, Refusal> {
        let game = Game::find(edition.game).expect("the game of the edition");
        let given = seed.as_ref().map(|seed| (seed, SeedSource::Creator));
        let terms = Terms::default();
        let created = new_match_with(Some(edition), game, &object(rules), home, away, given, terms)?;
        Ok(Match::from_first(EventData::MatchCreated(created), &Editions::from(Some(edition)), seed))
    }

    fn from_first(first: EventData, editions: &Editions, seed: Option<ServerSeed>) -> Match {
        let fixture = Fixture::from_log(MatchId::nil(), &first, editions)
            .expect("a match that was just created opens from its log");
        Match { fixture, log: vec![first], seed }
    }

    /// Decides, records, moves on.
    pub fn put(&mut self, input: Input, dice: &mut dyn Dice) -> Result<Vec<EventData>, Refusal> {
        let decision = self.fixture.decide(input, dice, self.seed.as_ref())?;
        self.fixture = decision.after;
        self.log.extend_from_slice(&decision.events);
        Ok(decision.events)
    }

    /// The same, with dice rolled by hand.
    pub fn enter(&mut self, input: Input, dice: &[i64]) -> Result<Vec<EventData>, Refusal> {
        self.put(input, &mut TableDice::new(dice))
    }

    /// The server seed of a seeded match.
    pub fn seed(&self) -> Option<&ServerSeed> {
        self.seed.as_ref()
    }

    /// The dice of the seed.
    pub fn seeded_dice(&self) -> Option<SeededDice> {
        self.seed.as_ref().map(|seed| SeededDice::new(&seed.match_seed(&[])))
    }

    /// A match of Howzat with table dice, A against B, before the toss.
    pub fn created(rules: Value) -> Match {
        Match::create(howzat(), rules, sheet(HOME), sheet(AWAY), None).expect("legal options")
    }

    /// The same, with A about to bat.
    pub fn in_play(rules: Value) -> Match {
        let mut a_match = Match::created(rules);
        a_match.enter(heads(), &[1]).expect("heads it is");
        a_match.enter(Input::TossDecision { to: TossChoice::Bat }, &[]).expect("A may choose");
        a_match
    }

    /// An over begins with these choices; what was recorded.
    pub fn over(&mut self, choices: Value) -> Over {
        match self.enter(over(choices), &[]).as_deref() {
            Ok([EventData::Over(over)]) => over.clone(),
            other => panic!("one over event is due, not {other:?}"),
        }
    }

    /// One ball with these choices; what was recorded of it.
    pub fn ball_with(&mut self, choices: Value, dice: &[i64]) -> Ball {
        let events = self.enter(ball(choices), dice).unwrap_or_else(|refusal| panic!("{dice:?}: {refusal}"));
        let last = events.into_iter().rev().find_map(|event| match event {
            EventData::Ball(ball) => Some(ball),
            _ => None,
        });
        last.expect("a ball is recorded")
    }

    /// One ball without choices.
    pub fn ball(&mut self, dice: &[i64]) -> Ball {
        self.ball_with(Value::Object(Choices::new()), dice)
    }

    /// Balls in a scorer's shorthand (see [`dice_for`]); the last of them.
    pub fn balls(&mut self, shorthand: &str) -> Option<Ball> {
        shorthand.split_whitespace().map(|sign| self.ball(dice_for(sign))).last()
    }
}

/// Home calls heads.
pub fn heads() -> Input {
    Input::Toss { caller: Side::Home, call: CoinFace::Heads }
}

pub fn over(choices: Value) -> Input {
    Input::Play(Play::Over(object(choices)))
}

pub fn ball(choices: Value) -> Input {
    Input::Play(Play::Ball(object(choices)))
}

/// The dice that make a ball a scorer would write down like this.
pub fn dice_for(sign: &str) -> &'static [i64] {
    match sign {
        "." => &[2, 3],
        "1" => &[2, 1],
        "2" => &[2, 2],
        "4" => &[2, 4],
        "6" => &[2, 6],
        "W" => &[2, 5],
        "ro" => &[6, 5],
        "wd" => &[1, 2],
        "nb" => &[1, 1, 3],
        "nb1" => &[1, 1, 1],
        "nb2" => &[1, 1, 2],
        "b1" => &[1, 3, 1],
        "b2" => &[1, 3, 2],
        "b4" => &[1, 3, 4],
        "lb1" => &[1, 4, 1],
        "lb4" => &[1, 4, 4],
        other => panic!("no dice for {other:?}"),
    }
}

/// A line of a text table: what stands left of the arrow, and the expected result right of it.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    pub line: usize,
    /// The `[heading]` it stands under, without the brackets.
    pub heading: &'a str,
    pub given: &'a str,
    pub expected: &'a str,
}

/// The rows of a text table. Blank lines and what follows a `#` are for the reader.
pub fn rows(table: &str) -> Vec<Row<'_>> {
    let mut heading = "";
    let mut rows = Vec::new();
    for (at, line) in table.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if let Some(words) = line.strip_prefix('[') {
            heading = words.strip_suffix(']').expect("a heading ends in a bracket");
        } else if !line.is_empty() {
            let (given, expected) = line.split_once(" -> ").unwrap_or_else(|| panic!("no arrow: {line}"));
            rows.push(Row { line: at + 1, heading, given: given.trim(), expected: expected.trim() });
        }
    }
    rows
}

/// Compares every row of a table with what `found` makes of it, and shows all that differ at once.
pub fn check_rows<'a>(rows: impl IntoIterator<Item = Row<'a>>, mut found: impl FnMut(&Row<'a>) -> String) {
    let mut differing = Vec::new();
    for row in rows {
        let Row { line, given, expected, .. } = row;
        let found = found(&row);
        if single_spaced(expected) != single_spaced(&found) {
            differing.push(format!("line {line}: {given}\n  expected {expected}\n  found    {found}"));
        }
    }
    assert!(differing.is_empty(), "{} rows differ:\n{}", differing.len(), differing.join("\n"));
}

fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

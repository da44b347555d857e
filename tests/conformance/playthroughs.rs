//! Whole matches as stories: one line an event, stored in `playthroughs/`, so that a changed rule shows as a
//! changed story. To write them anew: `UPDATE_PLAYTHROUGHS=1 cargo test --test conformance`, then read the
//! difference.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use third_umpire::dice::{Die, ServerSeed};
use third_umpire::games;
use third_umpire::games::BUILT_IN;
use third_umpire::log::{
    Ball, DiceMode, EventData, MatchCreated, Over, Review, Reviewed, TeamSheet, Toss, TossChoice,
};
use third_umpire::matches::Input;
use third_umpire::rules::{Choices, Next, Play};
use third_umpire::scorebook::{MatchResult, Method, Overs, Side};
use third_umpire_test_support::logs::{PlayedMatch, heads, sides};
use third_umpire_test_support::score::Score;
use third_umpire_test_support::words;

/// A match that is stored as a story.
struct Playthrough {
    /// The file name, without `.txt`.
    name: &'static str,
    game: &'static str,
    rules: fn() -> Value,
    /// The decision of the toss winner.
    to: TossChoice,
    dice: DiceFrom,
    captains: Captains,
}

/// The captains' way to choose.
#[derive(Clone, Copy, PartialEq)]
enum Captains {
    /// Captains who leave every choice out.
    Usual,
    /// Captains of Cricket: The Game who choose by turns, run whenever that is a risk, and review every
    /// decision.
    Bold,
}

/// The origin of a story's dice.
enum DiceFrom {
    Seed(&'static str),
    /// Dice from the stored text, to the left of each arrow. Such a story is written by hand.
    Text,
}

const PLAYTHROUGHS: &[Playthrough] = &[
    Playthrough {
        name: "howzat_one_over_by_hand",
        game: "howzat",
        rules: || json!({"overs": 1}),
        to: TossChoice::Bowl,
        dice: DiceFrom::Text,
        captains: Captains::Usual,
    },
    Playthrough {
        name: "howzat_five_overs_no_sixes_off_extras",
        game: "howzat",
        rules: || json!({"overs": 5, "sixes_off_extras": "never"}),
        to: TossChoice::Bat,
        dice: DiceFrom::Seed("5f1a6d0c2b7e4938a1c05d9e8f7263b4d5e6f708192a3b4c5d6e7f8091a2b3c4"),
        captains: Captains::Usual,
    },
    Playthrough {
        name: "howzat_twenty_overs",
        game: "howzat",
        rules: || json!({}),
        to: TossChoice::Bat,
        dice: DiceFrom::Seed("7477656e7479206f76657273206f6e20612073756d6d65722064617920313633"),
        captains: Captains::Usual,
    },
    Playthrough {
        name: "cuberoots_two_overs_by_hand",
        game: "cuberoots",
        rules: || json!({"overs": 2, "roll_a_cube": true}),
        to: TossChoice::Bowl,
        dice: DiceFrom::Text,
        captains: Captains::Usual,
    },
    Playthrough {
        name: "cuberoots_limited",
        game: "cuberoots",
        rules: || json!({}),
        to: TossChoice::Bat,
        dice: DiceFrom::Seed("6375626573206f6e20612077657420736174757264617920696e20617072696c"),
        captains: Captains::Usual,
    },
    Playthrough {
        name: "cuberoots_test_match",
        game: "cuberoots",
        rules: || json!({"variant": "test", "end_at_target": true, "overs": 8, "colours": {"home": 5, "away": 3}}),
        to: TossChoice::Bowl,
        dice: DiceFrom::Seed("74776f20696e6e696e677320612073696465206f6620636f6c6f757265642121"),
        captains: Captains::Usual,
    },
    Playthrough {
        name: "cricket_the_game_t10",
        game: "cricket-the-game",
        rules: || json!({"format": "t10", "drs": "on"}),
        to: TossChoice::Bat,
        dice: DiceFrom::Seed("74656e206f7665727320756e64657220746865206c6967687473203230000000"),
        captains: Captains::Bold,
    },
    Playthrough {
        name: "cricket_the_game_t20",
        game: "cricket-the-game",
        rules: || json!({}),
        to: TossChoice::Bowl,
        dice: DiceFrom::Seed("7477656e7479206f76657273206f6e206120677265656e207069746368203232"),
        captains: Captains::Bold,
    },
];

fn home() -> TeamSheet {
    let players = [
        "Adeyemi",
        "Brandt",
        "Castellanos",
        "Dhillon",
        "Eriksen",
        "Fonseca",
        "Ghani",
        "Hallam",
        "Iqbal",
        "Jansen",
        "Kovács",
    ];
    TeamSheet::of_names("Larkfield", players.map(str::to_owned).to_vec())
}

fn away() -> TeamSheet {
    let players = [
        "Lindqvist",
        "Mbeki",
        "Núñez",
        "Okafor",
        "Pemberton",
        "Quist",
        "Rahimi",
        "Sørensen",
        "Tanaka",
        "Umarov",
        "Vickers",
    ];
    TeamSheet::of_names("Stonebridge", players.map(str::to_owned).to_vec())
}

fn folder() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "conformance", "playthroughs"].iter().collect()
}

/// The inputs in the lines of a story that have an arrow, in order: numbers and dice, as in
/// `1.2  batter_number 6, bowler_number 2, Brandt: -> 4 runs` and `1.2  Brandt: bowl 1 extra 2 -> 1 wide`.
fn written_in(text: &str) -> impl Iterator<Item = (Choices, Vec<i64>)> {
    let lines = text.lines().filter_map(|line| line.split_once(" -> ")?.0.rsplit_once(':'));
    lines.map(|(before, dice)| {
        let chosen = before.split_once(' ').map_or("", |(_, chosen)| chosen).split(", ");
        let choices = chosen.filter_map(|words| {
            let (name, value) = words.trim().split_once(' ')?;
            Some((name.to_owned(), serde_json::from_str(value).ok()?))
        });
        (choices.collect(), dice.split_whitespace().filter_map(|word| word.parse().ok()).collect())
    })
}

impl Playthrough {
    fn path(&self) -> PathBuf {
        folder().join(format!("{}.txt", self.name))
    }

    /// Plays the match. Home calls heads, and every choice is left out but that of the toss and of numbers
    /// read off a cube.
    fn play(&self, stored: &str) -> PlayedMatch {
        let game = games::BUILT_IN.find(self.game).expect("a game");
        let seed = match self.dice {
            DiceFrom::Seed(digits) => Some(ServerSeed::from_hex(digits).expect("a seed")),
            DiceFrom::Text => None,
        };
        let [home, away] = if game.editions.is_some() { sides(game) } else { [home(), away()] };
        let mut a_match = PlayedMatch::create(game, (self.rules)(), home, away, seed).expect("legal options");
        let mut turn = 0;
        let mut written = written_in(stored);
        loop {
            let is_decided = matches!(a_match.the_match.next(), Next::Choose { what: "toss_decision", .. });
            let (choices, dice) = match self.dice {
                DiceFrom::Text if !is_decided && a_match.the_match.play().result().is_none() => {
                    written.next().expect("the story ends before the match does")
                }
                DiceFrom::Text | DiceFrom::Seed(_) => Default::default(),
            };
            let input = match a_match.the_match.next() {
                Next::Choose { what: "toss", .. } => heads(),
                Next::Choose { what: "toss_decision", .. } => Input::TossDecision { to: self.to },
                Next::Choose { what: "set_up", .. } => Input::Play(Play::SetUp(choices)),
                Next::Choose { what: "review", side: Some(by), .. } => Input::Review { by },
                Next::Choose { what, legal, .. } if self.captains == Captains::Bold => {
                    turn += 1;
                    bold_choices(what, &legal, a_match.the_match.play().next_over().1, turn)
                }
                Next::Choose { .. } | Next::Roll { .. } => Input::Play(Play::Ball(choices)),
                Next::Finished { .. } => return a_match,
            };
            let decided = match a_match.seeded_dice() {
                Some(mut dice) => a_match.put(input, &mut dice),
                None => a_match.enter(input, &dice),
            };
            decided.unwrap_or_else(|refusal| panic!("{}: {refusal}", self.name));
        }
    }
}

/// The choices of bold captains of Cricket: The Game at their `turn`: the power play in the fifth over,
/// strokes all round, a skill now and then, every run there is, and the last of several chances.
fn bold_choices(decision: &str, legal: &Value, over: u16, turn: usize) -> Input {
    let last =
        |name: &str| json!({name: legal.as_array().and_then(|list| list.last()).expect("a legal answer")});
    let choices = match decision {
        "over" if over == 5 && legal.get("power_play").is_some() => json!({"power_play": true}),
        "over" => return Input::Play(Play::Over(Choices::new())),
        "ball" if legal.get("stroke").is_some() => {
            let one_of = |list: &Value, at: usize| {
                let list = list.as_array().filter(|list| !list.is_empty())?;
                Some(list[at % list.len()].clone())
            };
            let attitude = if turn.is_multiple_of(3) { "aggressive" } else { "defensive" };
            let mut choices =
                json!({"stroke": one_of(&legal["stroke"], turn), "attitude": attitude, "skills": {}});
            let side = if turn.is_multiple_of(2) { "bowler" } else { "batter" };
            if let Some(skill) = one_of(&legal["skills"][side], turn).filter(|_| turn.is_multiple_of(5)) {
                choices["skills"][side] = json!([skill]);
            }
            choices
        }
        "ball" => json!({}),
        _ => last(decision),
    };
    let Value::Object(choices) = choices else { panic!("choices are an object") };
    if decision == "over" { Input::Play(Play::Over(choices)) } else { Input::Play(Play::Ball(choices)) }
}

/// A match as text, a line for each event.
struct Story<'a> {
    created: &'a MatchCreated,
    bats_first: Side,
    innings: u16,
    score: Score,
    /// The score before the last ball.
    before: Score,
    text: String,
}

impl Story<'_> {
    fn of(log: &[EventData]) -> String {
        let Some((EventData::MatchCreated(created), rest)) = log.split_first() else {
            panic!("a log begins with match_created");
        };
        let [score, before] = [Score::default(), Score::default()];
        let mut story =
            Story { created, bats_first: Side::Home, innings: 0, score, before, text: String::new() };
        story.created();
        rest.iter().for_each(|event| story.add(event));
        story.text
    }

    fn line(&mut self, line: &str) {
        self.text += line.trim_end();
        self.text += "\n";
    }

    fn name(&self, side: Side) -> &str {
        &self.created.sheet(side).name
    }

    fn created(&mut self) {
        let MatchCreated { rules, home, away, dice, .. } = self.created;
        let title = games::BUILT_IN.find(&self.created.game).expect("a game").info.title;
        let dice = if *dice == DiceMode::Seeded { "dice from a seed" } else { "dice rolled at the table" };
        self.line(&format!("{title}: {} v {}, {dice}", home.name, away.name));
        self.line(&words::value(&Value::Object(rules.clone())));
        self.line("");
    }

    fn add(&mut self, event: &EventData) {
        match event {
            EventData::MatchCreated(_) => panic!("a match is created once"),
            EventData::Toss(Toss::Reported(toss)) => {
                let winner = self.name(toss.winner);
                self.line(&format!("toss  {winner} win it"));
            }
            EventData::Toss(Toss::Called(toss)) => {
                let (caller, winner) = (self.name(toss.caller), self.name(toss.winner));
                let [call, coin] = [toss.call, toss.coin].map(|face| format!("{face:?}").to_lowercase());
                let shown = toss.coin.as_die();
                self.line(&format!("toss  {caller} call {call}: coin {shown} -> {coin}, {winner} win it"));
            }
            EventData::TossDecided(decided) => {
                self.bats_first = decided.bats_first();
                let to = if decided.to == TossChoice::Bat { "bat" } else { "bowl" };
                self.line(&format!("      {} {to} first", self.name(decided.by)));
            }
            EventData::Over(over) => self.over(over),
            EventData::Ball(ball) => self.ball(ball),
            EventData::MatchCompleted(completed) => {
                self.total();
                self.result(completed.result);
                if let Some(seeds) = &completed.seeds {
                    self.line(&format!("server seed {}", seeds.server_seed));
                    self.line(&format!("match seed  {}", seeds.match_seed));
                }
            }
            EventData::MatchAbandoned(abandoned) => self.line(&format!("abandoned: {}", abandoned.reason)),
            EventData::SetUp(set_up) => {
                let choices = words::value(&Value::Object(set_up.choices.clone()));
                self.line(&format!("set-up  {choices}: {}", dice(&set_up.dice)));
            }
            EventData::Roll(roll) => {
                let choices = in_words(&roll.choices);
                self.line(&format!("      so far  {choices}: {} ...", dice(&roll.dice)));
            }
            EventData::Review(Review::Made(made)) => self.review(made),
            EventData::Review(Review::Accepted(_)) => panic!("nobody accepts a decision"),
            EventData::SideClaimed(_)
            | EventData::TokenRotated(_)
            | EventData::SeedCommitted(_)
            | EventData::SeedContributed(_)
            | EventData::Choice(_)
            | EventData::ChoiceOpened(_)
            | EventData::ChoiceCalled(_)
            | EventData::Correction(_)
            | EventData::Restoration(_)
            | EventData::CorrectionProposed(_)
            | EventData::CorrectionConsented(_)
            | EventData::Dispute(_)
            | EventData::DisputeRuled(_) => panic!("these sides play at one table"),
        }
    }

    fn over(&mut self, over: &Over) {
        if over.innings > self.innings {
            self.total();
            self.innings = over.innings;
            self.score = Score::default();
        }
        let choices: Vec<String> =
            over.choices.iter().map(|(key, value)| format!("{key}: {}", words::value(value))).collect();
        let rolled = if over.dice.is_empty() { String::new() } else { format!("; {}", dice(&over.dice)) };
        self.line("");
        self.line(&format!("innings {}, over {}; {}{rolled}", over.innings, over.over, choices.join("; ")));
    }

    /// Writes a review, and the outcome of its ball.
    fn review(&mut self, made: &Reviewed) {
        let (verdict, kept) = match (made.is_upheld(), made.umpires_call) {
            (true, _) => ("upheld", "used up"),
            (false, true) => ("struck down, umpire's call", "retained"),
            (false, false) => ("struck down", "lost"),
        };
        if made.is_upheld() {
            self.score = self.before.clone();
            self.score.count(&made.outcome);
        }
        let by = self.name(made.by);
        let rolled = format!("      {by} review delivery {}: {}", made.delivery, dice(&made.dice));
        let now = if made.is_upheld() { words::outcome(&made.outcome) } else { "as it was".to_owned() };
        let came = format!("{rolled:<70} -> {verdict}, {kept}: {now}");
        let Score { runs, wickets, .. } = self.score;
        let rulings = words::ids(&self.created.game, &made.rulings);
        self.line(&format!("{came:<134} {:>7}  [{rulings}]", format!("{runs}/{wickets}")));
    }

    fn ball(&mut self, ball: &Ball) {
        self.before = self.score.clone();
        self.score.count(&ball.outcome);
        let place = format!("{}.{}", ball.over, ball.ball);
        let choices = in_words(&ball.choices);
        let rolled = format!("{place:<5} {choices}{}: {}", ball.outcome.striker, dice(&ball.dice));
        let came = format!("{rolled:<70} -> {}", words::outcome(&ball.outcome));
        let Score { runs, wickets, .. } = self.score;
        let rulings = words::rulings(&self.created.game, &ball.outcome);
        self.line(&format!("{came:<134} {:>7}  [{rulings}]", format!("{runs}/{wickets}")));
    }

    /// Writes the total of the innings that has just ended, if one has.
    fn total(&mut self) {
        let side = match self.innings {
            0 => return,
            odd if odd % 2 == 1 => self.bats_first,
            _ => self.bats_first.other(),
        };
        let Score { runs, wickets, balls } = self.score;
        let total = format!("{} {runs}/{wickets} in {} overs", self.name(side), Overs::of_balls(balls));
        self.line("");
        self.line(&total);
    }

    fn result(&mut self, result: MatchResult) {
        let line = match (result.winner, result.method) {
            (None, _) => "a tie".to_owned(),
            (Some(winner), Method::LevelFirstSide) => format!("level, and so {} win", self.name(winner)),
            (Some(winner), Method::Innings) => {
                format!("{} win by an innings and {}", self.name(winner), result.margin)
            }
            (Some(winner), Method::Runs | Method::Wickets | Method::Tie) => {
                format!("{} win by {}", self.name(winner), result.margin)
            }
        };
        self.line(&line);
    }
}

fn in_words(choices: &Choices) -> String {
    choices.iter().map(|(key, value)| format!("{key} {}, ", words::value(value))).collect()
}

/// Dice as a scorer reads them out: `bowl 3 strike 5 fielder 2 5 catch 4`.
fn dice(dice: &[Die]) -> String {
    let mut words = Vec::new();
    for (i, die) in dice.iter().enumerate() {
        if i == 0 || dice[i - 1].what != die.what {
            words.push(die.what.to_string());
        }
        words.push(die.value.to_string());
    }
    words.join(" ")
}

fn updating() -> bool {
    std::env::var_os("UPDATE_PLAYTHROUGHS").is_some()
}

/// Asserts that the log of a match replays to that match.
fn replay(played: &PlayedMatch, name: &str) {
    let mut replayed = played.opened_anew();
    for event in &played.log[1..] {
        assert_eq!(replayed.clone().verify(event).map(drop), Ok(()), "{name}");
        assert_eq!(replayed.replay(event), Ok(()), "{name}");
    }
    assert_eq!(replayed.play().phase(), played.the_match.play().phase(), "{name}");
    assert!(replayed == played.the_match, "{name}");
}

#[test]
fn every_playthrough_replays_from_its_log_and_reads_as_it_is_stored() {
    for playthrough in PLAYTHROUGHS {
        let path = playthrough.path();
        let stored = fs::read_to_string(&path).unwrap_or_default();
        let played = playthrough.play(&stored);
        replay(&played, playthrough.name);
        let story = Story::of(&played.log);
        if updating() {
            fs::write(&path, story).expect("the story can be stored");
            continue;
        }
        for (i, (story, stored)) in story.lines().zip(stored.lines()).enumerate() {
            assert_eq!(story, stored, "{}, line {}", path.display(), i + 1);
        }
        assert!(story == stored, "{} is longer or shorter than the match", path.display());
    }
}

#[test]
fn every_game_has_a_playthrough_and_every_stored_playthrough_is_played() {
    let games: BTreeSet<&str> = BUILT_IN.games().iter().map(|game| game.info.id).collect();
    assert_eq!(PLAYTHROUGHS.iter().map(|playthrough| playthrough.game).collect::<BTreeSet<_>>(), games);
    let files = fs::read_dir(folder()).expect("the folder").map(|entry| entry.expect("an entry").path());
    // A new story has no file until it is written.
    if !updating() {
        assert_eq!(files.collect::<BTreeSet<_>>(), PLAYTHROUGHS.iter().map(Playthrough::path).collect());
    }
}

//! Coin cricket, a game for tests alone: a coin a ball. It is written against the public interface, as a game
//! of somebody else would be, and has every capability in its smallest form.
//!
//! Before an over each side calls the coin, in secret where the match is remote. A coin that shows the call
//! of the batting side scores what the edition prints. Any other coin that shows the call of the bowling side
//! bowls the striker.

use std::sync::{Arc, LazyLock};

use serde_json::{Value, json};
use third_umpire::dice::{Dice, Draw, NotedDice};
use third_umpire::editions::Editions;
use third_umpire::games;
use third_umpire::log::{
    self, CoinFace, DiceMode, EventData, InvalidEvent, MatchCreated, RecordedPlay, Reveal,
};
use third_umpire::rules::reading::{self, expect, known_options, number_option, object, word_option};
use third_umpire::rules::{
    Ask, AskKind, AskOption, AskedStep, Asking, CardVerdict, ChoiceKind, ChoiceOffers, Choices, Describe,
    Draft, Edition, EditionFault, EditionReader, Game, GameInfo, MatchPosition, Next, OnField, Place, Play,
    Refusal, RefusalKind, Registry, RemoteChoices, ReviewCard, ReviewRules, ReviewRulings, Reviewable, Rules,
    RulingsBehind, Simulate, next_die,
};
use third_umpire::scorebook::{
    Boundary, BySide, Delivery, Dismissal, NOT_KNOWN, Outcome, Player, RunsRecord, Side,
};

use crate::net_practice::NetPractice;
use crate::two_innings::{BOWLER, TwoInnings};

third_umpire::rulings! {
    /// Every ruling of the game.
    RULINGS;
    CALLED "coin.called": "The coin shows the call of the batting side: it scores what the edition prints.";
    BOWLED "coin.bowled": "The coin shows only the call of the bowling side: the striker is bowled.";
    NOTHING "coin.nothing": "The coin shows the call of neither side: nothing happens.";
    REVIEWED "coin.reviewed": "A review of 1 to 3 is struck down, 4 is the umpire's call, and 5 or 6 makes the ball a dot.";
    NOT_REVIEWED "coin.not_reviewed": "Only the batting side has a review, of the last ball, and only if it was bowled.";
}

/// The rulings behind the calls and the coin.
const BEHIND: RulingsBehind =
    RulingsBehind(&[("call", &[&CALLED, &BOWLED, &NOTHING]), ("coin", &[&CALLED, &BOWLED, &NOTHING])]);

/// The built-in games and those of the tests, with their editions.
pub fn every_game() -> Editions {
    static EVERY: LazyLock<Editions> = LazyLock::new(|| {
        let coin = Game::of::<CoinCricket>().with_editions::<CoinCricket>();
        let nets = Game::of::<NetPractice>();
        let games: Vec<Game> = games::BUILT_IN.games().iter().copied().chain([coin, nets]).collect();
        Editions::of(Registry::of(games.leak())).expect("the built-in editions can be read")
    });
    EVERY.clone()
}

/// The state of a match of coin cricket.
#[derive(Debug, Clone, PartialEq)]
pub struct CoinCricket {
    scores: TwoInnings,
    has_reviews: bool,
    /// What the edition prints.
    runs: u16,
    calls: BySide<CoinFace>,
}

/// The events of a match of coin cricket.
#[derive(Debug, Clone)]
pub enum Event {
    /// The start of an over, with the calls of both sides.
    Over(BySide<CoinFace>),
    /// A ball, and the coin if it was tossed here.
    Ball(Delivery<()>, Vec<third_umpire::dice::Die>),
}

impl PartialEq for Event {
    fn eq(&self, other: &Event) -> bool {
        match (self, other) {
            (Event::Over(calls), Event::Over(others)) => calls == others,
            (Event::Ball(delivery, _), Event::Ball(other, _)) => delivery == other,
            _ => false,
        }
    }
}

const PLAYERS: u8 = 3;
const WICKETS: u8 = 2;

impl CoinCricket {
    /// The call of a side that makes none: heads of the batting side, tails of the other.
    fn default_call(&self, side: Side) -> CoinFace {
        if side == self.scores.batting() { CoinFace::Heads } else { CoinFace::Tails }
    }

    fn call(&self, side: Side, given: Option<&Value>) -> Result<CoinFace, Refusal> {
        match given.and_then(Value::as_str) {
            None if given.is_none_or(Value::is_null) => Ok(self.default_call(side)),
            Some("heads") => Ok(CoinFace::Heads),
            Some("tails") => Ok(CoinFace::Tails),
            _ => Err(Refusal::choice("call", "a call is heads or tails").legal(json!(["heads", "tails"]))),
        }
    }

    fn read_calls(&self, given: &Choices) -> Result<BySide<CoinFace>, Refusal> {
        if let Some(name) = given.keys().find(|name| !matches!(name.as_str(), "home" | "away")) {
            return Err(Refusal::choice(name.as_str(), "only home and away call the coin"));
        }
        Ok(BySide {
            home: self.call(Side::Home, given.get("home"))?,
            away: self.call(Side::Away, given.get("away"))?,
        })
    }

    fn ball(&self, dice: &mut dyn Dice) -> Result<Event, Refusal> {
        let nobody = || Refusal::new(RefusalKind::OutOfTurn, Place::Input, "nobody is left to bat");
        let [striker, non_striker] = self.at_the_wicket().ok_or_else(nobody)?;
        let mut noted = NotedDice::new(dice);
        noted.begin(Draw::ball(self.scores.next_delivery()));
        let coin = CoinFace::from_die(noted.roll("coin", 2)?);
        noted.end()?;
        let mut delivery = Delivery::between(striker, non_striker, BOWLER);
        if coin == self.calls[self.scores.batting()] {
            delivery.runs = self.runs;
            delivery.boundary = Boundary::of_runs(self.runs);
            delivery.rulings.push(&CALLED);
        } else if coin == self.calls[self.scores.batting().other()] {
            delivery.dismissal = Some(Dismissal::Bowled);
            delivery.rulings.push(&BOWLED);
        } else {
            delivery.rulings.push(&NOTHING);
        }
        Ok(Event::Ball(delivery, noted.rolled))
    }

    /// The striker and the other batter; the next one comes in by himself.
    fn at_the_wicket(&self) -> Option<[Player; 2]> {
        let innings = &self.scores.innings;
        let next = innings.yet_to_bat(PLAYERS).next();
        Some([innings.striker().or(next)?, innings.non_striker().or(next)?])
    }
}

impl Rules for CoinCricket {
    const INFO: GameInfo = GameInfo {
        id: "coin-cricket",
        title: "Coin cricket",
        summary: "A coin for each ball: runs or out.",
        players: PLAYERS,
        wickets: WICKETS,
        nameless: false,
        remote: true,
        reviews: true,
        rulings: RULINGS,
    };
    type Event = Event;

    fn resolve_options(given: &Choices) -> Result<Choices, Refusal> {
        known_options("coin-cricket", given, &["overs", "reviews"])?;
        let overs = number_option(given, "overs", 20)?.unwrap_or(1);
        let reviews: bool = word_option(given, "reviews", "true or false")?.unwrap_or(false);
        Ok(object(json!({"overs": overs, "reviews": reviews})))
    }

    fn open(created: &Arc<MatchCreated>, edition: Option<&Edition>) -> Result<CoinCricket, Refusal> {
        let printed = edition.and_then(Edition::read::<u16>);
        let place = Place::Field("edition".to_owned());
        let runs =
            printed.ok_or(Refusal::new(RefusalKind::IllegalInput, place, "coin cricket has an edition"))?;
        Ok(CoinCricket {
            scores: TwoInnings::open(created, PLAYERS, WICKETS)?,
            has_reviews: created.rules["reviews"] == true,
            runs: *runs,
            calls: BySide { home: CoinFace::Heads, away: CoinFace::Heads },
        })
    }

    fn start(&mut self, bats_first: Side) {
        self.scores.start(bats_first);
    }

    fn next(&self) -> Next {
        if let Some(result) = self.scores.result_view() {
            return Next::Finished { result: Some(result) };
        }
        if self.scores.innings.bowler().is_some() {
            return Next::Roll { what: "coin", sides: 2 };
        }
        let (what, side) =
            if self.scores.created().dice == DiceMode::Seeded { ("call", None) } else { ("over", None) };
        let faces = json!(["heads", "tails"]);
        let [home, away] = [Side::Home, Side::Away].map(|side| self.default_call(side));
        let legal = json!({"home": faces, "away": faces});
        Next::Choose { side, what, legal, default: json!({"home": home, "away": away}) }
    }

    fn position(&self) -> MatchPosition {
        self.scores.position()
    }

    fn decide(&self, play: Play, dice: &mut dyn Dice) -> Result<Vec<Event>, Refusal> {
        match play {
            Play::SetUp(_) => Err(reading::nothing_to_set_up()),
            Play::Choose(_) => Err(reading::no_open_choice()),
            Play::Over(calls) => {
                self.scores.refuse_over_in_progress()?;
                dice.end()?;
                Ok(vec![Event::Over(self.read_calls(&calls)?)])
            }
            Play::Ball(given) if !given.is_empty() => Err(Refusal::choice("", "a ball has no choices")),
            Play::Ball(_) | Play::Auto(_) if self.scores.innings.bowler().is_some() => {
                Ok(vec![self.ball(dice)?])
            }
            Play::Ball(_) | Play::Auto(_) => {
                let over = Event::Over(self.read_calls(&Choices::new())?);
                let mut begun = self.clone();
                begun.apply(&over);
                Ok(vec![over, begun.ball(dice)?])
            }
        }
    }

    fn unknown_ball(&self) -> Result<Event, Refusal> {
        let nobody = || Refusal::new(RefusalKind::OutOfTurn, Place::Input, "nobody is left to bat");
        let [striker, non_striker] = self.at_the_wicket().ok_or_else(nobody)?;
        let mut delivery = Delivery::between(striker, non_striker, BOWLER);
        delivery.rulings.push(&NOT_KNOWN);
        Ok(Event::Ball(delivery, Vec::new()))
    }

    fn let_face(&mut self, batter: &str) -> Option<bool> {
        self.scores.let_face(batter)
    }

    fn end_innings(&mut self) {
        self.scores.end_innings();
    }

    fn apply(&mut self, event: &Event) {
        match event {
            Event::Over(calls) => {
                self.calls = *calls;
                self.scores.begin_over();
            }
            Event::Ball(delivery, _) => {
                let innings = &mut self.scores.innings;
                let next = innings.yet_to_bat(PLAYERS).next();
                if let Some(next) = next.filter(|_| innings.awaits_batter()) {
                    innings.come_in(next);
                }
                self.scores.count(delivery);
            }
        }
    }

    fn record(&self, event: &Event) -> EventData {
        match event {
            Event::Over(calls) => {
                self.scores.record_over(object(json!({"home": calls.home, "away": calls.away})))
            }
            Event::Ball(delivery, dice) => self.scores.record_ball(delivery, &Choices::new(), dice),
        }
    }

    fn admit(&self, recorded: RecordedPlay<'_>) -> Result<Event, InvalidEvent> {
        match recorded {
            RecordedPlay::Over(over) => {
                self.scores.expect_over(over)?;
                let calls = self.read_calls(&over.choices);
                let calls = calls.map_err(|refusal| InvalidEvent::new("data.choices", refusal.message))?;
                expect(
                    "data.choices",
                    &object(json!({"home": calls.home, "away": calls.away})),
                    &over.choices,
                )?;
                Ok(Event::Over(calls))
            }
            RecordedPlay::Ball(ball) => {
                let delivery = self.scores.read_ball(ball, self.at_the_wicket(), find)?;
                expect("data.choices", true, ball.choices.is_empty())?;
                Ok(Event::Ball(delivery, Vec::new()))
            }
            RecordedPlay::SetUp(_) | RecordedPlay::Roll(_) | RecordedPlay::Choice(_) => {
                Err(reading::no_such_event())
            }
        }
    }

    fn dealt(&self, recorded: RecordedPlay<'_>) -> Vec<(Draw, Vec<u8>)> {
        let RecordedPlay::Over(over) = recorded else { return Vec::new() };
        let draw = Draw::timeout_over(over.innings, over.over);
        let face = |reveal: &Reveal| u8::from(reveal.choice.get("call") == Some(&json!("tails")));
        let of_side = |side| over.reveals.iter().find(move |reveal: &&Reveal| reveal.side == side);
        let drawn = [self.scores.batting().other(), self.scores.batting()].into_iter().filter_map(of_side);
        drawn.filter(|reveal| reveal.draw.is_some()).map(|reveal| (draw, vec![face(reveal)])).collect()
    }

    fn remote(&self) -> Option<&dyn RemoteChoices> {
        Some(self)
    }

    fn reviews(&self) -> Option<&dyn ReviewRules> {
        Some(self)
    }
}

impl RemoteChoices for CoinCricket {
    fn is_chosen_by(&self, choice: &str, side: Side) -> bool {
        choice == side.as_str()
    }

    fn secret(&self) -> Option<ChoiceKind> {
        let is_due = self.scores.created().dice == DiceMode::Seeded && self.scores.innings.bowler().is_none();
        is_due.then_some(ChoiceKind { what: "call", ball: None })
    }

    fn check(&self, side: Side, given: &Choices, _dice: &mut dyn Dice) -> Result<Choices, Refusal> {
        if let Some(name) = given.keys().find(|name| *name != "call") {
            return Err(Refusal::choice(name.as_str(), "a side calls the coin, and nothing else"));
        }
        Ok(object(json!({"call": self.call(side, given.get("call"))?})))
    }

    fn draw_for(&self, timed_out: BySide<bool>, dice: &mut dyn Dice) -> Result<BySide<Choices>, Refusal> {
        let mut drawn = BySide::<Choices>::default();
        dice.begin(Draw::timeout_over(self.scores.position().innings, self.scores.innings.over_number()));
        for side in
            [self.scores.batting().other(), self.scores.batting()].into_iter().filter(|side| timed_out[*side])
        {
            let face = if dice.deal(&[0, 1], 1)? == [0] { CoinFace::Heads } else { CoinFace::Tails };
            drawn[side] = object(json!({"call": face}));
        }
        Ok(drawn)
    }

    fn reveal(&self, choices: BySide<Choices>) -> Play {
        Play::Over(object(json!({"home": choices.home["call"], "away": choices.away["call"]})))
    }
}

impl ReviewRules for CoinCricket {
    fn rulings(&self) -> &'static ReviewRulings {
        static OF_REVIEWS: ReviewRulings = ReviewRulings {
            struck_down: &REVIEWED,
            umpires_call: &REVIEWED,
            upheld: &REVIEWED,
            off: &NOT_REVIEWED,
            none_left: &NOT_REVIEWED,
            not_reviewable: &NOT_REVIEWED,
            other_side: &NOT_REVIEWED,
            too_late: &NOT_REVIEWED,
        };
        &OF_REVIEWS
    }

    fn card(&self) -> Option<ReviewCard> {
        let (down, call, up) = (CardVerdict::StruckDown, CardVerdict::UmpiresCall, CardVerdict::Upheld);
        self.has_reviews.then_some(ReviewCard { reviews: 1, faces: [down, down, down, call, up, up] })
    }

    fn reviewable(&self, ball: &log::Ball) -> Option<Reviewable> {
        ball.outcome.wicket.as_ref()?;
        let runs = RunsRecord { batter: 0, extras: 0, total: 0 };
        let rulings = [&ball.outcome.rulings[..], &[REVIEWED.id.to_owned()]].concat();
        let upheld = Outcome { wicket: None, runs, rulings, ..ball.outcome.clone() };
        Some(Reviewable { by: self.scores.batting(), upheld })
    }
}

impl EditionReader for CoinCricket {
    type Printed = u16;
    const BUILT_IN: &'static str = r#"{"game": "coin-cricket", "id": "mint", "runs": 4, "teams": [
        {"name": "Pennies", "players": [{"name": "Ann"}, {"name": "Bea"}, {"name": "Cat"}]},
        {"name": "Farthings", "players": [{"name": "Dot"}, {"name": "Eve"}, {"name": "Fay"}]}]}"#;

    fn read_edition(value: &Value) -> Result<u16, Vec<EditionFault>> {
        match value["runs"].as_u64() {
            Some(runs @ 1..=6) => Ok(runs as u16),
            _ => Err(vec![EditionFault::new("runs", "is 1 to 6")]),
        }
    }
}

impl Simulate for CoinCricket {}

impl Describe for CoinCricket {
    fn note(recorded: RecordedPlay<'_>) -> Option<String> {
        let RecordedPlay::Over(over) = recorded else { return None };
        Some(format!("called {} and {}", over.choices.get("home")?, over.choices.get("away")?))
    }

    fn offers(&self, _made: &Choices, _dice: &[i64]) -> ChoiceOffers {
        let offers = ChoiceOffers::of(self.next());
        // In remote play the calls are secret.
        if self.scores.created().remote { offers.without_defaults() } else { offers }
    }

    fn options() -> Value {
        json!({
            "overs": {"type": "integer", "minimum": 1, "maximum": 20, "title": "Overs",
                "description": "The overs of an innings.", "x-order": 1},
            "reviews": {"type": "boolean", "title": "Reviews",
                "description": "Whether the batting side has a review.", "x-order": 2},
        })
    }
}

impl Asking for CoinCricket {
    fn asks(&self, draft: &Draft<'_>) -> Vec<Ask> {
        let faces = || ["heads", "tails"].map(AskOption::named);
        let call = |side: Side, name: &str| {
            let title = format!("What do {} call?", self.scores.created().sheet(side).name);
            Ask::new(draft.at(name), AskKind::One, title)
                .of(draft.listed(faces()))
                .under(draft.behind(BEHIND, "call"))
                .by(side)
                .or_default(json!(self.default_call(side)))
        };
        match draft.step {
            AskedStep::SetUp => Vec::new(),
            AskedStep::Over => [Side::Home, Side::Away].map(|side| call(side, side.as_str())).into(),
            AskedStep::Choice(side) => vec![call(side, "call")],
            AskedStep::Ball if self.scores.created().dice == DiceMode::Seeded => Vec::new(),
            AskedStep::Ball => next_die(self, draft, |_| "The coin".to_owned(), BEHIND).into_iter().collect(),
        }
    }

    fn on_field(&self) -> OnField<'_> {
        let batter = |player: Player| self.scores.batters()[player.index()].as_str();
        // The next batter comes in by himself.
        let [striker, non_striker] = match (self.scores.innings.is_open(), self.at_the_wicket()) {
            (true, at_the_wicket) => at_the_wicket.map_or([None; 2], |batters| batters.map(Some)),
            (false, _) => [Some(Player(0)), Some(Player(1))],
        };
        OnField {
            batting: self.scores.batting(),
            striker: striker.map(batter),
            non_striker: non_striker.map(batter),
            bowler: self.scores.innings.bowler().map(|bowler| self.scores.bowlers()[bowler.index()].as_str()),
            style: None,
            keeper: None,
            balls_limit: Some(self.scores.balls_limit()),
        }
    }
}

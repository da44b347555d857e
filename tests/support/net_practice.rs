//! Net practice, a game for tests alone: a session in the nets, in which everything is asked. It has each
//! kind of ask so that it has to be answered, and each but a die and places also with a default, options that
//! are not legal now, an option that asks for more, and a list of thirty.
//!
//! A die decides each ball: 1 to 4 are runs, 5 is none, and 6 bowls the striker. One wicket ends an innings.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use third_umpire::dice::{Dice, Draw, NotedDice};
use third_umpire::log::{DiceMode, EventData, InvalidEvent, MatchCreated, RecordedPlay};
use third_umpire::rules::reading::{self, expect, known_options, number_option, object};
use third_umpire::rules::{
    Ask, AskKind, AskOption, AskedStep, Asking, Choices, Describe, Draft, Edition, GameInfo, MatchPosition,
    Next, OnField, Place, PlaceAsked, Places, PlacesLimit, PlacesNamed, Play, Refusal, RefusalKind, Rules,
    RulingsBehind, Simulate, next_die,
};
use third_umpire::scorebook::{Boundary, Delivery, Dismissal, NOT_KNOWN, Player, Side};

use crate::two_innings::{BOWLER, TwoInnings};

third_umpire::rulings! {
    /// Every ruling of the game.
    RULINGS;
    RUNS "net.runs": "1 to 4 are so many runs.";
    NO_RUN "net.no_run": "5 is no run.";
    BOWLED "net.bowled": "6 bowls the striker, and ends the innings.";
    ASKED "net.ball.asked": "Each ball is told whole before its die is rolled.";
    LENGTH "net.ball.length": "No length is bowled twice running.";
    NETS "net.ball.nets": "Two players stand in two nets.";
    BALL "net.over.ball": "An over has one of thirty practice balls.";
}

/// The rulings behind each question.
const BEHIND: RulingsBehind = RulingsBehind(&[
    ("net", &[&RUNS, &NO_RUN, &BOWLED]),
    ("length", &[&LENGTH, &ASKED]),
    ("nets", &[&NETS]),
    ("practice_ball", &[&BALL]),
    ("choice", &[&ASKED]),
]);

const PLAYERS: u8 = 11;
const PRACTICE_BALLS: i64 = 300;
const LENGTHS: [&str; 4] = ["full", "good", "short", "bouncer"];
const SHOTS: [&str; 4] = ["drive", "cut", "pull", "sweep"];
const NET_NAMES: [&str; 3] = ["near", "middle", "far"];

/// The state of a match of net practice.
#[derive(Debug, Clone, PartialEq)]
pub struct NetPractice {
    scores: TwoInnings,
    last_length: Option<&'static str>,
}

/// The events of a match of net practice.
#[derive(Debug, Clone)]
pub enum Event {
    /// The start of an over, with its practice ball.
    Over(Choices),
    /// A ball with its choices, and the die if it was rolled here.
    Ball(Delivery<()>, Choices, Vec<third_umpire::dice::Die>),
}

impl PartialEq for Event {
    fn eq(&self, other: &Event) -> bool {
        match (self, other) {
            (Event::Over(choices), Event::Over(others)) => choices == others,
            (Event::Ball(delivery, choices, _), Event::Ball(other, others, _)) => {
                delivery == other && choices == others
            }
            _ => false,
        }
    }
}

/// What a choice of a ball can be.
#[derive(Debug, Clone, Copy)]
enum Form {
    /// One of some words.
    Word(&'static [&'static str]),
    /// A number from 1 to this.
    Number(i64),
    /// True or false.
    YesNo,
    /// Some of the shots, this many at most.
    SomeShots(usize),
    /// Two of the shots, in order.
    TwoShots,
    /// A net for each of the two who bowl.
    Nets,
}

/// The choices of a ball, in the order in which they are asked for: the form of each, and whether it has a
/// default. The height is asked for after a bouncer alone.
const OF_BALL: [(&str, Form, bool); 12] = [
    ("length", Form::Word(&LENGTHS), false),
    ("height", Form::Number(3), false),
    ("pace", Form::Number(5), false),
    ("shots", Form::SomeShots(2), false),
    ("plan", Form::TwoShots, false),
    ("guard", Form::YesNo, false),
    ("nets", Form::Nets, false),
    ("swing", Form::Word(&["none", "in", "out"]), true),
    ("crease", Form::Number(3), true),
    ("drills", Form::SomeShots(3), true),
    ("last_plan", Form::TwoShots, true),
    ("helmet", Form::YesNo, true),
];

impl Form {
    fn admits(self, value: &Value, names: &[&str]) -> bool {
        let shots = |most: usize| {
            value.as_array().is_some_and(|list| {
                let all = list.iter().all(|shot| SHOTS.iter().any(|one| shot == one));
                let once = list.iter().enumerate().all(|(at, shot)| !list[..at].contains(shot));
                all && once && list.len() <= most
            })
        };
        match self {
            Form::Word(words) => words.iter().any(|word| value == word),
            Form::Number(most) => value.as_i64().is_some_and(|number| (1..=most).contains(&number)),
            Form::YesNo => value.is_boolean(),
            Form::SomeShots(most) => shots(most),
            Form::TwoShots => shots(2) && value.as_array().is_some_and(|list| list.len() == 2),
            Form::Nets => value.as_object().is_some_and(|nets| {
                let places: Vec<&Value> = names.iter().filter_map(|name| nets.get(*name)).collect();
                let known = places.iter().all(|place| NET_NAMES.iter().any(|net| *place == net));
                nets.len() == 2 && places.len() == 2 && places[0] != places[1] && known
            }),
        }
    }

    /// A value of this form: the default, where there is one.
    fn usual(self, names: &[&str]) -> Value {
        match self {
            Form::Word(words) => json!(words[0]),
            Form::Number(_) => json!(1),
            Form::YesNo => json!(true),
            Form::SomeShots(_) => json!([]),
            Form::TwoShots => json!([SHOTS[0], SHOTS[1]]),
            Form::Nets => {
                names.iter().zip(NET_NAMES).map(|(name, net)| ((*name).to_owned(), json!(net))).collect()
            }
        }
    }
}

impl NetPractice {
    /// The two who bowl in the nets.
    fn in_nets(&self) -> [&str; 2] {
        let bowlers = self.scores.bowlers();
        [&bowlers[0], &bowlers[1]]
    }

    fn at_the_wicket(&self) -> [Player; 2] {
        let striker = self.scores.innings.striker().unwrap_or(Player(0));
        [striker, self.scores.innings.non_striker().unwrap_or(Player(1 - striker.0.min(1)))]
    }

    /// Whether a choice belongs to a ball that has these choices.
    fn is_due(name: &str, given: &Choices) -> bool {
        name != "height" || given.get("length").is_some_and(|length| length == "bouncer")
    }

    fn read_over(&self, given: &Choices) -> Result<Choices, Refusal> {
        if let Some(name) = given.keys().find(|name| *name != "practice_ball") {
            return Err(Refusal::choice(name.as_str(), "an over has a practice ball, and nothing else"));
        }
        let number = given.get("practice_ball").cloned().unwrap_or(json!(1));
        match number.as_i64() {
            Some(1..=PRACTICE_BALLS) => Ok(object(json!({"practice_ball": number}))),
            _ => Err(Refusal::choice("practice_ball", "a practice ball is 1 to 300").by(&BALL)),
        }
    }

    /// The choices of a ball with all defaults, or the first that is wrong or missing. Each is required
    /// unless `fills_in`.
    fn read_ball(&self, given: &Choices, fills_in: bool) -> Result<Choices, Refusal> {
        let names = self.in_nets();
        if let Some(name) = given.keys().find(|name| !OF_BALL.iter().any(|(known, ..)| known == name)) {
            return Err(Refusal::choice(name.as_str(), "a ball has no such choice"));
        }
        let mut choices = Choices::new();
        for (name, form, has_default) in OF_BALL {
            if !NetPractice::is_due(name, &choices) {
                if given.contains_key(name) {
                    return Err(Refusal::choice(name, "only a bouncer has a height").by(&ASKED));
                }
                continue;
            }
            let value = match given.get(name) {
                Some(value) => value.clone(),
                None if name == "length" && fills_in => json!(self.free_length()),
                None if has_default || fills_in => form.usual(&names),
                None => {
                    let place = Place::Choice(name.to_owned());
                    let message = format!("{name} has to be told");
                    return Err(Refusal::new(RefusalKind::NeedsInput, place, message).by(&ASKED));
                }
            };
            if !form.admits(&value, &names) {
                let ruling = if name == "nets" { &NETS } else { &ASKED };
                return Err(Refusal::choice(name, format!("{name} cannot be {value}")).by(ruling));
            }
            if name == "length" && self.last_length.is_some_and(|last| value == last) {
                return Err(Refusal::choice(name, "this length was bowled last").by(&LENGTH));
            }
            choices.insert(name.to_owned(), value);
        }
        Ok(choices)
    }

    fn free_length(&self) -> &'static str {
        LENGTHS.into_iter().find(|length| self.last_length != Some(length)).unwrap_or(LENGTHS[0])
    }

    fn ball(&self, given: &Choices, fills_in: bool, dice: &mut dyn Dice) -> Result<Event, Refusal> {
        let choices = self.read_ball(given, fills_in)?;
        let [striker, non_striker] = self.at_the_wicket();
        let mut noted = NotedDice::new(dice);
        noted.begin(Draw::ball(self.scores.next_delivery()));
        let face = noted.roll("net", 6)?;
        noted.end()?;
        let mut delivery = Delivery::between(striker, non_striker, BOWLER);
        match face {
            6 => {
                delivery.dismissal = Some(Dismissal::Bowled);
                delivery.rulings.push(&BOWLED);
            }
            5 => delivery.rulings.push(&NO_RUN),
            runs => {
                delivery.runs = runs;
                delivery.boundary = Boundary::of_runs(runs);
                delivery.rulings.push(&RUNS);
            }
        }
        Ok(Event::Ball(delivery, choices, noted.rolled))
    }

    /// Choices of the next ball that are legal; `pick` picks one of so many.
    pub fn some_choices(legal: &Value, pick: &mut dyn FnMut(usize) -> usize) -> Choices {
        let length = legal["length"].as_array().map(|list| list[pick(list.len())].clone());
        let mut choices = object(json!({"length": length, "nets": legal["nets"]}));
        if choices["length"] == "bouncer" {
            choices.insert("height".to_owned(), json!(1 + pick(3)));
        }
        choices.insert("pace".to_owned(), json!(1 + pick(5)));
        choices.insert("shots".to_owned(), json!(SHOTS[..pick(3)]));
        choices.insert("plan".to_owned(), json!([SHOTS[pick(2)], SHOTS[2 + pick(2)]]));
        choices.insert("guard".to_owned(), json!(pick(2) == 0));
        if pick(2) == 0 {
            choices.insert("swing".to_owned(), json!("in"));
        }
        choices
    }
}

impl Rules for NetPractice {
    const INFO: GameInfo = GameInfo {
        id: "net-practice",
        title: "Net practice",
        summary: "A session in the nets, in which everything is asked.",
        players: PLAYERS,
        wickets: 1,
        nameless: false,
        remote: false,
        reviews: false,
        rulings: RULINGS,
    };
    type Event = Event;

    fn resolve_options(given: &Choices) -> Result<Choices, Refusal> {
        known_options("net-practice", given, &["overs"])?;
        Ok(object(json!({"overs": number_option(given, "overs", 20)?.unwrap_or(1)})))
    }

    fn open(created: &Arc<MatchCreated>, _edition: Option<&Edition>) -> Result<NetPractice, Refusal> {
        Ok(NetPractice { scores: TwoInnings::open(created, PLAYERS, 1)?, last_length: None })
    }

    fn start(&mut self, bats_first: Side) {
        self.scores.start(bats_first);
    }

    fn next(&self) -> Next {
        if let Some(result) = self.scores.result_view() {
            return Next::Finished { result: Some(result) };
        }
        if self.scores.innings.bowler().is_none() {
            let balls: Vec<i64> = (1..=PRACTICE_BALLS).collect();
            let (legal, default) = (json!({"practice_ball": balls}), json!({"practice_ball": 1}));
            return Next::Choose { side: None, what: "over", legal, default };
        }
        let lengths: Vec<&str> =
            LENGTHS.into_iter().filter(|length| self.last_length != Some(length)).collect();
        let legal = json!({"length": lengths, "nets": Form::Nets.usual(&self.in_nets())});
        Next::Choose { side: None, what: "ball", legal, default: Value::Null }
    }

    fn position(&self) -> MatchPosition {
        self.scores.position()
    }

    fn decide(&self, play: Play, dice: &mut dyn Dice) -> Result<Vec<Event>, Refusal> {
        let (given, fills_in) = match play {
            Play::SetUp(_) => return Err(reading::nothing_to_set_up()),
            Play::Choose(_) => return Err(reading::no_open_choice()),
            Play::Over(choices) => {
                self.scores.refuse_over_in_progress()?;
                dice.end()?;
                return Ok(vec![Event::Over(self.read_over(&choices)?)]);
            }
            Play::Ball(given) => (given, false),
            Play::Auto(_) => (Choices::new(), true),
        };
        if self.scores.innings.bowler().is_some() {
            return Ok(vec![self.ball(&given, fills_in, dice)?]);
        }
        let over = Event::Over(self.read_over(&Choices::new())?);
        let mut begun = self.clone();
        begun.apply(&over);
        Ok(vec![over, begun.ball(&given, fills_in, dice)?])
    }

    fn unknown_ball(&self) -> Result<Event, Refusal> {
        let [striker, non_striker] = self.at_the_wicket();
        let mut delivery = Delivery::between(striker, non_striker, BOWLER);
        delivery.rulings.push(&NOT_KNOWN);
        Ok(Event::Ball(delivery, Choices::new(), Vec::new()))
    }

    fn let_face(&mut self, batter: &str) -> Option<bool> {
        self.scores.let_face(batter)
    }

    fn end_innings(&mut self) {
        self.scores.end_innings();
        self.last_length = None;
    }

    fn apply(&mut self, event: &Event) {
        match event {
            Event::Over(_) => self.scores.begin_over(),
            Event::Ball(delivery, choices, _) => {
                let length = choices.get("length").and_then(Value::as_str);
                self.last_length = LENGTHS.into_iter().find(|one| length == Some(one));
                if self.scores.count(delivery) {
                    self.last_length = None;
                }
            }
        }
    }

    fn record(&self, event: &Event) -> EventData {
        match event {
            Event::Over(choices) => self.scores.record_over(choices.clone()),
            Event::Ball(delivery, choices, dice) => self.scores.record_ball(delivery, choices, dice),
        }
    }

    fn admit(&self, recorded: RecordedPlay<'_>) -> Result<Event, InvalidEvent> {
        let wrong = |refusal: Refusal| InvalidEvent::new("data.choices", refusal.message);
        match recorded {
            RecordedPlay::Over(over) => {
                self.scores.expect_over(over)?;
                let choices = self.read_over(&over.choices).map_err(wrong)?;
                expect("data.choices", &choices, &over.choices)?;
                Ok(Event::Over(choices))
            }
            RecordedPlay::Ball(ball) => {
                let delivery = self.scores.read_ball(ball, Some(self.at_the_wicket()), find)?;
                if !ball.unknown {
                    let choices = self.read_ball(&ball.choices, false).map_err(wrong)?;
                    expect("data.choices", &choices, &ball.choices)?;
                }
                Ok(Event::Ball(delivery, ball.choices.clone(), Vec::new()))
            }
            RecordedPlay::SetUp(_) | RecordedPlay::Roll(_) | RecordedPlay::Choice(_) => {
                Err(reading::no_such_event())
            }
        }
    }
}

impl Simulate for NetPractice {}

impl Describe for NetPractice {
    fn options() -> Value {
        json!({"overs": {"type": "integer", "minimum": 1, "maximum": 20, "title": "Overs",
            "description": "The overs of an innings.", "x-order": 1}})
    }
}

impl Asking for NetPractice {
    fn asks(&self, draft: &Draft<'_>) -> Vec<Ask> {
        match draft.step {
            AskedStep::SetUp | AskedStep::Choice(_) => Vec::new(),
            AskedStep::Over => {
                let balls = (1..=PRACTICE_BALLS).map(|n| AskOption::new(n, format!("practice ball {n}")));
                let ask = Ask::new(draft.at("practice_ball"), AskKind::One, "Which practice ball?");
                let ask = ask.of(draft.listed(balls)).under(draft.behind(BEHIND, "practice_ball"));
                vec![ask.or_default(1)]
            }
            AskedStep::Ball => {
                let due = OF_BALL.iter().filter(|(name, ..)| NetPractice::is_due(name, draft.choices));
                let asks = due.map(|asked| self.ask(draft, asked));
                let die = (self.scores.created().dice == DiceMode::Table)
                    .then(|| next_die(self, draft, |_| "The net die".to_owned(), BEHIND))
                    .flatten();
                asks.chain(die).collect()
            }
        }
    }

    fn on_field(&self) -> OnField<'_> {
        let batters = self.at_the_wicket().map(|player| self.scores.batters()[player.index()].as_str());
        let bowlers = self.scores.bowlers();
        OnField {
            batting: self.scores.batting(),
            striker: Some(batters[0]),
            non_striker: Some(batters[1]),
            bowler: self.scores.innings.bowler().map(|bowler| bowlers[bowler.index()].as_str()),
            style: None,
            keeper: None,
            balls_limit: Some(self.scores.balls_limit()),
        }
    }
}

impl NetPractice {
    fn ask(&self, draft: &Draft<'_>, (name, form, has_default): &(&'static str, Form, bool)) -> Ask {
        let names = self.in_nets();
        let title = format!("Which {}?", name.replace('_', " "));
        let shots = || draft.listed(SHOTS.map(AskOption::named));
        let of = |kind: AskKind| Ask::new(draft.at(name), kind, title.as_str());
        let numbers = |most: i64| draft.listed((1..=most).map(|n| AskOption::new(n, n.to_string())));
        let ask = match *form {
            Form::Word(words) if *name == "length" => {
                of(AskKind::One).of(draft.listed(words.iter().map(|word| self.length(draft, word))))
            }
            Form::Word(words) => {
                of(AskKind::One).of(draft.listed(words.iter().map(|word| AskOption::named(word))))
            }
            Form::Number(most) if *name == "pace" => of(AskKind::Number).between(1, most),
            Form::Number(most) => of(AskKind::Number).of(numbers(most)).between(1, most),
            Form::YesNo => {
                let ways = [AskOption::new(true, "Yes"), AskOption::new(false, "No")];
                of(AskKind::YesNo).of(draft.listed(ways))
            }
            Form::SomeShots(most) => of(AskKind::Some).of(shots()).count(most as u8),
            Form::TwoShots => of(AskKind::Order).of(shots()).count(2),
            Form::Nets => Ask { places: draft.placed(|| places(&names)), ..of(AskKind::Places) },
        };
        let behind = if matches!(*name, "length" | "nets") { name } else { "choice" };
        let ask = ask.under(draft.behind(BEHIND, behind));
        if *has_default { ask.or_default(form.usual(&names)) } else { ask }
    }

    /// A length: the one that was bowled last is none, and a bouncer asks for its height.
    fn length(&self, draft: &Draft<'_>, length: &'static str) -> AskOption {
        let option = AskOption::named(length);
        if self.last_length == Some(length) {
            return option.refused("bowled last", &LENGTH);
        }
        let heights = (1..=3).map(|n| AskOption::new(n, n.to_string()));
        let height = Ask::new(draft.at("height"), AskKind::Number, "Which height?").of(heights).between(1, 3);
        match length {
            "bouncer" => AskOption { asks: vec![height.under([&ASKED])], ..option },
            _ => option,
        }
    }
}

fn places(names: &[&str]) -> Places {
    let spot = |at: usize| format!("M{:.1} .4h.2v.2h-.2Z", 0.1 + 0.3 * at as f64);
    let place = |(at, net): (usize, &&str)| PlaceAsked {
        id: (*net).to_owned(),
        title: format!("the {net} net"),
        shape: Some(spot(at)),
    };
    let limit = |net: &&str| PlacesLimit {
        places: vec![(*net).to_owned()],
        n: 1,
        text: "a net takes one".to_owned(),
    };
    let stand = |nets: [&str; 2]| -> Map<String, Value> {
        names.iter().zip(nets).map(|(name, net)| ((*name).to_owned(), json!(net))).collect()
    };
    Places {
        names: names.iter().map(|name| (*name).to_owned()).collect(),
        places: NET_NAMES.iter().enumerate().map(place).collect(),
        at_most: NET_NAMES.iter().map(limit).collect(),
        now: stand(["near", "middle"]),
        named: vec![PlacesNamed { title: "Far apart".to_owned(), at: stand(["near", "far"]) }],
    }
}

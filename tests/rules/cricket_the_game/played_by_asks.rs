//! Whole matches at the table, played by what is asked alone: every value that is offered is taken, and every
//! value with a reason why not is refused.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use third_umpire::dice::TableDice;
use third_umpire::log::TossChoice;
use third_umpire::matches::{Input, Phase, RequestKind, StepRequest};
use third_umpire::rules::{Ask, AskKind, AskOption, AskedStep, Choices, Play, RefusalKind};
use third_umpire::scorebook::Side;
use third_umpire_test_support::logs::{PlayedMatch, built_in_edition, heads};

use super::asks::{asks_after, required};
use super::{as_edition, created};

/// Numbers that are the same in every run.
struct Luck(u64);

impl Luck {
    fn below(&mut self, many: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % many
    }
}

/// A body that is filled in ask by ask.
#[derive(Clone, Default)]
struct Body {
    choices: Choices,
    dice: Vec<i64>,
}

impl Body {
    /// The body with a value at the place of an ask.
    fn with(&self, at: &str, value: &Value) -> Body {
        let mut body = self.clone();
        if at.starts_with("dice[") {
            body.dice.push(value.as_i64().expect("a face"));
            return body;
        }
        let mut members = at.strip_prefix("choices.").unwrap_or(at).split('.');
        let first = members.next().expect("a member").to_owned();
        let place = body.choices.entry(first).or_insert(Value::Null);
        *members.fold(place, |inner, member| &mut inner[member]) = value.clone();
        body
    }

    /// The value at the place of an ask.
    fn at(&self, at: &str) -> Option<Value> {
        let mut members = at.strip_prefix("choices.").unwrap_or(at).split('.');
        let first = self.choices.get(members.next()?)?;
        members.try_fold(first, |inner, member| inner.get(member)).cloned()
    }

    /// What the body has for these asks, and nothing else: no dice, and no answer to what they have raised.
    fn only(&self, asks: &[Ask]) -> Body {
        let given = asks.iter().filter_map(|ask| Some((&ask.at, self.at(&ask.at)?)));
        given.fold(Body::default(), |body, (at, value)| body.with(at, &value))
    }

    fn input(&self, step: AskedStep) -> Input {
        let choices = self.choices.clone();
        Input::Play(match step {
            AskedStep::SetUp => Play::SetUp(choices),
            AskedStep::Over => Play::Over(choices),
            _ => Play::Ball(choices),
        })
    }
}

fn legal(ask: &Ask) -> Vec<&AskOption> {
    ask.options.iter().filter(|option| option.why_not.is_none()).collect()
}

/// A value of an ask, as the body has it: some and an order are lists.
fn as_value(ask: &Ask, option: &AskOption) -> Value {
    let value = option.value.clone();
    match ask.kind {
        AskKind::Some => json!([value]),
        AskKind::Order => {
            let other = legal(ask).into_iter().find(|other| other.value != value).expect("another");
            json!([value, other.value])
        }
        _ => value,
    }
}

struct Player {
    played: PlayedMatch,
    luck: Luck,
    /// How often each ask has been met, by its place.
    met: BTreeMap<String, usize>,
    refused: BTreeSet<&'static str>,
    /// How many choices of a body were changed after later ones had been made.
    changed: usize,
}

impl Player {
    /// Checks each value of an ask: it is taken unless it says why not.
    fn check(&mut self, step: AskedStep, body: &Body, ask: &Ask) {
        *self.met.entry(ask.at.clone()).or_default() += 1;
        for option in &ask.options {
            let tried = body.with(&ask.at, &as_value(ask, option));
            let mut dice = TableDice::new(&tried.dice);
            let decided = self.played.the_match.decide(tried.input(step), &mut dice, None);
            let refusal = decided.err().filter(|refusal| refusal.kind != RefusalKind::NeedsInput);
            let told = (&ask.at, &option.value, &option.why_not, refusal.as_ref().map(|it| &it.message));
            assert_eq!(refusal.is_some(), option.why_not.is_some(), "{told:?}");
            if let Some(refusal) = &refusal {
                assert_eq!(refusal.ruling.map(|ruling| ruling.id), option.ruling, "{told:?}");
                self.refused.extend(option.ruling);
            }
        }
    }

    /// Changes each choice of the body to each value that is offered for it, and clears what comes after it:
    /// the value is taken unless it says why not.
    fn check_changes(&mut self, step: AskedStep, body: &Body, asks: &[Ask]) {
        for (at, ask) in asks.iter().enumerate().filter(|(_, ask)| body.at(&ask.at).is_some()) {
            self.changed += 1;
            for option in legal(ask).into_iter().filter(|_| ask.count != Some(0)) {
                let tried = body.only(&asks[..at]).with(&ask.at, &as_value(ask, option));
                let decided = self.played.the_match.decide(tried.input(step), &mut TableDice::new(&[]), None);
                let refusal = decided.err().filter(|refusal| refusal.kind != RefusalKind::NeedsInput);
                assert!(refusal.is_none(), "{} {}: {refusal:?}, {:?}", ask.at, option.value, body.choices);
            }
        }
    }

    /// Takes a value at random, for one ask of three.
    fn change(&mut self, body: &mut Body, ask: &Ask) {
        if self.luck.below(3) > 0 {
            return;
        }
        let value = match (&ask.places, legal(ask).as_slice()) {
            (Some(places), _) => json!(places.now),
            (None, []) => return,
            (None, _) if ask.kind == AskKind::Some && ask.count == Some(0) => return,
            (None, values) => as_value(ask, values[self.luck.below(values.len())]),
        };
        *body = body.with(&ask.at, &value);
    }

    fn answer(&mut self, body: &mut Body, ask: &Ask) {
        let values = legal(ask);
        let value = values[self.luck.below(values.len())].value.clone();
        *body = body.with(&ask.at, &value);
    }

    fn enter(&mut self, step: AskedStep, body: &Body) {
        let entered = self.played.enter(body.input(step), &body.dice);
        entered.unwrap_or_else(|refusal| panic!("{refusal}: {:?} {:?}", body.choices, body.dice));
    }

    fn set_up_or_over(&mut self, step: AskedStep, asks: &[Ask]) {
        let mut body = Body::default();
        for ask in asks {
            // A set-up waits for the pitch, and so takes any legal value before it.
            self.check(step, &body, ask);
            if ask.required {
                self.answer(&mut body, ask);
            } else if ask.places.is_none() {
                self.change(&mut body, ask);
            }
        }
        self.enter(step, &body);
    }

    fn ball(&mut self) {
        let step = AskedStep::Ball;
        let mut body = Body::default();
        let places: Vec<String> = match self.asks(&body) {
            Some(asks) => asks.iter().filter(|ask| !ask.required).map(|ask| ask.at.clone()).collect(),
            None => Vec::new(),
        };
        // Each choice is made in the light of those before it.
        for at in places {
            let Some(asks) = self.asks(&body) else { break };
            let ask = asks.iter().find(|ask| ask.at == at).expect("it is still asked");
            self.check(step, &body, ask);
            self.change(&mut body, ask);
        }
        while let Some(asks) = self.asks(&body) {
            self.check_changes(step, &body, &asks);
            let ask = required(&asks).clone();
            self.check(step, &body, &ask);
            self.answer(&mut body, &ask);
        }
        self.enter(step, &body);
    }

    /// What is asked after this much of a ball; none where it is whole.
    fn asks(&self, body: &Body) -> Option<Vec<Ask>> {
        let mut dice = TableDice::new(&body.dice);
        let decided = self.played.the_match.decide(body.input(AskedStep::Ball), &mut dice, None);
        decided.err().map(|_| asks_after(&self.played, &body.choices, &body.dice).0)
    }

    fn step(&mut self) {
        let request = StepRequest::of(&self.played.the_match).swap_remove(0);
        let input = match request.kind {
            RequestKind::SetUp => return self.set_up_or_over(AskedStep::SetUp, &request.asks),
            RequestKind::Over => return self.set_up_or_over(AskedStep::Over, &request.asks),
            RequestKind::Ball => return self.ball(),
            RequestKind::Toss => return drop(self.played.enter(heads(), &[1]).expect("a toss")),
            RequestKind::TossDecision => Input::TossDecision { to: TossChoice::Bat },
            RequestKind::Review => {
                let by = if request.body["by"] == "home" { Side::Home } else { Side::Away };
                Input::Accept { by }
            }
            kind => panic!("{kind:?} is not asked at the table"),
        };
        self.played.enter(input, &[]).expect("it is asked for");
    }
}

#[test]
fn whole_matches_are_played_by_what_is_asked_alone() {
    let edition = as_edition(serde_json::from_str(built_in_edition()).expect("JSON"));
    let mut met: BTreeMap<String, usize> = BTreeMap::new();
    let mut refused = BTreeSet::new();
    for (format, luck) in [("t10", 1), ("t10", 2), ("t20", 3)] {
        let played = created(&edition, json!({"format": format}), 1, None);
        let (met_here, luck) = (BTreeMap::new(), Luck(luck));
        let mut player = Player { played, luck, met: met_here, refused: BTreeSet::new(), changed: 0 };
        while !matches!(player.played.the_match.play().phase(), Phase::Completed(_)) {
            player.step();
        }
        assert!(player.changed > 100, "{} choices are changed", player.changed);
        player.met.into_iter().for_each(|(at, times)| *met.entry(at).or_default() += times);
        refused.extend(player.refused);
    }
    let questions = ["reroll_batter", "longer", "run", "chance"].map(|name| format!("choices.{name}"));
    let more = ["drop.home", "pitch", "openers", "attitudes", "bowler", "power_play", "choices.next_batter"];
    for at in questions.iter().map(String::as_str).chain(more).chain(["choices.skills.bowler", "dice[0]"]) {
        assert!(met.contains_key(at), "{at} is never asked");
    }
    for ruling in ["ctg.over.consecutive", "ctg.over.quota", "ctg.ball.over_card", "ctg.ball.skill"] {
        assert!(refused.contains(ruling), "{ruling} refuses nothing");
    }
}

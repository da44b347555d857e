//! Requests: what answers the step that a match waits for, with all that a screen needs to ask for it. The
//! titles, the values and the words of a game come from [`Asking`](crate::rules::Asking).

mod decided;
mod draft;
mod preview;

use serde_json::Value;

pub use self::draft::{NoSuchAsk, put};
use self::preview::decided_outcome;
pub use self::preview::{Preview, PreviewRequest};
use super::{Decided, Input, Match, OpenReview, Phase};
use crate::dice::TableDice;
use crate::log::{CLIENT_SEED, DiceMode, SEED_COMMITMENT};
use crate::rules::{Ask, AskKind, AskOption, CardVerdict, Choices, Draft, Next, Step, Words};
use crate::scorebook::Side;

/// The kind of a request that answers a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestKind {
    /// The set-up before the toss.
    SetUp,
    /// The toss.
    Toss,
    /// The decision of the winner of the toss.
    TossDecision,
    /// The start of an over.
    Over,
    /// A ball.
    Ball,
    /// A review of the last decision, or its acceptance.
    Review,
    /// A choice that a side makes for itself.
    Choice,
    /// A side's part of the seed.
    Seed,
    /// Play by the service with default choices.
    Autoplay,
}

impl RequestKind {
    /// Every kind.
    pub const ALL: [RequestKind; 9] = [
        RequestKind::SetUp,
        RequestKind::Toss,
        RequestKind::TossDecision,
        RequestKind::Over,
        RequestKind::Ball,
        RequestKind::Review,
        RequestKind::Choice,
        RequestKind::Seed,
        RequestKind::Autoplay,
    ];
}

/// A request that answers the step that a match waits for.
#[derive(Debug, Clone, PartialEq)]
pub struct StepRequest {
    /// What the request does, in words for a button: `Bowl the over`.
    pub title: String,
    /// The kind of the request.
    pub kind: RequestKind,
    /// The part of its body that is fixed.
    pub body: Choices,
    /// Whether one side must not see what the other enters here.
    pub secret: bool,
    /// What is asked for its body.
    pub asks: Vec<Ask>,
}

impl StepRequest {
    fn new(title: impl Into<String>, kind: RequestKind) -> StepRequest {
        StepRequest { title: title.into(), kind, body: Choices::new(), secret: false, asks: Vec::new() }
    }

    fn with(mut self, member: &str, value: impl Into<Value>) -> StepRequest {
        self.body.insert(member.to_owned(), value.into());
        self
    }

    fn asking(self, asks: Vec<Ask>) -> StepRequest {
        StepRequest { asks, ..self }
    }

    /// The requests that answer the step that a match waits for, the plain one first. The options of dice,
    /// numbers and yes or no are not decided yet: see [`with_decided_options`].
    ///
    /// [`with_decided_options`]: Self::with_decided_options
    pub fn of(state: &Match) -> Vec<StepRequest> {
        match state.remote().next() {
            Some(next) => of_remote_step(state, &next),
            None => match state.remote().open_choice() {
                Some((side, choice)) => vec![own_choice(state, side, choice.what, false)],
                None => of_table_step(state),
            },
        }
    }

    /// The request with the outcome of each value, of dice that are rolled at the table.
    pub fn with_decided_options(mut self, state: &Match) -> StepRequest {
        decided::decide_options(&mut self, state);
        self
    }

    /// The request with what is asked, without the values that each ask can have.
    pub fn without_options(self) -> StepRequest {
        let asks = self.asks.iter().map(Ask::without_options).collect();
        StepRequest { asks, ..self }
    }
}

/// The draft of a body in which nothing is filled in.
fn blank(step: Step, choices: &Choices) -> Draft<'_> {
    Draft { step, choices, dice: &[] }
}

/// What the game asks for a request in which nothing is filled in.
fn asks_of(state: &Match, step: Step) -> Vec<Ask> {
    state.play().game().asking().asks(&blank(step, &Choices::new()))
}

fn of_table_step(state: &Match) -> Vec<StepRequest> {
    let play = state.play();
    match play.phase() {
        Phase::SetUp => {
            vec![StepRequest::new("Set up the match", RequestKind::SetUp).asking(asks_of(state, Step::SetUp))]
        }
        Phase::Toss => vec![toss(state)],
        Phase::TossDecision(winner) => vec![toss_decision(state, winner)],
        Phase::Completed(_) | Phase::Abandoned => Vec::new(),
        Phase::Play => match state.reviews().open() {
            Some(open) => of_open_review(state, open),
            None if state.reviews().is_played_out() => Vec::new(),
            None => of_play(state),
        },
    }
}

fn toss(state: &Match) -> StepRequest {
    let created = &state.play().info().created;
    let sides = [Side::Home, Side::Away];
    let named = |side: Side| AskOption::new(side.as_str(), created.sheet(side).name.as_str());
    let faces = || [AskOption::new("heads", "Heads"), AskOption::new("tails", "Tails")];
    let mut asks = vec![
        Ask::new("caller", AskKind::One, "Who calls?").of(sides.map(named)),
        Ask::new("call", AskKind::One, "Heads or tails?").of(faces()),
    ];
    if created.dice == DiceMode::Table {
        asks.push(Ask::new("coin", AskKind::One, "The coin shows").of(faces()));
    }
    StepRequest::new("Toss", RequestKind::Toss).asking(asks)
}

fn toss_decision(state: &Match, winner: Side) -> StepRequest {
    let name = &state.play().info().created.sheet(winner).name;
    let ways = [AskOption::new("bat", "Bat"), AskOption::new("bowl", "Bowl")];
    let ask = Ask::new("to", AskKind::One, format!("{name} won the toss")).of(ways).by(winner);
    StepRequest::new("Bat or bowl", RequestKind::TossDecision).asking(vec![ask])
}

/// The requests of play: the over where one has to begin, the ball, and what the service can do by itself.
fn of_play(state: &Match) -> Vec<StepRequest> {
    let game = state.play().game();
    let begins_over = game.asking().on_field().bowler.is_none();
    let is_seeded = state.play().info().created.dice == DiceMode::Seeded;
    let mut requests = Vec::new();
    if begins_over {
        let title = format!("Begin over {}", game.position().over);
        requests.push(StepRequest::new(title, RequestKind::Over).asking(asks_of(state, Step::Over)));
    }
    if begins_over && state.play().info().created.remote {
        return requests;
    }
    let ball = StepRequest::new(if is_seeded { "Bowl" } else { "Record the ball" }, RequestKind::Ball);
    requests.push(ball.asking(asks_of(state, Step::Ball)));
    if is_seeded {
        requests.push(StepRequest::new("Bowl the over", RequestKind::Autoplay).with("until", "over"));
        let secret = state.remote().secret_choice();
        let sides = [Side::Home, Side::Away].into_iter();
        requests.extend(
            secret
                .into_iter()
                .flat_map(|secret| sides.clone().map(move |side| own_choice(state, side, secret.what, true))),
        );
    }
    requests
}

/// The request with which a side makes a choice for itself.
fn own_choice(state: &Match, side: Side, what: &str, secret: bool) -> StepRequest {
    let name = &state.play().info().created.sheet(side).name;
    let title = format!("{name}: {}", what.replace('_', " "));
    let request = StepRequest::new(title, RequestKind::Choice).with("for", what).with("side", side.as_str());
    StepRequest { secret, ..request.asking(asks_of(state, Step::Choice(side))) }
}

/// The requests for a step in which sides act for themselves.
fn of_remote_step(state: &Match, next: &Next) -> Vec<StepRequest> {
    let Next::Choose { side, what, .. } = next else { return of_play(state) };
    let sides = [Side::Home, Side::Away].into_iter().filter(|one| side.is_none_or(|side| side == *one));
    let secret = state.remote().secret_choice();
    match (*what, secret) {
        (SEED_COMMITMENT | CLIENT_SEED, _) => {
            let created = &state.play().info().created;
            let doing = if *what == CLIENT_SEED { "reveal their seed" } else { "commit to a seed" };
            let seed = |side: Side| {
                let title = format!("{} {doing}", created.sheet(side).name);
                StepRequest::new(title, RequestKind::Seed).with("side", side.as_str())
            };
            sides.map(seed).collect()
        }
        (_, Some(secret)) => sides.map(|side| own_choice(state, side, secret.what, true)).collect(),
        (what, None) => sides.map(|side| own_choice(state, side, what, false)).collect(),
    }
}

/// The requests while a decision can be reviewed: to accept it, to review it, or to play on.
fn of_open_review(state: &Match, open: OpenReview) -> Vec<StepRequest> {
    let by = open.by.as_str();
    let accept =
        StepRequest::new("Accept the decision", RequestKind::Review).with("by", by).with("accept", true);
    let review = StepRequest::new("Review", RequestKind::Review).with("by", by);
    let review = match state.play().info().created.dice {
        DiceMode::Seeded => review,
        DiceMode::Table => review.asking(vec![review_die(state, open.by)]),
    };
    let accepted = accepted(state);
    let played_on = accepted.iter().flat_map(|accepted| of_table_step(&accepted.after));
    let played_on = played_on.filter(|request| matches!(request.kind, RequestKind::Over | RequestKind::Ball));
    [accept, review].into_iter().chain(played_on.map(|request| request.with("accept", true))).collect()
}

/// The match after the open decision is accepted; none where no decision is open.
fn accepted(state: &Match) -> Option<Decided> {
    let by = state.reviews().open()?.by;
    state.decide(Input::Accept { by }, &mut TableDice::new(&[]), None).ok()
}

/// The review die: what each face would mean for the decision.
fn review_die(state: &Match, by: Side) -> Ask {
    let card = state.reviews().card();
    let outcome = |face: i64| {
        let (option, verdict) = (AskOption::new(face, ""), card?.says(u16::try_from(face).ok()?));
        let decided = state.decide(Input::Review { by }, &mut TableDice::new(&[face]), None).ok()?;
        let outcome = decided.events.iter().find_map(decided_outcome)?;
        let title = if outcome.wicket.is_some() { "OUT" } else { "not out" };
        let words = Words::new(title).text(match verdict {
            CardVerdict::StruckDown => "review lost",
            CardVerdict::UmpiresCall => "review kept",
            CardVerdict::Upheld => "review upheld",
        });
        Some(decided::told(option, &words, Some(outcome)))
    };
    let faces = (1..=6).map(|face| outcome(face).unwrap_or_else(|| AskOption::new(face, "")));
    Ask::new("dice[0]", AskKind::Die, "Third umpire\u{2019}s die").of(faces).by(by)
}

//! The requests that answer each step of a match, in the order in which a screen offers them.

use super::decided::{decided_outcome, told};
use super::step_request::{RequestKind, StepRequest, accepted};
use crate::dice::TableDice;
use crate::log::{CLIENT_SEED, DiceMode, SEED_COMMITMENT};
use crate::matches::{Input, Match, OpenReview, Phase};
use crate::rules::{Ask, AskKind, AskOption, AskedStep, CardVerdict, Choices, Draft, Next, Words};
use crate::scorebook::Side;

impl StepRequest {
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
}

/// The draft of a body in which nothing is filled in.
fn blank(step: AskedStep, choices: &Choices) -> Draft<'_> {
    Draft { step, choices, dice: &[] }
}

/// What the game asks for a request in which nothing is filled in.
fn asks_of(state: &Match, step: AskedStep) -> Vec<Ask> {
    state.play().game().asking().asks(&blank(step, &Choices::new()))
}

fn of_table_step(state: &Match) -> Vec<StepRequest> {
    let play = state.play();
    match play.phase() {
        Phase::SetUp => {
            vec![
                StepRequest::new("Set up the match", RequestKind::SetUp)
                    .asking(asks_of(state, AskedStep::SetUp)),
            ]
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
        requests.push(StepRequest::new(title, RequestKind::Over).asking(asks_of(state, AskedStep::Over)));
    }
    if begins_over && state.play().info().created.remote {
        return requests;
    }
    let ball = StepRequest::new(if is_seeded { "Bowl" } else { "Record the ball" }, RequestKind::Ball);
    requests.push(ball.asking(asks_of(state, AskedStep::Ball)));
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
    StepRequest { secret, ..request.asking(asks_of(state, AskedStep::Choice(side))) }
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
        Some(told(option, &words, Some(outcome)))
    };
    let faces = (1..=6).map(|face| outcome(face).unwrap_or_else(|| AskOption::new(face, "")));
    Ask::new("dice[0]", AskKind::Die, "Third umpire\u{2019}s die").of(faces).by(by)
}

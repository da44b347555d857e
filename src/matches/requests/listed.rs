//! The requests that answer each step of a match, in the order in which a screen offers them.

use super::decided::{decide_rest, outcome_of, told};
use super::step_request::{RequestKind, StepRequest, accepted};
use crate::dice::TableDice;
use crate::log::{CLIENT_SEED, DiceMode, SEED_COMMITMENT};
use crate::matches::remote::OPENING;
use crate::matches::{Input, Match, OpenReview, Phase};
use crate::rules::{
    Ask, AskKind, AskOption, AskedStep, CardVerdict, Choices, Draft, Next, ReviewRules, ReviewRulings, Words,
};
use crate::scorebook::Side;

/// What a list of requests tells of the values that an ask can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Values {
    /// No values, and none is made.
    LeftOut,
    /// The values.
    Listed,
    /// The values; and of a ball at the table also what each of them would mean.
    Decided,
}

/// A match of which the requests are listed.
#[derive(Clone, Copy)]
struct Lister<'a> {
    state: &'a Match,
    values: Values,
}

impl StepRequest {
    /// The requests that answer the step that a match waits for, the plain one first. The values of dice,
    /// numbers and yes or no are not decided yet: see [`decided`](Self::decided).
    pub fn of(state: &Match) -> Vec<StepRequest> {
        Lister { state, values: Values::Listed }.requests()
    }

    /// The requests that answer the step, with what each value of a ball at the table would mean.
    pub fn decided(state: &Match) -> Vec<StepRequest> {
        Lister { state, values: Values::Decided }.requests()
    }

    /// The requests that answer the step, without the values that an ask can have. None of them is made.
    pub fn brief(state: &Match) -> Vec<StepRequest> {
        Lister { state, values: Values::LeftOut }.requests()
    }
}

impl Lister<'_> {
    fn lists_values(self) -> bool {
        self.values != Values::LeftOut
    }

    /// What the game asks for a request in which nothing is filled in.
    fn asks(self, step: AskedStep) -> Vec<Ask> {
        let choices = Choices::new();
        let draft = Draft { step, choices: &choices, dice: &[], lists_values: self.lists_values() };
        let mut asks = self.state.play().game().asking().asks(&draft);
        if self.values == Values::Decided {
            decide_rest(&mut asks, self.state, &draft);
        }
        asks
    }

    fn name(&self, side: Side) -> &str {
        &self.state.play().info().created.sheet(side).name
    }

    fn requests(self) -> Vec<StepRequest> {
        match self.state.remote().next() {
            Some(next) => self.of_remote_step(&next),
            None => match self.state.remote().open_choice() {
                Some((side, choice)) => vec![self.own_choice(side, choice.what, false)],
                None => self.of_table_step(),
            },
        }
    }

    fn of_table_step(self) -> Vec<StepRequest> {
        let play = self.state.play();
        match play.phase() {
            Phase::SetUp => {
                let set_up = StepRequest::new("Set up the match", RequestKind::SetUp);
                vec![set_up.asking(self.asks(AskedStep::SetUp))]
            }
            Phase::Toss => self.tosses(),
            Phase::TossDecision(winner) => vec![self.toss_decision(winner)],
            Phase::Completed(_) | Phase::Abandoned => Vec::new(),
            Phase::Play => match self.state.reviews().open() {
                Some(open) => self.of_open_review(open),
                None if self.state.reviews().is_played_out() => Vec::new(),
                None => self.of_play(),
            },
        }
    }

    /// The requests of the toss. Sides at a table may have tossed already, and say who has won. In remote
    /// play each side calls for itself, so there is one for each.
    fn tosses(self) -> Vec<StepRequest> {
        let one_of = |at: &str, title: &str, options: [AskOption; 2]| {
            Ask::new(at, AskKind::One, title).of(options.into_iter().filter(|_| self.lists_values()))
        };
        let faces = || [AskOption::new("heads", "Heads"), AskOption::new("tails", "Tails")];
        let call = || one_of("call", "Heads or tails?", faces());
        let created = &self.state.play().info().created;
        if created.remote {
            let calls = |side: Side| {
                let toss = StepRequest::new(format!("{} call", self.name(side)), RequestKind::Toss);
                toss.with("caller", side.as_str()).asking(vec![call().by(side)])
            };
            return [Side::Home, Side::Away].map(calls).into();
        }
        let named = |side: Side| AskOption::new(side.as_str(), self.name(side));
        let caller = one_of("caller", "Who calls?", [Side::Home, Side::Away].map(named));
        if created.dice == DiceMode::Seeded {
            return vec![StepRequest::new("Toss", RequestKind::Toss).asking(vec![caller, call()])];
        }
        let coin = one_of("coin", "The coin shows", faces());
        let won = |side| AskOption { asks: vec![self.bat_or_bowl(side)], ..named(side) };
        let winner = one_of("winner", "Who won the toss?", [Side::Home, Side::Away].map(won));
        vec![
            StepRequest::new("We have tossed", RequestKind::Toss).asking(vec![winner]),
            StepRequest::new("Toss now", RequestKind::Toss).asking(vec![caller, call(), coin]),
        ]
    }

    fn bat_or_bowl(self, winner: Side) -> Ask {
        let first = |side| format!("{} bat first", self.name(side));
        let ways = [
            AskOption::new("bat", "Bat").text(first(winner)),
            AskOption::new("bowl", "Bowl").text(first(winner.other())),
        ];
        let ways = ways.into_iter().filter(|_| self.lists_values());
        Ask::new("to", AskKind::One, format!("{} won the toss", self.name(winner))).of(ways).by(winner)
    }

    fn toss_decision(self, winner: Side) -> StepRequest {
        let asks = vec![self.bat_or_bowl(winner)];
        StepRequest::new("Bat or bowl", RequestKind::TossDecision).asking(asks)
    }

    /// The requests of play: the over where one has to begin, the ball, and what the service can do by
    /// itself.
    fn of_play(self) -> Vec<StepRequest> {
        let play = self.state.play();
        let begins_over = play.game().asking().on_field().bowler.is_none();
        let is_seeded = play.info().created.dice == DiceMode::Seeded;
        let mut requests = Vec::new();
        if begins_over {
            let title = format!("Begin over {}", play.game().position().over);
            requests.push(StepRequest::new(title, RequestKind::Over).asking(self.asks(AskedStep::Over)));
        }
        if begins_over && play.info().created.remote {
            return requests;
        }
        let ball = StepRequest::new(if is_seeded { "Bowl" } else { "Record the ball" }, RequestKind::Ball);
        requests.push(ball.asking(self.asks(AskedStep::Ball)));
        if is_seeded {
            if !play.info().created.remote {
                requests.push(StepRequest::new("Bowl the over", RequestKind::Autoplay).with("until", "over"));
            }
            let secret = self.state.remote().secret_choice().into_iter();
            requests.extend(secret.flat_map(|secret| self.secret_choices(secret.what)));
        }
        requests
    }

    /// The request with which a side makes a choice for itself. Where no part of the choice is required, the
    /// choice stands in the body already, so that the request can be sent as it is listed.
    fn own_choice(self, side: Side, what: &str, secret: bool) -> StepRequest {
        let title = format!("{}: {}", self.name(side), what.replace('_', " "));
        let request =
            StepRequest::new(title, RequestKind::Choice).with("for", what).with("side", side.as_str());
        let asks = self.asks(AskedStep::Choice(side));
        let is_whole = asks.iter().all(|ask| !ask.required);
        let request = if is_whole { request.with("choice", Choices::new()) } else { request };
        StepRequest { secret, ..request.asking(asks) }
    }

    fn secret_choices(self, what: &'static str) -> [StepRequest; 2] {
        [Side::Home, Side::Away].map(|side| self.own_choice(side, what, true))
    }

    /// The requests for a step in which sides act for themselves.
    fn of_remote_step(self, next: &Next) -> Vec<StepRequest> {
        let Next::Choose { side, what, .. } = next else { return self.of_play() };
        let sides = [Side::Home, Side::Away].into_iter().filter(|one| side.is_none_or(|side| side == *one));
        match (*what, self.state.remote().secret_choice()) {
            (SEED_COMMITMENT, _) => sides.map(|side| self.seed(side, "commit to a seed")).collect(),
            (CLIENT_SEED, _) => sides.map(|side| self.seed(side, "reveal their seed")).collect(),
            (OPENING, Some(secret)) => sides.map(|side| self.opening(side, secret.what)).collect(),
            (_, Some(secret)) => sides.map(|side| self.own_choice(side, secret.what, true)).collect(),
            (what, None) => sides.map(|side| self.own_choice(side, what, false)).collect(),
        }
    }

    /// The request with a side's part of the seed. Its hash or its seed is made by the client, and nobody is
    /// asked for it.
    fn seed(self, side: Side, doing: &str) -> StepRequest {
        let title = format!("{} {doing}", self.name(side));
        StepRequest::new(title, RequestKind::Seed).with("side", side.as_str())
    }

    /// The request with which a side opens the choice that it has sealed. Choice and salt are those of the
    /// seal, which the client has kept, and nobody is asked for them.
    fn opening(self, side: Side, what: &str) -> StepRequest {
        let title = format!("{} open their {}", self.name(side), what.replace('_', " "));
        let request =
            StepRequest::new(title, RequestKind::Choice).with("for", what).with("side", side.as_str());
        StepRequest { secret: true, ..request }
    }

    /// The requests while a decision can be reviewed: to accept it, to review it, or to play on.
    fn of_open_review(self, open: OpenReview) -> Vec<StepRequest> {
        let by = open.by.as_str();
        let [accept, review] = self.review_titles();
        let accept = StepRequest::new(accept, RequestKind::Review).with("by", by).with("accept", true);
        let review = StepRequest::new(review, RequestKind::Review).with("by", by);
        let [accept, review] = match self.review_rulings() {
            Some(rulings) => [accept.under(rulings.of_acceptance()), review.under(rulings.of_review())],
            None => [accept, review],
        };
        let review = match self.state.play().info().created.dice {
            DiceMode::Seeded => review,
            DiceMode::Table => review.asking(vec![self.review_die(open.by)]),
        };
        let accepted = accepted(self.state);
        let played_on =
            accepted.iter().flat_map(|accepted| Lister { state: &accepted.after, ..self }.requests());
        let played_on =
            played_on.filter(|request| matches!(request.kind, RequestKind::Over | RequestKind::Ball));
        [accept, review].into_iter().chain(played_on.map(|request| request.with("accept", true))).collect()
    }

    /// The titles of the acceptance and of the review, with what each comes to: `Accept, Quinn is out` and
    /// `Review: Quinn may stay`, as a die decides it.
    fn review_titles(self) -> [String; 2] {
        let outcomes = self.state.reviews().open_outcomes();
        let out = outcomes.map(|outcomes| outcomes.map(|outcome| outcome.wicket.as_ref()));
        match out {
            Some([Some(out), None]) => {
                let name = &out.player_out;
                [format!("Accept, {name} is out"), format!("Review: {name} may stay")]
            }
            Some([None, Some(out)]) => {
                let name = &out.player_out;
                [format!("Accept, {name} is not out"), format!("Review: {name} may be out")]
            }
            _ => ["Accept the decision".to_owned(), "Review".to_owned()],
        }
    }

    /// The review die: what each face would mean for the decision.
    fn review_die(self, by: Side) -> Ask {
        let ask = Ask::new("dice[0]", AskKind::Die, "Third umpire\u{2019}s die").by(by);
        if !self.lists_values() {
            return ask;
        }
        let ask = ask.of((1..=6).map(|face| self.review_face(by, face)));
        ask.under(self.review_rulings().into_iter().flat_map(ReviewRulings::verdicts))
    }

    /// The rulings on reviews of the game, where anybody looks at them.
    fn review_rulings(self) -> Option<&'static ReviewRulings> {
        let reviews = self.state.play().game().reviews().filter(|_| self.lists_values());
        reviews.map(ReviewRules::rulings)
    }

    fn review_face(self, by: Side, face: i64) -> AskOption {
        let (option, card) = (AskOption::new(face, ""), self.state.reviews().card());
        let verdict = u16::try_from(face).ok().zip(card).map(|(face, card)| card.says(face));
        let decided = self.state.decide(Input::Review { by }, &mut TableDice::new(&[face]), None).ok();
        let outcome = decided.as_ref().and_then(|decided| decided.events.iter().find_map(outcome_of));
        let (Some(verdict), Some(outcome)) = (verdict, outcome) else { return option };
        let title = if outcome.wicket.is_some() { "OUT" } else { "not out" };
        let words = Words::new(title).text(match verdict {
            CardVerdict::StruckDown => "review lost",
            CardVerdict::UmpiresCall => "review kept",
            CardVerdict::Upheld => "review upheld",
        });
        told(option, &words, Some(outcome))
    }
}

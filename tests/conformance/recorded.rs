//! Logs of whatever the service records audit clean, whoever asked for it; and no log of a completed match is
//! clean without its last event. A thousand matches, with mistakes, disputes, proposals and reviews, and with
//! amendments after the end.
//!
//! Every command here goes through [`CommandHandler::handle`], as in the service.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use third_umpire::audit::{AuditReport, Verdict, audit};
use third_umpire::commands::{
    Command, CommandHandler, CorrectionCommand, DeliveryNamed, NamedAmendment, NamedTarget, Until,
};
use third_umpire::dice::ServerSeed;
use third_umpire::editions::Editions;
use third_umpire::games;
use third_umpire::log::{
    Actor, AgreedOutcome, Cascade, ClientSeeds, CoinFace, DisputeFinding, DisputeRuled, Event, EventData,
    Role, SeedSource, TossChoice,
};
use third_umpire::matches::{
    ClaimedChoice, History, Input, Match, MatchSettings, SealOpening, ServerSecrets, seed_hash,
};
use third_umpire::projection::LoadedMatch;
use third_umpire::rules::{Choices, Next, Place, Play, Refusal, RefusalKind};
use third_umpire::scorebook::Side;
use third_umpire::views::{MatchNow, Rows};
use third_umpire_test_support::logs::{Log, PlayedMatch, SealedLog, Setting, match_id, object};
use third_umpire_test_support::random::{Chooser, Lcg, legal_input};

/// The number of matches of each kind; there are ten kinds.
const MATCHES: u64 = 100;

/// A match whose players and officials try everything at random.
struct Recorder {
    a_match: PlayedMatch,
    chooser: Chooser,
    sealed: SealedLog,
    history: History<LoadedMatch>,
    /// The match as a service keeps it: what a decision came to, without a second fold.
    kept: Option<LoadedMatch>,
    openings: Vec<SealOpening>,
    now: DateTime<Utc>,
    has_umpire: bool,
}

impl Recorder {
    fn begin(kind: u64, number: u64) -> Recorder {
        let mut random = Lcg((kind << 32) + number);
        let bytes = (0..4_000).map(|_| random.byte()).collect();
        let mut chooser = Chooser::new(bytes);
        let (game, rules) = rules_of(kind, &mut chooser);
        let game = games::BUILT_IN.find(game).expect("a game");
        let remote = kind >= 7;
        let seeded = remote || !kind.is_multiple_of(2);
        let seed = seeded.then(|| ServerSeed::from_hex(&format!("{:064x}", random.0)).expect("a seed"));
        let (client_seeds, seed_source) = match remote {
            true => (ClientSeeds::Both, SeedSource::Os),
            false => (ClientSeeds::None, SeedSource::Creator),
        };
        let settings = MatchSettings { client_seeds, remote, choice_timeout: 60 };
        let setting = Setting { settings, seed_source, ..Setting::of(game, rules) };
        let a_match = setting.open(seed).expect("a match");
        let mut recorder = Recorder {
            chooser,
            sealed: SealedLog::default(),
            history: History::new(Editions::default()),
            kept: None,
            openings: Vec::new(),
            now: DateTime::from_timestamp(1_769_868_000, 0).expect("a time"),
            has_umpire: false,
            a_match,
        };
        let first = recorder.a_match.log[0].clone();
        let creator = *recorder.chooser.pick(&[Actor::Scorer, Actor::Admin]);
        recorder.record(first, creator);
        recorder
    }

    fn record(&mut self, data: EventData, actor: Actor) {
        self.has_umpire |= matches!(&data, EventData::TokenRotated(rotated) if rotated.role == Role::Umpire);
        let event = self.sealed.append(self.now, actor, data).clone();
        let loaded = self.history.follow(event).expect("decided events can be read");
        self.a_match.the_match = loaded.the_match().clone();
    }

    /// Asserts that the views of the kept match are those of the log folded from its first event.
    fn assert_kept_as_folded(&self) {
        let folded = self.history.state().expect("the match is open");
        if let Some(kept) = &self.kept {
            assert_eq!(Rows::of(kept, &MatchNow::of(kept)), Rows::of(folded, &MatchNow::of(folded)));
            assert_eq!(
                (kept.head(), kept.projection().reviews()),
                (folded.head(), folded.projection().reviews())
            );
        }
    }

    fn the_match(&self) -> &Match {
        &self.a_match.the_match
    }

    /// Submits a command, and records its events.
    fn submit(&mut self, actor: Actor, command: Command) -> Result<(), Refusal> {
        let seconds = [0, 1, 7, 100][self.chooser.below(4)];
        self.now += TimeDelta::seconds(seconds);
        let secrets = ServerSecrets { seed: self.a_match.seed(), openings: &self.openings, now: self.now };
        let places = self.history.state().expect("the match is open").projection().places();
        let handler = CommandHandler { the_match: self.the_match(), places, actor, secrets };
        let decided = handler.handle(&command, &self.sealed.events)?;
        if let Some(opening) = decided.secrets.opening {
            self.openings.retain(|other| other.side != opening.side);
            self.openings.push(opening);
        }
        let first = self.sealed.events.len();
        for (data, actor) in decided.events {
            self.record(data, actor);
        }
        let folded = self.history.state().expect("the match is open");
        self.kept = Some(match (self.kept.take(), decided.after) {
            (Some(kept), Some(after)) => {
                assert!(
                    *folded.the_match() == after,
                    "a replay of decided events comes to what decided them"
                );
                kept.append(&self.sealed.events[first..].iter().collect::<Vec<_>>(), after)
            }
            _ => folded.clone(),
        });
        Ok(())
    }

    /// Submits an input, with the dice and answers that refusals ask for where dice are rolled at the table.
    fn put(&mut self, actor: Actor, input: Input, accept: bool) -> Result<(), Refusal> {
        let (mut input, mut dice) = (input, Vec::new());
        loop {
            let is_tossed = matches!(input, Input::Toss { .. }) && self.a_match.seed().is_none();
            let coin = is_tossed.then(|| *self.chooser.pick(&[CoinFace::Heads, CoinFace::Tails]));
            let command = command_of(input.clone(), coin, dice.clone(), accept);
            let refusal = match self.submit(actor, command) {
                Ok(()) => return Ok(()),
                Err(refusal) if refusal.kind != RefusalKind::NeedsInput || dice.len() > 40 => {
                    return Err(refusal);
                }
                Err(refusal) => refusal,
            };
            match (&refusal.place, &mut input) {
                (Place::Die(_), _) => {
                    let faces = refusal.legal["maximum"].as_u64().expect("a die") as usize;
                    dice.push(1 + self.chooser.below(faces) as i64);
                }
                (Place::Choice(name), Input::Play(Play::Ball(choices) | Play::SetUp(choices))) => {
                    let Some(legal) = refusal.legal.as_array().filter(|legal| !legal.is_empty()) else {
                        return Err(refusal);
                    };
                    choices.insert(name.clone(), self.chooser.pick(legal).clone());
                }
                _ => return Err(refusal),
            }
        }
    }

    fn actor(&mut self) -> Actor {
        *self.chooser.pick(&[Actor::Scorer, Actor::Home, Actor::Away, Actor::Umpire])
    }

    /// A random actor who has a token.
    fn holder(&mut self) -> Actor {
        loop {
            let actor = self.actor();
            let has_token = match actor.side() {
                Some(side) => self.the_match().remote().is_claimed(side),
                None => actor != Actor::Umpire || self.has_umpire,
            };
            if has_token {
                return actor;
            }
        }
    }

    fn side(&mut self) -> Side {
        *self.chooser.pick(&[Side::Home, Side::Away])
    }

    /// Plays the next step of the match, by whoever may.
    fn go_on(&mut self) {
        match self.the_match().play().info().created.remote {
            true => self.go_on_remotely(),
            false => self.go_on_at_one_table(),
        }
    }

    fn go_on_at_one_table(&mut self) {
        let by = self.holder();
        if by != Actor::Scorer {
            // This input may be refused, since the choice in it may belong to another side.
            let bare = match self.the_match().next() {
                Next::Choose { what: "toss", .. } if self.chooser.once_in(2) => {
                    Input::ReportedToss { winner: self.side() }
                }
                Next::Choose { what: "toss", .. } => {
                    Input::Toss { caller: self.side(), call: CoinFace::Tails }
                }
                Next::Choose { what: "toss_decision", .. } => Input::TossDecision { to: TossChoice::Bowl },
                Next::Choose { what: "review", side: Some(by), .. } => Input::Review { by },
                Next::Choose { what: "set_up", .. } => Input::Play(Play::SetUp(Choices::new())),
                _ => match self.chooser.below(4) {
                    0 => Input::Play(Play::Over(self.own_bowler())),
                    _ => Input::Play(Play::Ball(self.own_answer())),
                },
            };
            let accept = self.chooser.once_in(3);
            let _ = self.put(by, bare, accept);
        }
        let Some(input) = legal_input(&self.a_match, &mut self.chooser) else { return };
        let _ = self.put(Actor::Scorer, input, false);
    }

    fn own_bowler(&mut self) -> Choices {
        let Next::Choose { legal, .. } = self.the_match().next() else { return Choices::new() };
        let bowlers = legal["bowler"].as_array().filter(|_| self.chooser.once_in(2));
        let bowler =
            bowlers.filter(|bowlers| !bowlers.is_empty()).map(|bowlers| self.chooser.pick(bowlers).clone());
        bowler.map(|bowler| Choices::from_iter([("bowler".to_owned(), bowler)])).unwrap_or_default()
    }

    fn own_answer(&mut self) -> Choices {
        match self.the_match().next() {
            Next::Choose { what, legal: Value::Array(legal), .. } if !legal.is_empty() => {
                Choices::from_iter([(what.to_owned(), self.chooser.pick(&legal).clone())])
            }
            Next::Choose { what: "next_batter", legal, .. } => {
                let batter = self.chooser.pick(legal["next_batter"].as_array().expect("batters")).clone();
                Choices::from_iter([("next_batter".to_owned(), batter)])
            }
            _ => Choices::new(),
        }
    }

    fn go_on_remotely(&mut self) {
        let both = [Side::Home, Side::Away];
        if let Some(side) = both.into_iter().find(|side| !self.the_match().remote().is_claimed(*side)) {
            let _ = self.submit(Actor::from(side), Command::Claim { side, token: "a".repeat(64) });
            return;
        }
        let by = self.side();
        if self.chooser.once_in(14) && self.submit_remote(by, Command::Call { side: by }).is_ok() {
            self.now += TimeDelta::seconds(100);
            let _ = self.submit_remote(by, Command::Call { side: by });
            return;
        }
        let _ = match self.the_match().next() {
            Next::Choose { what: "seed_commitment", .. } => {
                let commitment =
                    self.the_match().play().info().created.commitment.clone().expect("a seeded match");
                let hash = seed_hash(match_id(), by, &commitment, &client_seed(by)).expect("a hash");
                self.submit_remote(by, Command::CommitSeed { side: by, hash })
            }
            Next::Choose { what: "client_seed", .. } => {
                self.submit_remote(by, Command::RevealSeed { side: by, client_seed: client_seed(by) })
            }
            Next::Choose { what: "toss", .. } => {
                self.put(Actor::from(by), Input::Toss { caller: by, call: CoinFace::Heads }, false)
            }
            Next::Choose { what: "toss_decision", .. } if !self.chooser.once_in(4) => {
                self.put(Actor::from(by), Input::TossDecision { to: TossChoice::Bat }, false)
            }
            Next::Choose { what: "review", .. } if self.chooser.once_in(2) => {
                self.put(Actor::from(by), Input::Review { by }, false)
            }
            Next::Choose { what: "review", .. } => self.put(Actor::from(by), Input::Accept { by }, false),
            Next::Choose { what, .. } if !self.chooser.once_in(8) && has_sealed_choice(self.the_match()) => {
                let claimed = ClaimedChoice { what: what.to_owned(), innings: None, over: None, ball: None };
                let salt = format!("{:064x}", self.chooser.below(256));
                self.submit_remote(by, Command::Choose { side: by, claimed, salt, choice: Choices::new() })
            }
            Next::Choose { what: "over", .. } => {
                self.put(Actor::from(by), Input::Play(Play::Over(Choices::new())), false)
            }
            _ if self.chooser.once_in(6) => self.submit_remote(by, Command::Call { side: by }),
            _ => {
                let answer = self.own_answer();
                let by = self.holder();
                self.put(by, Input::Play(Play::Ball(answer)), false)
            }
        };
    }

    fn submit_remote(&mut self, side: Side, command: Command) -> Result<(), Refusal> {
        self.submit(Actor::from(side), command)
    }

    fn delivery(&mut self) -> u32 {
        let last = self.the_match().play().deliveries() as usize;
        // The last delivery is as likely as half of all others.
        match self.chooser.below(3) {
            0 => last as u32,
            _ => self.chooser.below(last + 2) as u32,
        }
    }

    /// A delivery by its number, as the last one, or by its place.
    fn named(&mut self) -> DeliveryNamed {
        let delivery = self.delivery();
        let loaded = self.history.state().expect("the match is open");
        let place = loaded.projection().places().place_of(delivery);
        match (self.chooser.below(4), place) {
            (0, _) => DeliveryNamed::Last,
            (1, Some(place)) => DeliveryNamed::Place {
                innings: Some(place.innings).filter(|_| self.chooser.once_in(2)),
                over: place.over,
                ball: place.ball,
            },
            _ => delivery.into(),
        }
    }

    fn amendment(&mut self) -> NamedTarget {
        let cascade = *self.chooser.pick(&[Cascade::Refuse, Cascade::VoidRest, Cascade::VoidRest]);
        let amends = self.named();
        let runs = json!({"runs": {"batter": self.chooser.below(7)}, "wicket": null});
        let agreed = AgreedOutcome { outcome: object(runs), faces: None, reason: "so they say".to_owned() };
        let (mut over, mut as_stood) = (None, None);
        match self.chooser.below(3) {
            0 => over = Some(Choices::new()),
            _ => as_stood = Some(agreed),
        }
        NamedTarget::Amend(
            amends,
            Box::new(NamedAmendment { over, as_stood, cascade, ..NamedAmendment::default() }),
        )
    }

    fn correct(&mut self) {
        let target = match self.chooser.below(5) {
            0 => NamedTarget::FromDelivery(self.named()),
            1 => NamedTarget::FromEvent(self.chooser.below(self.sealed.events.len() + 2) as u64),
            _ => self.amendment(),
        };
        let by = self.holder();
        let _ =
            self.submit(by, Command::Correct(CorrectionCommand { target, reason: "a mistake".to_owned() }));
        let number = self.the_match().adjudication().corrections();
        if self.the_match().play().info().created.remote && !self.chooser.once_in(4) {
            for side in [Side::Home, Side::Away] {
                let _ = self.submit(Actor::from(side), Command::Consent { number });
            }
            // After an amendment that voids the rest, anybody may continue.
            let by = *self.chooser.pick(&[Actor::Scorer, Actor::Home, Actor::Away]);
            let _ = self.put(by, Input::Play(Play::Ball(Choices::new())), false);
        }
    }

    /// Submits a random command on disputes, tokens or consent.
    fn dispute_or_consent(&mut self) {
        let by = self.holder();
        let (delivery, side) = (self.named(), self.side());
        let command = match self.chooser.below(5) {
            0 => Command::Dispute { delivery, claim: "it was wide".to_owned(), by: side },
            1 => {
                let number = 1 + self.chooser.below(3) as u32;
                let findings = [DisputeFinding::Stands, DisputeFinding::Amended, DisputeFinding::AsStood];
                let finding = *self.chooser.pick(&findings);
                Command::Rule(DisputeRuled { number, ruling: "so it is".to_owned(), finding })
            }
            2 => {
                let role = *self.chooser.pick(&Role::ALL);
                let by = if self.chooser.once_in(3) { Actor::Admin } else { by };
                let _ = self.submit(by, Command::RotateToken { role, token: "b".repeat(64) });
                return;
            }
            3 if !self.the_match().play().info().created.remote => {
                let _ = self.submit(Actor::from(side), Command::Claim { side, token: "a".repeat(64) });
                return;
            }
            _ => Command::Consent { number: self.the_match().adjudication().corrections() },
        };
        let _ = self.submit(by, command);
    }

    /// Plays the match at random; a `whole` one first goes to its end, since some games are too long to reach
    /// it among mistakes.
    fn play(&mut self, whole: bool) {
        for _ in 0..if whole { 4_000 } else { 0 } {
            self.go_on();
        }
        for turn in 0..160 {
            if turn % 8 == 0 {
                self.assert_kept_as_folded();
            }
            match self.chooser.below(16) {
                0 => self.correct(),
                1 | 2 => self.dispute_or_consent(),
                3 if self.chooser.once_in(8) => {
                    let by = self.holder();
                    let _ = self.put(by, Input::Abandon { reason: "rain".to_owned() }, false);
                }
                4 if self.chooser.once_in(4) => {
                    let by = self.holder();
                    let _ = self.submit(by, Command::Autoplay { until: Until::Over });
                }
                _ => self.go_on(),
            }
        }
        let by = if self.the_match().play().info().created.remote { Actor::Home } else { Actor::Scorer };
        let _ = self.submit(by, Command::Autoplay { until: Until::Match });
        self.assert_kept_as_folded();
        for _ in 0..12 {
            match self.chooser.below(3) {
                0 => self.dispute_or_consent(),
                _ => self.correct(),
            }
        }
    }
}

fn has_sealed_choice(the_match: &Match) -> bool {
    the_match.remote().secret_choice().is_some() || the_match.remote().open_choice().is_some()
}

fn client_seed(side: Side) -> String {
    if side == Side::Home { "a1".repeat(32) } else { "b2".repeat(32) }
}

/// The game and options of a kind: 0 to 6 are played at one table, the even ones with its dice, and 7 to 9
/// remotely.
fn rules_of(kind: u64, chooser: &mut Chooser) -> (&'static str, Value) {
    let overs = 1 + chooser.below(2);
    match kind {
        0..=2 => {
            let drs = ["house", "off"][chooser.below(2)];
            ("howzat", json!({"overs": overs, "drs": drs}))
        }
        3 | 4 | 7 | 8 => {
            let end_at_target = chooser.once_in(2);
            ("cuberoots", json!({"overs": overs, "end_at_target": end_at_target}))
        }
        _ => ("cricket-the-game", json!({"format": "t10", "drs": "on"})),
    }
}

/// Counts of events in the matches of a kind, to prove that the property is not empty.
#[derive(Debug, Default, PartialEq, Eq)]
struct Seen {
    ended: usize,
    corrected: usize,
    proposed: usize,
    /// Corrections of matches that were over.
    reopened: usize,
    reviewed: usize,
    disputed: usize,
    /// Events by a side in matches at one table.
    by_a_side: usize,
}

impl Seen {
    fn add(&mut self, recorder: &Recorder) {
        let remote = recorder.the_match().play().info().created.remote;
        let mut is_over = false;
        for event in &recorder.sealed.events {
            match &event.data {
                EventData::MatchCompleted(_) => self.ended += 1,
                EventData::Correction(_) => {
                    self.corrected += 1;
                    self.reopened += usize::from(is_over);
                }
                EventData::CorrectionProposed(_) => self.proposed += 1,
                EventData::Review(_) => self.reviewed += 1,
                EventData::Dispute(_) => self.disputed += 1,
                _ => {}
            }
            is_over = match &event.data {
                EventData::MatchCompleted(_) | EventData::MatchAbandoned(_) => true,
                EventData::Correction(_) => false,
                _ => is_over,
            };
            self.by_a_side += usize::from(!remote && event.actor.side().is_some());
        }
    }
}

/// Records a match, and audits its log: whole, and without each of its last events.
fn record(kind: u64, number: u64, seen: &mut Seen) {
    let mut recorder = Recorder::begin(kind, number);
    recorder.play(number.is_multiple_of(20));
    let log = recorder.sealed.log();
    let report = audited(&log);
    assert_eq!(report.verdict, Verdict::Clean, "{report}");
    let is_end = |event: &&Event| matches!(event.data, EventData::MatchCompleted(_));
    for seq in recorder.sealed.events.iter().filter(is_end).map(|event| event.seq) {
        let report = audited(&log.forge().without(seq).mended());
        let divergence = report.divergence.unwrap_or_else(|| panic!("clean without event {seq}"));
        assert_eq!(divergence.seq, seq, "{divergence}");
    }
    seen.add(&recorder);
}

fn audited(log: &Log) -> AuditReport {
    audit(log.text().as_bytes(), None).expect("the log is readable")
}

fn record_all(kind: u64) {
    let mut seen = Seen::default();
    for number in 0..MATCHES {
        let tried = catch_unwind(AssertUnwindSafe(|| record(kind, number, &mut seen)));
        if let Err(panic) = tried {
            eprintln!("match {number} of kind {kind}");
            resume_unwind(panic);
        }
    }
    let least = [
        (seen.ended, 8),
        (seen.corrected, 100),
        (seen.reopened, 10),
        (seen.disputed, 100),
        (seen.proposed, if kind >= 7 { 100 } else { 0 }),
        (seen.by_a_side, if kind < 7 { 100 } else { 0 }),
        (seen.reviewed, if matches!(kind, 3 | 4 | 7 | 8) { 0 } else { 20 }),
    ];
    assert!(least.iter().all(|(seen, least)| seen >= least), "too little has happened: {seen:?}");
}

macro_rules! recorded {
    ($($name:ident: $kind:expr;)*) => {$(
        #[test]
        fn $name() {
            record_all($kind);
        }
    )*};
}

recorded! {
    howzat_with_dice_of_the_table: 0;
    howzat_from_a_seed: 1;
    howzat_with_dice_of_the_table_again: 2;
    cubes_from_a_seed: 3;
    cubes_of_the_table: 4;
    the_board_game_from_a_seed: 5;
    the_board_game_with_dice_of_the_table: 6;
    remote_cubes: 7;
    remote_cubes_again: 8;
    the_remote_board_game: 9;
}

/// The command that enters an input with its dice.
fn command_of(input: Input, coin: Option<CoinFace>, dice: Vec<i64>, accept: bool) -> Command {
    match input {
        Input::Toss { caller, call } => Command::Toss { caller, call, coin },
        Input::ReportedToss { winner } => Command::ReportToss { winner, to: None },
        Input::TossDecision { to } => Command::DecideToss { to },
        Input::Play(Play::SetUp(choices)) => Command::SetUp { choices },
        Input::Play(Play::Over(choices)) => Command::BeginOver { choices, accept },
        Input::Play(Play::Ball(choices)) => Command::Bowl { choices, dice, as_stood: None, accept },
        Input::Agreed(choices, agreed) => Command::Bowl { choices, dice, as_stood: Some(agreed), accept },
        Input::Review { by } => Command::Review { by, dice },
        Input::Accept { by } => Command::Accept { by },
        Input::Abandon { reason } => Command::Abandon { reason },
        Input::Play(play @ (Play::Choose(_) | Play::Auto(_))) => panic!("{play:?} is entered by nobody"),
    }
}

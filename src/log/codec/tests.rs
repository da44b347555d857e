//! Tests that compare the two readers of an event, and the two writers.

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::*;
use crate::canonical::canonical;
use crate::dice::{Die, Draw};
use crate::log::{
    AgreedOutcome, AgreementNote, Amendment, Ball, Cascade, Choice, ChoiceCalled, ChoiceOpened, ClientSeeds,
    CoinFace, Correction, CorrectionConsented, CorrectionProposed, DiceMode, Dispute, DisputeFinding,
    DisputeRuled, DrawRecord, EditionRecord, EndedInnings, Entry, Head, MatchCompleted, MatchId, Over,
    RawEvent, Restoration, Reveal, Review, ReviewVerdict, Reviewed, Role, Roll, SeedCommitted,
    SeedContributed, SeedSource, SetUp, SideClaimed, StepAnew, TeamSheet, TokenRotated, Toss, TossChoice,
    TossDecided, read_value,
};
use crate::scorebook::{ExtrasRecord, Margin, MatchResult, Method, Outcome, RunsRecord, Side, WicketKind};

/// The lines of the stored logs, which must stay readable for ever.
fn stored_lines() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/stored_logs");
    let in_folder = |folder: &Path| -> Vec<PathBuf> {
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect()
    };
    let files = in_folder(&folder).into_iter().flat_map(|version| in_folder(&version));
    let logs = files.filter(|file| file.extension().is_some_and(|extension| extension == "ndjson"));
    let lines = logs
        .flat_map(|log| std::fs::read_to_string(log).unwrap().lines().map(str::to_owned).collect::<Vec<_>>());
    // The line of an edition is no event.
    lines.filter(|line| !line.starts_with("{\"edition\":")).collect()
}

/// The events of remote play, with every optional member present once and left out once.
fn events_of_remote_play() -> Vec<EventData> {
    let hex = |digit: &str| digit.repeat(64);
    let members = |plain: Value| plain.as_object().unwrap().clone();
    let (what, side) = ("order".to_owned(), Side::Away);
    let draw = DrawRecord { domain: 6, ordinal: 65_537 };
    let order = members(json!({"order": [3, -1, 0, 7], "roll": true, "bowler": null, "first": false}));
    let kept = Reveal { side, what: what.clone(), choice: order.clone(), salt: Some(hex("5")), draw: None };
    let drawn =
        Reveal { side: Side::Home, what: what.clone(), choice: Map::new(), salt: None, draw: Some(draw) };
    let over = |reveals| Over { innings: 1, over: 2, choices: order.clone(), dice: Vec::new(), reveals };
    let sealed = Some(hex("a"));
    let choice = Choice { side, what: what.clone(), innings: 2, over: 1, ball: None, sealed, choice: None };
    let choices = json!({"skills": ["slower_ball"]}).as_object().cloned();
    let in_the_open = Choice { ball: Some(3), sealed: None, choice: choices, ..choice.clone() };
    let opened = ChoiceOpened { side, what: what.clone(), innings: 2, over: 1, ball: None };
    let opened_ball = ChoiceOpened { ball: Some(2), ..opened.clone() };
    let decided = |draw| TossDecided { by: side, to: TossChoice::Bowl, draw };
    let until = "2026-01-31T14:00:00.000Z".to_owned();
    let mut events = vec![
        EventData::SideClaimed(SideClaimed { side }),
        EventData::SeedCommitted(SeedCommitted { side, hash: hex("b") }),
        EventData::SeedContributed(SeedContributed { side, client_seed: hex("c") }),
        EventData::TossDecided(decided(None)),
        EventData::TossDecided(decided(Some(draw))),
        EventData::Choice(choice),
        EventData::Choice(in_the_open),
        EventData::ChoiceOpened(opened),
        EventData::ChoiceOpened(opened_ball),
        EventData::ChoiceCalled(ChoiceCalled { by: side, on: Side::Home, what: what.clone(), until }),
        EventData::Over(over(Vec::new())),
        EventData::Over(over(vec![drawn, kept])),
    ];
    events.extend(Role::ALL.map(|role| EventData::TokenRotated(TokenRotated { role })));
    events
}

/// The events of toss, set-up, rolls and reviews, with every optional member present once and left out once.
fn events_around_a_ball() -> Vec<EventData> {
    let members = |plain: Value| plain.as_object().unwrap().clone();
    let dice = vec![Die { what: "review".into(), sides: 6, value: 5 }];
    let choices = members(json!({"drop": {"home": "Abe", "away": "Ned"}}));
    let reveal = Reveal {
        side: Side::Home,
        what: "stroke".to_owned(),
        choice: choices.clone(),
        salt: None,
        draw: Some(Draw::timeout_ball(7).into()),
    };
    let roll = |reveals| {
        EventData::Roll(Roll { delivery: 7, choices: choices.clone(), dice: dice.clone(), reveals })
    };
    let made = |seed, verdict, umpires_call, retained| {
        let made = Reviewed {
            delivery: 7,
            by: Side::Away,
            seed,
            dice: dice.clone(),
            verdict,
            umpires_call,
            retained,
            rulings: vec!["howzat.review.upheld".to_owned()],
            outcome: ball_with_agreed_outcome().outcome,
        };
        EventData::Review(Review::Made(Box::new(made)))
    };
    vec![
        EventData::Toss(Toss::reported(Side::Home)),
        EventData::SetUp(SetUp { choices: choices.clone(), dice: Vec::new() }),
        EventData::SetUp(SetUp { choices: choices.clone(), dice: dice.clone() }),
        roll(Vec::new()),
        roll(vec![reveal]),
        EventData::Review(Review::accepted(7, Side::Home)),
        made(Some(Reviewed::draw(7)), ReviewVerdict::Upheld, false, false),
        made(None, ReviewVerdict::StruckDown, true, true),
    ]
}

/// The events of adjudication, with every optional member present once and left out once.
fn events_of_adjudication() -> Vec<EventData> {
    let text = |text: &str| text.to_owned();
    let members = |plain: Value| plain.as_object().unwrap().clone();
    let side = Side::Away;
    let correction = |voids_from, amends, dice_seen| {
        EventData::Correction(Correction {
            voids_from_seq: 5,
            voids_from,
            amends,
            inserts: None,
            removes: None,
            anew: None,
            cascade: amends.map(|_| Cascade::Refit),
            ended: Vec::new(),
            reason: text("a 5 was a 6"),
            dice_seen,
        })
    };
    let bare = Amendment { amends: 7, over: None, choices: None, as_stood: None, cascade: Cascade::Refuse };
    let full = Amendment {
        over: Some(members(json!({"bowler": "Ned"}))),
        choices: Some(members(json!({"next_batter": "Abe"}))),
        as_stood: Some(AgreedOutcome {
            outcome: members(json!({"runs": {"batter": 4}})),
            faces: None,
            reason: text("é"),
        }),
        cascade: Cascade::VoidRest,
        ..bare.clone()
    };
    let striker_alone = Amendment {
        as_stood: Some(AgreedOutcome {
            outcome: Map::new(),
            faces: Some(text("A2")),
            reason: text("he faced"),
        }),
        ..bare.clone()
    };
    let proposed = |by, voids_from, restores, amendment| {
        let (number, voids_from_seq) = (2, 11);
        let reason = text("agreed");
        EventData::CorrectionProposed(CorrectionProposed {
            number,
            by,
            voids_from_seq,
            voids_from,
            restores,
            amendment,
            reason,
        })
    };
    let refit = |inserts, removes, anew, ended| {
        let (voids_from_seq, voids_from, amends) = (5, None, None);
        let (cascade, reason, dice_seen) = (Some(Cascade::Refit), text("one ball"), true);
        EventData::Correction(Correction {
            voids_from_seq,
            voids_from,
            amends,
            inserts,
            removes,
            anew,
            cascade,
            ended,
            reason,
            dice_seen,
        })
    };
    let restoration =
        |dice_seen| Restoration { restores: 10, voids_from_seq: 11, reason: text("it was"), dice_seen };
    let ruled = |finding| EventData::DisputeRuled(DisputeRuled { number: 3, ruling: text("so"), finding });
    vec![
        correction(None, None, true),
        correction(Some(3), None, false),
        correction(None, Some(3), true),
        refit(Some(4), None, None, Vec::new()),
        refit(None, None, Some(StepAnew::Toss), Vec::new()),
        refit(None, Some(4), None, vec![EndedInnings { innings: 1, after: 11 }]),
        EventData::Restoration(restoration(true)),
        EventData::Restoration(restoration(false)),
        proposed(None, None, None, None),
        proposed(Some(side), Some(4), None, None),
        proposed(Some(side), None, Some(10), None),
        proposed(Some(Side::Home), None, None, Some(bare)),
        proposed(None, None, None, Some(full)),
        EventData::CorrectionConsented(CorrectionConsented { number: 2, side }),
        EventData::Dispute(Dispute { number: 3, delivery: 7, claim: text("loaded"), by: side }),
        ruled(DisputeFinding::Stands),
        ruled(DisputeFinding::Amended),
        ruled(DisputeFinding::AsStood),
        EventData::Ball(ball_with_agreed_outcome()),
        EventData::Ball(Ball { unknown: true, as_stood: None, ..ball_with_agreed_outcome() }),
        EventData::Ball(ball_with_agreed_striker()),
        proposed(None, None, None, Some(striker_alone)),
    ]
}

fn ball_with_agreed_striker() -> Ball {
    let ball = ball_with_agreed_outcome();
    let as_stood =
        ball.as_stood.clone().map(|note| Box::new(AgreementNote { faces: Some("A2".to_owned()), ..*note }));
    Ball { as_stood, ..ball }
}

fn ball_with_agreed_outcome() -> Ball {
    let by_rules = Outcome {
        striker: "A1".to_owned(),
        non_striker: "A2".to_owned(),
        bowler: "B1".to_owned(),
        runs: RunsRecord { batter: 1, extras: 0, total: 1 },
        extras: ExtrasRecord::default(),
        legal: true,
        boundary: None,
        wicket: None,
        rulings: vec!["howzat.strike.1".to_owned()],
        detail: Map::new(),
    };
    let runs = RunsRecord { batter: 4, extras: 0, total: 4 };
    let outcome =
        Outcome { runs, boundary: Some(4), rulings: vec!["as_stood".to_owned()], ..by_rules.clone() };
    let as_stood =
        Some(Box::new(AgreementNote { reason: "the umpire saw a 4".to_owned(), by_rules, faces: None }));
    let choices = Map::new();
    Ball {
        innings: 1,
        over: 1,
        ball: 2,
        delivery: 2,
        seed: None,
        choices,
        dice: Vec::new(),
        outcome,
        as_stood,
        unknown: false,
    }
}

/// The lines of events that belong to no match; they share only their form.
fn lines_of_no_match() -> Vec<String> {
    let head = Head { seq: 2, hash: "f".repeat(64) };
    let at = at_format::read("2026-01-31T14:00:00.000Z").unwrap();
    let line = |data| Event::seal(MatchId::from_u128(7), &head, at, Actor::Away, data).unwrap().1.line();
    let events = events_of_remote_play().into_iter().chain(events_of_adjudication());
    events.chain(events_around_a_ball()).map(line).collect()
}

#[test]
fn every_event_is_read_at_a_look_and_written_as_an_independent_jcs_library_writes_it() {
    let mut kinds: Vec<&str> = EventData::KINDS.to_vec();
    for line in stored_lines().into_iter().chain(lines_of_no_match()) {
        let (event, hash) = read(&line).expect("canonical form");
        kinds.retain(|kind| *kind != event.data.kind());
        let mut value: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(value["data"], event.data.to_value(), "nothing in it was passed over");
        assert_eq!(EventData::read(event.data.kind(), event.v, &value["data"]).as_ref(), Ok(&event.data));
        assert_eq!(value.as_object_mut().unwrap().remove("hash"), hash.map(Value::from));
        assert_eq!(body(&event).unwrap(), serde_json_canonicalizer::to_string(&value).unwrap());
    }
    assert_eq!(kinds, [""; 0], "kinds of which no event was read");
}

fn has_the_form_that_serde_gives_it<T: Canonical + Serialize + PartialEq + Debug>(values: &[T]) {
    for value in values {
        let mut written = String::new();
        value.write(&mut written).unwrap();
        assert_eq!(written, serde_json_canonicalizer::to_string(value).unwrap());
        let mut text = Cursor::new(&written);
        assert_eq!((T::read(&mut text).as_ref(), text.rest()), (Some(value), ""));
    }
}

#[test]
fn every_word_is_written_as_serde_writes_it() {
    use Actor::*;
    has_the_form_that_serde_gives_it(&[Scorer, Home, Away, Umpire, Admin, Service]);
    has_the_form_that_serde_gives_it(&[Side::Home, Side::Away]);
    has_the_form_that_serde_gives_it(&Role::ALL);
    has_the_form_that_serde_gives_it(&[DiceMode::Seeded, DiceMode::Table]);
    has_the_form_that_serde_gives_it(&[SeedSource::Os, SeedSource::Creator]);
    has_the_form_that_serde_gives_it(&[ClientSeeds::None, ClientSeeds::Both]);
    has_the_form_that_serde_gives_it(&[CoinFace::Heads, CoinFace::Tails]);
    has_the_form_that_serde_gives_it(&[Cascade::Refuse, Cascade::VoidRest, Cascade::Refit]);
    has_the_form_that_serde_gives_it(&[
        DisputeFinding::Stands,
        DisputeFinding::Amended,
        DisputeFinding::AsStood,
    ]);
    has_the_form_that_serde_gives_it(&[TossChoice::Bat, TossChoice::Bowl]);
    has_the_form_that_serde_gives_it(&[ReviewVerdict::Upheld, ReviewVerdict::StruckDown]);
    use WicketKind::*;
    has_the_form_that_serde_gives_it(&[Bowled, Caught, CaughtAndBowled, Lbw, Stumped, RunOut]);
    use Method::*;
    has_the_form_that_serde_gives_it(&[Runs, Wickets, Innings, Tie, LevelFirstSide]);
}

#[test]
fn optional_members_are_written_as_serde_writes_them() {
    let extras = ExtrasRecord { wides: 1, no_balls: 2, byes: 3, leg_byes: 4, penalty: 5 };
    has_the_form_that_serde_gives_it(&[extras, ExtrasRecord { byes: 0, ..extras }, ExtrasRecord::default()]);
    let margin = Margin { runs: Some(1), wickets: Some(0) };
    has_the_form_that_serde_gives_it(&[margin, Margin { runs: None, ..margin }, Margin::default()]);
    has_the_form_that_serde_gives_it(&[EditionRecord { id: "1".to_owned(), sha256: "\u{7f}".to_owned() }]);
}

#[test]
fn a_side_is_written_with_names_or_with_cards() {
    let card = |plain: Value| plain.as_object().unwrap().clone();
    let names = vec!["Ann".to_owned(), "\u{1f3cf}".to_owned()];
    let cards = vec![card(json!({"role": "pace", "confidence": 1})), card(json!({"a": -1, "zone": null}))];
    has_the_form_that_serde_gives_it(&[
        TeamSheet::of_names("Larks", Vec::new()),
        TeamSheet::of_names("Larks", names.clone()),
        TeamSheet { cards, ..TeamSheet::of_names("Larks", names) },
    ]);
    for (players, wrong) in [
        (json!([{"name": "Ann"}, "Bea"]), "players[1]: players are all names, or all cards"),
        (json!([{"role": "pace"}]), "players[0].name: a player's card has a name"),
        (json!([{"name": 1}]), "players[0].name: a player's card has a name"),
        (json!(["Ann", 1]), "players[1] is a player's name, or an object with his name"),
    ] {
        let sheet = json!({"name": "Larks", "players": players});
        assert_eq!(TeamSheet::read(&mut Cursor::new(&canonical(&sheet).unwrap())), None, "{sheet}");
        let refused = read_value::<TeamSheet>(&sheet).unwrap_err().message("the side");
        assert!(refused.contains(wrong), "{refused}");
    }
}

#[test]
fn a_version_of_a_toss_has_its_own_members_and_no_other() {
    let coin = json!({"call": "heads", "caller": "away", "coin": "tails", "winner": "home"});
    let told = json!({"winner": "home"});
    let read = |v: u32, data: &Value| EventData::read("toss", v, data).map_err(|broken| broken.to_string());
    let toss = |v: u32, data: &Value| {
        let toss = read(v, data).unwrap();
        assert_eq!((toss.version(), toss.to_value()), (v, data.clone()));
        toss
    };
    assert_eq!(toss(2, &told), EventData::Toss(Toss::reported(Side::Home)));
    for (v, data, fault) in [
        (1, &told, "data.caller: is missing"),
        (2, &coin, "data.call: is unknown here"),
        (2, &json!({}), "data.winner: is missing"),
        (2, &json!({"coin": "heads", "winner": "home"}), "data.coin: is unknown here"),
        (3, &told, "version 3 of toss is not one this program knows; it knows 1 to 2"),
    ] {
        let refused = read(v, data).unwrap_err();
        assert!(refused.contains(fault), "version {v}: {refused}");
    }
    // Neither version is read at a look under the number of the other.
    let head = Head { seq: 1, hash: "f".repeat(64) };
    for data in [toss(1, &coin), toss(2, &told)] {
        let v = data.version();
        let (event, entry) =
            Event::seal(MatchId::nil(), &head, DateTime::UNIX_EPOCH, Actor::Scorer, data).unwrap();
        assert_eq!(event.v, v);
        let other = entry.body.replace(&format!("\"v\":{v}"), &format!("\"v\":{}", 3 - v));
        assert!(super::read(&entry.body).is_some() && super::read(&other).is_none(), "{other}");
    }
}

#[test]
fn every_event_has_the_first_version_but_for_those_with_newer_members() {
    for line in stored_lines().into_iter().chain(lines_of_no_match()) {
        let (event, _) = read(&line).expect("canonical form");
        let is_later = match &event.data {
            EventData::Toss(toss) => matches!(toss, Toss::Reported(_)),
            EventData::Correction(correction) => correction.cascade.is_some(),
            EventData::Ball(ball) => ball.unknown || ball.faces().is_some(),
            EventData::CorrectionProposed(proposed) => {
                let agreed = proposed.amendment.as_ref().and_then(|amendment| amendment.as_stood.as_ref());
                proposed.restores.is_some() || agreed.is_some_and(|agreed| agreed.faces.is_some())
            }
            _ => false,
        };
        assert_eq!(event.v, if is_later { 2 } else { 1 }, "{line}");
    }
}

#[test]
fn a_review_is_accepted_or_made_and_nothing_between() {
    let read = |data: Value| EventData::read("review", 1, &data).map_err(|broken| broken.to_string());
    let accepted = json!({"accepted": true, "by": "home", "delivery": 7});
    assert_eq!(read(accepted.clone()), Ok(EventData::Review(Review::accepted(7, Side::Home))));
    for (field, value, fault) in [
        ("accepted", json!(false), "accepted is true, or left out"),
        ("dice", json!([]), "dice is unknown here"),
        ("by", json!("umpire"), "by is \"home\" or \"away\", not \"umpire\""),
    ] {
        let mut other = accepted.clone();
        other[field] = value;
        assert!(read(other).unwrap_err().contains(fault), "{field}");
    }
    assert!(read(json!({"by": "home", "delivery": 7})).unwrap_err().contains("is missing"));
    let mut text = Cursor::new("{\"accepted\":false,\"by\":\"home\",\"delivery\":7}");
    assert_eq!(Review::read(&mut text), None);
}

/// Values that somebody who experiments might write for a number, a word or a name.
const LEAVES: &[&str] = &[
    "",
    " ",
    "0",
    "1",
    "00",
    "01",
    "+1",
    "-1",
    "-0",
    "-01",
    "-9007199254740993",
    "1.0",
    "1e0",
    "255",
    "256",
    "65535",
    "65536",
    "4294967296",
    "9007199254740992",
    "9007199254740993",
    "null",
    "true",
    "false",
    "home",
    "away",
    "lbw",
    "over",
    "ball",
    "scorer",
    "choice",
    "choice_opened",
    "side_claimed",
    "2026-01-31T14:00:00.000Z",
    "\\\"",
    "\\u0041",
    "\\/",
    "\t",
    "\u{7f}",
    "é",
    "\u{1f3cf}",
    "$serde_json::private::RawValue",
];

/// Text that such a person might insert or remove between members.
const MEMBERS: &[&str] = &[
    "",
    " ",
    "\n",
    ",",
    "{}",
    "[]",
    "{",
    "}",
    "[",
    "]",
    "\"hash\":\"\",",
    "\"kind\":\"over\",",
    "\"kind\":\"ball\",",
    "\"seeds\":null,",
    "\"wides\":0",
    "\"byes\":1,",
    "\"next_batter\":\"A1\"",
    "\"position\":7,",
    "\"draw\":null,",
    "\"salt\":null,",
    "\"reveals\":[],",
    "\"ball\":null,",
    "\"ball\":1,",
    "\"draw\":{\"domain\":6,\"ordinal\":0},",
    "\"boundary\":4,",
    "\"voids_from\":3,",
    "\"amends\":null,",
    "\"as_stood\":null,",
    "\"by\":\"home\",",
    "\"!\":1,\"$serde_json::private::RawValue\":\"1\"",
];

type Edit = (bool, bool, prop::sample::Index, prop::sample::Index);

fn edited(line: &str, edits: &[Edit]) -> String {
    let mut line = line.to_owned();
    for (in_a_leaf, own, at, with) in edits {
        let between: &[char] =
            if *in_a_leaf { &['"', ':', ',', '{', '}', '[', ']'] } else { &[',', '{', '}', '[', ']'] };
        let parts: Vec<&str> = line.split(between).collect();
        let odd = if *in_a_leaf { LEAVES } else { MEMBERS };
        let new = if *own { with.get(&parts) } else { with.get(odd) };
        let old = at.get(&parts);
        let begin = old.as_ptr() as usize - line.as_ptr() as usize;
        line = [&line[..begin], new, &line[begin + old.len()..]].concat();
    }
    line
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn the_quick_reader_agrees_with_the_stepwise_reader(
        line in prop_oneof![
            prop::sample::select(stored_lines()),
            prop::sample::select(lines_of_no_match()),
        ],
        edits in prop::collection::vec(any::<Edit>(), 0..3),
    ) {
        let line = edited(&line, &edits);
        if let Some(event) = RawEvent::of_line(&line) {
            let by_members = crate::log::ndjson::read_by_members(&line);
            let by_members = by_members.unwrap_or_else(|reason| panic!("{reason}: {line}"));
            let event = event.read().unwrap();
            prop_assert_eq!(by_members.read().unwrap(), event.clone());
            let value: Value = serde_json::from_str(&line).unwrap();
            prop_assert_eq!(&value["data"], &event.data.to_value());
        }
        let entry = Entry { seq: 1, body: line, hash: "h".to_owned() };
        if read(&entry.body).is_some() {
            prop_assert_eq!(entry.read(), entry.read_by_members());
        }
    }
}

#[test]
fn events_that_are_sealed_together_are_one_chain_and_the_service_ends_the_match() {
    let result =
        MatchResult { winner: None, method: Method::Tie, margin: Margin { runs: None, wickets: None } };
    let decided = vec![
        (EventData::SideClaimed(SideClaimed { side: Side::Home }), Actor::Home),
        (EventData::TokenRotated(TokenRotated { role: Role::Away }), Actor::Scorer),
        (EventData::MatchCompleted(MatchCompleted { result, seeds: None }), Actor::Away),
    ];
    let head = Head { seq: 4, hash: "4".repeat(64) };
    let sealed = Event::seal_all(MatchId::nil(), &head, DateTime::UNIX_EPOCH, decided).expect("writable");
    let authors: Vec<Actor> = sealed.iter().map(|(event, _)| event.actor).collect();
    assert_eq!(authors, [Actor::Home, Actor::Scorer, Actor::Service]);
    let mut before = head;
    for (event, entry) in &sealed {
        assert_eq!((event.seq, &event.prev), (before.seq + 1, &before.hash));
        assert_eq!((entry.seq, &entry.hash), (event.seq, &event.hash));
        assert_eq!(entry.read().as_ref(), Ok(event), "the text is the event's");
        before = event.head();
    }
}

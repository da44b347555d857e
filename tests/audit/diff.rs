//! Two scorers' books of one match: where they first differ, and which of them has the evidence for it.

use serde_json::{Value, json};
use third_umpire::diff::Agreement;
use third_umpire::scorebook::Side;
use third_umpire_test_support::logs::{Forger, Log, LogMaker, Setting, remote_match, scripted};
use third_umpire_test_support::random::Lcg;

/// The comparison of two books, as text and as JSON.
struct Compared {
    same: bool,
    text: String,
    json: Value,
}

fn diff(a: &Log, b: &Log) -> Compared {
    let compared = third_umpire::diff::diff(a.text().as_bytes(), b.text().as_bytes());
    let compared = compared.unwrap_or_else(|no_book| panic!("both are match logs: {no_book:?}"));
    Compared {
        same: compared.agreement == Agreement::Same,
        text: compared.to_string(),
        json: serde_json::to_value(&compared).unwrap(),
    }
}

impl Compared {
    /// Asserts how the books agree, with the number of equal events of play and of equal deliveries.
    fn agree(&self, agreement: &str, events: u64, deliveries: u64) -> &Compared {
        let found = (&self.json["agreement"], &self.json["same_events"], &self.json["same_deliveries"]);
        assert_eq!(found, (&agreement.into(), &events.into(), &deliveries.into()), "{}", self.text);
        assert_eq!(self.same, agreement == "same", "{}", self.text);
        self
    }

    /// Asserts in which event of play they first differ, by its seq in each book.
    fn first(&self, kind: &str, a: u64, b: u64) -> &Compared {
        let first = &self.json["first_difference"];
        assert_eq!([&first["a"]["kind"], &first["b"]["kind"]], [kind, kind], "{}", self.text);
        assert_eq!([&first["a"]["seq"], &first["b"]["seq"]], [a, b], "{}", self.text);
        self
    }

    /// Asserts the values of a field of that event in each book.
    fn field(&self, field: &str, a: impl Into<Value>, b: impl Into<Value>) -> &Compared {
        let (a, b) = (a.into(), b.into());
        let fields = self.json["first_difference"]["fields"].as_array().unwrap();
        assert!(fields.contains(&json!({"field": field, "a": a, "b": b})), "{field}:\n{}", self.text);
        self.has_text(&format!("  {field}: A says {a}, B says {b}\n"))
    }

    /// Asserts that the cards differ in this field, with each book's value.
    fn card(&self, field: &str, a: impl Into<Value>, b: impl Into<Value>) -> &Compared {
        let (a, b) = (a.into(), b.into());
        let changes = self.json["card_changes"].as_array().unwrap();
        assert!(
            changes.contains(&json!({"field": field, "before": a, "after": b})),
            "{field}:\n{}",
            self.text
        );
        self.has_text(&format!("  {field}: A says {a}, B says {b}\n"))
    }

    fn supports(&self, supports: &str, ground: Option<&str>) -> &Compared {
        let judgement = &self.json["judgement"];
        let found = [&judgement["supports"], &judgement["ground"]];
        assert_eq!(found, [&Value::from(supports), &Value::from(ground)], "{}", self.text);
        self.has_text(judgement["words"].as_str().unwrap())
    }

    fn has_text(&self, text: &str) -> &Compared {
        assert!(self.text.contains(text), "{text:?} is missing in:\n{}", self.text);
        self
    }
}

fn seeded() -> Log {
    Setting::default().seeded().tossed().played_out()
}

/// The book of another scorer: a log with another match id and another clock throughout.
fn kept_by_another(log: &Log) -> Log {
    let by_another = |event: &mut Value| {
        event["match"] = "019b8c2e-7a00-7c3d-9e4f-000000000000".into();
        event["at"] = "2026-02-01T10:00:00.000Z".into();
    };
    log.forge().each(by_another).mended()
}

/// A match at the table of an over a side, with these dice for the third ball.
fn third_ball(dice: &[i64]) -> Log {
    let balls: [&[i64]; 5] = [&[2, 3], &[2, 1], dice, &[2, 5], &[1, 2]];
    Setting::overs(1).table().home_bats().balls(balls).log()
}

/// A forged log: the four of event 14 is a three that is no run, with all that follows from it.
fn no_run_at_14(log: &Log) -> Forger {
    let forger = log.forge().set(14, "/dice/1/value", 3).set(14, "/outcome/boundary", Value::Null);
    let forger = forger.set(14, "/outcome/runs/batter", 0).set(14, "/outcome/runs/total", 0);
    forger.set(14, "/outcome/rulings/1", "howzat.strike.3")
}

#[test]
fn a_book_is_the_same_as_itself() {
    for log in [scripted(), seeded(), remote_match(), Setting::default().table().log()] {
        let compared = diff(&log, &log);
        assert_eq!((compared.same, &compared.json["agreement"]), (true, &"same".into()), "{}", compared.text);
        assert_eq!(compared.json["first_difference"], Value::Null);
        assert_eq!(compared.json["card_changes"], json!([]));
    }
    diff(&scripted(), &scripted())
        .agree("same", 17, 11)
        .has_text("THE SAME: A and B agree on 17 events of play, 11 deliveries\n");
}

/// A match at the table of two balls, after a toss with its coin or without.
fn tossed(toss: impl Fn(LogMaker) -> LogMaker) -> Log {
    let balls: [&[i64]; 2] = [&[2, 3], &[2, 1]];
    toss(Setting::overs(1).table()).balls(balls).log()
}

#[test]
fn a_toss_without_its_coin_agrees_with_one_of_the_same_winner() {
    let called = tossed(LogMaker::home_bats);
    let reported = tossed(|maker| maker.toss_reported(Side::Home));
    diff(&called, &reported).agree("same", 6, 2);
    diff(&reported, &called).agree("same", 6, 2);
    let other = tossed(|maker| maker.toss_reported(Side::Away));
    diff(&called, &other)
        .agree("differ", 1, 0)
        .first("toss", 2, 2)
        .field("winner", "home", "away")
        .supports("either", None)
        .has_text("no log can prove them");
    diff(&reported, &other)
        .agree("differ", 1, 0)
        .field("winner", "home", "away")
        .supports("either", None)
        .has_text("differ in what they start from (winner); table dice are taken as entered");
}

#[test]
fn a_toss_without_its_coin_differs_from_the_one_of_a_seeded_match() {
    let log = seeded();
    let mut forger = log.forge().with(2, |toss| *toss = json!({"winner": toss["winner"]}));
    forger.event(2)["v"] = 2.into();
    diff(&log, &forger.mended()).agree("differ", 1, 0).first("toss", 2, 2).supports("a", Some("rules"));
}

#[test]
fn ids_times_and_hashes_are_the_books_own() {
    for log in [scripted(), seeded()] {
        let other = kept_by_another(&log);
        assert_ne!(log.head(), other.head());
        let compared = diff(&log, &other);
        assert_eq!((compared.same, &compared.json["agreement"]), (true, &"same".into()), "{}", compared.text);
        assert_eq!(compared.json["b"]["match"], "019b8c2e-7a00-7c3d-9e4f-000000000000");
    }
}

/// A log with the scorer's token replaced before the toss.
fn with_a_new_token(log: &Log) -> Log {
    let forger = log.forge();
    let mut rotated = forger.at(0).clone();
    rotated["kind"] = "token_rotated".into();
    rotated["data"] = json!({"role": "scorer"});
    forger.inserted(1, rotated).mended()
}

#[test]
fn tokens_are_no_play_and_move_the_numbers_of_events() {
    let rotated = with_a_new_token(&scripted());
    diff(&scripted(), &rotated).agree("same", 17, 11);
    diff(&rotated, &third_ball(&[4, 2])).agree("differ", 6, 2).first("ball", 8, 7).supports("either", None);
}

#[test]
fn a_die_entered_otherwise_is_supported_by_the_rules_in_either_book() {
    let compared = diff(&third_ball(&[4, 4]), &third_ball(&[4, 2]));
    compared
        .agree("differ", 6, 2)
        .first("ball", 7, 7)
        .field("dice[2].value", 4, 2)
        .field("outcome.runs.batter", 4, 2)
        .supports("either", None)
        .has_text("THEY DIFFER at delivery 3, innings 1, over 1, ball 3; up to there they agree on")
        .has_text("A cites howzat.strike.4: Strike 4: a boundary four.\n")
        .has_text("B cites howzat.strike.2: Strike 2: two runs.\n")
        .has_text(
            "the rules support either: A and B differ in what they start from (dice[2].value); table dice",
        )
        .has_text("are taken as entered, and no log can prove them\n");
    assert_eq!(compared.json["judgement"]["started_from"], json!(["dice[2].value"]));
}

#[test]
fn the_cards_differ_player_by_player() {
    diff(&third_ball(&[4, 4]), &third_ball(&[4, 2]))
        .card("innings[1].batters[\"Wanderers 2\"].runs", 4, 2)
        .card("innings[1].batters[\"Wanderers 2\"].fours", 1, 0)
        .card("innings[1].bowlers[\"Rovers 11\"].runs", 6, 4)
        .card("innings[1].total.runs", 6, 4)
        .card("innings[1].fall_of_wickets[1].runs", 5, 3)
        .has_text("fields (A after event 9, B after event 9)\n");
}

#[test]
fn an_outcome_that_does_not_follow_from_its_dice_leaves_the_rules_to_the_other() {
    let log = scripted();
    let wrong = log.forge().set(7, "/outcome/runs/batter", 6).set(7, "/outcome/runs/total", 6).mended();
    diff(&log, &wrong)
        .agree("differ", 6, 2)
        .first("ball", 7, 7)
        .field("outcome.runs.batter", 4, 6)
        .supports("a", Some("rules"))
        .has_text("the rules support A, and not the event of B\n")
        .has_text("B DIVERGES at event 7 (ball), delivery 3")
        .has_text("outcome.runs.batter: the log says 6, and it should be 4\n")
        .has_text("howzat.strike.4: Strike 4: a boundary four.\n");
    diff(&wrong, &log).agree("differ", 6, 2).supports("b", Some("rules")).has_text("A DIVERGES at event 7");
}

#[test]
fn a_bowler_with_too_many_overs_leaves_the_rules_to_the_other() {
    let log = seeded();
    let forged = log.forge().set(20, "/choices/bowler", "Rovers 11").mended();
    diff(&log, &forged)
        .first("over", 20, 20)
        .field("choices.bowler", log.events()[19]["data"]["choices"]["bowler"].clone(), "Rovers 11")
        .supports("a", Some("rules"))
        .has_text("Rovers 11 has bowled all the overs a bowler is allowed")
        .has_text("howzat.over.quota: Nobody bowls more overs than the match allows a bowler.\n");
}

#[test]
fn the_report_speaks_of_each_log_that_does_not_hold() {
    let log = scripted();
    let wrong = |runs: u8| log.forge().set(7, "/outcome/runs/total", runs).mended();
    diff(&wrong(3), &wrong(5))
        .first("ball", 7, 7)
        .supports("neither", None)
        .has_text("neither is supported: A is not valid there, and neither is B\n")
        .has_text("A DIVERGES at event 7")
        .has_text("B DIVERGES at event 7");
}

#[test]
fn a_book_that_was_changed_after_it_was_written_down_is_told_from_one_that_was_not() {
    let log = seeded().first(30);
    diff(&log, &no_run_at_14(&log).broken()).first("ball", 14, 14).supports("a", Some("chain"));
    // The chain is broken before the two differ, in nothing that is compared.
    let mut forger = no_run_at_14(&log);
    forger.event(9)["at"] = "2026-02-01T10:00:00.000Z".into();
    diff(&forger.broken(), &log)
        .first("ball", 14, 14)
        .supports("b", Some("chain"))
        .has_text("B is valid there; A is not valid from its event 9 on\n");
}

#[test]
fn an_event_out_of_order_is_found_at_its_place_whatever_its_number() {
    let log = scripted();
    // The number of the repeated third ball is one that the book has had.
    diff(&log, &log.forge().doubled(7).broken())
        .agree("differ", 7, 3)
        .first("ball", 8, 7)
        .supports("a", Some("rules"))
        .has_text("event 8 is expected here, and this is event 7");
}

#[test]
fn the_seed_decides_where_it_is_open_in_either_book() {
    let log = seeded();
    // The first part is valid, since its own seeds are not open yet.
    let forged = no_run_at_14(&log.first(14)).mended();
    let compared = diff(&forged, &log);
    compared
        .agree("differ", 13, 8)
        .first("ball", 14, 14)
        .field("dice[2].value", 3, 4)
        .supports("b", Some("seed"))
        .has_text("the seed supports B: it does not give what A records\n")
        .has_text("the seed gives 4 for the strike die, and the log says 3\n");
    assert_eq!([&compared.json["a"]["seeds_open"], &compared.json["b"]["seeds_open"]], [false, true]);
    diff(&log.first(20), &forged)
        .supports("either", None)
        .has_text("; the seed decides, once it is revealed\n");
}

#[test]
fn seeds_that_somebody_made_up_decide_nothing() {
    let log = seeded();
    let other = "11".repeat(32);
    let forged = no_run_at_14(&log).set(76, "/seeds/server_seed", other.as_str()).mended();
    diff(&forged, &log).first("ball", 14, 14).supports("b", Some("seed"));
    // The client seeds in it were never shown, though the server seed is the true one.
    let server_seed =
        third_umpire::dice::ServerSeed::from_hex(third_umpire_test_support::logs::SEED).unwrap();
    let seeds = third_umpire::dice::Seeds::open(&server_seed, &["00".repeat(32)]);
    let added = no_run_at_14(&log).set(76, "/seeds", serde_json::to_value(seeds).unwrap()).mended();
    let compared = diff(&added, &log.first(20));
    compared.first("ball", 14, 14).supports("b", Some("seed"));
    assert_eq!(compared.json["a"]["seeds_open"], false);
    // Alone they look like the true ones, until they are compared with the commitment.
    diff(&forged, &log.first(20)).first("ball", 14, 14).supports("either", None);
}

#[test]
fn a_book_that_is_the_beginning_of_the_other_says_where_it_ends() {
    let log = scripted();
    let compared = diff(&log, &log.first(9));
    compared
        .agree("beginning", 9, 5)
        .supports("either", None)
        .has_text("B ENDS after delivery 5; up to there A and B agree on 9 events of play, 5 deliveries\n")
        .has_text("A in its event 10 (ball): delivery 6, innings 1, over 1, ball 6\n")
        .has_text("B has no further event\n")
        .card("status", "completed", "in_play");
    diff(&log.first(3), &log)
        .agree("beginning", 3, 0)
        .has_text("A ENDS before the first delivery; up to there A and B agree on");
    // The last ball is there, but the end of the match is missing: that is no book in play.
    diff(&log, &log.first(16)).agree("beginning", 16, 11).supports("a", Some("rules"));
}

#[test]
fn the_rules_judge_the_longer_of_two_logs() {
    let log = seeded();
    let forged = log.first(40).forge().set(40, "/outcome/runs/total", 99).mended();
    diff(&log.first(39), &forged).agree("beginning", 39, 31).supports("a", Some("rules"));
}

#[test]
fn other_sides_rules_or_seeds_are_another_match() {
    let cup = |home: &str, rules: Value| Setting {
        home: third_umpire::log::TeamSheet { name: home.to_owned(), ..Setting::default().home },
        rules,
        ..Setting::default()
    };
    let log = cup("Wanderers", json!({"overs": 5})).table().home_bats().rolled(9).log();
    for (other, field) in [
        (cup("Casuals", json!({"overs": 5})).table(), "home.name"),
        (cup("Wanderers", json!({"overs": 6})).table(), "rules.overs"),
        (cup("Wanderers", json!({"overs": 5})).seeded(), "commitment"),
    ] {
        let compared = diff(&log, &other.log());
        compared
            .agree("another_match", 0, 0)
            .first("match_created", 1, 1)
            .has_text(&format!("  {field}: A says "));
        assert!(
            compared.text.starts_with("ANOTHER MATCH: A and B are logs of different matches"),
            "{}",
            compared.text
        );
        assert_eq!((&compared.json["judgement"], &compared.json["card_changes"]), (&Value::Null, &json!([])));
    }
    let shown = remote_match().seq_of(|event| event["kind"] == "seed_contributed");
    let other = remote_match().forge().set(shown, "/client_seed", "cc".repeat(32)).mended();
    diff(&remote_match(), &other).agree("another_match", 1, 0).first("seed_contributed", shown, shown);
}

#[test]
fn a_card_that_cannot_be_folded_to_the_end_is_compared_as_far_as_it_goes() {
    let log = scripted();
    let wrong = log.forge().set(7, "/outcome/striker", "Nobody").mended();
    diff(&log, &wrong)
        .first("ball", 7, 7)
        .supports("a", Some("rules"))
        .card("innings[1].total.balls", 6, 2)
        .has_text("the card of B ends before its log: event 7 cannot follow: data.outcome.striker");
    let none = log.forge().set(1, "/game", "tiddlywinks").mended();
    diff(&none, &none).agree("same", 17, 11);
}

#[test]
fn whatever_somebody_wrote_into_a_book_stays_on_its_line() {
    let balls: [&[i64]; 1] = [&[2, 3]];
    let log = Setting::overs(1).table().home_bats().balls(balls).abandoned("rain");
    let reason = "rain\n\nTHE SAME\u{1b}[2J\u{9b}1A\u{2028}x\u{202e}y";
    let other = log.forge().set(log.len(), "/reason", reason).mended();
    let wild = log.forge().with(5, |ball| ball["dice"] = json!({"a\n\u{202e}b": "\u{9b}c"})).mended();
    for book in [other, wild] {
        let compared = diff(&log, &book);
        let disguised = |letter: char| {
            (letter.is_control() && letter != '\n') || ['\u{2028}', '\u{202e}'].contains(&letter)
        };
        assert!(!compared.text.contains(disguised), "{}", compared.text.escape_debug());
        assert!(!compared.text.contains("\nTHE SAME"), "{}", compared.text);
    }
}

#[test]
fn no_two_files_make_it_panic() {
    let log = scripted();
    let leaves = ["null", "-1", "4294967296", "\"x\"", "[]", "{}"].map(str::to_owned);
    let mut random = Lcg(7);
    for _ in 0..300 {
        let mut forger = log.forge();
        for _ in 0..=random.below(3) {
            let data = forger.event(random.below(17) as u64 + 1)["data"].as_object_mut().unwrap();
            let key = data.keys().nth(random.below(data.len())).unwrap().clone();
            data.insert(key, serde_json::from_str(&leaves[random.below(leaves.len())]).unwrap());
        }
        let bytes = if random.below(2) == 0 { forger.mended() } else { forger.broken() }.text();
        let compared = third_umpire::diff::diff(log.text().as_bytes(), bytes.as_bytes());
        let rendered =
            compared.map(|compared| (compared.to_string(), serde_json::to_string(&compared).unwrap()));
        assert!(rendered.is_ok_and(|(text, json)| !text.is_empty() && !json.is_empty()));
    }
}

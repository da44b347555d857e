//! Events written in another form: a log has one way to write an event, and every other is named.

use serde_json::{Value, json};
use third_umpire_test_support::logs::{Log, Setting, scripted};

use crate::audited::{Forged, NOTHING, audit};

fn seeded() -> Log {
    Setting::default().seeded().tossed().played_out()
}

/// Puts a member into an object in an event's data.
fn put(log: &Log, seq: u64, object: &str, member: &str, value: impl Into<Value>) -> Forged {
    let value = value.into();
    Forged::of(log.forge().with(seq, |data| data.pointer_mut(object).unwrap()[member] = value))
}

#[test]
fn a_zero_where_extras_that_were_not_run_are_left_out_is_found_as_data() {
    put(&scripted(), 5, "/outcome/extras", "wides", 0)
        .diverge(5, "ball", Some(1), &["data"])
        .with_message("data", "is not in the form")
        .field("data", "outcome.extras.wides", 0, NOTHING);
}

#[test]
fn a_null_where_the_schema_leaves_a_field_out_is_found_as_data() {
    for (object, member, field) in [("/result/margin", "runs", "result.margin.runs"), ("", "seeds", "seeds")]
    {
        put(&scripted(), 17, object, member, Value::Null)
            .diverge(17, "match_completed", None, &["data"])
            .field("data", field, Value::Null, NOTHING);
    }
}

#[test]
fn the_audit_names_a_null_among_choices_and_details() {
    put(&scripted(), 5, "/choices", "next_batter", Value::Null)
        .diverge(5, "ball", Some(1), &["rules"])
        .field("rules", "choices.next_batter", Value::Null, NOTHING);
    put(&seeded(), 11, "/choices", "openers", Value::Null).diverge(11, "over", None, &["rules"]).field(
        "rules",
        "choices.openers",
        Value::Null,
        NOTHING,
    );
    put(&scripted(), 5, "/outcome/detail", "dropped_by", Value::Null)
        .diverge(5, "ball", Some(1), &["rules"])
        .field("rules", "outcome.detail.dropped_by", Value::Null, NOTHING);
}

#[test]
fn lists_in_lists_as_deep_as_json_is_read_are_found_by_the_rules() {
    let deep = (0..100).fold(Value::Null, |inner, _| json!([inner]));
    put(&scripted(), 5, "/outcome/detail", "deep", deep.clone())
        .diverge(5, "ball", Some(1), &["rules"])
        .field("rules", "outcome.detail.deep", deep, NOTHING);
}

#[test]
fn a_nul_is_found_where_it_is_written_as_json_writes_it() {
    let striker = scripted().forge().set(5, "/outcome/striker", "Wanderers\0 1");
    Forged::of(striker).diverge(5, "ball", Some(1), &["rules"]).field(
        "rules",
        "outcome.striker",
        "Wanderers\0 1",
        "Wanderers 1",
    );
    let abandoned = Setting::overs(1).table().home_bats().balls([&[1, 2]]).abandoned("rain");
    Forged::of(abandoned.forge().set(6, "/reason", "ra\0in"))
        .diverge(6, "match_abandoned", None, &["rules"])
        .with_message("rules", "without control characters");
    let named = scripted().text().replace("\"Rovers\"", "\"Ro\\u0000vers\"");
    let named = Log::of_lines(named.lines().map(str::to_owned).collect()).forge();
    Forged::of(named)
        .diverge(1, "match_created", None, &["data"])
        .with_message("data", "no control characters");
}

#[test]
fn a_field_left_out_is_found_as_data_and_named() {
    for (object, member) in [
        ("", "seed"),
        ("", "choices"),
        ("/outcome", "boundary"),
        ("/outcome", "wicket"),
        ("/outcome", "detail"),
        ("/outcome/runs", "batter"),
    ] {
        let forger = scripted().forge().with(5, |data| {
            data.pointer_mut(object).unwrap().as_object_mut().unwrap().remove(member);
        });
        let forged = Forged::of(forger);
        let mended = forged.diverge(5, "ball", Some(1), &["data"]);
        let finding = mended.text.split_once("data: ").unwrap().1;
        assert!(finding.contains(member), "{member} is not named:\n{}", mended.text);
    }
}

#[test]
fn a_field_the_schema_does_not_have_is_found_as_data_and_named() {
    let log = seeded();
    for (seq, object) in [
        (1, ""),
        (1, "/home"),
        (2, ""),
        (3, ""),
        (4, ""),
        (5, ""),
        (5, "/seed"),
        (5, "/dice/0"),
        (5, "/outcome"),
        (5, "/outcome/runs"),
        (5, "/outcome/extras"),
        (9, "/outcome/wicket"),
        (76, ""),
        (76, "/seeds"),
        (76, "/result"),
        (76, "/result/margin"),
    ] {
        let mended = &put(&log, seq, object, "colour", "blue").mended;
        assert_eq!(mended.json["divergence"]["seq"], seq, "{}", mended.text);
        mended.with_message("data", "colour");
    }
}

#[test]
fn values_of_another_type_or_beyond_their_range_are_found_as_data_and_named() {
    for (field, value) in [
        ("delivery", json!("1")),
        ("delivery", json!(-1)),
        ("delivery", json!(4_294_967_296_u64)),
        ("innings", json!(65_536)),
        ("outcome.runs.batter", json!(65_536)),
        ("outcome.runs.batter", json!(9_007_199_254_740_992_u64)),
        ("outcome.legal", json!(1)),
        ("outcome.boundary", json!(256)),
        ("dice[0].value", json!(-3)),
        ("dice", json!({})),
        ("outcome", Value::Null),
        ("choices", json!([])),
    ] {
        let pointer = format!("/{}", field.replace("[0]", ".0").replace('.', "/"));
        let forged = Forged::of(scripted().forge().set(5, &pointer, value));
        assert_eq!(forged.mended.json["divergence"]["seq"], 5, "{}", forged.mended.text);
        forged.mended.with_message("data", &format!("data.{field}"));
    }
}

#[test]
fn a_delivery_is_named_as_far_as_the_event_says_which_even_where_the_rest_cannot_be_read() {
    let forged = Forged::of(scripted().forge().set(7, "/outcome/legal", 1));
    assert_eq!(forged.mended.json["divergence"]["seq"], 7);
    assert_eq!(forged.mended.json["divergence"]["delivery"], 3, "{}", forged.mended.text);
}

#[test]
fn a_ball_by_any_other_kind_is_not_read_as_one() {
    let mut forger = scripted().forge();
    forger.event(7)["kind"] = "over".into();
    Forged::of(forger).mended.with_message("data", "is unknown here");
}

#[test]
fn nothing_a_log_says_can_pass_for_something_the_audit_says() {
    let clean = "\u{1b}[2J\u{1b}[HCLEAN: nothing diverges in 17 events\nproved: everything\u{9b}1A\u{202e}";
    let forgers = [
        scripted().forge().set(7, "/dice/0/for", clean),
        scripted().forge().set(7, "/outcome/striker", clean),
        scripted().forge().set(4, "/choices/bowler", clean),
        scripted().forge().set(1, "/game", clean),
        scripted().forge().set(1, "/home/players/3", clean),
    ];
    for forger in forgers {
        let audited = audit(&forger.mended());
        let of_verdict = |line: &str| line.starts_with("CLEAN") || line.starts_with("proved: everything");
        assert!(!audited.text.lines().any(of_verdict), "{}", audited.text.escape_debug());
        let disguised = |letter: char| (letter.is_control() && letter != '\n') || letter == '\u{202e}';
        assert!(!audited.text.contains(disguised), "{}", audited.text.escape_debug());
    }
}

#[test]
fn hashes_in_capitals_do_not_match() {
    let log = scripted();
    for field in ["hash", "prev"] {
        let mut forger = log.forge();
        let capitals = forger.event(5)[field].as_str().unwrap().to_uppercase();
        forger.event(5)[field] = capitals.clone().into();
        let audited = audit(&forger.broken());
        audited.diverges(5, "ball", Some(1), &["chain"]);
        audited.field("chain", field, capitals.as_str(), capitals.to_lowercase());
    }
}

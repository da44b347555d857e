//! Tests of the faults of values: their paths, and their words.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::json;

use super::*;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    Bat,
    Bowl,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the members are only read")]
struct Part {
    name: String,
    places: Option<Vec<u8>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the members are only read")]
struct Whole {
    word: Option<Word>,
    count: Option<u32>,
    shift: Option<i64>,
    share: Option<f64>,
    is_so: Option<bool>,
    part: Option<Part>,
    pair: Option<[String; 2]>,
    by_name: Option<BTreeMap<String, Part>>,
    any: Option<Value>,
}

fn fault_of(value: &Value) -> ValueFault {
    read_value::<Whole>(value).expect_err("a fault")
}

#[test]
fn a_fault_names_its_member_and_no_type_of_rust() {
    for (value, path, message) in [
        (json!(7), "", "the body is an object, not 7"),
        (json!([]), "", "the body is an object, not a list"),
        (json!({"word": "run"}), "word", "word is \"bat\" or \"bowl\", not \"run\""),
        (json!({"word": {"bat": null}}), "word", "word is \"bat\" or \"bowl\", not an object"),
        (json!({"count": "1"}), "count", "count is a whole number, 0 or more, not \"1\""),
        (json!({"count": -1}), "count", "count is a whole number, 0 or more, not -1"),
        (json!({"count": 1.5}), "count", "count is a whole number, 0 or more, not 1.5"),
        (
            json!({"count": u64::MAX}),
            "count",
            "count is a whole number of at most 4294967295, not 18446744073709551615",
        ),
        (json!({"shift": true}), "shift", "shift is a whole number, not true"),
        (json!({"share": "much"}), "share", "share is a number, not \"much\""),
        (json!({"is_so": 1}), "is_so", "is_so is true or false, not 1"),
        (json!({"part": "x"}), "part", "part is an object, not \"x\""),
        (json!({"part": ["a", []]}), "part", "part is an object, not a list"),
        (json!({"part": {}}), "part.name", "part.name is missing"),
        (json!({"part": {"name": null}}), "part.name", "part.name is text, not null"),
        (
            json!({"part": {"name": "a", "places": [1, 256]}}),
            "part.places[1]",
            "part.places[1] is a whole number of at most 255, not 256",
        ),
        (json!({"part": {"name": "a", "places": {}}}), "part.places", "part.places is a list, not an object"),
        (
            json!({"part": {"name": "a", "place": 1}}),
            "part.place",
            "part.place is unknown here; known are name and places",
        ),
        (json!({"pair": ["a"]}), "pair", "pair is a list of 2, not of 1"),
        (json!({"pair": "a"}), "pair", "pair is a list of 2, not \"a\""),
        (
            json!({"by_name": {"x y": {"name": []}}}),
            "by_name.x y.name",
            "by_name.x y.name is text, not a list",
        ),
    ] {
        let fault = fault_of(&value);
        assert_eq!((fault.path.as_str(), fault.message("the body").as_str()), (path, message));
        assert_eq!(fault.is_missing(), message.ends_with("is missing"));
    }
}

#[test]
fn a_long_text_is_cut_off_in_a_message() {
    let message = fault_of(&json!({"word": "é".repeat(100)})).message("the body");
    assert_eq!(message, format!("word is \"bat\" or \"bowl\", not \"{}...\"", "é".repeat(40)));
}

#[test]
fn a_value_that_fits_is_read() {
    let value = json!({
        "word": "bat", "count": 1, "shift": -1, "share": 0.5, "is_so": true, "any": [null, {"a": -1, "b": 1.5}],
        "part": {"name": "a", "places": null}, "pair": ["a", "b"], "by_name": {"x": {"name": "y"}},
    });
    let whole: Whole = read_value(&value).expect("it fits");
    assert_eq!(whole.any, Some(value["any"].clone()));
    assert_eq!(whole.shift, Some(-1));
    assert!(read_members::<Whole>(&Map::new()).is_ok());
}

#[test]
fn a_fault_has_a_path_in_the_value_around_it() {
    let fault = fault_of(&json!({"part": {"name": 7}}));
    assert_eq!(
        (fault.path_below("data"), fault.reason()),
        ("data.part.name".to_owned(), "is text, not 7".to_owned())
    );
    assert_eq!(fault_of(&json!(7)).path_below("data"), "data");
    assert_eq!(read_value::<Vec<u8>>(&json!([true])).expect_err("a fault").path_below("data"), "data[0]");
}

//! Tests of declared types: their canonical form is the one that serde and an independent library give, and
//! no other form is read.

use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::value::{LARGEST, by_utf16};
use super::*;

canonical_form! {
    /// An object whose members are declared in another order than the canonical one.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Declared {
        /// A key of which others are the beginning.
        pub word_count: u16,
        /// A key that is the beginning of others.
        pub word: Word,
        /// A key that is no name in Rust.
        #[serde(rename = "for")]
        pub what: String,
        /// A member with null as a value.
        pub note: Option<String>,
        /// A member that other readers need not find.
        #[serde(default)]
        pub always: u8,
        /// A number that is left out at 0.
        #[serde(default, skip_serializing_if = "is_default")]
        pub extra: u32,
        /// A list that is left out when it is empty.
        #[serde(default, skip_serializing_if = "is_default")]
        pub dice: Vec<u8>,
        /// A member that would come first.
        #[serde(default, skip_serializing_if = "is_default")]
        pub a: Option<bool>,
    }
}

canonical_form! {
    /// A word of more than one letter, in the case that its text gives it.
    #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
    pub enum Word {
        /// A word of two words.
        #[serde(rename = "run out")]
        RunOut,
        /// A word in another case than its name.
        #[serde(rename = "LBW")]
        Lbw,
    }
}

fn read_whole<T: Canonical>(text: &str) -> Option<T> {
    let mut cursor = Cursor::new(text);
    T::read(&mut cursor).filter(|_| cursor.rest().is_empty())
}

fn declared() -> impl Strategy<Value = Declared> {
    let word = prop_oneof![Just(Word::RunOut), Just(Word::Lbw)];
    let texts = (".{0,4}", prop::option::of("[a-z]{0,4}"));
    let left_out = (0..3u32, prop::collection::vec(any::<u8>(), 0..3), any::<Option<bool>>());
    (any::<u16>(), word, texts, any::<u8>(), left_out).prop_map(
        |(word_count, word, (what, note), always, (extra, dice, a))| Declared {
            word_count,
            word,
            what,
            note,
            always,
            extra,
            dice,
            a,
        },
    )
}

proptest! {
    #[test]
    fn a_declared_type_has_the_form_that_serde_gives_it_in_canonical_order(value in declared()) {
        let mut written = String::new();
        value.write(&mut written).unwrap();
        prop_assert_eq!(&written, &serde_json_canonicalizer::to_string(&value).unwrap());
        prop_assert_eq!(serde_json::from_str::<Declared>(&written).unwrap(), value.clone());
        let read = read_whole::<Declared>(&written);
        prop_assert!(read.is_none() == written.contains('\\') && read.is_none_or(|read| read == value));
    }

    #[test]
    fn members_are_sorted_as_the_canonical_form_of_a_tree_sorts_them(
        keys in prop::collection::hash_set("[ -~]{0,4}", 5),
    ) {
        let keys: Vec<&'static str> = keys.into_iter().map(|key| &*key.leak()).collect();
        let members: [(&str, &'static str); 5] = std::array::from_fn(|at| (keys[at], keys[at]));
        let mut sorted = keys;
        sorted.sort_by(|a, b| by_utf16(a, b));
        prop_assert_eq!(in_canonical_order(members).to_vec(), sorted);
    }
}

#[test]
#[should_panic(expected = "a key comes twice")]
fn a_key_that_comes_twice_does_not_compile() {
    in_canonical_order([(1, "over"), (2, "ball"), (3, "over")]);
}

#[test]
#[should_panic(expected = "a key is not in ASCII")]
fn a_key_with_letters_that_sort_in_two_ways_does_not_compile() {
    in_canonical_order([(1, "over"), (2, "\u{fb33}")]);
}

#[test]
fn a_declared_type_is_read_in_its_one_form_alone() {
    let least = r#"{"always":0,"for":"","note":null,"word":"LBW","word_count":7}"#;
    let read = Declared {
        word_count: 7,
        word: Word::Lbw,
        what: String::new(),
        note: None,
        always: 0,
        extra: 0,
        dice: Vec::new(),
        a: None,
    };
    assert_eq!(read_whole::<Declared>(least), Some(read.clone()));
    let most =
        r#"{"a":false,"always":0,"dice":[0],"extra":1,"for":"","note":"","word":"LBW","word_count":7}"#;
    let full = Declared { extra: 1, dice: vec![0], a: Some(false), note: Some(String::new()), ..read };
    assert_eq!(read_whole::<Declared>(most), Some(full));
    for (old, new) in [
        // A member that is missing, unknown, twice there, or not in its place.
        ("\"always\":0,", ""),
        ("\"note\":null,", ""),
        (",\"word_count\":7", ""),
        ("\"always\":0,", "\"always\":0,\"b\":1,"),
        ("{\"always\":0", "{\"Z\":1,\"always\":0"),
        (":7}", ":7,\"z\":1}"),
        ("\"note\":null,", "\"note\":null,\"note\":null,"),
        ("\"always\":0,\"for\":\"\",", "\"for\":\"\",\"always\":0,"),
        ("\"word\":\"LBW\",\"word_count\":7", "\"word_count\":7,\"word\":\"LBW\""),
        // A member that is left out when it has its default.
        ("{\"always\":0,", "{\"a\":null,\"always\":0,"),
        ("\"for\"", "\"dice\":[],\"for\""),
        ("\"for\"", "\"extra\":0,\"for\""),
        // A value that is not of the type, and another form of JSON.
        (":null", ":1"),
        (":0", ":256"),
        ("LBW", "lbw"),
        ("LBW", "Lbw"),
        ("{", "{ "),
        ("{", "{,"),
        ("}", ",}"),
        ("}", ""),
    ] {
        let other = least.replacen(old, new, 1);
        assert_ne!(other, least);
        assert_eq!(read_whole::<Declared>(&other), None, "{other}");
    }
}

#[test]
fn a_word_has_its_name_in_json() {
    for word in [Word::RunOut, Word::Lbw] {
        assert_eq!(serde_json::to_value(word).unwrap(), word.as_str());
        let mut written = String::new();
        word.write(&mut written).unwrap();
        assert_eq!(written, format!("\"{}\"", word.as_str()));
        assert_eq!(read_whole(&written), Some(word));
    }
}

#[test]
fn numbers_are_written_up_to_the_largest_that_every_reader_knows() {
    for number in [0, 9, 10, LARGEST] {
        let mut written = String::new();
        number.write(&mut written).unwrap();
        assert_eq!((&*written, read_whole(&written)), (&*number.to_string(), Some(number)));
    }
    let too_large = Err(NotCanonical::TooLarge("9007199254740993".to_owned()));
    assert_eq!((LARGEST + 1).write(&mut String::new()), too_large);
}

#[test]
fn objects_of_no_fixed_shape_are_read_as_they_are_written_and_in_no_other_way() {
    let largest = LARGEST.cast_signed();
    for plain in [
        json!({}),
        json!({"a": "b", "c": {"1": [0, "x"], "2": []}, "\u{fb33}": LARGEST}),
        json!({"a": [true, false, null, -1, -10, -largest]}),
    ] {
        let Value::Object(members) = plain else { unreachable!() };
        let mut written = String::new();
        members.write(&mut written).unwrap();
        assert_eq!(written, serde_json_canonicalizer::to_string(&members).unwrap());
        assert_eq!(read_whole(&written), Some(members));
    }
    for other in [
        "{\"b\":1,\"a\":1}",
        "{\"a\":1,\"a\":1}",
        "{\"\u{fb33}\":1,\"\u{1f600}\":1}",
        "{\"a\" :1}",
        "{\"a\":1,}",
        "{,\"a\":1}",
        "{\"a\":[1,]}",
        "{\"a\":01}",
        "{\"a\":1.0}",
        "{\"a\":-}",
        "{\"a\":-0}",
        "{\"a\":-01}",
        "{\"a\":--1}",
        "{\"a\":-9007199254740993}",
        "{\"a\":True}",
        "{\"a\":nul}",
        "{\"a\":falsehood}",
        "{\"a\":9007199254740993}",
        "{\"a\":\"\t\"}",
        "{\"!\":1,\"$serde_json::private::RawValue\":\"1\"}",
    ] {
        assert_eq!(read_whole::<Map<String, Value>>(other), None, "{other}");
    }
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(200), "]".repeat(200));
    assert_eq!(read_whole::<Map<String, Value>>(&deep), None);
}

//! The differences of two scorecards, field by field. Players and innings are compared by name or number, so
//! that an added batter does not change every line below.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::scorecard::Scorecard;

/// The members that are not compared: those that identify a card, the situation, which follows from the
/// figures and the place in the log, the corrections, and the lengths of lists, which are compared
/// themselves.
const NOT_COMPARED: [&str; 11] = [
    "at_seq",
    "head",
    "match",
    "as_known_at",
    "situation",
    "corrections",
    "corrections_total",
    "exceptions_total",
    "changed_choices_total",
    "read_anew_total",
    "disputes_open",
];
/// The members that can name an element of a list, in the order in which they are tried.
const NAMES: [&str; 3] = ["wicket", "number", "player"];

/// One field in which two cards differ.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct CardChange {
    /// The path of the field, e.g. `innings[1].batters["Ada Marsh"].runs`: innings by number, players by
    /// name, other list elements by place from 1.
    pub field: String,
    /// The value on the first card; left out where it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    pub before: Option<Value>,
    /// The value on the second card; left out where it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    pub after: Option<Value>,
}

/// Lists the fields in which two cards differ, except the situation, the corrections, the lengths of lists,
/// and `at_seq`, `head`, `match` and `as_known_at`, which identify a card.
pub fn card_changes(before: &Scorecard, after: &Scorecard) -> Vec<CardChange> {
    let mut changes = Vec::new();
    compare("", Some(&on_the_card(before)), Some(&on_the_card(after)), by_name, &mut changes);
    changes
}

/// Lists the fields in which two values differ, where the order of a list counts: elements are compared place
/// by place.
pub(crate) fn changes_in_order(before: &Value, after: &Value) -> Vec<CardChange> {
    let mut changes = Vec::new();
    compare("", Some(before), Some(after), by_place, &mut changes);
    changes
}

fn on_the_card(card: &Scorecard) -> Value {
    let mut card = match serde_json::to_value(card) {
        Ok(card) => card,
        Err(error) => unreachable!("a card is plain data: {error}"),
    };
    if let Some(members) = card.as_object_mut() {
        members.retain(|name, _| !NOT_COMPARED.contains(&name.as_str()));
    }
    card
}

/// The name of a list element, and the element in each of two lists.
type Pair<'a> = (String, Option<&'a Value>, Option<&'a Value>);
/// A way to pair the elements of two lists.
type Pairing = for<'a> fn(&'a [Value], &'a [Value]) -> Vec<Pair<'a>>;

fn compare(
    field: &str,
    before: Option<&Value>,
    after: Option<&Value>,
    pairing: Pairing,
    changes: &mut Vec<CardChange>,
) {
    match (before, after) {
        (Some(Value::Object(left)), Some(Value::Object(right))) => {
            let added = right.keys().filter(|key| !left.contains_key(*key));
            // The place of a delivery says nothing that its number does not.
            let is_compared = |key: &&String| *key != "place" || !left.contains_key("delivery");
            for key in left.keys().chain(added).filter(is_compared) {
                let inner = if field.is_empty() { key.clone() } else { format!("{field}.{key}") };
                compare(&inner, left.get(key), right.get(key), pairing, changes);
            }
        }
        (Some(Value::Array(left)), Some(Value::Array(right))) => {
            for (name, left, right) in pairing(left, right) {
                compare(&format!("{field}[{name}]"), left, right, pairing, changes);
            }
        }
        _ if before != after => changes.push(CardChange {
            field: field.to_owned(),
            before: before.cloned(),
            after: after.cloned(),
        }),
        _ => {}
    }
}

fn by_place<'a>(left: &'a [Value], right: &'a [Value]) -> Vec<Pair<'a>> {
    let places = 0..left.len().max(right.len());
    places.map(|at| ((at + 1).to_string(), left.get(at), right.get(at))).collect()
}

/// Pairs elements by name where they have names, and by place otherwise, unless the lists differ only in
/// order.
fn by_name<'a>(left: &'a [Value], right: &'a [Value]) -> Vec<Pair<'a>> {
    let named = NAMES.iter().find_map(|name| Some((*name, keyed(left, name)?, keyed(right, name)?)));
    let Some((member, in_left, in_right)) = named else {
        return if sorted(left) == sorted(right) { Vec::new() } else { by_place(left, right) };
    };
    let name = |element: &Value| element.get(member).map(Value::to_string);
    let added = right.iter().filter_map(name).filter(|name| !in_left.contains_key(name));
    let pair = |name: String| {
        let (left, right) = (in_left.get(&name).copied(), in_right.get(&name).copied());
        (name, left, right)
    };
    left.iter().filter_map(name).chain(added).map(pair).collect()
}

/// The elements of a list by name, if each has a name that no other has.
fn keyed<'a>(list: &'a [Value], name: &str) -> Option<HashMap<String, &'a Value>> {
    let keyed: Option<HashMap<String, &Value>> =
        list.iter().map(|element| Some((element.get(name)?.to_string(), element))).collect();
    keyed.filter(|keyed| keyed.len() == list.len())
}

fn sorted(list: &[Value]) -> Vec<String> {
    let mut texts: Vec<String> = list.iter().map(Value::to_string).collect();
    texts.sort();
    texts
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn changes(before: Value, after: Value) -> Vec<(String, Option<Value>, Option<Value>)> {
        let mut changes = Vec::new();
        compare("", Some(&before), Some(&after), by_name, &mut changes);
        changes.into_iter().map(|change| (change.field, change.before, change.after)).collect()
    }

    fn change(
        field: &str,
        before: impl Into<Value>,
        after: impl Into<Value>,
    ) -> (String, Option<Value>, Option<Value>) {
        (field.to_owned(), Some(before.into()), Some(after.into()))
    }

    #[test]
    fn players_are_found_by_name_and_innings_by_number_wherever_they_stand() {
        let innings = |runs: u32| json!({"number": 2, "batters": [{"player": "Ada Marsh", "runs": runs}]});
        let first = json!({"number": 1, "batters": []});
        let (before, after) =
            (json!({"innings": [first, innings(3)]}), json!({"innings": [innings(4), first]}));
        assert_eq!(changes(before, after), [change("innings[2].batters[\"Ada Marsh\"].runs", 3, 4)]);
    }

    #[test]
    fn wickets_are_found_by_their_number_though_they_name_a_player() {
        let fallen = |player: &str| json!({"fall_of_wickets": [{"wicket": 1, "player": player}]});
        assert_eq!(
            changes(fallen("Voss"), fallen("Berg")),
            [change("fall_of_wickets[1].player", "Voss", "Berg")]
        );
    }

    #[test]
    fn an_element_that_one_card_has_alone_is_one_change() {
        let (voss, berg) = (json!({"player": "Voss", "runs": 1}), json!({"player": "Berg", "runs": 2}));
        let (before, after) = (json!({"bowlers": [voss]}), json!({"bowlers": [berg]}));
        assert_eq!(
            changes(before, after),
            [
                ("bowlers[\"Voss\"]".to_owned(), Some(voss), None),
                ("bowlers[\"Berg\"]".to_owned(), None, Some(berg)),
            ]
        );
    }

    #[test]
    fn order_alone_is_no_difference_and_other_elements_go_by_place() {
        let stand = |batters: [&str; 2]| json!({"partnerships": [{"wicket": 1, "batters": batters}]});
        assert_eq!(changes(stand(["Voss", "Berg"]), stand(["Berg", "Voss"])), []);
        assert_eq!(
            changes(stand(["Voss", "Berg"]), stand(["Voss", "Nair"])),
            [change("partnerships[1].batters[2]", "Berg", "Nair")]
        );
    }

    #[test]
    fn names_that_are_not_one_of_a_kind_name_nothing() {
        let twice = |runs: u32| json!([{"player": "Voss", "runs": 1}, {"player": "Voss", "runs": runs}]);
        assert_eq!(changes(twice(2), twice(3)), [change("[2].runs", 2, 3)]);
    }

    #[test]
    fn a_place_is_compared_by_the_number_of_its_delivery() {
        let fallen = |delivery: u32| {
            let place = json!({"innings": 1, "over": 1, "ball": delivery, "text": format!("0.{delivery}")});
            json!({"fall_of_wickets": [{"wicket": 1, "delivery": delivery, "place": place}]})
        };
        assert_eq!(changes(fallen(3), fallen(5)), [change("fall_of_wickets[1].delivery", 3, 5)]);
    }

    #[test]
    fn nothing_is_not_null() {
        let missing = ("target".to_owned(), None, Some(Value::Null));
        assert_eq!(changes(json!({}), json!({"target": null})), [missing]);
    }

    #[test]
    fn which_card_it_is_makes_no_difference() {
        let card = |seq: u64, home: &str| Scorecard {
            match_id: uuid::Uuid::from_u128(seq.into()),
            at_seq: seq,
            head: crate::log::Head { seq, hash: seq.to_string() },
            home: home.to_owned(),
            away: "Rovers".to_owned(),
            status: "created",
            result: None,
            innings: Vec::new(),
            target: None,
            situation: None,
            as_known_at: None,
            corrections: Vec::new(),
            corrections_total: seq as u32,
            exceptions: Vec::new(),
            exceptions_total: seq as u32,
            changed_choices: Vec::new(),
            changed_choices_total: seq as u32,
            read_anew: Vec::new(),
            read_anew_total: seq as u32,
            disputes: Vec::new(),
            disputes_open: seq as u32,
        };
        assert_eq!(card_changes(&card(1, "Wanderers"), &card(2, "Wanderers")), []);
        let fields: Vec<String> = card_changes(&card(1, "Wanderers"), &card(2, "Casuals"))
            .into_iter()
            .map(|change| change.field)
            .collect();
        assert_eq!(fields, ["home"]);
    }

    #[test]
    fn another_order_is_a_difference_where_order_counts() {
        let fields: Vec<String> =
            changes_in_order(&json!({"openers": ["Voss", "Berg"]}), &json!({"openers": ["Berg", "Voss"]}))
                .into_iter()
                .map(|change| change.field)
                .collect();
        assert_eq!(fields, ["openers[1]", "openers[2]"]);
    }
}

//! Random whole matches of Howzat, compared with a second reading of the rules page, and random options.

use proptest::prelude::*;
use serde_json::{Value, json};
use third_umpire::log::{EventData, Review};
use third_umpire::rules::Choices;
use third_umpire::scorebook::Overs;
use third_umpire_test_support::logs::{AWAY, HOME, PlayedMatch, howzat, sheet};
use third_umpire_test_support::random::{any_json, cases, howzat_plans, step};

use super::witness::Witness;

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn every_event_is_what_a_second_reading_of_howzats_rules_expects(plan in howzat_plans()) {
        let (mut live, mut chooser) = plan.begin();
        let mut witness = Witness::of(&live.the_match.play().info().created);
        while let Some((_, events)) = step(&mut live, &mut chooser) {
            events.iter().for_each(|event| witness.see(event));
        }
        prop_assert!(witness.result().is_some());
        prop_assert_eq!(live.the_match.play().result(), witness.result());
    }

    #[test]
    fn the_result_of_howzat_follows_from_the_sums_of_the_deliveries(plan in howzat_plans()) {
        let (mut live, mut chooser) = plan.begin();
        while step(&mut live, &mut chooser).is_some() {}
        let mut totals = [(0u32, 0u32, 0u32); 2];
        let mut innings = 0;
        for event in &live.log {
            if let EventData::Ball(ball) = event {
                let (runs, wickets, balls) = &mut totals[usize::from(ball.innings) - 1];
                *runs += u32::from(ball.outcome.runs.total);
                *wickets += u32::from(ball.outcome.wicket.is_some());
                *balls += u32::from(ball.outcome.legal);
                innings = usize::from(ball.innings) - 1;
            }
            if let EventData::Review(Review::Made(made)) = event
                && made.is_upheld()
            {
                totals[innings].1 -= 1;
            }
        }
        let margin = live.the_match.play().result().unwrap().margin;
        let [first, second] = totals;
        prop_assert_eq!(margin.runs, (first.0 > second.0).then(|| first.0 - second.0));
        prop_assert_eq!(margin.wickets, (second.0 > first.0).then(|| 10 - second.1));
        let all_overs = plan.overs() * Overs::BALLS;
        for (_, wickets, balls) in totals {
            prop_assert!(wickets <= 10 && balls <= all_overs);
        }
        prop_assert!(first.1 == 10 || first.2 == all_overs, "the first innings was played out");
    }
}

proptest! {
    #![proptest_config(cases(192))]

    #[test]
    fn no_options_panic_and_those_accepted_are_written_out_as_they_resolve(
        overs in any_json(),
        max in any_json(),
        sixes in prop_oneof![any_json(), Just(json!("never"))],
        some in 0u8..16,
    ) {
        let given = [("overs", overs), ("max_overs_per_bowler", max), ("sixes_off_extras", sixes), ("x", json!(1))];
        let kept = given.into_iter().enumerate().filter(|(i, _)| some & 1 << i != 0);
        let rules: Choices = kept.map(|(_, (name, value))| (name.to_owned(), value)).collect();
        let create = |rules| PlayedMatch::create(howzat(), Value::Object(rules), sheet(HOME), sheet(AWAY), None);
        if let Ok(a_match) = create(rules) {
            let resolved = a_match.the_match.play().info().created.rules.clone();
            let again = create(resolved.clone()).ok().unwrap();
            prop_assert_eq!(&again.the_match.play().info().created.rules, &resolved);
        }
    }
}

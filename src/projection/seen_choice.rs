//! A void choice whose outcome is known: what the next one of its name is compared with.

use crate::matches::MadeChoice;

/// A void choice of a subject, as it was made each time that its outcome became known. `then` is what counts:
/// a choice that is no change of mind from it does not take its place, however often the play is corrected.
#[derive(Debug, Clone)]
pub(super) struct SeenChoice {
    then: MadeChoice,
    /// Of each other way in which the choice was offered, the last one that was made of it.
    others: Vec<MadeChoice>,
}

impl SeenChoice {
    /// A choice whose outcome is known for the first time.
    pub(super) fn first(choice: MadeChoice) -> SeenChoice {
        SeenChoice { then: choice, others: Vec::new() }
    }

    /// Whether this is the choice of the same name.
    pub(super) fn is_of(&self, choice: &MadeChoice) -> bool {
        self.then.name == choice.name
    }

    /// The choice before, where this one is a change of mind. Where the same was offered once before, the
    /// choice of that time is the one before.
    pub(super) fn changed_by(&self, now: &MadeChoice) -> Option<&MadeChoice> {
        let mut all = std::iter::once(&self.then).chain(&self.others);
        let before = all.find(|seen| seen.is_offered_as(now)).unwrap_or(&self.then);
        now.is_changed_from(before).then_some(before)
    }

    /// Records the choice once more, with its outcome known.
    pub(super) fn see(&mut self, choice: MadeChoice) {
        let counts = choice.value() == self.then.value() || self.changed_by(&choice).is_some();
        self.others.retain(|seen| !seen.is_offered_as(&choice));
        if !counts {
            self.others.push(choice);
        } else if self.then.is_offered_as(&choice) {
            self.then = choice;
        } else {
            self.others.push(std::mem::replace(&mut self.then, choice));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::matches::MadeChoices;
    use crate::rules::reading::object;
    use crate::rules::{AskOption, ChoiceOffers};

    /// A value chosen of a list of values, with a default where that is not empty.
    fn made(value: &str, list: &[&str], default: &str) -> MadeChoice {
        let options = list.iter().copied().map(AskOption::named);
        let default = if default.is_empty() { Value::Null } else { json!(default) };
        let offers = ChoiceOffers::default().with("run", default).listing("run", options);
        MadeChoices::of_offers(offers, object(json!({"run": value}))).into_iter().next().unwrap()
    }

    #[test]
    fn a_choice_is_compared_by_value_place_title_and_default() {
        let cases = [
            // What was chosen of which list, by which default; what is chosen of which now; whether it is a
            // change of mind.
            (("a", &["a", "b"][..], ""), ("b", &["a", "b"][..], ""), true),
            (("a", &["a", "b"], ""), ("a", &["b", "a"], ""), false),
            (("a", &["a", "b"], ""), ("b", &["b", "c"], ""), false),
            (("b", &["b", "c"], ""), ("a", &["a", "b"], ""), false),
            (("b", &["b", "c"], ""), ("b", &["a", "b"], ""), false),
            (("b", &["b", "c"], ""), ("c", &["a", "b", "c"], ""), true),
            (("a", &["a", "b"], ""), ("c", &["b", "c"], ""), false),
            (("a", &["a", "b"], "a"), ("b", &["a", "b", "c"], "b"), false),
            (("a", &["a", "b"], "a"), ("b", &["a", "b", "c"], "c"), true),
            (("a", &["a", "b"], "a"), ("b", &["a", "b"], "b"), false),
            (("a", &["a", "b"], "a"), ("b", &["a", "b"], "a"), true),
            (("a", &[], ""), ("b", &[], ""), true),
            (("a", &[], "a"), ("b", &[], "b"), false),
        ];
        for (then, now, is_changed) in cases {
            let [before, after] = [then, now].map(|(value, list, default)| made(value, list, default));
            assert_eq!(after.is_changed_from(&before), is_changed, "{then:?}, {now:?}");
        }
    }

    #[test]
    fn two_values_with_one_title_are_alike_where_something_else_is_offered() {
        let reroll = |value: &str, values: &[&str]| {
            let title = |value: &str| if value == "no" { "No" } else { "Roll again" };
            let options = values.iter().map(|value| AskOption::new(*value, title(value)));
            let offers = ChoiceOffers::default().with("reroll", Value::Null).listing("reroll", options);
            MadeChoices::of_offers(offers, object(json!({"reroll": value}))).into_iter().next().unwrap()
        };
        let card = reroll("card", &["no", "card"]);
        assert!(!reroll("skill", &["no", "card", "skill"]).is_changed_from(&card));
        assert!(reroll("no", &["no", "card", "skill"]).is_changed_from(&card));
        let both = reroll("card", &["no", "card", "skill"]);
        assert!(reroll("skill", &["no", "card", "skill"]).is_changed_from(&both), "the same is offered");
    }

    #[test]
    fn two_openers_are_compared_one_by_one() {
        let openers = |two: [&str; 2], of: [&str; 3]| {
            let options = of.map(AskOption::named);
            let offers = ChoiceOffers::default().with("openers", Value::Null).listing("openers", options);
            MadeChoices::of_offers(offers, object(json!({"openers": two}))).into_iter().next().unwrap()
        };
        let before = openers(["Ada", "Ned"], ["Ada", "Ned", "Kit"]);
        assert!(openers(["Ned", "Ada"], ["Ada", "Ned", "Kit"]).is_changed_from(&before));
        assert!(openers(["Ned", "Ada"], ["Ada", "Ned", "Abe"]).is_changed_from(&before));
        assert!(!openers(["Abe", "Eve"], ["Abe", "Eve", "Una"]).is_changed_from(&before), "the other side");
        assert!(!openers(["Kit", "Ned"], ["Kit", "Ned", "Ada"]).is_changed_from(&before), "the first two");
    }

    #[test]
    fn a_choice_that_is_no_change_of_mind_takes_nobodys_place() {
        let (one, two) = (["1", "2"], ["2", "3"]);
        let mut seen = SeenChoice::first(made("1", &one, ""));
        for _ in 0..4 {
            let exempt = made("2", &two, "");
            assert!(seen.changed_by(&exempt).is_none());
            seen.see(exempt);
        }
        let before = |seen: &SeenChoice, now: MadeChoice| {
            seen.changed_by(&now).map(|then| then.given.clone().unwrap())
        };
        assert_eq!(before(&seen, made("2", &one, "")), Some(json!("1")), "kept on the true die");
        assert_eq!(before(&seen, made("1", &one, "")), None, "back to the first");
        assert_eq!(before(&seen, made("3", &two, "")), Some(json!("2")), "the same is offered");
        seen.see(made("2", &one, ""));
        assert_eq!(before(&seen, made("2", &one, "")), None);
        assert_eq!(before(&seen, made("1", &one, "")), Some(json!("2")), "a change of mind counts");
    }
}

//! A ball of the board game that is taken back since a die was misread, and entered again: what its dice ask
//! for is offered by them, and the answer is compared with what was offered then and now.

use serde_json::{Value, json};
use third_umpire::dice::TableDice;
use third_umpire::matches::Input;
use third_umpire::rules::{Next, Place, Play};
use third_umpire_test_support::logs::{LogMaker, Setting, object};

use super::told;

/// The first over of a T20 at the table, and a ball of it that is struck.
struct Struck {
    choices: Value,
}

impl Struck {
    /// The choices with which these dice offer these runs.
    fn offering<const N: usize>(offers: [(&[i64], [i64; 2]); N]) -> Struck {
        let Next::Choose { legal, .. } = over_begun().the_match().next() else { panic!("a ball is due") };
        let all = |name: &str| legal[name].as_array().unwrap().clone();
        for card in all("over_card") {
            for bowl in all("bowl") {
                for stroke in all("stroke") {
                    let struck =
                        Struck { choices: json!({"over_card": card, "bowl": bowl, "stroke": stroke}) };
                    if offers.iter().all(|(dice, runs)| struck.runs(dice) == Some(json!(runs))) {
                        return struck;
                    }
                }
            }
        }
        panic!("no choices offer {offers:?}")
    }

    /// The runs that these dice offer; none where they offer something else.
    fn runs(&self, dice: &[i64]) -> Option<Value> {
        let input = Input::Play(Play::Ball(object(self.with(&[("longer", json!(false))]))));
        let refusal = |input| over_begun().the_match().decide(input, &mut TableDice::new(dice), None).err();
        let bare = Input::Play(Play::Ball(object(self.choices.clone())));
        let refusal = refusal(bare).into_iter().chain(refusal(input));
        let mut runs = refusal.filter(|refusal| refusal.place == Place::Choice("run".to_owned()));
        runs.next().map(|refusal| refusal.legal)
    }

    fn with(&self, answers: &[(&str, Value)]) -> Value {
        let mut choices = self.choices.clone();
        answers.iter().for_each(|(name, answer)| choices[*name] = answer.clone());
        choices
    }

    /// Bowls it with these dice and runs, once every ball before it is taken back. Whoever tries one run more
    /// than is safe is not run out.
    fn bowled(&self, maker: LogMaker, dice: &[i64], run: i64) -> LogMaker {
        let maker = match maker.the_match().play().deliveries() {
            0 => maker,
            _ => over(maker.voided_from(1, "a die was misread")),
        };
        let answers = [&[("run", json!(run))][..], &[("run", json!(run)), ("longer", json!(false))]];
        let all_dice = [dice.to_vec(), [dice, &[1]].concat()];
        let ways = answers.iter().flat_map(|answers| all_dice.iter().map(|dice| (self.with(answers), dice)));
        let fits = |(choices, dice): &(Value, &Vec<i64>)| {
            let input = Input::Play(Play::Ball(object(choices.clone())));
            maker.the_match().decide(input, &mut TableDice::new(dice), None).is_ok()
        };
        let (choices, dice) = ways.into_iter().find(fits).unwrap();
        maker.bowled_with(choices, dice)
    }
}

fn over_begun() -> LogMaker {
    let maker = Setting::board_game(json!({"format": "t20", "drs": "off"})).table();
    over(maker.set_up_by_default().home_bats())
}

fn over(maker: LogMaker) -> LogMaker {
    maker.over(json!({"bowler": "Thulani Mabasa"}))
}

fn line(before: i64, after: i64) -> String {
    format!("delivery 1 (innings 1, 0.1), run: {before} -> {after}")
}

const ONE: (&[i64], [i64; 2]) = (&[1, 3, 4, 2], [1, 2]);
const TWO: (&[i64], [i64; 2]) = (&[1, 3, 5, 2], [2, 3]);

#[test]
fn safe_runs_of_a_misread_die_are_no_change_of_mind() {
    let struck = Struck::offering([ONE, TWO]);
    for [misread, read] in [[ONE, TWO], [TWO, ONE]] {
        let maker = struck.bowled(over_begun(), misread.0, misread.1[0]);
        let maker = struck.bowled(maker, read.0, read.1[0]);
        assert_eq!(told(&maker)[0], [""; 0], "{misread:?}, then {read:?}");
    }
}

#[test]
fn runs_that_are_no_longer_the_safe_ones_are_listed() {
    let struck = Struck::offering([ONE, TWO]);
    let maker = struck.bowled(over_begun(), TWO.0, 2);
    let maker = struck.bowled(maker, ONE.0, 2);
    assert_eq!(told(&maker)[0], [""; 0], "the same runs");
    let maker = struck.bowled(maker, ONE.0, 1);
    assert_eq!(told(&maker)[0], [line(2, 1)], "the same dice offer the same, and the answer is another");
}

#[test]
fn a_wrong_die_is_no_way_to_another_choice() {
    let struck = Struck::offering([ONE, TWO]);
    let maker = struck.bowled(struck.bowled(over_begun(), ONE.0, 1), TWO.0, 2);
    assert_eq!(told(&maker)[0], [""; 0], "one run is not offered");
    let again = struck.bowled(struck.bowled(maker, TWO.0, 2), TWO.0, 2);
    assert_eq!(told(&again)[0], [""; 0], "over any number of corrections");
    let maker = struck.bowled(again, ONE.0, 2);
    assert_eq!(told(&maker)[0], [line(1, 2)], "two runs are kept on the true die");
    let maker = struck.bowled(maker, ONE.0, 2);
    assert_eq!(told(&maker)[0], [line(1, 2)], "once");
}

#[test]
fn an_honest_return_to_the_first_choice_is_no_change_of_mind() {
    let struck = Struck::offering([ONE, TWO]);
    let maker = struck.bowled(struck.bowled(over_begun(), ONE.0, 1), TWO.0, 2);
    assert_eq!(told(&struck.bowled(maker, ONE.0, 1))[0], [""; 0]);
}

#[test]
fn a_choice_changed_under_a_wrong_die_is_listed() {
    let struck = Struck::offering([ONE, TWO]);
    let maker = struck.bowled(struck.bowled(over_begun(), ONE.0, 1), TWO.0, 2);
    assert_eq!(told(&struck.bowled(maker, TWO.0, 3))[0], [line(2, 3)]);
}

//! What the last correction has taken away or changed comes back, as long as nothing was played since.

use serde_json::json;
use third_umpire_test_support::service::{Sides, remote, table};

use crate::balls::{opens_as_scorer, played, score_of};
use crate::phone::Phone;
use crate::table::{Table, pad_of};

#[test]
fn a_ball_that_was_taken_back_on_the_pad_is_brought_back_and_goes_again() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    played.bowl(&[2, 4]);
    played.bowl(&[2, 6]);
    phone.opens(&pad_of(&played));
    phone.taps("[data-action='heard']");
    let takes_back = || {
        phone.taps("[data-action='undo']");
        phone.taps("[data-choice='key']");
        phone.taps("dialog [data-action='confirm']");
    };
    takes_back();
    phone.reads("h1", "4 for 0");
    phone.taps("[data-action='undo']");
    phone.reads("dialog [data-action='bring']", "Bring back 0.2");
    phone.taps("[data-action='bring']");
    phone.reads("[data-bring]", "0.2 comes back. Harbour Road: 4/0 becomes 10/0.");
    assert_eq!(score_of(&played), "4/0", "a look changes nothing");
    phone.taps("dialog [data-action='confirm']");
    phone.reads("h1", "10 for 0");
    let last = played.get("/corrections").expect(200);
    assert_eq!(last["corrections"][1]["restores"], last["corrections"][0]["seq"]);
    // It works both ways.
    phone.taps("[data-action='undo']");
    phone.reads("dialog [data-action='bring']", "Take back 0.2 again");
    phone.taps("dialog [data-action='close']");
    takes_back();
    phone.reads("h1", "4 for 0");
    takes_back();
    // With no ball left the toss may be wrong as well.
    phone.reads("h1", "0 for 0");
    phone.reads("[data-action='undo']", "Undo toss…");
    phone.taps("[data-action='undo']");
    phone.reads("dialog", "Take the toss back");
    phone.reads("dialog [data-action='bring']", "Bring back 0.1");
    phone.taps("dialog [data-action='bring']");
    phone.taps("dialog [data-action='confirm']");
    phone.reads("h1", "4 for 0");
}

#[test]
fn nothing_is_offered_after_another_ball() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = played(&service);
    played.post("/corrections", &json!({"voids_from": 5, "reason": "Rule"})).expect(201);
    opens_as_scorer(&phone, &played, 5);
    phone.reads("[data-action='bring']", "Bring back 2 balls");
    played.post("/balls", &json!({"dice": [2, 6]})).expect(201);
    phone.waits("the ball", "return document.querySelector('h1').innerText.includes('11 for 1')");
    assert!(!phone.has("[data-action='bring']"));
    phone.opens(&pad_of(&played));
    phone.taps("[data-action='undo']");
    phone.reads("dialog", "Take this ball back");
    assert!(!phone.has("[data-action='bring']"));
}

#[test]
fn a_wicket_that_was_put_right_is_made_caught_again() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = played(&service);
    opens_as_scorer(&phone, &played, 2);
    assert!(!phone.has("[data-action='bring']"));
    phone.taps("[data-place='4']");
    phone.taps("[data-die='1']");
    phone.taps("[data-action='confirm']");
    phone.reads(".earlier", "Misread die");
    phone.reads("[data-action='bring']", "Make 0.2 caught again");
    phone.taps("[data-action='bring']");
    phone.reads(".sentence", "0.2: no run becomes Abel out, caught.");
    phone.reads(".sentence", "7/1 becomes 7/2.");
    assert!(!phone.has(".right [data-choice]"), "the reason is known");
    assert_eq!(score_of(&played), "7/1", "a look changes nothing");
    phone.reads("[data-action='confirm']", "Make 0.2 caught again");
    phone.taps("[data-action='confirm']");
    phone.reads(".result .word", "OUT");
    assert_eq!(score_of(&played), "7/2");
    phone.reads("[data-action='bring']", "Put 0.2 back to no run");
    // The page of the last ball and the pad offer it as well.
    opens_as_scorer(&phone, &played, 6);
    phone.reads("[data-action='bring']", "Put 0.2 back to no run");
    phone.opens(&pad_of(&played));
    phone.taps("[data-action='undo']");
    phone.taps("dialog [data-action='bring']");
    phone.reads("[data-bring]", "0.2: Abel out, caught, becomes no run.");
    phone.taps("dialog [data-action='confirm']");
    phone.reads("h1", "7 for 1");
}

#[test]
fn balls_that_were_taken_back_on_a_page_are_brought_back_there() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = played(&service);
    opens_as_scorer(&phone, &played, 3);
    phone.taps("[data-action='take-back']");
    phone.taps("[data-choice='rule']");
    phone.taps("[data-action='confirm']");
    phone.reads(".result .word", "Taken back");
    phone.reads("[data-action='bring']", "Bring back 4 balls");
    phone.taps("[data-action='bring']");
    phone.reads(".sentence", "4 balls come back, from 0.3 on.");
    phone.reads(".sentence", "4/1 becomes 7/2.");
    phone.taps("[data-action='confirm']");
    phone.reads("[data-action='bring']", "Take back 4 balls again");
    assert_eq!(score_of(&played), "7/2");
}

#[test]
fn a_correction_of_a_remote_match_is_proposed_and_says_who_has_to_consent() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let sides = Sides::in_play(service.client(), &remote(1));
    sides.choose_as_dealt();
    let played = &sides.scorer;
    played.post("/balls", &json!({})).expect(201);
    opens_as_scorer(&phone, played, 1);
    phone.taps("[data-action='take-back']");
    phone.taps("[data-choice='rule']");
    phone.reads("[data-action='confirm']", "Propose: Take back 0.1");
    phone.taps("[data-action='confirm']");
    phone.reads("[data-proposed]", "It is proposed to take back all from 0.1 on.");
    phone.reads("[data-proposed]", "Nothing has changed yet. Harbour Road and Mill Lane have to consent.");
    phone.reads("[data-proposed]", "Why: Rule");
    let number = &played.view()["proposed"]["number"];
    sides.home.post(&format!("/corrections/{number}/consent"), &json!({})).expect(201);
    let has_heard =
        "return document.querySelector('[data-proposed]').innerText.includes('yet. Mill Lane have')";
    phone.waits("the consent", has_heard);
    sides.away.post(&format!("/corrections/{number}/consent"), &json!({})).expect(201);
    phone.waits(
        "the correction",
        "return document.querySelector('.result .word')?.innerText === 'Taken back'",
    );
    assert!(!phone.has("[data-proposed]"));
}

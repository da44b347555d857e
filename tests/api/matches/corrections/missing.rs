//! Innings that go on past their last ball after a correction: the balls that they miss are asked for one
//! at a time, and each is known, or not known, or the innings ended before it.

use serde_json::{Value, json};

use super::*;
use third_umpire_test_support::on_both_stores;

/// An over of ten runs, the third of them of a four.
const FIRST: [&[i64]; 6] = [&[2, 1], &[2, 2], &[2, 4], &[2, 1], &[2, 2], &[2, 3]];
/// Six runs.
const SECOND: [&[i64]; 6] = [&[2, 1], &[2, 1], &[2, 1], &[2, 1], &[2, 1], &[2, 1]];
const WIDE: &[i64] = &[1, 2];

/// Ball 2 becomes a wide, so the over of the first innings misses a ball.
fn to_wide(missing: Value) -> Value {
    let body = with(dice(2, WIDE), "/cascade", json!("refit"));
    if missing == json!([]) { body } else { with(body, "/missing", missing) }
}

fn played(service: &Service, second: usize) -> Match {
    with_balls(service, 1, &[&FIRST[..], &SECOND[..second]].concat())
}

fn with_wide(seventh: &'static [i64]) -> Vec<&'static [i64]> {
    let mut balls = FIRST.to_vec();
    balls[1] = WIDE;
    balls.push(seventh);
    balls
}

on_both_stores!(an_innings_that_goes_on_asks_for_its_next_ball, |service| {
    let played = played(service, 2);
    let answer = service.untouched_by(played.posting("/corrections", &to_wide(json!([]))));
    let problem = answer.refused(422, "needs-input").at("body.missing[0].dice[0]");
    problem.says(&["innings 1 goes on past its last ball"]);
    let told = played.post("/corrections", &to_wide(json!([]))).expect(422);
    assert_eq!(told["missing"]["innings"], 1);
    assert_eq!(told.get("later"), None);
    let requests = told["missing"]["requests"].as_array().expect("requests");
    let titles: Vec<&Value> = requests.iter().map(|request| &request["title"]).collect();
    assert_eq!(titles, ["Amend delivery 2", "Not known: no run", "The innings ended there"]);
    let missing = |place: usize| &requests[place]["body"]["missing"];
    assert_eq!(*missing(0), json!([{"innings": 1, "dice": []}]));
    assert_eq!(requests[0]["asks"][0]["at"], "missing[0].dice[0]");
    assert_eq!(*missing(1), json!([{"innings": 1, "unknown": true}]));
    assert_eq!(*missing(2), json!([{"innings": 1, "ended": true}]));
    // The dry run asks the same, with what has changed up to there.
    let asked = dry_run(&played, &to_wide(json!([]))).expect(200);
    assert_eq!((&asked["done"], &asked["missing"]["innings"]), (&json!(false), &json!(1)));
    assert_eq!(asked["missing"]["before"]["text"], "Harbour Road 10/0 (1.0); target 11");
    assert_eq!(asked["missing"]["after"]["text"], "Harbour Road 9/0 (0.5)");
    assert_eq!(asked["next"]["requests"].as_array().map(Vec::len), Some(3));
    // A second die is asked for alone.
    let more = dry_run(&played, &to_wide(json!([{"innings": 1, "dice": [2]}]))).expect(200);
    assert_eq!(more["next"]["requests"].as_array().map(Vec::len), Some(1));
    assert_eq!(more["next"]["requests"][0]["asks"][0]["at"], "missing[0].dice[1]");
});

on_both_stores!(a_missing_ball_that_is_known_makes_the_match_that_was_played_so, |service| {
    for (second, seventh) in [(2, &[2, 6][..]), (6, &[2, 1])] {
        let played = played(service, second);
        let body = to_wide(json!([{"innings": 1, "dice": seventh}]));
        let supposed = dry_run(&played, &body).expect(200);
        let made = correct(&played, &body);
        assert_eq!(made["score"], supposed["after"]);
        let right = with_balls(service, 1, &[&with_wide(seventh)[..], &SECOND[..second]].concat());
        is_like(service, &played, &right);
        assert_eq!(played.get("/deliveries/8").expect(200)["now"]["was"], 7);
        assert_eq!(played.get("/deliveries/7").expect(200)["now"].get("was"), None);
        assert_eq!(played.get("/changed-choices").expect(200)["changed_choices"], json!([]));
        holds(service, &played);
    }
});

on_both_stores!(a_missing_ball_that_nobody_knows_is_a_legal_ball_without_a_run, |service| {
    let played = played(service, 2);
    correct(&played, &to_wide(json!([{"innings": 1, "unknown": true}])));
    let event = played.events().into_iter().rfind(|event| event["data"]["delivery"] == 7).expect("it");
    assert_eq!((&event["v"], &event["data"]["unknown"]), (&json!(2), &json!(true)));
    assert_eq!((&event["data"]["dice"], &event["data"]["seed"]), (&json!([]), &Value::Null));
    let told = played.get("/deliveries/7").expect(200);
    assert_eq!((&told["now"]["legal"], &told["now"]["runs"]["total"]), (&json!(true), &json!(0)));
    assert_eq!(told["rulings"][0]["id"], "not_known");
    assert_eq!(total(&played, 1), [9, 0, 6]);
    // It may be known after all.
    holds(service, &played);
    correct(&played, &with(dice(7, &[2, 6]), "/cascade", json!("refit")));
    is_like(service, &played, &with_balls(service, 1, &[&with_wide(&[2, 6])[..], &SECOND[..2]].concat()));
    holds(service, &played);
});

on_both_stores!(an_innings_ends_by_agreement_and_stays_so, |service| {
    let played = played(service, 2);
    let made = correct(&played, &to_wide(json!([{"innings": 1, "ended": true}])));
    assert_eq!(appended(&made)[0]["data"]["ended"], json!([{"innings": 1, "after": 6}]));
    assert_eq!(total(&played, 1), [9, 0, 5]);
    assert_eq!(total(&played, 2), [2, 0, 2]);
    let entry = &made["correction"];
    assert_eq!(entry["ended"], json!([{"innings": 1, "after": 6}]));
    let told = "0.2: 2 runs becomes wide. 10/0 becomes 9/0. Innings 1 ended after 0.6, as agreed.";
    assert_eq!(entry["difference"], told);
    assert_eq!(played.get("/corrections").expect(200)["corrections"][0]["difference"], told);
    holds(service, &played);
    // The match goes on, and goes back, and is put right again.
    played.bowl(&[2, 1]);
    correct(&played, &undo(7));
    assert_eq!(played.view()["score"]["innings"].as_array().map(Vec::len), Some(1));
    played.bowl(&[2, 4]);
    assert_eq!(total(&played, 2), [4, 0, 1]);
    holds(service, &played);
    let again = correct(&played, &with(dice(3, &[2, 1]), "/cascade", json!("refit")));
    assert_eq!(appended(&again)[0]["data"]["ended"], json!([{"innings": 1, "after": 6}]));
    assert_eq!(total(&played, 2), [4, 0, 1]);
    let more = correct(&played, &json!({"inserts": {"before": 2, "dice": WIDE}, "reason": "one more"}));
    assert_eq!(appended(&more)[0]["data"]["ended"], json!([{"innings": 1, "after": 7}]));
    holds(service, &played);
    // Without a change of what follows it ends there as well.
    let plain = correct(&played, &dice(1, &[2, 2]));
    assert_eq!(appended(&plain)[0]["data"]["ended"], json!([{"innings": 1, "after": 7}]));
    holds(service, &played);
    // What is taken back within the innings lets it go on.
    let undone = correct(&played, &undo(7));
    assert_eq!(appended(&undone)[0]["data"].get("ended"), None);
    assert_eq!(played.view()["score"]["innings"].as_array().map(Vec::len), Some(1));
    let last = appended(&undone)[0]["seq"].clone();
    let back = correct(&played, &json!({"restores": last, "reason": "it had ended"}));
    assert_eq!(total(&played, 2), [4, 0, 1], "{back}");
    holds(service, &played);
    let all: Vec<&[i64]> = vec![&[2, 1]; 5];
    all.iter().for_each(|dice| drop(played.bowl(dice)));
    assert_eq!(played.view()["status"], "completed");
    holds(service, &played);
});

on_both_stores!(a_last_wicket_that_was_none_lets_the_innings_go_on, |service| {
    // Ten wickets in two overs, and a ball of the other side.
    let mut balls: Vec<&[i64]> = vec![&[2, 5]; 10];
    balls.push(&[2, 1]);
    let played = with_balls(service, 2, &balls);
    let not_out = |missing: Value| {
        let body = with(dice(10, &[2, 3]), "/cascade", json!("refit"));
        with(body, "/missing", missing)
    };
    let dot = json!({"innings": 1, "dice": [2, 3]});
    let two = json!([dot, {"innings": 1, "unknown": true}]);
    correct(&played, &not_out(two.clone()));
    assert_eq!(total(&played, 1), [0, 9, 12]);
    holds(service, &played);
    // One answer of two asks for the other, and a third is one too many.
    let other = with_balls(service, 2, &balls);
    let asked = service.untouched_by(other.posting("/corrections", &not_out(json!([dot]))));
    asked.refused(422, "needs-input").at("body.missing[1].dice[0]");
    let three = json!([dot, dot, dot]);
    let refused = service.untouched_by(other.posting("/corrections", &not_out(three)));
    refused.refused(422, "illegal-input").at("body.missing[2]").says(&["innings 1 misses no ball"]);
});

on_both_stores!(an_answer_for_what_is_not_missing_is_refused, |service| {
    let played = played(service, 2);
    let ball = json!({"innings": 1, "dice": [2, 1]});
    let many: Vec<&Value> = std::iter::repeat_n(&ball, 101).collect();
    for (missing, at, says) in [
        (json!([{"innings": 2, "dice": [2, 1]}]), "body.missing[0].innings", "innings 1 misses a ball first"),
        (json!([{"innings": 1, "dice": [2, 7]}]), "body.missing[0].dice[1]", "cannot show 7"),
        (json!([{"innings": 1, "dice": [2, 1, 3]}]), "body.missing[0].dice[2]", "3"),
        (
            json!([{"innings": 1, "dice": [2, 1], "over": {"bowler": "Ned"}}]),
            "body.missing[0].over.bowler",
            "",
        ),
        (json!([{"innings": 1, "choices": {"luck": 1}, "dice": [2, 1]}]), "body.missing[0].choices.luck", ""),
        (json!([{"innings": 1, "unknown": true, "ended": true}]), "body.missing[0]", "only one of these"),
        (json!([{"innings": 1, "unknown": true, "dice": [2]}]), "body.missing[0]", "only one of these"),
        (json!([ball, ball]), "body.missing[1]", "innings 1 misses no ball"),
        (json!(many), "body.missing", "at most 100"),
    ] {
        for path in ["/corrections", "/corrections?dry_run=true"] {
            let refusal = service.untouched_by(played.posting(path, &to_wide(missing.clone())));
            refusal.refused(422, "illegal-input").at(at).says(&[says]);
        }
    }
    let plain = with(dice(2, WIDE), "/missing", json!([ball]));
    service
        .untouched_by(played.posting("/corrections", &plain))
        .refused(422, "illegal-input")
        .at("body.missing");
    let whole = with(with(dice(2, &[2, 4]), "/cascade", json!("refit")), "/missing", json!([ball]));
    let refusal = service.untouched_by(played.posting("/corrections", &whole));
    refusal.refused(422, "illegal-input").at("body.missing[0]").says(&["misses no ball"]);
    let unknown_ball = json!({"unknown": true});
    let refusal = service.untouched_by(played.posting("/balls", &unknown_ball));
    refusal.refused(422, "illegal-input");
});

on_both_stores!(cubes_ask_for_the_numbers_of_a_ball_that_is_missing, |service| {
    // Six legal balls are an over; nine wickets and a last one that was none.
    let played = with_cubes(service, 2, &[[[9, 0]; 10].as_slice(), &[[1, 1]]].concat());
    let body = json!({
        "amends": 10, "choices": {"bowler_number": 0, "batter_number": 0}, "cascade": "refit", "reason": WHY,
    });
    let asked = played.post("/corrections", &body).expect(422);
    assert_eq!(asked["missing"]["innings"], 1, "{asked}");
    let known = json!({"innings": 1, "choices": {"bowler_number": 0, "batter_number": 1}});
    let missing = json!([known, {"innings": 1, "unknown": true}]);
    correct(&played, &with(body, "/missing", missing));
    assert_eq!(total(&played, 1), [1, 9, 12]);
    holds(service, &played);
});

on_both_stores!(an_innings_that_had_ended_ends_again_with_no_play_after_it, |service| {
    let played = played(service, 1);
    correct(&played, &to_wide(json!([{"innings": 1, "ended": true}])));
    correct(&played, &undo(7));
    let end = json!([{"innings": 1, "after": 6}]);
    for body in [with(dice(3, &[2, 1]), "/cascade", json!("refit")), dice(1, &[2, 2])] {
        let made = correct(&played, &body);
        assert_eq!(appended(&made)[0]["data"]["ended"], end);
        assert_eq!(played.view()["next"]["what"], "over", "the innings is over");
        assert_eq!(played.view()["situation"]["innings"], 2);
        holds(service, &played);
    }
    // It may have had one more ball after all.
    let known = json!([{"innings": 1, "dice": [2, 6]}]);
    let body = with(with(dice(3, &[2, 4]), "/cascade", json!("refit")), "/missing", known);
    let made = correct(&played, &body);
    assert_eq!(appended(&made)[0]["data"].get("ended"), None);
    assert_eq!(total(&played, 1), [16, 0, 6]);
    holds(service, &played);
});

on_both_stores!(an_innings_without_a_ball_ends_as_well, |service| {
    let request = with(cubes(1), "/dice", json!("table"));
    let played = service.create(&with(request, "/rules", json!({"variant": "test", "overs": 1})));
    played.begin();
    (0..21).for_each(|_| drop(show(&played, [1, 2])));
    let end = |innings: u16| json!([{"innings": innings, "ended": true}]);
    correct(&played, &json!({"removes": 1, "missing": end(1), "reason": WHY}));
    correct(&played, &json!({"removes": 6, "missing": end(2), "reason": WHY}));
    // An innings that had ended so ends so again.
    (0..5).for_each(|_| drop(correct(&played, &json!({"removes": 6, "reason": WHY}))));
    holds(service, &played);
    let numbers = json!({"bowler_number": 1, "batter_number": 3});
    let refit = json!({"amends": 2, "choices": numbers, "cascade": "refit", "reason": WHY});
    let made = correct(&played, &refit);
    let two = json!([{"innings": 1, "after": 5}, {"innings": 2, "after": 5}]);
    assert_eq!(appended(&made)[0]["data"]["ended"], two);
    correct(&played, &json!({"amends": 3, "choices": numbers, "reason": WHY}));
    assert_eq!(played.view()["situation"]["innings"], 4);
    holds(service, &played);
});

on_both_stores!(the_first_innings_may_lose_all_its_balls, |service| {
    let played = played(service, 1);
    correct(&played, &json!({"removes": 1, "missing": [{"innings": 1, "ended": true}], "reason": WHY}));
    (0..5).for_each(|_| drop(correct(&played, &json!({"removes": 1, "reason": WHY}))));
    assert_eq!(played.view()["status"], "completed", "one run wins");
    holds(service, &played);
    for at in 1..=played.head().seq {
        played.get(&format!("/deliveries?at={at}")).expect(200);
    }
    correct(&played, &json!({"anew": "toss_decided", "to": "bowl", "reason": WHY}));
    holds(service, &played);
});

//! `/v1/matches/{id}/reviews`: decisions that are reviewed or accepted before anything else happens.

use serde_json::{Value, json};
use third_umpire_test_support::service::{Captain, Match, Service, chained, last_event, seeded, table, with};
use third_umpire_test_support::{on_both_stores, on_own_stores};

const LBW: &[i64] = &[5, 5];
const DOT: &[i64] = &[2, 3];

fn drs(request: Value) -> Value {
    with(request, "/rules/drs", json!("house"))
}

/// A match at a table, with these balls bowled and every decision accepted.
fn with_balls(service: &Service, overs: u32, balls: &[&[i64]]) -> Match {
    let played = service.create(&drs(table(overs)));
    played.begin();
    balls.iter().for_each(|dice| drop(bowl_on(&played, dice)));
    played
}

/// Accepts the last decision, if one is open, and bowls the next ball.
#[track_caller]
fn bowl_on(played: &Match, dice: &[i64]) -> Value {
    played.post("/balls", &json!({"dice": dice, "accept": true})).expect(201)
}

fn by(side: &str, die: i64) -> Value {
    json!({"by": side, "dice": [die]})
}

fn accept(side: &str) -> Value {
    json!({"by": side, "accept": true})
}

#[track_caller]
fn review(played: &Match, die: i64) -> Value {
    played.post("/reviews", &by("home", die)).expect(201)
}

#[track_caller]
fn batter(played: &Match, place: usize) -> Value {
    played.get("/scorecard").expect(200)["innings"][0]["batters"][place].clone()
}

/// Asserts that the log is valid, that a rebuild changes nothing, and that the reviews as of the head are the
/// current ones.
#[track_caller]
fn holds(service: &Service, played: &Match) {
    chained(&played.events());
    played.audits_clean();
    let now = played.get("/reviews").expect(200);
    let at_head = played.get(&format!("/reviews?at={}", played.head().seq)).expect(200);
    assert_eq!(now, at_head);
    service.is_rebuilt_alike(played);
}

on_own_stores!(a_review_that_is_upheld_gives_the_batter_back_and_the_card_with_him, |deployment| {
    let played = with_balls(deployment, 5, &[&[2, 4], LBW]);
    assert_eq!(batter(&played, 0)["status"], "out");
    let open = played.view();
    assert_eq!((&open["next"]["what"], &open["next"]["side"]), (&json!("review"), &json!("home")));
    assert_eq!(open["next"]["legal"]["left"], 1);
    let made = review(&played, 5);
    let data = &last_event(&made)["data"];
    assert_eq!((&data["verdict"], &data["retained"]), (&json!("upheld"), &json!(false)));
    assert_eq!(data["outcome"]["wicket"], Value::Null);
    assert_eq!(made["score"]["text"], "Harbour Road 4/0 (0.2)");
    let back = batter(&played, 0);
    assert_eq!(
        (&back["status"], &back["how_out"], &back["balls"]),
        (&json!("not out"), &Value::Null, &json!(2))
    );
    let wickets = played.get("/fall-of-wickets").expect(200);
    assert_eq!(wickets["innings"][0]["fall_of_wickets"], json!([]));
    assert_eq!(wickets["innings"][0]["partnerships"][0]["unbroken"], true);
    let next = bowl_on(&played, &[2, 1]);
    assert_eq!(last_event(&next)["data"]["outcome"]["striker"], "Abel");
    // The original decision stays in the log, and on the card as of that moment.
    let then = played.get("/scorecard?at=6").expect(200);
    assert_eq!(then["innings"][0]["total"]["wickets"], 1);
    let listed = deployment.client().get("/v1/matches").expect(200);
    assert_eq!(listed["matches"][0]["score"]["text"], "Harbour Road 5/0 (0.3)");
    holds(deployment, &played);
});

on_both_stores!(reviews_are_told_one_by_one, |service| {
    let played = with_balls(service, 5, &[&[2, 4], LBW]);
    review(&played, 4);
    bowl_on(&played, &[3, 5, 4, 4, 3]);
    review(&played, 1);
    let reviews = played.get("/reviews").expect(200);
    assert_eq!(reviews["left"], json!([{"innings": 1, "home": 0, "away": 1}]));
    let [kept, lost] = reviews["reviews"].as_array().expect("reviews").as_slice() else {
        panic!("{reviews}")
    };
    let place =
        ["number", "delivery", "innings", "over", "ball"].map(|name| kept[name].as_u64().expect("a number"));
    assert_eq!(place, [1, 2, 1, 1, 2]);
    assert_eq!(kept["place"], json!({"innings": 1, "over": 1, "ball": 2, "text": "0.2"}));
    assert_eq!((&kept["by"], &kept["side"]), (&json!("home"), &json!("Harbour Road")));
    assert_eq!(kept["dice"], json!([{"for": "review", "sides": 6, "value": 4}]));
    let verdict = |review: &Value| ["verdict", "umpires_call", "retained"].map(|name| review[name].clone());
    assert_eq!(verdict(kept), [json!("struck_down"), json!(true), json!(true)]);
    assert_eq!(verdict(lost), [json!("struck_down"), json!(false), json!(false)]);
    assert_eq!(kept["original"]["words"], "Abel lbw b Verity");
    assert_eq!(kept["revised"], kept["original"]);
    assert_eq!((&kept["before"], &kept["before"]["wickets"]), (&kept["after"], &json!(1)));
    assert_eq!(lost["original"]["wicket"]["kind"], "caught");
    let commentary = played.get("/commentary").expect(200);
    let review = |line: &&Value| line["text"].as_str().is_some_and(|text| text.contains("review: "));
    let reviewed = commentary["lines"].as_array().into_iter().flatten().find(review).expect("a line");
    assert_eq!((&reviewed["cell"], &reviewed["score"]), (&json!("W"), &kept["after"]));
    let commentary = commentary.to_string();
    assert!(
        commentary.contains("Harbour Road review: umpire's call. Abel lbw b Verity stands; 4/1"),
        "{commentary}"
    );
    assert!(commentary.contains("struck down"), "{commentary}");
    assert_eq!(played.get("/reviews?at=6").expect(200)["reviews"], json!([]));
    holds(service, &played);
});

on_both_stores!(nothing_goes_on_before_a_decision_is_reviewed_or_accepted, |service| {
    let played = with_balls(service, 5, &[LBW]);
    for (path, body) in [("/balls", json!({"dice": DOT})), ("/overs", json!({})), ("/balls", json!({}))] {
        service.untouched_by(played.posting(path, &body)).refused(409, "review-open").says(&["accept: true"]);
    }
    played.post("/reviews", &accept("home")).expect(201);
    let data = last_event(&json!({"events": played.events()}))["data"].clone();
    assert_eq!(data, json!({"accepted": true, "by": "home", "delivery": 1}));
    assert_eq!(played.get("/reviews").expect(200)["reviews"], json!([]), "an accepted decision is no review");
    played.bowl(DOT);
    holds(service, &played);
});

on_both_stores!(a_scorer_bowls_on_and_accepts_with_it, |service| {
    let played = with_balls(service, 5, &[LBW]);
    let wrong = service.untouched_by(played.posting("/balls", &json!({"dice": [2, 7], "accept": true})));
    wrong.refused(422, "illegal-input").at("body.dice[1]");
    let bowled = bowl_on(&played, DOT);
    let kinds: Vec<&str> = bowled["events"]
        .as_array()
        .expect("events")
        .iter()
        .map(|event| event["kind"].as_str().expect("a kind"))
        .collect();
    assert_eq!(kinds, ["review", "ball"]);
    for dice in [DOT, DOT, DOT, LBW] {
        bowl_on(&played, dice);
    }
    let over = played.post("/overs", &json!({"bowler": "Umar", "accept": true})).expect(201);
    assert_eq!(over["events"][0]["data"]["accepted"], true);
    assert_eq!(over["events"][1]["data"]["choices"]["bowler"], "Umar");
    let wrong = service.untouched_by(played.posting("/overs", &json!({"accept": 1})));
    wrong.refused(422, "illegal-input").at("body.accept");
    holds(service, &played);
});

on_both_stores!(a_review_that_cannot_be_is_refused_by_a_rule_of_its_own, |service| {
    let played = with_balls(service, 5, &[LBW]);
    let refused = |played: &Match, body: Value, status: u16, slug: &str| {
        service.untouched_by(played.posting("/reviews", &body)).refused(status, slug)
    };
    refused(&played, by("away", 5), 422, "illegal-input").at("body.by").by("howzat.review.other_side");
    refused(&played, json!({"by": "home"}), 422, "needs-input").at("body.dice[0]");
    refused(&played, by("home", 7), 422, "illegal-input").at("body.dice[0]");
    refused(&played, json!({"by": "home", "dice": [5], "accept": true}), 422, "illegal-input")
        .at("body.dice");
    refused(&played, json!({"by": "umpire"}), 422, "illegal-input").at("body.by");
    refused(&played, json!({}), 422, "needs-input");
    review(&played, 1);
    refused(&played, by("home", 5), 409, "out-of-turn").by("howzat.review.none_left");
    played.bowl(LBW);
    refused(&played, by("home", 5), 409, "out-of-turn").by("howzat.review.none_left");
    let accepted = with_balls(service, 5, &[LBW, DOT]);
    refused(&accepted, by("home", 5), 409, "out-of-turn").by("howzat.review.not_reviewable");
    let run_out = with_balls(service, 5, &[&[6, 5]]);
    refused(&run_out, by("home", 5), 409, "out-of-turn")
        .by("howzat.review.not_reviewable")
        .says(&["run out"]);
    let bowled = with_balls(service, 5, &[&[2, 5]]);
    refused(&bowled, by("home", 5), 409, "out-of-turn").by("howzat.review.not_reviewable").says(&["bowled"]);
    let late = with_balls(service, 5, &[DOT, DOT, DOT, DOT, DOT, LBW]);
    late.post("/overs", &json!({"accept": true})).expect(201);
    refused(&late, by("home", 5), 409, "out-of-turn").by("howzat.review.too_late");
    let off = service.create(&table(5));
    off.begin().bowl(LBW);
    refused(&off, by("home", 5), 409, "out-of-turn").by("howzat.review.off");
    assert_eq!(off.get("/reviews").expect(200)["left"], json!([]));
});

on_own_stores!(each_side_reviews_for_itself_and_the_scorer_for_both, |deployment| {
    let created = deployment.client().post("/v1/matches", &drs(table(5))).expect(201);
    let played = Match::created(deployment.client(), &created);
    let claim = |side| Captain::claim(&played, side, created["invites"][side].as_str().expect("an invite"));
    let (home, away) = (claim("home"), claim("away"));
    played.begin();
    played.bowl(LBW);
    deployment.untouched_by(away.posting("/reviews", &by("home", 1))).refused(403, "token-refused");
    deployment.untouched_by(away.posting("/reviews", &accept("home"))).refused(403, "token-refused");
    deployment.untouched_by(away.posting("/balls", &json!({"accept": true}))).refused(403, "token-refused");
    deployment.untouched_by(home.posting("/balls", &json!({}))).refused(409, "review-open");
    let made = home.post("/reviews", &by("home", 4)).expect(201);
    assert_eq!(last_event(&made)["actor"], "home");
    played.bowl(LBW);
    home.post("/balls", &json!({"dice": DOT, "accept": true})).expect(201);
    holds(deployment, &played);
});

on_both_stores!(the_end_of_the_match_waits_for_the_last_review, |service| {
    let over: Vec<&[i64]> = vec![DOT, DOT, DOT, DOT, DOT, LBW];
    let played = with_balls(service, 1, &[over.clone(), over].concat());
    let waiting = played.view();
    assert_eq!((&waiting["status"], &waiting["result"]), (&json!("in_play"), &Value::Null));
    let made = played.post("/reviews", &by("away", 5)).expect(201);
    assert_eq!(last_event(&made)["kind"], "match_completed");
    assert_eq!(played.view()["status"], "completed");
    service.untouched_by(played.posting("/reviews", &by("away", 5))).refused(409, "match-over");
    let reviews = played.get("/reviews").expect(200);
    assert_eq!(reviews["left"][1], json!({"innings": 2, "home": 1, "away": 0}));
    assert_eq!(reviews["reviews"][0]["before"]["wickets"], 1);
    assert_eq!(reviews["reviews"][0]["after"]["wickets"], 0);
    holds(service, &played);
});

on_both_stores!(autoplay_accepts_every_ball_and_never_reviews, |service| {
    let played = service.create(&drs(seeded(20)));
    for until in ["ball", "over", "innings", "match"] {
        let done = played.post("/autoplay", &json!({"until": until})).expect(201);
        assert_ne!(done["next"]["what"], "review", "{until}");
    }
    let events = played.events();
    let accepted = events.iter().filter(|event| event["data"]["accepted"] == true).count();
    let reviews = events.iter().filter(|event| event["kind"] == "review").count();
    assert!(accepted > 0 && accepted == reviews, "{accepted} of {reviews}");
    holds(service, &played);
});

on_both_stores!(the_audit_proves_the_die_of_a_seeded_review, |service| {
    let played = service.create(&drs(seeded(5)));
    played.begin();
    let mut verdicts = Vec::new();
    while played.view()["status"] == "in_play" {
        let next = played.view()["next"].clone();
        if next["what"] == "review" {
            let entered = json!({"by": next["side"], "dice": [5]});
            service
                .untouched_by(played.posting("/reviews", &entered))
                .refused(422, "illegal-input")
                .at("body.dice");
            let made = played.post("/reviews", &json!({"by": next["side"]})).expect(201);
            verdicts.push(made["events"][0]["data"]["verdict"].clone());
            assert_eq!(made["events"][0]["data"]["seed"]["domain"], 5);
        } else {
            played.ball();
        }
    }
    assert!(!verdicts.is_empty(), "somebody is out in this match");
    service.untouched_by(played.posting("/reviews", &json!({"by": "home"}))).refused(409, "seed-open");
    holds(service, &played);
});

on_both_stores!(a_correction_takes_a_reviewed_ball_back_with_its_review, |service| {
    let played = with_balls(service, 5, &[LBW]);
    review(&played, 1);
    bowl_on(&played, DOT);
    let why = |body: Value| with(body, "/reason", json!("entered by mistake"));
    played.post("/corrections", &why(json!({"voids_from": 1}))).expect(201);
    assert_eq!(played.get("/reviews").expect(200)["reviews"], json!([]));
    bowl_on(&played, LBW);
    assert_eq!(played.view()["next"]["legal"]["left"], 1);
    let seq = last_event(&review(&played, 1))["seq"].clone();
    // The review alone can be voided, too: its die was wrong.
    let taken = played.post("/corrections", &why(json!({"voids_from_seq": seq}))).expect(201);
    assert_eq!(taken["events"][0]["data"]["dice_seen"], true);
    assert_eq!(played.view()["next"]["what"], "review");
    review(&played, 6);
    assert_eq!(played.get("/reviews").expect(200)["reviews"][0]["verdict"], "upheld");
    holds(service, &played);
});

on_both_stores!(after_an_amendment_reviews_come_again_as_far_as_they_can, |service| {
    let why = |body: Value| with(body, "/reason", json!("entered by mistake"));
    let kinds = |made: &Value| -> Vec<String> {
        let events = made["events"].as_array().expect("events").iter();
        events.map(|event| event["kind"].as_str().expect("a kind").to_owned()).collect()
    };
    // After the amendment, the review is of another ball, with its old die.
    let played = with_balls(service, 5, &[LBW]);
    review(&played, 5);
    bowl_on(&played, &[2, 1]);
    let made = played.post("/corrections", &why(json!({"amends": 1, "dice": [4, 5]}))).expect(201);
    assert_eq!(kinds(&made), ["correction", "ball", "review", "ball"]);
    let reviews = played.get("/reviews").expect(200);
    assert_eq!(reviews["reviews"][0]["original"]["wicket"]["kind"], "stumped");
    assert_eq!(reviews["reviews"][0]["verdict"], "upheld");
    // There is no decision to review any more.
    let made = played.post("/corrections", &why(json!({"amends": 1, "dice": [2, 4]}))).expect(201);
    assert_eq!(kinds(&made), ["correction", "ball", "ball"]);
    assert_eq!(played.get("/reviews").expect(200)["reviews"], json!([]));
    // There is a decision where there was none: the log goes on, so it was accepted.
    let body = json!({"amends": 1, "dice": LBW, "cascade": "void_rest"});
    let made = played.post("/corrections", &why(body)).expect(201);
    assert_eq!(kinds(&made), ["correction", "ball", "review", "ball"]);
    assert_eq!(made["events"][2]["data"]["accepted"], true);
    assert_eq!(made["events"][2]["actor"], "service");
    holds(service, &played);
});

on_both_stores!(games_without_a_set_up_refuse_one, |service| {
    let played = service.create(&table(5));
    let refused = service.untouched_by(played.posting("/set-up", &json!({"pitch": "pace"})));
    refused.refused(409, "out-of-turn").says(&["the match waits for: toss"]);
});

on_both_stores!(the_pages_of_reviews_have_every_review_once_in_play_and_at_the_end, |service| {
    let played = with_balls(service, 5, &[&[2, 4], LBW]);
    review(&played, 4);
    bowl_on(&played, &[3, 5, 4, 4, 3]);
    review(&played, 1);
    bowl_on(&played, DOT);
    let whole = played.get("/reviews").expect(200);
    let reviews = whole["reviews"].as_array().expect("a list").clone();
    assert_eq!((reviews.len(), &whole["next_after"]), (2, &Value::Null));
    let pages = |past: &str| {
        for (after, page, next) in
            [(0, &reviews[..1], json!(1)), (1, &reviews[1..], Value::Null), (2, &[], Value::Null)]
        {
            let answer = played.get(&format!("/reviews?limit=1&after={after}{past}")).expect(200);
            assert_eq!((&answer["reviews"], &answer["next_after"]), (&json!(page), &next), "{after}{past}");
            assert_eq!(answer["left"], whole["left"]);
        }
    };
    pages("");
    pages(&format!("&at={}", played.head().seq));
    played.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    pages("");
    // The first page of a match that is over is stored.
    assert_eq!(played.get("/reviews").expect(200)["reviews"], whole["reviews"]);
});

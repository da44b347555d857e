//! `GET /v1/matches/{id}` with a token: what each side sees and the other does not.

use serde_json::{Value, json};
use third_umpire_test_support::service::{
    Answer, Captain, Match, Service, Sides, cubes, remote, sha256, tag_of,
};
use third_umpire_test_support::{on_both_stores, on_own_stores};

/// Matches of equal settings in play: a remote one, and one at a table.
fn in_play(service: &Service) -> [Sides; 2] {
    [Sides::in_play(service.client(), &remote(2)), Sides::in_play_at_the_table(service.client(), &cubes(2))]
}

/// Reads a match with its token, if that is not empty.
#[track_caller]
fn seen(played: &Match) -> Answer {
    let request = played.client.request("GET", &played.path(""));
    let request = if played.token.is_empty() { request } else { request.token(&played.token) };
    request.send()
}

/// The sides whose hands a token shows.
#[track_caller]
fn hands(played: &Match) -> Vec<String> {
    let view = seen(played).expect(200);
    view["own"].as_object().into_iter().flatten().map(|(side, _)| side.clone()).collect()
}

fn nobody(played: &Match) -> Match {
    Match { token: String::new(), ..played.clone() }
}

on_both_stores!(a_hand_is_for_its_own_sides_eyes, |service| {
    for sides in in_play(service) {
        let Sides { scorer, home, away } = &sides;
        let is_remote = scorer.view()["remote"] == true;
        let both = if is_remote { vec![] } else { vec!["away".to_owned(), "home".to_owned()] };
        assert_eq!(hands(&nobody(scorer)), [""; 0]);
        assert_eq!(hands(&home.seat), ["home"]);
        assert_eq!(hands(&away.seat), ["away"]);
        assert_eq!(hands(scorer), both);
        for captain in sides.captains() {
            let own = captain.own();
            assert_eq!(own["choice"], Value::Null);
            let dealt = own["hand"].as_array().expect("a hand");
            assert_eq!(dealt.len(), 6);
            // The default bag: cube k shows (k + 3c) mod 10 in colour c; home has 0 and away 1.
            let colour = if captain.side == "home" { 0 } else { 1 };
            for cube in dealt {
                let k = cube["cube"].as_u64().expect("a cube has a number");
                let number = (k + 3 * colour) % 10;
                let title = number.to_string();
                assert_eq!(*cube, json!({"cube": k, "number": number, "value": k, "title": title}));
            }
        }
        assert!(home.hand().iter().all(|cube| !away.hand().contains(cube)));
    }
});

on_both_stores!(a_choice_is_for_its_own_sides_eyes_until_both_are_turned_up, |service| {
    for sides in in_play(service) {
        let Sides { home, away, .. } = &sides;
        let mut order = home.hand();
        order.reverse();
        home.chooses(&order);
        assert_eq!(home.own()["choice"]["order"], json!(order));
        let row = json!(order).to_string();
        for eyes in [&away.seat, &nobody(&away.seat)] {
            assert!(!seen(eyes).text().contains(&row), "{}", seen(eyes).text());
        }
        assert_eq!(away.own()["choice"], Value::Null);
        away.chooses(&away.hand());
        sides.captains().into_iter().for_each(|captain| assert_eq!(captain.own(), Value::Null));
        sides.bowl_over();
        assert_eq!(home.own()["choice"], Value::Null, "the next over's is not chosen");
    }
});

on_own_stores!(the_service_does_not_know_a_choice_that_a_side_has_sealed, |deployment| {
    let [sides, _] = in_play(deployment);
    let sealed = sides.home.seals_order(&sides.home.hand());
    sides.home.post("/choices", &sealed.seal_body()).expect(201);
    assert_eq!(sides.home.own()["choice"], Value::Null);
    assert_eq!(deployment.database().rows(third_umpire_test_support::service::SECRETS)["openings"], [""; 0]);
    sides.home.post("/choices", &sealed.opening_body()).expect(201);
    assert_eq!(sides.home.own()["choice"], sealed.choice);
});

on_both_stores!(before_the_orders_are_due_there_is_nothing_to_see, |service| {
    let sides = Sides::create(service.client(), &remote(1));
    let nothing = || sides.captains().into_iter().for_each(|captain| assert_eq!(captain.own(), Value::Null));
    nothing();
    let [winner, _] = sides.add_seeds().toss();
    nothing();
    winner.post("/toss/decision", &json!({"to": "bat"})).expect(201);
    sides.choose_as_dealt();
    nothing();
    sides.scorer.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    nothing();
});

on_both_stores!(an_answer_to_a_token_has_a_tag_of_its_own, |service| {
    for sides in in_play(service) {
        let Sides { scorer, home, away } = &sides;
        let eyes = [nobody(scorer), home.seat.clone(), away.seat.clone(), scorer.clone()];
        let tags: Vec<String> = eyes.iter().map(|eyes| seen(eyes).tag().to_owned()).collect();
        assert_eq!(tags[0], tag_of(&scorer.head().hash));
        for (at, eyes) in eyes.iter().enumerate() {
            for (of, tag) in tags.iter().enumerate() {
                assert!(at == of || tags[at] != *tag, "{at} and {of} have the same tag");
                let request = eyes.client.request("GET", &eyes.path(""));
                let request = if eyes.token.is_empty() { request } else { request.token(&eyes.token) };
                let answer = request.header("If-None-Match", &format!("\"{tag}\"")).send();
                assert_eq!(answer.status, if at == of { 304 } else { 200 }, "{at} has what {of} has seen");
                assert_eq!(answer.header("vary"), "Authorization, Accept-Encoding");
            }
        }
        // The entity tag that a side sees also names the head it was seen on.
        let request = home.choosing(&home.hand()).if_match(&tags[1]);
        request.send().expect(201);
        let stale = service.untouched_by(away.choosing(&away.hand()).if_match(&tags[2]));
        stale.refused(412, "stale-head");
    }
});

on_both_stores!(a_token_that_is_none_of_this_match_sees_nothing, |service| {
    let [sides, other] = in_play(service);
    let refused = |token: &str| {
        let with = Match { token: token.to_owned(), ..sides.scorer.clone() };
        seen(&with).refused(403, "token-refused").at("header.Authorization");
    };
    refused(&other.home.seat.token);
    refused(&format!("tu_{}", sha256("made up")));
    let request = sides.scorer.client.request("GET", &sides.scorer.path(""));
    // Basic credentials are for a proxy, and not for the service.
    let seen = request.header("Authorization", "Basic aG9tZTpob21l").send().expect(200);
    assert_eq!(seen["own"], Value::Null);
    let [home, _]: [&Captain; 2] = sides.captains();
    home.sees().expect(200);
});

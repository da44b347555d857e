//! What makes tokens survives a lost answer: a creation, a claim, a way back and a rotation by the table's
//! key come to one match and one token that works, whatever becomes of their first answer.

use serde_json::json;
use third_umpire_test_support::service::{Match, table};

use crate::liar::{Fate, LIES, Trace};
use crate::phone::Model;
use crate::plans::phone;
use crate::plans::scene::{KEY, Scene};
use crate::plans::seen::Seen;

/// A request to replace a token.
const ROTATES: &str = "POST tokens/scorer/rotate";
/// The phones by their names of the service.
const FIRST: usize = 0;
const SECOND: usize = 1;

/// One match, and one token of it that works: that of the phone which is looked at.
fn one_token_works(scene: &mut Scene) {
    let matches = scene.service.client().get("/v1/matches").expect(200);
    assert_eq!(matches["matches"].as_array().map(Vec::len), Some(1), "{matches}");
    let seen = scene.waits_for("the pad asks", Seen::may_score);
    let holder = scene.holder();
    assert_eq!(seen.scorer(), Some(holder.as_str()), "the phone that scores has the token");
}

/// No secret stands in a line of a request, or in what the service tells. The tabs are closed.
fn ends(mut scene: Scene, first: &thirtyfour::prelude::WindowHandle) {
    scene.ends(first);
    let (lines, told) = (scene.liar.lines().join("\n"), scene.service.tells_all());
    for secret in &scene.secrets {
        assert!(!lines.contains(secret) && !told.contains(secret), "a secret was told");
    }
}

/// Makes a match, which the first phone scores by its link. Returns the token.
fn scores(scene: &mut Scene) -> String {
    let token = scene.creates(&table(2));
    Match { token: token.clone(), ..scene.played() }.begin();
    scene.turns_to(FIRST);
    let path = scene.pad_path();
    scene.opens(&format!("{path}#scorer={token}"));
    token
}

#[test]
fn a_creation_whose_answer_is_lost_makes_one_match_with_one_token() {
    let Some(phone) = phone(Model::PHONE) else { return };
    let first = phone.tab();
    for fate in LIES {
        println!("{fate:?}");
        let mut scene = Scene::set(&phone, 1, &Trace::default());
        scene.turns_to(FIRST);
        scene.opens(&format!("/#key={KEY}"));
        scene.opens("/new?game=howzat");
        scene.waits_for("the form is there", |seen| seen.offers("start"));
        scene.sets_clock();
        scene.liar.fates_next("POST /v1/matches", fate);
        // A request that comes late comes behind its repeat.
        let late = |scene: &Scene| (0..3).for_each(|_| scene.liar.deed());
        let is_open = |seen: &Seen| seen.address.ends_with("/score");
        assert!(scene.insists("[data-action='start']", is_open), "the pad opens");
        late(&scene);
        let path = scene.looks().address;
        scene.id = path.split('/').nth(4).expect("an id").to_owned();
        scene.waits_for("the toss is asked for", |seen| seen.is_settled && !seen.actions.is_empty());
        let matches = scene.service.client().get("/v1/matches").expect(200);
        assert_eq!(matches["matches"].as_array().map(Vec::len), Some(1), "{matches}");
        let holder = scene.holder();
        let begun = Match { token: holder, ..scene.played() };
        begun.begin();
        one_token_works(&mut scene);
        ends(scene, &first);
    }
}

#[test]
fn a_page_that_is_loaded_anew_scores_the_match_whose_making_it_did_not_hear_of() {
    let Some(phone) = phone(Model::PHONE) else { return };
    let first = phone.tab();
    let mut scene = Scene::set(&phone, 1, &Trace::default());
    scene.turns_to(FIRST);
    scene.opens(&format!("/#key={KEY}"));
    scene.opens("/new?game=howzat");
    scene.waits_for("the form is there", |seen| seen.offers("start"));
    scene.sets_clock();
    scene.liar.fates_next("POST /v1/matches", Fate::Lost);
    let seen = scene.acts(Some("[data-action='start']"), 0).now;
    assert!(seen.address.ends_with("/new?game=howzat"), "it is not known whether there is a match");
    let matches = scene.service.client().get("/v1/matches").expect(200);
    scene.id = matches["matches"][0]["id"].as_str().expect("there is one").to_owned();
    let holder = scene.holder();
    Match { token: holder, ..scene.played() }.begin();
    let path = scene.pad_path();
    scene.opens(&path);
    one_token_works(&mut scene);
    ends(scene, &first);
}

#[test]
fn a_hand_over_whose_answers_are_lost_leaves_one_token_that_works() {
    let Some(phone) = phone(Model::PHONE) else { return };
    let first = phone.tab();
    for fate in LIES {
        println!("{fate:?}");
        let mut scene = Scene::set(&phone, 1, &Trace::default());
        let token = scores(&mut scene);
        one_token_works(&mut scene);
        let link = scene.gives(Some(fate)).expect("a code");
        assert_eq!(scene.holder(), token, "a code replaces nothing");
        assert!(
            scene.claims(&link, SECOND, Some(fate)),
            "the second phone scores: {}",
            scene.looks().words()
        );
        one_token_works(&mut scene);
        scene.turns_to(FIRST);
        assert!(scene.takes("back", ROTATES, Some(fate)), "the way back: {}", scene.looks().words());
        one_token_works(&mut scene);
        // The second phone gets the key of the table, with which it takes the scoring.
        scene.turns_to(SECOND);
        scene.opens(&format!("/#key={KEY}"));
        let path = scene.pad_path();
        scene.opens(&path);
        assert!(scene.takes("table", ROTATES, Some(fate)), "by the key: {}", scene.looks().words());
        one_token_works(&mut scene);
        let played = scene.played();
        let rotations = played.events().iter().filter(|event| event["kind"] == "token_rotated").count();
        assert_eq!(rotations, 3, "each was carried out once");
        let holder = scene.holder();
        Match { token: holder, ..played }.post("/balls", &json!({"dice": [2, 4]})).expect(201);
        ends(scene, &first);
    }
}

#[test]
fn a_phone_whose_token_comes_back_with_the_store_scores_on() {
    let Some(phone) = phone(Model::PHONE) else { return };
    let first = phone.tab();
    let mut scene = Scene::set(&phone, 1, &Trace::default());
    let token = scores(&mut scene);
    let link = scene.gives(None).expect("a code");
    scene.falls();
    scene.service.copies_store();
    scene.rises();
    assert!(scene.claims(&link, SECOND, None), "the second phone scores");
    scene.turns_to(FIRST);
    scene.waits_for("the first phone is told", |seen| seen.offers("back"));
    scene.falls();
    scene.service.puts_store_back();
    scene.rises();
    one_token_works(&mut scene);
    assert_eq!(scene.holder(), token, "it is the token of before");
    ends(scene, &first);
}

#[test]
fn a_phone_with_a_token_of_before_takes_over_by_a_code() {
    let Some(phone) = phone(Model::PHONE) else { return };
    let first = phone.tab();
    let mut scene = Scene::set(&phone, 1, &Trace::default());
    scores(&mut scene);
    let link = scene.gives(None).expect("a code");
    assert!(scene.claims(&link, SECOND, None), "the second phone scores");
    // It does not see that the first one takes the way back.
    scene.changes_tab();
    scene.turns_to(FIRST);
    assert!(scene.takes("back", ROTATES, None), "the way back");
    let link = scene.gives(None).expect("another code");
    assert!(scene.claims(&link, SECOND, None), "the second phone scores again: {}", scene.looks().words());
    one_token_works(&mut scene);
    // Its own code offers it nothing.
    scene.turns_to(FIRST);
    assert!(scene.takes("back", ROTATES, None), "the way back");
    let link = scene.gives(None).expect("a third code");
    assert!(!scene.claims(&link, FIRST, None), "it scores already");
    one_token_works(&mut scene);
    let link = scene.gives(None).expect("a fourth code");
    assert!(scene.claims(&link, SECOND, None), "the second phone scores");
    scene.turns_to(FIRST);
    assert!(scene.takes("back", ROTATES, None), "the way back is offered, and not the code of its own");
    ends(scene, &first);
}

//! `GET /v1/matches/{id}/luck`: how the dice of a match fell.

use serde_json::{Value, json};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Cup, Match, Service, at_once, seeded, table, with};

use super::deliveries::refuses_wrong_parameters;
use super::disputes::{agree, five_balls};

#[track_caller]
fn luck(played: &Match) -> Value {
    played.get("/luck").expect(200)
}

fn number(value: &Value, pointer: &str) -> f64 {
    value.pointer(pointer).and_then(Value::as_f64).unwrap_or_else(|| panic!("{pointer} of {value}"))
}

/// The home side's share of the match: its chance to win, and half of the chance of a tie.
#[track_caller]
fn share(chances: &Value) -> f64 {
    let [home, away, tie] = ["/home", "/away", "/tie"].map(|result| number(chances, result));
    assert!((home + away + tie - 1.0).abs() < 1e-9, "{chances}");
    assert!([home, away, tie].iter().all(|chance| (0.0..=1.0).contains(chance)), "{chances}");
    home + tie / 2.0
}

/// Follows the chances from the start through every die, and returns the home side's share at the end, with
/// the sums of the swings of the dice of each side, batting and bowling.
#[track_caller]
fn follow(luck: &Value) -> (f64, [[f64; 2]; 2]) {
    let mut at = share(&luck["start"]);
    let mut sums = [[0.0; 2]; 2];
    for delivery in luck["deliveries"].as_array().expect("deliveries") {
        assert!((share(&delivery["before"]) - at).abs() < 1e-8, "{delivery}");
        for die in delivery["dice"].as_array().expect("dice") {
            if delivery["agreed"] == true {
                assert_eq!((&die["before"], &die["after"]), (&Value::Null, &Value::Null));
                continue;
            }
            assert!((share(&die["before"]) - at).abs() < 1e-8, "{delivery}");
            let (is_home, after) = (die["by"] == "home", share(&die["after"]));
            let is_batting = ["strike", "fielder"].iter().any(|name| die["for"] == *name);
            let towards = if is_home { after - at } else { at - after };
            sums[usize::from(!is_home)][usize::from(!is_batting)] += towards;
            at = after;
        }
        if delivery["agreed"] == true {
            at = share(&delivery["after"]);
        }
        assert!((share(&delivery["after"]) - at).abs() < 1e-8, "{delivery}");
    }
    (at, sums)
}

/// A match with seeded dice that is played to its end.
fn finished(service: &Service, overs: u32) -> Match {
    let played = service.create(&seeded(overs));
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    played
}

on_both_stores!(the_swings_of_a_match_lead_from_its_start_to_its_result, |service| {
    let played = finished(service, 5);
    let (view, luck) = (played.view(), luck(&played));
    assert_eq!((&luck["exact"], &luck["next_after"]), (&json!(true), &Value::Null));
    let (end, sums) = follow(&luck);
    let winner = &view["result"]["winner"];
    let due = if *winner == "home" { 1.0 } else { f64::from(u8::from(winner.is_null())) / 2.0 };
    assert!((end - due).abs() < 1e-8, "{end} of {}", view["result"]);
    for (side, sums) in ["home", "away"].iter().zip(sums) {
        for (dice, sum) in ["batting", "bowling"].iter().zip(sums) {
            let told = &luck["by_thrower"][side][dice];
            assert!((number(told, "/sum") - sum).abs() < 1e-7, "{side} {dice}: {told} is not {sum}");
            assert!((0.0..=1.0).contains(&number(told, "/more_than")));
        }
        let faces = luck["faces"][side].as_array().expect("faces");
        assert_eq!(faces.len(), 6);
        for face in faces {
            assert!(number(face, "/low") < number(face, "/high"), "{face}");
        }
    }
    let rows = luck["deliveries"].as_array().expect("deliveries");
    let thrown: usize = rows.iter().map(|row| row["dice"].as_array().map_or(0, Vec::len)).sum();
    let faces = ["home", "away"].iter().flat_map(|side| luck["faces"][side].as_array().expect("faces"));
    assert_eq!(faces.map(|face| number(face, "/seen")).sum::<f64>(), thrown as f64);
    assert!((0.0..=1.0).contains(&number(&luck, "/faces/p")));
    let largest = rows.iter().flat_map(|row| row["dice"].as_array().expect("dice").iter()).map(|die| {
        let swing = share(&die["after"]) - share(&die["before"]);
        if *winner == "home" { swing } else { -swing }
    });
    let largest = largest.fold(0.0, f64::max);
    match &luck["turn"] {
        Value::Null => assert!(largest < 0.1, "a throw turned the match by {largest}"),
        turn => {
            assert!((number(turn, "/swing") - largest).abs() < 1e-8 && largest >= 0.1, "{turn}");
            let row = &rows[turn["delivery"].as_u64().expect("a number") as usize - 1];
            let die = &row["dice"][turn["die"].as_u64().expect("a place") as usize];
            let swing = share(&die["after"]) - share(&die["before"]);
            assert!((swing.abs() - largest).abs() < 1e-8, "{turn} is not {die}");
            let thrown = json!({"for": die["for"], "sides": 6, "value": die["value"]});
            assert_eq!((&turn["place"], &turn["thrown"]), (&row["place"], &thrown));
            let batted =
                &view["score"]["innings"][row["place"]["innings"].as_u64().expect("an innings") as usize - 1];
            assert_eq!(turn["batting"], batted["batting"]);
        }
    }
});

on_both_stores!(before_the_first_ball_both_sides_have_equal_chances, |service| {
    let played = service.create(&table(2));
    let before = luck(&played);
    assert_eq!((&before["deliveries"], &before["turn"]), (&json!([]), &Value::Null));
    assert_eq!(before["start"]["home"], before["start"]["away"]);
    assert_eq!(before["by_thrower"]["home"]["batting"], json!({"sum": 0.0, "more_than": null}));
    assert_eq!(before["faces"]["p"], Value::Null);
    let abandoned = service.create(&table(2));
    abandoned.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    assert_eq!(luck(&abandoned)["start"], before["start"]);
    played.begin();
    let decided = luck(&played);
    // Both sides roll the same dice, so the order of batting gives neither a better chance.
    assert_eq!((&decided["deliveries"], &decided["start"]), (&json!([]), &before["start"]));
});

on_both_stores!(a_match_in_play_is_told_up_to_its_last_ball_as_it_was_told_then, |service| {
    let played = service.create(&table(1));
    let mut told = vec![(1, played.get("/luck").text().to_owned())];
    played.begin();
    let mut cup = Cup::new(11);
    while played.view()["status"] != "completed" {
        let now = luck(&played);
        assert_eq!((&now["turn"], &now["faces"]["p"]), (&Value::Null, &Value::Null), "it is in play");
        assert_eq!(now["by_thrower"]["away"]["bowling"]["more_than"], Value::Null);
        follow(&now);
        told.push((played.head().seq, played.get("/luck").text().to_owned()));
        played.throw(&mut cup);
    }
    for (at, then) in &told {
        assert_eq!(played.get(&format!("/luck?at={at}")).has_status(200).text(), then, "at event {at}");
    }
    assert_ne!(luck(&played)["faces"]["p"], Value::Null);
});

on_both_stores!(an_abandoned_match_is_led_to_its_last_chances_and_has_no_turn, |service| {
    let played = five_balls(service);
    let in_play = luck(&played);
    played.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    let abandoned = luck(&played);
    assert_eq!(abandoned["deliveries"], in_play["deliveries"]);
    assert_eq!(follow(&abandoned).0, share(&abandoned["deliveries"][4]["after"]));
    assert_eq!((&abandoned["turn"], &abandoned["faces"]["p"]), (&Value::Null, &Value::Null));
});

on_both_stores!(an_agreed_ball_moves_the_chances_and_its_dice_do_not, |service| {
    let played = five_balls(service);
    let before = luck(&played);
    agree(&played, 3);
    let after = luck(&played);
    let agreed = |luck: &Value| -> Vec<bool> {
        let rows = luck["deliveries"].as_array().expect("deliveries");
        rows.iter().map(|row| row["agreed"] == true).collect()
    };
    assert!(agreed(&before).iter().all(|agreed| !agreed));
    assert_eq!(agreed(&after).iter().position(|agreed| *agreed), Some(2));
    assert_ne!(after["deliveries"][2]["before"], after["deliveries"][2]["after"]);
    follow(&after);
    assert_eq!(after["by_thrower"]["home"]["bowling"]["sum"], before["by_thrower"]["home"]["bowling"]["sum"]);
});

on_both_stores!(a_ball_of_every_kind_is_led_through_its_dice, |service| {
    let played = service.create(&table(3));
    played.begin();
    for dice in [&[1, 2][..], &[1, 1, 6], &[1, 3, 4], &[1, 4, 6], &[3, 5, 3, 4, 5], &[3, 5, 6, 6, 1], &[6, 5]]
    {
        played.bowl(dice);
    }
    let luck = luck(&played);
    follow(&luck);
    let names: Vec<&str> = luck["deliveries"][4]["dice"]
        .as_array()
        .expect("dice")
        .iter()
        .map(|die| die["for"].as_str().expect("a name"))
        .collect();
    assert_eq!(names, ["bowl", "strike", "fielder", "fielder", "catch"]);
    let swing = |delivery: usize, die: usize| {
        let die = &luck["deliveries"][delivery]["dice"][die];
        share(&die["after"]) - share(&die["before"])
    };
    assert_eq!([swing(4, 2), swing(4, 3)], [0.0, 0.0], "who is under a catch changes nothing");
    let batting_is_home = luck["deliveries"][4]["dice"][1]["by"] == "home";
    let held = if batting_is_home { -swing(4, 4) } else { swing(4, 4) };
    assert!(held > 0.0, "a catch helps those who hold it");
});

on_both_stores!(a_match_that_choices_decide_has_no_luck, |service| {
    let nobody = || json!([]);
    let cubes = with(with(seeded(2), "/game", json!("cuberoots")), "/rules", json!({}));
    let cubes = with(with(cubes, "/home/players", nobody()), "/away/players", nobody());
    let board = with(with(seeded(2), "/game", json!("cricket-the-game")), "/rules", json!({}));
    let board = with(board, "/home/players", json!({"team": "Harbour Terns"}));
    let board = with(board, "/away/players", json!({"team": "Copperfield Larks"}));
    let reviewed = with(table(2), "/rules/drs", json!("house"));
    for request in [cubes, board, reviewed] {
        let played = service.create(&request);
        for rest in ["/luck", "/luck?at=1"] {
            played.get(rest).refused(404, "no-luck");
        }
    }
});

on_both_stores!(a_parameter_that_is_wrong_is_refused_by_its_name, |service| {
    let played = five_balls(service);
    refuses_wrong_parameters(&played, "/luck");
    let whole = luck(&played);
    let page = played.get("/luck?after=3&limit=1").expect(200);
    assert_eq!((&page["deliveries"][0], &page["next_after"]), (&whole["deliveries"][3], &json!(4)));
    let beyond = played.get("/luck?after=100000").expect(200);
    assert_eq!((&beyond["deliveries"], &beyond["next_after"]), (&json!([]), &Value::Null));
    assert_eq!((&beyond["by_thrower"], &beyond["start"]), (&whole["by_thrower"], &whole["start"]));
});

on_both_stores!(thirty_sets_of_options_at_once_are_answered_or_told_to_come_again, |service| {
    let options = |overs: u32| ["as_written", "never"].map(|sixes| (overs, sixes));
    let matches: Vec<Match> = (1..=15)
        .flat_map(options)
        .map(|(overs, sixes)| {
            let request = with(table(overs), "/rules/sixes_off_extras", json!(sixes));
            service.create(&request)
        })
        .collect();
    let request = |played: &Match| played.client.request("GET", &played.path("/luck"));
    let answers = at_once(matches.iter().map(request).collect());
    let answered = answers.iter().filter(|answer| answer.status == 200).count();
    assert!(answered >= 1, "nobody was answered");
    for answer in answers.into_iter().filter(|answer| answer.status != 200) {
        assert_eq!(answer.header("Retry-After"), "1");
        answer.refused(503, "luck-full");
    }
    // Whoever comes again is answered.
    luck(&matches[0]);
});

on_both_stores!(a_match_of_fifty_overs_has_its_luck_told, |service| {
    let played = service.create(&table(50));
    played.begin().bowl(&[2, 6]);
    let luck = luck(&played);
    let (end, _) = follow(&luck);
    let by_home = luck["deliveries"][0]["dice"][1]["by"] == "home";
    let gained = if by_home { end - share(&luck["start"]) } else { share(&luck["start"]) - end };
    assert!(gained > 0.0 && gained < 0.1, "a six at the start gains {gained}");
});

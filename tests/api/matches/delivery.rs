//! `GET /v1/matches/{id}/deliveries/{n}`: one delivery in full.

use serde_json::{Value, json};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Cup, Match, Sides, cubes, remote, seeded, table, with};

use super::disputes::{agree, amend, dispute, five_balls, undo};

#[track_caller]
fn told(played: &Match, delivery: u32) -> Value {
    played.get(&format!("/deliveries/{delivery}")).expect(200)
}

/// Members of an object, as a list.
fn members(told: &Value, names: &[&str]) -> Value {
    names.iter().map(|name| told[*name].clone()).collect()
}

/// The rulings of a delivery, each as the end of its id, and its rolls: the faces and the text.
fn rulings(told: &Value) -> Value {
    let roll = |roll: &Value| {
        let faces: Value =
            roll["dice"].as_array().expect("dice").iter().map(|die| die["value"].clone()).collect();
        json!([faces, roll["text"]])
    };
    let rolls =
        |ruling: &Value| -> Value { ruling["rolls"].as_array().expect("rolls").iter().map(roll).collect() };
    let of = |ruling: &Value| json!([ruling["id"], rolls(ruling)]);
    told["rulings"].as_array().expect("rulings").iter().map(of).collect()
}

fn earlier(told: &Value) -> Vec<Value> {
    told["earlier"].as_array().expect("a list").clone()
}

on_both_stores!(a_catch_is_told_with_the_dice_that_picked_its_fielder, |service| {
    let played = service.create(&table(1));
    played.begin().bowl(&[2, 4]);
    played.bowl(&[3, 5, 4, 2, 5]);
    played.bowl(&[1, 2]);
    let caught = told(&played, 2);
    let due = json!([
        ["howzat.bowl.legal", [[[3], "a legal ball"]]],
        ["howzat.appeal", [[[5], "in the air"]]],
        ["howzat.appeal.catch", [[[5], "in the air"]]],
        ["howzat.catch.held", [[[4, 2], "4 and 2 make 6: Quaife"], [[5], "OUT, caught"]]],
    ]);
    assert_eq!(rulings(&caught), due);
    let texts = caught["rulings"].as_array().expect("rulings").iter();
    assert!(
        texts.clone().all(|one| one["text"].as_str().is_some_and(|text| text.ends_with('.'))),
        "{caught}"
    );
    let rows = played.get("/deliveries").expect(200);
    assert_eq!(caught["now"], rows["deliveries"][1]);
    let head = played.head();
    assert_eq!(caught["head"], json!({"seq": head.seq, "hash": head.hash}));
    assert_eq!(members(&caught, &["match", "delivery", "dice_from"]), json!([played.id, 2, "table"]));
    assert_eq!(caught["place"], json!({"innings": 1, "over": 1, "ball": 2, "text": "0.2"}));
    let text = caught["text"].as_str().expect("a text");
    assert!(text.starts_with("Verity to Abel: OUT! Abel c Quaife b Verity"), "{text}");
    let score = |runs, wickets, overs| json!({"number": 1, "batting": "home", "runs": runs, "wickets": wickets, "overs": overs});
    let before = json!({"score": score(4, 0, "0.1"), "striker": "Abel", "non_striker": "Brook"});
    let after = json!({"score": score(4, 1, "0.2"), "striker": null, "non_striker": "Brook"});
    assert_eq!(members(&caught, &["before", "after"]), json!([before, after]));
    assert_eq!(members(&caught, &["earlier", "disputes", "previous", "next"]), json!([[], [], 1, 3]));
    for none in ["draw", "as_stood", "review", "earlier_total", "disputes_total"] {
        assert_eq!(caught.get(none), None, "{none}");
    }
    let wide = told(&played, 3);
    assert_eq!(wide["choices"], json!({"next_batter": "Crane"}));
    assert_eq!(wide["before"]["striker"], "Crane", "who comes in with the ball is at the wicket");
    let due =
        json!([["howzat.bowl.extra", [[[1], "perhaps an extra"]]], ["howzat.extra.wide", [[[2], "wide"]]]]);
    assert_eq!(rulings(&wide), due);
    assert_eq!(members(&wide, &["previous", "next", "next_wicket"]), json!([2, null, null]));
    assert_eq!(members(&told(&played, 1), &["previous", "next", "next_wicket"]), json!([null, 2, 2]));
});

on_both_stores!(a_delivery_has_each_ball_that_was_bowled_as_it_with_the_correction, |service| {
    let played = five_balls(service);
    amend(&played, 3, &[2, 5]);
    let first = played.events().iter().rfind(|event| event["kind"] == "correction").expect("one").clone();
    amend(&played, 3, &[6, 5]);
    let third = told(&played, 3);
    assert_eq!(third["now"]["wicket"]["kind"], "run out");
    let versions = earlier(&third);
    let due = json!([["W", "Abel", [2, 5], 2], ["6", "Abel", [2, 6], 1]]);
    let faces = |ball: &Value| -> Value {
        ball["dice"].as_array().expect("dice").iter().map(|die| die["value"].clone()).collect()
    };
    let seen: Value = versions
        .iter()
        .map(|ball| json!([ball["cell"], ball["batter"], faces(ball), ball["correction"]["number"]]))
        .collect();
    assert_eq!((seen, &third["earlier_total"]), (due, &json!(2)));
    let correction = json!({
        "number": 1, "seq": first["seq"], "at": first["at"], "actor": "scorer", "reason": "it was misread",
    });
    assert_eq!(versions[1]["correction"], correction);
    assert_eq!(versions[1]["place"], json!({"innings": 1, "over": 1, "ball": 3, "text": "0.3"}));
    assert_eq!(versions[0]["wicket"]["kind"], "bowled");
    // The ball before it was never touched, and the one after it has another batter since the first of them.
    assert_eq!(earlier(&told(&played, 2)), [] as [Value; 0]);
    let fourth = told(&played, 4);
    let batters: Vec<Value> = earlier(&fourth).iter().map(|ball| ball["batter"].clone()).collect();
    assert_eq!((batters, &fourth["now"]["batter"]), (vec![json!("Abel")], &json!("Crane")));
    amend(&played, 5, &[2, 4]);
    assert_eq!(earlier(&told(&played, 3)).len(), 2);
    dispute(&played, 3);
    dispute(&played, 3);
    let disputed = told(&played, 3);
    assert_eq!(members(&disputed, &["disputes", "disputes_total"]), json!([[1, 2], 2]));
});

on_both_stores!(a_ball_that_a_correction_brings_again_as_it_was_is_told_once, |service| {
    let played = five_balls(service);
    for _ in 0..2 {
        amend(&played, 1, &[2, 6]);
        amend(&played, 1, &[2, 4]);
    }
    let fifth = told(&played, 5);
    assert_eq!(
        members(&fifth, &["earlier", "earlier_total"]),
        json!([[], null]),
        "it was the same each time"
    );
    undo(&played, 5);
    let void = told(&played, 5);
    assert_eq!((&void["now"], earlier(&void).len()), (&Value::Null, 1));
    assert_eq!(earlier(&void)[0]["correction"]["number"], 5);
    let cells: Vec<Value> = earlier(&told(&played, 1)).iter().map(|ball| ball["cell"].clone()).collect();
    assert_eq!(cells, ["6", "4", "6", "4"]);
});

on_both_stores!(a_void_delivery_is_found_and_has_nothing_that_stands, |service| {
    let played = five_balls(service);
    undo(&played, 4);
    let void = told(&played, 5);
    let nothing = ["now", "text", "before", "after", "next", "next_wicket"];
    assert_eq!(members(&void, &nothing), json!([null, null, null, null, null, null]));
    assert_eq!(members(&void, &["rulings", "choices", "previous"]), json!([[], {}, 3]));
    assert_eq!(void["place"]["text"], "0.5");
    assert_eq!(earlier(&void)[0]["correction"]["reason"], "it was bowled by mistake");
    played.bowl(&[2, 2]);
    let again = told(&played, 4);
    assert_eq!((&again["now"]["cell"], &earlier(&again)[0]["cell"]), (&json!("2"), &json!("1")));
    assert_eq!(told(&played, 5)["previous"], 4);
    played.bowl(&[2, 3]);
    let same = told(&played, 5);
    assert_eq!(same["now"]["cell"], "•");
});

on_both_stores!(a_review_of_a_delivery_is_told_with_its_die, |service| {
    let played = service.create(&with(table(5), "/rules/drs", json!("house")));
    played.begin().bowl(&[2, 4]);
    played.bowl(&[5, 5]);
    let given_out = told(&played, 2);
    assert_eq!(given_out["after"]["score"]["wickets"], 1);
    played.post("/reviews", &json!({"by": "home", "dice": [6]})).expect(201);
    let reviewed = told(&played, 2);
    let due = json!([
        ["howzat.bowl.legal", [[[5], "a legal ball"]]],
        ["howzat.appeal", [[[5], "OUT, lbw"]]],
        ["howzat.appeal.lbw", [[[5], "OUT, lbw"]]],
        ["howzat.review.upheld", [[[6], "upheld"]]],
    ]);
    assert_eq!(rulings(&reviewed), due);
    assert_eq!((&reviewed["now"]["cell"], &reviewed["after"]["score"]["wickets"]), (&json!("•"), &json!(0)));
    assert_eq!(reviewed["review"]["verdict"], "upheld");
    assert_eq!(told(&played, 1)["next_wicket"], Value::Null, "the wicket was taken back");
    let seq = played.head().seq;
    played.post("/corrections", &json!({"voids_from_seq": seq, "reason": "the die was cocked"})).expect(201);
    assert_eq!(told(&played, 1)["next_wicket"], 2);
    let again = told(&played, 2);
    for member in ["now", "rulings", "earlier", "after", "text"] {
        assert_eq!(again[member], given_out[member], "{member}");
    }
    amend(&played, 2, &[2, 1]);
    assert_eq!(earlier(&told(&played, 2))[0]["cell"], "W");
});

on_both_stores!(an_agreed_outcome_is_told_with_what_the_rules_come_to, |service| {
    let played = five_balls(service);
    agree(&played, 4);
    let agreed = told(&played, 4);
    assert_eq!(agreed["as_stood"]["reason"], "we all took it for a five");
    assert_eq!(agreed["as_stood"]["by_rules"]["runs"]["total"], 1);
    let due = json!([
        ["as_stood", []],
        ["howzat.bowl.legal", [[[2], "a legal ball"]]],
        ["howzat.strike.1", [[[1], "1 run"]]],
    ]);
    assert_eq!((rulings(&agreed), &agreed["now"]["cell"]), (due, &json!("5")));
});

on_both_stores!(every_die_of_a_game_of_dice_leads_to_a_ruling, |service| {
    let played = service.create(&table(3));
    played.begin();
    let (mut cup, mut catches) = (Cup::new(3), 0);
    while played.view()["status"] != "completed" {
        played.throw(&mut cup);
    }
    let rows = played.get("/deliveries").expect(200)["deliveries"].as_array().expect("rows").clone();
    let wickets: Vec<u32> =
        (1..).zip(&rows).filter(|(_, row)| !row["wicket"].is_null()).map(|(n, _)| n).collect();
    for (number, row) in (1..).zip(&rows) {
        let told = told(&played, number);
        assert_eq!(told["now"], *row);
        let next = wickets.iter().find(|wicket| **wicket > number);
        assert_eq!(told["next_wicket"], json!(next), "after {number}");
        let mut dice: Vec<Value> = Vec::new();
        let mut last = Value::Null;
        for ruling in told["rulings"].as_array().expect("rulings") {
            if ruling["rolls"] != last {
                last = ruling["rolls"].clone();
                let rolls = last.as_array().expect("rolls");
                assert!(rolls.iter().all(|roll| roll["text"].is_string()), "{told}");
                dice.extend(rolls.iter().flat_map(|roll| roll["dice"].as_array().expect("dice").clone()));
            }
        }
        assert_eq!(json!(dice), row["dice"], "{told}");
        catches += usize::from(rulings(&told).to_string().contains(" make "));
    }
    assert!(catches > 0, "a ball was in the air");
    let total = |told: &Value| json!([told["score"]["runs"], told["score"]["wickets"]]);
    for number in 2..=rows.len() as u32 {
        let [before, after] = [told(&played, number - 1), told(&played, number)];
        if before["now"]["innings"] == after["now"]["innings"] {
            assert_eq!(total(&before["after"]), total(&after["before"]), "{number}");
        }
    }
    assert_eq!(
        told(&played, rows.len() as u32)["after"]["striker"],
        Value::Null,
        "nobody faces another ball"
    );
});

on_both_stores!(the_dice_of_a_seed_are_told_with_their_draw_and_nothing_of_the_next, |service| {
    let played = service.create(&seeded(5));
    played.begin();
    (0..6).for_each(|_| drop(played.ball()));
    let third = told(&played, 3);
    assert_eq!(members(&third, &["dice_from", "draw"]), json!(["seeded", {"domain": 4, "ordinal": 3}]));
    let rolled: usize = third["now"]["dice"].as_array().map_or(0, Vec::len);
    assert!(rulings(&third).as_array().is_some_and(|all| !all.is_empty() && rolled >= 2), "{third}");
    played.get("/deliveries/7").refused(404, "no-such-delivery");
    assert!(!third.to_string().contains("seed\":"), "{third}");
});

on_both_stores!(cubes_and_the_board_game_tell_their_deliveries_at_a_table_and_apart, |service| {
    let played = service.create(&cubes(2));
    played.post("/autoplay", &json!({"until": "innings"})).expect(201);
    let first = told(&played, 1);
    assert!(first["rulings"][0]["id"].as_str().is_some_and(|id| id.starts_with("cuberoots.")), "{first}");
    assert!(first["choices"]["bowler_number"].is_u64(), "{first}");
    let sides = Sides::in_play(service.client(), &remote(2));
    sides.choose_as_dealt();
    sides.bowl_over();
    let apart = told(&sides.scorer, 2);
    assert_eq!(apart["rulings"].as_array().map(Vec::len), Some(1), "{apart}");
    let teams = ["Harbour Terns", "Copperfield Larks"].map(|team| json!({"team": team}));
    let request =
        with(with(seeded(2), "/game", json!("cricket-the-game")), "/rules", json!({"format": "t10"}));
    let [home, away] = teams;
    let request = with(with(request, "/home/players", home), "/away/players", away);
    let board = service.create(&request);
    for _ in 0..4 {
        board.post("/autoplay", &json!({"until": "over"})).expect(201);
    }
    let rows = board.get("/deliveries").expect(200)["deliveries"].as_array().expect("rows").clone();
    let mut worded = 0;
    for (number, row) in (1..).zip(&rows) {
        let told = told(&board, number);
        assert_eq!(told["now"], *row);
        let rulings = told["rulings"].as_array().expect("rulings");
        let rolls = || rulings.iter().flat_map(|one| one["rolls"].as_array().expect("rolls"));
        let dice = row["dice"].as_array().expect("dice");
        assert!(dice.is_empty() || rolls().next().is_some(), "{told}");
        worded += rolls().filter(|roll| roll["text"].is_string()).count();
    }
    assert!(worded > rows.len(), "{worded} rolls in words");
});

on_both_stores!(a_delivery_that_was_never_bowled_is_not_found, |service| {
    let played = five_balls(service);
    for number in ["0", "6", "4294967295"] {
        let refused = played.get(&format!("/deliveries/{number}")).refused(404, "no-such-delivery");
        refused.at("path.n").says(&[number, "5 deliveries stand"]);
    }
    for number in ["x", "-1", "1.0", "0.1", "%20", "4294967296", "last"] {
        let refused = played.get(&format!("/deliveries/{number}")).refused(400, "invalid-parameter");
        refused.at("path.n");
    }
    undo(&played, 1);
    assert_eq!(told(&played, 1)["now"], Value::Null);
    played.get("/deliveries/6").refused(404, "no-such-delivery").says(&["0 deliveries stand"]);
    let new = service.create(&table(1));
    new.get("/deliveries/1").refused(404, "no-such-delivery").says(&["0 deliveries stand"]);
    let other = Match { id: "01a20082-5925-720e-a587-ebd95c5e0b8f".to_owned(), ..played.clone() };
    other.get("/deliveries/1").refused(404, "no-such-match");
    let answer = played.get("/deliveries/1");
    let again = played.client.request("GET", &played.path("/deliveries/1"));
    again.header("If-None-Match", &format!("\"{}\"", answer.tag())).send().has_status(304);
});

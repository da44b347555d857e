//! Matches that cannot be created. Each scenario has a database of its own, which must not have any match
//! afterwards.

use serde_json::{Value, json};
use third_umpire::games::BUILT_IN;
use third_umpire_test_support::on_own_stores;
use third_umpire_test_support::service::{AWAY, Deployment, HOME, Match, Refusal, seeded, table, with};

/// Requests a match that has to be refused, and then one that can be created.
#[track_caller]
fn refused(deployment: &Deployment, request: &Value) -> Refusal {
    let answer = deployment.untouched_by(deployment.client().request("POST", "/v1/matches").json(request));
    assert_eq!(deployment.client().get("/v1/matches").json()["matches"], json!([]));
    answer.refused(422, "illegal-input")
}

on_own_stores!(an_unknown_game_is_refused_with_the_list_of_games, |deployment| {
    let refused = refused(deployment, &with(table(1), "/game", json!("chess")));
    refused.at("body.game").says(&["chess"]).legal(json!(BUILT_IN.ids()));
    Match::create(deployment.client(), &table(1)).play_step();
});

on_own_stores!(a_side_has_eleven_players_not_ten_and_not_twelve, |deployment| {
    let twelve: Vec<&str> = HOME.into_iter().chain(["Wood"]).collect();
    for (players, count) in [(json!(HOME[..10]), "10"), (json!(twelve), "12"), (json!([]), "0")] {
        for side in ["home", "away"] {
            let request = with(table(1), &format!("/{side}/players"), players.clone());
            refused(deployment, &request).at(&format!("body.{side}.players")).says(&["11", count]);
        }
    }
    Match::create(deployment.client(), &table(1)).play_step();
});

on_own_stores!(no_two_players_of_a_side_have_the_same_name, |deployment| {
    let request = with(table(1), "/away/players/10", json!(AWAY[2]));
    refused(deployment, &request).at("body.away.players[10]").says(&[AWAY[2], "twice"]);
    // Two sides may share a player's name.
    deployment.create(&with(table(1), "/away/players/10", json!(HOME[2]))).play_step();
});

on_own_stores!(the_two_sides_have_different_names, |deployment| {
    let request = with(table(1), "/away/name", json!("Harbour Road"));
    refused(deployment, &request).at("body.away.name").says(&["different"]);
    Match::create(deployment.client(), &table(1)).play_step();
});

on_own_stores!(a_name_is_neither_empty_nor_endless, |deployment| {
    for name in [String::new(), "x".repeat(300), "ß".repeat(101)] {
        refused(deployment, &with(table(1), "/home/name", json!(name)))
            .at("body.home.name")
            .says(&["1 to 100"]);
        let request = with(table(1), "/away/players/3", json!(name));
        refused(deployment, &request).at("body.away.players[3]").says(&["1 to 100"]);
    }
    deployment.create(&with(table(1), "/home/name", json!("ß".repeat(100)))).play_step();
});

on_own_stores!(a_name_has_no_blanks_around_it_and_no_control_characters, |deployment| {
    for name in [" Ada", "Ada ", "   ", "A\nda", "A\tda", "A\u{0}da", "A\u{7f}da", "\u{85}Ada", "A\u{2028}da"]
    {
        let request = with(table(1), "/home/players/0", json!(name));
        refused(deployment, &request).at("body.home.players[0]").says(&["blank", "control"]);
    }
    Match::create(deployment.client(), &table(1)).play_step();
});

on_own_stores!(a_name_with_an_invisible_character_is_refused_by_its_place, |deployment| {
    for (sign, code) in
        [("\u{200e}", "U+200E"), ("\u{200b}", "U+200B"), ("\u{ad}", "U+00AD"), ("\u{200d}", "U+200D")]
    {
        let name = json!(format!("Smith {sign}Jones"));
        let player = refused(deployment, &with(table(1), "/away/players/2", name.clone()));
        player.at("body.away.players[2]").says(&["name 3 of the away side", "invisible", code]);
        let side = refused(deployment, &with(table(1), "/home/name", name));
        side.at("body.home.name").says(&["the name of the home side", "invisible", code]);
    }
    deployment.create(&with(table(1), "/away/players/2", json!("می\u{200c}خواهم"))).play_step();
});

on_own_stores!(names_that_are_equal_to_the_eye_are_one_name, |deployment| {
    for [one, other] in [["José", "Jose\u{301}"], ["می\u{200c}خواهم", "میخواهم"]] {
        let request = with(table(1), "/away/players/4", json!(one));
        let request = with(request, "/away/players/10", json!(other));
        refused(deployment, &request).at("body.away.players[10]").says(&["twice"]);
        let request = with(with(table(1), "/home/name", json!(one)), "/away/name", json!(other));
        refused(deployment, &request).at("body.away.name").says(&["the two sides"]);
    }
    Match::create(deployment.client(), &table(1)).play_step();
});

on_own_stores!(an_option_out_of_range_is_refused_naming_the_range, |deployment| {
    for (overs, max) in
        [(json!(0), 50), (json!(51), 50), (json!(-1), 50), (json!(2.5), 50), (json!("20"), 50)]
    {
        let request = with(table(1), "/rules/overs", overs);
        refused(deployment, &request).at("body.rules.overs").says(&["1 to", &max.to_string()]);
    }
    for max in [json!(0), json!(51), json!(null)] {
        let request = with(table(1), "/rules/max_overs_per_bowler", max);
        refused(deployment, &request).at("body.rules.max_overs_per_bowler").says(&["1 to 50"]);
    }
    let request = with(table(1), "/rules/sixes_off_extras", json!("always"));
    refused(deployment, &request).at("body.rules.sixes_off_extras").says(&["as_written", "never"]);
    refused(deployment, &with(table(1), "/rules/drs", json!("on")))
        .at("body.rules.drs")
        .says(&["off", "house"]);
    Match::create(deployment.client(), &table(1)).play_step();
});

on_own_stores!(bowlers_need_enough_overs_between_them, |deployment| {
    let request = with(table(20), "/rules/max_overs_per_bowler", json!(2));
    refused(deployment, &request).at("body.rules.max_overs_per_bowler").says(&["at least 3"]);
    deployment.create(&with(table(19), "/rules/max_overs_per_bowler", json!(2))).play_step();
});

on_own_stores!(an_unknown_option_is_refused_with_the_list_of_options, |deployment| {
    let request = with(table(1), "/rules/powerplay", json!(6));
    let known = ["overs", "max_overs_per_bowler", "sixes_off_extras", "drs"];
    refused(deployment, &request).at("body.rules.powerplay").says(&known);
    Match::create(deployment.client(), &table(1)).play_step();
});

on_own_stores!(an_unknown_member_is_refused_with_the_list_of_members, |deployment| {
    refused(deployment, &with(table(1), "/colour", json!("red")))
        .at("body.colour")
        .says(&["colour", "game", "dice"]);
    let of_side = refused(deployment, &with(table(1), "/home/colour", json!("red")));
    of_side.at("body.home.colour").says(&["name and players"]);
    Match::create(deployment.client(), &table(1)).play_step();
});

on_own_stores!(dice_are_seeded_or_from_the_table, |deployment| {
    for dice in [json!("loaded"), json!(null), json!(6), json!(["table"])] {
        refused(deployment, &with(table(1), "/dice", dice)).at("body.dice");
    }
    refused(deployment, &with(table(1), "/dice", json!("loaded"))).says(&["seeded", "table"]);
    Match::create(deployment.client(), &table(1)).play_step();
});

on_own_stores!(a_seed_is_64_hexadecimal_digits_and_is_not_repeated, |deployment| {
    for seed in
        ["", "abcd", &"a".repeat(63), &"a".repeat(65), &"g".repeat(64), &format!("0x{}", "a".repeat(62))]
    {
        let refusal =
            refused(deployment, &with(seeded(1), "/seed", json!(seed))).at("body.seed").says(&["64"]);
        assert!(seed.len() < 60 || !refusal.problem.to_string().contains(seed), "a seed is a secret");
    }
    deployment.create(&with(seeded(1), "/seed", json!("a".repeat(64)))).play_step();
});

on_own_stores!(table_dice_have_no_seed, |deployment| {
    refused(deployment, &with(table(1), "/seed", json!("ab".repeat(32)))).at("body.seed").says(&["table"]);
    Match::create(deployment.client(), &table(1)).play_step();
});

on_own_stores!(there_are_no_editions_yet, |deployment| {
    refused(deployment, &with(table(1), "/edition", json!("deluxe"))).at("body.edition");
    Match::create(deployment.client(), &table(1)).play_step();
});

on_own_stores!(a_missing_member_is_located, |deployment| {
    for name in ["game", "home", "away", "dice"] {
        let mut request = table(1);
        request.as_object_mut().expect("an object").remove(name);
        let answer =
            deployment.untouched_by(deployment.client().request("POST", "/v1/matches").json(&request));
        answer.refused(422, "needs-input").at(&format!("body.{name}")).says(&[name]);
    }
    let mut nameless = table(1);
    nameless["away"].as_object_mut().expect("an object").remove("name");
    let answer = deployment.untouched_by(deployment.client().request("POST", "/v1/matches").json(&nameless));
    answer.refused(422, "needs-input").at("body.away.name").says(&["name"]);
    Match::create(deployment.client(), &table(1)).play_step();
});

on_own_stores!(players_are_names, |deployment| {
    for player in [json!(7), json!(null), json!({"name": "Ada"}), json!(["Ada"])] {
        refused(deployment, &with(table(1), "/home/players/4", player)).at("body.home.players[4]");
    }
    refused(deployment, &with(table(1), "/home/players", json!("Ada"))).at("body.home.players");
    Match::create(deployment.client(), &table(1)).play_step();
});

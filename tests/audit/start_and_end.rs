//! Changes of what was fixed before play, and of the end: options, names, the toss, the seeds, the result.

use serde_json::{Value, json};
use third_umpire::scorebook::Side;
use third_umpire_test_support::logs::{Log, SEED, Setting, remote_match, scripted};

use crate::audited::{Forged, audit};

fn seeded() -> Log {
    Setting::default().seeded().tossed().played_out()
}

fn commitment_of(server_seed: &str) -> String {
    third_umpire::dice::ServerSeed::from_hex(server_seed).unwrap().commitment()
}

fn match_seed_of(server_seed: &str) -> String {
    let seed = third_umpire::dice::ServerSeed::from_hex(server_seed).unwrap();
    third_umpire::dice::Seeds::open(&seed, &[]).match_seed
}

#[test]
fn a_server_seed_swapped_does_not_fit_its_commitment() {
    let other = "11".repeat(32);
    let forged = Forged::of(seeded().forge().set(76, "/seeds/server_seed", other.as_str()));
    forged
        .diverge(76, "match_completed", None, &["seed"])
        .with_message("seed", "the server seed does not fit the commitment in the first event")
        .field("seed", "SHA-256(server_seed)", commitment_of(&other), commitment_of(SEED));
}

#[test]
fn a_server_seed_and_its_match_seed_swapped_do_not_fit_the_commitment() {
    let other = "11".repeat(32);
    let forger = seeded().forge().set(76, "/seeds/server_seed", other.as_str());
    let forged = Forged::of(forger.set(76, "/seeds/match_seed", match_seed_of(&other)));
    forged
        .diverge(76, "match_completed", None, &["seed"])
        .with_message("seed", "does not fit the commitment");
}

#[test]
fn a_commitment_swapped_does_not_fit_the_seed() {
    let other = "22".repeat(32);
    let forged = Forged::of(seeded().forge().set(1, "/commitment", other.as_str()));
    // Nobody can tell which of the two was swapped; they part where the seed is opened.
    forged.broken.diverges(1, "match_created", None, &["chain"]);
    forged.mended.diverges(76, "match_completed", None, &["seed"]).field(
        "seed",
        "SHA-256(server_seed)",
        commitment_of(SEED),
        other,
    );
}

#[test]
fn seed_and_commitment_swapped_together_do_not_give_these_dice() {
    let other = "11".repeat(32);
    let forger = seeded().forge().set(1, "/commitment", commitment_of(&other));
    let forger = forger.set(76, "/seeds/server_seed", other.as_str());
    let forger = forger.set(76, "/seeds/match_seed", match_seed_of(&other));
    audit(&forger.mended()).diverges(2, "toss", None, &["seed"]).field("seed", "coin", "tails", "heads");
}

#[test]
fn a_match_seed_changed_does_not_follow_from_the_server_seed() {
    let other = "33".repeat(32);
    let forged = Forged::of(seeded().forge().set(76, "/seeds/match_seed", other.as_str()));
    forged
        .diverge(76, "match_completed", None, &["seed"])
        .with_message("seed", "the match seed does not follow from the server seed")
        .field("seed", "seeds.match_seed", other, match_seed_of(SEED));
}

#[test]
fn seeds_that_are_no_seeds_are_named() {
    for no_seed in ["", "xyz", &SEED[1..], &format!("{SEED}00")] {
        let forged = Forged::of(seeded().forge().set(76, "/seeds/server_seed", no_seed));
        forged.diverge(76, "match_completed", None, &["seed"]).with_message("seed", "64 hexadecimal digits");
    }
    // The number is right, but not written as the service writes it: the finding has to name that, not the
    // match seed.
    let capitals = SEED.to_uppercase();
    let forged = Forged::of(seeded().forge().set(76, "/seeds/server_seed", capitals.as_str()));
    forged.diverge(76, "match_completed", None, &["seed"]).field("seed", "seeds.server_seed", capitals, SEED);
}

#[test]
fn client_seeds_that_nobody_agreed_on_are_named() {
    let forged = Forged::of(seeded().forge().set(76, "/seeds/client_seeds", json!(["00"])));
    forged
        .diverge(76, "match_completed", None, &["seal", "seed"])
        .with_message(
            "seal",
            "the seeds that the sides have revealed, home's first, or none if one is missing",
        )
        .with_message("seed", "does not follow from the server seed");
}

#[test]
fn client_seeds_agreed_on_after_the_event_are_missed_at_the_toss() {
    let forged = Forged::of(seeded().forge().set(1, "/client_seeds", "both"));
    forged.broken.diverges(1, "match_created", None, &["chain"]);
    forged
        .mended
        .diverges(2, "toss", None, &["rules"])
        .with_message("rules", "both sides have revealed their seeds");
}

#[test]
fn seeds_missing_at_the_end_of_a_seeded_match_are_named() {
    let without = |end: &mut Value| drop(end.as_object_mut().unwrap().remove("seeds"));
    let forged = Forged::of(seeded().forge().with(76, without));
    forged
        .diverge(76, "match_completed", None, &["data"])
        .with_message("data", "data.seeds: a seeded match reveals its seeds when it ends");
    let log = Setting::default().seeded().tossed().rolled(20).abandoned("rain");
    let forged = Forged::of(log.forge().with(27, without));
    forged.diverge(27, "match_abandoned", None, &["data"]).with_message("data", "data.seeds");
}

#[test]
fn seeds_in_a_table_match_are_named() {
    let seeds = json!({"server_seed": SEED, "client_seeds": [], "match_seed": match_seed_of(SEED)});
    let forged = Forged::of(scripted().forge().with(17, |end| end["seeds"] = seeds));
    forged.diverge(17, "match_completed", None, &["data"]).with_message("data", "data.seeds");
}

#[test]
fn a_coin_changed_is_found_by_the_rules_and_by_the_seed() {
    let forged = Forged::of(seeded().forge().set(2, "/coin", "heads"));
    forged
        .diverge(2, "toss", None, &["rules", "seed"])
        .field("rules", "winner", "home", "away")
        .field("seed", "coin", "heads", "tails");
}

#[test]
fn a_coin_and_a_winner_changed_together_are_found_by_the_seed() {
    let forged = Forged::of(seeded().forge().set(2, "/coin", "heads").set(2, "/winner", "away"));
    forged.diverge(2, "toss", None, &["seed"]).field("seed", "coin", "heads", "tails");
    // With a coin from the table, the side that chose proves the change.
    audit(&scripted().forge().set(2, "/coin", "tails").set(2, "/winner", "away").mended())
        .diverges(3, "toss_decided", None, &["rules"])
        .field("rules", "by", "home", "away");
}

#[test]
fn a_winner_of_the_toss_who_lost_it_is_found_by_the_rules() {
    let forged = Forged::of(scripted().forge().set(2, "/winner", "away"));
    forged.diverge(2, "toss", None, &["rules"]).field("rules", "winner", "away", "home");
}

/// A match whose toss home has won, by a coin that nobody recorded.
fn reported() -> Log {
    Setting::overs(1).table().toss_reported(Side::Home).rolled(3).log()
}

#[test]
fn a_reported_toss_is_clean_and_its_winner_is_taken_as_entered() {
    audit(&reported()).is_clean(&[
        "rolled at the table",
        "the toss: it has no call and no coin, and its winner is taken as entered",
        "still in play",
        "no head was given",
    ]);
}

#[test]
fn a_winner_of_a_reported_toss_changed_is_found_by_the_side_that_chose() {
    let forged = Forged::of(reported().forge().set(2, "/winner", "away"));
    forged.broken.diverges(2, "toss", None, &["chain"]);
    forged.mended.diverges(3, "toss_decided", None, &["rules"]).field("rules", "by", "home", "away");
}

#[test]
fn a_reported_toss_in_a_seeded_match_is_found_by_the_rules() {
    for log in [seeded(), remote_match()] {
        let seq = log.seq_of(|event| event["kind"] == "toss");
        let mut forger = log.forge().with(seq, |toss| *toss = json!({"winner": toss["winner"]}));
        forger.event(seq)["v"] = 2.into();
        let forged = Forged::of(forger);
        forged
            .mended
            .diverges(seq, "toss", None, &["rules"])
            .with_message("rules", "the coin of this match comes from its seed");
    }
}

#[test]
fn members_of_another_version_of_the_toss_are_found_in_its_data() {
    let versioned = |log: &Log, v: u32| {
        let mut forger = log.forge();
        forger.event(2)["v"] = v.into();
        audit(&forger.mended())
    };
    versioned(&scripted(), 2).diverges(2, "toss", None, &["data"]).with_message("data", "is unknown here");
    versioned(&reported(), 1).diverges(2, "toss", None, &["data"]).with_message("data", "is missing");
    let coin = audit(&reported().forge().with(2, |toss| toss["coin"] = "heads".into()).mended());
    coin.diverges(2, "toss", None, &["data"]).with_message("data", "data.coin: is unknown here");
}

#[test]
fn a_choice_to_bowl_made_of_one_to_bat_is_found_when_the_others_take_the_field() {
    let forged = Forged::of(seeded().forge().set(3, "/to", "bowl"));
    forged.broken.diverges(3, "toss_decided", None, &["chain"]);
    forged.mended.diverges(4, "over", None, &["rules"]).with_message("rules", "is not in the side");
}

#[test]
fn another_result_is_found_by_the_rules() {
    for (field, found, due) in [
        ("winner", json!("away"), json!("home")),
        ("method", json!("innings"), json!("runs")),
        ("margin.runs", json!(11), json!(10)),
    ] {
        let pointer = format!("/result/{}", field.replace('.', "/"));
        let forged = Forged::of(seeded().forge().set(76, &pointer, found.clone()));
        forged.diverge(76, "match_completed", None, &["rules"]).field(
            "rules",
            &format!("result.{field}"),
            found,
            due,
        );
    }
    let tie = json!({"winner": null, "method": "tie", "margin": {}});
    let forged = Forged::of(scripted().forge().set(17, "/result", tie));
    forged.diverge(17, "match_completed", None, &["rules"]).field("rules", "result.method", "tie", "wickets");
}

#[test]
fn more_overs_than_were_bowled_are_found_where_the_innings_ended_too_early() {
    let rules =
        json!({"overs": 6, "max_overs_per_bowler": 1, "sixes_off_extras": "as_written", "drs": "off"});
    let forged = Forged::of(seeded().forge().set(1, "/rules", rules));
    forged.broken.diverges(1, "match_created", None, &["chain"]);
    forged
        .mended
        .diverges(41, "over", None, &["data", "rules"])
        .with_message("data", "data.innings: 1 is due, not 2");
}

#[test]
fn fewer_overs_than_were_bowled_are_found_where_the_innings_went_on() {
    let forged = Forged::of(seeded().forge().set(1, "/rules/overs", 4));
    forged.broken.diverges(1, "match_created", None, &["chain"]);
    forged
        .mended
        .diverges(34, "over", None, &["data", "rules"])
        .with_message("data", "data.innings: 2 is due, not 1");
}

#[test]
fn another_way_to_count_sixes_is_found_at_the_first_six_it_would_not_have_counted() {
    let forged = Forged::of(seeded().forge().set(1, "/rules/sixes_off_extras", "never"));
    forged.broken.diverges(1, "match_created", None, &["chain"]);
    forged
        .mended
        .diverges(18, "ball", Some(13), &["rules"])
        .field("rules", "outcome.runs.batter", 6, 0)
        .citing(
            "rules",
            &["howzat.bowl.extra", "howzat.extra.no_ball", "howzat.strike.6_no_run", "howzat.strike.6"],
        );
}

#[test]
fn options_that_no_match_has_are_found_in_the_first_event() {
    for (field, value, message) in [
        ("/rules/overs", json!(51), "overs is a whole number from 1 to 50"),
        ("/rules/overs", json!("5"), "overs is a whole number from 1 to 50"),
        ("/rules/drs", json!("on"), "drs"),
        ("/rules/sixes_off_extras", Value::Null, "sixes_off_extras"),
        ("/rules", json!({"overs": 5}), "must list every option with its value"),
        ("/game", json!("tiddlywinks"), "there is no game \"tiddlywinks\""),
        ("/dice_spec", json!(2), "dice_spec"),
        ("/commitment", Value::Null, "commitment"),
        ("/seed_source", Value::Null, "commitment and a seed source"),
        ("/remote", json!(true), "howzat is played at one table"),
        ("/choice_timeout", json!(0), "choice_timeout is 1 to 2592000 seconds"),
        ("/choice_timeout", json!(2_592_001), "choice_timeout is 1 to 2592000 seconds"),
        ("/edition", json!({"id": "a", "sha256": "b"}), "howzat has no editions"),
    ] {
        let forged = Forged::of(seeded().forge().set(1, field, value));
        forged.diverge(1, "match_created", None, &["data"]).with_message("data", message);
    }
}

#[test]
fn a_player_renamed_in_the_first_event_alone_is_missed_in_the_field() {
    let forged = Forged::of(seeded().forge().set(1, "/away/players/4", "Somebody Else"));
    forged.broken.diverges(1, "match_created", None, &["chain"]);
    forged
        .mended
        .diverges(4, "over", None, &["rules"])
        .with_message("rules", "\"Rovers 5\" on position 5 is not in the side")
        .citing("rules", &["howzat.over.field"]);
}

#[test]
fn a_batter_renamed_in_the_first_event_alone_is_missed_when_he_comes_in() {
    let forged = Forged::of(seeded().forge().set(1, "/home/players/3", "Somebody Else"));
    forged
        .mended
        .diverges(13, "ball", Some(8), &["rules"])
        .with_message("rules", "\"Wanderers 4\" is not one of those still to bat")
        .citing("rules", &["howzat.ball.next_batter"]);
}

#[test]
fn sides_that_cannot_play_are_found_in_the_first_event() {
    for (field, value, message) in [
        ("/home/players/3", json!("Wanderers 3"), "is in the side twice"),
        ("/home/players/3", json!(""), "a name has 1 to 100 characters"),
        ("/home/players/3", json!("x".repeat(101)), "a name has 1 to 100 characters; this has 101"),
        ("/home/players/3", json!("a\u{7}b"), "control characters"),
        ("/home/players", json!(["A", "B"]), "exactly 11 players"),
        ("/home/name", json!("Rovers"), "the two sides have the same name"),
    ] {
        let forged = Forged::of(seeded().forge().set(1, field, value));
        forged.diverge(1, "match_created", None, &["data"]).with_message("data", message);
    }
}

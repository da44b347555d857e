//! Dice specification v1, compared with vectors from an independent implementation.

use serde::Deserialize;
use serde_json::json;
use third_umpire::dice::{Dice, Domain, Draw, SeededDice, Seeds, ServerSeed};
use third_umpire::log::{EventData, Toss, TossChoice};
use third_umpire::matches::Input;
use third_umpire_test_support::logs::{AWAY, HOME, PlayedMatch, ball, heads, howzat, sheet};

#[derive(Deserialize)]
struct Vectors {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    server_seed: String,
    client_seeds: Vec<String>,
    commitment: String,
    match_seed: String,
    draws: Vec<SixSided>,
    mixed: Mixed,
    shuffle: Shuffle,
}

#[derive(Deserialize)]
struct SixSided {
    domain: u64,
    ordinal: u64,
    d6: Vec<u16>,
}

#[derive(Deserialize)]
struct Mixed {
    domain: u64,
    ordinal: u64,
    sides: Vec<u16>,
    values: Vec<u16>,
}

/// A shuffle of the numbers 0 to 209.
#[derive(Deserialize)]
struct Shuffle {
    domain: u64,
    ordinal: u64,
    result: Vec<u8>,
}

impl Case {
    fn server_seed(&self) -> ServerSeed {
        ServerSeed::from_hex(&self.server_seed).expect("a seed in hexadecimal")
    }

    fn dice(&self) -> SeededDice {
        SeededDice::new(&self.server_seed().match_seed(&self.client_seeds))
    }
}

fn cases() -> Vec<Case> {
    let vectors: Vectors = serde_json::from_str(include_str!("vectors/dice-v1.json")).expect("the vectors");
    assert_eq!(vectors.cases.len(), 3);
    vectors.cases
}

fn draw(domain: u64, ordinal: u64) -> Draw {
    let domain = match domain {
        1 => Domain::Toss,
        2 => Domain::SetUp,
        3 => Domain::Over,
        4 => Domain::Ball,
        5 => Domain::Review,
        6 => Domain::TimeoutOver,
        7 => Domain::TimeoutBall,
        other => panic!("the specification has no domain {other}"),
    };
    Draw { domain, ordinal }
}

#[test]
fn a_server_seed_gives_the_published_commitment_and_match_seed() {
    for case in cases() {
        let seed = case.server_seed();
        assert_eq!(seed.commitment(), case.commitment);
        let opened = Seeds::open(&seed, &case.client_seeds);
        assert_eq!(opened.server_seed, case.server_seed);
        assert_eq!(opened.client_seeds, case.client_seeds);
        assert_eq!(opened.match_seed, case.match_seed);
    }
}

#[test]
fn a_hundred_six_sided_dice_of_every_draw_are_the_ones_published() {
    for case in cases() {
        for SixSided { domain, ordinal, d6 } in &case.draws {
            let mut dice = case.dice();
            dice.begin(draw(*domain, *ordinal));
            let found: Vec<u16> = d6.iter().map(|_| dice.die(6)).collect();
            assert_eq!(found, *d6, "seed {}, domain {domain}, ordinal {ordinal}", case.server_seed);
        }
    }
}

#[test]
fn draws_do_not_depend_on_the_draws_before_them() {
    for case in cases() {
        let mut dice = case.dice();
        for rolled in [1, 100, 3, 70] {
            for SixSided { domain, ordinal, d6 } in case.draws.iter().chain(case.draws.iter().rev()) {
                dice.begin(draw(*domain, *ordinal));
                let found: Vec<u16> = (0..rolled).map(|_| dice.die(6)).collect();
                assert_eq!(found, d6[..rolled], "domain {domain}, ordinal {ordinal}, {rolled} dice");
            }
        }
    }
}

#[test]
fn dice_of_mixed_sides_pass_over_the_bytes_that_would_favour_low_faces() {
    for case in cases() {
        let Mixed { domain, ordinal, sides, values } = &case.mixed;
        assert_eq!(sides.len(), values.len());
        let mut dice = case.dice();
        dice.begin(draw(*domain, *ordinal));
        let found: Vec<u16> =
            sides.iter().map(|&sides| dice.roll("any", sides).expect("seeded dice never run out")).collect();
        assert_eq!(found, *values, "seed {}", case.server_seed);
    }
}

#[test]
fn a_shuffle_goes_from_the_last_place_to_the_first() {
    for case in cases() {
        let Shuffle { domain, ordinal, result } = &case.shuffle;
        let mut shuffled: Vec<u8> = (0..210).collect();
        let mut dice = case.dice();
        dice.begin(draw(*domain, *ordinal));
        dice.shuffle(&mut shuffled);
        assert_eq!(shuffled, *result, "seed {}", case.server_seed);
    }
}

#[test]
fn the_draws_of_toss_overs_and_balls_have_the_numbers_of_the_specification() {
    let numbers = |draw: Draw| (draw.domain as u64, draw.ordinal);
    assert_eq!(numbers(Draw::TOSS), (1, 0));
    assert_eq!(numbers(Draw::over(1, 1)), (3, 65_537));
    assert_eq!(numbers(Draw::over(2, 1000)), (3, 132_072));
    assert_eq!(numbers(Draw::ball(1)), (4, 1));
    assert_eq!(numbers(Draw::ball(250)), (4, 250));
}

#[test]
fn a_seeded_match_tosses_its_coin_from_domain_1_and_bowls_delivery_n_from_draw_n_of_domain_4() {
    let case =
        cases().into_iter().find(|case| case.client_seeds.is_empty()).expect("a case without client seeds");
    let created =
        PlayedMatch::create(howzat(), json!({}), sheet(HOME), sheet(AWAY), Some(case.server_seed()));
    let mut a_match = created.expect("a match");
    let mut dice = case.dice();
    let toss = a_match.put(heads(), &mut dice).expect("a toss");
    let mut coin = case.dice();
    coin.begin(draw(1, 0));
    let [EventData::Toss(Toss::Called(toss))] = toss.as_slice() else { panic!("{toss:?}") };
    assert_eq!(toss.coin.as_die(), coin.die(2));
    a_match.put(Input::TossDecision { to: TossChoice::Bat }, &mut dice).expect("a decision");
    for delivery in 1..=3 {
        let events = a_match.put(ball(json!({})), &mut dice).expect("a ball");
        let Some(EventData::Ball(ball)) = events.last() else { panic!("{events:?}") };
        let published =
            case.draws.iter().find(|draw| (draw.domain, draw.ordinal) == (4, delivery)).expect("a draw");
        let faces: Vec<u16> = ball.dice.iter().map(|die| die.value).collect();
        assert!(published.d6.starts_with(&faces) && faces.len() >= 2, "delivery {delivery}: {faces:?}");
        assert_eq!(ball.seed.map(|draw| (draw.domain, draw.ordinal)), Some((4, delivery)));
    }
}

#[test]
fn a_seed_is_sixty_four_hexadecimal_digits_of_either_case() {
    let lower = ServerSeed::from_hex(&"ab".repeat(32)).expect("lower case");
    let upper = ServerSeed::from_hex(&"AB".repeat(32)).expect("upper case");
    assert_eq!(upper.reveal(), lower.reveal());
    assert_eq!(lower.reveal(), "ab".repeat(32));
    for wrong in ["".to_owned(), "ab".repeat(31), "ab".repeat(33), "a".repeat(63), "xy".repeat(32)] {
        assert!(ServerSeed::from_hex(&wrong).is_err(), "{wrong:?} is no seed");
    }
}

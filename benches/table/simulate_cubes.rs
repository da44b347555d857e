//! Simulated balls of CubeRoots cricket a second by the service's own rules, counted and not recorded,
//! against a loop that does only what the dice specification and the score require.

use hmac::{Hmac, KeyInit, Mac};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sha2::Sha256;
use third_umpire::dice::ServerSeed;
use third_umpire::editions::Editions;
use third_umpire::games;
use third_umpire::rules::Choices;
use third_umpire::simulate::{Progress, Simulation};

use crate::report::{Reach, Row};
use crate::turns::{Done, Scale, in_turn};

const SEED: [u8; 32] = [0x5c; 32];
const CUBES: usize = 210;

/// Benches the simulation.
pub fn rows(scale: Scale) -> Vec<Row> {
    let matches = scale.pick(20_000, 100);
    let bare = bare_matches(matches);
    assert_eq!(bare, simulated(matches), "the bare loop does not come to the totals of the rules");
    let compared = in_turn(
        scale.pick(7, 1),
        || Done::timed(|| simulated(matches).balls),
        || Done::timed(|| bare_matches(matches).balls),
    );
    vec![Row::rates(
        "simulate cuberoots, 1 thread",
        "a hand-written loop, score and wickets only",
        "balls",
        compared,
        Reach::AtLeast(1.0),
    )]
}

/// The totals of many matches.
#[derive(Debug, Default, PartialEq)]
struct Totals {
    balls: u64,
    runs: [u64; 2],
    wickets: [u64; 2],
}

fn simulated(matches: u64) -> Totals {
    let seed = ServerSeed::from_hex(&hex::encode(SEED)).expect("32 bytes in hexadecimal");
    let cuberoots = games::BUILT_IN.find("cuberoots").expect("cuberoots is one of the games");
    let simulation = Simulation::new(&Editions::default(), cuberoots, &Choices::new(), None, matches, seed)
        .expect("legal options");
    let counts = simulation.count(1, &Progress::default(), None).expect("the simulation runs to its end");
    let mut totals = Totals::default();
    for (at, innings) in counts.base.innings.iter().enumerate() {
        totals.runs[at] = innings.runs.sum();
        totals.wickets[at] = innings.wickets.sum();
        totals.balls += innings.balls.sum();
    }
    totals
}

fn bare_matches(matches: u64) -> Totals {
    let mut totals = Totals::default();
    let mac = |key: &[u8]| Hmac::<Sha256>::new_from_slice(key).expect("a key of any length");
    let series = mac(&SEED);
    for k in 1..=matches {
        let server_seed = series.clone().chain_update(k.to_string()).finalize().into_bytes();
        let match_seed = mac(&server_seed).chain_update("[]").finalize().into_bytes();
        let mut draws = Draws::of(match_seed.into());
        // Home calls heads, and the winner of the toss bats; home reads colour 0 and away colour 1.
        draws.begin(1, 0);
        let away_bats = draws.die(2) == 1;
        bare_innings(&mut draws, 0, away_bats, &mut totals);
        bare_innings(&mut draws, 1, !away_bats, &mut totals);
    }
    totals
}

/// The bytes of a draw, block by block.
struct Draws {
    stream: ChaCha20Rng,
    block: [u8; 64],
    domain: u64,
    ordinal: u64,
    next: usize,
}

impl Draws {
    fn of(match_seed: [u8; 32]) -> Draws {
        let stream = ChaCha20Rng::from_seed(match_seed);
        Draws { stream, block: [0; 64], domain: 0, ordinal: 0, next: 0 }
    }

    fn begin(&mut self, domain: u64, ordinal: u64) {
        (self.domain, self.ordinal) = (domain, ordinal);
        self.fill();
    }

    fn fill(&mut self) {
        self.stream.set_stream(self.domain);
        self.stream.set_word_pos(16 * u128::from(self.ordinal));
        self.stream.fill_bytes(&mut self.block);
        self.next = 0;
    }

    /// A die with this many sides, counted from 0.
    #[inline(always)]
    fn die(&mut self, sides: u32) -> u32 {
        let fair = 256 - 256 % sides;
        loop {
            if self.next == 64 {
                self.domain += 256;
                self.fill();
            }
            let byte = u32::from(self.block[self.next]);
            self.next += 1;
            if byte < fair {
                return byte % sides;
            }
        }
    }
}

fn bare_innings(draws: &mut Draws, at: usize, away_bats: bool, totals: &mut Totals) {
    let mut left: Vec<u8> = Vec::with_capacity(CUBES);
    let mut bag = left.clone();
    let (mut wickets, mut dots, mut over) = (0, 0, 0);
    while wickets < 10 && over < 1000 {
        over += 1;
        if left.len() < 12 {
            left.clear();
            left.extend(0..CUBES as u8);
        }
        bag.clone_from(&left);
        draws.begin(3, 65_536 * (at as u64 + 1) + over);
        for i in (1..bag.len()).rev() {
            bag.swap(i, draws.die(i as u32 + 1) as usize);
        }
        let dealt = &bag[..12];
        left.retain(|cube| !dealt.contains(cube));
        let number = |cube: u8, away: bool| (i32::from(cube) + 3 * i32::from(away)) % 10;
        for ball in 0..6 {
            let difference = number(dealt[ball], !away_bats) - number(dealt[ball + 6], away_bats);
            totals.balls += 1;
            if difference >= 0 && difference >= 5 - dots {
                wickets += 1;
                dots = 0;
            } else if difference >= 0 {
                dots += 1;
            } else {
                dots = 0;
                totals.runs[at] += [0, 1, 2, 3, 4, 4, 6, 6, 6, 6][-difference as usize];
            }
            if wickets == 10 {
                break;
            }
        }
    }
    totals.wickets[at] += wickets as u64;
}

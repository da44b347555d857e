//! Simulated balls a second by the service's own rules, counted and not recorded, against a loop that does
//! only what the dice specification and the score require; and two threads against one.

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

const SEED: [u8; 32] = [0x5e; 32];
const OVERS: u32 = 20;

/// Benches the simulation.
pub fn rows(scale: Scale) -> Vec<Row> {
    let matches = scale.pick(100_000, 200);
    let rounds = scale.pick(7, 1);
    let bare = bare_matches(matches);
    assert_eq!(bare, simulated(matches, 1), "the bare loop does not come to the totals of the rules");
    let ours = |threads| move || Done::timed(|| simulated(matches, threads).balls);
    let bare = in_turn(rounds, ours(1), || Done::timed(|| bare_matches(matches).balls));
    let threads = in_turn(rounds, ours(2), ours(1));
    vec![
        Row::rates(
            "simulate howzat, 1 thread",
            "a hand-written loop, score and wickets only",
            "balls",
            bare,
            Reach::AtLeast(0.6),
        ),
        Row::rates("simulate howzat, 2 threads", "1 thread", "balls", threads, Reach::AtLeast(1.8)),
    ]
}

/// The totals of many matches.
#[derive(Debug, Default, PartialEq)]
struct Totals {
    balls: u64,
    runs: [u64; 2],
    wickets: [u64; 2],
}

fn simulated(matches: u64, threads: usize) -> Totals {
    let seed = ServerSeed::from_hex(&hex::encode(SEED)).expect("32 bytes in hexadecimal");
    let howzat = games::BUILT_IN.find("howzat").expect("howzat is one of the games");
    let simulation = Simulation::new(&Editions::default(), howzat, &Choices::new(), None, matches, seed)
        .expect("legal options");
    let counts =
        simulation.count(threads, &Progress::default(), None).expect("the simulation runs to its end");
    let mut totals = Totals::default();
    for (at, innings) in counts.base.innings.iter().enumerate() {
        totals.runs[at] = innings.runs.sum();
        totals.wickets[at] = innings.wickets.sum();
        // The balls that are not legal are wides and no-balls, of one run each.
        totals.balls += innings.balls.sum() + innings.extras[0].sum() + innings.extras[1].sum();
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
        let mut bytes = Bytes::of_balls(match_seed.into());
        let (first, _) = bare_innings(&mut bytes, 0, u32::MAX, &mut totals);
        bare_innings(&mut bytes, 1, first, &mut totals);
    }
    totals
}

/// The bytes of the draws of a match's balls, four balls at a time.
struct Bytes {
    stream: ChaCha20Rng,
    window: [u8; 256],
    ball: usize,
    next: usize,
}

impl Bytes {
    fn of_balls(match_seed: [u8; 32]) -> Bytes {
        let mut stream = ChaCha20Rng::from_seed(match_seed);
        stream.set_stream(4);
        stream.set_word_pos(16);
        Bytes { stream, window: [0; 256], ball: 4, next: 0 }
    }

    #[inline(always)]
    fn next_ball(&mut self) {
        if self.ball == 4 {
            self.stream.fill_bytes(&mut self.window);
            self.ball = 0;
        }
        self.next = 64 * self.ball;
        self.ball += 1;
    }

    /// A six-sided die. A ball has at most six dice, so that its 64 bytes never run out.
    #[inline(always)]
    fn die(&mut self) -> u8 {
        loop {
            let byte = self.window[self.next];
            self.next += 1;
            if byte < 252 {
                return byte % 6 + 1;
            }
        }
    }
}

#[inline(always)]
fn bare_innings(bytes: &mut Bytes, at: usize, beat: u32, totals: &mut Totals) -> (u32, u32) {
    let (mut runs, mut wickets, mut legal, mut balls) = (0, 0, 0, 0);
    while legal < OVERS * 6 && wickets < 10 && runs <= beat {
        bytes.next_ball();
        balls += 1;
        let bowl = bytes.die();
        let extra = if bowl == 1 { bytes.die() } else { 6 };
        if extra == 2 {
            runs += 1;
            continue;
        }
        match extra {
            1 => runs += 1,
            _ => legal += 1,
        }
        match bytes.die() {
            1 => runs += 1,
            2 => runs += 2,
            4 => runs += 4,
            6 if extra != 3 && extra != 4 => runs += 6,
            5 if bowl == 3 => {
                bytes.die();
                bytes.die();
                wickets += u32::from(bytes.die() > 2);
            }
            5 => wickets += u32::from(bowl > 1),
            _ => {}
        }
    }
    totals.balls += balls;
    totals.runs[at] += u64::from(runs);
    totals.wickets[at] += u64::from(wickets);
    (runs, wickets)
}

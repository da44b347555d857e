//! Seeds: the server seed, which is secret until the match has finished, its public commitment, and the match
//! seed, the key of the dice.

use std::fmt;

use crate::canonical::canonical_form;
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

/// The secret behind a match's dice: 32 bytes, never shown before the match has finished.
#[derive(Clone, PartialEq, Eq)]
pub struct ServerSeed([u8; 32]);

/// The key of a match's dice: HMAC-SHA-256 of the client seeds under the server seed.
#[derive(Clone, PartialEq, Eq)]
pub struct MatchSeed(pub(super) [u8; 32]);

impl fmt::Debug for ServerSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ServerSeed(hidden)")
    }
}

impl fmt::Debug for MatchSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MatchSeed(hidden)")
    }
}

/// An error: a seed that is not 64 hexadecimal digits. The message does not repeat it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a seed is 64 hexadecimal digits (32 bytes)")]
pub struct NotASeed;

impl ServerSeed {
    /// A seed of 32 random bytes, which the caller gets from the operating system.
    pub fn from_bytes(bytes: [u8; 32]) -> ServerSeed {
        ServerSeed(bytes)
    }

    /// Reads 64 hexadecimal digits, of either case.
    pub fn from_hex(text: &str) -> Result<ServerSeed, NotASeed> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).map_err(|_| NotASeed)?;
        Ok(ServerSeed(bytes))
    }

    /// The seed as text, for the store of secrets, and for the log once the match has finished.
    pub fn reveal(&self) -> String {
        hex::encode(self.0)
    }

    /// The commitment, published before the first ball: SHA-256 of the seed, in hexadecimal.
    pub fn commitment(&self) -> String {
        hex::encode(Sha256::digest(self.0))
    }

    /// The match seed, with the client seeds in order, home's then away's, if there are any.
    pub fn match_seed(&self, client_seeds: &[String]) -> MatchSeed {
        let message = serde_json::Value::from(client_seeds).to_string();
        let mac = keyed(&self.0).chain_update(message.as_bytes());
        MatchSeed(mac.finalize().into_bytes().into())
    }
}

/// The server seeds of many matches, all derived from one seed.
#[derive(Clone)]
pub struct SeedSeries(Hmac<Sha256>);

impl SeedSeries {
    /// The series that derives from a seed.
    pub fn new(seed: &ServerSeed) -> SeedSeries {
        SeedSeries(keyed(&seed.0))
    }

    /// The server seed of match `k`: HMAC-SHA-256 of `k`, written in decimal, under the seed of the series.
    pub fn server_seed(&self, k: u64) -> ServerSeed {
        let message = k.to_string();
        ServerSeed(self.0.clone().chain_update(message.as_bytes()).finalize().into_bytes().into())
    }
}

fn keyed(key: &[u8; 32]) -> Hmac<Sha256> {
    match Hmac::new_from_slice(key) {
        Ok(keyed) => keyed,
        Err(_) => unreachable!("HMAC takes a key of any length"),
    }
}

canonical_form! {
    /// The seeds of a match, revealed when it is completed or abandoned.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct Seeds {
        /// The server seed: 64 hexadecimal digits.
        pub server_seed: String,
        /// The client seeds of home and away, or none.
        pub client_seeds: Vec<String>,
        /// The match seed, derived from the others: 64 hexadecimal digits.
        pub match_seed: String,
    }
}

impl Seeds {
    /// Reveals a server seed, with the seeds that belong to it.
    pub fn open(server_seed: &ServerSeed, client_seeds: &[String]) -> Seeds {
        Seeds {
            server_seed: server_seed.reveal(),
            client_seeds: client_seeds.to_vec(),
            match_seed: hex::encode(server_seed.match_seed(client_seeds).0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_do_not_show_in_debug_output_or_errors() {
        let text = "ab".repeat(32);
        let seed = ServerSeed::from_hex(&text).unwrap();
        let shown = format!("{seed:?} {:?}", seed.match_seed(&[]));
        assert!(!shown.contains("abab") && !shown.contains("171"), "{shown}");
        assert!(!ServerSeed::from_hex("abc").unwrap_err().to_string().contains("abc"));
    }
}

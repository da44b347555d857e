//! Hosts: the names and the addresses of machines, as requests and options name them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

const LONGEST_NAME: usize = 253;
const LONGEST_LABEL: usize = 63;

/// A host: the name or the address of a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Host {
    /// A name in lower case, without a dot at its end.
    Name(String),
    /// An IP address.
    Address(IpAddr),
}

/// The error of a text that is not a host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "--host {0:?} is not a host name or an address; write it without scheme, port or path, as in cricket.example"
)]
pub struct NoHost(String);

impl Host {
    /// Reads the host that `--host` names.
    pub fn named(text: &str) -> Result<Host, NoHost> {
        let address = text.parse().ok().map(Host::Address);
        address.or_else(|| Host::read(text)).ok_or_else(|| NoHost(text.to_owned()))
    }

    /// Reads the host of an authority, where an IPv6 address is in brackets.
    pub(super) fn read(text: &str) -> Option<Host> {
        if let Some(inner) = text.strip_prefix('[') {
            let address: Ipv6Addr = inner.strip_suffix(']')?.parse().ok()?;
            return Some(Host::Address(address.into()));
        }
        if let Ok(address) = text.parse::<Ipv4Addr>() {
            return Some(Host::Address(address.into()));
        }
        let name = text.strip_suffix('.').unwrap_or(text);
        is_name(name).then(|| Host::Name(name.to_ascii_lowercase()))
    }
}

/// Whether a text can be the name of a machine. A text that ends in a number is an address in some notation,
/// and no name.
fn is_name(name: &str) -> bool {
    let of_a_label = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let is_label = |label: &str| (1..=LONGEST_LABEL).contains(&label.len()) && label.bytes().all(of_a_label);
    let is_number = |label: &str| label.bytes().all(|byte| byte.is_ascii_digit());
    name.len() <= LONGEST_NAME
        && name.split('.').all(is_label)
        && !name.rsplit('.').next().is_some_and(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_named_without_scheme_port_or_path() {
        for name in
            ["cricket.example", "Cricket.Example.", "pavilion", "192.0.2.7", "[2001:db8::7]", "2001:db8::7"]
        {
            assert!(Host::named(name).is_ok(), "{name}");
        }
        let long = format!("{}.example", "x".repeat(64));
        for name in [
            "",
            ".",
            "http://x/",
            "x:80",
            "x/",
            "*.example",
            "a b",
            "é.example",
            "a..b",
            "127.1",
            "[::1]:80",
            &long,
        ] {
            assert_eq!(Host::named(name), Err(NoHost(name.to_owned())));
        }
    }
}

//! A table: a service in the network of the people who sit around it. It knows the machine's own names and
//! addresses, also when they change, and whether another device has come.

use std::net::IpAddr;
use std::sync::{PoisonError, RwLock};

use tokio::sync::watch;

use super::host::Host;

/// An address of this machine, at one of its interfaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnAddress {
    /// The address.
    pub ip: IpAddr,
    /// The name of the interface, such as `wlan0`, where it is known.
    pub interface: Option<String>,
}

/// The addresses of this machine at a moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnAddresses {
    /// The addresses for links, one for each interface, the one that most devices reach first.
    pub listed: Vec<OwnAddress>,
    /// All addresses, also those that stand in no link.
    pub all: Vec<IpAddr>,
}

/// What a table is started with.
pub struct TableSetup {
    /// The port on which it listens.
    pub port: u16,
    /// The names of this machine.
    pub names: Vec<Host>,
    /// The addresses of this machine at the start.
    pub addresses: OwnAddresses,
    /// The command that opens the firewall of this machine for the port.
    pub firewall: String,
    /// Whether the admin token is the table's key. Otherwise the key is in a file beside the database.
    pub admin_token_is_key: bool,
}

/// A table in its network.
pub struct NetworkTable {
    setup: TableSetup,
    now: RwLock<OwnAddresses>,
    visited: watch::Sender<bool>,
}

impl NetworkTable {
    /// A table to which no other device has come yet.
    pub fn new(mut setup: TableSetup) -> NetworkTable {
        let now = RwLock::new(std::mem::take(&mut setup.addresses));
        NetworkTable { setup, now, visited: watch::Sender::new(false) }
    }

    /// The addresses of this machine as they were looked up last.
    pub fn addresses(&self) -> OwnAddresses {
        self.now.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes the addresses that the machine has now, and says whether a link has changed.
    pub fn moves_to(&self, addresses: OwnAddresses) -> bool {
        let mut now = self.now.write().unwrap_or_else(PoisonError::into_inner);
        let has_moved = now.listed != addresses.listed;
        *now = addresses;
        has_moved
    }

    /// The links to Home for other devices, without a key.
    pub fn links(&self) -> Vec<String> {
        self.addresses().listed.iter().map(|address| self.link(address.ip)).collect()
    }

    /// The link to Home at an address.
    pub fn link(&self, ip: IpAddr) -> String {
        format!("http://{}/", std::net::SocketAddr::new(ip, self.setup.port))
    }

    /// The command that opens the firewall of this machine.
    pub fn firewall(&self) -> &str {
        &self.setup.firewall
    }

    /// The key of this table in words, for a refusal.
    pub fn key_in_words(&self) -> &'static str {
        if self.setup.admin_token_is_key {
            "the key of this table, which is its admin token (--admin-token)"
        } else {
            "the key of this table: open the secret link that the machine prints which serves it, or that \
             `third-umpire table-key` prints there"
        }
    }

    /// Whether a host is this machine.
    pub(super) fn is_here(&self, host: &Host) -> bool {
        match host {
            Host::Address(ip) => self.has(*ip),
            Host::Name(_) => self.setup.names.contains(host),
        }
    }

    /// Whether this machine has an address. A socket for both families shows IPv4 as IPv6.
    fn has(&self, ip: IpAddr) -> bool {
        let ip = ip.to_canonical();
        ip.is_loopback() || self.now.read().unwrap_or_else(PoisonError::into_inner).all.contains(&ip)
    }

    /// Notes the sender of a request.
    pub(super) fn answers(&self, peer: Option<IpAddr>) {
        // After the first device has come, no request looks the addresses up.
        if !*self.visited.borrow() && peer.is_some_and(|peer| !self.has(peer)) {
            self.visited.send_replace(true);
        }
    }

    /// Whether another device has come, now and from now on.
    pub fn visited(&self) -> watch::Receiver<bool> {
        self.visited.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(listed: &[&str], others: &[&str]) -> OwnAddresses {
        let ips = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect::<Vec<IpAddr>>();
        let own = |ip: &IpAddr| OwnAddress { ip: *ip, interface: None };
        OwnAddresses {
            listed: ips(listed).iter().map(own).collect(),
            all: [ips(listed), ips(others)].concat(),
        }
    }

    fn table(addresses: OwnAddresses) -> NetworkTable {
        let names = vec![Host::named("laptop").unwrap()];
        let firewall = "sudo ufw allow 8080/tcp".to_owned();
        NetworkTable::new(TableSetup { port: 8080, names, addresses, firewall, admin_token_is_key: false })
    }

    #[test]
    fn a_link_has_the_port_and_an_ipv6_address_in_brackets() {
        let table = table(at(&["192.0.2.7", "2001:db8::7"], &[]));
        assert_eq!(table.links(), ["http://192.0.2.7:8080/", "http://[2001:db8::7]:8080/"]);
    }

    #[test]
    fn a_request_of_this_machine_is_no_visit_and_one_from_elsewhere_is() {
        let table = table(at(&["192.0.2.7"], &["fe80::7"]));
        let from = |peer: &str| {
            table.answers(Some(peer.parse().unwrap()));
            *table.visited().borrow()
        };
        for own in
            ["127.0.0.1", "127.9.9.9", "::1", "192.0.2.7", "::ffff:192.0.2.7", "::ffff:127.0.0.1", "fe80::7"]
        {
            assert!(!from(own), "{own}");
        }
        table.answers(None);
        assert!(from("192.0.2.8"), "another machine in the network");
        assert!(from("127.0.0.1"), "it stays so");
    }

    #[test]
    fn a_table_that_moves_is_at_its_new_address_and_no_more_at_its_old_one() {
        let table = table(at(&["192.0.2.7"], &["192.0.2.7"]));
        let is_here = |text: &str| table.is_here(&Host::named(text).unwrap());
        assert!(
            is_here("192.0.2.7") && is_here("laptop") && is_here("127.0.0.1") && !is_here("198.51.100.4")
        );
        assert!(!table.moves_to(at(&["192.0.2.7"], &["fe80::7"])), "no link has changed");
        assert!(table.moves_to(at(&["198.51.100.4"], &[])));
        assert!(is_here("198.51.100.4") && !is_here("192.0.2.7") && !is_here("phone"));
        assert_eq!(table.links(), ["http://198.51.100.4:8080/"]);
    }
}

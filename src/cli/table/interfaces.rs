//! The addresses of this machine: those of its interfaces, or those that a file names.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket};
use std::path::PathBuf;

use if_addrs::{Interface, get_if_addrs};

use crate::http::{Host, OwnAddress, OwnAddresses};

/// Where the addresses of this machine are looked up.
pub enum AddressSource {
    /// The interfaces of the machine.
    Interfaces,
    /// A file with an address a line.
    File(PathBuf),
}

impl AddressSource {
    /// Looks the addresses up.
    pub fn look(&self) -> Result<OwnAddresses, String> {
        match self {
            AddressSource::Interfaces => {
                let found = get_if_addrs()
                    .map_err(|error| format!("the interfaces of this machine cannot be read: {error}"))?;
                Ok(listed_addresses(
                    &found.iter().map(InterfaceAddress::of).collect::<Vec<_>>(),
                    on_the_way_out(),
                ))
            }
            AddressSource::File(file) => {
                let text = std::fs::read_to_string(file)
                    .map_err(|error| format!("--addresses {} cannot be read: {error}", file.display()))?;
                read_addresses(&text).map_err(|fault| format!("--addresses {}: {fault}", file.display()))
            }
        }
    }
}

/// The names of this machine: its host name, and what other devices of the network call it.
pub fn own_names() -> Vec<Host> {
    let system = rustix::system::uname();
    let name = system.nodename().to_string_lossy().into_owned();
    let first = name.split('.').next().unwrap_or_default();
    [name.clone(), format!("{first}.local")].iter().filter_map(|name| Host::named(name).ok()).collect()
}

/// An address of an interface.
#[derive(Debug, Clone)]
struct InterfaceAddress {
    name: String,
    ip: IpAddr,
    /// Whether a cable or a wifi is there, as far as the system says.
    is_running: bool,
}

impl InterfaceAddress {
    fn of(interface: &Interface) -> InterfaceAddress {
        let is_running = interface.is_oper_up() && !interface.is_p2p();
        InterfaceAddress { name: interface.name.clone(), ip: interface.ip(), is_running }
    }

    /// The place in the order of links: first the address on the way out of the network, then those of
    /// networks, then those of containers, virtual machines and tunnels.
    fn rank(&self, on_the_way_out: Option<IpAddr>) -> u8 {
        const BESIDE: [&str; 10] =
            ["docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "tun", "tap", "wg", "utun"];
        match () {
            () if on_the_way_out == Some(self.ip) => 0,
            () if !self.is_running || BESIDE.iter().any(|begin| self.name.starts_with(begin)) => 2,
            () => 1,
        }
    }
}

/// The address from which a packet would leave the network of this machine. None is sent.
fn on_the_way_out() -> Option<IpAddr> {
    /// An address of the documents, which is nowhere.
    const NOWHERE: (Ipv4Addr, u16) = (Ipv4Addr::new(203, 0, 113, 1), 9);
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect(NOWHERE).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

/// Whether other devices reach an address by a link. An address of one cable alone needs the name of an
/// interface in the link, which no browser takes.
fn is_for_links(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => !ip.is_loopback() && !ip.is_link_local() && !ip.is_unspecified(),
        IpAddr::V6(ip) => !ip.is_loopback() && !Ipv6Addr::is_unicast_link_local(&ip) && !ip.is_unspecified(),
    }
}

/// The addresses of some interfaces: one for links of each, of IPv4 where it has one.
fn listed_addresses(found: &[InterfaceAddress], on_the_way_out: Option<IpAddr>) -> OwnAddresses {
    let mut links: Vec<&InterfaceAddress> = Vec::new();
    let (of_ipv4, of_ipv6): (Vec<_>, Vec<_>) =
        found.iter().filter(|one| is_for_links(one.ip)).partition(|one| one.ip.is_ipv4());
    for one in of_ipv4.into_iter().chain(of_ipv6) {
        let known = links.iter_mut().find(|known| known.name == one.name);
        match known {
            None => links.push(one),
            Some(known) if Some(one.ip) == on_the_way_out => *known = one,
            Some(_) => {}
        }
    }
    links.sort_by_key(|one| one.rank(on_the_way_out));
    let link = |one: &InterfaceAddress| OwnAddress { ip: one.ip, interface: Some(one.name.clone()) };
    OwnAddresses {
        listed: links.into_iter().map(link).collect(),
        all: found.iter().map(|one| one.ip.to_canonical()).collect(),
    }
}

/// The addresses in a file: on each line one, and perhaps the name of its interface. The order is that of the
/// links.
fn read_addresses(text: &str) -> Result<OwnAddresses, String> {
    let mut addresses = OwnAddresses::default();
    for (at, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else { continue };
        let ip = first.parse().ok().filter(|ip| is_for_links(*ip)).ok_or_else(|| {
            let line = at + 1;
            format!(
                "line {line} is an address that other devices reach, as in 192.0.2.7 wlan0, and not {first:?}"
            )
        })?;
        addresses.listed.push(OwnAddress { ip, interface: words.next().map(str::to_owned) });
        addresses.all.push(ip.to_canonical());
    }
    Ok(addresses)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interface(name: &str, ip: &str) -> InterfaceAddress {
        InterfaceAddress { name: name.to_owned(), ip: ip.parse().unwrap(), is_running: true }
    }

    fn links(found: &[InterfaceAddress], on_the_way_out: Option<&str>) -> Vec<String> {
        let addresses = listed_addresses(found, on_the_way_out.map(|ip| ip.parse().unwrap()));
        assert_eq!(addresses.all.len(), found.len(), "every address is an own one");
        let text = |one: &OwnAddress| format!("{} {}", one.interface.as_deref().unwrap_or_default(), one.ip);
        addresses.listed.iter().map(text).collect()
    }

    #[test]
    fn six_interfaces_have_a_link_each_and_the_way_out_comes_first() {
        let found = [
            interface("lo", "127.0.0.1"),
            interface("docker0", "172.17.0.1"),
            interface("eth0", "198.51.100.4"),
            interface("wlan0", "192.0.2.7"),
            interface("wlan0", "192.0.2.8"),
            interface("tun0", "10.8.0.2"),
            interface("eth1", "169.254.7.7"),
            interface("eth1", "2001:db8::7"),
            interface("virbr0", "192.168.122.1"),
            interface("lo", "::1"),
            interface("wlan0", "fe80::7"),
        ];
        let due = [
            "wlan0 192.0.2.7",
            "eth0 198.51.100.4",
            "eth1 2001:db8::7",
            "docker0 172.17.0.1",
            "tun0 10.8.0.2",
            "virbr0 192.168.122.1",
        ];
        assert_eq!(links(&found, Some("192.0.2.7")), due);
        assert_eq!(links(&found, Some("192.0.2.8"))[0], "wlan0 192.0.2.8");
        assert_eq!(links(&found, None)[0], "eth0 198.51.100.4", "without a way out in their own order");
    }

    #[test]
    fn an_interface_that_does_not_run_comes_last() {
        let down = InterfaceAddress { is_running: false, ..interface("eth0", "198.51.100.4") };
        assert_eq!(
            links(&[down, interface("wlan0", "192.0.2.7")], None),
            ["wlan0 192.0.2.7", "eth0 198.51.100.4"]
        );
    }

    #[test]
    fn a_machine_without_a_network_has_no_link() {
        let found = [interface("lo", "127.0.0.1"), interface("lo", "::1"), interface("wlan0", "fe80::7")];
        assert_eq!(links(&found, None), [""; 0]);
        assert_eq!(links(&[], None), [""; 0]);
    }

    #[test]
    fn the_interfaces_of_this_machine_can_be_read() {
        let found = AddressSource::Interfaces.look().unwrap();
        assert!(found.all.iter().any(IpAddr::is_loopback), "{found:?}");
        assert!(found.listed.iter().all(|one| is_for_links(one.ip)), "{found:?}");
    }

    #[test]
    fn a_file_has_an_address_a_line_with_the_name_of_its_interface() {
        let addresses = read_addresses("192.0.2.7 wlan0\n\n  2001:db8::7\n").unwrap();
        assert_eq!(addresses.listed.len(), 2);
        assert_eq!(addresses.listed[0].interface.as_deref(), Some("wlan0"));
        assert_eq!(addresses.listed[1].interface, None);
        assert_eq!(addresses.all, addresses.listed.iter().map(|one| one.ip).collect::<Vec<_>>());
        assert_eq!(read_addresses(""), Ok(OwnAddresses::default()));
    }

    #[test]
    fn a_line_that_is_no_address_for_others_is_refused_with_its_number() {
        for line in ["pavilion", "127.0.0.1", "::1", "0.0.0.0", "fe80::7", "192.0.2.7:8080", "192.0.2"] {
            let refused = read_addresses(&format!("192.0.2.7\n{line}\n")).unwrap_err();
            assert!(refused.contains("line 2") && refused.contains(line), "{refused}");
            assert!(refused.contains("192.0.2.7 wlan0"), "{refused}");
        }
    }
}

//! The names of the service in the hosts file of the machine, where every engine looks.

use std::fs::OpenOptions;
use std::io::Write;
use std::net::ToSocketAddrs;

const HOSTS: &str = "/etc/hosts";
/// The line that the names need.
pub const LINE: &str = "127.0.0.1 table.test pavilion.test";

/// Whether this machine knows the names, which whoever may write the file enters.
pub fn are_known() -> bool {
    let mut names = LINE.split(' ').skip(1);
    names.all(is_this_machine) || is_entered()
}

fn is_this_machine(name: &str) -> bool {
    let mut addresses = (name, 0).to_socket_addrs().into_iter().flatten().peekable();
    addresses.peek().is_some() && addresses.all(|address| address.ip().is_loopback())
}

fn is_entered() -> bool {
    let opened = OpenOptions::new().append(true).open(HOSTS);
    opened.and_then(|mut hosts| writeln!(hosts, "\n{LINE}")).is_ok()
}

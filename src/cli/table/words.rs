//! What a table prints. Without a terminal no key is among it: what a program prints there may be kept.

use std::net::IpAddr;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::http::{NetworkTable, OwnAddress, ScanCode};

/// The signs of a key that a fragment has in another form.
const OF_A_FRAGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// That no request of another device was answered so far.
pub const NOBODY_CAME: &str = "No other device has come yet.\n";
/// That a request of another device was answered.
pub const SOMEBODY_CAME: &str = "Another device has come.\n";

/// A link to Home with the key in its fragment, which no browser sends.
pub fn with_key(link: &str, key: &str) -> String {
    format!("{link}#key={}", utf8_percent_encode(key, OF_A_FRAGMENT))
}

/// A link with the code for it.
fn code(link: &str) -> String {
    match ScanCode::of(link) {
        Some(code) => format!("\n{}\n", code.lines()),
        None => "The link is too long for a code.\n".to_owned(),
    }
}

/// The links for other devices, one a line, each with its interface.
fn links(table: &NetworkTable, link: impl Fn(IpAddr) -> String) -> String {
    let name =
        |one: &OwnAddress| one.interface.as_ref().map_or_else(String::new, |name| format!(" ({name})"));
    let line = |one: &OwnAddress| format!("  {}{}\n", link(one.ip), name(one));
    table.addresses().listed.iter().map(line).collect()
}

/// Where other devices find the table: a link for each interface, then for the first one the code to watch,
/// and the one that makes matches. The key is there only for a terminal.
pub fn places(table: &NetworkTable, key: Option<&str>) -> String {
    let Some(first) = table.links().into_iter().next() else {
        return "This machine is in no network, so no other device reaches it. Join a wifi, or open a hotspot on a \
                phone and join that: the links are then printed here.\n"
            .to_owned();
    };
    let others = links(table, |ip| table.link(ip));
    let Some(key) = key else {
        return format!(
            "Other devices of the network watch at\n{others}To make matches, open the link that `third-umpire \
             table-key` prints on this machine.\n"
        );
    };
    let secret = with_key(&first, key);
    format!(
        "Other devices of the network watch at\n{others}or scan this code:\n{}To make matches, scan this one, or \
         open {secret}\n{}Whoever has seen the second code can make matches and hand out every token.\n",
        code(&first),
        code(&secret),
    )
}

/// The places of a table whose addresses have changed. A table has moved only from one link to another:
/// before and after it may be in no network.
pub fn moved(table: &NetworkTable, key: Option<&str>, had_link: bool) -> String {
    let news = if had_link && !table.links().is_empty() { "This table has moved.\n" } else { "" };
    format!("\n{news}{}", places(table, key))
}

/// What to look at where no other device comes, one line each.
pub fn hints(table: &NetworkTable) -> String {
    format!(
        "No other device has come yet. Look at these:\n\
         - The phone is in the same wifi as this machine.\n\
         - The wifi is not one for guests: such a network keeps devices apart.\n\
         - Mobile data is off on the phone.\n\
         - The firewall of this machine lets devices in: {}\n\
         - This machine does not sleep.\n\
         - Or open a hotspot on a phone, and join it with this machine.\n",
        table.firewall()
    )
}

/// What `table-key` prints: the key, the link on this machine and those of other devices, and the code of the
/// first one.
pub fn key(table: &NetworkTable, here: &str, key: &str) -> String {
    let first = table.links().into_iter().next();
    let others = links(table, |ip| with_key(&table.link(ip), key));
    let code = first.map_or_else(String::new, |link| code(&with_key(&link, key)));
    format!("{key}\n  {}\n{others}{code}", with_key(here, key))
}

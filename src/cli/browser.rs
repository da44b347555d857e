//! Opens a page of the service in the browser of this machine.

use std::process::{Command, Stdio};

/// The program that opens an address, with what comes before the address.
const OPENER: &[&str] = if cfg!(target_os = "macos") {
    &["open"]
} else if cfg!(windows) {
    &["cmd", "/c", "start", ""]
} else {
    &["xdg-open"]
};

/// Opens the address. A machine without a browser goes on serving: whoever started it reads the address.
pub fn open(address: &str) {
    let [program, before @ ..] = OPENER else { return };
    let mut command = Command::new(program);
    command.args(before).arg(address);
    let started = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    match started {
        // The opener ends by itself; a thread waits for it, so that it leaves no process behind.
        Ok(mut child) => drop(std::thread::spawn(move || child.wait())),
        Err(error) => tracing::warn!(%error, "{program} cannot be started: open {address} yourself"),
    }
}

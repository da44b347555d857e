//! The command that opens the firewall of this machine.

use std::path::Path;

/// The folders of programs for the administrator, some of which are in nobody's `PATH`.
const FOLDERS: [&str; 4] = ["/usr/sbin", "/sbin", "/usr/bin", "/usr/local/sbin"];

/// The command that opens the firewall of this machine for a port.
pub fn command(port: u16) -> String {
    let is_there = |program: &str| FOLDERS.iter().any(|folder| Path::new(folder).join(program).exists());
    command_on(std::env::consts::OS, is_there, port)
}

fn command_on(system: &str, is_there: impl Fn(&str) -> bool, port: u16) -> String {
    match system {
        "linux" if is_there("ufw") => format!("sudo ufw allow {port}/tcp"),
        "linux" if is_there("firewall-cmd") => format!("sudo firewall-cmd --add-port={port}/tcp"),
        "linux" if is_there("nft") && !is_there("iptables") => {
            format!("sudo nft insert rule inet filter input tcp dport {port} accept")
        }
        "linux" => format!("sudo iptables -I INPUT -p tcp --dport {port} -j ACCEPT"),
        "macos" => {
            let program = std::env::current_exe().ok();
            let program = program.as_deref().unwrap_or(Path::new("third-umpire")).display().to_string();
            format!("sudo /usr/libexec/ApplicationFirewall/socketfilterfw --unblockapp '{program}'")
        }
        _ => format!("let TCP port {port} in"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_system_has_the_command_of_the_firewall_that_is_there() {
        for (system, there, due) in [
            ("linux", &["ufw", "firewall-cmd", "iptables"][..], "sudo ufw allow 8080/tcp"),
            ("linux", &["firewall-cmd", "nft"], "sudo firewall-cmd --add-port=8080/tcp"),
            ("linux", &["nft"], "sudo nft insert rule inet filter input tcp dport 8080 accept"),
            ("linux", &["nft", "iptables"], "sudo iptables -I INPUT -p tcp --dport 8080 -j ACCEPT"),
            ("linux", &[], "sudo iptables -I INPUT -p tcp --dport 8080 -j ACCEPT"),
            ("freebsd", &["ufw"], "let TCP port 8080 in"),
        ] {
            assert_eq!(
                command_on(system, |program| there.contains(&program), 8080),
                due,
                "{system} {there:?}"
            );
        }
        let of_macos = command_on("macos", |_| false, 8080);
        assert!(of_macos.contains("socketfilterfw --unblockapp '/"), "{of_macos}");
    }
}

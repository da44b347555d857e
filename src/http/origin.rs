//! The check of `Host` and `Origin`: whether a request is meant for this service, and comes from its own
//! page.
//!
//! A browser lets any page send requests anywhere. A page whose name its owner points to 127.0.0.1 can even
//! read the responses from there (DNS rebinding). `Host` and `Origin` identify such pages, and no page can
//! forge them.

use std::sync::Arc;

use super::host::Host;
use super::table::NetworkTable;
use crate::commands::{Problem, ProblemType};
use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{RequestHead, ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{HOST, ORIGIN};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, ResponseError};

/// A host, with its port where one is named.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Authority {
    host: Host,
    port: Option<u16>,
}

impl Authority {
    fn read(text: &str) -> Option<Authority> {
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => (host, port),
            _ => (text, ""),
        };
        if !port.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let port = if port.is_empty() { None } else { Some(port.parse().ok()?) };
        Some(Authority { host: Host::read(host)?, port })
    }

    fn without_port(self, default: u16) -> Authority {
        Authority { port: self.port.filter(|port| *port != default), ..self }
    }

    /// Whether a page of this origin comes from this authority. The scheme does not count, since TLS may end
    /// at a proxy; but the scheme's default port may be left out.
    fn is_origin(&self, origin: &str) -> bool {
        let Some((default, from)) = origin_of(origin) else { return false };
        self.clone().without_port(default) == from.without_port(default)
    }
}

/// The authority of an origin, and the default port of its scheme.
fn origin_of(origin: &str) -> Option<(u16, Authority)> {
    let (scheme, authority) = origin.split_once("://")?;
    let default = match scheme.to_ascii_lowercase().as_str() {
        "http" => 80,
        "https" => 443,
        _ => return None,
    };
    Some((default, Authority::read(authority)?))
}

/// The hosts to which a service answers.
pub struct Hosts {
    named: Vec<Host>,
    /// Whether every other host is accepted as well.
    any: bool,
    /// The table whose own names and addresses are the only other ones, where the service is a table.
    table: Option<Arc<NetworkTable>>,
}

impl Hosts {
    /// The named hosts. Where none is named and creating matches needs the admin token, every host is
    /// accepted. A table accepts no other than its own.
    pub fn new(named: Vec<Host>, has_admin_token: bool, table: Option<Arc<NetworkTable>>) -> Hosts {
        let any = has_admin_token && named.is_empty() && table.is_none();
        Hosts { named, any, table }
    }

    /// Whether every host is accepted.
    pub fn take_any(&self) -> bool {
        self.any
    }

    /// Whether a host is accepted: it is named, or no attacker can point it here. Addresses need no lookup,
    /// and names that end in `localhost` are not looked up at all. A name that ends in `local` is looked up
    /// in the network around, where any machine may answer for it.
    fn take(&self, host: &Host) -> bool {
        let is_local = match host {
            Host::Address(_) => self.table.is_none(),
            Host::Name(name) => name == "localhost" || name.ends_with(".localhost"),
        };
        is_local || self.named.contains(host) || self.table.as_ref().is_some_and(|table| table.is_here(host))
    }

    /// The problem of a request that is refused; none where the request is accepted.
    fn refusal(&self, head: &RequestHead) -> Option<Problem> {
        let text = host_of(head);
        let authority = text.as_deref().and_then(Authority::read);
        if !self.any && !authority.as_ref().is_some_and(|authority| self.take(&authority.host)) {
            return Some(misdirected(text.as_deref(), self.table.is_some()));
        }
        if [Method::GET, Method::HEAD, Method::OPTIONS].contains(&head.method) {
            return None;
        }
        let mut origins = head.headers.get_all(ORIGIN).map(|value| value.to_str().unwrap_or_default());
        let origin = origins.next()?;
        let own = authority.is_some_and(|authority| authority.is_origin(origin));
        let named = origin_of(origin).is_some_and(|(_, from)| self.named.contains(&from.host));
        ((!own && !named) || origins.next().is_some()).then(|| foreign(origin))
    }
}

/// The host that a request names: in its target, where that is a whole URI (RFC 9112, 3.2.2), or else in
/// `Host`.
fn host_of(head: &RequestHead) -> Option<String> {
    if let Some(authority) = head.uri.authority() {
        return Some(authority.to_string());
    }
    let mut hosts = head.headers.get_all(HOST);
    let host = hosts.next()?.to_str().unwrap_or_default().to_owned();
    hosts.next().is_none().then_some(host)
}

fn misdirected(host: Option<&str>, is_table: bool) -> Problem {
    let named = host.map_or_else(|| "no host".to_owned(), |host| format!("{host:?}"));
    let own = if is_table { "the names and addresses of its own machine" } else { "addresses" };
    let message = format!(
        "this service does not answer to {named}: it answers to localhost, to {own}, and to the names it is \
         started with (--host)"
    );
    Problem::at(ProblemType::MisdirectedRequest, "header.Host", message)
}

fn foreign(origin: &str) -> Problem {
    let message = format!(
        "a page of {origin:?} may not change anything here: its origin is neither the Host of this request nor a name that \
         the service is started with (--host)"
    );
    Problem::at(ProblemType::ForeignOrigin, "header.Origin", message)
}

/// Lets a request through if it is meant for this service, and any page that sent it is the service's own.
pub async fn own_hosts_only(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let hosts = request.app_data::<Data<Hosts>>();
    match hosts.and_then(|hosts| hosts.refusal(request.head())) {
        Some(problem) => Ok(request.into_response(problem.error_response())),
        None => {
            let table = request.app_data::<Data<Hosts>>().and_then(|hosts| hosts.table.clone());
            if let Some(table) = table {
                table.answers(request.peer_addr().map(|peer| peer.ip()));
            }
            Ok(next.call(request).await?.map_into_boxed_body())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(named: &[&str], has_admin_token: bool) -> Hosts {
        Hosts::new(named.iter().map(|name| Host::named(name).unwrap()).collect(), has_admin_token, None)
    }

    /// The problem with which a request of this method, Host and origins is refused.
    fn refused(hosts: &Hosts, method: Method, host: &str, origins: &[&str]) -> Option<ProblemType> {
        let mut request = actix_web::test::TestRequest::default().method(method).insert_header((HOST, host));
        for origin in origins {
            request = request.append_header((ORIGIN, *origin));
        }
        hosts.refusal(request.to_http_request().head()).map(|problem| problem.kind())
    }

    #[test]
    fn a_host_is_accepted_if_it_is_this_machine_an_address_or_named() {
        let own = hosts(&["cricket.example", "pavilion.local"], false);
        for host in [
            "localhost",
            "LocalHost:8080",
            "localhost.",
            "localhost:",
            "a.b.localhost",
            "127.0.0.1",
            "127.0.0.1:1",
            "192.168.1.7:8080",
            "[::1]",
            "[::1]:8080",
            "[2001:db8::7]",
            "cricket.example",
            "CRICKET.example.:443",
            "pavilion.local",
            "Pavilion.Local.:80",
        ] {
            assert_eq!(refused(&own, Method::GET, host, &[]), None, "{host}");
        }
        for host in [
            "evil.example",
            "evil.example:80",
            "local",
            "scorer.local",
            "Scorer.Local.:80",
            "www.pavilion.local",
            "evillocalhost",
            "localhost.evil.example",
            "www.cricket.example",
            "cricket.example.evil.example",
            "127.0.0.1.evil.example",
            "127.1",
            "2130706433",
            "0x7f.0.0.1",
            "::1",
            "[::1",
            "[localhost]",
            "[fe80::1%25lo]",
            "",
            ".",
            "..local",
            "a..local",
            "localhost:http",
            "localhost:99999",
            "localhost:80:80",
            "localhost,evil.example",
            "me@localhost",
            "localhost/",
            " localhost",
        ] {
            assert_eq!(
                refused(&own, Method::GET, host, &[]),
                Some(ProblemType::MisdirectedRequest),
                "{host}"
            );
            assert_eq!(refused(&hosts(&[], true), Method::GET, host, &[]), None, "{host}");
        }
    }

    #[test]
    fn a_table_takes_its_own_names_and_addresses_and_no_other() {
        use crate::http::table::{OwnAddresses, TableSetup};
        let addresses = OwnAddresses { listed: Vec::new(), all: vec!["192.0.2.7".parse().unwrap()] };
        let names = vec![Host::named("laptop").unwrap(), Host::named("laptop.local").unwrap()];
        let (firewall, admin_token_is_key) = (String::new(), false);
        let setup = TableSetup { port: 8080, names, addresses, firewall, admin_token_is_key };
        let named = vec![Host::named("pavilion.local").unwrap(), Host::named("203.0.113.9").unwrap()];
        let hosts = Hosts::new(named, true, Some(Arc::new(NetworkTable::new(setup))));
        for host in [
            "localhost:8080",
            "127.0.0.1:8080",
            "[::1]:8080",
            "192.0.2.7:8080",
            "laptop:8080",
            "Laptop.local.",
            "pavilion.local",
            "203.0.113.9",
        ] {
            assert_eq!(refused(&hosts, Method::GET, host, &[]), None, "{host}");
            assert_eq!(refused(&hosts, Method::POST, host, &[&format!("http://{host}")]), None, "{host}");
        }
        for host in ["evil.example", "phone.local", "192.0.2.8:8080", "[2001:db8::7]", ""] {
            assert_eq!(
                refused(&hosts, Method::GET, host, &[]),
                Some(ProblemType::MisdirectedRequest),
                "{host}"
            );
        }
        let foreign = refused(&hosts, Method::POST, "192.0.2.7:8080", &["http://192.0.2.8:8080"]);
        assert_eq!(foreign, Some(ProblemType::ForeignOrigin));
    }

    #[test]
    fn a_target_that_is_a_whole_uri_counts_and_not_its_host() {
        let own = hosts(&[], false);
        let request = |uri: &str, host: &str| {
            let request = actix_web::test::TestRequest::default().uri(uri).insert_header((HOST, host));
            own.refusal(request.to_http_request().head()).map(|problem| problem.kind())
        };
        assert_eq!(request("http://evil.example/", "localhost"), Some(ProblemType::MisdirectedRequest));
        assert_eq!(request("http://localhost/", "evil.example"), None);
        assert_eq!(request("/", "localhost"), None);
    }

    #[test]
    fn a_target_without_one_host_belongs_to_nobody() {
        let (own, any) = (hosts(&[], false), hosts(&[], true));
        let two = actix_web::test::TestRequest::default()
            .append_header((HOST, "localhost"))
            .append_header((HOST, "localhost"));
        for request in [actix_web::test::TestRequest::default(), two] {
            let request = request.to_http_request();
            assert_eq!(own.refusal(request.head()).unwrap().kind(), ProblemType::MisdirectedRequest);
            assert!(any.refusal(request.head()).is_none());
        }
    }

    #[test]
    fn a_page_changes_something_at_its_own_host_and_at_those_that_are_named_together() {
        let own = hosts(&["cricket.example", "192.0.2.7"], false);
        for (host, origin) in [
            ("127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("localhost", "http://localhost"),
            ("localhost", "http://localhost:80"),
            ("localhost:80", "http://LOCALHOST"),
            ("localhost", "https://localhost"),
            ("localhost:443", "https://localhost"),
            ("[::1]:8080", "http://[::1]:8080"),
            ("127.0.0.1:8080", "https://cricket.example"),
            ("127.0.0.1:8080", "https://cricket.example.:8443"),
            ("127.0.0.1:8080", "http://192.0.2.7"),
        ] {
            assert_eq!(refused(&own, Method::POST, host, &[origin]), None, "{host} {origin}");
        }
        for (host, origin) in [
            ("127.0.0.1:8080", "http://evil.example"),
            ("127.0.0.1:8080", "http://127.0.0.1:8081"),
            ("127.0.0.1:8080", "http://127.0.0.1"),
            ("127.0.0.1:8080", "http://localhost:8080"),
            ("localhost", "http://localhost:443"),
            ("127.0.0.1:8080", "null"),
            ("127.0.0.1:8080", ""),
            ("127.0.0.1:8080", "127.0.0.1:8080"),
            ("127.0.0.1:8080", "ftp://127.0.0.1:8080"),
            ("127.0.0.1:8080", "http://127.0.0.1:8080/"),
            ("127.0.0.1:8080", "http://127.0.0.1:8080 http://evil.example"),
            ("127.0.0.1:8080", "https://evil.cricket.example"),
        ] {
            let foreign = Some(ProblemType::ForeignOrigin);
            assert_eq!(refused(&own, Method::POST, host, &[origin]), foreign, "{host} {origin}");
            assert_eq!(refused(&hosts(&[], true), Method::POST, host, &[origin]), foreign, "{host} {origin}");
            assert_eq!(refused(&own, Method::DELETE, host, &[origin]), foreign, "{host} {origin}");
            assert_eq!(refused(&own, Method::GET, host, &[origin]), None, "{host} {origin}");
        }
        let twice = ["http://localhost", "http://localhost"];
        assert_eq!(refused(&own, Method::POST, "localhost", &twice), Some(ProblemType::ForeignOrigin));
        assert_eq!(refused(&own, Method::POST, "localhost", &[]), None);
    }
}

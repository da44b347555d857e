//! An HTTP client of the service, which checks every answer against the OpenAPI document.

use std::collections::BTreeSet;
use std::io::{BufReader, Read};
use std::sync::{Arc, Barrier};
use std::time::Duration;

use flate2::bufread::GzDecoder;
use serde_json::Value;
use ureq::http::{self, Response};
use ureq::{Agent, Body};

use super::answer::Answer;
use super::contract::CONTRACT;
use super::returned::Returned;
use super::stream::EventStream;

/// The timeout of a request, long enough for the slowest machine; no test waits for it to pass.
const PATIENCE: Duration = Duration::from_secs(120);

/// The preference for an answer that represents what was changed.
const PREFERRED: &str = "return=representation";

/// A client of one instance. It checks every answer against the OpenAPI document.
#[derive(Clone)]
pub struct Client {
    base: String,
    agent: Agent,
    /// The appends that returned the view of the match, where each is asked to.
    returned: Option<Returned>,
}

impl Client {
    pub fn new(base: &str) -> Client {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .allow_non_standard_methods(true)
            // The service closes an unused connection later than this.
            .max_idle_age(Duration::from_secs(2))
            .timeout_global(Some(PATIENCE));
        Client { base: base.to_owned(), agent: config.build().into(), returned: None }
    }

    /// A client of the same instance with connections of its own.
    pub fn with_own_connections(&self) -> Client {
        Client::new(&self.base)
    }

    /// A client whose appends return the view of the match. Each view is held against a read of the match
    /// with the same token.
    pub fn comparing(&self) -> Client {
        Client { returned: Some(Returned::default()), ..self.clone() }
    }

    /// The paths of the appends whose views were held against a read.
    pub fn compared(&self) -> BTreeSet<String> {
        self.returned.as_ref().map(Returned::paths).unwrap_or_default()
    }

    pub fn request(&self, method: &'static str, path: &str) -> Request {
        let (path, headers) = (path.to_owned(), Vec::new());
        Request { client: self.clone(), method, path, headers, body: None, listed: true }
    }

    pub fn get(&self, path: &str) -> Answer {
        self.request("GET", path).send()
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.request("POST", path).json(body).send()
    }

    /// The address of the instance, as HOST:PORT.
    pub fn authority(&self) -> &str {
        self.base.trim_start_matches("http://")
    }
}

/// A request before it is sent.
pub struct Request {
    client: Client,
    method: &'static str,
    path: String,
    headers: Vec<(String, String)>,
    body: Option<Vec<u8>>,
    listed: bool,
}

impl Request {
    /// The path, with the query if there is one.
    pub fn path(&self) -> &str {
        &self.path
    }

    pub fn header(mut self, name: &str, value: &str) -> Request {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn token(self, token: &str) -> Request {
        self.header("Authorization", &format!("Bearer {token}"))
    }

    /// Requires this head, by `If-Match`.
    pub fn if_match(self, hash: &str) -> Request {
        self.header("If-Match", &format!("\"{hash}\""))
    }

    pub fn key(self, key: &str) -> Request {
        self.header("Idempotency-Key", key)
    }

    pub fn json(self, body: &Value) -> Request {
        self.raw("application/json", body.to_string())
    }

    pub fn raw(self, content_type: &str, body: impl Into<Vec<u8>>) -> Request {
        let mut request = self.header("Content-Type", content_type);
        request.body = Some(body.into());
        request
    }

    /// Marks a path that is served but is no operation of the API, such as a page of the documentation.
    pub fn unlisted(mut self) -> Request {
        self.listed = false;
        self
    }

    /// Sends the request; no answer fails the test.
    #[track_caller]
    pub fn send(self) -> Answer {
        let line = self.line();
        self.try_send().unwrap_or_else(|error| panic!("{line} got no answer: {error}"))
    }

    /// Sends the request, and returns its answer if there is one.
    #[track_caller]
    pub fn try_send(mut self) -> Result<Answer, ureq::Error> {
        let returned = self.client.returned.take().filter(|_| self.method == "POST");
        let Some((returned, path)) =
            returned.and_then(|all| Some((all, CONTRACT.representing_at(&self.path)?)))
        else {
            return self.answered();
        };
        let view = self.view();
        let (before, answer) = (self.view().answered()?, self.header("Prefer", PREFERRED).answered()?);
        if (before.status, answer.status) == (200, 201) {
            returned.holds(path, &before, &answer, &view.answered()?);
        }
        Ok(answer)
    }

    /// The request for the match of this one, with the same token.
    fn view(&self) -> Request {
        let path = self.path.split('/').take(4).collect::<Vec<_>>().join("/");
        let tokens = self.headers.iter().filter(|(name, _)| name == "Authorization").cloned();
        Request { headers: tokens.collect(), ..self.client.request("GET", &path) }
    }

    #[track_caller]
    fn answered(self) -> Result<Answer, ureq::Error> {
        let (method, path, listed, request) = (self.method, self.path.clone(), self.listed, self.line());
        let (parts, body) = self.run(None)?.into_parts();
        let sent = body.into_with_config().limit(64 << 20).read_to_vec()?;
        let (bytes_sent, coding) = (sent.len(), parts.headers.get("content-encoding"));
        let body = match coding.and_then(|coding| coding.to_str().ok()) {
            Some(coding) if !sent.is_empty() => decoded(coding, &sent),
            _ => sent,
        };
        let answer =
            Answer { request, status: parts.status.as_u16(), headers: parts.headers, body, bytes_sent };
        CONTRACT.check(method, &path, &answer, listed);
        Ok(answer)
    }

    /// Opens a stream of server-sent events.
    #[track_caller]
    pub fn follow(self) -> EventStream {
        let line = self.line();
        let response = self.run(Some(PATIENCE)).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(response.status().as_u16(), 200, "{line}");
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert!(response.headers().contains_key("x-request-id"));
        EventStream::new(BufReader::new(response.into_body().into_reader()))
    }

    fn line(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    fn run(self, per_read: Option<Duration>) -> Result<Response<Body>, ureq::Error> {
        let mut request =
            http::Request::builder().method(self.method).uri(format!("{}{}", self.client.base, self.path));
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let agent = &self.client.agent;
        match (self.body, self.method) {
            (None, "POST") => agent.run(request.body(Vec::new())?),
            (None, _) => {
                let request = agent.configure_request(request.body(())?).timeout_per_read(per_read);
                agent.run(request.build())
            }
            (Some(body), _) => agent.run(request.body(body)?),
        }
    }
}

/// The text of a body that was sent in this coding.
fn decoded(coding: &str, sent: &[u8]) -> Vec<u8> {
    let (mut text, mut rest) = (Vec::new(), sent);
    let read = match coding {
        "gzip" => GzDecoder::new(&mut rest).read_to_end(&mut text),
        "br" => brotli::Decompressor::new(&mut rest, 4_096).read_to_end(&mut text),
        other => panic!("{other:?} is no coding that the service has"),
    };
    read.unwrap_or_else(|error| panic!("an answer in {coding} is not: {error}"));
    assert!(rest.is_empty(), "an answer ends with its {coding}");
    text
}

/// Sends requests at the same time, and waits for all their answers.
pub fn at_once(requests: Vec<Request>) -> Vec<Answer> {
    let start = Arc::new(Barrier::new(requests.len()));
    let send = |request: Request| {
        let start = Arc::clone(&start);
        std::thread::spawn(move || {
            start.wait();
            request.send()
        })
    };
    let threads: Vec<_> = requests.into_iter().map(send).collect();
    threads.into_iter().map(|thread| thread.join().expect("the request is answered")).collect()
}

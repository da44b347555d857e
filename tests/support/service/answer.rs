//! Answers of the service, and assertions on them.

use serde_json::Value;
use ureq::http::HeaderMap;

/// The entity tag of an answer about a match as of the event with this hash, without its quotes.
pub fn tag_of(hash: &str) -> String {
    format!("{hash}.{}", third_umpire::views::FORM)
}

/// An HTTP answer of the service.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The method and path of the request, for messages.
    pub request: String,
    pub status: u16,
    pub headers: HeaderMap,
    /// The body, decoded.
    pub body: Vec<u8>,
    /// The size of the body as it was sent.
    pub bytes_sent: usize,
}

impl Answer {
    /// The value of a header, empty if it is missing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The media type without its parameters.
    pub fn essence(&self) -> &str {
        self.header("content-type").split(';').next().unwrap_or_default().trim()
    }

    /// The entity tag without its quotes.
    #[track_caller]
    pub fn tag(&self) -> &str {
        let tag = self.header("etag").strip_prefix('"').and_then(|tag| tag.strip_suffix('"'));
        tag.unwrap_or_else(|| panic!("{} has no entity tag", self.request))
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("the service answers in UTF-8")
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{}: {error} in {:?}", self.request, self.text()))
    }

    #[track_caller]
    pub fn has_status(&self, status: u16) -> &Answer {
        assert_eq!(self.status, status, "{} answered {}", self.request, self.text());
        self
    }

    /// The body of an answer, which has to have this status.
    #[track_caller]
    pub fn expect(&self, status: u16) -> Value {
        self.has_status(status).json()
    }

    /// The problem of an answer, which has to have this status and this slug.
    #[track_caller]
    pub fn refused(&self, status: u16, slug: &str) -> Refusal {
        let problem = self.expect(status);
        assert_eq!(problem["type"], format!("/problems/{slug}"), "{} answered {problem}", self.request);
        Refusal { request: self.request.clone(), problem }
    }
}

/// A problem in an answer.
#[derive(Debug, Clone)]
pub struct Refusal {
    request: String,
    pub problem: Value,
}

impl Refusal {
    /// Asserts that the problem has an error at this location, with a message.
    #[track_caller]
    pub fn at(self, location: &str) -> Refusal {
        let errors = self.problem["errors"].as_array().expect("a problem has a list of errors");
        let found = errors.iter().find(|error| error["location"] == location);
        let message = found.and_then(|error| error["message"].as_str()).unwrap_or_default();
        assert!(!message.is_empty(), "{}: nothing about {location} in {}", self.request, self.problem);
        self
    }

    /// Asserts that the problem has an error at this location or inside it.
    #[track_caller]
    pub fn within(self, location: &str) -> Refusal {
        let errors = self.problem["errors"].as_array().expect("a problem has a list of errors");
        let lies_here = |error: &Value| {
            let rest = error["location"].as_str().and_then(|found| found.strip_prefix(location));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        assert!(errors.iter().any(lies_here), "{}: nothing in {location} in {}", self.request, self.problem);
        self
    }

    /// Asserts that the problem's detail contains all of these words.
    #[track_caller]
    pub fn says(self, words: &[&str]) -> Refusal {
        let detail = self.problem["detail"].as_str().unwrap_or_default();
        for word in words {
            assert!(detail.contains(word), "{}: no {word:?} in {}", self.request, self.problem);
        }
        self
    }

    /// Asserts that the problem cites this ruling, with its text.
    #[track_caller]
    pub fn by(self, ruling: &str) -> Refusal {
        assert_eq!(self.problem["ruling"]["id"], ruling, "{}: {}", self.request, self.problem);
        assert!(self.problem["ruling"]["text"].as_str().is_some_and(|text| text.len() > 10));
        self
    }

    /// Asserts that the problem lists exactly this as legal.
    #[track_caller]
    pub fn legal(self, legal: Value) -> Refusal {
        assert_eq!(self.problem["legal"], legal, "{}: {}", self.request, self.problem);
        self
    }
}

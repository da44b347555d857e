//! Answers of the service, and what a scenario says of them.

use serde_json::Value;
use ureq::http::HeaderMap;

/// What the service answered.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The request, for messages.
    pub asked: String,
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    /// A header; empty if it is not there.
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
        tag.unwrap_or_else(|| panic!("{} has no entity tag", self.asked))
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("the service answers in UTF-8")
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{}: {error} in {:?}", self.asked, self.text()))
    }

    #[track_caller]
    pub fn has_status(&self, status: u16) -> &Answer {
        assert_eq!(self.status, status, "{} answered {}", self.asked, self.text());
        self
    }

    /// The body of an answer that has to have this status.
    #[track_caller]
    pub fn expect(&self, status: u16) -> Value {
        self.has_status(status).json()
    }

    /// The problem, which has to be this one.
    #[track_caller]
    pub fn refused(&self, status: u16, slug: &str) -> Refusal {
        let problem = self.expect(status);
        assert_eq!(problem["type"], format!("/problems/{slug}"), "{} answered {problem}", self.asked);
        Refusal { asked: self.asked.clone(), problem }
    }
}

/// A problem that was answered.
#[derive(Debug, Clone)]
pub struct Refusal {
    asked: String,
    pub problem: Value,
}

impl Refusal {
    /// The fault lies here, and the message there is not empty.
    #[track_caller]
    pub fn at(self, location: &str) -> Refusal {
        let errors = self.problem["errors"].as_array().expect("a problem has a list of errors");
        let found = errors.iter().find(|error| error["location"] == location);
        let message = found.and_then(|error| error["message"].as_str()).unwrap_or_default();
        assert!(!message.is_empty(), "{}: nothing about {location} in {}", self.asked, self.problem);
        self
    }

    /// The fault lies here, or in something in it.
    #[track_caller]
    pub fn within(self, location: &str) -> Refusal {
        let errors = self.problem["errors"].as_array().expect("a problem has a list of errors");
        let lies_here = |error: &Value| {
            let rest = error["location"].as_str().and_then(|found| found.strip_prefix(location));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        assert!(errors.iter().any(lies_here), "{}: nothing in {location} in {}", self.asked, self.problem);
        self
    }

    /// The words about it hold all of these.
    #[track_caller]
    pub fn says(self, words: &[&str]) -> Refusal {
        let detail = self.problem["detail"].as_str().unwrap_or_default();
        for word in words {
            assert!(detail.contains(word), "{}: no {word:?} in {}", self.asked, self.problem);
        }
        self
    }

    /// This rule refused, with its sentence.
    #[track_caller]
    pub fn by(self, ruling: &str) -> Refusal {
        assert_eq!(self.problem["ruling"]["id"], ruling, "{}: {}", self.asked, self.problem);
        assert!(self.problem["ruling"]["text"].as_str().is_some_and(|text| text.len() > 10));
        self
    }

    /// Exactly this is legal instead.
    #[track_caller]
    pub fn legal(self, legal: Value) -> Refusal {
        assert_eq!(self.problem["legal"], legal, "{}: {}", self.asked, self.problem);
        self
    }
}

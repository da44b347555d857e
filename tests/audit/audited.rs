//! The report of an audit, with assertions on it.

use serde_json::Value;
use third_umpire::audit::Verdict;
use third_umpire::games;
use third_umpire_test_support::logs::{Forger, Log};

/// The value of a field that is absent.
pub const NOTHING: &str = "nothing";

/// The report of an audit, as text and as JSON.
pub struct Audited {
    pub clean: bool,
    pub text: String,
    pub json: Value,
}

/// Audits a log without a known head.
pub fn audit(log: &Log) -> Audited {
    Audited::of(log, None)
}

/// Audits a log with a known head.
pub fn audit_expecting(log: &Log, head: &str) -> Audited {
    Audited::of(log, Some(head))
}

impl Audited {
    fn of(log: &Log, expect_head: Option<&str>) -> Audited {
        let report = third_umpire::audit::audit(log.text().as_bytes(), expect_head);
        let report = report.unwrap_or_else(|broken| panic!("the log is not readable: {broken}"));
        let audited = Audited {
            clean: report.verdict == Verdict::Clean,
            json: serde_json::to_value(&report).unwrap(),
            text: report.to_string(),
        };
        audited.check_text_and_json();
        audited
    }

    /// Asserts that text and JSON carry the same verdict, and that a finding never lists a field without a
    /// difference.
    fn check_text_and_json(&self) {
        let clean = self.json["verdict"] == "clean";
        assert_eq!((clean, self.text.starts_with("CLEAN")), (self.clean, clean), "{}", self.text);
        assert_eq!(self.json["divergence"].is_null(), clean, "{}", self.text);
        for finding in self.findings() {
            for difference in finding["differences"].as_array().unwrap() {
                let line = difference_line(difference);
                assert_ne!(
                    value_of(difference, "recorded"),
                    value_of(difference, "expected"),
                    "{}",
                    self.text
                );
                assert!(
                    !line.is_ascii() || self.text.contains(&line),
                    "{line} is missing in:\n{}",
                    self.text
                );
            }
            for ruling in finding["rulings"].as_array().unwrap() {
                let line = format!("    {}: {}\n", string(&ruling["id"]), string(&ruling["text"]));
                assert!(self.text.contains(&line), "{line} is missing in:\n{}", self.text);
            }
        }
    }

    fn findings(&self) -> &[Value] {
        self.json["divergence"]["findings"].as_array().map_or(&[], Vec::as_slice)
    }

    fn lines(&self, list: &str) -> Vec<&str> {
        self.json[list].as_array().unwrap().iter().map(string).collect()
    }

    /// The report's lines on what is proved.
    pub fn proved(&self) -> Vec<&str> {
        self.lines("proved")
    }

    fn proves(&self, text: &str) -> bool {
        self.proved().iter().any(|line| line.contains(text))
    }

    /// Asserts that the log is clean, and that exactly these things could not be proved: a part of each line,
    /// in order.
    pub fn is_clean(&self, not_proved: &[&str]) -> &Audited {
        assert!(self.clean, "{}", self.text);
        let mut lines = self.lines("not_proved");
        // The report on every clean log says what no audit can prove.
        let mut always = vec!["times and authors"];
        always.extend((!self.proves("expected head")).then_some("that nothing was taken out"));
        for always in always {
            let at = lines.iter().position(|line| line.starts_with(always));
            lines.remove(at.unwrap_or_else(|| panic!("{always} is missing:\n{}", self.text)));
        }
        assert_eq!(lines.len(), not_proved.len(), "{}", self.text);
        for (line, text) in lines.iter().zip(not_proved) {
            assert!(line.contains(text), "{text:?} is missing in {line:?}");
            assert!(self.text.contains(&format!("not proved: {line}\n")), "{}", self.text);
        }
        self
    }

    /// Asserts that the log diverges at this event, for a ball with this delivery, by findings of exactly
    /// these checks.
    pub fn diverges(&self, seq: u64, kind: &str, delivery: Option<u32>, checks: &[&str]) -> &Audited {
        let divergence = &self.json["divergence"];
        let found: Vec<&str> = self.findings().iter().map(|finding| string(&finding["check"])).collect();
        let place = (&divergence["seq"], &divergence["kind"], &divergence["delivery"]);
        let delivery = delivery.map_or(Value::Null, Value::from);
        assert_eq!(place, (&seq.into(), &kind.into(), &delivery), "{}", self.text);
        assert_eq!(found, checks, "{}", self.text);
        assert!(!self.clean);
        let mut headline = format!("DIVERGES at event {seq} ({kind})");
        if !delivery.is_null() {
            headline += &format!(", delivery {delivery}");
        }
        assert!(self.text.starts_with(&headline), "{}", self.text);
        self
    }

    /// Asserts that the message of this check's finding contains a text.
    pub fn with_message(&self, check: &str, text: &str) -> &Audited {
        let finding = self.findings().iter().find(|finding| finding["check"] == check);
        let message = finding.map_or("", |finding| string(&finding["message"]));
        assert!(message.contains(text), "no finding of {check} says {text:?}:\n{}", self.text);
        self
    }

    /// Asserts that a finding of this check has these values of a field; [`NOTHING`] where the field is
    /// absent or should be, which is not null.
    pub fn field(
        &self,
        check: &str,
        field: &str,
        recorded: impl Into<Value>,
        expected: impl Into<Value>,
    ) -> &Audited {
        let (recorded, expected) = (recorded.into(), expected.into());
        let found = self.findings().iter().filter(|finding| finding["check"] == check).any(|finding| {
            finding["differences"].as_array().unwrap().iter().any(|difference| {
                difference["field"] == field
                    && value_of(difference, "recorded") == recorded
                    && value_of(difference, "expected") == expected
            })
        });
        assert!(found, "{check} does not find {field}: {recorded}, not {expected}:\n{}", self.text);
        self
    }

    /// Asserts that the finding of this check cites exactly these rulings, each with its text.
    pub fn citing(&self, check: &str, ids: &[&str]) -> &Audited {
        let finding = self.findings().iter().find(|finding| finding["check"] == check);
        let rulings = finding.and_then(|finding| finding["rulings"].as_array()).unwrap();
        let cited: Vec<&str> = rulings.iter().map(|ruling| string(&ruling["id"])).collect();
        assert_eq!(cited, ids, "{}", self.text);
        for ruling in rulings {
            assert_eq!(ruling["text"], games::BUILT_IN.ruling(string(&ruling["id"])).unwrap().text);
        }
        self
    }
}

fn value_of(difference: &Value, member: &str) -> Value {
    difference.get(member).cloned().unwrap_or_else(|| NOTHING.into())
}

fn difference_line(difference: &Value) -> String {
    let shown = |member: &str| difference.get(member).map_or(NOTHING.to_owned(), Value::to_string);
    let field = string(&difference["field"]);
    format!("    {field}: the log says {}, and it should be {}\n", shown("recorded"), shown("expected"))
}

fn string(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// A forgery, audited with the chain left broken and with the chain mended.
pub struct Forged {
    pub broken: Audited,
    pub mended: Audited,
}

impl Forged {
    pub fn of(forger: Forger) -> Forged {
        Forged { broken: audit(&forger.clone().broken()), mended: audit(&forger.mended()) }
    }

    /// Asserts that both forgeries diverge at this event, the broken one also by its chain. Returns the
    /// mended one.
    pub fn diverge(&self, seq: u64, kind: &str, delivery: Option<u32>, checks: &[&str]) -> &Audited {
        let with_chain = [&["chain"], checks].concat();
        self.broken
            .diverges(seq, kind, delivery, &with_chain)
            .with_message("chain", "not the SHA-256 of this event");
        self.mended.diverges(seq, kind, delivery, checks)
    }
}

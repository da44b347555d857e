//! What an audit says of a log, and what a test can say about that.

use serde_json::Value;
use third_umpire::audit::Verdict;
use third_umpire::games;
use third_umpire_test_support::logs::{Forger, Log};

/// What is said of a field that is not there.
pub const NOTHING: &str = "nothing";

/// What an audit says of a log, as text and as JSON.
pub struct Audited {
    pub clean: bool,
    pub text: String,
    pub json: Value,
}

/// Audits a log.
pub fn audit(log: &Log) -> Audited {
    Audited::of(log, None)
}

/// Audits a log whose head is known.
pub fn audit_expecting(log: &Log, head: &str) -> Audited {
    Audited::of(log, Some(head))
}

impl Audited {
    fn of(log: &Log, expect_head: Option<&str>) -> Audited {
        let report = third_umpire::audit::audit(log.text().as_bytes(), expect_head);
        let report = report.unwrap_or_else(|broken| panic!("it is a match log: {broken}"));
        let audited = Audited {
            clean: report.verdict == Verdict::Clean,
            json: serde_json::to_value(&report).unwrap(),
            text: report.to_string(),
        };
        audited.says_the_same_twice();
        audited
    }

    /// Text and JSON carry the same verdict, and a finding never lists a field in which nothing differs.
    fn says_the_same_twice(&self) {
        let clean = self.json["verdict"] == "clean";
        assert_eq!((clean, self.text.starts_with("CLEAN")), (self.clean, clean), "{}", self.text);
        assert_eq!(self.json["divergence"].is_null(), clean, "{}", self.text);
        for finding in self.findings() {
            for difference in finding["differences"].as_array().unwrap() {
                let line = difference_line(difference);
                assert_ne!(said(difference, "recorded"), said(difference, "expected"), "{}", self.text);
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

    fn lines(&self, of: &str) -> Vec<&str> {
        self.json[of].as_array().unwrap().iter().map(string).collect()
    }

    /// What the program says it proved.
    pub fn proved(&self) -> Vec<&str> {
        self.lines("proved")
    }

    fn proves(&self, part: &str) -> bool {
        self.proved().iter().any(|line| line.contains(part))
    }

    fn lacks(&self, part: &str) -> bool {
        self.lines("not_proved").iter().any(|line| line.contains(part))
    }

    /// The log is clean, and this is all that could not be proved: a part of each line, in order.
    pub fn is_clean(&self, not_proved: &[&str]) -> &Audited {
        assert!(self.clean, "{}", self.text);
        let mut lines = self.lines("not_proved");
        // What no audit can prove is said of every clean log.
        let mut always = vec!["times and authors"];
        let (head_known, ended) = (self.proves("head expected"), !self.lacks("still in play"));
        always.extend((!head_known).then_some("that no correction was erased"));
        always.extend((!head_known && ended).then_some("that no correction came after the end"));
        for always in always {
            let at = lines.iter().position(|line| line.starts_with(always));
            lines.remove(at.unwrap_or_else(|| panic!("{always} is missing:\n{}", self.text)));
        }
        assert_eq!(lines.len(), not_proved.len(), "{}", self.text);
        for (line, part) in lines.iter().zip(not_proved) {
            assert!(line.contains(part), "{part:?} is missing in {line:?}");
            assert!(self.text.contains(&format!("not proved: {line}\n")), "{}", self.text);
        }
        self
    }

    /// The log diverges at this event, for a ball with this delivery, and these checks found that, each once.
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

    /// A finding of this check says so in words.
    pub fn saying(&self, check: &str, part: &str) -> &Audited {
        let finding = self.findings().iter().find(|finding| finding["check"] == check);
        let message = finding.map_or("", |finding| string(&finding["message"]));
        assert!(message.contains(part), "{check} does not say {part:?}:\n{}", self.text);
        self
    }

    /// A finding of this check says what the log says of a field, and what it should be; [`NOTHING`] where
    /// the field is not there or should not be, which is not null.
    pub fn field(
        &self,
        check: &str,
        field: &str,
        recorded: impl Into<Value>,
        expected: impl Into<Value>,
    ) -> &Audited {
        let (recorded, expected) = (recorded.into(), expected.into());
        let said = self.findings().iter().filter(|finding| finding["check"] == check).any(|finding| {
            finding["differences"].as_array().unwrap().iter().any(|difference| {
                difference["field"] == field
                    && said(difference, "recorded") == recorded
                    && said(difference, "expected") == expected
            })
        });
        assert!(said, "{check} does not say {field}: {recorded}, not {expected}:\n{}", self.text);
        self
    }

    /// A finding of this check cites these rulings and no others, each with the sentence of the rules.
    pub fn citing(&self, check: &str, ids: &[&str]) -> &Audited {
        let finding = self.findings().iter().find(|finding| finding["check"] == check);
        let rulings = finding.and_then(|finding| finding["rulings"].as_array()).unwrap();
        let cited: Vec<&str> = rulings.iter().map(|ruling| string(&ruling["id"])).collect();
        assert_eq!(cited, ids, "{}", self.text);
        for ruling in rulings {
            assert_eq!(ruling["text"], games::ruling(string(&ruling["id"])).unwrap().text);
        }
        self
    }
}

fn said(difference: &Value, side: &str) -> Value {
    difference.get(side).cloned().unwrap_or_else(|| NOTHING.into())
}

fn difference_line(difference: &Value) -> String {
    let told = |side: &str| difference.get(side).map_or(NOTHING.to_owned(), Value::to_string);
    let field = string(&difference["field"]);
    format!("    {field}: the log says {}, and it should be {}\n", told("recorded"), told("expected"))
}

fn string(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// One forgery, audited with the chain left broken and with the chain mended.
pub struct Forged {
    pub broken: Audited,
    pub mended: Audited,
}

impl Forged {
    pub fn of(forger: Forger) -> Forged {
        Forged { broken: audit(&forger.clone().broken()), mended: audit(&forger.mended()) }
    }

    /// Both forgeries are found at this event, the one with the broken chain by the chain too. The other is
    /// handed on.
    pub fn diverge(&self, seq: u64, kind: &str, delivery: Option<u32>, checks: &[&str]) -> &Audited {
        let with_chain = [&["chain"], checks].concat();
        self.broken
            .diverges(seq, kind, delivery, &with_chain)
            .saying("chain", "not the SHA-256 of this event");
        self.mended.diverges(seq, kind, delivery, checks)
    }
}

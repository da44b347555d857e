//! The log of a Postgres server, read as the transactions of the service: their statements, the matches among
//! the parameters, and the partitions that the plans touch.

use std::collections::{BTreeMap, BTreeSet};

use third_umpire::store::BY_MATCH;
use third_umpire_test_support::service::{Cluster, Database};
use uuid::Uuid;

/// What the service's connections call themselves, which begins each of their lines in the log.
const SERVICE: &str = "third-umpire|";

/// What makes the server log each statement with its parameters and its plan. A plan is made for the
/// parameters, so that it has only the partitions that they need.
const SETTINGS: [&str; 7] = [
    "load 'auto_explain'",
    "alter system set session_preload_libraries = 'auto_explain'",
    "alter system set auto_explain.log_min_duration = 0",
    "alter system set log_statement = 'all'",
    "alter system set log_line_prefix = '%a|%v|'",
    "alter system set plan_cache_mode = 'force_custom_plan'",
    "select pg_reload_conf()",
];

/// Makes the server log what the connections do that are opened from now on.
pub fn begin(database: &Database) {
    let mut session = database.session();
    for setting in SETTINGS {
        session.run(setting).expect(setting);
    }
}

/// A statement of the service.
#[derive(Debug, Default)]
pub struct Statement {
    pub text: String,
    /// The matches among its parameters.
    pub matches: BTreeSet<Uuid>,
    /// The partitions in its plan, by their number: those of all tables with one number are in one place.
    pub parts: BTreeSet<char>,
}

impl Statement {
    pub fn writes(&self) -> bool {
        ["insert", "update", "delete", "with"].iter().any(|word| self.text.starts_with(word))
    }
}

/// The transactions of the service, each with its statements in order. One without statements but those that
/// begin and end it is left out.
pub fn transactions(cluster: &Cluster) -> Vec<Vec<Statement>> {
    let log = std::fs::read_to_string(cluster.folder().join("log")).expect("the server has a log");
    read(&log)
}

fn read(log: &str) -> Vec<Vec<Statement>> {
    let mut transactions: BTreeMap<String, Vec<Statement>> = BTreeMap::new();
    for entry in entries(log) {
        let Some((transaction, message)) = entry.split_once('|') else { continue };
        let statements = transactions.entry(transaction.to_owned()).or_default();
        if let Some(told) = message.strip_prefix("LOG:  ") {
            if let Some(text) = text_of(told) {
                statements.push(Statement { text, ..Statement::default() });
            } else if let Some((_, plan)) = told.split_once(" plan:\n")
                && let Some(last) = statements.last_mut()
            {
                last.parts.extend(plan.lines().filter_map(part));
            }
        } else if let (Some(told), Some(last)) = (message.strip_prefix("DETAIL:  "), statements.last_mut()) {
            last.matches.extend(quoted(told).iter().filter_map(|value| Uuid::parse_str(value).ok()));
        }
    }
    transactions.into_values().filter(|statements| !statements.is_empty()).collect()
}

/// The entries of the service, without what begins their first line. Further lines of an entry begin with a
/// tab.
fn entries(log: &str) -> Vec<String> {
    let (mut entries, mut is_ours): (Vec<String>, bool) = (Vec::new(), false);
    for line in log.lines() {
        match (line.strip_prefix('\t'), line.strip_prefix(SERVICE)) {
            (Some(more), _) if is_ours => entries.last_mut().expect("one has begun").extend(["\n", more]),
            (Some(_), _) => {}
            (None, Some(first)) => {
                is_ours = true;
                entries.push(first.to_owned());
            }
            (None, None) => is_ours = false,
        }
    }
    entries
}

/// The statement that an entry tells of, but for one that only begins or ends a transaction or sets an
/// option.
fn text_of(told: &str) -> Option<String> {
    let text = match told.strip_prefix("statement: ") {
        Some(text) => text,
        None => told.strip_prefix("execute ")?.split_once(": ")?.1,
    };
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let first = text.split([' ', ';']).next().unwrap_or_default().to_lowercase();
    let is_work = !text.is_empty() && !["begin", "commit", "rollback", "set"].contains(&first.as_str());
    is_work.then_some(text)
}

/// The number of the partition that a line of a plan reads or writes.
fn part(line: &str) -> Option<char> {
    let (_, rest) = line.split_once(" on ")?;
    let relation = rest.split_whitespace().next()?;
    let (table, number) = relation.trim_end_matches("_pkey").rsplit_once('_')?;
    let number = number.chars().next()?;
    (BY_MATCH.contains(&table) && number.is_ascii_digit()).then_some(number)
}

/// The texts between quotes. A quote inside of a text is doubled.
fn quoted(told: &str) -> Vec<String> {
    let (mut values, mut inside) = (Vec::new(), None::<String>);
    let mut letters = told.chars().peekable();
    while let Some(letter) = letters.next() {
        match inside.as_mut() {
            None if letter == '\'' => inside = Some(String::new()),
            None => {}
            Some(value) if letter != '\'' => value.push(letter),
            Some(value) if letters.next_if_eq(&'\'').is_some() => value.push('\''),
            Some(_) => values.extend(inside.take()),
        }
    }
    values
}

#[test]
fn a_server_log_is_read_as_transactions() {
    const ONE: &str = "01900000-0000-7000-8000-000000000001";
    let log = format!(
        "third-umpire|3/7|LOG:  statement: BEGIN\n\
         psql|4/1|LOG:  statement: delete from heads\n\
         \twhere true\n\
         third-umpire|3/7|LOG:  execute sqlx_s_1: update heads set seq = $1\n\
         \twhere match_id = $2\n\
         third-umpire|3/7|DETAIL:  parameters: $1 = '2', $2 = '{ONE}', $3 = 'it''s no '' {ONE}'\n\
         third-umpire|5/9|LOG:  execute <unnamed>: select body from match_list\n\
         third-umpire|3/7|LOG:  duration: 0.1 ms  plan:\n\
         \tQuery Text: update heads set seq = $1 where match_id = $2\n\
         \tUpdate on heads  (cost=1)\n\
         \t  Update on heads_3 heads_1\n\
         \t  ->  Index Scan using heads_3_pkey on heads_3 heads_1  (cost=1)\n\
         third-umpire|5/9|LOG:  duration: 0.1 ms  plan:\n\
         \tQuery Text: select body from match_list\n\
         \t  ->  Seq Scan on match_list_0 match_list_1\n\
         \t  ->  Bitmap Index Scan on match_list_2_pkey\n\
         third-umpire|3/7|LOG:  statement: COMMIT\n\
         third-umpire|3/8|LOG:  statement: set lock_timeout = '5s'; set statement_timeout = '60s'\n"
    );
    let read = read(&log);
    let [update, select] = read.as_slice() else { panic!("{read:?}") };
    let [update] = update.as_slice() else { panic!("{update:?}") };
    assert_eq!(update.text, "update heads set seq = $1 where match_id = $2");
    assert!(update.writes());
    assert_eq!(update.matches, BTreeSet::from([Uuid::parse_str(ONE).expect("an id")]));
    assert_eq!(update.parts, BTreeSet::from(['3']));
    let [select] = select.as_slice() else { panic!("{select:?}") };
    assert!(!select.writes() && select.matches.is_empty());
    assert_eq!(select.parts, BTreeSet::from(['0', '2']));
}

//! Matches that are played on spread tables by two instances. Afterwards the server's log shows that each
//! transaction wrote to one match, and which reads asked more than one machine.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::SystemTime;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use third_umpire::service::sweep;
use third_umpire::store::{self, CommitMode, Migrate};
use third_umpire_test_support::service::{
    Client, Database, Match, Sides, chained, cubes, fresh_hex, last_event, remote, seeded, sha256, table,
    with,
};
use tokio::runtime::Builder;
use uuid::Uuid;

use super::server_log::{self, Statement, transactions};
use super::{on_a_stand_in, serve, succeeds};

/// Statements that do not name one match, each by its beginning, with the reason.
type Exceptions = &'static [(&'static str, &'static str)];

/// The transactions that write and do not name one match, by their first write.
const WRITES: Exceptions = &[
    ("insert into editions ", "an edition belongs to no match, and every machine has it"),
    (
        "delete from match_list where match_id not in (select match_id from heads)",
        "a rebuild first drops the projections of matches without a log, whose ids nobody knows",
    ),
];

/// The reads that ask more than one machine.
const READS: Exceptions = &[
    (
        "select match_id, body, form, last_at, seq from match_list where ",
        "the list has matches of every machine",
    ),
    (
        "select match_id, seq from heads where match_id in (",
        "one query finds the events of other instances in all matches that clients follow",
    ),
    (
        "select match_id from heads where match_id > $1 order by match_id limit $2",
        "a rebuild and a sweep walk over all matches",
    ),
];

/// Whether a statement begins like one of these exceptions, which is then noted.
fn is_among(exceptions: Exceptions, statement: &Statement, used: &mut BTreeSet<&'static str>) -> bool {
    let found = exceptions.iter().find(|(begin, _)| statement.text.starts_with(begin));
    used.extend(found.map(|(begin, _)| begin));
    found.is_some()
}

/// Asserts that a transaction that writes names one match in every write, and touches the partitions of one
/// place.
fn writes_to_one_match(transaction: &[Statement]) {
    let matches: BTreeSet<_> = transaction.iter().flat_map(|statement| &statement.matches).collect();
    assert_eq!(matches.len(), 1, "one match: {transaction:#?}");
    let parts: BTreeSet<_> = transaction.iter().flat_map(|statement| &statement.parts).collect();
    assert!(parts.len() <= 1, "one place: {transaction:#?}");
    for write in transaction.iter().filter(|statement| statement.writes()) {
        assert_eq!(write.matches.len(), 1, "each write names the match: {transaction:#?}");
    }
}

/// Asserts that all transactions keep to one match, but for the exceptions, and that each exception is one.
fn each_keeps_to_one_match(transactions: &[Vec<Statement>]) {
    let mut used = BTreeSet::new();
    let (mut writing, mut reading) = (0, 0);
    for transaction in transactions {
        if transaction.iter().any(Statement::writes) {
            let first = transaction.iter().find(|statement| statement.writes()).expect("one writes");
            if !is_among(WRITES, first, &mut used) {
                writes_to_one_match(transaction);
                writing += 1;
            }
            continue;
        }
        for read in transaction {
            reading += usize::from(read.parts.len() == 1);
            let is_spread = read.parts.len() > 1;
            assert!(
                !is_spread || is_among(READS, read, &mut used),
                "this read asks every machine: {read:#?}"
            );
        }
    }
    let listed: BTreeSet<&str> = WRITES.iter().chain(READS).map(|(begin, _)| *begin).collect();
    assert_eq!(used, listed, "an exception is listed that is none any more");
    assert!(writing > 100 && reading > 100, "{writing} writing transactions, {reading} reads");
}

/// Asserts that these tables were written, each in a statement that names its match.
fn every_table_was_written(transactions: &[Vec<Statement>]) {
    let texts: BTreeSet<&str> = transactions.iter().flatten().map(|one| one.text.as_str()).collect();
    for table in third_umpire::store::BY_MATCH {
        assert!(texts.iter().any(|text| text.starts_with(&format!("insert into {table} "))), "{table}");
    }
}

/// Plays the three games whole, one with an edition of its own.
fn whole_matches(client: &Client) -> Vec<Match> {
    let edition = club_edition(client);
    let posted = client.post("/v1/editions", &edition).expect(201);
    let side =
        |name: &str, team: usize| json!({"name": name, "players": {"team": edition["teams"][team]["name"]}});
    let of_an_edition = json!({
        "game": "cricket-the-game", "rules": {"format": "t10"}, "edition": posted["sha256"],
        "home": side("Harbour Road", 0), "away": side("Mill Lane", 1), "dice": "seeded",
    });
    let play = |request: Value| {
        let played = Match::create(client, &request);
        ["over", "match"].iter().for_each(|until| {
            played.post("/autoplay", &json!({"until": until})).expect(201);
        });
        assert_eq!(played.view()["status"], "completed");
        played
    };
    [seeded(2), cubes(2), of_an_edition].map(play).into()
}

/// The built-in edition under another name.
fn club_edition(client: &Client) -> Value {
    let listed = client.get("/v1/editions").expect(200);
    let sha256 = listed["editions"][0]["sha256"].as_str().expect("a hash");
    with(client.get(&format!("/v1/editions/{sha256}")).expect(200), "/id", json!("club"))
}

/// A match at a table with a review, a correction of each kind, a dispute and new tokens.
fn disputed_match(client: &Client) -> Match {
    let played = Match::create(client, &with(table(2), "/rules/drs", json!("house")));
    let played = played.begin();
    let bowl = |dice: &[i64]| played.post("/balls", &json!({"dice": dice, "accept": true})).expect(201);
    [[2, 4], [5, 5]].iter().for_each(|dice| drop(bowl(dice)));
    let review = played.post("/reviews", &json!({"by": "home", "dice": [5]})).expect(201);
    assert_eq!(last_event(&review)["data"]["verdict"], "upheld");
    [[2, 1], [2, 3], [2, 6]].iter().for_each(|dice| drop(bowl(dice)));
    played.post("/corrections", &json!({"voids_from": 5, "reason": "bowled by mistake"})).expect(201);
    played.post("/corrections", &json!({"amends": 4, "dice": [2, 4], "reason": "misread"})).expect(201);
    let claim = json!({"delivery": 3, "claim": "the die was cocked", "by": "home"});
    let dispute = || played.posting("/disputes", &claim).key("dispute").send().expect(201);
    assert_eq!(dispute(), dispute());
    let rotated = |role: &str| {
        let token = played.post(&format!("/tokens/{role}/rotate"), &json!({})).expect(201)["token"].clone();
        Match { token: token.as_str().expect("a token").to_owned(), ..played.clone() }
    };
    let umpire = rotated("umpire");
    let ruling = json!({"ruling": "we have looked at it", "finding": "stands"});
    umpire.post("/disputes/1/ruling", &ruling).expect(201);
    let scorer = rotated("scorer");
    played.post("/balls", &json!({"dice": [2, 3]})).refused(403, "token-refused");
    scorer.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    scorer
}

/// A match of two sides that seal their choices.
fn remote_match(client: &Client) -> Match {
    let sides = Sides::in_play(client, &remote(1));
    sides.choose_as_dealt();
    sides.bowl_over();
    sides.give_up_and_audit();
    sides.scorer
}

/// A match that two instances score in turn and at once, with a key for each ball, while a client follows it.
fn match_of_two_instances(here: &Client, there: &Client) -> Match {
    let played = Match::create(here, &seeded(50));
    let mut stream = there.request("GET", &played.path("/events/stream?after=0")).follow();
    played.begin();
    let bowl = |client: &Client, key: &str| loop {
        let answer = played.through(client).posting("/balls", &json!({})).key(key).send();
        if answer.status != 503 {
            return answer.expect(201);
        }
        answer.refused(503, "contended");
    };
    for ball in 0..4 {
        let key = format!("ball-{ball}");
        let (one, other) = if ball % 2 == 0 { (here, there) } else { (there, here) };
        assert_eq!(bowl(one, &key), bowl(other, &key), "a repeat at the other instance");
    }
    std::thread::scope(|scope| {
        for (writer, client) in [here, there, here, there].into_iter().enumerate() {
            let bowl = &bowl;
            scope.spawn(move || {
                (0..3).for_each(|ball| drop(bowl(client, &format!("writer-{writer}-{ball}"))))
            });
        }
    });
    played.post("/abandonment", &json!({"reason": "bad light"})).expect(201);
    let events = played.events();
    assert_eq!(events.iter().filter(|event| event["kind"] == "ball").count(), 4 + 4 * 3);
    assert_eq!(stream.take(events.len()), events);
    played
}

/// A match whose tokens the clients have made. It is created, claimed, handed over and taken back at two
/// instances, and each request is sent to both.
fn handed_over_match(here: &Client, there: &Client) -> Match {
    let fresh = || format!("tu_{}", fresh_hex());
    let hash = |token: &String| json!({"token_sha256": sha256(token)});
    let (id, [scorer, home, away, taker, back]) =
        (Uuid::now_v7().to_string(), [fresh(), fresh(), fresh(), fresh(), fresh()]);
    let invites = json!({"home": sha256(&home), "away": sha256(&away)});
    let body = with(with(table(1), "/id", json!(id)), "/token_sha256", json!(sha256(&scorer)));
    let body = with(body, "/invite_sha256", invites);
    let at_both = |path: &str, token: Option<&String>, body: &Value| {
        // Each request has a key of its own.
        let key = sha256(format!("{path} {body}"));
        let send = |client: &Client| {
            let request = client.request("POST", path).json(body).key(&key);
            token.into_iter().fold(request, |request, token| request.token(token)).send().expect(201)
        };
        assert_eq!(send(here), send(there), "a repeat at the other instance");
    };
    at_both("/v1/matches", None, &body);
    let played = Match { client: here.clone(), id, token: scorer.clone() };
    let claim = played.path("/tokens/claim");
    at_both(&claim, None, &with(hash(&fresh()), "/invite", json!(home)));
    played.begin();
    let (used, offer) = (fresh(), played.path("/tokens/scorer/invite"));
    for invite in [fresh(), used.clone()] {
        played.post("/tokens/scorer/invite", &json!({"invite_sha256": sha256(&invite)})).expect(201);
    }
    at_both(&claim, None, &with(hash(&taker), "/invite", json!(used)));
    there.request("DELETE", &offer).token(&taker).send().has_status(204);
    at_both(&played.path("/tokens/scorer/rotate"), Some(&scorer), &hash(&back));
    let played = Match { token: back, ..played };
    played.post("/abandonment", &json!({"reason": "the phone is flat"})).expect(201);
    played
}

/// Matches that one instance scores while a client follows all of them at the other.
fn followed_matches(here: &Client, there: &Client) -> Vec<Match> {
    let played: Vec<Match> = (0..12).map(|_| Match::create(here, &table(1))).collect();
    let follow = |one: &Match| there.request("GET", &one.path("/events/stream?after=0")).follow();
    let streams: Vec<_> = played.iter().map(follow).collect();
    for one in &played {
        one.begin();
    }
    for (one, mut stream) in played.iter().zip(streams) {
        assert_eq!(stream.take(3), one.events());
    }
    played
}

/// Asserts that a log is whole and clean, and that the command line makes the card that the service shows.
fn agrees_with_the_command_line(played: &Match, folder: &Path) {
    chained(&played.events());
    played.audits_clean();
    let file = folder.join(format!("{}.ndjson", played.id)).display().to_string();
    std::fs::write(&file, played.get("/log?with=edition").text()).expect("the folder is ours");
    succeeds(&["audit", &file, "--expect-head", &played.head().hash]);
    let card: Value =
        serde_json::from_str(&succeeds(&["scorecard", &file, "--format", "json"])).expect("a card");
    assert_eq!(card, played.get("/scorecard").expect(200));
}

/// Makes all events a month old, as only a superuser can, who switches the triggers off.
fn age(database: &Database) {
    let aged = "set session_replication_role = replica; update events set at = at - interval '31 days'";
    database.run(aged).expect("a superuser can");
}

/// Sweeps as a service does in a month, and returns how many keys were removed.
fn sweep_in_a_month(database: &Database) -> u64 {
    let runtime = Builder::new_multi_thread().enable_all().build().expect("there is room for a thread");
    runtime.block_on(async {
        let commit = CommitMode::Single { writers: 1 };
        let store = store::open(&database.url, Migrate::Check, commit).await.expect("it is there");
        let then = DateTime::<Utc>::from(SystemTime::now()) + TimeDelta::days(31);
        let removed = sweep(store.as_ref(), then).await.expect("the owner can");
        store.close().await;
        removed
    })
}

/// Sweeps, rebuilds and makes projections of an earlier form anew.
fn maintain(database: &Database, client: &Client) {
    let on_the_database =
        |command: &str| succeeds(&[command, "--no-group-commit", "--database", &database.url]);
    let before = database.everything();
    assert!(on_the_database("rebuild").ends_with("left unchanged: 0\n"));
    assert_eq!(database.everything(), before, "a rebuild changes nothing");
    database.run("update match_list set form = 0; update views set form = 0").expect("the owner can");
    client.get("/v1/matches?limit=100").expect(200);
    assert_eq!(database.everything()["match_list"], before["match_list"], "the list is made anew");
    age(database);
    // The ids tell that the matches are young, so none is asked.
    assert_eq!(on_the_database("sweep"), "removed 0 idempotency keys older than 30 days\n");
    assert_eq!(sweep_in_a_month(database), before["idempotency"].len() as u64);
}

#[test]
fn matches_on_spread_tables_are_whole_and_each_transaction_keeps_to_one() {
    on_a_stand_in(|deployment, cluster, url| {
        let database = deployment.database();
        server_log::begin(database);
        let (here, there) = (serve(deployment, url), serve(deployment, url));
        here.client().get("/readyz").expect(200);
        let mut played = whole_matches(here.client());
        played.push(disputed_match(there.client()));
        played.push(remote_match(here.client()));
        played.push(match_of_two_instances(here.client(), there.client()));
        played.push(handed_over_match(here.client(), there.client()));
        played.extend(followed_matches(here.client(), there.client()));
        for one in &played {
            agrees_with_the_command_line(&one.through(there.client()), deployment.folder());
        }
        maintain(database, here.client());
        for one in &played {
            agrees_with_the_command_line(one, deployment.folder());
        }
        let transactions = transactions(cluster);
        each_keeps_to_one_match(&transactions);
        every_table_was_written(&transactions);
    });
}

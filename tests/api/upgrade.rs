//! A store that an earlier version has filled: what it has stored for readers is of another form, counts as
//! missing, and is made anew when it is read.

use std::collections::BTreeMap;

use serde_json::json;
use third_umpire_test_support::service::{
    Client, Deployment, InProcess, Match, PROJECTIONS, Process, Rebuilder, Serving, run, seeded, table, until,
};
use third_umpire_test_support::{on_both_engines, on_own_stores};

const LISTS: [&str; 5] = ["", "?limit=100", "?status=in_play", "?game=howzat&limit=2", "?team=Mill%20Lane"];
const STORED: [&str; 3] = ["/scorecard", "/fall-of-wickets", "/reviews"];
const FOLDED: [&str; 9] = [
    "",
    "/commentary",
    "/deliveries",
    "/replay",
    "/corrections",
    "/disputes",
    "/changed-choices",
    "/read-anew",
    "/exceptions",
];

/// The tags and texts of answers, by path.
type Answers = BTreeMap<String, (String, String)>;

/// Reads these paths, in this order.
#[track_caller]
fn read(client: &Client, paths: impl Iterator<Item = String>) -> Answers {
    let answered = |path: String| {
        let answer = client.get(&path);
        let read = (answer.has_status(200).tag().to_owned(), answer.text().to_owned());
        (path, read)
    };
    paths.map(answered).collect()
}

fn lists() -> impl Iterator<Item = String> {
    LISTS.iter().map(|query| format!("/v1/matches{query}"))
}

/// The paths of matches, without the list.
fn cards(ids: &[String]) -> impl Iterator<Item = String> {
    let rests = STORED.iter().chain(&FOLDED);
    ids.iter().flat_map(move |id| rests.clone().map(move |rest| format!("/v1/matches/{id}{rest}")))
}

/// The ids of the matches of a store, the newest first.
fn ids(client: &Client) -> Vec<String> {
    let listed = client.get("/v1/matches?limit=100").expect(200);
    let listed = listed["matches"].as_array().expect("a list").iter();
    listed.map(|entry| entry["id"].as_str().expect("an id").to_owned()).collect()
}

#[track_caller]
fn rebuild(deployment: &Deployment) {
    let done = run(&["rebuild", "--database", &deployment.database().url]);
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
}

/// Asserts that a store of an earlier version answers as one that was rebuilt, read by this order of paths.
fn answers_as_rebuilt(deployment: &Deployment, order: impl Fn(&[String]) -> Vec<String>) {
    Deployment::of_an_earlier_version(deployment.database().engine, |rebuilt| {
        rebuild(rebuilt);
        let paths = order(&ids(rebuilt.client()));
        assert!(paths.len() > 60, "there are matches of all games");
        let due = read(rebuilt.client(), paths.iter().cloned());
        assert_eq!(read(deployment.client(), paths.iter().cloned()), due);
        let rows = rebuilt.database().rows(PROJECTIONS);
        assert_eq!(deployment.database().rows(PROJECTIONS), rows, "all that was made anew is stored");
        let restarted = deployment.serve();
        assert_eq!(read(restarted.client(), paths.iter().cloned()), due);
    });
}

on_both_engines!(
    a_store_of_an_earlier_version_answers_as_a_rebuilt_one,
    Deployment::of_an_earlier_version,
    |deployment| answers_as_rebuilt(deployment, |ids| cards(ids).chain(lists()).collect())
);

on_both_engines!(
    a_list_of_an_earlier_version_is_made_anew_page_by_page,
    Deployment::of_an_earlier_version,
    |deployment| answers_as_rebuilt(deployment, |ids| lists().chain(cards(ids)).collect())
);

on_both_engines!(
    a_match_of_an_earlier_version_is_played_on,
    Deployment::of_an_earlier_version,
    |deployment| {
        let before = ids(deployment.client());
        let played = deployment.create(&table(1));
        played.begin().play_step();
        assert_eq!(ids(deployment.client())[1..], before);
    }
);

/// A match of each status.
fn matches(deployment: &Deployment) -> Vec<Match> {
    let [created, in_play, abandoned] = [0; 3].map(|_| deployment.create(&table(1)));
    in_play.begin().bowl(&[2, 4]);
    abandoned.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    let completed = deployment.create(&seeded(1));
    completed.post("/autoplay", &json!({"until": "match"})).expect(201);
    vec![created, in_play, abandoned, completed]
}

on_own_stores!(a_document_of_another_form_is_never_served, |deployment| {
    let matches = matches(deployment);
    let ids: Vec<String> = matches.iter().map(|played| played.id.clone()).collect();
    let due = read(deployment.client(), lists().chain(cards(&ids)));
    let rows = deployment.database().rows(PROJECTIONS);
    for form in [0, 99] {
        for table in ["views", "match_list"] {
            let damage = format!("update {table} set form = {form}, body = '{{}}'");
            deployment.database().run(&damage).expect("projections may be written");
        }
        let fresh = deployment.serve();
        assert_eq!(read(fresh.client(), cards(&ids).chain(lists())), due, "form {form}");
        assert_eq!(deployment.database().rows(PROJECTIONS), rows, "all that was made anew is stored");
    }
    matches[1].play_step();
});

/// Runs an instance that cannot write, and hands its client on.
fn read_only(deployment: &Deployment, reads: impl FnOnce(&Client)) {
    if deployment.database().url.starts_with("sqlite:") {
        let url = format!("{}?mode=ro", deployment.database().url);
        reads(Process::start(&url, deployment.folder(), Serving::default()).client());
    } else {
        let instance = InProcess::start(&deployment.database().url);
        deployment.database().make_read_only(true);
        reads(instance.client());
        deployment.database().make_read_only(false);
    }
}

/// Waits until the service owes no row of the match list. By the last change it lists what it has written.
fn owes_no_row(deployment: &Deployment) {
    deployment.client().get("/v1/matches?order=changed").has_status(200);
    deployment.database().waits_for_list();
}

on_own_stores!(a_store_that_takes_no_writes_shows_documents_of_the_present_form, |deployment| {
    let matches = matches(deployment);
    let ids: Vec<String> = matches.iter().map(|played| played.id.clone()).collect();
    let due = read(deployment.client(), lists().chain(cards(&ids)));
    owes_no_row(deployment);
    deployment.database().run("update views set form = 0, body = '{}'").expect("projections may be written");
    deployment.database().run("update match_list set form = 0, body = '{}'").expect("as well");
    let rows = deployment.database().rows(PROJECTIONS);
    read_only(deployment, |client| assert_eq!(read(client, cards(&ids).chain(lists())), due));
    assert_eq!(deployment.database().rows(PROJECTIONS), rows, "nothing could be stored");
    until("the database takes writes again", || deployment.client().get("/readyz").status == 200);
    matches[1].play_step();
});

on_own_stores!(documents_made_anew_never_replace_those_of_a_later_event, |deployment| {
    let played = matches(deployment).remove(1);
    let (before, head) = (deployment.database().rows(PROJECTIONS), played.head().seq);
    let store = Rebuilder::open(&deployment.database().url);
    store.renew(&played.id, head - 1);
    assert_eq!(deployment.database().rows(PROJECTIONS), before, "an append has moved the match on");
    let damage = "update match_list set form = 0, body = '{}' where status = 'in_play'";
    assert_eq!(deployment.database().run(damage).expect("projections may be written"), 1);
    store.renew(&played.id, head);
    assert_eq!(deployment.database().rows(PROJECTIONS), before);
});

on_own_stores!(a_row_of_the_list_gives_way_only_to_one_of_a_later_event_of_its_log, |deployment| {
    let played = matches(deployment).remove(1);
    let (before, head) = (deployment.database().rows(PROJECTIONS), played.head().seq);
    let store = Rebuilder::open(&deployment.database().url);
    let is_whole = |told: &str| assert_eq!(deployment.database().rows(PROJECTIONS), before, "{told}");
    store.list(&played.id, head - 1, None);
    is_whole("an earlier event");
    let lost = "0".repeat(64);
    deployment
        .database()
        .run("update match_list set seq = seq - 2 where status = 'in_play'")
        .expect("it is ours");
    store.list(&played.id, head - 1, Some(&lost));
    let stored = "select cast(seq as text) from match_list where status = 'in_play'";
    assert_eq!(deployment.database().texts(stored), [(head - 2).to_string()]);
    store.list(&played.id, head, None);
    is_whole("an event that the log has not, and then the last one");
    deployment.database().run("delete from match_list where status = 'in_play'").expect("it is ours");
    store.list(&played.id, head, Some(&lost));
    assert_eq!(deployment.database().texts("select body from match_list where status = 'in_play'").len(), 0);
    store.list(&played.id, head, None);
    is_whole("there was no row");
});

on_own_stores!(the_row_of_a_log_that_does_not_fold_stays_as_it_is, |deployment| {
    let matches = matches(deployment);
    let due = deployment.client().get("/v1/matches").text().to_owned();
    owes_no_row(deployment);
    deployment.database().drop_triggers();
    let id = deployment.database().id(&matches[1].id);
    let damage = format!("update events set body = '{{}}' where seq = 3 and match_id = {id}");
    deployment.database().run(&damage).expect("the triggers are gone");
    deployment.database().run("update match_list set form = 0").expect("projections may be written");
    let fresh = deployment.serve();
    assert_eq!(fresh.client().get("/v1/matches").has_status(200).text(), due);
    let outdated = deployment.database().texts("select status from match_list where form = 0");
    assert_eq!(outdated, ["in_play"], "the others are stored anew");
});

//! The role that docs/operations.md recommends for production: it can serve matches, and cannot change what
//! is recorded.

use serde_json::json;
use third_umpire_test_support::service::{
    Database, Deployment, Engine, Match, Process, Serving, Session, Sides, chained, remote, run, seeded,
    until,
};
use url::Url;
use uuid::Uuid;

const PAGE: &str = include_str!("../../docs/operations.md");

/// Statements that docs/operations.md shows, each by its first words.
const MAKE_THE_ROLE: &str = "create role";
const LET_THE_ROLE_SWEEP: &str = "grant delete";

/// The block of statements of docs/operations.md that begins so, for a role of this name, since all databases
/// of a cluster share roles.
pub fn statements(begin: &str, role: &str) -> String {
    let mut blocks = PAGE.split("```sql\n").skip(1).filter_map(|rest| rest.split("```").next());
    let sql = blocks.find(|block| block.starts_with(begin)).expect("the page shows them");
    assert!(sql.contains("third_umpire_service"), "the page has renamed the role");
    sql.replace("third_umpire_service", role)
}

/// Makes the role of docs/operations.md, under this name.
pub fn make_role(database: &Database, role: &str) {
    database.run(&statements(MAKE_THE_ROLE, role)).expect("the owner can make the role");
}

/// Makes the role of docs/operations.md for this scenario, plays the scenario with the role's name and
/// address, and removes the role.
fn with_role(deployment: &Deployment, scenario: impl FnOnce(&str, &str)) {
    let database = deployment.database();
    let migrated = run(&["migrate", "--database", &database.url]);
    assert!(migrated.status.success(), "{}", String::from_utf8_lossy(&migrated.stderr));
    let role = format!("tu_{}", Uuid::now_v7().simple());
    make_role(database, &role);
    scenario(&role, &as_role(&database.url, &role));
    database.run(&format!("drop owned by {role}; drop role {role}")).expect("the role can go");
}

/// Serves as the role does.
fn serve(deployment: &Deployment, url: &str) -> Process {
    let serving = Serving { arguments: &["--no-migrate"], log: "info", ..Serving::default() };
    Process::start(url, deployment.folder(), serving)
}

/// The address of a database for this role.
pub fn as_role(url: &str, role: &str) -> String {
    let mut url = Url::parse(url).expect("the database has an address");
    url.set_username(role).expect("the address takes a user");
    url.set_password(Some("change-me")).expect("the address takes a password");
    url.into()
}

#[test]
fn the_role_readme_makes_serves_matches_and_cannot_change_what_is_recorded() {
    Deployment::as_process(Engine::Postgres, |deployment| {
        with_role(deployment, |_, url| {
            let service = serve(deployment, url);
            service.client().get("/readyz").expect(200);
            let probes = "select count(*)::text from views where name = 'probe'";
            assert_eq!(
                deployment.database().texts(probes),
                ["1"],
                "the role may find out whether it can write"
            );
            let played = Match::create(service.client(), &seeded(1));
            played.begin().ball();
            played.post("/autoplay", &json!({"until": "match"})).expect(201);
            played.post("/tokens/scorer/rotate", &json!({})).expect(201);
            chained(&played.events());
            let remote = Sides::in_play(service.client(), &remote(1));
            remote.choose_as_dealt();
            remote.bowl_over();
            remote.give_up_and_audit();
            let mut session = Session::open(url).expect("the role may connect");
            for sql in [
                "update events set body = 'x'",
                "delete from events",
                "truncate events",
                "drop trigger events_no_change on events",
                "alter table events disable trigger all",
                "delete from heads",
                "update secrets set server_seed = 'x'",
                "delete from idempotency",
                "drop table match_list",
            ] {
                let error = session.run(sql).expect_err(sql).to_string();
                assert!(
                    error.contains("permission denied") || error.contains("must be owner"),
                    "{sql}: {error}"
                );
            }
        });
    });
}

/// The role may not delete a key, so a key stays until the owner sweeps, or lets the role do that.
#[test]
fn the_role_sweeps_no_key_warns_of_it_once_and_goes_on_until_the_owner_lets_it_sweep() {
    const WARNING: &str = "idempotency keys older than 30 days stay";
    Deployment::as_process(Engine::Postgres, |deployment| {
        with_role(deployment, |role, url| {
            let database = deployment.database();
            let keys = || database.texts("select count(*)::text from idempotency");
            let first = serve(deployment, url);
            let played = Match::create(first.client(), &seeded(5));
            played.begin();
            played.posting("/balls", &json!({})).key("ball").send().expect(201);
            drop(first);
            database.drop_triggers();
            database.run("update events set at = at - interval '31 days'").expect("the triggers are dropped");
            let service = serve(deployment, url);
            until("the service warns", || service.log().contains(WARNING));
            let played = played.through(service.client());
            played.play_step();
            let log = service.log();
            let warnings: Vec<&str> = log.lines().filter(|line| line.contains(WARNING)).collect();
            assert_eq!(warnings.len(), 1, "{warnings:?}");
            for text in ["WARN", "permission denied", "let the owner of the tables run `third-umpire sweep`"]
            {
                assert!(warnings[0].contains(text), "{warnings:?}");
            }
            assert_eq!(keys(), ["1"]);
            let swept = run(&["sweep", "--database", url]);
            let told = String::from_utf8_lossy(&swept.stderr).into_owned();
            assert_eq!(swept.status.code(), Some(2), "{told}");
            assert!(told.contains("permission denied for table idempotency"), "{told}");
            drop(service);
            let granted = database.run(&statements(LET_THE_ROLE_SWEEP, role));
            granted.expect("the owner can let the role sweep");
            let service = serve(deployment, url);
            until("the service sweeps", || keys() == ["0"]);
            let played = played.through(service.client());
            played.play_step();
            played.audits_clean();
        });
    });
}

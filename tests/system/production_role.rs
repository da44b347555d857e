//! The role that docs/operations.md recommends for production: it can serve matches, and cannot change what
//! is recorded.

use serde_json::json;
use third_umpire_test_support::service::{
    Deployment, Engine, Match, Process, Serving, Session, Sides, chained, remote, run, seeded,
};
use url::Url;
use uuid::Uuid;

const PAGE: &str = include_str!("../../docs/operations.md");

/// The statements of docs/operations.md for a role of this name, since all databases of a cluster share
/// roles.
fn statements(role: &str) -> String {
    let sql = PAGE.split("```sql\n").nth(1).and_then(|rest| rest.split("```").next());
    let sql = sql.expect("the page shows how the role is made");
    assert!(sql.contains("third_umpire_service"), "the page has renamed the role");
    sql.replace("third_umpire_service", role)
}

fn as_role(url: &str, role: &str) -> String {
    let mut url = Url::parse(url).expect("the database has an address");
    url.set_username(role).expect("the address takes a user");
    url.set_password(Some("change-me")).expect("the address takes a password");
    url.into()
}

#[test]
fn the_role_readme_makes_serves_matches_and_cannot_change_what_is_recorded() {
    Deployment::as_process(Engine::Postgres, |deployment| {
        let migrated = run(&["migrate", "--database", &deployment.database().url]);
        assert!(migrated.status.success(), "{}", String::from_utf8_lossy(&migrated.stderr));
        let role = format!("tu_{}", Uuid::now_v7().simple());
        deployment.database().run(&statements(&role)).expect("the owner can make the role");
        let url = as_role(&deployment.database().url, &role);
        let arguments = &["--no-migrate"];
        let service = Process::start(&url, deployment.folder(), Serving { arguments, ..Serving::default() });
        service.client().get("/readyz").expect(200);
        let probes = "select count(*)::text from views where name = 'probe'";
        assert_eq!(deployment.database().texts(probes), ["1"], "the role may find out whether it can write");
        let played = Match::create(service.client(), &seeded(1));
        played.begin().ball();
        played.post("/autoplay", &json!({"until": "match"})).expect(201);
        played.post("/tokens/scorer/rotate", &json!({})).expect(201);
        chained(&played.events());
        let remote = Sides::in_play(service.client(), &remote(1));
        remote.choose_as_dealt();
        remote.bowl_over();
        remote.give_up_and_audit();
        let mut session = Session::open(&url).expect("the role may connect");
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
            assert!(error.contains("permission denied") || error.contains("must be owner"), "{sql}: {error}");
        }
        drop((service, session));
        deployment
            .database()
            .run(&format!("drop owned by {role}; drop role {role}"))
            .expect("the role can go");
    });
}

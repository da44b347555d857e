//! Backup and restore of spread tables, by the commands of docs/operations.md.

use std::process::Command;

use serde_json::json;
use third_umpire_test_support::service::{Database, Deployment, Engine, Match, Process, programs, seeded};

use super::{SERVING, on_a_stand_in, serve, spread, stand_in, succeeds};

const PAGE: &str = include_str!("../../../docs/operations.md");
/// The address in the commands of the page.
const ADDRESS: &str = "postgres://owner@coordinator/matches";

/// Runs the block of commands of the page that begins so, for this database, in the folder of a deployment.
fn follow(begin: &str, deployment: &Deployment, database: &Database) {
    let mut blocks = PAGE.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let commands = blocks.find(|block| block.starts_with(begin)).expect("the page shows them");
    assert!(commands.contains(ADDRESS), "{commands}");
    // A shard of a cluster is no table of its own there, as a partition is here.
    let commands = commands
        .replace(ADDRESS, &format!("'{}'", database.url))
        .replace("pg_dump ", "pg_dump --load-via-partition-root ");
    let programs = programs().expect("Postgres is installed").join("initdb").canonicalize();
    let programs = programs.expect("initdb is there").with_file_name("");
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let ran = Command::new("sh")
        .args(["-ec", &commands])
        .current_dir(deployment.folder())
        .env("PATH", path)
        .output()
        .expect("there is a shell");
    assert!(ran.status.success(), "{commands}: {}", String::from_utf8_lossy(&ran.stderr));
}

#[test]
fn a_dump_of_spread_tables_is_restored_into_spread_tables_and_into_one_place() {
    on_a_stand_in(|deployment, _, url| {
        let database = deployment.database();
        let service = serve(deployment, url);
        let played = Match::create(service.client(), &seeded(2));
        played.begin();
        played.posting("/balls", &json!({})).key("ball").send().expect(201);
        played.post("/autoplay", &json!({"until": "over"})).expect(201);
        follow("pg_dump -Fc", deployment, database);
        for is_spread in [true, false] {
            Deployment::as_process(Engine::Postgres, |restored| {
                let to = restored.database();
                succeeds(&["migrate", "--database", &to.url]);
                if is_spread {
                    stand_in(to);
                    spread(to).expect("the tables can be spread");
                }
                follow("psql -v ON_ERROR_STOP=1 -c", deployment, to);
                assert_eq!(to.everything(), database.everything());
                let service = Process::start(&to.url, restored.folder(), SERVING);
                let played = played.through(service.client());
                played.ball();
                played.audits_clean();
            });
        }
    });
}

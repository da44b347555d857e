//! Reading logs back: a match folded from its rows, and all projections folded again.

use futures_util::TryStreamExt;
use sqlx::{Connection as _, PgConnection, SqliteConnection};
use third_umpire::editions::Editions;
use third_umpire::metrics::Metrics;
use third_umpire::service::MatchService;
use third_umpire::store::{self, CommitMode, Migrate};
use tokio::runtime::Builder;
use uuid::Uuid;

use super::report::{Reach, Row};
use super::scorer::Scorer;
use super::stage::Stage;
use super::turns::{Compared, Done, Scale, in_turn};
use super::wire::Crowd;
use third_umpire_test_support::service::run;
use third_umpire_test_support::service::{Engine, Session};

/// How many events the match has that is loaded.
const EVENTS: u64 = 250;

pub fn loads(scale: Scale) -> Vec<Row> {
    [Engine::Sqlite, Engine::Postgres].into_iter().filter_map(|engine| load(scale, engine)).collect()
}

fn load(scale: Scale, engine: Engine) -> Option<Row> {
    let stage = Stage::set(engine)?;
    let match_id = played(&stage);
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime can be built");
    let matches = runtime.block_on(async {
        let store =
            store::open(&stage.url, Migrate::Apply, CommitMode::Group).await.expect("the store opens");
        MatchService::new(
            store,
            CommitMode::Group,
            Metrics::new().expect("metrics can be set up"),
            Editions::default(),
        )
        .expect("a thread can be started")
    });
    let mut bare = runtime.block_on(Bare::connect(&stage));
    let times = scale.pick(200, 2);
    let compared = in_turn(
        scale.pick(15, 1),
        || {
            Done::timed(|| {
                for _ in 0..times {
                    let book =
                        runtime.block_on(matches.loaded_at(match_id, EVENTS)).expect("the match is there");
                    assert_eq!(book.head().seq, EVENTS);
                }
                times
            })
        },
        || {
            Done::timed(|| {
                for _ in 0..times {
                    assert_eq!(runtime.block_on(bare.select(match_id)), EVENTS);
                }
                times
            })
        },
    );
    Some(times_longer(
        &format!("load and fold a match of {EVENTS} events, {engine:?}"),
        "the bare SELECT",
        compared,
    ))
}

/// A row about how many times longer ours takes.
fn times_longer(work: &str, against: &str, compared: Compared) -> Row {
    let milliseconds = |rate: f64| format!("{:.2} ms", 1e3 / rate);
    let mut row = Row::alone(work, 1.0 / compared.ratio, milliseconds(compared.ours), Reach::AtMost(1.4));
    row.spread = Some((1.0 / compared.spread.1, 1.0 / compared.spread.0));
    row.against = against.to_owned();
    row.theirs = milliseconds(compared.theirs);
    row
}

/// A match in play with a few more events than are loaded.
fn played(stage: &Stage) -> Uuid {
    let service = stage.serve();
    let mut crowd = Crowd::gather(1, async |number| Scorer::connect(&service.address, number).await);
    let path = crowd.first(async |scorer| scorer.enter_match(EVENTS).await);
    path.trim_start_matches("/v1/matches/").parse().expect("a match id is a UUID")
}

/// A connection that selects rows, and does nothing with them.
enum Bare {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

const SELECT: &str = "select seq, body, hash from events where match_id = $1 and seq <= $2 order by seq";

impl Bare {
    async fn connect(stage: &Stage) -> Bare {
        match stage.engine {
            Engine::Sqlite => {
                Bare::Sqlite(SqliteConnection::connect(&stage.url).await.expect("the file opens"))
            }
            Engine::Postgres => {
                Bare::Postgres(PgConnection::connect(&stage.url).await.expect("Postgres answers"))
            }
        }
    }

    async fn select(&mut self, match_id: Uuid) -> u64 {
        let events = EVENTS as i64;
        let rows: Vec<(i64, String, String)> = match self {
            Bare::Sqlite(on) => sqlx::query_as(SELECT).bind(match_id).bind(events).fetch_all(on).await,
            Bare::Postgres(on) => sqlx::query_as(SELECT).bind(match_id).bind(events).fetch_all(on).await,
        }
        .expect("rows can be selected");
        rows.len() as u64
    }
}

pub fn rebuilds(scale: Scale) -> Vec<Row> {
    let Some(stage) = Stage::set(Engine::Postgres) else { return Vec::new() };
    {
        let service = stage.serve();
        let mut crowd = Crowd::gather(1, async |number| Scorer::connect(&service.address, number).await);
        crowd.first(async |scorer| {
            for _ in 0..scale.pick(1_500, 3) {
                scorer.play_match(20).await;
            }
        });
    }
    let mut session = Session::open(&stage.url).expect("the database answers");
    session.run("vacuum analyze").expect("the tables are ours");
    let events: u64 = session.texts("select count(*)::text from events")[0].parse().expect("a number");
    let compared = in_turn(
        scale.pick(5, 1),
        || {
            Done::timed(|| {
                let done = run(&["rebuild", "--database", &stage.url]);
                assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
                events
            })
        },
        || Done::timed(|| copy_out(&stage.url, events)),
    );
    let against = "COPY of the events out of Postgres";
    vec![Row::rates("rebuild of all projections, events", against, "", compared, Reach::AtLeast(0.3))]
}

/// Copies all events out; how many there were.
fn copy_out(url: &str, events: u64) -> u64 {
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime can be built");
    runtime.block_on(async {
        let mut on = PgConnection::connect(url).await.expect("Postgres answers");
        let mut rows = on.copy_out_raw("copy events to stdout").await.expect("events can be copied");
        let mut bytes = 0;
        while let Some(some) = rows.try_next().await.expect("the rows come") {
            bytes += some.len();
        }
        assert!(bytes as u64 > events * 500, "events are longer than that");
        events
    })
}

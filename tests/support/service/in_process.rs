//! A service in the process of the tests, on its own thread.

use std::sync::{Arc, Once};
use std::thread::JoinHandle;

use third_umpire::editions::Editions;
use third_umpire::http::{Access, Host, bind, serve};
use third_umpire::store::{self, CommitMode, EventStore, Migrate};
use tokio::sync::oneshot;

use super::client::Client;

/// A running service that stops when this value is dropped.
pub struct InProcess {
    client: Client,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl InProcess {
    /// Serves a database.
    pub fn start(database: &str) -> InProcess {
        InProcess::start_on(database, |store| store)
    }

    /// Serves a database, for matches of these games.
    pub fn of_games(database: &str, known: Editions) -> InProcess {
        InProcess::start_with(database, known, Access::default(), |store| store)
    }

    /// Serves a database, for matches of these games, also at this name.
    pub fn named(database: &str, known: Editions, name: &str) -> InProcess {
        let hosts = vec![Host::named(name).expect("the name of a host")];
        InProcess::start_with(database, known, Access { hosts, ..Access::default() }, |store| store)
    }

    /// Serves a database through a wrapper of its store.
    pub fn start_on(
        database: &str,
        around: impl FnOnce(Arc<dyn EventStore>) -> Arc<dyn EventStore> + Send + 'static,
    ) -> InProcess {
        InProcess::start_with(database, Editions::default(), Access::default(), around)
    }

    fn start_with(
        database: &str,
        known: Editions,
        access: Access,
        around: impl FnOnce(Arc<dyn EventStore>) -> Arc<dyn EventStore> + Send + 'static,
    ) -> InProcess {
        print_errors();
        let (stop, stopped) = oneshot::channel();
        let (started, starting) = std::sync::mpsc::channel();
        let database = database.to_owned();
        let thread = std::thread::spawn(move || {
            actix_web::rt::System::new().block_on(async move {
                let commit = CommitMode::Group;
                let store = store::open(&database, Migrate::Apply, commit).await.expect("the store opens");
                let listener = bind("127.0.0.1:0", false).expect("a port is free");
                let (served, running) = serve(vec![listener], access, known).expect("the service starts");
                served.open(around(store), commit).expect("the service opens");
                let running = actix_web::rt::spawn(running);
                started.send(format!("http://{}", served.address)).expect("the test waits for it");
                // An error means that the test is gone, which ends the service as well.
                let _ = stopped.await;
                served.stop().await;
                running.await.expect("the task runs").expect("the service ends well");
            });
        });
        let base = starting.recv().expect("the service starts");
        InProcess { client: Client::new(&base), stop: Some(stop), thread: Some(thread) }
    }

    pub fn client(&self) -> &Client {
        &self.client
    }
}

impl Drop for InProcess {
    fn drop(&mut self) {
        // The service would wait for open connections, so they go first.
        self.client = Client::new("");
        drop(self.stop.take());
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(std::thread::panicking() || matches!(ended, Some(Ok(()))), "the service ends well");
    }
}

/// Prints the errors that services in this process log: an answer does not give away what went wrong inside.
fn print_errors() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let subscriber =
            tracing_subscriber::fmt().with_max_level(tracing_subscriber::filter::LevelFilter::ERROR);
        // A failure means that a test has set up another subscriber, which gets them.
        let _ = subscriber.with_writer(std::io::stderr).try_init();
    });
}

//! The metrics of a service, in the form that Prometheus reads.
//!
//! Each service has a recorder of its own, so that several services can run in one process. A metric appears
//! once its first value is recorded.

use std::sync::Arc;
use std::time::Duration;

use ::metrics::{Counter, Histogram, counter, gauge, histogram, with_local_recorder};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusRecorder};

/// The upper bounds of the buckets for the duration of requests, in seconds.
const SECONDS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0];
/// The upper bounds of the buckets for the number of appends in one group commit.
const APPENDS: [f64; 7] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];

/// The metrics of one service. A clone shares the recorder of the original.
#[derive(Clone)]
pub struct Metrics {
    recorder: Arc<PrometheusRecorder>,
}

/// The counters of the requests to one route that are answered alike.
pub(crate) struct RequestCounts {
    total: Counter,
    seconds: Histogram,
}

impl RequestCounts {
    /// Counts a request that took so long.
    pub(crate) fn count(&self, took: Duration) {
        self.total.increment(1);
        self.seconds.record(took.as_secs_f64());
    }
}

/// The place where the text of an answer was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MadeOn {
    /// A worker, which answers the requests of everybody.
    Worker,
    /// A thread of its own.
    Thread,
    /// Nowhere: it was kept, in the store or in memory.
    Kept,
}

impl MadeOn {
    const fn as_str(self) -> &'static str {
        match self {
            MadeOn::Worker => "worker",
            MadeOn::Thread => "thread",
            MadeOn::Kept => "kept",
        }
    }
}

/// The numbers of what a service has at the moment.
pub(crate) struct ServiceGauges {
    /// The matches in the cache.
    pub matches_cached: usize,
    /// The appends that wait for the next transaction.
    pub appends_waiting: usize,
    /// The matches with a client on their event stream.
    pub matches_followed: usize,
    /// The clients on event streams.
    pub subscribers: usize,
}

impl Metrics {
    /// Metrics with nothing recorded yet.
    pub fn new() -> Result<Metrics, BuildError> {
        let appends = Matcher::Full("third_umpire_appends_at_once".to_owned());
        let builder =
            PrometheusBuilder::new().set_buckets(&SECONDS)?.set_buckets_for_metric(appends, &APPENDS)?;
        Ok(Metrics { recorder: Arc::new(builder.build_recorder()) })
    }

    /// All metrics in Prometheus's text format.
    pub(crate) fn text(&self) -> String {
        self.recorder.handle().render()
    }

    /// Folds the recorded durations into their buckets. Without it a service whose metrics nobody reads would
    /// keep every single duration in memory.
    pub(crate) fn upkeep(&self) {
        self.recorder.handle().run_upkeep();
    }

    /// The counters of requests, as these labels name them: values of which there are few.
    pub(crate) fn requests(&self, method: &'static str, route: &str, status: u16) -> RequestCounts {
        let (route, status) = (route.to_owned(), status.to_string());
        with_local_recorder(&*self.recorder, || RequestCounts {
            seconds: histogram!("third_umpire_request_seconds", "method" => method, "route" => route.clone()),
            total: counter!("third_umpire_requests_total", "method" => method, "route" => route, "status" => status),
        })
    }

    pub(crate) fn count_event(&self, kind: &'static str) {
        with_local_recorder(&*self.recorder, || {
            counter!("third_umpire_events_total", "kind" => kind).increment(1);
        });
    }

    /// Counts an append that lost its race: another instance appended to the match first.
    pub(crate) fn count_lost_race(&self) {
        with_local_recorder(&*self.recorder, || counter!("third_umpire_races_lost_total").increment(1));
    }

    /// Counts an answer about a match that is large.
    pub(crate) fn count_large_answer(&self, made_on: MadeOn) {
        with_local_recorder(&*self.recorder, || {
            counter!("third_umpire_large_answers_total", "made_on" => made_on.as_str()).increment(1);
        });
    }

    pub(crate) fn record_appends_at_once(&self, appends: usize) {
        with_local_recorder(&*self.recorder, || {
            histogram!("third_umpire_appends_at_once").record(appends as f64);
        });
    }

    /// Sets the gauges, which are looked at only when the metrics are read.
    pub(crate) fn set_gauges(&self, now: ServiceGauges) {
        with_local_recorder(&*self.recorder, || {
            gauge!("third_umpire_matches_cached").set(now.matches_cached as f64);
            gauge!("third_umpire_appends_waiting").set(now.appends_waiting as f64);
            gauge!("third_umpire_matches_followed").set(now.matches_followed as f64);
            gauge!("third_umpire_subscribers").set(now.subscribers as f64);
        });
    }
}

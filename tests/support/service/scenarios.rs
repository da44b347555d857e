//! Macros that make two tests of a scenario, one for each engine: `name::sqlite` and `name::postgres`.

/// Makes tests of a scenario that knows only its own matches: it gets the service that all such scenarios
/// share.
#[macro_export]
macro_rules! on_both_stores {
    ($name:ident, $scenario:expr) => {
        $crate::on_both_engines!($name, $crate::service::Service::shared_by, $scenario);
    };
}

/// Makes tests of a scenario that reads or changes more than its matches: it gets a service and a database of
/// its own.
#[macro_export]
macro_rules! on_own_stores {
    ($name:ident, $scenario:expr) => {
        $crate::on_both_engines!($name, $crate::service::Deployment::in_process, $scenario);
    };
}

/// Makes tests of a scenario about the process: it gets a database of its own, and the program as a process.
#[macro_export]
macro_rules! on_own_processes {
    ($name:ident, $scenario:expr) => {
        $crate::on_both_engines!($name, $crate::service::Deployment::as_process, $scenario);
    };
}

/// Makes the two tests of a scenario, given the function that plays it on an engine.
#[macro_export]
macro_rules! on_both_engines {
    ($name:ident, $plays:expr, $scenario:expr) => {
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            #[test]
            fn sqlite() {
                $plays($crate::service::Engine::Sqlite, $scenario);
            }

            #[test]
            fn postgres() {
                $plays($crate::service::Engine::Postgres, $scenario);
            }
        }
    };
}

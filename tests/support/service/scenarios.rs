//! A scenario becomes two tests, one an engine: `name::sqlite` and `name::postgres`.

/// Makes tests of a scenario whose matches nobody else knows the ids of: it plays on the service that all
/// such scenarios share, and is given it.
#[macro_export]
macro_rules! on_both_stores {
    ($name:ident, $scenario:expr) => {
        $crate::on_both_engines!($name, $crate::service::Service::shared_by, $scenario);
    };
}

/// Makes tests of a scenario that looks at more than its matches, or changes more: it is given a service and
/// a database of its own.
#[macro_export]
macro_rules! on_own_stores {
    ($name:ident, $scenario:expr) => {
        $crate::on_both_engines!($name, $crate::service::Deployment::in_process, $scenario);
    };
}

/// Makes tests of a scenario that is about the process: it is given a database of its own, and the program as
/// a process of its own.
#[macro_export]
macro_rules! on_own_processes {
    ($name:ident, $scenario:expr) => {
        $crate::on_both_engines!($name, $crate::service::Deployment::as_process, $scenario);
    };
}

/// Makes the two tests of a scenario, given what plays it on an engine.
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

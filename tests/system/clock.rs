//! A system clock with a time that no log can have: the error names it, and nothing is written.
#![cfg(target_os = "linux")]

use std::process::{Command, Stdio};

use serde_json::json;
use third_umpire_test_support::on_own_processes;
use third_umpire_test_support::service::{Match, Serving, Shim, table, until};

const DAY: i64 = 86_400;
const YEAR_10000: i64 = 253_402_300_800;
const OFF: [(i64, &str); 2] = [(-DAY, "before 1970"), (YEAR_10000 + DAY, "after the year 9999")];

on_own_processes!(a_clock_that_is_off_stops_writes_with_a_sentence_about_the_clock, |deployment| {
    let shim = Shim::in_folder(deployment.folder());
    for (seconds, why) in OFF {
        let service = deployment.serve_as(Serving { through: &shim.through(), ..Serving::default() });
        let played = Match::create(service.client(), &table(2));
        played.begin();
        played.bowl(&[2, 3]);
        let before = deployment.database().everything();
        shim.set_clock(Some(seconds));
        let ball = played.posting("/balls", &json!({"dice": [2, 3]})).send();
        ball.refused(500, "internal").says(&["clock", why]);
        let requests = [
            service.client().request("POST", "/v1/matches").json(&table(1)),
            service.client().request("GET", "/readyz"),
        ];
        // The service answers for a while and then ends, since the HTTP server needs a clock as well.
        for answer in requests.into_iter().filter_map(|request| request.try_send().ok()) {
            answer.refused(500, "internal").says(&["clock", why]);
        }
        until("the service says what is wrong", || service.log().contains(why));
        assert_eq!(service.ended(), Some(2));
        assert_eq!(deployment.database().everything(), before, "nothing was written");
        shim.set_clock(None);
        let played = played.through(deployment.client());
        played.bowl(&[2, 3]);
        played.play_step();
    }
});

on_own_processes!(on_a_clock_that_is_off_it_does_not_start, |deployment| {
    let shim = Shim::in_folder(deployment.folder());
    let [env, arguments @ ..] = shim.through();
    for (seconds, why) in OFF {
        shim.set_clock(Some(seconds));
        let started = Command::new(env)
            .args(arguments)
            .arg(third_umpire_test_support::program::program())
            .args(["serve", "--listen", "127.0.0.1:0", "--database", &deployment.database().url])
            .stdin(Stdio::null())
            .output()
            .expect("the program starts");
        let stderr = String::from_utf8_lossy(&started.stderr).into_owned();
        assert_eq!(started.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains("clock") && stderr.contains(why) && !stderr.contains("panicked"), "{stderr}");
        assert!(started.stdout.is_empty(), "the service does not say that it listens");
    }
});

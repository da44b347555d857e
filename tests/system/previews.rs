//! Previews for more readers than there is room for: the balls of a scorer are recorded all the same.

use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::json;
use third_umpire_test_support::service::{Deployment, Engine, Match, table};

const READERS: usize = 300;
const BALLS: usize = 6;

/// Asks for previews until the balls are recorded, and at least for one. Returns how many were answered.
fn read_on(played: &Match, start: &Barrier, recorded: &AtomicBool) -> usize {
    let path = played.path("/balls/preview");
    let mut answered = 0;
    start.wait();
    loop {
        let answer = played.client.post(&path, &json!({"dice": [2]}));
        match answer.status {
            200 => answered += 1,
            _ => drop(answer.refused(503, "previews-full")),
        }
        if recorded.load(Ordering::Relaxed) {
            return answered;
        }
    }
}

#[test]
fn the_balls_of_a_scorer_are_recorded_while_300_readers_ask_for_previews() {
    Deployment::as_process(Engine::Sqlite, |deployment| {
        let played = deployment.create(&table(5));
        played.begin();
        let (start, recorded) = (Barrier::new(READERS + 1), AtomicBool::new(false));
        let answered: usize = thread::scope(|scope| {
            let read = || read_on(&played, &start, &recorded);
            let readers: Vec<_> = (0..READERS).map(|_| scope.spawn(read)).collect();
            start.wait();
            let balls: Vec<_> = (0..BALLS).map(|_| played.post("/balls", &json!({"dice": [2, 1]}))).collect();
            recorded.store(true, Ordering::Relaxed);
            balls.iter().for_each(|ball| drop(ball.expect(201)));
            readers.into_iter().map(|reader| reader.join().expect("every reader is answered")).sum()
        });
        assert!(answered > 0, "previews are answered as well");
        assert_eq!(played.view()["score"]["text"], "Harbour Road 6/0 (1.0)");
        played.audits_clean();
    });
}

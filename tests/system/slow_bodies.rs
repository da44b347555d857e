//! Bodies that arrive too slowly are given up. The test waits for the service's own time limit; it asserts
//! what is answered, and not when.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;
use third_umpire_test_support::service::{Deployment, Engine, table};

/// A second; and two more seconds than the service's time limit for a body.
const SECOND: Duration = Duration::from_secs(1);
const SECONDS: usize = 13;

/// Sends a head, then this chunk of a body every second, and reads the answer.
fn answered(authority: &str, head: &str, chunk: &[u8], chunks: usize) -> String {
    let mut stream = TcpStream::connect(authority).expect("the service listens");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a socket has options");
    stream.write_all(format!("{head}Host: {authority}\r\n\r\n").as_bytes()).expect("the service reads");
    for _ in 0..chunks {
        // The service closes the connection of a body that it gives up.
        if stream.write_all(chunk).is_err() {
            break;
        }
        thread::sleep(SECOND);
    }
    let mut answer = Vec::new();
    // The answer is there, though the connection may have been reset by what was sent after it.
    let read = stream.read_to_end(&mut answer);
    let stays_open = read.is_err_and(|error| error.kind() == ErrorKind::WouldBlock);
    assert!(!stays_open, "the connection stays open after {:?}", String::from_utf8_lossy(&answer));
    String::from_utf8(answer).expect("the service answers in UTF-8")
}

#[test]
fn a_body_that_is_too_slow_is_given_up_and_one_that_is_not_is_read_to_its_end() {
    Deployment::as_process(Engine::Sqlite, |deployment| {
        let played = deployment.create(&table(1));
        let authority = deployment.client().authority();
        let audit = "POST /v1/audits HTTP/1.1\r\nContent-Length: 100000\r\n";
        let json = "Content-Type: application/json\r\nContent-Length: 1000\r\n";
        let chunked =
            "POST /v1/editions HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n";
        let create = format!("POST /v1/matches HTTP/1.1\r\n{json}");
        let ball = format!(
            "POST {} HTTP/1.1\r\nAuthorization: Bearer {}\r\n{json}",
            played.path("/balls"),
            played.token
        );
        thread::scope(|scope| {
            let slow = [
                scope.spawn(|| answered(authority, audit, b"", 0)),
                scope.spawn(|| answered(authority, audit, b"{\"actor\":", 1)),
                scope.spawn(|| answered(authority, audit, b"x", SECONDS)),
                scope.spawn(|| answered(authority, &create, b" ", SECONDS)),
                scope.spawn(|| answered(authority, &ball, b" ", SECONDS)),
                scope.spawn(|| answered(authority, chunked, b"1\r\n \r\n", SECONDS)),
            ];
            let steady = format!(
                "POST /v1/audits HTTP/1.1\r\nContent-Length: {}\r\nConnection: close\r\n",
                8192 * SECONDS
            );
            let steady = scope.spawn(move || answered(authority, &steady, &[b'x'; 8192], SECONDS));
            for slow in slow {
                let answer = slow.join().expect("the thread does not panic");
                assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
                assert!(answer.to_lowercase().contains("\r\nconnection: close\r\n"), "{answer}");
                assert!(answer.contains("/problems/slow-body"), "{answer}");
            }
            let steady = steady.join().expect("the thread does not panic");
            assert!(steady.starts_with("HTTP/1.1 422 ") && steady.contains("not-a-match-log"), "{steady}");
        });
        played.play_step();
    });
}

#[test]
fn a_body_nobody_reads_ends_with_the_answer() {
    Deployment::as_process(Engine::Sqlite, |deployment| {
        let played = deployment.create(&table(1));
        let authority = deployment.client().authority();
        let rotate = format!(
            "POST {} HTTP/1.1\r\nTransfer-Encoding: chunked\r\n",
            played.path("/tokens/scorer/rotate")
        );
        let answer = answered(authority, &rotate, b"1\r\n \r\n", 2);
        assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
        played.play_step();
    });
}

#[test]
fn a_body_in_chunks_that_are_none_is_answered() {
    Deployment::as_process(Engine::Sqlite, |deployment| {
        let authority = deployment.client().authority();
        for path in ["/v1/audits", "/v1/matches"] {
            for chunks in ["zz\r\n", "3\r\nabcd\r\n", "3\r\nabc\r\nzz\r\n"] {
                let head = format!(
                    "POST {path} HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
                );
                let answer = answered(authority, &head, chunks.as_bytes(), 1);
                assert!(answer.starts_with("HTTP/1.1 400 "), "{path} {chunks:?}: {answer:?}");
            }
        }
    });
}

#[test]
fn a_head_that_does_not_come_is_given_up() {
    Deployment::as_process(Engine::Sqlite, |deployment| {
        let mut stream = TcpStream::connect(deployment.client().authority()).expect("the service listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a socket has options");
        stream.write_all(b"GET /healthz HTTP/1.1\r\nHos").expect("the service reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("the service hangs up");
        assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    });
}

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::Value;

use super::play::Match;

/// Sends bytes on a new connection, and reads until the service closes it.
pub fn exchange(authority: &str, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(authority).expect("the service listens");
    stream.write_all(bytes).expect("the service reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("the service answers");
    answer
}

/// A request whose body is sent later, so that it is surely in flight.
pub struct RawRequest {
    stream: TcpStream,
    body: String,
}

impl RawRequest {
    /// Sends the head of a request and waits until the service asks for the body.
    pub fn begin(played: &Match, path: &str, body: &Value) -> RawRequest {
        let body = body.to_string();
        let authority = played.client.authority();
        let mut stream = TcpStream::connect(authority).expect("the service listens");
        let head = format!(
            "POST {} HTTP/1.1\r\nHost: {authority}\r\nAuthorization: Bearer {}\r\nContent-Length: {}\r\n\
             Content-Type: application/json\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n",
            played.path(path),
            played.token,
            body.len()
        );
        stream.write_all(head.as_bytes()).expect("the service reads");
        let mut interim = [0; 25];
        stream.read_exact(&mut interim).expect("the service asks for the body");
        assert_eq!(interim, *b"HTTP/1.1 100 Continue\r\n\r\n");
        RawRequest { stream, body }
    }

    /// Sends the body, and returns the status line of the answer.
    pub fn finish(mut self) -> String {
        self.stream.write_all(self.body.as_bytes()).expect("the service reads on");
        let mut answer = String::new();
        self.stream.read_to_string(&mut answer).expect("the service answers");
        answer.lines().next().unwrap_or_default().to_owned()
    }

    /// Sends the body and closes the connection.
    pub fn abandon(mut self) {
        self.stream.write_all(self.body.as_bytes()).expect("the service reads on");
    }
}

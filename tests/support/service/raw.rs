use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::Value;

use super::play::Match;

/// Sends these bytes on a connection of their own, and reads what is answered until the service closes it.
pub fn exchange(authority: &str, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(authority).expect("the service listens");
    stream.write_all(bytes).expect("the service reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("the service answers");
    answer
}

/// A request whose body is held back, so that it is surely in flight.
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
        let mut asked = [0; 25];
        stream.read_exact(&mut asked).expect("the service asks for the body");
        assert_eq!(asked, *b"HTTP/1.1 100 Continue\r\n\r\n");
        RawRequest { stream, body }
    }

    /// Sends the body and reads the status that is answered.
    pub fn finish(mut self) -> String {
        self.stream.write_all(self.body.as_bytes()).expect("the service reads on");
        let mut answer = String::new();
        self.stream.read_to_string(&mut answer).expect("the service answers");
        answer.lines().next().unwrap_or_default().to_owned()
    }

    /// Sends the body and hangs up.
    pub fn abandon(mut self) {
        self.stream.write_all(self.body.as_bytes()).expect("the service reads on");
    }
}

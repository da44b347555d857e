//! A client with as little cost as possible: HTTP/1.1 on open connections, many on one thread.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};

/// An open connection.
pub struct Wire {
    stream: TcpStream,
    address: String,
    answer: Vec<u8>,
}

impl Wire {
    /// Connects to HOST:PORT.
    pub async fn connect(address: &str) -> Wire {
        let stream = TcpStream::connect(address).await.expect("the service listens");
        stream.set_nodelay(true).expect("a socket has options");
        Wire { stream, address: address.to_owned(), answer: Vec::with_capacity(16_384) }
    }

    /// The address of the server, as HOST:PORT.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Sends a request and returns the body of the answer, whose status has to be the expected one. `headers`
    /// are lines with their ends.
    pub async fn request(
        &mut self,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
        status: u16,
    ) -> &[u8] {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\n{headers}Content-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        self.send(request.as_bytes()).await;
        let (begins, ends) = self.receive().await;
        let answer = &self.answer[..ends];
        let is_expected = answer.get(9..12) == Some(status.to_string().as_bytes());
        assert!(is_expected, "{method} {path}: {}", String::from_utf8_lossy(answer));
        &answer[begins..]
    }

    async fn send(&self, bytes: &[u8]) {
        send(&self.stream, bytes).await;
    }

    /// Reads a whole answer, and returns the start and end of its body.
    async fn receive(&mut self) -> (usize, usize) {
        self.answer.clear();
        let mut ends = None;
        loop {
            self.stream.readable().await.expect("the service answers");
            match self.stream.try_read_buf(&mut self.answer) {
                Ok(0) => panic!("the service hangs up"),
                Ok(_) => {}
                Err(_) => continue,
            }
            ends = ends.or_else(|| body_of(&self.answer));
            if let Some((begins, ends)) = ends.filter(|(_, ends)| self.answer.len() >= *ends) {
                return (begins, ends);
            }
        }
    }
}

async fn send(stream: &TcpStream, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        match stream.try_write(bytes) {
            Ok(sent) => bytes = &bytes[sent..],
            Err(_) => stream.writable().await.expect("the service reads"),
        }
    }
}

/// A stream of events that is followed.
pub struct EventStream {
    stream: TcpStream,
    seen: Vec<u8>,
}

impl EventStream {
    /// Follows the match at this path of HOST:PORT with this many streams, each of which has read its log.
    pub async fn many(count: usize, address: &str, of_match: &str) -> Vec<EventStream> {
        let request = format!("GET {of_match}/events/stream HTTP/1.1\r\nHost: {address}\r\n\r\n");
        let mut streams = Vec::with_capacity(count);
        for _ in 0..count {
            let stream = TcpStream::connect(address).await.expect("the service listens");
            send(&stream, request.as_bytes()).await;
            let mut stream = EventStream { stream, seen: Vec::new() };
            stream.read_until("\"kind\":\"toss_decided\"").await;
            streams.push(stream);
        }
        streams
    }

    /// Reads until a text has come, and drops what was read.
    pub async fn read_until(&mut self, text: &str) {
        let has_come = |seen: &[u8]| seen.windows(text.len()).any(|part| part == text.as_bytes());
        while !has_come(&self.seen) {
            self.stream.readable().await.expect("events come");
            let read = self.stream.try_read_buf(&mut self.seen);
            assert!(!matches!(read, Ok(0)), "the stream ends");
        }
        self.seen.clear();
    }
}

/// The start and end of an answer's body, once its head has arrived.
fn body_of(answer: &[u8]) -> Option<(usize, usize)> {
    let begins = answer.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let head = std::str::from_utf8(&answer[..begins]).expect("heads are text").to_ascii_lowercase();
    let length =
        head.lines().find_map(|line| line.strip_prefix("content-length:")).expect("the answer has a length");
    Some((begins, begins + length.trim().parse::<usize>().expect("a length is a number")))
}

/// The requests of many clients over some time.
pub struct Load {
    pub taken: Duration,
    /// The time that each request took.
    pub latencies: Vec<Duration>,
}

impl Load {
    /// The latency that this percentage of requests stays below.
    pub fn percentile(&mut self, percent: usize) -> Duration {
        self.latencies.sort_unstable();
        self.latencies[(self.latencies.len() - 1) * percent / 100]
    }
}

/// Many clients on one thread, each with its own connection.
pub struct Crowd<C> {
    runtime: Runtime,
    clients: Vec<C>,
}

impl<C> Crowd<C> {
    /// Makes this many clients, one after the other.
    pub fn gather(size: usize, make: impl AsyncFn(usize) -> C) -> Crowd<C> {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime can be built");
        let clients = runtime.block_on(async {
            let mut clients = Vec::with_capacity(size);
            for number in 0..size {
                clients.push(make(number).await);
            }
            clients
        });
        Crowd { runtime, clients }
    }

    /// Has the first client do something.
    pub fn first<T>(&mut self, work: impl AsyncFnOnce(&mut C) -> T) -> T {
        self.runtime.block_on(work(&mut self.clients[0]))
    }

    /// Has each client do something once, one after the other.
    pub fn each(&mut self, work: impl AsyncFn(&mut C)) {
        self.runtime.block_on(async {
            for client in &mut self.clients {
                work(client).await;
            }
        });
    }

    /// Has all clients repeat something for some time.
    pub fn busy(&mut self, lasting: Duration, work: impl AsyncFn(&mut C)) -> Load {
        let (work, begun) = (&work, Instant::now());
        let requests = self.clients.iter_mut().map(|client| async move {
            let mut latencies = Vec::new();
            while begun.elapsed() < lasting {
                let sent = Instant::now();
                work(client).await;
                latencies.push(sent.elapsed());
            }
            latencies
        });
        let latencies = self.runtime.block_on(join_all(requests)).concat();
        Load { taken: begun.elapsed(), latencies }
    }
}

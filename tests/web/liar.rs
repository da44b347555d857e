//! A wire that lies: what becomes of each request to the API is drawn from a seed, or said, and noted.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use third_umpire_test_support::random::Lcg;

use crate::port::free_port;

/// What becomes of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    Through,
    /// The connection is closed before anything reaches the service.
    Refused,
    /// The service has it, and its answer goes nowhere.
    Lost,
    /// The service has it, and its answer is cut in the middle.
    Half,
    /// The request reaches nobody, and no answer comes.
    BlackHole,
    /// The service has it, and no answer comes.
    Mute,
    /// Somebody else answers with a page of their own: 200, and HTML.
    Portal,
    /// Somebody else answers with a 503.
    Fails,
    /// The request reaches the service later, when the page may have gone or tried again.
    Slow,
}

impl Fate {
    /// Whether the page waits for an answer as long as it has patience.
    fn holds(self) -> bool {
        matches!(self, Fate::BlackHole | Fate::Mute | Fate::Slow)
    }
}

/// What becomes of requests until it changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weather {
    Calm,
    /// Nearly every other request is lied about.
    Storm,
    /// Every request comes to this.
    Always(Fate),
    /// Nobody listens at the port.
    Closed,
}

pub const LIES: [Fate; 8] = [
    Fate::Refused,
    Fate::Lost,
    Fate::Half,
    Fate::BlackHole,
    Fate::Mute,
    Fate::Portal,
    Fate::Fails,
    Fate::Slow,
];
/// Of a hundred requests in a storm, how many are lied about.
const LIED_ABOUT: usize = 45;
/// How many deeds of the storm a slow request waits.
const LATE: u64 = 3;
/// How soon it is looked again whether the port is closed, or open.
const SOON: Duration = Duration::from_millis(5);

const PORTAL: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 63\r\n\
    Connection: close\r\n\r\n<!doctype html><title>Welcome</title><p>Sign in to this network";
const FAILURE: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/// What was done and seen, line by line. It is printed where a test fails.
#[derive(Clone, Default)]
pub struct Trace(Arc<Mutex<Vec<String>>>);

impl Trace {
    pub fn notes(&self, line: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }

    pub fn text(&self) -> String {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).join("\n")
    }
}

/// The state that all connections share.
struct Sky {
    weather: Weather,
    is_listening: bool,
    seed: u64,
    /// How many requests of each kind there were: what becomes of one does not depend on the other kinds.
    asked: BTreeMap<String, u64>,
    fates: BTreeMap<Fate, usize>,
    /// What becomes of the next request of a kind.
    next: Option<(&'static str, Fate)>,
    /// The deeds of the storm so far.
    deeds: u64,
    /// The connections on which nobody says anything more.
    silent: Vec<TcpStream>,
    /// The streams of events.
    streams: Vec<TcpStream>,
    /// How many requests wait for an answer now.
    held: usize,
    /// Every request's line, with the page that it says to come from.
    lines: Vec<String>,
    answers: Vec<Keyed>,
}

/// An answer of the service to a request with an idempotency key, whether the page has heard it or not.
pub struct Keyed {
    pub key: String,
    pub status: u16,
    pub body: String,
}

type Shared = Arc<(Mutex<Sky>, Condvar)>;

/// The wire, at a port of its own.
pub struct Liar {
    pub port: u16,
    sky: Shared,
}

impl Liar {
    /// A wire to the service at this port. It tells the truth until its weather turns.
    pub fn to(service: u16, seed: u64, trace: &Trace) -> Liar {
        let port = free_port();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).expect("the port is free");
        let (asked, fates) = (BTreeMap::new(), BTreeMap::new());
        let sky = Sky {
            weather: Weather::Calm,
            is_listening: true,
            seed,
            asked,
            fates,
            next: None,
            deeds: 0,
            silent: Vec::new(),
            streams: Vec::new(),
            held: 0,
            lines: Vec::new(),
            answers: Vec::new(),
        };
        let sky = Arc::new((Mutex::new(sky), Condvar::new()));
        let (all, trace) = (Arc::clone(&sky), trace.clone());
        std::thread::spawn(move || listens(listener, service, &all, &trace));
        Liar { port, sky }
    }

    /// The weather turns. What was silent ends; where nothing gets through any more, the streams do as well.
    pub fn turns(&self, weather: Weather) {
        let mut sky = lock(&self.sky);
        if sky.weather == weather {
            return;
        }
        sky.weather = weather;
        let mut ended = std::mem::take(&mut sky.silent);
        if matches!(weather, Weather::Closed | Weather::Always(Fate::Refused)) {
            ended.append(&mut sky.streams);
        }
        for connection in ended {
            let _ = connection.shutdown(Shutdown::Both);
        }
        self.sky.1.notify_all();
        let listens = weather != Weather::Closed;
        while sky.is_listening != listens {
            // Whoever comes is told apart from a phone by nothing: the one that accepts looks at the weather.
            drop(TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)));
            sky = self.sky.1.wait_timeout(sky, SOON).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Something was done: what is late comes nearer.
    pub fn deed(&self) {
        lock(&self.sky).deeds += 1;
        self.sky.1.notify_all();
    }

    /// Says what becomes of the next request of a kind, as `POST balls`.
    pub fn fates_next(&self, kind: &'static str, fate: Fate) {
        lock(&self.sky).next = Some((kind, fate));
    }

    /// Whether a request waits for an answer now, or the next one may.
    pub fn may_hold(&self) -> bool {
        let sky = lock(&self.sky);
        let holds = match sky.weather {
            Weather::Always(fate) => fate.holds(),
            Weather::Storm => true,
            Weather::Calm | Weather::Closed => false,
        };
        holds || sky.held > 0 || sky.next.is_some_and(|(_, fate)| fate.holds())
    }

    /// How many requests there were of each kind.
    pub fn asked(&self) -> BTreeMap<String, u64> {
        lock(&self.sky).asked.clone()
    }

    /// How many requests there were of each fate.
    pub fn fates(&self) -> BTreeMap<Fate, usize> {
        lock(&self.sky).fates.clone()
    }

    /// Every request's line so far, with the page that it says to come from.
    pub fn lines(&self) -> Vec<String> {
        lock(&self.sky).lines.clone()
    }

    /// The answers to requests with a key, since they were taken last.
    pub fn takes_answers(&self) -> Vec<Keyed> {
        std::mem::take(&mut lock(&self.sky).answers)
    }
}

/// Accepts connections, and leaves the port while it is closed.
fn listens(mut listener: TcpListener, service: u16, sky: &Shared, trace: &Trace) {
    let Ok(address) = listener.local_addr() else { return };
    loop {
        for phone in listener.incoming().flatten() {
            if lock(sky).weather == Weather::Closed {
                break;
            }
            let (sky, trace) = (Arc::clone(sky), trace.clone());
            std::thread::spawn(move || drop(carry(phone, service, &sky, &trace)));
        }
        drop(listener);
        says_that_it_listens(sky, false);
        let mut state = lock(sky);
        while state.weather == Weather::Closed {
            state = sky.1.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        drop(state);
        listener = TcpListener::bind(address).expect("the port is still free");
        says_that_it_listens(sky, true);
    }
}

fn says_that_it_listens(sky: &Shared, is_listening: bool) {
    lock(sky).is_listening = is_listening;
    sky.1.notify_all();
}

fn lock(sky: &Shared) -> MutexGuard<'_, Sky> {
    sky.0.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Draws what becomes of a request.
fn fate_of(request: &Asked, sky: &Shared) -> Fate {
    let mut sky = lock(sky);
    let referer = header(&request.head, "referer").unwrap_or_default();
    sky.lines.push(format!("{} {} {referer}", request.method, request.path));
    if !request.path.starts_with("/v1/") {
        // A line that is gone is gone for all.
        return match sky.weather {
            Weather::Always(fate @ (Fate::Refused | Fate::BlackHole)) => fate,
            _ => Fate::Through,
        };
    }
    let kind = request.kind();
    let asked = sky.asked.entry(kind.clone()).or_default();
    *asked += 1;
    let letters = kind.bytes().fold(7_u64, |sum, letter| sum.wrapping_mul(31).wrapping_add(letter.into()));
    let mut lcg = Lcg(sky.seed.wrapping_mul(1_000_003) ^ letters.wrapping_mul(1 << 20) ^ sky.asked[&kind]);
    // The first numbers of seeds that are near each other are near each other.
    lcg.byte();
    lcg.byte();
    let lies = lcg.below(100) < LIED_ABOUT;
    let said = sky.next.take_if(|(of, _)| *of == kind).map(|(_, fate)| fate);
    let drawn = match sky.weather {
        Weather::Storm if lies => LIES[lcg.below(LIES.len())],
        Weather::Always(fate) => fate,
        Weather::Storm | Weather::Calm | Weather::Closed => Fate::Through,
    };
    let fate = said.unwrap_or(drawn);
    *sky.fates.entry(fate).or_default() += 1;
    fate
}

/// A request as it came over the wire.
struct Asked {
    method: String,
    path: String,
    head: String,
    body: Vec<u8>,
}

impl Asked {
    /// Reads a request. `None` where the phone has closed the connection.
    fn read(phone: &mut TcpStream) -> io::Result<Option<Asked>> {
        let (mut bytes, mut part) = (Vec::new(), [0; 16_384]);
        loop {
            let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
            if let Some(end) = end {
                let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
                let length = header(&head, "content-length").and_then(|value| value.parse::<usize>().ok());
                if bytes.len() >= end + 4 + length.unwrap_or(0) {
                    let mut words = head.split(' ').map(str::to_owned);
                    let (method, path) = (words.next(), words.next());
                    let body = bytes.split_off(end + 4);
                    return Ok(method.zip(path).map(|(method, path)| Asked { method, path, head, body }));
                }
            }
            let count = phone.read(&mut part)?;
            if count == 0 {
                return Ok(None);
            }
            bytes.extend_from_slice(&part[..count]);
        }
    }

    /// The request without its match: `POST balls/preview`.
    fn kind(&self) -> String {
        let path = self.path.split('?').next().unwrap_or_default();
        let below =
            path.strip_prefix("/v1/matches/").map(|rest| rest.split_once('/').map_or("", |(_, it)| it));
        format!("{} {}", self.method, below.unwrap_or(path))
    }

    fn is_stream(&self) -> bool {
        self.path.contains("/events/stream")
    }

    /// The request as a line of the trace: never its token.
    fn words(&self) -> String {
        let named = ["idempotency-key", "if-match"].map(|name| header(&self.head, name).unwrap_or_default());
        format!("{} {} {}", self.kind(), String::from_utf8_lossy(&self.body), named.join(" "))
    }

    /// Sends it on, and reads its answer.
    fn answered(&self, service: u16) -> io::Result<Vec<u8>> {
        let mut answer = Vec::new();
        self.sent(service)?.read_to_end(&mut answer)?;
        Ok(answer)
    }

    /// Sends it on, over a connection of its own.
    fn sent(&self, service: u16) -> io::Result<TcpStream> {
        let mut service = TcpStream::connect(("127.0.0.1", service))?;
        // The answer to a request with a key is read here, so it comes as text.
        let is_keyed = header(&self.head, "idempotency-key").is_some();
        let is_left_out = |line: &&str| {
            let line = line.to_lowercase();
            line.starts_with("connection:") || is_keyed && line.starts_with("accept-encoding:")
        };
        let lines = self.head.split("\r\n").filter(|line| !is_left_out(line));
        let head = lines.collect::<Vec<_>>().join("\r\n");
        service.write_all(format!("{head}\r\nConnection: close\r\n\r\n").as_bytes())?;
        service.write_all(&self.body)?;
        Ok(service)
    }
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let lines = head.split("\r\n").skip(1).filter_map(|line| line.split_once(':'));
    lines.filter(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim()).next()
}

/// Carries one request, as is drawn for it.
fn carry(mut phone: TcpStream, service: u16, sky: &Shared, trace: &Trace) -> io::Result<()> {
    let Some(request) = Asked::read(&mut phone)? else { return Ok(()) };
    let fate = fate_of(&request, sky);
    let is_traced = request.path.starts_with("/v1/");
    let note =
        |what: &str| is_traced.then(|| trace.notes(format!("    {fate:?}{what}: {}", request.words())));
    note("");
    let _held = (fate.holds() && !request.is_stream()).then(|| Held::on(sky));
    match fate {
        Fate::Refused => return Ok(()),
        Fate::Portal => return phone.write_all(PORTAL),
        Fate::Fails => return phone.write_all(FAILURE),
        Fate::BlackHole => return silence(phone, sky),
        Fate::Slow => {
            waits(sky);
            note(" arrives");
        }
        Fate::Through | Fate::Lost | Fate::Half | Fate::Mute => {}
    }
    if request.is_stream() {
        return match fate {
            Fate::Through | Fate::Slow => streams(request.sent(service)?, phone, sky),
            Fate::Mute => silence(phone, sky),
            _ => Ok(()),
        };
    }
    let answer = request.answered(service)?;
    let status = String::from_utf8_lossy(answer.get(9..12).unwrap_or_default()).into_owned();
    note(&format!(" after {status}"));
    keeps(&request, &status, &answer, sky);
    match fate {
        Fate::Through | Fate::Slow => phone.write_all(&answer),
        Fate::Half => phone.write_all(&answer[..body_of(&answer) + (answer.len() - body_of(&answer)) / 2]),
        Fate::Mute => silence(phone, sky),
        _ => Ok(()),
    }
}

/// A request that waits for its answer.
struct Held<'a>(&'a Shared);

impl Held<'_> {
    fn on(sky: &Shared) -> Held<'_> {
        lock(sky).held += 1;
        Held(sky)
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        lock(self.0).held -= 1;
    }
}

/// Where the body of an answer begins.
fn body_of(answer: &[u8]) -> usize {
    answer.windows(4).position(|four| four == b"\r\n\r\n").map_or(answer.len(), |end| end + 4)
}

/// Keeps an answer to a request with a key.
fn keeps(request: &Asked, status: &str, answer: &[u8], sky: &Shared) {
    let Some(key) = header(&request.head, "idempotency-key").map(str::to_owned) else { return };
    let body = String::from_utf8_lossy(&answer[body_of(answer)..]).into_owned();
    lock(sky).answers.push(Keyed { key, status: status.parse().unwrap_or_default(), body });
}

/// Waits as long as a slow request does.
fn waits(sky: &Shared) {
    let mut state = lock(sky);
    let until = state.deeds + LATE;
    while state.deeds < until && state.weather != Weather::Calm {
        state = sky.1.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
}

/// Says nothing until the phone gives up, or the weather turns.
fn silence(mut phone: TcpStream, sky: &Shared) -> io::Result<()> {
    lock(sky).silent.push(phone.try_clone()?);
    io::copy(&mut phone, &mut io::sink())?;
    phone.shutdown(Shutdown::Both)
}

/// Copies a stream to the phone, until either has gone, or nothing gets through: then it looks open.
fn streams(mut service: TcpStream, mut phone: TcpStream, sky: &Shared) -> io::Result<()> {
    let (mut heard, ended) = (phone.try_clone()?, service.try_clone()?);
    lock(sky).streams.push(phone.try_clone()?);
    std::thread::spawn(move || {
        let _ = io::copy(&mut heard, &mut io::sink());
        let _ = ended.shutdown(Shutdown::Both);
    });
    let mut part = [0; 16_384];
    while let Ok(count @ 1..) = service.read(&mut part) {
        if matches!(lock(sky).weather, Weather::Always(fate) if fate.holds()) {
            return silence(phone, sky);
        }
        if phone.write_all(&part[..count]).is_err() {
            break;
        }
    }
    phone.shutdown(Shutdown::Both)
}

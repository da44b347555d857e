//! A wire that lies: what becomes of each request to the API is drawn from a seed, and noted.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use third_umpire_test_support::random::Lcg;

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

const LIES: [Fate; 8] = [
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
    is_calm: bool,
    seed: u64,
    /// How many requests of each kind there were: what becomes of one does not depend on the other kinds.
    asked: BTreeMap<String, u64>,
    fates: BTreeMap<Fate, usize>,
    /// What becomes of the next request of a kind.
    next: Option<(&'static str, Fate)>,
    /// The deeds of the storm so far.
    deeds: u64,
}

type Shared = Arc<(Mutex<Sky>, Condvar)>;

/// The wire, at a port of its own.
pub struct Liar {
    pub port: u16,
    sky: Shared,
}

impl Liar {
    /// A wire to the service at this port. It tells the truth until a storm begins.
    pub fn to(service: u16, seed: u64, trace: &Trace) -> Liar {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let (asked, fates) = (BTreeMap::new(), BTreeMap::new());
        let sky = Sky { is_calm: true, seed, asked, fates, next: None, deeds: 0 };
        let sky = Arc::new((Mutex::new(sky), Condvar::new()));
        let (all, trace) = (Arc::clone(&sky), trace.clone());
        std::thread::spawn(move || {
            for phone in listener.incoming().flatten() {
                let (sky, trace) = (Arc::clone(&all), trace.clone());
                std::thread::spawn(move || drop(carry(phone, service, &sky, &trace)));
            }
        });
        Liar { port, sky }
    }

    /// The storm begins, or ends.
    pub fn is_calm(&self, is_calm: bool) {
        lock(&self.sky).is_calm = is_calm;
        self.sky.1.notify_all();
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

    /// How many requests there were of each kind.
    pub fn asked(&self) -> BTreeMap<String, u64> {
        lock(&self.sky).asked.clone()
    }

    /// How many requests there were of each fate.
    pub fn fates(&self) -> BTreeMap<Fate, usize> {
        lock(&self.sky).fates.clone()
    }
}

fn lock(sky: &Shared) -> MutexGuard<'_, Sky> {
    sky.0.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Draws what becomes of a request.
fn fate_of(request: &Asked, sky: &Shared) -> Fate {
    let mut sky = lock(sky);
    if !request.path.starts_with("/v1/") {
        return Fate::Through;
    }
    let kind = request.kind();
    let asked = sky.asked.entry(kind.clone()).or_default();
    *asked += 1;
    let letters = kind.bytes().fold(7_u64, |sum, letter| sum.wrapping_mul(31).wrapping_add(letter.into()));
    let mut lcg = Lcg(sky.seed.wrapping_mul(1_000_003) ^ letters.wrapping_mul(1 << 20) ^ sky.asked[&kind]);
    // The first numbers of seeds that are near each other are near each other.
    lcg.byte();
    lcg.byte();
    let lies = !sky.is_calm && lcg.below(100) < LIED_ABOUT;
    let said = sky.next.take_if(|(of, _)| *of == kind).map(|(_, fate)| fate);
    let fate = if let Some(fate) = said {
        fate
    } else if lies {
        LIES[lcg.below(LIES.len())]
    } else {
        Fate::Through
    };
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

    /// Sends it on, over a connection of its own.
    fn sent(&self, service: u16) -> io::Result<TcpStream> {
        let mut service = TcpStream::connect(("127.0.0.1", service))?;
        let lines = self.head.split("\r\n").filter(|line| !line.to_lowercase().starts_with("connection:"));
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
    match fate {
        Fate::Refused => return Ok(()),
        Fate::Portal => return phone.write_all(PORTAL),
        Fate::Fails => return phone.write_all(FAILURE),
        Fate::BlackHole => return silence(&mut phone),
        Fate::Slow => {
            waits(sky);
            note(" arrives");
        }
        Fate::Through | Fate::Lost | Fate::Half | Fate::Mute => {}
    }
    if request.is_stream() && fate != Fate::Slow && fate != Fate::Through {
        return if fate == Fate::Mute { silence(&mut phone) } else { Ok(()) };
    }
    let mut answering = request.sent(service)?;
    if matches!(fate, Fate::Through | Fate::Slow) {
        return copies(answering, phone);
    }
    let mut answer = Vec::new();
    answering.read_to_end(&mut answer)?;
    let status = String::from_utf8_lossy(answer.get(9..12).unwrap_or_default()).into_owned();
    note(&format!(" after {status}"));
    match fate {
        Fate::Half => phone.write_all(&answer[..half_of(&answer)]),
        Fate::Mute => silence(&mut phone),
        _ => Ok(()),
    }
}

/// Where an answer is cut: in the middle of its body.
fn half_of(answer: &[u8]) -> usize {
    let head = answer.windows(4).position(|four| four == b"\r\n\r\n").map_or(0, |end| end + 4);
    head + (answer.len() - head) / 2
}

/// Waits as long as a slow request does.
fn waits(sky: &Shared) {
    let mut state = lock(sky);
    let until = state.deeds + LATE;
    while state.deeds < until && !state.is_calm {
        state = sky.1.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
}

/// Says nothing until the phone gives up.
fn silence(phone: &mut TcpStream) -> io::Result<()> {
    io::copy(phone, &mut io::sink()).map(drop)
}

/// Copies an answer to the phone, until either has gone.
fn copies(mut service: TcpStream, mut phone: TcpStream) -> io::Result<()> {
    let (mut heard, ended) = (phone.try_clone()?, service.try_clone()?);
    std::thread::spawn(move || {
        let _ = silence(&mut heard);
        let _ = ended.shutdown(Shutdown::Both);
    });
    let copied = io::copy(&mut service, &mut phone);
    let _ = phone.shutdown(Shutdown::Both);
    copied.map(drop)
}

//! A wire between a phone and a service. It lets everything through, is slow, or answers itself.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::phone::Phone;
use crate::table::Table;

/// A phone at a service, and the wire between them, which may fail.
pub fn on_a_wire(service: &Table) -> Option<(Proxy, Phone)> {
    let (wire, address) = service.wired();
    let mut phone = Phone::at(&address)?;
    phone.expected.push("Failed to load resource");
    Some((wire, phone))
}

/// What the wire does with a request.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    Through,
    /// Nothing gets through until the wire is turned.
    Slow,
    /// Everything is answered with a 500.
    Fails,
    /// Somebody else answers everything with this status and a page of their own.
    Portal(&'static str),
    /// A file of the pages with this name is answered so; everything else gets through.
    File(&'static str, &'static str),
}

/// The state that all connections share, and the streams that are open.
struct Shared {
    wire: Wire,
    open: Vec<TcpStream>,
}

/// The wire, at a port of its own.
pub struct Proxy {
    pub port: u16,
    shared: Arc<(Mutex<Shared>, Condvar)>,
}

impl Proxy {
    /// A wire to the service at this port.
    pub fn to(service: u16) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let shared = Arc::new((Mutex::new(Shared { wire: Wire::Through, open: Vec::new() }), Condvar::new()));
        let all = Arc::clone(&shared);
        std::thread::spawn(move || {
            for phone in listener.incoming().flatten() {
                let shared = Arc::clone(&all);
                std::thread::spawn(move || drop(carry(phone, service, &shared)));
            }
        });
        Proxy { port, shared }
    }

    /// Turns the wire. What was open is cut, since a connection keeps to the way it began.
    pub fn turns(&self, wire: Wire) {
        let mut shared = lock(&self.shared.0);
        shared.wire = wire;
        for stream in shared.open.drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
        self.shared.1.notify_all();
    }
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Carries one connection, as the wire is when it begins.
fn carry(mut phone: TcpStream, service: u16, shared: &(Mutex<Shared>, Condvar)) -> std::io::Result<()> {
    let mut state = lock(&shared.0);
    while state.wire == Wire::Slow {
        state = shared.1.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
    if state.wire == Wire::Fails {
        drop(state);
        let _ = phone.read(&mut [0; 65_536])?;
        return phone.write_all(
            b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        );
    }
    if let Wire::Portal(status) = state.wire {
        drop(state);
        let _ = phone.read(&mut [0; 65_536])?;
        let page = "<!doctype html><title>Welcome</title><p>Sign in to this network";
        let head = "Content-Type: text/html\r\nConnection: close";
        return write!(phone, "HTTP/1.1 {status}\r\n{head}\r\nContent-Length: {}\r\n\r\n{page}", page.len());
    }
    let mut service = TcpStream::connect(("127.0.0.1", service))?;
    state.open.extend([phone.try_clone()?, service.try_clone()?]);
    let wire = state.wire;
    drop(state);
    if let Wire::File(name, answer) = wire {
        let head = String::from_utf8_lossy(&head_of(&mut phone)?).into_owned();
        let path = head.split(' ').nth(1).unwrap_or_default();
        let file = path.rsplit('/').next().and_then(|file| file.split('?').next());
        if file == Some(name) && path.starts_with("/assets/") {
            phone.write_all(answer.as_bytes())?;
            return phone.shutdown(Shutdown::Both);
        }
        // The next request has a connection of its own, so that it is looked at as well.
        service.write_all(head.replace("Connection: keep-alive", "Connection: close").as_bytes())?;
    }
    let (mut back, mut to_phone) = (service.try_clone()?, phone.try_clone()?);
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut back, &mut to_phone);
        let _ = to_phone.shutdown(Shutdown::Both);
    });
    let mut to_service = service;
    std::io::copy(&mut phone, &mut to_service)?;
    to_service.shutdown(Shutdown::Both)
}

/// The head that comes first over a connection, with what has come of its body.
fn head_of(stream: &mut TcpStream) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    while !head.windows(4).any(is_end) {
        let mut more = [0; 4096];
        match stream.read(&mut more)? {
            0 => break,
            length => head.extend(&more[..length]),
        }
    }
    Ok(head)
}

/// Whether a head ends here.
fn is_end(four: &[u8]) -> bool {
    four == b"\r\n\r\n"
}

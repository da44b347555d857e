//! The HTTP server: its start and stop, and the wrappers around every request. The server listens
//! before its store is open, so that `/healthz` answers while tables are migrated.

use std::any::Any;
use std::convert::Infallible;
use std::future::Future;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, ToSocketAddrs};
use std::rc::Rc;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{Extensions, ServerHandle, ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::{Next, from_fn};
use actix_web::rt::net::TcpStream;
use actix_web::web::{self, Data};
use actix_web::{App, Error, HttpMessage, HttpRequest, HttpServer, ResponseError};
use tracing::{Level, Span};
use tracing_actix_web::{DefaultRootSpanBuilder, RequestId, RootSpanBuilder, TracingLogger};

use super::counting::count_request;
use super::host::Host;
use super::memory::Memory;
use super::origin::{Hosts, own_hosts_only};
use super::other_pages::answer_preflight;
use super::outgoing::Outgoing;
use super::representation::represent;
use super::table::NetworkTable;
use super::work_queue::WorkQueue;
use super::{AppState, address, body, openapi, pages, request, routes};
use crate::commands::{Problem, ProblemType};
use crate::editions::Editions;
use crate::metrics::Metrics;
use crate::service::{MatchService, SimulationQueue, keep_list, sweep_daily, told_once};
use crate::store::{CommitMode, EventStore};

/// The interval at which the store is asked whether another instance has appended to a match with
/// subscribers.
const POLL: Duration = Duration::from_millis(300);
/// How long requests in flight may take when the service stops, in seconds.
const SHUTDOWN_TIMEOUT: u64 = 20;
/// How long the last rows of the match list may take then.
const LAST_ROWS: Duration = Duration::from_secs(2);

/// The bytes that the kernel takes over for each connection before the service has to wait. Left to itself it
/// takes megabytes, which no figure of the process shows.
const SEND_BUFFER: usize = 256 << 10;
/// How long a client may keep its receive window shut.
pub const SEND_TIMEOUT: Duration = Duration::from_secs(30);

/// Why the service does not start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address to listen on cannot be read.
    #[error("{0:?} is not HOST:PORT, as in 127.0.0.1:8080; a port is 0 to 65535, where 0 is any")]
    NotAnAddress(String),
    /// The host to listen on is not known.
    #[error("the host of {0:?} cannot be found: {1}")]
    Address(String, std::io::Error),
    /// The address is open to other machines, and the service has no admin token.
    #[error(
        "{0} is not a loopback address, so others could create matches: add --admin-token to listen there"
    )]
    NeedsAdminToken(SocketAddr),
    /// A table is told to listen on an address that other devices do not reach, or not on all of them.
    #[error("--table listens on every address of this machine, and not on {0}: write --listen 0.0.0.0:PORT")]
    NotEveryAddress(SocketAddr),
    /// The metrics could not be set up.
    #[error("metrics cannot be recorded: {0}")]
    Metrics(String),
    /// The thread that writes to the store could not be started.
    #[error("the thread that writes cannot be started: {0}")]
    Thread(std::io::Error),
    /// The address cannot be listened on, for example since the port is taken.
    #[error("cannot listen on {0}: {1}")]
    Listen(String, std::io::Error),
}

/// The access to a service: its admin token, the hosts to which it answers, and its patience with clients.
pub struct Access {
    /// The admin token, which creating a match needs, where there is one.
    pub admin_token: Option<String>,
    /// The hosts to which the service answers, beside localhost and addresses.
    pub hosts: Vec<Host>,
    /// How long a client may keep its receive window shut, before its connection is closed.
    pub send_timeout: Duration,
    /// The table that the service is, if it is one.
    pub table: Option<Arc<NetworkTable>>,
}

impl Default for Access {
    fn default() -> Access {
        Access { admin_token: None, hosts: Vec::new(), send_timeout: SEND_TIMEOUT, table: None }
    }
}

/// A running service.
pub struct RunningServer {
    /// The address on which the service listens.
    pub address: SocketAddr,
    hosts: Data<Hosts>,
    service: Opened,
    metrics: Metrics,
    admin_token: Option<String>,
    table: Option<Arc<NetworkTable>>,
    editions: Editions,
    handle: ServerHandle,
}

/// The state of the service, set once its store is open.
type Opened = Arc<OnceLock<Data<AppState>>>;

impl RunningServer {
    /// Gives the service its store, after which it answers all requests.
    pub fn open(&self, store: Arc<dyn EventStore>, commit: CommitMode) -> Result<(), ServeError> {
        let matches = MatchService::new(store, commit, self.metrics.clone(), self.editions.clone());
        let service = Data::new(AppState {
            matches: matches.map_err(ServeError::Thread)?,
            document: openapi::served_document(self.editions.registry()),
            simulations: SimulationQueue::new(threads_for_simulations()),
            admin_token: self.admin_token.clone(),
            table: self.table.clone(),
            audits: WorkQueue::for_this_machine(ProblemType::AuditsFull),
            previews: WorkQueue::for_this_machine(ProblemType::PreviewsFull),
            memory: Memory::default(),
            outgoing: Outgoing::default(),
            metrics: self.metrics.clone(),
        });
        // The service is opened once; a second store would be ignored.
        let _ = self.service.set(service);
        Ok(())
    }

    /// Whether the service answers to any host.
    pub fn takes_any_host(&self) -> bool {
        self.hosts.take_any()
    }

    /// Stops the service: simulations are cancelled, streams end, requests in flight are finished, then the
    /// store is closed.
    pub async fn stop(self) {
        let service = self.service.get();
        if let Some(service) = service {
            service.simulations.close();
            service.matches.subscriptions().end();
        }
        self.handle.stop(true).await;
        if let Some(service) = service {
            // Where rows cannot be written now, the next service finds them.
            if tokio::time::timeout(LAST_ROWS, last_rows(&service.matches)).await.is_err() {
                tracing::warn!("the last rows of the match list are not written");
            }
            service.matches.store().close().await;
        }
    }
}

/// Writes the last rows of the match list. A connection to the database that a worker has opened ended with
/// it, which shows when the connection is used, so rows are tried again.
async fn last_rows(matches: &MatchService) {
    while let Err(error) = matches.write_list().await {
        tracing::debug!(%error, "the last rows of the match list are tried again");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// The addresses that `listen` names (HOST:PORT).
fn addresses_of(listen: &str) -> Result<Vec<SocketAddr>, ServeError> {
    let is_address = listen.rsplit_once(':').is_some_and(|(host, port)| {
        !host.is_empty()
            && !host.contains('/')
            && port.bytes().all(|byte| byte.is_ascii_digit())
            && port.parse::<u16>().is_ok()
    });
    if !is_address {
        return Err(ServeError::NotAnAddress(listen.to_owned()));
    }
    let addresses =
        listen.to_socket_addrs().map_err(|error| ServeError::Address(listen.to_owned(), error))?;
    Ok(addresses.collect())
}

/// Binds the address `listen` (HOST:PORT; port 0 for any). An address that is not loopback needs an admin
/// token.
pub fn bind(listen: &str, has_admin_token: bool) -> Result<TcpListener, ServeError> {
    let addresses = addresses_of(listen)?;
    let open = addresses.iter().find(|address| !address.ip().is_loopback());
    if let Some(open) = open.filter(|_| !has_admin_token) {
        return Err(ServeError::NeedsAdminToken(*open));
    }
    TcpListener::bind(addresses.as_slice()).map_err(|error| ServeError::Listen(listen.to_owned(), error))
}

/// Binds the port of `listen` for a table, on every address of this machine: of IPv4 first, and of IPv6 where
/// the machine has it.
pub fn bind_table(listen: &str) -> Result<Vec<TcpListener>, ServeError> {
    let addresses = addresses_of(listen)?;
    if let Some(one) = addresses.iter().find(|address| !address.ip().is_unspecified()) {
        return Err(ServeError::NotEveryAddress(*one));
    }
    let port = addresses.first().map_or(0, SocketAddr::port);
    let cannot = |error| ServeError::Listen(listen.to_owned(), error);
    let first = TcpListener::bind((Ipv4Addr::UNSPECIFIED, port)).map_err(cannot)?;
    let port = first.local_addr().map_err(cannot)?.port();
    let mut listeners = vec![first];
    match bind_ipv6(port) {
        Ok(second) => listeners.push(second),
        Err(error) => tracing::info!(%error, "this machine does not listen on IPv6; IPv4 is enough"),
    }
    Ok(listeners)
}

/// A listener on all addresses of IPv6 alone: those of IPv4 have their own.
fn bind_ipv6(port: u16) -> std::io::Result<TcpListener> {
    use rustix::net::{AddressFamily, SocketFlags, SocketType, bind, listen, socket_with, sockopt};
    #[cfg(target_os = "macos")]
    let flags = SocketFlags::empty();
    #[cfg(not(target_os = "macos"))]
    let flags = SocketFlags::CLOEXEC;
    let socket = socket_with(AddressFamily::INET6, SocketType::STREAM, flags, None)?;
    #[cfg(target_os = "macos")]
    rustix::io::ioctl_fioclex(&socket)?;
    sockopt::set_ipv6_v6only(&socket, true)?;
    // As for the other listener: a service that starts again takes the port of the one before it at once.
    sockopt::set_socket_reuseaddr(&socket, true)?;
    bind(&socket, &SocketAddr::from((Ipv6Addr::UNSPECIFIED, port)))?;
    listen(&socket, 128)?;
    Ok(socket.into())
}

/// Starts the service on `listeners`, of which the first gives it its address: it answers `/healthz` at once,
/// and everything else after [`RunningServer::open`], for matches of these games and editions. The returned
/// future runs the server, and has to be polled.
pub fn serve(
    listeners: Vec<TcpListener>,
    access: Access,
    editions: Editions,
) -> Result<(RunningServer, impl Future<Output = std::io::Result<()>> + use<>), ServeError> {
    let fault = |error| ServeError::Listen("this address".to_owned(), error);
    let Some(first) = listeners.first() else {
        return Err(fault(std::io::Error::from(std::io::ErrorKind::AddrNotAvailable)));
    };
    let address = first.local_addr().map_err(fault)?;
    let metrics = Metrics::new().map_err(|error| ServeError::Metrics(error.to_string()))?;
    let table = access.table;
    let hosts = Data::new(Hosts::new(access.hosts, access.admin_token.is_some(), table.clone()));
    let own_hosts = hosts.clone();
    let service = Opened::default();
    let (shared, counting) = (Arc::clone(&service), metrics.clone());
    let admin_token = access.admin_token.as_deref().map(request::token_hash);
    let mut server = HttpServer::new(move || {
        let (shared, counting) = (Arc::clone(&shared), counting.clone());
        App::new()
            .app_data(own_hosts.clone())
            .wrap(from_fn(move |request, next| once_open(Arc::clone(&shared), request, next)))
            .wrap(from_fn(answer_preflight))
            .wrap(from_fn(own_hosts_only))
            .wrap(from_fn(represent))
            .wrap(from_fn(move |request, next| observe(counting.clone(), request, next)))
            .wrap(from_fn(body::end_with_the_answer))
            .wrap(TracingLogger::<RequestSpan>::new())
            .configure(routes::configure)
            .configure(pages::configure)
            .default_service(web::to(|http: HttpRequest| async move { pages::nothing_here(&http) }))
    })
    .on_connect(move |connection, _| bound_sending(connection, access.send_timeout))
    .disable_signals()
    .shutdown_timeout(SHUTDOWN_TIMEOUT);
    for listener in listeners {
        server = server.listen(listener).map_err(fault)?;
    }
    let server = server.run();
    let handle = server.handle();
    let watched = Arc::clone(&service);
    let running = async move {
        tokio::select! {
            ended = server => ended,
            never = background(watched) => match never {},
        }
    };
    let served = RunningServer { address, hosts, service, metrics, admin_token, table, editions, handle };
    Ok((served, running))
}

/// Bounds what a connection keeps for a client that does not read, and for how long. A timer of the service
/// would not do: while the socket is full, the body of the answer is not asked to go on. The kernel closes
/// the connection once it has found the client's receive window shut for so long. The window opens again only
/// when the client has taken much of what it has buffered: docs/operations.md says what that asks of a slow
/// reader.
fn bound_sending(connection: &dyn Any, timeout: Duration) {
    let Some(stream) = connection.downcast_ref::<TcpStream>() else { return };
    let bounded = rustix::net::sockopt::set_socket_send_buffer_size(stream, SEND_BUFFER);
    #[cfg(target_os = "linux")]
    let bounded = bounded.and_then(|()| {
        let milliseconds = u32::try_from(timeout.as_millis()).unwrap_or(u32::MAX);
        rustix::net::sockopt::set_tcp_user_timeout(stream, milliseconds)
    });
    #[cfg(not(target_os = "linux"))]
    let _ = timeout;
    // A client that is gone already has no socket that could be bounded.
    if let Err(error) = bounded {
        tracing::debug!(%error, "a connection cannot be bounded");
    }
}

/// Hands the state of the service to the handler. Until the store is open, only `/healthz` is answered.
async fn once_open(
    service: Opened,
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    if let Some(service) = service.get() {
        let mut container = Extensions::new();
        container.insert(service.clone());
        request.add_data_container(Rc::new(container));
    } else if request.path() != "/healthz" {
        let message = "the service is starting and waits for its tables; nothing was stored by this request";
        return Ok(request.into_response(Problem::new(ProblemType::Unavailable, message).error_response()));
    }
    Ok(next.call(request).await?.map_into_boxed_body())
}

/// The number of threads for simulations: half the cores, so that matches can go on meanwhile.
fn threads_for_simulations() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).max(1))
}

/// Runs the background work once the store is open.
async fn background(service: Opened) -> Infallible {
    let service = loop {
        tokio::time::sleep(POLL).await;
        if let Some(service) = service.get() {
            break service;
        }
    };
    tokio::select! {
        never = poll(service) => never,
        never = sweep_daily(service.matches.store()) => never,
        never = keep_list(&service.matches) => never,
    }
}

/// Polls for events of other instances, and tidies the metrics.
async fn poll(service: &AppState) -> Infallible {
    let mut is_cut_off = false;
    loop {
        tokio::time::sleep(POLL).await;
        service.metrics.upkeep();
        let polled = service.matches.subscriptions().poll_heads(service.matches.store()).await;
        let (fails, goes_on) =
            ("cannot look for events of other instances", "events of other instances are found again");
        is_cut_off = told_once(&polled, is_cut_off, fails, goes_on);
    }
}

/// The span of a request in the log. Where the log leaves spans out, what it would say is not looked up.
struct RequestSpan;

impl RootSpanBuilder for RequestSpan {
    fn on_request_start(request: &ServiceRequest) -> Span {
        if tracing::enabled!(Level::INFO) {
            DefaultRootSpanBuilder::on_request_start(request)
        } else {
            Span::none()
        }
    }

    fn on_request_end<B: MessageBody>(span: Span, outcome: &Result<ServiceResponse<B>, Error>) {
        DefaultRootSpanBuilder::on_request_end(span, outcome);
    }
}

/// Counts requests, times them, and gives each response its request's id.
async fn observe(
    metrics: Metrics,
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let begun = Instant::now();
    address::normalise(&mut request);
    let id = request.extensions().get::<RequestId>().map(ToString::to_string);
    let mut response = next.call(request).await?;
    let (status, took) = (response.status(), begun.elapsed());
    count_request(&metrics, response.request(), status, took);
    tracing::info!(status = status.as_u16(), milliseconds = took.as_millis() as u64, "answered");
    if let Some(id) = id.and_then(|id| HeaderValue::from_str(&id).ok()) {
        response.headers_mut().insert(HeaderName::from_static("x-request-id"), id);
    }
    response
        .headers_mut()
        .insert(HeaderName::from_static("x-content-type-options"), HeaderValue::from_static("nosniff"));
    Ok(response)
}

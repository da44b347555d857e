use std::future::Future;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::rc::Rc;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{Extensions, ServerHandle, ServiceRequest, ServiceResponse};
use actix_web::guard;
use actix_web::http::Method;
use actix_web::http::header::{ALLOW, CONTENT_TYPE, HeaderName, HeaderValue};
use actix_web::middleware::{Next, from_fn};
use actix_web::web::{self, Data, ServiceConfig};
use actix_web::{App, Error, HttpMessage, HttpRequest, HttpResponse, HttpServer, ResponseError, Route};
use tracing_actix_web::{RequestId, TracingLogger};
use utoipa_swagger_ui::{Config, SwaggerUi};

use super::audit_queue::AuditQueue;
use super::memory::Memory;
use super::origin::{Host, Hosts, own_hosts_only};
use super::problem::{Kind, PROBLEM_JSON, Problem};
use super::{
    Service, audits, body, cards, choices, corrections, disputes, editions, events, matches, plays, request,
    reviews, simulations, status, tokens,
};
use crate::metrics::{AnsweredRequest, Metrics};
use crate::service::Matches;
use crate::service::Queue;
use crate::store::{Commit, EventStore};

/// How often the store is asked whether another instance has appended to a match that is followed.
const LOOK: Duration = Duration::from_millis(300);
/// How long requests in flight have when the service stops, in seconds.
const LAST_REQUESTS: u64 = 20;

/// Why the service does not start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Not an address.
    #[error("{0:?} is not HOST:PORT: {1}")]
    Address(String, std::io::Error),
    /// Open to others, and nobody would hold the keys.
    #[error(
        "{0} is not a loopback address: others could create matches; start with --admin-token to allow it"
    )]
    NeedsAdminToken(SocketAddr),
    /// The metrics could not be set up.
    #[error("metrics cannot be recorded: {0}")]
    Metrics(String),
    /// The thread that writes.
    #[error("no thread can be started to write with: {0}")]
    Thread(std::io::Error),
    /// The port is taken, or the like.
    #[error("cannot listen on {0}: {1}")]
    Listen(String, std::io::Error),
}

/// Who may do what, and as whom the service is addressed.
#[derive(Default)]
pub struct Access {
    /// The token that creating a match needs, where there is one.
    pub admin_token: Option<String>,
    /// The hosts it answers to, beside those that nobody else can give it.
    pub hosts: Vec<Host>,
}

/// A service that answers.
pub struct Served {
    /// Where.
    pub address: SocketAddr,
    hosts: Data<Hosts>,
    service: Opened,
    metrics: Metrics,
    admin_token: Option<String>,
    handle: ServerHandle,
}

/// The service, once its store is open.
type Opened = Arc<OnceLock<Data<Service>>>;

impl Served {
    /// Plays the matches of a store from now on.
    pub fn open(&self, store: Arc<dyn EventStore>, commit: Commit) -> Result<(), ServeError> {
        let service = Data::new(Service {
            matches: Matches::new(store, commit, self.metrics.clone()).map_err(ServeError::Thread)?,
            simulations: Queue::new(threads_for_simulations()),
            admin_token: self.admin_token.clone(),
            audits: AuditQueue::for_this_machine(),
            memory: Memory::default(),
            metrics: self.metrics.clone(),
        });
        // Nobody opens it twice.
        let _ = self.service.set(service);
        Ok(())
    }

    /// Whether it answers to any host.
    pub fn takes_any_host(&self) -> bool {
        self.hosts.take_any()
    }

    /// Stops: simulations are cancelled, streams end, requests in flight are finished, then the store is closed.
    pub async fn stop(self) {
        let service = self.service.get();
        if let Some(service) = service {
            service.simulations.close();
            service.matches.following().end();
        }
        self.handle.stop(true).await;
        if let Some(service) = service {
            service.matches.store().close().await;
        }
    }
}

/// Takes the address `listen` (HOST:PORT; port 0 for any). One that is not loopback is taken only where there is an
/// admin token.
pub fn bind(listen: &str, has_admin_token: bool) -> Result<TcpListener, ServeError> {
    let addresses: Vec<SocketAddr> =
        listen.to_socket_addrs().map_err(|error| ServeError::Address(listen.to_owned(), error))?.collect();
    let open = addresses.iter().find(|address| !address.ip().is_loopback());
    if let Some(open) = open.filter(|_| !has_admin_token) {
        return Err(ServeError::NeedsAdminToken(*open));
    }
    TcpListener::bind(addresses.as_slice()).map_err(|error| ServeError::Listen(listen.to_owned(), error))
}

/// Answers on `listener` until stopped: that it lives, and everything else once [`Served::open`] has a store.
/// The future that is returned has to be driven for it to do so.
pub fn serve(
    listener: TcpListener,
    access: Access,
) -> Result<(Served, impl Future<Output = std::io::Result<()>> + use<>), ServeError> {
    let fault = |error| ServeError::Listen("this address".to_owned(), error);
    let address = listener.local_addr().map_err(fault)?;
    let metrics = Metrics::new().map_err(|error| ServeError::Metrics(error.to_string()))?;
    let hosts = Data::new(Hosts::new(access.hosts, access.admin_token.is_some()));
    let own_hosts = hosts.clone();
    let service = Opened::default();
    let (shared, counting) = (Arc::clone(&service), metrics.clone());
    let server = HttpServer::new(move || {
        let (shared, counting) = (Arc::clone(&shared), counting.clone());
        App::new()
            .app_data(own_hosts.clone())
            .wrap(from_fn(move |request, next| once_open(Arc::clone(&shared), request, next)))
            .wrap(from_fn(own_hosts_only))
            .wrap(from_fn(move |request, next| observe(counting.clone(), request, next)))
            .wrap(from_fn(body::end_with_the_answer))
            .wrap(TracingLogger::default())
            .configure(routes)
            .default_service(web::to(nothing_here))
    })
    .disable_signals()
    .shutdown_timeout(LAST_REQUESTS)
    .listen(listener)
    .map_err(fault)?
    .run();
    let handle = server.handle();
    let watched = Arc::clone(&service);
    let running = async move {
        tokio::select! {
            ended = server => ended,
            never = look_around(watched) => match never {},
        }
    };
    let admin_token = access.admin_token.as_deref().map(request::token_hash);
    Ok((Served { address, hosts, service, metrics, admin_token, handle }, running))
}

/// Hands the service to whatever answers the request. Until there is one, all that can be said is that the
/// process runs.
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
        return Ok(request.into_response(Problem::new(Kind::Unavailable, message).error_response()));
    }
    Ok(next.call(request).await?.map_into_boxed_body())
}

/// Half the cores play simulations, so that the matches go on meanwhile.
fn threads_for_simulations() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).max(1))
}

/// Keeps an eye on what other instances append, and on the metrics.
async fn look_around(service: Opened) -> std::convert::Infallible {
    loop {
        tokio::time::sleep(LOOK).await;
        let Some(service) = service.get() else { continue };
        service.metrics.upkeep();
        if let Err(error) = service.matches.following().look(service.matches.store()).await {
            tracing::warn!(%error, "cannot look for events of other instances");
        }
    }
}

fn routes(config: &mut ServiceConfig) {
    // The id is looked for once, in the path of the scope; what follows it is compared as it stands.
    config.service(web::scope("/v1/matches/{id}").configure(routes_of_a_match));
    resource(config, "/v1/matches", Some(reads(matches::list)), Some(web::post().to(matches::create)));
    resource(config, "/v1/editions", Some(reads(editions::list)), Some(web::post().to(editions::create)));
    resource(config, "/v1/editions/{sha256}", Some(reads(editions::get)), None);
    resource(config, "/v1/audits", None, Some(web::post().to(audits::given)));
    resource(config, "/v1/simulations", None, Some(web::post().to(simulations::create)));
    resource(config, "/v1/simulations/{id}", Some(reads(simulations::get)), None);
    resource(config, "/v1/simulations/{id}/cancel", None, Some(web::post().to(simulations::cancel)));
    resource(config, "/healthz", Some(reads(status::healthz)), None);
    resource(config, "/readyz", Some(reads(status::readyz)), None);
    resource(config, "/metrics", Some(reads(status::metrics)), None);
    resource(config, "/openapi.json", Some(reads(status::openapi)), None);
    resource(config, "/docs", Some(reads(status::to_docs)), None);
    // Everything the page needs comes with it; it looks for the document here.
    config
        .service(SwaggerUi::new("/docs/{_:.*}").config(Config::from("/openapi.json").validator_url("none")));
}

fn routes_of_a_match(config: &mut ServiceConfig) {
    resource(config, "", Some(reads(matches::get)), None);
    resource(config, "/balls", None, Some(web::post().to(plays::balls)));
    resource(config, "/scorecard", Some(reads(cards::scorecard)), None);
    resource(config, "/set-up", None, Some(web::post().to(plays::set_up)));
    resource(config, "/toss", None, Some(web::post().to(plays::toss)));
    resource(config, "/toss/decision", None, Some(web::post().to(plays::toss_decision)));
    resource(config, "/overs", None, Some(web::post().to(plays::overs)));
    resource(config, "/abandonment", None, Some(web::post().to(plays::abandonment)));
    resource(config, "/autoplay", None, Some(web::post().to(plays::autoplay)));
    resource(config, "/fall-of-wickets", Some(reads(cards::fall_of_wickets)), None);
    resource(config, "/commentary", Some(reads(cards::commentary)), None);
    resource(config, "/replay", Some(reads(cards::replay)), None);
    resource(config, "/audit", Some(reads(audits::stored)), None);
    resource(config, "/log", Some(reads(events::log)), None);
    resource(config, "/events", Some(reads(events::list)), None);
    resource(config, "/events/stream", Some(reads(events::stream)), None);
    resource(config, "/events/{seq}", Some(reads(events::get)), None);
    resource(config, "/seeds", None, Some(web::post().to(choices::seeds)));
    resource(config, "/choices", None, Some(web::post().to(choices::choose)));
    resource(config, "/choices/call", None, Some(web::post().to(choices::call)));
    resource(config, "/reviews", Some(reads(reviews::list)), Some(web::post().to(reviews::create)));
    resource(
        config,
        "/corrections",
        Some(reads(corrections::list)),
        Some(web::post().to(corrections::create)),
    );
    resource(config, "/corrections/{n}/consent", None, Some(web::post().to(corrections::consent)));
    resource(config, "/disputes", Some(reads(disputes::list)), Some(web::post().to(disputes::create)));
    resource(config, "/disputes/{n}", Some(reads(disputes::get)), None);
    resource(config, "/disputes/{n}/ruling", None, Some(web::post().to(disputes::rule)));
    resource(config, "/tokens/claim", None, Some(web::post().to(tokens::claim)));
    resource(config, "/tokens/{role}/rotate", None, Some(web::post().to(tokens::rotate)));
}

fn reads<F, Args>(handler: F) -> Route
where
    F: actix_web::Handler<Args>,
    Args: actix_web::FromRequest + 'static,
    F::Output: actix_web::Responder + 'static,
{
    web::route().guard(guard::Any(guard::Get()).or(guard::Head())).to(handler)
}

fn resource(config: &mut ServiceConfig, path: &str, get: Option<Route>, post: Option<Route>) {
    let allowed = match (&get, &post) {
        (Some(_), Some(_)) => "GET, HEAD, POST",
        (Some(_), None) => "GET, HEAD",
        (None, _) => "POST",
    };
    let resource =
        [get, post].into_iter().flatten().fold(web::resource(path), |resource, route| resource.route(route));
    config.service(resource.default_service(web::to(move |http: HttpRequest| async move {
        let detail = format!("{} cannot be done here; {allowed} can", http.method());
        let mut answer = Problem::new(Kind::MethodNotAllowed, detail).error_response();
        answer.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
        answer
    })));
}

async fn nothing_here(http: HttpRequest) -> HttpResponse {
    let detail = format!("there is nothing at {}; /docs lists what there is", http.path());
    Problem::new(Kind::NotFound, detail).error_response()
}

/// Counts requests, times them, and gives each response its request's id.
async fn observe(
    metrics: Metrics,
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let begun = Instant::now();
    let method = method_label(request.method());
    let route = request.match_pattern().unwrap_or_else(|| "none".to_owned());
    let id = request.extensions().get::<RequestId>().map(ToString::to_string);
    let mut response = as_problem(next.call(request).await?);
    let status = response.status().as_u16();
    metrics.count_request(AnsweredRequest { method, route, status, took: begun.elapsed() });
    tracing::info!(status, milliseconds = begun.elapsed().as_millis() as u64, "answered");
    if let Some(id) = id.and_then(|id| HeaderValue::from_str(&id).ok()) {
        response.headers_mut().insert(HeaderName::from_static("x-request-id"), id);
    }
    response
        .headers_mut()
        .insert(HeaderName::from_static("x-content-type-options"), HeaderValue::from_static("nosniff"));
    Ok(response)
}

/// Methods are free text: those nobody uses are one.
fn method_label(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    }
}

/// What the framework refuses by itself looks like every other problem.
fn as_problem(response: ServiceResponse<impl MessageBody + 'static>) -> ServiceResponse<BoxBody> {
    let status = response.status();
    let is_problem = response.headers().get(CONTENT_TYPE).is_some_and(|value| value == PROBLEM_JSON);
    if is_problem || !(status.is_client_error() || status.is_server_error()) {
        return response.map_into_boxed_body();
    }
    let kind = match status.as_u16() {
        404 => Kind::NotFound,
        405 => Kind::MethodNotAllowed,
        413 => Kind::BodyTooLarge,
        415 => Kind::UnsupportedMediaType,
        400..500 => Kind::InvalidParameter,
        _ => Kind::Internal,
    };
    response.into_response(Problem::new(kind, kind.title()).error_response())
}

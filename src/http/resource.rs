//! The resources of the service: a path with a route for each of its methods.

use actix_web::http::header::{ALLOW, HeaderValue};
use actix_web::web;
use actix_web::{FromRequest, Handler, HttpRequest, Resource, Responder, ResponseError, Route, guard};

use crate::commands::{Problem, ProblemType};

/// The methods that an endpoint can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EndpointMethod {
    /// A read.
    Get,
    /// A write.
    Post,
    /// The end of something.
    Delete,
    /// A value in place of the one before.
    Put,
}

/// A resource that refuses every method but those of its routes, and names them.
pub fn resource(path: &str, routes: Vec<(EndpointMethod, Route)>) -> Resource {
    let has = |method| routes.iter().any(|(known, _)| *known == method);
    let allowed = match (has(EndpointMethod::Get), has(EndpointMethod::Post), has(EndpointMethod::Delete)) {
        (true, true, _) => "GET, HEAD, POST",
        (true, false, _) => "GET, HEAD",
        (false, false, _) if has(EndpointMethod::Put) => "PUT",
        (false, _, true) => "POST, DELETE",
        (false, _, false) => "POST",
    };
    let resource = routes.into_iter().fold(web::resource(path), |resource, (_, route)| resource.route(route));
    resource.default_service(web::to(move |http: HttpRequest| async move {
        let detail = format!("{} is not allowed here; {allowed} is", http.method());
        let mut answer = Problem::new(ProblemType::MethodNotAllowed, detail).error_response();
        answer.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
        answer
    }))
}

/// The route of a GET, which HEAD shares.
pub fn get_route() -> Route {
    web::route().guard(guard::Any(guard::Get()).or(guard::Head()))
}

/// A resource of no endpoint, which is only read.
pub fn read_only<F, Args>(path: &str, handler: F) -> Resource
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    resource(path, vec![(EndpointMethod::Get, get_route().to(handler))])
}

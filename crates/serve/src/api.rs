//! Addresses and what they answer.

use crate::checks::{Check, Checks, Denied, Progress, Request};
use crate::guard::{Identity, guard};
use crate::page;
use axum::extract::rejection::JsonRejection;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{delete, get, post};
use axum::{Json, Router, middleware};
use futures_util::stream;
use serde_json::json;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::sync::watch;

type Shared = State<Arc<Checks>>;

/// All addresses.
pub fn router(checks: Arc<Checks>, address: SocketAddr) -> Router {
    let identity = Arc::new(Identity {
        address,
        names: checks.config.names.clone(),
    });
    // JSON writes some characters as six; what is too large then is refused by its own length.
    let most = 6 * checks.config.most_bytes + 4096;
    Router::new()
        .route("/", get(front))
        .route("/checks", post(start))
        .route("/checks/{number}", delete(cancel))
        .route("/checks/{number}/events", get(events))
        .route("/checks/{number}/report/{property}", get(report))
        .fallback(|| async { refusal(StatusCode::NOT_FOUND, "there is no such page", None) })
        .layer(DefaultBodyLimit::max(most))
        .layer(middleware::from_fn_with_state(identity, guard))
        .with_state(checks)
}

async fn front(State(checks): Shared) -> Response {
    let (text, policy) = page::front(&checks.config);
    ([(header::CONTENT_SECURITY_POLICY, policy)], Html(text)).into_response()
}

async fn start(State(checks): Shared, body: Result<Json<Request>, JsonRejection>) -> Response {
    let Json(request) = match body {
        Ok(request) => request,
        Err(error) => return refusal(error.status(), &error.body_text(), None),
    };
    match checks.start(request) {
        Ok(number) => (StatusCode::CREATED, Json(json!({"check": number}))).into_response(),
        Err(Denied::Bad(what, line)) => refusal(StatusCode::UNPROCESSABLE_ENTITY, &what, line),
        Err(Denied::TooLarge(what)) => refusal(StatusCode::PAYLOAD_TOO_LARGE, &what, None),
        Err(Denied::Busy(what)) => refusal(StatusCode::TOO_MANY_REQUESTS, &what, None),
    }
}

async fn cancel(State(checks): Shared, Path(number): Path<u64>) -> Response {
    match checks.get(number) {
        Some(check) => {
            check.cancel();
            StatusCode::NO_CONTENT.into_response()
        }
        None => unknown(),
    }
}

async fn events(State(checks): Shared, Path(number): Path<u64>) -> Response {
    match checks.get(number) {
        Some(check) => {
            let stream = stream::unfold(Some((check.follow(), true)), next_event);
            let events = Sse::new(stream).keep_alive(KeepAlive::default());
            events.into_response()
        }
        None => unknown(),
    }
}

/// What is known at once, then every change, up to the end of the check.
async fn next_event(
    following: Option<(watch::Receiver<Progress>, bool)>,
) -> Option<(
    Result<Event, Infallible>,
    Option<(watch::Receiver<Progress>, bool)>,
)> {
    let (mut progress, first) = following?;
    if !first {
        progress.changed().await.ok()?;
    }
    let now = progress.borrow_and_update().clone();
    let (event, rest) = match now.done {
        Some(done) => (Event::default().event("done").json_data(&*done).ok()?, None),
        None => {
            let text = now.text.replace(['\r', '\n'], " ");
            let event = Event::default().event("progress").data(text);
            (event, Some((progress, false)))
        }
    };
    Some((Ok(event), rest))
}

async fn report(State(checks): Shared, Path((number, property)): Path<(u64, String)>) -> Response {
    let check: Option<Arc<Check>> = checks.get(number);
    match check.and_then(|check| check.report(&property)) {
        // The page brings its own policy; this one keeps it away from the page around it.
        Some(page) => {
            let policy = "sandbox allow-scripts; frame-ancestors 'self'";
            ([(header::CONTENT_SECURITY_POLICY, policy)], Html(page)).into_response()
        }
        None => unknown(),
    }
}

fn unknown() -> Response {
    let what = "there is no such check, or no longer";
    refusal(StatusCode::NOT_FOUND, what, None)
}

fn refusal(status: StatusCode, what: &str, line: Option<usize>) -> Response {
    (status, Json(json!({"error": what, "line": line}))).into_response()
}

//! The routes of the page.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use crate::page::PageLanguage;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Form, Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::Value;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::access::Access;
use super::app::{App, asset, tables, too_many_pages};
use super::feed::{Site, feed};
use super::login::login_form;
use super::metrics::{METRICS_TYPE, metrics};
use super::seat::{is_of_seat, seat_routes};

/// Maximum number of open pages.
const OPEN_PAGES: usize = 256;
/// Maximum size of a request's body, in bytes.
const MAX_BODY: usize = 4 << 10;
/// Time limit for a complete request, and for the bots' tasks to respond to a health check.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);

/// The Content-Security-Policy of a page: only its own scripts and styles.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// The headers of all answers.
const HEADERS: [(header::HeaderName, &str); 4] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (
        header::HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// The routes; `players` is the runtime of the bots.
pub(super) fn router(
    site: Arc<Site>,
    access: Arc<Access>,
    players: Handle,
    language: Option<PageLanguage>,
) -> Router {
    let routes = Router::new()
        .route("/", get(document))
        .route("/assets/tables.js", get(tables))
        .route("/assets/{name}", get(asset))
        .route("/events", get(events))
        .route("/metrics", get(show_metrics))
        .route("/healthz", get(healthz))
        .route("/api/status", get(status))
        .route("/api/round", get(round))
        .route("/api/log", get(log))
        .route("/login", post(login))
        .merge(seat_routes())
        .fallback(|| async { (StatusCode::NOT_FOUND, "no such page\n") })
        .layer(DefaultBodyLimit::max(MAX_BODY));
    let guarded = guarded(
        routes,
        Arc::clone(&access),
        HeaderValue::from_static(POLICY),
        language,
    );
    guarded.with_state(App {
        site,
        access,
        open: Arc::new(Semaphore::new(OPEN_PAGES)),
        players,
        language,
    })
}

/// The Content-Security-Policy of a server whose pages name their own scripts and styles.
const READERS_POLICY: &str = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// These routes for everyone who reaches an address. On a loopback address a request must name this
/// machine.
pub fn for_readers(routes: Router, address: SocketAddr) -> Router {
    let access = Arc::new(Access::of_readers(address));
    guarded(
        routes,
        access,
        HeaderValue::from_static(READERS_POLICY),
        None,
    )
}

/// Refuses what is not meant for these routes or not allowed, and gives each answer its headers.
/// The form that asks for a token is in this language; without one the browser chooses.
pub(super) fn guarded<S: Clone + Send + Sync + 'static>(
    routes: Router<S>,
    access: Arc<Access>,
    policy: HeaderValue,
    language: Option<PageLanguage>,
) -> Router<S> {
    routes.layer(from_fn(move |request: Request, next: Next| {
        let (refused, policy) = (refusal(&access, &request, language), policy.clone());
        async move {
            let mut response = match refused {
                Some(refused) => refused,
                None => timeout(REQUEST_TIMEOUT, next.run(request))
                    .await
                    .unwrap_or_else(|_| {
                        (StatusCode::REQUEST_TIMEOUT, "the question took too long\n")
                            .into_response()
                    }),
            };
            response
                .headers_mut()
                .insert(header::CONTENT_SECURITY_POLICY, policy);
            for (name, value) in HEADERS {
                response
                    .headers_mut()
                    .insert(name, HeaderValue::from_static(value));
            }
            response
        }
    }))
}

/// The reason why a request is refused, if it is.
fn refusal(access: &Access, request: &Request, language: Option<PageLanguage>) -> Option<Response> {
    if !access.is_meant(request.uri(), request.headers()) {
        let words = "this address is asked for under another name\n";
        return Some((StatusCode::MISDIRECTED_REQUEST, words).into_response());
    }
    let path = request.uri().path();
    // A health check learns only that the process is alive, the login form needs its style, and a
    // seat has a token of its own.
    let is_open = path == "/healthz"
        || path == "/login"
        || path == "/assets/login.css"
        || (access.has_seat() && is_of_seat(path));
    if is_open || access.is_allowed(request.headers()) {
        return None;
    }
    let wants_html = request
        .headers()
        .get(header::ACCEPT)
        .and_then(|accept| accept.to_str().ok());
    let is_browser = request.method() == Method::GET
        && wants_html.is_some_and(|accept| accept.contains("text/html"));
    let mut refused = if is_browser && path == "/" {
        let form = login_form(language, request.headers(), "");
        (StatusCode::UNAUTHORIZED, Html(form)).into_response()
    } else {
        (
            StatusCode::UNAUTHORIZED,
            "the token is needed: Authorization: Bearer TOKEN\n",
        )
            .into_response()
    };
    refused
        .headers_mut()
        .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    Some(refused)
}

#[derive(Deserialize)]
struct Login {
    token: String,
}

async fn login(State(app): State<App>, headers: HeaderMap, Form(login): Form<Login>) -> Response {
    match app.access.login(&login.token) {
        Some(cookie) => ([(header::SET_COOKIE, cookie)], Redirect::to("/")).into_response(),
        None => (
            StatusCode::UNAUTHORIZED,
            Html(login_form(app.language, &headers, "This is not the token.")),
        )
            .into_response(),
    }
}

async fn document(State(app): State<App>) -> Response {
    asset(Path(app.site.subject.document().to_owned())).await
}

#[derive(Deserialize)]
struct BotQuery {
    bot: Option<String>,
}

async fn events(State(app): State<App>, Query(BotQuery { bot }): Query<BotQuery>) -> Response {
    let Ok(room) = Arc::clone(&app.open).try_acquire_owned() else {
        return too_many_pages();
    };
    feed(app.site, bot, room).into_response()
}

async fn show_metrics(State(app): State<App>) -> Response {
    let open = OPEN_PAGES - app.open.available_permits();
    (
        [(header::CONTENT_TYPE, METRICS_TYPE)],
        metrics(&app.site.subject, open),
    )
        .into_response()
}

/// Whether the bots' tasks run.
async fn healthz(State(app): State<App>) -> Response {
    match timeout(REQUEST_TIMEOUT / 2, app.players.spawn(async {})).await {
        Ok(Ok(())) => "ok\n".into_response(),
        _ => (
            StatusCode::SERVICE_UNAVAILABLE,
            "the bots' tasks do not run\n",
        )
            .into_response(),
    }
}

async fn status(State(app): State<App>) -> Response {
    json(&app.site.subject.status())
}

async fn round(State(app): State<App>, Query(BotQuery { bot }): Query<BotQuery>) -> Response {
    let round = app.site.round(&bot.unwrap_or_default());
    if &*round.json == "null" {
        return (
            StatusCode::NOT_FOUND,
            "no bot of this name has a round: /api/round?bot=NAME\n",
        )
            .into_response();
    }
    ([(header::CONTENT_TYPE, JSON)], round.json.to_string()).into_response()
}

async fn log(State(app): State<App>, Query(BotQuery { bot }): Query<BotQuery>) -> Response {
    let lines = app
        .site
        .log()
        .map(|log| log.after(&bot.unwrap_or_default(), 0));
    json(&serde_json::to_value(lines.unwrap_or_default()).unwrap_or_default())
}

const JSON: &str = "application/json";

fn json(value: &Value) -> Response {
    ([(header::CONTENT_TYPE, JSON)], format!("{value}\n")).into_response()
}

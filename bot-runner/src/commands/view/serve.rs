//! The page of a game, served on this machine.

use std::net::{Ipv4Addr, SocketAddr};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use client::shutdown::Shutdown;
use tokio::net::TcpListener;
use view::page::Document;

use crate::output::say;

/// Serves a page until stopped, at an address that other users of the machine cannot guess.
pub(super) async fn serve(document: Document, open: bool) -> anyhow::Result<ExitCode> {
    let shutdown = Shutdown::new();
    shutdown.listen(|_| {})?;
    let listener =
        TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.context("no address of this machine can be listened on")?;
    let address = listener.local_addr().context("the own address is not known")?;
    let path = format!("/{:032x}/", fastrand::u128(..));
    let url = format!("http://{address}{path}");
    say(format!("{url} (until Ctrl-C)"));
    if open {
        super::open(&url);
    }
    let app = router(&document, &path, address);
    let stopped = async move { shutdown.finishing().await };
    axum::serve(listener, app).with_graceful_shutdown(stopped).await.context("the page cannot be served on")?;
    Ok(ExitCode::SUCCESS)
}

fn router(document: &Document, path: &str, address: SocketAddr) -> Router {
    let html: Arc<str> = document.html().into();
    let policy = HeaderValue::from_str(&format!("{}; frame-ancestors 'none'", document.policy()));
    let policy = policy.unwrap_or(HeaderValue::from_static("default-src 'none'"));
    let own = [format!("127.0.0.1:{}", address.port()), format!("localhost:{}", address.port())];
    let guard = move |request: Request, next: Next| {
        // A foreign host name that resolves to this machine (DNS rebinding) is refused.
        let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
        let meant = host.is_some_and(|host| own.iter().any(|own| own.eq_ignore_ascii_case(host)));
        let policy = policy.clone();
        async move {
            let mut response: Response = if meant {
                next.run(request).await
            } else {
                (StatusCode::MISDIRECTED_REQUEST, "this address is asked for under another name\n").into_response()
            };
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_SECURITY_POLICY, policy);
            headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
            headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
            response
        }
    };
    Router::new().route(path, get(move || async move { Html(html.to_string()) })).layer(from_fn(guard))
}

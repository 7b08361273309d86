//! The page of a game, served by itself.

use std::net::Ipv4Addr;
use std::sync::Arc;

use anyhow::Context;
use axum::Router;
use axum::http::HeaderValue;
use axum::response::Html;
use axum::routing::get;
use client::random_secret;
use tokio::net::TcpListener;

use super::access::Access;
use super::routes::guarded;
use crate::page::Document;

/// Serves a page until `stopped`, at an address that other users of the machine cannot guess;
/// `told` gets the address.
///
/// # Errors
///
/// When no address can be listened on, or the page cannot be served on.
pub async fn serve_document(
    document: &Document,
    told: impl FnOnce(&str),
    stopped: impl Future<Output = ()> + Send + 'static,
) -> anyhow::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .await
        .context("the page cannot listen on any address of this machine")?;
    let address = listener
        .local_addr()
        .context("the own address is not known")?;
    let path = format!(
        "/{}/",
        random_secret().context("the page has no address of its own")?
    );
    told(&format!("http://{address}{path}"));
    let html: Arc<str> = document.html().into();
    let routes = Router::new().route(&path, get(move || async move { Html(html.to_string()) }));
    let policy = HeaderValue::from_str(&format!("{}; frame-ancestors 'none'", document.policy()))?;
    let app = guarded(routes, Arc::new(Access::new(address, None)?), policy, None);
    axum::serve(listener, app)
        .with_graceful_shutdown(stopped)
        .await
        .context("the page cannot be served on")
}

#[cfg(test)]
mod tests {
    use std::future::ready;

    use super::*;
    use crate::page::Page;

    #[tokio::test]
    async fn the_address_does_not_come_from_the_generator_that_can_be_guessed() {
        let mut paths = Vec::new();
        for _ in 0..2 {
            fastrand::seed(7);
            let told =
                |url: &str| paths.push(url.rsplit('/').nth(1).unwrap_or_default().to_owned());
            serve_document(&Page::default().document(), told, ready(()))
                .await
                .expect("it is served");
        }
        assert!(paths[0].len() == 64 && paths[0] != paths[1], "{paths:?}");
    }
}

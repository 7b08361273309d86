//! What the routes share.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;

use super::access::Access;
use super::feed::Site;
use crate::page::{PageLanguage, SCRIPT, WebAsset, tables_module, web_asset};

#[derive(Debug, Clone)]
pub(super) struct App {
    pub(super) site: Arc<Site>,
    pub(super) access: Arc<Access>,
    /// A permit for each page that may be open.
    pub(super) open: Arc<Semaphore>,
    /// The runtime of the bots.
    pub(super) players: Handle,
    /// The language of the pages; without one their browsers choose.
    pub(super) language: Option<PageLanguage>,
}

/// A file of the pages.
pub(super) async fn asset(Path(name): Path<String>) -> Response {
    match web_asset(&name) {
        Some(WebAsset { kind, text }) => ([(header::CONTENT_TYPE, kind)], text).into_response(),
        None => (StatusCode::NOT_FOUND, "no such file\n").into_response(),
    }
}

/// The tables of words.
pub(super) async fn tables(State(app): State<App>) -> Response {
    (
        [(header::CONTENT_TYPE, SCRIPT)],
        tables_module(app.language, true),
    )
        .into_response()
}

/// The answer if too many pages are open.
pub(super) fn too_many_pages() -> Response {
    let words = "too many pages are open; close one\n";
    (
        StatusCode::SERVICE_UNAVAILABLE,
        [(header::RETRY_AFTER, "30")],
        words,
    )
        .into_response()
}

//! HTTP requests without a body.

use std::fmt;
use std::time::Duration;

use http_body_util::{BodyExt, Collected, Empty, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::HeaderMap;
use hyper::{Request, Response, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioTimer};

use crate::dial::Dialer;
use crate::{Authorities, AuthoritiesError, with_causes};

/// How long a connection without a request is kept.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// Makes GET requests over HTTP/1.1, each over a connection that is there or a new one. A redirect
/// is an answer like any other, and is not followed.
#[derive(Clone)]
pub struct HttpClient(Client<HttpsConnector<Dialer>, Empty<Bytes>>);

/// Why there is no answer. The text may quote the server.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HttpError {
    #[error("no connection: {0}")]
    NotConnected(String),
    /// The connection was lost before the answer.
    #[error("no answer: {0}")]
    Lost(String),
    #[error("the answer is too long")]
    TooLong,
}

impl HttpClient {
    /// A client that waits this long for a connection.
    ///
    /// # Errors
    ///
    /// If the environment names no certificate authority.
    pub fn new(authorities: &Authorities, connect: Duration) -> Result<Self, AuthoritiesError> {
        let config = authorities.config()?;
        let https = HttpsConnectorBuilder::new()
            .with_tls_config((*config).clone())
            .https_or_http()
            .enable_http1()
            .wrap_connector(Dialer { limit: connect });
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE_TIMEOUT)
            .build(https);
        Ok(Self(client))
    }

    /// The head of an answer, with a body that is read by [`body_of`](Self::body_of).
    ///
    /// # Errors
    ///
    /// If there is none.
    ///
    /// # Panics
    ///
    /// If the address has no host.
    pub async fn get(
        &self,
        address: Uri,
        headers: HeaderMap,
    ) -> Result<Response<Incoming>, HttpError> {
        let mut request = Request::get(address)
            .body(Empty::new())
            .expect("a request of known parts");
        *request.headers_mut() = headers;
        self.0.request(request).await.map_err(|error| {
            let words = with_causes(&error);
            if error.is_connect() {
                HttpError::NotConnected(words)
            } else {
                HttpError::Lost(words)
            }
        })
    }

    /// The body of an answer, if it is at most this long.
    ///
    /// # Errors
    ///
    /// If it is longer, or the connection is lost.
    pub async fn body_of(
        response: Response<Incoming>,
        max_bytes: usize,
    ) -> Result<Bytes, HttpError> {
        let body = Limited::new(response.into_body(), max_bytes)
            .collect()
            .await;
        body.map(Collected::to_bytes)
            .map_err(|error| match error.is::<LengthLimitError>() {
                true => HttpError::TooLong,
                false => HttpError::Lost(with_causes(error.as_ref())),
            })
    }
}

impl fmt::Debug for HttpClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpClient").finish_non_exhaustive()
    }
}

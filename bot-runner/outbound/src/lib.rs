//! Connections to other machines: through the proxies that the environment names, with the
//! certificate authorities that it and the config name; and HTTP requests over them.
#![forbid(unsafe_code)]

mod authorities;
mod dial;
mod http;
mod retry_after;

use std::error::Error;

pub use authorities::{Authorities, AuthoritiesError};
pub use dial::{WrongProxy, check_proxies, connect, dial, reach_directly};
pub use http::{HttpClient, HttpError};
pub use retry_after::{MAX_RETRY_AFTER, retry_after};

/// An error with its causes: the libraries show each alone.
fn with_causes(error: &(dyn Error + 'static)) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        words.push_str(&format!(": {error}"));
        cause = error.source();
    }
    words
}

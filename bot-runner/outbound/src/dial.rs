//! The way to another machine: directly, or through the proxy that the environment names.

use std::error::Error;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use std::{env, io};

use hyper::Uri;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::proxy::{SocksV4, SocksV5, Tunnel};
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use hyper_util::rt::TokioIo;
use tokio::net::{TcpStream, lookup_host};
use tower_service::Service;

/// The variables that name a proxy, as curl reads them; the first of a pair that is set counts.
const PROXY_VARIABLES: [[&str; 2]; 3] = [
    ["HTTPS_PROXY", "https_proxy"],
    ["HTTP_PROXY", "http_proxy"],
    ["ALL_PROXY", "all_proxy"],
];

/// An environment variable that names no proxy: which, and what it may contain. A password that it
/// contains is not shown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the environment variable {name} {why}")]
pub struct WrongProxy {
    name: &'static str,
    why: String,
}

/// The proxies that the environment names.
static PROXIES: LazyLock<Result<Matcher, WrongProxy>> = LazyLock::new(|| {
    let wrong = PROXY_VARIABLES.iter().find_map(|names| {
        let (name, value) = names
            .iter()
            .find_map(|name| Some((name, env::var(name).ok()?)))?;
        wrong_proxy(&value).map(|why| WrongProxy { name, why })
    });
    wrong.map_or_else(|| Ok(Matcher::from_env()), Err)
});

/// Checks the environment variables that name proxies.
///
/// # Errors
///
/// The first of them that names no proxy.
pub fn check_proxies() -> Result<(), WrongProxy> {
    PROXIES.as_ref().map(drop).map_err(Clone::clone)
}

/// What is wrong with the address of a proxy, if anything is.
fn wrong_proxy(value: &str) -> Option<String> {
    const ALLOWED: &str = "allowed are http://HOST:PORT, socks5://HOST:PORT and socks4://HOST:PORT, with USER:PASSWORD@ \
                           before HOST if the proxy asks for them";
    if value.is_empty() {
        return None;
    }
    let proxy = Matcher::builder()
        .all(value)
        .build()
        .intercept(&Uri::from_static("http://host.example"));
    match proxy {
        // The value may contain a password.
        None => Some(format!("is not the address of a proxy; {ALLOWED}")),
        Some(proxy) if proxy.uri().scheme_str() == Some("https") => Some(format!(
            "names a proxy that is reached by TLS, which is not supported; {ALLOWED}"
        )),
        Some(_) => None,
    }
}

/// Addresses on which this process listens itself.
static OWN: Mutex<Vec<SocketAddr>> = Mutex::new(Vec::new());

/// Has connections to an address on which this process listens go directly, whatever proxies the
/// environment names.
pub fn reach_directly(own: SocketAddr) {
    OWN.lock().unwrap_or_else(PoisonError::into_inner).push(own);
}

fn is_own(target: &Uri) -> bool {
    let address = target
        .authority()
        .and_then(|authority| authority.as_str().parse::<SocketAddr>().ok());
    address.is_some_and(|address| {
        OWN.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .contains(&address)
    })
}

/// Opens a TCP connection to an address of the schemes `http`, `https`, `ws` and `wss`, through the
/// proxy that the environment names for it.
///
/// # Errors
///
/// If it cannot be opened; the text names the proxy that was asked.
pub async fn dial(address: &Uri) -> io::Result<TcpStream> {
    let target = target(address).map_err(io::Error::other)?;
    let proxies = PROXIES
        .as_ref()
        .map_err(|error| io::Error::other(error.clone()))?;
    let stream = match proxies.intercept(&target).filter(|_| !is_own(&target)) {
        Some(proxy) => through(&proxy, target).await?,
        None => {
            connect(
                target.host().unwrap_or_default(),
                target.port_u16().unwrap_or_default(),
            )
            .await?
        }
    };
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// The address with HTTP's scheme and the port, as the rules for proxies take it.
fn target(address: &Uri) -> Result<Uri, String> {
    let (scheme, usual_port) = match address.scheme_str() {
        Some("https" | "wss") => ("https", 443),
        _ => ("http", 80),
    };
    let host = address.host().ok_or("the address has no host")?;
    let port = address.port_u16().unwrap_or(usual_port);
    format!("{scheme}://{host}:{port}/")
        .parse()
        .map_err(|error| format!("{address} is no address: {error}"))
}

async fn through(proxy: &Intercept, target: Uri) -> io::Result<TcpStream> {
    let is_socks = proxy
        .uri()
        .scheme_str()
        .is_some_and(|scheme| scheme.starts_with("socks"));
    let (host, port) = (
        proxy.uri().host().unwrap_or_default(),
        proxy.uri().port_u16(),
    );
    let port = port.unwrap_or(if is_socks { 1080 } else { 80 });
    let place = format!("{host}:{port}");
    let address = format!("http://{place}/")
        .parse()
        .map_err(io::Error::other)?;
    let failed = |error: &dyn Error| {
        let why = first_cause(error);
        let target = target
            .authority()
            .map_or("", |authority| authority.as_str());
        io::Error::other(format!(
            "the proxy {place} opened no connection to {target}: {why} (HTTPS_PROXY, HTTP_PROXY and ALL_PROXY name \
             proxies, NO_PROXY the hosts that need none)"
        ))
    };
    let direct = HttpConnector::new();
    // A proxy looks up the name: some machines behind proxies cannot.
    let stream = match proxy.uri().scheme_str() {
        Some("socks4" | "socks4a") => {
            let opened = SocksV4::new(address, direct)
                .local_dns(false)
                .call(target.clone())
                .await;
            opened.map_err(|error| failed(&error))?
        }
        _ if is_socks => {
            let mut socks = SocksV5::new(address, direct).local_dns(false);
            if let Some((user, password)) = proxy.raw_auth() {
                socks = socks.with_auth(user.to_owned(), password.to_owned());
            }
            socks
                .call(target.clone())
                .await
                .map_err(|error| failed(&error))?
        }
        _ => {
            let mut tunnel = Tunnel::new(address, direct);
            if let Some(login) = proxy.basic_auth() {
                tunnel = tunnel.with_auth(login.clone());
            }
            tunnel
                .call(target.clone())
                .await
                .map_err(|error| failed(&error))?
        }
    };
    Ok(stream.into_inner())
}

/// The innermost cause of an error: the libraries put their own steps around it.
fn first_cause(mut error: &dyn Error) -> String {
    while let Some(cause) = error.source() {
        error = cause;
    }
    error.to_string()
}

/// Connects to a host, by name or number, and a port.
pub async fn connect(host: &str, port: u16) -> io::Result<TcpStream> {
    // An IPv6 address has brackets only in a URL.
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let unknown = |error: io::Error| {
        let words = error.to_string();
        let why = words
            .strip_prefix("failed to lookup address information: ")
            .unwrap_or(&words);
        io::Error::other(format!(
            "the name {host} is not found: {why} (is arena.url right?)"
        ))
    };
    let addresses: Vec<SocketAddr> = lookup_host((host, port)).await.map_err(unknown)?.collect();
    TcpStream::connect(&addresses[..]).await
}

/// Opens the connections of an HTTP client.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dialer {
    /// Until a connection is open.
    pub(crate) limit: Duration,
}

impl Service<Uri> for Dialer {
    type Response = TokioIo<TcpStream>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Self::Response>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, address: Uri) -> Self::Future {
        let limit = self.limit;
        Box::pin(async move {
            let opened = tokio::time::timeout(limit, dial(&address)).await;
            opened
                .unwrap_or_else(|_elapsed| Err(io::ErrorKind::TimedOut.into()))
                .map(TokioIo::new)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_is_named_by_a_known_scheme_a_host_and_a_port() {
        for right in [
            "",
            "http://proxy:3128",
            "proxy:3128",
            "socks5h://user:word@127.0.0.1:1080",
            "socks4a://[::1]:1",
        ] {
            assert_eq!(wrong_proxy(right), None, "{right}");
        }
        for wrong in [
            "quic://proxy:1",
            "http://",
            "user:canary@",
            "https://user:canary@proxy:3128",
            "a b",
        ] {
            let why = wrong_proxy(wrong).expect(wrong);
            assert!(
                why.contains("http://HOST:PORT") && !why.contains("canary"),
                "{why}"
            );
        }
    }

    #[test]
    fn the_rules_for_proxies_see_https_and_a_port() {
        let target_of = |text: &str| {
            target(&text.parse().expect("an address"))
                .expect("a target")
                .to_string()
        };
        assert_eq!(
            target_of("wss://arena.example/ws/ranked"),
            "https://arena.example:443/"
        );
        assert_eq!(target_of("ws://127.0.0.1:81/ws"), "http://127.0.0.1:81/");
        assert_eq!(target_of("https://[::1]/api"), "https://[::1]:443/");
    }
}

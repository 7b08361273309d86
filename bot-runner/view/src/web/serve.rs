//! The thread that serves the page.

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::Context;
use axum::Router;
use client::Token;
use client::own_thread::lower_priority;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::runtime;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{interval, sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::RecentLog;
use super::access::Access;
use super::feed::Site;
use super::routes::router;
use super::seat::seat_path;
use super::subject::PageSubject;
use crate::page::PageLanguage;
use crate::person::{PersonSeat, PersonSeats};

/// Maximum number of connections; a further one replaces another.
const MAX_CONNECTIONS: usize = 512;
/// Time limit for a connection to send a request.
const ASK_TIMEOUT: Duration = Duration::from_secs(30);
/// Time after which the connection of a page that accepts no data is closed, in milliseconds.
const UNREAD_TIMEOUT_MS: u32 = 60_000;
/// Time limit for pages to receive the last state at the end.
const END_TIMEOUT: Duration = Duration::from_millis(500);
/// Interval at which the queue is processed while no page is open.
const TIDY_EVERY: Duration = Duration::from_secs(1);

/// The page of this process, served until this is dropped; open pages then receive the last state.
#[must_use]
pub struct PageServer {
    /// The address for browsers.
    pub place: String,
    /// The links by which people take their seats.
    pub seats: Vec<String>,
    door: SeatDoor,
    over: CancellationToken,
    thread: Option<JoinHandle<()>>,
}

impl fmt::Debug for PageServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PageServer").finish_non_exhaustive()
    }
}

impl PageServer {
    /// Serves a page at an address, for readers who know the token, with the last lines of a log.
    /// Without a language its browsers choose. Call this on the runtime of the bots' tasks, whose
    /// health the page reports.
    ///
    /// # Errors
    ///
    /// If the page must not be served there without a token, or with such a short one, or the
    /// address is unavailable.
    pub fn start(
        address: SocketAddr,
        token: Option<&Token>,
        log: Option<RecentLog>,
        subject: PageSubject,
        language: Option<PageLanguage>,
    ) -> anyhow::Result<Self> {
        let access = Access::new(address, token)?.with_seats(subject.people());
        let listener = TcpListener::bind(address).with_context(|| {
            format!(
                "--page {address}: the page cannot listen on this address; {}",
                other_address(address)
            )
        })?;
        listener.set_nonblocking(true).context("--page")?;
        let address = listener
            .local_addr()
            .context("the page's own address is not known")?;
        let over = CancellationToken::new();
        let site = Arc::new(Site::new(subject, log, over.clone()));
        let door = SeatDoor {
            address,
            seats: site.subject.people(),
        };
        let seats = site.subject.seats();
        let seats: Vec<String> = seats.iter().map(|seat| door.link(seat)).collect();
        let app = router(
            Arc::clone(&site),
            Arc::new(access.at(address)),
            runtime::Handle::current(),
            language,
        );
        // The answers of people come through it.
        let has_seat = !seats.is_empty();
        let work = move || {
            if !has_seat {
                lower_priority();
            }
            let built = runtime::Builder::new_current_thread().enable_all().build();
            match built {
                Ok(runtime) => runtime.block_on(serve(listener, app, &site)),
                Err(error) => tracing::error!("the page cannot be served: {error}"),
            }
        };
        let thread = thread::Builder::new()
            .name("page".to_owned())
            .spawn(work)
            .context("the page needs a thread")?;
        Ok(Self {
            place: open_at("http", address),
            seats,
            door,
            over,
            thread: Some(thread),
        })
    }

    /// Where further seats are opened.
    #[must_use]
    pub fn door(&self) -> SeatDoor {
        self.door.clone()
    }
}

/// Opens seats to people on a page, and closes them.
#[derive(Debug, Clone)]
pub struct SeatDoor {
    address: SocketAddr,
    seats: PersonSeats,
}

impl SeatDoor {
    /// Opens a seat; the link by which a person takes it.
    #[must_use]
    pub fn open(&self, seat: &PersonSeat) -> String {
        self.seats.add(seat.clone());
        self.link(seat)
    }

    pub fn close(&self, seat: &PersonSeat) {
        self.seats.remove(seat);
    }

    /// The seat of a bot that is offered or taken, if one is.
    #[must_use]
    pub fn lent(&self, bot: &str) -> Option<PersonSeat> {
        let mut seats = self.seats.all().into_iter();
        seats.find(|seat| seat.is_lent() && seat.name() == bot && !seat.is_given_back())
    }

    fn link(&self, seat: &PersonSeat) -> String {
        open_at_path("http", self.address, &seat_path(seat))
    }
}

impl Drop for PageServer {
    fn drop(&mut self) {
        self.over.cancel();
        if let Some(thread) = self.thread.take() {
            // It ends after its connections, which have a time limit.
            let _ = thread.join();
        }
    }
}

/// The URL that reaches a server on this machine; for the unspecified address, which no client can
/// open, also the URL for other machines.
pub fn open_at(scheme: &str, address: SocketAddr) -> String {
    // A browser shows a path.
    open_at_path(scheme, address, if scheme == "http" { "/" } else { "" })
}

fn open_at_path(scheme: &str, address: SocketAddr, root: &str) -> String {
    if !address.ip().is_unspecified() {
        return format!("{scheme}://{address}{root}");
    }
    let here = SocketAddr::new(
        if address.is_ipv4() {
            Ipv4Addr::LOCALHOST.into()
        } else {
            Ipv6Addr::LOCALHOST.into()
        },
        address.port(),
    );
    let machine = rustix::system::uname();
    let machine = machine.nodename().to_str().unwrap_or_default();
    if machine.is_empty() {
        return format!("{scheme}://{here}{root}");
    }
    format!(
        "{scheme}://{here}{root} on this machine, {scheme}://{machine}:{}{root} from others",
        address.port()
    )
}

async fn serve(listener: TcpListener, app: Router, site: &Site) {
    let listener = match tokio::net::TcpListener::from_std(listener) {
        Ok(listener) => listener,
        Err(error) => return tracing::error!("the page cannot be served: {error}"),
    };
    let mut connections = PageConnections::default();
    let mut tidy = interval(TIDY_EVERY);
    loop {
        tokio::select! {
            () = site.over.cancelled() => break,
            Some(_) = connections.tasks.join_next(), if !connections.tasks.is_empty() => {}
            _ = tidy.tick() => site.take_in_log(),
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => connections.add(stream, app.clone()),
                Err(error) => {
                    tracing::warn!("the page accepts no connections: {error}");
                    // Probably out of descriptors: the games need them more.
                    sleep(Duration::from_secs(1)).await;
                }
            }
        }
    }
    drop(listener);
    // Connections end after their last answer; one that waits for a further request does not.
    let _ = timeout(END_TIMEOUT, async {
        while connections.tasks.join_next().await.is_some() {}
    })
    .await;
}

/// The open connections, oldest first.
#[derive(Default)]
struct PageConnections {
    tasks: JoinSet<()>,
    open: Vec<OpenPageConnection>,
}

struct OpenPageConnection {
    task: AbortHandle,
    has_asked: Arc<AtomicBool>,
}

impl PageConnections {
    /// Serves another connection. If there is no room, it closes the oldest connection without a
    /// request, else the oldest one: an open page reconnects automatically.
    fn add(&mut self, stream: TcpStream, app: Router) {
        self.open.retain(|open| !open.task.is_finished());
        if self.open.len() >= MAX_CONNECTIONS {
            let silent = self
                .open
                .iter()
                .position(|open| !open.has_asked.load(Ordering::Relaxed));
            self.open.remove(silent.unwrap_or(0)).task.abort();
        }
        let has_asked = Arc::new(AtomicBool::new(false));
        let task = self
            .tasks
            .spawn(connection(stream, app, Arc::clone(&has_asked)));
        self.open.push(OpenPageConnection { task, has_asked });
    }
}

async fn connection(stream: TcpStream, app: Router, has_asked: Arc<AtomicBool>) {
    let app = TowerToHyperService::new(app);
    let service = service_fn(move |request| {
        has_asked.store(true, Ordering::Relaxed);
        app.call(request)
    });
    let _ = stream.set_nodelay(true);
    #[cfg(target_os = "linux")]
    let _ = rustix::net::sockopt::set_tcp_user_timeout(&stream, UNREAD_TIMEOUT_MS);
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(ASK_TIMEOUT)
        .serve_connection(TokioIo::new(stream), service)
        .await;
    if let Err(error) = served {
        tracing::debug!("a connection to the page has ended: {error}");
    }
}

/// What to do if an address cannot be listened on.
pub fn other_address(address: SocketAddr) -> String {
    let free = SocketAddr::new(address.ip(), 0);
    format!("name another address or port; {free} takes any free port")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_announced_at_addresses_that_a_browser_can_open() {
        let at = |address: &str| open_at("http", address.parse().expect("an address"));
        assert_eq!(at("192.0.2.1:80"), "http://192.0.2.1:80/");
        assert!(
            at("0.0.0.0:80").starts_with("http://127.0.0.1:80/")
                && !at("0.0.0.0:80").contains("0.0.0.0")
        );
        assert!(
            at("[::]:80").starts_with("http://[::1]:80/"),
            "{}",
            at("[::]:80")
        );
    }
}

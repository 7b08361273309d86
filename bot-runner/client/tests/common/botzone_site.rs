//! A Botzone site on a real socket whose answers the test writes.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use client::transport::botzone::{BotzoneSite, PollLimits};
use client::{SiteUrl, Token};
use outbound::Authorities;
use policy_host::{Decided, NoDecision, SeatEvent};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

pub(crate) const SECRET: &str = "canary-0123456789";

/// The id of a match.
pub(crate) fn id(number: u8) -> String {
    format!("{number:024x}")
}

/// A request that waits for an answer.
pub(crate) struct Call {
    /// `localai`, `runmatch` or `abortmatch`.
    pub(crate) what: String,
    /// Its headers that begin with `x-`.
    pub(crate) headers: BTreeMap<String, String>,
    answer: oneshot::Sender<(u16, String)>,
}

impl Call {
    /// Answers it; returns whether the client still listens.
    pub(crate) fn answer(self, status: u16, body: impl Into<String>) -> bool {
        self.answer.send((status, body.into())).is_ok()
    }

    /// Answers with requests of matches.
    pub(crate) fn ask(self, requests: &[(u8, &str)]) -> bool {
        let lines = requests
            .iter()
            .map(|(number, text)| format!("{}\n{text}\n", id(*number)));
        self.answer(
            200,
            format!("{} 0\n{}", requests.len(), lines.collect::<String>()),
        )
    }

    /// Answers with a result.
    pub(crate) fn end(self, number: u8, result: &str) -> bool {
        self.answer(200, format!("0 1\n{} {result}\n", id(number)))
    }

    /// The response to a match that it carries.
    pub(crate) fn response(&self, number: u8) -> Option<&str> {
        self.headers
            .get(&format!("x-match-{}", id(number)))
            .map(String::as_str)
    }
}

pub(crate) struct FakeSite {
    calls: mpsc::UnboundedReceiver<Call>,
    /// Its address, as a config has it.
    pub(crate) url: String,
    pub(crate) account: BotzoneSite,
}

impl FakeSite {
    pub(crate) async fn start() -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let listener = TcpListener::bind("127.0.0.1:0")
            .await
            .expect("loopback has a free port");
        let url = format!("http://{}", listener.local_addr().expect("it is bound"));
        let (sender, calls) = mpsc::unbounded_channel();
        let router = Router::new().fallback(hear).with_state(sender);
        tokio::spawn(async move { axum::serve(listener, router).await });
        let secret = Token::new(SECRET).expect("a secret");
        let limits = PollLimits {
            poll: Duration::from_secs(20),
            ..PollLimits::default()
        };
        let account = BotzoneSite::new(
            &SiteUrl::parse(&url).expect("an address"),
            "0a1b",
            secret,
            &Authorities::default(),
            limits,
        )
        .expect("a site");
        Self {
            calls,
            url,
            account,
        }
    }

    pub(crate) async fn call(&mut self) -> Call {
        timeout(Duration::from_secs(20), self.calls.recv())
            .await
            .expect("something is asked")
            .expect("the site is there")
    }

    /// The poll that carries a response to this match; polls before it bring nothing.
    pub(crate) async fn poll_of(&mut self, number: u8) -> Call {
        loop {
            let call = self.call().await;
            if call.response(number).is_some() {
                return call;
            }
            call.answer(504, "");
        }
    }

    /// Has a match of mahjong begin, hears one answer and ends it.
    pub(crate) async fn play(&mut self, number: u8) {
        let mut poll = self.poll().await;
        while poll.response(number).is_none() {
            poll.ask(&[(number, "0 0 0")]);
            poll = self.poll().await;
        }
        poll.end(number, "0 4 0 0 0 0");
    }

    /// The next call, which is a poll.
    pub(crate) async fn poll(&mut self) -> Call {
        let call = self.call().await;
        assert_eq!(call.what, "localai");
        call
    }
}

async fn hear(
    State(calls): State<mpsc::UnboundedSender<Call>>,
    request: Request,
) -> (StatusCode, String) {
    let path = request.uri().path().to_owned();
    let what = path
        .strip_prefix(&format!("/api/0a1b/{SECRET}/"))
        .expect("user and secret are in the address")
        .to_owned();
    let own = request
        .headers()
        .iter()
        .filter(|(name, _)| name.as_str().starts_with("x-"));
    let headers = own
        .map(|(name, value)| (name.to_string(), value.to_str().expect("text").to_owned()))
        .collect();
    let (answer, answered) = oneshot::channel();
    calls
        .send(Call {
            what,
            headers,
            answer,
        })
        .expect("the test listens");
    let (status, body) = answered.await.unwrap_or((502, String::new()));
    (StatusCode::from_u16(status).expect("a status"), body)
}

/// The decision of a policy that chose the action with this index; of one that decided nothing
/// without one.
pub(crate) fn decision(choice: Option<usize>) -> SeatEvent {
    match choice {
        Some(index) => SeatEvent::Decided {
            decided: Decided {
                index,
                values: Vec::new(),
                reason: String::new(),
            },
            took: Duration::ZERO,
        },
        None => SeatEvent::Undecided(NoDecision::Late),
    }
}

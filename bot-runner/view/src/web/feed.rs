//! The feed of an open page: server-sent events with whole states.
//!
//! A page sends no requests. It receives a state whenever it has received the previous one; a slow
//! page skips some states.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::StreamExt;
use futures_util::stream::{Stream, iter, unfold};
use serde::Serialize;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::RecentLog;
use super::rounds::{DrawnRounds, RoundOnPage};
use super::subject::PageSubject;

/// Interval between two updates of the table and the log.
const EVERY: Duration = Duration::from_millis(250);
/// Interval between two updates of the bots or the tournament.
const OVERVIEW_EVERY: Duration = Duration::from_millis(950);
/// Maximum time without a message: a page should notice that its runner has ended.
pub(super) const MAX_SILENCE: Duration = Duration::from_secs(15);

/// The state that all open pages share.
#[derive(Debug)]
pub(super) struct Site {
    pub(super) subject: PageSubject,
    log: Option<RecentLog>,
    /// Completes when the process ends.
    pub(super) over: CancellationToken,
    overview: Mutex<Overview>,
    rounds: Mutex<DrawnRounds>,
}

/// The latest state of the bots or the tournament.
#[derive(Debug, Default)]
struct Overview {
    at: Option<Instant>,
    version: u64,
    json: Arc<str>,
}

impl Site {
    pub(super) fn new(
        subject: PageSubject,
        log: Option<RecentLog>,
        over: CancellationToken,
    ) -> Self {
        Self {
            subject,
            log,
            over,
            overview: Mutex::default(),
            rounds: Mutex::default(),
        }
    }

    /// The last lines of the log. Those of bots may hold what a person may not know.
    pub(super) fn log(&self) -> Option<&RecentLog> {
        self.log
            .as_ref()
            .filter(|_| !self.subject.people().hide_games())
    }

    /// Takes in the lines of the log that have come.
    pub(super) fn take_in_log(&self) {
        if let Some(log) = &self.log {
            log.take_in();
        }
    }

    pub(super) fn round(&self, bot: &str) -> RoundOnPage {
        let PageSubject::Bots { board, people } = &self.subject else {
            return RoundOnPage::default();
        };
        // What a seat sees is for its person alone, and what the others see for none.
        if people.hide_games() {
            return RoundOnPage::default();
        }
        self.rounds
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .of(board, bot)
    }

    /// The overview and its version; `None` if the page has the newest one.
    fn overview_after(&self, version: u64) -> Option<(u64, Arc<str>)> {
        let mut overview = self.overview.lock().unwrap_or_else(PoisonError::into_inner);
        // At the end every page receives the final state.
        if overview
            .at
            .is_none_or(|at| at.elapsed() >= OVERVIEW_EVERY || self.over.is_cancelled())
        {
            overview.at = Some(Instant::now());
            let json = match &self.subject {
                PageSubject::Bots { .. } => json(&self.subject.bots()),
                PageSubject::Tournament(tournament) => json(&tournament.standing()),
            };
            if *json != *overview.json {
                overview.version += 1;
                overview.json = json.into();
            }
        }
        (overview.version != version).then(|| (overview.version, Arc::clone(&overview.json)))
    }
}

fn json(data: &impl Serialize) -> String {
    serde_json::to_string(data).expect("texts, numbers and lists of them always have a JSON form")
}

/// The newest version of each part that an open page has received.
#[derive(Debug, Default)]
struct OpenPage {
    overview: u64,
    round: Option<u64>,
    log: u64,
    begun: bool,
    over: bool,
}

impl OpenPage {
    /// The events to send now.
    fn news(&mut self, site: &Site, bot: Option<&str>) -> Vec<Event> {
        self.begun = true;
        self.over = site.over.is_cancelled();
        let mut news = Vec::new();
        if let Some((version, json)) = site.overview_after(self.overview) {
            self.overview = version;
            news.push(Event::default().event(site.subject.event()).data(&*json));
        }
        if let Some(bot) = bot {
            let RoundOnPage { version, json } = site.round(bot);
            if self.round != Some(version) {
                self.round = Some(version);
                news.push(Event::default().event("round").data(&*json));
            }
        }
        let lines = site
            .log()
            .map(|log| log.after(bot.unwrap_or_default(), self.log))
            .unwrap_or_default();
        if let Some(last) = lines.last() {
            self.log = last.number;
            news.push(Event::default().event("log").data(json(&lines)));
        }
        if self.over {
            news.push(Event::default().event("over").data("{}"));
        }
        news
    }
}

/// The events for a page that shows a bot; `room` is its permit among the open pages.
pub(super) fn feed<P: Send + 'static>(
    site: Arc<Site>,
    bot: Option<String>,
    room: P,
) -> Sse<impl Stream<Item = Result<Event, Infallible>> + Send> {
    let news = unfold(
        (OpenPage::default(), site, bot, room),
        |(mut page, site, bot, room)| async move {
            if page.over {
                return None;
            }
            if page.begun {
                tokio::select! {
                    () = sleep(EVERY) => {}
                    () = site.over.cancelled() => {}
                }
            }
            let news = page.news(&site, bot.as_deref());
            Some((iter(news.into_iter().map(Ok)), (page, site, bot, room)))
        },
    );
    Sse::new(news.flatten()).keep_alive(KeepAlive::new().interval(MAX_SILENCE))
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;
    use axum::response::IntoResponse;
    use client::board::Board;
    use client::bot::{BotEvent, LiveFigures};

    use super::*;
    use crate::person::PersonSeats;

    fn site(board: &Board) -> Site {
        Site::new(
            PageSubject::Bots {
                board: board.clone(),
                people: PersonSeats::default(),
            },
            None,
            CancellationToken::new(),
        )
    }

    #[test]
    fn a_page_is_sent_the_bots_when_one_of_them_has_changed_and_nothing_while_none_has() {
        let board = Board::default();
        for bot in ["kuma", "neko"] {
            board.enter(bot, "ws://127.0.0.1:1".to_owned(), LiveFigures::default());
        }
        let site = site(&board);
        // Regardless of how little time has passed.
        let look = || site.overview.lock().expect("no test panics with it").at = None;
        let (first, json) = site.overview_after(0).expect("a state");
        assert!(json.contains("kuma") && json.contains("neko"), "{json}");
        look();
        assert!(site.overview_after(first).is_none());
        board.note("kuma", &BotEvent::Queued);
        look();
        let (second, json) = site.overview_after(first).expect("another");
        assert!(json.contains("queued") && json.contains("neko"), "{json}");
        board.remove("neko");
        look();
        let (_, json) = site.overview_after(second).expect("another");
        assert!(!json.contains("neko"), "{json}");
    }

    #[tokio::test]
    async fn at_the_end_a_page_is_sent_how_it_ended_and_nothing_more() {
        let site = Arc::new(site(&Board::default()));
        site.over.cancel();
        let body = feed(site, None, ()).into_response().into_body();
        let text = to_bytes(body, 1 << 20).await.expect("it ends");
        assert_eq!(text, "event: bots\ndata: []\n\nevent: over\ndata: {}\n\n");
    }
}

//! What an open page is sent: server-sent events with whole states.
//!
//! A page asks for nothing and is sent a state whenever it has taken the one before: one that is slow skips those between.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use futures_util::stream::{Stream, unfold};
use serde::Serialize;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::RecentLog;
use super::rounds::{DrawnRound, DrawnRounds};
use super::subject::PageSubject;

/// How often a page is sent what is new of the table and the log.
const EVERY: Duration = Duration::from_millis(250);
/// How often the bots or the tournament are looked at.
const OVERVIEW_EVERY: Duration = Duration::from_millis(950);
/// How long nothing may be sent: a page whose runner is gone should learn it.
const SILENCE: Duration = Duration::from_secs(15);

/// What all pages share.
#[derive(Debug)]
pub(super) struct Site {
    pub(super) subject: PageSubject,
    pub(super) log: Option<RecentLog>,
    /// Ready when the process is done.
    pub(super) over: CancellationToken,
    overview: Mutex<Overview>,
    rounds: Mutex<DrawnRounds>,
}

/// The bots or the tournament as they were looked at last.
#[derive(Debug, Default)]
struct Overview {
    at: Option<Instant>,
    version: u64,
    /// Each bot, and in which version it changed last.
    bots: HashMap<String, (String, u64)>,
    /// In which version a bot came or went.
    changed: u64,
    /// Everything, and what is new since the version before.
    whole: Bytes,
    news: Bytes,
}

impl Site {
    pub(super) fn new(subject: PageSubject, log: Option<RecentLog>, over: CancellationToken) -> Self {
        Self { subject, log, over, overview: Mutex::default(), rounds: Mutex::default() }
    }

    /// The round of a bot.
    pub(super) fn round(&self, bot: &str) -> DrawnRound {
        let PageSubject::Bots { board, all_hands } = &self.subject else { return DrawnRound::default() };
        self.rounds.lock().unwrap_or_else(PoisonError::into_inner).of(board, bot, *all_hands)
    }

    /// What a page that has a version of the overview is to be sent, and which version that is; `None` when it has the newest.
    fn overview_after(&self, version: Option<u64>) -> Option<(u64, Bytes)> {
        let mut overview = self.lock_overview();
        // At the end everybody is sent how it ended.
        if overview.at.is_none_or(|at| at.elapsed() >= OVERVIEW_EVERY || self.over.is_cancelled()) {
            overview.at = Some(Instant::now());
            match &self.subject {
                PageSubject::Bots { .. } => overview.look_at_bots(&self.subject),
                PageSubject::Tournament(tournament) => {
                    let whole = message("tournament", &tournament.standing());
                    if whole != overview.whole {
                        overview.version += 1;
                        overview.changed = overview.version;
                        overview.whole = whole;
                    }
                }
            }
        }
        let newest = overview.version;
        match version {
            Some(version) if version == newest => None,
            Some(version) if version + 1 == newest && overview.changed < newest => {
                Some((newest, overview.news.clone()))
            }
            _ => Some((newest, overview.whole.clone())),
        }
    }

    fn lock_overview(&self) -> MutexGuard<'_, Overview> {
        self.overview.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn log_after(&self, bot: &str, number: u64) -> Option<(u64, Bytes)> {
        let lines = self.log.as_ref()?.after(bot, number);
        let newest = lines.last()?.number;
        Some((newest, message("log", &lines)))
    }
}

impl Overview {
    fn look_at_bots(&mut self, subject: &PageSubject) {
        let version = self.version + 1;
        let bots = subject.bots();
        let mut rows = HashMap::with_capacity(bots.len());
        let (mut all, mut news) = (Vec::with_capacity(bots.len()), Vec::new());
        let mut came = bots.len() != self.bots.len();
        for bot in bots {
            let row = serde_json::to_string(&bot).expect("texts, numbers and lists of them always have a JSON form");
            let before = self.bots.remove(&bot.bot);
            came |= before.is_none();
            let changed = before.filter(|(known, _)| *known == row).map_or(version, |(_, at)| at);
            if changed == version {
                news.push(row.clone());
            }
            all.push(row.clone());
            rows.insert(bot.bot, (row, changed));
        }
        self.bots = rows;
        if news.is_empty() && !came && self.version > 0 {
            return;
        }
        self.version = version;
        if came || version == 1 {
            self.changed = version;
        }
        self.whole = Bytes::from(format!("event: bots\ndata: [{}]\n\n", all.join(",")));
        self.news = Bytes::from(format!("event: changed\ndata: [{}]\n\n", news.join(",")));
    }
}

/// A message as the stream has it. JSON has no line breaks.
fn message(event: &str, data: &impl Serialize) -> Bytes {
    let data = serde_json::to_string(data).expect("texts, numbers and lists of them always have a JSON form");
    Bytes::from(format!("event: {event}\ndata: {data}\n\n"))
}

/// What an open page has been sent.
#[derive(Debug, Default)]
struct OpenPage {
    overview: Option<u64>,
    round: Option<u64>,
    log: u64,
    /// When something was sent last.
    sent: Option<Instant>,
    over: bool,
}

impl OpenPage {
    /// What there is to be sent now.
    fn news(&mut self, site: &Site, bot: Option<&str>) -> Option<Bytes> {
        let mut parts: Vec<Bytes> = Vec::new();
        let over = site.over.is_cancelled();
        if let Some((version, bytes)) = site.overview_after(self.overview) {
            self.overview = Some(version);
            parts.push(bytes);
        }
        if let Some(bot) = bot {
            let DrawnRound { version, json } = site.round(bot);
            if self.round != Some(version) {
                self.round = Some(version);
                parts.push(Bytes::from(format!("event: round\ndata: {json}\n\n")));
            }
        }
        if let Some((number, bytes)) = site.log_after(bot.unwrap_or_default(), self.log) {
            self.log = number;
            parts.push(bytes);
        }
        if over {
            self.over = true;
            parts.push(Bytes::from_static(b"event: over\ndata: {}\n\n"));
        }
        if parts.is_empty() && self.sent.is_some_and(|sent| sent.elapsed() >= SILENCE) {
            parts.push(Bytes::from_static(b":\n\n"));
        }
        if parts.is_empty() {
            return None;
        }
        self.sent = Some(Instant::now());
        match parts.as_slice() {
            [one] => Some(one.clone()),
            parts => Some(Bytes::from(parts.concat())),
        }
    }
}

/// Everything that a page is sent which looks at a bot; `room` is its place among the open pages.
pub(super) fn feed<P: Send + 'static>(
    site: std::sync::Arc<Site>,
    bot: Option<String>,
    room: P,
) -> impl Stream<Item = Result<Bytes, Infallible>> + Send {
    unfold((OpenPage::default(), site, bot, room), |(mut page, site, bot, room)| async move {
        if page.over {
            return None;
        }
        loop {
            if page.sent.is_some() {
                tokio::select! {
                    () = sleep(EVERY) => {}
                    () = site.over.cancelled() => {}
                }
            }
            if let Some(bytes) = page.news(&site, bot.as_deref()) {
                return Some((Ok(bytes), (page, site, bot, room)));
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fleet::Board;
    use client::bot::{BotEvent, LiveFigures};

    fn text(bytes: &Bytes) -> &str {
        std::str::from_utf8(bytes).expect("UTF-8")
    }

    fn enter(board: &Board, bot: &str) {
        board.enter(bot, "ws://127.0.0.1:1".to_owned(), LiveFigures::default());
    }

    /// Looks at the bots anew, however little time has passed.
    fn look(site: &Site) {
        site.lock_overview().at = None;
    }

    #[test]
    fn a_page_that_has_the_last_state_is_sent_what_has_changed_and_one_that_skipped_some_everything() {
        let board = Board::default();
        enter(&board, "kuma");
        enter(&board, "neko");
        let site =
            Site::new(PageSubject::Bots { board: board.clone(), all_hands: false }, None, CancellationToken::new());
        let (first, whole) = site.overview_after(None).expect("a state");
        assert!(text(&whole).starts_with("event: bots\n") && text(&whole).contains("neko"), "{whole:?}");
        assert!(site.overview_after(Some(first)).is_none());
        board.note("kuma", &BotEvent::Queued);
        look(&site);
        let (second, news) = site.overview_after(Some(first)).expect("news");
        assert!(text(&news).starts_with("event: changed\n") && !text(&news).contains("neko"), "{news:?}");
        board.note("neko", &BotEvent::Queued);
        look(&site);
        let (_, whole) = site.overview_after(Some(first)).expect("everything");
        assert!(text(&whole).starts_with("event: bots\n") && text(&whole).contains("kuma"), "{whole:?}");
        board.remove("neko");
        look(&site);
        let (_, whole) = site.overview_after(Some(second + 1)).expect("everything");
        assert!(text(&whole).starts_with("event: bots\n") && !text(&whole).contains("neko"), "{whole:?}");
    }

    #[tokio::test]
    async fn at_the_end_a_page_is_told_so_and_nothing_more() {
        use futures_util::StreamExt;
        let over = CancellationToken::new();
        let subject = PageSubject::Bots { board: Board::default(), all_hands: false };
        let site = std::sync::Arc::new(Site::new(subject, None, over.clone()));
        let mut feed = std::pin::pin!(feed(site, None, ()));
        let Some(Ok(first)) = feed.next().await else { panic!("nothing") };
        assert!(text(&first).starts_with("event: bots"), "{first:?}");
        over.cancel();
        let Some(Ok(last)) = feed.next().await else { panic!("nothing") };
        assert!(text(&last).ends_with("event: over\ndata: {}\n\n"), "{last:?}");
        assert!(feed.next().await.is_none());
    }
}

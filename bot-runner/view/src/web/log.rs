//! The last lines of the log for the page, by bot.

use std::collections::{HashMap, VecDeque};
use std::fmt::{self, Write as _};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use serde::Serialize;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

use super::texts::shown;

/// Maximum number of lines waiting to be processed; further ones are only in the log.
const WAITING: usize = 4_096;
/// Number of kept lines of each bot, and of lines without a bot.
const KEPT: usize = 40;
/// Number of bots whose lines are kept.
const BOTS: usize = 2_000;

#[derive(Debug, Clone, Serialize)]
pub(super) struct LogLine {
    /// Greater than the number of every earlier line.
    pub(super) number: u64,
    /// The time, by RFC 3339.
    time: String,
    level: &'static str,
    text: String,
}

#[derive(Debug)]
struct RawLine {
    bot: Option<String>,
    at: SystemTime,
    level: Level,
    text: String,
}

/// The log's side: passes lines on and never waits.
#[derive(Debug)]
pub struct RecentLogLayer(SyncSender<RawLine>);

/// The page's side. Clones share the same log.
#[derive(Debug, Clone)]
pub struct RecentLog {
    kept: Arc<Mutex<KeptLines>>,
    pass: SyncSender<RawLine>,
}

#[derive(Debug)]
struct KeptLines {
    passed: Receiver<RawLine>,
    /// By bot; lines without a bot have the empty name.
    lines: HashMap<String, VecDeque<LogLine>>,
    number: u64,
}

/// Both sides.
pub fn recent_log() -> (RecentLogLayer, RecentLog) {
    let (sender, passed) = sync_channel(WAITING);
    let kept = KeptLines {
        passed,
        lines: HashMap::new(),
        number: 0,
    };
    (
        RecentLogLayer(sender.clone()),
        RecentLog {
            kept: Arc::new(Mutex::new(kept)),
            pass: sender,
        },
    )
}

impl RecentLog {
    /// Adds a line about a bot that is not in the log; never waits.
    pub fn tell(&self, bot: &str, text: &str) {
        let (bot, at) = (Some(bot.to_owned()), SystemTime::now());
        // If the queue is full, users have already seen the text among the program's lines.
        let _ = self.pass.try_send(RawLine {
            bot,
            at,
            level: Level::INFO,
            text: text.to_owned(),
        });
    }

    /// Processes the waiting lines.
    pub(super) fn take_in(&self) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let KeptLines {
            passed,
            lines,
            number,
        } = &mut *kept;
        for RawLine {
            bot,
            at,
            level,
            text,
        } in passed.try_iter()
        {
            let bot = bot.unwrap_or_default();
            if !lines.contains_key(&bot) && lines.len() >= BOTS {
                continue;
            }
            *number += 1;
            let time = OffsetDateTime::from(at);
            let time = time
                .replace_nanosecond(0)
                .unwrap_or(time)
                .format(&Rfc3339)
                .unwrap_or_default();
            let own = lines.entry(bot).or_default();
            own.push_back(LogLine {
                number: *number,
                time,
                level: level.as_str(),
                text: shown(&text),
            });
            if own.len() > KEPT {
                own.pop_front();
            }
        }
    }

    /// The lines of a bot and those without a bot, with a higher number, in order.
    pub(super) fn after(&self, bot: &str, number: u64) -> Vec<LogLine> {
        self.take_in();
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let of = |name: &str| {
            kept.lines
                .get(name)
                .into_iter()
                .flatten()
                .filter(|line| line.number > number)
        };
        let mut lines: Vec<LogLine> = of("").cloned().collect();
        if !bot.is_empty() {
            lines.extend(of(bot).cloned());
        }
        lines.sort_by_key(|line| line.number);
        lines
    }
}

#[derive(Debug)]
struct BotOfSpan(String);

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for RecentLogLayer {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        if let (Some(bot), Some(span)) = (fields.bot, context.span(id)) {
            span.extensions_mut().insert(BotOfSpan(bot));
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        // A finer log is for files: it would displace the important lines.
        if *event.metadata().level() > Level::INFO {
            return;
        }
        let mut fields = Fields::default();
        event.record(&mut fields);
        let of_span = || {
            let mut scope = context.event_scope(event).into_iter().flatten();
            scope.find_map(|span| {
                span.extensions()
                    .get::<BotOfSpan>()
                    .map(|bot| bot.0.clone())
            })
        };
        let bot = fields.bot.or_else(of_span);
        let text = format!("{}{}", fields.message, fields.others);
        // If the queue is full, the line is only in the log.
        let line = RawLine {
            bot,
            at: SystemTime::now(),
            level: *event.metadata().level(),
            text,
        };
        let _ = self.0.try_send(line);
    }
}

/// The fields of a span or an event.
#[derive(Debug, Default)]
struct Fields {
    bot: Option<String>,
    message: String,
    others: String,
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "bot" => self.bot = Some(value.to_owned()),
            "message" => value.clone_into(&mut self.message),
            name => drop(write!(self.others, " {name}={value:?}")),
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        match field.name() {
            "bot" => self.bot = Some(format!("{value:?}")),
            "message" => self.message = format!("{value:?}"),
            name => drop(write!(self.others, " {name}={value:?}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use tracing_subscriber::layer::SubscriberExt;

    use super::*;

    #[test]
    fn lines_are_kept_by_bots_the_last_ones_and_without_paths() {
        let (layer, log) = recent_log();
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
            tracing::info!("before any bot");
            let bot = tracing::error_span!("bot", bot = "kuma").entered();
            for number in 0..2 * KEPT {
                let _game = tracing::error_span!("game", game = 1_u32).entered();
                tracing::warn!(number, "read /srv/bots/kuma.toml");
                tracing::debug!("too fine");
            }
            drop(bot);
            tracing::error!(bot = "neko", "another's");
        });
        let lines = log.after("kuma", 0);
        assert_eq!(
            (lines.len(), lines[0].text.as_str(), lines[0].level),
            (KEPT + 1, "before any bot", "INFO")
        );
        assert_eq!(
            (lines[KEPT].text.as_str(), lines[KEPT].level),
            ("read …/kuma.toml number=79", "WARN")
        );
        assert!(
            lines.windows(2).all(|pair| pair[0].number < pair[1].number)
                && lines[0].time.ends_with('Z')
        );
        let last = lines[KEPT].number;
        assert!(log.after("kuma", last).is_empty());
        assert_eq!(
            log.after("neko", 1)
                .iter()
                .map(|line| line.text.as_str())
                .collect::<Vec<_>>(),
            ["another's"]
        );
    }

    #[test]
    fn a_logging_thread_does_not_wait_for_a_page_that_accepts_nothing() {
        let (layer, log) = recent_log();
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
            for _ in 0..2 * WAITING {
                tracing::error!("flood");
            }
        });
        assert_eq!(log.after("", 0).len(), KEPT);
    }
}

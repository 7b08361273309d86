//! The log goes to standard error. It is written by its own thread, so that a reader that stops
//! reading delays no game.

mod json;

use std::env;
use std::fmt;

use foreign_text::escaped;
use tracing::field::Field;
use tracing::level_filters::LevelFilter;
use tracing_appender::non_blocking::WorkerGuard;
use tracing_subscriber::field::MakeExt;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::FormatFields;
use tracing_subscriber::fmt::format::{JsonFields, Writer, debug_fn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt as lines_of_log};

use say::screen::{Stream, StreamWriter, has_colours};
use view::web::RecentLogLayer;

/// The environment variable for the level of the log.
pub const VARIABLE: &str = "BOT_RUNNER_LOG";

/// An invalid value of the variable.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the environment variable {VARIABLE} is {found:?}; allowed are off, error, warn, info, debug and trace, \
     or lists like `info,client::session=debug`"
)]
pub struct BadFilter {
    found: String,
}

/// The format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum LogFormat {
    /// Plain text
    #[default]
    Text,
    /// One JSON object per line
    Json,
}

/// The crates that a filter of `bot_runner` holds for.
const PARTS: [&str; 4] = ["client", "config", "fleet", "view"];

/// Starts the log, which also feeds the page if there is one; all lines logged before the guard is
/// dropped are written.
///
/// # Errors
///
/// If the variable is not a valid filter.
pub fn start(
    default: LevelFilter,
    format: LogFormat,
    recent: Option<RecentLogLayer>,
) -> Result<WorkerGuard, BadFilter> {
    let filter = filter(&env::var(VARIABLE).unwrap_or_default(), default)?;
    let (writer, guard) = tracing_appender::non_blocking(StreamWriter(Stream::Err));
    let lines = lines_of_log::layer().with_writer(writer);
    let log = tracing_subscriber::registry().with(recent.with_filter(filter.clone()));
    match format {
        LogFormat::Text => log
            .with(
                lines
                    .with_ansi(has_colours())
                    .fmt_fields(fields())
                    .with_filter(filter),
            )
            .init(),
        LogFormat::Json => {
            log.with(
                lines
                    .fmt_fields(JsonFields::new())
                    .event_format(json::Flat)
                    .with_filter(filter),
            )
            .init();
        }
    }
    Ok(guard)
}

/// The fields of a line of text. They may quote others: controls are escaped, and further lines are
/// indented, so that none of them looks like a line of the log.
fn fields() -> impl for<'w> FormatFields<'w> + 'static {
    let field = |writer: &mut Writer<'_>, field: &Field, value: &dyn fmt::Debug| {
        let text = format!("{value:?}");
        let lines: Vec<String> = text
            .trim_end()
            .split('\n')
            .map(|line| escaped(line.as_bytes()))
            .collect();
        let text = lines.join("\n    ");
        match (field.name(), writer.has_ansi_escapes()) {
            ("message", _) => write!(writer, "{text}"),
            (name, true) => write!(writer, "\u{1b}[3m{name}\u{1b}[0m\u{1b}[2m=\u{1b}[0m{text}"),
            (name, false) => write!(writer, "{name}={text}"),
        }
    };
    debug_fn(field).delimited(" ")
}

fn filter(text: &str, default: LevelFilter) -> Result<Targets, BadFilter> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(Targets::new().with_default(default));
    }
    let bad = || BadFilter {
        found: text.chars().take(80).collect(),
    };
    // A single word that is not a level would be interpreted as a module, and disable all other
    // lines.
    let words_fit = text
        .split(',')
        .all(|word| word.contains('=') || word.trim().parse::<LevelFilter>().is_ok());
    let filter: Targets = if words_fit {
        text.parse().map_err(|_| bad())?
    } else {
        return Err(bad());
    };
    // These crates used to be parts of the program: filters with their old names still work.
    let of_parts = |(target, level): (&str, LevelFilter)| {
        let module = target.strip_prefix("bot_runner")?;
        let of_crate = PARTS.iter().map(|part| format!("{part}{module}"));
        let whole = module
            .strip_prefix("::")
            .filter(|name| PARTS.iter().any(|part| name.starts_with(part)));
        Some(
            of_crate
                .chain(whole.map(str::to_owned))
                .map(|target| (target, level))
                .collect::<Vec<_>>(),
        )
    };
    let named: Vec<_> = filter.iter().filter_map(of_parts).flatten().collect();
    Ok(filter.with_targets(named))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_and_lists_are_filters_and_other_words_are_refused() {
        for good in ["", "warn", "trace", "OFF", "info,client::session=debug"] {
            assert!(filter(good, LevelFilter::INFO).is_ok(), "{good}");
        }
        for bad in ["verbose", "inof", "info,loud", "a=b=c"] {
            assert!(filter(bad, LevelFilter::INFO).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_filter_of_the_program_or_a_part_of_it_holds_for_the_crates_of_its_bots_too() {
        for (text, shows, hides) in [
            ("bot_runner=trace", "client::session", "hyper"),
            ("bot_runner=trace", "fleet::running", "hyper"),
            (
                "warn,bot_runner::fleet=debug",
                "fleet::roster",
                "client::bot",
            ),
            (
                "warn,bot_runner::control=debug",
                "fleet::control::server",
                "fleet::roster",
            ),
            (
                "warn,bot_runner::web=debug",
                "view::web::serve",
                "client::bot",
            ),
            (
                "warn,bot_runner::session=debug",
                "client::session::game",
                "client::bot",
            ),
        ] {
            let filter = filter(text, LevelFilter::INFO).unwrap();
            assert!(filter.would_enable(shows, &tracing::Level::DEBUG), "{text}");
            assert!(
                !filter.would_enable(hides, &tracing::Level::DEBUG),
                "{text}"
            );
        }
    }
}

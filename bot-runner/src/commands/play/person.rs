//! The seat of `play --person`.

use std::io::{IsTerminal, stdout};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use client::shutdown::Shutdown;
use config::RawConfig;
use fleet::{Prepared, ReadyBot};
use say::output::say;
use toml::{Table, Value};
use view::person::{PERSON_THINK, PersonSeat};
use view::web::PageServer;

use crate::cli::PlayArgs;

/// The minimum time between two events, unless it is set.
const PERSON_PACE: Duration = Duration::from_millis(400);

/// A seat that a person plays. It is the first of the prepared bots.
pub(super) struct Person {
    pub(super) seat: PersonSeat,
    think: Duration,
}

impl Person {
    /// The person of these arguments, if one plays.
    ///
    /// # Errors
    ///
    /// If the seat has no token.
    pub(super) fn of(args: &PlayArgs) -> anyhow::Result<Option<Self>> {
        if !args.person {
            return Ok(None);
        }
        let seat = PersonSeat::new(&args.name).context("the person's seat has no token")?;
        let think = args.think_ms.map_or(PERSON_THINK, Duration::from_millis);
        Ok(Some(Self { seat, think }))
    }

    /// A config for the seat, with this policy in place of the person.
    pub(super) fn config(&self, policy: &str) -> RawConfig {
        let text = |text: &str| Value::String(text.to_owned());
        let section = [("id", text(policy)), ("library", text("builtin"))];
        let section: Table = section
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect();
        let mut config = Table::new();
        config.insert("name".to_owned(), text(self.seat.name()));
        config.insert("policy".to_owned(), Value::Table(section));
        RawConfig::parse(Path::new("--name"), &config.to_string())
    }

    /// Seats the person in place of the first bot.
    ///
    /// # Errors
    ///
    /// If no person can play at this table.
    pub(super) fn sit(&self, Prepared { bots, libraries }: &mut Prepared) -> anyhow::Result<()> {
        let Some(bot) = bots.first_mut() else {
            bail!("--person: the table has no seat");
        };
        let options = bot.start_options(libraries);
        let policy = self
            .seat
            .policy(self.think, Duration::ZERO, &options)
            .map_err(|problems| {
                let words: Vec<String> = problems.into_iter().map(|found| found.message).collect();
                anyhow::anyhow!("--person: {}", words.join("; "))
            })?;
        bot.config.policy = policy.section.clone();
        bot.policy = policy;
        Ok(())
    }

    /// The line about the seat in the introduction.
    pub(super) fn words(&self, bot: &ReadyBot) -> String {
        format!(
            "{}: a person, with {} for each decision",
            bot.config.name,
            humantime::format_duration(self.think)
        )
    }

    /// Says where the seat is taken, and waits until it is.
    ///
    /// # Errors
    ///
    /// If the user wants no game before that.
    pub(super) async fn arrive(
        &self,
        page: Option<&PageServer>,
        shutdown: &Shutdown,
    ) -> anyhow::Result<()> {
        let link = page.and_then(|page| page.seats.first());
        let link = link.context("the seat has no page")?;
        say(format!("seat: {link} (the first browser takes it)"));
        if stdout().is_terminal()
            && let Some(url) = link.split(' ').next()
            && let Err(error) = open::that_detached(url)
        {
            tracing::debug!("no browser was opened: {error}");
        }
        tokio::select! {
            () = self.seat.taken() => {}
            () = shutdown.finishing() => bail!("stopped before the person sat down"),
        }
        Ok(())
    }
}

/// The minimum time between two events.
pub(super) fn pace(args: &PlayArgs) -> Duration {
    let usual = if args.person {
        PERSON_PACE
    } else {
        Duration::ZERO
    };
    args.pace_ms.map_or(usual, Duration::from_millis)
}

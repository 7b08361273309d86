//! The seat of `play --person`.

use std::io::{IsTerminal, stdout};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::ValueEnum;
use client::place::short;
use client::shutdown::Shutdown;
use config::RawConfig;
use fleet::{Prepared, ReadyBot};
use foreign_text::shown;
use lab::game::Entrant;
use say::output::say;
use toml::{Table, Value};
use view::person::{PERSON_THINK, PersonSeat, PlayAgain};
use view::web::PageServer;

use super::super::adviser::advise;
use super::files_of;
use super::game_words::rules_of;
use super::seats::TableBot;
use crate::cli::{DEFAULT_NAME, PlayArgs};

/// The minimum time between two events, unless it is set.
const PERSON_PACE: Duration = Duration::from_millis(400);

/// A seat that a person plays. It is the first of the prepared bots.
pub(super) struct Person {
    pub(super) seat: PersonSeat,
    think: Duration,
    adviser: OnceLock<Entrant>,
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
        Ok(Some(Self {
            seat,
            think,
            adviser: OnceLock::new(),
        }))
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

    /// Seats the person in place of the first bot, with the adviser beside.
    ///
    /// # Errors
    ///
    /// If no person can play at this table, or the adviser cannot.
    pub(super) fn sit(
        &self,
        Prepared { bots, libraries }: &mut Prepared,
        args: &PlayArgs,
    ) -> anyhow::Result<()> {
        let Some(bot) = bots.first_mut() else {
            bail!("--person: the table has no seat");
        };
        let options = bot.start_options(libraries);
        let policy = self
            .seat
            .policy(self.think, Duration::ZERO, &options)
            .context("--person")?;
        bot.config.policy = policy.section.clone();
        bot.policy = policy;
        if let Some(config) = args.adviser.clone() {
            let table = (rules_of(bot.game, bot.players, args), bot.players);
            let adviser = advise(&self.seat, config, table, files_of(args))?;
            let _ = self.adviser.set(adviser);
        }
        Ok(())
    }

    /// The policy that advises the person, if one does.
    pub(super) fn adviser(&self) -> Option<&Entrant> {
        self.adviser.get()
    }

    /// Says on the page how to play the same games again.
    pub(super) fn offer_again(&self, args: &PlayArgs, seed: u64) {
        self.seat.offer_again(PlayAgain {
            command: again(args, seed),
            games: args.games,
            seat: args.seat,
        });
    }

    /// The line about the seat in the introduction.
    pub(super) fn words(&self, bot: &ReadyBot) -> String {
        let adviser = self.seat.advice().adviser();
        let adviser = adviser.map_or_else(String::new, |adviser| {
            format!(", advised by {}", shown(&adviser))
        });
        format!(
            "{}: a person, with {} for each decision{adviser}",
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

/// The command line of the same games, without the seat, records and the address of the page.
fn again(args: &PlayArgs, seed: u64) -> String {
    let path = |path: &PathBuf| short(path).display().to_string();
    let number = |number: Option<u64>| number.map(|number| number.to_string());
    let length = args.length.and_then(|length| length.to_possible_value());
    let options = [
        ("--game", args.game.map(|game| game.name().to_owned())),
        ("--players", number(args.players.map(u64::from))),
        (
            "--length",
            length.map(|length| length.get_name().to_owned()),
        ),
        ("--fill", args.fill.clone()),
        (
            "--games",
            number((args.games > 1).then_some(args.games.into())),
        ),
        (
            "--name",
            Some(args.name.clone()).filter(|name| name != DEFAULT_NAME),
        ),
        ("--think-ms", number(args.think_ms)),
        ("--pace-ms", number(args.pace_ms)),
        ("--adviser", args.adviser.as_ref().map(path)),
        ("--seed", number(Some(seed))),
    ];
    let options = options
        .into_iter()
        .filter_map(|(option, value)| Some([option.to_owned(), value?]));
    let configs = args.configs.iter().map(path);
    let no_bidding = args.no_bidding.then_some("--no-bidding");
    let words = ["bot-runner", "play", "--person"].into_iter();
    let words = words.chain(no_bidding).map(str::to_owned);
    let words: Vec<String> = words.chain(configs).chain(options.flatten()).collect();
    shell_words::join(words)
}

/// The minimum time between two events.
#[derive(Debug, Clone, Copy)]
pub(super) struct EventPace {
    set: Option<Duration>,
}

impl EventPace {
    pub(super) fn of(args: &PlayArgs) -> Self {
        Self {
            set: args.pace_ms.map(Duration::from_millis),
        }
    }

    /// The time at this table; a slow one while a person plays there.
    pub(super) fn at(self, bots: &[TableBot]) -> Duration {
        let usual = match bots.iter().any(TableBot::is_person) {
            true => PERSON_PACE,
            false => Duration::ZERO,
        };
        self.set.unwrap_or(usual)
    }
}

//! The file of an event, and its standing.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use arena::{EventFormat, EventSettings, EventStanding, RegisteredBot, RegistrationState};
use config::SecretKeys;
use foreign_text::{shown, shown_path};
use riichi::rules::Length;
use secrecy::ExposeSecret;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::table::{TextTable, decimal, points};
use config::PLAYERS;
use lab::whole_file::replace;

/// The file in the ladder's folder with the event that is played there.
const KEPT_EVENT: &str = "event.json";

/// Maximum number of characters of a name.
const MAX_NAME: usize = 60;

/// An event, with its bots and their tokens.
pub(super) struct EventFile {
    pub(super) settings: EventSettings,
    pub(super) length: Length,
    pub(super) bots: Vec<RegisteredBot>,
    /// The seed of the walls, if the file has one.
    pub(super) seed: Option<u64>,
}

/// The keys of the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EventKeys {
    name: Option<String>,
    format: EventFormat,
    games: u32,
    #[serde(default = "four")]
    players: u8,
    #[serde(default)]
    length: EventLength,
    #[serde(default)]
    duplicate: bool,
    seed: Option<u64>,
    /// For each bot the environment variable that holds its token.
    bots: toml::Table,
}

const fn four() -> u8 {
    PLAYERS
}

#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum EventLength {
    Single,
    East,
    #[default]
    Half,
}

impl EventFile {
    /// Reads the file, and the tokens from the environment.
    ///
    /// # Errors
    ///
    /// The first mistake. It never shows a token.
    pub(super) fn read(file: &Path) -> anyhow::Result<Self> {
        let text = fs::read_to_string(file)
            .with_context(|| format!("the event {} cannot be read", shown_path(file)))?;
        Self::of(&text).with_context(|| format!("the event {}", shown_path(file)))
    }

    fn of(text: &str) -> anyhow::Result<Self> {
        let keys: EventKeys = toml::from_str(text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start));
            let line = before.map_or(1, |before| before.matches('\n').count() + 1);
            // Further lines of the message would repeat the file, which may hold a token.
            let message = error.message().lines().next().unwrap_or("not TOML");
            anyhow::anyhow!("line {line}: {}", shown(message))
        })?;
        let EventKeys {
            name,
            format,
            games,
            players,
            length,
            duplicate,
            seed,
            bots,
        } = keys;
        let bots = bots
            .iter()
            .map(|(name, variable)| read_bot(name, variable))
            .collect::<anyhow::Result<Vec<RegisteredBot>>>()?;
        for (index, bot) in bots.iter().enumerate() {
            let token = bot.token.expose_secret();
            let twin = bots[..index]
                .iter()
                .find(|other| other.token.expose_secret() == token);
            if let Some(twin) = twin {
                bail!(
                    "bots: {} and {} have the same token; each bot needs its own",
                    shown(&twin.name),
                    shown(&bot.name)
                );
            }
        }
        let settings = EventSettings {
            name: name.unwrap_or_else(|| "event".to_owned()),
            format,
            games,
            players,
            duplicate,
            seed: seed.unwrap_or(0),
            bots: bots.iter().map(|bot| bot.name.clone()).collect(),
        };
        check_name("name", &settings.name)?;
        if let Err((key, why)) = settings.check() {
            bail!("{key}: {why}");
        }
        Ok(Self {
            settings,
            length: match length {
                EventLength::Single => Length::Single,
                EventLength::East => Length::East,
                EventLength::Half => Length::Half,
            },
            bots,
            seed,
        })
    }
}

fn check_name(key: &str, name: &str) -> anyhow::Result<()> {
    let is_plain = !name.chars().any(char::is_control) && !name.trim().is_empty();
    if !is_plain || name.chars().count() > MAX_NAME {
        bail!(
            "{key}: found {}; allowed are 1 to {MAX_NAME} characters without control characters",
            shown(name)
        );
    }
    Ok(())
}

fn read_bot(name: &str, variable: &toml::Value) -> anyhow::Result<RegisteredBot> {
    check_name("bots", name)?;
    let key = || format!("bots.{}", shown(name));
    let Some(variable) = variable.as_str() else {
        bail!(
            "{}: write the name of the environment variable that holds the bot's token, as a text",
            key()
        );
    };
    SecretKeys::EVENT_BOT
        .check_variable(variable)
        .with_context(key)?;
    let token = SecretKeys::EVENT_BOT
        .in_variable(variable.to_owned())
        .token()
        .with_context(key)?;
    Ok(RegisteredBot {
        token: token.in_text(str::to_owned),
        name: name.to_owned(),
        state: RegistrationState::Active,
    })
}

/// Notes in the ladder's folder which event is played there.
///
/// # Errors
///
/// If it is another one, or the note cannot be read or written.
pub(super) fn claim_folder(
    folder: &Path,
    event: &EventSettings,
    length: Length,
) -> anyhow::Result<()> {
    let file = folder.join(KEPT_EVENT);
    let mut own = serde_json::to_value(event)?;
    own["length"] = match length {
        Length::Single => json!("single"),
        Length::East => json!("east"),
        Length::Half => json!("half"),
    };
    let cannot = |task: &str| format!("{} cannot be {task}", shown_path(&file));
    let kept = match fs::read(&file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return replace(&file, format!("{own}\n").as_bytes())
                .with_context(|| cannot("written"));
        }
        kept => kept.with_context(|| cannot("read"))?,
    };
    let kept: Value = serde_json::from_slice(&kept).with_context(|| cannot("understood"))?;
    let differs = own
        .as_object()
        .into_iter()
        .flatten()
        .find(|(key, value)| kept.get(key.as_str()) != Some(value));
    if let Some((key, value)) = differs {
        bail!(
            "{}: another event is played in this folder, its `{key}` is {} and not {}; take its file again, or another folder",
            shown_path(&file),
            shown(&kept[key].to_string()),
            shown(&value.to_string())
        );
    }
    Ok(())
}

/// The standing as a table.
pub(super) fn standing_table(standing: &[EventStanding]) -> TextTable<7> {
    let mut table = TextTable::new(
        ["rank", "bot", "games", "place", "95 %", "points", "trouble"],
        [false, true, false, false, false, false, true],
    );
    for (index, row) in standing.iter().enumerate() {
        table.row(standing_cells(index, row));
    }
    table
}

/// A row of the standing.
pub(super) fn standing_cells(index: usize, row: &EventStanding) -> [String; 7] {
    let dash = || "-".to_owned();
    let spread = row.place.and_then(|place| place.spread);
    let troubles = [
        (row.disconnected, "disconnected"),
        (row.penalized, "penalized"),
    ];
    let troubles: Vec<String> = troubles
        .iter()
        .filter(|(times, _)| *times > 0)
        .map(|(times, what)| format!("{what} in {times}"))
        .collect();
    [
        (index + 1).to_string(),
        row.bot.clone(),
        row.games.to_string(),
        row.place.map_or_else(dash, |place| decimal(place.mean, 2)),
        spread.map_or_else(dash, |spread| {
            format!("{} to {}", decimal(spread.low, 2), decimal(spread.high, 2))
        }),
        row.points
            .map_or_else(dash, |average| points(average.round() as i32)),
        if troubles.is_empty() {
            dash()
        } else {
            troubles.join(", ")
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVENT: &str = "format = \"swiss\"\ngames = 4\n\n[bots]\nkuma = \"PATH\"\n";

    fn refused(text: &str) -> String {
        match EventFile::of(text) {
            Ok(_) => panic!("it is read: {text}"),
            Err(error) => format!("{error:#}"),
        }
    }

    #[test]
    fn a_mistake_is_named_by_its_line_or_key_with_what_is_allowed() {
        for (from, to, expected) in [
            ("swiss", "knockout", "expected `round-robin` or `swiss`"),
            (
                "games = 4",
                "games = 4\nrounds = 3",
                "line 3: unknown field `rounds`",
            ),
            (
                "\"PATH\"",
                "7",
                "bots.kuma: write the name of the environment variable",
            ),
            ("\"PATH\"", "\"NO_SUCH_VARIABLE_HERE\"", "bots.kuma: "),
            (
                "games = 4",
                "games = 4",
                "bots: found 1; 4 to 64 bots are allowed",
            ),
        ] {
            let message = refused(&EVENT.replace(from, to));
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn a_token_in_place_of_a_variable_is_not_shown() {
        let message = refused(&EVENT.replace("PATH", "canary-token-of-kuma"));
        assert!(
            message.contains("bots.kuma: ") && !message.contains("canary"),
            "{message}"
        );
    }
}

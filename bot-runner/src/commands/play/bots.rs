//! Who plays: the bots of the configs, and others on the seats that they leave empty.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::bail;
use config::{PLAYERS, RawConfig};
use fleet::{Prepared, Purpose, ReadyBot, prepare_raw};
use mistakes::did_you_mean;
use policy_host::{GameKind, Origin, is_policy_id};
use say::screen::note;

use super::super::entrants::{players_of, tell_apart};
use super::super::words::library_words;
use super::files_of;
use super::person::Person;
use crate::cli::{LengthName, PlayArgs};
use crate::demo;

/// The value of `--fill` for seats without a policy.
const NONE: &str = "none";

/// The default policy: a quick one that plays for its own hand.
const fn usual(game: GameKind) -> &'static str {
    match game {
        GameKind::Riichi => "greedy-tenpai",
        GameKind::Mcr => "cs-eight-step",
        GameKind::DouDizhu => "doudizhu-split",
    }
}

/// The person if one plays, and the bots of the configs (without configs the demo bots, of which
/// `--fill` leaves one, beside a person none, or the built-in policies), followed by those that
/// fill the table; the number of the former; and the number of players.
pub(super) fn ready_bots(
    args: &PlayArgs,
    mut raw: Vec<RawConfig>,
    game: GameKind,
    person: Option<&Person>,
) -> anyhow::Result<(Prepared, usize, u8)> {
    let players = match game {
        GameKind::Riichi => args.players.unwrap_or(PLAYERS),
        _ => players_of(game, &raw, args.players)?,
    };
    let seats = usize::from(players);
    if let Some(seat) = args.seat.filter(|seat| *seat >= players) {
        bail!(
            "--seat: found {seat}; the seats of this table are 0 to {}",
            players - 1
        );
    }
    let free = seats - usize::from(person.is_some());
    if game == GameKind::Riichi && args.seat.is_some() && args.fill.as_deref() == Some(NONE) {
        bail!("--seat: with --fill {NONE} the seed decides the seats; leave out one of the two");
    }
    if raw.len() > free {
        let what = if game == GameKind::Riichi {
            String::new()
        } else {
            format!(" of {game}")
        };
        let beside = if person.is_some() {
            " beside a person"
        } else {
            ""
        };
        bail!(
            "a table{what} seats {free} bots{beside}, and {} configs are given; leave some out",
            raw.len()
        );
    }
    if raw.is_empty() {
        raw = match game {
            // A policy for empty seats needs some.
            GameKind::Riichi => demo::configs()
                .into_iter()
                .take(match (&args.fill, person) {
                    (None, _) => free,
                    (Some(_), None) => 1,
                    (Some(_), Some(_)) => 0,
                })
                .collect(),
            _ if person.is_some() && args.fill.is_some() => Vec::new(),
            _ => {
                let ids = builtin::ids_of(game)
                    .into_iter()
                    .filter(|id| !builtin::needs_command(id));
                let configs = ids.map(|id| built_in(Path::new(id), id));
                configs.take(free).collect()
            }
        };
    }
    if let Some(person) = person {
        raw.insert(0, person.config(usual(game)));
    }
    let own = raw.len();
    if args.fill.is_some() && own == seats {
        note(format!(
            "--fill is not used: the configs take all {seats} seats."
        ));
    }
    raw.extend(fillers(game, args.fill.as_deref(), seats - own)?);
    let mut prepared = prepare_raw(raw, Purpose::Policy { game, players }, files_of(args))?;
    tell_apart(&mut prepared.bots);
    if let Some(person) = person {
        person.sit(&mut prepared, args)?;
    }
    Ok((prepared, own, players))
}

/// The config of a policy that is linked into the runner; no file has this name, which messages
/// show.
fn built_in(file: &Path, id: &str) -> RawConfig {
    RawConfig::parse(
        file,
        &format!("name = {id:?}\n[policy]\nid = {id:?}\nlibrary = \"builtin\"\n"),
    )
}

/// A config for each empty seat; none if no policy is to play there.
///
/// # Errors
///
/// If the argument cannot be the id of a policy.
fn fillers(game: GameKind, fill: Option<&str>, empty: usize) -> anyhow::Result<Vec<RawConfig>> {
    let id = fill.unwrap_or(usual(game));
    if id == NONE {
        return Ok(Vec::new());
    }
    if !is_policy_id(id) {
        let like = did_you_mean(id, builtin::ids_of(game));
        bail!(
            "--fill: found {id:?}; allowed are the id of a policy, such as {}, and {NONE}{like}",
            usual(game)
        );
    }
    let file = Path::new("--fill");
    let config = match builtin::IDS.contains(&id) {
        true => built_in(file, id),
        false => RawConfig::parse(file, &format!("name = {id:?}\n[policy]\nid = {id:?}\n")),
    };
    Ok(vec![config; empty])
}

/// The games that are played, and the bots that play them.
pub(super) fn introduction(
    args: &PlayArgs,
    game: GameKind,
    bots: &[ReadyBot],
    own: usize,
    players: u8,
    seed: u64,
    person: Option<&Person>,
) -> String {
    let (bots, fillers) = bots.split_at(own);
    let GameWords {
        games,
        place,
        safe,
        built_in,
    } = GameWords::of(args, game, players);
    let mut text =
        format!("{games} on the embedded {place}, seed {seed} (the same again: --seed {seed})");
    let (sitting, bots) = bots.split_at(usize::from(person.is_some()));
    for (person, bot) in person.iter().zip(sitting) {
        let _ = write!(text, "\n  {}", person.words(bot));
    }
    for bot in bots {
        let (policy, library) = (
            bot.policy.identity().words(),
            library_words(&bot.policy.library.origin),
        );
        let _ = write!(text, "\n  {}: {policy}, {library}", bot.config.name);
    }
    if !bots.is_empty()
        && bots
            .iter()
            .all(|bot| bot.policy.library.origin == Origin::Builtin)
    {
        text.push_str(built_in);
    }
    text + &fill_words(fillers, usize::from(players) - own, safe)
}

/// The words about the games in the introduction.
struct GameWords {
    /// How many are played, and which.
    games: String,
    /// What they are played on.
    place: &'static str,
    /// What a seat without a policy does, and several of them.
    safe: [&'static str; 2],
    /// The sentence if all bots play with policies that are linked into the runner.
    built_in: &'static str,
}

impl GameWords {
    fn of(args: &PlayArgs, game: GameKind, players: u8) -> Self {
        if game == GameKind::Riichi {
            let games = riichi_games(args.games, args.length.unwrap_or(LengthName::Half));
            let three = if players == 3 {
                " of three players"
            } else {
                ""
            };
            return Self {
                games: games + three,
                place: "arena",
                safe: ["discards what it draws", "discard what they draw"],
                built_in: "\nNo policy libraries were found next to the runner: all bots play with the built-in \
                           policies.",
            };
        }
        let bidding = if args.no_bidding {
            " without bidding"
        } else {
            ""
        };
        Self {
            games: match args.games {
                1 => format!("a game of {game}{bidding}"),
                games => format!("{games} games of {game}{bidding}"),
            },
            place: "judge",
            safe: ["plays the safe action", "play the safe action"],
            built_in: "",
        }
    }
}

/// This many games of a length.
fn riichi_games(games: u32, length: LengthName) -> String {
    match (games, length) {
        (1, LengthName::Half) => "a hanchan".to_owned(),
        (1, LengthName::East) => "an East-only game".to_owned(),
        (1, LengthName::Single) => "a single round".to_owned(),
        (games, LengthName::Half) => format!("{games} hanchan"),
        (games, LengthName::East) => format!("{games} East-only games"),
        (games, LengthName::Single) => format!("{games} single rounds"),
    }
}

/// A sentence about the bots on the other seats; `safe` describes seats without a policy.
fn fill_words(fillers: &[ReadyBot], empty: usize, [one, several]: [&str; 2]) -> String {
    match (fillers.first(), empty) {
        (_, 0) => String::new(),
        (None, 1) => format!("\nThe other seat {one}."),
        (None, _) => format!("\nThe other {empty} seats {several}."),
        (Some(bot), _) => {
            let seats = if empty == 1 {
                "seat".to_owned()
            } else {
                format!("{empty} seats")
            };
            let (policy, library) = (
                bot.policy.identity().words(),
                library_words(&bot.policy.library.origin),
            );
            format!("\nOn the other {seats}: {policy}, {library} (--fill POLICY takes another).")
        }
    }
}

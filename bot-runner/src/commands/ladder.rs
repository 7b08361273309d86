//! `ladder`: what the arena publishes about ranked games.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use ladder::{
    GameRow, LadderClient, LadderError, LeaderboardRow, MAX_GAMES_PER_PAGE,
    MAX_ROWS_OF_LEADERBOARD, PlayedAt, with_names,
};
use say::output::{say, say_data};
use say::screen::note;
use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::success;
use super::table::{TextTable, number_of, points, signed};
use crate::cli::{LadderArgs, LadderCommand, Since};
use crate::version::version;
use lab::whole_file::create;

/// Maximum number of leaderboard pages that a search for a name reads.
const MAX_PAGES_OF_SEARCH: u64 = 50;
/// Requests for each fetched game: its players, and its log.
const REQUESTS_PER_GAME: usize = 2;
/// The pause after each request, for the plan.
const PAUSE_S: f64 = 0.5;

/// Runs a subcommand for the ladder.
///
/// # Errors
///
/// If the ladder gives no usable answer, or a file cannot be written.
pub async fn ladder(args: LadderArgs) -> anyhow::Result<ExitCode> {
    let LadderArgs {
        command,
        api,
        logs,
        json,
    } = args;
    let client = LadderClient::new(api, logs, version())?;
    match command {
        LadderCommand::Top { limit } => show_bots(&top(&client, limit.into()).await?, json),
        LadderCommand::Find { name } => {
            let found = find(&client, &name).await?;
            if found.is_empty() {
                bail!("no bot on the ladder has {name:?} in its name");
            }
            show_bots(&found, json);
        }
        LadderCommand::Bot { id } => {
            let bot = client.bot(id).await?;
            let row = LeaderboardRow {
                bot_id: bot.id,
                bot_name: bot.name,
                rating: bot.rating,
                total_games: bot.total_games,
                last_played_at: bot.last_played_at,
                current_rank: bot.current_rank,
            };
            show_bots(&[row], json);
        }
        LadderCommand::Games { id, since, limit } => {
            show_games(&games(&client, id, since, limit as usize).await?, json)
        }
        LadderCommand::Fetch {
            id,
            games: count,
            out,
        } => {
            return fetch(&client, id, count as usize, &out, json).await;
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn top(client: &LadderClient, limit: u64) -> Result<Vec<LeaderboardRow>, LadderError> {
    let mut rows = Vec::new();
    while (rows.len() as u64) < limit {
        let missing = (limit - rows.len() as u64).min(MAX_ROWS_OF_LEADERBOARD);
        let page = client.leaderboard(missing, rows.len() as u64).await?;
        let is_last = (page.len() as u64) < missing;
        rows.extend(page);
        if is_last {
            break;
        }
    }
    Ok(rows)
}

/// The bots with this text in their names, those of exactly this name first.
async fn find(client: &LadderClient, name: &str) -> Result<Vec<LeaderboardRow>, LadderError> {
    let wanted = name.to_lowercase();
    let of = |row: &LeaderboardRow| {
        row.bot_name
            .as_ref()
            .map_or_else(String::new, |name| name.understood().to_lowercase())
    };
    let mut found: Vec<LeaderboardRow> = Vec::new();
    for page in 0..MAX_PAGES_OF_SEARCH {
        let rows = client
            .leaderboard(MAX_ROWS_OF_LEADERBOARD, page * MAX_ROWS_OF_LEADERBOARD)
            .await?;
        let is_last = (rows.len() as u64) < MAX_ROWS_OF_LEADERBOARD;
        for row in rows.into_iter().filter(|row| of(row).contains(&wanted)) {
            // The board moves between two pages.
            if found.iter().all(|known| known.bot_id != row.bot_id) {
                found.push(row);
            }
        }
        if is_last {
            break;
        }
    }
    found.sort_by_key(|row| of(row) != wanted);
    Ok(found)
}

/// A bot's newest games, each once.
async fn games(
    client: &LadderClient,
    bot: u64,
    since: Option<Since>,
    limit: usize,
) -> Result<Vec<GameRow>, LadderError> {
    let earliest = since.map(|since| since.moment(OffsetDateTime::now_utc()));
    let is_early = |row: &GameRow| {
        row.played_at
            .zip(earliest)
            .is_some_and(|(at, earliest)| at.moment() < earliest)
    };
    let (mut rows, mut cursor): (Vec<GameRow>, Option<String>) = (Vec::new(), None);
    loop {
        let page = client
            .games(bot, MAX_GAMES_PER_PAGE.min(limit as u64), cursor.as_deref())
            .await?;
        let (known, is_early_on) = (rows.len(), page.games.iter().any(is_early));
        for row in page.games {
            // A game that ends between two pages moves the others on.
            if !is_early(&row) && rows.iter().all(|known| known.game_id != row.game_id) {
                rows.push(row);
            }
        }
        cursor = page.next_cursor.filter(|_| page.has_more);
        // A page without a new game ends the list, also if it names a further one.
        if is_early_on || rows.len() == known || rows.len() >= limit || cursor.is_none() {
            rows.truncate(limit);
            return Ok(rows);
        }
    }
}

fn show_bots(rows: &[LeaderboardRow], as_json: bool) {
    if as_json {
        for row in rows {
            say_data(bot_json(row).to_string());
        }
        return;
    }
    let mut table = TextTable::new(
        ["rank", "id", "bot", "rating", "games", "last game (UTC)"],
        [false, false, true, false, false, true],
    );
    for row in rows {
        table.row([
            or_dash(row.current_rank),
            row.bot_id.to_string(),
            or_dash(row.bot_name.as_ref()),
            or_dash(row.rating.map(|rating| format!("{rating:.1}"))),
            or_dash(row.total_games),
            or_dash(row.last_played_at.map(moment)),
        ]);
    }
    say(table.for_output());
}

fn show_games(rows: &[GameRow], as_json: bool) {
    if as_json {
        for row in rows {
            say_data(game_json(row).to_string());
        }
        return;
    }
    let heads = [
        "played (UTC)",
        "kind",
        "seat",
        "place",
        "points",
        "rating",
        "change",
        "trouble",
        "game",
    ];
    let mut table = TextTable::new(
        heads,
        [true, true, false, false, false, false, false, true, true],
    );
    for row in rows {
        let troubles = [
            (row.is_disconnected, "disconnected"),
            (row.is_penalized, "penalized"),
        ];
        let troubles: Vec<&str> = troubles
            .iter()
            .filter(|(is, _)| *is == Some(true))
            .map(|(_, word)| *word)
            .collect();
        table.row([
            or_dash(row.played_at.map(moment)),
            or_dash(row.game_type.as_ref()),
            row.seat.to_string(),
            or_dash(row.rank),
            or_dash(row.score.map(points)),
            or_dash(row.rating_before.map(|rating| format!("{rating:.1}"))),
            or_dash(row.rating_delta.map(|change| signed(change, 1))),
            if troubles.is_empty() {
                "-".to_owned()
            } else {
                troubles.join(", ")
            },
            row.game_id.clone(),
        ]);
    }
    say(table.for_output());
}

fn or_dash(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

/// A time to the second.
fn moment(at: PlayedAt) -> String {
    let (moment, (hour, minute, second)) = (at.moment(), at.moment().to_hms());
    format!("{} {hour:02}:{minute:02}:{second:02}", moment.date())
}

fn bot_json(row: &LeaderboardRow) -> Value {
    json!({
        "rank": row.current_rank,
        "id": row.bot_id,
        "name": row.bot_name.as_ref().map(ToString::to_string),
        "rating": row.rating,
        "games": row.total_games,
        "last_game": row.last_played_at.and_then(|at| at.moment().format(&Rfc3339).ok()),
    })
}

fn game_json(row: &GameRow) -> Value {
    json!({
        "game": row.game_id,
        "kind": row.game_type.as_ref().map(ToString::to_string),
        "players": row.player_count,
        "played": row.played_at.and_then(|at| at.moment().format(&Rfc3339).ok()),
        "seat": row.seat,
        "place": row.rank,
        "points": row.score,
        "rating_before": row.rating_before,
        "rating_change": row.rating_delta,
        "disconnected": row.is_disconnected,
        "penalized": row.is_penalized,
    })
}

/// Fetches the logs of a bot's newest games that are not in the folder yet.
async fn fetch(
    client: &LadderClient,
    bot: u64,
    count: usize,
    out: &Path,
    as_json: bool,
) -> anyhow::Result<ExitCode> {
    let rows = games(client, bot, None, count).await?;
    fs::create_dir_all(out)
        .with_context(|| format!("the folder {} cannot be made", out.display()))?;
    let dated = rows.iter().filter_map(|row| Some((row, row.played_at?)));
    let missing: Vec<(&GameRow, PlayedAt)> = dated
        .filter(|(row, at)| !file_of(out, row, *at).exists())
        .collect();
    let requests = missing.len() * REQUESTS_PER_GAME;
    let plan = format!(
        "{} of bot {bot}, {} here already: {requests} requests, at least {:.0} s; for your own use, not to be passed on",
        number_of(rows.len() as u64, "game"),
        rows.len() - missing.len(),
        requests as f64 * PAUSE_S
    );
    if as_json {
        note(plan);
    } else {
        say(plan);
    }
    let mut all_came = true;
    for (row, at) in missing {
        match fetch_one(client, row, at, out).await {
            Ok(file) if as_json => say_data(json!({"game": row.game_id, "file": file}).to_string()),
            Ok(file) => say(file),
            Err(error) => {
                note(format!("bot-runner: {}: {error:#}", row.game_id));
                all_came = false;
            }
        }
    }
    Ok(success(all_came))
}

fn file_of(out: &Path, row: &GameRow, at: PlayedAt) -> std::path::PathBuf {
    out.join(format!("{}-{}.jsonl", at.moment().date(), row.game_id))
}

/// Writes a game's log with its players' names; returns the file.
async fn fetch_one(
    client: &LadderClient,
    row: &GameRow,
    at: PlayedAt,
    out: &Path,
) -> anyhow::Result<String> {
    let game = client.game(&row.game_id).await?;
    let log = client.log(&row.game_id, at.moment().date()).await?;
    let file = file_of(out, row, at);
    let names = game.names(game.players.len().clamp(3, 4));
    match create(&file, with_names(&log, &names).as_bytes(), 0o666) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        written => written.with_context(|| format!("{} cannot be written", file.display()))?,
    }
    Ok(file.display().to_string())
}

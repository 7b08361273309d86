//! The paths of the interface and of the logs, as at RiichiLab.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Serialize;

use super::ArenaLadder;
use super::answers::{
    BoardAnswer, BotAnswer, GameAnswer, GoodAnswer, PageAnswer, RefusedAnswer, RowAnswer,
    StatsAnswer,
};
use super::folder::log_path;

/// Maximum number of rows of the leaderboard in one answer, and that of games.
const MAX_ROWS: usize = 100;
const MAX_GAMES: usize = 50;
/// The numbers without `limit`.
const DEFAULT_ROWS: usize = 50;
const DEFAULT_GAMES: usize = 20;
/// Number of games in a bot's profile.
const RECENT_GAMES: usize = 50;

type Parameters = HashMap<String, String>;

/// A request that gets no data.
struct RefusedRequest(StatusCode, String);

impl RefusedRequest {
    fn not_found(what: &str) -> Self {
        Self(StatusCode::NOT_FOUND, format!("{what} not found"))
    }
}

impl IntoResponse for RefusedRequest {
    fn into_response(self) -> Response {
        let Self(status, error) = self;
        (status, json(&RefusedAnswer { ok: false, error })).into_response()
    }
}

fn json(value: &impl Serialize) -> Response {
    let text = serde_json::to_string(value).unwrap_or_default();
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

fn data(data: impl Serialize) -> Response {
    json(&GoodAnswer { ok: true, data })
}

impl ArenaLadder {
    /// The interface of the ladder, for anyone: `/api/v1/…` and `/mjai-logs/…`.
    pub fn routes(self: Arc<Self>) -> Router {
        Router::new()
            .route("/api/v1/leaderboard", get(leaderboard))
            .route("/api/v1/bots/{id}", get(bot))
            .route("/api/v1/bots/{id}/stats", get(stats))
            .route("/api/v1/bots/{id}/games", get(games))
            .route("/api/v1/games/{id}", get(game))
            .route("/api/{*path}", get(unknown))
            .route("/mjai-logs/{year}/{month}/{day}/{file}", get(log))
            .with_state(self)
    }
}

type Book = State<Arc<ArenaLadder>>;

async fn unknown() -> RefusedRequest {
    RefusedRequest::not_found("Path")
}

async fn leaderboard(
    State(ladder): Book,
    Query(query): Query<Parameters>,
) -> Result<Response, RefusedRequest> {
    let limit = number(&query, "limit", DEFAULT_ROWS, 1)?.min(MAX_ROWS);
    let offset = number(&query, "offset", 0, 0)?;
    let board = ladder.board().into_iter().enumerate();
    let rows = board.skip(offset).take(limit);
    let rows: Vec<BoardAnswer> = rows
        .map(|(at, bot)| BoardAnswer::new(at + 1, bot))
        .collect();
    Ok(data(rows))
}

async fn bot(State(ladder): Book, Path(id): Path<String>) -> Result<Response, RefusedRequest> {
    let id = bot_id(&id)?;
    let (rank, bot) = ladder.bot(id).ok_or_else(no_bot)?;
    let recent = ladder.games_of(
        id,
        |_| true,
        |games| {
            let recent = games.iter().take(RECENT_GAMES);
            recent.filter_map(|game| RowAnswer::new(game, id)).collect()
        },
    );
    Ok(data(BotAnswer::new(rank, bot, recent.unwrap_or_default())))
}

async fn stats(State(ladder): Book, Path(id): Path<String>) -> Result<Response, RefusedRequest> {
    let (_, bot) = ladder.bot(bot_id(&id)?).ok_or_else(no_bot)?;
    Ok(data(StatsAnswer::new(bot.total_games, &bot.figures)))
}

async fn games(
    State(ladder): Book,
    Path(id): Path<String>,
    Query(query): Query<Parameters>,
) -> Result<Response, RefusedRequest> {
    let id = bot_id(&id)?;
    let limit = number(&query, "limit", DEFAULT_GAMES, 1)?.min(MAX_GAMES);
    let offset = number(&query, "offset", 0, 0)?;
    let text = |key| query.get(key).map_or("", String::as_str);
    let (first, last) = (text("date_from"), text("date_to"));
    let is_wanted = |date: time::Date| {
        let date = date.to_string();
        *date >= *first && (last.is_empty() || *date <= *last)
    };
    // A cursor counts from the oldest game, so that new ones do not move it.
    let older = match query.contains_key("cursor") {
        true => Some(number(&query, "cursor", 0, 0)?),
        false => None,
    };
    let page = ladder.games_of(id, is_wanted, |games| {
        let start = older.map_or(offset, |older| games.len().saturating_sub(older));
        let page = games.get(start..).unwrap_or_default();
        let rest = page.len().saturating_sub(limit);
        let rows = page.iter().take(limit);
        PageAnswer {
            total: games.len(),
            offset,
            limit,
            has_more: rest > 0,
            next_cursor: (rest > 0).then(|| rest.to_string()),
            games: rows.filter_map(|game| RowAnswer::new(game, id)).collect(),
        }
    });
    page.map(data).ok_or_else(no_bot)
}

async fn game(State(ladder): Book, Path(id): Path<String>) -> Result<Response, RefusedRequest> {
    let game = ladder.game(&id);
    let game = game.ok_or_else(|| RefusedRequest::not_found("Game"))?;
    Ok(data(GameAnswer::new(game)))
}

/// A log. Its address has the date of the game.
async fn log(
    State(ladder): Book,
    Path((year, month, day, file)): Path<(String, String, String, String)>,
) -> Response {
    let none = || (StatusCode::NOT_FOUND, "Not found\n").into_response();
    let Some(id) = file.strip_suffix(".jsonl.gz").map(str::to_owned) else {
        return none();
    };
    let asked = format!("{year}/{month}/{day}/{file}");
    let game = ladder.game(&id);
    if game.is_none_or(|game| log_path(&game.id, game.played_at.date()) != asked) {
        return none();
    }
    match tokio::task::spawn_blocking(move || ladder.log(&id)).await {
        Ok(Some(Ok(log))) => ([(header::CONTENT_TYPE, "application/gzip")], log).into_response(),
        Ok(None) => none(),
        Ok(Some(Err(error))) => {
            tracing::warn!(%error, "a log cannot be read");
            none()
        }
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

fn bot_id(text: &str) -> Result<u64, RefusedRequest> {
    text.parse().map_err(|_| no_bot())
}

fn no_bot() -> RefusedRequest {
    RefusedRequest::not_found("Bot")
}

/// A number of the query.
fn number(
    query: &Parameters,
    key: &str,
    default: usize,
    least: usize,
) -> Result<usize, RefusedRequest> {
    let Some(text) = query.get(key) else {
        return Ok(default);
    };
    let digits = text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.then(|| text.parse().ok()).flatten();
    number.filter(|number| *number >= least).ok_or_else(|| {
        RefusedRequest(
            StatusCode::BAD_REQUEST,
            format!("Invalid {key}: a number from {least} on is allowed"),
        )
    })
}

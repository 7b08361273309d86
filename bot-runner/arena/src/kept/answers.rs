//! The answers of the interface, in the form of RiichiLab's.

use serde::Serialize;
use time::OffsetDateTime;

use super::rating::Skill;
use super::{KeptGame, LadderBot, SeatFigures};

/// `{"ok":true,"data":…}`
#[derive(Debug, Serialize)]
pub(super) struct GoodAnswer<T> {
    pub(super) ok: bool,
    pub(super) data: T,
}

/// `{"ok":false,"error":…}`
#[derive(Debug, Serialize)]
pub(super) struct RefusedAnswer {
    pub(super) ok: bool,
    pub(super) error: String,
}

#[derive(Debug, Serialize)]
pub(super) struct BoardAnswer {
    bot_id: u64,
    bot_name: String,
    rating: f64,
    total_games: usize,
    last_played_at: Option<String>,
    current_rank: usize,
}

impl BoardAnswer {
    pub(super) fn new(rank: usize, bot: LadderBot) -> Self {
        Self {
            bot_id: bot.id,
            rating: bot.skill.rating(),
            total_games: bot.total_games,
            last_played_at: bot.last_played_at.map(clock),
            current_rank: rank,
            bot_name: bot.name,
        }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct BotAnswer {
    id: u64,
    name: String,
    rating: f64,
    total_games: usize,
    last_played_at: Option<String>,
    current_rank: usize,
    recent_games: Vec<RowAnswer>,
}

impl BotAnswer {
    pub(super) fn new(rank: usize, bot: LadderBot, recent_games: Vec<RowAnswer>) -> Self {
        Self {
            id: bot.id,
            rating: bot.skill.rating(),
            total_games: bot.total_games,
            last_played_at: bot.last_played_at.map(clock),
            current_rank: rank,
            name: bot.name,
            recent_games,
        }
    }
}

/// A game, from the point of view of one of its bots.
#[derive(Debug, Serialize)]
pub(super) struct RowAnswer {
    game_id: String,
    game_type: &'static str,
    player_count: usize,
    played_at: String,
    seat: usize,
    rank: u8,
    score: i32,
    rating_before: f64,
    rating_delta: f64,
    mu_before: f64,
    is_disconnected: bool,
    is_penalized: bool,
}

/// The type of all games that are kept.
const RANKED: &str = "ranked";

impl RowAnswer {
    /// `None` if the bot did not play it.
    pub(super) fn new(game: &KeptGame, bot: u64) -> Option<Self> {
        let seat = game.seats.iter().position(|seat| seat.bot == bot)?;
        let own = &game.seats[seat];
        let Skill { mu, .. } = own.before;
        Some(Self {
            game_id: game.id.clone(),
            game_type: RANKED,
            player_count: game.seats.len(),
            played_at: clock(game.played_at),
            seat,
            rank: own.place,
            score: own.score,
            rating_before: own.before.rating(),
            rating_delta: own.rating_change(),
            mu_before: (mu * 10_000.0).round() / 10_000.0,
            is_disconnected: own.disconnected,
            is_penalized: own.penalized,
        })
    }
}

#[derive(Debug, Serialize)]
pub(super) struct PageAnswer {
    pub(super) total: usize,
    pub(super) offset: usize,
    pub(super) limit: usize,
    pub(super) has_more: bool,
    pub(super) next_cursor: Option<String>,
    pub(super) games: Vec<RowAnswer>,
}

#[derive(Debug, Serialize)]
pub(super) struct GameAnswer {
    id: String,
    game_type: &'static str,
    player_count: usize,
    played_at: String,
    players: Vec<PlayerAnswer>,
}

#[derive(Debug, Serialize)]
struct PlayerAnswer {
    seat: usize,
    bot_id: u64,
    bot_name: String,
    is_disconnected: bool,
    is_penalized: bool,
}

impl GameAnswer {
    pub(super) fn new(game: KeptGame) -> Self {
        Self {
            player_count: game.seats.len(),
            played_at: clock(game.played_at),
            game_type: RANKED,
            players: game
                .seats
                .into_iter()
                .enumerate()
                .map(|(seat, player)| PlayerAnswer {
                    seat,
                    bot_id: player.bot,
                    bot_name: player.name,
                    is_disconnected: player.disconnected,
                    is_penalized: player.penalized,
                })
                .collect(),
            id: game.id,
        }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct StatsAnswer {
    total_games: usize,
    total_kyoku: u64,
    ryukyoku_count: u64,
    riichi_count: u64,
    agari_count: u64,
    agari_points_sum: i64,
    tsumo_count: u64,
    houju_count: u64,
    houju_points_sum: i64,
    furo_kyoku_count: u64,
    tobi_count: u64,
}

impl StatsAnswer {
    pub(super) const fn new(total_games: usize, figures: &SeatFigures) -> Self {
        Self {
            total_games,
            total_kyoku: figures.rounds,
            ryukyoku_count: figures.draws,
            riichi_count: figures.riichi,
            agari_count: figures.wins,
            agari_points_sum: figures.won,
            tsumo_count: figures.self_draws,
            houju_count: figures.deal_ins,
            houju_points_sum: figures.lost,
            furo_kyoku_count: figures.called,
            tobi_count: figures.busts,
        }
    }
}

/// `2026-11-29 10:20:30`: UTC, without a zone.
fn clock(moment: OffsetDateTime) -> String {
    let (hour, minute, second) = moment.to_hms();
    format!("{} {hour:02}:{minute:02}:{second:02}", moment.date())
}

//! The pages of an arena's ladder.

use std::io::Read;
use std::sync::Arc;

use arena::{ArenaLadder, EventSettings, KeptGame, LadderBot, RunningTable, standings};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use flate2::read::GzDecoder;
use protocol::{Parsed, parse_event};
use riichi::Event;
use time::OffsetDateTime;
use tokio::sync::Semaphore;
use view::page::{ListCell, ListPage, ListTable, Page, Walk};

use super::super::table::{points, signed};
use super::event::standing_cells;

/// Number of games on a page of games.
const GAMES_ON_PAGE: usize = 200;
/// Maximum number of pages that are drawn at once: games need the processor more.
const MAX_DRAWN: usize = 1;

#[derive(Debug, Clone)]
struct Pages {
    ladder: Arc<ArenaLadder>,
    event: Option<EventSettings>,
    room: Arc<Semaphore>,
}

/// The pages of a ladder, and of its event.
pub(super) fn ladder_pages(ladder: Arc<ArenaLadder>, event: Option<EventSettings>) -> Router {
    let room = Arc::new(Semaphore::new(MAX_DRAWN));
    Router::new()
        .route("/", get(board))
        .route("/bots/{id}", get(bot))
        .route("/games/{id}", get(game))
        .route("/tables/{number}", get(table))
        .fallback(|| async { (StatusCode::NOT_FOUND, "no such page\n") })
        .with_state(Pages {
            ladder,
            event,
            room,
        })
}

impl Pages {
    /// Draws a page on a thread that does not play.
    async fn draw(
        self,
        draw: impl FnOnce(&ArenaLadder, Option<&EventSettings>) -> Option<String> + Send + 'static,
    ) -> Response {
        let Ok(_room) = self.room.clone().acquire_owned().await else {
            return StatusCode::INTERNAL_SERVER_ERROR.into_response();
        };
        let drawn =
            tokio::task::spawn_blocking(move || draw(&self.ladder, self.event.as_ref())).await;
        match drawn {
            Ok(Some(html)) => Html(html).into_response(),
            Ok(None) => (StatusCode::NOT_FOUND, "no such page\n").into_response(),
            Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        }
    }
}

async fn board(State(pages): State<Pages>) -> Response {
    let draw = |ladder: &ArenaLadder, event: Option<&EventSettings>| {
        let mut tables = Vec::new();
        if let Some(event) = event {
            tables.push(standing(ladder, event));
        }
        tables.push(running(&ladder.running_tables()));
        tables.push(leaderboard(ladder.board()));
        tables.push(games(&ladder.newest_games(GAMES_ON_PAGE)));
        let title = event.map_or("Ladder", |event| &event.name).to_owned();
        Some(
            ListPage {
                title,
                home: false,
                tables,
            }
            .html(),
        )
    };
    pages.draw(draw).await
}

async fn bot(State(pages): State<Pages>, Path(id): Path<u64>) -> Response {
    let draw = move |ladder: &ArenaLadder, _: Option<&EventSettings>| {
        let (rank, bot) = ladder.bot(id)?;
        let games = ladder.games_of(id, |_| true, |games| bot_games(id, games))?;
        let (title, mut tables) = (bot.name.clone(), vec![bot_table(rank, bot)]);
        tables.push(games);
        Some(
            ListPage {
                title,
                home: true,
                tables,
            }
            .html(),
        )
    };
    pages.draw(draw).await
}

async fn game(State(pages): State<Pages>, Path(id): Path<String>) -> Response {
    let draw = move |ladder: &ArenaLadder, _: Option<&EventSettings>| {
        let game = ladder.game(&id)?;
        let mut text = String::new();
        let log = ladder.log(&id)?.ok()?;
        GzDecoder::new(&log[..]).read_to_string(&mut text).ok()?;
        let events: Vec<Event> = text.lines().filter_map(event_of).collect();
        let names: Vec<String> = game.seats.iter().map(|seat| seat.name.clone()).collect();
        let title = format!("{}: {}", clock(game.played_at), names.join(" · "));
        let changes = game.seats.iter().map(|seat| {
            let change = signed(seat.rating_change(), 1);
            format!("{} {:.1} ({change})", seat.name, seat.after.rating())
        });
        let facts = vec![
            ("game".to_owned(), game.id.clone()),
            ("ratings".to_owned(), changes.collect::<Vec<_>>().join(", ")),
        ];
        game_page(title, facts, &events, &names)
    };
    pages.draw(draw).await
}

async fn table(State(pages): State<Pages>, Path(number): Path<u64>) -> Response {
    let draw = move |ladder: &ArenaLadder, _: Option<&EventSettings>| {
        let table = ladder.running_table(number)?;
        let title = format!("game {number}: {}", table.names.join(" · "));
        let rounds = "The rounds that are over. The next one follows when it is over.".to_owned();
        game_page(
            title,
            vec![("shown".to_owned(), rounds)],
            &table.events,
            &table.names,
        )
    };
    pages.draw(draw).await
}

fn event_of(line: &str) -> Option<Event> {
    match parse_event(line) {
        Ok(Parsed::Event(event)) => Some(event),
        _ => None,
    }
}

/// A game with all hands; `None` before the first round is over.
fn game_page(
    title: String,
    facts: Vec<(String, String)>,
    events: &[Event],
    names: &[String],
) -> Option<String> {
    let mut walk = Walk::riichi(events, names, false)?;
    events.iter().all(|event| walk.hear(event));
    let page = walk.into_page();
    let facts = [facts, page.facts].concat();
    Some(
        Page {
            title,
            facts,
            ..page
        }
        .html(),
    )
}

fn standing(ladder: &ArenaLadder, event: &EventSettings) -> ListTable {
    let played = ladder.event_games();
    let rows = standings(event, &played);
    let rows = rows.iter().enumerate();
    ListTable {
        title: format!("Standing after {} of {} games", played.len(), event.games),
        heads: vec!["rank", "bot", "games", "place", "95 %", "points", "trouble"],
        rows: rows
            .map(|(index, row)| standing_cells(index, row).map(ListCell::text).to_vec())
            .collect(),
    }
}

fn running(tables: &[RunningTable]) -> ListTable {
    let row = |table: &RunningTable| {
        let names = table.names.join(", ");
        let players = if table.events.is_empty() {
            ListCell::text(names)
        } else {
            ListCell::link(names, format!("/tables/{}", table.number))
        };
        vec![
            ListCell::text(table.number.to_string()),
            players,
            ListCell::text(table.rounds.to_string()),
        ]
    };
    ListTable {
        title: "Games that are played now".to_owned(),
        heads: vec!["game", "players", "rounds that are over"],
        rows: tables.iter().map(row).collect(),
    }
}

fn leaderboard(bots: Vec<LadderBot>) -> ListTable {
    let row = |(index, bot): (usize, LadderBot)| {
        let last = bot.last_played_at.map_or_else(|| "-".to_owned(), clock);
        vec![
            ListCell::text((index + 1).to_string()),
            ListCell::link(bot.name, format!("/bots/{}", bot.id)),
            ListCell::text(bot.id.to_string()),
            ListCell::text(format!("{:.1}", bot.skill.rating())),
            ListCell::text(bot.total_games.to_string()),
            ListCell::text(last),
        ]
    };
    ListTable {
        title: "Leaderboard".to_owned(),
        heads: vec!["rank", "bot", "id", "rating", "games", "last game (UTC)"],
        rows: bots.into_iter().enumerate().map(row).collect(),
    }
}

fn bot_table(rank: usize, bot: LadderBot) -> ListTable {
    let figures = bot.figures;
    let share = |count: u64| match figures.rounds {
        0 => "-".to_owned(),
        rounds => format!("{:.1} %", count as f64 * 100.0 / rounds as f64),
    };
    let cells = [
        rank.to_string(),
        bot.id.to_string(),
        format!("{:.1}", bot.skill.rating()),
        bot.total_games.to_string(),
        share(figures.wins),
        share(figures.deal_ins),
        share(figures.riichi),
        share(figures.called),
    ];
    ListTable {
        title: "Bot".to_owned(),
        heads: vec![
            "rank", "id", "rating", "games", "wins", "deal-ins", "riichi", "calls",
        ],
        rows: vec![cells.map(ListCell::text).to_vec()],
    }
}

fn bot_games(bot: u64, games: &[&KeptGame]) -> ListTable {
    let row = |game: &&KeptGame| {
        let own = game.seats.iter().find(|seat| seat.bot == bot)?;
        let others = game.seats.iter().filter(|seat| seat.bot != bot);
        let others: Vec<&str> = others.map(|seat| &*seat.name).collect();
        let trouble = match (own.disconnected, own.penalized) {
            (true, true) => "disconnected, penalized",
            (true, false) => "disconnected",
            (false, true) => "penalized",
            (false, false) => "-",
        };
        Some(vec![
            ListCell::link(clock(game.played_at), format!("/games/{}", game.id)),
            ListCell::text(own.place.to_string()),
            ListCell::text(points(own.score)),
            ListCell::text(format!("{:.1}", own.before.rating())),
            ListCell::text(signed(own.rating_change(), 1)),
            ListCell::text(others.join(", ")),
            ListCell::text(trouble.to_owned()),
        ])
    };
    ListTable {
        title: format!("The newest of {} games", games.len()),
        heads: vec![
            "played (UTC)",
            "place",
            "points",
            "rating",
            "change",
            "opponents",
            "trouble",
        ],
        rows: games.iter().take(GAMES_ON_PAGE).filter_map(row).collect(),
    }
}

fn games(games: &[KeptGame]) -> ListTable {
    let row = |game: &KeptGame| {
        let mut seats: Vec<_> = game.seats.iter().collect();
        seats.sort_by_key(|seat| seat.place);
        let seats = seats.iter();
        let result: Vec<String> = seats
            .map(|seat| format!("{} {}", seat.name, points(seat.score)))
            .collect();
        vec![
            ListCell::link(clock(game.played_at), format!("/games/{}", game.id)),
            ListCell::text(result.join(", ")),
        ]
    };
    ListTable {
        title: "The newest games".to_owned(),
        heads: vec!["played (UTC)", "result"],
        rows: games.iter().map(row).collect(),
    }
}

fn clock(moment: OffsetDateTime) -> String {
    let (hour, minute, second) = moment.to_hms();
    format!("{} {hour:02}:{minute:02}:{second:02}", moment.date())
}

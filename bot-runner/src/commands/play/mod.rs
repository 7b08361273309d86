//! `play`: games on the embedded arena, on a real socket of this machine.

mod bots;
mod judged;
mod open_table;
mod person;
mod records;
mod rounds;

use std::io;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use arena::{
    ArenaPlayer, ArenaSettings, FinishedGame, RegisteredBot, RegistrationState, SeatResult,
    TimeControl, Tokens, seats_of,
};
use client::board::Board;
use client::bot::{Arena, Bot, BotEvent, BotReport, LiveRound, NamedBotEvent, Patience};
use client::decision_note::DecisionNote;
use client::place::{complete, short};
use client::shutdown::Shutdown;
use client::{ArenaUrl, Token, random_secret};
use config::RawConfig;
use outbound::{Authorities, reach_directly};
use riichi::rules::Length;
use riichi::{Rules, Seat};
use tokio::sync::mpsc;

use self::judged::play_judged;
use self::open_table::OpenTable;
use self::person::pace;
pub(super) use self::records::DECISIONS;
use self::rounds::game_lines;
use super::entrants::game_of;
use super::run::{print_trouble, stop_words};
use super::success;
use super::table::{TextTable, points};
use super::words::library_cell;
use crate::cli::PlayArgs;
use doudizhu::DouDizhuGame;
use fleet::{CommandFiles, EndedBot, ReadyBot, RunningBots, live};
use lab_stats::{SeatCounter, SeatCounts};
use mcr::McrGame;
use policy_host::{GameKind, Origin};
use say::output::say;
use view::person::PersonSeat;
use view::web::RecentLog;

/// The bank of a table with a person, whose limit is that of the seat's policy.
const MAX_BANK: Duration = Duration::from_secs(7 * 24 * 3600);

/// Plays games between the bots of the configs.
///
/// # Errors
///
/// If a config is wrong, a policy does not start, or a record cannot be written.
pub async fn play(mut args: PlayArgs, log: Option<RecentLog>) -> anyhow::Result<ExitCode> {
    (args.configs, args.record) = (complete(args.configs), complete(args.record).pop());
    let raw: Vec<RawConfig> = args
        .configs
        .iter()
        .map(|file| RawConfig::load(file))
        .collect();
    let game = game_of(args.game, &raw, files_of(&args));
    if args.length.is_some() {
        require_riichi(game)?;
    }
    match game {
        GameKind::Riichi => play_on_arena(args, raw, log).await,
        GameKind::Mcr => play_judged::<McrGame>(args, raw, log).await,
        GameKind::DouDizhu => play_judged::<DouDizhuGame>(args, raw, log).await,
    }
}

/// Refuses `--length` for another game than riichi.
pub(super) fn require_riichi(game: GameKind) -> anyhow::Result<()> {
    if game != GameKind::Riichi {
        bail!("--length is for games of riichi; a game of {game} is one hand: leave it out");
    }
    Ok(())
}

/// The files that the options name, from which policies are kept.
fn files_of(args: &PlayArgs) -> CommandFiles {
    let stored = args
        .record
        .clone()
        .into_iter()
        .map(|folder| (folder, "--record"));
    CommandFiles {
        stored: stored.collect(),
        ..args.page.files()
    }
}

async fn play_on_arena(
    args: PlayArgs,
    raw: Vec<RawConfig>,
    log: Option<RecentLog>,
) -> anyhow::Result<ExitCode> {
    let length = args.length.map_or(Length::Half, Length::from);
    let mut table = OpenTable::prepare(args, raw, GameKind::Riichi)?;
    let shutdown = Shutdown::new();
    shutdown.listen(|step| say(stop_words(step)))?;
    let policies = table.open(log, seed_of_bot, &shutdown).await?;
    let (players, seed, games) = (table.players, table.seed, table.args.games);
    let mut records = table.records.take();

    let tokens = table
        .bots
        .iter()
        .map(|_| random_secret())
        .collect::<io::Result<Vec<String>>>();
    let tokens = tokens.context("the bots have no tokens for the embedded arena")?;
    let mut arena = arena::start(ArenaSettings {
        seed,
        players,
        length,
        pace: pace(&table.args),
        time: if table.person.is_some() {
            TimeControl {
                bank_ms: MAX_BANK.as_millis() as u64,
                ..TimeControl::default()
            }
        } else {
            TimeControl::default()
        },
        tokens: Tokens::Listed(
            table
                .bots
                .iter()
                .zip(&tokens)
                .map(|(bot, token)| RegisteredBot {
                    token: token.as_str().into(),
                    name: bot.config.name.clone(),
                    state: RegistrationState::Active,
                })
                .collect(),
        ),
        table_of: in_seating_order(&tokens, &table.args, seed, players)
            .map(|token| token.as_str().into())
            .collect(),
        ..ArenaSettings::default()
    })
    .await
    .context("the embedded arena does not start")?;
    reach_directly(arena.local_addr());
    let url = ArenaUrl::parse(&arena.url())?;

    let (news, told) = mpsc::unbounded_channel();
    let mut running = RunningBots::default();
    for (index, ((ready, token), mut bot_policy)) in
        table.bots.iter().zip(&tokens).zip(policies).enumerate()
    {
        let sits = table.person_seat().filter(|_| index == 0);
        if records.is_some() && index < table.own && sits.is_none() {
            bot_policy.keep_notes();
        }
        let bot = Bot {
            name: ready.config.name.as_str().into(),
            arena: Arena::Riichilab {
                url: url.clone(),
                token: Token::new(token)?,
                authorities: Authorities::default(),
            },
            rules: Rules::TENHOU_HALF.with_players(players).with_length(length),
            turn: None,
            records: None,
            results: None,
            permits: None,
            patience: Patience::default(),
            // Otherwise the others would wait for it forever.
            plays_while_set_aside: true,
            news: news.clone(),
        };
        let mut report = BotReport::default();
        report.live.round = match (&table.person, sits) {
            (None, _) => table.has_page().then(LiveRound::default),
            // A person may not see the hands of the bots on their page.
            (Some(_), None) => None,
            (Some(_), Some(seat)) => Some(seat.round().clone()),
        };
        table
            .board
            .enter(&bot.name, bot.arena.to_string(), report.live.clone());
        running.spawn(
            ready.config.name.clone(),
            live(bot, bot_policy, report, Some(games), shutdown.clone()),
        );
    }
    drop(news);
    let live_table = table.live();
    let (decided, mut decisions) = mpsc::unbounded_channel();
    let printer = tokio::spawn(print_news(
        table.board.clone(),
        told,
        decided,
        table.person_seat().cloned(),
    ));

    let (mut ends, mut played) = (Vec::new(), Vec::new());
    // A game's result may come a moment after its bots have gone.
    while ends.len() < table.bots.len() || played.len() < games_played(&ends) {
        tokio::select! {
            Some(ended) = running.next_end() => ends.push(ended),
            Some((bot, notes)) = decisions.recv(), if records.is_some() => {
                if let Some(records) = &mut records {
                    records.decided(bot, notes)?;
                }
            }
            Some(game) = arena.finished() => {
                // All lines of a game at once, when it is over, so that no other lines of bots come
                // between them.
                let mut lines = game_lines(&game.events, &game.seats);
                if games > 1 {
                    lines.insert(0, format!("\ngame {} of {}", game.number, games));
                }
                if let Some(records) = &mut records {
                    lines.push(format!("record: {}", short(&records.write(game.number, &game.record)?).display()));
                }
                say(lines.join("\n"));
                played.push(Played { counts: counts_of(&game), seats: game.seats });
            }
            else => break,
        }
    }
    printer.await?;
    while let (Some((bot, notes)), Some(records)) = (decisions.recv().await, &mut records) {
        records.decided(bot, notes)?;
    }
    arena.stop().await;
    let result = (!played.is_empty())
        .then(|| result_table(&played, &table.bots, &ends, table.person.is_some()).for_output());
    table.end(live_table, result);
    for ended in &ends {
        print_trouble(&ended.name, &ended.report);
        if let Some(why) = ended.end.trouble() {
            say(format!("{}: {why}", ended.name));
        }
    }
    Ok(success(
        played.len() == games as usize || shutdown.is_finishing(),
    ))
}

/// Number of games that some bot has seen the end of.
fn games_played(ends: &[EndedBot]) -> usize {
    ends.iter()
        .map(|ended| ended.report.games() as usize)
        .max()
        .unwrap_or(0)
}

/// The seed of one bot's randomness: the bots of a game differ, and the same seed gives the same
/// again.
const fn seed_of_bot(seed: u64, index: usize) -> u64 {
    seed ^ (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Says what troubles a bot, passes decisions on, and tells the person who sits where.
async fn print_news(
    board: Board,
    mut told: mpsc::UnboundedReceiver<NamedBotEvent>,
    decided: mpsc::UnboundedSender<(String, Vec<Arc<DecisionNote>>)>,
    person: Option<PersonSeat>,
) {
    while let Some(NamedBotEvent { bot, event, .. }) = told.recv().await {
        board.note(&bot, &event);
        if let (Some(person), BotEvent::Started(seat)) = (&person, &event) {
            person.sits(seat.index(), &bot);
        }
        match event {
            // No receiver is left after the games have failed.
            BotEvent::Decided(notes) => drop(decided.send((bot.to_string(), notes))),
            BotEvent::Dropped(why) => say(format!("{bot}: lost sight of the game: {why}")),
            BotEvent::Waiting { reason, wait } => {
                say(format!(
                    "{bot}: {reason}; next attempt in {} s",
                    wait.as_secs()
                ));
            }
            _ => {}
        }
    }
}

/// The subject of a line in the result table: a bot by its place among the configs, or a bot of the
/// arena that fills a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    Bot(usize),
    Filler(usize),
}

/// The summary of a game, whose record is long.
#[derive(Debug)]
struct Played {
    seats: Vec<SeatResult>,
    counts: Vec<SeatCounts>,
}

/// The result of one player over all games.
#[derive(Debug)]
struct PlayerResult {
    who: Who,
    counts: SeatCounts,
}

impl PlayerResult {
    /// A sum over all games as an average.
    fn average(&self, sum: f64) -> f64 {
        sum / self.counts.places.iter().sum::<u64>().max(1) as f64
    }

    fn average_place(&self) -> f64 {
        self.average(self.counts.place_sum() as f64)
    }
}

/// The players, the best first.
fn players_of(games: &[Played], bots: &[ReadyBot]) -> Vec<PlayerResult> {
    let mut players: Vec<PlayerResult> = Vec::new();
    for game in games {
        let mut fillers = 0..;
        for (result, counts) in game.seats.iter().zip(&game.counts) {
            let bot = bots.iter().position(|bot| {
                result.player == ArenaPlayer::Client && bot.config.name == result.name
            });
            let who = bot.map_or_else(|| Who::Filler(fillers.next().unwrap_or_default()), Who::Bot);
            match players.iter_mut().find(|player| player.who == who) {
                Some(player) => player.counts.add(counts),
                None => players.push(PlayerResult {
                    who,
                    counts: counts.clone(),
                }),
            }
        }
    }
    players.sort_by(|one, other| {
        one.average_place()
            .total_cmp(&other.average_place())
            .then(other.counts.points.cmp(&one.counts.points))
    });
    players
}

/// The bots to name at the arena, in the order in which they are seated. The person, the first of
/// all, gets the requested seat in the first game.
fn in_seating_order<'t, T>(
    all: &'t [T],
    args: &PlayArgs,
    seed: u64,
    players: u8,
) -> impl Iterator<Item = &'t T> {
    let mut order: Vec<&T> = all.iter().collect();
    let wanted = args.seat.and_then(|seat| Seat::at(seat.into()));
    let place = wanted.and_then(|wanted| {
        let seats = seats_of(seed, 1, players);
        seats.iter().position(|&seat| seat == wanted)
    });
    if let Some(place) = place.filter(|&place| place < order.len()) {
        order.swap(0, place);
    }
    order.into_iter()
}

/// The first bot is a person if `person` is set.
fn result_table(
    games: &[Played],
    bots: &[ReadyBot],
    ends: &[EndedBot],
    person: bool,
) -> TextTable<9> {
    let one = games.len() == 1;
    let heading = if one {
        [
            "place", "bot", "policy", "library", "score", "wins", "deal-ins", "riichi", "called",
        ]
    } else {
        [
            "avg place",
            "bot",
            "policy",
            "library",
            "avg score",
            "wins",
            "deal-ins",
            "riichi",
            "called",
        ]
    };
    let mut table = TextTable::new(
        heading,
        [false, true, true, true, false, false, false, false, false],
    )
    .keyed_by(2);
    // The one that decided last: another than at the start, if it was swapped.
    let last = |bot: &ReadyBot| {
        let ended = ends.iter().find(|ended| ended.name == bot.config.name);
        let policy = ended.and_then(|ended| ended.report.policy.clone());
        policy.unwrap_or_else(|| Arc::new(bot.policy.identity()))
    };
    let libraries: Vec<Origin> = bots.iter().map(|bot| last(bot).library.clone()).collect();
    for player in players_of(games, bots) {
        let counts = &player.counts;
        let (name, policy, library) = match player.who {
            Who::Bot(0) if person => (
                bots[0].config.name.clone(),
                "a person".to_owned(),
                "-".to_owned(),
            ),
            Who::Bot(index) => {
                let (bot, last) = (&bots[index], last(&bots[index]));
                (
                    bot.config.name.clone(),
                    last.words(),
                    library_cell(&last.library, &libraries),
                )
            }
            Who::Filler(_) => (
                "tsumogiri".to_owned(),
                "-".to_owned(),
                "the arena's".to_owned(),
            ),
        };
        table.row([
            if one {
                counts.place_sum().to_string()
            } else {
                format!("{:.2}", player.average_place())
            },
            name,
            policy,
            library,
            points(player.average(counts.points as f64).round() as i32),
            counts.wins.to_string(),
            counts.deal_ins.to_string(),
            counts.riichi.to_string(),
            counts.called.to_string(),
        ]);
    }
    table
}

fn counts_of(game: &FinishedGame) -> Vec<SeatCounts> {
    let mut counter = SeatCounter::new(game.seats.len() as u8);
    game.events.iter().for_each(|event| counter.count(event));
    for ((_, counts), result) in counter.seats.iter_mut().zip(&game.seats) {
        counts.places[usize::from(result.rank) - 1] = 1;
        counts.points = result.score.into();
    }
    counter.seats.as_slice().to_vec()
}

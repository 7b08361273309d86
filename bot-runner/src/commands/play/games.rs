//! The games of `play`: on one thread, by the rules of each game, with policies that outlive them.

use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use client::place::short;
use client::shutdown::Shutdown;
use config::RawConfig;
use lab::game::{GameId, GameNews, SeatPlayer, play};
use lab::tournament::counts_of;
use lab_stats::SeatCounter;
use protocol::game_record::LineForm;
use riichi::EventOf;
use say::output::say;
use tokio::runtime::Handle;
use tracing::error_span;
use view::page::seat_name;
use view::web::RecentLog;

use super::super::game_pages::{ShownBots, ShownRounds, ToldNews};
use super::super::run::print_trouble;
use super::super::success;
use super::super::work::StoppableWork;
use super::game_words::{EndedGame, PlayableGame, SeatOrder};
use super::lines::GameLines;
use super::open_table::OpenTable;
use super::person::EventPace;
use super::records::Records;
use super::results::{PlayerTotals, Totals};
use super::same_wall::{SameWalls, WallToReplay};
use super::seats::{PlaysBy, Seats, TableBot};
use crate::cli::PlayArgs;

/// Plays games between the bots of the configs and reports each.
///
/// # Errors
///
/// If a config is wrong, a policy does not start, or a record cannot be written.
pub(super) async fn play_games<G: PlayableGame<Rules: 'static> + 'static>(
    args: PlayArgs,
    raw: Vec<RawConfig>,
    log: Option<RecentLog>,
) -> anyhow::Result<ExitCode> {
    let mut table = OpenTable::prepare(args, raw, G::KIND)?;
    let work = StoppableWork::listen("")?;
    let policies = table.open(log, work.shutdown()).await?;
    let bots: Vec<TableBot> = table
        .bots
        .iter()
        .zip(policies)
        .enumerate()
        .map(|(index, (bot, policy))| {
            let plays_by = match (index, &table.person) {
                (0, Some(_)) => PlaysBy::Person,
                (index, _) if index < table.own => PlaysBy::Config,
                _ => PlaysBy::Fill,
            };
            TableBot::new::<G>(bot, policy, plays_by)
        })
        .collect();
    let shown = bots.iter().map(|bot| (bot.name.as_str(), bot.identity()));
    let rounds = ShownRounds::of(table.has_page(), table.person_seat());
    let shown = ShownBots::enter(table.board.clone(), (G::KIND, G::PLACE), shown, rounds);
    let live = table.live();
    let empty = usize::from(table.players).saturating_sub(bots.len());
    let players = bots.iter().map(|bot| match bot.plays_by {
        PlaysBy::Person => PlayerTotals::of_person(&bot.name),
        PlaysBy::Config | PlaysBy::Fill => PlayerTotals::of_bot(&bot.name, bot.identity()),
    });
    let safe = (0..empty).map(|_| PlayerTotals::of_safe_seat(G::SAFE_SEAT));
    let totals = SharedTotals(Arc::new(Mutex::new(Totals {
        played: 0,
        players: players.chain(safe).collect(),
    })));
    let mut games = HostedGames {
        same_walls: table.same_walls(&bots),
        bots,
        runtime: Handle::current(),
        shutdown: work.shutdown().clone(),
        shown,
        records: table.records.take(),
        rules: G::rules(table.players, &table.args),
        seating: SeatOrder {
            seed: table.seed,
            players: table.players.into(),
            first_seat: table.args.seat.map(usize::from),
        },
        pace: EventPace::of(&table.args),
        totals: totals.clone(),
    };
    let wanted = u64::from(table.args.games);
    let ended = work
        .run(move |stop| {
            let goes_on = || !stop.load(Ordering::Relaxed);
            for number in (1..=wanted).take_while(|_| goes_on()) {
                games.play::<G>(number, wanted)?;
                // A page shows how it ended before the next one begins.
                if number < wanted && goes_on() {
                    thread::sleep(games.pace.at(&games.bots));
                }
            }
            games.end(goes_on);
            anyhow::Ok(())
        })
        .await?;
    let totals = totals.lock();
    let result = (totals.played > 0).then(|| totals.table(G::KIND));
    table.end(live, result);
    for player in &totals.players {
        print_trouble(player.name(), &player.report);
        player.say_takeover();
    }
    ended.transpose()?;
    Ok(success(
        totals.played == wanted || work.shutdown().is_finishing(),
    ))
}

/// The totals, which the games change and the last words read.
#[derive(Clone)]
struct SharedTotals(Arc<Mutex<Totals>>);

impl SharedTotals {
    fn lock(&self) -> MutexGuard<'_, Totals> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The state for playing the games in sequence.
struct HostedGames<R> {
    bots: Vec<TableBot>,
    runtime: Handle,
    shutdown: Shutdown,
    shown: ShownBots,
    records: Option<Records>,
    rules: R,
    seating: SeatOrder,
    pace: EventPace,
    totals: SharedTotals,
    same_walls: Option<SameWalls>,
}

impl<R: Copy + 'static> HostedGames<R> {
    /// Plays a game, and says how it ended.
    fn play<G: PlayableGame<Rules = R> + 'static>(
        &mut self,
        number: u64,
        games: u64,
    ) -> anyhow::Result<()> {
        let players = G::players_at(&self.seating, number);
        let seats = Seats {
            bots: &self.bots,
            players: &players,
        };
        for bot in &self.bots {
            let _span = error_span!("bot", bot = bot.name).entered();
            self.runtime.block_on(bot.policy.borrow_mut().begin_game());
        }
        let names = seats
            .all()
            .map(|bot| bot.map_or(G::SAFE_SEAT, |bot| &bot.name));
        let lines = GameLines::new::<G>(number, names);
        self.shown.begins(number, seats.bots_at(), &lines.start);
        let same_walls = self.same_walls.as_ref();
        let mut heard = HeardGame::<G> {
            seats,
            shown: &mut self.shown,
            lines,
            keeps_lines: self.records.is_some() || same_walls.is_some_and(SameWalls::needs_lines),
            pace: self.pace,
            happened: Instant::now(),
            events: Vec::new(),
            counter: SeatCounter::new(players.len() as u8),
        };
        let (runtime, shutdown, totals) = (&self.runtime, &self.shutdown, &self.totals);
        let player_at = |seat: usize| match seats.at(seat) {
            None => SeatPlayer::Safe,
            Some(bot) => bot.player(runtime, shutdown, move |decided, policy| {
                let player = &mut totals.lock().players[seats.players[seat]];
                player.decided(decided.is_ok(), policy.has_guest());
                player.report.faults = policy.faults();
                // The person has begun this game.
                if bot.plays_by == PlaysBy::Person
                    && let Some(walls) = same_walls
                {
                    walls.give_up();
                }
            }),
        };
        let id = GameId {
            seed: self.seating.seed,
            wall: number,
            seating: 0,
        };
        let at_table = (0..players.len()).map(player_at);
        let result = play::<G>(self.rules, id, at_table, |news| heard.hear(&news))?;
        let HeardGame {
            mut lines,
            events,
            counter,
            ..
        } = heard;
        let end_line = G::Form::end_line(&result.end.recorded()).map(Arc::<str>::from);
        self.shown.ended(&result, end_line.clone());
        let names = &lines.start.names;
        let ended = EndedGame {
            number,
            names: &(0..players.len())
                .map(|seat| seat_name(names, seat))
                .collect::<Vec<_>>(),
            events: &events,
            result: &result,
        };
        let mut said = G::words(&ended, games);
        lines.lines.extend(end_line);
        if let Some(records) = &self.records {
            let path = records.write(number, &lines.lines)?;
            records.write_decisions(&path, lines.decisions)?;
            said.push(format!("record: {}", short(&path).display()));
        }
        let mut totals = self.totals.lock();
        totals.add(&players, &counts_of(counter, &result), &result);
        for (bot, player) in self.bots.iter().zip(&mut totals.players) {
            if !bot.is_person() {
                player.policy = Some(bot.identity());
            }
        }
        drop(totals);
        say(said.join("\n"));
        if let Some(walls) = &mut self.same_walls {
            walls.begin::<G>(&WallToReplay {
                rules: self.rules,
                id,
                games,
                players: &players,
                result: &result,
                lines: &lines.lines,
            });
        }
        Ok(())
    }

    /// Ends the policies, and waits for the bots on the last wall as long as `goes_on` says so.
    fn end(self, goes_on: impl Fn() -> bool) {
        for (player, bot) in self.bots.into_iter().enumerate() {
            let faults = self.runtime.block_on(bot.policy.into_inner().end());
            self.totals.lock().players[player].report.faults = faults;
        }
        if let Some(walls) = self.same_walls {
            walls.finish(goes_on);
        }
    }
}

/// A game in progress, as those hear of it who do not play.
struct HeardGame<'g, G: PlayableGame> {
    seats: Seats<'g>,
    shown: &'g mut ShownBots,
    lines: GameLines,
    keeps_lines: bool,
    pace: EventPace,
    /// When the last event happened.
    happened: Instant,
    events: Vec<EventOf<G>>,
    counter: SeatCounter,
}

impl<G: PlayableGame> HeardGame<'_, G> {
    fn hear(&mut self, news: &GameNews<'_, G>) {
        if let GameNews::Happened(event, after) = news {
            let pace = self.pace.at(self.seats.bots);
            thread::sleep(pace.saturating_sub(self.happened.elapsed()));
            self.happened = Instant::now();
            self.events.push((*event).clone());
            G::count(&mut self.counter, event, after.tables);
        }
        let seats = self.seats;
        let told = self.lines.told(news, |seat| seats.at(seat));
        let begins_round = told.as_ref().is_some_and(ToldNews::begins_round);
        self.shown
            .tell_seats(begins_round, |seat| Some(news.line(Some(seat))?.into()));
        let Some(told) = told else {
            return;
        };
        self.shown.take(&told);
        // Only decisions of the configs' bots are kept.
        let is_kept = match &told {
            ToldNews::Decision { seat, .. } => {
                let bot = seats.at(*seat);
                bot.is_some_and(|bot| bot.plays_by == PlaysBy::Config)
            }
            ToldNews::Line { .. } => true,
        };
        if self.keeps_lines && is_kept {
            self.lines.take(told);
        }
    }
}

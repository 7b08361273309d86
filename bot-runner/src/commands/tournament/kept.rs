//! The games of a tournament in the database of results.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use client::kept_game::milliseconds;
use config::SPOOL;
use fleet::{NamedPlace, files_of_database};
use lab::game::GameId;
use lab::tournament::{Arguments, Plan, Seating, TournamentGame};
use results::{
    DatabaseAddress, KeptCounts, ResultKind, ResultRow, ResultsKeeper, SeatLuck, key_of,
};
use say::screen::note;
use secrecy::SecretString;
use time::OffsetDateTime;

use super::super::database::database;
use super::super::table::number_of;
use crate::cli::{DatabaseArgs, TournamentArgs};

/// Maximum wait for the database at the end; results that it lacks then wait in the spool.
const FINISH_TIMEOUT: Duration = Duration::from_secs(60);
/// Interval for passing games on, and the maximum number of results in between.
const FLUSH_EVERY: Duration = Duration::from_millis(500);
const MAX_READY: usize = 4_096;
/// Maximum time that a tournament waits until results are stored; it continues without, and checks
/// again later.
const KEEP_TIMEOUT: Duration = Duration::from_secs(1);
/// Number of shown digits of a tournament's id.
const NAME_DIGITS: usize = 16;

/// A database with its password and the folder in which games wait for it.
pub(super) struct ResultsDatabase {
    address: DatabaseAddress,
    password: Option<SecretString>,
    spool: PathBuf,
}

impl ResultsDatabase {
    /// Where results are stored, with the option that says so.
    pub(super) fn files(&self) -> Vec<NamedPlace> {
        let files = files_of_database(&self.address)
            .into_iter()
            .chain([self.spool.clone()]);
        files.map(|file| (file, "--results")).collect()
    }
}

/// The requested database, if there is one.
///
/// # Errors
///
/// If it is not an address, has no password, or no thread can be started.
pub(super) fn database_of(args: &TournamentArgs) -> anyhow::Result<Option<ResultsDatabase>> {
    if args.results.is_none() {
        return Ok(None);
    }
    let (address, password) = database(&DatabaseArgs {
        results: args.results.clone(),
        config: None,
        password_env: args.password_env.clone(),
        password_file: args.password_file.clone(),
    })?;
    // Next to the tournament's own output.
    let among = args
        .out
        .as_deref()
        .and_then(Path::parent)
        .unwrap_or(Path::new(""));
    let spool =
        std::path::absolute(among.join(SPOOL)).context("the folder for results that wait")?;
    results::usable_spool(&spool)?;
    Ok(Some(ResultsDatabase {
        address,
        password,
        spool,
    }))
}

/// Passes the games of a tournament on, wall by wall.
pub(super) struct KeptTournament {
    keeper: ResultsKeeper,
    database: String,
    spool: PathBuf,
    /// Identifies the tournament: the hash of everything that determines its results.
    id: String,
    arguments: Arguments,
    seatings: Vec<Seating>,
    shard: String,
    /// The games on walls that have not been played in all seatings.
    walls: HashMap<u64, Vec<ResultRow>>,
    /// The games on complete walls that have not been passed on yet.
    ready: Vec<ResultRow>,
    /// The time when that was last done.
    flushed: Instant,
}

impl KeptTournament {
    pub(super) fn begin(
        database: ResultsDatabase,
        arguments: &Arguments,
        plan: &Plan,
    ) -> anyhow::Result<Self> {
        let ResultsDatabase {
            address,
            password,
            spool,
        } = database;
        let shown = address.to_string();
        // The games are the same, however many are played and whatever ends the tournament or is
        // computed from them.
        let games = Arguments {
            games: 0,
            uma: None,
            until_clear: None,
            sprt: None,
            ..arguments.clone()
        };
        Ok(Self {
            keeper: ResultsKeeper::start(address, password, &spool)
                .context("cannot start the thread for --results")?,
            database: shown,
            spool,
            id: key_of(&["tournament", &serde_json::to_string(&games)?]),
            arguments: arguments.clone(),
            seatings: plan.schedule.seatings().to_vec(),
            shard: plan.shard.to_string(),
            walls: HashMap::new(),
            ready: Vec::new(),
            flushed: Instant::now(),
        })
    }

    /// The address of the database.
    pub(super) fn database(&self) -> &str {
        &self.database
    }

    /// Adds a game.
    pub(super) fn game(&mut self, id: GameId, game: &TournamentGame) {
        let ended_ms = milliseconds(OffsetDateTime::now_utc());
        let seating = &self.seatings[id.seating];
        let name = |seat: usize| self.arguments.configs[seating[seat]].name.clone();
        let units = self.arguments.game.score_units();
        let scores: Vec<i32> = game
            .seats
            .iter()
            .map(|counts| counts.points as i32 * units)
            .collect();
        let (wall, number) = (id.wall.to_string(), id.seating.to_string());
        let count = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        let rows = game.seats.iter().enumerate().map(|(seat, counts)| {
            let who = &self.arguments.configs[seating[seat]];
            ResultRow {
                key: key_of(&["tournament", &self.id, &wall, &number, &seat.to_string()]),
                kind: ResultKind::Tournament,
                arena: format!("tournament {}", &self.id[..NAME_DIGITS]),
                shared: key_of(&["wall", &self.id, &wall]),
                shard: Some(self.shard.clone()),
                game: self.arguments.game.name().to_owned(),
                ended_ms,
                bot: who.name.clone(),
                policy: who.policy.clone(),
                version: who.version.clone(),
                content: who.sha256.clone(),
                mixed: false,
                players: scores.len() as u8,
                seat: seat as u8,
                place: game.end.places[seat],
                scores: scores.clone(),
                rounds: count(counts.rounds),
                wins: count(counts.wins),
                deal_ins: count(counts.deal_ins),
                riichi: count(counts.riichi),
                called: count(counts.called),
                won: counts.won,
                lost: counts.lost,
                opponents: (0..scores.len())
                    .filter(|&other| other != seat)
                    .map(name)
                    .collect(),
                trouble: None,
                luck: self.arguments.luck.as_ref().and_then(|version| {
                    Some(SeatLuck {
                        thousandths: *game.luck.get(seat)?,
                        version: version.clone(),
                    })
                }),
            }
        });
        let rows: Vec<ResultRow> = rows.collect();
        self.walls.entry(id.wall).or_default().extend(rows);
    }

    /// Adds a wall that has been played in all seatings; returns whether the games of all such
    /// walls are now on the disk or in the database. Several walls are written together, because
    /// the disk takes time for each file.
    pub(super) fn wall(&mut self, wall: u64) -> bool {
        self.ready
            .extend(self.walls.remove(&wall).unwrap_or_default());
        let is_due = self.ready.len() >= MAX_READY || self.flushed.elapsed() >= FLUSH_EVERY;
        is_due && self.flush()
    }

    /// Passes the waiting results on; returns whether all are on the disk or in the database.
    pub(super) fn flush(&mut self) -> bool {
        if !self.ready.is_empty() {
            self.keeper.keep(std::mem::take(&mut self.ready));
        }
        let all_kept = self.keeper.wait_until_kept(KEEP_TIMEOUT);
        self.flushed = Instant::now();
        all_kept
    }

    /// Waits for the database for a limited time, and prints how many games were stored; returns
    /// whether none is lost. `all_known`: there was nothing left to play.
    pub(super) fn finish(self, all_known: bool) -> bool {
        let KeptCounts {
            written,
            waiting,
            lost,
        } = self.keeper.finish(FINISH_TIMEOUT);
        if all_known && written == 0 {
            note(format!(
                "Nothing new to store in {}: all walls were played before.",
                self.database
            ));
        } else {
            note(format!(
                "Stored in {}: {}, one for each game and seat.",
                self.database,
                number_of(written, "result")
            ));
        }
        if waiting > 0 {
            let spool = self.spool.display();
            note(format!(
                "Waiting in {spool}: {} with results; the same command stores them when the database is back.",
                number_of(waiting, "file")
            ));
        }
        if lost > 0 {
            note(format!(
                "{} lost: neither the disk nor the database took them; the log says why.",
                number_of(lost, "result")
            ));
        }
        lost == 0
    }
}

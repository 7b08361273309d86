//! The command line.

mod analyze;
mod names;
mod page;
mod plugin;
mod records;
mod results;
mod since;
mod tournament;
mod tune;
mod view;

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, Subcommand, ValueEnum};

pub use self::analyze::{AnalyzeArgs, DecisionNumber, OfWind, RoundName, SeatName, SimulationLimit, WinArgs};
pub use self::page::PageArgs;
pub use self::plugin::{Language, PluginCommand};
pub use self::records::RecordsCommand;
pub use self::results::{DatabaseArgs, ResultsCommand, StatsArgs, StatsBy};
pub use self::since::Since;
pub use self::tournament::{RulesName, TournamentArgs, TournamentFormat};
pub use self::tune::TuneArgs;
pub use self::view::ViewArgs;
use crate::config::PLAYERS;
use crate::logging::LogFormat;
use policy_host::{CHILD_COMMAND, GameKind};

/// Seats bots at arenas for mahjong and Dou Dizhu.
///
/// Logs go to standard error; the environment variable BOT_RUNNER_LOG says how much of them (error, warn, info, debug,
/// trace).
#[derive(Debug, Parser)]
#[command(version)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub task: Task,
    /// What a line of the log looks like
    #[arg(long, global = true, value_enum, default_value_t)]
    pub log_format: LogFormat,
}

/// What a process of the program is for.
#[derive(Debug, Subcommand)]
pub enum Task {
    /// A command of the user's.
    #[command(flatten)]
    Command(Command),
    /// Run a policy for the runner that started this process
    #[command(hide = true, name = CHILD_COMMAND)]
    PolicyChild,
    /// Write man pages and shell completions, for packages, into the folders `man` and `completions` of this one
    #[command(hide = true)]
    Manual {
        /// The folder, which is made where it is missing
        folder: PathBuf,
    },
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play games on the embedded arena; needs no [arena] in the configs and no token
    Play {
        /// Up to as many bots as sit at a table; without any, demo bots play
        configs: Vec<PathBuf>,
        /// Which game; those other than riichi are played on judges in this process, game by game
        #[arg(long, default_value_t = GameKind::Riichi, value_parser = names::game())]
        game: GameKind,
        /// How many sit at a table of riichi, 4 or 3 (default: 4)
        #[arg(long, value_parser = clap::value_parser!(u8).range(3..=4))]
        players: Option<u8>,
        /// How many games
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
        games: u32,
        /// Walls, seats and the bots' randomness; the same seed gives the same games
        #[arg(long)]
        seed: Option<u64>,
        /// Write a record of each game into this folder: of riichi an mjai record
        #[arg(long, value_name = "DIR")]
        record: Option<PathBuf>,
        /// Look for changed files every so many milliseconds (default: 500)
        #[arg(long, value_name = "MILLISECONDS", value_parser = clap::value_parser!(u64).range(10..=3_600_000))]
        watch_ms: Option<u64>,
        /// Have the table wait so long before it plays on, as tables of people do (default: 0)
        #[arg(long, value_name = "MS")]
        pace_ms: Option<u64>,
        /// The page that shows how it goes.
        #[command(flatten)]
        page: PageArgs,
    },
    /// Find out which of several policies is better, by games in this process at full speed
    ///
    /// Each wall is played in all seatings: two configs two against two in all six ways, as many configs as sit at a table
    /// in all rotations, any other number everybody against everybody. The average place comes with its standard error
    /// over walls and a 95 % interval. The same seed gives the same results, whatever --jobs says; no clock decides
    /// anything unless --think-ms does.
    Tournament(Box<TournamentArgs>),
    /// Search better values for the parameters of a bot's policy, by games against another bot
    ///
    /// Searched are the parameters that the policy declares to be tunable (`plugin inspect` shows them), by simultaneous
    /// perturbation (SPSA): at each step two sets of values play beside the other bot, and all values move towards the
    /// better set. At the end the values found play a tournament with a fresh seed against those that the bot began with
    /// and against the other bot. The config with the values found is written beside the bot's, and a plot of the path
    /// beside that.
    Tune(TuneArgs),
    /// Play games, each bot at its own arena, all at once in this process
    ///
    /// Configs are read again when they change: bots appear, change and leave, after their games, without touching the
    /// others. Ctrl-C and SIGTERM let games that are on end first, a second one stops now. In a terminal a table below the
    /// lines shows how it goes, and so does a page with --page.
    Run {
        /// The bots: configs, and folders whose *.toml files are configs
        #[arg(required = true, value_name = "PATH")]
        configs: Vec<PathBuf>,
        /// End when each bot has played so many games (default: play until stopped)
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        games: Option<u32>,
        /// Finish games and end after this time, for instance 90s, 45m, 8h or 2d
        #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
        duration: Option<Duration>,
        /// Finish games and end as soon as this file is there
        #[arg(long, value_name = "FILE")]
        stop_file: Option<PathBuf>,
        /// Say in a line how it goes every so many seconds; 0 for never
        #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(..=86_400))]
        status_every: u64,
        /// Have at most so many games on at once; bots take turns (default: no limit)
        #[arg(long, value_name = "N")]
        games_at_once: Option<NonZeroUsize>,
        /// Look for changed files every so many milliseconds
        #[arg(long, value_name = "MILLISECONDS", default_value_t = 500, value_parser = clap::value_parser!(u64).range(10..=3_600_000))]
        watch_ms: u64,
        /// The page that shows how it goes.
        #[command(flatten)]
        page: PageArgs,
    },
    /// Show how the bots of runners at work are doing: state, game, average place, decisions, times, faults, desyncs
    ///
    /// It asks every `run`, and every `play` of riichi, of this user on this machine. Exit code 1: none is at work.
    Status {
        /// For programs instead of people: a list with an object for each runner
        #[arg(long)]
        json: bool,
    },
    /// Let another program host a bot: events as lines on standard input, answers on standard output
    ///
    /// Each line is one mjai event. A line is answered when it leaves the seat something to do, and not when it says
    /// "can_act":false; passing is {"type":"none"}, and the discard of a riichi answers the bot's own "reach". Any number
    /// of games may follow one another; the end of the input is the end of the program. The config needs no [arena].
    Stdio {
        /// The bot
        config: PathBuf,
        /// Its seat in all games, whatever `start_game` says
        #[arg(long, value_parser = clap::value_parser!(u8).range(0..4))]
        seat: u8,
    },
    /// Let Botzone's own judge run a bot: a turn on standard input, the answer on standard output
    ///
    /// Simple IO and JSON are told apart by what comes. The program ends after its answer, as Botzone expects it of bots that do
    /// not ask to be kept running; what it finds in `data` and `globaldata` it leaves there. The config has [arena] kind =
    /// "botzone" with the game; no account and no secret are needed.
    Botzone {
        /// The bot
        config: PathBuf,
        /// Ask to be kept running after each answer, and answer the turns that follow
        #[arg(long)]
        keep_running: bool,
    },
    /// Have runners that are at work load policies anew, from their configs and library files as they are now
    ///
    /// It reaches every `run` and `play` of this user on this machine, which do the same on SIGHUP, and by themselves when
    /// a file changes. A policy that cannot be used leaves the one that plays in its place. Exit code 1: some policy
    /// stays as it is.
    Reload {
        /// The bot's name (default: all bots)
        bot: Option<String>,
    },
    /// Let the arena validate a bot; exit code 0: passed, 3: not passed
    Validate {
        /// The bot
        config: PathBuf,
    },
    /// Check configs without connecting: files, keys, libraries, policies, parameters, tokens
    Check {
        /// The bots: configs, and folders whose *.toml files are configs
        #[arg(required = true, value_name = "PATH")]
        configs: Vec<PathBuf>,
    },
    /// Run the local arena as a server that speaks RiichiLab's protocol
    Arena {
        /// Where to listen; port 0 takes a free one
        #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:0")]
        listen: SocketAddr,
        /// Walls and seats; each game's depend on the seed and its number
        #[arg(long, default_value_t = 0)]
        seed: u64,
        /// How many play a game, 4 or 3
        #[arg(long, default_value_t = PLAYERS, value_parser = clap::value_parser!(u8).range(3..=4))]
        players: u8,
        /// How long ranked games last (a validation is always East-only)
        #[arg(long, value_enum, default_value_t = GameLength::Half)]
        length: GameLength,
        /// Let built-in bots take the empty seats so many milliseconds after the first bot queued (default: never)
        #[arg(long, value_name = "MS")]
        fill_after: Option<u64>,
        /// Accept the tokens of this file only: lines TOKEN [NAME [active|pending|inactive]]
        #[arg(long, value_name = "FILE")]
        tokens: Option<PathBuf>,
        /// Free time for each answer
        #[arg(long, value_name = "MS", default_value_t = 3000)]
        grace_ms: u64,
        /// Time beyond it for each round
        #[arg(long, value_name = "MS", default_value_t = 15000)]
        bank_ms: u64,
        /// Have each table wait so long before it plays on from its answers, as tables of people do
        #[arg(long, value_name = "MS", default_value_t = 0)]
        pace_ms: u64,
    },
    /// For those who write policies: find, look at, try out and begin libraries
    #[command(subcommand)]
    Plugin(PluginCommand),
    /// The records of ranked games, which bots with a [records] section keep: look at them, pass them on, clear them away
    #[command(subcommand)]
    Records(RecordsCommand),
    /// Ask the database of results: average places with intervals, rates, and whether one version is better than another
    ///
    /// Bots with a [results] section write there; `results import` reads records that are there already. The uncertainty is
    /// taken over tables: bots that sat at one table share its luck.
    Stats(Box<StatsArgs>),
    /// The database of results, which bots with a [results] section write to
    #[command(subcommand)]
    Results(ResultsCommand),
    /// Feed a record (plain or gzipped) of any game to the table and report the first contradiction
    Replay {
        /// The record, one event a line: of riichi an mjai record
        file: PathBuf,
        /// Watch from this seat only (default: from each)
        #[arg(long, value_parser = clap::value_parser!(u8).range(0..4))]
        seat: Option<u8>,
        /// Ask the policy of this config at each decision of the seat, and show it beside what was done; `*` marks where
        /// they differ. What a policy does at random it does otherwise than in its own game
        #[arg(long, value_name = "CONFIG", requires = "seat")]
        policy: Option<PathBuf>,
    },
    /// Show a game as a page: the board at every moment, what a bot decided and why, scores and results
    ///
    /// The page is one file that asks for nothing from anywhere. Without --out it is served on this machine alone, under an
    /// address that cannot be guessed. What is wrong with a record is said on the page, which shows what comes before.
    View(ViewArgs),
    /// Say what there is to know of a hand: shanten, waits or what each discard accepts, splits, points
    ///
    /// Tiles are numbers and then the suit: m characters, p dots, s bamboo, z honours (1234567z = E S W N P F C); 0 is a
    /// red five. Of 14 tiles (less 3 for each meld) the one typed last is the drawn one.
    Analyze(Box<AnalyzeArgs>),
}

/// How long a game lasts.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum GameLength {
    /// East and South
    Half,
    /// East only
    East,
}

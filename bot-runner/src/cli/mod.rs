//! The command line.

mod analyze;
mod arena;
mod init;
mod ladder;
mod names;
mod numbers;
mod page;
mod play;
mod plugin;
mod records;
mod results;
mod review;
mod run;
mod since;
mod sprt;
mod suite;
mod tournament;
mod tune;
mod view;

use std::any::TypeId;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use foreign_text::escaped;
use say::screen::note;

pub use self::analyze::{
    AnalyzeArgs, DecisionNumber, OfWind, RoundName, SeatName, SimulationLimit, WinArgs,
};
pub use self::arena::ArenaArgs;
pub use self::init::{EngineReplies, InitArena, InitArgs, InitGame};
pub use self::ladder::{LadderArgs, LadderCommand, MAX_FETCHED_GAMES};
use self::numbers::number;
pub use self::page::PageArgs;
pub(crate) use self::play::DEFAULT_NAME;
pub use self::play::PlayArgs;
pub use self::plugin::{Language, PluginCommand, TestArgs};
pub use self::records::{ExportFormat, RecordsCommand};
pub use self::results::{DatabaseArgs, ResultsCommand, StatsArgs, StatsBy};
pub use self::review::ReviewArgs;
pub use self::run::RunArgs;
pub use self::since::Since;
pub use self::sprt::{ResultCounts, SprtArgs};
pub use self::suite::SuiteArgs;
pub use self::tournament::{RulesName, TournamentArgs, TournamentFormat};
pub use self::tune::TuneArgs;
pub use self::view::ViewArgs;
use crate::logging::LogFormat;
use crate::version::version;
use policy_host::CHILD_COMMAND;
use riichi::rules::Length;

/// The exit code of wrong arguments.
pub const WRONG_USAGE: u8 = 2;

/// Connects bots to mahjong and Dou Dizhu arenas.
///
/// Logs go to standard error; set their level with BOT_RUNNER_LOG (error, warn, info, debug,
/// trace).
#[derive(Debug, Parser)]
#[command(version = version())]
pub struct Cli {
    #[command(subcommand)]
    pub task: Task,
    /// The format of log lines
    #[arg(long, global = true, value_enum, default_value_t)]
    pub log_format: LogFormat,
}

impl Cli {
    /// Reads the arguments of this process; ends it with a message if they are wrong.
    pub fn of_process() -> Self {
        Self::of(std::env::args_os()).unwrap_or_else(|error| {
            // It quotes the command line, which may come from names of files.
            let words = std::env::args_os().map(|word| escaped(word.as_encoded_bytes()));
            if let Err(error) = Self::of(words) {
                error.exit();
            }
            // What is wrong has been escaped with the rest.
            note(error.to_string().trim_end());
            process::exit(WRONG_USAGE.into())
        })
    }

    /// Reads arguments, the program's name first.
    ///
    /// # Errors
    ///
    /// What is wrong with them.
    pub fn of(words: impl IntoIterator<Item: Into<OsString> + Clone>) -> Result<Self, clap::Error> {
        let mut command = with_negative_numbers(Self::command());
        let matches = command.try_get_matches_from_mut(words)?;
        Self::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    }
}

/// Has every option for anything but a path or a text take a negative number, so that its own error
/// says what is allowed.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let texts = [
        TypeId::of::<PathBuf>(),
        TypeId::of::<String>(),
        TypeId::of::<OsString>(),
    ];
    let command = command.mut_args(|option| {
        let is_text = texts
            .iter()
            .any(|text| option.get_value_parser().type_id() == *text);
        let takes_numbers =
            !option.is_positional() && option.get_action().takes_values() && !is_text;
        if takes_numbers {
            option.allow_negative_numbers(true)
        } else {
            option
        }
    });
    command.mut_subcommands(with_negative_numbers)
}

/// The task of a process of the program.
#[derive(Debug, Subcommand)]
pub enum Task {
    /// A command of the user's.
    #[command(flatten)]
    Command(Command),
    /// Run a policy for the runner that started this process
    #[command(hide = true, name = CHILD_COMMAND)]
    PolicyChild,
    /// Write man pages and shell completions, for packages, into the folders `man` and
    /// `completions` of this one
    #[command(hide = true)]
    Manual {
        /// The folder, which is created if it is missing
        folder: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write a bot's first config: it asks for arena, game, name, token and policy, and checks what
    /// it writes
    ///
    /// Each question can be answered by its option. Without a terminal it asks nothing, and names
    /// the options that are missing. No file is overwritten. A token is never shown; it goes into a
    /// file that only you can read (mode 0600), or stays in an environment variable.
    Init(InitArgs),
    /// Play games between bots in this process; needs no [arena] section and no token
    Play(Box<PlayArgs>),
    /// Compare policies by games in this process at full speed
    ///
    /// Every wall is played in all seatings: two configs play two against two in all six ways, as
    /// many configs as seats play in all rotations, and any other number plays a round robin. The
    /// result is the average place with its standard error over walls and a 95 % interval. The same
    /// seed gives the same results for any --jobs. No clock affects a result unless --think-ms is
    /// given.
    Tournament(Box<TournamentArgs>),
    /// Test between two Elo differences on results from elsewhere, given as counts
    ///
    /// This is the test of `tournament --sprt`, for results that another program has played: places
    /// of one player, or wins, draws and losses.
    Sprt(SprtArgs),
    /// Search for better parameters of a policy, by games against another bot
    ///
    /// The search covers the parameters that the policy declares as tunable (see `plugin inspect`)
    /// and uses simultaneous perturbation (SPSA): in each step two sets of values play against the
    /// other bot, and all values move towards the better set. At the end the result plays a
    /// tournament with a fresh seed against the initial values and against the other bot. `tune`
    /// writes the new config next to the bot's config, and a plot of the path next to that.
    Tune(TuneArgs),
    /// Play games: every bot at its arena, all in this process
    ///
    /// The runner watches the configs: bots join, change and leave after their current game; the
    /// other bots are not affected. Ctrl-C and SIGTERM finish the games in progress, then quit; a
    /// second one quits now. A terminal shows a live table of the bots; --page serves the same as a
    /// web page.
    Run(RunArgs),
    /// Show the bots of all running runners: state, game, average place, decisions, times, faults,
    /// desyncs
    ///
    /// Covers every `run` and every `play` of this user on this machine. Exit code 1: none is
    /// running.
    Status {
        /// JSON output: a list with one object per runner
        #[arg(long)]
        json: bool,
        /// The names of the bots alone, a line each, for shells that complete them
        #[arg(long, hide = true, conflicts_with = "json")]
        names: bool,
    },
    /// Run a bot for another program: mjai events on standard input, answers on standard output
    ///
    /// Each line is one mjai event, or a list of events. The bot answers a line when its seat can
    /// act, but not when the line says "can_act":false, and it answers every list once; a pass is
    /// {"type":"none"}, and the riichi discard answers the bot's own "reach". Three players may
    /// have three slots or four. Any number of games may follow each other; the program ends when
    /// the input ends. The config needs no [arena].
    Stdio {
        /// The bot
        config: PathBuf,
        /// The bot's seat in all games; overrides `start_game`
        #[arg(long, value_parser = number::<u8>(0..=3))]
        seat: u8,
        /// Players at the host's tables, 4 or 3 (default: [arena] players of the config, else 4;
        /// the bot starts again if the host deals to another number)
        #[arg(long, value_parser = number::<u8>(3..=4))]
        players: Option<u8>,
        /// Length of the host's games (default: [arena] length of the config, else half)
        #[arg(long, value_enum)]
        length: Option<LengthName>,
    },
    /// Run a bot under Botzone's judge: a turn on standard input, the answer on standard output
    ///
    /// The program detects simple IO and JSON from its input. It ends after its answer, as Botzone
    /// expects of bots that do not ask to keep running, and returns `data` and `globaldata`
    /// unchanged. The config needs [arena] kind = "botzone" and the game, but no account and no
    /// secret.
    Botzone {
        /// The bot
        config: PathBuf,
        /// Ask to keep running after each answer, and answer the following turns
        #[arg(long)]
        keep_running: bool,
    },
    /// Reload the policies of running runners from their current configs and library files
    ///
    /// Covers every `run` and `play` of this user on this machine; they also reload on SIGHUP and
    /// when a file changes. If a new policy cannot be used, the current one keeps playing. Exit
    /// code 1: some policy was not reloaded.
    Reload {
        /// The bot's name (default: all bots)
        bot: Option<String>,
    },
    /// Play in place of a running bot's policy in a browser, or give the seat back
    ///
    /// Prints a link with a token; the first browser that opens it has the seat from the bot's next
    /// decision on, until the button of its page or --give-back gives it back. For the bots of
    /// every `run` and `play` of this user with a --page; at an arena on another machine only if
    /// `run` has --allow-takeover. Exit code 1: the seat stays as it is.
    Takeover {
        /// The bot's name
        bot: String,
        /// Give the seat back to the bot's policy, or withdraw a link that was not used
        #[arg(long)]
        give_back: bool,
    },
    /// Run the arena's validation of a bot; exit code 0: passed, 3: not passed
    Validate {
        /// The bot
        config: PathBuf,
    },
    /// Check configs without connecting: files, keys, libraries, policies, parameters, tokens
    Check {
        /// Configs, or folders whose *.toml files are configs
        #[arg(required = true, value_name = "PATH")]
        configs: Vec<PathBuf>,
    },
    /// Run the local arena as a server that speaks RiichiLab's protocol
    Arena(Box<ArenaArgs>),
    /// Tools for policy authors: list, inspect, test and create libraries
    #[command(subcommand)]
    Plugin(PluginCommand),
    /// List, show, export and prune the records of ranked games ([records] section)
    #[command(subcommand)]
    Records(RecordsCommand),
    /// Query the results database: average places with intervals, rates, comparison of versions
    ///
    /// Bots with a [results] section write to the database; `results import` adds existing records.
    /// Intervals are computed over tables, since bots at one table share its luck.
    Stats(Box<StatsArgs>),
    /// Manage the results database ([results] section)
    #[command(subcommand)]
    Results(ResultsCommand),
    /// Look up the public ladder of RiichiLab: leaderboard, bots, games, logs
    ///
    /// Needs no token and sends none. Requests are made one after the other, half a second apart.
    Ladder(LadderArgs),
    /// Replay a record (plain or gzipped) of any game and report the first contradiction
    Replay {
        /// The record, one event a line: of riichi an mjai record
        file: PathBuf,
        /// Watch from this seat only (default: from each)
        #[arg(long, value_parser = number::<u8>(0..=3))]
        seat: Option<u8>,
        /// Ask the policy of this config at each decision of the seat, and show its choice next to
        /// the recorded one; `*` marks differences. A policy's random choices differ from those in
        /// its own game
        #[arg(long, value_name = "CONFIG", requires = "seat")]
        policy: Option<PathBuf>,
    },
    /// Review the decisions in logs of any form by the values of policies: what each cost, of which
    /// kinds, and the costliest
    Review(Box<ReviewArgs>),
    /// Test policies with positions whose right actions are known
    Suite(SuiteArgs),
    /// Show a game as a page: the board at every step, the bot's decisions with reasons, scores and
    /// results
    ///
    /// The page is a single self-contained file. Without --out the program serves it on this
    /// machine only, under an address that cannot be guessed. If a record contains an error, the
    /// page shows the game up to it and names the error.
    View(ViewArgs),
    /// Analyze a hand: shanten, waits, ukeire of each discard, splits, points
    ///
    /// Tiles are numbers followed by the suit: m characters, p dots, s bamboo, z honours (1234567z
    /// = E S W N P F C); 0 is a red five. In a hand of 14 tiles (less 3 for each meld) the last
    /// tile is the drawn tile.
    Analyze(Box<AnalyzeArgs>),
}

/// The length of a game.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum LengthName {
    /// East and South
    Half,
    /// East only
    East,
    /// One round
    Single,
}

impl From<LengthName> for Length {
    fn from(name: LengthName) -> Self {
        match name {
            LengthName::Half => Self::Half,
            LengthName::East => Self::East,
            LengthName::Single => Self::Single,
        }
    }
}

//! The program: arguments in, exit code out.
//!
//! It is part of the library, so that the futures of the commands are compiled there and nowhere
//! else.

use std::process::ExitCode;

use ::view::web::{RecentLog, recent_log};
use anyhow::Context;
use riichi::Seat;
use rustix::process::{Resource, Rlimit, Signal, getrlimit, setrlimit};
use say::output;
use say::screen::note;
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};
use tracing::level_filters::LevelFilter;

use crate::cli::{Cli, Command, RunArgs, Task};
use crate::commands::policy_child::policy_child;
use crate::commands::{
    FAILED, analyze, arena, botzone, check, init, ladder, manual, play, plugin, records, reload,
    replay, results, review, run, sprt, stats, status, stdio, suite, takeover, tournament, tune,
    validate, view,
};
use crate::logging;
use crate::logging::LogFormat;

/// As many open files as are asked for; some programs go through all there may be.
const OPEN_FILES: u64 = 65_536;

/// Does what the command line says; the exit code says how it went.
pub fn main() -> ExitCode {
    let Cli { task, log_format } = Cli::of_process();
    match task {
        Task::Command(command) => run_command(command, log_format),
        // Without threads or a log: all activity in the process is the policy's.
        Task::PolicyChild => policy_child(),
        Task::Manual { folder } => match manual::manual(&folder) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                note(format!("bot-runner: {error:#}"));
                ExitCode::from(FAILED)
            }
        },
    }
}

fn run_command(command: Command, log_format: LogFormat) -> ExitCode {
    // Fails if the user has no epoll watches or descriptors left.
    match Runtime::new() {
        Ok(runtime) => runtime.block_on(logged(command, log_format)),
        Err(error) => {
            note(format!("bot-runner: the event loop cannot start: {error}"));
            ExitCode::from(FAILED)
        }
    }
}

async fn logged(command: Command, log_format: LogFormat) -> ExitCode {
    survive();
    let default_level = if matches!(command, Command::Run(_)) {
        LevelFilter::INFO
    } else {
        LevelFilter::WARN
    };
    let page = match &command {
        Command::Run(RunArgs { page, .. }) => page.address,
        Command::Play(args) => args.page.address,
        _ => None,
    };
    let (recent_layer, recent) = page.map(|_| recent_log()).unzip();
    let _log = match logging::start(default_level, log_format, recent_layer) {
        Ok(guard) => guard,
        Err(error) => {
            note(format!("bot-runner: {error}"));
            return ExitCode::from(FAILED);
        }
    };
    // Without a provider the first TLS connection panics. It can only be there already, which is as
    // good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let plays_games = matches!(
        command,
        Command::Play(_)
            | Command::Run(_)
            | Command::Stdio { .. }
            | Command::Validate { .. }
            | Command::Arena(_)
    );
    let lines = plays_games.then(output::never_wait);
    let outcome = execute(command, log_format, recent).await;
    let written = output::finish(lines)
        .context("standard output cannot be written, so the result is not complete");
    match outcome.and_then(|code| written.map(|()| code)) {
        Ok(code) => code,
        Err(error) => {
            match log_format {
                // A further line would look like one of ours, if it is of a text that the error
                // quotes.
                LogFormat::Text => note(format!("bot-runner: {error:#}").replace('\n', "\n  ")),
                // Each line on standard error is an object.
                LogFormat::Json => tracing::error!("{error:#}"),
            }
            ExitCode::from(FAILED)
        }
    }
}

/// Signals that would end the program although nothing needs to end. A file that reaches the limit
/// for sizes (XFSZ) is an error for its writer, as on a full disk. The others mean nothing to the
/// program. A program that it starts gets them as usual.
const SURVIVED: [Signal; 7] = [
    Signal::XFSZ,
    Signal::USR1,
    Signal::USR2,
    Signal::ALARM,
    Signal::VTALARM,
    Signal::PROF,
    Signal::IO,
];

/// Survives signals that mean nothing to it, disables core dumps and raises the limit of open
/// files.
fn survive() {
    for survived in SURVIVED {
        // A process that listens for a signal does not end by it, even if no task receives it.
        let _ = signal(SignalKind::from_raw(survived.as_raw()));
    }
    // The environment and the memory, with the tokens, are not for other processes of this user,
    // such as a policy's.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
    // A bot has six files open. The usual soft limit of 1024 is meant to be raised by programs that
    // need more.
    let files = getrlimit(Resource::Nofile);
    let enough = files
        .maximum
        .map_or(OPEN_FILES, |most| most.min(OPEN_FILES));
    if files.current.is_some_and(|limit| limit < enough) {
        let _ = setrlimit(
            Resource::Nofile,
            Rlimit {
                current: Some(enough),
                ..files
            },
        );
    }
}

async fn execute(
    command: Command,
    log_format: LogFormat,
    recent: Option<RecentLog>,
) -> anyhow::Result<ExitCode> {
    match command {
        Command::Init(args) => init::init(args).await,
        Command::Play(args) => play::play(*args, recent).await,
        Command::Tournament(args) if !args.merge.is_empty() => {
            tournament::merge(&args.merge, args.out.as_deref())
        }
        Command::Tournament(args) => tournament::tournament(*args).await,
        Command::Sprt(args) => Ok(sprt::sprt(&args)),
        Command::Tune(args) => tune::tune(args).await,
        Command::Run(args) => run::run(args, recent, log_format == LogFormat::Json).await,
        Command::Status { names: true, .. } => status::names().await,
        Command::Status { json, names: false } => status::status(json).await,
        Command::Botzone {
            config,
            keep_running,
        } => botzone::botzone(config, keep_running).await,
        Command::Stdio {
            config,
            seat,
            players,
            length,
        } => {
            let seat = Seat::new(seat).ok_or_else(|| anyhow::anyhow!("there is no seat {seat}"))?;
            stdio::stdio(config, seat, players, length).await
        }
        Command::Reload { bot } => reload::reload(bot).await,
        Command::Takeover { bot, give_back } => takeover::takeover(bot, give_back).await,
        Command::Validate { config } => validate::validate(config).await,
        Command::Check { configs } => Ok(check::check(&configs).await),
        Command::Arena(args) => arena::serve(*args).await,
        Command::Plugin(command) => plugin::plugin(command),
        Command::Records(command) => records::records(command),
        Command::Stats(args) => stats::stats(*args).await,
        Command::Results(command) => results::results(command).await,
        Command::Ladder(args) => ladder::ladder(args).await,
        Command::Replay { file, seat, policy } => {
            replay::replay(&file, seat.map(usize::from), policy)
        }
        Command::Review(args) => review::review(*args),
        Command::Suite(args) => suite::suite(args),
        Command::View(args) => view::view(args).await,
        Command::Analyze(args) => analyze::analyze(*args),
    }
}

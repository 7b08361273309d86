//! `stdio`: a bot under another program's control, through pipes.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use client::board::Board;
use client::bot::{BotEvent, BotReport, ConnectionEnd, play_connection};
use client::records::Recorder;
use client::session::SessionEnd;
use client::session::stdio::StdioSession;
use client::shutdown::Shutdown;
use client::transport::stdio::StdioConnection;
use client::transport::{Closed, Connection};
use riichi::rules::Length;
use riichi::{Rules, Seat};

use config::{PLAYERS, RawConfig};
use fleet::{
    FileWatcher, Prepared, Purpose, Reloads, WATCH_EVERY, listen, prepare, start_policies,
};
use policy_host::GameKind;

use crate::cli::LengthName;

/// Answers the events on standard input until it ends.
///
/// # Errors
///
/// If the config is invalid, the policy cannot be started, the table has no such seat, or a pipe
/// breaks.
pub async fn stdio(
    config: PathBuf,
    seat: Seat,
    players: Option<u8>,
    length: Option<LengthName>,
) -> anyhow::Result<ExitCode> {
    let connection =
        StdioConnection::take().context("standard input and output are unavailable")?;
    let mut connection = Connection::Stdio(connection);
    let arena = RawConfig::load(&config).arena;
    let players = players
        .or(arena.as_ref().and_then(|arena| arena.players))
        .unwrap_or(PLAYERS);
    let length = length
        .map(Length::from)
        .or(arena.as_ref().and_then(|arena| arena.length))
        .unwrap_or(Length::Half);
    let mut rules = Rules::TENHOU_HALF.with_players(players).with_length(length);
    let shutdown = Shutdown::new();
    let now = shutdown.clone();
    // A host that ends a bot does not wait for the end of the game.
    shutdown.listen(move |_| now.request())?;
    let board = Board::default();
    let reloads = Reloads::new(FileWatcher::start(WATCH_EVERY)?, board.clone());
    let _control = listen(&reloads, &board, None);
    let mut session = StdioSession::new(seat, rules);
    let mut has_restarted = false;
    loop {
        require_seat(seat, rules.players)?;
        let Prepared { bots, libraries } = prepare(
            std::slice::from_ref(&config),
            Purpose::Policy {
                game: GameKind::Riichi,
                players: rules.players,
            },
        )?;
        let bot_policies = start_policies(
            &bots,
            &libraries,
            &reloads,
            |_| fastrand::u64(..),
            &shutdown,
        )
        .await?;
        let (Some(mut bot_policy), Some(bot)) = (bot_policies.into_iter().next(), bots.first())
        else {
            bail!("no config given")
        };
        let mut report = BotReport::default();
        board.enter(
            &bot.config.name,
            "a host at its pipes".to_owned(),
            report.live.clone(),
        );
        board.note(&bot.config.name, &BotEvent::Started(seat));
        let mut recorder = Recorder::off();
        let end = play_connection(
            &mut connection,
            &mut session,
            &mut bot_policy,
            &mut report,
            &mut recorder,
            &shutdown,
        )
        .await;
        bot_policy.end().await;
        let wrong = match end {
            ConnectionEnd::Ended(SessionEnd::WrongTable(wrong)) => wrong,
            ConnectionEnd::Lost(Closed::ByPeer)
            | ConnectionEnd::Stopped
            | ConnectionEnd::Ended(_) => {
                return Ok(ExitCode::SUCCESS);
            }
            ConnectionEnd::Lost(closed) => bail!("{closed}"),
        };
        let dealt = wrong.dealt;
        if has_restarted {
            bail!(
                "the host deals to {} players, and then to {dealt} in the same game",
                rules.players
            );
        }
        has_restarted = true;
        tracing::info!(
            "the host deals to {dealt} players: the policy starts again; `--players {dealt}` spares that"
        );
        rules = rules.with_players(dealt);
        let (next, line) = session.with_rules(rules);
        session = next;
        if let (Connection::Stdio(stdio), Some(line)) = (&mut connection, line) {
            stdio.put_back(line);
        }
    }
}

fn require_seat(seat: Seat, players: u8) -> anyhow::Result<()> {
    if seat.index() >= usize::from(players) {
        bail!(
            "--seat {seat}: the host's table has {players} players; allowed are the seats 0 to {}",
            players - 1
        );
    }
    Ok(())
}

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
use riichi::{Rules, Seat};

use config::PLAYERS;
use fleet::{FileWatcher, Prepared, Purpose, Reloads, WATCH_EVERY, listen, prepare, start_policies};
use policy_host::GameKind;

/// Answers the events on standard input until it ends.
///
/// # Errors
///
/// If the config is invalid, the policy cannot be started, or a pipe breaks.
pub async fn stdio(config: PathBuf, seat: Seat) -> anyhow::Result<ExitCode> {
    let connection = StdioConnection::take().context("standard input and output are unavailable")?;
    let mut connection = Connection::Stdio(connection);
    let Prepared { bots, libraries } =
        prepare(&[config], Purpose::Policy { game: GameKind::Riichi, players: PLAYERS })?;
    let shutdown = Shutdown::new();
    let now = shutdown.clone();
    // A host that ends a bot does not wait for the end of the game.
    shutdown.listen(move |_| now.request())?;
    let board = Board::default();
    let reloads = Reloads::new(FileWatcher::start(WATCH_EVERY)?, board.clone());
    let bot_policies = start_policies(&bots, &libraries, &reloads, |_| fastrand::u64(..), &shutdown).await?;
    let (Some(mut bot_policy), Some(bot)) = (bot_policies.into_iter().next(), bots.first()) else {
        bail!("no config given")
    };
    let mut report = BotReport::default();
    board.enter(&bot.config.name, "a host at its pipes".to_owned(), report.live.clone());
    board.note(&bot.config.name, &BotEvent::Started(seat));
    let _control = listen(&reloads, &board);
    let mut session = StdioSession::new(seat, Rules::TENHOU_HALF);
    let mut recorder = Recorder::off();
    let end =
        play_connection(&mut connection, &mut session, &mut bot_policy, &mut report, &mut recorder, &shutdown).await;
    bot_policy.end().await;
    match end {
        ConnectionEnd::Ended(SessionEnd::WrongTable(wrong)) => {
            bail!("{wrong}; `stdio` plays with four: have the host deal to four players")
        }
        ConnectionEnd::Lost(Closed::ByPeer) | ConnectionEnd::Stopped | ConnectionEnd::Ended(_) => Ok(ExitCode::SUCCESS),
        ConnectionEnd::Lost(closed) => bail!("{closed}"),
    }
}

//! `arena`: the local arena as a server for any client.

mod event;
mod pages;
mod people;
mod tokens;

use std::collections::HashSet;
use std::net::SocketAddr;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use arena::{
    ArenaHandle, ArenaLadder, ArenaSettings, EventSettings, FinishedGame, GamePurpose,
    RegisteredBot, TimeControl, Tokens, standings,
};
use client::random_secret;
use client::shutdown::Shutdown;
use foreign_text::shown;
use riichi::rules::Length;
use say::output::say;
use secrecy::ExposeSecret;
use view::web::{MIN_TOKEN_LENGTH, for_readers, open_at, other_address};

use self::event::{EventFile, claim_folder, standing_table};
use self::pages::ladder_pages;
use self::people::People;
use self::tokens::read_tokens;
use super::table::points;
use crate::cli::ArenaArgs;

/// What is played, and by whom.
struct ArenaGames {
    players: u8,
    length: Length,
    tokens: Tokens,
    seed: Option<u64>,
    event: Option<EventSettings>,
}

/// Serves games until stopped, or until the event is over.
///
/// # Errors
///
/// If the address, the token file, the folder or the event cannot be used, or a game cannot be
/// kept.
pub async fn serve(args: ArenaArgs) -> anyhow::Result<ExitCode> {
    let ArenaGames {
        players,
        length,
        tokens,
        seed,
        event,
    } = games_to_play(&args)?;
    require_tokens(args.listen, &tokens)?;
    let people = People::of(&args, &tokens)?;
    let ladder = match &args.keep {
        None => None,
        Some(folder) => {
            let bots = people.registered.iter().chain(listed(&tokens));
            let ladder = open_ladder(folder, players, args.keep_mib << 20, bots)?;
            if let Some(event) = &event {
                claim_folder(folder, event, length)?;
            }
            Some(ladder)
        }
    };
    // Walls of a ladder are not known beforehand.
    let seed = match (seed, &ladder) {
        (Some(seed), _) => seed,
        (None, Some(_)) => random_seed()?,
        (None, None) => 0,
    };
    let http = ladder.clone().map(|ladder| {
        let pages = ladder_pages(Arc::clone(&ladder), event.clone());
        for_readers(ladder.routes().merge(pages), args.listen)
    });
    let shutdown = Shutdown::new();
    shutdown.listen(|_| say("Stopping."))?;
    let arena = arena::start(ArenaSettings {
        listen: args.listen,
        seed,
        players,
        length,
        tokens,
        beside: people.registered.clone(),
        fill_after: args.fill_after.map(Duration::from_millis),
        time: TimeControl {
            grace_ms: args.grace_ms,
            bank_ms: args.bank_ms,
        },
        pace: Duration::from_millis(args.pace_ms),
        ladder: ladder.clone(),
        event: event.clone(),
        http: http.unwrap_or_default(),
        ..ArenaSettings::default()
    })
    .await
    .with_context(|| {
        format!(
            "--listen {0}: the arena cannot listen on this address; {1}",
            args.listen,
            other_address(args.listen)
        )
    })?;
    announce(&arena, ladder.as_deref(), event.as_ref());
    let people = people.sit(&args, &arena, &shutdown).await?;
    let played = play(arena, &shutdown).await;
    drop(people);
    if let (Some(ladder), Some(event)) = (&ladder, &event) {
        let games = ladder.event_games();
        say(format!(
            "{}: {} of {} games",
            shown(&event.name),
            games.len(),
            event.games
        ));
        say(standing_table(&standings(event, &games)).for_output());
    }
    played.map(|()| ExitCode::SUCCESS)
}

fn games_to_play(args: &ArenaArgs) -> anyhow::Result<ArenaGames> {
    if let Some(file) = &args.event {
        let EventFile {
            settings,
            length,
            bots,
            seed,
        } = EventFile::read(file)?;
        return Ok(ArenaGames {
            players: settings.players,
            length,
            tokens: Tokens::Listed(bots),
            seed,
            event: Some(settings),
        });
    }
    let tokens = match &args.tokens {
        None => Tokens::AcceptAny,
        Some(file) => Tokens::Listed(read_tokens(file)?),
    };
    Ok(ArenaGames {
        players: args.players,
        length: args.length.into(),
        tokens,
        seed: args.seed,
        event: None,
    })
}

/// Refuses an address that other machines reach if they could play without a token, or guess one.
fn require_tokens(listen: SocketAddr, tokens: &Tokens) -> anyhow::Result<()> {
    if listen.ip().is_loopback() {
        return Ok(());
    }
    let Tokens::Listed(bots) = tokens else {
        bail!(
            "--listen {listen} can be reached from other machines, so it needs --tokens FILE with the bots that may play; \
             or listen on this machine alone: --listen 127.0.0.1:{}",
            listen.port()
        );
    };
    let is_short = |bot: &&RegisteredBot| bot.token.expose_secret().len() < MIN_TOKEN_LENGTH;
    if let Some(bot) = bots.iter().find(is_short) {
        bail!(
            "--listen {listen} can be reached from other machines, and the token of {} has fewer than {MIN_TOKEN_LENGTH} \
             characters, so that it could be guessed; take a longer one: openssl rand -hex 32",
            shown(&bot.name)
        );
    }
    Ok(())
}

/// Opens the ladder in a folder. The bots that are listed have their ids before they play.
fn open_ladder<'b>(
    folder: &Path,
    players: u8,
    max_log_bytes: u64,
    bots: impl Iterator<Item = &'b RegisteredBot>,
) -> anyhow::Result<Arc<ArenaLadder>> {
    let ladder = ArenaLadder::open(folder, players, max_log_bytes).context("--keep")?;
    let mut names = HashSet::new();
    for bot in bots {
        if !names.insert(&bot.name) {
            bail!(
                "two bots have the name {}; on a ladder each needs its own",
                shown(&bot.name)
            );
        }
        ladder.register(&bot.name).context("--keep")?;
    }
    Ok(Arc::new(ladder))
}

/// The bots of a list of tokens.
fn listed(tokens: &Tokens) -> &[RegisteredBot] {
    match tokens {
        Tokens::AcceptAny => &[],
        Tokens::Listed(bots) => bots,
    }
}

fn random_seed() -> anyhow::Result<u64> {
    let random = random_secret().context("the walls need a random seed")?;
    u64::from_str_radix(&random[..16], 16).context("the walls need a random seed")
}

fn announce(arena: &ArenaHandle, ladder: Option<&ArenaLadder>, event: Option<&EventSettings>) {
    let address = arena.local_addr();
    say(format!("listening on {}", open_at("ws", address)));
    if ladder.is_some() {
        say(format!("ladder: {}", open_at("http", address)));
    }
    if let (Some(ladder), Some(event)) = (ladder, event) {
        say(format!(
            "{}: {} bots, {} of {} games played",
            shown(&event.name),
            event.bots.len(),
            ladder.event_games().len(),
            event.games
        ));
    }
    if !address.ip().is_loopback() {
        say(
            "Connections are not encrypted: outside a network that you trust, put a reverse proxy with TLS before the arena.",
        );
    }
}

/// Names each game that ends, until the arena is to stop or its event is over.
async fn play(mut arena: ArenaHandle, shutdown: &Shutdown) -> anyhow::Result<()> {
    let ended = loop {
        tokio::select! {
            () = shutdown.finishing() => break Ok(()),
            game = arena.finished() => {
                let Some(game) = game else { break Ok(()) };
                say(game_line(&game));
                if let Err(error) = game.kept {
                    break Err(error).context("the game cannot be kept, so the arena ends");
                }
            }
        }
    };
    arena.stop().await;
    ended
}

fn game_line(game: &FinishedGame) -> String {
    let mut seats: Vec<_> = game.seats.iter().collect();
    seats.sort_by_key(|seat| seat.rank);
    let result: Vec<String> = seats
        .iter()
        .map(|seat| format!("{} {}", shown(&seat.name), points(seat.score)))
        .collect();
    let kind = match (game.kind, game.passed) {
        (GamePurpose::Ranked, _) => "game",
        (GamePurpose::Validation, Some(true)) => "validation (passed)",
        (GamePurpose::Validation, _) => "validation (not passed)",
    };
    format!("{kind} {}: {}", game.number, result.join(", "))
}

//! Brings clients together and starts their games.

use std::sync::Arc;

use riichi::rules::Length;
use riichi::{PerSeat, Seat};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::bots::{BotId, Register};
use crate::config::ArenaSettings;
use crate::game::{ArenaPlayer, GameSetup};
use crate::kind::GamePurpose;
use crate::queue::{Queue, QueuedBot};
use crate::seeds::{seed_of_seats, shuffle};
use crate::table::{ArenaTable, Client, FinishedGame, play};

/// The name of built-in bots in results.
const BUILT_IN: &str = "tsumogiri";

/// The messages from connections to the matchmaker.
pub(crate) enum MatchmakerCall {
    /// A client that was let in wants to play.
    Join {
        kind: GamePurpose,
        /// The connection's number.
        connection: u64,
        client: Client,
    },
    /// A connection ended that was not seated as far as it knows.
    Leave { connection: u64 },
}

/// A client in the queue with the number of its connection.
struct Queued {
    connection: u64,
    client: Client,
}

/// Starts the games of an arena, and numbers them.
pub(crate) struct Matchmaker {
    config: ArenaSettings,
    register: Arc<Register>,
    queue: Queue<Queued>,
    started: u64,
    finished: UnboundedSender<FinishedGame>,
    stop: CancellationToken,
    tasks: TaskTracker,
}

impl Matchmaker {
    pub(crate) fn new(
        config: ArenaSettings,
        register: Arc<Register>,
        table_of: Vec<BotId>,
        finished: UnboundedSender<FinishedGame>,
        stop: CancellationToken,
        tasks: TaskTracker,
    ) -> Self {
        let queue = Queue::new(config.players, table_of);
        Self {
            config,
            register,
            queue,
            started: 0,
            finished,
            stop,
            tasks,
        }
    }

    /// Works until the arena is stopped.
    pub(crate) async fn run(mut self, mut calls: UnboundedReceiver<MatchmakerCall>) {
        loop {
            let fill_at = self
                .queue
                .waiting_since()
                .zip(self.config.fill_after)
                .map(|(since, wait)| since + wait);
            tokio::select! {
                () = self.stop.cancelled() => return,
                call = calls.recv() => match call {
                    Some(call) => self.answer(call),
                    None => return,
                },
                () = at(fill_at) => {
                    let players = self.queue.take_others();
                    self.start(GamePurpose::Ranked, players.into_iter().map(|waiting| waiting.client.client).collect());
                }
            }
        }
    }

    fn answer(&mut self, call: MatchmakerCall) {
        match call {
            MatchmakerCall::Join {
                kind: GamePurpose::Validation,
                client,
                ..
            } => self.start(GamePurpose::Validation, vec![client]),
            MatchmakerCall::Join {
                kind: GamePurpose::Ranked,
                connection,
                client,
            } => {
                let client = Queued { connection, client };
                self.queue.push(QueuedBot {
                    bot: client.client.bot,
                    since: Instant::now(),
                    client,
                });
                while let Some(players) = self.queue.take_table() {
                    self.start(
                        GamePurpose::Ranked,
                        players
                            .into_iter()
                            .map(|waiting| waiting.client.client)
                            .collect(),
                    );
                }
            }
            // A bot that is not in the queue was seated in the meantime; it is released after the
            // game.
            MatchmakerCall::Leave { connection } => {
                if let Some(waiting) = self
                    .queue
                    .remove(|waiting| waiting.client.connection == connection)
                {
                    self.register.release(waiting.bot);
                }
            }
        }
    }

    /// Seats the players, fills the other seats and starts the game.
    fn start(&mut self, kind: GamePurpose, players: Vec<Client>) {
        self.started += 1;
        let (seed, number, seats_of_table) = (self.config.seed, self.started, self.config.players);
        let mut seats: Vec<Seat> = Seat::all(seats_of_table).collect();
        // In a validation the client has seat 0.
        if kind == GamePurpose::Ranked {
            shuffle(&mut seats, seed_of_seats(seed, number));
        }
        let mut clients = PerSeat::from_fn(seats_of_table, |_| None);
        for (client, seat) in players.into_iter().zip(seats) {
            clients[seat] = Some(client);
        }
        let players = PerSeat::from_fn(seats_of_table, |seat| match &clients[seat] {
            Some(Client { bot, .. }) => (ArenaPlayer::Client, self.register.name(*bot)),
            None => (ArenaPlayer::BuiltIn, BUILT_IN.to_owned()),
        });
        let setup = GameSetup {
            seed,
            number,
            length: if kind == GamePurpose::Validation {
                Length::East
            } else {
                self.config.length
            },
            preset: self.config.preset,
            time: self.config.time,
            players,
        };
        tracing::info!(number, ?kind, players = ?setup.players, "game starts");
        let table = ArenaTable {
            kind,
            setup,
            clients,
            register: Arc::clone(&self.register),
            pace: self.config.pace,
        };
        let (finished, stop) = (self.finished.clone(), self.stop.clone());
        self.tasks.spawn(async move {
            tokio::select! {
                () = stop.cancelled() => {}
                result = play(table) => match result {
                    Ok(game) => {
                        tracing::info!(number, ?kind, "game ends");
                        _ = finished.send(game);
                    }
                    Err(error) => tracing::error!(number, ?kind, %error, "game failed"),
                },
            }
        });
    }
}

async fn at(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => std::future::pending().await,
    }
}

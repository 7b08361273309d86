//! Brings clients together and starts their games.

use std::sync::Arc;

use riichi::rules::Length;
use riichi::{PerSeat, Seat};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::bots::{BotId, Register};
use crate::config::ArenaSettings;
use crate::event::{EventPlan, PlannedGame};
use crate::game::{ArenaPlayer, GameSetup};
use crate::kept::{ArenaLadder, EventSlot, GameToKeep, KeptGame, WallSeed};
use crate::kind::GamePurpose;
use crate::queue::{Queue, QueuedBot};
use crate::seeds::seats_of;
use crate::table::{ArenaTable, Client, FinishedGame, play};

/// The name of built-in bots in results.
const BUILT_IN: &str = "tsumogiri";

/// Maximum number of tables at once.
const MAX_TABLES: usize = 256;

/// The messages to the matchmaker.
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
    /// A table is free again.
    Ended(EndedTable),
}

/// A table whose game is over.
pub(crate) struct EndedTable {
    event: Option<EventSlot>,
    /// The game, if the ladder keeps it.
    kept: Option<KeptGame>,
}

/// A client in the queue with the number of its connection.
struct Queued {
    connection: u64,
    client: Client,
}

/// The players of a game that starts.
struct Lineup {
    clients: PerSeat<Option<Client>>,
    /// The players' names.
    names: PerSeat<String>,
    walls: WallSeed,
    event: Option<EventSlot>,
}

/// An event with its bots.
struct EventAtPlay {
    plan: EventPlan,
    /// In the order of the event.
    bots: Vec<BotId>,
}

/// Starts the games of an arena, and numbers them.
pub(crate) struct Matchmaker {
    config: ArenaSettings,
    register: Arc<Register>,
    queue: Queue<Queued>,
    event: Option<EventAtPlay>,
    /// The number of the last game.
    started: u64,
    /// Number of games that are played.
    playing: usize,
    finished: UnboundedSender<FinishedGame>,
    calls: UnboundedSender<MatchmakerCall>,
    stop: CancellationToken,
    tasks: TaskTracker,
}

impl Matchmaker {
    pub(crate) fn new(
        config: ArenaSettings,
        register: Arc<Register>,
        table_of: Vec<BotId>,
        finished: UnboundedSender<FinishedGame>,
        calls: UnboundedSender<MatchmakerCall>,
        stop: CancellationToken,
        tasks: TaskTracker,
    ) -> Self {
        let ladder = config.ladder.as_ref();
        let event = config.event.clone().map(|settings| {
            let played = ladder.map_or_else(Vec::new, |ladder| ladder.event_games());
            EventAtPlay {
                plan: EventPlan::new(settings, played),
                bots: register.all(),
            }
        });
        Self {
            queue: Queue::new(config.players, table_of),
            started: ladder.map_or(0, |ladder| ladder.last_number()),
            config,
            register,
            event,
            playing: 0,
            finished,
            calls,
            stop,
            tasks,
        }
    }

    /// Works until the arena is stopped, or the event is over.
    pub(crate) async fn run(mut self, mut calls: UnboundedReceiver<MatchmakerCall>) {
        loop {
            if self
                .event
                .as_ref()
                .is_some_and(|event| event.plan.is_over())
            {
                return;
            }
            let fill_at = self.fill_at();
            tokio::select! {
                () = self.stop.cancelled() => return,
                call = calls.recv() => match call {
                    Some(call) => self.answer(call),
                    None => return,
                },
                () = at(fill_at) => self.fill(),
            }
        }
    }

    fn answer(&mut self, call: MatchmakerCall) {
        match call {
            MatchmakerCall::Join {
                kind: GamePurpose::Validation,
                client,
                ..
            } => {
                let lineup = self.lineup(GamePurpose::Validation, vec![client]);
                self.start(GamePurpose::Validation, lineup);
            }
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
                self.start_ready();
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
            MatchmakerCall::Ended(EndedTable { event, kept }) => {
                self.playing -= 1;
                if let (Some(at_play), Some(slot)) = (&mut self.event, event) {
                    at_play.plan.end(slot, kept);
                }
                self.start_ready();
            }
        }
    }

    /// Starts the games whose players are all here.
    fn start_ready(&mut self) {
        while self.playing < MAX_TABLES {
            let lineup = if let Some(event) = &self.event {
                let is_here = |bot: BotId| self.queue.has(bot);
                let mut open = event.plan.open();
                let ready =
                    open.find(|game| game.seats.iter().all(|&bot| is_here(event.bots[bot])));
                drop(open);
                ready.map(|game| self.planned_lineup(game))
            } else {
                let players = self.queue.take_table();
                players.map(|players| self.lineup(GamePurpose::Ranked, clients(players)))
            };
            let Some(lineup) = lineup else { return };
            self.start(GamePurpose::Ranked, lineup);
        }
    }

    /// The time when built-in bots take the seats of those that are not here.
    fn fill_at(&self) -> Option<Instant> {
        if self.playing >= MAX_TABLES {
            return None;
        }
        let wait = self.config.fill_after?;
        let since = match &self.event {
            None => self.queue.waiting_since(),
            Some(_) => self.incomplete().map(|(since, _)| since),
        };
        since.map(|since| since + wait)
    }

    /// The game of the event that has waited longest for bots that are neither queued nor seated,
    /// and since when.
    fn incomplete(&self) -> Option<(Instant, PlannedGame)> {
        let event = self.event.as_ref()?;
        let waits = |game: PlannedGame| {
            let bots = game.seats.iter().map(|&bot| event.bots[bot]);
            let waiting = bots.clone().filter_map(|bot| self.queue.since(bot)).min()?;
            let mut since = waiting;
            for bot in bots.filter(|&bot| !self.queue.has(bot)) {
                since = since.max(self.register.absent_since(bot)?);
            }
            Some((since, game))
        };
        event
            .plan
            .open()
            .filter_map(waits)
            .min_by_key(|(since, _)| *since)
    }

    fn fill(&mut self) {
        let lineup = if self.event.is_some() {
            let Some((_, game)) = self.incomplete() else {
                return;
            };
            self.planned_lineup(game)
        } else {
            let players = clients(self.queue.take_others());
            self.lineup(GamePurpose::Ranked, players)
        };
        self.start(GamePurpose::Ranked, lineup);
    }

    /// Seats the players of the queue, and built-in bots on the other seats.
    fn lineup(&self, kind: GamePurpose, players: Vec<Client>) -> Lineup {
        let (seed, number) = (self.config.seed, self.started + 1);
        // In a validation the client has seat 0.
        let seats = match kind {
            GamePurpose::Ranked => seats_of(seed, number, self.config.players),
            GamePurpose::Validation => Seat::all(self.config.players).collect(),
        };
        let mut clients = PerSeat::from_fn(self.config.players, |_| None);
        for (client, seat) in players.into_iter().zip(seats) {
            clients[seat] = Some(client);
        }
        let names = PerSeat::from_fn(self.config.players, |seat| match &clients[seat] {
            Some(Client { bot, .. }) => self.register.name(*bot),
            None => BUILT_IN.to_owned(),
        });
        Lineup {
            clients,
            names,
            walls: WallSeed { seed, number },
            event: None,
        }
    }

    /// Seats the bots of a game of the event that are here.
    fn planned_lineup(&mut self, game: PlannedGame) -> Lineup {
        let bots = self.event.as_ref().map_or(&[][..], |event| &event.bots);
        let bots: Vec<BotId> = game.seats.iter().map(|&bot| bots[bot]).collect();
        let mut clients = PerSeat::from_fn(self.config.players, |_| None);
        for (seat, _) in PerSeat::from_fn(self.config.players, |_| ()).iter() {
            let bot = bots[seat.index()];
            let here = self.queue.remove(|waiting| waiting.bot == bot);
            clients[seat] = here.map(|waiting| waiting.client.client);
        }
        let names = PerSeat::from_fn(self.config.players, |seat| {
            self.register.name(bots[seat.index()])
        });
        let walls = game.walls.unwrap_or(WallSeed {
            seed: self.config.seed,
            number: u64::from(game.slot.set) + 1,
        });
        if let Some(event) = &mut self.event {
            event.plan.begin(game.slot, walls);
        }
        Lineup {
            clients,
            names,
            walls,
            event: Some(game.slot),
        }
    }

    fn start(&mut self, kind: GamePurpose, lineup: Lineup) {
        self.started += 1;
        self.playing += 1;
        let number = self.started;
        let Lineup {
            clients,
            names,
            walls,
            event,
        } = lineup;
        let players = PerSeat::from_fn(self.config.players, |seat| match &clients[seat] {
            Some(_) => (ArenaPlayer::Client, names[seat].clone()),
            None => (ArenaPlayer::BuiltIn, names[seat].clone()),
        });
        let setup = GameSetup {
            seed: walls.seed,
            number: walls.number,
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
        let ladder = self.config.ladder.clone();
        let ladder = ladder.filter(|_| kind == GamePurpose::Ranked);
        let shown = ladder.as_ref().map(|ladder| {
            let names = names.iter().map(|(_, name)| name.clone()).collect();
            // Walls that are played again would be known.
            let is_open = event.is_none_or(|event| event.games_of_set == 1);
            ladder.show_table(number, names, is_open)
        });
        let table = ArenaTable {
            number,
            kind,
            setup,
            clients,
            register: Arc::clone(&self.register),
            pace: self.config.pace,
            shown,
        };
        let (finished, calls) = (self.finished.clone(), self.calls.clone());
        let stop = self.stop.clone();
        self.tasks.spawn(async move {
            let played = tokio::select! {
                () = stop.cancelled() => return,
                played = play(table) => played,
            };
            let kept = match played {
                Ok(game) => {
                    tracing::info!(number, ?kind, "game ends");
                    let (game, kept) = keep(ladder, game, event).await;
                    _ = finished.send(game);
                    kept
                }
                Err(error) => {
                    tracing::error!(number, ?kind, %error, "game failed");
                    None
                }
            };
            _ = calls.send(MatchmakerCall::Ended(EndedTable { event, kept }));
        });
    }
}

/// Has the ladder keep a game, on a thread that may wait for the disk.
async fn keep(
    ladder: Option<Arc<ArenaLadder>>,
    game: FinishedGame,
    event: Option<EventSlot>,
) -> (FinishedGame, Option<KeptGame>) {
    let Some(ladder) = ladder else {
        return (game, None);
    };
    let writes = spawn_blocking(move || {
        let id = ladder.keep(&GameToKeep {
            number: game.number,
            walls: game.walls,
            event,
            seats: &game.seats,
            events: &game.events,
        });
        let kept = id.as_ref().ok().and_then(|id| ladder.game(id));
        let game = FinishedGame {
            kept: id.map(Some),
            ..game
        };
        (game, kept)
    });
    writes.await.expect("keeping a game does not panic")
}

fn clients(players: Vec<QueuedBot<Queued>>) -> Vec<Client> {
    let clients = players.into_iter();
    clients.map(|waiting| waiting.client.client).collect()
}

async fn at(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => std::future::pending().await,
    }
}

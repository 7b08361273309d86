//! A game with its clients: carries frames between the game and the connections, and enforces the
//! time limits.

use std::sync::Arc;
use std::time::Duration;

use protocol::riichilab::server::validation_result_json;
use riichi::{Event, PerSeat, Seat};
use tokio::sync::mpsc::{self, Receiver, UnboundedSender};
use tokio::time::{Instant, sleep, sleep_until};

use crate::bots::{BotId, Register};
use crate::connection::{ClientMessage, Farewell, FromClient, ToClient};
use crate::error::ArenaGameError;
use crate::game::{FrameGame, GameSetup, SeatResult};
use crate::kept::{KeepError, TableAtPlay, WallSeed};
use crate::kind::GamePurpose;

/// Maximum number of a table's messages that wait.
const MAX_WAITING: usize = 64;
/// Maximum number of messages of a client in a game that answer no open request. One that sends
/// more loses its connection.
const MAX_STRAY: u32 = 1_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedGame {
    /// Its number in the arena, from 1.
    pub number: u64,
    pub walls: WallSeed,
    pub kind: GamePurpose,
    /// The results, in seat order.
    pub seats: Vec<SeatResult>,
    /// The events, with nothing hidden.
    pub events: Vec<Event>,
    /// The same as mjai JSON; `start_game` names the players.
    pub record: Vec<String>,
    /// Whether a validation was passed; `None` for ranked games.
    pub passed: Option<bool>,
    /// Its id on the ladder; `None` if no ladder keeps it.
    pub kept: Result<Option<String>, KeepError>,
}

/// A client with its connection.
pub(crate) struct Client {
    pub(crate) bot: BotId,
    pub(crate) outbox: UnboundedSender<ToClient>,
}

/// A game with its players.
pub(crate) struct ArenaTable {
    /// The number of the game.
    pub(crate) number: u64,
    pub(crate) kind: GamePurpose,
    pub(crate) setup: GameSetup,
    pub(crate) clients: PerSeat<Option<Client>>,
    pub(crate) register: Arc<Register>,
    /// The delay before each step of the game.
    pub(crate) pace: Duration,
    /// Shows the game to visitors.
    pub(crate) shown: Option<TableAtPlay>,
}

/// Plays a game to its end. The bots may connect again afterwards, however it ends.
pub(crate) async fn play(table: ArenaTable) -> Result<FinishedGame, ArenaGameError> {
    let ArenaTable {
        number,
        kind,
        setup,
        clients,
        register,
        pace,
        shown,
    } = table;
    let busy = BusyBots {
        register: &register,
        bots: clients
            .iter()
            .filter_map(|(_, client)| Some(client.as_ref()?.bot))
            .collect(),
    };
    let walls = WallSeed {
        seed: setup.seed,
        number: setup.number,
    };
    let (to_table, from_clients) = mpsc::channel(MAX_WAITING);
    for (seat, client) in clients.iter() {
        if let Some(client) = client {
            _ = client.outbox.send(ToClient::Seated {
                seat,
                table: to_table.clone(),
            });
        }
    }
    let asked = PerSeat::from_fn(clients.players(), |_| None);
    let mut run = Run {
        game: FrameGame::new(setup)?,
        clients,
        from_clients,
        pace,
        stepped: Instant::now(),
        asked,
        shown,
    };
    run.play_out().await?;

    let seats = run.game.results();
    let passed = (kind == GamePurpose::Validation).then(|| run.validate(&seats, &register));
    drop(busy);
    let farewell = if kind == GamePurpose::Ranked {
        Farewell::Silent
    } else {
        Farewell::Polite
    };
    for (_, client) in run.clients.iter() {
        if let Some(client) = client {
            _ = client.outbox.send(ToClient::HangUp(farewell));
        }
    }
    let (events, record) = (run.game.events().to_vec(), run.game.record().to_vec());
    Ok(FinishedGame {
        number,
        walls,
        kind,
        seats,
        events,
        record,
        passed,
        kept: Ok(None),
    })
}

/// Bots that may not connect again while this lives.
#[must_use]
struct BusyBots<'r> {
    register: &'r Register,
    bots: Vec<BotId>,
}

impl Drop for BusyBots<'_> {
    fn drop(&mut self) {
        for &bot in &self.bots {
            self.register.release(bot);
        }
    }
}

/// The time when a seat's request was sent, and its deadline.
#[derive(Debug, Clone, Copy)]
struct Clock {
    sent: Instant,
    deadline: Instant,
}

struct Run {
    game: FrameGame,
    clients: PerSeat<Option<Client>>,
    from_clients: Receiver<FromClient>,
    asked: PerSeat<Option<Clock>>,
    pace: Duration,
    /// The time of the last step.
    stepped: Instant,
    shown: Option<TableAtPlay>,
}

impl Run {
    async fn play_out(&mut self) -> Result<(), ArenaGameError> {
        loop {
            self.send();
            if self.game.is_over() {
                return Ok(());
            }
            if self.game.waits() {
                self.wait().await;
            } else {
                // Even the shortest sleep takes a millisecond.
                let pause = self.pace.saturating_sub(self.stepped.elapsed());
                if !pause.is_zero() {
                    sleep(pause).await;
                }
                self.game.step()?;
                self.stepped = Instant::now();
                if let Some(shown) = &mut self.shown {
                    shown.publish(self.game.events());
                }
                // A game without connected clients never waits.
                tokio::task::yield_now().await;
            }
        }
    }

    fn send(&mut self) {
        while let Some(frame) = self.game.outgoing() {
            if let Some(ms) = frame.deadline_ms {
                let sent = Instant::now();
                self.asked[frame.seat] = Some(Clock {
                    sent,
                    deadline: sent + Duration::from_millis(ms),
                });
            }
            let Some(client) = &self.clients[frame.seat] else {
                continue;
            };
            if client.outbox.send(ToClient::Text(frame.text)).is_err() {
                self.game.drop_seat(frame.seat);
            }
        }
    }

    /// Waits for a message or for the first deadline. A waiting message has priority over a
    /// deadline.
    async fn wait(&mut self) {
        let first = Seat::all(self.asked.players())
            .filter(|&seat| self.game.waits_for(seat))
            .filter_map(|seat| Some((self.asked[seat]?, seat)))
            .min_by_key(|(clock, _)| clock.deadline);
        let Some((clock, late)) = first else { return };
        tokio::select! {
            biased;
            Some(message) = self.from_clients.recv() => {
                let FromClient { seat, at, said } = message;
                let elapsed_ms = self.asked[seat].map_or(0, |clock| milliseconds(at, clock.sent));
                match said {
                    ClientMessage::Text(text) => self.game.receive(seat, &text, elapsed_ms),
                    ClientMessage::Binary => self.game.receive_unreadable(seat, "binary message", elapsed_ms),
                    ClientMessage::Gone => self.game.drop_seat(seat),
                }
                self.limit(seat);
            }
            () = sleep_until(clock.deadline) => {
                self.game.time_out(late, milliseconds(Instant::now(), clock.sent));
            }
        }
    }

    /// Drops a client that sends too much.
    fn limit(&mut self, seat: Seat) {
        if self.game.stray(seat) <= MAX_STRAY {
            return;
        }
        self.game.drop_seat(seat);
        if let Some(client) = self.clients[seat].take() {
            tracing::warn!(%seat, "a client sends too many messages, and loses its connection");
            _ = client.outbox.send(ToClient::HangUp(Farewell::Polite));
        }
    }

    /// Reports the result of a validation to its client.
    fn validate(&self, seats: &[SeatResult], register: &Register) -> bool {
        let Some((seat, client)) = self
            .clients
            .iter()
            .find_map(|(seat, client)| Some((seat, client.as_ref()?)))
        else {
            return false;
        };
        let result = &seats[seat.index()];
        let faults: Vec<&str> = [
            (result.chombo > 0, "chombo"),
            (result.dropped, "disconnected"),
        ]
        .into_iter()
        .filter_map(|(is_fault, name)| is_fault.then_some(name))
        .collect();
        let passed = faults.is_empty();
        if passed {
            register.passed_validation(client.bot);
        }
        let reason = (!passed).then(|| faults.join(" and "));
        _ = client.outbox.send(ToClient::Text(validation_result_json(
            passed,
            reason.as_deref(),
        )));
        passed
    }
}

fn milliseconds(until: Instant, from: Instant) -> u64 {
    until
        .saturating_duration_since(from)
        .as_millis()
        .try_into()
        .unwrap_or(u64::MAX)
}

//! One WebSocket connection: carries frames both ways until one side ends it.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use riichi::Seat;
use tokio::io::AsyncWriteExt;
use tokio::sync::mpsc::{Sender, UnboundedReceiver};
use tokio::time::{Instant, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};

/// Maximum time for a client to close a connection that the arena has closed.
const FAREWELL: Duration = Duration::from_secs(1);

/// The socket of a client.
pub(crate) type ClientSocket = WebSocketStream<TokioIo<Upgraded>>;

/// A message to a connection.
pub(crate) enum ToClient {
    /// A frame to send.
    Text(String),
    /// The client now plays at this table.
    Seated {
        seat: Seat,
        /// Receives its messages.
        table: Sender<FromClient>,
    },
    /// Send the remaining frames, then close the connection.
    HangUp(Farewell),
}

/// The way in which the arena closes a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Farewell {
    /// Without a close frame.
    Silent,
    /// With WebSocket's closing handshake.
    Polite,
}

/// A message of a seated client.
pub(crate) struct FromClient {
    pub(crate) seat: Seat,
    pub(crate) at: Instant,
    pub(crate) said: ClientMessage,
}

pub(crate) enum ClientMessage {
    Text(Utf8Bytes),
    Binary,
    /// The client has disconnected.
    Gone,
}

/// The seat of a client.
struct TableSeat {
    seat: Seat,
    table: Sender<FromClient>,
}

impl TableSeat {
    /// Waits while the table has enough messages to handle.
    async fn tell(&self, said: ClientMessage) {
        let message = FromClient {
            seat: self.seat,
            at: Instant::now(),
            said,
        };
        // A table that has ended needs no messages.
        _ = self.table.send(message).await;
    }
}

/// Carries frames until the arena hangs up or drops its sender, or the client disconnects. Returns
/// whether it was seated.
pub(crate) async fn converse(
    mut socket: ClientSocket,
    mut inbox: UnboundedReceiver<ToClient>,
) -> bool {
    let mut place = None;
    let farewell = exchange(&mut socket, &mut inbox, &mut place).await;
    if farewell.is_none() {
        // The client may have been seated just as it disconnected.
        inbox.close();
        while let Ok(told) = inbox.try_recv() {
            if let ToClient::Seated { seat, table } = told {
                place = Some(TableSeat { seat, table });
            }
        }
        if let Some(place) = &place {
            place.tell(ClientMessage::Gone).await;
        }
    }
    hang_up(socket, farewell.unwrap_or(Farewell::Polite)).await;
    place.is_some()
}

/// Carries frames both ways. Returns how the arena wants to close the connection, or `None` if the
/// client has disconnected.
async fn exchange(
    socket: &mut ClientSocket,
    inbox: &mut UnboundedReceiver<ToClient>,
    place: &mut Option<TableSeat>,
) -> Option<Farewell> {
    loop {
        tokio::select! {
            message = socket.next() => match (said(message), &*place) {
                (Some(ClientMessage::Gone), _) => return None,
                (Some(said), Some(place)) => place.tell(said).await,
                // Messages in the queue are ignored.
                (Some(_), None) | (None, _) => {}
            },
            told = inbox.recv() => {
                let Some(told) = told else { return Some(Farewell::Polite) };
                match write(socket, inbox, told, place).await {
                    Ok(None) => {}
                    Ok(Some(farewell)) => return Some(farewell),
                    Err(_) => return None,
                }
            }
        }
    }
}

fn said(message: Option<Result<Message, Error>>) -> Option<ClientMessage> {
    match message {
        Some(Ok(Message::Text(text))) => Some(ClientMessage::Text(text)),
        Some(Ok(Message::Binary(_))) => Some(ClientMessage::Binary),
        Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => None,
        Some(Ok(Message::Close(_)) | Err(_)) | None => Some(ClientMessage::Gone),
    }
}

/// Executes a command and all others that are waiting, and flushes once.
async fn write(
    socket: &mut ClientSocket,
    inbox: &mut UnboundedReceiver<ToClient>,
    first: ToClient,
    place: &mut Option<TableSeat>,
) -> Result<Option<Farewell>, Error> {
    let mut told = Some(first);
    let mut end = None;
    while let Some(now) = told {
        match now {
            ToClient::Text(text) => socket.feed(Message::text(text)).await?,
            ToClient::Seated { seat, table } => *place = Some(TableSeat { seat, table }),
            ToClient::HangUp(farewell) => {
                end = Some(farewell);
                break;
            }
        }
        told = inbox.try_recv().ok();
    }
    socket.flush().await?;
    Ok(end)
}

/// Closes a connection, and reads for a moment longer: unread data would turn the close into a
/// reset, which can discard the last frames.
pub(crate) async fn hang_up(mut socket: ClientSocket, farewell: Farewell) {
    _ = timeout(FAREWELL, async {
        match farewell {
            Farewell::Silent => _ = socket.get_mut().shutdown().await,
            Farewell::Polite => _ = socket.close(None).await,
        }
        while let Some(Ok(_)) = socket.next().await {}
    })
    .await;
}

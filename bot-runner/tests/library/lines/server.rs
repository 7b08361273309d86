//! The original mjai server: four clients join, every event goes to each in turn, and the first
//! wrong reply aborts the game of all.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use client::RoomUrl;
use riichi::rules::Length;
use serde_json::{Value, json};

use super::hand::Hand;
use super::rounds::Rounds;
use super::spelling::Spelling;
use super::strict::fault;

/// Longer than any reply takes here.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct Server(TcpListener);

pub(crate) struct Client {
    lines: BufReader<TcpStream>,
    /// Its message when it joined.
    pub(crate) join: Value,
}

/// The end of a game.
#[derive(Debug, PartialEq)]
pub(crate) enum Outcome {
    /// With these scores, in the order of seats.
    Played(Value),
    /// By the fault of a seat.
    Aborted(String),
}

impl Server {
    pub(crate) fn open() -> Self {
        Self(TcpListener::bind("127.0.0.1:0").expect("loopback has a free port"))
    }

    pub(crate) fn room(&self, name: &str) -> RoomUrl {
        let address = self.0.local_addr().expect("it is bound");
        RoomUrl::parse(&format!("mjsonp://{address}/{name}")).expect("an address")
    }

    /// Greets the next client and returns its first message.
    pub(crate) fn accept(&self) -> Client {
        let (stream, _) = self.0.accept().expect("it connects");
        stream.set_nodelay(true).expect("a socket has this option");
        stream
            .set_read_timeout(Some(PATIENCE))
            .expect("a socket has this option");
        let mut client = Client {
            lines: BufReader::new(stream),
            join: Value::Null,
        };
        client.join = client
            .ask(&json!({"type": "hello", "protocol": "mjsonp", "protocol_version": 3}))
            .expect("a join");
        client
    }

    /// Says this to the next client and hangs up.
    pub(crate) fn say_instead(&self, words: &str) {
        let (mut stream, _) = self.0.accept().expect("it connects");
        stream
            .write_all(words.as_bytes())
            .expect("the bot is there");
    }

    /// Lets four join a room; they take seats in an order of the number's.
    pub(crate) fn gather(&self, number: u64) -> [Client; 4] {
        let mut clients: [Client; 4] = std::array::from_fn(|_| self.accept());
        fastrand::Rng::with_seed(number).shuffle(&mut clients);
        clients
    }
}

impl Client {
    pub(crate) fn say(&mut self, line: &Value) -> std::io::Result<()> {
        self.lines
            .get_mut()
            .write_all(format!("{line}\n").as_bytes())
    }

    /// Says a line and waits for the reply.
    pub(crate) fn ask(&mut self, line: &Value) -> Result<Value, String> {
        self.say(line).map_err(|error| error.to_string())?;
        let mut reply = String::new();
        match self.lines.read_line(&mut reply) {
            Ok(0) => Err("the client is gone".to_owned()),
            Ok(_) => serde_json::from_str(&reply).map_err(|error| format!("{error}: {reply}")),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// Plays a game; `changed` modifies each reply before it is judged.
pub(crate) fn play(
    clients: &mut [Client; 4],
    number: u64,
    length: Length,
    mut changed: impl FnMut(usize, &Value, Value) -> Value,
) -> Outcome {
    let names = std::array::from_fn(|seat| {
        clients[seat].join["name"]
            .as_str()
            .expect("a name")
            .to_owned()
    });
    let mut rounds = Rounds::deal(number, length);
    let mut spelling = Spelling::new(names);
    let mut hands = [0, 1, 2, 3].map(Hand::of);
    while let Some(piece) = rounds.next() {
        let end = rounds.scores();
        for (place, heard) in piece.events.iter().enumerate() {
            let last = place + 1 == piece.events.len();
            spelling.take_in(heard);
            for (seat, client) in clients.iter_mut().enumerate() {
                let event = &heard[seat];
                hands[seat].hear(event);
                let list = piece.lists[seat].as_deref().filter(|_| last);
                let line = spelling.line(event, &hands[seat], seat, list, &end);
                let answered = client
                    .ask(&line)
                    .map(|reply| changed(seat, event, reply))
                    .and_then(|reply| {
                        fault(&reply, event, list, &hands[seat], seat)?;
                        Ok(reply)
                    });
                match answered {
                    Ok(reply) if list.is_some() => rounds.answer(seat, &reply),
                    Ok(_) => {}
                    Err(why) => return abort(clients, seat, &why),
                }
            }
        }
    }
    Outcome::Played(rounds.scores())
}

fn abort(clients: &mut [Client; 4], seat: usize, why: &str) -> Outcome {
    let message = format!("Error in player {seat}'s response: {why}");
    for client in clients {
        assert_eq!(
            client.ask(&json!({"type": "error", "message": message})),
            Ok(json!({"type": "none"}))
        );
    }
    Outcome::Aborted(message)
}

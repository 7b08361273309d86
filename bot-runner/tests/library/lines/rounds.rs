//! A game on the arena's rules, cut into pieces: the events for each seat, and the seats that are
//! asked after them.

use arena::{ArenaPlayer, FrameGame, GameSetup, TimeControl};
use riichi::rules::{Length, Preset};
use riichi::{PerSeat, Seat};
use serde_json::{Value, json};

/// The events until a seat is asked, or the game is over.
pub(crate) struct Piece {
    /// Each event as each seat hears it, in RiichiLab's spelling; nothing at a fourth seat of three
    /// players.
    pub(crate) events: Vec<[Value; 4]>,
    /// The actions that the engine lists for each seat it asks after the last event.
    pub(crate) lists: [Option<Vec<Value>>; 4],
}

/// A game of clients in progress.
pub(crate) struct Rounds {
    game: FrameGame,
    requests: [Value; 4],
}

impl Rounds {
    pub(crate) fn deal(number: u64, length: Length) -> Self {
        Self::deal_to(4, number, length)
    }

    pub(crate) fn deal_to(players: u8, number: u64, length: Length) -> Self {
        let players = PerSeat::from_fn(players, |seat| {
            (ArenaPlayer::Client, format!("seat {seat}"))
        });
        let (preset, time) = (Preset::Tenhou, TimeControl::default());
        let game = FrameGame::new(GameSetup {
            seed: 11,
            number,
            length,
            preset,
            time,
            players,
        });
        Self {
            game: game.expect("the engine deals"),
            requests: Default::default(),
        }
    }

    /// The next piece; `None` when the game is over. Every seat that was asked must have answered.
    pub(crate) fn next(&mut self) -> Option<Piece> {
        let mut heard: [Vec<Value>; 4] = Default::default();
        let mut lists: [Option<Vec<Value>>; 4] = Default::default();
        while let Some(frame) = self.game.outgoing() {
            let seat = frame.seat.index();
            let frame: Value = serde_json::from_str(&frame.text).expect("the arena writes JSON");
            match frame["type"].as_str().expect("a frame has a type") {
                "request_action" => {
                    lists[seat] = frame["possible_actions"].as_array().cloned();
                    self.requests[seat] = frame["request_id"].clone();
                }
                "action_ack" => assert_eq!(frame["status"], "accepted", "{frame}"),
                _ => heard[seat].push(frame),
            }
        }
        let [a, b, c, mut d] = heard;
        d.resize(a.len(), Value::Null);
        let events: Vec<[Value; 4]> = a
            .into_iter()
            .zip(b)
            .zip(c)
            .zip(d)
            .map(|(((a, b), c), d)| [a, b, c, d])
            .collect();
        assert!(
            !events.is_empty() || self.game.is_over(),
            "a seat was asked and has not answered"
        );
        (!events.is_empty()).then_some(Piece { events, lists })
    }

    /// The answer of a seat that was asked, which has been checked.
    pub(crate) fn answer(&mut self, seat: usize, reply: &Value) {
        let mut reply = reply.clone();
        reply["request_id"] = self.requests[seat].clone();
        let seat = Seat::new(seat as u8).expect("a seat");
        self.game.receive(seat, &reply.to_string(), 1);
        // It waits for the other seats that are asked.
        self.game.step().expect("the engine goes on");
    }

    pub(crate) fn scores(&self) -> Value {
        json!(
            self.game
                .results()
                .iter()
                .map(|result| result.score)
                .collect::<Vec<_>>()
        )
    }
}

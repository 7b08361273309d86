//! One game from the deal to the end, without any I/O: frames are the output, replies and their
//! times the input.
//!
//! The driver sends the frames of [`FrameGame::outgoing`] and, while any seat is awaited, passes
//! replies, expired deadlines and dropped connections to the game. If no seat is awaited,
//! [`FrameGame::step`] continues the game.

use std::collections::VecDeque;

use protocol::reply::{Reply, parse_reply};
use protocol::riichilab::server::{AckOut, RequestOut, ack_json, request_json};
use protocol::riichilab::{AckStatus, RequestTime};
use protocol::{ActionKind, PossibleAction, event_json, won_json};
use riichi::game::seed_of_walls;
use riichi::rules::{Length, Preset};
use riichi::{Event, PerSeat, Seat};

use crate::engine::{EngineChoice, EngineQuestion, TableGame};
use crate::error::ArenaGameError;
use crate::matching::select;
use crate::time::TimeControl;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArenaPlayer {
    /// A client that receives frames and sends replies.
    Client,
    /// A built-in bot that passes every claim and discards every tile it draws.
    BuiltIn,
}

#[derive(Debug, Clone)]
pub struct GameSetup {
    /// The arena's seed.
    pub seed: u64,
    /// The game's number, which with the seed decides the walls.
    pub number: u64,
    pub length: Length,
    pub preset: Preset,
    pub time: TimeControl,
    /// The players by seat, with names for the record; three players play three-player mahjong.
    pub players: PerSeat<(ArenaPlayer, String)>,
}

/// A frame for a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    pub seat: Seat,
    pub text: String,
    /// For a request, its time limit in milliseconds after sending.
    pub deadline_ms: Option<u64>,
}

/// The outcomes of the requests to a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SeatAckCounts {
    /// Replies that were played.
    pub accepted: u32,
    /// Replies that were illegal actions.
    pub rejected: u32,
    /// Messages that were not actions.
    pub unparseable: u32,
    /// Replies to requests that were not open.
    pub stale: u32,
    /// Requests whose time was up.
    pub defaulted: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatResult {
    pub player: ArenaPlayer,
    /// The name it played under.
    pub name: String,
    /// Its points at the end.
    pub score: i32,
    /// Its place, 1 to 4; of equal scores the earlier seat is first.
    pub rank: u8,
    pub requests: u32,
    pub acks: SeatAckCounts,
    /// Number of rounds that it ended by an illegal action.
    pub chombo: u32,
    /// Whether its connection dropped before the end.
    pub dropped: bool,
}

/// A game in progress.
pub struct FrameGame {
    engine: TableGame,
    time: TimeControl,
    seats: PerSeat<SeatState>,
    names: Vec<String>,
    last_request: u64,
    relayed: usize,
    /// Number of wins among them.
    wins_told: usize,
    outbox: VecDeque<Outgoing>,
    record: Vec<String>,
}

/// Maximum number of replies without an id that are kept if they arrive before any request.
const MAX_EARLY: usize = 8;

#[derive(Default)]
struct SeatState {
    player: SeatKind,
    bank_ms: u64,
    asked: Option<AskedFrame>,
    last_request: u64,
    early: VecDeque<String>,
    requests: u32,
    acks: SeatAckCounts,
    chombo: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum SeatKind {
    #[default]
    BuiltIn,
    Client,
    Dropped,
}

struct AskedFrame {
    id: u64,
    question: EngineQuestion,
    choice: Option<EngineChoice>,
}

impl FrameGame {
    /// Deals the first round and asks the dealer.
    ///
    /// # Errors
    /// If the rules engine fails.
    pub fn new(setup: GameSetup) -> Result<Self, ArenaGameError> {
        let GameSetup {
            seed,
            number,
            length,
            preset,
            time,
            players,
        } = setup;
        let rules = preset
            .rules()
            .with_length(length)
            .with_players(players.players());
        let seats = PerSeat::from_fn(rules.players, |seat| SeatState {
            player: match players[seat].0 {
                ArenaPlayer::Client => SeatKind::Client,
                ArenaPlayer::BuiltIn => SeatKind::BuiltIn,
            },
            ..SeatState::default()
        });
        let mut game = Self {
            engine: TableGame::new(rules, seed_of_walls(seed, number))?,
            time,
            seats,
            names: players.iter().map(|(_, (_, name))| name.clone()).collect(),
            last_request: 0,
            relayed: 0,
            wins_told: 0,
            outbox: VecDeque::new(),
            record: Vec::new(),
        };
        game.relay_events();
        game.ask();
        Ok(game)
    }

    /// The next frame to be sent, in order for each seat.
    pub fn outgoing(&mut self) -> Option<Outgoing> {
        self.outbox.pop_front()
    }

    /// Whether the game has ended. There may still be frames to send.
    pub fn is_over(&self) -> bool {
        self.engine.is_over()
    }

    /// Whether a seat has been asked and has not answered yet.
    pub fn waits_for(&self, seat: Seat) -> bool {
        self.seats[seat]
            .asked
            .as_ref()
            .is_some_and(|asked| asked.choice.is_none())
    }

    /// Whether a seat has to answer before the game continues.
    pub fn waits(&self) -> bool {
        self.seats.iter().any(|(seat, _)| self.waits_for(seat))
    }

    /// Plays the answers and asks the next seats. Does nothing while a seat is awaited or after the
    /// end.
    ///
    /// # Errors
    /// If the rules engine fails; the game cannot continue then.
    pub fn step(&mut self) -> Result<(), ArenaGameError> {
        if self.waits() || self.is_over() {
            return Ok(());
        }
        let mut answers = Vec::new();
        for (_, state) in self.seats.iter_mut() {
            if let Some(AskedFrame {
                question,
                choice: Some(choice),
                ..
            }) = state.asked.take()
            {
                answers.push((question, choice));
            }
        }
        // The engine punishes the first of several offenders.
        if let Some((offender, _)) = answers
            .iter()
            .find(|(_, choice)| *choice == EngineChoice::Illegal)
        {
            self.seats[offender.seat].chombo += 1;
        }
        self.engine.answer(&answers)?;
        self.relay_events();
        self.ask();
        Ok(())
    }

    /// Handles a seat's message, which arrived `elapsed_ms` after its request was sent.
    pub fn receive(&mut self, seat: Seat, text: &str, elapsed_ms: u64) {
        if self.is_over() || self.seats[seat].player != SeatKind::Client {
            return;
        }
        let reply = match parse_reply(text) {
            Ok(reply) => reply,
            Err(error) => return self.receive_unreadable(seat, &error.to_string(), elapsed_ms),
        };
        let open = self.open_request(seat);
        match reply.request_id {
            None if open.is_some() => self.judge(seat, &reply, text, elapsed_ms),
            None => {
                let early = &mut self.seats[seat].early;
                if early.len() < MAX_EARLY {
                    early.push_back(text.to_owned());
                }
            }
            Some(id) if open.is_some_and(|open| i64::try_from(open) == Ok(id)) => {
                self.judge(seat, &reply, text, elapsed_ms);
            }
            Some(id) => {
                let issued = u64::try_from(id).is_ok_and(|id| id <= self.last_request);
                let reason = (!issued).then_some("unknown request_id");
                self.ack(
                    seat,
                    AckOut {
                        request_id: id,
                        reason,
                        ..self.blank_ack(seat, AckStatus::Stale)
                    },
                );
            }
        }
    }

    /// Handles a message of a seat that is not a text, or not an action; `reason` describes the
    /// problem. It costs a chombo if a reply is awaited.
    pub fn receive_unreadable(&mut self, seat: Seat, reason: &str, elapsed_ms: u64) {
        if self.is_over() || self.seats[seat].player != SeatKind::Client {
            return;
        }
        let open = self.open_request(seat);
        let elapsed_ms = open.map(|_| elapsed_ms);
        let ack = AckOut {
            reason: Some(reason),
            elapsed_ms,
            ..self.blank_ack(seat, AckStatus::Unparseable)
        };
        self.ack(seat, ack);
        if open.is_some() {
            self.choose(seat, EngineChoice::Illegal);
        }
    }

    /// Plays for a seat whose time is up: it passes on a claim, else it discards the drawn tile.
    /// Its bank is empty afterwards.
    pub fn time_out(&mut self, seat: Seat, elapsed_ms: u64) {
        let Some(asked) = self.seats[seat]
            .asked
            .as_ref()
            .filter(|asked| asked.choice.is_none())
        else {
            return;
        };
        let choice = default_choice(&asked.question);
        let action = played(&asked.question, choice);
        let bank_consumed_ms = std::mem::take(&mut self.seats[seat].bank_ms);
        let ack = AckOut {
            action: action.as_ref(),
            bank_consumed_ms,
            elapsed_ms: Some(elapsed_ms),
            ..self.blank_ack(seat, AckStatus::Defaulted)
        };
        self.ack(seat, ack);
        self.choose(seat, choice);
    }

    /// Plays default actions for a seat until the end, because its connection was lost.
    pub fn drop_seat(&mut self, seat: Seat) {
        let state = &mut self.seats[seat];
        if state.player != SeatKind::Client || self.engine.is_over() {
            return;
        }
        state.player = SeatKind::Dropped;
        self.outbox.retain(|frame| frame.seat != seat);
        if let Some(asked) = state.asked.as_mut().filter(|asked| asked.choice.is_none()) {
            asked.choice = Some(default_choice(&asked.question));
        }
    }

    /// Number of a seat's messages that answered no open request.
    pub(crate) fn stray(&self, seat: Seat) -> u32 {
        let SeatAckCounts {
            stale, unparseable, ..
        } = self.seats[seat].acks;
        stale.saturating_add(unparseable)
    }

    /// The events so far, with nothing hidden.
    pub fn events(&self) -> &[Event] {
        self.engine.events()
    }

    /// The same as mjai JSON; `start_game` names the players.
    pub fn record(&self) -> &[String] {
        &self.record
    }

    /// The results so far, in seat order.
    pub fn results(&self) -> Vec<SeatResult> {
        let scores = self.engine.scores();
        self.seats
            .iter()
            .map(|(seat, state)| SeatResult {
                player: match state.player {
                    SeatKind::BuiltIn => ArenaPlayer::BuiltIn,
                    SeatKind::Client | SeatKind::Dropped => ArenaPlayer::Client,
                },
                name: self.names[seat.index()].clone(),
                score: scores[seat],
                rank: scores.place(seat),
                requests: state.requests,
                acks: state.acks,
                chombo: state.chombo,
                dropped: state.player == SeatKind::Dropped,
            })
            .collect()
    }

    fn open_request(&self, seat: Seat) -> Option<u64> {
        self.seats[seat]
            .asked
            .as_ref()
            .filter(|asked| asked.choice.is_none())
            .map(|asked| asked.id)
    }

    fn choose(&mut self, seat: Seat, choice: EngineChoice) {
        if let Some(asked) = &mut self.seats[seat].asked {
            asked.choice = Some(choice);
        }
    }

    /// Judges a well-formed reply to the open request.
    fn judge(&mut self, seat: Seat, reply: &Reply<'_>, text: &str, elapsed_ms: u64) {
        let state = &mut self.seats[seat];
        let Some(asked) = &state.asked else { return };
        let bank_consumed_ms = elapsed_ms
            .saturating_sub(self.time.grace_ms)
            .min(state.bank_ms);
        state.bank_ms -= bank_consumed_ms;
        let elapsed_ms = Some(elapsed_ms);
        match select(&asked.question.offers, reply) {
            Some(place) => {
                let ack = self.blank_ack(seat, AckStatus::Accepted);
                self.ack(
                    seat,
                    AckOut {
                        bank_consumed_ms,
                        elapsed_ms,
                        ..ack
                    },
                );
                self.choose(seat, EngineChoice::Offer(place));
            }
            None => {
                let mut legal_types: Vec<_> = asked
                    .question
                    .offers
                    .iter()
                    .map(|offer| offer.entry.kind.name())
                    .collect();
                legal_types.sort_unstable();
                legal_types.dedup();
                let reason = format!("illegal action: {}", reply.kind.name());
                let ack = AckOut {
                    attempted: Some(text),
                    bank_consumed_ms,
                    elapsed_ms,
                    legal_types: &legal_types,
                    reason: Some(&reason),
                    ..self.blank_ack(seat, AckStatus::Rejected)
                };
                self.ack(seat, ack);
                self.choose(seat, EngineChoice::Illegal);
            }
        }
    }

    /// An ack of the latest request of the seat, with only the status and the bank.
    fn blank_ack(&self, seat: Seat, status: AckStatus) -> AckOut<'static> {
        let state = &self.seats[seat];
        AckOut {
            action: None,
            attempted: None,
            bank_consumed_ms: 0,
            bank_ms: state.bank_ms,
            elapsed_ms: None,
            legal_types: &[],
            reason: None,
            request_id: i64::try_from(state.last_request).unwrap_or(i64::MAX),
            status,
        }
    }

    fn ack(&mut self, seat: Seat, ack: AckOut<'_>) {
        let counts = &mut self.seats[seat].acks;
        match ack.status {
            AckStatus::Accepted => counts.accepted += 1,
            AckStatus::Rejected => counts.rejected += 1,
            AckStatus::Unparseable => counts.unparseable += 1,
            AckStatus::Stale => counts.stale += 1,
            AckStatus::Defaulted => counts.defaulted += 1,
            AckStatus::Other(_) => {}
        }
        self.outbox.push_back(Outgoing {
            seat,
            text: ack_json(&ack),
            deadline_ms: None,
        });
    }

    /// Sends every seat the events since the last time.
    fn relay_events(&mut self) {
        for event in &self.engine.events()[self.relayed..] {
            self.record.push(match event {
                Event::StartGame { .. } => start_game_with_names(&self.names),
                Event::Hora(hora) => {
                    let score = self.engine.wins()[self.wins_told];
                    self.wins_told += 1;
                    won_json(hora, &score)
                }
                _ => event_json(event),
            });
            for (seat, state) in self.seats.iter_mut() {
                if matches!(event, Event::StartKyoku(_)) {
                    state.bank_ms = self.time.bank_ms;
                }
                if state.player == SeatKind::Client {
                    let text = event_json(&told(event, seat));
                    self.outbox.push_back(Outgoing {
                        seat,
                        text,
                        deadline_ms: None,
                    });
                }
            }
        }
        self.relayed = self.engine.events().len();
    }

    /// Asks the seats that have to act. Seats without a player answer at once.
    fn ask(&mut self) {
        for question in self.engine.questions() {
            let seat = question.seat;
            // All seats share the count of requests, so a client sees gaps.
            self.last_request += 1;
            let id = self.last_request;
            let state = &mut self.seats[seat];
            state.last_request = id;
            if state.player != SeatKind::Client {
                let choice = Some(default_choice(&question));
                state.asked = Some(AskedFrame {
                    id,
                    question,
                    choice,
                });
                continue;
            }
            state.requests += 1;
            let deadline_ms = self.time.grace_ms.saturating_add(state.bank_ms);
            let entries: Vec<PossibleAction> = question
                .offers
                .iter()
                .map(|offer| offer.entry.clone())
                .collect();
            let text = request_json(&RequestOut {
                observation: &question.observation,
                possible_actions: &entries,
                request_id: id,
                time: RequestTime {
                    bank_ms: Some(state.bank_ms),
                    deadline_ms: Some(deadline_ms),
                    grace_ms: Some(self.time.grace_ms),
                },
            });
            state.asked = Some(AskedFrame {
                id,
                question,
                choice: None,
            });
            self.outbox.push_back(Outgoing {
                seat,
                text,
                deadline_ms: Some(deadline_ms),
            });
            while self.waits_for(seat)
                && let Some(early) = self.seats[seat].early.pop_front()
            {
                self.receive(seat, &early, 0);
            }
        }
    }
}

/// The default action of a silent seat: passing on a claim, else discarding the drawn tile, else
/// the last discard in the list.
fn default_choice(question: &EngineQuestion) -> EngineChoice {
    let place = |kind| {
        question
            .offers
            .iter()
            .rposition(|offer| offer.entry.kind == kind)
    };
    let drawn = || question.offers.iter().position(|offer| offer.drawn);
    EngineChoice::Offer(
        place(ActionKind::None)
            .or_else(drawn)
            .or_else(|| place(ActionKind::Dahai))
            .unwrap_or(0),
    )
}

/// The chosen offer, with a discard marked as the drawn tile or not.
fn played(question: &EngineQuestion, choice: EngineChoice) -> Option<PossibleAction> {
    let EngineChoice::Offer(place) = choice else {
        return None;
    };
    let offer = question.offers.get(place)?;
    let tsumogiri = (offer.entry.kind == ActionKind::Dahai).then_some(offer.drawn);
    Some(PossibleAction {
        tsumogiri,
        ..offer.entry.clone()
    })
}

/// The event in the public arena's form for a seat: with its number at the start, and without
/// scores at the end.
fn told(event: &Event, seat: Seat) -> Event {
    match event {
        Event::StartGame { .. } => Event::StartGame { seat: Some(seat) },
        Event::EndGame { .. } => Event::EndGame { scores: None },
        _ => event.masked_for(seat),
    }
}

fn start_game_with_names(names: &[String]) -> String {
    serde_json::json!({ "names": names, "type": "start_game" }).to_string()
}

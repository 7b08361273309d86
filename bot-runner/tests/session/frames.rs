//! Frames as the arena writes them, composed by hand, and a session that hears them.

use bot_runner::session::riichilab::{Goal, Session, Step};
use mahjong::{Action, LegalActions, Rules, Seat};
use serde_json::{Value, json};

/// Our seat in these games. The dealer is seat 0, so we are next after his discard.
pub const SEAT: u8 = 1;

/// A hand far from everything, with a pair of 4p.
pub const PLAIN: &str = "1m 6m 4p 4p 8p 1s 3s 5s 6s 6s 7s F C";

pub fn names(tiles: &str) -> Vec<&str> {
    tiles.split_whitespace().collect()
}

pub fn start_game(seat: u8) -> Value {
    json!({"id": seat, "type": "start_game"})
}

/// East 1 with our hand dealt and the others' hidden.
pub fn start_kyoku(seat: u8, hand: &str) -> Value {
    let mut tehais = vec![vec!["?"; 13]; 4];
    tehais[usize::from(seat)] = names(hand);
    json!({
        "bakaze": "E", "dora_marker": "2m", "honba": 0, "kyotaku": 0, "kyoku": 1, "oya": 0,
        "scores": [25000, 25000, 25000, 25000], "tehais": tehais, "type": "start_kyoku",
    })
}

pub fn tsumo(actor: u8, pai: &str) -> Value {
    json!({"actor": actor, "pai": pai, "type": "tsumo"})
}

pub fn dahai(actor: u8, pai: &str, tsumogiri: bool) -> Value {
    json!({"actor": actor, "pai": pai, "tsumogiri": tsumogiri, "type": "dahai"})
}

pub fn end_kyoku() -> Value {
    json!({"type": "end_kyoku"})
}

pub fn end_game() -> Value {
    json!({"type": "end_game"})
}

pub fn ryukyoku(deltas: [i32; 4]) -> Value {
    json!({"deltas": deltas, "reason": "exhaustive_draw", "type": "ryukyoku"})
}

/// A request with these entries.
pub fn request(request_id: u64, entries: impl IntoIterator<Item = Value>) -> Value {
    json!({
        "possible_actions": entries.into_iter().collect::<Vec<_>>(), "request_id": request_id,
        "time": {"bank_ms": 15000, "deadline_ms": 18000, "grace_ms": 3000}, "type": "request_action",
    })
}

pub fn ack(request_id: u64, status: &str) -> Value {
    json!({
        "bank_consumed_ms": 0, "bank_ms": 15000, "elapsed_ms": 41, "request_id": request_id, "status": status,
        "type": "action_ack",
    })
}

/// An entry without tiles.
pub fn bare(kind: &str) -> Value {
    json!({"type": kind})
}

/// An entry for a call.
pub fn call(kind: &str, pai: &str, consumed: &str) -> Value {
    json!({"consumed": names(consumed), "pai": pai, "type": kind})
}

/// An entry for each of these discards.
pub fn discards(tiles: &str) -> Vec<Value> {
    names(tiles).iter().map(|pai| json!({"pai": pai, "type": "dahai"})).collect()
}

/// A session that hears frames.
pub struct Player {
    pub session: Session,
}

impl Player {
    /// A connection just opened.
    pub fn new(goal: Goal) -> Self {
        Self { session: Session::new(goal, Rules::TENHOU_HALF) }
    }

    /// In a game, dealt this hand; the dealer has drawn.
    pub fn dealt(hand: &str) -> Self {
        let mut player = Self::new(Goal::Ranked);
        player.hear_all([start_game(SEAT), start_kyoku(SEAT, hand), tsumo(0, "?")]);
        player
    }

    /// The dealer has thrown a tile from his hand.
    pub fn offered(hand: &str, pai: &str) -> Self {
        let mut player = Self::dealt(hand);
        player.hear_all([dahai(0, pai, false)]);
        player
    }

    /// We have drawn a tile, after a discard of the dealer's that gave us no claim.
    pub fn drawn(hand: &str, pai: &str) -> Self {
        let mut player = Self::offered(hand, "N");
        player.hear_all([tsumo(SEAT, pai)]);
        player
    }

    pub fn hear(&mut self, frame: &Value) -> Step {
        self.session.on_frame(&frame.to_string())
    }

    /// Hears frames that ask nothing.
    pub fn hear_all(&mut self, frames: impl IntoIterator<Item = Value>) {
        for frame in frames {
            let step = self.hear(&frame);
            assert!(matches!(step, Step::Happened(_) | Step::Nothing), "{frame}: {step:?}");
        }
    }

    /// Hears a request that leaves something to decide; gives back the choices.
    #[track_caller]
    pub fn asked(&mut self, request: &Value) -> LegalActions {
        let step = self.hear(request);
        assert_eq!(step, Step::Ask, "{request}");
        self.session.question().expect("something is asked").legal.clone()
    }

    /// Hears a request that the session answers by itself; gives back the reply.
    #[track_caller]
    pub fn answered(&mut self, request: &Value) -> Value {
        match self.hear(request) {
            Step::Reply(reply) => serde_json::from_str(&reply).expect("a reply is JSON"),
            step => panic!("{request}: {step:?}"),
        }
    }

    /// Chooses from the open question; gives back the reply.
    #[track_caller]
    pub fn choose(&mut self, wanted: Action) -> Value {
        let question = self.session.question().expect("something is asked");
        let index = question.legal.iter().position(|&action| action == wanted);
        assert!(index.is_some(), "{wanted:?} is no choice of {:?}", question.legal);
        let reply = self.session.answer(question.request_id, index).expect("the request is open");
        serde_json::from_str(&reply).expect("a reply is JSON")
    }

    pub fn desyncs(&self) -> u32 {
        self.session.desyncs.total()
    }

    /// Counts after the last request has been compared with our own picture.
    pub fn desyncs_reviewed(&mut self) -> u32 {
        self.session.review();
        self.desyncs()
    }

    /// Our closed tiles, sorted, as names.
    pub fn hand(&self) -> String {
        let table = self.session.table().expect("a game is on");
        let names: Vec<&str> = table.hand().tiles().map(|tile| tile.name()).collect();
        names.join(" ")
    }
}

pub fn seat(index: u8) -> Seat {
    Seat::new(index).expect("a seat")
}

pub fn tile(name: &str) -> mahjong::Tile {
    name.parse().expect("a tile")
}

/// A discard.
pub fn throw(name: &str, tsumogiri: bool) -> Action {
    Action::Dahai { tile: tile(name), tsumogiri }
}

/// A riichi with its discard.
pub fn reach(name: &str, tsumogiri: bool) -> Action {
    Action::Reach { tile: tile(name), tsumogiri }
}

/// A chi of the dealer's discard.
pub fn chi(pai: &str, own: [&str; 2]) -> Action {
    Action::Chi { target: seat(0), tile: tile(pai), consumed: own.map(tile) }
}

/// A pon of the dealer's discard.
pub fn pon(pai: &str, own: [&str; 2]) -> Action {
    Action::Pon { target: seat(0), tile: tile(pai), consumed: own.map(tile) }
}

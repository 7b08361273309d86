//! A session that hears frames.

use client::session::Dialect;
use client::session::SessionStep;
use client::session::riichilab::{ConnectionGoal, RiichilabSession};
use riichi::{Action, LegalActions, Rules, Seat};
use serde_json::Value;

use crate::common::frames::*;

/// A session that hears frames.
pub(crate) struct Player {
    pub(crate) session: RiichilabSession,
}

impl Player {
    /// A connection just opened.
    pub(crate) fn new(goal: ConnectionGoal) -> Self {
        Self {
            session: RiichilabSession::new(goal, Rules::TENHOU_HALF),
        }
    }

    /// In a game, dealt this hand; the dealer has drawn.
    pub(crate) fn dealt(hand: &str) -> Self {
        let mut player = Self::new(ConnectionGoal::Ranked);
        player.hear_all([start_game(SEAT), start_kyoku(SEAT, hand), tsumo(0, "?")]);
        player
    }

    /// The dealer has discarded a tile from his hand.
    pub(crate) fn offered(hand: &str, pai: &str) -> Self {
        let mut player = Self::dealt(hand);
        player.hear_all([dahai(0, pai, false)]);
        player
    }

    /// We have drawn a tile, after a discard of the dealer's that gave us no claim.
    pub(crate) fn drawn(hand: &str, pai: &str) -> Self {
        let mut player = Self::offered(hand, "N");
        player.hear_all([tsumo(SEAT, pai)]);
        player
    }

    pub(crate) fn hear(&mut self, frame: &Value) -> Vec<SessionStep> {
        self.session.hear(&frame.to_string()).into_iter().collect()
    }

    /// Hears frames that ask nothing.
    pub(crate) fn hear_all(&mut self, frames: impl IntoIterator<Item = Value>) {
        for frame in frames {
            let steps = self.hear(&frame);
            assert!(
                matches!(&steps[..], [SessionStep::Happened(_)] | []),
                "{frame}: {steps:?}"
            );
        }
    }

    /// Sends a request that leaves a decision; returns the choices.
    #[track_caller]
    pub(crate) fn asked(&mut self, request: &Value) -> LegalActions {
        assert_eq!(self.hear(request), [SessionStep::Ask], "{request}");
        self.session
            .game
            .question()
            .expect("something is asked")
            .legal
            .clone()
    }

    /// Sends a request that the session answers by itself; returns the reply.
    #[track_caller]
    pub(crate) fn answered(&mut self, request: &Value) -> Value {
        let steps = self.hear(request);
        let [SessionStep::Reply(reply)] = &steps[..] else {
            panic!("{request}: {steps:?}")
        };
        serde_json::from_str(reply).expect("a reply is JSON")
    }

    /// Chooses from the open question; returns the reply.
    #[track_caller]
    pub(crate) fn choose(&mut self, wanted: Action) -> Value {
        let question = self.session.game.question().expect("something is asked");
        let index = question.legal.iter().position(|&action| action == wanted);
        assert!(
            index.is_some(),
            "{wanted:?} is not a choice of {:?}",
            question.legal
        );
        let reply = self.session.answer(index).expect("the request is open");
        serde_json::from_str(&reply).expect("a reply is JSON")
    }

    pub(crate) fn desyncs(&self) -> u32 {
        self.session.game.desyncs.total()
    }

    /// Counts after the last request has been compared with our own picture.
    pub(crate) fn desyncs_reviewed(&mut self) -> u32 {
        self.session.review();
        self.desyncs()
    }

    /// Our closed tiles, sorted, as names.
    pub(crate) fn hand(&self) -> String {
        let table = self.session.game.table().expect("a game is on");
        let names: Vec<&str> = table.hand().tiles().map(|tile| tile.name()).collect();
        names.join(" ")
    }
}

pub(crate) fn seat(index: u8) -> Seat {
    Seat::new(index).expect("a seat")
}

pub(crate) fn tile(name: &str) -> riichi::Tile {
    name.parse().expect("a tile")
}

pub(crate) fn throw(name: &str, tsumogiri: bool) -> Action {
    Action::Dahai {
        tile: tile(name),
        tsumogiri,
    }
}

/// A riichi with its discard.
pub(crate) fn reach(name: &str, tsumogiri: bool) -> Action {
    Action::Reach {
        tile: tile(name),
        tsumogiri,
    }
}

/// A chi of the dealer's discard.
pub(crate) fn chi(pai: &str, own: [&str; 2]) -> Action {
    Action::Chi {
        target: seat(0),
        tile: tile(pai),
        consumed: own.map(tile),
    }
}

/// A pon of the dealer's discard.
pub(crate) fn pon(pai: &str, own: [&str; 2]) -> Action {
    Action::Pon {
        target: seat(0),
        tile: tile(pai),
        consumed: own.map(tile),
    }
}

//! The rules: everything that names the engine is in this file.

use std::collections::HashMap;

use mahjong::event::Points;
use mahjong::rules::{Length, Preset};
use mahjong::{Seat, Tile};
use protocol::riichilab::observation::tile;
use protocol::{ActionKind, PossibleAction};
use riichienv_core::action::{Action, ActionType, Phase};
use riichienv_core::rule::GameRule;
use riichienv_core::state::GameState;

use crate::matching::Offer;

/// Players at the engine's table.
pub(crate) const PLAYERS: u8 = 4;

/// The engine came to a state in which nobody is to act and the game is not over, or refused its own list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the rules engine is stuck: {0}")]
pub(crate) struct EngineError(String);

/// A game in the engine, from the deal to the end.
pub(crate) struct Engine {
    state: GameState,
}

/// What the engine asks of one seat.
pub(crate) struct Question {
    pub(crate) seat: Seat,
    /// What the seat may do. Its place in the list names an offer.
    pub(crate) offers: Vec<Offer>,
    legal: Vec<Action>,
    observation: riichienv_core::observation::Observation,
}

/// The answer to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The offer at this place of the list.
    Offer(usize),
    /// Something the engine refuses, so that it deals out the chombo itself.
    Illegal,
}

impl Engine {
    /// Deals the first round.
    pub(crate) fn new(length: Length, preset: Preset, seed: u64) -> Self {
        let mode = match length {
            Length::Single => 0,
            Length::East => 1,
            Length::Half => 2,
        };
        let rule = match preset {
            Preset::Tenhou => GameRule::default_tenhou(),
            Preset::MahjongSoul => GameRule::default_mjsoul(),
        };
        const EAST_ROUND: u8 = 0;
        Self { state: GameState::new(mode, false, Some(seed), EAST_ROUND, rule) }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.state.is_done
    }

    /// How many events there were.
    pub(crate) fn events(&self) -> usize {
        self.state.mjai_log.len()
    }

    /// The event with this number as mjai JSON, with nothing hidden.
    pub(crate) fn event(&self, number: usize) -> &str {
        &self.state.mjai_log[number]
    }

    /// The event with this number as mjai JSON, as the seat may hear of it.
    pub(crate) fn event_for(&self, seat: Seat, number: usize) -> &str {
        &self.state.mjai_log_per_player[seat.index()][number]
    }

    /// What is asked of whom now, in seat order. Nobody is asked when the game is over.
    pub(crate) fn questions(&mut self) -> Result<Vec<Question>, EngineError> {
        let asked: Vec<Seat> = match self.state.phase {
            _ if self.state.is_done => Vec::new(),
            Phase::WaitAct => Seat::new(self.state.current_player).into_iter().collect(),
            Phase::WaitResponse => {
                Seat::all(PLAYERS).filter(|seat| self.state.active_players.contains(&(seat.index() as u8))).collect()
            }
        };
        let questions: Vec<_> =
            asked.into_iter().map(|seat| self.question(seat)).filter(|question| !question.offers.is_empty()).collect();
        if questions.is_empty() && !self.state.is_done {
            return Err(EngineError(format!("nobody is to act in {:?}", self.state.phase)));
        }
        Ok(questions)
    }

    fn question(&mut self, seat: Seat) -> Question {
        let observation = self.state.get_observation(seat.index() as u8);
        let legal = observation.legal_actions_method();
        let drawn = self.state.drawn_tile;
        let offers = legal.iter().map(|action| offer(action, drawn)).collect();
        Question { seat, offers, legal, observation }
    }

    /// Plays on from the answers to all questions until somebody is asked again or the game is over.
    pub(crate) fn answer(&mut self, answers: &[(Question, Choice)]) -> Result<(), EngineError> {
        let legal_before = answers.iter().all(|(_, choice)| *choice != Choice::Illegal);
        let actions: HashMap<u8, Action> =
            answers.iter().map(|(question, choice)| (question.seat.index() as u8, question.action(*choice))).collect();
        self.state.last_error = None;
        self.state.step(&actions);
        if let Some(error) = self.state.last_error.take().filter(|_| legal_before) {
            return Err(EngineError(error));
        }
        while self.state.needs_initialize_next_round && !self.state.is_done {
            self.state.step(&HashMap::new());
        }
        Ok(())
    }

    /// The scores in seat order.
    pub(crate) fn scores(&self) -> Points {
        Points::from_fn(PLAYERS, |seat| self.state.players[seat.index()].score)
    }
}

impl Question {
    /// The observation as base64 of the engine's JSON.
    pub(crate) fn observation(&self) -> Result<String, EngineError> {
        self.observation.serialize_to_base64().map_err(|error| EngineError(error.to_string()))
    }

    fn action(&self, choice: Choice) -> Action {
        match choice {
            Choice::Offer(place) => self.legal[place].clone(),
            // Passing on one's own turn and nine terminals in a claim window are never legal.
            Choice::Illegal => {
                let claim = self.legal.iter().any(|action| action.action_type == ActionType::Pass);
                let kind = if claim { ActionType::KyushuKyuhai } else { ActionType::Pass };
                Action::new(kind, None, Vec::new(), Some(self.seat.index() as u8))
            }
        }
    }
}

fn offer(action: &Action, drawn: Option<u8>) -> Offer {
    let kind = match action.action_type {
        ActionType::Discard => ActionKind::Dahai,
        ActionType::Chi => ActionKind::Chi,
        ActionType::Pon => ActionKind::Pon,
        ActionType::Daiminkan => ActionKind::Daiminkan,
        ActionType::Ankan => ActionKind::Ankan,
        ActionType::Kakan => ActionKind::Kakan,
        ActionType::Kita => ActionKind::Kita,
        ActionType::Riichi => ActionKind::Reach,
        ActionType::Tsumo | ActionType::Ron => ActionKind::Hora,
        ActionType::KyushuKyuhai => ActionKind::Ryukyoku,
        ActionType::Pass => ActionKind::None,
    };
    // The public arena names no tile for a win and for a riichi.
    let names_tile = !matches!(kind, ActionKind::Hora | ActionKind::Reach);
    let consumed = action.consume_tiles.iter().filter_map(|&id| tile(u64::from(id)));
    let entry = PossibleAction {
        kind,
        pai: action.tile.filter(|_| names_tile).and_then(|id| tile(u64::from(id))),
        consumed: in_order(consumed),
        tsumogiri: None,
        target: None,
    };
    Offer { entry, drawn: kind == ActionKind::Dahai && action.tile == drawn }
}

fn in_order<const N: usize>(tiles: impl Iterator<Item = Tile>) -> arrayvec::ArrayVec<Tile, N> {
    let mut tiles: arrayvec::ArrayVec<Tile, N> = tiles.take(N).collect();
    tiles.sort_unstable_by_key(|tile| (tile.kind(), tile.index()));
    tiles
}

//! A game whose players are asked directly: typed events out, actions in, without frames, clocks and JSON.

use arrayvec::ArrayVec;
use mahjong::event::{Points, UraMarkers};
use mahjong::{Action, Event, Rules, Seat};

use crate::engine::{Engine, EngineLog, Mode};
use crate::game::GameError;
use crate::look::{Look, happened};
use crate::seeds::{Purpose, derive};

/// A game in progress. It is over when nobody is asked any more.
pub struct DirectGame {
    engine: Engine,
    look: Look,
    events: Vec<Event>,
    log: Option<EngineLog>,
}

impl DirectGame {
    /// Deals the first round. The walls are those of a [`Game`](crate::Game) with this seed and number. Of the rules the
    /// players, the length and the preset count; the rest is as the preset has it.
    ///
    /// # Errors
    /// When the rules engine fails.
    pub fn new(seed: u64, number: u64, rules: Rules) -> Result<Self, GameError> {
        Self::deal(derive(seed, number, Purpose::Walls), rules.into(), None)
    }

    /// The same, and [`into_log`](Self::into_log) keeps what the engine was told.
    ///
    /// # Errors
    /// When the rules engine fails.
    pub fn logged(seed: u64, number: u64, rules: Rules) -> Result<Self, GameError> {
        let (walls, mode) = (derive(seed, number, Purpose::Walls), Mode::from(rules));
        Self::deal(walls, mode, Some(EngineLog::new(mode, walls)))
    }

    fn deal(walls: u64, mode: Mode, log: Option<EngineLog>) -> Result<Self, GameError> {
        let engine = Engine::silent(mode, walls);
        let look = engine.look();
        let mut game = Self { engine, look, events: vec![Event::StartGame { seat: None }], log };
        game.begin_round()?;
        Ok(game)
    }

    /// What happened since the last answer, nothing hidden.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Who is asked, in seat order; nobody when the game is over.
    #[must_use]
    pub fn asked(&self) -> ArrayVec<Seat, 4> {
        self.engine.asked()
    }

    /// Plays on from what all asked seats do, in seat order. A riichi is complete with its discard.
    ///
    /// # Errors
    /// When an action is not legal, or the rules engine fails; the game cannot go on then.
    pub fn answer(&mut self, moves: &[(Seat, Action)]) -> Result<(), GameError> {
        self.events.clear();
        self.step(moves)?;
        if let &[(seat, Action::Reach { tile, tsumogiri })] = moves {
            self.step(&[(seat, Action::Dahai { tile, tsumogiri })])?;
        }
        Ok(())
    }

    fn step(&mut self, moves: &[(Seat, Action)]) -> Result<(), GameError> {
        let ura: ArrayVec<(Seat, UraMarkers), 4> = moves
            .iter()
            .filter(|(_, action)| matches!(action, Action::Hora { .. }))
            .map(|&(seat, _)| (seat, self.engine.ura_markers(seat)))
            .collect();
        let played = self.engine.act(moves)?;
        let look = self.engine.look();
        happened(&self.look, moves, &ura, &look, &mut self.events);
        self.look = look;
        if let Some(log) = &mut self.log {
            log.push(played);
        }
        if matches!(self.events.last(), Some(Event::EndKyoku)) {
            self.begin_round()?;
        }
        Ok(())
    }

    fn begin_round(&mut self) -> Result<(), GameError> {
        self.events.push(Event::StartKyoku(self.engine.start_kyoku()?));
        self.events.push(Event::Tsumo { actor: self.look.turn, tile: self.look.drawn });
        Ok(())
    }

    /// The scores in seat order.
    #[must_use]
    pub fn scores(&self) -> Points {
        self.engine.scores()
    }

    /// What the engine was told, if it was to be kept.
    #[must_use]
    pub fn into_log(self) -> Option<EngineLog> {
        self.log
    }
}

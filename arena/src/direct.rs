//! A game whose players are asked directly: typed events out, actions in, without frames, clocks and JSON.

use arrayvec::ArrayVec;
use mahjong::event::{Points, UraMarkers};
use mahjong::rules::{Length, Preset};
use mahjong::{Action, Event, Seat};

use crate::engine::{Engine, EngineLog};
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
    /// Deals the first round. The walls are those of a [`Game`](crate::Game) with this seed and number.
    ///
    /// # Errors
    /// When the rules engine fails.
    pub fn new(seed: u64, number: u64, length: Length, preset: Preset) -> Result<Self, GameError> {
        Self::deal(derive(seed, number, Purpose::Walls), length, preset, None)
    }

    /// The same, and [`into_log`](Self::into_log) keeps what the engine was told.
    ///
    /// # Errors
    /// When the rules engine fails.
    pub fn logged(seed: u64, number: u64, length: Length, preset: Preset) -> Result<Self, GameError> {
        let walls = derive(seed, number, Purpose::Walls);
        Self::deal(walls, length, preset, Some(EngineLog::new(length, preset, walls)))
    }

    fn deal(walls: u64, length: Length, preset: Preset, log: Option<EngineLog>) -> Result<Self, GameError> {
        let engine = Engine::silent(length, preset, walls);
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

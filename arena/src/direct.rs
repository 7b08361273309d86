//! A game whose players are asked directly: typed events out, actions in, without frames, clocks and JSON.

use arrayvec::ArrayVec;
use riichi::event::Points;
use riichi::{Action, Event, Rules, Seat, game};

use crate::error::ArenaGameError;
use crate::seeds::{SeedPurpose, derive};

/// A game in progress. It is over when nobody is asked any more.
pub struct DirectGame(game::Game);

impl DirectGame {
    /// Deals the first round. The walls are those of a [`Game`](crate::Game) with this seed and number.
    ///
    /// # Errors
    /// None. The result is for those who deal games in one breath with playing them.
    pub fn new(seed: u64, number: u64, rules: Rules) -> Result<Self, ArenaGameError> {
        Ok(Self(game::Game::new(rules, derive(seed, number, SeedPurpose::Walls))))
    }

    /// What happened since the last answer, nothing hidden.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        self.0.events()
    }

    /// Who is asked, in seat order; nobody when the game is over.
    #[must_use]
    pub fn asked(&self) -> ArrayVec<Seat, 4> {
        self.0.asked()
    }

    /// Plays on from what all asked seats do. A riichi is complete with its discard.
    ///
    /// # Errors
    /// When an action is not legal; the game then waits for another answer of its seat.
    pub fn answer(&mut self, moves: &[(Seat, Action)]) -> Result<(), ArenaGameError> {
        Ok(moves.iter().try_for_each(|&(seat, action)| self.0.answer(seat, action))?)
    }

    /// The scores in seat order.
    #[must_use]
    pub fn scores(&self) -> Points {
        *self.0.scores()
    }
}

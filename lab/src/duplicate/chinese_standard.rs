//! Hands of Chinese Standard mahjong by the rules of Botzone's judge.

use mcr::event::PLAYERS;
use mcr::game::StandardWalls;
use mcr::{StandardAction, StandardEvent, StandardGame, StandardRules};
use policy_host::{ChineseStandardTable, GameKind};
use protocol::game_record::StandardRecordForm;
use riichi::{Seat, Wind};

use super::game::{DuplicateGame, GameEnd};

/// A hand of Chinese Standard mahjong. The wind of the round goes round with the walls.
#[derive(Debug)]
pub struct ChineseStandardGame {
    game: StandardGame,
    prevalent_wind: Wind,
}

fn seat(index: usize) -> Seat {
    Seat::new(index as u8).expect("there are four seats")
}

impl DuplicateGame for ChineseStandardGame {
    type Table = ChineseStandardTable;
    type Record = StandardRecordForm;
    const KIND: GameKind = GameKind::ChineseStandard;
    const SEATS: usize = PLAYERS as usize;

    fn new(seed: u64, wall: u64) -> Self {
        let rules = StandardRules::default();
        let walls = StandardWalls::shuffled(riichi::rng::Rng::keyed(&[seed, wall]).next_u64(), rules);
        let prevalent_wind = Wind::ALL[(wall % 4) as usize];
        Self { game: StandardGame::new(walls, prevalent_wind, rules), prevalent_wind }
    }

    fn table(&self, index: usize) -> ChineseStandardTable {
        ChineseStandardTable::new(seat(index), StandardRules::default())
    }

    fn deal(&self, index: usize) -> StandardEvent {
        // Without flowers in the walls none is laid down.
        let (prevalent_wind, hand) = (self.prevalent_wind, *self.game.dealt(seat(index)));
        StandardEvent::Dealt { prevalent_wind, hand, flowers: [0; 4] }
    }

    fn events(&self) -> &[StandardEvent] {
        self.game.events()
    }

    fn heard(event: &StandardEvent, index: usize) -> StandardEvent {
        event.hidden_from(seat(index))
    }

    fn answer(&mut self, answers: &[Option<StandardAction>]) {
        self.game.answer(std::array::from_fn(|index| answers[index]));
    }

    fn end(&self) -> Option<GameEnd> {
        let end = self.game.end()?;
        Some(GameEnd { scores: end.scores().map(f64::from).to_vec(), outcome: end.into() })
    }
}

//! Hands of Chinese Standard mahjong by the rules of Botzone's judge.

use arrayvec::ArrayVec;
use mcr::event::PLAYERS;
use mcr::game::McrWalls;
use mcr::{McrAction, McrEvent, McrGame, McrRules};
use policy_host::{GameKind, McrTable};
use protocol::game_record::McrRecordForm;
use riichi::Seat;
use riichi::rng::Rng;
use riichi::{MAX_PLAYERS, Wind};

use super::definition::{Game, RecordedGame};
use super::measure::Measure;
use super::played::GameEnd;

/// A hand of Chinese Standard mahjong. The wind of the round goes round with the walls.
#[derive(Debug, Clone)]
pub struct PlayableMcr {
    game: McrGame,
    prevalent_wind: Wind,
    /// How many events came before the last answers.
    told: usize,
}

fn seat(index: usize) -> Seat {
    Seat::new(index as u8).expect("there are four seats")
}

impl Game for PlayableMcr {
    type Rules = McrRules;
    type Table = McrTable;
    const KIND: GameKind = GameKind::Mcr;
    /// Between `cs-fan` and `cs-eight-step` walls differ with a standard deviation of 14 points, so that hardly any reaches the cap.
    const MEASURE: Measure = Measure::Points { cap: 64 };

    fn usual_rules(_: u8) -> McrRules {
        McrRules::default()
    }

    fn players(_: &McrRules) -> usize {
        PLAYERS.into()
    }

    fn new(rules: McrRules, seed: u64, wall: u64) -> Self {
        let walls = McrWalls::shuffled(Rng::keyed(&[seed, wall]).next_u64(), rules);
        let prevalent_wind = Wind::ALL[(wall % 4) as usize];
        Self { game: McrGame::new(walls, prevalent_wind, rules), prevalent_wind, told: 0 }
    }

    fn table(rules: McrRules, index: usize) -> McrTable {
        McrTable::new(seat(index), rules)
    }

    fn deal(&self, index: usize) -> Option<McrEvent> {
        // Without flowers in the walls none is laid down.
        let (prevalent_wind, hand) = (self.prevalent_wind, *self.game.dealt(seat(index)));
        Some(McrEvent::Dealt { prevalent_wind, hand, flowers: [0; 4] })
    }

    fn news(&self) -> &[McrEvent] {
        &self.game.events()[self.told..]
    }

    fn heard(event: &McrEvent, index: usize) -> McrEvent {
        event.hidden_from(seat(index))
    }

    /// The judge asks all seats each time.
    fn asked(&self) -> ArrayVec<usize, MAX_PLAYERS> {
        (0..PLAYERS.into()).collect()
    }

    fn answer(&mut self, answers: &[(usize, McrAction)]) -> Result<(), String> {
        self.told = self.game.events().len();
        let of = |index| answers.iter().find(|(seat, _)| *seat == index).map(|(_, action)| *action);
        self.game.answer(std::array::from_fn(of));
        Ok(())
    }

    fn end(&self) -> Option<GameEnd> {
        let end = self.game.end()?;
        Some(GameEnd::of_outcome(end.scores().map(f64::from).to_vec(), end.into()))
    }
}

impl RecordedGame for PlayableMcr {
    type Record = McrRecordForm;
}

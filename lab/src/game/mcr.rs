//! Hands of Chinese Standard mahjong with the rules of Botzone's judge.

use mcr::McrGame;
use policy_host::GameKind;
use protocol::game_record::{GameOutcome, McrRecordForm};

use super::definition::{LabGame, SteppedGame};
use super::measure::Measure;

impl LabGame for McrGame {
    const KIND: GameKind = GameKind::Mcr;
    /// Between `cs-fan` and `cs-eight-step` the standard deviation of a wall's difference is 14 points, so few walls
    /// reach the cap.
    const MEASURE: Measure = Measure::Points { cap: 64 };

    fn outcome(&self) -> Option<GameOutcome> {
        self.end().map(GameOutcome::from)
    }
}

impl SteppedGame for McrGame {
    type Record = McrRecordForm;
}

//! Hands of Chinese Standard mahjong with the rules of Botzone's judge.

use mcr::McrGame;
use policy_host::{GameKind, Measure};
use protocol::game_record::{GameOutcome, McrRecordForm};

use super::definition::{LabGame, NamedGame};

impl NamedGame for McrGame {
    const KIND: GameKind = GameKind::Mcr;
}

impl LabGame for McrGame {
    const MEASURE: Measure = Self::KIND.measure();
    type Form = McrRecordForm;
    const TRIAL_OPPONENTS: &'static str = "three bots that play a random legal action";

    fn outcome(&self) -> Option<GameOutcome> {
        self.end().map(GameOutcome::from)
    }
}

//! Hands of Chinese Standard mahjong with the rules of Botzone's judge.

use mcr::McrGame;
use policy_host::GameKind;
use protocol::game_record::{GameOutcome, McrRecordForm};

use super::definition::LabGame;

impl LabGame for McrGame {
    const KIND: GameKind = GameKind::Mcr;
    type Form = McrRecordForm;
    const TRIAL_OPPONENTS: &'static str = "three bots that play a random legal action";

    fn outcome(&self) -> Option<GameOutcome> {
        self.end().map(GameOutcome::from)
    }
}

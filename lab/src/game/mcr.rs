//! Hands of Chinese Standard mahjong with the rules of Botzone's judge.

use mcr::{McrGame, McrRules};
use policy_host::{GameKind, Measure};
use protocol::game_record::{GameOutcome, McrRecordForm};

use super::definition::{LabGame, NamedGame};
use super::luck::mcr::{McrLuck, weights};
use super::luck::{LuckTerms, LuckWeights};

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

    fn luck(rules: &McrRules) -> Option<Box<dyn LuckTerms<Self>>> {
        Some(Box::new(McrLuck::new(rules)))
    }

    fn luck_weights(rules: &McrRules) -> Option<&'static LuckWeights> {
        weights(rules)
    }
}

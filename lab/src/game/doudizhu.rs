//! Games of Dou Dizhu with bidding, with the rules of Botzone's `FightTheLandlord2`.

use doudizhu::{DouDizhuGame, DouDizhuRules};
use policy_host::{GameKind, Measure};
use protocol::game_record::{DouDizhuRecordForm, GameOutcome};

use super::definition::{LabGame, NamedGame};
use super::luck::doudizhu::{DouDizhuLuck, weights};
use super::luck::{LuckTerms, LuckWeights};

impl NamedGame for DouDizhuGame {
    const KIND: GameKind = GameKind::DouDizhu;
}

impl LabGame for DouDizhuGame {
    const MEASURE: Measure = Self::KIND.measure();
    type Form = DouDizhuRecordForm;
    const TRIAL_OPPONENTS: &'static str = "two bots that play a random legal action";

    fn outcome(&self) -> Option<GameOutcome> {
        self.scores()?;
        // Without a last card the seats are at fault, all three if there is bidding.
        let at_fault = self
            .faults()
            .iter()
            .position(Option::is_some)
            .unwrap_or_default();
        Some(
            self.round()
                .end()
                .map_or(GameOutcome::Fault { seat: at_fault }, GameOutcome::from),
        )
    }

    fn luck(rules: &DouDizhuRules) -> Option<Box<dyn LuckTerms<Self>>> {
        Some(Box::new(DouDizhuLuck::new(rules)))
    }

    fn luck_weights(rules: &DouDizhuRules) -> Option<&'static LuckWeights> {
        weights(rules)
    }
}

//! Games of Dou Dizhu with bidding, by the rules of Botzone's `FightTheLandlord2`.

use doudizhu::DouDizhuGame;
use policy_host::GameKind;
use protocol::game_record::{DouDizhuRecordForm, GameOutcome};

use super::definition::{LabGame, SteppedGame};
use super::measure::Measure;

impl LabGame for DouDizhuGame {
    const KIND: GameKind = GameKind::DouDizhu;
    /// Between two strengths of `doudizhu-split` walls differ with a standard deviation of 3 points, so that hardly any
    /// reaches the cap.
    const MEASURE: Measure = Measure::Points { cap: 24 };

    fn outcome(&self) -> Option<GameOutcome> {
        self.scores()?;
        // Without a last card the seats have erred, all three if there is bidding.
        let at_fault = self.faults().iter().position(Option::is_some).unwrap_or_default();
        Some(self.round().end().map_or(GameOutcome::Fault { seat: at_fault }, GameOutcome::from))
    }
}

impl SteppedGame for DouDizhuGame {
    type Record = DouDizhuRecordForm;
}

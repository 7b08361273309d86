//! Games of Dou Dizhu with bidding, by the rules of Botzone's `FightTheLandlord2`.

use arrayvec::ArrayVec;
use doudizhu::{Card, DouDizhuAction, DouDizhuDeal, DouDizhuEvent, DouDizhuGame, DouDizhuRules, DouDizhuSeat};
use policy_host::{DouDizhuTable, GameKind};
use protocol::game_record::{DouDizhuRecordForm, GameOutcome};
use riichi::MAX_PLAYERS;
use riichi::rng::Rng;

use super::definition::{Game, RecordedGame};
use super::measure::Measure;
use super::played::GameEnd;

/// A game of Dou Dizhu.
#[derive(Debug, Clone)]
pub struct PlayableDouDizhu {
    game: DouDizhuGame,
    /// How many events came before the last answer.
    told: usize,
}

/// Keeps deals apart from other uses of a seed.
const SHUFFLE: u64 = 0x6361_7264_7300;

impl Game for PlayableDouDizhu {
    type Rules = DouDizhuRules;
    type Table = DouDizhuTable;
    const KIND: GameKind = GameKind::DouDizhu;
    /// Between two strengths of `doudizhu-split` walls differ with a standard deviation of 3 points, so that hardly any reaches the cap.
    const MEASURE: Measure = Measure::Points { cap: 24 };

    fn usual_rules(_: u8) -> DouDizhuRules {
        DouDizhuRules::BIDDING
    }

    fn players(_: &DouDizhuRules) -> usize {
        DouDizhuSeat::COUNT
    }

    fn new(rules: DouDizhuRules, seed: u64, wall: u64) -> Self {
        let mut order: Vec<Card> = Card::all().collect();
        Rng::keyed(&[SHUFFLE, seed, wall]).shuffle(&mut order);
        let order: [Card; Card::COUNT] = order.try_into().expect("there are 54 cards");
        Self { game: DouDizhuGame::new(DouDizhuDeal::of_order(&order), rules), told: 0 }
    }

    fn table(rules: DouDizhuRules, _: usize) -> DouDizhuTable {
        DouDizhuTable::new(rules)
    }

    fn deal(&self, index: usize) -> Option<DouDizhuEvent> {
        Some(self.game.deal_event(DouDizhuSeat::new(index as u8).expect("there are three seats")))
    }

    fn news(&self) -> &[DouDizhuEvent] {
        &self.game.events()[self.told..]
    }

    fn heard(event: &DouDizhuEvent, _: usize) -> DouDizhuEvent {
        *event
    }

    fn asked(&self) -> ArrayVec<usize, MAX_PLAYERS> {
        self.game.asked().into_iter().map(DouDizhuSeat::index).collect()
    }

    fn answer(&mut self, answers: &[(usize, DouDizhuAction)]) -> Result<(), String> {
        self.told = self.game.events().len();
        let mut actions = answers.iter().map(|(_, action)| *action);
        actions.try_for_each(|action| self.game.act(action)).map_err(|fault| format!("{fault:?}"))
    }

    fn end(&self) -> Option<GameEnd> {
        let scores = self.game.scores()?.to_vec();
        // Without a last card the seats have erred, all three where there is bidding.
        let at_fault = self.game.faults().iter().position(Option::is_some).unwrap_or_default();
        let outcome = self.game.round().end().map_or(GameOutcome::Fault { seat: at_fault }, GameOutcome::from);
        Some(GameEnd::of_outcome(scores, outcome))
    }
}

impl RecordedGame for PlayableDouDizhu {
    type Record = DouDizhuRecordForm;
}

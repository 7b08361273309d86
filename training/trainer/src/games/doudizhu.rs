//! Dou Dizhu with bidding: a game is worth its points, in units of twelve for a bid of three, of
//! which a landlord wins or loses half a unit and a peasant a quarter without bombs.

use doudizhu::{DouDizhuEvent, DouDizhuGame, DouDizhuRules, DouDizhuSeat};
use doudizhu_learned::DouDizhuLearned;
use doudizhu_learned::features::{DouDizhuDescription, DouDizhuFeatures};
use doudizhu_split::{DouDizhuSplit, SplitEffort};
use lab::game::{GameEnd, GameRules};
use policy_sdk::{
    Answer, CreateError, DecideError, Descriptor, DouDizhu, DouDizhuView, Env, Games, Params,
    Policy,
};
use riichi::{MAX_PLAYERS, WholeGame};

use super::{Gains, Rewards, TrainedGame, mind};
use crate::explorer::ExplorerMind;

/// Points of a unit for each point of the bid.
const POINTS_OF_BID: f64 = 4.0;
/// No game gains or loses more units: bombs and springs double without end.
const MAX_UNITS: f64 = 1.0;

#[derive(Debug)]
pub(crate) struct DouDizhuTraining;

impl TrainedGame for DouDizhuTraining {
    type Game = DouDizhuGame;
    type Features = DouDizhuFeatures;
    type Learned = DouDizhuLearned;
    type Teacher = DouDizhuSplit;
    type Explorer = DouDizhuExplorer;
    type Rewards = UnitsGained;

    const HIDDEN: &'static [&'static str] = &[
        "turns",
        "last-turn",
        "second-last",
        "high-left",
        "bombs-left",
    ];
    const GAMES: u64 = 50_000;
    const MATCH_GAMES: u64 = 3_000;
    const IS_ADJUSTED: bool = false;
    const TEMPERATURE: f32 = 0.01;

    fn rules(players: u8) -> DouDizhuRules {
        DouDizhuGame::usual_rules(players)
    }

    fn game_rules(rules: DouDizhuRules) -> GameRules {
        GameRules::DouDizhu(rules)
    }
}

/// The points at the end, by the highest bid.
#[derive(Debug, Default)]
pub(crate) struct UnitsGained {
    highest_bid: u8,
}

impl Rewards<DouDizhuTraining> for UnitsGained {
    fn new(_: DouDizhuRules, _: u64, _: u64) -> Self {
        Self::default()
    }

    fn hear(&mut self, event: &DouDizhuEvent) -> Option<Gains> {
        if let DouDizhuEvent::Bid { bid, .. } = event {
            self.highest_bid = self.highest_bid.max(*bid);
        }
        None
    }

    fn end(&mut self, end: &GameEnd) -> Gains {
        let unit = POINTS_OF_BID * f64::from(self.highest_bid.max(1));
        let mut gains = [0.0; MAX_PLAYERS];
        for (gain, &score) in gains.iter_mut().zip(&end.scores) {
            *gain = (score / unit).clamp(-MAX_UNITS, MAX_UNITS) as f32;
        }
        gains
    }
}

/// `doudizhu-learned` that draws its choices at random.
#[derive(Debug)]
pub(crate) struct DouDizhuExplorer {
    mind: ExplorerMind,
    decision: DouDizhuDescription,
}

impl Policy for DouDizhuExplorer {
    type Game = DouDizhu;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "doudizhu-explorer",
        name: "Explorer",
        version: env!("CARGO_PKG_VERSION"),
        summary: "Plays for the trainer.",
        games: Games::ThreePlayers,
        params: &[],
    };

    fn create(_: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self {
            mind: mind::<DouDizhuTraining>()?,
            decision: DouDizhuDescription::default(),
        })
    }

    fn decide(
        &mut self,
        view: &DouDizhuView<'_>,
        _: &Env,
        _: &mut Answer,
    ) -> Result<usize, DecideError> {
        let Self { mind, decision } = self;
        decision.describe(view.table(), view.legal(), &SplitEffort::DEFAULT);
        let seat = view.seat().index();
        mind.choose(decision, seat, DouDizhuSeat::COUNT, &mut view.rng())
            .ok_or_else(|| DecideError::Failed("there is nothing to choose from".to_owned()))
    }
}

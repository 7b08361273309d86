//! Chinese Standard mahjong: a hand is worth its points.

use cs_fan::{CsFan, FanParams};
use cs_learned::CsLearned;
use cs_learned::features::{McrDescription, McrFeatures};
use lab::game::{GameEnd, GameRules};
use mcr::event::PLAYERS;
use mcr::{McrEvent, McrGame, McrRules};
use policy_sdk::{
    Answer, CreateError, DecideError, Descriptor, Env, Games, Mcr, McrView, Params, Policy,
};
use riichi::{MAX_PLAYERS, WholeGame};

use super::{Gains, Rewards, TrainedGame, mind};
use crate::explorer::ExplorerMind;

#[derive(Debug)]
pub(crate) struct McrTraining;

impl TrainedGame for McrTraining {
    type Game = McrGame;
    type Features = McrFeatures;
    type Learned = CsLearned;
    type Teacher = CsFan;
    type Explorer = McrExplorer;
    type Rewards = PointsGained;

    const HIDDEN: &'static [&'static str] = &[
        "waiting",
        "one-away",
        "two-away",
        "three-away",
        "waits",
        "tiles-one",
        "win",
        "worth",
        "fan",
    ];
    const GAMES: u64 = 100_000;
    const MATCH_GAMES: u64 = 6_000;
    const IS_ADJUSTED: bool = true;
    const TEMPERATURE: f32 = 0.4;

    fn rules(players: u8) -> McrRules {
        McrGame::usual_rules(players)
    }

    fn game_rules(rules: McrRules) -> GameRules {
        GameRules::Mcr(rules)
    }
}

/// The points at the end of the only hand.
#[derive(Debug)]
pub(crate) struct PointsGained;

impl Rewards<McrTraining> for PointsGained {
    fn new(_: McrRules, _: u64, _: u64) -> Self {
        Self
    }

    fn hear(&mut self, _: &McrEvent) -> Option<Gains> {
        None
    }

    fn end(&mut self, end: &GameEnd) -> Gains {
        let mut gains = [0.0; MAX_PLAYERS];
        for (gain, &score) in gains.iter_mut().zip(&end.scores) {
            *gain = score as f32;
        }
        gains
    }
}

/// `cs-learned` that draws its choices at random.
#[derive(Debug)]
pub(crate) struct McrExplorer {
    mind: ExplorerMind,
    params: FanParams,
    decision: McrDescription,
}

impl Policy for McrExplorer {
    type Game = Mcr;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "cs-explorer",
        name: "Explorer",
        version: env!("CARGO_PKG_VERSION"),
        summary: "Plays for the trainer.",
        games: Games::FourPlayers,
        params: &[],
    };

    fn create(_: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self {
            mind: mind::<McrTraining>()?,
            params: FanParams::default(),
            decision: McrDescription::default(),
        })
    }

    fn decide(
        &mut self,
        view: &McrView<'_>,
        _: &Env,
        _: &mut Answer,
    ) -> Result<usize, DecideError> {
        let Self {
            mind,
            params,
            decision,
        } = self;
        let (table, legal) = (view.table(), view.legal());
        decision.describe(table, legal, view.events(), params);
        let seat = table.seat().index();
        let chosen = mind.choose(decision, seat, PLAYERS.into(), &mut view.rng());
        // Without alternatives, or with a win.
        let certain = || cs_fan::decide(table, legal, params);
        chosen
            .or_else(|| certain().map(|decided| decided.index))
            .ok_or_else(|| DecideError::Failed("there is nothing to choose from".to_owned()))
    }
}

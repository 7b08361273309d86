//! Riichi: a round is worth the places that it changes.

use calculator::places::place_chances;
use defensive_fold::DefensiveFold;
use judge::JudgeOptions;
use judge::features::{DescribedDecision, RiichiFeatures};
use lab::game::{GameEnd, GameRules};
use learned::Learned;
use policy_common::{Calls, Habits, Kans, Strategy};
use policy_sdk::{Answer, CreateError, DecideError, Descriptor, Env, Games, Params, Policy, View};
use riichi::event::StartKyoku;
use riichi::game::{RiichiGame, RoundId};
use riichi::rng::Rng;
use riichi::{Event, MAX_PLAYERS, Rules};

use super::{Gains, Rewards, TrainedGame, mind};
use crate::explorer::ExplorerMind;

/// Number of random continuations of a game from which the expected places before a round are
/// estimated.
const PLACE_DRAWS: u32 = 200;

#[derive(Debug)]
pub(crate) struct RiichiTraining;

impl TrainedGame for RiichiTraining {
    type Game = RiichiGame;
    type Features = RiichiFeatures;
    type Learned = Learned;
    type Teacher = DefensiveFold;
    type Explorer = RiichiExplorer;
    type Rewards = PlacesGained;

    const HIDDEN: &'static [&'static str] = &[
        "tenpai",
        "one-away",
        "two-away",
        "tiles-one",
        "waits",
        "wins",
        "win",
        "dora",
        "open",
    ];
    const GAMES: u64 = 16_000;
    const MATCH_GAMES: u64 = 6_000;
    const IS_ADJUSTED: bool = true;
    const TEMPERATURE: f32 = 0.003;

    fn rules(players: u8) -> Rules {
        match players {
            3 => Rules::TENHOU_HALF.with_players(3),
            _ => Rules::TENHOU_HALF,
        }
    }

    fn game_rules(rules: Rules) -> GameRules {
        GameRules::Riichi(rules)
    }
}

/// The places that each seat can expect, before a round and after it.
#[derive(Debug)]
pub(crate) struct PlacesGained {
    rules: Rules,
    seed: u64,
    wall: u64,
    /// The expected place of each seat before the round.
    expected: Option<[f64; MAX_PLAYERS]>,
}

impl Rewards<RiichiTraining> for PlacesGained {
    fn new(rules: Rules, seed: u64, wall: u64) -> Self {
        Self {
            rules,
            seed,
            wall,
            expected: None,
        }
    }

    fn hear(&mut self, event: &Event) -> Option<Gains> {
        let Event::StartKyoku(start) = event else {
            return None;
        };
        let after = self.expected_before(start);
        let before = self.expected.replace(after)?;
        Some(gained(&before, &after))
    }

    fn end(&mut self, end: &GameEnd) -> Gains {
        let mut after = [0.0; MAX_PLAYERS];
        for (after, &place) in after.iter_mut().zip(&end.places) {
            *after = f64::from(place);
        }
        gained(&self.expected.unwrap_or(after), &after)
    }
}

/// A lower place is better.
fn gained(before: &[f64; MAX_PLAYERS], after: &[f64; MAX_PLAYERS]) -> Gains {
    std::array::from_fn(|seat| (before[seat] - after[seat]) as f32)
}

impl PlacesGained {
    fn expected_before(&self, start: &StartKyoku) -> [f64; MAX_PLAYERS] {
        let round = RoundId {
            bakaze: start.bakaze,
            oya: start.oya,
            honba: start.honba,
        };
        let scores = start.scores.expect("a game played here says its scores");
        let key = [
            self.seed,
            self.wall,
            round.bakaze as u64,
            round.oya.index() as u64,
            round.honba.into(),
        ];
        let chances = place_chances(
            &self.rules,
            &scores,
            start.kyotaku,
            round,
            PLACE_DRAWS,
            &mut Rng::keyed(&key),
        );
        let mut expected = [0.0; MAX_PLAYERS];
        for (expected, chances) in expected.iter_mut().zip(chances.as_slice()) {
            *expected = chances
                .iter()
                .zip(1..)
                .map(|(chance, place)| chance * f64::from(place))
                .sum();
        }
        expected
    }
}

/// `learned` that draws its choices at random.
#[derive(Debug)]
pub(crate) struct RiichiExplorer {
    mind: ExplorerMind,
    options: JudgeOptions,
    decision: DescribedDecision,
}

impl Policy for RiichiExplorer {
    type Game = policy_sdk::RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "explorer",
        name: "Explorer",
        version: env!("CARGO_PKG_VERSION"),
        summary: "Plays for the trainer.",
        games: Games::Both,
        params: &[],
    };

    fn create(_: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self {
            mind: mind::<RiichiTraining>()?,
            options: JudgeOptions {
                habits: Habits {
                    calls: Calls::Yaku,
                    kans: Kans::Safe,
                    kyushu: true,
                },
                always_riichi: false,
                payoff: None,
            },
            decision: DescribedDecision::default(),
        })
    }

    fn decide(
        &mut self,
        view: &View<'_>,
        _: &Env,
        answer: &mut Answer,
    ) -> Result<usize, DecideError> {
        policy_common::decide(self, view, answer)
    }
}

impl Strategy for RiichiExplorer {
    fn habits(&self) -> &Habits {
        &self.options.habits
    }

    fn claim(&mut self, view: &View<'_>, pass: usize, _: &mut Answer) -> usize {
        self.choose(view).unwrap_or(pass)
    }

    fn own_turn(&mut self, view: &View<'_>, _: &mut Answer) -> Result<usize, DecideError> {
        self.choose(view)
            .ok_or_else(|| DecideError::Failed("no discard is listed".to_owned()))
    }
}

impl RiichiExplorer {
    fn choose(&mut self, view: &View<'_>) -> Option<usize> {
        let Self {
            mind,
            options,
            decision,
        } = self;
        let seat = view.seat().index();
        decision.describe(view, &options.judge(view), *options, mind.learns(seat));
        mind.choose(decision, seat, usize::from(view.players()), &mut view.rng())
    }
}

//! A win as `riichienv-core` settles it, in its own game state: yaku, han, fu, and who pays what.
//!
//! The engine's evaluator always counts four yakuman double and knows no liability. Its game state
//! corrects both by the rules' choices, so the tests use that and give it the calls that make a
//! seat liable one by one.

use std::collections::HashMap;

use riichi::MeldKind;
use riichi::rules::Preset;
use riichi::yaku::{WinBy, Yaku};
use riichienv_core::action::{Action, ActionType, Phase};
use riichienv_core::hand_evaluator::HandEvaluator;
use riichienv_core::hand_evaluator_3p::HandEvaluator3P;
use riichienv_core::rule::GameRule;
use riichienv_core::state::GameState;
use riichienv_core::state::wall::WallState;
use riichienv_core::state_3p::GameState3P;
use riichienv_core::state_3p::wall::WallState3P;
use riichienv_core::types::{Conditions, Meld, MeldType, WinResult, Wind};

use crate::cases::{PhysicalMeld, WinCase};

/// The engine's result for a win.
#[derive(Debug)]
pub(crate) struct Settled {
    pub(crate) yaku: Vec<Yaku>,
    pub(crate) han: u32,
    pub(crate) fu: u32,
    pub(crate) yakuman: bool,
    pub(crate) deltas: Vec<i32>,
    pub(crate) liable: Option<u8>,
}

/// The engine with its game states to begin with.
pub(crate) struct WinEngine {
    four: [GameState; 2],
    three: [GameState3P; 2],
}

fn rule(preset: Preset) -> GameRule {
    match preset {
        Preset::Tenhou => GameRule::default_tenhou(),
        Preset::MahjongSoul => GameRule::default_mjsoul(),
    }
}

/// Modes of a single round.
const SINGLE: u8 = 0;
const SINGLE_3P: u8 = 3;

impl WinEngine {
    pub(crate) fn new() -> Self {
        let presets = [Preset::Tenhou, Preset::MahjongSoul];
        Self {
            four: presets.map(|preset| GameState::new(SINGLE, true, Some(1), 0, rule(preset))),
            three: presets
                .map(|preset| GameState3P::new(SINGLE_3P, true, Some(1), 0, rule(preset))),
        }
    }

    /// The result of the win; `None` if the hand has no yaku.
    ///
    /// # Panics
    ///
    /// If the engine does not take the hand for a complete one.
    pub(crate) fn settle(&self, case: &WinCase) -> Option<Settled> {
        let preset = usize::from(case.rules.preset == Preset::MahjongSoul);
        if !evaluate(case).is_win {
            return None;
        }
        let settled = if case.rules.players == 3 {
            settle_3p(&self.three[preset], case)
        } else {
            settle_4p(&self.four[preset], case)
        };
        Some(settled)
    }
}

fn conditions(case: &WinCase) -> Conditions {
    Conditions {
        tsumo: case.by.is_tsumo(),
        riichi: case.riichi.is_some(),
        double_riichi: case.riichi.is_some_and(|riichi| riichi.double),
        ippatsu: case.riichi.is_some_and(|riichi| riichi.ippatsu),
        haitei: case.by == WinBy::LastDraw,
        houtei: case.by == WinBy::LastDiscard,
        rinshan: case.by == WinBy::Replacement,
        chankan: case.by == WinBy::Kan,
        tsumo_first_turn: case.by == WinBy::FirstDraw,
        player_wind: Wind::from(case.at.seat.turns_after(case.at.oya, case.rules.players)),
        round_wind: Wind::from(case.at.bakaze as u8),
        kita_count: case.norths.len() as u8,
        ..Conditions::default()
    }
}

/// The engine's evaluator alone, before the rules' choices.
pub(crate) fn evaluate(case: &WinCase) -> WinResult {
    let (winning, before) = case.closed.split_last().expect("the winning tile");
    let melds = case.melds.iter().map(meld).collect();
    let (dora, ura) = (case.dora_markers.clone(), Vec::new());
    let result = if case.rules.players == 3 {
        HandEvaluator3P::new(before.to_vec(), melds).calc(
            *winning,
            dora,
            ura,
            Some(conditions(case)),
        )
    } else {
        HandEvaluator::new(before.to_vec(), melds).calc(*winning, dora, ura, Some(conditions(case)))
    };
    assert!(result.has_win_shape, "{case:?}");
    result
}

fn meld(PhysicalMeld { kind, tiles, from }: &PhysicalMeld) -> Meld {
    let meld_type = match kind {
        MeldKind::Chi => MeldType::Chi,
        MeldKind::Pon => MeldType::Pon,
        MeldKind::Daiminkan => MeldType::Daiminkan,
        MeldKind::Ankan => MeldType::Ankan,
        MeldKind::Kakan => MeldType::Kakan,
    };
    let mut sorted = tiles.clone();
    sorted.sort_unstable();
    let opens = kind.opens_hand();
    let from_who = if opens { from.index() as i8 } else { -1 };
    Meld::new(
        meld_type,
        sorted,
        opens,
        from_who,
        opens.then_some(tiles[0]),
    )
}

/// Replacement tiles, then indicators, each above its ura. Other places are never read.
fn lay_ura_4p(wall: &mut WallState, case: &WinCase) {
    wall.tiles = vec![0; 4];
    for (&dora, &ura) in case.dora_markers.iter().zip(&case.ura_markers) {
        wall.tiles.extend([dora, ura]);
    }
    wall.rinshan_draw_count = 0;
}

fn lay_ura_3p(wall: &mut WallState3P, case: &WinCase) {
    wall.ura_indicator_tiles[..case.ura_markers.len()].copy_from_slice(&case.ura_markers);
}

/// The game states for four and for three players have the same fields and are of different types.
macro_rules! settle {
    ($name:ident, $state:ty, $lay_ura:ident) => {
        fn $name(start: &$state, case: &WinCase) -> Settled {
            let mut state = start.clone();
            let (seat, target) = (case.at.seat.index() as u8, case.target.index() as u8);
            state.oya = case.at.oya.index() as u8;
            state.round_wind = case.at.bakaze as u8;
            state.honba = case.honba;
            for player in &mut state.players {
                player.hand.clear();
            }
            for physical in &case.melds {
                let PhysicalMeld { kind, tiles, from } = physical;
                let from = from.index() as u8;
                let (&called, own) = tiles.split_first().expect("tiles of a meld");
                if !kind.opens_hand() || *kind == MeldKind::Chi {
                    state.players[usize::from(seat)].melds.push(meld(physical));
                    continue;
                }
                // A pon or open kan is called in the game, for that is where liability comes from.
                state.wall.tiles = vec![0; 40];
                state.wall.drawable_count = 30;
                state.last_discard = Some((from, called));
                let (action, added) = match kind {
                    MeldKind::Daiminkan => (
                        Action::new(
                            ActionType::Daiminkan,
                            Some(called),
                            own.to_vec(),
                            Some(seat),
                        ),
                        None,
                    ),
                    _ => (
                        Action::new(ActionType::Pon, Some(called), own[..2].to_vec(), Some(seat)),
                        own.get(2),
                    ),
                };
                state.players[usize::from(seat)].hand = [own, &[0; 2]].concat();
                state.phase = Phase::WaitResponse;
                state.active_players = vec![seat];
                state.current_claims = HashMap::from([(seat, vec![action.clone()])]);
                state.step(&HashMap::from([(seat, action)]));
                assert_eq!(state.last_error, None, "{case:?}");
                let meld = state.players[usize::from(seat)]
                    .melds
                    .last_mut()
                    .expect("the call was made");
                if let Some(&added) = added {
                    meld.meld_type = MeldType::Kakan;
                    meld.tiles.push(added);
                    meld.tiles.sort_unstable();
                }
            }

            let (&winning, before) = case.closed.split_last().expect("the winning tile");
            let winner = &mut state.players[usize::from(seat)];
            winner.riichi_declared = case.riichi.is_some();
            winner.double_riichi_declared = case.riichi.is_some_and(|riichi| riichi.double);
            winner.ippatsu_cycle = case.riichi.is_some_and(|riichi| riichi.ippatsu);
            winner.kita_tiles = case.norths.clone();
            winner.hand = before.to_vec();
            if case.by.is_tsumo() {
                winner.hand.push(winning);
            }
            $lay_ura(&mut state.wall, case);
            state.wall.dora_indicators = case.dora_markers.clone();
            state.wall.drawable_count = if matches!(case.by, WinBy::LastDraw | WinBy::LastDiscard) {
                0
            } else {
                30
            };
            state.is_rinshan_flag = case.by == WinBy::Replacement;
            state.is_first_turn = case.by == WinBy::FirstDraw;
            let scores: Vec<i32> = state.players.iter().map(|player| player.score).collect();
            let action = if case.by.is_tsumo() {
                state.phase = Phase::WaitAct;
                state.current_player = seat;
                state.active_players = vec![seat];
                state.drawn_tile = Some(winning);
                Action::new(ActionType::Tsumo, Some(winning), Vec::new(), Some(seat))
            } else {
                let action = Action::new(ActionType::Ron, Some(winning), Vec::new(), Some(seat));
                state.phase = Phase::WaitResponse;
                state.active_players = vec![seat];
                state.last_discard = Some((target, winning));
                state.current_claims = HashMap::from([(seat, vec![action.clone()])]);
                let kan = Action::new(ActionType::Kakan, Some(winning), Vec::new(), Some(target));
                state.pending_kan = (case.by == WinBy::Kan).then_some((target, kan));
                action
            };
            state.step(&HashMap::from([(seat, action)]));
            assert_eq!(state.last_error, None, "{case:?}");
            let result = state
                .win_results
                .get(&seat)
                .unwrap_or_else(|| panic!("the engine did not settle {case:?}"));
            Settled {
                yaku: result
                    .yaku
                    .iter()
                    .filter_map(|&id| yaku_by_id(id))
                    .collect(),
                han: result.han,
                fu: result.fu,
                yakuman: result.yakuman,
                deltas: state
                    .players
                    .iter()
                    .zip(scores)
                    .map(|(player, before)| player.score - before)
                    .collect(),
                liable: result.pao_payer,
            }
        }
    };
}

settle!(settle_4p, GameState, lay_ura_4p);
settle!(settle_3p, GameState3P, lay_ura_3p);

/// By the engine's number, which is Mahjong Soul's; `None` for dora.
fn yaku_by_id(id: u32) -> Option<Yaku> {
    Some(match id {
        1 => Yaku::MenzenTsumo,
        2 => Yaku::Riichi,
        3 => Yaku::Chankan,
        4 => Yaku::Rinshan,
        5 => Yaku::Haitei,
        6 => Yaku::Houtei,
        7 => Yaku::Haku,
        8 => Yaku::Hatsu,
        9 => Yaku::Chun,
        10 => Yaku::SeatWind,
        11 => Yaku::RoundWind,
        12 => Yaku::Tanyao,
        13 => Yaku::Iipeikou,
        14 => Yaku::Pinfu,
        15 => Yaku::Chanta,
        16 => Yaku::Ittsuu,
        17 => Yaku::SanshokuDoujun,
        18 => Yaku::DoubleRiichi,
        19 => Yaku::SanshokuDoukou,
        20 => Yaku::Sankantsu,
        21 => Yaku::Toitoi,
        22 => Yaku::Sanankou,
        23 => Yaku::Shousangen,
        24 => Yaku::Honroutou,
        25 => Yaku::Chiitoitsu,
        26 => Yaku::Junchan,
        27 => Yaku::Honitsu,
        28 => Yaku::Ryanpeikou,
        29 => Yaku::Chinitsu,
        30 => Yaku::Ippatsu,
        31..=34 => return None,
        35 => Yaku::Tenhou,
        36 => Yaku::Chiihou,
        37 => Yaku::Daisangen,
        38 => Yaku::Suuankou,
        39 => Yaku::Tsuuiisou,
        40 => Yaku::Ryuuiisou,
        41 => Yaku::Chinroutou,
        42 => Yaku::Kokushi,
        43 => Yaku::Shousuushii,
        44 => Yaku::Suukantsu,
        45 => Yaku::Chuuren,
        47 => Yaku::ChuurenNine,
        48 => Yaku::SuuankouTanki,
        49 => Yaku::KokushiThirteen,
        50 => Yaku::Daisuushii,
        _ => panic!("the engine has a yaku {id}"),
    })
}

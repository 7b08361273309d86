//! Wins and their points against `riichienv-core`, on wins made to have every yaku and every
//! circumstance.

use std::collections::BTreeMap;

use riichi::rules::Preset;
use riichi::score::{Limit, NoWin};
use riichi::yaku::{WinContext, Yaku, has_yaku};
use riichi::{Rules, Wind};

use crate::cases::WinCase;
use crate::checks;
use crate::engine::{Settled, WinEngine};
use crate::random::SplitMix64;
use crate::text::hand_of;

/// How often each yaku and circumstance occurred.
#[derive(Default)]
struct Coverage(BTreeMap<String, u32>);

impl Coverage {
    fn count(&mut self, name: impl Into<String>) {
        *self.0.entry(name.into()).or_default() += 1;
    }

    fn demand(&self, name: &str, least: u32) {
        let found = self.0.get(name).copied().unwrap_or(0);
        assert!(
            found >= least,
            "only {found} of {least} wins with {name}: {:?}",
            self.0
        );
    }
}

/// Why the engine may say something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KnownDifference {
    /// The engine takes the reading with most han even where another has a yakuman; we take the
    /// points.
    YakumanBeforeKazoe,
}

/// Compares a win; returns the rule that explains a difference.
fn compare(engine: &WinEngine, case: &WinCase, coverage: &mut Coverage) -> Option<KnownDifference> {
    let context = WinContext {
        by: case.by,
        riichi: case.riichi,
        seat_wind: Wind::of_seat(case.at.seat, case.at.oya, case.rules.players),
        round_wind: case.at.bakaze,
        open_tanyao: true,
    };
    let ours = case.score();
    let hand = hand_of(
        *case.hand().counts(),
        case.melds().len(),
        case.rules.players,
    );
    assert_eq!(
        has_yaku(&hand, &case.melds(), case.winning().kind(), &context),
        ours.is_ok(),
        "{case:?}"
    );
    let (ours, theirs) = match (ours, engine.settle(case)) {
        (Err(NoWin::NoYaku), None) => {
            coverage.count("no yaku");
            return None;
        }
        (Ok(ours), Some(theirs)) => (ours, theirs),
        (ours, theirs) => panic!("{ours:?}, by the engine {theirs:?}: {case:?}"),
    };
    let Settled {
        mut yaku,
        han,
        fu,
        yakuman,
        deltas,
        liable,
    } = theirs;
    let description = || format!("{ours:?}: {case:?}");
    yaku.sort_unstable();
    for yaku in ours.yaku.iter() {
        coverage.count(yaku.name());
    }
    count_circumstances(case, &ours, coverage);
    if matches!(ours.limit, Some(Limit::Yakuman(_))) && !yakuman {
        return Some(KnownDifference::YakumanBeforeKazoe);
    }
    assert_eq!(
        ours.yaku.iter().collect::<Vec<_>>(),
        yaku,
        "{}",
        description()
    );
    assert_eq!(
        (u32::from(ours.han), u32::from(ours.fu)),
        (han, fu),
        "{}",
        description()
    );
    assert_eq!(
        ours.deltas(case.target).as_slice(),
        deltas,
        "{}",
        description()
    );
    assert_eq!(
        ours.gain(),
        deltas[case.at.seat.index()],
        "{}",
        description()
    );
    assert_eq!(
        ours.liable().map(|seat| seat.index() as u8),
        liable,
        "{}",
        description()
    );
    None
}

fn count_circumstances(case: &WinCase, ours: &riichi::score::Score, coverage: &mut Coverage) {
    let by = if case.by.is_tsumo() { "tsumo" } else { "ron" };
    let dealer = if case.at.seat == case.at.oya {
        "dealer"
    } else {
        "other"
    };
    coverage.count(format!("{by} by the {dealer}"));
    coverage.count(if ours.closed { "closed" } else { "open" });
    if case.honba > 0 {
        coverage.count("honba");
    }
    for (name, dora) in [
        ("dora", ours.dora.dora),
        ("red five", ours.dora.red),
        ("ura", ours.dora.ura),
        ("kita", ours.dora.kita),
    ] {
        if dora > 0 {
            coverage.count(name);
        }
    }
    if let Some(liable) = ours.liable() {
        let who = if liable == case.target && !case.by.is_tsumo() {
            "who dealt in"
        } else {
            by
        };
        coverage.count(format!("liability, {who}, {:?}", case.rules.preset));
        if matches!(ours.limit, Some(Limit::Yakuman(units)) if units > 1) {
            coverage.count("liability with another yakuman");
        }
    }
    coverage.count(match ours.limit {
        None => "below mangan".to_owned(),
        Some(Limit::Yakuman(1)) => "yakuman".to_owned(),
        Some(Limit::Yakuman(_)) => "several yakuman".to_owned(),
        Some(limit) => format!("{limit:?}"),
    });
}

fn compare_all(players: u8, cases: u32, seed: u64) -> Coverage {
    let (engine, mut random, mut coverage) =
        (WinEngine::new(), SplitMix64::new(seed), Coverage::default());
    // Each yaku in turn, and four random hands in each round of them.
    let possible = |yaku: &Yaku| players == 4 || *yaku != Yaku::SanshokuDoujun;
    let mut aims: Vec<Option<Yaku>> = Yaku::all().filter(possible).map(Some).collect();
    aims.extend([None; 4]);
    let mut explained = 0;
    for number in 0..cases as usize {
        let preset = if random.below(2) == 0 {
            Rules::TENHOU_HALF
        } else {
            Rules::MAHJONG_SOUL_HALF
        };
        let case = WinCase::new(
            &mut random,
            Rules { players, ..preset },
            aims[number % aims.len()],
        );
        let choice = compare(&engine, &case, &mut coverage);
        explained += u32::from(choice.is_some());
    }
    assert!(
        explained <= cases / 1000,
        "{explained} wins of {cases} are a yakuman to us and kazoe to the engine"
    );
    for aim in aims.into_iter().flatten() {
        // An aim is missed if the hand has a yakuman as well, or is worth more in another reading.
        coverage.demand(aim.name(), cases / 200);
    }
    coverage
}

#[test]
fn wins_of_four_players_are_worth_what_the_engine_pays() {
    let coverage = compare_all(4, checks(), 20);
    let least = checks() / 500;
    for name in [
        "tsumo by the dealer",
        "tsumo by the other",
        "ron by the dealer",
        "ron by the other",
        "closed",
        "open",
    ] {
        coverage.demand(name, 10 * least);
    }
    for name in [
        "no yaku",
        "honba",
        "dora",
        "red five",
        "ura",
        "below mangan",
        "Mangan",
        "Haneman",
        "Baiman",
    ] {
        coverage.demand(name, 5 * least);
    }
    for name in ["Sanbaiman", "yakuman", "several yakuman"] {
        coverage.demand(name, least);
    }
    for preset in [Preset::Tenhou, Preset::MahjongSoul] {
        for who in ["tsumo", "ron", "who dealt in"] {
            coverage.demand(&format!("liability, {who}, {preset:?}"), checks() / 2000);
        }
    }
    coverage.demand("liability with another yakuman", checks() / 2000);
    coverage.demand("Kazoe", checks() / 2000);
}

#[test]
fn wins_of_three_players_are_worth_what_the_engine_pays() {
    let coverage = compare_all(3, checks() / 4, 21);
    coverage.demand("kita", checks() / 40);
    coverage.demand("tsumo by the other", checks() / 40);
}

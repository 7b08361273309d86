//! Games through the boundary, as policies of the SDK play them.

use std::fmt::Debug;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use cs_eight_step::CsEightStep;
use doudizhu_split::DouDizhuSplit;
use policy_host::{ChosenPolicy, GameKind, Launch, SeatTable, StartOptions};

use super::*;
use crate::game::{ChineseStandardGame, DouDizhuGame, Entrant, Game};

fn seats<G: Game>() -> usize {
    G::players(&G::usual_rules(4))
}

fn entrant<G: Game>(policy: ChosenPolicy) -> Entrant {
    let options = StartOptions {
        bot: "test".to_owned(),
        game: G::KIND,
        players: seats::<G>() as u8,
        config_folder: PathBuf::new(),
        launch: Launch::own(Vec::new()),
    };
    Entrant { policy, options, budget: Duration::from_secs(3), limit: None }
}

fn plan<G: Game>(policy: &ChosenPolicy, walls: u64, jobs: usize) -> DuplicatePlan {
    DuplicatePlan {
        seed: 7,
        entrants: vec![entrant::<G>(policy.clone()), entrant::<G>(policy.clone())],
        seatings: seatings(2, seats::<G>()).expect("two can sit"),
        walls,
        jobs: NonZeroUsize::new(jobs).expect("it is not zero"),
    }
}

fn played<G: Game>(policy: &ChosenPolicy, walls: u64, jobs: usize) -> Vec<WallScores> {
    run::<G>(&plan::<G>(policy, walls, jobs), &AtomicBool::new(false), |_| {}).expect("the games can be played")
}

/// Both bots play by the same policy, so that nothing but the seats tells them apart.
#[track_caller]
fn is_fair_and_without_a_fault(walls: &[WallScores]) {
    for wall in walls {
        assert_eq!((wall.faults.as_slice(), &wall.first_fault), ([0, 0].as_slice(), &None), "wall {}", wall.wall);
        assert!(wall.decisions.iter().all(|&decisions| decisions > 0));
        assert!((wall.scores[0] - wall.scores[1]).abs() < 1e-9, "{wall:?}");
        assert_eq!(wall.wins[0], wall.wins[1], "{wall:?}");
    }
}

#[test]
fn chinese_standard_is_played_through_the_boundary_and_nobody_gains_by_its_seats() {
    is_fair_and_without_a_fault(&played::<ChineseStandardGame>(&ChosenPolicy::of::<CsEightStep>(), 3, 1));
}

#[test]
fn dou_dizhu_is_played_through_the_boundary_and_nobody_gains_by_its_seats() {
    is_fair_and_without_a_fault(&played::<DouDizhuGame>(&ChosenPolicy::of::<DouDizhuSplit>(), 6, 1));
}

#[test]
fn the_same_seed_gives_the_same_walls_on_any_number_of_threads() {
    let policy = ChosenPolicy::of::<DouDizhuSplit>();
    assert_eq!(played::<DouDizhuGame>(&policy, 6, 1), played::<DouDizhuGame>(&policy, 6, 3));
}

/// What each seat is dealt.
fn dealt<G: Game<Table: SeatTable<Event: Debug>>>() -> Vec<String> {
    let game = G::new(G::usual_rules(4), 1, 1);
    (0..seats::<G>()).map(|seat| format!("{:?}", game.deal(seat))).collect()
}

#[test]
fn each_seat_is_dealt_tiles_and_cards_of_its_own() {
    for hands in [dealt::<ChineseStandardGame>(), dealt::<DouDizhuGame>()] {
        for (seat, hand) in hands.iter().enumerate() {
            assert!(!hands[..seat].contains(hand), "seat {seat}: {hand}");
        }
    }
}

#[test]
fn a_policy_of_another_game_is_refused_with_both_names() {
    let policy = ChosenPolicy::of::<DouDizhuSplit>();
    let options =
        StartOptions { game: GameKind::ChineseStandard, players: 4, ..entrant::<DouDizhuGame>(policy.clone()).options };
    let refused =
        ChosenPolicy::choose(policy.library.clone(), &policy.section, &options).expect_err("it is another game's");
    let [problem] = refused.try_into().expect("one thing is wrong");
    assert_eq!(problem.key, "policy.id");
    assert!(
        problem.message.starts_with("the policy doudizhu-split plays doudizhu, and this bot plays chinese-standard"),
        "{}",
        problem.message
    );
}

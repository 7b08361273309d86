//! Every drawn world is possible.

use riichi::game::{Hidden, RiichiGame, SetupError};
use riichi::rng::Rng;
use riichi::waits::waits;
use riichi::{ConcealedHand, Counts, KindSet, Rules, Seat, Table};
use riichi_estimates::belief::Belief;

use crate::games::{each_moment, each_recorded_table};

fn assert_can_be(table: &Table, world: &Hidden) {
    match RiichiGame::from_table(table, world) {
        Ok(_) | Err(SetupError::NothingToDecide(_)) => {}
        Err(error) => panic!("{error}\n{table:?}\n{world:?}"),
    }
}

/// The waits of a hand before its draw.
pub(crate) fn waits_of(table: &Table, world: &Hidden, seat: Seat) -> KindSet {
    let mut counts: Counts = *world.hands[seat].counts();
    let melds = table.player(seat).melds.len();
    if let Some(drawn) = world
        .drawn
        .filter(|_| counts.total() + 3 * melds as u32 == 14)
    {
        counts[drawn.kind()] -= 1;
    }
    ConcealedHand::new(counts, melds, table.rules().players)
        .map_or(KindSet::EMPTY, |hand| waits(&hand))
}

#[test]
fn a_game_can_be_set_up_with_any_world() {
    let mut rng = Rng::keyed(&[1]);
    each_recorded_table(|table, _| {
        if table.phase().is_running() && rng.below(3) == 0 {
            assert_can_be(table, &Belief::of(table).sample(&mut rng));
        }
    });
    for (rules, games) in [
        (Rules::TENHOU_HALF, 4),
        (Rules::MAHJONG_SOUL_HALF, 2),
        (Rules::TENHOU_HALF.with_players(3), 4),
        (
            Rules {
                red_fives: 0,
                ..Rules::TENHOU_HALF
            },
            1,
        ),
    ] {
        each_moment(rules, games, |game| {
            for seat in Seat::all(rules.players) {
                if rng.below(3) == 0 {
                    let table = game.table(seat);
                    assert_can_be(&table, &Belief::of(&table).sample(&mut rng));
                }
            }
        });
    }
}

#[test]
fn a_seat_in_riichi_is_tenpai_and_does_not_wait_for_its_discards_or_passed_tiles() {
    let mut rng = Rng::keyed(&[2]);
    let (mut hands, mut furiten) = (0, 0);
    each_recorded_table(|table, _| {
        if !table.phase().is_running() {
            return;
        }
        let in_riichi = |seat: &Seat| *seat != table.seat() && table.player(*seat).riichi.is_some();
        for seat in Seat::all(4).filter(in_riichi) {
            let world = Belief::of(table).sample(&mut rng);
            let waits = waits_of(table, &world, seat);
            assert!(!waits.is_empty(), "{world:?}");
            hands += 1;
            furiten += u32::from(waits.intersects(table.player(seat).cannot_ron()));
        }
    });
    assert!(hands > 1000, "{hands}");
    // A hand may be in riichi on a wait that it threw a tile of; few are.
    assert!(furiten * 10 < hands, "{furiten} of {hands}");
}

#[test]
fn seats_are_tenpai_at_the_estimated_rate() {
    let mut rng = Rng::keyed(&[3]);
    let (mut said, mut drawn, mut spread) = (0.0, 0.0, 0.0);
    each_recorded_table(|table, _| {
        if !table.phase().is_running() || rng.below(4) > 0 {
            return;
        }
        let belief = Belief::of(table);
        let world = belief.sample(&mut rng);
        for seat in
            Seat::all(4).filter(|&seat| seat != table.seat() && table.player(seat).riichi.is_none())
        {
            let chance = f64::from(belief.tenpai(seat));
            said += chance;
            spread += chance * (1.0 - chance);
            drawn += f64::from(u8::from(!waits_of(table, &world, seat).is_empty()));
        }
    });
    assert!(
        (said - drawn).abs() < 3.0 * f64::sqrt(spread) + 0.01 * said,
        "{drawn} of {said} ± {}",
        spread.sqrt()
    );
}

#[test]
fn the_same_random_numbers_give_the_same_world() {
    let game = RiichiGame::new(Rules::TENHOU_HALF, 7);
    let table = game.table(game.asked()[0]);
    let belief = Belief::of(&table);
    let world = || belief.sample(&mut Rng::keyed(&[4]));
    assert_eq!(world(), world());
    assert_ne!(world(), belief.sample(&mut Rng::keyed(&[5])));
}

//! The stated odds against the drawn worlds.

use riichi::game::RiichiGame;
use riichi::rng::Rng;
use riichi::shanten::shanten;
use riichi::{Kind, Rules, Seat, Table};
use riichi_estimates::belief::Belief;
use riichi_estimates::belief::figures::measured;

use crate::games::{each_moment, each_recorded_table};
use crate::worlds::waits_of;

/// The tables at which a seat is about to discard, one in `of`.
fn some_tables(of: usize) -> Vec<Table> {
    let mut tables = Vec::new();
    let mut place = 0;
    each_recorded_table(|table, _| {
        if table.drawn().is_some() && !table.legal_actions().is_empty() {
            place += 1;
            if place % of == 0 {
                tables.push(table.clone());
            }
        }
    });
    tables
}

fn others(table: &Table) -> impl Iterator<Item = Seat> {
    let own = table.seat();
    Seat::all(table.rules().players).filter(move |&seat| seat != own)
}

#[test]
fn what_certainly_does_not_deal_in_has_no_chance_and_everything_else_one_below_that_of_tenpai() {
    for table in some_tables(3) {
        let belief = Belief::of(&table);
        for seat in others(&table) {
            for kind in Kind::all() {
                let chance = belief.deal_in(seat, kind);
                assert!((0.0..=belief.tenpai(seat)).contains(&chance));
                if table.player(seat).cannot_ron().contains(kind) {
                    assert_eq!(chance, 0.0);
                }
            }
        }
        let own = table.seat();
        assert_eq!(
            (
                belief.tenpai(own),
                belief.deal_in(own, Kind::EAST),
                belief.loss(own, Kind::EAST)
            ),
            (0.0, 0.0, 0.0)
        );
    }
}

#[test]
fn waits_of_riichi_seats_in_worlds_match_the_odds_of_each_sort_of_kind() {
    const WORLDS: usize = 60;
    // By the estimated probability: below 3 %, to 8 %, above.
    let mut sums = [(0.0, 0.0); 3];
    let mut rng = Rng::keyed(&[6]);
    for table in some_tables(1) {
        let belief = Belief::of(&table);
        for seat in others(&table).filter(|&seat| table.player(seat).riichi.is_some()) {
            let waits: Vec<_> = (0..WORLDS)
                .map(|_| waits_of(&table, &belief.sample(&mut rng), seat))
                .collect();
            for kind in Kind::all() {
                let said = f64::from(belief.deal_in(seat, kind));
                if said > 0.0 {
                    let (sum, drawn) =
                        &mut sums[usize::from(said > 0.03) + usize::from(said > 0.08)];
                    *sum += said;
                    *drawn += waits.iter().filter(|waits| waits.contains(kind)).count() as f64
                        / WORLDS as f64;
                }
            }
        }
    }
    for (said, drawn) in sums {
        assert!(said > 10.0 && (drawn / said - 1.0).abs() < 0.15, "{sums:?}");
    }
}

#[test]
fn what_passed_an_open_hand_since_it_changed_hardly_deals_in() {
    let mut looked = 0;
    for table in some_tables(1) {
        let belief = Belief::of(&table);
        for seat in others(&table) {
            let player = table.player(seat);
            let called = player.melds.iter().map(|meld| meld.order).max();
            let changed = player
                .river
                .iter()
                .rev()
                .find(|discard| !discard.tsumogiri)
                .map(|discard| discard.order);
            if player.is_closed() || belief.tenpai(seat) < 0.2 {
                continue;
            }
            for thrower in others(&table).filter(|&thrower| thrower != seat) {
                for discard in table
                    .player(thrower)
                    .river
                    .iter()
                    .filter(|discard| Some(discard.order) > changed.max(called))
                {
                    looked += 1;
                    assert!(
                        belief.deal_in(seat, discard.tile.kind()) < 0.03,
                        "{table:?}"
                    );
                }
            }
        }
    }
    assert!(looked > 50, "{looked}");
}

#[test]
fn hands_of_worlds_come_nearer_to_tenpai_during_the_round() {
    let mut sums = [(0.0, 0.0); 3];
    let mut rng = Rng::keyed(&[7]);
    for table in some_tables(2) {
        let world = Belief::of(&table).sample(&mut rng);
        let game = RiichiGame::from_table(&table, &world).expect("a seat is about to discard");
        for seat in others(&table) {
            let hand = game
                .table(seat)
                .concealed()
                .expect("a round is being played");
            let (steps, hands) = &mut sums[(table.player(seat).river.len() / 5).min(2)];
            *steps += f64::from(shanten(&hand));
            *hands += 1.0;
        }
    }
    let [first, second, third] = sums.map(|(steps, hands)| steps / hands);
    assert!(
        first > second + 0.4 && second > third + 0.2,
        "{first} {second} {third}"
    );
}

#[test]
fn games_of_three_have_their_own_figures() {
    let (mut looked, mut differ) = (0, 0);
    each_moment(Rules::TENHOU_HALF.with_players(3), 2, |game| {
        for seat in game.asked() {
            let table = game.table(seat);
            let belief = Belief::of(&table);
            let by_those_of_four = Belief::by(measured(4), &table);
            for other in others(&table) {
                looked += 1;
                differ += usize::from(belief.tenpai(other) != by_those_of_four.tenpai(other));
                assert!((0.0..=1.0).contains(&belief.tenpai(other)));
                let not_in_play = Kind::new(3).expect("4m");
                assert_eq!(belief.deal_in(other, not_in_play), 0.0);
                assert!(Kind::all().any(|kind| belief.deal_in(other, kind) > 0.0));
            }
        }
    });
    // A seat in riichi is tenpai in both.
    assert!(looked > 100 && differ * 2 > looked, "{differ} of {looked}");
}

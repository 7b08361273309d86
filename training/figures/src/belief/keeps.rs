//! Fits the weights with which hands use each kind, relative to the unseen tiles.
//!
//! These figures affect a hand only through drawn hands, so they are fitted by drawing: in
//! situations with known hands, worlds are drawn, and each trait is raised or lowered by how much
//! more often tiles with it are held than drawn.

use riichi::rng::Rng;
use riichi::waits::waits;
use riichi::{ConcealedHand, Counts, Kind, Seat};
use riichi_estimates::belief::figures::BeliefFigures;
use riichi_estimates::belief::{Belief, KEEP_TRAITS, PlayerFeatures};

use super::samples::JudgedMoment;

/// Rounds of drawing and correcting.
const ROUNDS: usize = 24;
/// Worlds drawn in each situation and round.
const WORLDS: usize = 2;
/// The part of a difference that is corrected: a kind has nine traits, and is in a run with two
/// others.
const STEP: f64 = 0.12;
/// Tiles that speak for it that a trait makes no difference.
const PRIOR: f64 = 30.0;

pub(super) fn fit_keeps(figures: &mut BeliefFigures, situations: &[JudgedMoment]) {
    let held = held(situations);
    for round in 0..ROUNDS {
        let mut rng = Rng::keyed(&[round as u64]);
        let mut drawn = [[0.0; KEEP_TRAITS]; 2];
        for JudgedMoment { judging, .. } in situations {
            let belief = Belief::by(figures, judging);
            let players = judging.rules().players;
            for _ in 0..WORLDS {
                let world = belief.sample(&mut rng);
                for seat in others(judging.seat(), players) {
                    let (hand, melds) =
                        (world.hands[seat].counts(), judging.player(seat).melds.len());
                    add(
                        &mut drawn,
                        &PlayerFeatures::of(judging, seat),
                        hand,
                        is_tenpai(hand, melds, players),
                        1.0 / WORLDS as f64,
                    );
                }
            }
        }
        for ((figures, held), drawn) in figures.keeps.iter_mut().zip(&held).zip(&drawn) {
            for ((figure, held), drawn) in figures.iter_mut().zip(held).zip(drawn) {
                *figure += (STEP * ((held + PRIOR) / (drawn + PRIOR)).ln()) as f32;
            }
        }
    }
}

fn others(seat: Seat, players: u8) -> impl Iterator<Item = Seat> {
    Seat::all(players).filter(move |&other| other != seat)
}

fn is_tenpai(hand: &Counts, melds: usize, players: u8) -> bool {
    ConcealedHand::new(*hand, melds, players).is_ok_and(|hand| !waits(&hand).is_empty())
}

fn held(situations: &[JudgedMoment]) -> [[f64; KEEP_TRAITS]; 2] {
    let mut held = [[0.0; KEEP_TRAITS]; 2];
    for JudgedMoment { judging, tables } in situations {
        for seat in others(judging.seat(), judging.rules().players) {
            let table = &tables[seat.index()];
            add(
                &mut held,
                &PlayerFeatures::of(judging, seat),
                table.hand().counts(),
                !table.waits().is_empty(),
                1.0,
            );
        }
    }
    held
}

fn add(
    sums: &mut [[f64; KEEP_TRAITS]; 2],
    reading: &PlayerFeatures,
    hand: &Counts,
    tenpai: bool,
    weight: f64,
) {
    let sums = &mut sums[usize::from(tenpai)];
    for kind in hand.kinds().iter().collect::<Vec<Kind>>() {
        for &place in &reading.keep_traits(kind) {
            sums[usize::from(place)] += weight * f64::from(hand[kind]);
        }
    }
}

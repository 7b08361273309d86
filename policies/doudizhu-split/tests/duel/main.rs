//! doudizhu-split against opponents that lead their longest combination first.

mod deals;
mod opponents;

use deals::{deal_of, landlord_wins};
use doudizhu_split::SplitEffort;
use opponents::{OPPONENTS, Opponent};

/// Less effort than the policy's default, so that it takes seconds.
const EFFORT: SplitEffort = SplitEffort {
    candidates: 32,
    playouts: 128,
};
/// Each from both sides, always the same ones.
const DEALS: u64 = 60;

/// The share of games won as the landlord and as both peasants.
fn won_against(opponent: Opponent) -> f64 {
    let won = |seed: u64, as_landlord: bool| {
        let landlord_wins = landlord_wins(deal_of(seed), |table, legal| {
            if (table.seat() == table.round().landlord()) == as_landlord {
                legal[doudizhu_split::decide(table, legal, &EFFORT)
                    .expect("something is legal")
                    .index]
            } else {
                opponent(table, legal)
            }
        });
        f64::from(landlord_wins == as_landlord)
    };
    (0..DEALS)
        .map(|seed| won(seed, true) + won(seed, false))
        .sum::<f64>()
        / (2 * DEALS) as f64
}

#[test]
fn it_wins_more_than_55_percent_against_opponents_that_lead_their_longest_combination() {
    for (name, opponent) in OPPONENTS {
        let share = won_against(opponent);
        assert!(share > 0.55, "{share} against `{name}`");
    }
}

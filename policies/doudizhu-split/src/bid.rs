//! Bidding.
//!
//! The probability of winning as the landlord is the share of games won, played out with random
//! public cards and hands of the others. A landlord wins or loses twice the stake, so a bid is
//! worth `2 * bid * (2 * chance - 1)`. That grows with the bid, so the policy bids the maximum or
//! not at all.

use doudizhu::{DouDizhuAction, DouDizhuSeatState, RankCounts, RankMasks};

use crate::choice::{SplitDecision, share_error};
use crate::effort::SplitEffort;
use crate::playout::Playout;
use crate::playout::plan::HandPlan;
use crate::worlds::HiddenCards;

/// The chance to win as the landlord with the cards of the table's seat, before the public cards
/// are known.
pub fn chance_as_landlord(table: &DouDizhuSeatState, effort: &SplitEffort) -> Option<f64> {
    won_as_landlord(table, effort).map(|(won, games)| won as f64 / games as f64)
}

/// Number of games won and played.
fn won_as_landlord(table: &DouDizhuSeatState, effort: &SplitEffort) -> Option<(usize, usize)> {
    let seat = table.seat()?;
    let own = seat.index();
    let mut hidden = HiddenCards::new(table, seat);
    let games = effort.playouts.max(1);
    let won = (0..games)
        .filter(|_| {
            let mut world = hidden.deal();
            world.hands[own] = RankMasks::new(RankCounts::from(table.hand().union(world.rest)));
            world.plans[own] = HandPlan::of(world.hands[own]);
            Playout {
                hands: world.hands,
                plans: world.plans,
                landlord: own,
                turn: own,
                last: None,
            }
            .landlord_wins()
        })
        .count();
    Some((won, games))
}

pub(crate) fn choose_bid(
    table: &DouDizhuSeatState,
    legal: &[DouDizhuAction],
    effort: &SplitEffort,
) -> Option<SplitDecision> {
    let (won, games) = won_as_landlord(table, effort)?;
    let (chance, error) = (won as f64 / games as f64, share_error(won, games));
    let points = |of_bid: &dyn Fn(f64) -> f64| -> Vec<Option<f32>> {
        let bids = legal.iter().map(|action| match action {
            DouDizhuAction::Bid(bid) => Some(of_bid((*bid).into()) as f32),
            DouDizhuAction::Pass | DouDizhuAction::Play(_) => None,
        });
        bids.collect()
    };
    let values = points(&|bid| 2.0 * bid * (2.0 * chance - 1.0));
    let errors = points(&|bid| 4.0 * bid * error);
    let index = (0..values.len()).reduce(|best, index| {
        if values[index] > values[best] {
            index
        } else {
            best
        }
    })?;
    Some(SplitDecision {
        index,
        values,
        errors,
        reason: format!("wins {:.0} % as the landlord", 100.0 * chance),
    })
}

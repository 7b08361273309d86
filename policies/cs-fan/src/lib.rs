//! A strategy for Chinese Standard mahjong that goes for hands of eight fan or more by expected
//! score.
//!
//! It looks for the nearest complete hands of eight fan ([`targets`]) and values each discard, kong
//! and claim by the targets that it leaves: for each the chance that its missing tiles come in
//! time, times what it pays. Whether that wins more than a ladder of simple rules is measured by
//! `tests/duplicate`.

mod policy;
mod simulate;

use mcr::decision::win_if_legal;
use mcr::distance::distance;
use mcr::targets::{Target, TargetSituation, targets};
use mcr::{HandTiles, McrAction, McrDecision, McrSeatState};
use tiles::Kind;

pub use policy::CsFan;
pub use simulate::{SimulatedPoints, simulate};

/// The entry of the library, for the package that exports it and for hosts that have it built in.
pub static ENTRY: policy_sdk::abi::Entry = policy_sdk::entry(
    concat!("cs-fan ", env!("CARGO_PKG_VERSION")),
    &[policy_sdk::policy::<CsFan>()],
);

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FanParams {
    /// The search covers targets that lack up to this many tiles more than the nearest.
    pub beyond: u8,
    /// Number of tiles from others' discards for each own draw, if they may be claimed.
    pub claimed: f32,
    /// The minimum value of a claim, as a multiple of the value of passing.
    pub eagerness: f32,
    /// Which part of the turns that are left is counted on: others win before.
    pub horizon: f32,
}

impl Default for FanParams {
    fn default() -> Self {
        Self {
            beyond: 1,
            claimed: 0.5,
            eagerness: 1.0,
            horizon: 0.2,
        }
    }
}

/// The payment for a win with `fan`, averaged over wins by a discard (24 + fan) and self-drawn ones
/// (24 + 3 fan).
fn payment(fan: u16) -> f32 {
    24.0 + 1.6 * f32::from(fan)
}

/// Chooses among the legal actions of a seat; `None` when there are none.
#[must_use]
pub fn decide(seat: &McrSeatState, legal: &[McrAction], params: &FanParams) -> Option<McrDecision> {
    if let Some(win) = win_if_legal(legal) {
        return Some(win);
    }
    if let [_] = legal {
        return McrDecision::best(vec![0.0], |_| "nothing else".to_owned());
    }
    let outlook = FanOutlook::new(seat, params);
    let mut held: Vec<(HandTiles, HandWorth)> = Vec::new();
    let mut values = Vec::with_capacity(legal.len());
    for &action in legal {
        values.push(outlook.value(action, &mut held));
    }
    McrDecision::best(values.clone(), |index| {
        format!("{} is worth {:.2}", legal[index], values[index])
    })
}

/// The value of a hand, and after each discard of a full one.
struct HandWorth {
    whole: f32,
    after: [f32; tiles::tile::KINDS],
}

/// The expectations of a seat.
struct FanOutlook<'a> {
    seat: &'a McrSeatState,
    params: &'a FanParams,
    situation: TargetSituation,
    /// Tiles that no player has seen, and turns that are left.
    unseen: f32,
    turns: f32,
}

impl<'a> FanOutlook<'a> {
    fn new(seat: &'a McrSeatState, params: &'a FanParams) -> Self {
        let unseen = seat.unseen();
        let situation = TargetSituation {
            seat_wind: seat.seat_wind(),
            prevalent_wind: seat.prevalent_wind(),
            counting: seat.rules().counting,
            unseen,
        };
        let turns = f32::from(seat.public(seat.seat()).wall) * params.horizon;
        Self {
            seat,
            params,
            situation,
            unseen: unseen.total().max(1) as f32,
            turns,
        }
    }

    fn value(&self, action: McrAction, held: &mut Vec<(HandTiles, HandWorth)>) -> f32 {
        let of_claim = match action {
            McrAction::Win => return f32::MAX,
            McrAction::ClaimKong if self.seat.public(self.seat.seat()).wall == 0 => return 0.0,
            McrAction::ClaimPung { .. } | McrAction::ClaimChow { .. } => self.params.eagerness,
            _ => 1.0,
        };
        let Some(hand) = self.seat.with_set_of(action) else {
            return 0.0;
        };
        let worth = self.of(hand, held);
        action.discard().map_or(worth.whole, |discard| {
            worth.after[discard.index()] * of_claim
        })
    }

    fn of<'h>(&self, hand: HandTiles, held: &'h mut Vec<(HandTiles, HandWorth)>) -> &'h HandWorth {
        let place = held
            .iter()
            .position(|(other, _)| *other == hand)
            .unwrap_or_else(|| {
                let worth = self.worth(&hand);
                held.push((hand, worth));
                held.len() - 1
            });
        &held[place].1
    }

    fn worth(&self, hand: &HandTiles) -> HandWorth {
        let mut worth = HandWorth {
            whole: 0.0,
            after: [0.0; tiles::tile::KINDS],
        };
        for target in targets(hand, &self.situation, self.params.beyond) {
            let value = self.chance(hand, &target) * payment(target.fan);
            worth.whole += value;
            for kind in hand.concealed().kinds().iter() {
                if hand.concealed()[kind] > target.needed[kind] {
                    worth.after[kind.index()] += value;
                }
            }
        }
        // Among discards of equal value: the one that fits the others least, then the one seen most
        // often.
        for kind in hand.concealed().kinds().iter() {
            let company: u32 = [-2_i8, -1, 1, 2]
                .into_iter()
                .filter_map(|step| kind.offset(step))
                .map(|other| u32::from(hand.concealed()[other]))
                .sum();
            let copies = u32::from(hand.concealed()[kind]) - 1;
            let kept = 3 * copies + company + u32::from(self.situation.unseen[kind]);
            worth.after[kind.index()] += 1e-4 / (1.0 + kept as f32);
        }
        // Without a target, a hand that is nearer to any win.
        if worth.whole == 0.0 {
            worth.whole = 1e-6 * (14.0 - f32::from(distance(hand)));
        }
        worth
    }

    /// The chance that the missing tiles of a target come in time, each for itself.
    fn chance(&self, hand: &HandTiles, target: &Target) -> f32 {
        let mut chance = 1.0;
        let can_claim = |kind: Kind| {
            if target.lacking == 1 {
                return 3.0;
            }
            let held = hand.concealed()[kind];
            // A pair becomes a pung by any player's discard; a chow needs the previous player's.
            if held >= 2 && target.needed[kind] >= 3 {
                3.0
            } else if kind.is_honour() || held > 0 {
                0.0
            } else {
                0.7
            }
        };
        for kind in target.missing.kinds().iter() {
            for copy in 0..target.missing[kind] {
                let left = f32::from(self.situation.unseen[kind].saturating_sub(copy));
                let each_turn =
                    left / self.unseen * (1.0 + self.params.claimed * 0.4 * can_claim(kind));
                chance *= 1.0 - (-each_turn * self.turns).exp();
            }
        }
        chance
    }
}

#[cfg(test)]
mod tests;

//! A strategy for Chinese Standard mahjong that goes for hands of eight fan or more by expected
//! score.
//!
//! It looks for the nearest complete hands of eight fan ([`targets`](mcr::targets)) and values each
//! discard, kong and claim by the targets that it leaves: for each the chance that its missing
//! tiles come in time, times what it pays. Whether that wins more than a ladder of simple rules is
//! measured by `tests/duplicate`.

mod outlook;
mod policy;
mod simulate;

use mcr::decision::win_if_legal;
use mcr::{McrAction, McrDecision, McrSeatState};

pub use outlook::{ActionWorth, FanOutlook, HandWorth, ValuedTarget, payment};
pub use policy::{CsFan, FAN_PARAMS};
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

/// Chooses among the legal actions of a seat; `None` when there are none.
pub fn decide(seat: &McrSeatState, legal: &[McrAction], params: &FanParams) -> Option<McrDecision> {
    if let Some(win) = win_if_legal(legal) {
        return Some(win);
    }
    if let [_] = legal {
        return McrDecision::best(vec![0.0], |_| "nothing else".to_owned());
    }
    let mut outlook = FanOutlook::new(seat, params);
    let values: Vec<f32> = legal
        .iter()
        .map(|&action| outlook.of_action(action).value)
        .collect();
    McrDecision::best(values.clone(), |index| {
        format!("{} is worth {:.2}", legal[index], values[index])
    })
}

#[cfg(test)]
mod tests;

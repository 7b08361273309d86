//! Calls: what the hand is worth with them and without.

use mahjong::acceptance::{DiscardOption, acceptance};
use mahjong::shanten::shanten;
use policy_common::call;
use policy_sdk::View;

use crate::prospect::{Judge, Prospect, plain_first};

/// A call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OfferedCall {
    /// Its place in the legal list.
    pub(crate) index: usize,
    /// Places gained by it and the best discard after it, in expectation.
    pub(crate) value: f32,
}

/// Places gained by passing.
pub(crate) fn passing(view: &View<'_>, judge: &Judge<'_>) -> f32 {
    judge.gain(&Prospect {
        hand: *view.hand(),
        concealed: *view.concealed(),
        melds: view.melds(),
        shanten: shanten(view.concealed()),
        acceptance: acceptance(view.concealed()),
        thrown: None,
        riichi: false,
    })
}

/// The calls that take the hand no step back, with the best discard after each. What leaves no yaku certain two or more steps
/// from tenpai counts as given up; nearer its wins are counted one by one.
pub(crate) fn possible(view: &View<'_>, judge: &Judge<'_>) -> impl Iterator<Item = OfferedCall> {
    let now = shanten(view.concealed());
    call::offered(view).filter_map(move |offered| {
        let options = offered.discards().into_iter().filter(|option| option.shanten <= now);
        let value = |option: DiscardOption| {
            let gain = judge.gain(&Prospect {
                hand: offered.hand.without(&[plain_first(&offered.hand, option.kind)]).ok()?,
                concealed: offered.concealed.without(option.kind)?,
                melds: &offered.melds,
                shanten: option.shanten,
                acceptance: option.acceptance,
                thrown: Some(option.kind),
                riichi: false,
            });
            Some((1.0 - judge.threats.deal_in(option.kind)) * gain - judge.threats.risk(option.kind))
        };
        let value = options.filter_map(value).reduce(f32::max)?;
        Some(OfferedCall { index: offered.index, value })
    })
}

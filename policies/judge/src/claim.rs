//! Calls: the value of the hand with and without them.

use policy_common::call;
use policy_sdk::View;
use riichi::acceptance::acceptance;
use riichi::shanten::shanten;

use crate::prospect::{Judge, Prospect, Push, plain_first};

#[derive(Debug, Clone, Copy)]
pub(crate) struct OfferedCall {
    /// Its index in the legal list.
    pub(crate) index: usize,
    /// Expected gain in places by it and the best discard after it.
    pub(crate) value: f32,
    /// The gain in places by playing the hand on after that discard.
    pub(crate) push: Option<Push>,
    /// The probability that this discard deals in.
    pub(crate) deal_in: f32,
}

/// The hand when nothing is called.
pub(crate) fn passing<'v>(view: &'v View<'_>) -> Prospect<'v> {
    Prospect {
        hand: *view.hand(),
        concealed: *view.concealed(),
        melds: view.melds(),
        shanten: shanten(view.concealed()),
        acceptance: acceptance(view.concealed()),
        thrown: None,
        riichi: false,
    }
}

/// Visits the calls that take the hand no step back, with the best discard after each. A hand
/// without a certain yaku counts as given up two or more steps from tenpai; nearer to it, its wins
/// are scored one by one.
pub(crate) fn possible(
    view: &View<'_>,
    judge: &Judge<'_>,
    mut visit: impl FnMut(OfferedCall, &Prospect<'_>),
) {
    let now = shanten(view.concealed());
    for offered in call::offered(view) {
        let mut best: Option<(OfferedCall, Prospect<'_>)> = None;
        for option in offered
            .discards()
            .into_iter()
            .filter(|option| option.shanten <= now)
        {
            let (Ok(hand), Some(concealed)) = (
                offered
                    .hand
                    .without(&[plain_first(&offered.hand, option.kind)]),
                offered.concealed.without(option.kind),
            ) else {
                continue;
            };
            let prospect = Prospect {
                hand,
                concealed,
                melds: &offered.melds,
                shanten: option.shanten,
                acceptance: option.acceptance,
                thrown: Some(option.kind),
                riichi: false,
            };
            let (push, deal_in) = (judge.push(&prospect), judge.threats.deal_in(option.kind));
            let gain = judge.course.fold();
            let gain = push.map_or(gain, |push| push.value.max(gain));
            let value = (1.0 - deal_in) * gain - judge.threats.risk(option.kind);
            if best.as_ref().is_none_or(|(best, _)| value > best.value) {
                best = Some((
                    OfferedCall {
                        index: offered.index,
                        value,
                        push,
                        deal_in,
                    },
                    prospect,
                ));
            }
        }
        if let Some((call, prospect)) = best {
            visit(call, &prospect);
        }
    }
}

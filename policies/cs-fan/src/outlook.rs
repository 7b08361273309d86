//! What each action is worth: the targets that it leaves, by their chances and payments.

use mcr::distance::distance;
use mcr::targets::{Target, TargetSituation, targets};
use mcr::{HandTiles, McrAction, McrSeatState};
use tiles::{KINDS, Kind};

use crate::FanParams;

/// The payment for a win with `fan`, averaged over wins by a discard (24 + fan) and self-drawn ones
/// (24 + 3 fan).
pub fn payment(fan: u16) -> f32 {
    24.0 + 1.6 * f32::from(fan)
}

/// A target with its value.
#[derive(Debug, Clone, Copy)]
pub struct ValuedTarget {
    /// The target.
    pub target: Target,
    /// The chance that its missing tiles come in time, each for itself.
    pub chance: f32,
    /// The chance times the payment.
    pub value: f32,
}

/// The value of a hand, and after each discard of a full one.
#[derive(Debug, Clone)]
pub struct HandWorth {
    /// The hand, with the set that was declared.
    pub hand: HandTiles,
    /// Its targets.
    pub targets: Vec<ValuedTarget>,
    whole: f32,
    after: [f32; KINDS],
}

/// The value of an action.
#[derive(Debug, Clone, Copy)]
pub struct ActionWorth {
    /// The value; the strategy takes the highest.
    pub value: f32,
    /// Which of [`FanOutlook::hands`] it leaves, before the discard that belongs to it; `None` if
    /// it leaves none.
    pub hand: Option<usize>,
}

/// The expectations of a seat.
#[derive(Debug)]
pub struct FanOutlook<'a> {
    seat: &'a McrSeatState,
    params: &'a FanParams,
    situation: TargetSituation,
    /// Tiles that no player has seen, and turns that are left.
    unseen: f32,
    turns: f32,
    hands: Vec<HandWorth>,
}

impl<'a> FanOutlook<'a> {
    /// The expectations of this seat.
    pub fn new(seat: &'a McrSeatState, params: &'a FanParams) -> Self {
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
            hands: Vec::new(),
        }
    }

    /// The hands of the actions that were looked at.
    pub fn hands(&self) -> &[HandWorth] {
        &self.hands
    }

    /// The circumstances of its targets.
    pub const fn situation(&self) -> &TargetSituation {
        &self.situation
    }

    /// The value of an action.
    pub fn of_action(&mut self, action: McrAction) -> ActionWorth {
        let none = |value| ActionWorth { value, hand: None };
        let of_claim = match action {
            McrAction::Win => return none(f32::MAX),
            McrAction::ClaimKong if self.seat.public(self.seat.seat()).wall == 0 => {
                return none(0.0);
            }
            McrAction::ClaimPung { .. } | McrAction::ClaimChow { .. } => self.params.eagerness,
            _ => 1.0,
        };
        let Some(hand) = self.seat.with_set_of(action) else {
            return none(0.0);
        };
        let place = self.place_of(hand);
        let worth = &self.hands[place];
        ActionWorth {
            value: action.discard().map_or(worth.whole, |discard| {
                worth.after[discard.index()] * of_claim
            }),
            hand: Some(place),
        }
    }

    fn place_of(&mut self, hand: HandTiles) -> usize {
        let known = self.hands.iter().position(|other| other.hand == hand);
        known.unwrap_or_else(|| {
            let worth = self.worth(hand);
            self.hands.push(worth);
            self.hands.len() - 1
        })
    }

    fn worth(&self, hand: HandTiles) -> HandWorth {
        let (mut whole, mut after) = (0.0, [0.0; KINDS]);
        let valued = |target: Target| {
            let chance = self.chance(&hand, &target);
            ValuedTarget {
                target,
                chance,
                value: chance * payment(target.fan),
            }
        };
        let found = targets(&hand, &self.situation, self.params.beyond);
        let targets: Vec<ValuedTarget> = found.into_iter().map(valued).collect();
        for ValuedTarget { target, value, .. } in &targets {
            whole += value;
            for kind in hand.concealed().kinds().iter() {
                if hand.concealed()[kind] > target.needed[kind] {
                    after[kind.index()] += value;
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
            after[kind.index()] += 1e-4 / (1.0 + kept as f32);
        }
        // Without a target, a hand that is nearer to any win.
        if whole == 0.0 {
            whole = 1e-6 * (14.0 - f32::from(distance(&hand)));
        }
        HandWorth {
            hand,
            targets,
            whole,
            after,
        }
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

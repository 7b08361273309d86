//! Hands drawn for one opponent.

use ::tiles::ConcealedHand;
use ::tiles::KINDS;
use ::tiles::shanten::shanten;
use ::tiles::{Counts, KindSet};
use arrayvec::ArrayVec;
use game_core::rng::Rng;

use super::figures::SHANTEN;
use super::shapes::{WaitShape, WaitShapes};
use super::tiles::{TilePool, choose};
use riichi::meld::Meld;
use riichi::waits::waits;
use riichi::yaku::{WinContext, has_yaku};

/// How often a hand is drawn again when it does not fit.
const ATTEMPTS: usize = 8;
/// Maximum number of draws before giving up.
const MAX_ATTEMPTS: usize = 16 * ATTEMPTS;
/// Probability that a closed hand that waits for the second tile of a pair is seven pairs.
const SEVEN_PAIRS: f64 = 0.35;

/// The possible hands of one opponent.
#[derive(Debug, Clone)]
pub(super) struct HandOdds {
    /// Its melds.
    pub(super) melds: ArrayVec<Meld, 4>,
    /// Players of the game.
    pub(super) players: u8,
    /// The factor, relative to their number, with which it uses copies of each kind when it is not
    /// tenpai.
    pub(super) keeps: [f32; KINDS],
    /// The same when it is.
    pub(super) tenpai_keeps: [f32; KINDS],
    /// The probability that it is tenpai.
    pub(super) tenpai: f64,
    /// The shapes it may wait with when it is tenpai and can win.
    pub(super) shapes: WaitShapes,
    /// The probability that a tenpai hand can win on a discard.
    pub(super) can_win: f64,
    /// The shapes it may wait with when it cannot win.
    pub(super) other_shapes: WaitShapes,
    /// Kinds that it does not win on.
    pub(super) ruled_out: KindSet,
    /// The probability of a shanten number of 1 to 6 or more for a hand that is not tenpai.
    pub(super) shanten: [f32; SHANTEN],
    /// The circumstances of a win on a discard.
    pub(super) context: WinContext,
}

impl HandOdds {
    /// A hand of 13 tiles, less 3 for each meld, taken out of the rest.
    pub(super) fn draw(&self, tenpai: bool, left: &mut Counts, rng: &mut Rng) -> Counts {
        let hand = if tenpai {
            self.tenpai_hand(left, rng)
        } else {
            None
        };
        let hand = hand
            .or_else(|| self.other_hand(left, rng))
            .unwrap_or_else(|| self.any_hand(left, rng));
        for (left, held) in left.0.iter_mut().zip(hand.0) {
            *left -= held;
        }
        hand
    }

    fn sets(&self) -> usize {
        4 - self.melds.len()
    }

    fn concealed(&self, hand: &Counts) -> Option<ConcealedHand> {
        ConcealedHand::new(*hand, self.melds.len(), self.players).ok()
    }

    fn tenpai_hand(&self, left: &Counts, rng: &mut Rng) -> Option<Counts> {
        let can_win = rng.unit() < self.can_win;
        let mut found = None;
        for attempt in 0.. {
            // If few tiles are left, only another shape may be possible.
            let shapes = if can_win && attempt < 4 * ATTEMPTS {
                &self.shapes
            } else {
                &self.other_shapes
            };
            if attempt >= ATTEMPTS && found.is_some() || attempt >= MAX_ATTEMPTS {
                break;
            }
            let Some(shape) = shapes.draw(rng) else {
                continue;
            };
            let Some(hand) = self.around(shape, left, rng) else {
                continue;
            };
            let Some(concealed) = self.concealed(&hand) else {
                continue;
            };
            let waits = waits(&concealed);
            if waits.is_empty() {
                continue;
            }
            let wins = !waits.intersects(self.ruled_out)
                && self.has_yaku(&concealed, shape.waits() & waits);
            if wins == can_win {
                return Some(hand);
            }
            found = Some(hand);
        }
        found
    }

    /// A hand that waits with the shape, and perhaps for other tiles too.
    fn around(&self, shape: &WaitShape, left: &Counts, rng: &mut Rng) -> Option<Counts> {
        let mut pool = TilePool::new(*left, &self.tenpai_keeps);
        let mut hand = Counts::EMPTY;
        pool.take(&shape.tiles(), &mut hand)?;
        if shape.is_single() && self.melds.is_empty() && rng.unit() < SEVEN_PAIRS {
            for _ in 0..6 {
                pool.take_new_pair(&mut hand, rng)?;
            }
            return Some(hand);
        }
        let sets = if shape.is_single() {
            self.sets()
        } else {
            self.sets() - 1
        };
        for _ in 0..sets {
            pool.take_set(&mut hand, rng)?;
        }
        if !shape.is_single() && !shape.is_two_pairs() {
            pool.take_pair(&mut hand, rng)?;
        }
        Some(hand)
    }

    fn has_yaku(&self, hand: &ConcealedHand, waits: KindSet) -> bool {
        !waits.is_empty()
            && waits.iter().all(|kind| {
                hand.with(kind)
                    .is_some_and(|complete| has_yaku(&complete, &self.melds, kind, &self.context))
            })
    }

    fn other_hand(&self, left: &Counts, rng: &mut Rng) -> Option<Counts> {
        let mut found: Option<(i8, Counts)> = None;
        let wanted = choose(&self.shanten, rng).unwrap_or(0) as i8 + 1;
        for _ in 0..ATTEMPTS {
            let Some(hand) = self.at_shanten(wanted, left, rng) else {
                continue;
            };
            let Some(concealed) = self.concealed(&hand) else {
                continue;
            };
            let shanten = shanten(&concealed);
            if shanten == wanted
                || usize::from(wanted.unsigned_abs()) == SHANTEN && shanten > wanted
            {
                return Some(hand);
            }
            // Single tiles bring far hands nearer: the one that is least so is taken.
            if shanten > found.map_or(0, |(furthest, _)| furthest) {
                found = Some((shanten, hand));
            }
        }
        found.map(|(_, hand)| hand)
    }

    /// A hand with the number of sets and partial sets that the shanten number requires, and single
    /// tiles, which may bring it nearer.
    fn at_shanten(&self, shanten: i8, left: &Counts, rng: &mut Rng) -> Option<Counts> {
        let mut pool = TilePool::new(*left, &self.keeps);
        let mut hand = Counts::EMPTY;
        let (sets, parts, pairs) =
            composition(self.sets(), usize::from(shanten.unsigned_abs()), rng)?;
        for _ in 0..sets {
            pool.take_set(&mut hand, rng)?;
        }
        for _ in 0..pairs {
            pool.take_pair(&mut hand, rng)?;
        }
        for _ in 0..parts {
            pool.take_part_of_run(&mut hand, rng)?;
        }
        for _ in 3 * sets + 2 * (parts + pairs)..self.tiles() {
            pool.take_any(&mut hand, rng)?;
        }
        Some(hand)
    }

    fn tiles(&self) -> usize {
        13 - 3 * self.melds.len()
    }

    /// Any tiles, when nothing better can be made of the rest.
    fn any_hand(&self, left: &Counts, rng: &mut Rng) -> Counts {
        let keeps = [1.0; KINDS];
        let mut pool = TilePool::new(*left, &keeps);
        let mut hand = Counts::EMPTY;
        for _ in 0..self.tiles() {
            let _ = pool.take_any(&mut hand, rng);
        }
        hand
    }
}

/// Numbers of complete sets, partial runs and pairs that leave a hand of this many sets and a pair
/// at a shanten number.
fn composition(sets: usize, shanten: usize, rng: &mut Rng) -> Option<(usize, usize, usize)> {
    let mut compositions: ArrayVec<(usize, usize, usize), 10> = ArrayVec::new();
    let mut weights: ArrayVec<f32, 10> = ArrayVec::new();
    for complete in 0..=sets {
        for pair in 0..2 {
            let lacking = sets - complete;
            let Some(parts) = (2 * lacking)
                .checked_sub(shanten + pair)
                .filter(|&parts| parts <= lacking)
            else {
                continue;
            };
            compositions.push((complete, parts, pair));
            weights.push(0.25_f32.powi(complete as i32) * if pair == 1 { 2.0 } else { 1.0 });
        }
    }
    Some(compositions[choose(&weights, rng)?])
}

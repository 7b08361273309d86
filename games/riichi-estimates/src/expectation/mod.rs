//! The future of one hand: for each discard the probability of tenpai, the probability of a win and
//! the expected points, over the remaining draws.
//!
//! # The model
//!
//! The unseen tiles come in a random order. After each of its discards the seat sees
//! [`throws`](StartState::throws) discards of the others, then draws one tile, keeps or discards
//! it, and so on until its draws are used up. It wins by tsumo as soon as it can, and by ron on any
//! discard that it waits for with a yaku, unless it is furiten. If it
//! [`may_call`](StartState::may_call), it makes triplets of discarded tiles, and with four players
//! runs of the last tile before its draw, which comes from the previous player; a call replaces the
//! draw, and tiles that may not be discarded after it (kuikae) are kept. It makes no kan; the
//! others neither win nor call, so the probabilities are for an undisturbed hand.
//!
//! The computation covers the hands that differ from the present one in `n` tiles and are `s` from
//! tenpai, where `n + s` is at most the present shanten number ([`Detours::None`]: each kept tile
//! brings it nearer) or one more ([`Detours::One`]: one exchange may improve the shape, or go a
//! step back and be made good). Among these it chooses the discard with the highest value by the
//! [`Aim`], calls if that is worth more than passing, and knows how many draws are left. A hand
//! that becomes or stays tenpai may declare riichi, after which it never changes; stay silent and
//! unchanged to the end; or stay silent and keep improving. The most valuable choice is always
//! taken. An opened hand that cannot reach a yaku is left out, so tenpai means tenpai that may win.
//!
//! The choices are made as if a tile that is drawn and discarded at once were one that the hand
//! never wants. If others discard between two draws, their outcome is then computed turn by turn,
//! with the information about each kind: how many copies may have been drawn and discarded at once,
//! for which the hand may be furiten later, and that the others' discards while it waited were not
//! winning tiles.
//!
//! # Exact
//!
//! * Each win: yaku, fu, dora, red fives, riichi, ippatsu and repeat counters by
//!   [`score`](riichi::score). The ura dora are averaged over all cases: the indicators are equally
//!   likely to be any of the tiles that are unseen at the start and not in the hand at the end. Of
//!   a riichi that does not win the stick is lost.
//! * The odds of drawing without replacement, as long as no kind becomes wanted that was not wanted
//!   in an earlier turn: tenpai hands that stay as they are, and those that have no draw to lose.
//!   `tests/expectation/orders.rs` goes through all orders of small walls.
//!
//! # Approximate
//!
//! * If a hand can be reached in several ways, the information about each kind is averaged over
//!   them, and kinds are treated as independent. The test `odds_of_real_positions` plays whole
//!   walls by the real rules, half of them with calls: of 1,000 recorded positions, 2,000 walls
//!   each, 99.2 % of the figures are within three standard errors (by chance 99.7 %), and the
//!   chance to win is 0.0007 too high by the mean.
//! * Wins by tsumo only ([`throws`](StartState::throws) is 0): a tile that is drawn and discarded
//!   at once counts as one that the hand never wants. The chance to win is up to 0.004 too high.
//! * The choices themselves: who remembers more may choose a little better.
//! * Kans and Norths of the own hand; wins of others, so also deal-in; payments for noten; haitei,
//!   houtei, rinshan, chankan, double riichi, tenhou and chiihou.
//! * Hands further than [`MAX_SHANTEN`] from tenpai: [`acceptance`](riichi::acceptance) is the
//!   measure there.

use std::fmt;

use tiles::concealed::{BadHand, ConcealedHand};
use tiles::shanten::shanten;
use tiles::{KindSet, Tile};

use riichi::hand::Hand;
use riichi::meld::Meld;
use riichi::score::WinSituation;

mod key;
mod knowledge;
mod melds;
mod odds;
mod open_yaku;
mod paths;
mod states;
mod surroundings;
mod tenpai;
mod turns;

use odds::SettledOdds;
use paths::Paths;
use states::{Calling, States};
use surroundings::Surroundings;
use turns::Turns;

/// Shanten number up to which a hand, its draw included, is followed.
pub const MAX_SHANTEN: i8 = 3;

/// Maximum number of draws that a hand can have left: a seat draws 17 or 18 times in a round of
/// four, up to 24 of three.
pub const MAX_DRAWS: u8 = 24;

/// Maximum number of discards between two own draws: one by each other player.
pub const MAX_THROWS: u8 = 3;

/// The hands to consider in addition to those that each kept tile brings nearer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Detours {
    /// None: fast, and enough to compare discards that keep the distance to tenpai.
    None,
    /// Those one exchange further away: better shapes, worth before speed, a tenpai given up. It
    /// takes some eighty times as long.
    One,
}

/// The aim of play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Aim {
    /// As many points as can be expected.
    Points,
    /// Winning.
    Win,
}

/// A hand with a discard to make, and all that its future depends on.
#[derive(Debug, Clone)]
pub struct StartState<'a> {
    /// The closed tiles, the drawn one included.
    pub hand: &'a Hand,
    /// The melds.
    pub melds: &'a [Meld],
    /// The tiles that this seat has not seen: of the wall, the dead wall and the others' hands.
    pub unseen: &'a Hand,
    /// Seat, winds, rules and dora.
    pub situation: &'a WinSituation,
    /// Kinds that the seat has discarded before.
    pub thrown: KindSet,
    /// Draws left after this discard, at most [`MAX_DRAWS`].
    pub draws: u8,
    /// The number of the others' discards between two own draws, at most [`MAX_THROWS`]: one each,
    /// or fewer if they are expected to hold back; 0 for wins by tsumo only.
    pub throws: u8,
    /// Whether the seat may declare riichi, which takes a closed hand as well.
    pub may_riichi: bool,
    /// Whether it calls the others' discards, by pon and chi. It takes two to three times as long,
    /// and with detours some ten times.
    pub may_call: bool,
    /// Number of ura indicators that are turned for a win with riichi, at most five.
    pub ura_indicators: u8,
    /// The hands to consider.
    pub detours: Detours,
    /// The aim of play.
    pub aim: Aim,
}

/// The reason why the future of a hand cannot be computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadOutset {
    /// The tiles are not a hand.
    #[error(transparent)]
    Hand(#[from] BadHand),
    /// There is no tile to discard.
    #[error("the hand waits for a draw; add the drawn tile, so that it can discard one")]
    NotFull,
    /// Too many copies of a kind in the hand and among the unseen tiles.
    #[error(
        "{tile} is {count} times in the hand and among the unseen tiles; there are 4 of each kind"
    )]
    FifthTile {
        /// A tile of the kind.
        tile: Tile,
        /// The number of its copies.
        count: u8,
    },
    /// Too far from tenpai.
    #[error("the hand is {0} from tenpai; its future can be computed up to {MAX_SHANTEN}")]
    TooFar(i8),
    /// Too many draws.
    #[error("{0} draws left; a seat has at most {MAX_DRAWS}")]
    Draws(u8),
    /// Too many discards.
    #[error("{0} discards between two draws; the others discard at most {MAX_THROWS}")]
    Throws(u8),
    /// Too many indicators.
    #[error("{0} ura indicators; there are at most 5")]
    UraIndicators(u8),
    /// Fewer unseen tiles than draws and discards.
    #[error(
        "{wanted} tiles would be drawn or discarded, and {unseen} are unseen; lower the draws or the throws"
    )]
    TooFewUnseen {
        /// The number that would be drawn or discarded.
        wanted: u32,
        /// The number of unseen tiles.
        unseen: u32,
    },
}

/// The expected outcome of a hand.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Chances {
    /// The probability, 0 to 1, that it is ever tenpai; this includes all wins.
    pub tenpai: f64,
    /// The probability, 0 to 1, that it wins.
    pub win: f64,
    /// Points gained by a win, less the stick of a riichi that does not win, times their chances.
    pub points: f64,
}

/// The choice of a hand between its discard and its next draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Stand {
    /// It stays silent and keeps improving; a hand that is not tenpai always does this.
    Open,
    /// It declares riichi.
    Riichi,
    /// It stays silent and keeps its wait to the end.
    Settled,
}

/// The outcome of a discard.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DiscardChances {
    /// The discarded tile: of a five the plain one, as long as there is one.
    pub tile: Tile,
    /// The choice for the remaining hand.
    pub stand: Stand,
    /// The expected outcome over all remaining draws.
    pub chances: Chances,
}

/// A call that the figures assume.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlannedCall {
    /// The tiles of the hand that make a run or triplet with the discard.
    pub own: [Tile; 2],
    /// The discard after that.
    pub throws: Tile,
}

/// The future of a hand.
pub struct Expectation {
    states: States,
    turns: Turns,
    discards: Vec<DiscardChances>,
    /// By each turn, for each discard of the present hand; empty if the hand is the same without
    /// information about each kind.
    by_turn: Vec<Vec<Chances>>,
}

impl Expectation {
    /// Computes the future of a hand.
    ///
    /// # Errors
    ///
    /// If the hand, or what it draws from, is not possible, or the hand is too far from tenpai.
    pub fn of(outset: &StartState<'_>) -> Result<Self, BadOutset> {
        let hand = checked(outset)?;
        let surroundings = Surroundings::new(outset, &hand);
        let states = States::reached(&surroundings, hand, outset.hand.reds());
        let unseen = outset.unseen.counts().total();
        let mut odds = SettledOdds::new(outset.throws, outset.draws, unseen);
        let turns = Turns::of(&surroundings, &states, &mut odds);
        let by_turn = if outset.throws > 0 {
            let mut paths = Paths::informed(&surroundings, &states, &turns);
            let roots = states.discards_of_root();
            roots.map(|(_, state)| paths.by_turn(state)).collect()
        } else {
            Vec::new()
        };
        let mut discards: Vec<DiscardChances> = states
            .discards_of_root()
            .enumerate()
            .map(|(place, (tile, state))| DiscardChances {
                tile,
                stand: turns.stand(state, outset.draws),
                chances: by_turn
                    .get(place)
                    .and_then(|turns: &Vec<Chances>| turns.last().copied())
                    .unwrap_or_else(|| turns.outcomes[state]),
            })
            .collect();
        discards.sort_by(|one, other| outset.aim.order(&other.chances, &one.chances));
        Ok(Self {
            states,
            turns,
            discards,
            by_turn,
        })
    }

    /// Each discard that leads to a considered hand, the best first.
    pub fn discards(&self) -> &[DiscardChances] {
        &self.discards
    }

    /// The expected outcome of a discard by each turn; the last entry equals that in `discards`:
    /// first before any own draw, then after each draw and the discards that follow it. `None` for
    /// a tile that is not among the discards.
    ///
    /// The points include the loss of the riichi stick as long as the riichi has not won.
    pub fn by_turn(&self, tile: Tile) -> Option<Vec<Chances>> {
        let discards = self.states.discards_of_root();
        let (place, (_, state)) = discards
            .enumerate()
            .find(|(_, (discard, _))| *discard == tile)?;
        Some(match self.by_turn.get(place) {
            Some(known) => known.clone(),
            None => Paths::uninformed(&self.states, &self.turns).by_turn(state),
        })
    }

    /// The discard that the figures assume when a hand waits with these closed tiles and melds and
    /// draws this tile. `None` if it wins, or if the waiting hand is not among those considered.
    pub fn throws(
        &self,
        waiting: &Hand,
        melds: &[Meld],
        drawn: Tile,
        draws_left: u8,
    ) -> Option<Tile> {
        let state = self.states.waiting(waiting, melds)?;
        if self.states.wins_by_tsumo(state, drawn) {
            return None;
        }
        Some(match self.states.kept(state, drawn) {
            None => drawn,
            Some(full) => self.states.throw(self.turns.choice(full, draws_left)).tile,
        })
    }

    /// The call of the waiting hand when another seat discards this tile, this many discards after
    /// its own (0 for the next player's), with this many draws left, one of which the call takes.
    /// `None` if it passes or is not among the hands considered; a win comes before a call.
    pub fn calls(
        &self,
        waiting: &Hand,
        melds: &[Meld],
        thrown: Tile,
        throw: u8,
        draws_left: u8,
    ) -> Option<PlannedCall> {
        let state = self.states.waiting(waiting, melds)?;
        let throws = self
            .turns
            .calls_made(self.states.calls_of(state), draws_left);
        let made =
            |(call, throws): &(&Calling, &u8)| call.tile == thrown && *throws >> throw & 1 == 1;
        let (call, _) = self.states.calls(state).iter().zip(throws).find(made)?;
        let (full, left) = (call.full, draws_left.checked_sub(1)?);
        Some(PlannedCall {
            own: call.own,
            throws: self.states.throw(self.turns.choice(full, left)).tile,
        })
    }

    /// The choice of a waiting hand that has just discarded, with this many draws left. `None` if
    /// it is not among those considered.
    pub fn stand(&self, waiting: &Hand, melds: &[Meld], draws_left: u8) -> Option<Stand> {
        Some(
            self.turns
                .stand(self.states.waiting(waiting, melds)?, draws_left),
        )
    }
}

impl fmt::Debug for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Expectation")
            .field("discards", &self.discards)
            .field("hands", &self.states.len())
            .finish_non_exhaustive()
    }
}

impl Aim {
    /// What counts first.
    const fn first(self, chances: &Chances) -> f64 {
        match self {
            Self::Points => chances.points,
            Self::Win => chances.win,
        }
    }

    /// Whether an outcome is better than another: by the aim, then by the rest.
    fn prefers(self, one: &Chances, other: &Chances) -> bool {
        let (first, before) = (self.first(one), self.first(other));
        first > before || first == before && self.order(one, other).is_gt()
    }

    /// Compares two outcomes: by the aim, then by the rest.
    fn order(self, one: &Chances, other: &Chances) -> std::cmp::Ordering {
        let rank = |chances: &Chances| match self {
            Self::Points => [chances.points, chances.win, chances.tenpai],
            Self::Win => [chances.win, chances.points, chances.tenpai],
        };
        let pairs = rank(one).into_iter().zip(rank(other));
        pairs
            .map(|(one, other)| one.total_cmp(&other))
            .find(|order| order.is_ne())
            .unwrap_or(std::cmp::Ordering::Equal)
    }
}

fn checked(outset: &StartState<'_>) -> Result<ConcealedHand, BadOutset> {
    let hand = ConcealedHand::new(
        *outset.hand.counts(),
        outset.melds.len(),
        outset.situation.rules.players,
    )?;
    if !hand.is_full() {
        return Err(BadOutset::NotFull);
    }
    let mut all = *outset.unseen.counts();
    let melded = outset.melds.iter().flat_map(Meld::tiles).copied();
    for tile in outset.hand.tiles().chain(melded) {
        all[tile.kind()] += 1;
        if all[tile.kind()] > 4 {
            return Err(BadOutset::FifthTile {
                tile: tile.kind().tile(),
                count: all[tile.kind()],
            });
        }
    }
    if let Some(kind) = (outset.unseen.counts().kinds() - hand.kinds_in_play())
        .iter()
        .next()
    {
        return Err(BadHand::NotInPlay { kind }.into());
    }
    let shanten = shanten(&hand);
    if shanten > MAX_SHANTEN {
        return Err(BadOutset::TooFar(shanten));
    }
    if outset.draws > MAX_DRAWS {
        return Err(BadOutset::Draws(outset.draws));
    }
    if outset.throws > MAX_THROWS {
        return Err(BadOutset::Throws(outset.throws));
    }
    if outset.ura_indicators > 5 {
        return Err(BadOutset::UraIndicators(outset.ura_indicators));
    }
    let (draws, throws) = (u32::from(outset.draws), u32::from(outset.throws));
    let (wanted, unseen) = (draws + (draws + 1) * throws, outset.unseen.counts().total());
    if wanted > unseen {
        return Err(BadOutset::TooFewUnseen { wanted, unseen });
    }
    Ok(hand)
}

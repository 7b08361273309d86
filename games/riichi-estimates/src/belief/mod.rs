//! Belief: estimates of the other seats' hands, from the knowledge of one seat.
//!
//! A [`Belief`] gives the probabilities that each other seat is tenpai and wins on a kind, and
//! draws whole worlds (every hidden hand and the wall) that agree with all visible facts and with
//! those probabilities:
//!
//! ```
//! use riichi_estimates::belief::Belief;
//! use riichi::game::RiichiGame;
//! use riichi::rng::Rng;
//! use riichi::{Kind, Rules, Table};
//!
//! let game = RiichiGame::new(Rules::TENHOU_HALF, 5);
//! let oya = game.asked()[0];
//! let table: Table = game.table(oya);
//! let belief = Belief::of(&table);
//! let next = oya.next(4);
//! assert!(belief.deal_in(next, Kind::EAST) <= belief.tenpai(next));
//! let world = belief.sample(&mut Rng::keyed(&[1]));
//! assert!(RiichiGame::from_table(&table, &world).is_ok());
//! ```
//!
//! # How a world is drawn
//!
//! Each other seat is tenpai with the probability [`Belief::tenpai`]. The seats take their hands
//! from the unseen tiles in turn, in random order, seats that are tenpai first; the rest is the
//! wall. A tenpai hand is built around its wait, drawn so that each kind is waited for with the
//! probability [`Belief::deal_in`]; sets and a pair are added in proportion to the ways of making
//! them from unseen tiles. Other hands are composed of sets, partial sets and single tiles to reach
//! a shanten number.
//!
//! The only input is a [`Table`], which has no field for another seat's tiles.

pub mod figures;
mod hand;
mod reading;
mod shapes;
mod tiles;
mod traits;

pub use reading::{PlayerFeatures, Stance};
pub use traits::{
    KEEP_BLOCKS, KEEP_TRAITS, LOSS_BLOCKS, LOSS_TRAITS, TENPAI_BLOCKS, TENPAI_TRAITS, TraitBlock,
    TraitList, WAIT_BLOCKS, WAIT_TRAITS,
};

use ::tiles::{Counts, KindSet};
use ::tiles::{KINDS, Kind, Tile};
use arrayvec::ArrayVec;
use game_core::rng::Rng;
use game_core::{MAX_PLAYERS, PerSeat, Seat};

use crate::danger::Sight;
use figures::{BeliefFigures, chance, measured, shanten_column, sum};
use hand::HandOdds;
use riichi::game::{Hidden, MAX_WALL, all_tiles};
use riichi::hand::Hand;
use riichi::table::{Phase, Table};
use riichi::yaku::{Declared, WinBy, WinContext};
use shapes::WaitShapes;

/// One seat's estimates of the others, based on public information and its own tiles.
#[derive(Debug, Clone)]
pub struct Belief {
    players: u8,
    others: ArrayVec<Other, { MAX_PLAYERS - 1 }>,
    unseen: ArrayVec<Tile, MAX_WALL>,
}

/// The estimates of one other seat.
#[derive(Debug, Clone)]
struct Other {
    seat: Seat,
    tenpai: f32,
    /// The probability of winning on each kind if it is tenpai.
    wins_on: [f32; KINDS],
    loss: [f32; KINDS],
    odds: HandOdds,
    /// Tiles that it holds.
    size: usize,
    /// Whether one of them was just drawn.
    has_drawn: bool,
    /// Kinds that it may not discard now.
    kuikae: KindSet,
}

impl Belief {
    /// The estimates of the table's seat now, by the figures measured in games of the same number
    /// of players.
    pub fn of(table: &Table) -> Self {
        Self::by(measured(table.rules().players), table)
    }

    /// The same by other figures.
    pub fn by(figures: &BeliefFigures, table: &Table) -> Self {
        let mut unseen = all_tiles(table.rules());
        for tile in table.shown_tiles().chain(table.hand().tiles()) {
            if let Some(place) = unseen.iter().position(|&other| other == tile) {
                unseen.swap_remove(place);
            }
        }
        let sight = Sight::of_table(table);
        let players = table.rules().players;
        let others = Seat::all(players)
            .filter(|&seat| seat != table.seat())
            .map(|seat| {
                let reading = PlayerFeatures::with_sight(table, seat, &sight);
                Other::new(table, seat, &reading, figures)
            });
        Self {
            players,
            others: others.collect(),
            unseen,
        }
    }

    /// The probability that a seat is tenpai, from 0 to 1; if it has just drawn, before that draw.
    /// 0 for the own seat.
    pub fn tenpai(&self, seat: Seat) -> f32 {
        self.other(seat).map_or(0.0, |other| other.tenpai)
    }

    /// The probability that a discard of this kind deals in to a seat, from 0 to 1. 0 for the own
    /// seat.
    pub fn deal_in(&self, seat: Seat, kind: Kind) -> f32 {
        self.other(seat)
            .map_or(0.0, |other| other.tenpai * other.wins_on[kind.index()])
    }

    /// The average cost of a deal-in with this kind to a seat, in points without honba. 0 for the
    /// own seat.
    pub fn loss(&self, seat: Seat, kind: Kind) -> f32 {
        self.other(seat)
            .map_or(0.0, |other| other.loss[kind.index()])
    }

    /// Draws the hidden tiles.
    pub fn sample(&self, rng: &mut Rng) -> Hidden {
        let mut left: Counts = self.unseen.iter().copied().collect();
        let tenpai: ArrayVec<bool, { MAX_PLAYERS - 1 }> = self
            .others
            .iter()
            .map(|other| rng.unit() < other.odds.tenpai)
            .collect();
        let mut order: ArrayVec<usize, { MAX_PLAYERS - 1 }> = (0..self.others.len()).collect();
        rng.shuffle(&mut order);
        // Tenpai hands ask for certain tiles, others do with the rest.
        order.sort_by_key(|&place| !tenpai[place]);
        let mut wanted = [Counts::EMPTY; MAX_PLAYERS - 1];
        let mut drawn_kind = None;
        for &place in &order {
            let other = &self.others[place];
            let hand = &mut wanted[place];
            *hand = other.odds.draw(tenpai[place], &mut left, rng);
            if hand.total() < other.size as u32 {
                let kind = other.draw_one_more(hand, &mut left, rng);
                drawn_kind = drawn_kind.or(kind.filter(|_| other.has_drawn));
            }
        }
        self.deal(wanted, drawn_kind, rng)
    }

    /// Gives the seats tiles of the kinds wanted, red or not by chance, and leaves the rest as the
    /// wall.
    fn deal(
        &self,
        mut wanted: [Counts; MAX_PLAYERS - 1],
        drawn_kind: Option<Kind>,
        rng: &mut Rng,
    ) -> Hidden {
        let mut tiles = self.unseen.clone();
        rng.shuffle(&mut tiles);
        let mut hands = PerSeat::from_fn(self.players, |_| Hand::default());
        let mut wall = ArrayVec::new();
        for tile in tiles {
            let kind = tile.kind();
            match self
                .others
                .iter()
                .zip(&mut wanted)
                .find(|(_, wanted)| wanted[kind] > 0)
            {
                Some((other, wanted)) => {
                    wanted[kind] -= 1;
                    // There are four of each kind in all.
                    let _ = hands[other.seat].add(tile);
                }
                None => wall.push(tile),
            }
        }
        let on_turn = self.others.iter().find(|other| other.has_drawn);
        let drawn = on_turn.and_then(|other| {
            let mut tiles = hands[other.seat].tiles();
            tiles.find(|tile| Some(tile.kind()) == drawn_kind)
        });
        Hidden { hands, drawn, wall }
    }

    fn other(&self, seat: Seat) -> Option<&Other> {
        self.others.iter().find(|other| other.seat == seat)
    }
}

impl Other {
    fn new(table: &Table, seat: Seat, reading: &PlayerFeatures, figures: &BeliefFigures) -> Self {
        let (player, rules) = (table.player(seat), table.rules());
        let sets = 4 - player.melds.len();
        let certain = reading.stance() == Stance::Riichi
            || table.phase() == Phase::Declared(seat)
            || sets == 0;
        let tenpai = if certain {
            1.0
        } else {
            chance(sum(&figures.tenpai, &reading.tenpai_traits()))
        };
        let of_each = |value: &dyn Fn(Kind) -> f32| -> [f32; KINDS] {
            let mut values = [0.0; KINDS];
            for kind in rules.kinds().iter() {
                values[kind.index()] = value(kind);
            }
            values
        };
        let waits = &figures.waits[reading.stance() as usize];
        let wins_on = of_each(&|kind| {
            reading
                .wait_traits(kind)
                .map_or(0.0, |traits| chance(sum(waits, &traits)))
        });
        let loss = of_each(&|kind| sum(&figures.loss, &reading.loss_traits(kind)).exp());
        let [keeps, tenpai_keeps] = figures
            .keeps
            .each_ref()
            .map(|figures| of_each(&|kind| sum(figures, &reading.keep_traits(kind)).exp()));
        let unseen = reading.unseen();
        let (mut shapes, weights) = WaitShapes::new(unseen, &tenpai_keeps, reading.safe(), sets);
        let can_win = shapes.agree(weights, &wins_on);
        let (mut other_shapes, weights) =
            WaitShapes::new(unseen, &tenpai_keeps, KindSet::EMPTY, sets);
        other_shapes.keep(&weights);
        let context = WinContext {
            by: WinBy::others_discard(table.tiles_left()),
            riichi: player.riichi.map(|riichi| Declared {
                double: riichi.double,
                ippatsu: riichi.ippatsu,
            }),
            seat_wind: table.seat_wind(seat),
            round_wind: table.bakaze(),
            open_tanyao: rules.open_tanyao,
        };
        let shanten = figures.shanten[reading.melds().min(4)][shanten_column(reading.turns())];
        Self {
            seat,
            tenpai,
            wins_on,
            loss,
            odds: HandOdds {
                melds: player.melds.clone(),
                players: rules.players,
                keeps,
                tenpai_keeps,
                tenpai: f64::from(tenpai),
                shapes,
                can_win: f64::from(can_win),
                other_shapes,
                ruled_out: reading.safe(),
                shanten,
                context,
            },
            size: table.concealed_tiles(seat),
            has_drawn: table.has_drawn(seat),
            kuikae: table.kuikae_of(seat),
        }
    }

    /// The tile that the seat has drawn, or the one that it has too many after a call, which it may
    /// discard.
    fn draw_one_more(&self, hand: &mut Counts, left: &mut Counts, rng: &mut Rng) -> Option<Kind> {
        let held = hand.kinds();
        let needs_discard = !self.has_drawn && (held - self.kuikae).is_empty();
        let weights: [f32; KINDS] = std::array::from_fn(|kind| {
            let forbidden = needs_discard
                && Kind::new(kind as u8).is_some_and(|kind| self.kuikae.contains(kind));
            if forbidden {
                0.0
            } else {
                f32::from(left.0[kind])
            }
        });
        let kind = Kind::new(tiles::choose(&weights, rng)? as u8)?;
        left[kind] -= 1;
        hand[kind] += 1;
        Some(kind)
    }
}

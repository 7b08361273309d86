//! What an encoding is made from: a policy's view, or the table of a seat that is played from outside.

use policy_sdk::{Offer, Request, View};
use riichi::concealed::ConcealedHand;
use riichi::hand::Hand;
use riichi::shanten::shanten;
use riichi::table::{Discard, Furiten, Phase, Riichi, TableRef};
use riichi::{Counts, Kind, KindSet, Meld, MeldKind, Rules, Seat, Tile, Wind};

/// The knowledge of a seat that decides. Neither a [`View`] nor a [`TableRef`] has a place for a hidden tile.
pub trait SeatKnowledge {
    /// The rules.
    fn rules(&self) -> &Rules;
    /// The own seat.
    fn seat(&self) -> Seat;
    /// The dealer.
    fn oya(&self) -> Seat;
    /// Wind of the round.
    fn bakaze(&self) -> Wind;
    /// Number of the round within its wind, from 1.
    fn kyoku(&self) -> u8;
    /// Repeat counters.
    fn honba(&self) -> u8;
    /// Riichi sticks on the table.
    fn kyotaku(&self) -> u8;
    /// Points of a seat.
    fn points(&self, seat: Seat) -> i32;
    /// Place of a seat by its points, from 1.
    fn place(&self, seat: Seat) -> u8;
    /// Tiles that can still be drawn.
    fn tiles_left(&self) -> u8;
    /// The dora indicators.
    fn dora_markers(&self) -> impl Iterator<Item = Tile>;
    /// Unseen copies of each kind.
    fn unseen(&self) -> Counts;
    /// Unseen red fives of each suit.
    fn unseen_reds(&self) -> [u8; 3];
    /// The own closed tiles, including the drawn one.
    fn hand(&self) -> &Hand;
    /// The same by kind.
    fn concealed(&self) -> ConcealedHand;
    /// Shanten number of the own hand, including the drawn tile.
    fn shanten(&self) -> i8;
    /// The tile just drawn.
    fn drawn(&self) -> Option<Tile>;
    /// Kinds that complete the own hand without the drawn tile.
    fn waits(&self) -> KindSet;
    /// The own furiten.
    fn furiten(&self) -> Furiten;
    /// Whether the own first turn is now or still to come.
    fn first_turn(&self) -> bool;
    /// Whether the drawn tile is a replacement.
    fn after_kan(&self) -> bool;
    /// The kind of request.
    fn request(&self) -> Request;
    /// The melds of a seat.
    fn melds(&self, seat: Seat) -> &[Meld];
    /// The discards of a seat.
    fn river(&self, seat: Seat) -> impl ExactSizeIterator<Item = Discard>;
    /// The riichi of a seat.
    fn riichi(&self, seat: Seat) -> Option<Riichi>;
    /// Norths that a seat has set aside.
    fn norths(&self, seat: Seat) -> u8;
    /// Kinds that another seat cannot win on by ron now; none for the own seat.
    fn cannot_ron(&self, seat: Seat) -> KindSet;
}

/// Methods that a type has itself.
macro_rules! own_methods {
    ($type:ident, $this:ident => $receiver:expr; $($name:ident() -> $result:ty),* $(,)?) => {
        $(fn $name(&$this) -> $result {
            $type::$name($receiver)
        })*
    };
}

impl SeatKnowledge for View<'_> {
    own_methods! { View, self => self;
        rules() -> &Rules, seat() -> Seat, oya() -> Seat, bakaze() -> Wind, kyoku() -> u8, honba() -> u8,
        kyotaku() -> u8, tiles_left() -> u8, dora_markers() -> impl Iterator<Item = Tile>, unseen() -> Counts,
        unseen_reds() -> [u8; 3], hand() -> &Hand, drawn() -> Option<Tile>, waits() -> KindSet,
        furiten() -> Furiten, first_turn() -> bool, after_kan() -> bool, request() -> Request,
    }

    fn points(&self, seat: Seat) -> i32 {
        self.scores()[seat]
    }

    fn place(&self, seat: Seat) -> u8 {
        self.placements()[seat]
    }

    fn concealed(&self) -> ConcealedHand {
        *self.concealed()
    }

    fn shanten(&self) -> i8 {
        shanten(self.concealed())
    }

    fn melds(&self, seat: Seat) -> &[Meld] {
        self.player(seat).melds()
    }

    fn river(&self, seat: Seat) -> impl ExactSizeIterator<Item = Discard> {
        self.player(seat).river()
    }

    fn riichi(&self, seat: Seat) -> Option<Riichi> {
        self.player(seat).riichi()
    }

    fn norths(&self, seat: Seat) -> u8 {
        self.player(seat).kita_count()
    }

    fn cannot_ron(&self, seat: Seat) -> KindSet {
        self.player(seat).cannot_ron().all()
    }
}

impl SeatKnowledge for TableRef<'_> {
    own_methods! { TableRef, self => *self;
        rules() -> &Rules, seat() -> Seat, oya() -> Seat, bakaze() -> Wind, kyoku() -> u8, honba() -> u8,
        kyotaku() -> u8, tiles_left() -> u8, unseen() -> Counts, hand() -> &Hand, drawn() -> Option<Tile>,
        waits() -> KindSet, furiten() -> Furiten,
    }

    fn first_turn(&self) -> bool {
        self.is_first_turn()
    }

    fn after_kan(&self) -> bool {
        self.is_rinshan()
    }

    fn points(&self, seat: Seat) -> i32 {
        TableRef::scores(*self)[seat]
    }

    fn place(&self, seat: Seat) -> u8 {
        TableRef::scores(*self).place(seat)
    }

    fn dora_markers(&self) -> impl Iterator<Item = Tile> {
        TableRef::dora_markers(*self).iter().copied()
    }

    fn unseen_reds(&self) -> [u8; 3] {
        let (all, seen) = (TableRef::rules(*self).reds_by_suit(), TableRef::seen_reds(*self));
        std::array::from_fn(|suit| all[suit].saturating_sub(seen[suit]))
    }

    fn concealed(&self) -> ConcealedHand {
        TableRef::concealed(*self).expect("a seat that decides has a hand")
    }

    fn shanten(&self) -> i8 {
        TableRef::shanten(*self).expect("a seat that decides has a hand")
    }

    fn request(&self) -> Request {
        let (tile, from, offer) = match TableRef::phase(*self) {
            Phase::Discarded { by, tile } | Phase::Accepted { by, tile } => (tile, by, Offer::Dahai),
            Phase::Kan { by, tile, kind: MeldKind::Ankan } => (tile, by, Offer::Ankan),
            Phase::Kan { by, tile, .. } => (tile, by, Offer::Kakan),
            Phase::Kita { by } => (Kind::NORTH.tile(), by, Offer::Kita),
            _ => return Request::OwnTurn,
        };
        Request::Claim { tile, from, offer }
    }

    fn melds(&self, seat: Seat) -> &[Meld] {
        &self.player_at(seat).melds
    }

    fn river(&self, seat: Seat) -> impl ExactSizeIterator<Item = Discard> {
        self.player_at(seat).river.iter().copied()
    }

    fn riichi(&self, seat: Seat) -> Option<Riichi> {
        self.player_at(seat).riichi
    }

    fn norths(&self, seat: Seat) -> u8 {
        self.player_at(seat).kita
    }

    fn cannot_ron(&self, seat: Seat) -> KindSet {
        if seat == TableRef::seat(*self) { KindSet::EMPTY } else { self.player_at(seat).cannot_ron() }
    }
}

//! Concealed tiles: of the one seat that a table is seen from, or of all.

use game_core::{PerSeat, Seat};
use tiles::shanten::{shanten, thirteen_orphans_shanten};
use tiles::{ConcealedHand, Counts, KindSet, Tile};

use super::shown::ShownTiles;
use super::{Contradiction, PlayerState};
use crate::acceptance::acceptance;
use crate::event::{HAND_SIZE, StartKyoku};
use crate::hand::Hand;
use crate::rules::Rules;

/// A seat's private knowledge of itself.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Own {
    pub(crate) hand: Hand,
    pub(crate) drawn: Option<Tile>,
    /// Shanten number of the hand, with the drawn tile, if it is counted.
    pub(super) shanten: Option<i8>,
    pub(super) dealt: Option<[Tile; HAND_SIZE]>,
    /// The waits of the hand without the drawn tile; empty right after a call.
    pub(crate) waits: KindSet,
    /// Kinds that kuikae forbids until the next discard.
    pub(super) kuikae: KindSet,
    /// Kinds of closed kans that this hand, waiting for thirteen orphans, has not won on since its
    /// last discard or, in riichi, since its riichi. Only its own seat knows that it could have.
    pub(super) passed_kans: KindSet,
}

impl Own {
    /// A hand just dealt.
    pub(crate) fn new(dealt: [Tile; HAND_SIZE], rules: &Rules) -> Result<Self, Contradiction> {
        let mut own = Self {
            hand: Hand::from_tiles(dealt)?,
            dealt: Some(dealt),
            ..Self::default()
        };
        own.settle(0, rules.players);
        Ok(own)
    }

    /// The concealed tiles with this many melds.
    pub(super) fn concealed(&self, melds: usize, players: u8) -> Option<ConcealedHand> {
        ConcealedHand::new(*self.hand.counts(), melds, players).ok()
    }

    /// Counts the shanten number, after a change of the tiles.
    pub(super) fn count_shanten(&mut self, melds: usize, players: u8) -> Option<ConcealedHand> {
        let hand = self.concealed(melds, players);
        self.shanten = hand.map(|hand| shanten(&hand));
        hand
    }

    /// The same, and the waits: there are none while a discard is due.
    pub(super) fn settle(&mut self, melds: usize, players: u8) {
        let hand = self
            .count_shanten(melds, players)
            .filter(|_| self.shanten == Some(0));
        self.waits = hand.map_or(KindSet::EMPTY, |hand| acceptance(&hand));
    }

    /// The waits after a discard. No discard makes the shanten number lower, so it is not counted
    /// for most hands.
    pub(super) fn settle_discard(&mut self, melds: usize, players: u8) {
        if self.shanten.is_some_and(|before| before > 0) {
            self.shanten = None;
            self.waits = KindSet::EMPTY;
        } else {
            self.settle(melds, players);
        }
    }

    pub(super) fn waits_for_thirteen_orphans(&self, player: &PlayerState) -> bool {
        // The number of players makes no difference to thirteen orphans.
        self.concealed(player.melds.len(), 4)
            .is_some_and(|hand| thirteen_orphans_shanten(&hand) == Some(0))
    }
}

/// The concealed tiles that are known.
pub(crate) trait Hands {
    /// Begins a round with these tiles shown; unchanged when it is refused.
    fn deal(
        &mut self,
        rules: &Rules,
        start: &StartKyoku,
        shown: &ShownTiles,
    ) -> Result<(), Contradiction>;

    /// A seat's knowledge of itself; `None` if its tiles are hidden.
    fn own(&self, seat: Seat) -> Option<&Own>;

    /// The same to be changed.
    fn own_mut(&mut self, seat: Seat) -> Option<&mut Own>;

    /// The tiles in the hand of the one seat that the table is seen from; none if all hands are
    /// known.
    fn held(&self) -> &Counts;
}

/// One seat's tiles, and its view of the others'.
#[derive(Debug, Clone)]
pub(super) struct OneHand {
    pub(super) seat: Seat,
    pub(super) own: Own,
    /// Whether this seat's tiles are as hidden as all others.
    pub(super) hidden: bool,
}

impl OneHand {
    pub(super) fn new(seat: Seat) -> Self {
        Self {
            seat,
            own: Own::default(),
            hidden: false,
        }
    }
}

impl Hands for OneHand {
    fn deal(
        &mut self,
        rules: &Rules,
        start: &StartKyoku,
        shown: &ShownTiles,
    ) -> Result<(), Contradiction> {
        if !self.hidden {
            let dealt = start.tehais[self.seat].ok_or(Contradiction::OwnTilesHidden)?;
            shown.expect_hidden(&dealt, &Counts::EMPTY)?;
            self.own = Own::new(dealt, rules)?;
        }
        Ok(())
    }

    fn own(&self, seat: Seat) -> Option<&Own> {
        (seat == self.seat && !self.hidden).then_some(&self.own)
    }

    fn own_mut(&mut self, seat: Seat) -> Option<&mut Own> {
        (seat == self.seat && !self.hidden).then_some(&mut self.own)
    }

    fn held(&self) -> &Counts {
        self.own.hand.counts()
    }
}

/// The tiles of all seats.
#[derive(Debug, Clone)]
pub(crate) struct AllHands(pub(crate) PerSeat<Own>);

impl Hands for AllHands {
    fn deal(
        &mut self,
        rules: &Rules,
        start: &StartKyoku,
        _: &ShownTiles,
    ) -> Result<(), Contradiction> {
        let mut hands = self.0;
        for (seat, own) in hands.iter_mut() {
            *own = Own::new(
                start.tehais[seat].ok_or(Contradiction::OwnTilesHidden)?,
                rules,
            )?;
        }
        self.0 = hands;
        Ok(())
    }

    fn own(&self, seat: Seat) -> Option<&Own> {
        Some(&self.0[seat])
    }

    fn own_mut(&mut self, seat: Seat) -> Option<&mut Own> {
        Some(&mut self.0[seat])
    }

    fn held(&self) -> &Counts {
        &Counts::EMPTY
    }
}

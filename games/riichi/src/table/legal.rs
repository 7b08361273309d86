//! The legal actions of a seat.
//!
//! The rules follow RiichiEnv 0.4.11, the engine behind RiichiLab, according to the protocol document: kuikae forbidden
//! (the called tile's kind and the far end of the run), no call on the last discard, at most four kans, a kan in riichi
//! only if the waits stay the same, riichi with at least 1,000 points and a tile left to draw for each player. A kan in
//! riichi may remove a reading or a yaku as long as the waits stay the same; this is Tenhou's rule
//! (<https://tenhou.net/man/#RULE>: only if the waits do not change, of the drawn tile, regardless of shape and yaku).
//! With three players no player calls a run, and a North may be set aside on the own turn (kita), in riichi the one
//! just drawn.

use arrayvec::ArrayVec;
use game_core::Seat;
use tiles::shanten::shanten;
use tiles::{ConcealedHand, Kind, KindSet, Tile};

use super::{MAX_KANS, Phase, TableRef};
use crate::action::{Action, LegalActions};
use crate::hand::Hand;
use crate::meld::MeldKind;
use crate::rules::RIICHI_STICK;
use crate::waits::waits;
use crate::yaku::WinBy;

/// Kinds of terminals and honours that let a first draw be declared void.
const KYUSHU_KINDS: usize = 9;

impl TableRef<'_> {
    /// Everything the seat may do now, as [`Table::legal_actions`](super::Table::legal_actions) says.
    pub(crate) fn legal_actions(self) -> LegalActions {
        let mut legal = LegalActions::new();
        match self.public.phase {
            Phase::Turn(seat) if seat == self.seat => self.on_own_turn(&mut legal),
            Phase::Called(seat) if seat == self.seat => self.discards(&mut legal, self.own.kuikae),
            Phase::Declared(seat) if seat == self.seat => {
                for (tile, tsumogiri) in self.riichi_discards() {
                    push(&mut legal, Action::Dahai { tile, tsumogiri });
                }
            }
            Phase::Discarded { by, tile } if by != self.seat => self.on_discard(&mut legal, by, tile),
            // An open kan cannot be robbed, and a closed one only by thirteen orphans.
            Phase::Kan { by, tile, .. } if self.is_passing_by() => {
                self.on_shown(&mut legal, by, tile, self.by_ron(true));
            }
            Phase::Kita { by } if self.is_passing_by() => {
                self.on_shown(&mut legal, by, Kind::NORTH.tile(), self.by_ron(false));
            }
            _ => {}
        }
        legal
    }

    /// Whether the action is one of the [legal actions](Self::legal_actions). A discard is checked on its own.
    pub(crate) fn is_legal(self, action: Action) -> bool {
        match (action, self.public.phase) {
            (Action::Dahai { tile, tsumogiri }, Phase::Turn(seat)) if seat == self.seat => {
                (tsumogiri || self.player().riichi.is_none()) && self.can_discard(tile, tsumogiri)
            }
            (Action::Dahai { tile, tsumogiri }, Phase::Called(seat)) if seat == self.seat => {
                self.can_discard(tile, tsumogiri) && !self.own.kuikae.contains(tile.kind())
            }
            _ => self.legal_actions().contains(&action),
        }
    }

    fn is_passing_by(self) -> bool {
        self.public.passing.is_some_and(|passing| passing.is_for(self.seat, self.own, self.player()))
    }

    fn on_own_turn(self, legal: &mut LegalActions) {
        if let Some(tile) = self.own.drawn
            && self.own.waits.contains(tile.kind())
            && self.wins(self.own.hand, tile, self.by_draw())
        {
            push(legal, Action::Hora { target: self.seat, tile });
        }
        if self.player().riichi.is_some() {
            if let Some(tile) = self.own.drawn {
                push(legal, Action::Dahai { tile, tsumogiri: true });
                if self.can_show_kan() && self.kan_keeps_waits(tile.kind()) {
                    push(legal, ankan(&self.own.hand, tile.kind()));
                }
                if self.can_set_aside(tile.kind()) {
                    push(legal, Action::Kita);
                }
            }
            return;
        }
        self.discards(legal, KindSet::EMPTY);
        if self.can_declare_riichi() {
            for (tile, tsumogiri) in self.riichi_discards() {
                push(legal, Action::Reach { tile, tsumogiri });
            }
        }
        if self.can_show_kan() {
            self.own_kans(legal);
        }
        if self.is_first_turn() && self.has_nine_terminals() {
            push(legal, Action::Ryukyoku);
        }
        if self.own.hand.counts()[Kind::NORTH] > 0 && self.can_set_aside(Kind::NORTH) {
            push(legal, Action::Kita);
        }
    }

    /// Whether a tile of this kind is a North that the own turn, which began with a draw, can set aside (three
    /// players): a tile is left to draw for it.
    fn can_set_aside(self, kind: Kind) -> bool {
        self.public.rules.players == 3 && kind == Kind::NORTH && self.public.tiles_left > 0
    }

    /// Every different discard, except of the forbidden kinds.
    fn discards(self, legal: &mut LegalActions, forbidden: KindSet) {
        for (tile, tsumogiri) in self.different_discards() {
            if !forbidden.contains(tile.kind()) {
                push(legal, Action::Dahai { tile, tsumogiri });
            }
        }
    }

    /// Each different tile of the hand, and apart from it the drawn one.
    fn different_discards(self) -> impl Iterator<Item = (Tile, bool)> {
        let another = move |&tile: &Tile| self.own.drawn != Some(tile) || self.own.hand.count(tile) > 1;
        let from_hand = self.own.hand.distinct().filter(another);
        from_hand.map(|tile| (tile, false)).chain(self.own.drawn.map(|tile| (tile, true)))
    }

    /// Whether the hand has the tile, either the drawn one or another, as marked.
    fn can_discard(self, tile: Tile, tsumogiri: bool) -> bool {
        let is_drawn = self.own.drawn == Some(tile);
        if tsumogiri { is_drawn } else { self.own.hand.count(tile) > u8::from(is_drawn) }
    }

    fn can_declare_riichi(self) -> bool {
        self.player().is_closed()
            && self.public.scores[self.seat] >= RIICHI_STICK
            && self.public.tiles_left >= self.public.rules.players
    }

    /// The discards that leave a tenpai hand.
    fn riichi_discards(self) -> impl Iterator<Item = (Tile, bool)> {
        // Most hands are too far from tenpai for any discard, which the shanten number of the full hand shows.
        let near = self.concealed().filter(|hand| shanten(hand) <= 0);
        self.different_discards().filter(move |&(tile, _)| {
            near.and_then(|hand| hand.without(tile.kind())).is_some_and(|rest| !waits(&rest).is_empty())
        })
    }

    fn own_kans(self, legal: &mut LegalActions) {
        for kind in self.own.hand.counts().at_least(4).iter() {
            push(legal, ankan(&self.own.hand, kind));
        }
        for meld in &self.player().melds {
            if meld.kind() == MeldKind::Pon {
                let added = self.own.hand.distinct().find(|tile| tile.kind() == meld.first());
                if let (Some(tile), &[a, b, c]) = (added, meld.tiles()) {
                    push(legal, Action::Kakan { tile, consumed: [a, b, c] });
                }
            }
        }
    }

    /// Whether an own turn that began with a draw allows any kan: a tile is left to draw for it, and it is not the
    /// fifth.
    fn can_show_kan(self) -> bool {
        self.public.tiles_left > 0 && self.public.kans() < MAX_KANS
    }

    /// In riichi: whether a closed kan of the drawn kind keeps the waits.
    fn kan_keeps_waits(self, kind: Kind) -> bool {
        let mut counts = *self.own.hand.counts();
        if counts[kind] != 4 {
            return false;
        }
        counts[kind] = 0;
        let melds = self.player().melds.len() + 1;
        ConcealedHand::new(counts, melds, self.public.rules.players)
            .is_ok_and(|hand| !self.own.waits.is_empty() && waits(&hand) == self.own.waits)
    }

    fn has_nine_terminals(self) -> bool {
        let kinds = self.own.hand.counts().kinds().iter();
        kinds.filter(|kind| kind.is_terminal_or_honour()).count() >= KYUSHU_KINDS
    }

    fn on_discard(self, legal: &mut LegalActions, by: Seat, tile: Tile) {
        if self.can_ron(tile) && self.wins_with(tile, self.by_ron(false)) {
            push(legal, Action::Hora { target: by, tile });
        }
        // If this discard ends the round in an abortive draw, only a win can come before it. Only the draw of four kans
        // leaves a player able to call: after four equal winds no player holds one, and after four riichi no player
        // may.
        let may_pon = self.own.hand.counts()[tile.kind()] >= 2;
        let may_chi = self.public.rules.players == 4 && self.seat == by.next(self.public.rules.players);
        if (may_pon || may_chi)
            && self.player().riichi.is_none()
            && self.public.tiles_left > 0
            && !self.public.four_kans_end_the_round()
        {
            if may_pon {
                self.pons(legal, by, tile);
            }
            if may_chi {
                self.chis(legal, by, tile);
            }
        }
        if !legal.is_empty() {
            push(legal, Action::None);
        }
    }

    /// A tile of a kan, or a North set aside, that can be won on but not called.
    fn on_shown(self, legal: &mut LegalActions, by: Seat, tile: Tile, won_by: WinBy) {
        if self.can_ron(tile) && self.wins_with(tile, won_by) {
            push(legal, Action::Hora { target: by, tile });
            push(legal, Action::None);
        }
    }

    /// Whether the hand waits for the tile and furiten does not forbid it.
    fn can_ron(self, tile: Tile) -> bool {
        self.own.waits.contains(tile.kind()) && !self.furiten().any()
    }

    fn wins_with(self, tile: Tile, by: WinBy) -> bool {
        self.own.hand.with(tile).is_ok_and(|hand| self.wins(hand, tile, by))
    }

    /// Pon in every choice of own tiles, then the open kan.
    fn pons(self, legal: &mut LegalActions, target: Seat, tile: Tile) {
        let own = tiles_of(&self.own.hand, tile.kind());
        // There are four tiles at least where two can be called with, so kuikae always leaves another kind to discard.
        for consumed in different_pairs(&own, &own) {
            push(legal, Action::Pon { target, tile, consumed });
        }
        if let &[a, b, c] = own.as_slice()
            && self.public.kans() < MAX_KANS
        {
            push(legal, Action::Daiminkan { target, tile, consumed: [a, b, c] });
        }
    }

    fn chis(self, legal: &mut LegalActions, target: Seat, tile: Tile) {
        for (low, high) in [(-2, -1), (-1, 1), (1, 2)] {
            let (Some(low), Some(high)) = (tile.kind().offset(low), tile.kind().offset(high)) else { continue };
            let counts = self.own.hand.counts();
            if counts[low] == 0 || counts[high] == 0 {
                continue;
            }
            let (lows, highs) = (tiles_of(&self.own.hand, low), tiles_of(&self.own.hand, high));
            for consumed in different_pairs(&lows, &highs) {
                if self.can_discard_after_chi(tile, consumed) {
                    push(legal, Action::Chi { target, tile, consumed });
                }
            }
        }
    }

    fn can_discard_after_chi(self, tile: Tile, consumed: [Tile; 2]) -> bool {
        let forbidden = self.public.rules.kuikae(tile.kind(), consumed.map(Tile::kind));
        self.own
            .hand
            .without(&consumed)
            .is_ok_and(|rest| rest.counts().kinds().iter().any(|kind| !forbidden.contains(kind)))
    }
}

fn push(legal: &mut LegalActions, action: Action) {
    // The bound holds for every hand of 14 tiles; a hand that breaks it is no reason to stop.
    let _ = legal.try_push(action);
}

fn ankan(hand: &Hand, kind: Kind) -> Action {
    let tiles = tiles_of(hand, kind);
    Action::Ankan { consumed: std::array::from_fn(|place| tiles.get(place).copied().unwrap_or(kind.tile())) }
}

/// All tiles of a kind in a hand, plain before red.
fn tiles_of(hand: &Hand, kind: Kind) -> ArrayVec<Tile, 4> {
    let plain = kind.tile();
    let red = kind.suit().filter(|_| kind.number() == Some(5)).and_then(Tile::red_five);
    let times = |tile: Tile| std::iter::repeat_n(tile, usize::from(hand.count(tile)));
    times(plain).chain(red.into_iter().flat_map(times)).take(4).collect()
}

/// Each different pair of one tile of each list, and of two different places if the lists are the same.
fn different_pairs(first: &[Tile], second: &[Tile]) -> ArrayVec<[Tile; 2], 4> {
    let same = first.first().map(|tile| tile.kind()) == second.first().map(|tile| tile.kind());
    let mut pairs = ArrayVec::new();
    for (place, &a) in first.iter().enumerate() {
        for &b in &second[if same { place + 1 } else { 0 }..] {
            if !pairs.contains(&[a, b]) {
                let _ = pairs.try_push([a, b]);
            }
        }
    }
    pairs
}

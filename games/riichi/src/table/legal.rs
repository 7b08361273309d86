//! The legal actions of a seat.
//!
//! The rules follow RiichiEnv 0.4.11, the engine behind RiichiLab, according to the protocol
//! document: kuikae forbidden (the called tile's kind and the far end of the run), no call on the
//! last discard, at most four kans, a kan in riichi only if the waits stay the same, riichi with at
//! least 1,000 points and a tile left to draw for each player. A kan in riichi may remove a reading
//! or a yaku as long as the waits stay the same; this is Tenhou's rule
//! (<https://tenhou.net/man/#RULE>: only if the waits do not change, of the drawn tile, regardless
//! of shape and yaku). With three players no player calls a run, and a North may be set aside on
//! the own turn (kita), in riichi the one just drawn.

use arrayvec::ArrayVec;
use game_core::Seat;
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

/// Where legal actions are added.
pub(crate) trait ActionList {
    fn add(&mut self, action: Action);

    fn number(&self) -> usize;
}

impl ActionList for LegalActions {
    fn add(&mut self, action: Action) {
        // The bound holds for every hand of 14 tiles; a hand that breaks it is no reason to stop.
        let _ = self.try_push(action);
    }

    fn number(&self) -> usize {
        self.len()
    }
}

impl ActionList for Vec<Action> {
    fn add(&mut self, action: Action) {
        self.push(action);
    }

    fn number(&self) -> usize {
        self.len()
    }
}

/// Only their number.
impl ActionList for usize {
    fn add(&mut self, _: Action) {
        *self += 1;
    }

    fn number(&self) -> usize {
        *self
    }
}

impl TableRef<'_> {
    /// Everything the seat may do now, as [`Table::legal_actions`](super::Table::legal_actions)
    /// says.
    pub(crate) fn legal_actions(self) -> LegalActions {
        let mut legal = LegalActions::new();
        self.list_legal(&mut legal);
        legal
    }

    /// Adds the legal actions to a list.
    pub(crate) fn list_legal(self, legal: &mut impl ActionList) {
        match self.public.phase {
            Phase::Turn(seat) if seat == self.seat => self.on_own_turn(legal),
            Phase::Called(seat) if seat == self.seat => self.discards(legal, self.own.kuikae),
            Phase::Declared(seat) if seat == self.seat => {
                for (tile, tsumogiri) in self.riichi_discards() {
                    legal.add(Action::Dahai { tile, tsumogiri });
                }
            }
            Phase::Discarded { by, tile } if by != self.seat => self.on_discard(legal, by, tile),
            // An open kan cannot be robbed, and a closed one only by thirteen orphans.
            Phase::Kan { by, tile, .. } if self.is_passing_by() => {
                self.on_shown(legal, by, tile, self.by_ron(true));
            }
            Phase::Kita { by } if self.is_passing_by() => {
                self.on_shown(legal, by, Kind::NORTH.tile(), self.by_ron(false));
            }
            _ => {}
        }
    }

    /// Whether the action is one of the [legal actions](Self::legal_actions). A discard is checked
    /// on its own.
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

    /// Whether there are any. Most discards are quickly seen to be of no use.
    pub(crate) fn has_legal_action(self) -> bool {
        match self.public.phase {
            Phase::Discarded { by, tile } if !self.may_use(by, tile.kind()) => false,
            _ => {
                let mut number = 0;
                self.list_legal(&mut number);
                number > 0
            }
        }
    }

    /// Whether a discard of this kind might be claimed: without the limits of furiten, yaku and
    /// turn.
    fn may_use(self, by: Seat, kind: Kind) -> bool {
        let counts = self.own.hand.counts();
        self.own.waits.contains(kind)
            || counts[kind] >= 2
            || self.is_next(by) && {
                let held = |steps: i8| kind.offset(steps).is_some_and(|other| counts[other] > 0);
                let (below, above) = (held(-1), held(1));
                (held(-2) || above) && below || above && held(2)
            }
    }

    /// Whether it is this seat that may call a run with a discard of that one.
    fn is_next(self, by: Seat) -> bool {
        self.public.rules.players == 4 && self.seat == by.next(4)
    }

    fn is_passing_by(self) -> bool {
        self.public
            .passing
            .is_some_and(|passing| passing.is_for(self.seat, self.own, self.player()))
    }

    fn on_own_turn(self, legal: &mut impl ActionList) {
        if let Some(tile) = self.own.drawn
            && self.own.waits.contains(tile.kind())
            && self.wins(self.own.hand, tile, self.by_draw())
        {
            legal.add(Action::Hora {
                target: self.seat,
                tile,
            });
        }
        if self.player().riichi.is_some() {
            if let Some(tile) = self.own.drawn {
                legal.add(Action::Dahai {
                    tile,
                    tsumogiri: true,
                });
                if self.can_show_kan() && self.kan_keeps_waits(tile.kind()) {
                    legal.add(ankan(&self.own.hand, tile.kind()));
                }
                if self.can_set_aside(tile.kind()) {
                    legal.add(Action::Kita);
                }
            }
            return;
        }
        self.discards(legal, KindSet::EMPTY);
        if self.can_declare_riichi() {
            for (tile, tsumogiri) in self.riichi_discards() {
                legal.add(Action::Reach { tile, tsumogiri });
            }
        }
        if self.can_show_kan() {
            self.own_kans(legal);
        }
        if self.is_first_turn() && self.has_nine_terminals() {
            legal.add(Action::Ryukyoku);
        }
        if self.own.hand.counts()[Kind::NORTH] > 0 && self.can_set_aside(Kind::NORTH) {
            legal.add(Action::Kita);
        }
    }

    /// Whether a tile of this kind is a North that the own turn, which began with a draw, can set
    /// aside (three players): a tile is left to draw for it.
    fn can_set_aside(self, kind: Kind) -> bool {
        self.public.rules.players == 3 && kind == Kind::NORTH && self.public.tiles_left > 0
    }

    /// Every different discard, except of the forbidden kinds.
    fn discards(self, legal: &mut impl ActionList, forbidden: KindSet) {
        self.different_discards()
            .filter(|(tile, _)| !forbidden.contains(tile.kind()))
            .for_each(|(tile, tsumogiri)| {
                legal.add(Action::Dahai { tile, tsumogiri });
            });
    }

    /// Each different tile of the hand, and apart from it the drawn one.
    fn different_discards(self) -> impl Iterator<Item = (Tile, bool)> {
        let drawn = self.own.drawn;
        let others = drawn
            .and_then(|drawn| self.own.hand.without(&[drawn]).ok())
            .unwrap_or(self.own.hand);
        others
            .distinct()
            .map(|tile| (tile, false))
            .chain(drawn.map(|tile| (tile, true)))
    }

    /// Whether the hand has the tile, either the drawn one or another, as marked.
    fn can_discard(self, tile: Tile, tsumogiri: bool) -> bool {
        let is_drawn = self.own.drawn == Some(tile);
        if tsumogiri {
            is_drawn
        } else {
            self.own.hand.count(tile) > u8::from(is_drawn)
        }
    }

    fn can_declare_riichi(self) -> bool {
        self.player().is_closed()
            && self.public.scores[self.seat] >= RIICHI_STICK
            && self.public.tiles_left >= self.public.rules.players
    }

    /// The discards that leave a tenpai hand.
    fn riichi_discards(self) -> impl Iterator<Item = (Tile, bool)> {
        // Most hands are too far from tenpai for any discard, which the shanten number of the full
        // hand shows.
        let near = self
            .shanten()
            .is_some_and(|shanten| shanten <= 0)
            .then(|| self.concealed())
            .flatten();
        let tenpai = |hand: ConcealedHand, kind: Kind| {
            hand.without(kind)
                .is_some_and(|rest| !waits(&rest).is_empty())
        };
        near.into_iter().flat_map(move |hand| {
            self.different_discards()
                .filter(move |&(tile, _)| tenpai(hand, tile.kind()))
        })
    }

    fn own_kans(self, legal: &mut impl ActionList) {
        for kind in self.own.hand.counts().at_least(4).iter() {
            legal.add(ankan(&self.own.hand, kind));
        }
        for meld in &self.player().melds {
            if meld.kind() == MeldKind::Pon {
                let added = self
                    .own
                    .hand
                    .distinct()
                    .find(|tile| tile.kind() == meld.first());
                if let (Some(tile), &[a, b, c]) = (added, meld.tiles()) {
                    legal.add(Action::Kakan {
                        tile,
                        consumed: [a, b, c],
                    });
                }
            }
        }
    }

    /// Whether an own turn that began with a draw allows any kan: a tile is left to draw for it,
    /// and it is not the fifth.
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

    fn on_discard(self, legal: &mut impl ActionList, by: Seat, tile: Tile) {
        let before = legal.number();
        if self.can_ron(tile) && self.wins_with(tile, self.by_ron(false)) {
            legal.add(Action::Hora { target: by, tile });
        }
        // If this discard ends the round in an abortive draw, only a win can come before it. Only
        // the draw of four kans leaves a player able to call: after four equal winds no player
        // holds one, and after four riichi no player may.
        let may_pon = self.own.hand.counts()[tile.kind()] >= 2;
        let may_chi = self.is_next(by);
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
        if legal.number() > before {
            legal.add(Action::None);
        }
    }

    /// A tile of a kan, or a North set aside, that can be won on but not called.
    fn on_shown(self, legal: &mut impl ActionList, by: Seat, tile: Tile, won_by: WinBy) {
        if self.can_ron(tile) && self.wins_with(tile, won_by) {
            legal.add(Action::Hora { target: by, tile });
            legal.add(Action::None);
        }
    }

    /// Whether the hand waits for the tile and furiten does not forbid it.
    fn can_ron(self, tile: Tile) -> bool {
        self.own.waits.contains(tile.kind()) && !self.furiten().any()
    }

    fn wins_with(self, tile: Tile, by: WinBy) -> bool {
        self.own
            .hand
            .with(tile)
            .is_ok_and(|hand| self.wins(hand, tile, by))
    }

    /// Pon in every choice of own tiles, then the open kan.
    fn pons(self, legal: &mut impl ActionList, target: Seat, tile: Tile) {
        let own = tiles_of(&self.own.hand, tile.kind());
        // There are four tiles at least where two can be called with, so kuikae always leaves
        // another kind to discard.
        for consumed in different_pairs(&own, &own) {
            legal.add(Action::Pon {
                target,
                tile,
                consumed,
            });
        }
        if let &[a, b, c] = own.as_slice()
            && self.public.kans() < MAX_KANS
        {
            legal.add(Action::Daiminkan {
                target,
                tile,
                consumed: [a, b, c],
            });
        }
    }

    fn chis(self, legal: &mut impl ActionList, target: Seat, tile: Tile) {
        for (low, high) in [(-2, -1), (-1, 1), (1, 2)] {
            let (Some(low), Some(high)) = (tile.kind().offset(low), tile.kind().offset(high))
            else {
                continue;
            };
            let counts = self.own.hand.counts();
            if counts[low] == 0 || counts[high] == 0 {
                continue;
            }
            let (lows, highs) = (
                tiles_of(&self.own.hand, low),
                tiles_of(&self.own.hand, high),
            );
            for consumed in different_pairs(&lows, &highs) {
                if self.can_discard_after_chi(tile, consumed) {
                    legal.add(Action::Chi {
                        target,
                        tile,
                        consumed,
                    });
                }
            }
        }
    }

    fn can_discard_after_chi(self, tile: Tile, consumed: [Tile; 2]) -> bool {
        let forbidden = self
            .public
            .rules
            .kuikae(tile.kind(), consumed.map(Tile::kind));
        self.own.hand.without(&consumed).is_ok_and(|rest| {
            rest.counts()
                .kinds()
                .iter()
                .any(|kind| !forbidden.contains(kind))
        })
    }
}

fn ankan(hand: &Hand, kind: Kind) -> Action {
    let tiles = tiles_of(hand, kind);
    Action::Ankan {
        consumed: std::array::from_fn(|place| tiles.get(place).copied().unwrap_or(kind.tile())),
    }
}

/// All tiles of a kind in a hand, plain before red.
fn tiles_of(hand: &Hand, kind: Kind) -> ArrayVec<Tile, 4> {
    let plain = kind.tile();
    let red = kind
        .suit()
        .filter(|_| kind.number() == Some(5))
        .and_then(Tile::red_five);
    let times = |tile: Tile| std::iter::repeat_n(tile, usize::from(hand.count(tile)));
    times(plain)
        .chain(red.into_iter().flat_map(times))
        .take(4)
        .collect()
}

/// Each different pair of one tile of each list, and of two different places if the lists are the
/// same.
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

//! The hands that a hand may become, and the transitions between them.

use std::ops::Range;

use tiles::shanten::shanten;
use tiles::{ConcealedHand, Counts, Kind, KindSet, Tile};

use riichi::acceptance::shanten_and_acceptance;
use riichi::hand::Hand;
use riichi::meld::Meld;

use super::key::{ByKey, Key};
use super::melds::{HandAhead, NewMelds};
use super::surroundings::{Surroundings, with_red};
use super::tenpai::Tenpai;

/// A hand before its draw.
struct Waiting {
    hand: HandAhead,
    /// The unseen tiles.
    unseen: Counts,
    key: Key,
    /// In how many tiles it differs from the present hand.
    changed: i8,
    /// Its value, if it is tenpai.
    tenpai: Option<u32>,
    /// The end of its draws; they begin at the end of the previous hand's.
    draws_end: u32,
    /// Likewise of its calls.
    calls_end: u32,
}

/// A draw that a waiting hand may keep.
#[derive(Debug, Clone, Copy)]
pub(super) struct Draw {
    /// The resulting full hand.
    pub(super) full: u32,
    /// Number of such tiles.
    pub(super) tiles: u8,
    pub(super) tile: Tile,
}

/// A call that a waiting hand may make.
#[derive(Debug, Clone, Copy)]
pub(super) struct Calling {
    /// The resulting full hand.
    pub(super) full: u32,
    /// Number of such tiles.
    pub(super) tiles: u8,
    pub(super) tile: Tile,
    /// The own tiles of the meld.
    pub(super) own: [Tile; 2],
    /// Whether it takes the tile of the player before it only.
    pub(super) chi: bool,
}

/// A tile that a full hand may discard.
#[derive(Debug, Clone, Copy)]
pub(super) struct Discarding {
    /// The remaining waiting hand.
    pub(super) left: u32,
    pub(super) tile: Tile,
}

/// Hands and the ways between them. The first full hand is the present one.
pub(super) struct States {
    waiting: Vec<Waiting>,
    by_key: ByKey<u32>,
    tenpai: Vec<Tenpai>,
    draws: Vec<Draw>,
    /// Calls of one tile are adjacent.
    calls: Vec<Calling>,
    throws: Vec<Discarding>,
    /// The end of the discards of each full hand.
    throws_end: Vec<u32>,
    /// Number of melds of the present hand.
    root_melds: usize,
    /// The kinds that the present hand may discard. A hand on the way discards no tile of the
    /// present one of another kind: tiles that it has gained cannot make up for that tile, since
    /// each brings a hand nearer by at most the one step that it costs.
    of_root: KindSet,
    /// Numbers of waiting hands, and of full hands that they draw or call to, that are reached with
    /// 0, 1, 2 and more draws.
    reached_by: Vec<(usize, usize)>,
}

/// In place of a hand's index: it cannot win.
const NOT_FOLLOWED: u32 = u32::MAX;

/// A full hand on the way.
struct HandToThrow {
    hand: HandAhead,
    key: Key,
    changed: i8,
    /// The kinds that it may not discard after a call.
    forbidden: KindSet,
}

impl States {
    /// All hands that can be reached.
    pub(super) fn reached(around: &Surroundings<'_>, root: ConcealedHand, reds: [u8; 3]) -> Self {
        let mut states = Self {
            waiting: Vec::new(),
            by_key: ByKey::default(),
            tenpai: Vec::new(),
            draws: Vec::new(),
            calls: Vec::new(),
            throws: Vec::new(),
            throws_end: Vec::new(),
            root_melds: usize::from(root.melds()),
            of_root: KindSet::ALL,
            reached_by: Vec::new(),
        };
        let mut full_by_key = ByKey::default();
        let hand = HandAhead {
            closed: root,
            reds,
            melds: NewMelds::default(),
        };
        let key = Key::new(&hand);
        states.discard_each(
            around,
            &HandToThrow {
                hand,
                key,
                changed: 0,
                forbidden: KindSet::EMPTY,
            },
            None,
        );
        full_by_key.insert(key, Some(0));
        states.of_root = states
            .discards_of_root()
            .map(|(tile, _)| tile.kind())
            .collect();
        let mut next = 0;
        while next < states.waiting.len() {
            let reached = states.waiting.len();
            for state in next..reached {
                states.draw_each(around, state, &mut full_by_key);
            }
            states.reached_by.push((reached, states.full_hands()));
            next = reached;
        }
        states
    }

    /// Adds the full hand with its discards, unless it could only discard its draw, and returns its
    /// index.
    fn discard_each(
        &mut self,
        around: &Surroundings<'_>,
        full: &HandToThrow,
        drawn: Option<Tile>,
    ) -> Option<u32> {
        let before = self.throws.len();
        let HandAhead {
            reds,
            melds,
            ref closed,
        } = full.hand;
        let tiles = full.hand.tiles();
        let key = full.key.waiting();
        closed.each_discard(|kind, rest| {
            if full.forbidden.contains(kind) {
                return;
            }
            let gained = around.gained(&tiles, kind) > 0;
            if !gained && !self.of_root.contains(kind) {
                return;
            }
            let changed = full.changed - i8::from(gained);
            // A red five is worth no less than a plain one and is discarded only if there is no
            // other.
            let red_fives =
                Tile::red_five(kind.suit().unwrap_or(3)).filter(|_| kind.number() == Some(5));
            let reds_held = kind
                .suit()
                .filter(|_| red_fives.is_some())
                .map_or(0, |suit| reds[usize::from(suit)]);
            let only_red = red_fives.filter(|_| closed.counts()[kind] == reds_held);
            let tile = only_red.unwrap_or_else(|| kind.tile());
            let key = key.without(tile);
            let left = match self.by_key.get(&key) {
                Some(&NOT_FOLLOWED) => return,
                Some(&left) => left,
                None => {
                    if shanten(rest) + changed > around.reach {
                        return;
                    }
                    let mut reds = reds;
                    if let (Some(_), Some(suit)) = (only_red, kind.suit()) {
                        reds[usize::from(suit)] -= 1;
                    }
                    let hand = HandAhead {
                        closed: *rest,
                        reds,
                        melds,
                    };
                    if !around.may_win(&hand, changed) {
                        self.by_key.insert(key, NOT_FOLLOWED);
                        return;
                    }
                    let left = self.waiting.len() as u32;
                    self.by_key.insert(key, left);
                    let unseen = around.unseen_beside(&hand.tiles());
                    self.waiting.push(Waiting {
                        hand,
                        unseen,
                        key,
                        changed,
                        tenpai: None,
                        draws_end: 0,
                        calls_end: 0,
                    });
                    left
                }
            };
            self.throws.push(Discarding { left, tile });
        });
        if let ([only], Some(drawn)) = (&self.throws[before..], drawn)
            && only.tile == drawn
        {
            self.throws.pop();
        }
        if self.throws.len() == before {
            return None;
        }
        self.throws_end.push(self.throws.len() as u32);
        Some(self.throws_end.len() as u32 - 1)
    }

    fn draw_each(
        &mut self,
        around: &Surroundings<'_>,
        state: usize,
        full_by_key: &mut ByKey<Option<u32>>,
    ) {
        let Waiting {
            hand, key, changed, ..
        } = self.waiting[state];
        let (tiles, reds) = (hand.tiles(), hand.all_reds());
        let (shanten, accepted) = shanten_and_acceptance(&hand.closed);
        let mut tenpai = Tenpai::default();
        if shanten == 0 {
            tenpai = Tenpai::of(around, &hand, accepted);
            self.waiting[state].tenpai = Some(self.tenpai.len() as u32);
            self.tenpai.push(tenpai);
        }
        let mut kinds = hand.closed.kinds_in_play();
        if shanten.max(0) + changed + 1 > around.reach {
            // Any other kind would be one tile too much.
            kinds = kinds & (accepted | around.parted(&tiles));
        }
        for kind in kinds.iter() {
            let gained = tiles[kind] >= around.held_now(kind);
            let changed = changed + i8::from(gained);
            let now_shanten = shanten - i8::from(accepted.contains(kind));
            if now_shanten.max(0) + changed > around.reach {
                continue;
            }
            let may_draw = !tenpai.by_tsumo.contains(kind);
            let may_call =
                around.outset.may_call && (tenpai.furiten || !tenpai.by_ron.contains(kind));
            for (tile, unseen) in around.unseen_of(&tiles, reds, kind) {
                let reds = with_red(hand.reds, tile);
                if may_draw && let Some(closed) = hand.closed.with(kind) {
                    let hand = HandAhead {
                        closed,
                        reds,
                        ..hand
                    };
                    let full = HandToThrow {
                        hand,
                        key: key.with(tile),
                        changed,
                        forbidden: KindSet::EMPTY,
                    };
                    if let Some(full) = self.made(around, &full, Some(tile), full_by_key) {
                        self.draws.push(Draw {
                            full,
                            tiles: unseen,
                            tile,
                        });
                    }
                }
                if may_call {
                    hand.calls(tile, around.may_chi, |own, chi, made| {
                        let key = key.called(tile, &made, own);
                        let forbidden = around
                            .outset
                            .situation
                            .rules
                            .kuikae(kind, own.map(Tile::kind));
                        let full = HandToThrow {
                            hand: made,
                            key,
                            changed,
                            forbidden,
                        };
                        if let Some(full) = self.made(around, &full, None, full_by_key) {
                            self.calls.push(Calling {
                                full,
                                tiles: unseen,
                                tile,
                                own,
                                chi,
                            });
                        }
                    });
                }
            }
        }
        let ends = &mut self.waiting[state];
        (ends.draws_end, ends.calls_end) = (self.draws.len() as u32, self.calls.len() as u32);
    }

    /// The full hand, added unless it exists; `None` if every discard moves it too far away.
    fn made(
        &mut self,
        around: &Surroundings<'_>,
        full: &HandToThrow,
        drawn: Option<Tile>,
        full_by_key: &mut ByKey<Option<u32>>,
    ) -> Option<u32> {
        if let Some(&made) = full_by_key.get(&full.key) {
            return made;
        }
        let made = self.discard_each(around, full, drawn);
        full_by_key.insert(full.key, made);
        made
    }

    /// Number of hands before a draw.
    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Numbers of waiting hands that are reached with this many draws, and of the full hands that
    /// they draw or call to. These hands come first.
    pub(super) fn reached_by(&self, draws: u8) -> (usize, usize) {
        let reached = self.reached_by.get(usize::from(draws));
        *reached
            .or(self.reached_by.last())
            .unwrap_or(&(0, self.full_hands()))
    }

    /// Number of full hands.
    pub(super) fn full_hands(&self) -> usize {
        self.throws_end.len()
    }

    /// The discards of the present hand, with the remaining hands.
    pub(super) fn discards_of_root(&self) -> impl Iterator<Item = (Tile, usize)> {
        let throws = if self.throws_end.is_empty() {
            &[]
        } else {
            self.throws(0)
        };
        throws.iter().map(|throw| (throw.tile, throw.left as usize))
    }

    pub(super) fn throws(&self, full: usize) -> &[Discarding] {
        let begin = full
            .checked_sub(1)
            .map_or(0, |before| self.throws_end[before]);
        &self.throws[begin as usize..self.throws_end[full] as usize]
    }

    /// The draws that are kept.
    pub(super) fn draws(&self, state: usize) -> &[Draw] {
        let begin = state
            .checked_sub(1)
            .map_or(0, |before| self.waiting[before].draws_end);
        &self.draws[begin as usize..self.waiting[state].draws_end as usize]
    }

    /// The possible calls.
    pub(super) fn calls(&self, state: usize) -> &[Calling] {
        &self.calls[self.calls_of(state)]
    }

    /// The range of its calls among those of all hands.
    pub(super) fn calls_of(&self, state: usize) -> Range<usize> {
        let begin = state
            .checked_sub(1)
            .map_or(0, |before| self.waiting[before].calls_end);
        begin as usize..self.waiting[state].calls_end as usize
    }

    /// Number of calls of all hands.
    pub(super) fn all_calls(&self) -> usize {
        self.calls.len()
    }

    /// The unseen tiles for a hand.
    pub(super) fn unseen(&self, state: usize) -> &Counts {
        &self.waiting[state].unseen
    }

    /// Number of tiles of a kind in a hand, including its new melds.
    pub(super) fn held(&self, state: usize, kind: Kind) -> u8 {
        self.waiting[state].hand.held(kind)
    }

    pub(super) fn tenpai(&self, state: usize) -> Option<&Tenpai> {
        self.waiting[state]
            .tenpai
            .map(|place| &self.tenpai[place as usize])
    }

    pub(super) fn discarded_tile(&self, full: usize, choice: usize) -> Tile {
        self.throws(full)[choice].tile
    }

    /// The waiting hand with these closed tiles and melds.
    pub(super) fn waiting(&self, hand: &Hand, melds: &[Meld]) -> Option<usize> {
        let players = self.waiting.first()?.hand.closed.players();
        let closed = ConcealedHand::new(*hand.counts(), melds.len(), players).ok()?;
        let made = melds.get(self.root_melds..)?;
        let ahead = HandAhead {
            closed,
            reds: hand.reds(),
            melds: NewMelds::of(made),
        };
        self.by_key
            .get(&Key::new(&ahead))
            .filter(|&&state| state != NOT_FOLLOWED)
            .map(|&state| state as usize)
    }

    pub(super) fn wins_by_tsumo(&self, state: usize, drawn: Tile) -> bool {
        self.tenpai(state)
            .is_some_and(|tenpai| tenpai.by_tsumo.contains(drawn.kind()))
    }

    /// The full hand that a draw makes, if it may be kept.
    pub(super) fn kept(&self, state: usize, drawn: Tile) -> Option<usize> {
        self.draws(state)
            .iter()
            .find(|draw| draw.tile == drawn)
            .map(|draw| draw.full as usize)
    }
}

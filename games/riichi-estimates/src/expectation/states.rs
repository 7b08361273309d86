//! The hands that a hand may become, and the transitions between them.

use std::hash::BuildHasherDefault;
use std::ops::Range;

use tiles::{ConcealedHand, Counts, Kind, KindSet, Tile};

use riichi::acceptance::{discards_within, shanten_and_acceptance};
use riichi::hand::Hand;
use riichi::meld::Meld;

use super::MAX_SHANTEN;
use super::key::{ByKey, Key};
use super::melds::{HandAhead, NewMelds};
use super::surroundings::Surroundings;
use super::tenpai::Tenpai;

/// A hand before its draw.
struct Waiting {
    hand: HandAhead,
    key: Key,
    /// In how many tiles it differs from the present hand.
    changed: i8,
}

/// What a hand before its draw is worth, and where its draws and calls are: these are asked for in
/// each turn.
struct Edges {
    /// Its value among those of tenpai hands; [`NOT_TENPAI`] for none.
    tenpai: u32,
    /// The number of tiles that it may keep.
    kept: u32,
    /// The end of its draws; they begin at the end of the previous hand's.
    draws_end: u32,
    /// Likewise of its calls.
    calls_end: u32,
}

/// In place of the index of a tenpai hand's value.
const NOT_TENPAI: u32 = u32::MAX;

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
    /// The same hands.
    edges: Vec<Edges>,
    /// The unseen tiles for each of them.
    unseen: Vec<Counts>,
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
    /// Numbers of waiting hands, and of full hands that they draw or call to, that are reached with
    /// 0, 1, 2 and more draws.
    reached_by: Vec<(usize, usize)>,
}

/// In place of a hand's index: it cannot win.
const NOT_FOLLOWED: u32 = u32::MAX;

impl States {
    /// All hands that can be reached.
    pub(super) fn reached(around: &Surroundings<'_>, root: ConcealedHand, reds: [u8; 3]) -> Self {
        // Room for as many as most hands have, so that less is moved.
        let room = 8 << (3 * around.reach.clamp(0, MAX_SHANTEN));
        let mut search = HandSearch {
            around,
            states: Self {
                waiting: Vec::with_capacity(room),
                edges: Vec::with_capacity(room),
                unseen: Vec::with_capacity(room),
                by_key: ByKey::with_capacity_and_hasher(room, BuildHasherDefault::default()),
                tenpai: Vec::with_capacity(room),
                draws: Vec::with_capacity(4 * room),
                calls: Vec::new(),
                throws: Vec::with_capacity(4 * room),
                throws_end: Vec::with_capacity(room),
                root_melds: usize::from(root.melds()),
                reached_by: Vec::new(),
            },
            full_by_key: ByKey::default(),
            drawn: Vec::with_capacity(4 * room),
            last_drawn: Vec::with_capacity(room),
            of_root: KindSet::ALL,
        };
        let hand = HandAhead {
            closed: root,
            reds,
            melds: NewMelds::default(),
        };
        let key = Key::new(&hand);
        let full = HandToThrow {
            hand,
            key,
            changed: 0,
            forbidden: KindSet::EMPTY,
        };
        search.looked_up(&full, None);
        let of_root = search.states.discards_of_root();
        search.of_root = of_root.map(|(tile, _)| tile.kind()).collect();
        let mut next = 0;
        while next < search.states.len() {
            let reached = search.states.len();
            for state in next..reached {
                search.draw_each(state);
            }
            let full = search.states.full_hands();
            search.states.reached_by.push((reached, full));
            next = reached;
        }
        search.states
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
        let end = self.throws_end.first().copied().unwrap_or(0);
        let throws = &self.throws[..end as usize];
        throws.iter().map(|throw| (throw.tile, throw.left as usize))
    }

    /// The range of the discards of a full hand among those of all hands.
    pub(super) fn throws_of(&self, full: usize) -> Range<u32> {
        let begin = full
            .checked_sub(1)
            .map_or(0, |before| self.throws_end[before]);
        begin..self.throws_end[full]
    }

    /// A discard among those of all hands.
    pub(super) fn throw(&self, place: u32) -> Discarding {
        self.throws[place as usize]
    }

    /// The draws that are kept.
    pub(super) fn draws(&self, state: usize) -> &[Draw] {
        let begin = state
            .checked_sub(1)
            .map_or(0, |before| self.edges[before].draws_end);
        &self.draws[begin as usize..self.edges[state].draws_end as usize]
    }

    /// The number of tiles in them.
    pub(super) fn kept_tiles(&self, state: usize) -> u32 {
        self.edges[state].kept
    }

    /// The possible calls.
    pub(super) fn calls(&self, state: usize) -> &[Calling] {
        &self.calls[self.calls_of(state)]
    }

    /// The range of its calls among those of all hands.
    pub(super) fn calls_of(&self, state: usize) -> Range<usize> {
        let begin = state
            .checked_sub(1)
            .map_or(0, |before| self.edges[before].calls_end);
        begin as usize..self.edges[state].calls_end as usize
    }

    /// Number of calls of all hands.
    pub(super) fn all_calls(&self) -> usize {
        self.calls.len()
    }

    /// The unseen tiles for a hand.
    pub(super) fn unseen(&self, state: usize) -> &Counts {
        &self.unseen[state]
    }

    /// Number of tiles of a kind in a hand, including its new melds.
    pub(super) fn held(&self, state: usize, kind: Kind) -> u8 {
        self.waiting[state].hand.held(kind)
    }

    pub(super) fn tenpai(&self, state: usize) -> Option<&Tenpai> {
        self.tenpai.get(self.edges[state].tenpai as usize)
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
    pub(super) fn kept(&self, state: usize, drawn: Tile) -> Option<u32> {
        self.draws(state)
            .iter()
            .find(|draw| draw.tile == drawn)
            .map(|draw| draw.full)
    }
}

/// Tiles, red fives apart.
#[derive(Default)]
struct TileSet {
    plain: KindSet,
    red: KindSet,
}

impl TileSet {
    fn insert(&mut self, tile: Tile) {
        if tile.is_red() {
            self.red.insert(tile.kind());
        } else {
            self.plain.insert(tile.kind());
        }
    }

    fn contains(&self, tile: Tile) -> bool {
        if tile.is_red() {
            self.red.contains(tile.kind())
        } else {
            self.plain.contains(tile.kind())
        }
    }

    /// The kinds that it holds, plain and, if there is one, red.
    fn all_copies(&self) -> KindSet {
        const FIVES: KindSet = KindSet::from_bits(1 << 4 | 1 << 13 | 1 << 22);
        self.plain & (self.red | (KindSet::ALL - FIVES))
    }
}

/// The hands found so far, and what it takes to find more.
struct HandSearch<'a> {
    around: &'a Surroundings<'a>,
    states: States,
    /// The discards of hands that have drawn. A draw of the same tile makes that hand of the
    /// remaining one again: so a draw that is not among them makes a new hand, unless
    /// [`HandAhead::may_be_drawn_otherwise`] says so.
    drawn: Vec<Drawn>,
    /// Full hands that must be looked up. `None` if every discard moves them too far away.
    full_by_key: ByKey<Option<u32>>,
    /// For each waiting hand the last of these that leaves it; [`NO_MORE`] for none.
    last_drawn: Vec<u32>,
    /// The kinds that the present hand may discard. A hand on the way discards no tile of the
    /// present one of another kind: tiles that it has gained cannot make up for that tile, since
    /// each brings a hand nearer by at most the one step that it costs.
    of_root: KindSet,
}

/// A full hand on the way.
struct HandToThrow {
    hand: HandAhead,
    key: Key,
    /// In how many tiles it differs from the present hand.
    changed: i8,
    /// The kinds that it may not discard after a call.
    forbidden: KindSet,
}

/// A discard of a full hand that came about by a draw.
#[derive(Clone, Copy)]
struct Drawn {
    full: u32,
    tile: Tile,
    /// The one before it that leaves the same hand.
    before: u32,
}

/// In place of an index in [`HandSearch::drawn`].
const NO_MORE: u32 = u32::MAX;

impl HandSearch<'_> {
    /// The full hand after a draw that no known discard undoes, added unless it exists.
    fn drawn(&mut self, state: usize, tile: Tile, changed: i8) -> Option<u32> {
        let Waiting { hand, key, .. } = &self.states.waiting[state];
        let full = HandToThrow {
            hand: hand.with(tile),
            key: key.with(tile),
            changed,
            forbidden: KindSet::EMPTY,
        };
        if full.hand.may_be_drawn_otherwise() {
            self.looked_up(&full, Some(tile))
        } else {
            self.discard_each(&full, Some(tile))
        }
    }

    /// The full hand, added unless it exists.
    fn looked_up(&mut self, full: &HandToThrow, drawn: Option<Tile>) -> Option<u32> {
        if let Some(&known) = self.full_by_key.get(&full.key) {
            return known;
        }
        let added = self.discard_each(full, drawn);
        self.full_by_key.insert(full.key, added);
        added
    }

    /// Adds a full hand with its discards. `None` if every discard moves it too far away, or if it
    /// could only discard its draw.
    fn discard_each(&mut self, full: &HandToThrow, drawn: Option<Tile>) -> Option<u32> {
        let &HandToThrow {
            ref hand,
            key: full_key,
            changed,
            forbidden,
        } = full;
        let reach = self.around.reach - changed;
        let kinds = hand.closed.counts().kinds() - forbidden;
        let gained = kinds & self.around.all_gained(&hand.tiles());
        // A hand that has drawn is in reach, and no discard leaves it more than a step further,
        // which the lost tile makes up for.
        let gained_within = if drawn.is_some() {
            gained
        } else {
            discards_within(&hand.closed, gained, reach + 1)
        };
        let others = (kinds - gained) & self.of_root;
        let within = gained_within | discards_within(&hand.closed, others, reach);
        let before = self.states.throws.len();
        let key = full_key.waiting();
        for kind in within.iter() {
            let tile = hand.discarded(kind);
            let key = key.without(tile);
            let changed = changed - i8::from(gained.contains(kind));
            let left = match self.states.by_key.get(&key) {
                Some(&left) => left,
                None => self.waiting(hand, tile, key, changed),
            };
            if left != NOT_FOLLOWED {
                self.states.throws.push(Discarding { left, tile });
            }
        }
        if let ([only], Some(drawn)) = (&self.states.throws[before..], drawn)
            && only.tile == drawn
        {
            self.states.throws.pop();
        }
        if self.states.throws.len() == before {
            return None;
        }
        let full = self.states.throws_end.len() as u32;
        self.states.throws_end.push(self.states.throws.len() as u32);
        if full_key == key {
            for throw in &self.states.throws[before..] {
                let last = &mut self.last_drawn[throw.left as usize];
                self.drawn.push(Drawn {
                    full,
                    tile: throw.tile,
                    before: *last,
                });
                *last = self.drawn.len() as u32 - 1;
            }
        }
        Some(full)
    }

    /// Adds the hand that waits after this discard, if it may still win.
    fn waiting(&mut self, full: &HandAhead, thrown: Tile, key: Key, changed: i8) -> u32 {
        let hand = full.without(thrown);
        let left = match hand.filter(|hand| self.around.may_win(hand, changed)) {
            None => NOT_FOLLOWED,
            Some(hand) => {
                self.states
                    .unseen
                    .push(self.around.unseen_beside(&hand.tiles()));
                self.states.waiting.push(Waiting { hand, key, changed });
                self.last_drawn.push(NO_MORE);
                self.last_drawn.len() as u32 - 1
            }
        };
        self.states.by_key.insert(key, left);
        left
    }

    fn draw_each(&mut self, state: usize) {
        let around = self.around;
        let Waiting { hand, key, changed } = self.states.waiting[state];
        let (tiles, reds) = (hand.tiles(), hand.all_reds());
        let (shanten, accepted) = shanten_and_acceptance(&hand.closed);
        let mut tenpai = Tenpai::default();
        if shanten == 0 {
            tenpai = Tenpai::of(around, &hand, accepted);
            self.states.tenpai.push(tenpai);
        }
        let draws_before = self.states.draws.len();
        let known = self.draw_again(state, &tiles, reds, tenpai.by_tsumo);
        let mut kinds = hand.closed.kinds_in_play();
        if shanten.max(0) + changed + 1 > around.reach {
            // Any other kind would be one tile too much.
            kinds = kinds & (accepted | around.parted(&tiles));
        }
        if !around.outset.may_call {
            kinds = kinds - known.all_copies();
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
                if may_draw
                    && !known.contains(tile)
                    && let Some(full) = self.drawn(state, tile, changed)
                {
                    self.states.draws.push(Draw {
                        full,
                        tiles: unseen,
                        tile,
                    });
                }
                if may_call {
                    hand.calls(tile, around.may_chi, |own, chi, made| {
                        let rules = &around.outset.situation.rules;
                        let full = HandToThrow {
                            hand: made,
                            key: key.called(tile, &made, own),
                            changed,
                            forbidden: rules.kuikae(kind, own.map(Tile::kind)),
                        };
                        if let Some(full) = self.looked_up(&full, None) {
                            self.states.calls.push(Calling {
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
        // In the order of the tiles, however they were found.
        self.states.draws[draws_before..]
            .sort_unstable_by_key(|draw| (draw.tile.kind(), draw.tile.is_red()));
        let kept = self.states.draws[draws_before..].iter();
        self.states.edges.push(Edges {
            kept: kept.map(|draw| u32::from(draw.tiles)).sum(),
            tenpai: if shanten == 0 {
                self.states.tenpai.len() as u32 - 1
            } else {
                NOT_TENPAI
            },
            draws_end: self.states.draws.len() as u32,
            calls_end: self.states.calls.len() as u32,
        });
    }

    /// Adds the draws that make a known hand again, and returns their tiles.
    fn draw_again(
        &mut self,
        state: usize,
        tiles: &Counts,
        reds: [u8; 3],
        winning: KindSet,
    ) -> TileSet {
        let mut known = TileSet::default();
        let mut next = self.last_drawn[state];
        while let Some(&Drawn { full, tile, before }) = self.drawn.get(next as usize) {
            next = before;
            known.insert(tile);
            let unseen = self.around.unseen_copies(tiles, reds, tile);
            if unseen > 0 && !winning.contains(tile.kind()) {
                self.states.draws.push(Draw {
                    full,
                    tiles: unseen,
                    tile,
                });
            }
        }
        known
    }
}

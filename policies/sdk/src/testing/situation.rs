//! Hand-written situations.
#![allow(
    unsafe_code,
    reason = "a scene owns the arrays that its view points to"
)]

use policy_abi::action::{LegalAction, LegalActionArray};
use policy_abi::layout::struct_size;
use policy_abi::log::{LogEvent, LogEventArray};
use policy_abi::seat::{
    RIICHI_ACCEPTED, RIICHI_DECLARED, RIVER_RIICHI, RIVER_TSUMOGIRI, RiverTile,
};
use policy_abi::view::{REQUEST_DISCARD, REQUEST_OWN_TURN, View as RawView};
use policy_abi::{NONE, SEATS};
use riichi::acceptance::discard_options;
use riichi::action::Action;
use riichi::event::{Event, MAX_DORA, StartKyoku};
use riichi::{
    Called, ConcealedHand, Counts, Hand, KindSet, Meld, MeldKind, PerSeat, Rules, Seat, Tile, Wind,
};

use super::furiten::cannot_ron;
use super::notation::{tile, tiles};
use crate::codes::{encode_action, encode_event, encode_meld, encode_rules, encode_tile};
use crate::view::{View, ViewRoom};

/// A situation of seat 0, by default the dealer of East 1. The methods set its parts, and [`build`]
/// derives the rest: unseen tiles, the legal discards, and riichi if the hand is closed and tenpai.
///
/// [`build`]: Self::build
///
/// ```
/// use policy_sdk::mahjong::{Action, Seat};
/// use policy_sdk::testing::{Situation, tile};
///
/// let win = Action::Hora { target: Seat::FIRST, tile: tile("2z") };
/// let scene = Situation::drew("123m 456p 789s 1112z", "2z").riichi(1, "6p").also(win).build();
/// let (shanten, riichi) = scene
///     .view(|view| {
///         let riichi = view.opponents().filter(|player| player.riichi().is_some()).count();
///         (policy_sdk::mahjong::shanten::shanten(view.concealed()), riichi)
///     })
///     .expect("the view is sound");
/// assert_eq!((shanten, riichi), (-1, 1));
/// ```
#[derive(Debug, Clone)]
pub struct Situation {
    raw: RawView,
    own: Vec<Tile>,
    melds: [Vec<Meld>; SEATS],
    markers: Vec<Tile>,
    rules: Rules,
    legal: Option<Vec<Action>>,
    more: Vec<Action>,
    events: Option<Vec<Event>>,
    order: u8,
}

fn seat_of(number: u8) -> Seat {
    Seat::new(number).unwrap_or_else(|| panic!("there is no seat {number}"))
}

impl Situation {
    fn new(closed: &str, drawn: Option<Tile>) -> Self {
        let mut own = tiles(closed);
        own.extend(drawn);
        let mut raw = RawView::EMPTY;
        raw.seat = 0;
        raw.oya = 0;
        raw.kyoku = 1;
        raw.placements = [1, 2, 3, 4];
        raw.drawn = encode_tile(drawn);
        raw.request = REQUEST_OWN_TURN;
        raw.tiles_left = 40;
        raw.budget_us = 1_000_000;
        Self {
            raw,
            own,
            melds: Default::default(),
            markers: tiles("9m"),
            rules: Rules::default(),
            legal: None,
            more: Vec::new(),
            events: None,
            order: 0,
        }
    }

    /// The own turn, with these closed tiles and this drawn tile.
    pub fn drew(closed: &str, drawn: &str) -> Self {
        Self::new(closed, Some(tile(drawn)))
    }

    /// The own turn after a call, with these closed tiles, one of which must be discarded.
    pub fn called(closed: &str) -> Self {
        Self::new(closed, None)
    }

    /// A discard of the seat `from` that may be claimed with these closed tiles.
    pub fn offered(closed: &str, offered: &str, from: u8) -> Self {
        let mut situation = Self::new(closed, None).river(from, offered);
        situation.raw.request = REQUEST_DISCARD;
        situation.raw.offered = encode_tile(Some(tile(offered)));
        situation.raw.offered_by = from;
        situation
    }

    /// Sets the own seat.
    #[must_use]
    pub fn seat(mut self, seat: u8) -> Self {
        self.raw.seat = seat;
        self
    }

    /// Sets the dealer.
    #[must_use]
    pub fn oya(mut self, oya: u8) -> Self {
        self.raw.oya = oya;
        self
    }

    /// Sets the wind of the round.
    #[must_use]
    pub fn bakaze(mut self, wind: Wind) -> Self {
        self.raw.bakaze = wind as u8;
        self
    }

    /// Sets the rules.
    #[must_use]
    pub fn rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    /// Sets the dora indicators (9m by default).
    #[must_use]
    pub fn dora_markers(mut self, markers: &str) -> Self {
        self.markers = tiles(markers);
        self
    }

    /// Adds discards from the hand to the river of a seat.
    #[must_use]
    pub fn river(mut self, seat: u8, discards: &str) -> Self {
        for tile in tiles(discards) {
            self.discard(seat, tile, 0);
        }
        self
    }

    /// Adds an accepted riichi of a seat, with this discard of the drawn tile.
    #[must_use]
    pub fn riichi(mut self, seat: u8, discard: &str) -> Self {
        let shown = &mut self.raw.seats[usize::from(seat)];
        shown.riichi = RIICHI_DECLARED | RIICHI_ACCEPTED;
        shown.riichi_order = self.order;
        self.discard(seat, tile(discard), RIVER_RIICHI | RIVER_TSUMOGIRI);
        self
    }

    fn discard(&mut self, seat: u8, tile: Tile, flags: u8) {
        let shown = &mut self.raw.seats[usize::from(seat)];
        shown.river[usize::from(shown.river_len)] = RiverTile {
            tile: encode_tile(Some(tile)),
            flags,
            called_by: NONE,
            order: self.order,
        };
        shown.river_len += 1;
        self.order += 1;
    }

    /// Adds a meld of a seat. Its first tile is called from the seat `from`; an ankan has no called
    /// tile.
    #[must_use]
    pub fn meld(mut self, seat: u8, kind: MeldKind, shown: &str, from: u8) -> Self {
        let all = tiles(shown);
        let called = kind.opens_hand().then(|| Called {
            tile: all[0],
            from: seat_of(from),
        });
        let meld = Meld::new(kind, &all, called, self.order);
        self.melds[usize::from(seat)]
            .push(meld.unwrap_or_else(|| panic!("`{shown}` is no {kind:?}")));
        self.order += 1;
        self
    }

    /// Sets the legal actions, instead of deriving them.
    #[must_use]
    pub fn legal(mut self, legal: &[Action]) -> Self {
        self.legal = Some(legal.to_vec());
        self
    }

    /// Adds a legal action to the derived ones.
    #[must_use]
    pub fn also(mut self, action: Action) -> Self {
        self.more.push(action);
        self
    }

    /// Sets the events of the round, instead of its start and the own draw only.
    #[must_use]
    pub fn events(mut self, events: &[Event]) -> Self {
        self.events = Some(events.to_vec());
        self
    }

    /// Sets the keys of randomness: the bot's seed, the game, and the decision.
    #[must_use]
    pub fn keys(mut self, seed: u64, game: u64, decision: u32) -> Self {
        self.raw.seed = seed;
        self.raw.game_number = game;
        self.raw.decision = decision;
        self
    }

    /// Builds the situation.
    ///
    /// # Panics
    ///
    /// If there are more than four tiles of a kind.
    pub fn build(mut self) -> Scene {
        let hand = Hand::from_tiles(self.own.iter().copied());
        let hand = hand.unwrap_or_else(|error| panic!("{:?}: {error}", self.own));
        self.raw.closed = hand.counts().0;
        self.raw.closed_reds = hand.reds();
        let deal = self
            .own
            .iter()
            .copied()
            .cycle()
            .take(13)
            .map(|tile| encode_tile(Some(tile)));
        self.raw
            .start_hand
            .iter_mut()
            .zip(deal)
            .for_each(|(place, tile)| *place = tile);
        self.raw.rules = encode_rules(&self.rules);
        self.raw.scores = [self.rules.start_points; SEATS];
        self.raw.start_scores = self.raw.scores;
        self.raw.dora_count = self.markers.len().min(MAX_DORA) as u8;
        for (place, marker) in self.raw.dora_markers.iter_mut().zip(&self.markers) {
            *place = encode_tile(Some(*marker));
        }
        for (shown, melds) in self.raw.seats.iter_mut().zip(&self.melds) {
            shown.meld_count = melds.len() as u8;
            shown
                .melds
                .iter_mut()
                .zip(melds)
                .for_each(|(place, meld)| *place = encode_meld(meld));
        }
        self.count_unseen();
        // The offered tile was discarded first, and no seat has passed on it yet.
        let offered = (self.raw.request == REQUEST_DISCARD).then_some(0);
        self.raw.cannot_ron = cannot_ron(&self.raw.seats, self.raw.seat, offered);

        let legal = self
            .legal
            .clone()
            .unwrap_or_else(|| self.plain_actions(&hand));
        let legal: Vec<_> = legal.iter().chain(&self.more).map(encode_action).collect();
        let events: Vec<_> = self.events.clone().unwrap_or_else(|| self.plain_events());
        let own = seat_of(self.raw.seat);
        let events = events
            .iter()
            .filter_map(|event| encode_event(event, own, None))
            .collect();
        Scene::new(self.raw, events, legal)
    }

    /// The own hand, all melds, all rivers and the indicators are seen; a tile called away counts
    /// in its meld.
    fn count_unseen(&mut self) {
        let mut seen: Vec<Tile> = self.own.iter().chain(&self.markers).copied().collect();
        for (owner, melds) in self.melds.iter().enumerate() {
            let river = &self.raw.seats[owner];
            let river = river.river[..usize::from(river.river_len)].iter();
            seen.extend(river.filter_map(|discard| {
                Tile::new(discard.tile).filter(|_| discard.called_by == NONE)
            }));
            seen.extend(melds.iter().flat_map(|meld| meld.tiles().to_vec()));
        }
        let kinds: Counts = seen.iter().copied().collect();
        self.raw.unseen = kinds.0.map(|copies| {
            4_u8.checked_sub(copies)
                .expect("at most four tiles of a kind")
        });
        for kind in (KindSet::ALL - self.rules.kinds()).iter() {
            self.raw.unseen[kind.index()] = 0;
        }
        for ((suit, unseen), reds) in (0..)
            .zip(&mut self.raw.unseen_reds)
            .zip(self.rules.reds_by_suit())
        {
            let red = Tile::red_five(suit);
            *unseen =
                reds.saturating_sub(seen.iter().filter(|&&tile| Some(tile) == red).count() as u8);
        }
    }

    /// Every discard, and riichi if it keeps a closed hand tenpai; or passing.
    fn plain_actions(&self, hand: &Hand) -> Vec<Action> {
        if self.raw.request != REQUEST_OWN_TURN {
            return vec![Action::None];
        }
        let drawn = Tile::new(self.raw.drawn);
        let throws: Vec<_> = hand
            .distinct()
            .flat_map(|tile| {
                let from_hand = hand.count(tile) > u8::from(drawn == Some(tile));
                [(tile, false, from_hand), (tile, true, drawn == Some(tile))]
            })
            .filter_map(|(tile, tsumogiri, possible)| possible.then_some((tile, tsumogiri)))
            .collect();
        let shown = &self.melds[usize::from(self.raw.seat)];
        let closed = shown.iter().all(|meld| !meld.kind().opens_hand());
        // A view with invalid tiles is refused when it is read.
        let concealed = ConcealedHand::new(*hand.counts(), shown.len(), self.rules.players).ok();
        let tenpai: Vec<_> = concealed
            .iter()
            .flat_map(discard_options)
            .filter(|option| closed && option.shanten == 0)
            .map(|option| option.kind)
            .collect();
        let riichi = throws
            .iter()
            .filter(|(tile, _)| tenpai.contains(&tile.kind()));
        let riichi: Vec<_> = riichi
            .map(|&(tile, tsumogiri)| Action::Reach { tile, tsumogiri })
            .collect();
        throws
            .iter()
            .map(|&(tile, tsumogiri)| Action::Dahai { tile, tsumogiri })
            .chain(riichi)
            .collect()
    }

    /// The start of the round, and the own draw.
    fn plain_events(&self) -> Vec<Event> {
        let own = seat_of(self.raw.seat);
        let start = StartKyoku {
            bakaze: Wind::ALL[usize::from(self.raw.bakaze)],
            kyoku: self.raw.kyoku,
            honba: self.raw.honba,
            kyotaku: self.raw.kyotaku,
            oya: seat_of(self.raw.oya),
            dora_marker: self.markers[0],
            scores: None,
            tehais: PerSeat::from_fn(self.rules.players, |_| None),
        };
        let draw = Tile::new(self.raw.drawn).map(|tile| Event::Tsumo {
            actor: own,
            tile: Some(tile),
        });
        std::iter::once(Event::StartKyoku(start))
            .chain(draw)
            .collect()
    }
}

/// A situation in the boundary's form: a view, and the arrays it points to.
#[derive(Debug)]
pub struct Scene {
    raw: RawView,
    events: Vec<LogEvent>,
    legal: Vec<LegalAction>,
}

impl Scene {
    /// Replaces the arrays of a view.
    pub const fn new(raw: RawView, events: Vec<LogEvent>, legal: Vec<LegalAction>) -> Self {
        Self { raw, events, legal }
    }

    /// The view in the boundary's codes, without its arrays, for changes.
    pub const fn raw_mut(&mut self) -> &mut RawView {
        &mut self.raw
    }

    /// The legal actions in the boundary's codes, for changes.
    pub const fn legal_mut(&mut self) -> &mut Vec<LegalAction> {
        &mut self.legal
    }

    /// The events in the boundary's codes, for changes.
    pub const fn events_mut(&mut self) -> &mut Vec<LogEvent> {
        &mut self.events
    }

    /// The view as a host hands it over; it points into this scene.
    pub fn coded(&self) -> RawView {
        let mut raw = self.raw;
        raw.events = LogEventArray {
            items: self.events.as_ptr(),
            len: self.events.len() as u32,
            stride: struct_size::<LogEvent>(),
        };
        raw.legal = LegalActionArray {
            items: self.legal.as_ptr(),
            len: self.legal.len() as u32,
            stride: struct_size::<LegalAction>(),
        };
        raw
    }

    /// Passes the decoded view to `look`.
    ///
    /// # Errors
    ///
    /// If the view is invalid.
    pub fn view<T>(&self, look: impl FnOnce(&View<'_>) -> T) -> Result<T, crate::BadView> {
        let raw = self.coded();
        let mut room = ViewRoom::default();
        // SAFETY: the arrays are this scene's own, in place of any that the view had.
        Ok(look(&unsafe { View::read(&raw, &mut room) }?))
    }
}

//! The knowledge of a seat when it decides, in the game's types.
#![allow(unsafe_code, reason = "the arrays of a view come as pointers")]

mod events;

use std::time::Duration;

use arrayvec::ArrayVec;
use policy_abi::NONE;
use policy_abi::head::ViewHead;
use policy_abi::log::{EVENT_START_KYOKU, LogEvent, MAX_EVENTS};
use policy_abi::seat::MAX_MELDS;
use policy_abi::view::{
    self as raw, FURITEN_RIICHI, FURITEN_RIVER, FURITEN_TEMPORARY, REQUEST_ANKAN, REQUEST_DISCARD,
    REQUEST_KAKAN, REQUEST_KITA, REQUEST_OWN_TURN,
};
use policy_abi::{SEATS, layout};
use riichi::action::{Action, LegalActions, MAX_ACTIONS};
use riichi::concealed::{BadHand, ConcealedHand};
use riichi::event::{Event, HAND_SIZE, MAX_DORA};
use riichi::hand::Hand;
use riichi::table::Furiten;
use riichi::tile::KINDS;
use riichi::{Counts, KindSet, Meld, MeldKind, NotHeld, PerSeat, Rules, Seat, Table, Tile, Wind};

pub use self::events::{DrawnRound, RoundEnd, WonRound};
use self::events::{decode_end, decode_event};
use crate::codes::{
    bad, decode_action, decode_meld, decode_optional_tile, decode_rules, decode_seat, decode_tile,
    decode_wind,
};
use crate::error::BadView;
use crate::head_accessors::head_accessors;
use crate::player::{CannotRon, Player, check_seat};

/// The knowledge of a seat when it decides, and nothing else.
///
/// It is valid: every code is known, the own hand and melds make 14 tiles on the own turn and 13
/// otherwise (a kan counts as three), and every own tile that a legal action uses is in the closed
/// hand.
///
/// ```
/// use policy_sdk::mahjong::{Action, shanten::shanten};
/// use policy_sdk::{Request, View};
///
/// /// The first discard of a kind that no seat in riichi can win on, while the own hand is far from a win.
/// fn fold(view: &View<'_>) -> Option<usize> {
///     if view.request() != Request::OwnTurn || shanten(view.concealed()) < 2 {
///         return None;
///     }
///     let threats: Vec<_> = view.opponents().filter(|player| player.riichi().is_some()).collect();
///     view.legal().iter().position(|action| match action {
///         Action::Dahai { tile, .. } => {
///             !threats.is_empty() && threats.iter().all(|player| player.cannot_ron().all().contains(tile.kind()))
///         }
///         _ => false,
///     })
/// }
/// ```
#[derive(Debug)]
pub struct View<'a> {
    raw: &'a raw::View,
    rules: Rules,
    seat: Seat,
    oya: Seat,
    bakaze: Wind,
    hand: Hand,
    concealed: ConcealedHand,
    drawn: Option<Tile>,
    request: Request,
    room: &'a ViewRoom,
}

/// A buffer for the decoded parts of a view. It is reused, because moving a fresh one costs more
/// than filling it.
#[derive(Debug, Default)]
pub struct ViewRoom {
    melds: [ArrayVec<Meld, MAX_MELDS>; SEATS],
    legal: LegalActions,
}

/// The kind of request.
///
/// ```
/// use policy_sdk::{Offer, Request, View};
/// use policy_sdk::mahjong::Seat;
///
/// /// The discarder, if a discard is offered.
/// fn discarded_by(view: &View<'_>) -> Option<Seat> {
///     match view.request() {
///         Request::Claim { from, offer: Offer::Dahai, .. } => Some(from),
///         _ => None,
///     }
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// It is the own turn, after a draw or an own call.
    OwnTurn,
    /// A tile of another seat may be claimed.
    Claim {
        /// The tile.
        tile: Tile,
        /// The seat that it came from.
        from: Seat,
        /// How it is offered.
        offer: Offer,
    },
}

/// How a tile is offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// Discarded.
    Dahai,
    /// Added to a pon.
    Kakan,
    /// Shown in a closed kan.
    Ankan,
    /// A North set aside (three players).
    Kita,
}

/// The time for a decision.
///
/// ```
/// use std::time::Duration;
///
/// use policy_sdk::Time;
///
/// /// Time for a search that leaves a tenth of the budget for the rest.
/// fn for_search(time: Time) -> Duration {
///     time.budget.mul_f64(0.9)
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Time {
    /// From the call until the host answers itself: use this one for planning.
    pub budget: Duration,
    /// The arena's time limits, if it states any: free time, the rest of the bank, and the time
    /// from its request until it acts itself.
    pub arena: Option<ArenaTime>,
}

impl Time {
    pub(crate) fn of(head: &ViewHead) -> Self {
        let [grace, bank, deadline, budget] = [
            head.grace_us,
            head.bank_us,
            head.deadline_us,
            head.budget_us,
        ]
        .map(Duration::from_micros);
        Self {
            budget,
            arena: (!deadline.is_zero()).then_some(ArenaTime {
                grace,
                bank,
                deadline,
            }),
        }
    }
}

/// The arena's time limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArenaTime {
    /// Free time of this request.
    pub grace: Duration,
    /// The rest of the bank.
    pub bank: Duration,
    /// From the request until the arena acts itself.
    pub deadline: Duration,
}

impl<'a> View<'a> {
    /// Checks and decodes a view.
    ///
    /// # Safety
    ///
    /// The arrays of the view must keep their promises during `'a`.
    pub(crate) unsafe fn read(raw: &'a raw::View, room: &'a mut ViewRoom) -> Result<Self, BadView> {
        let rules = decode_rules(&raw.rules)?;
        let players = rules.players;
        let seat = decode_seat("seat", raw.seat, players)?;
        let oya = decode_seat("oya", raw.oya, players)?;
        let bakaze = decode_wind("bakaze", raw.bakaze)?;
        within("kyoku", raw.kyoku, 1, 4, "1 to 4")?;
        raw.placements[..usize::from(players)]
            .iter()
            .try_for_each(|&place| {
                within(
                    "placements",
                    place,
                    1,
                    players,
                    "1 to the number of players",
                )
            })?;

        let ViewRoom { melds, legal } = &mut *room;
        legal.clear();
        melds.iter_mut().for_each(ArrayVec::clear);
        for owner in Seat::all(players) {
            let shown = &raw.seats[owner.index()];
            check_seat(shown, players)?;
            let coded = shown
                .melds
                .get(..usize::from(shown.meld_count))
                .ok_or_else(|| bad("seats.meld_count", shown.meld_count, "0 to 4"))?;
            for meld in coded {
                melds[owner.index()].push(decode_meld(meld, owner, players)?);
            }
        }

        within("dora_count", raw.dora_count, 1, MAX_DORA as u8, "1 to 5")?;
        for &marker in &raw.dora_markers[..usize::from(raw.dora_count)] {
            decode_tile("dora_markers", marker)?;
        }
        // Finding the greatest of many is faster than finding the first that is too great.
        if raw.start_hand != [NONE; HAND_SIZE] {
            decode_tile("start_hand", greatest(&raw.start_hand))?;
        }
        within("unseen", greatest(&raw.unseen), 0, 4, "0 to 4")?;
        within("unseen_reds", greatest(&raw.unseen_reds), 0, 4, "0 to 4")?;

        let hand = read_hand(raw)?;
        let drawn = decode_optional_tile("drawn", raw.drawn)?;
        if drawn.is_some_and(|tile| hand.count(tile) == 0) {
            return Err(bad("drawn", raw.drawn, "a tile of the closed hand"));
        }
        let request = read_request(raw, seat, players)?;
        let concealed = read_concealed(&hand, melds[seat.index()].len(), players)?;
        if concealed.is_full() != (request == Request::OwnTurn) {
            return Err(bad("closed", hand.counts().total(), TILES_DUE));
        }
        if drawn.is_some() && request != Request::OwnTurn {
            return Err(bad("drawn", raw.drawn, "255, since it is not the own turn"));
        }

        check_array(
            "events",
            raw.events.items.is_null(),
            raw.events.len,
            raw.events.stride,
            MAX_EVENTS,
        )?;
        check_array(
            "legal",
            raw.legal.items.is_null(),
            raw.legal.len,
            raw.legal.stride,
            MAX_ACTIONS as u32,
        )?;
        if raw.legal.len == 0 {
            return Err(bad("legal.len", 0_u32, "at least one action"));
        }
        for index in 0..raw.legal.len {
            // SAFETY: the caller vouches for the array.
            let coded = unsafe { layout::read_element(raw.legal.items, raw.legal.stride, index) };
            let action = decode_action(&coded, players)?;
            check_held(&action, &hand, &melds[seat.index()])?;
            legal.push(action);
        }
        Ok(Self {
            raw,
            rules,
            seat,
            oya,
            bakaze,
            hand,
            concealed,
            drawn,
            request,
            room,
        })
    }

    /// The rules.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Players at the table: 4 or 3.
    pub const fn players(&self) -> u8 {
        self.rules.players
    }

    head_accessors!(raw);

    /// The own seat.
    pub const fn seat(&self) -> Seat {
        self.seat
    }

    /// The dealer's seat.
    pub const fn oya(&self) -> Seat {
        self.oya
    }

    /// Wind of the round.
    pub const fn bakaze(&self) -> Wind {
        self.bakaze
    }

    /// Wind of the own seat.
    pub const fn seat_wind(&self) -> Wind {
        Wind::of_seat(self.seat, self.oya, self.rules.players)
    }

    /// Number of the round within its wind, from 1.
    pub const fn kyoku(&self) -> u8 {
        self.raw.kyoku
    }

    /// Repeat counters.
    pub const fn honba(&self) -> u8 {
        self.raw.honba
    }

    /// Riichi sticks on the table now.
    pub const fn kyotaku(&self) -> u8 {
        self.raw.kyotaku
    }

    /// Riichi sticks on the table when the round began.
    pub const fn start_kyotaku(&self) -> u8 {
        self.raw.start_kyotaku
    }

    /// Points of each seat now, without paid riichi sticks.
    pub fn scores(&self) -> PerSeat<i32> {
        PerSeat::from_fn(self.players(), |seat| self.raw.scores[seat.index()])
    }

    /// Points of each seat when the round began.
    pub fn start_scores(&self) -> PerSeat<i32> {
        PerSeat::from_fn(self.players(), |seat| self.raw.start_scores[seat.index()])
    }

    /// Place of each seat by its points, from 1.
    pub fn placements(&self) -> PerSeat<u8> {
        PerSeat::from_fn(self.players(), |seat| self.raw.placements[seat.index()])
    }

    /// The own closed tiles, including the drawn one, without melds.
    pub const fn hand(&self) -> &Hand {
        &self.hand
    }

    /// The own closed tiles by kind, with the number of melds and players, as [`riichi::shanten`],
    /// [`riichi::acceptance`] and similar functions expect. It is full, with a tile to discard, on
    /// the own turn.
    pub const fn concealed(&self) -> &ConcealedHand {
        &self.concealed
    }

    /// The own closed tiles by kind.
    pub const fn closed(&self) -> &Counts {
        self.hand.counts()
    }

    /// The tile just drawn.
    pub const fn drawn(&self) -> Option<Tile> {
        self.drawn
    }

    /// The own tiles as dealt; `None` if the round was not seen from its start.
    pub fn start_hand(&self) -> Option<[Tile; HAND_SIZE]> {
        let known = self.raw.start_hand != [NONE; HAND_SIZE];
        known.then(|| {
            self.raw.start_hand.map(|tile| {
                Tile::new(tile).expect("the start hand was checked when the view came in")
            })
        })
    }

    /// The own melds, oldest first.
    pub fn melds(&self) -> &[Meld] {
        &self.room.melds[self.seat.index()]
    }

    /// Kinds that complete the own hand without the drawn tile.
    pub const fn waits(&self) -> KindSet {
        KindSet::from_bits(self.raw.waits)
    }

    /// The own furiten.
    pub const fn furiten(&self) -> Furiten {
        let flags = self.raw.furiten;
        Furiten {
            river: flags & FURITEN_RIVER != 0,
            temporary: flags & FURITEN_TEMPORARY != 0,
            riichi: flags & FURITEN_RIICHI != 0,
        }
    }

    /// The open tiles of a seat, including the own.
    pub fn player(&self, seat: Seat) -> Player<'_> {
        let cannot_ron = &self.raw.cannot_ron[seat.index()];
        Player {
            seat,
            raw: &self.raw.seats[seat.index()],
            melds: &self.room.melds[seat.index()],
            cannot_ron: CannotRon {
                river: KindSet::from_bits(cannot_ron.river),
                since_riichi: KindSet::from_bits(cannot_ron.since_riichi),
                since_discard: KindSet::from_bits(cannot_ron.since_discard),
            },
        }
    }

    /// The open tiles of the other seats, in turn order from the next.
    pub fn opponents(&self) -> impl Iterator<Item = Player<'_>> {
        let players = self.players();
        std::iter::successors(Some(self.seat.next(players)), move |seat| {
            Some(seat.next(players))
        })
        .take_while(|&seat| seat != self.seat)
        .map(|seat| self.player(seat))
    }

    /// The dora indicators (not the dora themselves), oldest first.
    pub fn dora_markers(&self) -> impl Iterator<Item = Tile> {
        self.raw.dora_markers[..usize::from(self.raw.dora_count)]
            .iter()
            .map(|&tile| {
                Tile::new(tile).expect("the indicators were checked when the view came in")
            })
    }

    /// Number of dora on a tile: one for each indicator that points at it, and one for a red five.
    pub fn dora_of(&self, tile: Tile) -> u8 {
        let indicates = |marker: &Tile| self.rules.dora_of(marker.kind()) == tile.kind();
        self.dora_markers().filter(indicates).count() as u8 + u8::from(tile.is_red())
    }

    /// Tiles that can still be drawn.
    pub const fn tiles_left(&self) -> u8 {
        self.raw.tiles_left
    }

    /// Whether the own first turn is now or still to come, and no seat has called.
    pub const fn first_turn(&self) -> bool {
        self.raw.first_turn != 0
    }

    /// Whether the drawn tile is a replacement (rinshan).
    pub const fn after_kan(&self) -> bool {
        self.raw.after_kan != 0
    }

    /// Number of unseen copies of each kind: not in the own hand, a meld, a river, set aside, or a
    /// dora indicator. 0 for 2m to 8m with three players, who do not use these tiles.
    pub const fn unseen(&self) -> Counts {
        Counts(self.raw.unseen)
    }

    /// Number of seen copies of each kind of a four-player set of tiles; tiles that three players
    /// lack count as seen.
    pub fn seen(&self) -> Counts {
        let mut seen = [0; KINDS];
        for (seen, unseen) in seen.iter_mut().zip(self.raw.unseen) {
            *seen = 4 - unseen;
        }
        Counts(seen)
    }

    /// Number of unseen red fives: characters, dots, bamboo.
    pub const fn unseen_reds(&self) -> [u8; 3] {
        self.raw.unseen_reds
    }

    /// The table from this seat's point of view, built from the [events](Self::events), for code
    /// that looks further than a view shows, such as simulations. It takes some microseconds.
    /// `None` if the round was not seen from its start, or its events do not lead to the request.
    ///
    /// ```
    /// # use policy_sdk::View;
    /// use policy_sdk::mahjong::game::Hidden;
    ///
    /// /// One way in which the tiles that the seat does not see may lie.
    /// fn imagined(view: &View<'_>) -> Option<Hidden> {
    ///     Some(Hidden::shuffled(&view.table()?, &mut view.rng()))
    /// }
    /// ```
    pub fn table(&self) -> Option<Table> {
        let events = self.events().collect::<Result<Vec<_>, _>>().ok()?;
        // Events after the last one that asks for an action arrived before the request, but take
        // effect after the answer.
        let asks =
            |event: &Event| !matches!(event, Event::Dora { .. } | Event::ReachAccepted { .. });
        let last = events.iter().rposition(asks)?;
        let mut table = Table::new(self.rules, self.seat);
        events[..=last]
            .iter()
            .try_for_each(|event| table.apply(event))
            .ok()?;
        (table.hand() == &self.hand
            && self
                .legal()
                .iter()
                .all(|action| table.legal_actions().contains(action)))
        .then_some(table)
    }

    /// The kind of request.
    pub const fn request(&self) -> Request {
        self.request
    }

    /// The legal actions; never empty.
    pub fn legal(&self) -> &[Action] {
        &self.room.legal
    }

    /// The events of the round so far, from the own seat's point of view, beginning with the
    /// round's start; none if the round was not seen from its start. They are checked when they are
    /// read, since few policies need them; kinds that this SDK does not know are skipped.
    ///
    /// ```
    /// # use policy_sdk::{BadView, View};
    /// use policy_sdk::mahjong::Event;
    ///
    /// /// Whether any seat has called a tile in this round.
    /// fn called(view: &View<'_>) -> Result<bool, BadView> {
    ///     for event in view.events() {
    ///         if matches!(event?, Event::Chi { .. } | Event::Pon { .. } | Event::Daiminkan { .. }) {
    ///             return Ok(true);
    ///         }
    ///     }
    ///     Ok(false)
    /// }
    /// ```
    pub fn events(&self) -> impl Iterator<Item = Result<Event, BadView>> {
        self.coded_events()
            .skip(self.round_begins())
            .filter_map(|event| decode_event(&event, self).transpose())
    }

    /// The end of the previous round in the game: one or more wins, or a draw; none in a game's
    /// first round or if it was not seen.
    ///
    /// ```
    /// # use policy_sdk::{BadView, RoundEnd, View};
    /// use policy_sdk::mahjong::Seat;
    ///
    /// /// Who dealt in the round before.
    /// fn dealt_in(view: &View<'_>) -> Result<Option<Seat>, BadView> {
    ///     for end in view.ended_round() {
    ///         if let RoundEnd::Won(won) = end?
    ///             && won.from != won.winner
    ///         {
    ///             return Ok(Some(won.from));
    ///         }
    ///     }
    ///     Ok(None)
    /// }
    /// ```
    pub fn ended_round(&self) -> impl Iterator<Item = Result<RoundEnd, BadView>> {
        self.coded_events()
            .take(self.round_begins())
            .filter_map(|event| decode_end(&event, self.players()).transpose())
    }

    /// Index of the event in the log that begins the round.
    fn round_begins(&self) -> usize {
        self.coded_events()
            .position(|event| event.kind == EVENT_START_KYOKU)
            .unwrap_or(0)
    }

    fn coded_events(&self) -> impl Iterator<Item = LogEvent> {
        let events = self.raw.events;
        // SAFETY: the reader of the view vouched for the array.
        (0..events.len)
            .map(move |index| unsafe { layout::read_element(events.items, events.stride, index) })
    }
}

fn within(
    field: &'static str,
    found: u8,
    least: u8,
    most: u8,
    allowed: &'static str,
) -> Result<(), BadView> {
    if (least..=most).contains(&found) {
        Ok(())
    } else {
        Err(bad(field, found, allowed))
    }
}

fn greatest(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |greatest, &byte| greatest.max(byte))
}

fn check_array(
    field: &'static str,
    is_null: bool,
    len: u32,
    stride: u32,
    most: u32,
) -> Result<(), BadView> {
    if len > most || (len > 0 && (is_null || stride == 0)) {
        return Err(bad(
            field,
            len,
            "not more elements than there can be, with an address and a stride",
        ));
    }
    Ok(())
}

#[inline(always)]
fn read_hand(raw: &raw::View) -> Result<Hand, BadView> {
    Hand::from_counts(Counts(raw.closed), raw.closed_reds).ok_or_else(|| {
        match greatest(&raw.closed) {
            most @ 5.. => bad("closed", most, "0 to 4"),
            _ => bad(
                "closed_reds",
                greatest(&raw.closed_reds),
                "not more than fives of its suit",
            ),
        }
    })
}

const TILES_DUE: &str = "14 tiles less 3 for each meld on the own turn, else 13 less 3 for each";

#[inline(always)]
fn read_concealed(hand: &Hand, melds: usize, players: u8) -> Result<ConcealedHand, BadView> {
    ConcealedHand::new(*hand.counts(), melds, players).map_err(|error| match error {
        BadHand::NotInPlay { kind } => bad(
            "closed",
            kind.index() as u64,
            "no 2m to 8m (1 to 7) with three players",
        ),
        _ => bad("closed", hand.counts().total(), TILES_DUE),
    })
}

#[inline(always)]
fn read_request(raw: &raw::View, own: Seat, players: u8) -> Result<Request, BadView> {
    let offer = match raw.request {
        REQUEST_OWN_TURN => return Ok(Request::OwnTurn),
        REQUEST_DISCARD => Offer::Dahai,
        REQUEST_KAKAN => Offer::Kakan,
        REQUEST_ANKAN => Offer::Ankan,
        REQUEST_KITA => Offer::Kita,
        other => return Err(bad("request", other, "REQUEST_*, 1 to 5")),
    };
    let from = decode_seat("offered_by", raw.offered_by, players)?;
    if from == own {
        return Err(bad("offered_by", raw.offered_by, "another seat"));
    }
    Ok(Request::Claim {
        tile: decode_tile("offered", raw.offered)?,
        from,
        offer,
    })
}

/// Every own tile that an action uses must be in the hand, so that removing it cannot fail.
#[inline(always)]
fn check_held(action: &Action, hand: &Hand, melds: &[Meld]) -> Result<(), BadView> {
    let lacks = |tiles: &[Tile]| hand.without(tiles).err().map(|NotHeld(tile)| tile);
    let missing = match action {
        Action::Dahai { tile, .. } | Action::Reach { tile, .. } => {
            (hand.count(*tile) == 0).then_some(*tile)
        }
        Action::Chi { consumed, .. } | Action::Pon { consumed, .. } => lacks(consumed),
        Action::Daiminkan { consumed, .. } => lacks(consumed),
        Action::Ankan { consumed } => lacks(consumed),
        Action::Kakan { tile, .. } => {
            if !melds
                .iter()
                .any(|meld| meld.kind() == MeldKind::Pon && meld.first() == tile.kind())
            {
                return Err(bad(
                    "legal.tile",
                    tile.index() as u64,
                    "a tile of an own pon, to add to it",
                ));
            }
            (hand.count(*tile) == 0).then_some(*tile)
        }
        Action::Kita | Action::Hora { .. } | Action::Ryukyoku | Action::None => None,
    };
    match missing {
        Some(tile) => Err(bad(
            "legal",
            tile.index() as u64,
            "tiles of the closed hand, each once",
        )),
        None => Ok(()),
    }
}

//! Dou Dizhu: what a seat may know when it decides, and nothing else.
//!
//! A card is a number: 0 to 51 are four each of the ranks `3456789TJQKA2`, in this order, 52 is the small joker and 53
//! the big one; a rank is 0 to 14. A set of cards is a number of 64 bits: bit 0 for card 0, and so on. A seat is 0 to
//! 2.

use crate::NONE;
use crate::head::{ElementArray, GAME_DOUDIZHU, game_view};
use crate::layout::{plain, struct_size, zeroed};

/// Seats of a table of Dou Dizhu.
pub const CARD_SEATS: usize = 3;

/// In [`CardLegal::kind`]: bid `bid`, 0 for none.
pub const CARD_ACTION_BID: u8 = 1;
/// In [`CardLegal::kind`]: play nothing.
pub const CARD_ACTION_PASS: u8 = 2;
/// In [`CardLegal::kind`]: play `cards`.
pub const CARD_ACTION_PLAY: u8 = 3;

/// In [`CardLegal::combination`]: one card.
pub const CARD_SINGLE: u8 = 1;
/// In [`CardLegal::combination`]: two of a rank.
pub const CARD_PAIR: u8 = 2;
/// In [`CardLegal::combination`]: three of a rank, alone or with one wing.
pub const CARD_TRIO: u8 = 3;
/// In [`CardLegal::combination`]: five or more ranks in a row, one card each.
pub const CARD_STRAIGHT: u8 = 4;
/// In [`CardLegal::combination`]: three or more ranks in a row, two cards each.
pub const CARD_PAIR_STRAIGHT: u8 = 5;
/// In [`CardLegal::combination`]: two or more ranks in a row, three cards each, without wings or with one for each
/// rank.
pub const CARD_PLANE: u8 = 6;
/// In [`CardLegal::combination`]: four of a rank with two wings.
pub const CARD_FOUR_WITH_TWO: u8 = 7;
/// In [`CardLegal::combination`]: two or more ranks in a row, four cards each, alone or with wings.
pub const CARD_SHUTTLE: u8 = 8;
/// In [`CardLegal::combination`]: four of a rank.
pub const CARD_BOMB: u8 = 9;
/// In [`CardLegal::combination`]: both jokers.
pub const CARD_ROCKET: u8 = 10;

/// Maximum number of actions. No hand has more than 804: the crate `doudizhu` counts every hand (`plays::MAX_PLAYS`).
pub const MAX_CARD_LEGAL: u32 = 1024;

/// An action that is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct CardLegal {
    /// The kind of action: `CARD_ACTION_*`.
    pub kind: u8,
    /// The bid, 0 to 3; 0 with other actions.
    pub bid: u8,
    /// The combination that is played: `CARD_SINGLE` to `CARD_ROCKET`; 0 with other actions.
    pub combination: u8,
    /// Cards in each wing: 0 without wings, 1 or 2.
    pub wings: u8,
    /// The lowest rank of the body, without the wings.
    pub low: u8,
    /// Ranks in the body.
    pub length: u8,
    /// Zero.
    pub reserved: [u8; 2],
    /// The cards, as a set: of each rank those with the lowest numbers that the seat has, since suits have no meaning.
    pub cards: u64,
}

plain!(CardLegal {
    kind,
    bid,
    combination,
    wings,
    low,
    length,
    reserved,
    cards
});

/// The own cards are dealt: `cards`.
pub const CARD_EVENT_DEAL: u8 = 1;
/// `seat` bids `bid`, 0 for none.
pub const CARD_EVENT_BID: u8 = 2;
/// `seat` is the landlord, takes the public `cards` and leads.
pub const CARD_EVENT_LANDLORD: u8 = 3;
/// `seat` plays `cards`, or none: a pass.
pub const CARD_EVENT_PLAY: u8 = 4;

/// Maximum number of events in a game.
pub const MAX_CARD_EVENTS: u32 = 256;

/// An event as the own seat may know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct CardLogEvent {
    /// The kind of event: `CARD_EVENT_*`.
    pub kind: u8,
    /// The seat that acts.
    pub seat: u8,
    /// The bid; 0 with other events.
    pub bid: u8,
    /// Zero.
    pub reserved: [u8; 5],
    /// The cards, as a set.
    pub cards: u64,
}

plain!(CardLogEvent {
    kind,
    seat,
    bid,
    reserved,
    cards
});

/// The public state of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct CardSeatView {
    /// The cards that it has played, as a set.
    pub played: u64,
    /// Number of cards that it has left.
    pub left: u8,
    /// Its bid; [`NONE`] if it has made none.
    pub bid: u8,
    /// Zero.
    pub reserved: [u8; 6],
}

plain!(CardSeatView {
    played,
    left,
    bid,
    reserved
});

/// In [`CardView::request`]: a bid.
pub const CARD_REQUEST_BID: u8 = 1;
/// In [`CardView::request`]: cards, freely.
pub const CARD_REQUEST_LEAD: u8 = 2;
/// In [`CardView::request`]: cards that beat `to_beat`, or a pass.
pub const CARD_REQUEST_ANSWER: u8 = 3;

/// The knowledge of a Dou Dizhu seat when it decides. No field can hold another seat's concealed cards.
///
/// It begins with the fields of a [`ViewHead`](crate::head::ViewHead), as the views of all games do.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct CardView {
    /// Size of this struct as the host knows it, bytes.
    pub struct_size: u32,
    /// The game of this view: `GAME_DOUDIZHU`.
    pub game: u32,
    /// Number of this question to the instance, never 0. A decision repeats it, which distinguishes it from a decision
    /// for another view.
    pub question: u64,
    /// Number of this game in the bot's run, from 0. The questions of games that are played at the same time take
    /// turns.
    pub game_number: u64,
    /// Seed of the bot's randomness, the same all run. Key randomness by `(seed, game_number, seat, decision)` and it
    /// can be repeated.
    pub seed: u64,
    /// Number of this decision in the game, from 0. Decisions are requested only if there is a choice.
    pub decision: u32,
    /// Zero. Unknown bits are ignored.
    pub flags: u32,

    /// All events, oldest first, beginning with [`CARD_EVENT_DEAL`]: each a [`CardLogEvent`].
    pub events: ElementArray,
    /// The legal actions, each a [`CardLegal`]. Never empty.
    pub legal: ElementArray,

    /// Free time of this request, microseconds; 0 together with `deadline_us` if the arena sets no limit.
    pub grace_us: u64,
    /// The rest of the bank when the request came, microseconds.
    pub bank_us: u64,
    /// Time from the request until the arena acts itself, microseconds; 0 if the arena sets no limit.
    pub deadline_us: u64,
    /// Time from this call until the host answers itself, microseconds. Use this one for planning.
    pub budget_us: u64,
    /// Zero: reserved for fields that later minor versions may add to the views of all games.
    pub reserved: [u64; 4],

    /// The own cards, as a set.
    pub hand: u64,
    /// The cards that are neither in the own hand nor played.
    pub unseen: u64,
    /// The three cards that the landlord took; none before.
    pub public_cards: u64,
    /// The cards that have to be beaten; none if the own seat bids or leads.
    pub to_beat: u64,
    /// The public state of each seat.
    pub seats: [CardSeatView; CARD_SEATS],

    /// The own seat.
    pub seat: u8,
    /// The landlord; [`NONE`] before it is known.
    pub landlord: u8,
    /// The seat whose cards have to be beaten; [`NONE`] if there are none.
    pub to_beat_by: u8,
    /// The highest bid so far; 0 if no seat has bid.
    pub highest_bid: u8,
    /// The rules: 1 if the seats bid for the role of the landlord; otherwise seat 0 is the landlord.
    pub bidding: u8,
    /// The rules: how many wings each four of a shuttle takes.
    pub shuttle_wings: u8,
    /// The kind of request: `CARD_REQUEST_*`.
    pub request: u8,
    /// Zero.
    pub padding: [u8; 1],
}

plain!(CardView {
    struct_size,
    game,
    question,
    game_number,
    seed,
    decision,
    flags,
    events,
    legal,
    grace_us,
    bank_us,
    deadline_us,
    budget_us,
    reserved,
    hand,
    unseen,
    public_cards,
    to_beat,
    seats,
    seat,
    landlord,
    to_beat_by,
    highest_bid,
    bidding,
    shuttle_wings,
    request,
    padding
});

game_view!(CardView, game: GAME_DOUDIZHU, legal: CardLegal, most MAX_CARD_LEGAL, event: CardLogEvent, most MAX_CARD_EVENTS);

impl CardView {
    /// A view to be filled: its size set, no seat, everything else zero. It is not a valid view yet.
    pub const EMPTY: Self = Self {
        struct_size: struct_size::<Self>(),
        game: GAME_DOUDIZHU,
        events: ElementArray {
            stride: struct_size::<CardLogEvent>(),
            ..zeroed()
        },
        legal: ElementArray {
            stride: struct_size::<CardLegal>(),
            ..zeroed()
        },
        seats: [CardSeatView {
            bid: NONE,
            ..zeroed()
        }; CARD_SEATS],
        seat: NONE,
        landlord: NONE,
        to_beat_by: NONE,
        ..zeroed()
    };
}

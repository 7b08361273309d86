//! What an encoding is made from: a policy's view, or the table of a seat that is played from
//! outside.

use std::borrow::Cow;

use policy_sdk::{Offer, Request, View};
use riichi::hand::Hand;
use riichi::shanten::shanten;
use riichi::table::{Discard, Furiten, Phase, Riichi, TableRef};
use riichi::{Counts, Kind, KindSet, Meld, MeldKind, Rules, Seat, Tile, Wind};

/// The knowledge of a seat that decides, from a [`View`] or a [`TableRef`]. Neither has a place for
/// a hidden tile.
#[derive(Debug)]
pub struct SeatKnowledge<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) seat: Seat,
    pub(crate) bakaze: Wind,
    pub(crate) kyoku: u8,
    pub(crate) honba: u8,
    pub(crate) kyotaku: u8,
    pub(crate) tiles_left: u8,
    pub(crate) dora_markers: Cow<'a, [Tile]>,
    pub(crate) unseen: Counts,
    pub(crate) unseen_reds: [u8; 3],
    /// The own closed tiles, including the drawn one.
    pub(crate) hand: &'a Hand,
    pub(crate) shanten: i8,
    pub(crate) drawn: Option<Tile>,
    /// Kinds that complete the own hand without the drawn tile.
    pub(crate) waits: KindSet,
    pub(crate) furiten: Furiten,
    pub(crate) first_turn: bool,
    pub(crate) after_kan: bool,
    pub(crate) request: Request,
    /// The players in turn order, the own seat first.
    pub(crate) players: [Option<PlayerKnowledge<'a>>; 4],
}

/// The public state of a player.
#[derive(Debug)]
pub(crate) struct PlayerKnowledge<'a> {
    pub(crate) wind: Wind,
    pub(crate) points: i32,
    /// By points, from 1.
    pub(crate) place: u8,
    pub(crate) melds: &'a [Meld],
    pub(crate) river: Cow<'a, [Discard]>,
    pub(crate) riichi: Option<Riichi>,
    pub(crate) norths: u8,
    /// Kinds that it cannot win on by ron now; none for the own seat.
    pub(crate) cannot_ron: KindSet,
}

impl SeatKnowledge<'_> {
    pub(crate) fn own(&self) -> &PlayerKnowledge<'_> {
        self.players[0].as_ref().expect("the own seat is the first")
    }
}

/// A value for each seat in turn order, the own one first.
fn in_turn_order<T>(own: Seat, players: u8, mut value: impl FnMut(Seat) -> T) -> [Option<T>; 4] {
    let mut next = own;
    std::array::from_fn(|turns| {
        let seat = next;
        next = seat.next(players);
        (turns < usize::from(players)).then(|| value(seat))
    })
}

impl<'a> From<&'a View<'_>> for SeatKnowledge<'a> {
    fn from(view: &'a View<'_>) -> Self {
        let (rules, oya) = (view.rules(), view.oya());
        Self {
            rules,
            seat: view.seat(),
            bakaze: view.bakaze(),
            kyoku: view.kyoku(),
            honba: view.honba(),
            kyotaku: view.kyotaku(),
            tiles_left: view.tiles_left(),
            dora_markers: view.dora_markers().collect(),
            unseen: view.unseen(),
            unseen_reds: view.unseen_reds(),
            hand: view.hand(),
            shanten: shanten(view.concealed()),
            drawn: view.drawn(),
            waits: view.waits(),
            furiten: view.furiten(),
            first_turn: view.first_turn(),
            after_kan: view.after_kan(),
            request: view.request(),
            players: in_turn_order(view.seat(), rules.players, |seat| {
                let player = view.player(seat);
                PlayerKnowledge {
                    wind: Wind::of_seat(seat, oya, rules.players),
                    points: view.scores()[seat],
                    place: view.placements()[seat],
                    melds: player.melds(),
                    river: player.river().collect(),
                    riichi: player.riichi(),
                    norths: player.kita_count(),
                    cannot_ron: player.cannot_ron().all(),
                }
            }),
        }
    }
}

impl<'a> From<TableRef<'a>> for SeatKnowledge<'a> {
    fn from(table: TableRef<'a>) -> Self {
        let (rules, oya) = (table.rules(), table.oya());
        let (reds, seen_reds) = (rules.reds_by_suit(), table.seen_reds());
        Self {
            rules,
            seat: table.seat(),
            bakaze: table.bakaze(),
            kyoku: table.kyoku(),
            honba: table.honba(),
            kyotaku: table.kyotaku(),
            tiles_left: table.tiles_left(),
            dora_markers: table.dora_markers().into(),
            unseen: table.unseen(),
            unseen_reds: std::array::from_fn(|suit| reds[suit].saturating_sub(seen_reds[suit])),
            hand: table.hand(),
            shanten: table.shanten().expect("a seat that decides has a hand"),
            drawn: table.drawn(),
            waits: table.waits(),
            furiten: table.furiten(),
            first_turn: table.is_first_turn(),
            after_kan: table.is_rinshan(),
            request: request_at(table.phase()),
            players: in_turn_order(table.seat(), rules.players, |seat| {
                let player = table.player_at(seat);
                PlayerKnowledge {
                    wind: Wind::of_seat(seat, oya, rules.players),
                    points: table.scores()[seat],
                    place: table.scores().place(seat),
                    melds: &player.melds,
                    river: player.river.as_slice().into(),
                    riichi: player.riichi,
                    norths: player.kita,
                    cannot_ron: if seat == table.seat() {
                        KindSet::EMPTY
                    } else {
                        player.cannot_ron()
                    },
                }
            }),
        }
    }
}

fn request_at(phase: Phase) -> Request {
    let (tile, from, offer) = match phase {
        Phase::Discarded { by, tile } | Phase::Accepted { by, tile } => (tile, by, Offer::Dahai),
        Phase::Kan {
            by,
            tile,
            kind: MeldKind::Ankan,
        } => (tile, by, Offer::Ankan),
        Phase::Kan { by, tile, .. } => (tile, by, Offer::Kakan),
        Phase::Kita { by } => (Kind::NORTH.tile(), by, Offer::Kita),
        _ => return Request::OwnTurn,
    };
    Request::Claim { tile, from, offer }
}

//! An observation written as the engine writes it, from the table of the seat that it is for.
//!
//! The engine's 136 tile numbers distinguish equal tiles, and a table does not: they are assigned
//! again in each observation, so a number identifies a tile within one observation only.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use riichi::table::{Discard, Phase, PlayerState};
use riichi::tile::KINDS;
use riichi::{Kind, Meld, MeldKind, Seat, Table, Tile};
use serde::Serialize;

use super::tile;
use crate::action::{ActionKind, PossibleAction};

const PON: &str = "Pon";

/// The fields in the engine's order.
#[derive(Serialize)]
struct ObservationFields<'a> {
    player_id: usize,
    hands: Vec<Vec<u8>>,
    melds: Vec<Vec<MeldFields>>,
    discards: Vec<Vec<u8>>,
    dora_indicators: Vec<u8>,
    scores: &'a [i32],
    riichi_declared: Vec<bool>,
    _legal_actions: Vec<ActionFields>,
    events: &'a [String],
    honba: u8,
    riichi_sticks: u8,
    round_wind: u8,
    oya: usize,
    kyoku_index: u8,
    waits: Vec<usize>,
    is_tenpai: bool,
    tsumogiri_flags: Vec<Vec<bool>>,
    riichi_sutehais: Vec<Option<u8>>,
    last_tedashis: Vec<Option<u8>>,
    last_discard: Option<u8>,
    drawn_tile: Option<u8>,
    forced_tedashi: bool,
}

#[derive(Serialize)]
struct MeldFields {
    meld_type: &'static str,
    tiles: Vec<u8>,
    opened: bool,
    from_who: i8,
    called_tile: Option<u8>,
}

#[derive(Serialize)]
struct ActionFields {
    action_type: &'static str,
    tile: Option<u8>,
    consume_tiles: Vec<u8>,
    actor: usize,
}

/// The observation of a table's seat in base64: what it sees, what it may do, and the mjai events
/// (JSON texts) since its last observation.
///
/// A discard is listed once for each copy of the tile, the drawn one last.
pub fn observation_base64(table: &Table, actions: &[PossibleAction], events: &[String]) -> String {
    let json = serde_json::to_string(&fields(table, actions, events));
    STANDARD.encode(json.expect("texts, numbers and lists of them always have a JSON form"))
}

fn fields<'a>(
    table: &'a Table,
    actions: &[PossibleAction],
    events: &'a [String],
) -> ObservationFields<'a> {
    let seats = || Seat::all(table.rules().players);
    let mut numbers = Numbers([0; KINDS]);
    let (hand, drawn_tile) = hand(table, &mut numbers);
    let rivers = Rivers::new(table, &mut numbers);
    let melds: Vec<Vec<MeldFields>> = seats()
        .map(|seat| {
            table
                .player(seat)
                .melds
                .iter()
                .map(|meld| meld_fields(meld, &rivers, &mut numbers))
                .collect()
        })
        .collect();
    let last_discard = seats()
        .filter_map(|seat| rivers.of(seat).last())
        .max_by_key(|(_, discard)| discard.order);
    let last_discard = last_discard.map(|(number, _)| number);
    let offered = match table.phase() {
        Phase::Kan { by, tile, .. } => melds[by.index()]
            .iter()
            .flat_map(|meld| &meld.tiles)
            .find(|&&number| is(number, tile))
            .copied(),
        // A North set aside appears nowhere else.
        Phase::Kita { .. } => Some(numbers.next(Kind::NORTH.tile())),
        _ => last_discard,
    };
    let own_melds = &melds[table.seat().index()];
    let listed = Listed {
        seat: table.seat(),
        hand: &hand,
        melds: own_melds,
        offered,
    };
    let legal_actions = listed.all(actions);
    ObservationFields {
        player_id: table.seat().index(),
        dora_indicators: table
            .dora_markers()
            .iter()
            .map(|&marker| numbers.next(marker))
            .collect(),
        scores: table.scores().as_slice(),
        riichi_declared: seats()
            .map(|seat| table.player(seat).riichi.is_some())
            .collect(),
        _legal_actions: legal_actions,
        events,
        honba: table.honba(),
        riichi_sticks: table.kyotaku(),
        round_wind: table.bakaze() as u8,
        oya: table.oya().index(),
        kyoku_index: table.kyoku().saturating_sub(1),
        waits: table.waits().iter().map(Kind::index).collect(),
        is_tenpai: !table.waits().is_empty(),
        tsumogiri_flags: seats()
            .map(|seat| {
                rivers
                    .of(seat)
                    .map(|(_, discard)| discard.tsumogiri)
                    .collect()
            })
            .collect(),
        riichi_sutehais: seats()
            .map(|seat| rivers.last(seat, |discard| discard.riichi))
            .collect(),
        last_tedashis: seats()
            .map(|seat| rivers.last(seat, |discard| !discard.tsumogiri))
            .collect(),
        last_discard,
        drawn_tile,
        forced_tedashi: table.first_discard_counts_as_from_hand(),
        hands: seats()
            .map(|seat| {
                if seat == table.seat() {
                    hand.clone()
                } else {
                    Vec::new()
                }
            })
            .collect(),
        discards: seats()
            .map(|seat| rivers.of(seat).map(|(number, _)| number).collect())
            .collect(),
        melds,
    }
}

/// Deals out the engine's numbers, each once as long as there are that many tiles.
struct Numbers([u8; KINDS]);

impl Numbers {
    fn next(&mut self, tile: Tile) -> u8 {
        let kind = tile.kind();
        let first = kind.index() as u8 * 4;
        if tile.is_red() {
            return first;
        }
        // The first of four fives is the red one.
        let reserved = u8::from(kind.number() == Some(5));
        let used = &mut self.0[kind.index()];
        let number = (first + reserved + *used).min(first + 3);
        *used += 1;
        number
    }
}

fn is(number: u8, wanted: Tile) -> bool {
    tile(u64::from(number)) == Some(wanted)
}

/// The own hand with the drawn tile last, and the drawn tile separately.
fn hand(table: &Table, numbers: &mut Numbers) -> (Vec<u8>, Option<u8>) {
    let mut hand: Vec<u8> = table
        .hand()
        .tiles()
        .map(|tile| numbers.next(tile))
        .collect();
    let place = table
        .drawn()
        .and_then(|drawn| hand.iter().rposition(|&number| is(number, drawn)));
    let drawn = place.map(|place| hand.remove(place));
    hand.extend(drawn);
    (hand, drawn)
}

/// The discards of each seat with their numbers.
struct Rivers<'t>(Vec<Vec<(u8, &'t Discard)>>);

impl<'t> Rivers<'t> {
    fn new(table: &'t Table, numbers: &mut Numbers) -> Self {
        let river = |(_, player): (Seat, &'t PlayerState)| {
            player
                .river
                .iter()
                .map(|discard| (numbers.next(discard.tile), discard))
                .collect()
        };
        Self(table.players().iter().map(river).collect())
    }

    fn of(&self, seat: Seat) -> impl DoubleEndedIterator<Item = (u8, &'t Discard)> {
        self.0[seat.index()].iter().copied()
    }

    /// The last discard of a seat that is so.
    fn last(&self, seat: Seat, is_so: impl Fn(&Discard) -> bool) -> Option<u8> {
        self.of(seat)
            .rfind(|(_, discard)| is_so(discard))
            .map(|(number, _)| number)
    }
}

fn meld_fields(meld: &Meld, rivers: &Rivers<'_>, numbers: &mut Numbers) -> MeldFields {
    let meld_type = match meld.kind() {
        MeldKind::Chi => "Chi",
        MeldKind::Pon => PON,
        MeldKind::Daiminkan => "Daiminkan",
        MeldKind::Ankan => "Ankan",
        MeldKind::Kakan => "Kakan",
    };
    // The called tile is in a river, where it was discarded right before the call.
    let called_tile = meld.called.and_then(|called| {
        rivers
            .of(called.from)
            .find(|(_, discard)| discard.order + 1 == meld.order)
            .map(|(number, _)| number)
    });
    let mut own = meld.tiles().to_vec();
    if let Some(place) =
        called_tile.and_then(|number| own.iter().position(|&tile| is(number, tile)))
    {
        own.remove(place);
    }
    let mut tiles: Vec<u8> = own
        .into_iter()
        .map(|tile| numbers.next(tile))
        .chain(called_tile)
        .collect();
    tiles.sort_unstable();
    MeldFields {
        meld_type,
        tiles,
        opened: meld.kind().opens_hand(),
        from_who: meld.called.map_or(-1, |called| called.from.index() as i8),
        called_tile,
    }
}

/// The source of the numbers in listed actions.
struct Listed<'o> {
    seat: Seat,
    /// The drawn tile is last.
    hand: &'o [u8],
    /// The seat's own melds.
    melds: &'o [MeldFields],
    offered: Option<u8>,
}

impl Listed<'_> {
    /// The actions in their order. Of equal tiles the drawn one is listed last, and after a riichi
    /// it is the only one that is listed: so the numbers are dealt out from the end.
    fn all(&self, actions: &[PossibleAction]) -> Vec<ActionFields> {
        let mut unlisted = self.hand.to_vec();
        let mut fields: Vec<ActionFields> = actions
            .iter()
            .rev()
            .map(|action| self.one(action, &mut unlisted))
            .collect();
        fields.reverse();
        fields
    }

    /// `unlisted` are the tiles of the hand that no discard has been listed of.
    fn one(&self, action: &PossibleAction, unlisted: &mut Vec<u8>) -> ActionFields {
        let claim = self.hand.len() % 3 == 1;
        let own = |tile: Tile| self.hand.iter().copied().rfind(|&number| is(number, tile));
        let consume_tiles = match (action.kind, action.pai) {
            (ActionKind::Kakan, Some(added)) => self.pon_of(added.kind()),
            _ => self.own_tiles(&action.consumed),
        };
        let (action_type, tile) = match action.kind {
            ActionKind::Dahai => {
                let place = action
                    .pai
                    .and_then(|tile| unlisted.iter().rposition(|&number| is(number, tile)));
                ("Discard", place.map(|place| unlisted.remove(place)))
            }
            ActionKind::Chi => ("Chi", self.offered),
            ActionKind::Pon => ("Pon", self.offered),
            ActionKind::Daiminkan => ("Daiminkan", self.offered),
            ActionKind::Ankan => ("Ankan", consume_tiles.first().copied()),
            ActionKind::Kakan => ("Kakan", action.pai.and_then(own)),
            ActionKind::Kita => ("Kita", action.pai.and_then(own)),
            ActionKind::Reach => ("Riichi", None),
            ActionKind::Hora if claim => ("Ron", self.offered),
            ActionKind::Hora => ("Tsumo", self.hand.last().copied()),
            ActionKind::Ryukyoku => ("KyushuKyuhai", None),
            ActionKind::None => ("Pass", None),
        };
        ActionFields {
            action_type,
            tile,
            consume_tiles,
            actor: self.seat.index(),
        }
    }

    /// The numbers of these tiles of the hand, in order.
    fn own_tiles(&self, tiles: &[Tile]) -> Vec<u8> {
        let mut left = self.hand.to_vec();
        let taken = tiles.iter().filter_map(|&tile| {
            let place = left.iter().position(|&number| is(number, tile))?;
            Some(left.remove(place))
        });
        let mut taken: Vec<u8> = taken.collect();
        taken.sort_unstable();
        taken
    }

    /// The numbers of the own pon of a kind, in order.
    fn pon_of(&self, kind: Kind) -> Vec<u8> {
        let is_pon = |meld: &&MeldFields| {
            meld.meld_type == PON
                && meld
                    .tiles
                    .first()
                    .is_some_and(|&number| usize::from(number / 4) == kind.index())
        };
        self.melds
            .iter()
            .find(is_pon)
            .map_or_else(Vec::new, |pon| pon.tiles.clone())
    }
}

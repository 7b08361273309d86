//! A decision of Chinese Standard mahjong as a line.

use mcr::distance::{discards, distance};
use mcr::event::PLAYERS;
use mcr::seat::{McrStage, SeatPublic, SeenSet};
use mcr::{Counting, DeclaredSet, McrAction, McrEvent};
use policy_sdk::McrView;
use riichi::{Counts, KindSet, Seat};
use serde::Serialize;

use crate::SCHEMA_VERSION;
use crate::names::{CountedKinds, KindName, SeatNumber};
use crate::riichi::{TimeLine, WindName};

/// The knowledge of a Chinese Standard mahjong seat when it decides, and nothing else.
#[derive(Debug, Serialize)]
#[cfg_attr(
    test,
    derive(schemars::JsonSchema),
    schemars(rename = "ChineseStandardView")
)]
pub(crate) struct McrLine {
    /// Version of this schema.
    #[cfg_attr(test, schemars(extend("const" = SCHEMA_VERSION)))]
    schema: u32,
    /// The game.
    #[cfg_attr(test, schemars(extend("const" = "chinese-standard")))]
    game: &'static str,
    /// Number of this game in the bot's run, from 0.
    game_number: u64,
    /// Number of this decision in the game, from 0.
    decision: u32,
    /// Randomness of this decision, the same when it is repeated.
    random: u64,
    /// The time for this decision.
    time: TimeLine,

    /// The request.
    request: McrRequestLine,
    /// The legal actions, never empty. The answer is the `index` of one of these.
    #[cfg_attr(test, schemars(length(min = 1, max = policy_sdk::abi::standard::MAX_STANDARD_LEGAL)))]
    legal: Vec<McrLegalAction>,

    /// The own seat; 0 is East all game.
    seat: SeatNumber,
    /// The own concealed tiles in their order, the drawn one included, declared sets not.
    #[cfg_attr(test, schemars(length(min = 1, max = 14)))]
    hand: Vec<KindName>,
    /// The tile just drawn; null when a tile is offered.
    drawn: Option<KindName>,
    /// The own tiles as dealt, in their order.
    #[cfg_attr(test, schemars(length(min = 13, max = 13)))]
    start_hand: Vec<KindName>,
    /// Number of flowers that each seat laid down while tiles were dealt.
    #[cfg_attr(test, schemars(length(min = 4, max = 4)))]
    start_flowers: Vec<u8>,
    /// Number of tiles that the own hand lacks for a win of any form, ignoring fan; 0 complete, 1
    /// waiting.
    distance: u8,
    /// The fan of a win now; null if the hand is not complete with the tile.
    win_fan: Option<u16>,

    /// The open tiles of each seat in order, including the own.
    #[cfg_attr(test, schemars(length(min = 4, max = 4)))]
    seats: Vec<McrShown>,
    /// Wind of the round.
    prevalent_wind: WindName,
    /// Wind of the own seat.
    seat_wind: WindName,
    /// Every kind, with how many of its tiles are not seen.
    unseen: CountedKinds,
    /// All events, oldest first, as the own seat saw them.
    events: Vec<McrEventLine>,
    /// Whether the walls hold the eight flowers.
    flowers: bool,
    /// The way of counting fan: as Botzone's judge does, or as the rule book does.
    counting: CountingName,
}

/// The request: the own turn, or a claim of another seat's tile.
#[derive(Debug, Serialize)]
#[cfg_attr(
    test,
    derive(schemars::JsonSchema),
    schemars(rename = "StandardRequest")
)]
struct McrRequestLine {
    /// own_turn, discard (a discard is offered) or kong_added (a tile added to a pung may be
    /// robbed).
    #[serde(rename = "type")]
    kind: McrRequestKind,
    /// The offered tile; null on the own turn.
    tile: Option<KindName>,
    /// The seat it came from; null on the own turn.
    from: Option<SeatNumber>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
enum McrRequestKind {
    OwnTurn,
    Discard,
    KongAdded,
}

/// A legal action.
#[derive(Debug, Serialize)]
#[cfg_attr(
    test,
    derive(schemars::JsonSchema),
    schemars(rename = "StandardLegalAction")
)]
struct McrLegalAction {
    /// Its index: what an answer names.
    index: usize,
    /// Which action. A chow or pung is one action with the discard after it.
    #[serde(rename = "type")]
    kind: McrActionKind,
    /// The tile of a concealed or an added kong, the middle tile of a chow; else null.
    tile: Option<KindName>,
    /// The tile that is discarded; null if there is none.
    discard: Option<KindName>,
    /// The outlook after a discard of the own turn; else null.
    after: Option<McrAfter>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
enum McrActionKind {
    Pass,
    Win,
    Discard,
    ConcealedKong,
    AddKong,
    Kong,
    Pung,
    Chow,
}

/// The number of tiles that a hand lacks, and the tiles that bring it nearer.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "StandardAfter"))]
struct McrAfter {
    /// Tiles that it lacks for a win of any form, fan left aside.
    distance: u8,
    /// The kinds that bring it nearer, each with how many of its tiles are not seen.
    acceptance: CountedKinds,
    /// Total number of these tiles.
    tiles: u32,
}

/// The open tiles of a seat.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "StandardShown"))]
struct McrShown {
    /// Its number.
    seat: SeatNumber,
    /// Its declared sets, in the order in which they were laid down.
    #[cfg_attr(test, schemars(length(max = 4)))]
    sets: Vec<McrSetLine>,
    /// Its discards, oldest first, those claimed too.
    river: Vec<McrRiverLine>,
    /// Number of flowers that it has laid down.
    flowers: u8,
    /// Tiles left in its wall.
    wall: u8,
    /// Number of its concealed tiles.
    concealed: u8,
}

/// A declared set.
#[derive(Debug, Serialize)]
#[cfg_attr(
    test,
    derive(schemars::JsonSchema),
    schemars(rename = "StandardSetLine")
)]
struct McrSetLine {
    /// Which sort of set.
    #[serde(rename = "type")]
    kind: McrSetKind,
    /// The middle tile of a chow, else the tile; null for another seat's concealed kong.
    tile: Option<KindName>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
enum McrSetKind {
    Chow,
    Pung,
    MeldedKong,
    ConcealedKong,
}

/// A discard.
#[derive(Debug, Serialize)]
#[cfg_attr(
    test,
    derive(schemars::JsonSchema),
    schemars(rename = "StandardRiverLine")
)]
struct McrRiverLine {
    /// The tile.
    tile: KindName,
    /// Whether another seat claimed it.
    claimed: bool,
}

/// Something that happened.
#[derive(Debug, Serialize)]
#[cfg_attr(
    test,
    derive(schemars::JsonSchema),
    schemars(rename = "StandardEventLine")
)]
struct McrEventLine {
    /// The kind of event. A chow or pung is one event with the discard after it.
    #[serde(rename = "type")]
    kind: McrEventKind,
    /// The seat that acts; null for the deal.
    seat: Option<SeatNumber>,
    /// The tile drawn, added or laid down, the middle tile of a chow; null if it is hidden or there
    /// is none.
    tile: Option<KindName>,
    /// The discarded tile; null if there is none.
    discard: Option<KindName>,
    /// The flower drawn, 1 to 8; else null.
    #[cfg_attr(test, schemars(range(min = 1, max = 8)))]
    flower: Option<u8>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
enum McrEventKind {
    Dealt,
    Drawn,
    Flower,
    Discarded,
    Pung,
    Chow,
    Kong,
    ConcealedKong,
    KongAdded,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
enum CountingName {
    Judge,
    Book,
}

impl McrLine {
    /// The decision that a view asks for.
    pub(crate) fn of(view: &McrView<'_>) -> Self {
        let table = view.table();
        let unseen = table.unseen();
        let discards = discards(table.hand());
        let after = |action: &McrAction| {
            let McrAction::Discard(tile) = action else {
                return None;
            };
            let left = discards.iter().find(|left| left.discard == *tile)?;
            Some(McrAfter::new(left.distance, left.acceptance, unseen))
        };
        let legal = view.legal().iter().enumerate();
        // A log begins with the deal.
        let (start_hand, start_flowers) = match view.events().next() {
            Some(McrEvent::Dealt { hand, flowers, .. }) => (hand, flowers),
            _ => (Counts::EMPTY, [0; PLAYERS as usize]),
        };
        Self {
            schema: SCHEMA_VERSION,
            game: "chinese-standard",
            game_number: view.game(),
            decision: view.decision(),
            random: view.rng().next_u64(),
            time: TimeLine::of(view.time()),
            request: McrRequestLine::of(table.stage()),
            legal: legal
                .map(|(index, action)| McrLegalAction::of(index, action, after(action)))
                .collect(),
            seat: table.seat().into(),
            hand: kind_names(table.hand().concealed()),
            drawn: table.drawn().map(KindName),
            start_hand: kind_names(&start_hand),
            start_flowers: start_flowers.to_vec(),
            distance: distance(table.hand()),
            win_fan: table.win().map(|fan| fan.total()),
            seats: Seat::all(PLAYERS)
                .map(|seat| McrShown::of(seat, table.public(seat)))
                .collect(),
            prevalent_wind: table.prevalent_wind().into(),
            seat_wind: table.seat_wind().into(),
            unseen: CountedKinds {
                kinds: KindSet::ALL,
                counts: unseen,
            },
            events: view
                .events()
                .filter_map(|event| McrEventLine::of(&event))
                .collect(),
            flowers: table.rules().flowers,
            counting: match table.rules().counting {
                Counting::Judge => CountingName::Judge,
                Counting::Book => CountingName::Book,
            },
        }
    }
}

/// Each tile by its kind.
fn kind_names(tiles: &Counts) -> Vec<KindName> {
    tiles
        .kinds()
        .iter()
        .flat_map(|kind| (0..tiles[kind]).map(move |_| KindName(kind)))
        .collect()
}

impl McrAfter {
    fn new(distance: u8, kinds: KindSet, unseen: Counts) -> Self {
        let acceptance = CountedKinds {
            kinds,
            counts: unseen,
        };
        Self {
            distance,
            acceptance,
            tiles: acceptance.total(),
        }
    }
}

impl McrRequestLine {
    fn of(stage: McrStage) -> Self {
        let offered = |kind, tile, seat: Seat| Self {
            kind,
            tile: Some(KindName(tile)),
            from: Some(seat.into()),
        };
        match stage {
            McrStage::Discarded { seat, tile } => offered(McrRequestKind::Discard, tile, seat),
            McrStage::KongAdded { seat, tile } => offered(McrRequestKind::KongAdded, tile, seat),
            _ => Self {
                kind: McrRequestKind::OwnTurn,
                tile: None,
                from: None,
            },
        }
    }
}

impl McrLegalAction {
    fn of(index: usize, action: &McrAction, after: Option<McrAfter>) -> Self {
        use McrActionKind as Sort;
        let (kind, tile, discard) = match *action {
            McrAction::Pass => (Sort::Pass, None, None),
            McrAction::Win => (Sort::Win, None, None),
            McrAction::Discard(tile) => (Sort::Discard, None, Some(tile)),
            McrAction::ConcealedKong(tile) => (Sort::ConcealedKong, Some(tile), None),
            McrAction::AddKong(tile) => (Sort::AddKong, Some(tile), None),
            McrAction::ClaimKong => (Sort::Kong, None, None),
            McrAction::ClaimPung { discard } => (Sort::Pung, None, Some(discard)),
            McrAction::ClaimChow { middle, discard } => (Sort::Chow, Some(middle), Some(discard)),
        };
        Self {
            index,
            kind,
            tile: tile.map(KindName),
            discard: discard.map(KindName),
            after,
        }
    }
}

impl McrShown {
    fn of(seat: Seat, public: &SeatPublic) -> Self {
        let river = |discard: &mcr::seat::RiverDiscard| McrRiverLine {
            tile: KindName(discard.tile),
            claimed: discard.claimed,
        };
        Self {
            seat: seat.into(),
            sets: public.sets.iter().map(|set| McrSetLine::of(*set)).collect(),
            river: public.river.iter().map(river).collect(),
            flowers: public.flowers,
            wall: public.wall,
            concealed: public.concealed,
        }
    }
}

impl McrSetLine {
    fn of(set: SeenSet) -> Self {
        let SeenSet::Known(set) = set else {
            return Self {
                kind: McrSetKind::ConcealedKong,
                tile: None,
            };
        };
        let kind = match set {
            DeclaredSet::Chow(_) => McrSetKind::Chow,
            DeclaredSet::Pung(_) => McrSetKind::Pung,
            DeclaredSet::MeldedKong(_) => McrSetKind::MeldedKong,
            DeclaredSet::ConcealedKong(_) => McrSetKind::ConcealedKong,
        };
        Self {
            kind,
            tile: Some(KindName(set.kind())),
        }
    }
}

impl McrEventLine {
    /// `None` for the end, after which nothing is asked.
    fn of(event: &McrEvent) -> Option<Self> {
        use McrEventKind as Sort;
        let (kind, seat, tile, discard, flower) = match *event {
            McrEvent::Dealt { .. } => (Sort::Dealt, None, None, None, None),
            McrEvent::Drawn { seat, tile } => (Sort::Drawn, Some(seat), tile, None, None),
            McrEvent::FlowerDrawn { seat, flower } => {
                (Sort::Flower, Some(seat), None, None, Some(flower.number()))
            }
            McrEvent::Discarded { seat, tile } => {
                (Sort::Discarded, Some(seat), None, Some(tile), None)
            }
            McrEvent::PungClaimed { seat, discard } => {
                (Sort::Pung, Some(seat), None, Some(discard), None)
            }
            McrEvent::ChowClaimed {
                seat,
                middle,
                discard,
            } => (Sort::Chow, Some(seat), Some(middle), Some(discard), None),
            McrEvent::KongClaimed { seat } => (Sort::Kong, Some(seat), None, None, None),
            McrEvent::ConcealedKong { seat, tile } => {
                (Sort::ConcealedKong, Some(seat), tile, None, None)
            }
            McrEvent::KongAdded { seat, tile } => {
                (Sort::KongAdded, Some(seat), Some(tile), None, None)
            }
            McrEvent::Over => return None,
        };
        let (tile, discard) = (tile.map(KindName), discard.map(KindName));
        Some(Self {
            kind,
            seat: seat.map(SeatNumber::from),
            tile,
            discard,
            flower,
        })
    }
}

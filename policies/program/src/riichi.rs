//! A decision of riichi mahjong as a line.

use std::time::Duration;

use policy_sdk::{BadView, Discard, Offer, Player, Request, View};
use protocol::reply::RecordedAction;
use protocol::{ActionKind, EventObject};
use riichi::rules::{Length, Preset};
use riichi::table::Riichi;
use riichi::{Called, Meld, MeldKind, Seat, Wind};
use serde::Serialize;

use crate::SCHEMA_VERSION;
use crate::json::line_of;
use crate::names::{CountedKinds, KindName, KindNames, SeatNumber, TileName};
use crate::outlook::{OutlookLine, Outlooks};
use crate::round_end::EndOfRound;

/// The knowledge of a riichi mahjong seat when it decides, and nothing else.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RiichiView {
    /// Version of this schema.
    #[cfg_attr(test, schemars(extend("const" = SCHEMA_VERSION)))]
    schema: u32,
    /// The game.
    #[cfg_attr(test, schemars(extend("const" = "riichi")))]
    game: &'static str,
    /// Number of this game in the bot's run, from 0.
    game_number: u64,
    /// Number of this decision in the game, from 0.
    decision: u32,
    /// Seed of the bot's randomness, the same all run. Key randomness by seed, game_number, seat
    /// and decision, and it can be repeated.
    seed: u64,
    /// The time for this decision.
    time: TimeLine,

    /// The request.
    request: AskedLine,
    /// The legal actions, never empty. The answer is the `index` of one of these. Each is an mjai
    /// object with its index and the outlook of the hand afterwards; a riichi names its discard,
    /// and no question follows.
    #[cfg_attr(test, schemars(with = "Vec<crate::tests::schema::MjaiAction>"))]
    #[cfg_attr(test, schemars(length(min = 1, max = policy_sdk::abi::action::MAX_LEGAL)))]
    legal: Vec<LegalLine>,

    /// The own seat. Seats stay the same all game; 0 is the first dealer.
    seat: SeatNumber,
    /// The own closed tiles in their order, the drawn one included, melds not.
    #[cfg_attr(test, schemars(length(min = 1, max = 14)))]
    hand: Vec<TileName>,
    /// The tile just drawn; null after a call and when a tile is offered.
    drawn: Option<TileName>,
    /// The own tiles as dealt; null when the round was not seen from its start.
    start_hand: Option<Vec<TileName>>,
    /// Kinds that complete the own hand without the drawn tile.
    waits: KindNames,
    /// The own furiten.
    furiten: FuritenLine,
    /// Shanten number of the own hand: -1 complete, 0 tenpai. Of a hand with a tile to discard,
    /// after its best discard.
    #[cfg_attr(test, schemars(range(min = -1, max = 8)))]
    shanten: i8,
    /// The kinds that lower it, each with how many of its tiles are not seen. Of a hand with a tile
    /// to discard, after the discard that leaves the most.
    acceptance: CountedKinds,

    /// The open tiles of each seat in order, including the own.
    #[cfg_attr(test, schemars(length(min = 3, max = policy_sdk::abi::SEATS)))]
    seats: Vec<PlayerLine>,
    /// Points of each seat now, paid sticks taken off.
    #[cfg_attr(test, schemars(length(min = 3, max = policy_sdk::abi::SEATS)))]
    scores: Vec<i32>,
    /// Points of each seat when the round began.
    #[cfg_attr(test, schemars(length(min = 3, max = policy_sdk::abi::SEATS)))]
    start_scores: Vec<i32>,
    /// Place of each seat by its points, from 1; of equal scores the lower seat is first.
    #[cfg_attr(test, schemars(length(min = 3, max = policy_sdk::abi::SEATS)))]
    placements: Vec<u8>,

    /// Wind of the round.
    bakaze: WindName,
    /// Number of the round within its wind, from 1.
    #[cfg_attr(test, schemars(range(min = 1, max = 4)))]
    kyoku: u8,
    /// Repeat counters.
    honba: u8,
    /// Riichi sticks on the table now.
    kyotaku: u8,
    /// Riichi sticks on the table when the round began.
    start_kyotaku: u8,
    /// The dealer's seat.
    oya: SeatNumber,
    /// Wind of the own seat.
    seat_wind: WindName,
    /// The dora indicators, not the dora themselves, oldest first.
    #[cfg_attr(test, schemars(length(min = 1, max = riichi::event::MAX_DORA)))]
    dora_markers: Vec<TileName>,
    /// The kind that each indicator makes dora, in their order. A red five is a dora more.
    #[cfg_attr(test, schemars(length(min = 1, max = riichi::event::MAX_DORA)))]
    dora: Vec<KindName>,
    /// Tiles that can still be drawn.
    tiles_left: u8,
    /// Whether the own first turn is this one or to come, and no seat has called.
    first_turn: bool,
    /// Whether the drawn tile is a replacement (rinshan).
    after_kan: bool,
    /// Number of unseen tiles of each kind: not in the own hand, a meld, a river, set aside, or an
    /// indicator.
    unseen: CountedKinds,
    /// Number of unseen red fives.
    unseen_reds: RedFives,
    /// The events of the round as the own seat may know them, in mjai's spelling, oldest first;
    /// empty when the round was not seen from its start.
    #[cfg_attr(test, schemars(with = "Vec<crate::tests::schema::MjaiEvent>"))]
    #[cfg_attr(test, schemars(length(max = policy_sdk::abi::log::MAX_EVENTS)))]
    events: Vec<EventObject>,
    /// The end of the previous round in the game; empty in a game's first round or if it was not
    /// seen.
    #[cfg_attr(test, schemars(length(max = 3)))]
    ended_round: Vec<EndOfRound>,

    /// The rules.
    rules: RulesLine,
}

/// A wind.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) enum WindName {
    E,
    S,
    W,
    N,
}

impl From<Wind> for WindName {
    fn from(wind: Wind) -> Self {
        match wind {
            Wind::East => Self::E,
            Wind::South => Self::S,
            Wind::West => Self::W,
            Wind::North => Self::N,
        }
    }
}

/// The time for a decision, milliseconds.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Time"))]
pub(crate) struct TimeLine {
    /// From now until the runner gives the safe answer itself: use this one for planning.
    budget_ms: f64,
    /// Free time of this request; null if the arena sets no limit.
    grace_ms: Option<f64>,
    /// The rest of the bank; null if the arena sets no limit.
    bank_ms: Option<f64>,
    /// From the request until the arena acts itself; null if it sets no limit.
    deadline_ms: Option<f64>,
}

/// The request: the own turn, or a claim of another seat's tile.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Asked"))]
struct AskedLine {
    /// own_turn, or how a tile came to be offered: dahai (discarded), kakan (added to a pon), ankan
    /// (shown in a closed kan), kita (a North set aside).
    #[serde(rename = "type")]
    kind: AskedKind,
    /// The offered tile; null on the own turn.
    pai: Option<TileName>,
    /// The seat it came from; null on the own turn.
    from: Option<SeatNumber>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
enum AskedKind {
    OwnTurn,
    Dahai,
    Kakan,
    Ankan,
    Kita,
}

/// A legal action: an mjai object, its index, and the outlook of the hand afterwards.
#[derive(Debug, Serialize)]
struct LegalLine {
    index: usize,
    #[serde(flatten)]
    action: RecordedAction,
    after: Option<OutlookLine>,
}

/// The own furiten, by why.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Furiten"))]
struct FuritenLine {
    /// A wait lies in the own river.
    river: bool,
    /// A wait was passed since the last own discard.
    temporary: bool,
    /// A wait was passed since the own riichi.
    riichi: bool,
}

/// The open tiles of a seat.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Player"))]
struct PlayerLine {
    /// The seat.
    seat: SeatNumber,
    /// Its melds, oldest first.
    #[cfg_attr(test, schemars(length(max = policy_sdk::abi::seat::MAX_MELDS)))]
    melds: Vec<MeldLine>,
    /// Its discards, oldest first, those called away too.
    #[cfg_attr(test, schemars(length(max = policy_sdk::abi::seat::MAX_RIVER)))]
    river: Vec<RiverTileLine>,
    /// Its riichi, from its discard on; null without one.
    riichi: Option<RiichiLine>,
    /// Number of Norths that it has set aside (three players).
    #[cfg_attr(test, schemars(range(max = 4)))]
    kita: u8,
    /// The kinds that it cannot win on by ron now, with any hand; empty for the own seat.
    cannot_ron: CannotRonLine,
}

/// A meld.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Meld"))]
struct MeldLine {
    /// chi, pon, daiminkan, ankan or kakan.
    #[serde(rename = "type")]
    #[cfg_attr(test, schemars(with = "crate::tests::schema::MeldType"))]
    kind: &'static str,
    /// All its tiles, the called one included.
    #[cfg_attr(test, schemars(length(min = 3, max = 4)))]
    tiles: Vec<TileName>,
    /// The called tile; null for a closed kan.
    called: Option<TileName>,
    /// The seat that threw it; null for a closed kan.
    from: Option<SeatNumber>,
    /// Number of the call in the order that discards and calls of the round share; an added kan
    /// keeps the number of its pon.
    order: u8,
}

/// A discard. It stays in the river when it is called away.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "RiverTile"))]
struct RiverTileLine {
    /// The tile.
    pai: TileName,
    /// Whether it is the drawn tile; otherwise it came from the hand.
    tsumogiri: bool,
    /// Whether riichi was declared with it.
    riichi: bool,
    /// The seat that called it away, else null.
    called_by: Option<SeatNumber>,
    /// Number of the discard in the round's order, which discards and calls share.
    order: u8,
}

/// A riichi.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Riichi"))]
struct RiichiLine {
    /// The stick is paid.
    accepted: bool,
    /// Declared on the first turn without a call before.
    double: bool,
    /// A win now would be within one turn.
    ippatsu: bool,
    /// Number of its discard in the round's order.
    order: u8,
}

/// The kinds that a seat cannot win on by ron now (furiten).
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "CannotRon"))]
struct CannotRonLine {
    /// Kinds in its own river, tiles called away included.
    river: KindNames,
    /// Kinds that passed it since it declared riichi.
    since_riichi: KindNames,
    /// Kinds that passed it since its last discard.
    since_discard: KindNames,
}

/// Red fives by suit.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct RedFives {
    /// Of characters.
    #[serde(rename = "5mr")]
    characters: u8,
    /// Of dots.
    #[serde(rename = "5pr")]
    dots: u8,
    /// Of bamboo.
    #[serde(rename = "5sr")]
    bamboo: u8,
}

/// The rules as far as arenas differ.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Rules"))]
struct RulesLine {
    /// 4 or 3. With three players there is no chi, 2m to 8m do not exist, and a North may be set
    /// aside.
    #[cfg_attr(test, schemars(range(min = 3, max = 4)))]
    players: u8,
    /// The length of the game: one round, the East rounds, or East and South.
    length: LengthLine,
    /// Total number of red fives.
    red_fives: u8,
    /// Whether an open hand of simples has a yaku.
    open_tanyao: bool,
    /// Whether a called tile, and the other end of its run, may not be discarded at once.
    kuikae_forbidden: bool,
    /// Whether thirteen orphans may win on a closed kan.
    ron_on_ankan_by_kokushi: bool,
    /// Whether three winners on one discard make an abortive draw.
    triple_ron_is_draw: bool,
    /// The preset for all other rules.
    preset: House,
    /// Points of each player at the start.
    start_points: i32,
    /// Minimum points of the leader for the game to end with its last regular round.
    return_points: i32,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
enum LengthLine {
    Single,
    East,
    Half,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
enum House {
    Tenhou,
    MahjongSoul,
}

impl RiichiView {
    /// The decision that a view asks for.
    ///
    /// # Errors
    /// When the view's log is wrong.
    pub(crate) fn of(view: &View<'_>) -> Result<Self, BadView> {
        let outlooks = Outlooks::of(view);
        let now = outlooks.now();
        let legal = view
            .legal()
            .iter()
            .enumerate()
            .map(|(index, action)| LegalLine {
                index,
                action: RecordedAction::of(action, view.seat()),
                after: outlooks.after(action),
            });
        let [characters, dots, bamboo] = view.unseen_reds();
        let kinds = view.rules().kinds();
        let names =
            |tiles: &mut dyn Iterator<Item = riichi::Tile>| tiles.map(TileName).collect::<Vec<_>>();
        Ok(Self {
            schema: SCHEMA_VERSION,
            game: "riichi",
            game_number: view.game(),
            decision: view.decision(),
            seed: view.seed(),
            time: TimeLine::of(view.time()),
            request: AskedLine::of(view.request()),
            legal: legal.collect(),
            seat: view.seat().into(),
            hand: names(&mut view.hand().tiles()),
            drawn: view.drawn().map(TileName),
            start_hand: view.start_hand().map(|tiles| names(&mut tiles.into_iter())),
            waits: KindNames(view.waits()),
            furiten: FuritenLine::of(view),
            shanten: now.shanten,
            acceptance: now.acceptance,
            seats: Seat::all(view.players())
                .map(|seat| PlayerLine::of(&view.player(seat)))
                .collect(),
            scores: view.scores().as_slice().to_vec(),
            start_scores: view.start_scores().as_slice().to_vec(),
            placements: view.placements().as_slice().to_vec(),
            bakaze: view.bakaze().into(),
            kyoku: view.kyoku(),
            honba: view.honba(),
            kyotaku: view.kyotaku(),
            start_kyotaku: view.start_kyotaku(),
            oya: view.oya().into(),
            seat_wind: view.seat_wind().into(),
            dora_markers: names(&mut view.dora_markers()),
            dora: view
                .dora_markers()
                .map(|marker| KindName(view.rules().dora_of(marker.kind())))
                .collect(),
            tiles_left: view.tiles_left(),
            first_turn: view.first_turn(),
            after_kan: view.after_kan(),
            unseen: CountedKinds {
                kinds,
                counts: view.unseen(),
            },
            unseen_reds: RedFives {
                characters,
                dots,
                bamboo,
            },
            events: view
                .events()
                .map(|event| event.map(EventObject))
                .collect::<Result<_, _>>()?,
            ended_round: view
                .ended_round()
                .map(|end| end.map(EndOfRound::from))
                .collect::<Result<_, _>>()?,
            rules: RulesLine::of(view.rules()),
        })
    }

    /// The line, with its line break.
    pub(crate) fn line(&self) -> String {
        line_of(self)
    }
}

impl TimeLine {
    pub(crate) fn of(time: policy_sdk::Time) -> Self {
        let milliseconds = |time: Duration| time.as_micros() as f64 / 1000.0;
        let of_arena =
            |part: fn(policy_sdk::ArenaTime) -> Duration| time.arena.map(part).map(milliseconds);
        Self {
            budget_ms: milliseconds(time.budget),
            grace_ms: of_arena(|arena| arena.grace),
            bank_ms: of_arena(|arena| arena.bank),
            deadline_ms: of_arena(|arena| arena.deadline),
        }
    }
}

impl AskedLine {
    fn of(request: Request) -> Self {
        match request {
            Request::OwnTurn => Self {
                kind: AskedKind::OwnTurn,
                pai: None,
                from: None,
            },
            Request::Claim { tile, from, offer } => {
                let kind = match offer {
                    Offer::Dahai => AskedKind::Dahai,
                    Offer::Kakan => AskedKind::Kakan,
                    Offer::Ankan => AskedKind::Ankan,
                    Offer::Kita => AskedKind::Kita,
                };
                Self {
                    kind,
                    pai: Some(TileName(tile)),
                    from: Some(from.into()),
                }
            }
        }
    }
}

impl FuritenLine {
    fn of(view: &View<'_>) -> Self {
        let policy_sdk::Furiten {
            river,
            temporary,
            riichi,
        } = view.furiten();
        Self {
            river,
            temporary,
            riichi,
        }
    }
}

impl PlayerLine {
    fn of(player: &Player<'_>) -> Self {
        let policy_sdk::CannotRon {
            river,
            since_riichi,
            since_discard,
        } = player.cannot_ron();
        Self {
            seat: player.seat().into(),
            melds: player.melds().iter().map(MeldLine::of).collect(),
            river: player.river().map(RiverTileLine::of).collect(),
            riichi: player.riichi().map(RiichiLine::of),
            kita: player.kita_count(),
            cannot_ron: CannotRonLine {
                river: KindNames(river),
                since_riichi: KindNames(since_riichi),
                since_discard: KindNames(since_discard),
            },
        }
    }
}

impl MeldLine {
    fn of(meld: &Meld) -> Self {
        let kind = match meld.kind() {
            MeldKind::Chi => ActionKind::Chi,
            MeldKind::Pon => ActionKind::Pon,
            MeldKind::Daiminkan => ActionKind::Daiminkan,
            MeldKind::Ankan => ActionKind::Ankan,
            MeldKind::Kakan => ActionKind::Kakan,
        };
        Self {
            kind: kind.name(),
            tiles: meld.tiles().iter().copied().map(TileName).collect(),
            called: meld.called.map(|Called { tile, .. }| TileName(tile)),
            from: meld.called.map(|Called { from, .. }| from.into()),
            order: meld.order,
        }
    }
}

impl RiverTileLine {
    fn of(
        Discard {
            tile,
            tsumogiri,
            riichi,
            called_by,
            order,
        }: Discard,
    ) -> Self {
        Self {
            pai: TileName(tile),
            tsumogiri,
            riichi,
            called_by: called_by.map(SeatNumber::from),
            order,
        }
    }
}

impl RiichiLine {
    fn of(
        Riichi {
            accepted,
            double,
            ippatsu,
            order,
        }: Riichi,
    ) -> Self {
        Self {
            accepted,
            double,
            ippatsu,
            order,
        }
    }
}

impl RulesLine {
    fn of(rules: &riichi::Rules) -> Self {
        Self {
            players: rules.players,
            length: match rules.length {
                Length::Single => LengthLine::Single,
                Length::East => LengthLine::East,
                Length::Half => LengthLine::Half,
            },
            red_fives: rules.red_fives,
            open_tanyao: rules.open_tanyao,
            kuikae_forbidden: rules.kuikae_forbidden,
            ron_on_ankan_by_kokushi: rules.ron_on_ankan_by_kokushi,
            triple_ron_is_draw: rules.triple_ron_is_draw,
            preset: match rules.preset {
                Preset::Tenhou => House::Tenhou,
                Preset::MahjongSoul => House::MahjongSoul,
            },
            start_points: rules.start_points,
            return_points: rules.return_points,
        }
    }
}

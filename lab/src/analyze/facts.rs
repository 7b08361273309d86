//! Facts about a hand: shanten, waits, acceptance, splits, points. They can be serialized.

use riichi::acceptance::{acceptance, discard_options};
use riichi::notation::Tiles;
use riichi::score::{Dora, NoWin, Payment, Score, Win, WinSituation};
use riichi::shanten::{seven_pairs_shanten, shanten, standard_shanten, thirteen_orphans_shanten};
use riichi::shape::{Set, readings};
use riichi::splits::{Part, best_split, for_each_split, split_shanten};
use riichi::yaku::{Declared, WinBy};
use riichi::{ConcealedHand, Counts, Hand, Kind, KindSet, Meld, Tile};
use serde::Serialize;

use super::future::{self, FutureFacts};
use super::position::HandPosition;

#[derive(Debug, Clone, Serialize)]
pub struct Facts {
    /// The closed tiles.
    pub hand: String,
    /// The drawn tile, if there are 14.
    pub drawn: Option<String>,
    pub melds: Vec<String>,
    /// The dora of the indicators.
    pub dora: String,
    pub shanten: ShantenFacts,
    /// Before the draw: the tiles that lower the shanten number, or complete a tenpai hand.
    pub acceptance: Option<AcceptanceFacts>,
    /// Before the draw of a tenpai hand: the value of each wait.
    pub waits: Vec<WaitFacts>,
    /// Whether the own river contains a wait.
    pub furiten: bool,
    /// After the draw: each discard, best first.
    pub discards: Vec<DiscardFacts>,
    /// The ways to split the closed tiles with the lowest shanten number and the fewest parts; for a complete hand,
    /// into sets and a pair.
    pub splits: Vec<Vec<String>>,
    /// After the draw of a complete hand: the win on the drawn tile.
    pub win: Option<WinFacts>,
}

/// Shanten numbers: 0 tenpai, -1 complete.
#[derive(Debug, Clone, Serialize)]
pub struct ShantenFacts {
    pub lowest: i8,
    /// To four sets and a pair.
    pub standard: i8,
    /// To seven pairs; `None` with melds.
    pub seven_pairs: Option<i8>,
    /// To thirteen orphans; `None` with melds.
    pub thirteen_orphans: Option<i8>,
}

/// The tiles that improve a hand.
#[derive(Debug, Clone, Serialize)]
pub struct AcceptanceFacts {
    /// Their kinds.
    pub tiles: String,
    /// Number of unseen copies.
    pub unseen: u32,
}

#[derive(Debug, Clone, Serialize)]
pub struct DiscardFacts {
    pub tile: String,
    /// Shanten number afterwards.
    pub shanten: i8,
    /// The acceptance afterwards.
    #[serde(flatten)]
    pub acceptance: AcceptanceFacts,
    /// Whether the hand then waits for a tile of the own river, including the discard.
    pub furiten: bool,
    /// The value of each resulting wait.
    pub waits: Vec<WaitFacts>,
    /// The expected future; `None` if the discard leads further back than the computation covers, or the hand is too
    /// far from tenpai.
    pub future: Option<FutureFacts>,
}

#[derive(Debug, Clone, Serialize)]
pub struct WaitFacts {
    pub tile: String,
    /// Number of unseen copies.
    pub unseen: u8,
    pub ron: WinFacts,
    pub tsumo: WinFacts,
    /// The win on another's discard after riichi, without ura; `None` for an open hand.
    pub riichi_ron: Option<WinFacts>,
}

/// The value of a win, or the reason why it is not one.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WinFacts {
    Score(ScoreFacts),
    NoWin(String),
}

/// The value of a win.
#[derive(Debug, Clone, Serialize)]
pub struct ScoreFacts {
    /// The yaku with their han.
    pub yaku: Vec<(String, u8)>,
    /// Dora by indicators.
    pub dora: u8,
    pub red_fives: u8,
    /// Total han.
    pub han: u8,
    /// Fu; 0 for a yakuman.
    pub fu: u8,
    /// The limit, if one is reached.
    pub limit: Option<String>,
    /// Points gained.
    pub points: i32,
    /// The payments, as text.
    pub paid: String,
}

impl Facts {
    #[must_use]
    pub fn of(position: &HandPosition) -> Self {
        let hand = position.concealed();
        let situation = WinSituation {
            rules: position.rules,
            seat: position.seat,
            oya: position.oya,
            bakaze: position.bakaze,
            honba: 0,
            dora: Dora::named_by(&position.rules, position.dora_markers.iter().copied()),
            kita: 0,
        };
        let lowest = shanten(&hand);
        let river: KindSet = position.river.iter().map(|tile| tile.kind()).collect();
        let before_draw = position.drawn.is_none().then(|| acceptance(&hand));
        let waits = before_draw.filter(|_| lowest == 0).unwrap_or(KindSet::EMPTY);
        let unseen = position.unseen();
        Self {
            hand: written(position.hand.tiles()),
            drawn: position.drawn.map(|tile| written([tile])),
            melds: position.melds.iter().map(Meld::to_string).collect(),
            dora: position
                .dora_markers
                .iter()
                .map(|marker| written([position.rules.dora_of(marker.kind()).tile()]))
                .collect::<Vec<_>>()
                .join(" "),
            shanten: ShantenFacts {
                lowest,
                standard: standard_shanten(&hand),
                seven_pairs: seven_pairs_shanten(&hand),
                thirteen_orphans: thirteen_orphans_shanten(&hand),
            },
            acceptance: before_draw.map(|accepted| AcceptanceFacts::of(accepted, &unseen)),
            waits: waits_of(&position.hand, waits, position, &situation, waits.intersects(river)),
            furiten: waits.intersects(river),
            discards: if position.drawn.is_some() { discards(position, &situation, river) } else { Vec::new() },
            splits: splits(&hand),
            win: position.drawn.filter(|_| lowest == -1).map(|drawn| {
                WinFacts::of(&situation, &Win::of(&position.hand, &position.melds, drawn.kind(), WinBy::Draw))
            }),
        }
    }
}

impl AcceptanceFacts {
    fn of(accepted: KindSet, unseen: &Counts) -> Self {
        Self { tiles: accepted.to_string(), unseen: unseen.total_of(accepted) }
    }
}

/// Each discard: the lowest shanten number first, then the most tiles accepted.
fn discards(position: &HandPosition, situation: &WinSituation, river: KindSet) -> Vec<DiscardFacts> {
    let unseen = position.unseen();
    let future = future::of_discards(position, situation, river);
    let mut options = discard_options(&position.concealed());
    options.sort_by_key(|option| (option.shanten, std::cmp::Reverse(unseen.total_of(option.acceptance))));
    options
        .into_iter()
        .map(|option| {
            let mut thrown = river;
            thrown.insert(option.kind);
            // The plain five is discarded before the red one.
            let tile = position.hand.tiles().find(|tile| tile.kind() == option.kind).unwrap_or(option.kind.tile());
            let hand = position.hand.without(&[tile]).expect("the tile was found in the hand");
            let waits = if option.shanten == 0 { option.acceptance } else { KindSet::EMPTY };
            let furiten = waits.intersects(thrown);
            DiscardFacts {
                tile: written([option.kind.tile()]),
                shanten: option.shanten,
                acceptance: AcceptanceFacts::of(option.acceptance, &unseen),
                furiten,
                waits: waits_of(&hand, waits, position, situation, furiten),
                future: future.as_ref().and_then(|future| future(tile)),
            }
        })
        .collect()
}

/// The best splits, each by its parts. Readings of a complete hand are separate from others, because a surplus set is
/// not part of a win.
fn splits(hand: &ConcealedHand) -> Vec<Vec<String>> {
    let of_kinds = |kinds: &mut dyn Iterator<Item = Kind>| written(kinds.map(Kind::tile));
    if shanten(hand) == -1 {
        let pairs = (seven_pairs_shanten(hand) == Some(-1)).then(|| {
            let pair = |kind| of_kinds(&mut std::iter::repeat_n(kind, 2));
            hand.counts().kinds().iter().map(pair).collect()
        });
        let set = |set: &Set| match *set {
            Set::Triplet(kind) => of_kinds(&mut std::iter::repeat_n(kind, 3)),
            Set::Run(first) => of_kinds(&mut (0..3).filter_map(|step| first.offset(step))),
        };
        return readings(hand)
            .iter()
            .map(|reading| {
                let pair = of_kinds(&mut std::iter::repeat_n(reading.pair, 2));
                reading.sets.iter().map(set).chain([pair]).collect()
            })
            .chain(pairs)
            .collect();
    }
    let lowest = best_split(hand, |_| 1).shanten;
    let (mut fewest, mut best): (usize, Vec<Vec<Part>>) = (usize::MAX, Vec::new());
    for_each_split(hand, |parts| {
        if parts.len() <= fewest && split_shanten(hand, parts) == lowest {
            if parts.len() < fewest {
                fewest = parts.len();
                best.clear();
            }
            best.push(parts.to_vec());
        }
    });
    best.iter().map(|parts| parts.iter().map(|part| of_kinds(&mut part.kinds())).collect()).collect()
}

/// The value of each of these waits of a hand before its draw.
fn waits_of(
    hand: &Hand,
    waits: KindSet,
    position: &HandPosition,
    situation: &WinSituation,
    furiten: bool,
) -> Vec<WaitFacts> {
    let unseen = position.unseen();
    waits
        .iter()
        .map(|kind| {
            let hand = hand.with(kind.tile()).expect("a kind that the hand holds four times is no wait");
            WaitFacts::of(&hand, kind, &position.melds, situation, &unseen, furiten)
        })
        .collect()
}

impl WaitFacts {
    /// A wait whose tile has been added to the hand.
    fn of(hand: &Hand, kind: Kind, melds: &[Meld], situation: &WinSituation, unseen: &Counts, furiten: bool) -> Self {
        let by = |by| Win::of(hand, melds, kind, by);
        let ron = |win: &Win<'_>| {
            if furiten { WinFacts::NoWin("furiten".to_owned()) } else { WinFacts::of(situation, win) }
        };
        let closed = !melds.iter().any(|meld: &Meld| meld.kind().opens_hand());
        let riichi = Win { riichi: Some(Declared::default()), ..by(WinBy::Discard) };
        Self {
            tile: written([kind.tile()]),
            unseen: unseen[kind],
            ron: ron(&by(WinBy::Discard)),
            tsumo: WinFacts::of(situation, &by(WinBy::Draw)),
            riichi_ron: closed.then(|| ron(&riichi)),
        }
    }
}

impl WinFacts {
    fn of(situation: &WinSituation, win: &Win<'_>) -> Self {
        match situation.score(win) {
            Ok(score) => Self::Score(ScoreFacts::of(&score)),
            Err(error @ (NoWin::NotComplete | NoWin::NoYaku)) => Self::NoWin(error.to_string()),
        }
    }
}

impl ScoreFacts {
    fn of(score: &Score) -> Self {
        Self {
            yaku: score.yaku_with_han().map(|(yaku, han)| (yaku.name().to_owned(), han)).collect(),
            dora: score.dora.dora,
            red_fives: score.dora.red,
            han: score.han,
            fu: score.fu,
            limit: score.limit.map(|limit| limit.to_string()),
            points: score.gain(),
            paid: match score.payment() {
                Payment::Ron(points) => points.to_string(),
                Payment::Tsumo { oya: 0, ko } => format!("{ko} from each"),
                Payment::Tsumo { oya, ko } => format!("{oya} from the dealer, {ko} from the others"),
            },
        }
    }
}

fn written(tiles: impl IntoIterator<Item = Tile>) -> String {
    tiles.into_iter().collect::<Tiles>().to_string()
}

//! Facts about a hand: shanten, waits, acceptance, splits, points. They can be serialized.

use riichi::acceptance::{acceptance, discard_options};
use riichi::notation::Tiles;
use riichi::score::{Dora, NoWin, Payment, Score, Win, WinSituation};
use riichi::shanten::{seven_pairs_shanten, shanten, standard_shanten, thirteen_orphans_shanten};
use riichi::shape::{Set, readings};
use riichi::yaku::{Declared, WinBy};
use riichi::{ConcealedHand, Counts, Hand, Kind, KindSet, Meld, Tile, Wind};
use riichi_estimates::splits::{Part, best_split, for_each_split, split_shanten};
use serde::{Serialize, Serializer};

use super::future::{self, FutureFacts};
use super::position::HandPosition;

/// How the winning tile comes, besides by a draw or a discard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WinCircumstances {
    /// It is the last tile of the wall, or the discard after it: haitei, houtei.
    pub last_tile: bool,
    /// It replaces one after a kan or a North set aside, or another seat adds it to its pon:
    /// rinshan, chankan.
    pub kong: bool,
    /// It is the first tile that the seat draws, and no player has called: tenhou, chiihou.
    pub first_turn: bool,
}

impl WinCircumstances {
    fn own_draw(self) -> WinBy {
        WinBy::own_draw(self.kong, u8::from(!self.last_tile), self.first_turn)
    }

    fn others_tile(self) -> WinBy {
        if self.kong {
            WinBy::Kan
        } else {
            WinBy::others_discard(u8::from(!self.last_tile))
        }
    }
}

#[derive(Debug, Clone, Serialize)]
pub struct Facts {
    /// The wind of the round with its number, as in `east-1`.
    pub round: String,
    /// The wind of the seat.
    pub seat: String,
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
    /// The ways to split the closed tiles with the lowest shanten number and the fewest parts; for
    /// a complete hand, into sets and a pair.
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
    /// The expected future; `None` if the discard leads further back than the computation covers,
    /// or the hand is too far from tenpai.
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
    /// The payments.
    #[serde(serialize_with = "payment_text")]
    pub paid: Payment,
}

fn payment_text<S: Serializer>(paid: &Payment, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&payment_words(*paid, |points| points.to_string()))
}

/// Who pays what, with numbers in this form.
pub fn payment_words(paid: Payment, number: impl Fn(i32) -> String) -> String {
    match paid {
        Payment::Ron(points) => number(points),
        Payment::Tsumo { oya: 0, ko } => format!("{} from each", number(ko)),
        Payment::Tsumo { oya, ko } => format!(
            "{} from the dealer, {} from the others",
            number(oya),
            number(ko)
        ),
    }
}

impl Facts {
    pub fn of(position: &HandPosition, circumstances: WinCircumstances) -> Self {
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
        let waits = before_draw
            .filter(|_| lowest == 0)
            .unwrap_or(KindSet::EMPTY);
        let unseen = position.unseen();
        let wind = |wind: Wind| wind.name().to_ascii_lowercase();
        let (oya, players) = (position.oya, position.rules.players);
        Self {
            round: format!("{}-{}", wind(position.bakaze), oya.index() + 1),
            seat: wind(Wind::of_seat(position.seat, oya, players)),
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
            waits: waits_of(
                &position.hand,
                waits,
                position,
                &situation,
                waits.intersects(river),
                circumstances,
            ),
            furiten: waits.intersects(river),
            discards: match position.drawn {
                Some(_) => discards(position, &situation, river, circumstances),
                None => Vec::new(),
            },
            splits: splits(&hand),
            win: position.drawn.filter(|_| lowest == -1).map(|drawn| {
                let by = circumstances.own_draw();
                WinFacts::of(
                    &situation,
                    &Win::of(&position.hand, &position.melds, drawn.kind(), by),
                )
            }),
        }
    }
}

impl AcceptanceFacts {
    fn of(accepted: KindSet, unseen: &Counts) -> Self {
        Self {
            tiles: accepted.to_string(),
            unseen: unseen.total_of(accepted),
        }
    }
}

/// Each discard: the lowest shanten number first, then the most tiles accepted.
fn discards(
    position: &HandPosition,
    situation: &WinSituation,
    river: KindSet,
    circumstances: WinCircumstances,
) -> Vec<DiscardFacts> {
    let unseen = position.unseen();
    // After the last tile no draw is left.
    let future =
        future::of_discards(position, situation, river).filter(|_| !circumstances.last_tile);
    let mut options = discard_options(&position.concealed());
    options.sort_by_key(|option| {
        (
            option.shanten,
            std::cmp::Reverse(unseen.total_of(option.acceptance)),
        )
    });
    options
        .into_iter()
        .map(|option| {
            let mut thrown = river;
            thrown.insert(option.kind);
            // The plain five is discarded before the red one.
            let tile = position
                .hand
                .tiles()
                .find(|tile| tile.kind() == option.kind)
                .unwrap_or(option.kind.tile());
            let hand = position
                .hand
                .without(&[tile])
                .expect("the tile was found in the hand");
            let waits = if option.shanten == 0 {
                option.acceptance
            } else {
                KindSet::EMPTY
            };
            let furiten = waits.intersects(thrown);
            DiscardFacts {
                tile: written([tile]),
                shanten: option.shanten,
                acceptance: AcceptanceFacts::of(option.acceptance, &unseen),
                furiten,
                waits: waits_of(
                    &hand,
                    waits,
                    position,
                    situation,
                    furiten,
                    WinCircumstances::default(),
                ),
                future: future.as_ref().and_then(|future| future(tile)),
            }
        })
        .collect()
}

/// The best splits, each by its parts. Readings of a complete hand are separate from others,
/// because a surplus set is not part of a win.
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
    best.iter()
        .map(|parts| {
            parts
                .iter()
                .map(|part| of_kinds(&mut part.kinds()))
                .collect()
        })
        .collect()
}

/// The value of each of these waits of a hand before its draw.
fn waits_of(
    hand: &Hand,
    waits: KindSet,
    position: &HandPosition,
    situation: &WinSituation,
    furiten: bool,
    circumstances: WinCircumstances,
) -> Vec<WaitFacts> {
    let unseen = position.unseen();
    waits
        .iter()
        .map(|kind| {
            let hand = hand
                .with(kind.tile())
                .expect("a kind that the hand holds four times is no wait");
            let by = WaitedWin {
                hand: &hand,
                kind,
                melds: &position.melds,
                furiten,
                circumstances,
            };
            WaitFacts::of(&by, situation, &unseen)
        })
        .collect()
}

/// A wait whose tile has been added to the hand.
struct WaitedWin<'w> {
    hand: &'w Hand,
    kind: Kind,
    melds: &'w [Meld],
    furiten: bool,
    circumstances: WinCircumstances,
}

impl WaitFacts {
    fn of(win: &WaitedWin<'_>, situation: &WinSituation, unseen: &Counts) -> Self {
        let &WaitedWin {
            hand,
            kind,
            melds,
            furiten,
            circumstances,
        } = win;
        let by = |by| Win::of(hand, melds, kind, by);
        // A pon of another seat takes three of a kind.
        let in_melds = melds
            .iter()
            .flat_map(Meld::tiles)
            .any(|tile| tile.kind() == kind);
        let in_no_pon = circumstances.kong && (hand.counts()[kind] > 1 || in_melds);
        let no_win = |why: &str| WinFacts::NoWin(why.to_owned());
        let ron = |win: &Win<'_>| match (furiten, in_no_pon) {
            (true, _) => no_win("furiten"),
            (false, true) => no_win("no pon to add it to"),
            (false, false) => WinFacts::of(situation, win),
        };
        let closed = !melds.iter().any(|meld: &Meld| meld.kind().opens_hand());
        let riichi = Win {
            riichi: Some(Declared::default()),
            ..by(circumstances.others_tile())
        };
        let may_replace = may_replace(melds, situation.rules.players);
        Self {
            tile: written([kind.tile()]),
            unseen: unseen[kind],
            ron: ron(&by(circumstances.others_tile())),
            tsumo: match circumstances.kong && !may_replace {
                true => no_win("no kan to draw after"),
                false => WinFacts::of(situation, &by(circumstances.own_draw())),
            },
            riichi_ron: closed.then(|| ron(&riichi)),
        }
    }
}

/// Whether a seat with these melds may have drawn in place of a tile: after a kan, or with three
/// players after a North.
pub fn may_replace(melds: &[Meld], players: u8) -> bool {
    players == 3 || melds.iter().any(|meld| meld.tiles().len() == 4)
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
            yaku: score
                .yaku_with_han()
                .map(|(yaku, han)| (yaku.name().to_owned(), han))
                .collect(),
            dora: score.dora.dora,
            red_fives: score.dora.red,
            han: score.han,
            fu: score.fu,
            limit: score.limit.map(|limit| limit.to_string()),
            points: score.gain(),
            paid: score.payment(),
        }
    }
}

fn written(tiles: impl IntoIterator<Item = Tile>) -> String {
    tiles.into_iter().collect::<Tiles>().to_string()
}

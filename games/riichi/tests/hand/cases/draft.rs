//! The kinds of a hand that has a wanted yaku, before they become tiles.

use riichi::shape::Set;
use riichi::yaku::{Declared, WinBy, Yaku};
use riichi::{Kind, MeldKind, Seat, Wind};

use super::At;
use crate::random::SplitMix64;
use crate::text::kinds;

/// A hand by kinds.
pub(super) struct Draft {
    pub(super) closed: Vec<Kind>,
    pub(super) melds: Vec<(MeldKind, Vec<Kind>)>,
    pub(super) winning: Kind,
    pub(super) by: WinBy,
    pub(super) riichi: Option<Declared>,
}

const ORPHANS: &str = "19m19p19s1234567z";
const ENDS: &str = "19m19p19s";

impl Draft {
    /// `None` where chance did not bring the yaku about.
    pub(super) fn new(
        random: &mut SplitMix64,
        aim: Option<Yaku>,
        at: At,
        players: u8,
    ) -> Option<Self> {
        let (closed, melds) = match aim {
            Some(Yaku::Kokushi | Yaku::KokushiThirteen) => {
                (with_double(random, &kinds(ORPHANS)), Vec::new())
            }
            Some(Yaku::Chuuren | Yaku::ChuurenNine) => (nine_gates(random), Vec::new()),
            Some(Yaku::Chiitoitsu) => (seven_pairs(random, players), Vec::new()),
            Some(Yaku::Tsuuiisou) if random.below(4) == 0 => (kinds("11223344556677z"), Vec::new()),
            _ => standard(random, aim, at),
        };
        let closed_hand = melds.iter().all(|(kind, _)| !kind.opens_hand());
        let by = win_by(random, aim, melds.is_empty());
        let riichi = match aim {
            Some(Yaku::Riichi) => Some(Declared {
                double: false,
                ippatsu: random.below(4) == 0,
            }),
            Some(Yaku::DoubleRiichi) => Some(Declared {
                double: true,
                ippatsu: random.below(4) == 0,
            }),
            Some(Yaku::Ippatsu) => Some(Declared {
                double: random.below(4) == 0,
                ippatsu: true,
            }),
            _ => (random.below(4) == 0).then(|| Declared {
                double: random.below(8) == 0,
                ippatsu: random.below(8) == 0,
            }),
        };
        let riichi = riichi.filter(|_| closed_hand && by != WinBy::FirstDraw);
        let winning = winning(random, aim, &closed)?;
        Some(Self {
            closed,
            melds,
            winning,
            by,
            riichi,
        })
    }
}

fn pick<T: Copy>(random: &mut SplitMix64, from: &[T]) -> T {
    from[random.below(from.len())]
}

fn win_by(random: &mut SplitMix64, aim: Option<Yaku>, unmelded: bool) -> WinBy {
    match aim {
        Some(Yaku::Tenhou | Yaku::Chiihou) => WinBy::FirstDraw,
        Some(Yaku::Haitei) => WinBy::LastDraw,
        Some(Yaku::Houtei) => WinBy::LastDiscard,
        Some(Yaku::Rinshan) => WinBy::Replacement,
        Some(Yaku::Chankan) => WinBy::Kan,
        Some(Yaku::MenzenTsumo | Yaku::Suuankou) => WinBy::Draw,
        _ => match random.below(60) {
            0 => WinBy::LastDraw,
            1 => WinBy::Replacement,
            2 => WinBy::LastDiscard,
            3 => WinBy::Kan,
            4 if unmelded => WinBy::FirstDraw,
            5..20 => WinBy::Draw,
            _ => WinBy::Discard,
        },
    }
}

fn winning(random: &mut SplitMix64, aim: Option<Yaku>, closed: &[Kind]) -> Option<Kind> {
    let held = |kind: Kind| closed.iter().filter(|&&other| other == kind).count();
    let over = |kind: Kind| {
        held(kind)
            == if matches!(kind.number(), Some(1 | 9)) {
                4
            } else {
                2
            }
    };
    let fits = |&kind: &Kind| match aim {
        Some(Yaku::KokushiThirteen) => held(kind) == 2,
        Some(Yaku::Kokushi) => held(kind) == 1,
        Some(Yaku::ChuurenNine) => over(kind),
        Some(Yaku::Chuuren) => !over(kind),
        Some(Yaku::SuuankouTanki) => held(kind) == 2,
        Some(Yaku::Suuankou) => held(kind) == 3,
        _ => true,
    };
    let fitting: Vec<Kind> = closed.iter().copied().filter(fits).collect();
    (!fitting.is_empty()).then(|| pick(random, &fitting))
}

fn with_double(random: &mut SplitMix64, kinds: &[Kind]) -> Vec<Kind> {
    let double = pick(random, kinds);
    kinds.iter().copied().chain([double]).collect()
}

fn nine_gates(random: &mut SplitMix64) -> Vec<Kind> {
    let suit = pick(random, &["m", "p", "s"]);
    with_double(random, &kinds(&format!("1112345678999{suit}")))
}

fn seven_pairs(random: &mut SplitMix64, players: u8) -> Vec<Kind> {
    let from = if players == 3 {
        8
    } else {
        pick(random, &[0, 0, 0, 18])
    };
    let mut pairs: Vec<Kind> = Vec::new();
    while pairs.len() < 7 {
        let kind = random.kind(from, 34);
        if !pairs.contains(&kind) {
            pairs.push(kind);
        }
    }
    pairs.iter().flat_map(|&kind| [kind; 2]).collect()
}

fn run(suit: usize, first: usize) -> Set {
    Set::Run(Kind::new((9 * suit + first - 1) as u8).expect("a kind"))
}

fn triplet_of(random: &mut SplitMix64, pool: &[Kind]) -> Set {
    Set::Triplet(pick(random, pool))
}

fn any_run(random: &mut SplitMix64) -> Set {
    run(random.below(3), 1 + random.below(7))
}

fn any_set(random: &mut SplitMix64) -> Set {
    if random.below(3) == 0 {
        Set::Triplet(random.kind(0, 34))
    } else {
        any_run(random)
    }
}

fn four(mut set: impl FnMut() -> Set) -> [Set; 4] {
    [(); 4].map(|()| set())
}

fn tiles(set: Set) -> Vec<Kind> {
    let first = set.first();
    match set {
        Set::Triplet(_) => vec![first; 3],
        Set::Run(_) => (0..3).filter_map(|steps| first.offset(steps)).collect(),
    }
}

/// Four sets and a pair with the yaku, as far as it depends on sets.
fn sets(random: &mut SplitMix64, aim: Option<Yaku>, at: At) -> ([Set; 4], Kind) {
    let all: Vec<Kind> = Kind::all().collect();
    let any = four(|| any_set(random));
    let pair = random.kind(0, 34);
    let (suit, first) = (random.below(3), 1 + random.below(7));
    let name = |text: &str| kinds(text);
    let Some(aim) = aim else { return (any, pair) };
    let value = match aim {
        Yaku::Haku => name("5z"),
        Yaku::Hatsu => name("6z"),
        Yaku::Chun => name("7z"),
        Yaku::SeatWind => vec![seat_wind(at)],
        Yaku::RoundWind => vec![at.bakaze.kind()],
        _ => Vec::new(),
    };
    if let [value] = value[..] {
        return ([Set::Triplet(value), any[1], any[2], any[3]], pair);
    }
    match aim {
        Yaku::Pinfu => (four(|| any_run(random)), pair),
        Yaku::Tanyao => {
            let simples = name("2345678m2345678p2345678s");
            let set = || {
                if random.below(3) == 0 {
                    triplet_of(random, &simples)
                } else {
                    run(random.below(3), 2 + random.below(5))
                }
            };
            (four(set), pick(random, &simples))
        }
        Yaku::Iipeikou => ([run(suit, first), run(suit, first), any[2], any[3]], pair),
        Yaku::Ryanpeikou => {
            let other = any_run(random);
            ([run(suit, first), run(suit, first), other, other], pair)
        }
        Yaku::SanshokuDoujun => ([run(0, first), run(1, first), run(2, first), any[3]], pair),
        Yaku::SanshokuDoukou => {
            let first = 1 + random.below(9);
            let triplet = |suit: usize| {
                Set::Triplet(Kind::new((9 * suit + first - 1) as u8).expect("a kind"))
            };
            ([triplet(0), triplet(1), triplet(2), any[3]], pair)
        }
        Yaku::Ittsuu => ([run(suit, 1), run(suit, 4), run(suit, 7), any[3]], pair),
        Yaku::Chanta | Yaku::Junchan => {
            let ends = name(if aim == Yaku::Chanta { ORPHANS } else { ENDS });
            let mut set = || {
                if random.below(3) == 0 {
                    triplet_of(random, &ends)
                } else {
                    run(random.below(3), [1, 7][random.below(2)])
                }
            };
            let sets = [run(suit, pick_end(first)), set(), set(), set()];
            (sets, pick(random, &ends))
        }
        Yaku::Toitoi
        | Yaku::Sanankou
        | Yaku::Suuankou
        | Yaku::SuuankouTanki
        | Yaku::Sankantsu
        | Yaku::Suukantsu => {
            let mut sets = four(|| triplet_of(random, &all));
            if matches!(aim, Yaku::Sanankou | Yaku::Sankantsu) && random.below(2) == 0 {
                sets[3] = any_run(random);
            }
            (sets, pair)
        }
        Yaku::Honroutou => (
            four(|| triplet_of(random, &name(ORPHANS))),
            pick(random, &name(ORPHANS)),
        ),
        Yaku::Chinroutou => (
            four(|| triplet_of(random, &name(ENDS))),
            pick(random, &name(ENDS)),
        ),
        Yaku::Tsuuiisou => (
            four(|| triplet_of(random, &name("1234567z"))),
            pick(random, &name("1234567z")),
        ),
        Yaku::Ryuuiisou => {
            let set = || {
                if random.below(3) == 0 {
                    run(2, 2)
                } else {
                    triplet_of(random, &name("23468s6z"))
                }
            };
            (four(set), pick(random, &name("23468s6z")))
        }
        Yaku::Honitsu | Yaku::Chinitsu => {
            let honours = if aim == Yaku::Honitsu { 7 } else { 0 };
            let of_suit: Vec<Kind> = (9 * suit..9 * suit + 9)
                .chain(27..27 + honours)
                .filter_map(|index| Kind::new(index as u8))
                .collect();
            let set = || {
                if random.below(2) == 0 {
                    triplet_of(random, &of_suit)
                } else {
                    run(suit, 1 + random.below(7))
                }
            };
            (four(set), pick(random, &of_suit))
        }
        Yaku::Shousangen | Yaku::Daisangen => {
            let mut dragons = name("567z");
            dragons.rotate_left(random.below(3));
            let [a, b, c] = [0, 1, 2].map(|index| Set::Triplet(dragons[index]));
            if aim == Yaku::Daisangen {
                ([a, b, c, any[3]], pair)
            } else {
                ([a, b, any[2], any[3]], dragons[2])
            }
        }
        Yaku::Shousuushii | Yaku::Daisuushii => {
            let mut winds = name("1234z");
            winds.rotate_left(random.below(4));
            let [a, b, c, d] = [0, 1, 2, 3].map(|index| Set::Triplet(winds[index]));
            if aim == Yaku::Daisuushii {
                ([a, b, c, d], pair)
            } else {
                ([a, b, c, any[3]], winds[3])
            }
        }
        _ => (any, pair),
    }
}

fn pick_end(first: usize) -> usize {
    if first > 4 { 7 } else { 1 }
}

fn seat_wind(At { seat, oya, .. }: At) -> Kind {
    // A seat that three players lack never deals, so the winds of four places fit both tables.
    let turns = (4 + seat.index() - oya.index()) % 4;
    Seat::new(turns as u8)
        .map(|place| Wind::of_seat(place, Seat::FIRST, 4).kind())
        .expect("four winds")
}

/// Sets and a pair, some of the sets melded.
fn standard(
    random: &mut SplitMix64,
    aim: Option<Yaku>,
    at: At,
) -> (Vec<Kind>, Vec<(MeldKind, Vec<Kind>)>) {
    let (sets, pair) = sets(random, aim, at);
    let closed_only = aim.is_some_and(|aim| aim.han(false) == 0);
    // How many of four sets are melded, and how.
    let chance = if closed_only {
        0
    } else {
        [0, 0, 1, 2, 4][random.below(5)]
    };
    let liability = matches!(aim, Some(Yaku::Daisangen | Yaku::Daisuushii)) && random.below(2) == 0;
    let mut closed = vec![pair; 2];
    let mut melds = Vec::new();
    for (index, set) in sets.into_iter().enumerate() {
        let is_kan = match aim {
            Some(Yaku::Suukantsu) => true,
            Some(Yaku::Sankantsu) => index < 3,
            _ => {
                random.below(12) == 0
                    && !matches!(aim, Some(Yaku::Pinfu | Yaku::Tenhou | Yaku::Chiihou))
            }
        };
        let keep_concealed = matches!(aim, Some(Yaku::Sanankou)) && index < 3;
        let called =
            !keep_concealed && random.below(4) < chance || liability && set.first().is_honour();
        let kinds = tiles(set);
        match (set, is_kan, called) {
            (Set::Run(_), _, true) => melds.push((MeldKind::Chi, kinds)),
            (Set::Triplet(_), false, true) => melds.push((MeldKind::Pon, kinds)),
            (Set::Triplet(kind), true, true) => {
                melds.push((
                    pick(random, &[MeldKind::Daiminkan, MeldKind::Kakan]),
                    vec![kind; 4],
                ));
            }
            (Set::Triplet(kind), true, false) => melds.push((MeldKind::Ankan, vec![kind; 4])),
            _ => closed.extend(kinds),
        }
    }
    let shift = random.below(melds.len().max(1));
    melds.rotate_left(shift);
    (closed, melds)
}

//! Whether a win has a yaku, against `riichienv-core` on generated wins that show every yaku.
//!
//! There are no differences. (The engine always grants open tanyao, so that is what is compared.)

use std::collections::BTreeSet;

use mahjong::seat::Wind;
use mahjong::shape::{Set, is_complete};
use mahjong::yaku::{WinContext, has_yaku};
use mahjong::{Counts, Kind, Meld, MeldKind};
use riichienv_core::hand_evaluator::HandEvaluator;
use riichienv_core::types::{Conditions, Meld as PeerMeld, MeldType, WinResult, Wind as PeerWind};

use crate::checks;
use crate::random::Random;
use crate::text::{kinds, meld_of};

/// A complete hand and how it is won.
struct Win {
    closed: Counts,
    melds: Vec<Meld>,
    winning: Kind,
    context: WinContext,
}

fn random_win(random: &mut Random) -> Win {
    let (closed, melds) = match random.below(30) {
        0 => (seven_pairs(random), Vec::new()),
        1 => (with_double(random, "19m19p19s1234567z"), Vec::new()),
        2 => (with_double(random, "1112345678999p"), Vec::new()),
        _ => loop {
            if let Some(hand) = standard(random) {
                break hand;
            }
        },
    };
    let winning = random.take(&mut closed.clone());
    let context = random_context(random, &melds);
    Win { closed, melds, winning, context }
}

fn with_double(random: &mut Random, text: &str) -> Counts {
    let kinds = kinds(text);
    let mut counts: Counts = kinds.iter().copied().collect();
    loop {
        let double = kinds[random.below(kinds.len())];
        if counts[double] < 4 {
            counts[double] += 1;
            return counts;
        }
    }
}

fn seven_pairs(random: &mut Random) -> Counts {
    let from = [0, 0, 27][random.below(3)];
    let mut counts = Counts::EMPTY;
    while counts.total() < 14 {
        counts[random.kind(from, 34)] = 2;
    }
    counts
}

/// Sets and a pair of a random style, some of the sets melded; `None` when a kind would be there five times.
fn standard(random: &mut Random) -> Option<(Counts, Vec<Meld>)> {
    let (mut sets, pair) = styled_sets(random);
    if random.below(4) == 0 {
        // Many styles are now missed by one set.
        sets[random.below(4)] = any_set(random);
    }
    let melded = [0, 0, 0, 1, 2, 3, 4][random.below(7)];
    let kans_only = random.below(20) == 0;
    let mut closed = Counts::EMPTY;
    closed[pair] += 2;
    let mut melds = Vec::new();
    for (index, set) in sets.into_iter().enumerate() {
        let tiles = tiles(set);
        if index >= melded && !kans_only {
            tiles.into_iter().for_each(|kind| closed[kind] += 1);
        } else if let Set::Triplet(kind) = set {
            let how = [MeldKind::Pon, MeldKind::Ankan, MeldKind::Daiminkan, MeldKind::Kakan];
            let how = if kans_only { how[1 + random.below(3)] } else { how[random.below(4)] };
            melds.push(meld_of(how, &[kind; 4][..if how.is_kan() { 4 } else { 3 }]));
        } else {
            melds.push(meld_of(MeldKind::Chi, &tiles));
        }
    }
    let mut all = closed;
    melds.iter().for_each(|meld| meld.count_into(&mut all));
    all.0.iter().all(|&count| count <= 4).then_some((closed, melds))
}

fn tiles(set: Set) -> [Kind; 3] {
    let first = set.first();
    match set {
        Set::Triplet(_) => [first; 3],
        Set::Run(_) => [0, 1, 2].map(|steps| first.offset(steps).expect("a run does not leave its suit")),
    }
}

fn run(suit: usize, first: usize) -> Set {
    Set::Run(Kind::new((9 * suit + first - 1) as u8).expect("a kind"))
}

fn triplet_of(random: &mut Random, pool: &[Kind]) -> Set {
    Set::Triplet(pool[random.below(pool.len())])
}

fn any_set(random: &mut Random) -> Set {
    if random.below(3) == 0 { Set::Triplet(random.kind(0, 34)) } else { run(random.below(3), 1 + random.below(7)) }
}

fn styled_sets(random: &mut Random) -> ([Set; 4], Kind) {
    let pool = |text| kinds(text);
    let any = [(); 4].map(|()| any_set(random));
    let pair = random.kind(0, 34);
    let (suit, first) = (random.below(3), 1 + random.below(7));
    match random.below(12) {
        0 => (any, pair),
        // Simples.
        1 => {
            let simples = pool("2345678m2345678p2345678s");
            let set = |random: &mut Random| match random.below(3) {
                0 => triplet_of(random, &simples),
                _ => run(random.below(3), 2 + random.below(5)),
            };
            ([(); 4].map(|()| set(random)), simples[random.below(simples.len())])
        }
        // One suit, with honours or without.
        2 => {
            let honours = random.below(2) * 7;
            let of_suit: Vec<Kind> =
                (9 * suit..9 * suit + 9).chain(27..27 + honours).filter_map(|index| Kind::new(index as u8)).collect();
            let set = |random: &mut Random| match random.below(2) {
                0 => triplet_of(random, &of_suit),
                _ => run(suit, 1 + random.below(7)),
            };
            ([(); 4].map(|()| set(random)), of_suit[random.below(of_suit.len())])
        }
        // Outside, with honours or without.
        3 => {
            let ends = pool(["19m19p19s", "19m19p19s1234567z"][random.below(2)]);
            let set = |random: &mut Random| match random.below(3) {
                0 => triplet_of(random, &ends),
                _ => run(random.below(3), [1, 7][random.below(2)]),
            };
            ([(); 4].map(|()| set(random)), ends[random.below(ends.len())])
        }
        // Triplets.
        4 => {
            let all: Vec<Kind> = Kind::all().collect();
            ([(); 4].map(|()| triplet_of(random, &all)), pair)
        }
        // Runs.
        5 => ([(); 4].map(|()| run(random.below(3), 1 + random.below(7))), pair),
        // The same in three suits.
        6 => ([run(0, first), run(1, first), run(2, first), any[3]], pair),
        7 => ([0, 1, 2, 3].map(|suit| if suit < 3 { Set::Triplet(run(suit, first).first()) } else { any[3] }), pair),
        // Straight.
        8 => ([run(suit, 1), run(suit, 4), run(suit, 7), any[3]], pair),
        // Twins.
        9 => ([run(suit, first), run(suit, first), any[2], any[2]], pair),
        // Three of the dragons or winds, and others.
        10 => {
            let pool = pool(["567z", "1234z"][random.below(2)]);
            let more = pool[random.below(pool.len())];
            ([Set::Triplet(pool[0]), Set::Triplet(pool[1]), triplet_of(random, &pool), any[3]], more)
        }
        // All of a rare pool.
        _ => {
            let pool = pool(["1234567z", "19m19p19s", "234688s6z", "1234z5z", "222333444s68s6z"][random.below(5)]);
            ([(); 4].map(|()| triplet_of(random, &pool)), pool[random.below(pool.len())])
        }
    }
}

fn random_context(random: &mut Random, melds: &[Meld]) -> WinContext {
    let closed = melds.iter().all(|meld| !meld.kind().opens_hand());
    let tsumo = random.below(if closed { 6 } else { 2 }) == 0;
    let mut seldom = || random.below(40) == 0;
    let (riichi, first_turn, last_tile, rinshan, chankan) = (seldom(), seldom(), seldom(), seldom(), seldom());
    WinContext {
        tsumo,
        riichi: riichi && closed,
        first_turn: first_turn && tsumo && melds.is_empty(),
        last_tile,
        rinshan: rinshan && tsumo,
        chankan: chankan && !tsumo,
        seat_wind: Wind::ALL[random.below(4)],
        round_wind: Wind::ALL[random.below(2)],
        open_tanyao: true,
    }
}

fn peer_wind(wind: Wind) -> PeerWind {
    match wind {
        Wind::East => PeerWind::East,
        Wind::South => PeerWind::South,
        Wind::West => PeerWind::West,
        Wind::North => PeerWind::North,
    }
}

/// The engine wants the 13 tiles before the win, and physical tiles: four to a kind, melds counted from the lowest.
fn peer_result(win: &Win) -> WinResult {
    let mut used = Counts::EMPTY;
    let mut tile = |kind: Kind| {
        used[kind] += 1;
        4 * kind.index() as u8 + used[kind] - 1
    };
    let melds = win
        .melds
        .iter()
        .map(|meld| {
            let meld_type = match meld.kind() {
                MeldKind::Chi => MeldType::Chi,
                MeldKind::Pon => MeldType::Pon,
                MeldKind::Daiminkan => MeldType::Daiminkan,
                MeldKind::Ankan => MeldType::Ankan,
                MeldKind::Kakan => MeldType::Kakan,
            };
            let tiles: Vec<u8> = meld.tiles().iter().map(|meld_tile| tile(meld_tile.kind())).collect();
            PeerMeld::new(meld_type, tiles, meld.kind().opens_hand(), 3, None)
        })
        .collect();
    let mut before = win.closed;
    before[win.winning] -= 1;
    let closed =
        Kind::all().flat_map(|kind| std::iter::repeat_n(kind, usize::from(before[kind]))).map(&mut tile).collect();
    let WinContext { tsumo, riichi, first_turn, last_tile, rinshan, chankan, seat_wind, round_wind, .. } = win.context;
    let conditions = Conditions {
        tsumo,
        riichi,
        haitei: last_tile && tsumo,
        houtei: last_tile && !tsumo,
        rinshan,
        chankan,
        tsumo_first_turn: first_turn,
        player_wind: peer_wind(seat_wind),
        round_wind: peer_wind(round_wind),
        ..Conditions::default()
    };
    HandEvaluator::new(closed, melds).calc(tile(win.winning), Vec::new(), Vec::new(), Some(conditions))
}

#[test]
fn wins_have_a_yaku_exactly_when_the_engine_sees_one() {
    let mut random = Random::new(20);
    let (mut with, mut without, mut seen) = (0, 0, BTreeSet::new());
    for _ in 0..checks() {
        let win = random_win(&mut random);
        let Win { closed, melds, winning, context } = &win;
        let description = format!("{closed:?} {melds:?} {winning} {context:?}");
        assert!(is_complete(closed, melds.len() as u8), "{description}");
        let peer = peer_result(&win);
        assert!(peer.has_win_shape, "{description}");
        assert_eq!(has_yaku(closed, melds, *winning, context), peer.is_win, "{description}: {:?}", peer.yaku);
        *if peer.is_win { &mut with } else { &mut without } += 1;
        seen.extend(peer.yaku);
    }
    assert!(with > checks() / 5 && without > checks() / 10, "{with} with a yaku, {without} without");
    // The engine's numbers of all yaku but double riichi (18) and ippatsu (30). Dora are 31 to 34, and there is no 46.
    let expected: BTreeSet<u32> = (1..=29).chain(35..=45).chain(47..=50).filter(|&id| id != 18).collect();
    seen.retain(|id| !(31..=34).contains(id));
    assert_eq!(seen, expected, "every yaku comes up");
}

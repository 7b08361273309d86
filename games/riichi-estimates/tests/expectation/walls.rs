//! Positions of recorded games: the hand plays as the figures assume, on whole walls in a random
//! order, by the real rules.

use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use protocol::{Parsed, parse_event};
use riichi::rng::Rng;
use riichi::score::{Dora, Win};
use riichi::shanten::shanten;
use riichi::waits::waits;
use riichi::yaku::{Declared, WinBy};
use riichi::{Called, ConcealedHand, Hand, Kind, Meld, MeldKind, Rules, Seat, Table, Tile};
use riichi_estimates::expectation::{Aim, Detours, Expectation, MAX_DRAWS, Stand, StartState};

/// Walls for each position.
const WALLS: u32 = 2000;

/// Number of positions.
fn positions() -> usize {
    match std::env::var("EXPECTATION_POSITIONS") {
        Ok(number) => number.parse().expect("EXPECTATION_POSITIONS is a number"),
        Err(_) => 12,
    }
}

/// A seat's own turns in the records, up to two steps from tenpai and without its own riichi.
fn own_turns() -> Vec<Table> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../riichi/tests/records");
    let mut found = Vec::new();
    for name in [
        "riichienv-majiang-00003",
        "riichienv-majiang-00006",
        "riichienv-majiang-00007",
    ] {
        let file =
            std::fs::File::open(folder.join(name).with_extension("jsonl.gz")).expect("a record");
        let mut text = String::new();
        GzDecoder::new(file)
            .read_to_string(&mut text)
            .expect("gzip");
        let mut tables: Vec<Table> = Seat::all(4)
            .map(|seat| Table::new(Rules::TENHOU_HALF, seat))
            .collect();
        for line in text.lines() {
            let Ok(Parsed::Event(event)) = parse_event(line) else {
                panic!("{line}")
            };
            for table in &mut tables {
                table.apply(&event).expect("a record");
                let near = table
                    .concealed()
                    .is_some_and(|hand| hand.is_full() && (0..=2).contains(&shanten(&hand)));
                if table.drawn().is_some() && near && table.player(table.seat()).riichi.is_none() {
                    found.push(table.clone());
                }
            }
        }
    }
    found
}

fn concealed(hand: &Hand, melds: &[Meld]) -> ConcealedHand {
    ConcealedHand::new(*hand.counts(), melds.len(), 4).expect("a hand")
}

/// One wall in this order: whether the hand wins, and its points.
fn play(outset: &StartState<'_>, expectation: &Expectation, order: &[Tile]) -> (bool, f64) {
    let first = expectation.discards()[0];
    let mut melds = outset.melds.to_vec();
    let mut hand = outset.hand.without(&[first.tile]).expect("it is held");
    let mut river: Vec<Kind> = outset.thrown.iter().chain([first.tile.kind()]).collect();
    let mut stand = first.stand;
    let mut declared = (stand == Stand::Riichi).then_some(Declared {
        double: false,
        ippatsu: true,
    });
    let (mut tiles, markers) = order.split_at(order.len() - usize::from(outset.ura_indicators));
    let mut next = || {
        let (&tile, rest) = tiles.split_first().expect("enough tiles");
        tiles = rest;
        tile
    };
    let ura = Dora::named_by(&outset.situation.rules, markers.iter().copied());
    let gain = |full: &Hand, melds: &[Meld], winning: Tile, by, riichi: Option<Declared>| {
        let win = Win {
            riichi,
            ura: ura.clone(),
            ..Win::of(full, melds, winning.kind(), by)
        };
        let score = outset.situation.score(&win).ok()?;
        Some(f64::from(score.gain()))
    };
    'draws: for left in (0..=outset.draws).rev() {
        let waits = waits(&concealed(&hand, &melds));
        let mut furiten = river.iter().any(|&kind| waits.contains(kind));
        for throw in 0..outset.throws {
            let thrown = next();
            if waits.contains(thrown.kind()) {
                let full = hand.with(thrown).expect("not a fifth tile");
                match gain(&full, &melds, thrown, WinBy::Discard, declared) {
                    Some(points) if !furiten => return (true, points),
                    _ => furiten = true,
                }
            }
            if stand == Stand::Open
                && let Some(call) = expectation.calls(&hand, &melds, thrown, throw, left)
            {
                let pon = call.own[0].kind() == call.own[1].kind();
                assert!(
                    pon || throw + 1 == outset.throws,
                    "a run from another player than the one before"
                );
                let kind = if pon { MeldKind::Pon } else { MeldKind::Chi };
                let called = Some(Called {
                    tile: thrown,
                    from: outset.situation.seat,
                });
                let all = [thrown, call.own[0], call.own[1]];
                melds.push(Meld::new(kind, &all, called, 0).expect("a run or a triplet"));
                hand = hand
                    .without(&call.own)
                    .and_then(|full| full.without(&[call.throws]))
                    .expect("they are held");
                river.push(call.throws.kind());
                stand = expectation
                    .stand(&hand, &melds, left - 1)
                    .expect("a considered hand");
                assert_ne!(stand, Stand::Riichi);
                continue 'draws;
            }
        }
        if left == 0 {
            break;
        }
        let drawn = next();
        let full = hand.with(drawn).expect("not a fifth tile");
        if waits.contains(drawn.kind())
            && let Some(points) = gain(&full, &melds, drawn, WinBy::Draw, declared)
        {
            return (true, points);
        }
        declared = declared.map(|declared| Declared {
            ippatsu: false,
            ..declared
        });
        if stand != Stand::Open {
            river.push(drawn.kind());
            continue;
        }
        let thrown = expectation
            .throws(&hand, &melds, drawn, left - 1)
            .expect("a considered hand");
        hand = full.without(&[thrown]).expect("it is held");
        river.push(thrown.kind());
        stand = expectation
            .stand(&hand, &melds, left - 1)
            .expect("a considered hand");
        if stand == Stand::Riichi {
            declared = Some(Declared {
                double: false,
                ippatsu: true,
            });
        }
    }
    (false, if declared.is_some() { -1000.0 } else { 0.0 })
}

#[test]
fn odds_of_real_positions() {
    let tables = own_turns();
    let wanted = positions();
    assert!(tables.len() >= 1000, "{} positions", tables.len());
    let mut random = Rng::keyed(&[14]);
    let (mut compared, mut beyond) = (0, Vec::new());
    let (mut win_bias, mut point_bias, mut win_mean, mut point_mean) = (0.0, 0.0, 0.0, 0.0);
    for place in 0..wanted {
        let table = &tables[place * tables.len() / wanted];
        let reds = table.rules().reds_by_suit();
        let seen = table.seen_reds();
        let unseen = Hand::from_counts(
            table.unseen(),
            [0, 1, 2].map(|suit| reds[suit] - seen[suit]),
        )
        .expect("tiles");
        let me = table.player(table.seat());
        let situation = table.situation();
        let outset = StartState {
            hand: table.hand(),
            melds: &me.melds,
            unseen: &unseen,
            situation: &situation,
            thrown: me.river.iter().map(|discard| discard.tile.kind()).collect(),
            draws: (table.tiles_left() / 4).min(MAX_DRAWS),
            throws: 3,
            may_riichi: true,
            may_call: place % 4 >= 2,
            ura_indicators: table.dora_markers().len() as u8,
            detours: if place % 2 == 0 {
                Detours::None
            } else {
                Detours::One
            },
            aim: if place % 3 == 0 {
                Aim::Win
            } else {
                Aim::Points
            },
        };
        let expectation = Expectation::of(&outset).expect("a hand that can be followed");
        let mut order: Vec<Tile> = unseen.tiles().collect();
        let (mut wins, mut points, mut squares) = (0.0, 0.0, 0.0);
        for _ in 0..WALLS {
            random.shuffle(&mut order);
            let (won, gained) = play(&outset, &expectation, &order);
            wins += f64::from(won);
            points += gained;
            squares += gained * gained;
        }
        let walls = f64::from(WALLS);
        let (wins, points) = (wins / walls, points / walls);
        let chances = expectation.discards()[0].chances;
        let win_error = (chances.win * (1.0 - chances.win) / walls)
            .sqrt()
            .max(1.0 / walls);
        let point_error = ((squares / walls - points * points) / walls)
            .sqrt()
            .max(1.0);
        compared += 2;
        for (what, told, drawn, error) in [
            ("win", chances.win, wins, win_error),
            ("points", chances.points, points, point_error),
        ] {
            if (told - drawn).abs() > 3.0 * error {
                beyond.push(format!(
                    "{place}: {what} {told:.4}, drawn {drawn:.4} with error {error:.4}: {:?}",
                    outset.hand
                ));
            }
        }
        win_bias += chances.win - wins;
        point_bias += chances.points - points;
        win_mean += wins;
        point_mean += points;
    }
    let each = wanted as f64;
    eprintln!(
        "{wanted} positions, {WALLS} walls each: {} of {compared} figures beyond three standard errors; told less drawn: win \
         {:+.5} of {:.4}, points {:+.2} of {:.1}",
        beyond.len(),
        win_bias / each,
        win_mean / each,
        point_bias / each,
        point_mean / each,
    );
    // One in 370 is beyond by chance, some 5 of 2,000. In 1,000 positions 16 of 2,000 figures were,
    // and the estimated chance to win was 0.0007 too high on average: an effect of using means as
    // known values. Walls alone move that mean by 0.01 a position.
    assert!(beyond.len() * 100 <= compared.max(100), "{beyond:#?}");
    let bias = win_bias / each;
    assert!(bias.abs() < 0.002 + 0.04 / each.sqrt(), "{bias}");
}

//! Observations in a game with known hands, and the resulting figures.

use riichi::event::{HAND_SIZE, Hora, Points, StartKyoku, UraMarkers};
use riichi::{Event, PerSeat, Rules, Seat, Tile, Wind};
use riichi_estimates::belief::Stance;
use riichi_estimates::belief::figures::shanten_column;

use super::check::Check;
use super::samples::Samples;
use crate::observe::{CannotCount, KnownMoment, Observer};

const DEALER: Seat = Seat::FIRST;

fn tile(name: &str) -> Tile {
    name.parse().expect("a tile")
}

fn hand(names: &str) -> [Tile; HAND_SIZE] {
    let tiles: Vec<Tile> = names.split_whitespace().map(tile).collect();
    tiles.try_into().expect("13 tiles")
}

fn start(hands: [Option<&str>; 4]) -> Event {
    Event::StartKyoku(StartKyoku {
        bakaze: Wind::East,
        kyoku: 1,
        honba: 2,
        kyotaku: 0,
        oya: DEALER,
        dora_marker: tile("C"),
        scores: None,
        tehais: PerSeat::from_fn(4, |seat| hands[seat.index()].map(hand)),
    })
}

/// The dealer waits for 1s and 4s and declares riichi with East; South draws 1s and deals in with
/// it.
fn riichi_and_a_deal_in() -> [Event; 8] {
    let south = Seat::new(1).expect("a seat");
    [
        start([
            Some("2m 3m 4m 5m 6m 7m 2p 3p 4p 2s 3s 8s 8s"),
            Some("1s 4s 5s 1p 9p 9s S W N P P F C"),
            Some("1m 1m 1p 1p 5p 5p 7p 7p 9p 9p S S F"),
            Some("1m 1m 5m 5m 8m 8m 7s 7s 9s 9s W W F"),
        ]),
        Event::Tsumo {
            actor: DEALER,
            tile: Some(tile("E")),
        },
        Event::Reach { actor: DEALER },
        Event::Dahai {
            actor: DEALER,
            tile: tile("E"),
            tsumogiri: true,
        },
        Event::ReachAccepted {
            actor: DEALER,
            scores: None,
        },
        Event::Tsumo {
            actor: south,
            tile: Some(tile("9m")),
        },
        Event::Dahai {
            actor: south,
            tile: tile("1s"),
            tsumogiri: false,
        },
        Event::Hora(Hora {
            actor: DEALER,
            target: south,
            deltas: Points::from_slice(&[13_600, -12_600, 0, 0]),
            scores: None,
            ura_markers: UraMarkers::default(),
        }),
    ]
}

fn see(mut show: impl FnMut(KnownMoment<'_>)) -> Observer {
    let mut observer = Observer::new(Rules::TENHOU_HALF);
    for event in &riichi_and_a_deal_in() {
        observer.apply(event, &mut show).expect("it can happen");
    }
    observer
}

#[test]
fn each_discard_is_seen_before_it_is_made_and_a_deal_in_without_its_repeat_counters() {
    let mut seen = Vec::new();
    let observer = see(|moment| match moment {
        KnownMoment::Discard { judging, tables } => {
            assert!(judging.drawn().is_some() && tables.len() == 4);
            seen.push((judging.seat(), None));
        }
        KnownMoment::DealIn {
            judging,
            winner,
            kind,
            points,
        } => seen.push((judging.seat(), Some((winner, kind, points)))),
    });
    let south = Seat::new(1).expect("a seat");
    let deal_in = Some((DEALER, tile("1s").kind(), 12_000));
    assert_eq!(seen, [(DEALER, None), (south, None), (south, deal_in)]);
    assert_eq!(observer.rounds(), 1);
}

#[test]
fn a_hidden_hand_is_refused() {
    let mut observer = Observer::new(Rules::TENHOU_HALF);
    let event = start([
        Some("2m 3m 4m 5m 6m 7m 2p 3p 4p 2s 3s 8s 8s"),
        None,
        None,
        None,
    ]);
    let refused = observer.apply(&event, |_| {});
    assert_eq!(
        refused,
        Err(CannotCount::Hidden(Seat::new(1).expect("a seat")))
    );
}

#[test]
fn hands_in_riichi_teach_what_they_wait_for_and_others_how_far_they_are() {
    // Which discards are taken is drawn; with enough rounds some are.
    let mut samples = Samples::new(1);
    for _ in 0..200 {
        see(|moment| samples.take(moment));
    }
    let riichi = &samples.waits[Stance::Riichi as usize];
    let hits = riichi.iter().filter(|(_, outcome)| *outcome == 1.0).count();
    // South holds 13 kinds, among them 1s and 4s, for which the dealer waits.
    assert!(
        hits > 50 && 13 * hits == 2 * riichi.len(),
        "{hits} of {}",
        riichi.len()
    );
    assert_eq!(samples.loss.len(), 200);
    assert!(samples.loss.iter().all(|(_, thousands)| *thousands == 12.0));
    let [start, ..] = samples.shanten[0];
    assert_eq!(shanten_column(0), 0);
    // Six pairs, as West and North hold, are tenpai; South is not.
    let not_tenpai = samples
        .tenpai
        .iter()
        .filter(|(_, outcome)| *outcome == 0.0)
        .count();
    assert!(not_tenpai > 0 && samples.tenpai.len() > 3 * not_tenpai);
    assert_eq!(start.iter().sum::<u64>(), not_tenpai as u64);
}

#[test]
fn a_check_counts_the_same_decisions_for_both_figures() {
    let mut check = Check::new(riichi_estimates::belief::figures::measured(4).clone(), 1);
    see(|moment| check.take(moment));
    let (danger, belief) = (&check.by_stance[2].danger, &check.by_stance[2].belief);
    let sum = |said: &super::said::Calibration| {
        said.bins()
            .map(|bin| (bin.samples, bin.hits))
            .fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
    };
    // The thirteen kinds that South held, against the dealer; two of them deal in.
    assert_eq!(sum(danger), (13, 2));
    assert_eq!(sum(belief), (13, 2));
    let text = check.to_string();
    assert!(text.contains("points of 1 deal-ins"), "{text}");
}

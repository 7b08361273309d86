//! The 91 examples of the official rules' definitions (pp. 52-93) that are whole hands.

use mcr::{Counting, Fan};

use crate::botzone::{names, recorded};

/// Fan that depend on how the hand was won or on the winds, which the examples leave open.
const OPEN: [Fan; 11] = [
    Fan::FullyConcealedHand,
    Fan::ConcealedHand,
    Fan::MeldedHand,
    Fan::SelfDrawn,
    Fan::EdgeWait,
    Fan::ClosedWait,
    Fan::SingleWait,
    Fan::LastTile,
    Fan::SeatWind,
    Fan::PrevalentWind,
    Fan::PungOfTerminalsOrHonors,
];

/// Examples (page and place) that say less than the rules' own table and definitions: what they
/// leave out a reader adds himself, as other examples of the same fan do.
const SAY_LESS: [&str; 9] = [
    "53.2", "63.2", "73.1", "81.2", "81.3", "83.3", "88.2", "88.3", "89.1",
];
/// Examples that contradict the table: one Dragon Pung for two dragon pungs (p. 60), One Voided
/// Suit with reversible tiles (p. 62; the table, p. 26, leaves it out with Reversible Tiles), Upper
/// Four with Upper Tiles and Lower Four with Lower Tiles (pp. 77 and 78; the examples of Upper and
/// Lower Tiles themselves, 69.1 to 70.2, leave them out).
const CONTRADICT: [&str; 4] = ["60.2", "62.1", "77.3", "78.2"];

/// The counted fan and the fan that the example names, without those that it leaves open; and the
/// example's place.
fn examples(counting: Counting) -> Vec<(String, Vec<String>, Vec<String>)> {
    let open = |name: &str| OPEN.iter().any(|fan| fan.english() == name);
    let mut all = Vec::new();
    for hand in recorded() {
        let Some(book) = &hand.book else { continue };
        let mut named: Vec<String> = Vec::new();
        for name in book {
            let (name, times) = name
                .split_once('*')
                .map_or((name.as_str(), 1), |(name, times)| {
                    (name, times.parse().unwrap())
                });
            named.extend(std::iter::repeat_n(name.to_owned(), times));
        }
        named.retain(|name| !open(name));
        named.sort();
        let counted = names(&hand.count(counting));
        let counted: Vec<String> = counted
            .into_iter()
            .filter(|(name, _)| !open(name))
            .flat_map(|(name, times)| std::iter::repeat_n(name, usize::from(times)))
            .collect();
        let place = hand.source.strip_prefix("book ").unwrap().to_owned();
        all.push((place, counted, named));
    }
    all
}

#[test]
fn the_books_counting_agrees_with_the_books_examples() {
    let examples = examples(Counting::Book);
    assert_eq!(examples.len(), 91);
    for (place, counted, named) in examples {
        if SAY_LESS.contains(&place.as_str()) {
            assert!(
                named.iter().all(|name| counted.contains(name)),
                "{place}: {counted:?}, the example {named:?}"
            );
            assert_ne!(counted, named, "{place} says all: it need not be listed");
        } else if CONTRADICT.contains(&place.as_str()) {
            assert_ne!(counted, named, "{place} agrees: it need not be listed");
        } else {
            assert_eq!(counted, named, "{place}");
        }
    }
}

#[test]
fn upper_and_lower_tiles_leave_out_upper_and_lower_four_in_the_books_own_examples_of_them() {
    for (place, _, named) in examples(Counting::Book) {
        if place.starts_with("69.") {
            assert!(
                !named.iter().any(|name| name.ends_with("Four")),
                "{place}: {named:?}"
            );
        }
    }
}

#[test]
fn a_concealed_and_a_melded_kong_are_five_for_the_judge_and_three_for_the_book() {
    let hand = &recorded()[121];
    assert_eq!(
        names(&hand.count(Counting::Judge)),
        [("Concealed Kong and Melded Kong".to_owned(), 1)]
    );
    assert_eq!(
        names(&hand.count(Counting::Book)),
        [
            ("Concealed Kong".to_owned(), 1),
            ("Melded Kong".to_owned(), 1)
        ]
    );
    assert_eq!(
        (
            hand.count(Counting::Judge).total(),
            hand.count(Counting::Book).total()
        ),
        (5, 3)
    );
}

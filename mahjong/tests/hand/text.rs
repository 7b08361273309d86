//! Hands in the short notation of the examples: `23456s456p55m777z`, with honours `1z..7z` in the order E S W N P F C.

use mahjong::{Called, Counts, Kind, KindSet, Meld, MeldKind, Seat, Tile};

/// The kinds that a text names, each as often as it does.
pub(crate) fn kinds(text: &str) -> Vec<Kind> {
    let mut kinds = Vec::new();
    let mut numbers = Vec::new();
    for symbol in text.chars().filter(|symbol| !symbol.is_whitespace()) {
        match (symbol.to_digit(10), "mpsz".find(symbol)) {
            (Some(number @ 1..=9), _) => numbers.push(number as u8),
            (_, Some(suit)) => {
                let kind = |number: u8| Kind::new(9 * suit as u8 + number - 1).unwrap_or_else(|| panic!("{text}"));
                kinds.extend(numbers.drain(..).map(kind));
            }
            _ => panic!("{text}: what is {symbol}?"),
        }
    }
    assert!(numbers.is_empty(), "{text}: numbers without suit");
    kinds
}

pub(crate) fn counts(text: &str) -> Counts {
    kinds(text).into_iter().collect()
}

pub(crate) fn set(text: &str) -> KindSet {
    kinds(text).into_iter().collect()
}

pub(crate) fn kind(text: &str) -> Kind {
    let [kind] = kinds(text)[..] else { panic!("{text} is not one kind") };
    kind
}

/// A meld of these tiles, called from the seat before where it is called.
pub(crate) fn meld(kind: MeldKind, text: &str) -> Meld {
    meld_of(kind, &kinds(text))
}

pub(crate) fn meld_of(kind: MeldKind, kinds: &[Kind]) -> Meld {
    let tiles: Vec<Tile> = kinds.iter().map(|kind| kind.tile()).collect();
    let from = Seat::new(3).expect("four seats");
    let called = kind.opens_hand().then_some(Called { tile: tiles[0], from });
    Meld::new(kind, &tiles, called, 0).unwrap_or_else(|| panic!("{kinds:?} make no {kind:?}"))
}

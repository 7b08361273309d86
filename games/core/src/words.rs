//! The words of a game's actions, for terminals, reports and pages alike.

use std::fmt::Display;

/// An action in words. Its [`Display`] has the game's short notation; suites of decisions name
/// actions so.
pub trait ActionWords: Display {
    /// What actions are about: tiles or cards.
    type Pieces;

    /// The sorts of actions, by which decisions are counted.
    const SORTS: &'static [&'static str];

    /// The action in words, in which `written` writes pieces.
    fn in_words(&self, written: &dyn Fn(&Self::Pieces) -> String) -> WordedAction<Self::Pieces>;

    /// The name of its kind.
    fn name(&self) -> &'static str {
        self.in_words(&|_| String::new()).name
    }

    /// The place of its sort in [`SORTS`](Self::SORTS).
    ///
    /// # Panics
    ///
    /// If it is not there.
    fn sort(&self) -> usize {
        let WordedAction { sort, .. } = self.in_words(&|_| String::new());
        Self::SORTS
            .iter()
            .position(|known| *known == sort)
            .expect("every sort is listed")
    }
}

/// An action in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordedAction<P> {
    /// The name of its kind.
    pub name: &'static str,
    /// Its sort, one of [`ActionWords::SORTS`].
    pub sort: &'static str,
    /// All of it: `discard 5 of dots`.
    pub words: String,
    /// The pieces that a picture of it shows.
    pub pieces: P,
}

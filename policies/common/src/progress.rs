//! How near a hand is to completion, as the strategies that look at acceptance weigh it.

use std::cmp::Reverse;
use std::fmt;

use policy_sdk::View;
use riichi::KindSet;

/// How near a hand of 13 tiles is to completion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub shanten: i8,
    /// The kinds that lower shanten: in tenpai, the waits.
    pub acceptance: KindSet,
    /// Number of unseen copies of them.
    pub tiles: u32,
}

impl Progress {
    /// A hand with this shanten number that these kinds lower, as far as there are tiles of them.
    pub fn new(view: &View<'_>, shanten: i8, acceptance: KindSet) -> Self {
        let acceptance = acceptance & view.rules().kinds();
        Self {
            shanten,
            acceptance,
            tiles: view.unseen().total_of(acceptance),
        }
    }

    /// Sorts the better first: lower shanten, then more tiles.
    pub const fn order(&self) -> (i8, Reverse<u32>) {
        (self.shanten, Reverse(self.tiles))
    }

    /// The same order as a number, the better higher: tiles, less 1,000 for each step that is left
    /// to tenpai.
    pub fn value(&self) -> f32 {
        self.tiles as f32 - 1_000.0 * f32::from(self.shanten)
    }
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.shanten {
            0 => f.write_str("tenpai")?,
            steps => write!(f, "{steps}-shanten")?,
        }
        write!(
            f,
            ", {} tiles of {} kinds",
            self.tiles,
            self.acceptance.len()
        )
    }
}

//! The wins of a hand that does not change any more: drawing without replacement.

/// The probability of a win, in four parts. A hand that waits for `n` tiles wins by one of them,
/// each as likely.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct WinOdds {
    /// By ron before the next own draw.
    pub(super) first_ron: f64,
    /// By the next own draw.
    pub(super) first_tsumo: f64,
    /// By a ron after it.
    pub(super) ron: f64,
    /// By a draw after it.
    pub(super) tsumo: f64,
}

impl WinOdds {
    /// All of it.
    pub(super) const fn total(&self) -> f64 {
        self.first_ron + self.first_tsumo + self.ron + self.tsumo
    }
}

/// The remaining tiles for a hand that does not change any more.
#[derive(Debug, Clone, Copy)]
pub(super) struct KindPool {
    /// Tiles that it wins with.
    pub(super) waits: u32,
    /// All tiles that may come next.
    pub(super) tiles: u32,
    /// Number of discards before each own draw, if it can win by ron. A furiten hand learns nothing
    /// from discards.
    pub(super) throws: u8,
    /// Own draws left.
    pub(super) draws: u8,
}

impl KindPool {
    /// The chance to win: after each turn, if `each_turn` asks, and in the end.
    pub(super) fn win(self, mut each_turn: impl FnMut(&WinOdds)) -> WinOdds {
        let (waits, mut tiles, mut alive) = (f64::from(self.waits), f64::from(self.tiles), 1.0);
        let mut odds = WinOdds::default();
        // The chance that the next tile is the first of those waited for.
        let mut next = || {
            // On small walls the last tile may be known.
            let chance = if tiles > waits {
                alive * waits / tiles
            } else {
                alive
            };
            let chance = if waits == 0.0 { 0.0 } else { chance };
            alive -= chance;
            tiles -= 1.0;
            chance
        };
        for turn in 0..=self.draws {
            let thrown: f64 = (0..self.throws).map(|_| next()).sum();
            if turn == 0 {
                odds.first_ron += thrown;
            } else {
                odds.ron += thrown;
            }
            each_turn(&odds);
            if turn < self.draws {
                let drawn = next();
                if turn == 0 {
                    odds.first_tsumo += drawn;
                } else {
                    odds.tsumo += drawn;
                }
            }
        }
        odds
    }
}

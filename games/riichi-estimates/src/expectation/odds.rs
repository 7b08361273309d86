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

/// Number of tiles that the next one may be, for a hand with this many draws left of those at the
/// start, when this many tiles were unseen.
pub(super) const fn tiles_left(unseen: u32, draws: u8, left: u8) -> u32 {
    unseen - (draws - left) as u32
}

/// The odds of hands that do not change any more, computed when they are first asked for.
pub(super) struct SettledOdds {
    throws: u8,
    draws: u8,
    unseen: u32,
    /// By the number of waits, and then of draws left, and whether it may win by ron.
    known: Vec<Vec<[Option<WinOdds>; 2]>>,
}

impl SettledOdds {
    /// For hands with this many draws at the start, when this many tiles are unseen, and this many
    /// discards of others between two draws.
    pub(super) const fn new(throws: u8, draws: u8, unseen: u32) -> Self {
        Self {
            throws,
            draws,
            unseen,
            known: Vec::new(),
        }
    }

    /// With this many tiles waited for and draws left; by draws only or by ron as well.
    pub(super) fn of(&mut self, waits: u8, left: u8, by_ron: bool) -> &WinOdds {
        let (waits, draws) = (usize::from(waits), usize::from(self.draws));
        if self.known.len() <= waits {
            self.known.resize(waits + 1, Vec::new());
        }
        let known = &mut self.known[waits];
        if known.is_empty() {
            known.resize(draws + 1, [None; 2]);
        }
        let pool = KindPool {
            waits: waits as u32,
            tiles: tiles_left(self.unseen, self.draws, left),
            throws: if by_ron { self.throws } else { 0 },
            draws: left,
        };
        known[usize::from(left)][usize::from(by_ron)].get_or_insert_with(|| pool.win(|_| ()))
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

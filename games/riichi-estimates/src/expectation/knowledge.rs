//! The information about each kind while a hand waits.

use tiles::{Counts, KINDS, Kind, KindSet};

/// For each kind the probability that a copy of it is a certain tile that may still come, relative
/// to the probability without any information: below 1 when one may have been drawn and discarded
/// at once, above 1 when the others' discards are known to exclude it.
pub(super) type RelativeOdds = [f32; KINDS];

/// The information in a hand, with the number of tiles that it refers to.
pub(super) struct Knowledge<'a> {
    presence: RelativeOdds,
    /// Copies of each kind that are not seen and not in the hand.
    copies: &'a Counts,
    /// Tiles that may come next.
    tiles: f32,
    /// The part of one of them.
    share: f64,
    /// The kinds that are known not to have been discarded.
    sure: KindSet,
    /// The factor on the odds of the other kinds, so that all kinds together have the right number
    /// of tiles.
    others: f32,
}

impl<'a> Knowledge<'a> {
    #[inline(always)]
    pub(super) fn new(presence: RelativeOdds, copies: &'a Counts, tiles: u32) -> Self {
        let mut sure = KindSet::EMPTY;
        // Usually there are none; this checks all kinds at once.
        if presence
            .iter()
            .fold(0, |any, &each| any | u32::from(each > 1.0))
            != 0
        {
            sure = Kind::all()
                .filter(|kind| presence[kind.index()] > 1.0)
                .collect();
        }
        let mut known = Self {
            presence,
            copies,
            tiles: tiles as f32,
            share: 1.0 / f64::from(tiles),
            sure,
            others: 1.0,
        };
        if !sure.is_empty() {
            known.weigh_others();
        }
        known
    }

    /// Computes the factor that the sure kinds leave for the others.
    pub(super) fn weigh_others(&mut self) {
        if self.sure.is_empty() {
            return;
        }
        let (mut as_known, mut if_not) = (0.0, 0.0);
        for kind in self.sure.iter() {
            let copies = f32::from(self.copies[kind]);
            as_known += copies * self.presence[kind.index()];
            if_not += copies;
        }
        let left = self.tiles - if_not;
        self.others = if left > 0.0 {
            ((self.tiles - as_known) / left).clamp(0.0, 1.0)
        } else {
            1.0
        };
    }

    pub(super) const fn presence(&self) -> &RelativeOdds {
        &self.presence
    }

    pub(super) fn copies(&self, kind: Kind) -> u8 {
        self.copies[kind]
    }

    /// The probability that the next tile is a copy of this kind, times the number of tiles.
    fn odds(&self, kind: Kind) -> f32 {
        let each = self.presence[kind.index()];
        if self.sure.contains(kind) {
            each
        } else {
            each * self.others
        }
    }

    /// The probability that the next tile is one of this many copies of this kind.
    pub(super) fn chance(&self, kind: Kind, copies: u8) -> f64 {
        f64::from(copies) * f64::from(self.odds(kind)) * self.share
    }

    /// The probability that the next tile is one of these kinds.
    pub(super) fn chance_of(&self, kinds: KindSet) -> f64 {
        self.expected(kinds) * self.share
    }

    /// The expected number of tiles of these kinds among those that may come.
    pub(super) fn expected(&self, kinds: KindSet) -> f64 {
        kinds.iter().map(|kind| self.expected_of(kind)).sum()
    }

    /// The expected number of tiles of a kind among those that may come.
    pub(super) fn expected_of(&self, kind: Kind) -> f64 {
        f64::from(self.copies[kind]) * f64::from(self.odds(kind))
    }

    /// Copies of each kind that are not seen and not in the hand.
    pub(super) const fn copies_of_all(&self) -> &'a Counts {
        self.copies
    }

    /// The probability that none of these kinds has passed unnoticed.
    pub(super) fn none_gone(&self, kinds: KindSet) -> f64 {
        none_gone(kinds, self.copies, |kind| self.presence[kind.index()])
    }

    /// Records a discard that would not have passed if it had been one of this part of the kind's
    /// copies. The odds before apply to all kinds; then call [`weigh_others`](Self::weigh_others).
    pub(super) fn pass(&mut self, kind: Kind, part: f32) {
        let odds = self.odds(kind);
        let each = &mut self.presence[kind.index()];
        let sure = (odds / (1.0 - (odds / self.tiles).min(0.999))).max(*each);
        *each += part.min(1.0) * (sure - *each);
        if *each > 1.0 {
            self.sure.insert(kind);
        }
    }

    /// Accounts for the possibility that one of these kinds has passed unnoticed, by scaling the
    /// odds of each copy with this factor.
    pub(super) fn doubt(&mut self, kinds: KindSet, factor: f32) {
        for kind in kinds.iter() {
            self.presence[kind.index()] *= factor;
        }
    }

    /// Whether some kind is known not to have been discarded.
    pub(super) fn has_sure_kinds(&self) -> bool {
        !self.sure.is_empty()
    }

    /// The information about each kind when the next tile was none of its copies.
    pub(super) fn of_others(&self) -> RelativeOdds {
        self.presence.map(|each| self.unless_next(each))
    }

    /// The same about one kind.
    pub(super) fn of_other(&self, kind: Kind) -> f32 {
        self.unless_next(self.presence[kind.index()])
    }

    #[inline]
    fn unless_next(&self, each: f32) -> f32 {
        let all = self.tiles;
        if all > each {
            (all - 1.0) * each / (all - each)
        } else {
            0.0
        }
    }
}

/// The probability that none of these kinds, with this many copies and this presence each, has
/// passed unnoticed.
pub(super) fn none_gone(kinds: KindSet, copies: &Counts, presence: impl Fn(Kind) -> f32) -> f64 {
    let none = |kind: Kind| {
        let each = f64::from(presence(kind).min(1.0));
        (0..copies[kind]).map(|_| each).product::<f64>()
    };
    kinds.iter().map(none).product()
}

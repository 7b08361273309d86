//! A choice: the hand that it leaves, and its discard.

use correction::features;
use cs_fan::{FanOutlook, HandWorth, ValuedTarget};
use mcr::{McrAction, McrSeatState};
use tiles::{Kind, KindSet};

use super::opponents::Opponents;

/// The hand that an action leaves, before the discard that belongs to it.
pub(super) struct LeftHand<'h> {
    worth: &'h HandWorth,
    situation: &'h mcr::targets::TargetSituation,
    /// For each target the kinds of which it leaves a tile over.
    spare: Vec<KindSet>,
    /// Held tiles that are nearly safe, by kind.
    safe: KindSet,
}

impl<'h> LeftHand<'h> {
    pub(super) fn new(
        worth: &'h HandWorth,
        outlook: &'h FanOutlook<'_>,
        opponents: &Opponents,
    ) -> Self {
        let held = worth.hand.concealed();
        let spare = worth.targets.iter().map(|of| {
            held.kinds()
                .iter()
                .filter(|&kind| held[kind] > of.target.needed[kind])
                .collect()
        });
        Self {
            worth,
            situation: outlook.situation(),
            spare: spare.collect(),
            safe: held
                .kinds()
                .iter()
                .filter(|&kind| opponents.is_nearly_safe(kind))
                .collect(),
        }
    }

    /// The targets that remain after a discard.
    fn after(&self, thrown: Option<Kind>) -> impl Iterator<Item = &'h ValuedTarget> {
        self.worth
            .targets
            .iter()
            .zip(&self.spare)
            .filter(move |(_, spare)| thrown.is_none_or(|kind| spare.contains(kind)))
            .map(|(target, _)| target)
    }
}

/// The targets of a choice, summed up.
#[derive(Default)]
struct TargetSums {
    nearest: Option<u8>,
    /// Kinds that a nearest target lacks.
    lacking: KindSet,
    near: u32,
    further: u32,
    chances: f32,
    value: f32,
    near_value: f32,
    best: f32,
    fan_value: f32,
    most_fan: u16,
}

impl TargetSums {
    fn of<'t>(targets: impl Iterator<Item = &'t ValuedTarget> + Clone) -> Self {
        let mut sums = Self {
            nearest: targets.clone().map(|of| of.target.lacking).min(),
            ..Self::default()
        };
        for ValuedTarget {
            target,
            chance,
            value,
        } in targets
        {
            if Some(target.lacking) == sums.nearest {
                sums.near += 1;
                sums.near_value += value;
                target.missing.kinds().iter().for_each(|kind| {
                    sums.lacking.insert(kind);
                });
            } else {
                sums.further += 1;
            }
            sums.chances += chance;
            sums.value += value;
            sums.best = sums.best.max(*value);
            sums.fan_value += value * f32::from(target.fan);
            sums.most_fan = sums.most_fan.max(target.fan);
        }
        sums
    }
}

/// The shape of a hand that is left, after its discard.
struct LeftShape {
    pairs: u8,
    lone: u8,
    lone_honours: u8,
    suits: usize,
    /// Tiles that are nearly safe.
    safe: u8,
}

impl LeftShape {
    fn of(left: Option<&LeftHand<'_>>, thrown: Option<Kind>) -> Self {
        let mut held = left.map_or(tiles::Counts::EMPTY, |left| *left.worth.hand.concealed());
        if let Some(kind) = thrown {
            held[kind] = held[kind].saturating_sub(1);
        }
        let (mut pairs, mut lone, mut lone_honours, mut safe) = (0, 0, 0, 0);
        let mut suits = [false; 3];
        for kind in held.kinds().iter() {
            pairs += u8::from(held[kind] >= 2);
            if left.is_some_and(|left| left.safe.contains(kind)) {
                safe += held[kind];
            }
            if kind.is_honour() {
                lone_honours += u8::from(held[kind] == 1);
                continue;
            }
            suits[kind.index() / 9] = true;
            let near = [-2_i8, -1, 1, 2]
                .into_iter()
                .filter_map(|step| kind.offset(step));
            lone += u8::from(held[kind] == 1 && near.clone().all(|near| held[near] == 0));
        }
        for set in left.into_iter().flat_map(|left| left.worth.hand.sets()) {
            if !set.kind().is_honour() {
                suits[set.kind().index() / 9] = true;
            }
        }
        Self {
            pairs,
            lone,
            lone_honours,
            suits: suits.iter().filter(|&&held| held).count(),
            safe,
        }
    }
}

features! {
    /// The features of a choice, in their order. "Left" is the hand of 13 tiles that it leaves, and
    /// its targets are complete hands of eight fan; "thrown" is its discard. Without a discard the
    /// features of the thrown tile are 0.
    pub const CHOICE;

    /// The features of a choice with this value, less that of the best choice, in
    /// [`POINTS_OF_FACTOR`].
    pub(super) fn of_choice(
        value: f32,
        seat: &McrSeatState,
        action: McrAction,
        left: Option<&LeftHand<'_>>,
        opponents: &Opponents,
    ) -> [f32; CHOICE.len()] {
        let thrown = action.discard();
        let sums = match left {
            Some(left) => TargetSums::of(left.after(thrown).collect::<Vec<_>>().into_iter()),
            None => TargetSums::default(),
        };
        let share = |part: f32| {
            if sums.value > 0.0 {
                part / sums.value
            } else {
                0.0
            }
        };
        let lacks = |tiles: u8| sums.nearest == Some(tiles);
        let unseen: u32 = left.map_or(0, |left| left.situation.unseen.total_of(sums.lacking));
        let accepted = |holds: bool, scale: f32| if holds { unseen as f32 / scale } else { 0.0 };
        let kinds = sums.lacking.len() as f32;
        let shape = LeftShape::of(left, thrown);
        let is_claim = matches!(
            action,
            McrAction::ClaimPung { .. } | McrAction::ClaimChow { .. }
        );
        let danger = thrown
            .map(|kind| opponents.danger(kind))
            .unwrap_or_default();
        let thrown_unseen = thrown.map_or(0, |kind| opponents.unseen(kind));
        let number = thrown.and_then(Kind::number);
        let is_honour = thrown.is_some_and(Kind::is_honour);
    }

    around(
        "value",
        "natural logarithm",
        4.0,
        "the value of cs-fan, as a part of that of the best choice",
    ) = value;
    upto(
        "win",
        "chance",
        1.0,
        "a rough chance to win: 1 - exp(-s), where s is the sum of the chances of the targets",
    ) = 1.0 - (-sums.chances).exp();
    upto("worth", "points / 30", 1.0, "that chance of the value of cs-fan: 1 - exp(-v / 30)") =
        1.0 - (-sums.value / 30.0).exp();
    flag("waiting", "whether the nearest target lacks one tile") = lacks(1);
    flag("one-away", "two tiles") = lacks(2);
    flag("two-away", "three tiles") = lacks(3);
    flag("three-away", "four tiles") = lacks(4);
    flag("far", "more tiles, or there is no target") =
        sums.nearest.is_none_or(|nearest| nearest > 4);
    upto("waits", "tiles / 6", 2.0, "waiting: unseen tiles that win") = accepted(lacks(1), 6.0);
    upto("wait-kinds", "kinds / 3", 2.0, "waiting: kinds that win") =
        if lacks(1) { kinds / 3.0 } else { 0.0 };
    upto(
        "tiles-one",
        "tiles / 16",
        3.0,
        "two tiles lacking: unseen tiles that a nearest target lacks",
    ) = accepted(lacks(2), 16.0);
    upto("tiles-two", "tiles / 30", 3.0, "three tiles lacking: the same") =
        accepted(lacks(3), 30.0);
    upto("tiles-far", "tiles / 40", 3.0, "more tiles lacking: the same") =
        accepted(sums.nearest > Some(3), 40.0);
    upto("kinds", "kinds / 10", 3.0, "kinds that a nearest target lacks, unless it waits") =
        if lacks(1) { 0.0 } else { kinds / 10.0 };
    upto("targets", "targets / 20", 4.0, "nearest targets") = sums.near as f32 / 20.0;
    upto("further-targets", "targets / 60", 4.0, "further targets") = sums.further as f32 / 60.0;
    upto("further", "share", 1.0, "the share of the further targets in the value") =
        share(sums.value - sums.near_value);
    upto("best", "share", 1.0, "the share of the best target in the value") = share(sums.best);
    upto("fan", "fan / 24", 3.0, "mean fan of the targets, by value") =
        share(sums.fan_value) / 24.0;
    upto("most-fan", "fan / 48", 2.0, "fan of the dearest target") =
        f32::from(sums.most_fan) / 48.0;
    upto("pairs", "kinds / 4", 2.0, "left: kinds that are held twice or more") =
        f32::from(shape.pairs) / 4.0;
    upto("lone", "tiles / 4", 2.0, "left: single tiles without another within two steps") =
        f32::from(shape.lone) / 4.0;
    upto("lone-honours", "tiles / 4", 2.0, "left: single honours") =
        f32::from(shape.lone_honours) / 4.0;
    upto("suits", "suits / 3", 1.0, "left: suits held, melds included") = shape.suits as f32 / 3.0;
    upto(
        "safe-left",
        "tiles / 4",
        3.0,
        "left: tiles that all opponents have let pass or discarded, or that are the last of their kind",
    ) = f32::from(shape.safe) / 4.0;
    flag("opens", "whether it claims a chow or pung") = is_claim;
    flag("first", "whether it claims the first declared set") =
        is_claim && seat.public(seat.seat()).sets.is_empty();
    flag("chow", "whether it claims a chow") = matches!(action, McrAction::ClaimChow { .. });
    flag("pung", "whether it claims a pung") = matches!(action, McrAction::ClaimPung { .. });
    flag("kong", "whether it is a kong of any sort") = matches!(
        action,
        McrAction::ConcealedKong(_) | McrAction::AddKong(_) | McrAction::ClaimKong
    );
    flag("pass", "whether it lets a discard pass") = action == McrAction::Pass;
    upto(
        "danger",
        "chance / 0.1",
        4.0,
        "thrown: a rough chance to deal in, added up over the opponents",
    ) = danger.sum / 0.1;
    upto("greatest-danger", "chance / 0.1", 3.0, "thrown: the greatest of these") =
        danger.greatest / 0.1;
    upto(
        "passed",
        "opponents / 3",
        1.0,
        "thrown: opponents who have let it pass since their hand changed",
    ) = f32::from(danger.passed) / 3.0;
    upto("own-rivers", "opponents / 3", 1.0, "thrown: opponents with the kind in their river") =
        f32::from(danger.in_rivers) / 3.0;
    upto("live", "tiles / 3", 1.0, "thrown: unseen tiles of its kind") =
        f32::from(thrown_unseen) / 3.0;
    flag("dead", "thrown: whether no tile of its kind is unseen") =
        thrown.is_some() && thrown_unseen == 0;
    flag("honour", "thrown: an honour") = is_honour;
    flag("live-honour", "thrown: an honour of which two or more are unseen") =
        is_honour && thrown_unseen >= 2;
    flag("terminal", "thrown: a 1 or 9") = matches!(number, Some(1 | 9));
    flag("second", "thrown: a 2 or 8") = matches!(number, Some(2 | 8));
    flag("middle", "thrown: a 4, 5 or 6") = matches!(number, Some(4..=6));
    upto(
        "collected",
        "chance",
        3.0,
        "thrown: the threat of opponents whose melds are of its suit, or of any suit if it is an honour",
    ) = danger.collected;
    upto(
        "not-collected",
        "chance",
        3.0,
        "thrown: the threat of opponents whose melds are of another suit",
    ) = danger.not_collected;
    flag(
        "may-be-chowed",
        "thrown: the next player has discarded at most one tile within two steps",
    ) = thrown.is_some_and(|kind| opponents.may_be_chowed(kind));
    flag("left-thrown", "thrown: the left has the kind in its river") =
        thrown.is_some_and(|kind| opponents.left_has_thrown(kind));
}

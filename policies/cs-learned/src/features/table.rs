//! The table, as the deciding seat knows it: the same for all choices of a decision.

use std::sync::LazyLock;

use correction::{features, places};
use mcr::McrSeatState;
use tiles::Wind;

use super::opponents::Opponents;
use super::{CHOICE, is_claim};

/// The situations, each with separate weights.
pub const SITUATIONS: usize = 9;

/// From this rough chance on that an opponent waits, a decision is under threat.
const THREAT: f32 = 0.35;

static OWN_PLACES: LazyLock<[usize; 5]> =
    LazyLock::new(|| places(CHOICE, ["win", "waiting", "one-away", "two-away", "fan"]));

features! {
    /// The features of the table, in their order. "Best" is the choice of `cs-fan`. An opponent is
    /// named by its seat: *right* plays next, *left* plays before.
    pub const TABLE;

    /// The features of the table, given those of the best choice.
    pub(super) fn of_table(
        seat: &McrSeatState,
        best: &[f32],
        opponents: &Opponents,
    ) -> [f32; TABLE.len()] {
        let public = seat.public(seat.seat());
        let [win, waiting, one_away, two_away, fan] = OWN_PLACES.map(|place| best[place]);
        let threat = opponents.greatest_threat();
        let threats: f32 = opponents.all.iter().map(|opponent| opponent.threat).sum();
        let [right, across, left] = &opponents.all;
    }

    upto("turn", "own discards / 20", 1.2, "how far the hand is") =
        public.river.len() as f32 / 20.0;
    upto("wall", "tiles of the own wall / 21", 1.0, "own draws left") =
        f32::from(public.wall) / 21.0;
    flag("east", "whether the own seat is East, which begins") = seat.seat_wind() == Wind::East;
    flag("claim", "whether a tile is offered") = is_claim(seat);
    upto("own-melds", "sets / 4", 1.0, "own declared sets") = public.sets.len() as f32 / 4.0;
    upto("own-win", "chance", 1.0, "a rough chance to win of the best choice") = win;
    flag("own-waiting", "whether the best choice waits") = waiting;
    flag("own-one-away", "whether the best choice lacks two tiles") = one_away;
    flag("own-two-away", "whether the best choice lacks three tiles") = two_away;
    upto("own-fan", "fan / 24", 3.0, "the mean fan of the best choice's targets, by value") = fan;
    upto("threat", "chance", 1.0, "the greatest chance that an opponent waits, roughly") = threat;
    upto("threats", "chance / 3", 1.0, "the sum over the opponents") = threats / 3.0;
    upto("most-melds", "sets / 4", 1.0, "the most declared sets of an opponent") =
        opponents.most_melds() as f32 / 4.0;
    upto("right-threat", "chance", 1.0, "the chance that the right waits, roughly") = right.threat;
    upto("across-threat", "chance", 1.0, "the same of the seat across") = across.threat;
    upto("left-threat", "chance", 1.0, "the same of the left") = left.threat;
    upto("right-melds", "sets / 4", 1.0, "its declared sets") = right.melds as f32 / 4.0;
    upto("across-melds", "sets / 4", 1.0, "the same of the seat across") =
        across.melds as f32 / 4.0;
    upto("left-melds", "sets / 4", 1.0, "the same of the left") = left.melds as f32 / 4.0;
}

/// The situation, given the features of the best choice: 0 to 3 by the tiles that the best choice
/// lacks, without a threat, 4 to 6 the same under threat, 7 and 8 for claims without a threat and
/// with one.
pub(super) fn situation(seat: &McrSeatState, best: &[f32], opponents: &Opponents) -> usize {
    let [_, waiting, one_away, two_away, _] = OWN_PLACES.map(|place| best[place]);
    let threat = opponents.greatest_threat();
    let away = match [waiting, one_away, two_away] {
        [1.0, ..] => 0,
        [_, 1.0, _] => 1,
        [_, _, 1.0] => 2,
        _ => 3,
    };
    match (is_claim(seat), threat >= THREAT) {
        (true, false) => 7,
        (true, true) => 8,
        (false, false) => away,
        (false, true) => 4 + away.min(2),
    }
}

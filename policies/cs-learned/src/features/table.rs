//! The table, as the deciding seat knows it: the same for all choices of a decision.

use std::sync::LazyLock;

use correction::places;
use mcr::McrSeatState;
use tiles::Wind;

use super::opponents::Opponents;
use super::{CHOICE, Feature, FeatureRow, flag, is_claim, upto};

/// The situations, each with separate weights.
pub const SITUATIONS: usize = 9;

/// The features of the table, in their order. "Best" is the choice of `cs-fan`. An opponent is
/// named by its seat: *right* plays next, *left* plays before.
pub const TABLE: &[Feature] = &[
    upto("turn", "own discards / 20", 1.2, "how far the hand is"),
    upto("wall", "tiles of the own wall / 21", 1.0, "own draws left"),
    flag("east", "whether the own seat is East, which begins"),
    flag("claim", "whether a tile is offered"),
    upto("own-melds", "sets / 4", 1.0, "own declared sets"),
    upto(
        "own-win",
        "chance",
        1.0,
        "a rough chance to win of the best choice",
    ),
    flag("own-waiting", "whether the best choice waits"),
    flag("own-one-away", "whether the best choice lacks two tiles"),
    flag("own-two-away", "whether the best choice lacks three tiles"),
    upto(
        "own-fan",
        "fan / 24",
        3.0,
        "the mean fan of the best choice's targets, by value",
    ),
    upto(
        "threat",
        "chance",
        1.0,
        "the greatest chance that an opponent waits, roughly",
    ),
    upto("threats", "chance / 3", 1.0, "the sum over the opponents"),
    upto(
        "most-melds",
        "sets / 4",
        1.0,
        "the most declared sets of an opponent",
    ),
    upto(
        "right-threat",
        "chance",
        1.0,
        "the chance that the right waits, roughly",
    ),
    upto(
        "across-threat",
        "chance",
        1.0,
        "the same of the seat across",
    ),
    upto("left-threat", "chance", 1.0, "the same of the left"),
    upto("right-melds", "sets / 4", 1.0, "its declared sets"),
    upto(
        "across-melds",
        "sets / 4",
        1.0,
        "the same of the seat across",
    ),
    upto("left-melds", "sets / 4", 1.0, "the same of the left"),
];

/// From this rough chance on that an opponent waits, a decision is under threat.
const THREAT: f32 = 0.35;

static OWN_PLACES: LazyLock<[usize; 5]> =
    LazyLock::new(|| places(CHOICE, ["win", "waiting", "one-away", "two-away", "fan"]));

/// Writes the features of the table, given those of the best choice; returns the situation: 0 to 3
/// by the tiles that the best choice lacks, without a threat, 4 to 6 the same under threat, 7 and 8
/// for claims without a threat and with one.
pub(super) fn put(
    values: &mut [f32],
    seat: &McrSeatState,
    best: &[f32],
    opponents: &Opponents,
) -> usize {
    let mut row = FeatureRow::new(TABLE, values);
    let public = seat.public(seat.seat());
    let [win, waiting, one_away, two_away, fan] = OWN_PLACES.map(|place| best[place]);
    let threat = opponents.greatest_threat();
    row.put("turn", public.river.len() as f32 / 20.0);
    row.put("wall", f32::from(public.wall) / 21.0);
    row.flag("east", seat.seat_wind() == Wind::East);
    row.flag("claim", is_claim(seat));
    row.put("own-melds", public.sets.len() as f32 / 4.0);
    row.put("own-win", win);
    row.put("own-waiting", waiting);
    row.put("own-one-away", one_away);
    row.put("own-two-away", two_away);
    row.put("own-fan", fan);
    row.put("threat", threat);
    let threats: f32 = opponents.all.iter().map(|opponent| opponent.threat).sum();
    row.put("threats", threats / 3.0);
    row.put("most-melds", opponents.most_melds() as f32 / 4.0);
    for (name, opponent) in ["right-threat", "across-threat", "left-threat"]
        .into_iter()
        .zip(&opponents.all)
    {
        row.put(name, opponent.threat);
    }
    for (name, opponent) in ["right-melds", "across-melds", "left-melds"]
        .into_iter()
        .zip(&opponents.all)
    {
        row.put(name, opponent.melds as f32 / 4.0);
    }
    row.finish();
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

//! The table, as the deciding seat knows it: the same for all choices of a decision.

use policy_sdk::View;
use riichi::{Action, Kind};

use super::{Feature, FeatureRow, around, flag, upto};
use crate::prospect::Judge;
use crate::standing::rounds_left;

/// The situations, each with separate weights in a linear fit.
pub const SITUATIONS: usize = 9;

/// The features of the table, in their order. An opponent is named by its seat: *right* plays next,
/// *left* plays before; with three players *across* is 0.
pub const TABLE: &[Feature] = &[
    upto(
        "turn",
        "draws of the wall / 18",
        1.2,
        "how far the round is",
    ),
    upto("left", "tiles of the wall / 70", 1.0, "tiles left to draw"),
    flag("dealer", "whether the own seat deals"),
    upto(
        "rounds-left",
        "rounds / 8",
        1.0,
        "regular rounds after this one",
    ),
    flag(
        "last",
        "whether this is the last regular round, or one after it",
    ),
    upto("honba", "honba / 5", 1.0, "repeats"),
    upto("sticks", "sticks / 4", 1.0, "riichi sticks on the table"),
    upto("place", "places above / 3", 1.0, "seats with more points"),
    around(
        "own-score",
        "points / 20,000 above the mean",
        2.0,
        "the own score",
    ),
    upto(
        "above",
        "points / 20,000",
        2.0,
        "distance to the next seat above; 0 in the first place",
    ),
    upto(
        "below",
        "points / 20,000",
        2.0,
        "distance to the next seat below; 0 in the last place",
    ),
    around(
        "win-5200",
        "places",
        1.5,
        "what a win of 5,200 points gains, by the standing",
    ),
    around(
        "loss-5200",
        "places",
        1.5,
        "what a deal-in of 5,200 points to the strongest threat costs, negative",
    ),
    flag("own-riichi", "whether the own seat is in riichi"),
    upto("own-melds", "melds / 4", 1.0, "own melds"),
    flag("own-open", "whether the own hand is open"),
    upto(
        "own-shanten",
        "steps / 4",
        1.5,
        "the lowest shanten number that can be reached",
    ),
    upto(
        "own-dora",
        "tiles / 4",
        2.0,
        "dora and red fives of the own hand and melds",
    ),
    flag("claim", "whether a tile is offered"),
    flag("threatened", "whether a seat threatens, by the judge"),
    upto(
        "blind-risk",
        "places / 0.1",
        2.0,
        "what throwing an unseen tile at random costs",
    ),
    around(
        "lost",
        "places",
        1.0,
        "what the win of another costs on average, negative",
    ),
    upto(
        "right-tenpai",
        "chance",
        1.0,
        "how likely the right is tenpai, by riichi_estimates::danger",
    ),
    flag("right-riichi", "whether it is in riichi"),
    flag("right-dealer", "whether it deals"),
    upto("right-melds", "melds / 4", 1.0, "its melds"),
    around(
        "right-score",
        "points / 20,000 above the own",
        2.0,
        "its score",
    ),
    upto(
        "across-tenpai",
        "chance",
        1.0,
        "the same of the seat across",
    ),
    flag("across-riichi", "the same of the seat across"),
    flag("across-dealer", "the same of the seat across"),
    upto(
        "across-melds",
        "melds / 4",
        1.0,
        "the same of the seat across",
    ),
    around(
        "across-score",
        "points / 20,000 above the own",
        2.0,
        "the same of the seat across",
    ),
    upto("left-tenpai", "chance", 1.0, "the same of the left"),
    flag("left-riichi", "the same of the left"),
    flag("left-dealer", "the same of the left"),
    upto("left-melds", "melds / 4", 1.0, "the same of the left"),
    around(
        "left-score",
        "points / 20,000 above the own",
        2.0,
        "the same of the left",
    ),
];

/// Which of the [`SITUATIONS`] a decision with this lowest shanten number is in: 0 to 3 without a
/// threat by shanten, 4 to 6 threatened by shanten, 7 and 8 for claims without a threat and with
/// one.
pub(super) fn situation(judge: &Judge<'_>, shanten: i8) -> usize {
    match (is_claim(judge.view), judge.threats.a_player_threatens()) {
        (true, false) => 7,
        (true, true) => 8,
        (false, false) => shanten.clamp(0, 3) as usize,
        (false, true) => 4 + shanten.clamp(0, 2) as usize,
    }
}

/// Writes the features of the table of a decision with this lowest shanten number.
pub(super) fn of_table(judge: &Judge<'_>, shanten: i8, values: &mut [f32]) {
    let view = judge.view;
    let mut row = FeatureRow::new(TABLE, values);
    let (players, own) = (view.players(), view.seat());
    let scores = view.scores();
    let mean = scores.iter().map(|(_, &score)| score).sum::<i32>() as f32 / f32::from(players);
    let score = scores[own];
    let drawn = view
        .rules()
        .drawable_tiles()
        .saturating_sub(view.tiles_left());
    row.put("turn", f32::from(drawn) / f32::from(players) / 18.0);
    row.put("left", f32::from(view.tiles_left()) / 70.0);
    row.flag("dealer", view.oya() == own);
    let rounds = rounds_left(view);
    row.put("rounds-left", rounds as f32 / 8.0);
    row.flag("last", rounds == 0);
    row.put("honba", f32::from(view.honba()) / 5.0);
    row.put("sticks", f32::from(view.kyotaku()) / 4.0);
    row.put("place", f32::from(view.placements()[own] - 1) / 3.0);
    row.put("own-score", (score as f32 - mean) / 20_000.0);
    let others = || {
        scores
            .iter()
            .filter(|&(seat, _)| seat != own)
            .map(|(_, &other)| other - score)
    };
    row.put(
        "above",
        others().filter(|&lead| lead >= 0).min().unwrap_or(0) as f32 / 20_000.0,
    );
    row.put(
        "below",
        others()
            .filter(|&lead| lead < 0)
            .max()
            .map_or(0, |lead| -lead) as f32
            / 20_000.0,
    );
    let standing = &judge.standing;
    let seats = || standing.others();
    let win = seats()
        .map(|payer| standing.ron(payer, own, 5_200))
        .sum::<f32>()
        / f32::from(players - 1);
    row.put("win-5200", win);
    row.put(
        "loss-5200",
        seats()
            .map(|winner| standing.ron(own, winner, 5_200))
            .fold(0.0, f32::min),
    );
    let me = view.player(own);
    row.flag("own-riichi", me.riichi().is_some());
    row.put("own-melds", view.melds().len() as f32 / 4.0);
    row.flag("own-open", me.is_open());
    row.put("own-shanten", f32::from(shanten) / 4.0);
    let held = view.hand().tiles().chain(
        view.melds()
            .iter()
            .flat_map(|meld| meld.tiles().iter().copied()),
    );
    row.put(
        "own-dora",
        held.map(|tile| f32::from(view.dora_of(tile))).sum::<f32>() / 4.0,
    );
    row.flag("claim", is_claim(view));
    row.flag("threatened", judge.threats.a_player_threatens());
    row.put("blind-risk", judge.threats.blind_risk / 0.1);
    row.put("lost", judge.threats.lost);
    for (place, names) in OPPONENTS.iter().enumerate() {
        let opponent = threat_at(players, place)
            .and_then(|at| Some((judge.threats.all.get(at)?, view.opponents().nth(at)?)));
        let [tenpai, riichi, dealer, melds, lead] = names;
        let Some((threat, player)) = opponent else {
            names.iter().for_each(|name| row.put(name, 0.0));
            continue;
        };
        row.put(tenpai, threat.danger.tenpai());
        row.flag(riichi, threat.riichi);
        row.flag(dealer, player.seat() == view.oya());
        row.put(melds, player.melds().len() as f32 / 4.0);
        row.put(lead, (scores[player.seat()] - score) as f32 / 20_000.0);
    }
    row.finish();
}

const OPPONENTS: [[&str; 5]; 3] = [
    [
        "right-tenpai",
        "right-riichi",
        "right-dealer",
        "right-melds",
        "right-score",
    ],
    [
        "across-tenpai",
        "across-riichi",
        "across-dealer",
        "across-melds",
        "across-score",
    ],
    [
        "left-tenpai",
        "left-riichi",
        "left-dealer",
        "left-melds",
        "left-score",
    ],
];

/// Which opponent, in turn order, sits right, across and left.
pub(super) const fn threat_at(players: u8, place: usize) -> Option<usize> {
    match (players, place) {
        (3, 1) => None,
        (3, 2) => Some(1),
        _ => Some(place),
    }
}

fn is_claim(view: &View<'_>) -> bool {
    view.legal()
        .iter()
        .any(|action| matches!(action, Action::None))
}

/// The number of kinds that deal in with at most this probability.
pub(super) fn safe_tiles(judge: &Judge<'_>, closed: &riichi::Counts, at_most: f32) -> u32 {
    let safe = |kind: &Kind| judge.threats.deal_in(*kind) <= at_most;
    Kind::all()
        .filter(safe)
        .map(|kind| u32::from(closed[kind]))
        .sum()
}

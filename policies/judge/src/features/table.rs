//! The table, as the deciding seat knows it: the same for all choices of a decision.

use correction::features;
use policy_sdk::View;
use riichi::{Action, Kind};

use crate::prospect::Judge;
use crate::standing::rounds_left;

/// The situations, each with separate weights in a linear fit.
pub const SITUATIONS: usize = 9;

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

features! {
    /// The features of the table, in their order. An opponent is named by its seat: *right* plays
    /// next, *left* plays before; with three players *across* is 0.
    pub const TABLE;

    /// The features of the table of a decision with this lowest shanten number.
    pub(super) fn of_table(judge: &Judge<'_>, shanten: i8) -> [f32; TABLE.len()] {
        let view = judge.view;
        let (players, own) = (view.players(), view.seat());
        let scores = view.scores();
        let mean = scores.iter().map(|(_, &score)| score).sum::<i32>() as f32 / f32::from(players);
        let score = scores[own];
        let drawn = view
            .rules()
            .drawable_tiles()
            .saturating_sub(view.tiles_left());
        let rounds = rounds_left(view);
        let others = || {
            scores
                .iter()
                .filter(|&(seat, _)| seat != own)
                .map(|(_, &other)| other - score)
        };
        let standing = &judge.standing;
        let seats = || standing.others();
        let win = seats()
            .map(|payer| standing.ron(payer, own, 5_200))
            .sum::<f32>()
            / f32::from(players - 1);
        let me = view.player(own);
        let held = view.hand().tiles().chain(
            view.melds()
                .iter()
                .flat_map(|meld| meld.tiles().iter().copied()),
        );
        let [right, across, left] = [0, 1, 2].map(|place| {
            let at = threat_at(players, place)?;
            let (threat, player) = (judge.threats.all.get(at)?, view.opponents().nth(at)?);
            Some(OpponentFeatures {
                tenpai: threat.danger.tenpai(),
                riichi: threat.riichi,
                dealer: player.seat() == view.oya(),
                melds: player.melds().len() as f32 / 4.0,
                score: (scores[player.seat()] - score) as f32 / 20_000.0,
            })
        }).map(Option::unwrap_or_default);
    }

    upto("turn", "draws of the wall / 18", 1.2, "how far the round is") =
        f32::from(drawn) / f32::from(players) / 18.0;
    upto("left", "tiles of the wall / 70", 1.0, "tiles left to draw") =
        f32::from(view.tiles_left()) / 70.0;
    flag("dealer", "whether the own seat deals") = view.oya() == own;
    upto("rounds-left", "rounds / 8", 1.0, "regular rounds after this one") = rounds as f32 / 8.0;
    flag("last", "whether this is the last regular round, or one after it") = rounds == 0;
    upto("honba", "honba / 5", 1.0, "repeats") = f32::from(view.honba()) / 5.0;
    upto("sticks", "sticks / 4", 1.0, "riichi sticks on the table") =
        f32::from(view.kyotaku()) / 4.0;
    upto("place", "places above / 3", 1.0, "seats with more points") =
        f32::from(view.placements()[own] - 1) / 3.0;
    around("own-score", "points / 20,000 above the mean", 2.0, "the own score") =
        (score as f32 - mean) / 20_000.0;
    upto("above", "points / 20,000", 2.0, "distance to the next seat above; 0 in the first place") =
        others().filter(|&lead| lead >= 0).min().unwrap_or(0) as f32 / 20_000.0;
    upto("below", "points / 20,000", 2.0, "distance to the next seat below; 0 in the last place") =
        others()
            .filter(|&lead| lead < 0)
            .max()
            .map_or(0, |lead| -lead) as f32
            / 20_000.0;
    around("win-5200", "places", 1.5, "what a win of 5,200 points gains, by the standing") = win;
    around(
        "loss-5200",
        "places",
        1.5,
        "what a deal-in of 5,200 points to the strongest threat costs, negative",
    ) = seats()
        .map(|winner| standing.ron(own, winner, 5_200))
        .fold(0.0, f32::min);
    flag("own-riichi", "whether the own seat is in riichi") = me.riichi().is_some();
    upto("own-melds", "melds / 4", 1.0, "own melds") = view.melds().len() as f32 / 4.0;
    flag("own-open", "whether the own hand is open") = me.is_open();
    upto("own-shanten", "steps / 4", 1.5, "the lowest shanten number that can be reached") =
        f32::from(shanten) / 4.0;
    upto("own-dora", "tiles / 4", 2.0, "dora and red fives of the own hand and melds") =
        held.map(|tile| f32::from(view.dora_of(tile))).sum::<f32>() / 4.0;
    flag("claim", "whether a tile is offered") = is_claim(view);
    flag("threatened", "whether a seat threatens, by the judge") =
        judge.threats.a_player_threatens();
    upto("blind-risk", "places / 0.1", 2.0, "what throwing an unseen tile at random costs") =
        judge.threats.blind_risk / 0.1;
    around("lost", "places", 1.0, "what the win of another costs on average, negative") =
        judge.threats.lost;
    upto(
        "right-tenpai",
        "chance",
        1.0,
        "how likely the right is tenpai, by riichi_estimates::danger",
    ) = right.tenpai;
    flag("right-riichi", "whether it is in riichi") = right.riichi;
    flag("right-dealer", "whether it deals") = right.dealer;
    upto("right-melds", "melds / 4", 1.0, "its melds") = right.melds;
    around("right-score", "points / 20,000 above the own", 2.0, "its score") = right.score;
    upto("across-tenpai", "chance", 1.0, "the same of the seat across") = across.tenpai;
    flag("across-riichi", "the same of the seat across") = across.riichi;
    flag("across-dealer", "the same of the seat across") = across.dealer;
    upto("across-melds", "melds / 4", 1.0, "the same of the seat across") = across.melds;
    around("across-score", "points / 20,000 above the own", 2.0, "the same of the seat across") =
        across.score;
    upto("left-tenpai", "chance", 1.0, "the same of the left") = left.tenpai;
    flag("left-riichi", "the same of the left") = left.riichi;
    flag("left-dealer", "the same of the left") = left.dealer;
    upto("left-melds", "melds / 4", 1.0, "the same of the left") = left.melds;
    around("left-score", "points / 20,000 above the own", 2.0, "the same of the left") = left.score;
}

/// The features of an opponent; all are 0 where none is seated.
#[derive(Default)]
struct OpponentFeatures {
    tenpai: f32,
    riichi: bool,
    dealer: bool,
    melds: f32,
    score: f32,
}

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

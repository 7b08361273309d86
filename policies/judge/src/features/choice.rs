//! A choice: its estimated value and the parts of it, the hand that it leaves, and its discard.

use riichi::yaku::value_kinds;
use riichi::{Action, Counts, Kind, Wind};

use super::hand::{Shapes, outside_one_suit, straight, three_colours};
use super::table::{safe_tiles, threat_at};
use super::{Feature, FeatureRow, around, flag, upto};
use crate::choice::{Deed, ValuedAction};
use crate::prospect::{Judge, Widening};

/// The features of a choice, in their order. "Left" is the hand of 13 tiles that it leaves,
/// "thrown" its discard; without a discard the features of the thrown tile are 0.
pub const CHOICE: &[Feature] = &[
    around(
        "value",
        "places",
        0.5,
        "the reckoned value, less that of the best choice of the decision",
    ),
    around(
        "push",
        "places",
        0.5,
        "the reckoned value of playing the hand on, less that of giving it up; 0 where it cannot be",
    ),
    flag("can-push", "whether the hand can be played on"),
    flag("pushes", "whether the judge plays the hand on"),
    upto(
        "deal-in",
        "chance",
        1.0,
        "how likely the discard deals in, to any opponent",
    ),
    upto(
        "deal-in-right",
        "chance",
        1.0,
        "the same to the seat on the right",
    ),
    upto(
        "deal-in-across",
        "chance",
        1.0,
        "the same to the seat across",
    ),
    upto(
        "deal-in-left",
        "chance",
        1.0,
        "the same to the seat on the left",
    ),
    upto(
        "deal-in-riichi",
        "chance",
        1.0,
        "the greatest of these to a seat in riichi",
    ),
    upto(
        "risk",
        "places / 0.1",
        3.0,
        "what the discard costs by dealing in",
    ),
    upto(
        "next-risk",
        "places / 0.1",
        3.0,
        "what the safest tile left costs",
    ),
    upto(
        "risk-in-two",
        "places / 0.1",
        3.0,
        "what the safest tile costs after that one",
    ),
    upto(
        "risk-in-three",
        "places / 0.1",
        3.0,
        "what the safest tile costs after those two",
    ),
    upto(
        "safe-left",
        "tiles / 4",
        3.5,
        "tiles left that deal in with at most 1 %, where a seat threatens",
    ),
    flag("tenpai", "whether the hand left is tenpai"),
    flag("one-away", "whether it is one step from tenpai"),
    flag("two-away", "two steps"),
    flag("three-away", "three steps"),
    upto("further", "steps beyond three", 3.0, "further steps"),
    upto("waits", "tiles / 8", 2.0, "tenpai: unseen tiles waited for"),
    upto(
        "wide-waits",
        "kinds / 2",
        2.0,
        "tenpai: kinds waited for, beyond one",
    ),
    upto(
        "tiles-one",
        "tiles / 20",
        2.0,
        "one step away: unseen tiles accepted",
    ),
    upto("tiles-two", "tiles / 40", 2.0, "two steps away: the same"),
    upto(
        "tiles-far",
        "tiles / 60",
        2.0,
        "three steps away or more: the same",
    ),
    upto("kinds", "kinds / 10", 3.0, "kinds accepted"),
    upto(
        "wideners",
        "tiles / 20",
        3.0,
        "tenpai, not in riichi: unseen tiles that widen the wait; like the next three, 0 where the hand cannot be played on \
         or goes back a step without a threat",
    ),
    upto(
        "wideners-one",
        "tiles / 20",
        3.0,
        "one step away: unseen tiles that widen the acceptance",
    ),
    upto(
        "widening",
        "tiles a draw",
        3.0,
        "tenpai, not in riichi: by how many tiles a draw widens the wait on average",
    ),
    upto(
        "widening-one",
        "tiles a draw / 2",
        3.0,
        "one step away: the same of the acceptance",
    ),
    upto(
        "next-step",
        "chance a go-round",
        1.0,
        "how likely the step after the next is made, by the race; 0 from tenpai",
    ),
    upto(
        "wins",
        "chance a go-round / 0.2",
        3.0,
        "how likely the tenpai hand wins, by the race",
    ),
    around("win", "places", 1.5, "what a win gains, by the race"),
    flag("furiten", "whether the tenpai hand is furiten"),
    flag("riichi", "whether riichi is declared"),
    upto(
        "riichi-late",
        "draws of the wall / 18",
        1.2,
        "how late riichi is declared",
    ),
    flag(
        "damaten",
        "whether the hand is closed, tenpai, and not in riichi",
    ),
    upto("pairs", "pairs / 3", 2.4, "pairs left"),
    flag("no-pair", "whether neither pair nor triplet is left"),
    upto("triplets", "triplets / 2", 2.0, "triplets left"),
    upto(
        "two-sided",
        "shapes / 3",
        3.0,
        "two in a row that both ends complete",
    ),
    upto(
        "one-sided",
        "shapes / 3",
        3.0,
        "two that one kind completes",
    ),
    upto("runs", "runs / 3", 3.0, "three in a row"),
    upto(
        "ends",
        "shapes / 3",
        2.0,
        "12 and 89 without the third tile of the run",
    ),
    upto(
        "double-gaps",
        "shapes / 2",
        2.0,
        "135, 246 and so on, with nothing between",
    ),
    upto("fours", "shapes / 2", 3.0, "four in a row"),
    upto(
        "bulges",
        "shapes / 2",
        3.0,
        "three in a row with the middle one twice",
    ),
    upto(
        "leanings",
        "shapes / 3",
        3.0,
        "a pair beside a single neighbour",
    ),
    upto("lone-honours", "tiles / 3", 3.0, "single honours left"),
    upto("lone-ends", "tiles / 3", 2.0, "isolated 1 and 9 left"),
    upto("lone-2-8", "tiles / 3", 2.0, "isolated 2 and 8 left"),
    upto("lone-3-7", "tiles / 3", 2.0, "isolated 3 to 7 left"),
    upto(
        "blocks",
        "blocks / 5",
        2.0,
        "sets, pairs and parts of sets left, melds included",
    ),
    flag("few-blocks", "whether these are fewer than five"),
    upto(
        "not-simples",
        "tiles / 5",
        3.0,
        "terminals and honours left, melds included",
    ),
    flag("simples", "whether none is left"),
    upto(
        "one-suit",
        "tiles / 5",
        2.0,
        "tiles left that are neither honours nor of the commonest suit, melds included",
    ),
    flag("one-suit-near", "whether these are at most two"),
    upto(
        "three-colours",
        "kinds beyond 5 / 4",
        1.0,
        "how near the nearest three colours are",
    ),
    upto(
        "straight",
        "kinds beyond 5 / 4",
        1.0,
        "how near the nearest straight is",
    ),
    upto(
        "sets-of-kind",
        "pairs and triplets beyond 3 / 3",
        1.4,
        "how near all triplets or seven pairs are, melds included",
    ),
    upto("value-pairs", "pairs", 2.0, "pairs of value honours left"),
    upto(
        "value-pairs-live",
        "tiles / 2",
        2.0,
        "unseen copies of these",
    ),
    upto(
        "value-singles",
        "tiles / 2",
        2.0,
        "single value honours left",
    ),
    upto(
        "value-sets",
        "triplets",
        2.0,
        "triplets of value honours, melds included",
    ),
    upto(
        "dora",
        "tiles / 4",
        2.0,
        "dora and red fives left, melds included",
    ),
    flag("no-dora", "whether none is left"),
    flag("open", "whether the hand left is open"),
    upto("open-dora", "tiles / 4", 2.0, "dora of an open hand"),
    flag("opens", "whether the choice opens a closed hand"),
    upto(
        "opens-far",
        "steps / 3",
        1.4,
        "steps to tenpai of a hand that the choice opens",
    ),
    flag("chi", "whether it is a chi"),
    flag("pon", "whether it is a pon"),
    flag("pon-value", "whether it is a pon of a value honour"),
    flag("call-nearer", "whether a call lowers shanten"),
    flag("open-kan", "whether it is a kan with an offered tile"),
    flag("closed-kan", "whether it is a closed kan"),
    flag("added-kan", "whether it is a tile added to a pon"),
    flag("pass", "whether it passes"),
    flag("rough", "whether it goes back a step without a threat"),
    upto(
        "thrown-dora",
        "tiles",
        3.0,
        "dora and red fives of the thrown tile",
    ),
    flag("thrown-by-dora", "whether it is within two steps of a dora"),
    flag("thrown-guest", "whether it is a guest wind"),
    flag(
        "thrown-value",
        "whether it is a value honour of the own seat",
    ),
    flag("thrown-end", "whether it is 1 or 9"),
    flag("thrown-2-8", "whether it is 2 or 8"),
    flag("thrown-middle", "whether it is 4 to 6"),
    flag("thrown-drawn", "whether it is the tile just drawn"),
    flag(
        "thrown-live",
        "whether two or more of a thrown honour are unseen",
    ),
    upto("thrown-unseen", "tiles / 3", 1.0, "unseen copies of it"),
    flag(
        "thrown-called-for",
        "whether it is a dragon or the round wind with two or more copies unseen",
    ),
];

/// What the three safest tiles left cost, the safest first; a further copy of the thrown kind costs
/// nothing. Where fewer tiles are left, the last one counts again.
fn next_risks(judge: &Judge<'_>, closed: &Counts, thrown: Option<Kind>) -> [f32; 3] {
    let mut safest = [f32::INFINITY; 3];
    for kind in closed.kinds().iter() {
        let risk = if Some(kind) == thrown {
            0.0
        } else {
            judge.threats.risk(kind)
        };
        for _ in 0..closed[kind] {
            let place = safest.iter().position(|&other| risk < other);
            if let Some(place) = place {
                safest[place..].rotate_right(1);
                safest[place] = risk;
            }
        }
    }
    for place in 1..safest.len() {
        if safest[place].is_infinite() {
            safest[place] = safest[place - 1];
        }
    }
    safest
}

/// Writes the features of a choice except `value`, which is known once all choices are; `now` is
/// the shanten number before it.
pub(super) fn of_choice(judge: &Judge<'_>, choice: &ValuedAction<'_>, now: i8, values: &mut [f32]) {
    let (view, threats, prospect) = (judge.view, &judge.threats, choice.prospect);
    let mut row = FeatureRow::new(CHOICE, values);
    let thrown = prospect.thrown;
    row.put("value", 0.0);
    row.put(
        "push",
        choice.push.map_or(0.0, |push| push.value - choice.fold),
    );
    row.flag("can-push", choice.push.is_some());
    row.flag("pushes", choice.pushes);
    row.put("deal-in", choice.deal_in);
    let against = |at: usize| {
        threats
            .all
            .get(at)
            .zip(thrown)
            .map_or(0.0, |(threat, kind)| threat.danger.deal_in(kind))
    };
    for (place, name) in ["deal-in-right", "deal-in-across", "deal-in-left"]
        .into_iter()
        .enumerate()
    {
        row.put(name, threat_at(view.players(), place).map_or(0.0, against));
    }
    let riichi = threats
        .all
        .iter()
        .enumerate()
        .filter(|(_, threat)| threat.riichi)
        .map(|(at, _)| against(at));
    row.put("deal-in-riichi", riichi.fold(0.0, f32::max));
    row.put("risk", thrown.map_or(0.0, |kind| threats.risk(kind)) / 0.1);
    let closed = prospect.hand.counts();
    for (name, risk) in ["next-risk", "risk-in-two", "risk-in-three"]
        .into_iter()
        .zip(next_risks(judge, closed, thrown))
    {
        row.put(name, risk / 0.1);
    }
    let safe = if threats.a_player_threatens() {
        safe_tiles(judge, closed, 0.01)
    } else {
        0
    };
    row.put("safe-left", safe as f32 / 4.0);

    let (shanten, tiles) = (prospect.shanten, choice.progress.tiles as f32);
    let kinds = choice.progress.acceptance.len() as f32;
    let at = |holds: bool, value: f32| if holds { value } else { 0.0 };
    for (name, steps) in [
        ("tenpai", 0),
        ("one-away", 1),
        ("two-away", 2),
        ("three-away", 3),
    ] {
        row.flag(name, shanten == steps);
    }
    row.put("further", f32::from(shanten - 3));
    row.put("waits", at(shanten == 0, tiles / 8.0));
    row.put("wide-waits", at(shanten == 0, (kinds - 1.0) / 2.0));
    row.put("tiles-one", at(shanten == 1, tiles / 20.0));
    row.put("tiles-two", at(shanten == 2, tiles / 40.0));
    row.put("tiles-far", at(shanten > 2, tiles / 60.0));
    row.put("kinds", kinds / 10.0);
    let may_widen =
        (0..=1).contains(&shanten) && choice.push.is_some() && !prospect.riichi && !choice.is_rough;
    let widening = if may_widen {
        judge.widening(prospect)
    } else {
        Widening::default()
    };
    row.put("wideners", at(shanten == 0, widening.tiles / 20.0));
    row.put("wideners-one", at(shanten == 1, widening.tiles / 20.0));
    row.put("widening", at(shanten == 0, widening.gain));
    row.put("widening-one", at(shanten == 1, widening.gain / 2.0));
    let runner = choice.push.map(|push| push.runner);
    row.put(
        "next-step",
        runner
            .filter(|runner| runner.steps > 1)
            .map_or(0.0, |runner| runner.progress[1]),
    );
    row.put(
        "wins",
        runner.map_or(0.0, |runner| runner.tsumo + runner.ron) / 0.2,
    );
    row.put("win", runner.map_or(0.0, |runner| runner.win));
    row.flag("furiten", shanten == 0 && judge.is_furiten(prospect));
    let was_riichi = view.player(view.seat()).riichi().is_some();
    let declares = prospect.riichi && !was_riichi;
    let drawn = view
        .rules()
        .drawable_tiles()
        .saturating_sub(view.tiles_left());
    row.flag("riichi", declares);
    row.put(
        "riichi-late",
        at(
            declares,
            f32::from(drawn) / f32::from(view.players()) / 18.0,
        ),
    );
    let open = prospect.melds.iter().any(|meld| meld.kind().opens_hand());
    row.flag("damaten", shanten == 0 && !open && !prospect.riichi);

    let shapes = Shapes::of(closed);
    row.put("pairs", f32::from(shapes.pairs) / 3.0);
    row.flag("no-pair", shapes.pairs == 0 && shapes.triplets == 0);
    row.put("triplets", f32::from(shapes.triplets) / 2.0);
    row.put("two-sided", f32::from(shapes.two_sided) / 3.0);
    row.put("one-sided", f32::from(shapes.one_sided) / 3.0);
    row.put("runs", f32::from(shapes.runs) / 3.0);
    row.put("ends", f32::from(shapes.ends) / 3.0);
    row.put("double-gaps", f32::from(shapes.double_gaps) / 2.0);
    row.put("fours", f32::from(shapes.fours) / 2.0);
    row.put("bulges", f32::from(shapes.bulges) / 2.0);
    row.put("leanings", f32::from(shapes.leanings) / 3.0);
    for (name, count) in ["lone-honours", "lone-ends", "lone-2-8", "lone-3-7"]
        .into_iter()
        .zip(shapes.isolated)
    {
        row.put(name, f32::from(count) / 3.0);
    }
    let melds = prospect.melds.len() as u8;
    // A run is two neighbours on each side of its middle tile.
    let parts = (shapes.two_sided + shapes.one_sided).saturating_sub(shapes.runs);
    let blocks = melds + shapes.pairs + shapes.triplets + parts;
    row.put("blocks", f32::from(blocks) / 5.0);
    row.flag("few-blocks", blocks < 5);

    let mut all = *closed;
    prospect
        .melds
        .iter()
        .for_each(|meld| meld.count_into(&mut all));
    let not_simples: u8 = Kind::all()
        .filter(|kind| kind.is_terminal_or_honour())
        .map(|kind| all[kind])
        .sum();
    row.put("not-simples", f32::from(not_simples) / 5.0);
    row.flag("simples", not_simples == 0);
    let outside = outside_one_suit(&all);
    row.put("one-suit", outside as f32 / 5.0);
    row.flag("one-suit-near", outside <= 2);
    row.put(
        "three-colours",
        (three_colours(all.kinds()) as f32 - 5.0) / 4.0,
    );
    row.put("straight", (straight(all.kinds()) as f32 - 5.0) / 4.0);
    let melded = prospect
        .melds
        .iter()
        .filter(|meld| meld.kind() != riichi::MeldKind::Chi)
        .count() as f32;
    row.put(
        "sets-of-kind",
        (f32::from(shapes.pairs + shapes.triplets) + melded - 3.0) / 3.0,
    );
    let values = value_kinds(view.seat_wind(), view.bakaze());
    let of_value = |wanted: fn(u8) -> bool, counts: &Counts| {
        values.iter().filter(|&kind| wanted(counts[kind])).count() as f32
    };
    row.put("value-pairs", of_value(|count| count == 2, closed));
    let live = values
        .iter()
        .filter(|&kind| closed[kind] == 2)
        .map(|kind| judge.unseen[kind])
        .sum::<u8>();
    row.put("value-pairs-live", f32::from(live) / 2.0);
    row.put("value-singles", of_value(|count| count == 1, closed) / 2.0);
    row.put("value-sets", of_value(|count| count >= 3, &all));
    let held = prospect.hand.tiles().chain(
        prospect
            .melds
            .iter()
            .flat_map(|meld| meld.tiles().iter().copied()),
    );
    let dora: u8 = held.map(|tile| view.dora_of(tile)).sum();
    row.put("dora", f32::from(dora) / 4.0);
    row.flag("no-dora", dora == 0);
    row.flag("open", open);
    row.put("open-dora", at(open, f32::from(dora) / 4.0));

    let opens = open && !view.player(view.seat()).is_open();
    row.flag("opens", opens);
    row.put("opens-far", at(opens, f32::from(shanten) / 3.0));
    let action = &view.legal()[choice.index];
    row.flag("chi", matches!(action, Action::Chi { .. }));
    let ponned = match action {
        Action::Pon { tile, .. } => Some(tile.kind()),
        _ => None,
    };
    row.flag("pon", ponned.is_some());
    row.flag(
        "pon-value",
        ponned.is_some_and(|kind| values.contains(kind)),
    );
    row.flag("call-nearer", choice.deed == Deed::Call && shanten < now);
    row.flag("open-kan", choice.deed == Deed::OpenKan);
    row.flag("closed-kan", matches!(action, Action::Ankan { .. }));
    row.flag("added-kan", matches!(action, Action::Kakan { .. }));
    row.flag("pass", choice.deed == Deed::Pass);
    row.flag("rough", choice.is_rough);

    let tile = match *action {
        Action::Dahai { tile, tsumogiri } | Action::Reach { tile, tsumogiri } => {
            Some((tile, tsumogiri))
        }
        _ => None,
    };
    let (own, guest) = (
        thrown.filter(|&kind| values.contains(kind)),
        |kind: Kind| Wind::of_kind(kind).is_some() && !values.contains(kind),
    );
    let number = thrown.and_then(Kind::number);
    let dora_of_thrown = match (tile, thrown) {
        (Some((tile, _)), _) => view.dora_of(tile),
        (None, Some(kind)) => view.dora_of(kind.tile()),
        (None, None) => 0,
    };
    row.put("thrown-dora", f32::from(dora_of_thrown));
    let by_dora = |kind: Kind| {
        (-2..=2).any(|steps| {
            kind.offset(steps)
                .is_some_and(|near| view.dora_of(near.tile()) > 0)
        })
    };
    row.flag("thrown-by-dora", thrown.is_some_and(by_dora));
    row.flag("thrown-guest", thrown.is_some_and(guest));
    row.flag("thrown-value", own.is_some());
    row.flag("thrown-end", matches!(number, Some(1 | 9)));
    row.flag("thrown-2-8", matches!(number, Some(2 | 8)));
    row.flag("thrown-middle", matches!(number, Some(4..=6)));
    row.flag("thrown-drawn", tile.is_some_and(|(_, tsumogiri)| tsumogiri));
    let unseen = |kind: Kind| judge.unseen[kind];
    row.flag(
        "thrown-live",
        thrown.is_some_and(|kind| kind.is_honour() && unseen(kind) >= 2),
    );
    row.put(
        "thrown-unseen",
        thrown.map_or(0.0, |kind| f32::from(unseen(kind))) / 3.0,
    );
    let for_all = |kind: Kind| kind.is_dragon() || kind == view.bakaze().kind();
    row.flag(
        "thrown-called-for",
        thrown.is_some_and(|kind| for_all(kind) && unseen(kind) >= 2),
    );
    row.finish();
}

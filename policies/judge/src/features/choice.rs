//! A choice: its estimated value and the parts of it, the hand that it leaves, and its discard.

use correction::features;
use riichi::yaku::value_kinds;
use riichi::{Action, Counts, Kind, Wind};

use super::hand::{Shapes, outside_one_suit, straight, three_colours};
use super::table::{safe_tiles, threat_at};
use crate::choice::{Deed, ValuedAction};
use crate::prospect::{Judge, Widening};

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

features! {
    /// The features of a choice, in their order. "Left" is the hand of 13 tiles that it leaves,
    /// "thrown" its discard; without a discard the features of the thrown tile are 0.
    pub const CHOICE;

    /// The features of a choice except `value`, which is known once all choices are; `now` is the
    /// shanten number before it.
    pub(super) fn of_choice(
        judge: &Judge<'_>,
        choice: &ValuedAction<'_>,
        now: i8,
    ) -> [f32; CHOICE.len()] {
        let (view, threats, prospect) = (judge.view, &judge.threats, choice.prospect);
        let thrown = prospect.thrown;
        let against = |at: usize| {
            threats
                .all
                .get(at)
                .zip(thrown)
                .map_or(0.0, |(threat, kind)| threat.danger.deal_in(kind))
        };
        let [right, across, left] =
            [0, 1, 2].map(|place| threat_at(view.players(), place).map_or(0.0, against));
        let riichi = threats
            .all
            .iter()
            .enumerate()
            .filter(|(_, threat)| threat.riichi)
            .map(|(at, _)| against(at));
        let closed = prospect.hand.counts();
        let risks = next_risks(judge, closed, thrown);
        let safe = if threats.a_player_threatens() {
            safe_tiles(judge, closed, 0.01)
        } else {
            0
        };

        let (shanten, tiles) = (prospect.shanten, choice.progress.tiles as f32);
        let kinds = choice.progress.acceptance.len() as f32;
        let at = |holds: bool, value: f32| if holds { value } else { 0.0 };
        let may_widen = (0..=1).contains(&shanten)
            && choice.push.is_some()
            && !prospect.riichi
            && !choice.is_rough;
        let widening = if may_widen {
            judge.widening(prospect)
        } else {
            Widening::default()
        };
        let runner = choice.push.map(|push| push.runner);
        let was_riichi = view.player(view.seat()).riichi().is_some();
        let declares = prospect.riichi && !was_riichi;
        let drawn = view
            .rules()
            .drawable_tiles()
            .saturating_sub(view.tiles_left());
        let open = prospect.melds.iter().any(|meld| meld.kind().opens_hand());

        let shapes = Shapes::of(closed);
        let isolated = shapes.isolated.map(f32::from);
        let melds = prospect.melds.len() as u8;
        // A run is two neighbours on each side of its middle tile.
        let parts = (shapes.two_sided + shapes.one_sided).saturating_sub(shapes.runs);
        let blocks = melds + shapes.pairs + shapes.triplets + parts;

        let mut all = *closed;
        prospect
            .melds
            .iter()
            .for_each(|meld| meld.count_into(&mut all));
        let not_simples: u8 = Kind::all()
            .filter(|kind| kind.is_terminal_or_honour())
            .map(|kind| all[kind])
            .sum();
        let outside = outside_one_suit(&all);
        let melded = prospect
            .melds
            .iter()
            .filter(|meld| meld.kind() != riichi::MeldKind::Chi)
            .count() as f32;
        let values = value_kinds(view.seat_wind(), view.bakaze());
        let of_value = |wanted: fn(u8) -> bool, counts: &Counts| {
            values.iter().filter(|&kind| wanted(counts[kind])).count() as f32
        };
        let live = values
            .iter()
            .filter(|&kind| closed[kind] == 2)
            .map(|kind| judge.unseen[kind])
            .sum::<u8>();
        let held = prospect.hand.tiles().chain(
            prospect
                .melds
                .iter()
                .flat_map(|meld| meld.tiles().iter().copied()),
        );
        let dora: u8 = held.map(|tile| view.dora_of(tile)).sum();

        let opens = open && !view.player(view.seat()).is_open();
        let action = &view.legal()[choice.index];
        let ponned = match action {
            Action::Pon { tile, .. } => Some(tile.kind()),
            _ => None,
        };

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
        let by_dora = |kind: Kind| {
            (-2..=2).any(|steps| {
                kind.offset(steps)
                    .is_some_and(|near| view.dora_of(near.tile()) > 0)
            })
        };
        let unseen = |kind: Kind| judge.unseen[kind];
        let for_all = |kind: Kind| kind.is_dragon() || kind == view.bakaze().kind();
    }

    around(
        "value",
        "places",
        0.5,
        "the reckoned value, less that of the best choice of the decision",
    ) = 0.0;
    around(
        "push",
        "places",
        0.5,
        "the reckoned value of playing the hand on, less that of giving it up; 0 where it cannot be",
    ) = choice.push.map_or(0.0, |push| push.value - choice.fold);
    flag("can-push", "whether the hand can be played on") = choice.push.is_some();
    flag("pushes", "whether the judge plays the hand on") = choice.pushes;
    upto("deal-in", "chance", 1.0, "how likely the discard deals in, to any opponent") =
        choice.deal_in;
    upto("deal-in-right", "chance", 1.0, "the same to the seat on the right") = right;
    upto("deal-in-across", "chance", 1.0, "the same to the seat across") = across;
    upto("deal-in-left", "chance", 1.0, "the same to the seat on the left") = left;
    upto("deal-in-riichi", "chance", 1.0, "the greatest of these to a seat in riichi") =
        riichi.fold(0.0, f32::max);
    upto("risk", "places / 0.1", 3.0, "what the discard costs by dealing in") =
        thrown.map_or(0.0, |kind| threats.risk(kind)) / 0.1;
    upto("next-risk", "places / 0.1", 3.0, "what the safest tile left costs") = risks[0] / 0.1;
    upto("risk-in-two", "places / 0.1", 3.0, "what the safest tile costs after that one") =
        risks[1] / 0.1;
    upto("risk-in-three", "places / 0.1", 3.0, "what the safest tile costs after those two") =
        risks[2] / 0.1;
    upto(
        "safe-left",
        "tiles / 4",
        3.5,
        "tiles left that deal in with at most 1 %, where a seat threatens",
    ) = safe as f32 / 4.0;
    flag("tenpai", "whether the hand left is tenpai") = shanten == 0;
    flag("one-away", "whether it is one step from tenpai") = shanten == 1;
    flag("two-away", "two steps") = shanten == 2;
    flag("three-away", "three steps") = shanten == 3;
    upto("further", "steps beyond three", 3.0, "further steps") = f32::from(shanten - 3);
    upto("waits", "tiles / 8", 2.0, "tenpai: unseen tiles waited for") =
        at(shanten == 0, tiles / 8.0);
    upto("wide-waits", "kinds / 2", 2.0, "tenpai: kinds waited for, beyond one") =
        at(shanten == 0, (kinds - 1.0) / 2.0);
    upto("tiles-one", "tiles / 20", 2.0, "one step away: unseen tiles accepted") =
        at(shanten == 1, tiles / 20.0);
    upto("tiles-two", "tiles / 40", 2.0, "two steps away: the same") =
        at(shanten == 2, tiles / 40.0);
    upto("tiles-far", "tiles / 60", 2.0, "three steps away or more: the same") =
        at(shanten > 2, tiles / 60.0);
    upto("kinds", "kinds / 10", 3.0, "kinds accepted") = kinds / 10.0;
    upto(
        "wideners",
        "tiles / 20",
        3.0,
        "tenpai, not in riichi: unseen tiles that widen the wait; like the next three, 0 where the hand cannot be played on \
         or goes back a step without a threat",
    ) = at(shanten == 0, widening.tiles / 20.0);
    upto(
        "wideners-one",
        "tiles / 20",
        3.0,
        "one step away: unseen tiles that widen the acceptance",
    ) = at(shanten == 1, widening.tiles / 20.0);
    upto(
        "widening",
        "tiles a draw",
        3.0,
        "tenpai, not in riichi: by how many tiles a draw widens the wait on average",
    ) = at(shanten == 0, widening.gain);
    upto("widening-one", "tiles a draw / 2", 3.0, "one step away: the same of the acceptance") =
        at(shanten == 1, widening.gain / 2.0);
    upto(
        "next-step",
        "chance a go-round",
        1.0,
        "how likely the step after the next is made, by the race; 0 from tenpai",
    ) = runner
        .filter(|runner| runner.steps > 1)
        .map_or(0.0, |runner| runner.progress[1]);
    upto("wins", "chance a go-round / 0.2", 3.0, "how likely the tenpai hand wins, by the race") =
        runner.map_or(0.0, |runner| runner.tsumo + runner.ron) / 0.2;
    around("win", "places", 1.5, "what a win gains, by the race") =
        runner.map_or(0.0, |runner| runner.win);
    flag("furiten", "whether the tenpai hand is furiten") =
        shanten == 0 && judge.is_furiten(prospect);
    flag("riichi", "whether riichi is declared") = declares;
    upto("riichi-late", "draws of the wall / 18", 1.2, "how late riichi is declared") = at(
        declares,
        f32::from(drawn) / f32::from(view.players()) / 18.0,
    );
    flag("damaten", "whether the hand is closed, tenpai, and not in riichi") =
        shanten == 0 && !open && !prospect.riichi;
    upto("pairs", "pairs / 3", 2.4, "pairs left") = f32::from(shapes.pairs) / 3.0;
    flag("no-pair", "whether neither pair nor triplet is left") =
        shapes.pairs == 0 && shapes.triplets == 0;
    upto("triplets", "triplets / 2", 2.0, "triplets left") = f32::from(shapes.triplets) / 2.0;
    upto("two-sided", "shapes / 3", 3.0, "two in a row that both ends complete") =
        f32::from(shapes.two_sided) / 3.0;
    upto("one-sided", "shapes / 3", 3.0, "two that one kind completes") =
        f32::from(shapes.one_sided) / 3.0;
    upto("runs", "runs / 3", 3.0, "three in a row") = f32::from(shapes.runs) / 3.0;
    upto("ends", "shapes / 3", 2.0, "12 and 89 without the third tile of the run") =
        f32::from(shapes.ends) / 3.0;
    upto("double-gaps", "shapes / 2", 2.0, "135, 246 and so on, with nothing between") =
        f32::from(shapes.double_gaps) / 2.0;
    upto("fours", "shapes / 2", 3.0, "four in a row") = f32::from(shapes.fours) / 2.0;
    upto("bulges", "shapes / 2", 3.0, "three in a row with the middle one twice") =
        f32::from(shapes.bulges) / 2.0;
    upto("leanings", "shapes / 3", 3.0, "a pair beside a single neighbour") =
        f32::from(shapes.leanings) / 3.0;
    upto("lone-honours", "tiles / 3", 3.0, "single honours left") = isolated[0] / 3.0;
    upto("lone-ends", "tiles / 3", 2.0, "isolated 1 and 9 left") = isolated[1] / 3.0;
    upto("lone-2-8", "tiles / 3", 2.0, "isolated 2 and 8 left") = isolated[2] / 3.0;
    upto("lone-3-7", "tiles / 3", 2.0, "isolated 3 to 7 left") = isolated[3] / 3.0;
    upto("blocks", "blocks / 5", 2.0, "sets, pairs and parts of sets left, melds included") =
        f32::from(blocks) / 5.0;
    flag("few-blocks", "whether these are fewer than five") = blocks < 5;
    upto("not-simples", "tiles / 5", 3.0, "terminals and honours left, melds included") =
        f32::from(not_simples) / 5.0;
    flag("simples", "whether none is left") = not_simples == 0;
    upto(
        "one-suit",
        "tiles / 5",
        2.0,
        "tiles left that are neither honours nor of the commonest suit, melds included",
    ) = outside as f32 / 5.0;
    flag("one-suit-near", "whether these are at most two") = outside <= 2;
    upto("three-colours", "kinds beyond 5 / 4", 1.0, "how near the nearest three colours are") =
        (three_colours(all.kinds()) as f32 - 5.0) / 4.0;
    upto("straight", "kinds beyond 5 / 4", 1.0, "how near the nearest straight is") =
        (straight(all.kinds()) as f32 - 5.0) / 4.0;
    upto(
        "sets-of-kind",
        "pairs and triplets beyond 3 / 3",
        1.4,
        "how near all triplets or seven pairs are, melds included",
    ) = (f32::from(shapes.pairs + shapes.triplets) + melded - 3.0) / 3.0;
    upto("value-pairs", "pairs", 2.0, "pairs of value honours left") =
        of_value(|count| count == 2, closed);
    upto("value-pairs-live", "tiles / 2", 2.0, "unseen copies of these") = f32::from(live) / 2.0;
    upto("value-singles", "tiles / 2", 2.0, "single value honours left") =
        of_value(|count| count == 1, closed) / 2.0;
    upto("value-sets", "triplets", 2.0, "triplets of value honours, melds included") =
        of_value(|count| count >= 3, &all);
    upto("dora", "tiles / 4", 2.0, "dora and red fives left, melds included") =
        f32::from(dora) / 4.0;
    flag("no-dora", "whether none is left") = dora == 0;
    flag("open", "whether the hand left is open") = open;
    upto("open-dora", "tiles / 4", 2.0, "dora of an open hand") = at(open, f32::from(dora) / 4.0);
    flag("opens", "whether the choice opens a closed hand") = opens;
    upto("opens-far", "steps / 3", 1.4, "steps to tenpai of a hand that the choice opens") =
        at(opens, f32::from(shanten) / 3.0);
    flag("chi", "whether it is a chi") = matches!(action, Action::Chi { .. });
    flag("pon", "whether it is a pon") = ponned.is_some();
    flag("pon-value", "whether it is a pon of a value honour") =
        ponned.is_some_and(|kind| values.contains(kind));
    flag("call-nearer", "whether a call lowers shanten") =
        choice.deed == Deed::Call && shanten < now;
    flag("open-kan", "whether it is a kan with an offered tile") = choice.deed == Deed::OpenKan;
    flag("closed-kan", "whether it is a closed kan") = matches!(action, Action::Ankan { .. });
    flag("added-kan", "whether it is a tile added to a pon") =
        matches!(action, Action::Kakan { .. });
    flag("pass", "whether it passes") = choice.deed == Deed::Pass;
    flag("rough", "whether it goes back a step without a threat") = choice.is_rough;
    upto("thrown-dora", "tiles", 3.0, "dora and red fives of the thrown tile") =
        f32::from(dora_of_thrown);
    flag("thrown-by-dora", "whether it is within two steps of a dora") =
        thrown.is_some_and(by_dora);
    flag("thrown-guest", "whether it is a guest wind") = thrown.is_some_and(guest);
    flag("thrown-value", "whether it is a value honour of the own seat") = own.is_some();
    flag("thrown-end", "whether it is 1 or 9") = matches!(number, Some(1 | 9));
    flag("thrown-2-8", "whether it is 2 or 8") = matches!(number, Some(2 | 8));
    flag("thrown-middle", "whether it is 4 to 6") = matches!(number, Some(4..=6));
    flag("thrown-drawn", "whether it is the tile just drawn") =
        tile.is_some_and(|(_, tsumogiri)| tsumogiri);
    flag("thrown-live", "whether two or more of a thrown honour are unseen") =
        thrown.is_some_and(|kind| kind.is_honour() && unseen(kind) >= 2);
    upto("thrown-unseen", "tiles / 3", 1.0, "unseen copies of it") =
        thrown.map_or(0.0, |kind| f32::from(unseen(kind))) / 3.0;
    flag(
        "thrown-called-for",
        "whether it is a dragon or the round wind with two or more copies unseen",
    ) = thrown.is_some_and(|kind| for_all(kind) && unseen(kind) >= 2);
}

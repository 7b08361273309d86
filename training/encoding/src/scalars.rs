//! Scalars: numbers of the table, not of a kind.

use policy_sdk::{Offer, Request};
use riichi::Wind;
use riichi::rules::Length;

use crate::knowledge::{PlayerKnowledge, SeatKnowledge};
use crate::{EncodingPart, flag};

const fn part(name: &'static str, meaning: &'static str) -> EncodingPart {
    EncodingPart { name, meaning }
}

/// The scalars, in their order.
pub const SCALARS: [EncodingPart; SEATS_SCALARS + 33] = [
    part("own-score", "own seat: points / 50,000, between -1 and 1"),
    part("own-place", "own seat: place / 4"),
    part("own-dealer", "own seat: 1 where it deals"),
    part(
        "own-in-riichi",
        "own seat: 1 in riichi, from its discard on",
    ),
    part("own-double", "own seat: 1 in double riichi"),
    part(
        "own-ippatsu",
        "own seat: 1 where a win now would be ippatsu",
    ),
    part("own-open", "own seat: 1 where a meld opens the hand"),
    part("own-discards", "own seat: discards / 32"),
    part(
        "own-norths",
        "own seat: Norths set aside / 4 (three players)",
    ),
    part("right-score", "seat on the right: as the own seat's"),
    part("right-place", "seat on the right: as the own seat's"),
    part("right-dealer", "seat on the right: as the own seat's"),
    part("right-in-riichi", "seat on the right: as the own seat's"),
    part("right-double", "seat on the right: as the own seat's"),
    part("right-ippatsu", "seat on the right: as the own seat's"),
    part("right-open", "seat on the right: as the own seat's"),
    part("right-discards", "seat on the right: as the own seat's"),
    part("right-norths", "seat on the right: as the own seat's"),
    part(
        "across-score",
        "seat across: as the own seat's; with three players the seat on the left",
    ),
    part("across-place", "seat across: as the own seat's"),
    part("across-dealer", "seat across: as the own seat's"),
    part("across-in-riichi", "seat across: as the own seat's"),
    part("across-double", "seat across: as the own seat's"),
    part("across-ippatsu", "seat across: as the own seat's"),
    part("across-open", "seat across: as the own seat's"),
    part("across-discards", "seat across: as the own seat's"),
    part("across-norths", "seat across: as the own seat's"),
    part(
        "left-score",
        "seat on the left: as the own seat's; 0 with three players, as all of its scalars",
    ),
    part("left-place", "seat on the left: as the own seat's"),
    part("left-dealer", "seat on the left: as the own seat's"),
    part("left-in-riichi", "seat on the left: as the own seat's"),
    part("left-double", "seat on the left: as the own seat's"),
    part("left-ippatsu", "seat on the left: as the own seat's"),
    part("left-open", "seat on the left: as the own seat's"),
    part("left-discards", "seat on the left: as the own seat's"),
    part("left-norths", "seat on the left: as the own seat's"),
    part("east-round", "1 in the East rounds"),
    part("south-round", "1 in the South rounds"),
    part("west-round", "1 in the West rounds"),
    part("north-round", "1 in the North rounds"),
    part("east-seat", "1 where the own wind is east"),
    part("south-seat", "1 where it is south"),
    part("west-seat", "1 where it is west"),
    part("north-seat", "1 where it is north"),
    part("kyoku", "number of the round within its wind, from 1, / 4"),
    part("rounds-left", "regular rounds after this one / 8"),
    part("honba", "honba / 8, at most 1"),
    part("sticks", "riichi sticks on the table / 8, at most 1"),
    part("tiles-left", "tiles that can still be drawn / 70"),
    part(
        "first-turn",
        "1 before the own first discard while no seat has called",
    ),
    part("after-kan", "1 where the drawn tile is a replacement"),
    part("furiten-river", "1 in furiten by an own discard"),
    part(
        "furiten-temporary",
        "1 in furiten by a tile let pass since the own discard",
    ),
    part(
        "furiten-riichi",
        "1 in furiten by a tile let pass in riichi",
    ),
    part("own-turn", "1 on the own turn"),
    part("claim-discard", "1 where a discard is offered"),
    part("claim-added", "1 where a tile added to a pon is offered"),
    part(
        "claim-closed-kan",
        "1 where a tile of a closed kan is offered",
    ),
    part("claim-north", "1 where a North set aside is offered"),
    part("from-right", "1 where the offered tile is of the right"),
    part("from-across", "1 where it is of the seat across"),
    part("from-left", "1 where it is of the left"),
    part("three-players", "1 at a table of three"),
    part("one-round", "1 where the game has one round"),
    part("east-game", "1 where it has the East rounds"),
    part("half-game", "1 where it has East and South"),
    part(
        "shanten",
        "shanten number of the own hand / 8; on the own turn the lowest after a discard",
    ),
    part("own-melds", "own melds / 4"),
    part("red-fives", "red fives of the game / 4"),
];

/// Scalars of each seat.
const SEAT_SCALARS: usize = 9;
/// Scalars of all seats.
const SEATS_SCALARS: usize = 4 * SEAT_SCALARS;

/// A 1 at a place.
fn one_of<const PLACES: usize>(place: usize) -> [f32; PLACES] {
    std::array::from_fn(|other| flag(place == other))
}

pub(crate) fn write(knowledge: &SeatKnowledge<'_>, scalars: &mut [f32]) {
    assert_eq!(
        scalars.len(),
        SCALARS.len(),
        "there is room for the scalars"
    );
    let (seats, table) = scalars.split_at_mut(SEATS_SCALARS);
    for (scalars, player) in seats.as_chunks_mut().0.iter_mut().zip(&knowledge.players) {
        *scalars = player.as_ref().map_or([0.0; SEAT_SCALARS], of_player);
    }
    let (rules, furiten, own) = (knowledge.rules, knowledge.furiten, knowledge.own());
    let [east_round, south_round, west_round, north_round] = one_of(knowledge.bakaze as usize);
    let [east_seat, south_seat, west_seat, north_seat] = one_of(own.wind as usize);
    let (request, from) = match knowledge.request {
        Request::OwnTurn => (0, 0),
        Request::Claim { from, offer, .. } => {
            let request = match offer {
                Offer::Dahai => 1,
                Offer::Kakan => 2,
                Offer::Ankan => 3,
                Offer::Kita => 4,
            };
            (
                request,
                from.turns_after(knowledge.seat, rules.players).into(),
            )
        }
    };
    let [own_turn, discard, added, closed_kan, north] = one_of(request);
    let [_, from_right, from_across, from_left] = one_of(from);
    let [one_round, east_game, half_game] = one_of(rules.length as usize);
    let numbers = [
        east_round,
        south_round,
        west_round,
        north_round,
        east_seat,
        south_seat,
        west_seat,
        north_seat,
        f32::from(knowledge.kyoku) / 4.0,
        f32::from(rounds_left(knowledge)) / 8.0,
        (f32::from(knowledge.honba) / 8.0).min(1.0),
        (f32::from(knowledge.kyotaku) / 8.0).min(1.0),
        f32::from(knowledge.tiles_left) / 70.0,
        flag(knowledge.first_turn),
        flag(knowledge.after_kan),
        flag(furiten.river),
        flag(furiten.temporary),
        flag(furiten.riichi),
        own_turn,
        discard,
        added,
        closed_kan,
        north,
        from_right,
        from_across,
        from_left,
        flag(rules.players == 3),
        one_round,
        east_game,
        half_game,
        f32::from(knowledge.shanten.max(0)) / 8.0,
        own.melds.len() as f32 / 4.0,
        f32::from(rules.red_fives) / 4.0,
    ];
    table.copy_from_slice(&numbers);
}

fn of_player(player: &PlayerKnowledge<'_>) -> [f32; SEAT_SCALARS] {
    let riichi = player.riichi;
    [
        (player.points as f32 / 50_000.0).clamp(-1.0, 1.0),
        f32::from(player.place) / 4.0,
        flag(player.wind == Wind::East),
        flag(riichi.is_some()),
        flag(riichi.is_some_and(|riichi| riichi.double)),
        flag(riichi.is_some_and(|riichi| riichi.ippatsu)),
        flag(player.melds.iter().any(|meld| meld.kind().opens_hand())),
        player.river.len() as f32 / 32.0,
        f32::from(player.norths) / 4.0,
    ]
}

/// Regular rounds after this one.
fn rounds_left(knowledge: &SeatKnowledge<'_>) -> u8 {
    let winds = match knowledge.rules.length {
        Length::Single => return 0,
        Length::East => [Wind::East].len(),
        Length::Half => [Wind::East, Wind::South].len(),
    } as u8;
    let before = knowledge.bakaze as u8 * knowledge.rules.players + knowledge.kyoku;
    (winds * knowledge.rules.players).saturating_sub(before)
}

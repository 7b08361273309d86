//! Chinese Standard mahjong in steps.

use mcr::event::Flower;
use mcr::seat::SeenSet;
use mcr::{DeclaredSet, StandardAction, StandardEvent, StandardRules};
use page::{Pieces, StepRow, StepSeat};
use policy_host::ChineseStandardTable;
use protocol::game_record::{RecordedGame, StandardRecordForm};
use riichi::{Counts, Kind, Seat};

use super::ShownGame;

/// Chinese Standard mahjong, shown in steps.
pub(super) struct ShownStandard;

/// Seats of a table; their winds are those of their numbers.
const WINDS: [&str; 4] = ["east", "south", "west", "north"];

fn seat_of(index: usize) -> Seat {
    u8::try_from(index).ok().and_then(Seat::new).unwrap_or(Seat::FIRST)
}

/// A tile as pages have it: `5m`, `7z`.
fn piece(kind: Kind) -> String {
    let index = kind.index();
    format!("{}{}", index % 9 + 1, ['m', 'p', 's', 'z'][index / 9])
}

/// A tile as people say it: `5 of dots`, `red dragon`.
pub(super) fn tile_word(kind: Kind) -> String {
    const SUITS: [&str; 3] = ["characters", "dots", "bamboo"];
    const HONOURS: [&str; 7] =
        ["east wind", "south wind", "west wind", "north wind", "white dragon", "green dragon", "red dragon"];
    let (suit, number) = (kind.index() / 9, kind.index() % 9);
    match SUITS.get(suit) {
        Some(suit) => format!("{} of {suit}", number + 1),
        None => HONOURS[number].to_owned(),
    }
}

/// The chow around a tile: `4 5 6 of dots`.
fn chow_words(middle: Kind) -> String {
    let number = middle.index() % 9 + 1;
    format!(
        "{} {} {}",
        number - 1,
        number,
        tile_word(middle).replacen(&number.to_string(), &(number + 1).to_string(), 1)
    )
}

fn hand_pieces(hand: &Counts) -> String {
    Kind::all().flat_map(|kind| std::iter::repeat_n(piece(kind), hand[kind].into())).collect()
}

fn set_pieces(set: DeclaredSet) -> String {
    set.tiles().flat_map(|(kind, copies)| std::iter::repeat_n(piece(kind), copies.into())).collect()
}

impl ShownGame for ShownStandard {
    type Form = StandardRecordForm;
    type Table = ChineseStandardTable;
    const PIECES: Pieces = Pieces::Tiles;

    fn table(seat: usize, game: &RecordedGame<StandardEvent>) -> ChineseStandardTable {
        let dealt = |deal: &StandardEvent| matches!(deal, StandardEvent::Dealt { flowers, .. } if *flowers != [0; 4]);
        let drawn = |event: &StandardEvent| matches!(event, StandardEvent::FlowerDrawn { .. });
        let flowers = game.deals.iter().flatten().any(dealt) || game.events.iter().any(drawn);
        ChineseStandardTable::new(seat_of(seat), StandardRules { flowers, ..StandardRules::default() })
    }

    fn heard(event: &StandardEvent, seat: usize) -> StandardEvent {
        event.hidden_from(seat_of(seat))
    }

    fn action_words(action: &StandardAction) -> String {
        match *action {
            StandardAction::Pass => "pass".to_owned(),
            StandardAction::Win => "win".to_owned(),
            StandardAction::Discard(tile) => format!("discard {}", tile_word(tile)),
            StandardAction::ConcealedKong(tile) => format!("concealed kong of {}", tile_word(tile)),
            StandardAction::AddKong(tile) => format!("add {} to the pung", tile_word(tile)),
            StandardAction::ClaimKong => "kong".to_owned(),
            StandardAction::ClaimPung { discard } => format!("pung, then discard {}", tile_word(discard)),
            StandardAction::ClaimChow { middle, discard } => {
                format!("chow, {}, then discard {}", chow_words(middle), tile_word(discard))
            }
        }
    }

    fn actor(event: &StandardEvent) -> Option<usize> {
        match event {
            StandardEvent::Drawn { seat, .. }
            | StandardEvent::FlowerDrawn { seat, .. }
            | StandardEvent::Discarded { seat, .. }
            | StandardEvent::PungClaimed { seat, .. }
            | StandardEvent::ChowClaimed { seat, .. }
            | StandardEvent::KongClaimed { seat }
            | StandardEvent::ConcealedKong { seat, .. }
            | StandardEvent::KongAdded { seat, .. } => Some(seat.index()),
            StandardEvent::Dealt { .. } | StandardEvent::Over => None,
        }
    }

    fn words(event: &StandardEvent, names: &[String]) -> String {
        let who = Self::actor(event).and_then(|seat| names.get(seat)).map_or("", String::as_str);
        let known = |tile: &Option<Kind>| tile.map_or_else(|| "a tile".to_owned(), tile_word);
        match event {
            StandardEvent::Dealt { .. } => "The deal.".to_owned(),
            StandardEvent::Drawn { tile, .. } => format!("{who} draws {}.", known(tile)),
            StandardEvent::FlowerDrawn { flower, .. } => format!("{who} draws flower {}.", Flower::number(*flower)),
            StandardEvent::Discarded { tile, .. } => format!("{who} discards {}.", tile_word(*tile)),
            StandardEvent::PungClaimed { discard, .. } => {
                format!("{who} claims a pung and discards {}.", tile_word(*discard))
            }
            StandardEvent::ChowClaimed { middle, discard, .. } => {
                format!("{who} claims a chow, {}, and discards {}.", chow_words(*middle), tile_word(*discard))
            }
            StandardEvent::KongClaimed { .. } => format!("{who} claims a kong."),
            StandardEvent::ConcealedKong { tile, .. } => format!("{who} declares a concealed kong of {}.", known(tile)),
            StandardEvent::KongAdded { tile, .. } => format!("{who} adds {} to a pung.", tile_word(*tile)),
            StandardEvent::Over => "The hand is over.".to_owned(),
        }
    }

    fn seat(seat: usize, own: Option<&ChineseStandardTable>, any: &ChineseStandardTable) -> StepSeat {
        let public = any.table().public(seat_of(seat));
        let hand = match own {
            Some(table) => hand_pieces(table.table().hand().concealed()),
            None => "??".repeat(public.concealed.into()),
        };
        let mut rows = vec![StepRow { label: "hand", groups: vec![hand], gone: Vec::new() }];
        let sets: Vec<String> = match own {
            Some(table) => table.table().hand().sets().iter().map(|&set| set_pieces(set)).collect(),
            None => public
                .sets
                .iter()
                .map(|set| match set {
                    SeenSet::Known(set) => set_pieces(*set),
                    SeenSet::HiddenKong => "??".repeat(4),
                })
                .collect(),
        };
        if !sets.is_empty() {
            rows.push(StepRow { label: "sets", groups: sets, gone: Vec::new() });
        }
        let river = public.river.iter().enumerate();
        rows.push(StepRow {
            label: "discards",
            groups: public.river.iter().map(|discard| piece(discard.tile)).collect(),
            gone: river.filter(|(_, discard)| discard.claimed).map(|(index, _)| index).collect(),
        });
        let flowers = match public.flowers {
            0 => String::new(),
            flowers => format!(", {flowers} flowers"),
        };
        StepSeat { note: format!("{}, {} tiles in its wall{flowers}", WINDS[seat], public.wall), acted: false, rows }
    }
}

//! A round for trials.

use riichi::event::StartKyoku;
use riichi::{Event, PerSeat, Seat, Tile, Wind};

/// The round as seat 0 hears it, with tiles that three players have too.
pub(super) fn round(players: u8) -> Vec<Event> {
    let own = Seat::FIRST;
    let hand = ["1p", "1p", "3p", "4p", "5p", "6p", "7p", "8p", "2s", "3s", "9s", "E", "E"].map(tile);
    let mut events = vec![
        Event::StartKyoku(StartKyoku {
            bakaze: Wind::East,
            kyoku: 1,
            honba: 0,
            kyotaku: 0,
            oya: own,
            dora_marker: tile("W"),
            scores: None,
            tehais: PerSeat::from_fn(players, |seat| (seat == own).then_some(hand)),
        }),
        Event::Tsumo { actor: own, tile: Some(tile("9m")) },
        Event::Dahai { actor: own, tile: tile("9m"), tsumogiri: true },
    ];
    for (seat, thrown) in Seat::all(players).skip(1).zip(["E", "C", "C"]) {
        events.push(Event::Tsumo { actor: seat, tile: None });
        events.push(Event::Dahai { actor: seat, tile: tile(thrown), tsumogiri: false });
    }
    events.push(Event::Tsumo { actor: own, tile: Some(tile("1s")) });
    events.push(Event::Dahai { actor: own, tile: tile("9s"), tsumogiri: false });
    for (seat, thrown) in Seat::all(players).skip(1).zip(["E"]) {
        events.push(Event::Tsumo { actor: seat, tile: None });
        events.push(Event::Dahai { actor: seat, tile: tile(thrown), tsumogiri: true });
    }
    events
}

fn tile(name: &str) -> Tile {
    name.parse().expect("it is written in here")
}

#[cfg(test)]
mod tests {
    use policy_abi::action::{ACTION_DAHAI, ACTION_HORA, ACTION_NONE, ACTION_PON, ACTION_REACH};
    use policy_abi::view::View;

    use crate::games::GameKind;
    use crate::view::Asked;

    #[test]
    fn the_round_asks_for_discards_riichi_a_call_and_a_win_of_four_players_and_of_three() {
        for players in [4, 3] {
            let kinds: Vec<Vec<u8>> = (GameKind::Riichi.definition().scripted)(players, Asked::default())
                .iter()
                .map(|view| {
                    let mut kinds: Vec<u8> = view.typed::<View>().1.iter().map(|action| action.kind).collect();
                    kinds.dedup();
                    kinds
                })
                .collect();
            let expected: [&[u8]; 4] = [
                &[ACTION_DAHAI],
                &[ACTION_PON, ACTION_NONE],
                &[ACTION_DAHAI, ACTION_REACH],
                &[ACTION_HORA, ACTION_PON, ACTION_NONE],
            ];
            assert_eq!(kinds, expected, "{players} players");
        }
    }
}

//! The round that an engine has to decide something in before it is seated.

use riichi::event::StartKyoku;
use riichi::{Event, PerSeat, Rules, Seat, Tile, Wind};

/// A hand as it is dealt: three away from tenpai. Three players have these tiles too.
const HAND: [&str; 13] = [
    "1m", "1m", "2p", "3p", "5p", "7p", "8p", "3s", "4s", "6s", "9s", "P", "P",
];

/// The tile that the dealer throws, and the seat could call.
const THROWN: &str = "P";

const DRAWN: &str = "W";

/// The events of a round until the seat has to discard.
///
/// The seat could have called the dealer's discard, which shows whether an engine answers lines
/// that say that it cannot act. At a table of three it has set a North aside, which an engine has
/// to know.
pub(crate) fn trial_round(seat: Seat, rules: &Rules) -> Vec<Event> {
    let players = rules.players;
    let dealer = Seat::all(players)
        .find(|dealer| dealer.next(players) == seat)
        .unwrap_or(Seat::FIRST);
    let start = StartKyoku {
        bakaze: Wind::East,
        kyoku: dealer.index() as u8 + 1,
        honba: 0,
        kyotaku: 0,
        oya: dealer,
        dora_marker: tile("1s"),
        scores: Some(PerSeat::from_fn(players, |_| rules.start_points)),
        tehais: PerSeat::from_fn(players, |owner| (owner == seat).then(|| HAND.map(tile))),
    };
    let mut events = vec![
        Event::StartKyoku(start),
        Event::Tsumo {
            actor: dealer,
            tile: None,
        },
        Event::Dahai {
            actor: dealer,
            tile: tile(THROWN),
            tsumogiri: true,
        },
    ];
    if players == 3 {
        events.extend([
            Event::Tsumo {
                actor: seat,
                tile: Some(tile("N")),
            },
            Event::Kita { actor: seat },
        ]);
    }
    events.push(Event::Tsumo {
        actor: seat,
        tile: Some(tile(DRAWN)),
    });
    events
}

fn tile(name: &str) -> Tile {
    name.parse().expect("the name of a tile")
}

#[cfg(test)]
mod tests {
    use riichi::{Action, Table};

    use super::*;
    use crate::questions::SeatQuestions;

    #[test]
    fn every_seat_may_call_and_then_discard_each_tile_of_a_hand_as_it_is_dealt() {
        for players in [4, 3] {
            let rules = Rules::TENHOU_HALF.with_players(players);
            for seat in Seat::all(players) {
                let (mut table, mut questions) =
                    (Table::new(rules, seat), SeatQuestions::new(rules, seat));
                let mut asked = Vec::new();
                for event in trial_round(seat, &rules) {
                    assert_eq!(table.apply(&event.masked_for(seat)), Ok(()), "{event:?}");
                    asked.push(questions.after(&event));
                }
                asked.retain(|legal| !legal.is_empty());
                assert!(
                    asked[0]
                        .iter()
                        .any(|action| matches!(action, Action::Pon { .. }))
                );
                let last = asked.last().unwrap();
                // The pairs are listed once.
                assert_eq!(last.len(), 12, "{last:?}");
                assert!(
                    last.iter()
                        .all(|action| matches!(action, Action::Dahai { .. }))
                );
                assert_eq!(
                    asked.len(),
                    usize::from(6 - players),
                    "a North at the table of three"
                );
                assert_eq!(riichi::shanten::shanten(&table.concealed().unwrap()), 3);
            }
        }
    }
}
